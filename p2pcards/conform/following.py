"""Our side as a listener: a game as a coordinator under test deals it, checked record by record."""

from __future__ import annotations

from collections.abc import Callable

from p2pcards.conform.bench import Bench, Broken, End, message_names
from p2pcards.ledger.advance import offered_actions
from p2pcards.ledger.fair import chain_value
from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.payloads import Start
from p2pcards.ledger.position import Position
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import (
    Bye,
    HeaderPart,
    Hello,
    MoveMessage,
    Offer,
    RecordMessage,
    RefusedMove,
    Resume,
    Stake,
    Taken,
)
from p2pcards.wire.packing import Refused
from p2pcards.wire.reasons import RefusalCode
from p2pcards.wire.records import (
    ENTRY_LABEL,
    SALT,
    VALUE,
    VERSION,
    Entry,
    Header,
    Record,
    Staked,
    complete_header,
    decode_header,
    encode_entry,
    sign,
    split_frame,
)

HELLO = Hello(VERSION, False, "Kit", "betty")


class ListenerSide:
    """Our listener, which plays at random."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.key = bench.new_key()
        self.seed = bench.chance.randbytes(VALUE)
        self._end: End | None = None
        self._follower: LedgerFollower | None = None

    @property
    def end(self) -> End:
        assert self._end is not None, "greet first"
        return self._end

    @property
    def follower(self) -> LedgerFollower:
        assert self._follower is not None, "begin first"
        return self._follower

    @property
    def position(self) -> Position:
        return self.follower.position

    # --- the beginning ------------------------------------------------------------------------------------------------

    async def wait(self, key: Ed25519PrivateKey | None = None) -> None:
        """Wait for the next link and its HELLO. key: an identity instead of ours."""
        self._end = await self.bench.meet(key or self.key)
        message = await self.end.receive()
        if not isinstance(message, Hello):
            raise Broken(f"Its first message is {message_names(type(message)) if message else 'none'}, not HELLO.")
        if message.version != VERSION or not message.coordinates:
            raise Broken(f"Its HELLO has version {message.version}, coordinates {message.coordinates}.")

    async def greet(self) -> None:
        """Wait for a link, and exchange HELLO."""
        await self.wait()
        await self.end.send(HELLO)

    async def read_header(self) -> None:
        """Exchange OFFER, STAKE and HEADER, up to our due check."""
        await self.greet()
        offer = await self.end.expect(Offer)
        end = chain_value(self.seed, 0)
        await self.end.send(Stake(offer.nonce, end))
        data, part = b"", await self.end.expect(HeaderPart)
        for number in range(part.parts):
            if part.part != number:
                raise Broken(f"Part {part.part} of the header comes where part {number} is due.")
            data += part.data
            part = part if number + 1 == part.parts else await self.end.expect(HeaderPart)
        try:
            whole = complete_header(
                split_frame(data)[0], Staked(self.end.peer, public_bytes(self.key), offer.nonce, end)
            )
            header = decode_header(whole)
            side = self._own_side(header, end)
            self._follower = LedgerFollower(self.key, Start(side, self.seed, whole, header))
        except Refused as refused:
            raise Broken(f"Its header must be refused ({refused.cause}). {refused}") from None

    def _own_side(self, header: Header, end: bytes) -> int:
        side = header.side_of(public_bytes(self.key))
        if not side or header.sides[0].key != self.end.peer or header.sides[side].end != end:
            raise Broken("Its header does not list us with our end, or is not its own.")
        return side

    # --- the game -----------------------------------------------------------------------------------------------------

    def check(self) -> bytes:
        """The record of our due check."""
        return bytes(self.follower.check())

    async def send_check(self) -> None:
        check = self.check()
        self.follower.keep_check(check)
        await self.end.send(MoveMessage(check))

    async def send_move(self) -> None:
        position = self.position
        assert position.seat is not None
        action = self.bench.chance.choice(offered_actions(position, position.seat))
        record = self.follower.move(action, self.bench.chance.randbytes(SALT))
        await self.end.send(MoveMessage(bytes(record)))

    def signed(self, entry: Entry, *, by: Ed25519PrivateKey | None = None) -> bytes:
        """An entry of ours, signed over the due head, whatever it contains."""
        position = self.position
        head = position.open_head if position.simultaneous else position.head
        return bytes(Record((sign(by or self.key, ENTRY_LABEL, head, encode_entry(entry)),)))

    async def follow(self) -> None:
        """Take the next record, or the answer to our move, into the log."""
        self.follow_record(await self.end.expect(RecordMessage, Taken))

    def follow_record(self, message: RecordMessage | Taken) -> None:
        follower, position = self.follower, self.position
        ahead = message.number - position.count & 255
        try:
            if isinstance(message, Taken):
                if ahead or follower.take_own(message.head, message.rest) is None:
                    raise Broken("Its TAKEN fits no move of ours.")
            elif ahead == 0:
                follower.receive_record(message.record)
            elif ahead == 1 and follower.owes_check() and follower.kept_check_of(position.open_base):
                follower.take_after_check(message.record)
            else:
                raise Broken(f"It sends record {message.number} where {position.count & 255} is due.")
        except Refused as refused:
            raise Broken(f"Its record {position.count} must be refused ({refused.cause}). {refused}") from None

    async def until_taken(self) -> Position:
        """Follow until our move is in the log; returns the position before it."""
        while True:
            before = self.position
            message: RecordMessage | Taken = await self.end.expect(RecordMessage, Taken)
            self.follow_record(message)
            if isinstance(message, Taken):
                return before

    async def until(self, done: Callable[[Position], bool]) -> None:
        """Play on until this holds; nothing that is due from us then has been sent."""
        while not done(self.position):
            follower = self.follower
            if follower.owes_check() and not follower.kept_check_of(self.position.open_base):
                await self.send_check()
            if follower.owes_move() and follower.pending is None:
                await self.send_move()
            await self.follow()

    # --- what became of it --------------------------------------------------------------------------------------------

    async def expect_refusal(self, *codes: RefusalCode) -> None:
        """Check that our last message is answered by REFUSED with one of these codes, and makes no record."""
        said = await self.end.answers()
        refusals = [one for one in said if isinstance(one, RefusedMove)]
        if any(isinstance(one, Taken | RecordMessage) for one in said):
            raise Broken("It logs what it must refuse.")
        if len(refusals) != 1 or refusals[0].code not in codes:
            wanted = " or ".join(str(int(code)) for code in codes)
            raise Broken(f"It does not answer with REFUSED, code {wanted}.")
        if any(isinstance(one, Bye) for one in said):
            raise Broken("It refuses it, and hangs up as well.")

    async def answer_how_far(self, count: int | None = None, head: bytes | None = None) -> Resume:
        """Answer RESUME on a new link. count, head: what to claim instead of the truth."""
        await self.greet()
        asked = await self.end.expect(Resume)
        position = self.position
        await self.end.send(
            Resume(
                position.game_id,
                position.count if count is None else count,
                position.head if head is None else head,
            )
        )
        return asked
