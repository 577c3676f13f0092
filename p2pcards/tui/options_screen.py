"""What can be changed, beside it what comes of that."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import trio
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from p2pcards.control.own_command import OwnCommandFailed, run_own_command
from p2pcards.frontend.option_pages import NotTaken, OptionPage, OptionRow, Trial
from p2pcards.present.width import fit_text, pad_right
from p2pcards.store.files import StoreError
from p2pcards.tui.appearance import ReadSitting
from p2pcards.tui.colour_panel import ColourPanel
from p2pcards.tui.felt import Felt
from p2pcards.tui.panels import HELP, HelpAsked, LinePanel
from p2pcards.tui.picture.faces import draw_sample
from p2pcards.tui.program import running_program

KEYS = "Left/Right change  Enter type  R reset  F factory  U undo all  T test/stop  Tab  Esc"
ABOUT = "menus#the-options"
"""The address of what the guide tells of it."""
CHANGED = "  (* changed; R resets)"
NAME = 25
"""Columns of what a setting is called."""
TRIED = 10.0
"""Seconds that a command has that is tried."""
VALUE, WORDS = 20, 25
"""Columns of a value, with what is around it: of a setting, and of a rule."""


class OptionsScreen(Screen[None]):
    """A page of options, each changed at once. sitting: reads how the table looks now."""

    DEFAULT_CSS = """
    OptionsScreen { layout: vertical; scrollbar-size: 0 0; }
    OptionsScreen .heading { height: 1; background: $panel; text-style: bold; padding: 0 1; }
    OptionsScreen Horizontal { height: 1fr; }
    OptionsScreen OptionList, OptionsScreen OptionList:focus { height: 1fr; border: none; padding: 0;
        scrollbar-size-vertical: 1; }
    OptionsScreen .beside { width: 1fr; height: 1fr; padding: 0 1; }
    OptionsScreen #meaning { height: auto; min-height: 5; }
    OptionsScreen .above { max-height: 8; }
    OptionsScreen #fault { height: auto; text-style: reverse; }
    OptionsScreen .keys { height: 1; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        HELP,
        Binding("escape", "dismiss(None)", "back"),
        Binding("q", "dismiss(None)", "back", show=False),
    ]

    def __init__(self, page: OptionPage, sitting: ReadSitting) -> None:
        super().__init__()
        self._page = page
        self._read_sitting = sitting
        self._rows: dict[str, OptionRow] = {}
        self._of_key = NAME
        self._trial = trio.CancelScope()
        self.tries: Trial | None = None  # what runs

    def compose(self) -> ComposeResult:
        yield Static(f"{self._page.title}{CHANGED}", classes="heading", markup=False)
        with Horizontal():
            yield OptionList(markup=False)
            with Vertical(classes="beside"):
                yield Static("", id="meaning", classes="above" if self._page.looks else "", markup=False)
                yield Static("", id="fault", markup=False)
                if self._page.looks:
                    yield Felt(self._read_sitting().appearance.palette)
        yield Static(KEYS, classes="keys", markup=False)

    def on_mount(self) -> None:
        self.look_again()
        self.query_one(OptionList).focus()

    def look_again(self) -> None:
        """Show all rows with their present values, keeping the selection."""
        shown = self.query_one(OptionList)
        at = shown.highlighted
        shown.clear_options()
        try:
            groups = self._page.groups()
        except StoreError as fault:
            self.tell_fault(fault.with_advice)
            return
        if not groups:
            self.dismiss(None)
            return
        self._rows = {row.key: row for _, rows in groups for row in rows}
        self._of_key = NAME if self._page.looks else max([len(row.label) for row in self._rows.values()]) + 1
        shown.styles.width = self._of_key + (VALUE if self._page.looks else WORDS)
        for group, rows in groups:
            if group:
                shown.add_option(Option(Text(group, style="bold underline"), disabled=True))
            shown.add_options([Option(_row_line(row, self._of_key), id=row.key) for row in rows])
        shown.highlighted = at if at is not None else (1 if groups[0][0] else 0)
        self._show()

    def _selected_row(self) -> OptionRow | None:
        option = self.query_one(OptionList).highlighted_option
        return self._rows.get(option.id or "") if option else None

    def action_help(self) -> None:
        self.post_message(HelpAsked(ABOUT))

    def on_option_list_option_highlighted(self) -> None:
        self.tell_fault("")
        self._show()

    def on_resize(self) -> None:
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        """Show the explanation of the selected option."""
        row = self._selected_row()
        self.query_one("#meaning", Static).update(_explain_row(row) if row else "")
        appearance = self._read_sitting().appearance
        running_program(self).wear(appearance.palette)
        for felt in self.query(Felt):
            felt.wear(appearance.palette)
            felt.show(draw_sample(appearance.look, felt.size.width, felt.size.height))

    def tell_fault(self, text: str) -> None:
        """Show why a value was refused, "" to clear it."""
        self.query_one("#fault", Static).update(text)

    # --- changing -----------------------------------------------------------------------------------------------------

    def on_option_list_option_selected(self) -> None:
        row = self._selected_row()
        if row is None:
            return
        if not row.typed:
            self._step_value(row, 1)
        else:
            running_program(self).begin_task(self._type_value, row)

    def on_key(self, event: events.Key) -> None:
        row = self._selected_row()
        letter = (event.character or "").lower()
        if event.key in ("left", "right") and row and row.values:
            self._step_value(row, 1 if event.key == "right" else -1)
        elif event.key == "tab":
            self._next_group()
        elif letter == "r" and row:
            self._apply_change(lambda: self._page.reset(row.key))
        elif letter == "f" and row:
            self._apply_change(lambda: self._page.factory(row.key))
        elif letter == "t" and row:
            running_program(self).begin_task(self._try_out, row)
        elif letter == "u":
            self._apply_change(self._page.undo_all)
        else:
            return
        event.stop()

    def _next_group(self) -> None:
        shown = self.query_one(OptionList)
        heads = [number for number, option in enumerate(shown.options) if option.disabled]
        if heads:
            at = shown.highlighted or 0
            shown.highlighted = next((head for head in heads if head > at), heads[0]) + 1

    def _step_value(self, row: OptionRow, by: int) -> None:
        at = row.values.index(row.value) if row.value in row.values else -1 if by > 0 else 0
        self._change_value(row.key, row.values[(at + by) % len(row.values)])

    async def _try_out(self, row: OptionRow) -> None:
        """Ring the bell and run the command, for a few seconds at most."""
        try:
            trial = self._page.trial(row.key)
            if trial is None:
                return
            self.tell_fault("")
            if self.tries == trial:
                self._trial.cancel()
                return
            if trial.bell:
                self.app.bell()
            if trial.command:
                await self._run_trial(trial)
        except (NotTaken, StoreError) as fault:
            self.tell_fault(str(fault))
        except OwnCommandFailed as failed:
            self.tell_fault(f"The command {failed}.")

    async def _run_trial(self, trial: Trial) -> None:
        """Run the command until it is tried again, another one is, or the page closes."""
        self._trial.cancel()
        with trio.CancelScope() as scope:
            self._trial, self.tries = scope, trial
            try:
                await run_own_command(trial.command, trial.text, trial.environment, TRIED, trial.arguments)
            finally:
                if self._trial is scope:
                    self.tries = None

    def on_unmount(self) -> None:
        self._trial.cancel()

    async def _type_value(self, row: OptionRow) -> None:
        if row.key.startswith("colours."):
            chart = ColourPanel(
                f"{row.meaning} Or type #rrggbb.", row.value, lambda one: self._change_value(row.key, one)
            )
            if await running_program(self).asked(chart) is None:
                self._apply_change(
                    lambda: self._page.reset(row.key) if row.usual else self._page.change(row.key, row.value)
                )
            return
        typed = await running_program(self).asked(LinePanel(f"{row.meaning} Takes {row.takes}.", ABOUT, row.value))
        if typed and typed.strip():
            self._change_value(row.key, typed)

    def _change_value(self, key: str, text: str) -> None:
        self._apply_change(lambda: self._page.change(key, text))

    def _apply_change(self, change: Callable[[], None]) -> None:
        """Run a change, and show why it was refused beside it."""
        self.tell_fault("")
        try:
            change()
        except NotTaken as fault:
            self.tell_fault(str(fault))
        else:
            self.look_again()


def _explain_row(row: OptionRow) -> str:
    """The option's description, what its value does, the values it takes, and the word that sets it."""
    value = f" {row.effect}" if row.effect else ""
    return f"{row.meaning}{value} Takes {row.takes}. In commands: {row.key}."


def _row_line(row: OptionRow, name: int) -> Text:
    """A row of the list; a star marks a changed option. name: columns of its label."""
    key = row.label
    value = Text(row.shown)
    if row.key.startswith("colours."):
        value.append("  ██", style=row.value)
    return Text(f"{' ' if row.usual else '*'}{pad_right(fit_text(key, name - 1), name)} ").append(value)
