"""The serial port, at real ptys."""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import subprocess
import sys
import termios
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from random import Random

import pytest
import serial
import trio

from p2pcards.links.link import StreamFailed
from p2pcards.links.modem import lockfile
from p2pcards.links.modem.calls import dial
from p2pcards.links.modem.port import CannotOpen, SerialPort, open_port
from rigs.giving_up import longest_wait
from rigs.modem.programs import program
from rigs.modem.scripted_modem import ScriptedModem, line, pty_line


@asynccontextmanager
async def port_and_pty(locks: Path) -> AsyncIterator[tuple[SerialPort, trio.lowlevel.FdStream, str]]:
    async with pty_line() as (far, device), await open_port(device, speed=9600, locks=locks) as port:
        with trio.fail_after(longest_wait()):
            yield port, far, device


async def take(stream: trio.abc.ReceiveStream, count: int) -> bytes:
    data = b""
    while len(data) < count:
        data += await stream.receive_some()
    return data


async def test_bytes_go_both_ways_in_any_number(tmp_path: Path) -> None:
    data = Random(1).randbytes(200_000)
    async with port_and_pty(tmp_path) as (port, far, _), trio.open_nursery() as nursery:
        nursery.start_soon(port.send_all, data)
        nursery.start_soon(far.send_all, data)
        assert await take(port, len(data)) == data
        assert await take(far, len(data)) == data
        await far.send_all(b"abc")
        assert await port.receive_some(2) == b"ab"
        assert await port.receive_some(2) == b"c"


async def test_a_read_waits_instead_of_claiming_an_end(tmp_path: Path) -> None:
    async with port_and_pty(tmp_path) as (port, _, _):
        with trio.move_on_after(0.1) as scope:
            await port.receive_some()
        assert scope.cancelled_caught
        attributes = termios.tcgetattr(port._port.fileno())
        assert attributes[6][termios.VMIN] == 1
        assert attributes[2] & termios.HUPCL
        assert not attributes[3] & (termios.ECHO | termios.ICANON)


async def test_a_cancelled_receive_loses_nothing(tmp_path: Path) -> None:
    rng, data = Random(2), Random(3).randbytes(5000)
    async with port_and_pty(tmp_path) as (port, far, _), trio.open_nursery() as nursery:
        nursery.start_soon(far.send_all, data)
        came = b""

        async def receive(scope: trio.CancelScope) -> None:
            nonlocal came
            with scope:
                came += await port.receive_some(7)

        while len(came) < len(data):
            async with trio.open_nursery() as attempt:
                scope = trio.CancelScope()
                attempt.start_soon(receive, scope)
                for _ in range(rng.randrange(4)):
                    await trio.lowlevel.checkpoint()
                scope.cancel()
        assert came == data


async def test_a_pty_has_no_control_lines(tmp_path: Path) -> None:
    async with port_and_pty(tmp_path) as (port, _, _):
        assert port.carrier() is None
        assert port.clear_to_send() is None
        assert port.set_dtr(False) is False
        port.discard_output()


async def test_one_task_at_a_time_and_none_after_closing(tmp_path: Path) -> None:
    async with port_and_pty(tmp_path) as (port, _, _):
        async with trio.open_nursery() as nursery:

            async def receive() -> None:
                with pytest.raises(trio.ClosedResourceError):
                    await port.receive_some()

            nursery.start_soon(receive)
            await trio.testing.wait_all_tasks_blocked()
            with pytest.raises(trio.BusyResourceError):
                await port.receive_some()
            await port.aclose()
        await port.aclose()
        for use in (port.receive_some(), port.send_all(b"x"), port.wait_send_all_might_not_block()):
            with pytest.raises(trio.ClosedResourceError):
                await use


async def test_a_port_that_goes_away_says_so(tmp_path: Path) -> None:
    master, slave = os.openpty()
    async with await open_port(os.ttyname(slave), locks=tmp_path) as port:
        os.close(slave)
        os.close(master)
        for use in (port.receive_some, lambda: port.send_all(b"x")):
            with pytest.raises(StreamFailed, match=r"is gone .* still plugged in"):
                await use()


