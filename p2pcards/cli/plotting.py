"""The course of somebody's rating and scores as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from p2pcards.results.standings import Point

WIDTH, HEIGHT = 900, 500


def plotted(game: str, points: Sequence[Point]) -> str:
    """An SVG of one or more games: the rating with its uncertainty on the left scale, the scores on the right."""
    import pygal  # it takes a while to load
    from pygal.style import CleanStyle

    numbers = range(1, len(points) + 1)
    chart = pygal.XY(
        style=CleanStyle,
        width=WIDTH,
        height=HEIGHT,
        js=(),
        no_prefix=True,
        show_dots=len(points) == 1,
        title=game,
        x_title="games",
        y_title="rating",
        legend_at_bottom=True,
        legend_at_bottom_columns=4,
    )
    middle = [(number, point.rating.mu) for number, point in zip(numbers, points, strict=True)]
    chart.add("rating", middle, stroke_style={"width": 3})
    for name, sign in (("less its uncertainty", -1), ("and its uncertainty", 1)):
        edge = [(n, p.rating.mu + sign * 2 * p.rating.sigma) for n, p in zip(numbers, points, strict=True)]
        chart.add(name, edge, stroke_style={"dasharray": "3, 6"})
    scores = [(number, point.points) for number, point in zip(numbers, points, strict=True)]
    chart.add("score", scores, secondary=True, stroke=False, show_dots=True)
    return str(chart.render(is_unicode=True))
