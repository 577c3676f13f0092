"""What is told of where the games come from.

Source: the historical notes of "The Real Deal"; for pinochle for two the overview of "MeggieSoft Pinochle".
"""

from __future__ import annotations

_PINOCHLE = (
    "Pinochle was developed in the United States, probably around the middle of the 19th century. As its cards "
    "rank the German way, and more about it is German, many take it for a German game; it is American through and "
    "through."
)
_FAMILY = "Pinochle for two belongs between two families: its melds are akin to rummy, its tricks to whist."
_UNTOLD = "The descriptions that this game follows tell how it is played, and nothing of where it comes from."

ABOUT = {
    "hearts": "Every heart in the tricks that you take counts against you, hence the name. The object is the "
    "reverse of that of bridge and most other games, where cards or tricks are to be won: in the 18th century the "
    "ancestor of hearts was indeed called Reverse.",
    "crazy_eights": "It is also called Swedish Rummy. Crazy Jacks is the same game with jacks as the wild cards. "
    "One of the earliest games of this kind on record is Comet, which Abbe Bellecour described in 1768 as "
    "new.",
    "spades": "A game of tricks for partners, in which spades are always trump. You say beforehand how many tricks "
    "you expect to take, and then have to take at least as many.",
    "whist": "A game for the fun of it, to seven points, in which each trick over six counts one. It is worth what "
    "the losers lack: their score taken from seven.",
    "oh_hell": "In family journals it was called Oh Pshaw, or Blackout. It appeared in the card clubs of New York "
    "in the late 1930s and was said to have come from England; nobody knows more of its origin. Few round games "
    "are as relaxing, and yet it rewards skill as hearts does.",
    "euchre": "It began among the Pennsylvania Dutch, before 1864. A bower is the German Bauer, a farmer, which is "
    "one of the names of the jack. Today it is played mostly in the northeastern states.",
    "auction_pitch": "It comes from All Fours, an old English game that once nearly every card player in America "
    "knew. All Fours lives on mostly as auction pitch, still one of the most popular games of the United States. "
    "There are many kinds, and the rules have changed much with the years; what stays is that high, low, jack and "
    "game score.",
    "gin_rummy": _UNTOLD,
    "cribbage": "The English poet Sir John Suckling, who lived from 1609 to 1642, is believed to have invented "
    "cribbage and given it its name. He took some of it from an older game, Noddy, of which little is known. "
    "Early colonists brought it to America, where it thrives to this day.",
    "rummy_500": _UNTOLD,
    "thirty_one": "Nobody really knows where it comes from. Its object is to collect cards of one suit that count "
    "as near to 31 as they can.",
    "pinochle": _PINOCHLE,
    "pinochle2": f"{_PINOCHLE} {_FAMILY}",
    "pinochle_bid": f"{_PINOCHLE} {_FAMILY}",
}
"""A paragraph for each game, by its key."""
