"""Two-handed pinochle: two players. Win tricks to meld, then to score. First to {goal} wins.

The pack has two each of A-10-K-Q-J-9{deck_64?-8-7} in every suit, ranking in that order. {deal_cut?Both players cut for
the first deal (`cut 12` turns up the twelfth card; the host, whose program shuffles, just says `cut`), and the higher
card deals.|} Twelve cards each; the next makes trump. {bonus_dix_dealt?If it's a dix, the dealer scores 10.|}

While the stock lasts, play any card. The higher trump, or else the higher card of the suit led, wins; the first of
equal cards. The winner may make one meld{dix_alone?|, plus any dixes}; then both draw, winner first.
- dix ({deck_64?seven|nine} of trump): 10
- pinochle (queen of {red_pinochle?hearts|spades}, jack of diamonds): 20
- marriage (K-Q): 20 (40 in trump)
- one in each suit: jacks 40, queens 60, kings 80, aces 100
- flush (A-10-K-Q-J of trump): 150
{roundhouse?
- roundhouse (K-Q of every suit): {bonus_roundhouse?240|220}|}

Melded cards stay yours to play (`QH'`; in hand `QH`). Each meld needs a new card; no card melds twice in one kind, or
in a marriage after a flush{roundhouse? or roundhouse|}. Your first dix swaps for the upcard, unless that's a dix.

Once the stock is gone, pick up your melds. Follow suit, and {must_overplay?beat the card led if you can|beat a trump
led if you can}; if you can't follow, trump. {simplified_scoring?Aces and tens count 10, kings and queens 5|Aces count
11, tens 10, kings 4, queens 3, jacks 2}{bonus_last_trick?, the last trick 10|}.

{score_by_round?Melds are added when the round ends.|Melds score right away: at {goal} you {auto_knock?must|may}
`knock` while the stock lasts, and win.} If both reach {goal} in a round, it goes up by 250.
"""

# Rules: rule sheet 12, from "MeggieSoft Pinochle" and the usual rules; the decisions D-2P-1 to D-2P-6 are named where
# they are taken, here and in melds.py (what may be melded).

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from p2pcards.cards.card import SUITS, Card, Suit, spell_cards
from p2pcards.cards.eyes import PUBLIC, Bag, Slot, eye_of_seat, make_bag, put_into_bag, take_out_of_bag
from p2pcards.cards.pack import pack_of
from p2pcards.games.changing import changed
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
    NOT_ONE_UP,
    Dealt,
    StateInTurn,
    draw_until_ranks_differ,
    last_two_drawn,
    next_first_dealer,
    verify_top_card,
)
from p2pcards.games.drawing import Draw, Drawn, Knock, Knocked, Meld, Melded
from p2pcards.games.exchanging import verify_equal_counts, with_hands_swapped
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
from p2pcards.games.holding import ASCENDING, verify_held
from p2pcards.games.options import WINS, OptionError, flag_option, number_option
from p2pcards.games.pinochle2.melds import (
    Kind,
    Laid,
    Pattern,
    Patterns,
    cards_after_meld,
    meld_of,
    meld_refusal,
    not_open_reason,
    open_melds,
    patterns,
)
from p2pcards.games.pinochle_cards import (
    ACE,
    KING,
    NINE,
    ORIGINAL,
    QUEEN,
    TEN,
    counted_card,
    playable,
    points_of_values,
)
from p2pcards.games.pinochle_cards import winning_place as winner
from p2pcards.games.playing import Play, Played
from p2pcards.games.tricks import play_card, split_by_trick, trick_layout

SEATS = 2
EACH = 12
PACKET = 3  # cards dealt at a time
DEALT = SEATS * EACH
STEP = 250  # by which the goal is put up (D-2P-6: always so much)
BONUS = 10  # for a dix turned up, and for the last trick
SIMPLIFIED = {ACE: 10, TEN: 10, KING: 5, QUEEN: 5}


