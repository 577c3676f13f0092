"""What is told of a game while it is played."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest

from at_hand import TableAtHand
from p2pcards.cards.card import Card
from p2pcards.control.messages import Happened
from p2pcards.games.registry import GAMES
from p2pcards.games.spelling import cards_in_text, read_action, spell_action
from p2pcards.present.cards import Style
from p2pcards.present.story import happening_sentence
from p2pcards.views.happenings import Acted, CardsCame, HandDealt, HandScored, Happening, Hinted, Remarked, Starts
from p2pcards.views.tableview import Command, TableView
from rigs.laws import some
from rigs.net import Net

TURNS = 80
STARTS = 6


@cache
def turns(key: str) -> list[tuple[TableView, list[Happening], TableView]]:
    """What was told between two of my turns of a game that novices play, with the table before and after."""
    table = TableAtHand(key, next(iter(GAMES[key].presets)), 1)
    found: list[tuple[TableView, list[Happening], TableView]] = []
    before, _ = latest(table)
    while before.legal and len(found) < TURNS:
        table.say(Command("act", tuple(table.suggestion().split())))
        after, told = latest(table)
        found.append((before, told, after))
        before = after
    assert len(found) > 10
    return found


def latest(table: TableAtHand) -> tuple[TableView, list[Happening]]:
    *told, view = table.news()
    assert isinstance(view, TableView)
    return view, [one.happening for one in told if isinstance(one, Happened)]


def hand(view: TableView) -> Counter[str]:
    assert view.me is not None
    return Counter([str(Card(card)) for card in view.seats[view.me].known])


@pytest.mark.parametrize("key", GAMES)
def test_every_card_that_comes_into_my_hand_is_named(key: str) -> None:
    for before, told, after in turns(key):
        if any(isinstance(one, HandDealt) for one in told):
            continue
        named = Counter[str]()
        for one in told:
            if isinstance(one, CardsCame):
                named.update(one.cards.split())
            elif isinstance(one, Acted) and one.mine:
                named.update(map(str, cards_in_text(f"{one.words} {one.cards} {one.says}")))
        assert not hand(after) - hand(before) - named


@pytest.mark.parametrize("key", GAMES)
def test_every_hand_is_told_with_its_sheet_and_stays_to_be_looked_up(key: str) -> None:
    hands = 0
    for _, told, after in turns(key):
        for one in told:
            if isinstance(one, HandScored):
                hands += 1
                assert (one.sheet.hand, len(one.names)) == (hands, len(after.seats))
        assert len(after.rounds) == hands
        assert (after.sheet.hand if after.sheet else 0) == hands


@pytest.mark.parametrize("turns_of_mine", [20, pytest.param(TURNS, marks=pytest.mark.slow)])
@pytest.mark.parametrize("key", GAMES)
def test_what_is_told_of_an_action_may_be_typed_back(key: str, turns_of_mine: int) -> None:
    table = TableAtHand(key, next(iter(GAMES[key].presets)), 2)
    rng = Random(1)
    view, _ = latest(table)
    for _ in range(turns_of_mine):
        if not view.legal:
            break
        position = table.position()
        game, seat = position.game, position.seat
        assert seat is not None
        for action in some(game.legal(position.view, seat), 10, rng):
            for style in (Style(), Style(ascii=True)):
                told = happening_sentence(Hinted(spell_action(action)), style=style)
                words = told.removeprefix("Suggested play: ").removesuffix(".").split()
                assert read_action(game, position.view, seat, words) == action
        table.say(Command("act", tuple(table.suggestion().split())))
        view, _ = latest(table)


@pytest.mark.parametrize("key", GAMES)
def test_who_starts_is_told_once_a_hand_and_acts_first(key: str) -> None:
    """In a game of tricks who leads to the first, once that is known."""
    tricks = any(after.trick and after.called == "trick" for _, _, after in turns(key))
    to = "trick" if tricks else "card" if key == "cribbage" else ""
    acted: set[str] = set()
    started, due = 0, ""
    for one in [one for _, told, _ in turns(key) for one in told]:
        match one:
            case HandDealt():
                assert not due and (not acted or to in acted)
                acted = set()
            case Starts(name=name):
                assert one.to not in acted
                acted.add(one.to)
                started, due = started + 1, name
            case Acted(name=name) if due:
                assert name == due
                due = ""
    assert started


@pytest.mark.parametrize("key", ["whist", "spades", "hearts", "cribbage"])
def test_everybody_is_told_the_same_of_who_starts(key: str) -> None:
    net = Net(1, seed=2)
    net.sit_down(game=key, preset=next(iter(GAMES[key].presets)))
    while min([len(net.tales(side, Starts)) for side in (0, 1)]) < STARTS:
        net.deliver(net.next_event())
    mine, theirs = [[(tale.name, tale.to) for tale in net.tales(side, Starts)[:STARTS]] for side in (0, 1)]
    assert mine == theirs


def test_both_players_hear_every_peg_of_either() -> None:
    net = Net(1, seed=3)
    net.sit_down(game="cribbage")
    net.run()
    pegs = [
        [(one.name, one.words) for one in net.tales(side, Remarked) if one.words.startswith(("peg ", "count "))]
        for side in (0, 1)
    ]
    assert pegs[0] == pegs[1]
    scored = Counter[str]()
    for name, words in pegs[0]:
        scored[name] += int(words.split()[1]) if "nothing" not in words else 0
    last = net.tales(0, HandScored)[-1]
    assert [scored[name] for name in last.names] == [*last.sheet.totals]


def test_the_rear_pegs_of_cribbage_come_with_the_view() -> None:
    table = TableAtHand("cribbage", "real-deal", 1)
    view, _ = latest(table)
    while view.hand < 3:
        table.say(Command("act", tuple(table.suggestion().split())))
        view, _ = latest(table)
    assert all(0 < rear < seat.score for rear, seat in zip(view.rear, view.seats, strict=True))
