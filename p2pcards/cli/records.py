"""`p2pcards logs` and `p2pcards verify`: the games that were played, and what their logs prove."""

from __future__ import annotations

import sys
from contextlib import suppress
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, Any

import typer

from p2pcards.cli.failing import Failure
from p2pcards.cli.home import our_home
from p2pcards.cli.options import AsJson
from p2pcards.cli.output import bar, columns, show
from p2pcards.cli.wanted import log_path
from p2pcards.control.exits import DAMAGED, FINE, UNFINISHED, USAGE

if TYPE_CHECKING:
    from p2pcards.cli.verdict import Known
    from p2pcards.games.game import AnyGame
    from p2pcards.store.home import Home
    from p2pcards.store.log_index import LogFacts
    from p2pcards.store.logs import LogEntry


def logs(
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="Of this game alone.")] = "",
    as_json: AsJson = False,
) -> None:
    """List the games that were played here, the newest first."""
    from p2pcards.store.log_index import indexed_logs

    wanted = _game(game) if game else None
    data = [summary(*log) for log in indexed_logs(our_home()) if wanted is None or log[0].game == wanted.key]
    rows = [(one["log"], one["state"], str(one["records"]), ", ".join(one["players"])) for one in data]
    nothing = f"No game{f' of {wanted.name}' if wanted else ''} was played here yet."
    lines = columns([("log", "state", "records", "people"), *rows]) if rows else [nothing]
    show(data, lines, as_json)


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
    from p2pcards.store.logfile import DamagedLog, read_log

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
