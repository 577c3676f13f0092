"""No hand is dealt without those who must have a part in it: the coordinator's table waits, says for whom, or begins
another game where the first deal can never come."""

from __future__ import annotations

import pytest

from p2pcards.ledger.payloads import has_checked
from p2pcards.ledger.transitions import Phase
from p2pcards.session.listener_table import ListenerTable
from p2pcards.session.table import TRIES
from p2pcards.views.happenings import GameEnded, HandDealt, Notice, ShuffledAnew
from p2pcards.wire.packing import Cause, Refused
from rigs.net import Net, records

WAITS = "The game is waiting for Bob, who must take part in the next shuffle. To end it now, type 'end'."
ANEW = "Bob lost this game's log, but no cards were dealt yet, so it starts over."


def notices(net: Net) -> list[str]:
    return [told.text for told in net.tales(0, Notice)]


def between_hands(listeners: int = 1) -> Net:
    """The first hand is opened, and no check of it has come."""
    net = Net(listeners)
    net.sit_down("end_score=50", game="hearts")
    while net.position(0) is None or not net.at(0).opened:
        net.deliver(net.next_event())
    return net


def test_the_table_waits_for_the_only_listener_and_goes_on_when_they_are_back() -> None:
    net = between_hands()
    net.deaf.add(1)
    net.cut_all(1)
    net.run_for(300)
    assert net.at(0).phase is Phase.CHECKS and len(net.tales(0, HandDealt)) == 1
    assert notices(net).count(WAITS) == 1
    net.deaf.clear()
    net.run_until(lambda: len(net.tales(0, HandDealt)) > 1, 60)
    assert [deal.absent for deal in net.tales(0, HandDealt)][1] == ()


def test_a_game_waits_for_the_player_of_a_listener_and_its_coordinator_is_told() -> None:
    net = Net(1, auto=None)
    net.step(1, lambda: net.machines[1].attend(False))
    net.sit_down(game="hearts")
    net.run_for(300)
    assert notices(net).count("The game begins when Bob joins the table. To end it now, type 'end'.") == 1
    assert not net.tales(0, HandDealt) and not has_checked(net.log(1))
    net.step(1, lambda: net.machines[1].attend(True))
    net.step(1, lambda: net.machines[1].attend(False))
    net.step(1, lambda: net.machines[1].attend(True))
    assert net.run_until(lambda: bool(net.tales(0, HandDealt)), 60)
    moves = [message for sender, _, message in net.sent if sender == 1 and message[0] == 1]
    assert len(moves) == 1, "the check goes out once"


def test_of_two_the_one_who_may_come_back_is_waited_for() -> None:
    """Cy has left for good, and drops out; Bob, whose line is lost, is the last."""
    net = between_hands(2)
    net.say(2, "leave")
    net.deaf.add(1)
    net.cut_all(1)
    net.run_for(300)
    assert net.at(0).roll == {1} and notices(net).count(WAITS) == 1
    net.deaf.clear()
    net.run_until(lambda: bool(net.tales(1, ShuffledAnew)), 60)
    net.say(1, "accept")
    net.run_until(lambda: len(net.tales(0, HandDealt)) > 1, 60)
    assert [deal.absent for deal in net.tales(0, HandDealt)][1] == ("Cy",)


def test_a_guest_who_has_left_for_good_is_waited_for_until_the_game_is_ended() -> None:
    net = between_hands()
    net.say(1, "leave")
    net.run_for(100)
    assert net.at(0).phase is Phase.CHECKS and notices(net).count(WAITS) == 1
    assert net.table.next_time() > net.now + 60, "there is nothing to be looked at again"
    net.say(0, "end")
    assert net.tales(0, GameEnded) and net.at(0).ended == 1


@pytest.mark.parametrize("listeners", [1, 2])
def test_a_game_whose_first_hand_can_never_be_dealt_begins_anew(listeners: int) -> None:
    net = Net(listeners)
    net.sit_down("end_score=50", game="hearts")
    while not net.logs[0]:
        net.deliver(net.next_event())
    first = net.at(0).game_id
    net.crash(1)
    net.run_until(lambda: bool(net.tales(0, HandDealt)), 60)
    assert ANEW in notices(net)
    assert net.at(0).game_id == net.at(1).game_id != first
    assert net.tales(0, HandDealt) and records(net.log(1))


def test_that_does_not_happen_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A listener who refuses every header."""

    def refuse(*_: object) -> None:
        raise Refused(Cause.FAIRNESS, "The header gives me a chain that isn't mine.")

    monkeypatch.setattr(ListenerTable, "take_header", refuse)
    net = Net(1)
    net.sit_down("end_score=50", game="hearts")
    net.run_for(900)
    assert notices(net).count(ANEW) == TRIES and len(net.logs[0]) == 1 + TRIES
