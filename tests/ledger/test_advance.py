"""Every record of whole games, forged in every way that somebody at the table or between could try."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards.card import BACK, SUITS, Card
from p2pcards.cards.eyes import DEALER
from p2pcards.games.crazy_eights import rules as crazy_eights
from p2pcards.games.hearts import rules as hearts
from p2pcards.games.outcome import Outcome
from p2pcards.games.playing import Play
from p2pcards.ledger import advance
from p2pcards.ledger.fair import chain_value
from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.payloads import Start
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import LedgerWriter
from p2pcards.wire.packing import Cause, Refused, encode_action
from p2pcards.wire.reasons import CloseReason, TakeoverReason, Verdict
from p2pcards.wire.records import (
    ENTRY_LABEL,
    FACES_LABEL,
    ActionEntry,
    CheckEntry,
    CloseEntry,
    CommitEntry,
    ContinueEntry,
    DealEntry,
    Opened,
    OpeningEntry,
    OutcomeEntry,
    PauseEntry,
    Record,
    ReturnEntry,
    TakeoverEntry,
    decode_faces,
    decode_opening,
    encode_entry,
    encode_faces,
    encode_opening,
    next_head,
    read_record,
    sign,
)
from rigs.in_part import every_nth, examples
from rigs.pure import remembered_signatures
from rigs.recorded import (
    OPTIONS,
    SIDES,
    Table,
    after_a_hand,
    break_a_rule_unseen,
    cause_of,
    entry_of,
    go_on,
    new_table,
    played,
)

signatures = remembered_signatures()

NAMES = tuple(OPTIONS)
every_table = pytest.mark.parametrize("name", NAMES)
every_side = pytest.mark.parametrize("side", SIDES)
some_logs = pytest.mark.parametrize(("name", "side"), every_nth(4, product(OPTIONS, SIDES)))
"""Every table and every side is among them."""


# --- records as they are ----------------------------------------------------------------------------------------------


@some_logs
def test_every_record_is_taken_by_everybody(name: str, side: int) -> None:
    table = played(name)
    for number, record in enumerate(table.sent[side]):
        before = table.at[side][number]
        after = go_on(before, record)
        assert after == table.at[side][number + 1]
        assert after.head == table.at[0][number + 1].head
    assert table.at[side][-1].finding == Verdict.GOOD
    assert table.at[side][-1].phase is Phase.CLOSED


def sizes(name: str, side: int) -> dict[type, int]:
    """The longest message of each kind on the TCP wire: 2 bytes before the record, 18 of the channel."""
    found: dict[type, int] = {}
    for record in played(name).sent[side]:
        kind = type(entry_of(record))
        found[kind] = max(found.get(kind, 0), 2 + len(record) + 18)
    return found


@every_table
def test_moves_are_small(name: str) -> None:
    for side in SIDES[1:]:
        longest = sizes(name, side)
        assert longest[CheckEntry] <= 192
        assert max(longest.get(CommitEntry, 0), longest[ActionEntry]) <= 192
    table = played(name)
    play = table.game.actions.index(next(kind for kind in table.game.actions if kind.__name__ == "Play"))
    for record in table.sent[1]:
        entry = entry_of(record)
        if isinstance(entry, ActionEntry) and entry.action == play:
            assert 2 + len(record) + 18 <= 96


# --- any record, changed ----------------------------------------------------------------------------------------------


@some_logs
def test_a_flipped_byte_is_refused(name: str, side: int) -> None:
    """Every byte of the first few records of each make, some bytes of all others."""
    table, rng = played(name), Random(side)
    seen: dict[tuple[Any, ...], int] = {}
    for number, record in enumerate(table.sent[side]):
        parsed, entries = read_record(record)
        make = (*[type(entry) for entry in entries], parsed.faces is not None, bool(parsed.opening))
        seen[make] = seen.get(make, 0) + 1
        places = range(len(record)) if seen[make] == 1 else rng.sample(range(len(record)), 4)
        for place in places:
            forged = bytearray(record)
            forged[place] ^= 1 << rng.randrange(8)
            assert cause_of(table.at[side][number], bytes(forged)) is not None, (number, place)


@some_logs
def test_a_record_cut_short_or_with_something_behind_is_refused(name: str, side: int) -> None:
    table, rng = played(name), Random(side)
    for number, record in enumerate(table.sent[side]):
        position = table.at[side][number]
        whole = read_record(record)[0]
        frames = {len(bytes(Record(whole.frames[:n]))) for n in range(len(whole.frames))}
        cut = rng.randrange(1, len(record))
        assert cause_of(position, record[:cut]) is not None or cut in frames
        for behind in (b"\0", b"\0\0", b"\0\0\x92\xc4\0\0", record, bytes(whole.frames[0])):
            assert cause_of(position, record + behind) is not None, behind


@some_logs
def test_a_record_repeated_early_or_skipped_is_refused(name: str, side: int) -> None:
    table = played(name)
    for number, record in enumerate(table.sent[side]):
        at = table.at[side]
        expected = {Cause.BASE, Cause.SIGNATURE, Cause.RULES, Cause.SEAT}
        assert cause_of(at[number + 1], record) in expected
        assert cause_of(at[-1], record) in expected
        if number and not at[number - 1].simultaneous:
            assert cause_of(at[number - 1], record) in expected


@every_table
def test_a_record_of_another_game_is_refused(name: str) -> None:
    table, other = played(name), played(name, 6)
    for number, record in enumerate(other.sent[1][: len(table.at[1])]):
        assert cause_of(table.at[1][number], record) is not None
    for number in (0, 1, 2):  # the two checks and the deal: base and seat are right in both games
        assert cause_of(table.at[1][number], other.sent[1][number]) is Cause.SIGNATURE


@every_table
def test_an_entry_signed_by_another_key_or_over_another_head_is_refused(name: str) -> None:
    table = played(name)
    for number, record in enumerate(table.sent[0]):
        entry = entry_of(record)
        position = table.at[1][number]
        signer = advance.signing_side(position, entry)
        for by in SIDES:
            forged = table.signed(number, entry, by)
            if by == signer and len(read_record(record)[1]) == 1:
                assert bytes(Record(read_record(record)[0].frames)) == forged
            elif by != signer:
                assert cause_of(position, forged) is Cause.SIGNATURE
        frame = sign(table.keys[signer], ENTRY_LABEL, bytes(32), encode_entry(entry))
        assert cause_of(position, bytes(Record((frame,)))) is Cause.SIGNATURE


@every_table
def test_an_entry_on_another_base_is_refused(name: str) -> None:
    table = played(name)
    for number, record in enumerate(table.sent[0]):
        entry = entry_of(record)
        if isinstance(entry, OutcomeEntry):
            continue
        signer = advance.signing_side(table.at[1][number], entry)
        for base in (entry.base + 1, entry.base - 1, 2**32 - 1):
            if base >= 0:
                assert cause_of(table.at[1][number], table.signed(number, replace(entry, base=base), signer)) is (
                    Cause.BASE
                )


# --- moves ------------------------------------------------------------------------------------------------------------


def single_move(table: Table, side: int) -> tuple[int, ActionEntry]:
    """A record that is an open move of a side while no other seat owes one."""
    for number, record in enumerate(table.sent[0]):
        entry = entry_of(record)
        alone = not table.at[0][number].simultaneous
        if isinstance(entry, ActionEntry) and alone and table.at[0][number].signer(entry.seat) == side:
            return number, entry
    raise AssertionError("no such move")


@every_table
def test_a_move_out_of_turn_is_against_the_rules(name: str) -> None:
    table = played(name)
    number, entry = single_move(table, 0)
    for side in SIDES[1:]:
        seat = table.header.seat_of(side)
        if seat is not None:
            assert cause_of(table.at[1][number], table.signed(number, replace(entry, seat=seat), side)) is Cause.RULES


@every_table
def test_a_move_of_a_seat_that_does_not_exist_names_the_seat(name: str) -> None:
    table = played("telecards")
    number, entry = single_move(table, 1)
    assert cause_of(table.at[2][number], table.signed(number, replace(entry, seat=3), 1)) is Cause.SEAT


@every_table
def test_a_move_with_the_fields_of_another_has_no_shape(name: str) -> None:
    table = played(name)
    number, entry = single_move(table, 1)
    for wrong in (
        replace(entry, action=60),
        replace(entry, fields=(*entry.fields, None)),
        replace(entry, fields=(0, None)),
        replace(entry, fields=(True,)),
        replace(entry, fields=(b"",)),
    ):
        for base in (entry.base, entry.base + 1):
            forged = table.signed(number, replace(wrong, base=base), 1)
            assert cause_of(table.at[2][number], forged) is Cause.SHAPE


def test_a_private_action_sent_openly_and_an_open_one_committed_to_are_refused() -> None:
    table = played("hearts")
    number, commit = next(
        (n, entry)
        for n, record in enumerate(table.sent[0])
        if isinstance(entry := entry_of(record), CommitEntry) and entry.seat == 3
    )
    _, action, fields = decode_opening(read_record(table.sent[0][number])[0].opening)
    opened = table.signed(number, ActionEntry(commit.base, commit.seat, action, fields), 0)
    assert cause_of(table.at[1][number], opened) is Cause.RULES
    for wrong in (1, 63):
        assert cause_of(table.at[1][number], table.signed(number, replace(commit, action=wrong), 0)) is Cause.RULES


def test_a_move_of_a_seat_that_was_taken_over_is_the_coordinators_to_sign() -> None:
    table = played("crazy_eights")
    number = table.find(TakeoverEntry) + 1
    entry = entry_of(table.sent[0][number])
    assert isinstance(entry, ActionEntry)
    assert entry.seat == 1
    assert cause_of(table.at[2][number], table.signed(number, entry, 1)) is Cause.SIGNATURE


def test_the_opening_of_a_private_action_is_checked_by_those_who_get_it() -> None:
    table = played("hearts")
    mine = next(
        n
        for n, record in enumerate(table.sent[1])
        if isinstance(entry := entry_of(record), CommitEntry) and entry.seat == 1
    )
    record = read_record(table.sent[1][mine])[0]
    salt, action, fields = decode_opening(record.opening)
    for side in (0, 1):
        position = table.at[side][mine]
        assert cause_of(position, bytes(record)) is None
        for opening in (
            b"",
            encode_opening(bytes(10), action, fields),
            encode_opening(b"", action, fields),
            encode_opening(salt, 1, fields),
            encode_opening(salt, action, (b"\2\3\4",)),
            encode_opening(salt, action, ()),
        ):
            assert cause_of(position, bytes(Record(record.frames, None, opening))) is Cause.FACES
    assert cause_of(table.at[2][mine], bytes(record)) is Cause.FACES


# --- what the coordinator shows ---------------------------------------------------------------------------------------


def with_faces(table: Table, side: int, number: int, faces: tuple[Card, ...], seat: int | None = None) -> bytes:
    """The record with other faces, well signed; seat: for whom, if not for its owner."""
    record = read_record(table.sent[side][number])[0]
    mine = table.at[side][number].seat if seat is None else seat
    context = table.at[0][number + 1].head + bytes((mine or 0,))
    frame = sign(table.keys[0], FACES_LABEL, context, encode_faces(faces))
    return bytes(Record(record.frames, frame, record.opening))


@every_table
def test_faces_missing_too_many_or_for_somebody_else_are_refused(name: str) -> None:
    table = played(name)
    for number, data in enumerate(table.sent[1]):
        record = read_record(data)[0]
        position = table.at[1][number]
        if record.faces is None:
            assert cause_of(position, with_faces(table, 1, number, (Card(2),))) in (Cause.FACES, Cause.SHAPE)
            continue
        faces = decode_faces(record.faces.body)
        assert with_faces(table, 1, number, faces) == data
        assert cause_of(position, bytes(Record(record.frames, None, record.opening))) is Cause.FACES
        assert cause_of(position, with_faces(table, 1, number, (*faces, Card(2)))) is Cause.FACES
        assert cause_of(position, with_faces(table, 1, number, faces, 0)) is Cause.SIGNATURE
        own = sign(table.keys[1], FACES_LABEL, position.head + b"\1", record.faces.body)
        assert cause_of(position, bytes(Record(record.frames, own))) is Cause.SIGNATURE
        assert cause_of(table.at[0][number], data) is Cause.FACES


def test_a_watcher_gets_no_faces() -> None:
    table = played("telecards")
    number = table.find(DealEntry)
    assert read_record(table.sent[1][number])[0].faces is not None
    assert cause_of(table.at[2][number], table.sent[1][number]) is Cause.FACES


@every_table
@every_side
def test_an_outcome_left_out_is_refused(name: str, side: int) -> None:
    table = played(name)
    number = table.find(OutcomeEntry)
    record = read_record(table.sent[side][number])[0]
    empty = sign(table.keys[0], ENTRY_LABEL, table.at[0][number].head, encode_entry(OutcomeEntry(Outcome())))
    assert cause_of(table.at[side][number], bytes(Record((empty,), record.faces))) is not None
    if side == 0:
        assert cause_of(table.at[side][number], bytes(Record((empty,)))) is Cause.FACES


def test_an_event_that_cannot_be_is_refused() -> None:
    table = played("crazy_eights")
    number = table.find(DealEntry)
    entry = entry_of(table.sent[0][number])
    assert isinstance(entry, DealEntry)
    place, starter = entry.outcome.cards[-1]
    for cards in ((), ((place + 1, starter),), ((0, starter), (place, starter)), ((200, starter),)):
        forged = table.signed(number, replace(entry, outcome=Outcome(cards)), 0)
        whole = read_record(forged)[0]
        assert cause_of(table.at[2][number], bytes(Record(whole.frames))) is Cause.FACES
        assert cause_of(table.at[0][number], forged) is Cause.FACES


def test_an_action_with_an_outcome_that_it_has_not_is_refused() -> None:
    table = played("hearts")
    number, entry = single_move(table, 1)
    for outcome in (Outcome(((1, Card(2)),)), Outcome(((0, Card(2)),)), Outcome((), ((0, 3),)), Outcome((), ((9, 1),))):
        forged = table.signed(number, entry, 1, OutcomeEntry(outcome))
        assert cause_of(table.at[2][number], forged) is Cause.FACES


def test_an_outcome_signed_by_a_listener_is_refused() -> None:
    table = played("hearts")
    number, entry = single_move(table, 1)
    action = read_record(table.signed(number, entry, 1))[0].frames[0]
    outcome = table.outcome_frame(number, action, OutcomeEntry(Outcome(((0, Card(2)),))), by=1)
    assert cause_of(table.at[2][number], bytes(Record((action, outcome)))) is Cause.SIGNATURE


cards = st.builds(Card.of, st.integers(2, 14), st.integers(0, 3))
outcomes = st.builds(
    lambda shown, seats: Outcome(tuple(sorted(shown.items())), tuple(sorted(seats.items()))),
    st.dictionaries(st.integers(0, 255), cards, max_size=12),
    st.dictionaries(st.integers(0, 6), st.integers(0, 255), max_size=3),
)


@examples(40)
@given(st.sampled_from(NAMES), st.sampled_from(SIDES), st.data())
def test_whatever_a_coordinator_signs_is_taken_or_refused(name: str, side: int, data: st.DataObject) -> None:
    """Never another exception, and nothing that cannot be put through the next record's checks."""
    table = played(name)
    shown = [n for n, record in enumerate(table.sent[0]) if not isinstance(entry_of(record), CheckEntry | OpeningEntry)]
    number = data.draw(st.sampled_from(shown))
    entry = entry_of(table.sent[0][number])
    outcome = data.draw(outcomes)
    second = None
    if isinstance(entry, DealEntry | OutcomeEntry):
        entry = replace(entry, outcome=outcome)
    elif isinstance(entry, ActionEntry | CommitEntry) and outcome:
        second = OutcomeEntry(outcome)
    by = advance.signing_side(table.at[side][number], entry)
    record = read_record(table.signed(number, entry, by, second))[0]
    position = table.at[side][number]
    old = read_record(table.sent[side][number])[0]
    try:
        further = go_on(position, bytes(Record(record.frames, None, old.opening)))
    except Refused:
        faces = tuple(data.draw(st.lists(cards, min_size=1, max_size=14)))
        head = position.head
        for frame in record.frames:
            head = next_head(head, frame)
        frame = sign(table.keys[0], FACES_LABEL, head + bytes((position.seat or 0,)), encode_faces(faces))
        try:
            further = go_on(position, bytes(Record(record.frames, frame, old.opening)))
        except Refused:
            return
    assert further.count == position.count + 1
    seat = further.state.to_act[0] if further.state.to_act else None
    if seat is not None:
        further.game.legal(further.state, seat)
    further.game.layout(further.state)


