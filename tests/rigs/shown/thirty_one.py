"""Thirty-one: what is shown of it where files are made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from making.option_cases import Step, after, shuffled, what_then
from p2pcards.cards.card import parse_card
from p2pcards.games.drawing import Discard, Draw, Knock, Take
from p2pcards.games.options import header_values, with_values
from p2pcards.games.thirty_one import rules as thirty_one
from rigs.shown import Shown, Together, Until


def blitz_as_dealt(before: Any, state: Any) -> bool:
    return before.blitz is None and state.blitz is not None and not before.drawn and before.turns == 0


def blitz_after(took: bool) -> Until:
    """Thirty-one: a hand has become a blitz with a card from the discards, or from the stock."""
    return lambda before, state: (
        before.blitz is None and state.blitz is not None and before.drawn and (before.taken is not None) == took
    )


def instead_of_blitz(_state: Any, action: Any) -> Sequence[Any]:
    """Thirty-one: what somebody with a blitz may not do instead, and how they may not show it."""
    if not isinstance(action, thirty_one.Blitz):
        return ()
    if action.card is None:
        return Draw(), Take(), Knock()
    return Discard(action.card), thirty_one.Blitz()


def tied_on_honor() -> Iterator[dict[str, Any]]:
    """Thirty-one: three, of whom each is on their honor, tie for lowest in two hands, and are all that are left."""
    game = thirty_one.GAME
    options = with_values(game.options(), {"starting_points": 1})
    low, alike = ("2C 3C 4C", "2D 3D 4D", "2H 3H 4H", "2S 3S 4S"), ("5C 6C 7C", "5D 6D 7D", "5H 6H 7H", "5S 6S 7S")
    steps: list[Step] = [["draw", bytes(game.pack(options)).hex()]]
    state = after(game, game.start(options, None), steps[0])
    for loser in (True, True, False, False):
        order = [seat for seat in range(1, 5) if state.scores[(state.dealer + seat) % 4] >= 0]
        seats = [(state.dealer + seat) % 4 for seat in order]
        hands = [(low if loser and seat == 0 else alike)[seat].split() for seat in seats]
        top = {i + len(seats) * k: parse_card(hands[i][k]) for i in range(len(seats)) for k in range(3)}
        made: list[Step] = [["deal", bytes(shuffled(game.pack(options), top, Random(0))).hex()], [seats[0], 3]]
        made += [[seat, 4] for seat in seats[1:]]
        for step in made:
            state = after(game, state, step)
        steps += [*made, ["scores", list(state.scores)]]
    steps.append(["then", *what_then(state)])
    assert len(state.winners) == 3
    what = "three who are on their honor tie for lowest, and share the game"
    yield {"what": what, "told": [], "options": header_values(options), "steps": steps}


SHOWN = Shown(
    held={"blitz": "AS KS QS", "dealt": "AS KS TS", "taken": "2C AS KS", "drawn": "2C AS KS"},
    drawn={"taken": (12, "TS"), "drawn": (13, "TS")},
    together=(
        Together("a blitz as it was dealt", {}, (), blitz_as_dealt, "dealt", barred=instead_of_blitz),
        Together("a blitz with a card from the stock", {}, (), blitz_after(False), "drawn", barred=instead_of_blitz),
        Together("a blitz with a card from the discards", {}, (), blitz_after(True), "taken", barred=instead_of_blitz),
    ),
    more=tied_on_honor,
)
