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
    USUAL: "as most people play it",
    "real-deal": "as in The Real Deal",
    "hearts-deluxe": "as in Hearts Deluxe",
    "telecards": "as in TeleCards",
    "meggiesoft": "as in MeggieSoft's games",
    "standard": "with big gin and all bonuses",
    "oklahoma": "with Oklahoma rules and all bonuses",
    "hollywood": "with Hollywood scoring and all bonuses",
    "double-pack": "with the double pack",
    "bid": "as in Two-Handed Bid Pinochle",
}
"""What people read for the presets that they type."""


def preset_in_words(preset: str) -> str:
    """The name of a preset for players."""
    return PRESETS_IN_WORDS.get(preset, f"as {preset}")


def name_with_preset(name: str, preset: str) -> str:
    """The name of a game and its rules, such as ``Hearts``, ``Hearts as in The Real Deal``, ``Hearts (own rules)``; the
    usual rules are not named. preset: by whose rules it is played."""
    if preset == USUAL:
        return name
    return f"{name} {PRESETS_IN_WORDS[preset]}" if preset in PRESETS_IN_WORDS else f"{name} ({preset})"
