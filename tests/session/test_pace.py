"""How much a side may say: a side that floods a table makes no records, lines or messages beyond what a person could,
and is hung up on in the end; one who is only impatient gets what they said last."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from p2pcards.ledger.advance import deciders
from p2pcards.ledger.payloads import PENDING
from p2pcards.present.story import happening_sentence
from p2pcards.session.bounds import FROM_A_COORDINATOR, FROM_A_LISTENER, MOST_EARLY, TALK, Bound, Pace, Slots
from p2pcards.session.coordinator import FIRST
from p2pcards.session.coordinator import TAKES as TABLE_TAKES
from p2pcards.session.effects import CommandError
from p2pcards.session.listener import TAKES as LISTENER_TAKES
from p2pcards.session.proposals import wanted
from p2pcards.views.happenings import Notice, PlayerBack, PlayerJoined, PlayerLost, Proposed, Said
from p2pcards.wire.messages import (
    Again,
    Ask,
    Away,
    Bye,
    Chat,
    Clocks,
    Handover,
    Have,
    HeaderPart,
    Hello,
    Message,
    MoveMessage,
    Offer,
    People,
    Person,
    Ping,
    Pong,
    Proposal,
    Quick,
    RecordMessage,
    RefusedMove,
    Resume,
    Stake,
    Taken,
    Vote,
    encode_message,
)
from p2pcards.wire.reasons import ByeCode, RefusalCode
from p2pcards.wire.records import VERSION, EntryKind
from rigs.net import Arrival, Net, message_of
from rigs.pure import remembered_signatures
from rigs.stranger import Stranger, last_bye, playing, raw
from rigs.whole import check_whole

signatures = remembered_signatures()

HELLO = Hello(VERSION, False, "Mal", "papa")
FLOOD = 400


def links(net: Net) -> list[str]:
    return [person.link for person in net.view(0).people]


def sent_to(net: Net, sender: int, to: int, since: int = 0) -> list[Message]:
    return [message_of(data) for one, other, data in net.sent[since:] if (one, other) == (sender, to)]


# --- slots ------------------------------------------------------------------------------------------------------------


def test_so_many_at_once_and_then_one_after_the_other() -> None:
    slots = Slots(3, 5.0)
    assert [slots.acquire(10.0) for _ in range(4)] == [True, True, True, False]
    assert slots.free_at() == 15.0 and slots.all_free_at() == 25.0
    assert not slots.acquire(14.9) and slots.acquire(15.0) and not slots.acquire(19.9) and slots.acquire(20.0)
    assert [slots.acquire(100.0) for _ in range(4)] == [True, True, True, False], "rest earns no more than these"


def test_a_sender_who_has_been_quiet_is_forgotten() -> None:
    """Keys cost nothing: what is kept of them does not grow."""
    pace = Pace({Hello: Bound("meetings", 2, 1.0)})
    for number in range(1000):
        assert pace.takes(bytes([number // 256, number % 256]), HELLO, float(number))
    assert len(pace._flows) < 100


# --- a switch that is flipped ----------------------------------------------------------------------------------------


def test_of_many_switches_the_last_one_counts_when_its_time_has_come() -> None:
    net = playing(2)
    before = net.at(0).count
    raw(net, 1, 0, *[Away(True), Away(False)] * 100, Away(True))
    bound = FROM_A_LISTENER[Away]
    assert net.at(0).count == before + bound.at_once
    seat = net.at(0).header.seat_of(1)
    assert seat is not None and seat not in net.at(0).taken_over
    net.run_for(bound.each)
    assert net.at(0).count >= before + bound.at_once + 1 and seat in net.at(0).taken_over
    raw(net, 1, 0, Away(False))
    net.run_for(bound.each)
    assert seat not in net.at(0).taken_over
    assert net.at(2).head == net.at(0).head and links(net) == ["you", "here", "here"]


def test_an_impatient_player_sees_every_switch_of_theirs_within_seconds() -> None:
    net = playing(2)
    seat, bound = net.at(0).header.seat_of(1), FROM_A_LISTENER[Away]
    for number in range(60):
        net.say(1, ("away", "back")[number % 2])
        net.run_for(1)
        if number < bound.at_once:
            assert (seat in net.at(1).taken_over) is (number % 2 == 0), "the first ones at once"
    net.say(1, "away")
    net.run_for(bound.each)
    assert seat in net.at(1).taken_over and links(net)[1] == "here"


def test_who_goes_on_beyond_what_any_person_does_is_hung_up_on_and_may_come_back() -> None:
    net = playing(2)
    before = net.at(0).count
    raw(net, 1, 0, *[Away(True), Away(False)] * MOST_EARLY)
    assert links(net)[1] == "away" and "Too many AWAY" in str(net.tales(0, PlayerLost)[-1].why)
    assert net.at(0).count <= before + FROM_A_LISTENER[Away].at_once
    net.run_for(90)
    assert links(net)[1:] == ["here", "here"]
    raw(net, 1, 0, Away(True))
    assert net.at(0).header.seat_of(1) in net.at(0).taken_over


# --- everything that a listener may say ------------------------------------------------------------------------------


class Made:
    """What a flood made: records, lines and messages for the other listener, since it began."""

    def __init__(self, net: Net) -> None:
        self._net = net
        self._before = net.at(0).count, len(net.told[0]), len(sent_to(net, 0, 2))

    def most(self) -> int:
        count, told, sent = self._before
        net = self._net
        return max(net.at(0).count - count, len(net.told[0]) - told, len(sent_to(net, 0, 2)) - sent)


def over(net: Net) -> Net:
    net.say(0, "end")
    net.run()
    return net


def alone_at_the_table() -> Net:
    """The listener alone decides whether cards are dealt again."""
    net = playing(2)
    net.say(0, "away")
    raw(net, 2, 0, Away(True))
    net.run()
    assert set(deciders(net.at(0))) == {1}
    return net


def redeal(net: Net) -> Proposal:
    position = net.listener(1).game
    assert position is not None
    yes = position.follower.yes(wanted(EntryKind.REDEAL, net.at(1), 1))
    return Proposal(EntryKind.REDEAL, net.at(1).count, 1, yes.signature)


@pytest.mark.parametrize(
    ("table", "message", "each"),
    [
        (playing, lambda _net, _number: Chat(1, 1, "x"), 1),
        (playing, lambda _net, _number: Quick(1, 3), 1),
        (playing, lambda _net, number: Away(number % 2 == 0), 3),
        (lambda: over(playing(2)), lambda _net, number: Again(1, number % 2 == 0), 1),
        (playing, lambda net, _number: Resume(net.at(0).game_id, net.at(0).count, net.at(0).head), 1),
        (playing, lambda net, _number: Resume(net.at(0).game_id, 0, bytes(32)), 1),
        (alone_at_the_table, lambda net, _number: redeal(net), 12),
    ],
)
def test_a_flood_of_a_listener_makes_no_more_than_a_person_could(
    table: Callable[[], Net], message: Callable[[Net, int], Message], each: int
) -> None:
    """each: what one of them makes at the most; a redeal opens a hand and deals another."""
    net = table()
    made, bound = Made(net), FROM_A_LISTENER[type(message(net, 0))]
    for number in range(FLOOD):
        raw(net, 1, 0, message(net, number))
    assert made.most() <= each * bound.at_once
    net.run_for(60)
    pings = 60 / 5 + 1
    assert made.most() <= each * (bound.at_once + 60 / bound.each) + pings
    assert links(net) == ["you", "here", "here"] and net.at(2).head == net.at(0).head


def test_whatever_else_a_listener_may_say_makes_nothing_for_others() -> None:
    net = playing(2)
    position, made = net.at(0), Made(net)
    check = next(said for said in sent_to(net, 1, 0) if isinstance(said, MoveMessage))
    harmless = (Ping(1), Pong(1), Stake(bytes(16), bytes(24)), Have(position.count, b"x"), check)
    for message in (*harmless, Vote(position.count, 1, b"")):
        raw(net, 1, 0, *[message] * FLOOD)
    assert made.most() == 0 and links(net)[1] == "here"
    kinds = {kind for _, kind in TABLE_TAKES} | set(FIRST)
    assert kinds == {*FROM_A_LISTENER, *[type(one) for one in harmless], Vote, Bye}, "Bye ends the link"


def test_a_guest_who_comes_and_goes_all_the_time_is_let_in_more_slowly() -> None:
    net = playing(1)
    bound, told = FROM_A_LISTENER[Hello], len(net.told[0])
    refused = 0
    for _ in range(100):
        stranger = Stranger(net, 0, 99)
        stranger.say(HELLO)
        refused += stranger.closed and last_bye(stranger) == 5
        stranger.hang_up()
    assert refused == 100 - bound.at_once
    new = net.told[0][told:]
    seated = Notice("To seat Mal after this hand: seat Mal")
    assert [one for one in new if isinstance(one, Notice)] == [seated], "it is told once"
    new.remove(seated)
    assert len(new) <= 2 * bound.at_once and {PlayerJoined, PlayerLost, PlayerBack} >= {type(one) for one in new}
    net.run_for(bound.each)
    again = Stranger(net, 0, 99)
    again.say(HELLO)
    assert not again.closed
    other = Stranger(net, 0, 98)
    other.say(HELLO)
    assert not other.closed, "what one side does costs another nothing"


def test_leaving_and_coming_back_makes_no_more_records_than_that() -> None:
    net = playing(2)
    before, bound = net.at(0).count, FROM_A_LISTENER[Hello]
    net.deaf.add(1)
    for _ in range(60):
        if any((end[0], other[0]) == (0, 1) for end, other in net.links.items()):
            raw(net, 1, 0, Bye(ByeCode.LEAVES))
        net.connect(1, 0)
        net.run()
    assert net.at(0).count - before <= 2 * (bound.at_once + 1)
    assert len(net.tales(0, PlayerBack)) <= bound.at_once


# --- chat -------------------------------------------------------------------------------------------------------------


def test_how_many_lines_were_left_out_is_said_once() -> None:
    net = playing(2)
    raw(net, 1, 0, *[Chat(1, 1, "x")] * 300)
    net.run_for(30)
    said = [str(told.text) for told in net.tales(0, Notice) if "skipped" in str(told.text)]
    assert len(said) == 1 and said[0].startswith(f"{300 - TALK.at_once} chat messages from Bob skipped")
    assert len(net.tales(2, Said)) == TALK.at_once


def test_a_coordinator_is_told_that_their_line_was_not_sent() -> None:
    net = playing(2)
    for _ in range(TALK.at_once):
        net.say(0, "say", "x")
    for word in ("say", "quick"):
        with pytest.raises(CommandError, match="wasn't sent"):
            net.say(0, word, "ha")
    net.run()
    assert len(net.tales(1, Said)) == TALK.at_once
    net.run_for(1)
    net.say(0, "quick", "ha")


# --- everything that a coordinator may say ---------------------------------------------------------------------------


def people(number: int) -> People:
    here = number % 2 == 0
    listed = (Person("Ann", "wayne", 0, True), Person("Bob", "betty", 1, True), Person("Cy", "lizzy", 2, here))
    return People(listed, 1, ("hearts", "whist")[number % 2], ())


@pytest.mark.parametrize(
    ("message", "lines"),
    [
        (lambda _net, _number: Chat(0, 1, "x"), 1),
        (lambda _net, _number: Quick(0, 3), 1),
        (lambda _net, number: people(number), 2),
        (lambda _net, number: Again(2, number % 2 == 0), 1),
        (lambda net, _number: Proposal(EntryKind.REDEAL, net.at(1).count, 0, b""), 1),
        (lambda net, _number: Vote(net.at(1).count, 2, b""), 1),
        (lambda _net, number: Offer(bytes([number % 256]) * 16), 1),
    ],
)
def test_a_flood_of_a_coordinator_makes_no_more_than_a_table_could(
    message: Callable[[Net, int], Message], lines: int
) -> None:
    net = playing(2)
    bound, told, answered = FROM_A_COORDINATOR[type(message(net, 0))], len(net.told[1]), len(sent_to(net, 1, 0))
    for number in range(FLOOD):
        raw(net, 0, 1, message(net, number))
    assert len(net.told[1]) - told <= lines * bound.at_once
    assert len(sent_to(net, 1, 0)) - answered <= bound.at_once
    net.run_for(20)
    assert links(net)[1] == "here"
    raw(net, 0, 1, *[message(net, number) for number in range(MOST_EARLY + FLOOD)])
    byes = [said for said in sent_to(net, 1, 0) if isinstance(said, Bye)]
    assert len(byes) == 1 and "Too many" in byes[0].text


def test_a_computer_that_plays_for_me_does_not_sign_moves_without_end() -> None:
    """However often the first is refused: on one base there is one move, and what is signed goes to disk."""
    net = Net(1, auto=None)
    net.sit_down()
    net.run()
    game = net.listener(1).game
    assert game is not None
    while not game.follower.owes_move():
        net.say(0, "act", *net.view(0).legal[0].split())
        net.run()
    net.say(1, "auto", "carefree")

    place = next(end for end, _ in net.links.items() if end[0] == 1)
    for _ in range(FLOOD):
        net.queue = [event for event in net.queue if event.machine == 1]  # nothing reaches the coordinator any more
        if net.queue:
            net.deliver(net.next_event())
        elif game.follower.pending is not None:
            refused = RefusedMove(game.follower.pending.entry.base, RefusalCode.LATE, "late")
            net.queue.append(Arrival(*place, encode_message(refused)))
    signed = sum(payload[:1] == PENDING for payload in net.log(1))
    assert signed == 1


def test_everything_that_a_coordinator_says_has_a_bound_or_makes_no_line() -> None:
    free = {Ping, Pong, Bye, HeaderPart, Clocks, Resume, Ask, RecordMessage, Taken, Handover}
    assert {kind for _, kind in LISTENER_TAKES} == {*FROM_A_COORDINATOR, *free}


def test_what_three_may_say_is_never_too_much_for_the_fourth() -> None:
    """However fast the others at a table are, an honest coordinator stays within what a listener takes from it."""
    net = over(playing(3))
    talk, again = FROM_A_LISTENER[Chat], FROM_A_LISTENER[Again]
    told = len(net.tales(3, Said))
    for number in range(600):
        for i in (1, 2):
            raw(net, i, 0, Chat(i, 1, "x"))
            if number % (again.each / talk.each) == 0:
                raw(net, i, 0, Again(i, number % 20 == 0))
        net.say(0, "say", "x")
        net.run_for(talk.each)
    assert links(net) == ["you", "here", "here", "here"]
    assert len(net.tales(3, Said)) - told == 3 * 600
    assert not [told for told in net.told[3] if "skipped" in happening_sentence(told)]


def test_a_table_in_a_flood_plays_its_game_to_the_end() -> None:
    net = Net(2, seed=4)
    net.sit_down("winning_score=1")
    flood = [encode_message(said) for said in (Chat(1, 1, "x"), Again(1, True), Ping(1))]
    while net.queue:
        assert net.steps < 20_000, "the game does not end"
        net.deliver(net.next_event())
        place = next((end for end, other in net.links.items() if (end[0], other[0]) == (0, 1)), None)
        if place and net.steps % 2:
            net.queue.insert(0, Arrival(*place, flood[net.steps % 3]))
    check_whole(net)
    assert links(net) == ["you", "here", "here"]


def test_a_proposal_that_somebody_refuses_each_time_is_asked_slowly() -> None:
    """Two who agree with each other: one asks, the other says no."""
    net = playing(2)
    bound = FROM_A_LISTENER[Proposal]
    for _ in range(60):
        raw(net, 1, 0, redeal(net))
        raw(net, 2, 0, Vote(net.at(2).count, 2, b""))
    assert len(net.tales(0, Proposed)) == bound.at_once
