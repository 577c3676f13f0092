"""The title screen: a tile for each game, and what else there is to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2pcards.present.width import fit_text, pad_right, wrap_words
from p2pcards.tui.picture.canvas import Box, Canvas, Picture
from p2pcards.tui.picture.faces import Look

COLUMNS, ROWS = 14, 4
"""Of a tile."""
ROOMY = 24
"""Rows of a window in which one is left free below the heading."""
SIGNS, LETTERS = "♠♥♣♦", "SHCD"
KEYS = "Arrows and Enter, or click: play  M or right-click: game menu  Q: quit"


@dataclass(frozen=True, slots=True)
class Title:
    """The state of the title screen."""

    games: Sequence[str]  # names
    buttons: Sequence[str]  # labels; each except the first has its letter in brackets
    at: int = 0  # the selected one, counting the games and then the buttons
    lines: Sequence[str] = ()  # text below


def tiles_across(columns: int) -> int:
    return max((columns - 1) // (COLUMNS + 1), 1)


def button_letter(button: str) -> str:
    """The key that chooses the button: the capital in its label."""
    return button[button.find("[") + 1].upper()


def draw_title(title: Title, look: Look, columns: int, rows: int) -> Picture:
    """Draw the title screen. Buttons that don't fit are left out, but their keys still work."""
    canvas = Canvas(columns, rows)
    across = tiles_across(columns)
    margin = max((columns - min(across, len(title.games)) * (COLUMNS + 1) + 1) // 2, 0)
    canvas.put(0, 0, pad_right(fit_text(" p2pcards: peer-to-peer card games", columns), columns), "title")
    top = 2 if rows >= ROOMY else 1
    for number, name in enumerate(title.games):
        box = Box(margin + number % across * (COLUMNS + 1), top + number // across * (ROWS + 1), COLUMNS, ROWS)
        _draw_tile(canvas, box, number, name, look, chosen=number == title.at)
    row = top + (len(title.games) + across - 1) // across * (ROWS + 1)
    row = _draw_buttons(canvas, title, margin, row)
    for number, line in enumerate(title.lines[: max(rows - row - 3, 0)]):
        canvas.put(margin, row + 2 + number, fit_text(line, columns - margin - 1), "log")
    canvas.put(0, rows - 1, pad_right(fit_text(f" {KEYS}", columns), columns), "keys")
    return canvas.picture()


def _draw_buttons(canvas: Canvas, title: Title, margin: int, row: int) -> int:
    """Draw the buttons, as many in a row as fit; returns the last row."""
    column = margin
    for number, label in enumerate(title.buttons):
        text = label if "[" in label else f"[{label[0]}]{label[1:]}"
        if column > margin and column + len(text) > canvas.columns:
            column, row = margin, row + 1
        at = len(title.games) + number == title.at
        canvas.put(column, row, text, "button.at" if at else "button")
        canvas.zone(f"button {number}", Box(column, row, len(text), 1))
        if at:
            canvas.cursor(column, row)
        column += len(text) + 2
    return row


def _draw_tile(canvas: Canvas, box: Box, number: int, name: str, look: Look, *, chosen: bool) -> None:
    frame = look.chosen if chosen else look.frame
    ink = "card.chosen" if chosen else "card"
    suit = number % 4
    sign = (LETTERS if look.ascii else SIGNS)[suit]
    suit_of_sign = ("spades", "hearts", "clubs", "diamonds")[suit]
    corners, edge = frame.corners, frame.level * (box.columns - 2)
    canvas.put(box.column, box.row, corners[0] + edge + corners[1], ink)
    for line, text in enumerate([*wrap_words(name, box.columns - 4), "", ""][: box.rows - 2], 1):
        canvas.put(box.column, box.row + line, frame.upright, ink)
        canvas.put(box.column + 1, box.row + line, f"{sign if line == 1 else ' '} ", f"card.{suit_of_sign}")
        canvas.put(box.column + 3, box.row + line, pad_right(text, box.columns - 4), "card.name")
        canvas.put(box.column + box.columns - 1, box.row + line, frame.upright, ink)
    canvas.put(box.column, box.row + box.rows - 1, corners[3] + edge + corners[2], ink)
    canvas.zone(f"game {number}", box)
    if chosen:
        canvas.cursor(box.column + 3, box.row + 1)
