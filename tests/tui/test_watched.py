"""A session in which the computer plays every hand, on the screen of a table."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from multiprocessing import resource_tracker
from pathlib import Path
from random import Random

import pytest
import trio
from textual.pilot import Pilot

from p2pcards.control.messages import Happened
from p2pcards.daemon.thinking import TRIES, decide_now, thinking_apart
from p2pcards.frontend.autoplay import Autoplay, SessionPlan
from p2pcards.frontend.manner import Manner
from p2pcards.frontend.replayed import Replayed
from p2pcards.frontend.watched import TableApart
from p2pcards.frontend.words import WORDS
from p2pcards.games.registry import GAMES
from p2pcards.ledger.verify import moments, read_transcript
from p2pcards.players.characters import CHARACTERS
from p2pcards.session.effects import Think
from p2pcards.tui.app import TableApp
from p2pcards.tui.appearance import Appearance, Palette, Sitting
from p2pcards.tui.felt import Felt
from p2pcards.tui.help_screen import HelpScreen
from p2pcards.tui.menu_bar import MenuBar
from p2pcards.tui.panels import ReadingPanel
from p2pcards.tui.picture.faces import Look
from p2pcards.tui.table_screen import TableScreen
from p2pcards.views.happenings import Acted, Happening
from p2pcards.views.standpoint import CastMember
from p2pcards.views.tableview import TableView
from rigs.giving_up import longest_wait
from rigs.recorded import played
from rigs.screen_table import piloted

STOPS = "The computer plays every hand (Q stops it)."


def session(key: str = "whist", games: int | None = 1, level: str = "novice", seed: int = 3) -> Autoplay:
    return Autoplay(SessionPlan(key, next(iter(GAMES[key].presets)), {}, level, level), games, "Ann", Random(seed))


async def decide_here(think: Think) -> object:
    return decide_now(think)


class Steps:
    """The pauses of a session: each ends when the test takes a step. slept: their seconds."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self._steps = trio.Semaphore(0)

    def take(self, count: int = 1) -> None:
        for _ in range(count):
            self._steps.release()

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await self._steps.acquire()


@dataclass(frozen=True, slots=True)
class Watched:
    pilot: Pilot[str]
    session: Autoplay | Replayed
    steps: Steps

    @property
    def screen(self) -> TableScreen:
        found = self.pilot.app.screen_stack[1]
        assert isinstance(found, TableScreen)
        return found

    def text(self) -> str:
        return "\n".join(self.screen.query_one(Felt).picture.text())

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def until(self, there: Callable[[], bool]) -> None:
        """Looks at each turn of the loop, so that nothing comes and goes unseen."""
        while not there():
            await asyncio.sleep(0)

    async def step(self, count: int = 1) -> None:
        """So many actions are seen."""
        for _ in range(count):
            pauses = len(self.steps.slept)
            self.steps.take()
            await self.until(lambda pauses=pauses: len(self.steps.slept) > pauses)  # type: ignore[misc]
        await self.until(lambda: self.screen.view.records == self.session.view().records)


@asynccontextmanager
async def watched(
    shown: Autoplay | Replayed, pace: float = 0.0, manner: Manner | None = None
) -> AsyncIterator[Watched]:
    table, steps = TableApart(shown, stays=isinstance(shown, Replayed)), Steps()
    sitting = Sitting(manner or Manner(), Appearance(Look(), Palette("none"), pace))
    app = TableApp(table, lambda: sitting)
    async with piloted(app) as pilot:
        app.begin_task(table.play, decide_here, lambda: pace, steps.sleep)
        found = Watched(pilot, shown, steps)
        await found.until(lambda: "(Q stops it)." in found.text())
        yield found


def at_screen(what: Callable[[Watched], Awaitable[None]], shown: Autoplay | Replayed, **how: object) -> None:
    async def sit() -> None:
        async with asyncio.timeout(longest_wait()), watched(shown, **how) as found:  # type: ignore[arg-type]
            await what(found)

    asyncio.run(sit())


# --- a finished game --------------------------------------------------------------------------------------------------


