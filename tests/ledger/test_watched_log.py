"""The log of somebody who watched: no key of theirs is in it, and it proves what the players' logs prove."""

from __future__ import annotations

import pytest

from p2pcards.ledger.payloads import HEADER, ME, RECORD, read_beginning, start_payloads
from p2pcards.ledger.verify import verify_log
from p2pcards.store.logs import FINISHED, facts_of
from p2pcards.wire.packing import Refused, pack
from p2pcards.wire.records import VALUE, Record, read_record
from rigs.net import Net

SIDES = 3


@pytest.fixture(scope="module")
def whole() -> list[bytes]:
    """The log of the coordinator of a game of three."""
    net = Net(2)
    net.sit_down("winning_score=1")
    net.run_for(30)
    return net.log(0)


def watched(log: list[bytes]) -> list[bytes]:
    """The same game as a watcher's program keeps it."""
    frame = read_beginning(log).frame
    public = [Record(read_record(one[1:])[0].frames) for one in log if one[:1] == RECORD]
    return [*start_payloads(SIDES, b"", frame), *[RECORD + bytes(one) for one in public]]


def test_it_proves_what_the_log_of_a_side_proves(whole: list[bytes]) -> None:
    ours, theirs = verify_log(watched(whole)), verify_log(whole)
    assert ours.finished and ours.honest and ours.position.looks_on
    assert ours.heads == theirs.heads
    assert [(one.verdict, one.proven) for one in ours.hands] == [(one.verdict, one.proven) for one in theirs.hands]


def test_it_is_nobody_s(whole: list[bytes]) -> None:
    facts = facts_of(watched(whole))
    assert facts.watched and facts.state == FINISHED and facts.owner == b"" and len(facts.players) == SIDES
    assert not facts_of(whole).watched and facts_of(whole).owner == facts_of(whole).keys[0]
    assert not facts.is_open_to(b"")
    assert read_beginning(watched(whole)).owner == b""


@pytest.mark.parametrize(("side", "seed"), [(SIDES + 1, b""), (SIDES, bytes(VALUE)), (15, b"")])
def test_another_side_that_the_header_does_not_have_is_refused(whole: list[bytes], side: int, seed: bytes) -> None:
    log = [ME + pack([side, seed]), next(one for one in whole if one[:1] == HEADER)]
    with pytest.raises(Refused, match="doesn't match its header"):
        read_beginning(log)
