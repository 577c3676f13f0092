"""The serial port: a modem's or a cable's bytes as a Trio stream, with the control lines beside them."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

import trio

from p2pcards.links.link import StreamFailed, alone, must_be_some
from p2pcards.links.modem import lockfile

if TYPE_CHECKING:  # a browser has no ports, and most tables need none
    import serial

# --- the serial port --------------------------------------------------------------------------------------------------


if sys.platform == "win32":
    TerminalError = OSError
else:
    import fcntl
    import termios

    TerminalError = termios.error  # which is not an OSError

Flow = Literal["rtscts", "xonxoff", "none"]

STUCK_AFTER = 30.0
"""Seconds that CTS may be low while bytes wait; modems that train anew take up to twenty."""
POLL = 0.25
"""Seconds between looks at a control line."""
THREAD_WAIT = 0.1
"""Seconds that a thread waits for bytes at a time, so that it can be ended."""
MOST = 4096


class CannotOpen(Exception):
    """This port cannot be used; `sentence` says why and what to try."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class Port(Protocol):
    """What the dialogue and the call need of a serial port, beside a byte stream; `device` names it for people."""

    @property
    def device(self) -> str:
        """The device's name, for people."""

    async def receive_some(self, max_bytes: int | None = None) -> bytes: ...
    async def send_all(self, data: bytes | bytearray | memoryview) -> None: ...
    async def wait_send_all_might_not_block(self) -> None: ...
    def carrier(self) -> bool | None:
        """True if DCD is high, None if unknown."""

    def clear_to_send(self) -> bool | None:
        """True if the other end takes bytes (CTS), None if unknown."""

    def set_dtr(self, ready: bool) -> bool:
        """Raise or drop DTR; False if that is impossible."""

    def discard_output(self) -> None:
        """Drop bytes not yet sent."""


async def open_port(
    device: str, *, speed: int = 115200, flow: Flow = "rtscts", locks: Path = lockfile.FOLDER
) -> SerialPort:
    """Open a serial port (a device, or a URL of pyserial) at this speed in bits a second, 8 bits without parity, for
    ourselves alone; raises CannotOpen. Its DTR is raised."""
    if "://" in device:
        return SerialPort(await trio.to_thread.run_sync(_open, device, speed, flow), device, None)
    if sys.platform == "win32":
        return SerialPort(_open(device, speed, flow), device, None)
    try:
        lock = lockfile.take(device, locks)
    except lockfile.DeviceHeld as held:
        raise CannotOpen(_BUSY.format(device=device, who=f"{held} has it open")) from None
    try:
        port = _open(device, speed, flow)
        _make_raw(port.fileno(), exclusive=True)
    except TerminalError as error:
        lockfile.give_back(lock)
        raise CannotOpen(_why_not_open(device, speed, OSError(*error.args))) from None
    except BaseException:
        lockfile.give_back(lock)
        raise
    return SerialPort(port, device, lock)


_BUSY = "The port {device} is in use: {who}. Quit that program, or choose another port with --device."


def _open(device: str, speed: int, flow: Flow) -> serial.Serial:
    """Open a port with pyserial."""
    import serial

    local = "://" not in device
    try:
        return serial.serial_for_url(
            device,
            baudrate=speed,
            timeout=THREAD_WAIT,
            rtscts=flow == "rtscts",
            xonxoff=flow == "xonxoff",
            exclusive=True if local and sys.platform != "win32" else None,
        )
    except (OSError, ValueError) as error:
        raise CannotOpen(_why_not_open(device, speed, error)) from None


def _why_not_open(device: str, speed: int, error: OSError | ValueError) -> str:
    """The sentence for a port that cannot be opened."""
    number = getattr(error, "errno", None)
    if "://" in device:
        if "'control'" in str(error):
            return (
                f"The port {device} is shared by a program that doesn't confirm its control lines. "
                "Add 'ign_set_control' to it, as in 'rfc2217://host:port?ign_set_control'."
            )
        return f"Can't reach the port {device}: {_reason(error)}. Check that its machine is sharing the port."
    if number in (errno.ENOENT, errno.ENXIO, errno.ENODEV, errno.ENOTDIR):
        from serial.tools import list_ports

        there = ", ".join(sorted(port.device for port in list_ports.comports()))
        return f"There's no port {device}. " + (
            f"This machine has: {there}." if there else "This machine has no serial port. Is the modem plugged in?"
        )
    if number in (errno.EBUSY, errno.EAGAIN):
        return _BUSY.format(device=device, who="another program has it open")
    if number in (errno.EACCES, errno.EPERM):
        return (
            f"You don't have permission to use the port {device}. On most systems you need to be in the group dialout: "
            "'sudo usermod -a -G dialout $USER', then log in again."
        )
    if isinstance(error, ValueError) or number == errno.EINVAL:
        return (
            f"The port {device} can't run at {speed} bits per second. Choose another speed with --speed, such as 9600."
        )
    return f"{device} isn't a serial port ({_reason(error)}). Choose one with --device."


def _reason(error: Exception) -> str:
    """The system's reason for an error, as short text."""
    number = getattr(error, "errno", None)
    text = os.strerror(number) if number else str(error).partition("\n")[0]
    return "".join(character for character in text if character.isprintable())[:100].rstrip(".")


def _make_raw(descriptor: int, *, exclusive: bool) -> None:
    """Undo what pyserial sets: reads wait for a byte, and a process that dies hangs up."""
    if sys.platform != "win32":
        attributes = termios.tcgetattr(descriptor)
        attributes[2] |= termios.HUPCL
        attributes[6][termios.VMIN] = 1
        attributes[6][termios.VTIME] = 0
        termios.tcsetattr(descriptor, termios.TCSANOW, attributes)
        with suppress(OSError):
            fcntl.ioctl(descriptor, termios.TIOCEXCL if exclusive else termios.TIOCNXCL)


