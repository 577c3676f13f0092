"""Gin rummy: two players. Arrange ten cards in melds, then knock. First to {winning_score} wins.

A meld is three or four of a rank, or a run of three or more in one suit, ace low. Cards outside melds are deadwood:
face cards count 10, aces 1, others their number.

The next card is turned up. The non-dealer may take it or pass, then the dealer. If both pass, the non-dealer draws from
the stock. Then, each turn, draw from the stock or take the top discard, and discard.

You may knock with your discard when your deadwood is no more than {oklahoma?the value of the first card turned
up.|{knock_limit}{knock_limit=0?: only gin will do}.} {oklahoma?{oklahoma_ace_gin?If that's an ace, only gin will do.|}
{oklahoma_spades_double?If it's a spade, the hand counts double.|}|} Both hands are shown{layoff?, and your opponent's
cards are laid off where they fit your melds|; nothing is laid off}. Then score:
- knock: the difference in deadwood
- undercut (your opponent has no more than you): they score the difference{undercut_bonus=0?| plus {undercut_bonus}}
- gin (no deadwood): all of your opponent's, nothing laid off{gin_bonus=0?|, plus {gin_bonus}}
{big_gin?
- big gin (all eleven cards in melds, say `gin` without a card): all of your opponent's plus {big_gin_bonus}|}

The winner deals next. If the stock is down to two cards and nobody knocks, nobody scores and the same dealer deals
again.

{hollywood?{hollywood!}|} {game_bonus=0?|The winner gets {game_bonus} more.} {box_bonus=0?|Each hand won adds
{box_bonus} at the end.} {shutout_double?If the loser has no points at all, the winner's points{game_bonus=0?| and game
bonus} count double.|}
"""

# Rules: rule sheet 14, from "TeleCards" (preset telecards) and the usual rules (preset standard and those made from
# it); the decisions D-GI-1 to D-GI-7 are named where they are taken, here, in deadwood.py (what a hand is worth)
# and in score.py (what it scores).

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from p2pcards.cards.card import Card, Suit, spell_cards
from p2pcards.cards.eyes import PUBLIC, TRUTH, Bag, Slot, eye_of_seat, put_into_bag, take_out_of_bag
from p2pcards.cards.pack import pack_of
from p2pcards.games.changing import changed
from p2pcards.games.dealing import (
    NOT_ONE_UP,
    DealerDrawn,
    Dealt,
    dealt_hands,
    dealt_with_upcard,
    draw_dealer,
    drawn_dealer,
)
from p2pcards.games.drawing import Discard, Discarded, Draw, Drawn, Take, Taken
from p2pcards.games.exchanging import swap_even_hands
from p2pcards.games.game import (
    Game,
    IllegalAction,
    Layout,
    Made,
    Pile,
    Remark,
    Seat,
    Sheet,
    Stage,
    Tally,
    TallyItem,
    name_in_text,
    sheet_of_items,
    verify_turn,
    with_seat_replaced,
)
from p2pcards.games.gin_rummy.deadwood import (
    Arrangement,
    LayOffs,
    Meld,
    arrangements,
    best_arrangement,
    card_points,
    deadwood,
    lay_offs,
)
from p2pcards.games.gin_rummy.score import SEATS, Column, end_items, enter_win, hand_items, is_closed
from p2pcards.games.holding import NOT_JUST_TAKEN, verify_held
from p2pcards.games.melds import is_set, run_order
from p2pcards.games.options import WINS, OptionError, flag_option, number_option
from p2pcards.games.playing import Pass, Passed
from p2pcards.games.showing import Shown, hands_turned_up, show_all_hands
from p2pcards.games.spreads import end_joined, laid_off_where, lay_down_meld, lay_off_on
from p2pcards.games.wording import join_with_or

EACH = 10
PACK = pack_of()
UNDRAWN = 2  # cards that stay in the stock
TURNS = 200  # after so many a hand ends without score (D-GEN-10)


