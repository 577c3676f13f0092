"""One task at a time, where a second one would be a mistake."""

from collections.abc import Iterator
from contextlib import contextmanager

import trio


@contextmanager
def alone(lock: trio.Lock, doing: str) -> Iterator[None]:
    """Holds the lock; another task gets BusyResourceError, in which `doing` says what is being done."""
    try:
        lock.acquire_nowait()
    except trio.WouldBlock:
        raise trio.BusyResourceError(f"another task is {doing}") from None
    try:
        yield
    finally:
        lock.release()
