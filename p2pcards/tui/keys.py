"""Keys of a terminal on a slow line, where the bytes of one key arrive apart."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto
from time import monotonic

from textual import constants, events
from textual._parser import Parser
from textual._xterm_parser import XTermParser
from textual.message import Message

ESCAPE = constants.ESCAPE_DELAY if "ESCDELAY" in os.environ else 0.35
"""Seconds after which a lone ESC is the Escape key."""
PASTES, PASTED = "\x1b[200~", "\x1b[201~"
LONGEST = 100
"""Characters of a sequence. One that has more is dropped, so what it kept from being keys is bounded."""

# --- the states of the parser, as a table -----------------------------------------------------------------------------


class KeyState(Enum):
    """What was read of a key's sequence."""

    NONE = auto()
    ESC = auto()
    PRESSED = auto()  # nothing since an ESC that was taken for the Escape key: the rest of a sequence may still arrive
    CSI = auto()  # ESC [
    PARAMETERS = auto()  # ESC [ 1;
    PRIVATE = auto()  # ESC [ ?
    SS3 = auto()  # ESC O
    MOUSE_3 = auto()  # ESC [ M, and three characters follow, as old terminals tell of the mouse
    MOUSE_2 = auto()
    MOUSE_1 = auto()
    DCS = auto()  # ESC P, which Alt-P is too
    APC = auto()  # ESC _
    ANSWER = auto()  # ESC P > or ESC _ G: a terminal's late answer about pictures, up to ESC \ or a control character
    ANSWER_ESC = auto()  # an ESC in it


class KeyStep(Enum):
    """What to do with a character."""

    KEEP = auto()  # the sequence goes on
    GIVE = auto()  # it is whole
    DROP = auto()  # it ends, and means nothing
    AGAIN = auto()  # it was none: what was kept is dropped, and the character read anew
    ANEW = auto()  # its last ESC begins another: what was kept before is dropped, and the character read after the ESC
    ALONE = auto()  # what was kept is a key by itself, and the character read anew


def _characters_between(first: str, last: str, but: str = "") -> str:
    """The characters from first to last, without those in `but`."""
    return "".join([chr(code) for code in range(ord(first), ord(last) + 1) if chr(code) not in but])


ANY = ""
PARAMETER, INTERMEDIATE = _characters_between("0", "?"), _characters_between(" ", "/")
FINAL = _characters_between("@", "~", but="[]")
CONTROL = _characters_between("\x00", "\x1f") + "\x7f"

NEXT: Mapping[KeyState, Sequence[tuple[str, KeyStep, KeyState]]] = {
    KeyState.NONE: (("\x1b", KeyStep.KEEP, KeyState.ESC), (ANY, KeyStep.GIVE, KeyState.NONE)),
    KeyState.ESC: (
        ("[", KeyStep.KEEP, KeyState.CSI),
        ("O", KeyStep.KEEP, KeyState.SS3),
        ("P", KeyStep.KEEP, KeyState.DCS),
        ("_", KeyStep.KEEP, KeyState.APC),
        ("\x1b", KeyStep.ALONE, KeyState.NONE),
        (ANY, KeyStep.GIVE, KeyState.NONE),  # Alt with a key
    ),
    KeyState.PRESSED: (
        ("[", KeyStep.KEEP, KeyState.CSI),
        ("O", KeyStep.KEEP, KeyState.SS3),
        (ANY, KeyStep.AGAIN, KeyState.NONE),
    ),
    KeyState.CSI: (
        ("M", KeyStep.KEEP, KeyState.MOUSE_3),
        ("[", KeyStep.KEEP, KeyState.PARAMETERS),  # the function keys of a Linux console
        ("?", KeyStep.KEEP, KeyState.PRIVATE),
        (PARAMETER + INTERMEDIATE, KeyStep.KEEP, KeyState.PARAMETERS),
        (FINAL, KeyStep.GIVE, KeyState.NONE),
        (ANY, KeyStep.AGAIN, KeyState.NONE),
    ),
    KeyState.PARAMETERS: (
        ("$" + FINAL, KeyStep.GIVE, KeyState.NONE),  # rxvt ends keys with Shift by a $
        (PARAMETER + INTERMEDIATE, KeyStep.KEEP, KeyState.PARAMETERS),
        (ANY, KeyStep.AGAIN, KeyState.NONE),
    ),
    KeyState.PRIVATE: (
        (FINAL, KeyStep.GIVE, KeyState.NONE),
        (PARAMETER + INTERMEDIATE, KeyStep.KEEP, KeyState.PRIVATE),
        (ANY, KeyStep.AGAIN, KeyState.NONE),
    ),
    KeyState.SS3: (
        (PARAMETER, KeyStep.KEEP, KeyState.SS3),
        ("O", KeyStep.AGAIN, KeyState.NONE),  # no key ends so: a capital O was pressed after Escape, and again
        (FINAL, KeyStep.GIVE, KeyState.NONE),
        (ANY, KeyStep.AGAIN, KeyState.NONE),
    ),
    KeyState.MOUSE_3: ((ANY, KeyStep.KEEP, KeyState.MOUSE_2),),
    KeyState.MOUSE_2: ((ANY, KeyStep.KEEP, KeyState.MOUSE_1),),
    KeyState.MOUSE_1: ((ANY, KeyStep.GIVE, KeyState.NONE),),
    KeyState.DCS: ((">", KeyStep.KEEP, KeyState.ANSWER), (ANY, KeyStep.AGAIN, KeyState.NONE)),
    KeyState.APC: (("G", KeyStep.KEEP, KeyState.ANSWER), (ANY, KeyStep.AGAIN, KeyState.NONE)),
    KeyState.ANSWER: (
        ("\x1b", KeyStep.KEEP, KeyState.ANSWER_ESC),
        (CONTROL, KeyStep.DROP, KeyState.NONE),
        (ANY, KeyStep.KEEP, KeyState.ANSWER),
    ),
    KeyState.ANSWER_ESC: (("\\", KeyStep.DROP, KeyState.NONE), (ANY, KeyStep.ANEW, KeyState.NONE)),
}
"""For each state the first row that has the character. Nothing but the Escape key goes by time: a sequence that has
begun takes what continues it, however late it comes. So of two keys that are pressed after Escape a ``[`` or a capital
O, and what could end a sequence after it, may be taken for the rest of one: better that than a card that is played by
an arrow key."""


