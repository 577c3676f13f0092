"""Songs and speech on the screen, by real programs that write down what they were given."""

from __future__ import annotations

import asyncio
import math
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio

from at_hand import TableAtHand
from p2pcards.cli.line import run_line_mode
from p2pcards.control.messages import Happened
from p2pcards.control.own_command import OwnCommandFailed, end_own_commands, run_own_command
from p2pcards.frontend.manner import Manner, Playlist
from p2pcards.frontend.sound import run_song_command
from p2pcards.players.characters import CHARACTERS
from p2pcards.present.cards import Style
from p2pcards.tui.app import TableApp
from p2pcards.tui.appearance import Sitting
from p2pcards.tui.menu_bar import MenuBar
from p2pcards.tui.panels import QuestionPanel, ReadingPanel
from p2pcards.views.happenings import TABLE_EVENTS, Said
from p2pcards.views.tableview import Command, TableView
from rigs.giving_up import longest_wait
from rigs.own_program import FOR_EVER, OwnProgram
from rigs.screen_hands import by_keys, close_panels, suggested
from rigs.screen_table import PLAIN, Screened, piloted, screened


async def until(whether: Callable[[], bool]) -> None:
    async with asyncio.timeout(longest_wait()):
        while not whether():
            await asyncio.sleep(0.02)


def at_table(key: str, what: Callable[[Screened], Awaitable[None]], manner: Manner) -> None:
    async def sit() -> None:
        async with screened(key, size=(100, 30), manner=manner) as table:
            await what(table)

    asyncio.run(sit())


def songs(program: OwnProgram, *names: str, method: str = "cycle") -> Manner:
    return Manner(playlist=Playlist(program.command, method, names))


async def typed(table: Screened, line: str) -> None:
    await table.press("slash")
    for character in line:
        await table.pilot.press({" ": "space"}.get(character, character))
    await table.press("enter")


def status(table: Screened) -> str:
    (row,) = [one.box.row for one in table.picture.zones if one.name == "status"]
    return table.text().splitlines()[row].strip()


# --- songs ------------------------------------------------------------------------------------------------------------


def test_a_song_plays_while_the_table_is_open_and_is_named_and_skipped(tmp_path: Path) -> None:
    program = OwnProgram(tmp_path, FOR_EVER)

    async def listen(table: Screened) -> None:
        await until(lambda: program.got == ["a.mid"])
        assert "Now playing: a.mid" in table.text() and status(table).startswith("Your turn: ")
        await typed(table, "song")
        assert status(table) == "Now playing: a.mid"
        await typed(table, "song skip")
        assert status(table) == "Skipped a.mid."
        await until(lambda: program.got == ["a.mid", "b.mid"])
        assert len(program.running()) == 1
        await typed(table, "song off")
        assert status(table) == "Usage: song [skip|stop]."

    at_table("hearts", listen, songs(program, "a.mid", "b.mid"))
    assert program.running() == set()


def test_the_music_stops_until_a_song_is_skipped_to(tmp_path: Path) -> None:
    program = OwnProgram(tmp_path, FOR_EVER)

    async def stop(table: Screened) -> None:
        await until(lambda: program.got == ["a.mid"])
        await typed(table, "song stop")
        assert status(table) == "Music stopped. To play again: song skip"
        await until(lambda: not program.running())
        await typed(table, "song")
        assert status(table) == "No song is playing."
        await typed(table, "song skip")
        assert status(table) == "Music on."
        await until(lambda: program.got == ["a.mid", "b.mid"])

    at_table("hearts", stop, songs(program, "a.mid", "b.mid"))
    assert program.running() == set()


def test_a_song_that_is_over_is_followed_by_the_next(tmp_path: Path) -> None:
    program = OwnProgram(tmp_path)

    async def listen(table: Screened) -> None:
        await until(lambda: program.got == ["a.mid", "c d.mid", "a.mid"])

    at_table("hearts", listen, songs(program, "a.mid", "c d.mid"))


