"""Hands as data, and as text that can be pasted into a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from p2pcards.cards.card import Card
from p2pcards.games.options import declared
from p2pcards.ledger.position import Position
from p2pcards.ledger.signed import has_part
from p2pcards.ledger.verify import Decision, Moment, Transcript, is_computers
from p2pcards.present.replaying import happenings
from p2pcards.present.story import sentence, story
from p2pcards.present.width import left, wrap
from p2pcards.views.cast import Cast
from p2pcards.views.happenings import Acted, Happening, SeatReturned, SeatTakenOver, TrickTaken
from p2pcards.views.table_view import preset_name, seat_name
from p2pcards.wire.clean import clean
from p2pcards.wire.entries import ActionEntry, CheckEntry, CommitEntry, DealEntry
from p2pcards.wire.header import NAME

Data = dict[str, Any]


def export_data(transcript: Transcript, hands: Sequence[Sequence[Moment]], seen: str, cast: Cast) -> Data:
    """Hands, each as its moments, ready for JSON. seen: by whom, in words. Records are counted from 1, seats from 0;
    cards are spelled as players write them; a seed is hexadecimal."""
    position = transcript.end
    header, options = position.header, position.state.options
    return {
        "game": position.game.key,
        "name": position.game.name,
        "preset": preset_name(position.game, options),
        "options": {one.key: getattr(options, one.key) for one in declared(position.game.options)},
        "game_id": position.game_id.hex(),
        "log_of": position.side,
        "seen": seen,
        "seats": [
            {"name": _name(position, seat, cast), "computer": entry.side is None, "level": clean(entry.level, NAME)}
            for seat, entry in enumerate(header.seats)
        ],
        "hands": [_hand(transcript, moments, cast) for moments in hands],
    }


def export_lines(data: Data) -> list[str]:
    """The same as text."""
    seats = [
        f"{number} {seat['name']}{' (computer, ' + seat['level'] + ')' if seat['computer'] else ''}"
        for number, seat in enumerate(data["seats"], 1)
    ]
    lines = wrap(f"{data['name']} ({data['preset']}), game {data['game_id']}, {data['seen']}.", indent="  ")
    if data["preset"] == "own rules":
        lines += wrap(", ".join([f"{key}={_plain(value)}" for key, value in data["options"].items()]), indent="  ")
    lines += wrap(f"Seats: {', '.join(seats)}.", indent="  ")
    for hand in data["hands"]:
        lines += ["", *_hand_lines(hand, [seat["name"] for seat in data["seats"]])]
    if any(row.get("seed") for hand in data["hands"] for row in hand["records"]):
        lines += ["", "A seed is what the computer player's chance was made from: Random(int(seed, 16))."]
    return lines


# --- as data ----------------------------------------------------------------------------------------------------------


def _hand(transcript: Transcript, moments: Sequence[Moment], cast: Cast) -> Data:
    number = moments[0].hand
    opened = next((one for one in transcript.hands if one.hand == number), None)
    decisions = {made.record: made for made in opened.decisions} if opened else {}
    last = moments[-1].after
    sheet = last.state.sheet
    dealt = next((one for one in reversed(moments) if isinstance(one.entry, DealEntry)), moments[0]).after
    return {
        "hand": number,
        "dealer": None if last.state.dealer is None else _name(last, dealt.state.dealer, cast),
        "absent": [last.names[side] for side in dealt.absent],
        "proven": None if opened is None else opened.replay.verdict == 0 and has_part(dealt),
        "why": "the hand was not opened" if opened is None else opened.replay.verdict.sentence,
        "dealt": [_cards(held.cards) for held in dealt.view.hands],
        "records": [_record(one, decisions.get(one.record), cast) for one in moments],
        "points": list(sheet.hand) if sheet else None,
        "totals": list(sheet.totals) if sheet else None,
    }


def _record(moment: Moment, decision: Decision | None, cast: Cast) -> Data:
    entry, told = moment.entry, happenings(moment, cast)
    row: Data = {
        "record": moment.record + 1,
        "kind": type(entry).__name__.removesuffix("Entry").lower(),
        "story": [story(_impersonal(one)) for one in told],
    }
    if isinstance(entry, CheckEntry):
        row |= {"name": moment.after.names[entry.side], "why": entry.verdict.sentence}
    if isinstance(entry, ActionEntry | CommitEntry):
        row |= _move(moment, entry, decision, cast)
    return row


def _move(moment: Moment, entry: ActionEntry | CommitEntry, decision: Decision | None, cast: Cast) -> Data:
    before, seat = moment.before, entry.seat
    words = next(one.words for one in happenings(moment, cast) if isinstance(one, Acted))
    made: Data = {"seat": seat, "name": _name(before, seat, cast), "by": _by(before, seat), "words": words}
    made["held"] = _cards(before.view.hands[seat].cards)
    if made["by"] != "person":
        made |= {
            "level": clean(before.header.seats[seat].level, NAME),
            "seed": f"{decision.seed:064x}" if decision else None,
        }
    return made


def _by(position: Position, seat: int) -> str:
    if position.header.seats[seat].side is None:
        return "computer"
    return "character" if is_computers(position, seat) else "person"


def _impersonal(happening: Happening) -> Happening:
    """Told by name, whoever reads it."""
    if isinstance(happening, Acted | TrickTaken | SeatTakenOver | SeatReturned):
        return replace(happening, mine=False)
    return happening


def _name(position: Position, seat: int, cast: Cast) -> str:
    return clean(seat_name(position, seat, cast), NAME)


def _cards(cards: Sequence[Card]) -> list[str]:
    return [str(card) for card in cards]


# --- as text ----------------------------------------------------------------------------------------------------------


def _hand_lines(hand: Data, names: Sequence[str]) -> list[str]:
    lines = [f"Hand {hand['hand']}" + (f", dealt by {hand['dealer']}" if hand["dealer"] else "")]
    if hand["absent"]:
        lines.append(f"Without a part in the shuffle: {', '.join(hand['absent'])}")
    wide = max(map(len, names))
    for name, cards in zip(names, hand["dealt"], strict=True):
        if cards:
            lines.append(f"  {left(name, wide)}  {' '.join(cards)}")
    for row in hand["records"]:
        if "words" in row:
            player = (
                f", {row['level']}, seed {row['seed'] or 'not known before the hand is opened'}"
                if "level" in row
                else ""
            )
            lines.append(f"{row['record']:5}  {left(row['name'], wide)}  {row['words']}{player}")
        elif row["story"] and row["kind"] != "deal":
            lines += [f"{row['record']:5}  {line}" for line in row["story"]]
    if hand["totals"]:
        points = zip(names, hand["points"], hand["totals"], strict=True)
        lines.append("Scores: " + ", ".join([f"{name} {change:+d} = {total}" for name, change, total in points]))
    lines.append(sentence(f"{'proven' if hand['proven'] else 'not proven'}: {hand['why']}"))
    return lines


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
