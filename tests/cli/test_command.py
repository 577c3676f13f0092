"""The command as a whole: help, what every error looks like, exit codes, and the page that documents them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer

from p2pcards import __version__
from p2pcards.cli import main as command
from p2pcards.cli.command import INTERRUPTED, PIPE_CLOSED
from p2pcards.cli.helping import EXITS
from p2pcards.control.exits import STORAGE, UNEXPECTED, USAGE
from p2pcards.games.registry import GAMES, names_to_type
from rigs.giving_up import longest_wait
from rigs.program import PROGRAM, AtTerminal, Program, run_forked

DOCUMENT = Path(__file__).parents[2] / "docs" / "commands.md"
HEAVY = {"trio", "textual", "cryptography", "msgpack", "serial"}


@pytest.mark.parametrize("arguments", [["--help"], ["connect", "--help"], ["--version"]])
def test_help_imports_nothing_that_takes_long(arguments: list[str]) -> None:
    run = f"from p2pcards.cli.main import run_command; run_command({arguments})"
    look = f"import sys; {run}; print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert done.stdout
    assert not HEAVY & {name.partition(".")[0] for name in done.stderr.split()}


def test_the_version(program: Program) -> None:
    assert program.out("--version") == (
        f"p2pcards {__version__}, by the p2pcards developers. MIT license (see 'p2pcards credits').\n"
    )


def test_alone_it_says_in_five_lines_what_to_do(program: Program) -> None:
    text = program.out()
    assert len(text.splitlines()) == 5
    assert all(line.startswith("p2pcards ") for line in text.splitlines())
    assert not program.home.exists(), "and leaves nothing behind"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("plya hearts", "No such command 'plya'. Did you mean 'play', 'replay'?"),
        ("rules", "Missing argument 'GAME'."),
        ("play heart", "There's no game 'heart'. Did you mean 'hearts'?"),
        ("play xyzzy", "There's no game 'xyzzy'. The games are hearts, crazy_eights"),
        ("play hearts --preset hearts-delux", "Hearts has no preset 'hearts-delux'. Did you mean 'hearts-deluxe'?"),
        ("play hearts --set end_scor=50", "There's no option 'end_scor' here. Did you mean 'end_score'?"),
        ("play hearts --set end_score=5", "end_score must be a number from 25 to 10000, not 5."),
        ("play hearts --set end_score", "--set needs KEY=VALUE, such as end_score=50, not 'end_score'."),
        ("play hearts --as grany", "There's no character 'grany'. Did you mean 'granny'?"),
        ("play hearts --auto novise", "There's no level 'novise'. Did you mean 'novice'?"),
        ("play hearts --gracee 3", "No such option: --gracee"),
        ("play hearts --grace -1", "-1 is not in the range 0<=x<=86400"),
        ("play hearts --seed 99999999999999999999", "is not in the range"),
        ("play hearts --name --", "A name can have at most 24 visible characters"),
        ("listen --port 70000", "70000 is not in the range 0<=x<=65535"),
        ("listen --seed 3", "--seed works only when you play alone"),
        ("connect 192.0.2.7 --seed 3", "--seed works only when you play alone"),
        ("connect 192.0.2.7:99999", "'99999' isn't a port. Ports go from 1 to 65535; the usual one is 4747."),
        ("connect 192.0.2.7 --set end_score=50", "--preset and --set need a game. Add --game GAME"),
        ("connect a b c --partner d", "4 friends is too many: a table seats at most four."),
        ("rules heart", "Did you mean 'hearts'?"),
        ("options heart", "Did you mean 'hearts'?"),
        ("simulate heart", "Did you mean 'hearts'?"),
        ("resume 2026", "There's no log '2026'. See p2pcards logs."),
        ("verify nothing.log", "There's no log 'nothing.log'. See p2pcards logs."),
        ("peers forget Bob", "You don't know anyone as 'Bob'. See p2pcards peers list."),
        ("peers forgt Bob", "No such command 'forgt'. Did you mean 'forget'?"),
    ],
)
def test_a_wrong_word_is_a_sentence(inside: Program, line: str, sentence: str) -> None:
    code, said = inside.refused(*line.split())
    assert code == USAGE
    assert sentence in said
    assert not inside.home.joinpath("daemon.lock").exists(), "no daemon is started for it"


def test_a_home_that_is_a_file_is_a_sentence(program: Program) -> None:
    program.home.write_text("a file")
    for line in ("identity", "play hearts", "listen --port 0"):
        code, said = program.refused(*line.split())
        assert code == STORAGE
        assert "P2PCARDS_HOME" in said


def test_settings_that_are_wrong_are_told_and_the_defaults_used(program: Program) -> None:
    program.home.mkdir()
    wrong = 'name = "Zoe"\nprot = 4747\n'
    program.home.joinpath("settings.toml").write_text(wrong)
    done = program("play", "hearts", "--seed", "1", said="who\nleave\n")
    assert done.returncode == 0 and "Zoe" in done.stdout
    told = (
        "settings.toml, line 2: There's no setting 'prot'. Did you mean 'port'? Using the default. To fix it: p2pcards"
    )
    assert told in done.stdout
    assert program.home.joinpath("settings.toml").read_text() == wrong
    code, said = program.refused("config", "list")
    assert code == STORAGE and "There's no setting 'prot'" in said


@pytest.mark.parametrize("line", ["rules hearts", "--help", ""])
def test_an_output_that_nobody_reads_is_no_complaint(program: Program, line: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*PROGRAM, *line.split()], env=program.environment, stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (PIPE_CLOSED, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("line", ["rules hearts", "--help"])
def test_an_output_that_is_full_is_a_sentence(program: Program, line: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*PROGRAM, *line.split()], env=program.environment, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr.decode()[:34]) == (STORAGE, "Can't write the output: the disk i")


CLOSED = "Can't write the output: standard output is closed.\n"


@pytest.mark.parametrize(("closed", "ends"), [("<&-", (0, "")), (">&-", (STORAGE, CLOSED)), ("2>&-", (0, ""))])
def test_a_closed_stream_is_told_of_where_it_is_needed(program: Program, closed: str, ends: tuple[int, str]) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"$@" {closed}', "sh", *PROGRAM, "characters"],
        env=program.environment,
        capture_output=True,
        text=True,
        timeout=longest_wait(),
        check=False,
    )
    assert (done.returncode, done.stderr) == ends


@pytest.mark.parametrize("line", ["modem test", "saves export friday", "verify here.log"])
def test_a_player_in_a_folder_that_was_deleted_is_told(program: Program, tmp_path: Path, line: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    script = 'cd "$0" && rmdir "$0" && exec "$@"'
    done = subprocess.run(
        ["sh", "-c", script, folder, *PROGRAM, *line.split()],
        env=program.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (STORAGE, "")
    assert done.stderr.startswith("The current folder no longer exists. ")


def test_a_game_alone_is_played_and_play_alone_lists_the_games(program: Program) -> None:
    inside = program.inside()
    assert inside.out("play") == inside.out("games")
    assert inside.data("play") == inside.data("games")
    opened = inside.data("Crazy-Eights", "--auto", "carefree", "--name", "Ann", "--set", "winning_score=10")
    assert opened["new"] and program.wait_for("finished")["game"] == "crazy_eights"
    program.out("stop")
    assert inside.refused("haerts")[1].startswith("No such command 'haerts'.")


@pytest.mark.parametrize("key", GAMES)
def test_every_name_of_a_game_begins_it(key: str, inside: Program) -> None:
    """No command is called so; whatever is wrong with the rest is said of `play`."""
    game = GAMES[key]
    for name in names_to_type(game):
        code, said = inside.refused(name, "--preset", "nosuch")
        assert code == USAGE and f"{game.name} has no preset 'nosuch'." in said, name


def test_settings_may_begin_with_a_byte_order_mark(program: Program) -> None:
    program.home.mkdir()
    settings = program.home / "settings.toml"
    settings.write_bytes(b'\xef\xbb\xbfname = "Zoe"\n')
    assert program.inside().out("config", "get", "name") == "Zoe\n"
    program.inside().out("config", "set", "bell", "false")
    assert program.inside().out("config", "get", "name") == "Zoe\n"


def test_a_terminal_without_suits_gets_what_it_can_show(program: Program) -> None:
    program.out("peers", "list")
    environment = program.environment | {"PYTHONIOENCODING": "ascii"}
    program.home.mkdir(exist_ok=True)
    program.home.joinpath("settings.toml").write_text('name = "Zoë"\n')
    done = subprocess.run([*PROGRAM, "identity"], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout[:4]) == (0, "Zo?:")


C_LOCALES = ({"LC_ALL": "C"}, {"LC_ALL": "POSIX"}, {"LANG": "C"}, {"LANG": "POSIX", "LC_CTYPE": "C"})
SHOWN = ("--help", "games", "rules pinochle2", "options gin", "characters", "play nosuch", "identity", "status", "logs")


@pytest.mark.parametrize("locale", C_LOCALES)
def test_the_c_locale_gets_ascii_alone(program: Program, locale: dict[str, str]) -> None:
    """In the first of them Python is started for each command."""
    unset = ("PYTHONIOENCODING", "PYTHONUTF8", "LC_ALL", "LC_CTYPE", "LANG", "LANGUAGE")
    environment = {key: value for key, value in program.environment.items() if key not in unset} | locale
    program.home.mkdir(exist_ok=True)
    program.home.joinpath("settings.toml").write_text('name = "Zoe"\n')
    for line in (*SHOWN, "play whist --seed 3"):
        run = run_started if locale == C_LOCALES[0] else run_forked
        done = run(line.split(), environment, "table\nhand\nscore\n")
        assert (done.stdout + done.stderr).isascii()
    assert "Your hand (13): " in done.stdout
    assert re.search(r"[0-9JQKA]\?", done.stdout) is None
    assert program.out("stop")


def run_started(arguments: list[str], environment: dict[str, str], said: str) -> subprocess.CompletedProcess[str]:
    command = [*PROGRAM, *arguments]
    return subprocess.run(command, env=environment, input=said, capture_output=True, text=True, check=False)


def test_ctrl_c_at_a_question(program: Program) -> None:
    with AtTerminal(program, "play", "hearts") as terminal:
        terminal.until("Your name at the table")
        assert terminal.end("An\x03") == INTERRUPTED
    assert program.data("status")["tables"] == []


@pytest.mark.faulty
def test_a_fault_names_itself_and_the_diagnostics(
    program: Program, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_games: object) -> list[str]:
        raise RuntimeError("the cards are QS KS")

    monkeypatch.setenv("P2PCARDS_HOME", str(program.home))
    monkeypatch.setattr("p2pcards.present.rules.games_lines", broken)
    assert command.run_command(["games"]) == UNEXPECTED
    said = capsys.readouterr().err
    diagnostics = program.home / "diagnostics.txt"
    assert said.startswith("This is a bug in p2pcards.")
    assert str(diagnostics) in said and "Traceback" not in said
    noted = diagnostics.read_text()
    assert "p2pcards games FAULT RuntimeError at test_command.py:" in noted
    assert "QS" not in noted, "what it was about could be private"


def test_a_fault_where_nothing_can_be_written_is_still_a_sentence(
    program: Program, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_games: object) -> list[str]:
        raise ExceptionGroup("", [RuntimeError(), RuntimeError()])

    program.home.write_text("a file")
    monkeypatch.setenv("P2PCARDS_HOME", str(program.home))
    monkeypatch.setattr("p2pcards.present.rules.games_lines", broken)
    assert command.run_command(["games"]) == UNEXPECTED
    assert "Please report it: ExceptionGroup." in capsys.readouterr().err


# --- docs/commands.md -------------------------------------------------------------------------------------------------


def documented(name: str) -> str:
    """The section about one command."""
    found = re.search(rf"^### `p2pcards {name}\b.*?(?=^##|\Z)", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)
    assert found, f"docs/commands.md lacks {name}"
    return found[0]


@cache
def commands() -> dict[str, list[Any]]:
    """The parameters of every command by its name."""
    tree: Any = typer.main.get_command(command.build_program())
    alone = {
        name: {"": one} if getattr(one, "invoke_without_command", True) else {} for name, one in tree.commands.items()
    }
    groups = {name: alone[name] | getattr(one, "commands", {}) for name, one in tree.commands.items()}
    return {f"{group} {name}".rstrip(): one.params for group, inner in groups.items() for name, one in inner.items()}


@pytest.mark.parametrize("words", [(), ("peers",), ("stop", "directory")])
def test_the_help_is_the_same_whichever_commands_are_taken_apart(words: tuple[str, ...]) -> None:
    def shown(app: typer.Typer) -> str:
        tree: Any = typer.main.get_command(app)
        return str(tree.get_help(tree.context_class(tree, info_name="p2pcards")))

    whole = shown(command.build_program())
    assert "  peers " in whole
    assert set(shown(command.build_program(words)).splitlines()) == set(whole.splitlines())


def test_the_page_tells_of_every_option() -> None:
    for name, parameters in commands().items():
        told = documented(name)
        options = [
            option
            for parameter in parameters
            for option in (*parameter.opts, *parameter.secondary_opts)
            if option.startswith("--") and not getattr(parameter, "hidden", False) and option != "--help"
        ]
        assert [option for option in options if f"`{option}" not in told] == [], name
        assert set(re.findall(r"^- `(--[a-z-]+)", told, re.MULTILINE)) <= set(options), name


def test_the_page_has_the_exit_codes() -> None:
    rows = dict(re.findall(r"^\| (\d+) \| (.+?) \|$", DOCUMENT.read_text(), re.MULTILINE))
    assert rows.pop("69").startswith("`scripts/p2pcards`")
    assert rows == {str(code): meaning for code, meaning in EXITS.items()}
