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
from p2pcards.frontend.asked_first import FirstQuestion, first_question
from p2pcards.frontend.choosing import completed, is_unfinished
from p2pcards.frontend.looks import LOOKS, TAKE_LONG, Showing
from p2pcards.frontend.manner import Manner, Muted, heard_lines, hears, muted_after
from p2pcards.frontend.option_pages import NotTaken
from p2pcards.frontend.record_pages import (
    YES_NO,
    answer_saving,
    game_won,
    lines_at_end,
    question_before,
    records_asked,
    saving_question,
)
from p2pcards.frontend.sound import Jukebox, play_songs, told_of_songs
from p2pcards.frontend.stage import Cue, Seen, Stage, StageEvent, Tempo, after, heard
from p2pcards.frontend.words import Local, NotUnderstood, for_table, moved_as, sorted_as, understand
from p2pcards.games.registry import UnknownGame
from p2pcards.games.spelling import SIGNS, SPELLED, cards_in
from p2pcards.present.advising import looked_lines
from p2pcards.present.cards import Arrangement, Style, dealt_anew, taken_up, usual, with_tens
from p2pcards.present.sayings import Sayings
from p2pcards.present.score import sheet_lines
from p2pcards.present.story import sentence, story
from p2pcards.present.table import Pressing, clock_text, is_another_turn, my_seat, pressing, recap
from p2pcards.views.absence import Absence, comes_back_by_any_sign
from p2pcards.views.happenings import (
    Acted,
    AlternativesExplained,
    FirstDealerDrawn,
    GameChosen,
    GameStarted,
    HandDealt,
    HandOpened,
    HandScored,
    Happening,
    Hinted,
    PlayerBack,
    PlayerJoined,
    PlayerLeft,
    PlayerLost,
    RedialPlanned,
    SeatTakenOver,
    Starts,
    TablePaused,
    table_event,
)
from p2pcards.views.tableview import Command, TableView
from p2pcards.wire.clean import clean

# --- what a person has seen and heard of a table ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Heard:
    """How something that has happened is shown to a person."""

    happened: Happened
    text: str  # its sentence
    said: tuple[str, ...] = ()  # remarks of characters about it
    sheet: tuple[str, ...] = ()  # the scores of a hand that is over
    looked: tuple[str, ...] = ()  # the answer to a person who looks back, such as at the last trick
    repeats: bool = False  # only what the person has just typed


