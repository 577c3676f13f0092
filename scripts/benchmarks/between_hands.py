"""Bytes between two hands, on the link of one listener: from the last move of a hand to the first turn of the next.

There travel: what is turned up where the rules show something, the opening, the check of each listener (its own from
it, the others to it), the deal. The cards that are dealt to it are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import trio

from benchmarks.figures import NotMeasured, figure
from benchmarks.homes import Daemons, Rules
from benchmarks.relay import sizes
from benchmarks.wire_bytes import ADDED, logs_of, moves_in, play_through_a_relay, told
from p2pcards.ledger.payloads import RECORD, read_start
from p2pcards.wire.messages import MoveMessage, encode_message
from p2pcards.wire.records import ActionEntry, CheckEntry, CommitEntry, DealEntry, read_record

GAMES: tuple[Rules, ...] = (
    ("whist", (("winning_score", "7"),)),
    ("hearts", (("end_score", "50"),)),
    ("crazy_eights", (("winning_score", "60"),)),
)
LIMIT, EACH_FURTHER = 340, 100
"""Bytes with one listener, and what each further one may add."""


def measure() -> dict[str, Any]:
    one, two = _measure(0), _measure(1)
    return {
        "between_hands": figure(max(one.values()), "bytes", LIMIT, by_game=one),
        "between_hands_two_listeners": figure(max(two.values()), "bytes", LIMIT + EACH_FURTHER, by_game=two),
    }


def _measure(further: int) -> dict[str, int]:
    """The most bytes by game, with so many listeners besides the one who is looked at."""
    with Daemons() as daemons:
        ann, bob = daemons.start("ann"), daemons.start("bob")
        others = [daemons.start(f"cy{number}") for number in range(further)]
        recorded = trio.run(play_through_a_relay, GAMES, ann, bob, *others)
        return most_bytes(logs_of(bob.home), sizes(recorded.up)[2:])


def most_bytes(logs: Iterable[Sequence[bytes]], seen: Sequence[int]) -> dict[str, int]:
    """logs: the payloads of the listener's logs, the oldest first; seen: the sizes of the messages to it, in order.
    Raises NotMeasured unless every record is among them."""
    found: dict[str, int] = {}
    place = 0
    for payloads in logs:
        start, mine = read_start(payloads), moves_in(payloads)
        counted: int | None = None  # from a move on
        for number, payload in enumerate([one for one in payloads if one[:1] == RECORD]):
            record, entries = read_record(payload[1:])
            if isinstance(entries[0], CheckEntry) and entries[0].side == start.side:  # which is not sent back
                counted = None if counted is None else counted + len(encode_message(MoveMessage(payload[1:]))) + ADDED
                continue
            before, place = place, _after(seen, place, encode_message(told(number, record, mine)))
            if isinstance(entries[0], ActionEntry | CommitEntry):
                counted = 0
            if isinstance(entries[0], ActionEntry | CommitEntry) or counted is None:
                continue
            counted += sum(seen[before:place]) - (len(bytes(record.faces)) if record.faces else 0)
            if isinstance(entries[0], DealEntry):
                found[start.header.game] = max(found.get(start.header.game, 0), counted)
                counted = None
    return found


def _after(seen: Sequence[int], place: int, message: bytes) -> int:
    """The place behind the next message of this size."""
    size = len(message) + ADDED
    while place < len(seen) and seen[place] != size:
        place += 1
    if place == len(seen):
        raise NotMeasured(f"A record of {size} bytes did not pass the relay.")
    return place + 1
