from functools import partial
from random import Random

import pytest

from p2pcards.cards.eyes import eyes_of_viewer
from p2pcards.games.game import AnyGame, IllegalAction
from p2pcards.games.passing import Pass
from p2pcards.games.registry import GAMES
from p2pcards.ledger.solo import Result, play_game
from p2pcards.players.choose import choose
from rigs.in_part import every_nth


def alone(game: AnyGame, preset: str, seed: str, level: str = "carefree", max_hands: int = 500) -> Result:
    options = game.presets[preset]
    players = [
        partial(lambda rng, view, seat: choose(game, view, seat, level, rng), Random(f"{seed}/{seat}"))
        for seat in range(game.seats(options))
    ]
    return play_game(game, options, players, seed, max_hands)


pytestmark = pytest.mark.no_cover  # several times as slow under measurement; the other tests cover the same

PRESETS = [(key, preset) for key, game in GAMES.items() for preset in game.presets]


@pytest.mark.parametrize(("key", "preset"), every_nth(4, PRESETS))
def test_a_game_alone_ends_and_one_seed_gives_one_game(key: str, preset: str) -> None:
    game = GAMES[key]
    first, again, other = (alone(game, preset, seed) for seed in ("a", "a", "b"))
    assert first.finished and first == again
    assert other != first


def test_a_game_that_is_still_open_after_the_last_hand_is_unfinished() -> None:
    result = alone(GAMES["hearts"], "real-deal", "a", max_hands=2)
    assert not result.finished
    assert result.hands == 2
    assert result.decisions == 2 * (4 + 52)


def test_every_player_gets_the_view_of_its_own_seat() -> None:
    game, rng, seen = GAMES["crazy_eights"], Random(1), set()

    def player(seat: int, view: object, asked: int) -> object:
        assert asked == seat
        seen.add((seat, view.eyes))  # type: ignore[attr-defined]
        return rng.choice(game.legal(view, seat))

    play_game(game, game.presets["real-deal"], [partial(player, seat) for seat in range(4)], "a", 1)
    assert seen == {(seat, eyes_of_viewer(seat)) for seat in range(4)}


def test_an_illegal_choice_is_raised() -> None:
    game = GAMES["hearts"]
    with pytest.raises(IllegalAction, match="pass three cards"):
        play_game(game, game.presets["real-deal"], [lambda view, seat: Pass(())] * 4, "a")
