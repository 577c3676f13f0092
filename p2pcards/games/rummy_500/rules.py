"""Rummy 500: two to four players, no partners. Lay down melds to score. First to {winning_score} wins.

{players=2?Two play, with thirteen cards each|{players=3?Three|Four} play, with seven cards each}. The next card starts
the discard pile, which is spread for all to see.

Each turn, draw from the stock, or take a discard with all the cards above it. You must meld or lay off that discard
right away{free_top_discard?, unless it's the top one|}.

Then lay down any melds: three or four of a rank, or runs of three or more in one suit, with aces {aces=both?high or
low|{aces}}. You may also lay off cards on any meld on the table, for your score: `lay 5S 2S` puts the five on the meld
that starts with the two. End your turn with a discard.

The hand ends when someone has no cards left{discard_to_go_out?, and the last one must be a discard|, with or without a
discard}. It also ends with the turn in which the stock runs out.

Cards you laid down count for you, cards left in your hand against you:
- face card or ten: 10
- ace: {aces=low?1|15{aces=both?, but 1 in A-2-3}}
- any other: its number

If more than one player reaches {winning_score}, the highest score wins; after a tie, play another hand.
"""

# Rules: rule sheet 15, from the maker's page and the usual rules (D-R5-1); every default is a choice of ours (D-R5-4);
# the decisions D-R5-2 and D-R5-3 are named where they are taken.

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from p2pcards.cards.card import Card, spell_cards
from p2pcards.cards.eyes import PUBLIC, Bag, Slot, eye_of_seat, put_into_bag, take_out_of_bag
from p2pcards.cards.pack import pack_of
from p2pcards.games.changing import changed
from p2pcards.games.dealing import (
    NOT_ONE_UP,
    DealerDrawn,
    Dealt,
    after_dealer_drawn,
    dealt_hands,
    dealt_with_upcard,
    draw_dealer,
    next_first_dealer,
)
from p2pcards.games.drawing import Discard, Discarded, Draw, Drawn, Meld, Melded, StockState
from p2pcards.games.game import (
    Game,
    IllegalAction,
    Items,
    Layout,
    Made,
    Pile,
    Remark,
    Seat,
    Sheet,
    Stage,
    end_hand,
    sheet_of_items,
    sum_of_items,
    verify_turn,
    with_seat_replaced,
)
from p2pcards.games.holding import ASCENDING, verify_held
from p2pcards.games.melds import ACE, is_set, run_order, runs_in, sets_in
from p2pcards.games.options import HIGHEST_WINS, PLAYERS, WINS, choice_option, flag_option, number_option
from p2pcards.games.partners import ALONE, race_winners
from p2pcards.games.showing import Shown, hands_turned_up, show_all_hands
from p2pcards.games.spreads import Spread, end_joined, laid_off_where, lay_down_meld, lay_off_on

LAST_DISCARDED = "your last card must be a discard"
PACK = pack_of()
TURNS = 200  # after so many a hand ends without score (D-GEN-10)


@dataclass(frozen=True, slots=True)
class Options:
    winning_score: int = number_option(
        500,
        100,
        10_000,
        WINS,
        HIGHEST_WINS,
    )
    aces: str = choice_option(
        "both",
        "aces in runs: low (A-2-3), high (Q-K-A) or both",
        {
            "low": "In a run an ace goes only below the two. It counts 1 everywhere, in sets and in a hand too.",
            "high": "In a run an ace goes only above the king. It counts 15 everywhere.",
            "both": "In a run an ace goes below the two or above the king, never between them. It counts 1 at the low "
            "end of a run, and 15 everywhere else.",
        },
    )
    discard_to_go_out: bool = flag_option(
        False,
        "a required discard to go out",
        on="A player with no cards left ends the hand, but the last card must be a discard: you can't meld or lay off "
        "everything you hold, or take a card from the discard pile that would leave you nothing to discard.",
        off="A player with no cards left ends the hand, whether by discarding, melding or laying off the last one.",
    )
    free_top_discard: bool = flag_option(  # D-R5-2
        True,
        "taking the top discard without having to meld it",
        on="You may take just the top discard without melding it or laying it off right away. A card further down "
        "must be melded or laid off.",
        off="Even the top discard must be melded or laid off right away.",
    )
    players: int = number_option(
        2,
        2,
        4,
        PLAYERS,
        "There are {players} players. Two get thirteen cards each, three or four get seven.",
    )


