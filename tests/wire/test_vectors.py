"""The files of protocol/vectors and the examples of the protocol's pages, against the code."""

from __future__ import annotations

import hmac
import re
from base64 import b32encode
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from hashlib import sha256, sha512
from typing import Any

import h11
import msgpack
import pytest
import trio.testing
from _pytest.outcomes import Failed

from making.vectors import vectors
from p2pcards.cards.card import Card
from p2pcards.cards.pack import shuffle
from p2pcards.games.options import declared_options
from p2pcards.games.registry import GAMES
from p2pcards.ledger import advance as advance_module
from p2pcards.ledger import position as position_module
from p2pcards.ledger import verify as verify_module
from p2pcards.ledger.advance import advance
from p2pcards.ledger.fair import (
    chain_value,
    commitment,
    computer_seed,
    derived_salt,
    drop_out,
    hand_secret,
    numbered_secret,
)
from p2pcards.ledger.payloads import (
    NOTE,
    RECORD,
    Numbering,
    check_notes,
    first_kind_of,
    read_beginning,
    read_note,
    start_payloads,
)
from p2pcards.ledger.position import Position, begin, opened_phase
from p2pcards.ledger.signed import Use, may_use_log
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.verify import FalseLog, HandFinding, verify_log
from p2pcards.links import websocket as websocket_module
from p2pcards.links.address import text_of_link
from p2pcards.links.link import StreamFailed
from p2pcards.links.noise import Handshake
from p2pcards.links.websocket import WebSocketStream, answer_to
from p2pcards.players import levels
from p2pcards.players.repeating import repeat_decisions
from p2pcards.results.reading import read_result
from p2pcards.store.logs import DamagedLog, parse_log
from p2pcards.wire import messages
from p2pcards.wire import records as header_module
from p2pcards.wire.crypto import ChaCha20Poly1305, Ed25519PrivateKey, X25519PrivateKey, X25519PublicKey
from p2pcards.wire.keys import P, public_bytes
from p2pcards.wire.messages import CodeAnswer, CodeProof, GiveCode, Taken, decode_message, encode_message
from p2pcards.wire.packing import Cause, Refused, blob_up_to, uint
from p2pcards.wire.reasons import PHRASES, Verdict
from p2pcards.wire.records import (
    CheckEntry,
    EntryKind,
    Header,
    OpeningEntry,
    Staked,
    abridge_header,
    check_signature,
    complete_header,
    decode_entry,
    decode_faces,
    decode_header,
    encode_entry,
    encode_faces,
    encode_header,
    next_head,
    read_record,
    split_frame,
)
from p2pcards.wire.shown_hand import ShownHand, open_hand
from p2pcards.wire.spoken import FIRST, SECOND
from rigs import edwards
from rigs.in_part import naming
from rigs.vectors import FOLDER, FOLDERS, PAGES, Vector, denote, exchanges, files, hex_of, positions, read


def check_game(name: str, vector: Vector) -> None:
    for side in (0, 1) if "chain seed 1" in vector else (0,):
        last = positions(name, side)[-1]
        assert last.phase == "closed"
        assert last.finding == 0
        assert list(last.state.scores) == denote(vector["scores"][0])
    check_answers(name)
    check_untried(vector)


def check_untried(vector: Vector) -> None:
    """Decisions of players that this program does not have are not tried, and are nobody's fault; the others, which are
    made by chance here, do not come out again, and make no hand void."""
    if "decisions not tried" in vector:
        start = start_payloads(0, hex_of(vector, "chain seed 0"), split_frame(hex_of(vector, "header"))[0])
        records = [RECORD + bytes.fromhex(record) for record in vector["record"]]
        found = verify_log([*start, *records], repeat_decisions)
        assert sum(hand.untried for hand in found.hands) == int(vector["decisions not tried"][0])
        assert found.honest and not any(hand.irreproducible for hand in found.hands)


def check_answers(name: str) -> None:
    """What side 1 is sent in place of a move of its own is that record, the entry and the opening left out."""
    record, answer = b"", None
    for key, _, value in [line.partition(": ") for line in (FOLDER / name).read_text().splitlines()]:
        if key in ("record", "to side 1"):
            record, answer = bytes.fromhex(value), None
        elif key == "taken":
            answer = decode_message(bytes.fromhex(value))
            assert isinstance(answer, Taken)
            whole, _ = read_record(record)
            assert bytes(whole.frames[0]) + answer.rest == bytes(replace(whole, opening=b""))
        elif key == "head" and isinstance(answer, Taken):
            assert bytes.fromhex(value).startswith(answer.head)


