"""The header of a game, to and from its signed frame."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.games.options import header_values
from p2pcards.games.registry import GAMES
from p2pcards.ledger.position import begin
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.packing import Cause, Refused
from p2pcards.wire.records import (
    ALL_ASSISTS,
    ENTRY_LABEL,
    HEADER_LABEL,
    READ,
    VERSION,
    Assist,
    Frame,
    Header,
    SeatEntry,
    Side,
    Staked,
    abridge_header,
    complete_header,
    decode_header,
    encode_header,
    sign,
)
from rigs.forging import BOMBS, MISFITS, damaged, respelled, with_element
from rigs.in_part import examples

KEYS = [Ed25519PrivateKey.from_private_bytes(bytes((i,)) * 32) for i in range(4)]
names = st.text(max_size=24)


@st.composite
def headers(draw: st.DrawFn) -> Header:
    count, seats = draw(st.integers(1, 4)), draw(st.integers(2, 4))
    ends = st.binary(min_size=24, max_size=24)
    sides = [Side(public_bytes(KEYS[i]), draw(names), draw(names), draw(ends)) for i in range(count)]
    chairs = draw(st.permutations([*range(count), *[None] * seats]))[:seats]
    version = draw(st.sampled_from(READ))
    editions = st.just(1) if version == 1 else st.integers(1, 65535)
    entries = [SeatEntry(side, draw(names), draw(names), draw(editions)) for side in chairs]
    options = draw(st.lists(st.booleans() | st.integers(-(2**31) + 1, 2**31 - 1) | st.text(max_size=40), max_size=15))
    clocks = st.integers(0, 86400)
    previous = st.just(b"") | st.binary(min_size=32, max_size=32)
    dealer = st.none() | st.integers(0, seats - 1)
    header = Header(
        draw(st.text(max_size=40)),
        tuple(options),
        tuple(sides),
        tuple(entries),
        draw(clocks),
        draw(clocks),
        draw(previous),
        draw(dealer),
        draw(st.binary(min_size=16, max_size=16)),
        version=version,
    )
    if version == 1:
        return header
    assists, deal = draw(of_version_2(len(sides)))
    return replace(header, assists=assists, deal=deal)


@st.composite
def of_version_2(draw: st.DrawFn, sides: int) -> tuple[Assist, int | None]:
    deal = st.none() if sides > 1 else st.none() | st.integers(0, 2**32 - 1)
    return draw(st.sampled_from(Assist) | st.just(ALL_ASSISTS)), draw(deal)


def signed(body: bytes, key: int = 0) -> Frame:
    return sign(KEYS[key], HEADER_LABEL, b"", body)


def check_hostile(body: bytes) -> None:
    try:
        header = decode_header(signed(body))
    except Refused as refused:
        assert refused.cause in (Cause.ENCODING, Cause.SHAPE, Cause.SIGNATURE)
    else:
        assert encode_header(header) == body


@examples(30)
@given(headers())
def test_a_header_comes_back(header: Header) -> None:
    assert decode_header(signed(encode_header(header))) == header


@examples(30)
@given(headers())
def test_seats_and_sides_are_found(header: Header) -> None:
    for number, side in enumerate(header.sides):
        assert header.side_of(side.key) == number
        seat = header.seat_of(number)
        assert (seat is None) == (number not in [entry.side for entry in header.seats])
        assert seat is None or header.seats[seat].side == number
    assert header.side_of(bytes(32)) is None


@examples(50)
@given(st.binary(max_size=100) | headers().map(encode_header).flatmap(damaged))
def test_any_bytes_are_a_header_or_refused(body: bytes) -> None:
    check_hostile(body)


@examples(30)
@given(headers(), st.data())
def test_what_a_listener_knows_is_left_out_and_put_back(header: Header, data: st.DataObject) -> None:
    whole = signed(encode_header(header))
    mine = header.sides[data.draw(st.integers(0, len(header.sides) - 1))]
    known = Staked(header.sides[0].key, mine.key, header.nonce, mine.end)
    sent = abridge_header(whole, mine.key)
    assert len(sent.body) <= len(whole.body) - 33 - 25 - 17
    assert complete_header(sent, known) == complete_header(whole, known) == whole
    with pytest.raises(Refused):
        decode_header(sent)


@examples(50)
@given(st.binary(max_size=100) | headers().map(encode_header).flatmap(damaged))
def test_any_bytes_are_completed_to_a_header_or_refused(body: bytes) -> None:
    try:
        whole = complete_header(
            signed(body), Staked(public_bytes(KEYS[0]), public_bytes(KEYS[1]), bytes(16), bytes(24))
        )
    except Refused as refused:
        assert refused.cause in (Cause.ENCODING, Cause.SHAPE, Cause.LENGTH)
    else:
        check_hostile(whole.body)


def test_bombs_are_refused() -> None:
    for bomb in BOMBS:
        with pytest.raises(Refused):
            decode_header(signed(bomb))


def plain_header() -> list[Any]:
    game = GAMES["hearts"]
    sides = tuple([Side(public_bytes(KEYS[i]), f"n{i}", "wayne", bytes(24)) for i in range(2)])
    seats = tuple([SeatEntry(side, "granny", "novice") for side in (0, 1, None, None)])
    options = header_values(game.presets["real-deal"])
    header = Header("hearts", options, sides, seats, 60, 180, b"", None, bytes(16))
    values: list[Any] = msgpack.unpackb(encode_header(header))
    return values


def test_a_header_written_otherwise_is_refused() -> None:
    for way in respelled(plain_header()):
        with pytest.raises(Refused) as refused:
            decode_header(signed(way))
        assert refused.value.cause is Cause.ENCODING


def test_elements_of_another_type_are_refused_or_come_back() -> None:
    for misfit in [*MISFITS, True, b"x", "x" * 50]:
        for way in with_element(plain_header(), misfit):
            check_hostile(msgpack.packb(way))


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (0, "p2pcard"),
        (1, 0),
        (1, VERSION + 1),
        (1, True),
        (3, [1.5]),
        (4, []),
        (5, [[0, "", "", 1], [0, "", "", 1]]),
        (5, [[2, "", "", 1]]),
        (5, [[None, "", "", 1]] * 5),
        (5, [[0, "", ""], [1, "", ""]]),
        (5, [[0, "", "", 0], [1, "", "", 1]]),
        (5, [[0, "", "", 65536], [1, "", "", 1]]),
        (6, -1),
        (7, 86401),
        (8, bytes(31)),
        (9, 4),
        (10, bytes(15)),
    ],
)
def test_a_header_that_cannot_be(place: int, value: Any) -> None:
    values = plain_header()
    decode_header(signed(msgpack.packb(values)))
    values[place] = value
    with pytest.raises(Refused) as refused:
        decode_header(signed(msgpack.packb(values), key=1))  # wrongly signed too: the shape comes first
    assert refused.value.cause is Cause.SHAPE


LAST = {  # of this version: place in the header, the least and the most there
    "grace": (6, 0, 86400),
    "turn_clock": (7, 0, 86400),
    "first_dealer": (9, 0, 3),
    "assists": (11, 0, 31),
    "between_hands": (13, 1, 3600),
}


@pytest.mark.parametrize(("place", "least", "most"), LAST.values(), ids=LAST)
def test_each_number_has_its_bounds(place: int, least: int, most: int) -> None:
    for value in (least, most):
        body = numbers(place, value)
        assert encode_header(decode_header(signed(body))) == body
    for value in (least - 1, most + 1):
        with pytest.raises(Refused) as refused:
            decode_header(signed(numbers(place, value)))
        assert refused.value.cause is Cause.SHAPE


def numbers(place: int, value: int) -> bytes:
    """A header of this version with this number."""
    values = [*plain_header(), 20][: max(place + 1, len(plain_header()))]
    values[place] = value
    return bytes(msgpack.packb(values))


@pytest.mark.parametrize("value", [1, 2**32 - 1])
def test_a_numbered_deal_has_32_bits(value: int) -> None:
    values = plain_header()
    values[4], values[5] = values[4][:1], [[0, "", "", 1], [None, "", "", 65535]]
    for deal, cause in ((value, None), (2**32, Cause.SHAPE), (-1, Cause.SHAPE)):
        values[12] = deal
        if cause is None:
            assert decode_header(signed(msgpack.packb(values))).deal == deal
            continue
        with pytest.raises(Refused) as refused:
            decode_header(signed(msgpack.packb(values)))
        assert refused.value.cause is cause


@pytest.mark.parametrize("sign_of", [1, -1])
def test_the_number_of_an_option_has_31_bits(sign_of: int) -> None:
    values = plain_header()
    values[3] = [sign_of * (2**31 - 1)]
    assert decode_header(signed(msgpack.packb(values))).options == (sign_of * (2**31 - 1),)
    values[3] = [sign_of * 2**31]
    with pytest.raises(Refused) as refused:
        decode_header(signed(msgpack.packb(values)))
    assert refused.value.cause is Cause.SHAPE


def test_the_same_person_twice_or_more_sides_than_four() -> None:
    values = plain_header()
    for sides in (
        [values[4][0], values[4][0]],
        [*values[4], *[[bytes((i,)) * 32, "", "", bytes(24)] for i in (7, 8, 9)]],
    ):
        with pytest.raises(Refused) as refused:
            decode_header(signed(msgpack.packb([*values[:4], sides, *values[5:]])))
        assert refused.value.cause is Cause.SHAPE


def test_only_the_coordinator_named_in_it_signs_a_header() -> None:
    body = msgpack.packb(plain_header())
    decode_header(signed(body))
    for frame in (signed(body, key=1), sign(KEYS[0], ENTRY_LABEL, b"", body), sign(KEYS[0], HEADER_LABEL, b"x", body)):
        with pytest.raises(Refused) as refused:
            decode_header(frame)
        assert refused.value.cause is Cause.SIGNATURE


@examples(20)
@given(headers())
def test_a_game_begins_from_a_header_that_its_rules_allow_or_is_refused(header: Header) -> None:
    for game in GAMES.values():
        named = replace(header, game=game.key)
        frame = signed(encode_header(named))
        for side in range(len(header.sides)):
            with pytest.raises(Refused) as refused:
                begin(frame, replace(named, options=(*named.options, 1.5)), side, b"")  # type: ignore[arg-type]
            assert refused.value.cause is Cause.RULES
            try:
                begin(frame, named, side, b"")
            except Refused as error:
                assert error.cause is Cause.RULES


def test_a_game_that_is_not_known_or_has_other_seats_is_refused() -> None:
    header = decode_header(signed(msgpack.packb(plain_header())))
    frame = signed(encode_header(header))
    assert begin(frame, header, 1, b"").header == header
    for wrong in (
        replace(header, game="bridge"),
        replace(header, seats=header.seats[:3]),
        replace(header, options=header.options[:-1]),
        replace(header, options=(1, *header.options[1:])),
        replace(header, options=(*header.options[:-1], 0)),
    ):
        with pytest.raises(Refused) as refused:
            begin(frame, wrong, 1, b"")
        assert refused.value.cause is Cause.RULES
