"""Where a game stands: what a log says when it is read up to some record, through the eyes of one side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import or_
from typing import Any, NamedTuple, TypeVar

from p2pcards.cards.card import Card
from p2pcards.cards.eyes import TRUTH, eyes_of_viewer, known_faces_in, redact
from p2pcards.games.changing import changed
from p2pcards.games.game import AnyGame, Layout, Seat, Sheet
from p2pcards.games.options import OptionError, options_from_header
from p2pcards.games.registry import GAMES
from p2pcards.ledger.continuing import state_with_kept
from p2pcards.ledger.transitions import Phase
from p2pcards.wire.names import given_name
from p2pcards.wire.packing import Cause, Refused
from p2pcards.wire.reasons import CloseReason, TakeoverReason, Verdict
from p2pcards.wire.records import FIRST_VERSION, EntryKind, Frame, Header, next_head

T = TypeVar("T")


class RecordList(list[T]):
    """The records of a game. They are only added to, so its length tells what such a list has held before."""


@dataclass(frozen=True, slots=True)
class Step:
    """An event of the hand in progress, kept for its replay."""

    record: int  # its number in the log
    base: int  # number of records before the entry, as its signer knew them
    seat: Seat | None  # None for a dealer's event, and for an exchange of hands
    action: Any  # as these eyes see it; concealed if it is another seat's commitment
    commitment: bytes  # b"" for an open action
    shown: Any  # the event as these eyes were shown it; None for an exchange of hands
    before: Any  # the state before it
    swapped: tuple[Seat, Seat] | None = None  # seats that exchanged their hands, in place of an event


class Views:
    """A state as others see it, made when it is asked for: that of a later state is what a view would have become."""

    def __init__(self, state: Any, seats: int) -> None:
        self._state = state
        self._viewers = [eyes_of_viewer(seat) for seat in (*range(seats), None)]
        self._seen: dict[int, Any] = {}

    def __getitem__(self, seat: int) -> Any:
        """The view of a seat; of a watcher for -1."""
        return self._through(self._viewers[seat])

    def of_all_hands(self) -> Any:
        """The state with every seat's hand, and nothing that no seat holds."""
        return self._through(reduce(or_, self._viewers))

    def _through(self, eyes: int) -> Any:
        """The state as these eyes see it, cached."""
        if eyes not in self._seen:
            self._seen[eyes] = redact(self._state, eyes)
        return self._seen[eyes]


class Takeover(NamedTuple):
    reason: TakeoverReason
    record: int  # its number in the log
    hand: int  # the one in progress; between two hands, the next one


