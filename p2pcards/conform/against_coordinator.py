"""What is tried on a coordinator under test: our side is its listener."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from p2pcards.conform.bench import Bench, Broken, NoChannel, OnBench
from p2pcards.conform.following import HELLO, ListenerSide
from p2pcards.ledger.advance import offered_actions
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


async def reach_offer(bench: Bench) -> ListenerSide:
    """Our side, once the coordinator has said HELLO and made an offer."""
    ours = ListenerSide(bench)
    await ours.greet()
    await ours.end.expect(Offer)
    return ours


async def begin_game(bench: Bench) -> ListenerSide:
    """Our side, once the coordinator has sent a valid header."""
    ours = ListenerSide(bench)
    await ours.read_header()
    return ours


def hangs_up_after_hello(data: Message | bytes, *codes: ByeCode) -> OnBench:
    """A case: the coordinator hangs up with one of these codes on this message, once both have said HELLO."""

    async def play(bench: Bench) -> None:
        ours = ListenerSide(bench)
        await ours.greet()
        await ours.end.send(data)
        await ours.end.expect_hang_up(*codes)

    return play


def hangs_up_before_hello(data: Message | bytes, *codes: ByeCode) -> OnBench:
    """A case: the coordinator hangs up with one of these codes on this message in place of our HELLO."""

    async def play(bench: Bench) -> None:
        ours = ListenerSide(bench)
        await ours.wait()
        await ours.end.send(data)
        await ours.end.expect_hang_up(*codes)

    return play


async def says_hello_first(bench: Bench) -> None:
    """A case: the coordinator says HELLO first."""
    await ListenerSide(bench).wait()


async def answers_ping(bench: Bench) -> None:
    """A case: the coordinator answers PING with PONG."""
    ours = await reach_offer(bench)
    for number in (0, 1, 255, 2**32 - 1):
        await ours.end.send(Ping(number))
        while not isinstance(said := await ours.end.receive(), Pong | None):
            pass
        if said != Pong(number):
            raise Broken(f"It does not answer PING {number} with PONG {number}.")


async def answers_words_commitment(bench: Bench) -> None:
    """A case: WORDS_COMMITMENT is answered by WORDS_NONCE."""
    ours = await reach_offer(bench)
    await ours.end.send(WordsCommitment(bench.chance.randbytes(32)))
    await ours.end.expect(WordsNonce)


async def another_key_at_our_address(bench: Bench) -> None:
    """A case: the coordinator refuses another key at the address that it calls again."""
    ours = await reach_offer(bench)
    await ours.end.cut()
    with suppress(NoChannel):  # which refuses them too
        await ours.wait(bench.new_key())
        await ours.end.send(HELLO)
        await ours.end.expect_hang_up()


async def sends_valid_header(bench: Bench) -> None:
    """A case: the coordinator sends a valid header."""
    await begin_game(bench)


# --- moves ------------------------------------------------------------------------------------------------------------


def we_alone_owe_action(position: Position) -> bool:
    """Return whether our side alone owes an open action."""
    return position.phase is Phase.PLAY and position.state.to_act == (position.seat,) and not position.simultaneous


async def play_to_our_move(bench: Bench) -> ListenerSide:
    """Play until we alone owe an open action; returns our side."""
    ours = await begin_game(bench)
    await ours.until(we_alone_owe_action)
    return ours


def make_legal_action(ours: ListenerSide) -> ActionEntry:
    """A legal action of ours, as an entry."""
    position = ours.position
    assert position.seat is not None
    number, fields = encode_action(position.game, offered_actions(position, position.seat)[0])
    return ActionEntry(position.count, position.seat, number, fields)


def move_refused(make: Callable[[ListenerSide], bytes], *codes: RefusalCode) -> OnBench:
    """A case: the coordinator answers this move with REFUSED and keeps the link."""

    async def play(bench: Bench) -> None:
        ours = await play_to_our_move(bench)
        await ours.end.send(MoveMessage(make(ours)))
        await ours.expect_refusal(*codes)

    return play


def move_hangs_up(make: Callable[[ListenerSide], bytes]) -> OnBench:
    """A case: the coordinator hangs up with BYE 5 on this move."""

    async def play(bench: Bench) -> None:
        ours = await play_to_our_move(bench)
        await ours.end.send(MoveMessage(make(ours)))
        await ours.end.expect_hang_up(ByeCode.BROKE_PROTOCOL)

    return play


def move_on_wrong_base(ours: ListenerSide) -> bytes:
    return ours.signed(replace(make_legal_action(ours), base=ours.position.count - 1))


def move_signed_by_stranger(ours: ListenerSide) -> bytes:
    return ours.signed(make_legal_action(ours), by=ours.bench.new_key())


def move_for_another_seat(ours: ListenerSide) -> bytes:
    entry = make_legal_action(ours)
    return ours.signed(replace(entry, seat=(entry.seat + 1) % len(ours.position.header.seats)))


def move_with_trailing_bytes(ours: ListenerSide) -> bytes:
    return ours.signed(make_legal_action(ours)) + b"\1"


def move_of_card_not_held(ours: ListenerSide) -> bytes:
    """A play of a card that we played before or never had, instead of one of ours."""
    entry, position = make_legal_action(ours), ours.position
    held = {int(card) for card in position.state.hands[entry.seat].cards}
    other = next(card for card in position.game.pack(position.state.options) if int(card) not in held)
    return ours.signed(replace(entry, fields=(int(other), *entry.fields[1:])))


async def play_to_simultaneous_move(bench: Bench) -> ListenerSide:
    """Play until we owe an action at the same time as others; returns our side."""
    ours = await begin_game(bench)
    await ours.until(lambda at: at.phase is Phase.PLAY and at.simultaneous and at.seat in at.state.to_act)
    return ours


async def ours_after_theirs(bench: Bench) -> None:
    """A case: where several owe an action, the coordinator logs its own and its computers' before ours."""
    ours = await play_to_simultaneous_move(bench)
    await ours.send_move()
    before = await ours.until_taken()
    theirs = [seat for seat in before.state.to_act if before.signer(seat) == 0]
    if theirs:
        raise Broken(f"It logs our move before those of its own seats {theirs}.")


