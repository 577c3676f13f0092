"""A replay at a terminal: by single keys, or by commands in words."""

from __future__ import annotations

import os
import select
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from p2pcards.cli.line import KEY, PASTED
from p2pcards.frontend.stage import weight
from p2pcards.present.replaying import HELP, Reel, go_on, obey
from p2pcards.present.width import wrap

KEYS = {
    b"\r": "next",
    b"\n": "next",
    b" ": "next",
    b"\x1bC": "next",
    b"n": "next",
    b"\x1bD": "back",
    b"b": "back",
    b"\x7f": "back",
    b"\x1bH": "first",
    b"\x1bF": "last",
    b"\x1bA": "earlier hand",
    b"\x1bB": "later hand",
    b"p": "play",
    b"s": "stop",
    b"+": "faster",
    b"-": "slower",
    b"q": "quit",
    b"\x04": "quit",
}
"""By their byte; of arrows, Home and End by Escape and the end of their sequence."""
KEYS_HELP = "Space next  Left back  Up Down hands  Home End  p play  + - speed  12 Enter: step 12  q quit"


def watch_by_words(reel: Reel, source: TextIO, output: TextIO) -> None:
    """A step, a prompt, a command in words; for screen readers and dumb terminals."""
    print(f"Commands: {HELP}.", file=output)
    say = ""
    while not reel.done:
        print(say or "\n".join([f"{reel.title}:", *reel.page.story, *reel.page.hands]), file=output)
        if not reel.playing:
            print("> ", end="", file=output, flush=True)
        elif not _is_ready(source, _lies(reel)):
            reel, say = go_on(reel), ""
            continue
        reel, say = obey(reel, source.readline() or "quit")


def watch_by_keys(reel: Reel, source: TextIO, output: TextIO) -> None:
    """The whole screen: what happened, the table after it, and which keys there are."""
    say = number = ""
    begun = b""
    with _single_keys(source):
        while not reel.done:
            _draw(reel, say, number, output)
            if not _is_ready(source, _lies(reel) if reel.playing else None):
                reel, say = go_on(reel), ""
                continue
            data = os.read(source.fileno(), 4096)
            if not data:
                return
            keys, begun = keys_in(begun + data)
            for key in keys:
                if key.isdigit():
                    number += key.decode()
                    continue
                said = number if number and key in (b"\r", b"\n") else _words(reel, key)
                reel, say = obey(reel, said) if said else (reel, "")
                number = ""


def _lies(reel: Reel) -> float:
    """Seconds that a page lies there while it plays, each thing as long as on the stage of a table."""
    return max(weight(reel.page.happenings), 1) * reel.pause


def _words(reel: Reel, key: bytes) -> str:
    said = KEYS.get(key, "")
    if said == "play" and reel.playing:
        return "stop"
    if said.endswith(" hand"):
        there = sorted({page.hand for page in reel.pages})
        place = there.index(reel.page.hand) + (1 if said.startswith("later") else -1)
        return f"hand {there[min(max(place, 0), len(there) - 1)]}"
    return said


def keys_in(data: bytes) -> tuple[list[bytes], bytes]:
    """The keys that are whole, and the beginning of one whose rest may arrive later, as on a slow line."""
    keys = list[bytes]()
    while data and (match := KEY.match(data)):
        data = data[match.end() :]
        if match["text"] is not None:
            keys += [bytes((byte,)) for byte in match["text"]]
        elif found := match["csi"] or match["ss3"] or match["control"]:
            sequence = {b"1~": b"H", b"7~": b"H", b"4~": b"F", b"8~": b"F"}.get(found, found)
            keys.append(found if match["control"] else b"\x1b" + sequence)
    return keys, data[:PASTED]


def _draw(reel: Reel, say: str, number: str, output: TextIO) -> None:
    page = reel.page
    state = f" playing, a card every {reel.pause:g} s" if reel.playing else ""
    lines = [f"{reel.title}.{state}", *[line for one in page.story for line in wrap(one, indent="  ")], ""]
    lines += [*page.table, "", KEYS_HELP, say or (f"step {number}" if number else "")]
    output.write("\x1b[H\x1b[2J" + "\n".join(lines))
    output.flush()


@contextmanager
def _single_keys(source: TextIO) -> Iterator[None]:
    """The terminal gives each key at once, and is as before afterwards."""
    before = termios.tcgetattr(source.fileno())
    try:
        tty.setcbreak(source.fileno())
        yield
    finally:
        termios.tcsetattr(source.fileno(), termios.TCSADRAIN, before)
        sys.stdout.write("\n")


def _is_ready(source: TextIO, seconds: float | None) -> bool:
    """Whether something is typed before so many seconds have passed."""
    return bool(select.select([source], [], [], seconds)[0])
