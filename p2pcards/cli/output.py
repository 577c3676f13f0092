"""Printing data, for people or for programs."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, TextIO

Progress = Callable[[int, int], None]
"""Is told how many are done, of how many."""

OURS = re.compile(r"(\x1b\[(?:0|1|31|34|48;5;[0-9]+;38;5;[0-9]+)m)")
"""The colours of cards, of computer players, of what was won and lost, and bold print."""
_MARK = "[\\u0300-\\u036f\\u0483-\\u0489\\u0e47-\\u0e4e\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f]"
PILED = re.compile(f"({_MARK}{{2}}){_MARK}+")
"""More marks on one letter than two, with which they spill over other lines."""
MOVES_OR_HIDES = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Kinds of characters, by Unicode, that do more than be read."""

STEPS = 1000
"""As often as that a bar is drawn, at the most."""


def show(data: Any, lines: Sequence[str], as_json: bool) -> None:
    """The data as JSON, or the lines that say the same."""
    if as_json:
        lines = json.dumps(data, indent=2, ensure_ascii=False).split("\n")
        print("\n".join([line if line.isprintable() else "".join(map(_escaped, line)) for line in lines]))
    else:
        say("\n".join(lines))


def say(text: str, stream: TextIO | None = None) -> None:
    """Lines for a person; on a terminal they are broken between words. stream: else standard output."""
    import shutil  # it takes a while, and --help does without

    from p2pcards.present.width import fold

    stream, text = stream or sys.stdout, printable(text)
    columns = shutil.get_terminal_size().columns if stream.isatty() else sys.maxsize
    print("\n".join([part for line in text.split("\n") for part in fold(line, columns)]), file=stream, flush=True)


def ring() -> None:
    """The bell of the terminal, if there is one."""
    if sys.stdout.isatty():
        print("\a", end="", flush=True)


def printable(text: str) -> str:
    """Lines without anything that moves the cursor, hides or spills over other lines, but our own colours. What others
    wrote is cleaned where it is read; this is the last door."""
    if not text.replace("\n", "").isprintable():
        parts = OURS.split(text)
        text = "".join([part if OURS.fullmatch(part) else "".join(filter(_is_read, part)) for part in parts])
    return PILED.sub(r"\1", text)


def _is_read(char: str) -> bool:
    import unicodedata

    return char == "\n" or unicodedata.category(char) not in MOVES_OR_HIDES


def _escaped(char: str) -> str:
    """As JSON has it, where it would do more than be read."""
    return char if _is_read(char) else json.dumps(char)[1:-1]


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of as many words each, one below the other."""
    from p2pcards.present import width

    return width.columns(rows)


def at_terminal() -> bool:
    """Whether a person sits there: what is asked can be read and answered."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def shows_colours() -> bool:
    """Whether the output is a terminal on which colours are wanted."""
    import os

    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR")


def takes_suits() -> bool:
    """Whether the suits can be written in the encoding of the output."""
    try:
        "♣♦♥♠".encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return False
    return True


def question(text: str) -> str:
    """What a person answers; the end of the input answers nothing."""
    try:
        return input(text).strip()
    except EOFError:
        print()
        return ""


def bar(things: str) -> Progress:
    """A bar on a terminal that grows and is gone at the end. things: what is counted, such as games."""

    def draw(done: int, wanted: int) -> None:
        if done % (wanted // STEPS or 1) == 0 or done == wanted:
            text = "" if done == wanted else f"[{'#' * (20 * done // wanted):<20}] {done} of {wanted} {things}"
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

    return draw
