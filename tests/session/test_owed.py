"""A coordinator's course through a game is the table that the book is printed from: every row is come to, and no other
record follows."""

from __future__ import annotations

import pytest

from p2pcards.ledger.transitions import Phase, may_follow
from p2pcards.session import owed
from p2pcards.session.owed import COURSE, Case
from p2pcards.wire.records import AbsentEntry, EntryKind
from rigs.net import Net
from rigs.people import by_hand, entries, run_to
from rigs.pure import remembered_signatures

signatures = remembered_signatures()


class Rows(dict[tuple[Phase, Case], EntryKind | None]):
    """The rows of the course, and which of them were looked up."""

    def __init__(self) -> None:
        super().__init__(COURSE)
        self.met: set[tuple[Phase, Case]] = set()

    def __getitem__(self, key: tuple[Phase, Case]) -> EntryKind | None:
        self.met.add(key)
        return super().__getitem__(key)


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch) -> Rows:
    found = Rows()
    monkeypatch.setattr(owed, "COURSE", found)
    return found


def test_every_record_of_the_course_may_follow_there() -> None:
    assert all(kind is None or may_follow(phase, kind) for (phase, _), kind in COURSE.items())


def test_a_game_to_its_end_comes_to_what_people_do_not_disturb(rows: Rows) -> None:
    net = Net(1)
    net.sit_down("winning_score=1")
    net.run_until(lambda: net.at(0).phase is Phase.CLOSED)
    assert rows.met == {
        (Phase.CHECKS, Case.MAY_CHECK),
        (Phase.CHECKS, Case.WON),
        (Phase.CHECKS, Case.GOES_ON),
        (Phase.DEALING, Case.GOES_ON),
        (Phase.PLAY, Case.TO_ACT),
        (Phase.PLAY, Case.TO_SHOW),
        (Phase.OPENING, Case.OVER),
    }


def test_a_table_at_which_nobody_is_pauses_goes_on_and_is_ended(rows: Rows) -> None:
    net = by_hand(1)
    for i in (0, 1):
        net.say(i, "away")
        net.run()
    assert net.at(0).phase is Phase.PAUSED
    net.say(1, "back")
    net.run()
    assert net.at(0).phase is Phase.PLAY
    net.say(1, "away")
    net.run()
    net.say(0, "end")
    net.run()
    assert net.at(0).phase is Phase.CLOSED
    paused = {(phase, case) for phase, case in COURSE if phase is Phase.PAUSED}
    assert rows.met >= {(Phase.PLAY, Case.NOBODY), (Phase.CHECKS, Case.ENDS), *paused}
    assert COURSE[Phase.PLAY, Case.ENDS] is COURSE[Phase.OPENING, Case.ENDS] is EntryKind.OPENING
    assert COURSE[Phase.DEALING, Case.ENDS] is EntryKind.CLOSE


def test_who_does_not_check_in_time_is_absent_where_the_deal_can_do_without(rows: Rows) -> None:
    net = Net(2)
    net.sit_down("end_score=25", game="hearts")
    run_to(net, 30)
    net.deaf.add(1)
    net.cut_all(1)
    net.run_for(200)
    assert (Phase.CHECKS, Case.IN_VAIN) in rows.met
    assert next(entry.side for entry in entries(net, 0, AbsentEntry)) == 1
