"""All orders in which three people whose host may be cut off open hands, check them, and go on elsewhere: hands of two
branches never count both. tests/rigs/branching.py has what they may do."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from p2pcards.ledger import branches
from p2pcards.ledger.position import Position
from rigs.branching import SearchBounds, explore

pytestmark = pytest.mark.no_cover


@pytest.mark.parametrize(
    ("depth", "bounds", "least"),
    [
        (14, SearchBounds(), 100_000),
        pytest.param(18, SearchBounds(), 500_000, marks=pytest.mark.slow),
        pytest.param(14, SearchBounds(logs=3, cuts=3), 500_000, marks=pytest.mark.slow),
    ],
)
def test_hands_of_two_branches_never_count(
    depth: int, bounds: SearchBounds, least: int, capsys: pytest.CaptureFixture[str]
) -> None:
    explored = explore(depth, bounds)
    assert explored.fork is None, "\n".join(explored.fork or ())
    assert explored.worlds > least
    with capsys.disabled():
        print(f" {explored.worlds} states in up to {depth} steps ", end="")


def anybody(keys: frozenset[bytes], quorum: frozenset[bytes]) -> bool:
    return bool(keys & quorum)


def any_base(bases: Sequence[Position], _hand: int) -> list[Position]:
    return list(bases)


def all_at_once(_quorum: frozenset[bytes], present: frozenset[bytes]) -> frozenset[bytes]:
    return present


@pytest.mark.parametrize(
    ("name", "mutant"),
    [("is_majority", anybody), ("bases_after_check", any_base), ("quorum_after", all_at_once)],
    ids=["anybody decides", "the hand that was checked is forgotten", "many leave those who decide at once"],
)
def test_each_rule_is_needed(name: str, mutant: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branches, name, mutant)
    explored = explore(14, SearchBounds())
    assert explored.fork is not None and len(explored.fork) > 3
