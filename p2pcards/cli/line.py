"""The line mode: playing at a table in plain words, one command per line."""

from __future__ import annotations

import math
import signal
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import TextIO

import trio

from p2pcards.cli.line_news import LineNews, is_answer
from p2pcards.cli.line_terminal import OutputGone, Screen, screen_of, write
from p2pcards.cli.music import play_songs
from p2pcards.cli.speech import SpokenScreen, read_aloud
from p2pcards.control.attached import AttachedTable, Refusal
from p2pcards.control.messages import Happened
from p2pcards.daemon.crew import beside
from p2pcards.frontend.asked_first import FirstQuestion, first_question, last_words
from p2pcards.frontend.choosing import completed, is_unfinished
from p2pcards.frontend.completions import completions
from p2pcards.frontend.looks import LOOKS, TAKE_LONG, Showing
from p2pcards.frontend.manner import IN_LINES, Manner
from p2pcards.frontend.option_pages import NotTaken, option_lines
from p2pcards.frontend.record_pages import YES_NO, answer_saving, game_won, lines_at_end, saving_question
from p2pcards.frontend.sound import Jukebox, Speech, told_of_songs
from p2pcards.frontend.words import Local, NotUnderstood, for_table, moved_as, sorted_as, understand
from p2pcards.games.registry import UnknownGame
from p2pcards.present.cards import Style, with_tens
from p2pcards.present.hand import taken_up, usual
from p2pcards.present.prompt import HURRY, countdowns, is_another_turn, is_due, prompt_text
from p2pcards.present.story import sentence
from p2pcards.present.table import my_seat, table_lines
from p2pcards.views.commands import Command
from p2pcards.views.table_events import table_event
from p2pcards.views.tableview import TableView
from p2pcards.wire.clean import clean

DETACH_WAIT = 2.0  # seconds for the daemon to hear of it


async def run_line_mode(
    table: AttachedTable,
    manner: Manner,
    style: Style,
    *,
    input: TextIO,  # noqa: A002 - the word that everybody knows
    output: TextIO,
    interactive: bool,
) -> str:
    """Plays at an attached table until "detached", "left" (for good) or "closed" (by the daemon), which it returns.

    interactive: input and output are one terminal, which is painted; otherwise plain lines, and the end of the input
    detaches. The terminal is as it was afterwards, also after an exception or SIGTERM.
    """
    # The signals are caught first, so that there is no moment in which one could leave the terminal taken.
    with trio.open_signal_receiver(*_signals(interactive)) as signals, screen_of(input, output, interactive) as screen:
        spoken = Speech(manner.speech) if manner.speech else None
        shown = SpokenScreen(screen, spoken) if spoken else screen
        music = Jukebox(manner.playlist, Random()) if manner.playlist.plays else None
        mode = LineMode(table, shown, style, manner, music, plain=not interactive)
        try:
            async with trio.open_nursery() as nursery:
                if spoken:
                    nursery.start_soon(read_aloud, spoken, screen.say)
                if music:
                    nursery.start_soon(play_songs, music, shown.say)
                await mode.run(signals)
                nursery.cancel_scope.cancel()
        except* OutputGone:
            mode.lose_reader()
    with suppress(OutputGone):
        write(output, mode.last_words + "\n" * bool(mode.last_words))
    return mode.result


def _signals(interactive: bool) -> list[signal.Signals]:
    """Those that end the line mode, and on a painted terminal those that concern it, as far as there are any."""
    names = ["SIGINT", "SIGTERM", "SIGHUP", *(["SIGCONT", "SIGWINCH", "SIGTSTP"] if interactive else [])]
    return [getattr(signal, name) for name in names if hasattr(signal, name)]


