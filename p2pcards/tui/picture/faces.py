"""Cards as they are drawn, each row of one a piece; and a sample of them beside the settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from p2pcards.cards.card import Card, parse_card
from p2pcards.present.cards import Style, card_text
from p2pcards.present.width import fit_text
from p2pcards.tui.picture.canvas import Canvas, Picture

# --- cards as they are drawn ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Form:
    """The size of a drawn card, in characters."""

    columns: int
    rows: int


FORMS = {"small": Form(5, 3), "regular": Form(7, 4), "large": Form(9, 6), "extra": Form(11, 8)}
SMALL, REGULAR, LARGE, EXTRA = FORMS.values()
LOWER = "window-low"
"""The size that is one smaller than there is room for."""


@dataclass(frozen=True, slots=True)
class CardFrame:
    """The characters of a card's frame."""

    corners: str  # clockwise from the upper left
    level: str  # upper edge
    upright: str  # left side
    lower: str  # lower edge
    right: str  # right side


ROUND, SQUARE, PLAIN = (
    CardFrame("╭╮╯╰", "─", "│", "─", "│"),
    CardFrame("┌┐┘└", "─", "│", "─", "│"),
    CardFrame("++++", "-", "|", "-", "|"),
)
SHADED, SHADED_SQUARE, SHADED_PLAIN = (
    CardFrame("╭┒┛┕", "─", "│", "━", "┃"),
    CardFrame("┌┒┛┕", "─", "│", "━", "┃"),
    CardFrame("++++", "-", "|", "=", "|"),
)
CHOSEN, CHOSEN_PLAIN = CardFrame("╔╗╝╚", "═", "║", "═", "║"), CardFrame("####", "=", "#", "=", "#")

BACKS = {
    "shade": ("░", "#"),
    "dense": ("▒", "%"),
    "weave": ("▚", "x"),
    "bricks": ("▤", "="),
    "bars": ("▥", "|"),
    "check": ("▦", "+"),
    "slant": ("╱", "/"),
    "backslant": ("╲", "\\"),
    "lattice": ("╳", "X"),
    "dots": ("·", "."),
    "rings": ("∘", "o"),
    "stars": ("∗", "*"),
    "waves": ("∼", "~"),
    "crosses": ("┼", "t"),
    "diamonds": ("⋄", "v"),
    "plain": (" ", " "),
}
"""By name the character of a card's back, and the same in ASCII."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a table is drawn."""

    ascii: bool = False  # nothing but ASCII
    square: bool = False  # square corners of cards
    back: str = "shade"  # one of `BACKS`
    # The largest form of a card: one of `FORMS`, "window" for as large as there is room for, "window-low" for one
    # smaller.
    size: str = "window"
    pattern: tuple[str, ...] = ()  # rows to repeat over the back in place of `back`; () for none
    stagger: bool = False  # every other suit of the hand lies a row higher
    tint: bool = False  # cards in melds have a color of their own
    shaded: bool = False  # draw a shadow under cards
    pictures: bool = False  # cards are pictures: the ink of each of their characters is a `CardPart`
    rules: bool = True  # frame the rules in force, where there is room

    @property
    def style(self) -> Style:
        """The style of texts in the drawing, without colours."""
        return Style(ascii=self.ascii)

    @property
    def frame(self) -> CardFrame:
        """The characters of an ordinary card's frame."""
        if self.shaded:
            return SHADED_PLAIN if self.ascii else SHADED_SQUARE if self.square else SHADED
        return PLAIN if self.ascii else SQUARE if self.square else ROUND

    @property
    def chosen(self) -> CardFrame:
        """The characters of a selected card's frame."""
        return CHOSEN_PLAIN if self.ascii else CHOSEN


@dataclass(frozen=True, slots=True)
class Face:
    """A card to draw."""

    card: int  # as a byte, 0 for a back
    columns: int = 99  # visible ones, where another card covers the rest
    # Part of the ink: "", "dim", "chosen", "marked", "melded", "new" or "won"; or "away" for an empty place.
    mood: str = ""
    below: str = ""  # text in its lower edge
    at: bool = False  # it is selected, whatever its mood

    @property
    def is_chosen(self) -> bool:
        """Return whether the card has the frame of a selected one."""
        return self.at or self.mood == "chosen"


@dataclass(frozen=True, slots=True)
class CardPart:
    """One character's place in a drawn card."""

    card: int  # as in `Face`
    columns: int  # of the whole card
    rows: int  # of the whole card
    mood: str  # as in `Face`
    chosen: bool  # it has the frame of a chosen card
    row: int  # of this character, from 0 at the top
    column: int  # of this character, from 0 on the left

    @property
    def whole(self) -> CardPart:
        """The part that stands for the whole card, equal for all its parts."""
        return replace(self, row=0, column=0)

    @property
    def ink(self) -> str:
        """The ending of the ink that marks this part."""
        return f"|{self.card}|{self.columns}|{self.rows}|{self.mood}|{self.chosen:d}|{self.row}|{self.column}"


@cache
def part_of_ink(ink: str) -> CardPart | None:
    """The part of a card that is drawn in this ink, None for other inks."""
    _, *said = ink.split("|")
    if not said:
        return None
    card, columns, rows, mood, chosen, row, column = said
    return CardPart(int(card), int(columns), int(rows), mood, chosen == "1", int(row), int(column))


