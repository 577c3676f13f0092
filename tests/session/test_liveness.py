"""Who is still there: pings, silence, calling again, a new link in place of the old."""

from __future__ import annotations

import pytest

from p2pcards.session.effects import Close
from p2pcards.session.guests import HELD
from p2pcards.views.happenings import PlayerLost, RedialPlanned, Said, Unreachable
from p2pcards.wire.messages import Bye, Hello, Ping
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.records import VERSION
from rigs.net import Arrival, Net, key_of, message_of
from rigs.stranger import Stranger
from rigs.whole import chain_end


def seated(listeners: int = 1) -> Net:
    net = Net(listeners, auto=None, turn_clock=0)
    net.sit_down()
    net.run()
    return net


def pings(net: Net, sender: int) -> int:
    return sum(isinstance(message_of(data), Ping) for one, _, data in net.sent if one == sender)


def mute(net: Net, i: int) -> None:
    """The process of a machine is stopped: its connections stay, it does nothing."""
    net.queue = [event for event in net.queue if event.machine != i]
    net.wake[i] = None


def test_an_idle_table_pings_every_five_seconds_and_loses_nobody() -> None:
    net = seated()
    before = pings(net, 0) + pings(net, 1)
    net.run_for(60)
    assert 10 <= pings(net, 0) + pings(net, 1) - before <= 26
    assert PlayerLost not in net.kinds(0) + net.kinds(1)


@pytest.mark.parametrize("silent", [0, 1])
def test_a_silent_peer_is_lost_after_fifteen_seconds(silent: int) -> None:
    net = seated()
    start, other = net.now, 1 - silent
    while net.now < start + 30 and PlayerLost not in net.kinds(other):
        mute(net, silent)
        if net.queue:
            net.deliver(net.next_event())
        else:
            net.pass_time(start + 30)
    assert net.now - start == pytest.approx(15, abs=0.1)
    assert net.tales(other, PlayerLost)[-1].why == "stopped answering"


def test_a_lost_listener_is_called_after_1_2_4_and_so_on_up_to_30_seconds() -> None:
    net = seated()
    net.deaf.add(1)
    net.cut_all(1)
    start, known = net.now, len(net.dials)
    net.run_for(150)
    assert [time - start for time, _ in net.dials[known:]] == [1, 3, 7, 15, 31, 61, 91, 121]
    assert net.tales(0, RedialPlanned)[0].seconds == 2
    net.deaf.clear()
    net.run_for(31)
    assert net.view(0).people[1].link == "here" and chain_end(net, 0) == chain_end(net, 1)
    net.cut_all(1)
    net.run_for(1)
    assert net.view(0).people[1].link == "here", "the next loss begins with one second again"


def calls_in(net: Net, seconds: float) -> list[float]:
    """The times of the calls in so many seconds, from now."""
    start, known = net.now, len(net.dials)
    net.run_for(seconds)
    return [time - start for time, _ in net.dials[known:]]


def spoil(net: Net) -> None:
    """The listener says something that nobody may say, whenever its link stands."""
    for (i, _), (_, there) in list(net.links.items()):
        if i == 1:
            net.queue.append(Arrival(0, there, b"\xff\xff"))


def test_who_breaks_the_protocol_is_called_less_and_less_often() -> None:
    net = seated()
    start, known = net.now, len(net.dials)
    while net.now < start + 130:
        if net.view(0).people[1].link == "here" and not net.queue:
            spoil(net)
        if net.queue:
            net.deliver(net.next_event())
        elif not net.pass_time(start + 130):
            break
    assert [time - start for time, _ in net.dials[known:]] == [1, 3, 7, 15, 31, 61, 91, 121]


def test_breaking_the_protocol_late_is_no_better() -> None:
    net = seated()
    for pause in (1, 2, 4, 8):
        net.run_for(20)
        spoil(net)
        net.run()
        assert calls_in(net, pause)[-1:] == [pause]
        net.run()