@dataclass(frozen=True, slots=True)
class Options:
    winning_score: int = number_option(
        100,
        25,
        1000,
        WINS,
        "The first player to reach {winning_score} at the end of a hand wins the game, even if boxes leave the other "
        "with a higher total.",
    )
    gin_bonus: int = number_option(
        25,
        0,
        100,
        "bonus for gin, on top of your opponent's deadwood",
        "Gin scores your opponent's deadwood plus {gin_bonus}; big gin has its own bonus.",
    )
    undercut_bonus: int = number_option(
        25,
        0,
        100,
        "bonus for an undercut, on top of the difference",
        "A player who undercuts scores the difference plus {undercut_bonus}, even if the difference is 0. Gin is "
        "never undercut.",
    )
    knock_limit: int = number_option(
        10,
        0,
        10,
        "most deadwood you can knock with (0: gin only)",
        "You may knock with {knock_limit} deadwood or less; if that's 0, only gin will do. Oklahoma sets its own "
        "limit.",
    )
    layoff: bool = flag_option(  # D-GI-2
        True,
        "laying off on the knocker's melds",
        on="After a knock, the opponent's cards are laid off on the knocker's melds, one by one, to leave the least "
        "deadwood. After gin, nothing is laid off.",
        off="Nothing is laid off: only the opponent's own melds reduce their deadwood.",
    )
    oklahoma: bool = flag_option(
        False,
        "knock limit set by the first card turned up",
        on="The first card turned up in a hand sets the knock limit in place of `knock_limit`: a face card 10, an ace "
        "1, others their number.",
        off="The limit is `knock_limit` in every hand.",
    )
    oklahoma_ace_gin: bool = flag_option(
        False,
        "gin only if an ace is turned up (needs oklahoma)",
        on="If an ace is turned up first, only gin will do.",
        off="If an ace is turned up first, the limit is 1.",
    )
    oklahoma_spades_double: bool = flag_option(
        False,
        "double score if a spade is turned up (needs oklahoma)",
        on="If a spade is turned up first, everything the hand scores counts double, including a bonus for gin or an "
        "undercut, but not the bonuses at the end of a game.",
        off="A spade turned up first makes no difference.",
    )
    big_gin: bool = flag_option(
        False,
        "big gin: going out with all eleven cards in melds",
        on="With all eleven cards in melds, you may say `gin` without a card for big gin. Nothing is laid off against "
        "it.",
        off="Gin needs a discard, even with all eleven cards in melds.",
    )
    big_gin_bonus: int = number_option(  # D-GI-4
        31,
        0,
        100,
        "bonus for big gin, in place of the bonus for gin",
        "Big gin scores your opponent's deadwood plus {big_gin_bonus}, in place of the bonus for gin. It has no effect "
        "without `big_gin`.",
    )
    hollywood: bool = flag_option(
        False,
        "three games at the same time",
        on="You play three games at the same time. A hand you win counts in every open game where you've already won a "
        "hand, and in the first open one where you haven't. Each game ends at the winning score, with its own bonuses. "
        "Play stops when the third game ends, and the higher total of all three wins; equal totals share the win.",
        off="You play one game.",
    )
    game_bonus: int = number_option(
        0,
        0,
        1000,
        "bonus for winning the game",
        "The player with more points when a game ends gets {game_bonus} more.",
    )
    box_bonus: int = number_option(
        0,
        0,
        100,
        "bonus for each hand won, added when a game ends",
        "When a game ends, each player gets {box_bonus} for each hand they won (a box).",
    )
    shutout_double: bool = flag_option(
        False,
        "double points and game bonus if the loser has no points",
        on="If the loser of a game has no points at all, the winner's points and game bonus count double, but "
        "not the boxes.",
        off="Nothing extra for a loser with no points.",
    )

    def __post_init__(self) -> None:
        for key in ("oklahoma_ace_gin", "oklahoma_spades_double"):
            if getattr(self, key) and not self.oklahoma:
                raise OptionError(f"{key} needs oklahoma: set oklahoma to true first.")


STANDARD = Options(big_gin=True, game_bonus=100, box_bonus=20, shutout_double=True)  # D-GI-6
PRESETS = {
    "usual": Options(game_bonus=100, box_bonus=25, shutout_double=True),
    "telecards": Options(),
    "standard": STANDARD,
    "oklahoma": replace(STANDARD, oklahoma=True),
    "hollywood": replace(STANDARD, hollywood=True),
}


