"""Films of the full screen: a real terminal through the end of a hand, every picture with its time.

A film is text: a line that says what it is, then for each picture "@" and its seconds, and each row that is not as it
was, its number before it. The times are those of the clock when it was taken; what reads a film looks at how long
things stood in it, and never at a clock.
"""

from __future__ import annotations

import fcntl
import gzip
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random

import trio

from p2pcards.cards.card import Card, parse_card
from p2pcards.control.client import connect
from p2pcards.present.width import text_width
from p2pcards.store.files import find_home
from p2pcards.views.tableview import TableView

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "films"

# --- a film, written and read -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Frame:
    """time: in seconds since the first one."""

    time: float
    rows: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.rows)


@dataclass(frozen=True, slots=True)
class Film:
    """about: what it shows, in a line."""

    about: str
    frames: tuple[Frame, ...]

    def stood(self, *patterns: str) -> float:
        """The longest time for which all these were there together."""
        longest, since = 0.0, None
        for frame, after in pairwise(self.frames):
            there = all(re.search(pattern, frame.text) for pattern in patterns)
            since = None if not there else frame.time if since is None else since
            longest = longest if since is None else max(longest, after.time - since)
        return longest


def written(film: Film) -> bytes:
    """Compressed to a tenth, and the same whenever it is done."""
    lines, before = [film.about], [""] * len(film.frames[0].rows)
    for frame in film.frames:
        lines.append(f"@{frame.time:.2f}")
        lines += [f"{number}|{row}" for number, row in enumerate(frame.rows) if row != before[number]]
        before = list(frame.rows)
    return gzip.compress(("\n".join(lines) + "\n").encode(), mtime=0)


def read(written: bytes) -> Film:
    about, *lines = gzip.decompress(written).decode().splitlines()
    rows = [""] * int(about.rpartition("x")[2])
    frames: list[Frame] = []
    for line in lines:
        if line.startswith("@"):
            frames.append(Frame(float(line[1:]), tuple(rows)))
        else:
            number, _, row = line.partition("|")
            rows[int(number)] = row
            frames[-1] = Frame(frames[-1].time, tuple(rows))
    return Film(about, tuple(frames))


# --- a terminal of which the text can be read -------------------------------------------------------------------------


SEQUENCE = re.compile(
    r"\x1b(?:\[([?<>=]?[\d;:]*)([@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)|P[^\x1b]*\x1b\\|[()][A-Z0-9]|[=>78NHMcDE])"
)
UNFINISHED = re.compile(r"\x1b(?:\[[?<>=]?[\d;:]*|\][^\x07\x1b]*\x1b?|P[^\x1b]*\x1b?|[()]?)?$")


