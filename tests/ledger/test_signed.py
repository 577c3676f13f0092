"""What a side must have signed before its log is acted upon, in histories whose coordinator does as they like."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest

from p2pcards.frontend.verdict import Known, judge_log, verdict_lines
from p2pcards.games.game import Stage
from p2pcards.ledger.advance import offered_actions
from p2pcards.ledger.fair import chain_value
from p2pcards.ledger.position import Position
from p2pcards.ledger.signed import NEEDED, Use, may_use_log
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.verify import verify_log
from p2pcards.results.reading import read_result
from p2pcards.store.logs import MAGIC, encode_record, parse_log
from p2pcards.wire.packing import Refused
from p2pcards.wire.reasons import CloseReason, TakeoverReason, Verdict
from p2pcards.wire.records import ActionEntry, CheckEntry, Entry
from rigs.pure import remembered_signatures
from rigs.recorded import OPTIONS, SIDES, Table, after_a_hand, cause_of, never_was, new_table

signatures = remembered_signatures()

VICTIM = 1
slow = [pytest.param(300, version, marks=pytest.mark.slow) for version in (2, 1)]


class Forger:
    """A coordinator at a table of three, who may do whatever their own key signs. given: the numbers of the hands for
    which the victim has truly signed a check with a value; signed, moved: whether they have signed anything, a
    move."""

    def __init__(self, seed: int, version: int) -> None:
        self.rng = Random(seed)
        self.table = Table(*OPTIONS["telecards"], seed % 7, version=version)
        self.given: set[int] = set()
        self.signed = self.moved = False

    @property
    def position(self) -> Position:
        return self.table.position_of(VICTIM)

    def go_on(self) -> None:
        table, writer = self.table, self.table.writer
        side = self.rng.choice(SIDES[1:])
        steps: list[Callable[[], None]] = [
            self.forge,
            lambda: table.spread(writer.takeover(1, TakeoverReason.LEFT)),
            lambda: table.spread(writer.give_back(1)),
        ]
        if table.position.phase is Phase.CHECKS:
            steps += [lambda: self.check(side), lambda: table.spread(writer.absent(side))] * 2
            steps += [lambda: self.check(side)] * 2
        with suppress(Refused):
            self.rng.choice(steps)()
        with suppress(Refused):
            table.spread(writer.deal())
            self.look()
        self.play()
        self.look()

    def check(self, side: int) -> None:
        follower, position = self.table.follower[side], self.table.position_of(side)
        if not follower.owes_check():
            return
        if self.rng.random() < 0.03:
            follower.position = position.changed(seed=b"")  # its chain is lost
            return
        hand, value = position.dealt + 1, bool(position.seed)
        self.table.check(side)
        if side == VICTIM:
            self.signed = True
            self.given |= {hand} if value else set()

    def play(self) -> None:
        """What is dealt to its end, and its opening; those who are not taken over play."""
        table, writer = self.table, self.table.writer
        if table.position.phase is Phase.DEALING:
            table.spread(writer.deal())
        while (position := table.position).phase is Phase.PLAY:
            if position.state.stage == Stage.SHOW:
                table.spread(writer.show())
                continue
            seat = self.rng.choice(position.state.to_act)
            if position.signer(seat) == VICTIM:
                self.signed = self.moved = True
            table.move(seat, self.rng.choice(offered_actions(position, seat)))
        if table.position.phase is Phase.OPENING:
            table.spread(writer.open_hand())

    def forge(self) -> None:
        """What only the victim could sign, signed by the coordinator: nobody takes it."""
        position, count = self.position, self.position.count
        value = self.rng.randbytes(24)
        entries: list[Entry] = [
            CheckEntry(position.open_base, VICTIM, position.dealt, Verdict.GOOD, value),
            CheckEntry(position.open_base, VICTIM, position.dealt, Verdict.GOOD, b""),
        ]
        if position.phase is Phase.PLAY and position.signer(1) == VICTIM:
            entries.append(ActionEntry(count, 1, 0, (18, None)))
        for entry in entries:
            assert cause_of(position, self.table.signed(count, entry, 0)) is not None

    def look(self) -> None:
        position = self.position
        assert position.signed is may_use_log(Use.FINISH, position) is self.signed
        assert position.moved is may_use_log(Use.COUNT, position) is self.moved
        if not position.has_roll:
            return
        assert may_use_log(Use.PLAY, position) is (1 in self.given)
        if position.phase in (Phase.PLAY, Phase.DEALING):
            assert 1 in self.given, "a hand is dealt of a game that it has not agreed to"
            assert len(position.absent) < len(SIDES[1:]), "one side alone has made this pack"
            parts = dict(position.parts)
            assert set(parts) == set(SIDES[1:])
            here = position.dealt in self.given and VICTIM not in position.absent
            assert here is (parts[VICTIM] == chain_value(self.table.seeds[VICTIM], position.dealt))

    def end(self) -> None:
        """The log as `verify` and the records read it."""
        with suppress(Refused):
            over = self.table.position.state.stage == Stage.OVER
            self.table.spread(self.table.writer.close(CloseReason.WON if over else CloseReason.ENDED))
        payloads = self.table.payloads[VICTIM]
        findings = verify_log(payloads)
        for hand in findings.hands:
            assert hand.verdict is Verdict.GOOD
            assert not hand.proven or hand.hand in self.given, "a hand is called proven in which it has no part"
        assert read_result(payloads).signed is self.moved


@pytest.mark.parametrize(("games", "version"), [(9, 2), (3, 1), *slow])
def test_what_a_listener_has_not_signed_is_never_proven_counted_or_played(games: int, version: int) -> None:
    for seed in range(games):
        forger = Forger(seed, version)
        for _ in range(16):
            if forger.position.opened < 2:
                forger.go_on()
        forger.end()


def test_a_coordinator_has_signed_their_game() -> None:
    position = new_table("telecards").position
    assert all(may_use_log(use, position) for use in Use if use is not Use.PROVE)


def test_a_hand_without_my_part_is_as_it_was_shown_and_proves_nothing_to_me() -> None:
    table = after_a_hand("telecards")
    table.spread(table.writer.absent(VICTIM))
    table.check(2)
    table.spread(table.writer.deal())
    table.until(Phase.CHECKS, 2)
    found = [[hand.proven for hand in verify_log(table.payloads[side]).hands] for side in SIDES]
    assert found == [[True, True], [True, False], [True, True]]
    assert not may_use_log(Use.PROVE, table.position_of(VICTIM)) and may_use_log(Use.PROVE, table.position_of(2))


def test_a_log_that_others_have_made_up_is_not_called_finished() -> None:
    payloads = never_was().payloads[VICTIM]
    data = parse_log(MAGIC + b"".join([encode_record(payload) for payload in payloads]))
    lines = "\n".join(verdict_lines(judge_log("log", data, Known({}, b"")).data))
    assert "unfinished; its owner signed nothing in it" in lines
    assert "proven: 0." in lines and "Hand 1: not proven: this log's owner took no part in its shuffle" in lines


def test_each_use_says_what_is_missing() -> None:
    assert set(NEEDED) == set(Use)
    assert all(one.words and one.without for one in NEEDED.values())
