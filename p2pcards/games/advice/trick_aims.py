"""What a card is played to a trick for, as far as what its holder sees makes it certain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from p2pcards.cards.card import Card, Suit
from p2pcards.games.advice.outstanding import Outstanding, outstanding
from p2pcards.games.game import AnyGame, Seat, name_of
from p2pcards.games.hearts.rules import QUEEN
from p2pcards.games.spades.rules import is_nil
from p2pcards.games.tricks import trick_counts

Leads = Sequence[tuple[Seat, Suit]]


@dataclass(frozen=True, slots=True)
class TrickSight:
    """A trick on the table. best: the card that is winning it, None where the seat is to lead, and whose; led: its
    suit; last: nobody plays to it after the seat; legal: the cards that the seat may play; partners: of the seat."""

    game: AnyGame
    view: Any
    seat: Seat
    out: Outstanding
    held: tuple[Card, ...]
    legal: tuple[Card, ...]
    partners: frozenset[Seat]
    led: Suit | None = None
    best: Card | None = None
    whose: Seat = 0
    last: bool = False

    def wins(self, card: Card) -> bool:
        """Whether this card would be the winning one."""
        assert self.led is not None and self.best is not None
        return self.out.strength(card, self.led) > self.out.strength(self.best, self.led)

    def is_sure(self, card: Card) -> bool:
        """Whether nobody who is to play can beat it."""
        return self.last or not self.out.can_beat(card, self.out.suit(card) if self.led is None else self.led)


def trick_aim(game: AnyGame, view: Any, seat: Seat, card: Card, legal: Sequence[Card], leads: Leads) -> str:
    """Words that begin with "to" or "as", or "" where no aim is certain; seats by `name_of`. legal: the cards that the
    seat may play; leads: who has led which suit in this hand, in order."""
    sight = _look(game, view, seat, tuple(legal))
    if sight.best is None:
        return _lead_aim(sight, card, leads)
    return _winning_aim(sight, card) if sight.wins(card) else _losing_aim(sight, card)


def _look(game: AnyGame, view: Any, seat: Seat, legal: tuple[Card, ...]) -> TrickSight:
    out, trick = outstanding(game, view, seat), game.layout(view).trick
    held = tuple([card for card in view.hands[seat].cards if card])
    side = next((side for side in game.sides(view.options) if seat in side), (seat,))
    sight = TrickSight(game, view, seat, out, held, legal, frozenset(side) - {seat})
    if not trick:
        return sight
    led = out.suit(trick[0][1].card)
    whose, slot = max(trick, key=lambda one: out.strength(one[1].card, led))  # of equal cards the first
    players = len(view.hands) - (getattr(view, "out", None) is not None)
    return TrickSight(
        game, view, seat, out, held, legal, sight.partners, led, slot.card, whose, len(trick) == players - 1
    )


# --- leading ----------------------------------------------------------------------------------------------------------


def _lead_aim(sight: TrickSight, card: Card, leads: Leads) -> str:
    out, suit = sight.out, sight.out.suit(card)
    trumps = out.trumps()
    if sight.game.key == "auction_pitch" and out.trump is None:
        number = sum([other.suit == suit for other in sight.held])
        return f"to make {_suit(suit)} trump, of which you hold {number}"
    if sight.game.key == "hearts" and _drives_out(sight, card):
        return f"to drive out the {QUEEN}"
    if not out.above(card):
        if _avoids(sight):
            return ""
        if suit == out.trump and trumps:
            return "to draw trumps with a card that nobody can beat"
        if out.trump is None or suit == out.trump or not trumps:
            return "to take a trick that is certainly yours" if out.cards else ""
        return f"to take the trick unless somebody trumps, as no higher {_one_of(suit)} is out"
    if _avoids(sight) and not out.below(card):
        return "to give up the lead" + (_kept(sight) or f", as nobody can stay under this {_one_of(suit)}")
    if suit == out.trump:
        return "to draw trumps"
    first = {led: whose for whose, led in reversed(leads) if led != out.trump}
    if first.get(suit) in sight.partners and suit in first:
        return "to return your partner's suit"
    trumping = out.trump is not None and any(out.suit(other) == out.trump for other in sight.held)
    if trumping and _is_alone(sight, card) and not _avoids(sight):
        return f"to be void of {_suit(suit)}, which you can trump then"
    return ""


def _drives_out(sight: TrickSight, card: Card) -> bool:
    high = [other for other in sight.held if other.suit == Suit.SPADES and other.rank >= QUEEN.rank]
    return card.suit == Suit.SPADES and QUEEN in sight.out.cards and not high


# --- to a trick that others have begun --------------------------------------------------------------------------------


def _winning_aim(sight: TrickSight, card: Card) -> str:
    out, best = sight.out, sight.best
    assert best is not None and sight.led is not None
    winning = sorted([other for other in sight.legal if sight.wins(other)], key=lambda one: _strength(sight, one))
    if sight.last and sight.game.key == "hearts" and len(winning) == len(sight.legal):
        highest = len(winning) > 1 and _strength(sight, card) == _strength(sight, winning[-1])
        return "to be rid of a high card in a trick that is yours anyway" if highest else ""
    if sight.game.key == "hearts" and sight.last and not _costs(sight, card):
        return "to take the trick while it costs nothing"
    if _avoids(sight):
        return ""
    if _is_nil_in_danger(sight, sight.whose) and sight.whose in sight.partners:
        return "to cover your partner's Nil"
    by_trump = out.trump is not None and out.suit(card) == out.trump != sight.led
    if by_trump:
        what = f"to overtrump the {best}" if out.suit(best) == out.trump else "to trump in"
    elif sight.whose in sight.partners:
        what = f"to beat your partner's {best}"
    elif sight.is_sure(card):
        what = "to take the trick"
    else:
        what = f"to beat the {best}"
    if by_trump and sight.is_sure(card):
        what += " and take the trick"
    little = len(winning) > 1 and _strength(sight, card) == _strength(sight, winning[0])
    needed = little and sight.is_sure(card) and _strength(sight, winning[0]) != _strength(sight, winning[-1])
    return what + " with as little as needed" * needed + _towards(sight)


def _losing_aim(sight: TrickSight, card: Card) -> str:
    best, suit = sight.best, sight.out.suit(card)
    assert best is not None
    could_win = any(map(sight.wins, sight.legal))
    if suit != sight.led:
        return _discard_aim(sight, card)
    if sight.game.key == "hearts" and card == QUEEN:
        return f"to be rid of the {QUEEN} under the {best}"
    if sight.whose in sight.partners and _is_nil_in_danger(sight, sight.whose):
        return ""
    if sight.whose in sight.partners and sight.is_sure(best):
        return _given(sight, card) or "to leave the trick to your partner"
    if _is_nil_in_danger(sight, sight.whose) and sight.whose not in sight.partners:
        return f"to leave the trick to {name_of(sight.whose)}, who bid Nil"
    if sight.out.counted(card.face) == sight.out.counted(best.face):
        return "to leave the trick, as the first of two equal cards takes it"
    if could_win:
        return f"to duck under the {best}" + _kept(sight)
    order = sorted(sight.legal, key=sight.out.rank)
    if len(order) == 1 or sight.out.rank(order[0]) == sight.out.rank(order[-1]):
        return ""
    if sight.out.rank(card) == sight.out.rank(order[-1]):
        return f"to be rid of a high card under the {best}" if _avoids(sight) else ""
    return f"to play low, as you cannot beat the {best}" if sight.out.rank(card) == sight.out.rank(order[0]) else ""


def _discard_aim(sight: TrickSight, card: Card) -> str:
    """Of a card that neither follows suit nor wins."""
    out, suit = sight.out, sight.out.suit(card)
    assert sight.best is not None
    ranking = sight.game.ranking(sight.view)
    certain = sight.is_sure(sight.best)
    if sight.game.key == "hearts":
        if ranking and card.suit != Suit.DIAMONDS and ranking.scores(card):
            what = f"the {card}" if card == QUEEN else "a heart"
            return f"to give {name_of(sight.whose)} {what}" if certain else f"to throw off {what}"
    elif suit == out.trump:
        return ""
    theirs = sight.whose in sight.partners and certain
    if theirs and (given := _given(sight, card)):
        return given
    if _avoids(sight) and out.below(card):
        return "to throw off a card that could take a trick" + _kept(sight)
    if _is_alone(sight, card):
        return f"to be void of {_suit(suit)}"
    if sight.game.key == "pinochle2" and ranking is None:
        melds = [meld for meld in sight.game.meldable(sight.view, sight.seat) if card in meld.cards]
        if not melds and sight.game.meldable(sight.view, sight.seat):
            return "to keep the cards of your melds"
        return ""
    if not out.above(card) or _avoids(sight):
        return ""
    return f"to throw off a loser{' on the trick of your partner' if theirs else ''}"


def _given(sight: TrickSight, card: Card) -> str:
    """Of a card that counts for the partner, who is certain to take it."""
    ranking = sight.game.ranking(sight.view)
    counts = ranking and ranking.scores(card) and sight.game.key in ("pinochle", "auction_pitch")
    return f"to give the {card.face} to your partner's trick" if counts else ""


# --- what the hand is played for --------------------------------------------------------------------------------------


def _avoids(sight: TrickSight) -> bool:
    """Whether the seat wants no more tricks, or none that costs it."""
    match sight.game.key:
        case "spades":
            return _is_nil_in_danger(sight, sight.seat)
        case "oh_hell":
            bid = sight.view.bids[sight.seat]
            return bid is not None and trick_counts(sight.view.taken)[sight.seat] == bid
        case key:
            return key == "hearts"


def _costs(sight: TrickSight, card: Card) -> bool:
    """Whether the trick has a card that counts, this one with it."""
    ranking = sight.game.ranking(sight.view)
    trick = [slot.card for _, slot in sight.game.layout(sight.view).trick]
    return ranking is not None and any(map(ranking.scores, [*trick, card]))


def _is_nil_in_danger(sight: TrickSight, seat: Seat) -> bool:
    """Whether this seat has bid Nil and taken no trick yet."""
    if sight.game.key != "spades" or not is_nil(sight.view.options, sight.view.bids[seat]):
        return False
    return not sight.view.taken[seat]


def _kept(sight: TrickSight) -> str:
    """What it keeps not to take the trick."""
    if sight.game.key == "spades" and _avoids(sight):
        return " and keep your Nil"
    return ", as your bid is made" if sight.game.key == "oh_hell" and _avoids(sight) else ""


def _towards(sight: TrickSight) -> str:
    """What a trick goes towards."""
    if sight.game.key not in ("oh_hell", "spades"):
        return ""
    seats = sorted({sight.seat, *sight.partners})
    bid = sum([sight.view.bids[seat] or 0 for seat in seats])
    has = sum([trick_counts(sight.view.taken)[seat] for seat in seats])
    whose = "your side's" if sight.partners else "your"
    return f", towards {whose} bid of {bid}" if has < bid else ""


# --- words ------------------------------------------------------------------------------------------------------------


def _strength(sight: TrickSight, card: Card) -> tuple[bool, bool, int]:
    assert sight.led is not None
    return sight.out.strength(card, sight.led)


def _is_alone(sight: TrickSight, card: Card) -> bool:
    """Whether it is the only card of its suit in the hand."""
    return [sight.out.suit(other) for other in sight.held].count(sight.out.suit(card)) == 1 and not card.copy


def _suit(suit: Suit) -> str:
    return suit.name.lower()


def _one_of(suit: Suit) -> str:
    return suit.name.lower()[:-1]