PRESETS = {"usual": Options(), "meggiesoft": Options()}


# --- actions and events -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Take:
    """A card of the discard pile, with all those above it."""

    card: Card


@dataclass(frozen=True, slots=True)
class Lay:
    """A card laid off."""

    card: Card
    on: Card  # the first card of the meld that takes it


@dataclass(frozen=True, slots=True)
class Taken:
    seat: Seat
    card: Slot  # the one that was named


@dataclass(frozen=True, slots=True)
class Laid:
    seat: Seat
    card: Slot
    on: Card  # the first card of the meld


Action = Draw | Take | Meld | Lay | Discard
Event = DealerDrawn | Dealt | Drawn | Taken | Melded | Laid | Discarded | Shown


class Phase(IntEnum):
    DRAW = 0
    MELD = 1


@dataclass(frozen=True)
class State(StockState):
    options: Options
    spreads: tuple[Spread, ...] = ()
    phase: Phase = Phase.DRAW
    owed: Card | None = None  # the discard that must be melded or laid off now
    turns: int = 0  # finished in this hand
    sheet: Sheet | None = None
    winners: tuple[Seat, ...] = ()


# --- the game ---------------------------------------------------------------------------------------------------------


def deal(state: State, pack: tuple[Card, ...], draw: tuple[Card, ...]) -> DealerDrawn | Dealt:
    if state.dealer is None:
        return draw_dealer(draw)
    players = state.options.players
    return dealt_with_upcard(pack, players, state.dealer, _number_dealt(state.options) // players)


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    if seat not in state.to_act:
        return ()
    held = state.hands[seat].cards
    if state.phase == Phase.DRAW:
        piled = [slot.card for slot in state.discards]
        return (Draw(), *[Take(card) for place, card in enumerate(piled) if _may_take(state, held, place)])
    uses = tuple(ways_to_lay_down(state, held, state.owed))
    return uses if state.owed else (*uses, *[Discard(card) for card in held])


def ways_to_lay_down(state: State, held: Sequence[Card], card: Card | None = None) -> Iterator[Meld | Lay]:
    """Every way to meld or lay off from these cards; card: only those that use this one."""
    keeps = state.options.discard_to_go_out
    pool = [other for other in held if card is None or other.suit == card.suit or other.rank == card.rank]
    for melds in (sets_in(pool), runs_in(pool, state.options.aces)):
        for meld in melds:
            if (card is None or card in meld) and len(meld) + keeps <= len(held):
                yield Meld(meld)
    if len(held) > keeps:
        for other in (card,) if card else held:
            yield from [
                Lay(other, spread.first) for spread in state.spreads if end_joined(spread, other, state.options.aces)
            ]


def verify(state: State, seat: Seat, action: Action) -> None:
    verify_turn(state, seat)
    if isinstance(action, Draw | Take) != (state.phase == Phase.DRAW):
        raise IllegalAction("first draw, or take from the discard pile" if state.phase == Phase.DRAW else AFTER_DRAWING)
    held = state.hands[seat]
    match action:
        case Take(card=card):
            _verify_take(state, held, card)
        case Meld(cards=named):
            _verify_meld(state, held, named)
        case Lay(card=card, on=on):
            _verify_lay(state, held, card, on)
        case Discard(card=card):
            verify_held(held, card)
            if state.owed:
                raise IllegalAction(_owed_rule_text(state))


def _verify_take(state: State, held: Bag, card: Card) -> None:
    piled = [slot.card for slot in state.discards]
    if card not in piled:
        raise IllegalAction(f"{card} isn't in the discard pile")
    if len(held.cards) == len(held) and not _may_take(state, held.cards, piled.index(card)):
        last = ", with a card left to discard" if state.options.discard_to_go_out else ""
        raise IllegalAction(f"you can't take {card}, since you can't meld it or lay it off right away{last}")


def _verify_meld(state: State, held: Bag, named: tuple[Card, ...]) -> None:
    for card in named:
        verify_held(held, card)
    if not is_set(named) and not run_order(named, state.options.aces):
        raise IllegalAction(
            f"a meld is three or four of a rank, or a run of three or more with {ACES[state.options.aces]}"
        )
    if list(named) != sorted(named):
        raise IllegalAction(ASCENDING)
    if state.owed and state.owed not in named:
        raise IllegalAction(_owed_rule_text(state))
    _must_keep_one(state, held, len(named))


def _verify_lay(state: State, held: Bag, card: Card, on: Card) -> None:
    verify_held(held, card)
    if state.owed and card != state.owed:
        raise IllegalAction(_owed_rule_text(state))
    spread = next((spread for spread in state.spreads if any(slot.card == on for slot in spread.slots)), None)
    if spread is None:
        raise IllegalAction(f"{on} isn't in any meld on the table")
    if not end_joined(spread, card, state.options.aces):
        raise IllegalAction(f"{card} doesn't fit the meld with {on}")
    if on != spread.first:
        raise IllegalAction(f"name the meld by its first card: lay {card} {spread.first}")
    _must_keep_one(state, held, 1)


def _must_keep_one(state: State, held: Bag, gone: int) -> None:
    """Raise IllegalAction if so many cards gone would leave none to discard where the last must be discarded."""
    if state.options.discard_to_go_out and gone >= len(held):
        raise IllegalAction(LAST_DISCARDED)


def decide(state: State, seat: Seat, action: Action) -> Event:
    match action:
        case Draw():
            return Drawn(seat, Slot(state.stock[0].card, eye_of_seat(seat)))
        case Take(card=card):
            return Taken(seat, Slot(card, PUBLIC))
        case Meld(cards=named):
            return Melded(seat, tuple([Slot(card, PUBLIC) for card in named]))
        case Lay(card=card, on=on):
            return Laid(seat, Slot(card, PUBLIC), on)
        case Discard(card=card):
            return Discarded(seat, Slot(card, PUBLIC))


def play(state: State, event: Event) -> State:
    match event:
        case DealerDrawn():
            return after_dealer_drawn(state, event, PACK)
        case Dealt(pack=slots):
            return _start_hand(state, slots)
        case Drawn(seat=seat, card=slot):
            if not state.stock:
                raise ValueError("the stock is empty")
            hands = with_seat_replaced(state.hands, seat, put_into_bag(state.hands[seat], (slot,)))
            return changed(state, hands=hands, stock=state.stock[1:], phase=Phase.MELD)
        case Taken(seat=seat, card=slot):
            return _after_take(state, seat, slot)
        case Melded(seat=seat, cards=slots):
            spread = lay_down_meld(seat, [slot.card for slot in slots], state.options.aces)
            return _after_laying_down(state, seat, slots, (*state.spreads, spread))
        case Laid(seat=seat, card=slot, on=on):
            place = next(i for i, spread in enumerate(state.spreads) if spread.first == on)
            longer = lay_off_on(state.spreads[place], seat, slot, state.options.aces)
            return _after_laying_down(state, seat, (slot,), with_seat_replaced(state.spreads, place, longer))
        case Discarded(seat=seat, card=slot):
            return _after_discard(state, seat, slot)
        case Shown(hands=shown):
            return _score_hand(changed(state, hands=hands_turned_up(state.hands, shown)))


def layout(state: State) -> Layout:
    notes = [f"{state.owed} must be melded or laid off now"] if state.owed else []
    melds = [Pile("meld", spread.slots, spread.maker, spread=True, kind="melds") for spread in state.spreads]
    piles = (Pile("stock", state.stock), Pile("discard pile", state.discards, spread=True), *melds)
    seats = tuple([_laid_down_text(state, seat) for seat in range(len(state.hands))]) if state.hand else ()
    return Layout(piles=piles, notes=tuple(notes), seats=seats, counted=bool(state.hand))


def says(state: State, seat: Seat, action: Action) -> str:
    match action:
        case Draw():
            return "draw from the stock"
        case Take(card=card):
            place = [slot.card for slot in state.discards].index(card)
            taken = [slot.card for slot in state.discards[place:]]
            bound = f", and must meld or lay off {card}" * (not _is_free_to_take(state, place))
            return f"take {spell_cards(taken)} from the discard pile{bound}"
        case Meld(cards=named):
            spread = lay_down_meld(seat, named, state.options.aces)
            points = sum([points for _, points in _counted_cards(state.options, spread)])
            return f"meld {spell_cards([slot.card for slot in spread.slots])} for {points}"
        case Lay(card=card, on=on):
            return _lay_off_words(state, seat, card, on)
        case Discard():
            return ""


def remarks(_before: State, event: Event, after: State) -> tuple[Remark, ...]:
    """The first discard, the last card of the stock, who goes out, and what everybody has left in hand."""
    match event:
        case Dealt():
            return (Remark(None, f"the first discard is {after.discards[-1].card}"),)
        case Drawn() if not after.stock:
            return (Remark(None, "the stock is empty now: the hand ends with this turn"),)
        case Melded(seat=seat) | Laid(seat=seat) | Discarded(seat=seat) if not len(after.hands[seat]):
            return (Remark(seat, "go out"),)
        case Discarded() if after.sheet:
            return (Remark(None, f"{TURNS} turns have been played: nobody scores"),)
        case Shown():
            left = [held for held in after.hands if len(held)]
            counts = {held.owner: _hand_points(after.options, held.cards) for held in left}
            return tuple(
                [
                    Remark(held.owner, f"lose {counts[held.owner]} for {spell_cards(held.cards)} left in hand")
                    for held in left
                ]
            )
        case _:
            return ()


def melds_of_event(before: State, event: Event, after: State) -> tuple[Made, ...]:
    """A meld that is laid down, and a card that is laid off."""
    match event:
        case Melded(seat=seat, cards=slots):
            spread = lay_down_meld(seat, [slot.card for slot in slots], after.options.aces)
            points = sum([points for _, points in _counted_cards(after.options, spread)])
            return (Made(seat, "run" if spread.run else "set", points, tuple([slot.card for slot in spread.slots])),)
        case Laid(seat=seat, card=slot, on=on):
            aces = after.options.aces
            spread = next(each for each in before.spreads if each.first == on)
            longer = lay_off_on(spread, seat, slot, aces)
            points = next(points for each, points in _counted_cards(after.options, longer) if each.card == slot.card)
            return (Made(seat, f"laid off {laid_off_where(spread, slot.card, aces)}", points, (slot.card,)),)
        case _:
            return ()


def own_hand_facts(state: State, seat: Seat) -> tuple[str, ...]:
    """For the player alone: what the hand counts against its holder, the melds in it (a card may be in several), and
    what goes on melds on the table."""
    held, aces = state.hands[seat].cards, state.options.aces
    if state.stage != Stage.PLAY:
        return ()
    melds = [set(meld) for meld in (*sets_in(held), *runs_in(held, aces))]
    whole = [lay_down_meld(seat, sorted(meld), aces) for meld in melds if not any(meld < other for other in melds)]
    goes = [card for card in held if any(end_joined(spread, card, aces) for spread in state.spreads)]
    return (
        f"{_hand_points(state.options, held)} points in hand against you",
        *[f"melds {', '.join([spell_cards([slot.card for slot in spread.slots]) for spread in whole])}"] * bool(whole),
        *[f"can be laid off: {spell_cards(goes)}"] * bool(goes),
    )


# --- private ----------------------------------------------------------------------------------------------------------

AFTER_DRAWING = "you have drawn: meld, lay off or discard"
ACES = {"low": "the ace low", "high": "the ace high", "both": "the ace low or high"}


def _owed_rule_text(state: State) -> str:
    """The rule that a card taken from the pile must be laid down at once, as text."""
    return f"{state.owed} must be melded or laid off now"


def _number_dealt(options: Options) -> int:
    """How many cards all the hands have."""
    return options.players * (13 if options.players == 2 else 7)


def _may_take(state: State, held: Sequence[Card], place: int) -> bool:
    """Return whether the card at this place of the discard pile may be taken into this hand."""
    taken = [slot.card for slot in state.discards[place:]]
    return _is_free_to_take(state, place) or any(ways_to_lay_down(state, [*held, *taken], taken[0]))


def _is_free_to_take(state: State, place: int) -> bool:
    """Return whether the card at this place of the discard pile may be taken without being melded at once."""
    return place == len(state.discards) - 1 and state.options.free_top_discard


def _lay_off_words(state: State, seat: Seat, card: Card, on: Card) -> str:
    aces = state.options.aces
    spread = next(spread for spread in state.spreads if spread.first == on)
    longer = lay_off_on(spread, seat, Slot(card, PUBLIC), aces)
    points = next(points for slot, points in _counted_cards(state.options, longer) if slot.card == card)
    return f"lay off {card} {laid_off_where(spread, card, aces)} for {points}"


def _start_hand(state: State, slots: tuple[Slot, ...]) -> State:
    assert state.dealer is not None
    options, place = state.options, _number_dealt(state.options)
    if not slots[place].card or [slot.eyes & PUBLIC for slot in slots].count(PUBLIC) != 1:
        raise ValueError(NOT_ONE_UP)
    return changed(
        state,
        stage=Stage.PLAY,
        to_act=((state.dealer + 1) % options.players,),
        hand=state.hand + 1,
        hands=dealt_hands(slots, options.players, state.dealer, place // options.players),
        stock=slots[place + 1 :],
        discards=(slots[place],),
        spreads=(),
        phase=Phase.DRAW,
        owed=None,
        turns=0,
        sheet=None,
    )


def _after_take(state: State, seat: Seat, slot: Slot) -> State:
    """The state after a seat took discards from a card of the pile upward."""
    place = [other.card for other in state.discards].index(slot.card)
    taken = state.discards[place:]
    return changed(
        state,
        hands=with_seat_replaced(state.hands, seat, put_into_bag(state.hands[seat], taken)),
        discards=state.discards[:place],
        phase=Phase.MELD,
        owed=None if _is_free_to_take(state, place) else slot.card,
    )


def _after_laying_down(state: State, seat: Seat, slots: Iterable[Slot], spreads: tuple[Spread, ...]) -> State:
    """The state after cards were laid down; the turn goes on, unless no card is left."""
    rest = take_out_of_bag(state.hands[seat], slots)
    state = changed(state, hands=with_seat_replaced(state.hands, seat, rest), spreads=spreads, owed=None)
    return state if len(rest) else changed(state, stage=Stage.SHOW, to_act=())


def _after_discard(state: State, seat: Seat, slot: Slot) -> State:
    """The state after a discard, with the next turn or the end of the hand."""
    rest = take_out_of_bag(state.hands[seat], (slot,))
    turns = state.turns + 1
    state = changed(
        state,
        hands=with_seat_replaced(state.hands, seat, rest),
        discards=(*state.discards, slot),
        phase=Phase.DRAW,
        turns=turns,
        to_act=(),
    )
    if not len(rest) or not state.stock:  # D-R5-3
        return changed(state, stage=Stage.SHOW)
    if turns == TURNS:  # without score, and the same dealer deals again (D-GEN-10)
        return changed(state, stage=Stage.DEAL, sheet=sheet_of_items(((),) * len(state.hands), state.scores))
    return changed(state, to_act=((seat + 1) % state.options.players,))


# --- the score --------------------------------------------------------------------------------------------------------


def card_points(options: Options, card: Card, low: bool = False) -> int:
    """What a card counts; low: as the ace of A-2-3."""
    if card.rank == ACE:
        return 1 if low or options.aces == "low" else 15
    return min(card.rank, 10)


def score_items(options: Options, spreads: Sequence[Spread], hands: Sequence[Sequence[Card]]) -> tuple[Items, ...]:
    """Score items of each seat: what it scores for the melds on the table and the hands left, item by item. A card laid
    off on a meld of one's own counts among the melds."""
    scored = []
    for seat, held in enumerate(hands):
        melds, laid_off = _laid_points(options, spreads, seat)
        items = (("melds", melds), ("laid off", laid_off), ("left in hand", -_hand_points(options, held)))
        scored.append(tuple([item for item in items if item[1]]))
    return tuple(scored)


def _laid_points(options: Options, spreads: Sequence[Spread], seat: Seat) -> tuple[int, int]:
    """What the cards count that a seat has laid down: on melds of its own, and on those of others."""
    own = other = 0
    for spread in spreads:
        points = sum(
            [
                value
                for (_, value), owner in zip(_counted_cards(options, spread), spread.seats, strict=True)
                if owner == seat
            ]
        )
        own, other = (own + points, other) if spread.maker == seat else (own, other + points)
    return own, other


def _counted_cards(options: Options, spread: Spread) -> list[tuple[Slot, int]]:
    """The cards of a meld, each with what it counts there."""
    return [
        (slot, card_points(options, slot.card, spread.run and not place)) for place, slot in enumerate(spread.slots)
    ]


def _hand_points(options: Options, held: Iterable[Card]) -> int:
    return sum([card_points(options, card) for card in held])


def _laid_down_text(state: State, seat: Seat) -> str:
    """What a seat has laid down counts."""
    laid = sum_of_items(score_items(state.options, state.spreads, [()] * len(state.hands))[seat])
    return f"{laid} points on the table" * bool(laid)


def _score_hand(state: State) -> State:
    options = state.options
    sheet = sheet_of_items(score_items(options, state.spreads, [held.cards for held in state.hands]), state.scores)
    return end_hand(state, sheet, race_winners(ALONE[: options.players], sheet.totals, options.winning_score))


def _points_melded(state: State, seat: Seat) -> int | None:
    return sum(_laid_points(state.options, state.spreads, seat)) if _was_scored(state) else None


def _points_left(state: State, seat: Seat) -> int | None:
    return -_hand_points(state.options, state.hands[seat].cards) if _was_scored(state) else None


def _was_scored(state: State) -> bool:
    """Return whether the hand was scored: not if it lasted too long (D-GEN-10); else somebody scores for the cards that
    others have left."""
    return state.sheet is not None and any(state.sheet.items)


GAME: Game[Options, State, Action, Event] = Game(
    key="rummy_500",
    rules=__doc__,
    ends="to {winning_score}",
    brief=(
        "{players} players; aces are {aces=both?high or low|{aces}}{discard_to_go_out?; the last card must be "
        "discarded}{free_top_discard?|; a discard you take must be melded}."
    ),
    pitfalls=(
        "Taking a discard means taking every card above it too.",
        "Cards left in your hand count against you, even melds you never laid down.",
        "You score for cards you lay off on anyone's melds.",
    ),
    options=Options,
    presets=PRESETS,
    actions=(Draw, Take, Meld, Lay, Discard),
    events=(DealerDrawn, Dealt, Drawn, Taken, Melded, Laid, Discarded, Shown),
    seats=lambda options: options.players,
    pack=lambda _options: PACK,
    start=State.start,
    next_first_dealer=next_first_dealer,
    deal=deal,
    legal=legal,
    verify=verify,
    decide=decide,
    show=show_all_hands,
    play=play,
    layout=layout,
    measures={"melded": _points_melded, "left": _points_left},
    says=says,
    remarks=remarks,
    made=melds_of_event,
    own=own_hand_facts,
    also=("500", "500 rummy", "500 rum"),
    takes_back=(Meld, Lay),
)
