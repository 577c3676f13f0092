"""First contact by the command: codes, words, known peers, and a table that friends join; with real daemons."""

from __future__ import annotations

import re
import time

import pytest

from p2pcards.cli.command import Failure
from p2pcards.cli.opening import invitation_lines
from p2pcards.control.exits import DAEMON, REFUSED, USAGE
from p2pcards.control.messages import Admission
from rigs.giving_up import longest_wait
from rigs.program import AtTerminal, MakeProgram, Program

EXAMPLE = "7-crossword-clockwork"


def known(one: Program) -> list[dict[str, object]]:
    """Whom somebody has met, as soon as that is anybody: who was called learns it a moment after who called."""
    end = time.monotonic() + longest_wait()
    found: list[dict[str, object]] = []
    while not found and time.monotonic() < end:
        found = one.data("peers", "list")
    return found


def test_two_meet_by_a_code_and_then_by_name(make_program: MakeProgram) -> None:
    ann, bob = (make_program(name).inside() for name in ("ann", "bob"))
    opened = bob.data("listen", "--port", "0", "--name", "Bob", "--require-code")
    there = f"127.0.0.1:{opened['port']}"
    code, said = ann.refused("connect", there, "--name", "Ann")
    why = "needs a code from new friends. Ask for the one it shows, and give it with --code CODE"
    assert (code, said) == (REFUSED, f"{there} {why}.\n")
    assert ann.data("connect", there, "--name", "Ann", "--code", opened["code"].upper())["table"] == "t1"
    for one, name in ((ann, "Bob"), (bob, "Ann")):
        (peer,) = known(one)
        assert (peer["name"], peer["proof"]) == (name, "code")
    assert ann.data("words")[0]["name"] == "Bob" and len(ann.data("words")[0]["words"]) == 3
    said = bob.out("words")
    assert re.match(r"Ann: [a-z]+ [a-z]+ [a-z]+\nRead them to each other\.", said)
    ann.leave()
    assert ann.data("connect", "bob")["table"] == "t1"
    ann.leave()
    assert ann.data("connect", "Bob", "--code", opened["code"])["table"] == "t1", "the key is proof enough"
    cy = make_program("cy").inside()
    code, said = cy.refused("connect", there, "--name", "Cy", "--code", opened["code"])
    assert code == REFUSED and "that code was already used, and each works only once. Ask for a new code" in said
    assert [table["port"] for table in bob.data("status")["tables"]] == [opened["port"]]


