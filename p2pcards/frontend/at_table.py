"""One person at one table: what they have seen and heard of it, what they say to it, and what they are asked. Line mode
and the screen draw and read keys."""

from __future__ import annotations

import math
import re
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Protocol

import trio

from p2pcards.control.attached import AttachedTable, Refusal
from p2pcards.control.messages import Happened
from p2pcards.daemon.crew import beside
from p2pcards.frontend.asked_first import FirstQuestion, question_before_command
from p2pcards.frontend.choosing import is_unfinished, joined_to_unfinished
from p2pcards.frontend.looks import LOOKS, TAKE_LONG, Showing
from p2pcards.frontend.manner import Manner, Muted, is_heard, toggle_muted, unmuted_lines
from p2pcards.frontend.option_pages import NotTaken
from p2pcards.frontend.record_pages import (
    YES_NO,
    answer_scoreboard_save,
    game_for_records,
    parse_records_request,
    records_after_game,
    records_change_question,
    scoreboard_save_question,
)
from p2pcards.frontend.sound import Jukebox, play_songs, run_song_command
from p2pcards.frontend.stage import Cue, Seen, Stage, StageEvent, Tempo, add_happening, advance_stage
from p2pcards.frontend.words import Local, NotUnderstood, move_card, parse_line, sort_hand, without_local_yes
from p2pcards.games.registry import UnknownGame
from p2pcards.games.spelling import SIGNS, SPELLED, cards_in_text
from p2pcards.present.advising import answer_details
from p2pcards.present.cards import (
    Arrangement,
    Style,
    reset_arrangement,
    tens_as_numbers,
    update_arrangement,
    usual_arrangement,
)
from p2pcards.present.sayings import Sayings
from p2pcards.present.score import sheet_lines
from p2pcards.present.story import as_sentence, happening_sentence
from p2pcards.present.table import Pressing, clock_text, is_another_turn, my_seat, recap_hand, turn_pressure
from p2pcards.views import happenings
from p2pcards.views.absence import Absence, any_key_ends_absence
from p2pcards.views.tableview import Command, TableView
from p2pcards.wire.clean import clean

# --- what a person has seen and heard of a table ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Heard:
    """A happening with the sentence and lines that show it to a person."""

    happened: Happened
    text: str  # its sentence
    said: tuple[str, ...] = ()  # remarks of characters about it
    sheet: tuple[str, ...] = ()  # the scores of a hand that is over
    looked: tuple[str, ...] = ()  # the answer to a person who looks back, such as at the last trick
    repeats: bool = False  # only what the person has just typed


