"""Where the line mode reads and writes: a terminal, where nothing breaks the line being typed, or plain lines."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Protocol, TextIO

import trio

from p2pcards.cli.line_editor import Complete, Editor, Event, feed, no_completions, shown
from p2pcards.present.width import fold, wrap

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
