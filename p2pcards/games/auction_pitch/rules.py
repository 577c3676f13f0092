"""Auction pitch: four players, no partners. Bid to choose trump, then win high, low, jack and game. First to
{winning_score} wins.

Everyone gets six cards, ace high; the other 28 stay out of play. Starting at the dealer's left, each player passes or
bids once, higher than anyone before, from {maker_min_two?two|one} to four points. {dealer_can_match?The dealer may take
over the highest bid by matching it, unless it's four.|} {stick_dealer?If the others all pass, the dealer must bid.|If
everyone passes, nobody scores and the next dealer deals.}

The highest bidder, the pitcher, leads, and the suit of that card is trump. Follow suit if you can, though you may
always trump instead; otherwise play any card. The highest trump, or else the highest card of the suit led, takes the
trick and leads next.

One point each:
- high: the highest trump in play, for its holder
- low: the lowest trump in play, for the player who {low_point=won?takes it|was dealt it}
- jack: the jack of trump, if in play, for the player who takes it
- game: most card points taken (ten 10, ace 4, king 3, queen 2, jack 1); a tie scores for nobody

A pitcher who falls short scores nothing and loses the bid; everyone else scores what they made. {smudge?Making a bid of
four (a smudge) wins the game outright, unless the pitcher was below zero.|} If more than one player reaches
{winning_score} in the same hand, the pitcher counts first, then high, low, jack, game.
"""

# Rules: rule sheet 3, from "The Real Deal"; the decisions D-AP-1 to D-AP-5 are named where they are taken.

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2pcards.cards.card import Card, Suit, cards_of_mask
from p2pcards.cards.eyes import PUBLIC, Slot, slots_in_place
from p2pcards.cards.pack import pack_of
from p2pcards.games.auction_pitch.deal import STOCK, AuctionPitch, AuctionPitchRules
from p2pcards.games.bidding import Bid, Bidden
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
from p2pcards.games.deals.tricks import NOBODY, Tricks
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
    possessive,
    sheet_of_items,
    verify_turn,
    with_seat_replaced,
)
from p2pcards.games.holding import BIDS_FIRST, verify_dealt_to
from p2pcards.games.options import WINS, choice_option, flag_option
from p2pcards.games.playing import PLAYS, Pass, Play, Played
from p2pcards.games.tricks import (
    KeptTricks,
    lay_card,
    start_hand,
    suit_name_of_mask,
    suit_of_mask,
    trick_layout,
    tricks_text,
)

SEATS = 4
EACH = 6
PACK = pack_of()  # with the fives (D-AP-1)
SMUDGE = 4
JACK = 11
POINTS = ("high", "low", "jack", "game")
COUNTS = {10: 10, 14: 4, 13: 3, 12: 2, 11: 1}


@dataclass(frozen=True, slots=True)
class Options:
    winning_score: str = choice_option(
        "7",
        WINS,
        dict.fromkeys(
            ("5", "7", "9", "11", "13", "15", "21"),
            "The first to reach {winning_score} points wins. A pitcher who makes the bid counts all their points for "
            "the hand first. If that isn't enough, the others count theirs in the order high, low, jack, game, and the "
            "first to get there wins, even if someone else would end up with more.",
        ),
    )
    low_point: str = choice_option(
        "won",
        "low: scored for taking the lowest trump, or for being dealt it",
        {
            "won": "The player who takes the trick with the lowest trump in play scores low.",
            "dealt": "The player who was dealt the lowest trump in play scores low, no matter who takes it.",
        },
    )
    smudge: bool = flag_option(
        True,
        "an outright win for making a bid of four",
        on="A player who bids four and makes all four wins the game outright, whatever the scores; but if they were "
        "below zero before the hand, they just score 4. You can't make four when the jack of trump isn't in play.",
        off="A player who bids four and makes all four scores 4, as with any bid.",
    )
    dealer_can_match: bool = flag_option(
        True,
        "dealer's right to take over the highest bid by matching it",
        on="The dealer bids last and may take over the highest bid by matching it, unless it's four, which ends the "
        "bidding.",
        off="The dealer must bid higher than everyone before them, like any other player.",
    )
    maker_min_two: bool = flag_option(
        True,
        "a lowest bid of two; if not, one",
        on="The lowest bid is two.",
        off="The lowest bid is one.",
    )
    stick_dealer: bool = flag_option(  # D-AP-5
        False,
        "a forced bid for the dealer if everyone else passes",
        on="If the other three pass, the dealer can't pass and must make at least the lowest bid.",
        off="If the other three pass, the dealer may pass too; then nobody scores and the next dealer deals.",
    )