def check_message(vector: Vector) -> None:
    data = hex_of(vector, "bytes")
    message = decode_message(data)
    assert encode_message(message) == data
    if "value" in vector:  # a QUICK and a TAKEN are no msgpack
        assert msgpack.unpackb(data) == denote(vector["value"][0])


def check_frame(vector: Vector, label: bytes, context: bytes) -> None:
    frame, rest = split_frame(hex_of(vector, "frame"))
    assert not rest
    assert (frame.body, frame.signature) == (hex_of(vector, "body"), hex_of(vector, "signature"))
    assert msgpack.unpackb(frame.body) == denote(vector["value"][0])
    check_signature(hex_of(vector, "key"), label, context, frame)


def check_entry(vector: Vector) -> None:
    label, context = vector["label"][0].encode(), hex_of(vector, "context")
    check_frame(vector, label, context)
    body, number = hex_of(vector, "body"), int(vector["record"][0])
    if vector["type"] == ["faces"]:
        assert encode_faces(decode_faces(body)) == body
        return
    assert encode_entry(decode_entry(body)) == body
    before = positions(vector["game"][0], 0)[number]
    assert context in (before.head, before.open_head)
    assert next_head(before.head, split_frame(hex_of(vector, "frame"))[0]) == hex_of(vector, "head")


def check_header(vector: Vector) -> None:
    check_frame(vector, b"p2pcards header 1", b"")
    frame, _ = split_frame(hex_of(vector, "frame"))
    assert encode_header(decode_header(frame)) == frame.body
    assert next_head(b"", frame) == hex_of(vector, "head")
    assert hex_of(vector, "head")[:16] == hex_of(vector, "game id")
    header = decode_header(frame)
    if "to side 1" in vector:
        ann, bob, *_ = header.sides
        sent, _ = split_frame(hex_of(vector, "to side 1"))
        assert sent == abridge_header(frame, bob.key)
        assert complete_header(sent, Staked(ann.key, bob.key, header.nonce, bob.end)) == frame


def check_first_contact(vector: Vector) -> None:
    chances = [hex_of(vector, f"chance of the {side}") for side in ("opener", "waiter")]
    keys = [hex_of(vector, f"key of the {side}") for side in ("opener", "waiter")]
    shares, proofs = spake2(vector["code"][0].encode(), hex_of(vector, "binding"), keys, chances, vector)
    for side, share, proof in zip(("opener", "waiter"), shares, proofs, strict=True):
        assert share == hex_of(vector, f"share of the {side}")
        assert proof == hex_of(vector, f"proof of the {side}")
    opener, waiter = exchanges(vector["code"][0], hex_of(vector, "binding"), keys, chances)
    assert [(one.share, one.proof) for one in (opener, waiter)] == [*zip(shares, proofs, strict=True)]
    assert opener.fits(proofs[1]) and waiter.fits(proofs[0]) and not opener.fits(proofs[0])
    assert decode_message(hex_of(vector, "message code")) == GiveCode(7, shares[0])
    assert decode_message(hex_of(vector, "message code answer")) == CodeAnswer(shares[1], proofs[1])
    assert decode_message(hex_of(vector, "message code proof")) == CodeProof(proofs[0])


def spake2(
    code: bytes, binding: bytes, keys: list[bytes], chances: list[bytes], vector: Vector
) -> tuple[list[bytes], list[bytes]]:
    """The shares and proofs as protocol/first-contact.md has them, with arithmetic of our own."""
    w = int.from_bytes(edwards.derive(code, b"SPAKE2 pw"), "big") % edwards.ORDER
    blinds = [edwards.arbitrary(seed) for seed in (b"M", b"N")]
    assert [edwards.encoded(blind) for blind in blinds] == [hex_of(vector, "M"), hex_of(vector, "N")]
    assert w.to_bytes(32, "big") == hex_of(vector, "w")
    secrets = [int.from_bytes(chance, "big") % edwards.ORDER for chance in chances]
    sent = [
        edwards.add(edwards.times(secret, edwards.BASE), edwards.times(w, blind))
        for secret, blind in zip(secrets, blinds, strict=True)
    ]
    common = [
        edwards.times(secrets[i], edwards.add(sent[1 - i], edwards.times(edwards.ORDER - w, blinds[1 - i])))
        for i in (0, 1)
    ]
    assert common[0] == common[1]
    names = [sha256(b"p2pcards first contact 1" + binding + key).digest() for key in keys]
    shares = [edwards.encoded(point) for point in sent]
    parts = [sha256(code).digest(), *names, *shares, edwards.encoded(common[0])]
    key = sha256(b"".join(parts)).digest()
    return shares, [
        hmac.digest(key, f"p2pcards code 1 {side}".encode(), "sha256")[:16] for side in ("opener", "waiter")
    ]


