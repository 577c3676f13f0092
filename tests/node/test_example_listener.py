"""Whole games between our coordinator's daemon and protocol/example-listener, a program in another language that was
written from the pages of protocol/ alone. It chats, is cut off in mid-game and comes back with its key and its log."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from p2pcards.control.client import Client, ClientTable, connect
from p2pcards.control.messages import Host, OpenConnect, OpenResume, Persona, Rules, TimeLimits
from p2pcards.games.options import declared_options
from p2pcards.games.registry import find_game
from p2pcards.ledger.payloads import RECORD, is_succeeded, read_start
from p2pcards.ledger.verify import Findings
from p2pcards.store.files import Home
from p2pcards.store.logs import list_logs, read_log
from p2pcards.views.happenings import (
    Acted,
    GameWon,
    Happening,
    PlayerLost,
    Said,
    SeatReturned,
    SeatTakenOver,
    TablePaused,
    TableResumed,
)
from p2pcards.views.tableview import Command
from rigs.giving_up import longest_wait
from rigs.homes import MakeHome, happening, kill_daemon, play_until, view
from rigs.node_programs import (
    LISTENER,
    PROTOCOL,
    Example,
    MakeExample,
    faults_of,
    program,
    proven,
    records,
)
from rigs.program import MakeProgram
from rigs.programs_at_tables import people, playing, until

WORDS = "Good evening from another language \N{BLACK HEART SUIT}"
OURS = "Good evening, Nora"
# As short as games can be and still be cut off in the middle: the options that are changed, and after how many records.
GAMES = {
    "hearts": ((("end_score", "25"),), 30),
    "gin_rummy": ((("winning_score", "25"), ("oklahoma", "true")), 5),
    "crazy_eights": ((("winning_score", "30"), ("two_draws_two", "true"), ("jack_skips", "true")), 10),
}

needs_node = pytest.mark.node


async def table_with(
    client: Client, nora: Example, rules: Rules, auto: str | None = None, grace: int | None = None
) -> ClientTable:
    """Ann's table, at which Nora sits and no game has begun."""
    host = Host(f"127.0.0.1:{await nora.says('')}")
    await client.open(OpenConnect((host,), rules, Persona("Ann", auto=auto), TimeLimits(grace)))
    return await client.attach()


def acts(times: int) -> Callable[[Happening], bool]:
    """Whether Nora has acted so often."""
    acted = 0

    def so_often(happened: Happening) -> bool:
        nonlocal acted
        acted += isinstance(happened, Acted) and happened.name == "Nora"
        return acted == times

    return so_often


def proven_alike(ann: Home, nora: Example) -> Findings:
    """What both logs prove of one game, in which nobody was refused anything."""
    (log,) = list_logs(ann)
    ours, theirs = proven(log.path), proven(nora.log)
    assert ours.heads[-1] == theirs.heads[-1]
    assert faults_of(nora) == []
    return ours


