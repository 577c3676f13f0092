"""`p2pcards saves` with its file, and `p2pcards logs prune`, on real games."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from random import Random

import pytest

from p2pcards.control.exits import DAEMON, DAMAGED, STORAGE, UNFINISHED, USAGE
from p2pcards.ledger.taken_up import taken_up
from p2pcards.store.files import find_home
from p2pcards.store.identity import load_or_make_identity
from p2pcards.store.logs import list_logs, read_log
from rigs.program import AtTerminal, MakeProgram, Program
from rigs.quick_logs import write_log

Played = tuple[Program, Program]


@pytest.fixture
def begun(program: Program) -> tuple[Program, str]:
    """Ann has begun a game of hearts alone, and the daemon has stopped."""
    inside = program.inside()
    inside.data("play", "hearts", "--seed", "3", "--name", "Ann")
    inside.out("stop")
    return inside, inside.data("logs")[0]["log"]


@pytest.fixture
def between_two(make_program: MakeProgram) -> Played:
    """Ann coordinates a game with Bob that is not over; their daemons have stopped."""
    ann, bob = make_program("ann").inside(), make_program("bob").inside()
    port = bob.data("listen", "--port", "0", "--name", "Bob")["port"]
    ann.data("connect", f"127.0.0.1:{port}", "--game", "whist", "--name", "Ann")
    ann.out("attach", said="start\n")
    with AtTerminal(bob, "attach") as terminal:  # nothing is dealt before
        terminal.until("Your hand")
    for one in (ann, bob):
        one.wait_for("unfinished")
        one.out("stop")
    return ann, bob


def files(program: Program) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (program.home / "logs").iterdir()}


def test_they_are_listed(begun: tuple[Program, str]) -> None:
    ann, log = begun
    (save,) = ann.data("saves")
    assert (save["save"], save["game"], save["preset"], save["coordinates"]) == (log, "hearts", "usual", True)
    assert save["people"] == ["Ann"] and [side["score"] for side in save["sides"]] == [0, 0, 0, 0]
    head, line = ann.out("saves", "--game", "hearts").splitlines()
    assert head.split() == ["save", "game", "last", "played", "hand", "score"]
    assert re.match(rf"{log}  Hearts  \d{{4}}-\d\d-\d\d \d\d:\d\d     1  Ann 0, ", line)
    assert ann.out("saves", "--game", "whist") == "No game of Whist is unfinished here.\n"


def test_attach_without_a_daemon_names_the_game_that_can_go_on(between_two: Played, make_program: MakeProgram) -> None:
    """So who was cut off finds their table again."""
    ann, bob = between_two
    log = ann.data("saves")[0]["save"]
    code, said = ann.refused("attach")
    assert code == DAEMON
    said = " ".join(said.split())
    assert said.startswith("No daemon runs here, so no table is open.")
    assert "The last game is not over: Whist, " in said
    assert f"'p2pcards resume {log}' goes on with it." in " ".join(said.split())
    code, said = bob.refused("attach")
    assert code == DAEMON and "It goes on when they call: 'p2pcards listen'." in " ".join(said.split())
    code, said = make_program("cy").inside().refused("attach")
    assert code == DAEMON and "The last game" not in said


def test_attach_goes_on_with_the_last_game_when_asked(begun: tuple[Program, str]) -> None:
    ann, _ = begun
    with AtTerminal(ann, "attach", "--line") as terminal:
        terminal.until(r"Go on with it\? \[Y/n\]")
        terminal.type("\r")
        terminal.until("[Yy]our turn")
        terminal.end("\x04")


def test_attach_offers_every_game_that_can_go_on_and_a_listener_waits_again(between_two: Played) -> None:
    """Each is named where nobody can be asked."""
    ann, bob = between_two
    bob.data("play", "hearts", "--name", "Bob")
    bob.out("stop")
    code, said = bob.refused("attach")
    said = " ".join(said.split())
    assert code == DAEMON and "The last game is not over: Hearts, " in said
    assert "These can go on, too: 2. Whist, " in said and "It goes on when they call" in said
    bob.out("config", "set", "port", "0")
    with AtTerminal(bob, "attach", "--line") as terminal:
        terminal.until(r"1\. Hearts[\s\S]*2\. Whist[\s\S]*Which one goes on")
        terminal.type("7\r")
        terminal.until("It is a number from 0 to 2.")
        terminal.type("2\r")
        terminal.until("Whist with Ann is on; Ann calls again.")
        terminal.until("waiting for Ann to call again")
        terminal.end("\x04")
    assert ann.data("saves")[0]["game"] == "whist"


def test_without_games_nothing_is_made(inside: Program) -> None:
    assert inside.out("saves") == "No game is unfinished here.\n"
    assert inside.data("saves") == []
    assert not (inside.home / "identity.pem").exists()


def test_a_game_goes_on_in_another_home_of_the_same_player(
    begun: tuple[Program, str], make_program: MakeProgram, tmp_path: Path
) -> None:
    ann, log = begun
    file = tmp_path / "one.p2psave"
    assert ann.out("saves", "export", log[:14], str(file)).startswith(f"{file} holds the game up to its last move.")
    assert file.stat().st_mode & 0o777 == 0o600
    code, said = ann.refused("saves", "export", log, str(file))
    assert (code, said[:15]) == (STORAGE, "There is a file")
    code, said = ann.refused("saves", "import", str(file))
    assert code == USAGE and "just as it is in the save" in said
    elsewhere = make_program("laptop").inside()
    code, said = elsewhere.refused("saves", "import", str(file))
    assert code == USAGE and said.startswith("This game belongs to another identity")
    assert not (elsewhere.home / "logs").exists()
    elsewhere.home.mkdir()
    shutil.copy(ann.home / "identity.pem", elsewhere.home)
    code, said = elsewhere.refused("saves", "import", str(file), "--game", "whist")
    assert code == USAGE and said.startswith("This is a game of Hearts, not of Whist.")
    assert "Go on: p2pcards resume 2" in elsewhere.out("saves", "import", str(file), "--game", "hearts")
    (there,) = files(elsewhere).values()
    assert there == files(ann)[f"{log}.log"]
    assert elsewhere.data("resume")["new"]
    elsewhere.out("stop")


def test_a_file_that_is_not_as_it_was_written_is_refused(begun: tuple[Program, str], tmp_path: Path) -> None:
    ann, log = begun
    file = tmp_path / "one.p2psave"
    ann.out("saves", "export", log, str(file))
    good, before = file.read_bytes(), files(ann)
    for data, code, why in (
        (good[:-1], DAMAGED, "damaged or cut short"),
        (good[:100] + b"\xff" + good[101:], DAMAGED, "offset"),
        (b"", DAMAGED, "no saved game of p2pcards"),
        (b"p2pcards save 2\n" + good[16:], USAGE, "later version"),
        (good[16:-32], DAMAGED, "This is a log"),
    ):
        file.write_bytes(data)
        given, said = ann.refused("saves", "import", str(file))
        assert given == code and why in said and said.count("\n") == 1
    assert files(ann) == before


def test_who_coordinates_is_told_what_the_file_gives_away(between_two: Played, tmp_path: Path) -> None:
    ann, bob = between_two
    log, file = ann.data("saves")[0]["save"], tmp_path / "one.p2psave"
    code, said = ann.refused("saves", "export", log, str(file))
    assert code == USAGE and not file.exists()
    assert said.startswith("You coordinate a game with Bob that is not over: anyone who has ")
    assert "every hand to come" in said
    with AtTerminal(ann, "saves", "export", log, str(file)) as terminal:
        terminal.until("Write it")
        assert terminal.end("\r") == 0 and "Nothing is written." in terminal.text
    assert not file.exists()
    ann.out("saves", "export", log, str(file), "--yes")
    assert file.exists()
    theirs = tmp_path / "two.p2psave"
    said = bob.out("saves", "export", bob.data("saves")[0]["save"], str(theirs))
    assert said.startswith(f"Keep {theirs} to yourself: it shows your hand, while Ann may still play against it.")
    (bob.home / "logs" / f"{bob.data('logs')[0]['log']}.log").unlink()
    assert "while you listen: p2pcards listen" in bob.out("saves", "import", str(theirs))
    assert bob.out("saves").rstrip().endswith("you listen")
    code, said = bob.refused("saves", "import", str(file))
    assert code == USAGE and "another identity" in said


def test_a_home_goes_elsewhere_as_one_file(
    begun: tuple[Program, str], make_program: MakeProgram, tmp_path: Path
) -> None:
    """To where nobody has played, to a profile of its own beside somebody else, and back to where it came from."""
    ann, log = begun
    file = tmp_path / "ann.p2phome"
    code, said = ann.refused("saves", "export-home", str(file))
    assert code == USAGE and "anyone who has it can sit as you" in said and not file.exists()
    with AtTerminal(ann, "saves", "export-home", str(file)) as terminal:
        terminal.until("Write it")
        assert terminal.end("\r") == 0 and "Nothing is written." in terminal.text
    said = ann.out("saves", "export-home", str(file), "--yes")
    assert said.startswith(f"{file} holds somebody without a name (the key ") and "1 game (1 not over)" in said
    assert file.stat().st_mode & 0o777 == 0o600
    bare = make_program("bare").inside()
    code, said = bare.refused("saves", "import", str(file), "--game", "hearts")
    assert code == USAGE and "Leave --game out" in said and not (bare.home / "identity.pem").exists()
    assert "The file has 1 game more than before." in bare.out("saves", "import", str(file))
    assert files(bare)[f"{log}.log"] == files(ann)[f"{log}.log"]
    assert not list(bare.home.glob(".taken-*"))
    bare.data("resume", "--auto", "carefree")
    bare.wait_for("finished")
    bare.out("stop")
    bare.out("saves", "export-home", str(tmp_path / "back.p2phome"), "--yes")
    assert "1 game longer than it was." in ann.out("saves", "import", str(tmp_path / "back.p2phome"))
    assert f"Stays as it is here: {log}: This game is here already" in ann.out("saves", "import", str(file))
    other = make_program("other").inside()
    other.data("identity")
    code, said = other.refused("saves", "import", str(file))
    assert code == USAGE and said.startswith("Here you are somebody else: ") and "profiles add" in said
    other.out("profiles", "add", "Annie")
    assert "You are Annie" in other.out("--profile", "Annie", "saves", "import", str(file))


def test_without_a_key_there_is_no_home_to_export(inside: Program, tmp_path: Path) -> None:
    code, said = inside.refused("saves", "export-home", str(tmp_path / "it.p2phome"), "--yes")
    assert code == USAGE and said.startswith("There is nothing to export yet")


def test_old_logs_go_after_a_question(played: Played, make_program: MakeProgram) -> None:
    ann = make_program("copy").inside()
    shutil.copytree(played[0].home, ann.home, ignore=shutil.ignore_patterns("run"))
    (log,) = [one["log"] for one in ann.data("logs")]
    before = ann.data("history")
    assert ann.out("logs", "prune", "--keep", "1") == "There are no more logs of games that are over, so all stay.\n"
    assert ann.data("logs", "prune", "--keep", "0", "--dry-run") == {"logs": [log], "deleted": False}
    assert ann.out("logs", "prune", "--keep", "0", "--dry-run") == f"{log}\n1 log would go.\n"
    code, said = ann.refused("logs", "prune", "--keep", "0")
    assert code == USAGE and "nobody can replay or verify them any more. Say --yes" in said
    with AtTerminal(ann, "logs", "prune", "--keep", "0") as terminal:
        terminal.until("Delete")
        assert terminal.end("n\r") == 0 and "Nothing is changed." in terminal.text
    assert f"{log}.log" in files(ann)
    assert ann.out("logs", "prune", "--keep", "0", "--yes") == "1 log deleted.\n"
    assert f"{log}.log" not in files(ann) and ann.data("logs") == []
    assert ann.data("history") == [one | {"log": None} for one in before]


def test_save_at_the_table_tells_how_the_game_goes_on(begun: tuple[Program, str]) -> None:
    ann, log = begun
    ann.data("resume", log)
    assert f"The game is saved as {log}, at every move. It goes on with: p2pcards resume {log}" in ann.out(
        "attach", said="save\n"
    )
    ann.out("stop")


def test_at_a_terminal_one_of_several_is_chosen(begun: tuple[Program, str]) -> None:
    ann, log = begun
    ann.data("play", "whist", "--name", "Ann")
    ann.out("stop")
    with AtTerminal(ann, "resume") as terminal:
        terminal.until(r"1\. Whist, .*2\. Hearts, .*Which game goes on".replace(".*", r"[\s\S]*"))
        terminal.type("3\r")
        terminal.until("a number from 1 to 2")
        terminal.type("2\r")
        terminal.until("Hearts")
        terminal.type("detach\r")
        assert terminal.end("") == 0
    (table,) = ann.data("status")["tables"]
    assert table["log"] == f"{log}.log"
    ann.out("stop")


def test_a_game_has_a_name_of_ones_own(begun: tuple[Program, str]) -> None:
    ann, log = begun
    ann.data("resume", log)
    said = ann.out("attach", said="save friday night\nsave 12\nsave -x\nsave\n")
    assert said.count("It goes on with: p2pcards resume 'friday night'") == 2
    assert said.count("The name of a game does not look like a number, a date, an option or a file") == 2
    ann.out("stop")
    assert ann.data("saves")[0]["name"] == "friday night"
    assert ann.out("saves").splitlines()[1].startswith("friday night  Hearts")
    assert ann.out("logs").rstrip().endswith('Ann ("friday night")')
    ann.data("resume", "Friday Night")
    ann.out("stop")
    assert ann.out("saves", "name", "friday night", "sunday") == f"The game of {log} is called sunday.\n"
    assert ann.out("saves", "name", log) == f"The game of {log} has no name.\n"
    code, said = ann.refused("saves", "name", log, "a/b")
    assert code == USAGE and "friday would do" in said


def test_a_name_that_is_taken_is_asked_for(begun: tuple[Program, str]) -> None:
    ann, first = begun
    ann.out("saves", "name", first, "friday")
    ann.data("play", "whist", "--name", "Ann")
    said = ann.out("attach", said="save friday\nno\nsave friday\nyes\nsave friday\n")
    assert said.count(f"The game of {first} is called friday. Is this one to be called so in its place? yes/no") == 2
    assert "The other game keeps its name." in said
    assert said.count("p2pcards resume friday") == 2, "it is asked of another game alone"
    ann.out("stop")
    assert [save["name"] for save in ann.data("saves")] == ["friday", None]
    code, said = ann.refused("saves", "name", first, "friday")
    assert code == USAGE and "is called friday. Say --yes to give this one the name." in said
    ann.out("saves", "name", first, "friday", "--yes")
    assert [save["name"] for save in ann.data("saves")] == [None, "friday"]


def test_a_game_is_thrown_away_after_a_question(begun: tuple[Program, str]) -> None:
    ann, log = begun
    ann.out("saves", "name", log, "friday")
    code, said = ann.refused("saves", "throw", "friday")
    assert code == USAGE and "friday: Hearts, " in said and "Say --yes to throw it away." in said
    with AtTerminal(ann, "saves", "throw", "friday") as terminal:
        terminal.until("Throw it away")
        assert terminal.end("n\r") == 0 and "It stays." in terminal.text
    ann.data("resume", log)
    code, said = ann.refused("saves", "throw", log, "--yes")
    assert code == USAGE and "That game is on at a table. Leave it first: p2pcards leave t1" in said
    ann.out("stop")
    assert "It is thrown away." in ann.out("saves", "throw", "friday", "--yes")
    assert ann.out("saves") == "No game is unfinished here.\n"
    code, said = ann.refused("resume")
    assert code == USAGE and said.startswith("There is no unfinished game that you coordinate.")
    assert "thrown away" in ann.out("logs") and ann.data("logs")[0]["thrown_away"]
    assert ann.out("saves", "throw", log, "--take-back") == f"The game can go on again: p2pcards resume {log}\n"
    assert len(ann.data("saves")) == 1
    code, said = ann.refused("saves", "throw", log, "--take-back")
    assert code == USAGE and "was not thrown away" in said
    ann.out("saves", "throw", log, "--yes")
    assert ann.out("logs", "prune", "--keep", "5", "--yes") == "1 log deleted.\n"
    assert ann.data("logs") == []


def test_only_the_newest_are_listed_unasked(program: Program) -> None:
    ann = program.inside()
    home = find_home({"P2PCARDS_HOME": str(ann.home)})
    ann.data("play", "whist", "--name", "Ann")
    ann.out("stop")
    key = load_or_make_identity(home)
    (log,) = [read_log(one.path).payloads for one in list_logs(home)]
    for number in range(1, 11):
        made = taken_up(key, log, 1, Random(number).randbytes)
        path = write_log(home, made, f"2026-11-{number:02}", "whist", number)
        os.utime(path, (number, number))
    lines = ann.out("saves").splitlines()
    assert len(lines) == 1 + 8 + 2 and lines[-1] == "And 3 older ones: p2pcards saves --all"
    assert len(ann.out("saves", "--all").splitlines()) == 12 and len(ann.data("saves")) == 11
    with AtTerminal(ann, "resume") as terminal:
        terminal.until(r"8\. Whist, [\s\S]*    and 3 older ones: all[\s\S]*Which game goes on")
        terminal.type("all\r")
        terminal.until(r"11\. Whist, [\s\S]*Which game goes on")
        assert terminal.end("\x03") == 130


def test_a_hand_is_taken_up_as_a_new_game(begun: tuple[Program, str]) -> None:
    ann, without_number = begun
    code, said = ann.refused("resume", without_number, "--hand", "1")
    assert code == USAGE and "its deal has no number" in said
    code, said = ann.refused("resume", "--hand", "1")
    assert code == USAGE and "Say of which game" in said
    table = ann.data("play", "whist", "--deal", "5", "--name", "Ann")["table"]
    hand = next(line for line in ann.out("attach", table, said="hand\n").splitlines() if line.startswith("Your hand"))
    ann.out("stop")
    log = ann.data("saves")[0]["save"]
    code, said = ann.refused("resume", log, "--hand", "2")
    assert code == USAGE and said.startswith("There is no hand 2 in this game: it has hands 1 to 1.")
    ann.data("resume", log, "--hand", "1")
    said = ann.out("attach", said="hand\n")
    assert f"This is a new game that begins with hand 1 of {log}: the scores are those of then" in " ".join(
        said.split()
    )
    assert hand in said
    ann.out("stop")
    new, old = [save["save"] for save in ann.data("saves") if save["game"] == "whist"]
    assert old == log and new != log
    assert ann("verify", new, "--decisions", "none").returncode == UNFINISHED, "what is there holds"
