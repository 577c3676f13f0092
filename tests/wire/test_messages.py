"""Every message, to and from bytes, and hostile ones."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.wire.messages import (
    MAX_MESSAGE,
    Again,
    Ask,
    Away,
    Bye,
    Chat,
    Clocks,
    ClockState,
    CodeAnswer,
    CodeProof,
    Door,
    Doors,
    Give,
    GiveCode,
    Handover,
    Have,
    HeaderPart,
    Hello,
    LookOn,
    Message,
    MoveMessage,
    NoSeat,
    Offer,
    People,
    Person,
    Ping,
    Pong,
    Proposal,
    Quick,
    RecordMessage,
    RefusedMove,
    Resume,
    ShowHand,
    Stake,
    Taken,
    Vote,
    Watch,
    WatcherNow,
    WatchersNow,
    WordsCommitment,
    WordsNonce,
    WordsReveal,
    compares_words,
    decode_message,
    encode_message,
    is_goodbye,
    is_talk,
)
from p2pcards.wire.packing import Cause, Refused
from p2pcards.wire.reasons import PHRASES, ByeCode, RefusalCode, find_phrase
from p2pcards.wire.records import VERSION, EntryKind
from p2pcards.wire.shown_hand import MAX_SEALED
from rigs.forging import BOMBS, MISFITS, damaged, respelled, with_element
from rigs.in_part import examples

numbers = st.integers(0, 2**32 - 1)
names = st.text(max_size=24)
sides = st.integers(0, 3)


def binary(size: int) -> st.SearchStrategy[bytes]:
    return st.binary(min_size=size, max_size=size)


persons = st.builds(Person, names, names, st.none() | sides, st.booleans())
doors = st.builds(Door, sides, binary(32), st.text(max_size=300))
watchers = st.builds(WatcherNow, names, binary(32), st.none() | names)
options = st.lists(st.booleans() | st.integers(-(2**31) + 1, 2**31 - 1) | st.text(max_size=40), max_size=20)
clocks = st.tuples(st.sampled_from(ClockState), st.none() | st.integers(0, 86400))
ARRAYS: dict[int, st.SearchStrategy[Message]] = {
    16: st.builds(Hello, st.just(VERSION), st.booleans(), names, names),
    17: st.builds(Bye, st.sampled_from(ByeCode), st.text(max_size=200)),
    18: st.builds(Ping, numbers),
    19: st.builds(Pong, numbers),
    20: st.builds(Chat, sides, numbers, st.text(max_size=400)),
    21: st.builds(
        People,
        st.lists(persons, max_size=4).map(tuple),
        st.none() | sides,
        st.none() | st.text(max_size=40),
        options.map(tuple),
    ),
    22: st.builds(Offer, binary(16)),
    23: st.builds(Stake, binary(16), binary(24)),
    24: st.builds(HeaderPart, st.integers(0, 15), st.integers(1, 16), st.binary(max_size=400)),
    25: st.builds(Resume, binary(16), numbers, binary(32)),
    26: st.builds(RefusedMove, numbers, st.sampled_from(RefusalCode), st.text(max_size=200)),
    27: st.builds(Away, st.booleans()),
    28: st.builds(Clocks, st.lists(clocks, max_size=4).map(tuple)),
    29: st.builds(Again, sides, st.booleans()),
    30: st.builds(Ask, numbers),
    31: st.builds(Have, numbers, st.binary(max_size=4000)),
    32: st.builds(GiveCode, st.integers(1, 99_999), binary(32)),
    33: st.builds(CodeAnswer, binary(32), binary(16)),
    34: st.builds(CodeProof, binary(16)),
    35: st.builds(WordsCommitment, binary(32)),
    36: st.builds(WordsNonce, binary(16)),
    37: st.builds(WordsReveal, binary(16)),
    38: st.builds(
        Proposal, st.sampled_from((EntryKind.UNDO, EntryKind.REDEAL)), numbers, sides, binary(64) | st.just(b"")
    ),
    39: st.builds(Vote, numbers, sides, binary(64) | st.just(b"")),
    40: st.builds(LookOn, binary(16), numbers),
    41: st.builds(Give, st.none() | st.text(max_size=24)),
    42: st.builds(Watch, st.just(VERSION), names),
    43: st.builds(WatchersNow, st.lists(watchers, max_size=16).map(tuple)),
    46: st.builds(ShowHand, binary(32), st.binary(max_size=MAX_SEALED)),
    48: st.just(NoSeat()),
    44: st.builds(Handover, binary(32)),
    45: st.builds(Doors, st.lists(doors, max_size=4).map(tuple)),
}
ONE_BYTE: list[st.SearchStrategy[Message]] = [
    st.builds(RecordMessage, st.integers(0, 255), st.binary(min_size=1, max_size=300)),
    st.builds(MoveMessage, st.binary(max_size=300)),
    st.builds(Taken, st.integers(0, 255), binary(4), st.binary(max_size=300)),
    st.builds(Quick, sides, st.integers(0, len(PHRASES) - 1)),
]
arrays = st.one_of(*ARRAYS.values())
one_of_each = st.fixed_dictionaries(ARRAYS)
FEW = 10
"""Of each kind."""


def check_hostile(data: bytes) -> None:
    try:
        message = decode_message(data)
    except Refused as refused:
        assert refused.cause in (Cause.LENGTH, Cause.ENCODING, Cause.SHAPE)
        return
    if isinstance(message, Hello | Watch) and message.version != VERSION:  # the rest of another's is not looked at
        assert message in (Hello(message.version, False, "", ""), Watch(message.version, ""))
    else:
        assert encode_message(message) == data


@examples(FEW)
@given(one_of_each)
def test_a_message_comes_back_and_its_kind_is_its_first_element(messages: dict[int, Message]) -> None:
    for kind, message in messages.items():
        encoded = encode_message(message)
        assert decode_message(encoded) == message
        assert msgpack.unpackb(encoded)[0] == kind
        assert len(encoded) <= MAX_MESSAGE


@examples(FEW)
@given(one_of_each)
def test_two_bytes_tell_a_goodbye_talk_and_words_to_compare(messages: dict[int, Message]) -> None:
    for kind, message in messages.items():
        encoded = encode_message(message)
        assert is_talk(encoded) == (kind == 20)
        assert is_goodbye(encoded) == (kind == 17)
        assert compares_words(encoded) == (kind in (35, 36, 37))


def test_a_quick_phrase_is_one_byte_of_body() -> None:
    for number, phrase in enumerate(PHRASES):
        encoded = encode_message(Quick(3, number))
        assert len(encoded) == 2
        assert is_talk(encoded)
        assert decode_message(encoded) == Quick(3, number)
        assert find_phrase(phrase.word.upper()) == number


@pytest.mark.parametrize("data", [bytes((2,)), bytes((2, len(PHRASES))), bytes((2, 63)), bytes((2, 0, 0))])
def test_a_phrase_that_is_not_listed_is_refused(data: bytes) -> None:
    with pytest.raises(Refused):
        decode_message(data)


@given(st.one_of(*ONE_BYTE))
def test_records_and_moves_come_back(message: Message) -> None:
    assert decode_message(encode_message(message)) == message


def test_every_message_there_is_was_tried() -> None:
    tried = {Hello, Bye, Ping, Pong, Chat, People, Offer, Stake, HeaderPart}
    tried |= {Resume, RefusedMove, Away, Clocks, Again, Ask, Have, RecordMessage, MoveMessage, Taken, Quick}
    tried |= {GiveCode, CodeAnswer, CodeProof, WordsCommitment, WordsNonce, WordsReveal, Proposal, Vote, LookOn, Give}
    tried |= {Watch, WatchersNow, ShowHand, NoSeat, Handover, Doors}
    assert tried == set(Message.__args__)
    assert sorted(ARRAYS) == [*range(16, 47), 48]


@given(st.integers(0, 2**20), st.binary(min_size=1, max_size=9))
def test_the_number_of_a_record_is_counted_modulo_256(number: int, record: bytes) -> None:
    assert decode_message(encode_message(RecordMessage(number, record))) == RecordMessage(number % 256, record)


@given(st.binary(max_size=100) | arrays.map(encode_message).flatmap(damaged))
def test_any_bytes_are_a_message_or_refused(data: bytes) -> None:
    check_hostile(data)


def test_bombs_are_refused() -> None:
    for bomb in BOMBS:
        with pytest.raises(Refused):
            decode_message(bomb)
        for kind in ARRAYS:
            for head in (0x92, 0x93, 0x94, 0x95):
                check_hostile(bytes((head,)) + msgpack.packb(kind) + bomb)


@examples(FEW)
@given(one_of_each)
def test_a_message_written_otherwise_is_refused(messages: dict[int, Message]) -> None:
    for message in messages.values():
        for way in respelled(msgpack.unpackb(encode_message(message))):
            with pytest.raises(Refused) as refused:
                decode_message(way)
            assert refused.value.cause in (Cause.ENCODING, Cause.LENGTH)


@examples(FEW)
@given(one_of_each)
def test_elements_of_another_type_or_number_are_refused(messages: dict[int, Message]) -> None:
    for kind, message in messages.items():
        check_other_elements(kind, msgpack.unpackb(encode_message(message)))


def check_other_elements(kind: int, plain: list[Any]) -> None:
    for misfit in MISFITS:
        for way in with_element(plain, misfit):
            check_hostile(msgpack.packb(way))
    for way in (plain[:-1], [*plain, None], [*plain, 0]):
        with pytest.raises(Refused) as refused:
            decode_message(msgpack.packb(way))
        assert refused.value.cause is Cause.SHAPE
    for place, value in enumerate(plain):
        if type(value) is int and value in (0, 1) and kind != 21:
            check_hostile(msgpack.packb([*plain[:place], bool(value), *plain[place + 1 :]]))
            with pytest.raises(Refused):
                decode_message(msgpack.packb([*plain[:place], bool(value), *plain[place + 1 :]]))


OUT_OF_RANGE: list[list[Any]] = [
    [],
    [15],
    [40, 0],
    [38, 11, 0, 0, b""],
    [38, 12, 0, 0, bytes(63)],
    [39, 0, 4, b""],
    [32, 0, bytes(32)],
    [32, 100_000, bytes(32)],
    [33, bytes(31), bytes(16)],
    [34, bytes(15)],
    [35, bytes(16)],
    [True],
    ["16", 1],
    [16, VERSION, True, "x" * 25, ""],
    [16, True, True, "", ""],
    [16, 256],
    [16, float(VERSION), True, "", ""],
    [17, len(ByeCode), ""],
    [17, 0, "x" * 201],
    [18, -1],
    [18, 2**32],
    [20, 4, 1, ""],
    [20, 0, 1, "x" * 401],
    [21, [["", "", None, True]] * 5, 0, None, []],
    [21, [["", "", 4, True]], 0, None, []],
    [21, [["", "", None, 1]], 0, None, []],
    [21, [["", "", None]], 0, None, []],
    [22, bytes(15)],
    [23, bytes(16), bytes(23)],
    [24, 16, 16, b""],
    [24, 0, 0, b""],
    [24, 0, 1, bytes(401)],
    [25, bytes(16), 0, bytes(31)],
    [26, 0, 2, ""],
    [27, 1],
    [28, [[0, None]] * 5],
    [28, [[3, None]]],
    [29, 4, True],
    [42, 256, ""],
    [42, VERSION, "x" * 25],
    [43, [""] * 17],
    [48, 0],
    [44, bytes(31)],
    [45, [[1, bytes(32), ""]] * 5],
    [45, [[4, bytes(32), ""]]],
    [45, [[1, bytes(32), "x" * 301]]],
    [31, 0, bytes(4001)],
]


def test_values_out_of_range_have_no_shape() -> None:
    for values in OUT_OF_RANGE:
        with pytest.raises(Refused) as refused:
            decode_message(msgpack.packb(values))
        assert refused.value.cause is Cause.SHAPE, values


def test_a_hello_of_another_version_is_read_whatever_follows() -> None:
    for rest in ([], [1, 2, 3], [{"a": 1}], [True, "n", "c", "more"]):
        for version in (1, 2, VERSION + 1):
            assert decode_message(msgpack.packb([16, version, *rest])) == Hello(version, False, "", "")


def test_messages_have_1_to_4096_bytes() -> None:
    longest = b"\1" + bytes(MAX_MESSAGE - 1)
    assert decode_message(longest) == MoveMessage(longest[1:])
    for data in (b"", longest + b"\0"):
        with pytest.raises(Refused) as refused:
            decode_message(data)
        assert refused.value.cause is Cause.LENGTH


def test_a_record_message_has_a_record() -> None:
    for data in (b"\0", b"\0\5"):
        with pytest.raises(Refused):
            decode_message(data)
