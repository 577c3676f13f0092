"""How listeners stand to a table, and how they are called again: every row of both tables occurs at tables that are
played at, and no row is there for nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from p2pcards.session import guests, presence
from p2pcards.session.effects import CommandError
from p2pcards.session.guests import FIRST, HELD, LONGEST, REDIAL, Calling, Redial
from p2pcards.session.presence import PRESENCE, Presence, PresenceStep
from p2pcards.wire.messages import Bye, Hello, Offer, Resume
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.records import VERSION
from rigs.net import Arrival, Net, message_of
from rigs.people import by_hand
from rigs.pure import remembered_signatures
from rigs.stranger import Stranger

signatures = remembered_signatures()


class Watched(dict[Any, Any]):
    """A table of which it is noted which rows are used."""

    def __init__(self, table: dict[Any, Any]) -> None:
        super().__init__(table)
        self.used: set[Any] = set()

    def __getitem__(self, row: Any) -> Any:
        self.used.add(row)
        return super().__getitem__(row)


@pytest.fixture
def presences(monkeypatch: pytest.MonkeyPatch) -> Watched:
    watched = Watched(PRESENCE)
    monkeypatch.setattr(guests, "PRESENCE", watched)
    monkeypatch.setattr(presence, "PRESENCE", watched)
    return watched


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Watched:
    watched = Watched(REDIAL)
    monkeypatch.setattr(guests, "REDIAL", watched)
    return watched


def presence_of(net: Net, i: int = 1) -> Presence:
    game = net.table.game
    return (game.guests[i] if game else net.table.guests[i - 1]).presence


def hold_back(net: Net, i: int, kind: type) -> Iterator[Arrival]:
    """Messages of a kind on their way to a machine, taken from the net."""
    for event in list(net.queue):
        if isinstance(event, Arrival) and event.machine == i and isinstance(message_of(event.message), kind):
            net.queue.remove(event)
            yield event


def run_to(net: Net, condition: Callable[[], bool]) -> None:
    while not condition():
        net.deliver(net.next_event())


def lobby(listeners: int = 1) -> Net:
    net = Net(listeners, auto=None)
    for i in range(1, listeners + 1):
        net.say(0, "invite", str(i))
    net.run()
    return net


def come_anew(net: Net, i: int = 1) -> Stranger:
    """The identity of a listener says HELLO on another link, while the old one still stands."""
    twin = Stranger(net, 0, i)
    twin.say(Hello(VERSION, False, "Bob", "betty"))
    return twin


def in_the_lobby() -> None:
    """A newer link replaces the one of somebody who was greeted; they are put out, and come again."""
    net = lobby()
    assert presence_of(net) is Presence.GREETED
    come_anew(net)
    assert presence_of(net) is Presence.GREETED
    net.say(0, "kick", "bob")
    net.run()
    assert not net.table.guests
    net.connect(0, 1, "1")
    net.cut_all(1)  # before a word was said
    net.run()
    assert net.listener(1).link.presence is Presence.AWAY


def while_catching_up() -> None:
    """A newer link replaces the one of somebody whose log is asked for, who then leaves, is called and comes again."""
    net = by_hand(1)
    net.cut_all(1)
    run_to(net, lambda: not net.queue)
    net.pass_time(net.now + 5)
    run_to(net, lambda: presence_of(net) is Presence.CATCHING_UP)
    twin = come_anew(net)
    assert presence_of(net) is Presence.CATCHING_UP
    twin.say(Bye(ByeCode.LEAVES))
    net.run()
    assert presence_of(net) is Presence.LEFT
    with pytest.raises(CommandError, match="Bob has already left"):
        net.say(0, "kick", "2")
    net.say(0, "invite", "1")
    net.run()
    net.run_for(1)


def in_a_game() -> None:
    """A gap asks for records again, somebody leaves, somebody who is away is put out; a newer link replaces one, and is
    lost again at once."""
    net = by_hand(3, preset="real-deal")
    peer = net.listener(1).link.peer or 0
    net.queue.append(Arrival(1, peer, b"\0" + bytes(((net.at(1).count + 5) & 255,)) + b"?"))
    net.run()
    assert presence_of(net) is Presence.AT_THE_TABLE
    net.say(1, "leave")
    net.run()
    assert presence_of(net) is Presence.LEFT
    net.deaf.add(2)
    net.cut_all(2)
    net.run()
    assert presence_of(net, 2) is Presence.AWAY
    net.say(0, "kick", "cy")
    assert presence_of(net, 2) is Presence.LEFT
    twin = come_anew(net, 3)
    assert presence_of(net, 3) is Presence.CATCHING_UP
    twin.hang_up()
    assert presence_of(net, 3) is Presence.AWAY


def after_a_restart() -> None:
    """Somebody who has not come back is put out; somebody's log goes further, which is asked for once more."""
    net = by_hand(2)
    net.deaf.update((1, 2))
    net.crash(0)
    assert presence_of(net) is Presence.INVITED
    net.say(0, "kick", "bob")
    assert presence_of(net) is Presence.LEFT
    shorter = by_hand(1)
    for payload in shorter.logs[0].values():
        del payload[-1]
    shorter.crash(0)
    shorter.run_for(3)
    assert presence_of(shorter) is Presence.AT_THE_TABLE


