"""A coordinator at a program that really runs, with further listeners who have no link, no seat and nobody behind them:
their keys and their chains are its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TypeVar

import trio

from p2pcards.games.game import Stage
from p2pcards.games.options import header_values
from p2pcards.ledger.fair import chain_value, parts_of_deal
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import LedgerWriter, Logged
from p2pcards.links.channel import Channel, open_channel
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import (
    HeaderPart,
    Hello,
    Message,
    MoveMessage,
    Offer,
    Ping,
    Pong,
    RecordMessage,
    Stake,
    decode_message,
    encode_message,
)
from p2pcards.wire.records import (
    HEADER_LABEL,
    VERSION,
    Header,
    SeatEntry,
    Side,
    encode_header,
    read_record,
    sign,
)
from rigs.cheating_host import CHEAT, OPTIONS, SEED, check_of_made_up, made_up_seed, writer_of
from rigs.giving_up import longest_wait
from rigs.hostile import MARK
from rigs.net import key_of

T = TypeVar("T", bound=Message)
BOB = 1
MADE_UP = {2: "Fay", 3: "Gil"}


class MadeUpTable:
    """The game with Bob, the only listener that there is."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._writer: LedgerWriter | None = None

    @property
    def position(self) -> Position:
        return self._log.position

    @property
    def _log(self) -> LedgerWriter:
        assert self._writer is not None
        return self._writer

    async def begin(self) -> None:
        """All sign the header, and the first hand is dealt."""
        await self._say(Hello(VERSION, True, "Mal", "wayne"))
        await self._say(Offer(bytes(16)))
        frame = _header_frame(self._channel.peer, (await self._hear(Stake)).end)
        pieces = [frame[start : start + 400] for start in range(0, len(frame), 400)]
        for number, piece in enumerate(pieces):
            await self._say(HeaderPart(number, len(pieces), piece))
        self._writer = writer_of(frame)
        await self.take_check()
        await self.deal()

    async def play_hand(self) -> None:
        """To where everybody is to give a part of the next pack."""
        while self.position.phase is not Phase.CHECKS:
            if self.position.phase is Phase.OPENING:
                await self._tell(self._log.open_hand())
            elif self.position.state.stage == Stage.SHOW:
                await self._tell(self._log.show())
            else:
                await self._play()

    async def _play(self) -> None:
        seat = self.position.state.to_act[0]
        if self.position.signer(seat):
            await self._tell(self._log.add_sent(*read_record((await self._hear(MoveMessage)).record)))
        else:
            await self._tell(self._log.move(seat, self.position.game.legal(self.position.views[seat], seat)[0]))

    async def take_check(self) -> object:
        """Bob gives his part: what the pack is made from is known then, before the others have to give theirs."""
        self._log.add_sent(*read_record((await self._hear(MoveMessage)).record))
        known = LedgerWriter(CHEAT, self._log.frame, self.position)
        _give(known)
        return parts_of_deal(known.position)

    async def call_absent(self, side: int) -> None:
        await self._tell(self._log.absent(side))

    async def deal(self) -> None:
        """Those who are made up give their parts as well, if they have not dropped out."""
        for logged in _give(self._log):
            await self._tell(logged)
        await self._tell(self._log.deal())

    async def moves_heard(self) -> int:
        """How many moves and checks come before the answer to what is said now."""
        count = 0
        await self._say(Ping(MARK))
        with trio.fail_after(longest_wait()):
            while (message := decode_message(await self._channel.receive())) != Pong(MARK):
                count += isinstance(message, MoveMessage)
        return count

    async def _tell(self, logged: Logged) -> None:
        await self._say(RecordMessage(logged.number & 255, bytes(logged.for_side(BOB))))

    async def _say(self, message: Message) -> None:
        await self._channel.send(encode_message(message))

    async def _hear(self, kind: type[T]) -> T:
        """The next message of this kind; whatever comes before it is dropped, and pings are answered."""
        with trio.fail_after(longest_wait()):
            while True:
                message = decode_message(await self._channel.receive())
                if isinstance(message, kind):
                    return message
                if isinstance(message, Ping):
                    await self._say(Pong(message.number))


def _give(writer: LedgerWriter) -> list[Logged]:
    """Every check of a made-up side that is due, of those who were called absent too."""
    due = [side for side in MADE_UP if side not in writer.position.checked]
    return [writer.add_sent(*check_of_made_up(writer.position, side, gives=True)) for side in due]


def _header_frame(bob: bytes, end: bytes) -> bytes:
    theirs = [
        Side(public_bytes(key_of(side, 1)), name, "betty", chain_value(made_up_seed(side), 0))
        for side, name in MADE_UP.items()
    ]
    sides = (Side(public_bytes(CHEAT), "Mal", "wayne", chain_value(SEED, 0)), Side(bob, "Bob", "granny", end), *theirs)
    seats = (SeatEntry(0, "wayne", "novice"), SeatEntry(BOB, "wayne", "novice"))
    options = header_values(replace(OPTIONS, players=len(seats)))
    header = Header("crazy_eights", options, sides, seats, 60, 180, b"", 0, bytes(16))
    return bytes(sign(CHEAT, HEADER_LABEL, b"", encode_header(header)))


@asynccontextmanager
async def made_up_table(port: int) -> AsyncIterator[MadeUpTable]:
    """At the listener on this port of this machine."""
    stream = await trio.open_tcp_stream("127.0.0.1", port)
    where = f"tcp 127.0.0.1:{port}"
    channel = await open_channel(stream, initiator=True, identity=CHEAT, where=where, deadline=longest_wait())
    try:
        yield MadeUpTable(channel)
    finally:
        with trio.CancelScope(shield=True), trio.move_on_after(1):
            await channel.aclose()
