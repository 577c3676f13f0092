"""A coordinator who leaves somebody out of a shuffle who is here, or breaks off a game to begin another: the listener's
player is asked before they play on, and the log notes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from p2pcards.frontend.verdict import Known, judge_log, verdict_lines
from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.payloads import (
    CHECKED,
    NOTE,
    BrokenOff,
    LeftOut,
    PlayedByComputer,
    PlaysOn,
    Restored,
    note_payload,
    read_note,
)
from p2pcards.ledger.transitions import Phase
from p2pcards.session.coordinator import Coordinator
from p2pcards.session.doubt import DAY, TOO_OFTEN, OpenGames, ThrownAway
from p2pcards.session.effects import CommandError
from p2pcards.session.lobby import LeftOpen
from p2pcards.store.logs import MAGIC, encode_record, parse_log
from p2pcards.views.happenings import (
    DealsThrownAway,
    GameBrokenOff,
    GameEnded,
    HandDealt,
    LeftOutOfDeal,
    Notice,
    ShuffledAnew,
)
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import MoveMessage, decode_message
from p2pcards.wire.packing import Cause, Refused
from p2pcards.wire.reasons import CloseReason
from rigs.net import Net, records
from rigs.people import act, by_hand, to_act, until
from rigs.pure import remembered_signatures

signatures = remembered_signatures()


def notes(net: Net, i: int) -> list[Any]:
    """What a machine has noted of its coordinator."""
    found = [read_note(payload) for log in net.logs[i].values() for payload in log if payload[:1] == NOTE]
    return [note for note in found if not isinstance(note, PlayedByComputer)]


def verified(net: Net, i: int) -> list[str]:
    file = MAGIC + b"".join([encode_record(payload) for payload in net.log(i)])
    return verdict_lines(judge_log("log", parse_log(file), Known({}, b"")).data)


def withhold(net: Net, side: int) -> None:
    """The coordinator calls a listener absent who is here, before it looks at their check."""
    game = net.table.game
    assert game is not None

    def call_absent() -> list[Any]:
        return game._publish(game._writer.absent(side), net.now) + game.proceed(net.now)

    net.step(0, call_absent)


def absences(net: Net) -> list[HandDealt]:
    """The hands that were dealt without Bob's part."""
    return [deal for deal in net.tales(0, HandDealt) if deal.absent == ("Bob",)]


def until_checks(net: Net) -> None:
    """To the moment at which a listener's check of the first hand is on its way."""

    def on_its_way() -> bool:
        ours, theirs = net.position(0), net.position(1)
        if ours is None or theirs is None or not theirs.opened:
            return False
        return theirs.phase is Phase.CHECKS and ours.phase is Phase.CHECKS and 1 not in ours.checked

    while not on_its_way():
        net.deliver(net.next_event())


# --- left out of a shuffle --------------------------------------------------------------------------------------------


def test_a_listener_who_is_called_absent_with_their_check_on_its_way_stops_and_asks_their_player() -> None:
    net = Net(2)
    net.sit_down("end_score=50", game="hearts")
    until_checks(net)
    withhold(net, 1)
    net.run_for(1)
    assert net.tales(1, LeftOutOfDeal) == [LeftOutOfDeal("Ann", here=True, times=1)]
    assert net.view(1).doubted == "Ann"
    (note,) = notes(net, 1)
    assert isinstance(note, LeftOut) and note.here
    kept = [payload for payload in net.log(1) if payload[:1] == CHECKED]
    assert kept, "their own signed check is the proof"
    assert any(f"At record {note.record + 1} Ann left Bob out of the next shuffle" in line for line in verified(net, 1))
    assert not notes(net, 2)
    count = net.at(1).count
    net.run_for(40)
    assert net.at(1).count == count, "nothing is played on"
    net.crash(1)
    net.run_for(40)
    assert len(records(net.log(1))) == count and net.view(1).doubted == "Ann", "nor when the program was started again"
    assert net.tales(1, LeftOutOfDeal)[-1] == LeftOutOfDeal("Ann", here=False, times=1)
    net.say(1, "accept")
    net.say(2, "accept")
    net.run_for(40)
    assert net.view(1).doubted == ""
    assert net.at(1).count > count
    assert notes(net, 1) == [note, PlaysOn(note.record)]
    net.crash(1)
    net.run_for(40)
    assert net.view(1).doubted == "", "the answer stands in the log"
    assert net.at(1).head == net.at(0).head or net.at(1).count < net.at(0).count