def check_words(vector: Vector) -> None:
    lists = [read("words.txt")[key][0].split() for key in ("first list", "second list")]
    assert [list(FIRST), list(SECOND)] == lists
    if vector["type"] == ["word lists"]:
        return
    binding, began = hex_of(vector, "binding"), hex_of(vector, "nonce of who began")
    assert sha256(b"p2pcards words commitment 1" + binding + began).digest() == hex_of(vector, "commitment")
    chosen = sha256(b"p2pcards words 1" + binding + began + hex_of(vector, "nonce of the other")).digest()
    words = [lists[0][chosen[0]], lists[1][chosen[1]], lists[0][chosen[2]]]
    assert " ".join(words) == vector["words"][0]


def check_chance(vector: Vector) -> None:
    kind = vector["type"][0]
    value = hex_of(vector, "value of the coordinator") if "value of the coordinator" in vector else b""
    if kind == "chain":
        seed = hex_of(vector, "value 16384")
        numbers = [int(key.split()[1]) for key in vector if key.startswith("value ")]
        assert 0 in numbers
        for number in numbers:
            assert chain_value(seed, number) == hex_of(vector, f"value {number}")
    elif kind == "secret":
        listeners = {int(key.split()[-1]): hex_of(vector, key) for key in vector if "value of side" in key}
        secret = hand_secret(
            int(vector["version"][0]), hex_of(vector, "head"), int(vector["hand"][0]), value, listeners
        )
        assert secret == hex_of(vector, "secret")
    elif kind == "numbered deal":
        packed = msgpack.packb(denote(vector["value"][0]))
        assert sha256(b"p2pcards deal 1" + packed).digest() == hex_of(vector, "secret")
        game, options, deal, hand = denote(vector["value"][0])
        header = Header(game, tuple(options), (), (), 0, 0, b"", None, bytes(16), deal=deal)
        assert numbered_secret(header, hand) == hex_of(vector, "secret")
    elif kind == "shuffle":
        pack = [Card(byte) for byte in hex_of(vector, "unshuffled")]
        assert bytes(shuffle(pack, hex_of(vector, "secret"), vector["label"][0])) == hex_of(vector, "shuffled")
    elif kind == "commitment":
        number, *fields = denote(vector["value"][0])
        assert msgpack.packb([number, *fields]) == hex_of(vector, "msgpack")
        assert commitment(hex_of(vector, "salt"), number, tuple(fields)) == hex_of(vector, "commitment")
    elif kind == "salt":
        assert derived_salt(value, int(vector["seat"][0]), int(vector["base"][0])) == hex_of(vector, "salt")
    else:
        assert kind == "computer"
        seed_number = computer_seed(value, int(vector["seat"][0]), int(vector["count"][0]))
        assert seed_number.to_bytes(32, "big") == hex_of(vector, "seed")


def check_refused(vector: Vector, cause: Cause) -> None:
    with pytest.raises(Refused) as refused:
        if vector["type"] == ["message"]:
            decode_message(hex_of(vector, "bytes"))
        elif vector["type"] == ["header"]:
            frame, _ = split_frame(hex_of(vector, "frame"))
            begin(frame, decode_header(frame), 1, b"")
        else:
            go_on(vector)
    assert refused.value.cause is cause


def go_on(vector: Vector) -> Position:
    position = positions(vector["game"][0], int(vector["at side"][0]))[int(vector["after"][0])]
    for record in vector["record"]:
        position = advance(position, *read_record(bytes.fromhex(record)))
    return position


def check_handshake(vector: Vector) -> None:
    ann, bob = (
        Handshake(
            initiator=name == "Ann",
            prologue=b"p2pcards 1",
            static=X25519PrivateKey.from_private_bytes(hex_of(vector, f"static of {name}")),
            ephemeral=X25519PrivateKey.from_private_bytes(hex_of(vector, f"ephemeral of {name}")),
        )
        for name in ("Ann", "Bob")
    )
    assert ann.write(lambda _: b"") == hex_of(vector, "message 1")
    bob.read(hex_of(vector, "message 1"))
    for number, name, sender, receiver in ((2, "Bob", bob, ann), (3, "Ann", ann, bob)):
        identity = Ed25519PrivateKey.from_private_bytes(hex_of(vector, f"identity of {name}"))
        under, payload = receiver.read(hex_of(vector, f"message {number}"))
        assert under == hex_of(vector, f"signed by {name} over")
        signed = b"p2pcards channel 1" + (b"\1" if name == "Ann" else b"\2") + under
        assert payload == public_bytes(identity) + identity.sign(signed)
        assert sender.write(lambda _, payload=payload: payload) == hex_of(vector, f"message {number}")  # type: ignore[misc]
    assert ann.hash == bob.hash == hex_of(vector, "handshake hash")
    for name, cipher in (("Ann", ann.split()[0]), ("Bob", bob.split()[0])):
        assert cipher.seal(hex_of(vector, "plain")) == hex_of(vector, f"sealed by {name}")


