"""Deals that are played twice, with the seats exchanged, by a level of ours and a bot of OpenSpiel."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from statistics import mean
from typing import Any

from openspiel.asking import Bot, answer
from openspiel.bridge import Bridge
from openspiel.hand import Hand, deal, go_on
from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.game import Action, Seat
from p2pcards.games.seen.reading import Reading
from p2pcards.players.choose import choose, choose_by_search
from p2pcards.players.levels import skill_of
from p2pcards.players.search import READERS

DEALER = 1
"""Who deals in a game of two, as their first player never does."""


Rival = Callable[[Any, Hand, Seat], Action]
"""The truth, the hand and a seat go in, an action comes out."""


class Apart(AssertionError):
    """The two programs do not agree on a hand."""


@dataclass(frozen=True, slots=True)
class Played:
    """A hand, or a deal both ways. lead: how many points more a seat of ours made, on average (fewer, where the
    lowest score wins); ours_ms, bot_ms: how long each decision took; compared: in how many hands both programs had to
    count the same, and did."""

    lead: float
    ours_ms: tuple[float, ...]
    bot_ms: tuple[float, ...]
    compared: int


def play_deal(bridge: Bridge, level: str, rival_of: Callable[[int], Rival], place: int) -> Played:
    """rival_of(seed) -> who sits against the level in one hand. place: the number of the deal."""
    one, other = [play_hand(bridge, level, rival_of, place, exchanged) for exchanged in (0, 1)]
    return Played(
        (one.lead + other.lead) / 2,
        one.ours_ms + other.ours_ms,
        one.bot_ms + other.bot_ms,
        one.compared + other.compared,
    )


def play_hand(bridge: Bridge, level: str, rival_of: Callable[[int], Rival], place: int, exchanged: int) -> Played:
    """One hand, in which the level has every other seat, from seat `exchanged` on."""
    game, chance = bridge.game, Random(f"{bridge.key} {place}")
    seats = game.seats(bridge.options)
    state, hand = deal(game, bridge.options, DEALER if seats == 2 else chance.randrange(seats), chance)
    rival = rival_of(chance.getrandbits(30))
    spent: tuple[list[float], list[float]] = ([], [])
    theirs = bridge.replay(bridge.history(hand))
    while state.sheet is None and not theirs.is_terminal():
        seat = state.to_act[0]
        view, whose = redact(state, eyes_of_viewer(seat)), (seat - exchanged) % 2
        began = time.perf_counter()
        action = (
            rival(state, hand, seat)
            if whose
            else choose_for_both(bridge, theirs, hand, view, seat, level, Random(chance.getrandbits(63)))
        )
        if len(game.legal(view, seat)) > 1:
            spent[whose].append((time.perf_counter() - began) * 1e3)
        state, hand = go_on(game, state, seat, action), hand.then(seat, action)
        theirs = bridge.replay(bridge.history(hand))
    points = state.sheet.hand if state.sheet else (0,) * seats
    lead = float(mean(points[exchanged::2]) - mean(points[1 - exchanged :: 2]))
    compared = counted_alike(bridge, state, hand, theirs)
    return Played(-lead if game.low_wins else lead, tuple(spent[0]), tuple(spent[1]), compared)


def counted_alike(bridge: Bridge, state: Any, hand: Hand, theirs: Any) -> bool:
    """Whether both programs had to count the same, and did; theirs is played to its end. Raises Apart."""
    if state.sheet is None or not bridge.finished(state, theirs):
        return False
    returns = theirs.returns()
    if bridge.counted(returns) != bridge.returns(state.sheet.hand):
        raise Apart(f"{state.sheet.hand} here is {returns} with OpenSpiel, after {hand}")
    return True


def choose_for_both(bridge: Bridge, theirs: Any, hand: Hand, view: Any, seat: Seat, level: str, rng: Random) -> Action:
    """What a level of ours chooses; where their rules forbid that, the best that both allow."""
    action = choose(bridge.game, view, seat, level, rng)
    if bridge.is_open(theirs, hand, seat, action):
        return action
    reading = READERS[bridge.key](view, seat)
    return best_for_both(bridge, theirs, hand, reading, seat, level, rng)


def best_for_both(
    bridge: Bridge, theirs: Any, hand: Hand, reading: Reading, seat: Seat, level: str, rng: Random
) -> Action:
    """What a search for a level chooses of the actions that both rules allow."""
    choices = [one for one in reading.choices if bridge.is_open(theirs, hand, seat, one)]
    return choose_by_search(replace(reading, choices=choices), seat, skill_of(bridge.key, level), rng)


def seeing(bridge: Bridge, level: str, seed: int) -> Rival:
    """A player who searches as a level of ours does, but sees all cards: of worlds there is the true one alone."""
    rng = Random(seed)

    def choose_seeing(state: Any, hand: Hand, seat: Seat) -> Action:
        theirs = bridge.replay(bridge.history(hand))
        return best_for_both(bridge, theirs, hand, READERS[bridge.key](state, seat), seat, level, rng)

    return choose_seeing


def asking(bridge: Bridge, bot: Bot) -> Rival:
    """A bot of OpenSpiel, which is told what its seat sees."""

    def choose_asked(state: Any, hand: Hand, seat: Seat) -> Action:
        return answer(bridge, bot, hand, redact(state, eyes_of_viewer(seat)), seat)

    return choose_asked
