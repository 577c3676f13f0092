"""What is installed is what the locks say, and nothing more is needed. No network is asked."""

from __future__ import annotations

import hashlib
import re
import tomllib
from pathlib import Path

import pytest

import complete_locks
from complete_locks import ENVIRONMENTS, complaints, environments_of, missing, read_lock, wanted_by_locks

ROOT = Path(__file__).parents[1]
HERE_ALONE = {"fuzz.txt": "atheris", "direct.txt": "libdatachannel-py"}
"""In locks that are installed for one thing alone: scripts/lock installs it and asks what it needs."""


def requirements(lock: str) -> dict[str, tuple[str, int]]:
    """Name to version and number of hashes; fails on any line that is neither."""
    text = (ROOT / "locks" / lock).read_text().replace("\\\n", " ")
    pinned = {}
    for line in text.splitlines():
        match = re.fullmatch(r"([a-z0-9._-]+)==([\w.]+) (?:; [^:]+?)?((?: *--hash=sha256:[0-9a-f]{64})+)", line)
        assert match, f"{lock}: {line[:80]}"
        pinned[match[1]] = (match[2], match[3].count("--hash"))
    return pinned


def names(wanted: list[str]) -> set[str]:
    """The names alone, spelled as lock files spell them."""
    return {re.split(r"[<>=; \[]", name)[0].replace("_", "-") for name in wanted}


def test_locks_pin_everything_by_version_and_hash() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    run, dev = requirements("run.txt"), requirements("dev.txt")
    assert names(project["project"]["dependencies"]) <= run.keys()
    assert names(project["dependency-groups"]["dev"]) <= dev.keys()
    assert names(project["dependency-groups"]["compile"]) <= requirements("compile.txt").keys()
    assert run.items() < dev.items()
    assert requirements("compile.txt").items() <= dev.items()
    assert names(project["dependency-groups"]["wheels"]) <= requirements("wheels.txt").keys()
    extras = project["project"]["optional-dependencies"]
    assert names(extras["cluster"]) <= dev.keys() - run.keys()
    direct = requirements("direct.txt")
    assert names(extras["reach"]) <= direct.keys() - run.keys() - dev.keys()
    wanted = names(project["dependency-groups"]["direct"])
    assert run.items() | {(name, direct[name]) for name in wanted} < direct.items()


def test_there_is_a_lock_for_each_purpose_and_no_other() -> None:
    assert {path.name for path in (ROOT / "locks").glob("*.txt")} == wanted_by_locks().keys()


@pytest.mark.parametrize("name", ["run.txt", "dev.txt", "compile.txt"])
def test_a_lock_has_all_that_its_packages_need(name: str) -> None:
    assert complaints(name) == []


@pytest.mark.parametrize("name", HERE_ALONE)
def test_a_lock_for_one_thing_has_all_that_the_packages_installed_here_need(name: str) -> None:
    lock = read_lock((ROOT / "locks" / name).read_text())
    wanted = [text for text in wanted_by_locks()[name] if names([text]) != {HERE_ALONE[name]}]
    assert HERE_ALONE[name] in lock
    assert [why for environment in environments_of(name) for why in missing(lock, wanted, environment)] == []


@pytest.mark.parametrize(
    ("line", "instead", "why"),
    [
        # pytest-cov asks for it with an extra.
        (r"coverage==.*\n", "", "pytest-cov needs coverage[toml]>=7.10.6, which is not there"),
        (r"(coverage)==\S+", r"\1==7.0", "pytest-cov needs coverage[toml]>=7.10.6, and coverage==7.0 is there"),
        (r"(attrs==\S+)", r"\1 ; sys_platform == 'darwin'", "trio needs attrs>=23.2.0, which is not there"),
        (r"linkify-it-py==.*\n", "", "which is not there"),
        (r"trio==.*\n", "", "pyproject.toml needs trio<1,>=0.35, which is not there"),
    ],
)
def test_a_lock_that_lacks_something_is_found(
    line: str, instead: str, why: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    whole = re.sub(r" *\\\n *--hash=\S+| --hash=\S+", "", (ROOT / "locks/dev.txt").read_text())
    (tmp_path / "locks").mkdir()
    (tmp_path / "locks/dev.txt").write_text(re.sub(rf"^{line}", instead, whole, count=1, flags=re.MULTILINE))
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    monkeypatch.setattr(complete_locks, "ROOT", tmp_path)
    monkeypatch.setattr(
        complete_locks, "ENVIRONMENTS", [one for one in ENVIRONMENTS if one["sys_platform"] == "linux"][:1]
    )
    assert why in " ".join(complaints("dev.txt"))


def test_what_is_built_for_the_page_is_what_was_locked() -> None:
    lines = [line.split("  ") for line in (ROOT / "locks/page.sha256").read_text().splitlines()]
    folder = ROOT / "p2pcards/page/built/engine"
    assert {ROOT / name for _, name in lines} == {*folder.iterdir()}
    for digest, name in lines:
        assert hashlib.sha256((ROOT / name).read_bytes()).hexdigest() == digest, f"{name}: scripts/page writes it"
