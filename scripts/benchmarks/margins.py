"""scripts/margins: novices against carefree players in every game and preset, and whether novices end their games."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from statistics import mean
from typing import Any

from p2pcards.cli.simulate import simulation
from p2pcards.games.registry import GAMES, UnknownGame, find_game

LEAST = 3.0
"""Standard errors by which novices must be ahead."""

ALONE = 100
"""Games among novices, none of which may stay unfinished."""

MAX_HANDS = 500

HEADING = ("game", "preset", "novices", "carefree", "ahead", "mean scores", "alone", "unfinished", "")


def main(words: Sequence[str]) -> int:
    """0, or 1 when novices are not far enough ahead somewhere or leave a game unfinished."""
    asked = _arguments(words)
    rows = []
    for key in asked.game or GAMES:
        for preset in GAMES[key].presets:
            started = time.perf_counter()
            print(f"margins: {key} {preset} ...", end="", file=sys.stderr, flush=True)
            rows.append(measure(key, preset, asked.games, asked.seed))
            print(f" {time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
    if asked.json:
        print(json.dumps({"games": asked.games, "seed": asked.seed, "least": LEAST, "rows": rows}, indent=2))
    else:
        print(table(rows, asked.games))
    return int(not all(row["ok"] for row in rows))


def measure(key: str, preset: str, games: int, seed: int) -> dict[str, Any]:
    """One row. novices, carefree: games won by the first novice and on average by a carefree player, of `games` in
    which everybody moves up a seat after each; one novice sits among carefree players, two where partners win together.
    alone: of games among novices (`p2pcards simulate GAME --games 100 --seed 1`)."""
    alone = _simulated(key, preset, None, ALONE, 1, rotate=False)
    seats = len(alone["players"])
    partners = sum(alone["wins"]) >= 2 * (ALONE - alone["unfinished"])
    levels = ["novice" if seat == 0 or (partners and seat % 2 == 0) else "carefree" for seat in range(seats)]
    against = _simulated(key, preset, levels, games, seed, rotate=True)
    errors = against["margin_in_standard_errors"]
    return {
        "game": key,
        "preset": preset,
        "players": levels,
        "novice_wins": _mean(against["wins"], levels, "novice"),
        "carefree_wins": _mean(against["wins"], levels, "carefree"),
        "standard_errors": errors,
        "novice_mean_score": _mean(against["mean_scores"], levels, "novice"),
        "carefree_mean_score": _mean(against["mean_scores"], levels, "carefree"),
        "alone": {name: alone[name] for name in ("games", "unfinished", "wins", "mean_scores")},
        "ok": errors >= LEAST and alone["unfinished"] == 0,
    }


def table(rows: Sequence[dict[str, Any]], games: int) -> str:
    """The rows for reading; what does not hold is marked."""
    lines = [HEADING]
    for row in rows:
        alone = row["alone"]
        lines.append(
            (
                row["game"],
                row["preset"],
                f"{row['novice_wins']:.0f}",
                f"{row['carefree_wins']:.1f}",
                f"{row['standard_errors']:.1f}",
                f"{row['novice_mean_score']:.1f} : {row['carefree_mean_score']:.1f}",
                f"{mean(alone['mean_scores']):.1f}",
                f"{alone['unfinished']} of {alone['games']}",
                "" if row["ok"] else "<-- does not hold",
            )
        )
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    text = [_aligned(line, widths) for line in lines]
    explained = (
        "",
        f"novices, carefree: how many of {games} games a player of that level won; ahead: the novices, in standard",
        f"errors (at least {LEAST:.0f}); mean scores: novices : carefree; alone: novices among themselves, their mean",
        "score, and how many of their games stayed unfinished.",
    )
    return "\n".join([*text, *explained])


# --- private ----------------------------------------------------------------------------------------------------------


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/margins", description="Novices against carefree players.")
    parser.add_argument("game", nargs="*", type=_game, metavar="GAME", help="all if left out")
    parser.add_argument("--games", type=_positive, default=200, help="how many of each preset (200)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same games")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return parser.parse_args(words)


def _game(word: str) -> str:
    try:
        return find_game(word).key
    except UnknownGame as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _positive(word: str) -> int:
    if not word.isdecimal() or int(word) < 1:
        raise argparse.ArgumentTypeError(f"{word} is no number of games")
    return int(word)


def _simulated(
    key: str, preset: str, levels: Sequence[str] | None, games: int, seed: int, rotate: bool
) -> dict[str, Any]:
    return simulation(key, preset, (), levels, games, seed, rotate, MAX_HANDS, time.perf_counter)


def _mean(values: Sequence[float], levels: Sequence[str], level: str) -> float:
    """Of the players of this level."""
    return round(mean(value for value, each in zip(values, levels, strict=True) if each == level), 3)


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    """The words to the left, the figures to the right."""
    words = [cell.ljust(width) for cell, width in zip(cells[:2], widths[:2], strict=True)]
    figures = [cell.rjust(width) for cell, width in zip(cells[2:-1], widths[2:-1], strict=True)]
    return "  ".join([*words, *figures, cells[-1]]).rstrip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
