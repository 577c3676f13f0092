"""What is told, read aloud by a command: which text it gets, and what becomes of one that fails."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2pcards.cli.line import PlainScreen, SpokenScreen, run_line_mode
from p2pcards.frontend.manner import Manner, Playlist
from p2pcards.frontend.sound import WAITING, Speech, read_aloud
from p2pcards.present.cards import Style
from p2pcards.views.happenings import Said
from rigs.giving_up import longest_wait
from rigs.table_double import TableDouble


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "spoken"


def command(tmp_path: Path, out: Path, body: str = "") -> str:
    """A program that appends what it reads to `out`, each time between brackets."""
    script = tmp_path / "speak.py"
    script.write_text(f"import sys\ntext = sys.stdin.read()\n{body}\nopen(sys.argv[1], 'a').write(f'[{{text}}]')\n")
    return f"{sys.executable} {script} {out}"


@asynccontextmanager
async def reading(speech: Speech, report: Callable[[str], None] = print) -> AsyncIterator[None]:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(read_aloud, speech, report)
        yield
        nursery.cancel_scope.cancel()


async def until(out: Path, text: str) -> None:
    with trio.fail_after(longest_wait()):
        while not out.exists() or text not in out.read_text():
            await trio.sleep(0.02)


async def test_lines_are_read_cleaned_one_run_after_the_other(tmp_path: Path, out: Path) -> None:
    speech = Speech(command(tmp_path, out))
    speech.say('\x1b[31mQ♥\x1b[0m  is\x1b]0;led\x07\n\nBob says: "$(reboot) \u202e; `id`"')
    async with reading(speech):
        await until(out, "]")
        speech.say("Your turn.")
        await until(out, "Your turn.\n]")
    assert out.read_text() == '[Q♥ is]0;led\nBob says: "$(reboot) ; `id`"\n][Your turn.\n]'


async def test_of_too_many_lines_the_oldest_are_left_out(tmp_path: Path, out: Path) -> None:
    speech = Speech(command(tmp_path, out))
    for number in range(WAITING + 10):
        speech.say(f"line {number}")
    async with reading(speech):
        await until(out, "]")
    assert out.read_text() == "[" + "".join([f"line {number}\n" for number in range(10, WAITING + 10)]) + "]"


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ("no-such-program-here", "can't be started: No such file or directory"),
        ("false", "exited with code 1"),
        ("'", "can't be parsed"),
    ],
)
async def test_a_command_that_fails_is_told_once_and_given_up(broken: str, why: str) -> None:
    told: list[str] = []
    speech = Speech(broken)
    speech.say("Hello")
    await read_aloud(speech, told.append)
    (line,) = told
    assert line.startswith("Speech is off: the command ") and why in line
    assert line.endswith("To test it: p2pcards config test speech")


async def test_a_command_that_does_not_end_is_ended(autojump_clock: MockClock) -> None:
    """The clock jumps, so the minute is over at once."""
    told: list[str] = []
    speech = Speech("sleep 1000")
    speech.say("Hello")
    await read_aloud(speech, told.append)
    assert "took longer than 60 s" in told[0]


async def test_a_prompt_is_read_when_it_becomes_due_and_not_as_it_counts_down(tmp_path: Path, out: Path) -> None:
    with (tmp_path / "typed").open("w+") as typed, (tmp_path / "shown").open("w+") as shown:
        speech = Speech(command(tmp_path, out))
        screen = SpokenScreen(PlainScreen(typed, shown), speech)
        screen.prompt("waiting for Bob > ", False)
        screen.prompt("your turn, 9 s > ", True)
        screen.prompt("your turn, 8 s > ", True)
        screen.prompt("your turn, 7 s > ", True, again=True)
        screen.prompt("waiting for Bob > ", False)
        screen.prompt("your turn > ", True)
    async with reading(speech):
        await until(out, "]")
    assert out.read_text() == "[your turn, 9 s >\nyour turn, 7 s >\nyour turn >\n]"


async def test_the_line_mode_reads_aloud_what_it_shows(tmp_path: Path, out: Path) -> None:
    table = TableDouble("hearts", 1)
    table.happen(Said("Bob", "good luck"))
    source, keyboard = os.pipe()
    with os.fdopen(source) as typed, (tmp_path / "shown").open("w+") as shown:

        async def play() -> None:
            await run_line_mode(
                table,
                Manner(speech=command(tmp_path, out)),
                Style(ascii=True),
                input=typed,
                output=shown,
                interactive=False,
            )

        async with trio.open_nursery() as nursery:
            nursery.start_soon(play)
            await until(out, 'Bob says: "good luck"')
            await until(out, "your turn: pass 3 cards")
            os.write(keyboard, b"nonsense\n")
            await until(out, "nonsense")
            os.close(keyboard)
        shown.seek(0)
        assert 'Bob says: "good luck"' in shown.read()


async def test_what_is_told_of_songs_is_read_aloud(tmp_path: Path, out: Path) -> None:
    manner = Manner(speech=command(tmp_path, out), playlist=Playlist("no-such-player", "cycle", ("a.mid",)))
    source, keyboard = os.pipe()
    with os.fdopen(source) as typed, (tmp_path / "shown").open("w") as shown:
        async with trio.open_nursery() as nursery:
            play = partial(run_line_mode, input=typed, output=shown, interactive=False)
            nursery.start_soon(play, TableDouble("hearts", 1), manner, Style())
            await until(out, "The music stopped")
            os.close(keyboard)
    assert out.read_text().count("Now playing: a.mid") == 1


async def test_leaving_the_table_silences_it(tmp_path: Path) -> None:
    async with reading(speech := Speech("sleep 1000")):
        speech.say("Hello")
        await wait_all_tasks_blocked(0.01)
