"""Who comes before whom at a listener's table, and when the one who has it gives it to somebody who does."""

from __future__ import annotations

import pytest

from p2pcards.ledger.transitions import Phase
from p2pcards.session.doubt import KEPT, LATEST, QUIET, Familiarity
from p2pcards.session.effects import Send
from p2pcards.views.happenings import Notice, PlayerLost
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import Bye, Hello, Message
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.records import VERSION
from rigs.net import Net, key_of, message_of
from rigs.people import act, by_hand, to_act
from rigs.pure import remembered_signatures

signatures = remembered_signatures()

SURE, LONG, NEW, UNKNOWN = Familiarity(True, 20), Familiarity(False, 10), Familiarity(False, 30), Familiarity()
ANN = 0
"""The machine that has the table; the player at machine 1 does not know her."""


class Caller:
    """Somebody with a key of their own who calls the listener at machine 1 again and again."""

    def __init__(self, net: Net, standing: Familiarity, number: int = 99) -> None:
        self.net = net
        self.standing = standing
        self.key = public_bytes(key_of(number, net.seed))

    def call(self) -> Message:
        """The first that they hear."""
        net, machine = self.net, self.net.machines[1]
        net.peers += 1
        self.peer = net.peers
        effects = machine.joined(self.peer, self.key, "there", net.now, standing=lambda: self.standing)
        net.step(1, lambda: effects)
        sent = [one.message for one in effects if isinstance(one, Send) and one.peer == self.peer]
        return message_of(sent[0])

    def hang_up(self) -> None:
        machine, net = self.net.machines[1], self.net
        net.step(1, lambda: machine.lost(self.peer, "they hung up", net.now))


def sits(said: Message) -> bool:
    return isinstance(said, Hello) and said.version == VERSION


def has_ann(net: Net) -> bool:
    """Whether she has the table."""
    link = net.listener(1).link
    return link.peer is not None and link.key == public_bytes(net.keys[ANN])


def heard(net: Net, code: ByeCode) -> int:
    """How often Ann was sent this goodbye."""
    return sum(to == ANN and message_of(data) == Bye(code) for _, to, data in net.sent)


def in_a_hand() -> Net:
    net = by_hand(1)
    assert net.at(1).phase is Phase.PLAY
    return net


def test_a_friend_made_sure_of_comes_first_then_who_is_known_longer_and_a_stranger_before_nobody() -> None:
    order = [UNKNOWN, NEW, LONG, SURE]
    for i, one in enumerate(order):
        for j, other in enumerate(order):
            assert one.comes_before(other) == (i > j)
    longer = Familiarity(True, 5)
    assert not longer.comes_before(SURE), "a friend does not lose the table to a friend"


@pytest.mark.parametrize("standing", [NEW, LONG, SURE])
def test_where_no_game_is_on_a_friend_is_let_in_at_once(standing: Familiarity) -> None:
    net = Net(1, auto=None)
    net.say(0, "invite", "1")
    net.run()
    assert has_ann(net)
    assert sits(Caller(net, standing).call())
    assert heard(net, ByeCode.TAKEN) == 1


def test_a_stranger_is_told_that_the_table_is_taken() -> None:
    net = in_a_hand()
    assert Caller(net, UNKNOWN).call() == Bye(ByeCode.TAKEN)
    net.run_for(LATEST)
    assert not heard(net, ByeCode.GAVE_WAY)


def test_a_hand_in_which_no_record_comes_for_a_minute_is_not_waited_for() -> None:
    net = in_a_hand()
    friend = Caller(net, LONG)
    assert friend.call() == Bye(ByeCode.COMES_NEXT)
    net.run_for(QUIET - 1)
    assert has_ann(net) and friend.call() == Bye(ByeCode.COMES_NEXT)
    net.run_for(2)
    assert heard(net, ByeCode.GAVE_WAY) == 1 and not has_ann(net)
    assert sits(friend.call())


