"""What logs prove, and every way in which one can be false."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from p2pcards.cards.eyes import DEALER
from p2pcards.ledger import advance
from p2pcards.ledger.payloads import ADDRESS, HEADER, LEFT, ME, PENDING, RECORD, start_payloads
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.verify import FalseLog, first_fork, verify_log
from p2pcards.wire.packing import Cause
from p2pcards.wire.reasons import CloseReason, TakeoverReason
from p2pcards.wire.records import CheckEntry, CloseEntry, CommitEntry, DealEntry, OpeningEntry, read_record
from rigs.in_part import every_nth
from rigs.pure import remembered_signatures
from rigs.recorded import OPTIONS, SIDES, Table, after_a_hand, entry_of, new_table, played

signatures = remembered_signatures()

every_table = pytest.mark.parametrize("name", tuple(OPTIONS))
every_side = pytest.mark.parametrize("side", SIDES)
some_logs = pytest.mark.parametrize(("name", "side"), every_nth(4, product(OPTIONS, SIDES)))
"""Every table and every side is among them."""


def won() -> Table:
    """A game that is played to its end."""
    table = Table("crazy_eights", replace(OPTIONS["telecards"][1], winning_score=1), 3)
    while table.position.phase is not Phase.CLOSED:
        table.step()
    return table


def false_log(payloads: list[bytes]) -> FalseLog:
    with pytest.raises(FalseLog) as error:
        verify_log(payloads)
    assert str(error.value)
    return error.value


def records_before(payloads: list[bytes], place: int) -> int:
    return sum(payload[:1] == RECORD for payload in payloads[:place])


# --- logs that are true -----------------------------------------------------------------------------------------------


def test_a_game_that_was_won_is_finished_in_every_log() -> None:
    table = won()
    for side in SIDES:
        findings = verify_log(table.payloads[side])
        assert findings.finished
        assert findings.honest
        assert findings.unproven is None
        assert findings.position.state.scores == table.position.state.scores
        assert findings.position.state.winners == table.position.state.winners != ()
        assert findings.records == table.position.count
        assert findings.heads == tuple([position.head for position in table.at[0]])


@every_table
@every_side
def test_a_game_that_the_coordinator_ended_is_not_finished(name: str, side: int) -> None:
    findings = verify_log(played(name).payloads[side])
    assert not findings.finished
    assert findings.position.ended == 1
    assert [(hand.hand, hand.verdict, hand.absent, hand.missing) for hand in findings.hands] == [
        (1, 0, (), ()),
        (2, 0, (), ()),
    ]
    assert {side for side, _ in findings.hands[0].claims} == {1, 2}
    assert findings.hands[0].verdict.sentence == "the hand matches what you saw"
    assert [seat for _, seat in findings.takeovers] == [1]
    taken = findings.takeovers[0][0]
    assert type(entry_of(played(name).sent[0][taken])).__name__ == "TakeoverEntry"


@every_side
def test_a_log_that_stops_anywhere_is_true_as_far_as_it_goes(side: int) -> None:
    table = played("hearts")
    payloads = table.payloads[side]
    for size in range(2, len(payloads), 25):
        findings = verify_log(payloads[:size])
        assert findings.records == records_before(payloads, size)
        assert not findings.finished
        hand = findings.position.state.hand
        assert findings.unproven == (hand if hand > len(findings.hands) else None)


def test_who_did_not_sign_and_who_was_absent_is_named() -> None:
    table = after_a_hand()
    table.spread(table.writer.absent(2))
    table.check(1)
    table.spread(table.writer.deal())
    table.until(Phase.CHECKS, 2)
    table.check(2)
    table.spread(table.writer.close(CloseReason.ENDED))
    hand = verify_log(table.payloads[1]).hands[1]
    assert (hand.absent, hand.missing, hand.claims) == ((2,), (1,), ((2, 0),))


def test_a_listener_whose_log_was_lost_has_no_seed_and_still_verifies() -> None:
    table = played("hearts")
    payloads = [*start_payloads(1, b"", table.frame), *[p for p in table.payloads[1] if p[:1] == RECORD]]
    assert verify_log(payloads).honest


def test_the_log_of_a_side_that_left_verifies() -> None:
    table = played("hearts")
    assert verify_log([*table.payloads[1][:20], LEFT]).records == records_before(table.payloads[1], 20)


def test_a_false_hand_is_found_in_every_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Own faces against the opened pack: the coordinator dealt from another one than the values give."""
    table = new_table("hearts")
    true_packs = advance.shuffled_packs

    def stacked(position: Position) -> Any:
        pack, draw = true_packs(position)
        return (pack[::-1], draw) if position.eyes & DEALER else (pack, draw)

    with monkeypatch.context() as patched:
        patched.setattr(advance, "shuffled_packs", stacked)
        table.until(Phase.CHECKS, 1)
        table.check(1, 2)
    for side in SIDES[1:]:
        findings = verify_log(table.payloads[side])
        assert not findings.honest
        assert findings.hands[0].verdict == 4
        assert findings.hands[0].claims == ((1, 4), (2, 4))
    assert false_log(table.payloads[0]).cause is Cause.RULES  # its own log knows what the seats held


# --- logs that are false ----------------------------------------------------------------------------------------------