@pytest.mark.parametrize("low", [True, False])
async def test_cts_that_stays_low_is_told_with_advice(
    low: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pty has no CTS; only this line of it is made up."""
    async with port_and_pty(tmp_path) as (port, _, _):
        monkeypatch.setattr(port, "clear_to_send", lambda: not low)
        monkeypatch.setattr("p2pcards.links.modem.port.STUCK_AFTER", 0.6)
        if low:
            with pytest.raises(StreamFailed, match=r"CTS line is low.*--flow none"):
                await port.send_all(bytes(1_000_000))
        else:
            with trio.move_on_after(1.5) as scope:
                await port.send_all(bytes(1_000_000))
            assert scope.cancelled_caught


async def test_a_port_has_one_user(tmp_path: Path) -> None:
    async with port_and_pty(tmp_path) as (port, _, device):
        with pytest.raises(CannotOpen, match=rf"{device} is in use: .*\(process {os.getpid()}\) has it"):
            await open_port(device, locks=tmp_path)
        elsewhere = tmp_path / "elsewhere"
        with pytest.raises(CannotOpen, match="in use: another program has it open"):
            await open_port(device, locks=elsewhere)
        await port.aclose()
        assert not list(tmp_path.iterdir())
        await (await open_port(device, locks=elsewhere)).aclose()


async def test_a_port_is_closed_to_programs_that_know_no_locks(tmp_path: Path) -> None:
    """Those of other users; the administrator may always."""
    async with port_and_pty(tmp_path) as (port, _, _):
        got = bytearray(4)
        fcntl.ioctl(port._port.fileno(), 0x80045440, got)  # TIOCGEXCL
        assert got[0] == 1


async def test_a_lock_names_its_holder_and_a_stale_one_is_ignored(tmp_path: Path) -> None:
    async with pty_line() as (_, device):
        file = lockfile.lock_paths(device, tmp_path)[-1]
        with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
            file.write_text(f"{other.pid:10d}\n")
            with pytest.raises(CannotOpen, match=rf"in use: python\S* \(process {other.pid}\) has it"):
                await open_port(device, locks=tmp_path)
            other.communicate(b"\n")
        async with await open_port(device, locks=tmp_path):
            assert file.read_text() == f"{os.getpid():10d}\n"
        assert not file.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="nothing else tells when a process began")
@pytest.mark.parametrize(("before", "opens", "held"), [(60, False, False), (60, True, True), (0, False, True)])
async def test_a_lock_is_ignored_once_the_number_of_its_holder_is_anothers(
    tmp_path: Path, before: int, opens: bool, held: bool
) -> None:
    """before: seconds from the lock to the beginning of the process with this number."""
    async with pty_line() as (_, device):
        file = lockfile.lock_paths(device, tmp_path)[-1]
        reads = device if opens else os.devnull
        with (
            Path(reads).open("rb", buffering=0) as given,
            subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, stdout=given) as other,
        ):
            file.write_text(f"{other.pid:10d}\n")
            os.utime(file, (file.stat().st_atime, file.stat().st_mtime - before))
            taken = None
            with suppress(lockfile.DeviceHeld):
                taken = lockfile.take(device, tmp_path)
            other.communicate(b"\n")
        assert (taken is None) == held


@pytest.mark.parametrize(
    "content", [b"", b"nonsense", b"\xff\xfe\x00\x01", b"0", b"-1", b"99999999999999999999", b"4194999"]
)
async def test_a_lock_of_nobody_is_ignored(content: bytes, tmp_path: Path) -> None:
    async with pty_line() as (_, device):
        for file in lockfile.lock_paths(device, tmp_path):
            file.write_bytes(content)
        async with await open_port(device, locks=tmp_path):
            pass


def test_a_lock_is_looked_for_under_every_name(tmp_path: Path) -> None:
    device = tmp_path / "modem"
    device.symlink_to("/dev/null")
    names = [path.name for path in lockfile.lock_paths(str(device), tmp_path)]
    assert names == ["LCK..modem", "LCK..null"]
    names = [path.name for path in lockfile.lock_paths("/dev/pts/7", tmp_path)]
    assert {"LCK..7", "LCK..pts_7"} <= set(names)
    assert lockfile.take(str(device), tmp_path) == tmp_path / "LCK..null"
    lockfile.give_back(tmp_path / "LCK..null")
    assert not (tmp_path / "LCK..null").exists()


async def test_there_is_no_such_port(tmp_path: Path) -> None:
    with pytest.raises(CannotOpen, match=r"There's no port /dev/ttyNOT0\. This machine has"):
        await open_port("/dev/ttyNOT0", locks=tmp_path)
    assert not list(tmp_path.iterdir())


async def test_a_file_is_no_port(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(CannotOpen, match="isn't a serial port"):
        await open_port(str(file), locks=tmp_path / "locks")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (serial.SerialException(errno.EACCES, "no"), "group dialout"),
        (serial.SerialException(errno.EBUSY, "no"), "in use"),
        (ValueError("Invalid baud rate"), "can't run at 9600 bits"),
        (serial.SerialException("strange\nTraceback"), r"isn't a serial port \(strange\)"),
    ],
)
async def test_why_a_port_cannot_be_opened(
    error: Exception, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Errors that the administrator, who runs the tests in a container, never gets."""

    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(serial, "serial_for_url", refuse)
    with pytest.raises(CannotOpen, match=sentence):
        await open_port("/dev/ttyS9", speed=9600, locks=tmp_path)


async def test_nobody_shares_that_port() -> None:
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        with pytest.raises(CannotOpen, match=r"Can't reach the port .*is sharing the port"):
            await open_port(f"socket://127.0.0.1:{free.getsockname()[1]}")


async def test_threads_where_there_is_no_descriptor(tmp_path: Path) -> None:
    data = Random(4).randbytes(3000)
    listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
    with trio.fail_after(longest_wait()):
        async with listeners[0], await open_port(f"socket://127.0.0.1:{listeners[0].socket.getsockname()[1]}") as port:
            async with await listeners[0].accept() as far, trio.open_nursery() as nursery:
                nursery.start_soon(port.send_all, data)
                assert await take(far, len(data)) == data
                with trio.move_on_after(0.25) as scope:
                    await port.receive_some()
                assert scope.cancelled_caught
                nursery.start_soon(far.send_all, data)
                came = b""
                while len(came) < len(data):
                    with trio.move_on_after(0.01):
                        came += await port.receive_some()
                assert came == data
            with pytest.raises(StreamFailed, match="is gone"):
                await port.receive_some()


async def test_a_call_through_a_real_port(tmp_path: Path) -> None:
    async with port_and_pty(tmp_path) as (port, far, _), trio.open_nursery() as nursery:
        modem = ScriptedModem(far, on_dial=((0.1, line("CONNECT 9600") + b"early"),))
        await nursery.start(modem.run)
        async with await dial(port, "555-1234") as call:
            assert await take(call, 5) == b"early"
            await modem.say(b"hello")
            assert await take(call, 5) == b"hello"
            await modem.lose_carrier()
            with pytest.raises(StreamFailed, match="The call ended"):
                await take(call, 1)
        nursery.cancel_scope.cancel()


@pytest.fixture
def ser2net(tmp_path: Path) -> Iterator[tuple[str, int]]:
    """A pty shared by Debian's ser2net as RFC 2217 has it: where the modem sits, and the TCP port."""
    ends = [tmp_path / "modem", tmp_path / "shared"]
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    configuration = tmp_path / "ser2net.yaml"
    configuration.write_text(
        f"""%YAML 1.1
---
connection: &modem
  accepter: telnet(rfc2217),tcp,127.0.0.1,{port}
  connector: serialdev,{ends[1]},9600n81,local
"""
    )
    words = [
        [program("socat"), *(f"pty,raw,echo=0,link={end}" for end in ends)],
        [program("ser2net"), "-n", "-d", "-c", str(configuration), "-P", str(tmp_path / "pid")],
    ]
    started = [subprocess.Popen(each, stdin=subprocess.DEVNULL, start_new_session=True) for each in words]
    try:
        yield str(ends[0]), port
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait(longest_wait())


@pytest.mark.modem
@pytest.mark.filterwarnings(r"ignore:set(Daemon|Name)\(\) is deprecated:DeprecationWarning")
async def test_a_modem_that_another_machine_shares(ser2net: tuple[str, int], tmp_path: Path) -> None:
    device, number = ser2net
    port: SerialPort | None = None
    with trio.fail_after(longest_wait()):
        while port is None:
            try:
                port = await open_port(f"rfc2217://127.0.0.1:{number}?ign_set_control", speed=9600, flow="none")
            except CannotOpen:
                await trio.sleep(0.1)
        async with port, await open_port(device, locks=tmp_path) as far, trio.open_nursery() as nursery:
            modem = ScriptedModem(far, on_dial=((0.1, line("CONNECT 9600")),))
            await nursery.start(modem.run)
            call = await dial(port, "555-1234")
            data = bytes(range(256)).replace(b"\r", b"")
            await call.send_all(data)
            await modem.say(data)
            assert await take(call, len(data)) == data
            while bytes(modem.received) != data:
                await trio.sleep(0.05)
            await call.aclose()
            nursery.cancel_scope.cancel()
        # It cannot set the control lines of a pty, and so never confirms that it has.
        with pytest.raises(CannotOpen, match="Add 'ign_set_control'"):
            await open_port(f"rfc2217://127.0.0.1:{number}", flow="none")
