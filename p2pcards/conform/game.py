"""A game of ours, with what only its coordinator and listeners of ours can sign, true or false."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

from p2pcards.games.game import Stage
from p2pcards.games.options import header_values
from p2pcards.games.registry import GAMES
from p2pcards.ledger.fair import chain_value
from p2pcards.ledger.position import Position, begin
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import LedgerWriter, Logged
from p2pcards.players.levels import edition_of
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.reasons import Verdict
from p2pcards.wire.records import (
    ENTRY_LABEL,
    HEADER_LABEL,
    VALUE,
    CheckEntry,
    Entry,
    Frame,
    Header,
    Record,
    SeatEntry,
    Side,
    encode_entry,
    encode_header,
    sign,
)

NAME, CHARACTER, LEVEL = "Kit", "wayne", "novice"
THEM = 1
"""The side, and where it has one the seat, of the listener under test."""

OPTIONS: dict[str, Any] = {
    "crazy_eights": replace(GAMES["crazy_eights"].presets["telecards"], winning_score=1000),
    "hearts": GAMES["hearts"].presets["real-deal"],
}
"""Games that go on after the first hand."""


@dataclass
class MadeUp:
    """A listener of ours who watches."""

    key: Ed25519PrivateKey
    seed: bytes


class OurGame:
    """A game of ours. others: number of our listeners besides side THEM; seated: that side plays."""

    def __init__(self, chance: Random, game: str, others: int, seated: bool) -> None:
        self.chance = chance
        self.game = game
        self.seated = seated
        self.options = OPTIONS[game]
        self.key = self.new_key()
        self.seed = b""
        self.made_up = [MadeUp(self.new_key(), chance.randbytes(VALUE)) for _ in range(others)]
        self._writer: LedgerWriter | None = None

    def new_key(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.chance.randbytes(32))

    @property
    def writer(self) -> LedgerWriter:
        assert self._writer is not None, "begin first"
        return self._writer

    @property
    def begun(self) -> bool:
        """Return whether the game has a log."""
        return self._writer is not None

    @property
    def position(self) -> Position:
        return self.writer.position

    def header_with(self, them: Side, nonce: bytes, previous: bytes = b"") -> Header:
        self.seed = self.chance.randbytes(VALUE)
        sides = [
            Side(public_bytes(self.key), NAME, CHARACTER, chain_value(self.seed, 0)),
            them,
            *[
                Side(public_bytes(one.key), f"Other {i}", "granny", chain_value(one.seed, 0))
                for i, one in enumerate(self.made_up)
            ],
        ]
        options = self.options
        edition = edition_of(self.game, LEVEL)
        played = [0, THEM if self.seated else None]
        seats = [
            SeatEntry(played[seat] if seat < len(played) else None, CHARACTER, LEVEL, edition)
            for seat in range(GAMES[self.game].seats(options))
        ]
        return Header(self.game, header_values(options), tuple(sides), tuple(seats), 60, 180, previous, 1, nonce)

    def record_due(self) -> Logged | None:
        """The coordinator's record that is due once all have checked; None where a seat has to move."""
        writer, position = self.writer, self.position
        if position.phase in (Phase.CHECKS, Phase.DEALING):
            return writer.deal()
        if position.phase is Phase.OPENING:
            return writer.open_hand()
        return writer.show() if position.state.stage == Stage.SHOW else None

    def sign_header(self, header: Header) -> Frame:
        return sign(self.key, HEADER_LABEL, b"", encode_header(header))

    def open_game(self, frame: Frame, header: Header) -> None:
        self._writer = LedgerWriter(self.key, frame, begin(frame, header, 0, self.seed))

    def signed(self, entry: Entry, *, by: Ed25519PrivateKey | None = None, head: bytes | None = None) -> Record:
        """An entry of ours at the end of the log, whatever it contains."""
        context = self.position.head if head is None else head
        return Record((sign(by or self.key, ENTRY_LABEL, context, encode_entry(entry)),))

    def check_of(self, one: MadeUp, *, value: bytes | None = None) -> Record:
        """A check of a listener of ours. value: instead of the due one."""
        position = self.position
        due = chain_value(one.seed, position.dealt + 1)
        side = 2 + self.made_up.index(one)
        entry = CheckEntry(position.open_base, side, position.dealt, Verdict.GOOD, due if value is None else value)
        return self.signed(entry, by=one.key, head=position.open_head)
