"""The line mode: playing at a table in plain words, one command per line; how a line is typed, where it is read and
written, what is shown unasked, and what is heard."""

from __future__ import annotations

import math
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol, TextIO

import trio

from p2pcards.cards.card import Card
from p2pcards.control.attached import AttachedTable
from p2pcards.frontend.asked_first import closing_text
from p2pcards.frontend.at_table import Heard, TableSeen, TableTalk
from p2pcards.frontend.completions import common_start, completions
from p2pcards.frontend.looks import LOOKS, Showing
from p2pcards.frontend.manner import IN_LINES, Manner
from p2pcards.frontend.option_pages import run_config_command
from p2pcards.frontend.sound import Speech, read_aloud
from p2pcards.frontend.stage import Seen, Tempo
from p2pcards.frontend.words import Local, NotUnderstood
from p2pcards.games.spelling import cards_in_text
from p2pcards.present.cards import Arrangement, Style
from p2pcards.present.gathering import GATHERED, Gathering
from p2pcards.present.story import as_sentence
from p2pcards.present.table import (
    Pressing,
    countdowns,
    counts_down,
    facts_now,
    hand_lines,
    i_lead,
    is_another_turn,
    open_hand_lines,
    player_names,
    prompt_text,
    table_lines,
    turn_lines,
    turn_pressure,
    waits_for_me,
)
from p2pcards.present.width import PAINT, PLAIN, fold_line, text_width, wrap_words
from p2pcards.views import happenings
from p2pcards.views.tableview import TableView
from p2pcards.wire.clean import clean

# --- a line being typed, as a pure state machine ----------------------------------------------------------------------


HISTORY = 200  # lines
LONGEST = 1000  # characters of a line
PASTED = 4000  # bytes of an unfinished sequence that are kept


class KeyboardEvent(NamedTuple):
    """What the keyboard asked for."""

    # "line" (with its text), "choices" (a second Tab, with what fits), "interrupt" (Ctrl-C), "end" (Ctrl-D, or the end
    # of the input), "suspend" (Ctrl-Z) or "redraw" (Ctrl-L)
    kind: str
    text: str = ""
    choices: tuple[str, ...] = ()


Complete = Callable[[str], Sequence[str]]
"""What the text before the cursor may become: each begins with it, capitals aside."""


def no_completions(_text: str) -> Sequence[str]:
    """Complete nothing."""
    return ()


@dataclass(frozen=True, slots=True)
class Editor:
    text: str = ""
    cursor: int = 0  # an index in text, 0..len(text)
    history: tuple[str, ...] = ()  # oldest line first
    place: int | None = None  # index of the history line shown; None for the line being typed
    draft: str = ""  # the line being typed, while a history line is shown
    pending: bytes = b""  # the start of a character or of a key sequence
    pasting: bool = False  # inside a bracketed paste
    tabbed: bool = False  # the last key was a Tab that left several choices


def feed_keys(
    editor: Editor, data: bytes, complete: Complete = no_completions
) -> tuple[Editor, tuple[KeyboardEvent, ...]]:
    """(editor, events) after these bytes from the keyboard. Bytes may come in pieces of any size."""
    data = editor.pending + data
    editor = replace(editor, pending=b"")
    events: list[KeyboardEvent] = []
    while data:
        match = KEY.match(data)
        if match is None:  # the start of a sequence
            return replace(editor, pending=data[:PASTED]), tuple(events)
        data = data[match.end() :]
        tab = match["control"] == b"\t" and not editor.pasting
        editor, event = _complete_word(editor, complete) if tab else _press_key(replace(editor, tabbed=False), match)
        if event is not None:
            events.append(event)
    return editor, tuple(events)


def visible_row(prompt: str, editor: Editor, columns: int) -> tuple[str, int]:
    """The row to show, with as much text around the cursor as fits after the prompt, and the cursor's column from 0."""
    room = max(columns - 1 - text_width(prompt), 8)
    start = 0
    while text_width(editor.text[start : editor.cursor]) > room - 1:
        start += 1
    end = len(editor.text)
    while text_width(editor.text[start:end]) > room:
        end -= 1
    return prompt + editor.text[start:end], text_width(prompt) + text_width(editor.text[start : editor.cursor])


# --- keys ---

