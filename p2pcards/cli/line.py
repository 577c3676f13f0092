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
from p2pcards.frontend.asked_first import last_words
from p2pcards.frontend.at_table import Heard, TableSeen, TableTalk
from p2pcards.frontend.completions import common_start, completions
from p2pcards.frontend.looks import LOOKS, Showing
from p2pcards.frontend.manner import IN_LINES, Manner
from p2pcards.frontend.option_pages import option_lines
from p2pcards.frontend.sound import Speech, read_aloud
from p2pcards.frontend.stage import Seen, Tempo
from p2pcards.frontend.words import Local, NotUnderstood
from p2pcards.games.spelling import cards_in
from p2pcards.present.cards import Arrangement, Style
from p2pcards.present.gathering import GATHERED, Gathering
from p2pcards.present.story import sentence
from p2pcards.present.table import (
    Pressing,
    countdowns,
    counts_down,
    facts_now,
    hand_lines,
    is_another_turn,
    is_due,
    leads,
    open_hands,
    player_names,
    pressing,
    prompt_text,
    table_lines,
    turn_lines,
)
from p2pcards.present.width import PAINT, PLAIN, fold, width, wrap
from p2pcards.views.happenings import (
    Acted,
    ActionOutdated,
    ActionRefused,
    AlternativesExplained,
    CardsDistributed,
    CardsRecalled,
    GameStarted,
    HandAnalyzed,
    HandDealt,
    Happening,
    Hinted,
    MeldsReviewed,
    Remarked,
    Said,
    Starts,
    TricksReviewed,
    TrickTaken,
)
from p2pcards.views.tableview import TableView
from p2pcards.wire.clean import clean

# --- a line being typed, as a pure state machine ----------------------------------------------------------------------


HISTORY = 200  # lines
LONGEST = 1000  # characters of a line
PASTED = 4000  # bytes of an unfinished sequence that are kept


class Event(NamedTuple):
    """What the keyboard asked for."""

    # "line" (with its text), "choices" (a second Tab, with what fits), "interrupt" (Ctrl-C), "end" (Ctrl-D, or the end
    # of the input), "suspend" (Ctrl-Z) or "redraw" (Ctrl-L)
    kind: str
    text: str = ""
    choices: tuple[str, ...] = ()


Complete = Callable[[str], Sequence[str]]
"""What the text before the cursor may become: each begins with it, capitals aside."""


def no_completions(_text: str) -> Sequence[str]:
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


def feed(editor: Editor, data: bytes, complete: Complete = no_completions) -> tuple[Editor, tuple[Event, ...]]:
    """The editor after these bytes, and what they asked for, in order. Bytes may come in pieces of any size."""
    data = editor.pending + data
    editor = replace(editor, pending=b"")
    events: list[Event] = []
    while data:
        match = KEY.match(data)
        if match is None:  # the start of a sequence
            return replace(editor, pending=data[:PASTED]), tuple(events)
        data = data[match.end() :]
        tab = match["control"] == b"\t" and not editor.pasting
        editor, event = _complete(editor, complete) if tab else _press(replace(editor, tabbed=False), match)
        if event is not None:
            events.append(event)
    return editor, tuple(events)


def shown(prompt: str, editor: Editor, columns: int) -> tuple[str, int]:
    """One row of the prompt and as much of the text around the cursor as fits, and the column (0..) of the cursor."""
    room = max(columns - 1 - width(prompt), 8)
    start = 0
    while width(editor.text[start : editor.cursor]) > room - 1:
        start += 1
    end = len(editor.text)
    while width(editor.text[start:end]) > room:
        end -= 1
    return prompt + editor.text[start:end], width(prompt) + width(editor.text[start : editor.cursor])


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


