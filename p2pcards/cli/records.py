"""`p2pcards logs` and `p2pcards verify`: the games that were played, what their logs prove, and deleting old ones."""

from __future__ import annotations

import sys
from contextlib import suppress
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, Any

import typer

from p2pcards.cli.failing import Failure
from p2pcards.cli.home import our_home
from p2pcards.cli.options import AsJson
from p2pcards.cli.output import at_terminal, bar, columns, question, say, show
from p2pcards.cli.wanted import log_path
from p2pcards.control.exits import DAMAGED, FINE, UNFINISHED, USAGE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2pcards.cli.verdict import Known
    from p2pcards.games.game import AnyGame
    from p2pcards.store.home import Home
    from p2pcards.store.logs import LogEntry, LogFacts


logs = typer.Typer(rich_markup_mode=None, help="List the games that were played here.")


@logs.callback(invoke_without_command=True)
def list_logs(
    context: typer.Context,
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="Of this game alone.")] = "",
    as_json: AsJson = False,
) -> None:
    """List the games that were played here, the newest first."""
    from p2pcards.store.logs import indexed_logs

    if context.invoked_subcommand is not None:
        return
    wanted = _game(game) if game else None
    data = [summary(*log) for log in indexed_logs(our_home()) if wanted is None or log[0].game == wanted.key]
    rows = [(one["log"], one["state"], str(one["records"]), ", ".join(one["players"])) for one in data]
    nothing = f"No game{f' of {wanted.name}' if wanted else ''} was played here yet."
    lines = columns([("log", "state", "records", "people"), *rows]) if rows else [nothing]
    show(data, lines, as_json)


@logs.command("prune")
def prune_logs(
    keep: Annotated[int, typer.Option("--keep", min=0, metavar="N", help="How many games that are over keep theirs.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only list those that would go.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Delete the logs of games that are over, but for the newest. Asks first; the records keep what came of them."""
    from p2pcards.results.keeping import silent
    from p2pcards.results.pruning import logs_beyond, prune
    from p2pcards.store.home import refuse_read_only

    home = our_home()
    if not dry_run:
        refuse_read_only(home.state)
    progress = bar("logs read") if sys.stderr.isatty() else silent
    found = logs_beyond(home, keep, lambda sentence: say(sentence, sys.stderr), progress)
    if not found or dry_run:
        _show_pruned(found, "would go" if found else "", as_json)
        return
    size = sum([log.size for log in found]) / 1_000_000
    them = "The log of 1 game goes" if len(found) == 1 else f"The logs of {len(found)} games go"
    told = (
        f"{them} ({size:.1f} MB), the last of {found[0].name[:10]}. What came of them stays in the records, but nobody "
        "can replay or verify them any more."
    )
    if not yes:
        if as_json or not at_terminal():
            raise Failure(f"{told} Say --yes to do that, or --dry-run to see which.", USAGE)
        say(told)
        if question("Delete? [y/N] ").lower() not in ("y", "yes"):
            say("Nothing is changed.")
            return
    _show_pruned(prune(home, found), "deleted", as_json)


def _show_pruned(logs: Sequence[LogEntry], what: str, as_json: bool) -> None:
    count = "1 log" if len(logs) == 1 else f"{len(logs)} logs"
    lines = [f"{count} {what}."] if what else ["There are no more logs of games that are over, so all stay."]
    names = [log.stem for log in logs]
    show({"logs": names, "deleted": what == "deleted"}, [*(names if what == "would go" else []), *lines], as_json)


def verify(
    log: Annotated[list[str], typer.Argument(metavar="LOG...", help="Names as `p2pcards logs` shows them, or files.")],
    decisions: Annotated[
        str, typer.Option("--decisions", metavar="all|sample|none", help="Which decisions of computers are repeated.")
    ] = "all",
    as_json: AsJson = False,
) -> None:
    """Check what the logs of games prove. Signatures, moves, deals, scores; logs of one game are compared."""
    from p2pcards.cli.repeating import WAYS, repeating
    from p2pcards.cli.verdict import comparison, comparison_lines, count_broken_off, judge, verdict_lines
    from p2pcards.store.logs import DamagedLog, read_log

    if decisions not in WAYS:
        raise Failure(f"--decisions is one of {', '.join(WAYS)}, not {decisions[:20]!r}.", USAGE)
    home = our_home()
    known, repeat = _known(home), repeating(decisions, bar("decisions repeated") if sys.stderr.isatty() else None)
    verdicts = []
    for path in dict.fromkeys(log_path(home, text) for text in log):
        try:
            verdicts.append(judge(str(path), read_log(path), known, repeat))
        except DamagedLog as damaged:
            verdicts.append(judge(str(path), damaged, known, repeat))
    comparisons = [comparison(first, second) for first, second in combinations(verdicts, 2)]
    states = {verdict.state for verdict in verdicts}
    if states & {"false", "damaged"} or any(one["forked_at"] for one in comparisons):
        code = DAMAGED
    else:
        code = UNFINISHED if "unfinished" in states else FINE
    broken_off = count_broken_off(verdicts)
    data = {
        "logs": [verdict.data for verdict in verdicts],
        "comparisons": comparisons,
        "broken_off": broken_off,
        "exit": code,
    }
    lines = [line for verdict in verdicts for line in [*verdict_lines(verdict.data), ""]]
    lines += [line for one in comparisons for line in comparison_lines(one)]
    if broken_off > 1:
        lines.append(f"Hands that were dealt and then broken off in all these games: {broken_off}.")
    show(data, lines[:-1] if lines[-1] == "" else lines, as_json)
    raise typer.Exit(code)


def summary(log: LogEntry, facts: LogFacts) -> dict[str, Any]:
    """What `logs` tells of a log."""
    return {
        "log": log.stem,
        "file": f"{log.folder}/{log.name}",
        "game": log.game,
        "state": facts.state,
        "records": facts.records,
        "players": list(facts.players),
        "coordinates": None if facts.side is None else facts.side == 0,
        "size": log.size,
    }


def _game(word: str) -> AnyGame:
    from p2pcards.games.registry import find_game

    return find_game(word)


def _known(home: Home) -> Known:
    """Who is known here by which key. Verifying needs neither, so what is wrong with the files is not its matter."""
    from p2pcards.cli.verdict import Known
    from p2pcards.store.errors import StoreError
    from p2pcards.store.identity import load_or_make_identity
    from p2pcards.store.peers import load_peers
    from p2pcards.wire.keys import public_bytes

    names: dict[bytes, str] = {}
    with suppress(StoreError):
        names = {peer.key: peer.name for peer in load_peers(home)}
    me = b""
    with suppress(StoreError):
        me = public_bytes(load_or_make_identity(home)) if home.identity.exists() else b""
    return Known(names, me)
