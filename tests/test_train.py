"""scripts/train, which makes the learned tables."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from p2pcards.players.tables import unpack_tables

ROOT = Path(__file__).resolve().parents[1]


def train(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "scripts/train", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(("key", "deals"), [("whist", 12), pytest.param("pinochle", 12, marks=pytest.mark.slow)])
def test_a_training_in_parts_gives_the_tables_of_one_in_one_go(tmp_path: Path, key: str, deals: int) -> None:
    parts, whole = tmp_path / "parts", tmp_path / "whole"
    first = train(key, "--deals", str(deals), "--minutes", "0", "--into", parts)
    assert first.returncode == 0 and "the same command goes on" in first.stdout
    assert not (parts / f"{key}.bin").exists()
    train(key, "--deals", str(deals // 2), "--into", parts)
    for folder in (parts, whole):
        done = train(key, "--deals", str(deals), "--into", folder)
        assert done.returncode == 0 and f"{key}: {deals} deals, " in done.stdout
    made = (whole / f"{key}.bin").read_bytes()
    assert (parts / f"{key}.bin").read_bytes() == made
    assert any(unpack_tables(key, made))


def test_a_game_whose_cards_are_not_learned_is_refused() -> None:
    refused = train("gin_rummy")
    assert refused.returncode == 2 and "invalid choice: 'gin_rummy'" in refused.stderr
