"""Numbers and names beyond all bounds: they are refused in a sentence, before anything is done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from p2pcards.cli import main
from p2pcards.control.exits import USAGE
from rigs.program import Program


def number_options(command: Any, *words: str) -> Iterator[tuple[list[str], str]]:
    """Each option of each command that takes a number, behind the words that this command needs."""
    for name, part in getattr(command, "commands", {}).items():
        yield from number_options(part, *words, name)
    needed = [one for one in command.params if one.required]
    for option in [one for one in command.params if one.param_type_name == "option"]:
        if option.type.name.split()[0] in ("int", "float"):
            yield [*words, *["x" for one in needed if one is not option]], option.opts[0]


LONG = "9" * 5000
OPTIONS = [*number_options(typer.main.get_command(main.build_program()))]


@pytest.mark.parametrize(("words", "option"), OPTIONS, ids=[f"{' '.join(words)} {option}" for words, option in OPTIONS])
def test_a_number_beyond_its_bounds_is_refused(tmp_path: Path, words: list[str], option: str) -> None:
    program = Program(tmp_path, inside=True)
    for number in ("-1", str(10**20), str(-(10**20)), LONG):
        code, said = program.refused(*words, f"{option}={number}")
        assert code == USAGE and len(said.splitlines()) == 2, said
        assert said.startswith(f"Invalid value for '{option}': "), said


@pytest.mark.parametrize(
    "words",
    [
        ("verify", LONG),
        ("board", LONG),
        ("resume", LONG),
        ("saves", "name", LONG, "friday"),
        ("saves", "import", LONG),
        ("demo", "--keep", LONG),
        ("listen", "--modem", LONG),
        ("listen", f"--web={LONG}"),
    ],
    ids=lambda words: " ".join(words)[:20],
)
def test_a_name_or_a_port_of_5000_digits_is_refused_in_a_sentence(inside: Program, words: tuple[str, ...]) -> None:
    code, said = inside.refused(*words)
    assert code == USAGE and len(said.splitlines()) == 1
