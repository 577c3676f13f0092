"""What comes up above the table: something to read, a question, a choice among many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.geometry import Offset
from textual.message import Message
from textual.screen import ModalScreen, ScreenResultType
from textual.widgets import Button, Input, Label, OptionList, Static

from p2pcards.frontend.record_pages import BLUE, RED
from p2pcards.present.score import GREEN
from p2pcards.present.width import fold_line, text_width
from p2pcards.store.settings import COLOURS

EDGE, EDGES = 1, 6
"""Columns right of what is to be read, for the bar that scrolls; and all that a panel has around it."""

BRIGHT = {BLUE: "won", RED: "lost", GREEN: "made"}
"""The parts of the screen whose colours those of records and scores have in a panel."""

PLACED = """
{name} {{ align: center middle; background: black 40%; }}
{name} > PanelBox {{ width: auto; max-width: 96%; height: auto; max-height: 90%; background: $panel; padding: 0 1;
    border: round $accent; }}
"""


HELP = Binding("f1", "help", "help")


class HelpAsked(Message):
    """Asks for a page of the guide, by its address."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address


class PanelBox(Vertical):
    """The frame of a panel. Dragging its upper edge, or Ctrl and the arrows, moves it, to uncover what is below."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(f"ctrl+{key}", f"move({right}, {down})", "move the panel", show=False)
        for key, right, down in (("left", -2, 0), ("right", 2, 0), ("up", 0, -1), ("down", 0, 1))
    ]

    def __init__(self) -> None:
        super().__init__()
        self._held: Offset | None = None  # where the pointer was last

    def on_mouse_down(self, event: events.MouseDown) -> None:
        if event.screen_y == self.region.y:
            self._held = event.screen_offset
            self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._held is not None:
            moved, self._held = event.screen_offset - self._held, event.screen_offset
            self.action_move(moved.x, moved.y)

    def on_mouse_up(self) -> None:
        self._held = None
        self.release_mouse()

    def action_move(self, right: int, down: int) -> None:
        """Move the panel by columns and rows, as far as all of it stays visible."""
        room, box = self.screen.region, self.region
        across = min(max(right, -box.x), max(room.width - box.right, 0))
        along = min(max(down, -box.y), max(room.height - box.bottom, 0))
        self.offset += Offset(across, along)


class HelpedPanel(ModalScreen[ScreenResultType]):
    """A panel whose F1 opens the guide."""

    def __init__(self, about: str) -> None:
        """about: address of the page on it."""
        super().__init__()
        self._about = about

    def action_help(self) -> None:
        self.post_message(HelpAsked(self._about))


class ReadingPanel(HelpedPanel[None]):
    """Lines to read, closed by any key that doesn't scroll."""

    DEFAULT_CSS = (
        PLACED.format(name="ReadingPanel")
        + "ReadingPanel > PanelBox { max-width: 100%; }"
        + "ReadingPanel.-wide > PanelBox { padding: 0; border-left: none; border-right: none; }"
        + "ReadingPanel VerticalScroll { width: auto; height: auto; max-height: 100%; scrollbar-size-vertical: 1; }"
        + "ReadingPanel Static { width: auto; }"
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        HELP,
        *[Binding(key, "dismiss(None)", "back to the table") for key in ("escape", "enter", "space", "q")],
    ]

    SUBTITLE: ClassVar = "Enter closes"

    def __init__(self, title: str, lines: Sequence[str], about: str = "layout") -> None:
        """about: address of the guide's page on it."""
        super().__init__(about)
        self._title = title
        self.lines = lines

    def compose(self) -> ComposeResult:
        with PanelBox() as box:
            box.border_title = self._title
            box.border_subtitle = self.SUBTITLE
            with VerticalScroll():
                room = self.app.size.width - EDGE
                lines = [part for line in self.lines for part in fold_line(line, room)]
                self.set_class(max(map(text_width, lines), default=0) > self.app.size.width - EDGES, "-wide")
                yield Static(Text.from_ansi(apply_palette("\n".join(lines), self.app.get_css_variables())))


