"""Real limits of the system, for a while."""

import resource
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest


@contextmanager
def _file_size_limit(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def file_size_limit() -> Callable[[int], AbstractContextManager[None]]:
    """No file can grow over this many bytes: the write that would fails, as on a full disk (Python ignores SIGXFSZ)."""
    return _file_size_limit
