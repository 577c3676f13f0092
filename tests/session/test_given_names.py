"""A listener plays under the name that the coordinator gives them."""

from __future__ import annotations

from dataclasses import replace

from p2pcards.wire.reasons import Verdict
from rigs.net import Net


def test_a_listener_whose_name_is_taken_plays_a_whole_game_under_another() -> None:
    net = Net(2)
    net.listener(2).me = replace(net.listener(2).me, name="Bob")
    net.sit_down("winning_score=1", game="crazy_eights")
    net.run()
    names = ["Ann", "Bob", "Bob 2"]
    for i in range(3):
        assert [person.name for person in net.view(i).people] == names
        assert [side.name for side in net.at(i).header.sides] == names
        assert net.at(i).phase == "closed"
    assert {net.at(i).finding for i in range(3)} == {Verdict.GOOD}
