"""protocol/vectors/hand.txt: a whole hand, made anew from its fixed secrets to the last byte of the log files."""

from __future__ import annotations

from hashlib import sha256
from random import Random

from p2pcards.cards.pack import shuffle
from p2pcards.ledger.fair import chain_value, computer_seed, hand_secret
from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.payloads import RECORD, Start, start_payloads
from p2pcards.ledger.position import begin
from p2pcards.ledger.writer import LedgerWriter
from p2pcards.players.choose import choose
from p2pcards.store.logs import MAGIC, encode_record
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.records import (
    VERSION,
    ActionEntry,
    CheckEntry,
    CloseEntry,
    CommitEntry,
    DealEntry,
    OpeningEntry,
    Record,
    decode_header,
    decode_opening,
    read_record,
    split_frame,
)
from rigs.vectors import FOLDER, denote, hex_of, positions, read

HAND = read("hand.txt")
NAME = HAND["game"][0]
GAME = read(NAME)
SEEDS = [hex_of(GAME, f"chain seed {side}") for side in (0, 1)]
VALUES = [chain_value(seed, 1) for seed in SEEDS]
FRAME = split_frame(hex_of(GAME, "header"))[0]
DECISIONS = {number: (seat, level, seed) for number, seat, level, seed in map(denote, HAND["decision"])}


def records_of(side: int) -> list[bytes]:
    """The records as a side has them."""
    found: list[bytes] = []
    for line in (FOLDER / NAME).read_text().splitlines():
        key, _, value = line.partition(": ")
        if key == "record":
            found.append(bytes.fromhex(value))
        elif key == "to side 1" and side == 1:
            found[-1] = bytes.fromhex(value)
    return found


def test_the_packs_follow_from_the_values_of_both_sides() -> None:
    assert [hex_of(HAND, f"value of side {side}") for side in (0, 1)] == VALUES
    before = positions(NAME, 0)[0]
    secret = hand_secret(VERSION, before.head, 1, VALUES[0], {1: VALUES[1]})
    assert secret == hex_of(HAND, "secret")
    pack = before.game.pack(before.state.options)
    for label in ("pack", "draw"):
        assert bytes(shuffle(pack, secret, label)) == hex_of(HAND, label)


def test_every_record_is_made_anew() -> None:
    """By the machines of both sides, from keys and seeds; of the two people only what they chose is taken over, and of
    Bob the salt of what they passed."""
    header = decode_header(FRAME)
    keys = [Ed25519PrivateKey.from_private_bytes(hex_of(GAME, f"private key {side}")) for side in (0, 1)]
    writer = LedgerWriter(keys[0], FRAME, begin(FRAME, header, 0, SEEDS[0]))
    bob = LedgerFollower(keys[1], Start(1, SEEDS[1], FRAME, header))
    true = positions(NAME, 0)
    for number, (mine, their) in enumerate(zip(records_of(0), records_of(1), strict=True)):
        record, entries = read_record(mine)
        action = true[number + 1].steps[-1].action if true[number + 1].steps else None
        match entries[0]:
            case CheckEntry():
                logged = writer.add_sent(*read_record(bytes(bob.check())))
            case DealEntry():
                logged = writer.deal()
            case ActionEntry(seat=1) | CommitEntry(seat=1):
                salt = decode_opening(record.opening)[0] if record.opening else bytes(10)
                logged = writer.add_sent(*read_record(bytes(bob.move(action, salt))))
            case ActionEntry(seat=seat) | CommitEntry(seat=seat):
                logged = writer.move(seat, decided(writer, number) if number in DECISIONS else action)
            case OpeningEntry():
                logged = writer.open_hand()
            case CloseEntry(reason=reason):
                logged = writer.close(reason)
            case _:
                logged = writer.show()
        assert bytes(logged.record) == mine
        assert bytes(logged.for_side(1)) == their
        bob.receive_record(their)
    assert bob.position.finding == 0
    assert len(DECISIONS) == 2 * 14, "two computer players pass and play thirteen cards"


def decided(writer: LedgerWriter, number: int) -> object:
    """The action that a computer player decides on by the level and the seed of the vector."""
    seat, level, seed = DECISIONS[number]
    assert computer_seed(VALUES[0], seat, number).to_bytes(32, "big") == seed
    position = writer.position
    return choose(position.game, position.views[seat], seat, level, Random(int.from_bytes(seed, "big")))


def test_the_log_files_are_the_same_to_the_last_byte() -> None:
    for side in (0, 1):
        payloads = [*start_payloads(side, SEEDS[side], FRAME), *[RECORD + record for record in records_of(side)]]
        data = MAGIC + b"".join([encode_record(payload) for payload in payloads])
        assert [len(data), sha256(data).digest()] == denote(HAND[f"log of side {side}"][0])
    assert bytes(Record((FRAME,))) == hex_of(GAME, "header")
