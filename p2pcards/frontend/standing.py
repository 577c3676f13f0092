"""How a table stands before one person, for who draws it: who sits where, what lies before each seat and in the middle,
which cards go together, and what there is to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from p2pcards.frontend import choosing
from p2pcards.games.spelling import is_card_word
from p2pcards.games.wording import join_with_or, quantity_text
from p2pcards.present import table
from p2pcards.present.cards import (
    Style,
    count_text,
    draw_cards_in_text,
    hand_groups,
    number_text,
    usual_arrangement,
)
from p2pcards.present.story import as_sentence, capitalize_start
from p2pcards.views.tableview import PileView, SeatView, TableView
from p2pcards.wire.clean import clean

# --- who sits where ---------------------------------------------------------------------------------------------------


BELOW, LEFT, ABOVE, RIGHT = "below", "left", "above", "right"
PLACES: Mapping[int, Sequence[str]] = {
    1: (BELOW,),
    2: (BELOW, ABOVE),
    3: (BELOW, LEFT, RIGHT),
    4: (BELOW, LEFT, ABOVE, RIGHT),
}
"""By the number of seats where they are, mine first, then to the left of it, as turns go round."""


def seats_by_place(view: TableView) -> dict[str, SeatView]:
    """The seats by their place on screen, one of `PLACES`; a watcher sits behind the first seat,
    or the one whose hand they are shown."""
    me = (view.shown or 0) if view.me is None else view.me
    around = [*view.seats[me:], *view.seats[:me]]
    return dict(zip(PLACES[len(around)], around, strict=True))


Side = tuple[int, ...]


def scoring_sides(view: TableView) -> tuple[Side, ...]:
    """The sides of the game, each the seats that score together."""
    return view.sides or tuple([(seat.seat,) for seat in view.seats])


def side_name(view: TableView, side: Side) -> str:
    """The name of a side; of partners, the first word of each name."""
    names = [table.seat_name(view, seat) for seat in side]
    said = " + ".join([name.split()[0] if len(side) > 1 and name.split() else name for name in names])
    return capitalize_start(said, [name for name in said.split(" + ") if name != "you"])


# --- what lies before each seat, and in the middle --------------------------------------------------------------------


HELD, TRICKS, OPEN = "held", "tricks", "open"
TELL_THEMSELVES = ("meld", "melded", "melds in hand")
"""Names that need not stand on the cards."""


@dataclass(frozen=True, slots=True)
class CardGroup:
    """Cards that are laid together."""

    name: str  # the caption on them; "" for none
    cards: tuple[int, ...]  # as bytes, 0 for a back
    kind: str = OPEN  # `HELD` for backs of a hand, `TRICKS` for a back that lies across, `OPEN` for faces


def card_groups(view: TableView, seat: SeatView, order: str = "suit") -> tuple[CardGroup, ...]:
    """The groups of cards before a seat, held ones first; without my own hand and its melds. order: of a hand that is
    open, as in `present.cards.ORDERS`."""
    return (*_held_cards(view, seat, order), *_open_cards(view, seat), *_trick_pile(view, seat))


def is_laid_open(view: TableView) -> bool:
    """Return whether the hand is over and all the cards that I held are open before me."""
    if not table.is_hand_over(view) or view.me is None:
        return False
    known = view.seats[view.me].known
    return bool(known) and set(known) <= {card for pile in _piles_of_seat(view, view.me) for card in pile.cards}


def _piles_of_seat(view: TableView, seat: int) -> list[PileView]:
    return [pile for pile in view.piles if pile.spread and pile.seat == seat]


def _held_cards(view: TableView, seat: SeatView, order: str) -> Iterator[CardGroup]:
    """The hand of another seat: face up as far as it is known, else backs."""
    if seat.seat == view.me or not seat.cards:
        return
    lies = [card for pile in _piles_of_seat(view, seat.seat) for card in pile.cards]
    shown = table.is_hand_over(view) or table.has_open_hands(view)
    if shown and seat.known:
        if not set(seat.known) <= set(lies):
            hidden = (0,) * max(seat.cards - len(seat.known), 0)
            found = hand_groups(usual_arrangement(view.game, order), seat.known, table.trump_suit(view))
            cards = seat.known if order == "off" else [int(card) for group in found for card in group]
            yield CardGroup("hand", (*cards, *hidden))
        return
    backs = seat.cards - len([card for card in seat.known if card in lies])
    if backs > 0:
        yield CardGroup(str(backs), (0,) * backs, HELD)


def _open_cards(view: TableView, seat: SeatView) -> Iterator[CardGroup]:
    playable = {int(card) for card in choosing.playable_melded_cards(view)} if seat.seat == view.me else set()
    for pile in _piles_of_seat(view, seat.seat):
        if set(pile.cards) - playable:
            yield CardGroup("" if pile.name in TELL_THEMSELVES else clean(pile.name, 20), pile.cards)


def _trick_pile(view: TableView, seat: SeatView) -> Iterator[CardGroup]:
    """The pile of tricks taken by a seat, laid across, with their number."""
    each = len(view.last_trick)
    cards = [len(pile.cards) for pile in view.piles if pile.seat == seat.seat and pile.kind == "tricks"]
    if each and (count := sum(cards) // each):
        yield CardGroup(quantity_text(count, "trick"), (0,), TRICKS)


def shown_trick(view: TableView) -> tuple[tuple[tuple[int, int], ...], str]:
    """The cards of the trick in view, as (seat, card), and their mood. A trick that is over stays until the next
    begins."""
    if view.trick:
        return view.trick, ""
    return (view.last_trick, "won") if view.phase == "play" else ((), "")


def plays_tricks(view: TableView) -> bool:
    """Return whether this hand has tricks, played or to be played."""
    return bool(view.trick or view.last_trick or view.leader is not None)


# --- what is meant by some cards of the hand, and by a pile -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Meant:
    """What a choice of cards means."""

    line: str = ""  # to send to the table; "" for none
    several: tuple[str, ...] = ()  # lines to choose from first
    more: bool = False  # the cards are only part of a legal action


def interpret_cards(
    view: TableView, found: Sequence[choosing.LegalAction], cards: Sequence[int], *, marked: bool
) -> Meant:
    """The action meant by laying down exactly these cards. found: `legal_actions` of the view; marked: the cards were
    chosen one by one, and are all. What the rules refuse is sent all the same, so that they say why."""
    fitting = choosing.actions_with_cards(view, found, cards)
    if len(fitting) == 1:
        return Meant(fitting[0].words)
    if fitting:
        return Meant(several=tuple([action.words for action in fitting]))
    if not marked and set(cards) <= choosing.usable_cards(found):
        return Meant(more=True)
    return Meant(choosing.line_to_refuse(found, cards))


DISCARDS = "discard pile"


def drawing_buttons(pile: str, shown: Sequence[choosing.Button], *, spread: bool = False) -> list[int]:
    """The indices of the buttons that draw from the pile of this name."""
    word = "take" if spread or pile == DISCARDS else "draw"
    return [number for number, button in enumerate(shown) if button.line.partition(" ")[0] == word]


# --- what there is to do, as the line that is shown while nothing else is to be said ----------------------------------


MOST_VERBS = 4


def what_to_do(
    view: TableView,
    found: Sequence[choosing.LegalAction],
    style: Style,
    elapsed: float = 0.0,
    marked: int = 0,
    how: str = "",
    clock: bool = True,
) -> str:
    """A sentence what I can do, or whom the table waits for. found: `legal_actions` of the view; elapsed: seconds since
    the view came; marked: how many cards are marked; how: the keys that play them, "" to leave that out; clock:
    include the time left in my turn."""
    if not view.legal or view.phase != "play" or view.proposal:
        return as_sentence(table.state_and_text(view, elapsed)[0])
    if marked:
        return _marked_text(marked, found, how)
    left = f" ({time})" if clock and (time := table.clock_text(view, elapsed)) else ""
    away = [*table.cut_off_texts(view, elapsed), *table.call_texts(view, elapsed)]
    lead = "you lead; " if table.i_lead(view) else ""
    return (
        "; ".join([f"Your turn{left}: {lead}{join_with_or(_kinds_of_actions(view, found, style)[:MOST_VERBS])}", *away])
        + "."
    )


def _marked_text(marked: int, found: Sequence[choosing.LegalAction], how: str) -> str:
    """A sentence for so many marked cards: how many are missing or too many, else how to go ahead."""
    least, most = choosing.smallest_card_count(found), max([len(action.cards) for action in found], default=0) or marked
    said = f"{capitalize_start(count_text(marked))} marked"
    if marked < least:
        return f"{said}, {number_text(least - marked)} to go."
    if marked > most:
        return f"{said}, {number_text(marked - most)} too many."
    return f"{said}. Press {how} to go ahead." if how else f"{said}."


def _kinds_of_actions(view: TableView, found: Sequence[choosing.LegalAction], style: Style) -> list[str]:
    """The kinds of actions that I have, each in a few words."""
    by_verb: dict[str, list[choosing.LegalAction]] = {}
    for action in found:
        by_verb.setdefault(action.words.split()[0], []).append(action)
    ways, takes_on = {}, choosing.venture_verbs(view)
    for verb, alike in by_verb.items():
        if is_card_word(verb):
            ways["play"] = "play a card"
        elif verb in takes_on:
            ways[verb] = _common_offer(view, alike, style) or verb
        elif number := choosing.smallest_card_count(alike):
            many = "cards" if any(len(one.cards) != number for one in alike) else count_text(number).replace("one", "a")
            ways[verb] = f"{verb} {many}"
        else:
            ways[verb] = verb
    return list(ways.values())


def _common_offer(view: TableView, alike: Sequence[choosing.LegalAction], style: Style) -> str:
    """One text for actions of the same kind, with or without going alone."""
    offered = [call for words, call in view.calls if any(words == one.words for one in alike)]
    plain = [call for call in offered if not any(call != other and call.startswith(other) for other in offered)]
    return draw_cards_in_text(plain[0], style) if len(plain) == 1 and len(offered) == len(alike) else ""
