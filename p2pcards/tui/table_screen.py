"""The screen of one table: what comes from it is drawn, what is pressed and pointed at is said to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from time import monotonic
from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.geometry import Offset
from textual.screen import Screen
from textual.widgets import Input

from p2pcards.control.attached import AttachedTable, Refusal
from p2pcards.control.messages import Happened
from p2pcards.frontend.looks import Showing
from p2pcards.frontend.muting import Muted, heard_lines, hears, muted_after
from p2pcards.frontend.option_pages import option_lines
from p2pcards.frontend.parting import last_words
from p2pcards.games.registry import GAMES
from p2pcards.present.cards import words_text
from p2pcards.present.hand import Arrangement, taken_up, usual
from p2pcards.present.memory import looked_lines
from p2pcards.present.sayings import Sayings
from p2pcards.present.score import sheet_lines
from p2pcards.present.story import story
from p2pcards.present.table import my_seat
from p2pcards.present.width import COLUMNS, fit
from p2pcards.tui.appearance import ReadSitting
from p2pcards.tui.choices import Deed, pressed, taken_over
from p2pcards.tui.commands import Commands, Panels
from p2pcards.tui.doing import to_do
from p2pcards.tui.felt import Felt
from p2pcards.tui.layout_help import about
from p2pcards.tui.menu import WordPalette, words_now
from p2pcards.tui.options_screen import OptionsScreen
from p2pcards.tui.panels import ChoicePanel, HelpAsked, QuestionPanel, ReadingPanel
from p2pcards.tui.picture.scene import HAND, Mind, Scene, Told, drawn_since, played_since, scene
from p2pcards.tui.picture.table import draw
from p2pcards.tui.pointing import pointed
from p2pcards.tui.sounding import Sounding
from p2pcards.views.commands import Command
from p2pcards.views.happenings import Hinted, Said
from p2pcards.views.in_game import HandScored, Starts
from p2pcards.views.table_events import table_event
from p2pcards.views.tableview import TableView

MOST_TOLD = 300
"""Lines that can be read again."""
LINES = {
    "f1": "help",
    "question_mark": "help",
    "f2": "sort",
    "f3": "score",
    "f4": "hint",
    "h": "hint",
    "f5": "explain",
    "x": "explain",
    "f6": "analyze",
    "a": "analyze",
    "f7": "last",
    "l": "last",
    "f8": "recall",
    "v": "score",
    "o": "do",
    "z": "undo",
    "m": "melds",
    "g": "rules",
    "f9": "rules",
    "ctrl+o": "config",
    "ctrl+c": "detach",
}
"""What keys say that are not for cards or buttons."""
MARKED = 0.4
"""Seconds that what others have done stands out. MeggieSoft: 0.2, for a card that moves."""
MENU_EDGES = 14
"""Columns of a panel around the lines of a choice."""
ORDERS = ("suit", "rank", "trump", "off")


class TableScreen(Screen[None]):
    """One table, until it is left or closed; then the program ends with what is said."""

    DEFAULT_CSS = """
    TableScreen { layers: table line; }
    TableScreen Input { layer: line; dock: bottom; height: 1; border: none; padding: 0 1; }
    """
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {WordPalette}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f10", "menu", "menu"),
        Binding("f12", "what_is_this", "what is this?"),
        *[Binding(key, f"say_line('{line}')", line) for key, line in LINES.items() if key.startswith(("f", "ctrl"))],
    ]

    def __init__(self, table: AttachedTable, sitting: ReadSitting, told: Sequence[str] = ()) -> None:
        """told: what is to be read at first."""
        super().__init__()
        self._table = table
        self._read_sitting = sitting
        self._sitting = now = sitting()
        self._went_on = asyncio.Event()
        self._arrangement = usual(None)
        mind = Mind(told=tuple(map(Told, told)))
        self._scene = Scene(TableView("listener", "lobby"), now.appearance.look, mind)
        self._seen = False
        self._asks_what = False
        self._result = "closed"  # what it comes to when the table sends nothing more
        self._backlog: list[Happened] = []
        self._arrived = monotonic()
        self._sayings = Sayings()
        self._muted: Muted = frozenset()
        self._sounding = Sounding(now.manner, self._tell_line)
        panels = Panels(
            self._read,
            self._ask,
            self._guide,
            self._answer,
            self._arrange,
            self._part,
            self._sounding.answer,
            self._options,
            self._mute,
        )
        self._commands = Commands(table, lambda: self._sitting.manner, self._present, panels)

    def compose(self) -> ComposeResult:
        yield Felt(self._sitting.appearance.palette)
        line = Input(compact=True, max_length=400, select_on_focus=False)
        line.display = False
        yield line

    def on_mount(self) -> None:
        self.query_one(Felt).focus()
        self._ring("start")
        self._sounding.told([told.text for told in self._scene.mind.told])
        self.run_worker(self._sounding.run())
        self._follow()
        self.set_interval(1, self._tick)
        if self._sitting.faults:
            self._read("Your settings", self._sitting.faults, "settings")

    # --- what comes from the table ------------------------------------------------------------------------------------

    @work
    async def _follow(self) -> None:
        updates = self._table.updates()
        try:
            async for update in updates:
                if isinstance(update, TableView):
                    await self._hold(update)
                    self._take(update)
                elif self._seen:
                    self._tell(update)
                else:
                    self._backlog.append(update)
        finally:
            if isinstance(updates, AsyncGenerator):
                await updates.aclose()
        self._finish(self._result)

    async def _hold(self, view: TableView) -> None:
        """A trick that is over lies there for a while, or until a key, where the next has begun already."""
        stays = self._sitting.appearance.stays
        if view.last_trick == self._scene.view.last_trick or not view.trick or stays == 0:
            return
        self._went_on.clear()
        self._scene = replace(self._scene, held=view.last_trick)
        self._paint()
        with suppress(TimeoutError):
            async with asyncio.timeout(stays):
                await self._went_on.wait()
        self._scene = replace(self._scene, held=())

    def _take(self, view: TableView) -> None:
        before = self._scene
        view = view if self._sitting.manner.meld_points else replace(view, indicator=())
        self._arrived = monotonic()
        if not self._seen or view.game != before.view.game:
            self._arrangement = usual(view.game, self._sitting.manner.order)
        mine = my_seat(view)
        self._arrangement = taken_up(self._arrangement, mine.known if mine else ())
        new = replace(scene(view, self._scene.look, self._arrangement), mind=before.mind)
        if view.legal != before.view.legal or view.phase != before.view.phase:
            new = replace(new, mind=replace(new.mind, status="", wrong=False))
        self._scene = replace(new, mind=taken_over(new, before, jumps=self._sitting.manner.jumps))
        if self._seen:
            self._mark(before.view, view)
        if not self._seen:
            self._seen = True
            for happened in self._backlog:
                self._tell(happened)
            self._backlog = []
        if view.legal and not before.view.legal:
            self._ring("turn")
        if self._sitting.manner.forced and len(view.legal) == 1 and view.records != before.view.records:
            self._say(view.legal[0])
        self._paint()
        self._sounding.came(before.view, view, to_do(self._scene))

    def _mark(self, before: TableView, view: TableView) -> None:
        """What others have just done stands out for a moment."""
        marks, pace = self._sitting.appearance.marks, self._sitting.appearance.pace
        played = played_since(before, view) if "plays" in marks else frozenset()
        drawn = drawn_since(before, view) if "stock" in marks else frozenset()
        if pace and (played or drawn):
            self._scene = replace(self._scene, fresh=played | drawn)
            self.set_timer(MARKED, self._unmark)

    def _unmark(self) -> None:
        self._scene = replace(self._scene, fresh=frozenset())
        self._paint()

    def _tell(self, happened: Happened) -> None:
        happening, view = happened.happening, self._scene.view
        mine = my_seat(view)
        me = next((person.name for person in view.people if person.link == "you"), mine.name if mine else "")
        text = story(happening, me, self._scene.look.style)
        if isinstance(happening, Starts) and not self._sitting.manner.reminders:
            return
        if not hears(happening, self._muted):
            return
        said = self._sayings.heard(happening, view) if self._sitting.manner.phrases and not happened.earlier else []
        inked = [
            Told(text, "chat" if isinstance(happening, Said) else "log"),
            *[Told(line, "chat") for line in heard_lines(said, self._muted)],
        ]
        self._think(told=(*self._scene.mind.told, *inked)[-MOST_TOLD:])
        self._sounding.told([one.text for one in inked])
        if happened.earlier:
            return
        if isinstance(happening, Hinted):
            self._think(status=f"{text} O does it.", wrong=False)
        elif isinstance(happening, HandScored):
            lines = [text, "", *sheet_lines(happening, me, self._scene.look.style)]
            self._read("Hand", lines, "scoring#the-score-sheet")
        elif lines := looked_lines(happening, self._scene.look.style):
            self._read("", [text, "", *lines], "playing#advice")
        self._ring(table_event(happening, view))

    # --- what is pressed and pointed at -------------------------------------------------------------------------------

    async def on_key(self, event: events.Key) -> None:
        self._went_on.set()
        line = self.query_one(Input)
        if line.display:
            await self._type_on(line, event)
            return
        name = event.character if event.character and event.character.isprintable() else event.key
        if name == " ":
            name = "space"
        deed = pressed(self._scene, name)
        if deed is not None:
            event.stop()
            self._carry_out(deed)
        elif name in ("/", "'", "tab"):
            event.stop()
            self._talk("/" if name == "/" else "")
        elif (words := LINES.get(event.key) or LINES.get(name)) is not None:
            event.stop()
            self.action_say_line(words)

    def on_felt_pointed(self, event: Felt.Pointed) -> None:
        if self._asks_what:
            self._asks_what = False
            self._answer(about(event.zone), False)
        elif event.right and event.pressed.partition(" ")[0] not in (HAND, "button"):
            self.action_menu()
        else:
            plays = event.again or not self._sitting.manner.double_click
            self._carry_out(pointed(self._scene, event.pressed, event.zone, right=event.right, plays=plays))

    def _carry_out(self, deed: Deed) -> None:
        self._scene = replace(self._scene, mind=replace(deed.mind, status="", wrong=False))
        self._paint()
        if deed.told:
            self._answer(deed.told, False)
        elif deed.several:
            self._choose(deed.several)
        elif line := deed.begins or deed.line:
            self.begin(line)

    @work
    async def _choose(self, lines: Sequence[str]) -> None:
        shown = [(line, self._label(line)) for line in lines]
        if line := await self._pick("Which?", shown, "playing#several-cards"):
            await self._commands.say(line)

    async def _pick(self, title: str, choices: Sequence[tuple[str, str]], about: str) -> str:
        """One of them; "" where none is taken. about: the address of what the guide tells of them."""
        self._sounding.opened(title, [shown for _, shown in choices])
        return await self.app.push_screen_wait(ChoicePanel(title, choices, about))

    def _label(self, line: str) -> str:
        """How a line is shown among others."""
        word, _, rest = line.partition(" ")
        return GAMES[rest].name if word == "game" and rest in GAMES else words_text(line, self._scene.look.style)

    @work
    async def _say(self, line: str) -> None:
        await self._commands.say(line)

    @property
    def view(self) -> TableView:
        """The table as it came last."""
        return self._scene.view

    def words(self) -> list[tuple[str, str]]:
        """How what can be said now begins, and what it does."""
        return [word for word in words_now(self._scene.view) if word[0] != "song" or self._sounding.plays]

    def begin(self, line: str) -> None:
        """Say a line, or where it ends in a space, have the rest of it typed."""
        if line.endswith(" "):
            self._talk(f"/{line}")
        else:
            self._say(line)

    @work
    async def action_menu(self) -> None:
        """All that can be said now."""
        room = min(self.size.width, COLUMNS) - MENU_EDGES
        words = [(line, fit(f"{line.strip():<13}{meaning}", room)) for line, meaning in self.words()]
        if line := await self._pick("What?", words, "menus"):
            self.begin(line)

    def action_what_is_this(self) -> None:
        """The next click tells what is there."""
        self._asks_what = True
        self._answer("Click on any part of the screen, and you are told what it is.", False)

    def action_say_line(self, line: str) -> None:
        if line == "sort":
            after = ORDERS[(ORDERS.index(self._arrangement.order) + 1) % len(ORDERS)]
            line = f"sort {after}"
        self._say(line)

    # --- what is typed ------------------------------------------------------------------------------------------------

    def _talk(self, start: str) -> None:
        """Type something to everybody, or after a slash a word of the line mode."""
        line = self.query_one(Input)
        line.display = True
        line.placeholder = "say something to everybody; /word does what the word does; Esc goes back"
        line.clear()
        line.insert_text_at_cursor(start)
        self.set_focus(line)

    async def _type_on(self, line: Input, event: events.Key) -> None:
        """A key that the line has no use for, or that was pressed before the line was ready."""
        event.stop()
        if event.key == "escape":
            self._stop_typing()
        elif event.key == "f1":
            self._guide("playing#talking")
        elif event.is_printable and event.character:
            line.insert_text_at_cursor(event.character)
        elif event.key == "enter":
            await line.action_submit()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        self._stop_typing()
        if text:
            self._say(text[1:] if text.startswith("/") else f"'{text}")

    def _stop_typing(self) -> None:
        self.query_one(Input).display = False
        self.set_focus(self.query_one(Felt))

    # --- what is shown ------------------------------------------------------------------------------------------------

    def on_resize(self) -> None:
        self._paint()

    def _tick(self) -> None:
        """Countdowns go on."""
        view = self._scene.view
        if view.turn_seconds is not None or any(seat.countdown is not None for seat in view.seats):
            self._paint()

    def _paint(self) -> None:
        self._scene = replace(self._scene, window=(self.size.width, self.size.height))
        now = replace(self._scene, elapsed=monotonic() - self._arrived)
        if not now.mind.status and self._sitting.manner.status:
            now = replace(now, mind=replace(now.mind, status=to_do(now)))
        picture = draw(now, self.size.width, self.size.height)
        self.query_one(Felt).show(picture)
        if picture.cursor is not None:
            self.app.cursor_position = Offset(*picture.cursor)

    def _think(self, **changes: object) -> None:
        self._scene = replace(self._scene, mind=replace(self._scene.mind, **changes))  # type: ignore[arg-type]
        self._paint()

    def _present(self) -> Showing:
        elapsed = monotonic() - self._arrived
        return Showing(self._scene.view, self._scene.look.style, self._arrangement, elapsed, lines=0, plain=False)

    def _tell_line(self, text: str) -> None:
        """Where it is neither of the game nor an answer."""
        self._think(told=(*self._scene.mind.told, Told(text))[-MOST_TOLD:])

    def _read(self, title: str, lines: Sequence[str], about: str) -> None:
        self._sounding.opened(title, lines)
        self.app.push_screen(ReadingPanel(title, lines, about))

    async def _ask(self, question: str, answers: Sequence[str], about: str) -> str:
        self._sounding.say(question, "/".join(answers))
        return await self.app.push_screen_wait(QuestionPanel(question, answers, about))

    def _guide(self, address: str) -> None:
        self.post_message(HelpAsked(address))

    def _answer(self, text: str, wrong: bool) -> None:
        if wrong and self._sitting.manner.error_box:
            self._read("That does not go", [text], "playing")
        self._think(status=text, wrong=wrong)
        self._sounding.say(text)

    async def _options(self, arguments: Sequence[str]) -> None:
        """Raises NotTaken."""
        page = self._sitting.manner.options
        if arguments or page is None:
            self._read("Options", option_lines(page, arguments), "settings")
        else:
            await self.app.push_screen_wait(OptionsScreen(page, self._read_sitting))
        self._sitting = now = self._read_sitting()
        self._scene = replace(self._scene, look=now.appearance.look)
        self.query_one(Felt).wear(now.appearance.palette)
        self._paint()

    def _mute(self, arguments: Sequence[str]) -> None:
        """Raises NotUnderstood."""
        self._muted, said = muted_after(self._muted, arguments, self._scene.view)
        self._answer(said, False)

    def _arrange(self, arrangement: Arrangement) -> None:
        self._arrangement = arrangement
        new = replace(scene(self._scene.view, self._scene.look, arrangement), mind=self._scene.mind)
        order = "as it came" if arrangement.order == "off" else f"by {arrangement.order}"
        told = (
            "The card lies there until the next one comes." if arrangement.by_hand else f"Your hand is sorted {order}."
        )
        self._scene = replace(new, mind=replace(new.mind, marked=frozenset()))
        self._answer(told, False)

    def _ring(self, event: str) -> None:
        if event in self._sitting.manner.bell:
            self.app.bell()

    async def _part(self, result: str) -> None:
        """Raises Refusal where somebody may not leave."""
        self._result = result
        try:
            await (self._table.command(Command("leave")) if result == "left" else self._table.detach())
        except Refusal:
            if result == "left":
                self._result = "closed"
                raise
        self._finish(result)

    def _finish(self, result: str) -> None:
        why = [one.text for one in self._scene.mind.told[-1:]] if result == "closed" else []
        self._ring("exit")
        self.app.exit("\n".join([*why, last_words(result, self._scene.view)]))