def _press(editor: Editor, key: re.Match[bytes]) -> tuple[Editor, Event | None]:
    if key["csi"] == b"200~" or key["csi"] == b"201~":
        return replace(editor, pasting=key["csi"] == b"200~"), None
    if key["text"] is not None:
        return _insert(editor, key["text"].decode("utf-8", "replace")), None
    control = key["control"]
    if control in (b"\r", b"\n"):
        # The lines of a paste are one line: nobody wants to say half of it.
        return (_insert(editor, " "), None) if editor.pasting else _finish(editor)
    if control == b"\t":  # of a paste
        return _insert(editor, " "), None
    if control in ASKING and not (control == b"\x04" and editor.text):
        return editor, Event(ASKING[control])
    edit = EDITS.get(control or b"") or SEQUENCES.get(key["csi"] or key["ss3"] or b"")
    return (edit(editor) if edit else editor), None


def _insert(editor: Editor, text: str) -> Editor:
    # One space is kept where it was typed; everything else that moves the cursor goes.
    kept = "".join([char if char == " " else clean(f"a{char}", 9)[1:] for char in text])
    kept = kept[: LONGEST - len(editor.text)]
    whole = editor.text[: editor.cursor] + kept + editor.text[editor.cursor :]
    return replace(editor, text=whole, cursor=editor.cursor + len(kept))


def _complete(editor: Editor, complete: Complete) -> tuple[Editor, Event | None]:
    """As much of the text before the cursor as is certain; what fits, if that was done already."""
    before, after = editor.text[: editor.cursor], editor.text[editor.cursor :]
    found = complete(before)
    common = common_start(found)
    if len(found) > 1 and len(common) <= len(before):
        start = before.rfind(" ") + 1
        choices = tuple([text[start:].strip() for text in found])
        return replace(editor, tabbed=True), Event("choices", choices=choices) if editor.tabbed else None
    if not found:
        return replace(editor, tabbed=False), None
    wanted = common.rstrip(" ") if after.startswith(" ") else common
    return replace(_insert(replace(editor, text=after, cursor=0), wanted), tabbed=len(found) > 1), None


def _finish(editor: Editor) -> tuple[Editor, Event]:
    line, history = editor.text, editor.history
    if line.strip() and history[-1:] != (line,):
        history = (*history, line)[-HISTORY:]
    return Editor(history=history), Event("line", line)


def _backspace(editor: Editor) -> Editor:
    return _cut(editor, max(editor.cursor - 1, 0))


def _cut(editor: Editor, start: int) -> Editor:
    """Without the text from start to the cursor."""
    return replace(editor, text=editor.text[:start] + editor.text[editor.cursor :], cursor=start)


def _delete(editor: Editor) -> Editor:
    return replace(editor, text=editor.text[: editor.cursor] + editor.text[editor.cursor + 1 :])


def _cut_word(editor: Editor) -> Editor:
    before = editor.text[: editor.cursor].rstrip()
    return _cut(editor, before.rfind(" ") + 1)


def _move(editor: Editor, place: int) -> Editor:
    return replace(editor, cursor=min(max(place, 0), len(editor.text)))


def _recall(editor: Editor, step: int) -> Editor:
    """An older (-1) or newer (1) line; past the newest comes the line that was being typed."""
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
    b"\x7f": _backspace,
    b"\x08": _backspace,
    b"\x15": lambda editor: _cut(editor, 0),
    b"\x0b": lambda editor: replace(editor, text=editor.text[: editor.cursor]),
    b"\x17": _cut_word,
    b"\x04": _delete,
    b"\x01": lambda editor: _move(editor, 0),
    b"\x05": lambda editor: _move(editor, len(editor.text)),
    b"\x02": lambda editor: _move(editor, editor.cursor - 1),
    b"\x06": lambda editor: _move(editor, editor.cursor + 1),
    b"\x10": lambda editor: _recall(editor, -1),
    b"\x0e": lambda editor: _recall(editor, 1),
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
    b"3~": _delete,
}


# --- where the line mode reads and writes -----------------------------------------------------------------------------


CHUNK = 4096
MOST_LISTED = 80  # of what may be typed
END = Event("end")


