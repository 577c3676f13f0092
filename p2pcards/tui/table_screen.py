"""The screen of one table: what comes from it is drawn, what is pressed, pointed at and typed is said to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from time import monotonic
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.containers import Vertical
from textual.geometry import Offset
from textual.screen import Screen

from p2pcards.control.attached import AttachedTable
from p2pcards.daemon.crew import beside
from p2pcards.frontend.asked_first import last_words
from p2pcards.frontend.at_table import Heard, TableTalk
from p2pcards.frontend.guide_pages import address_asked
from p2pcards.frontend.looks import LOOKS, Showing, title_of
from p2pcards.frontend.manner import beside_asked, switched
from p2pcards.frontend.menus import KEY_LINES, SETTING, WHAT, Item, Menu, followers, line_label, menus
from p2pcards.frontend.option_pages import NotTaken, TableRulesPage, can_change_rules, option_lines, switches
from p2pcards.frontend.sound import Speech, read_aloud
from p2pcards.frontend.stage import Seen, Tempo, weight
from p2pcards.frontend.words import WORDS, Local
from p2pcards.present.cards import Style
from p2pcards.present.table import counts_down, is_another_turn, is_due, is_over, offered_text
from p2pcards.present.width import PAINT
from p2pcards.store.files import Home
from p2pcards.store.profiles import homes_beside
from p2pcards.tui.appearance import ReadSitting
from p2pcards.tui.choices import NO_FRAME, STRAY, Click, Deed, about, drawn, key_of, pointed, pressed
from p2pcards.tui.felt import Felt
from p2pcards.tui.menu_bar import MenuBar
from p2pcards.tui.options_screen import OptionsScreen
from p2pcards.tui.panels import ChoicePanel, HelpAsked, QuestionPanel, ReadingPanel
from p2pcards.tui.picture.canvas import Box, Picture
from p2pcards.tui.picture.scene import HAND, Scene, Told
from p2pcards.tui.program import Task, program_of
from p2pcards.tui.table_shown import TableShown, ToRead, to_do_at
from p2pcards.tui.talk_line import Fitting, TalkLine
from p2pcards.views.happenings import HandScored, Starts
from p2pcards.views.tableview import TableView

# --- everything that can be said now, to be chosen rather than remembered ---------------------------------------


BY_CARDS = ("play", "pass", "draw", "suit")
"""Words of the game, which cards and buttons stand for."""


def words_now(view: TableView) -> list[tuple[str, str]]:
    """(how it begins, what it does) of every word that works now, with a space behind one that wants more."""
    working = [(name, word) for name, word in WORDS.items() if word.works(view) and name not in BY_CARDS]
    return [(f"{name} " if word.least else name, word.meaning) for name, word in working]


FIRST = 1000.0
"""What a word is worth in the palette whose name begins with what is typed: more than any that has it elsewhere."""


class WordPalette(Provider):
    """The words in Textual's command palette. The screen has `words`, and begins a line by `begin`."""

    async def discover(self) -> Hits:
        for line, meaning in self._words():
            yield DiscoveryHit(line, self._said(line), help=meaning)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for line, meaning in self._words():
            if (score := matcher.match(f"{line} {meaning}")) > 0:
                begun = line.startswith(query.strip().lower())
                yield Hit(
                    FIRST - len(line) if begun else score,
                    matcher.highlight(f"{line} {meaning}"),
                    self._said(line),
                    text=line,
                    help=meaning,
                )

    def _words(self) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = self.screen.words()  # type: ignore[attr-defined]
        return found

    def _said(self, line: str) -> Callable[[], None]:
        return lambda: self.screen.begin_line(line)  # type: ignore[attr-defined]


# --- what is told at the table on the screen, read aloud by a command of the player's own -----------------------------