# One whole key: an escape sequence, a control byte, or the printable characters up to the next of these. The start of a
# sequence that goes on otherwise is dropped, such as the Escape key, or Alt with a letter.
KEY = re.compile(
    rb"""
    \x1b\[ (?P<csi> \[? [0-9;?]* [@-Z\\-~]) | \x1bO (?P<ss3> [@-~])
    | (?P<escape> (?> \x1b (?: \[\[? [0-9;?]* | O )? ) (?=.))
    | (?P<control> [\x00-\x1a\x1c-\x1f\x7f])
    | (?P<text> (?: [\x20-\x7e] | [\xc2-\xdf][\x80-\xbf] | [\xe0-\xef][\x80-\xbf]{2} | [\xf0-\xf4][\x80-\xbf]{3})+)
    | (?P<broken> [\x80-\xc1\xf5-\xff] | [\xc2-\xf4] (?=[^\x80-\xbf]) | [\xe0-\xf4][\x80-\xbf] (?=[^\x80-\xbf])
      | [\xf0-\xf4][\x80-\xbf]{2} (?=[^\x80-\xbf]))
    """,
    re.VERBOSE | re.DOTALL,
)


def _press_key(editor: Editor, key: re.Match[bytes]) -> tuple[Editor, KeyboardEvent | None]:
    if key["csi"] == b"200~" or key["csi"] == b"201~":
        return replace(editor, pasting=key["csi"] == b"200~"), None
    if key["text"] is not None:
        return _insert_text(editor, key["text"].decode("utf-8", "replace")), None
    control = key["control"]
    if control in (b"\r", b"\n"):
        # The lines of a paste are one line: nobody wants to say half of it.
        return (_insert_text(editor, " "), None) if editor.pasting else _finish_line(editor)
    if control == b"\t":  # of a paste
        return _insert_text(editor, " "), None
    if control in ASKING and not (control == b"\x04" and editor.text):
        return editor, KeyboardEvent(ASKING[control])
    edit = EDITS.get(control or b"") or SEQUENCES.get(key["csi"] or key["ss3"] or b"")
    return (edit(editor) if edit else editor), None


def _insert_text(editor: Editor, text: str) -> Editor:
    # One space is kept where it was typed; everything else that moves the cursor goes.
    kept = "".join([char if char == " " else clean(f"a{char}", 9)[1:] for char in text])
    kept = kept[: LONGEST - len(editor.text)]
    whole = editor.text[: editor.cursor] + kept + editor.text[editor.cursor :]
    return replace(editor, text=whole, cursor=editor.cursor + len(kept))


def _complete_word(editor: Editor, complete: Complete) -> tuple[Editor, KeyboardEvent | None]:
    """Complete the text before the cursor as far as it is certain; an event lists the choices if that was done
    already."""
    before, after = editor.text[: editor.cursor], editor.text[editor.cursor :]
    found = complete(before)
    common = common_start(found)
    if len(found) > 1 and len(common) <= len(before):
        start = before.rfind(" ") + 1
        choices = tuple([text[start:].strip() for text in found])
        return replace(editor, tabbed=True), KeyboardEvent("choices", choices=choices) if editor.tabbed else None
    if not found:
        return replace(editor, tabbed=False), None
    wanted = common.rstrip(" ") if after.startswith(" ") else common
    return replace(_insert_text(replace(editor, text=after, cursor=0), wanted), tabbed=len(found) > 1), None


def _finish_line(editor: Editor) -> tuple[Editor, KeyboardEvent]:
    line, history = editor.text, editor.history
    if line.strip() and history[-1:] != (line,):
        history = (*history, line)[-HISTORY:]
    return Editor(history=history), KeyboardEvent("line", line)


def _delete_before_cursor(editor: Editor) -> Editor:
    return _cut_to_cursor(editor, max(editor.cursor - 1, 0))


def _cut_to_cursor(editor: Editor, start: int) -> Editor:
    """Delete the text from `start` to the cursor."""
    return replace(editor, text=editor.text[:start] + editor.text[editor.cursor :], cursor=start)


def _delete_at_cursor(editor: Editor) -> Editor:
    return replace(editor, text=editor.text[: editor.cursor] + editor.text[editor.cursor + 1 :])


def _cut_word_before_cursor(editor: Editor) -> Editor:
    before = editor.text[: editor.cursor].rstrip()
    return _cut_to_cursor(editor, before.rfind(" ") + 1)


def _move_cursor(editor: Editor, place: int) -> Editor:
    return replace(editor, cursor=min(max(place, 0), len(editor.text)))


def _recall_line(editor: Editor, step: int) -> Editor:
    """Show an older (-1) or newer (1) line; after the newest comes the line that was being typed."""
    history = editor.history
    place = (len(history) if editor.place is None else editor.place) + step
    if place < 0 or place > len(history):
        return editor
    draft = editor.text if editor.place is None else editor.draft
    text = draft if place == len(history) else history[place]
    return replace(editor, text=text, cursor=len(text), place=None if place == len(history) else place, draft=draft)


