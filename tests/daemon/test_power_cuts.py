"""The power of one side is cut while it writes: its daemon starts again, says what happened, and the game goes on with
everything that was acknowledged."""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest

from p2pcards.control.client import Client, connect
from p2pcards.control.messages import Host, OpenConnect, OpenListen, OpenResume, Persona, Rules
from p2pcards.ledger.verify import verify_log
from p2pcards.store.files import Home
from p2pcards.store.logs import encode_record, list_logs, read_log
from p2pcards.views.happenings import PlayerBack, PlayerLost
from p2pcards.views.tableview import Command
from rigs.homes import MakeHome, happening, kill_daemon, play_until, says, view
from rigs.short_games import short

RECORD = encode_record(b"R" + bytes(range(1, 256)) * 4)
KEPT_BESIDE = ("peers.json", "listening.json", "hosted.json", "logs.json", "identity.pem", "settings.toml")


def tails(size: int) -> dict[str, bytes]:
    """What may stand behind a log of this many bytes when the last record was not synced. A disk writes sectors."""
    sector = 512 - size % 512
    zeros = bytes(len(RECORD) - sector)
    return {"cut": RECORD[:100], "zeros": bytes(len(RECORD)), "zeros from a sector on": RECORD[:sector] + zeros}


def cut_power(home: Home, how: str) -> None:
    """The daemon is gone at once. A new record has reached its log in part, and each other file was being replaced."""
    kill_daemon(home)
    (log,) = list_logs(home)
    with log.path.open("ab") as file:
        file.write(tails(log.size)[how])
    for name in KEPT_BESIDE:
        (home.state / f".{name}.unsynced").write_bytes(bytes(100))


def heads(home: Home) -> tuple[bytes, ...]:
    (log,) = list_logs(home)
    return verify_log(read_log(log.path).payloads).heads


@pytest.mark.parametrize("how", tails(0))
async def test_the_game_goes_on_after_a_power_cut_of_either_side(make_home: MakeHome, how: str) -> None:
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:

        async def up(home: Home) -> Client:
            return await stack.enter_async_context(connect(home))

        bobs = await up(bob)
        opened = await bobs.open(OpenListen(0, Persona("Bob", auto="novice")))
        at_bob = await bobs.attach()
        anns = await up(ann)
        rules = Rules("crazy_eights", changes=short("crazy_eights"))
        await anns.open(OpenConnect((Host(f"127.0.0.1:{opened.port}"),), rules, Persona("Ann")))
        at_ann = await anns.attach()
        await at_ann.command(Command("start"))
        before = await view(at_ann, lambda shown: bool(shown.legal))
        await view(at_bob, lambda shown: shown.head == before.head)

        cut_power(ann, how)
        await happening(at_bob, PlayerLost)
        anns = await up(ann)
        await anns.open(OpenResume(persona=Persona("Ann")))
        at_ann = await anns.attach()
        await play_until(at_ann, says("The log's last record is incomplete"))
        after = await view(at_ann, lambda shown: bool(shown.legal))
        assert (after.records, after.head, after.legal) == (before.records, before.head, before.legal)

        cut_power(bob, how)
        await happening(at_ann, PlayerLost)
        bobs = await up(bob)
        at_bob = await bobs.attach()
        await happening(at_ann, PlayerBack)
        shown = await view(at_bob, lambda shown: shown.phase == "play")
        assert (shown.records, shown.head) == (before.records, before.head)
        assert heads(ann) == heads(bob)
        assert heads(ann)[-1].hex() == before.head
