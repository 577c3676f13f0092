"""A hint that is thought about: asked again, given up, done as soon as it is known."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

import pytest

from at_hand import TableAtHand
from p2pcards.cards.card import parse_card
from p2pcards.cards.eyes import slots_of
from p2pcards.control.messages import Happened
from p2pcards.daemon.machines import CAST
from p2pcards.games.game import AnyGame
from p2pcards.games.registry import GAMES
from p2pcards.games.spelling import cards_in_text, spell_action
from p2pcards.games.telling import Skill, Way, load_told
from p2pcards.ledger.position import Position
from p2pcards.players.choose import choose, rate
from p2pcards.present.cards import Style
from p2pcards.present.story import happening_sentence
from p2pcards.present.width import wrap_words
from p2pcards.session.effects import CommandError, Effect, Tell, Think
from p2pcards.session.own_seat import Hints, hint_for
from p2pcards.views.advice import TELLING, Rated, make_hint
from p2pcards.views.happenings import AlternativesExplained, Happening, Hinted, Notice, Obvious
from p2pcards.views.tableview import Command

POSITION = TableAtHand("whist", "", 1).position()
WEIGHED = tuple([Rated(action) for action in POSITION.game.legal(POSITION.own_view, POSITION.seat or 0)])


def nothing() -> list[Effect]:
    raise AssertionError("nothing is to be done")


def asked(hints: Hints, *words: str, do: Callable[[], list[Effect]] = nothing) -> list[Effect]:
    return hints.ask(POSITION, words, do)


def text(effects: list[Effect]) -> str:
    (told,) = effects
    assert isinstance(told, Tell) and isinstance(told.happening, Notice)
    return told.happening.text


def thought(effects: list[Effect]) -> Think:
    (think,) = effects
    assert isinstance(think, Think)
    return think


def told(effects: list[Effect]) -> list[type]:
    return [type(effect.happening) for effect in effects if isinstance(effect, Tell)]


def test_asking_again_does_not_begin_anew() -> None:
    hints = Hints(CAST)
    think = thought(asked(hints))
    assert text(asked(hints)) == "Still thinking ... ('hint off' cancels)"
    assert hints.awaits(think, POSITION)
    assert told(hints.hinted(think, WEIGHED, POSITION, nothing)) == [Hinted]
    assert told(asked(hints)) == [Hinted]  # at once, as it is known
    assert told(hints.explain(POSITION)) == [AlternativesExplained]


def test_what_is_asked_meanwhile_is_answered_with_it() -> None:
    hints, done = Hints(CAST), list[str]()

    def do() -> list[Effect]:
        done.append("done")
        return []

    think = thought(asked(hints))
    asked(hints, "do")
    asked(hints)
    assert told(hints.hinted(think, WEIGHED, POSITION, do)) == [Hinted] and done == ["done"]
    assert told(asked(hints, "do", do=do)) == [Hinted] and done == ["done"] * 2
    think = thought(asked(other := Hints(CAST)))
    other.explain(POSITION)
    assert told(other.hinted(think, WEIGHED, POSITION, nothing)) == [AlternativesExplained]


def test_it_is_given_up() -> None:
    hints = Hints(CAST)
    with pytest.raises(CommandError, match="There's no hint to cancel"):
        asked(hints, "off")
    think = thought(asked(hints))
    assert text(asked(hints, "off")) == "Hint canceled."
    assert not hints.awaits(think, POSITION) and hints.hinted(think, WEIGHED, POSITION, nothing) == []
    assert thought(asked(hints)) is not think
    with pytest.raises(CommandError, match="or 'hint off' to cancel it, not 'hint stop'"):
        asked(hints, "stop")


def test_a_search_tells_in_how_many_hands_a_knock_is_undercut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2pcards.players.choose.skill_of", lambda _key, _level: Skill(Way.SEARCH, 120))
    table, found = TableAtHand("gin_rummy", "", 1), list[Rated]()
    for _ in range(400):
        view = table.view()
        if any(words.startswith("knock") for words in view.legal):
            position = table.position()
            weighed = rate(position.game, position.own_view, 0, "expert", Random(1))
            found += [one for one in weighed if type(one.action).__name__ == "Knock" and one.hands > 1]
        if len(found) > 3:
            break
        table.say(Command("act", tuple(table.suggestion().split())))
    undercut = [one.mishaps[0] for one in found]
    assert all(0 <= times <= one.hands for times, one in zip(undercut, found, strict=True)) and any(undercut)


DECISIONS = [pytest.param(6, id="6"), pytest.param(2_000, id="2000", marks=pytest.mark.slow)]
LONGEST_SENTENCE = 180
LINES, COLUMNS = 5, 60
"""In the smallest window there is room for a hint of so many lines."""


@pytest.mark.parametrize("decisions", DECISIONS)
@pytest.mark.parametrize("key", GAMES)
def test_a_hint_and_why_it_is_not_the_obvious_play_show_no_hidden_card(
    key: str, decisions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the same whenever it is asked for, and short."""
    monkeypatch.setattr("p2pcards.players.choose.skill_of", lambda _key, _level: Skill(Way.SEARCH, 30, 300))
    told, rng, seed = 0, Random(key), 0
    while told < decisions:
        seed += 1
        table = TableAtHand(key, rng.choice(list(GAMES[key].presets)), seed)
        while told < decisions and (legal := table.view().legal):
            position = table.position()
            if len(legal) > 1 and position.seat is not None and rng.random() < 0.3:
                check_hint(position, position.seat)
                told += 1
            table.say(Command("act", tuple(rng.choice(legal).split())))


