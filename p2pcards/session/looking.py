"""What the person at this end may look at again of the hand that is on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from p2pcards.ledger.position import Position
from p2pcards.session.effects import CommandError
from p2pcards.session.own_seat import check_assist
from p2pcards.views.cast import Cast
from p2pcards.views.happenings import Happening
from p2pcards.views.memory import RECALLED, distribution, melds, recall, review

Look = Callable[[Position, Cast, Sequence[str]], Happening]


def looked(kind: str, position: Position, arguments: Sequence[str], cast: Cast) -> Happening:
    """kind: one of `LOOKS`. Raises CommandError where it is not allowed, or asked for in other words."""
    check_assist(position, "hint" if kind == "analyze" else kind)
    return LOOKS[kind](position, cast, arguments)


def _review(position: Position, cast: Cast, _arguments: Sequence[str]) -> Happening:
    return review(position, cast)


def _recall(position: Position, cast: Cast, arguments: Sequence[str]) -> Happening:
    what = " ".join(arguments).lower() or "both"
    if what not in RECALLED:
        raise CommandError(f"Cards are recalled by 'recall seen', 'recall unseen' or 'recall both', not {what[:20]!r}.")
    return recall(position, cast, what)


def _melds(position: Position, cast: Cast, _arguments: Sequence[str]) -> Happening:
    return melds(position, cast)


def _distribution(position: Position, cast: Cast, _arguments: Sequence[str]) -> Happening:
    return distribution(position, cast)


def _analyze(position: Position, cast: Cast, _arguments: Sequence[str]) -> Happening:
    if position.seat is None:
        raise CommandError("You are watching this game; there is no hand of yours to analyze.")
    from p2pcards.views.analysis import analyze  # it loads every game, and few ask

    return analyze(position, position.seat, cast)


LOOKS: dict[str, Look] = {
    "review": _review,
    "recall": _recall,
    "melds": _melds,
    "distribution": _distribution,
    "analyze": _analyze,
}
