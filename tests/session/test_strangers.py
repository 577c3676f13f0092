"""Peers that are mistaken or hostile: nothing but a sentence and a closed link comes of it, and nobody else notices."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.ledger.follower import LedgerFollower
from p2pcards.present.story import happening_sentence
from p2pcards.session.effects import Close, CommandError, Send
from p2pcards.views.happenings import Notice, PlayerLeft, PlayerLost, Unreachable
from p2pcards.views.tableview import Command
from p2pcards.wire.messages import (
    Again,
    Away,
    Chat,
    Have,
    Hello,
    MoveMessage,
    Ping,
    Pong,
    Resume,
    Stake,
    encode_message,
)
from p2pcards.wire.packing import pack
from p2pcards.wire.reasons import Verdict
from p2pcards.wire.records import ENTRY_LABEL, VERSION, ActionEntry, CheckEntry, Record, encode_entry, sign
from rigs.in_part import every_nth, examples
from rigs.net import Arrival, Net, key_of, message_of, records
from rigs.pure import remembered_signatures
from rigs.stranger import Stranger, last_bye, playing, raw
from rigs.whole import chain_end, check_whole

signatures = remembered_signatures()

HELLO = Hello(VERSION, False, "Mal", "papa")
COORDINATES = Hello(VERSION, True, "Mal", "papa")


# --- before a game --------------------------------------------------------------------------------------------------


ANYTHING = st.lists(
    st.one_of(st.binary(max_size=60), st.integers(0, 40).map(lambda kind: pack([kind, 1, b"", True]))), max_size=6
)
GARBAGE = [b"", b"\x00", b"\xff" * 30, b"\xc1", b"x" * 5000, pack([16]), pack([99, 1]), pack([]), b"\x93\x10\x01"]


@pytest.mark.parametrize("data", GARBAGE)
@pytest.mark.parametrize("greeted", [False, True])
@pytest.mark.parametrize("machine", [0, 1])
def test_garbage_ends_the_link_with_a_sentence(machine: int, greeted: bool, data: bytes) -> None:
    net = Net(1)
    stranger = Stranger(net, machine)
    if greeted:
        stranger.say(HELLO if machine == 0 else COORDINATES)
    stranger.say(data)
    assert stranger.closed and last_bye(stranger) == 5
    links = [person.link for person in net.view(machine).people]
    assert net.view(machine).phase == "lobby" and links == ["you", *["away"] * (greeted and machine == 0)]
    stranger.say(HELLO)
    assert stranger.seen[-1] == Close(stranger.peer) or not isinstance(stranger.seen[-1], Send)


@pytest.mark.parametrize("machine", [0, 1])
def test_another_version_is_named(machine: int) -> None:
    net = Net(1)
    stranger = Stranger(net, machine)
    stranger.say(pack([16, 1, "whatever", ["comes", "later"]]))
    assert stranger.closed and last_bye(stranger) == 1
    told = net.tales(0, Unreachable)[-1].why if machine == 0 else net.tales(1, Notice)[-1].text
    assert "runs an older p2pcards. Ask them to update it" in told


def test_two_coordinators_and_two_listeners_part_with_a_reason() -> None:
    net = Net(1)
    for machine, hello, word in ((0, COORDINATES, "one of you has to listen"), (1, HELLO, "has to host or connect")):
        stranger = Stranger(net, machine)
        stranger.say(hello)
        assert stranger.closed and last_bye(stranger) == 4
        assert word in happening_sentence(net.told[machine][-1])


def test_who_is_turned_away_is_named_by_the_address_that_was_called_or_else_by_where_they_are() -> None:
    net = Net(0)
    net.table.attendance.invite("9", partner=False)
    for address in ("9", ""):
        Stranger(net, 0, address=address).say(COORDINATES)
    assert [told.address for told in net.tales(0, Unreachable)] == ["9", "somewhere"]


def test_a_second_coordinator_finds_the_listener_taken() -> None:
    net = playing(1)
    second = Stranger(net, 1, 60)
    assert second.closed and last_bye(second) == 2
    assert net.view(0).people[1].link == "here"


def test_a_coordinator_whose_call_meets_a_taken_listener_is_told() -> None:
    net = Net(1)
    first = Stranger(net, 1, 60)
    first.say(COORDINATES)
    net.say(0, "invite", "1")
    net.run()
    assert "is already at another table" in str(net.tales(0, Unreachable)[-1].why)
    assert not net.table.attendance.invited


def test_a_fifth_player_is_turned_away() -> None:
    net = Net(3)
    net.sit_down("winning_score=1")
    fifth = Stranger(net, 0, 77)
    fifth.say(HELLO)
    assert fifth.closed and last_bye(fifth) == 3
    net.run()
    check_whole(net)


def test_a_guest_who_never_stakes_does_not_hold_up_a_game() -> None:
    net = Net(1, auto=None)
    net.say(0, "invite", "1")
    net.run()
    guest = Stranger(net, 0, 77)
    guest.say(HELLO)
    net.say(0, "game", "crazy_eights")
    net.say(0, "start")
    for seconds in range(9):
        net.run_for(1)
        guest.say(Pong(seconds))
        assert net.view(0).phase == "lobby"
    guest.see(lambda: net.machines[0].tick(net.now + 2))
    assert guest.closed and last_bye(guest) == 5
    net.run()
    assert net.view(0).phase == "play"
    assert [person.name for person in net.view(0).people] == ["Ann", "Bob"]
    assert net.tales(0, PlayerLeft)[-1].why == "didn't join the game when it began"


def test_a_guest_is_put_out_before_a_game_by_their_name() -> None:
    net = Net(1, auto=None)
    net.say(0, "invite", "1")
    net.run()
    with pytest.raises(CommandError, match="Nobody here is called 'Mal'"):
        net.say(0, "kick", "Mal")
    guest = Stranger(net, 0, 77)
    guest.say(HELLO)
    guest.see(lambda: net.machines[0].command(Command("kick", ("mal",)), net.now))
    assert guest.closed and last_bye(guest) == 7
    assert [person.name for person in net.view(0).people] == ["Ann", "Bob"]
    net.sit_down()
    net.run()
    late = Stranger(net, 0, 78)
    late.say(HELLO)
    late.see(lambda: net.machines[0].command(Command("kick", ("Mal",)), net.now))
    assert late.closed and net.view(0).phase == "play"


def test_another_coordinator_is_not_shown_under_the_name_of_the_one_before() -> None:
    net = playing(1)
    net.say(0, "leave")
    net.run()
    second = Stranger(net, 1, 60)
    assert [person.name for person in net.view(1).people] == ["Bob"]
    second.say(COORDINATES)
    assert "Ann" not in [person.name for person in net.view(1).people]


def test_words_before_hello() -> None:
    net = Net(1)
    for machine in (0, 1):
        for message in (Ping(1), Chat(0, 1, "hi"), Resume(bytes(16), 0, bytes(32)), Away(True)):
            stranger = Stranger(net, machine)
            stranger.say(message)
            assert stranger.closed and last_bye(stranger) == 5


def test_hello_twice() -> None:
    net = Net(1)
    stranger = Stranger(net, 1)
    stranger.say(COORDINATES)
    stranger.say(COORDINATES)
    assert stranger.closed and last_bye(stranger) == 5
    guest = Stranger(net, 0)
    guest.say(HELLO)
    guest.say(HELLO)
    assert [person.name for person in net.view(0).people] == ["Ann", "Mal"]


# --- from a listener ------------------------------------------------------------------------------------------------


def untouched(net: Net, i: int, count: int) -> None:
    assert net.at(0).count == count == net.at(i).count and net.view(0).people[i].link == "here"


def test_a_listener_cannot_move_for_another_seat() -> None:
    net = playing(2)
    count, seat = net.at(0).count, net.at(0).state.to_act[0]
    liar = 1 if seat != 1 else 2
    frame = sign(net.keys[liar], ENTRY_LABEL, net.at(0).head, encode_entry(ActionEntry(count, seat, 1, ())))
    raw(net, liar, 0, MoveMessage(bytes(Record((frame,)))))
    assert net.at(0).count == count and "broke the protocol" in str(net.tales(0, PlayerLost)[-1].why)
    untouched(net, 3 - liar, count)


def test_a_listener_cannot_check_for_another_side_nor_deal() -> None:
    net = playing(2)
    count = net.at(0).count
    for entry in (CheckEntry(count, 2, 0, Verdict.GOOD, bytes(24)),):
        frame = sign(net.keys[1], ENTRY_LABEL, net.at(0).head, encode_entry(entry))
        raw(net, 1, 0, MoveMessage(bytes(Record((frame,)))))
        assert "broke the protocol" in str(net.tales(0, PlayerLost)[-1].why)
    net.run_for(3)
    deal = next(record for record in records(net.log(0)) if record[3:4] == b"\x03" or record[2:4] == b"\x96\x03")
    raw(net, 1, 0, MoveMessage(deal))
    assert len(net.tales(0, PlayerLost)) == 2
    untouched(net, 2, count)


def test_a_listener_who_signs_with_another_key_is_put_out() -> None:
    net = playing(2, preset="telecards")
    while net.at(0).state.to_act != (1,):
        net.say(0, "act", *net.view(0).legal[0].split())
        net.run()
    count = net.at(0).count
    frame = sign(key_of(55, 1), ENTRY_LABEL, net.at(0).head, encode_entry(ActionEntry(count, 1, 1, ())))
    raw(net, 1, 0, MoveMessage(bytes(Record((frame,)))))
    assert net.at(0).count == count and "A signature doesn't match" in str(net.tales(0, PlayerLost)[-1].why)


def test_a_bad_pass_that_comes_before_the_coordinators_own_harms_its_sender_alone() -> None:
    net = playing(2, game="hearts", seed=3)
    count, position = net.at(0).count, net.at(1)
    good = bytes(
        LedgerFollower.restored(net.keys[1], net.log(1)).move(position.game.legal(position.state, 1)[0], bytes(10))
    )
    raw(net, 1, 0, MoveMessage(good[:-3] + b"\xff\xff\xff"))
    assert "broke the protocol" in str(net.tales(0, PlayerLost)[-1].why)
    untouched(net, 2, count)
    net.say(0, "act", *net.view(0).legal[0].split())
    net.run()
    assert net.at(0).count == net.at(2).count == count + 1


@pytest.mark.parametrize("seed", every_nth(3, range(4)))
def test_replayed_moves_change_nothing(seed: int) -> None:
    net = Net(2, seed=seed)
    net.sit_down("winning_score=1")
    rng, moves = Random(seed), []
    while net.queue:
        event = net.next_event()
        if isinstance(event, Arrival) and event.machine == 0 and isinstance(message_of(event.message), MoveMessage):
            moves.append(event)
        net.deliver(event)
        if moves and rng.random() < 0.3:
            net.queue.insert(0, rng.choice(moves))
    check_whole(net)
    assert PlayerLost not in net.kinds(0)


def test_frames_of_another_game_are_no_moves() -> None:
    other = Net(2, seed=1)
    other.sit_down("winning_score=1", "draw_one_only=yes")
    other.run()
    moves = [data for sender, to, data in other.sent if to == 0 and isinstance(message_of(data), MoveMessage)]
    for data in moves[:20]:
        net = playing(2)
        count = net.at(0).count
        raw(net, 1, 0, data)
        assert net.at(0).count == count
        untouched(net, 2, count)


def test_a_flood_of_anything_leaves_the_table_as_it_is() -> None:
    net = playing(2)
    count, end = net.at(0).count, chain_end(net, 2)
    position = net.at(0)
    for message in (
        Ping(1),
        Pong(7),
        Chat(1, 1, "x"),
        Stake(bytes(16), bytes(24)),
        Again(1, True),
        Resume(position.game_id, count, position.head),
        Resume(bytes(16), 5, bytes(32)),
        Have(count, b"x"),
        HELLO,
    ):
        raw(net, 1, 0, *[message] * 200)
    assert net.at(0) is position and chain_end(net, 2) == end
    net.run_for(20)
    untouched(net, 1, count)


@examples(30)
@given(ANYTHING)
def test_no_bytes_of_a_listener_raise_anything(messages: list[bytes]) -> None:
    net = playing(1)
    count = net.at(0).count
    place = next(end for end in net.links if end[0] == 0)
    for data in messages:
        net.queue.append(Arrival(*place, data))
    net.run()
    net.run_for(20)
    assert net.at(0).count >= count and chain_end(net, 0) == chain_end(net, 1)


@examples(30)
@given(st.data())
def test_no_move_of_a_listener_raises_anything(data: st.DataObject) -> None:
    """Signed by it, in every shape that decodes."""
    net = FUZZED[data.draw(st.integers(0, len(FUZZED) - 1))]
    position = net.at(0)
    field = st.one_of(st.none(), st.booleans(), st.integers(-5, 300), st.binary(max_size=6))
    values = data.draw(st.lists(field, max_size=3))
    body = pack([data.draw(st.integers(0, 2)), position.open_base, 1, data.draw(st.integers(0, 4)), *values])
    head = position.open_head if position.simultaneous else position.head
    frame = sign(net.keys[1], ENTRY_LABEL, head, body)
    opening = b"\0\0" + data.draw(st.one_of(st.just(b""), st.binary(max_size=20))) if data.draw(st.booleans()) else b""
    machine = net.machines[0]
    place = next(end for end in net.links if end[0] == 0)
    before = machine.receive(place[1], encode_message(MoveMessage(bytes(frame) + opening)), net.now)
    assert isinstance(before, list)
    net.carry_out(0, before)
    net.run()
    assert net.run_until(lambda: net.view(0).people[1].link == "here", 31)


FUZZED = [playing(1), playing(1, game="hearts", seed=3)]
