"""A table that goes on without its host, in the log of a successor."""

from __future__ import annotations

from p2pcards.games.game import Stage
from p2pcards.ledger.branches import counts
from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.verify import verify_log
from p2pcards.session.listener import Listener
from p2pcards.session.succession import PATIENCE, TRIES
from p2pcards.store.logs import CONTINUED, FINISHED, facts_of
from p2pcards.views.happenings import GameBrokenOff, HostChanged, Notice, PlayerBack, PlayerLost, SeatsChanged
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.reasons import CloseReason
from rigs.net import Net
from rigs.people import run_to, until
from rigs.pure import remembered_signatures
from rigs.succeeding import check_logs, check_nobody_votes_twice, looked_on, playing

signatures = remembered_signatures()

ANN, BOB, CY, DEE = range(4)


def test_the_next_in_line_goes_on_with_the_game_when_the_host_is_gone() -> None:
    net = playing()
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).opened == 2)
    run_to(net, net.at(ANN).count + 12)
    scores, dealt, lost_at = net.at(BOB).state.scores, net.at(BOB).dealt, net.now
    net.lose(ANN)
    until(net, lambda: bool(net.hosts()) and net.position(BOB) is not None and net.at(BOB).dealt == 1)
    assert net.now <= lost_at + 30 + 2
    assert net.hosts() == [BOB] and isinstance(net.machines[CY], Listener)
    assert net.at(BOB).state.scores == net.at(CY).state.scores == scores
    assert net.at(BOB).state.hand == dealt
    (bob,), (cy,) = net.tales(BOB, HostChanged), net.tales(CY, HostChanged)
    assert bob == cy == HostChanged("Bob", "Ann", False, dealt, True)
    until(net, lambda: net.at(BOB).ended is not None and net.at(CY).ended is not None)
    assert net.at(BOB).head == net.at(CY).head
    for i in (BOB, CY):
        assert all(verify_log(log).honest for log in net.logs[i].values())


def test_who_looks_on_comes_along_when_the_table_is_handed_over() -> None:
    """They have no log of the game before, and nobody compares any with theirs."""
    net = looked_on()
    net.say(ANN, "handover", "Bob")
    until(net, lambda: net.hosts() == [BOB] and all(net.position(i) and net.at(i).dealt == 1 for i in range(4)), 120)
    assert {net.at(i).head for i in range(4)} == {net.at(BOB).head} and net.at(DEE).seat is None


def test_who_looks_on_comes_along_when_the_host_is_gone() -> None:
    net = looked_on()
    net.lose(ANN)
    until(net, lambda: net.hosts() == [BOB] and len(net.view(DEE).people) == 3, 120)
    assert not [one for one in net.tales(DEE, PlayerLost) if one.name == "Bob"]


def test_a_new_game_goes_on_whose_header_one_alone_has() -> None:
    net = Net(2, grace=30)
    for i in (BOB, CY):
        net.say(ANN, "invite", str(i))
    net.run()
    net.say(ANN, "game", "hearts")
    net.say(ANN, "start")
    until(net, lambda: net.position(BOB) is not None)
    assert net.position(CY) is None
    net.lose(ANN)
    until(net, lambda: net.hosts() == [BOB] and net.position(CY) is not None and net.at(CY).dealt == 1, 70)


def test_the_old_host_comes_back_to_their_seat_after_the_hand() -> None:
    net = playing(option="end_score=300")
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).opened == 1)
    net.lose(ANN)
    until(net, lambda: bool(net.hosts()) and net.position(BOB) is not None and net.at(BOB).dealt == 1)
    net.come_back(ANN)
    until(net, lambda: isinstance(net.machines[ANN], Listener))
    assert net.hosts() == [BOB]
    until(
        net,
        lambda: bool(net.tales(ANN, SeatsChanged)) or (net.position(ANN) is not None and net.at(ANN).seat is not None),
    )
    assert net.at(ANN).seat == 0 and net.at(ANN).side > 0
    # The new host doesn't know where to call her; she knows where she called, and calls again.
    net.say(BOB, "handover", "Ann")
    until(net, lambda: net.hosts() == [ANN] and net.position(ANN) is not None and net.at(ANN).dealt == 1)
    assert {net.at(i).seat for i in (ANN, BOB, CY)} == {0, 1, 2}
    assert not net.tales(CY, GameBrokenOff), "the game that was left behind is not thrown away"
    until(net, lambda: all(net.position(i) is not None and net.at(i).ended is not None for i in (ANN, BOB, CY)), 3000)
    assert len({net.at(i).head for i in (ANN, BOB, CY)}) == 1


