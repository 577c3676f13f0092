"""What is drawn: the table as the daemon tells it, and what the person at the screen has in mind."""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.cards.card import Card
from p2pcards.frontend.choosing import Button, LegalAction, actions, buttons, shown_hand
from p2pcards.present.cards import Arrangement
from p2pcards.present.tallies import moments
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
    newest last; beside: which of it is shown, one of `frontend.beside.BESIDE`; status: what there is to do, or what was
    answered; wrong: it says why something did not go."""

    focus: str = HAND
    at: int = 0
    marked: frozenset[int] = frozenset()
    told: tuple[Told, ...] = ()
    beside: str = "all"
    status: str = ""
    wrong: bool = False


def told_beside(mind: Mind) -> tuple[Told, ...]:
    """What is told beside the table, the newest last."""
    if mind.beside == "all":
        return mind.told
    return tuple([one for one in mind.told if one.ink == "chat"]) if mind.beside == "talk" else ()


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
    columns and rows."""

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


def counted_now(scene: Scene) -> dict[int, str]:
    """The cards that count at this moment, and how they are drawn."""
    if scene.counting is None:
        return {}
    return dict.fromkeys(moments(scene.view)[scene.counting].cards, "chosen")


def scene(view: TableView, look: Look, arrangement: Arrangement) -> Scene:
    """The table as it has come, before anybody has done anything."""
    hand = tuple(shown_hand(view, arrangement))
    found = actions(view)
    return Scene(view, look, Mind(), hand=hand, actions=found, buttons=buttons(view, found, look.style))


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
