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
from p2pcards.present.width import left, width, wrap
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


def listed(fits: Sequence[Fit], chosen: int | None, columns: int, rows: int) -> list[list[Part]]:
    """Every one with all that it does where there is room for that; else the lines alone, down one column after the
    other, and below them what the chosen one does. Of more than there is room for those around the chosen one."""
    whole = _whole(fits, columns)
    return whole if len(whole) <= rows else _lines_alone(fits, chosen, columns, rows)


def _whole(fits: Sequence[Fit], columns: int) -> list[list[Part]]:
    widest = min(max([width(line.strip()) for line, _ in fits], default=0), MEANING - APART)
    shown: list[list[Part]] = []
    for number, (line, meaning) in enumerate(fits):
        first = left(line.strip(), widest) + " " * (APART - 1)
        parts = wrap(meaning, columns, " " * (widest + APART), first) if meaning else [line.strip()]
        shown += [[(part, number)] for part in parts]
    return shown


def _lines_alone(fits: Sequence[Fit], chosen: int | None, columns: int, rows: int) -> list[list[Part]]:
    from p2pcards.frontend.completions import common_start  # a tenth of a second at the first table

    lines = [line.strip() for line, _ in fits]
    head = common_start(lines).rpartition(" ")[0] if len(lines) > 1 else ""
    names = [line[len(head) :].strip() for line in lines]  # without what all begin with
    cell = max(map(width, names)) + APART
    across = max(columns // cell, 1)
    down = ceil(len(fits) / across)
    room = max(rows - CHOSEN_ROWS, 1)
    first = max((chosen or 0) % down - room + 1, 0)
    grid: list[list[Part]] = [
        [(left(names[number], cell), number) for number in range(row, len(fits), down)]
        for row in range(first, min(first + room, down))
    ]
    how = f"{MORE * (first + room < down)}{HOW}"
    said = f"{fits[chosen][0].strip()}: {fits[chosen][1]}" if chosen is not None and fits[chosen][1] else how
    below = wrap(said, columns)[:CHOSEN_ROWS]
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
        """None of them: the list goes."""
        self.display = bool(fits)
        size = self.app.size
        self._rows = listed(fits, chosen, size.width - 2, max(size.height * 2 // 3, 4)) if fits else []
        text = Text("\n").join(
            [Text("").join([Text(part, "reverse" if at is not None and at == chosen else "") for part, at in row])
             for row in self._rows]
        )  # fmt: skip
        self.update(text)

    def on_click(self, event: events.Click) -> None:
        column, row = event.x - 1, event.y
        for part, number in self._rows[row] if 0 <= row < len(self._rows) else []:
            if 0 <= column < width(part) and number is not None:
                self.post_message(self.Picked(number))
            column -= width(part)


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
    """It is given every key by its screen and never has the focus: keys that are typed quickly would come to two
    places then, and out of order. fits: what a word that was begun may become; chosen: the number of one of them."""

    DEFAULT_CSS = "TalkLine { height: 1; border: none; padding: 0 1; }"

    def __init__(self) -> None:
        super().__init__(placeholder=PLACEHOLDER, compact=True, max_length=MOST, select_on_focus=False)
        self.display = False
        self.fits: tuple[Fit, ...] = ()
        self.chosen: int | None = None
        self._said: list[str] = []
        self._place = 0

    def open_line(self, start: str, view: TableView) -> None:
        """It comes up with this text."""
        self.display = True
        self._place = len(self._said)
        self._write(start)
        self._find(view)

    def close_line(self) -> str:
        """It goes; what was typed."""
        text = self.value.strip()
        if text and text not in self._said[-1:]:
            self._said = [*self._said, text][-MOST_LINES:]
        self.leave()
        return text

    def leave(self) -> None:
        """It goes, and nothing is said."""
        self.display = False
        self.fits, self.chosen = (), None

    def entered_words(self, view: TableView) -> str | None:
        """What is said by Enter: what was typed, or the one that is chosen; None where that wants more first."""
        if self.chosen is None:
            return self.close_line()
        line = self.fits[self.chosen][0]
        word = WORDS.get(line.split()[0])
        more = word is not None and len(line.split()) <= word.least
        self._write(f"/{line.rstrip()}{' ' * more}")
        if not more:
            return self.close_line()
        self._find(view)
        return None

    def choose(self, number: int) -> None:
        self.chosen = number

    async def press(self, key: events.Key, view: TableView) -> None:
        """A key that is for the line."""
        if key.key == "tab":
            self._complete(view)
            return
        if key.key in ("up", "down"):
            self._go(-1 if key.key == "up" else 1, view)
            return
        if key.is_printable and key.character:
            self.insert_text_at_cursor(key.character)
        elif key.key in EDITS:
            await self.run_action(EDITS[key.key])
        self._place = len(self._said)
        self._find(view)

    def paste(self, text: str, view: TableView) -> None:
        self.insert_text_at_cursor(text)
        self._find(view)

    def _write(self, text: str) -> None:
        self.clear()
        self.insert_text_at_cursor(text)

    def _find(self, view: TableView) -> None:
        """What fits now; none of it is chosen."""
        from p2pcards.frontend.completions import fitting  # a tenth of a second at the first table

        self.fits = tuple(fitting(self.value[1:], view)) if self.value.startswith("/") else ()
        self.chosen = None

    def _go(self, step: int, view: TableView) -> None:
        """To what is listed, up from the first of it back to what was typed; else to a line that was said before, or
        back to an empty one."""
        goes_back = self._place < len(self._said)
        if self.fits and not goes_back and (step > 0 or self.chosen is not None):
            at = -1 if self.chosen is None else self.chosen
            self.chosen = min(at + step, len(self.fits) - 1) if at + step >= 0 else None
            return
        self._place = min(max(self._place + step, 0), len(self._said))
        self._write(self._said[self._place] if self._place < len(self._said) else "")
        self._find(view)

    def _complete(self, view: TableView) -> None:
        """A word that was begun as far as it is certain; after that each of those that fit, in turn."""
        from p2pcards.frontend.completions import common_start

        lines = [f"/{line}" for line, _ in self.fits]
        if not lines:
            return
        if self.chosen is not None and len(lines) > 1:
            self.chosen = (self.chosen + 1) % len(lines) if self.value == lines[self.chosen] else self.chosen
        elif len(certain := common_start(lines)) > len(self.value):
            self._write(certain)
            self._find(view)
            return
        else:
            self.chosen = 0
        self._write(lines[self.chosen or 0])