Edit = Callable[[Editor], Editor]
ASKING = {b"\x03": "interrupt", b"\x04": "end", b"\x1a": "suspend", b"\x0c": "redraw"}
EDITS: dict[bytes, Edit] = {
    b"\x7f": _delete_before_cursor,
    b"\x08": _delete_before_cursor,
    b"\x15": lambda editor: _cut_to_cursor(editor, 0),
    b"\x0b": lambda editor: replace(editor, text=editor.text[: editor.cursor]),
    b"\x17": _cut_word_before_cursor,
    b"\x04": _delete_at_cursor,
    b"\x01": lambda editor: _move_cursor(editor, 0),
    b"\x05": lambda editor: _move_cursor(editor, len(editor.text)),
    b"\x02": lambda editor: _move_cursor(editor, editor.cursor - 1),
    b"\x06": lambda editor: _move_cursor(editor, editor.cursor + 1),
    b"\x10": lambda editor: _recall_line(editor, -1),
    b"\x0e": lambda editor: _recall_line(editor, 1),
}
TO_START, TO_END = EDITS[b"\x01"], EDITS[b"\x05"]
SEQUENCES: dict[bytes, Edit] = {
    b"A": EDITS[b"\x10"],
    b"B": EDITS[b"\x0e"],
    b"C": EDITS[b"\x06"],
    b"D": EDITS[b"\x02"],
    b"H": TO_START,
    b"1~": TO_START,
    b"7~": TO_START,
    b"F": TO_END,
    b"4~": TO_END,
    b"8~": TO_END,
    b"3~": _delete_at_cursor,
}


# --- where the line mode reads and writes -----------------------------------------------------------------------------


CHUNK = 4096
MOST_LISTED = 80  # of what may be typed
END = KeyboardEvent("end")


BELOW = 2
"""Lines of a window that an answer leaves for what was typed and the prompt."""


class Screen(Protocol):
    """Prints text line by line, and reads what the person types."""

    @property
    def columns(self) -> int:
        """The columns of a row."""

    @property
    def lines(self) -> int:
        """The rows of text seen at once, without the prompt; 0 where no window limits them."""

    def say(self, text: str) -> None:
        """Print a line above the prompt."""

    def prompt(self, text: str, due: bool, again: bool = False) -> None:
        """Set the prompt. due: the table waits for this person; again: for something new, so a plain screen repeats the
        prompt."""

    def ring(self) -> None:
        """Ring the bell."""

    async def read(self, complete: Complete = no_completions) -> tuple[KeyboardEvent, ...]:
        """Wait for the next things typed; an "end" event at the end of the input, and ever after. complete: for Tab."""

    def refresh(self) -> None:
        """Paint the prompt again."""

    def suspend(self) -> None:
        """Stop the program as Ctrl-Z does, and return when it goes on."""

    def resume(self) -> None:
        """Take back the terminal after another program had it."""


class OutputGone(Exception):
    """The reader of the output has gone."""


class PlainScreen:
    """Plain lines for pipes, dumb terminals and screen readers. A prompt is printed as a line when it is new and the
    table waits for this person."""

    columns = 80
    lines = 0

    def __init__(self, source: TextIO, output: TextIO) -> None:
        self._source = source.fileno()
        self._output = output
        self._prompt = ""
        self._pending = b""

    def say(self, text: str) -> None:
        write_text(self._output, text + "\n")

    def prompt(self, text: str, due: bool, again: bool = False) -> None:
        """Print the prompt as a line, if it is due and new."""
        if due and (again or text != self._prompt):
            self.say(text.rstrip())
        self._prompt = text if due else ""

    def ring(self) -> None:
        write_text(self._output, "\a")

    async def read(self, complete: Complete = no_completions) -> tuple[KeyboardEvent, ...]:  # noqa: ARG002 - lines come whole
        """Wait for the next line."""
        data = await _read_bytes(self._source)
        *lines, self._pending = (self._pending + data).split(b"\n")
        events = [KeyboardEvent("line", line.decode("utf-8", "replace").rstrip("\r")) for line in lines]
        if not data:
            rest = self._pending.decode("utf-8", "replace")
            self._pending = b""
            return (*events, *([KeyboardEvent("line", rest)] if rest else []), END)
        return tuple(events)

    def refresh(self) -> None:
        """Do nothing: the prompt is an ordinary line."""

    def suspend(self) -> None:
        """Do nothing: the terminal stops the program itself."""

    def resume(self) -> None:
        """Do nothing: the terminal was never taken."""


