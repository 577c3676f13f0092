"""The files of protocol/vectors/options: for each game one case for every value of every option, and a few for
values that change one another.

protocol/vectors/README.md says how to read them. A case is looked for: games are played, under the value and under all
others of the option at once, until something is allowed, refused or scored under the value and not under the others.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any

from making.option_cases import ASTRAY, Step, action_step, after, fault, shuffled, values_of, what_then
from p2pcards.cards.card import Card, parse_card
from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.game import AnyGame, Stage
from p2pcards.games.options import OptionError, declared_options, header_values, options_from_header, with_values
from p2pcards.games.registry import GAMES
from p2pcards.players.choose import choose, choose_at_random
from rigs.shown import Barred, Chosen, Until, as_it_comes, nothing, shown_of

TRIES = {1: 100, 2: 60, 4: 60, 12: 60, 40: 40}
"""How many games are tried, by the hands that they may have."""
SKILL = 0.8
"""How often a novice chooses: to some rules chance alone does not come, to others a novice does not."""


@dataclass(frozen=True)
class Deals:
    """How a game is played for a case. top: cards by their places in the pack; hands: how many it may have at most;
    strict, barred: as in `Together`; chosen: as in `Shown`."""

    top: Mapping[int, Card]
    hands: int
    strict: bool
    barred: Barred
    chosen: Chosen
    rng: Random


def files() -> Mapping[str, Callable[[], str]]:
    return {f"{key}.json": partial(page, game) for key, game in GAMES.items()}


def page(game: AnyGame) -> str:
    """All cases of a game, one a line."""
    return "[\n" + ",\n".join([json.dumps(case, separators=(",", ":")) for case in cases(game)]) + "\n]\n"


def fault_of(name: str, text: str) -> str:
    """What is wrong with the cases of a file, "" where they show every value of every option. They are not looked for
    again: any game that shows a value will do."""
    game = GAMES[name.removesuffix(".json")]
    there = json.loads(text)
    for option in declared_options(game.options):
        shown = [case["value"] for case in there if case.get("option") == option.key]
        if shown != list(values_of(option)):
            return f"the values of {option.key} that it shows are {shown}."
    for case in there:
        options = options_from_header(game.options, case["options"])
        if told := fault(game, options, case["steps"]):
            return f"the case of {case.get('option', case.get('what'))} cannot be played over. {told}"
    return ""


def cases(game: AnyGame) -> Iterator[dict[str, Any]]:
    shown = shown_of(game.key)
    for option in declared_options(game.options):
        base = with_values(game.options(), shown.beside.get(option.key, {}))
        variants = [(value, with_options(base, {option.key: value})) for value in values_of(option)]
        for value, options in variants:
            rivals = [other for _, other in variants if other not in (options, None)]
            if option.key in shown.alone:
                rivals = []
            steps = look_for(game, options, rivals, option.key)
            yield {"option": option.key, "value": value, "options": header_values(options), "steps": steps}
    for one in shown.together:
        options = with_values(game.options(), one.values)
        rivals = [replace(options, **{key: getattr(game.options(), key)}) for key in one.told]
        steps = look_for(game, options, rivals, one.held, one.until, one.strict, one.barred)
        yield {"what": one.what, "told": one.told, "options": header_values(options), "steps": steps}
    yield from shown.more()
    if any(option.kind == "flag" for option in declared_options(game.options)):
        options = all_on(game)
        steps = look_for(game, options, [], "")
        yield {"what": "every flag on", "told": [], "options": header_values(options), "steps": steps}


def all_on(game: AnyGame) -> Any:
    """Every flag on that goes with those before it."""
    options = game.options()
    for option in declared_options(game.options):
        if option.kind == "flag":
            options = with_options(options, {option.key: True}) or options
    return options


def with_options(options: Any, values: Mapping[str, Any]) -> Any:
    """The options with these values; None where they do not go together."""
    try:
        return with_values(options, values)
    except OptionError:
        return None


def look_for(
    game: AnyGame,
    options: Any,
    rivals: Sequence[Any],
    held: str,
    until: Until = lambda _before, _state: True,
    strict: bool = False,
    barred: Barred = nothing,
) -> list[Step]:
    """The steps of a game that can be taken with these options alone, of few hands if there is one."""
    chosen = shown_of(game.key).chosen.get(held, as_it_comes)
    for hands, tries in TRIES.items():
        for number in range(tries):
            deals = Deals(stacked(game, options, held), hands, strict, barred, chosen, Random(f"{game.key} {number}"))
            steps = played(game, options, rivals, until, deals)
            if steps and all(fault(game, other, steps) for other in rivals):
                return steps
    raise SystemExit(f"{game.key}: nothing tells {options} from {rivals}.")


def played(game: AnyGame, options: Any, rivals: Sequence[Any], until: Until, deals: Deals) -> list[Step]:
    """The steps up to the end of the hand in which all rivals have been left behind, and what is waited for has come;
    none if that takes too many hands."""
    state, due = game.start(options, None), False
    steps: list[Step] = []
    alike = [game.start(other, None) for other in rivals]
    while True:
        if state.stage is Stage.OVER or (state.stage is Stage.DEAL and state.hand and due and not alike):
            return [*steps, ["then", *what_then(state)]] if due else []
        if state.stage is Stage.DEAL and state.hand == deals.hands:
            return []
        made = steps_from(game, state, alike, deals)
        before = state
        for step in made:
            state = after(game, state, step)
        if state.scores != before.scores:
            made.append(["scores", list(state.scores)])
        due = due or until(before, state)
        alike = [follower for other in alike if (follower := following(game, other, made)) is not None]
        steps += made


def steps_from(game: AnyGame, state: Any, alike: Sequence[Any], deals: Deals) -> list[Step]:
    """A deal; or an action, before it what is refused though others would allow it."""
    rng = deals.rng
    if state.stage is Stage.DEAL:
        order = shuffled(game.pack(state.options), deals.top if state.dealer is not None else {}, rng)
        return [["draw" if state.dealer is None else "deal", bytes(order).hex()]]
    seat = rng.choice(state.to_act)
    legal = game.legal(state, seat)
    theirs = [dict.fromkeys(game.legal(other, seat)) for other in alike if seat in other.to_act]
    allowed = set(legal)
    barred = [action for others in theirs for action in others if action not in allowed][:1]
    own = [action for others in theirs for action in legal if action not in others]
    action = deals.chosen(state, seat) or (rng.choice(own) if own else usual(game, state, seat, legal, rng))
    if deals.strict and "card" in action.__dataclass_fields__:
        barred += [one for card in state.hands[seat].cards if (one := replace(action, card=card)) not in allowed][:1]
    barred += deals.barred(state, action)
    return [*[["refused", *action_step(game, seat, one)] for one in barred], action_step(game, seat, action)]


def usual(game: AnyGame, state: Any, seat: int, legal: Sequence[Any], rng: Random) -> Any:
    if rng.random() < SKILL:
        return choose(game, redact(state, eyes_of_viewer(seat)), seat, "novice", rng)
    return choose_at_random(game, legal, rng)


def following(game: AnyGame, state: Any, steps: Sequence[Step]) -> Any:
    """The state of another game after these steps, None where one of them cannot be taken."""
    try:
        for step in steps:
            state = after(game, state, step)
    except ASTRAY:
        return None
    return state


def stacked(game: AnyGame, options: Any, held: str) -> dict[int, Card]:
    """Cards by their places in the pack, where a hand that is hard to come by is wanted."""
    shown, seats = shown_of(game.key), game.seats(options)
    hand = shown.held.get(held, "").split()
    places = [i for i in range(len(hand) * seats) if i // shown.packet % seats == 0]
    top = {place: parse_card(word) for place, word in zip(places, hand, strict=False)}
    if held in shown.drawn:
        place, word = shown.drawn[held]
        top[place] = parse_card(word)
    return top
