"""The pages of protocol/ that are made from the program: machines.md, coordinator.md, and of every game its rules and
options.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from p2pcards.games.game import AnyGame, Stage
from p2pcards.games.options import Option, declared_options, value_text
from p2pcards.games.prose import effects_by_value, join_paragraphs, rules_in_words
from p2pcards.games.registry import GAMES
from p2pcards.ledger.signed import NEEDED
from p2pcards.ledger.transitions import BEFORE_THE_CARDS, TRANSITIONS, ByStage, Phase
from p2pcards.players.levels import LEVELS
from p2pcards.session import coordinator, listener
from p2pcards.session.coordinator import FIRST
from p2pcards.session.guests import REDIAL, Calling, CallStep
from p2pcards.session.owed import COURSE, Case
from p2pcards.session.presence import PRESENCE, Presence, PresenceStep
from p2pcards.session.succession import SUCCESSION, Succession, SuccessionStep
from p2pcards.views.absence import ABSENCES
from p2pcards.wire import messages as wire
from p2pcards.wire.records import EntryKind


def files() -> Mapping[str, Callable[[], str]]:
    """What makes every page, by its file name."""
    rules = {f"rules/{key}.md": partial(rules_page, game) for key, game in GAMES.items()}
    return {"machines.md": machines_page, "coordinator.md": coordinator_page, **rules}


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(head)]
    lines += [["---"] * len(lines[0]), *[list(row) for row in rows]]
    return "\n".join([f"| {' | '.join(line)} |" for line in lines])


# --- rules ------------------------------------------------------------------------------------------------------------


def rules_page(game: AnyGame) -> str:
    presets = list(game.presets)
    first = {option.key: getattr(game.presets[presets[0]], option.key) for option in declared_options(game.options)}
    words = join_paragraphs([filled(part) for part in rules_in_words(game, first)])
    rows = [
        [
            str(place),
            f"`{option.key}`",
            {"number": "int", "flag": "bool", "choice": "str"}[option.kind] + added(option),
            option.range,
            *[value_text(getattr(options, option.key)) for options in game.presets.values()],
            option.meaning,
        ]
        for place, option in enumerate(declared_options(game.options))
    ]
    cases = f"vectors/options/{game.key}.json"
    head = ["place", "option", "type", "values", *presets, "meaning"]
    return f"""# The rules of {game.name}

Made by `scripts/made` from the program. How they travel: [games/{game.key}.md](../games/{game.key}.md).
What each value of an option changes is told below, and shown by the cases of [{cases}](../{cases}).

These are the rules with the values of the preset {presets[0]}.

{words}

## Options

{filled(how_options_travel(game))}

{table(head, rows)}

## What each value changes

{effects(game)}

## Taking back, exchanging