BELOW = 2
"""Lines of a window that an answer leaves for what was typed and the prompt."""


class Screen(Protocol):
    """Text goes out line by line, what a person asks for comes in."""

    @property
    def columns(self) -> int: ...

    @property
    def lines(self) -> int:
        """How many of text are seen at once, besides the prompt; 0 where no window limits them."""

    def say(self, text: str) -> None:
        """A line above the prompt."""

    def prompt(self, text: str, due: bool, again: bool = False) -> None:
        """The prompt from now on. due: the table waits for this person; again: for something new."""

    def ring(self) -> None:
        """The bell."""

    async def read(self, complete: Complete = no_completions) -> tuple[Event, ...]:
        """The next things typed; an "end" event at the end of the input, and ever after. complete: for Tab."""

    def refresh(self) -> None:
        """Paints the prompt again."""

    def suspend(self) -> None:
        """Stops the program as Ctrl-Z does, and returns when it goes on."""

    def resume(self) -> None:
        """Takes the terminal again, which was somebody else's for a while."""


class OutputGone(Exception):
    """Nobody reads any more what is written."""


class PlainScreen:
    """Lines in and out, for pipes, dumb terminals and screen readers. A prompt is a line of its own, only shown when it
    is new and the table waits for this person."""

    columns = 80
    lines = 0

    def __init__(self, source: TextIO, output: TextIO) -> None:
        self._source = source.fileno()
        self._output = output
        self._prompt = ""
        self._pending = b""

    def say(self, text: str) -> None:
        write(self._output, text + "\n")

    def prompt(self, text: str, due: bool, again: bool = False) -> None:
        if due and (again or text != self._prompt):
            self.say(text.rstrip())
        self._prompt = text if due else ""

    def ring(self) -> None:
        write(self._output, "\a")

    async def read(self, complete: Complete = no_completions) -> tuple[Event, ...]:  # noqa: ARG002 - lines come whole
        data = await _read(self._source)
        *lines, self._pending = (self._pending + data).split(b"\n")
        events = [Event("line", line.decode("utf-8", "replace").rstrip("\r")) for line in lines]
        if not data:
            rest = self._pending.decode("utf-8", "replace")
            self._pending = b""
            return (*events, *([Event("line", rest)] if rest else []), END)
        return tuple(events)

    def refresh(self) -> None:
        """Nothing is painted here."""

    def suspend(self) -> None:
        """The terminal does this by itself."""

    def resume(self) -> None:
        """The same."""


class TerminalScreen:
    """One row at the bottom holds the prompt and the text being typed; everything else is written above it."""

    def __init__(self, source: TextIO, output: TextIO) -> None:
        self._source = source.fileno()
        self._output = output
        self._prompt = ""
        self._editor = Editor()
        self._saved = _attributes(self._source)

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
        lines = [part for line in text.split("\n") for part in fold(line, self.columns - 1)]
        write(self._output, "\r\x1b[K" + "".join([f"{line}\n" for line in lines]) + self._row())

    def prompt(self, text: str, due: bool, again: bool = False) -> None:  # noqa: ARG002 - here it is always seen
        if text != self._prompt:
            self._prompt = text
            self.refresh()

    def ring(self) -> None:
        write(self._output, "\a")

    async def read(self, complete: Complete = no_completions) -> tuple[Event, ...]:
        data = await _read(self._source)
        if not data:
            return (END,)
        self._editor, events = feed(self._editor, data, complete)
        for event in events:
            if event.kind == "line":  # what was typed stays to be read, as in any shell
                write(self._output, f"\r\x1b[K{self._prompt}{event.text}\n")
            elif event.kind == "choices":
                self.say("\n".join(_listed(event.choices, self.columns)))
        self.refresh()
        return tuple([event for event in events if event.kind != "choices"])

    def refresh(self) -> None:
        write(self._output, f"\r\x1b[K{self._row()}")

    def suspend(self) -> None:
        self.close()
        ours = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        try:
            os.kill(0, signal.SIGTSTP)
        finally:
            signal.signal(signal.SIGTSTP, ours)
        self.resume()

    def resume(self) -> None:
        self.open()
        self.refresh()

    def open(self) -> None:
        """Takes the terminal: keys come one by one, Ctrl-C too, pastes are marked."""
        _take(self._source)
        write(self._output, "\x1b[?2004h")

    def close(self) -> None:
        """Gives it back as it was, the prompt wiped."""
        try:
            write(self._output, "\r\x1b[K\x1b[?2004l")
        finally:
            _give_back(self._source, self._saved)

    def _row(self) -> str:
        row, column = shown(self._prompt, self._editor, self.columns)
        return f"{row}\r\x1b[{column}C" if column else row


