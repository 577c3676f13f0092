"""Whole tables in memory: games of one to four people, the lobby, the next game, leaving."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random

import pytest

from p2pcards.ledger.payloads import LEFT
from p2pcards.present.table import prompt_text
from p2pcards.session import listener_words, table_words
from p2pcards.session.effects import CommandError
from p2pcards.views.happenings import (
    Acted,
    AgainAnswered,
    GameEnded,
    GameWon,
    HandOpened,
    Hinted,
    Notice,
    PlayerBack,
    PlayerJoined,
    PlayerLeft,
    PlayerLost,
    SeatTakenOver,
)
from p2pcards.wire.messages import Hello, Offer, RecordMessage, Taken
from p2pcards.wire.records import VERSION, CheckEntry, Move, read_record
from rigs.in_part import every_nth
from rigs.net import Arrival, Net, message_of, novices
from rigs.people import act, by_hand, run_to, to_act
from rigs.pure import remembered_signatures
from rigs.stranger import Stranger
from rigs.whole import chain_end, check_whole

signatures = remembered_signatures()

SHORT = {"crazy_eights": "winning_score=1", "hearts": "end_score=25"}


# --- whole games ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "listeners"),
    [*every_nth(1, product(["crazy_eights"], range(4))), *every_nth(3, product(["hearts"], range(4)))],
)
def test_one_to_four_people_play_a_whole_game(game: str, listeners: int) -> None:
    net = Net(listeners, seed=listeners + 7, player=novices)
    net.sit_down(SHORT[game], game=game)
    net.run()
    findings = check_whole(net)
    assert len(findings) == listeners + 1
    assert [seat.plays == "computer" for seat in net.view(0).seats] == [seat > listeners for seat in range(4)]
    for i in range(listeners + 1):
        assert net.view(i).phase == "over" and net.view(i).seats[i].plays == "you"
        assert net.kinds(i).count(GameWon) == 1 and PlayerLost not in net.kinds(i)
        assert all(told.proven for told in net.tales(i, HandOpened))


@pytest.mark.parametrize("seed", every_nth(6, range(6)))
def test_lines_of_any_speed_carry_the_same_game(seed: int) -> None:
    net = Net(3, seed=seed, order=Random(seed))
    net.sit_down(SHORT["hearts"], game="hearts")
    net.run()
    check_whole(net)


def test_who_finds_no_seat_watches_and_gives_their_part_of_the_shuffle() -> None:
    net = Net(2, seed=3)
    net.sit_down("winning_score=1", preset="telecards")
    net.run()
    findings = check_whole(net)
    assert net.at(2).seat is None and net.view(2).me is None
    assert all(not seat.known or net.at(2).ended == 0 for seat in net.view(2).seats)
    assert {side for hand in findings[0].hands for side, _ in hand.claims} == {1, 2}
    assert all(not hand.absent and not hand.missing for hand in findings[0].hands)
    with pytest.raises(CommandError, match="No game in progress"):
        net.say(2, "act", "draw")


def test_a_watcher_cannot_act() -> None:
    net = by_hand(2, allow="hint")
    for name in ("act", "away", "hint"):
        with pytest.raises(CommandError, match=r"watch|not your turn"):
            net.say(2, name, "draw")


def test_a_character_waits_only_for_the_seat_of_a_game_that_is_on() -> None:
    net = by_hand(2)
    net.cut_all(1)
    net.run_for(1)
    assert net.tales(0, PlayerLost)[-1].seconds == net.at(0).header.grace
    net.cut_all(2)
    net.run_for(1)
    assert net.tales(0, PlayerLost)[-1].seconds is None, "a watcher has no seat"
    over = Net(1, seed=3)
    over.sit_down("winning_score=1")
    over.run_until(lambda: over.at(0).ended is not None)
    over.cut_all(1)
    over.run_for(1)
    assert over.tales(0, PlayerLost)[-1].seconds is None


def test_a_listener_is_named_by_their_own_seat() -> None:
    net = by_hand(2, preset="real-deal")
    third = net.view(0).seats[2].name
    net.say(0, "kick", "3")
    net.run_for(1)
    assert [one.name for one in net.tales(0, PlayerLost) + net.tales(0, PlayerLeft)][-1:] == [third]


def test_the_coordinator_names_who_sits_and_may_only_watch() -> None:
    net = Net(2, seed=3)
    names = [net.machines[i].table.me.name for i in range(3)]
    for i in (1, 2):
        net.say(0, "invite", str(i))
    net.run()
    net.say(0, "sit", names[2].lower(), names[1])
    assert net.tales(0, Notice)[-1].text == f"Seats in order: {names[2]}, {names[1]}. {names[0]} watches."
    net.say(0, "game", "crazy_eights", "telecards")
    net.say(0, "set", "winning_score=1")
    net.say(0, "start")
    net.run()
    check_whole(net)
    assert [seat.side for seat in net.at(0).header.seats] == [2, 1]
    assert net.at(0).seat is None and net.view(0).me is None and net.view(2).me == 0
    assert not net.view(0).legal
    net.say(0, "sit", "all")
    net.say(0, "start")
    net.run()
    assert [seat.side for seat in net.at(0).header.seats] == [0, 1]


def test_who_is_to_sit_must_be_here_and_find_a_seat() -> None:
    net = Net(2, seed=3)
    names = [net.machines[i].table.me.name for i in range(3)]
    for i in (1, 2):
        net.say(0, "invite", str(i))
    net.run()
    for said, why in (
        (("nobody",), "Nobody here is called 'nobody'"),
        ((names[1], names[1]), "You named .* twice"),
        ((), "At the table: "),
    ):
        with pytest.raises(CommandError, match=why):
            net.say(0, "sit", *said)
    net.say(0, "sit", *names)
    net.say(0, "game", "crazy_eights", "telecards")
    with pytest.raises(CommandError, match="has 2 seats, but you seated 3 players"):
        net.say(0, "start")
    with pytest.raises(CommandError, match="Only the host"):
        net.say(1, "sit", "all")


@pytest.mark.parametrize("listeners", every_nth(2, [1, 2, 3]))
def test_a_check_is_not_sent_back_to_its_maker(listeners: int) -> None:
    net = Net(listeners, seed=6, order=Random(6))
    net.sit_down(SHORT["hearts"], game="hearts")
    net.run()
    check_whole(net)
    records = [(i, message_of(data)) for sender, i, data in net.sent if sender == 0]
    checks = [
        (i, entry)
        for i, message in records
        if isinstance(message, RecordMessage) and isinstance(entry := read_record(message.record)[1][0], CheckEntry)
    ]
    assert all(entry.side != i for i, entry in checks)
    assert bool(checks) == (listeners > 1)


@pytest.mark.parametrize(("game", "listeners", "draws"), [("hearts", 2, False), ("crazy_eights", 1, True)])
def test_a_move_is_not_sent_back_to_its_maker(game: str, listeners: int, draws: bool) -> None:
    """They are told that it is in the log, and what it showed them; their log is the same as if all of it had come."""
    net = Net(listeners, seed=6, order=Random(6))
    net.sit_down(SHORT[game], game=game)
    net.run()
    check_whole(net)
    for i in range(1, listeners + 1):
        said = [message_of(data) for sender, to, data in net.sent if sender == 0 and to == i]
        moves = [
            entry
            for message in said
            if isinstance(message, RecordMessage) and isinstance(entry := read_record(message.record)[1][0], Move)
        ]
        assert moves
        assert all(net.at(0).header.seats[entry.seat].side != i for entry in moves)
        answers = [message for message in said if isinstance(message, Taken)]
        assert {bool(answer.rest) for answer in answers} == {False, draws}


def test_the_partner_of_the_coordinator_faces_them() -> None:
    net = Net(2, seed=4)
    net.say(0, "invite", "1")
    net.say(0, "invite", "2", "partner")
    net.run()
    net.say(0, "game", "hearts")
    net.say(0, "start")
    run_to(net, 1)
    assert [seat.side for seat in net.at(0).header.seats] == [0, 1, 2, None]
    assert net.view(0).people[2].partner


def test_a_partner_is_chosen_among_those_who_have_come() -> None:
    net = Net(2, seed=4)
    net.say(0, "invite", "1")
    net.run()
    net.say(0, "game", "hearts")
    assert net.view(0).pairing == (), "each is alone"
    net.say(0, "game", "whist")
    assert net.view(0).pairing == ("Bob",)
    net.say(0, "partner", "none")
    assert net.view(0).pairing == ()
    net.say(0, "invite", "2")
    net.run()
    assert net.view(0).pairing == ("Bob", "Cy"), "somebody new may be it"
    net.say(0, "set", "team_play=false")
    assert net.view(0).pairing == ()
    net.say(0, "set", "team_play=true")
    net.say(0, "partner", "bob")
    net.say(0, "partner", "cy")
    assert net.view(0).pairing == ()
    assert [person.name for person in net.view(0).people if person.partner] == ["Cy"]
    with pytest.raises(CommandError, match="Who is your partner"):
        net.say(0, "partner", "Dee")
    with pytest.raises(CommandError, match="Only the host"):
        net.say(1, "partner", "cy")
    net.say(0, "start")
    run_to(net, 1)
    assert [seat.side for seat in net.at(0).header.seats] == [0, 1, 2, None]


def test_partner_none_is_nobody_though_somebody_has_that_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rigs.net.NAMES", ("Ann", "None", "Cy"))
    net = Net(2, seed=4)
    for listener in (1, 2):
        net.say(0, "invite", str(listener))
        net.run()
    net.say(0, "game", "whist")
    net.say(0, "partner", "cy")
    net.say(0, "partner", "none")
    assert not any(person.partner for person in net.view(0).people)


def test_who_is_named_to_sit_is_no_question_of_partners() -> None:
    net = Net(1)
    net.say(0, "invite", "1")
    net.run()
    net.say(0, "game", "whist")
    net.say(0, "sit", "bob", "ann")
    assert net.view(0).pairing == ()


def test_lobby_changes_reach_everybody() -> None:
    net = Net(2, auto=None)
    net.say(0, "invite", "1")
    net.run()
    net.say(0, "game", "hearts")
    net.say(0, "set", "end_score", "50")
    net.run()
    assert (net.view(1).game, dict(net.view(1).options)["end_score"]) == ("hearts", 50)
    net.say(0, "invite", "2")
    net.run()
    assert net.view(2).options == net.view(1).options == net.view(0).options
    assert [person.name for person in net.view(1).people] == ["Ann", "Bob", "Cy"]
    assert net.tales(1, PlayerJoined)[-1].name == "Cy"
    net.cut_all(2)
    net.run()
    assert [(person.name, person.link) for person in net.view(1).people][2:] == [("Cy", "away")]


def test_a_name_that_is_taken_gets_a_number() -> None:
    net = Net(2)
    twin = Stranger(net, 0, 71)
    net.say(0, "invite", "1")
    net.run()
    twin.say(Hello(VERSION, False, "Bob", "papa"))
    assert [person.name for person in net.view(0).people] == ["Ann", "Bob", "Bob 2"]


def test_a_listener_knows_every_command_of_the_host() -> None:
    assert set(listener_words.COMMANDS) == set(table_words.COMMANDS)
    for name in ("kick", "seat", "seats"):
        with pytest.raises(CommandError, match="Only the host can do that"):
            Net(1).say(1, name)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("start",), "Pick a game first"),
        (("set", "end_score=50"), "Pick a game first"),
        (("game", "whist3"), "whist3"),
        (("game", "hearts", "odd"), "no preset"),
        (("invite",), "Who do you want to invite"),
        (("invite", "1", "friend"), "partner"),
        (("act", "draw"), "No game in progress"),
        (("again",), "isn't over yet"),
        (("kick", "2"), "Nobody here is called"),
        (("say", "\x1b"), "Say what"),
        (("fly",), "no command"),
    ],
)
def test_a_command_that_cannot_be_is_answered_by_a_sentence(words: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        Net(0).say(0, *words)


def test_a_listener_is_told_what_only_the_coordinator_decides() -> None:
    net = Net(1)
    with pytest.raises(CommandError, match="Only the host"):
        net.say(1, "start")
    with pytest.raises(CommandError, match="Nobody else is connected"):
        net.say(1, "say", "hello")


# --- again ----------------------------------------------------------------------------------------------------------


def played(listeners: int = 2) -> Net:
    net = Net(listeners, seed=5)
    net.sit_down("winning_score=1")
    net.run()
    check_whole(net)
    return net


def test_a_second_game_begins_when_everybody_agrees_and_names_the_first() -> None:
    net = played()
    first = net.at(0)
    for i in (1, 2, 0):
        assert net.at(0).game_id == first.game_id
        net.say(i, "again")
        net.run()
    check_whole(net)
    assert net.at(0).game_id != first.game_id and net.at(0).header.previous == first.head
    assert first.state.first_dealer is not None
    assert net.at(0).header.first_dealer == (first.state.first_dealer + 1) % 4
    assert len(net.logs[1]) == 2
    assert [told.name for told in net.tales(2, AgainAnswered)] == ["Bob", "Cy", "Ann"]


def test_after_another_game_a_card_decides_who_deals_first() -> None:
    net = played()
    first = net.at(0)
    net.say(0, "game", "hearts")
    net.say(0, "start")
    while net.position(0) is None or net.at(0).game_id == first.game_id:
        net.deliver(net.next_event())
    assert net.at(0).header.previous == first.head and net.at(0).header.first_dealer is None


def test_nobody_plays_again_against_their_will() -> None:
    net = played()
    net.say(0, "again")
    net.say(1, "again", "yes")
    net.say(2, "again", "no")
    net.run()
    assert net.view(0).phase == "over" and net.view(0).people[2].again is False
    net.say(2, "leave")
    net.run()
    assert [person.name for person in net.view(0).people] == ["Ann", "Bob"]
    assert [seat.side for seat in net.at(0).header.seats] == [0, 1, None, None]


def test_everybody_sees_who_would_play_again() -> None:
    net = played()
    net.say(1, "again")
    net.say(0, "again")
    net.run()
    answers = {"Ann": True, "Bob": True, "Cy": None}
    for side in range(3):
        assert {person.name: person.again for person in net.view(side).people} == answers
    assert prompt_text(net.view(1)).startswith("waiting for Cy to play again")
    net.say(2, "again")
    net.run()
    assert [person.again for side in range(3) for person in net.view(side).people] == [None] * 9


@pytest.mark.parametrize("lost", [Net.cut_all, Net.crash])
def test_who_comes_back_knows_the_answers_so_far(lost: Callable[[Net, int], object]) -> None:
    net = played()
    net.say(0, "again")
    net.say(1, "again")
    net.run()
    told = len(net.tales(1, AgainAnswered))
    lost(net, 1)
    assert net.run_until(lambda: net.view(0).people[1].link == "here", 10)
    net.run()
    assert {person.name: person.again for person in net.view(1).people} == {"Ann": True, "Bob": True, "Cy": None}
    assert prompt_text(net.view(1)).startswith("waiting for Cy to play again")
    assert lost is not Net.cut_all or len(net.tales(1, AgainAnswered)) == told
    net.say(2, "again")
    net.run()
    assert len(net.logs[1]) == 2
    check_whole(net)


def test_who_is_absent_when_the_others_play_again_is_replaced_when_the_host_says_so() -> None:
    net = played()
    net.deaf.add(2)
    net.say(0, "again")
    net.say(1, "again")
    net.cut_all(2)
    net.run()
    assert net.view(0).phase == "over"
    with pytest.raises(CommandError, match="Cy is cut off"):
        net.say(0, "start")
    net.say(0, "start")
    net.run()
    assert [side.name for side in net.at(0).header.sides] == ["Ann", "Bob"]
    check_whole(net)


def test_who_was_away_between_games_is_called_and_plays_again() -> None:
    net = played(1)
    net.cut_all(1)
    assert net.run_until(lambda: net.view(0).people[1].link == "here", 10)
    net.say(1, "again")
    net.say(0, "again")
    net.run()
    check_whole(net)
    assert len(net.logs[1]) == 2


def test_a_game_after_a_resumed_one_is_played_like_any_other() -> None:
    net = Net(1, seed=2)
    net.sit_down("winning_score=1", preset="telecards")
    run_to(net, 15)
    net.cut_all(1)
    net.run_until(lambda: net.at(0).ended is not None)
    net.say(1, "again")
    net.say(0, "again")
    start = net.now
    net.run()
    assert net.now == start
    findings = check_whole(net)
    assert not any(hand.absent for hand in findings[0].hands)


def test_somebody_who_sits_down_while_a_game_begins_takes_part() -> None:
    net = Net(2, seed=6)
    net.say(0, "invite", "1")
    net.run()
    net.say(0, "game", "crazy_eights")
    net.say(0, "set", "winning_score=1")
    net.say(0, "start")
    net.say(0, "invite", "2")
    arrivals = [event for event in net.queue if isinstance(event, Arrival)]
    held = next(event for event in arrivals if isinstance(message_of(event.message), Offer))
    net.queue.remove(held)
    while len(net.table.guests) < 2:
        net.deliver(net.next_event())
    net.queue.append(held)
    net.run()
    assert len(check_whole(net)) == 3


# --- leaving --------------------------------------------------------------------------------------------------------


def test_the_coordinator_leaving_opens_the_hand_and_ends_the_game_for_all() -> None:
    net = by_hand(1, preset="telecards")
    for _ in range(4):
        act(net, to_act(net))
    net.say(0, "leave")
    net.run()
    assert net.finished and chain_end(net, 1)[2] == 1
    assert net.tales(1, HandOpened)[-1].proven and net.kinds(1)[-1] == PlayerLeft
    with pytest.raises(CommandError, match="No game"):
        net.say(1, "act", "draw")


def test_the_coordinator_ending_the_game_keeps_the_table() -> None:
    net = by_hand(2, preset="telecards")
    for _ in range(4):
        act(net, to_act(net))
    with pytest.raises(CommandError, match="Only the host can do"):
        net.say(1, "end")
    net.say(0, "end")
    net.run()
    assert chain_end(net, 0) == chain_end(net, 1) == chain_end(net, 2) and net.at(2).ended == 1
    for i in range(3):
        assert net.tales(i, HandOpened)[-1].proven and net.kinds(i)[-1] == GameEnded
        view = net.view(i)
        assert (view.phase, view.game, [one.link for one in view.people].count("here")) == ("lobby", "crazy_eights", 2)
    with pytest.raises(CommandError, match="No game in progress"):
        net.say(0, "end")
    ended = net.at(0)
    net.say(0, "start")
    net.run()
    assert net.at(1).header.previous == ended.head and net.view(1).phase == "play"


def test_a_game_that_is_ended_right_after_a_restart_ends_when_everybody_is_back_and_the_table_stays() -> None:
    net = by_hand(1)
    net.crash(0)
    net.say(0, "end")
    net.run_for(2)
    assert net.at(0).ended == net.at(1).ended == 1 and not net.finished
    assert net.view(0).phase == "lobby" and [one.link for one in net.view(0).people] == ["you", "here"]


def test_nobody_waits_for_a_coordinator_who_has_left() -> None:
    net = by_hand(1)
    net.say(0, "leave")
    net.run()
    assert net.tales(1, PlayerLeft)[-1].name == "Ann" and PlayerLost not in net.kinds(1)
    assert (net.view(1).phase, net.view(1).waiting) == ("lobby", "")


def test_a_listener_leaving_is_played_by_their_character_to_the_end() -> None:
    net = Net(2, seed=8)
    net.sit_down("winning_score=1")
    run_to(net, 12)
    net.say(1, "leave")
    net.run_for(300)
    assert net.at(0).ended == 0 and net.log(1)[-1] == LEFT
    assert net.tales(2, SeatTakenOver)[0].name == "Bob"
    assert [address for _, address in net.dials].count("1") == 1  # it is not called again
    assert chain_end(net, 2) == chain_end(net, 0)


def test_who_has_left_while_nobody_heard_it_is_not_drawn_into_the_game_again() -> None:
    net = Net(1, seed=8, auto=None)
    net.sit_down()
    net.run()
    net.cut_all(1)
    net.run()
    net.say(1, "leave")
    net.crash(1)
    before = list(net.log(1))
    net.run_for(5)
    assert net.logs[1] == {net.at(0).game_id: [*before, LEFT]} and net.position(1) is None
    assert net.tales(0, PlayerLeft)[-1].name == "Bob" and 1 in net.at(0).taken_over


@pytest.mark.parametrize("restarted", [(), (1,), (0,), (0, 1)])
def test_who_has_left_is_called_again_and_has_their_seat_again(restarted: tuple[int, ...]) -> None:
    net = by_hand(2)
    net.say(1, "leave")
    net.run()
    assert 1 in net.at(0).taken_over and net.listener(1).game is None
    for i in restarted:
        net.crash(i)
    net.run_for(5)
    assert [person.name for person in net.view(0).people] == ["Ann", "Cy"], "no place is kept for nobody"
    net.say(0, "invite", "1")
    net.run_for(1)
    assert net.tales(0, PlayerBack)[-1].name == "Bob" and not net.at(0).taken_over
    assert chain_end(net, 1) == chain_end(net, 0)
    assert {person.name: person.link for person in net.view(2).people} == {"Ann": "here", "Bob": "here", "Cy": "you"}
    act(net, to_act(net))
    net.crash(1)
    net.run_for(5)
    assert chain_end(net, 1) == chain_end(net, 0) and net.view(1).seats[1].plays == "you"


def test_the_place_of_somebody_who_has_left_is_free_for_somebody_else() -> None:
    net = by_hand(3, preset="real-deal")
    net.say(1, "leave")
    net.run()
    assert net.tales(2, PlayerLost)[-1].name == "Bob"
    guest = Stranger(net, 0, 77)
    guest.say(Hello(VERSION, False, "Mal", "papa"))
    assert [person.name for person in net.view(0).people] == ["Ann", "Cy", "Dee", "Mal"]
    with pytest.raises(CommandError, match="The table is full"):
        net.say(0, "invite", "1")
    net.connect(1, 0)
    net.run()
    assert net.tales(1, PlayerLost)[-1].why.startswith("has a full table")
    guest.hang_up()
    net.say(0, "invite", "1")
    net.run()
    assert [person.name for person in net.view(0).people] == ["Ann", "Cy", "Dee", "Bob"]
    assert not net.at(0).taken_over


def test_a_kicked_listener_stays_out() -> None:
    net = by_hand(2, preset="real-deal")
    net.say(0, "kick", "2")
    net.run()
    assert net.tales(1, PlayerLost)[-1].why.startswith("removed you")
    assert 1 in net.at(0).taken_over and net.tales(2, SeatTakenOver)[-1].name == "Bob"
    calls = len(net.dials)
    net.run_for(30)
    assert len(net.dials) == calls
    net.crash(0)
    net.run_for(5)
    assert [address for _, address in net.dials[calls:]] == ["2"] and 1 in net.at(0).taken_over


def test_hint_is_what_a_novice_would_say() -> None:
    net = by_hand(1, allow="hint")
    i = to_act(net)
    net.say(i, "hint")
    net.run()
    assert net.tales(i, Hinted)[-1].words in net.view(i).legal
    with pytest.raises(CommandError, match="not your turn"):
        net.say(1 - i, "hint")
    assert net.at(0).count == net.at(1).count


@pytest.mark.parametrize("at_once", [True, False])
def test_a_hint_is_done_when_that_is_asked_for(at_once: bool) -> None:
    net = by_hand(1, allow="hint")
    for _ in range(2):  # the coordinator and the listener
        i, count = to_act(net), net.at(0).count
        net.say(i, "hint", *["do"] * at_once)
        net.run()
        if not at_once:
            assert net.at(0).count == count
            net.say(i, "do")
            net.run()
        hinted, seat = net.tales(i, Hinted)[-1].words, net.at(i).seat
        done = [entry for entry in net.tales(1 - i, Acted) if entry.seat == seat]
        assert net.at(0).count > count and done[-1].words.split()[0] == hinted.split()[0]


def test_a_hint_is_good_until_something_happens() -> None:
    net = by_hand(1, allow="hint")
    i = to_act(net)
    with pytest.raises(CommandError, match="There's no hint to play yet"):
        net.say(i, "do")
    with pytest.raises(CommandError, match="Type 'hint' for a hint"):
        net.say(i, "hint", "now")
    net.say(i, "hint", "do")
    act(net, i)  # they act before the hint has come
    assert len(net.tales(1 - i, Acted)) == 1
    with pytest.raises(CommandError):
        net.say(i, "do")


def test_what_a_preset_leaves_open_is_told_until_it_is_set() -> None:
    net = Net(0)
    for words, left in (
        (("game", "cribbage", "telecards"), "counting"),
        (("set", "winning_score=61"), "counting"),
        (("set", "counting=auto"), ""),
        (("game", "cribbage"), ""),
        (("game", "cribbage", "telecards"), "counting"),
    ):
        net.say(0, *words)
        assert net.view(0).left_open == left
