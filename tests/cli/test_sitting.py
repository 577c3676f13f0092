"""Tables opened, found again and left by the command, with real daemons."""

from __future__ import annotations

import json
import re
import socket
import time

import pytest

from p2pcards.cli.command import INTERRUPTED, Failure
from p2pcards.cli.opening import invitation_lines, parse_bind
from p2pcards.control.exits import DAEMON, NETWORK, REFUSED, USAGE
from p2pcards.control.messages import Admission
from p2pcards.players.characters import find_character
from p2pcards.store.files import find_home
from p2pcards.store.settings import Settings, load_settings
from rigs.giving_up import longest_wait
from rigs.homes import daemon_runs
from rigs.program import AtTerminal, MakeProgram, Program


def settings_of(program: Program) -> Settings:
    return load_settings(find_home({"P2PCARDS_HOME": str(program.home)}))


NAME = r"Your name at the table \[\w.*\]: "
CHARACTER = r"Your character \[\w+\], or \? for a list: "


def test_a_table_from_opening_to_leaving(inside: Program) -> None:
    for line in ("attach", "leave --yes"):
        code, said = inside.refused(line.split()[0])
        assert (code, said[:23]) == (DAEMON, "No table is open. Open ")
    assert inside.out("status") == "No table is open, and no daemon is running.\n"
    assert inside.out("stop") == "No daemon is running, so there's nothing to stop.\n"
    opened = inside.out("play", "hearts", "--name", "Ann", "--detached")
    assert opened == "Table t1 is open. To sit down: p2pcards attach t1\n"
    (table,) = inside.data("status")["tables"]
    assert (table["name"], table["role"], table["game"], table["people"][0]["name"]) == (
        "t1",
        "coordinator",
        "Hearts",
        "Ann",
    )
    assert "t1: Hearts, in play" in inside.out("status")
    assert inside.out().splitlines()[5].startswith("Table t1: Hearts, in play")
    assert inside.data("play", "crazy_eights", "--seed", "3")["table"] == "t2"
    shown = inside.out("attach", "t1", said="hand\n")
    assert "Your hand (13):" in shown
    assert "Seat kept. To come back: p2pcards attach. To give it up: p2pcards leave." in shown
    for line, code, sentence in (
        ("attach t9", USAGE, "There's no table 't9'. Open tables: t1, t2."),
        ("leave", USAGE, "Which table: t1, t2? Use p2pcards leave TABLE"),
        ("leave t9", USAGE, "There's no table 't9'. Open tables: t1, t2."),
        ("leave t1", USAGE, "Leaving is permanent. To confirm: p2pcards leave --yes"),
    ):
        assert inside.refused(*line.split()) == (code, f"{sentence}\n")
    assert inside.out("leave", "t1", "--yes") == "You left table t1.\n"
    assert inside.out("stop") == "The daemon has stopped and closed t2. You can resume unfinished games.\n"
    assert not daemon_runs(find_home({"P2PCARDS_HOME": str(inside.home)}))
    assert {log["state"] for log in inside.data("logs")} == {"unfinished", "ended early"}


def test_a_name_given_once_is_kept_where_none_is_set(program: Program) -> None:
    inside = program.inside()
    with AtTerminal(program, "play", "hearts", "--name", "Bob", "--detached") as terminal:
        terminal.until("You're Bob from now on. To change that: p2pcards config set name NAME")
        assert terminal.end() == 0
    for words in ((), ("--name", "Robert")):
        with AtTerminal(program, "play", "hearts", "--detached", *words) as terminal:
            assert terminal.end() == 0
            assert "Your name" not in terminal.text and "from now on" not in terminal.text
    assert settings_of(program).name == "Bob", "another name is for one table"
    names = [table["people"][0]["name"] for table in inside.data("status")["tables"]]
    assert names == ["Bob", "Bob", "Robert"]