def draw_card(canvas: Canvas, column: int, row: int, form: Form, face: Face, look: Look) -> None:
    """Draw a card with its upper left corner here."""
    if face.mood == "away":
        return
    seen, below = min(face.columns, form.columns), face.below[: form.columns - 2]
    canvas.put(column + 1, row + form.rows - 1, below[: seen - 1], _frame_ink(face))
    for line, start, text, ink in _card_pieces(form, face, look, len(below)):
        shown = text[: max(seen - start, 0)]
        if look.pictures and (face.card or not look.pattern):
            for place, character in enumerate(shown, start):
                part = CardPart(int(face.card), form.columns, form.rows, face.mood, face.is_chosen, line, place)
                canvas.put(column + place, row + line, character, f"{ink}{part.ink}")
        else:
            canvas.put(column + start, row + line, shown, ink)


def _frame_ink(face: Face) -> str:
    return f"card.{face.mood}" if face.mood else "card"


def _card_pieces(form: Form, face: Face, look: Look, below: int) -> Iterator[tuple[int, int, str, str]]:
    """(row, column, text, ink) of all pieces of a card. below: the characters of its lower edge."""
    frame, ink = look.chosen if face.is_chosen else look.frame, _frame_ink(face)
    corners, last = frame.corners, form.columns - 1
    yield 0, 0, corners[0] + frame.level * (last - 1) + corners[1], ink
    for line in range(1, form.rows - 1):
        yield line, 0, frame.upright, ink
        inside, inside_ink = _inside_line(face.card, line, form, look)
        yield line, 1, inside, f"{inside_ink}.{face.mood}" if face.mood else inside_ink
        yield line, last, frame.right, ink
    yield form.rows - 1, 0, corners[3], ink
    yield form.rows - 1, 1 + below, frame.lower * (last - 1 - below) + corners[2], ink


def card_picture(face: Face, form: Form, look: Look) -> Picture:
    """The picture of a single card."""
    canvas = Canvas(form.columns, form.rows)
    draw_card(canvas, 0, 0, form, face, look)
    return canvas.picture()


def suit_ink(card: int) -> str:
    """The ink of a card's rank and suit."""
    return f"card.{Card(card).suit.name.lower()}"


def _back_line(line: int, columns: int, look: Look) -> str:
    """A line of a card's back. line: its number from the top."""
    if not look.pattern or (look.ascii and not "".join(look.pattern).isascii()):
        return BACKS[look.back][look.ascii] * columns
    row = look.pattern[(line - 1) % len(look.pattern)]
    return (row * columns)[:columns]


def _inside_line(card: int, line: int, form: Form, look: Look) -> tuple[str, str]:
    """(text, ink) between the sides of a card in one of its lines."""
    columns = form.columns - 2
    if not card:
        return _back_line(line, columns, look), "back"
    text = card_text(card, look.style)
    sign = text[-1 - Card(card).copy]
    if line == 1:
        return text.ljust(columns), suit_ink(card)
    if form.rows > REGULAR.rows and line == form.rows - 2:
        return text.rjust(columns), suit_ink(card)
    if form.rows > REGULAR.rows and line == form.rows // 2:
        return sign.center(columns), suit_ink(card)
    return " " * columns, "card"


# --- a few things as the full screen draws them, to see what an option makes of them ----------------------------------


CARDS = (("AS", ""), ("KH", "chosen"), ("QD", "dim"), ("JC", "marked"))
BELOW = (("10H", "new"), ("9S", "melded"), ("", ""))
SAMPLE = (
    (("title", " A heading"),),
    (("fact", "Trump is spades"), ("meld", "K♣ Q♣")),
    (("name.turn", "> Ann (you)"), ("name", "Bob")),
    (("score.mine", "Ann     12"), ("score", "Bob     10")),
    (("chat", "Bob: Hello!"), ("log", "Bob plays 9♠.")),
    (("status", "Your turn: play a card."),),
    (("error", "You must follow hearts."),),
    (("button", "[D]raw"), ("button.at", "[K]nock")),
)
APART = 17
"""Columns from what stands left to what stands right of it."""


def draw_sample(look: Look, columns: int, rows: int) -> Picture:
    """Sample cards for the settings, as many as there is room for."""
    canvas = Canvas(columns, rows)
    room = min(columns // REGULAR.columns, len(CARDS))
    for number, (word, mood) in enumerate(CARDS[:room]):
        _draw_sample_row(canvas, number, 0, word, mood, look)
    for number, (word, mood) in enumerate(BELOW[:room]):
        _draw_sample_row(canvas, number, REGULAR.rows, word, mood, look)
    for number, line in enumerate(SAMPLE[: max(rows - 2 * REGULAR.rows, 0)]):
        for place, (ink, text) in enumerate(line):
            shown = text.replace("♣", "C").replace("♠", "S") if look.ascii else text
            canvas.put(place * APART, 2 * REGULAR.rows + number, fit_text(shown, max(columns - place * APART, 0)), ink)
    return canvas.picture()


def _draw_sample_row(canvas: Canvas, number: int, row: int, word: str, mood: str, look: Look) -> None:
    if row + REGULAR.rows > canvas.rows:
        return
    card = int(parse_card(word)) if word else 0
    shown = "" if mood == "melded" and not look.tint else mood
    draw_card(canvas, number * REGULAR.columns, row, REGULAR, Face(card, mood=shown), look)
