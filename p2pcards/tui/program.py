"""A program of the full screen: Textual and Trio in one event loop, at a terminal that is as it was afterwards,
whatever happens."""

from __future__ import annotations

import asyncio
import errno
import math
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import Context, copy_context
from types import FrameType
from typing import Any, Generic, NoReturn, TypeVar

import trio
from textual.app import App, ReturnType
from textual.driver import Driver
from textual.screen import Screen

from p2pcards.control.own_command import end_own_commands
from p2pcards.tui.appearance import Palette, toolkit_colours
from p2pcards.tui.keys import use_slow_line_parser

R = TypeVar("R")
Task = Callable[..., Awaitable[object]]
Start = tuple[Context, Task, Sequence[object]]
"""With the variables that the toolkit sets for who begins it."""

ENDING = 5.0
"""Seconds that the program has to end in once it is told to; a terminal that takes nothing more keeps the toolkit
waiting for ever."""

LOOK = 1.0
"""Seconds between two looks whether the terminal is still there."""
HANG_UP = getattr(signal, "SIGHUP", signal.SIGTERM)

# --- one event loop: the toolkit's is asyncio's, and Trio is a guest in it --------------------------------------------


def run_hosted(main: Callable[..., Awaitable[R]], *arguments: object) -> R:
    """Like `trio.run`, in an event loop in which full-screen programs can run too."""
    return asyncio.run(run_as_guest(main, *arguments))


async def run_as_guest(main: Callable[..., Awaitable[R]], *arguments: object) -> R:
    """Like `run_hosted`, where asyncio is running already. Trio has ended when it returns, even if cancelled."""
    loop, scope = asyncio.get_running_loop(), trio.CancelScope()
    ended: asyncio.Future[Any] = loop.create_future()

    async def within() -> R:
        with scope:
            return await main(*arguments)
        raise asyncio.CancelledError

    trio.lowlevel.start_guest_run(
        within,
        run_sync_soon_threadsafe=loop.call_soon_threadsafe,
        run_sync_soon_not_threadsafe=loop.call_soon,
        done_callback=ended.set_result,
    )
    try:
        await asyncio.shield(ended)
    finally:
        scope.cancel()
        result: R = (await ended).unwrap()
    return result


