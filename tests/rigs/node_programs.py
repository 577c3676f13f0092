"""The programs of protocol/ in another language, as processes: the example listener and the example coordinator, from a
copy of their folders with the package that they need."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
import trio

from p2pcards.ledger.payloads import RECORD
from p2pcards.ledger.verify import Findings, verify_log
from p2pcards.store.logs import read_log
from rigs.giving_up import longest_wait

PROTOCOL = Path(__file__).resolve().parents[2] / "protocol"
LISTENER, COORDINATOR = "example-listener", "example-coordinator"


def program(name: str) -> str:
    found = shutil.which(name)
    assert found, f"--node was asked for, but there is no {name} here. Install Node.js 20, or leave --node out."
    return found


@pytest.fixture(scope="session")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of both, with the package that the lock of the listener names, beside the vectors."""
    folder = tmp_path_factory.mktemp("protocol")
    for name in (LISTENER, COORDINATOR):
        (folder / name).mkdir()
        for file in (*(PROTOCOL / name).glob("*.mjs"), *(PROTOCOL / name).glob("package*.json")):
            shutil.copy(file, folder / name)
    shutil.copytree(PROTOCOL / "vectors", folder / "vectors")
    words = [program("npm"), "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--cache", str(folder / "cache")]
    done = subprocess.run(words, cwd=folder / LISTENER, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


class Example:
    """One of them as a process. log: that of its game; said: the lines that it has printed."""

    def __init__(self, script: Path, home: Path, words: Sequence[str]) -> None:
        self.log = home / "game.log"
        self._out = home.with_suffix(".out")
        with self._out.open("w") as out:
            command = [program("node"), str(script), "--home", str(home), *words]
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out)

    @property
    def said(self) -> list[str]:
        return self._out.read_text(encoding="utf-8").splitlines()

    async def says(self, words: str, after: int = 0) -> str:
        """The first line that begins so, once it is there. after: so many lines that it had said."""
        with trio.move_on_after(longest_wait()):
            while True:
                for line in self.said[after:]:
                    if line.startswith(words):
                        return line
                await trio.sleep(0.01)
        raise AssertionError(f"it does not say {words!r}; it said {self.said[-20:]}")

    async def finished(self) -> int:
        """Its exit code, once it has ended by itself."""
        with trio.fail_after(longest_wait()):
            while (code := self._process.poll()) is None:
                await trio.sleep(0.01)
        return code

    def end(self) -> None:
        self._process.kill()
        self._process.wait()


MakeExample = Callable[..., Example]


@pytest.fixture
def make_example(examples: Path, tmp_path: Path) -> Iterator[MakeExample]:
    """Starts the program in this file, in the home of this name; all that were started are ended with the test."""
    started: list[Example] = []

    def make(script: str, name: str, *words: str) -> Example:
        started.append(Example(examples / script, tmp_path / name, words))
        return started[-1]

    yield make
    for one in started:
        one.end()


@pytest.fixture
def make_nora(make_example: MakeExample) -> MakeExample:
    """Starts the example listener with these flags, always in the same home."""
    return lambda *flags: make_example(f"{LISTENER}/listener.mjs", "nora", "--port", "0", "--name", "Nora", *flags)


def proven(path: Path) -> Findings:
    """What a log proves: a finished game in which every hand was opened, and is as it was signed."""
    found = verify_log(read_log(path).payloads)
    assert found.finished and found.honest and found.unproven is None
    return found


def records(path: Path) -> list[bytes]:
    return [payload for _, payload in read_log(path).records if payload[:1] == RECORD]


def faults_of(example: Example) -> list[str]:
    """What it says where somebody was refused something, or a log tells another story."""
    return [
        line for line in example.said if line.startswith(("refused", "link ended", "bye 5", "bye 9", "another history"))
    ]
