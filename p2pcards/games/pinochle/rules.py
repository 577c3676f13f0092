"""Pinochle: two partnerships. Bid, show melds, and take tricks to make the bid. First to {winning_score} wins.

{game=partnership?The pack has two each of A-10-K-Q-J-9|The pack has four each of A-10-K-Q-J} in every suit, ranking in
that order; everyone gets {game=partnership?twelve|twenty}. Starting at the dealer's left, bid in tens from
{game=partnership?150|500}, or pass and stay out. The last bidder names trump. If all pass, nobody scores.

Everyone shows melds, then takes them back:
- flush (A-10-K-Q-J of trump): 150, two 1500
- marriage (K-Q): 20 (40 in trump)
- pinochle (queen of spades, jack of diamonds): 40, two 300
- one in each suit: aces 100, kings 80, queens 60, jacks 40; two of each, ten times that
{game=partnership?
- nine of trump: 10|
- three of a meld: half again as much as two; four: twice as much as two}

A card can score in one flush{game=partnership?, marriage or nine| or marriage}, one four of a kind and one pinochle.

The bidder leads. Follow suit, or trump if you can't; either way, win the trick if you can. The highest trump, or else
the highest card of the suit led, wins; the first of equal cards. {game=partnership?{count!}|Each A, 10 and K counts 10,
the last trick 20.}

A side scores its tricks, and its melds if it took a card that counts. If the bidder's side falls short, it loses the
bid instead. If both reach {winning_score}, the bidder's side wins.
"""