@contextmanager
def screen_of(source: TextIO, output: TextIO, interactive: bool) -> Iterator[Screen]:
    """The screen for these files; the terminal is as it was afterwards, whatever happens."""
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


def write(output: TextIO, text: str) -> None:
    """Writes text, what the encoding lacks as a question mark. Raises OutputGone."""
    encoding = output.encoding or "utf-8"
    try:
        output.write(text.encode(encoding, "replace").decode(encoding, "replace"))
        output.flush()
    except (OSError, ValueError) as error:
        raise OutputGone from error


# --- private ---


def _listed(choices: tuple[str, ...], columns: int) -> list[str]:
    """What fits, with commas between; of very many the first ones, and how many there are."""
    more = [f"and {len(choices) - MOST_LISTED} more"] if len(choices) > MOST_LISTED else []
    *words, last = [*choices[:MOST_LISTED], *more]
    return wrap([*[f"{word}," for word in words], last], columns - 1, "  ", "  ")


async def _read(source: int) -> bytes:
    """What can be read, b"" at the end, also when the terminal has gone."""
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

    def _attributes(fd: int) -> Attributes:
        return termios.tcgetattr(fd)

    def _take(fd: int) -> None:
        mode = termios.tcgetattr(fd)
        # Ctrl-C, Ctrl-Z, Ctrl-S and Enter arrive as bytes; what is written keeps its line ends.
        mode[0] &= ~(termios.ICRNL | termios.INLCR | termios.IGNCR | termios.IXON)
        mode[3] &= ~(termios.ECHO | termios.ICANON | termios.ISIG | termios.IEXTEN)
        mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
        termios.tcsetattr(fd, termios.TCSADRAIN, mode)

    def _give_back(fd: int, mode: Attributes) -> None:
        with suppress(termios.error):  # a terminal that has gone needs nothing
            termios.tcsetattr(fd, termios.TCSADRAIN, mode)


# --- what the line mode shows unasked ---------------------------------------------------------------------------------


SPOKEN = (60, 30, 10)
"""Seconds before a takeover at which plain output says so."""

INKS: Mapping[Pressing, str] = {Pressing.NO: "", Pressing.HALF: "\x1b[1;33m", Pressing.LAST: "\x1b[1;31m"}
"""Of the prompt, as my turn clock runs out: bold yellow and bold red."""

MOMENT = 0.3
"""Seconds, besides the pace of the table, for which a line is kept back that more may be added to."""

Looked = TricksReviewed | MeldsReviewed | CardsRecalled | CardsDistributed | AlternativesExplained | HandAnalyzed


