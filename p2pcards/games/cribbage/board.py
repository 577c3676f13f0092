"""The boards of cribbage in plain characters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

# Boards: rule sheet 5, "Board", from "The Real Deal": once round is 60 holes and the game hole, twice round is 121.

ROUND = 60
FRONT, REAR = "AB", "ab"
Track = tuple[tuple[int, int], ...]  # for each hole, the game hole last, its line and column


def cribbage_board(
    board: str, winning_score: int, scores: Sequence[int], rear: Sequence[int | None] = (None, None)
) -> list[str]:
    """The lines of a board with the pegs of two players: A and B where they stand, a and b where they stood before.

    board: "standard", "racetrack" or "s_shape". winning_score: 61 or 121. scores: 0 to winning_score each; no peg is
    in a hole at 0. rear: the scores before the last that were pegged, None to leave these pegs out. Raises ValueError
    for any other board or score.
    """
    if board not in TRACKS:
        raise ValueError(f"there is no board {board!r}; there are {', '.join(TRACKS)}")
    tracks = [TRACKS[board](seat) for seat in range(2)]
    cells = {place: "." for track in tracks for place in track}
    for pegs, names in ((rear, REAR), (scores, FRONT)):
        for track, score, name in zip(tracks, pegs, names, strict=True):
            if score and (place := hole_of_score(winning_score, score)):
                cells[track[place - 1]] = name
    height, width = max(line for line, _ in cells) + 1, max(column for _, column in cells) + 1
    lines = [[" "] * width for _ in range(height)]
    for (line, column), char in cells.items():
        lines[line][column] = char
    return ["".join(line).rstrip() for line in lines]


def hole_of_score(winning_score: int, score: int) -> int:
    """The hole in which a score stands: 1 to 60, 61 for the game hole, 0 for none yet. The game hole is passed over the
    first time round. Raises ValueError for a score that cannot be."""
    if winning_score not in (ROUND + 1, 2 * ROUND + 1) or not 0 <= score <= winning_score:
        raise ValueError(f"{score} is not a score of a game to {winning_score}; games go to 61 or 121")
    if score == winning_score:
        return ROUND + 1
    return (score - 1) % ROUND + 1 if score else 0


def board_lines(
    options: Mapping[str, Any], scores: Sequence[int], rear: Sequence[int]
) -> tuple[list[str], list[tuple[str, str]]]:
    """The lines of the board, and where the pegs stand, in the form of `Told.board`. rear: nothing before the first
    points."""
    target = int(options["winning_score"])
    before = [score or None for score in rear] or (None, None)
    pegs = [(name, _hole_text(target, score)) for name, score in zip(FRONT, scores, strict=True)]
    return cribbage_board(str(options["board"]), target, scores, before), pegs


# --- private ----------------------------------------------------------------------------------------------------------


def _hole_text(target: int, score: int) -> str:
    if score in (0, target):
        return f"{score}, {'at the start' if score == 0 else 'in the game hole'}"
    lap = ", second time around" if score > ROUND else ""
    return f"{score}{lap}"


def _standard_track(seat: int) -> Track:
    """Two rows of 30 holes for each player: out along the outer one, back along the inner one, and to the game holes at
    the end from which it set out."""
    outer, inner = ((0, 1), (4, 3))[seat]
    columns = [4 + place + place // 5 for place in range(30)]
    return (*[(outer, column) for column in columns], *[(inner, column) for column in columns[::-1]], (inner, 0))


def _racetrack_track(seat: int) -> Track:
    """A loop, two holes abreast, with the game holes in the corner where it begins and ends."""
    top = [(0, cell) for cell in range(1, 25)]
    right = [(line, 24) for line in range(1, 7)]
    bottom = [(7, cell) for cell in range(24, 0, -1)]
    left = [(line, 0) for line in range(6, 0, -1)]
    return _track_abreast([*top, *right, *bottom, *left, (0, 0)], seat)


def _s_shape_track(seat: int) -> Track:
    """The letter S from its upper end to its lower, two holes abreast, and the game holes after the last."""
    bows = [
        *[(0, cell) for cell in range(18, 0, -1)],
        *[(line, 0) for line in range(1, 4)],
        *[(4, cell) for cell in range(1, 19)],
        *[(line, 19) for line in range(5, 8)],
        *[(8, cell) for cell in range(18, 0, -1)],
    ]
    return _track_abreast([*bows, (8, -1)], seat)


def _track_abreast(cells: Sequence[tuple[int, int]], seat: int) -> Track:
    """Cells of three columns, of which each player has one."""
    first = min(cell for _, cell in cells)
    return tuple([(line, 3 * (cell - first) + seat) for line, cell in cells])


TRACKS: dict[str, Callable[[int], Track]] = {
    "standard": _standard_track,
    "racetrack": _racetrack_track,
    "s_shape": _s_shape_track,
}
