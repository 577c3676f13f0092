"""Watchers stay with a table whose host is gone, or hands it over."""

from __future__ import annotations

from p2pcards.session.gallery import Policy
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import Watch, WatcherNow, WatchersNow, encode_message
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.records import VERSION
from rigs.net import Arrival, Net, key_of
from rigs.people import until
from rigs.pure import remembered_signatures
from rigs.stranger import Stranger, last_bye
from rigs.watching import ANN, BOB, followed, notices

signatures = remembered_signatures()

CY, DEE = 2, 3
ASKED = "Dee wants to watch. To answer: watchers yes Dee, or watchers no Dee"


def taken_over(net: Net, lost: int = ANN, by: int = BOB) -> Net:
    """The host is gone, and another hosts."""
    net.lose(lost)
    until(net, lambda: net.hosts() == [by] and net.position(by) is not None and net.at(by).dealt == 1)
    return net


# --- who is let in ----------------------------------------------------------------------------------------------------


def test_nobody_is_asked_about_a_watcher_who_was_let_in_before() -> None:
    net = followed(policy="ask")
    net.say(ANN, "watchers", "yes", "Dee")
    until(net, lambda: "Dee is watching." in notices(net, BOB))
    taken_over(net)
    net.connect(DEE, BOB)
    until(net, lambda: bool(net.table_of(BOB).gallery.watching))
    assert net.table_of(BOB).gallery.policy is Policy.ASK
    assert ASKED not in notices(net, BOB)
    stranger = Stranger(net, BOB, 200)
    stranger.say(Watch(VERSION, "Wim"))
    assert stranger.heard[1:] == [WatchersNow(())], "Bob has to say yes"


def test_the_host_is_asked_about_somebody_whom_the_host_before_had_not_answered() -> None:
    net = taken_over(followed(policy="ask"))
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
    net.connect(DEE, BOB)
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
