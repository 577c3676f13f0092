"""Card backs that a player has drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2pcards.frontend.manner import read_own_back
from p2pcards.store.files import Home, StoreError, find_home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    (tmp_path / "backs").mkdir()
    return find_home({"P2PCARDS_HOME": str(tmp_path)})


def test_a_back_is_what_is_in_its_file(home: Home) -> None:
    home.back("own1").write_text("/\\\n\\\n\n")
    assert read_own_back(home, "own1") == ("/\\", "\\ ")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "1 to 6 rows"),
        (b"\n\n", "1 to 6 rows"),
        (b"x\n" * 7, "1 to 6 rows"),
        (b"x" * 10, "at most 9 characters"),
        (b"\xff", "isn't text"),
        ("ab\n漢".encode(), "Line 2 of the card back .* isn't one column wide"),
        (b"\x1b[2J", "Line 1 of the card back"),
        (b"a\tb", "Line 1 of the card back"),
    ],
)
def test_what_cannot_be_repeated_over_a_card_is_a_sentence(home: Home, data: bytes, why: str) -> None:
    home.back("own2").write_bytes(data)
    with pytest.raises(StoreError, match=why):
        read_own_back(home, "own2")


def test_a_back_that_is_not_there_is_a_sentence(home: Home) -> None:
    with pytest.raises(StoreError, match="There's no card back") as missing:
        read_own_back(home, "own3")
    assert "Make a small text file" in missing.value.advice