{course(game)}
"""


def filled(text: str) -> str:
    """A paragraph, or a line of a list, as lines of the page."""
    indent = "  " if text.startswith("- ") else ""
    return textwrap.fill(text, 140, subsequent_indent=indent, break_on_hyphens=False)


def added(option: Option) -> str:
    return f", added: `{value_text(option.default)}`" if option.added else ""


def how_options_travel(game: AnyGame) -> str:
    words = "In the order of the header's `options`. The column of each preset shows its values."
    if any(option.added for option in declared_options(game.options)):
        words += (
            " Options that were *added* came later: a header that ends before one means the value named with that "
            "word, its default, which is that of `real-deal` ([records.md](../records.md#the-header))."
        )
    return words


def effects(game: AnyGame) -> str:
    """What every value of every option makes of the rules."""
    lines = []
    for option in declared_options(game.options):
        told = [
            f"- {', '.join([f'`{value}`' for value in values])}: {effect}" if values else effect
            for effect, values in effects_by_value(option).items()
        ]
        lines += [f"### `{option.key}`", "\n".join([filled(each) for each in told])]
    return "\n\n".join(lines)


def course(game: AnyGame) -> str:
    """What UNDO and SWAP find in a game."""
    back = " and ".join([kind.__name__ for kind in game.takes_back])
    taken = (
        f"With listeners, {back} may be taken back (UNDO)."
        if back
        else "With listeners, no action may be taken back (UNDO)."
    )
    return f"{taken} Two seats can{'' if game.swap else 'not'} exchange their hands (SWAP)."


# --- the log ----------------------------------------------------------------------------------------------------------


def phases(leads_to: Phase | ByStage | None) -> list[Phase]:
    """The phases that a row of the table can lead to, in the order in which they are declared."""
    if leads_to is None:
        return []
    found = {leads_to} if isinstance(leads_to, Phase) else set(leads_to.values())
    return [phase for phase in Phase if phase in found]


def leading(phase: Phase, kind: EntryKind) -> list[Phase]:
    """The phases that an entry of this kind can lead to from this phase."""
    found = {*phases(TRANSITIONS.get((phase, kind))), *phases(BEFORE_THE_CARDS.get((phase, kind)))}
    return [after for after in Phase if after in found]


def log_table() -> str:
    kinds = [kind for kind in EntryKind if kind is not EntryKind.FACES]
    rows = [
        [
            kind.name,
            *[", ".join(leading(phase, kind)) for phase in Phase if phase is not Phase.CLOSED],
        ]
        for kind in kinds
    ]
    return table(["entry", *[f"in *{phase}*" for phase in Phase if phase is not Phase.CLOSED]], rows)


def stage_table() -> str:
    """Where the game decides what follows, by the stage that its event leads to."""
    rows = [
        [kind.name, phase.value, *[leads_to[stage].value if stage in leads_to else "" for stage in Stage]]
        for (phase, kind), leads_to in TRANSITIONS.items()
        if not isinstance(leads_to, Phase)
    ]
    rows += [
        [
            f"{kind.name} before the hand has its cards",
            phase.value,
            *[leads_to[stage].value if stage in leads_to else "" for stage in Stage],
        ]
        for (phase, kind), leads_to in BEFORE_THE_CARDS.items()
    ]
    return table(["entry", "in", *[f"{stage.name}: {STAGES[stage]}" for stage in Stage]], rows)


STAGES = {
    Stage.DEAL: "a hand is to be dealt",
    Stage.PLAY: "seats owe actions",
    Stage.SHOW: "the dealer turns something up",
    Stage.OVER: "the game is won",
}


def diagram() -> str:
    """The transitions as mermaid draws them, those between the same two phases on one arrow."""
    arrows: dict[tuple[Phase, Phase], list[str]] = {}
    for before, kind in TRANSITIONS:
        for after in leading(before, kind):
            arrows.setdefault((before, after), []).append(kind.name)
    lines = [f"    {before} --> {after} : {', '.join(kinds)}" for (before, after), kinds in arrows.items()]
    return "\n".join(
        ["```mermaid", "stateDiagram-v2", "    [*] --> checks : header", *lines, "    closed --> [*]", "```"]
    )


def signed_table() -> str:
    """What must be signed by a side before its log is acted upon."""
    rows = [[use.value, needed.words, needed.without] for use, needed in NEEDED.items()]
    return table(["before", "must stand signed by that side", "where it does not"], rows)


# --- messages ---------------------------------------------------------------------------------------------------------


def message_table() -> str:
    """Which messages each side accepts in which presence of the listener."""
    takes = {(Presence.INVITED, kind) for kind in FIRST} | set(coordinator.TAKES)
    takes |= {(Presence.WATCHING, kind) for kind in coordinator.FROM_A_WATCHER}
    sides = (takes, set(listener.TAKES))
    rows = []
    for kind, label in message_labels().items():
        cells = [", ".join([presence for presence in Presence if (presence, kind) in takes]) for takes in sides]
        if any(cells):
            rows.append([label, *cells])
    return table(["message", "the coordinator accepts it", "the listener accepts it"], rows)


def message_labels() -> dict[type, str]:
    return {
        wire.RecordMessage: "0x00 RECORD",
        wire.MoveMessage: "0x01 MOVE",
        wire.Quick: "0x02 QUICK",
        wire.Taken: "0x03 TAKEN",
        **{kind: f"{number} {kind.__name__.upper()}" for number, (kind, _) in wire._ARRAYS.items()},
        wire.HeaderPart: "24 HEADER",
        wire.LookOn: "40 LOOK ON",
        wire.Give: "41 GIVE",
        wire.WatchersNow: "43 WATCHERS",
        wire.ShowHand: "46 SHOW",
        wire.NoSeat: "48 NO SEAT",
        wire.RefusedMove: "26 REFUSED",
    }


def presence_table() -> str:
    rows = [[step.value, *[PRESENCE.get((presence, step), "") for presence in Presence]] for step in PresenceStep]
    return table(["what happens", *[f"*{presence}*" for presence in Presence]], rows)


def absence_table() -> str:
    rows = [
        [
            f"*{absence}*",
            row.begins,
            row.plays,
            "" if row.reason is None else f"{row.reason.value}: {row.reason.sentence}",
            row.ends,
        ]
        for absence, row in ABSENCES.items()
    ]
    return table(["a player is", "when", "the seat is played by", "reason of the TAKEOVER", "until"], rows)


def redial_table() -> str:
    rows = [[step.value, *[REDIAL.get((calling, step), "") for calling in Calling]] for step in CallStep]
    return table(["what happens", *[f"*{calling}*" for calling in Calling]], rows)


def succession_table() -> str:
    rows = [[step.value, *[SUCCESSION.get((state, step), "") for state in Succession]] for step in SuccessionStep]
    return table(["what happens", *[f"*{state}*" for state in Succession]], rows)


def machines_page() -> str:
    return f"""# The machines

