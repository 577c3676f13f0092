"""Whether each lock has all that its packages need, extras and markers included, for every Python and system that
p2pcards runs on. Locks are installed as they stand, so what is missing there would be missing at the table.

    python scripts/complete_locks.py [LOCK ...]    such as locks/run.txt; all if left out

What a package needs is read from the package, so it has to be installed where this runs; no network is asked.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, requires
from itertools import product
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]

Lock = dict[str, Requirement]
"""Name to the one line that pins it, with its marker."""

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
OLDEST = {"direct.txt": "3.12"}
"""Of the Pythons for which a lock is made, where it is not for all."""
SYSTEMS = {"linux": ("Linux", "x86_64", "aarch64"), "darwin": ("Darwin", "x86_64", "arm64")}
"""sys_platform to platform_system and the machines."""

ENVIRONMENTS = tuple(
    {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "implementation_version": f"{python}.0",
        "sys_platform": system,
        "platform_system": SYSTEMS[system][0],
        "platform_machine": machine,
        "platform_release": "",
        "platform_version": "",
        "os_name": "posix",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }
    for python, system in product(PYTHONS, SYSTEMS)
    for machine in SYSTEMS[system][1:]
)


class NotInstalled(Exception):
    """The package cannot be asked what it needs."""


def wanted_by_locks() -> dict[str, list[str]]:
    """What pyproject.toml asks for, by lock."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    run = project["project"]["dependencies"]
    extras: dict[str, list[str]] = project["project"]["optional-dependencies"]
    groups: dict[str, Any] = project["dependency-groups"]
    return {
        "run.txt": run,
        "dev.txt": [*run, *extras["cluster"], *groups["dev"]],
        "direct.txt": [*run, *extras["reach"], *groups["direct"]],
        "fuzz.txt": [*run, *groups["fuzz"]],
        "compile.txt": groups["compile"],
        "wheels.txt": groups["wheels"],
    }


def read_lock(text: str) -> Lock:
    lines = re.sub(r"\\\n| --hash=\S+", "", text).splitlines()
    pins = [Requirement(line) for line in lines if line.strip()]
    return {canonicalize_name(pin.name): pin for pin in pins}


def missing(lock: Lock, wanted: Iterable[str], environment: dict[str, str]) -> Iterator[str]:
    """What is asked for in this environment and not met by the lock, as sentences. Raises NotInstalled."""
    waiting = [(Requirement(text), "pyproject.toml") for text in wanted]
    seen = set[tuple[str, str]]()
    while waiting:
        need, by = waiting.pop()
        name = canonicalize_name(need.name)
        pin = lock.get(name)
        if pin is None or (pin.marker and not pin.marker.evaluate(environment)):
            yield f"{by} needs {need}, which is not there"
        elif not need.specifier.contains(str(pin.specifier).removeprefix("=="), prereleases=True):
            yield f"{by} needs {need}, and {pin} is there"
        else:
            for extra in {"", *need.extras} - {extra for one, extra in seen if one == name}:
                seen.add((name, extra))
                waiting += [(one, name) for one in needs(name, environment | {"extra": extra})]


def needs(name: str, environment: dict[str, str]) -> list[Requirement]:
    """What an installed package needs there. Raises NotInstalled."""
    return [need for need in needs_anywhere(name) if need.marker is None or need.marker.evaluate(environment)]


@cache
def needs_anywhere(name: str) -> list[Requirement]:
    """Raises NotInstalled."""
    try:
        return [Requirement(text) for text in requires(name) or ()]
    except PackageNotFoundError:
        raise NotInstalled(name) from None


def complaints(name: str) -> list[str]:
    """About the lock of this name, each once. Raises NotInstalled."""
    lock = read_lock((ROOT / "locks" / name).read_text())
    wanted = wanted_by_locks()[name]
    return sorted({why for environment in environments_of(name) for why in missing(lock, wanted, environment)})


def environments_of(name: str) -> list[dict[str, str]]:
    return [one for one in ENVIRONMENTS if one["python_version"] >= OLDEST.get(name, PYTHONS[0])]


def main() -> None:
    names = [Path(lock).name for lock in sys.argv[1:]] or list(wanted_by_locks())
    try:
        found = [f"locks/{name}: {why}." for name in names for why in complaints(name)]
    except NotInstalled as package:
        sys.exit(f"{package} is not installed here, so nobody can say what it needs.")
    print("\n".join(found) or f"Complete: {', '.join(names)}.")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
