"""Crazy eights: two to four players, no partners. Be the first to get rid of your cards, and score what the others
still hold. First to {winning_score} wins.

{players=2?Two play, with seven cards each|{players=3?Three|Four} play, with five cards each}. The next card starts the
discard pile; if it's an eight, it goes under the stock and another is turned up.

On your turn, play a card of the same suit or rank as the top card, or an eight. Eights are wild: name a suit, and the
next card must be of that suit or another eight. You may draw from the stock at any time on your turn{draw_one_only?,
but just one card; if you then can't play, pass|; if you can't play, draw until you can or the stock runs out, and only
then pass}. If the stock is empty and everyone passes in a row, the hand is blocked.

{two_draws_two?After a two, the next player first draws two cards.|} {jack_skips?After a jack, the next player is
skipped.|} {king_reverses?{players=2?With two players, a king does nothing special.|A king reverses the direction of
play.}|}

Cards left in a hand count:
- eight: 50
{two_draws_two?
- two: 25|}
{jack_skips?
- jack: 25|}
{king_reverses?{players=2?|
- king: 25}}
- {jack_skips?other |{king_reverses?{players=2?|other }|}}face card or ten: 10
- ace: 1
- any other: its number

The player who goes out scores what the others hold. If the hand is blocked, the lowest hand scores its difference from
every other hand; ties split that equally, rounded down. Nobody loses points. If more than one player reaches
{winning_score}, the highest score wins; after a tie, play another hand.
"""

# Rules: rule sheet 1, from "The Real Deal" (preset real-deal) and "TeleCards" (preset telecards); the decisions D-C8-1
# to D-C8-10 are named where they are taken.
#
# Every hand ends, without a limit of turns: the discard pile is never turned into a stock (D-C8-5), so every card is
# drawn at most once and played at most once; and a pass comes after a draw of the same turn, or the stock is empty,
# where as many passes in a row as there are players end the hand.

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from p2pcards.cards.card import RANKS, SUITS, Card, Suit, spell_cards
from p2pcards.cards.eyes import PUBLIC, Bag, Slot, eye_of_seat, put_into_bag, take_out_of_bag
from p2pcards.cards.pack import pack_of
from p2pcards.games.changing import changed
from p2pcards.games.dealing import (
    DealerDrawn,
    Dealt,
    after_dealer_drawn,
    dealt_hands,
    dealt_slots,
    draw_dealer,
    next_first_dealer,
    verify_top_card,
)
from p2pcards.games.drawing import Draw, Drawn, StockState
from p2pcards.games.exchanging import swap_hands
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
    end_hand,
    sheet_of_items,
    verify_turn,
    with_seat_replaced,
)
from p2pcards.games.holding import verify_held
from p2pcards.games.options import HIGHEST_WINS, PLAYERS, WINS, flag_option, number_option
from p2pcards.games.partners import ALONE, race_winners
from p2pcards.games.playing import Pass, Passed
from p2pcards.games.showing import Shown, hands_turned_up, show_all_hands
from p2pcards.games.wording import quantity_text

PACK = pack_of()
EIGHT, JACK, KING = 8, 11, 13


