"""A coordinator who tries whatever the messages allow, and listeners that are our own machines."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from random import Random

from p2pcards.games.crazy_eights import rules as crazy_eights
from p2pcards.games.game import Action, Stage
from p2pcards.games.options import header_values
from p2pcards.games.outcome import NO_OUTCOME
from p2pcards.ledger.fair import awaited_sides, chain_value, is_needed, parts_of_deal
from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.position import Position, begin
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import LedgerWriter, Logged
from p2pcards.players.levels import LEVELS
from p2pcards.session.effects import Close, Effect, Faulted, Me, Remember, Send, Think, UseLog
from p2pcards.session.listener import Listener
from p2pcards.views.tableview import Command
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import (
    Bye,
    HeaderPart,
    Hello,
    Message,
    MoveMessage,
    Offer,
    RecordMessage,
    RefusedMove,
    Resume,
    Stake,
    decode_message,
    encode_message,
)
from p2pcards.wire.packing import Cause, Refused
from p2pcards.wire.reasons import ByeCode, RefusalCode, TakeoverReason
from p2pcards.wire.records import (
    ENTRY_LABEL,
    HEADER_LABEL,
    VERSION,
    AbsentEntry,
    CheckEntry,
    DealEntry,
    Entry,
    Header,
    Record,
    SeatEntry,
    Side,
    decode_header,
    encode_entry,
    encode_header,
    read_record,
    sign,
    split_frame,
)
from rigs.net import CAST, NAMES, key_of
from rigs.recorded import cause_of

CHEAT = key_of(0, 1)
SEED = Random("the chain of the cheat").randbytes(24)
OPTIONS = replace(crazy_eights.PRESETS["telecards"], winning_score=1000, draw_one_only=True)
OTHER_HEAD = bytes(range(32))
TRICKS = (
    "ghost",
    "lost",
    "cut",
    "shorter",
    "fork",
    "unnamed",
    "other",
    "named",
    "refuse",
    "late",
    "takeover",
    "return",
)


@dataclass
class Victim:
    """A listener's machine and what can be seen of it from outside. side: also its place in the header; link: the
    number of its present link, 0 while there is none; checked: the link on which its last check came, with its base;
    revealed: the highest number of a value that it has given; moves: by base; said: its last goodbye. asked_in: the
    game in which somebody dropped out, as it was told, and its player has not agreed; yeses: how often it has."""

    side: int
    machine: Listener
    link: int = 0
    links: int = 0
    logs: list[bytes] = field(default_factory=list)
    check: bytes = b""
    checked: tuple[int, int] = (0, 0)
    revealed: int = 0
    stake: bytes = b""
    moves: dict[int, bytes] = field(default_factory=dict)
    last_move: bytes = b""
    decisions: int = 0
    said: ByeCode | None = None
    called_absent: bool = False
    asked_in: bytes = b""
    yeses: int = 0

    @property
    def follower(self) -> LedgerFollower:
        assert self.machine.table.game is not None
        return self.machine.table.game.follower

    @property
    def position(self) -> Position:
        return self.follower.position

    def is_in(self, history: History) -> bool:
        """Whether it has not gone over to another game."""
        return self.position.game_id == history.writer.position.game_id

    # --- what the cheat does --------------------------------------------------------------------------------------

    def connect(self) -> None:
        self.links += 1
        self.link = self.links
        self._carry_out(self.machine.joined(self.link, public_bytes(CHEAT), "there", 0.0))
        self.hear(Hello(VERSION, True, "Ann", "wayne"))

    def agree(self) -> None:
        """Its player plays on."""
        self.asked_in, self.yeses = b"", self.yeses + 1
        self._carry_out(self.machine.command(Command("accept"), 0.0))

    def cut(self) -> None:
        link, self.link = self.link, 0
        self._carry_out(self.machine.lost(link, "the line broke", 0.0))

    def hear(self, message: Message) -> None:
        if self.link:
            self._carry_out(self.machine.receive(self.link, encode_message(message), 0.0))

    def hear_header(self, frame: bytes) -> None:
        pieces = [frame[start : start + 400] for start in range(0, len(frame), 400)]
        for number, piece in enumerate(pieces):
            self.hear(HeaderPart(number, len(pieces), piece))

    # --- what it does about it ------------------------------------------------------------------------------------

    def _carry_out(self, effects: Sequence[Effect]) -> None:
        todo = deque(effects)
        while todo or (todo := deque(self.machine.after_effects(0.0))):
            match todo.popleft():
                case Send(peer, data) if peer == self.link:
                    self._says(decode_message(data))
                case Close(peer) if peer == self.link:
                    self.link = 0
                case UseLog(_, game_id, new) if new:
                    self.logs.append(game_id)
                case Faulted(error):
                    raise error
                case Remember(_):
                    pass
                case Think() as think:
                    todo.extend(self.machine.thought(think, self._chooses(think), 0.0))

    def _chooses(self, think: Think) -> Action:
        """Something else each time, if there is something else."""
        legal = think.game.legal(think.view, think.seat)
        self.decisions += 1
        return legal[self.decisions % len(legal)]

    def _says(self, message: Message) -> None:
        match message:
            case Stake(_, end):
                self.stake = end
            case Bye(code, _):
                self.said = code
            case MoveMessage(data):
                self._signs(data)

    def check_agreed(self) -> None:
        assert self.asked_in != self.position.game_id, f"side {self.side} signs before its player has agreed"

    def _signs(self, data: bytes) -> None:
        record, (entry, *_) = read_record(data)
        self.check_agreed()
        if isinstance(entry, CheckEntry):
            self.check, self.checked = data, (self.link, entry.base)
            if entry.value:
                self.revealed = max(self.revealed, entry.hand + 1)
            return
        base = getattr(entry, "base", -1)
        self.last_move = data
        first = self.moves.setdefault(base, record.frames[0].body)
        assert first == record.frames[0].body, f"side {self.side} signed two moves on base {base}"


@dataclass(frozen=True, slots=True)
class Trick:
    """What is done in which history, and to or with whom."""

    what: str
    history: int
    side: int = 0

    def __str__(self) -> str:
        return f"{self.what} {self.side} in {self.history}"


Pack = tuple[tuple[tuple[int, bytes], ...], tuple[int, ...]]
"""The values that it is made from, and the sides that had no part in it."""


@dataclass
class History:
    """What those of these sides are told. packs: every pack that the cheat could deal here, by the number of its
    hand."""

    writer: LedgerWriter
    sides: tuple[int, ...]
    packs: dict[int, Pack] = field(default_factory=dict)


@dataclass
class CheatingHost:
    """victims: by side from 1 on. tricks: of TRICKS, which may be tried; left: how many more times. hand: that is
    dealt next, or its number but for those that never came. made_up: further sides, whose keys the cheat has; yeses:
    how often a victim's player may agree."""

    victims: list[Victim]
    histories: list[History]
    tricks: tuple[str, ...]
    left: int
    hand: int = 1
    made_up: tuple[int, ...] = ()
    yeses: int = 0

    def choices(self) -> list[Trick]:
        found = []
        for number, history in enumerate(self.histories):
            found += self._of(number, history)
        return found

    def _of(self, number: int, history: History) -> list[Trick]:
        position, here = history.writer.position, [self.victims[side - 1] for side in history.sides]
        if not any(one.link for one in here):
            return [Trick("cut", number, one.side) for one in here] if self.left and "cut" in self.tricks else []
        found = [Trick("absent", number, side) for side in may_drop_out(position)]
        found += [Trick("check", number, one.side) for one in self.victims if self._fits(history, one)]
        found += self._of_made_up(number, position)
        found += [Trick("yes", number, one.side) for one in here if self.yeses and self._may_agree(history, one)]
        if position.phase in (Phase.CHECKS, Phase.DEALING) and not awaited_sides(position):
            found.append(Trick("deal", number))
        if self.left:
            found += [Trick(what, number, one.side) for what in self.tricks for one in here if self._may(what, one)]
        return found

    def _may_agree(self, history: History, one: Victim) -> bool:
        asked = one.asked_in == one.position.game_id and one.is_in(history)
        return asked and bool(one.link) and not one.called_absent

    def _of_made_up(self, number: int, position: Position) -> list[Trick]:
        """Checks of theirs, with a value and without. Each may come first, and that of the lowest does."""
        due = [side for side in self.made_up if position.phase is Phase.CHECKS and side not in position.checked]
        dropping = [Trick("silent", number, side) for side in due if side in may_drop_out(position)]
        return [*[Trick("given", number, side) for side in due[:1]], *dropping]

    def _fits(self, history: History, one: Victim) -> bool:
        if not one.check or one.side in history.writer.position.checked:
            return False
        try:
            history.writer.check(*read_record(one.check))
        except Refused:
            return False
        return history.writer.position.phase is Phase.CHECKS

    def _may(self, what: str, one: Victim) -> bool:
        position = one.position
        playing = position.phase is Phase.PLAY and position.seat is not None
        match what:
            case "refuse" | "late":
                return bool(one.link) and bool(one.moves)
            case "takeover":
                return bool(one.link) and playing and position.seat not in position.taken_over
            case "return":
                return bool(one.link) and playing and position.seat in position.taken_over
            case _:
                return bool(one.link) or what == "cut"

    def take(self, choice: Trick) -> None:
        history = self.histories[choice.history]
        writer, one = history.writer, self.victims[min(choice.side, len(self.victims)) - 1]
        self.left -= choice.what in TRICKS
        match choice.what:
            case "absent":
                self._tell(history, writer.absent(choice.side), absent=choice.side)
            case "check":
                self._tell(history, writer.add_sent(*read_record(one.check)), without=choice.side)
            case "given" | "silent":
                self._tell(
                    history, writer.add_sent(*check_of_made_up(writer.position, choice.side, choice.what == "given"))
                )
            case "yes":
                self.yeses -= 1
                one.agree()
            case "deal":
                self._tell(history, writer.deal())
            case "takeover":
                self._tell(history, writer.takeover(one.side, TakeoverReason.CLOCK_RAN_OUT))
            case "return":
                self._tell(history, writer.give_back(one.side))
            case "cut" | "shorter":
                self._begin_again(one, writer, shorter=choice.what == "shorter")
            case "fork":
                self._rewrite(one, writer)
            case "refuse" | "late":
                code = RefusalCode.AGAINST_THE_RULES if choice.what == "refuse" else RefusalCode.LATE
                one.hear(RefusedMove(max(one.moves), code, "No."))
            case "ghost":
                self._tell_ghost(one)
            case "lost":
                self._resume_lost(one, writer)
            case previous:
                self._offer_another(one, previous)
        self._check(history)

    # --- tricks ---------------------------------------------------------------------------------------------------

    def _tell(self, history: History, logged: Logged, *, without: int = 0, absent: int = 0) -> None:
        for side in history.sides:
            one = self.victims[side - 1]
            signed = one.link and one.checked[0] and one.checked[1] == logged.before.open_base and one.is_in(history)
            called_absent = side == absent and signed
            if one.link and one.is_in(history) and _is_to_ask(logged, side) and not called_absent:
                one.asked_in = one.position.game_id
            if side != without:
                one.hear(RecordMessage(logged.number & 255, bytes(logged.for_side(side))))
            if called_absent:
                one.called_absent = True

    def _begin_again(self, one: Victim, writer: LedgerWriter, *, shorter: bool) -> None:
        if one.link:
            one.cut()
        one.connect()
        count = max(writer.position.count - shorter, 0)
        one.hear(Resume(writer.position.game_id, count, writer.head_at(count)))
        for logged in writer.log[one.position.count :]:
            if _is_to_ask(logged, one.side):
                one.asked_in = one.position.game_id
            one.hear(RecordMessage(logged.number & 255, bytes(logged.for_side(one.side))))

    def _rewrite(self, one: Victim, writer: LedgerWriter) -> None:
        """Another record in the place of the last one."""
        before = one.position
        if not before.count:
            return
        at = writer.log[before.count - 1].before if before.count <= len(writer.log) else None
        if at is None or not awaited_sides(at):
            return
        cheat, gone = LedgerWriter(CHEAT, writer.frame, at), may_drop_out(at)
        other = cheat.absent(gone[0]) if gone else cheat.takeover(0, TakeoverReason.ASKED_FOR)
        one.hear(RecordMessage((before.count - 1) & 255, bytes(other.record)))
        assert one.position is before or one.position.head == before.head, "a record was taken back"

    def _tell_ghost(self, one: Victim) -> None:
        """A game that never was goes on, with a chain for the victim that the cheat has made, and is dealt."""
        known, one.said = list(one.logs), None
        frame = header_frame([replace(one, stake=chain_value(SEED[::-1], 0))])
        ghost = writer_of(frame)
        deal = DealEntry(0, 1, (1,), NO_OUTCOME)
        one.hear(Resume(ghost.position.game_id, 2, bytes(32)))
        one.hear_header(frame)
        one.hear(RecordMessage(0, bytes(_signed(ghost.position, deal))))
        assert one.logs == known and one.said is ByeCode.BROKE_PROTOCOL, "a game that never was is taken"

    def _resume_lost(self, one: Victim, writer: LedgerWriter) -> None:
        """The same game at a listener who has lost their log: they ask their player once its hand is dealt."""
        restored = Victim(one.side, _listener(one.side))
        restored.connect()
        restored.hear(Resume(writer.position.game_id, writer.position.count, writer.position.head))
        restored.hear_header(bytes(writer.frame))
        for logged in writer.log:
            restored.hear(RecordMessage(logged.number & 255, bytes(logged.for_side(one.side))))
        dealt = any(isinstance(logged.entries[0], DealEntry) for logged in writer.log)
        assert not restored.logs, "a game of which no log is here is taken without asking"
        assert restored.said is (ByeCode.ASKS_PLAYER if dealt else ByeCode.BROKE_PROTOCOL)

    def _offer_another(self, one: Victim, kind: str) -> None:
        before, known = one.position, list(one.logs)
        previous = {"unnamed": b"", "other": OTHER_HEAD, "named": before.head}[kind]
        one.stake = b""
        one.hear(Offer(bytes(16)))
        if one.stake:
            one.hear_header(header_frame([one], previous))
        if previous != before.head:
            assert one.logs == known and one.position.game_id == before.game_id, "a game was taken that names none"

    # --- what must hold -------------------------------------------------------------------------------------------

    def _check(self, history: History) -> None:
        position = self._with_all_checks(history)
        if position.phase is Phase.CHECKS and not awaited_sides(position):
            hand, pack = position.next_hand(), parts_of_deal(position)
            assert history.packs.setdefault(hand, pack) == pack, "two packs to choose from"
            assert hand == self.hand + position.recalled, "another pack without another absence"
            sides = len(self.victims) + len(self.made_up)
            assert len(history.packs) <= (sides if self.hand > 1 else 1)
        for one in self.victims:
            if one.called_absent:
                assert not one.link and one.said is ByeCode.ASKS_PLAYER, "it plays on without asking its player"
            if one.is_in(history) and not one.called_absent:
                self._check_packs(one)
                theirs = [pack for pack in history.packs.values() if one.side not in pack[1]]
                assert len(theirs) <= 1 + one.yeses, f"{len(theirs)} packs of side {one.side}'s to choose from"

    def _with_all_checks(self, history: History) -> Position:
        """As it would be with every check that the cheat has or can make: so it knows a pack before it is fixed."""
        known = LedgerWriter(CHEAT, history.writer.frame, history.writer.position)
        for one in self.victims:
            if self._fits(history, one):
                known.add_sent(*read_record(one.check))
        for side in sorted(awaited_sides(known.position) & set(self.made_up)):
            known.add_sent(*check_of_made_up(known.position, side, gives=True))
        return known.position

    def _check_packs(self, one: Victim) -> None:
        position, follower = one.position, one.follower
        assert one.revealed <= position.dealt + 1, "it has given the value of a hand that is not the next"
        if position.phase is not Phase.CHECKS:
            return
        later = []
        if follower.owes_check():
            with_mine = LedgerWriter(CHEAT, follower.start.frame, position)
            with_mine.add_sent(*read_record(bytes(follower.check())))
            later.append(with_mine.position)
        deals = {deal for at in (position, *later) for deal in acceptable(at, len(position.header.sides) - 1)}
        assert len(deals) <= 1, f"side {one.side} would take any of {sorted(deals)}"

    def check_end(self) -> None:
        """A run ends when every history is dealt, or nobody is there to hear of it."""
        for history in self.histories:
            here = any(self.victims[side - 1].link for side in history.sides)
            position = history.writer.position
            assert not here or position.phase is Phase.PLAY or not may_drop_out(position)

    # --- the hand before ------------------------------------------------------------------------------------------

    def play_first_hand(self) -> None:
        """As an honest coordinator would; a listener who is not told of a history does not play in it."""
        for history in self.histories:
            for one in self.victims:
                self._tell(history, history.writer.add_sent(*read_record(one.check)), without=one.side)
            for side in self.made_up:
                self._tell(
                    history, history.writer.add_sent(*check_of_made_up(history.writer.position, side, gives=True))
                )
        for history in self.histories:
            self._tell(history, history.writer.deal())
            away = [one.side for one in self.victims if one.side not in history.sides]
            for side in away:
                self._tell(history, history.writer.takeover(side, TakeoverReason.LEFT))
            while history.writer.position.phase is not Phase.CHECKS:
                self._tell(history, self._next(history.writer))
            for side in away:
                self._tell(history, history.writer.give_back(side))
        self.hand = 2

    def _next(self, writer: LedgerWriter) -> Logged:
        position = writer.position
        if position.phase is Phase.OPENING:
            return writer.open_hand()
        if position.state.stage == Stage.SHOW:
            return writer.show()
        seat = position.state.to_act[0]
        side = position.signer(seat)
        if side:
            return writer.add_sent(*read_record(self.victims[side - 1].last_move))
        return writer.move(seat, position.game.legal(position.views[seat], seat)[0])


