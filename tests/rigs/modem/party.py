"""One party of a call, as a process of its own: `party.py DEVICE answer` or `party.py DEVICE dial NUMBER`.

Prints a JSON list for each thing that happens. Obeys lines of its standard input: `send TEXT`, `hang up`, `call`
(answer or dial again), `end`.
"""

from __future__ import annotations

import json
import sys
from functools import partial

import trio

from p2pcards.links.link import StreamFailed
from p2pcards.links.modem.calls import CallFailed, CallStream, answer, dial, hang_up
from p2pcards.links.modem.port import CannotOpen, open_port


def say(*words: object) -> None:
    print(json.dumps(words), flush=True)


async def listen_to(call: CallStream) -> None:
    try:
        while True:
            say("came", (await call.receive_some()).decode("latin-1"))
    except StreamFailed as failed:
        say("over", str(failed))
    except trio.ClosedResourceError:
        say("closed")


async def main(device: str, what: str, number: str = "") -> None:
    port = await open_port(device)
    say("open", port.carrier())
    call: CallStream | None = None
    typed = trio.lowlevel.FdStream(0)
    unread = b""
    async with trio.open_nursery() as nursery:
        while True:
            while b"\n" not in unread:
                unread += await typed.receive_some() or b"end\n"
            command, unread = unread.split(b"\n", 1)
            match command.decode().partition(" "):
                case ("call", _, _):
                    try:
                        call = await (dial(port, number, tell=tell) if what == "dial" else answer(port, tell=tell))
                    except CallFailed as failed:
                        say("failed", failed.result, failed.sentence)
                        continue
                    say("connected", call.connected.text, port.carrier())
                    nursery.start_soon(listen_to, call)
                case ("send", _, text):
                    assert call
                    try:
                        await call.send_all(text.encode())
                    except StreamFailed:
                        say("not sent")
                case ("hang", _, _):
                    assert call
                    await call.aclose()
                    say("hung up", port.carrier())
                case _:
                    nursery.cancel_scope.cancel()
                    await hang_up(port)
                    await port.aclose()
                    return


def tell(progress: object) -> None:
    say("told", str(getattr(progress, "kind", "")), str(getattr(progress, "text", "")))


if __name__ == "__main__":
    try:
        trio.run(partial(main, *sys.argv[1:]))
    except* CannotOpen as group:
        say("cannot open", str(group.exceptions[0]))
