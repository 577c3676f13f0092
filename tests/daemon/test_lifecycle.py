"""Daemon processes from start to end."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2pcards import __version__
from p2pcards.control.client import connect
from p2pcards.control.declined import Declined, NoDaemon
from p2pcards.control.exits import DAEMON, STORAGE, USAGE
from p2pcards.control.messages import Greet, OpenPlay, Rules, Welcome
from p2pcards.control.protocol import encode, request_reader
from p2pcards.daemon.serve import IDLE
from p2pcards.store.files import make_folders
from p2pcards.store.logs import read_log
from p2pcards.views.tableview import Command
from rigs.daemons_here import daemon_of
from rigs.giving_up import longest_wait
from rigs.homes import (
    MakeHome,
    daemon_pid,
    kill_daemon,
    play_until,
    says,
    view,
    wait_until_ended,
)
from rigs.mid_trick import of_game

pytestmark = pytest.mark.own_start


async def test_the_first_front_end_starts_the_daemon_and_the_second_finds_it(make_home: MakeHome) -> None:
    home = make_home("ann")
    with pytest.raises(NoDaemon):
        async with connect(home, start=False):
            pass
    async with connect(home) as first:
        async with connect(home, start=False) as second:
            assert first.pid == second.pid == daemon_pid(home)
            assert (await second.status()).tables == ()
        assert home.socket.stat().st_mode & 0o777 == 0o600
        assert home.socket.parent.stat().st_mode & 0o777 == 0o700
        assert await first.stop() == "The daemon has stopped."
    wait_until_ended(home)
    assert not home.socket.exists()


async def test_front_ends_that_start_at_once_share_one_daemon(make_home: MakeHome) -> None:
    home = make_home("ann")
    pids: set[int] = set()

    async def start() -> None:
        async with connect(home) as client:
            pids.add(client.pid)

    async with trio.open_nursery() as nursery:
        for _ in range(3):
            nursery.start_soon(start)
    assert pids == {daemon_pid(home)}


async def test_a_daemon_leaves_the_folder_in_which_it_was_started(make_home: MakeHome) -> None:
    """Otherwise its disk could not be unmounted while a game goes on."""
    home = make_home("ann")
    async with connect(home) as client:
        assert Path(f"/proc/{client.pid}/cwd").readlink() == home.state.resolve()


async def test_a_second_daemon_gives_way_and_leaves_the_socket_of_the_first(make_home: MakeHome) -> None:
    home = make_home("ann")
    async with connect(home) as client:
        words = [sys.executable, "-m", "p2pcards.daemon", str(home.state), str(home.config), str(home.socket)]
        second = await trio.run_process(words, capture_stdout=True, check=False)
        assert second.returncode == DAEMON
        assert second.stdout.decode() == f"refused {DAEMON} A daemon is already running here (pid {client.pid}).\n"
        async with connect(home, start=False) as other:
            assert other.pid == client.pid


async def test_after_a_kill_the_next_front_end_starts_a_new_daemon(make_home: MakeHome) -> None:
    home = make_home("ann")
    async with connect(home) as client:
        first = client.pid
        kill_daemon(home)
        with pytest.raises(Declined, match="The daemon stopped") as ended:
            await client.status()
        assert ended.value.code == DAEMON
    assert home.socket.exists()  # what the killed one left
    async with connect(home) as client:
        assert client.pid != first


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_the_daemon_in_order(make_home: MakeHome, number: signal.Signals) -> None:
    home = make_home("ann")
    async with connect(home) as client:
        await client.open(OpenPlay(Rules("hearts")))
        table = await client.attach()
        os.kill(client.pid, number)
        await play_until(table, says("The daemon was stopped. You can resume the game."))
    wait_until_ended(home)
    assert not home.socket.exists()
    assert "daemon ends" in home.diagnostics.read_text()


async def test_a_long_path_moves_the_socket(make_home: MakeHome) -> None:
    home = make_home("x" * 120)
    assert home.socket.parent.parent != home.state
    async with connect(home) as client:
        assert client.pid == daemon_pid(home)
        await client.stop()
    wait_until_ended(home)


async def test_a_home_that_cannot_be_written_is_a_sentence(make_home: MakeHome) -> None:
    home = make_home("ann")
    home.state.parent.joinpath("ann").write_text("a file")
    with pytest.raises(Declined, match="isn't a folder") as refused:
        async with connect(home):
            pass
    assert refused.value.code == STORAGE


async def test_settings_that_are_wrong_are_noted_and_the_defaults_used(make_home: MakeHome) -> None:
    home = make_home("ann")
    home.config.mkdir(parents=True, mode=0o700)
    home.settings.write_text("port = true\n")
    async with connect(home) as client:
        await client.stop()
    noted = home.diagnostics.read_text()
    assert "settings.toml, line 1: The setting 'port' must be a whole number, not true." in noted
    assert home.settings.read_text() == "port = true\n"


async def test_a_stale_daemon_is_named_and_can_be_stopped(make_home: MakeHome, nursery: trio.Nursery) -> None:
    home = make_home("ann")
    make_folders(home)
    ear = socket.socket(socket.AF_UNIX)
    ear.bind(os.fspath(home.socket))
    ear.listen()

    async def old_daemon(stream: trio.SocketStream) -> None:
        async for data in stream:
            for request in request_reader().feed(bytes(data)):
                assert request == Greet(__version__)
                await stream.send_all(encode(Welcome("0.0.9", 7)))

    listener = trio.SocketListener(trio.socket.from_stdlib_socket(ear))
    nursery.start_soon(trio.serve_listeners, old_daemon, [listener])
    with pytest.raises(Declined, match=r"is from another version of p2pcards.*p2pcards stop") as stale:
        async with connect(home):
            pass
    assert stale.value.code == DAEMON
    async with connect(home, any_build=True) as client:
        assert client.pid == 7
    nursery.cancel_scope.cancel()


async def test_a_daemon_that_does_not_answer_is_named(make_home: MakeHome, autojump_clock: MockClock) -> None:
    home = make_home("ann")
    make_folders(home)
    with socket.socket(socket.AF_UNIX) as ear:
        ear.bind(os.fspath(home.socket))
        ear.listen()
        with pytest.raises(Declined, match=rf"doesn't answer.*kill -9 {os.getpid()}"):
            async with connect(home):
                pass


async def test_a_daemon_that_does_not_stop_is_named(
    make_home: MakeHome, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    home = make_home("ann")
    make_folders(home)
    with socket.socket(socket.AF_UNIX) as ear:
        ear.bind(os.fspath(home.socket))
        ear.listen()

        async def hang(stream: trio.SocketStream) -> None:
            await stream.receive_some()
            await stream.send_all(encode(Welcome("0.0.9", 7)))
            await trio.sleep_forever()

        listener = trio.SocketListener(trio.socket.from_stdlib_socket(ear))
        nursery.start_soon(trio.serve_listeners, hang, [listener])
        async with connect(home, any_build=True) as client:
            with pytest.raises(Declined, match=r"doesn't answer.*kill -9 7'"):
                await client.stop()
        nursery.cancel_scope.cancel()


async def test_garbage_on_the_socket_ends_that_front_end_only(make_home: MakeHome) -> None:
    home = make_home("ann")
    async with connect(home) as client:
        stream = await trio.open_unix_socket(os.fspath(home.socket))
        async with stream:
            await stream.send_all(b"\x00\x00\x00\x02hi")
            with trio.fail_after(longest_wait()):
                while await stream.receive_some():
                    pass
        assert (await client.status()).pid == client.pid


async def test_it_ends_after_ten_idle_minutes(make_home: MakeHome, autojump_clock: MockClock) -> None:
    daemon, listener = daemon_of(make_home("ann"))
    began = trio.current_time()
    await daemon.run(listener)
    assert trio.current_time() - began == IDLE == 600


async def test_it_ends_ten_minutes_after_its_last_front_end_has_left(
    make_home: MakeHome, mock_clock: MockClock, nursery: trio.Nursery
) -> None:
    home = make_home("ann")
    daemon, listener = daemon_of(home)
    ended: list[float] = []
    over = trio.Event()

    async def run() -> None:
        await daemon.run(listener)
        ended.append(trio.current_time())
        over.set()

    nursery.start_soon(run)
    async with connect(home, start=False) as client:
        await client.status()
        mock_clock.jump(IDLE / 2)
    await wait_all_tasks_blocked()
    mock_clock.jump(IDLE)
    await over.wait()  # the processes in which computer players think are ended in a thread
    assert ended == [1.5 * IDLE]


async def test_a_front_end_or_a_table_keeps_it(
    make_home: MakeHome, mock_clock: MockClock, nursery: trio.Nursery
) -> None:
    home = make_home("ann")
    daemon, listener = daemon_of(home)
    nursery.start_soon(daemon.run, listener)
    async with connect(home, start=False) as client:
        mock_clock.jump(2 * IDLE)
        await client.open(OpenPlay(Rules("hearts")))
    mock_clock.jump(2 * IDLE)
    async with connect(home, start=False) as client:
        assert [table.front_ends for table in (await client.status()).tables] == [0]
        await client.leave()
        while (await client.status()).tables:
            mock_clock.jump(0.1)
    nursery.cancel_scope.cancel()


async def test_a_full_disk_pauses_the_table_until_there_is_room(make_home: MakeHome) -> None:
    """The limit on the size of files is the daemon's own, set while it runs."""
    home = make_home("ann")
    async with connect(home) as client:
        await client.open(OpenPlay(Rules("crazy_eights"), seed=1))
        table = await client.attach()
        before = await view(table, lambda shown: bool(shown.legal))
        resource.prlimit(client.pid, resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
        await table.command(Command("act", tuple(before.legal[0].split())))
        await play_until(table, says("the file would get too big"))
        with pytest.raises(Declined, match="can't be saved") as refused:
            await table.command(Command("say", ("hello",)))
        assert refused.value.code == STORAGE
        async with connect(home) as another:
            shown = await view(await another.attach(), lambda _: True)
            assert of_game(shown) == of_game(before), "what is shown stands in the log"
        status = (await client.status()).tables[0]
        assert "can't be saved" in status.paused
        assert len(read_log(home.logs / status.log).records) == before.records + 2  # whose log it is, and the header
        resource.prlimit(client.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        await play_until(table, says("The game resumes"))
        await view(table, lambda shown: shown.records > before.records)


def test_run_by_hand_it_wants_three_arguments_or_none(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "p2pcards.daemon", "x"], capture_output=True, text=True, check=False)
    assert done.returncode == USAGE
    assert done.stdout.startswith(f"refused {USAGE} ")
    assert done.stderr == ""


WEB = {"h11", "wsproto", "zipfile", "p2pcards.links.webdoor", "p2pcards.links.websocket", "p2pcards.page.files"}


def test_a_daemon_loads_what_the_web_needs_when_somebody_asks_for_it() -> None:
    look = "import sys, p2pcards.daemon.serve; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert not WEB & set(done.stdout.split())
