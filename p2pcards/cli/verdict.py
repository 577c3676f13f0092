"""What a log proves, as plain data and as sentences. Records are counted from 1, seats from 0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from p2pcards.games.game import Game
from p2pcards.games.options import declared
from p2pcards.players.characters import CHARACTERS
from p2pcards.present.story import names_text, value_text
from p2pcards.session.payloads import ME, RECORD
from p2pcards.session.verify import FalseLog, Findings, HandFinding, fork, verify_log
from p2pcards.store.logfile import DamagedLog, LogContents
from p2pcards.wire.clean import clean
from p2pcards.wire.entries import CLOSE_REASONS, VERDICTS
from p2pcards.wire.header import NAME, SeatEntry
from p2pcards.wire.keys import fingerprint

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Known:
    """The names of known peers by key, and my own public key, b"" if there is none."""

    names: Mapping[bytes, str]
    me: bytes


@dataclass(frozen=True, slots=True)
class Verdict:
    """state: "finished" (to the end, and honest), "unfinished" (honest so far), "false" (it does not prove itself, or
    proves a fault) or "damaged" (a byte was changed). findings: None where there are none. data: everything, for JSON.
    """

    state: str
    findings: Findings | None
    data: Data


def judge(log: str, contents: LogContents | DamagedLog, known: Known) -> Verdict:
    """log: what the log is called."""
    if isinstance(contents, DamagedLog):
        return _refused(
            log, "damaged", {"why": f"{contents} {contents.advice}", "offset": contents.offset, "record": None}
        )
    payloads = [payload for _, payload in contents.records]
    torn = {"offset": contents.torn_offset, "size": len(contents.torn)} if contents.torn else None
    if [payload[:1] for payload in payloads] in ([], [ME]):
        why = "It ends before the header of a game."
        return _refused(log, "unfinished", {"why": why, "offset": contents.torn_offset, "record": None, "torn": torn})
    try:
        findings = verify_log(payloads)
    except FalseLog as false:
        place = min(false.payload, len(payloads) - 1)  # what is missing behind the end
        offset = contents.records[place][0]
        record = false.records + 1 if payloads[place][:1] == RECORD else None
        return _refused(log, "false", {"why": str(false), "offset": offset, "record": record, "torn": torn})
    state = "false" if not findings.honest else "finished" if findings.finished else "unfinished"
    return Verdict(state, findings, {"log": log, "state": state, "torn": torn, **_facts(findings, known)})


def comparison(first: Verdict, second: Verdict) -> Data:
    """same_game: None if one of them proves nothing. forked_at: the first record in which two logs of one game differ,
    None if one continues the other."""
    data: Data = {"logs": [first.data["log"], second.data["log"]], "same_game": None, "forked_at": None}
    if first.findings and second.findings:
        data["same_game"] = first.findings.heads[0] == second.findings.heads[0]
        place = fork(first.findings, second.findings) if data["same_game"] else None
        data["forked_at"] = None if place is None else place + 1
        data["records"] = [first.findings.records, second.findings.records]
    return data


# --- as data ----------------------------------------------------------------------------------------------------------


def _refused(log: str, state: str, why: Data) -> Verdict:
    return Verdict(state, None, {"log": log, "state": state, "torn": None, **why})


def _facts(findings: Findings, known: Known) -> Data:
    position = findings.position
    header, state = position.header, position.state
    names = [clean(side.name, NAME) for side in header.sides]
    seats = [_seat_name(seat, names) for seat in header.seats]
    return {
        "game": position.game.key,
        "name": position.game.name,
        "preset": _preset(position.game, state.options),
        "options": {one.key: getattr(state.options, one.key) for one in declared(position.game.options)},
        "game_id": position.game_id.hex(),
        "records": findings.records,
        "head": findings.heads[-1].hex(),
        "log_of": position.side,
        "sides": [
            {
                "name": name,
                "fingerprint": fingerprint(side.key),
                "known_as": known.names.get(side.key),
                "you": side.key == known.me,
                "coordinates": number == 0,
            }
            for number, (side, name) in enumerate(zip(header.sides, names, strict=True))
        ],
        "seats": [
            {"name": name, "computer": seat.side is None, "score": score}
            for name, seat, score in zip(seats, header.seats, state.scores, strict=True)
        ],
        "winners": [seats[seat] for seat in state.winners],
        "ended": None if position.ended is None else CLOSE_REASONS[position.ended],
        "hands": [_hand(hand, names) for hand in findings.hands],
        "unproven": findings.unproven,
        "takeovers": [{"record": record + 1, "name": seats[seat]} for record, seat in findings.takeovers],
        "played_by_character": [seats[seat] for seat in sorted(position.taken)],
    }


def _hand(hand: HandFinding, names: list[str]) -> Data:
    return {
        "hand": hand.hand,
        "proven": hand.verdict == 0,
        "why": hand.sentence,
        "claims": [{"name": names[side], "why": VERDICTS[verdict]} for side, verdict in hand.claims if verdict],
        "absent": [names[side] for side in hand.absent],
        "not_signed": [names[side] for side in hand.missing],
    }


def _seat_name(seat: SeatEntry, names: list[str]) -> str:
    if seat.side is not None:
        return names[seat.side]
    return CHARACTERS[seat.character].name if seat.character in CHARACTERS else clean(seat.character, NAME)


def _preset(game: Game, options: Any) -> str | None:
    """The preset that has just these options, None if they were changed."""
    return next((name for name, preset in game.presets.items() if preset == options), None)


# --- as sentences -----------------------------------------------------------------------------------------------------


def verdict_lines(data: Data) -> list[str]:
    """The verdict first, what supports it below."""
    if "sides" not in data:
        lines = [f"{data['log']}: {data['state']}.", f"  {_where(data)}"]
    else:
        lines = [f"{data['log']}: {_headline(data)}", *[f"  {line}" for line in _about(data)]]
    if torn := data["torn"]:
        lines.append(
            f"  The last {torn['size']} bytes, from offset {torn['offset']}, are a record that was never finished. "
            "Nothing of it was ever sent, so nothing is lost."
        )
    return lines


def comparison_lines(data: Data) -> list[str]:
    first, second = data["logs"]
    if data["same_game"] is None:
        return []
    if not data["same_game"]:
        return [f"{first} and {second} are logs of different games."]
    if data["forked_at"]:
        return [
            f"{first} and {second} are logs of one game, but differ from record {data['forked_at']} on: whoever signed "
            "both has told two stories."
        ]
    if data["records"][0] == data["records"][1]:
        return [f"{first} and {second} are logs of one game and agree to the end."]
    return [f"{first} and {second} are logs of one game and agree; one goes on longer than the other."]


def _where(data: Data) -> str:
    if data["state"] != "false":
        return str(data["why"])
    place = f"Record {data['record']}" if data["record"] else "The beginning"
    return f"{place}, at offset {data['offset']}, is not valid: {data['why']}"


def _headline(data: Data) -> str:
    if data["state"] == "false":
        return "false. Somebody did not play by what was signed; see the hands below."
    if data["state"] == "finished":
        return "finished, and everything in it is as it was signed."
    if data["ended"]:
        return f"unfinished ({data['ended']}); what is there is as it was signed."
    return "unfinished; what is there is as it was signed."


def _about(data: Data) -> list[str]:
    rules = data["preset"] or "own rules"
    lines = [f"{data['name']} ({rules}), {data['records']} records, head {data['head']}"]
    if data["preset"] is None:
        lines.append(", ".join(f"{key}={value_text(value)}" for key, value in data["options"].items()))
    lines += [_side(side) for side in data["sides"]]
    scores = ", ".join(f"{one['name']}{' (computer)' * one['computer']} {one['score']}" for one in data["seats"])
    winners = f". Won by {names_text(tuple(data['winners']))}" if data["winners"] else ""
    lines.append(f"Scores: {scores}{winners}.")
    lines += _hands(data)
    lines += [f"At record {one['record']} {one['name']}'s character took over." for one in data["takeovers"]]
    return lines


def _side(side: Data) -> str:
    about = ["coordinates" if side["coordinates"] else "listener"]
    if side["you"]:
        about.append("you")
    elif side["known_as"]:
        about.append(f"known here as {side['known_as']}")
    else:
        about.append("not known here")
    return f"{side['name']}: key {side['fingerprint']}, {', '.join(about)}"


def _hands(data: Data) -> list[str]:
    hands = data["hands"]
    proven = sum(hand["proven"] for hand in hands)
    lines = [f"Hands opened and replayed: {len(hands)}, proven: {proven}."] if hands else ["No hand was opened yet."]
    for hand in hands:
        lines += [f"Hand {hand['hand']}: {sentence}" for sentence in _hand_sentences(hand)]
    if data["unproven"]:
        lines.append(f"Hand {data['unproven']} was dealt but not opened, so nothing proves its deal yet.")
    return lines


def _hand_sentences(hand: Data) -> list[str]:
    sentences = [] if hand["proven"] else [f"{hand['why']}."]
    sentences += [f"{one['name']} claims that {one['why']}." for one in hand["claims"]]
    if hand["absent"]:
        sentences.append(f"{names_text(tuple(hand['absent']))} had no part in the shuffle.")
    if hand["not_signed"]:
        sentences.append(f"{names_text(tuple(hand['not_signed']))} did not sign its end.")
    return sentences