class TerminalScreen:
    """A terminal whose bottom row holds the prompt and the typed text, with everything else printed above it."""

    def __init__(self, source: TextIO, output: TextIO) -> None:
        self._source = source.fileno()
        self._output = output
        self._prompt = ""
        self._editor = Editor()
        self._saved = _terminal_attributes(self._source)

    @property
    def columns(self) -> int:
        try:
            return os.get_terminal_size(self._source).columns or 80
        except OSError:
            return 80

    @property
    def lines(self) -> int:
        try:
            return max(os.get_terminal_size(self._source).lines - BELOW, 0)
        except OSError:
            return 0

    def say(self, text: str) -> None:
        """Print a line above the prompt."""
        lines = [part for line in text.split("\n") for part in fold_line(line, self.columns - 1)]
        write_text(self._output, "\r\x1b[K" + "".join([f"{line}\n" for line in lines]) + self._prompt_row())

    def prompt(self, text: str, due: bool, again: bool = False) -> None:  # noqa: ARG002 - here it is always seen
        """Paint this prompt from now on."""
        if text != self._prompt:
            self._prompt = text
            self.refresh()

    def ring(self) -> None:
        write_text(self._output, "\a")

    async def read(self, complete: Complete = no_completions) -> tuple[KeyboardEvent, ...]:
        """Wait for keys, and return what they asked for."""
        data = await _read_bytes(self._source)
        if not data:
            return (END,)
        self._editor, events = feed_keys(self._editor, data, complete)
        for event in events:
            if event.kind == "line":  # what was typed stays to be read, as in any shell
                write_text(self._output, f"\r\x1b[K{self._prompt}{event.text}\n")
            elif event.kind == "choices":
                self.say("\n".join(_choices_text(event.choices, self.columns)))
        self.refresh()
        return tuple([event for event in events if event.kind != "choices"])

    def refresh(self) -> None:
        """Paint the prompt and the typed text again."""
        write_text(self._output, f"\r\x1b[K{self._prompt_row()}")

    def suspend(self) -> None:
        """Restore the terminal and stop the program; take the terminal again when it goes on."""
        self.close()
        ours = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        try:
            os.kill(0, signal.SIGTSTP)
        finally:
            signal.signal(signal.SIGTSTP, ours)
        self.resume()

    def resume(self) -> None:
        """Take the terminal again after another program had it."""
        self.open()
        self.refresh()

    def open(self) -> None:
        """Take the terminal: single keys, Ctrl-C as a key, marked pastes."""
        _take_terminal(self._source)
        write_text(self._output, "\x1b[?2004h")

    def close(self) -> None:
        """Wipe the prompt and restore the terminal."""
        try:
            write_text(self._output, "\r\x1b[K\x1b[?2004l")
        finally:
            _restore_terminal(self._source, self._saved)

    def _prompt_row(self) -> str:
        row, column = visible_row(self._prompt, self._editor, self.columns)
        return f"{row}\r\x1b[{column}C" if column else row


@contextmanager
def open_screen(source: TextIO, output: TextIO, interactive: bool) -> Iterator[Screen]:
    """Open the right screen for these files; the terminal is always restored. interactive: both are one terminal."""
    if not interactive:
        yield PlainScreen(source, output)
        return
    screen = TerminalScreen(source, output)
    try:
        screen.open()
        yield screen
    finally:
        with suppress(OutputGone):
            screen.close()


def write_text(output: TextIO, text: str) -> None:
    """Write text, with a question mark for what the encoding lacks. Raises OutputGone."""
    encoding = output.encoding or "utf-8"
    try:
        output.write(text.encode(encoding, "replace").decode(encoding, "replace"))
        output.flush()
    except (OSError, ValueError) as error:
        raise OutputGone from error


# --- private ---


def _choices_text(choices: tuple[str, ...], columns: int) -> list[str]:
    """As many choices as fit in the columns, with commas between, and the number of all if there are more."""
    more = [f"and {len(choices) - MOST_LISTED} more"] if len(choices) > MOST_LISTED else []
    *words, last = [*choices[:MOST_LISTED], *more]
    return wrap_words([*[f"{word}," for word in words], last], columns - 1, "  ", "  ")


async def _read_bytes(source: int) -> bytes:
    """Read what there is; b"" at the end, also when the terminal has gone."""
    try:
        await trio.lowlevel.wait_readable(source)
    except PermissionError:  # a file, which is always readable
        await trio.lowlevel.checkpoint()
    try:
        return os.read(source, CHUNK)
    except OSError:
        return b""