# --- deals and checks -------------------------------------------------------------------------------------------------


@every_table
@pytest.mark.parametrize("absent", [(1,), (1, 2), (2,), (0,), (3,)])
def test_a_deal_that_leaves_out_a_side_that_gave_their_value_is_unfair(name: str, absent: tuple[int, ...]) -> None:
    table = played(name)
    for which in (0, 1):
        number = table.find(DealEntry, which)
        entry = entry_of(table.sent[0][number])
        assert isinstance(entry, DealEntry)
        for side in SIDES:
            forged = table.signed(number, replace(entry, absent=absent), 0)
            assert cause_of(table.at[side][number], forged) is Cause.FAIRNESS


@every_table
def test_a_deal_of_another_hand_or_a_second_deal_is_against_the_rules(name: str) -> None:
    table = played(name)
    number = table.find(DealEntry)
    entry = entry_of(table.sent[0][number])
    assert isinstance(entry, DealEntry)
    for hand in (2, 2**32 - 1):
        assert cause_of(table.at[1][number], table.signed(number, replace(entry, hand=hand), 0)) is Cause.RULES
    again = replace(entry, base=number + 1, hand=2)
    assert cause_of(table.at[1][number + 1], table.signed(number + 1, again, 0)) is Cause.RULES


def test_a_side_whose_check_did_not_come_is_left_out_and_named() -> None:
    table = after_a_hand()
    table.spread(table.writer.absent(2))
    table.check(1)
    number = table.position.count
    table.spread(table.writer.deal())
    deal = entry_of(table.sent[0][-1])
    assert isinstance(deal, DealEntry)
    assert deal.absent == (2,)
    table.until(Phase.CHECKS, 2)
    assert [table.position_of(side).finding for side in SIDES] == [Verdict.GOOD] * 3
    named = replace(deal, absent=())
    assert cause_of(table.at[1][number], table.signed(number, named, 0)) is Cause.FAIRNESS
    for expected in ((2,), ()):  # it is back, and its value fits over the ones that it never showed
        table.check(1, 2)
        table.spread(table.writer.deal())
        assert table.position_of(2).absent == expected
        table.until(Phase.CHECKS, table.position.state.hand)


