"""Every game is saved at every move: a daemon ends in the middle of a trick, and the game goes on as if it had not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
import trio

from p2pcards.control.client import ClientTable, connect
from p2pcards.control.messages import Happened, OpenPlay, OpenResume, Persona, Rules
from p2pcards.results.reading import read_result
from p2pcards.store.files import Home, private_folder, write_whole
from p2pcards.store.logs import list_logs, read_log
from p2pcards.views.happenings import GameWon
from p2pcards.views.tableview import Command, TableView
from p2pcards.wire.crypto import Ed25519PrivateKey, pem_of
from rigs.giving_up import longest_wait
from rigs.homes import MakeHome, kill_daemon, wait_until_ended
from rigs.mid_trick import RULES, of_game, stops
from rigs.short_games import short


def always_of_the_same_cards(home: Home) -> None:
    """They come of the seed and of who plays."""
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    private_folder(home.identity.parent)
    write_whole(home.identity, pem_of(key))


async def play(table: ClientTable, until: Callable[[TableView, int], bool] = lambda *_: False) -> TableView | None:
    """Make the first legal move at each decision, once where its view comes again, until a view fits, which is given
    with the number of decisions; None at the end of the game."""
    decided = 0
    at: tuple[Sequence[str], Sequence[int]] = ((), ())
    with trio.fail_after(longest_wait()):
        async for update in table.updates():
            if isinstance(update, Happened):
                if isinstance(update.happening, GameWon):
                    return None
            elif update.legal and at != (now := (update.legal, update.seats[update.me or 0].known)):
                if until(update, decided):
                    return update
                decided, at = decided + 1, now
                await table.command(Command("act", tuple(update.legal[0].split())))
    raise AssertionError("the table has ended")


@pytest.mark.parametrize("killed", [False, True], ids=["stopped", "killed"])
@pytest.mark.parametrize(("key", "preset"), RULES)
async def test_alone_the_view_and_the_outcome_are_the_same(
    make_home: MakeHome, key: str, preset: str, killed: bool
) -> None:
    home = make_home("ann")
    always_of_the_same_cards(home)
    game = OpenPlay(Rules(key, preset, short(key)), Persona("Ann", "wayne"), seed=7)
    async with connect(home) as client:
        await client.open(game)
        assert await play(await client.attach()) is None
        await client.open(game)
        before = await play(await client.attach(), stops)
        assert before is not None
        if killed:
            kill_daemon(home)
        else:
            await client.stop()
    wait_until_ended(home)
    async with connect(home) as client:
        await client.open(OpenResume())
        table = await client.attach()
        after = await play(table, lambda *_: True)
        assert after is not None and of_game(after) == of_game(before)
        await table.command(Command("act", tuple(after.legal[0].split())))
        assert await play(table) is None
    through, resumed = [read_result(read_log(log.path).payloads) for log in list_logs(home)]
    assert through == resumed and through.won
