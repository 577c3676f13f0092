"""The few words that all games share."""

from __future__ import annotations

from p2pcards.cards.card import BACK, cards
from p2pcards.games import crazy_eights, hearts
from p2pcards.games.game import conceal


def test_a_concealed_action_tells_how_many_cards_and_no_more() -> None:
    assert conceal(hearts.Pass(cards("2C 3C QS"))) == hearts.Pass((BACK,) * 3)
    assert conceal(hearts.Play(cards("QS")[0])) == hearts.Play(BACK)
    assert conceal(crazy_eights.Draw()) == crazy_eights.Draw()
