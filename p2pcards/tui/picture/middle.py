"""What lies in the middle of the table: the trick, and the piles that belong to nobody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2pcards.present.cards import cards_text
from p2pcards.present.width import width, wrap
from p2pcards.tui.picture.canvas import Box, Canvas
from p2pcards.tui.picture.faces import Face, Form, Look, draw_card
from p2pcards.tui.picture.scene import Scene
from p2pcards.tui.picture.seats import ABOVE, BELOW, LEFT, RIGHT, places
from p2pcards.views.tableview import PileView, TableView
from p2pcards.wire.clean import clean

GAP = 2
"""Columns between two piles."""


def shown_trick(scene: Scene) -> tuple[tuple[tuple[int, int], ...], str]:
    """The cards of the trick that lies there, and their mood: one that is over lies there until the next begins."""
    view = scene.view
    if scene.held:
        return scene.held, "won"
    if view.trick:
        return view.trick, ""
    return (view.last_trick, "won") if view.phase == "play" else ((), "")


def plays_tricks(view: TableView) -> bool:
    """Whether tricks are played in this hand, or have been."""
    return bool(view.trick or view.last_trick or view.leader is not None)


def draw_trick(canvas: Canvas, box: Box, form: Form, scene: Scene) -> None:
    """Every card before the seat that played it."""
    view = scene.view
    trick, mood = shown_trick(scene)
    canvas.zone("trick", box)
    if len({seat for seat, _ in trick}) < len(trick):
        _draw_row(canvas, box, form, scene)
        return
    seats = {seat.seat: place for place, seat in places(view).items()}
    spots = _spots(box, form, len(view.seats))
    for seat, card in trick:
        column, row = spots[seats[seat]]
        canvas.zone(f"trick {seat}", Box(column, row, form.columns, form.rows))
        took = mood == "won" and seat == view.leader and len(trick) > 1
        how = "won" if took else "dim" if mood else _new(scene, f"seat {seat}")
        how = _away(scene, f"trick {seat}") or how
        draw_card(canvas, column, row, form, Face(card, mood=how, below="won" * took), scene.look)


def _draw_row(canvas: Canvas, box: Box, form: Form, scene: Scene) -> None:
    """Cards that several seats have played in turn, mine a row lower where there is room."""
    trick = scene.view.trick
    step = min(form.columns, (box.columns - form.columns) // max(len(trick) - 1, 1))
    lower = box.rows > form.rows
    for number, (seat, card) in enumerate(trick):
        seen = form.columns if number == len(trick) - 1 else step
        row = box.row + (lower and seat == scene.view.me)
        mood = _new(scene, f"seat {seat}") if number == len(trick) - 1 else ""
        if number == len(trick) - 1:
            canvas.zone(f"trick {seat}", Box(box.column + number * step, row, seen, form.rows))
            mood = _away(scene, f"trick {seat}") or mood
        draw_card(canvas, box.column + number * step, row, form, Face(card, seen, mood), scene.look)


def _new(scene: Scene, zone: str) -> str:
    """The mood of what lies there."""
    return "new" if zone in scene.fresh else ""


def _away(scene: Scene, zone: str) -> str:
    """The mood of a card that does not lie there yet."""
    return "away" if zone in scene.away else ""


def rows_of_trick(form: Form, seats: int) -> int:
    """How many rows a trick takes, at the least."""
    return form.rows if seats <= 2 else 2 * form.rows


def rows_of_spread(scene: Scene, columns: int) -> int:
    """How many rows the piles take of which every card counts."""
    spread = [pile for pile in scene.view.piles if pile.seat is None and pile.spread]
    return sum([len(_spread(pile, scene.look, columns)) for pile in spread])


@dataclass(frozen=True, slots=True)
class Laid:
    """Piles as they lie, from the upper left corner of all. cards, texts: what, its column and its row."""

    cards: tuple[tuple[PileView, int, int], ...]
    texts: tuple[tuple[str, int, int], ...]
    columns: int
    rows: int


def draw_piles(canvas: Canvas, box: Box, form: Form, scene: Scene, *, centred: bool) -> None:
    """The piles that belong to nobody, with their names and how many cards they have, in the first way for which there
    is room; of spread ones every card, below the others."""
    piles = [pile for pile in scene.view.piles if pile.seat is None and (pile.cards or pile.spread)]
    spread = [line for pile in piles if pile.spread for line in _spread(pile, scene.look, box.columns)]
    closed = [pile for pile in piles if not pile.spread]
    ways = [way(closed, form, box.columns) for way in (_named_below, _named_together, _named_beside)]
    fitting = [one for one in ways if one.columns <= box.columns and one.rows + len(spread) <= box.rows]
    laid = fitting[0] if fitting else ways[-1]
    column = box.column + (box.columns - laid.columns) // 2 if centred else box.column
    rows = laid.rows + len(spread)
    row = box.row + max((box.rows - rows) // 2 if centred else box.rows - rows, 0)
    for pile, right, down in laid.cards:
        mood = _new(scene, f"pile {pile.name}")
        top = pile.cards[-1]
        if _away(scene, f"pile {pile.name}"):
            top, mood = (pile.cards[-2], "") if len(pile.cards) > 1 else (0, "away")
        draw_card(canvas, column + right, row + down, form, Face(top, mood=mood), scene.look)
        canvas.zone(f"pile {clean(pile.name, 40)}", Box(column + right, row + down, form.columns, form.rows))
    for text, right, down in laid.texts:
        canvas.put(column + right, row + down, text, "label")
    for number, text in enumerate(spread):
        canvas.put(box.column, row + laid.rows + number, text, "label")
    if spread:
        canvas.zone("piles", Box(box.column, row + laid.rows, box.columns, len(spread)))


def _named_below(piles: Sequence[PileView], form: Form, _columns: int) -> Laid:
    """Each with its name below it."""
    columns = [max(form.columns, width(_label(pile))) for pile in piles]
    at = [sum(columns[:number]) + GAP * number for number in range(len(piles))]
    cards = tuple([(pile, right, 0) for pile, right in zip(piles, at, strict=True)])
    texts = tuple([(_label(pile), right, form.rows) for pile, right in zip(piles, at, strict=True)])
    return Laid(cards, texts, sum(columns) + GAP * (len(piles) - 1), (form.rows + 1) * bool(piles))


def _named_together(piles: Sequence[PileView], form: Form, columns: int) -> Laid:
    """Close to each other, below them all names in their order."""
    apart = form.columns + 1
    lines = wrap(", ".join([_label(pile) for pile in piles]), columns)
    cards = tuple([(pile, number * apart, 0) for number, pile in enumerate(piles)])
    texts = tuple([(line, 0, form.rows + number) for number, line in enumerate(lines)])
    return Laid(cards, texts, max([apart * len(piles) - 1, *map(width, lines)]), form.rows + len(lines))


def _named_beside(piles: Sequence[PileView], form: Form, _columns: int) -> Laid:
    """The first alone, the names at its right."""
    texts = [(_label(pile), form.columns + 1, 1 + number) for number, pile in enumerate(piles)]
    widest = max([width(text) for text, _, _ in texts], default=0)
    cards = tuple([(pile, 0, 0) for pile in piles[:1]])
    return Laid(cards, tuple(texts), form.columns + 1 + widest, max(form.rows, len(texts) + 1) * bool(piles))


def _spots(box: Box, form: Form, seats: int) -> dict[str, tuple[int, int]]:
    """By place the upper left corner of the card that is played there."""
    centre = box.column + (box.columns - form.columns) // 2
    apart = form.columns + 1
    if seats == 2:
        lower = box.rows > form.rows
        top = box.row + max((box.rows - form.rows - lower) // 2, 0)
        return {ABOVE: (centre - apart // 2, top), BELOW: (centre - apart // 2 + apart, top + lower)}
    used = 3 * form.rows if box.rows >= 3 * form.rows else min(box.rows, 2 * form.rows + 1)
    top = box.row + (box.rows - used) // 2
    middle = top + (used - form.rows) // 2
    return {
        ABOVE: (centre, top),
        LEFT: (centre - apart, middle),
        RIGHT: (centre + apart, middle),
        BELOW: (centre, top + used - form.rows),
    }


def _label(pile: PileView) -> str:
    count = f" {len(pile.cards)}" if len(pile.cards) > 1 else ""
    return f"{clean(pile.name, 40)}{count}"


def _spread(pile: PileView, look: Look, columns: int) -> list[str]:
    words: Sequence[str] = cards_text(pile.cards, look.style).split() or ["empty"]
    return wrap([f"{clean(pile.name, 40)}:", *words], columns)
