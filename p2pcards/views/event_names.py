"""The events at a table that a bell, or a command of the player's own, may tell of."""

from __future__ import annotations

from collections.abc import Mapping

TABLE_EVENTS: Mapping[str, str] = {
    "turn": "it is your turn",
    "joined": "somebody sits down",
    "start": "a table opens (the bell: you sit down at one)",
    "shuffle": "a hand is dealt",
    "play": "somebody plays, draws or says something in the game",
    "knock": "somebody knocks",
    "hand_won": "a hand is over, and nobody did better in it than you",
    "hand_lost": "a hand is over, and somebody did better in it",
    "game_won": "you have won a game",
    "game_lost": "somebody else has won a game",
    "exit": "a table closes (the bell: you go back to the shell)",
}
"""Each by its name, with when it comes."""

RUNG = ("turn", "joined", "game_won", "game_lost")
"""Those at which the bell rings unless the player wants it otherwise."""
