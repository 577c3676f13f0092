"""The menus above the table: a bar of their names, below it what the open one has, and what its chosen line does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from p2pcards.frontend.menus import Menu, MenuItem
from p2pcards.present.width import pad_right, text_width, wrap_words
from p2pcards.tui.panels import HELP, HelpAsked

ABOUT = "menus"
"""The address of what the guide tells of it."""
APART = 2
"""Columns between two names."""
EDGES = 6
"""Columns of the open menu around its lines, with the bar that scrolls."""
AROUND = 4
"""Rows of the window that no line of a menu can have: the bar, the frame, the rule."""
LEAST = 36
"""Columns of a line, so that what it does is no tower of words."""
ON, ON_PLAIN = "✓ ", "* "


class MenuBar(ModalScreen[MenuItem | None]):
    """The menus; returns the chosen line. Left and Right change the menu, a letter or a click chooses."""

    DEFAULT_CSS = """
    MenuBar { background: black 0%; }
    MenuBar #bar { height: 1; width: 100%; background: $panel; }
    MenuBar Vertical { position: absolute; width: auto; height: auto; background: $panel; border: round $accent;
        padding: 0 1; }
    MenuBar OptionList, MenuBar OptionList:focus { border: none; padding: 0; background: $panel;
        scrollbar-size-vertical: 1; height: auto; }
    MenuBar #meaning { height: auto; border-top: solid $accent; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        HELP,
        *[Binding(key, "dismiss(None)", "back to the table") for key in ("escape", "f10")],
        *[Binding(key, "go(1)", "next menu") for key in ("right", "tab")],
        *[Binding(key, "go(-1)", "previous menu") for key in ("left", "shift+tab")],
    ]

    def __init__(
        self,
        menus: Sequence[Menu],
        first: str,
        keys: Callable[[str], str],
        opened: Callable[[Menu], None],
        *,
        plain: bool,
    ) -> None:
        """first: title of the menu that is open; keys: gives the key for a line, "" for none; opened: called with each
        menu that opens; plain: draw marks in ASCII."""
        super().__init__()
        self.menus = menus
        self._at = next((place for place, menu in enumerate(menus) if menu.title == first), 0)
        self._keys = keys
        self._opened = opened
        self._mark = ON_PLAIN if plain else ON

    def compose(self) -> ComposeResult:
        yield Static(id="bar")
        with Vertical():
            yield OptionList(markup=False)
            yield Static(id="meaning", markup=False)

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()
        self._open_menu()

    @property
    def menu(self) -> Menu:
        """The open menu."""
        return self.menus[self._at]

    def action_help(self) -> None:
        self.post_message(HelpAsked(ABOUT))

    def action_go(self, step: int) -> None:
        self._at = (self._at + step) % len(self.menus)
        self._open_menu()

    # --- what is shown ------------------------------------------------------------------------------------------------

    def _open_menu(self) -> None:
        shown = self.query_one(OptionList)
        shown.clear_options()
        shown.add_options([Option(self._item_line(item)) for item in self.menu.items])
        shown.highlighted = 0
        self._place_parts()
        self._opened(self.menu)

    def on_resize(self) -> None:
        self._place_parts()

    def _place_parts(self) -> None:
        """Place the bar, and the open menu below its name with as many lines as there is room for."""
        names = Text(" ")
        for place, menu in enumerate(self.menus):
            names.append(f" {menu.title} ", "reverse" if place == self._at else "")
        self.query_one("#bar", Static).update(names)
        room = self._line_columns()
        rows = max(len(wrap_words(item.meaning, room)) for item in self.menu.items)
        shown = self.query_one(OptionList)
        shown.styles.width = room
        shown.styles.max_height = max(self.app.size.height - AROUND - rows, 3)
        meaning = self.query_one("#meaning", Static)
        meaning.styles.width = room
        meaning.styles.min_height = rows + 1
        column = min(self._title_columns()[self._at][0], self.app.size.width - room - EDGES + 2)
        self.query_one(Vertical).set_styles(offset=(max(column, 0), 1))
        self._explain_item()

    def _line_columns(self) -> int:
        """The columns of the open menu's lines."""
        widest = max(text_width(self._item_line(item).plain) for item in self.menu.items) + 1
        return min(max(widest, LEAST), self.app.size.width - EDGES)

    def _title_columns(self) -> list[tuple[int, int]]:
        """(first column, column after it) of each menu's title."""
        places, column = [], 1
        for menu in self.menus:
            end = column + text_width(menu.title) + APART
            places.append((column, end))
            column = end
        return places

    def _item_line(self, item: MenuItem) -> Text:
        """An item's line: its mark, its label with the letter, and at the right the key that does the same."""
        widest = max(text_width(one.label) for one in self.menu.items)
        mark = self._mark if item.on else "  "
        line = Text(f"{mark}{pad_right(item.label, widest)}  {self._keys(item.line)}")
        at = item.label.lower().find(item.letter) if item.letter else -1
        if at >= 0:
            line.stylize("underline", len(mark) + at, len(mark) + at + 1)
        return line

    def _explain_item(self) -> None:
        at = self.query_one(OptionList).highlighted
        if at is not None and at < len(self.menu.items):
            self.query_one("#meaning", Static).update(self.menu.items[at].meaning)

    # --- what is pressed and pointed at -------------------------------------------------------------------------------

    def on_option_list_option_highlighted(self) -> None:
        self._explain_item()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self.menu.items[event.option_index])

    def on_key(self, event: events.Key) -> None:
        letter = (event.character or "").lower()
        found = next((item for item in self.menu.items if letter and item.letter == letter), None)
        if found:
            event.stop()
            self.dismiss(found)

    def on_click(self, event: events.Click) -> None:
        """Open the menu whose title was clicked; beside everything, close the menus."""
        if event.screen_y == 0:
            columns = self._title_columns()
            at = next((place for place, (first, end) in enumerate(columns) if first <= event.screen_x < end), None)
            if at is not None:
                self._at = at
                self._open_menu()
        elif not self.query_one(Vertical).region.contains(event.screen_x, event.screen_y):
            self.dismiss(None)
