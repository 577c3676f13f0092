"""What runs in a browser's Python (`node_pyodide.mjs` starts it in Node.js, `in_worker` in a browser): the rooms are
imported, tests run as they are, logs are verified and figures taken. Both sides of the comparison are here, as the
findings are told natively too.

Nothing here waits for a network or a clock of the outside world, so Trio may block: its loop is told that nothing has
come, and ends where nothing could come any more."""

from __future__ import annotations

import importlib
import json
import re
import select
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from p2pcards.web.worker.guest import KQUEUE, Kevent, Kqueue

APP = Path("/app")
NOT_THERE = ("cli", "conform", "guide", "tui", "web")
"""The rooms that no page needs as a whole."""


def rooms(program: Path) -> list[str]:
    """Those that a page needs. program: the folder p2pcards."""
    return sorted({path.parent.name for path in program.glob("*/__init__.py")} - {*NOT_THERE})


SAME_TESTS = (
    "tests/wire/test_crypto.py",
    "tests/wire/test_keys.py",
    "tests/wire/test_vectors.py::test_a_vector_is_what_the_code_does",
    "tests/wire/test_hand_vector.py",
    "tests/session/test_dialogues.py::test_a_listener_that_has_the_file_alone_says_the_same",
    "tests/links/test_small_order.py",
)
"""What runs here as natively."""


# --- Trio where there is no system to wait at -------------------------------------------------------------------------


FOREVER = 3600.0
"""Seconds. A wait of less passes by itself, as Trio asks again and again what time it is."""


class Blocked(Kqueue):
    """That of a page's guest loop, where somebody really waits: one for each run."""

    def __init__(self) -> None:
        super().__init__(woken=lambda: None)
        vars(socket)["socketpair"] = self.pair

    def control(self, changes: Sequence[Kevent], most: int, timeout: float | None = None) -> list[Kevent]:
        heard = super().control(changes, most, timeout)
        assert heard or not most or (timeout or 0) < FOREVER, "nothing will happen here any more"
        return heard


def let_trio_run() -> None:
    vars(select).update(KQUEUE, kqueue=Blocked, kevent=Kevent)
    vars(signal)["set_wakeup_fd"] = lambda *_, **__: -1


# --- what is done here ------------------------------------------------------------------------------------------------


def import_rooms() -> dict[str, Any]:
    """Seconds by room, and what could not be imported, with the error."""
    seconds, refused = {}, {}
    for room in rooms(APP / "p2pcards"):
        began = time.perf_counter()
        for path in sorted((APP / "p2pcards" / room).rglob("*.py")):
            name = ".".join(path.relative_to(APP).with_suffix("").parts).removesuffix(".__init__")
            if not name.endswith("__main__"):
                try:
                    importlib.import_module(name)
                except Exception as error:
                    refused[name] = repr(error)
        seconds[room] = round(time.perf_counter() - began, 3)
    return {"seconds": seconds, "refused": refused}


class Outcomes:
    """A plugin of pytest: what came of each test; a text where it failed."""

    def __init__(self) -> None:
        self.by_test: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call" or not report.passed:
            self.by_test[report.nodeid] = report.outcome if report.passed else report.longreprtext or report.outcome

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.by_test[report.nodeid] = str(report.longrepr)


def run_tests(tests: Sequence[str] = SAME_TESTS) -> dict[str, str]:
    import pytest

    outcomes = Outcomes()
    without = [words for name in ("cacheprovider", "faulthandler", "terminal") for words in ("-p", f"no:{name}")]
    trio = ["-p", "pytest_trio.plugin", "-o", "trio_mode=true"]
    here = ["-c", "/dev/null", f"--rootdir={APP}", "--noconftest"]
    pytest.main([*here, *without, *trio, *tests], plugins=[outcomes])
    return outcomes.by_test


def told_findings(path: Path) -> dict[str, Any]:
    """All that a log proves, as text; decisions that took a search are not made again."""
    from p2pcards.ledger.verify import verify_log
    from p2pcards.players.levels import searches
    from p2pcards.players.repeating import repeat_decisions
    from p2pcards.store.logs import read_log

    found = verify_log(
        read_log(path).payloads,
        lambda game, made: repeat_decisions(game, [one for one in made if not searches(game.key, one.level)]),
    )
    told = (found.finished, found.hands, found.takeovers, found.unproven, found.due, found.course, found.position.state)
    return {"heads": [head.hex() for head in found.heads], "told": re.sub(r" at 0x[0-9a-f]+", "", repr(told))}


def best_of(function: Callable[[], object], times: int) -> float:
    """Microseconds of one call, in the quickest of five rounds."""
    rounds = []
    for _ in range(5):
        began = time.perf_counter()
        for _ in range(times):
            function()
        rounds.append((time.perf_counter() - began) / times * 1e6)
    return round(min(rounds), 1)


def figures(log: Path) -> dict[str, float]:
    """Microseconds for a signature and a frame of the size of a played card; and to verify a log."""
    from p2pcards.links.noise import Cipher
    from p2pcards.wire.crypto import Ed25519PrivateKey
    from p2pcards.wire.keys import public_bytes
    from p2pcards.wire.records import check_signature, sign

    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    public, sealer = public_bytes(key), Cipher(bytes(32))
    frame = sign(key, b"label", bytes(32), bytes(20))
    told_findings(log)  # the game is loaded
    return {
        "sign": best_of(lambda: sign(key, b"label", bytes(32), bytes(20)), 50),
        "verify": best_of(lambda: check_signature(public, b"label", bytes(32), frame), 50),
        "seal": best_of(lambda: sealer.seal(bytes(95)), 200),
        "log": best_of(lambda: told_findings(log), 1),
    }


def main(work: Path, tests: Sequence[str] = SAME_TESTS) -> None:
    """work: holds logs, and gets the report."""
    let_trio_run()
    logs = sorted(work.glob("*.log"))
    report = {
        "rooms": import_rooms(),
        "findings": {path.name: told_findings(path) for path in logs},
        "tests": run_tests(tests),
        "figures": figures(logs[0]),
        "loaded": sorted({name.partition(".")[0] for name in sys.modules}),
    }
    (work / "report.json").write_text(json.dumps(report))
