"""All orders in which two or three people whose host may be cut off open hands, check them, and go on elsewhere: hands
of two branches never count both. tests/rigs/branching.py has what they may do."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from p2pcards.ledger import branches
from p2pcards.ledger.position import Position
from p2pcards.wire.records import Header
from rigs.branching import SearchBounds, explore

pytestmark = pytest.mark.no_cover
OF_TWO = SearchBounds(people=2, hands=3, cuts=3, host_away=True)


@pytest.mark.parametrize(
    ("depth", "bounds", "least"),
    [
        (14, SearchBounds(), 100_000),
        (14, OF_TWO, 100_000),
        pytest.param(18, SearchBounds(), 500_000, marks=pytest.mark.slow),
        pytest.param(14, SearchBounds(logs=3, cuts=3), 500_000, marks=pytest.mark.slow),
        pytest.param(14, SearchBounds(host_away=True), 500_000, marks=pytest.mark.slow),
        pytest.param(13, SearchBounds(people=2, hands=3, logs=3, host_away=True), 200_000, marks=pytest.mark.slow),
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


def begun_alone(header: Header) -> bool:
    return header.quorum is None


def of_two_without_its_rule(_header: Header) -> bool:
    return False


def with_anybody(_position: Position, keys: frozenset[bytes]) -> bool:
    return bool(keys)


@pytest.mark.parametrize(
    ("mutants", "bounds"),
    [
        ({"is_majority": anybody}, SearchBounds()),
        ({"bases_after_check": any_base}, SearchBounds()),
        ({"quorum_after": all_at_once}, SearchBounds()),
        ({"is_game_of_two": begun_alone}, SearchBounds()),
        ({"is_game_of_two": of_two_without_its_rule, "is_enough": with_anybody}, OF_TWO),
    ],
    ids=[
        "anybody decides",
        "the hand that was checked is forgotten",
        "many leave those who decide at once",
        "a coordinator who began is enough among three",
        "one of the two leaves those who decide",
    ],
)
def test_each_rule_is_needed(mutants: dict[str, object], bounds: SearchBounds, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, mutant in mutants.items():
        monkeypatch.setattr(branches, name, mutant)
    explored = explore(14, bounds)
    assert explored.fork is not None and len(explored.fork) > 3
