"""Cards as real pictures, where the terminal can show them: by kitty's graphics protocol or by sixel.

A picture takes the places of the characters of its card, each its own part, so cards that overlap, move or lie under a
panel need no care. Sources: https://sw.kovidgoyal.net/kitty/graphics-protocol, the section on Unicode placeholders; the
VT330/VT340 Programmer Reference Manual, volume 2, chapter 14, for sixel."""

from __future__ import annotations

import os
import re
import struct
import sys
import zlib
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, count, groupby
from time import monotonic

from rich.segment import ControlType, Segment
from rich.style import Style

from p2pcards.tui.appearance import Palette, Shows, style_of
from p2pcards.tui.picture.art import Paint, back_svg, card_svg
from p2pcards.tui.picture.canvas import Run
from p2pcards.tui.picture.faces import CardPart, part_of, suit_ink

# --- what the terminal says that it can show --------------------------------------------------------------------------


QUESTION = "\x1b[>q\x1b_Gi=1,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[16t\x1b[c"
"""What it is called, whether it shows a picture of one pixel by kitty's protocol, how large a character is, and what it
can do; the last every terminal answers."""
LAST = re.compile(r"\x1b\[\?([\d;]*)c")
KITTY = "\x1b_Gi=1;OK"
PLACES = re.compile(r"\x1bP>\|(?:ghostty|kitty\((?:0\.(?:2[89]|[3-9]\d)|[1-9]))")
"""Those of kitty's protocol that know placeholders, kitty since 0.28; others have the pictures without them."""
CELL = re.compile(r"\x1b\[6;(\d+);(\d+)t")
SIXEL = "4"
"""In the answer to the last."""
WAITS = 1.0
"""Seconds for its answer. Later it would be taken for keys."""
MOST_ANSWERED = 1000
"""Characters."""
MOST_PIXELS = 100
"""Of one character, either way."""

NAMED = ("KITTY_WINDOW_ID", "XTERM_VERSION", "WEZTERM_PANE", "KONSOLE_VERSION", "GHOSTTY_RESOURCES_DIR", "MLTERM")
"""Variables of terminals that show pictures, or may."""
NAMES = ("kitty", "ghostty", "wezterm", "foot", "contour", "mlterm", "sixel", "vt340", "iterm", "vscode")
"""Parts of what the others call themselves."""


def may_show(environment: Mapping[str, str]) -> bool:
    """Whether the terminal is of a kind that is worth asking. One that does not answer costs a second."""
    names = [environment.get(name, "").lower() for name in ("TERM", "TERM_PROGRAM", "LC_TERMINAL")]
    return any(environment.get(name) for name in NAMED) or any(part in name for part in NAMES for name in names)


def understood(answer: str, known: tuple[int, int] = (0, 0)) -> Shows | None:
    """What the answers to `QUESTION` mean; None where no picture can be shown, or a character's size is not known.
    known: its (columns, rows) in pixels, where the answer does not tell; 0 where that is not known."""
    last, cell = LAST.search(answer), CELL.search(answer)
    if not last:
        return None
    columns, rows = (int(cell[2]), int(cell[1])) if cell else known
    if not (0 < rows <= MOST_PIXELS and 0 < columns <= MOST_PIXELS):
        return None
    if KITTY in answer and PLACES.search(answer):
        return Shows("kitty", columns, rows)
    return Shows("sixel", columns, rows) if SIXEL in last[1].split(";") else None


if sys.platform == "win32":

    def ask_terminal(waits: float = WAITS) -> Shows | None:  # noqa: ARG001
        """The console of Windows is not asked."""
        return None

else:
    import fcntl
    import select
    import termios
    import tty

    def ask_terminal(waits: float = WAITS) -> Shows | None:
        """Before the toolkit reads keys, and not where some have been pressed already: they are not to be lost. waits:
        seconds for the answer."""
        if not (sys.__stdin__ and sys.__stdout__ and sys.__stdin__.isatty() and sys.__stdout__.isatty()):
            return None
        keys, screen = sys.__stdin__.fileno(), sys.__stdout__.fileno()
        if select.select([keys], [], [], 0)[0]:
            return None
        before = termios.tcgetattr(keys)
        try:
            tty.setcbreak(keys, termios.TCSANOW)
            os.write(screen, QUESTION.encode())
            return understood(_answered(keys, waits), _character(screen))
        finally:
            termios.tcsetattr(keys, termios.TCSANOW, before)

    def _character(screen: int) -> tuple[int, int]:
        """As the kernel knows it of the window."""
        packed = fcntl.ioctl(screen, termios.TIOCGWINSZ, bytes(8))
        lines, letters, width, height = struct.unpack("HHHH", packed)
        return width // max(1, letters), height // max(1, lines)

    def _answered(keys: int, waits: float) -> str:
        """Until the last answer has come, or it is late."""
        answer, end = "", monotonic() + waits
        while not LAST.search(answer) and len(answer) < MOST_ANSWERED:
            if not select.select([keys], [], [], max(0.0, end - monotonic()))[0]:
                break
            answer += os.read(keys, MOST_ANSWERED).decode("latin-1")
        return answer


