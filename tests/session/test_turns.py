"""Who plays a seat: away and back, clocks, characters, moves that come late."""

from __future__ import annotations

import pytest

from p2pcards.ledger.transitions import Phase
from p2pcards.session.effects import CommandError
from p2pcards.views.happenings import Acted, ActionOutdated, ActionRefused, HandOpened, SeatReturned, SeatTakenOver
from p2pcards.wire.messages import RefusedMove
from p2pcards.wire.records import CommitEntry, ReturnEntry, TakeoverEntry
from rigs.net import Answer, Event, Net, message_of
from rigs.people import act, by_hand, entries, spoken, thoughts, to_act
from rigs.whole import chain_end

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


def test_who_asked_their_character_to_play_is_not_given_their_seat_by_a_new_link() -> None:
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


@pytest.mark.parametrize("i", [0, 1])
def test_who_comes_back_is_told_once_what_their_character_played_for_them(i: int) -> None:
    net = by_hand(1)
    while to_act(net) != i:
        act(net, 1 - i)
    before = len(net.tales(i, Acted))
    net.say(i, "away")
    net.run()
    played = tuple([told.words for told in net.tales(i, Acted)[before:] if told.mine])
    assert played
    net.say(i, "back")
    net.run()
    assert [(told.moves, told.since) for told in net.tales(i, SeatReturned)] == [(played, 0)]
    assert [told.moves for told in net.tales(1 - i, SeatReturned)] == [()], "the others have seen it"
    net.say(i, "away")
    net.say(i, "back")
    net.run()
    assert net.tales(i, SeatReturned)[-1].moves == ()


def test_who_was_away_for_more_than_a_hand_is_told_since_which() -> None:
    net = by_hand(1, game="cribbage")
    net.say(1, "away")
    net.run()
    while not net.at(1).sheets:
        act(net, 0)
    assert net.at(1).state.hand == 2
    played = [told.words for told in net.tales(1, Acted) if told.mine][-1]
    net.say(1, "back")
    net.run()
    told = net.tales(1, SeatReturned)[-1]
    assert (told.since, told.moves) == (1, (played,)), "of the hand that is over no moves"


# --- clocks ---------------------------------------------------------------------------------------------------------


def test_the_turn_clock_runs_out() -> None:
    net = by_hand(1)
    i = to_act(net)
    net.run_for(179)
    assert not net.at(0).taken_over
    net.run_for(2)
    assert net.tales(1 - i, SeatTakenOver)[-1].why == "the turn clock ran out"
    assert net.view(i).away
    net.say(i, "back")
    net.run()
    assert not net.view(i).away


def test_who_discards_last_and_cuts_next_has_a_whole_turn_for_it() -> None:
    net = by_hand(1, game="cribbage", preset="telecards", seed=4)  # the coordinator deals
    for i in (0, 1, 0):
        act(net, i)
    net.run_for(170)
    act(net, 1)
    assert not net.at(0).simultaneous and to_act(net) == 1
    net.run_for(179)
    assert not net.at(0).taken_over
    net.run_for(2)
    assert net.at(0).taken_over


def test_alone_there_is_no_turn_clock() -> None:
    net = by_hand(0)
    assert net.at(0).header.turn_clock == 0
    net.run_for(1_000)
    assert not net.at(0).taken_over


def test_a_seat_whose_line_is_lost_counts_down_to_its_character() -> None:
    net = by_hand(2, preset="real-deal")
    net.deaf.add(1)
    net.cut_all(1)
    net.run_for(19)
    for i in (0, 2):
        seat = net.view(i).seats[1]
        assert seat.plays == "away" and seat.countdown == pytest.approx(41, abs=1)
    net.run_for(45)
    assert net.view(2).seats[1].plays == "character" and net.tales(2, SeatTakenOver)[-1].why == "the connection dropped"
    net.deaf.clear()
    net.run_for(40)
    assert net.view(2).seats[1].plays == "person" and net.view(1).seats[1].plays == "you"
    assert chain_end(net, 0) == chain_end(net, 1) == chain_end(net, 2)


def test_a_decision_of_the_character_that_is_not_logged_at_their_return_is_dropped() -> None:
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
    net.run_for(61)  # its character passes for it, with a salt of the coordinator's
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
    net.say(0, "end")
    net.run()
    assert net.tales(1, HandOpened)[-1].proven and net.tales(2, HandOpened)[-1].proven


def test_nobody_sees_a_pass_before_the_coordinator_has_chosen_theirs() -> None:
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
    assert words in [told.words for told in net.tales(0, Acted) if told.name == "Bob"]
    assert ActionOutdated not in net.kinds(1) and ActionRefused not in net.kinds(1)
    assert chain_end(net, 0) == chain_end(net, 1)


def test_a_move_that_was_lost_while_another_seat_was_taken_over_is_signed_again_at_their_return() -> None:
    net = by_hand(2, preset="real-deal")
    while to_act(net) != 1:
        act(net, to_act(net))
    words = spoken(net, 1)
    under_way(net, 1, words)
    net.cut_all(1)
    net.say(2, "away")
    net.run_for(10)
    assert words in [told.words for told in net.tales(0, Acted) if told.name == "Bob"]
    assert net.at(1).count == net.at(0).count and 1 not in net.at(0).taken_over


def test_a_move_whose_decision_is_another_one_now_is_asked_for_again() -> None:
    net = by_hand(1)
    while to_act(net) != 1:
        act(net, 0)
    said = spoken(net, 1)
    move = under_way(net, 1, said)
    net.deaf.add(1)
    net.cut_all(1)
    net.run_for(61)  # its character plays for it
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
    assert net.tales(1, ActionOutdated)[-1].words == said and to_act(net) == 1 and net.view(1).legal
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
    with pytest.raises(CommandError, match=r"^play a \w+(, .+)? or an eight$"):
        net.say(i, "act", wrong[0])
    with pytest.raises(CommandError, match="not your turn"):
        net.say(1 - i, "act", "draw")


# --- views ----------------------------------------------------------------------------------------------------------


def test_a_look_shows_the_table_of_its_moment_however_late_the_view_is_made() -> None:
    """While a log takes nothing, what was written last is shown; its view is made when somebody asks."""
    net = Net(2)
    seen = []
    net.sit_down("winning_score=1")
    while net.queue:
        net.deliver(net.next_event())
        for machine in net.machines:
            look = machine.look(net.now)
            seen.append((look, look()))
    assert len(seen) > 300 and all(look() == view for look, view in seen)
    assert len({view.records for _, view in seen}) > 20
