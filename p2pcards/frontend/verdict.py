"""The proofs in a log, and all that the logs of this home say of a player, as plain data and as sentences. Records are
counted from 1, seats from 0."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from p2pcards.games.game import AnyGame
from p2pcards.games.names import name_with_preset
from p2pcards.games.options import declared_options, value_text
from p2pcards.games.wording import join_with_and
from p2pcards.ledger.continuing import kept_values
from p2pcards.ledger.payloads import (
    ME,
    RECORD,
    BrokenOff,
    LeftOut,
    PlaysOn,
    Restored,
    UntrueTakeover,
    header_frame,
    is_succeeded,
)
from p2pcards.ledger.signed import NEEDED, Use, may_use_log
from p2pcards.ledger.verify import (
    FalseLog,
    Findings,
    HandFinding,
    OpenedHand,
    Repeat,
    first_fork,
    sides_that_forked,
    verify_log,
)
from p2pcards.players.characters import CHARACTERS
from p2pcards.players.repeating import is_own_player, repeat_decisions
from p2pcards.results.keeping import Tell, tell_nobody
from p2pcards.store.files import Home
from p2pcards.store.guarded import guarded
from p2pcards.store.logs import (
    DamagedLog,
    FaultyLog,
    LogContents,
    indexed_logs,
    names_of_unreadable,
    unread_logs_sentence,
)
from p2pcards.wire import records
from p2pcards.wire.clean import clean
from p2pcards.wire.keys import fingerprint
from p2pcards.wire.packing import Refused
from p2pcards.wire.reasons import CloseReason, Verdict

# --- what the logs of this home say of each player --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Conduct:
    """Counts of each player's conduct by their key, from the logs in this home."""

    games: Counter[bytes] = field(default_factory=Counter)  # in the logs
    redeals: Counter[bytes] = field(default_factory=Counter)  # hands that were dealt again at their request
    # Games that they broke off as coordinator to begin another.
    broken_off: Counter[bytes] = field(default_factory=Counter)
    # Hands that they shuffled as coordinator without a part that was signed.
    left_out: Counter[bytes] = field(default_factory=Counter)
    # Seats that they took over as coordinator for a false reason.
    taken_over: Counter[bytes] = field(default_factory=Counter)
    # Times that others dropped out of a shuffle at their table.
    dropped: Counter[bytes] = field(default_factory=Counter)
    # Names of the players with one of the last four faults, as in the newest such log.
    names: dict[bytes, str] = field(default_factory=dict)

    def count_faults(self, key: bytes) -> int:
        return self.broken_off[key] + self.left_out[key] + self.taken_over[key] + self.dropped[key]

    def faulty_strangers(self, known: Collection[bytes]) -> list[bytes]:
        """The keys of players outside `known` who have faults, most faults first."""
        return sorted(set(self.names).difference(known), key=lambda key: (-self.count_faults(key), key))


def count_conduct(home: Home, tell: Tell = tell_nobody) -> Conduct:
    """Count conduct over all logs. A damaged or false log counts for nobody, and `tell` names it. Signatures aren't
    checked: `verify` does that. Raises StoreError when the logs cannot be listed."""
    counted, logs = Conduct(), indexed_logs(home)
    if bad := names_of_unreadable(logs):
        tell(unread_logs_sentence(bad))
    for _, facts in logs:
        counted.games.update(facts.keys)
        counted.redeals.update(dict(zip(facts.keys, facts.redeals, strict=False)))
        if facts.broken_off or facts.left_out or facts.taken_over or facts.dropped:
            counted.broken_off[facts.keys[0]] += facts.broken_off
            counted.left_out[facts.keys[0]] += facts.left_out
            counted.taken_over[facts.keys[0]] += facts.taken_over
            counted.dropped[facts.keys[0]] += facts.dropped
            counted.names.setdefault(facts.keys[0], facts.players[0])
    return counted


# --- what a log proves, as plain data and as sentences ----------------------------------------------------------------


Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Known:
    """The names of known peers by key, and my own public key, b"" where I have none."""

    names: Mapping[bytes, str]
    me: bytes