def test_the_old_host_comes_back_also_when_the_new_one_was_restarted() -> None:
    net = playing(option="end_score=60")
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).opened == 1)
    net.lose(ANN)
    until(net, lambda: bool(net.hosts()) and net.position(BOB) is not None and net.at(BOB).dealt == 1)
    net.crash(BOB)
    net.run_for(2)
    net.come_back(ANN)
    until(net, lambda: isinstance(net.machines[ANN], Listener) and net.listener(ANN).link.greeted, 60)
    assert net.hosts() == [BOB]


def test_a_host_who_comes_back_when_the_game_is_over_begins_another_in_their_turn() -> None:
    """Nothing goes on that was left behind long ago."""
    net = playing()
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).opened == 1)
    net.lose(ANN)
    until(net, lambda: net.hosts() == [BOB] and net.position(BOB) is not None and net.at(BOB).ended is not None)
    net.come_back(ANN)
    until(net, lambda: isinstance(net.machines[ANN], Listener) and len(net.view(ANN).people) == 3)
    net.say(BOB, "handover", "Ann")
    until(net, lambda: net.hosts() == [ANN] and len([one for one in net.view(ANN).people if one.link == "here"]) == 2)
    assert net.position(ANN) is None
    assert {one.name for one in net.view(ANN).people} == {"Ann", "Bob", "Cy"}
    net.say(ANN, "start")
    until(net, lambda: all(net.position(i) is not None and net.at(i).dealt == 1 for i in (ANN, BOB, CY)))
    assert net.at(ANN).header.quorum is None and not any(net.at(ANN).state.scores)


def test_a_host_who_leaves_leaves_the_table_to_the_next_in_line() -> None:
    net = playing()
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).opened == 1)
    run_to(net, net.at(ANN).count + 12)
    net.say(ANN, "leave")
    assert net.finished and facts_of(net.log(ANN)).state == CONTINUED
    net.lose(ANN)
    left_at = net.now
    until(net, lambda: net.hosts() == [BOB] and net.position(BOB) is not None and net.at(BOB).dealt == 1)
    assert net.now <= left_at + PATIENCE + 1
    assert net.at(BOB).state.hand == 2
    until(net, lambda: net.at(BOB).ended is not None and net.at(CY).ended is not None)
    assert net.at(BOB).head == net.at(CY).head and net.at(BOB).counted == net.at(BOB).opened


def test_a_table_is_handed_over_after_the_hand() -> None:
    net = playing()
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).opened == 1 and net.at(BOB).phase is Phase.PLAY)
    net.say(ANN, "handover", "Cy")
    until(net, lambda: net.hosts() == [CY] and net.position(CY) is not None and net.at(CY).dealt == 1)
    assert net.at(CY).state.hand == 3, "nothing is void"
    until(net, lambda: all(net.position(i) is not None and net.at(i).ended is not None for i in (ANN, BOB, CY)), 3000)
    assert len({net.at(i).head for i in (ANN, BOB, CY)}) == 1
    assert net.at(ANN).seat == 0


def test_a_table_is_handed_over_though_somebody_is_away() -> None:
    """Their character has their seat; they have it back after a hand at the next host's table."""
    net = playing(option="end_score=300")
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).opened == 1 and net.at(BOB).phase is Phase.PLAY)
    net.say(ANN, "handover", "Cy")
    net.cut_all(BOB)
    net.deaf.add(BOB)
    until(net, lambda: net.hosts() == [CY] and net.position(CY) is not None and net.at(CY).dealt == 1, 60)
    assert net.at(CY).state.hand == 3, "nothing is void"
    assert {one.key for one in net.at(CY).header.sides} == {public_bytes(net.keys[i]) for i in (ANN, CY)}
    net.deaf.clear()
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).seat == 1 and net.at(BOB).dealt > 0, 3000)
    check_logs(net)
    check_nobody_votes_twice(net)


