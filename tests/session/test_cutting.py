"""A player who may pick a place is offered the places; the coordinator, whose program shuffles, is not."""

from __future__ import annotations

import pytest

from p2pcards.games.cribbage.rules import Phase
from p2pcards.present.table import prompt_text
from p2pcards.session.effects import CommandError
from p2pcards.session.own_seat import NO_PICK
from p2pcards.views.happenings import Acted, FirstDealerDrawn, Remarked
from rigs.net import Net
from rigs.people import act, by_hand, to_act
from rigs.whole import chain_end


def until(net: Net, phase: Phase) -> None:
    """The game goes on until this is due; everybody takes what is offered first."""
    while net.at(0).state.phase != phase:
        act(net, net.at(0).header.seats[net.at(0).state.to_act[0]].side or 0)


def told(net: Net, i: int) -> list[str]:
    """What was said at the table, of whom."""
    return [f"{one.name}: {one.words}" for one in net.tales(i, Remarked) if one.name]


def test_a_listener_picks_from_the_fan_and_the_coordinator_takes_the_next_card() -> None:
    net = by_hand(1, game="cribbage", preset="telecards")
    assert to_act(net) == 0 and net.view(0).legal == ("cut",)
    assert prompt_text(net.view(0)).startswith("your turn (180 s): cut |")
    with pytest.raises(CommandError) as refused:
        net.say(0, "act", "cut", "12")
    assert str(refused.value) == NO_PICK and "Type 'cut'" in NO_PICK
    act(net, 0, "cut")
    assert net.view(1).legal == tuple(f"cut {place}" for place in range(1, 52))
    assert prompt_text(net.view(1)).startswith("your turn (180 s): cut 1 to 51 |")
    fan = [slot.card for slot in net.at(0).state.fan]
    act(net, 1, "cut 12")
    assert told(net, 0)[1] == told(net, 1)[1] == f"Bob: turn up {fan[11]}"
    assert [one.says for one in net.tales(0, Acted)] == ["cut for the first deal", "cut at 12 for the first deal"]
    assert chain_end(net, 0) == chain_end(net, 1)


def test_who_deals_first_is_told_once_it_is_cut() -> None:
    net = by_hand(1, game="cribbage", preset="telecards")
    assert not net.tales(0, FirstDealerDrawn) and net.tales(1, Remarked)[0].words.startswith("cut for the first deal")
    until(net, Phase.DISCARD)
    for i in (0, 1):
        (drawn,) = net.tales(i, FirstDealerDrawn)
        assert drawn.name == ("Ann", "Bob")[net.at(0).state.dealer or 0]


def test_the_place_that_a_listener_picks_is_the_starter_and_their_character_takes_the_next_card() -> None:
    starters = {}
    for words in ("cut 3", "cut 30", ""):
        net = by_hand(1, game="cribbage", preset="telecards", seed=listener_cuts())
        until(net, Phase.CUT)
        stock = [slot.card for slot in net.at(0).state.stock]
        if words:
            act(net, 1, words)
        else:
            net.say(1, "away")
            net.run_for(1)
        starters[words] = stock.index(net.at(1).state.starter[0].card)
    assert starters == {"cut 3": 2, "cut 30": 29, "": 0}


def listener_cuts() -> int:
    """A seed with which the coordinator deals first."""
    for seed in range(1, 50):
        net = by_hand(1, game="cribbage", preset="telecards", seed=seed)
        until(net, Phase.DISCARD)
        if net.at(0).state.dealer == 0:
            return seed
    raise AssertionError("the coordinator never deals")


def test_alone_one_picks_and_the_computer_player_takes_the_next_card() -> None:
    net = by_hand(0, game="cribbage", preset="telecards")
    assert net.view(0).legal[-1] == "cut 52"
    fan = [slot.card for slot in net.at(0).state.fan]
    act(net, 0, "cut 40")
    assert told(net, 0)[:2] == [f"Ann: turn up {fan[39]}", f"Betty: turn up {fan[0]}"]


def test_the_deal_of_two_handed_pinochle_is_cut_for() -> None:
    net = Net(1, auto=None)
    net.sit_down("deal_cut=true", game="pinochle2")
    net.run()
    act(net, 0, "cut")
    assert prompt_text(net.view(1)).startswith("your turn (180 s): cut 1 to 47 |")
    act(net, 1, "47")
    assert net.at(0).state.hand in (0, 1) and chain_end(net, 0) == chain_end(net, 1)
