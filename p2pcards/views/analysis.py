"""What is in a hand: what can be melded, what is sure, and what can be let go."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from p2pcards.cards.card import spelled
from p2pcards.games.crazy_eights.rules import EIGHT, card_count
from p2pcards.games.crazy_eights.rules import State as CrazyEightsState
from p2pcards.games.game import AnyGame, Seat
from p2pcards.ledger.position import Position
from p2pcards.views.cast import Cast
from p2pcards.views.in_game import HandAnalyzed
from p2pcards.views.pinochle_analysis import of_bid_pinochle, of_partnership_pinochle, of_two_handed_pinochle
from p2pcards.views.rummy_analysis import of_cribbage, of_gin_rummy, of_rummy_500, of_thirty_one
from p2pcards.views.table_view import with_names
from p2pcards.views.trick_analysis import Found, of_tricks


def analyze(position: Position, seat: Seat, cast: Cast) -> HandAnalyzed:
    """The hand of this seat, by what it sees alone."""
    found = analyzed(position.game, position.own_view, seat)
    return HandAnalyzed(tuple([(what, with_names(words, position, cast)) for what, words in found]))


def analyzed(game: AnyGame, view: Any, seat: Seat) -> Found:
    """A few words each, and what follows them; cards as they are spelled, seats by `name_of`. view: as the seat sees
    it."""
    if not view.hands[seat].cards:
        return [("your hand", "no cards now")]
    lies = game.layout(view)
    usual = of_tricks if lies.leader is not None and lies.called == "trick" else of_any_hand
    return ANALYSES.get(game.key, usual)(game, view, seat)


def of_any_hand(_game: AnyGame, view: Any, seat: Seat) -> Found:
    """Of a game of which nothing more is known."""
    return [("your hand", spelled(view.hands[seat].cards))]


def _crazy_eights(_game: AnyGame, view: CrazyEightsState, seat: Seat) -> Found:
    held = view.hands[seat].cards
    eights = [card for card in held if card.rank == EIGHT]
    top, suit = view.discards[-1].card, view.suit
    fits = [card for card in held if card not in eights and (card.suit == suit or card.rank == top.rank)]
    counts = {card: card_count(view.options, card)[1] for card in held}
    most = [card for card in held if counts[card] == max(counts.values())]
    suits = sorted({card.suit for card in held}, key=lambda one: -sum([card.suit == one for card in held]))
    number = [f"{one.name.lower()} {sum([card.suit == one for card in held if card not in eights])}" for one in suits]
    return [
        ("fit now", spelled(fits) if fits else "none but the eights" if eights else "none"),
        *[("go on anything", spelled(eights))] * bool(eights),
        ("by suit", ", ".join(number)),
        ("cost most if another goes out", f"{spelled(most)}, {counts[most[0]]} each; {sum(counts.values())} in all"),
    ]


ANALYSES: Mapping[str, Callable[[AnyGame, Any, Seat], Found]] = {
    "pinochle": of_partnership_pinochle,
    "pinochle2": of_two_handed_pinochle,
    "pinochle_bid": of_bid_pinochle,
    "gin_rummy": of_gin_rummy,
    "rummy_500": of_rummy_500,
    "thirty_one": of_thirty_one,
    "cribbage": of_cribbage,
    "crazy_eights": _crazy_eights,
}
"""By the key of a game, where more is looked at than tricks."""