@dataclass(frozen=True, slots=True)
class LogVerdict:
    # "finished" (played to the end, and honest), "continued" (honest, and the game continues in another log),
    # "unfinished" (honest so far), "false" (it does not prove itself, or proves a fault) or "damaged" (a byte was
    # changed, or it cannot be read)
    state: str
    findings: Findings | None
    data: Data  # everything, for JSON


def judge_log(
    log: str, contents: LogContents | DamagedLog, known: Known, repeat: Repeat | None = repeat_decisions
) -> LogVerdict:
    """Judge a log by its proofs. log: its name; repeat: repeats the decisions of computer players, None for none."""
    if isinstance(contents, DamagedLog):
        return _damaged_verdict(log, contents)
    payloads = contents.payloads
    torn = {"offset": contents.torn_offset, "size": len(contents.torn)} if contents.torn else None
    if [payload[:1] for payload in payloads] in ([], [ME]):
        why = "It ends before the game's header."
        return _refused_verdict(
            log, "unfinished", {"why": why, "offset": contents.torn_offset, "record": None, "torn": torn}
        )
    try:
        findings, facts = _verify_log(payloads, known, repeat)
    except DamagedLog as faulty:
        return _damaged_verdict(log, faulty)
    except FalseLog as false:
        place = min(false.payload, len(payloads) - 1)  # what is missing behind the end
        offset = contents.records[place][0]
        record = false.records + 1 if payloads[place][:1] == RECORD else None
        where = {"offset": offset, "record": record, "after": false.records}
        why = f"{false} {OF_A_DRAFT}" if _is_draft_protocol(payloads) else str(false)
        return _refused_verdict(log, "false", {"why": why, **where, "torn": torn})
    state = _proven_state(findings, is_succeeded(payloads))
    return LogVerdict(state, findings, {"log": log, "state": state, "torn": torn, **facts})


def _proven_state(findings: Findings, succeeded: bool) -> str:
    """succeeded: the log says that its game continues in a successor's."""
    if not findings.honest:
        return "false"
    if may_use_log(Use.FINISH, findings.position):
        if findings.finished:
            return "finished"
        if succeeded or findings.position.ended is CloseReason.CONTINUED:
            return "continued"
    return "unfinished"


OF_A_DRAFT = "The game began under a draft of the protocol; a program that speaks that draft may accept it."


def _is_draft_protocol(payloads: Sequence[bytes]) -> bool:
    """Return whether the game began under a draft of the protocol that is no longer supported."""
    try:
        version = records.version_of(header_frame(payloads[1][1:]))
    except (IndexError, Refused):
        return False
    return version != records.VERSION and version in records.DRAFTS


@guarded(FaultyLog, FalseLog, OSError)
def _verify_log(payloads: Sequence[bytes], known: Known, repeat: Repeat | None) -> tuple[Findings, Data]:
    findings = verify_log(payloads, repeat)
    return findings, _verdict_data(findings, known)


def _damaged_verdict(log: str, damaged: DamagedLog) -> LogVerdict:
    return _refused_verdict(log, "damaged", {"why": damaged.with_advice, "offset": damaged.offset, "record": None})


def compare_logs(first: LogVerdict, second: LogVerdict) -> Data:
    """Compare two judged logs, for JSON.

    same_game: None if one of them proves nothing
    forked_at: the first record in which two logs of one game differ, None if one continues the other
    signed_both: the sides that signed both versions
    follows: the index (0 or 1) of the log whose game was the next at the same table, or None
    continues: the next game began with the scores of the other, as seats changed hands
    borne_out: claims in one log that the other proves
    """
    data: Data = {"logs": [first.data["log"], second.data["log"]], "same_game": None, "forked_at": None}
    one, other = first.findings, second.findings
    if one and other:
        data["same_game"] = one.heads[0] == other.heads[0]
        place = first_fork(one, other) if data["same_game"] else None
        data["forked_at"] = None if place is None else place + 1
        names = one.position.names
        data["signed_both"] = [names[side] for side in sides_that_forked(one, other)] if data["same_game"] else []
        data["records"] = [one.records, other.records]
        data["follows"] = 1 if _is_next_game(one, other) else 0 if _is_next_game(other, one) else None
        data["continues"] = _continues(one, other) or _continues(other, one)
        data["borne_out"] = (
            [*_proven_claims(one, other, names), *_proven_claims(other, one, names)] if data["same_game"] else []
        )
    return data


