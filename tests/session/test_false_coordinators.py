"""Coordinators that are mistaken or hostile, as a listener meets them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.ledger.fair import chain_value
from p2pcards.session.listener import Listener
from p2pcards.views.happenings import PlayerLost
from p2pcards.wire.messages import (
    Again,
    Ask,
    Away,
    Clocks,
    ClockState,
    Have,
    HeaderPart,
    Hello,
    Message,
    MoveMessage,
    Offer,
    People,
    Person,
    RecordMessage,
    RefusedMove,
    Resume,
    Stake,
    Taken,
    encode_message,
)
from p2pcards.wire.packing import pack
from p2pcards.wire.reasons import RefusalCode
from p2pcards.wire.records import VERSION, split_frame
from rigs.in_part import examples
from rigs.net import Arrival, Net, message_of, records
from rigs.pure import remembered_signatures
from rigs.stranger import Stranger, last_bye, playing, raw
from rigs.whole import chain_end

signatures = remembered_signatures()

COORDINATES = Hello(VERSION, True, "Mal", "papa")
ANYTHING = st.lists(
    st.one_of(st.binary(max_size=60), st.integers(0, 40).map(lambda kind: pack([kind, 1, b"", True]))), max_size=6
)


def header_parts(data: bytes) -> list[HeaderPart]:
    starts = range(0, len(data), 400)
    return [HeaderPart(number, len(starts), data[start : start + 400]) for number, start in enumerate(starts)]


def test_one_chain_is_made_however_often_a_game_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    net = Net(1, auto=None)
    net.say(0, "invite", "1")
    net.run()
    table, drawn = net.listener(1), list[int]()

    def draw(count: int) -> bytes:
        drawn.append(count)
        return bytes([len(drawn)]) * count

    monkeypatch.setattr(table, "entropy", draw)
    for number in range(15):
        raw(net, 0, 1, Offer(bytes([number]) * 16))
    staked = [message for _, _, data in net.sent if isinstance(message := message_of(data), Stake)]
    assert (len(staked), len({message.end for message in staked}), len(drawn)) == (15, 1, 1)
    for _ in range(2):
        net.say(0, "game", "hearts")
        net.say(0, "start")
        net.run()
        net.say(0, "end")
        net.run()
    assert len(drawn) == 2, "a chain for each game, the first of them the one that was staked"


def test_what_no_coordinator_sends_ends_the_link_at_the_listener() -> None:
    for message in (Stake(bytes(16), bytes(24)), Away(True), MoveMessage(b"x"), Have(0, b"x")):
        net = playing(1)
        count = net.at(1).count
        raw(net, 0, 1, message)
        assert net.kinds(1)[-1] == PlayerLost and "invalid" in str(net.tales(1, PlayerLost)[-1].why)
        net.run_for(3)
        assert net.at(1).count == count and net.view(0).people[1].link == "here"


def test_records_out_of_order_are_asked_for_again() -> None:
    net = playing(1, preset="telecards")
    count = net.at(1).count
    for shift in (1, 5, 100):
        raw(net, 0, 1, RecordMessage(count + shift, b"nothing"))
    resumes = [message_of(data) for sender, _, data in net.sent if sender == 1]
    assert sum(isinstance(message, Resume) and message.count == count for message in resumes) == 3
    for behind in (1, 3):
        raw(net, 0, 1, RecordMessage(count - behind, b"old"))
    assert net.at(1).count == count and net.view(1).people[0].link == "here"


def test_an_answer_that_fits_no_move_of_mine_is_asked_for_as_a_record() -> None:
    net = playing(1, seed=2, preset="telecards")
    while not net.view(1).legal:
        net.say(0, "act", *net.view(0).legal[0].split())
        net.run()
    count = net.at(1).count
    raw(net, 0, 1, Taken(count, bytes(4), b""))  # I have made no move
    net.say(1, "act", *net.view(1).legal[0].split())
    net.queue.clear()  # it is lost on its way
    raw(net, 0, 1, Taken(count, bytes(4), b""), Taken(count + 1, bytes(4), b""), Taken(count + 100, bytes(4), b""))
    resumes = [message_of(data) for sender, _, data in net.sent if sender == 1]
    assert sum(isinstance(message, Resume) and message.count == count for message in resumes) == 4
    raw(net, 0, 1, Taken(count - 1, bytes(4), b""))
    assert net.at(1).count == count and net.view(1).people[0].link == "here"
    net.cut_all(1)
    net.run_for(3)
    assert net.at(1).count > count and net.at(1).head == net.at(0).head


@pytest.mark.parametrize("rest", [b"?", bytes(3), b"\0\0\x90", bytes(100)])
def test_an_answer_with_something_false_behind_it_ends_the_link(rest: bytes) -> None:
    net = playing(1, preset="telecards")
    while not net.view(1).legal:
        net.say(0, "act", *net.view(0).legal[0].split())
        net.run()
    count = net.at(1).count
    net.say(1, "act", *net.view(1).legal[0].split())
    net.queue.clear()
    raw(net, 0, 1, Taken(count, bytes(4), rest))
    assert net.kinds(1)[-1] == PlayerLost and net.at(1).count == count


def test_a_record_that_is_not_so_is_not_remembered() -> None:
    net = playing(1, preset="telecards")
    count, log = net.at(1).count, list(net.log(1))
    for data in (b"", b"\0", b"\0\0", records(log)[-1], bytes(100)):
        raw(net, 0, 1, b"\0" + bytes((count,)) + data)
        assert net.run_until(lambda: net.view(0).people[1].link == "here", 31)
    assert net.log(1) == log and net.at(1).count == count


@pytest.mark.parametrize(
    "parts",
    [
        [HeaderPart(0, 16, bytes(400))] * 1 + [HeaderPart(i, 16, bytes(400)) for i in range(1, 16)],
        [HeaderPart(1, 3, b"x")],
        [HeaderPart(0, 2, b"x"), HeaderPart(0, 2, b"x"), HeaderPart(1, 2, b"x")],
        [HeaderPart(0, 1, b"")],
        [HeaderPart(3, 1, b"x")],
    ],
)
def test_headers_that_cannot_be(parts: list[HeaderPart]) -> None:
    net = Net(1)
    stranger = Stranger(net, 1)
    stranger.say(COORDINATES)
    for part in parts:
        stranger.say(part)
    assert stranger.closed and last_bye(stranger) == 5 and not net.logs[1]


def test_a_header_of_somebody_else_is_refused() -> None:
    net = playing(1)
    frame, _ = split_frame(net.log(0)[1][1:])
    net.cut_all(1)
    net.queue.clear()
    net.crash(1)
    logs = dict(net.logs[1])
    thief = Stranger(net, 1, 60)
    thief.say(COORDINATES)
    thief.say(Resume(net.at(0).game_id, 3, bytes(32)))
    assert thief.closed, "that game has another coordinator"
    thief = Stranger(net, 1, 60)
    thief.say(COORDINATES)
    for part in header_parts(bytes(frame)):
        thief.say(part)
    assert thief.closed and net.logs[1] == logs


def test_a_game_that_has_a_log_does_not_begin_again_in_place_of_one_that_has_none() -> None:
    net = playing(1)
    frame, _ = split_frame(net.log(0)[1][1:])
    game_id = net.at(0).game_id
    net.cut_all(1)
    net.queue.clear()
    net.crash(1)
    bob = net.machines[1]
    assert isinstance(bob, Listener)
    bob.forget(game_id)  # as if nobody had asked for it yet
    logs = {game: list(log) for game, log in net.logs[1].items()}
    greetings: list[list[Message]] = [[COORDINATES], [COORDINATES, Resume(bytes(16), 5, bytes(32))]]
    for greeting in greetings:
        ann = Stranger(net, 1, 0)
        for said in greeting:
            ann.say(said)
        for part in header_parts(bytes(frame)):
            ann.say(part)
        assert ann.closed and net.logs[1] == logs


def test_another_coordinator_learns_nothing_of_a_game_that_waits_for_its_own() -> None:
    net = playing(1, game="hearts", seed=3)
    net.say(1, "act", *net.view(1).legal[0].split())
    net.run()
    net.deaf.add(1)
    net.cut_all(1)
    net.run()
    nosy = Stranger(net, 1, 60)
    nosy.say(COORDINATES)
    assert net.view(1).phase == "lobby"
    nosy.say(Ask(0))
    assert not any(isinstance(message, Have) for message in nosy.heard) and nosy.closed
    net.deaf.clear()
    net.run_for(40)
    assert net.view(1).phase == "play" and net.view(0).people[1].link == "here"


@pytest.mark.parametrize(("whole", "why"), [(True, "a chain that isn't mine"), (False, "A signature doesn't match")])
def test_a_game_that_changes_my_chain_is_refused(whole: bool, why: str) -> None:
    """whole: the header says so; otherwise it leaves out what I should know."""
    net = Net(1)
    net.say(0, "invite", "1")
    net.run()
    net.say(0, "game", "hearts")
    net.say(0, "start")
    while net.kinds(1)[-1] != PlayerLost:
        event = net.next_event()
        said = message_of(event.message) if isinstance(event, Arrival) else None
        if isinstance(event, Arrival) and isinstance(said, Stake):
            event = replace(event, message=encode_message(replace(said, end=chain_value(bytes(24), 0))))
        if whole and isinstance(event, Arrival) and isinstance(said, HeaderPart):
            (part,) = header_parts(net.log(0)[1][1:])
            event = replace(event, message=encode_message(part))
        net.deliver(event)
    assert why in str(net.tales(1, PlayerLost)[-1].why) and not net.logs[1]


def test_lists_of_people_that_do_not_fit() -> None:
    ann = Person("Ann", "wayne", 0, True)
    for people in (People((), 0, None, ()), People((ann,), 1, None, ())):
        net = playing(1)
        raw(net, 0, 1, people)
        assert net.kinds(1)[-1] == PlayerLost
    net = playing(1)
    raw(net, 0, 1, People((ann, ann), 1, "no such game", (1, 2, 3)))
    refused = RefusedMove(999, RefusalCode.AGAINST_THE_RULES, "\x1b[2J")
    raw(net, 0, 1, Clocks(((ClockState.AWAY, 5),) * 4), Clocks(()), refused, Again(3, True), Offer(bytes(16)))
    assert net.view(1).phase == "play" and net.view(1).people[0].link == "here"


@examples(30)
@given(ANYTHING)
def test_no_bytes_of_a_coordinator_raise_anything(messages: list[bytes]) -> None:
    net = playing(1)
    place = next(end for end in net.links if end[0] == 1)
    for data in messages:
        net.queue.append(Arrival(*place, data))
    net.run()
    net.run_for(20)
    assert chain_end(net, 0) == chain_end(net, 1)
