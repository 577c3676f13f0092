"""The games that are played here, by hand and in the order in which they are listed."""

from __future__ import annotations

from p2pcards.games import (
    auction_pitch,
    crazy_eights,
    cribbage,
    euchre,
    gin_rummy,
    hearts,
    oh_hell,
    pinochle,
    pinochle2,
    pinochle_bid,
    rummy_500,
    spades,
    thirty_one,
    whist,
)
from p2pcards.games.game import AnyGame
from p2pcards.games.nearest import did_you_mean

GAMES: dict[str, AnyGame] = {
    game.key: game
    for game in (
        hearts.GAME,
        crazy_eights.GAME,
        spades.GAME,
        whist.GAME,
        oh_hell.GAME,
        euchre.GAME,
        auction_pitch.GAME,
        gin_rummy.GAME,
        cribbage.GAME,
        rummy_500.GAME,
        thirty_one.GAME,
        pinochle.GAME,
        pinochle2.GAME,
        pinochle_bid.GAME,
    )
}


class UnknownGame(ValueError):
    """There is no such game; the sentence offers the nearest name."""


def plain_name(name: str) -> str:
    """A name of a game as names are compared: in capitals or not, with spaces, hyphens or underscores."""
    return name.lower().replace("-", "_").replace(" ", "_")


def find_variant(name: str) -> tuple[AnyGame, str]:
    """The game of this name, and the preset if it names one too, as in ``double-pack pinochle``; else "". Raises
    UnknownGame."""
    for game in GAMES.values():
        for preset in game.presets:
            if plain_name(name) in [plain_name(f"{preset} {each}") for each in (game.key, *game.also)]:
                return game, preset
    return find_game(name), ""


def find_game(name: str) -> AnyGame:
    """The game of this key, or of another name that people type. Raises UnknownGame."""
    names = {plain_name(each): game for game in GAMES.values() for each in (game.key, *game.also)}
    if plain_name(name) in names:
        return names[plain_name(name)]
    meant = did_you_mean(plain_name(name), names) or f"There are {', '.join(GAMES)}."
    raise UnknownGame(f"There is no game {name!r}. {meant}")
