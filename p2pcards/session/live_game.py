"""The game that is on at a coordinator's table: what the dealer owes the log, whose turn it is and since when, who
plays for whom, what listeners send, and who has which records."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, StrEnum, auto
from math import ceil, inf

from p2pcards.games.game import Action, Seat, Stage
from p2pcards.ledger.advance import check_yes, deciders, is_full, to_take_back, voters
from p2pcards.ledger.fair import awaited, commitment, derived_salt, is_needed
from p2pcards.ledger.payloads import ADDRESS, RECORD, Start, read_address
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase, may_follow
from p2pcards.ledger.writer import LedgerWriter, Logged
from p2pcards.session.bounds import allowed
from p2pcards.session.effects import CommandError, Effect, Look, Me, PeerId, Remember, Send, Tell, Think, seen
from p2pcards.session.guests import Guest, GuestIdentity
from p2pcards.session.own_seat import Deputy, kept_seat, owed_seat
from p2pcards.session.presence import Presence, PresenceStep
from p2pcards.views.happenings import Notice, Proposed, SaidNo
from p2pcards.views.standpoint import Cast, tell
from p2pcards.views.tableview import ProposalView
from p2pcards.wire.messages import (
    PART_SIZE,
    Ask,
    Clocks,
    ClockState,
    Have,
    HeaderPart,
    LookOn,
    Proposal,
    RefusedMove,
    Resume,
    Vote,
)
from p2pcards.wire.packing import Cause, Refused, encode_action
from p2pcards.wire.reasons import ByeCode, CloseReason, RefusalCode, TakeoverReason
from p2pcards.wire.records import (
    EDITIONS,
    FIRST_VERSION,
    Agreed,
    CheckEntry,
    CommitEntry,
    Entry,
    EntryKind,
    Frame,
    Move,
    Record,
    RedealEntry,
    UndoEntry,
    Yes,
    abridged,
    encode_opening,
    read_record,
)

# --- whether anybody is here to play ----------------------------------------------------------------------------------


def stands_still(position: Position, guests: Mapping[int, Guest], auto: str | None) -> bool:
    """Whether no person who has a seat is here to play, in a game that can be paused. guests: the listeners by side;
    auto: the level that plays the coordinator's seat, or None. The coordinator is here also without a front end."""
    if position.header.version < FIRST_VERSION[EntryKind.PAUSE]:
        return False
    for seat, entry in enumerate(position.header.seats):
        if entry.side == 0 and auto:
            return False
        if entry.side is not None and seat not in position.substituted:
            guest = guests.get(entry.side)
            if guest is None or guest.complete:
                return False
    return True


# --- between two hands ------------------------------------------------------------------------------------------------


def is_looked_at(before: Position, after: Position) -> bool:
    """Whether this record ends a hand that was played out, and another follows it: people look at what it came to."""
    return (
        before.phase is Phase.OPENING
        and after.phase is Phase.CHECKS
        and before.given_up is None
        and after.state.stage == Stage.DEAL
        and after.header.between_hands > 0
    )


class Pause:
    """How long the person at this end may look at the hand that is over. It is over at once where the computer plays
    their seat."""

    def __init__(self, alone: bool) -> None:
        self._alone = alone
        self._until: float | None = None

    def mark(self, before: Position, after: Position, now: float) -> None:
        """A new record."""
        if is_looked_at(before, after):
            self._until = inf if self._alone else now + after.header.between_hands
        elif after.phase is not Phase.CHECKS or before.recalled < after.recalled:
            self._until = None

    def end(self) -> None:
        """The person is done."""
        self._until = None

    def tick(self, now: float) -> bool:
        """Whether the time is over now."""
        over = self._until is not None and now >= self._until
        self._until = None if over else self._until
        return over

    def lasts(self, position: Position, auto: str | None) -> bool:
        """auto: the level that plays the seat of this end, or None."""
        mine = position.seat is not None and position.seat not in position.substituted and not auto
        return mine and self._until is not None

    def left(self, position: Position, auto: str | None, now: float) -> int | None:
        """Whole seconds, 0 where there is no end to it; None where there is no pause."""
        if self._until is None or not self.lasts(position, auto):
            return None
        return 0 if self._until == inf else max(1, ceil(self._until - now))

    def next_time(self) -> float | None:
        """When to call `tick`."""
        return None if self._until == inf else self._until


# --- the clocks of a live game ----------------------------------------------------------------------------------------


CHECK_SECONDS = 10.0
"""How long a listener who is connected may take for the check of a hand; then the game goes on without it."""


ASKED_SECONDS = 300.0
"""How long a player is asked whether they play on where there is no turn clock."""


Deadlines = Mapping[Seat, tuple[float, TakeoverReason]]
"""When which seat is taken over, and why."""


