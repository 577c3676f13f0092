"""Every field of an action, every card of an outcome and every face of a game, at all extreme values that the decoder
lets through, put to every side. What becomes of each must not depend on how the program was compiled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from p2pcards.games.game import Seat
from p2pcards.ledger.fair import commitment
from p2pcards.ledger.position import Position
from p2pcards.wire.packing import Cause, decode_action, encode_action, pack, unpack
from p2pcards.wire.records import (
    SALT,
    SIGNATURE,
    ActionEntry,
    CommitEntry,
    DealEntry,
    Frame,
    OutcomeEntry,
    Record,
    decode_faces,
    encode_entry,
    encode_faces,
    encode_opening,
    read_record,
)
from rigs.recorded import SIDES, Table, cause_of

NUMBERS = (
    *(-(2**63), -(2**31), -1, *range(257), 2**15, 2**16 - 1, 2**16, 2**31 - 1, 2**31, 2**32),
    *(2**63 - 1, 2**63, 2**64 - 1),
)
"""Every byte that can be a card, and the numbers at and beyond the bounds of machine words."""

EXPECTED = (None, Cause.SHAPE, Cause.RULES, Cause.FACES)

Counts = Counter[tuple[str, str]]
"""By the place of a value and what became of it: "taken", or the cause of the refusal."""


def extreme_values(legal: Any) -> Iterator[Any]:
    """For one field of an action, as it travels. legal: a value that it can have."""
    yield from (None, False, True, *NUMBERS)
    yield from (b"", *[bytes((byte,)) for byte in range(256)], (), ((),), (b"", b""))
    if isinstance(legal, bytes):
        yield from (legal[:-1], legal[::-1], bytes([byte | 64 for byte in legal]))
    if isinstance(legal, bytes | tuple):
        yield from (legal * 2, legal * 20, legal[:-1], legal[::-1])


def put_actions(table: Table, counts: Counts, step: int) -> None:
    """One legal action of each kind, for each seat that is to act, with each field exchanged in turn. step: one value
    in so many is tried."""
    state = table.position.state
    for seat in state.to_act:
        for kind, action in {type(action): action for action in table.game.legal(state, seat)}.items():
            number, fields = encode_action(table.game, action)
            for place in range(len(fields)):
                for value in [*extreme_values(fields[place])][place % step :: step]:
                    changed = (*fields[:place], value, *fields[place + 1 :])
                    for side in SIDES:
                        counts[f"{kind.__name__} {place}", _put_action(table, side, seat, number, changed)] += 1


def _put_action(table: Table, side: int, seat: Seat, number: int, fields: tuple[Any, ...]) -> str:
    position, game = table.position, table.game
    base = position.open_base if position.simultaneous else position.count
    entry: ActionEntry | CommitEntry = ActionEntry(base, seat, number, fields)
    opening = b""
    if game.actions[number] in game.private:
        entry = CommitEntry(base, seat, number, commitment(bytes(SALT), number, fields))
        if side in (0, position.signer(seat)):
            opening = encode_opening(bytes(SALT), number, fields)
    record = Record((Frame(encode_entry(entry), bytes(SIGNATURE)),), None, opening)
    cause = cause_of(table.position_of(side), bytes(record))
    assert cause in EXPECTED, (game.key, entry)
    if cause is None and side == 0:
        game.verify(position.state, seat, decode_action(game, number, fields))
    return cause or "taken"


def put_shown(table: Table, number: int, counts: Counts, step: int) -> None:
    """Record `number` as the listeners have it, with each card exchanged that it shows everybody or one of them."""
    for side in SIDES[1:]:
        record, entries = read_record(table.sent[side][number])
        before, after = table.at[side][number : number + 2]
        if not isinstance(entries[0], ActionEntry | CommitEntry | DealEntry | OutcomeEntry):
            continue
        event = type(after.steps[-1].shown).__name__
        faces = bytes(decode_faces(record.faces.body)) if record.faces else b""
        for place in range(len(faces)):
            for byte in range(256)[place % step :: step]:
                changed = faces[:place] + bytes((byte,)) + faces[place + 1 :]
                counts[f"{event} face", _put_shown(before, _with_faces(record, changed))] += 1
        for changed in (faces * 2, faces[:-1], b"\2" * 255) if faces else ():
            counts[f"{event} face", _put_shown(before, _with_faces(record, changed))] += 1
        if isinstance(entries[-1], DealEntry | OutcomeEntry):
            for cards, seats in _other_bins(unpack(record.frames[-1].body), step):
                counts[f"{event} outcome", _put_shown(before, _with_bins(record, cards, seats))] += 1


def _other_bins(values: list[Any], step: int) -> Iterator[tuple[bytes, bytes]]:
    """The two bins of an outcome, each byte of them exchanged, doubled, cut and too long."""
    cards, seats = values[-2:]
    for place in range(len(cards)):
        for byte in range(256)[place % step :: step]:
            yield cards[:place] + bytes((byte,)) + cards[place + 1 :], seats
    for byte in range(256)[::step]:
        yield cards + bytes((255, byte)), seats
        yield cards, seats + bytes((byte, 0))
        yield cards, seats + bytes((byte, 255))
    yield b"".join([bytes((place, 2)) for place in range(255)]), seats


def _with_bins(record: Record, cards: bytes, seats: bytes) -> Record:
    *others, last = record.frames
    body = pack([*unpack(last.body)[:-2], cards, seats])
    return replace(record, frames=(*others, replace(last, body=body)))


def _with_faces(record: Record, faces: bytes) -> Record:
    return replace(record, faces=Frame(encode_faces(faces), bytes(SIGNATURE)))  # type: ignore[arg-type] # any bytes


def _put_shown(before: Position, record: Record) -> str:
    cause = cause_of(before, bytes(record))
    assert cause in EXPECTED, record
    return cause or "taken"
