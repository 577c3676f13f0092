"""The games that were played and those that can go on: `logs`, `verify`, `replay`, `export` and `saves`."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from enum import StrEnum
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from p2pcards.cli.command import SIGNALLED, Failure, confirm, current_home, find_log_name, find_log_path
from p2pcards.cli.opening import list_open_tables, wants_screen
from p2pcards.cli.options import MOST, Ascii, AsJson, OfGame, Seating, Yes
from p2pcards.cli.terminal import (
    ask_line,
    behind_the_screen,
    can_print_suits,
    is_interactive,
    print_error,
    print_result,
    print_text,
    progress_bar,
)
from p2pcards.control.exits import DAMAGED, FINE, UNFINISHED, USAGE
from p2pcards.games.wording import join_with_and, quantity_text
from p2pcards.present.width import align_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2pcards.frontend.verdict import Known
    from p2pcards.results.saves import SavedGame
    from p2pcards.store.files import Home
    from p2pcards.store.logs import LogEntry, LogFacts


# --- `p2pcards logs` and `p2pcards verify` ----------------------------------------------------------------------------


logs = typer.Typer(rich_markup_mode=None, help="List the logs of your games.")


@logs.callback(invoke_without_command=True)
def list_logs(
    context: typer.Context,
    game: OfGame = "",
    as_json: AsJson = False,
) -> None:
    """List the logs of your games, newest first."""
    from p2pcards.games.registry import find_game
    from p2pcards.store.logs import indexed_logs
    from p2pcards.store.save_names import load_names

    if context.invoked_subcommand is not None:
        return
    home, wanted = current_home(), find_game(game) if game else None
    kept = load_names(home)
    data = [
        log_data(log, facts, kept.names.get(log.stem), thrown=kept.is_thrown(log.stem, log.stamp))
        for log, facts in indexed_logs(home)
        if wanted is None or log.game == wanted.key
    ]
    rows = [
        (one["log"], "thrown away" if one["thrown_away"] else one["state"], str(one["records"]), _players_text(one))
        for one in data
    ]
    nothing = f"You haven't played {wanted.name if wanted else 'a game'} here yet."
    lines = align_columns([("log", "state", "records", "people"), *rows]) if rows else [nothing]
    print_result(data, lines, as_json)


def _players_text(log: Mapping[str, Any]) -> str:
    """The players of a log, and the player's name for its game."""
    return ", ".join(log["players"]) + (f' ("{log["name"]}")' if log["name"] else "")


