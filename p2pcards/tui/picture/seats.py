"""Who sits where, and what is told beside each seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from p2pcards.frontend.choosing import melded
from p2pcards.present.cards import cards_text, with_cards
from p2pcards.present.table import is_partner, player_text
from p2pcards.present.width import fit, wrap
from p2pcards.tui.picture.canvas import Box, Canvas, Run
from p2pcards.tui.picture.scene import Scene
from p2pcards.views.tableview import PileView, SeatView, TableView
from p2pcards.wire.clean import clean

BELOW, LEFT, ABOVE, RIGHT = "below", "left", "above", "right"
PLACES: Mapping[int, Sequence[str]] = {
    1: (BELOW,),
    2: (BELOW, ABOVE),
    3: (BELOW, LEFT, RIGHT),
    4: (BELOW, LEFT, ABOVE, RIGHT),
}
"""By the number of seats where they are, mine first, then to the left of it, as turns go round."""

Line = tuple[Run, ...]

TURN, TURN_PLAIN = "►", ">"
NAME = 24


def places(view: TableView) -> dict[str, SeatView]:
    """By place who sits there; whoever watches sits behind the first seat."""
    me = view.me or 0
    around = [*view.seats[me:], *view.seats[:me]]
    return dict(zip(PLACES[len(around)], around, strict=True))


def plate(scene: Scene, seat: SeatView, *, wide: bool) -> list[Run]:
    """What is told of a seat: its name with whose turn it is and who deals, then each fact by itself. wide: there is
    room for what is seldom looked at, too."""
    view, look = scene.view, scene.look
    turn = f"{TURN_PLAIN if look.ascii else TURN} " if seat.to_act else ""
    remarks = ["you" if seat.seat == view.me else "partner" if is_partner(view, seat.seat) else ""]
    remarks.append("dealer" if seat.dealer else "")
    told = ", ".join(filter(None, remarks))
    name = f"{turn}{fit(clean(seat.name, NAME), NAME)}{f' ({told})' if told else ''}"
    status = player_text(seat, scene.elapsed)
    note = with_cards(clean(seat.note.split(":")[0]), look.style)
    facts = [note, *([] if seat.seat == view.me else [f"{seat.cards} card{'s' * (seat.cards != 1)}"])]
    facts += [status] if status and (wide or seat.plays != "computer") else []
    facts += [f"{seat.games_won} won"] if seat.games_won and wide else []
    return [(name, "name.turn" if seat.to_act else "name"), *[(fact, "note") for fact in facts if fact]]


def spread_lines(scene: Scene, seat: int, columns: int, *, named: bool = True) -> list[str]:
    """The cards that lie open before a seat, such as melds, in few words; mine that can still be played are in my hand.
    At the end of a hand that of another seat, as far as it was shown. named: with what they are."""
    view = scene.view
    mine = [int(card) for card in melded(view)] if seat == view.me else []
    piles = [pile for pile in view.piles if pile.spread and pile.seat == seat and set(pile.cards) - set(mine)]
    known = view.seats[seat].known if view.pause is not None and seat != view.me else ()
    shown = any(pile.name == "hand" for pile in piles)
    piles += [PileView("hand", seat, known, spread=True)] if known and not shown else []
    return [
        line
        for pile in piles
        for line in wrap(
            [*([f"{clean(pile.name, 20)}:"] if named else []), *cards_text(pile.cards, scene.look.style).split()],
            columns,
        )
    ]


def draw_beside(canvas: Canvas, box: Box, scene: Scene, seat: SeatView) -> int:
    """A plate as a column; how many rows it took."""
    lines = _column(scene, seat, box.columns, tight=False)
    if len(lines) > box.rows:
        lines = _column(scene, seat, box.columns, tight=True)
    for row, (text, ink_of_line) in enumerate(lines[: box.rows]):
        canvas.put(box.column, box.row + row, text, ink_of_line)
    if len(lines) > box.rows:
        canvas.lack(f"{len(lines)} lines of {seat.name}")
    taken = min(len(lines), box.rows)
    canvas.zone(f"seat {seat.seat}", Box(box.column, box.row, box.columns, taken))
    return taken


def rows_beside(scene: Scene, seat: SeatView, columns: int) -> int:
    """How many rows a plate takes as a column, at the least."""
    return len(_column(scene, seat, columns, tight=True))


def _column(scene: Scene, seat: SeatView, columns: int, *, tight: bool) -> list[Run]:
    """tight: without what can be seen elsewhere or is seldom looked at."""
    (name, ink), *facts = plate(scene, seat, wide=columns > 20 and not tight)
    told = ", ".join([text for text, _ in facts[: 1 if tight else None]])
    spread = spread_lines(scene, seat.seat, columns, named=not tight)
    head = [(line, ink) for line in wrap(name, columns, " ")]
    return [*head, *[(line, "note") for line in wrap(told, columns, " ", " ")], *[(line, "meld") for line in spread]]


def lines_across(scene: Scene, seat: SeatView, columns: int, *, tight: bool) -> tuple[list[Line], list[Line]]:
    """A plate as lines across the table, and what lies open before the seat; tight: without what is seldom looked at,
    and all of it in the lines of the plate."""
    (name, ink), *facts = plate(scene, seat, wide=not tight)
    mine = (*scene.view.own, *scene.view.indicator[:1]) if seat.seat == scene.view.me else ()
    own = [with_cards(clean(fact), scene.look.style) for fact in mine]
    spread = spread_lines(scene, seat.seat, 1000)
    told = [*[text for text, _ in facts], *own, *(spread if tight else [])]
    start = fit(name, columns)
    first, *more = wrap("; ".join(told), columns, "  ", f"{start}  ") or [start]
    lines: list[Line] = [((start, ink), (first[len(start) :], "note")), *[((line, "note"),) for line in more]]
    below = [] if tight else [line for text in spread for line in wrap(text, columns, "  ")]
    return lines, [((line, "meld"),) for line in below]
