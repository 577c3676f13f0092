"""What is tried on a listener under test: our side is its coordinator."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

from p2pcards.cards.card import Card
from p2pcards.conform.bench import Bench, Broken, OnBench, message_names
from p2pcards.conform.coordinating import HELLO, NOTHING, CoordinatorSide
from p2pcards.conform.game import THEM, OurGame
from p2pcards.games.crazy_eights.rules import Play
from p2pcards.games.game import Stage
from p2pcards.games.outcome import NO_OUTCOME
from p2pcards.ledger.advance import offered_actions
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
async def open_table(bench: Bench, **how: Any) -> AsyncIterator[CoordinatorSide]:
    """Give a coordinator of ours for one case; its game is ended afterwards."""
    host = CoordinatorSide(bench, **how)
    try:
        yield host
    finally:
        with suppress(Broken):
            await host.leave()


# --- where a case begins ----------------------------------------------------------------------------------------------


async def play_to_checks(host: CoordinatorSide) -> None:
    """Play until the listener has signed the check of hand 0."""
    await host.begin()
    await host.take_check()


def is_our_turn(position: Position) -> bool:
    state = position.state
    return position.phase is Phase.PLAY and state.stage == Stage.PLAY and state.to_act == (0,)


def is_their_turn(position: Position) -> bool:
    state = position.state
    return position.phase is Phase.PLAY and state.stage == Stage.PLAY and THEM in state.to_act


def is_hand_over(position: Position) -> bool:
    return position.phase is Phase.CHECKS and position.dealt == 1


async def play_to_our_turn(host: CoordinatorSide) -> None:
    await host.begin()
    await host.until(is_our_turn)


async def play_to_their_turn(host: CoordinatorSide) -> None:
    await host.begin()
    await host.until(is_their_turn)


async def pause_game(host: CoordinatorSide) -> None:
    """Pause the game: nobody is present, as the coordinator has a takeover of its own seat."""
    await play_to_our_turn(host)
    await host.tell(host.writer.takeover(0, TakeoverReason.ASKED_FOR))
    await host.tell(host.writer.pause())


async def play_to_end_of_hand(host: CoordinatorSide) -> None:
    await host.begin()
    await host.until(is_hand_over)


# --- records that no listener may take --------------------------------------------------------------------------------


def refuses_record(
    at: Callable[[CoordinatorSide], Awaitable[None]], make: Callable[[CoordinatorSide], Record | bytes], **how: Any
) -> OnBench:
    """A case: at this point of the game the listener refuses the record that `make` builds."""

    async def play(bench: Bench) -> None:
        async with open_table(bench, **how) as host:
            await at(host)
            await host.expect_refusal(make(host))

    return play


def refuses_on_our_turn(make: Callable[[CoordinatorSide], Record | bytes]) -> OnBench:
    """A case: the listener refuses the record that `make` builds when the move is ours."""
    return refuses_record(play_to_our_turn, make)


def refuses_at_checks(make: Callable[[CoordinatorSide], Record | bytes], others: int = 1) -> OnBench:
    """A case: the listener refuses the record that `make` builds when it has checked, and others have not."""
    return refuses_record(play_to_checks, make, others=others)


def make_record_of(*values: Any) -> Callable[[OurGame], Record]:
    """A maker of a well-signed record with this body; None stands for its base."""

    def make(host: OurGame) -> Record:
        data = pack([host.position.count if value is None else value for value in values])
        return Record((sign(host.key, ENTRY_LABEL, host.position.head, data),))

    return make


def overlong_number_record(host: OurGame) -> Record:
    """A TAKEOVER whose base takes three bytes where one would do."""
    data = b"\x94\x04\xcd" + host.position.count.to_bytes(2, "big") + b"\x01\x01"
    return Record((sign(host.key, ENTRY_LABEL, host.position.head, data),))


def make_entry(kind: Callable[..., Entry], *fields: Any) -> Callable[[OurGame], Record]:
    """A maker of an entry of ours at the end of the log, with these fields after its base."""
    return lambda host: host.signed(kind(host.position.count, *fields))


def make_takeover(host: OurGame, before: int = 0) -> TakeoverEntry:
    """A takeover entry whose base is so many records before the end of the log."""
    return TakeoverEntry(host.position.count - before, *BY_LOSS)


def record_signed_by_stranger(host: OurGame) -> Record:
    return host.signed(make_takeover(host), by=host.new_key())


def record_over_wrong_head(host: OurGame) -> Record:
    return host.signed(make_takeover(host), head=host.writer.head_at(0))


def record_with_large_s(host: OurGame) -> Record:
    """A valid signature with the order of the group added to s."""
    (frame,) = host.signed(make_takeover(host)).frames
    order = 2**252 + 27742317777372353535851937790883648493
    s = int.from_bytes(frame.signature[32:], "little") + order
    return Record((replace(frame, signature=frame.signature[:32] + s.to_bytes(32, "little")),))


def move_for_their_seat(host: OurGame) -> Record:
    """A legal move for a seat that isn't taken over, with our signature."""
    position = host.position
    action = sorted(offered_actions(position, THEM), key=lambda action: not isinstance(action, Play))[0]
    number, fields = encode_action(position.game, action)
    return host.signed(ActionEntry(position.count, THEM, number, fields))


