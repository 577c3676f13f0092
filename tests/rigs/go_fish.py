"""Go fish: two to four players, each alone; ask the others for their cards, and lay down books: all four of a rank.

{players=4?Five|Seven} cards each for {players} players; the rest are the stock. In turn, ask another player for a
rank of which you hold a card yourself. They hand over every card of it that they hold, face up, and you go on. If they
hold none, you go fishing: draw the top card of the stock. If it is of the rank you asked for, it is shown.
{catch_again!} Otherwise, and where the stock is empty, the turn passes to the left.

In your turn, lay down every book you hold before you do anything else. With an empty hand, draw a card and go on; where
nobody else has a card, draw one, and the turn passes. Once the stock is empty, a player without cards is passed over.
The hand is over when all thirteen books are laid down. Each counts one. {winning_score!}
"""

# Rules: Hoyle's, as the makers of playing cards print them. Other books pass the turn to the player who was asked in
# vain, and end the hand with the first empty hand or the last card of the stock.

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from p2pcards.cards.card import RANKS, SUITS, Card
from p2pcards.cards.eyes import PUBLIC, TRUTH, Bag, Slot, could_hold, eye_of_seat, put_into_bag, take_out_of_bag
from p2pcards.cards.pack import pack_of
from p2pcards.games.changing import changed
from p2pcards.games.dealing import DealerDrawn, dealt_hands, dealt_slots, draw_dealer, drawn_dealer
from p2pcards.games.game import (
    Game,
    IllegalAction,
    Layout,
    Pile,
    Seat,
    Sheet,
    Stage,
    end_hand,
    sheet_of_items,
    with_seat_replaced,
)
from p2pcards.games.holding import verify_held
from p2pcards.games.options import flag_option, number_option
from p2pcards.games.partners import ALONE, race_winners
from p2pcards.games.showing import hand_with_part_shown, show_part_of_hand

PACK = pack_of()
BOOKS = tuple([tuple([Card.of(rank, suit) for suit in SUITS]) for rank in range(2, 15)])


@dataclass(frozen=True, slots=True)
class Options:
    winning_score: int = number_option(
        20,
        1,
        1000,
        "the score that wins the game",
        "A player who has {winning_score} points or more when a hand has been scored wins, with the highest score if "
        "several have.",
    )
    catch_again: bool = flag_option(
        True,
        "a player who draws a card of the rank they asked for goes on",
        on="If you draw a card of the rank that you asked for, you go on.",
        off="After a draw the turn passes on, whatever you drew.",
    )
    players: int = number_option(4, 2, 4, "how many players there are", "So many players sit at the table.")


PRESETS = {"standard": Options(), "three": Options(players=3, catch_again=False)}


# --- actions and events -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ask:
    """player: who is asked, as the table numbers them, from 1. book: all four cards of the rank, ascending; they name
    it because the words of an action may be typed in any order, and of two numbers nobody could tell which is which."""

    player: int
    book: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """The top card of the stock."""


@dataclass(frozen=True, slots=True)
class Lay:
    book: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """The shuffled pack in its order."""

    pack: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """given: a slot for each card of the other hand, first those that are handed over, then face-down ones."""

    seat: Seat
    other: Seat
    rank: int
    given: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    seat: Seat
    card: Slot


@dataclass(frozen=True, slots=True)
class Shown:
    """The card that was drawn, face down unless it is of the rank asked for."""

    card: Slot


@dataclass(frozen=True, slots=True)
class Laid:
    seat: Seat
    book: tuple[Slot, ...]


Action = Ask | Draw | Lay
Event = DealerDrawn | Dealt | Asked | Drawn | Shown | Laid


@dataclass(frozen=True)
class State:
    """books: by seat; catch: a card that was drawn, until it comes into the hand; stock: the next card to be drawn
    first; known: seats with the ranks that they asked for and still hold; rank: what was asked for in vain, until
    the draw for it is over."""

    options: Options
    scores: tuple[int, ...]
    hands: tuple[Bag, ...]
    books: tuple[tuple[Slot, ...], ...]
    catch: Bag
    eyes: int = TRUTH
    stage: Stage = Stage.DEAL
    to_act: tuple[Seat, ...] = ()
    hand: int = 0
    dealer: Seat | None = None
    stock: tuple[Slot, ...] = ()
    known: tuple[tuple[Seat, int], ...] = ()
    rank: int | None = None
    sheet: Sheet | None = None
    winners: tuple[Seat, ...] = ()


