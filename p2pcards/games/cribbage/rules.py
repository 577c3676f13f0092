"""Cribbage: two players. Peg points in the play and for your hand. First to {winning_score} wins right away.

{first_dealer=low_draw?Both players cut for the first deal (`cut 12` takes the twelfth card of the fan), and the lower
card deals, ace low; after a tie, cut again. The non-dealer cuts the starter the same way. The host's program shuffles
and could know the cards, so the host doesn't pick a place: `cut` takes the next card.|The first dealer is drawn at
random.} Then the deal alternates.

Both get six cards and throw two to the dealer's crib. The starter is turned up; a jack pegs 2 for the dealer (his
heels).

The non-dealer starts. Play cards in turn up to a count of 31; face cards count 10, aces 1. Play if you can; if not, say
`go`, and your opponent plays on. When neither can, the count restarts with the player who didn't play last. You peg:
- 15 or 31: 2
- the last card short of 31: 1 (go)
- a pair: 2; three of a rank 6, four 12
- three or more in a run, in any order: 1 a card

Then hands are counted with the starter, the dealer's last, then the crib:
- each combination that makes 15: 2
- pairs and runs as above: a double run of three counts 8, one of four 10, a triple run 15, a quadruple run 16
- four of a suit in hand: 4; with the starter, or in the crib, five: 5
- the jack of the starter's suit (his nobs): 1

{counting=manual?{counting!}|} A loser with {winning_score=121?90 or fewer is skunked (60: double-skunked)|30 or fewer
is skunked}, at no extra cost. {board=standard?|{board!}}
"""

# Rules: rule sheet 5, from "The Real Deal" (preset real-deal) and "TeleCards" (preset telecards); the decisions D-CR-1
# to D-CR-5 are named where they are taken, here and in score.py.

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import combinations

from p2pcards.cards.card import BACK, Card, spell_cards
from p2pcards.cards.eyes import PUBLIC, TRUTH, Bag, Slot, eye_of_seat, put_into_bag, take_out_of_bag
from p2pcards.cards.pack import pack_of
from p2pcards.games.changing import changed
from p2pcards.games.cribbage.score import (
    JACK,
    MOST,
    THIRTY_ONE,
    card_count,
    card_place,
    lurch,
    pegged_words,
    pegging_items,
    show_counted,
    show_items,
)
from p2pcards.games.cutting import (
    CUT_FIRST,
    Cut,
    Fanned,
    TurnedAt,
    cut_remarks,
    cut_saying,
    cuts_of_places,
    fan_draw_pack,
    fan_piles,
    fan_without,
    picks_place,
    turn_up_at,
    verify_place,
    without_picking,
)
from p2pcards.games.dealing import (
    DealerDrawn,
    Dealt,
    dealt_hands,
    dealt_slots,
    draw_dealer,
    draw_until_ranks_differ,
    drawn_dealer,
    last_two_drawn,
)
from p2pcards.games.game import (
    Game,
    IllegalAction,
    Items,
    Layout,
    Pile,
    Remark,
    Seat,
    Sheet,
    Stage,
    Tally,
    TallyItem,
    name_in_text,
    possessive,
    sum_of_items,
    verify_turn,
    with_seat_replaced,
)
from p2pcards.games.holding import named_or_counted, verify_all_held, verify_held
from p2pcards.games.options import Question, choice_option
from p2pcards.games.playing import Play, Played
from p2pcards.games.showing import hands_turned_up, shown_hands

SEATS = 2
EACH = 6
PACK = pack_of()