def test_a_table_is_not_handed_over_to_too_few() -> None:
    net = playing(3, option="end_score=300")
    until(net, lambda: net.position(CY) is not None and net.at(CY).opened == 1 and net.at(CY).phase is Phase.PLAY)
    net.say(ANN, "handover", "Cy")
    for i in (BOB, DEE):
        net.lose(i)
    until(net, lambda: net.at(ANN).opened == 2, 60)
    net.run_for(20)
    assert net.hosts() == [ANN], "two of four could not continue the game"


def test_a_table_is_handed_over_after_the_last_hand_too() -> None:
    whole = playing(option="end_score=25")
    until(whole, lambda: whole.position(ANN) is not None and whole.at(ANN).ended is not None)
    net = playing(option="end_score=25")
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).dealt == whole.at(ANN).dealt)
    until(net, lambda: net.at(BOB).phase is Phase.PLAY)
    net.say(ANN, "handover", "Cy")
    until(net, lambda: net.hosts() == [CY])
    assert any(facts_of(log).state == FINISHED for log in net.logs[ANN].values())


def test_a_table_is_handed_on_and_back() -> None:
    net = playing(option="end_score=150")

    def is_in_play(i: int) -> bool:
        return net.hosts() == [i] and net.position(i) is not None and net.at(i).phase is Phase.PLAY

    for giver, heir in ((ANN, BOB), (BOB, CY), (CY, ANN)):
        until(net, lambda giver=giver: is_in_play(giver), 3000)  # type: ignore[misc]
        net.say(giver, "handover", ("Ann", "Bob", "Cy")[heir])
    until(net, lambda: is_in_play(ANN), 3000)
    until(net, lambda: all(net.at(i).ended is CloseReason.WON for i in (ANN, BOB, CY)), 6000)
    assert len({net.at(i).head for i in (ANN, BOB, CY)}) == 1 and counts(net.at(ANN))


def test_of_two_the_one_who_is_left_plays_on_alone_and_the_game_counts_for_nobody() -> None:
    net = playing(1)
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).opened == 1 and net.at(BOB).phase is Phase.PLAY)
    net.lose(ANN)
    net.run_for(40)
    assert not net.hosts()
    net.say(BOB, "continue")
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).ended is not None, 3000)
    assert net.at(BOB).counted == 0 and net.at(BOB).header.quorum


def test_of_two_a_won_game_counts_for_its_host_though_the_guest_is_cut_off_before_the_last_check() -> None:
    net = playing(1, option="end_score=25")
    until(net, lambda: net.position(BOB) is not None and net.at(ANN).state.stage == Stage.OVER)
    net.lose(BOB)
    until(net, lambda: net.at(ANN).ended is not None, 3000)
    assert net.at(ANN).ended is CloseReason.WON and not net.at(ANN).checkers
    assert counts(net.at(ANN))


def test_of_two_the_one_who_was_gone_comes_back_to_the_game_that_went_on_alone() -> None:
    net = playing(1)
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).opened == 1 and net.at(BOB).phase is Phase.PLAY)
    net.lose(ANN)
    net.run_for(40)
    net.say(BOB, "continue")
    until(net, lambda: net.hosts() == [BOB] and net.position(BOB) is not None and net.at(BOB).dealt == 1)
    net.come_back(ANN)
    until(net, lambda: net.hosts() == [BOB] and net.view(ANN).me is not None, 3000)
    assert net.at(ANN).game_id == net.at(BOB).game_id
    until(net, lambda: net.at(BOB).ended is not None, 3000)
    assert net.at(BOB).counted == 0 and net.at(ANN).state.scores == net.at(BOB).state.scores


def test_in_the_lobby_the_next_in_line_hosts() -> None:
    net = Net(2)
    for i in (BOB, CY):
        net.say(ANN, "invite", str(i))
    net.run()
    net.say(ANN, "game", "hearts")
    net.run()
    net.lose(ANN)
    net.run_for(70)
    assert net.hosts() == [BOB]
    net.say(BOB, "start")
    until(net, lambda: net.position(CY) is not None and net.at(CY).ended is not None, 3000)


