"""Whoever calls: until those who are called sit down, and, as a listener, again when the line was lost, as long as the
table is open."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

import trio

from p2pcards.control.declined import Declined
from p2pcards.control.exits import NETWORK
from p2pcards.control.messages import Host
from p2pcards.daemon.call import NotReached
from p2pcards.daemon.counterpart import Counterpart
from p2pcards.daemon.runner import Runner
from p2pcards.links.link import Link
from p2pcards.session.guests import Redial
from p2pcards.views.happenings import Notice, RedialPlanned
from p2pcards.wire.address import is_line, is_telephone
from p2pcards.wire.reasons import ByeCode

SEATING = 30.0
"""Seconds in which somebody who was called has sat down, or has not; on a slow line they take as long as they need."""


class Serve(Protocol):
    """As `TableLinks.serve`."""

    async def __call__(self, link: Link, proven: str = "", address: str = "") -> Counterpart | None: ...


async def keep_calling(table: Runner, address: str, serve: Serve, *, patient: bool = False) -> None:
    """Until the table is over, or the other side has said that it is not to call again. patient:
    do not give up when the first call fails, as after a restart."""
    key: bytes | None = None
    redial = Redial(address)
    redial.agree()  # whoever joins a table wants to be there
    if patient and is_telephone(address):
        await _asked(table, address)
    while not table.over:
        why = ""
        try:
            link, proven = await table.dial(address, key)
        except NotReached as failed:
            table.links.not_reached(address, failed)
            why = str(failed)
            if key is None and not patient:
                return
            redial.failed(trio.current_time())
        else:
            redial.answered(trio.current_time())
            records = table.view().records
            host = await serve(link, proven, address)
            if host and host.goodbye is not None and host.goodbye is not ByeCode.STOPPED:
                if host.met:
                    why = f"The host {host.goodbye.sentence}."
                    table.end(f"{why} The table is closed; 'p2pcards join {address}' calls again.")
                return
            if host and host.met:
                key = link.peer
            if key is None and not patient:
                why = f"{address} hung up before anybody sat down."
                table.links.not_reached(address, NotReached(why, NETWORK))
                return
            if table.view().records > records:
                redial.useful()
            redial.lost(trio.current_time())
        if is_telephone(address):
            await _asked(table, address)
        else:
            table.audience.announce(RedialPlanned(name="the host", address=address, seconds=redial.pause, why=why))
            with trio.move_on_at(redial.due):
                await table.call_now.wait()
        redial.call()


async def _asked(table: Runner, address: str) -> None:
    """A telephone call costs money: it is made again when our player wants it."""
    text = f"The host is called again when you say so: p2pcards join {address}"
    table.audience.announce(Notice(text))
    await table.call_now.wait()


async def settled(table: Runner, hosts: Sequence[Host]) -> None:
    """Wait until each who was called is here or was not reached."""
    slow = any(is_line(host.address) for host in hosts)
    with trio.move_on_after(math.inf if slow else SEATING):
        while not table.over and table.here() + len(table.links.failures) < len(hosts):
            await table.stepped()


def nobody(table: Runner) -> Declined:
    """What is said when no one of those who were called has sat down."""
    failures = table.links.failures.values()
    sentences = " ".join([str(failure) for failure in failures]) or "Nobody who was called has sat down in time."
    return Declined(sentences, next((failure.code for failure in failures), NETWORK))
