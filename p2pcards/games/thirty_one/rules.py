"""Thirty-one: four players, no partners. The lowest hand loses a life, and the last player standing wins.

Everyone starts with {starting_points} {starting_points=1?life|lives} and is dealt three cards. The next card starts the
discard pile. Your hand is worth its highest total in one suit:
- ace: 11
- king, queen, jack or ten: 10
- any other: its number

In turn, draw from the stock or take the top discard, then discard, but not the card you just took from the pile. Or
knock instead: everyone else gets one more turn, and may stand. Then all hands are shown, and the lowest loses a life,
as does everyone who ties for lowest, even the knocker.

{blitz=any_31?A hand worth 31 is|Ace, king and ten of one suit are} a blitz. You must show it at your first chance, on
your own turn: as dealt or with your discard. Everyone else loses a life and the hand is over, even after a knock.

With no lives left you're on your honor: the next loss puts you out. If a hand would put out everyone left, they share
the win; but if the last two tie, the higher cards in their best suits decide. When the stock runs out, the discards
below the top one are turned over, unshuffled, as the new stock.
"""

# Rules: rule sheet 9, from "The Real Deal" (preset real-deal); the decisions D-31-1 to D-31-8 are named where they are
# taken.

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from p2pcards.cards.card import SUITS, Card, Suit, spell_cards
from p2pcards.cards.eyes import PUBLIC, TRUTH, Bag, Slot, eye_of_seat, make_bag, put_into_bag, take_out_of_bag
from p2pcards.cards.pack import pack_of
from p2pcards.games.changing import changed
from p2pcards.games.dealing import (
    NOT_ONE_UP,
    DealerDrawn,
    Dealt,
    after_dealer_drawn,
    draw_dealer,
    next_first_dealer,
    verify_top_card,
)
from p2pcards.games.drawing import Discard, Discarded, Draw, Drawn, Knock, Knocked, Take, Taken
from p2pcards.games.exchanging import swap_even_hands
from p2pcards.games.game import (
    Game,
    IllegalAction,
    Layout,
    Pile,
    Remark,
    Seat,
    Sheet,
    Stage,
    sheet_of_items,
    verify_turn,
    with_seat_replaced,
)
from p2pcards.games.holding import NOT_JUST_TAKEN, verify_held
from p2pcards.games.options import choice_option, number_option
from p2pcards.games.showing import Shown, hands_turned_up, shown_hands
from p2pcards.games.wording import join_with_or

SEATS = 4
EACH = 3
BEST = 31
TEN, KING, ACE = 10, 13, 14
TURNS = 200  # after so many a hand ends without score (D-GEN-10)
PACK = pack_of()


@dataclass(frozen=True, slots=True)
class Options:
    starting_points: int = number_option(  # D-31-8
        3,
        1,
        99,
        "number of lives at the start",
        "Everyone starts with a score of {starting_points}, a point for each life. With none left you're on your "
        "honor: the next loss puts you out.",
    )
    blitz: str = choice_option(
        "ace_king_ten",
        "hands that count as a blitz",
        {
            "ace_king_ten": "Ace, king and ten of one suit are a blitz. Other hands worth 31, such as ace, king "
            "and queen, aren't.",
            "any_31": "Any hand worth 31 is a blitz: the ace of a suit with two of its king, queen, jack and ten.",
        },
    )


PRESETS = {"usual": Options(blitz="any_31"), "real-deal": Options()}


# --- actions and events -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stand:
    """Nothing is drawn in the turn after a knock."""


@dataclass(frozen=True, slots=True)
class Blitz:
    """The hand is a blitz."""

    card: Card | None = None  # the discard, if a card has been drawn


@dataclass(frozen=True, slots=True)
class Stood:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Blitzed:
    seat: Seat
    laid: tuple[Slot, ...]  # the discard, if any


Action = Draw | Take | Discard | Knock | Stand | Blitz
Event = DealerDrawn | Dealt | Drawn | Taken | Discarded | Knocked | Stood | Blitzed | Shown


@dataclass(frozen=True)
class State:
    options: Options
    scores: tuple[int, ...]  # lives left; 0 on their honor, -1 out of the game
    eyes: int = TRUTH
    stage: Stage = Stage.DEAL
    to_act: tuple[Seat, ...] = ()
    hand: int = 0
    dealer: Seat | None = None
    first_dealer: Seat | None = None
    hands: tuple[Bag, ...] = tuple(Bag(seat) for seat in range(SEATS))
    stock: tuple[Slot, ...] = ()  # the top card first
    discards: tuple[Slot, ...] = ()  # the top card last
    drawn: bool = False  # the seat to act has drawn
    taken: Card | None = None  # the discard that it took
    turns: int = 0  # finished in this hand
    knocker: Seat | None = None
    blitz: Seat | None = None  # the seat that has shown one
    sheet: Sheet | None = None
    winners: tuple[Seat, ...] = ()


