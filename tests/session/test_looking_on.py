"""Guests who come while a game is on look on: they see what everybody sees, owe nothing, and have a seat next time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from p2pcards.games.registry import GAMES
from p2pcards.ledger.position import begin
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import Logged
from p2pcards.present.story import PLAIN, happening_sentence
from p2pcards.present.table import people_lines, table_lines
from p2pcards.session.effects import CommandError
from p2pcards.session.presence import Presence
from p2pcards.views.happenings import (
    GameEnded,
    GameStarted,
    GameWon,
    HandOpened,
    LookingOn,
    PlayerBack,
    PlayerJoined,
    PlayerLost,
    SeatReturned,
    SeatTakenOver,
    TablePaused,
)
from p2pcards.wire.messages import (
    Again,
    Ask,
    Away,
    Clocks,
    Have,
    HeaderPart,
    LookOn,
    Message,
    MoveMessage,
    RecordMessage,
    RefusedMove,
    Resume,
    encode_message,
)
from p2pcards.wire.reasons import RefusalCode
from p2pcards.wire.records import (
    HEADER_LABEL,
    Header,
    Record,
    decode_header,
    encode_header,
    read_record,
    sign,
    split_frame,
)
from rigs.in_part import every_nth
from rigs.net import Arrival, Event, Net, message_of, records
from rigs.people import act, begun, run_to, spoken, to_act
from rigs.pure import remembered_signatures
from rigs.short_games import short
from rigs.stranger import raw
from rigs.whole import check_whole

signatures = remembered_signatures()

ANN, BOB, CY = range(3)


def come(net: Net, i: int = CY) -> None:
    """Somebody calls the table, as a guest who joins a host does."""
    net.connect(i, ANN)
    net.run()


def looked_on(net: Net, auto: str | None = None) -> Net:
    """A game by hand at which Cy looks on."""
    net.run()
    come(net)
    return net


def to_cy(net: Net) -> list[Message]:
    return [message_of(data) for sender, to, data in net.sent if (sender, to) == (ANN, CY)]


# --- what an onlooker sees --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", every_nth(4, GAMES))
def test_a_guest_who_comes_while_a_game_is_on_follows_it_to_its_end_as_a_watcher_would(key: str) -> None:
    net = begun(key, tuple([f"{option}={value}" for option, value in short(key)]), auto="carefree")
    run_to(net, 25)
    come(net)
    net.run_for(30)
    truth, seen = net.at(ANN), net.listener(CY).position
    assert seen is not None and truth.phase is Phase.CLOSED
    assert (seen.count, seen.head, seen.ended, seen.sheets) == (truth.count, truth.head, truth.ended, truth.sheets)
    assert seen.state == truth.views[-1] and seen.seat is None
    assert net.view(CY).phase == "over" and net.view(CY).winners == truth.state.winners
    assert len(net.tales(CY, LookingOn)) == 1 and len(net.tales(CY, GameWon)) == 1
    assert all(one.proven for one in net.tales(CY, HandOpened))
    check_whole(net)


def test_an_onlooker_is_sent_nothing_that_is_not_public() -> None:
    net = begun("hearts", ("end_score=25",), auto="carefree")
    run_to(net, 40)
    come(net)
    net.run_for(5)
    said = to_cy(net)
    sent = [read_record(message.record)[0] for message in said if isinstance(message, RecordMessage)]
    logged = [read_record(data)[0] for data in records(net.log(ANN))]
    assert sent == [Record(one.frames) for one in logged], "the frames that everybody gets, without faces and openings"
    assert any(one.opening for one in logged) and len(sent) > 40
    assert not any(isinstance(message, Resume) for message in said)
    assert [type(message) for message in said if isinstance(message, LookOn)] == [LookOn]


def test_an_onlooker_keeps_no_log_and_says_nothing_of_the_game() -> None:
    net = begun(options=("winning_score=1",), auto="carefree")
    run_to(net, 20)
    come(net)
    net.run_for(5)
    assert not net.logs[CY] and net.used[CY] is None
    said = [type(message_of(data)) for sender, _, data in net.sent if sender == CY]
    assert not {MoveMessage, Resume, Have, Away} & set(said)


def test_everybody_is_told_once_who_looks_on_and_that_they_can_have_a_seat() -> None:
    net = looked_on(begun())
    for i in (ANN, BOB):
        (told,) = [one for one in net.tales(i, PlayerJoined) if one.name == "Cy"]
        assert happening_sentence(told).startswith("Cy joins as Lizzy")
        assert happening_sentence(told).endswith("to watch and can play in the next game.")
        (row,) = [person for person in net.view(i).people if person.looks_on]
        assert row.name == "Cy" and row.link == "here"
        assert any("Cy: here" in line and "watching" in line for line in people_lines(net.view(i)))
    (told_cy,) = net.tales(CY, LookingOn)
    assert happening_sentence(told_cy) == (
        "Crazy Eights, hand 1: Ann, Bob, Lizzy and Granny. You're watching until the host "
        "seats you or the next game begins. To 100. 4 players; draw until you can play."
    )
    assert GameStarted not in net.kinds(CY)
    view = net.view(CY)
    assert view.looks_on and view.me is None and not view.legal and not any(any(seat.known) for seat in view.seats)
    last = table_lines(view, PLAIN)[-1]
    assert last.startswith("You're watching. Waiting for ")


def test_what_was_played_before_is_not_told_move_by_move_and_what_is_played_after_is() -> None:
    net = begun()
    net.run()
    for _ in range(4):
        act(net, to_act(net))
    come(net)
    before = len(net.told[CY])
    assert len(net.tales(BOB, LookingOn)) == 0
    mover = to_act(net)
    words = spoken(net, mover)
    act(net, mover, words)
    told = [happening_sentence(one) for one in net.told[CY][before:]]
    assert any(("Ann", "Bob")[mover] in sentence for sentence in told)
    assert net.listener(CY).position is not None and net.view(CY).records == net.at(ANN).count


def test_an_onlooker_sees_who_is_away_and_who_plays_for_whom() -> None:
    net = looked_on(begun())
    net.cut_all(BOB)
    net.deaf.add(BOB)
    net.run()
    assert isinstance(to_cy(net)[-1], Clocks)
    assert [seat.plays for seat in net.view(CY).seats[:2]] == ["person", "away"]
    net.run_for(61)
    assert [one.name for one in net.tales(CY, SeatTakenOver)] == ["Bob"]
    net.deaf.clear()
    net.run_for(31)
    assert [one.name for one in net.tales(CY, SeatReturned)] == ["Bob"]


# --- an onlooker is no side -------------------------------------------------------------------------------------------


def test_a_table_where_only_an_onlooker_is_left_is_paused() -> None:
    net = looked_on(begun())
    net.say(ANN, "away")
    net.say(BOB, "away")
    net.run()
    assert net.at(ANN).phase is Phase.PAUSED and TablePaused in net.kinds(CY)
    assert table_lines(net.view(CY), PLAIN)[-1] == ("You're watching. The game is paused.")


@pytest.mark.parametrize("word", [("act", "QS"), ("hint",), ("away",), ("back",)])
def test_what_an_onlooker_may_not_do_gets_a_sentence(word: tuple[str, ...]) -> None:
    net = looked_on(begun())
    with pytest.raises(CommandError, match="while you're watching"):
        net.say(CY, *word)
    net.cut_all(CY)
    net.run()
    with pytest.raises(CommandError, match="while you're watching"):
        net.say(CY, *word)


def test_an_onlooker_talks_and_is_heard() -> None:
    net = looked_on(begun())
    net.say(CY, "say", "good evening")
    net.say(CY, "quick", "hello")
    net.run()
    for i in (ANN, BOB):
        assert [happening_sentence(one) for one in net.told[i][-2:]] == ['Cy says: "good evening"', 'Cy says: "Hello!"']


def test_an_onlooker_whose_line_is_cut_comes_again_and_looks_on_again() -> None:
    net = looked_on(begun())
    for _ in range(3):
        count = net.at(ANN).count
        net.cut_all(CY)
        net.run()
        assert net.at(ANN).count == count, "nothing of the game hangs on an onlooker"
        assert [(person.name, person.link) for person in net.view(ANN).people][2:] == [("Cy", "away")]
        act(net, to_act(net))
        come(net)
        assert net.view(CY).looks_on and net.view(CY).records == net.at(ANN).count
    assert len(net.tales(CY, LookingOn)) == 4
    assert [one.name for one in net.tales(ANN, PlayerBack)] == ["Cy", "Cy", "Cy"]


def test_a_newer_link_of_an_onlooker_takes_the_place_of_the_older() -> None:
    net = looked_on(begun())
    come(net)
    assert len(net.table.guests) == 2 and net.table.guests[1].presence is Presence.LOOKING_ON
    before = len(to_cy(net))
    act(net, to_act(net))
    sent = [message for message in to_cy(net)[before:] if isinstance(message, RecordMessage)]
    numbers = [message.number for message in sent]
    assert numbers and len(numbers) == len(set(numbers)), "each record once"


def test_an_onlooker_who_leaves_has_left_and_the_game_goes_on() -> None:
    net = looked_on(begun())
    net.say(CY, "leave")
    net.run()
    assert happening_sentence(net.told[ANN][-1]) == "Cy left the table."
    assert net.view(CY).phase == "lobby" and not net.view(CY).looks_on
    act(net, to_act(net))


def test_an_onlooker_can_be_put_out() -> None:
    net = looked_on(begun())
    net.say(ANN, "kick", "cy")
    net.run()
    assert [person.name for person in net.view(ANN).people] == ["Ann", "Bob"]


def test_nobody_new_is_given_a_name_that_stands_in_the_game() -> None:
    net = begun()
    net.run()
    net.say(BOB, "leave")
    net.run()
    net.listener(CY).me = replace(net.listener(CY).me, name="Bob")
    come(net)
    assert [person.name for person in net.view(ANN).people] == ["Ann", "Bob 2"]
    assert net.view(ANN).people[1].looks_on
    net.say(ANN, "kick", "bob", "2")
    net.run()
    assert [person.name for person in net.view(ANN).people] == ["Ann"]


# --- the next game ----------------------------------------------------------------------------------------------------


def test_an_onlooker_has_a_seat_in_the_next_game() -> None:
    net = begun(options=("winning_score=1",), auto="carefree")
    run_to(net, 20)
    come(net)
    net.run_for(20)
    assert net.at(ANN).phase is Phase.CLOSED and net.position(CY) is None
    net.say(CY, "again")
    net.run()
    answers = [message_of(data) for sender, _, data in net.sent if sender == CY]
    assert Again(2, True) in answers
    for i in (ANN, BOB):
        net.say(i, "again")
    net.run()
    assert [side.name for side in net.at(ANN).header.sides] == ["Ann", "Bob", "Cy"]
    assert net.at(CY).seat is not None and not net.view(CY).looks_on
    assert len(net.tales(CY, GameStarted)) == 1
    assert check_whole(net).keys() == {ANN, BOB, CY}


def test_a_game_that_is_ended_early_leaves_the_onlooker_at_the_table() -> None:
    net = looked_on(begun())
    net.say(ANN, "end")
    net.run()
    assert GameEnded in net.kinds(CY) and net.view(CY).phase == "lobby"
    net.say(ANN, "start")
    net.run()
    assert net.view(CY).phase == "play" and net.view(CY).me is not None


def test_a_guest_who_comes_back_when_the_game_is_over_does_not_look_on_any_more() -> None:
    net = looked_on(begun())
    net.cut_all(CY)
    net.run()
    assert net.view(CY).looks_on and net.view(CY).waiting == "the host to reconnect"
    net.say(ANN, "end")
    net.run()
    come(net)
    assert net.view(CY).phase == "lobby" and not any(person.looks_on for person in net.view(CY).people)


# --- hostile onlookers, hostile coordinators --------------------------------------------------------------------------


def test_what_an_onlooker_may_not_say_is_passed_over() -> None:
    net = looked_on(begun())
    position = net.at(ANN)
    moves = [message_of(data) for sender, _, data in net.sent if sender == BOB]
    replayed = [move for move in moves if isinstance(move, MoveMessage)]
    record = records(net.log(BOB))[0]
    raw(net, CY, ANN, *replayed, MoveMessage(b"x"), Resume(position.game_id, 0, bytes(32)))
    raw(net, CY, ANN, Away(True), Away(False), Have(0, record), Have(position.count, record))
    assert net.at(ANN) == position and net.table.guests[1].presence is Presence.LOOKING_ON
    assert net.view(ANN).people[2].looks_on
    assert not any(isinstance(message, Resume) for message in to_cy(net))


def play_a_little(net: Net) -> None:
    """Cards are dealt, and some are passed under a commitment."""
    net.run()
    net.say(BOB, "act", *spoken(net, BOB).split())
    net.run()


def record_for_cy(event: Event) -> RecordMessage | None:
    if not (isinstance(event, Arrival) and event.machine == CY):
        return None
    said = message_of(event.message)
    return said if isinstance(said, RecordMessage) else None


def exchanged(net: Net, wanted: Callable[[Logged], bool], others: Callable[[Logged], list[Message]]) -> None:
    """Cy comes, and in place of the first such record Ann's program sends something else, or nothing."""
    assert net.table.game is not None
    log = net.table.game._writer.log
    net.connect(CY, ANN)
    while True:
        event = net.queue[0]
        said = record_for_cy(event)
        if said is None or not wanted(log[said.number]):
            net.deliver(net.next_event())
            continue
        assert isinstance(event, Arrival)
        sent = [Arrival(CY, event.peer, encode_message(one)) for one in others(log[said.number])]
        net.queue[:1] = sent
        net.run()
        return


