"""A hand that is counted item by item, as it is said and shown."""

from __future__ import annotations

from p2pcards.present.tallies import count_moments, items_and_tallies, seat_count_texts
from p2pcards.views.tableview import TableView, TallyItemView, TallyView

FIFTEEN = TallyItemView("hand 15: 5C QC", "fifteen two", 2, (0x05, 0x0C))
PAIR = TallyItemView("hand pair: 5C 5D", "a pair is four", 2, (0x05, 0x15))
CRIB = TallyItemView("crib run: 2C 3C 4C", "a run of three is three", 3, (0x02, 0x03, 0x04))
DEADWOOD = TallyItemView("", "deadwood 8", 0, (0x08,))


def view(*tallies: TallyView) -> TableView:
    return TableView("coordinator", "play", tallies=tallies)


COUNTED = view(TallyView(1, "hand", ()), TallyView(0, "hand", (FIFTEEN, PAIR)), TallyView(0, "crib", (CRIB,)))


def test_every_item_has_a_moment_and_a_hand_with_nothing_one() -> None:
    assert [moment.cards for moment in count_moments(COUNTED)] == [(), (0x05, 0x0C), (0x05, 0x15), (0x02, 0x03, 0x04)]
    assert count_moments(view()) == ()


def test_a_seat_says_its_items_while_it_counts_and_their_sum_afterwards() -> None:
    assert [seat_count_texts(COUNTED, 0, at) for at in (0, 1, 2, 3, None)] == [
        [],
        ["hand: fifteen two"],
        ["hand: fifteen two, a pair is four"],
        ["hand 4", "crib: a run of three is three"],
        ["hand 4", "crib 3"],
    ]
    assert seat_count_texts(COUNTED, 1, 0) == ["hand: nothing"] == seat_count_texts(COUNTED, 1, None)
    assert seat_count_texts(view(TallyView(1, "hand", (DEADWOOD,))), 1, None) == ["deadwood 8"]


def test_the_items_of_a_sheet_that_are_counted_so_stand_there_as_one() -> None:
    items = (("play: go", 1), *[(item.name, item.points) for item in (FIFTEEN, PAIR, CRIB)])
    assert items_and_tallies(COUNTED, 0, items) == (("play: go", 1), ("hand", 4), ("crib", 3))
    assert items_and_tallies(COUNTED, 1, (("muggins: hand", 2),)) == (("muggins: hand", 2),)
    assert items_and_tallies(view(TallyView(1, "hand", (DEADWOOD,))), 1, (("deadwood 31 to 8", 23),)) == (
        ("deadwood 31 to 8", 23),
    )
