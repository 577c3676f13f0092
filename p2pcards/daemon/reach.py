"""Whether meeting points are used, and the brokers that all tables of a daemon share while they are."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

import trio

from p2pcards.daemon.crew import beside
from p2pcards.links.address import BadAddress, parse_address
from p2pcards.links.broker_address import parse_broker
from p2pcards.links.tcp import own_addresses
from p2pcards.store.files import Home, StoreError, write_whole
from p2pcards.store.settings import REACH, Settings, usable_settings

if TYPE_CHECKING:
    from p2pcards.daemon.rendezvous import Brokers
    from p2pcards.links.broker import Dial
    from p2pcards.links.data_channel import Prepare

VARIABLE = "P2PCARDS_REACH"
"""In the environment: a value of the setting; the stricter of the two counts."""
TOLD = "reach.told"
FIRST_USE = (
    "You and your friend meet through message brokers, which see both IP addresses, a number and encrypted bytes. "
    "To never use them: p2pcards config set reach off"
)
OFF = "This needs a meeting point, but those are off in your settings. To turn them on: p2pcards config set reach on"
OFF_BY_VARIABLE = (
    f"This needs a meeting point, but {VARIABLE}=off in your environment turns those off. To use them, unset it and "
    "run p2pcards stop."
)
FIRST_USE_IN_PAGE, OFF_IN_PAGE = (
    FIRST_USE.replace("p2pcards config set reach off", "Settings, meeting points, off"),
    OFF.replace("p2pcards config set reach on", "Settings, meeting points, on"),
)
NONE_FOR_PAGE = (
    "A browser needs a broker whose address begins with wss://, and your settings have none. Add one under Settings, "
    "brokers to meet at, or clear the list to use the public ones."
)
RENDEZVOUS = "p2pcards.daemon.rendezvous"
"""Takes a while to import, and few daemons need it."""
UNUSED = 60.0
"""Seconds after which brokers are left that nobody uses, or twice as many."""


class NoReach(Exception):
    """No meeting point is used; the argument is a sentence."""


def reach_of(settings: Settings, environ: Mapping[str, str] = os.environ) -> str:
    """One of REACH: how far meeting points are used by these settings."""
    return max([settings.reach, *[one for one in REACH if one == environ.get(VARIABLE)]], key=REACH.index)


def why_off(settings: Settings) -> str:
    """The sentence that says why meeting points are off."""
    return OFF if settings.reach == "off" else OFF_BY_VARIABLE


def waits_anywhere(reach: str, asked: bool | None, bind: str) -> bool:
    """True if a waiting table waits at meeting points, too. reach: one of REACH; asked: by the command, None if it says
    nothing; bind: the one address of this machine to wait at, "" for all."""
    if asked is None:
        return reach == "on" and not bind
    return asked and reach != "off"


def first_use_notice(home: Home) -> str:
    """The notice that a player reads before meeting points are used for the first time in this home; "" afterwards."""
    told = home.state / TOLD
    if told.exists():
        return ""
    with suppress(StoreError):  # then it is told again
        write_whole(told, b"")
    return FIRST_USE


@dataclass(frozen=True, slots=True)
class InPage:
    """What the daemon has in the page of a browser, where nothing can listen."""

    dial: Dial  # opens WebSockets to brokers
    address: str = ""  # of the page's folder, for invitation links; "" unless the page came over https
    webrtc: Prepare | None = None  # makes data channels; None for no direct connections
    page_hash: str = ""  # of all files of the page; "" if unknown


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
        """True while a table or a stream uses these brokers."""
        return self._users > 0 or self.brokers.point.stream_count > 0

    @contextmanager
    def used(self) -> Iterator[None]:
        """Count a user while in this context."""
        self._users += 1
        try:
            yield
        finally:
            self._users -= 1


class Reach:
    """The brokers of one daemon. fault: takes what fails in them; in_page: None where it is a program."""

    def __init__(self, home: Home, fault: Callable[[Exception], None], in_page: InPage | None = None) -> None:
        self._home = home
        self._fault = fault
        self.in_page = in_page
        self._shared: dict[Chosen, _Shared] = {}
        self._opening = trio.Lock()
        self._nursery: trio.Nursery | None = None

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Keep brokers connected while they are used; cancelling ends all that goes through them."""
        async with trio.open_nursery() as self._nursery:
            task_status.started()
            await trio.sleep_forever()

    @asynccontextmanager
    async def held(self, tell: Callable[[str], None]) -> AsyncIterator[Brokers]:
        """The brokers of the settings, connected while in this context. tell: gets the first-use notice. Raises
        NoReach."""
        settings = usable_settings(self._home).settings
        if reach_of(settings) == "off":
            raise NoReach(OFF_IN_PAGE if self.in_page else why_off(settings))
        if told := first_use_notice(self._home):
            tell(FIRST_USE_IN_PAGE if self.in_page else told)
        shared = await self._open(Chosen(settings.brokers, settings.ways, settings.stun))
        with shared.used():
            yield shared.brokers

    async def _open(self, chosen: Chosen) -> _Shared:
        """The brokers for these settings, opened if nobody uses them yet."""
        assert self._nursery is not None, "the daemon runs"
        async with self._opening:
            if chosen not in self._shared:
                _check_reach(chosen, self.in_page is not None)
                await beside(import_module, RENDEZVOUS)
                await self._nursery.start(self._keep, chosen)
        return self._shared[chosen]

    async def _keep(self, chosen: Chosen, *, task_status: trio.TaskStatus[None]) -> None:
        """Keep one set of brokers while it is used. If the program fails in it, all streams are lost and the next use
        opens it anew."""
        from p2pcards.daemon.rendezvous import open_brokers

        dial, webrtc = (self.in_page.dial, self.in_page.webrtc) if self.in_page else (None, None)
        try:
            async with trio.open_nursery() as nursery:
                brokers = open_brokers(chosen.brokers, chosen.ways, chosen.stun, nursery, self._fault, dial, webrtc)
                await nursery.start(brokers.point.run)
                # A page sees no address of its machine.
                nursery.start_soon(brokers.watch_network, tuple if dial else own_addresses)
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


def _check_reach(chosen: Chosen, in_page: bool) -> None:
    """Raise NoReach where meeting points are off or cannot be used."""
    for address in (*chosen.brokers, *chosen.stun):
        try:
            (parse_broker if "://" in address else parse_address)(address)
        except BadAddress as bad:
            where = "under Settings, Brokers" if in_page else "p2pcards config edit"
            raise NoReach(f"{bad} It's in your settings: {where}") from None
    if in_page and chosen.brokers and not any(parse_broker(address).web for address in chosen.brokers):
        raise NoReach(NONE_FOR_PAGE)
