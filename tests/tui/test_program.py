"""Trio in the event loop of a full-screen program."""

from __future__ import annotations

import asyncio

import pytest
import trio

from p2pcards.tui.program import Program, run_as_guest, run_hosted
from rigs.giving_up import longest_wait
from rigs.screen_table import piloted


async def test_what_is_begun_ends_with_the_program() -> None:
    ended = []

    async def wait() -> None:
        try:
            await trio.sleep_forever()
        finally:
            ended.append(True)

    async def sit() -> None:
        app = Program[str]()
        async with piloted(app) as pilot:
            app.begin_task(wait)
            await pilot.pause()
            app.exit("done")

    await trio.to_thread.run_sync(asyncio.run, sit())
    assert ended == [True]


def test_an_error_while_the_screens_close_is_dropped() -> None:
    """Such as that of a timer that paints when the last screen is gone."""
    begun = asyncio.Event()

    async def paint(app: Program[str]) -> None:
        try:
            begun.set()
            await trio.sleep_forever()
        finally:
            app.screen.refresh()

    async def stay(app: Program[str]) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.sleep_forever)
            nursery.start_soon(paint, app)

    async def sit() -> None:
        app = Program[str]()
        async with piloted(app):
            app.begin_task(stay, app)
            await begun.wait()

    asyncio.run(sit())


def test_what_is_begun_at_once_begins_in_that_order() -> None:
    begun = []

    async def note(number: int) -> None:
        begun.append(number)

    async def sit() -> None:
        app = Program[str]()
        async with piloted(app) as pilot:
            for number in range(20):
                app.begin_task(note, number)
            await pilot.pause()

    asyncio.run(sit())
    assert begun == [*range(20)]


def test_what_goes_wrong_in_trio_ends_the_program_with_that_error() -> None:
    async def fail() -> None:
        await trio.lowlevel.checkpoint()
        raise LookupError("here")

    async def sit() -> None:
        app = Program[str]()
        async with piloted(app) as pilot:
            app.begin_task(fail)
            while app.is_running:
                await pilot.pause()

    with pytest.raises(LookupError, match="here"):
        asyncio.run(sit())


def test_trio_returns_and_raises_as_it_does_alone() -> None:
    async def answer(value: int) -> int:
        await trio.sleep(0)
        return 1 // value

    assert run_hosted(answer, 1) == 1
    with pytest.raises(ZeroDivisionError):
        run_hosted(answer, 0)


def test_trio_has_ended_when_its_host_is_cancelled() -> None:
    ended = []

    async def sit() -> None:
        begun = asyncio.Event()

        async def stay() -> None:
            begun.set()
            with trio.CancelScope(shield=True):
                await trio.sleep(0.01)
            try:
                await trio.sleep_forever()
            finally:
                ended.append(True)

        task = asyncio.create_task(run_as_guest(stay))
        async with asyncio.timeout(longest_wait()):
            await begun.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(sit())
    assert ended == [True]
