"""Trick taking, as functions that a game calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import Field, dataclass
from functools import cache
from typing import Any, ClassVar, Protocol, TypeVar

from p2pcards.cards.card import SUITS, Card, Suit
from p2pcards.cards.eyes import OPEN, PUBLIC, Bag, Slot, slots_in_place, take_out_of_bag
from p2pcards.games.changing import changed
from p2pcards.games.dealing import StateInTurn
from p2pcards.games.deals.bits import highest_place
from p2pcards.games.deals.held import SEATS, KeptDeal
from p2pcards.games.deals.tricks import NOBODY, WIDTH
from p2pcards.games.game import IllegalAction, Layout, Pile, Seat, Sheet, Stage, Trump, with_seat_replaced
from p2pcards.games.wording import quantity_text


@dataclass(frozen=True, slots=True)
class Bid:
    """How many tricks the bidder will take."""

    tricks: int


@dataclass(frozen=True, slots=True)
class Bidden:
    seat: Seat
    tricks: int


class TrickState(Protocol):
    """What the state of a game of tricks has beyond that of every game."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def scores(self) -> tuple[int, ...]: ...
    @property
    def hands(self) -> tuple[Bag, ...]: ...
    @property
    def leader(self) -> Seat:
        """The seat that leads, or led, to the trick on the table, and took the last one."""

    @property
    def trick(self) -> tuple[Slot, ...]:
        """The cards on the table in order of play, the leader's first."""

    @property
    def last_trick(self) -> tuple[tuple[Seat, Card], ...]:
        """Each card of the last trick with its player. Its slots are in `taken`: no card may be in two."""

    @property
    def taken(self) -> tuple[tuple[Slot, ...], ...]:
        """The cards of the tricks that each seat has taken, in order of play."""


S = TypeVar("S", bound=TrickState)


UNDEALT = KeptDeal(0)


@dataclass(frozen=True)
class KeptTricks(StateInTurn):
    """The state of a game of tricks for four that keeps its deal in masks; hands and tricks are read from them."""

    IN_DEAL: ClassVar[tuple[str, ...]] = ("hands", "leader", "trick", "last_trick", "taken")
    """What is read from these three fields, in the order in which it is told."""
    scores: tuple[int, ...] = (0,) * SEATS
    deal: KeptDeal = UNDEALT  # the hand in whole numbers, the same that is searched
    played: tuple[Card, ...] = ()  # the cards of its tricks, in order of play
    leads: tuple[Seat, ...] = ()  # the leader of each of them, and of the next
    sheet: Sheet | None = None
    winners: tuple[Seat, ...] = ()

    @property
    def hands(self) -> tuple[Bag, ...]:
        deal = self.deal
        held = deal.known_hands()
        return tuple([Bag(seat, slots_in_place(deal, held[seat], deal.hidden[seat])) for seat in range(SEATS)])

    @property
    def out(self) -> Seat | None:
        """Who sits this hand out, as the partner of somebody who plays alone."""
        out = self.deal.current_tricks().out
        return None if out == NOBODY else out

    @property
    def players(self) -> int:
        """How many seats play to each trick."""
        return SEATS - (self.deal.current_tricks().out != NOBODY)

    @property
    def leader(self) -> Seat:
        return self.leads[-1] if self.leads else 0

    @property
    def trick(self) -> tuple[Slot, ...]:
        done = len(self.played) - self.deal.current_tricks().laid
        return tuple([OPEN[card] for card in self.played[done:]])

    @property
    def last_trick(self) -> tuple[tuple[Seat, Card], ...]:
        table = self.deal.current_tricks()
        done = len(self.played) - table.laid
        if not done:
            return ()
        order = _order_of_play(SEATS, self.leads[-2], table.out)
        return tuple(zip(order, self.played[done - len(order) : done], strict=True))

    @property
    def taken(self) -> tuple[tuple[Slot, ...], ...]:
        piles: list[list[Slot]] = [[] for _ in range(SEATS)]
        players = self.players
        for number, taker in enumerate(self.leads[1:]):
            piles[taker] += [OPEN[card] for card in self.played[players * number : players * number + players]]
        return tuple(map(tuple, piles))

    def plays(self) -> list[tuple[Seat, Card]]:
        """The cards of its tricks in order of play, each with the seat that played it."""
        out = self.deal.current_tricks().out
        seats = [seat for leader in self.leads for seat in _order_of_play(SEATS, leader, out)]
        return list(zip(seats, self.played, strict=False))


K = TypeVar("K", bound=KeptTricks)


def start_hand(state: K, deal: KeptDeal, first: Seat) -> K:
    """The state after a deal. first: who acts first, and leads if nothing comes before the play."""
    return changed(
        state,
        stage=Stage.PLAY,
        to_act=(first,),
        hand=state.hand + 1,
        deal=deal,
        played=(),
        leads=(first,),
        sheet=None,
    )


def lay_card(state: K, seat: Seat, slot: Slot) -> K:
    """The state after a card was played to the trick; its taker leads next. `to_act` is the next seat also after the
    last card of a hand, when `deal.turn` is nobody's."""
    deal = state.deal.copy()
    deal.make_move(deal.turn_up_card(seat, slot.card))
    table = deal.current_tricks()
    leads = state.leads if table.laid else (*state.leads, table.taker)
    return changed(state, deal=deal, played=(*state.played, slot.card), leads=leads, to_act=(table.turn,))


