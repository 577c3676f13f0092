"""The computer players: how fast their hands are played, how long they think, what that costs the rest."""

from __future__ import annotations

from typing import Any

from benchmarks import answers, cancelling, costs, many_tables, random_hands
from benchmarks.copies import copies


def measure() -> dict[str, Any]:
    with copies() as made:
        measured = {"hands": random_hands.measure(made), "answers": answers.measure(made), "costs": costs.measure(made)}
    return {**measured, "thinking": cancelling.measure(), "tables": many_tables.measure()}
