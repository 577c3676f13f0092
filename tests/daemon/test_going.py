"""Coming, going and ending with real daemons, in the orders in which people do it."""

from __future__ import annotations

import json
import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from p2pcards.control.exits import USAGE
from p2pcards.store.files import find_home
from rigs.homes import wait_until_ended
from rigs.program import AtTerminal, MakeProgram, Program
from rigs.programs_at_tables import here, people, playing, tables, until

pytestmark = pytest.mark.usefixtures("loaded_daemons")


def hosted(ann: Program, *guests: Program) -> str:
    """Ann hosts crazy eights, which the guests have joined, and which has begun. Returns her address."""
    port = ann.data("host", "--port", "0", "--game", "crazy_eights", "--name", "Ann", "--grace", "300")["port"]
    names = ["Ann"]
    for guest in guests:
        names.append(guest.home.name.title())
        guest.out("join", f"127.0.0.1:{port}", "--name", names[-1], "--detached")
    ann.out("attach", said="start\n")
    until(lambda: all(playing(one, *names) for one in (ann, *guests)))
    agree(ann, *guests)
    return f"127.0.0.1:{port}"


def agree(ann: Program, *guests: Program) -> None:
    """They come to the table of a game that has begun, so that their programs agree to it, and a hand is dealt."""
    for guest in guests:
        guest.out("attach", said="who\n")
    until(lambda: ann.data("logs")[0]["records"] > len(guests))


def stop_all(*everybody: Program) -> None:
    for one in everybody:
        one.out("stop")
        wait_until_ended(find_home({"P2PCARDS_HOME": str(one.home)}))


def test_a_player_who_leaves_is_asked_what_is_true_for_their_seat(make_program: MakeProgram) -> None:
    ann, bob = people(make_program, "Ann", "Bob")
    alone = ann.data("play", "hearts", "--name", "Ann")["table"]
    said = ann.out("attach", said="leave\nno\n")
    assert "The game ends. yes/no" in said and "OK, you stay." in said
    ann.out("leave", alone, "--yes")
    until(lambda: not tables(ann))
    hosted(ann, bob)
    said = ann.out("attach", said="leave\nno\nend\nno\n")
    assert "You're the host, so the game ends for everyone (end keeps the table). yes/no" in said
    assert "End the game for everyone? The table stays open. yes/no" in said and "OK, keep playing." in said
    said = bob.out("attach", said="end\nleave\nno\n")
    assert "Only the host can do that." in said and " will play your seat. yes/no" in said
    with AtTerminal(bob, "leave") as terminal:
        terminal.until("If you have a seat, your character plays on. yes/no")
        terminal.type("no\n")
        assert terminal.end() == 0
    assert playing(ann, "Ann", "Bob") and playing(bob, "Ann", "Bob")


def test_a_game_that_is_ended_leaves_everybody_at_the_table(make_program: MakeProgram) -> None:
    ann, bob, cy = everybody = people(make_program, "Ann", "Bob", "Cy")
    hosted(ann, bob, cy)
    ann.out("attach", said="end\nyes\n")
    for one in everybody:
        one.wait_for("ended early")
        assert (tables(one)[0]["phase"], here(one)) == ("lobby", ["Ann", "Bob", "Cy"])
    ann.out("attach", said="start\n")
    until(lambda: all(playing(one, "Ann", "Bob", "Cy") for one in everybody))
    assert [log["state"] for log in bob.data("logs")] == ["unfinished", "ended early"]


def test_a_game_left_right_after_resume_is_closed_in_every_log(make_program: MakeProgram) -> None:
    ann, bob, cy = everybody = people(make_program, "Ann", "Bob", "Cy")
    there = hosted(ann, bob, cy)
    stop_all(*everybody)
    ann.out("resume", "--detached")
    bob.out("join", there, "--detached")
    until(lambda: here(ann) == ["Ann", "Bob"])
    assert ann.out("leave", "--yes") == "You left table t1.\n"
    assert ann.data("logs")[0]["state"] == "unfinished", "Cy may know more of it"
    cy.out("join", there, "--detached")
    for one in everybody:
        one.wait_for("ended early")
    until(lambda: not any(tables(one) for one in everybody))


def connected(ann: Program, *guests: Program) -> list[str]:
    """Ann has connected to the guests, who listen, and crazy eights has begun. Returns their addresses."""
    names = [guest.home.name.title() for guest in guests]
    pairs = zip(guests, names, strict=True)
    addresses = [f"127.0.0.1:{guest.data('listen', '--port', '0', '--name', name)['port']}" for guest, name in pairs]
    ann.out("connect", *addresses, "--game", "crazy_eights", "--name", "Ann", "--grace", "300", "--detached")
    ann.out("attach", said="start\n")
    until(lambda: all(playing(one, "Ann", *names) for one in (ann, *guests)))
    return addresses


