"""Line frames: what goes on the wire, and what is taken from it, whatever comes."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.links.modem.retransmission import (
    ANSWERER,
    CALLER,
    HELLO_SEED,
    KEPT_OFF,
    LONGEST_BODY,
    LONGEST_WIRE,
    Deframer,
    LineHello,
    call_seed,
    frame,
    read_hello,
    unframe,
    write_hello,
)

SEED = 0x01020304
BODIES = st.one_of(
    st.binary(min_size=1, max_size=LONGEST_BODY),
    st.text(alphabet=[chr(byte) for byte in KEPT_OFF], min_size=1, max_size=LONGEST_BODY).map(
        lambda text: text.encode("latin-1")
    ),
)


def feed(data: bytes, cuts: list[int] | None = None) -> list[bytes]:
    """The bodies in this, given in pieces."""
    deframer = Deframer()
    places = sorted({0, len(data), *[cut % (len(data) + 1) for cut in cuts or []]})
    pieces = [piece for start, end in pairwise(places) for piece in deframer.feed(data[start:end])]
    return [body for piece in pieces if (body := unframe(piece, SEED)) is not None]


@given(BODIES)
def test_a_frame_holds_nothing_that_speaks_to_a_modem(body: bytes) -> None:
    wire = frame(body, SEED)
    assert wire[0] == wire[-1] == 0x7E
    assert not set(wire[1:-1]) & set(KEPT_OFF) - {0x7D}
    assert len(wire) <= LONGEST_WIRE


@given(st.lists(BODIES, max_size=4), st.lists(st.integers(0, 3000), max_size=20))
def test_frames_come_back_in_any_cuts(bodies: list[bytes], cuts: list[int]) -> None:
    assert feed(b"".join(frame(body, SEED) for body in bodies), cuts) == bodies


TEXT = st.text(alphabet="\r\n ABCDEFRING012/:+", max_size=60).map(str.encode)


@given(BODIES, TEXT, st.binary(max_size=300), st.lists(st.integers(0, 3000), max_size=20))
def test_text_and_noise_between_frames_do_no_harm(body: bytes, text: bytes, noise: bytes, cuts: list[int]) -> None:
    """A flag in the noise, or its lack, costs nothing: each frame brings its own two."""
    wire = frame(body, SEED)
    assert feed(text + wire + noise.replace(b"\x7e", b"") + wire + text + wire, cuts) == [body] * 3


@given(BODIES, st.data())
def test_flow_control_inside_a_frame_does_no_harm(body: bytes, data: st.DataObject) -> None:
    wire = bytearray(frame(body, SEED))
    for _ in range(data.draw(st.integers(1, 5))):
        wire.insert(data.draw(st.integers(1, len(wire) - 1)), data.draw(st.sampled_from(b"\x11\x13\x91\x93")))
    assert feed(bytes(wire)) == [body]


@given(BODIES, st.data())
def test_a_hit_frame_is_not_taken_and_the_next_one_is(body: bytes, data: st.DataObject) -> None:
    wire = bytearray(frame(body, SEED))
    place = data.draw(st.integers(1, len(wire) - 2))
    if data.draw(st.booleans()):
        wire[place] ^= data.draw(st.integers(1, 255))
    else:
        del wire[place]
    assert feed(bytes(wire)) == []
    assert feed(bytes(wire) + frame(body, SEED)) == [body]


@given(BODIES)
def test_frames_of_another_call_and_our_own_echo_are_not_taken(body: bytes) -> None:
    (piece,) = Deframer().feed(frame(body, call_seed(CALLER, b"anna", b"ben.")))
    assert unframe(piece, call_seed(CALLER, b"anna", b"ben.")) == body
    for other in (call_seed(ANSWERER, b"anna", b"ben."), call_seed(CALLER, b"anna", b"BEN."), SEED):
        assert unframe(piece, other) is None


@given(st.lists(st.binary(max_size=2000), max_size=10))
def test_any_bytes_are_taken_in_bounded_memory(chunks: list[bytes]) -> None:
    deframer = Deframer()
    for chunk in chunks:
        pieces = deframer.feed(chunk)
        assert all(0 < len(piece) <= LONGEST_WIRE for piece in pieces)
        assert len(deframer._rest) <= LONGEST_WIRE
        assert [unframe(piece, SEED) for piece in pieces] == [None] * len(pieces)


@pytest.mark.parametrize(
    "text",
    [
        b"\r\nNO CARRIER\r\n",
        b"\r\nRING\r",
        b"x" * 5000 + b"\r" + b"y" * 600,
        b"y" * 5000,
    ],
)
def test_a_frame_that_text_has_cut_off_is_lost_and_the_next_one_is_not(text: bytes) -> None:
    whole = frame(b"whole", SEED)
    for data in (whole[:6] + text + whole, whole[:6] + text + whole[6:] + whole):
        for cuts in ([], list(range(0, len(data), 7)), list(range(len(data)))):
            assert feed(data, cuts) == [b"whole"]


@given(st.sampled_from((CALLER, ANSWERER)), st.binary(min_size=4, max_size=4), st.sampled_from((b"", b"seen")))
def test_hello_comes_back(role: int, nonce: bytes, seen: bytes) -> None:
    (piece,) = Deframer().feed(write_hello(LineHello(role, nonce, seen)))
    assert read_hello(piece) == LineHello(role, nonce, seen)


@given(st.binary(min_size=1, max_size=20))
def test_any_body_of_a_hello_is_one_or_nothing(body: bytes) -> None:
    (piece,) = Deframer().feed(frame(body, HELLO_SEED))
    hello = read_hello(piece)
    if body[0] != 1:
        assert hello is not None
        assert hello.version == body[0]
    elif hello is not None:
        assert bytes([1, hello.role]) + hello.nonce + hello.seen == body
    else:
        assert len(body) not in (6, 10) or body[1] not in (1, 2)