# --- actions and events -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Knock:
    card: Card  # the discard
    # As they are to be laid down, each ascending, in ascending order, if another arrangement leaves as little as the
    # usual one; None for the usual one (D-GI-3).
    melds: tuple[tuple[Card, ...], ...] | None = None


@dataclass(frozen=True, slots=True)
class Gin:
    """A knock without deadwood."""

    card: Card | None = None  # the discard; None for big gin, with all eleven cards in melds


@dataclass(frozen=True, slots=True)
class Knocked:
    seat: Seat
    gin: bool
    laid: tuple[Slot, ...]  # the discard; () for big gin
    melds: tuple[Meld, ...]  # the arrangement chosen; () for the usual one


Action = Pass | Take | Draw | Discard | Knock | Gin
Event = DealerDrawn | Dealt | Passed | Taken | Drawn | Discarded | Knocked | Shown


class Phase(IntEnum):
    UPCARD = 0  # it may be taken, first by the one, then by the other
    FORCED = 1  # both have passed: the stock
    DRAW = 2
    DISCARD = 3


@dataclass(frozen=True)
class State:
    options: Options
    columns: tuple[Column, ...]  # the games on the score sheet, three in Hollywood
    eyes: int = TRUTH
    stage: Stage = Stage.DEAL
    to_act: tuple[Seat, ...] = ()
    hand: int = 0
    dealer: Seat | None = None
    scores: tuple[int, ...] = (0,) * SEATS
    hands: tuple[Bag, ...] = (Bag(0), Bag(1))
    stock: tuple[Slot, ...] = ()  # the top card first
    discards: tuple[Slot, ...] = ()  # the top card last
    limit: int = 0  # the most deadwood to knock with
    doubled: bool = False
    phase: Phase = Phase.UPCARD
    taken: Card | None = None  # the discard taken in this turn
    turns: int = 0  # finished in this hand
    knocker: Seat | None = None  # the seat that ended the hand
    gin: bool = False  # as the knocker announced
    melds: tuple[Meld, ...] = ()  # as the knocker announced
    sheet: Sheet | None = None
    winners: tuple[Seat, ...] = ()


# --- the game ---------------------------------------------------------------------------------------------------------


def start(options: Options, first_dealer: Seat | None) -> State:
    return State(options, (Column(),) * (3 if options.hollywood else 1), dealer=first_dealer)


def next_first_dealer(state: State) -> Seat:
    """The winner of the last hand, as from hand to hand."""
    return state.dealer or 0


def deal(state: State, pack: tuple[Card, ...], draw: tuple[Card, ...]) -> DealerDrawn | Dealt:
    if state.dealer is None:
        return draw_dealer(draw)
    return dealt_with_upcard(pack, SEATS, state.dealer, EACH)


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    if seat not in state.to_act:
        return ()
    if state.phase != Phase.DISCARD:
        return OPEN[state.phase]
    held = state.hands[seat].cards
    cards = [card for card in held if card != state.taken]
    knocks = [knock for card in cards for knock in _knocks_with(state, held, card)]
    big: list[Action] = [Gin()] if state.options.big_gin and not deadwood(held) else []
    return (*[Discard(card) for card in cards], *knocks, *big)


def verify(state: State, seat: Seat, action: Action) -> None:
    verify_turn(state, seat)
    if isinstance(action, Pass | Take | Draw):
        if action not in OPEN.get(state.phase, ()):
            raise IllegalAction(WHAT_NOW[state.phase])
        return
    if state.phase != Phase.DISCARD:
        raise IllegalAction(WHAT_NOW[state.phase])
    held = state.hands[seat]
    if action.card is not None:
        verify_held(held, action.card)
        if action.card == state.taken:  # D-GI-1
            raise IllegalAction(NOT_JUST_TAKEN)
    match action:
        case Knock(card=card, melds=melds):
            _verify_knock(state, held, card, melds)
        case Gin(card=card):
            _verify_gin(state, held, card)