if sys.platform != "win32":
    import termios

    Attributes = list[int | list[bytes | int]]

    def _terminal_attributes(fd: int) -> Attributes:
        return termios.tcgetattr(fd)

    def _take_terminal(fd: int) -> None:
        mode = termios.tcgetattr(fd)
        # Ctrl-C, Ctrl-Z, Ctrl-S and Enter arrive as bytes; what is written keeps its line ends.
        mode[0] &= ~(termios.ICRNL | termios.INLCR | termios.IGNCR | termios.IXON)
        mode[3] &= ~(termios.ECHO | termios.ICANON | termios.ISIG | termios.IEXTEN)
        mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
        termios.tcsetattr(fd, termios.TCSADRAIN, mode)

    def _restore_terminal(fd: int, mode: Attributes) -> None:
        with suppress(termios.error):  # a terminal that has gone needs nothing
            termios.tcsetattr(fd, termios.TCSADRAIN, mode)


# --- what the line mode shows unasked ---------------------------------------------------------------------------------


SPOKEN = (60, 30, 10)
"""Seconds before a takeover at which plain output says so."""

INKS: Mapping[Pressing, str] = {Pressing.NO: "", Pressing.HALF: "\x1b[1;33m", Pressing.LAST: "\x1b[1;31m"}
"""Of the prompt, as my turn clock runs out: bold yellow and bold red."""

MOMENT = 0.3
"""Seconds, besides the pace of the table, for which a line is kept back that more may be added to."""

Looked = (
    happenings.TricksReviewed
    | happenings.MeldsReviewed
    | happenings.CardsRecalled
    | happenings.CardsDistributed
    | happenings.AlternativesExplained
    | happenings.HandAnalyzed
)


class LineNews:
    """Remembers what the person was told, so that it isn't repeated."""

    def __init__(self, style: Style, plain: bool) -> None:
        self._style = style
        self._plain = plain
        self._gathering = Gathering()
        self._hand = ("", 0, 0)  # what is remembered is of this one
        self._told: set[int] = set()  # cards that sentences have named since the last turn, and that lay there then
        self._facts: tuple[list[str], list[str]] = ([], [])  # what was said to hold in the hand, and for each player
        self._said: set[str] = set()  # what was said and done, in the words of such facts
        self._shown: set[int] = set()  # cards that lay in melds and the like when these were told last
        self._others_acted = False  # since my last turn
        self._lead_told = False
        self._hand_lines: list[str] = []
        self._spoken: dict[int, float] = {}  # by seat, the seconds when a countdown was last told

    @property
    def waits(self) -> bool:
        """Return whether `rest` has lines to return."""
        return self._gathering.waits

    def rest(self) -> list[str]:
        """Return the lines that were held back to be extended."""
        return self._gathering.take()

    def of_happening(self, heard: Heard) -> list[str]:
        """The lines that tell of this happening."""
        happening = heard.happened.happening
        if isinstance(happening, happenings.HandDealt):
            for remembered in (self._told, self._said, self._shown):
                remembered.clear()
        if isinstance(happening, happenings.Acted):
            self._told |= {
                int(card.face) for card in cards_in_text(f"{happening.words} {happening.says} {happening.cards}")
            }
            self._others_acted |= not happening.mine
            who, done = "you" if happening.mine else happening.name, happening.says or happening.words
            self._said |= {f"{who}: {done}", f"{who}: {done}ed"}
        if isinstance(happening, happenings.Remarked):
            self._told |= {int(card.face) for card in cards_in_text(happening.words)}
            self._said.add(_shorten_fact(happening.words))
        if isinstance(happening, happenings.Acted | happenings.Starts | happenings.TrickTaken):
            self._lead_told = happening.mine and not isinstance(happening, happenings.Acted)
        if not isinstance(happening, GATHERED):
            return [*self.rest(), heard.text, *heard.said, *heard.sheet, *heard.looked]
        lines = [] if heard.repeats else self._gathering.add(happening, heard.text)
        return [*lines, *self.rest(), *heard.said] if heard.said else lines

    def of_change(self, old: TableView, view: TableView, arrangement: Arrangement) -> list[str]:
        """The lines that tell of a new view: the table they come to, new cards, and at their turn what is on the
        table."""
        chosen = view.phase == "lobby" and (old.phase != "lobby" or old.game != view.game)
        come = chosen or (view.looks_on and not old.looks_on)
        lines = table_lines(view, self._style) if come else []
        dealt = view.hand != old.hand or view.game != old.game or view.phase != old.phase
        if (hand := (view.game or "", view.number, view.hand)) != self._hand:
            self._hand, self._facts, self._hand_lines = hand, ([], []), []
        if is_another_turn(old, view):
            lines += self._new_facts(view)
            shown = self._shown if self._others_acted else None
            lines += self._drop_repeated_hand(
                turn_lines(view, self._style, arrangement, self._told, shown), view, arrangement
            )
            self._told = _distinct_faces(
                [card for _, card in view.trick] + [card for pile in view.piles for card in pile.cards]
            )
            if self._others_acted:
                self._shown = _distinct_faces([card for pile in view.piles if pile.spread for card in pile.cards])
            self._others_acted = False
        elif (view.face_up and not old.face_up) or (view.shown is not None and (dealt or old.shown != view.shown)):
            lines += open_hand_lines(view, self._style)
        elif view.phase == "play" and dealt:
            mine = hand_lines(view, self._style, arrangement)
            lines += self._drop_repeated_hand(mine, view, arrangement)
        return [*self.rest(), *lines] if lines else []

    def _drop_repeated_hand(self, lines: list[str], view: TableView, arrangement: Arrangement) -> list[str]:
        """The lines without my hand at their end, if it is as it was last shown."""
        before, self._hand_lines = self._hand_lines, hand_lines(view, self._style, arrangement)
        return lines[: len(lines) - len(before)] if before == self._hand_lines else lines

    def _new_facts(self, view: TableView) -> list[str]:
        """The facts of this hand that were not told yet; that I lead, whenever I didn't before."""
        (hand, seats), before = facts_now(view, self._style), self._facts
        self._facts = hand, seats or before[1]
        new = [fact for fact in hand if fact not in before[0] and _shorten_fact(fact) not in self._said]
        new += [fact for fact in seats if fact not in before[1] and fact not in self._said]
        new += ["you lead"] if i_lead(view) and not self._lead_told else []
        self._lead_told = False
        return wrap_words(as_sentence("; ".join(new), player_names(view)), indent="  ") if new else []

    def of_time(self, view: TableView, elapsed: float) -> list[str]:
        """The seconds left, at a few moments only: plain output has no prompt that counts down."""
        before, counting = self._spoken, countdowns(view, elapsed) if self._plain else []
        self._spoken = {seat: left for seat, left, _ in counting}
        return [
            as_sentence(text, player_names(view))
            for seat, left, text in counting
            if any(left <= seconds < before.get(seat, left + 1.5) for seconds in SPOKEN)
        ]


