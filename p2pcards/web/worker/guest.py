"""Trio as a guest of the browser's loop, which no Python program may block.

Trio has a guest mode for programs whose main loop is another's; what it lacks here is a system to wait at. Five things
of Trio's insides are replaced, each because WebAssembly has no such thing, and `tests/web/test_guest.py` holds them to
the Trio that is locked:

- `select.kqueue`, which Trio takes on every system that is neither Linux nor Windows: one that knows of nothing but the
  bells below, and remembers how long Trio would have waited;
- `socket.socketpair`, by which Trio wakes itself up: a bell, which rings at one end and is heard at the other;
- `start_thread_soon`, by which a guest waits in a thread: a timer of the browser's, which a bell ends early;
- `trio.open_tcp_stream` and `trio.open_tcp_listeners`: there is no network but WebSockets;
- `trio.to_thread.run_sync`: no thread starts here, so what was meant for one runs at once, and the loop stands
  meanwhile.
"""

from __future__ import annotations

import errno
import select
import socket
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeVar

T = TypeVar("T")

LONGEST = 86400.0
"""Seconds of one wait; then Trio is asked again. The browser's timers end at 24 days."""

# --- what Trio waits at: bells, and the time --------------------------------------------------------------------------


READ, ADD, DELETE, ONESHOT = -1, 1, 2, 16
"""Of kqueue(2), as are the names below."""
KQUEUE = {
    "KQ_FILTER_READ": READ,
    "KQ_FILTER_WRITE": -2,
    "KQ_FILTER_PROC": -5,
    "KQ_EV_ADD": ADD,
    "KQ_EV_DELETE": DELETE,
    "KQ_EV_ENABLE": 4,
    "KQ_EV_ONESHOT": ONESHOT,
    "KQ_EV_ERROR": 16384,
    "KQ_NOTE_EXIT": 1 << 31,
}


class RungSocket:
    """Both ends of a socket pair in one. woken: called at every send."""

    numbers = count(1 << 20)  # no file has such a number

    def __init__(self, woken: Callable[[], None]) -> None:
        self.rung = False
        self._woken = woken
        self._number = next(self.numbers)

    def send(self, data: bytes) -> int:
        self.rung = True
        self._woken()
        return len(data)

    def recv(self, _most: int) -> bytes:
        self.rung = False
        raise BlockingIOError

    def fileno(self) -> int:
        return self._number

    def setblocking(self, _blocking: bool) -> None: ...
    def setsockopt(self, *_option: object) -> None: ...
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Kevent:
    """A change of what is watched, or an event there."""

    ident: Any
    filter: int = READ
    flags: int = ADD

    @property
    def number(self) -> int:
        """The number of the watched file."""
        return self.ident if isinstance(self.ident, int) else int(self.ident.fileno())


class Kqueue:
    """The kqueue on which Trio would wait. wanted: for how many seconds it last asked to wait."""

    def __init__(self, woken: Callable[[], None]) -> None:
        self.wanted = 0.0
        self._woken = woken
        self._bells: dict[int, RungSocket] = {}
        self._watched: dict[int, int] = {}

    def pair(self, *_kind: object) -> tuple[RungSocket, RungSocket]:
        """A socket pair whose both ends are one object."""
        bell = RungSocket(self._woken)
        self._bells[bell.fileno()] = bell
        return bell, bell

    def control(self, changes: Sequence[Kevent], most: int, timeout: float | None = None) -> list[Kevent]:
        """Apply the changes, and return the events there are, without waiting."""
        self.wanted = LONGEST if timeout is None else timeout
        for change in changes:
            if change.filter == READ and change.flags & DELETE:
                self._watched.pop(change.number, None)
            elif change.filter == READ:
                self._watched[change.number] = change.flags
        heard = [number for number in self._watched if (bell := self._bells.get(number)) and bell.rung][:most]
        events = [Kevent(number, READ, self._watched[number]) for number in heard]
        for event in events:
            if event.flags & ONESHOT:
                del self._watched[event.number]
        return events

    def close(self) -> None:
        """Do nothing: no file is open."""


# --- the browser's loop -----------------------------------------------------------------------------------------------


class Loop:
    """Runs calls in the browser's event loop, soon or later. worker: what JavaScript calls `self`."""

    def __init__(self, worker: Any) -> None:
        self.waiting = Kqueue(self.wake_early)
        self._worker = worker
        self._due: deque[Callable[[], object]] = deque()
        self._woken: Callable[[], object] | None = None
        self._timer: Any = None
        self._post: Any = None

    def open(self) -> None:
        """Take what is needed from JavaScript, which a snapshot of Python cannot hold (page/worker.js)."""
        from pyodide.ffi import create_once_callable, create_proxy

        self._once: Callable[[Callable[..., object]], Any] = create_once_callable
        # A message to oneself comes back at once, and lets others go first; a timer takes 4 ms at the least.
        channel = self._worker.MessageChannel.new()
        channel.port1.onmessage = create_proxy(self._run_next)
        self._post = channel.port2

    def call_soon(self, call: Callable[[], object]) -> None:
        self._due.append(call)
        self._post.postMessage(0)

    def call_later(self, seconds: float, call: Callable[[], object]) -> None:
        """Run the call once, after so many seconds or at `wake`. It is the only one waiting."""
        self._woken = call
        self._timer = self._worker.setTimeout(self._once(self._run_delayed), min(seconds, LONGEST) * 1000)

    def wake_early(self) -> None:
        if self._woken is not None:
            self._worker.clearTimeout(self._timer)
            self.call_soon(self._take_woken())

    def _run_next(self, *_: object) -> None:
        self._due.popleft()()

    def _run_delayed(self, *_: object) -> None:
        if self._woken is not None:
            self._take_woken()()

    def _take_woken(self) -> Callable[[], object]:
        call, self._woken = self._woken, None
        assert call is not None
        return call


def host_trio(worker: Any) -> Loop:
    """Make Trio a guest of this worker's event loop; it must not be imported yet."""
    loop = Loop(worker)
    waiting = loop.waiting
    vars(select).update(KQUEUE, kqueue=lambda: waiting, kevent=Kevent)
    vars(socket).update(socketpair=waiting.pair)
    import trio
    from outcome import Value, capture
    from trio._core import _run

    def start_thread_soon(wait: Callable[[], T], deliver: Callable[[Any], object], _name: object = None) -> None:
        found = capture(wait)  # at once; that it asks the kqueue says how long it would have taken
        if found != Value([]):
            loop.call_soon(lambda: deliver(found))
        else:
            loop.call_later(waiting.wanted, lambda: deliver(capture(wait)))

    async def run_here(function: Callable[..., T], *arguments: Any, **_manner: object) -> T:
        await trio.lowlevel.checkpoint()
        return function(*arguments)

    async def no_network(*_where: object, **_manner: object) -> None:
        await trio.lowlevel.checkpoint()
        raise OSError(errno.ENETUNREACH, "a page can only use WebSockets")

    vars(trio).update(open_tcp_stream=no_network, open_tcp_listeners=no_network)
    vars(_run).update(start_thread_soon=start_thread_soon)
    vars(trio.to_thread).update(run_sync=run_here)
    return loop


def begin_trio(loop: Loop, main: Callable[[], Awaitable[T]], done: Callable[[Any], object]) -> None:
    """Run `main` under Trio beside everything else in the worker. done: called with its outcome."""
    import trio

    loop.open()
    trio.lowlevel.start_guest_run(
        main,
        run_sync_soon_threadsafe=loop.call_soon,
        done_callback=done,
        host_uses_signal_set_wakeup_fd=True,
    )