def test_a_finished_game_is_shown_step_by_step_and_stays_at_its_end() -> None:
    log = played("crazy_eights").payloads[1]
    cast = tuple([CastMember(one.key, one.name, one.level) for one in CHARACTERS.values()])
    game = Replayed(moments(read_transcript(log)), cast)

    async def look(found: Watched) -> None:
        assert "A finished game (Q stops it)." in found.text()
        before = found.screen.view.records
        await found.step(3)
        assert found.screen.view.records > before and found.screen.view.seats[found.screen.view.me or 0].plays == "you"
        found.steps.take(10_000)
        await found.until(lambda: found.screen.view.phase == "closed")
        await found.pilot.pause()
        assert found.pilot.app.return_value is None
        await found.press("q")
        await found.until(lambda: found.pilot.app.return_value is not None)

    at_screen(look, game)


# --- what is seen -----------------------------------------------------------------------------------------------------


def test_it_is_watched_from_my_own_seat_and_each_step_is_seen() -> None:
    async def look(found: Watched) -> None:
        view = found.screen.view
        mine = view.seats[view.me or 0]
        assert (mine.name, mine.plays, mine.cards) == ("Ann", "you", 13) and all(mine.known)
        assert sum([card > 0 for seat in view.seats if seat is not mine for card in seat.known]) == 1  # the turn-up
        assert "[Q] stops" in found.text() and "Q stop  V score" in found.text()
        for count in range(1, 5):
            await found.step()
            await found.until(lambda count=count: found.screen.view.records == view.records + count)  # type: ignore[misc]
            assert f"{found.screen.view.seats[0].cards} cards" in found.text() or found.screen.view.seats[0].cards > 9

    at_screen(look, session())


def test_a_whole_game_ends_the_screen_and_is_on_the_board() -> None:
    async def look(found: Watched) -> None:
        found.steps.take(1000)
        await found.until(lambda: not found.pilot.app.is_running)

    watched_game, quiet = session(), session()
    at_screen(look, watched_game)
    action = None
    while (step := quiet.go_on(action)) is not None:
        action = decide_now(step) if isinstance(step, Think) else None
    assert watched_game.board.data()["finished"] == 1
    assert watched_game.board.data() == quiet.board.data()


@pytest.mark.parametrize("keys", [("q",), ("ctrl+q",), ("ctrl+c",), ("up", "enter"), ("slash", *"leave", "enter")])
def test_keys_and_words_stop_it(keys: tuple[str, ...]) -> None:
    async def stop(found: Watched) -> None:
        await found.step(3)
        await found.press(*keys)
        await found.until(lambda: not found.pilot.app.is_running)

    stopped = session(games=None)
    at_screen(stop, stopped)
    assert stopped.board.data()["finished"] == 0


def test_what_only_looks_is_answered_and_nothing_else() -> None:
    async def look(found: Watched) -> None:
        await found.step(6)
        before = found.screen.view
        for line in ("score", "last", "review", "recall", "distribution", "analyze", "hand", "who"):
            found.screen.begin_line(line)
            await found.until(lambda: isinstance(found.pilot.app.screen, ReadingPanel))
            await found.press("escape")
        for keys, screen in ((("g",), HelpScreen), (("f1",), HelpScreen), (("f10",), MenuBar)):
            await found.press(*keys)
            assert isinstance(found.pilot.app.screen, screen)
            await found.press("escape")
        await found.press("f2")
        assert "Your hand is sorted by rank." in found.text()
        for line in ("hint", "explain", "do", "2c", "undo", "auto off", "again", "end", "say hello", "open"):
            await found.press("escape")
            assert "is playing your hand too" not in found.text()
            found.screen.begin_line(line)
            await found.until(lambda: "Press Q to stop." in found.text())
        assert found.screen.view == before
        await found.step(4)
        assert STOPS in found.text()  # again, as the trick is over

    at_screen(look, session())


def test_the_menu_has_what_works_alone() -> None:
    async def look(found: Watched) -> None:
        words = {line.strip() for line, _ in found.screen.words()}
        assert {"score", "last", "review", "recall", "rules", "help", "config", "sort", "beside", "detach"} <= words
        assert words.isdisjoint({"hint", "explain", "undo", "redeal", "auto", "say", "quick", "end", "leave", "open"})
        assert words <= WORDS.keys()

    at_screen(look, session())


def test_the_only_card_that_can_be_played_is_not_played_for_me() -> None:
    async def look(found: Watched) -> None:
        await found.step(60)
        assert "is playing your hand too" not in found.text()

    at_screen(look, session(), manner=Manner(forced=True))


