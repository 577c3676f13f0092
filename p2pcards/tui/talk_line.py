"""The line in which something is said, or a word of line mode is typed."""

from __future__ import annotations

from collections.abc import Mapping

from textual import events
from textual.binding import Binding
from textual.widgets import Input

from p2pcards.views.tableview import TableView

PLACEHOLDER = "say something to everybody; /word does what the word does; Esc goes back"
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
    places then, and out of order."""

    DEFAULT_CSS = "TalkLine { height: 1; border: none; padding: 0 1; }"

    def __init__(self) -> None:
        super().__init__(placeholder=PLACEHOLDER, compact=True, max_length=MOST, select_on_focus=False)
        self.display = False
        self._said: list[str] = []
        self._place = 0
        self._fitting: tuple[str, ...] = ()

    def begin(self, start: str) -> None:
        """It comes up with this text."""
        self.display = True
        self._place = len(self._said)
        self._write(start)

    def end(self) -> str:
        """It goes; what was typed."""
        self.display = False
        text = self.value.strip()
        if text and text not in self._said[-1:]:
            self._said = [*self._said, text][-MOST_LINES:]
        return text

    def leave(self) -> None:
        """It goes, and nothing is said."""
        self.display = False

    async def press(self, key: events.Key, view: TableView) -> None:
        """A key that is for the line."""
        if key.key != "tab":
            self._fitting = ()
        if key.key == "tab":
            self._complete(view)
        elif key.key in ("up", "down"):
            self._go(-1 if key.key == "up" else 1)
        elif key.is_printable and key.character:
            self.insert_text_at_cursor(key.character)
        elif key.key in EDITS:
            await self.run_action(EDITS[key.key])

    def _write(self, text: str) -> None:
        self.clear()
        self.insert_text_at_cursor(text)

    def _go(self, step: int) -> None:
        """To a line that was said before, or back to an empty one."""
        self._place = min(max(self._place + step, 0), len(self._said))
        self._write(self._said[self._place] if self._place < len(self._said) else "")

    def _complete(self, view: TableView) -> None:
        """A word that was begun as far as it is certain; after that each of those that fit, in turn."""
        from p2pcards.frontend.completions import common_start, completions  # a tenth of a second at the first table

        if not self.value.startswith("/"):
            return
        if len(self._fitting) > 1 and self.value in self._fitting:
            following = self._fitting[(self._fitting.index(self.value) + 1) % len(self._fitting)]
            self._write(following)
            return
        self._fitting = tuple([f"/{text}" for text in completions(self.value[1:], view)])
        if self._fitting:
            certain = common_start(self._fitting)
            self._write(certain if len(certain) > len(self.value) else self._fitting[0])