class LineNews:
    """Remembers what the person has been told, so that it is not told twice."""

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
        """Whether `rest` has something to tell."""
        return self._gathering.waits

    def rest(self) -> list[str]:
        """What was kept back, as more might have been added to its line."""
        return self._gathering.take()

    def of_happening(self, heard: Heard) -> list[str]:
        happening = heard.happened.happening
        if isinstance(happening, HandDealt):
            for remembered in (self._told, self._said, self._shown):
                remembered.clear()
        if isinstance(happening, Acted):
            self._told |= {int(card.face) for card in cards_in(f"{happening.words} {happening.says} {happening.cards}")}
            self._others_acted |= not happening.mine
            who, done = "you" if happening.mine else happening.name, happening.says or happening.words
            self._said |= {f"{who}: {done}", f"{who}: {done}ed"}
        if isinstance(happening, Remarked):
            self._told |= {int(card.face) for card in cards_in(happening.words)}
            self._said.add(_bare(happening.words))
        if isinstance(happening, Acted | Starts | TrickTaken):
            self._lead_told = happening.mine and not isinstance(happening, Acted)
        if not isinstance(happening, GATHERED):
            return [*self.rest(), heard.text, *heard.said, *heard.sheet, *heard.looked]
        lines = [] if heard.repeats else self._gathering.add(happening, heard.text)
        return [*lines, *self.rest(), *heard.said] if heard.said else lines

    def of_change(self, old: TableView, view: TableView, arrangement: Arrangement) -> list[str]:
        """The table that they have come to, new cards, and at their turn what is on the table."""
        chosen = view.phase == "lobby" and (old.phase != "lobby" or old.game != view.game)
        come = chosen or (view.looks_on and not old.looks_on)
        lines = table_lines(view, self._style) if come else []
        dealt = view.hand != old.hand or view.game != old.game or view.phase != old.phase
        if (hand := (view.game or "", view.number, view.hand)) != self._hand:
            self._hand, self._facts, self._hand_lines = hand, ([], []), []
        if is_another_turn(old, view):
            lines += self._new_facts(view)
            shown = self._shown if self._others_acted else None
            lines += self._without_hand(
                turn_lines(view, self._style, arrangement, self._told, shown), view, arrangement
            )
            self._told = _faces([card for _, card in view.trick] + [card for pile in view.piles for card in pile.cards])
            if self._others_acted:
                self._shown = _faces([card for pile in view.piles if pile.spread for card in pile.cards])
            self._others_acted = False
        elif view.face_up and not old.face_up:
            lines += open_hands(view, self._style)
        elif view.phase == "play" and dealt:
            mine = hand_lines(view, self._style, arrangement)
            lines += self._without_hand(mine, view, arrangement)
        return [*self.rest(), *lines] if lines else []

    def _without_hand(self, lines: list[str], view: TableView, arrangement: Arrangement) -> list[str]:
        """The lines, at whose end my hand is, unless that is as it was told last."""
        before, self._hand_lines = self._hand_lines, hand_lines(view, self._style, arrangement)
        return lines[: len(lines) - len(before)] if before == self._hand_lines else lines

    def _new_facts(self, view: TableView) -> list[str]:
        """What holds in this hand and was not told; that I lead wherever it was not."""
        (hand, seats), before = facts_now(view, self._style), self._facts
        self._facts = hand, seats or before[1]
        new = [fact for fact in hand if fact not in before[0] and _bare(fact) not in self._said]
        new += [fact for fact in seats if fact not in before[1] and fact not in self._said]
        new += ["you lead"] if leads(view) and not self._lead_told else []
        self._lead_told = False
        return wrap(sentence("; ".join(new), player_names(view)), indent="  ") if new else []

    def of_time(self, view: TableView, elapsed: float) -> list[str]:
        """Plain output has no prompt that counts down, so a few of the seconds are said."""
        before, counting = self._spoken, countdowns(view, elapsed) if self._plain else []
        self._spoken = {seat: left for seat, left, _ in counting}
        return [
            sentence(text, player_names(view))
            for seat, left, text in counting
            if any(left <= seconds < before.get(seat, left + 1.5) for seconds in SPOKEN)
        ]


def _faces(cards: Sequence[int]) -> set[int]:
    return {int(Card(card).face) for card in cards if card}


def _bare(words: str) -> str:
    """``hearts broken`` for ``hearts are broken``."""
    return re.sub(r" (is|are)\b", "", words)