def _verify_knock(state: State, held: Bag, card: Card, melds: tuple[Meld, ...] | None) -> None:
    for other in [other for meld in melds or () for other in meld]:
        verify_held(held, other)
    if not _is_wholly_known(held):
        return
    rest = _without_card(held.cards, card)
    points = deadwood(rest)
    if not points:
        raise IllegalAction(f"that's gin: type gin {card}")
    if points > state.limit:
        rule = f"the limit is {state.limit}" if state.limit else "only gin will do"
        raise IllegalAction(f"discarding {card} leaves {points} deadwood, but {rule}")
    if melds is not None:
        usual, *others = [arrangement.melds for arrangement in arrangements(rest)]
        if melds == usual:
            raise IllegalAction("you would lay down those melds anyway, so leave them out")
        if melds not in others:
            raise IllegalAction(f"those melds leave more than {points} deadwood, or their cards are out of order")


def _verify_gin(state: State, held: Bag, card: Card | None) -> None:
    if card is None and not state.options.big_gin:
        raise IllegalAction("big gin is off at this table, so name a card to discard")
    if _is_wholly_known(held) and (points := deadwood(_without_card(held.cards, card))):
        raise IllegalAction(
            f"{f'discarding {card} leaves' if card else 'you have'} {points} deadwood, so that's not gin"
        )


def decide(state: State, seat: Seat, action: Action) -> Event:
    match action:
        case Pass():
            return Passed(seat)
        case Take():
            return Taken(seat)
        case Draw():
            return Drawn(seat, Slot(state.stock[0].card, eye_of_seat(seat)))
        case Discard(card=card):
            return Discarded(seat, Slot(card, PUBLIC))
        case Knock(card=card, melds=melds):
            return Knocked(seat, False, (Slot(card, PUBLIC),), melds or ())
        case Gin(card=laid):
            return Knocked(seat, True, (Slot(laid, PUBLIC),) if laid else (), ())


def play(state: State, event: Event) -> State:
    match event:
        case DealerDrawn():
            return changed(state, dealer=drawn_dealer(event, PACK, SEATS))
        case Dealt(pack=slots):
            return _start_hand(state, slots)
        case Passed(seat=seat):
            phase = Phase.FORCED if seat == state.dealer else Phase.UPCARD
            return changed(state, to_act=(1 - seat,), phase=phase)
        case Taken(seat=seat):
            *rest, top = state.discards
            return changed(_after_draw(state, seat, top), discards=tuple(rest), taken=top.card)
        case Drawn(seat=seat, card=slot):
            return changed(_after_draw(state, seat, slot), stock=state.stock[1:])
        case Discarded(seat=seat, card=slot):
            return _next_turn(_after_discard(state, seat, slot), seat)
        case Knocked(seat=seat, gin=gin, laid=laid, melds=melds):
            for slot in laid:
                state = _after_discard(state, seat, slot)
            return changed(state, stage=Stage.SHOW, to_act=(), knocker=seat, gin=gin, melds=melds)
        case Shown(hands=hands):
            return _score_hand(changed(state, hands=hands_turned_up(state.hands, hands)))


def layout(state: State) -> Layout:
    notes = []
    if state.hand:
        notes.append(_knock_rule_text(state))
    if state.doubled:
        notes.append("this hand counts double")
    if state.stage == Stage.PLAY and state.phase in OFFERED:
        notes.append(OFFERED[state.phase])
    if state.stage == Stage.PLAY and len(state.stock) <= UNDRAWN:
        notes.append("last turn: without a knock the hand is a draw")
    piles = (Pile("stock", state.stock), Pile("discard pile", state.discards))
    seats = tuple([_won_so_far(state, seat) for seat in range(SEATS)])
    return Layout(piles=piles + _laid_down_piles(state), notes=tuple(notes), seats=seats, tallies=_tallies(state))


def calls(state: State, seat: Seat, action: Action) -> str:
    """The words in which this action is offered to the player; "" for its plain spelling."""
    if not isinstance(action, Knock) or action.melds:
        return ""
    left = deadwood([card for card in state.hands[seat].cards if card != action.card])
    return f"knock with {action.card}, deadwood {left}"


def says(state: State, seat: Seat, action: Action) -> str:  # noqa: ARG001 - as in every game
    match action:
        case Pass():
            return "pass on the upcard"
        case Take():
            source = " as the upcard" if state.phase == Phase.UPCARD else " from the discard pile"
            return f"take {state.discards[-1].card}{source}"
        case Draw():
            return "draw from the stock"
        case Discard():
            return ""
        case Knock(card=card):
            return f"knock, discarding {card}"
        case Gin(card=laid):
            return f"go gin, discarding {laid}" if laid else "go big gin"