def test_a_character_is_kept_as_the_name_is_and_asked_for_no_more(program: Program) -> None:
    """The one that is given, or else the one that stands for them at the first table with others."""
    with AtTerminal(program, "play", "hearts", "--name", "Bob", "--detached") as terminal:
        assert terminal.end() == 0
    assert settings_of(program).character == "", "nobody is away there"
    with AtTerminal(program, "listen", "--port", "0", "--name", "Bob", "--detached") as terminal:
        name = terminal.until(
            r"([A-Z]\w+ \w+) plays for you while you're away. To change that: p2pcards config set char"
        )[1]
        assert terminal.end() == 0
    assert find_character(settings_of(program).character).name == name
    for words in (("--as", "luan"), ("--name", "Robert"), ()):
        with AtTerminal(program, "listen", "--port", "0", "--detached", *words) as terminal:
            assert terminal.end() == 0
            assert "Your character" not in terminal.text and "while you're away" not in terminal.text
    tables = program.inside().data("status")["tables"]
    luan = find_character("luan").name
    assert [table["people"][0]["character"] for table in tables][1:] == [name, luan, name, name]


def test_a_character_given_with_the_first_name_is_kept(program: Program) -> None:
    with AtTerminal(program, "listen", "--port", "0", "--name", "Bob", "--as", "granny", "--detached") as terminal:
        terminal.until("Granny Mildred plays for you while you're away.")
        assert terminal.end() == 0
    assert settings_of(program).character == "granny"


def test_a_script_that_gives_a_name_sets_none(inside: Program) -> None:
    inside.out("play", "hearts", "--name", "Bob", "--detached")
    assert settings_of(inside).name == ""


def test_a_player_alone_is_asked_for_no_character(program: Program) -> None:
    """As on the title screen."""
    with AtTerminal(program, "play", "hearts", "--detached") as terminal:
        terminal.until(NAME)
        terminal.type("Zoë\n")
        assert terminal.end() == 0
        assert "character" not in terminal.text
    assert (settings_of(program).name, settings_of(program).character) == ("Zoë", "")


def test_at_a_terminal_name_and_character_are_asked_for_once(program: Program) -> None:
    program.inside().out("config", "set", "ask", "always")
    with AtTerminal(program, "play", "hearts") as terminal:
        terminal.until(NAME)
        terminal.type("Zoë\n")
        terminal.until(CHARACTER)
        terminal.type("grany\n")
        terminal.until("There's no character 'grany'. Did you mean 'granny'?")
        terminal.type("?\n")
        terminal.until(r"wayne +Wacky Wayne +novice")
        terminal.type("Granny Mildred\n")
        terminal.until("Your hand")
        assert terminal.end("\x03") == 0
        assert "Seat kept." in terminal.text
    assert (settings_of(program).name, settings_of(program).character) == ("Zoë", "granny")
    program.inside().out("config", "set", "ask", "once")
    with AtTerminal(program, "attach") as terminal:
        terminal.until("Your hand")
        assert terminal.end("\x04") == 0
    with AtTerminal(program, "attach") as terminal:
        terminal.until("Your hand")
        assert program.out("detach") == "Detached from table t1. Your seat is kept. To come back: p2pcards attach t1\n"
        assert terminal.end() == 0
        assert "You detached from another terminal." in terminal.text
    assert program.out("detach") == "Nobody is attached to table t1. The seat is kept.\n"
    with AtTerminal(program, "leave") as terminal:
        terminal.until("Leave table t1 for good")
        terminal.type("no\n")
        assert terminal.end() == 0
        assert "OK, you stay." in terminal.text
    with AtTerminal(program, "play", "hearts", "--detached") as terminal:
        assert terminal.end() == 0
        assert "Your name" not in terminal.text and "character" not in terminal.text
    with AtTerminal(program, "leave", "t1") as terminal:
        terminal.until("Leave table t1 for good")
        terminal.type("yes\n")
        assert terminal.end() == 0
        assert "You left table t1." in terminal.text


