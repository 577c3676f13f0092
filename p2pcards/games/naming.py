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
    """Verify an action that came from outside: first its cards, then by `Game.verify`. Raises IllegalAction."""
    verify_nameable(game, state, action)
    try:
        game.verify(state, seat, action)
    except IllegalAction:
        raise
    except (ValueError, LookupError) as error:
        raise IllegalAction("this game has no such cards") from error


def verify_nameable(game: AnyGame, state: Any, action: Action) -> None:
    """Raise IllegalAction for a card that cannot be named in this game, no matter who holds what."""
    nameable = _nameable_cards(game.pack(state.options), game.numbers_copies)
    for card in _cards_in_action(action):
        if card not in nameable:
            raise IllegalAction(f"there's no {card} in this pack")


def verify_showable(pack: Pack, cards: Iterable[Card]) -> None:
    """Raise WrongFaces unless these cards can be shown together: without copy numbers, each at most as often as in the
    pack."""
    counts = _card_counts(pack)
    for card, count in Counter(cards).items():
        if count > counts[card]:
            raise WrongFaces(f"the pack has {counts[card]} of {card}, and {count} were shown")


@lru_cache
def _nameable_cards(pack: Pack, numbers_copies: bool) -> frozenset[Card]:
    """All cards that an action may name, with their copy numbers where these are used."""
    counts = _card_counts(pack)
    if not numbers_copies:
        return frozenset(counts)
    copies = [Card.of(card.rank, card.suit, copy) for card in counts for copy in range(1, counts[card] + 1)]
    return frozenset([*counts, *copies])


@lru_cache
def _card_counts(pack: Pack) -> Counter[Card]:
    """How often the pack has each card."""
    return Counter(pack)


def _cards_in_action(part: Any) -> Iterator[Card]:
    """The cards in an action or part of one, face-down ones left out."""
    if isinstance(part, Card):
        if part:
            yield part
        return
    kind: type = type(part)
    for inner in part if kind is tuple else [getattr(part, name) for name in field_names(kind)]:
        yield from _cards_in_action(inner)
