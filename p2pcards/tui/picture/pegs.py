"""A board on which the score is pegged, as in cribbage."""

from __future__ import annotations

from p2pcards.present.score import board_lines
from p2pcards.present.width import wrap
from p2pcards.tui.picture.canvas import Box, Canvas
from p2pcards.tui.picture.scene import Scene

PEGS = str.maketrans("ABab.", "●■○□·")
"""As they are drawn where there is more than ASCII: full ones stand in front."""


def board(scene: Scene) -> list[str]:
    """The lines of the board, the last ones with whose pegs are where; none in other games."""
    lines = board_lines(scene.view)
    if not lines:
        return []
    *holes, legend = lines
    if scene.look.ascii:
        return lines
    whose = ". ".join([f"{said[:1].translate(PEGS)}{said[1:]}" for said in legend.split(". ")])
    return [*[line.translate(PEGS) for line in holes], whose]


def draw_board(canvas: Canvas, box: Box, lines: list[str]) -> int:
    """How many rows it took."""
    *holes, legend = lines
    shown = [*holes, *wrap(legend, box.columns)]
    for row, line in enumerate(shown):
        canvas.put(box.column, box.row + row, line, "board")
    canvas.zone("board", Box(box.column, box.row, box.columns, len(shown)))
    return len(shown)