class LineMode:
    """One person at one table. result: how it ended; last_words: said when the terminal is itself again."""

    def __init__(
        self, table: AttachedTable, screen: Screen, style: Style, manner: Manner, music: Jukebox | None, plain: bool
    ) -> None:
        self.result = "closed"
        self.last_words = "The table is closed."
        self._table = table
        self._screen = screen
        self._style = style
        self._manner = manner
        self._music = music
        self._plain = plain
        self._news = LineNews(manner, style, plain)
        self._view = TableView("listener", "lobby")
        self._arrived = 0.0
        self._seen = trio.Event()  # the first view is there
        self._new_turn = False  # what lies there has just been shown
        self._arrangement = usual(None)
        self._backlog: list[Happened] = []  # what happened before the first view
        self._typed, self._lines = trio.open_memory_channel[str | None](1000)
        self._going = False  # detaching or leaving, after which the table sends nothing more
        self._told = trio.Event()  # all that the table has sent is told
        self._asked: tuple[Command, FirstQuestion] | None = None  # the command waits for an answer
        self._saving = ""  # detach or leave, which waits for an answer about the scoreboard
        self._won, self._games_won = trio.open_memory_channel[str](math.inf)  # whose records are to be shown
        self._all_shown = trio.Event()
        self._unfinished: tuple[str, ...] = ()  # an action that was refused because it lacks something
        self._scope = trio.CancelScope()

    async def run(self, signals: AsyncIterator[int]) -> None:
        async with trio.open_nursery() as nursery:
            self._scope = nursery.cancel_scope
            self._ring("start")
            nursery.start_soon(self._watch_table)
            nursery.start_soon(self._show_records)
            nursery.start_soon(self._watch_keys)
            nursery.start_soon(self._obey)
            nursery.start_soon(self._count_down)
            nursery.start_soon(self._watch_signals, signals)

    def lose_reader(self) -> None:
        """Nobody reads any more; the seat is kept."""
        self.result, self.last_words = "detached", ""

    # --- what arrives ---

    async def _watch_table(self) -> None:
        updates = self._table.updates()
        try:
            async for update in updates:
                if isinstance(update, TableView):
                    self._show_view(update)
                else:
                    self._tell(update)
        finally:
            if isinstance(updates, AsyncGenerator):
                await updates.aclose()
        self._won.close()
        with trio.move_on_after(DETACH_WAIT):
            await self._all_shown.wait()
        self._told.set()
        if not self._going:
            self._end("closed")

    def _tell(self, happened: Happened) -> None:
        if not self._seen.is_set():
            self._backlog.append(happened)
            return
        self._say(self._news.of_happening(happened, self._view))
        if not happened.earlier:
            self._ring(table_event(happened.happening, self._view))
        if game := game_won(happened, self._view, self._manner):
            self._won.send_nowait(game)
        if is_answer(happened.happening):
            self._paint(again=True)

    async def _show_records(self) -> None:
        """At the end of each game, as soon as they are read."""
        async for game in self._games_won:
            self._say(await beside(lines_at_end, self._manner.home, game, self._style.colour))
            self._paint(again=True)
        self._all_shown.set()

    def _show_view(self, view: TableView) -> None:
        view = view if self._manner.meld_points else replace(view, indicator=())
        old, self._view, self._arrived = self._view, view, trio.current_time()
        if self._music:
            self._music.at_game(view.game or "")
        if view.game != old.game:
            self._arrangement = usual(view.game, self._manner.order)
        self._arrangement = taken_up(self._arrangement, mine.known if (mine := my_seat(view)) else ())
        if not self._seen.is_set():
            self._seen.set()
            for happened in self._backlog:
                self._tell(happened)
            self._backlog = []
            self._say(table_lines(view, self._style, 0.0, self._arrangement))
            if view.legal:
                self._ring("turn")
                self._do_what_is_forced(view)
        else:
            self._show_change(old, view)
        self._paint()

    def _show_change(self, old: TableView, view: TableView) -> None:
        self._say(self._news.of_change(old, view, self._arrangement))
        if is_another_turn(old, view):
            self._new_turn = True
            self._do_what_is_forced(view)
        if view.legal and not old.legal:
            self._unfinished = ()
            self._ring("turn")

    def _do_what_is_forced(self, view: TableView) -> None:
        if self._manner.forced and len(view.legal) == 1 and not (self._going or self._saving):
            self._typed.send_nowait(view.legal[0])

    # --- what is typed ---

    async def _watch_keys(self) -> None:
        while True:
            for kind, text, _ in await self._screen.read(self._complete):
                if kind == "line":
                    await self._typed.send(text)
                elif kind == "suspend":
                    self._screen.suspend()
                elif kind == "redraw":
                    self._screen.refresh()
                elif self._plain:  # the end of a script, all of which is done first
                    await self._typed.send(None)
                    return
                else:
                    await self._detach()

    def _complete(self, text: str) -> tuple[str, ...]:
        """What Tab makes of what is typed."""
        if self._answers():
            return tuple([answer for answer in self._answers() if answer.lower().startswith(text.lower())])
        return completions(text, self._view)

    def _answers(self) -> tuple[str, ...]:
        """What may be said to the question that waits."""
        if self._saving:
            return YES_NO
        return self._asked[1].answers(self._view) if self._asked else ()

    async def _obey(self) -> None:
        await self._seen.wait()
        async for line in self._lines:
            if line is None:
                await self._detach("The input has ended. ")
                continue
            try:
                await self._do(line)
            except (NotUnderstood, NotTaken, Refusal, UnknownGame) as problem:
                self._screen.say(sentence(with_tens(clean(str(problem), 1000))))
                self._paint(again=True)
            self._paint()

    async def _do(self, line: str) -> None:
        if self._saving:
            await self._take_saving(line.strip())
            return
        if self._asked:
            await self._take_answer(*self._asked, line.strip())
            return
        typed = understand(line, self._view)
        if isinstance(typed, Local):
            await self._answer(typed)
        elif typed is not None:
            question = first_question(typed, self._view, self._style, self._manner)
            await (self._ask(typed, question) if question else self._carry_out(typed))

    async def _ask(self, command: Command, question: FirstQuestion) -> None:
        self._asked = command, question
        self._screen.say(question.text(command, self._view, self._style))

    async def _take_answer(self, command: Command, question: FirstQuestion, answer: str) -> None:
        self._asked = None
        taken = question.take(command, self._view, answer)
        if taken.said:
            self._screen.say(taken.said)
        if taken.again:
            await self._ask(command, question)
        for follows in taken.commands:
            await self._carry_out(follows)

    async def _carry_out(self, command: Command) -> None:
        if command.name == "act":
            await self._act(command.arguments)
        elif command.name == "leave":
            await self._part("leave")
        else:
            await self._table.command(for_table(command))

    async def _act(self, words: tuple[str, ...]) -> None:
        words, self._unfinished = completed(self._unfinished, words, self._view.legal), ()
        try:
            await self._table.command(Command("act", words))
        except Refusal:
            if is_unfinished(words, self._view.legal):
                self._unfinished = words
            raise

    async def _answer(self, word: Local) -> None:
        name, arguments = word.name, word.arguments
        if name == "detach":
            await self._part("detach")
        elif name == "song":
            self._say([told_of_songs(self._music, arguments)])
        elif name == "beside":
            raise NotUnderstood(IN_LINES)
        elif name == "mute":
            self._say([self._news.mute(arguments, self._view)])
        elif name == "config":
            self._say(option_lines(self._manner.options, arguments))
        elif name in ("sort", "move"):
            self._arrangement = (sorted_as if name == "sort" else moved_as)(arguments, self._arrangement, self._view)
            self._say(LOOKS["hand"](self._showing(), ()))
        elif name in TAKE_LONG:
            self._say(await beside(LOOKS[name], self._showing(), arguments))
        else:
            self._say(LOOKS[name](self._showing(), arguments))
        self._new_turn = True

    def _showing(self) -> Showing:
        elapsed, lines = self._elapsed(), self._screen.lines
        home, colour = self._manner.home, self._style.colour
        return Showing(self._view, self._style, self._arrangement, elapsed, lines, self._plain, home, colour)

    async def _part(self, word: str) -> None:
        """word: detach or leave, once they have said what becomes of the scoreboard."""
        if question := await beside(saving_question, self._view, self._manner):
            self._saving = word
            self._screen.say(f"{question} {'/'.join(YES_NO)}")
        else:
            await self._go(word)

    async def _take_saving(self, answer: str) -> None:
        said = await beside(answer_saving, self._manner, answer)
        self._screen.say(said or f"It is {' or '.join(YES_NO)}.")
        if said:
            word, self._saving = self._saving, ""
            await self._go(word)

    async def _go(self, word: str) -> None:
        await (self._leave() if word == "leave" else self._detach())

    async def _leave(self) -> None:
        self._going = True
        try:
            await self._table.command(Command("leave"))
        except Refusal:
            self._going = False
            raise
        self._end("left")

    async def _detach(self, before: str = "") -> None:
        self._going = True
        with trio.move_on_after(DETACH_WAIT), suppress(Refusal):
            await self._table.detach()
            await self._told.wait()
        self._end("detached", before)

    # --- what is shown ---

    async def _count_down(self) -> None:
        while True:
            await trio.sleep(1)
            self._say(self._news.of_time(self._view, self._elapsed()))
            hurry = self._view.turn_seconds is not None and self._view.turn_seconds - self._elapsed() <= HURRY
            if countdowns(self._view, self._elapsed()) or (hurry and self._view.legal and not self._plain):
                self._paint()

    async def _watch_signals(self, signals: AsyncIterator[int]) -> None:
        async for number in signals:
            name = signal.Signals(number).name
            if name == "SIGTSTP":
                self._screen.suspend()
            elif name == "SIGCONT":
                self._screen.resume()
            elif name == "SIGWINCH":
                self._screen.refresh()
            else:
                await self._detach()

    def _elapsed(self) -> float:
        return trio.current_time() - self._arrived

    def _paint(self, again: bool = False) -> None:
        """again: also where it is no other than before, as something has been answered."""
        if answers := self._answers():
            self._screen.prompt(f"{'/'.join(answers)} > ", True)
            return
        # A prompt that counts down is not news on plain output.
        elapsed = 0.0 if self._plain else self._elapsed()
        columns = min(self._screen.columns, 100)
        self._screen.prompt(prompt_text(self._view, elapsed, columns), is_due(self._view), again or self._new_turn)
        self._new_turn = False

    def _say(self, lines: list[str]) -> None:
        if lines:
            self._screen.say("\n".join(lines))

    def _ring(self, event: str) -> None:
        if event in self._manner.bell:
            self._screen.ring()

    def _end(self, result: str, before: str = "") -> None:
        self.result, self.last_words = result, before + last_words(result, self._view)
        self._ring("exit")
        self._scope.cancel()
