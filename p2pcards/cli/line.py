"""The line mode: playing at a table in plain words, one command per line."""

from __future__ import annotations

import signal
from collections.abc import AsyncGenerator, AsyncIterator, Collection
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import TextIO

import trio

from p2pcards.cli.completing import completed, is_unfinished
from p2pcards.cli.guide_index import nothing_text, read_guide
from p2pcards.cli.line_tab import completions
from p2pcards.cli.line_terminal import OutputGone, Screen, screen_of, write
from p2pcards.cli.line_words import WORDS, Local, NotUnderstood, help_for, help_lines, moved_as, sorted_as, understand
from p2pcards.cli.music import Music, Playlist
from p2pcards.cli.pairing import partner_answers, partner_named, partner_question
from p2pcards.cli.parting import meld_question, parting_question, staying
from p2pcards.cli.speech import Speech, SpokenScreen
from p2pcards.control.attached import AttachedTable, Refusal
from p2pcards.control.messages import Happened
from p2pcards.games.options import Question
from p2pcards.games.registry import GAMES, UnknownGame, find_variant
from p2pcards.games.spelling import cards_in
from p2pcards.present.cards import Style, with_tens
from p2pcards.present.hand import taken_up, usual
from p2pcards.present.memory import looked_lines
from p2pcards.present.prompt import HURRY, countdowns, is_due, prompt_text
from p2pcards.present.rules import about_lines, games_lines, options_lines, preset_values, rules_lines
from p2pcards.present.sayings import Sayings
from p2pcards.present.score import score_in_window, score_lines, sheet_lines
from p2pcards.present.story import names_text, sentence, story
from p2pcards.present.table import (
    fact_lines,
    hand_lines,
    leads,
    my_seat,
    open_hands,
    people_lines,
    table_lines,
    trick_lines,
    turn_lines,
)
from p2pcards.views.commands import Command
from p2pcards.views.happenings import ActionOutdated, ActionRefused, Hinted, Said
from p2pcards.views.in_game import (
    Acted,
    CardsDistributed,
    CardsRecalled,
    HandScored,
    MeldsReviewed,
    Starts,
    TricksReviewed,
)
from p2pcards.views.table_events import table_event
from p2pcards.views.tableview import TableView
from p2pcards.wire.clean import clean

SEAT_KEPT = "Seat kept. Back: p2pcards attach. Give up: p2pcards leave."
TABLE_KEPT = "The table is kept. Back: p2pcards attach. Give up: p2pcards leave."
TAB = "Tab completes a word, a card, an option or a name; a second Tab lists what fits."
NO_MUSIC = Playlist()
SPOKEN = (60, 30, 10)  # seconds before a takeover at which plain output says so
DETACH_WAIT = 2.0  # seconds for the daemon to hear of it


