"""Whether the rest of a hand of tricks is certain for one player, by what they see alone: that they take every trick
that is left, or none, whatever the others hold and play. It is never said to be certain where it is not; where it takes
more than these conditions to see it, it is played to the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from p2pcards.cards.card import Card
from p2pcards.cards.eyes import slots_of
from p2pcards.games.game import AnyGame, IllegalAction, Ranking, Seat
from p2pcards.games.spelling import is_card_word, spell_action

REST = "rest"
"""The name under which the rest of a hand is played to its end by itself."""


def claimable_cards(game: AnyGame, view: Any, seat: Seat) -> tuple[Card, ...]:
    """The cards with which a seat on lead certainly takes every remaining trick, in order; or all cards of a seat to
    play, where nothing left makes a difference. Raises IllegalAction, with the reason why that is not certain."""
    playing = trick_hand_of(game, view, seat)
    if _is_all_settled(game, view, playing):
        return playing.held
    if game.layout(view).trick:
        raise IllegalAction("you can only claim the rest when it's your lead")
    order = _lead_order(playing)
    led: Counter[int] = Counter()
    for card in order:
        if beaten := _strongest_opposing(playing, card, led):
            raise IllegalAction(_could_take_reason(beaten))
        led[_counted_card(playing, card).suit] += 1
    return tuple(order)


def is_settled(game: AnyGame, view: Any, seat: Seat) -> bool:
    """Return whether no play left in the hand makes a difference, as the seat to play sees it."""
    return _is_all_settled(game, view, trick_hand_of(game, view, seat))


def verify_concession(game: AnyGame, view: Any, seat: Seat) -> None:
    """Raise IllegalAction, with the reason, unless the seat to play can take none of the remaining tricks, and what it
    plays changes nothing for anybody."""
    playing = trick_hand_of(game, view, seat)
    trick = [playing.ranking.counted(slot.card) for _, slot in game.layout(view).trick]
    for card in playing.held:
        own, trump = playing.ranking.counted(card), playing.ranking.trump
        others = [other for other in playing.others if _counted_card(playing, other).suit == own.suit]
        could = _could_take_reason(card)
        if playing.ranking.scores(card):
            raise IllegalAction(f"{card} counts for points, so you have to play it yourself")
        if own.suit == trump and len(others) < len(playing.others):
            raise IllegalAction(could)  # on a lead of another suit
        if any(_counted_card(playing, other) < own for other in others):
            raise IllegalAction(could)
        if not trick and not _is_beaten_as_lead(playing, own, others):
            raise IllegalAction(could)
        if trick and card in playing.playable and _would_take_trick(own, trick, trump):
            raise IllegalAction(could)


def _is_all_settled(game: AnyGame, view: Any, playing: Playing) -> bool:
    left = [*playing.held, *playing.others, *[slot.card for _, slot in game.layout(view).trick]]
    return playing.ranking.points_alone and not any(map(playing.ranking.scores, left))


def _could_take_reason(card: Card) -> str:
    """The reason for a refusal: this card could still take a trick."""
    return f"that's not certain, since {card} could take a trick"


def next_claimed_action(game: AnyGame, view: Any, seat: Seat, order: Sequence[str]) -> Any:
    """The next action by which the rest of a claimed or conceded hand is played. order: the cards as claimed, nothing
    for a concession. A claim is not thought out anew: when nobody follows, it is by the cards that have gone that what
    is left can be certain no more, but by who had to follow it still is."""
    legal = {spell_action(action): action for action in game.legal(view, seat)}
    return next((legal[word] for word in order if word in legal), next(iter(legal.values())))


class Playing(NamedTuple):
    """A hand of tricks as one of its players sees it."""

    ranking: Ranking
    held: tuple[Card, ...]  # by the player
    playable: tuple[Card, ...]  # those of them that may be played now
    others: tuple[Card, ...]  # every card that somebody else may hold
    hold_all: bool  # the others do hold all of these


def trick_hand_of(game: AnyGame, view: Any, seat: Seat) -> Playing:
    """The hand of tricks as this seat sees it. Raises IllegalAction where no tricks are played to an end now."""
    ranking = game.ranking(view)
    legal = {spell_action(action): action for action in game.legal(view, seat)}
    if ranking is None or not legal or not all(is_card_word(words) for words in legal):
        raise IllegalAction("you can't claim or concede now")
    hands = [held for held in view.hands if held.owner != seat]
    known = Counter([card.face for held in hands for card in held.cards])
    seen = Counter([slot.card.face for slot in slots_of(view) if slot.card])
    pack = Counter([card.face for card in game.pack(view.options)])
    others = tuple(((pack - seen) + known).elements())
    return Playing(
        ranking,
        view.hands[seat].cards,
        tuple([card for card in view.hands[seat].cards if str(card) in legal]),
        others,
        len(others) == sum([len(held) for held in hands]),
    )


# --- private ----------------------------------------------------------------------------------------------------------


def _counted_card(playing: Playing, card: Card) -> Card:
    """The card that this one counts as in tricks."""
    return playing.ranking.counted(card)


def _lead_order(playing: Playing) -> list[Card]:
    """The legal cards in the order to lead them: what may be led now before what may not, trumps before other suits,
    higher before lower."""

    def sort_key(card: Card) -> tuple[bool, bool, int, int]:
        counted = _counted_card(playing, card)
        return card not in playing.playable, counted.suit != playing.ranking.trump, counted.suit, -counted

    return sorted(playing.held, key=sort_key)


def _strongest_opposing(playing: Playing, card: Card, led: Counter[int]) -> Card | None:
    """The best card of the others that could take a trick to which this one is led; led: how often each suit was, so
    that nobody holds as many of it as before."""
    own, trump = _counted_card(playing, card), playing.ranking.trump
    for suit in {own.suit, *([] if trump is None else [trump])}:
        others = [other for other in playing.others if _counted_card(playing, other).suit == suit]
        best = max(others, key=lambda other: _counted_card(playing, other), default=None)
        if best is not None and len(others) > led[suit] and (suit != own.suit or _counted_card(playing, best) > own):
            return best
    return None


def _is_beaten_as_lead(playing: Playing, own: Card, others: Sequence[Card]) -> bool:
    """Return whether some opponent must follow this lead with a higher card. others: all other cards of its suit."""
    return playing.hold_all and bool(others) and all(_counted_card(playing, other) > own for other in others)


def _would_take_trick(own: Card, trick: list[Card], trump: int | None) -> bool:
    """Return whether a card would be the best of the trick on the table so far."""

    def strength(card: Card) -> tuple[bool, bool, int]:
        return card.suit == trump, card.suit == trick[0].suit, card.rank

    return strength(own) > max(map(strength, trick))
