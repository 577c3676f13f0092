"""The aim that an action is said to have is true by the rules: tricks are played on with all cards face up."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, islice
from random import Random
from typing import Any

import pytest

from p2pcards.cards.card import Card, Suit
from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.cribbage import rules as cribbage
from p2pcards.games.cribbage.told import why_kept
from p2pcards.games.game import AnyGame, Seat
from p2pcards.games.registry import GAMES
from p2pcards.views.advice import aim_text
from p2pcards.views.standpoint import ends_trick
from rigs.decisions import random_positions

PRESETS = [(key, preset) for key in GAMES for preset in GAMES[key].presets]
POSITIONS = [pytest.param(60, id="60"), pytest.param(3_000, id="3000", marks=pytest.mark.slow)]


@dataclass(frozen=True, slots=True)
class Done:
    """An action, and the truth before and after it."""

    game: AnyGame
    before: Any
    after: Any
    seat: Seat
    card: Card
    rng: Random

    def counted(self, card: Card) -> Card:
        ranking = self.game.ranking(self.before)
        return ranking.counted(card.face) if ranking else card.face

    @property
    def trump(self) -> Suit | None:
        ranking, lies = self.game.ranking(self.before), self.game.layout(self.before)
        return ranking.trump if ranking else lies.trump.suit if lies.trump else None

    def held(self) -> list[Suit]:
        return [self.counted(card).suit for card in self.after.hands[self.seat].cards]

    def next_follows(self, suit: Suit) -> bool:
        """Whether the next player, if they can, may play nothing but this suit."""
        other = next(iter(self.after.to_act), None)
        if other is None or other == self.seat:
            return True
        may = [self.counted(play.card).suit for play in self.game.legal(self.after, other) if hasattr(play, "card")]
        has = suit in [self.counted(card).suit for card in self.after.hands[other].cards]
        return not has or set(may) == {suit}

    def takers(self) -> set[Seat | None]:
        """Who takes the trick, in several ways to play it on."""
        return {self._taker() for _ in range(4)}

    def _taker(self) -> Seat | None:
        before, after = self.before, self.after
        while not ends_trick(self.game.layout(before), self.game.layout(after)):
            seat = after.to_act[0]
            action = self.rng.choice(self.game.legal(after, seat))
            before, after = after, self.game.play(after, self.game.decide(after, seat, action))
        return self.game.layout(after).taker


def is_taken(done: Done, _said: re.Match[str]) -> bool:
    return done.takers() == {done.seat}


def draws_trumps(done: Done, _said: re.Match[str]) -> bool:
    return done.trump is not None and done.counted(done.card).suit == done.trump and done.next_follows(done.trump)


def is_void(done: Done, said: re.Match[str]) -> bool:
    return Suit[said[1].upper()] not in done.held()


def is_void_to_trump(done: Done, said: re.Match[str]) -> bool:
    return is_void(done, said) and done.trump in done.held() and done.next_follows(Suit[said[1].upper()])


CLAIMS: list[tuple[str, Callable[[Done, re.Match[str]], bool]]] = [
    (r"a sure trick|and take the trick|^to take the trick($|,| as cheaply)|a card nobody can beat", is_taken),
    (r"^to draw trump", draws_trumps),
    (r"^to go void in (\w+) and trump them later", is_void_to_trump),
    (r"^to go void in (clubs|diamonds|hearts|spades)$", is_void),
]


@pytest.mark.parametrize("positions", POSITIONS)
@pytest.mark.parametrize(("key", "preset"), PRESETS)
def test_what_a_card_is_said_to_be_for_comes_true_by_the_rules(key: str, preset: str, positions: int) -> None:
    game, rng = GAMES[key], Random(f"{key} {preset} true")
    for state, seat in islice(random_positions(game, game.presets[preset], rng), positions):
        view = redact(state, eyes_of_viewer(seat))
        for action in game.legal(view, seat):
            if type(action).__name__ == "Play" and game.layout(view).called == "trick":
                check(game, state, view, seat, action, rng)


def check(game: AnyGame, state: Any, view: Any, seat: Seat, action: Any, rng: Random) -> None:
    said = aim_text(game, view, seat, action)
    for pattern, holds in CLAIMS:
        if found := re.search(pattern, said):
            after = game.play(state, game.decide(state, seat, action))
            assert holds(Done(game, state, after, seat, action.card, rng), found), (said, action, view)


@pytest.mark.parametrize(
    "positions", [pytest.param(40, id="40"), pytest.param(2_000, id="2000", marks=pytest.mark.slow)]
)
def test_four_cards_of_cribbage_are_said_to_count_what_they_count(positions: int) -> None:
    rng, flushes, told = Random(1), 0, 0
    for state, seat in random_positions(cribbage.GAME, cribbage.Options(), rng):
        if state.phase != cribbage.Phase.DISCARD:
            continue
        view = redact(state, eyes_of_viewer(seat))
        held = list(view.hands[seat].cards)
        for laid in combinations(held, 2):
            kept = [card for card in held if card not in laid]
            flushes += len({card.suit for card in kept}) == 1
            assert why_kept(kept, laid, view).points == counted_by_hand(kept), kept
        told += 1
        if told == positions:
            break
    assert flushes


def counted_by_hand(kept: list[Card]) -> int:
    """Fifteens, pairs, runs and the flush, each looked for in every part of the hand."""
    places = {card: 1 if card.rank == 14 else card.rank for card in kept}
    parts = [part for size in (2, 3, 4) for part in combinations(kept, size)]
    fifteens = sum([sum([min(places[card], 10) for card in part]) == 15 for part in parts])
    pairs = sum([len(part) == 2 and part[0].rank == part[1].rank for part in parts])
    runs = [len(part) for part in parts if _is_run(sorted([places[card] for card in part]))]
    longest = max(runs, default=0)
    flush = 4 if len({card.suit for card in kept}) == 1 else 0
    return 2 * fifteens + 2 * pairs + longest * runs.count(longest) + flush


def _is_run(places: list[int]) -> bool:
    return len(places) > 2 and places == list(range(places[0], places[0] + len(places)))
