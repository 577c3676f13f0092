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

from p2pcards.tui.appearance import Palette, Shows, ink_style
from p2pcards.tui.picture.art import Paint, back_svg, card_svg
from p2pcards.tui.picture.canvas import Run
from p2pcards.tui.picture.faces import CardPart, part_of_ink, suit_ink

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


def is_worth_asking(environment: Mapping[str, str]) -> bool:
    """Return whether the terminal may show pictures; asking one that doesn't answer takes a second."""
    names = [environment.get(name, "").lower() for name in ("TERM", "TERM_PROGRAM", "LC_TERMINAL")]
    return any(environment.get(name) for name in NAMED) or any(part in name for part in NAMES for name in names)


def parse_answer(answer: str, known: tuple[int, int] = (0, 0)) -> Shows | None:
    """The pictures that the answer to `QUESTION` promises; None for none, or where a character's size is unknown.
    known: (width, height) of a character in pixels, if the system knows; else 0."""
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
        """None: the console of Windows isn't asked."""
        return None

else:
    import fcntl
    import select
    import termios
    import tty

    def ask_terminal(waits: float = WAITS) -> Shows | None:
        """Ask the terminal which pictures it shows, before the toolkit reads keys; None where it shows none, or keys
        that were pressed already would be lost. waits: seconds for the answer."""
        if not (sys.__stdin__ and sys.__stdout__ and sys.__stdin__.isatty() and sys.__stdout__.isatty()):
            return None
        keys, screen = sys.__stdin__.fileno(), sys.__stdout__.fileno()
        if select.select([keys], [], [], 0)[0]:
            return None
        before = termios.tcgetattr(keys)
        try:
            tty.setcbreak(keys, termios.TCSANOW)
            os.write(screen, QUESTION.encode())
            return parse_answer(_read_answer(keys, waits), _character_size(screen))
        finally:
            termios.tcsetattr(keys, termios.TCSANOW, before)

    def _character_size(screen: int) -> tuple[int, int]:
        """(width, height) of a character in pixels, by the kernel; 0 where it doesn't know."""
        packed = fcntl.ioctl(screen, termios.TIOCGWINSZ, bytes(8))
        lines, letters, width, height = struct.unpack("HHHH", packed)
        return width // max(1, letters), height // max(1, lines)

    def _read_answer(keys: int, waits: float) -> str:
        """Read the terminal's answers until the last one or the time limit. keys: file descriptor to read; waits:
        seconds."""
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
def _card_png(part: CardPart, shows: Shows, palette: Palette) -> bytes:
    """The PNG of the whole card that this part belongs to, on the table's colour."""
    import resvg_py  # it takes a moment, and few terminals show pictures

    width, height = part.columns * shows.columns, part.rows * shows.rows
    mood = f".{part.mood}" if part.mood else ""
    frame = ink_style(f"card{mood}", palette)
    if part.card:
        ink = _front_colour(ink_style(f"{suit_ink(part.card)}{mood}", palette))
        drawn = card_svg(part.card, width, height, Paint(_back_colour(frame), ink, _front_colour(frame), part.chosen))
    else:
        back = ink_style("back", palette)
        drawn = back_svg(
            width, height, Paint(_back_colour(back), _front_colour(back), _front_colour(frame), part.chosen)
        )
    table = _back_colour(ink_style("", palette))
    return bytes(resvg_py.svg_to_bytes(svg_string=drawn, background=table, skip_system_fonts=True))


def _front_colour(style: Style) -> str:
    return style.color.get_truecolor().hex if style.color else "#000000"


def _back_colour(style: Style) -> str:
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
    """Shows cards by kitty's protocol. send: writes to the terminal."""

    def __init__(self, shows: Shows, send: Callable[[str], None]) -> None:
        self._shows = shows
        self._send = send
        self._numbers: dict[tuple[CardPart, Palette], int] = {}

    def row(self, runs: Sequence[Run], number: int, palette: Palette) -> list[Segment]:  # noqa: ARG002
        """A row of the screen, with placeholders for the pictures. number: of the row, from 0."""
        segments = []
        for text, ink in runs:
            if part := part_of_ink(ink):
                place = f"{PLACE}{NUMBERS[part.row]}{NUMBERS[part.column]}"
                segments.append(Segment(place, self._placeholder_style(part, palette)))
            else:
                segments.append(Segment(text, ink_style(ink, palette)))
        return segments

    def _placeholder_style(self, part: CardPart, palette: Palette) -> Style:
        """The style of a placeholder; its foreground colour is the picture's number."""
        key = (part.whole, palette)
        number = self._numbers.get(key)
        if number is None:
            if len(self._numbers) >= KEPT:
                self.put_away()
            number = self._numbers[key] = FIRST + len(self._numbers)
            self._send("".join(_transmission(number, part, _card_png(part.whole, self._shows, palette))))
        return _numbered_style(number, _back_colour(ink_style("", palette)))

    def put_away(self) -> None:
        """Delete our pictures in the terminal."""
        self._send("".join([f"\x1b_Ga=d,d=I,i={number},q=2\x1b\\" for number in self._numbers.values()]))
        self._numbers = {}


def _transmission(number: int, part: CardPart, png: bytes) -> Iterator[str]:
    data = b64encode(png).decode()
    chunks = [data[start : start + CHUNK] for start in range(0, len(data), CHUNK)]
    for place, chunk in enumerate(chunks):
        what = f"a=T,U=1,f=100,i={number},c={part.columns},r={part.rows},q=2," if place == 0 else ""
        yield f"\x1b_G{what}m={int(place < len(chunks) - 1)};{chunk}\x1b\\"


