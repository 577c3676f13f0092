"""The file of one hand, spoilt in every way: a changed bit, a changed byte, entries spliced, a cut at every place.

Accidents are found by the checks of the file; one who counts these anew is found by signatures and the chain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import pytest

from p2pcards.control.exits import UNFINISHED
from p2pcards.frontend.verdict import Known, LogVerdict, judge_log
from p2pcards.ledger.advance import advance
from p2pcards.ledger.payloads import PENDING, RECORD, read_header, read_start
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.verify import check_payload_between_records, read_transcript
from p2pcards.store.logs import MAGIC, DamagedLog, encode_record, parse_log
from p2pcards.wire.packing import Refused
from p2pcards.wire.reasons import CloseReason
from p2pcards.wire.records import CheckEntry, read_record
from rigs.pure import remembered_signatures
from rigs.recorded import OPTIONS, Table, new_table

signatures = remembered_signatures()

# Byte after byte in Python is slow to measure, and the rooms are covered without it.
pytestmark = pytest.mark.no_cover

NOBODY = Known({}, b"")


@lru_cache
def one_hand(name: str) -> Table:
    """Crazy eights, won with its first hand; hearts, ended by the coordinator after it."""
    if name == "hearts":
        table = new_table(name)
        table.until(Phase.CHECKS, 1)
        table.check(1, 2)
        table.spread(table.writer.close(CloseReason.ENDED))
        return table
    table = Table("crazy_eights", replace(OPTIONS["telecards"][1], winning_score=1), 35)
    while table.position.phase is not Phase.CLOSED:
        table.step()
    return table


def payloads_of(name: str) -> list[bytes]:
    """What the log of side 1 holds."""
    return one_hand(name).payloads[1]


def file_of(payloads: Sequence[bytes]) -> bytes:
    return MAGIC + b"".join([encode_record(payload) for payload in payloads])


def offsets(payloads: Sequence[bytes]) -> list[int]:
    """Where each payload's record begins in the file, and where the file ends."""
    found = [len(MAGIC)]
    for payload in payloads:
        found.append(found[-1] + len(encode_record(payload)))
    return found


def judged(data: bytes) -> LogVerdict:
    """What `p2pcards verify` makes of the bytes of a file."""
    try:
        return judge_log("log", parse_log(data), NOBODY)
    except DamagedLog as damaged:
        return judge_log("log", damaged, NOBODY)


names = pytest.mark.parametrize("name", ["crazy_eights", "hearts"])
apart = pytest.mark.parametrize("step", [11, pytest.param(1, marks=pytest.mark.slow)])
"""One place in so many is tried."""


@names
def test_the_whole_file_is_sound(name: str) -> None:
    verdict = judged(file_of(payloads_of(name)))
    assert verdict.state == ("finished" if name == "crazy_eights" else "unfinished")


# --- a changed bit or byte --------------------------------------------------------------------------------------------


def damage(data: bytes, place: int, value: int, starts: Sequence[int]) -> None:
    """The changed file is refused, and the offset of the record named in which the byte stands."""
    spoilt = data[:place] + bytes((value,)) + data[place + 1 :]
    with pytest.raises(DamagedLog) as damaged:
        parse_log(spoilt)
    expected = max((start for start in starts if start <= place), default=0)
    assert damaged.value.offset == expected


@names
@apart
def test_one_other_value_at_every_byte_is_refused_with_the_offset(name: str, step: int) -> None:
    payloads = payloads_of(name)
    data, starts = file_of(payloads), offsets(payloads)[:-1]
    for place in range(0, len(data), step):
        damage(data, place, (data[place] + 1 + place * 7 % 255) % 256, starts)
    assert judged(data[:-1] + bytes((data[-1] ^ 1,))).state == "damaged"


@names
@pytest.mark.slow
def test_every_flipped_bit_is_refused_with_the_offset(name: str) -> None:
    payloads = payloads_of(name)
    data, starts = file_of(payloads), offsets(payloads)[:-1]
    for place in range(len(data)):
        for bit in range(8):
            damage(data, place, data[place] ^ 1 << bit, starts)


def positions(payloads: Sequence[bytes]) -> list[Position]:
    """Before each payload."""
    found = [read_start(payloads).position] * 3
    for payload in payloads[2:]:
        found.append(advance(found[-1], *read_record(payload[1:])) if payload[:1] == RECORD else found[-1])
    return found


def is_refused(payloads: Sequence[bytes], before: Sequence[Position], place: int, forged: bytes) -> bool:
    """Whether a payload is refused in its place; or at the next one, where a record has turned into the note of a move
    that is still to be sent, or such a note into a record."""
    if place < 2:
        with pytest.raises(Refused):
            first = [forged if i == place else payload for i, payload in enumerate(payloads[:2])]
            read_header(first)
            read_start(first)
        return True
    try:
        if forged[:1] == RECORD:
            advance(before[place], *read_record(forged[1:]))
        else:
            check_payload_between_records(before[place], forged)
    except Refused:
        return True
    if forged[:1] == payloads[place][:1]:
        return False
    changed = [*payloads[:place], forged, *payloads[place + 1 :]]
    verdict = judged(file_of(changed))
    return verdict.state == "false" and verdict.data["offset"] >= offsets(changed)[place]


