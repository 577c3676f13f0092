"""Who may pick a place: it decides the card, so nobody may whose program could know it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from p2pcards.cards.card import BACK, Card
from p2pcards.cards.eyes import PUBLIC, Slot
from p2pcards.games.cribbage import rules as cribbage
from p2pcards.games.cribbage.rules import LowDrawn
from p2pcards.games.cutting import Cut, TurnedAt
from p2pcards.games.pinochle2 import rules as pinochle2
from p2pcards.ledger.advance import advance, may_pick, offered_actions
from p2pcards.ledger.position import Position, Takeover
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.verify import verify_log
from p2pcards.wire.packing import Cause, Refused, encode_action
from p2pcards.wire.reasons import TakeoverReason, Verdict
from p2pcards.wire.records import ActionEntry, DealEntry, SeatEntry, read_record
from rigs.in_part import every_nth
from rigs.pure import remembered_signatures
from rigs.recorded import SIDES, Table, cause_of

signatures = remembered_signatures()

TELECARDS = cribbage.PRESETS["telecards"]
DEAL_CUT = pinochle2.Options(deal_cut=True)
CUT_FOR = [("cribbage", TELECARDS), ("pinochle2", DEAL_CUT)]
cut_for = pytest.mark.parametrize(("game", "options"), CUT_FOR)


def fanned(game: str, options: Any, seed: int = 1) -> Table:
    """Side 0 is to cut for the first deal, then side 1; side 2 watches."""
    table = Table(game, options, seed, drawn=True)
    table.step()
    return table


def starter_due(seed: int = 1) -> Table:
    """A listener is to cut for the starter: side 1 is in the seat that did not deal."""
    table = Table("cribbage", TELECARDS, seed * 2)
    table.step()
    while table.position.state.phase is cribbage.Phase.DISCARD:
        table.act()
    return table


def pick(table: Table, seat: int, place: int | None, by: int) -> bytes:
    """A cut as a record of this side's."""
    number, fields = encode_action(table.game, Cut(place))
    count = table.position.count
    return table.signed(count, ActionEntry(count, seat, number, fields), by)


def starter_of(position: Position) -> Card:
    card: Card = position.state.starter[0].card
    return card