def test_two_who_skip_at_once_skip_one_song(tmp_path: Path) -> None:
    program = OwnProgram(tmp_path, FOR_EVER)

    async def listen(table: Screened) -> None:
        await until(lambda: program.got == ["a.mid"])
        jukebox = table.pilot.app.screen_stack[1]._at_table.jukebox  # type: ignore[attr-defined]
        said = [run_song_command(jukebox, ("skip",)) for _ in range(2)]  # before the song has ended
        assert said[0] == said[1]
        await until(lambda: len(program.got) == 2)
        assert program.got == ["a.mid", "b.mid"]

    at_table("hearts", listen, songs(program, "a.mid", "b.mid", "c.mid"))


def test_each_game_has_its_song(tmp_path: Path) -> None:
    program = OwnProgram(tmp_path, FOR_EVER)
    of_game = {"hearts": "h.mid", "whist": "w.mid"}

    async def change(table: Screened) -> None:
        await until(lambda: program.got == ["h.mid"])
        table.attached.show(table.table.view())
        table.attached.show(TableAtHand("whist", "", 1).view())
        await until(lambda: program.got == ["h.mid", "w.mid"])

    at_table("hearts", change, Manner(playlist=Playlist(program.command, "game", (), of_game)))


def test_no_music_is_said_and_is_not_in_the_menu(tmp_path: Path) -> None:
    async def ask(table: Screened) -> None:
        await typed(table, "song")
        assert status(table).startswith("Music isn't set up. To set it up: ")
        assert "song" not in await _menu(table)

    async def have(table: Screened) -> None:
        assert "song" in await _menu(table)

    at_table("hearts", ask, Manner())
    at_table("hearts", have, songs(OwnProgram(tmp_path, FOR_EVER), "a.mid"))


async def _menu(table: Screened) -> set[str]:
    await table.press("f10")
    bar = table.pilot.app.screen
    assert isinstance(bar, MenuBar)
    return {item.line for menu in bar.menus for item in menu.items}


def test_a_player_that_fails_is_told_of_and_play_goes_on(tmp_path: Path) -> None:
    program = OwnProgram(tmp_path, "sys.exit(3)")

    async def play(table: Screened) -> None:
        await until(lambda: "The music stopped" in table.text())
        told = "".join(line.rpartition("│")[2] for line in table.text().splitlines())
        assert "3. To use another" in " ".join(told.split()), "however long the names of the files are that it tells of"
        await by_keys(table, suggested(table))
        assert table.attached.seen[-1].name == "act"
        await typed(table, "song")
        assert status(table) == "No song is playing."

    at_table("hearts", play, songs(program, "a.mid", "b.mid"))
    assert program.got == ["a.mid"]


# --- speech -----------------------------------------------------------------------------------------------------------


def test_what_is_told_is_read_aloud_once_and_in_order(tmp_path: Path) -> None:
    program = OwnProgram(tmp_path)

    async def hear(table: Screened) -> None:
        await until(lambda: "Your turn: pass three cards." in program.got)
        dealt = next(place for place, line in enumerate(program.got) if "deals" in line)
        assert dealt < program.got.index("Your turn: pass three cards.")
        table.attached.happen(Said("Betty", "good luck"))
        await until(lambda: 'Betty says: "good luck"' in program.got)
        await typed(table, "haerts")
        await until(lambda: "haerts" in program.got[-1])
        await table.press("f2")
        await until(lambda: program.got[-1] == "Your hand is sorted by rank.")
        await typed(table, "leave")
        assert isinstance(table.pilot.app.screen, QuestionPanel)
        await until(lambda: program.got[-1] == "yes/no")
        assert program.got[-2].startswith("Leave for good? ")
        await table.press("n")
        await until(lambda: program.got[-1] == "OK, you stay.")
        await table.press("f3")
        assert isinstance(table.pilot.app.screen, ReadingPanel)
        await until(lambda: any("Ann (you)" in line for line in program.got))
        assert len([line for line in program.got if "good luck" in line]) == 1
        assert len([line for line in program.got if "Your turn" in line]) == 1

    at_table("hearts", hear, Manner(speech=program.command))


