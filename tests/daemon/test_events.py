"""The player's own commands at the events of a whole game, with a real daemon."""

from __future__ import annotations

from contextlib import AsyncExitStack

from p2pcards.control.client import connect
from p2pcards.control.messages import OpenPlay, Persona, Rules, TimeLimits
from p2pcards.store.files import private_folder
from p2pcards.views.happenings import TABLE_EVENTS, GameWon
from rigs.homes import MakeHome, play_until, wait_until_ended


async def test_each_event_of_a_game_runs_its_command(make_home: MakeHome) -> None:
    home = make_home("ann")
    out = home.state / "events"
    private_folder(home.config)
    script = home.config / "hook.sh"
    script.write_text(f'echo "$1 $P2PCARDS_EVENT $P2PCARDS_TABLE" >> {out}\n')
    home.settings.write_text("".join(f'events.{name}.hook = "sh {script} {name}"\n' for name in TABLE_EVENTS))
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(connect(home))
        opened = await client.open(OpenPlay(Rules("thirty_one"), Persona("Ann"), TimeLimits(), 3))
        table = await client.attach(opened.table)
        await play_until(table, lambda happening: isinstance(happening, GameWon))
        await client.stop()
    wait_until_ended(home)
    lines = out.read_text().splitlines()
    assert all(line == f"{event} {event} t1" for line in lines for event in [line.split()[0]])
    seen = [line.split()[0] for line in lines]
    assert seen[0] == "start" and seen[-1] == "exit"
    assert {"turn", "shuffle", "play", "knock"} <= set(seen)
    assert {"hand_won", "hand_lost"} & set(seen)
    assert seen.count("game_won") + seen.count("game_lost") == 1, "it comes once"
    assert "joined" not in seen
