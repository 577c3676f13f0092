"""Tables whose coordinator is gone."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from p2pcards.ledger.branches import continues_another, kept_at, quorum_of_successor
from p2pcards.ledger.fair import chain_value
from p2pcards.ledger.payloads import CHECKED, read_start
from p2pcards.ledger.position import Position
from p2pcards.ledger.verify import verify_log
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import HeaderPart, Hello, Offer, People, Person, Stake
from p2pcards.wire.records import (
    HEADER_LABEL,
    VERSION,
    CheckEntry,
    Header,
    OpeningEntry,
    Side,
    encode_header,
    next_head,
    read_record,
    sign,
)
from rigs.net import NAMES, Call, Event, Net, records
from rigs.people import until
from rigs.stranger import Stranger


class Divided(Net):
    """part: machines that cannot call the others, nor be called by them. Nobody is at an address that is no number."""

    part: frozenset[int] = frozenset()

    def divide(self, *part: int) -> None:
        """Cut every link between these and the others; with none, all can call each other again."""
        self.part = frozenset(part)
        for (i, peer), (j, _) in list(self.links.items()):
            if self._is_cut(i, j):
                self.cut(i, peer)

    def _is_cut(self, i: int, j: int) -> bool:
        return (i in self.part) != (j in self.part)

    def deliver(self, event: Event) -> None:
        if isinstance(event, Call) and (
            not event.dial.address.isdecimal() or self._is_cut(event.machine, int(event.dial.address))
        ):
            dial, machine = event.dial, self.machines[event.machine]
            self.step(event.machine, lambda: machine.dial_failed(dial.address, "nobody answers", self.now))
        else:
            super().deliver(event)


def playing(listeners: int = 2, game: str = "hearts", option: str = "end_score=60") -> Divided:
    net = Divided(listeners, grace=30)
    net.sit_down(option, game=game)
    return net


def looked_on() -> Divided:
    """In the second hand of hearts Dee has come, and looks on."""
    net = Divided(3, grace=30)
    for i in (1, 2):
        net.say(0, "invite", str(i))
    net.run()
    net.say(0, "game", "hearts")
    net.say(0, "start")
    until(net, lambda: net.position(1) is not None and net.at(1).opened == 1)
    net.say(0, "invite", "3")
    until(net, lambda: net.listener(3).looks_on)
    return net


def deliver_next(net: Net) -> bool:
    """Deliver what is next; False if nothing is under way and time passes."""
    if net.queue:
        net.deliver(net.next_event())
        return True
    assert net.pass_time(net.now + 600)
    return False


def check_logs(net: Net) -> None:
    for logs in net.logs:
        for log in logs.values():
            assert len(log) < 2 or verify_log(log).honest


def check_nobody_votes_twice(net: Net) -> None:
    """Nobody has signed a hand in a branch after its base and another in the branch from that base, nor hands in two
    branches from one base."""
    heads, votes = heads_of(net), votes_of(net)
    branches: dict[bytes, dict[bytes, set[bytes]]] = {}
    for log in [log for logs in net.logs for log in logs.values() if len(log) >= 2]:
        start = read_start(log)
        header, game_id = start.header, start.position.game_id
        if not continues_another(header):
            continue
        voters = {who for who, hand in votes.get(game_id, set()) if hand > 0}
        branches.setdefault(header.previous, {})[game_id] = voters
        if header.quorum is None or header.previous not in heads:
            continue
        old, base = heads[header.previous]
        assert not voters & {who for who, later in votes.get(old, set()) if later > base}
    for games in branches.values():
        assert not [1 for one, other in combinations(games.values(), 2) if one & other]


def heads_of(net: Net) -> dict[bytes, tuple[bytes, int]]:
    """By head, the game of its log, and how many hands were opened there."""
    found: dict[bytes, tuple[bytes, int]] = {}
    for log in [log for logs in net.logs for log in logs.values() if len(log) >= 2]:
        start, opened = read_start(log), 0
        head = start.position.head
        found[head] = start.position.game_id, 0
        for data in records(log):
            record, entries = read_record(data)
            for frame in record.frames:
                head = next_head(head, frame)
            opened = entries[0].hand if isinstance(entries[0], OpeningEntry) else opened
            found[head] = start.position.game_id, opened
    return found


def votes_of(net: Net) -> dict[bytes, set[tuple[bytes, int]]]:
    """By game, the keys of those who opened or checked a hand in it, with its number."""
    votes: dict[bytes, set[tuple[bytes, int]]] = {}
    for log in [log for logs in net.logs for log in logs.values() if len(log) >= 2]:
        start = read_start(log)
        signed = [payload[1:] for payload in log if payload[:1] == CHECKED] + records(log)
        for data in signed:
            entry = read_record(data)[1][0]
            if isinstance(entry, OpeningEntry | CheckEntry):
                side = entry.side if isinstance(entry, CheckEntry) else 0
                key = start.header.sides[side].key
                votes.setdefault(start.position.game_id, set()).add((key, entry.hand))
    return votes


def begins(net: Net, number: int, listener: int, base: Position) -> Stranger:
    """Somebody with this number for a key continues the game of a base with one listener alone, by the book in all but
    what the test is about."""
    one, offer = Stranger(net, listener, number), Offer(bytes(16))
    me, guest = [Person(name, "betty", None, True) for name in (NAMES[number % len(NAMES)], NAMES[listener])]
    one.say(Hello(VERSION, True, me.name, me.character))
    one.say(People((me, guest), 1, "hearts", ()))
    one.say(offer)
    ends = [message.end for message in one.heard if isinstance(message, Stake)]
    if ends and not one.closed:
        header = replace(header_for_two(base, (me.name, public_bytes(one.key)), guest.name, ends[0]), nonce=offer.nonce)
        frame = bytes(sign(one.key, HEADER_LABEL, b"", encode_header(header)))
        parts = [frame[at : at + 400] for at in range(0, len(frame), 400)]
        for place, part in enumerate(parts):
            if not one.closed:
                one.say(HeaderPart(place, len(parts), part))
    return one


def header_for_two(base: Position, host: tuple[str, bytes], listener: str, end: bytes) -> Header:
    """The header by which this host continues a game with one listener, whose chain has this end."""
    old, (name, key) = base.header, host
    other = next(side for side in old.sides if side.name == listener)
    numbers = {key: 0, other.key: 1}
    seats = [replace(one, side=None if one.side is None else numbers.get(old.sides[one.side].key)) for one in old.seats]
    return replace(
        old,
        sides=(Side(key, name, "betty", chain_value(bytes(24), 0)), replace(other, end=end)),
        seats=tuple(seats),
        previous=base.head,
        first_dealer=None,
        continues=kept_at(base),
        quorum=quorum_of_successor(base),
    )
