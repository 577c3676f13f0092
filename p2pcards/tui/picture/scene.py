"""What is drawn: the table as the daemon tells it, and what the person at the screen has in mind."""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.cards.card import Card
from p2pcards.frontend.choosing import Button, LegalAction, actions, buttons, shown_hand
from p2pcards.present.hand import Arrangement
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
    newest last; status: what there is to do, or what was answered; wrong: it says why something did not go."""

    focus: str = HAND
    at: int = 0
    marked: frozenset[int] = frozenset()
    told: tuple[Told, ...] = ()
    status: str = ""
    wrong: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """hand: from left to right; actions: what can be done now; buttons: those of them without cards of the hand, and
    what is said between games. elapsed: seconds since the view came; held: a trick that is over and still lies
    there."""

    view: TableView
    look: Look
    mind: Mind
    hand: tuple[Card, ...] = ()
    actions: tuple[LegalAction, ...] = ()
    buttons: tuple[Button, ...] = ()
    elapsed: float = 0.0
    held: tuple[tuple[int, int], ...] = ()


def scene(view: TableView, look: Look, arrangement: Arrangement) -> Scene:
    """The table as it has come, before anybody has done anything."""
    hand = tuple(shown_hand(view, arrangement))
    return Scene(view, look, Mind(), hand=hand, actions=actions(view), buttons=buttons(view, look.style))