@logs.command("prune")
def prune_logs(
    keep: Annotated[
        int, typer.Option("--keep", min=0, max=MOST, metavar="N", help="Number of finished games whose logs to keep.")
    ],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only list what would be deleted.")] = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Delete the logs of old games. It asks first, and the results stay in your records.

    It keeps the newest finished games and all unfinished ones, except games against the computer that you threw away.
    """
    from p2pcards.results.keeping import delete_logs, logs_to_delete
    from p2pcards.store.files import refuse_read_only

    home = current_home()
    if not dry_run:
        refuse_read_only(home.state)
    found = logs_to_delete(home, keep, lambda sentence: print_text(sentence, sys.stderr), progress_bar("logs read"))
    if not found or dry_run:
        _print_pruned(found, WOULD_GO if found else "", as_json)
        return
    size = sum([log.size for log in found]) / 1_000_000
    them = f"the log{'s' * (len(found) != 1)} of {quantity_text(len(found), 'game')}"
    told = (
        f"This deletes {them} ({size:.1f} MB), the newest from {found[0].name[:10]}. The results stay in your records, "
        "but you can't replay or verify the games anymore."
    )
    without_asking = "Add --yes to delete, or --dry-run to see which."
    if not yes and not confirm(told, without_asking, "Delete? [y/N] ", quiet=as_json):
        print_text("OK, nothing changed.")
        return
    _print_pruned(delete_logs(home, found), "deleted", as_json)


WOULD_GO = "would be deleted"


def _print_pruned(logs: Sequence[LogEntry], what: str, as_json: bool) -> None:
    lines = (
        [f"{quantity_text(len(logs), 'log')} {what}."]
        if what
        else ["There's nothing to delete: you don't have logs of that many finished games."]
    )
    names = [log.stem for log in logs]
    print_result({"logs": names, "deleted": what == "deleted"}, [*(names if what == WOULD_GO else []), *lines], as_json)


def verify(
    log: Annotated[list[str], typer.Argument(metavar="LOG...", help="Logs (see `p2pcards logs`), or files.")],
    decisions: Annotated[
        str, typer.Option("--decisions", metavar="all|sample|none", help="Computer moves to check again.")
    ] = "all",
    as_json: AsJson = False,
) -> None:
    """Check that a game was fair. It checks signatures, moves, deals and scores, and compares logs of one game."""
    from p2pcards.cli.alone import WAYS, make_repeater
    from p2pcards.frontend.verdict import (
        compare_logs,
        comparison_lines,
        count_broken_off_hands,
        judge_log,
        verdict_lines,
    )
    from p2pcards.store.logs import DamagedLog, read_log

    if decisions not in WAYS:
        raise Failure(f"--decisions takes {', '.join(WAYS)}, not {decisions[:20]!r}.", USAGE)
    home = current_home()
    known, repeat = _known_peers(home), make_repeater(decisions, progress_bar("computer moves checked"))
    verdicts = []
    for path in dict.fromkeys(find_log_path(home, text) for text in log):
        try:
            verdicts.append(judge_log(str(path), read_log(path), known, repeat))
        except DamagedLog as damaged:
            verdicts.append(judge_log(str(path), damaged, known, repeat))
    comparisons = [compare_logs(first, second) for first, second in combinations(verdicts, 2)]
    states = {verdict.state for verdict in verdicts}
    if states & {"false", "damaged"} or any(one["forked_at"] for one in comparisons):
        code = DAMAGED
    else:
        code = UNFINISHED if "unfinished" in states else FINE
    broken_off = count_broken_off_hands(verdicts)
    data = {
        "logs": [verdict.data for verdict in verdicts],
        "comparisons": comparisons,
        "broken_off": broken_off,
        "exit": code,
    }
    lines = [line for verdict in verdicts for line in [*verdict_lines(verdict.data), ""]]
    lines += [line for one in comparisons for line in comparison_lines(one)]
    if broken_off > 1:
        lines.append(f"Hands abandoned after the deal, in all these games: {broken_off}.")
    print_result(data, lines[:-1] if lines[-1] == "" else lines, as_json)
    raise typer.Exit(code)


def log_data(log: LogEntry, facts: LogFacts, name: str | None, *, thrown: bool) -> dict[str, Any]:
    """A log as `logs --json` shows it. name: the player's name for its game, None for none; thrown: it was thrown
    away."""
    return {
        "log": log.stem,
        "name": name,
        "file": f"{log.folder}/{log.name}",
        "game": log.game,
        "state": facts.state,
        "thrown_away": thrown,
        "records": facts.records,
        "players": list(facts.players),
        "coordinates": None if facts.side is None else facts.side == 0,
        "size": log.size,
    }


def _known_peers(home: Home) -> Known:
    """The names of known peers by key. Verifying works without them, so faults in their files are ignored."""
    from p2pcards.frontend.verdict import Known
    from p2pcards.results.keeping import own_key
    from p2pcards.store.files import StoreError
    from p2pcards.store.identity import load_peers

    names: dict[bytes, str] = {}
    with suppress(StoreError):
        names = {peer.key: peer.name for peer in load_peers(home)}
    return Known(names, own_key(home))


# --- `p2pcards replay` and `p2pcards export` --------------------------------------------------------------------------


Log = Annotated[str, typer.Argument(metavar="LOG", help="A log (see `p2pcards logs`), or a file.")]
Hand = Annotated[int | None, typer.Option("--hand", min=1, max=MOST, metavar="N", help="Only this hand.")]
As = Annotated[str, typer.Option("--as", metavar="SEAT", help="See it as this player did; a seat number or a name.")]
Open = Annotated[bool, typer.Option("--open", help="Show everyone's cards, in hands that were opened.")]


class Format(StrEnum):
    TEXT = "text"
    JSON = "json"


def replay(
    log: Log,
    hand: Hand = None,
    seat: As = "",
    all_open: Open = False,
    ascii_only: Ascii = False,
    plain: Annotated[bool, typer.Option("--plain", help="Type commands instead of pressing keys.")] = False,
    as_json: AsJson = False,
) -> None:
    """Replay a game step by step. With no terminal, it prints every step."""
    from p2pcards.cli.logs_shown import replay_pages
    from p2pcards.cli.replay_screen import watch_by_keys, watch_by_words
    from p2pcards.present.cards import Style
    from p2pcards.present.replaying import ReplayReel

    terminal = is_interactive() and not as_json
    dumb = plain or os.environ.get("TERM", "dumb") == "dumb"
    style = Style(
        ascii=ascii_only or not can_print_suits(), colour=terminal and not dumb and "NO_COLOR" not in os.environ
    )
    shown = replay_pages(log, hand, seat, all_open, style)
    if terminal:
        (watch_by_words if dumb else watch_by_keys)(ReplayReel(shown), sys.stdin, sys.stdout)
        return
    data = [
        {"step": step, "record": page.record, "hand": page.hand, "story": page.story}
        for step, page in enumerate(shown, 1)
    ]
    lines = [
        line
        for step, page in enumerate(shown, 1)
        for line in (f"{step:4}. {page.story[0]}", *[f"      {more}" for more in (*page.story[1:], *page.hands)])
    ]
    print_result(data, lines, as_json)


def watch_log(log: str, seating: Seating) -> None:
    """Show a finished game on the full screen; in lines, step by step. Raises Failure."""
    if seating.as_json or not wants_screen(seating):
        replay(log, ascii_only=seating.ascii, plain=seating.plain, as_json=seating.as_json)
        return
    from p2pcards.cli.logs_shown import replayed_game
    from p2pcards.cli.sitting import screen_manner_reader
    from p2pcards.tui.apart import run_replayed

    if number := run_replayed(replayed_game(log), screen_manner_reader(current_home(), seating)):
        raise typer.Exit(SIGNALLED + number)


def export(
    log: Log,
    form: Annotated[
        Format, typer.Option("--format", help="Print text for a report, or JSON for programs.")
    ] = Format.TEXT,
    hand: Hand = None,
    seat: As = "",
    all_open: Open = False,
) -> None:
    """Print a game move by move. Each computer move has its level and seed, so it can be checked."""
    from p2pcards.cli.logs_shown import export_log_data
    from p2pcards.present.replaying import export_lines

    data = export_log_data(log, hand, seat, all_open)
    print_result(data, export_lines(data), form is Format.JSON)


# --- `p2pcards saves` -------------------------------------------------------------------------------------------------


saves = typer.Typer(rich_markup_mode=None, help="List your unfinished games.")
NEWEST = 20
"""Saves among which one is chosen on the title screen; the scores of more would have to be read first."""


@saves.callback(invoke_without_command=True)
def list_saves(
    context: typer.Context,
    game: OfGame = "",
    whole: Annotated[bool, typer.Option("--all", help="List all, not just the newest.")] = False,
    as_json: AsJson = False,
) -> None:
    """List your unfinished games, last played first. Every move is saved as you play."""
    from p2pcards.frontend.record_pages import FEW, saved_game_data, saved_games_table
    from p2pcards.games.registry import find_game

    if context.invoked_subcommand is not None:
        return
    wanted = find_game(game) if game else None
    found = list_our_saves(current_home(), wanted.key if wanted else "")
    shown = found if whole or len(found) <= FEW + 1 else found[:FEW]
    lines = (
        saved_games_table(shown)
        if found
        else [f"You have no unfinished games{f' of {wanted.name}' if wanted else ''}."]
    )
    if len(shown) < len(found):
        of_game = f" --game {wanted.key}" if wanted else ""
        lines += ["", f"To see {len(found) - len(shown)} older ones: p2pcards saves{of_game} --all"]
    print_result([saved_game_data(one) for one in found], lines, as_json)


@saves.command("name")
def name_save(
    save: Annotated[str, typer.Argument(metavar="SAVE", help="A game (see `p2pcards saves` or `p2pcards logs`).")],
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="Its new name; default: none.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Take the name from another game without asking.")] = False,
) -> None:
    """Name a game, such as friday. `resume`, `replay` and other commands take that name."""
    from p2pcards.store.files import refuse_read_only
    from p2pcards.store.save_names import BadName, give_name, load_names

    home = current_home()
    refuse_read_only(home.state)
    log = find_log_name(home, save)
    other = load_names(home).called(name)
    if other not in ("", log) and not yes:
        told = f"Another game, {other}, is already called {name}."
        if not confirm(told, "Add --yes to move the name to this one.", "Move the name to this one? [y/N] "):
            print_text("OK, nothing changed.")
            return
    try:
        give_name(home, log, name)
    except BadName as bad:
        raise Failure(str(bad), USAGE) from None
    print_text(f"{log} is now called {load_names(home).names[log]}." if name else f"{log} no longer has a name.")


@saves.command("throw")
def throw_save(
    save: Annotated[str, typer.Argument(metavar="SAVE", help="A game (see `p2pcards saves`).")],
    take_back: Annotated[bool, typer.Option("--take-back", help="Bring back a game you threw away.")] = False,
    yes: Yes = False,
) -> None:
    """Throw away an unfinished game. It asks first, and the log stays."""
    from p2pcards.frontend.record_pages import saved_game_line
    from p2pcards.store import save_names
    from p2pcards.store.files import refuse_read_only

    home = current_home()
    refuse_read_only(home.state)
    log = find_log_name(home, save)
    if take_back:
        if not save_names.take_back(home, log):
            raise Failure(f"You didn't throw {log} away, or you've played it since.", USAGE)
        print_text(f"It's back. To resume it: p2pcards resume {log}")
        return
    found = next((one for one in list_our_saves(home) if one.log.stem == log), None)
    if found is None:
        raise Failure(f"{log} isn't an unfinished game of yours. 'p2pcards saves --all' lists them.", USAGE)
    table = next((table.name for table in list_open_tables(home) if table.log == found.log.name), "")
    if table:
        raise Failure(f"That game is open at a table. Leave it first: p2pcards leave {table}", USAGE)
    told = f"{saved_game_line(found)}. {_throw_limits_text(found)}"
    if not yes and not confirm(told, "Add --yes to throw it away.", "Throw it away? [y/N] "):
        print_text("OK, nothing changed.")
        return
    save_names.throw_away(home, log, found.log.stamp)
    print_text(f"Thrown away. To bring it back: p2pcards saves throw {log} --take-back")


def _throw_limits_text(save: SavedGame) -> str:
    """A sentence on what throwing the game away doesn't do for the others in it."""
    if len(save.players) < 2:
        return "No one else is playing it."
    if save.coordinates:
        return "Other people are playing it, and for them it isn't over. To end it, use 'leave' at its table."
    return "Other people are playing it, and it resumes if the host calls again. To end it, use 'leave' at its table."


@saves.command("export")
def export_save(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A game (see `p2pcards saves` or `p2pcards logs`).")],
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="Default: NAME.p2psave.")] = None,
    yes: Yes = False,
) -> None:
    """Save a game to a file, to resume it elsewhere. Keep the file to yourself: it shows your hand."""
    from p2pcards.store.logs import DAMAGED as DAMAGED_LOG
    from p2pcards.store.logs import FALSE, SAVE_SUFFIX, DamagedLog, facts_of, read_log, write_save

    home = current_home()
    log = find_log_name(home, name)
    try:
        save = read_log(home.logs / f"{log}.log")
    except DamagedLog as damaged:
        raise Failure(damaged.with_advice, DAMAGED) from None
    facts = facts_of(save.payloads)
    if facts.state in (FALSE, DAMAGED_LOG) or facts.side is None:
        raise Failure(f"There's no game in {log}, so there's nothing to export.", DAMAGED)
    if facts.watched:
        raise Failure(f"You watched {log}, so there's no seat of yours to export.", USAGE)
    target = file or Path(f"{log}{SAVE_SUFFIX}")
    if not _confirm_export(facts, target, yes):
        print_text("Nothing was written.")
        return
    write_save(target, save)
    print_text(f"Saved the game to {target}. On the other machine: p2pcards saves import {target.name}")