def remarks(before: State, event: Event, after: State) -> tuple[Remark, ...]:
    """The upcard; the hands as they are laid down, with what is laid off; an undercut; the bonuses of a game that is
    won; a hand that nobody wins."""
    match event:
        case Dealt():
            double = ", and this hand counts double" if after.doubled else ""
            rule = f": {_knock_rule_text(after)}{double}" if after.options.oklahoma else ""
            return (Remark(None, f"the upcard is {after.discards[-1].card}{rule}"),)
        case Discarded() if after.sheet:
            why = (
                "two cards are left in the stock" if len(after.stock) <= UNDRAWN else f"{TURNS} turns have been played"
            )
            return (Remark(None, f"{why}: the hand is a draw"),)
        case Shown():
            return (*_showdown_remarks(after), *_games_won(before, after))
        case _:
            return ()


def melds_of_event(_before: State, event: Event, after: State) -> tuple[Made, ...]:
    """The melds of both hands as they are laid down after a knock, and the cards that are laid off."""
    if not isinstance(event, Shown):
        return ()
    return tuple(
        [
            Made(pile.seat or 0, _meld_name(pile), 0, tuple([slot.card for slot in pile.slots]))
            for pile in _laid_down_piles(after)
            if pile.kind == "melds"
        ]
    )


def own_hand_facts(state: State, seat: Seat) -> tuple[str, ...]:
    """For the player alone: the hand as it is best arranged; after a draw, what is left with the best discard, and
    whether that is enough to knock."""
    held = state.hands[seat].cards
    if state.stage != Stage.PLAY or not held:
        return ()
    if len(held) == EACH:
        hand = best_arrangement(held)
        left = _left_over_text(hand) if hand.melds else f"deadwood {hand.points}, no melds"
        return (*_melds_in_hand(hand), left)
    free = [card for card in held if card != state.taken]
    points = {card: deadwood(_without_card(held, card)) for card in free}
    least = min(points.values())
    discards = [card for card in free if points[card] == least]
    enough = ", enough to knock" if 0 < least <= state.limit else ""
    if state.options.big_gin and not deadwood(held):
        return (*_melds_in_hand(best_arrangement(held)), "big gin")
    return (
        *_melds_in_hand(best_arrangement(_without_card(held, discards[0]))),
        f"{f'deadwood {least}' if least else 'gin'} if you discard {join_with_or(discards)}{enough}",
    )


# --- private ----------------------------------------------------------------------------------------------------------

OPEN: dict[Phase, tuple[Action, ...]] = {
    Phase.UPCARD: (Take(), Pass()),
    Phase.FORCED: (Draw(),),
    Phase.DRAW: (Draw(), Take()),
}
OFFERED = {Phase.UPCARD: "the upcard is offered", Phase.FORCED: "both passed on the upcard"}
BONUSES = {"game bonus": "the game", "boxes": "boxes", "shutout": "the shutout"}
WHAT_NOW = {
    Phase.UPCARD: "take the upcard, or pass",
    Phase.FORCED: "both of you passed: draw from the stock",
    Phase.DRAW: "first draw from the stock, or take the top discard",
    Phase.DISCARD: "you have drawn: discard, or knock",
}


def _knock_rule_text(state: State) -> str:
    """The deadwood allowed for a knock now, as text."""
    return f"knock with {state.limit} or less" if state.limit else "gin only"


def _is_wholly_known(held: Bag) -> bool:
    """Return whether this view knows every card of a hand."""
    return len(held.cards) == len(held)


def _without_card(held: Iterable[Card], card: Card | None) -> tuple[Card, ...]:
    return tuple([other for other in held if other != card])


def _knocks_with(state: State, held: Sequence[Card], card: Card) -> list[Action]:
    """The ways to knock, or to go gin, with this discard."""
    rest = _without_card(held, card)
    points = deadwood(rest)
    if not points:
        return [Gin(card)]
    if points > state.limit:
        return []
    return [Knock(card), *[Knock(card, arrangement.melds) for arrangement in arrangements(rest)[1:]]]