@dataclass(frozen=True, slots=True)
class Options:
    winning_score: str = choice_option(
        "121",
        "score needed to win: once or twice around the board",
        {
            "61": "The first to peg {winning_score} wins right away; nothing more is pegged. A loser with 30 points "
            "or fewer is skunked, which costs nothing extra.",
            "121": "The first to peg {winning_score} wins right away; nothing more is pegged. A loser with 90 points "
            "or fewer is skunked, with 60 or fewer double-skunked; neither costs extra.",
        },
    )
    board: str = choice_option(
        "standard",
        "style of the board that shows the score",
        {
            "standard": "A board with four rows. Only the picture changes.",
            "racetrack": "A board that goes around once. Only the picture changes.",
            "s_shape": "An S-shaped board. Only the picture changes.",
        },
    )
    counting: str = choice_option(
        "auto",
        "counting of the hands: automatic, or manual with muggins",
        {
            "auto": "Hands and crib are counted for you, and nothing is missed.",
            "manual": "You count your own hand, and then your crib if you dealt: `count 12` (muggins). If you count "
            "too little, you get what you said and your opponent gets what you missed. If you count too much, you get "
            "what the cards are worth and your opponent gets the difference. You peg first. Points in the play are "
            "counted for you.",
        },
    )
    first_dealer: str = choice_option(
        "random",
        "choice of the first dealer; with low_draw you also cut for the starter",
        {
            "random": "A card drawn from a second pack decides who deals first, by whether its place in the "
            "unshuffled pack is even or odd. The starter is the next card of the pack.",
            "low_draw": "Before the first deal both players cut, seat 0 first, and the lower card deals, with the ace "
            "lowest; after a tie, both cut again. The non-dealer cuts the starter.",
        },
    )


PRESETS = {"usual": Options(), "real-deal": Options(), "telecards": Options(first_dealer="low_draw")}
COUNTING = Question(
    "telecards",
    "counting",
    "How are the hands counted?",
    {"H": ("manual", "by hand, with muggins"), "A": ("auto", "automatically, which is best for beginners")},
)


