"""The roll: who has a part in a pack is settled before anybody knows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pytest

from p2pcards.games.outcome import NO_OUTCOME
from p2pcards.ledger.fair import chain_value
from p2pcards.ledger.roll import awaited, parts_of_deal
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.verify import verify_log
from p2pcards.wire.entries import AbsentEntry, CheckEntry, DealEntry
from p2pcards.wire.reasons import CloseReason, Verdict
from p2pcards.wire.refused import Cause, Refused
from rigs.pure import remembered_signatures
from rigs.recorded import OPTIONS, SIDES, Table, cause_of, entry_of, new_table

signatures = remembered_signatures()

LISTENERS = SIDES[1:]


def absent(table: Table, *sides: int) -> None:
    for side in sides:
        table.spread(table.writer.absent(side))


def dealt(table: Table) -> DealEntry:
    table.spread(table.writer.deal())
    entry = entry_of(table.sent[0][-1])
    assert isinstance(entry, DealEntry)
    return entry


def fair_deals(table: Table) -> list[tuple[int, ...]]:
    """The absent sides with which a listener would take a DEAL as fair now."""
    count, hand = table.position.count, table.position.next_hand()
    sets = [sides for size in range(len(SIDES)) for sides in combinations(LISTENERS, size)]
    forged = [table.signed(count, DealEntry(count, hand, sides, NO_OUTCOME), 0) for sides in sets]
    return [
        sides
        for sides, record in zip(sets, forged, strict=True)
        if cause_of(table.position_of(1), record) is not Cause.FAIRNESS
    ]


def test_a_deal_waits_for_everybody_on_the_roll() -> None:
    table = new_table("hearts")
    assert awaited(table.position) == {1, 2}
    assert fair_deals(table) == []
    table.check(1)
    assert fair_deals(table) == []
    with pytest.raises(Refused):
        table.writer.deal()
    table.check(2)
    assert fair_deals(table) == [()]
    assert dealt(table).absent == ()


def follow(table: Table, steps: Sequence[tuple[str, int]]) -> None:
    """Each step is "check" or "absent", and the side."""
    for what, side in steps:
        if what == "check":
            table.check(side)
        else:
            absent(table, side)


def test_a_coordinator_has_never_more_than_one_pack_to_deal_and_one_more_for_each_who_is_absent() -> None:
    """Every order of checks and absences: no DEAL, or one; and each pack that could be dealt is another."""
    waiting: list[list[tuple[str, int]]] = [[]]
    packs_seen = set()
    while waiting:
        steps = waiting.pop()
        table = new_table("hearts")
        follow(table, steps)
        deals = fair_deals(table)
        assert len(deals) <= 1
        if deals:
            hand, (parts, _) = table.position.next_hand(), parts_of_deal(table.position)
            packs_seen.add((hand, parts))
            assert hand == 1 + sum(what == "absent" for what, _ in steps)
            continue
        open_to = sorted(awaited(table.position))
        waiting += [[*steps, (what, side)] for side in open_to for what in ("check", "absent")]
    assert len(packs_seen) == 1 + 2 + 1, "both, each of them alone, and nobody"
    assert max(hand for hand, _ in packs_seen) == 1 + len(LISTENERS)


def test_what_the_others_gave_counts_no_more_once_somebody_is_absent() -> None:
    table = new_table("hearts")
    table.check(1)
    given = table.position.known[1]
    absent(table, 2)
    assert fair_deals(table) == []
    table.check(1)
    assert given == (1, chain_value(table.seeds[1], 1))
    deal = dealt(table)
    assert (deal.hand, deal.absent) == (2, (2,))
    assert table.position.parts == ((1, chain_value(table.seeds[1], 2)),)
    table.until(Phase.CHECKS, 1)
    assert [table.position_of(side).finding for side in SIDES] == [Verdict.GOOD] * 3


def test_a_check_that_comes_too_late_is_for_the_hand_after() -> None:
    table = new_table("hearts")
    absent(table, 2)
    table.check(2, 1)
    assert fair_deals(table) == [(2,)], "its value is known, and goes into no pack"
    dealt(table)
    table.until(Phase.OPENING, 1)
    table.spread(table.writer.open_hand())
    assert awaited(table.position) == {1, 2}
    table.check(1, 2)
    assert dealt(table).absent == ()


def test_whoever_gave_nothing_is_not_waited_for_and_comes_back_a_hand_after_their_check() -> None:
    table = new_table("hearts")
    absent(table, 2)
    table.check(1)
    assert dealt(table).absent == (2,)
    for hand, without in ((1, (2,)), (2, ())):
        table.until(Phase.OPENING, hand)
        table.spread(table.writer.open_hand())
        assert awaited(table.position) == {side for side in LISTENERS if side not in without}
        table.check(1, 2)
        assert dealt(table).absent == without


def without_chain(table: Table, side: int) -> None:
    """This side has lost its log, and with it its chain."""
    follower = table.follower[side]
    follower.position = follower.position.changed(seed=b"")


def test_a_side_without_a_chain_checks_without_a_value_and_drops_out_by_itself() -> None:
    table = new_table("hearts")
    without_chain(table, 2)
    table.check(1, 2)
    assert fair_deals(table) == [], "what side 1 gave counts no more"
    assert not table.follower[2].owes_check()
    table.check(1)
    assert dealt(table).absent == (2,)
    table.until(Phase.OPENING, 1)
    table.spread(table.writer.open_hand())
    assert awaited(table.position) == {1}
    table.check(2, 1)
    assert dealt(table).absent == (2,)
    table.until(Phase.CHECKS, 2)
    findings = verify_log(table.payloads[1])
    assert findings.honest
    assert findings.hands[0].missing == (), "it signs what it found all the same"


def test_absent_is_refused_unless_the_deal_waits_for_that_side() -> None:
    table = new_table("hearts")
    table.check(1)
    for side in (0, 1, 3, 15):
        forged = table.signed(1, AbsentEntry(1, side), 0)
        assert {cause_of(table.position_of(one), forged) for one in SIDES} == {Cause.RULES}
    forged = table.signed(1, AbsentEntry(1, 2), 2)
    assert {cause_of(table.position_of(one), forged) for one in SIDES} == {Cause.SIGNATURE}
    absent(table, 2)
    again = table.signed(2, AbsentEntry(2, 2), 0)
    assert {cause_of(table.position_of(one), again) for one in SIDES} == {Cause.RULES}


def test_nobody_drops_out_of_a_game_that_is_won_or_was_broken_off() -> None:
    won = Table("crazy_eights", replace(OPTIONS["telecards"][1], winning_score=1), 35)
    won.until(Phase.OPENING, 1)
    broken_off = new_table("hearts")
    broken_off.until(Phase.PLAY, 1)
    for table, reason in ((won, CloseReason.WON), (broken_off, CloseReason.ENDED)):
        table.spread(table.writer.open_hand())
        assert not awaited(table.position)
        with pytest.raises(Refused):
            table.writer.absent(1)
        table.spread(table.writer.close(reason))


def test_a_check_is_signed_for_the_number_that_is_due() -> None:
    table = new_table("hearts")
    early = table.follower[1].check()
    absent(table, 2)
    assert cause_of(table.position, bytes(early)) is Cause.BASE
    old = CheckEntry(1, 1, 0, Verdict.GOOD, chain_value(table.seeds[1], 1))
    assert cause_of(table.position, table.signed(1, old, 1)) is Cause.RULES


def test_in_version_1_whoever_has_checked_by_the_deal_has_a_part() -> None:
    table = Table(*OPTIONS["hearts"], 5, version=1)
    assert fair_deals(table) == [(1, 2)]
    table.check(1)
    assert fair_deals(table) == [(2,)]
    without_value = CheckEntry(0, 2, 0, Verdict.GOOD, b"")
    assert cause_of(table.position, table.signed(1, without_value, 2)) is Cause.FAIRNESS
    dealt(table)
    assert (table.position.dealt, table.position.state.hand) == (1, 1)