def forgeries(payload: bytes, bits: bool, step: int) -> Iterator[bytes]:
    for place in range(0, len(payload), step):
        values = [payload[place] ^ 1 << bit for bit in range(8)] if bits else [payload[place] ^ (1 + place % 255)]
        for value in values:
            yield payload[:place] + bytes((value,)) + payload[place + 1 :]


def check_forgeries(name: str, bits: bool, step: int = 1) -> None:
    payloads = payloads_of(name)
    before = positions(payloads)
    for place, payload in enumerate(payloads):
        for forged in forgeries(payload, bits, step):
            assert is_refused(payloads, before, place, forged), (place, forged)


@names
@apart
def test_one_other_value_at_every_byte_is_refused_though_the_checks_are_counted_anew(name: str, step: int) -> None:
    check_forgeries(name, bits=False, step=step)


@names
@pytest.mark.slow
def test_every_flipped_bit_is_refused_though_the_checks_are_counted_anew(name: str) -> None:
    check_forgeries(name, bits=True)


@names
def test_a_changed_byte_names_the_offset_of_its_record(name: str) -> None:
    payloads = payloads_of(name)
    for place in range(2, len(payloads), 7):
        changed = bytearray(payloads[place])
        changed[-1] ^= 1
        verdict = judged(file_of([*payloads[:place], bytes(changed), *payloads[place + 1 :]]))
        assert (verdict.state, verdict.data["offset"]) == ("false", offsets(payloads)[place])


# --- entries spliced --------------------------------------------------------------------------------------------------


@names
def test_every_splice_of_two_entries_is_refused(name: str) -> None:
    """Entry i is followed by entry j, whatever stood between left out or repeated; and both glued into one."""
    table = one_hand(name)
    before, records = table.at[1], table.sent[1]
    taken = []
    for i in range(len(records)):
        for j in range(len(records)):
            if j != i and accepts(before[i], records[j]):
                taken.append((i, j))
            if i < j:
                assert not accepts(before[i], records[i] + records[j])
    # Only entries that do not know of each other can change places: checks, and cards that several lay away at once.
    for i, j in taken:
        assert before[i].simultaneous and before[j].simultaneous and before[i].open_base == before[j].open_base
        spliced = [*records[:i], *records[j:]]
        assert not all_accepted(before[i], spliced[i:]) or isinstance(kind(records[j]), CheckEntry)
    assert len(taken) <= (4 if name == "crazy_eights" else 40)


def kind(record: bytes) -> object:
    return read_record(record)[1][0]


def accepts(position: Position, record: bytes) -> bool:
    return all_accepted(position, [record])


def all_accepted(position: Position, records: Sequence[bytes]) -> bool:
    try:
        for record in records:
            position = advance(position, *read_record(record))
    except Refused:
        return False
    return True


@names
def test_a_spliced_file_names_the_offset_of_the_splice(name: str) -> None:
    payloads = [payload for payload in payloads_of(name) if payload[:1] != PENDING]
    starts = offsets(payloads)
    for i, j in ((12, 14), (14, 9), (len(payloads) - 1, 12), (12, len(payloads) - 1)):
        verdict = judged(file_of([*payloads[:i], *payloads[j:]]))
        assert (verdict.state, verdict.data["offset"]) == ("false", starts[i])


# --- cuts -------------------------------------------------------------------------------------------------------------


@names
@apart
def test_every_cut_inside_an_entry_is_a_torn_tail_with_its_offset_and_never_a_success(name: str, step: int) -> None:
    payloads = payloads_of(name)
    data, starts = file_of(payloads), offsets(payloads)
    for start, end in pairwise(starts):
        for size in range(start + 1, end, step):
            contents = parse_log(data[:size])
            assert (contents.torn_offset, contents.torn) == (start, data[start:size])
    for place in range(2, len(payloads), 5 * step):
        size = (starts[place] + starts[place + 1]) // 2
        verdict = judged(data[:size])
        assert verdict.state == "unfinished"
        assert verdict.data["torn"] == {"offset": starts[place], "size": size - starts[place]}


@names
def test_every_cut_inside_an_entry_is_refused_though_the_checks_are_counted_anew(name: str) -> None:
    table = one_hand(name)
    for number, record in enumerate(table.sent[1]):
        for size in range(len(record)):
            assert not accepts(table.at[1][number], record[:size])
    payloads = payloads_of(name)
    verdict = judged(file_of([*payloads[:9], payloads[9][:-1]]))
    assert (verdict.state, verdict.data["offset"]) == ("false", offsets(payloads)[9])


@names
@apart
def test_every_cut_between_entries_is_unfinished_and_never_a_success(name: str, step: int) -> None:
    payloads = payloads_of(name)
    data, starts = file_of(payloads), offsets(payloads)
    for number, start in list(enumerate(starts[:-1]))[:: step if name == "hearts" else 3 * step]:
        verdict = judged(data[:start])
        assert verdict.state == "unfinished", "which has an exit code of its own"
        if verdict.findings is not None:
            assert verdict.findings.records == sum(payload[:1] == RECORD for payload in payloads[:number])
            assert not verdict.findings.finished
    assert UNFINISHED != 0
    assert len(read_transcript(payloads).entries) == one_hand(name).position.count
