"""On a terminal of any width nothing breaks inside a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2pcards.cli.main import GROUPS, build_program
from p2pcards.present.width import fold_line, text_width
from rigs.program import Program

WIDTHS = (60, 80, 120)
TRANSCRIPTS = sorted((Path(__file__).parents[2] / "docs/transcripts").glob("*.txt"))
COMMANDS = (
    "games",
    "rules hearts",
    "rules pinochle2",
    "options gin",
    "about cribbage",
    "characters",
    "credits",
    "config list",
    "identity",
    "status",
    "logs",
    "peers list",
    "play nosuch",
    "play hearts --preset nosuch",
    "attach nosuch",
)
HELPS = [f"{name} --help" for name in ("", *[one.name or "" for one in build_program().registered_commands], *GROUPS)]


def written(program: Program, columns: int, command: str) -> list[str]:
    done = program.inside(columns)(*command.split())
    return (done.stdout + done.stderr).splitlines()


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_a_command_says_fits_and_breaks_between_words(program: Program, command: str, columns: int) -> None:
    lines = written(program, columns, command)
    assert " ".join(lines).split() == " ".join(written(program, 1000, command)).split()
    assert all(text_width(line) <= columns for line in lines)


@pytest.mark.parametrize("columns", WIDTHS)
def test_the_help_of_every_command_fits(program: Program, columns: int) -> None:
    for command in HELPS:
        lines = written(program, columns, command.strip())
        whole = set(" ".join(written(program, 1000, command.strip())).split())
        assert all(text_width(line) <= columns for line in lines if "p2pcards" not in line), command
        assert {word.removesuffix("...") for line in lines for word in line.split()} <= {
            word.removesuffix("...") for word in whole
        }, command


@pytest.mark.parametrize("columns", WIDTHS)
def test_what_is_said_at_a_table_breaks_between_words(columns: int) -> None:
    for path in TRANSCRIPTS:
        for line in path.read_text().splitlines():
            folded = fold_line(line, columns)
            assert all(text_width(part) <= columns for part in folded)
            assert " ".join(folded).split() == line.split()