def _distinct_faces(cards: Sequence[int]) -> set[int]:
    return {int(Card(card).face) for card in cards if card}


def _shorten_fact(words: str) -> str:
    """``hearts broken`` for ``hearts are broken``."""
    return re.sub(r" (is|are)\b", "", words)


def is_answer(happening: happenings.Happening) -> bool:
    """Return whether the happening answers what the person asked for or said."""
    answers = isinstance(happening, Looked | happenings.Hinted | happenings.ActionRefused | happenings.ActionOutdated)
    return answers or (isinstance(happening, happenings.Said) and happening.mine)


# --- what a person is told in line mode, read aloud by a command of their own -----------------------------------------


class SpokenScreen:
    """A screen whose lines are also read aloud, and each prompt when it becomes due."""

    def __init__(self, screen: Screen, speech: Speech) -> None:
        self._screen = screen
        self._speech = speech
        self._due = False

    @property
    def columns(self) -> int:
        return self._screen.columns

    @property
    def lines(self) -> int:
        return self._screen.lines

    def say(self, text: str) -> None:
        """Print a line, and have it read aloud."""
        self._screen.say(text)
        self._speech.say(text)

    def prompt(self, text: str, due: bool, again: bool = False) -> None:
        """Set the prompt, and have it read aloud when it becomes due."""
        self._screen.prompt(text, due, again)
        if due and (again or not self._due):  # one that counts down is not read every second
            self._speech.say(PAINT.sub("", text))
        self._due = due

    def ring(self) -> None:
        self._screen.ring()

    async def read(self, complete: Complete = no_completions) -> tuple[KeyboardEvent, ...]:
        return await self._screen.read(complete)

    def refresh(self) -> None:
        self._screen.refresh()

    def suspend(self) -> None:
        self._screen.suspend()

    def resume(self) -> None:
        self._screen.resume()


# --- the line mode ----------------------------------------------------------------------------------------------------