@every_table
def test_a_check_whose_value_does_not_fit_its_chain_is_unfair(name: str) -> None:
    table = played(name)
    for which in range(4):
        number = table.find(CheckEntry, which)
        entry = entry_of(table.sent[0][number])
        assert isinstance(entry, CheckEntry)
        seed = table.seeds[entry.side]
        for value in (bytes(24), chain_value(seed, entry.hand), chain_value(seed, entry.hand + 2)):
            forged = table.signed(number, replace(entry, value=value), entry.side)
            assert {cause_of(table.at[side][number], forged) for side in SIDES} == {Cause.FAIRNESS}


@every_table
def test_a_check_for_another_side_hand_or_a_second_one_is_refused(name: str) -> None:
    table = played(name)
    number = table.find(CheckEntry)
    entry = entry_of(table.sent[0][number])
    assert isinstance(entry, CheckEntry)
    for side in (0, 3, 15):
        assert cause_of(table.at[2][number], table.signed(number, replace(entry, side=side), 0)) is Cause.SEAT
    other = replace(entry, side=3 - entry.side)
    assert cause_of(table.at[2][number], table.signed(number, other, entry.side)) is Cause.SIGNATURE
    assert cause_of(table.at[2][number], table.signed(number, replace(entry, hand=1), entry.side)) is Cause.RULES
    again = replace(entry, value=chain_value(table.seeds[entry.side], 2))
    assert cause_of(table.at[2][number + 1], table.signed(number + 1, again, entry.side)) is Cause.RULES