def make_play(host: OurGame, card: Card) -> ActionEntry:
    number, fields = encode_action(host.position.game, Play(card))
    return ActionEntry(host.position.count, 0, number, fields)


def play_of_their_card(host: OurGame) -> Record:
    """A play of ours with a card that the listener holds, so it knows that we don't."""
    return host.signed(make_play(host, host.position.state.hands[THEM].cards[0]))


def play_of_unknown_card(host: OurGame) -> Record:
    return host.signed(make_play(host, Card.of(9, 0, copy=1)))


def record_with_empty_outcome(host: OurGame) -> Record:
    position = host.position
    logged = host.writer.move(0, offered_actions(position, 0)[0])
    host.writer.log.pop()
    frame = logged.record.frames[0]
    return Record((frame, sign(host.key, ENTRY_LABEL, next_head(position.head, frame), encode_entry(EMPTY))))


def deal_without_faces(host: OurGame) -> Record:
    logged = host.writer.deal()
    host.writer.log.pop()
    return logged.public


def deal_before_checks(*absent: int) -> Callable[[OurGame], Record]:
    """A maker of the deal that would follow all checks, put on a log where these sides' checks are absent."""

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


def check_of_other_side(value: bytes | None = None) -> Callable[[OurGame], Record]:
    return lambda host: host.check_of(host.made_up[0], value=value)


async def play_with_two_dropouts(host: CoordinatorSide) -> None:
    """Play a hand, after which both others check without a value, so the phase begins again each time."""
    await play_to_end_of_hand(host)
    for one in host.made_up:
        await host.take_check()
        await host.tell(host.writer.add_sent(*read_record(bytes(host.check_of(one, value=b"")))))
    await host.take_check()


async def play_to_one_check(host: CoordinatorSide) -> None:
    await play_to_end_of_hand(host)
    await host.check_all()


async def play_past_end(host: CoordinatorSide) -> None:
    await play_to_our_turn(host)
    await host.tell(host.writer.open_hand())
    await host.take_check()
    await host.tell(host.writer.close(CloseReason.ENDED))


# --- messages ---------------------------------------------------------------------------------------------------------


def hangs_up_after_hello(data: Message | bytes, *codes: ByeCode) -> OnBench:
    """A case: the listener hangs up with one of these codes on this message, once both have said HELLO; afterwards it
    takes a new link."""

    async def play(bench: Bench) -> None:
        async with open_table(bench) as host:
            await host.greet()
            await host.end.send(data)
            await host.end.expect_hang_up(*codes)
            await host.greet()
            await host.offer()

    return play