async def run_line_mode(
    table: AttachedTable,
    *,
    input: TextIO,  # noqa: A002 - the word that everybody knows
    output: TextIO,
    ascii: bool,  # noqa: A002
    colour: bool,
    interactive: bool,
    bell: Collection[str],
    phrases: bool = False,
    forced: bool = False,
    meld_points: bool = False,
    ask_meldable: bool = False,
    asks: bool = False,
    reminders: bool = True,
    order: str = "",
    speech: str = "",
    playlist: Playlist = NO_MUSIC,
) -> str:
    """Plays at an attached table until "detached", "left" (for good) or "closed" (by the daemon), which it returns.

    interactive: input and output are one terminal, which is painted; otherwise plain lines, and the end of the input
    detaches. bell: those of `TABLE_EVENTS` at which it rings. phrases: what characters say is told. forced: what is the
    only thing that can be done is done by itself. meld_points: what the hand could meld is shown. ask_meldable: it is
    asked before a card of a meld is played. asks: a person sits there, who is asked what the rules leave open.
    reminders: who starts is told at each hand. order: how a hand is sorted, "" for the way of the game. speech: the
    command that reads aloud, or ""; playlist: the songs. The terminal is as it was afterwards, also after an exception
    or SIGTERM.
    """
    # The signals are caught first, so that there is no moment in which one could leave the terminal taken.
    with trio.open_signal_receiver(*_signals(interactive)) as signals, screen_of(input, output, interactive) as screen:
        spoken = Speech(speech) if speech else None
        shown = SpokenScreen(screen, spoken) if spoken else screen
        mode = LineMode(
            table, shown, Style(ascii, colour), bell, phrases, forced, asks, reminders, order, plain=not interactive
        )
        mode.heed_melds(meld_points, ask_meldable)
        music = Music(playlist, Random()) if playlist.plays else None
        mode.hear(music)
        try:
            async with trio.open_nursery() as nursery:
                if spoken:
                    nursery.start_soon(spoken.run, screen.say)
                if music:
                    nursery.start_soon(music.run, screen.say)
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
        self,
        table: AttachedTable,
        screen: Screen,
        style: Style,
        bell: Collection[str],
        phrases: bool,
        forced: bool,
        asks: bool,
        reminders: bool,
        order: str,
        plain: bool,
    ) -> None:
        self.result = "closed"
        self.last_words = "The table is closed."
        self._table = table
        self._screen = screen
        self._style = style
        self._bell = bell
        self._sayings = Sayings() if phrases else None
        self._forced = forced
        self._asks = asks
        self._reminders = reminders
        self._plain = plain
        self._meld_points = self._ask_meldable = False
        self._music: Music | None = None
        self._meant: tuple[str, ...] = ()  # the card that waits for a yes
        self._view = TableView("listener", "lobby")
        self._arrived = 0.0
        self._seen = trio.Event()  # the first view is there
        self._new_turn = False  # what lies there has just been shown
        self._told: set[int] = set()  # cards that sentences have named since the last look at the table
        self._facts: list[str] = []  # what was said to hold
        self._order = order  # of a hand, "" for that of the game
        self._arrangement = usual(None)
        self._backlog: list[Happened] = []  # what happened before the first view
        self._typed, self._lines = trio.open_memory_channel[str | None](1000)
        self._going = False  # detaching or leaving, after which the table sends nothing more
        self._asked = ""  # the word that waits for an answer: leave, end for a yes; start, partner for what is open
        self._unfinished: tuple[str, ...] = ()  # an action that was refused because it lacks something
        self._spoken: dict[int, float] = {}  # by seat, the seconds when a countdown was last told
        self._scope = trio.CancelScope()

    async def run(self, signals: AsyncIterator[int]) -> None:
        async with trio.open_nursery() as nursery:
            self._scope = nursery.cancel_scope
            self._ring("start")
            nursery.start_soon(self._watch_table)
            nursery.start_soon(self._watch_keys)
            nursery.start_soon(self._obey)
            nursery.start_soon(self._count_down)
            nursery.start_soon(self._watch_signals, signals)

    def heed_melds(self, show_points: bool, ask: bool) -> None:
        """Whether what the hand could meld is shown, and whether it is asked before a card of a meld is played."""
        self._meld_points, self._ask_meldable = show_points, ask

    def hear(self, music: Music | None) -> None:
        """What plays at this table; None: nothing."""
        self._music = music

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
        if not self._going:
            self._end("closed", "The table is closed.")

    def _tell(self, happened: Happened) -> None:
        if not self._seen.is_set():
            self._backlog.append(happened)
            return
        happening = happened.happening
        if isinstance(happening, Starts) and not self._reminders:
            return
        mine = my_seat(self._view)
        you = next((person.name for person in self._view.people if person.link == "you"), mine.name if mine else "")
        self._screen.say(story(happening, you, self._style))
        if not happened.earlier:
            if self._sayings:
                self._say(self._sayings.heard(happening, self._view))
            self._ring(table_event(happening, self._view))
        match happening:
            case Acted():
                self._told |= {int(card.face) for card in cards_in(f"{happening.words} {happening.says}")}
            case HandScored():
                self._say(sheet_lines(happening, you, self._style))
            case TricksReviewed() | MeldsReviewed() | CardsRecalled() | CardsDistributed():
                self._say(looked_lines(happening, self._style))
                self._paint(again=True)
            case Hinted() | ActionRefused() | ActionOutdated():
                self._paint(again=True)
            case Said() if happening.mine:
                self._paint(again=True)

    def _show_view(self, view: TableView) -> None:
        view = view if self._meld_points else replace(view, indicator=())
        old, self._view, self._arrived = self._view, view, trio.current_time()
        if self._music:
            self._music.at_game(view.game or "")
        if view.game != old.game:
            self._arrangement = usual(view.game, self._order)
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
            self._show_changes(old, view)
        self._spoken = {seat.seat: self._spoken[seat.seat] for seat in view.seats if seat.seat in self._spoken}
        self._paint()

    def _show_changes(self, old: TableView, view: TableView) -> None:
        """What a player would look up, unasked: the table that they have come to, new cards, and at their turn what is
        on the table."""
        chosen = view.phase == "lobby" and (old.phase != "lobby" or old.game != view.game)
        if chosen or (view.looks_on and not old.looks_on):
            self._say(table_lines(view, self._style))
        before, now = my_seat(old), my_seat(view)
        dealt = view.hand != old.hand or view.game != old.game or view.phase != old.phase
        gained = before and now and before.known != now.known
        table_changed = (view.legal, view.trick, view.piles, view.face_up) != (
            old.legal,
            old.trick,
            old.piles,
            old.face_up,
        )
        if view.legal and (table_changed or gained):
            self._say_facts(view)
            self._say(turn_lines(view, self._style, self._arrangement, self._told if self._plain else ()))
            self._told = set()
            self._new_turn = True
            self._do_what_is_forced(view)
        elif view.face_up and not old.face_up:
            self._say(open_hands(view, self._style))
        elif view.phase == "play" and dealt:
            self._say(hand_lines(view, self._style, self._arrangement))
        if view.legal and not old.legal:
            self._unfinished = ()
            self._ring("turn")

    def _do_what_is_forced(self, view: TableView) -> None:
        if self._forced and len(view.legal) == 1:
            self._typed.send_nowait(view.legal[0])

    def _say_facts(self, view: TableView) -> None:
        """What holds in this hand, unless it was said at the last turn; that I lead at every turn."""
        facts = fact_lines(view, self._style)
        if facts != self._facts:
            self._say(facts)
        elif leads(view):
            self._say(["You lead."])
        self._facts = facts

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
        if self._asked:
            return tuple([answer for answer in self._answers() if answer.lower().startswith(text.lower())])
        return completions(text, self._view)

    async def _obey(self) -> None:
        await self._seen.wait()
        async for line in self._lines:
            if line is None:
                await self._detach("The input has ended. ")
                continue
            try:
                await self._do(line)
            except (NotUnderstood, Refusal, UnknownGame) as problem:
                self._screen.say(sentence(with_tens(clean(str(problem), 1000))))
                self._paint(again=True)
            self._paint()

    async def _do(self, line: str) -> None:
        if self._asked:
            await self._take_answer(line.strip())
            return
        asked = understand(line, self._view)
        if isinstance(asked, Local):
            await self._answer(asked)
        elif asked is not None and asked.name in ("leave", "end") and WORDS[asked.name].works(self._view):
            await (self._part(asked.name) if asked.arguments == ("yes",) else self._ask_to_part(asked.name))
        elif asked is not None and asked.name == "start" and self._asks and self._view.pairing:
            self._ask_for_partner()
        elif asked is not None and asked.name == "start" and self._asks and self._left_open():
            self._ask_what_is_left()
        elif asked is not None and asked.name == "act":
            question = meld_question(asked.arguments, self._view, self._style) if self._ask_meldable else ""
            await (self._ask_to_play(asked.arguments, question) if question else self._act(asked.arguments))
        elif asked is not None:
            await self._table.command(asked)

    def _answers(self) -> tuple[str, ...]:
        if self._asked == "partner":
            return partner_answers(self._view.pairing)
        question = self._left_open()
        return tuple(question.answers) if self._asked == "start" and question else ("yes", "no")

    async def _take_answer(self, answer: str) -> None:
        word, self._asked = self._asked, ""
        if word == "start":
            await self._start_with(answer)
        elif word == "partner":
            await self._start_paired(answer)
        elif answer.lower() in ("y", "yes"):
            await (self._part(word) if word != "play" else self._act(self._meant))
        else:
            self._screen.say(staying(word))

    def _left_open(self) -> Question | None:
        """What the chosen preset leaves to the players, who have not set it yet."""
        game = GAMES.get(self._view.game or "")
        return game.question if game and self._view.left_open else None

    def _ask_what_is_left(self) -> None:
        self._asked = "start"
        if question := self._left_open():
            self._screen.say(question.text())

    async def _start_with(self, answer: str) -> None:
        if question := self._left_open():
            value = question.value(answer or str(dict(self._view.options)[question.key]))
            if value is None:
                self._screen.say(f"It is one of {question.letters}.")
                self._ask_what_is_left()
                return
            await self._table.command(Command("set", (question.key, value)))
        await self._table.command(Command("start"))

    def _ask_for_partner(self) -> None:
        self._asked = "partner"
        self._screen.say(partner_question(self._view.pairing))

    async def _start_paired(self, answer: str) -> None:
        """Whoever has gone in the meantime is nobody's partner."""
        if names := self._view.pairing:
            named = partner_named(answer, names)
            if named is None:
                self._screen.say(f"It is one of {names_text(partner_answers(names))}.")
                self._ask_for_partner()
                return
            await self._table.command(Command("partner", tuple(named.split())))
        await self._table.command(Command("start"))

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
            await self._detach()
        elif name == "help":
            lines = help_for(arguments[0], self._view) if arguments else help_lines(self._view)
            self._say([*lines, *([TAB] if not (arguments or self._plain) else [])])
        elif name in ("rules", "options", "about"):
            self._say(self._about_game(name, arguments))
        elif name == "guide":
            asked = " ".join(arguments)
            self._say(read_guide(asked) or [nothing_text(asked)])
        elif name == "score":
            self._say(self._scores(arguments))
        elif name == "song":
            self._say([self._song(arguments)])
        elif name in ("sort", "move"):
            self._arrangement = (sorted_as if name == "sort" else moved_as)(arguments, self._arrangement, self._view)
            self._say(self._look("hand"))
        else:
            self._say(self._look(name))
        self._new_turn = True

    def _look(self, name: str) -> list[str]:
        view, style = self._view, self._style
        if name == "hand":
            return hand_lines(view, style, self._arrangement) or ["You hold no cards now."]
        if name == "table":
            return table_lines(view, style, self._elapsed(), self._arrangement)
        if name == "last":
            return trick_lines(view, style, last=True)
        return games_lines(GAMES) if name == "games" else people_lines(view)

    def _song(self, arguments: tuple[str, ...]) -> str:
        if self._music is None:
            return "No music is played. To have some: p2pcards config set player COMMAND, then music and songs"
        if arguments and arguments[0].lower() != "skip":
            raise NotUnderstood("It is typed like this: song, or song skip")
        if arguments:
            return self._music.skip()
        return f"Now playing: {self._music.named}" if self._music.song else "No song is playing."

    def _scores(self, arguments: tuple[str, ...]) -> list[str]:
        view, style = self._view, self._style
        if arguments and arguments[0].lower() != "all":
            raise NotUnderstood("It is typed like this: score, or score all")
        if arguments:
            return score_lines(view, style, len(view.rounds))
        return score_in_window(view, style, self._screen.lines) if self._screen.lines else score_lines(view, style)

    def _about_game(self, name: str, arguments: tuple[str, ...]) -> list[str]:
        key = arguments[0] if arguments else self._view.game
        if key is None:
            return ["No game is chosen yet. These can be played:", *games_lines(GAMES)]
        game, preset = find_variant(key)
        if name == "about":
            return about_lines(game)
        here = game.key == self._view.game and not preset
        values = dict(self._view.options) if here else preset_values(game, preset)
        if name == "options":
            return options_lines(game, values if here else None)
        return rules_lines(game, values, self._view.preset if here else preset)

    async def _ask_to_part(self, word: str) -> None:
        self._asked = word
        self._screen.say(parting_question(word, self._view))

    async def _ask_to_play(self, words: tuple[str, ...], question: str) -> None:
        self._asked, self._meant = "play", words
        self._screen.say(question)

    async def _part(self, word: str) -> None:
        if word == "end":
            await self._table.command(Command("end"))
            return
        self._going = True
        try:
            await self._table.command(Command("leave"))
        except Refusal:
            self._going = False
            raise
        self._end("left", "You have left the table.")

    async def _detach(self, before: str = "") -> None:
        self._going = True
        with trio.move_on_after(DETACH_WAIT), suppress(Refusal):
            await self._table.detach()
        self._end("detached", before + (SEAT_KEPT if my_seat(self._view) is not None else TABLE_KEPT))

    # --- what is shown ---

    async def _count_down(self) -> None:
        while True:
            await trio.sleep(1)
            hurry = self._view.turn_seconds is not None and self._view.turn_seconds - self._elapsed() <= HURRY
            if countdowns(self._view, self._elapsed()):
                self._tell_countdowns()
                self._paint()
            elif hurry and self._view.legal and not self._plain:
                self._paint()

    def _tell_countdowns(self) -> None:
        """Plain output has no prompt that counts down, so a few of the seconds are said."""
        for seat, left, text in countdowns(self._view, self._elapsed()) if self._plain else ():
            passed = [seconds for seconds in SPOKEN if left <= seconds < self._spoken.get(seat, left + 1.5)]
            if passed:
                self._screen.say(sentence(text))
            self._spoken[seat] = left

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
        if self._asked:
            self._screen.prompt(f"{'/'.join(self._answers())} > ", True)
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
        if event in self._bell:
            self._screen.ring()

    def _end(self, result: str, words: str) -> None:
        self.result, self.last_words = result, words
        self._ring("exit")
        self._scope.cancel()