def is_answer(happening: Happening) -> bool:
    """Whether it is what the person has just asked for, or comes of what they said."""
    answers = isinstance(happening, Looked | Hinted | ActionRefused | ActionOutdated)
    return answers or (isinstance(happening, Said) and happening.mine)


# --- what a person is told in line mode, read aloud by a command of their own -----------------------------------------


class SpokenScreen:
    """A screen, all of whose lines are read aloud too, and each prompt as it becomes due."""

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
        self._screen.say(text)
        self._speech.say(text)

    def prompt(self, text: str, due: bool, again: bool = False) -> None:
        self._screen.prompt(text, due, again)
        if due and (again or not self._due):  # one that counts down is not read every second
            self._speech.say(PAINT.sub("", text))
        self._due = due

    def ring(self) -> None:
        self._screen.ring()

    async def read(self, complete: Complete = no_completions) -> tuple[Event, ...]:
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
    """Plays at an attached table until "detached", "left" (for good) or "closed" (by the daemon), which it returns.

    interactive: input and output are one terminal, which is painted; otherwise plain lines, and the end of the input
    detaches. The terminal is as it was afterwards, also after an exception or SIGTERM.
    """
    # The signals are caught first, so that there is no moment in which one could leave the terminal taken.
    with trio.open_signal_receiver(*_signals(interactive)) as signals, screen_of(input, output, interactive) as screen:
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
        write(output, mode.last_words + "\n" * bool(mode.last_words))
    return mode.result


def _signals(interactive: bool) -> list[signal.Signals]:
    """Those that end the line mode, and on a painted terminal those that concern it, as far as there are any."""
    names = ["SIGINT", "SIGTERM", "SIGHUP", *(["SIGCONT", "SIGWINCH", "SIGTSTP"] if interactive else [])]
    return [getattr(signal, name) for name in names if hasattr(signal, name)]