# --- the end of a hand and of a game ----------------------------------------------------------------------------------


def verdicts(table: Table, number: int, entry: OpeningEntry) -> set[int]:
    forged = table.signed(number, entry, 0)
    after = [go_on(table.at[side][number], forged) for side in SIDES]
    assert {position.phase for position in after} == {Phase.CHECKS}
    return {position.finding for position in after}


@every_table
def test_an_opening_with_another_value_is_found_by_everybody(name: str) -> None:
    table = played(name)
    for which in (0, 1):
        number = table.find(OpeningEntry, which)
        entry = entry_of(table.sent[0][number])
        assert isinstance(entry, OpeningEntry)
        seed = table.seeds[0]
        for value in (bytes(24), chain_value(seed, entry.hand + 1), chain_value(seed, entry.hand - 1)):
            assert verdicts(table, number, replace(entry, value=value)) == {Verdict.WRONG_VALUE}
        forged = table.signed(number, replace(entry, hand=entry.hand + 1), 0)
        assert cause_of(table.at[1][number], forged) is Cause.RULES


def test_an_opening_that_does_not_fit_its_commitment_is_found_by_everybody() -> None:
    table = played("hearts")
    number = table.find(OpeningEntry)
    entry = entry_of(table.sent[0][number])
    assert isinstance(entry, OpeningEntry)
    first, *rest = entry.openings
    assert len(rest) == 3
    assert {opened.salt == b"" for opened in entry.openings} == {True, False}
    for openings in (
        (),
        tuple(rest),
        (first, first, *rest),
        (*rest, first),
        (replace(first, salt=bytes(10)), *rest),
        (replace(first, fields=(b"\2\3\4",)), *rest),
        (replace(first, fields=()), *rest),
        (replace(first, action=1), *rest),
        (replace(first, action=63), *rest),
        (replace(first, record=first.record + 1), *rest),
        (*entry.openings, Opened(200, b"", 0, ())),
    ):
        assert verdicts(table, number, replace(entry, openings=openings)) == {Verdict.WRONG_OPENING}