def forced(table: Table, seat: int, place: int, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """A cut with its outcome, by a coordinator whose program does not mind who picks."""
    with monkeypatch.context() as patched:
        patched.setattr("p2pcards.ledger.advance.check_pick", lambda *_: None)
        return bytes(table.writer.move(seat, Cut(place)).record)


# --- the place decides ------------------------------------------------------------------------------------------------


def test_two_places_give_two_starters_from_the_same_pack() -> None:
    found = {}
    for place in (None, 1, 7, 40):
        table = starter_due()
        stock = [slot.card for slot in table.position.state.stock]
        table.move(1, Cut(place))
        assert starter_of(table.position) == stock[(place or 1) - 1]
        found[place] = starter_of(table.position)
    assert found[None] == found[1] and len(set(found.values())) == 3


@cut_for
def test_two_places_cut_two_cards_for_the_first_deal(game: str, options: Any) -> None:
    found = []
    for place in (1, 5):
        table = fanned(game, options, 2)  # whose two cards are no copies of one
        assert (table.position.phase, table.position.dealt, table.position.state.hand) == (Phase.PLAY, 1, 0)
        table.move(0, Cut(None))
        rest = [slot.card for slot in table.position.state.fan]
        table.move(1, Cut(place))
        state = table.position.state
        found.append((state.cut if game == "pinochle2" else state.low) or tuple(slot.card for slot in state.drawn))
        assert found[-1][-1] == rest[place - 1]
    assert found[0][0] == found[1][0] and found[0] != found[1]


@pytest.mark.parametrize(
    ("game", "options", "seed"), every_nth(5, [(*one, seed) for one in CUT_FOR for seed in range(8)])
)
def test_a_game_that_is_cut_for_is_dealt_opened_and_verified(game: str, options: Any, seed: int) -> None:
    table = fanned(game, options, seed)
    cuts = 0
    while table.position.state.hand == 0:
        assert table.position.phase in (Phase.PLAY, Phase.DEALING)
        cuts += table.position.phase is Phase.PLAY
        table.step()
    assert cuts % 2 == 0 and table.position.next_hand() == 2
    table.until(Phase.CHECKS, 1)
    table.check(1, 2)
    for side in SIDES:
        (hand,) = verify_log(table.payloads[side]).hands
        assert (hand.hand, hand.verdict, hand.missing) == (1, Verdict.GOOD, ())
    dealt = [entry for _, (entry, *_) in map(read_record, table.sent[1]) if isinstance(entry, DealEntry)]
    assert [entry.hand for entry in dealt] == [1, 1]


@cut_for
def test_a_game_that_ends_while_it_is_cut_for_is_opened_and_verified(game: str, options: Any) -> None:
    table = fanned(game, options)
    table.move(0, Cut(None))
    table.spread(table.writer.open_hand())
    table.check(1, 2)
    assert table.position.broken_off and table.position.opened == 1
    for side in SIDES:
        (hand,) = verify_log(table.payloads[side]).hands
        assert (hand.hand, hand.verdict, hand.broken_off) == (1, Verdict.GOOD, True)


# --- who may ----------------------------------------------------------------------------------------------------------


@cut_for
def test_what_is_offered_is_what_is_taken(game: str, options: Any) -> None:
    table = fanned(game, options)
    assert offered_actions(table.position, 0) == (Cut(None),)
    table.move(0, Cut(None))
    places = offered_actions(table.position_of(1), 1)
    assert places == offered_actions(table.position, 1) and Cut(None) not in places and len(places) > 45
    for place in (*[cut.place for cut in places], None):  # None: what their computer player does
        table.writer.check(*read_record(pick(table, 1, place, 1)))
    with pytest.raises(Refused, match="pick a place from"):
        table.writer.check(*read_record(pick(table, 1, len(places) + 1, 1)))


@cut_for
def test_a_coordinators_pick_is_refused_by_everybody(game: str, options: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    table = fanned(game, options)
    with pytest.raises(Refused, match="can't pick a place"):
        table.writer.move(0, Cut(5))
    for side in SIDES:
        assert cause_of(table.position_of(side), pick(table, 0, 5, 0)) is Cause.RULES
    whole = forced(table, 0, 5, monkeypatch)
    for side in (1, 2):
        assert cause_of(table.at[side][-1], whole) is Cause.RULES, "though its outcome is what lies there"


def test_a_pick_for_a_seat_that_was_taken_over_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    table = starter_due()
    table.spread(table.writer.takeover(1, TakeoverReason.LINE_LOST))
    assert offered_actions(table.position, 1) == (Cut(None),)
    record = forced(table, 1, 9, monkeypatch)
    for side in (1, 2):
        with pytest.raises(Refused, match="can't pick a place"):
            advance(table.at[side][-1], *read_record(record))


def test_who_plays_alone_picks_for_their_own_seat_and_no_other() -> None:
    table = starter_due()
    alone = replace(table.header, sides=table.header.sides[:1], seats=(SeatEntry(0, "granny", "novice"),) * 2)
    other = replace(alone, seats=(alone.seats[0], SeatEntry(None, "ivy", "novice")))
    position = table.position.changed(header=other)
    assert may_pick(position, 0) and not may_pick(position, 1)
    assert not may_pick(position.changed(taken_over={0: Takeover(TakeoverReason.LEFT, 1, 1)}), 0)
    watched = position.changed(header=replace(other, sides=table.header.sides[:2]))
    assert not may_pick(watched, 0), "somebody watches, and has a side"


def test_a_card_from_another_place_is_found_by_everybody_when_the_hand_is_opened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = starter_due()
    wanted = table.position.state.stock[20].card

    def turned_at(fan: tuple[Slot, ...], seat: int, cut: Cut) -> TurnedAt:
        return TurnedAt(seat, cut.place or 1, Slot(wanted if fan[0].card else BACK, PUBLIC))

    def left_in(fan: tuple[Slot, ...], _event: TurnedAt) -> tuple[Slot, ...]:
        return tuple([slot for slot in fan if slot.card != wanted])[: len(fan) - 1]

    with monkeypatch.context() as patched:
        patched.setattr(cribbage, "turn_up_at", turned_at)
        patched.setattr(cribbage, "fan_without", left_in)
        table.move(1, Cut(1))
    assert {starter_of(table.position_of(side)) for side in SIDES} == {wanted}
    table.until(Phase.CHECKS, 1)
    assert {table.position_of(side).finding for side in SIDES} == {Verdict.WRONG_EVENT}


# --- version 1 --------------------------------------------------------------------------------------------------------


def test_in_a_game_of_version_1_nobody_picks_and_a_place_changes_nothing() -> None:
    starters = set()
    for place in (1, 7, 40):
        table = Table("cribbage", TELECARDS, 4, drawn=True, version=1)
        while not table.position.state.starter:
            cut_is_due = table.position.state.phase is cribbage.Phase.CUT
            (table.move(table.position.state.to_act[0], Cut(place)) if cut_is_due else table.step())
        assert not table.position.state.picked and table.position.state.low
        starters.add(starter_of(table.position))
        table.until(Phase.CHECKS, 1)
        assert verify_log(table.payloads[1]).honest
    assert len(starters) == 1


@cut_for
def test_a_game_of_version_1_has_no_fan(game: str, options: Any) -> None:
    table = Table(game, options, 1, drawn=True, version=1)
    table.step()
    assert table.position.phase is Phase.DEALING and table.position.state.dealer is not None
    assert any(isinstance(step.shown, LowDrawn | pinochle2.DealCut) for step in table.position.steps)


def test_in_a_game_of_version_1_a_cut_names_a_place() -> None:
    table = Table("cribbage", TELECARDS, 4, drawn=True, version=1)
    while table.position.state.phase is not cribbage.Phase.CUT:
        table.step()
    seat = table.position.state.to_act[0]
    assert [cut.place for cut in offered_actions(table.position, seat)] == list(range(1, 41))
    record = pick(table, seat, None, table.position.signer(seat))
    assert [cause_of(table.position_of(side), record) for side in SIDES] == [Cause.RULES] * 3