class GameClocks:
    """guests: the listeners of the game by side. started: when this side began with the game, in seconds."""

    def __init__(self, guests: Mapping[int, Guest], started: float) -> None:
        self.started = started
        self._guests = guests
        self._grace_began = started  # of those who were away by then
        self._turn_began: dict[Seat, float] = {}
        self._away: dict[Seat, float] = {}  # seconds that the player there has been away since they moved last
        self._renewed: set[Seat] = set()  # whose turn was begun anew, since they moved last
        self._checks_began = started
        self._looked_at = 0
        self._asked_until = started
        self._shown: list[ClockState] | None = None

    # --- what happens -------------------------------------------------------------------------------------------------

    def mark(self, logged: Logged, now: float) -> None:
        """A new record."""
        before, after = logged.before, logged.after
        owing = after.state.to_act if after.phase is Phase.PLAY else ()
        same_decision = after.simultaneous and before.simultaneous
        runs_on = same_decision or not isinstance(logged.entries[0], Move)
        self._turn_began = {seat: self._turn_began.get(seat, now) if runs_on else now for seat in owing}
        if after.phase is Phase.CHECKS and (before.phase is not Phase.CHECKS or before.recalled < after.recalled):
            self._checks_began = now
            self._looked_at = after.header.between_hands if is_looked_at(before, after) else 0
            anew = before.recalled < after.recalled
            self._asked_until = now + (after.header.turn_clock or ASKED_SECONDS) if anew else now
        if before.phase is Phase.PAUSED:
            self._grace_began = now
            self._away.clear()
            self._renewed.clear()
        if isinstance(logged.entries[0], Move):
            self._away.pop(logged.entries[0].seat, None)
            self._renewed.discard(logged.entries[0].seat)

    def back(self, seat: Seat | None, guest: Guest, now: float) -> None:
        """The player of this seat, who was away, has every record again. Until they move the grace is shorter by the
        time that they were: a link that comes and goes holds nobody up."""
        if seat is None:
            return
        since = self._away_since(guest)
        self._away[seat] = self._away.get(seat, 0.0) + now - since
        if seat in self._turn_began:
            self._turn_began[seat] += now - max(since, self._turn_began[seat])
            self.renew_turn(seat, now)

    def renew_turn(self, seat: Seat, now: float) -> None:
        """The player of this seat plays again: if it is their turn, all of it is before them, but once for each
        move."""
        if seat in self._turn_began and seat not in self._renewed:
            self._renewed.add(seat)
            self._turn_began[seat] = now

    # --- what is due --------------------------------------------------------------------------------------------------

    def deadlines(self, position: Position, running: bool) -> Deadlines:
        """running: the turn clocks run."""
        due: dict[Seat, tuple[float, TakeoverReason]] = {}
        if position.phase in (Phase.PAUSED, Phase.CLOSED):
            return due
        for seat, entry in enumerate(position.header.seats):
            if entry.side is None or seat in position.substituted:
                continue
            guest = self._guests.get(entry.side)
            if guest is not None and not guest.complete:
                left = max(0.0, position.header.grace - self._away.get(seat, 0.0))
                due[seat] = (self._away_since(guest) + left, TakeoverReason.LINE_LOST)
            elif seat in self._turn_began and position.header.turn_clock and running:
                due[seat] = (self._turn_began[seat] + position.header.turn_clock, TakeoverReason.CLOCK_RAN_OUT)
        return due

    def _away_since(self, guest: Guest) -> float:
        return max(guest.lost_at, self._grace_began)

    def countdown(self, position: Position, now: float) -> dict[Seat, float]:
        """Seconds until the characters take over for those who are away."""
        due = self.deadlines(position, running=False)
        return {seat: max(0.0, time - now) for seat, (time, _) in due.items()}

    def checks_end(self) -> float:
        """When nobody waits for checks any more."""
        slowest = max([guest.pace for guest in self._guests.values()], default=0.0)
        return self._checks_began + self._looked_at + allowed(CHECK_SECONDS, slowest)

    def asked_end(self) -> float:
        """When nobody waits any more for the word of a player who is here, in whose game somebody has dropped out."""
        return max(self.checks_end(), self._asked_until)

    # --- what listeners are shown -------------------------------------------------------------------------------------

    def show_again(self) -> None:
        """Somebody has not seen the clocks."""
        self._shown = None

    def news(self, position: Position, now: float) -> Clocks | None:
        """The clocks, if the state of a seat is not the one that was shown last."""
        left = self.countdown(position, now)
        clocks = tuple([self._clock(position, seat, left.get(seat)) for seat in range(len(position.header.seats))])
        states = [state for state, _ in clocks]
        if states == self._shown:
            return None
        self._shown = states
        return Clocks(clocks)

    def _clock(self, position: Position, seat: Seat, left: float | None) -> tuple[ClockState, int | None]:
        if seat in position.substituted:
            return ClockState.CHARACTER, None
        guest = self._guests.get(position.header.seats[seat].side or 0)
        here = guest is None or guest.complete
        return (ClockState.HERE if here else ClockState.AWAY), None if left is None else round(left)


# --- the seats that computer players decide for at a coordinator's table ----------------------------------------------


class Computers:
    """deputy: that of the coordinator's own seat."""

    def __init__(self, deputy: Deputy) -> None:
        self._deputy = deputy
        self._asked: Think | None = None

    def ask(self, writer: LedgerWriter) -> list[Effect]:
        """What is to be thought about now."""
        position = writer.position
        if self._asked is not None or position.phase is not Phase.PLAY:
            return []
        for seat in position.state.to_act:
            level = self._level(position, seat)
            if level is not None:
                seed = writer.thinking_seed(seat)
                entry = position.header.seats[seat]
                repeatable = position.is_computers(seat) and entry.edition != EDITIONS
                self._asked = Think(seat, position.game, position.views[seat], level, seed, repeatable=repeatable)
                mine = entry.side == 0
                return [*(self._deputy.note(position) if mine else []), self._asked]
        return []

    def _level(self, position: Position, seat: Seat) -> str | None:
        """The level that decides for a seat; None if a person does."""
        entry = position.header.seats[seat]
        if position.is_computers(seat):
            return entry.level
        return self._deputy.level(position) if entry.side == 0 else None

    def awaits(self, think: Think) -> bool:
        return think is self._asked

    def take(self, think: Think) -> bool:
        """An answer came: whether it is the one that is awaited."""
        if not self.awaits(think):
            return False
        self._asked = None
        return True

    def table_moved_on(self) -> None:
        """The question that was asked is no longer the one to be decided."""
        self._asked = None


# --- what the coordinator owes the log, whatever anybody else does ----------------------------------------------------


Guests = Mapping[int, Guest]


class Case(StrEnum):
    """What is the case in a phase, for the book; the first that holds counts."""

    ENDS = "the coordinator ends the game, or the log is full, or a hand was broken off"
    IN_VAIN = (
        "a side on the roll has not checked, can be done without, and its time is over, or it has no seat that is kept"
    )
    MAY_CHECK = "a side that is here may check yet and has time, or the deal cannot do without one"
    LOOKED_AT = "the coordinator's player looks at the hand that is over, and has time"
    WON = "the game is won"
    GOES_ON = "a hand is to be dealt, or the rest of one"
    TO_SHOW = "the dealer is to turn something up"
    TO_ACT = "seats owe actions, and a person is here"
    NOBODY = "seats owe actions, and no person is here"
    OVER = "the hand is over, or was given up"


COURSE: Mapping[tuple[Phase, Case], EntryKind | None] = {
    (Phase.CHECKS, Case.ENDS): EntryKind.CLOSE,
    (Phase.CHECKS, Case.IN_VAIN): EntryKind.ABSENT,
    (Phase.CHECKS, Case.MAY_CHECK): None,
    (Phase.CHECKS, Case.LOOKED_AT): None,
    (Phase.CHECKS, Case.WON): EntryKind.CLOSE,
    (Phase.CHECKS, Case.GOES_ON): EntryKind.DEAL,
    (Phase.DEALING, Case.ENDS): EntryKind.CLOSE,
    (Phase.DEALING, Case.GOES_ON): EntryKind.DEAL,
    (Phase.PLAY, Case.ENDS): EntryKind.OPENING,
    (Phase.PLAY, Case.TO_SHOW): EntryKind.OUTCOME,
    (Phase.PLAY, Case.NOBODY): EntryKind.PAUSE,
    (Phase.PLAY, Case.TO_ACT): None,
    (Phase.PAUSED, Case.ENDS): EntryKind.OPENING,
    (Phase.PAUSED, Case.NOBODY): None,
    (Phase.PAUSED, Case.TO_ACT): EntryKind.CONTINUE,
    (Phase.OPENING, Case.ENDS): EntryKind.OPENING,
    (Phase.OPENING, Case.OVER): EntryKind.OPENING,
}
"""What the coordinator's side writes next; None where somebody else has to act first."""

