"""Every signature is checked once in a file, however many machines check it."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from rigs.pure import SIGNATURES, remember_pure


@pytest.fixture(autouse=True, scope="module")
def signatures_are_remembered() -> Generator[None]:
    with pytest.MonkeyPatch.context() as patch:
        remember_pure(patch, SIGNATURES)
        yield