@dataclass(frozen=True, slots=True)
class Options:
    goal: int = number_option(  # D-2P-6
        1000,
        100,
        100_000,
        WINS,
        "A player with {goal} points or more at the end of a round wins. If both do, the goal goes up by 250 until at "
        "least one of them is below it; if both are, you play another round for that goal. "
        "While the stock lasts, a player who has reached the goal may knock and win, if knocking is allowed.",
    )
    score_by_round: bool = flag_option(
        False,
        "scoring melds at the end of the round, with no knocking",
        on="Melds are added to the score when the round ends, along with the cards taken; nobody knocks.",
        off="A meld is added to the score as soon as it's laid down, so while the stock lasts, a player at the "
        "goal may knock on their turn and win.",
    )
    simplified_scoring: bool = flag_option(
        False,
        "simple card points: aces and tens 10, kings and queens 5",
        on="Each ace or ten taken in the second part counts 10, each king or queen 5, other cards nothing.",
        off="Each ace taken in the second part counts 11, ten 10, king 4, queen 3, jack 2, other cards nothing.",
    )
    must_overplay: bool = flag_option(
        False,
        "having to beat the card led in every suit (second part)",
        on="In the second part you must follow suit with a higher card if you can, in every suit.",
        off="In the second part you must follow a trump with a higher one if you can; in other suits any card of the "
        "suit will do.",
    )
    dix_alone: bool = flag_option(
        False,
        "the dix as the only meld of its trick",
        on="A dix is the only meld of its trick: you can't meld anything else after that trick, or a dix after another "
        "meld.",
        off="After a trick you may meld any dixes along with one other meld.",
    )
    roundhouse: bool = flag_option(
        False,
        "the roundhouse: king and queen of all four suits, for 220",
        on="You may meld the king and queen of all four suits together as a roundhouse. Its cards can't have been in a "
        "marriage, a flush, eighty kings, sixty queens or another roundhouse; later they may go into a flush or a "
        "pinochle, but not into a marriage or four of a rank.",
        off="There is no roundhouse; you meld its kings, queens and marriages separately.",
    )
    deck_64: bool = flag_option(
        False,
        "64 cards: eights and sevens too, with the seven as the dix",
        on="The pack has 64 cards, with two eights and two sevens in each suit below the nines, and the seven of trump "
        "is the dix in place of the nine. The stock has forty cards, including the upcard, and the first part has "
        "twenty tricks.",
        off="The pack has 48 cards, down to the nines, and the nine of trump is the dix. The stock has twenty-four "
        "cards, including the upcard, and the first part has twelve tricks.",
    )
    red_pinochle: bool = flag_option(
        False,
        "queen of hearts, not spades, in the pinochle",
        on="The pinochle is the queen of hearts with the jack of diamonds.",
        off="The pinochle is the queen of spades with the jack of diamonds.",
    )
    bonus_dix_dealt: bool = flag_option(
        False,
        "10 for the dealer when a dix is turned up",
        on="The dealer scores 10 when the card turned up for trump is a dix.",
        off="The dealer scores nothing for the card turned up.",
    )
    bonus_roundhouse: bool = flag_option(
        False,
        "240 for a roundhouse (needs roundhouse)",
        on="A roundhouse counts 240.",
        off="A roundhouse counts 220, if there is one.",
    )
    bonus_last_trick: bool = flag_option(
        False,
        "10 for the last trick",
        on="The last trick of the second part counts 10 for the player who takes it.",
        off="The last trick counts nothing beyond its cards.",
    )
    deal_cut: bool = flag_option(
        False,
        "cutting for the first deal of every game; high card deals",
        on="Both players cut for the first deal of every game, seat 0 first, and the higher card deals, with the ace "
        "highest and the ten above the king; after a tie, both cut again. Then the deal alternates.",
        off="Seat 1 deals first in the first game, seat 0 in the next, and so on; within a game the deal alternates.",
    )
    auto_knock: bool = flag_option(
        False,
        "a forced knock at the goal (not with score_by_round)",
        on="A player who can knock must: nothing else is allowed on that turn.",
        off="A player who can knock may also play on.",
    )

    def __post_init__(self) -> None:
        if self.bonus_roundhouse and not self.roundhouse:
            raise OptionError("bonus_roundhouse needs roundhouse: set roundhouse to true first.")
        if self.auto_knock and self.score_by_round:
            raise OptionError(
                "auto_knock doesn't work with score_by_round, where nobody knocks. Set one of them to false."
            )


PRESETS = {"usual": Options(bonus_dix_dealt=True, bonus_last_trick=True), "meggiesoft": Options()}


# --- actions and events -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DealCut:
    """The draw pack in its order; face up in it the two cards cut, seat 0's first, and two more after each two that are
    level."""

    draw: tuple[Slot, ...]


Action = Play | Meld | Draw | Knock | Cut
Event = Fanned | TurnedAt | DealCut | Dealt | Played | Melded | Drawn | Knocked


class Phase(IntEnum):
    FIRST = 0  # a trick while there is a stock
    MELD = 1  # its winner melds, and draws
    DRAW = 2  # the other draws
    SECOND = 3  # a trick without a stock
    CUT = 4  # for the first deal