def _start_hand(state: State, slots: tuple[Slot, ...]) -> State:
    assert state.dealer is not None
    options, place = state.options, SEATS * EACH
    upcard = slots[place].card
    if not upcard or [slot.eyes & PUBLIC for slot in slots].count(PUBLIC) != 1:
        raise ValueError(NOT_ONE_UP)
    limit, spade = options.knock_limit, False
    if options.oklahoma:
        limit = 0 if options.oklahoma_ace_gin and card_points(upcard) == 1 else card_points(upcard)
        spade = options.oklahoma_spades_double and upcard.suit == Suit.SPADES
    return changed(
        state,
        stage=Stage.PLAY,
        to_act=(1 - state.dealer,),
        hand=state.hand + 1,
        hands=dealt_hands(slots, SEATS, state.dealer, EACH),
        stock=slots[place + 1 :],
        discards=(slots[place],),
        limit=limit,
        doubled=spade,
        phase=Phase.UPCARD,
        taken=None,
        turns=0,
        knocker=None,
        gin=False,
        melds=(),
        sheet=None,
    )


def _after_draw(state: State, seat: Seat, slot: Slot) -> State:
    """The state after a card came into the hand, which its seat must discard from."""
    if not state.stock:
        raise ValueError("the stock is empty")
    hands = with_seat_replaced(state.hands, seat, put_into_bag(state.hands[seat], (slot,)))
    return changed(state, hands=hands, phase=Phase.DISCARD, taken=None)


def _after_discard(state: State, seat: Seat, slot: Slot) -> State:
    """The state after a card left the hand for the discard pile."""
    hands = with_seat_replaced(state.hands, seat, take_out_of_bag(state.hands[seat], (slot,)))
    return changed(state, hands=hands, discards=(*state.discards, slot), taken=None)


def _next_turn(state: State, seat: Seat) -> State:
    """The other's turn; or no score, because the stock is used up (its last discard is not taken, D-GI-5) or the hand
    has lasted too long. The same dealer deals again then (D-GI-5)."""
    turns = state.turns + 1
    if len(state.stock) <= UNDRAWN or turns == TURNS:
        sheet = sheet_of_items(((), ()), state.scores)
        return changed(state, stage=Stage.DEAL, to_act=(), turns=turns, sheet=sheet)
    return changed(state, to_act=(1 - seat,), phase=Phase.DRAW, turns=turns)


def _score_hand(state: State) -> State:
    knocker, options = state.knocker, state.options
    assert knocker is not None
    hand, other = state.hands[knocker].cards, state.hands[1 - knocker].cards
    _check_knock(state, hand)
    wins, won = hand_items(options, hand, state.melds, other, state.doubled)
    seat = knocker if wins else 1 - knocker
    columns, items = enter_win(options, state.columns, seat, won)
    sheet = sheet_of_items(items, state.scores)
    over = all(is_closed(options, column) for column in columns)
    # One game goes to the player at the target, though boxes may give the other more; three by their sum (D-GI-7).
    decisive = sheet.totals if options.hollywood else columns[0].points
    return changed(
        state,
        stage=Stage.OVER if over else Stage.DEAL,
        dealer=seat,  # the winner deals the next hand (D-GI-5)
        scores=sheet.totals,
        columns=columns,
        sheet=sheet,
        winners=tuple([side for side in range(SEATS) if decisive[side] == max(decisive)]) if over else (),
    )


def _check_knock(state: State, hand: Sequence[Card]) -> None:
    """Raises ValueError when the hand that is shown could not knock so."""
    points = deadwood(hand)
    chosen = state.melds and state.melds not in [arrangement.melds for arrangement in arrangements(hand)]
    if points > state.limit or state.gin != (not points) or chosen:
        raise ValueError("the hand shown could not knock")


