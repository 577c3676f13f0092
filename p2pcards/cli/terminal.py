"""The terminal of a command: what it prints there, for people or for programs, what it asks, and what the terminal can
show."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Callable, Sequence
from contextlib import suppress
from contextvars import ContextVar
from typing import Any, TextIO

from p2pcards.present.width import fold_line

Progress = Callable[[int, int], None]
"""Takes how many are done, and of how many."""

OURS = re.compile(r"(\x1b\[(?:0|1|31|34|48;5;[0-9]+;38;5;[0-9]+)m)")
"""The colours of cards, of computer players, of what was won and lost, and bold print."""
_MARK = "[\\u0300-\\u036f\\u0483-\\u0489\\u0e47-\\u0e4e\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f]"
PILED = re.compile(f"({_MARK}{{2}}){_MARK}+")
"""More marks on one letter than two, with which they spill over other lines."""
MOVES_OR_HIDES = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""The Unicode categories of characters that move the cursor or hide text."""

STEPS = 1000
"""The most often that a progress bar is drawn."""


def print_result(data: Any, lines: Sequence[str], as_json: bool) -> None:
    """Print the data as JSON, or else the lines that say the same."""
    if as_json:
        lines = json.dumps(data, indent=2, ensure_ascii=False).split("\n")
        print("\n".join([line if line.isprintable() else "".join(map(_escape_char, line)) for line in lines]))
    else:
        print_text("\n".join(lines))


def print_text(text: str, stream: TextIO | None = None) -> None:
    """Print text for a person, wrapped between words on a terminal. stream: None for standard output."""
    stream, text = stream or sys.stdout, escape_unprintable(text)
    columns = shutil.get_terminal_size().columns if stream.isatty() else sys.maxsize
    print("\n".join([part for line in text.split("\n") for part in fold_line(line, columns)]), file=stream, flush=True)


def ring_terminal_bell() -> None:
    """Ring the terminal's bell, if there is a terminal."""
    if sys.stdout.isatty():
        print("\a", end="", flush=True)


def escape_unprintable(text: str) -> str:
    """Escape everything that would move the cursor, hide text or overflow lines, but for our own colours. Foreign text
    is cleaned where it is read; this is the last barrier."""
    if not text.replace("\n", "").isprintable():
        parts = OURS.split(text)
        text = "".join([part if OURS.fullmatch(part) else "".join(filter(_is_readable, part)) for part in parts])
    return PILED.sub(r"\1", text)


def _is_readable(char: str) -> bool:
    return char == "\n" or unicodedata.category(char) not in MOVES_OR_HIDES


def _escape_char(char: str) -> str:
    """The character, escaped as in JSON if it isn't plain text."""
    return char if _is_readable(char) else json.dumps(char)[1:-1]


behind_the_screen: ContextVar[bool] = ContextVar("behind_the_screen", default=False)
"""True while the full screen has the terminal, so nothing may be printed or asked there."""


def is_interactive() -> bool:
    """True if input and output are a terminal, so questions can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty() and not behind_the_screen.get()


def draws_bars() -> bool:
    return sys.stderr.isatty() and not behind_the_screen.get()


def shows_colours() -> bool:
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR")


def can_print_suits() -> bool:
    try:
        "♣♦♥♠".encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return False
    return True


def ask_line(text: str) -> str:
    """Ask the person a question; "" at the end of the input."""
    try:
        return input(text).strip()
    except EOFError:
        print()
        return ""


def ask_yes(question: str) -> bool:
    """Ask a question that only y or yes affirms."""
    return ask_line(question).lower() in ("y", "yes")


def progress_bar(things: str) -> Progress:
    """A progress bar that is wiped at the end; without a terminal it draws nothing. things: what is counted, such as
    "games"."""
    shown = draws_bars()

    def draw(done: int, wanted: int) -> None:
        if not shown:
            return
        if done % (wanted // STEPS or 1) == 0 or done == wanted:
            text = "" if done == wanted else f"[{'#' * (20 * done // wanted):<20}] {done} of {wanted} {things}"
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

    return draw


def print_error(sentence: str) -> None:
    """Print one sentence to standard error, even if that is closed."""
    with suppress(OSError):
        print_text(sentence, sys.stderr)