@dataclass(frozen=True, slots=True)
class Options:
    winning_score: int = number_option(  # D-C8-10
        100,
        1,
        10_000,
        WINS,
        HIGHEST_WINS,
    )
    two_draws_two: bool = flag_option(
        False,
        "two penalty cards for the player after a two",
        on="After a two, the next player first draws two cards, or what's left of the stock, and then takes a normal "
        "turn. These two don't count toward a limit of one card a turn. If that player plays another two, the next one "
        "draws two, not four. A two as the starter or as a player's last card has no effect. A two left in a hand "
        "counts 25.",
        off="A two has no effect and counts 2.",
    )
    jack_skips: bool = flag_option(
        False,
        "a skipped turn after a jack",
        on="After a jack, the next player in the direction of play is skipped; with two players, you go again. A jack "
        "as the starter or as a player's last card has no effect. A jack left in a hand counts 25.",
        off="A jack has no effect and counts 10.",
    )
    king_reverses: bool = flag_option(
        False,
        "a change of direction after a king (three or four players)",
        on="With three or four players, a king reverses the direction of play until the next king or the end of the "
        "hand; every hand starts to the left. A king as the starter or as a player's last card has no effect. A king "
        "left in a hand counts 25. With two players, a king has no effect and counts 10.",
        off="A king has no effect and counts 10.",
    )
    draw_one_only: bool = flag_option(
        False,
        "a limit of one drawn card per turn",
        on="You may draw just one card a turn, even if you could play; then play any card that fits, or pass if none "
        "does. If you can't play, you must draw that card before you pass. A pass counts toward a block only when the "
        "stock is empty.",
        off="You may draw any number of cards in a turn; if you can't play, you must draw until you can or the stock "
        "is empty.",
    )
    players: int = number_option(
        4,
        2,
        4,
        PLAYERS,
        "There are {players} players. Two get seven cards each, three or four get five.",
    )


PRESETS = {"usual": Options(), "real-deal": Options(), "telecards": Options(players=2)}


# --- actions and events -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Play:
    """suit: what an eight names; None for any other card, and for an eight that is the last card of the hand."""

    card: Card
    suit: Suit | None = None


@dataclass(frozen=True, slots=True)
class Played:
    seat: Seat
    card: Slot
    suit: Suit | None


Action = Play | Draw | Pass
Event = DealerDrawn | Dealt | Played | Drawn | Passed | Shown


@dataclass(frozen=True)
class State(StockState):
    options: Options
    suit: Suit | None = None  # in force; None before a deal
    step: int = 1  # 1 clockwise, -1 counterclockwise
    owed: int = 0  # cards that the seat to act must draw for a two
    drawn: int = 0  # cards that it has drawn otherwise
    passes: int = 0  # in a row, over an empty stock
    sheet: Sheet | None = None
    winners: tuple[Seat, ...] = ()


# --- the game ---------------------------------------------------------------------------------------------------------


def deal(state: State, pack: tuple[Card, ...], draw: tuple[Card, ...]) -> DealerDrawn | Dealt:
    """A view takes the card after the hands for the starter; if it is an eight, the outcome turns up the next too."""
    if state.dealer is None:
        return draw_dealer(draw)
    slots = list(dealt_slots(pack, state.options.players, state.dealer, _cards_each(state.options)))
    place = _number_dealt(state.options)
    slots[place] = Slot(pack[place], PUBLIC)
    while pack[place].rank == EIGHT:  # D-C8-1
        place += 1
        slots[place] = Slot(pack[place], PUBLIC)
    return Dealt(tuple(slots))


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    if seat not in state.to_act:
        return ()
    if state.owed:
        return (Draw(),)
    held = state.hands[seat]
    plays: list[Action] = []
    for card in held.cards:
        if _matches_top_card(state, card):
            plays += [Play(card, suit) for suit in (SUITS if _must_name_suit(card, held) else (None,))]
    if _draw_refusal(state) is None:
        return (*plays, Draw())
    return tuple(plays) or (Pass(),)


def verify(state: State, seat: Seat, action: Action) -> None:
    verify_turn(state, seat)
    held = state.hands[seat]
    if state.owed and not isinstance(action, Draw):
        raise IllegalAction("first draw two cards for the two, or what's left of the stock")
    match action:
        case Play(card=card, suit=suit):
            _verify_play(state, held, card, suit)
        case Draw():
            if reason := _draw_refusal(state):
                raise IllegalAction(reason)
        case Pass():  # D-C8-3: nobody passes who can play
            if any(_matches_top_card(state, card) for card in held.cards):
                raise IllegalAction("you can play a card, so you can't pass")
            if _draw_refusal(state) is None:
                raise IllegalAction("draw before you pass")


