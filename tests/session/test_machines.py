"""Whole tables in memory: games of one to four people, the lobby, who plays for whom, refused moves."""

from __future__ import annotations

from random import Random
from typing import TypeVar

import pytest
from net import Answer, Arrival, Event, Net, chain_end, check_whole, message_of, novices

from p2pcards.session.effects import CommandError
from p2pcards.session.payloads import LEFT
from p2pcards.session.position import Phase
from p2pcards.wire.entries import CommitEntry, ReturnEntry, TakeoverEntry
from p2pcards.wire.messages import Hello, Offer, RefusedMove
from p2pcards.wire.record import read_record

T = TypeVar("T")
SHORT = {"crazy_eights": "winning_score=1", "hearts": "end_score=25"}


def spoken(net: Net, i: int, choice: int = 0) -> str:
    """One of the actions open to a person, as the table spells it."""
    legal = net.view(i).legal
    return legal[choice % len(legal)]


def act(net: Net, i: int, words: str = "") -> None:
    net.say(i, "act", *(words or spoken(net, i)).split())
    net.run()


def to_act(net: Net) -> int:
    """The machine whose turn it is."""
    seat: int = net.at(0).state.to_act[0]
    side = net.at(0).header.seats[seat].side
    assert side is not None
    return side


def entries(net: Net, i: int, kind: type[T]) -> list[T]:
    found = [read_record(payload[1:])[1][0] for payload in net.log(i) if payload[:1] == b"R"]
    return [entry for entry in found if isinstance(entry, kind)]


def run_to(net: Net, count: int) -> None:
    """Until so many records stand in the coordinator's log."""
    while net.position(0) is None or net.at(0).count < count:
        net.deliver(net.next_event())


def thoughts(net: Net) -> list[Answer]:
    return [event for event in net.queue if isinstance(event, Answer)]


def by_hand(listeners: int = 1, game: str = "crazy_eights", preset: str = "telecards", seed: int = 1) -> Net:
    """A table of people who act by what the test says."""
    net = Net(listeners, auto=None, seed=seed)
    net.sit_down(game=game, preset=preset)
    net.run()
    return net


# --- whole games ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["hearts", "crazy_eights"])
@pytest.mark.parametrize("listeners", [0, 1, 2, 3])
def test_one_to_four_people_play_a_whole_game(game: str, listeners: int) -> None:
    net = Net(listeners, seed=listeners + 7, player=novices)
    net.sit_down(SHORT[game], game=game)
    net.run()
    findings = check_whole(net)
    assert len(findings) == listeners + 1
    assert [seat.plays == "computer" for seat in net.view(0).seats] == [seat > listeners for seat in range(4)]
    for i in range(listeners + 1):
        assert net.view(i).phase == "over" and net.view(i).seats[i].plays == "you"
        assert net.kinds(i).count("game_over") == 1 and "lost" not in net.kinds(i)
        assert all(told["proven"] for told in net.tales(i, "opened"))


@pytest.mark.parametrize("seed", range(6))
def test_lines_of_any_speed_carry_the_same_game(seed: int) -> None:
    net = Net(3, seed=seed, order=Random(seed))
    net.sit_down(SHORT["hearts"], game="hearts")
    net.run()
    check_whole(net)


def test_who_finds_no_seat_watches_and_gives_her_part_of_the_shuffle() -> None:
    net = Net(2, seed=3)
    net.sit_down("winning_score=1", preset="telecards")
    net.run()
    findings = check_whole(net)
    assert net.at(2).seat is None and net.view(2).me is None
    assert all(not seat.known or net.at(2).ended == 0 for seat in net.view(2).seats)
    assert {side for hand in findings[0].hands for side, _ in hand.claims} == {1, 2}
    assert all(not hand.absent and not hand.missing for hand in findings[0].hands)
    with pytest.raises(CommandError, match="No game is on"):
        net.say(2, "act", "draw")


def test_a_watcher_cannot_act() -> None:
    net = by_hand(2)
    for name in ("act", "away", "hint"):
        with pytest.raises(CommandError, match=r"watch|not your turn"):
            net.say(2, name, "draw")


