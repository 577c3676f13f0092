"""Taking back, dealing again, and what helps somebody who is alone to learn a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from p2pcards.cards.eyes import PUBLIC, eye_of_seat, eyes_of_viewer, slots_of
from p2pcards.games.game import IllegalAction, Stage
from p2pcards.games.options import header_values
from p2pcards.games.outcome import NO_OUTCOME, public_outcome
from p2pcards.games.registry import GAMES
from p2pcards.games.spelling import cards_in_text, spell_action
from p2pcards.ledger.advance import events_to_take_back, voters
from p2pcards.ledger.fair import chain_value
from p2pcards.ledger.payloads import RECORD, start_payloads
from p2pcards.ledger.position import begin
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.verify import Redeal, verify_log
from p2pcards.ledger.writer import LedgerWriter
from p2pcards.players.choose import choose
from p2pcards.players.repeating import repeat_decisions
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.packing import Cause, Refused
from p2pcards.wire.reasons import CloseReason, TakeoverReason, Verdict
from p2pcards.wire.records import (
    HEADER_LABEL,
    DealEntry,
    FaceUpEntry,
    Header,
    RedealEntry,
    RestartEntry,
    SeatEntry,
    Side,
    SwapEntry,
    UndoEntry,
    Yes,
    encode_header,
    sign,
)
from rigs.in_part import every_nth
from rigs.laws import random_move
from rigs.pure import remembered_signatures
from rigs.recorded import Table, cause_of, new_table

signatures = remembered_signatures()

RUMMY = replace(GAMES["rummy_500"].presets["meggiesoft"], players=3)


class Alone:
    """A game of side 0 alone, in seat 0; novices play the other seats, and the person too."""

    def __init__(self, key: str, seed: int = 6, deal: int | None = None) -> None:
        rng, self.game = Random(seed), GAMES[key]
        options = self.game.options()
        self.key, self.seed = Ed25519PrivateKey.from_private_bytes(rng.randbytes(32)), rng.randbytes(24)
        me = Side(public_bytes(self.key), "Ann", "wayne", chain_value(self.seed, 0))
        seats = [SeatEntry(None if seat else 0, "granny", "novice") for seat in range(self.game.seats(options))]
        nonce = rng.randbytes(16)
        self.header = Header(key, header_values(options), (me,), tuple(seats), 60, 0, b"", None, nonce, deal=deal)
        self.frame = sign(self.key, HEADER_LABEL, b"", encode_header(self.header))
        self.writer = LedgerWriter(self.key, self.frame, begin(self.frame, self.header, 0, self.seed))

    @property
    def payloads(self) -> list[bytes]:
        records = [RECORD + bytes(logged.record) for logged in self.writer.log]
        return [*start_payloads(0, self.seed, self.frame), *records]

    def step(self) -> None:
        position, writer = self.writer.position, self.writer
        state = position.state
        if position.phase is Phase.CHECKS and state.stage == Stage.OVER:
            writer.close(CloseReason.WON)
        elif position.phase in (Phase.CHECKS, Phase.DEALING):
            writer.deal()
        elif position.phase is Phase.OPENING:
            writer.open_hand()
        elif state.stage == Stage.SHOW:
            writer.show()
        else:
            seat = state.to_act[0]
            view = position.views[seat]
            writer.move(seat, choose(position.game, view, seat, "novice", Random(writer.thinking_seed(seat))))

    def until(self, wanted: Callable[[Any], bool]) -> None:
        while not wanted(self.writer.position):
            self.step()

    def in_play(self) -> None:
        self.until(lambda position: position.phase is Phase.PLAY and position.state.to_act == (0,))


def yeses_of(table: Table, entry: UndoEntry | RedealEntry) -> tuple[Yes, ...]:
    return tuple([table.follower[side].yes(entry) for side in voters(table.position)])


def redeal(table: Table, side: int) -> None:
    entry = RedealEntry(table.position.count, side)
    table.spread(table.writer.redeal(side, yeses_of(table, entry)))


# --- dealing again ----------------------------------------------------------------------------------------------------


def test_a_hand_that_is_dealt_again_has_other_cards_and_everything_else_as_before() -> None:
    table = new_table("crazy_eights")
    table.until(Phase.PLAY, 2)
    table.step()
    first = table.position
    redeal(table, 2)
    table.step()  # it is opened
    for side in (0, 1, 2):
        position = table.position_of(side)
        assert (position.finding, position.redeals, position.broken_off) == (Verdict.GOOD, (2,), False)
    table.until(Phase.PLAY, 2)
    again = table.position
    assert again.dealt == first.dealt + 1
    assert (again.state.dealer, again.state.scores) == (first.state.dealer, first.state.scores)
    assert again.state.hands != first.hand_start.hands
    table.until(Phase.CHECKS, 2)
    table.check(1, 2)
    found = verify_log([*table.payloads[0]])
    assert [(hand.hand, hand.verdict) for hand in found.hands] == [(1, 0), (2, 0), (3, 0)]
    assert found.course.redeals == (Redeal(2, 2, (0, 1)),)
    assert found.honest


def test_everybody_who_plays_their_own_seat_has_to_agree_over_this_very_head() -> None:
    table = new_table("crazy_eights")
    table.until(Phase.PLAY, 1)
    assert voters(table.position) == (1, 2)
    entry = RedealEntry(table.position.count, 1)
    one, two = yeses_of(table, entry)
    table.step()
    late = replace(entry, base=table.position.count)
    for yeses in ((), (one,), (two,), (one, two), (replace(one, side=2), replace(two, side=3))):
        record = table.signed(table.position.count, replace(late, yeses=yeses), 0)
        assert [cause_of(table.position_of(side), record) for side in (0, 1, 2)] == [Cause.SIGNATURE] * 3
    table.spread(table.writer.takeover(1, TakeoverReason.LINE_LOST))
    now = RedealEntry(table.position.count, 2)
    both = replace(now, yeses=(table.follower[1].yes(now), table.follower[2].yes(now)))
    assert cause_of(table.position, table.signed(table.position.count, both, 0)) is Cause.SIGNATURE
    redeal(table, 2)  # side 1 is away, and has nothing to say
    assert table.position.phase is Phase.OPENING


def test_nothing_is_dealt_before_the_hand_that_was_given_up_is_opened() -> None:
    table = new_table("crazy_eights")
    table.until(Phase.PLAY, 1)
    redeal(table, 0)
    count = table.position.count
    for hand in (1, 2):
        deal = table.signed(count, DealEntry(count, hand, (), NO_OUTCOME), 0)
        assert [cause_of(table.position_of(side), deal) for side in (0, 1, 2)] == [Cause.RULES] * 3


# --- taking back ------------------------------------------------------------------------------------------------------


def can_take_back(position: Any) -> bool:
    try:
        return bool(events_to_take_back(position))
    except Refused as refused:
        assert refused.cause is Cause.RULES
        return False


def test_a_meld_is_taken_back_and_the_hand_goes_on_and_is_found_good() -> None:
    table = Table("rummy_500", RUMMY, 5)
    while not can_take_back(table.position):
        table.step()
    before = table.position.steps[-1].before
    assert table.position.state != before
    table.spread(table.writer.undo(yeses_of(table, UndoEntry(table.position.count))))
    assert table.position.state == before
    table.until(Phase.CHECKS, 1)
    table.check(1, 2)
    found = verify_log(table.payloads[0])
    assert found.honest
    assert found.course.taken_back == 1


@pytest.mark.parametrize("key", every_nth(3, GAMES))
def test_only_what_shows_nothing_new_is_taken_back_and_only_in_ones_own_turn(key: str) -> None:
    game, rng = GAMES[key], Random(3)
    for options in game.presets.values():
        state, seen = game.start(options, 0), Counter[type]()
        for _ in range(1500):
            move = random_move(game, state, rng)
            if move.seat is None:
                event = game.deal(state, move.pack, move.draw) if state.stage == Stage.DEAL else game.show(state)
            else:
                event = game.decide(state, move.seat, move.action)
                if type(move.action) in game.takes_back:
                    seen[type(move.action)] += 1
                    known = {
                        slot.card.face for slot in slots_of(state) if slot.eyes & (PUBLIC | eye_of_seat(move.seat))
                    }
                    shown = [
                        slot.card.face for slot in slots_of(event) if slot.eyes & (PUBLIC | eye_of_seat(move.seat))
                    ]
                    assert known.issuperset(shown)
                    assert not public_outcome(event, event)
            state = game.play(state, event)
            state = game.start(options, 0) if state.stage == Stage.OVER else state
        assert set(seen) == set(game.takes_back)


def test_a_computer_players_meld_and_one_of_somebody_who_is_away_stay() -> None:
    table = new_table("crazy_eights")
    table.until(Phase.PLAY, 1)
    with pytest.raises(Refused, match="nobody has moved since the deal"):
        events_to_take_back(table.position)
    while table.position.steps[-1].seat != 3:
        table.step()
    with pytest.raises(Refused, match="a computer player moved last"):
        events_to_take_back(table.position)


def test_a_card_that_was_played_stays_with_people() -> None:
    table = new_table("crazy_eights")
    table.until(Phase.PLAY, 1)
    table.step()
    with pytest.raises(Refused, match="a card laid is a card played in Crazy Eights"):
        events_to_take_back(table.position)


# --- taking back alone ------------------------------------------------------------------------------------------------


def seen_by_me(state: Any) -> Counter[Any]:
    return Counter([slot.card.face for slot in slots_of(state) if slot.eyes & eyes_of_viewer(0)])


@pytest.mark.parametrize("key", every_nth(3, GAMES))
def test_alone_the_last_of_my_own_is_taken_back_with_the_answers_and_the_log_is_good(key: str) -> None:
    alone, undone, rng = Alone(key), 0, Random(5)
    while alone.writer.position.dealt < 3 and alone.writer.position.count < 400:
        alone.step()
        position = alone.writer.position
        if position.phase is Phase.PLAY and position.state.to_act[:1] == (0,) and rng.random() < 0.4:
            mine = [step for step in position.steps if step.seat == 0]
            if can_take_back(position):
                alone.writer.undo()
                undone += 1
                assert alone.writer.position.state == mine[-1].before
                assert alone.writer.position.steps == position.steps[: position.steps.index(mine[-1])]
    alone.until(lambda position: position.phase is Phase.CHECKS)
    found = verify_log(alone.payloads)
    assert found.honest
    assert found.course.taken_back == undone > 0


@pytest.mark.parametrize("key", every_nth(3, GAMES))
def test_alone_nothing_is_taken_back_once_a_card_was_seen_that_nobody_laid(key: str) -> None:
    """Counted from the states alone: what I see of the table and did not, but for what the players themselves named."""
    alone = Alone(key)
    while alone.writer.position.dealt < 3 and alone.writer.position.count < 400:
        alone.step()
        position = alone.writer.position
        own = [number for number, step in enumerate(position.steps) if step.seat == 0]
        if position.phase is not Phase.PLAY or not own:
            continue
        since = position.steps[own[-1] :]
        named = Counter(
            [card.face for step in since if step.action for card in cards_in_text(spell_action(step.action))]
        )
        new = seen_by_me(position.state) - seen_by_me(since[0].before) - named
        if new:
            with pytest.raises(Refused, match="you've seen a new card since"):
                events_to_take_back(position)


def test_alone_nothing_is_taken_back_before_anything_was_done() -> None:
    alone = Alone("whist")
    alone.until(lambda position: position.phase is Phase.PLAY)
    while alone.writer.position.state.to_act != (0,):
        with pytest.raises(Refused, match="you haven't moved since the deal"):
            alone.writer.undo()
        alone.step()


# --- alone ------------------------------------------------------------------------------------------------------------


def test_entries_for_a_player_alone_are_refused_with_people() -> None:
    table = new_table("crazy_eights")
    table.until(Phase.PLAY, 1)
    count = table.position.count
    for entry in (RestartEntry(count), SwapEntry(count, 1), FaceUpEntry(count, up=True)):
        record = table.signed(count, entry, 0)
        assert [cause_of(table.position_of(side), record) for side in (0, 1, 2)] == [Cause.RULES] * 3


def test_a_restarted_hand_has_the_same_cards() -> None:
    alone = Alone("pinochle2")
    alone.in_play()
    dealt = alone.writer.position.state
    for _ in range(9):
        alone.step()
    alone.writer.restart()
    alone.in_play()
    assert alone.writer.position.state == dealt
    alone.until(lambda position: position.phase is Phase.CHECKS and position.state.hand == 1)
    found = verify_log(alone.payloads)
    assert found.honest
    assert found.course.restarted == 1


@pytest.mark.parametrize("key", every_nth(3, [key for key, game in GAMES.items() if game.swap]))
def test_a_game_goes_on_with_exchanged_hands(key: str) -> None:
    game, rng, done = GAMES[key], Random(4), 0
    for options in game.presets.values():
        state = game.start(options, 0)
        for _ in range(2000):
            if state.stage == Stage.PLAY and len(state.to_act) == 1 and rng.random() < 0.1:
                first, second = sorted(rng.sample(range(len(state.hands)), 2))
                try:
                    assert game.swap is not None
                    swapped = game.swap(state, first, second)
                except IllegalAction:
                    continue
                held = [Counter(slot.card for slot in slots_of(one)) for one in (state, swapped)]
                assert held[0] == held[1]
                assert swapped.hands[first].cards == state.hands[second].cards
                state, done = swapped, done + 1
            move = random_move(game, state, rng)
            if move.seat is not None:
                event = game.decide(state, move.seat, move.action)
            else:
                event = game.deal(state, move.pack, move.draw) if state.stage == Stage.DEAL else game.show(state)
            state = game.play(state, event)
            state = game.start(options, 0) if state.stage == Stage.OVER else state
    assert done > 5


def test_exchanged_hands_are_replayed_and_the_computer_decides_again_as_it_did() -> None:
    alone = Alone("whist")
    alone.until(lambda position: position.state.to_act == (0,) and len(position.state.hands[0]) == 9)
    alone.until(lambda position: not position.state.trick and position.phase is Phase.PLAY)
    mine, theirs = alone.writer.position.state.hands[0].cards, alone.writer.position.state.hands[2].cards
    alone.writer.swap(2)
    assert alone.writer.position.view.hands[0].cards == theirs
    assert alone.writer.position.views[2].hands[2].cards == mine
    alone.until(lambda position: position.phase is Phase.CHECKS and position.state.hand == 1)
    found = verify_log(alone.payloads, repeat_decisions)
    assert found.honest
    assert found.course.exchanged == 1
    assert found.hands[0].decisions > 30
    assert not found.hands[0].irreproducible


@pytest.mark.parametrize("key", ["euchre", "cribbage"])
def test_hands_are_not_exchanged_where_the_game_could_not_go_on(key: str) -> None:
    alone = Alone(key)
    alone.until(lambda position: position.phase is Phase.PLAY)
    with pytest.raises(Refused, match="You can't swap hands in"):
        alone.writer.swap(1)


def test_open_cards_are_all_hands_and_no_more_and_help_no_computer() -> None:
    alone = Alone("gin_rummy")
    alone.in_play()
    before = alone.writer.position
    alone.writer.turn_hands(up=True)
    position = alone.writer.position
    assert position.view.hands[1].cards == position.state.hands[1].cards
    assert len(position.state.hands[1].cards) >= 10
    hidden = [slot for slot in position.view.stock if slot.card]
    assert not hidden
    assert position.own_view == before.view
    assert position.views[1] == before.views[1]
    with pytest.raises(Refused, match="All hands are already face up"):
        alone.writer.turn_hands(up=True)
    alone.writer.turn_hands(up=False)
    assert alone.writer.position.view == before.view


# --- numbered deals ---------------------------------------------------------------------------------------------------


def test_a_numbered_deal_is_the_same_for_everybody_who_types_the_number() -> None:
    games = [Alone("hearts", seed, deal=1912) for seed in (1, 2)]
    for alone in games:
        alone.until(lambda position: position.state.hand == 2 and position.phase is Phase.CHECKS)
    ann, bob = [alone.writer.position for alone in games]
    assert ann.state == bob.state
    assert ann.head != bob.head
    other = Alone("hearts", 1, deal=1913)
    other.until(lambda position: position.state.hand == 2 and position.phase is Phase.CHECKS)
    assert other.writer.position.state.scores != ann.state.scores
    for alone in games:
        found = verify_log(alone.payloads, repeat_decisions)
        assert found.honest
        assert not any(hand.irreproducible for hand in found.hands)
