import pytest

from p2pcards.games.telling import Skill, Way
from p2pcards.players import levels
from p2pcards.players.levels import LEVELS, UNTRIED, USUAL, UnknownLevel, can_play_here, edition_of, find_level
from p2pcards.wire.records import EDITIONS
from rigs.merged import merge


def test_there_are_six_levels_from_the_weakest_to_the_strongest() -> None:
    assert LEVELS == ("carefree", "novice", "standard", "expert", "champion", "master")


def test_a_higher_level_tries_more_out() -> None:
    assert tuple(USUAL) == LEVELS
    playouts = [skill.playouts for skill in USUAL.values()]
    assert sorted(playouts) == playouts


def test_a_player_that_has_not_changed_is_of_the_first_edition() -> None:
    assert edition_of("cribbage", "novice") == 1 and edition_of("hearts", "novice") == 2


def test_a_level_is_found_whatever_its_case() -> None:
    assert find_level(" Novice ") == "novice"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("novic", "There's no level 'novic'. Did you mean 'novice'?"),
        ("zzz", "There's no level 'zzz'. Levels: carefree, novice, standard, expert, champion, master."),
    ],
)
def test_an_unknown_level_is_told_the_nearest(name: str, sentence: str) -> None:
    with pytest.raises(UnknownLevel) as refusal:
        find_level(name)
    assert str(refusal.value) == sentence


def test_a_player_who_lacks_something_has_an_edition_that_nobody_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither where it lacks nor where it does not, whatever was made before."""
    assert edition_of("hearts", "novice") == 2 and can_play_here("hearts", "novice", 2)
    monkeypatch.setattr(levels, "lacking_reason", lambda _game, level: "It is missing." if level == "novice" else "")
    assert edition_of("hearts", "novice") == UNTRIED == EDITIONS
    assert not can_play_here("hearts", "novice", UNTRIED) and not can_play_here("hearts", "novice", 2)
    assert can_play_here("hearts", "carefree", 1)


def test_a_level_without_its_tables_says_as_which_it_plays_and_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """So does one that plays as it; and the editions of both are nobody's."""
    monkeypatch.setattr(levels, "load_tables", lambda _game: "The tables are missing.")
    monkeypatch.setattr(levels, "is_searched", lambda _game: True)
    monkeypatch.setattr(levels, "USUAL", {**levels.USUAL, "standard": Skill(Way.TABLES)})
    merge(monkeypatch, "whist", expert="standard")
    for level in ("standard", "expert"):
        assert levels.lacking_reason("whist", level) == (
            "In whist, a standard player plays like a novice for now. The tables are missing."
        )
        assert levels.skill_of("whist", level) == levels.USUAL["novice"]
        assert edition_of("whist", level) == UNTRIED
    assert not levels.lacking_reason("whist", "champion") and edition_of("whist", "champion") != UNTRIED


def test_a_level_of_another_program_is_not_here() -> None:
    """Nor is a claim, which is no level, whatever a header calls it; nor another edition of a level that is."""
    assert can_play_here("hearts", "novice", 2)
    for level, edition in (("sage", 1), ("Novice", 2), ("rest AS", 1), ("", 1), ("novice", 1), ("novice", 3)):
        assert not can_play_here("hearts", level, edition)