async def run_line_mode(
    table: AttachedTable,
    manner: Manner,
    style: Style,
    *,
    input: TextIO,  # noqa: A002 - the word that everybody knows
    output: TextIO,
    interactive: bool,
) -> str:
    """Play at an attached table in line mode; return how it ended: "detached", "left" (for good) or "closed" (by the
    daemon).

    interactive: input and output are one terminal, which is painted; otherwise plain lines, and the end of the input
    detaches. The terminal is restored even after an exception or SIGTERM."""
    # The signals are caught first, so that there is no moment in which one could leave the terminal taken.
    with (
        trio.open_signal_receiver(*_signals_to_watch(interactive)) as signals,
        open_screen(input, output, interactive) as screen,
    ):
        spoken = Speech(manner.speech) if manner.speech else None
        mode = LineMode(table, SpokenScreen(screen, spoken) if spoken else screen, style, manner, plain=not interactive)
        try:
            async with trio.open_nursery() as nursery:
                if spoken:
                    nursery.start_soon(read_aloud, spoken, screen.say)
                await mode.run(signals)
                nursery.cancel_scope.cancel()
        except* OutputGone:
            mode.lose_reader()
    with suppress(OutputGone):
        write_text(output, mode.last_words + "\n" * bool(mode.last_words))
    return mode.result


def _signals_to_watch(interactive: bool) -> list[signal.Signals]:
    """The signals that end line mode, and those about a painted terminal, as far as this system has them."""
    names = ["SIGINT", "SIGTERM", "SIGHUP", *(["SIGCONT", "SIGWINCH", "SIGTSTP"] if interactive else [])]
    return [getattr(signal, name) for name in names if hasattr(signal, name)]


