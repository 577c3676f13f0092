"""Crazy eights, read for a search."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.cards.card import Card, Suit
from p2pcards.games.crazy_eights.deal import (
    DRAW,
    EIGHTS,
    LAST_EIGHT,
    NO_CARD,
    NO_RANK,
    OF_RANK,
    OF_SUIT,
    PASS,
    STOCK,
    CrazyEights,
    EightsRules,
)
from p2pcards.games.crazy_eights.rules import EIGHT, PACK, Action, Options, Play, State, legal
from p2pcards.games.deals.race import ToGoal
from p2pcards.games.deals.worlds import Room, Worlds
from p2pcards.games.drawing import Draw
from p2pcards.games.game import Seat
from p2pcards.games.playing import Pass
from p2pcards.games.seen.reading import Reading

SKEWS = {2: 270, 3: 200, 4: 140}
"""By the number of players."""


def read(view: State, seat: Seat) -> Reading:
    position = CrazyEights(rules_of(view.options))
    assert view.suit is not None
    top = view.discards[-1].card
    position.set_stage(
        turn=seat,
        suit=view.suit,
        rank=NO_RANK if top.rank == EIGHT else top.rank - 2,
        step=view.step,
        owed=view.owed,
        drawn=view.drawn,
        passes=view.passes,
        stock=[number_of(slot.card) if slot.card else NO_CARD for slot in view.stock],
    )
    position.set_race(ToGoal(list(view.scores), view.options.winning_score, SKEWS[len(view.scores)]))
    for other, held in enumerate(view.hands):
        for card in held.cards:
            position.place_card(other, number_of(card))
    known = {slot.card for slot in (*view.stock, *view.discards)}
    known |= {card for held in view.hands for card in held.cards}
    passed = _seats_passed(view, seat)
    follows = OF_SUIT[position.suit] | OF_RANK[position.rank] | EIGHTS
    rooms = [
        Room(other, len(held) - len(held.cards), follows if other in passed else 0)
        for other, held in enumerate(view.hands)
    ]
    rooms.append(Room(STOCK, position.stock.count(NO_CARD)))
    worlds = Worlds([number_of(card) for card in PACK if card not in known], [room for room in rooms if room.size])
    return Reading(position, worlds, _choices_to_weigh(view, seat), moves)


def moves(action: Action) -> list[int]:
    """The card, or the eight of the suit that is named."""
    match action:
        case Draw():
            return [DRAW]
        case Pass():
            return [PASS]
        case Play(card=card, suit=None):
            return [LAST_EIGHT if card.rank == EIGHT else number_of(card)]
        case Play(suit=Suit() as suit):
            return [LAST_EIGHT + 13 * suit]
    raise AssertionError(action)


def rules_of(options: Options) -> EightsRules:
    return EightsRules(
        options.players, options.two_draws_two, options.jack_skips, options.king_reverses, options.draw_one_only
    )


def number_of(card: Card) -> int:
    """A card as the kernel counts it."""
    return card.suit * 13 + card.rank - 2


def _seats_passed(view: State, seat: Seat) -> set[Seat]:
    """The seats that have passed since the last card was played, with nothing to draw: they hold nothing that
    follows."""
    return {(seat - view.step * turns) % len(view.hands) for turns in range(1, view.passes + 1)}


def _choices_to_weigh(view: State, seat: Seat) -> Sequence[Action]:
    """Nobody draws who can play, be it an eight: players who do lose a point a hand by it. Of suits those are named of
    which the hand has another card, where it has any; and each with one eight only."""
    by_moves = {tuple(moves(action)): action for action in legal(view, seat)}
    plays = [action for action in by_moves.values() if isinstance(action, Play)]
    suits = {card.suit for card in view.hands[seat].cards if card.rank != EIGHT} or set(Suit)
    return [play for play in plays if play.suit is None or play.suit in suits] or list(by_moves.values())
