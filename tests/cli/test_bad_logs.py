"""A log at which p2pcards fails costs that log or that command: a fault that nobody foresaw, raised in every reader of
files, and real logs with a card that is none."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Collection
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from p2pcards.cli import main
from p2pcards.control.exits import DAMAGED, FINE, UNFINISHED
from p2pcards.results.carried import home_bytes
from p2pcards.store.files import find_home
from p2pcards.store.guarded import READERS
from p2pcards.store.logs import read_log, save_bytes
from rigs.bad_logs import DATE, BadLogs, bad_logs, begun, home_of, with_card_that_is_none
from rigs.program import COMMANDS, Program
from rigs.quick_logs import write_log

PACKAGE = Path(main.__file__).parents[1]

for file in sorted(PACKAGE.rglob("*.py")):
    if "import guarded" in (text := file.read_text()) or "import one_of_many" in text:
        import_module(".".join(["p2pcards", *file.relative_to(PACKAGE).with_suffix("").parts]))

BY_COMMANDS = [reader for reader in READERS if not reader.startswith("daemon.")]

MANY = (
    "board",
    "hall",
    "history",
    "league",
    "logs",
    "logs prune --keep 0 --dry-run",
    "peers list",
    "profiles",
    "records",
    "records crazy_eights",
    "records --against",
    "records rebuild",
    "saves --all",
    "scoreboard",
)
"""Commands that read many logs."""
ONE = ("board", "export", "replay", "saves export", "verify --decisions none", "watch --log")
"""Commands that read the log that is named."""
WHOLE_HOME = ("results.carried.files_in", "results.carried.unpack_home")
"""Readers of a whole home in a file."""
NO_LOG = (
    "about attach autoplay characters completion config conform connect credits demo detach dial directory games "
    "guide help host identity join leave listen modem options play reach resume rules simulate status stop web "
    "words"
)
"""Commands that read none in their own process."""


def program(home: BadLogs) -> Program:
    return Program(home.home.state, inside=True)


def copied(home: BadLogs, folder: Path, without: Collection[str] = ()) -> BadLogs:
    """without: the names of logs."""
    shutil.copytree(home.home.state, folder)
    copy = BadLogs(find_home({"P2PCARDS_HOME": str(folder)}), home.bad)
    for stem in without:
        (copy.home.logs / f"{stem}.log").unlink()
    return copy


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> BadLogs:
    return bad_logs(tmp_path_factory.mktemp("made") / "home")


@pytest.fixture(scope="module")
def usual(made: BadLogs, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, frozenset[str]], str]:
    """What a command that reads many prints where these logs are not there."""

    @cache
    def printed(words: str, without: frozenset[str]) -> str:
        return program(copied(made, tmp_path_factory.mktemp("usual") / "home", without)).out(*words.split())

    return printed


def logs_of(home: BadLogs) -> list[Path]:
    return sorted(home.home.logs.iterdir())


def rows(text: str, without: set[str]) -> list[list[str]]:
    """The words of each line, but for lines about these logs."""
    return [line.split() for line in text.splitlines() if not any(stem in line for stem in without)]


def test_every_command_is_told_apart() -> None:
    first_words = {words.split()[0] for words in (*MANY, *ONE)}
    assert not first_words.intersection(NO_LOG.split())
    assert first_words.union(NO_LOG.split()) == COMMANDS


@pytest.mark.parametrize("reader", BY_COMMANDS)
def test_a_fault_in_a_reader_costs_its_file(
    made: BadLogs, usual: Callable[[str, frozenset[str]], str], tmp_path: Path, reader: str
) -> None:
    met = [_read_many(made, usual, tmp_path / "many", reader), _read_one(made, tmp_path / "one", reader)]
    met += [_take_saves(made, tmp_path / "saves", reader), _take_home(made, tmp_path / "home", reader)]
    assert any(met), "no command uses this reader"


def _read_many(made: BadLogs, usual: Callable[[str, frozenset[str]], str], folder: Path, reader: str) -> set[str]:
    """The others are shown as if the bad ones were not there, and those are named."""
    all_met = set[str]()
    for number, words in enumerate(MANY):
        home = copied(made, folder / str(number))
        with home.failing(reader) as met:
            done = program(home)(*words.split())
        assert done.returncode == FINE, words
        assert rows(done.stdout, met) == rows(usual(words, frozenset(met)), met), words
        assert home.of(done.stdout + done.stderr) >= met and (met or not done.stderr), words
        assert bool(met) == (f"{reader} FAULT Invented" in _notes(home))
        all_met |= met
    return all_met


def _read_one(made: BadLogs, folder: Path, reader: str) -> set[str]:
    """It is refused in a sentence if it is bad."""
    all_met = set[str]()
    for words in ONE:
        home = copied(made, folder / words)
        for stem in [path.stem for path in logs_of(home)]:
            file = [str(folder / f"{stem}.p2psave"), "--yes"] if words == "saves export" else []
            with home.failing(reader) as met:
                done = program(home)(*words.split(), stem, *file)
            assert met <= {stem}
            if met and words.startswith("verify"):
                assert done.returncode == DAMAGED and f"{stem}.log: damaged." in done.stdout
            elif met:
                assert _is_refused(done), (words, done)
            else:
                assert done.returncode in (FINE, UNFINISHED) and not done.stderr, (words, stem, done)
            all_met |= met
    return all_met


def _take_saves(made: BadLogs, folder: Path, reader: str) -> set[str]:
    all_met = set[str]()
    for path in logs_of(made):
        home = BadLogs(home_of(folder / path.stem, 0), made.bad)
        file = folder / f"{path.stem}.p2psave"
        file.write_bytes(save_bytes(read_log(path)))
        with home.failing(reader) as met:
            done = program(home)("saves", "import", str(file))
        assert _is_refused(done) if met else done.returncode == FINE, done
        all_met |= met
    return all_met


def _take_home(made: BadLogs, folder: Path, reader: str) -> set[str]:
    """All games in it go on longer than here; those stay that are bad."""
    home = copied(made, folder / "home")
    file = folder / "all.p2phome"
    file.write_bytes(home_bytes(home.home))
    longer = {path: path.read_bytes() for path in logs_of(home)}
    for path, data in longer.items():
        path.write_bytes(data[:-1])
    with home.failing(reader) as met:
        done = program(home)("saves", "import", str(file))
    if reader in WHOLE_HOME:
        assert met and _is_refused(done)
    else:
        assert done.returncode == FINE
        assert {path.stem for path, data in longer.items() if path.read_bytes() != data} <= met
    return met


def _is_refused(done: subprocess.CompletedProcess[str]) -> bool:
    return (done.returncode, done.stdout) == (DAMAGED, "") and len(done.stderr.splitlines()) == 1


def _notes(home: BadLogs) -> str:
    return home.home.diagnostics.read_text() if home.home.diagnostics.exists() else ""


@pytest.mark.parametrize("game", ["whist", "spades", "hearts", "gin_rummy", "pinochle"])
def test_a_log_with_a_card_that_is_none(tmp_path: Path, game: str) -> None:
    home = home_of(tmp_path / "home", 1)
    good = write_log(home, begun("thirty_one").payloads[1], DATE, "thirty_one", 1)
    bad = write_log(home, with_card_that_is_none(begun(game), 1), DATE, game, 2)
    run = Program(home.state, inside=True)
    for words in MANY:
        assert run(*words.split()).returncode == FINE, words
    assert good.stem in run("saves").stdout
    assert f"{good}: unfinished" in run("verify", good.stem, bad.stem).stdout
    for words in ("verify", "replay", "export", "board"):
        assert run(words, bad.stem).returncode == DAMAGED