def test_a_link_that_held_is_called_again_after_a_second_whatever_was_before() -> None:
    net = seated()
    for pause in (1, 2, 4):
        net.cut_all(1)
        assert calls_in(net, pause + 1) == [pause], "each broke at once"
    net.run_for(HELD)
    net.cut_all(1)
    assert calls_in(net, 2) == [1]


def test_a_call_that_connects_but_leads_nowhere_is_tried_again() -> None:
    net = seated()
    net.cut_all(1)
    while not any(isinstance(message_of(e.message), Hello) for e in net.queue if isinstance(e, Arrival)):
        if net.queue:
            net.deliver(net.next_event())
        else:
            net.pass_time(net.now + 60)
    net.cut_all(1)  # before a word was said
    net.run_for(5)
    assert net.view(0).people[1].link == "here"


def test_an_invited_peer_who_hangs_up_or_says_nothing_is_reported() -> None:
    net = Net(0, auto=None)
    net.table.attendance.invite("9", partner=False)
    stranger = Stranger(net, 0, 50, "9")
    net.run_for(14)
    assert not stranger.closed
    steps = net.steps
    net.run_for(2)
    assert net.tales(0, Unreachable)[-1].address == "9" and net.steps - steps < 5
    net.table.attendance.invite("9", partner=False)
    Stranger(net, 0, 50, "9").hang_up()
    assert len(net.tales(0, Unreachable)) == 2 and not net.table.attendance.invited


def test_a_guest_counts_as_heard_from_their_first_word_on() -> None:
    net = Net(0, auto=None)
    stranger = Stranger(net, 0)
    net.run_for(10)
    stranger.say(Hello(VERSION, False, "Mal", "papa"))
    net.run_for(14)
    assert PlayerLost not in net.kinds(0)
    net.run_for(2)
    assert PlayerLost in net.kinds(0)


def test_waiting_for_a_hello_does_not_spin() -> None:
    net = Net(0, auto=None)
    Stranger(net, 0, 50)
    ticks = 0
    while net.pass_time(14.9):
        ticks += 1
        assert ticks < 5
    assert net.wake[0] == pytest.approx(15)


def test_a_new_link_of_the_same_identity_replaces_the_old_one() -> None:
    net = seated(2)
    old = dict(net.links)
    net.connect(0, 1, "1")
    net.run()
    assert net.view(0).people[1].link == "here" and len(net.links) == len(old)
    byes = [message_of(data) for _, _, data in net.sent]
    assert [bye.code for bye in byes if isinstance(bye, Bye)].count(ByeCode.REPLACED) >= 1
    net.say(1, "say", "still here")
    net.run()
    assert net.tales(2, Said)[-1].text == "still here"
    assert chain_end(net, 0) == chain_end(net, 1)


def test_reseat_calls_at_the_new_address_and_remembers_it() -> None:
    net = seated()
    net.table.guests[0].redial.address = "9"
    net.cut_all(1)
    net.run_for(10)
    assert net.view(0).people[1].link == "away"
    net.say(0, "reseat", "2", "1")
    net.run()
    assert net.view(0).people[1].link == "here"
    net.crash(0)
    net.run_for(3)
    assert net.view(0).people[1].link == "here"


def test_another_identity_at_a_remembered_address_does_not_get_the_seat() -> None:
    net = seated()
    net.cut_all(1)
    net.keys[1] = key_of(70, 1)
    net.run_for(30)
    assert net.view(0).people[1].link == "away" and net.tales(0, RedialPlanned)


def test_a_listener_is_told_that_the_coordinator_is_gone_and_waits() -> None:
    net = seated()
    net.deaf.add(1)
    net.cut_all(1)
    net.run()
    assert net.kinds(1)[-1] == PlayerLost and net.view(1).waiting == "the host to reconnect"
    assert net.machines[1].tick(net.now + 100) == []
    assert not any(isinstance(effect, Close) for effect in net.machines[1].lost(999, "x", net.now))
