"""Spades: {team_play?partners sit across the table|four players, no partners}. Bid how many tricks you'll take, then
take at least that many. First to {winning_score} wins.

Everyone gets thirteen cards, ace high; spades are always trump. Starting at the dealer's left, each player bids
once{min_bid=0?|, at least {min_bid}}{nil=none?.|; 0 is nil, a bid to take no tricks at all.} {nil=passing?{team_play?If
just one partner bids nil, the two exchange three cards face down.|Nobody exchanges cards for nil.}|}

The player to the dealer's left leads. Follow suit if you can; if not, play any card. The highest spade, or else the
highest card of the suit led, takes the trick and leads next. You can't lead a spade until one has been played on
another suit, unless you have nothing else. {spade_lead_first_trick?You may lead a spade to the first trick, but that
doesn't break spades.|}

{team_play?Partners add up their bids and tricks.|} Each hand scores:
- bid made: 10 for each trick bid, 1 for each extra (a bag)
- bid missed (set): lose 10 for each trick bid
{nil=none?|
- nil: 100 if you take no trick; if you do, lose 100
{team_play?
- both partners nil: 200 if neither takes a trick{double_nil_costs?, lose 200 if both do|}, otherwise nothing|}}
{bag_penalty?
- every tenth bag: lose 100|
- bags cost nothing}

{nil=none?A bid of 0 is always made.|{team_play?A nil bidder's partner must make their bid alone.|}} Scores may go below
zero. If more than one reaches {winning_score}, the highest score wins; after a tie, play another hand.
"""

# Rules: rule sheet 2, from "The Real Deal", and docs/usual-rules.md (preset usual); the decisions D-SP-1 to D-SP-9 are
# named where they are taken.

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from p2pcards.cards.card import BACK, Card, Suit, cards_of_mask
from p2pcards.cards.eyes import PUBLIC, Bag, Slot, move_slots
from p2pcards.cards.pack import pack_of
from p2pcards.games.changing import changed
from p2pcards.games.dealing import (
    DealerDrawn,
    Dealt,
    after_dealer_drawn,
    dealt_slots,
    draw_dealer,
    next_first_dealer,
    set_dealt_cards,
)
from p2pcards.games.deals.position import OVER
from p2pcards.games.deals.taking import NONE, Taking
from p2pcards.games.exchanging import swap_kept_hands
from p2pcards.games.game import (
    Game,
    IllegalAction,
    Items,
    Layout,
    Ranking,
    Remark,
    Seat,
    Stage,
    Trump,
    end_hand,
    name_in_text,
    possessive,
    sheet_of_items,
    verify_turn,
)
from p2pcards.games.holding import BIDS_FIRST, PASSED_FIRST, named_or_counted, verify_dealt_to
from p2pcards.games.options import HIGHEST_WINS, PARTNERSHIPS, WINS, choice_option, flag_option, number_option
from p2pcards.games.partners import TWO_SIDES, partner_of, race_winners, side_names, sides_of_four, spread_to_seats
from p2pcards.games.passing import (
    Pass,
    Passed,
    after_laid_away,
    all_passes,
    bags_set_aside,
    lay_away,
    passed_to_left,
    verify_pass,
)
from p2pcards.games.playing import PLAYS, Play, Played
from p2pcards.games.spades.deal import SPADES, Spades, SpadesRules
from p2pcards.games.tricks import (
    Bid,
    Bidden,
    KeptTricks,
    bid_texts,
    lay_card,
    start_hand,
    trick_layout,
    tricks_text,
    verify_follows,
)
from p2pcards.games.wording import quantity_text

SEATS = 4
EACH = 13
TEN = 10
"""Bags of which the last costs 100."""
PACK = pack_of()


