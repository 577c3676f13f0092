"""Nobody loses a game by being away: a table at which no person is here stands still, and says so."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from itertools import product
from random import Random

import pytest

from p2pcards.ledger.transitions import Phase
from p2pcards.session import followed_game, lobby
from p2pcards.session.effects import CommandError
from p2pcards.views.absence import Absence, absence_row_of, any_key_ends_absence
from p2pcards.views.happenings import Acted, GameWon, HandOpened, SeatTakenOver, TablePaused, TableResumed
from p2pcards.wire.messages import Clocks, ClockState
from p2pcards.wire.reasons import TakeoverReason
from p2pcards.wire.records import CommitEntry, ContinueEntry, Header, PauseEntry, TakeoverEntry
from rigs.in_part import every_nth
from rigs.net import Net, message_of
from rigs.people import act, by_hand, entries, spoken, to_act
from rigs.pure import remembered_signatures
from rigs.whole import chain_end, check_whole

signatures = remembered_signatures()

LONG = 5_000.0
"""Seconds in which every clock would have run out many times."""


def away(net: Net, *people: int) -> None:
    for i in people:
        net.say(i, "away")
        net.run()


def cut_off(net: Net, i: int) -> None:
    """Their line breaks, and nobody reaches them."""
    net.deaf.add(i)
    net.cut_all(i)
    net.run_for(1)


def nothing_happens(net: Net) -> None:
    count = net.at(0).count
    net.run_for(LONG)
    assert (net.at(0).phase, net.at(0).count) == (Phase.PAUSED, count)


# --- it begins --------------------------------------------------------------------------------------------------------


def test_a_game_alone_waits_for_a_player_who_is_away() -> None:
    net = by_hand(0, game="cribbage", preset="real-deal")
    while len(net.at(0).state.to_act) > 1:
        act(net, 0)
    played = len(net.tales(0, Acted))
    away(net, 0)
    nothing_happens(net)
    assert len(net.tales(0, Acted)) == played
    assert net.view(0).paused and net.view(0).away and net.view(0).waiting == "a player to come back"
    assert net.kinds(0)[-1] is TablePaused
    net.say(0, "back")
    net.run()
    assert not net.view(0).paused and net.view(0).legal and net.kinds(0)[-1] is TableResumed
    act(net, 0)
    assert len(net.tales(0, Acted)) > played


def test_two_people_who_let_their_clocks_run_out_find_the_table_as_they_left_it() -> None:
    net = by_hand(1)
    net.run_for(LONG)
    assert net.at(0).taken_over.keys() == {0, 1} and len(entries(net, 0, PauseEntry)) == 1
    assert not net.tales(0, GameWon)
    nothing_happens(net)
    for i in (0, 1):
        assert net.view(i).paused and net.tales(i, TablePaused) == [TablePaused(timed_out=True)]
        assert [seat.absence for seat in net.view(i).seats] == [Absence.TIMED_OUT] * 2
    net.say(1, "back")
    net.run()
    for i in (0, 1):
        assert not net.view(i).paused and len(net.tales(i, TableResumed)) == 1
    net.run()
    assert net.at(0).taken_over.keys() == {0}
    assert chain_end(net, 0) == chain_end(net, 1)
    act(net, 1)


def test_a_line_that_is_lost_while_the_others_are_away_pauses_the_table_and_no_grace_runs_out() -> None:
    net = by_hand(1)
    away(net, 0)
    assert not net.view(0).paused, "Bob is here, and Ann's character plays with him"
    cut_off(net, 1)
    nothing_happens(net)
    assert [entry.seat for entry in entries(net, 0, TakeoverEntry)] == [0]
    seat = net.view(0).seats[1]
    assert (seat.plays, seat.countdown) == ("away", None)
    net.deaf.clear()
    net.run_for(40)
    assert net.at(0).phase is Phase.PLAY and not net.view(1).paused
    assert chain_end(net, 0) == chain_end(net, 1)
    act(net, 1)


def test_those_who_are_here_see_who_is_away_while_no_clock_runs() -> None:
    """Cy's character plays while Cy looks on; Bob is cut off."""
    net = by_hand(2, preset="real-deal")
    away(net, 0, 2)
    cut_off(net, 1)
    told = [message_of(data) for _, to, data in net.sent if to == 2]
    last = [message for message in told if isinstance(message, Clocks)][-1].clocks
    assert last[1] == (ClockState.AWAY, None) and last[2] == (ClockState.CHARACTER, None)
    assert net.view(2).paused and net.view(2).seats[1].plays == "away"
    assert [seat.absence for seat in net.view(2).seats[:3]] == [Absence.AWAY, Absence.CUT_OFF, Absence.AWAY]
    assert net.tales(2, TablePaused) == [TablePaused(timed_out=False)]