@dataclass(frozen=True)
class State(StateInTurn):
    options: Options
    goal: int  # the score that ends the game, as it is now
    picked: bool = True  # the player who cuts for the first deal picks a place
    fan: tuple[Slot, ...] = ()  # what was not cut of the draw pack
    lifted: int = 0  # cards of the fan on the packet that seat 0 has lifted off
    drawn: tuple[Slot, ...] = ()  # the cards that were cut, seat 0's first
    cut: tuple[Card, ...] = ()  # by seat, the last cards cut
    scores: tuple[int, ...] = (0,) * SEATS
    hands: tuple[Bag, ...] = (Bag(0), Bag(1))
    laid: tuple[tuple[Laid, ...], ...] = ((), ())  # by seat, the open cards in the order in which they were melded
    stock: tuple[Slot, ...] = ()  # the top card first, the turn-up last
    trump: Suit | None = None
    phase: Phase = Phase.FIRST
    melded: bool = False  # no more melds after this trick, except a dix where it is free
    leader: Seat = 0
    trick: tuple[Slot, ...] = ()
    last_trick: tuple[tuple[Seat, Card], ...] = ()
    taken: tuple[tuple[Slot, ...], ...] = ((), ())  # by seat, in this part of the round
    past: tuple[Slot, ...] = ()  # in the first part, when it is over
    items: tuple[Items, ...] = ((), ())  # by seat, what it has scored in this round
    measured: tuple[int, ...] = (0,) * SEATS  # by seat, how much of that by melds
    sheet: Sheet | None = None
    winners: tuple[Seat, ...] = ()


# --- the game ---------------------------------------------------------------------------------------------------------


def start(options: Options, first_dealer: Seat | None) -> State:
    """The player who does not deal leads: seat 0 to the first round of the first game (D-2P-1). With `deal_cut` every
    game is cut for."""
    dealer = None if options.deal_cut else 1 if first_dealer is None else first_dealer
    return State(options, options.goal, dealer=dealer, first_dealer=dealer)


def deal(state: State, pack: tuple[Card, ...], draw: tuple[Card, ...]) -> DealCut | Fanned | Dealt:
    """The event that deals the round, or cuts for the first deal. Where nobody picks, a view cuts one card for each
    seat; if they tie, the outcome turns up the next two too (D-2P-1)."""
    if state.dealer is None:
        return fan_draw_pack(draw) if state.picked else DealCut(draw_until_ranks_differ(draw, _cut_rank))
    seen = (
        [eye_of_seat(_dealt_to(place, state.dealer)) for place in range(DEALT)]
        + [PUBLIC]
        + [0] * (len(pack) - DEALT - 1)
    )
    return Dealt(tuple([Slot(card, eyes) for card, eyes in zip(pack, seen, strict=True)]))


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    if seat not in state.to_act:
        return ()
    knock: tuple[Action, ...] = (Knock(),) if _knock_refusal(state, seat) is None else ()
    if knock and state.options.auto_knock:
        return knock
    held = state.hands[seat].cards
    match state.phase:
        case Phase.MELD:
            melds = [
                Meld(named)
                for pattern, named in melds_open_now(state, seat)
                if _further_meld_refusal(state, pattern) is None
            ]
            return (*melds, Draw(), *knock)
        case Phase.DRAW:
            return (Draw(), *knock)
        case Phase.FIRST:
            cards = [*dict.fromkeys(held), *sorted([each.slot.card for each in state.laid[seat]])]
            return (*[Play(card) for card in cards], *knock)
        case Phase.CUT:
            return cuts_of_places(_places_to_cut(state))
        case Phase.SECOND:
            return tuple([Play(card) for card in playable_in_second_part(state, dict.fromkeys(held), state.trick)[0]])


def melds_open_now(state: State, seat: Seat) -> list[tuple[Pattern, tuple[Card, ...]]]:
    """The melds that the cards of a seat allow, whosever turn it is and however many it has made; as `open_melds`."""
    return open_melds(known_melds(state), state.hands[seat].cards, state.laid[seat])


def known_melds(state: State) -> Patterns:
    """The melds of this round; some trump must have been turned up."""
    options = state.options
    roundhouse = (240 if options.bonus_roundhouse else 220) if options.roundhouse else 0
    queen = Suit.HEARTS if options.red_pinochle else Suit.SPADES
    return patterns(_trump(state), _lowest(options), queen, roundhouse)


def verify(state: State, seat: Seat, action: Action) -> None:
    verify_turn(state, seat)
    no_knock = _knock_refusal(state, seat)
    if isinstance(action, Knock):
        if no_knock:
            raise IllegalAction(no_knock)
        return
    if no_knock is None and state.options.auto_knock:
        raise IllegalAction("you have reached the goal, so you must knock")
    if type(action) not in DUE[state.phase]:
        raise IllegalAction(WHAT_NOW[state.phase])
    match action:
        case Play(card=card):
            _verify_play(state, seat, card)
        case Meld(cards=named):
            _verify_meld(state, seat, named)
        case Cut(place=int(place)):
            verify_place(place, _places_to_cut(state))


