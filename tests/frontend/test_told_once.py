"""What a person is not told, or told as no news: they typed it, or the next sentence says it."""

from __future__ import annotations

import pytest

from p2pcards.control.messages import Happened
from p2pcards.frontend.at_table import TableSeen
from p2pcards.frontend.manner import Manner
from p2pcards.present.cards import Style
from p2pcards.views.absence import Absence
from p2pcards.views.happenings import Acted, Happening, PlayerBack
from p2pcards.views.tableview import SeatView, TableView

PLAIN = Style(ascii=True)


def seen_by_me() -> TableSeen:
    return TableSeen(Manner, lambda: 0.0)


def repeats(seen: TableSeen, happening: Happening) -> bool:
    heard = seen.describe_happening(Happened(happening), PLAIN)
    assert heard is not None
    return heard.repeats


@pytest.mark.parametrize(
    ("typed", "words", "says", "adds"),
    [
        ("qs", "QS", "", False),
        ("10h", "TH", "", False),
        ("Q♠", "QS", "", False),
        ("q", "QS", "", True),
        ("draw", "draw", "draw from the stock", False),
        ("draw", "draw KS", "draw KS", True),
        ("bid 4", "bid 4", "", False),
        ("4h", "4H", "play 4H, 28", True),
    ],
)
def test_what_was_typed_is_news_only_where_more_is_told(typed: str, words: str, says: str, adds: bool) -> None:
    seen = seen_by_me()
    mine = Acted("Ann", 0, words, "", True, says)
    seen.note_typed_action(tuple(typed.split()))
    assert not repeats(seen, Acted("Bob", 1, words, "", False, says))
    assert repeats(seen, mine) != adds
    assert not repeats(seen, mine), "nobody typed it again"


def test_what_was_not_typed_or_not_taken_is_news() -> None:
    seen = seen_by_me()
    assert not repeats(seen, Acted("Ann", 0, "QS", "", True))
    seen.note_typed_action(("QS",))
    seen.note_typed_action(None)
    assert not repeats(seen, Acted("Ann", 0, "QS", "", True))


@pytest.mark.parametrize(
    ("plays", "absence", "told"),
    [
        ("character", Absence.CUT_OFF, False),
        ("character", Absence.AWAY, True),
        ("away", Absence.CUT_OFF, True),
    ],
)
def test_a_player_who_gets_their_seat_back_is_named_once(plays: str, absence: Absence, told: bool) -> None:
    seen = seen_by_me()
    seat = SeatView(1, "Bob", "Granny", "", plays, 0, 5, absence=absence.value)
    seen.see_view(TableView("coordinator", "play", seats=(seat,)))
    assert (seen.describe_happening(Happened(PlayerBack("Bob")), PLAIN) is not None) == told
