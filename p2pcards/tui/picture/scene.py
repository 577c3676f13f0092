"""What is drawn: the table as the daemon tells it, and what the person at the screen has in mind."""

from __future__ import annotations

from dataclasses import dataclass, replace

from p2pcards.cards.card import Card
from p2pcards.frontend.choosing import Button, LegalAction, actions, buttons, shown_hand
from p2pcards.present.cards import Arrangement
from p2pcards.present.tallies import moments
from p2pcards.present.width import fit, wrap
from p2pcards.tui.picture.faces import Look
from p2pcards.views.tableview import TableView

HAND, BUTTONS = "hand", "buttons"


@dataclass(frozen=True, slots=True)
class Told:
    """A line of what was said and done. ink: "log", "chat" or "error"."""

    text: str
    ink: str = "log"


@dataclass(frozen=True, slots=True)
class Mind:
    """focus: `HAND` or `BUTTONS`; at: the place of the card there, or of the button; marked: places of cards. told: the
    newest last; beside: which of it is shown, one of `frontend.beside.BESIDE`; back: how many of the newest of these
    the person has scrolled back over, and unread: how many of them came since; status: what there is to do, or what was
    answered; wrong: it says why something did not go."""

    focus: str = HAND
    at: int = 0
    marked: frozenset[int] = frozenset()
    told: tuple[Told, ...] = ()
    beside: str = "all"
    back: int = 0
    unread: int = 0
    status: str = ""
    wrong: bool = False


def told_beside(mind: Mind) -> tuple[Told, ...]:
    """What is told beside the table, the newest last."""
    if mind.beside == "all":
        return mind.told
    return tuple([one for one in mind.told if one.ink == "chat"]) if mind.beside == "talk" else ()


def told_more(mind: Mind, told: tuple[Told, ...], most: int) -> Mind:
    """With these lines told too, of which so many are kept; who has scrolled back goes on to read where they were."""
    new = replace(mind, told=(*mind.told, *told)[-most:])
    if not mind.back:
        return new
    count = len(told_beside(replace(mind, told=told)))
    return replace(new, back=mind.back + count, unread=mind.unread + count)


def scrolled(mind: Mind, by: int, columns: int, rows: int) -> Mind:
    """So many rows further up, or down where they are negative, in a pane of this size, which stays full."""
    told, back = told_beside(mind), mind.back
    over = [len(wrap(one.text, columns, " ")) for one in reversed(told)]
    left = abs(by)
    while left > 0 and (sum(over[back:]) > rows - 1 if by > 0 else back > 0):
        left -= over[back if by > 0 else back - 1]
        back += 1 if by > 0 else -1
    return replace(mind, back=back, unread=min(mind.unread, back))


def told_page(mind: Mind, rows: int, columns: int) -> list[tuple[str, str]]:
    """The lines of the pane with their inks, the last at the bottom; below them what is new, where one has scrolled
    back."""
    told = told_beside(mind)
    back = min(mind.back, max(len(told) - 1, 0))
    if back:
        rows -= 1
    lines: list[tuple[str, str]] = []
    for one in reversed(told[: len(told) - back]):
        lines[:0] = [(line, one.ink) for line in wrap(one.text, columns, " ")]
        if len(lines) >= rows:
            break
    shown = lines[-rows:] if rows > 0 else []
    new = f"{mind.unread} new below" if mind.unread else "more below"
    return [*shown, (fit(f"{new}, End shows it", columns), "chat")] if back else shown


@dataclass(frozen=True, slots=True)
class InAir:
    """A card above the table. card: as a byte, 0 for its back; column, row: of its upper left corner."""

    card: int
    column: int
    row: int


@dataclass(frozen=True, slots=True)
class Scene:
    """hand: from left to right; actions: what can be done now; buttons: those of them without cards of the hand, and
    what is said between games. elapsed: seconds since the view came; fresh: what somebody else has just done, as the
    zone of a pile, or of the seat that played a card; counting: which of the moments of a count is shown, None for
    none; air: cards that are moved; away: the zones to which they belong, where they do not lie yet; window: its
    columns and rows; order: of my hand, one of `present.cards.ORDERS`."""

    view: TableView
    look: Look
    mind: Mind
    hand: tuple[Card, ...] = ()
    actions: tuple[LegalAction, ...] = ()
    buttons: tuple[Button, ...] = ()
    elapsed: float = 0.0
    fresh: frozenset[str] = frozenset()
    counting: int | None = None
    air: tuple[InAir, ...] = ()
    away: frozenset[str] = frozenset()
    window: tuple[int, int] = (80, 24)
    order: str = "suit"


def counted_now(scene: Scene) -> dict[int, str]:
    """The cards that count at this moment, and how they are drawn."""
    if scene.counting is None:
        return {}
    return dict.fromkeys(moments(scene.view)[scene.counting].cards, "chosen")


def scene(view: TableView, look: Look, arrangement: Arrangement) -> Scene:
    """The table as it has come, before anybody has done anything."""
    hand = tuple(shown_hand(view, arrangement))
    found = actions(view)
    order = arrangement.order
    return Scene(view, look, Mind(), hand=hand, actions=found, buttons=buttons(view, found, look.style), order=order)


def played_since(before: TableView, view: TableView) -> frozenset[str]:
    """The seats of others whose cards have come to the trick."""
    if before.game != view.game or before.last_trick != view.last_trick:
        before = TableView(before.role, before.phase)
    return frozenset(
        [f"seat {seat}" for seat, card in view.trick if seat != view.me and (seat, card) not in before.trick]
    )


def drawn_since(before: TableView, view: TableView) -> frozenset[str]:
    """The piles of nobody that have become smaller when it was somebody else's turn."""
    if before.game != view.game or not any(seat.to_act and seat.seat != before.me for seat in before.seats):
        return frozenset()
    had = {pile.name: len(pile.cards) for pile in before.piles if pile.seat is None}
    return frozenset(
        [
            f"pile {pile.name}"
            for pile in view.piles
            if pile.seat is None and 0 < len(pile.cards) < had.get(pile.name, 0)
        ]
    )
