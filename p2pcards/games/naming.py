"""The cards that can be named in a game, checked before its rules, views and scores see an action or a shown card.

A byte can be a card without being one of this game: of another pack, or with the number of an open copy (`Card.copy`).
Rules and kernels count on never meeting one. Records, files and typed words all pass here; the bounds are those of
protocol/records.md, "Cards and numbers".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from p2pcards.cards.card import Card
from p2pcards.cards.eyes import field_names
from p2pcards.games.game import Action, AnyGame, IllegalAction, Seat
from p2pcards.games.outcome import WrongFaces

Pack = tuple[Card, ...]


def verify_sent(game: AnyGame, state: Any, seat: Seat, action: Action) -> None:
    """`Game.verify` for an action from outside. Raises IllegalAction."""
    check_named(game, state, action)
    try:
        game.verify(state, seat, action)
    except IllegalAction:
        raise
    except (ValueError, LookupError) as error:
        raise IllegalAction("this game has no such cards") from error


def check_named(game: AnyGame, state: Any, action: Action) -> None:
    """Raises IllegalAction for a card that cannot be named in this game, whoever holds what."""
    nameable = _nameable(game.pack(state.options), game.numbers_copies)
    for card in _cards_in(action):
        if card not in nameable:
            raise IllegalAction(f"there's no {card} in this pack")


def check_shown(pack: Pack, cards: Iterable[Card]) -> None:
    """Raises WrongFaces unless these cards can be shown together: plain cards, each at most as often as in the pack."""
    counts = _counts(pack)
    for card, count in Counter(cards).items():
        if count > counts[card]:
            raise WrongFaces(f"the pack has {counts[card]} of {card}, and {count} were shown")


@lru_cache
def _nameable(pack: Pack, numbers_copies: bool) -> frozenset[Card]:
    counts = _counts(pack)
    if not numbers_copies:
        return frozenset(counts)
    copies = [Card.of(card.rank, card.suit, copy) for card in counts for copy in range(1, counts[card] + 1)]
    return frozenset([*counts, *copies])


@lru_cache
def _counts(pack: Pack) -> Counter[Card]:
    return Counter(pack)


def _cards_in(part: Any) -> Iterator[Card]:
    """The cards of an action, but for face-down ones."""
    if isinstance(part, Card):
        if part:
            yield part
        return
    kind: type = type(part)
    for inner in part if kind is tuple else [getattr(part, name) for name in field_names(kind)]:
        yield from _cards_in(inner)
