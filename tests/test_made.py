"""scripts/made: what it writes, leaves alone, removes and says."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from making import frozen, parts
from making.parts import PARTS, Part, owner, write, wrong
from p2pcards.games.registry import GAMES


@pytest.fixture
def part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Part:
    """One of two files, that of hearts and one that names every game, beside a file that is left over."""
    monkeypatch.setattr(parts, "ROOT", tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/old.txt").write_text("old")
    return Part(
        "trial", "docs", lambda: {"hearts-real-deal.txt": lambda: "hearts", "all.txt": lambda: "all"}, owned=("*",)
    )


def test_a_check_says_what_differs_and_writes_nothing(part: Part) -> None:
    (parts.ROOT / "docs/all.txt").write_text("some")
    assert list(wrong(part, ())) == [
        "docs/hearts-real-deal.txt is missing.",
        "docs/all.txt is not what the program gives now.",
        "docs/old.txt is made by nothing.",
    ]
    assert sorted(path.name for path in (parts.ROOT / "docs").iterdir()) == ["all.txt", "old.txt"]


def test_what_differs_is_written_and_what_is_left_over_removed(part: Part) -> None:
    assert list(write(part, ())) == ["docs/hearts-real-deal.txt", "docs/all.txt", "docs/old.txt (removed)"]
    assert list(write(part, ())) == list(wrong(part, ())) == []


def test_a_game_has_its_own_files_and_those_that_name_every_game(part: Part) -> None:
    assert list(write(part, ["whist"])) == ["docs/all.txt"]
    assert list(wrong(part, ["hearts"])) == ["docs/hearts-real-deal.txt is missing."]
    assert (parts.ROOT / "docs/old.txt").exists()


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("rules/hearts.md", "hearts"),
        ("pinochle-double-pack.svg", "pinochle"),
        ("pinochle2-meggiesoft.txt", "pinochle2"),
        ("rules/double-pack-pinochle.md", ""),
        ("title.txt", ""),
    ],
)
def test_a_file_is_that_of_the_game_with_whose_key_it_begins(name: str, key: str) -> None:
    assert owner(name) == key


def test_every_game_has_files_in_every_part_of_games() -> None:
    kept = {part.name: part.files() for part in PARTS if part.of_games and part.name not in ("readme", "editions")}
    assert len(kept) == 6
    for name, files in kept.items():
        assert {owner(file) for file in files} - {""} == set(GAMES), name


def test_a_frozen_vector_that_changed_or_is_gone_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (released,) = [part for part in PARTS if part.name == "frozen"]
    assert list(wrong(released, ())) == []
    monkeypatch.setattr(frozen, "FOLDER", tmp_path)
    kept = {"salt.txt": b"as it is", "chain.txt": b"as it was", "gone.txt": b""}
    sums = "".join([f"{sha256(data).hexdigest()}  {vector}\n" for vector, data in kept.items()])
    for vector in ("salt.txt", "chain.txt"):
        (tmp_path / vector).write_bytes(b"as it is")
    fault = frozen.fault_of("version-7.sha256", sums)
    assert fault == "version 7 is released, and these never change: chain.txt, gone.txt"
