"""Whether players look at cards that they cannot see: what they weigh must be the same whatever lies there.

python -m rigs.peeking FILE [GAME...]

puts ten thousand positions to all levels of these games, or of all. A part is a level in a game; each that holds is
kept in FILE, and those that are kept are not tried again. So it may be stopped at any time.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from time import process_time
from unittest import mock

from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.registry import GAMES
from p2pcards.players import levels
from p2pcards.players.choose import rate
from p2pcards.players.levels import LEVELS
from p2pcards.players.search import READERS
from rigs.decisions import less_often, random_positions
from rigs.worlds import determinize

POSITIONS = 120
"""Of each game and level: ten thousand over all of them."""
WORLDS = 10
"""That are imagined behind each."""
TIMES = 100
"""How many times as short the levels search."""


def check_choices(key: str, level: str, number: int, worlds: int) -> None:
    """What is weighed is compared too, to the last digit: a choice may stay the same by chance."""
    game, rng = GAMES[key], Random(f"{key} {level}")
    positions = random_positions(game, rng.choice(list(game.presets.values())), rng)
    for seed in range(number):
        for _ in range(5):
            state, seat = next(positions)
        view = redact(state, eyes_of_viewer(seat))
        weighed = rate(game, view, seat, level, Random(seed))
        for _ in range(worlds):
            other = determinize(view, game.pack(state.options), rng)
            assert rate(game, redact(other, eyes_of_viewer(seat)), seat, level, Random(seed)) == weighed, level


def check_in_parts(file: Path, keys: list[str]) -> None:
    """Each part that holds is kept as it ends."""
    kept: dict[str, dict[str, float]] = json.loads(file.read_text()) if file.exists() else {}
    for key in keys:
        for level in LEVELS:
            if level in kept.get(key, {}):
                continue
            began = process_time()
            check_choices(key, level, POSITIONS, WORLDS)
            kept.setdefault(key, {})[level] = round(process_time() - began, 1)
            file.write_text(json.dumps(kept, indent=1) + "\n")
        seconds = sum(kept[key].values())
        print(f"{key}: {POSITIONS * len(kept[key])} positions, {WORLDS} worlds each, {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    with mock.patch.multiple(levels, **less_often(TIMES)):
        check_in_parts(Path(sys.argv[1]), sys.argv[2:] or list(READERS))
