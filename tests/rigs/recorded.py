"""Games played by a coordinator and two listeners with no link between them; every record and position is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, reduce
from random import Random
from typing import Any

from p2pcards.cards.card import Card
from p2pcards.games.crazy_eights import rules as crazy_eights
from p2pcards.games.game import Action, IllegalAction, Seat, Stage
from p2pcards.games.hearts import rules as hearts
from p2pcards.games.options import header_values
from p2pcards.games.playing import Play
from p2pcards.games.registry import GAMES
from p2pcards.ledger.advance import advance, offered_actions
from p2pcards.ledger.fair import chain_value
from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.payloads import PENDING, RECORD, Start, address_payload, start_payloads
from p2pcards.ledger.position import Position, begin
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import LedgerWriter, Logged
from p2pcards.players.levels import edition_of
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.packing import Cause, Refused
from p2pcards.wire.reasons import CloseReason, TakeoverReason
from p2pcards.wire.records import (
    ENTRY_LABEL,
    FACES_LABEL,
    HEADER_LABEL,
    VERSION,
    ActionEntry,
    CheckEntry,
    CommitEntry,
    Entry,
    Frame,
    Header,
    OutcomeEntry,
    Record,
    SeatEntry,
    Side,
    encode_entry,
    encode_faces,
    encode_header,
    next_head,
    read_record,
    sign,
)

SIDES = (0, 1, 2)


class Table:
    """sent: for each side every record as it is remembered there; at: the positions before them, and the last one.
    drawn: the cards decide who deals first; otherwise the header names a seat. version: of the protocol; said: what
    stands in the header where a name, a character or a level belongs."""

    def __init__(
        self,
        game: str,
        options: Any,
        seed: int,
        previous: bytes = b"",
        drawn: bool = False,
        version: int = VERSION,
        said: Callable[[str], str] = lambda text: text,
    ) -> None:
        self.rng = Random(seed)
        self.game = GAMES[game]
        self.keys = [Ed25519PrivateKey.from_private_bytes(self.rng.randbytes(32)) for _ in SIDES]
        self.seeds = [self.rng.randbytes(24) for _ in SIDES]
        ends = [chain_value(seed, 0) for seed in self.seeds]
        sides = [Side(public_bytes(self.keys[i]), said(f"side {i}"), said("wayne"), ends[i]) for i in SIDES]
        edition = edition_of(game, "novice") if version > 1 else 1
        seats = [
            SeatEntry(i if i in SIDES else None, said("granny"), said("novice"), edition)
            for i in range(self.game.seats(options))
        ]
        nonce = self.rng.randbytes(16)
        dealer = None if drawn else seed % len(seats)
        people = tuple(sides), tuple(seats)
        self.header = Header(game, header_values(options), *people, 60, 180, previous, dealer, nonce, version=version)
        self.frame = sign(self.keys[0], HEADER_LABEL, b"", encode_header(self.header))
        self.writer = LedgerWriter(self.keys[0], self.frame, begin(self.frame, self.header, 0, self.seeds[0]))
        starts = {side: Start(side, self.seeds[side], self.frame, self.header) for side in SIDES[1:]}
        self.follower = {side: LedgerFollower(self.keys[side], start) for side, start in starts.items()}
        self.sent: list[list[bytes]] = [[] for _ in SIDES]
        self.at: list[list[Position]] = [[self.position_of(side)] for side in SIDES]
        self.payloads = [start_payloads(side, self.seeds[side], self.frame) for side in SIDES]
        self.payloads[0] += [address_payload(side, f"192.0.2.{side}:5") for side in SIDES[1:]]

    @property
    def position(self) -> Position:
        return self.writer.position

    def position_of(self, side: int) -> Position:
        return self.follower[side].position if side else self.writer.position

    def spread(self, logged: Logged) -> None:
        """A new record, to everybody."""
        self.spread_quietly(logged)
        for side, follower in self.follower.items():
            seat = self.position_of(side).seat
            assert follower.position.head == self.position.head
            assert follower.position.state == self.position.views[-1 if seat is None else seat]

    def spread_quietly(self, logged: Logged) -> None:
        """A new record, to listeners of whom one has been shown what was not so."""
        self._keep(0, bytes(logged.record))
        for side, follower in self.follower.items():
            self._keep(side, bytes(follower.receive_record(bytes(logged.for_side(side))).record))

    def check_quietly(self, *sides: int) -> None:
        for side in sides:
            self.spread_quietly(self.writer.add_sent(*read_record(bytes(self.follower[side].check()))))

    def _keep(self, side: int, record: bytes) -> None:
        self.sent[side].append(record)
        self.payloads[side].append(RECORD + record)
        self.at[side].append(self.position_of(side))

    def move(self, seat: Seat, action: Action) -> None:
        """An action, by the player of the seat."""
        side = self.position.signer(seat)
        if side == 0:
            self.spread(self.writer.move(seat, action))
            return
        record = bytes(self.follower[side].move(action, self.rng.randbytes(10)))
        self.payloads[side].append(PENDING + record)
        self.spread(self.writer.add_sent(*read_record(record)))

    def check(self, *sides: int) -> None:
        for side in sides:
            self.spread(self.writer.add_sent(*read_record(bytes(self.follower[side].check()))))

    def step(self) -> None:
        """What is due next; the seats play by chance."""
        position, writer = self.position, self.writer
        stage = position.state.stage
        if position.phase is Phase.CHECKS:
            self.check(*SIDES[1:])
            self.spread(writer.close(CloseReason.WON) if stage == Stage.OVER else writer.deal())
        elif position.phase is Phase.DEALING:
            self.spread(writer.deal())
        elif position.phase is Phase.OPENING:
            self.spread(writer.open_hand())
        elif stage == Stage.SHOW:
            self.spread(writer.show())
        else:
            self.act()

    def act(self, seat: Seat | None = None) -> None:
        seat = self.rng.choice(self.position.state.to_act) if seat is None else seat
        self.move(seat, self.rng.choice(offered_actions(self.position, seat)))

    def until(self, phase: Phase, hand: int) -> None:
        while self.position.phase is not phase or self.position.state.hand != hand:
            self.step()

    # --- forgeries ----------------------------------------------------------------------------------------------------

    def signed(self, number: int, entry: Entry, by: int, outcome: OutcomeEntry | None = None) -> bytes:
        """A record that would be number `number`: an entry signed by a side over the right head."""
        position = self.at[0][number]
        concurrent = position.simultaneous and isinstance(entry, ActionEntry | CommitEntry | CheckEntry)
        head = position.open_head if concurrent else position.head
        frame = sign(self.keys[by], ENTRY_LABEL, head, encode_entry(entry))
        if outcome is None:
            return bytes(Record((frame,)))
        return bytes(Record((frame, self.outcome_frame(number, frame, outcome))))

    def outcome_frame(self, number: int, action: Frame, outcome: OutcomeEntry, by: int = 0) -> Frame:
        head = next_head(self.at[0][number].head, action)
        return sign(self.keys[by], ENTRY_LABEL, head, encode_entry(outcome))

    def with_faces(self, number: int, side: int, record: Record, faces: Sequence[Card]) -> Record:
        """The record, that would be number `number`, with these faces for a side, well signed."""
        head = reduce(next_head, record.frames, self.at[0][number].head)
        seat = bytes((self.header.seat_of(side) or 0,))
        return replace(record, faces=sign(self.keys[0], FACES_LABEL, head + seat, encode_faces(tuple(faces))))

    def find(self, kind: type, which: int = 0) -> int:
        """The number of a record whose entry is of this kind."""
        numbers = [n for n, data in enumerate(self.sent[0]) if isinstance(entry_of(data), kind)]
        return numbers[which]


def entry_of(record: bytes) -> Entry:
    return read_record(record)[1][0]


def go_on(position: Position, record: bytes) -> Position:
    return advance(position, *read_record(record))


def cause_of(position: Position, record: bytes) -> Cause | None:
    """Why the record is refused there; None if it is taken."""
    try:
        go_on(position, record)
    except Refused as refused:
        assert str(refused)
        return refused.cause
    return None


def _no_verify(state: Any, seat: int, action: Any) -> None:
    """A dealer who lets everything pass."""


def break_a_rule_unseen(table: Table) -> None:
    """The coordinator's seat plays a card that only those who know its hand can see to be against the rules."""
    while True:
        table.act() if table.position.state.stage == 1 else table.step()
        position = table.position
        if position.state.to_act != (0,):
            continue
        legal = table.game.legal(position.state, 0)
        for card in position.state.hands[0].cards:
            action = Play(card)
            if action in legal or not position.state.trick:
                continue
            try:
                table.game.verify(position.views[-1], 0, action)
            except IllegalAction:
                continue
            logged = replace(table.writer.log[-1])
            logged.__dict__["after"] = position.changed(game=replace(position.game, verify=_no_verify))
            table.writer.log[-1] = logged
            table.move(0, action)
            return