class Speaking:
    """At one table. command: "" for none; show: puts a sentence where it can be read."""

    def __init__(self, command: str, show: Callable[[str], None]) -> None:
        self._speech = Speech(command) if command else None
        self._show = show
        self._told: Sequence[str] = ()

    async def run(self) -> None:
        """Until cancelled, which ends the command."""
        if self._speech:
            await read_aloud(self._speech, self._show)

    def came(self, before: TableView, view: TableView, to_do: str) -> None:
        """A view has come after another; what there is to do is read when it becomes due, not as it counts down."""
        if is_due(view) and (not is_due(before) or is_another_turn(before, view)):
            self.say(to_do)

    def told(self, lines: Sequence[str]) -> None:
        """Something has happened."""
        self._told = lines
        self.say(*lines)

    def opened(self, title: str, lines: Sequence[str]) -> None:
        """A panel is there to be read. It may begin with what has just been told."""
        self.say(title, *[line for line in lines if line not in self._told])

    def say(self, *lines: str) -> None:
        if self._speech:
            self._speech.say(PAINT.sub("", "\n".join(lines)))


# --- the screen of one table ------------------------------------------------------------------------------------------


MARKED = 0.4
"""Seconds that what others have done stands out. MeggieSoft: 0.2, for a card that moves."""
COUNTED = 1.2
"""How many times as long as an action an item lies that is counted."""
SCROLLS = {"pageup": 1, "pagedown": -1, "home": 0, "end": 0}
"""Keys that scroll what is told beside the table, by pages up."""
WHEEL = 3
"""Rows that a turn of the wheel scrolls."""
EVERYTHING = 10_000
"""Rows: more than are ever told."""
FRAME = 0.05
"""Seconds between two pictures of cards that move."""
ORDERS = ("suit", "rank", "trump", "off")
HARMLESS = (*LOOKS, "sort", "beside", "config", "detach", "leave")
"""Words that mean the same also where the table is another than the one that was seen."""


