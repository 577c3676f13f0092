"""What the line mode shows unasked."""

from __future__ import annotations

from dataclasses import replace

from p2pcards.cli.line import SPOKEN, LineNews
from p2pcards.present.cards import Style, usual_arrangement
from p2pcards.present.table import table_lines
from p2pcards.views.tableview import SeatView, TableView

AWAY = SeatView(1, "Bob", "Granny", "novice", "away", 0, 5, to_act=True, countdown=60.0)
HERE = replace(AWAY, plays="person", countdown=None)


def told(news: LineNews, seat: SeatView) -> list[int]:
    """The seconds of one absence at which something is said."""
    view = TableView("coordinator", "play", seats=(seat,))
    return [second for second in range(60) if news.of_time(view, float(second))]


def test_plain_output_tells_a_few_seconds_of_each_absence() -> None:
    news = LineNews(Style(), plain=True)
    for _ in range(2):
        assert told(news, AWAY) == [60 - left for left in SPOKEN]
        assert told(news, HERE) == []


def test_a_prompt_that_counts_down_is_enough() -> None:
    assert told(LineNews(Style(), plain=False), AWAY) == []


def test_the_table_is_told_when_one_comes_to_it_or_its_game_changes() -> None:
    news = LineNews(Style(), plain=True)
    nowhere, hearts, whist = [TableView("coordinator", "lobby", game=game) for game in (None, "hearts", "whist")]
    over = replace(hearts, phase="over")

    def lines(old: TableView, view: TableView) -> list[str]:
        return news.of_change(old, view, usual_arrangement("hearts"))

    assert lines(nowhere, hearts) == table_lines(hearts, Style())
    assert lines(hearts, whist) == table_lines(whist, Style())
    assert lines(over, hearts) == table_lines(hearts, Style()), "the same game once more"
    assert lines(hearts, hearts) == [] == lines(hearts, over)
    looking = replace(over, looks_on=True)
    assert lines(over, looking) == table_lines(looking, Style()) and lines(looking, looking) == []
