"""Which computer characters play, and at which level."""

from __future__ import annotations

import pytest

from p2pcards.session.effects import CommandError
from p2pcards.views.happenings import Notice
from rigs.net import Net
from rigs.people import by_hand


def lobby() -> Net:
    """A table of hearts for Ann and Bob, between games."""
    net = by_hand(1, game="hearts", preset="real-deal")
    net.say(0, "end")
    net.run()
    return net


def seats(net: Net) -> list[tuple[str, str]]:
    """The names and levels of those who play."""
    net.say(0, "start")
    net.run()
    return [(seat.name, seat.level) for seat in net.view(0).seats]


def test_characters_and_levels_are_chosen_by_seat_and_people_sit_before_them() -> None:
    net = lobby()
    for words in (("3", "lizzy:carefree"), ("4", "Luan"), ("2", "granny")):
        net.say(0, "computer", *words)
    said = [tale.text for tale in net.tales(0, Notice)]
    assert "Lizzy (carefree) plays in seat 3, if no person sits there." in said
    found = seats(net)
    assert found[1][0] == "Bob" and found[2:] == [("Lizzy", "carefree"), ("Luan", "carefree")]


def test_a_choice_is_taken_back_and_moved() -> None:
    net = lobby()
    net.say(0, "computer", "3", "luan")
    net.say(0, "computer", "3", "any")
    net.say(0, "computer", "4", "luan:novice")
    found = seats(net)
    assert found[3] == ("Luan", "novice") and found[2][0] != "Luan"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("5", "luan"), "Which seat\\? They have the numbers 1 to 4"),
        (("x", "luan"), "Which seat\\?"),
        (("1" * 5000, "luan"), "Which seat\\?"),
        (("3", "lizy"), "There is no character 'lizy'. Did you mean 'lizzy'\\?"),
        (("3", "luan:novise"), "No computer plays at the level 'novise'. Did you mean 'novice'\\?"),
        (
            ("3", "luan:9"),
            "No computer plays at the level '9'. There are carefree, novice, standard, expert, champion, master.",
        ),
        (("4", "lizzy"), "That character is to play in seat 3 already."),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(words: tuple[str, ...], sentence: str) -> None:
    net = lobby()
    net.say(0, "computer", "3", "lizzy")
    with pytest.raises(CommandError, match=sentence):
        net.say(0, "computer", *words)


def test_a_character_that_stands_for_somebody_here_is_not_an_opponent_and_a_game_is_not_changed() -> None:
    net = lobby()
    mine = next(person.character for person in net.view(0).people if person.link == "you")
    with pytest.raises(CommandError, match=r"That character stands for Ann at this table\."):
        net.say(0, "computer", "3", mine)
    net.say(0, "start")
    net.run()
    with pytest.raises(CommandError, match="A game is on"):
        net.say(0, "computer", "3", "lizzy")
    with pytest.raises(CommandError, match="Only the coordinator"):
        net.say(1, "computer", "3", "lizzy")
