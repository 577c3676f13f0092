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
from p2pcards.frontend.stage import step_weight
from p2pcards.present.replaying import HELP, ReplayReel, obey_command, play_next_page
from p2pcards.present.width import wrap_words

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


def watch_by_words(reel: ReplayReel, source: TextIO, output: TextIO) -> None:
    """Replay by typed commands, one step and prompt at a time, for screen readers and dumb terminals."""
    print(f"Commands: {HELP}.", file=output)
    say = ""
    while not reel.done:
        print(say or "\n".join([f"{reel.title}:", *reel.page.story, *reel.page.hands]), file=output)
        if not reel.playing:
            print("> ", end="", file=output, flush=True)
        elif not _waits_for_input(source, _page_seconds(reel)):
            reel, say = play_next_page(reel), ""
            continue
        reel, say = obey_command(reel, source.readline() or "quit")


def watch_by_keys(reel: ReplayReel, source: TextIO, output: TextIO) -> None:
    """Replay on the whole screen by single keys: what happened, the table after it, and the keys."""
    say = number = ""
    begun = b""
    with _single_keys(source):
        while not reel.done:
            _draw_page(reel, say, number, output)
            if not _waits_for_input(source, _page_seconds(reel) if reel.playing else None):
                reel, say = play_next_page(reel), ""
                continue
            data = os.read(source.fileno(), 4096)
            if not data:
                return
            keys, begun = split_keys(begun + data)
            for key in keys:
                if key.isdigit():
                    number += key.decode()
                    continue
                said = number if number and key in (b"\r", b"\n") else _command_of_key(reel, key)
                reel, say = obey_command(reel, said) if said else (reel, "")
                number = ""


def _page_seconds(reel: ReplayReel) -> float:
    """For how many seconds a page is shown while it plays, as long as at a table."""
    return max(step_weight(reel.page.happenings), 1) * reel.pause


def _command_of_key(reel: ReplayReel, key: bytes) -> str:
    said = KEYS.get(key, "")
    if said == "play" and reel.playing:
        return "stop"
    if said.endswith(" hand"):
        there = sorted({page.hand for page in reel.pages})
        place = there.index(reel.page.hand) + (1 if said.startswith("later") else -1)
        return f"hand {there[min(max(place, 0), len(there) - 1)]}"
    return said


def split_keys(data: bytes) -> tuple[list[bytes], bytes]:
    """(complete keys, the start of a key whose rest may still arrive, as on a slow line)."""
    keys = list[bytes]()
    while data and (match := KEY.match(data)):
        data = data[match.end() :]
        if match["text"] is not None:
            keys += [bytes((byte,)) for byte in match["text"]]
        elif found := match["csi"] or match["ss3"] or match["control"]:
            sequence = {b"1~": b"H", b"7~": b"H", b"4~": b"F", b"8~": b"F"}.get(found, found)
            keys.append(found if match["control"] else b"\x1b" + sequence)
    return keys, data[:PASTED]


def _draw_page(reel: ReplayReel, say: str, number: str, output: TextIO) -> None:
    page = reel.page
    state = f" playing, a card every {reel.pause:g} s" if reel.playing else ""
    lines = [f"{reel.title}.{state}", *[line for one in page.story for line in wrap_words(one, indent="  ")], ""]
    lines += [*page.table, "", KEYS_HELP, say or (f"step {number}" if number else "")]
    output.write("\x1b[H\x1b[2J" + "\n".join(lines))
    output.flush()


@contextmanager
def _single_keys(source: TextIO) -> Iterator[None]:
    """Have the terminal give each key at once; it is restored afterwards."""
    before = termios.tcgetattr(source.fileno())
    try:
        tty.setcbreak(source.fileno())
        yield
    finally:
        termios.tcsetattr(source.fileno(), termios.TCSADRAIN, before)
        sys.stdout.write("\n")


def _waits_for_input(source: TextIO, seconds: float | None) -> bool:
    """Wait up to so many seconds for typed input; True once there is any. None: without end."""
    return bool(select.select([source], [], [], seconds)[0])