def test_a_turn_is_read_when_it_comes_and_not_as_it_counts_down(tmp_path: Path) -> None:
    program = OwnProgram(tmp_path)

    async def hear(table: Screened) -> None:
        mine = table.table.view()
        others = replace(mine, legal=(), waiting="Betty")
        for view in (mine, others, replace(mine, turn_seconds=25.0), replace(mine, turn_seconds=9.0), others, mine):
            table.attached.show(view)
            await table.pilot.pause()
            await table.pilot.resize_terminal(120, 30)
            await table.pilot.resize_terminal(100, 30)
        await typed(table, "haerts")
        await until(lambda: any("haerts" in line for line in program.got))
        turns = [line for line in program.got if line.startswith("Your turn")]
        assert turns == [
            "Your turn: pass three cards.",
            "Your turn (25 s): pass three cards.",
            "Your turn: pass three cards.",
        ]
        assert not [line for line in program.got if "aiting" in line]

    at_table("hearts", hear, Manner(speech=program.command))


def test_the_sheet_of_a_hand_is_read_after_its_sentence(tmp_path: Path) -> None:
    program = OwnProgram(tmp_path)

    async def play(table: Screened) -> None:
        while not isinstance(panel := table.pilot.app.screen, ReadingPanel):
            await by_keys(table, suggested(table))
        sentence, *sheet = [words for line in panel.lines if (words := line.split())]
        await close_panels(table)
        await typed(table, "haerts")
        await until(lambda: any("haerts" in line for line in program.got))
        spoken = [line.split() for line in program.got]
        begins = spoken.index(["Hand"]) + 1
        assert spoken.count(sentence) == 1 and spoken.index(sentence) < begins
        assert spoken[begins : begins + len(sheet)] == sheet

    at_table("thirty_one", play, Manner(speech=program.command, phrases=True))


def test_characters_are_heard(tmp_path: Path) -> None:
    program = OwnProgram(tmp_path)

    greetings = {f'"{character.greeting}"' for character in CHARACTERS.values()}

    async def hear(table: Screened) -> None:
        await until(lambda: any(line.partition(": ")[2] in greetings for line in program.got))

    at_table("whist", hear, Manner(speech=program.command, phrases=True))


def test_what_is_told_of_songs_is_read_aloud(tmp_path: Path) -> None:
    program = OwnProgram(tmp_path)
    fails = Playlist("no-such-player", "cycle", ("a.mid",))

    async def hear(table: Screened) -> None:
        await until(lambda: any("The music stopped" in line for line in program.got))
        assert program.got.count("Now playing: a.mid") == 1

    at_table("hearts", hear, Manner(speech=program.command, playlist=fails))


def test_a_command_that_cannot_read_aloud_is_told_of_and_play_goes_on(tmp_path: Path) -> None:
    program = OwnProgram(tmp_path, "sys.exit(3)")

    async def play(table: Screened) -> None:
        await until(lambda: "Speech is off" in table.text())
        assert status(table).startswith("Your turn: ")
        await by_keys(table, suggested(table))
        assert table.attached.seen[-1].name == "act"

    at_table("hearts", play, Manner(speech=program.command))


# --- the command itself -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "deadline", "why"),
    [
        ("no-such-program-here", math.inf, "can't be started: No such file or directory"),
        ("false", math.inf, "exited with code 1"),
        ("'", math.inf, "can't be parsed"),
        (" ", math.inf, "doesn't name a program"),
        ("sleep 1000", 0.05, "took longer than 0 s"),
    ],
)
async def test_why_a_command_failed(command: str, deadline: float, why: str) -> None:
    with pytest.raises(OwnCommandFailed, match=why):
        await run_own_command(command, deadline=deadline)


async def test_no_shell_reads_what_a_command_is_given(tmp_path: Path) -> None:
    program = OwnProgram(tmp_path)
    await run_own_command(program.command, arguments=("$(id) `id`; a > b",))
    await run_own_command(program.command, "$HOME\n\udcff;\n")
    assert program.got == ["$(id) `id`; a > b", "$HOME", "?;"]


FORKS = f"if os.fork() == 0: open(os.environ['HOME'] + '/child', 'w').write(str(os.getpid()))\n{FOR_EVER}"


@pytest.fixture
def child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path / "child"