@some_logs
def test_a_flipped_byte_is_found_in_its_payload(name: str, side: int) -> None:
    payloads, rng = played(name).payloads[side], Random(side)
    for place in [0, 1, *sorted(rng.sample(range(2, len(payloads)), 5))]:
        payload = payloads[place]
        for _ in range(2):
            forged = bytearray(payload)
            forged[rng.randrange(len(payload) if payload[:1] != ADDRESS else 1)] ^= 1 << rng.randrange(8)
            error = false_log([*payloads[:place], bytes(forged), *payloads[place + 1 : place + 2]])
            # a record that has turned into a move said beforehand is missing at the next record
            assert error.payload == place or forged[:1] == PENDING
            assert error.records == records_before(payloads, place)


def test_the_places_of_the_first_two_payloads_are_told_apart() -> None:
    table = played("hearts")
    first, second, *rest = table.payloads[1]
    seedless = start_payloads(1, table.seeds[2], table.frame)[0]
    for one in (b"", b"X" + first[1:], ME, first + b"\0", seedless, start_payloads(4, b"", table.frame)[0]):
        assert false_log([one, second, *rest]).payload == 0
    for two in (b"", b"X" + second[1:], HEADER, second + b"\0", second[:-1], second[:20] + b"\0" + second[21:]):
        assert false_log([first, two, *rest]).payload == 1
    assert false_log([first]).payload == 1
    assert false_log([]).payload == 1


@some_logs
def test_a_dropped_or_repeated_record_is_found_at_its_place(name: str, side: int) -> None:
    payloads = [payload for payload in played(name).payloads[side] if payload[:1] != PENDING]
    for place in range(4, len(payloads) - 1, 60):
        dropped = false_log([*payloads[:place], *payloads[place + 1 :]])
        repeated = false_log([*payloads[: place + 1], *payloads[place:]])
        # concurrent entries that do not know of each other can stand in any order; what follows them cannot
        assert place <= dropped.payload <= place + 6
        assert repeated.payload == place + 1


@every_side
def test_two_payloads_spliced_or_exchanged_are_found(side: int) -> None:
    payloads = played("crazy_eights").payloads[side]
    places = [place for place, payload in enumerate(payloads) if payload[:1] == RECORD]
    for place in places[4:-1:60]:
        after = places[places.index(place) + 1]
        spliced = [*payloads[:place], payloads[place] + payloads[after][1:], *payloads[after + 1 :]]
        assert false_log(spliced).payload == place
        if not isinstance(entry_of(payloads[place][1:]), CheckEntry):  # two checks may stand in either order
            assert false_log([*payloads[:place], payloads[after], payloads[place]]).payload == place


def test_the_records_of_another_game_do_not_continue_this_one() -> None:
    one, other = played("hearts"), played("hearts", 6)
    for size in (2, 3, 10, 40):
        assert false_log([*one.payloads[2][:size], *other.payloads[2][size:]]).payload >= size


def test_payloads_that_do_not_belong_there_are_refused() -> None:
    payloads = played("hearts").payloads[1]
    for odd in (b"", b"X", payloads[0], payloads[1], LEFT + b"x", ADDRESS + b"\x92\x01\x01", PENDING):
        assert false_log([*payloads[:12], odd, *payloads[12:]]).payload == 12


@every_table
def test_a_pending_move_is_checked_like_one_that_was_sent(name: str) -> None:
    payloads = played(name).payloads[1]
    places = [place for place, payload in enumerate(payloads) if payload[:1] == PENDING]
    assert places
    for place in places[:3]:
        record = read_record(payloads[place][1:])[0]
        tail = bytes(record)
        for forged in (tail[:-1], tail + tail, tail[:-1] + bytes((tail[-1] ^ 1,))):
            assert false_log([*payloads[:place], PENDING + forged]).payload == place
        assert false_log([*payloads[: place + 2], payloads[place]]).payload == place + 2
        assert verify_log(payloads[: place + 1]).records == records_before(payloads, place)
    records = [payload for payload in payloads if payload[:1] == RECORD]
    check = next(payload for payload in records if isinstance(entry_of(payload[1:]), CheckEntry))
    assert false_log([*payloads[:2], PENDING + check[1:]]).cause is Cause.SHAPE


# --- two logs of one game ---------------------------------------------------------------------------------------------


def test_logs_of_one_game_agree_however_far_each_goes() -> None:
    table = played("hearts")
    whole = verify_log(table.payloads[0])
    for size in (2, 10, 60):
        assert first_fork(whole, verify_log(table.payloads[2][:size])) is None
        assert first_fork(verify_log(table.payloads[1][:size]), whole) is None


def test_two_histories_of_one_game_are_told_apart_at_the_record_where_they_part() -> None:
    table = new_table("hearts")
    table.until(Phase.PLAY, 1)
    shared = table.position.count
    common = [list(payloads) for payloads in table.payloads]
    table.spread(table.writer.takeover(1, TakeoverReason.CLOCK_RAN_OUT))
    first = verify_log(table.payloads[1])
    table.writer.log.pop()
    other = table.writer.takeover(2, TakeoverReason.CLOCK_RAN_OUT)
    second = verify_log([*common[2], RECORD + bytes(other.for_side(2))])
    assert first_fork(first, second) == shared
    assert first_fork(second, first) == shared


@every_side
def test_every_kind_of_entry_was_in_these_logs(side: int) -> None:
    kinds = {type(entry_of(record)) for name in OPTIONS for record in played(name).sent[side]}
    assert {CheckEntry, CloseEntry, CommitEntry, DealEntry, OpeningEntry} < kinds
    assert len(kinds) == 9
