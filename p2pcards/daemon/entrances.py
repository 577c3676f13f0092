"""Where a table waits: the sockets of a port, or a serial device; what is wrong with them is declined."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial

import trio

from p2pcards.control.declined import Declined
from p2pcards.control.exits import NETWORK
from p2pcards.control.messages import Admission, OpenHost, OpenLine, OpenListen, Serial, TableOpened
from p2pcards.daemon.callers import who_calls
from p2pcards.daemon.codes import Codes
from p2pcards.daemon.doorcodes import DoorCodes
from p2pcards.daemon.lines import LineFailed, Setup, keep_line, setup_of
from p2pcards.daemon.runner import Entrance, Runner
from p2pcards.daemon.tables import Tables
from p2pcards.daemon.threshold import Threshold
from p2pcards.links.door import keep_door
from p2pcards.links.tcp import CannotListen, listen, port_of
from p2pcards.store.home import Home
from p2pcards.store.settings import Settings
from p2pcards.wire.keys import PrivateKey, public_bytes


def line_setup(serial: Serial, settings: Settings) -> Setup:
    """Raises Declined."""
    try:
        return setup_of(serial, settings)
    except LineFailed as failed:
        raise Declined(str(failed), failed.code) from None


async def ears(port: int) -> list[trio.SocketListener]:
    """Raises Declined."""
    try:
        return await listen(port)
    except CannotListen as cannot:
        raise Declined(cannot.sentence, NETWORK) from None


class Doorkeeper:
    """Opens the tables of a home to whoever comes. What it opened is kept: after a restart, or when the game is
    resumed, the table waits there again."""

    def __init__(self, home: Home, identity: PrivateKey, tables: Tables) -> None:
        self._home = home
        self._identity = identity
        self._tables = tables

    async def open_door(
        self, table: Runner, request: OpenListen | OpenHost, listeners: list[trio.SocketListener]
    ) -> TableOpened:
        """From now on people come in at these listeners."""
        port = port_of(listeners[0])
        codes, threshold = self._threshold(table, request.admission)
        table.wait_at(Entrance(codes, port))
        self._tables.keep(table, replace(request, port=port))
        door = partial(keep_door, listeners, identity=self._identity, on_channel=threshold.arrived)
        await table.start(partial(door, admit=threshold.admit))
        table.task(codes.keep)
        return TableOpened(table.name, port, code=codes.code)

    async def open_line(self, table: Runner, request: OpenLine | OpenHost, serial: Serial, setup: Setup) -> TableOpened:
        """From now on people come in at this device. Raises Declined; then the table is closed."""
        codes, threshold = self._threshold(table, request.admission)
        table.wait_at(Entrance(codes, device=setup.device))
        links = table.links
        keep = partial(keep_line, setup, serial.cable, identity=self._identity)
        line = partial(keep, tell=links.tell_line, who=partial(who_calls, self._home), trace=links.trace_line)
        try:
            await table.start(partial(line, admit=threshold.admit, on_channel=threshold.arrived))
        except BaseException as failed:
            await self._tables.drop(table, "The line could not be opened.")
            if isinstance(failed, LineFailed):
                raise Declined(str(failed), failed.code) from None
            raise
        table.task(codes.keep)
        self._tables.keep(table, replace(request, serial=replace(serial, device=setup.device)))
        return TableOpened(table.name, code=codes.code, device=setup.device)

    def _threshold(self, table: Runner, admission: Admission) -> tuple[DoorCodes, Threshold]:
        made = None if admission.known_only else Codes(os.urandom)
        people = table.introductions
        codes = DoorCodes(made, people.has_room, people.changed, table.audience.announce)
        return codes, Threshold(self._home, public_bytes(self._identity), admission, codes, table.links.serve)