def _verify_play(state: State, seat: Seat, card: Card) -> None:
    held = state.hands[seat]
    if card.copy:
        if card not in [each.slot.card for each in state.laid[seat]]:
            raise IllegalAction(not_open_reason(card))
        return
    verify_held(held, card)
    if state.phase == Phase.SECOND:
        allowed, rule = playable_in_second_part(state, (*held.cards, card), state.trick)
        if card not in allowed:
            raise IllegalAction(rule)


def _verify_meld(state: State, seat: Seat, named: tuple[Card, ...]) -> None:
    pattern = meld_of(known_melds(state), named)
    if pattern is None:
        raise IllegalAction(f"that's not a meld; you can meld {_melds_in_words(state)}")
    if list(named) != sorted(named):
        raise IllegalAction(ASCENDING)
    if reason := _further_meld_refusal(state, pattern) or meld_refusal(pattern, named, state.laid[seat]):
        raise IllegalAction(reason)
    for card in named:
        if not card.copy:
            verify_held(state.hands[seat], card)


def decide(state: State, seat: Seat, action: Action) -> Played | Melded | Drawn | Knocked | TurnedAt:
    match action:
        case Play(card=card):
            return Played(seat, Slot(card, PUBLIC))
        case Meld(cards=named):
            return Melded(seat, tuple([Slot(card, PUBLIC) for card in named]))
        case Draw():
            top = state.stock[0].card
            return Drawn(seat, Slot(top, PUBLIC if len(state.stock) <= SEATS else eye_of_seat(seat)))
        case Knock():
            return Knocked(seat)
        case Cut():
            return turn_up_at(state.fan[state.lifted :], seat, action)


def play(state: State, event: Event) -> State:
    match event:
        case DealCut(draw=slots):
            return _after_cut(state, slots)
        case Dealt(pack=slots):
            return _start_round(state, slots)
        case Played(seat=seat, card=slot):
            return _after_play(state, seat, slot)
        case Melded(seat=seat, cards=slots):
            return _after_meld(state, seat, [slot.card for slot in slots])
        case Drawn(seat=seat, card=slot):
            return _after_draw(state, seat, slot)
        case Knocked(seat=seat):
            return _end_hand(state, (seat,))
        case Fanned(draw=slots):
            return changed(state, stage=Stage.PLAY, phase=Phase.CUT, to_act=(0,), fan=slots)
        case TurnedAt():
            return _after_cut_at(state, event)