class TableSeen:
    """clock: seconds that go on. begun: a view has come; held: the game has gone on under what is seen."""

    def __init__(self, manner: Callable[[], Manner], clock: Callable[[], float]) -> None:
        self.begun = False
        self.held = False
        self.view = TableView("listener", "lobby")
        self.arrangement = usual(None)
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
        """By its clock."""
        return self._clock()

    @property
    def elapsed(self) -> float:
        """Seconds since the view came."""
        return self._clock() - self._arrived

    def see_view(self, view: TableView, came: float | None = None) -> None:
        """A view is seen. came: when it came, None for now."""
        before, manner = self.view, self._manner()
        self.view = view = view if manner.show_meld_points else replace(view, indicator=())
        self._arrived = self._clock() if came is None else came
        if not self.begun or view.game != before.game:
            self.arrangement = usual(view.game, manner.sort)
        elif (view.hand, view.number) != (before.hand, before.number):
            self.arrangement = dealt_anew(self.arrangement)
        self.arrangement = taken_up(self.arrangement, mine.known if (mine := my_seat(view)) else ())
        self.begun = True

    def hold(self, held: bool) -> None:
        """Whether more is to be seen as soon as the person wants to."""
        self.held = held

    def hear_happening(self, happened: Happened, style: Style) -> Heard | None:
        """Something has happened; None where the person does not want to hear of it."""
        happening, view, manner = happened.happening, self.view, self._manner()
        if (isinstance(happening, Starts) and not manner.start_reminders) or not hears(happening, self._muted):
            return None
        mine = my_seat(view)
        me = next((person.name for person in view.people if person.link == "you"), mine.name if mine else "")
        said = self._sayings.heard(happening, view) if manner.phrases and not happened.earlier else []
        if self._is_redundant(happening) and not said:
            return None
        sheet = sheet_lines(happening, me, style) if isinstance(happening, HandScored) else []
        typed, self._typed = self._typed, None if isinstance(happening, Acted) and happening.mine else self._typed
        return Heard(
            happened,
            story(happening, me, style) + ("" if happened.earlier or not mine else _way_back(happening)),
            tuple(heard_lines(said, self._muted)),
            tuple(sheet),
            tuple(looked_lines(happening, style)),
            isinstance(happening, Acted) and happening.mine and typed is not None and _repeats(happening, typed),
        )

    def type_action(self, words: tuple[str, ...] | None) -> None:
        """The person typed this action in so many words; None: it is not taken."""
        self._typed = words

    def _is_redundant(self, happening: Happening) -> bool:
        """Whether another line says it: a repeated call is counted down beside the table, the choice of a game is told
        as it begins, the first dealer was just drawn, the first good proof of a table covers the next ones, and the
        return of a player to a seat that a character held is told by itself."""
        first_dealer, self._first_dealer = self._first_dealer, ""
        match happening:
            case GameChosen():
                return self.view.phase == "play"
            case FirstDealerDrawn(name=name):
                self._first_dealer = name
            case HandDealt(hand=1, dealer=dealer, absent=()):
                return dealer == first_dealer
            case HandOpened(proven=True):
                verified, self._verified = self._verified, True
                return verified
        if isinstance(happening, PlayerLost | PlayerBack | PlayerJoined | PlayerLeft):
            self._called -= {happening.name}
        if isinstance(happening, PlayerBack):
            return self._is_taken_over(happening.name)
        if not isinstance(happening, RedialPlanned):
            return False
        told = happening.name in self._called
        self._called |= {happening.name}
        return told

    def _is_taken_over(self, name: str) -> bool:
        """Whether a character holds the seat of this player until their link is back."""
        return any(
            (seat.name, seat.plays, seat.absence) == (name, "character", Absence.CUT_OFF) for seat in self.view.seats
        )

    def mute(self, arguments: Sequence[str]) -> str:
        """What is said about it. Raises NotUnderstood."""
        self._muted, said = muted_after(self._muted, arguments, self.view)
        return said

    def arrange(self, arrangement: Arrangement) -> None:
        self.arrangement = arrangement


def _way_back(happening: Happening) -> str:
    """What is added for a player whose seat a character holds."""
    match happening:
        case SeatTakenOver(mine=True):
            return " Press Enter to take over."
        case TablePaused():
            return " Press Enter to take your seat back."
        case _:
            return ""


def _repeats(acted: Acted, typed: tuple[str, ...]) -> bool:
    """Whether the sentence of an action names no card and no number but those that were typed."""
    told = acted.says or f"{acted.words} {acted.cards}"
    known = [card.face for card in cards_in(" ".join(typed).translate(SIGNS).upper().replace("10", "T"))]
    numbers = set(re.findall(r"\d+", SPELLED.sub("", told)))
    return all(card.face in known for card in cards_in(told)) and numbers <= set(typed)


# --- what they say to it, and what they are asked ---------------------------------------------------------------------

TALK = ("'", "say ", "quick ")
"""What a line begins with that is no answer to what lies on the table."""

PARTING = 2.0
"""Seconds for the daemon to hear that somebody goes, and for what they won to be shown."""


