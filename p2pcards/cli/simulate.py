"""`p2pcards simulate`: computer players among themselves, as many games as wanted, in figures."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from p2pcards.cli.command import Failure, parse_rules
from p2pcards.cli.options import MOST, RULES_FROM, SAME_GAMES, SEEDS, AsJson, Changes, GameKey
from p2pcards.cli.spreading import MOST_JOBS, check_number, run_with_crew
from p2pcards.cli.terminal import Progress, print_error, progress_bar
from p2pcards.control.exits import USAGE

if TYPE_CHECKING:
    from p2pcards.cli.alone import Clock, Played
    from p2pcards.daemon.crew import Crew

MOST_GAMES = 10_000_000
TOGETHER = 10
"""Games that a process plays before it tells of them, where no player thinks for long."""


class NotWhole(Exception):
    """The simulation ended early. figures: of the games that were played; why: a Failure, or the KeyboardInterrupt."""

    def __init__(self, figures: dict[str, Any], why: BaseException) -> None:
        super().__init__(str(why))
        self.figures = figures
        self.why = why


def simulate(
    game: GameKey,
    players: Annotated[
        str | None, typer.Option(metavar="LEVEL,...", help="The level of each player; default: all novices.")
    ] = None,
    games: Annotated[
        int, typer.Option(min=1, max=MOST_GAMES, metavar="N", help="Number of games; default: 100.")
    ] = 100,
    seed: Annotated[int, typer.Option(min=0, max=SEEDS - 1, metavar="N", help=SAME_GAMES)] = 1,
    preset: Annotated[str, typer.Option(metavar="PRESET", help=RULES_FROM)] = "",
    changes: Changes = None,
    rotate: Annotated[
        bool, typer.Option("--rotate", help="Move everyone up a seat after each game; adds player 1's margin.")
    ] = False,
    max_hands: Annotated[
        int, typer.Option(min=1, max=MOST, metavar="N", help="Give up on a game after this many hands; default: 500.")
    ] = 500,
    jobs: Annotated[int, typer.Option(min=1, max=MOST_JOBS, metavar="N", help="Number of processes; default: 1.")] = 1,
    cluster: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Use the workers of the Dask scheduler at this address.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Let computer players play each other, and count wins. The same seed gives the same result."""
    levels = None if players is None else players.split(",")
    progress = progress_bar("games")
    try:
        figures = simulation(
            game, preset, changes or (), levels, games, seed, rotate, max_hands, time.perf_counter, progress,
            jobs=jobs, cluster=cluster,
        )  # fmt: skip
    except NotWhole as cut:
        _print_figures(cut.figures, as_json)
        raise cut.why from None
    _print_figures(figures, as_json)


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
    progress: Progress | None = None,
    *,
    jobs: int = 1,
    cluster: str = "",
) -> dict[str, Any]:
    """The figures of so many games, ready for JSON; all but us_per_decision follow from the arguments, without the last
    three.

    game_key, preset, changes: as they are typed. levels: of the players, None for novices. wins: games won by player, a
    shared win counting for each that shares it; mean_scores: over all games, scores of unfinished ones as they stood;
    us_per_decision: microseconds a player takes.
    With rotate the player at seat s of a game sits at seat s + 1 in the next; figures go by player, and two are added:
    margin, the part of the games won by the first player less the mean of the others, and the same in standard errors.
    progress: told the games played and the games wanted, at the beginning and whenever some have been played. jobs,
    cluster: who plays them, as `run_with_crew` has it. Raises Failure, UnknownGame, UnknownLevel or OptionError, each
    with a sentence; and NotWhole, where there are games that have been played: then wanted is added, as games are
    those.
    """
    from p2pcards.cli.alone import GameBatch, play_batch
    from p2pcards.daemon.compiling import begin_compiling
    from p2pcards.daemon.crew import spread
    from p2pcards.players.levels import searches

    game, preset, options, changed = parse_rules(game_key, preset, changes)
    playing = _player_levels(levels, game.seats(options))
    check_number("--games", games, MOST_GAMES)
    check_number("--jobs", jobs, MOST_JOBS)
    if slow := any(searches(game.key, level) for level in playing):
        begin_compiling(os.environ)
    step = 1 if slow or (jobs == 1 and not cluster) else TOGETHER
    parts = [range(first, min(first + step, games)) for first in range(0, games, step)]
    played: dict[int, Played] = {}

    def finished(part: int, some: list[Played]) -> None:
        played.update(zip(parts[part], some, strict=True))
        if progress:
            progress(len(played), games)

    async def play(crew: Crew) -> None:
        asked = (GameBatch(game.key, options, tuple(playing), seed, rotate, max_hands, numbers) for numbers in parts)
        await spread(crew, play_batch, ((some, clock) for some in asked), finished)

    def figures() -> dict[str, Any]:
        found: dict[str, Any] = {"game": game.key, "preset": preset, "players": playing}
        found |= _make_figures([played[number] for number in sorted(played)], seed, rotate)
        found |= {"set": changed} if changed else {}
        return found | ({"wanted": games} if len(played) < games else {})

    if progress:
        progress(0, games)
    try:
        run_with_crew(play, jobs, cluster)
    except (Failure, KeyboardInterrupt) as why:
        if progress:
            progress(games, games)
        if played:
            raise NotWhole(figures(), why) from None
        raise
    return figures()