def count_broken_off_hands(verdicts: Sequence[LogVerdict]) -> int:
    """The number of hands that were dealt and then broken off, over all games; a game with several logs counts once."""
    games = {one.findings.heads[0]: one.data["broken_off"] for one in verdicts if one.findings}
    return sum(games.values())


def _is_next_game(one: Findings, other: Findings) -> bool:
    return other.position.header.previous == one.heads[-1]


def _continues(one: Findings, other: Findings) -> bool:
    """True if the second log begins with the scores at which the first ended."""
    before, kept = one.position, other.position.header.continues
    return kept is not None and _is_next_game(one, other) and kept == kept_values(before.game, before.state)


def _proven_claims(one: Findings, other: Findings, names: Sequence[str]) -> list[Data]:
    """The claims in the first log about hands that are right there, and contradicted by their authors' own logs."""
    found = {hand.hand: hand.verdict for hand in other.hands}
    return [
        {"hand": hand.hand, "name": names[side], "why": verdict.sentence}
        for hand in one.hands
        for side, verdict in hand.claims
        if verdict and not hand.verdict and side == other.position.side and found.get(hand.hand) == verdict
    ]


# --- as data ----------------------------------------------------------------------------------------------------------


def _refused_verdict(log: str, state: str, why: Data) -> LogVerdict:
    return LogVerdict(state, None, {"log": log, "state": state, "torn": None, **why})


def _verdict_data(findings: Findings, known: Known) -> Data:
    position = findings.position
    header, state, course = position.header, position.state, findings.course
    names = position.names
    seats = [_verdict_seat_name(seat, names) for seat in header.seats]
    untrue = {one.record for one in findings.transcript.notes if isinstance(one, UntrueTakeover)}
    left_out = {one.record: one.here for one in findings.transcript.notes if isinstance(one, LeftOut)}
    agreed = {one.record for one in findings.transcript.notes if isinstance(one, PlaysOn)}
    return {
        "game": position.game.key,
        "name": position.game.name,
        "preset": _exact_preset(position.game, state.options),
        "options": {one.key: getattr(state.options, one.key) for one in declared_options(position.game.options)},
        "game_id": position.game_id.hex(),
        "records": findings.records,
        "head": findings.heads[-1].hex(),
        "log_of": position.side,
        "watched": position.looks_on,
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
        "ended": None if position.ended is None else position.ended.sentence,
        "hands": [
            _hand_data(hand, opened, findings.position.game, names, seats, position.side)
            for hand, opened in zip(findings.hands, findings.transcript.hands, strict=True)
        ],
        "broken_off": sum(hand.broken_off for hand in findings.hands),
        "unproven": findings.unproven,
        "withheld": findings.due,
        "takeovers": [
            {
                "record": number,
                "name": seats[entry.seat],
                "why": entry.reason.sentence,
                "false": number - 1 in untrue,
            }
            for number, entry in enumerate(findings.transcript.entries, 1)
            if isinstance(entry, records.TakeoverEntry)
        ],
        "returns": [
            {"record": number, "name": seats[entry.seat]}
            for number, entry in enumerate(findings.transcript.entries, 1)
            if isinstance(entry, records.ReturnEntry)
        ],
        "pauses": _pause_data(findings.transcript.entries),
        "absences": [
            {
                "record": number,
                "name": names[entry.side],
                "signed": number - 1 in left_out,
                "false": left_out.get(number - 1, False),
                "agreed": number - 1 in agreed,
            }
            for number, entry in enumerate(findings.transcript.entries, 1)
            if isinstance(entry, records.AbsentEntry)
        ],
        "breaks_off": [
            {"game_id": one.game_id.hex(), "records": one.count, "named": one.named}
            for one in findings.transcript.notes
            if isinstance(one, BrokenOff)
        ],
        "restored": any(isinstance(one, Restored) for one in findings.transcript.notes),
        "signed": may_use_log(Use.FINISH, position),
        "counts": may_use_log(Use.COUNT, position),
        "deal": header.deal,
        "allowed": [] if position.alone else [*records.assist_names(header.assists)],
        "redeals": [
            {"hand": one.hand, "name": names[one.side], "agreed": [names[side] for side in one.agreed]}
            for one in course.redeals
        ],
        "taken_back": course.taken_back,
        "restarted": course.restarted,
        "exchanged": course.exchanged,
        "face_up": course.face_up,
        "played_by_character": [seats[seat] for seat in sorted(position.taken_over)],
    }


