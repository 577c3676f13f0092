"""The learned tables of a game: `games/KEY/tables.bin`, which `scripts/train` makes.

A line of JSON, then the numbers of all tables one after the other, each two bytes with the lower first, packed by zlib.
The line says of which game they are, of which edition of the tables, how they were made, and a BLAKE2b of the numbers.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from functools import cache, reduce
from hashlib import blake2b
from operator import or_
from pkgutil import get_data
from typing import Any

from p2pcards.games.deals.learned import EDITION, NUMBERS, Learned, Sight
from p2pcards.games.game import Action
from p2pcards.games.seen.reading import Reading

FILE = "tables.bin"
MOST = 4 * NUMBERS
"""Bytes that a file may have, and more than any needs."""


class TablesLack(ValueError):
    """A game has no tables that could be used; the sentence says why, and what to do."""


def pack_tables(numbers: Sequence[int], told: Mapping[str, Any]) -> bytes:
    """The content of a file of tables. numbers: -32768 to 32767; told: of which game, and how they were made."""
    low_first = b"".join([number.to_bytes(2, "little", signed=True) for number in numbers])
    head = {**told, "edition": EDITION, "blake2b": _digest_of_numbers(low_first)}
    return json.dumps(head, sort_keys=True).encode() + b"\n" + zlib.compress(low_first, 9)


def unpack_tables(key: str, content: bytes) -> list[int]:
    """The numbers in a file of tables, of the game of this key. Raises TablesLack."""
    again = f"Reinstall p2pcards, or make them with scripts/train {key}."
    head, _, rest = content[:MOST].partition(b"\n")
    try:
        told = json.loads(head)
        if (told["game"], told["edition"]) != (key, EDITION):
            raise TablesLack(f"The tables in games/{key}/{FILE} are for another game or edition. {again}")
        unzip = zlib.decompressobj()
        numbers = unzip.decompress(rest, 2 * NUMBERS + 1)  # one more than there are, for the check at the end
        if len(numbers) != 2 * NUMBERS or not unzip.eof or _digest_of_numbers(numbers) != told["blake2b"]:
            raise TablesLack(f"The tables in games/{key}/{FILE} are damaged. {again}")
    except (KeyError, TypeError, UnicodeDecodeError, json.JSONDecodeError, zlib.error) as error:
        raise TablesLack(f"The tables in games/{key}/{FILE} are damaged or cut short. {again}") from error
    return [int.from_bytes(numbers[at : at + 2], "little", signed=True) for at in range(0, len(numbers), 2)]


@cache
def load_tables(key: str) -> Learned | str:
    """The learned tables of the game of this key, or the sentence that says why there are none."""
    try:
        content = get_data(f"p2pcards.games.{key}", FILE)
        return Learned(unpack_tables(key, content or b""))
    except OSError:
        return f"The tables games/{key}/{FILE} are missing. Reinstall p2pcards, or make them with scripts/train {key}."
    except TablesLack as lack:
        return str(lack)


def choose_by_tables(key: str, reading: Reading, among: Sequence[Action]) -> Action | None:
    """The one of some choices, or its equal, that the learned tables choose; None where they know no such decision.
    Raises TablesLack."""
    learned, sight = load_tables(key), Sight()
    if isinstance(learned, str):
        raise TablesLack(learned)
    position = reading.position
    if not position.fill_sight(sight):
        return None
    cards = reduce(or_, [1 << position.equivalent_move(reading.moves(choice)[0]) for choice in among])
    card = position.equivalent_move(learned.best_card(sight, cards))
    return next((choice for choice in reading.choices if list(reading.moves(choice)) == [card]), None)


def _digest_of_numbers(numbers: bytes) -> str:
    return blake2b(numbers, digest_size=16).hexdigest()
