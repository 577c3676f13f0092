"""The files of protocol/vectors, read."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from p2pcards.ledger.advance import advance
from p2pcards.ledger.fair import chain_value
from p2pcards.ledger.position import Position, begin
from p2pcards.links.pairing import Exchange
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.records import decode_header, read_record, split_frame
from p2pcards.wire.spoken import Code

PAGES = Path(__file__).resolve().parents[2] / "protocol"
FOLDER = PAGES / "vectors"
Vector = dict[str, list[str]]


def files() -> list[str]:
    """Those that are about bytes of records, messages and files."""
    found = [path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.txt")]
    return sorted(name for name in found if not name.startswith(("playthroughs/", "modem/", "dialogues/")))


FOLDERS = sorted({name.partition("/")[0] for name in files()})
"""Folders of them, and single files."""
SAME_VECTORS = {
    *[f"tests/wire/test_vectors.py::test_a_vector_is_what_the_code_does[{folder}]" for folder in FOLDERS],
    *[
        f"tests/session/test_dialogues.py::test_a_listener_that_has_the_file_alone_says_the_same[{path.name}]"
        for path in (FOLDER / "dialogues").iterdir()
    ],
}
"""The tests of them that come to the same in a browser's Python, by their names."""


@lru_cache
def read(name: str) -> Vector:
    """The values of a file by their keys; a key may stand there more than once."""
    lines = [line.partition(": ") for line in (FOLDER / name).read_text().splitlines()]
    found: Vector = {}
    for key, _, value in lines:
        found.setdefault(key, []).append(value)
    return found


def hex_of(vector: Vector, key: str) -> bytes:
    return bytes.fromhex(vector[key][0])


def denote(text: str) -> Any:
    """The value of a text in the notation of the pages."""
    marked = re.sub(r"h'([0-9a-f]*)'", r'{"hex": "\1"}', text)
    return json.loads(re.sub(r"\bnil\b(?=[],])", "null", marked), object_hook=lambda found: bytes.fromhex(found["hex"]))


@lru_cache
def positions(name: str, side: int) -> tuple[Position, ...]:
    """The positions of a side after the header and after each record of a game."""
    lines = [line.partition(": ") for line in (FOLDER / name).read_text().splitlines()]
    vector = read(name)
    frame, rest = split_frame(hex_of(vector, "header"))
    assert not rest
    for number, person in enumerate(decode_header(frame).sides):
        private = Ed25519PrivateKey.from_private_bytes(hex_of(vector, f"private key {number}"))
        assert public_bytes(private) == person.key
        assert chain_value(hex_of(vector, f"chain seed {number}"), 0) == person.end
    found = [begin(frame, decode_header(frame), side, hex_of(vector, f"chain seed {side}"))]
    record = b""
    for key, _, value in lines:
        if key == "record" or (key == "to side 1" and side == 1):
            record = bytes.fromhex(value)
        elif key == "head":
            if record:
                found.append(advance(found[-1], *read_record(record)))
            assert found[-1].head.hex() == value
    return tuple(found)


def exchanges(code: str, binding: bytes, keys: list[bytes], chances: list[bytes]) -> tuple[Exchange, Exchange]:
    """Both sides of a first contact, the opener first, as the program has them. chances: the random bytes of each."""
    number, first, second = code.split("-")
    opener, waiter = (
        Exchange(
            Code(int(number), first, second),
            opens=opens,
            binding=binding,
            opener=keys[0],
            waiter=keys[1],
            entropy=lambda size, chance=chance: chance[:size],  # type: ignore[misc]
        )
        for opens, chance in zip((True, False), chances, strict=True)
    )
    opener.finish(waiter.share)
    waiter.finish(opener.share)
    return opener, waiter