def said_as(logged: Logged, record: Record) -> list[Message]:
    return [RecordMessage(logged.number, bytes(record))]


def altered(logged: Logged) -> Record:
    first, *rest = logged.record.frames
    return Record((replace(first, signature=bytes(64)), *rest))


def has_faces(logged: Logged) -> bool:
    return bool(logged.faces and logged.faces[1])


def is_private(logged: Logged) -> bool:
    return bool(logged.record.opening)


def is_second(logged: Logged) -> bool:
    return logged.number == 1


BAD: dict[str, tuple[Callable[[Logged], bool], Callable[[Logged], list[Message]], str]] = {
    "faces": (has_faces, lambda one: said_as(one, one.for_side(1)), "Faces came for a side without a seat"),
    "an opening": (
        is_private,
        lambda one: said_as(one, Record(one.record.frames, None, one.record.opening)),
        "An opening belongs to another seat",
    ),
    "another signature": (is_second, lambda one: said_as(one, altered(one)), "A signature doesn't match"),
    "nothing": (is_second, lambda one: [], "A record is missing or came twice"),
    "twice": (is_second, lambda one: said_as(one, one.public) * 2, "A record is missing or came twice"),
    "no record": (is_second, lambda one: [RecordMessage(one.number, b"?")], ""),
    "RESUME": (is_second, lambda one: [Resume(one.before.game_id, 1, one.before.head)], "can't send this now"),
    "LOOK ON": (is_second, lambda one: [LookOn(one.before.game_id, 0)], "can't send this now"),
    "REFUSED": (is_second, lambda one: [RefusedMove(1, RefusalCode.LATE, "")], "can't send this now"),
    "ASK": (is_second, lambda one: [Ask(0)], "can't send this now"),
}


