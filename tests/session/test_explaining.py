"""Advice at a table: the alternatives, the hand, for whom it is, and what it leaves as it was."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from p2pcards.cards.card import parse_card
from p2pcards.cards.eyes import slots_of
from p2pcards.daemon.machines import CAST
from p2pcards.games.registry import GAMES
from p2pcards.games.spelling import cards_in_text
from p2pcards.games.telling import Skill, Way
from p2pcards.players.choose import choose, rate
from p2pcards.players.levels import USUAL
from p2pcards.players.search import READERS
from p2pcards.session.coordinator import Coordinator
from p2pcards.session.effects import CommandError, Me, Tell, Think
from p2pcards.views.advice import leads_in_hand
from p2pcards.views.happenings import AlternativesExplained, HandAnalyzed, Hinted, Notice
from p2pcards.views.tableview import Command
from rigs.in_part import every_nth
from rigs.net import key_of
from rigs.people import act, by_hand, to_act

PRESETS = [(key, preset) for key, game in GAMES.items() for preset in game.presets]


class SeededTable:
    """A table at which one person plays against novices, everything from a seed."""

    def __init__(self, key: str, preset: str, seed: int) -> None:
        rng = Random(seed)
        me = Me(key_of(0, seed), "Ann", "betty")
        self.machine = Coordinator(me, entropy=rng.randbytes, now=0.0, cast=CAST, turn_clock=0, alone=True)
        self.told: list[Any] = []
        self.say("game", key, preset)
        self.say("start")

    def say(self, *words: str) -> None:
        effects = self.machine.command(Command(words[0], words[1:]), 0.0)
        while effects := [*effects, *([] if effects else self.machine.after_effects(0.0))]:
            effect, *effects = effects
            match effect:
                case Tell(happening):
                    self.told.append(happening)
                case Think(seat, game, view, level, seed, True):
                    effects += self.machine.hinted(effect, rate(game, view, seat, level, Random(seed)), 0.0)
                case Think(seat, game, view, _, seed):
                    effects += self.machine.thought(effect, choose(game, view, seat, "novice", Random(seed)), 0.0)

    @property
    def position(self) -> Any:
        game = self.machine.table.game
        assert game is not None
        return game.position

    def play(self) -> bool:
        """What is legal in turn; whether it is my turn again."""
        legal = self.machine.view(0.0).legal
        if legal:
            self.say("act", *legal[len(self.told) % len(legal)].split())
        return bool(self.machine.view(0.0).legal)


@pytest.fixture
def quick_experts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Advice after a few hands."""
    monkeypatch.setitem(USUAL, "expert", Skill(Way.SEARCH, 8))


@pytest.mark.usefixtures("quick_experts")
@pytest.mark.parametrize(("key", "preset"), every_nth(4, PRESETS))
def test_every_kind_of_decision_is_explained_and_the_hand_analyzed(key: str, preset: str) -> None:
    table = SeededTable(key, preset, 1)
    kinds: set[tuple[str, int]] = set()
    wanted = 0
    for _ in range(26):
        view = table.machine.view(0.0)
        kind = (view.legal[0].split()[0] if view.legal else "", len(view.trick))
        if view.legal and (kind not in kinds or len(kinds) < 3):
            kinds.add(kind)
            wanted += 1
            table.say("explain")
            said = table.told[-1]
            assert isinstance(said, AlternativesExplained)
            assert 1 <= len(said.alternatives) <= 6 and said.legal == len(view.legal)
            assert {one.words for one in said.alternatives} <= {*view.legal, *dict(view.calls).values(), "cut"}
            assert all(one.words and "{" not in one.aim for one in said.alternatives)
            assert said.hands > 0 or key not in READERS or said.weighed == 1
            seen = {slot.card.face for slot in slots_of(table.position.own_view) if slot.card}
            for one in said.alternatives:
                assert {card.face for card in cards_in_text(one.words)} <= seen
                assert {card.face for card in cards_in_text(one.aim)} <= seen or one.aim == "to drive out the QS"
            table.say("hint")
            assert table.told[-1].words == said.alternatives[0].words
        table.say("analyze")
        assert isinstance(table.told[-1], HandAnalyzed) and table.told[-1].found
        assert all("{" not in words for _, words in table.told[-1].found)
        if not table.play():
            break
    assert wanted