@dataclass(frozen=True, slots=True)
class Options:
    winning_score: int = number_option(
        500,
        1,
        10_000,
        WINS,
        HIGHEST_WINS,
    )
    team_play: bool = flag_option(
        True,
        PARTNERSHIPS,
        on="Partners add up their bids: that is their contract. If together they take at least that many tricks, they "
        "score 10 for each trick bid and 1 for each extra trick, a bag. If not, they are set and lose 10 for each "
        "trick bid.",
        off="Everyone scores alone. A player who takes at least as many tricks as they bid scores 10 for each trick "
        "bid and 1 for each extra trick, a bag. If not, they are set and lose 10 for each trick bid. No cards are "
        "exchanged for a nil, and each nil is scored separately.",
    )
    spade_lead_first_trick: bool = flag_option(
        False,
        "leading a spade to the first trick (doesn't break spades)",
        on="You may lead a spade to the first trick. That doesn't break spades: you can't lead one to the second trick "
        "unless you have nothing else.",
        off="You can't lead a spade to the first trick unless you have nothing else.",
    )
    min_bid: int = number_option(  # D-SP-9: the loosest
        0,
        0,
        2,
        "the lowest bid (nil is still allowed)",
        "A bid is at least {min_bid} and at most thirteen; if 0 is nil, you may always bid it.",
    )
    nil: str = choice_option(
        "passing",
        "nil bids: none, plain, or with partners passing three cards",
        {
            "none": "A bid of 0 is a bid like any other: it's always made and scores nothing, and each trick is a bag.",
            "plain": "A bid of 0 is nil, a bid to take no tricks at all. No cards are exchanged for it.",
            "passing": "A bid of 0 is nil, a bid to take no tricks at all. If exactly one of two partners "
            "bids nil, they exchange three cards face down after the last bid, each choosing before they see what "
            "they get. If everyone plays alone, nothing is exchanged.",
        },
    )
    bag_penalty: bool = flag_option(
        False,
        "a penalty of 100 for every tenth bag",
        on="Bags add up from hand to hand, and every tenth costs 100.",
        off="Bags cost nothing.",
        added=True,
    )
    double_nil_costs: bool = flag_option(
        False,
        "a penalty of 200 when both partners fail a double nil",
        on="If both partners bid nil, they score 200 when neither takes a trick, nothing when one does, and lose 200 "
        "when both do.",
        off="If both partners bid nil, they score 200 when neither takes a trick, and otherwise nothing.",
        added=True,
    )


PRESETS = {"usual": Options(nil="plain", bag_penalty=True, double_nil_costs=True), "real-deal": Options()}


# --- actions and events -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Exchanged:
    taken: tuple[tuple[Slot, ...], ...]  # by seat, the three cards received; () where the side exchanges nothing


Action = Bid | Pass | Play
Event = DealerDrawn | Dealt | Bidden | Passed | Exchanged | Played


UNDEALT = Spades(SpadesRules(True, False, 0, True, True, False, False), 0, Taking(SPADES))
"""Before the first deal."""


@dataclass(frozen=True)
class State(KeptTricks):
    IN_DEAL = ("hands", "bids", "passed", "leader", "trick", "last_trick", "taken", "broken")
    # By seat, those of its side since the last that cost anything; 0 where they cost nothing.
    bags: tuple[int, ...] = (0,) * SEATS
    options: Options
    deal: Spades = UNDEALT

    @property
    def bids(self) -> tuple[int | None, ...]:
        return tuple([None if bid == NONE else bid for bid in self.deal.bids])

    @property
    def passed(self) -> tuple[Bag, ...]:
        """What each seat has laid away for the partner; empty but during an exchange."""
        return bags_set_aside(self.deal, self.deal.passed) if self.deal.passing else ()

    @property
    def broken(self) -> bool:
        return self.deal.broken


# --- the game ---------------------------------------------------------------------------------------------------------