_MAKES: Mapping[EntryKind, Callable[[LedgerWriter], Logged]] = {
    EntryKind.CLOSE: lambda writer: writer.close(_ending(writer.position)),
    EntryKind.DEAL: LedgerWriter.deal,
    EntryKind.OPENING: LedgerWriter.open_hand,
    EntryKind.OUTCOME: LedgerWriter.show,
    EntryKind.PAUSE: LedgerWriter.pause,
    EntryKind.CONTINUE: LedgerWriter.go_on,
}


def owed(
    writer: LedgerWriter, guests: Guests, auto: str | None, in_time: bool, asked: bool, looks: bool
) -> Logged | None:
    """The next record that is owed, made; None when somebody has to act. guests, auto: as `stands_still` takes them;
    in_time: there is still time for checks that have not come; asked: there is still time for those who are here to be
    asked whether they play on; looks: the coordinator's player looks at the hand that is over."""
    position = writer.position
    gone = _gone(position, guests, in_time, asked)
    case = _case(position, guests, auto, in_time, looks, bool(gone))
    kind = COURSE[position.phase, case]
    if kind is EntryKind.ABSENT:
        return writer.absent(gone[0])
    return None if kind is None else _MAKES[kind](writer)


def closing(writer: LedgerWriter) -> Logged:
    """The next record of a game that the coordinator ends: the hand is opened, then the log closed."""
    kind = COURSE[writer.position.phase, Case.ENDS]
    assert kind is not None
    return _MAKES[kind](writer)


def _ending(position: Position) -> CloseReason:
    return CloseReason.WON if position.state.stage == Stage.OVER else CloseReason.ENDED


def _case(position: Position, guests: Guests, auto: str | None, in_time: bool, looks: bool, anybody_gone: bool) -> Case:
    """What is the case now, one of those that `COURSE` has for this phase."""
    if is_full(position) or position.broken_off:  # the last run of the program came no further than to break it off
        return Case.ENDS
    match position.phase:
        case Phase.CHECKS:
            return _case_of_checks(position, guests, in_time, looks, anybody_gone)
        case Phase.DEALING:
            return Case.GOES_ON
        case Phase.OPENING:
            return Case.OVER
        case Phase.PLAY if position.state.stage == Stage.SHOW:
            return Case.TO_SHOW
        case _:
            return Case.NOBODY if stands_still(position, guests, auto) else Case.TO_ACT


def _case_of_checks(position: Position, guests: Guests, in_time: bool, looks: bool, anybody_gone: bool) -> Case:
    """It waits for those who may check while there is time, and for whom the deal needs as long as it takes."""
    if anybody_gone:
        return Case.IN_VAIN
    may_come = in_time and any(guest.complete and side not in position.checked for side, guest in guests.items())
    if may_come or awaited(position):
        return Case.MAY_CHECK
    if looks:
        return Case.LOOKED_AT
    return Case.WON if position.state.stage == Stage.OVER else Case.GOES_ON


def _gone(position: Position, guests: Guests, in_time: bool, asked: bool) -> list[int]:
    """Those whom the deal would wait for in vain, first who may come back last."""
    return [
        side
        for side in sorted(awaited(position), key=lambda side: (not guests[side].left, guests[side].complete, side))
        if not is_needed(position, side)
        and not (in_time and _may_check(position, side, guests[side]))
        and not (asked and guests[side].complete)
    ]


def _may_check(position: Position, side: int, guest: Guest) -> bool:
    """Whether a listener is here, or may come back to a seat that is kept for them."""
    return guest.complete or not (guest.left or position.header.seat_of(side) in position.substituted)


# --- what keeps a coordinator's game from its next deal ---------------------------------------------------------------


class NextDeal:
    """guests: the listeners of the game by side. without_chain: of them those who have lost the chain that the header
    names, before the first deal."""

    def __init__(self, guests: Mapping[int, Guest]) -> None:
        self.without_chain: set[int] = set()
        self._guests = guests
        self._unheard: set[int] = set()  # the sides that had no header when they were asked, before the first deal
        self._told = -1  # where the phase of checks began of which it was told for whom it waits

    def is_out_of_reach(self, position: Position, side: int) -> bool:
        """This side has no log of the game; whether the header would be refused again."""
        if position.dealt == 0:
            self._unheard.add(side)
        return side in self.without_chain

    def refuses_header(self, position: Position, side: int | None) -> None:
        """They have hung up as something cannot be: where they had no log, the chain that the header gives them is not
        theirs any more."""
        if side is not None and side in self._unheard and position.dealt == 0:
            self.without_chain.add(side)

    def never_comes(self) -> bool:
        """Whether somebody has no chain for the first deal, and everybody is here for another game."""
        here = all(guest.here or guest.left for guest in self._guests.values())
        return bool(self.without_chain) and here

    def names(self) -> str:
        """Of those without a chain."""
        return " and ".join([self._guests[side].name for side in sorted(self.without_chain)])

    def waits(self, position: Position) -> bool:
        """Whether it was told for whom this deal waits: then no time is over any more."""
        return self._told == position.open_base

    def tell(self, position: Position, asked: bool) -> list[Effect]:
        """The time of the checks is over. For whom the next deal waits all the same: without them nobody but this side
        would have made its pack, or their players are asked."""
        missing = [self._guests[side] for side in sorted(awaited(position))]
        if not missing or self.waits(position):
            return []
        self._told = position.open_base
        names = " and ".join([guest.name for guest in missing])
        if asked and all(guest.complete for guest in missing):
            verb = "is" if len(missing) == 1 else "are"
            text = f"Somebody dropped out, so {names} {verb} asked whether to play on. The next hand waits for that;"
            return [Tell(Notice(f"{text} 'end' ends the game."))]
        if not position.dealt and all(guest.complete for guest in missing):
            text = f"The game begins when {names} {'comes' if len(missing) == 1 else 'come'} to the table."
        else:
            text = f"The next hand is not dealt without {names}, who must have a part in the shuffle. The game waits;"
        return [Tell(Notice(f"{text} 'end' ends it."))]


