"""What a page keeps: nothing of it is lost, whenever the page is killed, and nothing is sent before it is kept."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.web.worker.keeping import (
    FAILS,
    FULL,
    KEEPS_AGAIN,
    LOST,
    PIECE,
    SAID,
    Keeper,
    find_changes,
    split_file,
    write_pieces,
)
from rigs.shelf import ShelfInMemory

Home = dict[str, bytes]

homes = st.dictionaries(
    st.sampled_from(["key", "logs/1.log", "logs/2.log", "deep/er/x"]),
    st.builds(
        lambda letter, size: letter * size, st.sampled_from([b"a", b"b"]), st.sampled_from([0, 1, PIECE, PIECE + 1])
    ),
    max_size=3,
)


def test_what_grows_at_its_end_writes_its_last_piece() -> None:
    old, new = split_file("log", b"x" * (PIECE + 5), 1), split_file("log", b"x" * (PIECE + 5) + b"more", 2)
    assert find_changes(old, new) == {"log\0": f"{PIECE + 9} 2".encode(), "log\0001": b"xxxxxmore"}


@settings(max_examples=60)
@given(st.lists(homes, min_size=1, max_size=4), st.data())
def test_a_page_that_is_killed_leaves_the_home_of_one_of_its_moments(course: list[Home], data: st.DataObject) -> None:
    """Whatever a browser has got around to; and what it says that it has kept is there."""
    with TemporaryDirectory() as place:
        home, shelf = Path(place, "home"), ShelfInMemory()
        keeper = _keeper(home, shelf)
        for moment in course:
            _make(home, moment, keeper)
        done = data.draw(st.integers(0, len(course)))
        before = [{}, *course]
        shelf.keep(done)
        assert _found(shelf, Path(place, "again")) in before[: len(course) + 1]
        shelf.keep()
        assert _found(shelf, Path(place, "at last")) == course[-1]


@given(st.dictionaries(st.text(max_size=8).map(lambda key: f"{key}\0"), st.binary(max_size=8), max_size=4))
def test_what_nobody_has_written_so_is_no_file(pieces: dict[str, bytes]) -> None:
    with TemporaryDirectory() as place:
        write_pieces(pieces, Path(place, "home"))
        assert {path.name for path in Path(place).iterdir()} <= {"home"}


async def test_a_home_comes_back_as_it_was(tmp_path: Path) -> None:
    """Names, bytes, times, and that nobody else may read it; not what is made again."""
    home, shelf = tmp_path / "home", ShelfInMemory()
    keeper = _keeper(home, shelf)
    kept = {"identity.pem": b"key", "logs/2.log": b"one more"}
    _make(home, {"identity.pem": b"key", "logs/1.log": b"one", "records.sqlite": b"x", "a.lock": b""}, keeper)
    (home / "logs/1.log").rename(home / "logs/2.log")
    (home / "logs/2.log").write_bytes(b"one more")
    _sync(home, keeper)
    shelf.keep()
    again = tmp_path / "again"
    assert _found(shelf, again) == kept
    for name in kept:
        assert (again / name).stat().st_mtime_ns == (home / name).stat().st_mtime_ns
        assert (again / name).stat().st_mode & 0o777 == 0o600


async def test_nothing_is_sent_before_it_is_kept(tmp_path: Path) -> None:
    shelf = ShelfInMemory()
    keeper = _keeper(tmp_path, shelf)
    await keeper.kept()
    _make(tmp_path, {"log": b"one"}, keeper)
    _make(tmp_path, {"log": b"one, two"}, keeper)
    sent = False

    async def send() -> None:
        nonlocal sent
        await keeper.kept()
        sent = True

    async with trio.open_nursery() as nursery:
        nursery.start_soon(send)
        for most in (0, 1):
            shelf.keep(most)
            await trio.testing.wait_all_tasks_blocked()
            assert not sent
        shelf.keep()
    assert sent


@pytest.mark.parametrize("why", [FULL, FAILS])
async def test_where_nothing_can_be_kept_the_game_goes_on_and_that_is_said_once(tmp_path: Path, why: str) -> None:
    shelf, told = ShelfInMemory(), list[str]()
    keeper = Keeper(tmp_path, shelf, {}, told.append, pytest.fail)
    _make(tmp_path, {"log": b"kept"}, keeper)
    shelf.keep()
    shelf.why = why
    for data in (b"kept, and more", b"kept, and more, and more"):
        _make(tmp_path, {"log": data}, keeper)
        shelf.keep()
        await keeper.kept()
    assert told == [SAID[why]]
    assert _found(shelf, tmp_path / "again") == {"log": b"kept"}
    _make(tmp_path, {"log": b"kept, and more, and more"}, keeper)
    shelf.why = why
    _make(tmp_path, {"log": b"kept, and more, and more", "b": b"x"}, keeper)
    shelf.keep(1)
    shelf.why = ""
    shelf.keep()
    assert _found(shelf, tmp_path / "meanwhile") == {"log": b"kept"}
    _make(tmp_path, {"log": b"kept, and more, and more, and more"}, keeper)
    shelf.keep()
    assert told[1:] == [KEEPS_AGAIN]
    assert _found(shelf, tmp_path / "at last") == {"log": b"kept, and more, and more, and more"}


async def test_a_page_whose_home_another_has_taken_writes_and_sends_nothing_more(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    shelf, lost = ShelfInMemory(), list[int]()
    keeper = Keeper(tmp_path, shelf, {}, pytest.fail, lambda: lost.append(1))
    shelf.why = LOST
    _make(tmp_path, {"log": b"one"}, keeper)
    _make(tmp_path, {"log": b"one, two"}, keeper)
    shelf.keep()
    assert lost == [1]
    _make(tmp_path, {"log": b"one, two, three"}, keeper)
    with trio.move_on_after(60) as waiting:
        await keeper.kept()
    assert waiting.cancelled_caught


def _keeper(home: Path, shelf: ShelfInMemory) -> Keeper:
    home.mkdir(exist_ok=True)
    return Keeper(home, shelf, {}, pytest.fail, pytest.fail)


def _make(home: Path, wanted: Home, keeper: Keeper) -> None:
    """The home with these files and no others, on disk."""
    for path in home.rglob("*"):
        if path.is_file() and path.relative_to(home).as_posix() not in wanted:
            path.unlink()
    for name, data in wanted.items():
        path = home / name
        path.parent.mkdir(0o700, parents=True, exist_ok=True)
        path.write_bytes(data)
    _sync(home, keeper)


def _sync(home: Path, keeper: Keeper) -> None:
    fd = os.open(home, os.O_RDONLY)
    keeper.sync(fd)
    os.close(fd)


def _found(shelf: ShelfInMemory, place: Path) -> Home:
    """What the page finds that comes next."""
    place.mkdir()
    write_pieces(shelf.pieces, place)
    return {path.relative_to(place).as_posix(): path.read_bytes() for path in place.rglob("*") if path.is_file()}
