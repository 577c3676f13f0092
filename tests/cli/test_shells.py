"""Tab in a shell: what the program says may be typed next, and that bash, zsh and fish make of it what was meant."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cli import main
from p2pcards.cli.completion import SCRIPTS, VALUES, complete_command_line, value_name
from p2pcards.control.exits import DAEMON, STORAGE
from p2pcards.games.registry import GAMES
from p2pcards.store.directory import Entry, add_entry
from p2pcards.store.files import find_home
from p2pcards.store.identity import remember
from rigs.program import PROGRAM, AtTerminal, Program

ADDRESS = "192.0.2.7:4747"
KEYS = [bytes([number]) * 32 for number in (5, 6, 9)]


def known(program: Program) -> None:
    """Three peers, two of which can be called by name, and an entry of the directory."""
    home = find_home(program.environment)
    remember(home, KEYS[0], "Bob", ADDRESS, 0, "code")
    remember(home, KEYS[1], "Big Bob", "192.0.2.8:4747", 0, "code")
    remember(home, KEYS[2], "Stranger", "192.0.2.9:4747", 0)
    add_entry(home, Entry("Anna", "555-1234"))


def offered(program: Program, *typed: str) -> list[str]:
    return program.inside().out("completion", "zsh", "--", "p2pcards", *typed).splitlines()


FITTING: list[tuple[str, list[str]]] = [
    ("re|", ["resume", "replay", "records", "reach"]),
    ("saves |", ["name", "throw", "export", "export-home", "import"]),
    ("saves --game whi|", ["whist"]),
    ("logs --game whist |", ["prune"]),
    ("logs --json p|", ["prune"]),
    ("logs prune --k|", ["--keep"]),
    ("nosuch|", []),
    ("--v|", ["--version"]),
    ("--p|", ["--profile"]),
    ("--profile |", ["Default"]),
    ("play --profile=D|", ["--profile=Default"]),
    ("--profile Default peers |", ["list", "forget", "rename", "trust"]),
    ("peers --profile Default |", ["list", "forget", "rename", "trust"]),
    ("profiles |", ["list", "add", "switch", "rename", "remove"]),
    ("profiles switch |", ["Default"]),
    ("profiles add |", []),
    ("scoreboard |", ["new", "save", "reset", "recover"]),
    ("scoreboard re|", ["reset", "recover"]),
    ("peers|", ["peers"]),
    ("peers |", ["list", "forget", "rename", "trust"]),
    ("peers nosuch |", []),
    ("nosuch |", []),
    ("rules |", [*GAMES]),
    ("rules hearts |", []),
    ("guide lay|", ["layout"]),
    ("guide rules wh|", ["whist"]),
    ("help au|", ["autoplay"]),
    ("help strategies c|", ["cribbage"]),
    ("rules hearts --|", ["--preset", "--set", "--json", "--help"]),
    ("rules hearts --preset |", ["usual", "real-deal", "hearts-deluxe"]),
    ("rules --preset hearts-deluxe wh|", ["whist"]),
    ("rules --json wh|", ["whist"]),
    ("rules gin --preset=o|", ["--preset=oklahoma"]),
    ("rules hearts --set end_s|", ["end_score="]),
    ("rules hearts --set end_score=1|", ["end_score=100"]),
    ("rules hearts --set nosuch=|", []),
    ("rules nosuch --preset |", []),
    ("connect --game crazy_eights --preset tele|", ["telecards"]),
    ("connect --flow x|", ["xonxoff"]),
    ("connect --speed 19|", ["19200"]),
    ("play hearts --as gran|", ["granny"]),
    ("play hearts --auto nov|", ["novice"]),
    ("play hearts --seed |", []),
    ("listen --se|", []),
    ("dial --t|", ["--tone", "--turn-clock"]),
    ("export x --format |", ["text", "json"]),
    ("demo --kill l|", ["listener"]),
    ("completion f|", ["fish"]),
    ("verify a b |", []),
    ("resume |", []),
    # people
    ("connect |", ["Big Bob", "Bob"]),
    ("connect Bob B|", ["Big Bob", "Bob"]),
    ("connect --partner B|", ["Big Bob", "Bob"]),
    ("join B|", ["Big Bob", "Bob"]),
    ("dial |", ["Anna"]),
    ("peers trust |", ["Big Bob", "Bob", "Stranger"]),
    ("peers rename B|", ["Big Bob", "Bob"]),
    ("peers rename Bob |", []),
    ("directory remove |", ["Anna"]),
    ("directory edit A|", ["Anna"]),
    ("directory add |", []),
]


def test_what_fits(program: Program) -> None:
    known(program)
    for typed, words in FITTING:
        assert sorted(offered(program, *typed.rstrip("|").split(" "))) == sorted(words), typed


def test_tables_and_logs_are_those_that_there_are(program: Program) -> None:
    code, said = program.inside().refused("completion", "zsh", "--", "p2pcards", "attach", "")
    assert (code, said[:24]) == (DAEMON, "No table is open. Open o")
    table = program.data("play", "hearts", "--seed", "3")["table"]
    for word in ("attach", "detach", "leave", "words"):
        assert offered(program, word, "") == [table]
    logs = [one["log"] for one in program.data("logs")]
    assert len(logs) == 1
    for word in ("verify", "replay", "export", "resume"):
        assert offered(program, word, "2") == logs
    assert offered(program, "verify", logs[0], "") == logs
    program.out("stop")


def test_a_list_that_is_damaged_says_so_and_offers_nothing(program: Program) -> None:
    program.home.mkdir()
    program.home.joinpath("peers.json").write_text("[")
    code, said = program.refused("completion", "bash", "--", "p2pcards", "peers", "trust", "")
    assert code == STORAGE
    assert "damaged" in said


def test_every_value_of_the_help_is_completed_or_free() -> None:
    """A new one has to be decided: to `shell_words.VALUES` or here."""
    free = {
        "NAME",
        "NEW",
        "NUMBER",
        "DIGITS",
        "TEXT",
        "N",
        "SECONDS",
        "PORT",
        "CODE",
        "COMMAND",
        "FOLDER",
        "SEAT",
        "DEVICE",
        "DIR",
        "FILE",
        "ADDRESS",
        "URL",
        "WORD",
        "VALUE",
        "",
    }
    tree: Any = typer.main.get_command(main.build_program())
    groups = [getattr(one, "commands", {"": one}) for one in tree.commands.values()]
    params = [param for group in groups for one in group.values() for param in one.params]
    assert {value_name(param.metavar or "") for param in params} - free - VALUES.keys() == set()


WORDS = st.one_of(
    st.sampled_from([*GAMES, "play", "peers", "rules", "trust", "--set", "--preset", "--", "=", "", "-", "--set=x"]),
    st.text(max_size=4),
)


@given(st.lists(WORDS, min_size=1, max_size=5))
def test_what_is_offered_begins_with_what_was_typed(words: list[str]) -> None:
    if {"peers", "attach"} & set(words):
        words = ["rules", *words]
    tree = typer.main.get_command(main.build_program(words))
    assert all(word.startswith(words[-1]) for word in complete_command_line(tree, words))


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (["rules", "hearts", "--set", "end_score", "=", "1"], ["end_score=100"]),
        (["rules", "hearts", "--set", "end_score", "="], ["end_score=100"]),
        (["rules", "hearts", "--preset", "=", "hea"], ["--preset=hearts-deluxe"]),
        (["peers", "trust", "Big\\ "], ["Big Bob"]),
        (["peers", "trust", "'Big B"], ["Big Bob"]),
        (["peers", "trust", '"Big B'], ["Big Bob"]),
    ],
)
def test_the_words_of_bash_are_put_together_again(program: Program, typed: list[str], words: list[str]) -> None:
    known(program)
    assert program.inside().out("completion", "bash", "--", "p2pcards", *typed).splitlines() == words


# --- in real shells ---

READY = {
    "bash": ("--norc", "--noprofile", "-i"),
    "zsh": ("-f", "-i"),
    "fish": ("--no-config", "--interactive"),
}
SET_UP = {
    "bash": 'PS1="> "; eval "$(p2pcards completion bash)"',
    "zsh": 'PS1="> "; autoload -U compinit; compinit -u -D; eval "$(p2pcards completion zsh)"',
    "fish": "p2pcards completion fish | source",
}


@pytest.fixture(params=SCRIPTS)
def shell(
    request: pytest.FixtureRequest, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[AtTerminal]:
    """A shell at a terminal that has read our script, and finds the program by its name."""
    found = shutil.which(request.param)
    if found is None:
        pytest.skip(f"{request.param} is not installed")
    known(program)
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "p2pcards"
    script.write_text(f'#!/bin/sh\nexec {" ".join(PROGRAM)} "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/local/bin:/usr/bin:/bin")
    monkeypatch.setenv("HOME", str(tmp_path))
    with AtTerminal(program, *READY[request.param], command=(found,)) as terminal:
        terminal.type(f"{SET_UP[request.param]}; echo rea''dy\r")
        terminal.until("ready\r\n")
        yield terminal


def test_tab_in_a_shell(shell: AtTerminal) -> None:
    """Each line says by what the program answers which words it got."""
    shell.type("p2pcards rul\twhi\t --js\t\r")
    shell.until('"game": "whist"')
    shell.type("p2pcards rules hearts --set end_s\t1\t --preset hearts-d\t\r")
    shell.until("hearts-deluxe")
    shell.type("p2pcards peers tru\tBig\t\r")
    shell.until("Marked the key .* as Big Bob's")
    shell.type("p2pcards directory rem\tA\t\r")
    shell.until(r"Removed Anna \(555-1234\)")


def test_where_the_program_knows_nothing_the_shell_names_files(shell: AtTerminal, tmp_path: Path) -> None:
    (tmp_path / "a-log-of-ours").touch()
    shell.type(f"cd {tmp_path}\r")
    shell.type("p2pcards verify a-l\t")
    shell.until("a-log-of-ours")


def test_a_name_cannot_make_a_shell_do_anything(shell: AtTerminal, program: Program) -> None:
    home = find_home(program.environment)
    remember(home, bytes([12]) * 32, "Eve`pwd`$(pwd);'\"*", "", 0)
    shell.type("p2pcards peers trust Eve\t\r")
    shell.until(r"""as Eve`pwd`\$\(pwd\);'"\*'s""")