@pytest.mark.parametrize("name", ["hearts", "crazy_eights"])
def test_a_coordinator_who_deals_from_another_pack_is_found_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = new_table(name)
    true_packs = advance.shuffled_packs

    def stacked(position: Position) -> Any:
        pack, draw = true_packs(position)
        return (pack[::-1], draw) if position.eyes & DEALER else (pack, draw)

    monkeypatch.setattr(advance, "shuffled_packs", stacked)
    table.until(Phase.CHECKS, 1)
    assert [table.position_of(side).finding for side in SIDES] == [Verdict.WRONG_EVENT] * 3
    check = entry_of(bytes(table.follower[1].check()))
    assert isinstance(check, CheckEntry)
    assert check.verdict == Verdict.WRONG_EVENT


@pytest.mark.parametrize("swap", [True, False])
def test_faces_other_than_those_of_the_pack_are_found_by_their_receiver(swap: bool) -> None:
    """Two cards of my hand in another order, or a card of somebody else's hand."""
    table = new_table("hearts")
    table.check(1, 2)
    logged = table.writer.deal()
    for side in SIDES[1:]:
        record = logged.for_side(side)
        assert record.faces is not None
        faces = list(decode_faces(record.faces.body))
        if side == 1:
            theirs = next(card for card in hearts.PACK if card not in faces)
            faces[:2] = (faces[1], faces[0]) if swap else (theirs, faces[1])
        frame = sign(table.keys[0], FACES_LABEL, logged.after.head + bytes((side,)), encode_faces(tuple(faces)))
        table.follower[side].receive_record(bytes(Record(record.frames, frame)))
    opening = table.writer.open_hand()
    for side in SIDES[1:]:
        table.follower[side].receive_record(bytes(opening.for_side(side)))
    assert table.follower[1].position.finding == Verdict.WRONG_EVENT
    assert table.follower[2].position.finding == Verdict.GOOD
    assert table.position.finding == Verdict.GOOD


