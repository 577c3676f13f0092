"""Work that is spread over processes, which may die, and over none."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from p2pcards.daemon.crew import ALONE, TRIES, Crew, WorkersDied, crew_of_processes, spread


def power(base: int, exponent: int) -> int:
    return int(base**exponent)


def note_and_die(notes: Path, deaths: int) -> str:
    """Dies so many times, and then says which process it is."""
    with notes.open("a") as file:
        file.write("x")
    if len(notes.read_text()) <= deaths:
        os.kill(os.getpid(), signal.SIGKILL)
    return str(os.getpid())


def nothing(number: int, answer: object) -> None:
    pytest.fail(f"{number}: {answer}")


def note_and_stay(notes: Path) -> None:
    notes.with_suffix(f".{os.getpid()}").touch()
    signal.pause()


async def answers(crew: Crew) -> dict[int, int]:
    found: dict[int, int] = {}
    await spread(crew, power, [(base, 3) for base in range(30)], found.__setitem__)
    return found


async def test_no_matter_who_does_it_the_answers_are_the_same_and_go_by_their_number() -> None:
    alone = await answers(ALONE)
    assert alone == {base: base**3 for base in range(30)}
    assert list(alone) == list(range(30))
    async with crew_of_processes(2) as crew:
        assert await answers(crew) == alone


async def test_nothing_is_asked_for_before_a_hand_is_free() -> None:
    asked: list[int] = []
    done: list[int] = []

    async def run(_: object, number: int) -> int:
        await trio.lowlevel.checkpoint()
        assert len(asked) - len(done) <= 2
        return number

    def items() -> Iterator[tuple[int]]:
        for number in range(9):
            asked.append(number)
            yield (number,)

    await spread(Crew(2, run), power, items(), lambda _, answer: done.append(answer))
    assert sorted(done) == asked == list(range(9))


async def test_a_process_that_dies_leaves_its_work_to_another(tmp_path: Path) -> None:
    notes, found = tmp_path / "notes", dict[int, str]()
    async with crew_of_processes(2) as crew:
        await spread(crew, note_and_die, [(notes, TRIES - 1)], found.__setitem__)
    assert found[0] != str(os.getpid())
    assert notes.read_text() == "x" * TRIES


async def test_work_at_which_every_process_dies_is_given_up(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    with pytest.RaisesGroup(WorkersDied):
        async with crew_of_processes(2) as crew:
            await spread(crew, note_and_die, [(notes, 100)], nothing)
    assert notes.read_text() == "x" * TRIES


async def test_a_worker_ends_when_it_is_not_wanted_any_more(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    with trio.CancelScope() as scope:
        async with crew_of_processes(2) as crew, trio.open_nursery() as nursery:
            nursery.start_soon(spread, crew, note_and_stay, [(notes,), (notes,)], nothing)
            while len(pids := [int(path.suffix[1:]) for path in tmp_path.iterdir()]) < 2:
                await trio.sleep(0.01)
            scope.cancel()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