class LineMode:
    """One person at one table, as `at_table.Front` has it. result: how it ended; last_words: said when the terminal is
    itself again."""

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
        async with trio.open_nursery() as nursery:
            self._scope = nursery.cancel_scope
            nursery.start_soon(self._talk.run)
            nursery.start_soon(self._watch_keys)
            nursery.start_soon(self._obey)
            nursery.start_soon(self._count_down)
            nursery.start_soon(self._tell_rest)
            nursery.start_soon(self._watch_signals, signals)

    def lose_reader(self) -> None:
        """Nobody reads any more; the seat is kept."""
        self.result, self.last_words = "detached", ""

    def end(self, result: str) -> None:
        with suppress(OutputGone):
            self._say(())
        self.result, self.last_words = result, self._why + last_words(result, self._seen.view)
        self._talk.ring("exit")
        self._scope.cancel()

    # --- what is typed ---

    async def _watch_keys(self) -> None:
        while True:
            for kind, text, _ in await self._screen.read(self._complete):
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

    def _complete(self, text: str) -> tuple[str, ...]:
        """What Tab makes of what is typed."""
        if answers := self._answers():
            return tuple([answer for answer in answers if answer.lower().startswith(text.lower())])
        return completions(text, self._seen.view)

    async def _obey(self) -> None:
        await self._talk.begun.wait()
        while True:
            if await self._talk.say(await self._next_line()):
                self._new_turn = True
            self.paint()

    async def _next_line(self) -> str:
        line = await self._lines.receive()
        if line is None:
            self._why = "End of input. "
            await self._talk.go("detached")
            await trio.sleep_forever()
        return line or ""

    async def ask(self, question: str, answers: Callable[[], Sequence[str]], about: str) -> str:  # noqa: ARG002
        if question:
            self._say([question])
        self._answers = answers
        self.paint()
        try:
            return (await self._next_line()).strip()
        finally:
            self._answers = tuple

    def say(self, line: str) -> None:
        self._typed.send_nowait(line)

    async def answer(self, word: Local) -> bool:
        if word.name in IN_LINES:
            raise NotUnderstood(IN_LINES[word.name])
        if word.name != "config":
            return False
        self._say(option_lines(self._manner.options, word.arguments))
        return True

    # --- what is shown ---

    @property
    def tempo(self) -> Tempo:
        return Tempo(self._manner.pace, self._manner.pace)

    def take(self, seen: Seen) -> None:
        self._seen.see_view(seen.view, seen.came)

    def recall(self, recap: Sequence[str]) -> None:
        self._say([line for one in recap for line in wrap(one, indent="  ")])

    def stand(self, before: TableView, first: bool) -> None:
        view, arrangement = self._seen.view, self._seen.arrangement
        if first and not self._begins:
            self._say(table_lines(view, self.style, 0.0, arrangement))
            return
        self._print(self._news.of_change(before, view, arrangement))
        if is_another_turn(before, view):
            self._new_turn = True

    def hear(self, heard: Heard) -> None:
        self._begins |= isinstance(heard.happened.happening, GameStarted) and not heard.happened.earlier
        self._print(self._news.of_happening(heard))
        if self._news.waits:
            self._rest_at = trio.current_time() + self._manner.pace + MOMENT
            self._kept_back.set()
        if is_answer(heard.happened.happening):
            self._paint(again=True)

    def told(self, text: str, wrong: bool = False) -> None:
        self._say([text])
        if wrong:
            self._paint(again=True)

    def thinks(self) -> None:
        self.told("Thinking ... ('hint off' cancels)")

    def told_aside(self, text: str) -> None:
        self._say([text])

    def read(self, word: str, lines: Sequence[str]) -> None:  # noqa: ARG002
        self._say(lines)

    def read_records(self, lines: Sequence[str]) -> None:
        self._say(lines)
        self._paint(again=True)

    def arranged(self) -> None:
        self._say(LOOKS["hand"](self.showing(), ()))

    def ring(self) -> None:
        self._screen.ring()

    def showing(self) -> Showing:
        seen, lines, home = self._seen, self._screen.lines, self._manner.home
        return Showing(
            seen.view, self.style, seen.arrangement, seen.elapsed, lines, self._plain, home, self.style.colour
        )

    def paint(self) -> None:
        self._paint()

    def _paint(self, again: bool = False) -> None:
        """again: also where it is no other than before, as something has been answered."""
        if self._news.waits and is_due(self._seen.view):
            self._say(())
        if answers := self._answers():
            self._screen.prompt(f"{'/'.join(answers)} > ", True)
            return
        # A prompt that counts down is not news on plain output.
        elapsed, view = 0.0 if self._plain else self._seen.elapsed, self._seen.view
        columns = min(self._screen.columns, 100)
        prompt = prompt_text(view, elapsed, columns)
        ink = INKS[pressing(view, elapsed)] if self.style.colour and not self._plain else ""
        self._screen.prompt(f"{ink}{prompt}{PLAIN}" if ink else prompt, is_due(view), again or self._new_turn)
        self._new_turn = False

    def _say(self, lines: Sequence[str]) -> None:
        """What was kept back, and these."""
        self._print([*self._news.rest(), *lines])

    def _print(self, lines: Sequence[str]) -> None:
        if lines:
            self._screen.say("\n".join(lines))

    async def _count_down(self) -> None:
        while True:
            await trio.sleep(1)
            view, elapsed = self._seen.view, self._seen.elapsed
            if spoken := self._news.of_time(view, elapsed):
                self._say(spoken)
            if counts_down(view, elapsed):
                self.paint()

    async def _tell_rest(self) -> None:
        """What is kept back, once nothing more has come for a moment."""
        while True:
            await self._kept_back.wait()
            while (left := self._rest_at - trio.current_time()) > 0:
                await trio.sleep(left)
            self._kept_back = trio.Event()
            self._say(())

    async def _watch_signals(self, signals: AsyncIterator[int]) -> None:
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
