"""What a player could remember of the hand that is on: the tricks, and which cards they have seen where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from p2pcards.cards.card import Card, spelled
from p2pcards.cards.eyes import Slot
from p2pcards.ledger.position import Position, faces_of
from p2pcards.views.cast import Cast
from p2pcards.views.in_game import CardsRecalled, TricksReviewed
from p2pcards.views.table_view import name_or_you
from p2pcards.views.telling import ends_trick


def review(position: Position, cast: Cast) -> TricksReviewed:
    """The tricks of this hand, in order, with who took each."""
    game, state = position.game, position.hand_start
    tricks, takers = [], []
    for step in position.steps:
        before, state = game.layout(state), game.play(state, step.shown)
        layout = game.layout(state)
        if ends_trick(before, layout):
            tricks.append(
                tuple([(name_or_you(position, seat, cast), str(slot.card)) for seat, slot in layout.last_trick])
            )
            takers.append(name_or_you(position, layout.taker or 0, cast))
    return TricksReviewed(tuple(tricks), tuple(takers))


def recall(position: Position, cast: Cast) -> CardsRecalled:
    """Every card of the pack: those that the person at this end sees or has seen, by where they lie, and the others."""
    game, view = position.game, position.view
    layout = game.layout(view)
    places: list[tuple[str, Iterable[Slot]]] = [(layout.called, [slot for _, slot in layout.trick])]
    for held in sorted(view.hands, key=lambda held: held.owner != position.seat):
        places.append((f"hand of {name_or_you(position, held.owner, cast)}", held.slots))
    for pile in layout.piles:
        whose = "" if pile.seat is None else f" of {name_or_you(position, pile.seat, cast)}"
        places.append((f"{pile.name}{whose}", pile.slots))
    seen = Counter(faces_of(view))
    unseen = Counter([card.face for card in game.pack(view.options)]) - seen
    found = []
    for place, slots in places:
        here = Counter([slot.card.face for slot in slots if slot.card]) & seen
        seen -= here
        found.append((place, _words(here)))
    found.append(("elsewhere", _words(seen)))
    return CardsRecalled(tuple([(place, cards) for place, cards in found if cards]), _words(unseen))


def _words(cards: Counter[Card]) -> str:
    return spelled(sorted(cards.elements()))
