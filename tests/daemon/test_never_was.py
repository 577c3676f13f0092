"""Games that never were, told to listeners that really run: nothing of them is taken, kept or counted."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial

import pytest

from p2pcards.control.client import Client, ClientTable, connect
from p2pcards.control.messages import OpenListen, Persona
from p2pcards.games.options import header_values
from p2pcards.games.outcome import NO_OUTCOME
from p2pcards.ledger.fair import chain_value
from p2pcards.ledger.payloads import NOTE, Restored, read_note
from p2pcards.ledger.position import begin
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import LedgerWriter
from p2pcards.session import lobby
from p2pcards.session.coordinator import Coordinator
from p2pcards.store.files import Home
from p2pcards.store.identity import load_or_make_identity
from p2pcards.store.logs import list_logs, read_log
from p2pcards.views.happenings import GameWithoutLog, PlayerLost
from p2pcards.views.tableview import Command
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import PART_SIZE, Bye, HeaderPart, Hello, RecordMessage, Resume
from p2pcards.wire.reasons import TakeoverReason
from p2pcards.wire.records import (
    ENTRY_LABEL,
    HEADER_LABEL,
    VERSION,
    AbsentEntry,
    DealEntry,
    Entry,
    Frame,
    Header,
    Record,
    SeatEntry,
    Side,
    TakeoverEntry,
    encode_entry,
    encode_header,
    sign,
)
from rigs.homes import MakeHome, happening, kill_daemon, view
from rigs.hostile import Hostile, hostile
from rigs.net import key_of
from rigs.recorded import OPTIONS

MAL = key_of(99, 1)
SEED = bytes(range(24))


async def bobs_table(stack: AsyncExitStack, home: Home) -> tuple[Client, ClientTable, int]:
    client = await stack.enter_async_context(connect(home))
    opened = await client.open(OpenListen(0, Persona("Bob", auto="novice")))
    assert opened.port is not None
    return client, await client.attach(opened.table), opened.port


def never_was(bob: bytes, version: int) -> LedgerWriter:
    """A game with a chain for Bob that Mal has made."""
    name, options = OPTIONS["telecards"]
    sides = (
        Side(public_bytes(MAL), "Mal", "papa", chain_value(SEED, 0)),
        Side(bob, "Bob", "betty", chain_value(SEED[::-1], 0)),
    )
    seats = (SeatEntry(0, "papa", "novice"), SeatEntry(1, "betty", "novice"))
    values = header_values(replace(options, players=2, winning_score=1))
    header = Header(name, values, sides, seats, 60, 180, b"", 0, bytes(16), version=version)
    frame = sign(MAL, HEADER_LABEL, b"", encode_header(header))
    return LedgerWriter(MAL, frame, begin(frame, header, 0, SEED))


async def resume(mal: Hostile[Coordinator], frame: Frame, game_id: bytes, count: int) -> None:
    """A game goes on of which there is no log at the other end; its header is sent whole."""
    await mal.say(Hello(VERSION, True, "Mal", "papa"))
    await mal.next(Hello)
    await mal.say(Resume(game_id, count, bytes(32)))
    assert (await mal.next(Resume)).count == 0
    data = bytes(frame)
    pieces = [data[start : start + PART_SIZE] for start in range(0, len(data), PART_SIZE)]
    for number, piece in enumerate(pieces):
        await mal.say(HeaderPart(number, len(pieces), piece))


async def tell_records(mal: Hostile[Coordinator], writer: LedgerWriter) -> None:
    for logged in writer.log:
        await mal.say(RecordMessage(logged.number & 255, bytes(logged.for_side(1))))


@pytest.mark.parametrize(
    ("version", "first", "noticed"),
    [
        (VERSION, "absent", "can't be dealt without side 1"),
        (VERSION, "deal", "before every side sent its part"),
        (VERSION, "takeover", "a chain that isn't mine"),
        (2, "takeover", "version 2"),
        (1, "takeover", "version 1"),
    ],
)
async def test_a_game_that_never_was_is_not_taken_whatever_is_told_of_it(
    make_home: MakeHome, version: int, first: str, noticed: str
) -> None:
    home = make_home("bob")
    async with AsyncExitStack() as stack:
        _, table, port = await bobs_table(stack, home)
        writer = never_was(public_bytes(load_or_make_identity(home)), version)
        entries: dict[str, Entry] = {
            "absent": AbsentEntry(0, 1),
            "deal": DealEntry(0, 1, (1,), NO_OUTCOME),
            "takeover": TakeoverEntry(0, 1, TakeoverReason.LEFT),
        }
        frame = sign(MAL, ENTRY_LABEL, writer.position.head, encode_entry(entries[first]))
        async with hostile(port) as mal:
            await resume(mal, writer.frame, writer.position.game_id, 1)
            await mal.say(RecordMessage(0, bytes(Record((frame,)))))
            assert await mal.heard_to_the_end(Bye) == 1
        assert noticed in (await happening(table, PlayerLost)).why
    assert list_logs(home) == ()


async def test_a_new_game_of_an_older_version_is_not_taken(
    make_home: MakeHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In which one side could choose among packs."""
    monkeypatch.setattr(lobby, "Header", partial(Header, version=1))
    home = make_home("bob")
    async with AsyncExitStack() as stack:
        _, table, port = await bobs_table(stack, home)
        async with hostile(port) as mal:
            await begin_game(mal)
            assert await mal.heard_to_the_end(Bye) == 1
        assert "version 1" in (await happening(table, PlayerLost)).why
    assert list_logs(home) == ()


async def begin_game(mal: Hostile[Coordinator]) -> None:
    await mal.sit_down()
    await mal.until(lambda: len(mal.machine.view(0.0).people) == 2)
    await mal.command("game", "hearts")
    await mal.command("start")
    await mal.until(lambda: mal.machine.table.game is not None)


async def test_a_game_whose_log_is_lost_is_taken_when_the_player_says_so_and_is_marked(make_home: MakeHome) -> None:
    home = make_home("bob")
    async with AsyncExitStack() as stack:
        _, _, port = await bobs_table(stack, home)
        async with hostile(port) as mal:
            await begin_game(mal)
            await mal.until(lambda: mal.position.phase is Phase.PLAY)
            assert mal.machine.table.game is not None
            writer = mal.machine.table.game._writer
        kill_daemon(home)
        for log in list_logs(home):
            log.path.unlink()
        _, table, port = await bobs_table(stack, home)
        async with hostile(port) as mal:
            await resume(mal, writer.frame, writer.position.game_id, len(writer.log))
            await tell_records(mal, writer)
            assert await mal.heard_to_the_end(Bye) == 1
        assert (await happening(table, GameWithoutLog)).name == "Mal"
        await view(table, lambda shown: shown.doubted == "Mal")
        assert list_logs(home) == ()
        await table.command(Command("accept"))
        async with hostile(port) as mal:
            await resume(mal, writer.frame, writer.position.game_id, len(writer.log))
            await tell_records(mal, writer)
            assert await mal.heard(Bye) == 0
    (log,) = list_logs(home)
    notes = [read_note(payload) for payload in read_log(log.path).payloads if payload[:1] == NOTE]
    assert notes[0] == Restored()