class TableScreen(Screen[None]):
    """One table, as `at_table.Front` has it, until it is left or closed; then the program ends with what is said."""

    DEFAULT_CSS = """
    TableScreen { layers: table line; }
    TableScreen Vertical { layer: line; dock: bottom; height: auto; }
    """
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {WordPalette}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f10", "menu", "menu"),
        Binding("f12", "what_is_this", "what is this?"),
        *[
            Binding(key, f"say_line('{line}')", line)
            for key, line in KEY_LINES.items()
            if key.startswith(("f", "ctrl"))
        ],
    ]

    def __init__(self, table: AttachedTable, sitting: ReadSitting, told: Sequence[str] = ()) -> None:
        """told: what is to be read at first."""
        super().__init__()
        self._read_sitting = sitting
        self._sitting = now = sitting()
        self._shown = TableShown(now, told, monotonic)
        self._asks_what = False
        self._sheet: ToRead | None = None  # of a hand that is over, before its view has come; which hand that is
        self._scored = 0
        self._behind = False  # the last click was for a table that is another now
        self._motion: Iterator[Picture] | None = None
        self._to_read: list[ToRead] = []  # when nothing else lies above the table
        self._who_starts: QuestionPanel | None = None
        self._at_table = TableTalk(table, self._shown.table, self, lambda: self._sitting.manner)
        self._speaking = Speaking(now.manner.speech, self._tell_line)

    def compose(self) -> ComposeResult:
        yield Felt(self._sitting.appearance.palette, self._sitting.appearance.shows)
        with Vertical():
            yield Fitting()
            yield TalkLine()

    def on_mount(self) -> None:
        self.query_one(Felt).focus()
        program_of(self).wear(self._sitting.appearance.palette)
        self._speaking.told([told.text for told in self.scene.mind.told])
        self._begin(self._speaking.run)
        self._begin(self._at_table.run)
        self.set_interval(1, self._tick)
        if self._sitting.faults:
            self._open("Your settings", self._sitting.faults, "settings")

    # --- what comes from the table ------------------------------------------------------------------------------------

    @property
    def tempo(self) -> Tempo:
        appearance = self._sitting.appearance
        return Tempo(appearance.pace, appearance.stays, appearance.moving)

    def take(self, seen: Seen) -> None:
        old, first = self.scene, not self._shown.table.begun
        self._shown.see_view(seen.view, seen.came)
        self._read_sheet()
        self._motion = None
        if seen.last and not first:
            self._show_moves(old)
        if self.scene.fresh:
            self.set_timer(MARKED, self._unmark)
        if self.scene.counting == 0:
            self._count_after(0)

    def _count_after(self, at: int) -> None:
        """The next item, when this one has been looked at."""

        def count() -> None:
            if self.scene.counting == at:
                self._shown.count_on()
                self.paint()
                self._count_after(at + 1)

        self.set_timer(COUNTED * self._sitting.appearance.pace, count)

    def recall(self, recap: Sequence[str]) -> None:
        self._shown.told(*map(Told, recap))
        self._speaking.told(recap)

    def stand(self, before: TableView, first: bool) -> None:  # noqa: ARG002
        if isinstance(self.app.screen, OptionsScreen):
            self.app.screen.look_again()
        self._speaking.came(before, self.view, to_do_at(self.scene))

    def _show_moves(self, old: Scene) -> None:
        """Cards move to where they lie now, until a key is pressed."""
        steps = round(self._sitting.appearance.moving / FRAME)
        if steps and self.app.screen is self:
            self._motion = self._shown.moving(old, self.query_one(Felt).picture, steps)
            self._move_on(self._motion)

    def _move_on(self, motion: Iterator[Picture]) -> None:
        if motion is not self._motion:  # another has begun
            return
        if (picture := next(motion, None)) is None:
            self._lie()
        else:
            self.query_one(Felt).show(picture)
            self.set_timer(FRAME, lambda: self._move_on(motion))

    def _lie(self) -> None:
        """The cards are where they belong."""
        self._motion = None
        self.paint()

    def _unmark(self) -> None:
        self._shown.unmark()
        self.paint()

    def hear(self, heard: Heard) -> None:
        panel = self._shown.show_happening(heard)
        self._speaking.told([heard.text, *heard.said])
        if not self.app.screen_stack:  # the program has ended under it
            return
        if panel and self.view.apart and (pauses := weight([heard.happened.happening])):
            self._read_in_passing(panel, pauses * self._sitting.appearance.pace)
        elif panel and isinstance(heard.happened.happening, HandScored):
            self._sheet, self._scored = panel, heard.happened.happening.sheet.hand
            self._speaking.opened(panel.title, panel.lines)
            self._read_sheet()
        elif panel:
            self._open(panel.title, panel.lines, panel.about)
        elif isinstance(heard.happened.happening, Starts) and self._sitting.manner.start_box and not self.view.apart:
            self._say_who_starts(heard.text)

    def _say_who_starts(self, text: str) -> None:
        """In place of what was said of the hand before, where that still lies there."""
        if self._who_starts is self.app.screen and self._who_starts is not None:
            self._who_starts.dismiss("")
        self._who_starts = QuestionPanel(text, ("OK",), "settings#start_box")
        self.app.push_screen(self._who_starts)

    def _read_sheet(self) -> None:
        """A sheet stands beside the cards while the hand is looked at; where the next one is dealt at once it comes
        above that."""
        hand, sheet = self.view.hand, self._sheet
        stays = is_over(self.view) and (self.view.pause is not None or self.view.phase != "play")
        if sheet is None or hand < self._scored or (hand == self._scored and not stays):
            return
        self._sheet = None
        if hand > self._scored:
            self._speaking.opened(sheet.title, sheet.lines[1:])  # its sentence has been told
            self.app.push_screen(ReadingPanel(sheet.title, sheet.lines, sheet.about))

    def read_records(self, lines: Sequence[str]) -> None:
        """Once the person has looked at the last hand, and at what has come up before."""
        self._to_read.append(ToRead("Records", tuple(lines), "records"))
        if is_over(self.view):
            self.told("Press Enter for your records.")
        else:
            self._read_next()

    def on_screen_suspend(self) -> None:
        self.query_one(Felt).refresh()

    def on_screen_resume(self) -> None:
        self.query_one(Felt).refresh()
        self._read_next()

    def _read_next(self) -> None:
        if self._to_read and self.app.screen is self:
            read = self._to_read.pop(0)
            self._open(read.title, read.lines, read.about)

    # --- what is pressed and pointed at -------------------------------------------------------------------------------

    async def on_key(self, event: events.Key) -> None:
        if self.app.screen is not self:  # typed faster than a panel opened, and meant for the panel
            event.stop()
            self.app.post_message(events.Key(event.key, event.character))
            return
        came_back = self._at_table.take_seat_back(meant=event.key == "enter")
        if (line := self.query_one(TalkLine)).display:
            await self._type_on(line, event)
            return
        if event.key == "escape" and self._at_table.thinks:
            event.stop()
            self.say("hint off")
            return
        # The bottom line shows the keys as capitals, so Shift and Caps Lock make no difference.
        name = event.character.lower() if event.character and event.character.isprintable() else event.key
        if name == " ":
            name = "space"
        if self._scroll(event.key):
            event.stop()
            return
        press = self._press_late if self._go_to_now() or came_back else self._press
        if press(name) or (event.key != name and press(event.key)):
            event.stop()

    def _scroll(self, key: str) -> bool:
        """What is told beside the table; whether the key is one for that. Home and End are those of the hand unless one
        has scrolled back."""
        pane = self._pane()
        if pane is None or key not in SCROLLS or (key in ("home", "end") and not self.scene.mind.back):
            return False
        if key == "end":
            self._shown.to_newest()
        else:
            self._shown.scroll(EVERYTHING if key == "home" else SCROLLS[key] * (pane.rows - 1), pane)
        self.paint()
        return True

    def _pane(self) -> Box | None:
        """Where it is told what happens and is said."""
        zones = self.query_one(Felt).picture.zones
        return next((zone.box for zone in zones if zone.name == "log"), None)

    def on_felt_turned(self, event: Felt.Turned) -> None:
        if (pane := self._pane()) is not None:
            self._shown.scroll(WHEEL if event.up else -WHEEL, pane)
            self.paint()

    def _press(self, name: str) -> bool:
        """What a key does by its name; whether it means anything."""
        if name == "enter" and (self.scene.counting is not None or self._to_read):
            self._look_on()
            return True
        deed = pressed(self.scene, name)
        if deed is not None:
            self._carry_out(deed)
        elif name in ("/", "'", "tab"):
            self._talk("/" if name == "/" else "")
        elif name in KEY_LINES:
            self.begin_line(KEY_LINES[name])
        elif name == "f10":
            self.action_menu()
        else:
            return False
        return True

    def _look_on(self) -> None:
        """To the end of a count, or to what is to be read when the hand has been looked at."""
        if self.scene.counting is not None:
            self._shown.count_on(to_the_end=True)
            self.paint()
        else:
            self._read_next()

    def _press_late(self, name: str) -> bool:
        """The same of a key that was meant for a table which is another now: no card is played by it."""
        deed = pressed(self.scene, name)
        line = KEY_LINES.get(name) or (deed.line if deed else "")
        if line.partition(" ")[0] in HARMLESS:
            self.begin_line(line)
            return True
        return bool(line) or deed is not None or self._press(name)

    def notice_player(self) -> None:
        """A key or a click elsewhere on the screen."""
        self._at_table.take_seat_back()

    def _go_to_now(self) -> bool:
        """A key, or a click; whether it was meant for a table that is another now."""
        if self._motion is not None:
            self._lie()
        return self._at_table.pressed()

    def on_felt_pressed(self, event: Felt.Pressed) -> None:
        self._behind = self._go_to_now()
        kind, _, number = event.zone.partition(" ")
        deed = None if self._asks_what or self._behind else drawn(self.scene, event.zone)
        if deed is not None and (self._sitting.manner.double_click or not event.stray):
            self._shown.lift(event.column, event.row)
            self._carry_out(deed)
        elif kind == HAND and not (self._asks_what or self._behind):
            self._shown.take_up(int(number))

    def on_felt_dragged(self, event: Felt.Dragged) -> None:
        if self._shown.drag(event.zone, event.column, event.row):
            self.paint()

    def on_felt_pointed(self, event: Felt.Pointed) -> None:
        if line := self._shown.drop(event.zone):
            self.say(line)
        self.paint()
        if self._asks_what:
            self._asks_what = False
            self._open("What is this?", [about(event.zone)], "layout")
        elif event.right and event.pressed.partition(" ")[0] not in (HAND, "button", "key"):
            self.action_menu()
        elif not self._behind:
            doubles = self._sitting.manner.double_click
            again = event.again if doubles else event.stray
            deed = pointed(self.scene, Click(event.pressed, event.zone, event.right, again, doubles))
            if event.stray and not doubles and deed in (Deed(deed.mind), Deed(deed.mind, told=STRAY)):
                self._ring_for_stray_click()
            self._carry_out(deed)

    def _ring_for_stray_click(self) -> None:
        if self._sitting.manner.rings:
            self.ring()

    def _carry_out(self, deed: Deed) -> None:
        self._shown.mean(replace(deed.mind, status="", wrong=False))
        self.paint()
        if deed.told:
            self.told(deed.told, wrong=deed.wrong)
        elif deed.presses:
            self._press(deed.presses)
        elif deed.several:
            self._choose(deed.several)
        elif deed.menu:
            self.action_menu(deed.menu)
        elif deed.line == NO_FRAME:
            self._turn(Item(NO_FRAME, "Rules in a frame", ""))
        elif line := deed.begins or deed.line:
            self.begin_line(line)

    def _choose(self, lines: Sequence[str]) -> None:
        shown = [(line, self._label(line)) for line in lines]
        self._pick(shown, "playing#several-cards", self.say)

    def _pick(
        self, choices: Sequence[tuple[str, str]], about: str, take: Callable[[str], None], title: str = "Which one?"
    ) -> None:
        """Open a list; `take` gets the choice, if one is made. about: the address of what the guide tells of them."""
        self._speaking.opened(title, [shown for _, shown in choices])
        self.app.push_screen(ChoicePanel(title, choices, about), lambda line: take(line) if line else None)

    def _label(self, line: str) -> str:
        """How a line is shown among others."""
        label = line_label(line, self.view)
        return offered_text(self.view, line, self.scene.look.style) if label == line else label

    def say(self, line: str) -> None:
        self._begin(self._at_table.say, line)

    def _begin(self, deed: Task, *arguments: object) -> None:
        program_of(self).begin_task(deed, *arguments)

    @property
    def view(self) -> TableView:
        """The table as it came last."""
        return self.scene.view

    @property
    def style(self) -> Style:
        return self.scene.look.style

    @property
    def scene(self) -> Scene:
        """What is drawn."""
        return self._shown.scene

    def words(self) -> list[tuple[str, str]]:
        """How what can be said now begins, and what it does."""
        return [word for word in words_now(self.view) if word[0] != "song" or self._at_table.jukebox]

    def begin_line(self, line: str) -> None:
        """Say a line, or where it ends in a space, have the rest of it typed; sort alone takes the next order."""
        if line == "sort":
            line = f"sort {ORDERS[(ORDERS.index(self._shown.table.arrangement.order) + 1) % len(ORDERS)]}"
        if line.endswith(" "):
            self._talk(f"/{line}")
        else:
            self.say(line)

    # --- the menus ----------------------------------------------------------------------------------------------------

    def action_menu(self, first: str = "") -> None:
        """All that can be said now. first: the title of the menu that opens."""
        page, songs = self._sitting.manner.options, self._at_table.jukebox is not None
        found = menus(self.view, self._on(), switches(page), songs=songs)
        bar = MenuBar(found, first, key_of, self._open_menu, plain=self.scene.look.ascii)
        self.app.push_screen(bar, self._take_item)

    def _take_item(self, item: Item | None) -> None:
        """Do what was picked in the menus."""
        if item is None:
            return
        if item.line == WHAT:
            self.action_what_is_this()
        elif item.asks:
            self._ask_what_follows(item.line)
        elif item.line.startswith(SETTING):
            self._turn(item)
        else:
            self.begin_line(item.line)

    def _open_menu(self, menu: Menu) -> None:
        self._speaking.opened(menu.title, [item.label for item in menu.items])

    def _on(self) -> set[str]:
        """The lines of the menus that are on."""
        view, scene, arrangement = self.view, self.scene, self._shown.table.arrangement
        on = {
            f"sort {arrangement.order}": not arrangement.by_hand,
            f"beside {scene.mind.beside}": True,
            "stagger": scene.look.stagger,
            "tint": scene.look.tint,
            "open": view.face_up,
            "auto": bool(view.auto),
            "away": view.away,
        }
        return {line for line, is_on in on.items() if is_on}

    def _ask_what_follows(self, line: str) -> None:
        """Have the next words of a command picked, until it is whole."""
        found = followers(line, self.view)
        if len(found) < 2:
            self.begin_line(found[0][0] if found else f"{line} ")
        else:
            self._pick(found, f"words#{line.split(maxsplit=1)[0]}", self._take_follower)

    def _take_follower(self, line: str) -> None:
        if line.endswith(" "):
            self._ask_what_follows(line)
        else:
            self.say(line)

    def _turn(self, item: Item) -> None:
        """A setting, which counts at once."""
        key, value = item.line.removeprefix(SETTING).split()
        try:
            if page := self._sitting.manner.options:
                page.change(key, value)
        except NotTaken as fault:
            self.told(str(fault), wrong=True)
        else:
            self._sit_as_set()
            self.told(f"{item.label}: {'on' if value == 'true' else 'off'}.")

    def action_what_is_this(self) -> None:
        """The next click tells what is there."""
        self._asks_what = True
        self.told("Click any part of the screen for an explanation.")

    def action_say_line(self, line: str) -> None:
        self.begin_line(line)

    # --- what is typed ------------------------------------------------------------------------------------------------

    def _talk(self, start: str) -> None:
        """Type something to everybody, or after a slash a word of the line mode."""
        self.query_one(TalkLine).open_line(start, self.view)
        self._show_line()

    async def _type_on(self, line: TalkLine, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        if event.key == "enter":
            if (text := line.entered_words(self.view)) is not None:
                self._send(text)
        elif event.key == "escape":
            line.leave()
        elif event.key == "f1":
            self._guide("playing#talking")
        elif event.key in ("pageup", "pagedown"):
            self._scroll(event.key)
        else:
            await line.press(event, self.view)
        self._show_line()

    def on_paste(self, event: events.Paste) -> None:
        """The first line, or all lines of a link; Enter sends it."""
        from p2pcards.links.address import on_one_line, text_of_link

        line = self.query_one(TalkLine)
        if line.display and event.text:
            link = text_of_link(event.text)[1]
            line.paste(on_one_line(event.text) if link else event.text.splitlines()[0], self.view)
            self._show_line()

    def on_fitting_picked(self, event: Fitting.Picked) -> None:
        """As if it had been chosen by the arrows, and Enter pressed."""
        line = self.query_one(TalkLine)
        line.choose(event.number)
        if (text := line.entered_words(self.view)) is not None:
            self._send(text)
        self._show_line()

    def _show_line(self) -> None:
        """The line, and above it what fits."""
        line = self.query_one(TalkLine)
        self.query_one(Fitting).show(line.fits, line.chosen)
        self._show_cursor()

    def _send(self, text: str) -> None:
        if text:
            self._shown.to_newest()
            self.say(text[1:] if text.startswith("/") else f"'{text}")

    # --- what is shown ------------------------------------------------------------------------------------------------

    def on_resize(self) -> None:
        self._motion = None
        self.paint()

    def _tick(self) -> None:
        """Countdowns go on."""
        if counts_down(self.view, self.scene.elapsed):
            self.paint()

    def paint(self) -> None:
        picture = self._shown.picture(self.size.width, self.size.height)
        if self._motion is None:  # or it comes when the cards lie
            self.query_one(Felt).show(picture)
        self._show_cursor()

    def _show_cursor(self) -> None:
        """The terminal's own cursor stands in the line, or on what is chosen."""
        line, picture = self.query_one(TalkLine), self.query_one(Felt).picture
        if line.display:
            self.call_after_refresh(self._follow_line)
        elif picture.cursor is not None:
            self.app.cursor_position = Offset(*picture.cursor)

    def _follow_line(self) -> None:
        line = self.query_one(TalkLine)
        if line.display:
            self.app.cursor_position = line.cursor_screen_offset

    def thinks(self) -> None:
        self.told("Thinking ... (Esc cancels)")

    def told_aside(self, text: str) -> None:
        self._tell_line(text)
        self._speaking.say(text)

    def _tell_line(self, text: str) -> None:
        """Where it is neither of the game nor an answer."""
        self._shown.told(Told(text))
        self.paint()

    def _open(self, title: str, lines: Sequence[str], about: str) -> None:
        self._speaking.opened(title, lines)
        self.app.push_screen(ReadingPanel(title, lines, about))

    def _read_in_passing(self, read: ToRead, seconds: float) -> None:
        """What closes by itself, as the game goes on; nothing comes above what the person looks at."""
        self._speaking.opened(read.title, read.lines)
        if seconds and self.app.screen is self:
            panel = ReadingPanel(read.title, read.lines, read.about)
            self.app.push_screen(panel)
            self.set_timer(seconds, lambda: panel.dismiss() if panel is self.app.screen_stack[-1] else None)

    async def ask(self, question: str, answers: Callable[[], Sequence[str]], about: str) -> str | None:
        text = question.removesuffix(" yes/no")
        self._speaking.say(text, "/".join(answers()))
        return await program_of(self).asked(QuestionPanel(text, answers(), about)) or None

    def _guide(self, address: str) -> None:
        self.post_message(HelpAsked(address))

    def told(self, text: str, wrong: bool = False) -> None:
        if wrong and isinstance(self.app.screen, OptionsScreen):
            self.app.screen.tell_fault(text)
        elif wrong and self._sitting.manner.error_box:
            self._open("Can't do that", [text], "playing")
        self._shown.think(status=text, wrong=wrong)
        self.paint()
        self._speaking.say(text)

    async def answer(self, word: Local) -> bool:
        if word.name == "beside":
            self.told(self._shown.put_beside(beside_asked(word.arguments)))
        elif word.name in ("stagger", "tint"):
            is_on = getattr(self.scene.look, word.name)
            self.told(self._shown.look_otherwise(word.name, switched(word.name, word.arguments, is_on)))
        elif word.name == "config":
            await self._options(word.arguments)
        elif word.name == "player" and not word.arguments and (home := self._sitting.manner.home):
            await self._change_player(home)
        elif word.name == "options" and not word.arguments and can_change_rules(self.view):
            await self._rules()
        elif address := address_asked(word.name, word.arguments, self.view):
            self._guide(address)
        else:
            return False
        return True

    def read(self, word: str, lines: Sequence[str]) -> None:
        self._open(title_of(word), lines, f"words#{word}")

    def arranged(self) -> None:
        self.told(self._shown.arranged())

    def showing(self) -> Showing:
        return self._shown.showing()

    async def _options(self, arguments: Sequence[str]) -> None:
        """Raises NotTaken."""
        page = self._sitting.manner.options
        if arguments or page is None:
            self._open("Options", option_lines(page, arguments), "settings")
        else:
            await program_of(self).asked(OptionsScreen(page, self._read_sitting))
        self._sit_as_set()

    def _sit_as_set(self) -> None:
        """As the settings are now."""
        self._sitting = now = self._read_sitting()
        self._shown.wear(now)
        self.query_one(Felt).wear(now.appearance.palette)
        program_of(self).wear(now.appearance.palette)
        self.paint()

    async def _change_player(self, home: Home) -> None:
        here, *others = [one.profile for one in await beside(homes_beside, home)]
        shown = [(here, f"{here} (playing now)"), *[(name, name) for name in others]]

        def change_to(name: str) -> None:
            if name != here:
                self.say(f"player {name}")

        self._pick(shown, "keeping#several-people-on-one-machine", change_to, "Choose a player")

    async def _rules(self) -> None:
        page = TableRulesPage(lambda: self.view, self.begin_line)
        await program_of(self).asked(OptionsScreen(page, self._read_sitting))

    def ring(self) -> None:
        self.app.bell()

    def let_go(self) -> None:
        """Of the table, without a question; the seat is kept."""
        self._begin(self._at_table.go, "detached")

    def end(self, result: str) -> None:
        why = [one.text for one in self.scene.mind.told[-1:]] if result == "closed" else []
        self._at_table.ring("exit")
        program_of(self).table_ended("\n".join([*why, last_words(result, self.view)]))