def a_new_game() -> None:
    """It begins while somebody still catches up with the one before."""
    net = Net(2, auto="carefree", seed=5)
    net.sit_down("winning_score=1")
    net.run()
    for i in (1, 2):
        net.say(i, "again")
    net.run()
    net.cut_all(1)
    net.run_for(0.5)
    net.pass_time(net.now + 1)
    run_to(net, lambda: presence_of(net) is Presence.CATCHING_UP)
    held = list(hold_back(net, 1, Resume))
    assert held
    net.say(0, "again")
    run_to(net, lambda: any(isinstance(e, Arrival) and isinstance(message_of(e.message), Offer) for e in net.queue))
    net.run()
    net.queue += held
    net.run()


def looking_on() -> None:
    """Somebody comes while a game is on, by another link, is cut off, put out; and has a side in the next game."""
    net = Net(2, auto=None)
    net.say(0, "invite", "1")
    net.run()
    net.say(0, "game", "crazy_eights")
    net.say(0, "start")
    net.run()
    net.connect(2, 0)
    net.run()
    twin = come_anew(net, 2)
    assert net.table.guests[1].presence is Presence.LOOKING_ON
    twin.hang_up()
    net.run()
    net.connect(2, 0)
    net.run()
    net.say(0, "kick", "cy")
    net.connect(2, 0)
    net.run()
    net.say(0, "end")
    net.say(0, "start")
    net.run()
    assert presence_of(net, 2) is Presence.AT_THE_TABLE


def looking_on_with_a_game_of_before() -> None:
    """Somebody was put out of a game whose end they never saw, looks on at the next, and has a side in the third."""
    net = Net(2, auto=None)
    net.sit_down("winning_score=1")
    net.run()
    net.cut_all(2)
    net.say(0, "kick", "cy")
    net.say(0, "end")
    net.run()
    net.say(0, "start")
    net.run()
    net.connect(2, 0)
    net.run()
    assert Presence.LOOKING_ON in [guest.presence for guest in net.table.guests]
    net.say(0, "end")
    net.say(0, "start")
    net.run()
    assert presence_of(net, 2) is Presence.AT_THE_TABLE


def watching() -> None:
    """Somebody watches, is cut off, comes again, has a seat, and watches and leaves."""
    net = Net(2, auto=None, watching=[2])
    net.say(0, "watchers", "on")
    net.say(0, "game", "crazy_eights")
    net.say(0, "start")
    net.run()
    for _ in range(2):
        net.connect(2, 0)
        net.run()
        net.cut_all(2)
        net.run()
    net.connect(2, 0)
    net.run()
    net.say(2, "sit")
    net.run()
    net.say(2, "leave")
    net.run()
    net.machines[2] = net._make(2)
    net.logs[2].clear()
    net.connect(2, 0)
    net.run()
    net.say(2, "leave")


