"""Beside the table: the scores, and below them what was said and done last, or the rules."""

from __future__ import annotations

from p2pcards.games.registry import GAMES
from p2pcards.present.rules import rules_in_force
from p2pcards.present.table import seat_name
from p2pcards.present.width import fit, left, right, wrap
from p2pcards.tui.picture.canvas import Box, Canvas
from p2pcards.tui.picture.scene import Scene, Told, told_beside
from p2pcards.views.tableview import TableView

CHANGE, TOTAL = 6, 6
"""Columns of what the last hand changed, and of the score."""


def draw_scores(canvas: Canvas, box: Box, view: TableView) -> int:
    """A line for each side, under what it says; how many rows it took."""
    sides = view.sides or tuple([(seat.seat,) for seat in view.seats])
    last = view.rounds[-1] if view.rounds else ()
    name = box.columns - CHANGE - TOTAL
    canvas.put(box.column, box.row, left("Score", name) + right("last", CHANGE) + right("total", TOTAL), "title")
    for row, side in enumerate(sides, 1):
        who = fit(_names(view, side), name - 1)
        changed = f"{last[side[0]]:+d}" if last else ""
        total = str(view.seats[side[0]].score)
        ink = "score.mine" if view.me in side else "score"
        canvas.put(box.column, box.row + row, left(who, name) + right(changed, CHANGE) + right(total, TOTAL), ink)
    canvas.zone("scores", Box(box.column, box.row, box.columns, len(sides) + 1))
    return len(sides) + 1


def draw_beside_table(canvas: Canvas, box: Box, scene: Scene) -> None:
    """What is wanted there."""
    if scene.mind.beside == "rules":
        _draw_rules(canvas, box, scene.view)
    else:
        _draw_told(canvas, box, told_beside(scene.mind))
    canvas.zone("log", box)


def _draw_rules(canvas: Canvas, box: Box, view: TableView) -> None:
    """As many of them as there is room for, and where the others can be read."""
    game = GAMES.get(view.game or "")
    rules = rules_in_force(game, dict(view.options)) if game else ["No game is chosen."]
    lines = [part for line in rules for part in wrap(line, box.columns, " ")]
    if len(lines) > box.rows:
        lines = [*lines[: box.rows - 1], fit("... G shows all", box.columns)][: box.rows]
    for row, line in enumerate(lines):
        canvas.put(box.column, box.row + row, line, "log")


def _draw_told(canvas: Canvas, box: Box, told: tuple[Told, ...]) -> None:
    """As many of the newest lines as there is room for, the last at the bottom."""
    lines: list[tuple[str, str]] = []
    for one in reversed(told):
        lines[:0] = [(line, one.ink) for line in wrap(one.text, box.columns, " ")]
        if len(lines) >= box.rows:
            break
    for row, (text, ink) in enumerate(lines[-box.rows :] if box.rows > 0 else []):
        canvas.put(box.column, box.row + row, text, ink)


def _names(view: TableView, side: tuple[int, ...]) -> str:
    """Of partners the first word of each name."""
    names = [seat_name(view, seat) for seat in side]
    said = " + ".join([name.split()[0] if len(side) > 1 and name.split() else name for name in names])
    return said[:1].upper() + said[1:]