def deal(state: State, pack: tuple[Card, ...], draw: tuple[Card, ...]) -> DealerDrawn | Dealt:
    if state.dealer is None:
        return draw_dealer(draw)
    return Dealt(dealt_slots(pack, SEATS, state.dealer, EACH))


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    if seat not in state.to_act:
        return ()
    deal = state.deal
    if deal.bidden < SEATS:
        return tuple([Bid(tricks) for tricks in _open_bids(state.options)])
    if deal.passing:
        return all_passes(deal.tricks.hands[seat])
    return tuple([PLAYS[card] for card in cards_of_mask(deal.legal_moves())])


def verify(state: State, seat: Seat, action: Action) -> None:
    verify_turn(state, seat)
    deal = state.deal
    match action:
        case Bid(tricks=tricks):
            if deal.bidden == SEATS:
                raise IllegalAction("the bidding is over")
            if tricks not in _open_bids(state.options):
                raise IllegalAction(_bid_refusal(state.options))
        case Pass(cards=cards):
            verify_pass(state, seat, cards, deal.passing)
        case Play(card=card):
            if deal.bidden < SEATS:
                raise IllegalAction(BIDS_FIRST)
            if deal.passing:
                raise IllegalAction(PASSED_FIRST)
            verify_dealt_to(deal, seat, card)
            verify_follows(deal, seat, card)
            if not deal.playable_cards(deal.tricks.hands[seat] | 1 << card) >> card & 1:
                raise IllegalAction("spades aren't broken yet")


def decide(state: State, seat: Seat, action: Action) -> Bidden | Passed | Played:  # noqa: ARG001 - as in every game
    match action:
        case Bid(tricks=tricks):
            return Bidden(seat, tricks)
        case Pass(cards=cards):
            return lay_away(seat, cards)
        case Play(card=card):
            return Played(seat, Slot(card, PUBLIC))


def show(state: State) -> Exchanged:
    """The exchange takes place: each partner sees what they are given (the giver knows it too)."""
    return Exchanged(passed_to_left(state.passed, way=2))


def play(state: State, event: Event) -> State:
    match event:
        case Played(seat=seat, card=slot):
            state = lay_card(state, seat, slot)
            return _score_hand(state) if state.deal.turn == OVER else state
        case DealerDrawn():
            return after_dealer_drawn(state, event, PACK)
        case Dealt(pack=slots):
            return _start_hand(state, slots)
        case Bidden(seat=seat, tricks=tricks):
            deal = state.deal.copy()
            deal.make_move(tricks)
            exchanging = tuple([other for other in range(SEATS) if deal.passing >> other & 1])
            return changed(state, deal=deal, to_act=exchanging or ((seat + 1) % SEATS,))
        case Passed():
            return after_laid_away(state, event)
        case Exchanged(taken=taken):
            deal = state.deal
            for seat, slots in enumerate(taken):
                deal = move_slots(deal, SEATS + partner_of(seat), seat, slots)
            deal = deal.copy()
            deal.end_passing()
            return changed(state, deal=deal, stage=Stage.PLAY, to_act=(deal.eldest,))


def layout(state: State) -> Layout:
    if not state.hand:
        return Layout()
    bids = ["" if bid is None else _bid_name(state.options, bid) for bid in state.bids]
    return trick_layout(
        state, _contract_notes(state), seats=bid_texts(bids, state.deal.tricks.won), trump=Trump(Suit.SPADES)
    )


def says(state: State, seat: Seat, action: Action) -> str:
    match action:
        case Bid():
            return calls(state, seat, action)
        case Pass(cards=cards):
            return f"pass {named_or_counted(cards)} to {name_in_text(partner_of(seat))}"
        case _:
            return ""


def calls(state: State, _seat: Seat, action: Action) -> str:
    """The words in which this action is offered to the player; "" for its plain spelling."""
    return "bid nil" if isinstance(action, Bid) and is_nil(state.options, action.tricks) else ""


