"""What is tried on a coordinator under test: our side is its listener."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from p2pcards.conform.bench import Bench, Broken, NoChannel, OnBench
from p2pcards.conform.following import HELLO, ListenerSide
from p2pcards.ledger.advance import offered
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.wire.messages import (
    Message,
    MoveMessage,
    Offer,
    Ping,
    Pong,
    RecordMessage,
    Resume,
    Taken,
    WordsCommitment,
    WordsNonce,
)
from p2pcards.wire.packing import encode_action
from p2pcards.wire.reasons import ByeCode, RefusalCode, Verdict
from p2pcards.wire.records import SALT, ActionEntry, CheckEntry, DealEntry, Entry, read_record

LATE, WRONG = RefusalCode.LATE, RefusalCode.AGAINST_THE_RULES


def hangs_up(data: Message | bytes, *codes: ByeCode) -> OnBench:
    """On this message, once both have said HELLO."""

    async def play(bench: Bench) -> None:
        ours = ListenerSide(bench)
        await ours.greet()
        await ours.end.send(data)
        await ours.end.hung_up(*codes)

    return play


def hangs_up_first(data: Message | bytes, *codes: ByeCode) -> OnBench:
    """On this message in place of our HELLO."""

    async def play(bench: Bench) -> None:
        ours = ListenerSide(bench)
        await ours.wait()
        await ours.end.send(data)
        await ours.end.hung_up(*codes)

    return play


async def says_hello_first(bench: Bench) -> None:
    await ListenerSide(bench).wait()


async def pong(bench: Bench) -> None:
    ours = ListenerSide(bench)
    await ours.greet()
    await ours.end.expect(Offer)
    for number in (0, 1, 255, 2**32 - 1):
        await ours.end.send(Ping(number))
        while not isinstance(said := await ours.end.receive(), Pong | None):
            pass
        if said != Pong(number):
            raise Broken(f"It does not answer PING {number} with PONG {number}.")


async def words(bench: Bench) -> None:
    ours = ListenerSide(bench)
    await ours.greet()
    await ours.end.expect(Offer)
    await ours.end.send(WordsCommitment(bench.chance.randbytes(32)))
    await ours.end.expect(WordsNonce)


async def another_key_at_our_address(bench: Bench) -> None:
    """Where it calls again it knows who waits there."""
    ours = ListenerSide(bench)
    await ours.greet()
    await ours.end.expect(Offer)
    await ours.end.cut()
    with suppress(NoChannel):  # which refuses them too
        await ours.wait(bench.new_key())
        await ours.end.send(HELLO)
        await ours.end.hung_up()


async def header(bench: Bench) -> None:
    await ListenerSide(bench).read_header()


# --- moves ------------------------------------------------------------------------------------------------------------


def our_move(position: Position) -> bool:
    """We owe an open action, alone."""
    return position.phase is Phase.PLAY and position.state.to_act == (position.seat,) and not position.simultaneous


async def at_our_move(bench: Bench) -> ListenerSide:
    ours = ListenerSide(bench)
    await ours.read_header()
    await ours.until(our_move)
    return ours


def our_action(ours: ListenerSide) -> ActionEntry:
    """A good one."""
    position = ours.position
    assert position.seat is not None
    number, fields = encode_action(position.game, offered(position, position.seat)[0])
    return ActionEntry(position.count, position.seat, number, fields)


def move_refused(make: Callable[[ListenerSide], bytes], *codes: RefusalCode) -> OnBench:
    """It answers this move with REFUSED, and the link stays."""

    async def play(bench: Bench) -> None:
        ours = await at_our_move(bench)
        await ours.end.send(MoveMessage(make(ours)))
        await ours.is_refused(*codes)

    return play


def move_ends(make: Callable[[ListenerSide], bytes]) -> OnBench:
    """It hangs up on this move with BYE 5."""

    async def play(bench: Bench) -> None:
        ours = await at_our_move(bench)
        await ours.end.send(MoveMessage(make(ours)))
        await ours.end.hung_up(ByeCode.BROKE_PROTOCOL)

    return play


def on_another_base(ours: ListenerSide) -> bytes:
    return ours.signed(replace(our_action(ours), base=ours.position.count - 1))


def by_a_stranger(ours: ListenerSide) -> bytes:
    return ours.signed(our_action(ours), by=ours.bench.new_key())


def for_another_seat(ours: ListenerSide) -> bytes:
    entry = our_action(ours)
    return ours.signed(replace(entry, seat=(entry.seat + 1) % len(ours.position.header.seats)))


def with_more_behind(ours: ListenerSide) -> bytes:
    return ours.signed(our_action(ours)) + b"\1"


def not_held(ours: ListenerSide) -> bytes:
    """A card that we have played or never had, in place of one of ours: one that others hold."""
    entry, position = our_action(ours), ours.position
    held = {int(card) for card in position.state.hands[entry.seat].cards}
    other = next(card for card in position.game.pack(position.state.options) if int(card) not in held)
    return ours.signed(replace(entry, fields=(int(other), *entry.fields[1:])))


async def ours_after_theirs(bench: Bench) -> None:
    """Where several owe an action, its own and its computers' stand in the log before ours is taken."""
    ours = ListenerSide(bench)
    await ours.read_header()
    await ours.until(lambda at: at.phase is Phase.PLAY and at.simultaneous and at.seat in at.state.to_act)
    await ours.send_move()
    before = await ours.until_taken()
    theirs = [seat for seat in before.state.to_act if before.signer(seat) == 0]
    if theirs:
        raise Broken(f"It logs our move before those of its own seats {theirs}.")


