"""Cards of the game with the number of an open copy, which they have in none of these games, at daemons that run:
nobody but their sender loses anything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import reduce
from typing import Any

import pytest

from p2pcards.cards.card import Card
from p2pcards.control.client import Client, ClientTable
from p2pcards.control.messages import OpenHost, OpenListen, Persona, Rules, TimeLimits
from p2pcards.games.outcome import Outcome
from p2pcards.session.coordinator import Coordinator
from p2pcards.session.effects import Think
from p2pcards.views.happenings import HandScored, PlayerJoined, PlayerLost
from p2pcards.views.tableview import Command
from p2pcards.wire.messages import Bye, RecordMessage, RefusedMove, decode_message, encode_message
from p2pcards.wire.reasons import ByeCode, RefusalCode
from p2pcards.wire.records import (
    ENTRY_LABEL,
    FACES_LABEL,
    ActionEntry,
    DealEntry,
    Entry,
    Frame,
    Record,
    decode_faces,
    encode_entry,
    encode_faces,
    next_head,
    read_record,
    sign,
)
from rigs.daemons_here import client_here
from rigs.homes import MakeHome, happening
from rigs.hostile import Hostile, _chosen, hostile, hostile_listener

COPY = 64

OF_TRICKS = ("hearts", "spades", "auction_pitch", "whist", "oh_hell")


def with_copy(action: Any) -> Any:
    """The same action, its card numbered as an open copy."""
    names = [field.name for field in fields(action) if isinstance(getattr(action, field.name), Card)]
    return replace(action, **{name: Card(COPY | getattr(action, name)) for name in names})


@pytest.mark.parametrize("game", OF_TRICKS)
async def test_a_listener_who_names_a_copy_costs_nobody_the_table(make_home: MakeHome, game: str) -> None:
    async with client_here(make_home("ann")) as client:
        table, port = await ann_hosts(client, game)
        async with hostile_listener(port, auto="novice") as mal:
            forged = list[str]()

            def once_with_copy(think: Think) -> Any:
                action = _chosen(think)
                if not forged and type(action).__name__ == "Play":
                    forged.append(str(action.card))
                    return with_copy(action)
                return action

            mal.chosen = once_with_copy
            await mal.sit_down()
            await mal.until(lambda: len(mal.machine.view(0.0).people) == 2)
            await table.command(Command("start"))
            await mal.until(lambda: bool(forged))
            refused = await mal.next(RefusedMove)
            assert refused.code is RefusalCode.AGAINST_THE_RULES
            assert refused.text == f"there's no {forged[0]}' in this pack"
        assert (await happening(table, PlayerLost)).name == "Mal"
        await happening(table, HandScored)


async def ann_hosts(client: Client, game: str) -> tuple[ClientTable, int]:
    opened = await client.open(
        OpenHost(0, Rules(game), Persona("Ann", auto="novice"), limits=TimeLimits(grace=0, turn_clock=0))
    )
    assert opened.port is not None
    return await client.attach(opened.table), opened.port


# --- a stranger who coordinates ---------------------------------------------------------------------------------------


async def bob_listens(client: Client) -> tuple[ClientTable, int]:
    opened = await client.open(OpenListen(0, Persona("Bob", auto="novice")))
    assert opened.port is not None
    return await client.attach(opened.table), opened.port


async def begin(mal: Hostile[Coordinator], game: str) -> None:
    await mal.sit_down()
    await mal.until(lambda: len(mal.machine.view(0.0).people) == 2)
    await mal.command("game", game)
    await mal.command("start")


async def still_listens(table: ClientTable, port: int) -> None:
    """Somebody else finds Bob where he was, and plays with him."""
    async with hostile(port, 55) as honest:
        await begin(honest, "crazy_eights")
        await honest.until(lambda: honest.machine.table.game is not None and _bob_has_moved(honest))
    assert (await happening(table, PlayerJoined)).name == "Mal"


def _bob_has_moved(mal: Hostile[Coordinator]) -> bool:
    return any(step.seat is not None and mal.position.signer(step.seat) == 1 for step in mal.position.steps)


Forge = Callable[[Hostile[Coordinator], Record, Entry], Record | None]
"""What is sent in place of a record, None for the record itself."""


def numbered_play(mal: Hostile[Coordinator], record: Record, entry: Entry) -> Record | None:
    game = mal.position.game
    if not isinstance(entry, ActionEntry) or game.actions[entry.action].__name__ != "Play":
        return None
    return Record((signed_by(mal, replace(entry, fields=(COPY | entry.fields[0], *entry.fields[1:]))),))


def numbered_trump(mal: Hostile[Coordinator], record: Record, entry: Entry) -> Record | None:
    if not isinstance(entry, DealEntry) or record.faces is None:
        return None
    (place, card), *others = entry.outcome.cards
    outcome = Outcome(((place, Card(COPY | card)), *others), entry.outcome.values)
    frames = (signed_by(mal, replace(entry, outcome=outcome)),)
    return with_faces(mal, replace(record, frames=frames), decode_faces(record.faces.body))


def numbered_face(mal: Hostile[Coordinator], record: Record, entry: Entry) -> Record | None:
    if not isinstance(entry, DealEntry) or record.faces is None:
        return None
    first, *others = decode_faces(record.faces.body)
    return with_faces(mal, record, (Card(COPY | first), *others))


def signed_by(mal: Hostile[Coordinator], entry: Entry) -> Frame:
    return sign(mal.machine.table.me.identity, ENTRY_LABEL, head_before(mal), encode_entry(entry))


def with_faces(mal: Hostile[Coordinator], record: Record, faces: tuple[Card, ...]) -> Record:
    seat = bytes((mal.position.header.seat_of(1) or 0,))
    head = reduce(next_head, record.frames, head_before(mal))
    return replace(record, faces=sign(mal.machine.table.me.identity, FACES_LABEL, head + seat, encode_faces(faces)))


def head_before(mal: Hostile[Coordinator]) -> bytes:
    """Before the last record."""
    game = mal.machine.table.game
    assert game is not None
    return game._writer.log[-1].before.head


CASES = {
    numbered_play: OF_TRICKS,
    numbered_trump: ("whist", "oh_hell"),
    numbered_face: (*OF_TRICKS, "pinochle", "pinochle_bid", "gin_rummy", "cribbage"),
}


@pytest.mark.parametrize(("forge", "game"), [(forge, game) for forge, games in CASES.items() for game in games])
async def test_a_stranger_who_shows_a_copy_ends_no_listening(make_home: MakeHome, forge: Forge, game: str) -> None:
    async with client_here(make_home("bob")) as client:
        table, port = await bob_listens(client)
        async with hostile(port) as mal:
            forged = list[int]()

            def tampered(data: bytes) -> bytes:
                message = decode_message(data)
                if not isinstance(message, RecordMessage) or forged:
                    return data
                record, entries = read_record(message.record)
                other = forge(mal, record, entries[0])
                if other is None:
                    return data
                forged.append(message.number)
                return encode_message(replace(message, record=bytes(other)))

            mal.tampered = tampered
            await begin(mal, game)
            await mal.until(lambda: bool(forged))
            assert (await mal.next(Bye)).code is ByeCode.BROKE_PROTOCOL
        await still_listens(table, port)
