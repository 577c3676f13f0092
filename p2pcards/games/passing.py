"""Three cards that are laid away face down for another player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from p2pcards.cards.card import Card, cards_of_mask
from p2pcards.cards.eyes import Bag, Slot, eye_of_seat, move_slots, slots_in_place
from p2pcards.games.changing import changed
from p2pcards.games.deals.held import SEATS, KeptDeal
from p2pcards.games.game import IllegalAction, Seat, Stage
from p2pcards.games.holding import verify_all_held
from p2pcards.games.tricks import K, KeptTricks


@dataclass(frozen=True, slots=True)
class Pass:
    """Three cards for another player, in ascending order."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Passed:
    seat: Seat
    cards: tuple[Slot, ...]


def bags_set_aside(deal: KeptDeal, passed: Sequence[int]) -> tuple[Bag, ...]:
    """By seat, the cards it has laid away for another, of a deal kept in masks with these behind the hands."""
    return tuple([Bag(seat, slots_in_place(deal, passed[seat], deal.hidden[SEATS + seat])) for seat in range(SEATS)])


def passed_to_left(passed: Sequence[Bag], way: int) -> tuple[tuple[Slot, ...], ...]:
    """What each seat receives when the cards laid away by all go `way` seats to the left; receiver and giver know
    them."""
    seats = len(passed)
    given = [passed[(seat - way) % seats] for seat in range(seats)]
    return tuple(
        [
            tuple([Slot(slot.card, eye_of_seat(giver.owner) | eye_of_seat(seat)) for slot in giver.slots])
            for seat, giver in enumerate(given)
        ]
    )


@lru_cache(maxsize=16)
def all_passes(hand: int) -> tuple[Pass, ...]:
    """Every choice of three cards of a hand, a mask; cached, as there are 286 and each view of the hand asks."""
    return tuple(map(Pass, combinations(cards_of_mask(hand), 3)))


def verify_pass(state: KeptTricks, seat: Seat, cards: tuple[Card, ...], passing: int) -> None:
    """Raise IllegalAction unless the seat may lay these away. passing: whether anybody is to lay cards away now."""
    if not passing:
        raise IllegalAction("you can't pass cards now")
    verify_all_held(state.hands[seat], cards, 3, "pass {}")


def lay_away(seat: Seat, cards: tuple[Card, ...]) -> Passed:
    """The event that lays cards away, seen by their giver."""
    return Passed(seat, tuple([Slot(card, eye_of_seat(seat)) for card in cards]))


def after_laid_away(state: K, event: Passed) -> K:
    """The state after a seat has laid cards away; after the last one they are to be given."""
    to_act = tuple([other for other in state.to_act if other != event.seat])
    return changed(
        state,
        deal=move_slots(state.deal, event.seat, SEATS + event.seat, event.cards),
        to_act=to_act,
        stage=Stage.PLAY if to_act else Stage.SHOW,
    )
