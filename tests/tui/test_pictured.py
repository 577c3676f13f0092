"""Cards as pictures: what the terminal is asked, what it is sent, and what is left of the characters."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import tty
import zlib
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards.card import BACK, Card, parse_card
from p2pcards.tui.appearance import Appearance, Palette, Shows
from p2pcards.tui.felt import Felt
from p2pcards.tui.picture.art import Paint, back_svg, card_svg
from p2pcards.tui.picture.canvas import Canvas, Picture, overlay_picture
from p2pcards.tui.picture.faces import FORMS, LARGE, REGULAR, Face, Form, Look, card_picture, draw_card, part_of_ink
from p2pcards.tui.pictured import (
    KITTY,
    LAST,
    PLACE,
    QUESTION,
    KittyDeck,
    SixelDeck,
    is_worth_asking,
    make_deck,
    parse_answer,
    unpack_png,
)
from rigs.screen_table import Screened, screened

LOOK = Look(pictures=True)
PAINT = Paint("#fffdf5", "#c8102e", "#55606a")
EVERY = [Card(byte) for byte in range(256) if 2 <= byte & 15 <= 14]

# --- what the terminal says -------------------------------------------------------------------------------------------

XTERM = "\x1bP>|XTerm(379)\x1b\\\x1b[6;19;9t\x1b[?63;1;2;4;6;9;15;16;22;28c"
NEW_KITTY = "\x1bP>|kitty(0.41.1)\x1b\\\x1b_Gi=1;OK\x1b\\\x1b[6;20;10t\x1b[?62;c"
WEZTERM = "\x1bP>|WezTerm 20240203\x1b\\\x1b_Gi=1;OK\x1b\\\x1b[6;20;10t\x1b[?65;4;6;18;22c"


@pytest.mark.parametrize(
    ("answer", "known", "shows"),
    [
        (XTERM, (0, 0), Shows("sixel", 9, 19)),
        (XTERM.replace("\x1b[6;19;9t", ""), (6, 13), Shows("sixel", 6, 13)),  # as it does not tell by itself
        (XTERM.replace("\x1b[6;19;9t", ""), (0, 0), None),
        (XTERM.replace(";4;", ";"), (0, 0), None),
        (NEW_KITTY, (0, 0), Shows("kitty", 10, 20)),
        (NEW_KITTY.replace("0.41.1", "0.26.5"), (0, 0), None),
        (NEW_KITTY.replace("0.41.1", "0.28.0"), (0, 0), Shows("kitty", 10, 20)),
        (NEW_KITTY.replace("kitty(0.41.1)", "ghostty 1.1.3"), (0, 0), Shows("kitty", 10, 20)),
        (NEW_KITTY.replace(KITTY, "\x1b_Gi=1;ENOTSUP"), (0, 0), None),
        (WEZTERM, (0, 0), Shows("sixel", 10, 20)),
        (WEZTERM.replace("[6;20;10t", "[6;20000;10t"), (0, 0), None),
        ("\x1b[?1;2c", (9, 19), None),
        ("", (9, 19), None),
        ("4c", (9, 19), None),
    ],
)
def test_what_the_terminal_answers_says_how_it_shows_pictures(
    answer: str, known: tuple[int, int], shows: Shows | None
) -> None:
    assert parse_answer(answer, known) == shows


@given(st.text(max_size=200))
def test_any_answer_is_understood_or_is_none(answer: str) -> None:
    assert parse_answer(answer) is None or LAST.search(answer)


@pytest.mark.parametrize(
    ("environment", "worth"),
    [
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, True),
        ({"TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"}, True),
        ({"TERM": "xterm", "XTERM_VERSION": "XTerm(379)"}, True),
        ({"TERM": "foot"}, True),
        ({"TERM": "xterm-256color"}, False),
        ({"TERM": "linux"}, False),
        ({}, False),
    ],
)
def test_only_terminals_that_may_show_pictures_are_asked(environment: dict[str, str], worth: bool) -> None:
    assert is_worth_asking(environment) == worth


ASK = "from p2pcards.tui.pictured import ask_terminal; shows = ask_terminal(60.0); print(); print('it shows', shows)"


def asked(answer: str, typed_before: str = "") -> str:
    """What a program prints that asks a terminal which answers so."""
    ours, theirs = pty.openpty()
    tty.setcbreak(theirs, termios.TCSANOW)  # keys come one by one, not as lines
    os.write(ours, typed_before.encode())
    with subprocess.Popen([sys.executable, "-c", ASK], stdin=theirs, stdout=theirs) as child:
        os.close(theirs)
        seen = ""
        while "it shows" not in seen or not seen.endswith("\n"):
            seen += os.read(ours, 1000).decode()
            if QUESTION in seen:
                os.write(ours, answer.encode())
                answer = ""
        child.wait()
    os.close(ours)
    return seen


def test_a_terminal_is_asked_and_answers() -> None:
    seen = asked(XTERM)
    assert QUESTION in seen
    assert "it shows Shows(protocol='sixel', columns=9, rows=19)" in seen


def test_keys_that_were_pressed_before_are_not_lost_to_the_question() -> None:
    seen = asked(XTERM, typed_before="q")
    assert QUESTION not in seen
    assert "it shows None" in seen


# --- what is drawn ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(50, 60), (70, 80), (110, 160), (200, 280)])
def test_every_card_is_a_drawing_without_a_font(size: tuple[int, int]) -> None:
    drawn = {card_svg(int(card), *size, PAINT) for card in EVERY}
    assert len(drawn) == len(EVERY)
    for svg in [*drawn, back_svg(*size, PAINT)]:
        names = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(svg).iter()}
        assert names <= {"svg", "g", "path", "rect", "clipPath"}


PIP = re.compile(r'<path transform="translate\((\S+) (\S+)\) scale\(\S+ \S+\)"')


@pytest.mark.parametrize(("rank", "number"), [("A", 1), *[(str(number), number) for number in range(2, 11)]])
def test_a_card_has_as_many_pips_as_its_rank_alike_on_the_left_and_the_right(rank: str, number: int) -> None:
    width = 200
    pips = {(float(x), float(y)) for x, y in PIP.findall(card_svg(int(parse_card(f"{rank}S")), width, 280, PAINT))}
    assert len(pips) == number
    assert {(width - x, y) for x, y in pips} == pips


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_pictures_change_nothing_of_the_characters(form: Form) -> None:
    for card in (parse_card("10H"), parse_card("KS"), BACK):
        for mood in ("", "dim", "chosen", "marked"):
            face = Face(int(card), mood=mood, below="1")
            plain = card_picture(face, form, Look())
            assert card_picture(face, form, LOOK).text() == plain.text()


def test_each_character_says_which_part_of_the_card_stands_there_but_the_key_below() -> None:
    picture = card_picture(Face(int(parse_card("QD")), below="7"), REGULAR, LOOK)
    parts = [part_of_ink(ink) for row in picture.rows for _, ink in row]
    found = {(part.row, part.column) for part in parts if part}
    every = {(row, column) for row in range(REGULAR.rows) for column in range(REGULAR.columns)}
    assert every - found == {(REGULAR.rows - 1, 1)}


def test_a_back_of_ones_own_stays_as_it_was_drawn() -> None:
    own = Look(pictures=True, pattern=("ab", "cd"))
    assert card_picture(Face(0), REGULAR, own).rows == card_picture(Face(0), REGULAR, Look(pattern=("ab", "cd"))).rows


# --- what the terminal is sent ----------------------------------------------------------------------------------------

SIZE = Shows("sixel", 7, 15)
SIXEL = re.compile(r'\x1b7\x1b\[(\d+);(\d+)H\x1bP0;1q"1;1;(\d+);(\d+)([^\x1b]*)\x1b\\\x1b8')


def pixels_sent(picture: Picture, shows: Shows = SIZE) -> dict[tuple[int, int], tuple[int, ...]]:
    """The colours of all pixels that a terminal of sixels shows, by (column, row)."""
    deck, found = SixelDeck(shows), {}
    for number, row in enumerate(picture.rows):
        for segment in deck.row(row, number, Palette()):
            if not segment.control:
                continue
            said = SIXEL.fullmatch(segment.text)
            assert said, segment.text[:40]
            left, top = (int(said[2]) - 1) * shows.columns, (int(said[1]) - 1) * shows.rows
            for (across, down), colour in painted(said[5]).items():
                assert across < int(said[3])
                assert down < int(said[4]) == shows.rows
                found[left + across, top + down] = colour
    return found


def painted(sixels: str) -> dict[tuple[int, int], tuple[int, ...]]:
    """What sixels paint, as a terminal reads them."""
    inks: dict[int, tuple[int, ...]] = {}
    found: dict[tuple[int, int], tuple[int, ...]] = {}
    across, band, ink = 0, 0, 0
    for repeat, value, number, colour, move in re.findall(r"(?:!(\d+))?([?-~])|#(\d+)(;2;[\d;]+)?|([$-])", sixels):
        if number:
            ink = int(number)
            if colour:
                inks[ink] = tuple([int(part) for part in colour.split(";")[2:]])
        elif move:
            across, band = 0, band + (move == "-")
        else:
            times = int(repeat or 1)
            for bit in [bit for bit in range(6) if (ord(value) - 63) >> bit & 1]:
                found |= {(across + more, band * 6 + bit): inks[ink] for more in range(times)}
            across += times
    return found


def whole(card: str) -> Picture:
    return card_picture(Face(int(parse_card(card))), LARGE, LOOK)


def test_every_pixel_of_a_card_is_sent_and_its_face_and_ink_as_they_are() -> None:
    sent = pixels_sent(whole("AS"))
    assert set(sent) == {(x, y) for x in range(LARGE.columns * 7) for y in range(LARGE.rows * 15)}
    assert sent[LARGE.columns * 7 // 2, 12] == (96, 95, 90)  # the face, #f4f1e6
    assert (0, 0, 0) in sent.values()


def test_where_a_card_lies_on_another_each_shows_its_own_part() -> None:
    canvas = Canvas(14, 6)
    draw_card(canvas, 0, 0, LARGE, Face(int(parse_card("KH")), columns=3), LOOK)
    draw_card(canvas, 3, 0, LARGE, Face(int(parse_card("9C"))), LOOK)
    both, king, nine = pixels_sent(canvas.picture()), pixels_sent(whole("KH")), pixels_sent(whole("9C"))
    for (x, y), colour in both.items():
        assert colour == (king[x, y] if x < 3 * 7 else nine[x - 3 * 7, y])


def test_a_card_that_moves_over_another_hides_just_what_is_below_it() -> None:
    table, small = whole("KH"), card_picture(Face(int(parse_card("9C"))), FORMS["small"], LOOK)
    king, nine = pixels_sent(table), pixels_sent(small)
    for (x, y), colour in pixels_sent(overlay_picture(table, 2, 1, small)).items():
        above = (x - 2 * 7, y - 15)
        assert colour == nine.get(above, king[x, y])


def filtered(rows: list[bytes], kinds: list[int]) -> bytes:
    """A picture as another program may pack it, each row by a filter of its own (RFC 2083, chapter 6)."""
    packed, above = b"", bytes(len(rows[0]))
    for row, kind in zip(rows, kinds, strict=True):
        packed += bytes([kind])
        for place, one in enumerate(row):
            left, corner = (row[place - 4], above[place - 4]) if place >= 4 else (0, 0)
            up, guess = above[place], left + above[place] - corner
            near = min((left, up, corner), key=lambda value: abs(guess - value))
            packed += bytes([(one - (0, left, up, (left + up) // 2, near)[kind]) & 255])
        above = row
    head = struct.pack(">IIBBBBB", len(rows[0]) // 4, len(rows), 8, 6, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(packed)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        [struct.pack(">I", len(data)) + kind + data + bytes(4) for kind, data in chunks]
    )


@given(st.data())
def test_a_picture_is_read_by_whichever_filters_it_is_packed(data: st.DataObject) -> None:
    width, height = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 5))
    rows = [data.draw(st.binary(min_size=width * 4, max_size=width * 4)) for _ in range(height)]
    kinds = [data.draw(st.integers(0, 4)) for _ in range(height)]
    assert list(unpack_png(filtered(rows, kinds))) == rows


# --- kitty ------------------------------------------------------------------------------------------------------------


def kitty() -> tuple[KittyDeck, list[str]]:
    sent: list[str] = []
    return KittyDeck(Shows("kitty", 10, 20), sent.append), sent


def test_a_card_is_sent_once_and_its_places_say_what_stands_there() -> None:
    deck, sent = kitty()
    picture = whole("QD")
    rows = [deck.row(row, number, Palette()) for number, row in enumerate(picture.rows)]
    for number, row in enumerate(picture.rows):
        assert deck.row(row, number, Palette()) == rows[number]
    (once,) = sent
    assert "a=T,U=1,f=100," in once
    assert f"c={LARGE.columns},r={LARGE.rows}" in once
    number = int(re.findall(r"i=(\d+)", once)[0])
    for segments in rows:
        assert len(segments) == LARGE.columns
        for segment in segments:
            assert segment.text.startswith(PLACE)
            assert segment.cell_length == 1
            assert segment.style
            assert segment.style.color
            assert segment.style.color.triplet
            assert segment.style.color.triplet.hex == f"#{number:06x}"
    assert len({segment.text for segments in rows for segment in segments}) == LARGE.columns * LARGE.rows


def test_the_chunks_of_a_picture_are_not_longer_than_the_protocol_takes() -> None:
    deck, sent = kitty()
    deck.row(whole("QD").rows[0], 0, Palette())
    chunks = re.findall(r"\x1b_G([^;]*);([^\x1b]*)\x1b\\", sent[0])
    assert all(len(data) <= 4096 for _, data in chunks)
    assert [head[-3:] for head, _ in chunks] == ["m=1" if more else "m=0" for more in reversed(range(len(chunks)))]


def test_the_terminal_forgets_the_pictures_at_the_end() -> None:
    deck, sent = kitty()
    deck.row(whole("QD").rows[0], 0, Palette())
    deck.put_away()
    assert sent[-1].startswith("\x1b_Ga=d,d=I,i=")
    deck.row(whole("QD").rows[0], 0, Palette())
    assert len(sent) == 3


def test_there_are_no_pictures_where_colours_would_be_changed() -> None:
    assert make_deck(Shows("kitty", 10, 20), "256", print) is None
    assert make_deck(None, "truecolor", print) is None
    assert isinstance(make_deck(Shows("kitty", 10, 20), "truecolor", print), KittyDeck)
    assert isinstance(make_deck(SIZE, "256", print), SixelDeck)


# --- at the table -----------------------------------------------------------------------------------------------------


def test_the_table_shows_pictures_and_characters_alone_below_a_panel() -> None:
    appearance = Appearance(LOOK, Palette(), shows=SIZE)

    async def play() -> None:
        async with screened("whist", appearance=appearance) as table:
            hand = pictured(table)
            assert hand
            await table.press("f3")
            assert pictured(table) == 0
            await table.press("escape")
            assert pictured(table) == hand

    asyncio.run(play())


def pictured(table: Screened) -> int:
    """How many pieces of pictures the terminal is sent with the whole screen."""
    felt = table.pilot.app.screen_stack[1].query_one(Felt)
    return sum([bool(segment.control) for y in range(felt.size.height) for segment in felt.render_line(y)])
