"""What is compared by what is in it, and sent to another process, compiled or not: a deal is part of a state."""

from __future__ import annotations

from typing import Any

from p2pcards.games.deals.bits import Four, four


class Value:
    """Equal to another of its class that has the same in it. Code that keeps one makes a copy before it changes."""

    def made_with(self) -> tuple[Any, ...]:
        """Arguments with which its class makes one, whatever else is in it then."""
        raise NotImplementedError

    def parts(self) -> dict[str, Any]:
        """What is in it, by name. A compiled class has no dict, and tells its names so."""
        names = getattr(type(self), "__mypyc_attrs__", None) or vars(self)
        return {name: listed(getattr(self, name)) for name in sorted(names)}

    def key(self) -> tuple[Any, ...]:
        return tuple([tuple(part) if isinstance(part, list) else part for part in self.parts().values()])

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Value) and type(self) is type(other) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __reduce__(self) -> tuple[Any, ...]:
        return again, (type(self), self.made_with(), self.parts())


def again(kind: Any, arguments: tuple[Any, ...], parts: dict[str, Any]) -> Any:
    """What was taken apart, put together."""
    new = kind(*arguments)
    for name, part in parts.items():
        setattr(new, name, four(part) if isinstance(getattr(new, name), Four) else part)
    return new


def listed(part: Any) -> Any:
    """Masks of four seats as a list, as another process has them that is compiled or is not."""
    return list(part) if isinstance(part, Four) else part