PRESETS = {
    "usual": Options(winning_score="21", low_point="dealt", smudge=False, dealer_can_match=False, stick_dealer=True),
    "real-deal": Options(),
}


# --- actions and events -----------------------------------------------------------------------------------------------


Action = Bid | Pass | Play
Event = DealerDrawn | Dealt | Bidden | Played


UNDEALT = AuctionPitch(AuctionPitchRules(False, False, False, False, False), 0, Tricks(SEATS))
"""Before the first deal."""


@dataclass(frozen=True)
class State(KeptTricks):
    IN_DEAL = ("hands", "stock", "bids", "pitcher", "trump", "low", "leader", "trick", "last_trick", "taken")

    options: Options
    deal: AuctionPitch = UNDEALT
    bids: tuple[int | None, ...] = (None,) * SEATS  # by seat; 0 for a pass, None before it has spoken

    @property
    def stock(self) -> tuple[Slot, ...]:
        """What was not dealt."""
        return slots_in_place(self.deal, self.deal.stock, self.deal.hidden[STOCK])

    @property
    def pitcher(self) -> Seat | None:
        """None while there is none."""
        deal = self.deal
        return None if deal.bidding or deal.pitcher == NOBODY else deal.pitcher

    @property
    def trump(self) -> Suit | None:
        """None before the pitcher has led."""
        return suit_of_mask(self.deal.tricks.trump)

    @property
    def low(self) -> Seat | None:
        """The seat that has played the lowest trump so far."""
        return None if self.deal.low_seat == NOBODY else self.deal.low_seat


# --- the game ---------------------------------------------------------------------------------------------------------


def deal(state: State, pack: tuple[Card, ...], draw: tuple[Card, ...]) -> DealerDrawn | Dealt:
    if state.dealer is None:
        return draw_dealer(draw)
    return Dealt(dealt_slots(pack, SEATS, state.dealer, EACH))


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    if seat not in state.to_act:
        return ()
    if state.pitcher is None:
        bids = [Bid(points) for points in range(_lowest_bid(state, seat), SMUDGE + 1)]
        return (*([] if _dealer_must_bid(state, seat) else [Pass()]), *bids)
    return tuple([PLAYS[card] for card in cards_of_mask(state.deal.legal_moves())])


def verify(state: State, seat: Seat, action: Action) -> None:
    verify_turn(state, seat)
    if state.pitcher is not None and not isinstance(action, Play):
        raise IllegalAction("the bidding is over")
    match action:
        case Bid(points=points):
            lowest = _lowest_bid(state, seat)
            if not lowest <= points <= SMUDGE:
                raise IllegalAction(f"bid {lowest} to {SMUDGE} points")
        case Pass():
            if _dealer_must_bid(state, seat):
                raise IllegalAction("everyone else passed, so you must bid")
        case Play(card=card):
            if state.pitcher is None:
                raise IllegalAction(BIDS_FIRST)
            deal = state.deal
            verify_dealt_to(deal, seat, card)
            if not deal.playable_cards(deal.tricks.hands[seat] | 1 << card) >> card & 1:
                or_trump = "" if deal.tricks.led == deal.tricks.trump else " or play a trump"
                raise IllegalAction(f"you must follow {suit_name_of_mask(deal.tricks.led)}{or_trump}")


def decide(state: State, seat: Seat, action: Action) -> Bidden | Played:  # noqa: ARG001 - as in every game
    match action:
        case Bid(points=points):
            return Bidden(seat, points)
        case Pass():
            return Bidden(seat, 0)
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
        case Bidden(seat=seat, points=points):
            return _after_bid(state, seat, points)


def layout(state: State) -> Layout:
    if not state.hand:
        return Layout()
    notes = []
    if state.pitcher is not None and state.trump is None:
        notes.append(f"{possessive(state.pitcher)} lead sets trump (bid {_best_bid(state)})")
    if state.sheet and state.pitcher is not None:
        notes.append(_game_points_text(state))
    trump = None if state.trump is None else Trump(state.trump, state.pitcher, str(_best_bid(state)))
    facts = [_seat_facts(state, seat) for seat in range(SEATS)]
    return trick_layout(state, notes, [Pile("stock", state.stock)], seats=facts, trump=trump)


