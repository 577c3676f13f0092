"""What is compared by what is in it, and sent to another process, compiled or not: a deal is part of a state."""

from __future__ import annotations

from typing import Any

from p2pcards.games.deals.bits import Four, four_masks


class Value:
    """Equal to another of its class that has the same in it. Code that keeps one makes a copy before it changes."""

    def constructor_arguments(self) -> tuple[Any, ...]:
        """Positional arguments that construct an equal-shaped object; its other attributes are set afterwards."""
        raise NotImplementedError

    def attributes_by_name(self) -> dict[str, Any]:
        """Return all attributes by name, masks of four seats as lists. A compiled class has no dict and lists its names
        itself."""
        names = getattr(type(self), "__mypyc_attrs__", None) or vars(self)
        return {name: listed_masks(getattr(self, name)) for name in sorted(names)}

    def comparison_key(self) -> tuple[Any, ...]:
        """The attribute values as a hashable tuple, by which objects are compared."""
        return tuple([tuple(part) if isinstance(part, list) else part for part in self.attributes_by_name().values()])

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, Value) and type(self) is type(other) and self.comparison_key() == other.comparison_key()
        )

    def __hash__(self) -> int:
        return hash(self.comparison_key())

    def __reduce__(self) -> tuple[Any, ...]:
        return rebuild_value, (type(self), self.constructor_arguments(), self.attributes_by_name())


def rebuild_value(kind: Any, arguments: tuple[Any, ...], parts: dict[str, Any]) -> Any:
    """Unpickle a `Value`: construct it from its arguments, then set its attributes."""
    new = kind(*arguments)
    for name, part in parts.items():
        setattr(new, name, four_masks(part) if isinstance(getattr(new, name), Four) else part)
    return new


def listed_masks(part: Any) -> Any:
    """A `Four` as a plain list, which a process pickles whether or not it is compiled; anything else unchanged."""
    return list(part) if isinstance(part, Four) else part