def test_a_listener_who_was_cut_off_with_their_check_on_its_way_is_told_and_asked() -> None:
    net = Net(2)
    net.sit_down("end_score=50", game="hearts")
    until_checks(net)
    net.cut_all(1)
    net.deaf.add(1)
    net.run_for(30)
    net.say(2, "accept")
    net.run_for(1)
    assert absences(net)
    net.deaf.clear()
    net.run_for(60)
    assert net.tales(1, LeftOutOfDeal) == [LeftOutOfDeal("Ann", here=False, times=1)]
    assert net.view(1).doubted == "Ann"
    (note,) = notes(net, 1)
    assert note == LeftOut(note.record, here=False)
    assert (
        f"At record {note.record + 1} Bob dropped out of the next shuffle, though they had signed their part"
        in "\n".join(verified(net, 1))
    )
    net.say(1, "accept")
    net.run_for(60)
    assert net.at(1).count == net.at(0).count


def moves_of(net: Net, i: int) -> list[bytes]:
    """The moves and checks that a machine has sent."""
    return [data for sender, _, data in net.sent if sender == i and isinstance(decode_message(data), MoveMessage)]


def cut_off_between_hands() -> Net:
    """Bob's line is lost before he hears that the first hand is over, and he has no part in the second."""
    net = Net(2)
    net.sit_down("end_score=50", game="hearts")
    while net.position(0) is None or not net.at(0).opened:
        net.deliver(net.next_event())
    assert not net.at(1).opened
    net.deaf.add(1)
    net.cut_all(1)
    until(net, lambda: bool(net.tales(2, ShuffledAnew)), 600)
    return net


def test_a_listener_who_was_cut_off_is_asked_before_it_plays_a_hand_without_its_part() -> None:
    net = cut_off_between_hands()
    net.say(2, "accept")
    until(net, lambda: bool(absences(net)), 60)
    net.deaf.clear()
    until(net, lambda: net.view(1).doubted == "Ann", 60)
    assert not net.view(1).legal
    assert ShuffledAnew("", "Ann", "", 1) in net.tales(1, ShuffledAnew)
    assert not net.tales(1, LeftOutOfDeal)
    sent = len(moves_of(net, 1))
    net.run_for(30)
    assert len(moves_of(net, 1)) == sent, "nothing is signed"
    net.say(1, "accept")
    net.run_for(200)
    assert len(moves_of(net, 1)) > sent
    assert all(isinstance(note, PlaysOn) for note in notes(net, 1))


# --- another drops out of a shuffle -----------------------------------------------------------------------------------


def test_the_part_of_a_listener_waits_for_its_players_word_once_another_has_dropped_out() -> None:
    net = cut_off_between_hands()
    assert net.tales(2, ShuffledAnew) == [ShuffledAnew("Bob", "Ann", "", 1)]
    assert net.view(2).doubted == "Ann"
    assert net.at(0).roll == {2} and 2 not in net.at(0).checked
    net.crash(2)
    net.run_for(1000)
    assert net.view(2).doubted == "Ann" and 2 not in net.at(0).checked, "nor after a restart"
    assert net.tales(2, ShuffledAnew)[-1] == ShuffledAnew("Bob", "Ann", "", 1)
    net.say(2, "accept")
    until(net, lambda: bool(absences(net)), 60)
    assert net.view(2).doubted == ""
    (note,) = notes(net, 2)
    assert isinstance(note, PlaysOn)
    agreed = f"  At record {note.record + 1} Bob dropped out of the next shuffle, and the player of this log agreed."
    assert agreed in verified(net, 2)