@needs_node
def test_it_agrees_with_the_vectors(examples: Path) -> None:
    """All that a listener without codes can check of them: what is taken, refused for which cause, found false, and of
    its three games what every value of every option allows."""
    done = subprocess.run(
        [program("node"), str(examples / LISTENER / "check-vectors.mjs")], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    assert int(done.stdout.split()[0]) >= 200


@needs_node
@pytest.mark.parametrize("key", GAMES)
async def test_a_whole_game(make_home: MakeHome, make_nora: MakeExample, key: str) -> None:
    changes, cut_off = GAMES[key]
    nora = make_nora("--chat", WORDS, "--drop-after", str(cut_off))
    ann = make_home("ann")
    seen: list[Happening] = []

    def over(happened: Happening) -> bool:
        seen.append(happened)
        return isinstance(happened, GameWon)

    async with connect(ann) as client:
        table = await table_with(client, nora, Rules(key, changes=changes), auto="novice")
        await table.command(Command("say", (OURS,)))
        await table.command(Command("start"))
        last = await play_until(table, over)
        await nora.says("closed after")

    ours = proven_alike(ann, nora)
    assert isinstance(last, GameWon) and last.head == ours.heads[-1].hex()
    assert ours.takeovers == ()
    assert [said.text for said in seen if isinstance(said, Said) and said.name == "Nora"] == [WORDS]
    assert await nora.says("chat from") == f"chat from 0 {OURS}"
    assert nora.said.index(await nora.says("cut off after")) < nora.said.index(await nora.says("resumes at"))
    assert {line.split()[-1] for line in nora.said if line.startswith("hand")} == {"0"}


@needs_node
@pytest.mark.parametrize(
    ("key", "place", "numbers"),
    [
        ("hearts", 0, {"end_score": "25"}),
        ("hearts", -1, {"end_score": "25"}),
        ("crazy_eights", 0, {"winning_score": "100", "players": "2"}),
        ("crazy_eights", 0, {"winning_score": "100", "players": "4"}),
    ],
)
async def test_a_whole_game_with_all_options_on(
    make_home: MakeHome, make_nora: MakeExample, key: str, place: int, numbers: dict[str, str]
) -> None:
    """Every flag is on, and each choice has its first value, or its last."""
    changes = numbers | {
        option.key: option.choices[place] if option.choices else "true"
        for option in declared_options(find_game(key).options)
        if option.kind != "number"
    }
    nora, ann = make_nora(), make_home("ann")
    async with connect(ann) as client:
        table = await table_with(client, nora, Rules(key, changes=tuple(changes.items())), auto="novice")
        await table.command(Command("start"))
        await happening(table, GameWon)
        await nora.says("closed after")
    assert proven_alike(ann, nora).takeovers == ()
    assert {line.split()[-1] for line in nora.said if line.startswith("hand")} == {"0"}


@needs_node
async def test_their_program_is_killed_and_comes_back_after_their_character_has_played(
    make_home: MakeHome, make_nora: MakeExample
) -> None:
    """A new process with the same home and port takes what the character did, gets its seat back and plays on."""
    nora = make_nora()
    port = await nora.says("")
    ann = make_home("ann")
    async with connect(ann) as client:
        table = await table_with(client, nora, Rules("gin_rummy", changes=(("winning_score", "30"),)), grace=1)
        await table.command(Command("start"))
        await play_until(table, acts(2))
        nora.end()
        await happening(table, SeatTakenOver)
        again = make_nora("--port", port)
        await happening(table, SeatReturned)
        await play_until(table, acts(2))
        await table.command(Command("away"))
        await happening(table, GameWon)
        await again.says("closed after")
    assert 1 in [takeover[1] for takeover in proven_alike(ann, again).takeovers]


@needs_node
async def test_their_program_takes_a_pause_and_goes_on_after_it(make_home: MakeHome, make_nora: MakeExample) -> None:
    """Ann is away, and the other program is killed: the table waits until it is back, and its log tells the pause."""
    nora = make_nora()
    port = await nora.says("")
    ann = make_home("ann")
    async with connect(ann) as client:
        table = await table_with(client, nora, Rules("crazy_eights", changes=(("winning_score", "50"),)))
        await table.command(Command("start"))
        await play_until(table, acts(2))
        nora.end()
        await happening(table, PlayerLost)
        await table.command(Command("away"))
        await happening(table, TablePaused)
        again = make_nora("--port", port)
        await happening(table, TableResumed)
        await happening(table, GameWon)
        await again.says("closed after")
    assert [takeover[1] for takeover in proven_alike(ann, again).takeovers] == [0]


@needs_node
async def test_a_coordinator_with_an_older_copy_of_the_log_gets_the_records_from_the_listener(
    make_home: MakeHome, make_nora: MakeExample
) -> None:
    """All but the first record of a hand of hearts is lost: the deal, the passes under their commitments, the first
    tricks. Nora is asked for them (ASK, HAVE), and the game goes on to its end where it was."""
    nora = make_nora()
    ann = make_home("ann")
    async with connect(ann) as client:
        table = await table_with(client, nora, Rules("hearts", changes=(("end_score", "25"),)))
        await table.command(Command("start"))
        await play_until(table, acts(3))
        await view(table, lambda shown: bool(shown.legal))  # it waits for Ann, and its log stands still
        (log,) = list_logs(ann)
        before = records(log.path)
        with trio.fail_after(longest_wait()):
            while len(records(nora.log)) < len(before):
                await trio.sleep(0.01)
        kill_daemon(ann)
    found = read_log(log.path)
    second = [offset for offset, payload in found.records if payload[:1] == RECORD][1]
    log.path.write_bytes(log.path.read_bytes()[:second])
    assert records(log.path) == before[:1]

    async with connect(ann) as client:
        await client.open(OpenResume(persona=Persona("Ann", auto="novice")))
        table = await client.attach()
        await nora.says("gives the records from 1 on")
        await happening(table, GameWon)
        await nora.says("closed after")
    assert records(log.path)[: len(before)] == before, "with every opening, and no faces"
    proven_alike(ann, nora)


@needs_node
@pytest.mark.usefixtures("loaded_daemons")
def test_it_plays_on_with_another_host_when_theirs_is_killed(make_program: MakeProgram, make_nora: MakeExample) -> None:
    """Bob's daemon succeeds Ann's, whose process is gone after the first hand: Nora is called, finds that the game goes
    on as it stood, and checks the next hand."""
    ann, bob = people(make_program, "Ann", "Bob")
    nora = make_nora()

    def says(words: str, after: int = 0) -> str:
        return trio.run(nora.says, words, after)

    addresses = [f"127.0.0.1:{says('')}"]
    addresses.insert(0, f"127.0.0.1:{bob.data('listen', '--port', '0', '--name', 'Bob')['port']}")
    ann.out("connect", *addresses, "--game", "hearts", "--name", "Ann", "--grace", "3", "--detached")
    ann.out("attach", said="auto novice\nstart\n")
    until(lambda: playing(bob, "Ann", "Bob", "Nora"))
    bob.out("attach", said="auto novice\n")
    says("hand 1 verdict 0")
    os.kill(ann.data("status")["pid"], signal.SIGKILL)
    says("succeeded after")
    before = len(nora.said)
    says("hand 1 verdict 0", before)
    (old,) = nora.log.parent.glob("game.log.*")
    assert is_succeeded(read_log(old).payloads)
    header = read_start(read_log(nora.log).payloads).header
    assert len(header.quorum or ()) == 3 and [side.name for side in header.sides] == ["Bob", "Nora"]
    # The system resets the killed daemon's connection where it had not read everything.
    assert [fault for fault in faults_of(nora) if fault != "link ended: read ECONNRESET"] == []


def test_its_package_is_pinned_by_hash_and_names_no_registry() -> None:
    lock = json.loads((PROTOCOL / LISTENER / "package-lock.json").read_text())
    wanted = json.loads((PROTOCOL / LISTENER / "package.json").read_text())["dependencies"]
    packages = {path.removeprefix("node_modules/"): given for path, given in lock["packages"].items() if path}
    assert {name: given["version"] for name, given in packages.items()} == wanted
    assert all(given["integrity"].startswith("sha512-") and "resolved" not in given for given in packages.values())
    assert len(packages) == 1