def check_websocket(vector: Vector) -> None:
    http, request = requested(hex_of(vector, "request"))
    switch = websocket_module.answer_to(request)
    assert switch is not None and sorted((http.send(switch) or b"").lower().split(b"\r\n")) == sorted(
        hex_of(vector, "answer").lower().split(b"\r\n")
    )
    for other in vector["not granted"]:
        assert websocket_module.answer_to(requested(bytes.fromhex(other))[1]) is None
    trio.run(check_frames, vector)


def requested(head: bytes) -> tuple[h11.Connection, h11.Request]:
    http = h11.Connection(h11.SERVER)
    http.receive_data(head)
    request = http.next_event()
    assert isinstance(request, h11.Request)
    return http, request


SENT = {
    "Ann": ("frame of message 1", "frame of message 3", "pong of Ann", "frame of Ann's PING", "close of Ann"),
    "Bob": ("frame of message 2", "ping of Bob", "frame of Bob's PING", "close of Bob"),
}


def check_shown_hand(vector: Vector) -> None:
    """By arithmetic of our own, but for the pair secret, which `check_friends` checks, and the seal."""
    player, watcher = (
        public_bytes(Ed25519PrivateKey.from_private_bytes(hex_of(vector, f"seed of the {one}")))
        for one in ("player", "watcher")
    )
    label, game_id = b"p2pcards shown hand 1", hex_of(vector, "game id")
    key = hmac.digest(hex_of(vector, "pair secret"), label + player + watcher + game_id, "sha256")
    plain = int(vector["records"][0]).to_bytes(4, "big") + hex_of(vector, "cards")
    nonce = hmac.digest(key, plain, "sha256")[:12]
    sealed = hex_of(vector, "sealed")
    assert sealed == nonce + ChaCha20Poly1305(key).encrypt(nonce, plain, None)
    identity = Ed25519PrivateKey.from_private_bytes(hex_of(vector, "seed of the watcher"))
    shown = ShownHand(int(vector["records"][0]), tuple(hex_of(vector, "cards")))
    assert open_hand(identity, player, game_id, sealed) == shown


def check_quorum(vector: Vector) -> None:
    """By sets of sides of our own, in the order of their keys."""
    order = sorted(range(4), key=lambda side: vector["side"][side])
    number = {vector["side"][side]: side for side in order}
    seated = {int(side) for side in vector["seats"][0].split() if side != "-"}
    begun = vector["named"] == ["no"]
    quorum = seated if begun else {number[key] for key in vector["named"][0].split() if key != "-"}
    of_two = begun and len(seated) == 2 and 0 in seated
    hands = zip(*[vector[key] for key in ("away", "checks", "counts", "quorum")], strict=True)
    for hand, (away, checks, counted, after) in enumerate(hands, 1):
        gone, said = [{int(side) for side in text.split() if side != "-"} for text in (away, checks)]
        here = seated - gone
        if "closed" in vector and hand == len(vector["away"]):
            said |= here
        enough = len({0, *said} & quorum) > len(quorum) / 2 or of_two
        if enough and here and not of_two:
            if comes := [side for side in order if side in here - quorum]:
                quorum = quorum | {comes[0]}
            elif drops := [side for side in order if side in quorum - here]:
                quorum = quorum - {drops[0]}
        assert counted == ("yes" if enough else "no")
        assert {number[key] for key in after.split() if key != "-"} == quorum