async def opening_that_does_not_fit(bench: Bench) -> None:
    """A case: the coordinator refuses the opening of a private action with a wrong salt."""
    ours = await play_to_simultaneous_move(bench)
    position = ours.position
    assert position.seat is not None
    action = offered_actions(position, position.seat)[0]
    if type(action) not in position.game.private:
        raise Broken("Its game has no private move; hearts with passing is due.")
    record = ours.follower.move(action, bench.chance.randbytes(SALT))
    other = ours.follower.move(action, bench.chance.randbytes(SALT))
    await ours.end.send(MoveMessage(bytes(replace(record, opening=other.opening))))
    await ours.end.expect_hang_up(ByeCode.BROKE_PROTOCOL)


# --- a hand, and the deal ---------------------------------------------------------------------------------------------


async def plays_whole_hand(bench: Bench) -> None:
    """A case: from the header to the second deal every record is valid, and our replay finds no fault."""
    ours = await begin_game(bench)
    await ours.until(lambda at: at.phase is Phase.CHECKS and at.dealt == 1)
    if ours.position.finding is not Verdict.GOOD:
        raise Broken(f"Its hand is void: {ours.position.finding.sentence}.")
    if ours.position.opened != 1:
        raise Broken("It does not open the hand that is over.")
    await ours.until(lambda at: at.dealt == 2 or at.phase is Phase.CLOSED)


def entries_of(said: list[Message]) -> list[Entry]:
    return [read_record(one.record)[1][0] for one in said if isinstance(one, RecordMessage)]


async def waits_for_our_check(bench: Bench) -> None:
    """A case: the coordinator doesn't deal before our check."""
    ours = await begin_game(bench)
    if any(isinstance(one, DealEntry) for one in entries_of(await ours.end.answers())):
        raise Broken("It deals before we have checked.")


async def expect_check_refused(ours: ListenerSide, value: bytes) -> None:
    """Send our check with this value, and see it refused."""
    (entry,) = read_record(ours.check())[1]
    assert isinstance(entry, CheckEntry)
    await ours.end.send(MoveMessage(ours.signed(replace(entry, value=value))))
    await ours.expect_refusal(LATE)


def refuses_check_value(value: bytes) -> OnBench:
    """A case: the coordinator refuses a check of hand 0 with this value in place of v(1)."""

    async def play(bench: Bench) -> None:
        await expect_check_refused(await begin_game(bench), value)

    return play


async def last_on_the_roll(bench: Bench) -> None:
    """A case: the coordinator refuses a check without a value from the only side left on the roll."""
    ours = await begin_game(bench)
    await ours.until(lambda at: at.phase is Phase.CHECKS and at.dealt == 1)
    await expect_check_refused(ours, b"")


# --- how far the logs go ----------------------------------------------------------------------------------------------


async def goes_on_after_a_cut(bench: Bench) -> None:
    """A case: the coordinator continues the game after the link was cut."""
    ours = await play_to_our_move(bench)
    await ours.end.cut()
    asked = await ours.answer_how_far()
    position = ours.position
    if asked.game_id != position.game_id or (asked.count == position.count and asked.head != position.head):
        raise Broken("Its RESUME is about another game or another history.")
    await ours.send_move()
    await ours.until_taken()


async def log_of_another_history(bench: Bench) -> None:
    """A case: the coordinator refuses our claim of a log with another history."""
    ours = await play_to_our_move(bench)
    await ours.end.cut()
    await ours.answer_how_far(head=bench.chance.randbytes(32))
    await ours.end.expect_hang_up(ByeCode.OTHER_HISTORY)


async def longer_log(bench: Bench) -> None:
    """A case: the coordinator refuses our claim of a longer log than its own."""
    ours = await play_to_our_move(bench)
    await ours.end.cut()
    await ours.answer_how_far(count=ours.position.count + 5, head=bench.chance.randbytes(32))
    await ours.end.expect_hang_up(ByeCode.OTHER_HISTORY)


async def waits_after_a_restart(bench: Bench) -> None:
    """A case: a restarted coordinator ignores a move that comes before our answer to RESUME."""
    ours = await play_to_our_move(bench)
    bench.kill()
    bench.start()
    await ours.end.close()
    await ours.greet()
    await ours.end.expect(Resume)
    await ours.send_move()
    if any(isinstance(one, RecordMessage | Taken) for one in await ours.end.answers()):
        raise Broken("It makes a record before we have said how far our log goes.")
