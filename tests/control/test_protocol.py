"""The control socket's bytes: whatever comes in whatever pieces, it is a message or one kind of error."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.control.messages import (
    Attach,
    DaemonStatus,
    Done,
    Gone,
    Greet,
    Happened,
    Message,
    NotDone,
    Open,
    Say,
    Shown,
    Someone,
    Status,
    Stop,
    TableOpened,
    TableStatus,
    Welcome,
)
from p2pcards.control.protocol import LIMIT, BadMessage, Reader, answer_reader, encode, request_reader
from p2pcards.views.happenings import Happening
from p2pcards.views.tableview import Command, PersonView, PileView, SeatView, SheetView, TableView, TrumpView

TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
NUMBER = st.integers(-(2**31), 2**31)
OPTION = st.booleans() | NUMBER | TEXT


def tuples(of: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(of, max_size=3).map(tuple)


SECONDS = st.none() | st.floats(0, 1e6)
SEATS = st.builds(
    SeatView,
    NUMBER,
    TEXT,
    TEXT,
    TEXT,
    TEXT,
    NUMBER,
    NUMBER,
    known=tuples(NUMBER),
    dealer=st.booleans(),
    countdown=SECONDS,
)
PEOPLE = st.builds(PersonView, TEXT, TEXT, TEXT, TEXT, seat=st.none() | NUMBER, again=st.none() | st.booleans())
SHEETS = st.builds(SheetView, NUMBER, tuples(tuples(st.tuples(TEXT, NUMBER))), tuples(NUMBER), tuples(NUMBER))
VIEWS = st.builds(
    TableView,
    TEXT,
    TEXT,
    people=tuples(PEOPLE),
    me=st.none() | NUMBER,
    options=tuples(st.tuples(TEXT, OPTION)),
    seats=tuples(SEATS),
    sides=tuples(tuples(NUMBER)),
    trump=st.none() | st.builds(TrumpView, TEXT, TEXT, TEXT, NUMBER),
    trick=tuples(st.tuples(NUMBER, NUMBER)),
    rounds=tuples(tuples(NUMBER)),
    piles=tuples(st.builds(PileView, TEXT, st.none() | NUMBER, tuples(NUMBER))),
    sheet=st.none() | SHEETS,
    legal=tuples(TEXT),
    turn_seconds=SECONDS,
)
TABLES = st.builds(
    TableStatus,
    TEXT,
    TEXT,
    TEXT,
    TEXT,
    TEXT,
    tuples(st.builds(Someone, TEXT, TEXT, TEXT, TEXT)),
    st.none(),
    NUMBER,
    NUMBER,
)
PARTS: dict[Any, st.SearchStrategy[Any]] = {
    str: TEXT,
    int: NUMBER,
    bool: st.booleans(),
    float: st.floats(0, 1e6),
    NoneType: st.none(),
    SheetView: SHEETS,
}


def any_of(kind: type) -> st.SearchStrategy[Any]:
    """Records of a class, whatever fields it has."""
    return st.builds(kind, **{name: part(hint) for name, hint in get_type_hints(kind).items()})


def part(hint: Any) -> st.SearchStrategy[Any]:
    if hint in PARTS:
        return PARTS[hint]
    if get_origin(hint) is UnionType:
        return st.one_of([part(one) for one in get_args(hint)])
    if get_origin(hint) is tuple:
        first, *others = get_args(hint)
        return tuples(part(first)) if others == [...] else st.tuples(*map(part, (first, *others)))
    return any_of(hint)


OPENS = st.one_of([any_of(kind) for kind in get_args(Open)])
HAPPENINGS = st.one_of([any_of(kind) for kind in get_args(Happening)])
REQUESTS = st.one_of(
    st.builds(Greet, TEXT),
    OPENS,
    st.just(Status()),
    st.builds(Attach, TEXT),
    st.builds(Say, st.builds(Command, TEXT, tuples(TEXT))),
    st.just(Stop()),
)
ANSWERS = st.one_of(
    st.builds(Welcome, TEXT, NUMBER),
    st.builds(TableOpened, TEXT, st.none() | NUMBER),
    st.builds(DaemonStatus, TEXT, NUMBER, tuples(TABLES)),
    st.builds(Done, TEXT),
    st.builds(NotDone, TEXT, NUMBER),
    st.builds(Shown, VIEWS),
    st.builds(Happened, HAPPENINGS, st.booleans()),
    st.builds(Gone, TEXT),
)


def read(reader: Reader, data: bytes, cuts: list[int]) -> list[Message]:
    """What comes out when the data arrives cut at these places."""
    places = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return [message for i in range(len(places) - 1) for message in reader.feed(data[places[i] : places[i + 1]])]


@given(st.lists(REQUESTS, max_size=4), st.lists(st.integers(0), max_size=6))
def test_requests_come_out_as_they_went_in(messages: list[Message], cuts: list[int]) -> None:
    assert read(request_reader(), b"".join(map(encode, messages)), cuts) == messages


@given(st.lists(ANSWERS, max_size=4), st.lists(st.integers(0), max_size=6))
def test_answers_come_out_as_they_went_in(messages: list[Message], cuts: list[int]) -> None:
    assert read(answer_reader(), b"".join(map(encode, messages)), cuts) == messages


@given(st.binary(max_size=200), st.booleans())
def test_any_bytes_give_messages_or_the_one_error(data: bytes, framed: bool) -> None:
    data = len(data).to_bytes(4, "big") + data if framed else data
    for reader in (request_reader(), answer_reader()):
        try:
            read(reader, data, [])
        except BadMessage as bad:
            assert str(bad)


@given(ANSWERS | REQUESTS, st.integers(0), st.integers(1, 255))
def test_a_changed_byte_gives_a_message_or_the_one_error(message: Message, place: int, change: int) -> None:
    data = bytearray(encode(message))
    data[4 + place % (len(data) - 4)] ^= change
    for reader in (request_reader(), answer_reader()):
        try:
            read(reader, bytes(data), [])
        except BadMessage as bad:
            assert str(bad)


def framed(value: Any) -> bytes:
    body: bytes = msgpack.packb(value)
    return len(body).to_bytes(4, "big") + body


@pytest.mark.parametrize(
    "value",
    [
        {"is": "Attach"},
        {"is": "Attach", "table": 1},
        {"is": "Attach", "table": "t1", "more": 1},
        {"is": "Attached", "table": "t1"},  # an answer, not a request
        {"is": "Notice", "text": "a happening is not a request"},
        {"is": ["Attach"], "table": "t1"},
        {"table": "t1"},
        ["Attach", "t1"],
        {"is": "Say", "command": {"name": "act", "arguments": "QS"}},
        {"is": "Say", "command": {"name": "act", "arguments": [True]}},
    ],
)
def test_a_request_has_just_its_fields_and_their_types(value: Any) -> None:
    with pytest.raises(BadMessage):
        list(request_reader().feed(framed(value)))


@pytest.mark.parametrize(
    "happening",
    [
        {"is": "Notice"},
        {"is": "Notice", "text": 1},
        {"is": "Notice", "text": "", "more": ""},
        {"is": "Attach", "table": ""},
        {"is": "NoSuchThing", "text": ""},
        {"text": "without its kind"},
        "Notice",
        None,
    ],
)
def test_a_happening_is_of_a_known_kind_and_has_just_its_fields(happening: Any) -> None:
    with pytest.raises(BadMessage):
        list(answer_reader().feed(framed({"is": "Happened", "happening": happening, "earlier": False})))


@pytest.mark.parametrize(
    ("message", "plain"),
    [
        (Greet("1"), {"is": "Hello", "version": "1"}),
        (Stop(), {"is": "Stop"}),
        (Welcome("1", 7), {"is": "Welcome", "version": "1", "pid": 7}),
        (Done("Done."), {"is": "Done", "text": "Done."}),
        (NotDone("No.", 9), {"is": "Refused", "sentence": "No.", "code": 9}),
    ],
)
def test_what_ends_a_daemon_of_another_version_stays_as_it_is(message: Message, plain: Any) -> None:
    assert msgpack.unpackb(encode(message)[4:]) == plain


def test_true_is_no_number() -> None:
    with pytest.raises(BadMessage, match="expected int, got bool"):
        list(answer_reader().feed(framed({"is": "Welcome", "version": "1", "pid": True})))


def test_a_length_over_the_limit_is_refused_before_the_body_comes() -> None:
    with pytest.raises(BadMessage, match="over the limit"):
        list(request_reader().feed((LIMIT + 1).to_bytes(4, "big")))


def test_words_that_are_no_text_still_travel() -> None:
    said = Say(Command("say", ("caf\udce9",)))
    assert list(request_reader().feed(encode(said))) == [Say(Command("say", ("caf?",)))]
