"""Keys of a terminal on a slow line, where the bytes of one key arrive apart."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable
from time import monotonic

from textual import constants, events
from textual._xterm_parser import XTermParser
from textual.message import Message

ESCAPE = constants.ESCAPE_DELAY if "ESCDELAY" in os.environ else 0.35
"""Seconds after which a lone ESC is the Escape key."""
LATE = 2.0
"""Seconds in which the rest of a sequence may arrive, after its ESC was taken for the Escape key as well."""

# As `line.KEY`, with the mouse as old terminals tell of it; what goes on otherwise than a key does is dropped.
WHOLE = re.compile(
    r"""
    [^\x1b]+ | \x1b (?=\x1b) | \x1b [^\x1b\[O]
    | \x1b\[ (?: M... | (?!M) \[? [0-?]* [\ -/]* [@-Z\\^-~] ) | \x1bO [0-9;]* [@-~]
    | (?P<broken> (?> \x1b (?: \[ \[? [0-?]* [\ -/]* | O [0-9;]* ) ) (?=[^0-?\ -/M]) )
    """,
    re.VERBOSE | re.DOTALL,
)


class SlowLineParser(XTermParser):
    """Is given sequences whole, however they arrive, so their bytes are never keys. `tick` is called at intervals."""

    def __init__(self, debug: bool = False, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._begun = ""  # of a sequence
        self._came = 0.0  # when the last of it did
        self._escape: float | None = None  # when the Escape key was pressed, as the last key
        super().__init__(debug)

    def feed(self, data: str) -> Iterable[Message]:
        if not data:  # the end
            yield from super().feed(self._begun)
            yield from super().feed("")
            return
        now = self._clock()
        late = self._escape is not None and now - self._escape <= LATE and data[0] in "[O"
        data = ("\x1b" if late else self._begun) + data
        self._begun, self._came, self._escape = "", now, None
        while data:
            match = WHOLE.match(data)
            if match is None:
                self._begun = data
                return
            data = data[match.end() :]
            if not match["broken"]:
                yield from super().feed(match[0])

    def tick(self) -> Iterable[Message]:
        passed = self._clock() - self._came
        if self._begun == "\x1b" and passed >= ESCAPE:
            self._begun, self._escape = "", self._clock()
            yield events.Key("escape", "\x1b")
        elif self._begun and passed >= LATE:
            self._begun = ""
        yield from super().tick()


def hear_slow_lines() -> None:
    """Have the toolkit read keys so. A console of Windows gives them whole."""
    if sys.platform != "win32":
        from textual.drivers import linux_driver

        linux_driver.XTermParser = SlowLineParser  # type: ignore[attr-defined]
