"""The example programs of protocol/ with one change each: what `p2pcards conform` must find, and by which case."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from rigs.node_programs import COORDINATOR, LISTENER


@dataclass(frozen=True, slots=True)
class Change:
    """One place of the source text. case: the number of the one that finds it; says: what its verdict must say."""

    name: str
    case: int
    says: str
    file: str
    was: str
    is_now: str


LISTENERS = (
    Change(
        "takes any version",
        1,
        "goes on as if nothing were wrong",
        "seat.mjs",
        "if (version !== VERSION) return",
        "if (false) return",
    ),
    Change(
        "takes a number in too many bytes",
        9,
        "goes on as if nothing were wrong",
        "wire.mjs",
        'need(same(again, data), "encoding");',
        "",
    ),
    Change(
        "takes an identity of small order",
        13,
        "accepts an identity that proves nothing",
        "wire.mjs",
        " && !SMALL.includes(y)",
        "",
    ),
    Change(
        "speaks first",
        16,
        "sends PING before we have sent anything",
        "listener.mjs",
        "const first = await",
        'link.send(writeMessage("PING", 0)); const first = await',
    ),
    Change("makes a chain for each OFFER", 19, "Its second STAKE gives another end", "seat.mjs", "if (!staked) {", "{"),
    Change(
        "signs another move when one is refused",
        25,
        "signs another move on the same base",
        "seat.mjs",
        "[1] === base) pending = null;",
        "[1] === base) { pending = null; act(); }",
    ),
    Change(
        "forgets its move in a power failure",
        26,
        "signs another move on the same base",
        "seat.mjs",
        'home.keep("P", frame);',
        "",
    ),
    Change(
        "takes another game over one",
        27,
        "takes the header of another game",
        "seat.mjs",
        "if (!over() && !succeeds && !same(begun.previous, game.head)) {",
        "if (false) {",
    ),
    Change(
        "believes any TAKEN",
        29,
        "does not answer with RESUME",
        "seat.mjs",
        "!same(advance(game, record).head.subarray(0, 4), head)",
        "false",
    ),
    Change(
        "answers every PING alike",
        35,
        "does not answer PING 1 with PONG 1",
        "seat.mjs",
        'send("PONG", number)',
        'send("PONG", 0)',
    ),
    Change("plays on when it is called absent", 38, "plays on", "seat.mjs", "if (doubted) ask();", "if (false) ask();"),
    Change(
        "believes entries that nobody signed",
        44,
        "takes the record",
        "follow.mjs",
        "  checkSignature(g.keys[by], bytes(ENTRY, context, entry.body), entry.signature);\n",
        "",
    ),
    Change(
        "takes a header of somebody else",
        53,
        "it has signed a check",
        "seat.mjs",
        "const begun = readHeader(header, me, staked.values[0], link.peer);",
        "link.peer = valueOf(header)[4][0][0]; const begun = readHeader(header, me, staked.values[0], link.peer);",
    ),
    Change(
        "lets clocks run in a pause",
        59,
        "takes the record",
        "follow.mjs",
        'need(g.phase !== "paused" || why > 1, "rules");',
        "",
    ),
    Change(
        "is dealt to without everybody's value",
        67,
        "takes the record",
        "follow.mjs",
        'if (!again) need(awaited(g).length === 0, "fairness");',
        "",
    ),
    Change(
        "lets somebody be absent before the first deal",
        69,
        "takes the record",
        "follow.mjs",
        "need(awaited(g).includes(who) && !needed(g, who)",
        "need(awaited(g).includes(who)",
    ),
    Change(
        "lets a side that dropped out check again",
        73,
        "takes the record",
        "follow.mjs",
        "      g.silent[who] = shown; // until the next OPENING\n",
        "",
    ),
    Change(
        "finds nothing wrong with any hand",
        75,
        "4 is due",
        "follow.mjs",
        "g.verdict = judge(g, opened, openings);",
        "g.verdict = 0;",
    ),
)

TABLE, FOLLOW = "table.mjs", f"../{LISTENER}/follow.mjs"
COORDINATORS = (
    Change(
        "takes any version",
        101,
        "goes on as if nothing were wrong",
        TABLE,
        "if (version !== VERSION) return",
        "if (false) return",
    ),
    Change(
        "knows nobody by their key",
        111,
        "goes on as if nothing were wrong",
        TABLE,
        "if (guest.key && !same(guest.key, guest.link.peer)) return",
        "if (false) return",
    ),
    Change(
        "says something before HELLO",
        113,
        "Its first message is PING, not HELLO",
        TABLE,
        'send(guest, "HELLO",',
        'send(guest, "PING", 1); send(guest, "HELLO",',
    ),
    Change(
        "plays with another coordinator",
        115,
        "goes on as if nothing were wrong",
        TABLE,
        "if (coordinates) return",
        "if (false) return",
    ),
    Change(
        "makes another nonce for the header",
        116,
        "must be refused (signature)",
        TABLE,
        "previous, null, offer.nonce, 0",
        "previous, null, chance(16), 0",
    ),
    Change(
        "looks at our move before it makes its own",
        117,
        "before those of its own seats",
        TABLE,
        "const [seat] = game.mine();",
        "const [seat] = game.mine().length < game.due().length ? [] : game.mine();",
    ),
    Change(
        "goes on with another history",
        119,
        "goes on as if nothing were wrong",
        TABLE,
        "same(head, game.heads[count])",
        "true",
    ),
    Change(
        "answers every PING alike",
        122,
        "does not answer PING 1 with PONG 1",
        TABLE,
        'send(guest, "PONG", number)',
        'send(guest, "PONG", 0)',
    ),
    Change(
        "believes moves that nobody signed",
        124,
        "goes on as if nothing were wrong",
        FOLLOW,
        "  checkSignature(g.keys[by], bytes(ENTRY, context, entry.body), entry.signature);\n",
        "",
    ),
    Change(
        "takes a move on any base",
        128,
        "logs what it must refuse",
        FOLLOW,
        'need(kind === OUTCOME || fields[0] === expected, "base");',
        "",
    ),
    Change(
        "takes a value of no chain",
        129,
        "logs what it must refuse",
        FOLLOW,
        "need(gives ? leadsTo(shown, g.known[who][0], number + 1 - g.known[who][1]) : g.roll",
        "need(gives || g.roll",
    ),
    Change(
        "deals a first hand without us",
        131,
        "REFUSED, code 0",
        FOLLOW,
        'need(gives || !needed(g, who), "fairness");',
        "",
    ),
    Change(
        "shows us our cards in another order",
        133,
        "an event wasn't shown",
        "game.mjs",
        "shown.map((place) => happened.slots[place])",
        "shown.reverse().map((place) => happened.slots[place])",
    ),
)


def broken(examples: Path, folder: Path, change: Change, of: str) -> Path:
    """A copy of both programs in which that one has this change."""
    for name in (LISTENER, COORDINATOR):
        shutil.copytree(examples / name, folder / name, symlinks=True)
    file = folder / of / change.file
    text = file.read_text()
    assert text.count(change.was) == 1, f"{change.file} has {text.count(change.was)} times: {change.was}"
    file.write_text(text.replace(change.was, change.is_now))
    return folder
