"""Tables whose coordinator is gone."""

from __future__ import annotations

from p2pcards.ledger.payloads import CHECKED, read_start
from p2pcards.ledger.verify import verify_log
from p2pcards.wire.records import CheckEntry, OpeningEntry, next_head, read_record
from rigs.net import Call, Event, Net, records


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
    """Nobody has signed a hand in a branch after its base and another in the branch from that base."""
    heads, votes = heads_of(net), votes_of(net)
    for log in [log for logs in net.logs for log in logs.values() if len(log) >= 2]:
        start = read_start(log)
        header = start.header
        if header.quorum is None or header.previous not in heads:
            continue
        old, base = heads[header.previous]
        for who, hand in votes.get(start.position.game_id, set()):
            assert hand == 0 or not [one for one, later in votes.get(old, set()) if one == who and later > base]


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
