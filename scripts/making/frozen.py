"""The vectors of released versions, which never change; beside them lie their sums, as sha256sum writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "protocol" / "vectors"


def files() -> Mapping[str, Callable[[], str]]:
    """The files of sums: one for each released version, written once."""
    return {path.name: path.read_text for path in sorted(FOLDER.glob("version-*.sha256"))}


def fault_of(name: str, text: str) -> str:
    """What is wrong with the vectors whose sums these are, "" for nothing."""
    sums = dict([line.split("  ")[::-1] for line in text.splitlines()])
    changed = [vector for vector, known in sums.items() if sum_of(vector) != known]
    version = name.removeprefix("version-").removesuffix(".sha256")
    return f"version {version} is released, and these never change: {', '.join(changed)}" if changed else ""


def sum_of(vector: str) -> str:
    path = FOLDER / vector
    return sha256(path.read_bytes()).hexdigest() if path.exists() else "missing"
