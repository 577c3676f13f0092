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


def find_game(key: str) -> AnyGame:
    """The game of this key. Raises UnknownGame."""
    if key in GAMES:
        return GAMES[key]
    meant = did_you_mean(key.lower().replace("-", "_").replace(" ", "_"), GAMES) or f"There are {', '.join(GAMES)}."
    raise UnknownGame(f"There is no game {key!r}. {meant}")