def test_a_player_who_first_waits_for_a_friend_or_calls_one_is_asked_who_stands_for_them(
    make_program: MakeProgram,
) -> None:
    bob, ann = make_program("bob"), make_program("ann")

    def answer(terminal: AtTerminal, name: str, character: str) -> None:
        terminal.until(NAME)
        terminal.type(f"{name}\n")
        terminal.until(CHARACTER)
        terminal.type(f"{character}\n")

    with AtTerminal(bob, "listen", "--port", "0") as terminal:
        answer(terminal, "Bob", "granny")
        terminal.until(r"\| say who help > ")
        assert terminal.end("\x03") == 0
    there = f"127.0.0.1:{bob.inside().data('status')['tables'][0]['port']}"
    with AtTerminal(ann, "connect", there) as terminal:
        answer(terminal, "Ann", "luan")
        terminal.until("Bob joins the table as Granny Mildred")
        terminal.until(r"invite HOST, game NAME")
        assert terminal.end("\x03") == 0
    with AtTerminal(ann, "host", "--port", "0") as terminal:
        terminal.until(r"invite HOST, game NAME")
        assert terminal.end("\x03") == 0
        assert "Your name" not in terminal.text and "Your character" not in terminal.text, "once is enough"


def test_enter_keeps_what_stands_in_the_question(program: Program) -> None:
    program.inside().out("config", "set", "ask", "always")
    with AtTerminal(program, "play", "hearts", "--detached") as terminal:
        asked = terminal.until(NAME)[0]
        terminal.type("\n")
        offered = terminal.until(CHARACTER)[0]
        terminal.type("\n")
        assert terminal.end() == 0
    settings = settings_of(program)
    assert f"[{settings.name}]" in asked and f"[{settings.character}]" in offered
    (table,) = program.inside().data("status")["tables"]
    assert table["people"][0]["character"] == find_character(settings.character).name


def test_a_name_that_does_not_fit_is_asked_for_again(program: Program) -> None:
    program.inside().out("config", "set", "character", "granny")
    with AtTerminal(program, "play", "hearts", "--detached") as terminal:
        terminal.until(NAME)
        terminal.type("Ann Boleyn of Hever Castle in Kent\n")
        terminal.until("at most 24 visible characters")
        terminal.until(NAME)
        terminal.type("Ann\n")
        assert terminal.end() == 0
    assert settings_of(program).name == "Ann"


def test_who_wants_it_is_asked_always_or_never(program: Program) -> None:
    inside = program.inside()
    inside.out("config", "set", "ask", "never")
    with AtTerminal(program, "play", "hearts", "--detached") as terminal:
        assert terminal.end() == 0
        assert "Your name" not in terminal.text and "character" not in terminal.text
    for key, value in (("ask", "always"), ("name", "Ann"), ("character", "granny")):
        inside.out("config", "set", key, value)
    with AtTerminal(program, "play", "hearts", "--detached") as terminal:
        assert "[Ann]" in terminal.until(NAME)[0]
        terminal.type("Zoë\n")
        assert "[granny]" in terminal.until(CHARACTER)[0]
        terminal.type("\n")
        assert terminal.end() == 0
    assert (settings_of(program).name, settings_of(program).character) == ("Zoë", "granny")
    with AtTerminal(program, "play", "hearts", "--name", "Bob", "--detached") as terminal:
        assert terminal.end() == 0
        assert "Your name" not in terminal.text, "who gives a name is asked nothing"
    with AtTerminal(program, "play", "hearts", "--as", "sam", "--detached") as terminal:
        terminal.until(NAME)
        terminal.type("\n")
        assert terminal.end() == 0
        assert "character" not in terminal.text, "nor for what is given"


def test_listening_prints_the_line_for_a_friend(inside: Program) -> None:
    said = inside.out("listen", "--port", "0", "--name", "Bob", said="who\n")
    port = inside.data("status")["tables"][0]["port"]
    assert f"Waiting on port {port}." in said
    assert "Bob" in said and "To come back: p2pcards attach" in said
    (code,) = set(re.findall(rf"^    p2pcards connect \S+:{port} --code (\d+-[a-z]+-[a-z]+)$", said, re.MULTILINE))
    assert f", code {code}" in inside.out("status")
    again = inside.data("listen", "--port", str(port))
    assert again == {"table": "t1", "port": port, "new": False, "code": code}
    again = inside.out("listen", "--port", str(port), "--detached")
    assert again.startswith("You're already waiting there, at table t1.\n")


ANYBODY = Admission()


