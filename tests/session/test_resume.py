"""Restarts: from the log, from an older log, without a log; and histories that do not fit together."""

from __future__ import annotations

from itertools import product

import pytest

from p2pcards.ledger.payloads import RECORD, Restored, note_payload
from p2pcards.session.effects import CommandError
from p2pcards.views.happenings import (
    ActionOutdated,
    GameEnded,
    GameWithoutLog,
    HandDealt,
    Notice,
    PlayerLeft,
    PlayerLost,
    ShuffledAnew,
)
from p2pcards.wire.messages import Ask, Bye, Have, Hello, Resume
from p2pcards.wire.records import VERSION, CommitEntry, read_record
from rigs.in_part import every_nth
from rigs.net import Answer, Net, message_of, records
from rigs.pure import remembered_signatures
from rigs.stranger import Stranger, raw
from rigs.whole import chain_end, check_whole, is_whole

signatures = remembered_signatures()

pytestmark = pytest.mark.no_cover  # several times as slow under measurement; the other tests cover the same


def begun(count: int, listeners: int = 1, game: str = "crazy_eights", seed: int = 1, option: str = "") -> Net:
    """A game of computers that is broken off after so many records."""
    net = Net(listeners, seed=seed)
    net.sit_down(option or ("end_score=25" if game == "hearts" else "winning_score=1"), game=game)
    run_to(net, count)
    return net


def run_to(net: Net, count: int) -> None:
    while net.position(0) is None or net.at(0).count < count:
        net.deliver(net.next_event())


def restore_older(net: Net, lost: int) -> None:
    """The coordinator starts again from a copy of its log that lacks the last records."""
    log = net.log(0)
    for _ in range(lost):
        del log[max(place for place, payload in enumerate(log) if payload[:1] == RECORD)]
    net.crash(0)


def finish(net: Net) -> None:
    assert net.run_until(lambda: is_whole(net), 900)
    check_whole(net)


# --- from the log ---------------------------------------------------------------------------------------------------


anywhere = pytest.mark.parametrize(
    ("count", "game"), every_nth(5, product([0, 1, 3, 5, 8, 14, 30], ["hearts", "crazy_eights"]))
)


@anywhere
def test_a_coordinator_goes_on_at_the_same_record(game: str, count: int) -> None:
    net = begun(count, 2, game)
    head, count = net.at(0).head, net.at(0).count
    net.crash(0)
    assert (net.at(0).head, net.at(0).count) == (head, count)
    assert net.view(0).phase == "play" and not net.view(0).legal
    finish(net)


@anywhere
def test_a_listener_goes_on_at_the_same_record(game: str, count: int) -> None:
    net = begun(count, 2, game)
    net.crash(1)
    finish(net)
    assert ActionOutdated not in net.kinds(1)


def test_everybody_restarts_at_once() -> None:
    net = begun(20, 3, "hearts")
    for i in range(4):
        net.crash(i)
    finish(net)


def test_the_game_goes_on_as_soon_as_everybody_is_back() -> None:
    net = begun(20, 2)
    net.crash(0)
    net.run_for(1)
    assert net.at(0).count > 20


def test_a_listener_whose_log_is_lost_gets_all_of_it_again() -> None:
    net = begun(30, 2, "hearts")
    before = records(net.log(1))
    net.logs[1].clear()
    net.crash(1)
    net.run_for(20)
    assert net.tales(1, GameWithoutLog) == [GameWithoutLog("Ann", "Hearts")]
    assert net.position(1) is None and not net.logs[1], "nothing is kept before the player agrees"
    net.say(1, "accept")
    net.run_until(lambda: net.position(1) is not None and net.at(1).count >= 30, 40)
    assert note_payload(Restored()) in net.log(1)
    again = records(net.log(1))[: len(before)]
    assert again == before, "with its faces, and the openings of its own private moves"
    play_on_without_bob(net)
    finish(net)


def play_on_without_bob(net: Net) -> None:
    """Cy is asked, as Bob drops out of a shuffle."""
    assert net.run_until(lambda: bool(net.tales(2, ShuffledAnew)), 200)
    net.say(2, "accept")