def check_hint(position: Position, seat: int) -> None:
    think = hint_for(position)
    weighed = rate(think.game, think.view, seat, think.level, Random(think.seed))
    once = make_hint(position, seat, weighed, CAST)
    assert weighed == rate(think.game, think.view, seat, think.level, Random(think.seed))
    check_reason(position, weighed, once.obvious)
    seen = {slot.card.face for slot in slots_of(position.own_view) if slot.card}
    text = happening_sentence(once, style=Style(ascii=True))
    assert {card.face for card in cards_in_text(text.replace("10", "T"))} <= seen | {parse_card("QS")}, text
    assert "QS" not in text or once.aim == "to drive out the QS" or parse_card("QS") in seen
    assert all(len(sentence) <= LONGEST_SENTENCE for sentence in text.split(". ")), text
    assert len(wrap_words(f"{text} Press O to do it.", COLUMNS)) <= LINES, text
    if once.obvious is not None:
        assert once.obvious.words != once.words and once.obvious.hands > 0
        assert 0 <= once.obvious.here <= once.obvious.hands and once.obvious.times <= once.obvious.hands
        assert bool(once.obvious.mishap) == bool(once.obvious.times)
        points = re.search(r"is about ([\d.]+) point", text)
        assert points is None or float(points[1]) == pytest.approx(once.obvious.worse, abs=0.5)


def check_reason(position: Position, weighed: Sequence[Rated], told: Obvious | None) -> None:
    """What is printed against the obvious play is the difference that was found, and one against it."""
    best, others = weighed[0], [one for one in weighed[1:] if one.obvious and one.hands]
    sides = len(position.game.sides(position.own_view.options)) or len(position.own_view.hands)
    mishaps = load_told(position.game.key).mishaps
    if told is None:
        assert all(one.worth >= best.worth for one in others)
        return
    (obvious,) = others
    assert told.worse == pytest.approx((best.worth - obvious.worth) / (sides - 1)) and told.hands == obvious.hands
    if not told.mishap:
        assert told.worse > 0
        return
    place = mishaps.index(told.mishap)
    assert (told.times, told.here) == (obvious.mishaps[place], best.mishaps[place])
    assert told.times / obvious.hands - told.here / best.hands >= TELLING


@pytest.mark.parametrize("key", GAMES)
def test_the_chances_of_a_hint_follow_from_what_the_seat_sees(key: str) -> None:
    """Whatever else came into the log meanwhile."""
    table, seeds, heads = TableAtHand(key, "", 1), list[int](), set[bytes]()
    while table.view().legal and len(seeds) < 6:
        asked_first = hint_for(table.position())
        heads.add(table.position().head)
        table.say(Command("away"))
        table.say(Command("back"))
        assert table.position().head not in heads
        asked_later = hint_for(table.position())
        assert asked_later.seed == asked_first.seed and asked_later.view == asked_first.view
        seeds.append(asked_later.seed)
        table.say(Command("act", tuple(table.suggestion().split())))
    assert len(set(seeds)) == len(seeds) > 1


