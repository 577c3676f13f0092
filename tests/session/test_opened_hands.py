"""Hands that were opened: what computer players decided comes out again, and everybody's view can be shown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from p2pcards.cards.eyes import TRUTH, eyes_of_viewer, redact
from p2pcards.frontend.verdict import Known, judge_log, verdict_lines
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.verify import NotOpened, moments, moments_as, read_transcript, verify_log
from p2pcards.players.repeating import repeat_decisions
from p2pcards.store.logs import MAGIC, encode_record, parse_log
from p2pcards.wire.packing import encode_action
from p2pcards.wire.reasons import Verdict
from p2pcards.wire.records import EDITIONS, ActionEntry, CommitEntry
from rigs.net import Net
from rigs.pure import remembered_signatures
from rigs.recorded import SIDES, Table, new_table, played

signatures = remembered_signatures()


@pytest.mark.parametrize(("game", "option"), [("hearts", "end_score=25"), ("crazy_eights", "winning_score=1")])
def test_every_decision_of_a_computer_player_comes_out_again(game: str, option: str) -> None:
    """`choose(game, view, seat, level, Random(seed))` gives the very action that stands in the log, in every log."""
    net = Net(1, seed=6)  # whose computers are carefree, as their level in the header says
    net.sit_down(option, game=game)
    net.run()
    counts = []
    for i in (0, 1):
        transcript = read_transcript(net.log(i))
        computers = 0
        for hand in transcript.hands:
            for made in hand.decisions:
                action = repeat_decisions(transcript.end.game, [made])[made.record]
                entry = transcript.entries[made.record]
                number, fields = encode_action(transcript.end.game, action)
                if isinstance(entry, ActionEntry):
                    assert (entry.seat, entry.action, entry.fields) == (made.seat, number, fields)
                else:
                    assert isinstance(entry, CommitEntry) and action == made.action
                computers += 1
        findings = verify_log(net.log(i), repeat_decisions)
        assert sum(hand.decisions for hand in findings.hands) == computers > 20
        assert not any(hand.irreproducible for hand in findings.hands)
        counts.append(computers)
    assert counts[0] == counts[1]


def test_the_moves_of_a_character_count_as_decisions_and_those_of_people_do_not() -> None:
    table = played("hearts")
    transcript = read_transcript(table.payloads[1])
    (first, _) = transcript.hands
    seats = {made.seat for made in first.decisions}
    assert seats == {1, 3}, "seat 1 was taken over, seat 3 is a computer's"
    assert all(transcript.signers[made.record] == 0 for made in first.decisions)


def test_a_decision_that_does_not_come_out_again_is_named() -> None:
    """At these tables everybody plays by chance that is not the computers'."""
    table = played("hearts")
    findings = verify_log(table.payloads[1], repeat_decisions)
    assert findings.honest, "another version of the program may decide otherwise"
    (hand, _) = findings.hands
    assert 0 < len(hand.irreproducible) <= hand.decisions
    for made in hand.irreproducible:
        assert repeat_decisions(table.game, [made])[made.record] != made.action
    assert not verify_log(table.payloads[1]).hands[0].irreproducible, "nothing to agree to"


def test_decisions_of_an_edition_that_is_not_here_are_not_tried_and_so_not_found_to_be_others() -> None:
    findings = verify_log(played("hearts").payloads[1], lambda _game, _made: {})
    for hand in findings.hands:
        assert hand.untried == hand.decisions > 0 and not hand.irreproducible


def test_a_log_whose_decisions_nobody_can_repeat_holds_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its players were short of time, so their edition is no player's."""
    monkeypatch.setattr("rigs.recorded.edition_of", lambda _game, _level: EDITIONS)
    short_of_time, other = [judged(table) for table in (played.__wrapped__("hearts"), played("hearts"))]
    lines = "\n".join(verdict_lines(short_of_time))
    made = sum(hand["decisions"] for hand in short_of_time["hands"])
    assert made and short_of_time["state"] == other["state"]
    assert not any(hand["void"] or hand["not_repeated"] for hand in short_of_time["hands"])
    assert f"Computer players' moves: {made}, 0 reproduced." in lines
    assert f"{made} can't be checked: the players ran out of time" in lines
    assert not any("came from levels" in line for line in lines)


def judged(table: Table) -> dict[str, Any]:
    """What `p2pcards verify` says of the log of side 1."""
    data = MAGIC + b"".join([encode_record(payload) for payload in table.payloads[1]])
    return judge_log("log", parse_log(data), Known({}, b""), repeat_decisions).data


@pytest.mark.parametrize("name", ["hearts", "crazy_eights", "telecards"])
def test_an_opened_hand_shows_what_each_seat_saw(name: str) -> None:
    table = played(name)
    for side in SIDES:
        transcript = read_transcript(table.payloads[side])
        for seat in range(len(table.header.seats)):
            for moment in moments_as(transcript, seat, 1):
                truth = table.at[0][moment.record + 1].state
                if moment.after.phase is not Phase.CHECKS:
                    assert moment.after.state == redact(truth, eyes_of_viewer(seat))
                assert moment.after.seat == seat and moment.after.view is moment.after.state
        for moment in moments_as(transcript, None, 2):
            truth = table.at[0][moment.record + 1].state
            assert moment.after.state == truth and moment.after.eyes == TRUTH


@pytest.mark.parametrize("side", SIDES)
def test_the_own_view_is_what_the_log_holds(side: int) -> None:
    table = played("hearts")
    told = moments(read_transcript(table.payloads[side]))
    assert len(told) == table.position.count
    assert [moment.after.head for moment in told] == [position.head for position in table.at[side][1:]]
    assert told[0].hand == 0 and {moment.hand for moment in told} == {0, 1, 2}


def test_a_hand_that_was_not_opened_is_nobodys_to_see() -> None:
    table = new_table("hearts")
    table.until(Phase.CHECKS, 1)
    table.until(Phase.PLAY, 2)
    for side in SIDES:
        transcript = read_transcript(table.payloads[side])
        assert moments_as(transcript, None, 1)
        for seat in (None, 0, 3):
            with pytest.raises(NotOpened, match="Hand 2 wasn't opened"):
                moments_as(transcript, seat, 2)


def test_a_false_hand_cannot_be_shown_open() -> None:
    table = played("hearts")
    transcript = read_transcript(table.payloads[1])
    first, second = transcript.hands
    false = replace(
        transcript, hands=(replace(first, replay=replace(first.replay, verdict=Verdict.ILLEGAL_ACTION)), second)
    )
    with pytest.raises(NotOpened, match=r"Hand 1 is false \(an illegal move was made\)"):
        moments_as(false, None, 1)
    assert moments_as(false, None, 2)