class LineMode:
    """One person at one table in line mode, an `at_table.Front`. result: how it ended; last_words: printed once the
    terminal is restored."""

    def __init__(self, table: AttachedTable, screen: Screen, style: Style, manner: Manner, plain: bool) -> None:
        self.result = "closed"
        self.last_words = "The table is closed."
        self.style = style
        self._screen = screen
        self._manner = manner
        self._plain = plain
        self._seen = TableSeen(lambda: manner, trio.current_time)
        self._talk = TableTalk(table, self._seen, self, lambda: manner)
        self._news = LineNews(style, plain)
        self._new_turn = False  # what lies there has just been shown
        self._begins = False  # a game, whose players have just been told
        self._rest_at = math.inf  # what is kept back is told then
        self._kept_back = trio.Event()
        self._typed, self._lines = trio.open_memory_channel[str | None](1000)
        self._answers: Callable[[], Sequence[str]] = tuple  # what may be said to the question that waits
        self._why = ""  # it ends
        self._scope = trio.CancelScope()

    async def run(self, signals: AsyncIterator[int]) -> None:
        """Run until the person leaves or a signal ends it."""
        async with trio.open_nursery() as nursery:
            self._scope = nursery.cancel_scope
            nursery.start_soon(self._talk.run)
            nursery.start_soon(self._watch_keys)
            nursery.start_soon(self._obey_lines)
            nursery.start_soon(self._update_countdowns)
            nursery.start_soon(self._print_rest_later)
            nursery.start_soon(self._watch_signals, signals)

    def lose_reader(self) -> None:
        """End without output, as nobody reads it any more; the seat is kept."""
        self.result, self.last_words = "detached", ""

    def end(self, result: str) -> None:
        with suppress(OutputGone):
            self._print_after_rest(())
        self.result, self.last_words = result, self._why + closing_text(result, self._seen.view)
        self._talk.ring("exit")
        self._scope.cancel()

    # --- what is typed ---

    async def _watch_keys(self) -> None:
        """Handle what the keyboard brings."""
        while True:
            for kind, text, _ in await self._screen.read(self._complete_line):
                if kind == "line":
                    await self._typed.send(text)
                elif kind == "suspend":
                    self._screen.suspend()
                elif kind == "redraw":
                    self._screen.refresh()
                elif self._plain:  # the end of a script, all of which is done first
                    await self._typed.send(None)
                    return
                else:
                    await self._talk.go("detached")

    def _complete_line(self, text: str) -> tuple[str, ...]:
        """The completions that Tab offers for the typed text."""
        if answers := self._answers():
            return tuple([answer for answer in answers if answer.lower().startswith(text.lower())])
        return completions(text, self._seen.view)

    async def _obey_lines(self) -> None:
        await self._talk.begun.wait()
        while True:
            if await self._talk.say(await self._next_typed_line()):
                self._new_turn = True
            self.paint()

    async def _next_typed_line(self) -> str:
        line = await self._lines.receive()
        if line is None:
            self._why = "End of input. "
            await self._talk.go("detached")
            await trio.sleep_forever()
        return line or ""

    async def ask(self, question: str, answers: Callable[[], Sequence[str]], about: str) -> str:  # noqa: ARG002
        """Print a question, and return the next line. The answers are shown by Tab alone."""
        if question:
            self._print_after_rest([question])
        self._answers = answers
        self.paint()
        try:
            return (await self._next_typed_line()).strip()
        finally:
            self._answers = tuple

    def say(self, line: str) -> None:
        self._typed.send_nowait(line)

    async def answer(self, word: Local) -> bool:
        if word.name in IN_LINES:
            raise NotUnderstood(IN_LINES[word.name])
        if word.name != "config":
            return False
        self._print_after_rest(run_config_command(self._manner.options, word.arguments))
        return True

    # --- what is shown ---

    @property
    def tempo(self) -> Tempo:
        return Tempo(self._manner.pace, self._manner.pace)

    def take(self, seen: Seen) -> None:
        self._seen.see_view(seen.view, seen.came)

    def recall(self, recap: Sequence[str]) -> None:
        self._print_after_rest([line for one in recap for line in wrap_words(one, indent="  ")])

    def stand(self, before: TableView, first: bool) -> None:
        view, arrangement = self._seen.view, self._seen.arrangement
        if first and not self._begins:
            self._print_after_rest(table_lines(view, self.style, 0.0, arrangement))
            return
        self._print_lines(self._news.of_change(before, view, arrangement))
        if is_another_turn(before, view):
            self._new_turn = True

    def hear(self, heard: Heard) -> None:
        self._begins |= isinstance(heard.happened.happening, happenings.GameStarted) and not heard.happened.earlier
        self._print_lines(self._news.of_happening(heard))
        if self._news.waits:
            self._rest_at = trio.current_time() + self._manner.pace + MOMENT
            self._kept_back.set()
        if is_answer(heard.happened.happening):
            self._paint_prompt(again=True)

    def told(self, text: str, wrong: bool = False) -> None:
        self._print_after_rest([text])
        if wrong:
            self._paint_prompt(again=True)

    def thinks(self) -> None:
        self.told("Thinking ... ('hint off' cancels)")

    def told_aside(self, text: str) -> None:
        self._print_after_rest([text])

    def read(self, word: str, lines: Sequence[str]) -> None:  # noqa: ARG002
        self._print_after_rest(lines)

    def read_records(self, lines: Sequence[str]) -> None:
        self._print_after_rest(lines)
        self._paint_prompt(again=True)

    def arranged(self) -> None:
        self._print_after_rest(LOOKS["hand"](self.showing(), ()))

    def ring(self) -> None:
        self._screen.ring()

    def showing(self) -> Showing:
        seen, lines, home = self._seen, self._screen.lines, self._manner.home
        return Showing(
            seen.view, self.style, seen.arrangement, seen.elapsed, lines, self._plain, home, self.style.colour
        )

    def paint(self) -> None:
        self._paint_prompt()

    def _paint_prompt(self, again: bool = False) -> None:
        """again: paint it even if it is unchanged, as something was answered."""
        if self._news.waits and waits_for_me(self._seen.view):
            self._print_after_rest(())
        if answers := self._answers():
            self._screen.prompt(f"{'/'.join(answers)} > ", True)
            return
        # A prompt that counts down is not news on plain output.
        elapsed, view = 0.0 if self._plain else self._seen.elapsed, self._seen.view
        columns = min(self._screen.columns, 100)
        prompt = prompt_text(view, elapsed, columns)
        ink = INKS[turn_pressure(view, elapsed)] if self.style.colour and not self._plain else ""
        self._screen.prompt(f"{ink}{prompt}{PLAIN}" if ink else prompt, waits_for_me(view), again or self._new_turn)
        self._new_turn = False

    def _print_after_rest(self, lines: Sequence[str]) -> None:
        """Print the lines that were held back, then these."""
        self._print_lines([*self._news.rest(), *lines])

    def _print_lines(self, lines: Sequence[str]) -> None:
        if lines:
            self._screen.say("\n".join(lines))

    async def _update_countdowns(self) -> None:
        while True:
            await trio.sleep(1)
            view, elapsed = self._seen.view, self._seen.elapsed
            if spoken := self._news.of_time(view, elapsed):
                self._print_after_rest(spoken)
            if counts_down(view, elapsed):
                self.paint()

    async def _print_rest_later(self) -> None:
        """Print the held-back lines once nothing more has come for a moment."""
        while True:
            await self._kept_back.wait()
            while (left := self._rest_at - trio.current_time()) > 0:
                await trio.sleep(left)
            self._kept_back = trio.Event()
            self._print_after_rest(())

    async def _watch_signals(self, signals: AsyncIterator[int]) -> None:
        """Handle signals until line mode ends."""
        async for number in signals:
            name = signal.Signals(number).name
            if name == "SIGTSTP":
                self._screen.suspend()
            elif name == "SIGCONT":
                self._screen.resume()
            elif name == "SIGWINCH":
                self._screen.refresh()
            else:
                await self._talk.go("detached")
