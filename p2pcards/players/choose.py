"""The one door to the computer players: a redacted view in, an action out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from p2pcards.cards.eyes import eyes_of_viewer
from p2pcards.games.certain import cards_serving_aims
from p2pcards.games.claims import REST, next_claimed_action
from p2pcards.games.deals.bits import COMPILED
from p2pcards.games.deals.position import Deadline
from p2pcards.games.game import Action, AnyGame, Seat
from p2pcards.games.names import GAME_NAMES
from p2pcards.games.parts import load_part
from p2pcards.games.registry import GAMES
from p2pcards.games.seen.reading import Reading
from p2pcards.games.spelling import is_card_word, spell_action
from p2pcards.games.telling import Skill, Way, load_told
from p2pcards.players.levels import PROMISES, USABLE, playing_of_game, searches, skill_of
from p2pcards.players.search import (
    NEAR,
    READERS,
    Steps,
    choose_by_rules_of_thumb,
    exact_choice,
    keep_best_few,
    rate_calls_in_same_play,
    rate_choices_in_steps,
    rate_exactly,
    run_to_end,
)
from p2pcards.players.tables import choose_by_tables
from p2pcards.views.advice import Rated

Novice = Callable[[Any, Seat, Random], Action]


def _novice_of_game(key: str) -> Novice:
    """The rules of thumb of a game, whose module is loaded when they first choose."""

    def choose_as_novice(view: Any, seat: Seat, rng: Random) -> Action:
        chosen: Action = load_part(key, "novice")(view, seat, rng)
        return chosen

    return choose_as_novice


NOVICES: dict[str, Novice] = {key: _novice_of_game(key) for key in GAME_NAMES}


def rate_by_key(
    key: str, view: Any, seat: Seat, level: str, seed: int, now: Callable[[], float] | None = None
) -> tuple[Rated, ...]:
    """Like `rate`, with arguments that can be sent to another process: see `choose_by_key`."""
    return rate(GAMES[key], view, seat, level, Random(seed), deadline_of_level(key, level, now))


def choose_by_key(
    key: str, view: Any, seat: Seat, level: str, seed: int, now: Callable[[], float] | None = None
) -> Action:
    """Like `choose`, with arguments that can be sent to another process. seed: for its `Random`; now: the clock of the
    deadline, None to take as long as it takes."""
    return choose(GAMES[key], view, seat, level, Random(seed), deadline_of_level(key, level, now))


def deadline_of_level(key: str, level: str, now: Callable[[], float] | None, fast: bool = COMPILED) -> Deadline | None:
    """The deadline of a decision that begins now; None without a clock, where the kernels are fast, or at a level that
    does not search."""
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
    return run_to_end(choose_in_steps(game, view, seat, level, rng, deadline))


def choose_in_steps(
    game: AnyGame, view: Any, seat: Seat, level: str, rng: Random, deadline: Deadline | None = None
) -> Steps[Action]:
    """Like `choose`, in steps between which the caller may pause."""
    _verify_view(view, seat)
    if level.split()[:1] == [REST]:
        return next_claimed_action(game, view, seat, level.split()[1:])
    skill = skill_of(game.key, level)
    if skill.way is Way.LOT:
        return choose_at_random(
            game, [action for action in game.legal(view, seat) if not game.picks(view, action)], rng
        )
    if skill.way is Way.NOVICE or game.key not in READERS:
        return NOVICES[game.key](view, seat, rng)
    reading = READERS[game.key](view, seat)
    if skill.way in (Way.TABLES, Way.THUMB):
        sure = narrowed_by_certainty(game, view, seat, reading.choices)
        if len(sure) == 1:
            return sure[0]
        if skill.way is Way.TABLES and (learned := choose_by_tables(game.key, reading, sure)) is not None:
            return learned
        reading = replace(reading, choices=sure)
    return (yield from choose_by_search_in_steps(reading, seat, skill, rng, deadline))


def narrowed_by_certainty(game: AnyGame, view: Any, seat: Seat, choices: Sequence[Action]) -> Sequence[Action]:
    """Those of the choices that what is certain in tricks leaves open; all of them where no tricks are played."""
    cards = {choice.card: choice for choice in choices if is_card_word(spell_action(choice))}
    if len(cards) < len(choices):
        return choices
    return [
        cards[card]
        for card in cards_serving_aims(game, view, seat, list(cards), load_told(game.key).tricks.aims(view, seat))
    ]


def choose_at_random(game: AnyGame, legal: Sequence[Action], rng: Random) -> Action:
    """A random legal action, as a carefree player draws it."""
    return rng.choice(playing_of_game(game.key).by_lot(legal))


def choose_by_search(reading: Reading, seat: Seat, skill: Skill, rng: Random) -> Action:
    """The choice of a player of this skill, by search."""
    return run_to_end(choose_by_search_in_steps(reading, seat, skill, rng))


def choose_by_search_in_steps(
    reading: Reading, seat: Seat, skill: Skill, rng: Random, deadline: Deadline | None = None
) -> Steps[Action]:
    """Like `choose_by_search`, in steps between which the caller may pause."""
    if not skill.playouts:
        return choose_by_rules_of_thumb(reading, rng)
    skill = _skill_within_deadline(skill, deadline)
    reading = keep_best_few(reading, seat, skill, rng, deadline)
    exact = exact_choice(reading, seat, skill.nodes, rng, deadline) if skill.nodes else None
    if exact is not None:
        return exact
    return (yield from rate_choices_in_steps(reading, seat, skill, rng, deadline))[0].action


def _skill_within_deadline(skill: Skill, deadline: Deadline | None) -> Skill:
    """The skill without nested playouts where there is a deadline: uncompiled, one world of that kind takes seconds."""
    if deadline is None:
        return skill
    return skill._replace(nodes=min(skill.nodes, NEAR - 1), nested=False)


def rate(
    game: AnyGame, view: Any, seat: Seat, level: str, rng: Random, deadline: Deadline | None = None
) -> tuple[Rated, ...]:
    """The action that a level advises, then the others that it weighs, the best first: what `choose` chooses, but calls
    are compared as in `rate_calls_in_same_play`. The choice alone, untried, at a level that searches nothing in this
    game. Raises what `choose` raises."""
    return run_to_end(rate_in_steps(game, view, seat, level, rng, deadline))


def rate_in_steps(
    game: AnyGame, view: Any, seat: Seat, level: str, rng: Random, deadline: Deadline | None = None
) -> Steps[tuple[Rated, ...]]:
    """Like `rate`, in steps between which the caller may pause."""
    if not searches(game.key, level):
        return (Rated(choose(game, view, seat, level, rng)),)
    _verify_view(view, seat)
    reading, skill = READERS[game.key](view, seat), skill_of(game.key, level)
    skill = _skill_within_deadline(skill, deadline)
    reading = keep_best_few(reading, seat, skill, rng, deadline)
    exact = rate_exactly(reading, seat, skill.nodes, rng, deadline) if skill.nodes else None
    if exact is not None:
        return exact
    if reading.recount is None:
        return (yield from rate_choices_in_steps(reading, seat, skill, rng, deadline))
    weighed = yield from rate_choices_in_steps(reading, seat, skill, rng, deadline and deadline.earlier_deadline(2))
    return (yield from rate_calls_in_same_play(reading, seat, weighed, reading.recount, skill.playouts, rng, deadline))


def _verify_view(view: Any, seat: Seat) -> None:
    """Raise ValueError if a seat may not choose by this view."""
    if view.eyes & ~eyes_of_viewer(seat):
        raise ValueError("a computer player looks through the eyes of its own seat and no others")
    if seat not in view.to_act:
        raise ValueError(f"seat {seat} owes no action now")