def test_who_has_left_is_called_again_and_sits_down_again(make_program: MakeProgram) -> None:
    ann, bob, cy = people(make_program, "Ann", "Bob", "Cy")
    to_bob, _ = connected(ann, bob, cy)
    bob.out("leave", "--yes")
    until(lambda: here(ann) == ["Ann", "Cy"] and not tables(bob))
    assert bob.data("logs")[0]["state"] == "left"
    bob.out("listen", "--port", to_bob.rpartition(":")[2], "--detached")
    ann.out("attach", said=f"invite {to_bob}\n")
    until(lambda: all(set(here(one)) == {"Ann", "Bob", "Cy"} for one in (ann, bob, cy)))
    until(lambda: bob.data("logs")[0]["state"] == "unfinished")
    assert "Bob (you)" in bob.out("attach", said="table\n")


def test_who_has_left_the_table_of_a_host_joins_it_again(make_program: MakeProgram) -> None:
    ann, bob = people(make_program, "Ann", "Bob")
    there = hosted(ann, bob)
    bob.leave()
    until(lambda: here(ann) == ["Ann"])
    bob.out("join", there, "--detached")
    until(lambda: playing(ann, "Ann", "Bob") and playing(bob, "Ann", "Bob"))
    assert len(bob.data("logs")) == 1


def test_a_guest_who_comes_in_mid_game_looks_on_and_has_a_seat_in_the_next(make_program: MakeProgram) -> None:
    ann, bob, cy = everybody = people(make_program, "Ann", "Bob", "Cy")
    there = hosted(ann, bob)
    for times in (1, 2):
        cy.out("join", there, "--name", "Cy", "--detached")
        until(lambda: all(playing(one, "Ann", "Bob", "Cy") for one in everybody))
        said = cy.out("attach", said="table\nwho\nscore\naway\nQS\nhint\n")
        assert "Crazy Eights, hand 1: Ann, Bob" in said
        assert said.count("You're watching until the host seats you or the next game begins.") == 1
        assert said.count("You're watching.") >= 3, "table (twice) and score"
        assert "Cy: you, watching" in said and "Bob: here, seat 2" in said and "Your hand" not in said
        assert said.count("You can't do that while you're watching.") == 3
        assert not cy.data("logs")
        for one in (ann, bob):
            told = one.out("attach", said="who\n")
            assert "Cy: here, watching" in told
            assert told.count("to watch and can play in the next game.") == 1
            assert told.count("Cy is back.") == times - 1
        stop_all(cy)
        until(lambda: playing(ann, "Ann", "Bob") and playing(bob, "Ann", "Bob"))
    cy.out("join", there, "--name", "Cy", "--detached")
    until(lambda: playing(cy, "Ann", "Bob", "Cy"))
    ann.out("attach", said="end\nyes\n")
    until(lambda: tables(cy)[0]["phase"] == "lobby")
    ann.out("attach", said="start\n")
    until(lambda: all(playing(one, "Ann", "Bob", "Cy") for one in everybody))
    agree(ann, bob, cy)
    said = cy.out("attach", said="table\nwho\n")
    assert "Cy: you, watching" not in said and "Your hand" in said and "Cy: you, seat 3" in said
    assert [log["state"] for log in cy.data("logs")] == ["unfinished"]


def test_a_game_with_an_onlooker_goes_on_without_them_after_a_stop(make_program: MakeProgram) -> None:
    ann, bob, cy = everybody = people(make_program, "Ann", "Bob", "Cy")
    there = hosted(ann, bob)
    cy.out("join", there, "--name", "Cy", "--detached")
    until(lambda: all(playing(one, "Ann", "Bob", "Cy") for one in everybody))
    stop_all(ann, bob)
    ann.out("resume", "--detached")
    until(lambda: here(ann)[:1] == ["Ann"])
    bob.out("join", there, "--detached")
    until(lambda: all(playing(one, "Ann", "Bob", "Cy") or playing(one, "Ann", "Cy", "Bob") for one in (ann, bob)))
    until(lambda: "Cy: you, watching" in cy.out("attach", said="who\n"))
    assert not cy.data("logs") and [log["state"] for log in bob.data("logs")] == ["unfinished"]


ORDERS = ["resume join", "join resume", "join resume join", "resume join join", "join join resume"]


@pytest.mark.parametrize("order", ORDERS)
def test_a_hosted_game_goes_on_at_one_table_in_whatever_order(make_program: MakeProgram, order: str) -> None:
    ann, bob = people(make_program, "Ann", "Bob")
    there = hosted(ann, bob)
    stop_all(ann, bob)
    for word in order.split():
        if word == "resume":
            ann.out("resume", "--detached")
        else:
            assert bob.data("join", there)["table"] == "t1"
    until(lambda: playing(ann, "Ann", "Bob") and playing(bob, "Ann", "Bob"))
    assert "in use" not in bob.out("attach", said="who\n") + ann.out("attach", said="who\n")