def _laid_down_piles(state: State) -> tuple[Pile, ...]:
    """After a knock: each seat's melds, what was laid off and what is left."""
    if state.knocker is None or state.sheet is None:
        return ()
    hand, defence = _showdown_hands(state, state.knocker)
    piles = [_pile_of("meld", meld, state.knocker, "melds") for meld in hand.melds]
    piles.append(_pile_of("deadwood", hand.rest, state.knocker))
    piles += [_pile_of("meld", meld, 1 - state.knocker, "melds") for meld in defence.own.melds]
    piles.append(_pile_of("laid off", defence.laid, 1 - state.knocker, "melds"))
    piles.append(_pile_of("deadwood", defence.own.rest, 1 - state.knocker))
    return tuple([pile for pile in piles if pile.slots])


def _tallies(state: State) -> tuple[Tally, ...]:
    """After a knock what each hand comes to, the knocker's first: its melds, what is laid off, and what is left."""
    if state.knocker is None or state.sheet is None:
        return ()
    hand, defence = _showdown_hands(state, state.knocker)
    return (
        Tally(state.knocker, "hand", _tally_items(hand, ())),
        Tally(1 - state.knocker, "hand", _tally_items(defence.own, defence.laid)),
    )


def _tally_items(hand: Arrangement, laid: Meld) -> tuple[TallyItem, ...]:
    melds = [TallyItem("", "a set" if is_set(meld) else "a run", 0, _run_in_order(meld)) for meld in hand.melds]
    off = [TallyItem("", "laid off", 0, laid)] if laid else []
    left = TallyItem("", f"deadwood {hand.points}" if hand.rest else "no deadwood", 0, hand.rest)
    return (*melds, *off, left)


def _pile_of(name: str, cards: Meld, seat: Seat, kind: str = "") -> Pile:
    return Pile(name, tuple([Slot(card, PUBLIC) for card in _run_in_order(cards)]), seat, spread=True, kind=kind)


def _meld_name(pile: Pile) -> str:
    if pile.name == "laid off":
        return pile.name
    return "set" if is_set([slot.card for slot in pile.slots]) else "run"


# --- what is told -----------------------------------------------------------------------------------------------------


def _won_so_far(state: State, seat: Seat) -> str:
    """The points in each of several games, or the boxes where they count."""
    if state.options.hollywood:
        return "games " + ", ".join([str(column.points[seat]) for column in state.columns])
    boxes = state.columns[0].boxes[seat] if state.options.box_bonus else 0
    return f"{boxes} box{'es' if boxes > 1 else ''}" if boxes else ""


def _showdown_hands(state: State, knocker: Seat) -> tuple[Arrangement, LayOffs]:
    """The knocker's hand as it is laid down, and what the other player makes of theirs."""
    hand, other = state.hands[knocker].cards, state.hands[1 - knocker].cards
    melds = state.melds or best_arrangement(hand).melds
    rest = tuple([card for card in hand if not any(card in meld for meld in melds)])
    laid = Arrangement(melds, rest, sum([card_points(card) for card in rest]))
    return laid, lay_offs(melds if rest and state.options.layoff else (), other)


def _showdown_remarks(state: State) -> list[Remark]:
    knocker = state.knocker
    assert knocker is not None
    hand, defence = _showdown_hands(state, knocker)
    told = [Remark(knocker, _arrangement_text(hand))]
    if defence.laid:
        melds = [Remark(1 - knocker, f"lay down {_melds_text(defence.own)}")] if defence.own.melds else []
        off = Remark(1 - knocker, f"lay off {_laid_off_words(hand.melds, defence.laid)}")
        told += [*melds, off, Remark(1 - knocker, f"are left with {_left_aloud(defence.own)}")]
    else:
        told.append(Remark(1 - knocker, _arrangement_text(defence.own)))
    if state.dealer != knocker:  # the winner deals
        told.append(Remark(1 - knocker, f"undercut {name_in_text(knocker)}"))
    return told


def _games_won(before: State, after: State) -> list[Remark]:
    """Remarks on the bonuses for a game that the hand has ended; of several games, on who has won which."""
    assert after.sheet
    told = []
    for place, (old, new) in enumerate(zip(before.columns, after.columns, strict=True), 1):
        if is_closed(after.options, old) or not is_closed(after.options, new):
            continue
        winner = new.points.index(max(new.points))
        one_of_three = f"game {place}" if after.options.hollywood else ""
        if one_of_three:
            told.append(Remark(winner, f"win {one_of_three}, {new.points[winner]} to {new.points[1 - winner]}"))
        for seat in (winner, 1 - winner):
            added = dict(end_items(after.options, new, seat))
            words = ", ".join([f"{added[what]} for {BONUSES[what]}" for what in BONUSES if what in added])
            told += [Remark(seat, f"add {words}{f' in {one_of_three}' * bool(one_of_three)}")] if words else []
    return told


