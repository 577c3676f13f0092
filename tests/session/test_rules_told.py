"""Everybody at a table is told what holds: when a game is chosen, when an option is set, and whole as a game begins."""

from __future__ import annotations

from p2pcards.present.story import happening_sentence
from p2pcards.views.happenings import GameChosen, GameStarted, OptionSet
from rigs.net import Net

ANN, BOB, CY = range(3)


def invited() -> Net:
    net = Net(3, seed=1)
    for i in (BOB, CY):
        net.say(ANN, "invite", str(i))
    net.run()
    return net


def said(net: Net, *words: str) -> list[str]:
    """What Bob is told when Ann says this; Cy is told the same, and Ann."""
    before = [len(net.told[i]) for i in range(3)]
    net.say(ANN, words[0], *words[1:])
    net.run()
    chosen = [
        [happening_sentence(one) for one in net.told[i][before[i] :] if isinstance(one, GameChosen | OptionSet)]
        for i in range(3)
    ]
    assert chosen[ANN] == chosen[BOB] == chosen[CY]
    return chosen[BOB]


def test_a_game_that_is_chosen_is_told_with_its_rules_in_brief() -> None:
    net = invited()
    assert said(net, "game", "hearts") == [
        "Next game: Hearts. To 100. Pass left, right, across, hold; shooting the moon gives everyone else 26."
    ]
    assert said(net, "game", "hearts", "real-deal") == [
        "Next game: Hearts, as in The Real Deal. To 100. Pass left; shooting the moon takes 26 off."
    ]


def test_an_option_that_is_set_is_told_to_those_who_listen_too() -> None:
    net = invited()
    said(net, "game", "hearts")
    assert said(net, "set", "passing=none") == ["Option passing is now none. No cards are passed."]
    assert said(net, "set", "end_score=30") == [
        "Option end_score is now 30. The game ends when a total reaches 30, or goes over it if end_when is exceed."
    ]


def test_who_comes_later_is_told_of_the_preset_and_what_is_otherwise() -> None:
    net = Net(3, seed=1)
    net.say(ANN, "invite", str(BOB))
    net.run()
    net.say(ANN, "game", "cribbage", "telecards")
    net.say(ANN, "set", "counting=manual")
    net.run()
    net.say(ANN, "invite", str(CY))
    net.run()
    (chosen,), (option,) = net.tales(CY, GameChosen), net.tales(CY, OptionSet)
    assert happening_sentence(chosen) == (
        "Next game: Cribbage, as in TeleCards. To 121. You count your own hand, with muggins; cut for the deal."
    )
    assert happening_sentence(option).startswith("Option counting is now manual. You count your own hand")


def test_all_that_holds_is_told_as_the_game_begins() -> None:
    net = invited()
    net.say(ANN, "game", "hearts")
    net.say(ANN, "set", "end_score=30")
    net.say(ANN, "start")
    net.run()
    for i in range(3):
        (started,) = net.tales(i, GameStarted)
        assert happening_sentence(started).endswith(
            ". As most people play it, but end_score = 30. To 30. Pass left, right, across, hold; shooting the moon "
            "gives everyone else 26."
        )
