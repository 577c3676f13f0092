"""Choosing by trying out: every choice in the same imagined worlds, and more often those that do well."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from math import sqrt
from random import Random
from typing import Any, NamedTuple, TypeVar

from p2pcards.games.deals.bits import Chance
from p2pcards.games.deals.ending import Ending
from p2pcards.games.deals.likely import Chain
from p2pcards.games.deals.position import Deadline, SearchPosition, TooLong, finish_by_rules_of_thumb
from p2pcards.games.deals.search import MISHAPS, Trial, is_clearly_ahead, try_out
from p2pcards.games.game import Action, Seat
from p2pcards.games.names import GAME_NAMES
from p2pcards.games.parts import load_part
from p2pcards.games.seen.reading import Reading, Recount
from p2pcards.games.telling import Skill, is_searched
from p2pcards.views.advice import Rated

T = TypeVar("T")
Steps = Generator[None, None, T]
"""Something that takes a while and comes to T. With a deadline it stops after each world, and can be left there."""
Reader = Callable[[Any, Seat], Reading]


def _reader_of_game(key: str) -> Reader:
    """The function that reads views of a game for a search; its module is loaded when first called."""

    def read(view: Any, seat: Seat) -> Reading:
        found: Reading = load_part(key, "seen")(view, seat)
        return found

    return read


READERS: dict[str, Reader] = {key: _reader_of_game(key) for key in GAME_NAMES if is_searched(key)}
"""By game what reads a seat's view of it: `games/KEY/seen.py`; a game without one is searched by no level."""

WORLDS = 400
"""At the most, as more tell little that is new."""
NEAR = 500_000
"""So many positions are worth an ending that is only near; of so many choices, FEW, as each comes to another one."""
FEW = 4
FEWEST = 20
"""Fewer worlds than these tell less than hands played by rules of thumb in many."""
ALL = 8
"""How many times as many positions are looked at to tell the worth of every choice."""
CALLS = 6
"""Calls compared under the same play, beside that of rules of thumb."""
LONGEST = 16
"""Moves of an action, at the most."""
PARTS = 4
"""An exact search may use one such part of the time left, as it often comes to nothing."""