# --- the game ---------------------------------------------------------------------------------------------------------


def start(options: Options, first_dealer: Seat | None) -> State:
    return State(options, (options.starting_points,) * SEATS, dealer=first_dealer, first_dealer=first_dealer)


def deal(state: State, pack: tuple[Card, ...], draw: tuple[Card, ...]) -> DealerDrawn | Dealt:
    if state.dealer is None:
        return draw_dealer(draw)
    order = _order_of_turns(state, state.dealer)
    dealt = EACH * len(order)
    seen = [eye_of_seat(order[i % len(order)]) for i in range(dealt)] + [PUBLIC] + [0] * (len(pack) - dealt - 1)
    return Dealt(tuple([Slot(card, eyes) for card, eyes in zip(pack, seen, strict=True)]))


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    if seat not in state.to_act:
        return ()
    if blitzes := _blitzes(state, seat):  # D-31-3: it must be shown
        return blitzes
    if state.drawn:
        return tuple([Discard(card) for card in state.hands[seat].cards if card != state.taken])
    return Draw(), Take(), (Knock() if state.knocker is None else Stand())  # D-31-2: also in the first turn


def verify(state: State, seat: Seat, action: Action) -> None:
    verify_turn(state, seat)
    if isinstance(action, Discard | Blitz) and action.card is not None:
        if not state.drawn:
            raise IllegalAction(_what_now_text(state))
        verify_held(state.hands[seat], action.card)
        if action.card == state.taken:  # D-31-1
            raise IllegalAction(NOT_JUST_TAKEN)
    if isinstance(action, Blitz):
        _verify_blitz(state, seat, action)
        return
    if _blitzes(state, seat):
        raise IllegalAction("you must show your blitz: type blitz")
    if state.drawn != isinstance(action, Discard):
        raise IllegalAction(_what_now_text(state))
    if isinstance(action, Knock) and state.knocker is not None:
        raise IllegalAction("someone already knocked: draw, take or stand")
    if isinstance(action, Stand) and state.knocker is None:
        raise IllegalAction("you can stand only after a knock: draw, take or knock")


def _verify_blitz(state: State, seat: Seat, action: Blitz) -> None:
    if state.drawn and action.card is None:
        raise IllegalAction("name the card you discard with the blitz")
    held = state.hands[seat]
    if len(held.cards) == len(held) and action not in _blitzes(state, seat):
        raise IllegalAction(f"that's not a blitz: you need {BLITZES[state.options.blitz]}")


def decide(state: State, seat: Seat, action: Action) -> Event:
    match action:
        case Draw():
            top = (state.stock or state.discards)[0]  # D-31-7: of the discards turned over, the oldest
            return Drawn(seat, Slot(top.card, top.eyes & PUBLIC or eye_of_seat(seat)))
        case Take():
            return Taken(seat)
        case Discard(card=card):
            return Discarded(seat, Slot(card, PUBLIC))
        case Knock():
            return Knocked(seat)
        case Stand():
            return Stood(seat)
        case Blitz(card=laid):
            return Blitzed(seat, () if laid is None else (Slot(laid, PUBLIC),))


def show(state: State) -> Shown:
    """The event that turns up what the rules show now."""
    return Shown(shown_hands([state.hands[seat] for seat in _seats_showing(state)]))


def play(state: State, event: Event) -> State:
    match event:
        case DealerDrawn():
            return after_dealer_drawn(state, event, PACK)
        case Dealt(pack=slots):
            return _start_hand(state, slots)
        case Drawn(seat=seat, card=slot):
            return _after_drawn(state, seat, slot)
        case Taken(seat=seat):
            *rest, top = state.discards
            return changed(_after_draw_event(state, seat, top), discards=tuple(rest), taken=top.card)
        case Discarded(seat=seat, card=slot):
            return _next_turn(_after_discard(state, seat, slot), seat)
        case Knocked(seat=seat):
            return _next_turn(changed(state, knocker=seat), seat)
        case Stood(seat=seat):
            return _next_turn(state, seat)
        case Blitzed(seat=seat, laid=laid):
            for slot in laid:
                state = _after_discard(state, seat, slot)
            return changed(state, stage=Stage.SHOW, to_act=(), blitz=seat)
        case Shown(hands=hands):
            return _score_hand(_after_showdown(state, hands))


