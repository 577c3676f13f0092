"""Oh Hell: four players, no partners. Bid how many tricks you'll take, then take exactly that many.

The first deal is {start_cards} {start_cards=1?card|cards} each, the last {end_cards}; the number changes by one each
deal. The next card is turned up, and its suit is trump. The last deal has no trump, nor does any deal of thirteen
cards.

Starting at the dealer's left, each player bids once, from zero to all of the tricks. {hook?The dealer bids last and
can't make the bids add up to the number of tricks.|The dealer bids last and can make any bid.}

The player to the dealer's left leads. Follow suit if you can; if not, play any card. The highest trump, or else the
highest card of the suit led, takes the trick and leads next.

Each deal scores:
- exactly what you bid: 10 plus 1 for each {made_bid=bid?trick bid|card of the deal}
- bid zero, take zero: {zero_bid=ten?10|5 plus 1 for each card of the deal}
- anything else: nothing

The highest total after the last deal wins; a tie is shared.
"""

# Rules: rule sheet 8, from "The Real Deal", and docs/usual-rules.md (preset usual); the decisions D-OH-1 to D-OH-3 are
# named where they are taken.

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.cards.card import Card, Suit, cards_of_mask
from p2pcards.cards.eyes import PUBLIC, Slot, slots_in_place
from p2pcards.cards.pack import pack_of
from p2pcards.games.changing import changed
from p2pcards.games.dealing import (
    DealerDrawn,
    Dealt,
    after_dealer_drawn,
    dealt_slots,
    dealt_with_upcard,
    draw_dealer,
    next_first_dealer,
    set_dealt_cards,
)
from p2pcards.games.deals.position import OVER
from p2pcards.games.deals.taking import NONE, Taking
from p2pcards.games.deals.tricks import SUITS
from p2pcards.games.exchanging import swap_kept_hands
from p2pcards.games.game import (
    Game,
    IllegalAction,
    Items,
    Layout,
    Pile,
    Ranking,
    Remark,
    Seat,
    Trump,
    end_hand,
    name_in_text,
    sheet_of_items,
    verify_turn,
)
from p2pcards.games.holding import BIDS_FIRST, verify_dealt_to
from p2pcards.games.oh_hell.deal import STOCK, OhHell, OhHellRules
from p2pcards.games.options import choice_option, flag_option, number_option
from p2pcards.games.playing import PLAYS, Play, Played
from p2pcards.games.tricks import (
    Bid,
    Bidden,
    KeptTricks,
    bid_texts,
    lay_card,
    start_hand,
    suit_of_mask,
    trick_layout,
    tricks_text,
    verify_follows,
)

SEATS = 4
MOST = 13
PACK = pack_of()


@dataclass(frozen=True, slots=True)
class Options:
    start_cards: int = number_option(
        1,
        1,
        MOST,
        "cards per player in the first deal",
        "Everyone gets {start_cards} cards in the first deal. Each deal after that has one card more (one fewer if "
        "`end_cards` is lower), up to the last. If both numbers are the same, there is just one deal.",
    )
    end_cards: int = number_option(
        13,
        1,
        MOST,
        "cards per player in the last deal",
        "Everyone gets {end_cards} cards in the last deal, which ends the game. No card is turned up for it, so it "
        "has no trump, no matter how small it is. A deal of thirteen cards has none either.",
    )
    zero_bid: str = choice_option(
        "ten",
        "score for a bid of zero: 10, or 5 plus 1 per card",
        {
            "ten": "A player who bids zero and takes no tricks scores 10.",
            "five_plus_cards": "A player who bids zero and takes no tricks scores 5 plus 1 for each card of the deal.",
        },
    )
    made_bid: str = choice_option(  # D-OH-3
        "cards",
        "score for other bids: 10 plus 1 per card, or per trick bid",
        {
            "cards": "A player who bids one or more and takes exactly that many tricks scores 10 plus 1 for each card "
            "of the deal.",
            "bid": "A player who bids one or more and takes exactly that many tricks scores 10 plus 1 for each trick "
            "bid.",
        },
    )
    hook: bool = flag_option(
        False,
        "the hook: the dealer can't make the bids come out even",
        on="The dealer bids last and can't make the bids add up to the number of tricks, so someone has to miss.",
        off="The dealer bids last and can make any bid, even one that lets everyone make theirs.",
        added=True,
    )


PRESETS = {"usual": Options(made_bid="bid", hook=True), "real-deal": Options()}


# --- actions and events -----------------------------------------------------------------------------------------------


Action = Bid | Play
Event = DealerDrawn | Dealt | Bidden | Played


UNDEALT = OhHell(OhHellRules(0, 0, 0, False, False), 0, Taking())
"""Before the first deal."""


