"""The one door to the computer players: a redacted view in, an action out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from p2pcards.cards.eyes import viewer
from p2pcards.games.certain import narrowed
from p2pcards.games.claims import REST, rest_of_hand
from p2pcards.games.deals.bits import COMPILED
from p2pcards.games.deals.position import Deadline
from p2pcards.games.game import Action, AnyGame, Seat
from p2pcards.games.names import GAME_NAMES
from p2pcards.games.parts import part_of
from p2pcards.games.registry import GAMES
from p2pcards.games.seen.reading import Reading
from p2pcards.games.spelling import is_card_word, spell
from p2pcards.games.telling import Skill, Way, told_of
from p2pcards.players.levels import PROMISES, USABLE, playing, searches, skill_of
from p2pcards.players.search import (
    NEAR,
    READERS,
    Steps,
    alike_played,
    best_few,
    by_thumb,
    exact_choice,
    exactly_rated,
    rating,
    whole,
)
from p2pcards.players.tables import by_tables
from p2pcards.views.advice import Rated

Novice = Callable[[Any, Seat, Random], Action]


def _novice(key: str) -> Novice:
    """Its module is loaded when it chooses first, with its game: most programs play a game or two."""

    def choose_as_novice(view: Any, seat: Seat, rng: Random) -> Action:
        chosen: Action = part_of(key, "novice")(view, seat, rng)
        return chosen

    return choose_as_novice


NOVICES: dict[str, Novice] = {key: _novice(key) for key in GAME_NAMES}


def rate_by_key(
    key: str, view: Any, seat: Seat, level: str, seed: int, now: Callable[[], float] | None = None
) -> tuple[Rated, ...]:
    """The same as `rate`, as `choose_by_key` is the same as `choose`."""
    return rate(GAMES[key], view, seat, level, Random(seed), promised(key, level, now))


def choose_by_key(
    key: str, view: Any, seat: Seat, level: str, seed: int, now: Callable[[], float] | None = None
) -> Action:
    """The same as `choose`, for a process that is told everything in words that travel. seed: the number for its
    `Random`; now: the clock of the promise, None to take as long as it takes."""
    return choose(GAMES[key], view, seat, level, Random(seed), promised(key, level, now))


def promised(key: str, level: str, now: Callable[[], float] | None, fast: bool = COMPILED) -> Deadline | None:
    """The end of the time for a decision that begins now; None without a clock, where the kernels are fast, or at a
    level that does not search."""
    if now is None or fast or not searches(key, level):
        return None
    return Deadline(now, now() + USABLE * PROMISES[level])


def choose(game: AnyGame, view: Any, seat: Seat, level: str, rng: Random, deadline: Deadline | None = None) -> Action:
    """A legal action for a seat that owes one, at a level: one of `levels.LEVELS`, or `claims.REST` and the
    cards that are claimed, in their order. Never one that picks a place, as the program that asks may know the cards.

    view: the state as this seat sees it. Raises ValueError when it was seen through any other eyes, and when nothing is
    open to the seat; GameIncomplete where the game has no rules of thumb, at any level but carefree. The same view and
    the same state of rng give the same action, unless a deadline cuts it short. A game that is not in `READERS` is
    played at novice by all levels above.
    """
    return whole(choosing(game, view, seat, level, rng, deadline))


def choosing(
    game: AnyGame, view: Any, seat: Seat, level: str, rng: Random, deadline: Deadline | None = None
) -> Steps[Action]:
    """As `choose`."""
    _check(view, seat)
    if level.split()[:1] == [REST]:
        return rest_of_hand(game, view, seat, level.split()[1:])
    skill = skill_of(game.key, level)
    if skill.way is Way.LOT:
        return by_lot(game, [action for action in game.legal(view, seat) if not game.picks(view, action)], rng)
    if skill.way is Way.NOVICE or game.key not in READERS:
        return NOVICES[game.key](view, seat, rng)
    reading = READERS[game.key](view, seat)
    if skill.way in (Way.TABLES, Way.THUMB):
        sure = sure_choices(game, view, seat, reading.choices)
        if len(sure) == 1:
            return sure[0]
        if skill.way is Way.TABLES and (learned := by_tables(game.key, reading, sure)) is not None:
            return learned
        reading = replace(reading, choices=sure)
    return (yield from searching(reading, seat, skill, rng, deadline))


def sure_choices(game: AnyGame, view: Any, seat: Seat, choices: Sequence[Action]) -> Sequence[Action]:
    """Those that are left after a look at what is certain; all where no cards are played to tricks."""
    cards = {choice.card: choice for choice in choices if is_card_word(spell(choice))}
    if len(cards) < len(choices):
        return choices
    return [cards[card] for card in narrowed(game, view, seat, list(cards), told_of(game.key).tricks.aims(view, seat))]


def by_lot(game: AnyGame, legal: Sequence[Action], rng: Random) -> Action:
    """One of the legal actions, as a carefree player draws it."""
    return rng.choice(playing(game.key).by_lot(legal))


def searched(reading: Reading, seat: Seat, skill: Skill, rng: Random) -> Action:
    """What somebody of this skill chooses of what was read."""
    return whole(searching(reading, seat, skill, rng))


def searching(
    reading: Reading, seat: Seat, skill: Skill, rng: Random, deadline: Deadline | None = None
) -> Steps[Action]:
    """As `searched`."""
    if not skill.playouts:
        return by_thumb(reading, rng)
    skill = _in_time(skill, deadline)
    reading = best_few(reading, seat, skill, rng, deadline)
    exact = exact_choice(reading, seat, skill.nodes, rng, deadline) if skill.nodes else None
    if exact is not None:
        return exact
    return (yield from rating(reading, seat, skill, rng, deadline))[0].action


def _in_time(skill: Skill, deadline: Deadline | None) -> Skill:
    """No playout is nested under a deadline: as written, one world of that kind takes seconds."""
    if deadline is None:
        return skill
    return skill._replace(nodes=min(skill.nodes, NEAR - 1), nested=False)


def rate(
    game: AnyGame, view: Any, seat: Seat, level: str, rng: Random, deadline: Deadline | None = None
) -> tuple[Rated, ...]:
    """What a level advises, and after it the other actions that it weighs, the best first: what `choose` chooses, but
    calls are compared as in `alike_played`. The choice alone, untried, at a level that searches nothing in this game.
    Raises what `choose` raises."""
    return whole(weighing(game, view, seat, level, rng, deadline))


def weighing(
    game: AnyGame, view: Any, seat: Seat, level: str, rng: Random, deadline: Deadline | None = None
) -> Steps[tuple[Rated, ...]]:
    """As `rate`."""
    if not searches(game.key, level):
        return (Rated(choose(game, view, seat, level, rng)),)
    _check(view, seat)
    reading, skill = READERS[game.key](view, seat), skill_of(game.key, level)
    skill = _in_time(skill, deadline)
    reading = best_few(reading, seat, skill, rng, deadline)
    exact = exactly_rated(reading, seat, skill.nodes, rng, deadline) if skill.nodes else None
    if exact is not None:
        return exact
    if reading.recount is None:
        return (yield from rating(reading, seat, skill, rng, deadline))
    weighed = yield from rating(reading, seat, skill, rng, deadline and deadline.part(2))
    return (yield from alike_played(reading, seat, weighed, reading.recount, skill.playouts, rng, deadline))


def _check(view: Any, seat: Seat) -> None:
    """Raises ValueError where a seat may not choose by this view."""
    if view.eyes & ~viewer(seat):
        raise ValueError("a computer player looks through the eyes of its own seat and no others")
    if seat not in view.to_act:
        raise ValueError(f"seat {seat} owes no action now")
