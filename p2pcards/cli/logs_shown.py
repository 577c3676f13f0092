"""A log shown once more: the pages of a replay, the data of an export, the board of its scores. What cannot be shown is
a sentence and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from p2pcards.cli.command import Failure, current_home, find_log_path
from p2pcards.cli.terminal import print_text
from p2pcards.control.exits import DAMAGED, USAGE
from p2pcards.frontend.record_pages import RecordPage, board_page
from p2pcards.frontend.replayed import Replayed
from p2pcards.ledger.verify import FalseLog, Moment, NotOpened, Transcript, moments, moments_as, read_transcript
from p2pcards.players.characters import CHARACTERS
from p2pcards.present.cards import Style
from p2pcards.present.replaying import ReplayPage, export_data, replay_pages_of
from p2pcards.results.reading import read_result
from p2pcards.store.guarded import guarded
from p2pcards.store.logs import DamagedLog, FaultyLog, read_log
from p2pcards.views.standpoint import Cast, CastMember, player_name
from p2pcards.wire.clean import clean
from p2pcards.wire.packing import Refused

CAST: Cast = tuple([CastMember(one.key, one.name, one.level) for one in CHARACTERS.values()])


def _unreadable_log(fault: str) -> Failure:
    return Failure(FaultyLog(fault).with_advice, DAMAGED)


NOTHING_YET = "Nothing has happened in this game yet."


@guarded(_unreadable_log, Failure, OSError)
def moments_in_log(log: str, hand: int | None, seat: str, all_open: bool) -> list[Moment]:
    """The moments of a game in a log, at least one. The arguments are those of `p2pcards replay`. Raises Failure."""
    hands, _ = _select_hands(_read_transcript(log), hand, seat, all_open)
    found = [moment for one in hands for moment in one]
    if not found:
        raise Failure(NOTHING_YET, USAGE)
    return found


@guarded(_unreadable_log, Failure, OSError)
def replay_pages(log: str, hand: int | None, seat: str, all_open: bool, style: Style) -> tuple[ReplayPage, ...]:
    """The pages of a replay, at least one. The arguments are those of `p2pcards replay`. Raises Failure."""
    shown = replay_pages_of(moments_in_log(log, hand, seat, all_open), CAST, style)
    if not shown:
        raise Failure(NOTHING_YET, USAGE)
    return shown


def replayed_game(log: str) -> Replayed:
    """A game from a log as its owner saw it. Raises Failure."""
    return Replayed(moments_in_log(log, None, "", False), CAST)


@guarded(_unreadable_log, Failure, OSError)
def export_log_data(log: str, hand: int | None, seat: str, all_open: bool) -> dict[str, Any]:
    """The data of an export. The arguments are those of `p2pcards export`. Raises Failure."""
    transcript = _read_transcript(log)
    hands, seen = _select_hands(transcript, hand, seat, all_open)
    return export_data(transcript, hands, seen, CAST)


@guarded(_unreadable_log, Failure)
def scores_in_log(path: Path, colour: bool) -> RecordPage:
    """The scores in this log, hand by hand. Raises Failure."""
    try:
        return board_page(read_result(read_log(path).payloads), colour)
    except DamagedLog as damaged:
        raise Failure(damaged.with_advice, DAMAGED) from None
    except Refused as refused:
        raise Failure(f"Can't read a game from {path}: {refused}", DAMAGED) from None


# --- the hands that are wanted ----------------------------------------------------------------------------------------


def _read_transcript(log: str) -> Transcript:
    """Read a log. Raises Failure for one that doesn't prove itself."""
    path = find_log_path(current_home(), log)
    try:
        return read_transcript(read_log(path).payloads)
    except DamagedLog as damaged:
        raise Failure(damaged.with_advice, DAMAGED) from None
    except FalseLog as false:
        raise Failure(f"This log doesn't check out: {false} To see where: p2pcards verify {log}", DAMAGED) from None


def _select_hands(
    transcript: Transcript, hand: int | None, seat: str, all_open: bool
) -> tuple[list[Sequence[Moment]], str]:
    """(hands, viewer): the hands asked for, each as its moments, and the viewer in words. Raises Failure."""
    if seat and all_open:
        raise Failure("Use --as or --open, not both: one player's view, or all cards.", USAGE)
    mine = moments(transcript)
    numbers = sorted({one.hand for one in mine if one.hand})
    if hand is not None and hand not in numbers:
        there = f"It has hands 1 to {numbers[-1]}." if numbers else "No hands have been dealt yet."
        raise Failure(f"There's no hand {hand} in this log. {there}", USAGE)
    chosen = numbers if hand is None else [hand]
    place = _parse_seat(transcript, seat) if seat else None
    owner = transcript.end
    if not all_open and place in (None, owner.seat):
        who = "a watcher" if owner.seat is None else player_name(owner, owner.seat, CAST)
        return [[one for one in mine if one.hand == number] for number in chosen], f"as {who} saw it"
    found: list[Sequence[Moment]] = []
    why = ""
    for number in chosen:
        try:
            found.append(moments_as(transcript, place, number))
        except NotOpened as error:
            why = why or str(error)
    if not found:
        raise Failure(why or "No hands have been dealt yet.", USAGE)
    if why:
        print_text(why, sys.stderr)
    return found, "with all cards open" if place is None else f"as {player_name(owner, place, CAST)} saw it"


def _parse_seat(transcript: Transcript, word: str) -> int:
    names: list[Any] = [
        clean(player_name(transcript.end, seat, CAST), 24) for seat in range(len(transcript.end.header.seats))
    ]
    numbers = [str(number) for number in range(1, len(names) + 1)]
    if word in numbers:
        return numbers.index(word)
    for seat, name in enumerate(names):
        if name.lower() == word.lower():
            return seat
    there = ", ".join([f"{number} {name}" for number, name in enumerate(names, 1)])
    raise Failure(f"There's no seat {word!r}. Seats: {there}.", USAGE)