def figures_table(figures: Mapping[str, Any]) -> str:
    """The figures as a table for reading."""
    from p2pcards.games.registry import find_game
    from p2pcards.games.telling import level_texts

    changed = "".join(f", {key}={value}" for key, value in figures.get("set", {}).items())
    games = f"{figures['games']} of {figures['wanted']}" if "wanted" in figures else figures["games"]
    lines = [
        f"{figures['game']} ({figures['preset']}{changed}), {games} games, seed {figures['seed']}",
        "",
        "player  level        wins  mean score",
    ]
    rows = zip(figures["players"], figures["wins"], figures["mean_scores"], strict=True)
    lines += [f"{i:<7} {level:<10} {wins:>6}  {score:>10.1f}" for i, (level, wins, score) in enumerate(rows, 1)]
    lines += ["", f"{figures['decisions']} decisions, {figures['us_per_decision']} us each"]
    if figures["unfinished"]:
        lines.append(f"unfinished: {figures['unfinished']}")
    lines += level_texts([find_game(figures["game"])], figures["players"])
    if "margin" in figures:
        margin, errors = figures["margin"], figures["margin_in_standard_errors"]
        more = "more" if margin >= 0 else "fewer"
        lines.append(
            f"Out of 100 games, player 1 won {abs(100 * margin):.1f} {more} than the others on average "
            f"({abs(errors):.1f} standard errors)."
        )
    return "\n".join(lines)


# --- private ----------------------------------------------------------------------------------------------------------


def _print_figures(figures: Mapping[str, Any], as_json: bool) -> None:
    """Print the figures, and on standard error which players couldn't play at their level."""
    from p2pcards.players.levels import lacking_reason

    for told in dict.fromkeys([lacking_reason(figures["game"], level) for level in figures["players"]]):
        if told:
            print_error(told)
    typer.echo(json.dumps(figures) if as_json else figures_table(figures))


def _make_figures(played: Sequence[Played], seed: int, rotate: bool) -> dict[str, Any]:
    from statistics import mean

    decisions = sum([one.decisions for one in played])
    figures: dict[str, Any] = {
        "games": len(played),
        "unfinished": sum([not one.finished for one in played]),
        "seed": seed,
        "wins": [sum(column) for column in zip(*[one.won for one in played], strict=True)],
        "mean_scores": [round(mean(column), 3) for column in zip(*[one.scores for one in played], strict=True)],
        "decisions": decisions,
        "us_per_decision": round(sum([one.seconds for one in played]) / max(decisions, 1) * 1e6, 1),
    }
    if rotate:
        figures["margin"], figures["margin_in_standard_errors"] = _margin_of_first([one.won for one in played])
    return figures


def _margin_of_first(won: Sequence[Sequence[bool]]) -> tuple[float, float]:
    """(how far the first player is ahead of the mean of the others, in games won per game; the same in standard
    errors). won: by game and player.

    Games that all ended alike show no spread; it is then taken as if one more had gone the other way."""
    from statistics import mean, stdev

    leads = [row[0] - mean(row[1:]) for row in won]
    spread = stdev(leads) if len(set(leads)) > 1 else stdev([*leads, -leads[0]])
    lead = mean(leads)
    return round(lead, 4), round(lead / (spread / len(leads) ** 0.5), 2) if spread else 0.0


def _player_levels(levels: Sequence[str] | None, seats: int) -> list[str]:
    from p2pcards.players.levels import find_level

    playing = [find_level(level) for level in levels or ["novice"] * seats]
    if len(playing) != seats:
        raise Failure(
            f"This game takes {seats} players, but --players has {len(playing)}. "
            f"Name a level for each, such as {','.join(['novice'] + ['carefree'] * (seats - 1))}.",
            USAGE,
        )
    return playing