@saves.command("export-home")
def export_home(
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="Default: p2pcards-DATE.p2phome.")] = None,
    yes: Yes = False,
) -> None:
    """Back up everything to a file: key, friends, settings, games. Anyone who has the file can play as you."""
    from p2pcards.results.carried import HOME_SUFFIX, describe_home, write_home

    home = current_home()
    target = file or Path(f"p2pcards-{time.strftime('%Y-%m-%d')}{HOME_SUFFIX}")
    if not home.identity.exists():
        raise Failure("There's nothing to back up yet. Play a game first.", USAGE)
    told = f"Keep {target} to yourself: it has your private key, so anyone who has it can play as you and see your "
    told += "hands."
    if not (yes or confirm(told, "Add --yes to write it.", "Write it? [y/N] ")):
        print_text("Nothing was written.")
        return
    write_home(target, home)
    restoring = f"To restore: p2pcards saves import {target.name}, or import it on a page."
    print_text(f"Backed up {describe_home(home)} to {target}. {restoring}")


@saves.command("import")
def import_save(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file from `saves export`, `saves export-home` or the page.")
    ],
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="Import it only if it's this game.")] = "",
) -> None:
    """Import a game or a backup from a file. A game must be yours and check out; a longer log here stays."""
    from p2pcards.games.registry import find_game
    from p2pcards.results.carried import is_home
    from p2pcards.results.reading import UnwantedSave
    from p2pcards.store.logs import BadSave, LaterSave, read_carried

    home = current_home()
    wanted = find_game(game).key if game else ""
    try:
        data = read_carried(file)
        if is_home(data) and wanted:
            raise Failure(f"{file} is a backup with many games. Leave out --game.", USAGE)
        _import_home_file(home, data) if is_home(data) else _import_game_file(home, data, wanted)
    except BadSave as bad:
        raise Failure(bad.with_advice, DAMAGED) from None
    except (LaterSave, UnwantedSave) as refused:
        raise Failure(refused.with_advice, USAGE) from None


