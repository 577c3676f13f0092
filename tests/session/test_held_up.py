"""Players who hold a table up, on purpose or not: their time runs out all the same."""

from __future__ import annotations

from functools import partial

from p2pcards.views.happenings import SeatTakenOver
from p2pcards.wire.messages import Bye, Hello, MoveMessage, RefusedMove, Resume, decode_message
from p2pcards.wire.reasons import ByeCode, RefusalCode
from p2pcards.wire.records import VERSION
from rigs.net import Net
from rigs.people import act, by_hand, spoken, to_act
from rigs.stranger import Stranger

GRACE, CLOCK = 60, 180


def bobs_turn() -> Net:
    net = by_hand(1)
    while to_act(net) == 0:
        act(net, 0)
    assert (net.at(0).header.grace, net.at(0).header.turn_clock) == (GRACE, CLOCK)
    return net


def taken_over(net: Net) -> bool:
    return bool(net.tales(0, SeatTakenOver))


def test_saying_how_far_the_log_goes_gives_no_new_turn() -> None:
    net = bobs_turn()
    began, link = net.now, net.listener(1).link
    while not taken_over(net):
        position = net.at(1)
        said = Resume(position.game_id, position.count, position.head)
        net.step(1, partial(link.send, said))
        net.run_for(1)
        assert net.now - began <= CLOCK + 2
    assert net.tales(0, SeatTakenOver)[0].why == "the turn clock ran out"


def test_a_link_that_comes_and_goes_renews_the_turn_once_and_uses_the_grace_up() -> None:
    net = bobs_turn()
    began = net.now
    while not taken_over(net):
        net.cut_all(1)
        net.run_for(20)
        assert net.now - began <= 2 * CLOCK + GRACE + 30
    assert net.now - began > CLOCK, "a player who was away and is back had a whole turn before them, once"


def test_a_player_who_is_away_again_and_again_is_away_for_as_long_as_the_grace_in_all() -> None:
    net = bobs_turn()
    away = 0.0
    while not taken_over(net):
        net.cut_all(1)
        net.deaf.add(1)
        net.run_for(25)
        away += 25
        net.deaf.clear()
        net.run_for(5)
        assert away <= GRACE + 60
    assert net.tales(0, SeatTakenOver)[0].why == "the connection dropped"


def test_a_move_gives_the_whole_grace_again() -> None:
    net = bobs_turn()
    for _ in range(4):
        net.cut_all(1)
        net.deaf.add(1)
        net.run_for(25)
        net.deaf.clear()
        net.run_for(32)
        if taken_over(net):
            break
        while to_act(net) != 1:
            act(net, 0)
        act(net, 1)
        while to_act(net) == 0:
            act(net, 0)
    assert not taken_over(net)


def test_who_says_hello_again_and_again_and_never_how_far_their_log_goes_has_not_come_back() -> None:
    """So does a listener who has signed the header of a successor that nobody else has."""
    net = bobs_turn()
    net.cut_all(1)
    net.deaf.add(1)
    began = net.now
    while not taken_over(net):
        bob = Stranger(net, 0, 1)
        bob.say(Hello(VERSION, False, "Bob", "betty"))
        assert [one for one in bob.heard if isinstance(one, Resume)]
        net.run_for(5)
        bob.say(Bye(ByeCode.TAKEN))
        net.run_for(5)
        assert net.now - began <= GRACE + 10
    assert net.tales(0, SeatTakenOver)[0].why == "the connection dropped"


def moves_sent(net: Net) -> list[MoveMessage]:
    decoded = [decode_message(message) for sender, _, message in net.sent if sender == 1]
    return [message for message in decoded if isinstance(message, MoveMessage)]


def test_no_second_move_is_signed_for_a_decision_no_matter_who_refuses_the_first() -> None:
    net = bobs_turn()
    position, words = net.at(1), spoken(net, 1)
    net.say(1, "act", *words.split())
    sent, game = moves_sent(net), net.listener(1).game
    assert game is not None
    for code in RefusalCode:
        net.step(1, partial(game.refused, RefusedMove(position.count, code, "no"), "no"))
    assert moves_sent(net) == sent
    assert game.follower.pending is not None
    net.run()
    assert net.at(0).count > position.count, "the move that was signed is the one that counts"