def remarks(before: State, event: Event, after: State) -> tuple[Remark, ...]:
    """Remarks on what each side plays for, who exchanges cards, spades broken, a failed Nil, and how the contracts
    ended."""
    if isinstance(event, Bidden) and after.deal.bidden == SEATS:
        contracts = [_contract_remark(after, side) for side in sides_of_four(True)] if after.options.team_play else []
        return (*filter(None, contracts), *[Remark(None, note) for note in _exchange_notes(after)])
    told = [Remark(None, "spades are broken")] if after.broken and not before.broken else []
    for seat in _nil_bidders(after, range(SEATS)):
        if after.deal.tricks.won[seat] and not before.deal.tricks.won[seat]:
            told.append(Remark(None, f"{possessive(seat)} nil has failed"))
    if isinstance(event, Played) and after.sheet:
        told += [
            Remark(None, words)
            for side in sides_of_four(after.options.team_play)
            for words in _result_texts(after, side)
        ]
    return tuple(told)


def ranking(state: State) -> Ranking:
    return Ranking(Suit.SPADES, locked=None if state.broken else Suit.SPADES)


# --- for other programs too -------------------------------------------------------------------------------------------


def is_nil(options: Options, bid: int | None) -> bool:
    """Return whether a bid is Nil (D-SP-1)."""
    return bid == 0 and options.nil != "none"


def score_items(options: Options, bids: Sequence[int], tricks: Sequence[int]) -> tuple[Items, ...]:
    """Score items of each seat: what it scores for the bids and the tricks of all seats, item by item; partners hold
    the same items."""
    groups = sides_of_four(options.team_play)
    items = [_side_items(options, [bids[seat] for seat in side], [tricks[seat] for seat in side]) for side in groups]
    return spread_to_seats(groups, items)


def rules_of(options: Options) -> SpadesRules:
    return SpadesRules(
        options.team_play,
        options.spade_lead_first_trick,
        options.min_bid,
        options.nil != "none",
        options.nil == "passing",
        options.bag_penalty,
        options.double_nil_costs,
    )


# --- private ----------------------------------------------------------------------------------------------------------


def _contract_notes(state: State) -> list[str]:
    """Notes for the table: what each side has of its contract; who exchanges cards; whether spades are broken."""
    bags = [_bags_text(state, side) for side in sides_of_four(state.options.team_play) if state.bags[side[0]]]
    if state.deal.bidden < SEATS:
        return bags
    contracts = [note for side in TWO_SIDES for note in _contract_texts(state, side)] if state.options.team_play else []
    contracts += bags
    if state.deal.passing:
        return [*contracts, *_exchange_notes(state)]
    return ["spades broken" if state.broken else "spades not broken", *contracts]


def _exchange_notes(state: State) -> list[str]:
    """Notes on who exchanges cards now."""
    exchanging = _exchanging_seats(state.options, state.bids)
    return [f"{side_names(side)} exchange three cards" for side in TWO_SIDES if side[0] in exchanging]


def _nil_bidders(state: State, seats: Iterable[Seat]) -> list[Seat]:
    """Those of some seats that have bid nil."""
    return [seat for seat in seats if is_nil(state.options, state.bids[seat])]


def _contract_of_side(state: State, side: Sequence[Seat]) -> tuple[list[Seat], int, int]:
    """A side's contract, Nil apart: whose it is, how many tricks, and how many they have taken."""
    bidders = [seat for seat in side if seat not in _nil_bidders(state, side)]
    tricks = state.deal.tricks.won
    return bidders, sum([state.bids[seat] or 0 for seat in bidders]), sum([tricks[seat] for seat in bidders])


def _contract_remark(state: State, side: Sequence[Seat]) -> Remark | None:
    """The tricks that a side needs for its contract; None if both bid Nil."""
    bidders, contract, _ = _contract_of_side(state, side)
    if len(bidders) == 1:
        return Remark(bidders[0], f"need {tricks_text(contract) or 'no tricks'}")
    return Remark(None, f"{side_names(bidders)} need {tricks_text(contract) or 'no tricks'}") if bidders else None


