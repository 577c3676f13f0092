"""What an expert makes of the alternatives, and what is in a hand, as lines."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from p2pcards.present.advising import alternative_list, analysis_list
from p2pcards.present.cards import Style
from p2pcards.present.story import points_text
from p2pcards.present.width import fold_line, text_width
from p2pcards.views.happenings import Alternative, AlternativesExplained, HandAnalyzed

PLAIN = Style(ascii=True)
FOUR = AlternativesExplained(
    (
        Alternative("9C", "to duck under the JC", 2.34, 0.0),
        Alternative("3C", "to duck under the JC", 2.31, 0.4),
        Alternative("TC", "", 1.0, 0.3),
        Alternative("QC", "to take the trick", -12.0, 0.8),
    ),
    legal=5,
    hands=1998,
    weighed=4,
    sides=4,
)


def ending(ahead: float, **changes: Any) -> str:
    """How the line of the best alternative ends."""
    best = replace(FOUR, alternatives=(Alternative("9C", "", ahead),), **changes)
    return " ".join(" ".join(alternative_list(best, PLAIN)).split()).removeprefix("1: 9C: ")


def test_the_best_is_told_by_how_the_hand_ends_and_the_others_by_how_much_worse_they_are() -> None:
    assert alternative_list(FOUR, PLAIN) == [
        "  1: 9C, to duck under the JC: on average you score about 2.3 points more than",
        "     everyone else in this hand.",
        "  2: 3C, to duck under the JC: about as good.",
        "  3: 10C: about 1.3 points worse.",
        "  4: QC, to take the trick: about 14 points worse.",
    ]


def test_what_may_be_chance_is_told_so() -> None:
    first = Alternative("9C", "", 1.0, 0.0)
    for ahead, error, said in (
        (1.4, 0.5, "about as good."),  # it is kept to where nothing is clearly better
        (0.98, 0.5, "about as good."),
        (0.6, 0.5, "perhaps 0.4 points worse."),
        (0.4, 0.5, "about 0.6 points worse."),
    ):
        both = replace(FOUR, alternatives=(first, Alternative("3C", "", ahead, error)))
        assert alternative_list(both, PLAIN)[-1] == f"  2: 3C: {said}"


@pytest.mark.parametrize(
    ("ahead", "changes", "said"),
    [
        (2.34, {}, "on average you score about 2.3 points more than everyone else in this hand."),
        (-2.34, {}, "on average you score about 2.3 points less than everyone else in this hand."),
        (0.04, {}, "on average you score as much as everyone else in this hand."),
        (1.0, {"sides": 2}, "on average you score about 1 point more than your opponent in this hand."),
        (
            14.2,
            {"sides": 2, "partners": True},
            "on average your side scores about 14 points more than the other side in this hand.",
        ),
        (3.6, {"low_wins": True}, "on average you take about 3.6 points fewer than everyone else."),
        (-8.4, {"low_wins": True}, "on average you take about 8.4 points more than everyone else."),
        (0.0, {"low_wins": True}, "on average you take as many points as everyone else."),
    ],
)
def test_where_the_lowest_wins_and_where_partners_play_it_is_told_otherwise(
    ahead: float, changes: dict[str, Any], said: str
) -> None:
    assert ending(ahead, **changes) == said


def test_what_was_not_tried_has_no_outcome() -> None:
    untried = replace(FOUR, alternatives=(Alternative("draw"), Alternative("8D h", "to name hearts")), hands=0)
    assert alternative_list(untried, PLAIN) == ["  1: draw.", "  2: 8D, naming hearts, to name hearts."]


def test_points_are_told_no_more_exactly_than_an_average_is_known() -> None:
    assert [points_text(number) for number in (0.04, 0.96, 1.0, 2.349, 9.94, 9.96, 148.6)] == [
        "0 points",
        "1 point",
        "1 point",
        "2.3 points",
        "9.9 points",
        "10 points",
        "149 points",
    ]


def test_what_is_in_a_hand_stands_in_a_line_each() -> None:
    found = HandAnalyzed(
        (("can be melded", "pinochle (JD QS) 20"), ("one card short", "flush 150 needs TS (2 unseen)"))
    )
    assert analysis_list(found, PLAIN) == [
        "  Can be melded: pinochle (JD QS) 20.",
        "  One card short: flush 150 needs 10S (2 unseen).",
    ]


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_the_lines_fit(columns: int) -> None:
    long = HandAnalyzed((("one card short", "; ".join(["2D 3D lack AD or 4D"] * 9)),))
    for line in [*alternative_list(FOUR, PLAIN), *analysis_list(long, PLAIN)]:
        folded = fold_line(line, columns)
        assert all(text_width(part) <= columns for part in folded) and " ".join(folded).split() == line.split()
