"""Bid pinochle: two players. Bid, then make it with melds and tricks. First past {game_limit} wins.

The pack has two each of A-10-K-Q-J-9 in every suit, ranking in that order. {deal=selection?{deal!}|Twelve cards each;
the rest stay out.}

The non-dealer starts, at {opening_bid} or more: bid higher in turn, or let your opponent have it (at {opening_bid} if
you pass right away). The bidder names trump, but needs its king and queen, or its nine; otherwise, they concede and
lose the bid.

Both show melds and take them back:
- run (A-10-K-Q-J of trump): 15, two 150
- marriage (K-Q): 2 (4 in trump); one in every suit (round robin) 24
- pinochle (queen of spades, jack of diamonds): 4, two 30
- one in each suit: aces 10, kings 8, queens 6, jacks 4; all eight, ten times that
- nine of trump: 1

A card can score in one run, marriage or nine, one four of a kind and one pinochle.

The bidder leads. Follow suit if you can; if not, play any card. The higher trump, or else the higher card of the suit
led, wins; the first of equal cards. Aces, tens and kings count 1. Without a trick you score nothing. A bidder who falls
short is set, and loses the bid. If both go over {game_limit}, the higher score wins; after a tie, play on.
"""

# Rules: rule sheet 13; the decisions D-BP-1 to D-BP-8 are named where they are taken, here and in
# games/pinochle_melds.py.

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from p2pcards.cards.card import SUITS, Card, Suit
from p2pcards.cards.eyes import PUBLIC, Bag, Slot, eye_of_seat, put_into_bag
from p2pcards.games.bidding import Bid, Bidden, Name, Named
from p2pcards.games.changing import changed
from p2pcards.games.dealing import (
    DealerDrawn,
    Dealt,
    StateInTurn,
    after_dealer_drawn,
    dealt_hands,
    dealt_slots,
    draw_dealer,
    next_first_dealer,
)
from p2pcards.games.game import (
    Game,
    IllegalAction,
    Items,
    Layout,
    Made,
    Pile,
    Ranking,
    Remark,
    Seat,
    Sheet,
    Stage,
    Trump,
    end_hand,
    name_in_text,
    sheet_of_items,
    sum_of_items,
    verify_turn,
    with_seat_replaced,
)
from p2pcards.games.options import choice_option, number_option
from p2pcards.games.partners import race_winners
from p2pcards.games.pinochle_cards import (
    ACE,
    KING,
    NINE,
    QUEEN,
    TEN,
    counted_card,
    highest_bid_reason,
    playable,
    points_of_values,
    winning_place,
)
from p2pcards.games.pinochle_hand import (
    begin_hand,
    cards_shown,
    melds_made_by_event,
    melds_remarks,
    show_melds,
    start_play,
    verify_playable,
)
from p2pcards.games.pinochle_melds import (
    NO_TRUMP_SUIT,
    PARTNERSHIP_PACK,
    bid_melds,
    meld_points,
    worths_by_trump_text,
)
from p2pcards.games.playing import Pass, Passed, Play, Played
from p2pcards.games.showing import Shown, piles_in_hand
from p2pcards.games.tricks import play_card, split_by_trick, trick_counts, trick_layout, tricks_text

SEATS = 2
EACH = 12
PACK = PARTNERSHIP_PACK
HIGHEST = 250  # bid (D-GEN-10)
COUNT = {ACE: 1, TEN: 1, KING: 1}  # no point for the last trick (D-BP-6)
NAMING = ((NINE,), (KING, QUEEN))  # ranks of which all are held in a suit that may be named


@dataclass(frozen=True, slots=True)
class Options:
    deal: str = choice_option(
        "automatic",
        "cards dealt, or selected from the stock",
        {
            "automatic": "Twelve cards are dealt to each player, one at a time; the other half of the pack isn't seen.",
            "selection": "Starting with the non-dealer, players take turns with two cards of the stock until each has "
            "twelve: look at the first, then `accept` it (the second is discarded unseen) or `reject` it and keep the "
            "second.",
        },
    )
    opening_bid: int = number_option(  # D-BP-7
        12,
        1,
        100,
        "the lowest bid",
        "The first bid is at least {opening_bid}. If the first bidder passes right away, their opponent has the bid at "
        "{opening_bid} and can't pass or raise it.",
    )
    game_limit: int = number_option(  # D-BP-8
        100,
        10,
        10_000,
        "score you must pass to win the game",
        "A player with more than {game_limit} points at the end of a hand wins; if both do, the higher score wins; "
        "after a tie, you play another hand.",
    )


