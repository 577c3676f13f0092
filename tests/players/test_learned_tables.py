"""Learned tables: what is in their files, and what happens where one cannot be used."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards import games
from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.deals.learned import NUMBERS, SIZES, TABLES, Sight
from p2pcards.games.registry import GAMES
from p2pcards.games.spelling import spell_action
from p2pcards.games.telling import Way
from p2pcards.players import tables
from p2pcards.players.choose import choose
from p2pcards.players.levels import LEVELS, lacking_reason, skill_of
from p2pcards.players.search import READERS
from p2pcards.players.tables import FILE, TablesLack, load_tables, pack_tables, unpack_tables
from rigs.decisions import random_positions

LEARNED = [key for key in READERS if Path(games.__file__).with_name(key).joinpath(FILE).exists()]
"""The games that have tables, whether or not they can be used."""


@cache
def numbers(seed: int) -> list[int]:
    rng = Random(seed)
    return [rng.choice((0, 0, 0, rng.randint(-32768, 32767))) for _ in range(NUMBERS)]


@cache
def file_of(key: str = "whist", seed: int = 1) -> bytes:
    return pack_tables(numbers(seed), {"game": key, "made": "by a test"})


def missing() -> bytes:
    raise FileNotFoundError(FILE)


@pytest.fixture
def unknown() -> Iterator[None]:
    """Files are read anew, before and after."""
    load_tables.cache_clear()
    yield
    load_tables.cache_clear()


def test_what_is_packed_is_unpacked() -> None:
    assert unpack_tables("whist", file_of()) == numbers(1)


@given(st.data())
def test_a_file_with_a_byte_changed_is_refused_or_says_the_same(data: st.DataObject) -> None:
    content = bytearray(file_of())
    at = data.draw(st.integers(0, 300) | st.integers(0, len(content) - 1))
    content[at] ^= data.draw(st.integers(1, 255))
    try:
        assert unpack_tables("whist", bytes(content)) == numbers(1)
    except TablesLack as lack:
        assert "games/whist/tables.bin" in str(lack) and str(lack).endswith("scripts/train whist.")


@given(
    st.integers(0, 400)
    | st.floats(0, 1).map(lambda part: int(part * (len(file_of()) - 1)))
    | st.integers(1, 8).map(lambda short: len(file_of()) - short)
)
def test_a_file_that_is_cut_is_refused(length: int) -> None:
    with pytest.raises(TablesLack):
        unpack_tables("whist", file_of()[:length])


@given(st.binary(max_size=300))
def test_a_file_of_anything_else_is_refused(content: bytes) -> None:
    with pytest.raises(TablesLack):
        unpack_tables("whist", content)


def test_tables_of_another_game_or_edition_are_refused() -> None:
    with pytest.raises(TablesLack, match="for another game or edition"):
        unpack_tables("hearts", file_of())
    head, _, rest = file_of().partition(b"\n")
    older = json.dumps(json.loads(head) | {"edition": 0}).encode()
    with pytest.raises(TablesLack, match="for another game or edition"):
        unpack_tables("whist", older + b"\n" + rest)


@pytest.mark.usefixtures("unknown")
@pytest.mark.parametrize("content", [missing, bytes, lambda: file_of()[:-9], lambda: file_of("hearts")])
def test_a_standard_player_without_tables_plays_as_a_novice(
    monkeypatch: pytest.MonkeyPatch, content: Callable[[], bytes]
) -> None:
    def get_data(_package: str, _file: str) -> bytes:
        return content()

    monkeypatch.setattr(tables, "get_data", get_data)
    assert skill_of("whist", "standard").way is Way.NOVICE
    assert "scripts/train whist" in lacking_reason("whist", "standard")
    assert not any(lacking_reason("whist", level) for level in LEVELS if level != "standard")
    view, seat = some_views("whist", 1)[0]
    by_level = [choose(GAMES["whist"], view, seat, level, Random(1)) for level in ("standard", "novice")]
    assert by_level[0] == by_level[1]


@pytest.mark.parametrize("key", LEARNED)
def test_a_game_has_its_tables_and_decides_by_them(key: str) -> None:
    assert not isinstance(load_tables(key), str)
    assert lacking_reason(key, "standard") == "" and skill_of(key, "standard").way is Way.TABLES
    by_tables = 0
    for view, seat in some_views(key, 40):
        reading = READERS[key](view, seat)
        chosen = choose(GAMES[key], view, seat, "standard", Random(1))
        assert chosen in GAMES[key].legal(view, seat)
        if reading.position.fill_sight(Sight()):
            by_tables += tables.choose_by_tables(key, reading, reading.choices) == chosen
    assert by_tables > 5


@pytest.mark.parametrize("key", LEARNED)
def test_each_number_is_found_in_its_table(key: str) -> None:
    sight, ends = Sight(), [sum(SIZES[: table + 1]) for table in range(TABLES)]
    for view, seat in some_views(key, 60):
        reading = READERS[key](view, seat)
        if not reading.position.fill_sight(sight):
            continue
        for choice in reading.choices:
            found: list[Any] = [0] * TABLES
            sight.write_table_places(reading.moves(choice)[0], found)
            assert all(end - size <= place < end for end, size, place in zip(ends, SIZES, found, strict=True)), (
                spell_action(choice)
            )


def some_views(key: str, number: int) -> list[tuple[Any, int]]:
    """Positions of random play by all presets in turn, as the player sees them who has to act."""
    game, found = GAMES[key], list[tuple[Any, int]]()
    for preset in game.presets:
        positions = random_positions(game, game.presets[preset], Random(f"{key} {preset}"))
        found += [(redact(state, eyes_of_viewer(seat)), seat) for state, seat in islice(positions, number)]
    return found
