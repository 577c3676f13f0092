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
from p2pcards.frontend import menus
from p2pcards.frontend.asked_first import closing_text
from p2pcards.frontend.at_table import Heard, TableTalk
from p2pcards.frontend.guide_pages import address_for_command
from p2pcards.frontend.looks import LOOKS, Showing, title_of_look
from p2pcards.frontend.manner import parse_beside, parse_switch
from p2pcards.frontend.option_pages import NotTaken, TableRulesPage, can_change_rules, run_config_command, switch_values
from p2pcards.frontend.sound import Speech, read_aloud
from p2pcards.frontend.stage import Seen, Tempo, step_weight
from p2pcards.frontend.words import WORDS, Local
from p2pcards.present.cards import Style
from p2pcards.present.table import counts_down, is_another_turn, is_hand_over, my_seat, offered_text, waits_for_me
from p2pcards.present.width import PAINT
from p2pcards.store.files import Home
from p2pcards.store.profiles import homes_beside
from p2pcards.tui.appearance import ReadSitting
from p2pcards.tui.choices import (
    NO_FRAME,
    STRAY,
    Click,
    Deed,
    click_at,
    describe_zone,
    keys_of_line,
    press_key,
    press_pile,
)
from p2pcards.tui.felt import Felt
from p2pcards.tui.menu_bar import MenuBar
from p2pcards.tui.options_screen import OptionsScreen
from p2pcards.tui.panels import ChoicePanel, HelpAsked, QuestionPanel, ReadingPanel
from p2pcards.tui.picture.canvas import Box, Picture
from p2pcards.tui.picture.scene import HAND, LogLine, Scene
from p2pcards.tui.program import Task, running_program
from p2pcards.tui.table_shown import PanelText, TableShown, what_to_do_in
from p2pcards.tui.talk_line import Fitting, TalkLine
from p2pcards.views.happenings import HandScored, Starts
from p2pcards.views.tableview import TableView

# --- everything that can be said now, to be chosen rather than remembered ---------------------------------------


BY_CARDS = ("play", "pass", "draw", "suit")
"""Words of the game, which cards and buttons stand for."""


def words_now(view: TableView) -> list[tuple[str, str]]:
    """(line, description) of every command that works now; a trailing space means more must follow."""
    working = [(name, word) for name, word in WORDS.items() if word.works(view) and name not in BY_CARDS]
    return [(f"{name} " if word.least else name, word.meaning) for name, word in working]


FIRST = 1000.0
"""What a word is worth in the palette whose name begins with what is typed: more than any that has it elsewhere."""


class WordPalette(Provider):
    """The table's commands in Textual's command palette."""

    async def discover(self) -> Hits:
        """All commands that work now."""
        for line, meaning in self._described_words():
            yield DiscoveryHit(line, self._sayer_of(line), help=meaning)

    async def search(self, query: str) -> Hits:
        """The commands that match the query."""
        matcher = self.matcher(query)
        for line, meaning in self._described_words():
            if (score := matcher.match(f"{line} {meaning}")) > 0:
                begun = line.startswith(query.strip().lower())
                yield Hit(
                    FIRST - len(line) if begun else score,
                    matcher.highlight(f"{line} {meaning}"),
                    self._sayer_of(line),
                    text=line,
                    help=meaning,
                )

    def _described_words(self) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = self.screen.words()  # type: ignore[attr-defined]
        return found

    def _sayer_of(self, line: str) -> Callable[[], None]:
        return lambda: self.screen.begin_line(line)  # type: ignore[attr-defined]


# --- what is told at the table on the screen, read aloud by a command of the player's own -----------------------------


