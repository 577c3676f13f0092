"""Bytes on the wire, counted by a relay between two daemon processes while they play.

What the relay sees is sealed. Which message is which move, the listener's log tells: her moves and the records that she
was sent stand in it in the order in which they travelled, and sealing adds the same number of bytes to each.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import trio

from benchmarks.figures import NotMeasured, figure
from benchmarks.homes import Daemon, Daemons, Rules, listen, play
from benchmarks.relay import Relay, sizes
from p2pcards.links.noise import TAG_SIZE
from p2pcards.session.payloads import PENDING, RECORD
from p2pcards.store.home import Home
from p2pcards.store.logfile import read_log
from p2pcards.store.logs import list_logs
from p2pcards.wire.entries import ActionEntry, CommitEntry
from p2pcards.wire.messages import Message, MoveMessage, RecordMessage, encode_message
from p2pcards.wire.record import Record, read_record

GAMES: tuple[Rules, ...] = (("hearts", (("end_score", "50"),)), ("crazy_eights", (("winning_score", "150"),)))
HANDSHAKE_LIMIT, CARD_LIMIT, MOVE_LIMIT = 400, 96, 192
ADDED = 2 + TAG_SIZE


@dataclass(frozen=True, slots=True)
class Move:
    """A move on the wire. up: to the listener, as a record; otherwise from her."""

    what: str
    card: bool
    up: bool
    size: int


def measure() -> dict[str, Any]:
    with Daemons() as daemons:
        ann, bob = daemons.start("ann"), daemons.start("bob")
        recorded = trio.run(_play_through_a_relay, ann, bob)
        moves = [move for log in _logs(bob.home) for move in _moves(log)]
    _find(sizes(recorded.up)[2:], [move.size for move in moves if move.up])
    _find(sizes(recorded.down)[1:], [move.size for move in moves if not move.up])
    handshake = sum(sizes(recorded.up)[:2]) + sizes(recorded.down)[0]
    card = max((move for move in moves if move.card), key=lambda move: move.size)
    other = max((move for move in moves if not move.card), key=lambda move: move.size)
    return {
        "handshake": figure(handshake, "bytes", HANDSHAKE_LIMIT),
        "played_card": figure(card.size, "bytes", CARD_LIMIT, counted=sum(move.card for move in moves)),
        "other_move": figure(
            other.size, "bytes", MOVE_LIMIT, what=other.what, counted=sum(not move.card for move in moves)
        ),
        "game_bytes": figure(len(recorded.up) + len(recorded.down), "bytes", messages=len(moves)),
    }


async def _play_through_a_relay(ann: Daemon, bob: Daemon) -> Any:
    relay = Relay(await listen(bob, "Bob"))
    async with trio.open_nursery() as nursery:
        await nursery.start(relay.run)
        await play(ann, [relay.port], GAMES)
        nursery.cancel_scope.cancel()
    if len(relay.connections) != 1:
        raise NotMeasured(f"There were {len(relay.connections)} connections where one was expected.")
    return relay.connections[0]


def _logs(home: Home) -> list[list[bytes]]:
    """The payloads of each log, the oldest first."""
    return [[payload for _, payload in read_log(log.path).records] for log in reversed(list_logs(home))]


def _moves(payloads: Iterable[bytes]) -> Iterable[Move]:
    number = 0
    for payload in payloads:
        if payload[:1] not in (RECORD, PENDING):
            continue
        up = payload[:1] == RECORD
        record, entries = read_record(payload[1:])
        message: Message = RecordMessage(number, payload[1:]) if up else MoveMessage(payload[1:])
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