def test_a_listener_who_was_away_at_a_deal_has_no_part_in_it() -> None:
    net = begun(30, 2, "hearts", seed=5)
    net.deaf.add(1)
    net.cut_all(1)
    play_on_without_bob(net)
    net.run_for(200)
    assert net.at(0).ended == 0
    assert "Bob" in {name for told in net.tales(2, HandDealt) for name in told.absent}
    net.deaf.clear()
    finish(net)


def test_finished_games_are_not_fetched_again() -> None:
    net = begun(5, 1)
    finish(net)
    log = list(net.log(1))
    net.crash(1)
    net.run_for(5)
    assert net.log(1) == log and net.view(1).phase == "over"


def test_a_coordinator_who_stopped_between_opening_and_closing_closes() -> None:
    net = begun(20, 1)
    net.say(0, "leave")
    restore_older(net, 1)
    net.run_for(90)
    assert chain_end(net, 0) == chain_end(net, 1) and net.at(0).ended == 1
    net = begun(20, 1)
    net.say(0, "leave")
    net.queue.clear()
    net.crash(1)
    restore_older(net, 1)
    net.run_for(90)
    assert chain_end(net, 0) == chain_end(net, 1) and net.at(0).ended == 1


# --- from an older log ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lost", "count", "game"), every_nth(9, product([1, 2, 3, 6], [4, 7, 9, 20, 41], ["hearts", "crazy_eights"]))
)
def test_what_an_older_log_lacks_comes_from_the_listeners(game: str, count: int, lost: int) -> None:
    net = begun(count, 2, game, seed=count * lost)
    restore_older(net, min(lost, net.at(0).count))
    finish(net)


@pytest.mark.parametrize("lost", every_nth(4, range(1, 12)))
def test_an_older_log_in_the_middle_of_a_game_of_people(lost: int) -> None:
    net = begun(25, 2, "hearts")
    ends = [chain_end(net, i) for i in (1, 2)]
    restore_older(net, lost)
    finish(net)
    assert max(end[0] for end in ends) <= net.at(0).count
    asked = [message_of(data) for sender, _, data in net.sent if sender == 0]
    assert any(isinstance(message, Ask) for message in asked)


def test_a_private_move_of_somebody_who_is_away_is_waited_for() -> None:
    """Only the one who made it can open it."""
    net = Net(2, seed=3, auto=None)
    net.sit_down(game="hearts")
    net.run()
    for i in (0, 1, 2):
        net.say(i, "act", *net.view(i).legal[i].split())
        net.run()
    commits = [n for n, record in enumerate(records(net.log(0))) if isinstance(read_record(record)[1][0], CommitEntry)]
    lost = net.at(0).count - commits[2]  # Bob's and Cy's passes, and what followed
    net.deaf.add(1)
    net.crash(1)
    restore_older(net, lost)
    net.run_for(20)
    assert net.at(0).count == commits[2]
    have = next(said for one, _, data in net.sent if one == 2 and isinstance(said := message_of(data), Have))
    raw(net, 2, 0, *[have] * 50)
    assert len([told for told in net.tales(0, Notice) if "hidden move" in str(told.text)]) == 1, (
        "however often it comes"
    )
    net.deaf.clear()
    net.run_for(20)
    assert net.at(0).count == commits[2] + lost
    assert chain_end(net, 0) == chain_end(net, 1) == chain_end(net, 2)


def test_a_private_move_that_was_signed_but_not_seen_in_a_log_opens_the_others() -> None:
    """Bob's move stands in Cy's log; Bob himself has it only as signed and sent."""
    net = Net(2, seed=3, auto=None)
    net.sit_down(game="hearts")
    net.run()
    net.say(0, "act", *net.view(0).legal[0].split())
    net.run()
    count = net.at(0).count
    net.say(1, "act", *net.view(1).legal[5].split())
    net.deliver(net.next_event())
    net.queue = [event for event in net.queue if event.machine != 1]
    net.cut_all(1)
    net.run()
    assert net.at(2).count == count + 1 and net.at(1).count == count
    net.deaf.update((1, 2))
    restore_older(net, 1)
    net.deaf.discard(2)
    net.run_for(20)
    assert net.at(0).count == count
    net.deaf.clear()
    net.run_for(30)
    assert net.at(0).count == count + 1
    assert chain_end(net, 0) == chain_end(net, 1) == chain_end(net, 2)


