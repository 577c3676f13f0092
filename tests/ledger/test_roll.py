"""The roll: who has a part in a pack is settled before anybody knows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from itertools import combinations
from random import Random

import pytest

from making.vectors import Played, give_up
from p2pcards.games.crazy_eights import rules as crazy_eights
from p2pcards.games.outcome import NO_OUTCOME
from p2pcards.ledger.advance import advance
from p2pcards.ledger.fair import awaited_sides, chain_value, is_needed, parts_of_deal, secret_of
from p2pcards.ledger.payloads import count_drops
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.verify import verify_log
from p2pcards.wire.packing import Cause, Refused
from p2pcards.wire.reasons import CloseReason, Verdict
from p2pcards.wire.records import (
    ENTRY_LABEL,
    VERSION,
    AbsentEntry,
    CheckEntry,
    DealEntry,
    Entry,
    Record,
    encode_entry,
    sign,
)
from rigs.pure import remembered_signatures
from rigs.recorded import OPTIONS, SIDES, Table, after_a_hand, cause_of, entry_of, new_table

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


def test_the_first_hand_is_dealt_by_all() -> None:
    table = new_table("hearts")
    for side in LISTENERS:
        forged = table.signed(0, AbsentEntry(0, side), 0)
        assert {cause_of(table.position_of(one), forged) for one in SIDES} == {Cause.RULES}
        nothing = table.signed(0, CheckEntry(0, side, 0, Verdict.GOOD, b""), side)
        assert {cause_of(table.position_of(one), nothing) for one in SIDES} == {Cause.FAIRNESS}
    table.check(2)
    assert fair_deals(table) == []
    assert cause_of(table.position_of(2), table.signed(1, AbsentEntry(1, 1), 0)) is Cause.RULES
    without_chain(table, 1)
    assert not table.follower[1].owes_check(), "there is nothing that it could sign"
    table.spread(table.writer.close(CloseReason.ENDED))


def test_the_last_listener_on_the_roll_never_drops_out() -> None:
    table = after_a_hand("telecards")
    absent(table, 2)
    count = table.position.count
    forged = table.signed(count, AbsentEntry(count, 1), 0)
    assert {cause_of(table.position_of(one), forged) for one in SIDES} == {Cause.RULES}
    nothing = table.signed(count, CheckEntry(count, 1, table.position.dealt, Verdict.GOOD, b""), 1)
    assert {cause_of(table.position_of(one), nothing) for one in SIDES} == {Cause.FAIRNESS}
    table.check(2)
    assert fair_deals(table) == [], "a value that comes too late is none for this hand"
    without_chain(table, 1)
    assert not table.follower[1].owes_check()
    table.spread(table.writer.close(CloseReason.ENDED))


def test_the_value_that_was_revealed_last_goes_into_a_pack_without_its_side() -> None:
    table = after_a_hand("telecards")
    absent(table, 2)
    table.check(1)
    first, second = (chain_value(table.seeds[side], number) for side, number in ((1, 3), (2, 1)))
    assert dealt(table).absent == (2,)
    assert table.position.parts == ((1, first), (2, second))
    head, mine = table.position.first_head, chain_value(table.seeds[0], 3)
    secret = secret_of(table.header, head, 3, mine, dict(table.position.parts))
    assert (
        secret
        == sha256(b"p2pcards pack 2" + head + bytes((0, 0, 0, 3)) + mine + b"\1" + first + b"\2" + second).digest()
    )
    table.until(Phase.CHECKS, 2)
    assert [table.position_of(side).finding for side in SIDES] == [Verdict.GOOD] * 3


def test_what_an_absent_side_reveals_once_the_roll_is_called_changes_no_pack() -> None:
    """Else the holder of its check could choose between two packs."""
    table = after_a_hand("telecards")
    table.check(2)
    absent(table, 1)
    table.check(2)
    without_it = parts_of_deal(table.position)
    assert without_it == (((1, chain_value(table.seeds[1], 1)), (2, chain_value(table.seeds[2], 3))), (1,))
    table.check(1)
    assert parts_of_deal(table.position) == without_it


def test_a_deal_waits_for_everybody_on_the_roll() -> None:
    table = new_table("hearts")
    assert awaited_sides(table.position) == {1, 2}
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


def test_a_coordinator_has_never_more_than_one_pack_to_deal_and_one_more_for_each_who_is_absent_but_the_last() -> None:
    """Every order of checks and absences: no DEAL, or one; and each pack that could be dealt is another."""
    waiting: list[list[tuple[str, int]]] = [[]]
    packs_seen = set()
    while waiting:
        steps = waiting.pop()
        table = after_a_hand("telecards")
        follow(table, steps)
        deals = fair_deals(table)
        assert len(deals) <= 1
        if deals:
            hand, (parts, _) = table.position.next_hand(), parts_of_deal(table.position)
            packs_seen.add((hand, parts))
            assert hand == 2 + sum(what == "absent" for what, _ in steps)
            continue
        open_to = sorted(awaited_sides(table.position))
        waiting += [[*steps, ("check", side)] for side in open_to]
        waiting += [[*steps, ("absent", side)] for side in open_to if not is_needed(table.position, side)]
    assert len(packs_seen) == 1 + 2, "both, and each of them alone"
    assert max(hand for hand, _ in packs_seen) == 1 + len(LISTENERS)


def test_what_the_others_gave_counts_no_more_once_somebody_is_absent() -> None:
    table = after_a_hand()
    table.check(1)
    given = table.position.known[1]
    absent(table, 2)
    assert fair_deals(table) == []
    table.check(1)
    assert given == (2, chain_value(table.seeds[1], 2))
    deal = dealt(table)
    assert (deal.hand, deal.absent) == (3, (2,))
    assert table.position.parts[0] == (1, chain_value(table.seeds[1], 3))
    table.until(Phase.CHECKS, 2)
    assert [table.position_of(side).finding for side in SIDES] == [Verdict.GOOD] * 3


def test_a_check_that_comes_too_late_is_for_the_hand_after() -> None:
    table = after_a_hand()
    absent(table, 2)
    table.check(2, 1)
    assert fair_deals(table) == [(2,)], "its value is known, and goes into no pack"
    dealt(table)
    table.until(Phase.OPENING, 2)
    table.spread(table.writer.open_hand())
    assert awaited_sides(table.position) == {1, 2}
    table.check(1, 2)
    assert dealt(table).absent == ()


def test_a_listener_who_gave_nothing_is_not_waited_for_and_comes_back_a_hand_after_their_check() -> None:
    table = after_a_hand()
    absent(table, 2)
    table.check(1)
    assert dealt(table).absent == (2,)
    for hand, without in ((2, (2,)), (3, ())):
        table.until(Phase.OPENING, hand)
        table.spread(table.writer.open_hand())
        assert awaited_sides(table.position) == {side for side in LISTENERS if side not in without}
        table.check(1, 2)
        assert dealt(table).absent == without


def without_chain(table: Table, side: int) -> None:
    """This side has lost its log, and with it its chain."""
    follower = table.follower[side]
    follower.position = follower.position.changed(seed=b"")


def test_a_side_without_a_chain_checks_without_a_value_and_drops_out_by_itself() -> None:
    table = after_a_hand()
    without_chain(table, 2)
    table.check(1, 2)
    assert fair_deals(table) == [], "what side 1 gave counts no more"
    assert not table.follower[2].owes_check()
    table.check(1)
    assert dealt(table).absent == (2,)
    table.until(Phase.OPENING, 2)
    table.spread(table.writer.open_hand())
    assert awaited_sides(table.position) == {1}
    table.check(2, 1)
    assert dealt(table).absent == (2,)
    table.until(Phase.CHECKS, 3)
    findings = verify_log(table.payloads[1])
    assert findings.honest
    assert findings.hands[1].missing == (), "it signs what it found all the same"


def test_absent_is_refused_unless_the_deal_waits_for_that_side() -> None:
    table = after_a_hand("telecards")
    table.check(1)
    count = table.position.count
    for side in (0, 1, 3, 15):
        forged = table.signed(count, AbsentEntry(count, side), 0)
        assert {cause_of(table.position_of(one), forged) for one in SIDES} == {Cause.RULES}
    forged = table.signed(count, AbsentEntry(count, 2), 2)
    assert {cause_of(table.position_of(one), forged) for one in SIDES} == {Cause.SIGNATURE}
    absent(table, 2)
    again = table.signed(count + 1, AbsentEntry(count + 1, 2), 0)
    assert {cause_of(table.position_of(one), again) for one in SIDES} == {Cause.RULES}


def test_nobody_drops_out_of_a_game_that_is_won_or_was_broken_off() -> None:
    won = Table("crazy_eights", replace(OPTIONS["telecards"][1], winning_score=1), 35)
    won.until(Phase.OPENING, 1)
    broken_off = new_table("hearts")
    broken_off.until(Phase.PLAY, 1)
    for table, reason in ((won, CloseReason.WON), (broken_off, CloseReason.ENDED)):
        table.spread(table.writer.open_hand())
        assert not awaited_sides(table.position)
        with pytest.raises(Refused):
            table.writer.absent(1)
        table.spread(table.writer.close(reason))


def test_a_check_is_signed_for_the_number_that_is_due() -> None:
    table = after_a_hand("telecards")
    early = table.follower[1].check()
    absent(table, 2)
    assert cause_of(table.position, bytes(early)) is Cause.BASE
    count = table.position.count
    old = CheckEntry(count, 1, 1, Verdict.GOOD, chain_value(table.seeds[1], 2))
    assert cause_of(table.position, table.signed(count, old, 1)) is Cause.RULES


def test_in_version_1_a_listener_who_has_checked_by_the_deal_has_a_part() -> None:
    table = Table(*OPTIONS["hearts"], 5, version=1)
    assert fair_deals(table) == [(1, 2)]
    table.check(1)
    assert fair_deals(table) == [(2,)]
    without_value = CheckEntry(0, 2, 0, Verdict.GOOD, b"")
    assert cause_of(table.position, table.signed(1, without_value, 2)) is Cause.FAIRNESS
    dealt(table)
    assert (table.position.dealt, table.position.state.hand) == (1, 1)


# --- the pseudocode of fair-deal.md -----------------------------------------------------------------------------------


@dataclass
class Page:
    """The roll as the page writes it down, after an OPENING."""

    hand: int
    roll: set[int]
    last: dict[int, bytes]
    checked: set[int] = field(default_factory=set)
    silent: set[int] = field(default_factory=set)

    def check(self, side: int, *, value: bool) -> Cause | None:
        if side in self.checked:
            return Cause.RULES
        if not value and side in self.roll - self.checked:
            if self.roll == {side}:
                return Cause.FAIRNESS
            self.silent.add(side)
            self.drop(side)
        self.checked.add(side)
        return None

    def absent(self, side: int) -> Cause | None:
        if side not in self.roll - self.checked or self.roll == {side}:
            return Cause.RULES
        self.drop(side)
        return None

    def drop(self, side: int) -> None:
        self.roll.remove(side)
        self.hand += 1
        self.checked = set(self.silent)


@pytest.mark.parametrize("chance", range(40))
def test_three_listeners_who_check_or_drop_out_in_any_order_leave_what_the_page_says(chance: int) -> None:
    game, rng = three_listeners(), Random(chance)
    position = game.position
    given = {side: value for side, (_, value) in enumerate(position.known) if side}
    page = Page(position.dealt, {1, 2, 3}, given)
    records = list(game.records)
    for _ in range(8):
        what, side = rng.choice(("value", "none", "absent")), rng.choice((1, 2, 3))
        if what == "absent":
            entry: Entry = AbsentEntry(position.count, side)
            frame = sign(game.keys[0], ENTRY_LABEL, position.head, encode_entry(entry))
            due = page.absent(side)
        else:
            value = chain_value(game.seeds[side], position.dealt + 1) if what == "value" else b""
            entry = CheckEntry(position.open_base, side, position.dealt, Verdict.GOOD, value)
            frame = sign(game.keys[side], ENTRY_LABEL, position.open_head, encode_entry(entry))
            due = page.check(side, value=what == "value")
        assert cause_of(position, bytes(frame)) is due
        if due is None:
            position = advance(position, Record((frame,)), (entry,))
            records.append(bytes(Record((frame,))))
        assert count_drops(records, 0) == position.recalled
        found = position.dealt, set(position.roll), set(position.checked)
        assert found == (page.hand, page.roll, page.checked)
        assert dict(enumerate(position.last)) | page.last == dict(enumerate(position.last))


@cache
def three_listeners() -> Played:
    options = replace(crazy_eights.PRESETS["telecards"], players=4)
    game = Played("", "crazy_eights", options, 0, "roll", version=VERSION, listeners=3)
    give_up(game)
    return game
