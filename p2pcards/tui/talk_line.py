"""The line in which something is said to everybody, or a word of line mode is typed, and above it what fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

from rich.text import Text
from textual import events
from textual.binding import Binding
from textual.message import Message
from textual.widgets import Input, Static

from p2pcards.frontend.words import WORDS
from p2pcards.present.width import pad_right, text_width, wrap_words
from p2pcards.views.tableview import TableView

# --- what fits, as it is listed above the line ------------------------------------------------------------------------


Fit = tuple[str, str]
"""(line, what it does)"""
Part = tuple[str, int | None]
"""(text, the number of what it is of)"""

APART = 2
"""Columns between two lines beside each other."""
MEANING = 24
"""The last column at which a meaning begins."""
CHOSEN_ROWS = 3
"""Rows for what the chosen one does, where only the lines are listed."""
HOW = "Keep typing, or pick one with Down or a click. Tab completes, Enter sends."
MORE = "More below. "


def list_completions(fits: Sequence[Fit], chosen: int | None, columns: int, rows: int) -> list[list[Part]]:
    """The rows that list the completions: with descriptions where there is room, else in columns with the selected
    one's description below; of too many, those around the selected one."""
    whole = _list_with_descriptions(fits, columns)
    return whole if len(whole) <= rows else _list_in_columns(fits, chosen, columns, rows)


def _list_with_descriptions(fits: Sequence[Fit], columns: int) -> list[list[Part]]:
    widest = min(max([text_width(line.strip()) for line, _ in fits], default=0), MEANING - APART)
    shown: list[list[Part]] = []
    for number, (line, meaning) in enumerate(fits):
        first = pad_right(line.strip(), widest) + " " * (APART - 1)
        parts = wrap_words(meaning, columns, " " * (widest + APART), first) if meaning else [line.strip()]
        shown += [[(part, number)] for part in parts]
    return shown