def test_a_shorter_chain_is_not_continued_while_somebody_may_have_more() -> None:
    net = Net(2, seed=1, auto=None)
    net.sit_down()
    net.run()
    count = net.at(0).count
    net.deaf.update((1, 2))
    net.crash(0)
    net.run_for(20)
    net.deaf.discard(2)
    net.run_for(39)
    assert net.at(0).count == count and net.view(0).people[2].link == "here"
    for words in (("act", "draw"), ("away",), ("back",)):
        with pytest.raises(CommandError, match="waiting for the other players' logs"):
            net.say(0, *words)
    net.say(2, "away")
    net.run()
    assert net.at(0).count == count
    net.run_for(3)
    assert net.at(0).taken_over.keys() == {1, 2}, "the grace is over: Bob is away, and Cy has asked for it"
    net.deaf.clear()
    net.run_for(40)
    assert net.at(0).taken_over.keys() == {2} and chain_end(net, 0) == chain_end(net, 1) == chain_end(net, 2)


def test_kicking_the_one_who_is_missing_lets_the_game_go_on() -> None:
    net = Net(2, seed=1, auto=None)
    net.sit_down()
    net.run()
    net.deaf.add(1)
    net.crash(0)
    net.run_for(5)
    net.say(0, "kick", "2")
    net.run()
    assert net.at(0).taken_over.keys() == {1} and net.now < 10


def test_a_game_left_right_after_a_restart_ends_when_the_others_have_said_how_far_their_logs_go() -> None:
    net = begun(20, 2)
    net.deaf.add(2)
    restore_older(net, 2)
    net.run_for(3)
    log = list(net.log(0))
    net.say(0, "leave")
    net.run()
    assert net.log(0) == log, "Cy may know more of it"
    assert "for 57 s at most. Then it ends" in net.tales(0, Notice)[-1].text
    net.deaf.discard(2)
    net.run_for(30)
    assert net.finished and chain_end(net, 0) == chain_end(net, 1) == chain_end(net, 2)
    assert net.at(0).ended == 1 and net.at(0).count > 20, "what only the others knew is in it"
    for i in (1, 2):
        assert GameEnded in net.kinds(i) and net.kinds(i)[-1] is PlayerLeft


def test_a_game_left_right_after_a_restart_ends_when_nobody_comes() -> None:
    net = begun(20, 1)
    net.deaf.add(1)
    net.crash(0)
    net.say(0, "leave")
    net.run_for(59)
    assert net.at(0).ended is None
    net.run_for(2)
    assert net.finished and net.at(0).ended == 1


@pytest.mark.parametrize("lost", [3, 4])
def test_two_histories_are_never_joined(lost: int) -> None:
    net = Net(2, seed=3)
    net.sit_down("winning_score=1")
    run_to(net, 14)
    while any(not isinstance(event, Answer) for event in net.queue):
        net.queue = [event for event in net.queue if not isinstance(event, Answer)]
        net.run()
    count = net.at(0).count
    assert net.at(1).count == count
    net.deaf.add(1)
    net.crash(1)
    net.deaf.add(2)
    net.crash(2)
    del net.log(2)[[place for place, one in enumerate(net.log(2)) if one[:1] == RECORD][-lost] :]
    net.crash(2)
    restore_older(net, lost)
    net.deaf.discard(2)
    net.run_for(70)  # the grace runs out, a takeover is written where Bob has something else
    assert net.at(0).count >= count - lost + 1
    net.deaf.clear()
    net.run_for(120)
    assert "differs from yours" in net.tales(0, Notice)[-1].text
    assert "different log" in net.tales(1, PlayerLost)[-1].why
    calls = len(net.dials)
    net.run_for(120)
    assert len(net.dials) == calls, "calling again would not help"
    assert chain_end(net, 2) == chain_end(net, 0)


def test_a_listener_who_claims_more_than_there_is_is_another_history() -> None:
    net = begun(20, 1)
    position = net.at(0)
    liar = Stranger(net, 0, 1)
    liar.say(Hello(VERSION, False, "Bob", "betty"))
    liar.say(Resume(position.game_id, position.count + 5, bytes(32)))
    assert liar.closed and isinstance(liar.heard[-1], Bye)
    liar.say(Have(position.count, records(net.log(0))[-1]))
    assert net.at(0) is position