def suit_of_mask(mask: int) -> Suit | None:
    """The suit of a mask of cards of one suit; None for no cards."""
    return SUITS[highest_place(mask) // WIDTH] if mask else None


def suit_name_of_mask(mask: int) -> str:
    """The name of the suit of a mask of cards of one suit."""
    return SUITS[highest_place(mask) // WIDTH].name.lower()


def verify_follows(deal: KeptDeal, seat: Seat, card: Card) -> None:
    """Raise IllegalAction if the suit led must be followed and this card does not."""
    table = deal.current_tricks()
    if table.laid and not table.led >> deal.number_of(card) & 1 and table.led & table.hands[seat]:
        raise IllegalAction(f"you must follow {suit_name_of_mask(table.led)}")


def cards_of_suit(held: Iterable[Card], led: Suit) -> list[Card]:
    return [card for card in held if card.suit == led]


def playable(held: Iterable[Card], trick: Sequence[Slot]) -> tuple[list[Card], str]:
    """Those of the cards held that may be played where the suit led must be followed and nothing else is asked; and the
    rule that bars the others."""
    if not trick:
        return list(held), ""
    led = trick[0].card.suit
    return cards_of_suit(held, led) or list(held), f"you must follow {led.name.lower()}"


def winning_index(trick: Sequence[Card], trump: Suit | None = None) -> int:
    """The index (0 = leader) of the card that wins a trick: the highest trump, else the highest of the suit led; of two
    equal cards the first."""
    suits = {card.suit for card in trick}
    best = trump if trump is not None and trump in suits else trick[0].suit
    return max(range(len(trick)), key=lambda i: (trick[i].suit == best, trick[i].rank, -i))


def cards_by_player(state: TrickState, out: Seat | None = None) -> tuple[tuple[Seat, Slot], ...]:
    """The trick on the table as pairs of seat and card. out: who sits this hand out."""
    order = _order_of_play(len(state.scores), state.leader, NOBODY if out is None else out)
    return tuple(zip(order, state.trick, strict=False))


def play_card(
    state: S,
    seat: Seat,
    slot: Slot,
    winner: Callable[[Sequence[Card]], int] = winning_index,
) -> S:
    """The state after a card was played to the trick; a full trick goes to its taker, who is to lead next.

    winner: the place of the card that takes a full trick. `to_act` is the next seat also after the last card of a hand:
    what a hand's end is, the game says.
    """
    hands = with_seat_replaced(state.hands, seat, take_out_of_bag(state.hands[seat], (slot,)))
    state = changed(state, hands=hands, trick=(*state.trick, slot))
    order = _order_of_play(len(state.hands), state.leader)
    played = len(state.trick)
    if played < len(order):
        return changed(state, to_act=(order[played],))
    taker = order[winner([each.card for each in state.trick])]
    return changed(
        state,
        taken=with_seat_replaced(state.taken, taker, state.taken[taker] + state.trick),
        last_trick=tuple([(seat, each.card) for seat, each in cards_by_player(state)]),
        trick=(),
        leader=taker,
        to_act=(taker,),
    )


def trick_counts(taken: Sequence[Sequence[Slot]]) -> tuple[int, ...]:
    """How many tricks each seat has taken, in games where every seat plays to each trick."""
    return tuple([len(slots) // len(taken) for slots in taken])


def split_by_trick(slots: Sequence[Slot], players: int) -> list[list[Card]]:
    """The cards that a seat has taken, in lists of one trick each."""
    return [[slot.card for slot in slots[start : start + players]] for start in range(0, len(slots), players)]


def tricks_text(count: int) -> str:
    """``1 trick``, ``2 tricks``; "" for none."""
    return quantity_text(count, "trick") if count else ""


def bid_texts(bids: Sequence[str], won: Sequence[int]) -> list[str]:
    """By seat, a text of its bid, "" before it has bid, and once all have, also of its tricks: ``bid 4, took 2``."""
    if not all(bids):
        return [f"bid {bid}" if bid else "" for bid in bids]
    return [f"bid {bid}, took {count}" for bid, count in zip(bids, won, strict=True)]


def trick_layout(
    state: TrickState,
    notes: Sequence[str],
    piles: Sequence[Pile] = (),
    out: Seat | None = None,
    seats: Sequence[str] = (),
    trump: Trump | None = None,
    goal: int = 0,
) -> Layout:
    """The layout of a game of tricks: the trick on the table, these piles, and the cards taken, by seat. seats: facts
    of each."""
    last = state.last_trick
    taken = [Pile("cards taken", slots, seat, kind="tricks") for seat, slots in enumerate(state.taken) if slots]
    return Layout(
        trick=cards_by_player(state, out),
        leader=state.leader,
        trump=trump,
        last_trick=tuple([(seat, Slot(card, PUBLIC)) for seat, card in last]),
        taker=state.leader if last else None,
        piles=(*taken, *piles),
        notes=tuple(notes),
        seats=tuple(seats),
        goal=goal,
    )


@cache
def _order_of_play(seats: int, leader: Seat, out: Seat = NOBODY) -> tuple[Seat, ...]:
    """The seats in the order in which they play to a trick."""
    return tuple([seat for i in range(seats) if (seat := (leader + i) % seats) != out])