class SerialPort(trio.abc.Stream):
    """An open serial port. Made by open_port. It has no end of file: a port that goes away raises StreamFailed."""

    def __init__(self, port: serial.Serial, device: str, lock: Path | None) -> None:
        self.device = device
        self._port = port
        self._lock = lock
        self._threads = "://" in device or sys.platform == "win32"
        self._closed = False
        self._sending = trio.Lock()
        self._receiving = trio.Lock()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """At least one byte. A cancelled receive loses nothing."""
        must_be_some(max_bytes)
        await trio.lowlevel.checkpoint_if_cancelled()
        self._not_closed()
        with alone(self._receiving, "reading from this port"):
            while True:
                try:
                    data = await self._read(max_bytes or MOST)
                except BlockingIOError:
                    await trio.lowlevel.wait_readable(self._port.fileno())
                except (OSError, TypeError) as error:
                    self._not_closed()
                    raise self._gone(error) from None
                else:
                    self._not_closed()
                    if data:
                        return data

    async def _read(self, most: int) -> bytes:
        """Read what is there, at most so many bytes."""
        if self._threads:
            # Nothing is lost if this is cancelled: Trio waits for the thread and takes what it brings.
            return await trio.to_thread.run_sync(lambda: self._port.read(min(most, self._port.in_waiting or 1)))
        data = os.read(self._port.fileno(), most)
        await trio.lowlevel.cancel_shielded_checkpoint()
        if not data:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return data

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await trio.lowlevel.checkpoint_if_cancelled()
        self._not_closed()
        with alone(self._sending, "writing to this port"), memoryview(data) as view:
            try:
                if self._threads:
                    await trio.to_thread.run_sync(self._port.write, bytes(view), abandon_on_cancel=True)
                    return
                sent = 0
                while sent < len(view):
                    try:
                        sent += os.write(self._port.fileno(), view[sent:])
                    except BlockingIOError:
                        await self._wait_writable()
                    self._not_closed()
                await trio.lowlevel.cancel_shielded_checkpoint()
            except trio.ClosedResourceError:
                raise
            except OSError as error:
                self._not_closed()
                raise self._gone(error) from None

    async def wait_send_all_might_not_block(self) -> None:
        await trio.lowlevel.checkpoint_if_cancelled()
        self._not_closed()
        with alone(self._sending, "writing to this port"):
            if not self._threads:
                await self._wait_writable()

    async def _wait_writable(self) -> None:
        """Wait until the port takes bytes. Raises StreamFailed when CTS blocks for too long."""
        low_since: float | None = None
        while True:
            with trio.move_on_after(POLL):
                await trio.lowlevel.wait_writable(self._port.fileno())
                return
            now = trio.current_time()
            if self.clear_to_send() is not False:
                low_since = None
            else:
                low_since = now if low_since is None else low_since
                if now - low_since >= STUCK_AFTER:
                    raise StreamFailed(stuck(self.device))

    def carrier(self) -> bool | None:
        """True if DCD is high, None if unknown. An unwired line may read either way."""
        return self._line("cd")

    def clear_to_send(self) -> bool | None:
        """True if the other end takes bytes (CTS), None if unknown or not used (--flow none)."""
        return self._line("cts") if self._port.rtscts else None

    def control_lines(self) -> dict[str, bool | None]:
        """For each line the modem drives, by name, True if it is high; None if unknown."""
        return {"CTS": self._line("cts"), "DSR": self._line("dsr"), "DCD": self._line("cd"), "RI": self._line("ri")}

    def _line(self, name: Literal["cd", "cts", "dsr", "ri"]) -> bool | None:
        """True if this control line is high, None if unknown."""
        try:
            return bool(getattr(self._port, name))
        except (OSError, NotImplementedError):
            return None

    def set_dtr(self, ready: bool) -> bool:
        """Raise or drop DTR; False where it cannot be done."""
        try:
            self._port.dtr = ready
        except (OSError, ValueError, NotImplementedError):  # a shared port that does not confirm it is a ValueError
            return False
        return True

    def discard_output(self) -> None:
        """Forget what was written and has not gone out."""
        with suppress(OSError, TerminalError, NotImplementedError):
            self._port.reset_output_buffer()

    def _not_closed(self) -> None:
        """Raise ClosedResourceError if the port was closed here."""
        if self._closed:
            raise trio.ClosedResourceError("this port was closed")

    def _gone(self, error: Exception) -> StreamFailed:
        """The StreamFailed for a port that has gone away."""
        return StreamFailed(
            f"The port {self.device} is gone ({_reason(error)}). Check that the modem or cable is still plugged in."
        )

    async def aclose(self) -> None:
        """Close and give up the locks; what has not gone out is dropped, and DTR with it."""
        if not self._closed:
            self._closed = True
            if not self._threads:
                trio.lowlevel.notify_closing(self._port.fileno())
                self.discard_output()
                with suppress(OSError, TerminalError):
                    _make_raw(self._port.fileno(), exclusive=False)
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(self._port.close)
            lockfile.give_back(self._lock)
        await trio.lowlevel.checkpoint()


def stuck(device: str) -> str:
    """The sentence for a device whose CTS stays low."""
    return (
        f"The device at {device} accepts no data: its CTS line is low. Check that it's switched on. If its cable has "
        "no CTS line, use '--flow none'."
    )
