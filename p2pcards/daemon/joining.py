"""A listener who calls: she calls the coordinator again when the line was lost, as long as her table stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import trio

from p2pcards.control.exits import NETWORK
from p2pcards.daemon.call import NotReached
from p2pcards.session.guests import REDIAL_MOST
from p2pcards.views.happenings import RedialPlanned
from p2pcards.wire.reasons import ByeCode

if TYPE_CHECKING:
    from p2pcards.daemon.runner import Runner

LASTED = 30.0
"""Seconds after which a link was one that lasted, so that the next call comes after a second again."""


async def keep_calling(table: Runner, address: str, *, patient: bool = False) -> None:
    """Until the table is over, or the other side has said that it is not to call again. patient: do not give up when
    the first call fails, as after a restart."""
    key: bytes | None = None
    delay = 0.5
    while not table.over:
        began = trio.current_time()
        why = ""
        try:
            link, proof = await table.dial(address, key)
        except NotReached as failed:
            table.failures.setdefault(address, failed)
            table.wake()
            why = str(failed)
            if key is None and not patient:
                return
        else:
            connection = await table.serve(link, address, proof)
            if connection.goodbye not in (None, ByeCode.STOPPED):
                _stay_away(table, address, connection.goodbye, connection.met)
                return
            key = link.peer if connection.met else key
            if not connection.met and not patient and key is None:
                table.failures.setdefault(address, NotReached(f"{address} hung up before anybody sat down.", NETWORK))
                table.wake()
                return
        delay = 1.0 if trio.current_time() - began > LASTED else min(delay * 2, REDIAL_MOST)
        table.tell(RedialPlanned(name="the host", address=address, seconds=delay, why=why))
        await trio.sleep(delay)


def _stay_away(table: Runner, address: str, goodbye: ByeCode | None, met: bool) -> None:
    """The other side does not want to be called again."""
    if met and goodbye is not None:
        table.end(f"The host {goodbye.sentence}. The table is closed; 'p2pcards join {address}' calls again.")
    table.wake()