PRESETS = {"usual": Options(), "bid": Options()}


# --- actions and events -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Accept:
    """The card of the stock that the seat sees; the next is laid away."""


@dataclass(frozen=True, slots=True)
class Reject:
    """The card of the stock that the seat sees is laid away, and the next is kept."""


@dataclass(frozen=True, slots=True)
class Concede:
    """The bidder holds no suit that may be named."""


@dataclass(frozen=True, slots=True)
class Accepted:
    seat: Seat
    look: tuple[Slot, ...]  # the card of the stock that the other seat sees next; () after the last


@dataclass(frozen=True, slots=True)
class Rejected:
    seat: Seat
    kept: Slot  # the card after the one rejected
    look: tuple[Slot, ...]  # as in `Accepted`


@dataclass(frozen=True, slots=True)
class Conceded:
    seat: Seat


Action = Accept | Reject | Pass | Bid | Name | Concede | Play
Event = DealerDrawn | Dealt | Accepted | Rejected | Passed | Bidden | Named | Conceded | Shown | Played


@dataclass(frozen=True)
class State(StateInTurn):
    options: Options
    scores: tuple[int, ...] = (0,) * SEATS
    hands: tuple[Bag, ...] = tuple(Bag(seat) for seat in range(SEATS))
    stock: tuple[Slot, ...] = ()  # cards not dealt, the one to accept or reject first
    laid: tuple[Slot, ...] = ()  # discards, in this order
    bid: int = 0  # the last one
    owner: Seat | None = None  # the seat that won the bid, when the bidding is over
    trump: Suit | None = None
    melds: tuple[Items, ...] = ((),) * SEATS  # by seat, as shown
    leader: Seat = 0
    trick: tuple[Slot, ...] = ()
    last_trick: tuple[tuple[Seat, Card], ...] = ()
    taken: tuple[tuple[Slot, ...], ...] = ((),) * SEATS
    sheet: Sheet | None = None
    winners: tuple[Seat, ...] = ()

    @property
    def selecting(self) -> bool:
        """Return whether cards are still accepted or rejected."""
        return len(self.hands[0]) + len(self.hands[1]) + sum(map(len, self.taken)) + len(self.trick) < SEATS * EACH


# --- the game ---------------------------------------------------------------------------------------------------------


def deal(state: State, pack: tuple[Card, ...], draw: tuple[Card, ...]) -> DealerDrawn | Dealt:
    if state.dealer is None:
        return draw_dealer(draw)
    if state.options.deal == "selection":  # each first of two is seen when its turn comes (D-BP-1)
        return Dealt((Slot(pack[0], eye_of_seat(1 - state.dealer)), *[Slot(card) for card in pack[1:]]))
    return Dealt(dealt_slots(pack, SEATS, state.dealer, EACH))


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    if seat not in state.to_act:
        return ()
    if state.selecting:
        return (Accept(), Reject())
    held = state.hands[seat].cards
    if state.owner is None:
        return (Pass(), *[Bid(points) for points in open_bids(state)])
    if state.trump is None:
        return tuple([Name(suit) for suit in nameable_suits(held)]) or (Concede(),)
    return tuple([Play(card) for card in dict.fromkeys(_playable(state, state.trump, held)[0])])


def verify(state: State, seat: Seat, action: Action) -> None:
    verify_turn(state, seat)
    if isinstance(action, Accept | Reject) != state.selecting:
        raise IllegalAction(
            "accept the card you see, or reject it" if state.selecting else "all the cards have been dealt"
        )
    match action:
        case Pass() | Bid():
            if state.owner is not None:
                raise IllegalAction("the bidding is over")
            if isinstance(action, Bid) and action.points not in open_bids(state):
                raise IllegalAction(_bid_refusal(state))
        case Name() | Concede():
            _verify_naming(state, state.hands[seat], action)
        case Play(card=card):
            verify_playable(state, seat, card, PACK, partial(_playable, state))