def _contract_texts(state: State, side: Sequence[Seat]) -> list[str]:
    """Texts such as ``Ann and Cy took 3 for a contract of 7``; Nil and the bid of a partner apart."""
    bidders, contract, took = _contract_of_side(state, side)
    name = "contract" if len(bidders) > 1 else "bid"
    notes = [f"{side_names(bidders)} took {took} for a {name} of {contract}"] if bidders else []
    return notes + [
        f"{possessive(seat)} nil {'has failed' if state.deal.tricks.won[seat] else 'is alive'}"
        for seat in _nil_bidders(state, side)
    ]


def _bags_text(state: State, side: Sequence[Seat]) -> str:
    """How many bags a side has, as text."""
    number = state.bags[side[0]]
    return f"{side_names(side)} have {quantity_text(number, 'bag')}"


def _result_texts(state: State, side: Sequence[Seat]) -> list[str]:
    """How a side's contract ended, as texts; a failed Nil was told before."""
    bidders, contract, took = _contract_of_side(state, side)
    over = took - contract
    bags = f" with {quantity_text(over, 'bag')}" if over else ""
    ends = [f"made{bags}" if over >= 0 else f"set by {-over}"] if bidders else []
    made = [f"{name_in_text(seat)} made nil" for seat in _nil_bidders(state, side) if not state.deal.tricks.won[seat]]
    return [f"{_contract_texts(state, side)[0]}: {end}" for end in ends] + made


def _bid_name(options: Options, bid: int) -> str:
    return "nil" if is_nil(options, bid) else str(bid)


def _open_bids(options: Options) -> list[int]:
    """Bids that are allowed: any number from the lowest bid; Nil stays open above it. The sum of two partners has no
    cap (D-SP-2)."""
    return [bid for bid in range(EACH + 1) if bid >= options.min_bid or is_nil(options, bid)]


def _bid_refusal(options: Options) -> str:
    """The reason why a bid is refused."""
    nil = ", or 0 for nil" if options.nil != "none" and options.min_bid else ""
    return f"bid {options.min_bid} to {EACH} tricks{nil}"


def _start_hand(state: State, slots: tuple[Slot, ...]) -> State:
    assert state.dealer is not None
    eldest = (state.dealer + 1) % SEATS
    deal = Spades(rules_of(state.options), eldest, Taking(SPADES))
    deal.set_earlier_bags(list(state.bags))
    set_dealt_cards(deal, slots, state.dealer, EACH)
    return start_hand(state, deal, eldest)


def _exchanging_seats(options: Options, bids: Sequence[int | None]) -> tuple[Seat, ...]:
    """The partners of whom exactly one has bid nil, who exchange after the last bid (D-SP-3); nobody does alone
    (D-SP-8)."""
    if options.nil != "passing" or not options.team_play:
        return ()
    return tuple([seat for seat in range(SEATS) if (bids[seat] == 0) != (bids[partner_of(seat)] == 0)])


def _side_items(options: Options, bids: Sequence[int], tricks: Sequence[int]) -> Items:
    """Score items of a side, with the penalty for the bags of the hands before. No floor (D-SP-7)."""
    nils = [count for bid, count in zip(bids, tricks, strict=True) if is_nil(options, bid)]
    if len(nils) == 2:  # instead of two Nils (D-SP-6)
        failed = -200 if options.double_nil_costs and all(nils) else 0
        return (("double Nil", failed if any(nils) else 200),)
    items = [("Nil", -100 if count else 100) for count in nils]
    over = _tricks_over_bid(options, bids, tricks)
    if over is not None:
        contract = sum(bids)
        items.append(("contract", 10 * contract if over >= 0 else -10 * contract))
        if over > 0:
            items.append(("overtricks", over))
    return tuple(items)


def _tricks_over_bid(options: Options, bids: Sequence[int], tricks: Sequence[int]) -> int | None:
    """The tricks of a side over what it has bid, less than 0 where it failed; None where all have bid nil. The tricks
    of a failed Nil count for nothing (D-SP-5)."""
    pairs = [(bid, count) for bid, count in zip(bids, tricks, strict=True) if not is_nil(options, bid)]
    return sum([count - bid for bid, count in pairs]) if pairs else None


