"""The pass of three cards to another player, as in hearts."""

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
    cards: tuple[Card, ...]  # three, ascending


@dataclass(frozen=True, slots=True)
class Passed:
    seat: Seat
    cards: tuple[Slot, ...]


def bags_set_aside(deal: KeptDeal, passed: Sequence[int]) -> tuple[Bag, ...]:
    """The cards that each seat has passed, in a deal that keeps them in the places after the hands."""
    return tuple([Bag(seat, slots_in_place(deal, passed[seat], deal.hidden[SEATS + seat])) for seat in range(SEATS)])


def passed_to_left(passed: Sequence[Bag], way: int) -> tuple[tuple[Slot, ...], ...]:
    """The cards that each seat receives when all pass `way` seats to the left, seen by giver and receiver."""
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
    """Every choice of three cards of a hand, a mask. Cached, as every view of the hand asks for all 286."""
    return tuple(map(Pass, combinations(cards_of_mask(hand), 3)))


def verify_pass(state: KeptTricks, seat: Seat, cards: tuple[Card, ...], passing: int) -> None:
    """Raise IllegalAction unless the seat may pass these cards. passing: seats pass cards now."""
    if not passing:
        raise IllegalAction("you can't pass cards now")
    verify_all_held(state.hands[seat], cards, 3, "pass {}")


def lay_away(seat: Seat, cards: tuple[Card, ...]) -> Passed:
    """The event that passes cards, seen by their giver alone until all have passed."""
    return Passed(seat, tuple([Slot(card, eye_of_seat(seat)) for card in cards]))


def after_laid_away(state: K, event: Passed) -> K:
    """The state after a seat has passed; once all have, the stage is SHOW, in which the cards are given."""
    to_act = tuple([other for other in state.to_act if other != event.seat])
    return changed(
        state,
        deal=move_slots(state.deal, event.seat, SEATS + event.seat, event.cards),
        to_act=to_act,
        stage=Stage.PLAY if to_act else Stage.SHOW,
    )