def _arrangement_text(hand: Arrangement) -> str:
    """The melds and the deadwood of a hand as it is laid down, as text."""
    return f"{f'lay down {_melds_text(hand)}' if hand.melds else 'have no melds'}, with {_left_aloud(hand)}"


def _laid_off_words(melds: Sequence[Meld], laid: Meld) -> str:
    """``8D next to 9D, KH with KC KD KS`` for the cards that are laid off on these melds."""
    left, words = list(laid), []
    for meld in sorted(melds, key=is_set):  # a card that goes on a run may be the one between it and the next
        spread = lay_down_meld(0, meld, "low")
        while card := next((card for card in left if end_joined(spread, card, "low")), None):
            words.append(f"{card} {laid_off_where(spread, card, 'low')}")
            spread = lay_off_on(spread, 0, Slot(card, PUBLIC), "low")
            left.remove(card)
    return ", ".join(words)


def _melds_in_hand(hand: Arrangement) -> tuple[str, ...]:
    return (f"melds {_melds_text(hand)}",) if hand.melds else ()


def _melds_text(hand: Arrangement) -> str:
    return ", ".join([_cards_text(meld) for meld in hand.melds])


def _left_over_text(hand: Arrangement) -> str:
    """The cards that are in no meld, and what they count, as text."""
    return f"deadwood {hand.points}: {_cards_text(hand.rest)}" if hand.rest else "no deadwood"


def _left_aloud(hand: Arrangement) -> str:
    return f"{hand.points} deadwood: {_cards_text(hand.rest)}" if hand.rest else "no deadwood"


def _cards_text(cards: Meld) -> str:
    return spell_cards(_run_in_order(cards))


def _run_in_order(cards: Meld) -> Meld:
    """A run with its ace first."""
    return run_order(cards, "low") or cards


def _has_gin(state: State, seat: Seat) -> int:
    """1 if the seat went gin in the hand just scored, else 0."""
    return state.gin and seat == state.knocker


def _has_undercut(state: State, seat: Seat) -> int:
    """1 if the seat undercut the knocker, else 0. The winner deals, and so has a defender who deals next undercut the
    knocker."""
    return state.knocker == 1 - seat and state.dealer == seat


GAME: Game[Options, State, Action, Event] = Game(
    key="gin_rummy",
    rules=__doc__,
    ends="{hollywood?three games at once, each to {winning_score}|to {winning_score}}",
    brief=(
        "Knock with {oklahoma?no more than the first upcard|{knock_limit=0?gin only|{knock_limit} or less}}; gin "
        "{gin_bonus}, undercut {undercut_bonus}{game_bonus=0?|, game {game_bonus}}{box_bonus=0?|, each hand won "
        "{box_bonus}}."
    ),
    pitfalls=(
        "You can't discard the card you just took from the discard pile.",
        "If your opponent has no more deadwood than you when you knock, they undercut you.",
        "Aces are low only: queen, king, ace isn't a run.",
    ),
    options=Options,
    presets=PRESETS,
    actions=(Pass, Take, Draw, Discard, Knock, Gin),
    events=(DealerDrawn, Dealt, Passed, Taken, Drawn, Discarded, Knocked, Shown),
    seats=lambda _options: SEATS,
    pack=lambda _options: PACK,
    start=start,
    next_first_dealer=next_first_dealer,
    kept=("hand", "dealer", "scores", "columns"),
    deal=deal,
    legal=legal,
    verify=verify,
    decide=decide,
    show=show_all_hands,
    play=play,
    layout=layout,
    measures={"gin": _has_gin, "undercut": _has_undercut},
    says=says,
    calls=calls,
    ventures=(Knock, Gin),
    remarks=remarks,
    own=own_hand_facts,
    made=melds_of_event,
    also=("gin",),
    swap=swap_even_hands,
)
