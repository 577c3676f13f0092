"""The help: which commands it lists, how long its lines are, and that every example can be typed."""

from __future__ import annotations

import re
import shlex
from functools import cache
from typing import Any

import pytest
import typer

from p2pcards.cli import main
from p2pcards.cli.command import INTERRUPTED, PIPE_CLOSED, split_profile_option
from p2pcards.cli.helping import EXAMPLES, EXITS, RARE, SECTIONS, first_sentence
from p2pcards.cli.options import fill_web_option
from p2pcards.control.exits import DAEMON, FINE
from rigs.program import Program

LONGEST = 60
LISTED = [name for names in SECTIONS.values() for name in names]
NO_ORDERS = ("what", "who", "whom", "which", "how", "the", "a", "your")
"""Words with which no command begins: it is an order."""


@cache
def tree() -> Any:
    return typer.main.get_command(main.build_program())


def commands() -> dict[str, Any]:
    """Every command by its name, those of groups among them."""
    found: dict[str, Any] = {}
    for name, command in tree().commands.items():
        found[name] = command
        found |= {f"{name} {inner}": one for inner, one in getattr(command, "commands", {}).items()}
    return found


def test_every_command_is_in_one_section() -> None:
    assert sorted(LISTED) == sorted(tree().commands)
    assert set(LISTED) > RARE
    assert list(SECTIONS) == ["Play", "Play with friends", "Games on this machine", "Records", "Settings", "More"]


@pytest.mark.parametrize(("name", "command"), commands().items())
def test_a_command_is_an_order_of_one_line(name: str, command: Any) -> None:
    line = first_sentence(command.help)
    assert len(line) <= LONGEST, name
    assert line[0].isupper() and line.split()[0].lower() not in NO_ORDERS, name
    assert "\n" not in line and not line.endswith("."), name


def test_the_help_lists_what_is_often_used_and_all_of_it_if_asked(program: Program) -> None:
    short, whole = program.out("--help"), program.out("--help", "--all")
    assert rows(short) == [name for name in LISTED if name not in RARE]
    assert rows(whole) == LISTED
    assert whole == program.out("--all", "-h") == program.out("--all")
    assert [line for line in short.splitlines() if line.removesuffix(":") in SECTIONS] == [
        f"{one}:" for one in SECTIONS
    ]


def rows(text: str) -> list[str]:
    lists = text[text.index("\nPlay:\n") : text.index("\n  Every command:")]
    return re.findall(r"^  ([a-z]+) ", lists, re.MULTILINE)


def test_three_examples_of_each_command_are_shown() -> None:
    assert EXAMPLES.keys() == commands().keys()
    for name, command in commands().items():
        assert len(set(EXAMPLES[name])) == 3, name
        assert command.epilog.splitlines()[2:] == [f"  p2pcards {example}" for example in EXAMPLES[name]]
        assert EXAMPLES[name][0].startswith(name), "the first is of the command itself"


@pytest.mark.parametrize("example", sorted({one for three in EXAMPLES.values() for one in three}))
def test_an_example_can_be_typed(example: str) -> None:
    _, words = split_profile_option(shlex.split(example))
    command, context = tree(), None
    while hasattr(command, "commands"):
        context = command.make_context(command.name, fill_web_option(words), parent=context, resilient_parsing=True)
        words = [*context._protected_args, *context.args]
        if not words:
            return
        command, words = command.commands[words[0]], words[1:]
    if words != ["--help"]:
        command.make_context(command.name, fill_web_option(words), parent=context)


def test_the_exit_codes_have_a_page_and_are_not_in_the_help(program: Program) -> None:
    lines = program.out("help", "exit-codes").splitlines()
    assert [tuple(line.split(maxsplit=1)) for line in lines[2:]] == [(str(code), text) for code, text in EXITS.items()]
    assert {FINE, DAEMON, INTERRUPTED, PIPE_CLOSED} <= EXITS.keys()
    for text in EXITS.values():
        assert text not in program.out("--help")
