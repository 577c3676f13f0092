import pytest

from p2pcards.players.levels import LEVELS, UnknownLevel, find_level, level_note, level_today


def test_there_are_six_levels_from_the_weakest_to_the_strongest() -> None:
    assert LEVELS == ("carefree", "novice", "standard", "expert", "champion", "master")


def test_a_level_that_is_not_built_plays_at_novice_and_is_said_to() -> None:
    assert [level_today(level) for level in LEVELS] == ["carefree"] + ["novice"] * 5
    assert level_note("novice") == "novice"
    assert level_note("expert") == "expert (plays at novice today)"


def test_a_level_is_found_whatever_its_case() -> None:
    assert find_level(" Novice ") == "novice"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("novic", "There is no level 'novic'. Did you mean 'novice'?"),
        ("zzz", "There is no level 'zzz'. There are carefree, novice, standard, expert, champion, master."),
    ],
)
def test_an_unknown_level_is_told_the_nearest(name: str, sentence: str) -> None:
    with pytest.raises(UnknownLevel) as refusal:
        find_level(name)
    assert str(refusal.value) == sentence