# --- taking back and dealing again at a table with people -------------------------------------------------------------


FOR_ONE = "Only a player who is alone can do that: with people at the table nobody may see or change the cards."
NO_PAUSE = "No hand is over that you look at."
NO_PROPOSAL = "Nobody has asked for anything that you could agree to."


@dataclass(frozen=True, slots=True)
class OpenProposal:
    """entry: what would be logged, without any yes; asker: the side that proposed it; yeses: by side, None for the
    coordinator, who says yes by the entry itself."""

    entry: Agreed
    asker: int
    yeses: Mapping[int, Yes | None]


def wanted(what: EntryKind, position: Position, side: int) -> Agreed:
    """The entry that a side may propose now. Raises Refused, with a sentence for the player."""
    if position.header.version < FIRST_VERSION[what]:
        raise Refused(
            Cause.RULES, "This game began under an older version, in which every hand is played as it was dealt."
        )
    if side not in deciders(position):
        raise Refused(Cause.RULES, "That is for those who play their own seats.")
    if not may_follow(position.phase, what):
        raise Refused(Cause.RULES, "That can be asked only while a hand is being played.")
    if what is EntryKind.REDEAL:
        return RedealEntry(position.count, side)
    seat = to_take_back(position)[0].seat
    assert seat is not None
    if position.header.seats[seat].side != side:
        raise Refused(Cause.RULES, "There is nothing of yours to take back: somebody else has played since.")
    return UndoEntry(position.count)


class Proposals:
    """What is proposed at a coordinator's table. A proposal is over once anything is logged. guests: the listeners of
    the game by side."""

    def __init__(self, writer: LedgerWriter, guests: Mapping[int, Guest]) -> None:
        self._writer = writer
        self._guests = guests
        self._last: OpenProposal | None = None

    @property
    def open(self) -> OpenProposal | None:
        last, position = self._last, self._writer.position
        if last is None or last.entry.base != position.count:
            return None
        return last if all(self._guests[side].complete for side in voters(position)) else None

    @property
    def to_answer(self) -> ProposalView | None:
        """What waits for the yes or no of the person at this end."""
        open_now = self.open
        if open_now is None or 0 in open_now.yeses or 0 not in deciders(self._writer.position):
            return None
        return ProposalView(self._name(open_now.asker), isinstance(open_now.entry, RedealEntry))

    def propose(self, what: EntryKind, side: int, signature: bytes = b"") -> list[Effect]:
        """signature: of a listener's yes. Raises Refused."""
        position = self._writer.position
        if self.open is not None:
            raise Refused(Cause.RULES, "Something else is proposed already: say yes or no to that first.")
        entry = wanted(what, position, side)
        asked = [other for other in deciders(position) if other != side]
        if asked:
            self._check_they_can_answer(position)
        yes = self._checked_yes(entry, side, signature)
        self._last = OpenProposal(entry, side, {side: yes})
        sent = [
            effect
            for other in asked
            if other
            for effect in self._guests[other].send(Proposal(what, entry.base, side, signature))
        ]
        return [*sent, Tell(Proposed(self._name(side), what is EntryKind.REDEAL, side == 0))] if asked else []

    def vote(self, side: int, base: int, signature: bytes) -> list[Effect]:
        """A yes by its signature, or a no without; the coordinator's own yes is said by `agree`. One that is about
        nothing that is open is passed over, and so is another answer of a side that has said yes: one who asks cannot
        ask again and again until somebody else has answered. Raises Refused for a yes that does not fit."""
        proposal = self.open
        if proposal is None or base != proposal.entry.base or side not in deciders(self._writer.position):
            return []
        if side in proposal.yeses:
            return []
        if signature:
            self._add(proposal, side, self._checked_yes(proposal.entry, side, signature))
            return []
        self._last = None
        told = [self._guests[other].send(Vote(base, side, b"")) for other in self._guests if other != side]
        return [*[effect for effects in told for effect in effects], Tell(SaidNo(self._name(side), side == 0))]

    def agree(self) -> None:
        """The coordinator's own yes."""
        if self.open is not None:
            self._add(self.open, 0, None)

    def agreed(self) -> Logged | None:
        """The record of what everybody has agreed to now."""
        proposal = self.open
        if proposal is None or not proposal.yeses.keys() >= set(deciders(self._writer.position)):
            return None
        self._last = None
        yeses = tuple([yes for _, yes in sorted(proposal.yeses.items()) if yes])
        if isinstance(proposal.entry, UndoEntry):
            return self._writer.undo(yeses)
        return self._writer.redeal(proposal.asker, yeses)

    def _add(self, proposal: OpenProposal, side: int, yes: Yes | None) -> None:
        self._last = replace(proposal, yeses={**proposal.yeses, side: yes})

    def _checked_yes(self, entry: Agreed, side: int, signature: bytes) -> Yes | None:
        if side == 0:
            return None
        yes = Yes(side, signature)
        check_yes(self._writer.position, entry, yes)
        return yes

    def _check_they_can_answer(self, position: Position) -> None:
        seats = position.header.seats
        if any(seats[seat].side is None or seat in position.substituted for seat in position.state.to_act):
            raise Refused(Cause.RULES, "A computer player is about to play; ask again when it has.")
        away = [self._guests[side].name for side in voters(position) if not self._guests[side].complete]
        if away:
            raise Refused(Cause.RULES, f"Everybody has to agree to that, and {' and '.join(away)} cannot be asked now.")

    def _name(self, side: int) -> str:
        return self._writer.position.names[side]


# --- moves and checks that listeners send -----------------------------------------------------------------------------


class Untaken(Enum):
    """What becomes of a move that is neither taken nor refused."""

    DEFERRED = auto()
    REPEATED = auto()  # its author has the record, or it is on the way