class TableSeen:
    """What a person has seen of a table so far. clock: monotonic seconds; begun: a view has come; held: newer views
    wait behind the shown one."""

    def __init__(self, manner: Callable[[], Manner], clock: Callable[[], float]) -> None:
        self.begun = False
        self.held = False
        self.view = TableView("listener", "lobby")
        self.arrangement = usual_arrangement(None)
        self._manner = manner
        self._clock = clock
        self._arrived = clock()
        self._sayings = Sayings()
        self._muted: Muted = frozenset()
        self._verified = False  # the proof of a hand was told
        self._first_dealer = ""  # who was drawn just now
        self._called: frozenset[str] = frozenset()  # who was said to be called again, and has not come back since
        self._typed: tuple[str, ...] | None = None  # the action that the person typed, until it is told

    @property
    def now(self) -> float:
        """The time on this table's clock, in seconds."""
        return self._clock()

    @property
    def elapsed(self) -> float:
        """Seconds since the shown view came."""
        return self._clock() - self._arrived

    def see_view(self, view: TableView, came: float | None = None) -> None:
        """Replace the shown view. came: when it came by the clock, None for now."""
        before, manner = self.view, self._manner()
        self.view = view = view if manner.show_meld_points else replace(view, indicator=())
        self._arrived = self._clock() if came is None else came
        if not self.begun or view.game != before.game:
            self.arrangement = usual_arrangement(view.game, manner.sort)
        elif (view.hand, view.number) != (before.hand, before.number):
            self.arrangement = reset_arrangement(self.arrangement)
        self.arrangement = update_arrangement(self.arrangement, mine.known if (mine := my_seat(view)) else ())
        self.begun = True

    def hold(self, held: bool) -> None:
        """Note whether newer views wait until the person continues."""
        self.held = held

    def describe_happening(self, happened: Happened, style: Style) -> Heard | None:
        """How to tell the person of this; None for what they muted or know already."""
        happening, view, manner = happened.happening, self.view, self._manner()
        if (isinstance(happening, happenings.Starts) and not manner.start_reminders) or not is_heard(
            happening, self._muted
        ):
            return None
        mine = my_seat(view)
        me = next((person.name for person in view.people if person.link == "you"), mine.name if mine else "")
        said = self._sayings.heard(happening, view) if manner.phrases and not happened.earlier else []
        if self._is_redundant(happening) and not said:
            return None
        sheet = sheet_lines(happening, me, style) if isinstance(happening, happenings.HandScored) else []
        typed, self._typed = (
            self._typed,
            None if isinstance(happening, happenings.Acted) and happening.mine else self._typed,
        )
        return Heard(
            happened,
            happening_sentence(happening, me, style)
            + ("" if happened.earlier or not mine else _takeover_reminder(happening)),
            tuple(unmuted_lines(said, self._muted)),
            tuple(sheet),
            tuple(answer_details(happening, style)),
            isinstance(happening, happenings.Acted)
            and happening.mine
            and typed is not None
            and _repeats_typed(happening, typed),
        )

    def note_typed_action(self, words: tuple[str, ...] | None) -> None:
        """Note the action that the person typed, so that it isn't repeated to them; None: it wasn't taken."""
        self._typed = words

    def _is_redundant(self, happening: happenings.Happening) -> bool:
        """Return whether another line says it: a repeated call is counted down beside the table, the choice of a game
        is told as it begins, the first dealer was just drawn, only a table's first verified hand is told, and the
        return of a player to a seat that a character held is told by itself."""
        first_dealer, self._first_dealer = self._first_dealer, ""
        match happening:
            case happenings.GameChosen():
                return self.view.phase == "play"
            case happenings.FirstDealerDrawn(name=name):
                self._first_dealer = name
            case happenings.HandDealt(hand=1, dealer=dealer, absent=()):
                return dealer == first_dealer
            case happenings.HandOpened(proven=True):
                verified, self._verified = self._verified, True
                return verified
        if isinstance(
            happening, happenings.PlayerLost | happenings.PlayerBack | happenings.PlayerJoined | happenings.PlayerLeft
        ):
            self._called -= {happening.name}
        if isinstance(happening, happenings.PlayerBack):
            return self._is_taken_over(happening.name)
        if not isinstance(happening, happenings.RedialPlanned):
            return False
        told = happening.name in self._called
        self._called |= {happening.name}
        return told

    def _is_taken_over(self, name: str) -> bool:
        """Return whether a character plays the seat of the player with this name."""
        return any(
            (seat.name, seat.plays, seat.absence) == (name, "character", Absence.CUT_OFF) for seat in self.view.seats
        )

    def mute(self, arguments: Sequence[str]) -> str:
        """Mute or unmute a person by name, and return the confirmation. arguments: the typed words. Raises
        NotUnderstood."""
        self._muted, said = toggle_muted(self._muted, arguments, self.view)
        return said

    def set_arrangement(self, arrangement: Arrangement) -> None:
        self.arrangement = arrangement


def _takeover_reminder(happening: happenings.Happening) -> str:
    """A sentence how to take the seat back, added for a player whose seat a character holds; else ""."""
    match happening:
        case happenings.SeatTakenOver(mine=True):
            return " Press Enter to take over."
        case happenings.TablePaused():
            return " Press Enter to take your seat back."
        case _:
            return ""


def _repeats_typed(acted: happenings.Acted, typed: tuple[str, ...]) -> bool:
    """Return whether the action's sentence names no card and no number but those typed."""
    told = acted.says or f"{acted.words} {acted.cards}"
    known = [card.face for card in cards_in_text(" ".join(typed).translate(SIGNS).upper().replace("10", "T"))]
    numbers = set(re.findall(r"\d+", SPELLED.sub("", told)))
    return all(card.face in known for card in cards_in_text(told)) and numbers <= set(typed)