def test_two_are_asked_as_long_as_a_turn_lasts_and_then_the_table_goes_on_with_one() -> None:
    net = Net(3)
    net.sit_down("end_score=50", game="hearts")
    while net.position(0) is None or net.at(0).phase is not Phase.PLAY:
        net.deliver(net.next_event())
    net.deaf.add(1)
    net.cut_all(1)
    until(net, lambda: bool(net.tales(2, ShuffledAnew)), 600)
    asked = "A player dropped out, so Cy and Dee are being asked whether to play on before the next hand."
    net.run_for(11)
    assert net.tales(0, Notice)[-1].text == f"{asked} To end the game now, type 'end'."
    net.say(2, "accept")
    net.run_for(165)
    assert net.at(0).roll == {2, 3}
    until(net, lambda: net.at(0).roll == {2}, 10)
    net.run_for(1)
    assert net.tales(2, ShuffledAnew)[-1] == ShuffledAnew("Dee", "Ann", "", 1)
    net.say(2, "accept")
    until(net, lambda: bool([deal for deal in net.tales(0, HandDealt) if deal.absent]), 60)
    assert net.tales(3, ShuffledAnew)[-1] == ShuffledAnew("", "Ann", "", 1)


def test_who_has_left_their_seat_to_the_computer_is_not_asked() -> None:
    net = Net(2)
    net.step(2, lambda: net.machines[2].attend(False))
    net.sit_down("end_score=50", game="hearts")
    while net.position(0) is None or net.at(0).phase is not Phase.PLAY:
        net.deliver(net.next_event())
    net.deaf.add(1)
    net.cut_all(1)
    until(net, lambda: bool(absences(net)), 600)
    assert not net.tales(2, ShuffledAnew)
    net.step(2, lambda: net.machines[2].attend(True))
    assert net.view(2).doubted == "", "what it has signed since needs no word"


def test_a_person_who_goes_away_while_they_are_asked_leaves_it_open() -> None:
    net = cut_off_between_hands()
    net.step(2, lambda: net.machines[2].attend(False))
    until(net, lambda: bool(absences(net)), 60)  # the computer that plays for them goes on


def test_there_is_nothing_to_accept_while_nobody_waits() -> None:
    net = by_hand(2)
    with pytest.raises(CommandError, match="Nothing to accept"):
        net.say(1, "accept")
    with pytest.raises(CommandError, match="You're the host"):
        net.say(0, "accept")


# --- a game that is broken off ----------------------------------------------------------------------------------------


def offer_anew(net: Net, left_open: tuple[LeftOpen, ...] = ()) -> None:
    """The coordinator's program forgets its game and offers another to the same people."""
    net.cut_all(1)
    net.cut_all(2)
    net.run_for(0)
    net.used[0] = None
    net.machines[0] = net._make(0)
    net.table._left_open = left_open
    net.sit_down(game="hearts")


def begin_anew(net: Net, left_open: tuple[LeftOpen, ...] = ()) -> None:
    offer_anew(net, left_open)
    net.run_for(2)


def left_open(net: Net) -> LeftOpen:
    position = net.at(0)
    return LeftOpen(frozenset(side.key for side in position.header.sides[1:]), position.head)


def test_a_game_that_does_not_name_the_one_that_it_breaks_off_is_not_taken_before_the_player_agrees() -> None:
    net = by_hand(2, game="hearts", preset="real-deal")
    old = net.at(1)
    assert old.phase is Phase.PLAY
    begin_anew(net)
    assert net.tales(1, GameBrokenOff) == [GameBrokenOff("Ann", "Hearts", 1, asks=True)]
    assert net.view(1).doubted == "Ann"
    assert net.at(1).game_id == old.game_id
    net.say(1, "accept")
    net.say(2, "accept")
    net.run_for(40)
    assert net.at(1).game_id == net.at(0).game_id != old.game_id
    assert notes(net, 1) == [BrokenOff(old.game_id, old.count, old.head, named=False)]
    text = "\n".join(verified(net, 1))
    assert f"Ann began this game while another with this player was unfinished ({old.game_id.hex()}, " in text
    assert "its header doesn't say so, and this player agreed." in text


