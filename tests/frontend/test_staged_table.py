"""A table, and what shows it: what comes, what is said and who leaves, with the stage between them and a clock of its
own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2pcards.frontend.at_table import Heard, TableSeen, TableTalk
from p2pcards.frontend.looks import Showing
from p2pcards.frontend.manner import Manner
from p2pcards.frontend.stage import Seen, Tempo
from p2pcards.frontend.words import Local
from p2pcards.present.cards import Style
from p2pcards.views.absence import absence_row_of
from p2pcards.views.happenings import Said, SeatReturned, SeatTakenOver, TablePaused
from p2pcards.views.tableview import Command, TableView
from p2pcards.wire.reasons import TakeoverReason
from rigs.table_double import TableDouble

PACE = 1.0


class Shows:
    """What shows the table: seen has how many cards lie in the trick, and each sentence of talk, in order."""

    style = Style()

    def __init__(self, table: TableDouble, pace: float) -> None:
        self.tempo = Tempo(pace, pace)
        self.seen: list[int | str] = []
        self.wrong: list[str] = []
        self.result = ""
        self.heard: list[str] = []
        self.asides: list[str] = []
        self.said: list[str] = []
        self.rings = 0
        manner = Manner(bell=frozenset(["turn"]))
        self.table = TableSeen(lambda: manner, trio.current_time)
        self.talk = TableTalk(table, self.table, self, lambda: manner)

    def take(self, seen: Seen) -> None:
        self.table.see_view(seen.view, seen.came)
        self.seen.append(len(seen.view.trick))

    def hear(self, heard: Heard) -> None:
        self.heard.append(heard.text)
        if isinstance(heard.happened.happening, Said):
            self.seen.append(heard.text)

    def told(self, text: str, wrong: bool = False) -> None:
        self.wrong += [text] * wrong

    def end(self, result: str) -> None:
        self.result = result

    def showing(self) -> Showing:
        raise AssertionError

    async def answer(self, word: Local) -> bool:
        raise AssertionError(word)

    async def ask(self, question: str, answers: Callable[[], Sequence[str]], about: str) -> str | None:
        raise AssertionError(question)

    def say(self, line: str) -> None:
        self.said.append(line)

    def told_aside(self, text: str) -> None:
        self.asides.append(text)

    def ring(self) -> None:
        self.rings += 1

    def stand(self, before: TableView, first: bool) -> None: ...
    def recall(self, recap: Sequence[str]) -> None: ...
    def paint(self) -> None: ...
    def arranged(self) -> None: ...
    def read(self, word: str, lines: Sequence[str]) -> None: ...
    def read_records(self, lines: Sequence[str]) -> None: ...
    def thinks(self) -> None: ...


@asynccontextmanager
async def shown(pace: float = PACE) -> AsyncIterator[tuple[TableDouble, Shows]]:
    table = TableDouble("hearts", 1)
    shows = Shows(table, pace)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(shows.talk.run)
        await shows.talk.begun.wait()
        await wait_all_tasks_blocked()
        yield table, shows
        nursery.cancel_scope.cancel()


async def passed(table: TableDouble, shows: Shows) -> None:
    """The cards are passed, and the others have played up to my turn."""
    while "pass" in shows.table.view.legal[0]:
        await shows.talk.say(shows.table.view.legal[0])
        await trio.sleep(100)
    shows.seen.clear()
    assert not shows.wrong


async def test_my_card_lies_there_at_once_and_the_others_follow_one_after_another(autojump_clock: MockClock) -> None:
    async with shown() as (table, shows):
        await passed(table, shows)
        begun, lay = trio.current_time(), len(shows.table.view.trick)
        await shows.talk.say(shows.table.view.legal[0])
        await wait_all_tasks_blocked()
        assert trio.current_time() == begun and len(shows.seen) == 1, "what others do after it waits"
        await trio.sleep(100)
        assert len(shows.seen) > 1
        assert shows.table.view == table.view() and lay < 4


async def test_a_key_brings_it_to_now_and_says_so(autojump_clock: MockClock) -> None:
    async with shown() as (table, shows):
        await passed(table, shows)
        assert not shows.talk.pressed(), "a key for what is seen"
        await shows.talk.say(shows.table.view.legal[0])
        await wait_all_tasks_blocked()
        assert shows.table.view != table.view()
        assert shows.talk.pressed() and shows.table.view == table.view()
        assert not shows.talk.pressed()


async def test_with_speed_off_all_is_seen_and_no_time_goes_by(autojump_clock: MockClock) -> None:
    async with shown(0.0) as (table, shows):
        begun = trio.current_time()
        for _ in range(8):
            await shows.talk.say(table.view().legal[0])
            await wait_all_tasks_blocked()
            assert shows.table.view == table.view()
        assert trio.current_time() == begun and not shows.wrong


async def test_talk_does_not_wait_and_skips_nothing(autojump_clock: MockClock) -> None:
    async with shown() as (table, shows):
        await passed(table, shows)
        await shows.talk.say(shows.table.view.legal[0])
        await wait_all_tasks_blocked()
        await shows.talk.say("'nice")
        await wait_all_tasks_blocked()
        assert shows.seen[-1] == 'You say: "nice"' and shows.table.view != table.view()


@pytest.mark.parametrize("how", ["detach", "leave", "closed"])
async def test_who_leaves_in_the_middle_has_seen_all_and_goes_at_once(how: str, autojump_clock: MockClock) -> None:
    async with shown() as (table, shows):
        await passed(table, shows)
        await shows.talk.say(shows.table.view.legal[0])
        await wait_all_tasks_blocked()
        begun = trio.current_time()
        if how == "closed":
            table.close()
            await wait_all_tasks_blocked()
        else:
            await shows.talk.go("left" if how == "leave" else "detached")
        assert shows.result == {"leave": "left", "detach": "detached"}.get(how, how)
        assert shows.table.view == table.view() and trio.current_time() == begun


# --- a character plays for me -----------------------------------------------------------------------------------------


async def taken_over(table: TableDouble, reason: TakeoverReason) -> None:
    table.happen(SeatTakenOver("Dee", "Wacky Wayne", reason.sentence, mine=True))
    mine, *others = table.view().seats
    table.show(legal=(), away=True, seats=(replace(mine, plays="character", absence=absence_row_of(reason)), *others))
    await wait_all_tasks_blocked()


@pytest.mark.parametrize("line", ["", "QS", "pass QS KS AS", "'hello"])
async def test_whatever_a_player_types_who_timed_out_takes_their_seat_back(
    line: str, autojump_clock: MockClock
) -> None:
    async with shown(0.0) as (table, shows):
        await taken_over(table, TakeoverReason.CLOCK_RAN_OUT)
        assert shows.heard[-1] == ("You ran out of time, so Wacky Wayne is playing for you. Press Enter to take over.")
        await shows.talk.say(line)
        assert table.seen == [Command("back"), *[Command("say", ("hello",))] * (line == "'hello")]
        assert not shows.wrong


async def test_a_key_takes_the_seat_back_once_and_plays_no_card(autojump_clock: MockClock) -> None:
    async with shown(0.0) as (table, shows):
        assert not shows.talk.pressed() and shows.said == []
        await taken_over(table, TakeoverReason.LINE_LOST)
        assert shows.talk.pressed() and shows.talk.pressed(), "not meant for the table that is seen"
        assert shows.said == ["back"]
        await shows.talk.say("back")
        table.happen(SeatReturned("Dee", "Wacky Wayne", mine=True))
        table.show(away=False)
        await wait_all_tasks_blocked()
        assert not shows.talk.pressed()
        assert table.seen == [Command("back")]


async def test_a_character_who_was_asked_to_play_goes_on_until_the_player_wants_the_seat(
    autojump_clock: MockClock,
) -> None:
    async with shown(0.0) as (table, shows):
        await taken_over(table, TakeoverReason.ASKED_FOR)
        assert not shows.talk.pressed()
        await shows.talk.say("'nice")
        assert table.seen == [Command("say", ("nice",))]
        assert shows.talk.take_seat_back(meant=True) and shows.said == ["back"]
        await shows.talk.say("")
        assert table.seen[1:] == [Command("back")]


async def test_a_table_at_which_everyone_timed_out_says_how_to_come_back(autojump_clock: MockClock) -> None:
    async with shown(0.0) as (table, shows):
        table.happen(TablePaused())
        await wait_all_tasks_blocked()
        assert shows.heard[-1] == "Paused: everyone timed out. Press Enter to take your seat back."


async def test_a_turn_clock_warns_at_its_half_and_at_ten_seconds(autojump_clock: MockClock) -> None:
    async with shown(0.0) as (table, shows):
        shows.rings = 0
        for _ in range(2):
            table.show(turn_seconds=180.0, turn_clock=180)
            await trio.sleep(89)
            assert shows.asides == []
            await trio.sleep(2)
            assert [text.split()[1:] for text in shows.asides] == [["s", "left", "to", "play."]]
            assert shows.asides[0].split()[0] in ("89", "90")
            await trio.sleep(78)
            assert len(shows.asides) == 1
            await trio.sleep(3)
            assert len(shows.asides) == 2 and shows.asides[1].split()[0] in ("9", "10")
            shows.asides.clear()
        assert shows.rings == 4
        table.show(turn_seconds=None, turn_clock=180)
        await trio.sleep(500)
        assert shows.asides == []


@pytest.mark.parametrize(
    ("clock", "left", "told"), [(180, 60.0, "59 s"), (180, 8.0, "7 s"), (20, 10.4, "9 s"), (86400, 43201.0, "12 h")]
)
async def test_the_half_of_a_turn_is_that_of_the_whole_clock_for_who_comes_late_too(
    clock: int, left: float, told: str, autojump_clock: MockClock
) -> None:
    async with shown(0.0) as (table, shows):
        shows.rings = 0
        table.show(turn_seconds=left, turn_clock=clock)
        await trio.sleep(1.5)
        assert shows.asides == [f"{told} left to play."] and shows.rings == 1
