"""What the line mode shows unasked."""

from __future__ import annotations

from dataclasses import replace

from p2pcards.cli.line_news import SPOKEN, LineNews
from p2pcards.frontend.manner import Manner
from p2pcards.present.cards import Style
from p2pcards.views.tableview import SeatView, TableView

AWAY = SeatView(1, "Bob", "Granny", "novice", "away", 0, 5, to_act=True, countdown=60.0)
HERE = replace(AWAY, plays="person", countdown=None)


def told(news: LineNews, seat: SeatView) -> list[int]:
    """The seconds of one absence at which something is said."""
    view = TableView("coordinator", "play", seats=(seat,))
    return [second for second in range(60) if news.of_time(view, float(second))]


def test_plain_output_tells_a_few_seconds_of_each_absence() -> None:
    news = LineNews(Manner(), Style(), plain=True)
    for _ in range(2):
        assert told(news, AWAY) == [60 - left for left in SPOKEN]
        assert told(news, HERE) == []


def test_a_prompt_that_counts_down_is_enough() -> None:
    assert told(LineNews(Manner(), Style(), plain=False), AWAY) == []
