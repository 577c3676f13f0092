"""How a table stands before one person, for who draws it: who sits where, what lies before each seat and in the middle,
which cards go together, and what there is to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from p2pcards.frontend.choosing import (
    Button,
    LegalAction,
    asked_count,
    melded,
    refused_line,
    usable,
    ventures,
    with_cards_of,
)
from p2pcards.games.spelling import is_card_word
from p2pcards.present.cards import Style, count_text, hand_groups, number_text, usual, with_cards
from p2pcards.present.story import capital, sentence
from p2pcards.present.table import calls, clock_text, cut_off, going_on, is_over, leads, seat_name, trump_suit
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


def places(view: TableView) -> dict[str, SeatView]:
    """By place who sits there; a watcher sits behind the first seat."""
    me = view.me or 0
    around = [*view.seats[me:], *view.seats[:me]]
    return dict(zip(PLACES[len(around)], around, strict=True))


Side = tuple[int, ...]


def sides(view: TableView) -> tuple[Side, ...]:
    """The seats that score together."""
    return view.sides or tuple([(seat.seat,) for seat in view.seats])


def side_name(view: TableView, side: Side) -> str:
    """Of partners the first word of each name."""
    names = [seat_name(view, seat) for seat in side]
    said = " + ".join([name.split()[0] if len(side) > 1 and name.split() else name for name in names])
    return capital(said, [name for name in said.split(" + ") if name != "you"])


# --- what lies before each seat, and in the middle --------------------------------------------------------------------


HELD, TRICKS, OPEN = "held", "tricks", "open"
TELL_THEMSELVES = ("meld", "melded", "melds in hand")
"""Names that need not stand on the cards."""


@dataclass(frozen=True, slots=True)
class Group:
    """Cards that lie together."""

    name: str  # the caption on them; "" for none
    cards: tuple[int, ...]  # as bytes, 0 for a back
    kind: str = OPEN  # `HELD` for backs of a hand, `TRICKS` for a back that lies across, `OPEN` for faces


def groups(view: TableView, seat: SeatView, order: str = "suit") -> tuple[Group, ...]:
    """All that lies before a seat, what it holds first; but for my hand, and what of my melds is in it. order: of a
    hand that lies open, as that of mine; one of `present.cards.ORDERS`."""
    return (*_held(view, seat, order), *_open(view, seat), *_tricks(view, seat))


def is_laid_open(view: TableView) -> bool:
    """Whether the hand is over and all that I held lies before me."""
    if not is_over(view) or view.me is None:
        return False
    known = view.seats[view.me].known
    return bool(known) and set(known) <= {card for pile in _piles(view, view.me) for card in pile.cards}


def _piles(view: TableView, seat: int) -> list[PileView]:
    return [pile for pile in view.piles if pile.spread and pile.seat == seat]


def _held(view: TableView, seat: SeatView, order: str) -> Iterator[Group]:
    """The hand of another seat: turned up where it is known and may be seen, else backs."""
    if seat.seat == view.me or not seat.cards:
        return
    lies = [card for pile in _piles(view, seat.seat) for card in pile.cards]
    shown = is_over(view) or view.face_up
    if shown and seat.known:
        if not set(seat.known) <= set(lies):
            hidden = (0,) * max(seat.cards - len(seat.known), 0)
            found = hand_groups(usual(view.game, order), seat.known, trump_suit(view))
            cards = seat.known if order == "off" else [int(card) for group in found for card in group]
            yield Group("hand", (*cards, *hidden))
        return
    backs = seat.cards - len([card for card in seat.known if card in lies])
    if backs > 0:
        yield Group(str(backs), (0,) * backs, HELD)


def _open(view: TableView, seat: SeatView) -> Iterator[Group]:
    playable = {int(card) for card in melded(view)} if seat.seat == view.me else set()
    for pile in _piles(view, seat.seat):
        if set(pile.cards) - playable:
            yield Group("" if pile.name in TELL_THEMSELVES else clean(pile.name, 20), pile.cards)


def _tricks(view: TableView, seat: SeatView) -> Iterator[Group]:
    """A pile that lies across, with how many tricks it is."""
    each = len(view.last_trick)
    cards = [len(pile.cards) for pile in view.piles if pile.seat == seat.seat and pile.kind == "tricks"]
    if each and (count := sum(cards) // each):
        yield Group(f"{count} trick{'s' * (count != 1)}", (0,), TRICKS)


def shown_trick(view: TableView) -> tuple[tuple[tuple[int, int], ...], str]:
    """The cards of the trick that lies there, and their mood: one that is over lies there until the next begins."""
    if view.trick:
        return view.trick, ""
    return (view.last_trick, "won") if view.phase == "play" else ((), "")


def plays_tricks(view: TableView) -> bool:
    """Whether tricks are played in this hand, or have been."""
    return bool(view.trick or view.last_trick or view.leader is not None)


# --- what is meant by some cards of the hand, and by a pile -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Meant:
    """What a choice of cards means."""

    line: str = ""  # to send to the table; "" for none
    several: tuple[str, ...] = ()  # lines to choose from first
    more: bool = False  # the cards are only part of a legal action


def meant_by(view: TableView, found: Sequence[LegalAction], cards: Sequence[int], *, marked: bool) -> Meant:
    """What somebody means who lays down just these cards. found: `actions` of the view; marked: they were chosen one by
    one, and are all. What the rules refuse is said all the same, as they tell why."""
    fitting = with_cards_of(view, found, cards)
    if len(fitting) == 1:
        return Meant(fitting[0].words)
    if fitting:
        return Meant(several=tuple([action.words for action in fitting]))
    if not marked and set(cards) <= usable(found):
        return Meant(more=True)
    return Meant(refused_line(found, cards))


DISCARDS = "discard pile"


def drawing(pile: str, shown: Sequence[Button], *, spread: bool = False) -> list[int]:
    """The numbers of the buttons by which a card comes from a pile of this name."""
    word = "take" if spread or pile == DISCARDS else "draw"
    return [number for number, button in enumerate(shown) if button.line.partition(" ")[0] == word]


# --- what there is to do, as the line that is shown while nothing else is to be said ----------------------------------


MOST_VERBS = 4


def to_do(
    view: TableView,
    found: Sequence[LegalAction],
    style: Style,
    elapsed: float = 0.0,
    marked: int = 0,
    how: str = "",
    clock: bool = True,
) -> str:
    """A sentence: what I can do, or whom the table waits for. found: `actions` of the view; elapsed: seconds since the
    view came; marked: how many cards are marked; how: the keys that play them, "" to leave that out; clock: with the
    time left in my turn."""
    if not view.legal or view.phase != "play" or view.proposal:
        return sentence(going_on(view, elapsed)[0])
    if marked:
        return _marked_text(marked, found, how)
    left = f" ({time})" if clock and (time := clock_text(view, elapsed)) else ""
    away = [*cut_off(view, elapsed), *calls(view, elapsed)]
    lead = "you lead; " if leads(view) else ""
    return "; ".join([f"Your turn{left}: {lead}{_either(_ways(view, found, style)[:MOST_VERBS])}", *away]) + "."


def _marked_text(marked: int, found: Sequence[LegalAction], how: str) -> str:
    """A sentence for so many marked cards: how many are missing or too many, else how to go ahead."""
    least, most = asked_count(found), max([len(action.cards) for action in found], default=0) or marked
    said = f"{capital(count_text(marked))} marked"
    if marked < least:
        return f"{said}, {number_text(least - marked)} to go."
    if marked > most:
        return f"{said}, {number_text(marked - most)} too many."
    return f"{said}. Press {how} to go ahead." if how else f"{said}."


def _ways(view: TableView, found: Sequence[LegalAction], style: Style) -> list[str]:
    """The kinds of what I can do, each in a few words."""
    by_verb: dict[str, list[LegalAction]] = {}
    for action in found:
        by_verb.setdefault(action.words.split()[0], []).append(action)
    ways, takes_on = {}, ventures(view)
    for verb, alike in by_verb.items():
        if is_card_word(verb):
            ways["play"] = "play a card"
        elif verb in takes_on:
            ways[verb] = _call(view, alike, style) or verb
        elif number := asked_count(alike):
            many = "cards" if any(len(one.cards) != number for one in alike) else count_text(number).replace("one", "a")
            ways[verb] = f"{verb} {many}"
        else:
            ways[verb] = verb
    return list(ways.values())


def _call(view: TableView, alike: Sequence[LegalAction], style: Style) -> str:
    """How all of these are offered where they are one, going alone or not."""
    offered = [call for words, call in view.calls if any(words == one.words for one in alike)]
    plain = [call for call in offered if not any(call != other and call.startswith(other) for other in offered)]
    return with_cards(plain[0], style) if len(plain) == 1 and len(offered) == len(alike) else ""


def _either(ways: Sequence[str]) -> str:
    """``draw, take or knock``."""
    return f"{', '.join(ways[:-1])} or {ways[-1]}" if len(ways) > 1 else "".join(ways)