def _score_hand(state: State) -> State:
    options = state.options
    items = score_items(options, _final_bids(state), state.deal.tricks.won)
    if options.bag_penalty:
        bags = [state.bags[seat] + _bags_made(state, seat) for seat in range(SEATS)]
        items = tuple([(*own, *_bag_penalty(number)) for own, number in zip(items, bags, strict=True)])
        state = changed(state, bags=tuple([number % TEN for number in bags]))
    sheet = sheet_of_items(items, state.scores)
    return end_hand(state, sheet, race_winners(sides_of_four(options.team_play), sheet.totals, options.winning_score))


def _bag_penalty(bags: int) -> Items:
    """The score item for reaching so many bags; none below ten."""
    return (("ten bags", -100 * (bags // TEN)),) if bags >= TEN else ()


def _final_bids(state: State) -> list[int]:
    """The bids of all seats once everybody has bid."""
    return [bid for bid in state.bids if bid is not None]


def _bids_and_tricks_of_side(state: State, seat: Seat) -> tuple[list[int], list[int]]:
    """The bids and the tricks of this seat's side."""
    side = next(side for side in sides_of_four(state.options.team_play) if seat in side)
    bids, tricks = _final_bids(state), state.deal.tricks.won
    return [bids[one] for one in side], [tricks[one] for one in side]


def _contract_made(state: State, seat: Seat) -> int | None:
    """1 if the seat's contract was made, 0 if not, None if it had none."""
    over = _tricks_over_bid(state.options, *_bids_and_tricks_of_side(state, seat))
    return None if over is None else over >= 0


def _bags_made(state: State, seat: Seat) -> int:
    """How many bags the seat's side made."""
    return max(_tricks_over_bid(state.options, *_bids_and_tricks_of_side(state, seat)) or 0, 0)


def _nil_made(state: State, seat: Seat) -> int | None:
    """1 if the seat's Nil was made, 0 if not, None if it bid none; of a double Nil, whether both made it (D-SP-6)."""
    nils = [
        count for bid, count in zip(*_bids_and_tricks_of_side(state, seat), strict=True) if is_nil(state.options, bid)
    ]
    return not any(nils) if nils else None


GAME: Game[Options, State, Action, Event] = Game(
    key="spades",
    rules=__doc__,
    ends="to {winning_score}",
    brief=(
        "{team_play?Partners|No partners}; {nil=none?no nil|nil counts 100{nil=passing?, and partners exchange three "
        "cards for it}}; {bag_penalty?ten bags cost 100|bags cost nothing}."
    ),
    pitfalls=(
        "{bag_penalty?Extra tricks add up: the tenth bag costs 100.|An extra trick scores just 1.}",
        "{spade_lead_first_trick?After the first trick, spades|Spades} can't be led until one has been played on "
        "another suit.",
        "{nil=none?Bidding 0 doesn't promise to take nothing: every trick is a bag.|Bidding 0 is nil: a single trick "
        "loses 100.}",
    ),
    options=Options,
    presets=PRESETS,
    actions=(Bid, Pass, Play),
    events=(DealerDrawn, Dealt, Bidden, Passed, Exchanged, Played),
    private={Pass: lambda _state: Pass((BACK,) * 3)},
    seats=lambda _options: SEATS,
    pack=lambda _options: PACK,
    start=State.start,
    next_first_dealer=next_first_dealer,
    kept=("hand", "dealer", "scores", "first_dealer", "bags"),
    deal=deal,
    legal=legal,
    verify=verify,
    decide=decide,
    show=show,
    play=play,
    layout=layout,
    measures={"contract": _contract_made, "nil": _nil_made, "overtricks": _bags_made},
    says=says,
    calls=calls,
    ventures=(Bid,),
    remarks=remarks,
    ranking=ranking,
    sides=lambda options: TWO_SIDES if options.team_play else (),
    swap=swap_kept_hands,
)