def test_one_that_names_it_is_taken_and_told_and_noted() -> None:
    net = by_hand(2, game="hearts", preset="real-deal")
    old = net.at(1)
    begin_anew(net, (left_open(net),))
    assert net.tales(1, GameBrokenOff) == [GameBrokenOff("Ann", "Hearts", 1, asks=False)]
    assert net.at(1).game_id == net.at(0).game_id != old.game_id
    assert net.at(1).header.previous == old.head
    assert notes(net, 1) == [BrokenOff(old.game_id, old.count, old.head, named=True)]
    assert "its header says so." in "\n".join(verified(net, 1))


def test_how_often_is_counted() -> None:
    net = by_hand(2, game="hearts", preset="real-deal")
    for _ in range(3):
        begin_anew(net, (left_open(net),))
    assert [one.times for one in net.tales(1, GameBrokenOff)] == [1, 2, 3]


def test_a_game_that_was_ended_is_not_broken_off() -> None:
    net = by_hand(2, game="hearts", preset="real-deal")
    net.say(0, "end")
    net.run()
    begin_anew(net)
    assert not net.tales(1, GameBrokenOff)
    assert net.at(1).game_id == net.at(0).game_id


def ended_without_bob() -> Net:
    """The coordinator has ended a game while the line to Bob was cut."""
    net = by_hand(2, game="hearts", preset="real-deal")
    net.cut_all(1)
    net.deaf.add(1)
    net.run_for(0)
    net.say(0, "end")
    net.deaf.clear()
    return net


def check_brought_to_its_end(net: Net, old: bytes) -> None:
    """Bob has the whole log of the old game, and nobody was asked anything."""
    assert not net.tales(1, GameBrokenOff) and not net.tales(2, GameBrokenOff)
    assert len(net.tales(1, GameEnded)) == 1, "their player is told how it ended"
    assert len(records(net.logs[1][old])) == len(records(net.logs[0][old]))
    assert net.at(1).game_id == net.at(0).game_id != old


def test_a_game_whose_end_never_arrived_is_brought_to_it_before_another_begins() -> None:
    net = ended_without_bob()
    old = net.at(1).game_id
    begin_anew(net)
    check_brought_to_its_end(net, old)


@pytest.mark.parametrize("restarted", [False, True])
def test_an_end_that_is_lost_once_more_is_asked_for_when_the_next_game_goes_on(restarted: bool) -> None:
    """The line breaks again with the end and the header of the next game on their way."""
    net = ended_without_bob()
    old = net.at(1).game_id
    offer_anew(net)
    while net.position(0) is None:
        net.deliver(net.next_event())
    net.cut_all(1)
    if restarted:
        net.crash(0)
    assert len(records(net.logs[1][old])) < len(records(net.logs[0][old]))
    net.run_for(20)
    check_brought_to_its_end(net, old)
    assert net.at(1).count == net.at(0).count


def test_a_game_that_is_broken_off_is_brought_to_the_head_that_the_next_one_names() -> None:
    net = by_hand(2, game="hearts", preset="real-deal")
    while to_act(net) != 2:
        act(net, to_act(net))
    net.cut_all(1)
    net.deaf.add(1)
    act(net, 2)
    net.deaf.clear()
    begin_anew(net, (left_open(net),))
    assert [(told.asks, told.times) for told in net.tales(1, GameBrokenOff)] == [(False, 1)]
    (note,) = notes(net, 1)
    assert note.head == net.at(1).header.previous


def test_one_game_of_before_is_looked_for_for_each_listener_and_offer() -> None:
    net = by_hand(1)
    game_id = net.at(1).game_id
    net.cut_all(1)
    net.run_for(0)
    net.used[0] = None
    host = net.machines[0] = net._make(0)
    assert isinstance(host, Coordinator)
    key = public_bytes(net.keys[1])
    net.say(0, "invite", "1")
    net.run()
    assert not host.wants_past(key, game_id), "nothing is offered"
    net.say(0, "game", "hearts")
    net.say(0, "start")
    assert host.wants_past(key, game_id)
    host.know_past(key, None)
    assert not host.wants_past(key, game_id)
    net.run()
    assert net.view(1).doubted == "Ann", "the coordinator does not know that game any more"


# --- deals that are thrown away ---------------------------------------------------------------------------------------


def end_and_begin(net: Net) -> None:
    """The coordinator ends its game, and another begins."""
    net.say(0, "end")
    net.run()
    begin_anew(net)


