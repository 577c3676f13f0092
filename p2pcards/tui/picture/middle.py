"""What lies in the middle of the table: the trick, and the piles that belong to nobody."""

from __future__ import annotations

from collections.abc import Sequence

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
        took = mood == "won" and seat == view.leader and len(trick) > 1
        how = "won" if took else "dim" if mood else ""
        draw_card(canvas, column, row, form, Face(card, mood=how, below="won" * took), scene.look)


def _draw_row(canvas: Canvas, box: Box, form: Form, scene: Scene) -> None:
    """Cards that several seats have played in turn, mine a row lower where there is room."""
    trick = scene.view.trick
    step = min(form.columns, (box.columns - form.columns) // max(len(trick) - 1, 1))
    lower = box.rows > form.rows
    for number, (seat, card) in enumerate(trick):
        seen = form.columns if number == len(trick) - 1 else step
        row = box.row + (lower and seat == scene.view.me)
        draw_card(canvas, box.column + number * step, row, form, Face(card, seen), scene.look)


def rows_of_trick(form: Form, seats: int) -> int:
    """How many rows a trick takes, at the least."""
    return form.rows if seats <= 2 else 2 * form.rows


def draw_piles(canvas: Canvas, box: Box, form: Form, scene: Scene, *, centred: bool) -> None:
    """The piles that belong to nobody, beside each other with their names below them, or at their right where there is
    no room below; of spread ones every card, below those."""
    piles = [pile for pile in scene.view.piles if pile.seat is None and (pile.cards or pile.spread)]
    spread = [line for pile in piles if pile.spread for line in _spread(pile, scene.look, box.columns)]
    closed = [pile for pile in piles if not pile.spread]
    drawn = _that_fit(closed, form, box.columns, below=True)
    rest = [_label(pile) for pile in closed[len(drawn) :]]
    below = box.rows >= form.rows + 1 + len(rest) + len(spread)
    if not below:
        drawn = _that_fit(closed, form, box.columns, below=False)
        rest = [_label(pile) for pile in closed[len(drawn) :]]
    rows = (form.rows + below) * bool(drawn)
    inner = sum([columns for _, columns in drawn]) + GAP * (len(drawn) - 1)
    column = box.column + (box.columns - inner) // 2 if centred else box.column
    all_rows = rows + len(spread) + len(rest) * below
    row = box.row + max((box.rows - all_rows) // 2 if centred else box.rows - all_rows, 0)
    labelled = (0, form.rows) if below else (form.columns + 1, 1)
    for pile, columns in drawn:
        draw_card(canvas, column, row, form, Face(pile.cards[-1]), scene.look)
        canvas.put(column + labelled[0], row + labelled[1], _label(pile), "label")
        canvas.zone(f"pile {clean(pile.name, 40)}", Box(column, row, columns, form.rows + below))
        column += columns + GAP
    last = column - GAP - drawn[-1][1] + form.columns + 1 if drawn else box.column
    for number, text in enumerate(rest):
        canvas.put(*((box.column, row + rows + number) if below else (last, row + 2 + number)), text, "label")
    first = row + rows + len(rest) * below
    for number, text in enumerate(spread):
        canvas.put(box.column, first + number, text, "label")
    if spread:
        canvas.zone("piles", Box(box.column, first, box.columns, len(spread)))


def _that_fit(piles: Sequence[PileView], form: Form, columns: int, *, below: bool) -> list[tuple[PileView, int]]:
    """As many piles as lie beside each other, each with the columns that it takes with its name below it, or at its
    right."""
    found: list[tuple[PileView, int]] = []
    for pile in piles:
        label = width(_label(pile))
        taken = max(form.columns, label) if below else form.columns + 1 + label
        if sum([one + GAP for _, one in found]) + taken > columns:
            break
        found.append((pile, taken))
    return found


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
