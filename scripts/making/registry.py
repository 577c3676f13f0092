"""protocol/registry.md: every number and label of the protocol. Which there are comes from the program, what they mean
stands here, and a number without a meaning fails."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum, IntFlag
from pathlib import Path
from typing import Any

from making.book import message_labels, table
from p2pcards.daemon import introductions, opening
from p2pcards.ledger import advance, fair, payloads
from p2pcards.links import channel, door, meeting, noise, relayed
from p2pcards.links.modem import retransmission
from p2pcards.session import coordinator, listener
from p2pcards.session.bounds import FROM_A_COORDINATOR, FROM_A_LISTENER, LOST_AFTER, PING_AFTER, Bound, Early
from p2pcards.session.coordinator import FIRST
from p2pcards.session.succession import PATIENCE
from p2pcards.session.table import STAKING
from p2pcards.store import logs
from p2pcards.wire import messages as wire
from p2pcards.wire import packing, records
from p2pcards.wire.packing import Cause
from p2pcards.wire.reasons import PHRASES, ByeCode, CloseReason, RefusalCode, TakeoverReason, Verdict
from p2pcards.wire.records import FIRST_VERSION, Assist, EntryKind
from p2pcards.wire.spoken import MEETING_NUMBERS, NUMBERS

PACKAGE = Path(__file__).resolve().parents[2] / "p2pcards"


def files() -> Mapping[str, Callable[[], str]]:
    return {"registry.md": registry_page}


# --- messages ---------------------------------------------------------------------------------------------------------


BEFORE_HELLO = {
    wire.GiveCode: "opener, before HELLO",
    wire.CodeAnswer: "waiter, before HELLO",
    wire.CodeProof: "opener, before HELLO",
    wire.WordsCommitment: "both",
    wire.WordsNonce: "both",
    wire.WordsReveal: "both",
}
"""Answered before a message comes to a table: who sends them."""
SINCE = {wire.Taken: 2, wire.Proposal: 2, wire.Vote: 2, wire.LookOn: 2, wire.Give: 3}
SINCE |= dict.fromkeys((wire.Watch, wire.WatchersNow, wire.ShowHand, wire.NoSeat, wire.Handover, wire.Doors), 3)
"""The version that brought a message, where it was not the first."""
IN_FIRST_CONTACT = (*BEFORE_HELLO,)


def message_rows() -> Iterable[Iterable[str]]:
    to_coordinator = {kind for _, kind in coordinator.TAKES} | set(FIRST)
    to_listener = {kind for _, kind in listener.TAKES}
    for kind, label in message_labels().items():
        number, name = label.split(" ", 1)
        senders = ["listener"] * (kind in to_coordinator) + ["coordinator"] * (kind in to_listener)
        sender = BEFORE_HELLO.get(kind) or ("both" if len(senders) == 2 else senders[0])
        page = "first-contact.md" if kind in IN_FIRST_CONTACT else "messages.md"
        yield number, LONGER.get(name, name), sender, str(SINCE.get(kind, 1)), f"[{page}]({page})"


LONGER = {
    "RECORDMESSAGE": "RECORD",
    "GIVECODE": "CODE",
    "CODEANSWER": "CODE ANSWER",
    "CODEPROOF": "CODE PROOF",
    "WORDSCOMMITMENT": "WORDS",
    "WORDSNONCE": "WORDS NONCE",
    "WORDSREVEAL": "WORDS REVEAL",
}


BYES = {
    ByeCode.LEAVES: "leaving for good",
    ByeCode.OTHER_VERSION: "another version",
    ByeCode.TAKEN: "taken: at another table",
    ByeCode.FULL: "full: no more than three listeners",
    ByeCode.SAME_ROLE: "two coordinators, or two listeners",
    ByeCode.BROKE_PROTOCOL: "the other side broke the protocol",
    ByeCode.REPLACED: "replaced by a newer link of the same identity",
    ByeCode.PUT_OUT: "put out by the coordinator",
    ByeCode.STOPPED: "the program ends",
    ByeCode.OTHER_HISTORY: "another history of this game",
    ByeCode.NEEDS_CODE: "before HELLO: a code is needed",
    ByeCode.KNOWN_ONLY: "before HELLO: only known people are let in",
    ByeCode.WRONG_CODE: "before HELLO: wrong code",
    ByeCode.BURNT_CODE: "before HELLO: that code is burnt",
    ByeCode.OLD_CODE: "before HELLO: that code is too old",
    ByeCode.USED_CODE: "before HELLO: that code has been used",
    ByeCode.NO_CODE: "before HELLO: no code is asked for here",
    ByeCode.NO_CODE_LEFT: "before HELLO: no code is left this hour",
    ByeCode.ASKS_PLAYER: "my player has to say first whether to play on",
    ByeCode.COMES_NEXT: "another's hand is in progress, and the table is yours when it is over",
    ByeCode.GAVE_WAY: "somebody whom my player knows better has the table now, and our game is paused",
    ByeCode.CROWDED: "no more strangers are let in just now",
    ByeCode.FAILED: "my program failed on your last message, and it is not your fault: call again",
    ByeCode.NO_WATCHING: "you may not watch here",
    ByeCode.NO_ROOM_TO_WATCH: "full: no more than sixteen watchers",
    ByeCode.SUCCEEDED: "to another coordinator of this table: I host it now",
    ByeCode.HANDED_OVER: "somebody else hosts this table from now on, and I go to them",
}

REFUSALS = {RefusalCode.LATE: "it came late", RefusalCode.AGAINST_THE_RULES: "it is against the rules"}
TAKEOVERS = {
    TakeoverReason.LINE_LOST: "link lost",
    TakeoverReason.CLOCK_RAN_OUT: "turn clock",
    TakeoverReason.LEFT: "left",
    TakeoverReason.ASKED_FOR: "asked",
}
CLOSES = {
    CloseReason.WON: "won",
    CloseReason.ENDED: "the coordinator ended it",
    CloseReason.CONTINUED: "it goes on in another log (since version 3)",
}
FINDINGS = {
    Verdict.GOOD: "the hand is as it was shown",
    Verdict.WRONG_VALUE: "the coordinator's value does not fit its chain",
    Verdict.WRONG_OPENING: "an opening does not fit its commitment, is missing, or is one too many",
    Verdict.ILLEGAL_ACTION: "an action was not legal",
    Verdict.WRONG_EVENT: "an event was shown otherwise than it was",
}
EARLY = {Early.WAITS: "waits", Early.DROPPED: "is dropped", Early.ENDS: "BYE 5"}


def pace_rows() -> Iterable[Iterable[str]]:
    labels = message_labels()
    kinds = sorted({*FROM_A_LISTENER, *FROM_A_COORDINATOR}, key=list(labels).index)
    for kind in kinds:
        of_both = FROM_A_LISTENER.get(kind), FROM_A_COORDINATOR.get(kind)
        early = " / ".join(dict.fromkeys([EARLY[one.early] for one in of_both if one]))
        yield labels[kind].split(" ", 1)[1], *[pace(one) for one in of_both], early


def pace(bound: Bound | None) -> str:
    return "" if bound is None else f"{bound.at_once}, {bound.each:g} s"


# --- records and logs -------------------------------------------------------------------------------------------------


BY_THE_SIDE = {
    EntryKind.ACTION: "player of the seat",
    EntryKind.COMMIT: "player of the seat",
    EntryKind.CHECK: "listener",
}
CAUSES = {
    Cause.LENGTH: "a frame is not complete, or something is left over",
    Cause.ENCODING: "a body is not canonical",
    Cause.SHAPE: "kinds, elements, types or ranges",
    Cause.BASE: "not the base that is due",
    Cause.SEAT: "no such seat or side",
    Cause.SIGNATURE: "not signed by the side that must sign it, over the right head",
    Cause.RULES: "it may not follow here, or is against the rules",
    Cause.FAIRNESS: "a value or the absent sides of a DEAL",
    Cause.FACES: "an opening, an outcome or faces do not fit",
    Cause.HISTORY: "not of a record: two logs of one game that differ",
}
ASSISTS = {
    Assist.HINT: "hint, and any other advice",
    Assist.RECALL: "recall",
    Assist.REVIEW: "review",
    Assist.MELDS: "melds: those laid, and those that a hand could make",
    Assist.DISTRIBUTION: "distribution",
}
CLOCKS = {
    wire.ClockState.HERE: "here",
    wire.ClockState.AWAY: "away, taken over in so many seconds; nil while the table is paused",
    wire.ClockState.CHARACTER: "played by the character",
}
NOTES: tuple[tuple[payloads.Note, str, str], ...] = (
    (
        payloads.LeftOut(0, True),
        "record",
        "of its coordinator: the record with this number called it absent although it was here and had sent its CHECK",
    ),
    (
        payloads.BrokenOff(b"", 0, b"", True),
        "game id, count, head, named",
        "of its coordinator: when this game began, that one was open with this coordinator, whose log had so many "
        "records and this head, and the header of this game named it (true) or the player agreed (false)",
    ),
    (
        payloads.LeftOut(0, False),
        "record",
        "of its coordinator: the record with this number called it absent although its CHECK was signed; its link was "
        "another by then",
    ),
    (
        payloads.PlayedByComputer(0),
        "record",
        "of itself: from the record with this number a computer player has played in its seat, at its wish",
    ),
    (
        payloads.Restored(),
        "",
        "of itself: there was no log of the game here, and its player agreed to take it as its coordinator tells it",
    ),
    (
        payloads.PlaysOn(0),
        "record",
        "of itself: its player has agreed to play on after the record with this number, which called it or another "
        "side absent, by which another side dropped out, or which dealt a hand without its part "
        "([fair-deal.md](fair-deal.md#when-somebody-drops-out)); p2pcards up to 0.2.0 writes it of an ABSENT of its "
        "own side alone",
    ),
    (
        payloads.UntrueTakeover(0),
        "record",
        "of its coordinator: the record with this number took its seat over for a reason that was not so "
        "([listener.md](listener.md#a-reason-that-is-not-so)); p2pcards up to 0.2.0 does not know this one",
    ),
    (
        payloads.Succeeded(b""),
        "game id",
        "of itself: it has agreed to this game of a successor, in which this one goes on, and signs nothing more here "
        "([company.md](company.md#the-header-of-a-successor)); p2pcards up to 0.2.0 does not know this one",
    ),
)


def note_number(note: payloads.Note) -> int:
    number = packing.unpack(payloads.note_payload(note)[1:])[0]
    assert isinstance(number, int)
    return number


# --- labels -----------------------------------------------------------------------------------------------------------


LABELS = {
    "p2pcards 1": ("the prologue of the channel", "1", "channel.md"),
    "p2pcards channel 1": ("signatures of the handshake", "1", "channel.md"),
    "p2pcards first contact 1": ("the exchange of a code: who the two are", "1", "first-contact.md"),
    "p2pcards code 1 opener": ("the proof of the opener", "1", "first-contact.md"),
    "p2pcards code 1 waiter": ("the proof of the waiter", "1", "first-contact.md"),
    "p2pcards words 1": ("words to compare", "1", "first-contact.md"),
    "p2pcards words commitment 1": ("the commitment to a nonce of these", "1", "first-contact.md"),
    "p2pcards header 1": ("signature of a header", "1", "records.md"),
    "p2pcards entry 1": ("signature of an entry", "1", "records.md"),
    "p2pcards faces 1": ("signature of faces", "1", "records.md"),
    "p2pcards yes 1": ("signature of a yes to UNDO or REDEAL", "2", "records.md"),
    "p2pcards head 1": ("the chain of heads", "1", "records.md"),
    "p2pcards chain 1": ("the values of a side", "1", "fair-deal.md"),
    "p2pcards pack 1": ("the pack of a hand in version 1; version 2 made it in two ways", "1", "fair-deal.md"),
    "p2pcards pack 2": ("the pack of a hand", "3", "fair-deal.md"),
    "p2pcards deal 1": ("the pack of a numbered deal", "2", "fair-deal.md"),
    "p2pcards shuffle": ("the stream that shuffles; the label of the pack follows, and 0x00", "1", "fair-deal.md"),
    "p2pcards computer 1": ("the chance of a computer player", "1", "fair-deal.md"),
    "p2pcards salt 1": ("a derived salt", "1", "fair-deal.md"),
    "p2pcards commit 1": ("the commitment to a private action", "1", "fair-deal.md"),
    "p2pcards log 1\\n": ("the first line of a log", "1", "log.md"),
    "p2pcards log record": ("the check of a length", "1", "log.md"),
    "p2pcards payloads 1": ("the digest of all payloads before", "2", "log.md"),
    "p2pcards save 1\\n": ("the first line of a log that is carried", "2", "log.md"),
    "p2pcards home 1\\n": ("the first line of a home that is carried", "2", "log.md"),
    "p2pcards meeting topic 1": ("the topic of a link", "2", "reach.md"),
    "p2pcards meeting key 1": ("the key of a link", "2", "reach.md"),
    "p2pcards friend topic 1": ("the topic of two friends", "2", "reach.md"),
    "p2pcards onion 1": ("the seed of a key in Tor's network, for its owner alone", "3", "reach.md"),
    "p2pcards relayed 1": ("the keys of a stream through brokers", "2", "reach.md"),
    "p2pcards shown hand 1": ("the key of a hand that a watcher is shown", "3", "company.md"),
    "p2pcards line": ("the check of a line HELLO", "1", "modem.md"),
    "p2pcards line 1": ("the check of every other line frame", "1", "modem.md"),
}
NO_LABEL = re.compile(r"p2pcards log 2|p2pcards \(save|p2pcards\\n")
"""In the sources, too: a log that is none, a pattern, and an answer to a browser."""


def labels_in_the_program() -> set[str]:
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for label in re.findall(r'b"(p2pcards(?: [^"]*|\\n))"', path.read_text()):
            if not NO_LABEL.match(label):
                found.add(label.rstrip())
    return found


def label_rows() -> Iterable[Iterable[str]]:
    assert labels_in_the_program() == set(LABELS), labels_in_the_program() ^ set(LABELS)
    for label, (meaning, since, page) in LABELS.items():
        yield f"`{label}`", meaning, since, f"[{page}]({page})"


# --- bounds -----------------------------------------------------------------------------------------------------------


def bound_rows() -> Iterable[Iterable[str]]:
    sizes = (
        ("message", f"1 to {channel.MAX_SIZE} bytes", "channel.md"),
        ("piece of a message on a serial line", f"{channel.PIECE} bytes", "channel.md"),
        ("part of a header", f"{wire.PART_SIZE} bytes; 1 to 16 parts", "messages.md"),
        ("body and signature of a frame", f"65 to {records.MAX_FRAME} bytes", "records.md"),
        ("arrays in each other", "5", "records.md"),
        ("name, character, level", f"{records.NAME} characters", "messages.md"),
        ("text", f"200 characters; in CHAT {wire.CHAT_SIZE}", "messages.md"),
        ("address in DOORS", f"{wire.ADDRESS_SIZE} characters", "messages.md"),
        ("sides, seats", f"1 to {records.MAX_SIDES}, {records.LEAST_SEATS} to 4", "records.md"),
        ("edition", f"1 to {records.EDITIONS}", "records.md"),
        ("chain", f"{fair.CHAIN} steps of {records.VALUE} bytes", "fair-deal.md"),
        ("salt, commitment", f"{records.SALT}, {records.COMMITMENT} bytes", "fair-deal.md"),
        ("head in TAKEN", f"{wire.HEAD_SHOWN} bytes", "messages.md"),
        ("log", f"{advance.MOST_RECORDS:,} records, {advance.MOST_BYTES:,} bytes of frames", "records.md"),
        ("payload of a log", f"{logs.MAX_PAYLOAD:,} bytes", "log.md"),
        (
            "number of a code",
            f"{NUMBERS[0]} to {NUMBERS[-1]}, or {MEETING_NUMBERS[0]} to {MEETING_NUMBERS[-1]}",
            "first-contact.md",
        ),
    )
    return [(what, bound, f"[{page}]({page})") for what, bound, page in sizes]


def paced(at_once: int, each: float) -> str:
    return f"{at_once} at once, then one more each {each:g} s"


def limit_rows() -> Iterable[Iterable[str]]:
    limits = (
        ("the whole handshake of the channel", f"{door.DEADLINE:g} s", "channel.md"),
        ("half-open connections at a port", str(door.HALF_OPEN_LIMIT), "channel.md"),
        ("strangers without a code", paced(introductions.ARRIVALS, introductions.EACH), "first-contact.md"),
        ("the same, at a time", str(introductions.STRANGERS), "first-contact.md"),
        ("links at one table", str(introductions.PEERS), "first-contact.md"),
        ("waiting for a host to let it sit down", f"{opening.WITHOUT_GAME / 60:g} minutes", "listener.md"),
        ("the end of a chain, when a game begins", f"{STAKING:g} s", "messages.md"),
        ("waiting for those in line, by somebody who takes a table over", f"{PATIENCE:g} s", "company.md"),
        ("silence before a PING, and before a link is given up", f"{PING_AFTER:g} s, {LOST_AFTER:g} s", "messages.md"),
        ("half-open streams through brokers, and all", f"{meeting.HALF_OPEN_STREAMS}, {meeting.STREAMS}", "reach.md"),
        ("OPENINGs of one name", paced(meeting.AT_ONCE, meeting.EACH), "reach.md"),
        ("OPENINGs that are remembered", str(meeting.REMEMBERED), "reach.md"),
        ("bytes that wait in a stream through brokers", f"{relayed.CAPACITY:,}", "reach.md"),
        ("sending HELLO on a serial line", f"{retransmission.GREETING_PATIENCE:g} s", "modem.md"),
    )
    return [(what, limit, f"[{page}]({page})") for what, limit, page in limits]


def channel_rows() -> Iterable[Iterable[str]]:
    opener, waiter = channel.INITIATOR[0], channel.RESPONDER[0]
    return [
        ("Noise protocol", f"`{noise.NAME.decode()}`"),
        ("prologue", f"`{channel.PROLOGUE.decode()}`"),
        ("bytes of the three messages", f"{channel.HELLO}, {channel.ANSWER}, {channel.PROOF}, each behind a u16"),
        ("role in the signed bytes", f"{opener} opener, {waiter} waiter"),
        ("tag of a sealed message", f"{noise.TAG_SIZE} bytes"),
        ("bit of a length that says that more follows", f"0x{channel.MORE:04x}"),
    ]


# --- the page ---------------------------------------------------------------------------------------------------------


def numbered(kind: type[IntEnum] | type[IntFlag], meanings: Mapping[Any, str]) -> str:
    return table(["number", "meaning"], [[str(number.value), meanings[number]] for number in kind])


def phrase_rows() -> Iterable[Iterable[str]]:
    said = [f"({one.text})" if one.gesture else one.text for one in PHRASES]
    half = len(said) // 2
    return [(str(i), said[i], str(i + half), said[i + half]) for i in range(half)]


def entry_rows() -> Iterable[Iterable[str]]:
    for kind in EntryKind:
        who = (
            "coordinator, for one recipient; no entry"
            if kind is EntryKind.FACES
            else BY_THE_SIDE.get(kind, "coordinator")
        )
        yield str(int(kind)), kind.name.replace("_", " "), who, str(FIRST_VERSION.get(kind, 1))


def registry_page() -> str:
    notes = sorted(
        [[str(note_number(note)), f"`[number{fields and ', '}{fields}]`", told] for note, fields, told in NOTES]
    )
    causes = [[f"`{cause}`", CAUSES[cause]] for cause in Cause]
    return f"""# The registry