def test_every_row_of_presence_occurs(presences: Watched) -> None:
    scenes = (in_the_lobby, while_catching_up, in_a_game, after_a_restart, a_new_game, looking_on)
    for scene in (*scenes, looking_on_with_a_game_of_before, watching):
        scene()
    assert set(PRESENCE) - presences.used == set()


def test_what_cannot_occur_is_a_mistake_and_not_passed_over() -> None:
    assert (Presence.AWAY, PresenceStep.COMPLETE) not in PRESENCE
    net = by_hand(1)
    net.cut_all(1)
    net.run()
    with pytest.raises(KeyError):
        net.table.guests[0].step(PresenceStep.COMPLETE)
    with pytest.raises(KeyError):
        Redial("192.0.2.7:4747").call()


# --- calling again ----------------------------------------------------------------------------------------------------


def answer(one: Redial) -> None:
    one.answered(50, "192.0.2.9:1")


def move(one: Redial) -> None:
    one.move("192.0.2.8:1")


def lost(address: str = "192.0.2.7:4747") -> Redial:
    one = Redial(address)
    one.answered(0)
    one.lost(HELD)
    return one


def test_a_telephone_waits_for_a_yes_and_a_call_without_sense_takes_it_back() -> None:
    one = lost("tel:5551234")
    assert not one.is_due(HELD + 0.9) and one.is_due(HELD + 1)
    assert one.call() is False and one.calling is Calling.ASKING
    one.agree()
    one.failed(20)
    assert one.is_due(22) and one.call() is True
    one.failed(30, again=False)
    assert one.call() is False


def test_nobody_is_called_without_an_address() -> None:
    one = Redial("")
    one.answered(0)
    one.lost(100)
    one.restart(100)
    assert one.calling is Calling.QUIET and not one.is_due(1000)


def test_every_row_of_calling_again_occurs(calls: Watched) -> None:
    ends: Callable[[Redial], None]
    for ends in (answer, Redial.stop, move):
        for address in ("192.0.2.7:4747", "tel:5551234"):
            resting, pausing, over, calling = Redial(address), lost(address), lost(address), lost(address)
            over.call()
            calling.agree()
            for one in (resting, pausing, over, calling):
                ends(one)
    lost().agree()
    failed = lost()
    failed.call()
    failed.failed(50)
    assert set(REDIAL) - calls.used == set()


def test_pauses_grow_to_half_a_minute_and_begin_anew_after_a_link_that_held() -> None:
    one = lost()
    pauses = []
    for _ in range(7):
        pauses.append(one.pause)
        one.call()
        one.failed(one.due)
    assert pauses == [FIRST, 2, 4, 8, 16, LONGEST, LONGEST]
    one.call()
    one.answered(1000)
    one.lost(1000 + HELD - 0.1)
    assert one.pause == LONGEST, "it did not hold"
    one.call()
    one.answered(1500)
    one.useful()
    one.lost(1501)
    assert one.pause == FIRST, "it brought the game on"
    one.call()
    one.answered(1600)
    one.lost(1601)
    assert one.pause == 2, "this one brought nothing"
    one.call()
    one.answered(2000)
    one.useful()
    one.lost(3000, behaved=False)
    assert one.pause == 4
    one.call()
    one.answered(4000)
    one.lost(4000 + HELD)
    assert one.pause == FIRST


def test_somebody_whose_machine_answers_is_called_soon_however_often_that_was_in_vain() -> None:
    one, pauses = Redial("192.0.2.7"), []
    one.lost(0)
    for there in (False, False, False, False, False, True, True, False, False):
        one.call()
        one.failed(one.due, there=there)
        pauses.append(one.pause)
    assert pauses == [2, 4, 8, 16, 30, 4, 4, 8, 16]
    assert one.next_call() == one.due
    one.answered(one.due)
    assert one.next_call() is None
