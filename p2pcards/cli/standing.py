"""What the daemon says about its tables, as text and as data."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from p2pcards.wire.clean import clean

if TYPE_CHECKING:
    from p2pcards.control.messages import DaemonStatus, Someone, TableStatus

NO_DAEMON = "No table is open, and no daemon runs here."
COMPILING = (
    "The computer players are being compiled in the background, at the lowest priority. They decide the same "
    "meanwhile, only slower."
)
OVERVIEW = (
    "p2pcards play hearts     play alone, against the computer ('p2pcards games' lists the games)",
    "p2pcards listen          wait for a friend's call; it prints the line to send to your friend",
    "p2pcards connect HOST    call a friend who listens, choose a game and start it",
    "p2pcards resume          go on with an unfinished game",
    "p2pcards --help          everything else ('p2pcards guide start' tells how to begin)",
)
PHASES = {
    "lobby": "before the game",
    "play": "in play",
    "paused": "paused: nobody is here",
    "over": "the game is over",
    "closed": "closed",
}


def status_data(tables: DaemonStatus | None, compiling: bool) -> dict[str, Any]:
    """For JSON; None: no daemon runs. compiling: the computer players."""
    found = asdict(tables) if tables else {"version": None, "pid": None, "tables": (), "restoring": False}
    return found | {"compiling": compiling}


def status_lines(tables: DaemonStatus | None, compiling: bool) -> list[str]:
    return [*(_daemon_lines(tables) if tables else [NO_DAEMON]), *([COMPILING] if compiling else [])]


def _daemon_lines(tables: DaemonStatus) -> list[str]:
    lines = [f"The daemon runs (version {tables.version}, pid {tables.pid})."]
    if tables.restoring:
        lines.append("The tables that waited before are being opened again.")
    elif not tables.tables:
        lines.append("No table is open. It ends by itself after ten minutes.")
    for table in tables.tables:
        lines += [short_line(table), *[f"    {line}" for line in _details(table)]]
    return lines


def short_line(table: TableStatus) -> str:
    """One line about a table."""
    game = f"{table.game}, {PHASES.get(table.phase, table.phase)}" if table.game else "no game yet"
    waiting = f"; waiting for {clean(table.waiting, 60)}" if table.waiting and table.phase in ("lobby", "play") else ""
    return f"{table.name}: {game}{waiting}."


def _details(table: TableStatus) -> list[str]:
    lines = [", ".join(_person(one) for one in table.people)] if table.people else []
    facts = ["you coordinate" if table.role == "coordinator" else "you are a listener"]
    if table.port:
        facts.append(f"{'listens' if table.role == 'listener' else 'hosts'} on port {table.port}")
    if table.device:
        facts.append(f"waits at {clean(table.device, 60)}")
    if table.code:
        facts.append(f"the code for a first meeting is {table.code}")
    if table.front_ends:
        facts.append("open in a terminal" if table.front_ends == 1 else f"open in {table.front_ends} terminals")
    if table.unread:
        facts.append(f"{table.unread} {'thing' if table.unread == 1 else 'things'} happened since you looked")
    lines.append("; ".join(facts))
    if table.log:
        lines.append(f"log: {table.log}")
    if table.paused:
        lines.append(f"It stands still: {clean(table.paused, 500)}")
    return lines


def _person(someone: Someone) -> str:
    about = {"you": "you", "away": "away"}.get(someone.link, clean(someone.where, 60) or "here")
    about += f": {clean(someone.line, 60)}" if someone.line else ""
    return f"{clean(someone.name, 24)} ({about})"
