"""What a hint tells beyond the action: what becomes of the trick, and which meld it is for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from at_hand import TableAtHand
from p2pcards.cards.card import parse_card
from p2pcards.daemon.machines import CAST
from p2pcards.games.deals.search import MISHAPS
from p2pcards.games.drawing import Discard, Meld
from p2pcards.games.game import Action
from p2pcards.games.gin_rummy.rules import Gin, Knock
from p2pcards.games.registry import GAMES
from p2pcards.games.spelling import spell_action
from p2pcards.games.telling import load_told
from p2pcards.ledger.position import Position
from p2pcards.views.advice import Rated, make_hint
from p2pcards.views.happenings import Hinted, Obvious
from p2pcards.views.tableview import Command


def decisions(key: str, seed: int, turns: int = 60) -> list[tuple[Any, Any]]:
    """Positions at a table in which the person is to act, each with every advice for it."""
    table = TableAtHand(key, next(iter(GAMES[key].presets)), seed)
    found: list[tuple[Any, Any]] = []
    while table.view().legal and len(found) < turns:
        position = table.position()
        given = [
            (action, make_hint(position, 0, [Rated(action)], CAST))
            for action in position.game.legal(position.own_view, 0)
        ]
        found.append((position, given))
        table.say(Command("act", tuple(table.suggestion().split())))
    return found


@pytest.mark.parametrize("key", ["whist", "pinochle2", "pinochle_bid", "cribbage", "rummy_500"])
def test_who_takes_a_trick_is_told_where_the_card_is_the_last_of_it(key: str) -> None:
    told = set()
    for position, given in decisions(key, 3):
        game, state = position.game, position.state
        for action, hinted in given:
            told.add(hinted.takes)
            if hinted.takes is None:
                continue
            after = game.play(state, game.decide(state, 0, action))
            assert len(game.layout(state).trick) == len(state.hands) - 1
            assert hinted.takes == (game.layout(after).taker == 0)
    assert told == ({None} if key in ("cribbage", "rummy_500") else {None, True, False})


def test_a_card_is_advised_with_the_best_meld_that_its_trick_allows() -> None:
    melds = 0
    for position, given in decisions("pinochle2", 3):
        game, state = position.game, position.state
        for action, hinted in given:
            then = hinted.then
            if then is None or not hinted.takes:
                continue
            after = game.play(state, game.decide(state, 0, action))
            laid = [game.decide(after, 0, way) for way in game.legal(after, 0) if isinstance(way, Meld)]
            best = max(made.points for event in laid for made in game.made(after, event, after))
            assert then.points == best
            melds += 1
    assert melds


def test_a_meld_is_advised_with_its_name_and_points() -> None:
    given = [hinted for _, all_given in decisions("pinochle2", 3) for _, hinted in all_given]
    laid = [hinted for hinted in given if hinted.lays]
    assert laid and all(hinted.words == f"meld {hinted.lays.cards}" for hinted in laid)
    assert not [hinted for hinted in given if hinted.words.startswith("meld") and not hinted.lays]
    assert ("pinochle", 20) in {(hinted.lays.what, hinted.lays.points) for hinted in laid}


@pytest.mark.parametrize(
    ("first", "lost", "told"),
    [
        ("Knock", (3, 50), "though it's undercut in 15 of 100 simulated deals"),
        ("Discard", (8, 50), "since a knock would be undercut in 40 of 100 simulated deals"),
        ("Knock", (1, 50), ""),
        ("Gin", (20, 50), ""),
    ],
)
def test_a_hint_that_fears_an_undercut_says_so(first: str, lost: tuple[int, int], told: str) -> None:
    knocks = [
        Rated(Knock(parse_card(card)), hands=20, mishaps=(one, 0, 0, 0))
        for card, one in zip(("KD", "QD"), lost, strict=True)
    ]
    others = {"Discard": Discard(parse_card("KD")), "Gin": Gin(parse_card("KD"))}
    weighed = knocks if first == "Knock" else [Rated(others[first], hands=20), *knocks]
    assert load_told("gin_rummy").fear(None, weighed) == told
    if first == "Discard":
        weighed[1] = replace(weighed[1], obvious=True)
        assert load_told("gin_rummy").fear(None, weighed) == "", "that it would be is told of the obvious play"


# --- why it is not the obvious play -----------------------------------------------------------------------------------


def hinted(key: str, weighed: Sequence[Rated]) -> Hinted:
    """In the first position of a game in which there is something to choose."""
    return make_hint(first_position(key), 0, weighed, CAST)


@cache
def first_position(key: str) -> Position:
    table = TableAtHand(key, "", 1)
    while len(table.view().legal) < 3:
        table.say(Command("act", tuple(table.suggestion().split())))
    return table.position()


def three(key: str) -> Sequence[Action]:
    position = first_position(key)
    return position.game.legal(position.own_view, 0)[:3]


def test_what_goes_wrong_more_often_with_the_obvious_play_is_why_it_is_not_advised() -> None:
    """Of several the one by which they differ most; both by their shares, however many hands each was tried in."""
    best, obvious, other = three("hearts")
    weighed = [
        Rated(best, 3.0, 0.1, 40, (4, 0, 0, 0)),
        Rated(other, 2.5, 0.1, 10, (9, 9, 0, 0)),
        Rated(obvious, -3.0, 0.1, 20, (12, 3, 0, 0), obvious=True),
    ]
    words = spell_action(obvious)
    assert hinted("hearts", weighed).obvious == Obvious(words, 20, 2.0, "take the queen of spades", 12, 4)
    weighed[2] = replace(weighed[2], mishaps=(3, 1, 0, 0))
    assert hinted("hearts", weighed).obvious == Obvious(words, 20, 2.0), "not often enough to be why"


def test_nothing_is_said_of_an_obvious_play_that_is_advised_was_not_tried_or_is_not_known() -> None:
    best, obvious, _ = three("hearts")
    assert hinted("hearts", [Rated(best, 3.0, 0.1, 20, obvious=True), Rated(obvious, 1.0, 0.1, 20)]).obvious is None
    assert hinted("hearts", [Rated(best, 3.0, 0.1, 20), Rated(obvious, 1.0, 0.1, 20)]).obvious is None
    assert hinted("hearts", [Rated(best), Rated(obvious, obvious=True)]).obvious is None


def test_an_obvious_play_is_not_called_worse_that_makes_as_many_points() -> None:
    """Another was chosen for what it does for the game."""
    best, obvious, _ = three("whist")
    assert hinted("whist", [Rated(best, 1.0, 0.1, 20), Rated(obvious, 1.2, 0.1, 20, obvious=True)]).obvious is None


def test_where_all_cards_are_known_the_difference_in_points_is_told() -> None:
    best, obvious, _ = three("whist")
    weighed = [Rated(best, 3.0, 0.0, 1), Rated(obvious, 1.0, 0.0, 1, obvious=True)]
    assert hinted("whist", weighed).obvious == Obvious(spell_action(obvious), 1, 2.0), "between two sides"


@pytest.mark.parametrize("key", GAMES)
def test_every_mishap_of_a_game_has_short_words_that_follow_would(key: str) -> None:
    told = load_told(key).mishaps
    assert len(told) <= MISHAPS and len(set(told)) == len(told)
    for words in told:
        assert re.fullmatch(r"(take|let|cost|leave|bring|lose|be|give) [a-z0-9' A-Z]{5,45}", words), words
