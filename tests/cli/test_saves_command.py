"""`p2pcards saves` with its file, and `p2pcards logs prune`, on real games."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from random import Random

import pytest

from p2pcards.control.exits import DAEMON, DAMAGED, STORAGE, UNFINISHED, USAGE
from p2pcards.ledger.taken_up import take_up_hand
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
    assert ann.out("saves", "--game", "whist") == "You have no unfinished games of Whist.\n"


def test_attach_without_a_daemon_names_the_game_that_can_go_on(between_two: Played, make_program: MakeProgram) -> None:
    """So who was cut off finds their table again."""
    ann, bob = between_two
    log = ann.data("saves")[0]["save"]
    code, said = ann.refused("attach")
    assert code == DAEMON
    said = " ".join(said.split())
    assert said.startswith("No table is open. Open one with")
    assert "Your last game isn't finished: Whist, " in said
    assert f"To resume it: p2pcards resume {log}" in " ".join(said.split())
    code, said = bob.refused("attach")
    assert code == DAEMON and "It resumes when your host calls: p2pcards listen" in " ".join(said.split())
    code, said = make_program("cy").inside().refused("attach")
    assert code == DAEMON and "Your last game" not in said


def test_attach_goes_on_with_the_last_game_when_asked(begun: tuple[Program, str]) -> None:
    ann, _ = begun
    with AtTerminal(ann, "attach", "--line") as terminal:
        terminal.until(r"Resume it\? \[Y/n\]")
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
    assert code == DAEMON and "Your last game isn't finished: Hearts, " in said
    assert "You can also resume: 2. Whist, " in said and "It resumes when your host calls" in said
    bob.out("config", "set", "port", "0")
    with AtTerminal(bob, "attach", "--line") as terminal:
        terminal.until(r"1\. Hearts[\s\S]*2\. Whist[\s\S]*Resume which one")
        terminal.type("7\r")
        terminal.until("Type a number from 0 to 2.")
        terminal.type("2\r")
        terminal.until("Your game of Whist with Ann is waiting for Ann to call back.")
        terminal.until("waiting for Ann to call back")
        terminal.end("\x04")
    assert ann.data("saves")[0]["game"] == "whist"


def test_without_games_nothing_is_made(inside: Program) -> None:
    assert inside.out("saves") == "You have no unfinished games.\n"
    assert inside.data("saves") == []
    assert not (inside.home / "identity.pem").exists()


def test_a_game_goes_on_in_another_home_of_the_same_player(
    begun: tuple[Program, str], make_program: MakeProgram, tmp_path: Path
) -> None:
    ann, log = begun
    file = tmp_path / "one.p2psave"
    assert ann.out("saves", "export", log[:14], str(file)).startswith(f"Saved the game to {file}. ")
    assert file.stat().st_mode & 0o777 == 0o600
    code, said = ann.refused("saves", "export", log, str(file))
    assert code == STORAGE and said.startswith(f"The file {file} already exists")
    code, said = ann.refused("saves", "import", str(file))
    assert code == USAGE and "the same as in the save" in said
    elsewhere = make_program("laptop").inside()
    code, said = elsewhere.refused("saves", "import", str(file))
    assert code == USAGE and said.startswith("This game belongs to another identity")
    assert not (elsewhere.home / "logs").exists()
    elsewhere.home.mkdir()
    shutil.copy(ann.home / "identity.pem", elsewhere.home)
    code, said = elsewhere.refused("saves", "import", str(file), "--game", "whist")
    assert code == USAGE and said.startswith("This is a game of Hearts, not Whist.")
    assert "To resume it: p2pcards resume 2" in elsewhere.out("saves", "import", str(file), "--game", "hearts")
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
        (b"", DAMAGED, "isn't a p2pcards saved game"),
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
    assert said.startswith("You host this unfinished game with Bob: anyone who has ")
    assert "every hand to come" in said
    with AtTerminal(ann, "saves", "export", log, str(file)) as terminal:
        terminal.until("Write it")
        assert terminal.end("\r") == 0 and "Nothing was written." in terminal.text
    assert not file.exists()
    ann.out("saves", "export", log, str(file), "--yes")
    assert file.exists()
    theirs = tmp_path / "two.p2psave"
    said = bob.out("saves", "export", bob.data("saves")[0]["save"], str(theirs))
    assert said.startswith(f"Keep {theirs} to yourself: it shows your hand, and Ann may still be playing against it.")
    (bob.home / "logs" / f"{bob.data('logs')[0]['log']}.log").unlink()
    assert "when its host calls: p2pcards listen" in bob.out("saves", "import", str(theirs))
    assert bob.out("saves").rstrip().endswith("a friend hosts")
    code, said = bob.refused("saves", "import", str(file))
    assert code == USAGE and "another identity" in said


def test_a_home_goes_elsewhere_as_one_file(
    begun: tuple[Program, str], make_program: MakeProgram, tmp_path: Path
) -> None:
    """To where nobody has played, to a profile of its own beside somebody else, and back to where it came from."""
    ann, log = begun
    file = tmp_path / "ann.p2phome"
    code, said = ann.refused("saves", "export-home", str(file))
    assert code == USAGE and "anyone who has it can play as you" in said and not file.exists()
    with AtTerminal(ann, "saves", "export-home", str(file)) as terminal:
        terminal.until("Write it")
        assert terminal.end("\r") == 0 and "Nothing was written." in terminal.text
    said = ann.out("saves", "export-home", str(file), "--yes")
    assert said.startswith("Backed up someone without a name (the key ") and "1 game (1 unfinished)" in said
    assert file.stat().st_mode & 0o777 == 0o600
    bare = make_program("bare").inside()
    code, said = bare.refused("saves", "import", str(file), "--game", "hearts")
    assert code == USAGE and "Leave out --game" in said and not (bare.home / "identity.pem").exists()
    assert "The file has 1 new game." in bare.out("saves", "import", str(file))
    assert files(bare)[f"{log}.log"] == files(ann)[f"{log}.log"]
    assert not list(bare.home.glob(".taken-*"))
    bare.data("resume", "--auto", "carefree")
    bare.wait_for("finished")
    bare.out("stop")
    bare.out("saves", "export-home", str(tmp_path / "back.p2phome"), "--yes")
    assert "1 game with more moves." in ann.out("saves", "import", str(tmp_path / "back.p2phome"))
    assert f"Kept your copy: {log}: You already have this game" in ann.out("saves", "import", str(file))
    other = make_program("other").inside()
    other.data("identity")
    code, said = other.refused("saves", "import", str(file))
    assert code == USAGE and said.startswith("You play as someone else here: ") and "profiles add" in said
    other.out("profiles", "add", "Annie")
    assert "You are Annie" in other.out("--profile", "Annie", "saves", "import", str(file))


def test_without_a_key_there_is_no_home_to_export(inside: Program, tmp_path: Path) -> None:
    code, said = inside.refused("saves", "export-home", str(tmp_path / "it.p2phome"), "--yes")
    assert code == USAGE and said.startswith("There's nothing to back up yet")


def test_old_logs_go_after_a_question(played: Played, make_program: MakeProgram) -> None:
    ann = make_program("copy").inside()
    shutil.copytree(played[0].home, ann.home, ignore=shutil.ignore_patterns("run"))
    (log,) = [one["log"] for one in ann.data("logs")]
    before = ann.data("history")
    assert (
        ann.out("logs", "prune", "--keep", "1")
        == "There's nothing to delete: you don't have logs of that many finished games.\n"
    )
    assert ann.data("logs", "prune", "--keep", "0", "--dry-run") == {"logs": [log], "deleted": False}
    assert ann.out("logs", "prune", "--keep", "0", "--dry-run") == f"{log}\n1 log would be deleted.\n"
    code, said = ann.refused("logs", "prune", "--keep", "0")
    assert code == USAGE and "you can't replay or verify the games anymore. Add --yes" in said
    with AtTerminal(ann, "logs", "prune", "--keep", "0") as terminal:
        terminal.until("Delete")
        assert terminal.end("n\r") == 0 and "OK, nothing changed." in terminal.text
    assert f"{log}.log" in files(ann)
    assert ann.out("logs", "prune", "--keep", "0", "--yes") == "1 log deleted.\n"
    assert f"{log}.log" not in files(ann) and ann.data("logs") == []
    assert ann.data("history") == [one | {"log": None} for one in before]


def test_save_at_the_table_tells_how_the_game_goes_on(begun: tuple[Program, str]) -> None:
    ann, log = begun
    ann.data("resume", log)
    assert f"Saved as {log} after every move. To resume: p2pcards resume {log}" in ann.out("attach", said="save\n")
    ann.out("stop")


def test_at_a_terminal_one_of_several_is_chosen(begun: tuple[Program, str]) -> None:
    ann, log = begun
    ann.data("play", "whist", "--name", "Ann")
    ann.out("stop")
    with AtTerminal(ann, "resume") as terminal:
        terminal.until(r"1\. Whist, .*2\. Hearts, .*Resume which game".replace(".*", r"[\s\S]*"))
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
    assert said.count("To resume: p2pcards resume 'friday night'") == 2
    assert said.count("A game's name can't look like a number, a date, an option or a file") == 2
    ann.out("stop")
    assert ann.data("saves")[0]["name"] == "friday night"
    assert ann.out("saves").splitlines()[1].startswith("friday night  Hearts")
    assert ann.out("logs").rstrip().endswith('Ann ("friday night")')
    ann.data("resume", "Friday Night")
    ann.out("stop")
    assert ann.out("saves", "name", "friday night", "sunday") == f"{log} is now called sunday.\n"
    assert ann.out("saves", "name", log) == f"{log} no longer has a name.\n"
    code, said = ann.refused("saves", "name", log, "a/b")
    assert code == USAGE and "Try something like friday" in said


def test_a_name_that_is_taken_is_asked_for(begun: tuple[Program, str]) -> None:
    ann, first = begun
    ann.out("saves", "name", first, "friday")
    ann.data("play", "whist", "--name", "Ann")
    said = ann.out("attach", said="save friday\nno\nsave friday\nyes\nsave friday\n")
    assert said.count(f"The game {first} already has the name friday. Give it to this one instead? yes/no") == 2
    assert "OK, the other game keeps it." in said
    assert said.count("p2pcards resume friday") == 2, "it is asked of another game alone"
    ann.out("stop")
    assert [save["name"] for save in ann.data("saves")] == ["friday", None]
    code, said = ann.refused("saves", "name", first, "friday")
    assert code == USAGE and "is already called friday. Add --yes to move the name to this one." in said
    ann.out("saves", "name", first, "friday", "--yes")
    assert [save["name"] for save in ann.data("saves")] == [None, "friday"]


def test_a_game_is_thrown_away_after_a_question(begun: tuple[Program, str]) -> None:
    ann, log = begun
    ann.out("saves", "name", log, "friday")
    code, said = ann.refused("saves", "throw", "friday")
    assert code == USAGE and "friday: Hearts, " in said and "Add --yes to throw it away." in said
    with AtTerminal(ann, "saves", "throw", "friday") as terminal:
        terminal.until("Throw it away")
        assert terminal.end("n\r") == 0 and "OK, nothing changed." in terminal.text
    ann.data("resume", log)
    code, said = ann.refused("saves", "throw", log, "--yes")
    assert code == USAGE and "That game is open at a table. Leave it first: p2pcards leave t1" in said
    ann.out("stop")
    assert "Thrown away." in ann.out("saves", "throw", "friday", "--yes")
    assert ann.out("saves") == "You have no unfinished games.\n"
    code, said = ann.refused("resume")
    assert code == USAGE and said.startswith("You aren't hosting any unfinished games.")
    assert "thrown away" in ann.out("logs") and ann.data("logs")[0]["thrown_away"]
    assert ann.out("saves", "throw", log, "--take-back") == f"It's back. To resume it: p2pcards resume {log}\n"
    assert len(ann.data("saves")) == 1
    code, said = ann.refused("saves", "throw", log, "--take-back")
    assert code == USAGE and "You didn't throw" in said
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
        made = take_up_hand(key, log, 1, Random(number).randbytes)
        path = write_log(home, made, f"2026-11-{number:02}", "whist", number)
        os.utime(path, (number, number))
    lines = ann.out("saves").splitlines()
    assert len(lines) == 1 + 8 + 2 and lines[-1] == "To see 3 older ones: p2pcards saves --all"
    assert len(ann.out("saves", "--all").splitlines()) == 12 and len(ann.data("saves")) == 11
    with AtTerminal(ann, "resume") as terminal:
        terminal.until(r"8\. Whist, [\s\S]*    3 older ones \(type all\)[\s\S]*Resume which game")
        terminal.type("all\r")
        terminal.until(r"11\. Whist, [\s\S]*Resume which game")
        assert terminal.end("\x03") == 130


def test_a_hand_is_taken_up_as_a_new_game(begun: tuple[Program, str]) -> None:
    ann, without_number = begun
    code, said = ann.refused("resume", without_number, "--hand", "1")
    assert code == USAGE and "its deal has no number" in said
    code, said = ann.refused("resume", "--hand", "1")
    assert code == USAGE and "--hand needs a game" in said
    table = ann.data("play", "whist", "--deal", "5", "--name", "Ann")["table"]
    hand = next(line for line in ann.out("attach", table, said="hand\n").splitlines() if line.startswith("Your hand"))
    ann.out("stop")
    log = ann.data("saves")[0]["save"]
    code, said = ann.refused("resume", log, "--hand", "2")
    assert code == USAGE and said.startswith("There's no hand 2 in this game: it has hands 1 to 1.")
    ann.data("resume", log, "--hand", "1")
    said = ann.out("attach", said="hand\n")
    assert f"This new game starts with hand 1 of {log}, with the same scores" in " ".join(said.split())
    assert hand in said
    ann.out("stop")
    new, old = [save["save"] for save in ann.data("saves") if save["game"] == "whist"]
    assert old == log and new != log
    assert ann("verify", new, "--decisions", "none").returncode == UNFINISHED, "what is there holds"
