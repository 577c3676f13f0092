"""Gin rummy, read for a search."""

from __future__ import annotations

from functools import partial

from p2pcards.cards.card import Card
from p2pcards.cards.eyes import PUBLIC
from p2pcards.games.deals.bits import Chance
from p2pcards.games.deals.melds import best_arrangements
from p2pcards.games.deals.worlds import Room
from p2pcards.games.drawing import Discard, Draw, Take
from p2pcards.games.game import Seat
from p2pcards.games.gin_rummy.deadwood import deadwood
from p2pcards.games.gin_rummy.deal import (
    BIG_GIN,
    DISCARDING,
    DRAW,
    DRAWING,
    FORCED,
    KNOCKS,
    NONE,
    PASS,
    STOCK,
    TAKE,
    UPCARD,
    GinRules,
    GinRummy,
    Score,
)
from p2pcards.games.gin_rummy.rules import PACK, Action, Gin, Knock, Phase, State, legal
from p2pcards.games.gin_rummy.worlds import Plausible
from p2pcards.games.melds import is_set
from p2pcards.games.playing import Pass
from p2pcards.games.seen.melds import card_number, mask_of_numbers
from p2pcards.games.seen.reading import Reading

STAGES = {Phase.UPCARD: UPCARD, Phase.FORCED: FORCED, Phase.DRAW: DRAWING, Phase.DISCARD: DISCARDING}
LATELY = 6
"""The last discards, which tell most of a hand."""
WEIGHED = 3
"""Discards that are thought of at the most, """
SPAN = 20
"""and only such as rules of thumb hold no more than this worse than the best, in tenths of a point."""


def read(view: State, seat: Seat) -> Reading:
    assert view.dealer is not None
    position = GinRummy(rules_of(view), view.dealer)
    for other, held in enumerate(view.hands):
        position.hands[other] = mask_of_numbers(held.cards)
        position.shown[other] = mask_of_numbers([slot.card for slot in held.slots if slot.eyes & PUBLIC])
    piled = [slot.card for slot in view.discards]
    position.set_stage(
        discards=mask_of_numbers(piled),
        top=card_number(piled[-1]) if piled else NONE,
        taken=card_number(view.taken) if view.taken else NONE,
        stage=STAGES[view.phase],
        turns=view.turns,
        turn=seat,
        left=len(view.stock),
    )
    drawable = [slot.card for slot in view.stock if slot.card]
    for card in drawable:
        position.place_card(STOCK, card_number(card))
    seen = {*piled, *drawable, *[card for held in view.hands for card in held.cards]}
    rooms = [Room(other, len(held) - len(held.cards)) for other, held in enumerate(view.hands)]
    rooms.append(Room(STOCK, len(view.stock) - len(drawable)))
    unseen = [card_number(card) for card in PACK if card not in seen]
    recent = mask_of_numbers(piled[-LATELY:])
    worlds = Plausible(unseen, [room for room in rooms if room.size], position, seat, recent)
    mine = view.hands[seat].cards
    return Reading(position, worlds, _choices_to_weigh(position, view, seat), partial(moves, mine))


def moves(held: tuple[Card, ...], action: Action) -> list[int]:
    """One move, or for a knock two: which arrangement of the cards held is laid down, and the discard."""
    match action:
        case Take():
            return [TAKE]
        case Draw():
            return [DRAW]
        case Pass():
            return [PASS]
        case Discard(card=card):
            return [card_number(card)]
        case Gin(card=laid):
            return [KNOCKS[0], card_number(laid)] if laid else [BIG_GIN]
        case Knock(card=card, melds=melds):
            which = 0
            if melds:
                sets = mask_of_numbers([other for meld in melds if is_set(meld) for other in meld])
                which = best_arrangements(mask_of_numbers(held) & ~mask_of_numbers([card])).index(sets)
            return [KNOCKS[which], card_number(card)]


def rules_of(view: State) -> GinRules:
    """The options as they hold for the hand that is on, and the score before it."""
    options = view.options
    return GinRules(
        view.limit,
        2 if view.doubled else 1,
        options.layoff,
        options.gin_bonus,
        options.undercut_bonus,
        options.big_gin,
        options.big_gin_bonus,
        Score(
            options.winning_score,
            options.game_bonus,
            options.box_bonus,
            options.shutout_double,
            [points for column in view.columns for points in column.points],
            [boxes for column in view.columns for boxes in column.boxes],
        ),
    )


def _choices_to_weigh(position: GinRummy, view: State, seat: Seat) -> list[Action]:
    """Every legal action, but the discard is taken only if it fits, no card is discarded but what rules of thumb choose
    and the few that they would be rid of first, and no knock leaves more than the best."""
    actions = legal(view, seat)
    if view.phase != Phase.DISCARD:
        return [action for action in actions if not isinstance(action, Take) or position.discard_fits()]
    held = view.hands[seat].cards
    left = {card: deadwood([other for other in held if other != card]) for card in held if card != view.taken}
    relief = {card: position.discard_worth(card_number(card)) for card in left}
    gladly = sorted(left, key=lambda card: -relief[card])[:WEIGHED]
    few = [card for card in gladly if relief[card] > relief[gladly[0]] - SPAN]
    thumb, least = int(position.rule_of_thumb_move(Chance(1))), min(left.values())
    return [
        action
        for action in actions
        if (isinstance(action, Discard) and (action.card in few or card_number(action.card) == thumb))
        or (isinstance(action, Knock | Gin) and (action.card is None or left[action.card] == least))
    ]
