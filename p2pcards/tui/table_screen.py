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
from p2pcards.frontend.manner import Manner
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
from p2pcards.tui.appearance import Appearance
from p2pcards.tui.choices import Deed, pressed, taken_over
from p2pcards.tui.colours import Palette
from p2pcards.tui.commands import Commands, Panels, Present
from p2pcards.tui.doing import to_do
from p2pcards.tui.felt import Felt
from p2pcards.tui.layout_help import about
from p2pcards.tui.menu import WordPalette, words_now
from p2pcards.tui.panels import ChoicePanel, HelpAsked, QuestionPanel, ReadingPanel
from p2pcards.tui.picture.scene import HAND, Mind, Scene, Told, scene
from p2pcards.tui.picture.table import draw
from p2pcards.tui.pointing import pointed
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
    "ctrl+c": "detach",
}
"""What keys say that are not for cards or buttons."""
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

    def __init__(self, table: AttachedTable, manner: Manner, appearance: Appearance, told: Sequence[str] = ()) -> None:
        """told: what is to be read at first."""
        super().__init__()
        self._table = table
        self._manner = manner
        self._appearance = appearance
        self._look = look = appearance.look
        self._went_on = asyncio.Event()
        self._arrangement = usual(None)
        self._scene = Scene(TableView("listener", "lobby"), look, Mind(told=tuple([Told(line) for line in told])))
        self._seen = False
        self._asks_what = False
        self._result = "closed"  # what it comes to when the table sends nothing more
        self._backlog: list[Happened] = []
        self._arrived = monotonic()
        self._sayings = Sayings() if manner.phrases else None
        self._commands = Commands(
            table,
            manner,
            self._present,
            Panels(self._read, self._ask, self._guide, self._answer, self._arrange, self._part),
        )

    def compose(self) -> ComposeResult:
        few = self.app.console.color_system in (None, "standard")  # too few to tell a card from the table
        yield Felt(Palette("none") if few else self._appearance.palette)
        line = Input(compact=True, max_length=400, select_on_focus=False)
        line.display = False
        yield line

    def on_mount(self) -> None:
        self.query_one(Felt).focus()
        self._follow()
        self.set_interval(1, self._tick)

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
        if view.last_trick == self._scene.view.last_trick or not view.trick or not self._appearance.pace:
            return
        self._went_on.clear()
        self._scene = replace(self._scene, held=view.last_trick)
        self._paint()
        with suppress(TimeoutError):
            async with asyncio.timeout(self._appearance.pace):
                await self._went_on.wait()
        self._scene = replace(self._scene, held=())

    def _take(self, view: TableView) -> None:
        before = self._scene
        view = view if self._manner.meld_points else replace(view, indicator=())
        self._arrived = monotonic()
        if not self._seen or view.game != before.view.game:
            self._arrangement = usual(view.game, self._manner.order)
        mine = my_seat(view)
        self._arrangement = taken_up(self._arrangement, mine.known if mine else ())
        new = replace(scene(view, self._look, self._arrangement), mind=before.mind)
        if view.legal != before.view.legal or view.phase != before.view.phase:
            new = replace(new, mind=replace(new.mind, status="", wrong=False))
        self._scene = replace(new, mind=taken_over(new, before))
        if not self._seen:
            self._seen = True
            for happened in self._backlog:
                self._tell(happened)
            self._backlog = []
        if view.legal and not before.view.legal:
            self._ring("turn")
        if self._manner.forced and len(view.legal) == 1 and view.records != before.view.records:
            self._say(view.legal[0])
        self._paint()

    def _tell(self, happened: Happened) -> None:
        happening, view = happened.happening, self._scene.view
        mine = my_seat(view)
        me = next((person.name for person in view.people if person.link == "you"), mine.name if mine else "")
        text = story(happening, me, self._look.style)
        if isinstance(happening, Starts) and not self._manner.reminders:
            return
        said = self._sayings.heard(happening, view) if self._sayings and not happened.earlier else []
        inked = [Told(text, "chat" if isinstance(happening, Said) else "log"), *[Told(line, "chat") for line in said]]
        self._think(told=(*self._scene.mind.told, *inked)[-MOST_TOLD:])
        if happened.earlier:
            return
        if isinstance(happening, Hinted):
            self._think(status=f"{text} O does it.", wrong=False)
        elif isinstance(happening, HandScored):
            self._read("Hand", [text, "", *sheet_lines(happening, me, self._look.style)], "scoring#the-score-sheet")
        elif lines := looked_lines(happening, self._look.style):
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
            self._carry_out(pointed(self._scene, event.pressed, event.zone, right=event.right))

    def _carry_out(self, deed: Deed) -> None:
        self._scene = replace(self._scene, mind=replace(deed.mind, status="", wrong=False))
        self._paint()
        if deed.several:
            self._choose(deed.several)
        elif line := deed.begins or deed.line:
            self.begin(line)

    @work
    async def _choose(self, lines: Sequence[str]) -> None:
        shown = [(line, self._label(line)) for line in lines]
        if line := await self.app.push_screen_wait(ChoicePanel("Which?", shown, "playing#several-cards")):
            await self._commands.say(line)

    def _label(self, line: str) -> str:
        """How a line is shown among others."""
        word, _, rest = line.partition(" ")
        return GAMES[rest].name if word == "game" and rest in GAMES else words_text(line, self._look.style)

    @work
    async def _say(self, line: str) -> None:
        await self._commands.say(line)

    @property
    def view(self) -> TableView:
        """The table as it came last."""
        return self._scene.view

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
        words = [(line, fit(f"{line.strip():<13}{meaning}", room)) for line, meaning in words_now(self._scene.view)]
        if line := await self.app.push_screen_wait(ChoicePanel("What?", words)):
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
        now = replace(self._scene, elapsed=monotonic() - self._arrived)
        if not now.mind.status:
            now = replace(now, mind=replace(now.mind, status=to_do(now)))
        picture = draw(now, self.size.width, self.size.height)
        self.query_one(Felt).show(picture)
        if picture.cursor is not None:
            self.app.cursor_position = Offset(*picture.cursor)

    def _think(self, **changes: object) -> None:
        self._scene = replace(self._scene, mind=replace(self._scene.mind, **changes))  # type: ignore[arg-type]
        self._paint()

    def _present(self) -> Present:
        return Present(self._scene.view, self._look.style, self._arrangement, monotonic() - self._arrived)

    def _read(self, title: str, lines: Sequence[str], about: str) -> None:
        self.app.push_screen(ReadingPanel(title, lines, about))

    async def _ask(self, question: str, answers: Sequence[str], about: str) -> str:
        return await self.app.push_screen_wait(QuestionPanel(question, answers, about))

    def _guide(self, address: str) -> None:
        self.post_message(HelpAsked(address))

    def _answer(self, text: str, wrong: bool) -> None:
        self._think(status=text, wrong=wrong)

    def _arrange(self, arrangement: Arrangement) -> None:
        self._arrangement = arrangement
        new = replace(scene(self._scene.view, self._look, arrangement), mind=self._scene.mind)
        order = "as it came" if arrangement.order == "off" else f"by {arrangement.order}"
        told = (
            "The card lies there until the next one comes." if arrangement.by_hand else f"Your hand is sorted {order}."
        )
        self._scene = replace(new, mind=replace(new.mind, marked=frozenset(), status=told))
        self._paint()

    def _ring(self, event: str) -> None:
        if event in self._manner.bell:
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