@pytest.fixture
def in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """An expert never has the same time, and says something else each time."""
    chances = Random(1)

    def rate_in_haste(game: AnyGame, view: object, seat: int, _level: str, _rng: Random) -> tuple[Rated, ...]:
        legal = list(game.legal(view, seat))
        return tuple([Rated(action, chances.random(), 0.1, 9) for action in chances.sample(legal, len(legal))])

    monkeypatch.setattr("at_hand.rate", rate_in_haste)


@pytest.mark.usefixtures("in_haste")
@pytest.mark.parametrize("key", GAMES)
def test_a_hint_is_kept_for_its_position(key: str) -> None:
    table, several = TableAtHand(key, "", 1), 0
    while table.view().legal and several < 6:
        several += len(table.view().legal) > 1
        first = hints_told(table)
        for word in ("away", "back"):
            table.say(Command(word))
        assert hints_told(table) == first
        table.say(Command("act", tuple(table.suggestion().split())))
    assert several == 6


@pytest.mark.usefixtures("in_haste")
def test_a_hint_is_kept_for_a_position_that_a_player_comes_back_to() -> None:
    """What is done then is what was said."""
    table = TableAtHand("whist", "", 1)
    first, played = hints_told(table), len(table.position().steps)
    table.say(Command("act", (table.view().legal[0],)))
    assert hints_told(table) != first
    table.say(Command("undo"))
    assert hints_told(table) == first
    table.say(Command("do"))
    hinted, action = first[0], table.position().steps[played].action
    assert isinstance(hinted, Hinted) and hinted.words == spell_action(action)


def hints_told(table: TableAtHand) -> list[Happening]:
    """With all alternatives."""
    table.news()
    table.say(Command("hint"))
    table.say(Command("explain"))
    return [one.happening for one in table.news() if isinstance(one, Happened)]


@pytest.mark.parametrize("key", GAMES)
def test_a_deal_that_is_asked_for_again_by_number_brings_the_same_hint(key: str) -> None:
    """The log, its keys and the shuffles of two sittings have nothing in common."""
    first, second = [hint_for(TableAtHand(key, "", sitting, deal=34559).position()) for sitting in (1, 2)]
    assert first.view == second.view and first.seed == second.seed


def by_thumb(game: AnyGame, view: object, seat: int, _level: str, rng: Random) -> tuple[Rated, ...]:
    return (Rated(choose(game, view, seat, "novice", rng)),)


def test_the_meld_that_a_hint_is_for_is_done_too_once_the_trick_is_won(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("at_hand.rate", by_thumb)
    found = set[str]()
    for seed in range(1, 9):
        table = TableAtHand("pinochle2", "", seed)
        while table.view().legal and table.view().hand == 1:
            table.news()
            table.say(Command("hint"))
            hinted = [one.happening for one in table.news() if isinstance(one, Happened)][-1]
            assert isinstance(hinted, Hinted)
            table.say(Command("do"))
            if hinted.then is None or table.view().hand > 1:
                continue
            melds = [words for words in table.view().legal if words.startswith("meld")]
            scores = table.view().seats[0].score
            if melds:
                table.say(Command("do"))
                assert table.view().seats[0].score > scores or table.view().hand > 1
                found.add("won")
            else:
                with pytest.raises(CommandError, match="There's no hint to play yet"):
                    table.say(Command("do"))
                found.add("lost")
    assert found == {"won", "lost"}


def test_a_draw_of_the_last_card_face_down_is_hinted_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("at_hand.rate", by_thumb)
    table = TableAtHand("pinochle2", "", 1)
    while table.view().hand == 1:
        if "draw" in table.view().legal:
            table.say(Command("hint"))
        table.say(Command("act", tuple(table.suggestion().split())))