class Speaking:
    """Reads the table aloud. command: "" for none; show: shows a sentence to the player."""

    def __init__(self, command: str, show: Callable[[str], None]) -> None:
        self._speech = Speech(command) if command else None
        self._show = show
        self._told: Sequence[str] = ()

    async def run(self) -> None:
        """Read aloud until cancelled, which also ends the command."""
        if self._speech:
            await read_aloud(self._speech, self._show)

    def came(self, before: TableView, view: TableView, to_do: str) -> None:
        """Read what a new view changes. to_do: what there is to do, read when it becomes due, not as it counts down."""
        if waits_for_me(view) and (not waits_for_me(before) or is_another_turn(before, view)):
            self.say(to_do)

    def told(self, lines: Sequence[str]) -> None:
        """Read these lines about something that happened."""
        self._told = lines
        self.say(*lines)

    def opened(self, title: str, lines: Sequence[str]) -> None:
        """Read a panel that opens; its first lines are left out if they were just read."""
        self.say(title, *[line for line in lines if line not in self._told])

    def say(self, *lines: str) -> None:
        """Have these lines read aloud."""
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
SHEET_SECONDS = 8.0
"""For how long the score sheet of a hand lies above the next one that this player only watches."""
FRAME = 0.05
"""Seconds between two pictures of cards that move."""
ORDERS = ("suit", "rank", "trump", "off")
HARMLESS = (*LOOKS, "sort", "beside", "config", "detach", "leave")
"""Words that mean the same also where the table is another than the one that was seen."""


