"""What somebody may have meant who typed a word that is not known."""

from __future__ import annotations

from p2pcards.games.nearest import did_you_mean


def test_the_nearest_word_is_offered_or_nothing() -> None:
    assert did_you_mean("hart", ["gin", "hearts"]) == "Did you mean 'hearts'?"
    assert did_you_mean("zzz", ["gin", "hearts"]) == ""
    assert did_you_mean("hart", ["gin", "hearts"], 0.9) == ""


def test_names_with_marks_are_shown_as_they_are() -> None:
    assert did_you_mean("O'Neil", ["O'Neill", "Zoë"]) == "Did you mean 'O'Neill'?"
