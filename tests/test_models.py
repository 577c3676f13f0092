"""The models of docs/models: what the prover says of the clauses, where it is installed, and that the page about them
names what there is."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "models"
SCRIPT = ROOT / "scripts" / "models"
MODELS: dict[str, Any] = runpy.run_path(str(SCRIPT))
PROVER = str(MODELS["PROVER"])


@pytest.mark.skipif(shutil.which(PROVER) is None, reason=f"there is no {PROVER} here (Debian: apt install {PROVER})")
@pytest.mark.parametrize("claim", MODELS["CLAIMS"], ids=str)
def test_the_prover_says_what_is_claimed(claim: Any) -> None:
    assert MODELS["asked"](claim) == (MODELS["FOUND"] if claim.found else MODELS["NONE"])


def test_without_the_prover_the_script_says_what_is_missing(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, SCRIPT], env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == (
        f"There is no {PROVER} here, so the models are not checked. On Debian or Ubuntu: apt install {PROVER}.\n"
    )


def test_the_page_names_what_there_is() -> None:
    text = (FOLDER / "README.md").read_text()
    named = set(re.findall(r"`((?:tests|scripts|protocol)/[\w./]+)", text))
    assert len(named) >= 5
    assert {name for name in named if not (ROOT / name).exists()} == set()
    assert {path.name for path in FOLDER.glob("*.p")} == set(re.findall(r"\]\((\w+\.p)\)", text))


def test_every_goal_is_about_something_that_the_clauses_speak_of() -> None:
    """A word that no clause has could not come to be known, and would prove nothing."""
    for claim in MODELS["CLAIMS"]:
        clauses = "".join([(FOLDER / name).read_text() for name in claim.files])
        for word in re.findall(r"\w+", claim.goal):
            assert re.search(rf"\b{word}\b", clauses), word
