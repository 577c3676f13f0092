"""The program in the Python of a browser: Pyodide in Node.js, started once for all tests that read what came of it.

PYTHONPATH=tests:scripts .venv/bin/python -m rigs.node_pyodide      prints the figures of docs/benchmarks.md
"""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import subprocess
import sysconfig
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from p2pcards.store.logs import MAGIC, encode_record
from rigs.in_pyodide import figures, told_findings
from rigs.old_logs import LOGS
from rigs.quick_logs import quick_game

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".node"
LOCK = ROOT / "locks/page/package-lock.json"
"""Of what the page is built of: versions, and what npm says of each archive (dist.integrity)."""
PACKAGES = ("pyodide", "@noble/curves", "@noble/ciphers", "@noble/hashes")

PROGRAMS = "trio outcome sniffio attr attrs sortedcontainers idna h11 wsproto msgpack spake2 openskill tomlkit"
TESTERS = "mypy_extensions.py pytest _pytest pluggy iniconfig packaging pygments pytest_trio py.py"
"""Python's packages that are put there: what the rooms import, cryptography, serial and processes left out; and what
runs their tests."""

PLAYED = ("hearts-lena", "crazy_eights-willa", "spades")
"""Logs that daemons wrote."""


def packages() -> Path:
    """The folder node_modules with PACKAGES, made once. The test is skipped where that cannot be done."""
    locked = json.loads(LOCK.read_text())["packages"]
    wanted = [(name, locked[f"node_modules/{name}"]) for name in PACKAGES]
    named = hashlib.sha256("".join([one["integrity"] for _, one in wanted]).encode()).hexdigest()[:12]
    folder = CACHE / named / "node_modules"
    if not folder.is_dir():
        made = CACHE / f"{named}.new"
        shutil.rmtree(made, ignore_errors=True)
        for name, one in wanted:
            archive = _fetched(made / "archives", f"{name}@{one['version']}", one["integrity"])
            _unpack(archive, made / "node_modules" / name)
        shutil.rmtree(made / "archives")
        made.rename(folder.parent)
    return folder


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"There is no {name} here, so nothing ran in a browser's Python. Install Node.js 20 and npm.")
    return found


def _fetched(into: Path, what: str, integrity: str) -> Path:
    into.mkdir(parents=True, exist_ok=True)
    words = [
        _program("npm"),
        "pack",
        "--loglevel=error",
        "--cache",
        str(into / "cache"),
        "--pack-destination",
        str(into),
        what,
    ]
    done = subprocess.run(words, cwd=into, capture_output=True, text=True, check=False)
    if done.returncode:
        why = done.stderr.strip().partition("\n")[0]
        pytest.skip(f"npm gives no {what} here, so nothing ran in a browser's Python: {why}")
    archive = into / done.stdout.split()[-1]
    found = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    assert f"sha512-{found}" == integrity, f"{what} is not what it was"
    return archive


def _unpack(archive: Path, folder: Path) -> None:
    """npm's archives hold one folder, `package`."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    unpacked = archive.with_suffix(".unpacked")
    with tarfile.open(archive) as tar:
        tar.extraction_filter = getattr(tarfile, "data_filter", None)  # since Python 3.11.4
        tar.extractall(unpacked)
    (unpacked / "package").rename(folder)


def report(work: Path) -> dict[str, Any]:
    """What rigs/in_pyodide.py reports. work: an empty folder."""
    for name in PLAYED:
        shutil.copy(LOGS / f"{name}.log", work)
    for game in ("cribbage", "hearts"):
        payloads = quick_game(game, 7)
        (work / f"new-{game}.log").write_bytes(MAGIC + b"".join(map(encode_record, payloads)))
    site = sysconfig.get_paths()["purelib"]
    script = Path(__file__).with_suffix(".mjs")
    words = [_program("node"), script, packages(), ROOT, site, work, *PROGRAMS.split(), *TESTERS.split()]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    found: dict[str, Any] = json.loads((work / "report.json").read_text())
    return found


@pytest.fixture(scope="session")
def in_pyodide(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The report, and under `natively` the findings of the same logs here."""
    work = tmp_path_factory.mktemp("pyodide")
    found = report(work)
    return found | {"natively": {path.name: told_findings(path) for path in sorted(work.glob("*.log"))}}


def main() -> None:
    """The figures of docs/benchmarks.md: there, here, and how many times as long it takes there."""
    with TemporaryDirectory() as folder:
        found = report(Path(folder))
        here = figures(min(Path(folder).glob("*.log")))
    for name, there in found["figures"].items():
        print(f"{name}: {there} us, here {here[name]} us, {there / here[name]:.1f} times")
    print(f"rooms imported in {sum(found['rooms']['seconds'].values()):.1f} s")


if __name__ == "__main__":
    main()
