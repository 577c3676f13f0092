"""Random hands of OpenSpiel, which is no part of p2pcards and need not be there.

python -m benchmarks.spiel_hands     answers lines like "hearts python 0.2": what was played in so many seconds of the
                                     processor, as JSON

"python" chooses from Python, "within" plays whole hands by its own bots of C++.
"""

from __future__ import annotations

import json
import sys
import time
from random import Random
from typing import Any

GAMES = {
    "hearts": "hearts",
    "spades": "spades",
    "euchre": "euchre",
    "oh_hell": "oh_hell(players=4,num_tricks_fixed={tricks})",
    "crazy_eights": "crazy_eights(players={players})",
    "cribbage": "cribbage",
    "gin_rummy": "gin_rummy",
}
"""By our key what it is called there; in braces what is as in our hand."""

CARDS_OF_A_DEAL = 13
"""Of cribbage, where its hand is a game of many deals: chance acts for each card."""


def main() -> None:
    import pyspiel

    rng, known = Random(1), dict[str, tuple[Any, Any]]()
    for line in sys.stdin:
        name, way, seconds = line.split()
        if name not in known:
            first = pyspiel.load_game(name).new_initial_state()
            bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(first.num_players())]
            known[name] = first, bots
        first, bots = known[name]
        hands, chances, start = 0, 0, time.process_time()
        while (took := time.process_time() - start) < float(seconds):
            if way == "python":
                chances += _play(first.clone(), rng)
            else:
                pyspiel.evaluate_bots(first.clone(), bots, hands)
            hands += 1
        print(json.dumps({"hands": hands, "seconds": took, "deals": chances / CARDS_OF_A_DEAL}), flush=True)


def _play(state: Any, rng: Random) -> int:
    """How many cards chance dealt, each of which is as likely as the others."""
    chances = 0
    while not state.is_terminal():
        chances += state.is_chance_node()
        state.apply_action(rng.choice(state.legal_actions()))
    return chances


if __name__ == "__main__":
    main()
