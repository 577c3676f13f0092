"""The players' kernels are compiled in the background as soon as a level that searches is asked for, and not before:
most of the processor that it takes is spent in vain for people who play against novices.

Where the program runs from its sources, `scripts/p2pcards` names what compiles them. Elsewhere they are compiled
already, or cannot be.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from p2pcards import games
from p2pcards.daemon.lock import is_held

COMPILER = "P2PCARDS_COMPILER"
"""Names the program that compiles them. It returns at once, and goes on at the lowest priority."""

TURN = Path(games.__file__).with_name("compiling.lock")
"""Held for as long as they are being compiled."""


def begin_compiling(environment: Mapping[str, str]) -> None:
    """Takes some milliseconds. Whatever goes wrong changes nothing but the speed of computer players."""
    if compiler := environment.get(COMPILER):
        with suppress(OSError):
            subprocess.run([compiler, "--quietly"], stdin=subprocess.DEVNULL, capture_output=True, check=False)


def compiling() -> bool:
    return is_held(TURN)