def says(state: State, seat: Seat, action: Action) -> str:  # noqa: ARG001 - as in every game
    match action:
        case Bid(points=points) if points == SMUDGE:
            return f"bid {points}, a smudge"
        case Bid(points=points) if points == _best_bid(state):
            return f"match the bid of {points}"
        case _:
            return ""


def remarks(before: State, event: Event, after: State) -> tuple[Remark, ...]:
    """Remarks on who won the bid, on trump, and at the end on who made which point and whether the pitcher made the
    bid."""
    if isinstance(event, Bidden) and after.sheet:
        return (Remark(None, "everyone passed"),)
    if isinstance(event, Bidden) and after.pitcher is not None:
        return (Remark(after.pitcher, f"win the bid at {_best_bid(after)}"),)
    if isinstance(event, Played) and after.trump is not None:
        told = [] if before.trump is not None else [Remark(None, f"{after.trump.name.lower()} are trump")]
        return (*told, *(_result_remarks(after, after.trump) if after.sheet else []))
    return ()


def ranking(state: State) -> Ranking | None:
    """How cards rank in tricks, None before trump is known; whoever takes a trump may have the low or the jack with
    it."""
    trump = state.trump
    return (
        None
        if trump is None
        else Ranking(trump, scores=lambda card: card.suit == trump or card.rank in COUNTS, follows=False)
    )


# --- for other programs too -------------------------------------------------------------------------------------------


def game_points(cards: Sequence[Card]) -> int:
    """What cards count towards the point for game."""
    return sum([COUNTS.get(card.rank, 0) for card in cards])


def points_made(
    options: Options, trump: Suit, taken: Sequence[Sequence[Card]], low: Seat
) -> tuple[tuple[str, Seat], ...]:
    """The seats that make high, low, jack and game, in this order; nobody may make jack or game. taken: the cards of
    the tricks of each seat, by seat, at least one of them a trump. low: who was dealt the lowest trump in play. High
    needs no such seat, for the highest trump takes its trick."""
    trumps = sorted([(card.rank, seat) for seat, cards in enumerate(taken) for card in cards if card.suit == trump])
    made = [("high", trumps[-1][1]), ("low", trumps[0][1] if options.low_point == "won" else low)]
    made += [("jack", seat) for rank, seat in trumps if rank == JACK]
    counts = [game_points(cards) for cards in taken]
    if counts.count(max(counts)) == 1:
        made.append(("game", counts.index(max(counts))))
    return tuple(made)


def score_items(points: Sequence[tuple[str, Seat]], pitcher: Seat, bid: int) -> tuple[Items, ...]:
    """Score items of each seat: what it scores, item by item (D-AP-3). points: as `points_made` gives them."""
    items = [tuple([(name, 1) for name, owner in points if owner == seat]) for seat in range(SEATS)]
    if len(items[pitcher]) < bid:
        items[pitcher] = (("set back", -bid),)  # a smudge without the jack too (D-AP-4)
    return tuple(items)


def game_winner(
    options: Options, scores: Sequence[int], points: Sequence[tuple[str, Seat]], pitcher: Seat, bid: int
) -> Seat | None:
    """The seat that wins the game with these points; None if it goes on. scores: of all seats before the hand."""
    target = int(options.winning_score)
    made = sum([owner == pitcher for _, owner in points])
    smudged = options.smudge and bid == made == SMUDGE and scores[pitcher] >= 0
    if smudged or (made >= bid and scores[pitcher] + made >= target):
        return pitcher
    reached = list(scores)
    for _, owner in points:
        if owner != pitcher:
            reached[owner] += 1
            if reached[owner] >= target:
                return owner
    return None


def rules_of(options: Options) -> AuctionPitchRules:
    return AuctionPitchRules(
        options.low_point == "dealt",
        options.dealer_can_match,
        options.maker_min_two,
        options.stick_dealer,
        options.smudge,
    )


# --- private ----------------------------------------------------------------------------------------------------------


def _seat_facts(state: State, seat: Seat) -> str:
    """Words for a seat's bid and tricks."""
    bid = state.bids[seat]
    if state.pitcher is None:
        return "" if bid is None else f"bid {bid}" if bid else "passed"
    return tricks_text(state.deal.tricks.won[seat])


def _game_points_text(state: State) -> str:
    """Every seat's points so far towards the point for game, as text."""
    counts = [f"{name_in_text(seat)} {game_points(cards)}" for seat, cards in enumerate(_cards_taken(state))]
    return f"game count: {', '.join(counts)}"