def _is_to_ask(logged: Logged, side: int) -> bool:
    """Whether this record is one about which a listener has to ask its player."""
    entry = logged.entries[0]
    drops = isinstance(entry, AbsentEntry | CheckEntry) and logged.after.recalled > logged.before.recalled
    return drops and not (isinstance(entry, CheckEntry) and entry.side == side)


def check_of_made_up(position: Position, side: int, gives: bool) -> tuple[Record, tuple[Entry, ...]]:
    """That of a made-up side."""
    value = chain_value(made_up_seed(side), position.dealt + 1) if gives else b""
    entry = CheckEntry(position.open_base, side, position.dealt, position.finding, value)
    frame = sign(key_of(side, 1), ENTRY_LABEL, position.open_head, encode_entry(entry))
    return Record((frame,)), (entry,)


def made_up_seed(side: int) -> bytes:
    return Random(f"the chain of made-up side {side}").randbytes(24)


def may_drop_out(position: Position) -> list[int]:
    """The sides that can be called absent."""
    return [side for side in sorted(awaited_sides(position)) if not is_needed(position, side)]


def _signed(position: Position, entry: Entry) -> Record:
    return Record((sign(CHEAT, ENTRY_LABEL, position.head, encode_entry(entry)),))


def acceptable(position: Position, listeners: int) -> list[tuple[int, tuple[int, ...]]]:
    """The hands and absent sides with which a DEAL would be fair in this position."""
    hand, sides = position.next_hand(), range(1, listeners + 1)
    found = []
    for absent in [some for size in range(listeners + 1) for some in combinations(sides, size)]:
        entry = DealEntry(position.count, hand, absent, NO_OUTCOME)
        if cause_of(position, bytes(_signed(position, entry))) in (None, Cause.FACES):  # nothing is shown in it
            found.append((hand, absent))
    return found


