"""What the words of each game do with which its players act, a sentence each."""

from __future__ import annotations

from collections.abc import Mapping

_FOLLOW = "Plays a card to the trick: follow suit if you can."
_BID_TRICKS = "Says how many tricks you will take"
_ORDER = (
    "Makes the suit that is turned up trump: the dealer's opponents order it up, the dealer's partner assists, the "
)
_ORDER += "dealer takes it up; with alone you play without your partner."
_OTHER_SUIT = "Names another suit as trump than the one turned down; with alone you play without your partner."
_NAME = "Names the trump suit, once you have won the bid."

ACTION_WORDS: Mapping[str, Mapping[str, str]] = {
    "hearts": {
        "pass": "Passes three cards face down to another player, before you see what you are given.",
        "play": _FOLLOW,
    },
    "crazy_eights": {
        "play": "Plays a card of the suit or the rank of the top card; an eight goes on everything and names a suit.",
        "draw": "Draws the top card of the stock; your turn goes on.",
        "pass": "Ends your turn without a card, where you can neither play nor draw.",
    },
    "spades": {
        "bid": f"{_BID_TRICKS}; 0 is Nil.",
        "pass": "Passes three cards face down to your partner, where one of you has bid Nil.",
        "play": f"{_FOLLOW} Spades are trump.",
    },
    "whist": {"play": _FOLLOW},
    "oh_hell": {"bid": f"{_BID_TRICKS}, no more and no fewer.", "play": _FOLLOW},
    "euchre": {
        "pass": "Leaves the choice of trump to the next player.",
        "accept": _ORDER,
        "order": _ORDER,
        "assist": _ORDER,
        "take": _ORDER,
        "name": _OTHER_SUIT,
        "make": _OTHER_SUIT,
        "discard": "Takes the turn-up into your hand, as the dealer, and lays this card away face down.",
        "decline": "Leaves the turn-up where it is, as the dealer.",
        "play": f"{_FOLLOW} The left bower is a trump.",
    },
    "auction_pitch": {
        "bid": "Says how many points you will make, more than anybody before you; four is a smudge.",
        "pass": "Bids nothing; you speak once only.",
        "play": "Plays a card to the trick. The first of the hand makes its suit trump; a trump may be played always.",
    },
    "gin_rummy": {
        "pass": "Leaves the card that is turned up to the other player.",
        "take": "Takes the top card of the discard pile.",
        "draw": "Draws the top card of the stock.",
        "discard": "Ends your turn with a card on the discard pile, another than the one just taken from it.",
        "knock": "Ends the hand with this discard, where no more deadwood is left than the limit.",
        "gin": "Ends the hand with this discard and no deadwood; without a card where all eleven are in melds.",
    },
    "cribbage": {
        "discard": "Lays two cards away face down for the crib, which is the dealer's.",
        "cut": "Cuts for the first deal or the starter; you choose the place, unless your program shuffles.",
        "play": "Plays a card and adds it to the count, which may not pass 31.",
        "go": "Says that you can play no card without passing 31.",
        "count": "Says what your hand, or your crib, counts; what you miss the other player scores.",
    },
    "rummy_500": {
        "draw": "Draws the top card of the stock.",
        "take": "Takes a card of the discard pile and all above it; the one named must be melded or laid off at once.",
        "meld": "Lays a set or a run face up on the table; these cards score.",
        "lay": "Lays a card off on a meld: lay 5S 2S puts the five on the meld that begins with the deuce.",
        "discard": "Ends your turn with a card on the discard pile.",
    },
    "thirty_one": {
        "draw": "Draws the top card of the stock.",
        "take": "Takes the top card of the discard pile.",
        "discard": "Ends your turn with a card on the discard pile, another than the one just taken from it.",
        "knock": "Ends the hand: everybody else has one more turn, and the lowest hand loses a point.",
        "stand": "Keeps your hand as it is, after somebody has knocked.",
        "blitz": "Shows ace, king and ten of one suit: each other player loses a point.",
    },
    "pinochle": {
        "pass": "Bids no more; you are out of the bidding.",
        "bid": "Bids what your side will make with melds and tricks, more than the bid before.",
        "name": _NAME,
        "play": "Plays a card to the trick: follow suit, trump if you cannot, and win the trick if you can.",
    },
    "pinochle2": {
        "cut": "Cuts the pack for the first deal, where you choose the place; the higher card deals.",
        "play": "Plays a card to the trick: any card while there is a stock, and afterwards as the rules tell.",
        "meld": "Lays a meld from your hand and your open cards after a trick that you won, and scores it.",
        "draw": "Draws the top card of the stock; after a trick that you won it ends your melding.",
        "knock": "Ends and wins the game, once your score has reached the goal, while there is a stock.",
    },
    "pinochle_bid": {
        "accept": "Keeps the card that is offered; the next one is laid away unseen.",
        "reject": "Lays the card that is offered away, and keeps the next one.",
        "pass": "Leaves the bid to the other player.",
        "bid": "Bids what you will make with melds and tricks, more than the other.",
        "name": f"{_NAME} You hold its king and queen, or a nine of it.",
        "concede": "Gives the hand up where you have no suit to name: you lose the bid.",
        "play": "Plays a card to the trick: follow suit if you can.",
    },
}
"""By the key of a game, and the word."""
