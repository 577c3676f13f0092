"""The few words that all games share."""

from __future__ import annotations

from dataclasses import replace

from p2pcards.games.game import Sheet, sheet_of_items, with_seat_replaced
from p2pcards.games.wording import join_with_or


def test_items_add_up_to_a_sheet() -> None:
    items = ((("a", 3), ("b", -1)), ())
    assert sheet_of_items(items, (10, 5)) == Sheet(items, (2, 0), (12, 5))
    assert with_seat_replaced((1, 2, 3), 1, 9) == (1, 9, 3)
    assert replace(sheet_of_items(items, (0, 0)), totals=(0, 0)).hand == (2, 0)


def test_several_are_told_as_one_or_another() -> None:
    assert [join_with_or(words) for words in ("a", "ab", "abc")] == ["a", "a or b", "a, b or c"]
