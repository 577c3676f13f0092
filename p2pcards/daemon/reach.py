"""Whether meeting points are used, and the brokers that all tables of a daemon share while they are."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

import trio

from p2pcards.daemon.crew import beside
from p2pcards.links.address import BadAddress, parse_address
from p2pcards.links.broker_address import parse_broker
from p2pcards.store.files import Home, StoreError, write_whole
from p2pcards.store.settings import Settings, usable_settings

if TYPE_CHECKING:
    from p2pcards.daemon.rendezvous import Brokers

TOLD = "reach.told"
FIRST_USE = (
    "You and your friend meet at public message brokers, which see both IP addresses, a number and encrypted bytes. "
    "To never use them: p2pcards config set reach off"
)
OFF = "Meeting points are off in your settings, and this way needs one. To use them: p2pcards config set reach on"
IN_PAGE = "A page cannot go to meeting points yet. Ask your friend for a link, or use p2pcards in a terminal."
RENDEZVOUS = "p2pcards.daemon.rendezvous"
"""Takes a while to import, and few daemons need it."""
UNUSED = 60.0
"""Seconds after which brokers are left that nobody uses, or twice as many."""


class NoReach(Exception):
    """No meeting point is used; the argument is a sentence."""


def waits_anywhere(settings: Settings, asked: bool | None) -> bool:
    """Whether a table that waits does so at meeting points, too. asked: by the command, None where it says nothing."""
    return settings.reach != "off" and (settings.reach == "on" if asked is None else asked)


def first_use(home: Home) -> str:
    """What a player has to know before meeting points are used for the first time in this home; "" afterwards."""
    told = home.state / TOLD
    if told.exists():
        return ""
    with suppress(StoreError):  # then it is told again
        write_whole(told, b"")
    return FIRST_USE


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the settings say."""

    brokers: tuple[str, ...]
    ways: tuple[str, ...]
    stun: tuple[str, ...]


class _Shared:
    def __init__(self, brokers: Brokers) -> None:
        self.brokers = brokers
        self._users = 0

    @property
    def is_used(self) -> bool:
        return self._users > 0 or self.brokers.point.stream_count > 0

    @contextmanager
    def used(self) -> Iterator[None]:
        self._users += 1
        try:
            yield
        finally:
            self._users -= 1


class Reach:
    """The brokers of one daemon. fault: takes what fails in them; possible: False in a page, whose only way out is
    WebSockets."""

    def __init__(self, home: Home, fault: Callable[[Exception], None], possible: bool = True) -> None:
        self._home = home
        self._fault = fault
        self._possible = possible
        self._shared: dict[Chosen, _Shared] = {}
        self._opening = trio.Lock()
        self._nursery: trio.Nursery | None = None

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Until cancelled, which ends all that goes through the brokers."""
        async with trio.open_nursery() as self._nursery:
            task_status.started()
            await trio.sleep_forever()

    @asynccontextmanager
    async def held(self, tell: Callable[[str], None]) -> AsyncIterator[Brokers]:
        """Those of the settings, opened where nobody uses them yet. tell: is told what meeting points see, the first
        time. Raises NoReach."""
        if not self._possible:
            raise NoReach(IN_PAGE)
        settings = usable_settings(self._home).settings
        if settings.reach == "off":
            raise NoReach(OFF)
        if told := first_use(self._home):
            tell(told)
        shared = await self._open(Chosen(settings.brokers, settings.ways, settings.stun))
        with shared.used():
            yield shared.brokers

    async def _open(self, chosen: Chosen) -> _Shared:
        assert self._nursery is not None, "the daemon runs"
        async with self._opening:
            if chosen not in self._shared:
                _check(chosen)
                await beside(import_module, RENDEZVOUS)
                await self._nursery.start(self._keep, chosen)
        return self._shared[chosen]

    async def _keep(self, chosen: Chosen, *, task_status: trio.TaskStatus[None]) -> None:
        """One connection to these brokers, as long as it is used. Where the program itself fails, all that goes
        through them is lost, and the next use opens them anew."""
        from p2pcards.daemon.rendezvous import open_brokers

        try:
            async with trio.open_nursery() as nursery:
                brokers = open_brokers(chosen.brokers, chosen.ways, chosen.stun, nursery, self._fault)
                await nursery.start(brokers.point.run)
                nursery.start_soon(brokers.watch_network)
                shared = self._shared[chosen] = _Shared(brokers)
                task_status.started()
                await trio.sleep(UNUSED)
                while shared.is_used:
                    await trio.sleep(UNUSED)
                nursery.cancel_scope.cancel()
        except Exception as error:
            self._fault(error)
        finally:
            self._shared.pop(chosen, None)


def _check(chosen: Chosen) -> None:
    """Raises NoReach."""
    for address in (*chosen.brokers, *chosen.stun):
        try:
            (parse_broker if "://" in address else parse_address)(address)
        except BadAddress as bad:
            raise NoReach(f"{bad} Your settings have it: p2pcards config edit") from None