class Front(Protocol):
    """What shows a table to a person, and reads what they type and press."""

    @property
    def style(self) -> Style: ...

    def showing(self) -> Showing:
        """What there is to look at."""

    @property
    def tempo(self) -> Tempo:
        """How long the person wants to see each thing."""

    def take(self, seen: Seen) -> None:
        """A view is shown now, and goes to `TableSeen`."""

    def recall(self, recap: Sequence[str]) -> None:
        """Sentences about the hand that is on, for somebody who comes back to it."""

    def stand(self, before: TableView, first: bool) -> None:
        """The table stands otherwise than before. first: none was seen before."""

    def paint(self) -> None: ...
    def hear(self, heard: Heard) -> None: ...
    def ring(self) -> None: ...
    def told(self, text: str, wrong: bool = False) -> None:
        """wrong: why something does not go."""

    def told_aside(self, text: str) -> None:
        """What is no answer: a song that begins, or time that runs out."""

    def thinks(self) -> None:
        """An expert takes a while to answer; it can be ended."""

    def read(self, word: str, lines: Sequence[str]) -> None:
        """What a word shows."""

    def read_records(self, lines: Sequence[str]) -> None:
        """Of the game that has just ended."""

    def arranged(self) -> None:
        """The hand is arranged otherwise."""

    async def answer(self, word: Local) -> bool:
        """Whether it was a word that this front end answers in its own way. Raises NotUnderstood or NotTaken."""

    async def ask(self, question: str, answers: Callable[[], Sequence[str]], about: str) -> str | None:
        """None where the person does not want to answer. question: "" where it stands already; about: the address of
        what the guide tells of it."""

    def say(self, line: str) -> None:
        """As if the person had typed it."""

    def end(self, result: str) -> None:
        """Nothing more comes. result: "detached", "left" (for good) or "closed" (by the daemon)."""


THINKING = 0.5
"""Seconds that an expert may think before that is told."""
THOUGHT_ABOUT = ("hint", "explain")


