"""What the games are called: all that many commands need to know of them."""

from __future__ import annotations

GAME_NAMES = {
    "hearts": "Hearts",
    "crazy_eights": "Crazy Eights",
    "spades": "Spades",
    "whist": "Whist",
    "oh_hell": "Oh Hell",
    "euchre": "Euchre",
    "auction_pitch": "Auction Pitch",
    "gin_rummy": "Gin Rummy",
    "cribbage": "Cribbage",
    "rummy_500": "Rummy 500",
    "thirty_one": "Thirty-one",
    "pinochle": "Pinochle",
    "pinochle2": "Two-handed Pinochle",
    "pinochle_bid": "Bid Pinochle",
}
"""By hand and in the order in which they are listed; the key of a game is the name of its folder."""