def layout(state: State) -> Layout:
    shown = [held for held in state.hands if held.slots and all(slot.eyes & PUBLIC for slot in held.slots)]
    if state.sheet is None:
        shown = []
    piles = [Pile("hand", held.slots, held.owner, spread=True) for held in shown]
    last_turn = state.stage == Stage.PLAY and state.knocker is not None
    return Layout(
        piles=(Pile("stock", state.stock), Pile("discard pile", state.discards), *piles),
        notes=("the last turn",) if last_turn else (),
        seats=tuple([_seat_facts(state, state.hands[seat] in shown, seat) for seat in range(SEATS)])
        if state.hand
        else (),
    )


def _seat_facts(state: State, shown: bool, seat: Seat) -> str:
    """Words for a seat: its lives, and its hand where shown."""
    facts = ["on honor"] if state.scores[seat] == 0 else ["out"] if state.scores[seat] < 0 else []
    if seat == state.knocker:
        facts.append("knocked")
    if shown:
        facts.append(_worth_text(state.hands[seat].cards))
    return ", ".join(facts)


def says(state: State, seat: Seat, action: Action) -> str:  # noqa: ARG001 - as in every game
    match action:
        case Draw():
            top = (state.stock or state.discards)[0]
            return f"draw {f'{top.card} ' if top.eyes & PUBLIC else ''}from the stock"
        case Take():
            return f"take {state.discards[-1].card} from the discard pile"
        case Discard():
            return ""
        case Knock():
            return "knock"
        case Stand():
            return "stand"
        case Blitz(card=laid):
            return f"show a blitz, discarding {laid}" if laid else "show a blitz"


def remarks(before: State, event: Event, after: State) -> tuple[Remark, ...]:
    """The first discard; what a knock means; the hands that are shown and what they are worth; who loses what."""
    match event:
        case Dealt():
            return (Remark(None, f"the first discard is {after.discards[-1].card}"),)
        case Drawn() if not before.stock:
            return (Remark(None, "the discards are turned over as the new stock"),)
        case Knocked():
            return (Remark(None, "everyone else has one last turn"),)
        case Shown():
            return (*_showdown_remarks(before, after), *_loss_remarks(before, after), *_win_remarks(after))
        case _ if after.stage == Stage.DEAL and after.sheet:
            return (Remark(None, f"{TURNS} turns have been played: nobody loses"),)
        case _:
            return ()


def own_hand_facts(state: State, seat: Seat) -> tuple[str, ...]:
    """For the player alone: what the hand is worth; after a draw, with the best discard."""
    held = state.hands[seat].cards
    if state.stage != Stage.PLAY or not held:
        return ()
    if len(held) == EACH:
        return (_worth_text(held),)
    ways = {card: tuple([other for other in held if other != card]) for card in held if card != state.taken}
    best = max(map(hand_value, ways.values()))
    discards = [card for card, rest in ways.items() if hand_value(rest) == best]
    return (f"{_worth_text(*[ways[card] for card in discards])} if you discard {join_with_or(discards)}",)


# --- what a hand is worth ---------------------------------------------------------------------------------------------


def card_value(card: Card) -> int:
    """11 for an ace, 10 for a king, queen, jack or ten, otherwise the pips."""
    return 11 if card.rank == ACE else min(card.rank, 10)


def hand_value(cards: Iterable[Card]) -> int:
    """The best sum of a hand in one suit, in points; 0 for no cards. Three of a kind have no value of their own."""
    held = tuple(cards)
    return max([suit_value(held, suit) for suit in SUITS])


def suit_value(cards: Iterable[Card], suit: Suit) -> int:
    """The sum of the cards of one suit, in points."""
    return sum([card_value(card) for card in cards if card.suit == suit])


def counting_ranks(cards: Sequence[Card]) -> tuple[int, ...]:
    """The ranks (2..14) that make up the value of a hand, highest first; of several suits of that value the best ones.
    Hands of one value compare by them."""
    suits = [[card for card in cards if card.suit == suit] for suit in SUITS]
    value = hand_value(cards)
    ways = [sorted([card.rank for card in held], reverse=True) for held in suits if hand_value(held) == value]
    return tuple(max(ways))