def _pause_data(entries: Sequence[records.Entry]) -> list[Data]:
    """The pauses of the table. until: the record that ended it, None where none did."""
    paused, continued = [
        [number for number, entry in enumerate(entries, 1) if isinstance(entry, kind)]
        for kind in (records.PauseEntry, records.ContinueEntry)
    ]
    return [{"record": number, "until": until} for number, until in zip_longest(paused, continued)]


def _hand_data(
    hand: HandFinding, opened: OpenedHand, game: AnyGame, names: Sequence[str], seats: list[str], side: int
) -> Data:
    other_editions = sum([not is_own_player(game, made) for made in opened.decisions])
    unrepeatable = sum([made.edition == records.EDITIONS for made in opened.decisions])
    return {
        "hand": hand.hand,
        "proven": hand.proven,
        "why": hand.verdict.sentence if hand.verdict or hand.proven else NEEDED[Use.PROVE].without,
        "void": hand.verdict != 0,
        "record": None if hand.fault is None else hand.fault + 1,
        "broken_off": hand.broken_off,
        "claims": [
            {"name": names[by], "why": verdict.sentence, "holds": _is_claim_right(hand, by, verdict, side)}
            for by, verdict in hand.claims
            if verdict
        ],
        "absent": [names[side] for side in hand.absent],
        "not_signed": [names[side] for side in hand.missing],
        "decisions": hand.decisions,
        "tried": hand.decisions - hand.untried,
        "other_editions": other_editions,
        "unrepeatable": unrepeatable,
        "not_repeated": [
            {"record": made.record + 1, "name": seats[made.seat], "level": clean(made.level, records.NAME)}
            for made in hand.irreproducible
        ],
    }


def _is_claim_right(hand: HandFinding, by: int, verdict: int, side: int) -> bool | None:
    """True if this log bears the claim out, None if only the log of its author can. by: the author's side; side: of
    this log."""
    if verdict == hand.verdict:
        return True
    return None if verdict == Verdict.WRONG_EVENT and by != side else False


def _verdict_seat_name(seat: records.SeatEntry, names: Sequence[str]) -> str:
    if seat.side is not None:
        return names[seat.side]
    return CHARACTERS[seat.character].name if seat.character in CHARACTERS else clean(seat.character, records.NAME)


def _exact_preset(game: AnyGame, options: Any) -> str | None:
    """The preset with exactly these options, None for any other."""
    return next((name for name, preset in game.presets.items() if preset == options), None)


# --- as sentences -----------------------------------------------------------------------------------------------------


def verdict_lines(data: Data) -> list[str]:
    """The verdict as lines, followed by its reasons."""
    if "sides" not in data:
        lines = [f"{data['log']}: {data['state']}.", f"  {_place_text(data)}"]
    else:
        lines = [f"{data['log']}: {_headline_text(data)}", *[f"  {line}" for line in _game_course_lines(data)]]
    if torn := data["torn"]:
        lines.append(
            f"  The last {torn['size']} bytes, from offset {torn['offset']}, are an unfinished record. "
            "It was never sent, so nothing is lost."
        )
    return lines


def comparison_lines(data: Data) -> list[str]:
    first, second = data["logs"]
    if data["same_game"] is None:
        return []
    if not data["same_game"]:
        if data["follows"] is None:
            return [f"{first} and {second} are from different games."]
        earlier, later = (first, second) if data["follows"] else (second, first)
        if data["continues"]:
            return [f"{later} continues {earlier}, with the same scores."]
        return [f"{later} is the next game after {earlier}."]
    return [
        *_agreement_lines(data),
        *[f"Hand {one['hand']}: {one['name']} proved that {one['why']}." for one in data["borne_out"]],
    ]