def _verify_play(state: State, held: Bag, card: Card, suit: Suit | None) -> None:
    verify_held(held, card)
    if not _matches_top_card(state, card):
        assert state.suit is not None
        rank = state.discards[-1].card.rank
        other = "" if rank == EIGHT else f", a {RANKS[rank - 2]}"
        raise IllegalAction(f"play a {state.suit.name.lower()[:-1]}{other} or an eight")
    if _must_name_suit(card, held):
        if suit is None:
            raise IllegalAction("name a suit with the eight")
    elif suit is not None:
        reason = "you don't name a suit with your last card" if card.rank == EIGHT else "only an eight names a suit"
        raise IllegalAction(reason)


def decide(state: State, seat: Seat, action: Action) -> Played | Drawn | Passed:
    match action:
        case Play(card=card, suit=suit):
            return Played(seat, Slot(card, PUBLIC), suit)
        case Draw():
            top = state.stock[0]
            return Drawn(seat, Slot(top.card, top.eyes & PUBLIC or eye_of_seat(seat)))
        case Pass():
            return Passed(seat)


def play(state: State, event: Event) -> State:
    match event:
        case DealerDrawn():
            return after_dealer_drawn(state, event, PACK)
        case Dealt(pack=slots):
            return _start_hand(state, slots)
        case Played(seat=seat, card=slot, suit=suit):
            return _after_play(state, seat, slot, suit)
        case Drawn(seat=seat, card=slot):
            return _after_draw(state, seat, slot)
        case Passed(seat=seat):
            passes = 0 if state.stock else state.passes + 1
            if passes == state.options.players:
                return changed(state, stage=Stage.SHOW, to_act=(), passes=passes)
            return changed(_turn_to(state, _seat_after(state, seat)), passes=passes)
        case Shown(hands=hands):
            return _score_hand(changed(state, hands=hands_turned_up(state.hands, hands)))


def layout(state: State) -> Layout:
    notes = []
    if state.stage == Stage.PLAY:
        if state.discards[-1].card.rank == EIGHT and state.suit is not None:
            notes.append(f"{state.suit.name.lower()} named")
        if state.step < 0:
            notes.append("play goes to the right")
        if state.owed:
            notes.append(f"{state.owed} to draw for the two")
        if not state.stock:
            notes.append("the stock is empty")
    return Layout(
        piles=(Pile("stock", state.stock), Pile("discard pile", state.discards)),
        notes=tuple(notes),
        seats=tuple([_points_left_text(state, held) for held in state.hands]) if state.sheet else (),
        counted=bool(state.hand and not state.sheet),
    )


def says(state: State, seat: Seat, action: Action) -> str:  # noqa: ARG001 - as in every game
    match action:
        case Play(card=card, suit=suit):
            return f"play {card}" if suit is None else f"play {card}, naming {suit.name.lower()}"
        case Draw():
            top = state.stock[0]
            seen = f"{top.card} " if top.eyes & PUBLIC else ""
            return f"draw {seen}from the stock" + " for the two" * bool(state.owed)
        case Pass():
            return "pass"


def remarks(before: State, event: Event, after: State) -> tuple[Remark, ...]:
    """The starter; what a card does, and to whom; a last card; how a hand ends, and what everybody has left."""
    match event:
        case Dealt():
            passed_over = [slot.card for slot in after.stock if slot.eyes & PUBLIC]
            under = f"; {spell_cards(passed_over)} went under the stock" if passed_over else ""
            return (Remark(None, f"the starter is {after.discards[-1].card}{under}"),)
        case Played(seat=seat):
            return _effect_remarks(before, seat, after)
        case Drawn() if not after.stock:
            return (Remark(None, "the stock is empty now"),)
        case Passed() if after.stage == Stage.SHOW:
            return (Remark(None, "nobody can play or draw, so the hand is blocked"),)
        case Shown():
            left = [held for held in after.hands if len(held)]
            counts = {held.owner: _hand_count(after.options, held.cards) for held in left}
            return tuple(
                [
                    Remark(held.owner, f"have {spell_cards(held.cards)} left, worth {counts[held.owner]}")
                    for held in left
                ]
            )
        case _:
            return ()


def own_hand_facts(state: State, seat: Seat) -> tuple[str, ...]:
    """For the player alone: what the hand would score for another who goes out."""
    held = state.hands[seat].cards
    points = _hand_count(state.options, held)
    return (f"{quantity_text(points, 'point')} in hand",) if state.stage == Stage.PLAY else ()


