"""What every value of every option is shown by: cases that are played over step by step, and what stands in them.

protocol/vectors/README.md says what a step is. A case is told from the same game with another value by any step that
cannot be taken there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from p2pcards.cards.card import Card
from p2pcards.games.game import AnyGame, IllegalAction, Seat, Stage
from p2pcards.games.naming import verify_sent
from p2pcards.games.options import Option, Value
from p2pcards.wire.packing import Refused, decode_action, encode_action

Step = list[Any]

ASTRAY = (IllegalAction, Refused, ValueError, LookupError)
"""What a step raises that cannot be taken."""


def values_of(option: Option) -> tuple[Value, ...]:
    """Every value of a flag or a choice; of a number the least, the greatest, and the default or one between."""
    if option.kind == "flag":
        return False, True
    if option.kind == "choice":
        return option.choices
    inside = option.low < int(option.default) < option.high
    between = int(option.default) if inside else (option.low + option.high) // 2
    return tuple(dict.fromkeys((option.low, between, option.high)))


def fault(game: AnyGame, options: Any, steps: Sequence[Step]) -> str:
    """Why these steps cannot be taken in a game with these options, as a sentence; "" where they can."""
    state = game.start(options, None)
    for number, step in enumerate(steps, 1):
        try:
            state = after(game, state, step)
        except ASTRAY as wrong:
            return f"Step {number} ({step}): {wrong}."
    return ""


def after(game: AnyGame, state: Any, step: Step) -> Any:
    """The state after a step. Raises one of ASTRAY where it cannot be taken."""
    kind, *rest = step
    if kind in ("draw", "deal"):
        pack = tuple(map(Card, bytes.fromhex(rest[0])))
        _must(state.stage is Stage.DEAL, "nothing is dealt now")
        _must((kind == "draw") == (state.dealer is None), "it is the other pack that is needed")
        _must(sorted(pack) == sorted(game.pack(state.options)), "this is not the pack")
        return shown(game, game.play(state, game.deal(state, pack, pack)))
    if kind == "scores":
        _must(list(state.scores) == rest[0], f"the scores are {state.scores}")
    elif kind == "then":
        _must(what_then(state) == rest, f"it is {what_then(state)}")
    elif kind == "refused":
        seat, action = _action(game, rest)
        _must(seat in state.to_act, f"seat {seat} does not act")
        _must(action not in game.legal(state, seat), "it is legal")
        _must_refuse(game, state, seat, action)
    else:
        seat, action = _action(game, [kind, *rest])
        _must(state.stage is Stage.PLAY and seat in state.to_act, f"seat {seat} does not act")
        verify_sent(game, state, seat, action)
        return shown(game, game.play(state, game.decide(state, seat, action)))
    return state


def _must(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)


def _must_refuse(game: AnyGame, state: Any, seat: Seat, action: Any) -> None:
    try:
        verify_sent(game, state, seat, action)
    except IllegalAction:
        return
    raise ValueError("it is taken")


def shown(game: AnyGame, state: Any) -> Any:
    """The state once the dealer has shown all that is to be shown."""
    while state.stage is Stage.SHOW:
        state = game.play(state, game.show(state))
    return state


def what_then(state: Any) -> Step:
    """How a case ends: who is to deal, who are to act, or who has won."""
    if state.stage is Stage.DEAL:
        return ["deal", state.dealer]
    return ["over", list(state.winners)] if state.stage is Stage.OVER else ["play", list(state.to_act)]


def action_step(game: AnyGame, seat: Seat, action: Any) -> Step:
    number, fields = encode_action(game, action)
    return [seat, number, *[_to_json(field) for field in fields]]


def _action(game: AnyGame, step: Sequence[Any]) -> tuple[Seat, Any]:
    seat, number, *fields = step
    return seat, decode_action(game, number, tuple([_from_json(field) for field in fields]))


def _to_json(field: Any) -> Any:
    """Cards are hexadecimal, and lists of them lists."""
    if isinstance(field, bytes):
        return field.hex()
    return [_to_json(part) for part in field] if isinstance(field, tuple) else field


def _from_json(field: Any) -> Any:
    if isinstance(field, str):
        return bytes.fromhex(field)
    return tuple([_from_json(part) for part in field]) if isinstance(field, list) else field


def shuffled(pack: Sequence[Card], top: Mapping[int, Card], rng: Random) -> list[Card]:
    """The pack in some order, with these cards in their places."""
    rest = list(pack)
    for card in top.values():
        rest.remove(card)
    rng.shuffle(rest)
    for place in sorted(top):
        rest.insert(place, top[place])
    return rest
