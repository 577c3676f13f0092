"""One end of a direct connection in a process of its own: signals as lines of hexadecimal digits, what comes is sent
back. `answer` opens one, `leave` opens two ends and ends with them open."""

from __future__ import annotations

import sys
from ipaddress import ip_network

import trio

from p2pcards.links import signals
from p2pcards.links.data_channel import DirectStream, open_direct
from rigs.direct_pair import ends, prepare_here

signals.HOMES = (*signals.HOMES, ip_network("127.0.0.0/8"))


async def answer() -> None:
    told, to_tell = trio.open_memory_channel[bytes](100)
    hear, heard = trio.open_memory_channel[bytes](100)

    async def say() -> None:
        async for signal in to_tell:
            print(signal.hex(), flush=True)

    async def listen() -> None:
        async for line in trio.wrap_file(sys.stdin):
            await hear.send(bytes.fromhex(line))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(say)
        nursery.start_soon(listen)
        stream = await open_direct(told, heard, prepare_here, calls=False, deadline=60)
        while some := await stream.receive_some():
            await stream.send_all(some)


async def leave() -> tuple[DirectStream, DirectStream]:
    caller, answerer = await ends()
    await caller.send_all(bytes(100_000))
    print(f"open to {answerer.where}")
    return caller, answerer


if __name__ == "__main__":
    open_at_the_end = trio.run({"answer": answer, "leave": leave}[sys.argv[1]])