# --- a card as a picture of so many pixels ----------------------------------------------------------------------------

KEPT = 600
"""Pictures. Two packs have 106 cards, each in a few moods."""


@lru_cache(KEPT)
def _png(part: CardPart, shows: Shows, palette: Palette) -> bytes:
    """The whole card that it is part of, on the colour of the table."""
    import resvg_py  # it takes a moment, and few terminals show pictures

    width, height = part.columns * shows.columns, part.rows * shows.rows
    mood = f".{part.mood}" if part.mood else ""
    frame = style_of(f"card{mood}", palette)
    if part.card:
        ink = _front(style_of(f"{suit_ink(part.card)}{mood}", palette))
        drawn = card_svg(part.card, width, height, Paint(_behind(frame), ink, _front(frame), part.chosen))
    else:
        back = style_of("back", palette)
        drawn = back_svg(width, height, Paint(_behind(back), _front(back), _front(frame), part.chosen))
    table = _behind(style_of("", palette))
    return bytes(resvg_py.svg_to_bytes(svg_string=drawn, background=table, skip_system_fonts=True))


def _front(style: Style) -> str:
    return style.color.get_truecolor().hex if style.color else "#000000"


def _behind(style: Style) -> str:
    return style.bgcolor.get_truecolor().hex if style.bgcolor else "#ffffff"


# --- kitty: a picture is sent once, and each character says which part of it stands there -----------------------------

PLACE = "\U0010eeee"
NUMBERS = "\u0305\u030d\u030e\u0310\u0312\u033d\u033e\u033f\u0346\u034a\u034b\u034c\u0350\u0351\u0352\u0357"
"""Marks above a character that mean 0 to 15, a row or a column of the picture. No card is drawn larger."""
FIRST = 0x703200
"""The number of our first picture. Others of the same terminal begin at 1."""
CHUNK = 4096
"""Characters that the protocol takes at once."""


class KittyDeck:
    """send: writes to the terminal."""

    def __init__(self, shows: Shows, send: Callable[[str], None]) -> None:
        self._shows = shows
        self._send = send
        self._numbers: dict[tuple[CardPart, Palette], int] = {}

    def row(self, runs: Sequence[Run], number: int, palette: Palette) -> list[Segment]:  # noqa: ARG002
        """A row of the screen, with what stands for pictures."""
        segments = []
        for text, ink in runs:
            if part := part_of(ink):
                place = f"{PLACE}{NUMBERS[part.row]}{NUMBERS[part.column]}"
                segments.append(Segment(place, self._style(part, palette)))
            else:
                segments.append(Segment(text, style_of(ink, palette)))
        return segments

    def _style(self, part: CardPart, palette: Palette) -> Style:
        """The colour in front is the number of the picture."""
        key = (part.whole, palette)
        number = self._numbers.get(key)
        if number is None:
            if len(self._numbers) >= KEPT:
                self.put_away()
            number = self._numbers[key] = FIRST + len(self._numbers)
            self._send("".join(_sent(number, part, _png(part.whole, self._shows, palette))))
        return _numbered(number, _behind(style_of("", palette)))

    def put_away(self) -> None:
        """The terminal forgets our pictures."""
        self._send("".join([f"\x1b_Ga=d,d=I,i={number},q=2\x1b\\" for number in self._numbers.values()]))
        self._numbers = {}


def _sent(number: int, part: CardPart, png: bytes) -> Iterator[str]:
    data = b64encode(png).decode()
    chunks = [data[start : start + CHUNK] for start in range(0, len(data), CHUNK)]
    for place, chunk in enumerate(chunks):
        what = f"a=T,U=1,f=100,i={number},c={part.columns},r={part.rows},q=2," if place == 0 else ""
        yield f"\x1b_G{what}m={int(place < len(chunks) - 1)};{chunk}\x1b\\"


@cache
def _numbered(number: int, table: str) -> Style:
    return Style(color=f"#{number:06x}", bgcolor=table)


# --- sixel: behind the characters of a row come pictures of their size, which hide them -------------------------------


class SixelDeck:
    def __init__(self, shows: Shows) -> None:
        self._shows = shows

    def row(self, runs: Sequence[Run], number: int, palette: Palette) -> list[Segment]:
        """A row of the screen; the terminal shows the pictures after its characters. number: of the row, from 0."""
        segments, column = [], 0
        places: list[tuple[int, CardPart]] = []
        for text, ink in runs:
            segment = Segment(text, style_of(ink, palette))
            segments.append(segment)
            if part := part_of(ink):
                places.append((column, part))
            column += segment.cell_length
        for start, first, length in _strips(places):
            data = _sixels(first, length, self._shows, palette)
            text = f"\x1b7\x1b[{number + 1};{start + 1}H{data}\x1b8"
            segments.append(Segment(text, None, [(ControlType.CURSOR_FORWARD, 0)]))
        return segments

    def put_away(self) -> None:
        """Sixels are gone with what is written over them."""


