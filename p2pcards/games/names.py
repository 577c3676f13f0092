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

USUAL = "usual"
"""The preset of every game that is as most people play it today."""

PRESETS_IN_WORDS = {
    USUAL: "as most play it today",
    "real-deal": "as in The Real Deal",
    "hearts-deluxe": "as in Hearts Deluxe",
    "telecards": "as in TeleCards",
    "meggiesoft": "as in MeggieSoft's games",
    "standard": "with big gin and all bonuses",
    "oklahoma": "as Oklahoma, with all bonuses",
    "hollywood": "as Hollywood, with all bonuses",
    "double-pack": "with the double pack",
    "bid": "as in Two-Handed Bid Pinochle",
}
"""What people read for the presets that they type."""


def preset_in_words(preset: str) -> str:
    return PRESETS_IN_WORDS.get(preset, f"as {preset}")