def test_a_lost_line_and_a_turn_clock_that_run_out_together_pause_the_table_once() -> None:
    net = by_hand(1)
    while to_act(net) != 0:
        act(net, 1)
    net.run_for(180 - 60 - 0.5)
    cut_off(net, 1)
    net.run_for(LONG)
    assert net.at(0).phase is Phase.PAUSED and len(entries(net, 0, PauseEntry)) == 1
    assert chain_end(net, 0)


def test_each_reason_of_a_takeover_has_one_word_for_players() -> None:
    assert [absence_row_of(reason) for reason in TakeoverReason] == list(Absence)[:4]
    assert [any_key_ends_absence(absence) for absence in ("", *list(Absence)[:4])] == [True, True, True, True, False]


# --- it ends ----------------------------------------------------------------------------------------------------------


def test_a_player_who_is_still_away_when_the_table_goes_on_has_the_whole_grace() -> None:
    net = by_hand(1)
    away(net, 0)
    cut_off(net, 1)
    net.run_for(LONG)
    net.say(0, "back")
    net.run_for(58)
    assert net.view(0).seats[1].countdown == pytest.approx(2, abs=1) and not net.at(0).taken_over
    net.run_for(5)
    assert net.at(0).taken_over.keys() == {1}
    assert net.tales(0, SeatTakenOver)[-1].why == "the connection dropped"


def test_a_guest_who_comes_back_has_the_whole_turn() -> None:
    net = by_hand(1)
    net.run_for(LONG)
    net.say(1, "back")
    net.run()
    while to_act(net) != 1:
        net.run()
    net.run_for(178)
    assert net.at(0).phase is Phase.PLAY
    net.run_for(5)
    assert net.at(0).phase is Phase.PAUSED


def test_a_table_that_is_paused_is_still_so_after_a_restart() -> None:
    net = by_hand(1)
    away(net, 0, 1)
    net.crash(0)
    net.run_for(100)
    nothing_happens(net)
    net.crash(1)
    nothing_happens(net)
    net.say(0, "back")
    net.run()
    assert net.at(0).phase is Phase.PLAY and chain_end(net, 0) == chain_end(net, 1)


def test_the_move_of_somebody_who_was_cut_off_is_played_when_they_are_back() -> None:
    net = by_hand(1)
    while to_act(net) != 1:
        act(net, 0)
    words = spoken(net, 1)
    net.say(1, "act", *words.split())
    net.queue.clear()  # it never arrives
    cut_off(net, 1)
    away(net, 0)
    assert net.at(0).phase is Phase.PAUSED
    net.deaf.clear()
    net.run_for(40)
    assert words in [told.words for told in net.tales(0, Acted) if told.name == "Bob"]
    assert chain_end(net, 0) == chain_end(net, 1)


def test_a_pass_that_was_signed_before_the_pause_is_good_after_it() -> None:
    net = by_hand(2, game="hearts", preset="real-deal", seed=3)
    act(net, 2)
    cut_off(net, 2)
    away(net, 1, 0)
    assert net.at(0).phase is Phase.PAUSED and net.at(0).simultaneous
    assert net.at(0).state.to_act == (0, 2), "Cy's pass waits for Ann's"
    net.deaf.clear()
    net.run_for(40)
    (passed,) = [entry for entry in entries(net, 0, CommitEntry) if entry.seat == 2]
    assert passed.base < entries(net, 0, PauseEntry)[0].base
    assert chain_end(net, 0) == chain_end(net, 1) == chain_end(net, 2)


def test_the_coordinator_can_end_a_game_that_is_paused() -> None:
    net = by_hand(1)
    away(net, 1, 0)
    assert net.at(0).phase is Phase.PAUSED
    net.say(0, "leave")
    net.run()
    assert net.tales(1, HandOpened)[-1].proven and not entries(net, 0, ContinueEntry)
    check_whole(net)


