"""A hand of pinochle with bidding from the deal to the play, as functions that its two games call: melds are shown all
at once, and then taken back into the hands."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol, TypeVar

from p2pcards.cards.card import Card, Suit
from p2pcards.cards.eyes import Bag, Slot
from p2pcards.games.changing import changed
from p2pcards.games.game import IllegalAction, Items, Made, Remark, Seat, Stage
from p2pcards.games.holding import verify_held
from p2pcards.games.pinochle_cards import not_in_pack_reason
from p2pcards.games.pinochle_melds import Meld, meld_cards, melds_made, melds_remark
from p2pcards.games.showing import Shown, hand_with_part_shown, show_part_of_hand
from p2pcards.games.tricks import TrickState

Melds = Callable[[Sequence[Card], Suit], tuple[Meld, ...]]


class MeldState(TrickState, Protocol):
    """What the state of such a game has."""

    @property
    def hand(self) -> int: ...
    @property
    def trump(self) -> Suit | None: ...
    @property
    def melds(self) -> tuple[Items, ...]:
        """By seat, what it has shown."""


S = TypeVar("S", bound=MeldState)


def begin_hand(state: S, hands: tuple[Bag, ...], first: Seat) -> S:
    """The state after a deal. first: the seat that acts first."""
    return changed(
        state,
        stage=Stage.PLAY,
        to_act=(first,),
        hand=state.hand + 1,
        hands=hands,
        trump=None,
        melds=((),) * len(hands),
        trick=(),
        last_trick=(),
        taken=((),) * len(hands),
        sheet=None,
    )


def verify_playable(
    state: MeldState,
    seat: Seat,
    card: Card,
    pack: Collection[Card],
    playable_of: Callable[[Suit, Sequence[Card]], tuple[list[Card], str]],
) -> None:
    """Raise IllegalAction unless the seat may play this card. playable_of: of trump and the cards held, those that may
    be played, and the rule that bars the others."""
    if state.trump is None:
        raise IllegalAction("trump hasn't been named yet")
    if card not in pack:
        raise IllegalAction(not_in_pack_reason(card))
    verify_held(state.hands[seat], card)
    allowed, rule = playable_of(state.trump, (*state.hands[seat].cards, card))
    if card not in allowed:
        raise IllegalAction(rule)


def show_melds(state: MeldState, melds: Melds) -> Shown:
    """Everybody's best melds (D-PP-4)."""
    return Shown(tuple([show_part_of_hand(held, _cards_to_show(state.trump, melds)) for held in state.hands]))


def start_play(state: S, shown: Sequence[Sequence[Slot]], leader: Seat, melds: Melds) -> S:
    """The state in which play begins, with the melds shown."""
    hands = [
        hand_with_part_shown(held, slots, _cards_to_show(state.trump, melds))
        for held, slots in zip(state.hands, shown, strict=True)
    ]
    items = [tuple([(meld.name, meld.points) for meld in made]) for made in melds_shown(state, shown, melds)]
    return changed(state, stage=Stage.PLAY, hands=tuple(hands), melds=tuple(items), leader=leader, to_act=(leader,))


def cards_shown(shown: Sequence[Sequence[Slot]]) -> list[list[Card]]:
    """By seat, the cards that are not face down."""
    return [[slot.card for slot in slots if slot.card] for slots in shown]


def melds_shown(state: MeldState, shown: Sequence[Sequence[Slot]], melds: Melds) -> list[tuple[Meld, ...]]:
    """By seat, the melds of the cards that it shows."""
    assert state.trump is not None
    return [melds(cards, state.trump) for cards in cards_shown(shown)]


def melds_made_by_event(before: MeldState, event: object, melds: Melds) -> tuple[Made, ...]:
    """`Game.made`: the melds that the event shows."""
    if not isinstance(event, Shown):
        return ()
    return tuple(
        [one for seat, made in enumerate(melds_shown(before, event.hands, melds)) for one in melds_made(seat, made)]
    )


def melds_remarks(before: MeldState, event: Shown, first: Seat, melds: Melds) -> tuple[Remark, ...]:
    """Everybody's melds with their points, from this seat on."""
    made = melds_shown(before, event.hands, melds)
    order = [(first + i) % len(made) for i in range(len(made))]
    return tuple([melds_remark(seat, made[seat]) for seat in order])


def _cards_to_show(trump: Suit | None, melds: Melds) -> Callable[[Sequence[Card]], tuple[Card, ...]]:
    """Of a hand, the cards in its melds; () before trump is named."""
    return lambda cards: () if trump is None else meld_cards(melds(cards, trump))