def is_blitz(options: Options, cards: Sequence[Card]) -> bool:
    """Return whether three cards are a blitz under these options."""
    if len(cards) != EACH or hand_value(cards) != BEST:
        return False
    return options.blitz == "any_31" or {card.rank for card in cards} == {ACE, KING, TEN}


# --- private ----------------------------------------------------------------------------------------------------------

BLITZES = {"ace_king_ten": "ace, king and ten of one suit", "any_31": "a hand worth 31"}
LOST = {
    "another player's blitz": " to the blitz",
    "lower counting cards": " with the lower cards",
    "lowest hand": " with the lowest hand",
}


def _worth_text(*hands: Sequence[Card]) -> str:
    """``worth 21 in hearts`` for hands of one value."""
    value = hand_value(hands[0])
    suits = [suit for suit in SUITS if any(suit_value(cards, suit) == value for cards in hands)]
    return f"worth {value} in {join_with_or([suit.name.lower() for suit in suits])}"


def _showdown_remarks(before: State, after: State) -> list[Remark]:
    hands = [after.hands[seat] for seat in _seats_showing(before)]
    return [Remark(held.owner, f"show {spell_cards(held.cards)}, {_worth_text(held.cards)}") for held in hands]


def _loss_remarks(before: State, after: State) -> list[Remark]:
    assert after.sheet
    told = []
    for seat, items in enumerate(after.sheet.items):
        for what, _ in items:
            left = after.scores[seat]
            loses = f"lose a life{LOST[what]}, {left} left" if left else f"lose the last life{LOST[what]}: on honor now"
            told.append(Remark(seat, loses if before.scores[seat] else f"are out{LOST[what]}"))
    return told


def _win_remarks(after: State) -> list[Remark]:
    """Remarks said aloud of the win, and why nobody is left alone."""
    if len(after.winners) < 2:
        return []
    why = "their best suits match card for card" if _seats_in(after.scores) else "nobody would be left"
    return [Remark(None, f"{why}: {'both' if len(after.winners) == 2 else 'all'} win")]


def _seats_in(scores: Sequence[int]) -> list[Seat]:
    """The seats that are still in, by their scores."""
    return [seat for seat, points in enumerate(scores) if points >= 0]


def _order_of_turns(state: State, seat: Seat) -> list[Seat]:
    """The seats still in, from the one at the left of this seat, which comes last if it is in itself."""
    return [(seat + i) % SEATS for i in range(1, SEATS + 1) if state.scores[(seat + i) % SEATS] >= 0]


def _what_now_text(state: State) -> str:
    """The rule on what a seat may do now, as text."""
    if state.drawn:
        return "you have one card too many: discard one"
    return f"first draw from the stock or take the top discard, or {'knock' if state.knocker is None else 'stand'}"


def _blitzes(state: State, seat: Seat) -> tuple[Blitz, ...]:
    """The ways in which a hand, as far as it is known, is a blitz."""
    held = state.hands[seat].cards
    if not state.drawn:
        return (Blitz(),) if is_blitz(state.options, held) else ()
    free = [card for card in held if card != state.taken]
    return tuple([Blitz(card) for card in free if is_blitz(state.options, [other for other in held if other != card])])


def _start_hand(state: State, slots: tuple[Slot, ...]) -> State:
    assert state.dealer is not None
    order = _order_of_turns(state, state.dealer)
    dealt = EACH * len(order)
    if [place for place, slot in enumerate(slots) if slot.eyes & PUBLIC] != [dealt] or not slots[dealt].card:
        raise ValueError(NOT_ONE_UP)
    held = {seat: slots[place : dealt : len(order)] for place, seat in enumerate(order)}
    return changed(
        state,
        stage=Stage.PLAY,
        to_act=(order[0],),
        hand=state.hand + 1,
        hands=tuple([make_bag(seat, held.get(seat, ())) for seat in range(SEATS)]),
        stock=slots[dealt + 1 :],
        discards=(slots[dealt],),
        drawn=False,
        taken=None,
        turns=0,
        knocker=None,
        blitz=None,
        sheet=None,
    )


def _after_draw_event(state: State, seat: Seat, slot: Slot) -> State:
    hands = with_seat_replaced(state.hands, seat, put_into_bag(state.hands[seat], (slot,)))
    return changed(state, hands=hands, drawn=True, taken=None)


def _after_drawn(state: State, seat: Seat, slot: Slot) -> State:
    if not state.stock:  # D-31-7
        *older, top = state.discards
        state = changed(state, stock=tuple(older), discards=(top,))
    first, *rest = state.stock
    verify_top_card(first, slot.card)
    return changed(_after_draw_event(state, seat, slot), stock=tuple(rest))