def check_reach(vector: Vector) -> None:
    """By arithmetic of our own, but for X25519 and the seals."""
    number = vector["code"][0].partition("-")[0]
    assert vector["topic of a waiter with the code"] == [f"p2pcards/1/{number}/host"]
    token = hex_of(vector, "token")
    name, key = edwards.derive(token, b"p2pcards meeting topic 1")[:16], hex_of(vector, "meeting key")
    assert vector["topic of Bob"] == [f"p2pcards/1/{name.hex()}/host"]
    assert vector["topic of Ann"] == [f"p2pcards/1/{name.hex()}/guest"]
    assert key == edwards.derive(token, b"p2pcards meeting key 1")[:32]
    bobs_key = public_bytes(Ed25519PrivateKey.from_private_bytes(hex_of(vector, "seed of Bob")))
    linked = b32encode(token + sha256(bobs_key).digest()[:10]).decode().rstrip("=").lower()
    assert vector["secret of the link"] == [linked]
    check_friends(vector)
    opening, answer = hex_of(vector, "opening"), hex_of(vector, "answer")
    assert opening[49:] == hmac.digest(key, opening[:49], "sha256")[:16]
    connection, anns, bobs = opening[1:17], opening[17:49], answer[17:49]
    assert opening[:17] + answer[:17] == b"\1" + connection + b"\2" + connection
    private = X25519PrivateKey.from_private_bytes(hex_of(vector, "private key of Ann"))
    secret = private.exchange(X25519PublicKey.from_public_bytes(bobs))
    both = edwards.derive(secret + key, b"p2pcards relayed 1" + connection + anns + bobs, 64)
    keys = {"Ann": both[:32], "Bob": both[32:]}
    assert keys["Ann"] == hex_of(vector, "key of the caller") and keys["Bob"] == hex_of(vector, "key of the waiter")
    assert ChaCha20Poly1305(keys["Bob"]).encrypt(bytes(12), b"", answer[:49]) == answer[49:]
    for name_of_side, sealing in keys.items():
        frames = [bytes.fromhex(frame) for frame in vector[f"frame of {name_of_side}"]]
        frames += [bytes.fromhex(signal) for signal in vector[f"signal of {name_of_side}"]]
        plains = [bytes.fromhex(plain) for plain in vector[f"plaintext of {name_of_side}"]]
        plains += [bytes.fromhex(plain) for plain in vector[f"plaintext of a signal of {name_of_side}"]]
        plains = [plain for _, plain in sorted(zip(frames, plains, strict=True), key=lambda pair: pair[0][17:21])]
        frames.sort(key=lambda frame: frame[17:21])
        for count, (frame, plain) in enumerate(zip(frames, plains, strict=True), 1):
            assert frame[:21] == frame[:1] + connection + count.to_bytes(4, "big") and frame[0] in (3, 4)
            opened = ChaCha20Poly1305(sealing).decrypt(bytes(8) + count.to_bytes(4, "big"), frame[21:], frame[:21])
            assert opened == plain


def check_friends(vector: Vector) -> None:
    """The pair secret on the curve of Ed25519: Ann's private key times Bob's point."""
    scalar = bytearray(sha512(hex_of(vector, "seed of Ann")).digest()[:32])
    scalar[0] &= 248
    scalar[31] = scalar[31] & 127 | 64
    bob = public_bytes(Ed25519PrivateKey.from_private_bytes(hex_of(vector, "seed of Bob")))
    y = int.from_bytes(bob, "little") % edwards.SIGN_BIT
    x = edwards.root(y)
    assert x is not None
    _, common = edwards.times(int.from_bytes(scalar, "little"), (x, y))  # -x gives the same y
    secret = ((1 + common) * pow(1 - common, -1, P) % P).to_bytes(32, "little")
    assert secret == hex_of(vector, "pair secret")
    day = int(vector["day"][0]).to_bytes(4, "big")
    name = edwards.derive(secret, b"p2pcards friend topic 1" + day + bob)[:16]
    assert vector["topic of Bob for a friend"] == [f"p2pcards/1/{name.hex()}/host"]
    assert hex_of(vector, "meeting key of friends") == edwards.derive(secret, b"p2pcards meeting key 1")[:32]


def check_links(vector: Vector) -> None:
    for pasted, address, code in zip(vector["pasted"], vector["address"], vector["code"], strict=True):
        found, given = text_of_link(bytes.fromhex(pasted).decode())
        assert (found, given or "none") == (address, code)


async def check_frames(vector: Vector) -> None:
    """What each side reads of the other's frames, and what it answers to what is forbidden."""
    for sender, names in SENT.items():
        frames = b"".join([hex_of(vector, name) for name in names])
        assert await read_stream(frames, client=sender == "Bob") == hex_of(vector, f"stream from {sender}")
    for key in [key for key in vector if key.startswith("forbidden")]:
        for frame in vector[key]:
            with pytest.raises(StreamFailed, match="broke the WebSocket rules"):
                await read_stream(bytes.fromhex(frame), client=False, code=int(key.split()[1]))


