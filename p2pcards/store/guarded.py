"""The guard around each file that comes from anywhere, such as the log of a game: a fault inside p2pcards while one is
read is noted, and costs that file or that command."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
D = TypeVar("D")

READERS: dict[str, Callable[..., Any]] = {}
"""Every guarded reader by its name, such as `store.logs.parse_log`: a test raises an exception in place of each."""

note_fault: ContextVar[Callable[[str, Exception], None] | None] = ContextVar("note_fault", default=None)
"""Takes the name of the reader and the fault; None where there are no diagnostics."""

FAULT = "This version of p2pcards can't handle something in it ({kind})."


def guarded(
    refuse: Callable[[str], Exception], *refusals: type[Exception]
) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A decorator for readers of files: any exception but the refusals (StoreError among them) becomes
    `refuse(sentence)`, and is noted as a fault."""

    from p2pcards.store.files import StoreError  # --help sets `note_fault`, and need not wait for this

    passed: tuple[type[Exception], ...] = (StoreError, *refusals)

    def guard(read: Callable[P, T]) -> Callable[P, T]:
        """The reader with its faults turned into refusals."""
        name = _register_reader(read)

        @wraps(read)
        def reader(*arguments: P.args, **named: P.kwargs) -> T:
            """Read; other exceptions than refusals become one."""
            try:
                return READERS[name](*arguments, **named)  # type: ignore[no-any-return]
            except passed:
                raise
            except Exception as fault:
                _note_fault(name, fault)
                raise refuse(FAULT.format(kind=type(fault).__name__)) from fault

        return reader

    return guard


def one_of_many(default: D, *passed: type[Exception]) -> Callable[[Callable[P, T]], Callable[P, T | D]]:
    """A decorator for readers of files: returns the default instead of raising, except for the exceptions passed on;
    faults are noted."""

    def guard(read: Callable[P, T]) -> Callable[P, T | D]:
        """The reader with its faults and refusals turned into the default."""
        name = _register_reader(read)

        @wraps(read)
        def reader(*arguments: P.args, **named: P.kwargs) -> T | D:
            """Read; the default for any exception that is not passed on."""
            try:
                return READERS[name](*arguments, **named)  # type: ignore[no-any-return]
            except passed:
                raise
            except Exception as fault:
                if not _is_refusal(fault):
                    _note_fault(name, fault)
                return default

        return reader

    return guard


def _register_reader(read: Callable[..., Any]) -> str:
    """Register a guarded reader under its qualified name, and return that name."""
    name = f"{read.__module__.removeprefix('p2pcards.')}.{read.__qualname__}"
    READERS[name] = read
    return name


def _is_refusal(error: Exception) -> bool:
    """True for a StoreError or Refused, which is no fault of the program."""
    from p2pcards.store.files import StoreError
    from p2pcards.wire.packing import Refused  # it brings the cards and the games with it

    return isinstance(error, StoreError | Refused)


def _note_fault(name: str, fault: Exception) -> None:
    """Report a fault in a reader to the daemon's diagnostics, if there are any."""
    if note := note_fault.get():
        note(name, fault)