# --- the game ---------------------------------------------------------------------------------------------------------


def start(options: Options, first_dealer: Seat | None) -> State:
    hands = tuple([Bag(seat) for seat in range(options.players)])
    return State(options, (0,) * len(hands), hands, ((),) * len(hands), Bag(0), dealer=first_dealer)


def next_first_dealer(state: State) -> Seat:
    """The next seat, as from hand to hand."""
    return state.dealer or 0


def deal(state: State, pack: tuple[Card, ...], draw: tuple[Card, ...]) -> DealerDrawn | Dealt:
    if state.dealer is None:
        return draw_dealer(draw)
    return Dealt(dealt_slots(pack, state.options.players, state.dealer, _each(state.options)))


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    if seat not in state.to_act:
        return ()
    held = state.hands[seat].cards
    if full := _full_books(held):
        return tuple([Lay(book) for book in full])
    if _must_draw(state, seat):
        return (Draw(),)
    books = [book for book in BOOKS if not set(book).isdisjoint(held)]
    return tuple([Ask(player, book) for player in _askable(state, seat) for book in books])


def verify(state: State, seat: Seat, action: Action) -> None:
    if seat not in state.to_act:
        raise IllegalAction("it is not your turn")
    held = state.hands[seat]
    if not isinstance(action, Lay) and _full_books(held.cards):
        raise IllegalAction("you hold a book: lay it down first")
    if isinstance(action, Ask) and _must_draw(state, seat):
        raise IllegalAction("draw a card first")
    if not isinstance(action, Draw) and action.book not in BOOKS:
        raise IllegalAction("a book is the four cards of a rank, in ascending order")
    match action:
        case Ask(player=player, book=book):
            if player not in _askable(state, seat):
                raise IllegalAction("ask another player, who has a card")
            if not any(could_hold(held, card) for card in book):
                raise IllegalAction("ask for a rank of which you hold a card")
        case Draw():
            if not state.stock or not _must_draw(state, seat):
                raise IllegalAction("you draw when you asked in vain, or have no card, or nobody else has one")
        case Lay(book=book):
            for card in book:
                verify_held(held, card)


def decide(state: State, seat: Seat, action: Action) -> Asked | Drawn | Laid:
    match action:
        case Ask(player=player, book=book):
            rank, other = book[0].rank, player - 1
            return Asked(seat, other, rank, show_part_of_hand(state.hands[other], _of(rank)))
        case Draw():
            return Drawn(seat, Slot(state.stock[0].card, eye_of_seat(seat)))
        case Lay(book=book):
            return Laid(seat, tuple([Slot(card, PUBLIC) for card in book]))


def show(state: State) -> Shown:
    return Shown(*show_part_of_hand(state.catch, _of(state.rank)))


def play(state: State, event: Event) -> State:
    match event:
        case DealerDrawn():
            return changed(state, dealer=drawn_dealer(event, PACK, state.options.players))
        case Dealt(pack=slots):
            return _start_hand(state, slots)
        case Asked(seat=seat, other=other, rank=rank, given=given):
            return _hand_over(state, seat, other, rank, given)
        case Drawn(seat=seat, card=slot):
            return changed(state, stage=Stage.SHOW, to_act=(), stock=state.stock[1:], catch=Bag(seat, (slot,)))
        case Shown(card=slot):
            return _land(state, slot)
        case Laid(seat=seat, book=book):
            hands = with_seat_replaced(state.hands, seat, take_out_of_bag(state.hands[seat], book))
            books = with_seat_replaced(state.books, seat, (*state.books[seat], *book))
            known = tuple([each for each in state.known if each != (seat, book[0].card.rank)])
            return _turn(changed(state, hands=hands, books=books, known=known), seat)


