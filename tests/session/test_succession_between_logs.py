"""The host is lost while a game continues in another log: a seat or the table changes hands."""

from __future__ import annotations

import pytest

from p2pcards.views.happenings import HostChanged
from p2pcards.wire.reasons import CloseReason
from rigs.net import Net
from rigs.people import until
from rigs.pure import remembered_signatures
from rigs.succeeding import Divided

signatures = remembered_signatures()

ANN, BOB, CY, DEE = range(4)


def closed_for_a_seat() -> Divided:
    """Ann has just closed the log, for Dee to take a seat; nobody else has the CLOSE yet."""
    net = Divided(3, grace=30)
    for i in (BOB, CY):
        net.say(ANN, "invite", str(i))
    net.run()
    net.say(ANN, "game", "hearts")
    net.say(ANN, "start")
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).opened == 1)
    net.say(ANN, "invite", str(DEE))
    until(net, lambda: net.listener(DEE).looks_on)
    net.say(ANN, "seat", "Dee")
    until(net, lambda: net.at(ANN).ended is CloseReason.CONTINUED)
    return net


def is_closed(net: Net, i: int) -> bool:
    return net.at(i).ended is CloseReason.CONTINUED


def plays_with(net: Net, host: int, guest: int) -> bool:
    """Whether both are dealt a hand in one game, which this host coordinates."""
    if net.position(host) is None or net.position(guest) is None:
        return False
    return net.at(host).coordinates and net.at(host).dealt == 1 and net.at(host).head == net.at(guest).head


def test_the_seats_stay_as_they_were_when_the_host_is_lost_before_the_next_header() -> None:
    net = closed_for_a_seat()
    hand = net.at(ANN).state.hand
    until(net, lambda: is_closed(net, BOB) and is_closed(net, CY))
    net.lose(ANN)
    until(net, lambda: plays_with(net, BOB, CY), 40)
    assert net.hosts() == [BOB] and net.at(BOB).state.hand == hand + 1, "nothing is void"
    assert [net.at(i).seat for i in (BOB, CY)] == [1, 2] and net.at(BOB).header.seats[3].side is None
    for i in (BOB, CY):
        assert net.tales(i, HostChanged) == [HostChanged("Bob", "Ann", handed=False, hand=hand + 1, again=False)]


@pytest.mark.parametrize("has_close", [BOB, CY])
def test_one_who_lacks_the_close_is_sent_it(has_close: int) -> None:
    net = closed_for_a_seat()
    other = BOB + CY - has_close
    net.queue = [event for event in net.queue if event.machine != other]
    until(net, lambda: is_closed(net, has_close))
    assert not is_closed(net, other)
    net.lose(ANN)
    until(net, lambda: plays_with(net, BOB, CY), 40)
    assert not [event for event in net.tales(CY, HostChanged) if event.again]