# --- what they say to it, and what they are asked ---------------------------------------------------------------------

TALK = ("'", "say ", "quick ")
"""What a line begins with that is no answer to what lies on the table."""

PARTING = 2.0
"""Seconds for the daemon to hear that somebody goes, and for what they won to be shown."""


class Front(Protocol):
    """A front end of a table: it shows the table, and reads what the person types and presses."""

    @property
    def style(self) -> Style:
        """How cards and texts are shown."""

    def showing(self) -> Showing:
        """What the words that only show something (`looks`) may look at."""

    @property
    def tempo(self) -> Tempo:
        """For how long the person wants to see each step."""

    def take(self, seen: Seen) -> None:
        """Show this view now, and pass it to `TableSeen`."""

    def recall(self, recap: Sequence[str]) -> None:
        """Show sentences about the hand in progress to a person who comes back to it."""

    def stand(self, before: TableView, first: bool) -> None:
        """React to a new view being shown. before: the view before it; first: it is the first one."""

    def paint(self) -> None:
        """Paint again, as something on view has changed."""

    def hear(self, heard: Heard) -> None:
        """Show this happening."""

    def ring(self) -> None:
        """Ring the bell."""

    def told(self, text: str, wrong: bool = False) -> None:
        """Show the answer to what the person did. wrong: the text says why it failed."""

    def told_aside(self, text: str) -> None:
        """Show a sentence that answers nothing: a song that begins, or time that runs out."""

    def thinks(self) -> None:
        """Show that an expert is working on the hint, and how to cancel it."""

    def read(self, word: str, lines: Sequence[str]) -> None:
        """Show the lines that a word of the table prints, such as `score`."""

    def read_records(self, lines: Sequence[str]) -> None:
        """Show the records of the game that has just ended."""

    def arranged(self) -> None:
        """React to the person's hand being sorted or moved."""

    async def answer(self, word: Local) -> bool:
        """Handle a word that this front end answers in its own way; False for any other. Raises NotUnderstood or
        NotTaken."""

    async def ask(self, question: str, answers: Callable[[], Sequence[str]], about: str) -> str | None:
        """Ask the person and return the answer, None if they cancel. question: "" where it is shown already; about:
        address of the guide's page on it."""

    def say(self, line: str) -> None:
        """Handle a line as if the person had typed it."""

    def end(self, result: str) -> None:
        """Close the front end. result: "detached", "left" (for good) or "closed" (by the daemon)."""


THINKING = 0.5
"""Seconds that an expert may think before that is told."""
THOUGHT_ABOUT = ("hint", "explain")