def _import_home_file(home: Home, data: bytes) -> None:
    """Replace or fill this home from a backup. Raises StoreError, BadSave, LaterSave and UnwantedSave."""
    from tempfile import TemporaryDirectory

    from p2pcards.results.carried import STAY_TOLD, add_home, describe_home, unpack_home
    from p2pcards.store.files import make_folders

    make_folders(home)
    with TemporaryDirectory(prefix=".taken-", dir=home.state) as folder:
        unpacked = unpack_home(data, Path(folder))
        added = add_home(home, unpacked.home)
    print_text(f"You are {describe_home(home)}. {added.sentence}")
    if unpacked.left_out:
        print_text(
            "For safety, commands and modem settings in the file were left out. To set yours: p2pcards config edit"
        )
    for sentence in added.stay[:STAY_TOLD]:
        print_text(f"Kept your copy: {sentence}")
    if len(added.stay) > STAY_TOLD:
        print_text(f"Also kept: {len(added.stay) - STAY_TOLD} more games.")
    print_text("Play each game in one place only. 'p2pcards saves' lists your unfinished games.")


def _import_game_file(home: Home, data: bytes, game: str) -> None:
    """Import a game. game: the only one wanted, "" for any. Raises StoreError, BadSave, LaterSave and UnwantedSave."""
    from p2pcards.results.reading import take_save
    from p2pcards.store.identity import load_or_make_key
    from p2pcards.store.logs import parse_save

    key = load_or_make_key(home) if home.identity.exists() else b""
    taken = take_save(home, key, parse_save(data), time.strftime("%Y-%m-%d"), game)
    longer = ", with more moves than the one here" if taken.longer else ""
    goes_on = f"To resume it: p2pcards resume {taken.log.stem}"
    waits = "It resumes when its host calls: p2pcards listen"
    print_text(f"Imported the game{longer}. {goes_on if taken.coordinates else waits}")