class TableScreen(Screen[None]):
    """One table on the screen, an `at_table.Front`, until it is left or closed; then the program ends with the closing
    sentence."""

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
            for key, line in menus.KEY_LINES.items()
            if key.startswith(("f", "ctrl"))
        ],
    ]

    def __init__(self, table: AttachedTable, sitting: ReadSitting, told: Sequence[str] = ()) -> None:
        """told: lines to show first."""
        super().__init__()
        self._read_sitting = sitting
        self._sitting = now = sitting()
        self._shown = TableShown(now, told, monotonic)
        self._asks_what = False
        self._sheet: PanelText | None = None  # of a hand that is over, before its view has come; which hand that is
        self._scored = 0
        self._behind = False  # the last click was for a table that is another now
        self._motion: Iterator[Picture] | None = None
        self._to_read: list[PanelText] = []  # when nothing else lies above the table
        self._who_starts: QuestionPanel | None = None
        self._sheet_above: ReadingPanel | None = None  # opened last above the table
        self._at_table = TableTalk(table, self._shown.table, self, lambda: self._sitting.manner)
        self._speaking = Speaking(now.manner.speech, self._show_side_note)

    def compose(self) -> ComposeResult:
        yield Felt(self._sitting.appearance.palette, self._sitting.appearance.shows)
        with Vertical():
            yield Fitting()
            yield TalkLine()

    def on_mount(self) -> None:
        self.query_one(Felt).focus()
        running_program(self).wear(self._sitting.appearance.palette)
        self._speaking.told([told.text for told in self.scene.mind.told])
        self._begin(self._speaking.run)
        self._begin(self._at_table.run)
        self.set_interval(1, self._tick)
        if self._sitting.faults:
            self._open_reading_panel("Your settings", self._sitting.faults, "settings")

    # --- what comes from the table ------------------------------------------------------------------------------------

    @property
    def tempo(self) -> Tempo:
        appearance = self._sitting.appearance
        return Tempo(appearance.pace, appearance.stays, appearance.moving)

    def take(self, seen: Seen) -> None:
        old, first = self.scene, not self._shown.table.begun
        self._shown.see_view(seen.view, seen.came)
        self._show_sheet()
        self._motion = None
        if seen.last and not first:
            self._show_moves(old)
        if self.scene.fresh:
            self.set_timer(MARKED, self._unmark_news)
        if self.scene.counting == 0:
            self._count_later(0)

    def _count_later(self, at: int) -> None:
        """Count the next item once this one has been seen. at: index of this one."""

        def count() -> None:
            if self.scene.counting == at:
                self._shown.count_next()
                self.paint()
                self._count_later(at + 1)

        self.set_timer(COUNTED * self._sitting.appearance.pace, count)

    def recall(self, recap: Sequence[str]) -> None:
        self._shown.told(*map(LogLine, recap))
        self._speaking.told(recap)

    def stand(self, before: TableView, first: bool) -> None:  # noqa: ARG002
        if isinstance(self.app.screen, OptionsScreen):
            self.app.screen.look_again()
        self._speaking.came(before, self.view, what_to_do_in(self.scene))

    def _show_moves(self, old: Scene) -> None:
        """Move the cards to their new places, until a key is pressed."""
        steps = round(self._sitting.appearance.moving / FRAME)
        if steps and self.app.screen is self:
            self._motion = self._shown.moving(old, self.query_one(Felt).picture, steps)
            self._play_motion(self._motion)

    def _play_motion(self, motion: Iterator[Picture]) -> None:
        if motion is not self._motion:  # another has begun
            return
        if (picture := next(motion, None)) is None:
            self._end_motion()
        else:
            self.query_one(Felt).show(picture)
            self.set_timer(FRAME, lambda: self._play_motion(motion))

    def _end_motion(self) -> None:
        """Show the cards at rest."""
        self._motion = None
        self.paint()

    def _unmark_news(self) -> None:
        self._shown.unmark()
        self.paint()

    def hear(self, heard: Heard) -> None:
        panel = self._shown.show_happening(heard)
        self._speaking.told([heard.text, *heard.said])
        if not self.app.screen_stack:  # the program has ended under it
            return
        if panel and self.view.apart and (pauses := step_weight([heard.happened.happening])):
            self._show_briefly(panel, pauses * self._sitting.appearance.pace)
        elif panel and isinstance(heard.happened.happening, HandScored):
            self._sheet, self._scored = panel, heard.happened.happening.sheet.hand
            self._speaking.opened(panel.title, panel.lines)
            self._show_sheet()
        elif panel:
            self._open_reading_panel(panel.title, panel.lines, panel.about)
        elif isinstance(heard.happened.happening, Starts) and self._sitting.manner.start_box and not self.view.apart:
            self._say_who_starts(heard.text)

    def _say_who_starts(self, text: str) -> None:
        """Show who begins, in place of what was shown of the hand before."""
        if self._who_starts is self.app.screen and self._who_starts is not None:
            self._who_starts.dismiss("")
        self._who_starts = QuestionPanel(text, ("OK",), "settings#start_box")
        self.app.push_screen(self._who_starts)

    def _show_sheet(self) -> None:
        """Show the score sheet beside the cards of a finished hand, or above the table where the next hand is dealt at
        once; for a moment where there is nothing for this player to do."""
        hand, sheet = self.view.hand, self._sheet
        stays = is_hand_over(self.view) and (self.view.pause is not None or self.view.phase != "play")
        if sheet is None or hand < self._scored or (hand == self._scored and not stays):
            return
        self._sheet = None
        if hand <= self._scored:
            return
        self._speaking.opened(sheet.title, sheet.lines[1:])  # its sentence has been told
        self._close_sheet(self._sheet_above)
        panel = self._sheet_above = ReadingPanel(sheet.title, sheet.lines, sheet.about)
        self.app.push_screen(panel)
        if my_seat(self.view) is None or self.view.auto:
            self.set_timer(SHEET_SECONDS, lambda: self._close_sheet(panel))

    def _close_sheet(self, sheet: ReadingPanel | None) -> None:
        """Close a score sheet that lies above all else."""
        if sheet is not None and sheet is self.app.screen:
            sheet.dismiss()

    def read_records(self, lines: Sequence[str]) -> None:
        """Show the records, once the person has looked at the last hand and other panels."""
        self._to_read.append(PanelText("Records", tuple(lines), "records"))
        if is_hand_over(self.view):
            self.told("Press Enter for your records.")
        else:
            self._show_next_panel()

    def on_screen_suspend(self) -> None:
        self.query_one(Felt).refresh()

    def on_screen_resume(self) -> None:
        self.query_one(Felt).refresh()
        self._show_next_panel()

    def _show_next_panel(self) -> None:
        if self._to_read and self.app.screen is self:
            read = self._to_read.pop(0)
            self._open_reading_panel(read.title, read.lines, read.about)

    # --- what is pressed and pointed at -------------------------------------------------------------------------------

    async def on_key(self, event: events.Key) -> None:
        if self.app.screen is not self:  # typed faster than a panel opened, and meant for the panel
            event.stop()
            self.app.post_message(events.Key(event.key, event.character))
            return
        came_back = self._at_table.take_seat_back(meant=event.key == "enter")
        if (line := self.query_one(TalkLine)).display:
            await self._type_key(line, event)
            return
        if event.key == "escape" and self._at_table.thinks:
            event.stop()
            self.say("hint off")
            return
        # The bottom line shows the keys as capitals, so Shift and Caps Lock make no difference.
        name = event.character.lower() if event.character and event.character.isprintable() else event.key
        if name == " ":
            name = "space"
        if self._scroll_by_key(event.key):
            event.stop()
            return
        press = self._press_outdated_key if self._catch_up() or came_back else self._press_key
        if press(name) or (event.key != name and press(event.key)):
            event.stop()

    def _scroll_by_key(self, key: str) -> bool:
        """Scroll the log beside the table; False if the key isn't for that. Home and End belong to the hand unless the
        log is scrolled back."""
        pane = self._log_pane()
        if pane is None or key not in SCROLLS or (key in ("home", "end") and not self.scene.mind.back):
            return False
        if key == "end":
            self._shown.to_newest()
        else:
            self._shown.scroll(EVERYTHING if key == "home" else SCROLLS[key] * (pane.rows - 1), pane)
        self.paint()
        return True

    def _log_pane(self) -> Box | None:
        """The box of the log beside the table, None where it isn't shown."""
        zones = self.query_one(Felt).picture.zones
        return next((zone.box for zone in zones if zone.name == "log"), None)

    def on_felt_turned(self, event: Felt.Turned) -> None:
        if (pane := self._log_pane()) is not None:
            self._shown.scroll(WHEEL if event.up else -WHEEL, pane)
            self.paint()

    def _press_key(self, name: str) -> bool:
        """Do what a key does, by its name; False if it means nothing."""
        if name == "enter" and (self.scene.counting is not None or self._to_read):
            self._skip_count()
            return True
        deed = press_key(self.scene, name)
        if deed is not None:
            self._carry_out_deed(deed)
        elif name in ("/", "'", "tab"):
            self._talk("/" if name == "/" else "")
        elif name in menus.KEY_LINES:
            self.begin_line(menus.KEY_LINES[name])
        elif name == "f10":
            self.action_menu()
        else:
            return False
        return True

    def _skip_count(self) -> None:
        """Skip to the end of a count, or to the panel due after the hand."""
        if self.scene.counting is not None:
            self._shown.count_next(to_the_end=True)
            self.paint()
        else:
            self._show_next_panel()

    def _press_outdated_key(self, name: str) -> bool:
        """Handle a key that was pressed for an outdated table: it may do anything but play a card. False if it means
        nothing."""
        deed = press_key(self.scene, name)
        line = menus.KEY_LINES.get(name) or (deed.line if deed else "")
        if line.partition(" ")[0] in HARMLESS:
            self.begin_line(line)
            return True
        return bool(line) or deed is not None or self._press_key(name)

    def notice_player(self) -> None:
        """Note a key or click elsewhere on the screen: the player is there."""
        self._at_table.take_seat_back()

    def _catch_up(self) -> bool:
        """Note a key or click; True if it was meant for an outdated table, which is now replaced."""
        if self._motion is not None:
            self._end_motion()
        return self._at_table.pressed()

    def on_felt_pressed(self, event: Felt.Pressed) -> None:
        self._behind = self._catch_up()
        kind, _, number = event.zone.partition(" ")
        deed = None if self._asks_what or self._behind else press_pile(self.scene, event.zone)
        if deed is not None and (self._sitting.manner.double_click or not event.stray):
            self._shown.lift_from_pile(event.column, event.row)
            self._carry_out_deed(deed)
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
            self._open_reading_panel("What is this?", [describe_zone(event.zone)], "layout")
        elif event.right and event.pressed.partition(" ")[0] not in (HAND, "button", "key"):
            self.action_menu()
        elif not self._behind:
            doubles = self._sitting.manner.double_click
            again = event.again if doubles else event.stray
            deed = click_at(self.scene, Click(event.pressed, event.zone, event.right, again, doubles))
            if event.stray and not doubles and deed in (Deed(deed.mind), Deed(deed.mind, told=STRAY)):
                self._ring_for_stray_click()
            self._carry_out_deed(deed)

    def _ring_for_stray_click(self) -> None:
        if self._sitting.manner.rings:
            self.ring()

    def _carry_out_deed(self, deed: Deed) -> None:
        self._shown.set_mind(replace(deed.mind, status="", wrong=False))
        self.paint()
        if deed.told:
            self.told(deed.told, wrong=deed.wrong)
        elif deed.presses:
            self._press_key(deed.presses)
        elif deed.several:
            self._choose(deed.several)
        elif deed.menu:
            self.action_menu(deed.menu)
        elif deed.line == NO_FRAME:
            self._change_setting(menus.MenuItem(NO_FRAME, "Rules in a frame", ""))
        elif line := deed.begins or deed.line:
            self.begin_line(line)

    def _choose(self, lines: Sequence[str]) -> None:
        """Let the player choose one of these lines, and handle it."""
        shown = [(line, self._short_label(line)) for line in lines]
        self._pick_from_list(shown, "playing#several-cards", self.say)

    def _pick_from_list(
        self, choices: Sequence[tuple[str, str]], about: str, take: Callable[[str], None], title: str = "Which one?"
    ) -> None:
        """Open a list; `take` gets the choice, if one was made. choices: (value, label); about: address of the guide's
        page on them."""
        self._speaking.opened(title, [shown for _, shown in choices])
        self.app.push_screen(ChoicePanel(title, choices, about), lambda line: take(line) if line else None)

    def _short_label(self, line: str) -> str:
        """A line's label among other lines."""
        label = menus.short_line_label(line, self.view)
        return offered_text(self.view, line, self.scene.look.style) if label == line else label

    def say(self, line: str) -> None:
        self._begin(self._at_table.say, line)

    def _begin(self, deed: Task, *arguments: object) -> None:
        """Begin a task of this screen within Trio."""
        running_program(self).begin_task(deed, *arguments)

    @property
    def view(self) -> TableView:
        """The view that came last."""
        return self.scene.view

    @property
    def style(self) -> Style:
        return self.scene.look.style

    @property
    def scene(self) -> Scene:
        """The scene that is drawn."""
        return self._shown.scene

    def words(self) -> list[tuple[str, str]]:
        """(line, description) of every command that works now."""
        return [word for word in words_now(self.view) if word[0] != "song" or self._at_table.jukebox]

    def begin_line(self, line: str) -> None:
        """Handle a line, or let the player type the rest of one that ends in a space; "sort" alone goes to the next
        order."""
        if line == "sort":
            line = f"sort {ORDERS[(ORDERS.index(self._shown.table.arrangement.order) + 1) % len(ORDERS)]}"
        if line.endswith(" "):
            self._talk(f"/{line}")
        else:
            self.say(line)

    # --- the menus ----------------------------------------------------------------------------------------------------

    def action_menu(self, first: str = "") -> None:
        """Open the menus. first: title of the menu to open."""
        page, songs = self._sitting.manner.options, self._at_table.jukebox is not None
        look, beside = self.scene.look, self.scene.mind.beside
        switches = {f"beside {beside}": True, "stagger": look.stagger, "tint": look.tint}
        on = menus.lines_on(self.view, self._shown.table.arrangement, switches)
        found = menus.build_menus(self.view, on, switch_values(page), songs=songs)
        bar = MenuBar(found, first, keys_of_line, self._open_menu, plain=self.scene.look.ascii)
        self.app.push_screen(bar, self._take_item)

    def _take_item(self, item: menus.MenuItem | None) -> None:
        """Do what was picked in the menus."""
        if item is None:
            return
        if item.line == menus.WHAT:
            self.action_what_is_this()
        elif item.asks:
            self._choose_rest_of_line(item.line)
        elif item.line.startswith(menus.SETTING):
            self._change_setting(item)
        else:
            self.begin_line(item.line)

    def _open_menu(self, menu: menus.Menu) -> None:
        self._speaking.opened(menu.title, [item.label for item in menu.items])

    def _choose_rest_of_line(self, line: str) -> None:
        """Have the next words of a command picked, until it is whole."""
        found = menus.completed_lines(line, self.view)
        if len(found) < 2:
            self.begin_line(found[0][0] if found else f"{line} ")
        else:
            self._pick_from_list(found, f"words#{line.split(maxsplit=1)[0]}", self._take_follower)

    def _take_follower(self, line: str) -> None:
        if line.endswith(" "):
            self._choose_rest_of_line(line)
        else:
            self.say(line)

    def _change_setting(self, item: menus.MenuItem) -> None:
        """Change a setting from the menu, at once."""
        key, value = item.line.removeprefix(menus.SETTING).split()
        try:
            if page := self._sitting.manner.options:
                page.change(key, value)
        except NotTaken as fault:
            self.told(str(fault), wrong=True)
        else:
            self._apply_settings()
            self.told(f"{item.label}: {'on' if value == 'true' else 'off'}.")

    def action_what_is_this(self) -> None:
        """Let the next click explain what is there."""
        self._asks_what = True
        self.told("Click any part of the screen for an explanation.")

    def action_say_line(self, line: str) -> None:
        self.begin_line(line)

    # --- what is typed ------------------------------------------------------------------------------------------------

    def _talk(self, start: str) -> None:
        """Let the player type talk for the table, or after a slash a command."""
        self.query_one(TalkLine).open_line(start, self.view)
        self._show_talk_line()

    async def _type_key(self, line: TalkLine, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        if event.key == "enter":
            if (text := line.entered_words(self.view)) is not None:
                self._send_text(text)
        elif event.key == "escape":
            line.leave()
        elif event.key == "f1":
            self._open_guide("playing#talking")
        elif event.key in ("pageup", "pagedown"):
            self._scroll_by_key(event.key)
        else:
            await line.press(event, self.view)
        self._show_talk_line()

    def on_paste(self, event: events.Paste) -> None:
        """Insert the first pasted line, or a link with its lines joined; Enter sends it."""
        from p2pcards.links.address import on_one_line, text_of_link

        line = self.query_one(TalkLine)
        if line.display and event.text:
            link = text_of_link(event.text)[1]
            line.paste(on_one_line(event.text) if link else event.text.splitlines()[0], self.view)
            self._show_talk_line()

    def on_fitting_picked(self, event: Fitting.Picked) -> None:
        """Take the clicked completion, as the arrows and Enter would."""
        line = self.query_one(TalkLine)
        line.choose(event.number)
        if (text := line.entered_words(self.view)) is not None:
            self._send_text(text)
        self._show_talk_line()

    def _show_talk_line(self) -> None:
        """Show the typed line, and above it the completions."""
        line = self.query_one(TalkLine)
        self.query_one(Fitting).show(line.fits, line.chosen)
        self._show_cursor()

    def _send_text(self, text: str) -> None:
        if text:
            self._shown.to_newest()
            self.say(text[1:] if text.startswith("/") else f"'{text}")

    # --- what is shown ------------------------------------------------------------------------------------------------

    def on_resize(self) -> None:
        self._motion = None
        self.paint()

    def _tick(self) -> None:
        """Update countdowns."""
        if counts_down(self.view, self.scene.elapsed):
            self.paint()

    def paint(self) -> None:
        picture = self._shown.picture(self.size.width, self.size.height)
        if self._motion is None:  # or it comes when the cards lie
            self.query_one(Felt).show(picture)
        self._show_cursor()

    def _show_cursor(self) -> None:
        """Put the terminal's cursor into the typed line, or on the selection."""
        line, picture = self.query_one(TalkLine), self.query_one(Felt).picture
        if line.display:
            self.call_after_refresh(self._follow_talk_line)
        elif picture.cursor is not None:
            self.app.cursor_position = Offset(*picture.cursor)

    def _follow_talk_line(self) -> None:
        line = self.query_one(TalkLine)
        if line.display:
            self.app.cursor_position = line.cursor_screen_offset

    def thinks(self) -> None:
        self.told("Thinking ... (Esc cancels)")

    def told_aside(self, text: str) -> None:
        self._show_side_note(text)
        self._speaking.say(text)

    def _show_side_note(self, text: str) -> None:
        """Show a sentence that is neither of the game nor an answer."""
        self._shown.told(LogLine(text))
        self.paint()

    def _open_reading_panel(self, title: str, lines: Sequence[str], about: str) -> None:
        self._speaking.opened(title, lines)
        self.app.push_screen(ReadingPanel(title, lines, about))

    def _show_briefly(self, read: PanelText, seconds: float) -> None:
        """Show a panel that closes by itself; not over another panel."""
        self._speaking.opened(read.title, read.lines)
        if seconds and self.app.screen is self:
            panel = ReadingPanel(read.title, read.lines, read.about)
            self.app.push_screen(panel)
            self.set_timer(seconds, lambda: panel.dismiss() if panel is self.app.screen_stack[-1] else None)

    async def ask(self, question: str, answers: Callable[[], Sequence[str]], about: str) -> str | None:
        """Ask in a panel; returns the answer, None if it was cancelled. about: address of the guide's page on it."""
        text = question.removesuffix(" yes/no")
        self._speaking.say(text, "/".join(answers()))
        return await running_program(self).asked(QuestionPanel(text, answers(), about)) or None

    def _open_guide(self, address: str) -> None:
        self.post_message(HelpAsked(address))

    def told(self, text: str, wrong: bool = False) -> None:
        if wrong and isinstance(self.app.screen, OptionsScreen):
            self.app.screen.tell_fault(text)
        elif wrong and self._sitting.manner.error_box:
            self._open_reading_panel("Can't do that", [text], "playing")
        self._shown.think(status=text, wrong=wrong)
        self.paint()
        self._speaking.say(text)

    async def answer(self, word: Local) -> bool:
        if word.name == "beside":
            self.told(self._shown.put_beside(parse_beside(word.arguments)))
        elif word.name in ("stagger", "tint"):
            is_on = getattr(self.scene.look, word.name)
            self.told(self._shown.override_look(word.name, parse_switch(word.name, word.arguments, is_on)))
        elif word.name == "config":
            await self._open_options(word.arguments)
        elif word.name == "player" and not word.arguments and (home := self._sitting.manner.home):
            await self._change_player(home)
        elif word.name == "options" and not word.arguments and can_change_rules(self.view):
            await self._open_rules()
        elif address := address_for_command(word.name, word.arguments, self.view):
            self._open_guide(address)
        else:
            return False
        return True

    def read(self, word: str, lines: Sequence[str]) -> None:
        self._open_reading_panel(title_of_look(word), lines, f"words#{word}")

    def arranged(self) -> None:
        self.told(self._shown.arranged())

    def showing(self) -> Showing:
        return self._shown.showing()

    async def _open_options(self, arguments: Sequence[str]) -> None:
        """Open the settings, or set the typed one. Raises NotTaken."""
        page = self._sitting.manner.options
        if arguments or page is None:
            self._open_reading_panel("Options", run_config_command(page, arguments), "settings")
        else:
            await running_program(self).asked(OptionsScreen(page, self._read_sitting))
        self._apply_settings()

    def _apply_settings(self) -> None:
        """Apply the settings as they are now."""
        self._sitting = now = self._read_sitting()
        self._shown.wear(now)
        self.query_one(Felt).wear(now.appearance.palette)
        running_program(self).wear(now.appearance.palette)
        self.paint()

    async def _change_player(self, home: Home) -> None:
        here, *others = [one.profile for one in await beside(homes_beside, home)]
        shown = [(here, f"{here} (playing now)"), *[(name, name) for name in others]]

        def change_to(name: str) -> None:
            if name != here:
                self.say(f"player {name}")

        self._pick_from_list(shown, "keeping#several-people-on-one-machine", change_to, "Choose a player")

    async def _open_rules(self) -> None:
        page = TableRulesPage(lambda: self.view, self.begin_line)
        await running_program(self).asked(OptionsScreen(page, self._read_sitting))

    def ring(self) -> None:
        self.app.bell()

    def let_go(self) -> None:
        """Leave the table without asking, keeping the seat."""
        self._begin(self._at_table.go, "detached")

    def end(self, result: str) -> None:
        why = [one.text for one in self.scene.mind.told[-1:]] if result == "closed" else []
        self._at_table.ring("exit")
        running_program(self).table_ended("\n".join([*why, closing_text(result, self.view)]))