def test_an_action_against_the_rules_that_only_the_opened_hand_shows_is_found_by_everybody() -> None:
    table = new_table("hearts")
    table.until(Phase.PLAY, 1)
    break_a_rule_unseen(table)
    table.spread(table.writer.open_hand())
    assert [table.position_of(side).finding for side in SIDES[1:]] == [Verdict.ILLEGAL_ACTION] * 2


def test_an_action_against_the_rules_that_everybody_can_see_is_refused_at_once() -> None:
    table = played("crazy_eights")
    number, entry = single_move(table, 0)
    position = table.at[1][number]
    top = position.state.discards[-1].card
    rank = next(rank for rank in (2, 3, 4) if rank != top.rank)
    suit = next(suit for suit in SUITS if suit not in (top.suit, position.state.suit))
    action, fields = encode_action(table.game, crazy_eights.Play(Card.of(rank, suit)))
    forged = table.signed(number, replace(entry, action=action, fields=fields), 0)
    assert cause_of(position, forged) is Cause.RULES


def test_what_a_listener_may_not_do_the_coordinator_refuses_and_stays_where_it_was() -> None:
    table = played("hearts")
    number, entry = single_move(table, 1)
    writer = LedgerWriter(table.keys[0], table.frame, table.at[0][0])
    for record in table.sent[0][:number]:
        writer.restore(record)
    position = writer.position
    held = position.state.hands[1].cards
    legal = [action.card for action in table.game.legal(position.state, 1)]
    wrong = [card for card in hearts.PACK if card not in held] + [card for card in held if card not in legal]
    for card in wrong:
        action, fields = encode_action(table.game, Play(card))
        with pytest.raises(Refused) as refused:
            writer.add_sent(*read_record(table.signed(number, replace(entry, action=action, fields=fields), 1)))
        assert refused.value.cause is Cause.RULES
    whole = read_record(table.signed(number, entry, 1))[0]
    faces = sign(table.keys[1], FACES_LABEL, b"", encode_faces((Card(2),)))
    for wrong_record in (
        Record(whole.frames, faces),
        Record((*whole.frames, table.outcome_frame(number, whole.frames[0], OutcomeEntry(Outcome(((0, Card(2)),)))))),
    ):
        with pytest.raises(Refused) as refused:
            writer.add_sent(*read_record(bytes(wrong_record)))
        assert refused.value.cause is Cause.SHAPE
    assert writer.position is position
    assert len(writer.log) == number
    assert writer.add_sent(*read_record(bytes(whole))).after == table.at[0][number + 1]
    assert writer.was_taken(whole.frames[0])


