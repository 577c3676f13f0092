"""Our side as a coordinator: a game with a listener under test, record by record, and what may go wrong with each."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import trio

from p2pcards.conform.bench import PAUSE, TRIES, Bench, Broken, End, PutOff
from p2pcards.conform.game import CHARACTER, NAME, OPTIONS, THEM, OurGame
from p2pcards.games.options import header_values
from p2pcards.ledger.advance import offered_actions
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import Logged
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
from p2pcards.wire.reasons import ByeCode, CloseReason
from p2pcards.wire.records import (
    VERSION,
    CheckEntry,
    Entry,
    Frame,
    Header,
    Record,
    Side,
    abridge_header,
    read_record,
)

NOTHING = bytes(32)
"""The head of somebody who does not even have the header."""

HELLO = Hello(VERSION, True, NAME, CHARACTER)


class CoordinatorSide(OurGame):
    """Our coordinator, and its dialogue with the listener under test, which is side THEM. called: the name that side
    gets, its own if None."""

    def __init__(
        self, bench: Bench, *, game: str = "crazy_eights", others: int = 0, seated: bool = True, called: str = ""
    ) -> None:
        super().__init__(bench.chance, game, others, seated)
        self.bench = bench
        self.called = called
        self._name = ""
        self._end: End | None = None
        self._stake: Stake | None = None

    @property
    def end(self) -> End:
        assert self._end is not None, "greet first"
        return self._end

    @property
    def stake(self) -> Stake:
        assert self._stake is not None, "offer first"
        return self._stake

    # --- the beginning ------------------------------------------------------------------------------------------------

    async def greet(self) -> None:
        """Open a new link, and exchange HELLO."""
        for _ in range(TRIES):
            with suppress(PutOff):
                return await self._greet()
            await trio.sleep(PAUSE)
        raise Broken("It is busy every time we call.")

    async def _greet(self) -> None:
        """Exchange HELLO on a new link."""
        self._end = await self.bench.meet(self.key)
        await self.end.send(HELLO)
        said = await self.end.expect(Hello)
        if said.version != VERSION or said.coordinates:
            raise Broken(f"Its HELLO has version {said.version}, coordinates {said.coordinates}.")
        self._name = said.name
        people = (Person(NAME, CHARACTER, None, True), Person(self.called or said.name, said.character, None, True))
        await self.end.send(People(people, 1, self.game, header_values(OPTIONS[self.game])))

    async def offer(self) -> Stake:
        """Send OFFER, and return the STAKE that answers it."""
        nonce = self.bench.chance.randbytes(16)
        await self.end.send(Offer(nonce))
        while True:
            said = await self.end.expect(Stake, Resume)  # it may ask for the end of a game that was broken off
            if isinstance(said, Stake):
                break
        if said.nonce != nonce:
            raise Broken("The nonce of its STAKE is not that of the OFFER.")
        self._stake = said
        return said

    def header(self, *, previous: bytes = b"") -> Header:
        """The header of a game with the listener. previous: as in `header_with`."""
        them = Side(self.end.peer, self.called or self._name, "betty", self.stake.end)
        return self.header_with(them, self.stake.nonce, previous)

    async def send_header(self, frame: Frame, *, whole: bool = False) -> None:
        """whole: send it with all that the listener knows, as after RESUME."""
        data = bytes(frame if whole else abridge_header(frame, self.end.peer))
        starts = range(0, len(data), PART_SIZE)
        for part, start in enumerate(starts):
            await self.end.send(HeaderPart(part, len(starts), data[start : start + PART_SIZE]))

    async def begin(self, *, previous: bytes = b"") -> None:
        """Go from the first link to a sent header, before any check."""
        if self._end is None:
            await self.greet()
        await self.offer()
        header = self.header(previous=previous)
        frame = self.sign_header(header)
        self.open_game(frame, header)
        await self.send_header(frame)

    # --- records ------------------------------------------------------------------------------------------------------

    async def tell(self, logged: Logged) -> None:
        """Send a record of ours to the listener under test."""
        await self.end.send(logged.message_for(THEM))

    async def say(self, record: Record | bytes) -> None:
        """Send bytes in place of the next record."""
        await self.end.send(RecordMessage(self.position.count, bytes(record)))

    async def take_move(self) -> Entry:
        """Take the move or check that the listener owes into the log; a move is answered by TAKEN."""
        message = await self.end.expect(MoveMessage)
        try:
            record, entries = read_record(message.record)
            logged = self.writer.add_sent(record, entries)
        except Refused as refused:
            raise Broken(f"Its entry must be refused ({refused.cause}). {refused}") from None
        if not isinstance(entries[0], CheckEntry):
            await self.end.send(logged.answer_for(THEM))
        return entries[0]

    async def take_check(self) -> CheckEntry:
        entry = await self.take_move()
        if not isinstance(entry, CheckEntry):
            raise Broken(f"It signs {type(entry).__name__} where a CHECK is due.")
        return entry

    async def check_others(self) -> None:
        for one in self.made_up:
            await self.tell(self.writer.add_sent(*read_record(bytes(self.check_of(one)))))

    async def check_all(self) -> None:
        await self.take_check()
        await self.check_others()

    async def step(self) -> None:
        """Do whatever is due next."""
        if self.position.phase is Phase.CHECKS:
            await self.check_all()
        if (logged := self.record_due()) is not None:
            await self.tell(logged)
        else:
            await self.act()

    async def act(self) -> None:
        """Make a move; our own seats go first where several are due."""
        position = self.position
        ours = [seat for seat in position.state.to_act if position.signer(seat) == 0]
        if ours:
            await self.tell(self.writer.move(ours[0], self.bench.chance.choice(offered_actions(position, ours[0]))))
        else:
            await self.take_move()

    async def until(self, done: Callable[[Position], bool]) -> None:
        """Do what is due until this holds."""
        while not done(self.position):
            await self.step()

    # --- what became of it --------------------------------------------------------------------------------------------

    async def ask_how_far(self) -> Resume:
        """The listener's answer to RESUME, on a new link if the old one is over."""
        if self.end.over or self.end.goodbye:
            await self.end.close()
            await self.greet()
        position = self.position
        await self.end.send(Resume(position.game_id, position.count, position.head))
        while True:
            said = await self.end.expect(Resume, MoveMessage)
            if isinstance(said, Resume) and said.game_id == position.game_id:
                return said

    async def expect_refusal(self, *data: Record | bytes) -> None:
        """Check that the listener refuses this in place of the next record: it hangs up, or its log hasn't grown."""
        for one in data:
            await self.say(one)
        await self.end.answers()
        found = await self.ask_how_far()
        if found.count > self.position.count or found.head not in (self.writer.head_at(found.count), NOTHING):
            raise Broken(f"It takes the record: its log has {found.count} records, not {self.position.count}.")

    async def catch_up(self) -> None:
        """Send what the listener lacks, after RESUME."""
        found = await self.ask_how_far()
        for logged in self.writer.log[found.count :]:
            await self.tell(logged)

    async def leave(self) -> None:
        """End the game, so that nothing is left of it at a listener that isn't restarted for each case."""
        try:
            if not self.bench.run:
                await self._end_game()
        finally:
            if self._end is not None:
                await self._end.close()

    async def _end_game(self) -> None:
        if not self.begun or self.position.phase is Phase.CLOSED:
            return
        await self.catch_up()
        if self.position.phase in (Phase.PLAY, Phase.PAUSED, Phase.OPENING):
            await self.tell(self.writer.open_hand())
        await self.tell(self.writer.close(CloseReason.ENDED))
        await self.end.answers()
        await self.end.send(Bye(ByeCode.LEAVES))