def _result_remarks(state: State, trump: Suit) -> list[Remark]:
    """Remarks said aloud of a hand that is over: high, low, jack and game by name, and what the pitcher made of the
    bid."""
    points, bid = _points_by_owner(state, trump), _best_bid(state)
    owners = dict(points)
    missing = {"jack": "not in play", "game": "nobody (a tie)"}
    told = [f"{name}: {name_in_text(owners[name]) if name in owners else missing[name]}" for name in POINTS]
    made = sum([owner == state.pitcher for _, owner in points])
    verdict = f"make {made} on a bid of {bid}" if made >= bid else f"are set back: {made} on a bid of {bid}"
    return [Remark(None, "; ".join(told)), Remark(None, _game_points_text(state)), Remark(state.pitcher, verdict)]


def _best_bid(state: State) -> int:
    """The best bid so far; 0 if there is none."""
    return max([bid or 0 for bid in state.bids])


def _lowest_bid(state: State, seat: Seat) -> int:
    """The lowest bid that this seat may make."""
    best = _best_bid(state)
    beats = best if seat == state.dealer and state.options.dealer_can_match else best + 1
    return max(beats, 2 if state.options.maker_min_two else 1)


def _dealer_must_bid(state: State, seat: Seat) -> bool:
    """Return whether the seat is the dealer who must bid."""
    return state.options.stick_dealer and seat == state.dealer and not _best_bid(state)


def _start_hand(state: State, slots: tuple[Slot, ...]) -> State:
    assert state.dealer is not None
    eldest = (state.dealer + 1) % SEATS
    deal = AuctionPitch(rules_of(state.options), state.dealer, Tricks(SEATS))
    set_dealt_cards(deal, slots, state.dealer, EACH)
    return changed(start_hand(state, deal, eldest), bids=(None,) * SEATS)


def _after_bid(state: State, seat: Seat, points: int) -> State:
    """The state after a bid or pass; the auction ends with the dealer's word or a smudge (D-AP-2)."""
    deal = state.deal.copy()
    deal.make_move(points)
    state = changed(state, deal=deal, bids=with_seat_replaced(state.bids, seat, points), to_act=((seat + 1) % SEATS,))
    if deal.bidding:
        return state
    if state.pitcher is None:
        return _end_hand(state, ((),) * SEATS, None)
    return changed(state, leads=(state.pitcher,), to_act=(state.pitcher,))


def _cards_taken(state: State) -> list[list[Card]]:
    return list(map(cards_of_mask, state.deal.tricks.taken))


def _points_by_owner(state: State, trump: Suit) -> tuple[tuple[str, Seat], ...]:
    """The points of high, low, jack and game with their seats, when all cards are played."""
    assert state.low is not None
    return points_made(state.options, trump, _cards_taken(state), state.low)


def _score_hand(state: State) -> State:
    pitcher, trump, bid = state.pitcher, state.trump, _best_bid(state)
    assert pitcher is not None and trump is not None
    points = _points_by_owner(state, trump)
    items = score_items(points, pitcher, bid)
    return _end_hand(state, items, game_winner(state.options, state.scores, points, pitcher, bid))


def _end_hand(state: State, items: tuple[Items, ...], won: Seat | None) -> State:
    return end_hand(state, sheet_of_items(items, state.scores), () if won is None else (won,))


def _is_set_back(state: State, seat: Seat) -> int:
    """Return whether the pitcher has made less than the bid, which then is taken off."""
    return seat == state.pitcher and state.sheet is not None and state.sheet.hand[seat] < 0


GAME: Game[Options, State, Action, Event] = Game(
    key="auction_pitch",
    rules=__doc__,
    ends="to {winning_score}",
    brief=(
        "Bids start at {maker_min_two?2|1}{dealer_can_match?, and the dealer can match the highest}; low goes to the "
        "player who {low_point=won?takes it|was dealt it}{stick_dealer?; the dealer must bid if everyone else passes}"
        "{smudge?; making a bid of four wins outright}."
    ),
    pitfalls=(
        "You may trump even when you could follow suit.",
        "With 28 cards out of play, the jack of trump may be one of them.",
        "Tens decide game: one counts more than an ace, king and queen together.",
    ),
    options=Options,
    presets=PRESETS,
    actions=(Bid, Pass, Play),
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
    layout=layout,
    measures={"set": _is_set_back},
    says=says,
    ventures=(Bid,),
    remarks=remarks,
    ranking=ranking,
    also=("pitch",),
    swap=swap_kept_hands,
)
