"""The next state of a game or the next position, made quickly: nothing is done as often, and friends wait for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

__all__ = ["changed"]

T = TypeVar("T")

if TYPE_CHECKING:
    # So that the names and types of the changes are checked.
    from dataclasses import replace as changed
else:

    def changed(state: T, /, **changes: Any) -> T:
        """A copy of a frozen dataclass with some fields changed: like `dataclasses.replace`, in an eighth of the
        time."""
        new = object.__new__(type(state))
        new.__dict__.update(state.__dict__, **changes)
        return new
