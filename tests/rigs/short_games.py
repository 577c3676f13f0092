"""Games made short, and what the log of one proves."""

from __future__ import annotations

from p2pcards.games.options import declared
from p2pcards.games.registry import GAMES
from p2pcards.ledger.verify import Findings, verify_log
from p2pcards.store.files import Home
from p2pcards.store.logs import list_logs, read_log

TARGETS = ("winning_score", "end_score", "game_limit", "goal", "starting_points")
LENGTHS = {"oh_hell": (("end_cards", "4"),)}


def short(key: str) -> tuple[tuple[str, str], ...]:
    """The options that make a game of this key as short as it can be."""
    lowest = [
        (option.key, option.choices[0] if option.kind == "choice" else str(option.low))
        for option in declared(GAMES[key].options)
        if option.key in TARGETS
    ]
    changes = LENGTHS.get(key) or tuple(lowest)
    assert changes, f"a game of {key} would be long: name its target in TARGETS"
    return changes


def proven(home: Home) -> Findings:
    """What the log of the only game of this home proves."""
    (log,) = list_logs(home)
    found = verify_log(read_log(log.path).payloads)
    assert found.finished and found.honest and found.unproven is None
    return found