Made by `scripts/made` from the program: every number and label of the protocol. The other pages use the names. *Since*
is the [version](versions.md) that brought a name.

A number keeps its meaning for good, and one that is given up is not given again. A program refuses every number that it
does not know, odd or even; so a new one comes with a new version, and takes the next in its table.

## Messages

{table(["number", "message", "from", "since", "page"], message_rows())}

## BYE

{numbered(ByeCode, BYES)}

When each is said: [who is let in](first-contact.md#who-is-let-in) and [who comes before
whom](first-contact.md#who-comes-before-whom).

## REFUSED

{numbered(RefusalCode, REFUSALS)}

## States of a seat in CLOCKS

{numbered(wire.ClockState, CLOCKS)}

## Phrases and gestures of QUICK

In brackets are gestures, shown after the name of the person who makes them.

{table(["number", "said", "number", "said or done"], phrase_rows())}

## Entries

{table(["number", "entry", "signed by", "since"], entry_rows())}

## Why a record is refused

In the order of the checks ([records.md](records.md#the-order-of-the-checks)); these names do not travel.

{table(["cause", "what is wrong"], causes)}

## TAKEOVER

{numbered(TakeoverReason, TAKEOVERS)}

When each is so: [coordinator.md](coordinator.md#takeover-and-return).

## CLOSE

{numbered(CloseReason, CLOSES)}

## Findings of a CHECK

{numbered(Verdict, FINDINGS)}

## Assists of a header

{numbered(Assist, ASSISTS)}

## Notes of a log

{table(["number", "note", "what a side notes"], notes)}

## Labels

Joined in front of what is hashed or signed; `\\n` is a line feed.

{table(["label", "what", "since", "page"], label_rows())}

## The channel

{table(["setting", "value"], channel_rows())}

## Bounds

{table(["what", "bound", "page"], bound_rows())}

## Our own limits

What p2pcards keeps to where a page leaves it to the program.

{table(["what", "limit", "page"], limit_rows())}

## How fast

So many messages of a kind at once, and then one more each time so many seconds have passed
([messages.md](messages.md#how-fast)). CHAT and QUICK share one bound, and so do AGAIN and VOTE of a coordinator; HELLO
counts on new links of one identity.

{table(["message", "from a listener", "from a coordinator", "what comes sooner"], pace_rows())}
"""