def name_and_begin(net: Net) -> None:
    """A game begins that names the one it breaks off."""
    begin_anew(net, (left_open(net),))


@pytest.mark.parametrize("throw_away", [end_and_begin, name_and_begin])
def test_a_coordinator_who_has_thrown_three_deals_away_has_to_be_accepted(throw_away: Callable[[Net], None]) -> None:
    net = by_hand(2, game="hearts", preset="real-deal")
    for _ in range(TOO_OFTEN - 1):
        throw_away(net)
        assert net.at(1).game_id == net.at(0).game_id and net.view(1).doubted == ""
    before = net.at(1).game_id
    for often in (TOO_OFTEN, TOO_OFTEN + 1):
        throw_away(net)
        assert net.tales(1, DealsThrownAway)[-1] == DealsThrownAway("Ann", often)
        assert (net.view(1).doubted, net.view(1).thrown_away) == ("Ann", often)
        assert net.at(1).game_id == before, "the header was not taken"
        for listener in (1, 2):
            net.say(listener, "accept")
        net.run_for(40)
        assert (net.view(1).doubted, net.view(1).thrown_away) == ("", 0)
        before = net.at(1).game_id
        assert before == net.at(0).game_id, "the yes holds until one more is thrown away"
    assert len(net.tales(1, DealsThrownAway)) == 2


def test_a_game_that_ends_between_two_hands_counts_once_the_next_pack_can_be_known() -> None:
    net = Net(2)
    net.sit_down("end_score=50", game="hearts")
    while net.position(0) is None or not (
        net.at(0).phase is Phase.CHECKS and net.at(0).opened and 1 in net.at(0).checked
    ):
        net.deliver(net.next_event())
    games = net.listener(1).open_games
    net.say(0, "end")
    net.run()
    follower = net.listener(1)._games[net.at(1).game_id]
    assert net.at(1).ended is CloseReason.ENDED and follower.has_checked
    assert games._thrown_away.count(public_bytes(net.keys[0]), net.now) == 1


def test_a_game_that_ends_before_a_check_is_no_deal_thrown_away() -> None:
    net = Net(2)
    net.sit_down(game="hearts")
    while (game := net.listener(1).game) is None:
        net.deliver(net.next_event())
    follower = LedgerFollower(game.follower.key, game.follower.start)
    assert not follower.has_checked
    games = OpenGames()
    games.note_end(follower, net.now)
    assert games._thrown_away.count(public_bytes(net.keys[0]), net.now) == 0


def test_a_deal_that_was_thrown_away_counts_for_a_day_once_and_for_its_coordinator() -> None:
    thrown = ThrownAway()
    thrown.learn(b"ann", {b"1": 0.0, b"2": 5.0})
    thrown.learn(b"ann", {b"2": 9.0})
    thrown.learn(b"eve", {b"3": 5.0})
    assert thrown.count(b"eve", 9.0, b"3") == 1 and thrown.count(b"eve", 9.0, b"4") == 2
    assert [thrown.count(b"ann", now) for now in (9.0, DAY, DAY + 5.0)] == [2, 1, 0]


@pytest.mark.parametrize(
    "note",
    [
        LeftOut(7, here=True),
        LeftOut(7, here=False),
        BrokenOff(bytes(16), 5, bytes(32), named=True),
        BrokenOff(bytes(16), 0, bytes(32), named=False),
        PlayedByComputer(0),
        PlayedByComputer(65535),
        Restored(),
        PlaysOn(3),
    ],
)
def test_notes_are_read_as_they_are_written(note: Any) -> None:
    assert read_note(note_payload(note)) == note


@pytest.mark.parametrize(
    "payload",
    [
        b"N\x90",
        b"N\x91\x02",
        b"N\x91\x00",
        b"N\x92\x00\xc3",
        b"N\x92\x01\x05",
        b"N\x91\x03",
        b"N\x91\x05",
        b"N\x91\x06",
    ],
)
def test_other_notes_are_refused(payload: bytes) -> None:
    with pytest.raises(Refused) as refused:
        read_note(payload)
    assert refused.value.cause is Cause.SHAPE