def hangs_up_before_hello(data: Message | bytes, *codes: ByeCode) -> OnBench:
    """A case: the listener hangs up with one of these codes on this message in place of HELLO; its own HELLO may have
    come before."""

    async def play(bench: Bench) -> None:
        end = await bench.meet(bench.new_key())
        await end.send(data)
        await end.expect_hang_up(*codes)

    return play


async def gives_one_bye(bench: Bench) -> None:
    """A case: a caller with a wrong code gets one BYE and nothing else, whatever they send."""
    end = await bench.meet(bench.new_key())
    await end.send(GiveCode(7, GENERATOR), HELLO)
    said = await end.answers()
    if others := [one for one in said if not isinstance(one, Bye)]:
        raise Broken(f"It sends {message_names(type(others[0]))}, too.")
    if len(said) > 1:
        raise Broken("It says BYE more than once.")
    await end.expect_hang_up()


async def says_nothing_first(bench: Bench) -> None:
    """A case: the listener sends nothing on a link on which we are silent, while it answers on a later one."""
    silent = await bench.meet(bench.new_key())
    async with open_table(bench) as host:
        await host.greet()
        await host.end.answers()
        if (said := await silent.come()) is not None:
            raise Broken(f"It sends {message_names(type(said))} before we have sent anything.")
    await silent.close()


async def answers_ping(bench: Bench) -> None:
    """A case: the listener answers PING with PONG."""
    async with open_table(bench) as host:
        await host.greet()
        for number in (0, 1, 255, 2**32 - 1):
            await host.end.send(Ping(number))
            said = await host.end.receive()
            if said != Pong(number):
                raise Broken(f"It does not answer PING {number} with PONG {number}.")


async def answers_words_commitment(bench: Bench) -> None:
    """A case: WORDS_COMMITMENT is answered by WORDS_NONCE."""
    async with open_table(bench) as host:
        await host.greet()
        await host.end.send(WordsCommitment(bench.chance.randbytes(32)))
        await host.end.expect(WordsNonce)


# --- the beginning ----------------------------------------------------------------------------------------------------


async def keeps_end(bench: Bench) -> None:
    """A case: the second STAKE of the listener has the same end as the first."""
    async with open_table(bench) as host:
        await host.greet()
        first = await host.offer()
        if (await host.offer()).end != first.end:
            raise Broken("Its second STAKE gives another end.")


async def same_end_on_another_link(bench: Bench) -> None:
    async with open_table(bench) as host:
        await host.greet()
        first = await host.offer()
        await host.end.cut()
        await host.greet()
        if (await host.offer()).end != first.end:
            raise Broken("Its STAKE on another link gives another end.")


def accepts_header(**how: Any) -> OnBench:
    """A case: the listener signs the check of hand 0 for an honest header."""

    async def play(bench: Bench) -> None:
        async with open_table(bench, **how) as host:
            await play_to_checks(host)

    return play


def refuses_header(change: Callable[[CoordinatorSide, Header], Frame], *, whole: bool = False) -> OnBench:
    """A case: the listener doesn't accept this header. whole: it is sent with nothing left out."""

    async def play(bench: Bench) -> None:
        async with open_table(bench) as host:
            await host.greet()
            await host.offer()
            await host.send_header(change(host, host.header()), whole=whole)
            if any(isinstance(one, MoveMessage) for one in await host.end.answers()):
                raise Broken("It takes the header: it has signed a check.")

    return play


def header_changer(**changes: Any) -> Callable[[CoordinatorSide, Header], Frame]:
    return lambda host, header: host.sign_header(replace(header, **changes))


def header_of_another_coordinator(host: CoordinatorSide, header: Header) -> Frame:
    """A complete header, well signed by another identity, which is its side 0."""
    key = host.new_key()
    first = replace(header.sides[0], key=public_bytes(key))
    return sign(key, HEADER_LABEL, b"", encode_header(replace(header, sides=(first, *header.sides[1:]))))


def header_with_another_end(host: CoordinatorSide, header: Header) -> Frame:
    them = replace(header.sides[THEM], end=chain_value(host.seed, 1))
    return host.sign_header(replace(header, sides=(header.sides[0], them)))