@pytest.mark.parametrize("order", ["resume listen", "listen resume", "listen resume listen"])
def test_a_game_goes_on_at_one_table_where_it_was_listened_for(make_program: MakeProgram, order: str) -> None:
    ann, bob = people(make_program, "Ann", "Bob")
    (there,) = connected(ann, bob)
    stop_all(ann, bob)
    for word in order.split():
        if word == "resume":
            ann.out("resume", "--detached")
        else:
            assert bob.data("listen", "--port", there.rpartition(":")[2])["table"] == "t1"
    until(lambda: playing(ann, "Ann", "Bob") and playing(bob, "Ann", "Bob"))
    assert "in use" not in bob.out("attach", said="who\n") + ann.out("attach", said="who\n")


def test_a_game_goes_on_where_its_coordinator_comes_and_the_other_table_closes(make_program: MakeProgram) -> None:
    """Bob's program calls the host by itself, at an address; he calls by another."""
    ann, bob = people(make_program, "Ann", "Bob")
    there = hosted(ann, bob)
    stop_all(ann, bob)
    ann.out("resume", "--detached")
    bob.out("join", there.replace("127.0.0.1", "localhost"), "--detached")
    until(lambda: playing(ann, "Ann", "Bob") and playing(bob, "Ann", "Bob"))
    assert "in use" not in bob.out("attach", said="who\n") + ann.out("attach", said="who\n")


def test_a_game_goes_on_at_once_though_the_table_that_was_left_is_still_saying_its_goodbyes(
    make_program: MakeProgram, tmp_path: Path
) -> None:
    ann, bob = people(make_program, "Ann", "Bob")
    goodbye = tmp_path / "goodbye"
    os.mkfifo(goodbye)
    bob.out("config", "set", "events.exit.hook", f"cat {goodbye}")
    there = hosted(ann, bob)
    bob.out("leave", "--yes")
    bob.out("join", there, "--detached")
    until(lambda: here(ann) == ["Ann", "Bob"])
    until(lambda: tables(bob)[-1]["log"] and tables(bob)[-1]["phase"] == "play")
    said = bob.out("attach", "t2", said="who\n")
    assert "Ann: here, host, seat 1" in said and "in use" not in said
    assert not any(table["paused"] for table in tables(bob))
    assert "everything so far matches what was signed" in bob("verify", bob.data("logs")[0]["log"]).stdout
    with suppress(OSError):  # its seconds may be over already
        os.close(os.open(goodbye, os.O_WRONLY | os.O_NONBLOCK))
    until(lambda: playing(bob, "Ann", "Bob"))


def test_a_host_who_is_joined_twice_has_one_guest_and_the_log_stays_whole(make_program: MakeProgram) -> None:
    ann, bob = people(make_program, "Ann", "Bob")
    there = hosted(ann, bob)
    assert bob.data("join", there) == {"table": "t1", "port": None, "new": False, "code": None}
    assert bob.data("join", there.replace("127.0.0.1", "localhost"))["table"] == "t2"
    until(lambda: playing(ann, "Ann", "Bob") and playing(bob, "Ann", "Bob"))
    assert "everything so far matches what was signed" in bob("verify", bob.data("logs")[0]["log"]).stdout


def test_two_games_with_the_same_coordinator_go_on_at_two_tables(make_program: MakeProgram) -> None:
    ann, bob = people(make_program, "Ann", "Bob")
    hosted(ann, bob)
    second = ann.data("host", "--port", "0", "--game", "hearts")
    bob.out("join", f"127.0.0.1:{second['port']}", "--detached")
    ann.out("attach", second["table"], said="start\n")
    until(lambda: all([table["phase"] for table in tables(one)] == ["play"] * 2 for one in (ann, bob)))
    assert {log["state"] for log in bob.data("logs")} == {"unfinished"}


def test_who_resumes_what_goes_on_already_is_told_where(make_program: MakeProgram) -> None:
    (ann,) = people(make_program, "Ann")
    port = hosted(ann).rpartition(":")[2]
    stop_all(ann)
    ann.out("host", "--port", port, "--detached")
    there = f"Table t1 is already open on port {port}, where that game was hosted. Leave it first: p2pcards leave t1\n"
    assert ann.refused("resume") == (USAGE, there)
    ann.leave()
    ann.out("resume", "--detached")
    goes_on = "You aren't hosting any unfinished games except at table t1: p2pcards attach t1\n"
    assert ann.refused("resume") == (USAGE, goes_on)


