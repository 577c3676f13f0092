"""What a player could remember of the hand that is on: the tricks, the melds, and where they have seen each card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from p2pcards.cards.card import Card, spelled
from p2pcards.cards.eyes import Slot
from p2pcards.games.game import Made, Pile, Seat
from p2pcards.ledger.position import Position, faces_of
from p2pcards.views.cast import Cast
from p2pcards.views.in_game import CardsDistributed, CardsRecalled, MeldsReviewed, TricksReviewed
from p2pcards.views.table_view import meld_view, name_or_you, seat_name
from p2pcards.views.telling import ends_trick

RECALLED = ("seen", "unseen", "both")
"""What is recalled of the pack: the cards that were seen, the others, or both."""


def review(position: Position, cast: Cast) -> TricksReviewed:
    """The tricks of this hand, in order, with who took each."""
    game = position.game
    tricks, takers = [], []
    for before, _, after in _replayed(position):
        layout = game.layout(after)
        if ends_trick(game.layout(before), layout):
            tricks.append(
                tuple([(name_or_you(position, seat, cast), str(slot.card)) for seat, slot in layout.last_trick])
            )
            takers.append(name_or_you(position, layout.taker or 0, cast))
    return TricksReviewed(tuple(tricks), tuple(takers))


def melds(position: Position, cast: Cast) -> MeldsReviewed:
    """The melds of this hand, in order, with who made each."""
    made = _made(position)
    return MeldsReviewed(tuple([meld_view(one, name_or_you(position, one.seat, cast)) for one in made]))


def recall(position: Position, cast: Cast, what: str) -> CardsRecalled:
    """Every card of the pack. what: one of `RECALLED`. The tricks are one place, whoever took them, and so is what a
    player has melded, wherever that lies now."""
    pack = len(position.game.pack(position.state.options))
    return CardsRecalled(what, _located(position, cast, apart=False), _words(unseen_cards(position)), pack)


def distribution(position: Position, cast: Cast) -> CardsDistributed:
    """Where every card of the pack is, as far as these eyes know."""
    return CardsDistributed((*_located(position, cast, apart=True), ("not located", _words(unseen_cards(position)))))


def unseen_cards(position: Position) -> list[Card]:
    """The cards of the pack that these eyes see nowhere, ascending."""
    return sorted((_pack(position) - Counter(faces_of(position.view))).elements())


# --- private ----------------------------------------------------------------------------------------------------------


def _pack(position: Position) -> Counter[Card]:
    return Counter([card.face for card in position.game.pack(position.view.options)])


def _replayed(position: Position) -> Iterator[tuple[Any, Any, Any]]:
    """Each event of this hand with the states before and after it, as these eyes saw them."""
    states = [*[step.before for step in position.steps], position.state]
    for step, after in zip(position.steps, states[1:], strict=True):
        if step.swapped is None:
            yield step.before, step.shown, after


def _made(position: Position) -> list[Made]:
    """The melds of this hand, with their cards as they are in the pack."""
    made = [one for before, event, after in _replayed(position) for one in position.game.made(before, event, after)]
    return [replace(one, cards=tuple([card.face for card in one.cards])) for one in made]


def _located(position: Position, cast: Cast, apart: bool) -> tuple[tuple[str, str], ...]:
    """The cards of the pack that these eyes see, each once, as words, by where they lie. apart: the tricks of each
    player, and not all tricks as one."""
    layout, view = position.game.layout(position.view), position.view
    seen = Counter(faces_of(view))
    found: dict[str, list[Card]] = {}

    def put(place: str, slots: Sequence[Slot]) -> None:
        here = Counter([slot.card.face for slot in slots if slot.card]) & seen
        seen.subtract(here)
        found.setdefault(place, []).extend(here.elements())

    tricks = "the trick" if apart else "tricks"
    if position.seat is not None:
        put("your hand", view.hands[position.seat].slots)
    for pile in layout.piles:
        if pile.kind == "melds" and pile.seat is not None:
            held_too = view.hands[pile.seat].slots
            put(_melds_of(position, pile.seat, cast), [slot for slot in pile.slots if slot not in held_too])
    melded = _made(position)
    for held in [held for held in view.hands if held.owner != position.seat]:
        shown = {card for one in melded if one.seat == held.owner for card in one.cards}
        put(_melds_of(position, held.owner, cast), [slot for slot in held.slots if slot.card.face in shown])
        rest = [slot for slot in held.slots if slot.card.face not in shown]
        put(f"the hand of {seat_name(position, held.owner, cast)}", rest)
    if layout.trick:
        put(tricks if layout.called == "trick" else layout.called, [slot for _, slot in layout.trick])
    for pile in layout.piles:
        if pile.kind != "melds":
            put(_place(position, pile, cast) if apart or pile.kind != "tricks" else tricks, pile.slots)
    found["elsewhere"] = list(seen.elements())
    return tuple([(place, _words(sorted(cards))) for place, cards in found.items() if cards])


def _melds_of(position: Position, seat: Seat, cast: Cast) -> str:
    return "your melds" if seat == position.seat else f"the melds of {seat_name(position, seat, cast)}"


def _place(position: Position, pile: Pile, cast: Cast) -> str:
    if pile.seat is None:
        return pile.name
    if pile.kind == "tricks":
        return f"taken by {name_or_you(position, pile.seat, cast)}"
    return f"{pile.name}, {name_or_you(position, pile.seat, cast)}"


def _words(cards: Sequence[Card]) -> str:
    return spelled([card.face for card in cards])