def header_without_listener(host: CoordinatorSide, header: Header) -> Frame:
    them = replace(header.sides[THEM], key=public_bytes(host.new_key()))
    return host.sign_header(replace(header, sides=(header.sides[0], them)))


def header_badly_signed(host: CoordinatorSide, header: Header) -> Frame:
    return sign(host.new_key(), HEADER_LABEL, b"", encode_header(header))


async def another_game_over_one(bench: Bench) -> None:
    async with open_table(bench) as host:
        await play_to_our_turn(host)
        await host.offer()
        await host.send_header(host.sign_header(host.header()))
        if any(isinstance(one, MoveMessage) for one in await host.end.answers()):
            raise Broken("It takes the header of another game though this one is not over.")
        if host.end.goodbye and host.end.goodbye.code is not ByeCode.ASKS_PLAYER:
            raise Broken(f"It says BYE {int(host.end.goodbye.code)}; 18 is due.")


async def another_game_that_names_it(bench: Bench) -> None:
    async with open_table(bench) as host:
        await play_to_our_turn(host)
        await host.begin(previous=host.position.head)
        await host.take_check()


# --- a game -----------------------------------------------------------------------------------------------------------


def plays_whole_hand(**how: Any) -> OnBench:
    """A case: from the header to the checks after a hand, the listener's moves and its verdict are valid."""

    async def play(bench: Bench) -> None:
        async with open_table(bench, **how) as host:
            await play_to_end_of_hand(host)
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
    """A case: the listener never signs two moves on one base."""
    async with open_table(
        bench, game="hearts"
    ) as host:  # passes have a salt, so that no two of them are the same by chance
        await play_to_their_turn(host)
        first = await host.end.expect(MoveMessage)
        entry = read_record(first.record)[1][0]
        assert isinstance(entry, Move)
        for code in RefusalCode:
            await host.end.send(RefusedMove(entry.base, code, "It is not taken."))
            for one in await host.end.answers():
                if isinstance(one, MoveMessage) and one.record != first.record:
                    raise Broken("It signs another move on the same base.")


async def same_move_after_power_failure(bench: Bench) -> None:
    """A case: whatever the listener sent was on disk before: after a kill it sends the same again, or nothing."""
    async with open_table(bench, game="hearts") as host:
        await play_to_their_turn(host)
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


async def answers_false_taken(bench: Bench) -> None:
    """A case: the listener answers a TAKEN with a wrong head by RESUME. Its move is a pass, which shows it nothing."""
    async with open_table(bench, game="hearts") as host:
        await play_to_their_turn(host)
        await host.end.expect(MoveMessage)
        await host.end.send(Taken(host.position.count, bytes(4), b""))
        said = await host.end.answers()
        if not any(isinstance(one, Resume) and one.count == host.position.count for one in said):
            raise Broken("It does not answer with RESUME.")


def refuses_out_of_order(ahead: int) -> OnBench:
    async def play(bench: Bench) -> None:
        async with open_table(bench) as host:
            await play_to_our_turn(host)
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
            await host.expect_refusal()

    return play


async def answers_resume(bench: Bench) -> None:
    async with open_table(bench) as host:
        await play_to_our_turn(host)
        for _ in range(2):
            found, position = await host.ask_how_far(), host.position
            if (found.count, found.head) != (position.count, position.head):
                raise Broken(f"Its log has {found.count} records and another head; {position.count} were sent.")
            await host.end.cut()


async def answers_resume_of_finished_game(bench: Bench) -> None:
    async with open_table(bench) as host:
        await play_past_end(host)
        found = await host.ask_how_far()
        if (found.count, found.head) != (host.position.count, host.position.head):
            raise Broken(f"Its log has {found.count} records and another head; {host.position.count} were sent.")


async def answers_resume_of_unknown_game(bench: Bench) -> None:
    async with open_table(bench) as host:
        await host.greet()
        game = bench.chance.randbytes(16)
        await host.end.send(Resume(game, 7, bench.chance.randbytes(32)))
        found = await host.end.expect(Resume)
        if found != Resume(game, 0, NOTHING):
            raise Broken("It does not say that it has nothing of this game.")


