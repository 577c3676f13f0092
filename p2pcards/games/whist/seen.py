"""Whist, read for a search."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.games.deals.tricks import SUITS
from p2pcards.games.deals.worlds import Room, Worlds
from p2pcards.games.game import Seat
from p2pcards.games.seen.reading import Reading
from p2pcards.games.seen.tricks import replay, tricks_of, unplay
from p2pcards.games.whist.deal import Whist
from p2pcards.games.whist.rules import PACK, Play, State, legal


def read(view: State, seat: Seat) -> Reading:
    """A seat's view of a hand in which it owes an action."""
    assert view.trump is not None
    tricks = tricks_of(view, view.trump)
    position = Whist(view.options.team_play, SUITS[view.trump])
    replay(position.tricks, tricks)
    known = {card for held in view.hands for card in held.cards}.union(*[cards for _, cards in tricks])
    for place, held in enumerate(view.hands):
        for card in held.cards:
            position.hold(place, card)
    rooms = [
        Room(other, len(held) - len(held.cards), position.tricks.void[other]) for other, held in enumerate(view.hands)
    ]
    position.stand(turn=seat)
    position.tricks.begin(seat)
    unseen = [int(card) for card in PACK if card not in known]
    differ = position.tricks.distinct(position.moves())
    choices = [play for play in legal(view, seat) if differ >> play.card & 1]
    start = Whist(view.options.team_play, SUITS[view.trump])
    start.stand(turn=tricks[0][0])
    start.tricks.begin(tricks[0][0])
    played = unplay(start, tricks)
    return Reading(position, Worlds(unseen, [room for room in rooms if room.size]), choices, moves, start, played)


def moves(action: Play) -> Sequence[int]:
    return [action.card]
