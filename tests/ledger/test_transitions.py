"""Every row of the table of transitions holds up games that were really played, and no row is there for nothing.

The games: what version 0.1.0 wrote, and some in which seats are taken over, given back and the game is ended wherever
the log allows it. `phases.json` says how many records each of them spends in which phase, one after the other.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import groupby
from pathlib import Path

import pytest

from p2pcards.games.game import Stage
from p2pcards.games.registry import GAMES
from p2pcards.ledger import transitions
from p2pcards.ledger.advance import events_to_take_back, voters
from p2pcards.ledger.payloads import RECORD, start_payloads
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import TRANSITIONS, ByStage, Phase
from p2pcards.ledger.verify import FalseLog, Transcript, read_transcript
from p2pcards.store.logs import read_log
from p2pcards.wire.packing import Refused
from p2pcards.wire.reasons import CloseReason, TakeoverReason
from p2pcards.wire.records import EntryKind, RedealEntry, UndoEntry, split_frame
from rigs import vectors
from rigs.pure import remembered_signatures
from rigs.recorded import OPTIONS, Table, after_a_hand

signatures = remembered_signatures()

FOLDER = Path(__file__).with_name("version-0.1.0")
PHASES: dict[str, list[list[object]]] = json.loads((FOLDER.parent / "phases.json").read_text())
Row = tuple[Phase, EntryKind, Stage | None]


def rows() -> Iterator[Row]:
    """Every row; where the game decides, one for each stage."""
    for (phase, kind), leads_to in TRANSITIONS.items():
        yield from ((phase, kind, stage) for stage in ([None] if isinstance(leads_to, Phase) else leads_to))


def taken_and_given_back(table: Table) -> None:
    """In the phase in which the table is, seat 1 is taken over and given back."""
    table.spread(table.writer.takeover(1, TakeoverReason.ASKED_FOR))
    table.spread(table.writer.give_back(1))


def interrupted(last: Phase) -> list[bytes]:
    """A game that is disturbed in every phase of its first hand, and ended in this phase of its second."""
    table = Table(*OPTIONS["crazy_eights"], seed=5, drawn=True)
    for phase in (Phase.CHECKS, Phase.DEALING, Phase.PLAY, Phase.OPENING):
        while table.position.phase is not phase:
            table.step()
        taken_and_given_back(table)
        if phase is Phase.PLAY:
            table.spread(table.writer.pause())
            taken_and_given_back(table)
            table.spread(table.writer.resume())
    during = Phase.PLAY if last is Phase.PAUSED else last
    while table.position.phase is not during or (table.position.state.hand == 1 and during is Phase.PLAY):
        table.step()
    if last is Phase.PAUSED:
        table.spread(table.writer.pause())
    if during is Phase.PLAY:
        table.spread(table.writer.open_hand())
    table.spread(table.writer.close(CloseReason.ENDED))
    return table.payloads[0]


def ended_before_the_deal() -> list[bytes]:
    table = Table(*OPTIONS["crazy_eights"], seed=5, drawn=True)
    while table.position.phase is not Phase.DEALING:
        table.step()
    table.spread(table.writer.close(CloseReason.ENDED))
    return table.payloads[0]


def takes_back(position: Position) -> bool:
    try:
        return bool(events_to_take_back(position))
    except Refused:
        return False


def dealt_again() -> list[bytes]:
    """A game in which two hands are given up, and a move is taken back that all agree to."""
    table = Table("rummy_500", replace(GAMES["rummy_500"].presets["meggiesoft"], players=3), seed=5)
    table.until(Phase.PLAY, 1)
    for _ in range(2):
        table.step()
        yeses = [table.follower[side].yes(RedealEntry(table.position.count, 2)) for side in voters(table.position)]
        table.spread(table.writer.redeal(2, tuple(yeses)))
        while table.position.phase is not Phase.PLAY:
            table.step()
    while not takes_back(table.position):
        table.step()
    undo = UndoEntry(table.position.count)
    table.spread(table.writer.undo(tuple([table.follower[side].yes(undo) for side in voters(table.position)])))
    table.spread(table.writer.open_hand())
    table.spread(table.writer.close(CloseReason.ENDED))
    return table.payloads[0]


def dealt_without_somebody() -> list[bytes]:
    table = after_a_hand("crazy_eights")
    table.spread(table.writer.absent(2))
    table.until(Phase.PLAY, 2)
    table.spread(table.writer.open_hand())
    table.spread(table.writer.close(CloseReason.ENDED))
    return table.payloads[0]


def learnt_alone() -> list[bytes]:
    """A hand of somebody who is alone: taken back, exchanged, seen, and dealt once more."""
    game = vectors.read("games/alone.txt")
    frame, _ = split_frame(vectors.hex_of(game, "header"))
    begun = start_payloads(0, vectors.hex_of(game, "chain seed 0"), frame)
    return [*begun, *[RECORD + bytes.fromhex(record) for record in game["record"]]]


@cache
def games() -> dict[str, list[bytes]]:
    kept = {path.stem: read_log(path).payloads for path in sorted(FOLDER.glob("*.log"))}
    return kept | {
        "ended between hands": interrupted(Phase.CHECKS),
        "ended in mid-hand": interrupted(Phase.PLAY),
        "ended while paused": interrupted(Phase.PAUSED),
        "ended before the deal": ended_before_the_deal(),
        "dealt again": dealt_again(),
        "dealt without somebody": dealt_without_somebody(),
        "learnt alone": learnt_alone(),
    }


@cache
def transcripts() -> dict[str, Transcript]:
    """Of each game, by the table as it is."""
    return {name: read_transcript(game) for name, game in games().items()}


@cache
def games_with() -> dict[Row, list[str]]:
    """For each row the games in which it occurs, the shortest first."""
    found: dict[Row, list[str]] = {}
    for name in sorted(games(), key=lambda name: len(games()[name])):
        for row in set(rows_of(transcripts()[name])):
            found.setdefault(row, []).append(name)
    return found


def told(game: list[bytes]) -> list[list[object]] | None:
    """The phases of a game, each with the number of positions in it; None if the log is refused."""
    try:
        transcript = read_transcript(game)
    except FalseLog:
        return None
    return phases_of(transcript)


def phases_of(transcript: Transcript) -> list[list[object]]:
    return [[phase.value, len(list(run))] for phase, run in groupby([one.phase for one in transcript.positions])]


def rows_of(transcript: Transcript) -> Iterator[Row]:
    before_and_after = zip(transcript.positions, transcript.entries, transcript.positions[1:], strict=False)
    for before, entry, after in before_and_after:
        decides = not isinstance(TRANSITIONS[before.phase, entry.kind], Phase)
        yield before.phase, entry.kind, after.state.stage if decides else None


def test_the_games_show_every_row_and_no_other() -> None:
    assert set(games_with()) == set(rows())


@pytest.mark.parametrize("name", PHASES)
def test_a_game_goes_through_the_phases_that_it_went_through(name: str) -> None:
    assert phases_of(transcripts()[name]) == PHASES[name]


def mutations(row: Row) -> Iterator[dict[tuple[Phase, EntryKind], Phase | ByStage]]:
    """The table with this row left out, and leading to every other phase."""
    phase, kind, stage = row
    others = {key: value for key, value in TRANSITIONS.items() if key != (phase, kind)}
    true = TRANSITIONS[phase, kind]
    for other in (None, *Phase):
        if isinstance(true, Phase):
            if other is not true:
                yield others | ({(phase, kind): other} if other else {})
        elif stage is not None and other is not true[stage]:
            left = {key: value for key, value in true.items() if key is not stage}
            yield {**others, (phase, kind): {**left, stage: other} if other else left}


@pytest.mark.parametrize("row", list(rows()), ids=lambda row: "-".join([getattr(part, "name", "any") for part in row]))
def test_a_row_that_leads_elsewhere_or_is_missing_is_noticed(row: Row, monkeypatch: pytest.MonkeyPatch) -> None:
    with_row = {name: games()[name] for name in games_with()[row]}  # played by the table as it is
    for table in mutations(row):
        with monkeypatch.context() as patched:
            patched.setattr(transitions, "TRANSITIONS", table)
            assert any(told(game) != PHASES[name] for name, game in with_row.items()), (
                f"nobody notices {table.get(row[:2])}"
            )


@cache
def cut_for() -> list[bytes]:
    """A game that players cut for, in its first hand."""
    table = Table("cribbage", GAMES["cribbage"].presets["telecards"], seed=5, drawn=True)
    table.until(Phase.OPENING, 1)
    return table.payloads[0]


@pytest.mark.parametrize("stage", transitions.AFTER_CUT)
def test_a_cut_that_leads_elsewhere_is_noticed(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    true = told(cut_for())
    assert true and [phase for phase, _ in true[:4]] == ["checks", "play", "dealing", "play"]
    for other in (None, *Phase):
        if other is not transitions.AFTER_CUT[stage]:
            left = {key: value for key, value in transitions.AFTER_CUT.items() if key is not stage}
            table = {(Phase.PLAY, EntryKind.ACTION): {**left, stage: other} if other else left}
            with monkeypatch.context() as patched:
                patched.setattr(transitions, "BEFORE_THE_CARDS", table)
                assert told(cut_for()) != true, f"nobody notices {other}"
