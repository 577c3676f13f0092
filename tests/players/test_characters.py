import re
from dataclasses import astuple

import pytest

from making.portraits import portraits
from p2pcards.players.characters import (
    CHARACTERS,
    UnknownCharacter,
    character_rows,
    find_character,
    own_character,
)
from p2pcards.players.levels import LEVELS
from p2pcards.players.stories import STORIES


def test_there_are_twelve_four_of_each_level() -> None:
    levels = [character.level for character in CHARACTERS.values()]
    assert levels == ["novice"] * 4 + ["standard"] * 4 + ["expert"] * 4
    assert set(levels) <= set(LEVELS)


def test_no_two_characters_share_a_key_a_name_or_a_line() -> None:
    everything = [
        text for key, name, _level, *lines in map(astuple, CHARACTERS.values()) for text in (key, name, *lines)
    ]
    assert len(everything) == 12 * 8
    assert len(set(everything)) == len(everything)


def test_keys_are_short_words_and_lines_fit_a_narrow_terminal() -> None:
    for key, character in CHARACTERS.items():
        assert key == character.key == key.lower()
        assert key.isalpha() and len(key) <= 8
        _, _, _, *lines = astuple(character)
        assert all(line.isascii() and line.isprintable() and 0 < len(line) <= 60 for line in lines)


def test_each_has_a_story_of_four_to_six_short_sentences_and_a_face() -> None:
    assert list(STORIES) == list(CHARACTERS) == list(portraits())
    for key, story in STORIES.items():
        sentences = re.split(r"(?<=[.!?\"])\s+(?=[A-Z])", story)
        assert 4 <= len(sentences) <= 6 and len(story) <= 480, key
        assert story.isascii() and max(map(len, sentences)) <= 140, key
    assert len({repr(shapes) for shapes in portraits().values()}) == 12


def test_every_shape_of_a_face_lies_in_its_square_and_has_a_colour() -> None:
    for key, shapes in portraits().items():
        for tag, attributes in shapes:
            assert tag in ("path", "circle", "ellipse"), key
            assert {"fill", "stroke"} & set(attributes) and not {"style", "onclick", "href"} & set(attributes)
            for name in ("cx", "cy"):
                assert 0 <= float(attributes.get(name, 50)) <= 100, key


@pytest.mark.parametrize("word", ["granny", " GRANNY ", "Granny Mildred", "granny mildred"])
def test_a_character_is_found_by_key_or_name(word: str) -> None:
    assert find_character(word) is CHARACTERS["granny"]


def test_an_unknown_character_is_told_the_nearest() -> None:
    with pytest.raises(UnknownCharacter) as refusal:
        find_character("grany")
    assert str(refusal.value) == "There's no character 'grany'. Did you mean 'granny'?"


def test_everybody_has_a_character_by_their_key() -> None:
    assert {own_character(bytes([first, 7])).key for first in range(256)} == set(CHARACTERS)


def test_a_character_that_was_not_chosen_gives_way_to_those_at_the_table() -> None:
    for first in range(12):
        own = own_character(bytes([first, 7]))
        other = own_character(bytes([first, 7]), [own.name.upper(), "granny"])
        assert other.key not in (own.key, "granny")
    assert own_character(b"\0", list(CHARACTERS)) is own_character(b"\0")


def test_the_rows_say_at_which_level_each_plays() -> None:
    rows = character_rows()
    assert [row[0] for row in rows] == list(CHARACTERS)
    assert rows[0] == ("wayne", "Wacky Wayne", "novice")
    assert ("granny", "Granny Mildred", "standard") in rows
