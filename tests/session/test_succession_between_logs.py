"""The host is lost while a game continues in another log: a seat or the table changes hands."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import pytest

from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.views.happenings import HostChanged, Notice
from p2pcards.wire.reasons import CloseReason
from rigs.in_part import naming
from rigs.net import Net
from rigs.people import until
from rigs.pure import remembered_signatures
from rigs.succeeding import Divided, begins, check_logs, check_nobody_votes_twice, deliver_next, looked_on, playing

signatures = remembered_signatures()

ANN, BOB, CY, DEE = range(4)


def closed_for_a_seat(giver: int = ANN) -> Divided:
    """Ann has just closed the log, for Dee to take a computer's seat, or that of the giver; nobody else has the CLOSE
    yet."""
    net = looked_on()
    net.say(giver, "seat" if giver == ANN else "give", "Dee")
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


# --- and at every delivery until the next hand is dealt --------------------------------------------------------------


def are_dealt(net: Net, machines: Iterable[int]) -> bool:
    """Whether these have been dealt a hand in one game, and have come as far as one another."""
    there = [net.at(i) for i in machines if net.position(i) is not None]
    return len(there) == len(list(machines)) and len({one.head for one in there}) == 1 and there[0].dealt > 0


def placements(giver: int) -> int:
    """How many deliveries there are until everybody is dealt the next hand."""
    net, count = closed_for_a_seat(giver), 0
    while not are_dealt(net, range(4)):
        count += deliver_next(net)
    return count


def after(deliveries: int, giver: int) -> Divided:
    net, begun = closed_for_a_seat(giver), 0
    while begun < deliveries:
        begun += deliver_next(net)
    return net


def go_on_without_ann(giver: int, deliveries: int) -> None:
    net = after(deliveries, giver)
    net.lose(ANN)
    until(net, lambda: net.hosts() == [BOB] and are_dealt(net, (BOB, CY)), 32)
    net.come_back(ANN)
    until(net, lambda: net.position(ANN) is not None and net.at(ANN).seat == 0 and net.at(ANN).head == net.at(BOB).head)
    check_logs(net)
    check_nobody_votes_twice(net)


def go_on_after_a_cut(giver: int, deliveries: int, listener: int) -> None:
    net = after(deliveries, giver)
    net.cut_all(listener)
    until(net, lambda: net.hosts() == [ANN] and are_dealt(net, range(4)), 20)
    check_logs(net)
    check_nobody_votes_twice(net)


@pytest.mark.parametrize("giver", [ANN, BOB, CY], ids=["a computer's", "Bob's", "Cy's"])
@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_a_line_or_the_host_lost_at_every_delivery_while_a_seat_changes_hands(giver: int, every: int) -> None:
    for deliveries in range(0, placements(giver) + 1, every):
        with naming(deliveries):
            go_on_without_ann(giver, deliveries)
            for listener in (BOB, CY, DEE):
                go_on_after_a_cut(giver, deliveries, listener)


@pytest.mark.parametrize("has_header", [BOB, CY])
def test_one_who_lacks_the_next_header_continues_the_game_before(has_header: int) -> None:
    net, other = closed_for_a_seat(), BOB + CY - has_header
    old = net.at(ANN).game_id
    until(net, lambda: net.at(ANN).game_id != old)
    net.queue = [event for event in net.queue if event.machine != other]
    until(net, lambda: net.at(has_header).game_id != old)
    assert is_closed(net, other)
    net.lose(ANN)
    until(net, lambda: plays_with(net, BOB, CY), 40)
    assert net.at(BOB).header.seats[3].side is None, "as before Dee sat down"


# --- one log alone continues a game from one place -------------------------------------------------------------------


def last_base(net: Net, i: int, game_id: bytes) -> Position:
    """The end of a log that was closed to be continued, as this machine has it."""
    end = LedgerFollower.restored(net.keys[i], net.logs[i][game_id]).position
    assert end.ended is CloseReason.CONTINUED
    return end


def test_who_has_gone_on_with_a_successor_does_not_go_on_with_the_old_host() -> None:
    """Hands of both would count."""
    net = closed_for_a_seat()
    old = net.at(ANN).game_id
    until(net, lambda: is_closed(net, BOB) and is_closed(net, CY))
    net.lose(ANN)
    until(net, lambda: plays_with(net, BOB, CY), 40)
    net.crash(CY)
    net.lose(BOB)
    net.run()
    ann = begins(net, ANN, CY, last_base(net, CY, old))
    assert ann.closed and set(net.logs[CY]) == {old, net.used[CY]}


def test_who_has_been_dealt_the_next_hand_does_not_go_back_with_a_successor() -> None:
    net = closed_for_a_seat()
    old = net.at(ANN).game_id
    until(net, lambda: are_dealt(net, range(4)))
    net.lose(ANN)
    net.lose(BOB)
    net.crash(CY)
    net.run_for(40)
    bob = begins(net, BOB, CY, last_base(net, CY, old))
    assert bob.closed and len(net.logs[CY]) == 2


def test_a_log_without_a_deal_is_left_for_good_by_who_goes_back_to_the_one_before() -> None:
    """Also after a restart, by a successor who has the log before alone."""
    net = closed_for_a_seat()
    old = net.at(ANN).game_id
    until(net, lambda: net.position(CY) is not None and net.at(CY).game_id != old)
    next_one = net.at(CY).game_id
    net.lose(ANN)
    net.lose(DEE)
    net.crash(CY)
    net.run_for(40)
    base = last_base(net, CY, old)
    bob = begins(net, BOB, CY, base)
    assert not bob.closed and len(net.logs[CY]) == 3
    assert LedgerFollower.restored(net.keys[CY], net.logs[CY][next_one]).succeeded


# --- the table is handed over, and the one who is to have it is lost -------------------------------------------------


def handed_over(listeners: int) -> Divided:
    """Ann has handed the table over to Bob, who has not read it yet."""
    net = playing(listeners, option="end_score=40")
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).opened == 1 and net.at(BOB).phase is Phase.PLAY)
    net.say(ANN, "handover", "Bob")
    until(net, lambda: not net.hosts())
    return net


def handed_over_before_dee() -> Divided:
    """The same, with somebody who looks on and is called by nobody."""
    net = looked_on()
    net.say(ANN, "handover", "Bob")
    until(net, lambda: not net.hosts())
    return net


def all_are_with_bob(net: Net) -> bool:
    there = net.hosts() == [BOB] and all(len(net.view(i).people) == 4 for i in range(4))
    return there and net.position(BOB) is not None and net.at(BOB).dealt > 0


@pytest.mark.parametrize("every", [16, pytest.param(1, marks=pytest.mark.slow)])
def test_a_line_lost_at_every_delivery_while_the_table_is_handed_over(every: int) -> None:
    whole, deliveries = handed_over_before_dee(), 0
    while not all_are_with_bob(whole):
        deliveries += deliver_next(whole)
    for place in range(0, deliveries + 1, every):
        for lost in range(4):
            with naming((place, lost)):
                net, begun = handed_over_before_dee(), 0
                while begun < place:
                    begun += deliver_next(net)
                net.cut_all(lost)
                until(net, partial(all_are_with_bob, net), 130)
                check_logs(net)
                check_nobody_votes_twice(net)


def test_the_next_in_line_hosts_when_nobody_takes_a_table_that_was_handed_over() -> None:
    net = handed_over(2)
    net.lose(BOB)
    until(net, lambda: plays_with(net, CY, ANN), 60)
    assert net.hosts() == [CY] and net.at(ANN).seat == 0
    assert net.tales(ANN, HostChanged) == [HostChanged("Cy", "Ann", handed=True, hand=3, again=False)]


def test_the_old_host_calls_again_where_the_new_one_knows_no_address() -> None:
    net = handed_over(1)
    until(net, lambda: net.hosts() == [BOB] and net.table_of(BOB).guests[0].here)
    net.cut_all(BOB)
    until(net, lambda: plays_with(net, BOB, ANN), 40)


def test_a_link_to_the_new_host_that_the_old_one_made_is_made_again() -> None:
    net = handed_over(1)
    until(net, lambda: plays_with(net, BOB, ANN))
    net.cut_all(BOB)
    until(net, lambda: net.at(ANN).ended is not None and net.at(BOB).ended is not None)
    assert net.at(ANN).head == net.at(BOB).head


def test_of_two_the_old_host_takes_the_table_back_at_their_word() -> None:
    net = handed_over(1)
    net.lose(BOB)
    net.run_for(40)
    assert [one.text for one in net.tales(ANN, Notice)][-1] == "Bob is still gone. To play on without them: continue"
    net.say(ANN, "continue")
    until(net, lambda: net.hosts() == [ANN] and net.position(ANN) is not None and net.at(ANN).dealt == 1)
    assert net.at(ANN).state.hand == 3, "nothing is void"