def test_a_hand_that_is_over_is_read_in_passing() -> None:
    async def look(found: Watched) -> None:
        await found.step(51)
        assert found.screen.is_current
        found.steps.take()
        await found.until(lambda: isinstance(found.pilot.app.screen, ReadingPanel))
        await found.until(lambda: found.pilot.app.screen is found.screen)
        await found.press("v")
        await found.until(lambda: isinstance(found.pilot.app.screen, ReadingPanel))
        looked_at = found.pilot.app.screen
        await found.step(53)
        assert "hand 3" in found.text()
        assert found.pilot.app.screen is looked_at, "what is looked at meanwhile is left alone"

    at_screen(look, session(games=None), pace=0.01)


def test_a_hand_that_is_over_covers_nothing_where_all_is_done_at_once() -> None:
    async def look(found: Watched) -> None:
        await found.step(53)
        assert "hand 2" in found.text() and found.screen.is_current

    at_screen(look, session())


# --- its pace ---------------------------------------------------------------------------------------------------------


def test_a_computer_takes_the_time_of_an_action_and_the_pace_may_change() -> None:
    """What else eyes need is the stage's: who watches says when all is seen."""

    async def watch() -> tuple[list[float], list[Happening]]:
        table, paces, slept, seen = TableApart(session()), iter(range(1, 1000)), list[float](), list[Happening]()

        async def sleep(seconds: float) -> None:
            slept.append(seconds)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(table.play, decide_here, lambda: next(paces), sleep)
            async for update in table.updates():
                table.caught_up(isinstance(update, TableView))
                if isinstance(update, Happened):
                    seen.append(update.happening)
        return slept, seen

    slept, seen = trio.run(watch)
    acted = sum([isinstance(one, Acted) for one in seen])
    assert slept == list(range(1, acted + 1))


# --- where computer players decide ------------------------------------------------------------------------------------


def question(level: str) -> Think:
    """The first decision of a session."""
    asked = session(level=level)
    while not isinstance(step := asked.go_on(), Think):
        pass
    return step


def minds() -> set[int]:
    """The processes that this one has started."""
    tasks = Path(f"/proc/{os.getpid()}/task").iterdir()
    return {int(pid) for task in tasks for pid in (task / "children").read_text().split()}


async def a_new_mind(known: set[int]) -> int:
    while not (new := minds() - known):
        await trio.sleep(0.01)
    return new.pop()


def test_a_decision_apart_is_the_one_that_would_be_made_here() -> None:
    async def decide() -> None:
        resource_tracker.ensure_running()  # a process that is none of theirs, and starts with the first
        known = minds()
        async with thinking_apart() as decide:
            assert await decide(question("novice")) == decide_now(question("novice"))
            assert minds() == known
            for level in ("standard", "expert"):
                assert await decide(question(level)) == decide_now(question(level))
            assert len(minds() - known) == 1
        assert minds() == known

    trio.run(decide)


def test_where_no_process_decides_it_is_done_here() -> None:
    async def decide() -> None:
        resource_tracker.ensure_running()
        known = minds()
        async with thinking_apart() as decide, trio.open_nursery() as nursery:
            decisions: list[object] = []

            async def ask() -> None:
                decisions.append(await decide(question("expert")))

            nursery.start_soon(ask)
            for _ in range(TRIES):
                mind = await a_new_mind(known)
                os.kill(mind, signal.SIGKILL)
                known |= {mind}
        assert decisions == [decide_now(question("expert"))]

    trio.run(decide)


def test_the_screen_goes_on_while_computer_players_think() -> None:
    async def look() -> None:
        resource_tracker.ensure_running()
        known = minds()
        table = TableApart(session(level="master"))
        app = TableApp(table, lambda: Sitting(Manner(), Appearance(Look(), Palette("none"))))

        async def think() -> None:
            async with thinking_apart() as decide:
                await table.play(decide, lambda: 0.0)

        async with piloted(app) as pilot:
            app.begin_task(think)
            while not (new := minds() - known):
                await pilot.pause()
            os.kill(new.pop(), signal.SIGSTOP)  # it thinks for as long as the test wants
            await pilot.press("v")
            while not isinstance(app.screen, ReadingPanel):
                await pilot.pause()
            await pilot.press("escape", "q")
            while app.is_running:
                await pilot.pause()
        assert minds() == known

    asyncio.run(look())