class SlowLineParser(XTermParser):
    """A parser that passes on key sequences only whole, however slowly their bytes arrive. `tick` has to be called at
    intervals."""

    def __init__(self, debug: bool = False, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._pasting = False
        self._state = KeyState.NONE
        self._kept = ""  # of a sequence
        self._came = 0.0  # when the last character did
        super().__init__(debug)

    def feed(self, data: str) -> Iterable[Message]:
        """Parse what was read from the terminal; a sequence that isn't complete waits."""
        self._came = self._clock()
        for character in data:
            yield from self._read_character(character)
        if not data:  # the end
            if self._kept and self._state is not KeyState.PRESSED:
                yield from super().feed(self._kept)
            yield from super().feed("")

    def tick(self) -> Iterable[Message]:
        """Pass on what waits, once its time is over."""
        if self._state is KeyState.ESC and self._clock() - self._came >= ESCAPE:
            self._state = KeyState.PRESSED
            yield events.Key("escape", "\x1b")
        yield from super().tick()

    def _read_character(self, character: str) -> Iterator[Message]:
        step, state = next((step, to) for fitting, step, to in NEXT[self._state] if not fitting or character in fitting)
        kept, self._state, self._kept = self._kept, state, ""
        match step:
            case KeyStep.KEEP:
                self._kept = kept + character
                if len(self._kept) > LONGEST:
                    self._state, self._kept = KeyState.NONE, ""
            case KeyStep.GIVE:
                yield from self._pass_on(kept + character)
            case KeyStep.DROP:
                pass
            case KeyStep.ALONE:
                yield from self._pass_on(kept)
                yield from self._read_character(character)
            case KeyStep.AGAIN:
                yield from self._read_character(character)
            case KeyStep.ANEW:
                yield from self._read_character("\x1b")
                yield from self._read_character(character)

    def _pass_on(self, whole: str) -> Iterator[Message]:
        """Pass a whole sequence on to the toolkit, which would read an unknown one as single keys after a while."""
        yield from super().feed(whole)
        self._pasting = whole == PASTES or (self._pasting and whole != PASTED)
        waits = self._timeout_time is not None and not self._pasting
        if waits and len(whole) > 2:
            Parser.__init__(self)  # it forgets the sequence
        elif waits:
            self._timeout_time = 0.0
            yield from super().tick()


def use_slow_line_parser() -> None:
    """Make the toolkit read keys by `SlowLineParser`; on Windows, whose console gives whole keys, do nothing."""
    if sys.platform != "win32":
        from textual.drivers import linux_driver

        linux_driver.XTermParser = SlowLineParser  # type: ignore[attr-defined]