# --- actions and events -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Discard:
    """Two cards for the crib, in ascending order."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Go:
    """No card of the hand can be played."""


@dataclass(frozen=True, slots=True)
class Count:
    """What a player says that their hand, or their crib, is worth."""

    points: int


@dataclass(frozen=True, slots=True)
class LowDrawn:
    """The draw pack in its order; face up in it two cards, one for each seat, and two more after each two that are
    level."""

    draw: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Discarded:
    seat: Seat
    cards: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Turned:
    """The starter."""

    card: Slot


@dataclass(frozen=True, slots=True)
class Gone:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Counted:
    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class Shown:
    """The crib: what each seat laid away, by seat, in ascending order."""

    crib: tuple[tuple[Slot, ...], ...]


Action = Discard | Cut | Play | Go | Count
Event = DealerDrawn | Fanned | TurnedAt | LowDrawn | Dealt | Discarded | Turned | Played | Gone | Counted | Shown


class Phase(IntEnum):
    DISCARD = 0
    CUT = 1
    PLAY = 2
    HANDS = 3  # they are counted
    CRIB = 4
    FIRST_DEAL = 5  # it is cut for


@dataclass(frozen=True)
class State:
    options: Options
    eyes: int = TRUTH
    stage: Stage = Stage.DEAL
    to_act: tuple[Seat, ...] = ()
    hand: int = 0
    dealer: Seat | None = None
    scores: tuple[int, ...] = (0,) * SEATS
    # The player who cuts picks a place. If False, the place is named and the next card is taken all the same.
    picked: bool = True
    fan: tuple[Slot, ...] = ()  # the cards that can be cut for the first deal
    drawn: tuple[Slot, ...] = ()  # the cards that were cut, seat 0's first
    low: tuple[Card, ...] = ()  # by seat, the last cards cut
    hands: tuple[Bag, ...] = (Bag(0), Bag(1))
    laid: tuple[Bag, ...] = (Bag(0), Bag(1))  # what each seat threw to the crib, until the crib is turned up
    crib: tuple[Slot, ...] = ()
    stock: tuple[Slot, ...] = ()
    starter: tuple[Slot, ...] = ()
    phase: Phase = Phase.DISCARD
    played: tuple[tuple[Seat, Slot], ...] = ()  # all cards of the play, in order
    series: int = 0  # where in `played` the count was last 0
    gone: Seat | None = None  # the seat that has said go since
    items: tuple[Items, ...] = ((), ())  # by seat, what it has scored in this hand
    # By seat, how much of that in the play, for the hand and for the crib, as often as one of these was counted.
    measured: tuple[Items, ...] = ((), ())
    rear: tuple[int, ...] = (0,) * SEATS  # the scores before they last changed
    sheet: Sheet | None = None
    winners: tuple[Seat, ...] = ()


# --- the game ---------------------------------------------------------------------------------------------------------


def start(options: Options, first_dealer: Seat | None) -> State:
    return State(options, dealer=first_dealer)


def next_first_dealer(state: State) -> Seat:
    """The loser of the last game (D-CR-1)."""
    return 1 - state.winners[0] if state.winners else 0


def deal(state: State, pack: tuple[Card, ...], draw: tuple[Card, ...]) -> DealerDrawn | LowDrawn | Fanned | Dealt:
    """The event that deals the hand or draws for the deal. Where nobody picks, a view draws one card for each seat; if
    they tie, the outcome turns up the next two too (D-CR-1)."""
    if state.dealer is not None:
        return Dealt(dealt_slots(pack, SEATS, state.dealer, EACH))
    if state.options.first_dealer == "random":
        return draw_dealer(draw)
    if state.picked:
        return fan_draw_pack(draw)
    return LowDrawn(draw_until_ranks_differ(draw, card_place))


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    if seat not in state.to_act:
        return ()
    held = state.hands[seat].cards
    match state.phase:
        case Phase.DISCARD:
            return tuple([Discard(two) for two in combinations(held, 2)])
        case Phase.FIRST_DEAL | Phase.CUT:
            return cuts_of_places(len(_fan_slots(state)))[0 if state.picked else 1 :]
        case Phase.PLAY:
            plays = [Play(card) for card in held if _can_be_played(state, card)]
            return tuple(plays) or (Go(),)
        case _:
            return tuple([Count(points) for points in range(MOST + 1)])


def verify(state: State, seat: Seat, action: Action) -> None:
    verify_turn(state, seat)
    if type(action) not in DUE[state.phase]:
        raise IllegalAction(WHAT_NOW[state.phase])
    held = state.hands[seat]
    match action:
        case Discard(cards=cards):
            verify_all_held(held, cards, 2, "throw {} to the crib")
        case Cut(place=None):
            if not state.picked:
                raise IllegalAction("pick a place in the fan: type cut and a number")
        case Cut(place=int(place)):
            verify_place(place, len(_fan_slots(state)))
        case Play(card=card):
            verify_held(held, card)
            if not _can_be_played(state, card):
                raise IllegalAction(f"the count is {_series_count(state)}, so {card} would go past 31")
        case Go():
            if any(_can_be_played(state, card) for card in held.cards) or _series_count(state) <= THIRTY_ONE - 10:
                raise IllegalAction("you can play a card, so you can't say go")
        case Count(points=points):
            if not 0 <= points <= MOST:
                raise IllegalAction(f"a hand is worth 0 to {MOST}")


def decide(state: State, seat: Seat, action: Action) -> Event:
    match action:
        case Discard(cards=cards):
            return Discarded(seat, tuple([Slot(card, eye_of_seat(seat)) for card in cards]))
        case Cut():
            return turn_up_at(_fan_slots(state), seat, action) if state.picked else _turn_starter(state)
        case Play(card=card):
            return Played(seat, Slot(card, PUBLIC))
        case Go():
            return Gone(seat)
        case Count(points=points):
            return Counted(seat, points)


def show(state: State) -> Turned | Shown:
    """The starter, where nobody cuts for it; after the hands the crib."""
    return Shown(shown_hands(state.laid)) if state.starter else _turn_starter(state)


def play(state: State, event: Event) -> State:
    match event:
        case DealerDrawn():
            return changed(state, dealer=drawn_dealer(event, PACK, SEATS))
        case LowDrawn(draw=slots):
            return _after_low_draw(state, slots)
        case Fanned(draw=slots):
            return changed(state, stage=Stage.PLAY, phase=Phase.FIRST_DEAL, to_act=(0,), fan=slots)
        case TurnedAt():
            return _cut_for_deal(state, event) if state.phase == Phase.FIRST_DEAL else _after_starter_cut(state, event)
        case Dealt(pack=slots):
            return _start_hand(state, slots)
        case Discarded(seat=seat, cards=slots):
            return _after_discard(state, seat, slots)
        case Turned(card=slot):
            return _after_starter_turned(state, slot)
        case Played(seat=seat, card=slot):
            return _after_play(state, seat, slot)
        case Gone(seat=seat):
            return _after_go(state, seat)
        case Counted(seat=seat, points=points):
            return _after_count(state, seat, points)
        case Shown(crib=crib):
            return _after_crib_shown(state, crib)


def layout(state: State) -> Layout:
    notes = []
    if state.stage == Stage.PLAY and state.phase == Phase.PLAY:
        notes.append(f"the count is {_series_count(state)}")
        if state.gone is not None:
            notes.append(f"{name_in_text(state.gone)} said go")
    if state.winners and (how := lurch(_winning_score(state.options), min(state.scores))):
        notes.append(how)
    piles = [Pile("starter", state.starter)] if state.starter else []
    for seat in range(SEATS):
        before = tuple([slot for other, slot in state.played[: state.series] if other == seat])
        piles += [Pile("played", before, seat, spread=True)] if before else []
    crib = state.crib or tuple([slot for laid in state.laid for slot in laid.slots])
    if crib:
        piles.append(Pile("crib", crib, _crib_owner(state), spread=True))
    piles += fan_piles(state.fan, state.drawn, SEATS) or [Pile("stock", state.stock)]
    if state.hand:
        notes.append(f"{possessive(_crib_owner(state))} crib")
    return Layout(
        trick=state.played[state.series :],
        called=f"played to a count of {_series_count(state)}",
        leader=_pone(state) if state.phase == Phase.PLAY and not state.played else None,
        piles=tuple(piles),
        notes=tuple(notes),
        rear=state.rear,
        tallies=_tallies(state),
    )


def says(state: State, seat: Seat, action: Action) -> str:
    match action:
        case Discard():
            crib = "the" if seat == _dealer_of(state) else possessive(_dealer_of(state))
            return f"put {named_or_counted(action.cards)} in {crib} crib"
        case Cut():
            what = "the first deal" if state.phase == Phase.FIRST_DEAL else "the starter"
            return cut_saying(action if state.picked else Cut(None), what)
        case Play(card=card):
            return f"play {card}, {_series_count(state) + card_count(card)}"
        case Go():
            return "say go"
        case Count(points=points):
            return f"count {points}"


def remarks(before: State, event: Event, after: State) -> tuple[Remark, ...]:
    """Remarks on what each seat has pegged, the hands that are counted item by item, the starter and the cards
    drawn."""
    told: list[Remark] = []
    if isinstance(event, LowDrawn):
        told += [Remark(seat, f"draw {card}") for seat, card in enumerate(after.low)]
    if isinstance(event, Fanned):
        told.append(Remark(None, "cut for the first deal: the lower card deals"))
    if isinstance(event, TurnedAt) and before.phase == Phase.FIRST_DEAL:
        told += cut_remarks(event, again=event.seat == 1 and after.dealer is None)
    if after.starter and not before.starter:
        told.append(Remark(None, f"the starter is {after.starter[0].card}"))
    if isinstance(event, Shown):
        told.append(Remark(_dealer_of(before), f"turn up the crib: {spell_cards([slot.card for slot in after.crib])}"))
    fresh = [after.items[seat][len(before.items[seat]) :] if before.hand == after.hand else () for seat in range(SEATS)]
    order = sorted(range(SEATS), key=lambda seat: seat == before.dealer)  # the dealer's hand is counted last
    pegged = [remark for seat in order for remark in _pegging_remarks(before, seat, fresh[seat])]
    counted = [remark for seat in order for remark in _counting_remarks(before, event, after, seat)]
    missed = [remark for seat in order for remark in _muggins_remarks(after, seat, fresh[seat])]
    won = [Remark(seat, f"win{_margin_text(after)}") for seat in after.winners if not before.winners]
    return (*told, *pegged, *counted, *missed, *won)


# --- private ----------------------------------------------------------------------------------------------------------

DUE: dict[Phase, tuple[type, ...]] = {
    Phase.DISCARD: (Discard,),
    Phase.CUT: (Cut,),
    Phase.PLAY: (Play, Go),
    Phase.HANDS: (Count,),
    Phase.CRIB: (Count,),
    Phase.FIRST_DEAL: (Cut,),
}
WHAT_NOW = {
    Phase.DISCARD: "put two cards in the crib first: type discard and the cards",
    Phase.CUT: "cut for the starter: type cut, or cut and a number",
    Phase.PLAY: "play a card, or say go if you can't",
    Phase.HANDS: "count your hand: type count and a number",
    Phase.CRIB: "count your crib: type count and a number",
    Phase.FIRST_DEAL: CUT_FIRST,
}


def _winning_score(options: Options) -> int:
    return int(options.winning_score)


def _series_cards(state: State) -> list[Card]:
    """The cards played since the count was 0, in order."""
    return [slot.card for _, slot in state.played[state.series :]]


def _series_count(state: State) -> int:
    """The count of the play so far: 0 to 31."""
    return sum([card_count(card) for card in _series_cards(state)])


def _can_be_played(state: State, card: Card) -> bool:
    """Return whether a card can be played without passing 31."""
    return _series_count(state) + card_count(card) <= THIRTY_ONE


def _dealer_of(state: State) -> Seat:
    assert state.dealer is not None
    return state.dealer


def _pone(state: State) -> Seat:
    """The player who did not deal."""
    return 1 - _dealer_of(state)


def _crib_owner(state: State) -> Seat:
    """The dealer of the hand, also when it is over and the deal has passed on."""
    return _pone(state) if state.stage == Stage.DEAL else _dealer_of(state)


def _pegging_remarks(before: State, seat: Seat, items: Items) -> list[Remark]:
    """Remarks on what a seat has just pegged in the play, or for the starter, with every reason."""
    pegged = [(what.removeprefix("play: "), points) for what, points in items if what.startswith(("play: ", "his "))]
    reasons = pegged_words(pegged)
    score = before.scores[seat] + sum_of_items(pegged)
    return [Remark(seat, f"peg {sum_of_items(pegged)} for {reasons}, {score} in all")] if pegged else []


def _tallies(state: State) -> tuple[Tally, ...]:
    """The hands and the crib as far as they have been counted, in order, and no further than to the last hole."""
    if state.phase not in (Phase.HANDS, Phase.CRIB) or not state.hand:
        return ()
    dealer = _crib_owner(state)
    told = []
    for seat, what in ((1 - dealer, "hand"), (dealer, "hand"), (dealer, "crib")):
        pegged = _points_for(state, seat, what)
        if pegged is not None:
            items = _items_to_count(state, seat, what)
            if (f"{what} as counted", pegged) in state.items[seat]:
                items = [TallyItem(f"{what} as counted", f"as counted {pegged}", pegged, ())]
            told.append(Tally(seat, what, tuple(_up_to(items, pegged))))
    return tuple(told)


def _items_to_count(state: State, seat: Seat, what: str) -> list[TallyItem]:
    """The items that count in a hand, or in the crib, named as on the sheet."""
    starter = state.starter[0].card
    cards = [slot.card for slot in state.crib] if what == "crib" else _cards_played(state, seat)
    found = show_counted(cards, starter, crib=what == "crib")  # D-CR-3
    return [replace(item, name=f"{what} {item.name}") for item in found]


def _up_to(items: Sequence[TallyItem], points: int) -> Iterable[TallyItem]:
    """As many of the counted items as add up to the points that were pegged."""
    for item in items:
        if points > 0:
            yield item
        points -= item.points


def _cards_played(state: State, seat: Seat) -> list[Card]:
    return [slot.card for other, slot in state.played if other == seat]


def _counting_remarks(before: State, event: Event, after: State, seat: Seat) -> list[Remark]:
    """Remarks on what a seat has just counted in its hand or crib, item by item."""
    old = _tallies(before) if before.hand == after.hand else ()
    fresh = [tally for tally in _tallies(after) if tally.seat == seat and tally not in old]
    told = []
    for tally in fresh:
        pegged = _points_for(after, seat, tally.what)
        reasons = ", ".join([_item_text(item) for item in tally.items])
        where = "in the crib" if tally.what == "crib" else "in hand"
        if pegged:
            told.append(Remark(seat, f"count {pegged} {where}: {reasons}; {after.scores[seat]} in all"))
        elif seat in _counted_now(before, event, after):
            told.append(Remark(seat, f"count nothing {where}"))
    return told


def _item_text(item: TallyItem) -> str:
    """``fifteen two (7S 8D)``."""
    return f"{item.words} ({spell_cards(item.cards)})" if item.cards else item.words


def _margin_text(after: State) -> str:
    """How badly the game was lost, as text such as `` with a skunk``; "" for neither skunk."""
    how = lurch(_winning_score(after.options), min(after.scores))
    return f" with a {how}" if how else ""


def _muggins_remarks(after: State, seat: Seat, items: Items) -> list[Remark]:
    """Remarks on the points that a seat takes by muggins, which the other missed in the count."""
    points = sum([points for what, points in items if what.startswith("muggins")])
    return [Remark(seat, f"take {points} for muggins, {after.scores[seat]} in all")] if points else []


def _counted_now(before: State, event: Event, after: State) -> Sequence[Seat]:
    """Whose hand, or crib, the program has just counted, whatever it holds."""
    if after.options.counting == "manual" or after.winners:
        return ()
    if isinstance(event, Shown):
        return (_dealer_of(before),)
    return range(SEATS) if before.phase == Phase.PLAY and after.phase == Phase.HANDS else ()


def _after_low_draw(state: State, slots: tuple[Slot, ...]) -> State:
    """The state after the draw for the first deal; the lower card deals."""
    first, second = low = last_two_drawn(slots, card_place)
    return changed(state, dealer=0 if card_place(first) <= card_place(second) else 1, low=low)


def _fan_slots(state: State) -> tuple[Slot, ...]:
    """The cards that can be cut now."""
    return state.fan if state.phase == Phase.FIRST_DEAL else state.stock


def _cut_for_deal(state: State, event: TurnedAt) -> State:
    """A card for each seat; the lower one deals, and if they are level both cut again (D-CR-1)."""
    state = changed(
        state, fan=fan_without(state.fan, event), drawn=(*state.drawn, event.card), to_act=(1 - event.seat,)
    )
    if event.seat == 0:
        return state
    low = tuple([slot.card for slot in state.drawn[-SEATS:]])
    first, second = map(card_place, low)
    if first == second and state.fan:
        return state
    dealer = 0 if first <= second else 1
    return changed(state, stage=Stage.DEAL, to_act=(), dealer=dealer, low=low, fan=(), drawn=())


def _start_hand(state: State, slots: tuple[Slot, ...]) -> State:
    return changed(
        state,
        stage=Stage.PLAY,
        to_act=(0, 1),
        hand=state.hand + 1,
        hands=dealt_hands(slots, SEATS, _dealer_of(state), EACH),
        laid=(Bag(0), Bag(1)),
        crib=(),
        stock=slots[SEATS * EACH :],
        starter=(),
        phase=Phase.DISCARD,
        played=(),
        series=0,
        gone=None,
        items=((), ()),
        measured=((), ()),
        sheet=None,
    )


def _after_discard(state: State, seat: Seat, slots: tuple[Slot, ...]) -> State:
    state = changed(
        state,
        hands=with_seat_replaced(state.hands, seat, take_out_of_bag(state.hands[seat], slots)),
        laid=with_seat_replaced(state.laid, seat, put_into_bag(state.laid[seat], slots)),
        to_act=tuple([other for other in state.to_act if other != seat]),
    )
    if state.to_act:
        return state
    if state.options.first_dealer == "low_draw":
        return changed(state, phase=Phase.CUT, to_act=(_pone(state),))
    return changed(state, stage=Stage.SHOW)


def _turn_starter(state: State) -> Turned:
    return Turned(Slot(state.stock[0].card, PUBLIC))


def _after_starter_turned(state: State, slot: Slot) -> State:
    if not slot.card or state.stock[0].card not in (BACK, slot.card):
        raise ValueError("the starter is the next card of the pack")
    return _with_starter(changed(state, stock=state.stock[1:]), slot)


def _after_starter_cut(state: State, event: TurnedAt) -> State:
    return _with_starter(changed(state, stock=fan_without(state.stock, event)), event.card)


def _with_starter(state: State, slot: Slot) -> State:
    state = changed(state, starter=(slot,))
    if slot.card.rank == JACK:
        state = _peg_items(state, _dealer_of(state), (("his heels", 2),))
    if state.winners:
        return state
    return changed(state, stage=Stage.PLAY, phase=Phase.PLAY, to_act=(_pone(state),))


def _peg_items(state: State, seat: Seat, items: Iterable[tuple[str, int]], part: str = "") -> State:
    """Points for a seat, item by item, until they are in the last hole: then they have won, and nothing more is
    scored. part: the measure to which they belong, if they do to any."""
    pegged, before = [], state.scores[seat]
    left = _winning_score(state.options) - before
    for what, points in items:
        pegged.append((what, min(points, left)))
        left -= pegged[-1][1]
        if not left:
            break
    if part:
        measured = (*state.measured[seat], (part, sum_of_items(pegged)))
        state = changed(state, measured=with_seat_replaced(state.measured, seat, measured))
    if not pegged:
        return state
    state = changed(
        state,
        scores=with_seat_replaced(state.scores, seat, _winning_score(state.options) - left),
        items=with_seat_replaced(state.items, seat, (*state.items[seat], *pegged)),
        rear=with_seat_replaced(state.rear, seat, before),
    )
    return state if left else changed(_with_sheet(state), stage=Stage.OVER, winners=(seat,))


def _with_sheet(state: State) -> State:
    """The state of a finished hand with its score sheet."""
    hand = tuple([sum_of_items(seat) for seat in state.items])
    return changed(state, to_act=(), sheet=Sheet(state.items, hand, state.scores))


def _after_play(state: State, seat: Seat, slot: Slot) -> State:
    hands = with_seat_replaced(state.hands, seat, take_out_of_bag(state.hands[seat], (slot,)))
    state = changed(state, hands=hands, played=(*state.played, (seat, slot)))
    made = [(f"play: {what}", points) for what, points in pegging_items(_series_cards(state))]
    full = _series_count(state) == THIRTY_ONE
    last = not any(map(len, hands))
    state = _peg_items(state, seat, [*made, *([("play: last card", 1)] if last and not full else [])], "play")  # D-CR-2
    if state.winners:
        return state
    if last:
        return _end_play(state)
    if full:
        return _start_series(state, seat)
    other = 1 - seat
    if len(hands[other]) and state.gone != other:
        return changed(state, to_act=(other,))
    return changed(state, to_act=(seat,)) if len(hands[seat]) else _end_series(state, seat)


def _after_go(state: State, seat: Seat) -> State:
    """The other plays on; if they have said go too, or have no card (D-CR-2), nobody can."""
    other = 1 - seat
    if len(state.hands[other]) and state.gone is None:
        return changed(state, gone=seat, to_act=(other,))
    return _end_series(state, state.played[-1][0])


def _end_series(state: State, last: Seat) -> State:
    """Nobody can go on below 31: a point for the last card."""
    state = _peg_items(state, last, (("play: go", 1),), "play")
    return state if state.winners else _start_series(state, last)


def _start_series(state: State, last: Seat) -> State:
    """The count is 0 again; the player who did not play the last card leads, if they have one (D-CR-2)."""
    lead = 1 - last if len(state.hands[1 - last]) else last
    return changed(state, series=len(state.played), gone=None, to_act=(lead,))


def _end_play(state: State) -> State:
    """All cards are played: the hands are counted."""
    other = _pone(state)
    state = changed(state, phase=Phase.HANDS, series=len(state.played), gone=None, to_act=(other,))
    if state.options.counting == "manual":
        return state
    for seat in (other, 1 - other):
        state = _peg_items(state, seat, _items_of_seat(state, seat), "hand")
        if state.winners:
            return state
    return changed(state, stage=Stage.SHOW, to_act=())


def _items_of_seat(state: State, seat: Seat) -> Items:
    """The items to be counted now for a seat, in its hand or the crib."""
    starter = state.starter[0].card
    if state.phase == Phase.CRIB:
        cards = [slot.card for slot in state.crib]
        return _items_named("crib", show_items(cards, starter, crib=True))  # D-CR-3
    return _items_named("hand", show_items(_cards_played(state, seat), starter))


def _items_named(what: str, items: Sequence[tuple[str, int]]) -> Items:
    """The same items with the part they belong to in their names."""
    return tuple([(f"{what} {name}", points) for name, points in items])


def _after_count(state: State, seat: Seat, said: int) -> State:
    items = _items_of_seat(state, seat)
    what = "crib" if state.phase == Phase.CRIB else "hand"
    true = sum_of_items(items)
    state = _peg_items(state, seat, items if said >= true else [(f"{what} as counted", said)] * (said > 0), what)
    if said != true and not state.winners:  # D-CR-4
        state = _peg_items(state, 1 - seat, [(f"muggins: {what}", abs(said - true))])
    if state.winners:
        return state
    if state.phase == Phase.CRIB:
        return _end_hand(state)
    if seat == _pone(state):
        return changed(state, to_act=(1 - seat,))
    return changed(state, stage=Stage.SHOW, to_act=())


def _after_crib_shown(state: State, crib: tuple[tuple[Slot, ...], ...]) -> State:
    dealer = _dealer_of(state)
    slots = tuple([slot for laid in hands_turned_up(state.laid, crib) for slot in laid.slots])
    state = changed(state, laid=(Bag(0), Bag(1)), crib=slots, phase=Phase.CRIB)
    if state.options.counting == "manual":
        return changed(state, stage=Stage.PLAY, to_act=(dealer,))
    state = _peg_items(state, dealer, _items_of_seat(state, dealer), "crib")
    return state if state.winners else _end_hand(state)


def _end_hand(state: State) -> State:
    return changed(_with_sheet(state), stage=Stage.DEAL, dealer=_pone(state))


def _points_for(state: State, seat: Seat, part: str) -> int | None:
    """The points that a seat has scored for its hand or the crib; None where the game ended before that was counted."""
    found = [item for item in state.measured[seat] if item[0] == part]
    return sum_of_items(found) if found else None


GAME: Game[Options, State, Action, Event] = Game(
    key="cribbage",
    rules=__doc__,
    ends="to {winning_score}",
    brief=(
        "{counting=auto?Hands are counted for you|You count your own hand, with muggins}{first_dealer=low_draw?; cut "
        "for the deal}."
    ),
    pitfalls=(
        "Don't throw good cards into your opponent's crib.",
        "Four of a suit in the crib score nothing.",
        "You must play if any card fits.",
    ),
    options=Options,
    presets=PRESETS,
    actions=(Discard, Cut, Play, Go, Count),
    events=(DealerDrawn, Fanned, TurnedAt, LowDrawn, Dealt, Discarded, Turned, Played, Gone, Counted, Shown),
    private={Discard: lambda _state: Discard((BACK,) * 2)},
    seats=lambda _options: SEATS,
    pack=lambda _options: PACK,
    start=start,
    next_first_dealer=next_first_dealer,
    kept=("hand", "dealer", "scores"),
    deal=deal,
    legal=legal,
    verify=verify,
    decide=decide,
    show=show,
    play=play,
    layout=layout,
    measures={
        "play": lambda state, seat: _points_for(state, seat, "play") or 0,
        "hand": lambda state, seat: _points_for(state, seat, "hand"),
        "crib": lambda state, seat: _points_for(state, seat, "crib"),
    },
    says=says,
    ventures=(Count,),
    remarks=remarks,
    picks=picks_place,
    unpicked=without_picking,
    question=COUNTING,
    sorted_by="rank",
)