def decide(
    state: State, seat: Seat, action: Action
) -> Accepted | Rejected | Passed | Bidden | Named | Conceded | Played:
    match action:
        case Accept():
            return Accepted(seat, _next_look(state, seat))
        case Reject():
            return Rejected(seat, Slot(state.stock[1].card, eye_of_seat(seat)), _next_look(state, seat))
        case Pass():
            return Passed(seat)
        case Bid(points=points):
            return Bidden(seat, points)
        case Name(suit=suit):
            return Named(seat, suit)
        case Concede():
            return Conceded(seat)
        case Play(card=card):
            return Played(seat, Slot(card, PUBLIC))


def show(state: State) -> Shown:
    """The best melds of both."""
    return show_melds(state, bid_melds)


def play(state: State, event: Event) -> State:
    match event:
        case DealerDrawn():
            return after_dealer_drawn(state, event, sorted(set(PACK)))
        case Dealt(pack=slots):
            return _start_hand(state, slots)
        case Accepted(seat=seat, look=look):
            return _after_selection(state, seat, state.stock[0], state.stock[1], look)
        case Rejected(seat=seat, kept=kept, look=look):
            return _after_selection(state, seat, kept, state.stock[0], look)
        case Passed(seat=seat):  # a bid dropped on the other is the opening bid (D-BP-2)
            return changed(state, owner=1 - seat, bid=state.bid or state.options.opening_bid, to_act=(1 - seat,))
        case Bidden(seat=seat, points=points):
            return changed(state, bid=points, to_act=(1 - seat,))
        case Named(suit=suit):
            return changed(state, trump=suit, stage=Stage.SHOW, to_act=())
        case Conceded(seat=seat):  # no card is played, and the other scores nothing (D-BP-3)
            return _end_hand(state, with_seat_replaced(((), ()), seat, (("no suit to name", -state.bid),)))
        case Shown(hands=hands):
            return _start_play(state, hands)
        case Played(seat=seat, card=slot):
            trump = state.trump
            state = play_card(state, seat, slot, lambda trick: winning_place(trick, trump))
            return _score_hand(state) if sum(trick_counts(state.taken)) == EACH else state


def layout(state: State) -> Layout:
    if not state.hand:
        return Layout()
    trump = None if state.trump is None else Trump(state.trump, state.owner, str(state.bid))
    won = state.owner is not None and trump is None
    notes = [f"{name_in_text(state.owner or 0)} won the bid at {state.bid}"] if won else []
    offered = 1 if state.selecting else 0
    piles = [
        Pile("card offered", state.stock[:offered]),
        Pile("stock" if offered else "not dealt", state.stock[offered:]),
        Pile("discards", state.laid),
    ]
    piles = [*[pile for pile in piles if pile.slots], *piles_in_hand("melds in hand", state.hands)]
    facts = [_seat_facts(state, seat) for seat in range(SEATS)]
    lies = trick_layout(state, notes, piles, seats=facts, trump=trump, goal=state.options.game_limit + 1)
    if state.stage != Stage.PLAY or trump is None:
        return lies
    due = tuple([_items_so_far(state, seat) for seat in range(SEATS)])
    return replace(lies, due=due, turn=sum(trick_counts(state.taken)) + 1)


def says(state: State, _seat: Seat, action: Action) -> str:
    match action:
        case Accept():
            return f"accept {_offered_card_text(state)}"
        case Reject():
            return f"reject {_offered_card_text(state)} for the next one"
        case Name(suit=suit):
            return f"name {suit.name.lower()} as trump"
        case Concede():
            return f"concede the bid of {state.bid}: no suit to name"
        case _:
            return ""


def remarks(before: State, event: Event, after: State) -> tuple[Remark, ...]:
    """Remarks on who has won the bid, the melds of both with their points, and what became of the bid."""
    match event:
        case Accepted() | Rejected() if not after.selecting:
            return (Remark(None, "both hands are full: the bidding begins"),)
        case Passed():
            return (Remark(after.owner, f"win the bid at {after.bid}"),)
        case Shown() if before.owner is not None:
            return melds_remarks(before, event, before.owner, bid_melds)
        case Played() if after.sheet:
            return (_bid_remark(after, after.sheet),)
    return ()


def ranking(state: State) -> Ranking | None:
    return None if state.trump is None else Ranking(state.trump, counted_card, lambda card: bool(COUNT.get(card.rank)))