@cache
def _numbered_style(number: int, table: str) -> Style:
    return Style(color=f"#{number:06x}", bgcolor=table)


# --- sixel: behind the characters of a row come pictures of their size, which hide them -------------------------------


class SixelDeck:
    def __init__(self, shows: Shows) -> None:
        self._shows = shows

    def row(self, runs: Sequence[Run], number: int, palette: Palette) -> list[Segment]:
        """A row of the screen, whose pictures follow its characters. number: of the row, from 0."""
        segments, column = [], 0
        places: list[tuple[int, CardPart]] = []
        for text, ink in runs:
            segment = Segment(text, ink_style(ink, palette))
            segments.append(segment)
            if part := part_of_ink(ink):
                places.append((column, part))
            column += segment.cell_length
        for start, first, length in _card_strips(places):
            data = _strip_sixels(first, length, self._shows, palette)
            text = f"\x1b7\x1b[{number + 1};{start + 1}H{data}\x1b8"
            segments.append(Segment(text, None, [(ControlType.CURSOR_FORWARD, 0)]))
        return segments

    def put_away(self) -> None:
        """Do nothing: sixels vanish when they are written over."""


def _card_strips(places: Sequence[tuple[int, CardPart]]) -> Iterator[tuple[int, CardPart, int]]:
    """(screen column, first part, number of columns) of neighbouring parts of one card."""
    numbered = [(column - number, column, part) for number, (column, part) in enumerate(places)]
    for _, group in groupby(numbered, lambda place: (place[0], place[2].whole, place[1] - place[2].column)):
        strip = list(group)
        yield strip[0][1], strip[0][2], len(strip)


BAND = 6
"""Rows of pixels in a sixel."""
NOTHING = 0x3F
REPEATED = re.compile(rb"(.)\1{3,}", re.DOTALL)


@lru_cache(KEPT * 8)
def _strip_sixels(first: CardPart, length: int, shows: Shows, palette: Palette) -> str:
    """The sixels for `length` columns of one row of a card, from this part on."""
    colours, rows = _index_colours(_card_png(first.whole, shows, palette))
    left, top = first.column * shows.columns, first.row * shows.rows
    width = length * shows.columns
    strip = [row[left : left + width] for row in rows[top : top + shows.rows]]
    used = sorted(set(b"".join(strip)))
    inks = "".join([f"#{one};2;{';'.join([str(round(part / 2.55)) for part in colours[one]])}" for one in used])
    bands = [_sixel_band(strip[start : start + BAND], width) for start in range(0, len(strip), BAND)]
    return f'\x1bP0;1q"1;1;{width};{len(strip)}{inks}{"-".join(bands)}\x1b\\'


def _sixel_band(rows: Sequence[bytes], width: int) -> str:
    """Six rows of pixels as sixels, colour by colour."""
    lines = []
    for colour in sorted(set(b"".join(rows))):
        bits = 0
        for place, row in enumerate(rows):
            bits |= int.from_bytes(row.translate(_sixel_bit(colour, place)), "big")
        line = (bits + int.from_bytes(bytes([NOTHING]) * width, "big")).to_bytes(width, "big")
        line = REPEATED.sub(lambda run: b"!%d%c" % (len(run[0]), run[1]), line)
        lines.append(f"#{colour}{line.decode()}")
    return "$".join(lines)


@cache
def _sixel_bit(colour: int, place: int) -> bytes:
    return bytes([(one == colour) << place for one in range(256)])


STEP = 17
"""Between two shades of a colour: what is drawn has few colours, and a terminal has 256 places for all of them."""
MOST_COLOURS = 256
PLAIN = 8
"""Colours that are kept as they are, those of most pixels; the others lie between two of them, at an edge."""


@lru_cache(KEPT)
def _index_colours(png: bytes) -> tuple[tuple[tuple[int, int, int], ...], tuple[bytes, ...]]:
    """(palette, rows of colour numbers) of a PNG."""
    pixels = [tuple(zip(row[0::4], row[1::4], row[2::4], strict=True)) for row in unpack_png(png)]
    plain = dict(Counter(chain.from_iterable(pixels)).most_common(PLAIN))
    numbers: dict[tuple[int, int, int], int] = {}
    rows = []
    for row in pixels:
        shown = [one if one in plain else _reduce_shade(one) for one in row]
        rows.append(bytes([numbers.setdefault(one, len(numbers)) % MOST_COLOURS for one in shown]))
    return tuple(numbers), tuple(rows)


def _reduce_shade(pixel: tuple[int, int, int]) -> tuple[int, int, int]:
    red, green, blue = pixel
    return red // STEP * STEP, green // STEP * STEP, blue // STEP * STEP


def unpack_png(png: bytes) -> Iterator[bytes]:
    """The rows of a PNG, four bytes a pixel, as our own writer packs them (RFC 2083: 8 bits, RGBA)."""
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
        before = _unfilter_row(raw[start], raw[start + 1 : start + 1 + size], before)
        yield before


SUB, UP, AVERAGE = 1, 2, 3


def _unfilter_row(kind: int, row: bytes, above: bytes) -> bytes:
    """Undo a row's filter (RFC 2083, chapter 6)."""
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


def make_deck(shows: Shows | None, colours: str | None, send: Callable[[str], None]) -> KittyDeck | SixelDeck | None:
    """The deck that shows pictures in this terminal, None for no pictures. colours: the terminal's colour system, as
    rich names it, since kitty's picture numbers are colours; send: writes to the terminal."""
    if shows is None:
        return None
    if shows.protocol == "kitty":
        return KittyDeck(shows, send) if colours == "truecolor" else None
    return SixelDeck(shows)