def test_the_invitation_says_who_can_use_it() -> None:
    public = invitation_lines(
        [("8.8.8.8", "public"), ("10.0.0.5", "private"), ("127.0.0.1", "loopback")], 4747, False, "connect", ANYBODY
    )
    assert public == [
        "Waiting on port 4747.",
        "Send this line to your friend:",
        "    p2pcards connect 8.8.8.8:4747",
        "For a friend on your own network:",
        "    p2pcards connect 10.0.0.5:4747",
    ]
    private = "\n".join(
        invitation_lines([("10.0.0.5", "private"), ("127.0.0.1", "loopback")], 4747, True, "connect", ANYBODY)
    )
    assert "    p2pcards connect 10.0.0.5:4747" in private and "127.0.0.1" not in private
    assert "That's a private address" in private
    for way in ("VPN", "Forward TCP port 4747 in your router", "--via 'ssh -W %h:%p", "let your friend"):
        assert way in private
    assert "'p2pcards connect' with no address finds you" in private
    alone = "\n".join(invitation_lines([("::1", "loopback")], 4747, False, "connect", ANYBODY))
    assert "isn't on a network" in alone and "p2pcards connect [::1]:4747" in alone


def test_the_invitation_names_the_one_address_at_which_a_table_waits() -> None:
    assert invitation_lines([("127.0.0.1", "loopback")], 4747, False, "join", ANYBODY, bind="127.0.0.1") == [
        "Waiting only at 127.0.0.1:4747.",
        "That address works only on this machine:",
        "    p2pcards join 127.0.0.1:4747",
    ]
    lines = invitation_lines([("10.0.0.5", "private")], 4747, False, "connect", ANYBODY, bind="10.0.0.5")
    assert lines[:3] == [
        "Waiting only at 10.0.0.5:4747.",
        "Send this line to your friend:",
        "    p2pcards connect 10.0.0.5:4747",
    ]


@pytest.mark.parametrize(
    ("typed", "lan", "sentence"),
    [
        ("example.org", False, "'example.org' isn't an IP address"),
        ("0.0.0.0", False, "0.0.0.0 means all addresses of this machine"),
        ("::1", True, "over IPv4 only"),
    ],
)
def test_an_address_that_cannot_be_waited_at_is_refused(typed: str, lan: bool, sentence: str) -> None:
    with pytest.raises(Failure, match=sentence):
        parse_bind(typed, lan)
    assert (parse_bind(""), parse_bind("[::1]"), parse_bind("127.0.0.1", True)) == ("", "::1", "127.0.0.1")


def test_a_port_in_use_and_nobody_there(inside: Program) -> None:
    with socket.create_server(("", 0)) as taken:
        port = taken.getsockname()[1]
        code, said = inside.refused("listen", "--port", str(port))
        assert code == NETWORK
        assert f"Port {port} is taken by another program" in said and "--port" in said
    code, said = inside.refused("connect", f"127.0.0.1:{port}")
    assert code == NETWORK
    assert f"Nobody is listening at 127.0.0.1:{port}. Ask your friend to run 'p2pcards listen'" in said
    assert inside.data("status")["tables"] == []
    code, said = inside.refused("connect", "127.0.0.1", "--via", "no-such-program %h")
    assert code == NETWORK
    assert "There's no program 'no-such-program'" in said


def test_calling_yourself_a_friend_and_a_changed_key(make_program: MakeProgram) -> None:
    ann, bob, eve = (make_program(name).inside() for name in ("ann", "bob", "eve"))
    port = bob.data("listen", "--port", "0", "--name", "Bob")["port"]
    there = f"127.0.0.1:{port}"
    code, said = bob.refused("connect", there)
    assert code == USAGE
    assert "your" in said.lower()
    ann.data("connect", "--partner", there, "--game", "crazy_eights", "--name", "Ann")
    with AtTerminal(ann, "attach") as terminal:
        terminal.until("You're meeting Bob for the first time")
        assert terminal.end("\x03") == 0
    (table,) = ann.data("status")["tables"]
    assert [(one["name"], one["link"]) for one in table["people"]] == [("Ann", "you"), ("Bob", "here")]
    assert "Bob (" in ann.out("status")
    ann.out("stop")
    bob.out("stop")
    eve.data("listen", "--port", str(port), "--name", "Bob")
    code, said = ann.refused("connect", there)
    assert code == REFUSED
    assert "Bob's key is" in said and "p2pcards peers forget Bob" in said
    ann.out("peers", "forget", "Bob")
    assert ann.data("connect", there)["new"]