def melds_of_event(before: State, event: Event, _after: State) -> tuple[Made, ...]:
    """The melds that the event shows."""
    return melds_made_by_event(before, event, bid_melds)


def own_hand_facts(state: State, seat: Seat) -> tuple[str, ...]:
    """For the player alone: until trump is named what the melds of the hand would be worth under each that may be, and
    the cards that the seat has rejected."""
    if state.stage != Stage.PLAY or state.trump is not None:
        return ()
    cards = state.hands[seat].cards
    facts = []
    if not state.selecting:
        worth = {suit: meld_points(bid_melds(cards, suit)) for suit in nameable_suits(cards)}
        facts.append(worths_by_trump_text(worth) if worth else NO_TRUMP_SUIT)
    rejected = [str(slot.card) for slot in state.laid if slot.eyes & eye_of_seat(seat)]
    return (*facts, f"rejected: {' '.join(rejected)}") if rejected else tuple(facts)


# --- for other programs too -------------------------------------------------------------------------------------------


def open_bids(state: State) -> range:
    """The bids that are higher than the last one (D-BP-2)."""
    return range(max(state.options.opening_bid, state.bid + 1), HIGHEST + 1)


def nameable_suits(held: Iterable[Card]) -> tuple[Suit, ...]:
    """The suits in which a hand has king and queen, or a nine."""
    cards = set(held)
    return tuple(
        [suit for suit in SUITS if any(all(Card.of(rank, suit) in cards for rank in ranks) for ranks in NAMING)]
    )


def score_items(owner: Seat, bid: int, melds: Sequence[Items], taken: Sequence[Sequence[Card]]) -> tuple[Items, ...]:
    """What each of the two scores, item by item. melds, taken: by seat the items of the melds and the cards of the
    tricks."""
    scored: list[Items] = []
    for seat in range(SEATS):
        items: Items = (
            (*melds[seat], ("cards", points_of_values(taken[seat], COUNT))) if taken[seat] else (("no trick", 0),)
        )
        if seat == owner and (sum_of_items(items) < bid or not taken[seat]):
            items = ((f"set: {sum_of_items(items)} of {bid}", -bid),)
        scored.append(items)
    return tuple(scored)


# --- private ----------------------------------------------------------------------------------------------------------


def _seat_facts(state: State, seat: Seat) -> str:
    """What a seat has bid, or melded and taken, in words."""
    if state.owner is None:
        return f"bid {state.bid}" if state.bid and seat not in state.to_act else ""
    melds = sum_of_items(state.melds[seat])
    cards = points_of_values([slot.card for slot in state.taken[seat]], COUNT)
    tricks = tricks_text(trick_counts(state.taken)[seat])
    return ", ".join(filter(None, [f"melds {melds}" if melds else "", f"cards {cards}" if tricks else "", tricks]))


def _items_so_far(state: State, seat: Seat) -> Items:
    """What a seat will score of this hand if it wins a trick, and makes its bid."""
    tricks = split_by_trick(state.taken[seat], SEATS)
    return (*state.melds[seat], *[("cards", points_of_values(cards, COUNT)) for cards in tricks])


def _offered_card_text(state: State) -> str:
    """The card to be accepted or rejected, as text, for those who see it."""
    card = state.stock[0].card
    return str(card) if card else "the first card"


def _bid_remark(state: State, sheet: Sheet) -> Remark:
    """Says if the bid was made, and with how many points."""
    assert state.owner is not None
    points = sheet.hand[state.owner]
    if points < 0:
        [(missed, _)] = sheet.items[state.owner]
        return Remark(state.owner, f"go {missed}")
    return Remark(state.owner, f"make the bid of {state.bid} with {points}")


def _bid_refusal(state: State) -> str:
    """The reason why a bid is refused."""
    bids = open_bids(state)
    return f"bid {bids[0]} to {bids[-1]}" if bids else highest_bid_reason(state.bid)


def _verify_naming(state: State, held: Bag, action: Name | Concede) -> None:
    """Raise IllegalAction unless this naming of trump, or concession, is allowed."""
    if state.owner is None:
        raise IllegalAction("you can't name trump until one of you has passed")
    if state.trump is not None:
        raise IllegalAction("trump has already been named")
    if len(held.cards) < len(held):
        return
    suits = nameable_suits(held.cards)
    if isinstance(action, Concede) and suits:
        raise IllegalAction(f"you can't concede, since you can name {suits[0].name.lower()} as trump")
    if isinstance(action, Name) and action.suit not in suits:
        raise IllegalAction("to name trump, you need its king and queen, or its nine")


