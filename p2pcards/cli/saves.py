"""`p2pcards saves`: the games that can go on, and one as a file of its own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from p2pcards.cli.failing import Failure
from p2pcards.cli.home import our_home
from p2pcards.cli.options import AsJson
from p2pcards.cli.output import at_terminal, bar, question, say, show
from p2pcards.cli.wanted import log_name
from p2pcards.control.exits import DAMAGED, USAGE

if TYPE_CHECKING:
    from p2pcards.results.saves import SavedGame
    from p2pcards.store.home import Home
    from p2pcards.store.logs import LogFacts

saves = typer.Typer(rich_markup_mode=None, help="List the games that can go on here.")
NEWEST = 20
"""Saves among which one is chosen."""
OfGame = Annotated[str, typer.Option("--game", metavar="GAME", help="Of this game alone.")]


@saves.callback(invoke_without_command=True)
def list_saves(context: typer.Context, game: OfGame = "", as_json: AsJson = False) -> None:
    """List the games that can go on here, the newest first."""
    from p2pcards.frontend.record_pages import save_data, save_table
    from p2pcards.games.registry import find_game

    if context.invoked_subcommand is not None:
        return
    wanted = find_game(game) if game else None
    found = our_saves(our_home(), wanted.key if wanted else "")
    nothing = f"No game{f' of {wanted.name}' if wanted else ''} is unfinished here."
    show([save_data(one) for one in found], save_table(found) if found else [nothing], as_json)


@saves.command("export")
def export_save(
    name: Annotated[str, typer.Argument(metavar="NAME", help="As `p2pcards saves` or `p2pcards logs` shows it.")],
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="If left out, NAME.p2psave.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Write a game into a file, to go on elsewhere. The file is for you alone: it opens your hand."""
    from p2pcards.store.logs import DAMAGED as DAMAGED_LOG
    from p2pcards.store.logs import FALSE, DamagedLog, look_at, read_log
    from p2pcards.store.save_file import SUFFIX, write_save

    home = our_home()
    log = log_name(home, name)
    try:
        save = read_log(home.logs / f"{log}.log")
    except DamagedLog as damaged:
        raise Failure(damaged.with_advice, DAMAGED) from None
    facts = look_at(save.payloads)
    if facts.state in (FALSE, DAMAGED_LOG) or facts.side is None:
        raise Failure(f"No game begins in {log}, so there is nothing to export.", DAMAGED)
    target = file or Path(f"{log}{SUFFIX}")
    if not _agreed(facts, target, yes):
        say("Nothing is written.")
        return
    write_save(target, save)
    say(f"{target} holds the game up to its last move. There: p2pcards saves import {target.name}")


@saves.command("import")
def import_save(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="As `p2pcards saves export` has written it.")],
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="Take it only if it is of this game.")] = "",
) -> None:
    """Take a game from a file, to go on here. It must be yours, and prove itself; what is here is never shortened."""
    import time

    from p2pcards.games.registry import find_game
    from p2pcards.results.carrying import UnwantedSave, take_save
    from p2pcards.store.identity import load_or_make_identity
    from p2pcards.store.save_file import BadSave, LaterSave, read_save
    from p2pcards.wire.keys import public_bytes

    home = our_home()
    wanted = find_game(game).key if game else ""
    key = public_bytes(load_or_make_identity(home)) if home.identity.exists() else b""
    try:
        taken = take_save(home, key, read_save(file), time.strftime("%Y-%m-%d"), wanted)
    except BadSave as bad:
        raise Failure(bad.with_advice, DAMAGED) from None
    except (LaterSave, UnwantedSave) as refused:
        raise Failure(refused.with_advice, USAGE) from None
    longer = ", longer than it was here" if taken.longer else ""
    goes_on = f"Go on: p2pcards resume {taken.log.stem}"
    waits = "It goes on when its coordinator resumes it, while you listen: p2pcards listen"
    say(f"The game is here{longer}. {goes_on if taken.coordinates else waits}")


def _agreed(facts: LogFacts, target: Path, yes: bool) -> bool:
    """Whether whoever asks for the file knows what it gives away. Raises Failure where nobody can be asked."""
    from p2pcards.present.story import names_text
    from p2pcards.store.logs import ENDED_EARLY, FINISHED

    others = tuple([name for side, name in enumerate(facts.players) if side != facts.side])
    if facts.state in (FINISHED, ENDED_EARLY) or not others:
        return True
    if facts.side:
        say(f"Keep {target} to yourself: it shows your hand, while {names_text(others)} may still play against it.")
        return True
    told = f"You coordinate a game with {names_text(others)} that is not over: whoever has {target} can open every "
    told += "hand to come."
    if yes:
        return True
    if not at_terminal():
        raise Failure(f"{told} Say --yes to write it all the same.", USAGE)
    say(told)
    return question("Write it? [y/N] ").lower() in ("y", "yes")


def chosen_save(home: Home) -> str:
    """Which of the games that they coordinate a person at this terminal goes on with; "" where there is no choice."""
    from p2pcards.cli.asking import open_tables
    from p2pcards.frontend.record_pages import save_line

    on = {table.log for table in open_tables(home)}
    found = [one for one in our_saves(home, most=NEWEST) if one.coordinates and one.log.name not in on]
    if len(found) < 2:
        return ""
    say("\n".join([f"{number:2}. {save_line(one)}" for number, one in enumerate(found, 1)]))
    while (answer := question("Which game goes on? [1] ") or "1") not in map(str, range(1, len(found) + 1)):
        say(f"It is a number from 1 to {len(found)}.")
    return found[int(answer) - 1].log.stem


def our_saves(home: Home, game: str = "", most: int | None = None) -> list[SavedGame]:
    """The newest first. game: of this one alone; most: how many."""
    from p2pcards.results.keeping import silent
    from p2pcards.results.saves import saved_games
    from p2pcards.store.identity import load_or_make_identity
    from p2pcards.wire.keys import public_bytes

    if not home.identity.exists():
        return []
    progress = bar("logs read") if sys.stderr.isatty() else silent
    return saved_games(home, public_bytes(load_or_make_identity(home)), game, most, progress)
