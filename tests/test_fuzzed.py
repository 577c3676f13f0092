"""What was ever put into the doors for bytes of others, and inputs made from it: ten thousand, of the slow tests a
hundred thousand."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from p2pcards.views.tableview import TableView
from rigs.fuzzing import Fault, Visit, doors, mutated, put_in, read_corpus, shared

FOLDER = Path(__file__).parent / "fuzz"
INPUTS = [10_000, pytest.param(100_000, marks=pytest.mark.slow)]
CORPUS = read_corpus(FOLDER)


def test_every_door_has_inputs() -> None:
    assert set(CORPUS) == set(doors()) and all(CORPUS.values())
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) < 300_000


def test_a_fault_says_how_it_is_shown_again(monkeypatch: pytest.MonkeyPatch) -> None:
    visit = Visit(listens=True)
    put_in("listener", visit, b"\0\x92\x12\x05")
    monkeypatch.setattr(TableView, "__init__", None)
    with pytest.raises(Fault, match=r"listener raised .* after these were said: 00921205 00921206"):
        put_in("listener", visit, b"\0\x92\x12\x06")


@pytest.mark.parametrize("inputs", INPUTS)
@pytest.mark.parametrize("name", doors())
def test_nothing_but_a_refusal_comes_of_any_input(name: str, inputs: int) -> None:
    door, chance = doors()[name], Random(f"fuzz {name}")
    for data in CORPUS[name]:
        put_in(name, door, data)
    for _ in range(shared(inputs, list(CORPUS))[name]):
        put_in(name, door, mutated(chance, CORPUS[name]))
