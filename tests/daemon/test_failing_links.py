"""The program fails wherever daemons take what comes over a link: it costs that link, and tables play on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from p2pcards.control.client import Client, ClientTable
from p2pcards.control.declined import Declined
from p2pcards.control.messages import Host, OpenConnect, OpenListen, Persona, Rules
from p2pcards.daemon.first_contact import Threshold
from p2pcards.daemon.tablelinks import TableLinks
from p2pcards.session import coordinator, guests, listener
from p2pcards.session.presence import Presence
from p2pcards.views.happenings import GameWon
from p2pcards.views.tableview import Command
from p2pcards.wire.messages import Clocks, MoveMessage, RecordMessage, Taken
from rigs.daemons_here import client_here
from rigs.homes import MakeHome, happening
from rigs.short_games import short


class Invented(RuntimeError):
    """No program raises it."""


def failing_once(function: Callable[..., Any], failed: list[str], name: str) -> Callable[..., Any]:
    """Does all that it does, and then fails, the first time."""

    def fails(*arguments: Any, **named: Any) -> Any:
        result = function(*arguments, **named)
        if name not in failed:
            failed.append(name)
            raise Invented
        return result

    return fails


def failing_task_once(function: Callable[..., Any], failed: list[str], name: str) -> Callable[..., Any]:
    async def fails(*arguments: Any, **named: Any) -> Any:
        if name not in failed:
            failed.append(name)
            raise Invented
        return await function(*arguments, **named)

    return fails


AT_THE_DOOR = (
    (Threshold, "admit"),
    (Threshold, "arrived"),
    (TableLinks, "_serve"),
    (TableLinks, "_hear"),
    (TableLinks, "_prepare"),
)
"""Of a daemon, outside its machines."""

IN_PLAY = (
    (coordinator, MoveMessage),
    (listener, RecordMessage),
    (listener, Taken),
    (listener, Clocks),
)


async def listens(client: Client) -> tuple[ClientTable, int]:
    opened = await client.open(OpenListen(0, Persona("Bob", auto="novice")))
    assert opened.port is not None
    return await client.attach(opened.table), opened.port


async def calls(client: Client, port: int, game: str = "crazy_eights") -> ClientTable:
    hosts, rules = (Host(f"127.0.0.1:{port}"),), Rules(game, changes=short(game))
    opened = await client.open(OpenConnect(hosts, rules, Persona("Ann", auto="novice")))
    return await client.attach(opened.table)


@pytest.mark.faulty
async def test_a_table_plays_on_though_its_machines_fail(make_home: MakeHome, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guests, "FIRST", 0.01)  # seconds until a guest is called again
    failed: list[str] = []
    for module, kind in IN_PLAY:
        at = Presence.AT_THE_TABLE, kind
        name = f"{module.__name__} {kind.__name__}"
        monkeypatch.setitem(module.TAKES, at, failing_once(module.TAKES[at], failed, name))
    ann, bob = make_home("ann"), make_home("bob")
    async with client_here(bob) as bobs, client_here(ann) as anns:
        at_bob, port = await listens(bobs)
        at_ann = await calls(anns, port)
        await at_ann.command(Command("start"))
        heads = {str((await happening(table, GameWon)).head) for table in (at_ann, at_bob)}
    assert len(heads) == 1
    assert len(failed) == len(IN_PLAY)
    noted = [home.diagnostics.read_text().count("FAULT Invented") for home in (ann, bob)]
    assert noted == [1, 3]


@pytest.mark.faulty
@pytest.mark.parametrize(("place", "name"), AT_THE_DOOR)
async def test_a_listener_listens_on_though_its_door_fails(
    make_home: MakeHome, monkeypatch: pytest.MonkeyPatch, place: Any, name: str
) -> None:
    failed: list[str] = []
    monkeypatch.setattr(place, name, failing_task_once(getattr(place, name), failed, name))
    ann, bob = make_home("ann"), make_home("bob")
    async with client_here(bob) as bobs, client_here(ann) as anns:
        at_bob, port = await listens(bobs)
        with pytest.raises(Declined):
            await calls(anns, port)
        at_ann = await calls(anns, port)
        await at_ann.command(Command("start"))
        await happening(at_bob, GameWon)
    assert failed == [name]
    assert sum(home.diagnostics.read_text().count("FAULT Invented") for home in (ann, bob)) == 1
