"""Go fish: what is told of it beside its rules."""

from __future__ import annotations

from p2pcards.cards.card import Card
from p2pcards.games.game import Seat
from p2pcards.games.telling import Told
from rigs import go_fish


def aim(view: go_fish.State, seat: Seat, action: go_fish.Action) -> str:
    if not isinstance(action, go_fish.Ask):
        return ""
    missing = len(action.book) - len(_held(view, seat, action.book))
    return f"to complete your book, of which {missing} is missing" if missing == 1 else ""


def _held(view: go_fish.State, seat: Seat, book: tuple[Card, ...]) -> list[Card]:
    return [card for card in book if card in view.hands[seat].cards]


TOLD = Told(
    about="A game that children play, known under many names; nobody knows who asked first.",
    words={
        "ask": "Asks another player for all cards of a rank of which you hold one.",
        "draw": "Draws a card, where nobody can be asked.",
        "lay": "Lays the four cards of a rank on the table.",
    },
    aim=aim,
    short={"winning_score": 1},
)