class Intake:
    """deferred: by side the moves that wait for the coordinator's own choice, or until logs are complete."""

    def __init__(self, writer: LedgerWriter) -> None:
        self.deferred: dict[int, bytes] = {}
        self._writer = writer

    def take(self, side: int, data: bytes, awaiting_logs: bool) -> Logged | RefusedMove | Untaken:
        """The record of a move, now in the log, or why there is none. Raises Refused when the side broke the
        protocol."""
        record, entries = read_record(data)
        entry = self._check_author(side, entries[0])
        try:
            if awaiting_logs or (self.mine_first() and not isinstance(entry, CheckEntry)):
                self._writer.check(record, entries)
                self.deferred[side] = data
                return Untaken.DEFERRED
            return self._writer.take(record, entries)
        except Refused as refusal:
            return self._refuse(record, entry.base, refusal)

    def take_deferred(self) -> dict[int, bytes]:
        """The moves that need not wait any more."""
        if self.mine_first():
            return {}
        deferred, self.deferred = self.deferred, {}
        return deferred

    def mine_first(self) -> bool:
        """Whether a seat of the coordinator's must choose before this side may see what the others chose."""
        position = self._writer.position
        choosing = position.phase is Phase.PLAY and position.simultaneous
        return choosing and any(position.signer(seat) == 0 for seat in position.state.to_act)

    def _check_author(self, side: int, entry: Entry) -> Move | CheckEntry:
        if isinstance(entry, CheckEntry):
            if entry.side != side:
                raise Refused(Cause.SEAT, "A check came for another side.")
            return entry
        if not isinstance(entry, Move):
            raise Refused(Cause.SHAPE, "A listener sends moves and checks only.")
        if self._writer.position.header.seat_of(side) != entry.seat:
            raise Refused(Cause.SEAT, "A move came for another seat.")
        return entry

    def _refuse(self, record: Record, base: int, refusal: Refused) -> RefusedMove | Untaken:
        if self._writer.was_taken(record.frames[0]):
            return Untaken.REPEATED
        match refusal.cause:
            case Cause.BASE | Cause.SEAT | Cause.SIGNATURE if base < self._writer.position.count:
                return RefusedMove(base, RefusalCode.LATE, str(refusal))
            case Cause.RULES | Cause.FAIRNESS | Cause.BASE:
                rules = refusal.cause is Cause.RULES
                code = RefusalCode.AGAINST_THE_RULES if rules else RefusalCode.LATE
                return RefusedMove(base, code, str(refusal)[:200])
            case _:
                raise refusal


# --- bringing two logs to the same record -----------------------------------------------------------------------------


NO_HEAD = bytes(32)


class Standing(Enum):
    """Of a listener's log."""

    EMPTY = auto()  # not even the header
    BEHIND = auto()  # or level
    AHEAD = auto()
    OTHER = auto()  # it tells another history


def standing(writer: LedgerWriter, said: Resume) -> Standing:
    """said: the listener's RESUME for this game."""
    count = writer.position.count
    if said.count > count:
        return Standing.AHEAD
    if said.count == 0 and said.head == NO_HEAD:
        return Standing.EMPTY
    return Standing.BEHIND if writer.head_at(said.count) == said.head else Standing.OTHER


def with_opening(writer: LedgerWriter, moves: Iterable[bytes], data: bytes) -> bytes | None:
    """A record from a listener's log as the coordinator's own log holds it; None if an opening is not known. moves:
    records that wait to be taken, with their openings."""
    record, entries = read_record(data)
    entry = entries[0]
    if not isinstance(entry, CommitEntry) or record.opening:
        return bytes(Record(record.frames, None, record.opening))
    for move in moves:
        waiting, _ = read_record(move)
        if waiting.frames == record.frames[:1]:
            return bytes(Record(record.frames, None, waiting.opening))
    game, view = writer.position.game, writer.position.views[entry.seat]
    salt = derived_salt(writer.value(), entry.seat, entry.base)
    for action in game.legal(view, entry.seat):
        number, fields = encode_action(game, action)
        if commitment(salt, number, fields) == entry.commitment:
            return bytes(Record(record.frames, None, encode_opening(salt, number, fields)))
    return None


class LogsAhead:
    """The listeners whose logs go further than that of a restored coordinator, by side, and how far."""

    def __init__(self) -> None:
        self._ahead: dict[int, int] = {}
        self._told: dict[bytes, int] = {}  # by key how many records each listener was told that there are
        self._last_request = -1  # the record from which they were asked last
        self._lacked = -1  # the record that was found to lack its opening last

    def tell(self, key: bytes, count: int) -> None:
        """A listener is asked how far their log goes, and told how many records are here."""
        self._told[key] = count

    def waits(self, key: bytes, count: int) -> bool:
        """Whether a listener, who has so many records, takes ours for a shorter log: they wait to be asked again."""
        return self._told.get(key, count) < count

    def note(self, side: int, count: int) -> None:
        self._ahead[side] = count

    def of(self, side: int) -> int:
        """How many records this side has, 0 if it is not ahead."""
        return self._ahead.get(side, 0)

    def caught_up(self, side: int) -> None:
        self._ahead.pop(side, None)

    def reached(self, count: int) -> list[int]:
        """The sides that are ahead no longer, now that this side has so many records."""
        reached = [side for side, known in self._ahead.items() if known <= count]
        for side in reached:
            del self._ahead[side]
        return reached

    def may_ask(self, count: int) -> bool:
        """Whether nobody was asked for this record yet."""
        return self._last_request != count

    def lacks(self, count: int) -> bool:
        """Nobody who is here has the opening of this record; whether that is new."""
        before, self._lacked = self._lacked, count
        return before != count

    def ask(self, count: int) -> list[int]:
        """The sides that have more records than so many, and are asked for the rest."""
        self._last_request = count
        return [side for side, known in self._ahead.items() if known > count]


# --- where the records of a live game go ------------------------------------------------------------------------------


