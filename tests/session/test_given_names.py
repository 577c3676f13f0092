"""The names at a table: given by the coordinator, and shown to each player so that nobody is taken for another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pcards.views.happenings import Acted, GameStarted, PlayerJoined, Said
from p2pcards.wire.names import key_letters, known_by_look
from p2pcards.wire.reasons import Verdict
from rigs.net import Net
from rigs.people import run_to
from rigs.pure import remembered_signatures

signatures = remembered_signatures()


def test_a_listener_whose_name_is_taken_plays_a_whole_game_under_another() -> None:
    net = Net(2)
    net.listener(2).me = replace(net.listener(2).me, name="Bob")
    net.sit_down("winning_score=1", game="crazy_eights")
    net.run()
    names = ["Ann", "Bob", "Bob 2"]
    other = f"Bob [{key_letters(net.listener(1).me.key)}]"  # for a person who has that name too
    for i in range(3):
        shown = [person.name for person in net.view(i).people]
        assert shown == (["Ann", other, "Bob 2"] if i == 2 else names)
        assert shown == list(net.at(i).names)
        assert [side.name for side in net.at(i).header.sides] == names
        assert net.at(i).phase == "closed"
    assert {net.at(i).finding for i in range(3)} == {Verdict.GOOD}


@pytest.mark.parametrize("alike", ["Воb", "ＢＯＢ", "B\u200bob", "bób", "B.o.b"])
def test_nobody_at_a_table_is_given_a_name_that_looks_like_anothers(alike: str) -> None:
    net = Net(2)
    net.listener(2).me = replace(net.listener(2).me, name=alike)
    net.sit_down("winning_score=1", game="crazy_eights")
    run_to(net, 1)
    assert [side.name for side in net.at(0).header.sides][2].endswith(" 2")


@pytest.mark.parametrize("knower", [0, 1])
def test_a_person_who_looks_like_somebody_i_know_is_shown_with_the_letters_of_their_key(knower: int) -> None:
    """To a coordinator and to a listener, who knows of another listener by the header alone."""
    net, friend = Net(2), bytes(32)
    table, stranger = net.table if knower == 0 else net.listener(1), net.listener(2).me
    net.listener(2).me = replace(stranger, name="Аnna (trusted)")
    table.me = replace(table.me, knows=lambda: known_by_look([(friend, "Anna trusted")]))
    net.sit_down("winning_score=1", game="crazy_eights")
    net.run()
    net.say(2, "say", "Hello.")
    net.run()
    shown = f"Аnna trusted [{key_letters(stranger.key)}]"
    view = net.view(knower)
    assert shown in [person.name for person in view.people] and shown in [seat.name for seat in view.seats]
    assert "Аnna trusted" in [person.name for person in net.view(1 - knower).people]
    told = net.told[knower]
    for names in (
        next(one.seats for one in told if isinstance(one, GameStarted)),
        [one.name for one in told if isinstance(one, Acted)],
        [one.name for one in told if isinstance(one, Said)],
    ):
        assert shown in names and "Аnna trusted" not in names
    if knower == 0:
        assert shown in [one.name for one in told if isinstance(one, PlayerJoined)]
        net.say(0, "kick", shown)
        assert shown not in [person.name for person in net.view(0).people if person.link == "here"]
