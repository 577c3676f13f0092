"""Somebody who plays as our program does, then says whatever the test wants, to a program that really runs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from random import Random
from typing import Generic, TypeVar

import trio

from p2pcards.control.client import Client, ClientTable, connect
from p2pcards.control.messages import OpenListen, Persona
from p2pcards.games.game import Action
from p2pcards.ledger.position import Position
from p2pcards.links.channel import Channel, open_channel
from p2pcards.links.link import LinkLost
from p2pcards.players.choose import choose
from p2pcards.players.levels import edition_of
from p2pcards.session.coordinator import Coordinator
from p2pcards.session.effects import Effect, Faulted, Me, Send, Tell, Think
from p2pcards.session.listener import Listener
from p2pcards.session.lobby import EditionOf
from p2pcards.store.files import Home
from p2pcards.views.happenings import Happening
from p2pcards.views.standpoint import Cast
from p2pcards.views.tableview import Command
from p2pcards.wire.keys import PrivateKey, public_bytes
from p2pcards.wire.messages import Message, Ping, Pong, RecordMessage, decode_message, encode_message
from p2pcards.wire.reasons import TakeoverReason
from p2pcards.wire.records import ENTRY_LABEL, Entry, Record, encode_entry, sign
from rigs.giving_up import longest_wait
from rigs.net import CAST, key_of

T = TypeVar("T", bound=Message)
PEER, FELLOW = 1, 2
MARK = 4711
"""Of a ping of our own, whose answer comes after all that was asked before."""


M = TypeVar("M", bound=Coordinator | Listener)


class Hostile(Generic[M]):
    """told: what its own player would have been told. chosen: decides for its computer player; tampered: makes what is
    sent of a message of its machine."""

    def __init__(self, channel: Channel, machine: M) -> None:
        self.told: list[Happening] = []
        self.chosen: Callable[[Think], Action] = _chosen
        self.tampered: Callable[[bytes], bytes] = lambda message: message
        self.machine = machine
        self._channel = channel
        self._fellow: Listener | None = None  # another listener at the same table, without a line

    @property
    def binding(self) -> bytes:
        """Of the channel."""
        return self._channel.binding

    async def sit_down(self) -> None:
        await self._carry_out(self.machine.joined(PEER, self._channel.peer, self._channel.where, self._now(), "there"))

    async def with_fellow(self: Hostile[Coordinator]) -> None:
        """An honest listener sits down at the same table."""
        identity = key_of(98, 1)
        me = Me(identity, "Fay", "granny", "carefree")
        self._fellow = Listener(me, entropy=Random(98).randbytes, now=0.0, cast=CAST)
        here = self.machine.joined(FELLOW, public_bytes(identity), "here", self._now(), "here")
        there = self._fellow.joined(PEER, public_bytes(self.machine.table.me.identity), "there", self._now())
        await self._carry_out([*here, *self._of_fellow(there)])

    def _of_fellow(self, effects: list[Effect]) -> list[Effect]:
        """What comes of what the fellow does, at this table."""
        assert self._fellow is not None
        found: list[Effect] = []
        while effects := [*effects, *([] if effects else self._fellow.after_effects(self._now()))]:
            effect, *effects = effects
            if isinstance(effect, Send):
                found += self.machine.receive(FELLOW, effect.message, self._now())
            elif isinstance(effect, Think):
                effects += self._fellow.thought(effect, _chosen(effect), self._now())
            elif isinstance(effect, Faulted):
                raise effect.error
        return found

    async def command(self, name: str, *arguments: str) -> None:
        await self._carry_out(self.machine.command(Command(name, arguments), self._now()))

    async def call_absent(self: Hostile[Coordinator], side: int) -> None:
        """A listener who has not checked gives no part of the shuffle, whether or not they are here."""
        game = self.machine.table.game
        assert game is not None
        await self._carry_out(game._publish(game._writer.absent(side), self._now()))

    async def take_over(self: Hostile[Coordinator], seat: int, reason: TakeoverReason) -> None:
        """A seat is played by its character from here on, whether or not it is so."""
        game = self.machine.table.game
        assert game is not None
        await self._carry_out(game._take_over(seat, reason, self._now()))

    async def forge(self: Hostile[Coordinator], entry: Entry) -> None:
        """The next record, signed by our key alone, whether or not it may stand there."""
        game = self.machine.table.game
        assert game is not None
        frame = sign(self.machine.table.me.identity, ENTRY_LABEL, game.position.head, encode_entry(entry))
        await self.say(RecordMessage(game.position.count & 255, bytes(Record((frame,)))))

    async def until(self, there: Callable[[], bool]) -> None:
        """Take what comes until it is so."""
        with trio.fail_after(longest_wait()):
            while not there():
                message = await self._channel.receive()
                await self._carry_out(self.machine.receive(PEER, message, self._now()))

    @property
    def position(self) -> Position:
        """Of the game that is on."""
        game = self.machine.table.game
        assert game is not None
        return game.position

    async def next(self, kind: type[T]) -> T:
        """The next message of this kind, which its own machine does not get; whatever comes before it is dropped."""
        with trio.fail_after(longest_wait()):
            while True:
                message = decode_message(await self._channel.receive())
                if isinstance(message, kind):
                    return message

    async def say(self, message: Message | bytes) -> None:
        """Whatever it is."""
        await self._channel.send(message if isinstance(message, bytes) else encode_message(message))

    async def heard(self, kind: type[Message]) -> int:
        """How many of this kind are said in answer to what was said here; the line may end with it."""
        count = 0
        await self.say(Ping(MARK))
        with suppress(LinkLost), trio.fail_after(longest_wait()):
            while (message := decode_message(await self._channel.receive())) != Pong(MARK):
                count += isinstance(message, kind)
        return count

    async def heard_to_the_end(self, kind: type[Message]) -> int:
        """How many of this kind come before the line ends."""
        count = 0
        with suppress(LinkLost), trio.fail_after(longest_wait()):
            while True:
                count += isinstance(decode_message(await self._channel.receive()), kind)
        return count

    def _now(self) -> float:
        return trio.current_time()

    async def _carry_out(self, effects: list[Effect]) -> None:
        while effects := [*effects, *([] if effects else self.machine.after_effects(self._now()))]:
            effect, *effects = effects
            if isinstance(effect, Send) and effect.peer == FELLOW and self._fellow:
                effects += self._of_fellow(self._fellow.receive(PEER, effect.message, self._now()))
            elif isinstance(effect, Send):
                await self._channel.send(self.tampered(effect.message))
            elif isinstance(effect, Tell):
                self.told.append(effect.happening)
            elif isinstance(effect, Think):
                effects += self.machine.thought(effect, self.chosen(effect), self._now())
            elif isinstance(effect, Faulted):
                raise effect.error


def _chosen(think: Think) -> Action:
    return choose(think.game, think.view, think.seat, think.level, Random(think.seed))


async def begin(mal: Hostile[Coordinator], game: str = "hearts", people: int = 2) -> None:
    """A game begins, which names none before it."""
    await mal.sit_down()
    await mal.until(lambda: len(mal.machine.view(0.0).people) == people)
    await mal.command("game", game)
    await mal.command("start")
    await mal.until(lambda: mal.machine.table.game is not None)


async def bobs_table(stack: AsyncExitStack, home: Home, auto: str | None = "novice") -> tuple[Client, ClientTable, int]:
    """Bob, who waits to be called, at which port. auto: the level that plays, None: he does."""
    client = await stack.enter_async_context(connect(home))
    opened = await client.open(OpenListen(0, Persona("Bob", auto=auto)))
    assert opened.port is not None
    return client, await client.attach(opened.table), opened.port


@asynccontextmanager
async def hostile(
    port: int,
    number: int = 99,
    chance: int = 1,
    *,
    cast: Cast = CAST,
    edition_of: EditionOf = edition_of,
    grace: int | None = None,
    turn_clock: int = 0,
    between_hands: int = 0,
) -> AsyncIterator[Hostile[Coordinator]]:
    """A coordinator at the listener on this port of this machine, with the key of this number."""
    identity = key_of(number, 1)
    entropy = Random(chance).randbytes
    machine = Coordinator(
        _mal(identity),
        entropy=entropy,
        now=0.0,
        cast=cast,
        grace=grace,
        turn_clock=turn_clock,
        between_hands=between_hands,
        edition_of=edition_of,
    )
    async with _call(port, identity) as channel:
        yield Hostile(channel, machine)


@asynccontextmanager
async def hostile_listener(
    port: int, number: int = 99, seed: int = 1, auto: str | None = "carefree"
) -> AsyncIterator[Hostile[Listener]]:
    """A listener at the table of the host on this port. auto: the level that plays, None: nobody does."""
    identity = key_of(number, seed)
    machine = Listener(_mal(identity, auto), entropy=Random(seed).randbytes, now=0.0, cast=CAST)
    async with _call(port, identity) as channel:
        yield Hostile(channel, machine)


def _mal(identity: PrivateKey, auto: str | None = "carefree") -> Me:
    return Me(identity, "Mal", "papa", auto)


@asynccontextmanager
async def _call(port: int, identity: PrivateKey) -> AsyncIterator[Channel]:
    stream = await trio.open_tcp_stream("127.0.0.1", port)
    where = f"tcp 127.0.0.1:{port}"
    channel = await open_channel(stream, initiator=True, identity=identity, where=where, deadline=longest_wait())
    try:
        yield channel
    finally:
        with trio.CancelScope(shield=True), trio.move_on_after(1):
            await channel.aclose()