class Feed:
    """guests: the listeners of the game by side. untold: the side that made the record which was sent to the others
    last, and the record, until that side and the person at this end have it too."""

    def __init__(self, writer: LedgerWriter, guests: Mapping[int, Guest], cast: Cast) -> None:
        self.untold: tuple[int, Logged] | None = None
        self._writer = writer
        self._guests = guests
        self._cast = cast
        self._onlookers: list[Guest] = []

    def publish(self, logged: Logged) -> list[Effect]:
        """A record of the coordinator's."""
        return self._spread(logged) + self._story(logged)

    def relay(self, logged: Logged, mover: int) -> list[Effect]:
        """A listener's record. What follows from it waits for `catch_up_mover`, so that it reaches the others first."""
        self.untold = mover, logged
        return self._spread(logged, mover)

    def forget_untold(self) -> None:
        self.untold = None

    def catch_up_mover(self) -> list[Effect]:
        """The mover is answered when the others have the record: they know what they did."""
        untold = self.untold
        self.forget_untold()
        if untold is None:
            return []
        mover, logged = untold
        return self._answer(mover, logged) + self._story(logged)

    def new_header(self, side: int) -> list[Effect]:
        """To a listener who has just staked: without what they know."""
        key = self._writer.position.header.sides[side].key
        return self._in_parts(self._guests[side], abridged(self._writer.frame, key))

    def header(self, guest: Guest) -> list[Effect]:
        return self._in_parts(guest, self._writer.frame)

    def _in_parts(self, guest: Guest, whole: Frame) -> list[Effect]:
        frame = bytes(whole)
        pieces = [frame[i : i + PART_SIZE] for i in range(0, len(frame), PART_SIZE)]
        parts = [HeaderPart(number, len(pieces), piece) for number, piece in enumerate(pieces)]
        return [effect for part in parts for effect in guest.send(part)]

    def records_from(self, count: int, side: int) -> list[Effect]:
        """As the function below."""
        return records_from(self._writer, count, self._guests[side], side)

    def look_on(self, guest: Guest) -> list[Effect]:
        """Somebody without a side gets the header, all records so far, and each that comes, as everybody sees them."""
        self._onlookers = [*[one for one in self._onlookers if one.looks_on and one is not guest], guest]
        position = self._writer.position
        effects = guest.send(LookOn(position.game_id, position.count)) + self.header(guest)
        return effects + [effect for logged in self._writer.log for effect in _show([guest], logged)]

    def receivers(self) -> list[Guest]:
        """Everybody who has all records."""
        return [guest for guest in (*self._guests.values(), *self._onlookers) if guest.complete or guest.looks_on]

    def _spread(self, logged: Logged, mover: int = 0) -> list[Effect]:
        """A record, remembered before it is sent, to everybody but the mover."""
        others = [side for side in self._guests if side != mover]
        return [
            Remember(RECORD + bytes(logged.record)),
            *[effect for side in others for effect in self._send(side, logged)],
            *_show(self._onlookers, logged),
        ]

    def _send(self, side: int, logged: Logged) -> list[Effect]:
        guest, entry = self._guests[side], logged.entries[0]
        if isinstance(entry, CheckEntry) and entry.side == side:
            return []  # they know it, and where it stands by the number of what comes next
        return [Send(guest.link.peer, logged.message_for(side))] if guest.complete and guest.link else []

    def _answer(self, mover: int, logged: Logged) -> list[Effect]:
        guest = self._guests[mover]
        if isinstance(logged.entries[0], CheckEntry) or not guest.complete or guest.link is None:
            return []
        return [Send(guest.link.peer, logged.answer_for(mover))]

    def _story(self, logged: Logged) -> list[Effect]:
        return [Tell(happening) for happening in tell(logged.before, logged.after, logged.entries[0], self._cast)]


def records_from(writer: LedgerWriter, count: int, guest: Guest, side: int) -> list[Effect]:
    """All records of a game from this number on, for a listener who has those before."""
    return [Send(guest.link.peer, one.message_for(side)) for one in writer.log[count:] if guest.link]


def _show(onlookers: list[Guest], logged: Logged) -> list[Effect]:
    """A record as it is public, to those who look on."""
    links = [one.link for one in onlookers if one.looks_on and one.link]
    return [Send(link.peer, logged.message_for(None)) for link in links]


# --- a coordinator's game read back from its log ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reopened:
    """guests: the listeners by side, those who had left for good among them. substituted: the sides that had asked
    their characters to play."""

    writer: LedgerWriter
    guests: dict[int, Guest]
    substituted: tuple[int, ...]


def reopen(me: Me, start: Start, log: Sequence[bytes], now: float) -> Reopened:
    """log: the payloads, of which start is the beginning. Raises Refused."""
    header, names = start.header, me.shown_sides(start.header)
    writer = LedgerWriter.restored(me.identity, start.frame, start.position.changed(names=names), log)
    addresses = dict([read_address(payload) for payload in log if payload[:1] == ADDRESS])
    seats = {side: header.seat_of(side) for side in range(1, len(header.sides))}
    held = writer.position.taken_over
    why = {side: held[seat].reason for side, seat in seats.items() if seat is not None and seat in held}
    guests: dict[int, Guest] = {}
    for side, person in enumerate(header.sides[1:], 1):
        identity = GuestIdentity(person.key, person.name, person.character, names[side])
        presence = Presence.LEFT if why.get(side) is TakeoverReason.LEFT else Presence.INVITED
        guests[side] = Guest(identity, addresses.get(side, ""), presence)
        guests[side].expect(now)
    asked = [side for side, reason in why.items() if reason is TakeoverReason.ASKED_FOR]
    return Reopened(writer, guests, tuple(asked))


# --- the game that is on at a coordinator's table ---------------------------------------------------------------------


WAITS = "The game waits until the others have said how far their logs go."


