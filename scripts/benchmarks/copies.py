"""Two copies of the program in a temporary folder: with the kernels as they are written, and compiled."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.figures import NotMeasured, progress

ROOT = Path(__file__).resolve().parents[2]
COMPILING = (sys.executable, str(ROOT / ".venv-compile" / "bin" / "python"))
"""The interpreters that may have mypyc: this one, and that which scripts/compile makes where this one has none."""


@dataclass(frozen=True, slots=True)
class Copies:
    plain: Path
    compiled: Path


@contextmanager
def copies() -> Iterator[Copies]:
    """Raises NotMeasured where nothing can be compiled."""
    with tempfile.TemporaryDirectory(prefix="p2p") as folder:
        made = Copies(Path(folder) / "plain", Path(folder) / "compiled")
        for place in (made.plain, made.compiled):
            shutil.copytree(ROOT / "p2pcards", place / "p2pcards", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        progress("compiling the kernels")
        if not any(_compile(python, made.compiled) for python in COMPILING):
            raise NotMeasured("The kernels cannot be compiled here; 'scripts/compile' tells why.")
        yield made


def _compile(python: str, folder: Path) -> bool:
    build = [python, str(ROOT / "scripts" / "build_kernels"), str(folder)]
    return Path(python).exists() and not subprocess.run(build, capture_output=True, check=False).returncode


class Asked:
    """A program that answers each line with a line of JSON, ended with the `with` block. place: the copy of p2pcards
    that it finds, None where it needs none; python: the interpreter that runs it."""

    def __init__(self, module: str, place: Path | None, python: str = sys.executable) -> None:
        path = os.pathsep.join([*([str(place)] if place else []), str(ROOT / "scripts")])
        self._process = subprocess.Popen(
            [python, "-P", "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": path},
            text=True,
        )

    def __enter__(self) -> Asked:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def ask(self, *words: object) -> dict[str, Any]:
        """Raises NotMeasured."""
        assert self._process.stdin is not None and self._process.stdout is not None
        print(*words, file=self._process.stdin, flush=True)
        if not (line := self._process.stdout.readline()):
            raise NotMeasured(f"A program of the measurement has ended at {' '.join(map(str, words))!r}.")
        answer: dict[str, Any] = json.loads(line)
        return answer