# --- for other programs too -------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def card_count(options: Options, card: Card) -> tuple[str, int]:
    """The points of a card left in a hand, and the name of its kind."""
    special = {
        2: ("twos", options.two_draws_two),
        JACK: ("jacks", options.jack_skips),
        KING: ("kings", _king_turns(options)),  # only while it turns (D-C8-8)
    }
    rank = card.rank
    if rank == EIGHT:
        return "eights", 50
    if rank in special and special[rank][1]:
        return special[rank][0], 25
    if rank == 14:
        return "aces", 1
    return ("face cards and tens", 10) if rank >= 10 else ("pips", rank)


def score_items(options: Options, hands: Sequence[Sequence[Card]]) -> tuple[Items, ...]:
    """Score items of each seat: what it scores for the hands left, item by item; nobody loses anything (D-C8-9)."""
    out = next((seat for seat, cards in enumerate(hands) if not cards), None)
    if out is None:
        return _block_items([_hand_count(options, cards) for cards in hands])
    won: dict[str, int] = {}
    for cards in hands:
        for card in cards:
            kind, count = card_count(options, card)
            won[kind] = won.get(kind, 0) + count
    return tuple([tuple(won.items()) if seat == out else () for seat in range(len(hands))])


# --- private ----------------------------------------------------------------------------------------------------------


def _cards_each(options: Options) -> int:
    return 7 if options.players == 2 else 5


def _number_dealt(options: Options) -> int:
    """How many cards all the hands have."""
    return options.players * _cards_each(options)


def _matches_top_card(state: State, card: Card) -> bool:
    """Return whether a card may be played on the discard pile: an eight, or of its suit or rank."""
    top = state.discards[-1].card
    return card.rank == EIGHT or card.suit == state.suit or (card.rank == top.rank and top.rank != EIGHT)


def _must_name_suit(card: Card, held: Bag) -> bool:
    """Return whether playing this card needs a suit to be named: an eight that is not the last card."""
    return card.rank == EIGHT and len(held) > 1


def _draw_refusal(state: State) -> str | None:
    if not state.stock:
        return "the stock is empty"
    if state.options.draw_one_only and state.drawn and not state.owed:  # D-C8-4; for a two: D-C8-6
        return "you can draw only one card a turn"
    return None


def _seat_after(state: State, seat: Seat, steps: int = 1) -> Seat:
    return (seat + steps * state.step) % state.options.players


def _turn_to(state: State, seat: Seat, owed: int = 0) -> State:
    """The turn goes to this seat, who first draws what they owe, or what is left of a short stock (D-C8-6)."""
    return changed(state, to_act=(seat,), drawn=0, owed=min(owed, len(state.stock)))


def _start_hand(state: State, slots: tuple[Slot, ...]) -> State:
    assert state.dealer is not None
    options = state.options
    dealt = end = _number_dealt(options)
    while slots[end].card.rank == EIGHT:
        end += 1
    starter = slots[end]
    turned = [place for place, slot in enumerate(slots) if slot.eyes & PUBLIC]
    if turned != list(range(dealt, end + 1)) or not starter.card:
        raise ValueError("the starter was not turned up correctly")
    return changed(
        state,
        stage=Stage.PLAY,
        to_act=((state.dealer + 1) % options.players,),
        hand=state.hand + 1,
        hands=dealt_hands(slots, options.players, state.dealer, _cards_each(options)),
        stock=slots[end + 1 :] + slots[dealt:end],
        discards=(starter,),
        suit=starter.card.suit,  # the starter has no other effect (D-C8-2)
        step=1,
        owed=0,
        drawn=0,
        passes=0,
        sheet=None,
    )