def test_known_peers_are_renamed_trusted_and_forgotten(make_program: MakeProgram) -> None:
    ann, bob = (make_program(name).inside() for name in ("ann", "bob"))
    port = bob.data("listen", "--port", "0", "--name", "Bob")["port"]
    ann.data("connect", f"127.0.0.1:{port}", "--name", "Ann")
    assert re.search(r"Bob +\S+ +127\.0\.0\.1:\d+ +first use", ann.out("peers", "list"))
    key = bob.data("identity")["fingerprint"]
    assert ann.out("peers", "trust", "bob") == f"Marked the key {key} as Bob's.\n"
    assert ann.out("peers", "rename", "bob", "Bobby") == "Bob is now called Bobby.\n"
    assert [(one["name"], one["proof"]) for one in ann.data("peers", "list")] == [("Bobby", "trusted")]
    for line, sentence in {
        "rename Bob Rob": "You don't know anyone as 'Bob'. Did you mean 'Bobby'?",
        "rename Bobby \u202e": "That name would be shown as 'stranger'.",
        "trust Zoe": "You don't know anyone as 'Zoe'.",
        "forget Zoe": "You don't know anyone as 'Zoe'.",
    }.items():
        code, said = ann.refused("peers", *line.split(" "))
        assert code == USAGE and said.startswith(sentence)
    assert ann.out("peers", "forget", "Bobby") == f"Forgot Bobby (key {key}).\n"
    assert ann.data("peers", "list") == []


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("connect a --code 7-crosword-clockwork", "Did you mean 'crossword'? A code looks like 7-crossword-clockwork."),
        ("connect a --code crossword", "'crossword' isn't a code. A code is a number and two words"),
        ("join a --code 7", "'7' isn't a code."),
        (f"connect a b --code {EXAMPLE}", "1 code for 2 hosts: give one for each"),
        (f"connect a --code {EXAMPLE} --code {EXAMPLE}", "2 codes for 1 host: give one for each"),
        ("join a_b:x", "'x' isn't a port"),
        ("host --preset telecards", "--preset and --set need a game."),
        ("host --seed 3", "--seed works only when you play alone"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_a_daemon_starts(inside: Program, line: str, sentence: str) -> None:
    code, said = inside.refused(*line.split())
    assert code == USAGE and sentence in said
    assert not (inside.home / "daemon.lock").exists()


def test_words_need_somebody(inside: Program) -> None:
    assert inside.refused("words")[0] == DAEMON
    inside.data("listen", "--port", "0", "--name", "Bob")
    code, said = inside.refused("words")
    assert (code, said) == (USAGE, "There's nobody here to compare words with.\n")


def test_friends_join_a_host_and_play(make_program: MakeProgram) -> None:
    ann, bob = make_program("ann"), make_program("bob")
    with AtTerminal(ann, "host", "--port", "0", "--name", "Ann", "--plain") as host:
        found = host.until(r"p2pcards join 127\.0\.0\.1:(\d+)|p2pcards join \S+:(\d+)")
        code = host.until(r"--code (\d+-[a-z]+-[a-z]+)")[1]
        there = f"127.0.0.1:{found[1] or found[2]}"
        quiet = bob.inside()
        assert quiet.data("join", there, "--code", code, "--name", "Bob", "--auto", "novice")["port"] is None
        host.until(r"Bob joins the table")
        host.until(r"Bob confirmed the code; you won.t need one next time")
        host.type("game crazy_eights telecards\rset winning_score=50\rstart\r")
        host.until("Crazy Eights begins")
        host.type("away\r")
        host.until("is playing for you")
        host.until(r"The game is over")
        host.type("code\rwords\r")
        host.until(r"Code for new friends: \d+-[a-z]+-[a-z]+")
        host.until(r"Compare these words with Bob by voice: [a-z]+ [a-z]+ [a-z]+\.")
        host.type("leave yes\r")
        assert host.end() == 0
    (log,) = quiet.data("logs")
    assert (log["state"], log["coordinates"]) == ("finished", False)


def test_a_link_with_its_code_is_not_in_the_list_of_processes(make_program: MakeProgram) -> None:
    ann, bob, cy = make_program("ann").inside(), make_program("bob").inside(), make_program("cy")
    opened = ann.data("host", "--port", "0", "--web", "--name", "Ann")
    link = f"http://127.0.0.1:{opened['port']}/#{opened['code']}"
    assert bob("join", "-", "--name", "Bob", "--detached", said=f"Here it is: {link}, see you\n").returncode == 0
    assert [(one["name"], one["proof"]) for one in known(bob)] == [("Ann", "code")]
    code, said = bob.refused("connect", "-", said="\n")
    assert code == USAGE and said.startswith("No link or address was given.")
    with AtTerminal(cy, "join", "-", "--name", "Cy", "--line") as there:
        there.until("Paste your friend's link, or type their address: ")
        there.type(f"127.0.0.1:{opened['port']}\r")
        there.until(r"Calling 127\.0\.0\.1:\d+ \.\.\.")


def test_where_a_code_leads_from_anywhere_the_invitation_is_short() -> None:
    here = [("8.8.8.8", "public"), ("10.0.0.5", "private"), ("127.0.0.1", "loopback")]
    code, link = "48213-crossword-clockwork", "meet:grcuyo5tugdhpbj2fyqgvqsxnre3cg3xk7rc5a7cky"
    assert invitation_lines(here, 4747, False, "join", Admission(), code, anywhere=True, lasting=link) == [
        "From anywhere: p2pcards join 48213-crossword-clockwork",
        "With a link for all your friends (p2pcards join -):",
        "    meet:grcuyo5tugdhpbj2fyqgvqsxnre3cg3xk7rc5a7cky",
        "By address:",
        "    p2pcards join 8.8.8.8:4747 --code 48213-crossword-clockwork",
        "On your own network:",
        "    p2pcards join 10.0.0.5:4747 --code 48213-crossword-clockwork",
        "The code works once, for ten minutes; then you get a new one. People you know don't need it.",
        "Without it, anyone can join by address, but you can't tell who it is.",
    ]
    page = f"https://cards.example/#{link.removeprefix('meet:')}"
    lines = invitation_lines(here, 4747, False, "join", Admission(), code, anywhere=True, lasting=page)
    assert lines[1:3] == ["With a link for all your friends (in a browser, or p2pcards join -):", f"    {page}"]
    closed = invitation_lines(here[2:], 4747, True, "connect", Admission(known_only=True), anywhere=True)
    assert closed == [
        "From anywhere, for people you know: p2pcards connect meet:NAME",
        "On your own network, 'p2pcards connect' with no address finds you.",
        "Only people you know can join ('p2pcards peers list').",
    ]


def test_the_invitation_says_who_comes_in() -> None:
    here = [("8.8.8.8", "public")]
    lines = invitation_lines(here, 4747, False, "join", Admission(), EXAMPLE)
    assert lines[:2] == ["Waiting on port 4747.", "Send this line to your friend:"]
    assert lines[2] == f"    p2pcards join 8.8.8.8:4747 --code {EXAMPLE}", "one line that does it"
    assert "The code works once" in lines[-2] and "anyone can join by address" in lines[-1]
    assert "Nobody else can join." in invitation_lines(here, 4747, False, "connect", Admission(True), EXAMPLE)[-1]
    assert (
        "Only people you know can join"
        in invitation_lines(here, 4747, False, "connect", Admission(known_only=True))[-1]
    )
    private = "\n".join(invitation_lines([("10.0.0.5", "private")], 4747, False, "join", Admission()))
    assert (
        "p2pcards join localhost:4747 --via" in private and "Or let your friend listen, and connect to them" in private
    )
    assert "Use Tor, if you both have it: add --onion." in private


def test_a_code_is_spelled_as_it_is_made() -> None:
    from p2pcards.cli.opening import parse_code

    assert parse_code(" 7 CROSSWORD clockwork") == EXAMPLE and parse_code("") == ""
    with pytest.raises(Failure):
        parse_code("7")
