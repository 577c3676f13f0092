"""A log that is full: the game ends in order, with a sentence, and nobody takes more of it."""

from __future__ import annotations

from itertools import product

import pytest

from p2pcards.ledger import advance
from p2pcards.ledger.advance import LAST, MOST_BYTES, MOST_RECORDS
from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.payloads import RECORD
from p2pcards.present.story import happening_sentence
from p2pcards.views.happenings import GameEnded
from p2pcards.wire.packing import Cause, Refused
from p2pcards.wire.reasons import CloseReason
from p2pcards.wire.records import read_record
from rigs.in_part import every_nth
from rigs.net import Net, records
from rigs.pure import remembered_signatures
from rigs.whole import check_whole

signatures = remembered_signatures()

MOST = 60


def ended(net: Net) -> list[str]:
    return [str(told.why) for told in net.tales(0, GameEnded)]


@pytest.mark.parametrize(
    ("most", "game"), every_nth(5, product(range(MOST, MOST + 8), ["crazy_eights", "hearts", "cribbage", "gin_rummy"]))
)
def test_a_game_ends_where_its_log_is_full(game: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advance, "MOST_RECORDS", most)
    net = Net(1, seed=most)
    net.sit_down(game=game)
    net.run()
    position = net.at(0)
    assert position.ended is not None and most < position.count <= most + 3, "an opening, a check, the end"
    assert net.at(1).head == position.head
    assert position.dealt == position.opened, "what was dealt is opened"
    for i in (0, 1):
        (told,) = net.tales(i, GameEnded)
        assert f"its log is full, as no game may have more than {most} records" in happening_sentence(told)
    net.say(0, "start")
    net.run()
    assert net.at(0).game_id != position.game_id, "the next game begins"


def test_so_does_one_whose_records_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advance, "MOST_BYTES", 5000)
    net = Net(2, seed=3)
    net.sit_down(game="hearts")
    net.run()
    size = sum(len(bytes(frame)) for record in records(net.log(0)) for frame in read_record(record)[0].frames)
    assert net.at(0).ended is CloseReason.ENDED and net.at(0).size == size == net.at(2).size
    assert 5000 <= size < 7000 and ended(net)


def test_a_listener_refuses_what_a_coordinator_adds_to_a_full_log(monkeypatch: pytest.MonkeyPatch) -> None:
    net = Net(1, seed=2)
    net.sit_down("winning_score=1")
    net.run()
    check_whole(net)
    log = [payload for payload in net.log(1) if payload[:1] in (b"M", b"H", RECORD)]
    monkeypatch.setattr(advance, "MOST_RECORDS", 20)
    full = LedgerFollower.restored(net.keys[1], log[:22])
    assert full.position.count == 20
    with pytest.raises(Refused, match="The log is full: ACTION can't follow") as refused:
        full.receive_record(log[22][1:])
    assert refused.value.cause is Cause.RULES and full.position.count == 20


def test_what_follows_yet_is_what_ends_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that is over on its last record is won as any other, whatever its length."""
    net = Net(1, seed=2)
    net.sit_down("winning_score=1")
    net.run()
    count = len(records(net.log(0)))
    kinds = [read_record(record)[1][0].kind for record in records(net.log(0))]
    last = next(number for number in range(count) if all(kind in LAST for kind in kinds[number:]))
    monkeypatch.setattr(advance, "MOST_RECORDS", last)
    again = Net(1, seed=2)
    again.sit_down("winning_score=1")
    again.run()
    assert again.at(0).ended is CloseReason.WON and not ended(again)


def test_a_full_log_is_verified_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advance, "MOST_RECORDS", MOST)
    net = Net(1, seed=5)
    net.sit_down()
    net.run()
    for findings in check_whole(net).values():
        assert findings.position.ended is CloseReason.ENDED and findings.honest


def test_the_bound_is_far_from_every_game() -> None:
    """The longest known of players who play any card, gin rummy by Oklahoma rules: 9,065 actions in 81 hands, each of
    which has a deal, an opening and three checks besides. Records have 75 bytes of frames on the average."""
    longest = 9065 + 81 * 5
    assert 6 * longest < MOST_RECORDS and 10 * longest * 100 < MOST_BYTES
