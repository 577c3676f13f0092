"""A listener who calls: she calls the coordinator again when the line was lost, as long as her table stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import trio

from p2pcards.control.exits import NETWORK
from p2pcards.daemon.call import CallFailed
from p2pcards.session.redial import Redial
from p2pcards.views.happenings import RedialPlanned
from p2pcards.wire.reasons import ByeCode

if TYPE_CHECKING:
    from p2pcards.daemon.runner import Runner


async def keep_calling(table: Runner, address: str, *, patient: bool = False) -> None:
    """Until the table is over, or the other side has said that it is not to call again. patient: do not give up when
    the first call fails, as after a restart."""
    key: bytes | None = None
    redial = Redial(address)
    redial.agree()  # whoever joins a table wants to be there
    while not table.over:
        why = ""
        try:
            link, proof = await table.dial(address, key)
        except CallFailed as failed:
            table.failures.setdefault(address, failed)
            table.wake()
            why = str(failed)
            if key is None and not patient:
                return
            redial.failed(trio.current_time())
        else:
            redial.answered(trio.current_time())
            connection = await table.serve(link, address, proof)
            if connection.goodbye not in (None, ByeCode.STOPPED):
                _stay_away(table, address, connection.goodbye, connection.met)
                return
            key = link.peer if connection.met else key
            if not connection.met and not patient and key is None:
                table.failures.setdefault(address, CallFailed(f"{address} hung up before anybody sat down.", NETWORK))
                table.wake()
                return
            redial.lost(trio.current_time())
        table.tell(RedialPlanned("the host", address, redial.pause, why))
        await trio.sleep_until(redial.due)
        redial.call()


def _stay_away(table: Runner, address: str, goodbye: ByeCode | None, met: bool) -> None:
    """The other side does not want to be called again."""
    if met and goodbye is not None:
        table.end(f"The host {goodbye.sentence}. The table is closed; 'p2pcards join {address}' calls again.")
    table.wake()
