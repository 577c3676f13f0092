"""scripts/trace: which files of p2pcards a played card passes, at three machines, until all have done all.

Three daemons run in this process, each with a home of its own: a coordinator and two listeners, a person at each. They
play crazy eights for a while, until the first listener can lay a card. That one is followed: from where its command
comes over the control socket until nobody has anything to do. No front end is at the two other tables.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import trio
from trio.testing import wait_all_tasks_blocked

import p2pcards
from p2pcards.control.client import ClientTable, connect
from p2pcards.control.messages import Host, OpenConnect, OpenListen, Persona
from p2pcards.daemon import serve
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.store.files import Home, find_home, make_folders
from p2pcards.store.identity import load_or_make_identity
from p2pcards.views.tableview import Command, TableView

MACHINES = ("coordinator", "listener", "other listener")
"""The second lays the card."""

GAME = (Command("game", ("crazy-eights",)), Command("set", ("players", "3")), Command("start"))
ROOT = Path(p2pcards.__file__).parent
WARM = 2
"""Actions of each player before it: one who has not moved yet is made known first."""
QUIET = 0.05
"""Seconds after which nobody does anything any more."""

HEADING = "## The files that a card passes"
"""Of docs/design.md, above a block that names them."""


# --- what is called ---------------------------------------------------------------------------------------------------


class Call(NamedTuple):
    machine: str
    file: str
    function: str


class Figures(NamedTuple):
    """changes: how often the next function that is called stands in another file than the last, machine by machine."""

    files: int
    functions: int
    calls: int
    changes: int


MACHINE = ContextVar("machine", default="")
"""Whose task it is; "" for the front ends."""


@contextmanager
def following() -> Iterator[list[Call]]:
    """The calls of functions of p2pcards meanwhile, in their order."""
    calls: list[Call] = []
    files: dict[str, str] = {}

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        if event != "call" or not (machine := MACHINE.get()):
            return
        name = frame.f_code.co_filename
        if (file := files.get(name)) is None:
            place = Path(name)
            file = files[name] = str(place.relative_to(ROOT)) if place.is_relative_to(ROOT) else ""
        if file:
            calls.append(Call(machine, file, frame.f_code.co_qualname))

    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def figures_of(calls: Sequence[Call]) -> Figures:
    changes, last = 0, dict[str, str]()
    for call in calls:
        changes += last.get(call.machine, call.file) != call.file
        last[call.machine] = call.file
    functions = {call[1:] for call in calls if "<" not in call.function.split(".")[-1]}
    return Figures(files_in(calls), len(functions), len(calls), changes)


def files_in(calls: Sequence[Call]) -> int:
    return len({call.file for call in calls})


def passed(calls: Sequence[Call]) -> list[str]:
    """The files in the order in which the first function of each is called."""
    return list(dict.fromkeys([call.file for call in calls]))


def named_in_design(page: str) -> list[str]:
    """The files in the block under HEADING, one a line, what follows a name left out; none where there is no block."""
    _, found, rest = page.partition(HEADING + "\n")
    block = rest.split("```")[1] if found and "```" in rest.partition("\n## ")[0] else ""
    return [line.split()[0] for line in block.splitlines()[1:] if line.strip()]


# --- a card at three machines -----------------------------------------------------------------------------------------


class Seat:
    """A person at a table of one of the daemons. view: the newest."""

    def __init__(self, table: ClientTable) -> None:
        self.table = table
        self.view = TableView("", "lobby")
        self._more = trio.Event()

    async def look(self) -> None:
        async for news in self.table.updates():
            if isinstance(news, TableView):
                self.view = news
                self._more.set()
                self._more = trio.Event()

    async def until(self, fits: Callable[[TableView], bool]) -> None:
        while not fits(self.view):
            await self._more.wait()


async def trace_card() -> list[Call]:
    with tempfile.TemporaryDirectory(prefix="p2p") as folder:
        async with _seats(Path(folder)) as seats:
            for command in GAME:
                await seats[0].table.command(command)
            return await _follow_card(seats)


async def _follow_card(seats: Sequence[Seat]) -> list[Call]:
    for one in seats:
        await one.until(lambda view: bool(view.seats))
    acted = Counter[Seat]()
    while True:
        await _wait_until_quiet()
        seat = next((seat for seat in seats if seat.view.legal), None)
        if seat is None:  # a busy disk keeps a machine from going on
            continue
        cards = [action for action in seat.view.legal if _is_plain_card(action)]
        if cards and seat is seats[1] and _holds_more(seat.view) and min(acted[one] for one in seats) >= WARM:
            break
        acted[seat] += 1
        await seat.table.command(Command("act", tuple((cards or seat.view.legal)[0].split())))
    for other in (seats[0], seats[2]):
        await other.table.detach()
    await _wait_until_quiet()
    with following() as calls:
        await seat.table.command(Command("act", (cards[0],)))
        await _wait_until_quiet()
    return calls


async def _wait_until_quiet() -> None:
    """Wait until no task can run and no thread writes to a log, however long a busy disk takes."""
    while True:
        await wait_all_tasks_blocked(QUIET)
        if not trio.to_thread.current_default_thread_limiter().borrowed_tokens:
            return


def _holds_more(view: TableView) -> bool:
    """True if a card of mine doesn't end the hand."""
    return view.me is not None and view.seats[view.me].cards > 1


