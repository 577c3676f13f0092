"""A takeover whose reason the listener's own link contradicts is noted by that listener, and no other is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from p2pcards.ledger.payloads import NOTE, UntrueTakeover, read_note
from p2pcards.ledger.transitions import Phase
from p2pcards.views.happenings import SeatTakenOver, TakenOverUntruly
from p2pcards.wire.reasons import TakeoverReason
from rigs.net import Net

LOST, CLOCK, LEFT, ASKED = TakeoverReason


def table(turn_clock: int = 180, grace: int = 60) -> Net:
    """Ann and Bob, who play by themselves; it is Bob's turn."""
    net = Net(1, auto=None, turn_clock=turn_clock, grace=grace)
    net.sit_down()
    assert net.run_until(lambda: net.position(1) is not None and net.at(1).phase is Phase.PLAY)
    while 1 not in net.at(1).state.to_act:
        net.say(0, "act", *net.view(0).legal[0].split())
        net.run()
    return net


def take_over(net: Net, reason: TakeoverReason) -> None:
    game = net.table.game
    assert game is not None
    net.lies = True
    net.step(0, lambda: game._take_over(1, reason, net.now))
    net.run()


def noted(net: Net) -> list[int]:
    notes = [read_note(payload) for payload in net.log(1) if payload[:1] == NOTE]
    return [note.record for note in notes if isinstance(note, UntrueTakeover)]


def wait(seconds: float) -> Callable[[Net], None]:
    return lambda net: net.run_for(seconds)


def be_away_and_back(net: Net) -> None:
    for word in ("away", "back"):
        net.say(1, word)
        net.run()


def cut_and_back(net: Net) -> None:
    net.cut_all(1)
    net.run_for(5)


def restart(net: Net) -> None:
    net.crash(1)
    net.run_for(5)


def nothing(_net: Net) -> None:
    pass


@pytest.mark.parametrize("before", [nothing, cut_and_back, restart], ids=["at once", "after a cut", "after a restart"])
@pytest.mark.parametrize("reason", [LOST, LEFT], ids=["lost", "left"])
def test_what_is_not_so_is_noted(reason: TakeoverReason, before: Callable[[Net], None]) -> None:
    net = table()
    before(net)
    take_over(net, reason)
    assert noted(net) == [net.at(1).taken_over[1].record]
    assert net.tales(1, TakenOverUntruly) == [TakenOverUntruly("Ann", reason.sentence)]


@pytest.mark.parametrize(
    ("reason", "turn_clock", "before"),
    [
        (CLOCK, 0, nothing),
        (CLOCK, 180, nothing),
        (CLOCK, 180, wait(149)),
        (CLOCK, 40, wait(19)),
        (ASKED, 180, nothing),
    ],
)
def test_a_clock_that_has_time_and_a_wish_that_was_not_said_are_noted(
    reason: TakeoverReason, turn_clock: int, before: Callable[[Net], None]
) -> None:
    net = table(turn_clock)
    before(net)
    take_over(net, reason)
    assert noted(net) == [net.at(1).taken_over[1].record]


@pytest.mark.parametrize(
    ("reason", "turn_clock", "before"),
    [
        (CLOCK, 180, wait(151)),
        (CLOCK, 40, wait(21)),
        (CLOCK, 180, cut_and_back),
        (CLOCK, 180, restart),
        (ASKED, 180, be_away_and_back),
        (ASKED, 180, restart),
    ],
)
def test_what_may_be_so_is_not(reason: TakeoverReason, turn_clock: int, before: Callable[[Net], None]) -> None:
    net = table(turn_clock)
    before(net)
    take_over(net, reason)
    assert 1 in net.at(1).taken_over and noted(net) == []


@pytest.mark.parametrize("grace", [0, 3])
def test_an_honest_coordinator_is_accused_of_nothing(grace: int) -> None:
    """Turns run out, lines are cut for longer and shorter than the grace, programs are killed, somebody is away."""
    net = table(turn_clock=20, grace=grace)
    for _ in range(3):
        net.run_for(30)
        be_away_and_back(net)
        for seconds in (1, 8):
            net.deaf.add(1)
            net.cut_all(1)
            net.run_for(seconds)
            net.deaf.clear()
            net.run_for(40)
        net.crash(1)
        net.run_for(30)
        net.crash(0)
        net.run_for(60)
    reasons = {told.why for told in net.tales(1, SeatTakenOver)}
    assert CLOCK.sentence in reasons and LOST.sentence in reasons
    assert noted(net) == []
