"""Random hands in step with OpenSpiel, an independent program, where it is installed: what is allowed, what is counted,
and what its search is told of cards that its seat cannot see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.deals.bits import Chance
from p2pcards.games.euchre.rules import Accept
from p2pcards.games.game import Action
from p2pcards.players.choose import choose
from p2pcards.players.search import READERS

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (pip install open_spiel)")

from openspiel.asking import Question, answer
from openspiel.bridge import Bridge
from openspiel.games import BRIDGES
from openspiel.hand import Hand, deal, go_on
from openspiel.matches import DEALER, counted_alike

HANDS = 25
MORE = {"gin_rummy": 110}
"""Few hands are undercut."""


def random_hand(bridge: Bridge, number: int) -> Iterator[tuple[Any, Hand, Any, list[Action]]]:
    """Our state, the hand, their state and the actions that both rules allow, before each decision and at the end. In
    gin rummy novices play, as at random nobody comes to knock."""
    chance, game = Random(f"others {bridge.key} {number}"), bridge.game
    seats = game.seats(bridge.options)
    state, hand = deal(game, bridge.options, DEALER if seats == 2 else chance.randrange(seats), chance)
    while state.sheet is None:
        seat = state.to_act[0]
        legal = game.legal(state, seat)
        theirs = bridge.replay(bridge.history(hand))
        both = [one for one in legal if bridge.is_open(theirs, hand, seat, one)]
        yield state, hand, theirs, both
        action = chance.choice(both)
        if bridge.key == "gin_rummy":
            novice = choose(game, redact(state, eyes_of_viewer(seat)), seat, "novice", chance)
            action = novice if novice in both else action
        state, hand = go_on(game, state, seat, action), hand.then(seat, action)
    yield state, hand, bridge.replay(bridge.history(hand)), []


def left_out(bridge: Bridge, state: Any, both: Sequence[Action]) -> list[Action]:
    """What is legal with us and not with them."""
    legal = bridge.game.legal(state, state.to_act[0])
    return [one for one in legal if one not in both]


@pytest.mark.parametrize("key", BRIDGES)
def test_what_is_allowed_and_whose_turn_it_is(key: str) -> None:
    bridge, ours_alone = BRIDGES[key], set()
    for number in range(HANDS):
        for state, hand, theirs, both in random_hand(bridge, number):
            if state.sheet is not None:
                continue
            seat = state.to_act[0]
            assert theirs.current_player() == seat
            ours_alone.update({type(one) for one in left_out(bridge, state, both)})
            allowed = {one for action in both for one in bridge.spelled(hand, seat, action)}
            theirs_alone = set(theirs.legal_actions()) - allowed
            assert not theirs_alone or excused(key, state, len(theirs_alone))
    assert {one.__name__ for one in ours_alone} == {"euchre": {"Decline"}, "oh_hell": {"Bid"}}.get(key, set())


def excused(key: str, state: Any, number: int) -> bool:
    """Whether their rules may allow more: in gin rummy the card just taken, in hearts a lead of hearts that were only
    played to hearts before."""
    if key == "gin_rummy":
        return state.taken is not None and number <= 2
    return key == "hearts" and not state.broken and not state.trick


@pytest.mark.parametrize("key", BRIDGES)
def test_what_a_hand_is_worth(key: str) -> None:
    bridge = BRIDGES[key]
    hands, compared = MORE.get(key, HANDS), 0
    for number in range(hands):
        for state, hand, theirs, _ in random_hand(bridge, number):
            if state.sheet is not None:
                compared += counted_alike(bridge, state, hand, theirs)
    assert compared >= hands * 0.9


@pytest.mark.parametrize("key", ["hearts", "euchre", "oh_hell"])
def test_an_imagined_hand_is_one_that_the_seat_cannot_tell_from_the_true_one(key: str) -> None:
    bridge, chance, hidden = BRIDGES[key], Chance(7), 0
    for number in range(HANDS // 5):
        for state, hand, theirs, both in random_hand(bridge, number):
            if len(both) < 2:
                continue
            seat = state.to_act[0]
            view = redact(state, eyes_of_viewer(seat))
            reading = READERS[key](view, seat)
            world = reading.position.copy()
            reading.worlds.fill_world(world, chance)
            imagined = bridge.imagined(hand, view, world)
            other = bridge.replay(bridge.history(imagined))
            assert other.information_state_string(seat) == theirs.information_state_string(seat)
            assert sorted(other.legal_actions()) == sorted(theirs.legal_actions())
            hidden += imagined.dealt != hand.dealt
    assert hidden > HANDS


@pytest.mark.parametrize("key", BRIDGES)
def test_an_answer_of_a_bot_is_an_action_that_both_allow(key: str) -> None:
    bridge, chance = BRIDGES[key], Random(5)

    def bot(asked: Question) -> int:
        assert set(asked.open) <= set(asked.theirs.legal_actions())
        assert asked.theirs.current_player() == asked.seat
        return chance.choice(list(asked.open))

    for number in range(HANDS // 5):
        for state, hand, _, both in random_hand(bridge, number):
            if both:
                seat = state.to_act[0]
                action = answer(bridge, bot, hand, redact(state, eyes_of_viewer(seat)), seat)
                assert action in both


def test_the_dealer_of_euchre_is_asked_for_a_discard_before_they_say_alone() -> None:
    bridge = BRIDGES["euchre"]
    asked: list[Question] = []

    def bot(question: Question) -> int:
        asked.append(question)
        return question.open[-2] if len(question.open) == 2 and 29 in question.open else question.open[-1]

    for number in range(HANDS):
        for state, hand, _, both in random_hand(bridge, number):
            if both and Accept(True) in both and state.to_act[0] == hand.dealer:
                asked.clear()
                said = answer(bridge, bot, hand, redact(state, eyes_of_viewer(hand.dealer)), hand.dealer)
                assert said == Accept(True)
                assert [len(one.open) for one in asked] == [2, 5, 2]
                return
    raise AssertionError("no dealer was asked")