def run_to_end(steps: Steps[T]) -> T:
    """Run steps to their end without a pause, and return their result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: T = end.value
            return found


def choose_by_rules_of_thumb(reading: Reading, rng: Random) -> Action:
    """The action that the rules of thumb of the deal choose, which count the cards that have been played."""
    return reading.choices[place_of_rule_of_thumb(reading, Chance(rng.getrandbits(62) + 1)) or 0]


def rate_choices(reading: Reading, seat: Seat, skill: Skill, rng: Random) -> tuple[Rated, ...]:
    """Every choice: what is chosen first, the others by their worth. Hands are played to their end in rounds; the worse
    half of the choices is left out after each (sequential halving: Karnin, Koren and Somekh, 2013), and stands with
    what it had. What rules of thumb choose stays to the end, and is exchanged only for what is clearly ahead of it."""
    return run_to_end(rate_choices_in_steps(reading, seat, skill, rng))


def rate_choices_in_steps(
    reading: Reading, seat: Seat, skill: Skill, rng: Random, deadline: Deadline | None = None
) -> Steps[tuple[Rated, ...]]:
    """Like `rate_choices`, in steps; only the choice of the rules of thumb, untried, where the deadline leaves no time
    for one world."""
    choices = list(reading.choices)
    if len(choices) == 1:
        return (Rated(choices[0]),)
    chance = Chance(rng.getrandbits(62) + 1)
    by_thumb = place_of_rule_of_thumb(reading, chance)
    thumb = by_thumb or 0
    order = [thumb, *[number for number in range(len(choices)) if number != thumb]]
    trials = {number: Trial(list(reading.moves(choices[number]))) for number in order}
    hands = dict.fromkeys(order, 0)
    chain = chain_of_worlds(reading, deadline)
    rounds, worlds = (len(choices) - 1).bit_length(), 0
    for _ in range(rounds):
        for _ in range(max(1, skill.playouts // rounds // len(order))):
            try:
                world = chain.next_world(chance)
                try_out(world, seat, [trials[number] for number in order], chance, skill.nested, deadline)
            except TooLong:
                break
            worlds += 1
            if deadline is not None:
                yield
        hands.update(dict.fromkeys(order, worlds))
        others = sorted(order[1:], key=lambda number: -trials[number].total)
        order = [thumb, *others[: len(order) // 2]]
    if not worlds:
        return (Rated(choices[thumb], obvious=by_thumb is not None),)
    best = max(order, key=lambda number: trials[number].total)
    chosen = best if trials[best].is_clear(worlds) else thumb
    usual = trials[thumb].points / worlds
    found = {
        number: _rated_of_trial(choices[number], trial, hands[number], usual, obvious=number == by_thumb)
        for number, trial in trials.items()
    }
    first = found.pop(chosen)
    return (first, *sorted(found.values(), key=lambda one: -one.worth))


def _rated_of_trial(choice: Action, trial: Trial, hands: int, usual: float, *, obvious: bool) -> Rated:
    """usual: what the hand comes to by the rules of thumb, over all worlds; a choice is measured against them in the
    same worlds, so that it makes no difference how lucky those were in which it was tried."""
    lead = trial.ahead / hands
    error = sqrt(max(0.0, trial.spread / hands - lead * lead) / hands)
    return Rated(choice, usual + lead, error, hands, tuple(trial.mishaps), obvious)


def rate_calls_in_same_play(
    reading: Reading,
    seat: Seat,
    weighed: tuple[Rated, ...],
    recount: Recount,
    playouts: int,
    rng: Random,
    deadline: Deadline | None = None,
) -> Steps[tuple[Rated, ...]]:
    """Calls compared under the same play afterwards, for a hint. Rules of thumb play differently after another call,
    which is no merit of the call: so each is counted in the hands that follow the others too, and is worth the best of
    these ways to play on. A call that the play itself depends on, such as Nil, is counted in its own hands alone. The
    choice of rules of thumb is exchanged as in `rate_choices`. recount: as in `Reading`."""
    calls = list(weighed[:CALLS])
    calls += [one for one in weighed[CALLS:] if one.obvious]
    thumb = next((number for number, one in enumerate(calls) if one.obvious), None)
    if thumb is None or len(calls) < 2 or not calls[0].hands:
        return weighed
    counted = yield from _count_calls_in_worlds(
        reading, seat, calls, recount, max(1, playouts // len(calls)), rng, deadline
    )
    if not counted[thumb]:
        return weighed
    best = [max(ways, key=lambda hands: sum([one.merit for one in hands])) for ways in counted]
    told = [_rated_of_call(call, hands, best[thumb]) for call, hands in zip(calls, best, strict=True)]
    first = max(range(len(calls)), key=lambda number: sum([one.merit for one in best[number]]))
    chosen = told.pop(first if _is_clearly_ahead(best[first], best[thumb]) else thumb)
    return (chosen, *sorted(told, key=lambda one: -one.worth))


def _count_calls_in_worlds(
    reading: Reading,
    seat: Seat,
    calls: Sequence[Rated],
    recount: Recount,
    most: int,
    rng: Random,
    deadline: Deadline | None,
) -> Steps[list[list[list[_Counted]]]]:
    """By call and way to play on, how the call counted in each of the same worlds. most: how many worlds."""
    chance, chain = Chance(rng.getrandbits(62) + 1), chain_of_worlds(reading, deadline)
    trials = [Trial(list(reading.moves(one.action))) for one in calls]
    counted: dict[tuple[int, int], list[_Counted]] = {}
    for _ in range(most):
        try:
            hands = _play_after_each(chain.next_world(chance), trials, chance, deadline)
        except TooLong:
            break
        for way, hand in enumerate(hands):
            counted.setdefault((way, way), []).append(_counted_hand(hand, seat))
            for call, one in enumerate(calls):
                if call != way and recount(hand, seat, one.action):
                    counted.setdefault((call, way), []).append(_counted_hand(hand, seat))
        if deadline is not None:
            yield
    ways = range(len(calls))
    return [[counted[call, way] for way in ways if (call, way) in counted] for call in ways]


def _play_after_each(
    world: SearchPosition, trials: Sequence[Trial], chance: Chance, deadline: Deadline | None
) -> list[SearchPosition]:
    """This world after each call, played to its end. Raises TooLong."""
    hands = []
    for trial in trials:
        if deadline is not None:
            deadline.raise_if_over()
        hand = trial.world_after_choice(world)
        finish_by_rules_of_thumb(hand, chance)
        hands.append(hand)
    return hands


class _Counted(NamedTuple):
    """A hand that was played to its end, as a call counts it."""

    merit: int
    worth: int
    mishaps: int


def _counted_hand(hand: SearchPosition, seat: Seat) -> _Counted:
    return _Counted(hand.final_merit(seat), hand.final_worth(seat), hand.mishap_bits(seat))


def _rated_of_call(call: Rated, hands: Sequence[_Counted], usual: Sequence[_Counted]) -> Rated:
    leads = [one.worth - other.worth for one, other in zip(hands, usual, strict=True)]
    number = len(hands)
    lead = sum(leads) / number
    error = sqrt(max(0.0, sum([one * one for one in leads]) / number - lead * lead) / number)
    mishaps = tuple([sum([one.mishaps >> place & 1 for one in hands]) for place in range(MISHAPS)])
    return Rated(call.action, sum([one.worth for one in hands]) / number, error, number, mishaps, call.obvious)


def _is_clearly_ahead(hands: Sequence[_Counted], usual: Sequence[_Counted]) -> bool:
    """Return whether hands are ahead of the usual ones by more than chance explains."""
    leads = [one.merit - other.merit for one, other in zip(hands, usual, strict=True)]
    return is_clearly_ahead(len(leads), sum(leads), sum([one * one for one in leads]))


def exact_choice(
    reading: Reading, seat: Seat, nodes: int, rng: Random, deadline: Deadline | None = None
) -> Action | None:
    """The action that does best when all play the rest of the hand exactly, in every world alike; None where the hand
    is not near its end. nodes: how many positions are looked at in all worlds, which are drawn until these are used up
    or there have been `WORLDS`. What rules of thumb choose is exchanged as in `rate_choices`."""
    if len(reading.choices) == 1:
        return reading.choices[0]
    found = _solve_exactly(reading, seat, nodes, rng, deadline)
    return found and reading.choices[found.chosen]


def rate_exactly(
    reading: Reading, seat: Seat, nodes: int, rng: Random, deadline: Deadline | None = None
) -> tuple[Rated, ...] | None:
    """The action that `exact_choice` chooses, then the other choices by their worth in points; alone where it takes too
    long to tell the worth of every one."""
    choices = reading.choices
    if len(choices) == 1:
        return (Rated(choices[0]),)
    found = _solve_exactly(reading, seat, nodes, rng, deadline)
    if found is None:
        return None
    chosen = found.chosen
    if reading.position.race is not None:
        found = _solve_exactly(_read_for_points(reading), seat, nodes, rng, deadline)
        if found is None:
            return (Rated(choices[chosen]),)
    trials, worlds = found.trials, found.worlds
    if found.known is not None:
        try:
            ending = Ending(ALL * nodes, deadline)
            worths = [trial.exact_worth_after(found.known, seat, ending) for trial in trials]
        except TooLong:
            return (Rated(choices[chosen]),)
        _count_world(trials, worths, found.thumb)
    usual = trials[found.thumb].points / worlds
    told = [
        _rated_of_trial(choices[number], trial, worlds, usual, obvious=number == found.thumb)
        for number, trial in enumerate(trials)
    ]
    first = told.pop(chosen)
    return (first, *sorted(told, key=lambda one: -one.worth))


def _read_for_points(reading: Reading) -> Reading:
    """The same reading, played for points whatever they do for the game."""
    position = reading.position.copy()
    position.set_race(None)
    return replace(reading, position=position)


class _Exact(NamedTuple):
    """Places among the choices. known: the one world that there is; the trials are not counted in it."""

    chosen: int
    thumb: int
    trials: list[Trial]
    worlds: int
    known: SearchPosition | None = None


def _solve_exactly(
    reading: Reading, seat: Seat, nodes: int, rng: Random, deadline: Deadline | None = None
) -> _Exact | None:
    chance = Chance(rng.getrandbits(62) + 1)
    deadline = deadline and deadline.earlier_deadline(PARTS)
    ending = Ending(nodes, deadline)
    thumb = place_of_rule_of_thumb(reading, chance) or 0
    trials = [Trial(list(reading.moves(choice))) for choice in reading.choices]
    if reading.worlds.number == 1:
        return _solve_known_world(random_world(reading, chance), seat, trials, thumb, ending)
    chain, worlds = chain_of_worlds(reading, deadline), 0
    while worlds < WORLDS:
        try:
            world = chain.next_world(chance)
            if not world.sides_in_ending() and not (world.is_near_ending() and nodes >= NEAR):
                return None
            worths = [trial.exact_worth_after(world, seat, ending) for trial in trials]
        except TooLong:
            break
        _count_world(trials, worths, thumb)
        worlds += 1
    if worlds < FEWEST:
        return None
    best = max(range(len(trials)), key=lambda number: trials[number].total)
    return _Exact(best if trials[best].is_clear(worlds) else thumb, thumb, trials, worlds)


def keep_best_few(reading: Reading, seat: Seat, skill: Skill, rng: Random, deadline: Deadline | None = None) -> Reading:
    """The reading with its few best choices alone, where an ending is near that takes longer to play out for each than
    any deadline leaves."""
    if (
        deadline is not None
        or skill.nodes < NEAR
        or len(reading.choices) <= FEW
        or not reading.position.is_near_ending()
    ):
        return reading
    return replace(reading, choices=[one.action for one in rate_choices(reading, seat, skill, rng)[:FEW]])


def _count_world(trials: Sequence[Trial], worths: Sequence[int], thumb: int) -> None:
    """Add what the choices are worth in a world to their trials. thumb: the place of the choice of the rules of
    thumb."""
    for trial, worth in zip(trials, worths, strict=True):
        trial.count_exactly(worth, trials[thumb], worths[thumb])


def _solve_known_world(
    world: SearchPosition, seat: Seat, trials: list[Trial], thumb: int, ending: Ending
) -> _Exact | None:
    """The exact result where all cards are known; the choice of the rules of thumb stands if as good. None where not
    every side's cards decide."""
    if not world.sides_in_ending() and not world.is_near_ending():
        return None
    order = [thumb, *[number for number in range(len(trials)) if number != thumb]]
    try:
        best = ending.best_place([trials[number].world_after_choice(world) for number in order], seat)
    except TooLong:
        return None
    return _Exact(order[best], thumb, trials, 1, world)


def chain_of_worlds(reading: Reading, deadline: Deadline | None = None) -> Chain:
    """Worlds that agree with the reading, likelier ones more often."""
    return Chain(reading.position, reading.worlds, reading.start, reading.played, deadline)


def random_world(reading: Reading, chance: Chance) -> SearchPosition:
    """A world that agrees with the reading, each as likely as the others."""
    world = reading.position.copy()
    reading.worlds.fill_world(world, chance)
    return world


def place_of_rule_of_thumb(reading: Reading, chance: Chance) -> int | None:
    """The index among the choices of what rules of thumb choose, or of its equal; None where the game does not weigh
    it, as each should. They see only what the seat sees, whatever the world."""
    position, moves = random_world(reading, chance), list[int]()
    wanted: dict[tuple[int, ...], int] = {}
    for number, choice in enumerate(reading.choices):
        wanted.setdefault(tuple(sorted(reading.moves(choice))), number)
    seat = position.turn
    while position.turn == seat and len(moves) < LONGEST:
        move = position.rule_of_thumb_move(chance)
        moves.append(move if moves else position.equivalent_move(move))
        position.make_move(move)
        if (found := wanted.get(tuple(sorted(moves)))) is not None:
            return found
    return None
