"""A law that is put to many cases: to each in one test; or in a plain run to some, spread over all of them, and with
--slow to every one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar

import pytest
from _pytest.mark import ParameterSet

if TYPE_CHECKING:  # a browser's Python has none, and runs tests without properties
    from hypothesis import settings

T = TypeVar("T")
PLAIN = 100
"""Examples of a property in a plain run; more are asked for with --slow."""


def every_nth(step: int, cases: Iterable[Any]) -> list[ParameterSet]:
    """For parametrize: the first of every `step` cases is tried in a plain run. A tuple holds several arguments."""
    rows = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [pytest.param(*row, marks=() if n % step == 0 else pytest.mark.slow) for n, row in enumerate(rows)]


def spread(step: int, cases: Sequence[T], kind: Callable[[T], Hashable]) -> list[T]:
    """One case in `step` of every kind, the first of each among them, in the order of their kinds."""
    by_kind = sorted(cases, key=lambda case: str(kind(case)))
    return [case for _, alike in groupby(by_kind, key=kind) for case in list(alike)[::step]]


def examples(plain: int, slow: int = 0) -> settings:
    """How many examples of a property that is dear, or put to each of many kinds, are drawn. slow: with --slow, where
    that is not what every property gets there."""
    from hypothesis import settings

    usual = settings().max_examples
    return settings(max_examples=plain if usual <= PLAIN else slow or usual)


@contextmanager
def naming(case: object) -> Iterator[None]:
    """Whatever fails in it says for which case."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"The case: {case}")
        raise
