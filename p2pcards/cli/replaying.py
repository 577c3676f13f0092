"""`p2pcards replay` and `p2pcards export`: a game that was played, to look at and to hand on."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from p2pcards.cli.failing import Failure
from p2pcards.cli.home import our_home
from p2pcards.cli.options import AsJson
from p2pcards.cli.output import at_terminal, say, show, takes_suits
from p2pcards.control.exits import DAMAGED, USAGE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2pcards.ledger.verify import Moment, Transcript
    from p2pcards.views.cast import Cast

Log = Annotated[str, typer.Argument(metavar="LOG", help="A name as `p2pcards logs` shows it, or a file.")]
Hand = Annotated[int | None, typer.Option("--hand", min=1, metavar="N", help="This hand alone.")]
As = Annotated[
    str, typer.Option("--as", metavar="SEAT", help="As the player in this seat saw it: a number from 1, or a name.")
]
Open = Annotated[bool, typer.Option("--open", help="With everybody's cards; only of hands that were opened.")]


class Format(StrEnum):
    TEXT = "text"
    JSON = "json"


def replay(
    log: Log,
    hand: Hand = None,
    seat: As = "",
    all_open: Open = False,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Suits as the letters C D H S.")] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Commands in words instead of keys.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show a game again, step by step. Where there is no terminal all steps are printed."""
    from p2pcards.cli.replay_screen import watch_by_keys, watch_by_words
    from p2pcards.present.cards import Style
    from p2pcards.present.replaying import Reel, pages

    transcript, cast = _read(log), _cast()
    hands, _ = _wanted(transcript, hand, seat, all_open, cast)
    terminal = at_terminal() and not as_json
    dumb = plain or os.environ.get("TERM", "dumb") == "dumb"
    style = Style(ascii=ascii_only or not takes_suits(), colour=terminal and not dumb and "NO_COLOR" not in os.environ)
    shown = pages([moment for one in hands for moment in one], cast, style)
    if not shown:
        raise Failure("Nothing has happened in this game yet.", USAGE)
    if terminal:
        (watch_by_words if dumb else watch_by_keys)(Reel(shown), sys.stdin, sys.stdout)
        return
    data = [
        {"step": step, "record": page.record, "hand": page.hand, "story": page.story}
        for step, page in enumerate(shown, 1)
    ]
    lines = [
        line
        for step, page in enumerate(shown, 1)
        for line in (f"{step:4}. {page.story[0]}", *[f"      {more}" for more in (*page.story[1:], *page.hands)])
    ]
    show(data, lines, as_json)


def export(
    log: Log,
    form: Annotated[Format, typer.Option("--format", help="Text for a report, or JSON for programs.")] = Format.TEXT,
    hand: Hand = None,
    seat: As = "",
    all_open: Open = False,
) -> None:
    """Print hands move by move, with the level and the seed of every computer player's move."""
    from p2pcards.present.exporting import export_data, export_lines

    transcript, cast = _read(log), _cast()
    hands, seen = _wanted(transcript, hand, seat, all_open, cast)
    data = export_data(transcript, hands, seen, cast)
    show(data, export_lines(data), form is Format.JSON)


def _read(log: str) -> Transcript:
    """Raises Failure for a log that does not prove itself."""
    from p2pcards.cli.wanted import log_path
    from p2pcards.ledger.verify import FalseLog, read_transcript
    from p2pcards.store.logs import DamagedLog, read_log

    path = log_path(our_home(), log)
    try:
        return read_transcript(read_log(path).payloads)
    except DamagedLog as damaged:
        raise Failure(damaged.with_advice, DAMAGED) from None
    except FalseLog as false:
        raise Failure(f"This log does not prove itself: {false} 'p2pcards verify {log}' says where.", DAMAGED) from None


def _cast() -> Cast:
    from p2pcards.players.characters import CHARACTERS
    from p2pcards.views.cast import CastMember

    return tuple([CastMember(one.key, one.name, one.level) for one in CHARACTERS.values()])


def _wanted(
    transcript: Transcript, hand: int | None, seat: str, all_open: bool, cast: Cast
) -> tuple[list[Sequence[Moment]], str]:
    """The hands as they are to be seen, and by whom they are seen, in words. Raises Failure."""
    from p2pcards.ledger.verify import NotOpened, moments, moments_as
    from p2pcards.views.table_view import seat_name

    if seat and all_open:
        raise Failure("--as shows what one player saw, --open what nobody saw: choose one of them.", USAGE)
    mine = moments(transcript)
    numbers = sorted({one.hand for one in mine if one.hand})
    if hand is not None and hand not in numbers:
        there = f"It has hands 1 to {numbers[-1]}." if numbers else "None was dealt yet."
        raise Failure(f"There is no hand {hand} in this log. {there}", USAGE)
    chosen = numbers if hand is None else [hand]
    place = _seat(transcript, seat, cast) if seat else None
    owner = transcript.end
    if not all_open and place in (None, owner.seat):
        who = "a watcher" if owner.seat is None else seat_name(owner, owner.seat, cast)
        return [[one for one in mine if one.hand == number] for number in chosen], f"as {who} saw it"
    found: list[Sequence[Moment]] = []
    why = ""
    for number in chosen:
        try:
            found.append(moments_as(transcript, place, number))
        except NotOpened as error:
            why = why or str(error)
    if not found:
        raise Failure(why or "No hand was dealt yet.", USAGE)
    if why:
        say(why, sys.stderr)
    return found, "with all cards open" if place is None else f"as {seat_name(owner, place, cast)} saw it"


def _seat(transcript: Transcript, word: str, cast: Cast) -> int:
    from p2pcards.views.table_view import seat_name
    from p2pcards.wire.clean import clean

    names: list[Any] = [
        clean(seat_name(transcript.end, seat, cast), 24) for seat in range(len(transcript.end.header.seats))
    ]
    if word.isdecimal() and 1 <= int(word) <= len(names):
        return int(word) - 1
    for seat, name in enumerate(names):
        if name.lower() == word.lower():
            return seat
    there = ", ".join([f"{number} {name}" for number, name in enumerate(names, 1)])
    raise Failure(f"There is no seat {word!r}. The seats are {there}.", USAGE)
