"""What real programs say of the tables that they are at."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from rigs.giving_up import longest_wait
from rigs.program import MakeProgram, Program


def until(condition: Callable[[], Any]) -> Any:
    """What it gives, once that is something."""
    end = time.monotonic() + longest_wait()
    while not (found := condition()):
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.05)
    return found


def tables(one: Program) -> list[dict[str, Any]]:
    return list(one.data("status")["tables"])


def here(one: Program) -> list[str]:
    """Who is at the only table of this home, and connected."""
    (table,) = tables(one)
    return [person["name"] for person in table["people"] if person["link"] in ("you", "here")]


def playing(one: Program, *people: str) -> bool:
    """Whether these, and nobody else, are connected at the only table of this home, with the game on."""
    found = tables(one)
    return len(found) == 1 and found[0]["phase"] == "play" and here(one) == list(people)


def people(make_program: MakeProgram, *names: str) -> list[Program]:
    return [make_program(name.lower()).inside() for name in names]