def test_the_partner_of_the_coordinator_faces_her() -> None:
    net = Net(2, seed=4)
    net.say(0, "invite", "1")
    net.say(0, "invite", "2", "partner")
    net.run()
    net.say(0, "game", "hearts")
    net.say(0, "start")
    net.run()
    assert [seat.side for seat in net.at(0).header.seats] == [0, 1, 2, None]
    assert net.view(0).people[2].partner


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
    assert net.tales(1, "joined")[-1]["name"] == "Cy"
    net.cut_all(2)
    net.run()
    assert [person.name for person in net.view(1).people] == ["Ann", "Bob"]


def test_a_name_that_is_taken_gets_a_number() -> None:
    net = Net(2)
    twin = net.stranger(0, 71)
    net.say(0, "invite", "1")
    net.run()
    twin.say(Hello(1, False, "Bob", "papa"))
    assert [person.name for person in net.view(0).people] == ["Ann", "Bob", "Bob 2"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("start",), "Choose a game first"),
        (("set", "end_score=50"), "Choose a game first"),
        (("game", "whist3"), "whist3"),
        (("game", "hearts", "odd"), "no preset"),
        (("invite",), "Invite whom"),
        (("invite", "1", "friend"), "partner"),
        (("act", "draw"), "No game is on"),
        (("again",), "not over yet"),
        (("kick", "2"), "No game is on"),
        (("say", "\x1b"), "Say what"),
        (("fly",), "no command"),
    ],
)
def test_a_command_that_cannot_be_is_answered_by_a_sentence(words: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        Net(0).say(0, *words)


def test_a_listener_is_told_what_only_the_coordinator_decides() -> None:
    net = Net(1)
    with pytest.raises(CommandError, match="Only the coordinator"):
        net.say(1, "start")
    with pytest.raises(CommandError, match="Nobody is connected"):
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
    assert [told["name"] for told in net.tales(2, "again")] == ["Bob", "Cy", "Ann"]


def test_nobody_plays_again_against_her_will() -> None:
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


def test_who_is_absent_is_replaced_when_the_others_play_again() -> None:
    net = played()
    net.deaf.add(2)
    net.say(0, "again")
    net.say(1, "again")
    net.cut_all(2)
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
    assert net.tales(1, "opened")[-1]["proven"] and net.kinds(1)[-1] == "lost"
    with pytest.raises(CommandError, match="No game"):
        net.say(1, "act", "draw")


def test_a_listener_leaving_is_played_by_her_character_to_the_end() -> None:
    net = Net(2, seed=8)
    net.sit_down("winning_score=1")
    run_to(net, 12)
    net.say(1, "leave")
    net.run_for(300)
    assert net.at(0).ended == 0 and net.log(1)[-1] == LEFT
    assert net.tales(2, "takeover")[0]["name"] == "Bob"
    assert [address for _, address in net.dials].count("1") == 1  # she is not called again
    assert chain_end(net, 2) == chain_end(net, 0)


def test_who_has_left_is_not_drawn_into_the_game_again() -> None:
    net = Net(1, seed=8)
    net.sit_down()
    run_to(net, 12)
    net.say(1, "leave")
    net.crash(1)
    before = list(net.log(1))
    net.say(0, "invite", "1")
    net.run()
    assert net.logs[1] == {net.at(0).game_id: before} and net.position(1) is None


def test_a_kicked_listener_stays_out() -> None:
    net = by_hand(2, preset="real-deal")
    net.say(0, "kick", "2")
    net.run()
    assert net.tales(1, "lost")[-1]["why"].startswith("put this player out")
    assert 1 in net.at(0).taken and net.tales(2, "takeover")[-1]["name"] == "Bob"
    calls = len(net.dials)
    net.run_for(30)
    assert len(net.dials) == calls
    net.crash(0)
    net.run_for(5)
    assert [address for _, address in net.dials[calls:]] == ["2"] and 1 in net.at(0).taken


def test_hint_is_what_a_novice_would_say() -> None:
    net = by_hand(1)
    i = to_act(net)
    net.say(i, "hint")
    net.run()
    assert net.tales(i, "notice")[-1]["text"].startswith("A novice would say: ")
    with pytest.raises(CommandError, match="not your turn"):
        net.say(1 - i, "hint")
    assert net.at(0).count == net.at(1).count


# --- away and back --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("i", [0, 1])
def test_away_and_back(i: int) -> None:
    net = by_hand(1)
    net.say(i, "away")
    net.run()
    assert net.view(i).away and net.view(1 - i).seats[net.at(i).seat or 0].plays == "character"
    with pytest.raises(CommandError, match="back"):
        net.say(i, "act", "draw")
    net.say(i, "back")
    net.run()
    assert not net.view(i).away and len(entries(net, 0, ReturnEntry)) == 1
    assert chain_end(net, 0) == chain_end(net, 1)
    act(net, to_act(net))


def test_who_asked_her_character_to_play_is_not_given_her_seat_by_a_new_link() -> None:
    net = by_hand(1)
    net.say(1, "away")
    net.run()
    net.cut_all(1)
    net.run_for(5)
    assert net.view(0).people[1].link == "here" and net.view(1).away
    net.crash(0)
    net.run_for(5)
    assert net.view(0).people[1].link == "here" and net.view(1).away
    net.say(1, "back")
    net.run()
    assert not net.view(1).away


# --- clocks ---------------------------------------------------------------------------------------------------------


def test_the_turn_clock_runs_out() -> None:
    net = by_hand(1)
    i = to_act(net)
    net.run_for(179)
    assert not net.at(0).taken
    net.run_for(2)
    assert net.tales(1 - i, "takeover")[-1]["why"] == "the turn clock ran out"
    assert net.view(i).away
    net.say(i, "back")
    net.run()
    assert not net.view(i).away


def test_alone_there_is_no_turn_clock() -> None:
    net = by_hand(0)
    assert net.at(0).header.turn_clock == 0
    net.run_for(1_000)
    assert not net.at(0).taken


def test_a_seat_whose_line_is_lost_counts_down_to_its_character() -> None:
    net = by_hand(2, preset="real-deal")
    net.deaf.add(1)
    net.cut_all(1)
    net.run_for(19)
    for i in (0, 2):
        seat = net.view(i).seats[1]
        assert seat.plays == "away" and seat.countdown == pytest.approx(41, abs=1)
    net.run_for(45)
    assert net.view(2).seats[1].plays == "character" and net.tales(2, "takeover")[-1]["why"] == "the line was lost"
    net.deaf.clear()
    net.run_for(40)
    assert net.view(2).seats[1].plays == "person" and net.view(1).seats[1].plays == "you"
    assert chain_end(net, 0) == chain_end(net, 1) == chain_end(net, 2)


def test_a_decision_of_the_character_that_is_not_logged_at_her_return_is_dropped() -> None:
    net = by_hand(1)
    while to_act(net) != 1:
        act(net, 0)
    net.say(1, "away")
    while not thoughts(net):
        net.deliver(net.next_event())
    thought = thoughts(net)[0]
    net.queue.remove(thought)
    net.say(1, "back")
    net.run()
    count = net.at(0).count
    net.deliver(thought)
    net.run()
    assert net.at(0).count == count and to_act(net) == 1
    act(net, 1)
    assert net.at(0).count > count and chain_end(net, 0) == chain_end(net, 1)


def test_takeover_and_return_while_three_cards_are_passed() -> None:
    net = by_hand(2, game="hearts", preset="real-deal", seed=3)
    assert net.at(0).simultaneous and net.at(0).phase is Phase.PLAY
    net.deaf.add(1)
    net.cut_all(1)
    net.run_for(61)  # her character passes for her, with a salt of the coordinator's
    assert 1 not in net.at(0).state.to_act or 0 in net.at(0).state.to_act
    act(net, 2, spoken(net, 2, 5))
    net.deaf.clear()
    net.run_for(60)
    assert net.view(1).seats[1].plays == "you"
    act(net, 0, spoken(net, 0, 9))
    if 1 in net.at(0).state.to_act:
        act(net, 1)
    assert not net.at(0).simultaneous and len(entries(net, 0, CommitEntry)) == 4
    assert net.at(1).state == net.at(0).views[1] and net.at(2).state == net.at(0).views[2]
    net.say(0, "leave")
    net.run()
    assert net.tales(1, "opened")[-1]["proven"] and net.tales(2, "opened")[-1]["proven"]


def test_nobody_sees_a_pass_before_the_coordinator_has_chosen_hers() -> None:
    net = by_hand(2, game="hearts", preset="real-deal", seed=3)
    before = net.at(0).count
    act(net, 1)
    act(net, 2)
    assert net.at(0).count == before and net.at(0).state.to_act == (0, 1, 2)
    act(net, 0)
    assert not net.at(0).simultaneous
    assert [entry.seat for entry in entries(net, 0, CommitEntry)] == [3, 0, 1, 2]


# --- refused moves --------------------------------------------------------------------------------------------------


def under_way(net: Net, i: int, words: str) -> Event:
    """The move of a listener, signed and held back."""
    net.say(i, "act", *words.split())
    return net.queue.pop()


def test_a_move_that_a_takeover_of_another_seat_overtook_is_signed_again_by_itself() -> None:
    net = by_hand(2, preset="real-deal")
    while to_act(net) != 1:
        act(net, to_act(net))
    words = spoken(net, 1)
    move = under_way(net, 1, words)
    net.say(2, "away")
    net.run()
    assert len(entries(net, 0, TakeoverEntry)) == 1
    net.queue.append(move)
    net.run()
    refusals = [message_of(data) for _, to, data in net.sent if to == 1]
    assert [message for message in refusals if isinstance(message, RefusedMove)]
    assert words in [told["words"] for told in net.tales(0, "acted") if told["name"] == "Bob"]
    assert "ask_again" not in net.kinds(1) and "refused" not in net.kinds(1)
    assert chain_end(net, 0) == chain_end(net, 1)


def test_a_move_that_was_lost_while_another_seat_was_taken_over_is_signed_again_at_her_return() -> None:
    net = by_hand(2, preset="real-deal")
    while to_act(net) != 1:
        act(net, to_act(net))
    words = spoken(net, 1)
    under_way(net, 1, words)
    net.cut_all(1)
    net.say(2, "away")
    net.run_for(10)
    assert words in [told["words"] for told in net.tales(0, "acted") if told["name"] == "Bob"]
    assert net.at(1).count == net.at(0).count and 1 not in net.at(0).taken


def test_a_move_whose_decision_is_another_one_now_is_asked_for_again() -> None:
    net = by_hand(1)
    while to_act(net) != 1:
        act(net, 0)
    move = under_way(net, 1, spoken(net, 1))
    net.deaf.add(1)
    net.cut_all(1)
    net.run_for(61)  # her character plays for her
    while to_act(net) != 1:
        act_slowly(net, 0)
    count = net.at(0).count
    net.deaf.clear()
    while net.view(0).people[1].link != "here" or net.at(1).count <= count:
        net.queue = [event for event in net.queue if not isinstance(event, Answer)]
        if net.queue:
            net.deliver(net.next_event())
        else:
            net.pass_time(net.now + 60)
    net.run()
    assert "ask_again" in net.kinds(1) and to_act(net) == 1 and net.view(1).legal
    net.queue.append(move)
    net.run()
    assert net.at(0).count == net.at(1).count == count + 1, "only the return came, the old move is nowhere"
    act(net, 1)
    assert chain_end(net, 0) == chain_end(net, 1) and net.at(0).count > count + 1


def act_slowly(net: Net, i: int) -> None:
    """A person acts; what computer players are asked for then is not answered yet."""
    net.say(i, "act", *spoken(net, i).split())
    while waiting := [event for event in net.queue if not isinstance(event, Answer)]:
        net.queue.remove(waiting[0])
        net.deliver(waiting[0])


def test_an_answer_to_an_earlier_question_of_a_computer_player_is_dropped() -> None:
    """A seat is taken over and given back while a computer player thinks: it is asked again, and answers twice."""
    net = Net(2, auto=None, seed=3)
    net.sit_down(game="hearts", preset="real-deal")
    while not thoughts(net):
        net.deliver(net.next_event())
    first = thoughts(net)[0]
    net.queue.remove(first)
    for word in ("away", "back"):
        net.say(2, word)
        while waiting := [event for event in net.queue if not isinstance(event, Answer)]:
            net.queue.remove(waiting[0])
            net.deliver(waiting[0])
    assert len(thoughts(net)) == 2
    net.run()
    for i in (0, 1, 2):
        act(net, i)
    net.queue.append(first)  # a pass, where a card is to be played
    net.run()
    assert [entry.seat for entry in entries(net, 0, CommitEntry)] == [3, 0, 1, 2]
    assert chain_end(net, 0) == chain_end(net, 1) == chain_end(net, 2)


def test_a_card_that_the_rules_forbid_is_refused_in_their_words() -> None:
    net = by_hand(1)
    i = to_act(net)
    legal = " ".join(net.view(i).legal)
    wrong = [str(card) for card in net.at(i).view.hands[i].cards if str(card) not in legal]
    with pytest.raises(CommandError, match="play a card of"):
        net.say(i, "act", wrong[0])
    with pytest.raises(CommandError, match="not your turn"):
        net.say(1 - i, "act", "draw")