class QuestionPanel(HelpedPanel[str]):
    """A question with its answers; returns the answer, "" if it was cancelled."""

    DEFAULT_CSS = (
        PLACED.format(name="QuestionPanel")
        + "QuestionPanel Label { width: auto; max-width: 70; padding: 1 1; }"
        + "QuestionPanel Horizontal { width: auto; height: auto; align: center middle; }"
        + "QuestionPanel Button { margin: 0 1; min-width: 10; height: 3; }"
    )
    BINDINGS: ClassVar[list[BindingType]] = [HELP, Binding("escape", "dismiss('')", "back to the table")]

    def __init__(self, question: str, answers: Sequence[str], about: str = "playing") -> None:
        """about: address of the guide's page on it."""
        super().__init__(about)
        self._question = question
        self._answers = answers

    def compose(self) -> ComposeResult:
        with PanelBox():
            yield Label(self._question, markup=False)
            with Horizontal():
                for answer in self._answers:
                    yield Button(answer, name=answer)

    def on_mount(self) -> None:
        self.query(Button).first().focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.name or "")

    def on_key(self, event: events.Key) -> None:
        found = [answer for answer in self._answers if answer[:1].lower() == (event.character or " ").lower()]
        if len(found) == 1:
            event.stop()
            self.dismiss(found[0])
        elif event.key in ("left", "right"):
            event.stop()
            (self.focus_previous if event.key == "left" else self.focus_next)()


class ChoicePanel(HelpedPanel[str]):
    """A list to choose from; returns the chosen one, "" if it was cancelled. Digits and letters go to the entries that
    begin so; the same letter again goes to the next."""

    DEFAULT_CSS = (
        PLACED.format(name="ChoicePanel")
        + "ChoicePanel OptionList { width: auto; min-width: 40; max-width: 100%; height: auto; max-height: 18; }"
    )
    BINDINGS: ClassVar[list[BindingType]] = [HELP, Binding("escape", "dismiss('')", "back to the table")]

    def __init__(self, title: str, choices: Sequence[tuple[str, str]], about: str = "menus") -> None:
        """choices: (value to return, label); about: address of the guide's page on it."""
        super().__init__(about)
        self._title = title
        self.choices = choices
        self._typed = ""
        self._moved = False

    def compose(self) -> ComposeResult:
        with PanelBox() as box:
            box.border_title = self._title
            box.border_subtitle = "Enter OK  Esc cancel  F1 help"
            yield OptionList(*[label for _, label in self.choices], markup=False)

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self.choices[event.option_index][0])

    def on_key(self, event: events.Key) -> None:
        if event.character is None or not event.character.isalnum():
            self._typed, self._moved = "", True
            return
        letter = event.character.lower()
        menu = self.query_one(OptionList)
        at = -1 if menu.highlighted is None or not self._moved else menu.highlighted
        self._moved = True
        for typed in (self._typed + letter, letter):
            places = _matching_labels([label for _, label in self.choices], typed)
            if places:
                event.stop()
                self._typed = typed
                later = [place for place in places if place > at] if typed == letter and at in places else []
                menu.highlighted = (later or places)[0]
                return


class LineInput(Input):
    def _on_paste(self, event: events.Paste) -> None:
        """Insert a pasted text with its lines joined: a mail program may have broken a link."""
        from p2pcards.links.address import on_one_line

        room = (self.max_length or len(event.text)) - len(self.value)
        super()._on_paste(events.Paste(on_one_line(event.text)[:room]))
        event.stop()


class LinePanel(HelpedPanel[str | None]):
    """A line to type; returns it, None if it was cancelled."""

    DEFAULT_CSS = (
        PLACED.format(name="LinePanel")
        + "LinePanel Label { width: auto; max-width: 70; padding: 1 1 0 1; } LinePanel Input { width: 60; }"
    )
    BINDINGS: ClassVar[list[BindingType]] = [HELP, Binding("escape", "dismiss(None)", "back")]

    def __init__(self, question: str, about: str = "using", usual: str = "") -> None:
        """about: address of the guide's page on it; usual: the text to start with."""
        super().__init__(about)
        self._question = question
        self._usual = usual

    def compose(self) -> ComposeResult:
        with PanelBox() as box:
            box.border_subtitle = "Enter OK  Esc cancel  F1 help"
            yield Label(self._question, markup=False)
            yield LineInput(self._usual, max_length=400)

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value)


def apply_palette(text: str, colours: dict[str, str]) -> str:
    """The text with its terminal inks replaced by these colours: by name as in `COLOURS`, as #rrggbb."""
    for ink, part in BRIGHT.items():
        code = colours.get(part, COLOURS[part]).lstrip("#")
        front = ";".join([str(int(code[at : at + 2], 16)) for at in (0, 2, 4)])
        text = text.replace(ink, f"\x1b[38;2;{front}m")
    return text


def _matching_labels(labels: Sequence[str], typed: str) -> list[int]:
    """The indices of the labels that begin so, else of those with a word that does."""
    words = [label.lower().split() for label in labels]
    first = [place for place, label in enumerate(words) if label[:1] and label[0].startswith(typed)]
    any_word = [place for place, label in enumerate(words) if any(word.startswith(typed) for word in label)]
    return first or any_word
