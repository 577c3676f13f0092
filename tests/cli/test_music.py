"""Songs at the table, played by a real program that writes down what it was given."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
import trio

from p2pcards.frontend.manner import Playlist
from p2pcards.frontend.sound import Jukebox, play_songs
from rigs.giving_up import longest_wait

SONGS = ("a.mid", "b.mid", "c d.mid")


def player(tmp_path: Path, body: str = "") -> str:
    """A command that notes the song, and whose songs last as long as the body does."""
    script = tmp_path / "player.py"
    script.write_text(f"import sys\nopen({str(tmp_path / 'played')!r}, 'a').write(sys.argv[-1] + '\\n')\n{body}\n")
    return f"{sys.executable} {script} --quiet"


def played(tmp_path: Path) -> list[str]:
    path = tmp_path / "played"
    return path.read_text().splitlines() if path.exists() else []


@asynccontextmanager
async def playing(jukebox: Jukebox, told: list[str]) -> AsyncIterator[None]:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(play_songs, jukebox, told.append)
        yield
        nursery.cancel_scope.cancel()


async def until_played(tmp_path: Path, number: int) -> list[str]:
    """The first so many; more may have come since."""
    with trio.fail_after(longest_wait()):
        while len(played(tmp_path)) < number:
            await trio.sleep(0.02)
    return played(tmp_path)[:number]


def followed(playlist: Playlist, number: int, game: str = "") -> list[str | None]:
    chance, found = Random(4), list[str | None]()
    for _ in range(number):
        found.append(playlist.after(found[-1] if found else None, game, chance))
    return found


def test_the_songs_follow_each_other_as_is_wished() -> None:
    def of(method: str) -> list[str | None]:
        return followed(Playlist("x", method, SONGS, {"whist": "w.mid"}), 5, "whist")

    assert of("single") == ["a.mid", None, "a.mid", None, "a.mid"], "None: nothing follows"
    assert of("repeat") == ["a.mid"] * 5
    assert of("cycle") == ["a.mid", "b.mid", "c d.mid", "a.mid", "b.mid"]
    assert of("game") == ["w.mid"] * 5


def test_a_song_that_is_listed_twice_keeps_none_behind_it_from_being_played() -> None:
    playlist = Playlist("x", "cycle", ("a.mid", "b.mid", "a.mid", "c.mid"))
    assert followed(playlist, 4) == ["a.mid", "b.mid", "c.mid", "a.mid"]


def test_by_chance_no_song_comes_twice_running_unless_it_is_the_only_one() -> None:
    found = followed(Playlist("x", "random", SONGS), 200)
    assert set(found) == set(SONGS)
    assert all(one != other for one, other in pairwise(found))
    assert followed(Playlist("x", "random", ("a.mid",)), 3) == ["a.mid"] * 3


async def test_a_song_is_played_to_its_end_and_then_the_next(tmp_path: Path) -> None:
    told: list[str] = []
    async with playing(Jukebox(Playlist(player(tmp_path), "cycle", SONGS), Random(1)), told):
        assert await until_played(tmp_path, 3) == list(SONGS)
    assert told[:3] == ["Now playing: a.mid", "Now playing: b.mid", "Now playing: c d.mid"]


async def test_a_song_is_skipped_and_its_player_ended(tmp_path: Path) -> None:
    told: list[str] = []
    jukebox = Jukebox(Playlist(player(tmp_path, "import time\ntime.sleep(1000)"), "repeat", SONGS), Random(1))
    async with playing(jukebox, told):
        await until_played(tmp_path, 1)
        assert jukebox.skip() == "Skipped a.mid."
        assert await until_played(tmp_path, 2) == ["a.mid", "b.mid"]
        assert jukebox.song == "b.mid"


def test_a_player_who_skips_a_song_hears_another_if_there_is_one() -> None:
    def skipped(method: str, songs: tuple[str, ...] = SONGS, of_game: dict[str, str] | None = None) -> list[str | None]:
        playlist, chance, found = Playlist("x", method, songs, of_game or {}), Random(4), list[str | None](["a.mid"])
        for _ in range(4):
            found.append(playlist.song_after_skipping(found[-1], "whist", chance))
        return found

    for method in ("single", "repeat", "cycle"):
        assert skipped(method) == ["a.mid", "b.mid", "c d.mid", "a.mid", "b.mid"]
    assert all(one != other for one, other in pairwise(skipped("random")))
    songs = {"whist": "a.mid", "hearts": "h.mid", "euchre": "a.mid"}
    assert skipped("game", (), songs) == ["a.mid", "h.mid", "a.mid", "h.mid", "a.mid"]
    assert skipped("game", SONGS, songs) == ["a.mid", "b.mid", "c d.mid", "h.mid", "a.mid"]
    for method in ("single", "repeat", "cycle", "random", "game"):
        assert skipped(method, ("a.mid",), {"whist": "a.mid"}) == ["a.mid"] * 5, "there is no other"


async def test_the_song_of_a_game_is_skipped_until_another_game_begins(tmp_path: Path) -> None:
    songs = {"whist": "w.mid", "hearts": "h.mid"}
    jukebox = Jukebox(Playlist(player(tmp_path, "import time\ntime.sleep(1000)"), "game", ("a.mid",), songs), Random(1))
    async with playing(jukebox, []):
        jukebox.switch_game("whist")
        await until_played(tmp_path, 1)
        jukebox.skip()
        await until_played(tmp_path, 2)
        jukebox.switch_game("hearts")
        played_now = await until_played(tmp_path, 3)
        assert (played_now[0], played_now[2]) == ("w.mid", "h.mid") and played_now[1] != "w.mid"


async def test_each_game_has_its_song(tmp_path: Path) -> None:
    songs = {"whist": "w.mid", "hearts": "h.mid"}
    jukebox = Jukebox(Playlist(player(tmp_path, "import time\ntime.sleep(1000)"), "game", (), songs), Random(1))
    async with playing(jukebox, []):
        jukebox.switch_game("whist")
        await until_played(tmp_path, 1)
        jukebox.switch_game("whist")
        jukebox.switch_game("hearts")
        assert await until_played(tmp_path, 2) == ["w.mid", "h.mid"]


@pytest.mark.parametrize(
    ("command", "why"), [("no-such-player", "can't be started"), (f"{sys.executable} -c 1/0", "exited with code 1")]
)
async def test_a_player_that_does_not_work_is_told_of_once(command: str, why: str) -> None:
    told: list[str] = []
    with trio.fail_after(longest_wait()):
        await play_songs(Jukebox(Playlist(command, "cycle", SONGS), Random(1)), told.append)
    assert told[0] == "Now playing: a.mid"
    assert told[1].startswith(f"The music stopped: the command {command!r} {why}")
    assert len(told) == 2


def test_no_command_or_no_wish_is_silence() -> None:
    assert not Playlist("", "cycle", SONGS).plays
    assert not Playlist("x", "off", SONGS).plays