def test_a_guest_who_has_connected_chooses_their_partner(make_program: MakeProgram) -> None:
    ann, bob = make_program("ann").inside(), make_program("bob").inside()
    port = bob.data("listen", "--port", "0", "--name", "Bob")["port"]
    with AtTerminal(
        ann, "connect", f"127.0.0.1:{port}", "--game", "whist", "--name", "Ann", "--as", "luan"
    ) as terminal:
        terminal.until("Bob joins the table")
        terminal.until(r"start, set K=V, invite HOST")
        terminal.type("start\n")
        terminal.until(r"Is Bob your partner\?")
        terminal.until("yes/no > ")
        terminal.type("yes\n")
        terminal.until("Whist begins: you and Bob against ")
        assert terminal.end("\x03") == 0


def test_listeners_nearby_are_listed_and_chosen(make_program: MakeProgram) -> None:
    ann, bob = make_program("ann").inside(), make_program("bob").inside()
    port = bob.data("listen", "--port", "0", "--name", "Bob", "--lan")["port"]
    found = [one for one in ann.data("connect") if one["address"].endswith(f":{port}")]
    assert [(one["name"], one["known_as"]) for one in found] == [("Bob", "")]
    assert found[0]["fingerprint"] == bob.data("identity")["fingerprint"]
    assert found[0]["address"] in ann.out("connect")
    with AtTerminal(ann, "connect", "--name", "Ann") as terminal:
        number = terminal.until(rf"(\d+) +Bob +\S+:{port}\b")[1]
        terminal.until("Who do you want to call")
        terminal.type("0\n")
        terminal.until(r"Type numbers from 1 to \d+")
        terminal.until("Who do you want to call")
        terminal.type(f"{number}\n")
        terminal.until("Bob")
        terminal.until("invite HOST, game NAME")
        assert terminal.end("\x03") == 0
    with AtTerminal(ann, "connect", "--name", "Ann") as terminal:
        terminal.until("Who do you want to call")
        terminal.type("\n")
        assert terminal.end() == 0


def test_ctrl_c_while_somebody_is_called(program: Program) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        host = f"127.0.0.1:{silent.getsockname()[1]}"
        with AtTerminal(program, "connect", host, "--name", "Ann") as terminal:
            terminal.until(f"Calling {host}")
            silent.settimeout(longest_wait())
            called, _ = silent.accept()
            assert terminal.end("\x03") == INTERRUPTED
            called.close()
    end = time.monotonic() + longest_wait()
    while program.inside().data("status")["tables"]:
        assert time.monotonic() < end, "the table of a call that was given up stays"


def test_the_opponents_are_chosen_with_their_levels(program: Program) -> None:
    done = program(
        "play", "whist", "--name", "Ann", "--as", "granny", "--with", "lizzy:carefree, wayne", said="table\n"
    )
    assert re.search(r"^2 Dizzy Lizzy .*\n?.*computer, carefree", done.stdout, re.MULTILINE)
    assert re.search(r"^3 Wacky Wayne .*your partner,\s+computer, novice", done.stdout, re.MULTILINE)
    program.out("stop")
    refused = program("play", "whist", "--name", "Ann", "--with", "lizzi")
    assert (refused.returncode, refused.stderr) == (2, "There's no character 'lizzi'. Did you mean 'lizzy'?\n")


def test_a_game_goes_on_in_the_middle_of_a_trick_after_a_stop(program: Program) -> None:
    def lies_there(*opening: str) -> str:
        inside = program.inside()
        opened = inside.data(*opening)
        end = time.monotonic() + longest_wait()
        while inside.data("status")["tables"][0]["waiting"] != "you":
            assert time.monotonic() < end, "it does not become my turn"
        shown = program.out("attach", opened["table"], said="table\n")
        tables: list[str] = re.findall(r"^Whist as .*?, deal .*?^Your turn\.$", shown, re.MULTILINE | re.DOTALL)
        return tables[-1]

    before = lies_there("play", "whist", "--preset", "real-deal", "--name", "Ann", "--as", "granny", "--deal", "1")
    assert "Trick: Wacky Wayne A♥, Reddy Betty 3♥, Dizzy Lizzy 2♥." in before
    program.out("stop")
    (log,) = program.inside().data("logs")
    assert lies_there("resume", log["log"]) == before