OPTIONS: dict[str, tuple[str, Any]] = {
    "hearts": ("hearts", hearts.PRESETS["hearts-deluxe"]),
    "crazy_eights": ("crazy_eights", replace(crazy_eights.PRESETS["real-deal"], winning_score=1000)),
    "telecards": ("crazy_eights", replace(crazy_eights.PRESETS["telecards"], winning_score=1000)),
}


def new_table(name: str, seed: int = 5) -> Table:
    """name: a key of OPTIONS. At "telecards" side 2 watches."""
    return Table(*OPTIONS[name], seed)


def after_a_hand(name: str = "hearts", seed: int = 5) -> Table:
    """The first hand, which everybody has dealt, is opened: from now on a side may drop out."""
    table = new_table(name, seed)
    table.until(Phase.OPENING, 1)
    table.spread(table.writer.open_hand())
    return table


def never_was(until: Phase = Phase.CLOSED) -> Table:
    """A game that its coordinator alone has signed, as far as this phase."""
    name, options = OPTIONS["telecards"]
    table = Table(name, replace(options, winning_score=1), 5, version=1)
    writer = table.writer
    table.spread(writer.takeover(1, TakeoverReason.LEFT))
    while table.position.phase is not until:
        position = table.position
        if position.phase is Phase.CHECKS and position.state.stage == Stage.OVER:
            table.spread(writer.close(CloseReason.WON))
        elif position.phase in (Phase.CHECKS, Phase.DEALING):
            table.spread(writer.deal())
        else:
            table.step()
    return table


@lru_cache
def played(name: str, seed: int = 5) -> Table:
    """Two hands, during the first of which a seat is taken over and given back; then the coordinator ends the game."""
    table = new_table(name, seed)
    table.until(Phase.PLAY, 1)
    while 1 not in table.position.state.to_act:
        table.step()
    table.spread(table.writer.takeover(1, TakeoverReason.CLOCK_RAN_OUT))
    table.act(1)
    table.act()
    table.spread(table.writer.give_back(1))
    table.until(Phase.CHECKS, 2)
    table.check(1, 2)
    table.spread(table.writer.close(CloseReason.ENDED))
    return table