async def read_stream(sent: bytes, *, client: bool, code: int = 1000) -> bytes:
    """What comes of these frames at one side, which answers a Close with this code at last."""
    ours, theirs = trio.testing.memory_stream_pair()
    stream, come = WebSocketStream(ours, client=client), b""
    await theirs.send_all(sent)
    try:
        while some := await stream.receive_some():
            come += some
    finally:
        await stream.send_eof()
        answered = await theirs.receive_some()
        assert answered[-4:] == b"\x88\x02" + code.to_bytes(2, "big") or client
    return come


def check_log(vector: Vector) -> None:
    expect, _, offset = vector["expect"][0].partition(" ")
    data = hex_of(vector, "bytes")
    if expect == "damaged":
        with pytest.raises(DamagedLog) as damaged:
            parse_log(data)
        assert damaged.value.offset == int(offset)
        return
    found = parse_log(data)
    assert [payload.hex() for _, payload in found.records] == vector.get("payload", [])
    assert (expect, found.torn_offset) == ("torn", int(offset)) if found.torn else (expect, offset) == ("ok", "")


def check_signed(vector: Vector) -> None:
    payloads = [bytes.fromhex(payload) for payload in vector["payload"]]
    if vector["expect"] != ["ok"]:
        with pytest.raises(FalseLog) as found:
            verify_log(payloads)
        assert vector["expect"] == [f"refused {found.value.cause}"]
        return
    findings = verify_log(payloads)
    transcript = findings.transcript
    stands = {use: may_use_log(use, transcript.end) for use in (Use.PLAY, Use.FINISH, Use.COUNT, Use.TAKE)}
    stands[Use.TAKE] |= transcript.checked
    assert [vector[use.name.lower()] for use in stands] == [["yes" if there else "no"] for there in stands.values()]
    assert [hand.hand for hand in findings.hands if hand.proven] == denote(vector["proven"][0])
    assert read_result(payloads).signed is stands[Use.COUNT]


def check_numbers(vector: Vector) -> None:
    payloads = [bytes.fromhex(payload) for payload in vector["payload"]]
    expect, _, cause = vector["expect"][0].partition(" ")
    with pytest.raises(Refused) if expect == "refused" else nullcontext() as refused:
        check_notes(payloads)
        for payload in payloads:
            if payload[:1] == NOTE:
                read_note(payload)
    assert expect == "ok" or (refused and refused.value.cause == Cause(cause))


def check(name: str, vector: Vector) -> None:
    expect, _, what = vector["expect"][0].partition(" ")
    kind = vector["type"][0]
    assert len(vector["what"]) == 1
    if kind == "log":
        check_log(vector)
    elif kind == "signed":
        check_signed(vector)
    elif kind == "notes":
        check_numbers(vector)
    elif expect == "refused":
        check_refused(vector, Cause(what))
    elif expect == "verdict":
        assert go_on(vector).finding == int(what)
    elif kind == "record":
        go_on(vector)
    elif kind == "game":
        check_game(name, vector)
    elif kind in ("entry", "faces"):
        check_entry(vector)
    elif kind == "message":
        check_message(vector)
    elif kind == "header":
        check_header(vector)
    elif kind == "handshake":
        check_handshake(vector)
    elif kind == "websocket":
        check_websocket(vector)
    elif kind == "shown hand":
        check_shown_hand(vector)
    elif kind == "quorum":
        check_quorum(vector)
    elif kind == "reach":
        check_reach(vector)
    elif kind == "links":
        check_links(vector)
    elif kind == "first contact":
        check_first_contact(vector)
    elif kind in ("words compared", "word lists"):
        check_words(vector)
    elif kind == "hand":
        assert vector["game"] == ["games/hand.txt"]  # all the rest: test_hand_vector.py
    else:
        check_chance(vector)


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_vector_is_what_the_code_does(folder: str) -> None:
    for name in [name for name in files() if name.partition("/")[0] == folder]:
        with naming(name):
            check(name, read(name))


def test_a_vector_is_what_the_script_gives() -> None:
    for name in files():
        with naming(name):
            assert (FOLDER / name).read_text() == vectors().get(name), "the protocol changed, or run scripts/made"


def test_no_vector_is_missing() -> None:
    assert set(files()) == set(vectors())
    causes = {read(name)["expect"][0] for name in files()}
    expected = {f"refused {cause}" for cause in Cause if cause is not Cause.HISTORY}
    expected |= {f"verdict {verdict}" for verdict in (1, 2, 3, 4)}
    assert {cause for cause in causes if cause.startswith(("refused", "verdict"))} == expected
    assert causes >= {"ok", "torn 32", "damaged 15"}
    kinds = {denote(read(name)["value"][0])[0] for name in files() if name.startswith("entries/")}
    assert kinds == set(EntryKind)
    values = [read(name).get("value") for name in files() if name.startswith("messages/")]
    assert {denote(value[0])[0] for value in values if value} == {*range(16, 47), 48}