def _agreement_lines(data: Data) -> list[str]:
    first, second = data["logs"]
    if data["forked_at"]:
        both = join_with_and(data["signed_both"])
        who = f"{both} signed both versions" if both else "no one signed both"
        return [f"{first} and {second} are from the same game but differ from record {data['forked_at']} on: {who}."]
    if data["records"][0] == data["records"][1]:
        return [f"{first} and {second} are from the same game and agree to the end."]
    return [f"{first} and {second} are from the same game and agree; one is longer."]


def _place_text(data: Data) -> str:
    if data["state"] != "false":
        return str(data["why"])
    place = f"The part after record {data['after']}" if data["after"] else "The beginning"
    if data["record"]:
        place = f"Record {data['record']}"
    return f"{place}, at offset {data['offset']}, isn't valid: {data['why']}"


def _headline_text(data: Data) -> str:
    if data["state"] == "false":
        return "false. Someone didn't play what was signed; see the hands below."
    if data["state"] == "finished":
        return "finished, and everything matches what was signed."
    if data["state"] == "continued":
        return f"continued ({data['ended']}), and everything matches what was signed."
    if not data["signed"]:
        return f"unfinished; {NEEDED[Use.FINISH].without}, so it doesn't prove a game they played."
    if data["ended"]:
        return f"unfinished ({data['ended']}); everything so far matches what was signed."
    return "unfinished; everything so far matches what was signed."


def _game_course_lines(data: Data) -> list[str]:
    """What the log shows of its game: rules, players, scores, and what happened at which record."""
    game = name_with_preset(data["name"], data["preset"] or "own rules")
    lines = [f"{game}, {data['records']} records, head {data['head']}"]
    if data["preset"] is None:
        lines.append(", ".join(f"{key}={value_text(value)}" for key, value in data["options"].items()))
    lines += [_side_line(side) for side in data["sides"]]
    scores = ", ".join(f"{one['name']}{' (computer)' * one['computer']} {one['score']}" for one in data["seats"])
    winners = f". Won by {join_with_and(data['winners'])}" if data["winners"] else ""
    lines.append(f"Scores: {scores}{winners}.")
    lines += _hands_lines(data)
    lines += _course_lines(data)
    changes = [(one["record"], _takeover_line(one)) for one in data["takeovers"]]
    changes += [(one["record"], f"{one['name']} played again") for one in data["returns"]]
    changes += [(one["record"], "the table paused: everyone was away") for one in data["pauses"]]
    changes += [(one["until"], "the game resumed") for one in data["pauses"] if one["until"]]
    changes += [(one["record"], _absence_line(one, data["sides"][0]["name"])) for one in data["absences"]]
    lines += [f"At record {record} {what}." for record, what in sorted(changes)]
    if data["watched"]:
        lines.append("A watcher's log: no hand of theirs is in it. Each hand was checked when its cards were opened.")
    elif data["signed"] and not data["counts"] and data["ended"]:
        lines.append(f"It doesn't count in anyone's records: {NEEDED[Use.COUNT].without}.")
    lines += [_broken_off_line(one, data["sides"][0]["name"]) for one in data["breaks_off"]]
    if data["restored"]:
        told = f"so it came from {data['sides'][0]['name']}, as this log notes"
        lines.append(f"This machine had no log of the game, {told}.")
    return lines


def _takeover_line(one: Data) -> str:
    untrue = ", which wasn't true, as this log notes" if one["false"] else ""
    return f"{one['name']}'s character took over: {one['why']}{untrue}"


def _absence_line(one: Data, coordinator: str) -> str:
    agreed = ", and the player of this log agreed" if one["agreed"] else ""
    if one["false"]:
        return (
            f"{coordinator} left {one['name']} out of the next shuffle, though {one['name']} was here and had "
            f"sent their part, as this log notes{agreed}"
        )
    dropped = f"{one['name']} dropped out of the next shuffle"
    signed = ", though they had signed their part before the connection dropped, as this log notes"
    return dropped + (signed if one["signed"] else "") + agreed


