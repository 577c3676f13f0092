"""Watchers stay with a table whose host is gone, or hands it over."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from p2pcards.ledger.verify import verify_log
from p2pcards.session import table
from p2pcards.session.doubt import Familiarity
from p2pcards.session.effects import CommandError
from p2pcards.session.gallery import Policy
from p2pcards.session.succession import CALLS_FIRST, EARLY, RETRY, STEP, TRIES, Succession
from p2pcards.views.happenings import HostChanged, LookingOn, PlayerLost
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import Bye, Door, Doors, Handover, Watch, WatcherNow, WatchersNow, encode_message
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.records import VERSION, Header, encode_header
from rigs.net import NAMES, Arrival, Net, key_of, message_of
from rigs.people import until
from rigs.pure import remembered_signatures
from rigs.stranger import Stranger, last_bye, raw
from rigs.watching import ANN, BOB, followed, notices

signatures = remembered_signatures()

CY, DEE = 2, 3
ASKED = "Dee wants to watch. To answer: watchers yes Dee, or watchers no Dee"


def taken_over(net: Net, lost: int = ANN, by: int = BOB) -> Net:
    """The host is gone, and another hosts."""
    net.lose(lost)
    until(net, lambda: net.hosts() == [by] and net.position(by) is not None and net.at(by).dealt == 1)
    return net


def play_by_themselves(net: Net, *machines: int) -> None:
    for i in machines:
        net.say(i, "auto", "carefree")


def watches_at(net: Net, host: int, watcher: int = DEE) -> bool:
    """Whether the watcher is shown the game of this host."""
    shown = net.listener(watcher).position
    return shown is not None and shown.header.sides[0].key == public_bytes(net.keys[host])


def hosts_with_watcher(net: Net, host: int) -> bool:
    return net.hosts() == [host] and watches_at(net, host)


def doors_to(net: Net, i: int) -> list[Doors]:
    said = [message_of(data) for _, to, data in net.sent if to == i]
    return [one for one in said if isinstance(one, Doors)]


def called(net: Net, since: float) -> list[tuple[float, str]]:
    """When the watcher called which address."""
    return [(time - since, address) for time, address in net.dials if time > since]


# --- who is let in ----------------------------------------------------------------------------------------------------


def test_nobody_is_asked_about_a_watcher_who_was_let_in_before() -> None:
    net = taken_over(followed())
    until(net, lambda: bool(net.table_of(BOB).gallery.watching))
    assert net.table_of(BOB).gallery.policy is Policy.ASK
    assert ASKED not in notices(net, BOB)
    stranger = Stranger(net, BOB, 200)
    stranger.say(Watch(VERSION, "Wim"))
    assert stranger.heard[1:] == [WatchersNow(())], "Bob has to say yes"


def test_the_host_is_asked_about_somebody_whom_the_host_before_had_not_answered() -> None:
    net = taken_over(followed(let_in="not yet"))
    net.connect(DEE, BOB)
    until(net, lambda: ASKED in notices(net, BOB))
    assert not net.view(DEE).looks_on


def test_a_watcher_who_left_before_the_host_was_gone_is_asked_about() -> None:
    net = followed()
    net.say(DEE, "leave")
    until(net, lambda: "Dee is no longer watching." in notices(net, BOB))
    taken_over(net)
    stranger = Stranger(net, BOB, DEE)
    stranger.say(Watch(VERSION, "Dee"))
    assert stranger.heard[1:] == [WatchersNow(())]


def test_the_host_sends_a_watcher_away_whom_the_host_before_let_in() -> None:
    net = taken_over(followed())
    until(net, lambda: bool(net.table_of(BOB).gallery.watching))
    net.say(BOB, "kick", "Dee")
    stranger = Stranger(net, BOB, DEE)
    stranger.say(Watch(VERSION, "Dee"))
    assert last_bye(stranger) == ByeCode.NO_WATCHING


def test_a_host_who_names_watchers_and_vanishes_lets_in_those_with_these_keys_and_nobody_else() -> None:
    """They see what is public, and everybody was told of them; the new host sends them away like anybody."""
    net = followed()
    friend = WatcherNow("Wim", public_bytes(key_of(200, net.seed)), None)
    for i in (BOB, CY):
        place = next(end for end, other in net.links.items() if (end[0], other[0]) == (i, ANN))
        net.queue.insert(0, Arrival(*place, encode_message(WatchersNow((friend,)))))
    until(net, lambda: "Wim is watching." in notices(net, BOB))
    taken_over(net)
    named, other = Stranger(net, BOB, 200), Stranger(net, BOB, 201)
    for one in (named, other):
        one.say(Watch(VERSION, "Wim"))
    assert WatchersNow(()) in other.heard and WatchersNow(()) not in named.heard
    net.say(BOB, "watchers", "off")
    assert not net.table_of(BOB).gallery.watching


def test_those_who_watched_are_known_when_the_table_is_handed_over() -> None:
    net = followed()
    net.say(ANN, "handover", "Cy")
    play_by_themselves(net, ANN, BOB, CY)
    until(net, lambda: net.hosts() == [CY])
    assert net.table_of(CY).gallery.followed == {public_bytes(net.keys[DEE])}


def test_a_watcher_comes_in_at_the_doors_of_players_once_the_host_is_gone_and_not_before() -> None:
    net = followed()
    dee = public_bytes(net.keys[DEE])
    assert dee not in net.machines[BOB].members()
    net.lose(ANN)
    until(net, lambda: "If Ann isn't back in 30 s, another player hosts." in notices(net, BOB))
    assert dee in net.machines[BOB].members()
    until(net, lambda: net.hosts() == [BOB])
    assert dee in net.machines[BOB].members() and dee not in net.table_of(BOB).members(), "they host nothing"


# --- how they follow --------------------------------------------------------------------------------------------------


def test_a_watcher_follows_the_table_when_the_host_is_gone() -> None:
    net = followed()
    net.lose(ANN)
    lost_at = net.now
    until(net, lambda: watches_at(net, BOB))
    assert net.now <= lost_at + 30 + EARLY + CALLS_FIRST
    assert "If Ann isn't back in 30 s, another player can host, and you keep watching." in notices(net, DEE)
    (told,) = net.tales(DEE, HostChanged)
    assert told == net.tales(CY, HostChanged)[0] == HostChanged("Bob", "Ann", False, 2, True)
    play_by_themselves(net, BOB, CY)
    until(net, lambda: net.at(BOB).ended is not None)
    net.run()
    shown = net.listener(DEE).position
    assert shown is not None and (shown.head, shown.state) == (net.at(BOB).head, net.at(BOB).views[-1])
    assert all(verify_log(log).honest for log in net.logs[DEE].values()) and len(net.logs[DEE]) == 2


def test_a_watcher_follows_a_table_that_is_handed_over_and_back() -> None:
    net = followed(option="end_score=500")
    for old, new in ((ANN, CY), (CY, ANN)):
        play_by_themselves(net, ANN, BOB, CY)
        net.say(old, "handover", NAMES[new])
        until(net, partial(hosts_with_watcher, net, new))
    assert [(one.host, one.former, one.handed, one.again) for one in net.tales(DEE, HostChanged)] == [
        ("Cy", "Ann", True, False),
        ("Ann", "Cy", True, False),
    ]
    assert [said for i in (ANN, BOB, CY) for said in notices(net, i)].count(ASKED) == 1


def test_a_watcher_follows_when_the_host_leaves_the_table_to_the_others() -> None:
    net = followed()
    net.say(ANN, "leave")
    left_at = net.now
    until(net, lambda: net.hosts() == [ANN, BOB] and watches_at(net, BOB))
    assert net.now <= left_at + STEP + 1


def test_a_watcher_follows_to_the_second_in_line_if_the_first_is_gone_too() -> None:
    net = followed(3, option="end_score=25")
    play_by_themselves(net, ANN, BOB, CY, DEE)
    until(net, lambda: all(net.at(i).ended is not None for i in (ANN, BOB, CY, DEE)))
    net.lose(ANN)
    net.lose(BOB)
    until(net, lambda: net.hosts() == [CY] and bool(net.table_of(CY).gallery.watching))
    with pytest.raises(CommandError, match="Bob is cut off"):
        net.say(CY, "start")
    net.say(CY, "start")
    until(net, lambda: watches_at(net, CY, 4))


def test_of_two_players_the_one_who_plays_on_is_found_by_the_watcher() -> None:
    net = followed(1)
    net.lose(ANN)
    until(net, lambda: "Ann is still gone. To play on without them: continue" in notices(net, BOB))
    net.run_for(20)
    net.say(BOB, "continue")
    until(net, lambda: watches_at(net, BOB, 2), RETRY + 2 * STEP)
    assert [one.host for one in net.tales(2, HostChanged)] == ["Bob"]


def test_a_watcher_waits_with_a_host_who_found_too_few() -> None:
    """Cy has the table, and neither Ann nor Bob comes to it."""
    net = followed()
    play_by_themselves(net, ANN, BOB, CY)
    net.say(ANN, "handover", "Cy")
    until(net, lambda: net.hosts() == [CY] and bool(net.table_of(CY).gallery.watching))
    for i in (ANN, BOB):
        net.lose(i)
    told = "Too few players are here to go on without Cy. Trying again in 60 s."
    until(net, lambda: told in notices(net, DEE), 31)
    assert net.listener(DEE).successor.state is Succession.WAITING


def test_a_watcher_comes_to_a_host_who_found_too_few_at_first() -> None:
    net = followed()
    net.lose(ANN)
    net.lose(CY)
    until(net, lambda: any(said.startswith("Too few players") for said in notices(net, BOB)))
    net.come_back(CY)
    until(net, lambda: watches_at(net, BOB), 2 * RETRY)
    assert [one.former for one in net.tales(DEE, HostChanged)] == ["Ann"]


def test_a_watcher_whose_line_to_the_new_host_is_cut_calls_them_again() -> None:
    net = taken_over(followed())
    until(net, lambda: watches_at(net, BOB))
    net.cut_all(DEE)
    net.run_for(2)
    assert [one.name for one in net.view(CY).watchers] == ["Dee"] and net.view(DEE).records == net.at(BOB).count


def test_a_watcher_who_may_not_watch_at_the_new_host_calls_nobody_any_more() -> None:
    net = followed()
    net.lose(ANN)
    lost_at = net.now
    until(net, lambda: net.hosts() == [BOB])
    net.say(BOB, "watchers", "off")
    net.run_for(600)
    assert called(net, lost_at + 30) == [(EARLY + CALLS_FIRST, "1")] and not watches_at(net, BOB)
    (told,) = net.tales(DEE, PlayerLost)[-1:]
    assert (told.name, told.why) == ("Bob", ByeCode.NO_WATCHING.sentence)
    assert net.listener(DEE).successor.state is Succession.APART


# --- what they are told, and whom they call ---------------------------------------------------------------------------


def test_a_watcher_is_told_the_doors_once_they_are_let_in_also_of_a_single_player() -> None:
    net = followed(1, let_in="not yet")
    assert not doors_to(net, CY)
    net.say(ANN, "watchers", "yes", "Cy")
    net.run()
    assert doors_to(net, CY) == [Doors((Door(1, public_bytes(net.keys[BOB]), "1"),))] and not doors_to(net, BOB)
    net.cut_all(BOB)
    net.deaf.add(BOB)
    net.run()
    assert doors_to(net, CY)[-1] == Doors(())


def test_addresses_are_told_to_a_watcher_whom_the_host_knows_or_was_asked_about_and_to_nobody_else() -> None:
    net = followed(let_in="on")
    stranger, friend = Stranger(net, ANN, 200), Stranger(net, ANN, 201, standing=lambda: Familiarity(since=1))
    for one in (stranger, friend):
        one.say(Watch(VERSION, "Wim"))
    (to_stranger,), (to_friend,) = [[one for one in who.heard if isinstance(one, Doors)] for who in (stranger, friend)]
    assert [door.address for door in to_friend.doors] == ["1", "2"]
    assert (
        [door.address for door in to_stranger.doors]
        == ["", ""]
        == [one.address for one in doors_to(net, DEE)[-1].doors]
    )
    assert [door.key for door in to_stranger.doors] == [public_bytes(net.keys[i]) for i in (BOB, CY)]


def told_wrongly(net: Net, *addresses: str) -> None:
    """The host names these doors to the watcher, which their own program would not."""
    raw(net, ANN, DEE, Doors(tuple([Door(i, public_bytes(net.keys[i]), one) for i, one in enumerate(addresses, 1)])))


def test_wrong_doors_are_called_a_few_times_and_nobody_is_believed_who_answers_there() -> None:
    net = followed()
    told_wrongly(net, "2", "9")
    net.lose(ANN)
    net.lose(BOB)
    lost_at = net.now
    net.run_for(3600)
    first = 30 + EARLY + CALLS_FIRST
    second = first + 2 * STEP + RETRY + EARLY + CALLS_FIRST
    third = second + 2 * STEP + RETRY + EARLY + CALLS_FIRST
    rounds = [(time + wait, door) for time in (first, second, third) for wait, door in ((0, "2"), (STEP, "9"))]
    assert [one for one in called(net, lost_at) if one in rounds] == rounds and called(
        net, lost_at + third + STEP
    ) == []
    assert net.wake[DEE] is None and not net.tales(DEE, HostChanged)


def test_somebody_who_does_not_take_the_table_is_not_called_without_end() -> None:
    net = followed()
    told_wrongly(net, "9", "8")
    raw(net, ANN, DEE, Handover(public_bytes(net.keys[BOB])))
    told_at = net.now
    for i in (ANN, BOB, CY):
        net.lose(i)
    net.run_for(3600)
    times = [time for time, address in called(net, told_at) if address == "9"]
    assert len(times) <= 1 + 30 / STEP + TRIES and max(times) < 30 + TRIES * (RETRY + EARLY + CALLS_FIRST + 3 * STEP)
    assert net.wake[DEE] is None


def test_a_telephone_that_the_host_names_is_not_called_by_a_watcher() -> None:
    net = followed()
    told_wrongly(net, "tel:1", "cable:/dev/ttyS0")
    net.lose(ANN)
    net.run_for(600)
    assert not [address for _, address in net.dials if address.startswith(("tel:", "cable:"))]
    assert not watches_at(net, BOB)


@pytest.mark.parametrize(("door", "answers"), [("1", False), ("", False), (f"{'b' * 56}.onion:4747", True)])
def test_a_watcher_who_came_through_tor_calls_nobody_in_another_way(door: str, answers: bool) -> None:
    net = followed(called=f"{'a' * 56}.onion")
    told_wrongly(net, door, "")
    net.lose(ANN)
    until(net, lambda: net.hosts() == [BOB])
    since = net.now
    net.run_for(20)
    assert [address for _, address in called(net, since)] == [door] * answers
    assert any("you keep watching" in said for said in notices(net, DEE)) is answers


def test_a_table_is_handed_to_nobody_whom_a_watcher_does_not_know() -> None:
    for heir in (bytes(32), public_bytes(key_of(ANN, 1)), public_bytes(key_of(DEE, 1))):
        net = followed()
        raw(net, ANN, DEE, Handover(heir))
        assert not net.listener(DEE).link.greeted
        assert any(one.code is ByeCode.BROKE_PROTOCOL for one in byes_of(net, DEE))


def byes_of(net: Net, i: int) -> list[Bye]:
    said = [message_of(data) for sender, _, data in net.sent if sender == i]
    return [one for one in said if isinstance(one, Bye)]


def test_a_game_that_goes_on_otherwise_is_no_continuation_to_a_watcher(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bob, who alone plays on, says that he has no points."""
    net = followed(1)
    monkeypatch.setattr(table, "encode_header", lambda header: encode_header(without_points(header)))
    net.lose(ANN)
    until(net, lambda: "Ann is still gone. To play on without them: continue" in notices(net, BOB))
    net.say(BOB, "continue")
    until(net, lambda: watches_at(net, BOB, CY))
    assert not net.tales(CY, HostChanged) and len(net.tales(CY, LookingOn)) == 2


def without_points(header: Header) -> Header:
    hand, dealer, scores, *rest = header.continues or (0, 0, ())
    return replace(header, continues=(hand, dealer, tuple([0 for _ in scores]), *rest))
