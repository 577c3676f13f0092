"""Whatever the level: legal, repeatable, and through the seat's own eyes only."""

import sys
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from p2pcards.cards.eyes import PUBLIC, TRUTH, eyes_of_viewer, redact
from p2pcards.cards.pack import shuffle
from p2pcards.games.cribbage import rules as cribbage
from p2pcards.games.game import AnyGame, Stage
from p2pcards.games.options import OptionError, declared_options, set_options
from p2pcards.games.parts import GameIncomplete, load_part
from p2pcards.games.pinochle2 import rules as pinochle2
from p2pcards.games.registry import GAMES
from p2pcards.players.choose import choose
from p2pcards.players.levels import LEVELS
from p2pcards.players.search import READERS
from rigs.decisions import search_less


def positions(game: AnyGame, options: Any, hands: int, rng: Random) -> Iterator[tuple[Any, int]]:
    """The states, as their seat sees them, in which somebody has to choose, over random play."""
    state = game.start(options, None)
    pack = game.pack(options)
    while state.stage != Stage.OVER and (state.stage != Stage.DEAL or state.hand < hands):
        if state.stage == Stage.DEAL:
            secret = rng.randbytes(32)
            event = game.deal(state, shuffle(pack, secret, "pack"), shuffle(pack, secret, "draw"))
        elif state.stage == Stage.SHOW:
            event = game.show(state)
        else:
            seat = rng.choice(state.to_act)
            yield redact(state, eyes_of_viewer(seat)), seat
            event = game.decide(state, seat, rng.choice(game.legal(state, seat)))
        state = game.play(state, event)


def random_options(game: AnyGame, rng: Random) -> Any:
    """Any options that do not contradict each other."""
    try:
        return set_options(game.options(), random_changes(game, rng))
    except OptionError:
        return random_options(game, rng)


def random_changes(game: AnyGame, rng: Random) -> dict[str, str]:
    changes = {}
    for option in declared_options(game.options):
        if option.kind == "flag":
            changes[option.key] = rng.choice(("true", "false"))
        elif option.kind == "choice":
            changes[option.key] = rng.choice(option.choices)
        elif option.high - option.low < 10:
            changes[option.key] = str(rng.randint(option.low, option.high))
    return changes


@pytest.mark.parametrize("level", ["carefree", "novice"])
@pytest.mark.parametrize(
    ("game", "options"),
    [(cribbage.GAME, cribbage.PRESETS["telecards"]), (pinochle2.GAME, pinochle2.Options(deal_cut=True))],
)
def test_a_computer_player_never_picks_a_place(game: AnyGame, options: Any, level: str) -> None:
    rng, cuts = Random(7), 0
    for _ in range(5):
        state = game.start(options, None)
        for _ in range(8):
            if state.stage == Stage.DEAL:
                pack = game.pack(options)
                event = game.deal(
                    state, shuffle(pack, rng.randbytes(8), "pack"), shuffle(pack, rng.randbytes(8), "draw")
                )
            else:
                seat = state.to_act[0]
                picks = [action for action in game.legal(state, seat) if game.picks(state, action)]
                action = choose(game, redact(state, eyes_of_viewer(seat)), seat, level, rng)
                assert action not in picks
                cuts += bool(picks)
                event = game.decide(state, seat, action)
            state = game.play(state, event)
    assert cuts > 5


@pytest.mark.parametrize(("games", "choices"), [(6, 100), pytest.param(30, 500, marks=pytest.mark.slow)])
@pytest.mark.parametrize("level", ["carefree", "novice"])
@pytest.mark.parametrize("key", GAMES)
def test_every_choice_is_legal_in_any_position_under_any_options(
    key: str, level: str, games: int, choices: int
) -> None:
    game, rng = GAMES[key], Random(f"legal {key}")
    chosen = 0
    for _ in range(games):
        for view, seat in positions(game, random_options(game, rng), 3, rng):
            assert choose(game, view, seat, level, rng) in game.legal(view, seat)
            chosen += 1
    assert chosen > choices


@pytest.mark.parametrize("level", ["carefree", "novice"])
@pytest.mark.parametrize("key", GAMES)
def test_the_same_view_and_chance_give_the_same_choice(key: str, level: str) -> None:
    game = GAMES[key]
    options = game.options()
    for number, (view, seat) in enumerate(positions(game, options, 2, Random(key))):
        assert choose(game, view, seat, level, Random(number)) == choose(game, view, seat, level, Random(number))


def test_carefree_chooses_every_action_alike() -> None:
    game = GAMES["hearts"]
    views = positions(game, game.presets["real-deal"], 1, Random(4))
    view, seat = max(((v, s) for v, s in views if not v.passed), key=lambda pair: len(game.legal(*pair)))
    actions, rng = game.legal(view, seat), Random(4)
    counts = dict.fromkeys(actions, 0)
    for _ in range(200 * len(actions)):
        counts[choose(game, view, seat, "carefree", rng)] += 1
    assert len(actions) > 5
    assert all(140 < count < 260 for count in counts.values())


def test_a_carefree_bidder_at_spades_bids_one_to_four_and_never_nil() -> None:
    game, rng = GAMES["spades"], Random(4)
    view, seat = next(positions(game, game.presets["real-deal"], 1, Random(4)))
    counts = Counter(choose(game, view, seat, "carefree", rng).tricks for _ in range(400))
    assert sorted(counts) == [1, 2, 3, 4]
    assert all(60 < count < 140 for count in counts.values())


def test_a_game_that_nobody_can_search_is_played_at_novice_by_the_levels_above(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(READERS, "hearts")
    game = GAMES["hearts"]
    for view, seat in positions(game, game.presets["real-deal"], 1, Random(5)):
        choices = {choose(game, view, seat, level, Random(5)) for level in LEVELS[1:]}
        assert len(choices) == 1


def test_a_game_without_a_novice_is_refused_and_not_played_carefree(monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES["hearts"]
    load_part.cache_clear()
    monkeypatch.setitem(sys.modules, "p2pcards.games.hearts.novice", None)
    monkeypatch.delitem(READERS, "hearts")
    view, seat = next(positions(game, game.presets["real-deal"], 1, Random(6)))
    for level in LEVELS[1:]:
        with pytest.raises(GameIncomplete, match=r"write p2pcards/games/hearts/novice\.py with choose"):
            choose(game, view, seat, level, Random(6))
    assert choose(game, view, seat, "carefree", Random(6)) in game.legal(view, seat)


@pytest.mark.parametrize("level", LEVELS)
def test_a_player_that_is_handed_the_truth_refuses_it(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    search_less(monkeypatch, 1_000)
    game = GAMES["hearts"]
    state = game.start(game.presets["real-deal"], 0)
    pack = game.pack(state.options)
    state = game.play(state, game.deal(state, pack, pack))
    for eyes in (TRUTH, eyes_of_viewer(1), PUBLIC | eyes_of_viewer(0) | eyes_of_viewer(1)):
        with pytest.raises(ValueError, match="eyes of its own seat"):
            choose(game, redact(state, eyes), 0, level, Random(0))
    assert choose(game, redact(state, eyes_of_viewer(0)), 0, level, Random(0))


def test_a_seat_that_owes_nothing_chooses_nothing() -> None:
    game = GAMES["hearts"]
    state = redact(game.start(game.presets["real-deal"], 0), eyes_of_viewer(0))
    with pytest.raises(ValueError, match="owes no action"):
        choose(game, state, 0, "novice", Random(0))
