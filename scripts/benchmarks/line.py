"""The telephone line in simulated time, with fixed seeds: how much of it is of use at which share of bit errors."""

from __future__ import annotations

from random import Random
from typing import Any

import trio
import trio.testing

from benchmarks import line_moves
from benchmarks.figures import NotMeasured, progress, share
from benchmarks.pump import BITS, Noise, line
from p2pcards.links.modem.reliable import ReliableStream

RATE = 2400
GOODPUT = {0.0: 88, 1e-5: 85, 1e-4: 72, 3e-4: 55, 1e-3: 30}
"""The least percentage of the line that has to carry what somebody wants to send, by the share of bit errors."""

AMOUNT = 100_000
SEED = 2400


def measure() -> dict[str, Any]:
    progress("the telephone line, in simulated time")
    return {"goodput": {f"{errors:g}": _goodput(errors) for errors in GOODPUT}, **line_moves.measure()}


def _goodput(errors: float) -> dict[str, Any]:
    clock = trio.testing.MockClock(autojump_threshold=0)
    seconds, frames, resent = trio.run(_carry, errors, clock=clock)
    used = 100 * AMOUNT * BITS / (RATE * seconds)
    return share(used, "% of the line", GOODPUT[errors], frames=frames, resent=resent)


async def _carry(errors: float) -> tuple[float, int, int]:
    """One side sends AMOUNT bytes: seconds from the first to the last, frames, those that were sent again."""
    rng = Random(SEED)
    ends = line(RATE, noise=lambda: Noise(Random(rng.random()), errors))
    there, here = (ReliableStream(end, rate=RATE, calls=end is ends[0], entropy=rng.randbytes) for end in ends)
    data = rng.randbytes(AMOUNT)
    async with trio.open_nursery() as nursery:
        for stream in (there, here):
            nursery.start_soon(stream.run)
        await there.greeted()
        await here.greeted()
        began = trio.current_time()
        nursery.start_soon(there.send_all, data)
        arrived = b""
        while len(arrived) < AMOUNT:
            arrived += await here.receive_some()
        seconds = trio.current_time() - began
        if arrived != data:
            raise NotMeasured("What arrived over the line is not what was sent.")
        quality = there.quality()
        nursery.cancel_scope.cancel()
    return seconds, quality.frames, quality.resent
