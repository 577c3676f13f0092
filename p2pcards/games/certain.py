"""A look at what is sure in a hand of tricks, taken before tables or rules of thumb choose a card: cards are left out
where another is certain to serve the seat's aim at least as well, whatever the others hold and play.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from p2pcards.cards.card import SUITS, Card
from p2pcards.games.claims import Playing, trick_hand_of
from p2pcards.games.game import AnyGame, IllegalAction, Seat
from p2pcards.games.seen.tricks import tricks_so_far, void_suits
from p2pcards.games.tricks import winning_index

MOST_LOOKED_AT = 300
"""Places of a hand. A line that takes longer to see is not called certain."""

Led = tuple[int, int, int, int]
"""By suit, how many tricks began with it since the look began."""
NOT_LED: Led = (0, 0, 0, 0)


class Aim(NamedTuple):
    """How many of the remaining tricks, the one on the table included, a seat is to take."""

    least: int
    most: int
    friend: Seat | None = None  # a seat whose tricks count too
    vital: bool = False  # once this fails, nothing else matters
    lowers: bool = False  # where so many are out of reach, as many as are not


def cards_serving_aims(
    game: AnyGame, view: Any, seat: Seat, cards: Sequence[Card], aims: Sequence[Aim]
) -> Sequence[Card]:
    """Those of a seat's legal cards that serve its aims best: aim after aim keeps the cards certain to reach it, if
    any; if none is certain of a vital aim, those that do no worse than another."""
    if len(cards) < 2 or not aims:
        return cards
    try:
        hand = Hand(game, view, seat, trick_hand_of(game, view, seat))
    except IllegalAction:
        return cards
    for aim in aims:
        able, reached = hand.cards_not_failing(cards, aim)
        if sure := [card for card in able if hand.is_aim_sure(card, reached)]:
            cards = sure
        elif aim.vital and able:
            cards = hand.undominated_cards(able, reached)
    return cards


class Hand:
    """A hand of tricks as one seat sees it that is to play, with all cards as they count."""

    def __init__(self, game: AnyGame, view: Any, seat: Seat, playing: Playing) -> None:
        ranking = playing.ranking
        self._ranking = ranking
        self._counted = ranking.counted
        self._trump = ranking.trump
        self._hold_all = playing.hold_all
        self._held = tuple(sorted(map(ranking.counted, playing.held)))
        self._players = [other for other in range(len(view.hands)) if other not in (seat, ranking.out)]
        self._trick = [(player, ranking.counted(slot.card)) for player, slot in game.layout(view).trick]
        laid = [player for player, _ in self._trick]
        self._later = [other for other in self._players if other not in laid]
        self._voids: Sequence[frozenset[int]] = [frozenset()] * len(view.hands)
        if ranking.follows:
            tricks = tricks_so_far(view, ranking.trump, ranking.out, ranking.counted)
            self._voids = void_suits(tricks, len(view.hands), ranking.out)
        others = [ranking.counted(card) for card in playing.others]
        self._others = [[card.rank for card in others if card.suit == suit] for suit in SUITS]
        self._known: dict[tuple[_Place, int, int], bool] = {}

    def is_aim_sure(self, card: Card, aim: Aim) -> bool:
        """Return whether the aim is reached by playing this card, whatever the others hold and play."""
        own, now = self._counted(card), self._outlook_of_trick(card, aim.friend)
        rest, led = _without_card(self._held, own), NOT_LED if self._trick else self._led_once_more(NOT_LED, own.suit)
        if now.taken and not self._is_sure_of(_Place(rest, True, led), aim.least - 1, aim.most - 1):
            return False
        return not now.left or self._is_sure_of(_Place(rest, False, led), aim.least - now.friend_does, aim.most)

    def cards_not_failing(self, cards: Sequence[Card], aim: Aim) -> tuple[Sequence[Card], Aim]:
        """The cards that do not fail an aim, and the aim, lowered, if it may be, until there are any."""
        able = [card for card in cards if not self.fails_aim(card, aim)]
        return (
            (able, aim) if able or not aim.lowers else self.cards_not_failing(cards, aim._replace(least=aim.least - 1))
        )

    def fails_aim(self, card: Card, aim: Aim) -> bool:
        """Return whether the aim cannot be reached after playing this card, whatever the others hold and play."""
        now, rest = self._outlook_of_trick(card, aim.friend), _without_card(self._held, self._counted(card))
        forced = sum([self._takes_always(other) for other in rest])
        gains = [1] * (now.taken or now.friend_may) + [0] * (now.left and not now.friend_does)
        return not any(aim.least - gain <= len(rest) and forced <= aim.most - gain for gain in gains)

    def undominated_cards(self, cards: Sequence[Card], aim: Aim) -> Sequence[Card]:
        """Cards that no other surely matches. Where every trick is needed: on lead the highest trump, or the highest of
        each suit, as lower ones take a trick only where these do; else the lowest that takes the trick for certain.
        Where none may be taken: the highest of each suit that is certain not to take it."""
        if aim.friend is not None:
            return cards
        if aim.least == len(self._held) and not self._trick:
            trumps = [card for card in cards if self._counted(card).suit == self._trump]
            return self._best_of_each_suit(trumps or cards, 1)
        if aim.least == len(self._held):
            certain, sign = [card for card in cards if not self._outlook_of_trick(card).left], -1
        elif aim.most == 0 and self._trick:
            certain, sign = [card for card in cards if not self._outlook_of_trick(card).taken], 1
        else:
            return cards
        best = self._best_of_each_suit(certain, sign)
        return [card for card in cards if card not in certain or card in best]

    def _best_of_each_suit(self, cards: Sequence[Card], sign: int) -> Sequence[Card]:
        """The highest card of each suit (sign 1), or the lowest (-1)."""
        best: dict[int, Card] = {}
        for card in cards:
            own = self._counted(card)
            known = best.get(own.suit)
            if known is None or sign * (own.rank - self._counted(known).rank) > 0:
                best[own.suit] = card
        return list(best.values())

    # --- the trick on the table ---------------------------------------------------------------------------------------

    def _outlook_of_trick(self, card: Card, friend: Seat | None = None) -> _Now:
        """What can become of the trick on the table when this card is played. friend: a partner whose cards count as
        the seat's own."""
        own = self._counted(card)
        if not self._trick:
            others = self._others[own.suit]
            compelled = self._hold_all and bool(others) and min(others) > own.rank
            return _Now(not compelled, self._can_be_beaten(own, NOT_LED, self._later), friend is not None, False)
        trick = [laid for _, laid in self._trick]
        taker, best = self._trick[winning_index(trick, self._trump)]
        if winning_index([*trick, own], self._trump) == len(trick):
            return _Now(True, self._can_be_beaten(own, NOT_LED, self._later), friend in self._later, False)
        ours = taker == friend
        keeps = ours and not self._can_be_beaten(best, NOT_LED, self._later)
        return _Now(False, True, ours or friend in self._later, keeps)

    def _can_be_beaten(self, card: Card, led: Led, players: Sequence[Seat]) -> bool:
        """Return whether any of these players, who play later, could beat this card, one of the suit led or a trump."""
        if self._may_hold_suit(card.suit, led, players) and max(self._others[card.suit]) > card.rank:
            return True
        return card.suit != self._trump and self._may_hold_suit(self._trump, led, players)

    def _may_hold_suit(self, suit: int | None, led: Led, players: Sequence[Seat]) -> bool:
        """Return whether any of these players can still have a card of a suit after the tricks that led it."""
        if suit is None or len(self._others[suit]) <= led[suit]:
            return False
        return any(suit not in self._voids[player] for player in players)

    def _takes_always(self, card: Card) -> bool:
        """Return whether a card takes any trick to which it is played; not one that an equal copy may precede."""
        matched = self._may_hold_suit(card.suit, NOT_LED, self._players) and max(self._others[card.suit]) >= card.rank
        return card.suit == self._trump and not matched

    # --- the tricks after it ------------------------------------------------------------------------------------------

    def _is_sure_of(self, place: _Place, least: int, most: int) -> bool:
        """Return whether the seat is certain to take from `least` to `most` of the tricks from here on."""
        if least > len(place.hand) or most < 0:
            return False
        if least <= 0 and most >= len(place.hand):
            return True
        key = place, least, most
        if key not in self._known:
            if len(self._known) >= MOST_LOOKED_AT:
                return False
            self._known[key] = False  # it counts before it is known
            self._known[key] = self._is_sure_leading(*key) if place.leads else self._is_sure_following(*key)
        return self._known[key]

    def _is_sure_leading(self, place: _Place, least: int, most: int) -> bool:
        """Like `_is_sure_of`, where the seat leads the next trick."""
        free = [card for card in place.hand if card.suit != self._ranking.locked] or place.hand
        for card in reversed(free):
            left = self._can_be_beaten(card, place.led, self._players)
            if self._is_sure_after(place, card, card.suit, least, most, taken=True, left=left):
                return True
        return False

    def _is_sure_following(self, place: _Place, least: int, most: int) -> bool:
        """Like `_is_sure_of`, where another leads: for each suit led some card must do, or each card where the rules
        may prescribe it."""
        for suit in SUITS:
            if not self._may_hold_suit(suit, place.led, self._players):
                continue
            asked = [card for card in place.hand if card.suit == suit]
            if not asked and self._ranking.strict:
                asked = [card for card in place.hand if card.suit == self._trump]
            serves = all if asked and self._ranking.strict else any
            if not serves(self._is_sure_with(place, card, suit, least, most) for card in asked or place.hand):
                return False
        return True

    def _is_sure_with(self, place: _Place, card: Card, suit: int, least: int, most: int) -> bool:
        """Return whether following with this card, to a lead of this suit, is certain to reach `least` to `most`
        tricks."""
        taken, left = False, True
        others = self._others[card.suit]
        if card.suit == suit:
            taken = min(others) < card.rank
            left = max(others) >= card.rank or (
                suit != self._trump and self._may_hold_suit(self._trump, place.led, self._players)
            )
        elif card.suit == self._trump:
            taken = True
            left = self._may_hold_suit(self._trump, place.led, self._players) and max(others) >= card.rank
        return self._is_sure_after(place, card, suit, least, most, taken=taken, left=left)

    def _is_sure_after(
        self, place: _Place, card: Card, suit: int, least: int, most: int, *, taken: bool, left: bool
    ) -> bool:
        """Return whether the tricks are certain after one of this suit. taken, left: whether this card may take that
        trick, or leave it."""
        rest, led = _without_card(place.hand, card), self._led_once_more(place.led, suit)
        if taken and not self._is_sure_of(_Place(rest, True, led), least - 1, most - 1):
            return False
        return not left or self._is_sure_of(_Place(rest, False, led), least, most)

    def _led_once_more(self, led: Led, suit: int) -> Led:
        """The counts of suits led, with one more lead of this suit that all players followed who could."""
        first, second, third, fourth = [count + (self._ranking.follows and suit == of) for of, count in enumerate(led)]
        return first, second, third, fourth


# --- private ----------------------------------------------------------------------------------------------------------


class _Now(NamedTuple):
    """What can become of the trick on the table with a card."""

    taken: bool  # by the seat itself
    left: bool
    friend_may: bool  # take it
    friend_does: bool


class _Place(NamedTuple):
    """Before a trick that is to come: the cards of the seat, and whether it leads."""

    hand: tuple[Card, ...]
    leads: bool
    led: Led


def _without_card(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]