@dataclass(frozen=True)
class State(KeptTricks):
    IN_DEAL = ("hands", "stock", "bids", "leader", "trick", "last_trick", "taken")

    options: Options
    deal: OhHell = UNDEALT

    @property
    def bids(self) -> tuple[int | None, ...]:
        return tuple([None if bid == NONE else bid for bid in self.deal.bids])

    @property
    def stock(self) -> tuple[Slot, ...]:
        """Cards that were not dealt; the turn-up, if there is one, comes first."""
        deal = self.deal
        turned = deal.tricks.absent
        return (*slots_in_place(deal, turned, 0), *slots_in_place(deal, deal.stock & ~turned, deal.hidden[STOCK]))


# --- the game ---------------------------------------------------------------------------------------------------------


def deal(state: State, pack: tuple[Card, ...], draw: tuple[Card, ...]) -> DealerDrawn | Dealt:
    if state.dealer is None:
        return draw_dealer(draw)
    number = state.hand + 1
    each = cards_each(state.options, number)
    if _has_trump(state.options, number):
        return dealt_with_upcard(pack, SEATS, state.dealer, each)
    return Dealt(dealt_slots(pack, SEATS, state.dealer, each))


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    if seat not in state.to_act:
        return ()
    deal = state.deal
    if deal.bidden < SEATS:
        barred = deal.barred_bid()
        return tuple([Bid(tricks) for tricks in range(deal.rules.each + 1) if tricks != barred])
    return tuple([PLAYS[card] for card in cards_of_mask(deal.legal_moves())])


def verify(state: State, seat: Seat, action: Action) -> None:
    verify_turn(state, seat)
    deal = state.deal
    match action:
        case Bid(tricks=tricks):
            if deal.bidden == SEATS:
                raise IllegalAction("the bidding is over")
            each = deal.rules.each
            if not 0 <= tricks <= each:  # nothing else, not even for the dealer (D-OH-2)
                raise IllegalAction(f"bid 0 to {each} tricks")
            if tricks == deal.barred_bid():
                raise IllegalAction(f"the bids can't add up to {each}, so you can't bid {tricks}")
        case Play(card=card):
            if deal.bidden < SEATS:
                raise IllegalAction(BIDS_FIRST)
            verify_dealt_to(deal, seat, card)
            verify_follows(deal, seat, card)


def decide(state: State, seat: Seat, action: Action) -> Bidden | Played:  # noqa: ARG001 - as in every game
    match action:
        case Bid(tricks=tricks):
            return Bidden(seat, tricks)
        case Play(card=card):
            return Played(seat, Slot(card, PUBLIC))


def play(state: State, event: Event) -> State:
    match event:
        case Played(seat=seat, card=slot):
            state = lay_card(state, seat, slot)
            return _score_hand(state) if state.deal.turn == OVER else state
        case DealerDrawn():
            return after_dealer_drawn(state, event, PACK)
        case Dealt(pack=slots):
            return _start_hand(state, slots)
        case Bidden(seat=seat, tricks=tricks):  # after the last bid it is eldest's turn again, who leads
            deal = state.deal.copy()
            deal.make_move(tricks)
            return changed(state, deal=deal, to_act=((seat + 1) % SEATS,))


def layout(state: State) -> Layout:
    if not state.hand:
        return Layout()
    trump = trump_of(state)
    deal = state.deal
    bids = ["" if bid == NONE else str(bid) for bid in deal.bids]
    notes = [_sum_of_bids_text(state)] if deal.bidden else []
    stock = state.stock
    piles = [] if trump is None else [Pile("upcard", stock[:1])]
    rest = stock[len(piles) :]
    piles += [Pile("stock", rest)] if rest else []
    return trick_layout(state, notes, piles, seats=bid_texts(bids, deal.tricks.won), trump=Trump(trump))


def remarks(_before: State, event: Event, after: State) -> tuple[Remark, ...]:
    """The turn-up, what the bids add up to, and who made theirs."""
    if isinstance(event, Dealt):
        trump = trump_of(after)
        if trump is None:
            return (Remark(None, "no trump this deal"),)
        return (Remark(after.dealer, f"turn up {turn_up_of(after)}: {trump.name.lower()} are trump"),)
    if isinstance(event, Bidden) and after.deal.bidden == SEATS:
        return (Remark(None, _sum_of_bids_text(after)),)
    if isinstance(event, Played) and after.sheet:
        results = enumerate(zip(after.deal.bids, after.deal.tricks.won, strict=True))
        told = [
            f"{name_in_text(seat)} bid {bid}, took {took}{', bust' * (bid != took)}" for seat, (bid, took) in results
        ]
        return (Remark(None, "; ".join(told)),)
    return ()


