"""Rummy 500, read for a search."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from p2pcards.cards.card import Card
from p2pcards.cards.eyes import PUBLIC
from p2pcards.games.deals.race import ToGoal
from p2pcards.games.deals.worlds import Room, Worlds
from p2pcards.games.drawing import Discard, Draw, Meld
from p2pcards.games.game import Seat, sum_of_items
from p2pcards.games.melds import ACE, is_set, run_order
from p2pcards.games.rummy_500.deal import (
    BELOW_RUN,
    DRAW,
    DRAWING,
    MELDING,
    NONE,
    ON_RUN,
    ON_SET,
    RUN,
    SET_WITHOUT,
    STOCK,
    WHOLE_SET,
    Rummy500,
    RummyRules,
)
from p2pcards.games.rummy_500.rules import PACK, Action, Lay, Options, Phase, State, Take, legal, score_items
from p2pcards.games.seen.melds import card_number, mask_of_numbers
from p2pcards.games.seen.reading import Reading
from p2pcards.games.spreads import Spread, end_joined

SKEW = 360
WEIGHED = 4
"""Discards that are thought of at the most, those that rules of thumb would be rid of first."""


def read(view: State, seat: Seat) -> Reading:
    position = _position_of_view(view)
    position.set_stage(turn=seat)
    position.set_race(ToGoal(list(view.scores), view.options.winning_score, SKEW))
    piled = [slot.card for slot in view.discards]
    drawable = [slot.card for slot in view.stock if slot.card]
    for card in drawable:
        position.place_card(STOCK, card_number(card))
    laid = [slot.card for spread in view.spreads for slot in spread.slots]
    seen = {*piled, *drawable, *laid, *[card for held in view.hands for card in held.cards]}
    rooms = [Room(other, len(held) - len(held.cards)) for other, held in enumerate(view.hands)]
    rooms.append(Room(STOCK, len(view.stock) - len(drawable)))
    unseen = [card_number(card) for card in PACK if card not in seen]
    worlds = Worlds(unseen, [room for room in rooms if room.size])
    return Reading(position, worlds, _choices_to_weigh(position, view, seat), partial(moves, view, seat))


def moves(view: State, seat: Seat, action: Action) -> list[int]:
    """One move, or what is done with its card or cards."""
    match action:
        case Draw():
            return [DRAW]
        case Take(card=card) | Discard(card=card):
            return [card_number(card)]
        case Lay(card=card, on=on):
            spread = next(spread for spread in view.spreads if spread.first == on)
            low = card.rank == ACE and end_joined(spread, card, view.options.aces) < 0
            return [(BELOW_RUN if low else ON_RUN) if spread.run else ON_SET, card_number(card)]
        case Meld(cards=named):
            return _moves_of_meld(named, view.hands[seat].cards, view.options.aces)


def rules_of(options: Options) -> RummyRules:
    return RummyRules(
        options.players,
        options.aces != "high",
        options.aces != "low",
        options.discard_to_go_out,
        options.free_top_discard,
    )


def _moves_of_meld(named: Sequence[Card], held: Sequence[Card], aces: str) -> list[int]:
    """The moves of the search that make up a meld."""
    if not is_set(named):
        run = run_order(named, aces)
        return [RUN, card_number(run[0]), card_number(run[-1])]
    others = [card for card in held if card.rank == named[0].rank and card not in named]
    return [SET_WITHOUT, card_number(others[0])] if others else [WHOLE_SET, card_number(named[0])]


def _position_of_view(view: State) -> Rummy500:
    """The hand for a search, with the cards that the view knows."""
    position = Rummy500(rules_of(view.options))
    scored = score_items(view.options, view.spreads, [()] * len(view.hands))
    for other, held in enumerate(view.hands):
        position.hands[other] = mask_of_numbers(held.cards)
        position.shown[other] = mask_of_numbers([slot.card for slot in held.slots if slot.eyes & PUBLIC])
        position.laid[other] = sum_of_items(scored[other])
    runs = sets = 0
    for spread in view.spreads:
        if spread.run:
            runs |= _places_of_run(spread)
        else:
            sets |= mask_of_numbers([slot.card for slot in spread.slots])
    position.set_stage(
        runs=runs,
        sets=sets,
        pile=[card_number(slot.card) for slot in view.discards],
        left=len(view.stock),
        stage=DRAWING if view.phase == Phase.DRAW else MELDING,
        owed=card_number(view.owed) if view.owed else NONE,
        turns=view.turns,
    )
    return position


def _places_of_run(spread: Spread) -> int:
    """The places of the cards of a run, that of a high ace above its king."""
    first = card_number(spread.first)
    return sum([1 << first + place for place in range(len(spread.slots))])


def _choices_to_weigh(position: Rummy500, view: State, seat: Seat) -> list[Action]:
    """The choices to weigh: to draw, every way to take discards, the longest melds, all that can be laid off, and a few
    discards."""
    actions = legal(view, seat)
    if view.phase == Phase.DRAW:
        return list(actions)
    melds = [set(action.cards) for action in actions if isinstance(action, Meld)]
    discards = [action for action in actions if isinstance(action, Discard)]
    gladly = sorted(discards, key=lambda action: -position.discard_worth(card_number(action.card)))[:WEIGHED]
    return [
        action
        for action in actions
        if isinstance(action, Lay)
        or action in gladly
        or (isinstance(action, Meld) and not any(set(action.cards) < other for other in melds))
    ]