@pytest.mark.parametrize("what", BAD)
def test_what_an_onlooker_cannot_be_sent_is_refused(what: str) -> None:
    net = begun("hearts")
    play_a_little(net)
    wanted, others, why = BAD[what]
    exchanged(net, wanted, others)
    assert net.kinds(CY)[-1] is PlayerLost and why in net.tales(CY, PlayerLost)[-1].why
    assert net.listener(CY).link.peer is None and net.view(CY).phase == "lobby"
    assert "broke the protocol" in net.tales(ANN, PlayerLost)[-1].why
    come(net)
    assert net.view(CY).looks_on and net.view(CY).records == net.at(ANN).count, "the next time all is right"


def header_parts(header: Header, key: int, net: Net) -> list[HeaderPart]:
    frame = bytes(sign(net.keys[key], HEADER_LABEL, b"", encode_header(header)))
    pieces = [frame[i : i + 400] for i in range(0, len(frame), 400)]
    return [HeaderPart(number, len(pieces), piece) for number, piece in enumerate(pieces)]


def game_id_of(parts: list[HeaderPart]) -> bytes:
    frame, _ = split_frame(b"".join([part.data for part in parts]))
    return begin(frame, decode_header(frame), 9, b"").game_id


@pytest.mark.parametrize("what", ["mine", "another coordinator", "another game", "record first", "no game"])
def test_a_header_that_an_onlooker_cannot_be_sent_is_refused(what: str) -> None:
    """Ann's program says LOOK ON, and then something that does not fit."""
    net = Net(2, auto=None)
    for i in (BOB, CY):
        net.say(ANN, "invite", str(i))
    net.run()
    donor = begun()
    donor.run()
    header = donor.at(ANN).header
    sides = header.sides
    listed = replace(header, sides=(sides[0], replace(sides[1], key=net.table.guests[1].key)))
    others = replace(header, sides=(sides[1], sides[0]))
    sent = {
        "mine": header_parts(listed, ANN, net),
        "another coordinator": header_parts(others, BOB, net),
        "another game": header_parts(header, ANN, net),
        "no game": header_parts(replace(header, game="bridge"), ANN, net),
        "record first": [],
    }[what]
    game_id = bytes(16) if what in ("another game", "record first", "no game") else game_id_of(sent)
    first: list[Message] = [RecordMessage(0, b"?" * 80)] if what == "record first" else []
    raw(net, ANN, CY, LookOn(game_id, 3), *first, *sent)
    why = {
        "mine": "gives me a side",
        "another coordinator": "isn't from this coordinator",
        "another game": "a different game from the one announced",
        "no game": "doesn't know the game 'bridge'",
        "record first": "A record came before the header",
    }[what]
    assert why in net.tales(CY, PlayerLost)[-1].why
    assert not net.logs[CY] and net.view(CY).phase == "lobby"


def test_records_that_never_come_show_no_half_of_a_game() -> None:
    net = Net(2, auto=None)
    for i in (BOB, CY):
        net.say(ANN, "invite", str(i))
    net.run()
    donor = begun()
    donor.run()
    parts = header_parts(donor.at(ANN).header, ANN, net)
    raw(net, ANN, CY, LookOn(game_id_of(parts), 2**32 - 1), *parts)
    assert net.view(CY).phase == "lobby" and net.listener(CY).looks_on
    with pytest.raises(CommandError, match="while you're watching"):
        net.say(CY, "away")
