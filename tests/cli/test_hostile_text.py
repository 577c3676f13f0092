"""Text of others that would move the cursor, or hide what it is, in everything that is printed."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cli.output import printable
from p2pcards.games.registry import GAMES
from p2pcards.ledger.transitions import Phase
from p2pcards.store.logfile import MAGIC, encode_record
from rigs.program import Program
from rigs.recorded import Table

HOSTILE = ("\x1b[2J", "\x9b2J", "\x1b]0;x\x07", "\u202e", "\u2066", "\r", "\n", "\x08", "\x85", "\u2028", "\u200f")
COMMANDS = (
    ("logs",),
    ("verify", "{}"),
    ("verify", "{}", "--decisions", "none"),
    ("replay", "{}"),
    ("export", "{}"),
    ("export", "{}", "--open"),
    ("peers", "list"),
)


def harmful(text: str) -> set[str]:
    """The characters of it that would do more than be read, apart from line ends."""
    return {char for char in text if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp") and char != "\n"}


def log_with(hostile: str, home: Path) -> str:
    """The name of a log whose header has this wherever it has text."""
    presets = GAMES["hearts"].presets
    table = Table("hearts", next(iter(presets.values())), 3, said=lambda text: f"{text[:6]}{hostile}{text[6:]}"[:24])
    table.until(Phase.PLAY, 2)
    for _ in range(30):
        table.step()
    folder = home / "logs"
    folder.mkdir(parents=True, mode=0o700, exist_ok=True)
    path = folder / "2026-11-20-hearts-7f3a.log"
    path.write_bytes(MAGIC + b"".join(encode_record(payload) for payload in table.payloads[1]))
    return path.stem


@pytest.mark.parametrize("hostile", HOSTILE)
def test_nothing_of_a_log_moves_the_cursor_or_hides(hostile: str, inside: Program) -> None:
    name = log_with(hostile, inside.home)
    for words in COMMANDS:
        for as_json in ((), ("--json",)) if words[0] != "export" else ((), ("--format", "json")):
            done = inside(*[word.format(name) for word in words], *as_json)
            assert not harmful(done.stdout + done.stderr), (words, as_json)
            assert done.stdout, (words, done.stderr)
            if as_json:
                json.loads(done.stdout)


@given(st.text(st.characters(codec="utf-8"), max_size=40) | st.text("ab\x1b[]0;31m\x9b\u202e\n\u200d", max_size=40))
def test_what_is_printed_is_only_read(text: str) -> None:
    assert not harmful(printable(text))
    assert printable(printable(text)) == printable(text)
    if text.replace("\n", "").isprintable():
        assert printable(text) == text


def test_colours_of_our_own_stay() -> None:
    card = "\x1b[48;5;231;38;5;160mQ♥\x1b[0m"
    assert printable(f"{card} \x1b[31m\x1b[8m{card}\x1b[2J") == f"{card} [31m[8m{card}[2J"