@dataclass(frozen=True)
class Position:
    """Where a log stands after some record, seen by one side."""

    header: Header
    game: AnyGame
    side: int  # whose log this is; one that the header does not have for an onlooker
    seat: Seat | None  # theirs; None for a watcher
    seed: bytes  # of this side's own chain, b"" if it is not known
    eyes: int
    first_head: bytes  # after the header, before record 0
    head: bytes
    state: Any
    count: int = 0  # of records
    size: int = 0  # bytes of the frames of all records, as they travel
    dealt: int = 0  # the hand that was dealt last, or is being dealt; hands that were given up count
    phase: Phase = Phase.CHECKS
    simultaneous: bool = True  # several sides may act now, all on this base:
    open_base: int = 0  # the number of records when they could first
    open_head: bytes = b""  # and the head then

    # The shuffle. A value is the part of a side in the next pack, a link of its chain.
    known: tuple[tuple[int, bytes], ...] = ()  # by side, the number and value that it revealed last
    parts: tuple[tuple[int, bytes], ...] = ()  # the values of the listeners in the pack of this hand, by side
    absent: tuple[int, ...] = ()  # sides without a value of their own in it
    roll: frozenset[int] = frozenset()  # sides whose values go into the next pack
    last: tuple[bytes, ...] = ()  # by side, the value that it had revealed last when the roll was called
    recalled: int = 0  # numbers of hands passed over because a side on the roll dropped out
    silent: frozenset[int] = frozenset()  # sides that dropped out since the last opening by a check without a value
    checked: frozenset[int] = frozenset()  # sides that have checked the hand dealt last

    # Whether hands count (protocol/company.md). Keys of people.
    quorum: frozenset[bytes] = frozenset()  # more than half of them have to check a hand for it to count
    present: frozenset[bytes] = frozenset()  # those who played their own seats when the last hand was opened
    checkers: frozenset[int] = frozenset()  # sides that have signed a check since then
    counted: int = 0  # the last hand that counts; hands that were opened before it count too

    # What this side has signed.
    agreed: bool = False  # its check of hand 0, with a value
    signed: bool = False  # any entry
    moved: bool = False  # a move
    finding: Verdict = Verdict.GOOD  # its verdict on the hand opened last

    taken_over: Mapping[Seat, Takeover] = field(default_factory=dict)  # seats that their characters play
    opened: int = 0  # the last hand whose pack was opened
    steps: tuple[Step, ...] = ()  # of this hand, for the replay when it is opened
    hand_start: Any = None  # the state that they began from
    sheets: tuple[tuple[int, Sheet], ...] = ()  # of every hand that is over: its number and how it was scored
    redeals: tuple[int, ...] = ()  # for each hand that was given up to be dealt again, the side that asked
    given_up: int | None = None  # the side that asked for that in this hand, which has to be opened
    face_up: bool = False  # this side's person plays alone and sees all hands
    broken_off: bool = False  # the last hand was opened before it was over: only a closing entry can follow
    ended: CloseReason | None = None  # the reason of the closing entry
    names: tuple[str, ...] = ()  # of the sides, as the person at this end is shown them

    def is_computers(self, seat: Seat) -> bool:
        """True if the seat is played by a computer: nobody's own, or taken over by its player's character."""
        return self.header.seats[seat].side is None or seat in self.taken_over

    @property
    def has_roll(self) -> bool:
        """True if the game keeps a roll. In version 1, all who had checked the hand before had a part in the pack."""
        return self.header.version >= FIRST_VERSION[EntryKind.ABSENT]

    def changed(self, **changes: Any) -> Position:
        """The position with these changes; what was found out about a state that has changed is forgotten."""
        new = changed(self, **changes)
        if "state" in changes:
            for found in ("views", "own_view", "seen", "layout"):
                new.__dict__.pop(found, None)
        return new

    @property
    def hands_before(self) -> int:
        """How many hands the game had in the logs that this one continues."""
        return self.header.continues[0] if self.header.continues else 0

    @property
    def game_id(self) -> bytes:
        """The id of the game: the first bytes of the head after its header."""
        return self.first_head[:16]

    @property
    def looks_on(self) -> bool:
        """True if this side only watches the game."""
        return self.side >= len(self.header.sides)

    @property
    def coordinates(self) -> bool:
        """True if this side is the coordinator."""
        return self.side == 0

    @cached_property
    def views(self) -> Views:
        """The coordinator's only: the state as each seat sees it and, last, as a watcher does."""
        return Views(self.state, len(self.header.seats))

    @cached_property
    def seen(self) -> frozenset[Card]:
        """The faces whose place these eyes know."""
        return frozenset(known_faces_in(self.state))

    @cached_property
    def layout(self) -> Layout:
        """The layout of the table, as the game makes it from the state."""
        return self.game.layout(self.state)

    def precompute(self) -> None:
        """Make what the next move will need, while nobody waits for it."""
        if self.phase is not Phase.PLAY:
            return
        if self.coordinates:
            self.views[-1]
        else:
            self.seen  # noqa: B018 - the first look makes it

    @property
    def view(self) -> Any:
        """The state as the person of this side may see it, as the coordinator's machine itself holds the truth."""
        return self.views.of_all_hands() if self.face_up else self.own_view

    @cached_property
    def own_view(self) -> Any:
        """The state as the seat of this side sees it, whatever else its person was shown."""
        return self.views[-1 if self.seat is None else self.seat] if self.coordinates else self.state

    @property
    def alone(self) -> bool:
        """True if nobody but computer players takes part besides this side."""
        return len(self.header.sides) == 1

    def signer(self, seat: Seat) -> int:
        """The side whose key signs the actions of a seat now."""
        side = self.header.seats[seat].side
        return 0 if side is None or seat in self.taken_over else side

    def hand_in_progress(self) -> int:
        """The number of the current hand on the score sheet: between hands that of the next, 1 while players cut for
        the deal."""
        hand: int = self.state.hand
        return max(hand + (self.phase is Phase.CHECKS), 1)

    def next_hand(self) -> int:
        """The number of the hand that the next deal begins, or goes on dealing."""
        return self.dealt if self.phase is Phase.DEALING else self.dealt + 1


def opened_phase(position: Position, *, simultaneous: bool) -> dict[str, Any]:
    """The changes that open a phase at this position. simultaneous: several seats move at once in it."""
    return {"simultaneous": simultaneous, "open_base": position.count, "open_head": position.head}


def players_of(header: Header) -> tuple[bytes, ...]:
    """The keys of the people who have seats."""
    return tuple([header.sides[seat.side].key for seat in header.seats if seat.side is not None])


def first_quorum(header: Header) -> tuple[bytes, ...]:
    """The keys of the quorum at the header."""
    return players_of(header) if header.quorum is None else header.quorum


def _shows_the_same(before: Position, header: Header, side: int) -> bool:
    """True if this side sees the last hand of the continued game as it was seen before."""
    return before.seat == header.seat_of(side) and before.coordinates == (side == 0)


def begin(frame: Frame, header: Header, side: int, seed: bytes, before: Position | None = None) -> Position:
    """The position after the header alone. before: the last one, at this end, of the game that the header continues,
    which shows the hand that is over. Raises Refused when the header names no game and options that exist."""
    game = GAMES.get(header.game)
    if game is None:
        raise Refused(Cause.RULES, f"This version of p2pcards doesn't know the game {header.game!r}.")
    try:
        options: Any = options_from_header(game.options, header.options)
    except OptionError as error:
        raise Refused(Cause.RULES, str(error)) from error
    if game.seats(options) != len(header.seats):
        raise Refused(
            Cause.RULES, f"{game.name} has {game.seats(options)} seats here, but the header has {len(header.seats)}."
        )
    head = next_head(b"", frame)
    if header.continues is None:
        state = game.start(options, header.first_dealer)
    else:
        state = state_with_kept(game, options, header.continues)
        state = before.state if before is not None and _shows_the_same(before, header, side) else state
    if header.version == 1:
        state = game.unpicked(state)
    seat = header.seat_of(side)
    eyes = TRUTH if side == 0 else eyes_of_viewer(seat)
    known = tuple([(0, one.end) for one in header.sides])
    names = tuple([given_name(one.name) for one in header.sides])
    view = redact(state, eyes)
    return Position(
        header,
        game,
        side,
        seat,
        seed,
        eyes,
        head,
        head,
        view,
        open_head=head,
        known=known,
        quorum=frozenset(first_quorum(header)),
        agreed=side == 0,
        signed=side == 0,
        roll=frozenset() if header.version == 1 else frozenset(range(1, len(header.sides))),
        names=names,
        sheets=before.sheets if before is not None else (),
    )