@pytest.mark.usefixtures("quick_experts")
def test_advice_changes_nothing_of_the_game() -> None:
    """A seeded table deals and plays the same, whether its player is advised or not."""
    plain, advised = (SeededTable("whist", "real-deal", 3) for _ in range(2))
    for _ in range(30):
        before = advised.position.head
        for word in ("hint", "explain", "analyze"):
            advised.say(word)
        assert advised.position.head == before == plain.position.head
        legal = plain.machine.view(0.0).legal
        for table in (plain, advised):
            table.say("act", *legal[-1].split())
    assert plain.position.state.hand > 1  # the next hand was dealt from the same chances too
    assert plain.machine.table.entropy(8) == advised.machine.table.entropy(8)  # and so is what comes after this game


@pytest.mark.usefixtures("quick_experts")
def test_the_same_question_has_the_same_answer() -> None:
    table = SeededTable("hearts", "real-deal", 3)
    answers = []
    for _ in range(2):
        table.say("explain")
        answers.append(table.told[-1])
    assert answers[0] == answers[1]


@pytest.mark.usefixtures("quick_experts")
def test_the_first_alternative_can_be_done() -> None:
    table = SeededTable("whist", "real-deal", 3)
    table.say("explain")
    first = table.told[-1].alternatives[0].words
    assert first in table.machine.view(0.0).legal
    table.say("do")
    assert first not in table.machine.view(0.0).legal


def test_where_people_play_it_is_allowed_with_the_hint_and_not_without() -> None:
    for net in (by_hand(2), by_hand(2, allow="recall review melds distribution")):
        for end in (0, 1):
            for word in ("explain", "analyze"):
                with pytest.raises(CommandError, match=r"^Hints are off at this table\. .*between games: allow hint"):
                    net.say(end, word)
    net = by_hand(2, allow="hint")
    for end in (0, 1):
        net.say(end, "analyze")
        assert net.tales(end, HandAnalyzed)


def test_a_listener_is_explained_their_own_alternatives_alone() -> None:
    net = by_hand(1, allow="hint", seed=2)
    for _ in range(2):
        i = to_act(net)
        net.say(i, "explain")
        net.run()
        (said,) = net.tales(i, AlternativesExplained)[-1:]
        assert {one.words for one in said.alternatives} <= set(net.view(i).legal)
        assert not net.tales(1 - i, AlternativesExplained) or i != 0
        act(net, i)
        net.run()


def test_out_of_turn_it_is_told_who_is_to_act_and_what_can_be_done_meanwhile() -> None:
    net = by_hand(1, allow="hint")
    i = to_act(net)
    net.say(1 - i, "explain")
    name = net.view(i).seats[net.view(i).me or 0].name
    assert net.tales(1 - i, Notice)[-1].text == (
        f"Waiting for {name}. Meanwhile, 'analyze' sums up your hand, and 'table' and 'last' show what was played."
    )
    assert not net.tales(1 - i, AlternativesExplained)
    net.say(i, "away")
    net.run()
    net.say(i, "explain")
    assert net.tales(i, Notice)[-1].text.startswith("Your character is playing for you. Type 'back' to take over.")


def test_between_games_it_is_told_what_comes_first() -> None:
    net = by_hand(1, allow="hint")
    net.say(0, "end")
    net.run()
    for word in ("explain", "analyze"):
        with pytest.raises(CommandError, match=r"No game in progress\. Pick one with 'game NAME', then type 'start'\."):
            net.say(0, word)
        with pytest.raises(CommandError, match=r"No game in progress\."):
            net.say(1, word)


def test_what_came_too_late_is_not_explained() -> None:
    net = by_hand(1, allow="hint", seed=2)
    i = to_act(net)
    net.say(i, "explain")
    act(net, i)  # they act before the answer has come
    assert not net.tales(i, AlternativesExplained) and not net.tales(i, Hinted)


@pytest.mark.parametrize("key", ["whist", "hearts", "euchre", "pinochle2"])
def test_who_has_led_what_is_read_from_the_hand_that_is_on(key: str) -> None:
    table = SeededTable(key, next(iter(GAMES[key].presets)), 5)
    seats = {"you": 0} | {seat.name: seat.seat for seat in table.machine.view(0.0).seats if seat.seat}
    checked = 0
    while checked < 3 and table.play():
        position = table.position
        ranking = GAMES[key].ranking(position.view)
        table.say("review")
        first = [trick[0] for trick in table.told[-1].tricks]
        found = [(seats[name], ranking.counted(parse_card(card)).suit if ranking else None) for name, card in first]
        if ranking:
            assert list(leads_in_hand(position)[: len(found)]) == found
            checked += len(found) > 1
    assert checked or key == "pinochle2"


def test_names_stand_where_seats_are_meant() -> None:
    table = SeededTable("cribbage", "real-deal", 1)
    table.say("analyze")
    laid = [words for _, words in table.told[-1].found]
    assert not re.search(r"[{}]", " ".join(laid))
