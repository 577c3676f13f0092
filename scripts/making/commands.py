"""docs/commands.md: the help of every command, what command_notes.txt adds, the events and the exit codes."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import typer

from making.book import table
from p2pcards.cli import main
from p2pcards.cli.helping import EXAMPLES, EXITS, SECTIONS
from p2pcards.views.happenings import TABLE_EVENTS

NOTES = Path(__file__).with_name("command_notes.txt")
MADE = "<!-- Made by scripts/made from the help of the commands and scripts/making/command_notes.txt. -->"
SEVERAL = 3
"""An option of so many commands is explained once."""
SHARED = "Options of several commands"
OF_SCRIPTS = {69: "`scripts/p2pcards` and `scripts/test` only: the environment can't be made"}


def files() -> Mapping[str, Callable[[], str]]:
    return {"commands.md": page}


def page() -> str:
    notes = read_notes()
    parts = [MADE, "# Commands", notes.pop("# p2pcards")]
    for section, names in SECTIONS.items():
        parts += [f"## {section}", notes.pop(f"## {section}", "")]
        parts += [part for name in names for part in _command(name, notes)]
    for title in [title for title in notes if title.startswith("## ")]:
        parts += [title, notes.pop(title)]
    parts += [f"## {SHARED}", _rows(shared())]
    parts += ["## Exit codes", _exits()]
    if notes:
        raise ValueError(f"{NOTES.name} has notes of no command: {', '.join(notes)}")
    return "\n\n".join([part for part in parts if part]) + "\n"


def read_notes() -> dict[str, str]:
    """By their heading, with the tables that are made."""
    text = re.sub(r"<!--.*?-->\n", "", NOTES.read_text(), flags=re.DOTALL)
    text = text.replace("@events", _events())
    parts = re.split(r"^(##? .+)$", text, flags=re.MULTILINE)[1:]
    return {head: body.strip() for head, body in zip(parts[::2], parts[1::2], strict=True)}


@cache
def commands() -> dict[str, Any]:
    """Every command by its name, those of groups among them."""
    found: dict[str, Any] = {}
    for name, command in typer.main.get_command(main.build_program()).commands.items():  # type: ignore[attr-defined]
        found[name] = command
        found |= {f"{name} {inner}": one for inner, one in getattr(command, "commands", {}).items()}
    return found


def options(command: Any) -> list[Any]:
    return [one for one in command.params if one.param_type_name == "option" and not one.hidden]


def shown(option: Any) -> str:
    """As in ``--port PORT``; both of ``--pulse`` and ``--tone``."""
    names = [f"`{name}`" for name in (*option.opts, *option.secondary_opts)]
    takes = "" if option.is_flag or not option.metavar else f" {option.metavar}"
    return ", ".join([*names[:-1], f"{names[-1][:-1]}{takes}`"])


def row(option: Any) -> str:
    return f"{shown(option)}: {option.help}"


@cache
def shared() -> tuple[str, ...]:
    """The rows of options that are the same in several commands."""
    rows = [row(option) for command in commands().values() for option in options(command)]
    counted = Counter(rows)
    return tuple([one for one in dict.fromkeys(rows) if counted[one] >= SEVERAL])


def _command(name: str, notes: dict[str, str]) -> list[str]:
    """A command, and those of its group."""
    command = commands()[name]
    alone = not hasattr(command, "commands") or command.invoke_without_command
    places = " ".join([one.metavar or one.name.upper() for one in command.params if one.param_type_name == "argument"])
    note = notes.pop(f"# {name}", "")
    rows = [row(one) for one in options(command)] if alone else []
    also = [row.partition(":")[0] for row in rows if row in shared()]
    also = [re.sub(r" [^`]+`", "`", one) for one in also if f"- {one}:" not in note]
    parts = [
        f"### `{f'p2pcards {name} {places}'.rstrip()}`",
        " ".join(inspect.cleandoc(command.help).split()),
        "\n".join([f"    p2pcards {example}" for example in _telling(name)]),
        _rows([row for row in rows if row not in shared()]),
        f"[Also](#{SHARED.lower().replace(' ', '-')}) {', '.join(also)}." if also else "",
        note,
    ]
    inner = [f"{name} {one}" for one in getattr(command, "commands", {})]
    return [*parts, *[part for one in inner for part in _command(one, notes)]]


def _telling(name: str) -> list[str]:
    """The examples that show more than the heading does, two at the most."""
    found = [one for one in EXAMPLES[name] if one.startswith(f"{name} ") and not one.endswith(("--json", "--help"))]
    return found[:2]


def _rows(rows: Iterable[str]) -> str:
    return "\n".join([f"- {row}" for row in rows])


def _events() -> str:
    return table(("event", "when"), [(f"`{name}`", when) for name, when in TABLE_EVENTS.items()])


def _exits() -> str:
    rows = sorted({**EXITS, **OF_SCRIPTS}.items())
    return table(("code", "meaning"), [(str(code), meaning) for code, meaning in rows])
