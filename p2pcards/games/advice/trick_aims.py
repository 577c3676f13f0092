"""What a card is played to a trick for, as far as what its holder sees makes it certain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from p2pcards.cards.card import Card, Suit
from p2pcards.games.advice.outstanding import Outstanding, outstanding_cards
from p2pcards.games.game import AnyGame, Seat, name_in_text
from p2pcards.games.telling import Tricks, load_told
from p2pcards.games.tricks import trick_counts

Leads = Sequence[tuple[Seat, Suit]]


@dataclass(frozen=True, slots=True)
class TrickSight:
    """A trick on the table, seen by one seat that is to play to it."""

    game: AnyGame
    tricks: Tricks
    view: Any
    seat: Seat
    out: Outstanding
    held: tuple[Card, ...]
    legal: tuple[Card, ...]  # the cards that it may play
    partners: frozenset[Seat]  # of the seat
    led: Suit | None = None  # the suit
    best: Card | None = None  # the card that is winning; None where the seat leads
    whose: Seat = 0  # played it
    last: bool = False  # the seat plays last to the trick

    def would_win(self, card: Card) -> bool:
        """Return whether this card would be the winning one so far."""
        assert self.led is not None and self.best is not None
        return self.out.strength(card, self.led) > self.out.strength(self.best, self.led)

    def strength(self, card: Card) -> tuple[bool, bool, int]:
        assert self.led is not None
        return self.out.strength(card, self.led)

    def is_singleton(self, card: Card) -> bool:
        """Return whether it is the only card of its suit in the hand."""
        return [self.out.suit_in_tricks(other) for other in self.held].count(
            self.out.suit_in_tricks(card)
        ) == 1 and not card.copy

    def avoids_trick(self) -> bool:
        """Return whether the seat wants no more tricks, or none that costs it."""
        return self.tricks.avoids(self.view, self.seat)

    def is_sure_to_hold(self, card: Card) -> bool:
        """Return whether nobody who is still to play can beat this card."""
        return self.last or not self.out.can_beat(card, self.out.suit_in_tricks(card) if self.led is None else self.led)


def reason_for_card(game: AnyGame, view: Any, seat: Seat, card: Card, legal: Sequence[Card], leads: Leads) -> str:
    """The reason for playing a card, as words that begin with "to" or "since", or "" where no aim is certain; seats by
    `name_in_text`. legal: the cards that the seat may play; leads: who has led which suit in this hand, in order."""
    sight = _sight_of_trick(game, view, seat, tuple(legal))
    if sight.best is None:
        return _reason_to_lead(sight, card, leads)
    return _reason_to_win(sight, card) if sight.would_win(card) else _reason_to_lose(sight, card)


def _sight_of_trick(game: AnyGame, view: Any, seat: Seat, legal: tuple[Card, ...]) -> TrickSight:
    """The trick on the table as this seat sees it, with what the others may hold."""
    out, trick = outstanding_cards(game, view, seat), game.layout(view).trick
    held = tuple([card for card in view.hands[seat].cards if card])
    side = next((side for side in game.sides(view.options) if seat in side), (seat,))
    sight = TrickSight(game, load_told(game.key).tricks, view, seat, out, held, legal, frozenset(side) - {seat})
    if not trick:
        return sight
    led = out.suit_in_tricks(trick[0][1].card)
    whose, slot = max(trick, key=lambda one: out.strength(one[1].card, led))  # of equal cards the first
    players = len(view.hands) - (getattr(view, "out", None) is not None)
    return replace(sight, led=led, best=slot.card, whose=whose, last=len(trick) == players - 1)


# --- leading ----------------------------------------------------------------------------------------------------------


def _reason_to_lead(sight: TrickSight, card: Card, leads: Leads) -> str:
    """The reason to lead this card, as text; "" for none that is certain."""
    out, suit = sight.out, sight.out.suit_in_tricks(card)
    trumps = out.trumps_left()
    if (own := sight.tricks.leading(sight, card)) is not None:
        return own
    if not out.higher_in_suit(card):
        if sight.avoids_trick():
            return ""
        if suit == out.trump and trumps:
            return "to draw trump with a card nobody can beat"
        if out.trump is None or suit == out.trump or not trumps:
            return "to take a sure trick" if out.cards else ""
        return f"to take the trick unless someone trumps (no higher {_card_of_suit_words(suit)} is left)"
    if sight.avoids_trick() and not out.lower_in_suit(card):
        return "to give up the lead" + (
            _what_is_kept(sight) or f", since nobody else has a lower {_card_of_suit_words(suit)}"
        )
    if suit == out.trump:
        return "to draw trump"
    first = {led: whose for whose, led in reversed(leads) if led != out.trump}
    if first.get(suit) in sight.partners and suit in first:
        return "to return your partner's suit"
    trumping = out.trump is not None and any(out.suit_in_tricks(other) == out.trump for other in sight.held)
    if trumping and sight.is_singleton(card) and not sight.avoids_trick():
        return f"to go void in {suit_in_words(suit)} and trump them later"
    return ""


# --- to a trick that others have begun --------------------------------------------------------------------------------


def _reason_to_win(sight: TrickSight, card: Card) -> str:
    """The reason to win the trick with this card, as text; "" for none that is certain."""
    out, best = sight.out, sight.best
    assert best is not None and sight.led is not None
    winning = sorted([other for other in sight.legal if sight.would_win(other)], key=sight.strength)
    if (own := sight.tricks.winning(sight, card)) is not None:
        return own
    if sight.avoids_trick():
        return ""
    if sight.tricks.nil(sight.view, sight.whose) and sight.whose in sight.partners:
        return "to cover your partner's nil"
    by_trump = out.trump is not None and out.suit_in_tricks(card) == out.trump != sight.led
    if by_trump:
        what = f"to overtrump the {best}" if out.suit_in_tricks(best) == out.trump else "to trump"
    elif sight.whose in sight.partners:
        what = f"to beat your partner's {best}"
    elif sight.is_sure_to_hold(card):
        what = "to take the trick"
    else:
        what = f"to beat the {best}"
    if by_trump and sight.is_sure_to_hold(card):
        what += " and take the trick"
    little = len(winning) > 1 and sight.strength(card) == sight.strength(winning[0])
    needed = little and sight.is_sure_to_hold(card) and sight.strength(winning[0]) != sight.strength(winning[-1])
    return what + " as cheaply as possible" * needed + _goal_of_trick(sight)


def _reason_to_lose(sight: TrickSight, card: Card) -> str:
    """The reason to follow suit without winning, as text; "" for none that is certain."""
    best, suit = sight.best, sight.out.suit_in_tricks(card)
    assert best is not None
    could_win = any(map(sight.would_win, sight.legal))
    if suit != sight.led:
        return _reason_to_discard(sight, card)
    if (own := sight.tricks.losing(sight, card)) is not None:
        return own
    if sight.whose in sight.partners and sight.tricks.nil(sight.view, sight.whose):
        return ""
    if sight.whose in sight.partners and sight.is_sure_to_hold(best):
        return _reason_for_partner(sight, card) or "to leave the trick to your partner"
    if sight.tricks.nil(sight.view, sight.whose) and sight.whose not in sight.partners:
        return f"to leave the trick to {name_in_text(sight.whose)}, who bid nil"
    if sight.out.counted(card.face) == sight.out.counted(best.face):
        return "to duck, since the first of two equal cards takes the trick"
    if could_win:
        return f"to duck under the {best}" + _what_is_kept(sight)
    order = sorted(sight.legal, key=sight.out.rank_in_tricks)
    if len(order) == 1 or sight.out.rank_in_tricks(order[0]) == sight.out.rank_in_tricks(order[-1]):
        return ""
    if sight.out.rank_in_tricks(card) == sight.out.rank_in_tricks(order[-1]):
        return f"to get rid of a high card under the {best}" if sight.avoids_trick() else ""
    return (
        f"to play low, since you can't beat the {best}"
        if sight.out.rank_in_tricks(card) == sight.out.rank_in_tricks(order[0])
        else ""
    )


def _reason_to_discard(sight: TrickSight, card: Card) -> str:
    """The reason for a card that neither follows suit nor wins."""
    out, suit = sight.out, sight.out.suit_in_tricks(card)
    assert sight.best is not None
    if (own := sight.tricks.discarding(sight, card)) is not None:
        return own
    if suit == out.trump:
        return ""
    theirs = sight.whose in sight.partners and sight.is_sure_to_hold(sight.best)
    if theirs and (given := _reason_for_partner(sight, card)):
        return given
    if sight.avoids_trick() and out.lower_in_suit(card):
        return "to throw off a card that could take a trick" + _what_is_kept(sight)
    if sight.is_singleton(card):
        return f"to go void in {suit_in_words(suit)}"
    if not out.higher_in_suit(card) or sight.avoids_trick():
        return ""
    return "to throw a loser" + " on your partner's trick" * theirs


def _reason_for_partner(sight: TrickSight, card: Card) -> str:
    """The reason for giving a card that counts to a partner who is certain to take it."""
    ranking = sight.game.ranking(sight.view)
    counts = ranking and ranking.scores(card) and sight.tricks.gives
    return f"to add the {card.face} to your partner's trick" if counts else ""


# --- what the hand is played for --------------------------------------------------------------------------------------


def _what_is_kept(sight: TrickSight) -> str:
    """Words for the cards that the seat keeps by not taking the trick."""
    return sight.tricks.kept if sight.avoids_trick() else ""


def _goal_of_trick(sight: TrickSight) -> str:
    """Words for what a trick goes towards."""
    bids = sight.tricks.bids(sight.view)
    if not bids:
        return ""
    seats = sorted({sight.seat, *sight.partners})
    bid = sum([bids[seat] or 0 for seat in seats])
    has = sum([trick_counts(sight.view.taken)[seat] for seat in seats])
    whose = "your side's" if sight.partners else "your"
    return f", toward {whose} bid of {bid}" if has < bid else ""


# --- words ------------------------------------------------------------------------------------------------------------


def suit_in_words(suit: Suit) -> str:
    return suit.name.lower()


def _card_of_suit_words(suit: Suit) -> str:
    return suit.name.lower()[:-1]