def _playable(state: State, trump: Suit, held: Sequence[Card]) -> tuple[list[Card], str]:
    """Those of the cards held that may be played now, and the rule that bars the others."""
    return playable(held, state.trick, trump, to_trump=False, to_win=())


def _next_look(state: State, seat: Seat) -> tuple[Slot, ...]:
    """The first of the next two cards of the stock, seen by the other seat."""
    return tuple([Slot(slot.card, eye_of_seat(1 - seat)) for slot in state.stock[2:3]])


def _start_hand(state: State, slots: tuple[Slot, ...]) -> State:
    assert state.dealer is not None
    dealt = SEATS * EACH if state.options.deal == "automatic" else 0
    fresh = begin_hand(state, dealt_hands(slots[:dealt], SEATS, state.dealer, EACH), 1 - state.dealer)
    return changed(fresh, stock=slots[dealt:], laid=(), bid=0, owner=None)


def _after_selection(state: State, seat: Seat, kept: Slot, gone: Slot, look: tuple[Slot, ...]) -> State:
    """The state after one of two cards of the stock went into the hand; the other lies away until the pack is opened
    (D-BP-1)."""
    return changed(
        state,
        hands=with_seat_replaced(state.hands, seat, put_into_bag(state.hands[seat], (kept,))),
        stock=(*look, *state.stock[3:]),
        laid=(*state.laid, gone),
        to_act=(1 - seat,),
    )


def _start_play(state: State, shown: Sequence[tuple[Slot, ...]]) -> State:
    """The state in which play begins. Raises ValueError when the owner of the bid shows nothing that lets them name
    this trump."""
    assert state.owner is not None and state.trump is not None
    started = start_play(state, shown, state.owner, bid_melds)
    if state.trump not in nameable_suits(cards_shown(shown)[state.owner]):
        raise ValueError(f"seat {state.owner} could not name {state.trump.name.lower()}")
    return started


def _score_hand(state: State) -> State:
    assert state.owner is not None
    taken = [[slot.card for slot in slots] for slots in state.taken]
    return _end_hand(state, score_items(state.owner, state.bid, state.melds, taken))


def _end_hand(state: State, items: tuple[Items, ...]) -> State:
    sheet = sheet_of_items(items, state.scores)
    return end_hand(state, sheet, race_winners(((0,), (1,)), sheet.totals, state.options.game_limit + 1))


def _is_set(state: State, seat: Seat) -> int:
    """Return whether the seat's bid was not made, or conceded, and took points off, as 1 or 0."""
    return seat == state.owner and state.sheet is not None and state.sheet.hand[seat] < 0


def _melds_that_count(state: State, seat: Seat) -> int:
    """Points of a seat's melds, if it was not set and has taken a trick."""
    return sum_of_items(state.melds[seat]) if state.taken[seat] and not _is_set(state, seat) else 0


GAME: Game[Options, State, Action, Event] = Game(
    key="pinochle_bid",
    rules=__doc__,
    ends="to more than {game_limit}",
    brief="Twelve cards {deal=automatic?are dealt|are picked from the stock}; bids start at {opening_bid}.",
    pitfalls=(
        "The ten outranks the king.",
        "You don't have to trump, just follow suit.",
        "Without a trick, your melds count nothing.",
    ),
    options=Options,
    presets=PRESETS,
    actions=(Accept, Reject, Pass, Bid, Name, Concede, Play),
    events=(DealerDrawn, Dealt, Accepted, Rejected, Passed, Bidden, Named, Conceded, Shown, Played),
    seats=lambda _options: SEATS,
    pack=lambda _options: PACK,
    start=State.start,
    next_first_dealer=next_first_dealer,
    deal=deal,
    legal=legal,
    verify=verify,
    decide=decide,
    show=show,
    play=play,
    layout=layout,
    measures={"set": _is_set, "melds": _melds_that_count},
    says=says,
    ventures=(Accept, Bid, Name, Concede),
    remarks=remarks,
    ranking=ranking,
    own=own_hand_facts,
    made=melds_of_event,
    high_ten=True,
)