class Glass:
    """What a terminal of this size shows: as much of its language as the full screen speaks."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.lines = columns, rows
        self._cells = [[" "] * columns for _ in range(rows)]
        self._row = self._column = 0
        self._rest = ""

    def rows(self) -> tuple[str, ...]:
        return tuple(["".join(row).rstrip() for row in self._cells])

    def feed(self, text: str) -> None:
        text = self._rest + text
        cut = UNFINISHED.search(text)
        self._rest, text = (text[cut.start() :], text[: cut.start()]) if cut else ("", text)
        at = 0
        while at < len(text):
            if (found := SEQUENCE.match(text, at)) is not None:
                if found[2]:
                    self._obey(found[1], found[2])
                at = found.end()
            else:
                self._put(text[at])
                at += 1

    def _put(self, letter: str) -> None:
        if letter == "\r":
            self._column = 0
        elif letter == "\n":
            self._row = min(self._row + 1, self.lines - 1)
        elif letter == "\b":
            self._column = max(self._column - 1, 0)
        elif letter >= " " and (taken := text_width(letter)) and self._column + taken <= self.columns:
            self._cells[self._row][self._column : self._column + taken] = [letter, *[""] * (taken - 1)]
            self._column += taken

    def _obey(self, said: str, what: str) -> None:
        numbers = [int(number) if number.isdigit() else 0 for number in said.lstrip("?<>=").split(";")]
        first = max(numbers[0], 1)
        if what in "Hf":
            second = numbers[1] if len(numbers) > 1 else 1
            self._row, self._column = min(first, self.lines) - 1, min(max(second, 1), self.columns) - 1
        elif what in "AB":
            self._row = min(max(self._row + (first if what == "B" else -first), 0), self.lines - 1)
        elif what in "CD":
            self._column = min(max(self._column + (first if what == "C" else -first), 0), self.columns - 1)
        elif what == "G":
            self._column = min(first, self.columns) - 1
        elif what == "J" or (what == "h" and said == "?1049"):
            self._cells = [[" "] * self.columns for _ in range(self.lines)]
        elif what == "K":
            self._cells[self._row][self._column :] = [" "] * (self.columns - self._column)


# --- people at terminals ----------------------------------------------------------------------------------------------


QUIET = 0.02
"""Seconds without output, after which a picture is whole."""
LOOKED = 2.5
"""Seconds for which a person looks at what a hand came to."""
PATIENCE = 240.0
GREEDY = ("gin", "big", "knock", "meld", "lay", "play")
"""What a person does first, where it goes: a hand comes to its end."""


@dataclass
class Person:
    """Somebody with a home and a terminal of their own. frames: what they have seen, from the first on."""

    name: str
    columns: int
    rows: int
    home: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="p2pfilm")))
    frames: list[Frame] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.glass = Glass(self.columns, self.rows)
        self._master, self._slave = pty.openpty()
        termios.tcsetwinsize(self._slave, (self.rows, self.columns))
        fcntl.fcntl(self._master, fcntl.F_SETFL, os.O_NONBLOCK)

    @property
    def text(self) -> str:
        return "\n".join(self.glass.rows())

    def run(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(_program(*words), env=self._environment(), capture_output=True, check=False)

    @asynccontextmanager
    async def sits(self, *words: str) -> AsyncIterator[None]:
        """The program runs in the terminal, and what it shows is kept."""
        process = subprocess.Popen(
            _program(*words),
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            env=self._environment(),
            start_new_session=True,
        )
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._watch)
                yield
                nursery.cancel_scope.cancel()
        finally:
            process.send_signal(signal.SIGTERM)
            process.kill()
            process.wait()
            self.run("stop")
            os.close(self._master)
            os.close(self._slave)
            shutil.rmtree(self.home, ignore_errors=True)

    async def until(self, pattern: str) -> re.Match[str]:
        with trio.fail_after(PATIENCE):
            while not (found := re.search(pattern, self.text)):
                await trio.sleep(QUIET)
            return found

    def types(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    async def says(self, line: str) -> None:
        """A line with the keyboard."""
        self.types("/")
        await trio.sleep(2 * QUIET)
        self.types(f"{line}\r")

    async def plays(self, chance: Random) -> bool:
        """One hand, and on to the next; False where the game is over with it."""
        home = find_home({"P2PCARDS_HOME": str(self.home)})
        async with connect(home, start=False) as client, aclosing(_views(await client.attach(""))) as views:
            async for view in views:
                if view.pause is not None:
                    await self.until("Enter next hand")
                    await trio.sleep(LOOKED)
                    self.types("\r")
                elif view.hand > 1 or view.phase == "over":
                    await self.until("hand 2" if view.hand > 1 else "")
                    return view.hand > 1
                elif view.legal:
                    await self.says(_choice(view, chance))
        return False

    async def _watch(self) -> None:
        began, pending = trio.current_time(), b""
        while True:
            await trio.lowlevel.wait_readable(self._master)
            with trio.move_on_after(QUIET) as scope:
                while True:
                    try:
                        pending += os.read(self._master, 1 << 16)
                    except BlockingIOError:
                        await trio.lowlevel.wait_readable(self._master)
                    except OSError:
                        return
                    scope.deadline = trio.current_time() + QUIET
            self.glass.feed(pending.decode(errors="ignore"))
            pending = b""
            rows = self.glass.rows()
            if not self.frames or self.frames[-1].rows != rows:
                self.frames.append(Frame(trio.current_time() - began, rows))

    def _environment(self) -> dict[str, str]:
        without = ("NO_COLOR", "P2PCARDS_LINE", "COLUMNS", "LINES", "PYTHONDONTWRITEBYTECODE")
        kept = {name: value for name, value in os.environ.items() if name not in without}
        return kept | {"P2PCARDS_HOME": str(self.home), "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}


def _program(*words: str) -> list[str]:
    return [sys.executable, "-P", "-m", "p2pcards", *words]


async def _views(table: object) -> AsyncGenerator[TableView, None]:
    async for news in table.updates():  # type: ignore[attr-defined]
        if isinstance(news, TableView):
            yield news


def _choice(view: TableView, chance: Random) -> str:
    """What is done now: a hand is to end, and to end soon."""
    for word in GREEDY[:-1]:
        if found := [words for words in view.legal if words.split()[0] == word]:
            return found[0]
    discards = [words for words in view.legal if words.split()[0] == "discard" and len(words.split()) == 2]
    if discards and view.me is not None:
        held = [Card(card) for card in view.seats[view.me].known]
        return max(discards, key=lambda words: _is_of_no_use(parse_card(words.split()[1]), held))
    return chance.choice(view.legal)


def _is_of_no_use(card: Card, held: Sequence[Card]) -> int:
    """The more the better it is discarded: high, and neither a pair nor beside another of its suit."""
    beside = [other for other in held if other.suit == card.suit and 0 < abs(other.rank - card.rank) <= 2]
    alike = [other for other in held if other.rank == card.rank and other != card]
    return (1 if card.rank == 14 else min(card.rank, 10)) - 20 * len(beside) - 20 * len(alike)


# --- the films --------------------------------------------------------------------------------------------------------


SIZES = ((80, 24), (120, 40))
SHEET = r"Hand 1 +last total"
"""What stands above the score of the hand that is over."""
BEFORE = 8
"""Pictures before the hand is over with which a film begins."""
AFTER = 0.5
"""Seconds after the next hand was dealt with which it ends."""


def films(games: Sequence[str]) -> Iterator[tuple[str, bool, tuple[int, int]]]:
    """Which there are: the game, whether with people, and the size."""
    return ((game, people, size) for game in games for people in (False, True) for size in SIZES)


def file_of(game: str, people: bool, size: tuple[int, int]) -> str:
    return f"{game}-{'people' if people else 'alone'}-{size[0]}x{size[1]}.txt.gz"


async def taken(game: str, people: bool, size: tuple[int, int], speed: str = "fast") -> Film:
    """A film of the end of a first hand that is followed by another."""
    about = f"{game}, {'with people' if people else 'alone'}, speed {speed}, {size[0]}x{size[1]}"
    for seed in range(1, 9):
        frames = await (_with_people if people else _alone)(game, size, speed, seed)
        if frames:
            return Film(about, _cut(frames))
    raise ValueError(f"no hand of {game} is followed by another")


async def _alone(game: str, size: tuple[int, int], speed: str, seed: int) -> Sequence[Frame]:
    """All that was shown, nothing where the game was over with the first hand."""
    ann = _person("Ann", size, speed)
    async with ann.sits("play", game, "--name", "Ann", "--as", "betty", "--seed", str(seed)):
        await ann.until("hand 1")
        with trio.fail_after(PATIENCE):
            goes_on = await ann.plays(Random(seed))
        await trio.sleep(AFTER)
    return ann.frames if goes_on else ()


async def _with_people(game: str, size: tuple[int, int], speed: str, seed: int) -> Sequence[Frame]:
    """Ann calls Bob, chooses the game, and both play; as she sees it."""
    ann, bob = _person("Ann", size, speed), _person("Bob", size, "off")
    async with bob.sits("listen", "--port", "0", "--no-reach", "--name", "Bob", "--as", "will"):
        port = (await bob.until(r"connect \S*:(\d+)"))[1]
        code = re.sub(r"\s", "", (await bob.until(r"--code (\d+-\w+-\w+)"))[1])
        async with ann.sits("connect", f"127.0.0.1:{port}", "--code", code, "--name", "Ann", "--as", "betty"):
            await ann.until("Bob joins|Bob .*here")
            await ann.says(f"game {game}")
            await ann.until("Next game: ")
            await ann.says("start")
            if (await ann.until("hand 1|yes +no"))[0] != "hand 1":
                ann.types("n")  # anybody may sit opposite
                await ann.until("hand 1")
            with trio.fail_after(PATIENCE):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(bob.plays, Random(-seed))
                    goes_on = await ann.plays(Random(seed))
                    await trio.sleep(AFTER)
                    nursery.cancel_scope.cancel()
    return ann.frames if goes_on else ()


def _person(name: str, size: tuple[int, int], speed: str) -> Person:
    person = Person(name, *size)
    for key, value in (("speed", speed), ("animation", "off")):
        person.run("config", "set", key, value)
    return person


def _cut(frames: Sequence[Frame]) -> tuple[Frame, ...]:
    """The last pictures of the hand, and all that come after it."""
    ends = [place for place, frame in enumerate(frames) if re.search(SHEET, frame.text)]
    over = ends[0] if ends else len(frames)
    kept = frames[max(over - BEFORE, 0) :]
    return tuple([Frame(frame.time - kept[0].time, frame.rows) for frame in kept])
