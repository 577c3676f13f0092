"""People look at a hand that is over: the next is dealt when all have said so, or when the time is over."""

from __future__ import annotations

import pytest

from p2pcards.ledger.transitions import Phase
from p2pcards.session.effects import CommandError
from p2pcards.session.game_clocks import CHECK_SECONDS
from p2pcards.views.happenings import HandDealt
from rigs.net import Arrival, Net

SECONDS = 20


def played(listeners: int = 1, seconds: int = SECONDS, hands: int = 1, game: str = "whist") -> Net:
    """People have played so many hands, and nobody has said anything since."""
    net = Net(listeners, auto=None, between_hands=seconds)
    net.sit_down(game=game)
    net.run_for(1)
    for hand in range(hands):
        if hand:
            go_on(net)
        play(net)
    return net


def play(net: Net) -> None:
    """A hand to its end."""
    hand = dealt(net)
    while net.at(0).phase is not Phase.CHECKS and dealt(net) == hand:
        for i in range(len(net.machines)):
            if legal := net.view(i).legal:
                net.say(i, "act", *legal[0].split())
        net.run_for(0.5)


def go_on(net: Net) -> None:
    for i in range(len(net.machines)):
        if net.view(i).pause is not None:
            net.say(i, "next")
    net.run_for(1)


def dealt(net: Net) -> int:
    return len(net.tales(0, HandDealt))


def test_the_next_hand_waits_until_everybody_has_said_so() -> None:
    net = played(2)
    assert dealt(net) == 1 and net.at(0).checked == frozenset()
    assert [net.view(i).pause for i in range(3)] == [SECONDS, SECONDS, SECONDS]
    net.say(0, "next")
    net.say(1, "next")
    net.run_for(1)
    assert net.at(0).checked == {1} and dealt(net) == 1
    assert net.view(0).waiting == "Cy to look at the hand" and net.view(0).pause is None
    net.say(2, "next")
    net.run_for(1)
    assert dealt(net) == 2


def test_it_comes_by_itself_when_the_time_is_over() -> None:
    net = played(2)
    net.run_for(SECONDS - 2)
    assert dealt(net) == 1
    net.run_for(4)
    assert dealt(net) == 2


def test_the_coordinator_may_look_as_long_as_the_others() -> None:
    net = played(1)
    net.say(1, "next")
    net.run_for(5)
    assert net.at(0).checked == {1} and dealt(net) == 1
    net.say(0, "next")
    net.run_for(1)
    assert dealt(net) == 2


def test_alone_there_is_no_end_to_it() -> None:
    net = played(0)
    assert net.view(0).pause == 0
    net.run_for(100_000)
    assert dealt(net) == 1
    net.say(0, "next")
    net.run_for(1)
    assert dealt(net) == 2


def test_a_table_that_gives_no_time_deals_at_once() -> None:
    net = played(1, seconds=0)
    assert dealt(net) == 2
    assert net.view(0).pause is None
    with pytest.raises(CommandError, match="no finished hand"):
        net.say(0, "next")
    with pytest.raises(CommandError, match="no finished hand"):
        net.say(1, "next")


def test_nobody_looks_before_the_first_hand_nor_when_the_game_is_won() -> None:
    net = Net(1, auto=None, between_hands=SECONDS)
    net.sit_down(game="whist")
    net.run_for(1)
    assert dealt(net) == 1 and net.view(0).pause is None


def test_a_seat_that_a_computer_plays_looks_at_nothing() -> None:
    net = played(1)
    net.say(1, "auto", "novice")
    net.run_for(1)
    assert net.at(0).checked == {1}
    net.say(0, "auto", "novice")
    net.run_for(1)
    assert dealt(net) > 1


def test_a_check_is_kept_before_its_player_has_looked() -> None:
    """So a coordinator who calls them absent meanwhile is known for it."""
    net = played(2)
    game = net.listener(1).game
    assert game is not None
    follower = game.follower
    assert follower.kept_check_of(net.at(1).open_base) and 1 not in net.at(0).checked


def test_somebody_who_says_nothing_at_all_is_waited_for_that_long_and_no_longer() -> None:
    net = played(2)
    net.say(1, "next")
    mute(net, 2, SECONDS + 1)
    assert dealt(net) == 1
    mute(net, 2, CHECK_SECONDS + 2)
    net.say(1, "accept")
    net.run_for(1)
    assert dealt(net) == 2 and 2 in net.at(0).absent


def mute(net: Net, i: int, seconds: float) -> None:
    """So long nothing arrives of what this machine sends to the coordinator, and its link stays."""
    end = net.now + seconds
    while net.now < end:
        from_it = [peer for (j, peer), (other, _) in net.links.items() if j == 0 and other == i]
        net.queue = [one for one in net.queue if not (isinstance(one, Arrival) and one.peer in from_it)]
        if net.queue:
            net.deliver(net.next_event())
        else:
            net.pass_time(end)


def test_who_comes_back_meanwhile_has_what_is_left() -> None:
    net = played(1)
    net.cut_all(1)
    net.run_for(6)
    assert dealt(net) == 1
    assert 0 < (net.view(1).pause or 0) < SECONDS
    go_on(net)
    assert dealt(net) == 2


def test_a_redeal_and_a_new_start_of_the_program_are_not_waited_for() -> None:
    net = played(1)
    net.crash(0)
    net.run_for(30)
    assert dealt(net) + len(net.tales(1, HandDealt)) >= 2
