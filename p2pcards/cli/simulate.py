"""`p2pcards simulate`: computer players among themselves, as many games as wanted, in figures."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from p2pcards.cli.failing import Failure
from p2pcards.cli.options import AsJson, Changes, GameKey
from p2pcards.cli.wanted import rules_of
from p2pcards.control.exits import USAGE

if TYPE_CHECKING:
    from random import Random

    from p2pcards.games.game import Action, AnyGame
    from p2pcards.ledger.solo import Result

Clock = Callable[[], float]


def simulate(
    game: GameKey,
    players: Annotated[
        str | None, typer.Option(metavar="LEVEL,...", help="The level of each player; all novices if left out.")
    ] = None,
    games: Annotated[int, typer.Option(min=1, max=10_000_000, help="How many games.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed gives the same games.")] = 1,
    preset: Annotated[
        str, typer.Option(metavar="PRESET", help="The rules to start from; if left out, the game's first.")
    ] = "",
    changes: Changes = None,
    rotate: Annotated[
        bool, typer.Option("--rotate", help="Everyone moves up a seat after each game; adds the first player's margin.")
    ] = False,
    max_hands: Annotated[int, typer.Option(min=1, help="After so many hands a game is left unfinished.")] = 500,
    as_json: AsJson = False,
) -> None:
    """Let computer players play whole games alone and count who wins."""
    levels = None if players is None else players.split(",")
    progress = _show_progress if sys.stderr.isatty() else None
    figures = simulation(
        game, preset, changes or (), levels, games, seed, rotate, max_hands, time.perf_counter, progress
    )
    typer.echo(json.dumps(figures) if as_json else table(figures))


def simulation(
    game_key: str,
    preset: str,
    changes: Sequence[str],
    levels: Sequence[str] | None,
    games: int,
    seed: int,
    rotate: bool,
    max_hands: int,
    clock: Clock,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """The figures of so many games, ready for JSON; all but us_per_decision follow from the arguments.

    game_key, preset, changes: as they are typed. levels: of the players, None for novices. wins: games won by player, a
    shared win counting for each that shares it; mean_scores: over all games, scores of unfinished ones as they stood;
    us_per_decision: microseconds a player takes.
    With rotate the player at seat s of a game sits at seat s + 1 in the next; figures go by player, and two are added:
    margin, the part of the games won by the first player less the mean of the others, and the same in standard errors.
    progress: told the games played and the games wanted, after each game. Raises Failure, UnknownGame, UnknownLevel or
    OptionError, each with a sentence.
    """
    from random import Random
    from statistics import mean

    from p2pcards.ledger.solo import play_game

    game, preset, options, changed = rules_of(game_key, preset, changes)
    playing = _playing(levels, game.seats(options))
    seats = len(playing)
    watch = _Stopwatch(clock)
    results: list[tuple[int, Result]] = []
    for number in range(games):
        shift = number % seats if rotate else 0
        choosers = [
            _chooser(game, playing[(seat - shift) % seats], Random(f"{seed}/{number}/{seat}"), watch)
            for seat in range(seats)
        ]
        results.append((shift, play_game(game, options, choosers, f"{seed}/{number}", max_hands)))
        if progress:
            progress(number + 1, games)
    decisions = sum(result.decisions for _, result in results)
    scores = [[result.scores[(player + shift) % seats] for player in range(seats)] for shift, result in results]
    won = [[(player + shift) % seats in result.winners for player in range(seats)] for shift, result in results]
    figures: dict[str, Any] = {
        "game": game.key,
        "preset": preset,
        "players": playing,
        "games": games,
        "unfinished": sum(not result.finished for _, result in results),
        "seed": seed,
        "wins": [sum(column) for column in zip(*won, strict=True)],
        "mean_scores": [round(mean(column), 3) for column in zip(*scores, strict=True)],
        "decisions": decisions,
        "us_per_decision": round(watch.seconds / max(decisions, 1) * 1e6, 1),
    }
    if changed:
        figures["set"] = changed
    if rotate:
        figures["margin"], figures["margin_in_standard_errors"] = _margin(won)
    return figures


def table(figures: Mapping[str, Any]) -> str:
    """The figures for reading."""
    changed = "".join(f", {key}={value}" for key, value in figures.get("set", {}).items())
    lines = [
        f"{figures['game']} ({figures['preset']}{changed}), {figures['games']} games, seed {figures['seed']}",
        "",
        "player  level        wins  mean score",
    ]
    rows = zip(figures["players"], figures["wins"], figures["mean_scores"], strict=True)
    lines += [f"{i:<7} {level:<10} {wins:>6}  {score:>10.1f}" for i, (level, wins, score) in enumerate(rows, 1)]
    lines += ["", f"{figures['decisions']} decisions, {figures['us_per_decision']} us each"]
    if figures["unfinished"]:
        lines.append(f"left unfinished: {figures['unfinished']}")
    if "margin" in figures:
        margin, errors = figures["margin"], figures["margin_in_standard_errors"]
        more = "more" if margin >= 0 else "fewer"
        lines.append(
            f"of 100 games player 1 won {abs(100 * margin):.1f} {more} than the others on average "
            f"({abs(errors):.1f} standard errors)"
        )
    return "\n".join(lines)


# --- private ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Stopwatch:
    """Adds up the time that the players take."""

    clock: Clock
    seconds: float = 0.0

    def add(self, seconds: float) -> None:
        self.seconds += seconds


def _chooser(game: AnyGame, level: str, rng: Random, watch: _Stopwatch) -> Callable[[Any, int], Action]:
    from p2pcards.players.choose import choose

    def timed(view: Any, seat: int) -> Action:
        start = watch.clock()
        action = choose(game, view, seat, level, rng)
        watch.add(watch.clock() - start)
        return action

    return timed


def _margin(won: Sequence[Sequence[bool]]) -> tuple[float, float]:
    """How far the first player is ahead of the mean of the others, in games won per game, and in standard errors.

    Games that all ended alike show no spread; it is then taken as if one more had gone the other way.
    """
    from statistics import mean, stdev

    leads = [row[0] - mean(row[1:]) for row in won]
    spread = stdev(leads) if len(set(leads)) > 1 else stdev([*leads, -leads[0]])
    lead = mean(leads)
    return round(lead, 4), round(lead / (spread / len(leads) ** 0.5), 2) if spread else 0.0


def _playing(levels: Sequence[str] | None, seats: int) -> list[str]:
    from p2pcards.players.levels import find_level

    playing = [find_level(level) for level in levels or ["novice"] * seats]
    if len(playing) != seats:
        raise Failure(
            f"{seats} play here, but {len(playing)} {'level was' if len(playing) == 1 else 'levels were'} named; "
            f"write one for each seat, such as {','.join(['novice'] + ['carefree'] * (seats - 1))}.",
            USAGE,
        )
    return playing


def _show_progress(played: int, wanted: int) -> None:
    """One line on a terminal that counts up and is gone at the end."""
    if played == wanted:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    elif played % 10 == 0:
        print(f"\r{played} of {wanted} games", end="", file=sys.stderr, flush=True)
