"""Meeting friends at brokers: a call from here, and the door that a table has there."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from time import time as wall_clock

import trio

from p2pcards.daemon.first_contact import DoorCodes, Threshold
from p2pcards.links.address import parse_address
from p2pcards.links.broker import Dial, MqttBroker, open_broker
from p2pcards.links.broker_address import parse_broker
from p2pcards.links.broker_dial import dial_broker
from p2pcards.links.data_channel import Prepare
from p2pcards.links.door import Fault
from p2pcards.links.meeting import (
    DAY,
    MeetingPlace,
    MeetingPoint,
    OpenPaths,
    Waiting,
    no_paths,
    place_of_code,
    place_of_friend,
    place_of_link,
    places_for_friend,
)
from p2pcards.links.public_servers import PUBLIC_BROKERS, PUBLIC_STUN_SERVERS
from p2pcards.links.tcp import own_addresses
from p2pcards.store.files import Home, StoreError
from p2pcards.store.identity import PROOFS, load_peers
from p2pcards.wire.invitation import Invitation
from p2pcards.wire.keys import PrivateKey, pair_secret, public_bytes
from p2pcards.wire.spoken import MEETING_NUMBERS

LOOK = 5.0
"""Seconds until it is looked again whether this machine has other addresses."""
SLEPT = 20.0
"""Seconds that the wall clock is ahead after a sleep; less is a clock that was set right."""

# --- the brokers ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Brokers:
    point: MeetingPoint  # for waiting and calling through these brokers
    ends: tuple[MqttBroker, ...]  # the connection to each broker

    async def watch_network(
        self, addresses: Callable[[], object] = own_addresses, wall: Callable[[], float] = wall_clock
    ) -> None:
        """Reconnect whenever this machine has new addresses or has slept. wall: a clock that runs during sleep."""
        before, ahead = addresses(), wall() - trio.current_time()
        while True:
            await trio.sleep(LOOK)
            now, now_ahead = addresses(), wall() - trio.current_time()
            if now != before or now_ahead - ahead > SLEPT:
                for end in self.ends:
                    end.reconnect()
            before, ahead = now, now_ahead

    async def why_unreachable(self) -> str:
        """Wait for the brokers to connect: "" once the first has, a sentence if none can."""
        reached = False
        async with trio.open_nursery() as nursery:

            async def look(end: MqttBroker) -> None:
                """Wait for one broker; the first to connect cancels the others."""
                nonlocal reached
                if (await end.wait_for_try()).since is not None:
                    reached = True
                    nursery.cancel_scope.cancel()

            for end in self.ends:
                nursery.start_soon(look, end)
        return "" if reached else next((end.status.last_failure for end in self.ends), "")


def addresses_of(setting: tuple[str, ...], in_page: bool = False) -> tuple[str, ...]:
    """The broker addresses of a setting, by default the public ones. in_page: only those that a browser can use."""
    if not setting:
        return tuple([broker.web if in_page else broker.tls for broker in PUBLIC_BROKERS])
    return tuple([address for address in setting if not in_page or parse_broker(address).web])


def open_brokers(
    setting: tuple[str, ...],
    ways: Collection[str],
    stun: tuple[str, ...],
    nursery: trio.Nursery,
    fault: Fault,
    dial_from_page: Dial | None = None,
    webrtc_of_page: Prepare | None = None,
) -> Brokers:
    """Connect to brokers. nursery: runs the connections. ways, stun: the settings; dial_from_page, webrtc_of_page: how
    a page connects, which has only brokers and data channels."""
    in_page = dial_from_page is not None
    dial = dial_from_page or dial_broker
    paths = _paths_in_page(ways, stun, fault, webrtc_of_page) if in_page else _paths_of(ways, stun, fault)
    ends = tuple([open_broker(address, nursery, dial) for address in addresses_of(setting, in_page)])
    return Brokers(MeetingPoint(ends, paths=paths, fault=fault), ends)


def _paths_of(ways: Collection[str], stun: tuple[str, ...], fault: Fault) -> OpenPaths:
    """The function that opens direct paths by these settings; `no_paths` for brokers only."""
    if set(ways) == {"broker"}:
        return no_paths
    from p2pcards.links import direct  # what it imports is not there in a browser
    from p2pcards.links.paths import DirectPaths

    webrtc = direct.prepare if direct.is_available() else None
    return partial(DirectPaths, ways=ways, webrtc=webrtc, stun=stun_servers_of(stun), fault=fault)


def _paths_in_page(ways: Collection[str], stun: tuple[str, ...], fault: Fault, webrtc: Prepare | None) -> OpenPaths:
    """The function that opens direct paths in a page by these settings; `no_paths` for brokers only."""
    left = {"direct", "broker"} & {*ways}
    if left == {"broker"}:
        return no_paths
    from p2pcards.links.paths import NO_WAY, DirectPaths

    no_way = NO_WAY.replace("p2pcards config set ways tcp router direct broker", "Settings, ways to friends")
    return partial(DirectPaths, ways=left, webrtc=webrtc, stun=stun_servers_of(stun), fault=fault, no_way=no_way)


def stun_servers_of(setting: tuple[str, ...]) -> list[tuple[str, int]]:
    """(host, port) of the STUN servers of a setting, by default the public ones."""
    if not setting:
        return [(server.host, server.port) for server in PUBLIC_STUN_SERVERS]
    return [parse_address(address) for address in setting]


# --- where to call ----------------------------------------------------------------------------------------------------


def place_of_call(identity: PrivateKey, key: bytes | None, number: int, invited: Invitation | None) -> MeetingPlace:
    """The meeting place of a call. key: whom to call; None: whoever made the invitation, or has the code with this
    number."""
    if key is None:
        return place_of_link(invited.token) if invited else place_of_code(number)
    return place_of_friend(pair_secret(identity, key), key, int(wall_clock()) // DAY)


# --- where a table waits ----------------------------------------------------------------------------------------------


FRIENDS = 16
"""Of the people that we know, and of those who have come with a code or by the link, so many can call without one:
those met last."""
SURE = 8
"""So many of them are people whose key we are sure of: anyone who has a link can come by it with many keys."""
CODES = 4
"""The codes given out last: who comes with an old one is told so."""
LOOK_AGAIN = 600.0
"""Seconds; at midnight UTC the names of meeting places change, and a machine may have slept."""


class AnywhereDoor:
    """The door of one table at the meeting points."""

    def __init__(
        self,
        home: Home,
        identity: PrivateKey,
        codes: DoorCodes,
        threshold: Threshold,
        token: bytes = b"",
        members_only: bool = False,
    ) -> None:
        """token: of the table's link, b"" where it has none; members_only: only people of the table are awaited."""
        self._members_only = members_only
        self._link = (place_of_link(token),) if token else ()
        self._home = home
        self._identity = identity
        self._own_key = public_bytes(identity)
        self._codes = codes
        self._threshold = threshold
        self._secrets: dict[bytes, bytes] = {}

    async def keep(self, brokers: Brokers, fault: Callable[[Exception], None], tell: Callable[[str], None]) -> None:
        """Wait for callers at the right places until cancelled. tell: gets a sentence while nobody can come."""
        waiting = Waiting(
            brokers.point,
            identity=self._identity,
            on_channel=self._threshold.arrived,
            # Whoever listens to all topics of a broker has seen the number of the code.
            admit=partial(self._threshold.admit, only_with_code=True),
            admit_invited=partial(self._threshold.admit, invited=True),
            fault=fault,
        )
        async with trio.open_nursery() as nursery:
            await nursery.start(waiting.run)
            nursery.start_soon(_tell_why_unreachable, brokers, tell)
            there: frozenset[MeetingPlace] | None = None
            while True:
                wanted = self._places()
                if wanted != there:
                    await waiting.wait_at(wanted)
                    there = wanted
                else:
                    with trio.move_on_after(LOOK_AGAIN):
                        await self._codes.moved.wait()

    def _places(self) -> frozenset[MeetingPlace]:
        """All places to wait at now: of the link, the last codes, and friends."""
        numbers = [number for number in self._codes.numbers(CODES) if number in MEETING_NUMBERS]
        friends = [place for key in self._friends() for place in self._places_for(key)]
        return frozenset([*self._link, *map(place_of_code, numbers), *friends])

    def _friends(self) -> list[bytes]:
        """The keys of the friends to wait for: those at the table, the latest verified ones, then others."""
        members = [*self._threshold.members()]
        if self._members_only:
            return members
        try:
            peers = sorted(load_peers(self._home), key=lambda peer: peer.last_seen, reverse=True)
        except StoreError:
            peers = []
        sure = [peer for peer in peers if peer.proof != PROOFS[0]][:SURE]
        others = [peer for peer in peers if peer not in sure]
        known = [peer.key for peer in [*sure, *others][:FRIENDS]]
        return [*members, *self._threshold.proven[-FRIENDS:], *known]

    def _places_for(self, key: bytes) -> tuple[MeetingPlace, ...]:
        """The places at which to wait for the friend with this key."""
        if key not in self._secrets:
            self._secrets[key] = pair_secret(self._identity, key)
        return places_for_friend(self._secrets[key], self._own_key, wall_clock())


async def _tell_why_unreachable(brokers: Brokers, tell: Callable[[str], None]) -> None:
    """Tell why friends can't come from anywhere, if no broker answers."""
    if why := await brokers.why_unreachable():
        tell(f"Friends can't join from anywhere yet, because no meeting point is answering: {why}")