def layout(state: State) -> Layout:
    notes = []
    if state.cut and state.hand <= 1 and not state.last_trick:
        cut = [f"{name_in_text(seat)} {card}" for seat, card in enumerate(state.cut)]
        notes.append(f"cut for the first deal: {' and '.join(cut)}")
    if state.hand and state.stage == Stage.PLAY:
        notes.append("any card may be played" if state.stock else "follow suit or trump")
    if state.goal != state.options.goal:
        notes.append(f"the goal is now {state.goal}")
    piles = [Pile("upcard", state.stock[-1:]), Pile("stock", state.stock[:-1])] if state.stock else []
    for seat, laid in enumerate(state.laid):
        piles += [Pile("melded", tuple([each.slot for each in laid]), seat, spread=True, kind="melds")] if laid else []
    piles += [Pile("out of play", state.past, kind="tricks")] if state.past else []
    piles += fan_piles(state.fan, state.drawn, SEATS)
    seats = [_seat_facts(state, seat) for seat in range(SEATS)] if state.hand and state.stage == Stage.PLAY else ()
    trump = None if state.trump is None else Trump(state.trump)
    lies = trick_layout(state, notes, piles, seats=seats, trump=trump, goal=state.goal)
    tricks = tuple([_trick_items(state, seat) for seat in range(SEATS)])
    if state.stage != Stage.PLAY:
        return replace(lies, tricks=tricks)
    played, nothing = len(state.past) + sum(map(len, state.taken)), ((),) * SEATS
    made, melds = (nothing, state.items) if state.options.score_by_round else (state.items, nothing)
    due = tuple([(*melds[seat], *tricks[seat]) for seat in range(SEATS)])
    return replace(lies, made=made, due=due, turn=played // SEATS + 1 if state.phase != Phase.CUT else 0)


def says(state: State, seat: Seat, action: Action) -> str:
    """A draw needs no words but where everybody sees the card before."""
    match action:
        case Meld(cards=named):
            return _meld_text(state, named)
        case Draw() if len(state.stock) == 1:
            return f"take the upcard, {state.stock[0].card}"
        case Knock():
            return f"knock with {state.scores[seat]} points"
        case Cut():
            return cut_saying(action, "the first deal")
        case _:
            return ""


def remarks(before: State, event: Event, after: State) -> tuple[Remark, ...]:
    """The cards that are cut, turned up and shown, which part of the round begins, and who may knock."""
    told: list[Remark] = []
    match event:
        case DealCut(draw=slots):
            drawn = [slot.card for slot in slots if slot.eyes & PUBLIC]
            told += [Remark(place % SEATS, f"cut {card}") for place, card in enumerate(drawn)]
        case Fanned():
            told.append(Remark(None, "cut for the first deal: the higher card deals"))
        case TurnedAt():
            told += cut_remarks(event, again=event.seat == 1 and after.dealer is None)
            if event.seat == 0:
                cards = len(before.fan)
                words = f"cut {event.place} of {cards} cards, leaving {cards - event.place} for {name_in_text(1)}"
                told.append(Remark(0, words))
        case Dealt():
            turned, bonus = after.stock[-1].card, f", and score {BONUS} for the dix" if any(after.items) else ""
            told.append(Remark(after.dealer, f"turn up {turned}: {turned.suit.name.lower()} are trump{bonus}"))
        case Drawn(seat=seat, card=slot) if len(before.stock) == SEATS:
            told.append(Remark(seat, f"show {slot.card}, the last face-down card"))
        case Drawn() if not after.stock:
            told.append(Remark(None, f"the stock is gone, so pick up your melds. Now {_duty_text(after)}"))
        case Played() if after.goal > before.goal:
            told.append(Remark(None, f"both reached {before.goal}, so the goal is now {after.goal}"))
    if after.hand and after.stage == Stage.PLAY:
        there = [_knock_refusal(after, seat) is None and before.scores[seat] < after.goal for seat in range(SEATS)]
        knock = f"reach {after.goal} and {'must' if after.options.auto_knock else 'can'} knock"
        told += [Remark(seat, knock) for seat in range(SEATS) if there[seat]]
    return tuple(told)


def ranking(state: State) -> Ranking | None:
    """How cards rank in tricks of the second part; None before it, when any card may be played."""
    if state.phase != Phase.SECOND:
        return None
    return Ranking(
        _trump(state), counted_card, lambda card: trick_points(state.options, [card]) > 0, strict=True, follows=False
    )


def melds_of_event(before: State, event: Event, _after: State) -> tuple[Made, ...]:
    """The melds that the event lays down or shows."""
    if not isinstance(event, Melded):
        return ()
    named = [slot.card for slot in event.cards]
    pattern = meld_of(known_melds(before), named)
    return () if pattern is None else (Made(event.seat, pattern.name, pattern.points, tuple(named)),)


def meldable_now(state: State, seat: Seat) -> tuple[Made, ...]:
    """The melds that the cards of a seat allow, whosever turn it is, each by itself."""
    if state.stage != Stage.PLAY or not state.hand or state.phase == Phase.SECOND:
        return ()
    return tuple([Made(seat, pattern.name, pattern.points, named) for pattern, named in melds_open_now(state, seat)])


def indicator(state: State, seat: Seat) -> tuple[str, ...]:
    """The meld indicator: ``undealt``, ``no meld``, ``play-off`` when nobody melds any more, or the most that a meld of
    this hand scores, with ``now`` where it may be laid at once; then each of these melds, with its cards."""
    if state.stage != Stage.PLAY or not state.hand:
        return () if state.stage == Stage.OVER else ("undealt",)
    if state.phase == Phase.SECOND:
        return ("play-off",)
    ways: dict[Pattern, tuple[Card, ...]] = {}
    for pattern, named in melds_open_now(state, seat):
        ways.setdefault(pattern, named)
    turn = state.phase == Phase.MELD and seat in state.to_act
    now = [pattern for pattern in ways if turn and _further_meld_refusal(state, pattern) is None]
    melds = sorted(now or ways, key=lambda pattern: -pattern.points)
    if not melds:
        return ("no meld",)
    each = [f"{meld.name} ({spell_cards(ways[meld])}) {meld.points}" for meld in melds]
    return (f"meld {melds[0].points}{' now' * bool(now)}", *each)


# --- for other programs too -------------------------------------------------------------------------------------------


def playable_in_second_part(state: State, held: Iterable[Card], trick: Sequence[Slot]) -> tuple[list[Card], str]:
    """Those of the cards held that may be played to this trick of the second part, and the rule that bars the others.
    Only trumps must be beaten, unless `must_overplay` says otherwise (D-2P-3)."""
    trump = _trump(state)
    return playable(held, trick, trump, to_trump=True, to_win=SUITS if state.options.must_overplay else (trump,))


def trick_points(options: Options, cards: Iterable[Card]) -> int:
    """What cards count that are taken in the second part, without the bonus for the last trick."""
    return points_of_values(cards, SIMPLIFIED if options.simplified_scoring else ORIGINAL)


def raised_goal(goal: int, totals: Sequence[int]) -> int:
    """The goal when a round has ended with these totals: put up by 250 while both have reached it (D-2P-5)."""
    while min(totals) >= goal:
        goal += STEP
    return goal


# --- private ----------------------------------------------------------------------------------------------------------

DUE: dict[Phase, tuple[type, ...]] = {
    Phase.FIRST: (Play,),
    Phase.MELD: (Meld, Draw),
    Phase.DRAW: (Draw,),
    Phase.SECOND: (Play,),
    Phase.CUT: (Cut,),
}
WHAT_NOW = {
    Phase.FIRST: "play a card first; the winner of the trick may meld, then draws",
    Phase.MELD: "you won the trick: meld, or draw",
    Phase.DRAW: "draw from the stock",
    Phase.SECOND: "the stock is gone: play a card to the trick",
    Phase.CUT: CUT_FIRST,
}


def _lowest(options: Options) -> int:
    """The rank of the dix."""
    return 7 if options.deck_64 else NINE


def _pack(options: Options) -> tuple[Card, ...]:
    return PACKS[options.deck_64]


PACKS = {False: pack_of(range(NINE, ACE + 1), copies=2), True: pack_of(range(7, ACE + 1), copies=2)}


def _dealt_to(place: int, dealer: Seat) -> Seat:
    """The seat to which the card at this place of the pack is dealt: three at a time, the dealer last (D-GEN-2)."""
    return (dealer + 1 + place // PACKET) % SEATS


def _trump(state: State) -> Suit:
    assert state.trump is not None
    return state.trump


def _duty_text(state: State) -> str:
    """The rule on what may be played in the second part, as text."""
    beat = "the card led" if state.options.must_overplay else "a trump led"
    return f"follow suit, beat {beat} if you can, and trump if you can't follow"


def _trick_items(state: State, seat: Seat) -> Items:
    """What the tricks of the second part will score, one by one."""
    taken = split_by_trick(state.taken[seat], SEATS) if state.phase == Phase.SECOND else []
    return tuple([("cards taken", trick_points(state.options, cards)) for cards in taken])


def _seat_facts(state: State, seat: Seat) -> str:
    """A note on a seat: that it may knock, and what its melds and the cards taken make in this round so far."""
    items = list(state.items[seat])
    if state.phase == Phase.SECOND and (
        points := trick_points(state.options, [slot.card for slot in state.taken[seat]])
    ):
        items.append(("cards taken", points))
    made = ", ".join([f"{what} {points}" for what, points in items])
    facts = ["can knock" if _knock_refusal(state, seat) is None else ""]
    facts.append(f"{sum_of_items(items)} this round: {made}" if items else "")
    return ", ".join(filter(None, facts))


def _meld_text(state: State, named: tuple[Card, ...]) -> str:
    """A meld with its name and points, as it is laid."""
    pattern, turned = meld_of(known_melds(state), named), state.stock[-1].card
    assert pattern is not None
    if _is_exchange(state, pattern):
        return f"exchange the dix, {named[0]}, for {turned}: {pattern.points} points"
    return f"meld {spell_cards(named)}: {pattern.name}, {pattern.points} points"


def _is_exchange(state: State, pattern: Pattern) -> bool:
    """Return whether this meld takes the place of the turn-up."""
    return pattern.kind == Kind.DIX and state.stock[-1].card.rank != _lowest(state.options)


def _knock_refusal(state: State, seat: Seat) -> str | None:
    """Why a seat may not knock in its turn; None if it may, also before its first meld of the round (D-2P-4)."""
    if state.options.score_by_round:
        return "you can't knock when melds are scored at the end of the round"
    if state.phase == Phase.SECOND:
        return "the stock is gone, so you can't knock"
    if state.scores[seat] < state.goal:
        return f"you have {state.scores[seat]} points, but need {state.goal} to knock"
    return None


def _further_meld_refusal(state: State, pattern: Pattern) -> str | None:
    """Why a meld of this kind may not be made after the melds of this trick."""
    if not state.melded or (pattern.kind == Kind.DIX and not state.options.dix_alone):
        return None
    return "you get only one meld for each trick you win" + ("" if state.options.dix_alone else ", plus any dixes")


def _melds_in_words(state: State) -> str:
    queen = "hearts" if state.options.red_pinochle else "spades"
    roundhouse = ", a roundhouse" if state.options.roundhouse else ""
    return (
        f"a marriage, a pinochle (queen of {queen}, jack of diamonds), four aces, kings, queens or jacks, a flush"
        f"{roundhouse} or the dix"
    )


def _after_cut(state: State, slots: tuple[Slot, ...]) -> State:
    """The higher card deals; should the whole draw pack be level, seat 1 (D-2P-1)."""
    first, second = cut = last_two_drawn(slots, _cut_rank)
    dealer = 0 if _cut_rank(first) > _cut_rank(second) else 1
    return changed(state, dealer=dealer, first_dealer=dealer, cut=cut)


def _places_to_cut(state: State) -> int:
    """How many cards can be cut now: seat 0 leaves at least one of the pack, of which seat 1 cuts the rest."""
    return len(state.fan) - state.lifted - (state.to_act == (0,))


def _after_cut_at(state: State, event: TurnedAt) -> State:
    """A card for each seat; if they are level they are laid aside, and both cut the other cards again."""
    packet, rest = state.fan[: state.lifted], state.fan[state.lifted :]
    fan, drawn = packet + fan_without(rest, event), (*state.drawn, event.card)
    if event.seat == 0:
        return changed(state, fan=fan, drawn=drawn, lifted=event.place - 1, to_act=(1,))
    first, second = cut = tuple([slot.card for slot in drawn[-SEATS:]])
    if _cut_rank(first) == _cut_rank(second) and fan:
        return changed(state, fan=fan, drawn=drawn, lifted=0, to_act=(0,))
    dealer = 0 if _cut_rank(first) > _cut_rank(second) else 1
    found = changed(state, stage=Stage.DEAL, to_act=(), dealer=dealer, first_dealer=dealer, cut=cut)
    return changed(found, fan=(), drawn=(), lifted=0)


def _cut_rank(card: Card) -> int:
    return counted_card(card).rank


def _start_round(state: State, slots: tuple[Slot, ...]) -> State:
    assert state.dealer is not None
    turned = slots[DEALT]
    if not turned.card or [slot.eyes & PUBLIC for slot in slots].count(PUBLIC) != 1:
        raise ValueError(NOT_ONE_UP)
    held: list[list[Slot]] = [[], []]
    for place, slot in enumerate(slots[:DEALT]):
        held[_dealt_to(place, state.dealer)].append(slot)
    leader = 1 - state.dealer
    state = changed(
        state,
        stage=Stage.PLAY,
        to_act=(leader,),
        hand=state.hand + 1,
        hands=tuple([make_bag(seat, held[seat]) for seat in range(SEATS)]),
        laid=((), ()),
        stock=(*slots[DEALT + 1 :], turned),
        trump=turned.card.suit,
        phase=Phase.FIRST,
        melded=False,
        leader=leader,
        trick=(),
        last_trick=(),
        taken=((), ()),
        past=(),
        items=((), ()),
        measured=(0,) * SEATS,
        sheet=None,
    )
    bonus = state.options.bonus_dix_dealt and turned.card.rank == _lowest(state.options)
    return _with_points(state, 1 - leader, "dix turned up", BONUS) if bonus else state


def _with_points(state: State, seat: Seat, what: str, points: int) -> State:
    """The state after a seat has scored; by round the points wait for its end."""
    items = with_seat_replaced(state.items, seat, (*state.items[seat], (what, points)))
    now = 0 if state.options.score_by_round else points
    return changed(state, items=items, scores=with_seat_replaced(state.scores, seat, state.scores[seat] + now))


def _after_play(state: State, seat: Seat, slot: Slot) -> State:
    """A card to the trick, as its face; the winner of a trick melds, and after the last one the round is scored."""
    card = Slot(slot.card.face, PUBLIC)
    if slot.card.copy:
        laid = list(state.laid[seat])
        del laid[[each.slot for each in laid].index(slot)]
        hands = with_seat_replaced(state.hands, seat, put_into_bag(state.hands[seat], (card,)))
        state = changed(state, laid=with_seat_replaced(state.laid, seat, tuple(laid)), hands=hands)
    state = play_card(state, seat, card, lambda trick: winner(trick, state.trump))
    if state.trick:
        return state
    if state.phase == Phase.FIRST:
        return changed(state, phase=Phase.MELD, melded=False)
    return state if any(map(len, state.hands)) else _end_round(state)


def _after_meld(state: State, seat: Seat, named: list[Card]) -> State:
    pattern = meld_of(known_melds(state), named)
    if pattern is None or not state.stock:
        raise ValueError(f"{spell_cards(named)} is not a meld now")
    new = [Slot(card, PUBLIC) for card in named if not card.copy]
    held, laid = take_out_of_bag(state.hands[seat], new), state.laid[seat]
    stock = state.stock
    if _is_exchange(state, pattern):
        held, stock = put_into_bag(held, stock[-1:]), (*stock[:-1], *new)
    else:
        laid = cards_after_meld(laid, pattern.kind, named)
    state = changed(
        state,
        hands=with_seat_replaced(state.hands, seat, held),
        laid=with_seat_replaced(state.laid, seat, laid),
        stock=stock,
        melded=state.melded or pattern.kind != Kind.DIX or state.options.dix_alone,
        measured=with_seat_replaced(state.measured, seat, state.measured[seat] + pattern.points),
    )
    return _with_points(state, seat, pattern.name, pattern.points)


def _after_draw(state: State, seat: Seat, slot: Slot) -> State:
    top, *rest = state.stock
    verify_top_card(top, slot.card)
    if len(rest) < SEATS and not slot.card:
        raise ValueError("the last card face down is shown by the player who draws it")
    state = changed(
        state, hands=with_seat_replaced(state.hands, seat, put_into_bag(state.hands[seat], (slot,))), stock=tuple(rest)
    )
    if state.phase == Phase.MELD:
        return changed(state, phase=Phase.DRAW, to_act=(1 - seat,))
    state = changed(state, phase=Phase.FIRST, to_act=(state.leader,))
    return state if rest else _start_second(state)


def _start_second(state: State) -> State:
    """Melded cards go back into the hands, where everybody knows them."""
    back = [[Slot(each.slot.card.face, PUBLIC) for each in laid] for laid in state.laid]
    return changed(
        state,
        phase=Phase.SECOND,
        hands=tuple([put_into_bag(held, slots) for held, slots in zip(state.hands, back, strict=True)]),
        laid=((), ()),
        past=state.taken[0] + state.taken[1],
        taken=((), ()),
    )


def _end_round(state: State) -> State:
    for seat in range(SEATS):
        if points := trick_points(state.options, [slot.card for slot in state.taken[seat]]):
            state = _with_points(state, seat, "cards taken", points)
    if state.options.bonus_last_trick:
        state = _with_points(state, state.leader, "last trick", BONUS)
    if state.options.score_by_round:
        state = changed(state, scores=sheet_of_items(state.items, state.scores).totals)
    goal = raised_goal(state.goal, state.scores)
    return _end_hand(changed(state, goal=goal), tuple([seat for seat in range(SEATS) if state.scores[seat] >= goal]))


def _end_hand(state: State, winners: tuple[Seat, ...]) -> State:
    """The round is over, and with a winner the game."""
    hand = tuple([sum_of_items(items) for items in state.items])
    return end_hand(state, Sheet(state.items, hand, state.scores), winners)


def _swap_seats(state: State, first: Seat, second: Seat) -> State:
    """The state after two seats exchange hands and the cards that lie open before them; what has been scored stays."""
    verify_equal_counts(*[len(state.hands[seat]) + len(state.laid[seat]) for seat in (first, second)])
    return changed(state, hands=with_hands_swapped(state.hands, first, second), laid=state.laid[::-1])


def _tricks_that_count(state: State, seat: Seat) -> int:
    """Points of the seat's tricks of a round that was played to its end; 0 for any other."""
    if any(map(len, state.hands)):
        return 0
    return trick_points(state.options, [slot.card for slot in state.taken[seat]])


GAME: Game[Options, State, Action, Event] = Game(
    key="pinochle2",
    rules=__doc__,
    ends="to {goal}",
    brief=(
        "{deck_64?64|48} cards{roundhouse?, with the roundhouse}; melds are added {score_by_round?when the round "
        "ends|right away}{bonus_last_trick?; the last trick counts 10}{red_pinochle?; the pinochle is red}."
    ),
    pitfalls=(
        "The ten outranks the king.",
        "Tricks count nothing until the stock is gone.",
        "Meld a marriage before its flush, not after.",
    ),
    options=Options,
    presets=PRESETS,
    actions=(Play, Meld, Draw, Knock, Cut),
    events=(Fanned, TurnedAt, DealCut, Dealt, Played, Melded, Drawn, Knocked),
    seats=lambda _options: SEATS,
    pack=_pack,
    start=start,
    next_first_dealer=next_first_dealer,
    deal=deal,
    legal=legal,
    verify=verify,
    decide=decide,
    play=play,
    layout=layout,
    measures={"melds": lambda state, seat: state.measured[seat], "tricks": _tricks_that_count},
    says=says,
    ventures=(Knock,),
    remarks=remarks,
    ranking=ranking,
    indicator=indicator,
    meldable=meldable_now,
    made=melds_of_event,
    takes_back=(Meld,),
    swap=_swap_seats,
    picks=picks_place,
    unpicked=without_picking,
    sorted_by="rank",
    high_ten=True,
    suit_order=(Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES, Suit.HEARTS),
    numbers_copies=True,
)
