"""Our side as a coordinator: a game with a listener under test, record by record, and what may go wrong with each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from p2pcards.conform.bench import Bench, Broken, End
from p2pcards.games.game import Stage
from p2pcards.games.options import option_values
from p2pcards.games.registry import GAMES
from p2pcards.ledger.advance import offered
from p2pcards.ledger.fair import chain_value
from p2pcards.ledger.position import Position, begin
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import LedgerWriter, Logged
from p2pcards.players.levels import edition_of
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import (
    PART_SIZE,
    Bye,
    HeaderPart,
    Hello,
    MoveMessage,
    Offer,
    People,
    Person,
    RecordMessage,
    Resume,
    Stake,
)
from p2pcards.wire.packing import Refused
from p2pcards.wire.reasons import ByeCode, CloseReason, Verdict
from p2pcards.wire.records import (
    ENTRY_LABEL,
    HEADER_LABEL,
    VALUE,
    VERSION,
    CheckEntry,
    Entry,
    Frame,
    Header,
    Record,
    SeatEntry,
    Side,
    abridged,
    encode_entry,
    encode_header,
    read_record,
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

NOTHING = bytes(32)
"""The head of somebody who does not even have the header."""

HELLO = Hello(VERSION, True, NAME, CHARACTER)


@dataclass
class MadeUp:
    """A listener of ours, who watches."""

    key: Ed25519PrivateKey
    seed: bytes


@dataclass
class CoordinatorSide:
    """The coordinator of one game. others: how many listeners of ours beside the one under test. seated: whether that
    one plays. called: the name that it is given, its own if that is left out."""

    bench: Bench
    game: str = "crazy_eights"
    others: int = 0
    seated: bool = True
    called: str = ""
    made_up: list[MadeUp] = field(init=False)

    def __post_init__(self) -> None:
        chance = self.bench.chance
        self.key = self.bench.new_key()
        self.made_up = [MadeUp(self.bench.new_key(), chance.randbytes(VALUE)) for _ in range(self.others)]
        self._name = ""
        self._end: End | None = None
        self._writer: LedgerWriter | None = None
        self._stake: Stake | None = None
        self.seed = b""

    @property
    def end(self) -> End:
        assert self._end is not None, "greet first"
        return self._end

    @property
    def writer(self) -> LedgerWriter:
        assert self._writer is not None, "begin first"
        return self._writer

    @property
    def stake(self) -> Stake:
        assert self._stake is not None, "offer first"
        return self._stake

    @property
    def position(self) -> Position:
        return self.writer.position

    # --- the beginning ------------------------------------------------------------------------------------------------

    async def greet(self, hello: Hello = HELLO) -> None:
        """A new link, and HELLO on both sides."""
        self._end = await self.bench.meet(self.key)
        await self.end.send(hello)
        said = await self.end.expect(Hello)
        if said.version != VERSION or said.coordinates:
            raise Broken(f"It says HELLO of version {said.version}, coordinates {said.coordinates}.")
        self._name = said.name
        people = (Person(NAME, CHARACTER, None, True), Person(self.called or said.name, said.character, None, True))
        await self.end.send(People(people, 1, self.game, option_values(OPTIONS[self.game])))

    async def offer(self) -> Stake:
        nonce = self.bench.chance.randbytes(16)
        await self.end.send(Offer(nonce))
        while True:
            said = await self.end.expect(Stake, Resume)  # it may ask for the end of a game that was broken off
            if isinstance(said, Stake):
                break
        if said.nonce != nonce:
            raise Broken("Its STAKE has another nonce than the OFFER.")
        self._stake = said
        return said

    def header(self, *, previous: bytes = b"") -> Header:
        self.seed = self.bench.chance.randbytes(VALUE)
        sides = [
            Side(public_bytes(self.key), NAME, CHARACTER, chain_value(self.seed, 0)),
            Side(self.end.peer, self.called or self._name, "betty", self.stake.end),
            *[
                Side(public_bytes(one.key), f"Other {i}", "granny", chain_value(one.seed, 0))
                for i, one in enumerate(self.made_up)
            ],
        ]
        options = OPTIONS[self.game]
        edition = edition_of(self.game, LEVEL)
        played = [0, THEM if self.seated else None]
        seats = [
            SeatEntry(played[seat] if seat < len(played) else None, CHARACTER, LEVEL, edition)
            for seat in range(GAMES[self.game].seats(options))
        ]
        return Header(
            self.game, option_values(options), tuple(sides), tuple(seats), 60, 180, previous, 1, self.stake.nonce
        )

    def sign_header(self, header: Header) -> Frame:
        return sign(self.key, HEADER_LABEL, b"", encode_header(header))

    async def send_header(self, frame: Frame, *, whole: bool = False) -> None:
        """whole: with all that the listener knows, as after RESUME."""
        data = bytes(frame if whole else abridged(frame, self.end.peer))
        starts = range(0, len(data), PART_SIZE)
        for part, start in enumerate(starts):
            await self.end.send(HeaderPart(part, len(starts), data[start : start + PART_SIZE]))

    def open_game(self, frame: Frame, header: Header) -> None:
        self._writer = LedgerWriter(self.key, frame, begin(frame, header, 0, self.seed))

    async def begin(self, *, previous: bytes = b"") -> None:
        """From the first link to the header, which is sent; nobody has checked yet."""
        if self._end is None:
            await self.greet()
        await self.offer()
        header = self.header(previous=previous)
        frame = self.sign_header(header)
        self.open_game(frame, header)
        await self.send_header(frame)

    # --- records ------------------------------------------------------------------------------------------------------

    async def tell(self, logged: Logged) -> None:
        """A record of ours, to the listener under test."""
        await self.end.send(logged.message_for(THEM))

    async def say(self, record: Record | bytes) -> None:
        """Bytes in place of the next record."""
        await self.end.send(RecordMessage(self.position.count, bytes(record)))

    def signed(self, entry: Entry, *, by: Ed25519PrivateKey | None = None, head: bytes | None = None) -> Record:
        """An entry of ours on the end of the log, whatever it says."""
        context = self.position.head if head is None else head
        return Record((sign(by or self.key, ENTRY_LABEL, context, encode_entry(entry)),))

    async def take(self) -> Entry:
        """The move or check that it owes, into the log; a move is answered by TAKEN."""
        message = await self.end.expect(MoveMessage)
        try:
            record, entries = read_record(message.record)
            logged = self.writer.take(record, entries)
        except Refused as refused:
            raise Broken(f"What it signs has to be refused ({refused.cause}). {refused}") from None
        if not isinstance(entries[0], CheckEntry):
            await self.end.send(logged.answer_for(THEM))
        return entries[0]

    async def take_check(self) -> CheckEntry:
        entry = await self.take()
        if not isinstance(entry, CheckEntry):
            raise Broken(f"It signs {type(entry).__name__} where a CHECK is due.")
        return entry

    def check_of(self, one: MadeUp, *, value: bytes | None = None) -> Record:
        """A check of a listener of ours. value: in place of the one that is due."""
        position = self.position
        due = chain_value(one.seed, position.dealt + 1)
        side = 2 + self.made_up.index(one)
        entry = CheckEntry(position.open_base, side, position.dealt, Verdict.GOOD, due if value is None else value)
        return self.signed(entry, by=one.key, head=position.open_head)

    async def check_others(self) -> None:
        for one in self.made_up:
            await self.tell(self.writer.take(*read_record(bytes(self.check_of(one)))))

    async def check_all(self) -> None:
        await self.take_check()
        await self.check_others()

    async def step(self) -> None:
        """What is due next."""
        writer, position = self.writer, self.position
        stage = position.state.stage
        if position.phase is Phase.CHECKS:
            await self.check_all()
            await self.tell(writer.deal())
        elif position.phase is Phase.DEALING:
            await self.tell(writer.deal())
        elif position.phase is Phase.OPENING:
            await self.tell(writer.open_hand())
        elif stage == Stage.SHOW:
            await self.tell(writer.show())
        else:
            await self.act()

    async def act(self) -> None:
        """A move; those of our own seats come first where several are due."""
        position = self.position
        ours = [seat for seat in position.state.to_act if position.signer(seat) == 0]
        if ours:
            await self.tell(self.writer.move(ours[0], self.bench.chance.choice(offered(position, ours[0]))))
        else:
            await self.take()

    async def until(self, done: Callable[[Position], bool]) -> None:
        while not done(self.position):
            await self.step()

    # --- what became of it --------------------------------------------------------------------------------------------

    async def ask_how_far(self) -> Resume:
        """Its answer to RESUME, on a new link where the old one is over."""
        if self.end.over or self.end.goodbye:
            await self.end.close()
            await self.greet()
        position = self.position
        await self.end.send(Resume(position.game_id, position.count, position.head))
        while True:
            said = await self.end.expect(Resume, MoveMessage)
            if isinstance(said, Resume) and said.game_id == position.game_id:
                return said

    async def refused(self, *data: Record | bytes) -> None:
        """It does not take this in place of the next record: it hangs up, or says that its log has not grown."""
        for one in data:
            await self.say(one)
        await self.end.answers()
        found = await self.ask_how_far()
        if found.count > self.position.count or found.head not in (self._head(found.count), NOTHING):
            raise Broken(f"It takes the record: its log has {found.count}, where {self.position.count} can be.")

    def _head(self, count: int) -> bytes:
        return self.writer.head_at(count)

    async def catch_up(self) -> None:
        """What it lacks, after RESUME."""
        found = await self.ask_how_far()
        for logged in self.writer.log[found.count :]:
            await self.tell(logged)

    async def finish(self) -> None:
        """Leave nothing of this game behind at a listener that is not started anew for each case."""
        if self._writer is None or self.position.phase is Phase.CLOSED:
            return
        await self.catch_up()
        if self.position.phase in (Phase.PLAY, Phase.PAUSED, Phase.OPENING):
            await self.tell(self.writer.open_hand())
        await self.tell(self.writer.close(CloseReason.ENDED))
        await self.end.answers()
        await self.end.send(Bye(ByeCode.LEAVES))
        await self.end.close()