async def opening_that_does_not_fit(bench: Bench) -> None:
    """A private action of ours with another salt behind it."""
    ours = ListenerSide(bench)
    await ours.read_header()
    await ours.until(lambda at: at.phase is Phase.PLAY and at.simultaneous and at.seat in at.state.to_act)
    position = ours.position
    assert position.seat is not None
    action = offered(position, position.seat)[0]
    if type(action) not in position.game.private:
        raise Broken("Its game has no private move; hearts with passing is due.")
    record = ours.follower.move(action, bench.chance.randbytes(SALT))
    other = ours.follower.move(action, bench.chance.randbytes(SALT))
    await ours.end.send(MoveMessage(bytes(replace(record, opening=other.opening))))
    await ours.end.hung_up(ByeCode.BROKE_PROTOCOL)


# --- a hand, and the deal ---------------------------------------------------------------------------------------------


async def whole_hand(bench: Bench) -> None:
    """From the header to the second deal: every record can be taken, and our replay finds nothing."""
    ours = ListenerSide(bench)
    await ours.read_header()
    await ours.until(lambda at: at.phase is Phase.CHECKS and at.dealt == 1)
    if ours.position.finding is not Verdict.GOOD:
        raise Broken(f"Its hand is void: {ours.position.finding.sentence}.")
    if ours.position.opened != 1:
        raise Broken("It does not open the hand that is over.")
    await ours.until(lambda at: at.dealt == 2 or at.phase is Phase.CLOSED)


def entries_of(said: list[Message]) -> list[Entry]:
    return [read_record(one.record)[1][0] for one in said if isinstance(one, RecordMessage)]


async def waits_for_our_check(bench: Bench) -> None:
    ours = ListenerSide(bench)
    await ours.read_header()
    if any(isinstance(one, DealEntry) for one in entries_of(await ours.end.answers())):
        raise Broken("It deals before we have checked.")


def check_refused(value: bytes) -> OnBench:
    """A check of hand 0 with this in place of v(1)."""

    async def play(bench: Bench) -> None:
        ours = ListenerSide(bench)
        await ours.read_header()
        (entry,) = read_record(ours.check())[1]
        assert isinstance(entry, CheckEntry)
        await ours.end.send(MoveMessage(ours.signed(replace(entry, value=value))))
        await ours.is_refused(LATE)

    return play


async def last_on_the_roll(bench: Bench) -> None:
    """After a hand our check has no value, and nobody else has a part in the next pack."""
    ours = ListenerSide(bench)
    await ours.read_header()
    await ours.until(lambda at: at.phase is Phase.CHECKS and at.dealt == 1)
    (entry,) = read_record(ours.check())[1]
    assert isinstance(entry, CheckEntry)
    await ours.end.send(MoveMessage(ours.signed(replace(entry, value=b""))))
    await ours.is_refused(LATE)


# --- how far the logs go ----------------------------------------------------------------------------------------------


async def goes_on_after_a_cut(bench: Bench) -> None:
    ours = await at_our_move(bench)
    await ours.end.cut()
    asked = await ours.answer_how_far()
    position = ours.position
    if asked.game_id != position.game_id or (asked.count == position.count and asked.head != position.head):
        raise Broken("Its RESUME is about another game or another history.")
    await ours.send_move()
    await ours.until_taken()


async def log_of_another_history(bench: Bench) -> None:
    ours = await at_our_move(bench)
    await ours.end.cut()
    await ours.answer_how_far(head=bench.chance.randbytes(32))
    await ours.end.hung_up(ByeCode.OTHER_HISTORY)


async def longer_log(bench: Bench) -> None:
    """It was not restored, and we say that we have more than it has."""
    ours = await at_our_move(bench)
    await ours.end.cut()
    await ours.answer_how_far(count=ours.position.count + 5, head=bench.chance.randbytes(32))
    await ours.end.hung_up(ByeCode.OTHER_HISTORY)


async def waits_after_a_restart(bench: Bench) -> None:
    """A move that comes before we have said how far our log goes makes no record."""
    ours = await at_our_move(bench)
    bench.kill()
    bench.start()
    await ours.end.close()
    await ours.greet()
    await ours.end.expect(Resume)
    await ours.send_move()
    if any(isinstance(one, RecordMessage | Taken) for one in await ours.end.answers()):
        raise Broken("It makes a record before we have said how far our log goes.")