def _after_play(state: State, seat: Seat, slot: Slot, suit: Suit | None) -> State:
    options, held, card = state.options, state.hands[seat], slot.card
    if _must_name_suit(card, held) != (suit is not None):
        raise ValueError("only an eight names a suit, and it must")
    rest = take_out_of_bag(held, (slot,))
    state = changed(
        state,
        hands=with_seat_replaced(state.hands, seat, rest),
        discards=(*state.discards, slot),
        suit=card.suit if suit is None else Suit(suit),
        passes=0,
    )
    if not len(rest):  # the last card has no further effect (D-C8-7)
        return changed(state, stage=Stage.SHOW, to_act=(), drawn=0)
    if card.rank == KING and _king_turns(options):
        state = changed(state, step=-state.step)
    skipped = card.rank == JACK and options.jack_skips
    owed = 2 if card.rank == 2 and options.two_draws_two else 0
    return _turn_to(state, _seat_after(state, seat, 2 if skipped else 1), owed)


def _after_draw(state: State, seat: Seat, slot: Slot) -> State:
    top, *rest = state.stock
    verify_top_card(top, slot.card)
    return changed(
        state,
        hands=with_seat_replaced(state.hands, seat, put_into_bag(state.hands[seat], (slot,))),
        stock=tuple(rest),
        owed=max(state.owed - 1, 0),
        drawn=state.drawn + (not state.owed),
        passes=0,
    )


def _king_turns(options: Options) -> bool:
    return options.king_reverses and options.players > 2


def _effect_remarks(before: State, seat: Seat, after: State) -> tuple[Remark, ...]:
    """Remarks on what a played card does, and that it was the last one or leaves only one."""
    left = len(after.hands[seat])
    if not left:
        return (Remark(seat, "go out"),)
    options, card, told = after.options, after.discards[-1].card, []
    if after.step != before.step:
        told.append(Remark(None, f"play now goes to the {'left' if after.step > 0 else 'right'}"))
    if card.rank == JACK and options.jack_skips:
        told.append(Remark(_seat_after(after, seat), "are skipped"))
    if after.owed:
        told.append(Remark(after.to_act[0], f"have to draw {'two cards' if after.owed > 1 else 'the last card'}"))
    if left == 1:
        told.append(Remark(seat, "have one card left"))
    return tuple(told)


def _points_left_text(state: State, held: Bag) -> str:
    """The points of the cards that a seat has left, as text."""
    count = _hand_count(state.options, held.cards)
    return f"{count} in {quantity_text(len(held), 'card')}" if len(held) else ""


def _hand_count(options: Options, cards: Iterable[Card]) -> int:
    """Points of the cards left in a hand."""
    return sum([card_count(options, card)[1] for card in cards])


def _block_items(counts: Sequence[int]) -> tuple[Items, ...]:
    """Score items of a hand that ended in a block, by the counts of the hands."""
    low = min(counts)
    share = sum(count - low for count in counts) // counts.count(low)  # the remainder is dropped (D-C8-9)
    return tuple([(("lowest in the block", share),) if count == low else () for count in counts])


def _score_hand(state: State) -> State:
    options = state.options
    sheet = sheet_of_items(score_items(options, [held.cards for held in state.hands]), state.scores)
    return end_hand(state, sheet, race_winners(ALONE[: options.players], sheet.totals, options.winning_score))


GAME: Game[Options, State, Action, Event] = Game(
    key="crazy_eights",
    rules=__doc__,
    ends="to {winning_score}",
    brief=(
        "{players} players; {draw_one_only?draw at most one card|draw until you can play}{two_draws_two?; after a two"
        " the next player draws two}{jack_skips?; a jack skips the next player}{king_reverses?; a king reverses "
        "play}."
    ),
    pitfalls=(
        "After an eight, only the suit that was named counts.",
        "An eight left in your hand gives the winner 50.",
        "You may draw even when you could play.",
    ),
    options=Options,
    presets=PRESETS,
    actions=(Play, Draw, Pass),
    events=(DealerDrawn, Dealt, Played, Drawn, Passed, Shown),
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
    measures={"won": lambda state, seat: state.sheet is not None and state.sheet.hand[seat] > 0},
    says=says,
    remarks=remarks,
    own=own_hand_facts,
    also=("eights",),
    swap=swap_hands,
)