def _is_plain_card(action: str) -> bool:
    """A card that does nothing: no eight, queen, king or jack, which some rules give a meaning, and no drawing."""
    return action[:-1] in [str(rank) for rank in (3, 4, 5, 6, 7, 9, 10)]


@asynccontextmanager
async def _seats(folder: Path) -> AsyncIterator[list[Seat]]:
    """At one table, as MACHINES has them."""
    async with trio.open_nursery() as nursery, AsyncExitStack() as stack:
        homes = [find_home({"P2PCARDS_HOME": str(folder / str(number))}) for number in range(len(MACHINES))]
        for home, machine in zip(homes, MACHINES, strict=True):
            _run_daemon(home, machine, nursery)
        clients = [await stack.enter_async_context(connect(home, start=False)) for home in homes]
        listening = [
            await client.open(OpenListen(0, Persona(f"L{place}"), reach=False))
            for place, client in enumerate(clients[1:])
        ]
        hosts = tuple([Host(f"127.0.0.1:{opened.port}") for opened in listening])
        await clients[0].open(OpenConnect(hosts, persona=Persona("Ann")))
        seats = [Seat(await client.attach()) for client in clients]
        for seat in seats:
            nursery.start_soon(seat.look)
        yield seats
        nursery.cancel_scope.cancel()


def _run_daemon(home: Home, machine: str, nursery: trio.Nursery) -> None:
    make_folders(home)
    daemon = serve.Daemon(home, load_or_make_identity(home), Diagnostics(home.diagnostics), lambda _fd: None)
    ear = serve._bind_socket(home)
    before = MACHINE.set(machine)
    nursery.start_soon(daemon.run, trio.SocketListener(trio.socket.from_stdlib_socket(ear)))
    MACHINE.reset(before)


# --- what is printed --------------------------------------------------------------------------------------------------


def lines_of(calls: Sequence[Call]) -> Iterator[str]:
    for machine in MACHINES:
        own = [call for call in calls if call.machine == machine]
        yield f"{machine}: {_said(figures_of(own))}"
        yield from [f"    {file}" for file in passed(own)]
    yield f"all three: {_said(figures_of(calls))}"


def _said(figures: Figures) -> str:
    files, functions, calls, changes = figures
    return f"{files} files, {functions} functions, {calls} calls, {changes} changes of file"


def main() -> int:
    for line in lines_of(trio.run(trace_card)):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
