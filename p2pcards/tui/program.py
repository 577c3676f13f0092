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
from p2pcards.tui.keys import hear_slow_lines

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
    """As `trio.run`; programs of the full screen can run in it."""
    return asyncio.run(hosted(main, *arguments))


async def hosted(main: Callable[..., Awaitable[R]], *arguments: object) -> R:
    """As `run_hosted`, where asyncio runs already. Trio has ended when this returns, also where it is cancelled."""
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
    """The toolkit paints and reads keys; all that waits for anything is begun in Trio."""

    TITLE = "p2pcards"

    def __init__(self) -> None:
        self._colours: dict[str, str] = {}
        hear_slow_lines()
        super().__init__()
        self._begun, self._to_start = trio.open_memory_channel[Start](math.inf)
        self._apart: trio.Nursery | None = None

    def on_mount(self) -> None:
        keep_through_stops(self._driver)

    def send(self, text: str) -> None:
        """To the terminal, between what the toolkit writes."""
        if self._driver is not None:
            self._driver.write(text)

    def wear(self, palette: Palette) -> None:
        """Paint panels and menus in its colours."""
        colours = toolkit_colours(palette)
        if colours != self._colours:
            self._colours = colours
            self.refresh_css(animate=False)

    def get_css_variables(self) -> dict[str, str]:
        return {**super().get_css_variables(), **self._colours}

    async def until_left(self) -> ReturnType | None:
        """Within Trio: run until the program ends itself; what it returns."""
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
        """The program ends with its terminal, also where nobody tells it, as SIGHUP was ignored when it was started:
        the toolkit would read what never comes without a pause."""
        while not is_hung_up():
            await trio.sleep(LOOK)
        os.kill(os.getpid(), HANG_UP)
        await trio.sleep(ENDING)
        self.exit()

    async def tend(self, ended: trio.Event) -> None:
        """Within Trio: do what is begun, until the program has ended."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._start_all, nursery)
            await ended.wait()
            nursery.cancel_scope.cancel()

    def begin_task(self, deed: Task, *arguments: object) -> None:
        """Do it within Trio, beside all else that is begun. What it raises ends the program, as if a key had raised
        it."""
        self._begun.send_nowait((copy_context(), deed, arguments))

    async def _start_all(self, nursery: trio.Nursery) -> None:
        """In their order: Trio takes tasks that are ready at once in any."""
        async for context, deed, arguments in self._to_start:
            context.run((self._apart or nursery).start_soon, self._do, deed, arguments)
            await trio.lowlevel.checkpoint()

    @asynccontextmanager
    async def tasks_apart(self) -> AsyncIterator[None]:
        """Within Trio: what is begun meanwhile ends with this."""
        async with trio.open_nursery() as nursery:
            self._apart = nursery
            try:
                yield
            finally:
                self._apart = None
                nursery.cancel_scope.cancel()

    async def _do(self, deed: Task, arguments: Sequence[object]) -> None:
        try:
            await deed(*arguments)
        except* Exception as errors:  # they may come in one group with Cancelled
            if self.is_running:  # errors of painting are expected once the screens are closed
                self.call_next(_raise, errors.exceptions[0] if len(errors.exceptions) == 1 else errors)

    def table_ended(self, said: str) -> None:
        """The table that is shown was left or closed; said: the last that is said of it."""
        raise NotImplementedError

    async def asked(self, panel: Screen[R]) -> R | None:
        """Within Trio: show a panel; what it returns when it is left."""
        answers, answered = trio.open_memory_channel[R | None](1)
        self.push_screen(panel, answers.send_nowait)
        return await answered.receive()


def program_of(screen: Screen[Any]) -> Program[Any]:
    """The one that shows this screen."""
    if not isinstance(screen.app, Program):
        raise TypeError("screens of p2pcards are shown by a Program")
    return screen.app


def _raise(error: Exception) -> NoReturn:
    raise error


# --- the terminal -----------------------------------------------------------------------------------------------------


def keep_through_stops(driver: Driver | None) -> None:
    """Where the program was stopped without being asked (SIGSTOP), the terminal is still its own when it goes on: the
    toolkit would take it once more, and wait for the first taking at its end."""
    again = signal.getsignal(signal.SIGCONT) if hasattr(driver, "_must_signal_resume") else None
    if callable(again):
        asked = again

        def go_on(number: int, frame: FrameType | None) -> None:
            if getattr(driver, "_must_signal_resume", False):
                asked(number, frame)

        signal.signal(signal.SIGCONT, go_on)


@contextmanager
def ended_by_signals(let_go: Callable[[], None]) -> Iterator[Sequence[int]]:
    """A signal that ends programs, as when the terminal is closed, has this one let go of its table. Where that is not
    done in ENDING seconds, it ends as it is, with the commands that it runs. Gives the numbers of those that
    have come. One that was ignored before still is; only a terminal that is gone ends the program always."""
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
        """There is nothing to give back."""
        yield

    def is_hung_up() -> bool:
        """A window that is closed ends what runs in it."""
        return False

else:
    import termios

    @contextmanager
    def given_back() -> Iterator[None]:
        """The toolkit gives back what it found when the program last went on, which after a stop is its own."""
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
        """Whether the terminal from which keys are read is gone."""
        try:
            termios.tcgetattr(sys.__stdin__ or 0)
        except termios.error as error:
            return bool(error.args[0] == errno.EIO)
        except ValueError:  # it was closed here
            return False
        return False
