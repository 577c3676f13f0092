"""Games over telephone lines: what takes longer there, and what nobody does without being asked."""

from __future__ import annotations

import pytest

from p2pcards.session.bounds import FIRST_WORD
from p2pcards.session.effects import CommandError
from p2pcards.session.table import STAKING
from p2pcards.views.happenings import PlayerBack, PlayerLost, RedialAsked, Unreachable
from p2pcards.wire.messages import Ping
from rigs.net import Net, message_of
from rigs.pure import remembered_signatures

signatures = remembered_signatures()

PACE = 10 / 2400


def dialled(grace: int | None = None, pace: float = PACE) -> Net:
    """A game that is on, by telephone."""
    net = Net(1, auto=None, grace=grace, turn_clock=0, pace=pace)
    net.say(0, "invite", "tel:1")
    net.run()
    net.say(0, "game", "crazy_eights")
    net.say(0, "start")
    net.run()
    return net


def test_nothing_pings_where_the_line_does_and_silence_is_no_loss() -> None:
    net = dialled()
    net.run_for(3600)
    assert not [data for _, _, data in net.sent if isinstance(message_of(data), Ping)]
    assert PlayerLost not in net.kinds(0) + net.kinds(1)


def test_who_never_says_a_word_on_a_slow_line_is_hung_up_on() -> None:
    net = Net(1, auto=None, pace=PACE)
    net.say(0, "invite", "tel:1")
    while not net.links:
        net.deliver(net.next_event())
    net.queue.clear()  # its HELLO never comes, nor the coordinator's
    wait = FIRST_WORD + 4 * 1024 * PACE
    net.run_for(wait - 0.1)
    assert len(net.links) == 2
    net.run_for(0.2)
    assert not net.links
    assert net.tales(0, Unreachable)[0].why == "didn't answer"


@pytest.mark.parametrize(("asked", "pace", "kept"), [(None, PACE, 180), (None, 0.0, 60), (20, PACE, 20)])
def test_a_seat_is_kept_for_longer_unless_the_coordinator_says_otherwise(
    asked: int | None, pace: float, kept: int
) -> None:
    assert dialled(asked, pace).at(0).header.grace == kept


@pytest.mark.parametrize(("pace", "seconds"), [(0.0, STAKING), (10 / 300, STAKING + 4 * 1024 / 30)])
def test_a_guest_who_does_not_answer_has_more_time_on_a_slow_line(pace: float, seconds: float) -> None:
    net = Net(1, auto=None, pace=pace)
    net.say(0, "invite", "tel:1")
    net.run()
    net.say(0, "game", "crazy_eights")
    net.say(0, "start")
    net.queue.clear()  # its stake never comes
    net.run_for(seconds - 0.1)
    assert net.table.guests
    net.run_for(0.2)
    assert not net.table.guests


def test_a_lost_telephone_is_called_again_after_one_yes_and_then_by_itself() -> None:
    net = dialled()
    known = len(net.dials)
    net.cut_all(1)
    net.run_for(60)
    assert net.dials[known:] == []
    assert [asked.address for asked in net.tales(0, RedialAsked)] == ["tel:1"]
    net.say(0, "redial", "bob")
    net.run()
    assert PlayerBack in net.kinds(0)
    known = len(net.dials)
    net.cut_all(1)
    net.run_for(5)
    assert [address for _, address in net.dials[known:]] == ["tel:1"]
    assert len(net.tales(0, RedialAsked)) == 1


@pytest.mark.parametrize("again", [True, False])
def test_a_call_that_a_person_answered_takes_the_yes_back(again: bool) -> None:
    net = dialled()
    net.deaf.add(1)
    net.cut_all(1)
    net.run_for(2)
    net.say(0, "redial")
    known = len(net.dials)
    net.step(0, lambda: net.machines[0].dial_failed("tel:1", "a person answered", net.now, again))
    net.queue.clear()
    net.run_for(120)
    assert bool(net.dials[known:]) == again
    assert len(net.tales(0, RedialAsked)) == (1 if again else 2)


def test_after_a_restart_it_is_asked_for_again() -> None:
    net = dialled()
    known = len(net.dials)
    net.crash(0)
    net.run_for(30)
    assert net.dials[known:] == []
    assert len(net.tales(0, RedialAsked)) == 1


def test_who_is_here_is_not_called() -> None:
    net = dialled()
    with pytest.raises(CommandError, match="There's nobody by that name"):
        net.say(0, "redial", "bob")
    with pytest.raises(CommandError, match="Only the host"):
        net.say(1, "redial")