Made by `scripts/made` from the program, so that it says what the program does. The reasons are in
[records.md](records.md) and [messages.md](messages.md).

## A log

Which entries may follow in which phase of a log, and which phases they lead to. Where a cell is empty, the entry is
refused (`rules`), no matter who signs it. Nothing follows in *closed*. TAKEOVER and RETURN change who signs for a seat
and nothing else. No log of version 1 has PAUSE and CONTINUE; in *paused* a TAKEOVER has reason 2 or 3.

{log_table()}

Where there is a choice, the game makes it, by the stage in which the event leaves the game; the game's page says which
event ends a hand. Where a cell is empty, the case cannot occur.

{stage_table()}

{diagram()}

## What the owner of a log must have signed

A listener believes nothing of a game that only its coordinator has signed. The table says what a side must have
signed before a program acts upon its log, no matter whether the line, RESUME, a save or a file brought it. A
coordinator has signed the header, and so every game of theirs; an onlooker keeps no log, and a watcher signs nothing.

{signed_table()}

## A listener at a table

Both sides keep track of how the listener stands to the table, the coordinator for each listener. *Invited*: called, or
connected, and HELLO has not come yet. *Greeted*: at the table, with no side in a game. *Catching up*: asked by RESUME
how far their log goes, or records are missing. *At the table*: they have every record. *Looking on*: at the table while
a game is on in which they have no side. *Watching*: behind the table ([company.md](company.md#watching)). *Away*: the
link is lost, the seat is kept. *Left*: for good. Where a cell is empty, the case cannot occur.

{presence_table()}

## Absent players

The reasons that players are told for a seat, the coordinator's own included, that its own player does not play. In the
table above a player who is *cut off* is *away* or *catching up*. No clock runs while nobody is here
([records.md](records.md#a-table-that-is-paused)). A player who is back is told once what their character has played for
them. They are asked nothing: those moves stay, and the game would wait for the answer.

{absence_table()}

## A link

Which messages each side accepts in which of these states. A listener answers anything else with BYE 5. So does a
coordinator before HELLO; afterwards the coordinator ignores what a listener has no reason to send, as it may have
crossed with the end of a game; a watcher gets BYE 5. CODE and WORDS are answered before a message reaches either
machine ([first-contact.md](first-contact.md)).

{message_table()}

## Calling again

The opener of a lost stream calls again ([messages.md](messages.md), Liveness): whether a call is under way, and what
comes next. A pause is one second after a link that held or brought the game on, and otherwise twice the pause before
it, up to 30 seconds.

{redial_table()}

## A table without its coordinator

How each side stands to the one who coordinates its table ([company.md](company.md#succession)), listeners and
coordinators alike. *No table*: nobody has coordinated one here yet. *Hosted*: the coordinator is here. *Waiting*: they
are gone, and may come back. *Expecting*: somebody else is to take the table over. *Gathering*: this side takes it over,
and calls the others. *Hosting*: this side coordinates. Where a cell is empty, the case cannot occur.

{succession_table()}

## A listener's way through a game

Here the coordinator is the opener.

```mermaid
sequenceDiagram
    participant C as coordinator
    participant L as listener
    C->>L: HELLO
    L->>C: HELLO
    C->>L: PEOPLE
    C->>L: OFFER
    L->>C: STAKE
    C->>L: HEADER (in parts)
    loop each hand
        L->>C: MOVE with CHECK of the hand before
        C->>L: RECORD of each CHECK, DEAL
        loop until the hand is over
            L->>C: MOVE with ACTION or COMMIT, when the listener is to act
            C->>L: TAKEN (or REFUSED)
        end
        C->>L: RECORD with OPENING
    end
    L->>C: MOVE with CHECK of the last hand
    C->>L: RECORD with CLOSE
```
"""


# --- a coordinator ----------------------------------------------------------------------------------------------------


def course_table() -> str:
    """What a coordinator writes next, in each phase by the first case that holds."""
    order = list(Case)
    rows = [
        [f"*{phase}*", case.value, kind.name if kind else "", ", ".join(leading(phase, kind)) if kind else ""]
        for (phase, case), kind in sorted(
            COURSE.items(), key=lambda row: (list(Phase).index(row[0][0]), order.index(row[0][1]))
        )
    ]
    return table(["in", "the case", "the coordinator writes", "which leads to"], rows)


def course_diagram() -> str:
    """The same as mermaid draws it, with what others write between it."""
    arrows: dict[tuple[Phase, Phase], list[str]] = {}
    for (phase, case), kind in COURSE.items():
        for after in leading(phase, kind) if kind else ():
            label = f"{kind.name} where {SHORT[case]}" if kind else ""
            arrows.setdefault((phase, after), []).append(label)
    lines = [f"    {before} --> {after} : {', or '.join(labels)}" for (before, after), labels in arrows.items()]
    others = [
        "    checks --> checks : CHECK of a listener",
        "    play --> play : ACTION and COMMIT of a seat",
        "    play --> opening : the last of a hand",
    ]
    return "\n".join(
        ["```mermaid", "stateDiagram-v2", "    [*] --> checks : header", *lines, *others, "    closed --> [*]", "```"]
    )


SHORT = {
    Case.ENDS: "it ends",
    Case.CHANGES: "seats change hands",
    Case.IN_VAIN: "somebody gives no value",
    Case.MAY_CHECK: "checks may come",
    Case.WON: "the game is won",
    Case.GOES_ON: "nothing is awaited",
    Case.TO_SHOW: "something is turned up",
    Case.TO_ACT: "somebody is here",
    Case.NOBODY: "nobody is here",
    Case.OVER: "the hand is over",
}
"""The cases in few words, for arrows."""


GOES = {
    "PEOPLE": "to everybody, after each HELLO, whenever somebody has gone or their link is lost, whenever another "
    "game or option is chosen, and after the header of a new game. Between games the seats are those of "
    "the last one",
    "RESUME": "after HELLO to a listener with a side in the game that is on, or in the last one at this table; again "
    "to those whose log had more, once the coordinator has all of it",
    "LOOK ON": "after HELLO to a listener without a side in the game that is on",
    "CLOCKS": "to all who have every record and to onlookers: when a game begins, when the state of a seat has "
    "changed, and when somebody has come who has not seen it. A second less is no change: each counts "
    "down by themselves",
    "AGAIN": "after CLOSE, where the coordinator would like another game: with side 0 and true it asks the "
    "question. Who would not is silent; false only answers a question that a listener has asked. Silence "
    "ends nothing: the link stays, and the next OFFER or BYE says what follows",
}
"""When which message goes."""


TAKEN_OVER = [
    ["link lost", "has been away for `grace` seconds in all since it moved last"],
    [
        "turn clock",
        "is here, and its turn has lasted `turn_clock` seconds; not if that is 0. Once for each move a side that comes "
        "back has the whole turn again",
    ],
    ["left", "sent BYE 0, or was put out"],
    ["asked", "sent AWAY true; so the coordinator's own seat when its person asks for it"],
]
"""By the reasons of the registry."""


def coordinator_page() -> str:
    return f"""# What a coordinator does

Made by `scripts/made` from the program. How a listener finds their way stands in [machines.md](machines.md); the
reasons are in [records.md](records.md), [messages.md](messages.md) and [fair-deal.md](fair-deal.md). A coordinator in
500 lines of another language: [example-coordinator/](example-coordinator/README.md).

## Its table

The coordinator sends PEOPLE after each change of the table. A *character* is a key of the coordinator's own list of
characters; a key that is not in the list is accepted as it stands, and its character plays like a novice. The
coordinator MAY change a name so that all names differ, also in how they look (`Ann 2`); a listener MUST accept the
name that they are given.

A listener whose HELLO a coordinator has taken has a place at the table, and their key holds it until they leave (BYE
0) or are put out. When their link is lost in any other way they are *away*, in the lobby, in a game, between games
and while they look on: PEOPLE has them with *here* false, and a HELLO with that key takes the place again, with the
name that it had. A coordinator SHOULD NOT give it to anybody else meanwhile, except that of a stranger who came
uninvited and without a code, and with whom no game has been played: where all places are taken, such a one who is
away gives way to a newcomer.

The person who looks on SHOULD be told that they can have a seat from the next game, and everybody else at the table
that they look on. A person in PEOPLE while a game is on, whose name is none of those in its header, looks on; a
coordinator MUST NOT give a name of the header to anybody else while that game is on.

## A game begins, and ends

The STAKE of a listener whose link is lost before the header counts no more: the coordinator waits for them for the
rest of the 10 seconds, and sends OFFER again when they come back. A game that begins without somebody who is away
leaves them their place: they look on when they come back, and are offered the next one. A coordinator SHOULD ask
their player before they begin a game without those who were away already.

A listener has 10 seconds for a check after a hand is opened, and *between_hands* of the header before them
([fair-deal.md](fair-deal.md#between-two-hands)); then the coordinator MAY close without it, or say ABSENT of them and
deal, but not before the first hand, nor without the last listener on the roll
([fair-deal.md](fair-deal.md#the-roll)). The coordinator ends a game in mid-hand with an OPENING, and a CLOSE with
reason 1. When a game is closed, anybody sends AGAIN to answer for themselves; the coordinator relays it to the
others, with side filled in, and sends the answers so far to a listener who comes back. A new OFFER follows when the
coordinator and every listener who had a seat, and has not left since, are here and have said yes.

## Moves of several seats

Where several seats owe an action at once, the coordinator MUST log the actions of their own seat and of the computer
players' seats before logging or looking at those of the listeners.

## Takeover and return

TAKEOVER and RETURN are signed by the coordinator on the end of the log, in every phase but *closed*. Only a seat that
has a side and is not taken over can be taken over, the coordinator's own too; only a seat that is taken over can be
returned (`rules`). In between the coordinator signs the moves of the seat, which its side's character decides. The
side's own moves that are not in the log yet no longer count. It is a side as before in all else: it is sent every
record, with the faces and openings of its seat, and [checks](fair-deal.md#a-check) if it is here.

{table(["reason", "a seat is taken over when its side"], TAKEN_OVER)}

While the table is [paused](records.md#a-table-that-is-paused) no clock runs.

When the side's log is complete again, or it sends AWAY false, the coordinator writes a RETURN. A side that was taken
over for its turn clock SHOULD send AWAY false as soon as its person does anything at their table, whatever it is; a
side that asked for the takeover stays away until its person wants the seat back. The moves that the character made
stay. [machines.md](machines.md#absent-players) lists the words for all this. The coordinator SHOULD send CLOCKS
whenever the state of a seat changes.

## From record to record

Whenever something has come, or a time is over, a coordinator writes what it owes, again and again until somebody else
has to act. In each phase of the log the first case of this table that holds counts; where a cell is empty, it waits.
In *play* the moves of the coordinator's own seat, and of the seats that it plays for others, come before anything is
looked at that listeners sent ([below](#moves-of-several-seats)).

{course_table()}

{course_diagram()}

Beside it stand TAKEOVER and RETURN, in every phase but *closed* ([above](#takeover-and-return));
UNDO and REDEAL, when all have said yes ([messages.md](messages.md#proposals)); and RESTART, SWAP and FACE UP for
somebody alone. After a restart nothing of all this is written before every listener has said how far their log goes,
or the grace is over ([messages.md](messages.md#resume)).

## From message to message

```mermaid
sequenceDiagram
    participant B as listener
    participant A as coordinator
    participant C as another listener
    A->>B: HELLO, and B answers
    A->>B: PEOPLE, to everybody
    A->>C: HELLO, and C answers
    A->>B: PEOPLE, to everybody
    A->>B: OFFER, to everybody
    B->>A: STAKE
    C->>A: STAKE
    A->>B: HEADER, to each without what they know
    A->>B: PEOPLE, now with seats, and CLOCKS
    B->>A: MOVE with CHECK
    A->>C: RECORD of it, to all but B
    C->>A: MOVE with CHECK
    A->>B: RECORD of it, to all but C
    loop until the hand is over
        A->>B: RECORD, with the faces of each
        B->>A: MOVE
        A->>B: TAKEN
        A->>C: RECORD of it
    end
    A->>B: RECORD with OPENING, to everybody
    A->>B: after the last CHECK, RECORD with CLOSE
```

{table(["message", "goes"], GOES.items())}

## The header

Who sits where is the coordinator's to say. Ours has seat 0 itself, a partner opposite (seat 2 of 4), and seats the
others in the order in which they came; who finds no seat watches, and computer players have what is left.

- *character* of a side is the one of its HELLO. A seat of a side has that character, and its *level* is that at which
  the coordinator's program plays it when it takes over: where the key is not in its list, novice. A listener may ask
  its player about one that its own program does not have ([records.md](records.md#the-header)); so ours names a lower
  level for a listener's seat where it cannot play the usual one as everybody can repeat it. A seat without a side has
  one of the coordinator's characters that no side has. The key is at most 24 characters, and means something to its
  own program alone.
- *level* and *edition* say which player decides ([fair-deal.md](fair-deal.md#opening-and-check)): the levels of
  p2pcards are {levels()}. A program with players of its own writes names that are none of these, such as its own, and
  edition 1, and one more whenever a player of that level decides otherwise; 65535 where a player cannot decide as its
  level does. It should take all chance from the seed of the page, so that its own readers can repeat each decision;
  ours say "not tried".
- *first_dealer* is nil where the draw pack is to decide, which is fair to all. A coordinator may name any seat, and
  nothing binds them: ours names one where the game before had the same rules and as many seats, by its rules (in most
  games the seat after the first dealer of that one).
- *previous* is the head of the game before at this table, also where that was broken off.
- *grace* and *turn_clock* are those of the table: 60 seconds, or 180 where a telephone line is among the links, and
  180; 0 for nobody but oneself. *between_hands* is 20 where people play, and where somebody plays alone.

## A log that was lost in part

After ASK the records come as HAVE, without faces. What a coordinator needs beside them:

- The opening of a COMMIT of a listener's comes with it from that listener alone. Is it another's, the coordinator
  waits until that listener is here too, and asks them; a move that they send again has it as well.
- Its own seat, its computer players and the seats that it has taken over have the salt that follows from its chain
  ([fair-deal.md](fair-deal.md#commitments-salts-and-openings)): the base stands in the entry. It tries the actions
  that are legal for that seat, until one gives the commitment. Salts that were drawn otherwise are lost with the log,
  and the hand can then not be opened: so take the derived ones.
- Its chain is in its log from the first payload on ([log.md](log.md)). Where that is lost too, the game cannot go on.
- The faces of each listener follow from the pack, and are signed again: the same bytes, as Ed25519 has no chance in
  it.
"""


def levels() -> str:
    return ", ".join(LEVELS)
