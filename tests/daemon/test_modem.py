"""Two people who call each other by modem, with modems that others have written and the real commands."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack

import pytest
import trio

from p2pcards.control.client import ClientTable, connect
from p2pcards.control.exits import LINE, USAGE
from p2pcards.store.files import Home
from p2pcards.views.happenings import (
    Acted,
    GameWon,
    Happening,
    PlayerBack,
    PlayerLost,
    RedialAsked,
    Said,
    SeatReturned,
    SeatTakenOver,
)
from p2pcards.views.tableview import Command
from rigs.giving_up import longest_wait
from rigs.homes import MakeHome, happening, kill_daemon, play_until, view
from rigs.modem.dosbox_modems import ModemPair
from rigs.short_games import proven

pytestmark = pytest.mark.modem


class Person:
    """Somebody at a modem of the pair, whose daemon runs in this home."""

    def __init__(self, pair: ModemPair, home: Home, modem: str) -> None:
        self.home = home
        self.device = pair.devices[modem]
        self.number = pair.numbers[modem]
        self._environment = pair.for_program() | {"P2PCARDS_HOME": str(home.state)}

    async def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """A command of theirs, to its end."""
        return await trio.to_thread.run_sync(
            lambda: subprocess.run(
                [sys.executable, "-m", "p2pcards", *words],
                env=self._environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=longest_wait(),
                check=False,
            )
        )

    async def does(self, *words: str) -> str:
        """What a command prints that goes well."""
        done = await self.run(*words)
        assert done.returncode == 0, done.stderr
        return done.stdout


async def sit_down(ann: Person, bob: Person, *words: str) -> None:
    told = await bob.does("listen", "--modem", bob.device, "--name", "Bob", "--auto", "novice", "--detached")
    assert "p2pcards dial NUMBER" in told
    game = ("--game", "hearts", "--set", "end_score=25")
    await ann.does("dial", bob.number, "--device", ann.device, *game, "--name", "Ann", "--detached", *words)


async def table_of(stack: AsyncExitStack, person: Person) -> ClientTable:
    return await (await stack.enter_async_context(connect(person.home, start=False))).attach()


def heard(text: str) -> Callable[[Happening], bool]:
    return lambda happened: isinstance(happened, Said) and happened.text == text


def did(name: str, times: int = 1) -> Callable[[Happening], bool]:
    """Whether this player has acted so often since."""
    left = times

    def condition(happened: Happening) -> bool:
        nonlocal left
        left -= isinstance(happened, Acted) and happened.name == name
        return left <= 0

    return condition


async def test_a_game_by_telephone(make_home: MakeHome, modem_pair: ModemPair) -> None:
    """A hand begins, both chat; Bob's daemon is killed, their character plays, they are called again and is back; Ann's
    daemon is stopped and resumes the game, calls again, and it is played to its end."""
    ann, bob = Person(modem_pair, make_home("ann"), "a"), Person(modem_pair, make_home("bob"), "b")
    async with AsyncExitStack() as stack:
        await sit_down(ann, bob, "--grace", "3")
        at_ann, at_bob = await table_of(stack, ann), await table_of(stack, bob)
        await at_ann.command(Command("start"))
        await at_ann.command(Command("say", ("hello Bob",)))
        await at_bob.command(Command("quick", ("thanks",)))
        await play_until(at_bob, heard("hello Bob"))
        await play_until(at_ann, heard("Thank you."))
        await play_until(at_ann, did("Bob", 2))

        kill_daemon(bob.home)
        lost = await happening(at_ann, PlayerLost)
        assert "Nothing came over the line" in str(lost.why)  # a pty keeps DTR high when its program dies
        assert (await happening(at_ann, RedialAsked)).address == f"tel:{bob.number}"
        await happening(at_ann, SeatTakenOver)
        again = await bob.does("listen", "--modem", bob.device, "--detached")
        assert "You're already waiting there" in again  # their new daemon has begun to wait where the one before did
        await at_ann.command(Command("redial"))
        await happening(at_ann, SeatReturned)
        await play_until(at_ann, did("Bob", 2))

        await ann.does("stop")
        await ann.does("resume", "--device", ann.device, "--auto", "novice", "--detached")
        at_ann = await table_of(stack, ann)
        await happening(at_ann, RedialAsked)
        await at_ann.command(Command("redial"))
        await happening(at_ann, PlayerBack)
        shown = await view(at_ann, lambda shown: any(person.line for person in shown.people))
        assert next(person.line for person in shown.people if person.line).endswith("resent")
        heads = {str((await happening(at_ann, GameWon)).head)}
        at_bob = await table_of(stack, bob)
        heads.add(str((await happening(at_bob, GameWon)).head))
    assert heads == {proven(person.home).heads[-1].hex() for person in (ann, bob)}


async def test_nobody_answers_and_the_wrong_device(make_home: MakeHome, modem_pair: ModemPair) -> None:
    ann = Person(modem_pair, make_home("ann"), "a")
    done = await ann.run("dial", modem_pair.numbers["b"], "--device", ann.device, "--name", "Ann", "--detached")
    assert (done.returncode, done.stdout) == (LINE, "")
    assert f"No p2pcards answered at tel:{modem_pair.numbers['b']}" in done.stderr
    done = await ann.run("dial", "555;1234", "--device", ann.device)
    assert done.returncode == USAGE
    assert "';'" in done.stderr
    done = await ann.run("dial", "5551234", "--device", "/dev/ttyS99", "--name", "Ann")
    assert done.returncode == LINE
    assert "There's no port /dev/ttyS99" in done.stderr