def _list_in_columns(fits: Sequence[Fit], chosen: int | None, columns: int, rows: int) -> list[list[Part]]:
    from p2pcards.frontend.completions import common_start  # a tenth of a second at the first table

    lines = [line.strip() for line, _ in fits]
    head = common_start(lines).rpartition(" ")[0] if len(lines) > 1 else ""
    names = [line[len(head) :].strip() for line in lines]  # without what all begin with
    cell = max(map(text_width, names)) + APART
    across = max(columns // cell, 1)
    down = ceil(len(fits) / across)
    room = max(rows - CHOSEN_ROWS, 1)
    first = max((chosen or 0) % down - room + 1, 0)
    grid: list[list[Part]] = [
        [(pad_right(names[number], cell), number) for number in range(row, len(fits), down)]
        for row in range(first, min(first + room, down))
    ]
    how = f"{MORE * (first + room < down)}{HOW}"
    said = f"{fits[chosen][0].strip()}: {fits[chosen][1]}" if chosen is not None and fits[chosen][1] else how
    below = wrap_words(said, columns)[:CHOSEN_ROWS]
    grid += [[(line, None)] for line in [*below, *[""] * (CHOSEN_ROWS - len(below))]]
    return grid


class Fitting(Static, can_focus=False):
    """The list above the line."""

    DEFAULT_CSS = "Fitting { height: auto; width: 100%; padding: 0 1; background: $panel; display: none; }"

    class Picked(Message):
        """Somebody has clicked on one."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self) -> None:
        super().__init__(markup=False)
        self._rows: list[list[Part]] = []

    def show(self, fits: Sequence[Fit], chosen: int | None) -> None:
        """Show these completions; none hides the list."""
        self.display = bool(fits)
        size = self.app.size
        self._rows = list_completions(fits, chosen, size.width - 2, max(size.height * 2 // 3, 4)) if fits else []
        text = Text("\n").join(
            [Text("").join([Text(part, "reverse" if at is not None and at == chosen else "") for part, at in row])
             for row in self._rows]
        )  # fmt: skip
        self.update(text)

    def on_click(self, event: events.Click) -> None:
        column, row = event.x - 1, event.y
        for part, number in self._rows[row] if 0 <= row < len(self._rows) else []:
            if 0 <= column < text_width(part) and number is not None:
                self.post_message(self.Picked(number))
            column -= text_width(part)


# --- the line ---------------------------------------------------------------------------------------------------------


PLACEHOLDER = "chat, or / and a command (Esc closes)"
MOST = 400
"""Characters."""
MOST_LINES = 100
"""Lines that can be had again."""
EDITS: Mapping[str, str] = {
    key: binding.action
    for binding in Input.BINDINGS
    if isinstance(binding, Binding) and binding.action != "submit"
    for key in binding.key.split(",")
}
"""What the toolkit's own line does with a key."""


class TalkLine(Input, can_focus=False):
    """The typed line. Its screen passes it every key, so it never has the focus: quickly typed keys would otherwise
    arrive in two places, out of order. fits: the completions; chosen: index of the selected one."""

    DEFAULT_CSS = "TalkLine { height: 1; border: none; padding: 0 1; }"

    def __init__(self) -> None:
        super().__init__(placeholder=PLACEHOLDER, compact=True, max_length=MOST, select_on_focus=False)
        self.display = False
        self.fits: tuple[Fit, ...] = ()
        self.chosen: int | None = None
        self._said: list[str] = []
        self._place = 0

    def open_line(self, start: str, view: TableView) -> None:
        """Show the line with this text."""
        self.display = True
        self._place = len(self._said)
        self._set_text(start)
        self._find_completions(view)

    def close_line(self) -> str:
        """Hide the line, and return what was typed."""
        text = self.value.strip()
        if text and text not in self._said[-1:]:
            self._said = [*self._said, text][-MOST_LINES:]
        self.leave()
        return text

    def leave(self) -> None:
        """Hide the line without sending it."""
        self.display = False
        self.fits, self.chosen = (), None

    def entered_words(self, view: TableView) -> str | None:
        """The line that Enter sends: the typed text or the selected completion; None where that needs more words
        first."""
        if self.chosen is None:
            return self.close_line()
        line = self.fits[self.chosen][0]
        word = WORDS.get(line.split()[0])
        more = word is not None and len(line.split()) <= word.least
        self._set_text(f"/{line.rstrip()}{' ' * more}")
        if not more:
            return self.close_line()
        self._find_completions(view)
        return None

    def choose(self, number: int) -> None:
        """Select the completion of this index."""
        self.chosen = number

    async def press(self, key: events.Key, view: TableView) -> None:
        """Handle a key for the line."""
        if key.key == "tab":
            self._complete_word(view)
            return
        if key.key in ("up", "down"):
            self._move_selection(-1 if key.key == "up" else 1, view)
            return
        if key.is_printable and key.character:
            self.insert_text_at_cursor(key.character)
        elif key.key in EDITS:
            await self.run_action(EDITS[key.key])
        self._place = len(self._said)
        self._find_completions(view)

    def paste(self, text: str, view: TableView) -> None:
        """Insert pasted text."""
        self.insert_text_at_cursor(text)
        self._find_completions(view)

    def _set_text(self, text: str) -> None:
        self.clear()
        self.insert_text_at_cursor(text)

    def _find_completions(self, view: TableView) -> None:
        """Find the completions of the line; none is selected."""
        from p2pcards.frontend.completions import described_completions  # a tenth of a second at the first table

        self.fits = tuple(described_completions(self.value[1:], view)) if self.value.startswith("/") else ()
        self.chosen = None

    def _move_selection(self, step: int, view: TableView) -> None:
        """Move through the completions, from the first one up back to the typed text; with none listed, through the
        lines sent before."""
        goes_back = self._place < len(self._said)
        if self.fits and not goes_back and (step > 0 or self.chosen is not None):
            at = -1 if self.chosen is None else self.chosen
            self.chosen = min(at + step, len(self.fits) - 1) if at + step >= 0 else None
            return
        self._place = min(max(self._place + step, 0), len(self._said))
        self._set_text(self._said[self._place] if self._place < len(self._said) else "")
        self._find_completions(view)

    def _complete_word(self, view: TableView) -> None:
        """Complete the word as far as it is certain, then step through the completions."""
        from p2pcards.frontend.completions import common_start

        lines = [f"/{line}" for line, _ in self.fits]
        if not lines:
            return
        if self.chosen is not None and len(lines) > 1:
            self.chosen = (self.chosen + 1) % len(lines) if self.value == lines[self.chosen] else self.chosen
        elif len(certain := common_start(lines)) > len(self.value):
            self._set_text(certain)
            self._find_completions(view)
            return
        else:
            self.chosen = 0
        self._set_text(lines[self.chosen or 0])