def test_a_stranger_who_calls_while_the_host_is_gone_changes_nothing() -> None:
    net = playing(3)
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).opened == 1)
    net.lose(ANN)
    net.run_for(5)
    net.connect(CY, BOB)  # who listens as well
    net.run()
    until(net, lambda: bool(net.hosts()) and net.position(BOB) is not None and net.at(BOB).dealt == 1)
    assert net.hosts() == [BOB] and net.at(BOB).game_id == net.at(CY).game_id == net.at(DEE).game_id


def test_somebody_who_found_too_few_goes_on_at_their_players_word() -> None:
    net = playing()
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).opened == 1 and net.at(BOB).phase is Phase.PLAY)
    net.lose(ANN)
    net.lose(CY)
    net.run_for(60)
    assert not net.hosts()
    told = "Too few players are here to go on without Ann. Trying again in 60 s. To play on anyway: continue"
    assert told in [one.text for one in net.tales(BOB, Notice)]
    net.say(BOB, "continue")
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).ended is not None, 3000)
    assert net.at(BOB).counted == 0


def test_somebody_who_found_too_few_tries_again_until_another_is_back() -> None:
    net = playing()
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).opened == 1 and net.at(BOB).phase is Phase.PLAY)
    net.lose(ANN)
    net.lose(CY)
    net.run_for(40)
    assert not net.hosts() and len(too_few_told(net, BOB)) == 1
    net.come_back(CY)
    until(net, lambda: net.hosts() == [BOB] and net.position(CY) is not None and net.at(CY).dealt == 1, 90)
    assert net.at(BOB).game_id == net.at(CY).game_id
    until(net, lambda: net.at(BOB).ended is not None, 3000)
    assert net.at(BOB).counted == net.at(BOB).opened


def test_somebody_who_is_left_alone_tries_three_times() -> None:
    net = playing()
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).opened == 1 and net.at(BOB).phase is Phase.PLAY)
    net.lose(ANN)
    net.lose(CY)
    net.run_for(600)
    told = too_few_told(net, BOB)
    assert len(told) == TRIES and ["Trying again" in text for text in told] == [True, True, False]
    assert not net.hosts() and net.wake[BOB] is None
    net.say(BOB, "continue")
    until(net, lambda: net.hosts() == [BOB] and net.position(BOB) is not None and net.at(BOB).dealt == 1)


def too_few_told(net: Net, i: int) -> list[str]:
    return [one.text for one in net.tales(i, Notice) if one.text.startswith("Too few players")]


def test_a_successor_who_was_gone_when_their_game_began_is_followed_when_they_are_back() -> None:
    """Two of four are too few without them; so they wait for any of the line."""
    net = playing(3)
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).opened == 1 and net.at(BOB).phase is Phase.PLAY)
    old = net.at(BOB).game_id
    net.lose(ANN)
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).game_id != old)
    net.lose(BOB)
    until(net, lambda: bool(too_few_told(net, CY)) and bool(too_few_told(net, DEE)))
    assert not net.hosts()
    net.come_back(BOB)
    until(net, lambda: all(net.position(i) is not None and net.at(i).dealt == 1 for i in (BOB, CY, DEE)), 30)
    assert net.at(BOB).game_id == net.at(CY).game_id == net.at(DEE).game_id


def test_a_game_that_is_won_does_not_go_on() -> None:
    net = Net(2, grace=30)
    net.sit_down("winning_score=1", "players=3")
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).state.stage == Stage.OVER)
    until(net, lambda: all(net.at(i).opened == 1 for i in (BOB, CY)))
    assert net.at(CY).ended is None
    net.lose(ANN)
    net.run_for(75)
    assert net.hosts() == [BOB] and net.position(BOB) is None


def test_all_wait_the_same_time_though_not_all_know_that_the_game_is_won() -> None:
    net = Net(2, grace=30)
    net.sit_down("winning_score=1", "players=3")
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).state.stage == Stage.OVER)
    assert net.at(CY).state.stage != Stage.OVER
    net.lose(ANN)
    net.run_for(32)
    assert net.hosts() == [BOB]
    net.run_for(60)
    assert net.hosts() == [BOB] and [one.link for one in net.view(CY).people] == ["here", "you"]


