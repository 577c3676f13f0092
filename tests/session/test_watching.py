"""Watchers see a table from behind: everything public as it happens, on links of their own, and nothing in a game waits
for them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pcards.games.registry import GAMES
from p2pcards.ledger.payloads import RECORD
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.verify import verify_log
from p2pcards.present.story import happening_sentence
from p2pcards.present.table import people_lines
from p2pcards.session.doubt import Familiarity
from p2pcards.session.effects import Close, CommandError
from p2pcards.session.gallery import REFUSED_KEPT
from p2pcards.session.presence import Presence
from p2pcards.views.happenings import GameWon, LookingOn, PlayerJoined, Said, SeatsChanged
from p2pcards.wire.messages import (
    MAX_WATCHERS,
    Again,
    Away,
    Bye,
    Chat,
    Clocks,
    Give,
    Have,
    HeaderPart,
    Hello,
    LookOn,
    Message,
    MoveMessage,
    NoSeat,
    Offer,
    People,
    Quick,
    RecordMessage,
    Resume,
    Stake,
    Vote,
    Watch,
    WatchersNow,
)
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.records import VERSION, Record, read_record
from rigs.in_part import every_nth
from rigs.net import Net, message_of, records
from rigs.people import act, run_to, to_act
from rigs.pure import remembered_signatures
from rigs.short_games import short
from rigs.stranger import Stranger, last_bye, raw
from rigs.watching import ANN, BOB, CY, begun, come, notices, to_cy, watched
from rigs.whole import check_whole

signatures = remembered_signatures()


# --- what a watcher sees ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", every_nth(4, GAMES))
def test_a_watcher_sees_a_game_to_its_end_and_their_log_verifies(key: str) -> None:
    net = begun(key, tuple([f"{option}={value}" for option, value in short(key)]), auto="carefree")
    run_to(net, 25)
    come(net)
    net.run_for(30)
    truth, seen = net.at(ANN), net.listener(CY).position
    assert seen is not None and truth.phase is Phase.CLOSED
    assert (seen.count, seen.head, seen.ended, seen.sheets) == (truth.count, truth.head, truth.ended, truth.sheets)
    assert seen.state == truth.views[-1] and seen.seat is None
    assert len(net.tales(CY, LookingOn)) == 1 and len(net.tales(CY, GameWon)) == 1
    findings = verify_log(net.log(CY))
    assert findings.finished and findings.honest and findings.position.looks_on
    assert len(findings.hands) == len(verify_log(net.log(ANN)).hands)
    check_whole(net)


def test_a_watcher_is_sent_nothing_that_is_not_public_and_players_have_it_first() -> None:
    net = begun("hearts", ("end_score=25",), auto="carefree")
    run_to(net, 40)
    before = len(net.sent)
    come(net)
    net.run_for(5)
    sent = [read_record(one.record)[0] for one in to_cy(net) if isinstance(one, RecordMessage)]
    logged = [read_record(data)[0] for data in records(net.log(ANN))]
    assert sent == [Record(one.frames) for one in logged], "the frames that everybody gets, without faces and openings"
    assert any(one.opening for one in logged) and len(sent) > 40
    later = [(to, message_of(data)) for sender, to, data in net.sent[before:] if sender == ANN]
    numbers = {i: [one.number for to, one in later if to == i and isinstance(one, RecordMessage)] for i in (BOB, CY)}
    first = {i: [to for to, one in later if isinstance(one, RecordMessage)].index(i) for i in (BOB, CY)}
    assert first[BOB] < first[CY] and set(numbers[BOB]) <= set(numbers[CY])
    others = (Offer, Resume, Again, Vote)
    assert not any(isinstance(one, others) for one in to_cy(net))


def test_everyone_is_told_who_watches() -> None:
    net = watched(begun())
    for i in (ANN, BOB):
        assert notices(net, i)[-1] == "Cy is watching."
        assert [one.name for one in net.view(i).watchers] == ["Cy"]
        assert any(line.startswith("Cy: watching") for line in people_lines(net.view(i)))
        assert [one.name for one in net.view(i).people] == ["Ann", "Bob"], "they have no place at the table"
    (told,) = net.tales(CY, LookingOn)
    assert happening_sentence(told).startswith("Crazy Eights, hand 1: Ann, Bob, Lizzy and Granny. You're watching. To ")
    view = net.view(CY)
    assert view.looks_on and view.me is None and not view.legal and not any(any(seat.known) for seat in view.seats)
    assert [(one.name, one.link) for one in view.watchers] == [("Cy", "you")]
    assert any(line.startswith("Cy: you, watching") for line in people_lines(view))
    net.say(CY, "leave")
    net.run()
    assert notices(net, BOB)[-1] == "Cy is no longer watching."
    assert not net.view(ANN).watchers and not net.view(BOB).watchers


def test_a_game_in_which_nobody_watches_has_no_message_about_it() -> None:
    net = begun(auto="carefree", options=("winning_score=1",))
    net.run_for(20)
    said = {type(message_of(data)) for _, _, data in net.sent}
    assert net.at(ANN).phase is Phase.CLOSED and not said & {Watch, WatchersNow, NoSeat, LookOn}


def test_watchers_see_who_is_away_and_read_what_is_said() -> None:
    net = watched(begun())
    net.say(BOB, "say", "good", "evening")
    net.run()
    net.say(ANN, "quick", "hello")
    net.run()
    assert [happening_sentence(one) for one in net.tales(CY, Said)] == [
        'Bob says: "good evening"',
        'Ann says: "Hello!"',
    ]
    net.cut_all(BOB)
    net.deaf.add(BOB)
    net.run()
    assert isinstance(to_cy(net)[-1], Clocks | People)
    assert [seat.plays for seat in net.view(CY).seats[:2]] == ["person", "away"]


@pytest.mark.parametrize("word", [("act", "QS"), ("hint",), ("away",), ("back",), ("say", "hi"), ("quick", "hello")])
def test_what_a_watcher_may_not_do_gets_a_sentence(word: tuple[str, ...]) -> None:
    net = watched(begun())
    with pytest.raises(CommandError, match=r"[Ww]atch"):
        net.say(CY, *word)


# --- nothing waits for them -------------------------------------------------------------------------------------------


def test_nothing_in_a_game_waits_for_a_watcher_and_they_stay_for_the_next() -> None:
    net = begun(options=("winning_score=1",), auto="carefree")
    run_to(net, 20)
    come(net)
    net.run_for(20)
    assert net.at(ANN).phase is Phase.CLOSED
    with pytest.raises(CommandError, match="can't talk or vote"):
        net.say(CY, "again")
    for i in (ANN, BOB):
        net.say(i, "again")
    net.run_for(20)
    assert [side.name for side in net.at(ANN).header.sides] == ["Ann", "Bob"]
    assert len(net.tales(CY, LookingOn)) == 2 and len(net.logs[CY]) == 2
    assert all(verify_log(log).finished for log in net.logs[CY].values())
    said = [type(message_of(data)) for sender, _, data in net.sent if sender == CY]
    assert not {MoveMessage, Resume, Have, Away, Stake} & set(said)


def test_a_table_where_only_a_watcher_is_left_is_paused_and_has_room_for_three() -> None:
    net = watched(begun())
    assert net.table.room() == 2
    net.say(ANN, "away")
    net.say(BOB, "away")
    net.run()
    assert net.at(ANN).phase is Phase.PAUSED and net.view(CY).paused


def test_a_watcher_whose_line_is_cut_comes_again_and_goes_on_with_the_same_log() -> None:
    net = watched(begun("crazy_eights", ("winning_score=1",)))
    for _ in range(3):
        count = net.at(ANN).count
        net.cut_all(CY)
        net.run()
        assert net.at(ANN).count == count and not net.view(ANN).watchers
        act(net, to_act(net))
        come(net)
        assert net.view(CY).records == net.at(ANN).count
    (log,) = net.logs[CY].values()
    assert [one for one in log if one[:1] == RECORD] == [
        RECORD + bytes(Record(read_record(data)[0].frames)) for data in records(net.log(ANN))
    ]


def test_a_newer_link_of_a_watcher_takes_the_place_of_the_older() -> None:
    net = begun()
    net.run()
    older, newer = Stranger(net, ANN), Stranger(net, ANN)
    for one in (older, newer):
        one.say(Watch(VERSION, "Cy"))
    assert Close(older.peer) in newer.seen and not newer.closed
    assert [one.name for one in net.view(ANN).watchers] == ["Cy"]


def test_a_watcher_who_is_silent_is_given_up() -> None:
    net = begun()
    net.run()
    net.say(ANN, "watchers", "on")
    cy = Stranger(net, ANN)
    cy.say(Watch(VERSION, "Cy"))
    assert net.view(ANN).watchers
    net.run_for(16)
    assert not net.view(ANN).watchers


def test_watchers_follow_a_game_that_goes_on_with_other_people() -> None:
    net = Net(3, auto="carefree", watching=[3])
    net.say(ANN, "invite", "1")
    net.run()
    net.say(ANN, "watchers", "on")
    net.say(ANN, "game", "hearts")
    net.say(ANN, "set", "end_score=40")
    net.say(ANN, "start")
    run_to(net, 20)
    for i in (2, 3):
        net.connect(i, ANN)
        run_to(net, net.at(ANN).count + 8)
    net.say(ANN, "seat", "Cy")
    net.run_for(60)
    assert [side.name for side in net.at(ANN).header.sides] == ["Ann", "Bob", "Cy"]
    assert net.at(ANN).phase is Phase.CLOSED and len(net.logs[3]) == 2
    (told,) = net.tales(3, SeatsChanged)
    assert [now for now, _ in told.changes] == ["Cy"]
    first, second = [verify_log(log) for log in net.logs[3].values()]
    assert second.finished and second.position.header.previous == first.heads[-1]


# --- who may watch ----------------------------------------------------------------------------------------------------


def test_the_host_is_asked_and_a_watcher_sees_nothing_before_the_yes() -> None:
    net = watched(begun(policy="ask"))
    assert notices(net, ANN)[-1] == ("Cy wants to watch. To answer: watchers yes Cy, or watchers no Cy")
    assert [type(one) for one in to_cy(net)] == [Hello, WatchersNow]
    assert notices(net, CY) == ["Waiting for Ann to let you watch."]
    assert net.view(CY).waiting == "the host to let you watch" and not net.view(BOB).watchers
    with pytest.raises(CommandError, match="hasn't let you watch"):
        net.say(CY, "sit")
    assert any(line.startswith("Cy: wants to watch") for line in people_lines(net.view(ANN)))
    with pytest.raises(CommandError, match="Asking to watch: Cy"):
        net.say(ANN, "watchers", "yes", "Wendy")
    net.say(ANN, "watchers", "yes", "cy")
    net.run()
    assert net.view(CY).looks_on and [one.name for one in net.view(BOB).watchers] == ["Cy"]
    net.cut_all(CY)
    net.run()
    come(net)
    assert net.view(CY).looks_on, "a yes is for as long as the table is open"


def test_who_is_refused_is_not_asked_about_again() -> None:
    net = watched(begun(policy="ask"))
    net.say(ANN, "watchers", "no", "Cy")
    net.run()
    asked = len(notices(net, ANN))
    come(net)
    assert to_cy(net)[-1] == Bye(ByeCode.NO_WATCHING) and len(notices(net, ANN)) == asked
    net.say(ANN, "watchers", "on")
    come(net)
    assert net.view(CY).looks_on
    net.say(ANN, "kick", "cy")
    net.run()
    assert to_cy(net)[-1] == Bye(ByeCode.PUT_OUT)
    with pytest.raises(CommandError, match="Nobody is asking"):
        net.say(ANN, "watchers", "yes", "Cy")


def test_with_watchers_off_nobody_watches_and_those_who_did_have_to_go() -> None:
    net = watched(begun())
    net.say(ANN, "watchers", "off")
    net.run()
    assert to_cy(net)[-1] == Bye(ByeCode.NO_WATCHING) and not net.view(BOB).watchers
    come(net)
    assert not net.view(ANN).watchers
    net.say(ANN, "watchers")
    assert notices(net, ANN)[-1] == "Nobody can watch. Watching now: nobody."


def test_watchers_on_lets_in_those_who_were_asking() -> None:
    net = watched(begun(policy="ask"))
    net.say(ANN, "watchers", "on")
    net.run()
    assert net.view(CY).looks_on


@pytest.mark.parametrize("words", [("maybe",), ("on", "now"), ("delay",), ("delay", "601"), ("delay", "-1"), ("yes",)])
def test_what_cannot_be_set_gets_a_sentence(words: tuple[str, ...]) -> None:
    net = begun()
    with pytest.raises(CommandError):
        net.say(ANN, "watchers", *words)


def test_the_seventeenth_watcher_is_turned_away_unless_they_are_known_and_a_stranger_watches() -> None:
    net = begun()
    net.run()
    watchers = [Stranger(net, ANN, number) for number in range(100, 100 + MAX_WATCHERS)]
    for one in watchers:
        one.say(Watch(VERSION, "Wim"))
    names = [one.name for one in net.view(BOB).watchers] or [one.name for one in net.view(ANN).watchers]
    assert len(set(names)) == MAX_WATCHERS, "each has a name of their own"
    late = Stranger(net, ANN, 200)
    late.say(Watch(VERSION, "Wim"))
    assert last_bye(late) == ByeCode.NO_ROOM_TO_WATCH and late.closed
    friend = Stranger(net, ANN, 201, standing=lambda: Familiarity(sure=True, since=1))
    friend.say(Watch(VERSION, "Wanda"))
    assert not friend.closed and Close(watchers[-1].peer) in friend.seen
    assert len(net.table.gallery.watching) == MAX_WATCHERS and net.table.room() == 2


def test_nobody_watches_a_table_at_which_they_have_a_seat() -> None:
    net = begun()
    net.run()
    bob = Stranger(net, ANN)
    net.table.guests[0].identity = replace(net.table.guests[0].identity, key=net.table.guests[0].key)
    twin = Stranger(net, ANN, BOB)
    twin.say(Watch(VERSION, "Bob"))
    assert last_bye(twin) == ByeCode.NO_WATCHING
    bob.say(Watch(VERSION, "Bob"))
    assert [one.name for one in net.view(ANN).watchers] == ["Bob 2"]


def test_another_version_is_named_to_a_watcher() -> None:
    net = begun()
    net.run()
    old = Stranger(net, ANN)
    old.say(b"\x94\x2a\x01\x01\x02")
    assert last_bye(old) == ByeCode.OTHER_VERSION


def test_keys_that_were_refused_are_bounded() -> None:
    net = begun()
    for number in range(REFUSED_KEPT + 9):
        net.table.gallery.refuse(bytes([number]) * 32)
    assert net.table.gallery.refusal(bytes([9]) * 32, stranger=True) is ByeCode.NO_WATCHING
    assert net.table.gallery.refusal(bytes([8]) * 32, stranger=True) is None


# --- a seat -----------------------------------------------------------------------------------------------------------


def test_a_watcher_asks_for_a_seat_and_is_given_one() -> None:
    net = watched(begun())
    net.say(CY, "sit")
    net.run()
    assert [(one.name, one.looks_on) for one in net.view(ANN).people][2] == ("Cy", True)
    assert not net.view(ANN).watchers and not net.view(BOB).watchers and not net.view(CY).watchers
    assert len([one for one in net.tales(BOB, PlayerJoined) if one.name == "Cy"]) == 1
    assert net.listener(CY).link.presence is Presence.LOOKING_ON and net.view(CY).looks_on
    net.say(CY, "say", "hello")
    net.say(ANN, "end")
    net.say(ANN, "start")
    net.run()
    assert net.at(CY).seat is not None
    assert net.tales(ANN, Said)[-1].name == "Cy"


def test_records_that_cross_with_the_asking_are_no_fault() -> None:
    net = watched(begun())
    mover = to_act(net)
    net.say(CY, "sit")
    act(net, mover)
    net.run()
    assert net.listener(CY).link.presence is Presence.LOOKING_ON
    assert net.view(CY).records == net.at(ANN).count


def test_at_a_full_table_a_watcher_who_asks_for_a_seat_watches_on() -> None:
    net = Net(4, auto=None, watching=[4])
    for i in (1, 2, 3):
        net.say(ANN, "invite", str(i))
    net.run()
    net.say(ANN, "watchers", "on")
    net.say(ANN, "game", "crazy_eights")
    net.say(ANN, "start")
    net.run()
    come(net, 4)
    net.say(4, "sit")
    net.run()
    assert notices(net, 4)[-1] == "There's no free seat at Ann's table. You're still watching."
    act(net, to_act(net))
    assert net.view(4).records == net.at(ANN).count and net.view(4).looks_on


# --- delay ------------------------------------------------------------------------------------------------------------


def test_with_a_delay_watchers_see_everything_that_much_later_and_in_order() -> None:
    net = watched(begun())
    net.say(ANN, "watchers", "delay", "60")
    seen = net.at(ANN).count
    act(net, to_act(net))
    net.say(BOB, "say", "well", "well")
    net.run()
    assert net.view(CY).records == seen and not net.tales(CY, Said)
    net.run_for(59)
    assert net.view(CY).records == seen
    count = net.at(ANN).count
    net.run_for(1.5)
    assert seen < net.view(CY).records == count and len(net.tales(CY, Said)) == 1


def test_a_newcomer_sees_what_the_others_have_seen_and_no_more() -> None:
    net = begun()
    net.run()
    seen = net.at(ANN).count
    net.say(ANN, "watchers", "delay", "30")
    for _ in range(3):
        act(net, to_act(net))
    come(net)
    assert net.view(CY).records == seen < net.at(ANN).count
    net.run_for(31)
    assert net.view(CY).records == net.at(ANN).count


def test_a_shorter_delay_counts_for_what_waits_already() -> None:
    net = watched(begun())
    net.say(ANN, "watchers", "delay", "600")
    act(net, to_act(net))
    net.say(ANN, "watchers", "delay", "0")
    net.run()
    net.run_for(0.1)
    assert net.view(CY).records == net.at(ANN).count
    assert notices(net, ANN)[-1] == "Watchers see everything as it happens."


# --- hostile watchers, hostile coordinators ---------------------------------------------------------------------------


def test_what_a_watcher_may_not_say_ends_their_link_and_nothing_else() -> None:
    net = watched(begun())
    position = net.at(ANN)
    record = records(net.log(BOB))[0]
    forbidden: list[Message] = [
        MoveMessage(record),
        Resume(position.game_id, 0, bytes(32)),
        Have(0, record),
        Away(True),
        Again(1, True),
        Give("Bob"),
        Stake(bytes(16), bytes(24)),
        Vote(position.count, 1, b""),
        Chat(1, 1, "psst"),
        Quick(1, 0),
        Watch(VERSION, "Cy"),
        Hello(VERSION, True, "Cy", "granny"),
    ]
    for said in forbidden:
        raw(net, CY, ANN, said)
        assert isinstance(to_cy(net)[-1], Bye), said
        assert to_cy(net)[-1].code is ByeCode.BROKE_PROTOCOL  # type: ignore[union-attr]
        assert net.at(ANN) == position and not net.view(ANN).watchers
        assert notices(net, ANN)[-1].startswith("Cy is no longer watching (Cy broke the protocol: ")
        net.now += 10
        come(net)
    assert net.tales(BOB, Said) == []


def test_a_coordinator_who_sends_a_watcher_what_is_for_players_is_hung_up_on() -> None:
    for said in (Offer(bytes(16)), HeaderPart(0, 1, b"\0\0"), Again(0, True), Resume(bytes(16), 1, bytes(32))):
        net = watched(begun())
        raw(net, ANN, CY, said)
        assert not net.listener(CY).link.greeted, said


def test_a_place_at_the_table_is_no_watcher_s_and_every_listener_has_one() -> None:
    net = watched(begun())
    people = net.listener(CY).people.said
    raw(net, ANN, CY, replace(people, you=0))
    assert not net.listener(CY).link.greeted
    raw(net, ANN, BOB, replace(people, you=None))
    assert not net.listener(BOB).link.greeted


def test_another_history_of_a_game_that_was_watched_is_refused() -> None:
    net = watched(begun())
    act(net, to_act(net))
    game_id, count, _ = net.listener(CY)._watched
    net.listener(CY)._watched = game_id, count, bytes(32)
    net.cut_all(CY)
    net.run()
    come(net)
    assert not net.listener(CY).link.greeted
    assert verify_log(net.log(CY)).records == count


@pytest.mark.parametrize("command", ["give", "seat"])
def test_a_watcher_is_given_no_seat_before_they_ask_for_one(command: str) -> None:
    net = watched(begun())
    for i in (ANN, BOB) if command == "give" else (ANN,):
        with pytest.raises(CommandError, match="Cy is only watching"):
            net.say(i, command, "Cy")
