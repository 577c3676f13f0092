"""What a hint tells beyond the action: what becomes of the trick, and which meld it is for."""

from __future__ import annotations

from typing import Any

import pytest

from at_hand import TableAtHand
from p2pcards.cards.card import parse_card
from p2pcards.daemon.engine import CAST
from p2pcards.games.gin_rummy.rules import Discard, Gin, Knock
from p2pcards.games.pinochle2.rules import Meld
from p2pcards.games.registry import GAMES
from p2pcards.games.telling import told_of
from p2pcards.views.advice import Rated, advice
from p2pcards.views.tableview import Command


def decisions(key: str, seed: int, turns: int = 60) -> list[tuple[Any, Any]]:
    """Positions at a table in which the person is to act, each with every advice for it."""
    table = TableAtHand(key, next(iter(GAMES[key].presets)), seed)
    found: list[tuple[Any, Any]] = []
    while table.view().legal and len(found) < turns:
        position = table.position()
        given = [
            (action, advice(position, 0, [Rated(action)], CAST)) for action in position.game.legal(position.own_view, 0)
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
        ("Knock", (3, 50), "though it is undercut in 15 of 100 imagined hands"),
        ("Discard", (8, 50), "as a knock would be undercut in 40 of 100 imagined hands"),
        ("Knock", (1, 50), ""),
        ("Gin", (20, 50), ""),
    ],
)
def test_a_hint_that_fears_an_undercut_says_so(first: str, lost: tuple[int, int], told: str) -> None:
    knocks = [Rated(Knock(parse_card(card)), hands=20, lost=one) for card, one in zip(("KD", "QD"), lost, strict=True)]
    others = {"Discard": Discard(parse_card("KD")), "Gin": Gin(parse_card("KD"))}
    weighed = knocks if first == "Knock" else [Rated(others[first], hands=20), *knocks]
    assert told_of("gin_rummy").fear(None, weighed) == told