# --- the pages --------------------------------------------------------------------------------------------------------

EXAMPLE = re.compile(r"^```hex ([\w/-]+\.txt) (\w[\w ]*)\n((?:[0-9a-f ]+(?:  .*)?\n)+)```$", re.MULTILINE)


def examples(page: str) -> list[tuple[str, str, bytes]]:
    """(vector, key in it, bytes) of every example; what stands behind two spaces of a line explains it."""
    found = []
    for name, key, block in EXAMPLE.findall((PAGES / page).read_text()):
        found.append((name, key, bytes.fromhex("".join([line.split("  ")[0] for line in block.splitlines()]))))
    return found


EXAMPLES = [(page.name, *example) for page in sorted(PAGES.glob("*.md")) for example in examples(page.name)]


def test_an_example_of_a_page_equals_its_vector() -> None:
    assert EXAMPLES
    for page, name, key, data in EXAMPLES:
        assert data == hex_of(read(name), key), (page, name, key)


def test_every_message_and_entry_has_an_example_with_its_value() -> None:
    shown = {(name, key) for _, name, key, _ in EXAMPLES}
    text = {page: (PAGES / page).read_text() for page in ("messages.md", "records.md")}
    for name in files():
        vector = read(name)
        if name.startswith("messages/") and vector["expect"] == ["ok"]:
            assert (name, "bytes") in shown
            assert vector.get("value", ["QUICK"])[0] in text["messages.md"]
        elif name.startswith("entries/"):
            assert (name, "body") in shown
            assert vector["value"][0] in text["records.md"]
    for page, words in text.items():
        assert words.count("```hex ") == len(examples(page)), "an example that no test reads"


# --- readings ---------------------------------------------------------------------------------------------------------


as_it_is = advance_module._after_check
as_it_changes = advance_module.after_course_change
as_it_opens = advance_module._open_actions
as_it_drops_out = drop_out


def checks_again(after: Position, entry: CheckEntry) -> Position:
    """A side that has checked without a value is asked once more, with everybody else."""
    checked = as_it_is(after, entry)
    return checked if entry.value else checked.changed(checked=checked.checked - {entry.side})


def in_one_phase(position: Position, *, simultaneous: bool) -> dict[str, Any]:
    """What the seat that has moved last owes belongs to the phase before."""
    if position.phase is Phase.PLAY and position.simultaneous:
        return {"simultaneous": True}
    return opened_phase(position, simultaneous=simultaneous)


def asked_in_each_phase(after: Position, side: int) -> Position:
    """A side that dropped out by a check of its own is asked again as soon as the phase opens anew."""
    return as_it_drops_out(after.changed(silent=frozenset()), side)


def said_once(after: Position, entry: CheckEntry) -> Position:
    """A side that has checked without a value owes nothing more, whether or not it was on the roll."""
    silent = after.silent if entry.value else after.silent | {entry.side}
    return as_it_is(after.changed(silent=silent), entry)


def rolled_anew(after: Position, side: int) -> Position:
    """The roll is called, and the last values are taken, whenever a phase of checks opens."""
    dropped = as_it_drops_out(after, side)
    return dropped.changed(last=tuple([value for _, value in dropped.known]))


def answer_any_version(request: h11.Request) -> h11.InformationalResponse | None:
    """A WebSocket is granted whatever version of HTTP asks for it."""
    return answer_to(h11.Request(method=request.method, target=request.target, headers=request.headers))


def only_played_out(hand: HandFinding) -> bool:
    """A hand that was broken off proves nothing."""
    return hand.verdict is Verdict.GOOD and hand.own_part and not hand.broken_off


def without_a_part(hand: HandFinding) -> bool:
    """Every hand whose replay finds nothing wrong is proven to everybody."""
    return hand.verdict is Verdict.GOOD


def closes(numbering: Numbering, payload: bytes) -> bool:
    """A count is needed before the end alone."""
    return numbering.numbered and first_kind_of(payload) == EntryKind.CLOSE


def kept_commits(position: Position, after: Position, entry: Any) -> Position:
    """A COMMIT that was taken back is one of the hand all the same."""
    changed = as_it_changes(position, after, entry)
    kept = [step for step in position.steps if step.commitment and step not in changed.steps]
    return changed.changed(steps=(*kept, *changed.steps))