def _broken_off_line(one: Data, coordinator: str) -> str:
    said = "its header says so" if one["named"] else "its header doesn't say so, and this player agreed"
    return (
        f"{coordinator} began this game while another with this player was unfinished ({one['game_id']}, "
        f"{one['records']} records); {said}."
    )


def _course_lines(data: Data) -> list[str]:
    """What changed the course of hands other than play."""
    lines = []
    if data["deal"] is not None:
        lines.append(f"Deal {data['deal']}: the cards follow from this number, so anyone could know them.")
    if data["allowed"]:
        lines.append(f"Help allowed: {join_with_and(data['allowed'])}.")
    for one in data["redeals"]:
        agreed = f"{join_with_and(one['agreed'])} agreed" if one["agreed"] else "no one else had to agree"
        lines.append(f"Hand {one['hand']} was redealt: {one['name']} asked, {agreed}.")
    if data["taken_back"]:
        lines.append(f"Plays taken back: {data['taken_back']}.")
    counts = {
        "restarted": "hands replayed with the same cards",
        "exchanged": "hands swapped",
        "face_up": "hands shown face up",
    }
    found = [f"{words}: {data[key]}" for key, words in counts.items() if data[key]]
    return [*lines, *([f"Solo practice: {'; '.join(found)}."] if found else [])]


def _side_line(side: Data) -> str:
    about = ["host" if side["coordinates"] else "player"]
    if side["you"]:
        about.append("you")
    elif side["known_as"]:
        about.append(f"known here as {side['known_as']}")
    else:
        about.append("not known here")
    return f"{side['name']}: key {side['fingerprint']}, {', '.join(about)}"


def _hands_lines(data: Data) -> list[str]:
    hands = data["hands"]
    proven = sum(hand["proven"] for hand in hands)
    lines = [f"Hands opened and replayed: {len(hands)}, proven: {proven}."] if hands else ["No hands opened yet."]
    if made := sum(hand["decisions"] for hand in hands):
        tried, others, unrepeatable = [
            sum(hand[key] for hand in hands) for key in ("tried", "other_editions", "unrepeatable")
        ]
        repeated = tried - sum(len(hand["not_repeated"]) for hand in hands)
        some = "" if tried + others == made else f"{tried} checked, "
        lines.append(f"Computer players' moves: {made}, {some}{repeated} reproduced.")
        if unrepeatable:
            lines.append(f"{unrepeatable} can't be checked: the players ran out of time, or a file was missing.")
        if others > unrepeatable:
            lines.append(f"{others - unrepeatable} came from levels or editions that this program doesn't have.")
    coordinator = data["sides"][0]["name"]
    for hand in hands:
        lines += [f"Hand {hand['hand']}: {sentence}" for sentence in _hand_sentences(hand, coordinator)]
    if data["withheld"]:
        lines.append(
            f"Hand {data['unproven']} is over but was never opened, so it's unproven. That counts against "
            f"{coordinator}, the host."
        )
    elif data["unproven"]:
        lines.append(f"Hand {data['unproven']} was dealt but not opened, so its deal isn't proven yet.")
    return lines


BORNE_OUT = {
    True: "which is true",
    False: "which isn't true",
    None: "which only their own log can prove",
}


def _hand_sentences(hand: Data, coordinator: str) -> list[str]:
    sentences = []
    if hand["void"]:
        where = f" (record {hand['record']})" if hand["record"] else ""
        sentences.append(f"void: {hand['why']}{where}.")
    elif not hand["proven"]:
        sentences.append(f"not proven: {hand['why']}.")
    if hand["broken_off"]:
        sentences.append(f"{coordinator} ended the game before the hand was over.")
    sentences += [f"{one['name']} claims that {one['why']}, {BORNE_OUT[one['holds']]}." for one in hand["claims"]]
    sentences += [
        f"record {one['record']} isn't the move this version's {one['level']} player makes for {one['name']}."
        for one in hand["not_repeated"]
    ]
    if hand["absent"]:
        sentences.append(f"{join_with_and(hand['absent'])} took no part in the shuffle.")
    if hand["not_signed"]:
        sentences.append(f"{join_with_and(hand['not_signed'])} didn't sign the result.")
    return sentences
