"""What lies before each seat, as cards: backs that are held, hands that are turned up, melds, tricks that were won."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from p2pcards.cards.card import Card
from p2pcards.frontend.standing import HELD, OPEN, TRICKS, CardGroup
from p2pcards.present.cards import card_text
from p2pcards.present.width import text_width
from p2pcards.tui.picture.canvas import Canvas, Run
from p2pcards.tui.picture.faces import FORMS, REGULAR, SMALL, Face, Form, Look, card_picture

# --- the ways in which it is laid out, that which takes most room first -----------------------------------------------


@dataclass(frozen=True, slots=True)
class Laying:
    """A way to lay groups of cards on the table."""

    form: Form  # of the cards
    lapped: bool = False  # cards overlap as far as each can still be read
    stacked: bool = False  # a line of cards covers the lower edge of the line above
    strip: bool = False  # only the text of the cards, in one row
    bare: bool = False  # show open cards only


WAYS = (
    Laying(REGULAR),
    Laying(REGULAR, lapped=True),
    Laying(SMALL),
    Laying(SMALL, lapped=True),
    Laying(SMALL, lapped=True, stacked=True),
    Laying(SMALL, strip=True),
    Laying(SMALL, strip=True, bare=True),
)


ROWS_FOR_REGULAR = 20
"""Of a part of the table in which cards that lie there may be more than small."""


def layings_for(look: Look, rows: int) -> Sequence[Laying]:
    """The ways to lay cards in a part of the table of so many rows, where cards needn't be larger than the player
    wants."""
    most = FORMS.get(look.size, REGULAR).rows if rows >= ROWS_FOR_REGULAR else SMALL.rows
    return [way for way in WAYS if way.form.rows <= most]


@dataclass(frozen=True, slots=True)
class Laid:
    """Rows of characters, each with its place, ready to draw."""

    runs: tuple[tuple[int, int, Run], ...] = ()
    columns: int = 0
    rows: int = 0

    def draw(self, canvas: Canvas, column: int, row: int) -> None:
        """Draw the rows with their upper left corner here."""
        for across, down, (text, ink) in self.runs:
            canvas.put(column + across, row + down, text, ink)


Moods = dict[int, str]
"""By card how it is drawn, where not as usual."""


def lay_out_groups(found: Sequence[CardGroup], way: Laying, columns: int, look: Look, moods: Moods) -> Laid:
    """Lay out groups of cards in as few lines as possible. columns: of a line at most."""
    some = [group for group in found if group.kind == OPEN or not way.bare]
    pieces = [piece for group in some for piece in _split_group(group, way, columns, look, moods)]
    lines: list[list[_Piece]] = []
    for piece in pieces:
        if lines and sum([one.columns + 1 for one in lines[-1]]) + piece.columns <= columns:
            lines[-1].append(piece)
        else:
            lines.append([piece])
    pitch = way.form.rows - way.stacked if not way.strip else 1
    runs: list[tuple[int, int, Run]] = []
    for number, line in enumerate(lines):
        seen = pitch if number < len(lines) - 1 else max([len(piece.rows) for piece in line])
        column = 0
        for piece in line:
            for down, cells in enumerate(piece.rows[:seen]):
                runs += [(column + at, number * pitch + down, run) for at, run in _placed_runs(cells)]
            column += piece.columns + 1
    widest = max([sum([piece.columns + 1 for piece in line]) - 1 for line in lines], default=0)
    rows = (len(lines) - 1) * pitch + max([len(piece.rows) for piece in lines[-1]]) if lines else 0
    return Laid(tuple(runs), widest, rows)


# --- private ----------------------------------------------------------------------------------------------------------

Cells = tuple[Run, ...]
"""A row, each character by itself."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """The part of a group that is in one line."""

    rows: tuple[Cells, ...]

    @property
    def columns(self) -> int:
        return len(self.rows[0])


def _split_group(group: CardGroup, way: Laying, columns: int, look: Look, moods: Moods) -> Iterator[_Piece]:
    if way.strip:
        yield from _strips_of_cards(group, columns, look, moods)
    elif group.kind == TRICKS:
        form = Form(max(way.form.columns + 2, text_width(group.name) + 2), SMALL.rows)
        yield _Piece(_add_label(_card_rows(Face(0), form, look), group.name))
    else:
        step = _card_step(group, way, look)
        room = max(columns - (group.kind == HELD) * 6, way.form.columns)
        most = (room - way.form.columns) // step + 1
        if group.kind == HELD:
            yield _Piece(_add_label(_fan_of_cards(group.cards[:most], way.form, step, look, moods), group.name))
            return
        if not group.cards:
            yield _Piece((_label_cells(group.name),))
        for start in range(0, len(group.cards), most):
            rows = _fan_of_cards(group.cards[start : start + most], way.form, step, look, moods)
            yield _Piece(_add_label(rows, group.name, columns) if start == 0 else rows)


def _card_step(group: CardGroup, way: Laying, look: Look) -> int:
    """The columns from one card of a group to the next."""
    if group.kind == HELD:
        return 1 if way.lapped else 2
    widest = max([text_width(_face_text(card, look)) for card in group.cards[:-1]], default=2)
    return min(1 + widest, way.form.columns) if way.lapped else way.form.columns


def _face_text(card: int, look: Look) -> str:
    """The card's text, without the number of its copy, which doesn't matter on the table."""
    return card_text(Card(card).face if card else 0, look.style)


def _fan_of_cards(cards: Sequence[int], form: Form, step: int, look: Look, moods: Moods) -> tuple[Cells, ...]:
    """Overlapping cards, the last one on top."""
    columns = step * (len(cards) - 1) + form.columns
    rows = [[(" ", "")] * columns for _ in range(form.rows)]
    for number, card in enumerate(cards):
        face = Face(int(Card(card).face) if card else 0, mood=moods.get(card, ""))
        for row, cells in zip(rows, _card_rows(face, form, look), strict=True):
            row[number * step : number * step + form.columns] = cells
    return tuple([tuple(row) for row in rows])


def _add_label(rows: tuple[Cells, ...], name: str, columns: int = 0) -> tuple[Cells, ...]:
    """The rows with a name in the upper edge, or at the right where the edge is too short."""
    first, second, *others = rows
    if not name or text_width(name) <= len(first) - 2:
        return ((first[0], *[(letter, "card.name") for letter in name], *first[len(name) + 1 :]), second, *others)
    if len(first) + 1 + text_width(name) > columns:
        return rows
    empty: Cells = ((" ", ""),) * (text_width(name) + 1)
    return ((*first, *empty), (*second, (" ", ""), *_label_cells(name)), *[(*row, *empty) for row in others])


def _label_cells(name: str) -> Cells:
    return tuple([(letter, "label") for letter in name])


@lru_cache(maxsize=2048)
def _card_rows(face: Face, form: Form, look: Look) -> tuple[Cells, ...]:
    rows = card_picture(face, form, look).rows
    return tuple([tuple([(letter, ink) for text, ink in row for letter in text]) for row in rows])


def _strips_of_cards(group: CardGroup, columns: int, look: Look, moods: Moods) -> Iterator[_Piece]:
    """Cards as strips of text without sides, in lines of so many columns."""
    side = (look.frame.upright, "card")
    backs = _card_rows(Face(0), SMALL, look)[1][1:-1]
    name = _label_cells(group.name)
    if group.kind != OPEN:
        yield _Piece(((side, *backs, side, *([(" ", "label")] if name else []), *name),))
        return
    line: list[Run] = [*name, *([(" ", "label")] if name else []), side]
    for card in group.cards:
        mood = moods.get(card, "")
        ink = f"card.{Card(card).suit.name.lower()}" if card else "back"
        face: Cells = tuple([(one, f"{ink}.{mood}" if mood else ink) for one in _face_text(card, look)])
        if len(line) + len(face) + 1 > columns:
            yield _Piece((tuple(line),))
            line = [side]
        line += [*face, side]
    yield _Piece((tuple(line),))


def _placed_runs(cells: Cells) -> Iterator[tuple[int, Run]]:
    """(column, run) of neighbours of one ink."""
    at = 0
    for ink, run in groupby(cells, itemgetter(1)):
        text = "".join([letter for letter, _ in run])
        yield at, (text, ink)
        at += len(text)