def test_a_game_that_the_character_has_won_or_lost_has_no_seat_to_take_back() -> None:
    net = by_hand(1, options=("winning_score=20",))
    away(net, 1)
    while net.at(0).phase is not Phase.CLOSED:
        act(net, 0) if net.at(0).phase is Phase.PLAY else net.say(0, "next")
        net.run()
    assert net.view(1).phase == "over" and not net.view(1).away


def test_who_leaves_for_good_while_the_table_is_paused_is_written_down() -> None:
    net = by_hand(2, preset="real-deal")
    away(net, 0, 1)
    cut_off(net, 2)
    net.say(0, "kick", "Cy")
    net.run()
    left = entries(net, 0, TakeoverEntry)[-1]
    assert (left.seat, left.reason) == (2, TakeoverReason.LEFT) and net.at(0).phase is Phase.PAUSED
    net.say(0, "back")
    net.run()
    assert net.at(0).phase is Phase.PLAY and net.at(0).taken_over.keys() == {1, 2}


@pytest.mark.parametrize(("seed", "game"), every_nth(5, product(range(8), ["crazy_eights", "hearts"])))
def test_whatever_people_do_the_table_is_paused_exactly_while_nobody_is_here(game: str, seed: int) -> None:
    rng = Random(seed)
    net = by_hand(2, game=game, preset="real-deal", seed=seed)
    for _ in range(60):
        i = rng.randrange(3)
        match rng.choice(["away", "back", "act", "act", "cut", "reached", "crash", "time"]):
            case "away" | "back" as word:
                with suppress(CommandError):
                    net.say(i, word)
            case "act" if net.view(i).legal:
                net.say(i, "act", *spoken(net, i, rng.randrange(9)).split())
            case "cut" if i:
                net.deaf.add(i)
                net.cut_all(i)
            case "reached":
                net.deaf.discard(i)
            case "crash" if rng.random() < 0.3:
                net.crash(i)
            case "time":
                net.run_for(rng.choice([1, 40, 200]))
        net.run()
        check_pause(net)
    net.deaf.clear()
    net.run_for(60)
    for i in range(3):
        with suppress(CommandError):
            net.say(i, "back")
        net.run()
    check_pause(net)
    assert net.at(0).phase is not Phase.PAUSED
    assert chain_end(net, 0) == chain_end(net, 1) == chain_end(net, 2)


def check_pause(net: Net) -> None:
    """The phase and who is here, as the coordinator knows it."""
    game = net.table.game
    assert game is not None
    position = game.position
    if position.phase in (Phase.PLAY, Phase.PAUSED) and not game.awaiting_logs:
        here = {0, *[side for side, guest in game.guests.items() if guest.complete]}
        playing = {entry.side for seat, entry in enumerate(position.header.seats) if seat not in position.taken_over}
        assert (position.phase is Phase.PAUSED) == (not here & playing)


# --- who never pauses it ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("listeners", [0, 1])
def test_a_computer_player_that_somebody_set_for_themselves_plays_on(listeners: int) -> None:
    net = Net(listeners)
    net.sit_down("winning_score=10", game="crazy_eights", preset="telecards")
    while not net.tales(listeners, Acted):
        net.deliver(net.next_event())
    for i in range(listeners + 1):
        net.say(i, "away")
    net.run()
    assert net.tales(0, GameWon) and not entries(net, 0, PauseEntry)


def test_somebody_who_only_looks_on_does_not_keep_the_table_going() -> None:
    net = Net(1, auto=None)
    net.say(0, "invite", "1")
    net.run()
    net.say(0, "game", "crazy_eights", "telecards")
    net.say(0, "sit", "Bob")
    net.say(0, "start")
    net.run()
    away(net, 1)
    assert net.at(0).seat is None and net.at(0).phase is Phase.PAUSED
    net.say(1, "back")
    net.run()
    assert net.at(0).phase is Phase.PLAY


def test_a_game_of_version_1_goes_on_without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a coordinator of version 1 began it: it is continued after a restart, and keeps to the rules of then."""
    with monkeypatch.context() as patched:
        patched.setattr(lobby, "Header", partial(Header, version=1))
        patched.setattr(followed_game, "NEW_GAMES", 1)
        net = by_hand(1, options=("winning_score=1",))
    assert net.at(0).header.version == net.at(1).header.version == 1
    net.crash(0)
    net.crash(1)
    net.run_for(40)
    away(net, 0, 1)
    net.run()
    assert net.tales(0, GameWon) and not entries(net, 0, PauseEntry)
    check_whole(net)