async def keeps_nothing_of_a_game_that_never_was(bench: Bench) -> None:
    """A case: the listener is told by RESUME of a game with its key that came to no deal, and keeps no log of it."""
    async with open_table(bench) as host:
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


async def objects_to_false_absence(bench: Bench) -> None:
    async with open_table(bench, others=1) as host:
        await play_to_end_of_hand(host)
        await host.end.expect(MoveMessage)  # its check, which we do not log
        await host.tell(host.writer.absent(THEM))
        said = await host.end.answers()
        if any(isinstance(one, MoveMessage) for one in said):
            raise Broken("It plays on.")
        if host.end.goodbye is None or host.end.goodbye.code is not ByeCode.ASKS_PLAYER:
            raise Broken("It does not say BYE 18.")


# --- the fair deal ----------------------------------------------------------------------------------------------------


async def finds_verdict(host: CoordinatorSide, opening: Record, verdict: Verdict) -> None:
    """Check that the listener replays the opened hand, and signs what is wrong with it."""
    await host.end.send(host.writer.restore(bytes(opening)).message_for(THEM))
    check = await host.take_check()
    if check.verdict is not verdict:
        raise Broken(f"Its verdict is {int(check.verdict)}; {int(verdict)} is due, as {verdict.sentence}.")


def make_opening(game: OurGame) -> OpeningEntry:
    logged = game.writer.open_hand()
    game.writer.log.pop()
    (entry,) = logged.entries
    assert isinstance(entry, OpeningEntry)
    return entry


def make_false_deal(game: OurGame) -> tuple[Logged, Record]:
    """(the next deal as logged, its record for side THEM) where one of their cards is really ours."""
    before = game.position
    logged = game.writer.deal()
    faces = logged.faces[THEM]
    assert faces is not None
    cards = (game.position.state.hands[0].cards[0], *decode_faces(faces.body)[1:])
    head = next_head(before.head, logged.record.frames[0])
    frame = sign(game.key, FACES_LABEL, head + bytes((THEM,)), encode_faces(cards))
    return logged, replace(logged.for_side(THEM), faces=frame)


async def finds_other_card_than_dealt(bench: Bench) -> None:
    async with open_table(bench) as host:
        await host.begin()
        await host.check_all()
        logged, record = make_false_deal(host)
        await host.end.send(RecordMessage(logged.number, bytes(record)))
        await finds_verdict(host, host.signed(make_opening(host)), Verdict.WRONG_EVENT)


async def finds_other_value(bench: Bench) -> None:
    async with open_table(bench) as host:
        await play_to_our_turn(host)
        entry = replace(make_opening(host), value=chain_value(host.seed, 2))
        await finds_verdict(host, host.signed(entry), Verdict.WRONG_VALUE)


async def finds_other_salt(bench: Bench) -> None:
    """A case: the listener finds that our pass is opened with a wrong salt."""
    async with open_table(bench, game="hearts") as host:
        await play_past_passes(host)
        entry = make_opening(host)
        first = replace(entry.openings[0], salt=bytes(10))
        await finds_verdict(
            host, host.signed(replace(entry, openings=(first, *entry.openings[1:]))), Verdict.WRONG_OPENING
        )


async def play_past_passes(host: CoordinatorSide) -> None:
    """Play hearts until all have passed, and the log waits for us."""
    await host.begin()
    passed = len(host.position.header.seats)
    await host.until(lambda at: len([step for step in at.steps if step.commitment]) == passed)
    while is_their_turn(host.position):
        await host.step()


async def sends_values_of_its_chain(bench: Bench) -> None:
    async with open_table(bench) as host:
        await host.begin()
        for hand in range(2):
            check = await host.take_check()
            if len(check.value) != len(host.stake.end):
                raise Broken(f"Its check of hand {hand} has no value.")
            if hand == 0:
                await host.tell(host.writer.deal())
                await host.until(is_hand_over)