def among_others(position: Position, entry: OpeningEntry) -> dict[int, Any]:
    """Openings of COMMITs that the hand does not have are passed over."""
    due = {step.record for step in position.steps}
    return as_it_opens(position, replace(entry, openings=tuple([one for one in entry.openings if one.record in due])))


def usual_left_out(kind: type, values: Sequence[object]) -> Any:
    """An option that was added is left out where it has the value of the preset usual."""
    usual = next(game.presets["usual"] for game in GAMES.values() if game.options is kind)
    options = replace(
        usual, **{option.key: value for option, value in zip(declared_options(kind), values, strict=False)}
    )
    last = declared_options(kind)[len(values) - 1]
    if last.added and getattr(usual, last.key) == values[-1]:
        raise Refused(Cause.RULES, "left out where it has its default")
    return options


def needed_to_the_end(position: Position, side: int) -> bool:
    """The last listener on the roll checks with a value, whether or not a deal can follow."""
    return position.dealt == 0 or position.roll == {side}


READINGS: tuple[tuple[str, object, str, Callable[..., Any] | Any], ...] = (
    ("records/refused-rules-check-none-twice.txt", advance_module, "_after_check", checks_again),
    ("records/refused-rules-check-none-absent.txt", advance_module, "drop_out", asked_in_each_phase),
    ("records/refused-rules-check-none-none.txt", advance_module, "drop_out", asked_in_each_phase),
    ("games/reopened.txt", advance_module, "_after_check", said_once),
    ("games/reopened.txt", advance_module, "drop_out", rolled_anew),
    ("records/found-last-value.txt", advance_module, "drop_out", rolled_anew),
    ("records/check-none-broken-off.txt", advance_module, "is_needed", needed_to_the_end),
    ("records/check-none-won.txt", advance_module, "is_needed", needed_to_the_end),
    ("games/left-out.txt", position_module, "options_from_header", usual_left_out),
    ("games/added.txt", position_module, "options_from_header", usual_left_out),
    ("games/not-opened.txt", advance_module, "after_course_change", kept_commits),
    ("records/found-taken-back.txt", advance_module, "_open_actions", among_others),
    ("records/found-restarted.txt", advance_module, "_open_actions", among_others),
    ("signed/whole.txt", HandFinding, "proven", property(only_played_out)),
    ("signed/absent.txt", HandFinding, "proven", property(without_a_part)),
    ("notes/sealed-bare-opening.txt", Numbering, "_needs_count", closes),
    ("notes/sealed-behind-bare.txt", Numbering, "_needs_count", closes),
    *[
        (f"notes/sealed-{what}.txt", Numbering, "_take_count", lambda _numbering, _payload: None)
        for what in ("left-out-check", "left-out-move", "left-out-address", "doubled-check", "exchanged")
    ],
    ("signed/refused-seed-numbered.txt", verify_module, "read_start", read_beginning),
    ("signed/refused-seed-listener.txt", verify_module, "read_start", read_beginning),
    ("websocket.txt", websocket_module, "answer_to", answer_any_version),
    (
        "records/refused-rules-close-won-between.txt",
        advance_module,
        "_after_close",
        lambda after, reason: replace(after, ended=reason),
    ),
    ("records/refused-rules-absent-after-none.txt", advance_module, "drop_out", lambda after, _side: after),
    (
        "games/no-value.txt",
        advance_module,
        "parts_of_deal",
        lambda position: (tuple([(side, b"") for side in sorted(position.roll)]), ()),
    ),
    ("games/fan.txt", advance_module, "opened_phase", in_one_phase),
    ("games/other-level.txt", levels, "LEVELS", (*levels.LEVELS, "sage")),
    ("messages/refused-quick-32.txt", messages, "PHRASES", (*PHRASES, PHRASES[0])),
    (
        "messages/refused-vote-half.txt",
        messages,
        "_ARRAYS",
        {**messages._ARRAYS, 39: (messages.Vote, (uint(), uint(3), blob_up_to(64)))},
    ),
    ("headers/refused-shape-seats.txt", header_module, "LEAST_SEATS", 1),
)
"""A vector, and what of the program would be otherwise, had its page been read in the other way."""


@pytest.mark.parametrize(("name", "where", "what", "other"), READINGS)
def test_a_program_of_another_reading_fails_a_vector(
    name: str, where: object, what: str, other: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(name, read(name))
    monkeypatch.setattr(where, what, other)
    monkeypatch.setitem(levels.USUAL, "sage", levels.USUAL["novice"])
    positions.cache_clear()
    with pytest.raises((AssertionError, Failed, Refused)):
        check(name, read(name))
    positions.cache_clear()