class TableTalk:
    """Between a table and what shows it. jukebox: None where no songs are played."""

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
        """Tell what comes from the table, and play songs, until cancelled."""
        self.ring("start")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._follow)
            nursery.start_soon(self._keep_time)
            nursery.start_soon(self._tell_of_thinking)
            nursery.start_soon(self._watch_turn_clock)
            nursery.start_soon(self._read_records)
            if self.jukebox:
                await self.begun.wait()  # what happened before is told first
                nursery.start_soon(play_songs, self.jukebox, self._front.told_aside)

    def ring(self, event: str) -> None:
        if event in self._manner().bell:
            self._front.ring()

    # --- an expert who is asked ---

    @property
    def thinks(self) -> bool:
        """Whether an expert is asked, and has not answered yet."""
        return self._asked_expert is not None

    async def _tell_of_thinking(self) -> None:
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

    def _ask_expert(self) -> None:
        if self._asked_expert is None:
            self._asked_expert = trio.Event()
            self._to_think.set()

    def _expert_is_done(self) -> None:
        if self._asked_expert is not None:
            self._asked_expert.set()
            self._asked_expert = None

    # --- what comes from the table ---

    async def _follow(self) -> None:
        updates = self._table.updates()
        try:
            async for update in updates:
                if isinstance(update, TableView):
                    self._on(StageEvent.VIEW, update)
                    self._call(update)
                else:
                    self._perform(*heard(self._stage, update))
        finally:
            if isinstance(updates, AsyncGenerator):
                await updates.aclose()
        self._on(StageEvent.END)
        self._won.close()
        with trio.move_on_after(PARTING):
            await self._all_shown.wait()
        self._over.set()
        if not self._going:
            self._front.end("closed")

    # --- what is shown of it, and when ---

    def _on(self, event: StageEvent, view: TableView | None = None) -> None:
        self._perform(*after(self._stage, event, self._seen.now, self._front.tempo, view))

    async def _keep_time(self) -> None:
        while True:
            until = self._stage.until
            with trio.move_on_after(math.inf if until is None else max(until - self._seen.now, 0)) as time:
                await self._staged.wait()
            if time.cancelled_caught:
                self._on(StageEvent.TIME)

    def pressed(self) -> bool:
        """A key, or a click; whether the person saw the table of before, and is shown now what has come of it."""
        behind = bool(self._stage.waiting)
        came_back = self.take_seat_back()
        self._on(StageEvent.KEY)
        return behind or came_back

    def take_seat_back(self, meant: bool = False) -> bool:
        """The person is here; whether that takes back their seat from the character who holds it. meant: they want just
        that; else a character whom they asked to play goes on."""
        if not self._seen.view.away or self._going or not (meant or self._any_sign_will_do):
            return False
        if not self._coming_back:
            self._coming_back = True
            self._front.say("back")
        return True

    @property
    def _any_sign_will_do(self) -> bool:
        mine = my_seat(self._seen.view)
        return mine is None or comes_back_by_any_sign(mine.absence)

    async def _watch_turn_clock(self) -> None:
        """Warn at half of a turn, and when ten seconds are left."""
        before = Pressing.NO
        while True:
            await trio.sleep(1)
            view, elapsed = self._seen.view, self._seen.elapsed
            now = pressing(view, elapsed)
            if now and now is not before:
                self._front.told_aside(f"{clock_text(view, elapsed)} left to play.")
                self.ring("turn")
            before = now

    def go_on(self) -> None:
        """The person is done with what lies there."""
        self._on(StageEvent.GO_ON)

    def _perform(self, stage: Stage, cues: Sequence[Cue]) -> None:
        changed = bool(cues) or stage.held != self._stage.held
        self._stage = stage
        self._seen.hold(stage.held)
        first, events = not self._seen.begun, dict[str, None]()
        for cue in cues:
            if not isinstance(cue, Seen):
                events[self._tell(cue)] = None
                continue
            before = self._seen.view
            self._front.take(cue)
            if first and not _has_begun(cues):
                self._front.recall(recap(self._seen.view, self._front.style))
            if not first:
                self._stand(before, cue.last)
        if first and self._seen.begun:  # once it is told what had happened before
            self._stand(TableView("listener", "lobby"), True, first)
        for event in events:
            self.ring(event)
        if changed and self._seen.begun:
            self._front.paint()
        self._table.caught_up(stage.idle)
        self._staged.set()
        self._staged = trio.Event()

    def _stand(self, before: TableView, last: bool, first: bool = False) -> None:
        """Another view is seen. last: nothing newer is there."""
        view = self._seen.view
        if self.jukebox:
            self.jukebox.at_game(view.game or "")
        self._front.stand(before, first)
        if view.head != before.head:
            self._expert_is_done()
        if view.legal and not before.legal:
            self._unfinished = ()
            if not self._called:
                self.ring("turn")
        self._called = False
        forced = view.legal[0] if last and len(view.legal) == 1 and is_another_turn(before, view) else ""
        if forced and (self._manner().forced or (self._manner().say_go and forced == "go")):
            self._do_what_is_forced(forced)
        self.begun.set()

    def _call(self, view: TableView) -> None:
        """Who looks at something else is called when it is their turn."""
        if self._stage.held and view.legal and not self._called:
            self._called = True
            self.ring("turn")

    def _do_what_is_forced(self, line: str) -> None:
        if not (self._going or self._saving):
            self._forced = line
            self._front.say(line)

    def _tell(self, happened: Happened) -> str:
        """The event that rings for it, one of `TABLE_EVENTS`, or ""."""
        if isinstance(happened.happening, Hinted | AlternativesExplained):
            self._expert_is_done()
        if told := self._seen.hear_happening(happened, self._front.style):
            self._front.hear(told)
        if game := game_won(happened, self._seen.view, self._manner()):
            self._won.send_nowait(game)
        return "" if happened.earlier else table_event(happened.happening, self._seen.view)

    async def _read_records(self) -> None:
        """At the end of each game, as soon as they are read."""
        async for game in self._games_won:
            self._front.read_records(
                await beside(lines_at_end, self._manner().home, game, self._front.showing().colour)
            )
        self._all_shown.set()

    # --- what the person says ---

    async def say(self, line: str) -> bool:
        """Whether the line was answered here, and did not go to the table. What is wrong with it is told."""
        if not line.lstrip().startswith(TALK):
            self._on(StageEvent.SAID)
        try:
            typed = understand(line, self._seen.view)
            if await self._is_taken_for_back(typed):
                return False
            if isinstance(typed, Local):
                await self._answer(typed)
                return True
            if typed is not None:
                question = first_question(typed, self._seen.view, self._front.style, self._manner())
                await (self._ask(typed, question) if question else self._carry_out(typed))
        except (NotUnderstood, NotTaken, Refusal, UnknownGame) as problem:
            self._front.told(sentence(with_tens(clean(str(problem), 1000))), wrong=True)
        return False

    async def _is_taken_for_back(self, typed: Command | Local | None) -> bool:
        """Take back a seat that a character holds, whatever a person types; whether nothing else is meant. No card is
        played by it, as the character may have moved meanwhile."""
        meant = typed is None or typed.name in ("act", "next")
        if not self._seen.view.away or not (meant or self._any_sign_will_do):
            return False
        if typed is None or typed.name not in ("back", "away", "leave", "detach"):
            with nullcontext() if meant else suppress(Refusal):
                await self._carry_out(Command("back"))
        return meant

    async def _ask(self, command: Command, question: FirstQuestion) -> None:
        again = True
        while again:
            text = question.text(command, self._seen.view, self._front.style)
            answer = await self._front.ask(text, lambda: question.answers(self._seen.view), f"words#{command.name}")
            taken = question.take(command, self._seen.view, "no" if answer is None else answer)
            if taken.said:
                self._front.told(taken.said)
            again = taken.again
        for follows in taken.commands:
            await self._carry_out(follows)

    async def _carry_out(self, command: Command) -> None:
        if command.name == "act":
            await self._act(command.arguments)
        elif command.name == "back":
            try:
                await self._table.command(command)
            finally:
                self._coming_back = False
        elif command.name == "leave":
            await self._part("left")
        elif command.name in THOUGHT_ABOUT and command.arguments != ("off",):
            self._ask_expert()
            try:
                await self._table.command(command)
            except Refusal:
                self._expert_is_done()
                raise
        else:
            await self._table.command(for_table(command))
            if command.name in THOUGHT_ABOUT:
                self._expert_is_done()

    async def _act(self, words: tuple[str, ...]) -> None:
        words, self._unfinished = completed(self._unfinished, words, self._seen.view.legal), ()
        forced, self._forced = self._forced, ""
        self._seen.type_action(None if " ".join(words) == forced else words)
        try:
            await self._table.command(Command("act", words))
        except Refusal:
            self._seen.type_action(None)
            if is_unfinished(words, self._seen.view.legal):
                self._unfinished = words
            raise

    async def _answer(self, word: Local) -> None:
        name, arguments, seen = word.name, word.arguments, self._seen
        if name == "detach":
            await self._part("detached")
        elif name == "song":
            self._front.told(told_of_songs(self.jukebox, arguments))
        elif name == "mute":
            self._front.told(seen.mute(arguments))
        elif name in ("sort", "move"):
            seen.arrange((sorted_as if name == "sort" else moved_as)(arguments, seen.arrangement, seen.view))
            self._front.arranged()
        elif name == "records" and not await self._means_records(arguments):
            self._front.told("OK, nothing changed.")
        elif not await self._front.answer(word):
            look = partial(LOOKS[name], self._front.showing(), arguments)
            self._front.read(name, await beside(look) if name in TAKE_LONG else look())

    async def _means_records(self, arguments: Sequence[str]) -> bool:
        """Whether this is to be done with the records, which is asked before they begin anew."""
        asked = records_asked("records", arguments, self._seen.view.game)
        question = await beside(question_before, self._manner().home, asked)
        if not question:
            return True
        said = await self._front.ask(f"{question} {'/'.join(YES_NO)}", lambda: YES_NO, "records#start-over")
        return (said or "").lower() in ("y", YES_NO[0])

    # --- how they part ---

    async def _part(self, result: str) -> None:
        """Once they have said what becomes of the scoreboard."""
        question = await beside(saving_question, self._seen.view, self._manner())
        if not question or await self._saved(f"{question} {'/'.join(YES_NO)}"):
            await self.go(result)

    async def _saved(self, question: str) -> bool:
        """Whether they have answered, and go."""
        self._saving = True
        while (answer := await self._front.ask(question, lambda: YES_NO, "records#the-scoreboard")) is not None:
            said = await beside(answer_saving, self._manner(), answer)
            self._front.told(said or f"Type {' or '.join(YES_NO)}.")
            if said:
                self._saving = False
                return True
            question = ""
        self._saving = False
        self._front.told("OK, you stay.")
        return False

    async def go(self, result: str) -> None:
        """Without a question; result as in `Front.end`. Raises Refusal where somebody may not leave."""
        self._going = True
        self._on(StageEvent.SAID)
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


def _has_begun(cues: Sequence[Cue]) -> bool:
    """Whether a game begins among them, of which nobody needs to be reminded."""
    return any(isinstance(cue, Happened) and isinstance(cue.happening, GameStarted) and not cue.earlier for cue in cues)
