"""A deadline for every test, far above what it needs. A test that passes it fails with the stacks of this process and
of all that the test has started; those are ended, and the next test runs in the same worker."""

from __future__ import annotations

import faulthandler
import gc
import os
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Generator, Iterator
from multiprocessing import resource_tracker
from types import FrameType
from typing import Any

import pytest
import trio

from rigs import forking
from rigs.giving_up import longest_wait
from rigs.started import Process, end_all, mark_children, stacks_of, started_by_us, ticks_now
from rigs.startup.sitecustomize import task_stacks

USUAL, SLOW = 300.0, 1800.0
"""Seconds at rest for each of the setup, the call and the teardown of a test; the dearest takes a quarter of them."""

GRACE = 10.0
"""Seconds at rest from the deadline until it is enforced harder, and then again and again."""


MOST_ALARMS = 10
"""Heard by one test. One that goes on after all of them is ended with its process."""


class DeadlinePassed(BaseException):
    """Raised wherever the test is. Neither Hypothesis nor code that goes on after errors catches it."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "deadline(seconds): at rest, instead of the usual one (tests/rigs/deadlines.py)")
    mark_children()
    config.pluginmanager.register(Deadlines(), "deadlines")


class Deadlines:
    def __init__(self) -> None:
        self._errors = os.dup(2)  # pytest captures nothing yet
        self._shared: set[int] = set()  # processes of fixtures that several tests share
        self._test_began = 0  # ticks
        self._phase_began = 0.0
        self._allowed = 0.0  # seconds at rest
        self._alarms = 0  # since the deadline
        self._found = ""  # what was going on when the deadline passed

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, object, object]:
        self._test_began = ticks_now()
        marker = item.get_closest_marker("deadline")
        self._allowed = marker.args[0] if marker else SLOW if item.get_closest_marker("slow") else USUAL
        return (yield from self._hold_to_deadline())

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self) -> Generator[None, object, object]:
        return (yield from self._hold_to_deadline())

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self) -> Generator[None, object, object]:
        try:
            return (yield from self._hold_to_deadline())
        finally:
            faulthandler.cancel_dump_traceback_later()

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
        began = ticks_now()
        made = yield
        if fixturedef.scope != "function":
            self._shared.update(one.pid for one in started_by_us() if one.began >= began)
        return made

    def pytest_enter_pdb(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        faulthandler.cancel_dump_traceback_later()

    def _hold_to_deadline(self) -> Generator[None, object, object]:
        self._found, self._alarms, self._phase_began = "", 0, time.monotonic()
        before = signal.signal(signal.SIGALRM, self._on_alarm)
        signal.setitimer(signal.ITIMER_REAL, longest_wait(self._allowed))
        self._arm_last_resort()
        try:
            result = yield
        except BaseException as error:
            if not self._found:
                raise
            _drop_remains(error)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        if self._found:
            pytest.fail(self._found, pytrace=False)
        return result

    def _arm_last_resort(self) -> None:
        """Compiled code that never comes back hears no alarm. The process ends then, and xdist starts another. Each
        alarm that is heard puts it off, as a loaded machine may need longer from one to the next than it did so far."""
        faulthandler.dump_traceback_later(4 * longest_wait(self._allowed), exit=True, file=self._errors)

    def _on_alarm(self, _number: int, frame: FrameType | None) -> None:
        passed = time.monotonic() - self._phase_began
        left = longest_wait(self._allowed) - passed  # the machine may have become slower
        if not self._found and left > 0:
            signal.setitimer(signal.ITIMER_REAL, left)
            self._arm_last_resort()
            return
        signal.setitimer(signal.ITIMER_REAL, longest_wait(min(GRACE, self._allowed)))
        self._alarms += 1
        if self._alarms <= MOST_ALARMS:
            self._arm_last_resort()
        if self._alarms == 1:
            self._found = f"The test passed its deadline: {passed:.0f} s, {self._allowed:g} s on an idle machine.\n"
            try:
                started = started_by_us()
                self._found += f"{_own_stacks(frame)}\n{stacks_of(started)}"
                end_all([one for one in started if self._is_of_the_test(one)])
            except Exception as error:
                self._found += f"Not all could be found: {error!r}"
        if not _must_raise(self._alarms):
            trio.lowlevel.current_trio_token().run_sync_soon(_cancel_tasks, self._alarms > 1)
            return
        raise DeadlinePassed

    def _is_of_the_test(self, process: Process) -> bool:
        if process.pid in (forking.loaded.pid, getattr(resource_tracker._resource_tracker, "_pid", None)):
            return False
        return process.began >= self._test_began and process.pid not in self._shared


def _own_stacks(frame: FrameType | None) -> str:
    """frame: of the main thread, which has been interrupted in it."""
    threads = {thread.ident: thread.name for thread in threading.enumerate()}
    frames = {**sys._current_frames(), threading.get_ident(): frame}
    return task_stacks() + "".join(
        f"Thread {threads.get(ident, ident)}\n{_below_pytest(last)}" for ident, last in frames.items()
    )


def _below_pytest(last: FrameType | None) -> str:
    stack = traceback.extract_stack(last)
    runner = [number for number, frame in enumerate(stack) if "/_pytest/" in frame.filename]
    return "".join(traceback.format_list(stack[max(runner, default=0) :]))


def _must_raise(alarms: int) -> bool:
    """A task can be raised in. Trio's own loop is broken by it, which is kept for tasks that cannot be canceled."""
    if not trio.lowlevel.in_trio_run():
        return True
    return alarms > (1 if trio.lowlevel.in_trio_task() else 2)


def _cancel_tasks(shielded: bool) -> None:
    """Whatever runs in Trio, the test included. shielded: also what is shielded so that it can clean up."""
    root = trio.lowlevel.current_root_task()
    assert root
    for task in _tasks_below(root) if shielded else ():
        status: Any = task._cancel_status
        while status:
            status._scope.shield = False
            status = status._parent
    root.child_nurseries[-1].cancel_scope.cancel()  # the first one holds what carries out this call


def _tasks_below(task: trio.lowlevel.Task) -> Iterator[trio.lowlevel.Task]:
    for nursery in task.child_nurseries:
        for child in nursery.child_tasks:
            yield child
            yield from _tasks_below(child)


def _drop_remains(error: BaseException | None) -> None:
    """What was broken off complains when it is dropped: now, not in the next test. Trio learns that its run is over."""
    before, sys.unraisablehook = sys.unraisablehook, lambda _: None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            while error:
                traceback.clear_frames(error.__traceback__)
                error = error.__cause__ or error.__context__
            gc.collect()
    finally:
        sys.unraisablehook = before