def test_hands_count_again_after_the_old_host_is_seated() -> None:
    net = playing(option="end_score=100")
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).opened == 1)
    net.lose(ANN)
    until(net, lambda: bool(net.hosts()) and net.position(BOB) is not None and net.at(BOB).dealt == 1)
    net.come_back(ANN)
    until(net, lambda: all(net.position(i) is not None and net.at(i).ended == CloseReason.WON for i in range(3)), 3000)
    assert net.at(ANN).seat == 0 and all(net.at(i).counted == net.at(i).opened for i in range(3))


def test_a_listener_who_started_again_while_the_host_was_gone_plays_on() -> None:
    net = playing()
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).opened == 1 and net.at(BOB).phase is Phase.PLAY)
    net.lose(ANN)
    net.crash(CY)
    until(net, lambda: net.hosts() == [BOB] and net.position(CY) is not None and net.at(CY).dealt == 1)
    assert net.at(BOB).game_id == net.at(CY).game_id and net.at(CY).state.hand == 2


def test_a_guest_who_is_lost_while_a_successor_asks_is_waited_for() -> None:
    net = playing()
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).opened == 1 and net.at(BOB).phase is Phase.PLAY)
    net.lose(ANN)
    until(net, lambda: net.hosts() == [BOB] and net.table_of(BOB).lobby.offer is not None)
    net.cut_all(CY)
    until(net, lambda: net.position(CY) is not None and net.at(CY).dealt == 1)
    assert net.at(BOB).game_id == net.at(CY).game_id and len(net.at(BOB).header.sides) == 2


def test_a_listener_who_starts_again_before_the_new_hosts_header_takes_it_once_the_old_host_had_their_time() -> None:
    """They are called in a game of which they have never heard."""
    net = playing()
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).opened == 1 and net.at(BOB).phase is Phase.PLAY)
    net.lose(ANN)
    until(net, lambda: net.hosts() == [BOB] and net.table_of(BOB).lobby.offer is not None)
    until(net, lambda: net.position(BOB) is not None)
    old, crashed_at = net.used[CY], net.now
    net.crash(CY)
    net.run_for(20)
    assert not net.tales(CY, HostChanged), "Ann may still come back"
    until(net, lambda: net.position(CY) is not None and net.at(CY).dealt == 1, 90)
    assert net.now >= crashed_at + 25 and net.at(BOB).game_id == net.at(CY).game_id
    assert old is not None and LedgerFollower.restored(net.keys[CY], net.logs[CY][old]).succeeded


def test_a_successor_hands_the_table_to_the_only_other_player() -> None:
    """Where these stood in line at Ann's table is forgotten."""
    net = playing(option="end_score=300")
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).opened == 1)
    net.lose(ANN)
    until(net, lambda: net.hosts() == [BOB] and net.position(BOB) is not None and net.at(BOB).dealt == 1)
    net.say(BOB, "handover", "Cy")
    until(net, lambda: net.hosts() == [CY] and net.position(CY) is not None and net.at(CY).dealt == 1)
    assert net.at(CY).game_id == net.at(BOB).game_id


def test_a_successor_whose_header_nobody_got_holds_nobody_up_when_the_old_host_is_back() -> None:
    """They sign nothing more in the old log, and their character plays."""
    net = playing(option="end_score=300")
    until(net, lambda: net.position(CY) is not None and net.at(CY).opened == 1 and net.at(CY).phase is Phase.PLAY)
    old = net.at(ANN).game_id
    net.lose(ANN)
    until(net, lambda: net.used[BOB] != old, 60)
    net.queue = [event for event in net.queue if event.machine != CY]
    net.lose(BOB)
    net.run_for(5)
    net.come_back(ANN)
    net.run_for(5)
    net.come_back(BOB)
    until(net, lambda: net.hosts() == [ANN] and 1 in net.at(CY).taken_over, 40)
    until(net, lambda: net.at(ANN).opened == 2, 60)
    assert net.tales(ANN, PlayerBack) == [PlayerBack("Cy"), PlayerBack("Bob")], "and Bob is not called without end"