def said_at(one: Program, words: str = "who\n") -> str:
    """What somebody is told who sits down for a moment, and says this."""
    ran = one("attach", said=words)
    return ran.stdout + ran.stderr


def test_a_hand_is_dealt_again_when_nobody_says_no(make_program: MakeProgram) -> None:
    ann, bob, cy = everybody = people(make_program, "Ann", "Bob", "Cy")
    hosted(ann, bob, cy)

    def asked() -> bool:
        """Bob asks, which has to wait while a computer player is about to play."""
        return "Everyone has to agree" in said_at(bob, "redeal\n") and all(
            "Bob asks for a new deal" in said_at(one) for one in (ann, cy)
        )

    until(asked)
    assert "no, so play continues." in said_at(cy, "no\n")
    until(lambda: "There's nothing to agree to." in said_at(ann, "yes\n"))
    until(asked)
    said_at(cy, "yes\n")
    said_at(ann, "yes\n")
    ann.out("attach", said="end\nyes\n")
    for one in everybody:
        log = one.wait_for("ended early")["log"]
        (verdict,) = json.loads(one("verify", log, "--json").stdout)["logs"]
        assert verdict["redeals"] == [{"hand": 1, "name": "Bob", "agreed": ["Ann", "Cy"]}]
        assert all(hand["proven"] for hand in verdict["hands"])
    redeals = {peer["name"]: (peer["games"], peer["redeals"]) for peer in ann.data("peers", "list")}
    assert redeals == {"Bob": (1, 1), "Cy": (1, 0)}


def test_a_listener_whose_daemon_was_killed_is_told_at_once_which_game_goes_on(make_program: MakeProgram) -> None:
    """From the log, before anybody calls; and the coordinator, whose call is refused by a machine that is there, comes
    back soon."""
    ann, bob = people(make_program, "Ann", "Bob")
    connected(ann, bob)
    os.kill(bob.data("status")["pid"], signal.SIGKILL)
    wait_until_ended(find_home({"P2PCARDS_HOME": str(bob.home)}))
    until(lambda: ann.data("status")["tables"][0]["people"][1]["link"] == "away")
    with AtTerminal(ann, "attach") as terminal:
        terminal.until(r"calling Bob")
        terminal.until(r"calling Bob in 4 s")
        assert terminal.text.count("Reconnecting to Bob") <= 1, "one line, however often Bob is called"
        bob.data("listen", "--port", "0")  # elsewhere, so that nobody calls yet
        told = bob.out("attach", said="table\n")
        assert "Your game of Crazy Eights with Ann is waiting for Ann to call back." in told
        assert "Waiting for Ann to call back." in told and "No game picked yet" not in told
        assert terminal.end("\x03") == 0


def test_a_coordinator_who_leaves_for_good_leaves_a_word_what_to_do_next(make_program: MakeProgram) -> None:
    ann, bob = people(make_program, "Ann", "Bob")
    connected(ann, bob)
    ann.out("leave", "--yes")
    until(lambda: here(bob) == ["Bob"])
    told = bob.out("attach", said="table\n")
    assert "Ann left the table" in told and "You're still listening, so they or another friend" in told
    assert "Options:" not in told and "No game picked yet." in told


def test_who_comes_in_mid_game_is_seated_and_every_log_verifies(make_program: MakeProgram) -> None:
    ann, bob, cy = everybody = people(make_program, "Ann", "Bob", "Cy")
    port = ann.data("host", "--port", "0", "--game", "hearts", "--name", "Ann")["port"]
    bob.out("join", f"127.0.0.1:{port}", "--name", "Bob", "--detached")
    ann.out("attach", said="set end_score=50\nstart\n")
    until(lambda: all(playing(one, "Ann", "Bob") for one in (ann, bob)))
    cy.out("join", f"127.0.0.1:{port}", "--name", "Cy", "--detached")
    until(lambda: all(playing(one, "Ann", "Bob", "Cy") for one in everybody))
    assert "Cy takes over from" in ann.out("attach", said="seat Cy\n")
    for one in (ann, bob):
        one.out("attach", said="auto novice\n")
    until(lambda: len(ann.data("logs")) == 2)
    said = cy.out("attach", said="auto novice\nwho\n")
    assert "You take over from" in said and "Hand 2 is next." in said and "Cy: you, seat" in said
    for one in everybody:
        one.wait_for("finished")
    for one, states in zip(everybody, (["finished", "continued"],) * 2 + (["finished"],), strict=True):
        logs = one.data("logs")
        assert [log["state"] for log in logs] == states
        assert all("everything matches what was signed" in one.out("verify", log["log"]) for log in logs)
    second, first = ann.data("logs")
    both = ann.out("verify", first["log"], second["log"])
    assert "continues" in both and "with the same scores." in both