def _strips(places: Sequence[tuple[int, CardPart]]) -> Iterator[tuple[int, CardPart, int]]:
    """(column of the screen, its part, how many columns) of neighbours that are of one card."""
    numbered = [(column - number, column, part) for number, (column, part) in enumerate(places)]
    for _, group in groupby(numbered, lambda place: (place[0], place[2].whole, place[1] - place[2].column)):
        strip = list(group)
        yield strip[0][1], strip[0][2], len(strip)


BAND = 6
"""Rows of pixels in a sixel."""
NOTHING = 0x3F
REPEATED = re.compile(rb"(.)\1{3,}", re.DOTALL)


@lru_cache(KEPT * 8)
def _sixels(first: CardPart, length: int, shows: Shows, palette: Palette) -> str:
    """So many columns of one row of a card, from this part on."""
    colours, rows = _indexed(_png(first.whole, shows, palette))
    left, top = first.column * shows.columns, first.row * shows.rows
    width = length * shows.columns
    strip = [row[left : left + width] for row in rows[top : top + shows.rows]]
    used = sorted(set(b"".join(strip)))
    inks = "".join([f"#{one};2;{';'.join([str(round(part / 2.55)) for part in colours[one]])}" for one in used])
    bands = [_band(strip[start : start + BAND], width) for start in range(0, len(strip), BAND)]
    return f'\x1bP0;1q"1;1;{width};{len(strip)}{inks}{"-".join(bands)}\x1b\\'


def _band(rows: Sequence[bytes], width: int) -> str:
    """Colour after colour, each with the columns' bits."""
    lines = []
    for colour in sorted(set(b"".join(rows))):
        bits = 0
        for place, row in enumerate(rows):
            bits |= int.from_bytes(row.translate(_bit(colour, place)), "big")
        line = (bits + int.from_bytes(bytes([NOTHING]) * width, "big")).to_bytes(width, "big")
        line = REPEATED.sub(lambda run: b"!%d%c" % (len(run[0]), run[1]), line)
        lines.append(f"#{colour}{line.decode()}")
    return "$".join(lines)


@cache
def _bit(colour: int, place: int) -> bytes:
    return bytes([(one == colour) << place for one in range(256)])


STEP = 17
"""Between two shades of a colour: what is drawn has few colours, and a terminal has 256 places for all of them."""
MOST_COLOURS = 256
PLAIN = 8
"""Colours that are kept as they are, those of most pixels; the others lie between two of them, at an edge."""


@lru_cache(KEPT)
def _indexed(png: bytes) -> tuple[tuple[tuple[int, int, int], ...], tuple[bytes, ...]]:
    """Its colours, and for each row of pixels the number of each one's."""
    pixels = [tuple(zip(row[0::4], row[1::4], row[2::4], strict=True)) for row in unpacked(png)]
    plain = dict(Counter(chain.from_iterable(pixels)).most_common(PLAIN))
    numbers: dict[tuple[int, int, int], int] = {}
    rows = []
    for row in pixels:
        shown = [one if one in plain else _shade(one) for one in row]
        rows.append(bytes([numbers.setdefault(one, len(numbers)) % MOST_COLOURS for one in shown]))
    return tuple(numbers), tuple(rows)


def _shade(pixel: tuple[int, int, int]) -> tuple[int, int, int]:
    red, green, blue = pixel
    return red // STEP * STEP, green // STEP * STEP, blue // STEP * STEP


def unpacked(png: bytes) -> Iterator[bytes]:
    """The rows of a picture with four bytes a pixel, as its writer packs them (RFC 2083: 8 bits, RGBA)."""
    width, _ = struct.unpack(">II", png[16:24])
    packed, place = b"", 8
    while place < len(png):
        length, kind = struct.unpack(">I4s", png[place : place + 8])
        if kind == b"IDAT":
            packed += png[place + 8 : place + 8 + length]
        place += length + 12
    raw, size = zlib.decompress(packed), width * 4
    before = bytes(size)
    for start in range(0, len(raw), size + 1):
        before = _unfiltered(raw[start], raw[start + 1 : start + 1 + size], before)
        yield before


SUB, UP, AVERAGE = 1, 2, 3


def _unfiltered(kind: int, row: bytes, above: bytes) -> bytes:
    """RFC 2083, chapter 6."""
    if kind == 0:
        return row
    if kind == UP:
        return bytes([(one + up) & 255 for one, up in zip(row, above, strict=True)])
    made = bytearray(4)  # left of the first pixel
    for one, left_at, up, corner in zip(row, count(), above, bytes(4) + above, strict=False):
        left = made[left_at]
        if kind == SUB:
            guess = left
        elif kind == AVERAGE:
            guess = (left + up) // 2
        else:
            across, down, both = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
            guess = left if across <= down and across <= both else up if down <= both else corner
        made.append((one + guess) & 255)
    return bytes(made[4:])


# --- what is shown of a row -------------------------------------------------------------------------------------------


def deck_for(shows: Shows | None, colours: str | None, send: Callable[[str], None]) -> KittyDeck | SixelDeck | None:
    """None where there are no pictures. colours: the terminal's, as rich names them; kitty's numbers are colours."""
    if shows is None:
        return None
    if shows.protocol == "kitty":
        return KittyDeck(shows, send) if colours == "truecolor" else None
    return SixelDeck(shows)