class LiveGame:
    """guests: the listeners of the header by side. deputy: who plays the coordinator's seat where they do not. look:
    the table as its person sees it at this time.

    restored: this side was started again, so that a listener's log may go further than ours. awaiting_logs: then
    nothing new is made until everybody has said how far theirs goes, or the grace has run out: a shorter chain must
    never be continued. wants_substitute: the sides that have asked their characters to play.
    """

    def __init__(
        self,
        writer: LedgerWriter,
        guests: Mapping[int, Guest],
        cast: Cast,
        deputy: Deputy,
        now: float,
        look: Callable[[float], Look],
        *,
        restored: bool = False,
        wants_substitute: Collection[int] = (),
    ) -> None:
        self.guests = guests
        self.awaiting_logs = restored
        self.clocks = GameClocks(guests, now)
        self._writer = writer
        self._look = look
        self._restored = restored
        self._feed = Feed(writer, guests, cast)
        self._intake = Intake(writer)
        self.proposals = Proposals(writer, guests)
        self.computers = Computers(deputy)
        self._deputy = deputy
        self._logs_ahead = LogsAhead()
        self._wants_substitute = set(wants_substitute)
        self._ending = False
        self.next_deal = NextDeal(guests)
        self._pause = Pause(alone=not guests)

    @property
    def position(self) -> Position:
        return self._writer.position

    @property
    def over(self) -> bool:
        return self.position.phase is Phase.CLOSED

    def side_of(self, guest: Guest) -> int | None:
        for side, other in self.guests.items():
            if other is guest:
                return side
        return None

    def seat_of(self, guest: Guest | None) -> Seat | None:
        """guest: None for the coordinator."""
        side = 0 if guest is None else self.side_of(guest)
        return None if side is None else self.position.header.seat_of(side)

    def absent(self) -> frozenset[int]:
        """The sides that are not there to move."""
        return frozenset(side for side, guest in self.guests.items() if not guest.complete)

    def send_header(self) -> list[Effect]:
        """To everybody, as a new game begins."""
        effects: list[Effect] = []
        for side, guest in self.guests.items():
            guest.step(PresenceStep.HEADER)
            effects += self._feed.new_header(side)
        return effects

    def look_on(self, guest: Guest, now: float) -> list[Effect]:
        """Somebody who has no side in this game follows it from here on."""
        guest.step(PresenceStep.LOOK_ON)
        self.clocks.show_again()
        return self._feed.look_on(guest) + self._tell_clocks(now)

    # --- records ------------------------------------------------------------------------------------------------------

    def _publish(self, logged: Logged, now: float) -> list[Effect]:
        self._mark(logged, now)
        return self._seen(self._feed.publish(logged), now)

    def _seen(self, effects: list[Effect], now: float) -> list[Effect]:
        """With the table as it stands now, where more may follow in the same step: where somebody is to act it ends."""
        position = self.position
        if position.phase is Phase.PLAY and position.state.stage == Stage.PLAY:
            return effects
        return seen(effects, self._look(now))

    def _mark(self, logged: Logged, now: float) -> None:
        self.clocks.mark(logged, now)
        self._pause.mark(logged.before, logged.after, now)
        if not isinstance(logged.entries[0], CheckEntry):
            self.computers.table_moved_on()

    @property
    def untold_mover(self) -> PeerId | None:
        """The link of the listener whose record waits for `after_effects`."""
        guest = self.guests[self._feed.untold[0]] if self._feed.untold else None
        return guest.link.peer if guest and guest.link else None

    def forget_untold(self) -> None:
        self._feed.forget_untold()

    def after_effects(self, now: float) -> list[Effect]:
        """What follows from a listener's move or check once it is on its way to the others."""
        return self._follow_up(now) + self.proceed(now) if self._feed.untold else []

    def _follow_up(self, now: float) -> list[Effect]:
        if not self._feed.untold:
            return []
        self._mark(self._feed.untold[1], now)
        return self._seen(self._feed.catch_up_mover(), now)

    # --- moves --------------------------------------------------------------------------------------------------------

    def take(self, side: int, data: bytes) -> list[Effect]:
        """A move or check from a listener. Raises Refused when they broke the protocol."""
        taken = self._intake.take(side, data, self.awaiting_logs)
        match taken:
            case Logged():
                self.guests[side].redial.useful()
                return self._feed.relay(taken, side)
            case RefusedMove():
                return self.guests[side].send(taken)
            case Untaken.DEFERRED:
                return self._ask_ahead()
            case Untaken.REPEATED:
                return []

    def _take_deferred(self, now: float) -> list[Effect]:
        deferred = self._intake.take_deferred()
        effects: list[Effect] = []
        for side, data in deferred.items():
            if self.guests[side].complete:
                effects += self.take(side, data) + self._follow_up(now)
        return effects + self.proceed(now) if deferred else []

    def turn(self) -> Seat:
        """The coordinator's own seat, in which they may act now. Raises CommandError."""
        self._check_logs()
        return owed_seat(self.position)

    def act(self, seat: Seat, action: Action, now: float) -> list[Effect]:
        """An action of a seat that this side decides for, already verified."""
        return self._publish(self._writer.move(seat, action), now) + self.proceed(now)

    def thought(self, think: Think, action: Action, now: float) -> list[Effect]:
        """A computer player's decision; dropped if the table has moved on meanwhile."""
        return self.act(think.seat, action, now) if self.computers.take(think) else []

    def change_course(self, change: Callable[[LedgerWriter], Logged | None], now: float) -> list[Effect]:
        """What changes the course of the hand otherwise than by play, if there is a record of it. Raises Refused, and
        CommandError."""
        self._check_logs()
        logged = change(self._writer)
        return self._publish(logged, now) + self.proceed(now) if logged else []

    def _check_logs(self) -> None:
        if self.awaiting_logs:
            raise CommandError(WAITS)

    # --- catching up --------------------------------------------------------------------------------------------------

    def ask_how_far(self, guest: Guest) -> list[Effect]:
        """A listener of this game is connected again: how far does their log go?"""
        guest.step(PresenceStep.RESUME)
        position = self.position
        self._logs_ahead.tell(guest.key, position.count)
        return guest.send(Resume(position.game_id, position.count, position.head))

    def resume(self, side: int, said: Resume, now: float) -> list[Effect]:
        """Their answer."""
        guest = self.guests[side]
        if said.game_id != self.position.game_id:
            return []
        found = standing(self._writer, said)
        if found is Standing.AHEAD and self._restored:
            self._logs_ahead.note(side, said.count)
            return guest.send(Ask(self.position.count))
        if found in (Standing.AHEAD, Standing.OTHER):
            return self._other_history(guest, now)
        if self._logs_ahead.waits(guest.key, said.count):  # what it has came from somebody else meanwhile
            return self.ask_how_far(guest)
        if found is Standing.EMPTY and self.next_deal.is_out_of_reach(self.position, side):
            return []
        effects = self._feed.header(guest) if found is Standing.EMPTY else []
        effects += self._feed.records_from(said.count, side)
        if not guest.complete:
            self.clocks.back(self.position.header.seat_of(side), guest, now)
        guest.step(PresenceStep.COMPLETE)
        self._logs_ahead.caught_up(side)
        self.clocks.show_again()
        effects += self.settle(side, now)
        return effects + self.proceed(now)

    def _other_history(self, guest: Guest, now: float) -> list[Effect]:
        """Nothing can mend that, so they are not called again."""
        text = (
            f"The log of {guest.name} tells another history of this game. Neither log can be continued with the other."
        )
        effects = guest.hang_up(ByeCode.OTHER_HISTORY)
        guest.lose(now)
        guest.redial.stop()
        return [*effects, Tell(Notice(text)), *self.proceed(now)]

    def have(self, side: int, said: Have, now: float) -> list[Effect]:
        """A record of a log that goes further than ours. Raises Refused."""
        guest, count = self.guests[side], self.position.count
        if said.number != count or self._logs_ahead.of(side) <= count:
            return []
        data = with_opening(self._writer, self._intake.deferred.values(), said.record)
        if data is None:
            if self._logs_ahead.may_ask(count):
                return self._ask_ahead()
            text = "A private move of somebody who is still away is missing; the game goes on when they are back."
            return [Tell(Notice(text))] if self._logs_ahead.lacks(count) else []
        try:
            logged = self._writer.restore(data)
        except Refused:
            return self._other_history(guest, now)
        effects = self._publish(logged, now)
        if self._logs_ahead.of(side) > self.position.count:
            return effects
        for other in self._logs_ahead.reached(self.position.count):
            if self.guests[other].here:  # one who is away is asked when they are back
                effects += self.ask_how_far(self.guests[other])
        return effects + self._ask_ahead()

    def _ask_ahead(self) -> list[Effect]:
        """Those whose logs go further are asked for the rest, now that more is known."""
        count = self.position.count
        return [effect for side in self._logs_ahead.ask(count) for effect in self.guests[side].send(Ask(count))]

    # --- who plays ----------------------------------------------------------------------------------------------------

    def be_away(self, away: bool, now: float) -> list[Effect]:
        """The coordinator's character plays, or the coordinator again. Raises CommandError."""
        seat = kept_seat(self.position)
        self._check_logs()
        return self._take_over(seat, TakeoverReason.ASKED_FOR, now) if away else self._give_back(seat, now)

    def decide_anew(self, now: float) -> list[Effect]:
        """Who plays the coordinator's seat has changed."""
        self.computers.table_moved_on()
        return self.proceed(now)

    def ask_substitute(self, side: int, away: bool, now: float) -> list[Effect]:
        """A listener asks their character to play, or wants to play again."""
        (self._wants_substitute.add if away else self._wants_substitute.discard)(side)
        return self.settle(side, now)

    def settle(self, side: int, now: float) -> list[Effect]:
        """Who plays the seat of a listener, now that they are here, have left or have asked for something."""
        if self.awaiting_logs:
            waits = any(not guest.complete and not guest.left for guest in self.guests.values())
            return [] if waits else self._release(now)
        guest, seat = self.guests[side], self.position.header.seat_of(side)
        if seat is None:
            return []
        if guest.left or side in self._wants_substitute:
            return self._take_over(seat, TakeoverReason.LEFT if guest.left else TakeoverReason.ASKED_FOR, now)
        return self._give_back(seat, now) if guest.complete else []

    def _release(self, now: float) -> list[Effect]:
        """The game goes on after a restart, or ends."""
        self.awaiting_logs = False
        if self._ending:
            return self.end(now)
        effects = [effect for side in self.guests for effect in self.settle(side, now)]
        return effects + self.proceed(now)

    def _take_over(self, seat: Seat, reason: TakeoverReason, now: float) -> list[Effect]:
        if self.over or self.awaiting_logs or seat in self.position.substituted:
            return []
        return self._publish(self._writer.takeover(seat, reason), now) + self.proceed(now)

    def _give_back(self, seat: Seat, now: float) -> list[Effect]:
        if self.over or self.awaiting_logs or seat not in self.position.substituted:
            return []
        effects = self._publish(self._writer.give_back(seat), now)
        self.clocks.renew_turn(seat, now)
        return effects + self.proceed(now)

    # --- what the coordinator owes ------------------------------------------------------------------------------------

    def end(self, now: float) -> list[Effect]:
        """The coordinator ends the game, as soon as nobody can know more of it: the hand is opened, the log closed."""
        self._ending = True
        if self.awaiting_logs:
            seconds = round(self._logs_awaited_until() - now)
            return [Tell(Notice(f"{WAITS[:-1]}, {seconds} s at the most; then it ends."))]
        effects: list[Effect] = []
        while not self.over:
            effects += self._publish(closing(self._writer), now)
        return effects

    def proceed(self, now: float) -> list[Effect]:
        """Everything that the coordinator's side owes now, until somebody else has to act."""
        effects: list[Effect] = []
        while not self._stands and (logged := self._owed(now)) is not None:
            effects += self._publish(logged, now)
        if not self._stands and self.position.phase is not Phase.PAUSED:
            effects += self._take_deferred(now) + self.computers.ask(self._writer)
            self.position.precompute()
        late = now >= self.clocks.checks_end() and not self._stands
        told = self.next_deal.tell(self.position, now < self.clocks.asked_end()) if late else []
        return effects + told + self._tell_clocks(now)

    @property
    def _stands(self) -> bool:
        return self.awaiting_logs or self.over or self._ending

    def _owed(self, now: float) -> Logged | None:
        in_time, asked = now < self.clocks.checks_end(), now < self.clocks.asked_end()
        looks = self._pause.lasts(self.position, self._deputy.auto)
        return owed(self._writer, self.guests, self._deputy.auto, in_time, asked, looks)

    def pause_left(self, now: float) -> int | None:
        """As `Pause.left` has it."""
        return self._pause.left(self.position, self._deputy.auto, now)

    def next_hand(self, now: float) -> list[Effect]:
        """The coordinator's player is done with the hand that is over. Raises CommandError."""
        if self.pause_left(now) is None:
            raise CommandError(NO_PAUSE)
        self._pause.end()
        return self.proceed(now)

    # --- time ---------------------------------------------------------------------------------------------------------

    def _logs_awaited_until(self) -> float:
        return self.clocks.started + self.position.header.grace

    def tick(self, now: float) -> list[Effect]:
        self._pause.tick(now)
        late = self.awaiting_logs and now >= self._logs_awaited_until()
        effects = self._release(now) if late else []
        for seat, (time, reason) in self.clocks.deadlines(self.position, not self.awaiting_logs).items():
            if now >= time and self.position.phase is not Phase.PAUSED:  # the takeover of another seat may pause it
                effects += self._take_over(seat, reason, now)
        return effects + self.proceed(now)

    def next_time(self) -> float | None:
        """When to look again; None if only somebody's move can change anything."""
        times = [time for time, _ in self.clocks.deadlines(self.position, not self.awaiting_logs).values()]
        if self.awaiting_logs:
            times.append(self._logs_awaited_until())
        elif self._pause.lasts(self.position, self._deputy.auto):
            times += [] if (over := self._pause.next_time()) is None else [over]
        elif self.position.phase is Phase.CHECKS:
            times += [] if self.next_deal.waits(self.position) else [self.clocks.checks_end()]
            others = [side for side in awaited(self.position) if not is_needed(self.position, side)]
            times += [self.clocks.asked_end()] if others else []
        return min(times, default=None)

    def _tell_clocks(self, now: float) -> list[Effect]:
        """The clocks for the listeners, when they have changed."""
        clocks = self.clocks.news(self.position, now)
        if clocks is None:
            return []
        return [effect for guest in self._feed.receivers() for effect in guest.send(clocks)]
