"""The course of somebody's rating and scores as a picture."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from p2pcards.results.standings import Point

WIDTH, HEIGHT = 900, 500


def plotted(game: str, points: Sequence[Point]) -> str:
    """An SVG of these games, of which there is one at least: the rating with its uncertainty on the left scale, the
    scores on the right."""
    pygal = _pygal()
    numbers = range(1, len(points) + 1)
    chart = pygal.XY(
        style=pygal.style.CleanStyle,
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
    for name, sign in (("less its uncertainty", -1), ("plus its uncertainty", 1)):
        edge = [(n, p.rating.mu + sign * 2 * p.rating.sigma) for n, p in zip(numbers, points, strict=True)]
        chart.add(name, edge, stroke_style={"dasharray": "3, 6"})
    scores = [(number, point.points) for number, point in zip(numbers, points, strict=True)]
    chart.add("score", scores, secondary=True, stroke=False, show_dots=True)
    return str(chart.render(is_unicode=True))


def _pygal() -> Any:
    """Loaded when it is asked for, since that takes a while, and without its finder of plugins for maps: Python 3.11
    warns of that, which has no ``find_spec``, at every import that fails afterwards."""
    import pygal

    sys.meta_path[:] = [one for one in sys.meta_path if not isinstance(one, pygal.PluginImportFixer)]
    return pygal