def layout(state: State) -> Layout:
    books = [Pile("books", slots, seat, spread=True) for seat, slots in enumerate(state.books) if slots]
    notes = (f"fishing for {RANKS[state.rank - 2]}",) if state.rank else ()
    known = [[RANKS[rank - 2] for other, rank in state.known if other == seat] for seat in range(len(state.hands))]
    seats = tuple([f"has {' '.join(ranks)}" if ranks else "" for ranks in known])
    return Layout(piles=(Pile("stock", state.stock), *books), notes=notes, seats=seats)


# --- private ----------------------------------------------------------------------------------------------------------


def _each(options: Options) -> int:
    return 5 if options.players == 4 else 7


def _of(rank: int | None) -> Callable[[Sequence[Card]], tuple[Card, ...]]:
    """The cards of this rank among some."""
    return lambda cards: tuple([card for card in cards if card.rank == rank])


def _full_books(held: Sequence[Card]) -> list[tuple[Card, ...]]:
    return [book for book in BOOKS if set(book) <= set(held)]


def _askable(state: State, seat: Seat) -> list[int]:
    """The other players who have a card, from 1."""
    return [other + 1 for other, held in enumerate(state.hands) if other != seat and len(held)]


def _must_draw(state: State, seat: Seat) -> bool:
    return state.rank is not None or not len(state.hands[seat]) or not _askable(state, seat)


def _start_hand(state: State, slots: tuple[Slot, ...]) -> State:
    assert state.dealer is not None
    players, each = state.options.players, _each(state.options)
    return changed(
        state,
        stage=Stage.PLAY,
        to_act=((state.dealer + 1) % players,),
        hand=state.hand + 1,
        hands=dealt_hands(slots, players, state.dealer, each),
        books=((),) * players,
        stock=slots[players * each :],
        known=(),
        sheet=None,
    )


def _hand_over(state: State, seat: Seat, other: Seat, rank: int, given: tuple[Slot, ...]) -> State:
    handed = [slot for slot in given if slot.card]
    rest = take_out_of_bag(hand_with_part_shown(state.hands[other], given, _of(rank)), handed)
    if _of(rank)(rest.cards):
        raise ValueError(f"seat {other} keeps a card that was asked for")
    hands = with_seat_replaced(
        with_seat_replaced(state.hands, other, rest), seat, put_into_bag(state.hands[seat], handed)
    )
    known = {(seat, rank), *state.known} - {(other, rank)}
    state = changed(state, hands=hands, known=tuple(sorted(known)))
    if handed:
        return state
    return changed(state, rank=rank) if state.stock else _turn(state, seat + 1)


def _land(state: State, slot: Slot) -> State:
    """The card drawn comes into the hand; whether it was a catch says whose turn it is."""
    seat = state.catch.owner
    held, catch = state.hands[seat], hand_with_part_shown(state.catch, (slot,), _of(state.rank))
    again = not len(held) or (slot.card and state.options.catch_again)
    hands = with_seat_replaced(state.hands, seat, put_into_bag(held, catch.slots))
    state = changed(state, stage=Stage.PLAY, to_act=(seat,), hands=hands, catch=Bag(0), rank=None)
    return state if again else _turn(state, seat + 1)


def _turn(state: State, seat: Seat) -> State:
    """The turn of this seat, or of the next that has a card or can draw one; all books are down where nobody has."""
    seats = [place % state.options.players for place in range(seat, seat + state.options.players)]
    able = [seat for seat in seats if state.stock or len(state.hands[seat])]
    return changed(state, to_act=(able[0],)) if able else _score_hand(state)


def _score_hand(state: State) -> State:
    items = tuple([(("books", len(slots) // 4),) if slots else () for slots in state.books])
    sheet = sheet_of_items(items, state.scores)
    return end_hand(state, sheet, race_winners(ALONE[: len(items)], sheet.totals, state.options.winning_score))


GAME: Game[Options, State, Action, Event] = Game(
    key="go_fish",
    rules=__doc__,
    options=Options,
    presets=PRESETS,
    actions=(Ask, Draw, Lay),
    events=(DealerDrawn, Dealt, Asked, Drawn, Shown, Laid),
    private={},
    seats=lambda options: options.players,
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
)