# Rules: rule sheets 10 and 11, from "The Real Deal"; the decisions D-PP-1 to D-PP-6 and D-DP-1 to D-DP-3 are named
# where they are taken, here and in games/pinochle_melds.py.

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from p2pcards.cards.card import SUITS, Card, Suit
from p2pcards.cards.eyes import PUBLIC, Bag, Slot
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
from p2pcards.games.exchanging import swap_even_hands
from p2pcards.games.game import (
    Game,
    IllegalAction,
    Items,
    Layout,
    Made,
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
from p2pcards.games.options import WINS, OptionError, choice_option, number_option
from p2pcards.games.partners import TWO_SIDES, partner_of, side_names, spread_to_seats
from p2pcards.games.pinochle_cards import (
    ACE,
    KING,
    ORIGINAL,
    TEN,
    counted_card,
    highest_bid_reason,
    playable,
    points_of_values,
    winning_place,
)
from p2pcards.games.pinochle_hand import (
    begin_hand,
    melds_made_by_event,
    melds_remarks,
    show_melds,
    start_play,
    verify_playable,
)
from p2pcards.games.pinochle_melds import (
    DOUBLE_PACK,
    PARTNERSHIP_PACK,
    Meld,
    double_pack_melds,
    meld_points,
    partnership_melds,
    worths_by_trump_text,
)
from p2pcards.games.playing import Pass, Passed, Play, Played
from p2pcards.games.showing import Shown, piles_in_hand
from p2pcards.games.tricks import play_card, split_by_trick, trick_counts, trick_layout

SEATS = 4
STEP = 10  # bids are multiples of it (D-DP-1)
SIMPLIFIED = {ACE: 10, TEN: 10, KING: 10}


@dataclass(frozen=True, slots=True)
class Form:
    """The difference between the two games."""

    pack: tuple[Card, ...]
    lowest: int  # the least and the most that may be bid (D-PP-2, D-GEN-10)
    highest: int
    last_trick: int  # its points
    melds: Callable[[Sequence[Card], Suit], tuple[Meld, ...]]

    @property
    def each(self) -> int:
        return len(self.pack) // SEATS


FORMS = {
    "partnership": Form(PARTNERSHIP_PACK, 150, 1_000, 10, partnership_melds),
    "double_pack": Form(DOUBLE_PACK, 500, 5_000, 20, double_pack_melds),
}


@dataclass(frozen=True, slots=True)
class Options:
    game: str = choice_option(
        "partnership",
        "the pack: 48 cards, or a double pack of 80 without nines",
        {
            "partnership": "The pack has two of each A-10-K-Q-J-9 in a suit, twelve cards for each player; the lowest "
            "bid is 150, a nine of trump is a meld, and the last trick counts 10.",
            "double_pack": "The pack has four of each A-10-K-Q-J in a suit, twenty cards for each player; the lowest "
            "bid is 500. Three of the same meld count half again as much as two, four twice as much as two (three "
            "pinochles 450, four 3000). Aces, tens and kings count 10 each, the last trick 20.",
        },
    )
    winning_score: int = number_option(  # D-DP-3
        1_000,
        100,
        100_000,
        WINS,
        "A side with {winning_score} points or more at the end of a hand wins; if both do, the bidder's side wins.",
        follows="game",
        defaults=(1_000, 5_000),
    )
    count: str = choice_option(
        "original",
        "card points in the 48-card pack",
        {
            "original": "Aces count 11, tens 10, kings 4, queens 3, jacks 2, nines nothing, the last trick 10.",
            "simplified": "Aces, tens and kings count 10, other cards nothing, the last trick 10. Only for the 48-card "
            "pack.",
        },
    )

    def __post_init__(self) -> None:
        if self.game == "double_pack" and self.count == "simplified":
            raise OptionError("The double pack has its own card points: set count to original.")

    @property
    def form(self) -> Form:
        return FORMS[self.game]

    @property
    def card_values(self) -> Mapping[int, int]:
        """The points of cards by rank."""
        return ORIGINAL if (self.game, self.count) == ("partnership", "original") else SIMPLIFIED


PRESETS = {
    "usual": Options(),
    "real-deal": Options(),
    "double-pack": Options(game="double_pack", winning_score=5_000),
}


# --- actions and events -----------------------------------------------------------------------------------------------


Action = Pass | Bid | Name | Play
Event = DealerDrawn | Dealt | Passed | Bidden | Named | Shown | Played


@dataclass(frozen=True)
class State(StateInTurn):
    options: Options
    scores: tuple[int, ...] = (0,) * SEATS
    hands: tuple[Bag, ...] = tuple(Bag(seat) for seat in range(SEATS))
    bids: tuple[int | None, ...] = (None,) * SEATS  # by seat, the last one
    passed: tuple[bool, ...] = (False,) * SEATS  # by seat
    bidder: Seat | None = None  # the seat with the highest bid
    trump: Suit | None = None
    melds: tuple[Items, ...] = ((),) * SEATS  # by seat, as shown
    leader: Seat = 0
    trick: tuple[Slot, ...] = ()
    last_trick: tuple[tuple[Seat, Card], ...] = ()
    taken: tuple[tuple[Slot, ...], ...] = ((),) * SEATS
    sheet: Sheet | None = None
    winners: tuple[Seat, ...] = ()

    @property
    def bid(self) -> int:
        """The highest bid; 0 before there is one."""
        return 0 if self.bidder is None else self.bids[self.bidder] or 0


# --- the game ---------------------------------------------------------------------------------------------------------


def deal(state: State, pack: tuple[Card, ...], draw: tuple[Card, ...]) -> DealerDrawn | Dealt:
    if state.dealer is None:
        return draw_dealer(draw)
    return Dealt(dealt_slots(pack, SEATS, state.dealer, state.options.form.each))


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    if seat not in state.to_act:
        return ()
    if state.trump is not None:
        return tuple([Play(card) for card in dict.fromkeys(_playable(state, state.trump, state.hands[seat].cards)[0])])
    if is_bid_won(state):
        return tuple([Name(suit) for suit in SUITS])
    return (Pass(), *[Bid(points) for points in open_bids(state)])


def verify(state: State, seat: Seat, action: Action) -> None:
    verify_turn(state, seat)
    match action:
        case Pass() | Bid():
            if is_bid_won(state):
                raise IllegalAction("the bidding is over")
            if isinstance(action, Bid) and action.points not in open_bids(state):
                raise IllegalAction(_bid_refusal(state))
        case Name():
            if not is_bid_won(state):
                raise IllegalAction("you can't name trump until all but one have passed")
            if state.trump is not None:
                raise IllegalAction("trump has already been named")
        case Play(card=card):
            verify_playable(state, seat, card, state.options.form.pack, partial(_playable, state))


def decide(state: State, seat: Seat, action: Action) -> Passed | Bidden | Named | Played:  # noqa: ARG001 - as in every game
    match action:
        case Pass():
            return Passed(seat)
        case Bid(points=points):
            return Bidden(seat, points)
        case Name(suit=suit):
            return Named(seat, suit)
        case Play(card=card):
            return Played(seat, Slot(card, PUBLIC))


def show(state: State) -> Shown:
    """Everybody's best melds (D-PP-4)."""
    return show_melds(state, state.options.form.melds)


def play(state: State, event: Event) -> State:
    match event:
        case DealerDrawn():
            return after_dealer_drawn(state, event, sorted(set(state.options.form.pack)))
        case Dealt(pack=slots):
            return _start_hand(state, slots)
        case Passed(seat=seat):
            return _next_bidder(changed(state, passed=with_seat_replaced(state.passed, seat, True)), seat)
        case Bidden(seat=seat, points=points):
            return _next_bidder(changed(state, bids=with_seat_replaced(state.bids, seat, points), bidder=seat), seat)
        case Named(suit=suit):
            return changed(state, trump=suit, stage=Stage.SHOW, to_act=())
        case Shown(hands=hands):
            assert state.bidder is not None
            return start_play(state, hands, state.bidder, state.options.form.melds)
        case Played(seat=seat, card=slot):
            trump = state.trump
            state = play_card(state, seat, slot, lambda trick: winning_place(trick, trump))
            return _score_hand(state) if sum(trick_counts(state.taken)) == state.options.form.each else state


def layout(state: State) -> Layout:
    if not state.hand:
        return Layout()
    trump = None if state.trump is None else Trump(state.trump, state.bidder, str(state.bid))
    notes = []
    if state.bidder is not None and is_bid_won(state) and trump is None:
        notes.append(f"{name_in_text(state.bidder)} won the bid at {state.bid}")
    if trump is not None and state.stage == Stage.PLAY:
        notes += [_side_facts(state, side) for side in TWO_SIDES]
    piles = piles_in_hand("melds in hand", state.hands)
    facts = [_seat_facts(state, seat) for seat in range(SEATS)]
    lies = trick_layout(state, notes, piles, seats=facts, trump=trump, goal=state.options.winning_score)
    if state.stage != Stage.PLAY or trump is None:
        return lies
    due = spread_to_seats(TWO_SIDES, [_items_so_far(state, side) for side in TWO_SIDES])
    return replace(lies, due=due, turn=sum(trick_counts(state.taken)) + 1)


def says(_state: State, _seat: Seat, action: Action) -> str:
    return f"name {action.suit.name.lower()} as trump" if isinstance(action, Name) else ""


def remarks(before: State, event: Event, after: State) -> tuple[Remark, ...]:
    """Remarks on who has won the bid, everybody's melds with their points, and what became of the bid."""
    match event:
        case Shown() if before.bidder is not None:
            return melds_remarks(before, event, before.bidder, before.options.form.melds)
        case Passed() if all(after.passed):
            return (Remark(None, "everyone passed, so nobody scores"),)
        case Passed() | Bidden() if is_bid_won(after):
            return (Remark(after.bidder, f"win the bid at {after.bid}"),)
        case Played() if after.sheet:
            return (_bid_remark(after, after.sheet),)
    return ()


def ranking(state: State) -> Ranking | None:
    values = state.options.card_values
    if state.trump is None:
        return None
    return Ranking(state.trump, counted_card, lambda card: bool(values.get(card.rank)), strict=True)


def melds_of_event(before: State, event: Event, _after: State) -> tuple[Made, ...]:
    """The melds that the event shows."""
    return melds_made_by_event(before, event, before.options.form.melds)


def own_hand_facts(state: State, seat: Seat) -> tuple[str, ...]:
    """What the melds of the hand would be worth under each trump, until it is named, for the player alone."""
    if state.stage != Stage.PLAY or state.trump is not None:
        return ()
    cards = state.hands[seat].cards
    return (worths_by_trump_text({suit: meld_points(state.options.form.melds(cards, suit)) for suit in SUITS}),)


# --- for other programs too -------------------------------------------------------------------------------------------


def is_bid_won(state: State) -> bool:
    """Return whether the bidding is over and somebody has bid."""
    return state.bidder is not None and sum(state.passed) == SEATS - 1


def open_bids(state: State) -> range:
    """The bids that are higher than the last one."""
    form = state.options.form
    return range(max(form.lowest, state.bid + STEP), form.highest + 1, STEP)


def trick_points(options: Options, cards: Sequence[Card], last: bool) -> int:
    """What the cards of tricks are worth. last: the last trick of the hand is among them."""
    return points_of_values(cards, options.card_values) + options.form.last_trick * last


def score_items(
    options: Options, bidder: Seat, bid: int, melds: Sequence[Items], taken: Sequence[Sequence[Card]], last: Seat
) -> tuple[Items, ...]:
    """Score items of each seat: what it scores, item by item; partners hold the same items. melds, taken: by seat the
    items of the melds and the cards of the tricks; last: who took the last trick."""
    sides = []
    for side in TWO_SIDES:
        cards = [card for seat in side for card in taken[seat]]
        shown = tuple([item for seat in side for item in melds[seat]])
        if shown and not points_of_values(
            cards, options.card_values
        ):  # the last trick is not a card that counts (D-PP-6)
            shown = (("melds without a card", 0),)
        items = (*shown, ("tricks", trick_points(options, cards, last in side)))
        if bidder in side and sum_of_items(items) < bid:
            items = ((f"set: {sum_of_items(items)} of {bid}", -bid),)
        sides.append(items)
    return spread_to_seats(TWO_SIDES, sides)


def winning_side(options: Options, bidder: Seat | None, totals: Sequence[int]) -> tuple[Seat, ...]:
    """The seats of the side that has reached the winning score; of two sides the bidder's."""
    there = [side for side in TWO_SIDES if totals[side[0]] >= options.winning_score]
    return next((side for side in there if bidder in side), there[0] if there else ())


# --- private ----------------------------------------------------------------------------------------------------------


def _seat_facts(state: State, seat: Seat) -> str:
    """What a seat has bid, or melded, in words."""
    if state.trump is None:
        bid = f"bid {state.bids[seat]}" if state.bids[seat] else ""
        return "passed" if state.passed[seat] else bid
    melds = sum_of_items(state.melds[seat])
    return f"melds {melds}" if melds else ""


def _items_so_far(state: State, side: Sequence[Seat]) -> Items:
    """What a side will score of this hand, as long as it wins a card that counts, and makes its bid."""
    tricks = [cards for seat in side for cards in split_by_trick(state.taken[seat], SEATS)]
    melds = [item for seat in side for item in state.melds[seat]]
    return (*melds, *[("tricks", trick_points(state.options, cards, last=False)) for cards in tricks])


def _side_facts(state: State, side: Sequence[Seat]) -> str:
    """What a side has so far in this hand; the last trick is not counted before it is played."""
    melds = sum_of_items([item for seat in side for item in state.melds[seat]])
    taken = [slot.card for seat in side for slot in state.taken[seat]]
    tricks = trick_points(state.options, taken, last=False)
    return f"{side_names(side)} have {melds} in melds and {tricks} in tricks"


def _bid_remark(state: State, sheet: Sheet) -> Remark:
    """Says if the bidder's side made its bid, and with how many points."""
    assert state.bidder is not None
    side = next(side for side in TWO_SIDES if state.bidder in side)
    points = sheet.hand[state.bidder]
    if points < 0:
        [(missed, _)] = sheet.items[state.bidder]
        return Remark(None, f"{side_names(side)} are {missed}")
    return Remark(None, f"{side_names(side)} make the bid of {state.bid} with {points}")


def _bid_refusal(state: State) -> str:
    """The reason why a bid is refused."""
    bids = open_bids(state)
    if not bids:
        return highest_bid_reason(state.bid)
    return f"bid {bids[0]} to {bids[-1]}, in steps of {STEP}"


def _playable(state: State, trump: Suit, held: Sequence[Card]) -> tuple[list[Card], str]:
    """Those of the cards held that may be played now, and the rule that bars the others; the duty to win holds over a
    partner's card too (D-PP-5)."""
    return playable(held, state.trick, trump, to_trump=True, to_win=SUITS)


def _start_hand(state: State, slots: tuple[Slot, ...]) -> State:
    assert state.dealer is not None
    hands = dealt_hands(slots, SEATS, state.dealer, state.options.form.each)
    fresh = begin_hand(state, hands, (state.dealer + 1) % SEATS)
    return changed(fresh, bids=(None,) * SEATS, passed=(False,) * SEATS, bidder=None)


def _next_bidder(state: State, seat: Seat) -> State:
    """The state with the turn passed on: to the next seat that has not passed, or to the bidder, who names trump. If
    all pass nothing is scored (D-PP-1)."""
    if all(state.passed):
        return _end_hand(state, ((),) * SEATS)
    return changed(state, to_act=(next(s for i in range(1, 5) if not state.passed[s := (seat + i) % SEATS]),))


def _score_hand(state: State) -> State:
    assert state.bidder is not None
    taken = [[slot.card for slot in slots] for slots in state.taken]
    return _end_hand(state, score_items(state.options, state.bidder, state.bid, state.melds, taken, state.leader))


def _end_hand(state: State, items: tuple[Items, ...]) -> State:
    sheet = sheet_of_items(items, state.scores)
    return end_hand(state, sheet, winning_side(state.options, state.bidder, sheet.totals))


def _is_set(state: State, seat: Seat) -> int:
    """Return whether the seat's bid was not made and took points off, as 1 or 0."""
    return state.bidder in (seat, partner_of(seat)) and state.sheet is not None and state.sheet.hand[seat] < 0


def _melds_that_count(state: State, seat: Seat) -> int:
    """The melds of the seat's side, unless it was set or has won no card that counts (D-PP-6)."""
    side = (seat, partner_of(seat))
    cards = [slot.card for one in side for slot in state.taken[one]]
    if _is_set(state, seat) or not points_of_values(cards, state.options.card_values):
        return 0
    return sum([sum_of_items(state.melds[one]) for one in side])


GAME: Game[Options, State, Action, Event] = Game(
    key="pinochle",
    rules=__doc__,
    ends="to {winning_score}",
    brief=(
        "{game=double_pack?80 cards, without nines|48 cards; {count=original?aces count 11, tens 10, kings 4, queens "
        "3, jacks 2|aces, tens and kings count 10}}."
    ),
    pitfalls=(
        "The ten outranks the king.",
        "You must win the trick if you can, even from your partner.",
        "Melds are lost if your side takes no card that counts.",
    ),
    options=Options,
    presets=PRESETS,
    actions=(Pass, Bid, Name, Play),
    events=(DealerDrawn, Dealt, Passed, Bidden, Named, Shown, Played),
    seats=lambda _options: SEATS,
    pack=lambda options: options.form.pack,
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
    ventures=(Bid, Name),
    remarks=remarks,
    ranking=ranking,
    own=own_hand_facts,
    made=melds_of_event,
    sides=lambda _options: TWO_SIDES,
    swap=swap_even_hands,
    high_ten=True,
)
