"""The games that are played here. Each is loaded when it is first asked for: all of them take longer than most commands
take otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from p2pcards.games.game import AnyGame
from p2pcards.games.names import GAME_NAMES
from p2pcards.games.nearest import did_you_mean
from p2pcards.games.parts import load_part


class Games(Mapping[str, AnyGame]):
    """By key, in the order of `names.GAME_NAMES`."""

    def __getitem__(self, key: str) -> AnyGame:
        """Load the game of this key."""
        if key not in GAME_NAMES:
            raise KeyError(key)
        game: AnyGame = load_part(key, "rules")
        return game

    def __contains__(self, key: object) -> bool:
        return key in GAME_NAMES

    def __iter__(self) -> Iterator[str]:
        return iter(GAME_NAMES)

    def __len__(self) -> int:
        return len(GAME_NAMES)


GAMES = Games()


class UnknownGame(ValueError):
    """There is no such game; the sentence offers the nearest name."""


def plain_name(name: str) -> str:
    """The name of a game in one form for comparing: lower case, words divided alike."""
    return name.lower().replace("-", "_").replace(" ", "_")


def names_to_type(game: AnyGame) -> tuple[str, ...]:
    return (game.key, game.name, *game.also)


def find_variant(name: str) -> tuple[AnyGame, str]:
    """The game of this name, and the preset if the name gives one too, as in ``double-pack pinochle``; else "". Raises
    UnknownGame."""
    if plain_name(name) in GAMES:
        return GAMES[plain_name(name)], ""
    for game in GAMES.values():
        for preset in game.presets:
            if plain_name(name) in [plain_name(f"{preset} {each}") for each in names_to_type(game)]:
                return game, preset
    return find_game(name), ""


def find_game(name: str) -> AnyGame:
    """The game of this key, or of another name that people type. Raises UnknownGame."""
    if plain_name(name) in GAMES:
        return GAMES[plain_name(name)]
    names = {plain_name(each): game for game in GAMES.values() for each in names_to_type(game)}
    if plain_name(name) in names:
        return names[plain_name(name)]
    meant = did_you_mean(plain_name(name), names) or f"The games are {', '.join(GAMES)}."
    raise UnknownGame(f"There's no game {name!r}. {meant}" if name else f"No game picked yet. {meant}")