@pytest.mark.parametrize("at_once", [False, True])
async def test_a_command_is_ended_with_all_that_it_started(tmp_path: Path, child: Path, at_once: bool) -> None:
    program = OwnProgram(tmp_path, FORKS)

    async def run() -> None:
        with pytest.raises(OwnCommandFailed, match=f"exited with code -{int(signal.SIGKILL)}"):
            await run_own_command(program.command, arguments=("x",), deadline=longest_wait())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run)
        while not (child.exists() and child.read_text()):
            await trio.sleep(0.02)
        if at_once:
            end_own_commands()
        else:
            nursery.cancel_scope.cancel()
    assert program.running() == set()
    stat = Path(f"/proc/{child.read_text()}/stat")
    with trio.fail_after(longest_wait()), suppress(OSError):  # it is not there any more
        while stat.read_text().split()[2] != "Z":
            await trio.sleep(0.02)


async def test_a_command_that_begins_as_the_screen_ends_is_ended_and_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[subprocess.Popen[bytes]] = []
    scope = trio.CancelScope()

    class Started(subprocess.Popen[bytes]):
        def __init__(self, *words: Any, **how: Any) -> None:
            super().__init__(*words, **how)
            started.append(self)
            trio.from_thread.run_sync(scope.cancel)

    monkeypatch.setattr(subprocess, "Popen", Started)
    with scope:
        await run_own_command(OwnProgram(tmp_path, FOR_EVER).command)
    assert scope.cancelled_caught and [process.returncode for process in started] == [-signal.SIGKILL]


STUCK = """
import math, sys, trio
from queue import Queue
from p2pcards.control.own_command import _running, run_own_command
from p2pcards.tui import program

program.ENDING = 0.1

async def play():
    await run_own_command(sys.argv[1], deadline=math.inf, arguments=("a.mid",))

async def sit():
    with program.release_on_signals(lambda: None):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play)
            while not _running:
                await trio.sleep(0.01)
            print("sits", flush=True)
            Queue().get()

program.run_hosted(sit)
"""


def test_a_screen_that_waits_for_its_terminal_for_ever_ends_with_its_songs(tmp_path: Path) -> None:
    program = OwnProgram(tmp_path, FOR_EVER)
    with subprocess.Popen([sys.executable, "-c", STUCK, program.command], stdout=subprocess.PIPE) as stuck:
        assert stuck.stdout is not None and stuck.stdout.readline() == b"sits\n"
        asyncio.run(until(lambda: program.got == ["a.mid"]))
        stuck.send_signal(signal.SIGTERM)
        assert stuck.wait(longest_wait()) == -signal.SIGTERM
    asyncio.run(until(lambda: program.running() == set()))


# --- the bell ---------------------------------------------------------------------------------------------------------


class Rung(Collection[str]):
    """Rings at nothing, and notes each event that it is asked about. came: in their order."""

    def __init__(self) -> None:
        self.came: list[str] = []

    def __contains__(self, event: object) -> bool:
        if event in TABLE_EVENTS:
            self.came.append(str(event))
        return False

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


class Recorded:
    """A table of which all has been recorded, until it closes."""

    def __init__(self, news: list[TableView | Happened]) -> None:
        self._news = news

    async def command(self, command: Command) -> None:
        raise AssertionError(f"nobody says anything: {command}")

    async def updates(self) -> AsyncIterator[TableView | Happened]:
        for news in self._news:
            yield news

    def caught_up(self, everything: bool) -> None: ...

    async def detach(self) -> None: ...


@pytest.mark.parametrize("key", ["thirty_one", "gin_rummy"])
def test_the_bell_rings_at_the_same_events_as_in_line_mode(key: str, tmp_path: Path) -> None:
    table = TableAtHand(key, "", 1)
    while table.view().phase == "play" and len(table.view().rounds) < 2:
        table.say(Command("act", tuple(table.suggestion().split())))
    news = table.news()
    lines, screen = Rung(), Rung()

    async def sit() -> None:
        async with piloted(TableApp(Recorded(news), lambda: Sitting(Manner(bell=screen), PLAIN))) as pilot:
            await until(lambda: pilot.app.return_value is not None)

    async def in_lines() -> None:
        source, _ = os.pipe()
        with os.fdopen(source) as typed, (tmp_path / "shown").open("w") as shown:
            manner = Manner(bell=lines)
            await run_line_mode(Recorded(news), manner, Style(), input=typed, output=shown, interactive=False)

    asyncio.run(sit())
    trio.run(in_lines)
    assert screen.came == lines.came
    assert {"start", "shuffle", "turn", "play", "knock", "exit"} <= set(lines.came)