def _after_discard(state: State, seat: Seat, slot: Slot) -> State:
    hands = with_seat_replaced(state.hands, seat, take_out_of_bag(state.hands[seat], (slot,)))
    return changed(state, hands=hands, discards=(*state.discards, slot), drawn=False, taken=None)


def _next_turn(state: State, seat: Seat) -> State:
    """The turn of the next seat still in; or the showdown, when it is the knocker's; or no score, when the hand has
    lasted too long. The same dealer deals again then."""
    after, turns = _order_of_turns(state, seat)[0], state.turns + 1
    state = changed(state, turns=turns)
    if after == state.knocker:
        return changed(state, stage=Stage.SHOW, to_act=())
    if turns == TURNS:
        return changed(state, stage=Stage.DEAL, to_act=(), sheet=sheet_of_items(((),) * SEATS, state.scores))
    return changed(state, to_act=(after,))


def _seats_showing(state: State) -> list[Seat]:
    """Whose hands are shown when a hand has ended."""
    return _seats_in(state.scores) if state.blitz is None else [state.blitz]


def _after_showdown(state: State, hands: tuple[tuple[Slot, ...], ...]) -> State:
    seats = _seats_showing(state)
    held = state.hands
    for shown in hands_turned_up([held[seat] for seat in seats], hands):
        held = with_seat_replaced(held, shown.owner, shown)
    if state.blitz is not None and not is_blitz(state.options, held[state.blitz].cards):
        raise ValueError("the hand shown is not a blitz")
    return changed(state, hands=held)


def _score_hand(state: State) -> State:
    dealer = state.dealer
    assert dealer is not None
    lost = _losers(state)
    items = tuple([((lost[seat], -1),) if seat in lost else () for seat in range(SEATS)])
    sheet = sheet_of_items(items, state.scores)
    before, left = _seats_in(state.scores), _seats_in(sheet.totals)
    draw = not lost or not left  # D-31-6: so it is too if everybody would be out
    winners = before if draw else left if len(left) == 1 else []
    state = changed(state, scores=sheet.totals, sheet=sheet, winners=tuple(winners))
    if winners:
        return changed(state, stage=Stage.OVER)
    return changed(state, stage=Stage.DEAL, dealer=_order_of_turns(state, dealer)[0])


def _losers(state: State) -> dict[Seat, str]:
    """The seats that lose a point, and for what; nobody when the last two tie in every card."""
    left = _seats_in(state.scores)
    if state.blitz is not None:
        return {seat: "another player's blitz" for seat in left if seat != state.blitz}
    values = {seat: hand_value(state.hands[seat].cards) for seat in left}
    lowest = [seat for seat in left if values[seat] == min(values.values())]  # D-31-4: the knocker like all
    if len(left) == len(lowest) == 2 and 0 in (state.scores[left[0]], state.scores[left[1]]):  # otherwise D-31-5
        ranks = {seat: counting_ranks(state.hands[seat].cards) for seat in left}
        lowest = [seat for seat in left if ranks[seat] < max(ranks.values())]
        return dict.fromkeys(lowest, "lower counting cards")
    return dict.fromkeys(lowest, "lowest hand")


GAME: Game[Options, State, Action, Event] = Game(
    key="thirty_one",
    rules=__doc__,
    ends="last player standing; {starting_points} {starting_points=1?life|lives}",
    brief="{blitz=any_31?Any 31 is|Ace, king and ten of a suit are} a blitz.",
    pitfalls=(
        "Only one suit counts: three aces are worth just 11.",
        "Everyone who ties for lowest loses a life, even the knocker.",
        "With no lives left you play on, until the next loss.",
    ),
    options=Options,
    presets=PRESETS,
    actions=(Draw, Take, Discard, Knock, Stand, Blitz),
    events=(DealerDrawn, Dealt, Drawn, Taken, Discarded, Knocked, Stood, Blitzed, Shown),
    seats=lambda _options: SEATS,
    pack=lambda _options: PACK,
    start=start,
    next_first_dealer=next_first_dealer,
    deal=deal,
    legal=legal,
    verify=verify,
    decide=decide,
    show=show,
    play=play,
    layout=layout,
    measures={"lost": lambda state, seat: state.sheet is not None and state.sheet.hand[seat] < 0},
    says=says,
    ventures=(Knock, Blitz),
    remarks=remarks,
    own=own_hand_facts,
    also=("31",),
    swap=swap_even_hands,
)
