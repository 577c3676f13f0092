"""Hands of the players' kernels, dealt anew and played to their ends.

python -m benchmarks.hands     answers lines like "hearts random 0.2": what was played in so many seconds of the
                               processor, as JSON; and "hearts moves": how many moves a hand has

The kernels are those that are found, compiled or not. A deal shuffles every card that nobody has seen and holds it
where the game puts it; what the deal turns up for all to see is that of one of OPENINGS deals by the rules.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from p2pcards.cards.eyes import PUBLIC, redact
from p2pcards.cards.pack import shuffle
from p2pcards.games.deals.bits import Chance, random_place
from p2pcards.games.deals.position import SearchPosition, finish_at_random, finish_by_rules_of_thumb
from p2pcards.games.deals.worlds import Worlds
from p2pcards.games.game import AnyGame, Stage
from p2pcards.games.registry import GAMES
from p2pcards.games.seen.reading import Reading
from p2pcards.players.search import READERS

OPENINGS = 20
FINISHES = {"random": finish_at_random, "thumb": finish_by_rules_of_thumb}
COUNTED = 200
OH_HELL_CARDS = 7
"""Its hands begin with one card, and end with 13."""
"""Hands of which the moves are counted."""


def options_of(game: AnyGame) -> Any:
    """The first preset, but oh hell in the middle of the game."""
    options = game.options()
    return replace(options, start_cards=OH_HELL_CARDS) if game.key == "oh_hell" else options


def openings(game: AnyGame) -> list[Reading]:
    """Hands at their first decision, as somebody reads them who has seen nothing."""
    options, rng = options_of(game), Random(f"hands of {game.key}")
    found = []
    for _ in range(OPENINGS):
        state = first_decision(game, options, rng)
        found.append(READERS[game.key](redact(state, PUBLIC), state.to_act[0]))
    return found


def first_decision(game: AnyGame, options: Any, rng: Random) -> Any:
    """The truth of a hand that has just been dealt; a cut for the first deal was made before."""
    state = game.start(options, None)
    while state.stage is not Stage.PLAY or not any(map(len, state.hands)):
        if state.stage is Stage.PLAY:
            seat = state.to_act[0]
            event = game.decide(state, seat, rng.choice(game.legal(state, seat)))
        else:
            pack, secret = game.pack(options), rng.randbytes(32)
            event = game.deal(state, shuffle(pack, secret, "pack"), shuffle(pack, secret, "draw"))
        state = game.play(state, event)
    return state


def deal(opening: Reading, chance: Chance) -> SearchPosition:
    """All deals are as likely as each other: nobody has bid or discarded yet, which some worlds would be weighed by."""
    position = opening.position.copy()
    Worlds.fill_world(opening.worlds, position, chance)
    return position


def play(begun: list[Reading], way: str, seconds: float, chance: Chance) -> dict[str, float]:
    """Hands for at least so many seconds of the processor. way: of FINISHES."""
    finish_hand, hands = FINISHES[way], 0
    start = time.process_time()
    while (took := time.process_time() - start) < seconds:
        for opening in begun:
            finish_hand(deal(opening, chance), chance)
        hands += len(begun)
    return {"hands": hands, "seconds": took}


def moves_a_hand(begun: list[Reading], way: str, chance: Chance) -> float:
    moves = 0
    for number in range(COUNTED):
        position = deal(begun[number % len(begun)], chance)
        while position.turn >= 0:
            at_random = way == "random"
            position.make_move(
                random_place(position.legal_moves(), chance) if at_random else position.rule_of_thumb_move(chance)
            )
            moves += 1
    return moves / COUNTED


def main() -> None:
    chance = Chance(1)
    known: Mapping[str, list[Reading]] = {key: openings(GAMES[key]) for key in READERS}
    for line in sys.stdin:
        key, way, *seconds = line.split()
        if seconds:
            answer = play(known[key], way, float(seconds[0]), chance)
        else:
            answer = {each: moves_a_hand(known[key], each, chance) for each in FINISHES}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
