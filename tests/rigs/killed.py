"""One end of a game whose daemon is killed and started again, and what its front ends were shown meanwhile."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import trio

from p2pcards.control.client import Client, ClientTable, connect
from p2pcards.control.declined import Declined
from p2pcards.ledger.verify import Findings, verify_log
from p2pcards.results.keeping import ask_book
from p2pcards.results.standings import history
from p2pcards.store.files import Home
from p2pcards.store.logs import list_logs, read_log
from p2pcards.views.happenings import GameBrokenOff, GameWon
from p2pcards.views.tableview import Command, TableView
from rigs.homes import kill_daemon

SitDown = Callable[[Client], Awaitable[object]]


class KilledEnd:
    """shown: the head of every log that its front end was shown, and the number of records; won: the last heads of the
    games whose end it was shown; neither of games at which it only looked on, of which no log is kept. seen: updates,
    each of which rings `changed`. view: the table as it stands, while there is one. asked: how often its player was
    asked whether to play on with a coordinator who broke off a game."""

    def __init__(self, home: Home, changed: Callable[[], None]) -> None:
        self.home = home
        self.shown: dict[str, int] = {}
        self.won: list[str] = []
        self.seen = 0
        self.asked = 0
        self.view = TableView("", "closed")
        self.table: ClientTable | None = None
        self._changed = changed
        self._dead = trio.Event()
        self._proven: dict[Path, tuple[int, Findings]] = {}

    async def live(self, sit_down: SitDown, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """A daemon and its front end, until the daemon is dead; started once it is attached to the table."""
        self._dead = trio.Event()
        async with connect(self.home) as client:
            await sit_down(client)
            self.table = await client.attach()
            task_status.started()
            await self._watch(self.table)
        self.view, self.table = TableView("", "closed"), None
        self._dead.set()

    async def kill(self) -> None:
        """kill -9. Whatever its front end had been sent by then was shown."""
        kill_daemon(self.home)
        await self._dead.wait()

    async def _watch(self, table: ClientTable) -> None:
        async for update in table.updates():
            if isinstance(update, TableView):
                self.view = update
                if update.head and not update.looks_on:
                    self.shown[update.head] = update.records
            elif isinstance(update.happening, GameWon) and not self.view.looks_on:
                self.won.append(update.happening.head)
            elif isinstance(update.happening, GameBrokenOff) and update.happening.asks:
                self.asked += 1
                with suppress(Declined):
                    await table.command(Command("accept"))
            self.seen += 1
            self._changed()

    # --- what stands in its logs --------------------------------------------------------------------------------------

    def check(self) -> dict[bytes, Findings]:
        """Everything that was shown here stands in the logs, of which each game has one, and nothing in them is false;
        what they prove, by the identity of the game. Raises what a false or damaged log raises."""
        proven = self._read_what_grew()
        standing = {head.hex(): count for found in proven for count, head in enumerate(found.heads)}
        lost = {head: count for head, count in self.shown.items() if standing.get(head) != count}
        assert lost == {}, f"shown, and not in the logs of {self.home.state.name}"
        assert all(found.honest for found in proven)
        games = {found.position.game_id: found for found in proven}
        assert len(games) == len(proven)
        over = {game_id.hex() for game_id, found in games.items() if found.position.ended is not None}
        assert over <= {one.result.id for one in ask_book(self.home, history)}, (
            "a game that is over is not in the records"
        )
        return games

    def _read_what_grew(self) -> list[Findings]:
        for log in list_logs(self.home):
            payloads = read_log(log.path).payloads
            if len(payloads) >= 2 and self._proven.get(log.path, (0,))[0] != len(payloads):
                self._proven[log.path] = len(payloads), verify_log(payloads)
        return [found for _, found in self._proven.values()]