class TableTalk:
    """Connects an attached table with the front end that shows it. jukebox: None where no songs are played."""

    def __init__(self, table: AttachedTable, seen: TableSeen, front: Front, manner: Callable[[], Manner]) -> None:
        self.begun = trio.Event()
        self.jukebox = Jukebox(playlist, Random()) if (playlist := manner().playlist).plays else None
        self._table = table
        self._seen = seen
        self._front = front
        self._manner = manner
        self._stage = Stage()
        self._staged = trio.Event()  # it is another
        self._called = False  # the bell has rung for a turn that is still to be seen
        self._unfinished: tuple[str, ...] = ()  # an action that was refused because it lacks something
        self._forced = ""  # the only action there was, which nobody typed
        self._asked_expert: trio.Event | None = None  # what they were asked for has come, or is not wanted any more
        self._to_think = trio.Event()  # an expert is asked
        self._coming_back = False  # the seat is being taken back
        self._saving = False  # it is asked what becomes of the scoreboard
        self._going = False  # detaching or leaving, after which the table sends nothing more
        self._over = trio.Event()  # all that the table has sent is told
        self._won, self._games_won = trio.open_memory_channel[str](math.inf)  # whose records are to be shown
        self._all_shown = trio.Event()

    async def run(self) -> None:
        """Pass on what comes from the table, and play songs, until cancelled."""
        self.ring("start")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._follow_updates)
            nursery.start_soon(self._run_stage_timer)
            nursery.start_soon(self._show_slow_thinking)
            nursery.start_soon(self._watch_turn_clock)
            nursery.start_soon(self._show_records)
            if self.jukebox:
                await self.begun.wait()  # what happened before is told first
                nursery.start_soon(play_songs, self.jukebox, self._front.told_aside)

    def ring(self, event: str) -> None:
        """Ring the bell and run the command set for this event, one of `TABLE_EVENTS`."""
        if event in self._manner().bell:
            self._front.ring()

    # --- an expert who is asked ---

    @property
    def thinks(self) -> bool:
        """An expert was asked for a hint and has not answered yet."""
        return self._asked_expert is not None

    async def _show_slow_thinking(self) -> None:
        while True:
            await self._to_think.wait()
            self._to_think = trio.Event()
            if (answer := self._asked_expert) is None:
                continue
            with trio.move_on_after(THINKING):
                await answer.wait()
            if not answer.is_set():
                self._front.thinks()
                await answer.wait()

    def _note_expert_asked(self) -> None:
        if self._asked_expert is None:
            self._asked_expert = trio.Event()
            self._to_think.set()

    def _note_expert_done(self) -> None:
        if self._asked_expert is not None:
            self._asked_expert.set()
            self._asked_expert = None

    # --- what comes from the table ---

    async def _follow_updates(self) -> None:
        updates = self._table.updates()
        try:
            async for update in updates:
                if isinstance(update, TableView):
                    self._handle_stage_event(StageEvent.VIEW, update)
                    self._call_to_turn(update)
                else:
                    self._perform_cues(*add_happening(self._stage, update))
        finally:
            if isinstance(updates, AsyncGenerator):
                await updates.aclose()
        self._handle_stage_event(StageEvent.END)
        self._won.close()
        with trio.move_on_after(PARTING):
            await self._all_shown.wait()
        self._over.set()
        if not self._going:
            self._front.end("closed")

    # --- what is shown of it, and when ---

    def _handle_stage_event(self, event: StageEvent, view: TableView | None = None) -> None:
        self._perform_cues(*advance_stage(self._stage, event, self._seen.now, self._front.tempo, view))

    async def _run_stage_timer(self) -> None:
        while True:
            until = self._stage.until
            with trio.move_on_after(math.inf if until is None else max(until - self._seen.now, 0)) as time:
                await self._staged.wait()
            if time.cancelled_caught:
                self._handle_stage_event(StageEvent.TIME)

    def pressed(self) -> bool:
        """Note a key or click. True if the person saw an outdated table, which now catches up; the key should then do
        nothing else."""
        behind = bool(self._stage.waiting)
        came_back = self.take_seat_back()
        self._handle_stage_event(StageEvent.KEY)
        return behind or came_back

    def take_seat_back(self, meant: bool = False) -> bool:
        """Take the person's seat back from the character that plays it; False where nothing was to take back. meant:
        they asked for just that; otherwise a character that they asked to play goes on."""
        if not self._seen.view.away or self._going or not (meant or self._any_key_takes_seat_back):
            return False
        if not self._coming_back:
            self._coming_back = True
            self._front.say("back")
        return True

    @property
    def _any_key_takes_seat_back(self) -> bool:
        mine = my_seat(self._seen.view)
        return mine is None or any_key_ends_absence(mine.absence)

    async def _watch_turn_clock(self) -> None:
        """Warn at half of the turn clock and when ten seconds are left."""
        before = Pressing.NO
        while True:
            await trio.sleep(1)
            view, elapsed = self._seen.view, self._seen.elapsed
            now = turn_pressure(view, elapsed)
            if now and now is not before:
                self._front.told_aside(f"{clock_text(view, elapsed)} left to play.")
                self.ring("turn")
            before = now

    def go_on(self) -> None:
        """Show the next step at once: the person is done with the shown one."""
        self._handle_stage_event(StageEvent.GO_ON)

    def _perform_cues(self, stage: Stage, cues: Sequence[Cue]) -> None:
        changed = bool(cues) or stage.held != self._stage.held
        self._stage = stage
        self._seen.hold(stage.held)
        first, events = not self._seen.begun, dict[str, None]()
        for cue in cues:
            if not isinstance(cue, Seen):
                events[self._tell_happening(cue)] = None
                continue
            before = self._seen.view
            self._front.take(cue)
            if first and not _begins_game(cues):
                self._front.recall(recap_hand(self._seen.view, self._front.style))
            if not first:
                self._show_next_view(before, cue.last)
        if first and self._seen.begun:  # once it is told what had happened before
            self._show_next_view(TableView("listener", "lobby"), True, first)
        for event in events:
            self.ring(event)
        if changed and self._seen.begun:
            self._front.paint()
        self._table.caught_up(stage.has_shown_all)
        self._staged.set()
        self._staged = trio.Event()

    def _show_next_view(self, before: TableView, last: bool, first: bool = False) -> None:
        """Show another view. last: none newer waits; first: it is the first of all."""
        view = self._seen.view
        if self.jukebox:
            self.jukebox.switch_game(view.game or "")
        self._front.stand(before, first)
        if view.head != before.head:
            self._note_expert_done()
        if view.legal and not before.legal:
            self._unfinished = ()
            if not self._called:
                self.ring("turn")
        self._called = False
        forced = view.legal[0] if last and len(view.legal) == 1 and is_another_turn(before, view) else ""
        if forced and (self._manner().forced or (self._manner().say_go and forced == "go")):
            self._play_forced_action(forced)
        self.begun.set()

    def _call_to_turn(self, view: TableView) -> None:
        """Ring for a person whose turn has begun while they look elsewhere."""
        if self._stage.held and view.legal and not self._called:
            self._called = True
            self.ring("turn")

    def _play_forced_action(self, line: str) -> None:
        if not (self._going or self._saving):
            self._forced = line
            self._front.say(line)

    def _tell_happening(self, happened: Happened) -> str:
        """Show a happening; return the event to ring for, one of `TABLE_EVENTS`, or ""."""
        if isinstance(happened.happening, happenings.Hinted | happenings.AlternativesExplained):
            self._note_expert_done()
        if told := self._seen.describe_happening(happened, self._front.style):
            self._front.hear(told)
        if game := game_for_records(happened, self._seen.view, self._manner()):
            self._won.send_nowait(game)
        return "" if happened.earlier else happenings.table_event(happened.happening, self._seen.view)

    async def _show_records(self) -> None:
        """Show the records at the end of each game, once they are read."""
        async for game in self._games_won:
            self._front.read_records(
                await beside(records_after_game, self._manner().home, game, self._front.showing().colour)
            )
        self._all_shown.set()

    # --- what the person says ---

    async def say(self, line: str) -> bool:
        """Carry out a typed line; True if it was answered here, False if it went to the table. Faults are shown to the
        person."""
        if not line.lstrip().startswith(TALK):
            self._handle_stage_event(StageEvent.SAID)
        try:
            typed = parse_line(line, self._seen.view)
            if await self._takes_seat_back(typed):
                return False
            if isinstance(typed, Local):
                await self._answer_locally(typed)
                return True
            if typed is not None:
                question = question_before_command(typed, self._seen.view, self._front.style, self._manner())
                await (self._ask_before_command(typed, question) if question else self._send_command(typed))
        except (NotUnderstood, NotTaken, Refusal, UnknownGame) as problem:
            self._front.told(as_sentence(tens_as_numbers(clean(str(problem), 1000))), wrong=True)
        return False

    async def _takes_seat_back(self, typed: Command | Local | None) -> bool:
        """Take back a seat that a character plays, whatever the person types; True if the line means nothing else. A
        typed card isn't played, as the character may have moved meanwhile."""
        meant = typed is None or typed.name in ("act", "next")
        if not self._seen.view.away or not (meant or self._any_key_takes_seat_back):
            return False
        if typed is None or typed.name not in ("back", "away", "leave", "detach"):
            with nullcontext() if meant else suppress(Refusal):
                await self._send_command(Command("back"))
        return meant

    async def _ask_before_command(self, command: Command, question: FirstQuestion) -> None:
        again = True
        while again:
            text = question.text(command, self._seen.view, self._front.style)
            answer = await self._front.ask(text, lambda: question.answers(self._seen.view), f"words#{command.name}")
            taken = question.take(command, self._seen.view, "no" if answer is None else answer)
            if taken.said:
                self._front.told(taken.said)
            again = taken.again
        for follows in taken.commands:
            await self._send_command(follows)

    async def _send_command(self, command: Command) -> None:
        if command.name == "act":
            await self._send_action(command.arguments)
        elif command.name == "back":
            try:
                await self._table.command(command)
            finally:
                self._coming_back = False
        elif command.name == "leave":
            await self._leave_after_saving("left")
        elif command.name in THOUGHT_ABOUT and command.arguments != ("off",):
            self._note_expert_asked()
            try:
                await self._table.command(command)
            except Refusal:
                self._note_expert_done()
                raise
        else:
            await self._table.command(without_local_yes(command))
            if command.name in THOUGHT_ABOUT:
                self._note_expert_done()

    async def _send_action(self, words: tuple[str, ...]) -> None:
        words, self._unfinished = joined_to_unfinished(self._unfinished, words, self._seen.view.legal), ()
        forced, self._forced = self._forced, ""
        self._seen.note_typed_action(None if " ".join(words) == forced else words)
        try:
            await self._table.command(Command("act", words))
        except Refusal:
            self._seen.note_typed_action(None)
            if is_unfinished(words, self._seen.view.legal):
                self._unfinished = words
            raise

    async def _answer_locally(self, word: Local) -> None:
        name, arguments, seen = word.name, word.arguments, self._seen
        if name == "detach":
            await self._leave_after_saving("detached")
        elif name == "song":
            self._front.told(run_song_command(self.jukebox, arguments))
        elif name == "mute":
            self._front.told(seen.mute(arguments))
        elif name in ("sort", "move"):
            seen.set_arrangement((sort_hand if name == "sort" else move_card)(arguments, seen.arrangement, seen.view))
            self._front.arranged()
        elif name == "records" and not await self._confirms_records_change(arguments):
            self._front.told("OK, nothing changed.")
        elif not await self._front.answer(word):
            look = partial(LOOKS[name], self._front.showing(), arguments)
            self._front.read(name, await beside(look) if name in TAKE_LONG else look())

    async def _confirms_records_change(self, arguments: Sequence[str]) -> bool:
        """Ask before records are reset or recovered; True to go on, also where nothing needs asking."""
        asked = parse_records_request("records", arguments, self._seen.view.game)
        question = await beside(records_change_question, self._manner().home, asked)
        if not question:
            return True
        said = await self._front.ask(f"{question} {'/'.join(YES_NO)}", lambda: YES_NO, "records#start-over")
        return (said or "").lower() in ("y", YES_NO[0])

    # --- how they part ---

    async def _leave_after_saving(self, result: str) -> None:
        """Leave once the person has decided whether to save the scoreboard."""
        question = await beside(scoreboard_save_question, self._seen.view, self._manner())
        if not question or await self._saved(f"{question} {'/'.join(YES_NO)}"):
            await self.go(result)

    async def _saved(self, question: str) -> bool:
        """Ask whether to save the scoreboard; False if the person cancels leaving."""
        self._saving = True
        while (answer := await self._front.ask(question, lambda: YES_NO, "records#the-scoreboard")) is not None:
            said = await beside(answer_scoreboard_save, self._manner(), answer)
            self._front.told(said or f"Type {' or '.join(YES_NO)}.")
            if said:
                self._saving = False
                return True
            question = ""
        self._saving = False
        self._front.told("OK, you stay.")
        return False

    async def go(self, result: str) -> None:
        """Leave without asking; result as in `Front.end`. Raises Refusal where the person may not leave."""
        self._going = True
        self._handle_stage_event(StageEvent.SAID)
        if result == "left":
            try:
                await self._table.command(Command("leave"))
            except Refusal:
                self._going = False
                raise
        else:
            with trio.move_on_after(PARTING), suppress(Refusal):
                await self._table.detach()
                await self._over.wait()
        self._front.end(result)


def _begins_game(cues: Sequence[Cue]) -> bool:
    """Return whether a game begins among these cues, so that no recap is needed."""
    return any(
        isinstance(cue, Happened) and isinstance(cue.happening, happenings.GameStarted) and not cue.earlier
        for cue in cues
    )
