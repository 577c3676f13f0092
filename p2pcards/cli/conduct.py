"""What the logs of this home say of each player: how often they asked for other cards, broke a game off, or left
a part out of a shuffle."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from p2pcards.store.home import Home
from p2pcards.store.logs import indexed_logs


@dataclass(frozen=True, slots=True)
class Conduct:
    """By the key of a player: the games in the logs, the hands that were dealt again as they asked, the games that they
    broke off as a coordinator to begin another, and the hands that they shuffled without a part that was signed."""

    games: Counter[bytes] = field(default_factory=Counter)
    redeals: Counter[bytes] = field(default_factory=Counter)
    broken_off: Counter[bytes] = field(default_factory=Counter)
    left_out: Counter[bytes] = field(default_factory=Counter)


def count_conduct(home: Home) -> Conduct:
    """A log that is damaged or false counts for nobody. What the players signed is not checked: `verify` does that.
    Raises StoreError when the logs cannot be listed."""
    counted = Conduct()
    for _, facts in indexed_logs(home):
        counted.games.update(facts.keys)
        counted.redeals.update(dict(zip(facts.keys, facts.redeals, strict=False)))
        if facts.broken_off or facts.left_out:
            counted.broken_off[facts.keys[0]] += facts.broken_off
            counted.left_out[facts.keys[0]] += facts.left_out
    return counted
