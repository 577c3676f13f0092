"""A game whose pack holds equal cards, over the wire: pinochle with melds that lie open."""

from __future__ import annotations

from p2pcards.games.spelling import is_card_word
from p2pcards.views.happenings import Acted, GameWon, HandOpened
from rigs.net import Net, novices
from rigs.whole import chain_end


def test_a_game_of_pinochle_ends_alike_everywhere_and_every_draw_is_told() -> None:
    net = Net(1, auto="novice", player=novices, seed=4)
    net.sit_down("goal=150", game="pinochle2")
    assert net.run_until(lambda: GameWon in net.kinds(0) and GameWon in net.kinds(1))
    assert chain_end(net, 0) == chain_end(net, 1)
    assert net.tales(0, GameWon)[0].totals == net.tales(1, GameWon)[0].totals
    for i in (0, 1):
        told = net.tales(i, Acted)
        drawn = [tale.cards for tale in told if tale.words == "draw" and tale.mine and "upcard" not in tale.says]
        assert len(drawn) >= 5 and all(is_card_word(cards) for cards in drawn), "one card, also when I hold its equal"
        assert not any(tale.cards for tale in told if not tale.mine)
        assert any("'" in tale.words for tale in told), "open copies are named"
        assert all(tale.proven for tale in net.tales(i, HandOpened))
