"""The files of protocol/vectors/modem: line frames of a call with fixed nonces, and what must not be accepted in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial

from p2pcards.links.modem.retransmission import ANSWERER, CALLER, LineHello, call_seed, frame, write_hello

ANNA, BEN = bytes.fromhex("0d2b1113"), bytes.fromhex("7d7e91ff")
STUFFED = bytes.fromhex("7e7d0d2b111391931aff")


def files() -> Mapping[str, Callable[[], str]]:
    return {name: partial(vectors().__getitem__, name) for name in vectors()}


@cache
def vectors() -> dict[str, str]:
    """The text of each file by its name."""
    return {f"{name}.txt": "".join(f"{key}: {value}\n" for key, value in lines) for name, lines in _cases()}


def _case(
    name: str, what: str, sender: int, body: bytes, wire: bytes, *, receiver: int = 0
) -> tuple[str, list[tuple[str, str]]]:
    """receiver: the role that must not accept it; 0 where the other side has to."""
    lines = [
        ("expect", "refused line" if receiver else "ok"),
        ("what", what),
        ("type", "line frame"),
        ("nonce of the caller", ANNA.hex()),
        ("nonce of the answerer", BEN.hex()),
        ("sender", str(sender)),
        *([("receiver", str(receiver))] if receiver else []),
        ("body", body.hex()),
        ("wire", wire.hex()),
    ]
    return name, lines


def _cases() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    caller, answerer = (call_seed(role, ANNA, BEN) for role in (CALLER, ANSWERER))
    first = bytes([1, CALLER]) + ANNA
    yield _case("hello", "the caller's first HELLO", CALLER, first, write_hello(LineHello(CALLER, ANNA)))
    answer = bytes([1, ANSWERER]) + BEN + ANNA
    yield _case(
        "hello-answer", "the HELLO that answers it", ANSWERER, answer, write_hello(LineHello(ANSWERER, BEN, ANNA))
    )
    sealed = [
        ("acknowledgement", "nothing has been sent or received yet", bytes(4)),
        ("question", "the first counted line frame carries no piece", bytes([0, 0, 0, 1])),
        ("piece", "piece 3 is missing, 5 and 6 are here", bytes([0b0110, 3, 9, 17, 12]) + b"forty-two"),
        ("stuffed", "a payload of all the bytes that are stuffed", bytes([0, 0x7E, 0x0D, 0x11, 0x2B]) + STUFFED),
        ("end", "the end of the data, and this side has closed", bytes([0x80, 1, 2, 3, 4])),
    ]
    for name, what, body in sealed:
        yield _case(name, what, CALLER, body, frame(body, caller))
    body = sealed[2][2]
    wire = frame(body, caller)
    with_xoff = wire[:5] + b"\x13" + wire[5:9] + b"\x91" + wire[9:]
    yield _case("flow-control", "XOFF and XON were put in on the way", CALLER, body, with_xoff)
    hit = bytes([wire[0], wire[1] ^ 1]) + wire[2:]
    yield _case("hit", "one bit is wrong", CALLER, body, hit, receiver=ANSWERER)
    yield _case("echo", "the receiver's own piece comes back", CALLER, body, wire, receiver=CALLER)
    older = frame(body, call_seed(ANSWERER, ANNA, bytes(4)))
    yield _case("older", "a piece of another call", ANSWERER, body, older, receiver=CALLER)
    cut = wire[:7] + b"\r\nNO CARRIER\r\n" + frame(body, answerer)[-3:]
    yield _case("cut", "the carrier is lost in the middle of a line frame", CALLER, body, cut, receiver=ANSWERER)
