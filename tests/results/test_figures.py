"""Figures of one's own play, counted by hand from hands that were played, and from results of earlier versions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from p2pcards.cards.card import parse_cards
from p2pcards.games.cribbage import rules as cribbage
from p2pcards.games.figures import measure_hand
from p2pcards.games.game import AnyGame, Items, Seat, Stage
from p2pcards.games.gin_rummy import rules as gin_rummy
from p2pcards.games.hearts import rules as hearts
from p2pcards.games.registry import GAMES
from p2pcards.games.spades import rules as spades
from p2pcards.games.telling import load_told
from p2pcards.games.tricks import Bid
from p2pcards.results.before import measured_before
from p2pcards.results.book import figure_counts
from p2pcards.results.reading import read_result
from p2pcards.results.result import HandResult
from rigs.laws import event_of, random_move
from rigs.quick_logs import quick_game
from rigs.tables import act, face_down, face_up, hands, stacked

Choose = Callable[[Any, Seat], Any]
"""The action of a seat, None where chance chooses."""


def by_chance(_state: Any, _seat: Seat) -> Any:
    return None


def over(game: AnyGame, options: Any, held: Sequence[str], choose: Choose = by_chance, **changes: Any) -> Any:
    """A hand that seat 0 deals so, when it is over."""
    state = replace(game.start(options, 0), **changes)
    state = game.play(state, game.deal(state, stacked(game.pack(options), 0, held), ()))
    rng = Random(1)
    while state.sheet is None:
        action = choose(state, state.to_act[0]) if state.to_act else None
        state = (
            act(game, state, action)
            if action
            else game.play(state, event_of(game, state, random_move(game, state, rng)))
        )
    return state


def figures(game: AnyGame, states: Sequence[Any], seat: Seat) -> dict[str, tuple[int, int]]:
    """Those of a player in this seat, of hands that ended so."""
    played = [
        HandResult(number, 0, state.sheet.hand, state.sheet.items, measure_hand(game, state))
        for number, state in enumerate(states, 1)
    ]
    return figure_counts(replace(read_result(quick_game(game.key, 1)), hands=tuple(played), mine=seat))


# --- hands that are counted, whatever the sheet calls them ------------------------------------------------------------


CLUBS = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"
ALL_TRICKS = (
    "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",
    CLUBS,  # who leads the two, and goes on
    "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",
    "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
)


@pytest.mark.parametrize("moon", ["deduct", "add"])
def test_the_shooter_has_shot_the_moon_with_the_queen_whoever_is_charged_for_it(moon: str) -> None:
    state = over(hearts.GAME, hearts.Options(passing="none", moon=moon), ALL_TRICKS)
    assert state.sheet.hand == ((0, -26, 0, 0) if moon == "deduct" else (26, 0, 26, 26))
    found = figures(hearts.GAME, [state], 1)
    assert (found["moons shot"], found["queens taken"]) == ((1, 1), (1, 1))
    assert found["points a hand"] == (state.sheet.hand[1], 1)
    other = figures(hearts.GAME, [state], 0)
    assert (other["moons shot"], other["queens taken"]) == ((0, 1), (0, 1))


def test_a_queen_that_costs_nothing_is_taken_all_the_same() -> None:
    state = over(hearts.GAME, hearts.Options(passing="none", queen_points=False), ALL_TRICKS)
    assert figures(hearts.GAME, [state], 1)["queens taken"] == (1, 1)


def knocked(held: str, other: str, action: Any, **options: Any) -> gin_rummy.State:
    """A hand of Hollywood that seat 0 ends by this."""
    chosen = replace(gin_rummy.PRESETS["hollywood"], **options)
    state = replace(
        gin_rummy.start(chosen, 1),
        stage=Stage.PLAY,
        to_act=(0,),
        hand=1,
        hands=hands(held, other),
        stock=face_down("AH AD QC QS QD 3D"),
        discards=face_up("2H"),
        phase=gin_rummy.Phase.DISCARD,
        limit=10,
    )
    return act(gin_rummy.GAME, state, action)


NO_DEADWOOD = "4H 5H 6H 8C 8H 8S JC JD JH JS KS"
ONE_LEFT = "4H 5H 6H 8C 8H 8S JC JD JH AS KS"
DEFENDER = "2C 3C 4C 7D 7C 7S KC KD KH AC"  # all in melds but for the ace, or with it
JUNK = "2C 4C 6D TD QH 5S 7S 9S KD AC"


@pytest.mark.parametrize("bonus", [25, 0])
def test_gin_and_undercut_are_counted_in_hollywood_and_without_a_bonus(bonus: int) -> None:
    king = parse_cards("KS")[0]
    gin = knocked(NO_DEADWOOD, JUNK, gin_rummy.Gin(king), gin_bonus=bonus)
    undercut = knocked(ONE_LEFT, DEFENDER, gin_rummy.Knock(king), undercut_bonus=bonus)
    plain = knocked(ONE_LEFT, JUNK, gin_rummy.Knock(king))
    assert figures(gin_rummy.GAME, [gin, undercut, plain], 0) == {"gin": (1, 3), "undercuts": (0, 3)}
    assert figures(gin_rummy.GAME, [gin, undercut, plain], 1) == {"gin": (0, 3), "undercuts": (1, 3)}


LOSING = (
    "2H 3H 4H 5H 6H 7H 8H 9H TH 2C 3C 4C 5C",
    "2S 4S 6S 8S TS QS AS JH KH JC KC JD KD",
    "2D 3D 4D 5D 6D 7D 8D 9D TD 6C 7C 8C 9C",
    "3S 5S 7S 9S JS KS QH AH TC QC AC QD AD",
)


def three_against_none(state: spades.State, seat: Seat) -> Any:
    return Bid(3 if seat % 2 else 0) if None in state.bids else None


def test_a_double_nil_is_a_nil() -> None:
    state = over(spades.GAME, spades.Options(), LOSING, three_against_none)
    assert state.sheet.items[0] == (("double Nil", 200),)
    assert figures(spades.GAME, [state], 0) == {
        "contracts made": (0, 0), "Nils made": (1, 1), "overtricks a hand": (0, 1)
    }  # fmt: skip
    assert figures(spades.GAME, [state], 1) == {
        "contracts made": (1, 1), "Nils made": (0, 0), "overtricks a hand": (7, 1)
    }  # fmt: skip


def test_a_contract_of_no_trick_is_made() -> None:
    state = over(spades.GAME, spades.Options(nil="none", min_bid=0), LOSING, three_against_none)
    assert state.sheet.items[0] == (("contract", 0),)
    assert figures(spades.GAME, [state], 0)["contracts made"] == (1, 1)


KEPT = ("5H 5D 5S JC TH KH", "2C 3C 4C 6D 7D 9S")


def test_cribbage_hands_that_were_never_counted_are_in_no_average() -> None:
    options = cribbage.PRESETS["real-deal"]
    whole = over(cribbage.GAME, options, KEPT)
    assert not whole.winners
    early = over(cribbage.GAME, options, KEPT, scores=(120, 120))
    assert early.winners and early.phase == cribbage.Phase.PLAY
    for seat in (0, 1):
        both, one = figures(cribbage.GAME, [whole, early], seat), figures(cribbage.GAME, [whole], seat)
        assert both["average hand"] == one["average hand"] and one["average hand"][1] == 1
        assert both["average crib"] == one["average crib"] and one["average crib"][1] == (seat == 0)
        assert both["average play"] == (one["average play"][0] + (seat in early.winners), 2)


def test_a_hand_that_counts_nothing_is_in_the_average() -> None:
    def nothing(state: cribbage.State, _seat: Seat) -> Any:
        return cribbage.Count(0) if state.phase in (cribbage.Phase.HANDS, cribbage.Phase.CRIB) else None

    options = replace(cribbage.PRESETS["real-deal"], counting="manual")
    found = figures(cribbage.GAME, [over(cribbage.GAME, options, KEPT, nothing)], 0)
    assert (found["average hand"], found["average crib"]) == ((0, 1), (0, 1))


# --- every game -------------------------------------------------------------------------------------------------------


def test_every_game_has_figures_and_they_hold_in_real_games() -> None:
    for key in GAMES:
        told = load_told(key).figures
        assert told, f"count something in p2pcards/games/{key}/told.py"
        result = read_result(quick_game(key, 2))
        found = figure_counts(result)
        assert list(found) == [figure.key for figure in told]
        for figure in told:
            hits, tries = found[figure.key]
            assert 0 <= tries <= len(result.hands) and (not figure.share or 0 <= hits <= tries), figure.key
        assert figure_counts(replace(result, mine=None)) == {}


# --- results of earlier versions, whose hands have nothing but the words of the sheet ---------------------------------


CRIB: list[Items] = [
    (("hand 15: 5H TC", 2), ("crib pair: 3C 3S", 2), ("play: go", 1), ("crib nobs: JS", 1)),
    (("hand run: 3C 4C 5D", 3), ("play: last card", 1)),
    (("play: pair", 2),),
]
EARLIER: list[tuple[str, list[Items], dict[str, tuple[int, int]]]] = [
    ("cribbage", CRIB, {"average crib": (3, 2), "average hand": (5, 3), "average play": (4, 3)}),
    (
        "spades",
        [
            (("contract", 40), ("overtricks", 2)),
            (("contract", -50),),
            (("Nil", 100), ("contract", 30)),
            (("Nil", -100),),
        ],
        {"contracts made": (2, 3), "Nils made": (1, 2), "overtricks a hand": (2, 4)},
    ),
    (
        "hearts",
        [(("shot the moon", -26),), (("hearts", 2), ("queen of spades", 13)), ()],
        {"moons shot": (1, 3), "queens taken": (1, 3), "points a hand": (-11, 3)},
    ),
    (
        "gin_rummy",
        [(("deadwood 20 to 0", 20), ("gin", 25)), (("undercut", 25),), (), (("big gin", 31),)],
        {"gin": (2, 4), "undercuts": (1, 4)},
    ),
    ("oh_hell", [(("bid made", 10), ("cards", 3)), (), (("no trick", 10),)], {"bids made": (2, 3)}),
    (
        "pinochle",
        [(("set: 197 of 200", -200),), (("aces", 100), ("tricks", 80))],
        {"set": (1, 2), "melds a hand": (100, 2)},
    ),
    (
        "euchre",
        [(("made", 1),), (("march", 2),), (("euchre", 2),), ()],
        {"made": (2, 4), "marches": (1, 4), "euchres": (1, 4)},
    ),
    ("thirty_one", [(("lowest hand", -1),), ()], {"hands lost": (1, 2)}),
    (
        "rummy_500",
        [(("melds", 40), ("laid off", 5), ("left in hand", -10))],
        {"melded a hand": (45, 1), "left a hand": (-10, 1)},
    ),
]


@pytest.mark.parametrize(("key", "sheets", "expected"), EARLIER, ids=[case[0] for case in EARLIER])
def test_hands_of_earlier_results_are_counted_as_they_were(
    key: str, sheets: list[Items], expected: dict[str, tuple[int, int]]
) -> None:
    earlier = [
        HandResult(number, dealer, (0, 0), (items, ()), measured_before(key, (items, ()), dealer))
        for number, items in enumerate(sheets, 1)
        for dealer in [(number - 1) % 2]
    ]
    assert figure_counts(replace(read_result(quick_game(key, 1)), hands=tuple(earlier), mine=0)) == expected