def test_a_listener_who_refuses_a_record_stays_where_they_were() -> None:
    table = played("hearts")
    follower = LedgerFollower(table.keys[1], Start(1, table.seeds[1], table.frame, table.header))
    for number, record in enumerate(table.sent[1]):
        position = follower.position
        with pytest.raises(Refused):
            follower.receive_record(record[:-1] + bytes((record[-1] ^ 1,)))
        assert follower.position is position
        assert len(follower.records) == number
        follower.receive_record(record)


# --- takeovers, returns, closing --------------------------------------------------------------------------------------


def crafted(name: str, number: int, entry: Any) -> set[Cause | None]:
    table = played(name)
    return {cause_of(table.at[side][number], table.signed(number, entry, 0)) for side in SIDES}


@every_table
def test_takeovers_and_returns_that_cannot_be(name: str) -> None:
    table = played(name)
    taken, back = table.find(TakeoverEntry), table.find(ReturnEntry)
    assert crafted(name, taken + 1, TakeoverEntry(taken + 1, 1, TakeoverReason.CLOCK_RAN_OUT)) == {Cause.RULES}
    assert crafted(name, taken, ReturnEntry(taken, 1)) == {Cause.RULES}
    assert crafted(name, back + 1, ReturnEntry(back + 1, 1)) == {Cause.RULES}
    seats = len(table.header.seats)
    if seats == 4:
        assert crafted(name, taken, TakeoverEntry(taken, 3, TakeoverReason.CLOCK_RAN_OUT)) == {
            Cause.RULES
        }  # a computer player's
    else:
        assert crafted(name, taken, TakeoverEntry(taken, 2, TakeoverReason.CLOCK_RAN_OUT)) == {Cause.SEAT}
        assert crafted(name, taken, ReturnEntry(taken, 3)) == {Cause.SEAT}


@every_table
def test_a_game_is_closed_only_as_it_ended_and_where_a_hand_has(name: str) -> None:
    table = played(name)
    last = table.find(CloseEntry)
    assert crafted(name, last, CloseEntry(last, CloseReason.WON)) == {Cause.RULES}
    playing = table.find(ActionEntry)
    assert crafted(name, playing, CloseEntry(playing, CloseReason.ENDED)) == {Cause.RULES}
    assert crafted(name, last + 1, CloseEntry(last + 1, CloseReason.ENDED)) == {Cause.RULES}
    assert crafted(name, last + 1, DealEntry(last + 1, 3, (), Outcome())) == {Cause.RULES}


def test_a_pause_stands_in_play_alone_and_only_a_pause_is_ended() -> None:
    table = played("hearts")
    for number, position in enumerate(table.at[1][:-1]):
        pause = None if position.phase is Phase.PLAY else Cause.RULES
        assert crafted("hearts", number, PauseEntry(number)) == {pause}
        assert crafted("hearts", number, ContinueEntry(number)) == {Cause.RULES}


