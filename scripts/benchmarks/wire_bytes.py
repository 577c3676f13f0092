"""Bytes on the wire, counted by a relay between two daemon processes while they play.

What the relay sees is sealed. Which message is which move, the listener's log tells: its moves and the records that it
was sent stand in it in the order in which they travelled, and sealing adds the same number of bytes to each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import trio

from benchmarks.figures import NotMeasured, figure
from benchmarks.homes import Daemon, Daemons, Rules, listen, play
from benchmarks.relay import Recorded, Relay, sizes
from p2pcards.control.client import connect
from p2pcards.control.messages import Admission, Host, OpenConnect, OpenListen, Persona
from p2pcards.ledger.payloads import PENDING, RECORD
from p2pcards.links.noise import TAG_SIZE
from p2pcards.store.files import Home
from p2pcards.store.identity import load_peers
from p2pcards.store.logs import list_logs, read_log
from p2pcards.wire.messages import HEAD_SHOWN, Message, MoveMessage, RecordMessage, Taken, encode_message
from p2pcards.wire.records import ActionEntry, CommitEntry, Frame, Record, read_record

GAMES: tuple[Rules, ...] = (("hearts", (("end_score", "50"),)), ("crazy_eights", (("winning_score", "150"),)))
HANDSHAKE_LIMIT, CARD_LIMIT, MOVE_LIMIT = 400, 96, 192
CONTACT_LIMIT = 700
PATIENCE = 30.0
ADDED = 2 + TAG_SIZE


@dataclass(frozen=True, slots=True)
class Move:
    """A move on the wire. up: to the listener, as a record; otherwise from it."""

    what: str
    card: bool
    up: bool
    size: int


def measure() -> dict[str, Any]:
    with Daemons() as daemons:
        ann, bob = daemons.start("ann"), daemons.start("bob")
        recorded = trio.run(play_through_a_relay, GAMES, ann, bob)
        moves = [move for log in logs_of(bob.home) for move in _moves(log)]
        contact = trio.run(_meet_through_a_relay, daemons.start("cy"), daemons.start("dee"))
    _find(sizes(recorded.up)[2:], [move.size for move in moves if move.up])
    _find(sizes(recorded.down)[1:], [move.size for move in moves if not move.up])
    handshake = sum(sizes(recorded.up)[:2]) + sizes(recorded.down)[0]
    card = max((move for move in moves if move.card), key=lambda move: move.size)
    other = max((move for move in moves if not move.card), key=lambda move: move.size)
    return {
        "handshake": figure(handshake, "bytes", HANDSHAKE_LIMIT),
        "first_contact": figure(len(contact.up) + len(contact.down), "bytes", CONTACT_LIMIT, messages=_count(contact)),
        "played_card": figure(card.size, "bytes", CARD_LIMIT, counted=sum(move.card for move in moves)),
        "other_move": figure(
            other.size, "bytes", MOVE_LIMIT, what=other.what, counted=sum(not move.card for move in moves)
        ),
        "game_bytes": figure(len(recorded.up) + len(recorded.down), "bytes", messages=len(moves)),
    }


async def play_through_a_relay(games: Sequence[Rules], ann: Daemon, bob: Daemon, *others: Daemon) -> Recorded:
    """What passes between Ann, who coordinates, and Bob; the others listen too."""
    relay = Relay(await listen(bob, "Bob"))
    ports = [await listen(other, f"Cy {number}") for number, other in enumerate(others)]
    async with trio.open_nursery() as nursery:
        await nursery.start(relay.run)
        await play(ann, [relay.port, *ports], games)
        nursery.cancel_scope.cancel()
    if len(relay.connections) != 1:
        raise NotMeasured(f"There were {len(relay.connections)} connections where one was expected.")
    return relay.connections[0]


async def _meet_through_a_relay(cy: Daemon, dee: Daemon) -> Recorded:
    """All that passes until two who have never met know each other by a code and sit at one table."""
    async with connect(dee.home, start=False) as client, trio.open_nursery() as nursery:
        opened = await client.open(OpenListen(0, Persona("Dee"), Admission(True), reach=False))
        assert opened.port is not None
        relay = Relay(opened.port)
        await nursery.start(relay.run)
        async with connect(cy.home, start=False) as caller:
            hosts = (Host(f"127.0.0.1:{relay.port}", code=opened.code),)
            await caller.open(OpenConnect(hosts, persona=Persona("Cy")))
            with trio.fail_after(PATIENCE):
                while {peer.proof for home in (cy.home, dee.home) for peer in load_peers(home)} != {"code"}:
                    await trio.sleep(0.05)
        nursery.cancel_scope.cancel()
    return relay.connections[0]


def _count(recorded: Recorded) -> int:
    return len(sizes(recorded.up)) + len(sizes(recorded.down))


def logs_of(home: Home) -> list[list[bytes]]:
    """The payloads of each log, the oldest first."""
    return [read_log(log.path).payloads for log in reversed(list_logs(home))]


def moves_in(payloads: Iterable[bytes]) -> set[Frame]:
    """The entries of the moves that a listener has signed."""
    return {read_record(payload[1:])[0].frames[0] for payload in payloads if payload[:1] == PENDING}


def told(number: int, record: Record, mine: set[Frame]) -> Message:
    """How a listener, whose moves are `mine`, was told of a record."""
    if record.frames[0] not in mine:
        return RecordMessage(number, bytes(record))
    rest = b"".join([bytes(frame) for frame in (*record.frames[1:], record.faces) if frame])
    return Taken(number, bytes(HEAD_SHOWN), rest)


def _moves(payloads: Iterable[bytes]) -> Iterable[Move]:
    number = 0
    payloads = list(payloads)
    mine = moves_in(payloads)
    for payload in payloads:
        if payload[:1] not in (RECORD, PENDING):
            continue
        up = payload[:1] == RECORD
        record, entries = read_record(payload[1:])
        message = told(number, record, mine) if up else MoveMessage(payload[1:])
        number += up
        if isinstance(entries[0], ActionEntry | CommitEntry):
            size = len(encode_message(message)) + ADDED
            yield Move(_what(record), _is_card(record, entries[0]), up, size)


def _is_card(record: Record, entry: object) -> bool:
    """A played card is an open action that brings nothing else about; in both games it is the largest of these."""
    return isinstance(entry, ActionEntry) and len(record.frames) == 1 and record.faces is None


def _what(record: Record) -> str:
    parts = ["an action" if len(record.opening) == 0 else "a private action with its opening"]
    parts += ["its outcome"] if len(record.frames) == 2 else []
    parts += ["faces"] if record.faces else []
    return ", ".join(parts)


def _find(seen: list[int], moves: list[int]) -> None:
    """Raises NotMeasured unless the sizes of the moves stand among those seen, in order."""
    rest = iter(seen)
    for size in moves:
        if size not in rest:
            raise NotMeasured(f"A move of {size} bytes did not pass the relay.")