def header_frame(victims: Sequence[Victim], previous: bytes = b"", made_up: Sequence[int] = ()) -> bytes:
    """A header of the cheat's for these, who have staked, and its made-up sides."""
    keys = [key_of(one.side, 1) for one in victims]
    sides = (
        Side(public_bytes(CHEAT), "Ann", "wayne", chain_value(SEED, 0)),
        *[Side(public_bytes(key), NAMES[one.side], "betty", one.stake) for key, one in zip(keys, victims, strict=True)],
        *[
            Side(public_bytes(key_of(side, 1)), NAMES[side], "betty", chain_value(made_up_seed(side), 0))
            for side in made_up
        ],
    )
    seats = tuple([SeatEntry(side, "wayne", "novice") for side in range(len(victims) + 1)])
    options = header_values(replace(OPTIONS, players=len(seats)))
    header = Header("crazy_eights", options, sides, seats, 60, 180, previous, 0, bytes(16))
    return bytes(sign(CHEAT, HEADER_LABEL, b"", encode_header(header)))


def new_host(
    listeners: int,
    *,
    tricks: Sequence[str] = (),
    left: int = 0,
    together: bool = False,
    played: bool = False,
    made_up: int = 0,
    yeses: int = 0,
) -> CheatingHost:
    """A game whose header has been taken, and whose first checks have been signed. together: all are told the same;
    otherwise each may be told another history. played: those of its second hand. made_up: so many further sides are
    the cheat's, and watch; yeses: as `CheatingHost` has it."""
    victims = [Victim(side, _listener(side)) for side in range(1, listeners + 1)]
    for one in victims:
        one.connect()
        one.hear(Offer(bytes(16)))
    theirs = tuple(range(listeners + 1, listeners + 1 + made_up))
    frame = header_frame(victims, made_up=theirs)
    for one in victims:
        one.hear_header(frame)
    groups = [tuple(range(1, listeners + 1))] if together else [(one.side,) for one in victims]
    histories = [History(writer_of(frame), sides) for sides in groups]
    host = CheatingHost(victims, histories, tuple(tricks), left, made_up=theirs, yeses=yeses)
    if played:
        host.play_first_hand()
    return host


def _listener(side: int) -> Listener:
    me = Me(key_of(side, 1), NAMES[side], "betty", "carefree")
    return Listener(me, entropy=Random(f"chance {side}").randbytes, now=0.0, cast=CAST, levels=LEVELS)


def writer_of(data: bytes) -> LedgerWriter:
    frame, _ = split_frame(data)
    return LedgerWriter(CHEAT, frame, begin(frame, decode_header(frame), 0, SEED))
