"""The output of the demo: plain lines, each with the name of whoever it comes from."""

from __future__ import annotations

from typing import TextIO

from p2pcards.present.width import fit, left, width, wrap

ERASE = "\r\x1b[K"
BOLD, NORMAL = "\x1b[1m", "\x1b[0m"


class Teller:
    """columns: those of the terminal, None where the output is not a terminal: then a sentence is one line, however
    long, and nothing is painted."""

    def __init__(self, stream: TextIO, columns: int | None) -> None:
        self._stream = stream
        self._columns = columns
        self._waiting = self._status = ""
        self._margin = 0

    def leave_room(self, names: tuple[str, ...]) -> None:
        """Sentences will come from these people."""
        self._margin = max(map(width, names))

    def tell(self, name: str, sentence: str) -> None:
        """A sentence from the person of this name, "" for none."""
        margin = left(name, self._margin) + " | " if name else ""
        if self._columns is None:
            self._write(f"{margin}{sentence}\n")
            return
        indent = " " * width(margin)
        text = "\n".join(wrap(sentence, self._columns, indent, indent))
        if margin:
            text = f"{BOLD}{margin}{NORMAL}{text.removeprefix(indent).lstrip()}"
        self._write(f"{ERASE}{text}\n{self._status}")

    def wait(self, text: str) -> None:
        """What is waited for now, in the last line of a terminal; "" for nothing."""
        if self._columns is not None and text != self._waiting:
            self._waiting = text
            self._status = fit(text, self._columns - 1)
            self._write(ERASE + self._status)

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
