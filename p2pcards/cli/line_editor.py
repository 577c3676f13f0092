"""A line being typed, as a pure state machine: bytes of the keyboard in, text and finished lines out."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from p2pcards.frontend.completions import common_start
from p2pcards.present.width import width
from p2pcards.wire.clean import clean

HISTORY = 200  # lines
LONGEST = 1000  # characters of a line
PASTED = 4000  # bytes of an unfinished sequence that are kept


class Event(NamedTuple):
    """What the keyboard asked for. kind: "line" (with its text), "choices" (a second Tab, with what fits), "interrupt"
    (Ctrl-C), "end" (Ctrl-D, or the end of the input), "suspend" (Ctrl-Z) or "redraw" (Ctrl-L)."""

    kind: str
    text: str = ""
    choices: tuple[str, ...] = ()


Complete = Callable[[str], Sequence[str]]
"""What the text before the cursor may become: each begins with it, capitals aside."""


def no_completions(_text: str) -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True)
class Editor:
    """cursor: a place in text, 0..len(text); place: of the history line shown, None for the line being typed, which
    waits in `draft`; pending: the start of a character or of a key sequence; tabbed: the last key was a Tab that left
    something open."""

    text: str = ""
    cursor: int = 0
    history: tuple[str, ...] = ()
    place: int | None = None
    draft: str = ""
    pending: bytes = b""
    pasting: bool = False
    tabbed: bool = False


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
HOME, END = EDITS[b"\x01"], EDITS[b"\x05"]
SEQUENCES: dict[bytes, Edit] = {
    b"A": EDITS[b"\x10"],
    b"B": EDITS[b"\x0e"],
    b"C": EDITS[b"\x06"],
    b"D": EDITS[b"\x02"],
    b"H": HOME,
    b"1~": HOME,
    b"7~": HOME,
    b"F": END,
    b"4~": END,
    b"8~": END,
    b"3~": _delete,
}