def test_a_hand_opened_while_the_table_is_paused_is_the_last() -> None:
    table = new_table("crazy_eights")
    table.until(Phase.PLAY, 1)
    table.spread(table.writer.pause())
    table.spread(table.writer.open_hand())
    assert {table.position_of(side).broken_off for side in SIDES} == {True}


def test_a_log_of_version_1_has_no_pauses() -> None:
    table = new_table("crazy_eights")
    table.until(Phase.PLAY, 1)
    number = table.position.count
    for entry in (PauseEntry(number), ContinueEntry(number)):
        data = table.signed(number, entry, 0)
        for side in SIDES:
            position = table.position_of(side)
            old = position.changed(header=replace(position.header, version=1))
            assert cause_of(old, data) is Cause.SHAPE


def test_a_hand_opened_before_its_end_is_the_last() -> None:
    table = new_table("crazy_eights")
    table.until(Phase.PLAY, 1)
    for _ in range(5):
        table.step()
    table.spread(table.writer.open_hand())
    assert [table.position_of(side).finding for side in SIDES] == [Verdict.GOOD] * 3
    table.check(1, 2)
    number = table.position.count
    deal = table.signed(number, DealEntry(number, 2, (), Outcome()), 0)
    assert cause_of(table.position_of(1), deal) is Cause.RULES
    assert cause_of(table.position_of(1), table.signed(number, CloseEntry(number, CloseReason.WON), 0)) is Cause.RULES
    table.spread(table.writer.close(CloseReason.ENDED))
    assert table.position_of(2).phase is Phase.CLOSED


def test_a_game_that_is_won_is_not_closed_by_the_coordinators_will() -> None:
    table = Table("crazy_eights", replace(new_table("telecards").position.state.options, winning_score=1), 3)
    while table.position.state.stage != 3:
        table.step()
    table.until(Phase.CHECKS, table.position.state.hand)
    number = table.position.count
    assert cause_of(table.position_of(1), table.signed(number, CloseEntry(number, CloseReason.ENDED), 0)) is Cause.RULES
    table.step()
    assert table.position_of(1).ended == 0


# --- the order of the checks ------------------------------------------------------------------------------------------


def test_a_record_that_is_wrong_in_many_ways_is_refused_for_the_first() -> None:
    """Each of these is wrong in its own way and in all that follow it."""
    table = played("telecards")
    number, entry = single_move(table, 1)
    position = table.at[0][number]
    illegal = replace(entry, action=2, fields=()) if entry.action != 2 else replace(entry, action=1, fields=())
    with_seat = replace(illegal, seat=3)
    with_base = replace(with_seat, base=entry.base + 1)
    with_shape = replace(with_base, fields=(None,))

    def by_another(one: ActionEntry) -> bytes:
        return table.signed(number, one, 2)

    def frame_of(body: bytes) -> bytes:
        return (len(body) + 64).to_bytes(2, "big") + body + bytes(64)

    long_zero = b"\xcd\x00\x00"  # 0 as uint16
    uncanonical = bytes(encode_entry(with_shape)).replace(b"\x00", long_zero, 1)
    junk = encode_entry(with_shape)[:-1] + b"\xc1"
    ways = [
        (frame_of(junk)[:-1], Cause.LENGTH),
        (frame_of(junk), Cause.ENCODING),
        (frame_of(uncanonical), Cause.ENCODING),
        (by_another(with_shape), Cause.SHAPE),
        (by_another(with_base), Cause.BASE),
        (by_another(with_seat), Cause.SEAT),
        (by_another(illegal), Cause.SIGNATURE),
        (table.signed(number, illegal, 1), Cause.RULES),
    ]
    assert [cause_of(position, data) for data, _ in ways] == [cause for _, cause in ways]


def test_a_move_is_refused_for_the_rules_before_the_faces() -> None:
    table = played("crazy_eights")
    number, entry = single_move(table, 1)
    wrong = Outcome(((9, Card(2)),))
    out_of_turn = replace(entry, seat=0)
    assert cause_of(table.at[2][number], table.signed(number, out_of_turn, 0, OutcomeEntry(wrong))) is Cause.RULES
    assert cause_of(table.at[2][number], table.signed(number, entry, 1, OutcomeEntry(wrong))) is Cause.FACES


def test_backs_are_no_cards_on_the_wire() -> None:
    with pytest.raises(Refused) as refused:
        decode_faces(encode_faces((BACK,)))
    assert refused.value.cause is Cause.SHAPE