class Program(App[ReturnType], Generic[ReturnType]):
    """A full-screen program: the toolkit paints and reads keys, and everything that waits runs in Trio."""

    TITLE = "p2pcards"

    def __init__(self) -> None:
        self._colours: dict[str, str] = {}
        use_slow_line_parser()
        super().__init__()
        self._begun, self._to_start = trio.open_memory_channel[Start](math.inf)
        self._apart: trio.Nursery | None = None

    def on_mount(self) -> None:
        keep_through_stops(self._driver)

    def send(self, text: str) -> None:
        """Write to the terminal, in turn with the toolkit."""
        if self._driver is not None:
            self._driver.write(text)

    def wear(self, palette: Palette) -> None:
        """Paint panels and menus in this palette."""
        colours = toolkit_colours(palette)
        if colours != self._colours:
            self._colours = colours
            self.refresh_css(animate=False)

    def get_css_variables(self) -> dict[str, str]:
        return {**super().get_css_variables(), **self._colours}

    async def until_left(self) -> ReturnType | None:
        """Within Trio: run the program until it ends itself, and return its result."""
        ended = trio.Event()
        running = asyncio.get_running_loop().create_task(self.run_async())
        running.add_done_callback(lambda _: ended.set())
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._until_hung_up)
                await self.tend(ended)
                nursery.cancel_scope.cancel()
        finally:
            if not ended.is_set():
                self.exit()
            with trio.CancelScope(shield=True):
                await ended.wait()
        return running.result()

    async def _until_hung_up(self) -> None:
        """End the program with its terminal, even if SIGHUP is ignored: the toolkit would read from the dead terminal
        without pause."""
        while not is_hung_up():
            await trio.sleep(LOOK)
        os.kill(os.getpid(), HANG_UP)
        await trio.sleep(ENDING)
        self.exit()

    async def tend(self, ended: trio.Event) -> None:
        """Within Trio: run the tasks that are begun, until the program has ended."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._start_in_order, nursery)
            await ended.wait()
            nursery.cancel_scope.cancel()

    def begin_task(self, deed: Task, *arguments: object) -> None:
        """Run this within Trio, beside the other tasks. An exception ends the program, as if a key handler had raised
        it."""
        self._begun.send_nowait((copy_context(), deed, arguments))

    async def _start_in_order(self, nursery: trio.Nursery) -> None:
        """Start the tasks in order; Trio itself would run those that are ready in any order."""
        async for context, deed, arguments in self._to_start:
            context.run((self._apart or nursery).start_soon, self._run_task, deed, arguments)
            await trio.lowlevel.checkpoint()

    @asynccontextmanager
    async def tasks_apart(self) -> AsyncIterator[None]:
        """Within Trio: tasks begun meanwhile end with this context."""
        async with trio.open_nursery() as nursery:
            self._apart = nursery
            try:
                yield
            finally:
                self._apart = None
                nursery.cancel_scope.cancel()

    async def _run_task(self, deed: Task, arguments: Sequence[object]) -> None:
        try:
            await deed(*arguments)
        except* Exception as errors:  # they may come in one group with Cancelled
            if self.is_running:  # errors of painting are expected once the screens are closed
                self.call_next(_raise_error, errors.exceptions[0] if len(errors.exceptions) == 1 else errors)

    def table_ended(self, said: str) -> None:
        """React to the end of the shown table. said: the closing sentence."""
        raise NotImplementedError

    async def asked(self, panel: Screen[R]) -> R | None:
        """Within Trio: show a panel, and return its result."""
        answers, answered = trio.open_memory_channel[R | None](1)
        self.push_screen(panel, answers.send_nowait)
        return await answered.receive()


def running_program(screen: Screen[Any]) -> Program[Any]:
    """The program that shows this screen."""
    if not isinstance(screen.app, Program):
        raise TypeError("screens of p2pcards are shown by a Program")
    return screen.app


def _raise_error(error: Exception) -> NoReturn:
    raise error


# --- the terminal -----------------------------------------------------------------------------------------------------


def keep_through_stops(driver: Driver | None) -> None:
    """Keep the terminal over a SIGSTOP: when the program goes on it still has the terminal, but the toolkit would take
    it again, and restore the wrong state at its end."""
    again = signal.getsignal(signal.SIGCONT) if hasattr(driver, "_must_signal_resume") else None
    if callable(again):
        asked = again

        def go_on(number: int, frame: FrameType | None) -> None:
            if getattr(driver, "_must_signal_resume", False):
                asked(number, frame)

        signal.signal(signal.SIGCONT, go_on)


@contextmanager
def release_on_signals(let_go: Callable[[], None]) -> Iterator[Sequence[int]]:
    """Call `let_go` at a signal that ends programs; if the program is still there after ENDING seconds, end it and the
    commands that it runs. Gives the list of the signals' numbers. Signals that were ignored before stay ignored, but
    for the loss of the terminal."""
    loop = trio.lowlevel.current_trio_token()
    came: list[int] = []

    def end(number: int, _frame: FrameType | None) -> None:
        if number in unheeded and not is_hung_up():
            return
        came.append(number)
        signal.setitimer(signal.ITIMER_REAL, ENDING)
        loop.run_sync_soon(let_go)

    def end_at_once(_number: int, _frame: FrameType | None) -> None:
        end_own_commands()
        signal.signal(came[0], signal.SIG_DFL)
        os.kill(os.getpid(), came[0])

    ends = (signal.SIGINT, signal.SIGTERM, HANG_UP)
    unheeded = [one for one in ends if signal.getsignal(one) == signal.SIG_IGN]
    heeded = [one for one in ends if one not in unheeded or one == HANG_UP]
    handlers = {**dict.fromkeys(heeded, end), signal.SIGALRM: end_at_once}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield came
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


if sys.platform == "win32":

    @contextmanager
    def given_back() -> Iterator[None]:
        """Do nothing: a console of Windows needs no restoring."""
        yield

    def is_hung_up() -> bool:
        """False: closing a window of Windows ends the programs in it."""
        return False

else:
    import termios

    @contextmanager
    def given_back() -> Iterator[None]:
        """Restore the terminal's modes at the end: after a stop the toolkit would restore its own."""
        try:
            before = termios.tcgetattr(sys.__stdin__) if sys.__stdin__ else None
        except (termios.error, ValueError):
            before = None
        try:
            yield
        finally:
            if before is not None and sys.__stdin__:
                with suppress(termios.error):  # it may be closed
                    termios.tcsetattr(sys.__stdin__, termios.TCSADRAIN, before)

    def is_hung_up() -> bool:
        """Return whether the terminal from which keys are read has gone."""
        try:
            termios.tcgetattr(sys.__stdin__ or 0)
        except termios.error as error:
            return bool(error.args[0] == errno.EIO)
        except ValueError:  # it was closed here
            return False
        return False