def ranking(state: State) -> Ranking:
    return Ranking(trump_of(state))


# --- for other programs too -------------------------------------------------------------------------------------------


def number_of_deals(options: Options) -> int:
    """How many deals a game has."""
    return abs(options.start_cards - options.end_cards) + 1


def cards_each(options: Options, hand: int) -> int:
    """How many cards each has in a deal. hand: its number, from 1."""
    step = 1 if options.end_cards > options.start_cards else -1
    return options.start_cards + step * (hand - 1)


def trump_of(state: State) -> Suit | None:
    """The suit of the turn-up; None where there is none, and before the first deal."""
    return suit_of_mask(state.deal.tricks.trump)


def turn_up_of(state: State) -> Card:
    """The turn-up, of a deal that has one."""
    return cards_of_mask(state.deal.tricks.absent)[0]


def rules_of(options: Options, each: int) -> OhHellRules:
    """The options as they hold for a deal of so many cards each."""
    return OhHellRules(
        each,
        10 if options.zero_bid == "ten" else 5 + each,
        each if options.made_bid == "cards" else 0,
        options.made_bid == "bid",
        options.hook,
    )


def bid_items(options: Options, each: int, bid: int, tricks: int) -> Items:
    """Score items of a seat in a deal of so many cards each."""
    if bid != tricks:
        return ()
    if not bid:
        return (("no trick", 10 if options.zero_bid == "ten" else 5 + each),)
    return (("bid made", 10), ("cards", each) if options.made_bid == "cards" else ("tricks", bid))


# --- private ----------------------------------------------------------------------------------------------------------


def _sum_of_bids_text(state: State) -> str:
    """What the bids add up to, as text."""
    deal = state.deal
    total = sum([bid for bid in deal.bids if bid != NONE])
    return f"the bids{' so far' * (deal.bidden < SEATS)} add up to {total} for {tricks_text(deal.rules.each)}"


def _has_trump(options: Options, hand: int) -> bool:
    """Return whether a deal has trump: not the last one, whatever its number of cards, nor one with no card left to be
    turned up (D-OH-1)."""
    return hand < number_of_deals(options) and cards_each(options, hand) < MOST


def _start_hand(state: State, slots: tuple[Slot, ...]) -> State:
    assert state.dealer is not None
    options, number = state.options, state.hand + 1
    each = cards_each(options, number)
    trump = turned = 0
    if _has_trump(options, number):
        card = slots[SEATS * each].card
        if not card:
            raise ValueError("no card is turned up")
        trump, turned = SUITS[card.suit], 1 << card
    eldest = (state.dealer + 1) % SEATS
    deal = OhHell(rules_of(options, each), eldest, Taking(trump, turned))
    set_dealt_cards(deal, slots, state.dealer, each)
    return start_hand(state, deal, eldest)


def _score_hand(state: State) -> State:
    options, deal = state.options, state.deal
    pairs = zip(deal.bids, deal.tricks.won, strict=True)
    sheet = sheet_of_items(
        tuple([bid_items(options, deal.rules.each, bid, tricks) for bid, tricks in pairs]), state.scores
    )
    best = [seat for seat in range(SEATS) if sheet.totals[seat] == max(sheet.totals)]  # ties: D-GEN-6
    return end_hand(state, sheet, tuple(best) if state.hand == number_of_deals(options) else ())


GAME: Game[Options, State, Action, Event] = Game(
    key="oh_hell",
    rules=__doc__,
    ends="deals of {start_cards} to {end_cards} card{end_cards=1?|s}",
    brief=(
        "Making your bid scores 10 plus 1 for each {made_bid=bid?trick bid|card of the deal}{hook?; the dealer can't "
        "make the bids come out even}."
    ),
    pitfalls=(
        "One trick too many is as bad as one too few.",
        "{hook?The dealer can't make the bids come out even, so someone has to miss.|The dealer hears every other bid "
        "before making one.}",
        "No card is turned up for the last deal, so it has no trump.",
    ),
    options=Options,
    presets=PRESETS,
    actions=(Bid, Play),
    events=(DealerDrawn, Dealt, Bidden, Played),
    seats=lambda _options: SEATS,
    pack=lambda _options: PACK,
    start=State.start,
    next_first_dealer=next_first_dealer,
    deal=deal,
    legal=legal,
    verify=verify,
    decide=decide,
    play=play,
    ventures=(Bid,),
    layout=layout,
    measures={"bid": lambda state, seat: state.deal.bids[seat] == state.deal.tricks.won[seat]},
    remarks=remarks,
    swap=swap_kept_hands,
    ranking=ranking,
)