def test_a_number_deals_the_same_cards_to_everybody_and_is_told(make_program: MakeProgram) -> None:
    ann, bob = make_program("Ann"), make_program("Bob")
    shown = ann.out("play", "hearts", "--name", "Ann", said="hand\n")
    told = re.search(r"This is deal (\d+)\.", shown)
    assert told
    again = bob.out("play", "hearts", "--name", "Bob", "--deal", told[1], said="hand\n")
    hands = [re.search(r"Your hand \(13\): .*", text) for text in (shown, again)]
    assert hands[0] and hands[1] and hands[0][0] == hands[1][0]
    other = bob.out("play", "hearts", "--deal", str(int(told[1]) + 1), said="hand\n")
    assert hands[0][0] not in other
    code, said = bob.refused("play", "hearts", "--deal", "-1")
    assert code == USAGE and "-1 is not in the range 0<=x<=4294967295" in said


def test_a_hand_is_dealt_again_begun_again_seen_and_told_of(make_program: MakeProgram) -> None:
    ann = make_program("Ann")
    said = "open\ntable\nrestart\nswap betty\nopen off\nredeal\nundo\nyes\n"
    ran = ann("play", "crazy_eights", "--name", "Ann", "--as", "will", "--with", "betty", "--deal", "7", said=said)
    shown = ran.stdout + ran.stderr
    for sentence in (
        "Everyone's cards are face up.",
        "You swap hands with Reddy Betty.",
        "You throw in this hand for a new deal.",
        "There's nothing to take back: you haven't moved since the deal.",
        "This hand starts over with the same cards.",
        "Only your own cards are face up.",
    ):
        assert sentence in shown, shown
    assert len(re.findall(r"^Reddy Betty: +\S+ .*", shown, re.MULTILINE)) > 2, shown
    (log,) = ann.data("logs")
    (verdict,) = json.loads(ann("verify", log["log"], "--json").stdout)["logs"]
    assert (verdict["deal"], verdict["restarted"], verdict["face_up"]) == (7, 1, 1)
    assert [one["name"] for one in verdict["redeals"]] == ["Ann"]


def test_what_is_set_counts_where_one_sits_down(program: Program) -> None:
    play = ("play", "pinochle2", "--preset", "meggiesoft", "--name", "Ann", "--deal", "1")
    usual = program.out(*play, said="hand\nsort suit\nQC\n")
    assert "You lead to the first trick." in usual and "meld 20" not in usual and " the trick." in usual
    own, by_suit = [line for line in usual.splitlines() if line.startswith("Your hand (12)")][1:3]
    inside = program.inside()
    for key, value in (
        ("start_reminders", "off"),
        ("sort", "suit"),
        ("show_meld_points", "on"),
        ("check_meldable", "on"),
        ("phrases", "off"),
    ):
        inside.out("config", "set", key, value)
    said = program.out(*play, said="hand\nQC\nno\n")
    assert "You lead to the first trick." not in said and 'Wayne: "' not in said
    assert by_suit in said and own not in said
    assert ", meld 20: " in said and "marriage in clubs (Q\u2663 K\u2663) 20" in said
    assert "Q\u2663 is part of a meld you can still make: marriage in clubs (20). Play it? yes/no" in said
    assert "OK, you keep it." in said and " the trick." not in said


def test_the_bell_is_silent_where_that_is_set(program: Program) -> None:
    for wanted in (True, False):
        program.inside().out("config", "set", "bell", "on" if wanted else "off")
        with AtTerminal(program, "play", "pinochle2", "--name", "Ann") as terminal:
            terminal.until("your turn")
            assert terminal.end("\x03") == 0
            assert ("\a" in terminal.text) == wanted