def _confirm_export(facts: LogFacts, target: Path, yes: bool) -> bool:
    """Ask whether the player knows what the file gives away. Raises Failure where nobody can be asked."""
    from p2pcards.store.logs import OVER

    others = tuple([name for side, name in enumerate(facts.players) if side != facts.side])
    if facts.state in OVER or not others:
        return True
    if facts.side:
        print_text(
            f"Keep {target} to yourself: it shows your hand, and {join_with_and(others)} may still be playing "
            "against it."
        )
        return True
    told = f"You host this unfinished game with {join_with_and(others)}: anyone who has {target} can see every hand to "
    told += "come."
    return yes or confirm(told, "Add --yes to write it.", "Write it? [y/N] ")


def choose_save(home: Home) -> str:
    """Ask which of the games that they coordinate to resume; "" where there is none to choose."""
    from p2pcards.frontend.record_pages import FEW, saved_game_line

    on = {table.log for table in list_open_tables(home)}
    found = [one for one in list_our_saves(home) if one.coordinates and one.log.name not in on]
    if len(found) < 2:
        return ""
    lines = [f"{number:2}. {saved_game_line(one)}" for number, one in enumerate(found, 1)]
    more = len(found) > FEW + 1
    print_text("\n".join([*lines[:FEW], f"    {len(found) - FEW} older ones (type all)"] if more else lines))
    numbers = {str(number): one.log.stem for number, one in enumerate(found, 1)}
    while (answer := ask_line("Resume which game? [1] ") or "1") not in numbers:
        named = [one.log.stem for one in found if one.name and one.name.casefold() == answer.casefold()]
        if named:
            return named[0]
        print_text("\n".join(lines) if answer.lower() == "all" else f"Type a number from 1 to {len(found)}, or a name.")
    return numbers[answer]


def list_our_saves(home: Home, game: str = "", most: int | None = None) -> list[SavedGame]:
    """The saved games that this player coordinates, newest first. game: only of this one, "" for all; most: how many,
    None for all."""
    from p2pcards.results.keeping import tell_nobody
    from p2pcards.results.saves import saved_games
    from p2pcards.store.identity import load_or_make_key

    if not home.identity.exists():
        return []
    tell = tell_nobody if behind_the_screen.get() else print_error
    return saved_games(home, load_or_make_key(home), game, most, progress_bar("logs read"), tell)
