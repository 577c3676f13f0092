"""Every place where bytes of others are read, as a function of bytes that raises nothing but a refusal; whatever else
it raises is a fault. What is put in is kept in `tests/fuzz`, a file for each place, an input a line in hex."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from ipaddress import IPv4Address
from itertools import cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import h11
import trio
from trio.testing import memory_stream_pair

from p2pcards.control.protocol import BadMessage, answer_reader, request_reader
from p2pcards.games.registry import GAMES
from p2pcards.ledger.payloads import read_address, read_start
from p2pcards.links.address import BadAddress, canonical
from p2pcards.links.lan import parse_answer, parse_probe
from p2pcards.links.link import StreamFailed
from p2pcards.links.modem.hayes import BadNumber, clean_number, read_result
from p2pcards.links.modem.retransmission import LONGEST_WIRE, Deframer, unframe
from p2pcards.links.mqtt import MqttClient, MqttFault, Publish
from p2pcards.links.pcp import read_announcement, read_nat_pmp, read_nat_pmp_address, read_pcp
from p2pcards.links.relayed import (
    FRAME,
    RelayedMachine,
    StreamKeys,
    answer_opening,
    opening_is_sealed,
    read_greeting,
)
from p2pcards.links.signals import BadSignal, read_signal
from p2pcards.links.stun import TRANSACTION_SIZE, read_answer
from p2pcards.links.upnp import BadUpnp, Endpoint, read_description, read_fault, read_found
from p2pcards.links.upnp import read_address as read_address_told
from p2pcards.links.webdoor import WebDoor
from p2pcards.links.websocket import WebSocketStream, answer_to
from p2pcards.page.files import PageFile
from p2pcards.results.carried import HOME_MAGIC, describe_home, files_in, unpack_home
from p2pcards.store.logs import BadSave, DamagedLog, LaterSave, parse_log, parse_save, save_bytes
from p2pcards.wire.clean import clean
from p2pcards.wire.crypto import ChaCha20Poly1305, X25519PrivateKey, pem_of
from p2pcards.wire.messages import Hello, MoveMessage, RecordMessage, decode_message, encode_message
from p2pcards.wire.names import given_name, look
from p2pcards.wire.packing import Refused, decode_action, encode_action, pack, unpack
from p2pcards.wire.records import (
    ENTRY_LABEL,
    HEADER_LABEL,
    decode_entry,
    decode_faces,
    decode_header,
    decode_opening,
    encode_entry,
    encode_header,
    read_record,
    sign,
    split_frame,
)
from p2pcards.wire.spoken import BadCode, read_code
from rigs.broker_packets import connack
from rigs.net import Net, key_of
from rigs.stranger import playing

Door = Callable[[bytes], object]
"""A place where bytes are read."""

LONGEST = 4096
RELAY_KEY = X25519PrivateKey.from_private_bytes(b"relay".ljust(32))
SIGNER = key_of(0, 3)  # who coordinates at the tables of `Visit`


def message(data: bytes) -> None:
    said = decode_message(data)
    if not isinstance(said, Hello):  # of another version only the version is read
        assert encode_message(said) == data or isinstance(said, (RecordMessage, MoveMessage))


def entry(data: bytes) -> None:
    assert encode_entry(decode_entry(data)) == data


def header(data: bytes) -> None:
    """Of somebody who signs whatever it is; only the coordinator whom it names is missing."""
    found = decode_header(sign(SIGNER, HEADER_LABEL, b"", data))
    assert encode_header(found) == data


def action(data: bytes) -> None:
    game = list(GAMES.values())[data[0] % len(GAMES)] if data else GAMES["hearts"]
    values = unpack(data[1:])
    with suppress(IndexError):
        number = values.pop(0)
        if type(number) is int and number >= 0:
            assert encode_action(game, decode_action(game, number, tuple(values)))[0] == number


def log(data: bytes) -> None:
    payloads = parse_log(data).payloads
    read_start(payloads)
    for payload in payloads[2:]:
        read_record(payload[1:])


def save(data: bytes) -> None:
    """A saved game as a file, also one whose digest somebody has made to fit."""
    with suppress(BadSave, LaterSave):
        parse_save(data)
    found = parse_save(data + sha256(data).digest())
    assert save_bytes(found) == data + sha256(data).digest()


HOME = (
    "identity.pem",
    "settings.toml",
    "directory.toml",
    "saves.json",
    "peers.json",
    "records.facts",
    "backs/own1.txt",
)


def home(data: bytes) -> None:
    """A saved home, also one whose digest somebody has made to fit; or with a byte before it a file of one."""
    with suppress(BadSave, LaterSave):
        files_in(data)
    if data[:1] < b"\x10":
        name = HOME[data[0] % len(HOME)] if data else HOME[0]
        rows = {HOME[0]: pem_of(SIGNER), "logs/2026-11-20-hearts-7f3a.log": data[1:], name: data[1:]}
        data = pack([[name, 1, body] for name, body in rows.items()])
    whole = HOME_MAGIC + data
    with TemporaryDirectory() as folder:
        there = unpack_home(whole + sha256(whole).digest(), Path(folder, "home")).home
        assert {path.name for path in Path(folder).iterdir()} == {"home"} and there.identity.exists()
        describe_home(there)


def signal(data: bytes) -> None:
    """Of who wants a direct connection: what is written anew means the same."""
    try:
        read = read_signal(data)
    except BadSignal:
        return
    assert read_signal(read.signal()) == read


def line(data: bytes) -> None:
    deframer = Deframer()
    for piece in [piece for cut in (data[:7], data[7:]) for piece in deframer.feed(cut)]:
        assert len(piece) <= LONGEST_WIRE
        unframe(piece, 1)


def frames(data: bytes) -> None:
    """What comes over a WebSocket, to the side that called or to the other."""
    with suppress(StreamFailed):
        trio.run(_read_frames, data[1:], bool(data) and data[0] % 2 == 1)


async def _read_frames(data: bytes, client: bool) -> None:
    ours, theirs = memory_stream_pair()
    await theirs.send_all(data)
    await theirs.send_eof()
    stream = WebSocketStream(ours, client=client)
    while some := await stream.receive_some():
        assert len(some) <= len(data)


def broker(data: bytes) -> None:
    """What an MQTT broker sends, to a client that it has not accepted yet and to one that has asked for something."""
    called, opened = MqttClient(), MqttClient()
    for client in (called, opened):
        client.connect("c", 60)
    opened.feed(connack())
    opened.next_packet()
    opened.subscribe("a/b")
    opened.ping()
    for client in (called, opened):
        with suppress(MqttFault):
            for piece in (data[:3], data[3:]):
                client.feed(piece)
                while (packet := client.next_packet()) is not None:
                    assert not isinstance(packet, Publish) or opened.publish(packet.topic, packet.payload)


def relayed(data: bytes) -> None:
    """What comes through a broker from anybody; and from the other end of the stream, sealed as its first frame."""
    if (greeting := read_greeting(data)) is not None:
        assert bytes(greeting) == data
        opening_is_sealed(greeting, b"")
        answer_opening(greeting, RELAY_KEY, b"")
    keys = StreamKeys(bytes(32), bytes(32))
    machine = RelayedMachine(bytes(16), keys, calls=False, now=0.0, answer=b"answer")
    machine.outgoing.write(b"anything")
    header = bytes([FRAME]) + bytes(16) + (1).to_bytes(4, "big")
    sealed = header + ChaCha20Poly1305(keys.caller).encrypt((1).to_bytes(12, "big"), data, header)
    assert machine.receive(data, 0, 0.0) is False
    machine.receive(sealed, 0, 0.0)
    assert machine.incoming.size <= len(data)
    while machine.output(1.0) is not None:
        pass
    assert machine.is_over or machine.next_time() > 1.0


PAGE = WebDoor({"index.html": PageFile(b"<!doctype html>", "text/html", "gzip", lasting=True)})


def asked(data: bytes) -> None:
    """What comes to a port that serves a page."""
    http = h11.Connection(h11.SERVER)
    http.receive_data(data)
    with suppress(h11.RemoteProtocolError):
        request = http.next_event()
        if isinstance(request, h11.Request):
            reply = PAGE.answer(request)
            assert reply.status in (200, 304) or reply.file is None
            answer_to(request)


def text(data: bytes) -> None:
    """Whatever a person or a modem may write."""
    words = data.decode(errors="surrogateescape")
    assert given_name(given_name(words)) == given_name(words) and clean(words, 40).isprintable()
    look(words)
    read_result(data)
    for read, refusal in ((read_code, BadCode), (canonical, BadAddress), (clean_number, BadNumber)):
        with suppress(refusal):
            read(words)


ROUTER = IPv4Address("192.168.2.1")


def router(data: bytes) -> None:
    """What a router may answer over UDP."""
    read_pcp(data, data[24:36], 4747)
    read_nat_pmp(data, 4747)
    read_nat_pmp_address(data)
    read_announcement(data)
    read_found(data, ROUTER)


def described(data: bytes) -> None:
    """What a router may answer over HTTP."""
    for read in (lambda xml: read_description(xml, Endpoint(80, "/"), ROUTER), read_fault, read_address_told):
        with suppress(BadUpnp):
            read(data)


class Fault(Exception):
    """An input at which a door raised something else; the argument says which, and how it is shown again."""


class Visit:
    """A machine at which somebody of the table says whatever the inputs are. listens: it is the listener's.

    An input is a byte and the rest: 0, a message; else a move or a record signed by one who may. The table stays until
    the link has ended or it was used `MOST` times; `said` are the inputs since it was made, which show a fault again.
    """

    MOST = 500
    GAMES = ("hearts", "whist", "pinochle2", "gin_rummy")
    """One after the other, at each fresh table."""

    def __init__(self, *, listens: bool) -> None:
        self.said: list[bytes] = []
        self._me, self._other = (1, 0) if listens else (0, 1)
        self._games = cycle(self.GAMES)
        self._net = self._fresh()

    def _fresh(self) -> Net:
        self.said = []
        self._game = next(self._games)
        return playing(1, game=self._game, seed=3)

    def __call__(self, data: bytes) -> None:
        place = next((end for end, other in self._net.links.items() if end[0] == self._me), None)
        if place is None or len(self.said) >= self.MOST:
            self._net = self._fresh()
            place = next(end for end in self._net.links if end[0] == self._me)
        self.said.append(data)
        try:
            self._say(place[1], self._message(data))
        except Exception as error:
            said = " ".join([one.hex() for one in self.said])
            raise Fault(f"{error!r} at a fresh table of {self._game}, after these were said: {said}") from error

    def _say(self, peer: int, message: bytes) -> None:
        net = self._net
        net.carry_out(self._me, net.machines[self._me].receive(peer, message, net.now))
        net.run()
        net.view(self._me)

    def _message(self, data: bytes) -> bytes:
        if data[:1] in (b"", b"\0"):
            return data[1:]
        position = self._net.at(self._me)
        head = position.open_head if position.simultaneous and self._me == 0 else position.head
        frame = bytes(sign(self._net.keys[self._other], ENTRY_LABEL, head, data[1:]))
        said = MoveMessage(frame) if self._me == 0 else RecordMessage(position.count & 255, frame)
        return encode_message(said)


def refusing(read: Door) -> Door:
    """The same, where a refusal is an answer."""

    def door(data: bytes) -> None:
        with suppress(Refused, BadMessage, DamagedLog, BadSave, LaterSave):
            read(data)

    return door


def doors() -> dict[str, Door]:
    """By name, with fresh machines."""
    plain: dict[str, Door] = {
        "message": message,
        "entry": entry,
        "record": read_record,
        "frame": split_frame,
        "header": header,
        "action": action,
        "faces": decode_faces,
        "opening": decode_opening,
        "address": read_address,
        "log": log,
        "save": save,
        "home": home,
        "line": line,
        "probe": parse_probe,
        "signal": signal,
        "answer": lambda data: parse_answer(data, data[4:20], "192.0.2.1"),
        "request": lambda data: list(request_reader().feed(len(data).to_bytes(4, "big") + data)),
        "update": lambda data: list(answer_reader().feed(len(data).to_bytes(4, "big") + data)),
        "text": text,
        "frames": frames,
        "relayed": relayed,
        "broker": broker,
        "asked": asked,
        "router": router,
        "stun": lambda data: read_answer(data, data[8 : 8 + TRANSACTION_SIZE]),
        "described": described,
        "coordinator": Visit(listens=False),
        "listener": Visit(listens=True),
    }
    return {name: refusing(read) for name, read in plain.items()}


SLOW = ("coordinator", "listener", "home")
"""A step of a machine, and files on disk, take a hundred times as long as a decoder: they get a tenth of its inputs."""


def read_corpus(folder: Path) -> dict[str, list[bytes]]:
    return {file.stem: [bytes.fromhex(row) for row in file.read_text().split()] for file in folder.glob("*.hex")}


def write_corpus(folder: Path, name: str, inputs: Sequence[bytes]) -> None:
    rows = sorted({one.hex() for one in inputs if one}, key=lambda row: (len(row), row))
    (folder / f"{name}.hex").write_text("\n".join(rows) + "\n")


NUMBERS = (-(2**63), -(2**31), -1, 64, 255, 256, 2**16 - 1, 2**16, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1)
EXTREMES = [pack([number])[1:] for number in NUMBERS]


def mutated(chance: Random, corpus: Sequence[bytes]) -> bytes:
    """One of these with some of it changed, left out, repeated or taken from another."""
    data = bytearray(chance.choice(corpus))
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(8):
            case 0:
                data[at : at + 1] = chance.randbytes(1)
            case 1:
                data[at:at] = chance.randbytes(chance.randint(1, 8))
            case 2:
                del data[at : at + chance.randint(1, 8)]
            case 3:
                data[at:at] = data[at : at + chance.randint(1, 40)]
            case 4:
                other = chance.choice(corpus)
                data[at:] = other[chance.randrange(len(other) + 1) :]
            case 5:
                data[at : at + 1] = chance.choice(EXTREMES)
            case 6:  # a card becomes an open copy
                data[at : at + 1] = bytes([byte | chance.choice((64, 128, 192)) for byte in data[at : at + 1]])
            case _:
                data[at : at + 1] = chance.choice(
                    (b"\0", b"\x7f", b"\x80", b"\xc0", b"\xc4", b"\xd9", b"\xdc", b"\xff")
                )
    return bytes(data[:LONGEST])


def put_in(name: str, door: Door, data: bytes) -> None:
    """Raises Fault."""
    try:
        door(data)
    except Exception as error:  # also where bytes were read, but do not come back as they were
        raise Fault(f"{name} raised {error!r} at {data.hex()}") from error


def shared(inputs: int, names: Sequence[str]) -> Mapping[str, int]:
    """How many of so many inputs each door gets."""
    parts = {name: 1 if name in SLOW else 10 for name in names}
    return {name: max(1, inputs * part // sum(parts.values())) for name, part in parts.items()}