def test_a_hand_without_end_is_broken_off_after_five_minutes() -> None:
    net = in_a_hand()
    friend, asked = Caller(net, NEW), net.now
    assert friend.call() == Bye(ByeCode.COMES_NEXT)
    while net.now + QUIET * 0.8 < asked + LATEST:
        net.run_for(QUIET * 0.8)
        assert has_ann(net)
        act(net, to_act(net))
        assert net.at(1).phase is Phase.PLAY, "a hand that is long enough"
    net.run_until(lambda: not has_ann(net), LATEST)
    assert net.now - asked <= LATEST and net.at(1).phase is Phase.PLAY
    assert heard(net, ByeCode.GAVE_WAY) == 1 and sits(friend.call())


def test_the_table_is_given_as_soon_as_the_hand_is_over() -> None:
    net = in_a_hand()
    friend, asked = Caller(net, NEW), net.now
    assert friend.call() == Bye(ByeCode.COMES_NEXT)
    while has_ann(net):
        act(net, to_act(net))
    assert net.now == asked and heard(net, ByeCode.GAVE_WAY) == 1
    assert net.at(1).phase is Phase.CHECKS and sits(friend.call())


def test_the_place_is_kept_for_two_minutes_but_for_who_comes_first() -> None:
    net = in_a_hand()
    friend, other = Caller(net, LONG), Caller(net, UNKNOWN, 98)
    friend.call()
    net.run_for(QUIET + KEPT - 5)
    assert not has_ann(net), "who has given way calls again in vain"
    assert other.call() == Bye(ByeCode.TAKEN) and Caller(net, NEW, 97).call() == Bye(ByeCode.TAKEN)
    assert sits(Caller(net, SURE, 96).call())


def test_when_nobody_comes_after_all_the_game_goes_on() -> None:
    net = in_a_hand()
    Caller(net, LONG).call()
    net.run_for(QUIET + KEPT + 60)
    assert has_ann(net) and heard(net, ByeCode.GAVE_WAY) == 1


def test_of_two_who_wait_the_one_who_comes_first_is_next_and_time_goes_on() -> None:
    net = in_a_hand()
    first, second = Caller(net, LONG), Caller(net, SURE, 98)
    assert first.call() == Bye(ByeCode.COMES_NEXT)
    net.run_for(QUIET / 2)
    assert second.call() == Bye(ByeCode.COMES_NEXT)
    assert first.call() == Bye(ByeCode.TAKEN)
    net.run_for(QUIET / 2 + 1)
    assert first.call() == Bye(ByeCode.TAKEN) and sits(second.call())


def test_a_link_that_is_renewed_does_not_keep_the_friend_out() -> None:
    net = in_a_hand()
    friend = Caller(net, LONG)
    friend.call()
    net.run_for(QUIET / 2)
    net.connect(ANN, 1, "1")
    net.run_for(QUIET / 2 + 1)
    assert not has_ann(net) and sits(friend.call())


def test_a_table_that_is_left_meanwhile_is_kept_as_well() -> None:
    net = in_a_hand()
    friend = Caller(net, LONG)
    friend.call()
    net.cut_all(ANN)
    net.run_for(KEPT / 2)
    assert not has_ann(net), "she calls again, and others come before her"
    assert sits(friend.call())


def test_both_are_told_and_the_game_goes_on_afterwards() -> None:
    net = in_a_hand()
    game, friend = net.at(1).game_id, Caller(net, LONG)
    for _ in range(3):
        assert friend.call() == Bye(ByeCode.COMES_NEXT)
    waits = [one.text for one in net.tales(1, Notice) if "A friend you know better than Ann is calling" in one.text]
    assert len(waits) == 1, "once"
    net.run_for(QUIET + 1)
    assert [one.why for one in net.tales(1, PlayerLost)] == [
        "had to make room for a friend you know better. Your game is paused until they call again and the table is free"
    ]
    (lost,) = net.tales(0, PlayerLost)
    assert lost.why == ByeCode.GAVE_WAY.sentence
    assert sits(friend.call())
    net.run_for(5)
    friend.hang_up()
    net.run_for(60)
    assert has_ann(net) and net.at(1).game_id == game
    assert net.at(1).head == net.at(0).head
