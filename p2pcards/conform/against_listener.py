"""What is tried on a listener under test: our side is its coordinator."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

from p2pcards.cards.card import Card
from p2pcards.conform.bench import Bench, Broken, OnBench, named
from p2pcards.conform.coordinating import HELLO, NOTHING, CoordinatorSide
from p2pcards.conform.game import THEM, OurGame
from p2pcards.games.crazy_eights.rules import Play
from p2pcards.games.game import Stage
from p2pcards.games.outcome import NO_OUTCOME
from p2pcards.ledger.advance import offered
from p2pcards.ledger.fair import chain_value
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import LedgerWriter, Logged
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import (
    Bye,
    GiveCode,
    Message,
    MoveMessage,
    Ping,
    Pong,
    RecordMessage,
    RefusedMove,
    Resume,
    Taken,
    WordsCommitment,
    WordsNonce,
)
from p2pcards.wire.packing import encode_action, pack
from p2pcards.wire.reasons import ByeCode, CloseReason, RefusalCode, TakeoverReason, Verdict
from p2pcards.wire.records import (
    ENTRY_LABEL,
    FACES_LABEL,
    HEADER_LABEL,
    ActionEntry,
    DealEntry,
    Entry,
    Frame,
    Header,
    Move,
    OpeningEntry,
    OutcomeEntry,
    Record,
    TakeoverEntry,
    decode_faces,
    encode_entry,
    encode_faces,
    encode_header,
    next_head,
    read_record,
    sign,
)

EMPTY = OutcomeEntry(NO_OUTCOME)
GENERATOR = bytes.fromhex("5866666666666666666666666666666666666666666666666666666666666666")
"""The base point of edwards25519: a share that is well formed."""

BY_LOSS = (THEM, TakeoverReason.LINE_LOST)


@asynccontextmanager
async def table(bench: Bench, **how: Any) -> AsyncIterator[CoordinatorSide]:
    """A coordinator of ours for one case. What it began is over when it ends."""
    host = CoordinatorSide(bench, **how)
    try:
        yield host
    finally:
        with suppress(Broken):
            await host.leave()


# --- where a case begins ----------------------------------------------------------------------------------------------


async def at_checks(host: CoordinatorSide) -> None:
    """It has signed the check of hand 0."""
    await host.begin()
    await host.take_check()


def our_turn(position: Position) -> bool:
    state = position.state
    return position.phase is Phase.PLAY and state.stage == Stage.PLAY and state.to_act == (0,)


def their_turn(position: Position) -> bool:
    state = position.state
    return position.phase is Phase.PLAY and state.stage == Stage.PLAY and THEM in state.to_act


def after_a_hand(position: Position) -> bool:
    return position.phase is Phase.CHECKS and position.dealt == 1


async def at_our_turn(host: CoordinatorSide) -> None:
    await host.begin()
    await host.until(our_turn)


async def at_their_turn(host: CoordinatorSide) -> None:
    await host.begin()
    await host.until(their_turn)


async def paused(host: CoordinatorSide) -> None:
    """Nobody is here, as the coordinator has asked to be played for."""
    await at_our_turn(host)
    await host.tell(host.writer.takeover(0, TakeoverReason.ASKED_FOR))
    await host.tell(host.writer.pause())


async def between_hands(host: CoordinatorSide) -> None:
    await host.begin()
    await host.until(after_a_hand)


# --- records that no listener may take --------------------------------------------------------------------------------


def not_taken(
    at: Callable[[CoordinatorSide], Awaitable[None]], make: Callable[[CoordinatorSide], Record | bytes], **how: Any
) -> OnBench:
    """In this position the listener is sent a record that has to be refused."""

    async def play(bench: Bench) -> None:
        async with table(bench, **how) as host:
            await at(host)
            await host.refused(make(host))

    return play


def body(*values: Any) -> Callable[[OurGame], Record]:
    """A record with this body, well signed; None stands for its base."""

    def make(host: OurGame) -> Record:
        data = pack([host.position.count if value is None else value for value in values])
        return Record((sign(host.key, ENTRY_LABEL, host.position.head, data),))

    return make


def long_number(host: OurGame) -> Record:
    """A TAKEOVER whose base takes three bytes where one would do."""
    data = b"\x94\x04\xcd" + host.position.count.to_bytes(2, "big") + b"\x01\x01"
    return Record((sign(host.key, ENTRY_LABEL, host.position.head, data),))


def ours(kind: Callable[..., Entry], *fields: Any) -> Callable[[OurGame], Record]:
    """An entry of ours on the end of the log, with these fields behind its base."""
    return lambda host: host.signed(kind(host.position.count, *fields))


def takeover(host: OurGame, before: int = 0) -> TakeoverEntry:
    """before: so many records before the end of the log is its base."""
    return TakeoverEntry(host.position.count - before, *BY_LOSS)


def by_a_stranger(host: OurGame) -> Record:
    return host.signed(takeover(host), by=host.new_key())


def over_another_head(host: OurGame) -> Record:
    return host.signed(takeover(host), head=host.writer.head_at(0))


def too_big_s(host: OurGame) -> Record:
    """The same signature with the order of the group added to s."""
    (frame,) = host.signed(takeover(host)).frames
    order = 2**252 + 27742317777372353535851937790883648493
    s = int.from_bytes(frame.signature[32:], "little") + order
    return Record((replace(frame, signature=frame.signature[:32] + s.to_bytes(32, "little")),))


def played_for_them(host: OurGame) -> Record:
    """A move of a seat that nobody has taken over, good but for our signature."""
    position = host.position
    action = sorted(offered(position, THEM), key=lambda action: not isinstance(action, Play))[0]
    number, fields = encode_action(position.game, action)
    return host.signed(ActionEntry(position.count, THEM, number, fields))


def our_play(host: OurGame, card: Card) -> ActionEntry:
    number, fields = encode_action(host.position.game, Play(card))
    return ActionEntry(host.position.count, 0, number, fields)


def their_card(host: OurGame) -> Record:
    """A play of ours with a card that they hold, and so know us not to."""
    return host.signed(our_play(host, host.position.state.hands[THEM].cards[0]))


def no_card_of_the_pack(host: OurGame) -> Record:
    return host.signed(our_play(host, Card.of(9, 0, copy=1)))


def empty_outcome(host: OurGame) -> Record:
    position = host.position
    logged = host.writer.move(0, offered(position, 0)[0])
    host.writer.log.pop()
    frame = logged.record.frames[0]
    return Record((frame, sign(host.key, ENTRY_LABEL, next_head(position.head, frame), encode_entry(EMPTY))))


def without_faces(host: OurGame) -> Record:
    logged = host.writer.deal()
    host.writer.log.pop()
    return logged.public


def early_deal(*absent: int) -> Callable[[OurGame], Record]:
    """What the deal would be if everybody had checked, put on the end of a log in which somebody has not."""

    def make(host: OurGame) -> Record:
        writer, position = host.writer, host.position
        ahead = LedgerWriter(host.key, writer.frame, position)
        ahead.add_sent(*read_record(bytes(host.check_of(host.made_up[0]))))
        logged = ahead.deal()
        entry = logged.entries[0]
        faces = logged.faces[THEM]
        assert isinstance(entry, DealEntry) and faces is not None
        (frame,) = host.signed(replace(entry, base=position.count, absent=absent)).frames
        context = next_head(position.head, frame) + bytes((THEM,))
        return Record((frame,), sign(host.key, FACES_LABEL, context, faces.body))

    return make


def others_check(value: bytes | None = None) -> Callable[[OurGame], Record]:
    return lambda host: host.check_of(host.made_up[0], value=value)


async def with_two_who_drop_out(host: CoordinatorSide) -> None:
    """After a hand both others check without a value, and each time the phase opens anew."""
    await between_hands(host)
    for one in host.made_up:
        await host.take_check()
        await host.tell(host.writer.add_sent(*read_record(bytes(host.check_of(one, value=b"")))))
    await host.take_check()


async def with_one_who_has_checked(host: CoordinatorSide) -> None:
    await between_hands(host)
    await host.check_all()


async def after_the_end(host: CoordinatorSide) -> None:
    await at_our_turn(host)
    await host.tell(host.writer.open_hand())
    await host.take_check()
    await host.tell(host.writer.close(CloseReason.ENDED))


# --- messages ---------------------------------------------------------------------------------------------------------


def hangs_up(data: Message | bytes, *codes: ByeCode) -> OnBench:
    """On this message, once both have said HELLO; and afterwards a new link is good."""

    async def play(bench: Bench) -> None:
        async with table(bench) as host:
            await host.greet()
            await host.end.send(data)
            await host.end.hung_up(*codes)
            await host.greet()
            await host.offer()

    return play


def hangs_up_first(data: Message | bytes, *codes: ByeCode) -> OnBench:
    """On this message in place of HELLO; its own HELLO may have come before that."""

    async def play(bench: Bench) -> None:
        end = await bench.meet(bench.new_key())
        await end.send(data)
        await end.hung_up(*codes)

    return play


async def one_bye(bench: Bench) -> None:
    """Somebody with a code that nobody has given gets that and nothing else, whatever they send."""
    end = await bench.meet(bench.new_key())
    await end.send(GiveCode(7, GENERATOR), HELLO)
    said = await end.answers()
    if others := [one for one in said if not isinstance(one, Bye)]:
        raise Broken(f"It sends {named(type(others[0]))}, too.")
    if len(said) > 1:
        raise Broken("It says BYE more than once.")
    await end.hung_up()


async def says_nothing_first(bench: Bench) -> None:
    """On a link on which we are silent, by the time that it has answered on a later one."""
    silent = await bench.meet(bench.new_key())
    async with table(bench) as host:
        await host.greet()
        await host.end.answers()
        if (said := await silent.come()) is not None:
            raise Broken(f"It sends {named(type(said))} before we have sent anything.")
    await silent.close()


async def pong(bench: Bench) -> None:
    async with table(bench) as host:
        await host.greet()
        for number in (0, 1, 255, 2**32 - 1):
            await host.end.send(Ping(number))
            said = await host.end.receive()
            if said != Pong(number):
                raise Broken(f"It does not answer PING {number} with PONG {number}.")


async def words(bench: Bench) -> None:
    async with table(bench) as host:
        await host.greet()
        await host.end.send(WordsCommitment(bench.chance.randbytes(32)))
        await host.end.expect(WordsNonce)


# --- the beginning ----------------------------------------------------------------------------------------------------


async def same_end(bench: Bench) -> None:
    async with table(bench) as host:
        await host.greet()
        first = await host.offer()
        if (await host.offer()).end != first.end:
            raise Broken("Its second STAKE gives another end.")


async def same_end_on_another_link(bench: Bench) -> None:
    async with table(bench) as host:
        await host.greet()
        first = await host.offer()
        await host.end.cut()
        await host.greet()
        if (await host.offer()).end != first.end:
            raise Broken("Its STAKE on another link gives another end.")


def takes_header(**how: Any) -> OnBench:
    """It signs the check of hand 0 of an honest header."""

    async def play(bench: Bench) -> None:
        async with table(bench, **how) as host:
            await at_checks(host)

    return play


def no_header(change: Callable[[CoordinatorSide, Header], Frame], *, whole: bool = False) -> OnBench:
    """It does not take this header. whole: it travels with nothing left out."""

    async def play(bench: Bench) -> None:
        async with table(bench) as host:
            await host.greet()
            await host.offer()
            await host.send_header(change(host, host.header()), whole=whole)
            if any(isinstance(one, MoveMessage) for one in await host.end.answers()):
                raise Broken("It takes the header: it has signed a check.")

    return play


def changed_header(**changes: Any) -> Callable[[CoordinatorSide, Header], Frame]:
    return lambda host, header: host.sign_header(replace(header, **changes))


def of_another(host: CoordinatorSide, header: Header) -> Frame:
    """Whole, well signed by another identity, which is its side 0."""
    key = host.new_key()
    first = replace(header.sides[0], key=public_bytes(key))
    return sign(key, HEADER_LABEL, b"", encode_header(replace(header, sides=(first, *header.sides[1:]))))


def another_end(host: CoordinatorSide, header: Header) -> Frame:
    them = replace(header.sides[THEM], end=chain_value(host.seed, 1))
    return host.sign_header(replace(header, sides=(header.sides[0], them)))


def not_listed(host: CoordinatorSide, header: Header) -> Frame:
    them = replace(header.sides[THEM], key=public_bytes(host.new_key()))
    return host.sign_header(replace(header, sides=(header.sides[0], them)))


def badly_signed(host: CoordinatorSide, header: Header) -> Frame:
    return sign(host.new_key(), HEADER_LABEL, b"", encode_header(header))


async def another_game_over_one(bench: Bench) -> None:
    async with table(bench) as host:
        await at_our_turn(host)
        await host.offer()
        await host.send_header(host.sign_header(host.header()))
        if any(isinstance(one, MoveMessage) for one in await host.end.answers()):
            raise Broken("It takes the header of another game though this one is not over.")
        if host.end.goodbye and host.end.goodbye.code is not ByeCode.ASKS_PLAYER:
            raise Broken(f"It says BYE {int(host.end.goodbye.code)}; 18 is due.")


async def another_game_that_names_it(bench: Bench) -> None:
    async with table(bench) as host:
        await at_our_turn(host)
        await host.begin(previous=host.position.head)
        await host.take_check()


# --- a game -----------------------------------------------------------------------------------------------------------


def whole_hand(**how: Any) -> OnBench:
    """A hand from the header to the checks behind it: every move is good, and the verdict."""

    async def play(bench: Bench) -> None:
        async with table(bench, **how) as host:
            await between_hands(host)
            check = await host.take_check()
            if check.verdict is not Verdict.GOOD:
                raise Broken(f"Its verdict on an honest hand is {int(check.verdict)}.")
            await host.check_others()
            await host.tell(host.writer.deal())
            await host.end.answers()
            found = await host.ask_how_far()
            if found.head != host.position.head:
                raise Broken("It does not put its own check before the next deal.")

    return play


async def one_move_on_a_base(bench: Bench) -> None:
    async with table(bench, game="hearts") as host:  # passes have a salt, so that no two of them are the same by chance
        await at_their_turn(host)
        first = await host.end.expect(MoveMessage)
        entry = read_record(first.record)[1][0]
        assert isinstance(entry, Move)
        for code in RefusalCode:
            await host.end.send(RefusedMove(entry.base, code, "It is not taken."))
            for one in await host.end.answers():
                if isinstance(one, MoveMessage) and one.record != first.record:
                    raise Broken("It signs another move on the same base.")


async def same_move_after_power_failure(bench: Bench) -> None:
    """Whatever it has sent it has on disk: it sends the same again, or nothing."""
    async with table(bench, game="hearts") as host:
        await at_their_turn(host)
        first = await host.end.expect(MoveMessage)
        bench.kill()
        bench.start()
        await host.end.close()
        await host.greet()
        position = host.position
        await host.end.send(Resume(position.game_id, position.count, position.head))
        said = await host.end.answers()
        if not any(isinstance(one, Resume) and one.head == position.head for one in said):
            raise Broken("Its log is not what it was before the power failure.")
        if any(isinstance(one, MoveMessage) and one.record != first.record for one in said):
            raise Broken("It signs another move on the same base.")


async def false_answer(bench: Bench) -> None:
    """TAKEN with the beginning of another head; behind a pass nothing is shown."""
    async with table(bench, game="hearts") as host:
        await at_their_turn(host)
        await host.end.expect(MoveMessage)
        await host.end.send(Taken(host.position.count, bytes(4), b""))
        said = await host.end.answers()
        if not any(isinstance(one, Resume) and one.count == host.position.count for one in said):
            raise Broken("It does not answer with RESUME.")


def out_of_order(ahead: int) -> OnBench:
    async def play(bench: Bench) -> None:
        async with table(bench) as host:
            await at_our_turn(host)
            logged = host.writer.log[-1]
            await host.end.send(RecordMessage(host.position.count + ahead, bytes(logged.for_side(THEM))))
            said = await host.end.answers()
            if host.end.over:
                raise Broken("It hangs up.")
            asks = [one for one in said if isinstance(one, Resume)]
            if ahead > 0 and [one.count for one in asks] != [host.position.count]:
                raise Broken("It does not answer with a RESUME that has the count of its log.")
            if ahead < 0 and asks:
                raise Broken("It asks again for a record that it has.")
            await host.refused()

    return play


async def how_far(bench: Bench) -> None:
    async with table(bench) as host:
        await at_our_turn(host)
        for _ in range(2):
            found, position = await host.ask_how_far(), host.position
            if (found.count, found.head) != (position.count, position.head):
                raise Broken(f"Its log has {found.count} records and another head; {position.count} were sent.")
            await host.end.cut()


async def how_far_of_one_that_is_over(bench: Bench) -> None:
    async with table(bench) as host:
        await after_the_end(host)
        found = await host.ask_how_far()
        if (found.count, found.head) != (host.position.count, host.position.head):
            raise Broken(f"Its log has {found.count} records and another head; {host.position.count} were sent.")


async def how_far_of_another(bench: Bench) -> None:
    async with table(bench) as host:
        await host.greet()
        game = bench.chance.randbytes(16)
        await host.end.send(Resume(game, 7, bench.chance.randbytes(32)))
        found = await host.end.expect(Resume)
        if found != Resume(game, 0, NOTHING):
            raise Broken("It does not say that it has nothing of this game.")


async def keeps_nothing_of_a_game_that_never_was(bench: Bench) -> None:
    """It is told of a game with its key that has not come to a deal."""
    async with table(bench) as host:
        await host.greet()
        await host.offer()
        header = host.header()
        them = replace(header.sides[THEM], end=chain_value(host.seed, 1))
        header = replace(header, sides=(header.sides[0], them))
        frame = host.sign_header(header)
        await host.end.close()
        host.open_game(frame, header)
        await host.greet()
        position = host.position
        await host.end.send(Resume(position.game_id, 0, position.head))
        await host.end.expect(Resume)
        await host.send_header(frame, whole=True)
        await host.end.answers()
        await host.end.close()
        await host.greet()
        await host.end.send(Resume(position.game_id, 0, position.head))
        if (await host.end.expect(Resume)).head != NOTHING:
            raise Broken("It keeps the header of a game in which it has signed nothing.")


async def called_absent(bench: Bench) -> None:
    async with table(bench, others=1) as host:
        await between_hands(host)
        await host.end.expect(MoveMessage)  # its check, which we do not log
        await host.tell(host.writer.absent(THEM))
        said = await host.end.answers()
        if any(isinstance(one, MoveMessage) for one in said):
            raise Broken("It plays on.")
        if host.end.goodbye is None or host.end.goodbye.code is not ByeCode.ASKS_PLAYER:
            raise Broken("It does not say BYE 18.")


# --- the fair deal ----------------------------------------------------------------------------------------------------


async def finds_verdict(host: CoordinatorSide, opening: Record, verdict: Verdict) -> None:
    """It replays the opened hand, and signs what is wrong with it."""
    await host.end.send(host.writer.restore(bytes(opening)).message_for(THEM))
    check = await host.take_check()
    if check.verdict is not verdict:
        raise Broken(f"Its verdict is {int(check.verdict)}; {int(verdict)} is due, as {verdict.sentence}.")


def opening_of(game: OurGame) -> OpeningEntry:
    logged = game.writer.open_hand()
    game.writer.log.pop()
    (entry,) = logged.entries
    assert isinstance(entry, OpeningEntry)
    return entry


def false_deal(game: OurGame) -> tuple[Logged, Record]:
    """The next deal, in the log, and its record for side THEM, in which one of their cards is truly ours."""
    before = game.position
    logged = game.writer.deal()
    faces = logged.faces[THEM]
    assert faces is not None
    cards = (game.position.state.hands[0].cards[0], *decode_faces(faces.body)[1:])
    head = next_head(before.head, logged.record.frames[0])
    frame = sign(game.key, FACES_LABEL, head + bytes((THEM,)), encode_faces(cards))
    return logged, replace(logged.for_side(THEM), faces=frame)


async def another_card_than_dealt(bench: Bench) -> None:
    async with table(bench) as host:
        await host.begin()
        await host.check_all()
        logged, record = false_deal(host)
        await host.end.send(RecordMessage(logged.number, bytes(record)))
        await finds_verdict(host, host.signed(opening_of(host)), Verdict.WRONG_EVENT)


async def another_value(bench: Bench) -> None:
    async with table(bench) as host:
        await at_our_turn(host)
        entry = replace(opening_of(host), value=chain_value(host.seed, 2))
        await finds_verdict(host, host.signed(entry), Verdict.WRONG_VALUE)


async def another_salt(bench: Bench) -> None:
    """A pass of ours is opened with a salt that does not fit."""
    async with table(bench, game="hearts") as host:
        await at_our_turn_in_hearts(host)
        entry = opening_of(host)
        first = replace(entry.openings[0], salt=bytes(10))
        await finds_verdict(
            host, host.signed(replace(entry, openings=(first, *entry.openings[1:]))), Verdict.WRONG_OPENING
        )


async def at_our_turn_in_hearts(host: CoordinatorSide) -> None:
    """All have passed, and the log stands still."""
    await host.begin()
    passed = len(host.position.header.seats)
    await host.until(lambda at: len([step for step in at.steps if step.commitment]) == passed)
    while their_turn(host.position):
        await host.step()


async def values_of_its_chain(bench: Bench) -> None:
    async with table(bench) as host:
        await host.begin()
        for hand in range(2):
            check = await host.take_check()
            if len(check.value) != len(host.stake.end):
                raise Broken(f"Its check of hand {hand} has no value.")
            if hand == 0:
                await host.tell(host.writer.deal())
                await host.until(after_a_hand)
