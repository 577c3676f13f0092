"""The terms of the games and of this program, a sentence or two each."""

from __future__ import annotations

from collections.abc import Mapping

TERMS: Mapping[str, str] = {
    "alone": "In euchre the maker may play without their partner, who lays their cards down.",
    "assist": "In euchre the dealer's partner assists who accepts the suit that is turned up as trump.",
    "author": "By whom this program is: 'p2pcards credits' tells it.",
    "bid": "What a player says that they, or their side, will make in this hand.",
    "black lady": "The queen of spades in hearts, 13 points against whoever takes her; also called Black Maria.",
    "bower": "In euchre a jack: the right bower is that of trump, the left bower the other one of the same colour, "
    "which is a trump too.",
    "character": "One of twelve computer opponents with a name and a level. One of them stands for each person as "
    "well, and plays while they are away.",
    "coordinator": "Whose program holds the table: they choose the game and its rules, and begin it.",
    "count out": "In hearts and in cribbage: to reach the score that ends the game.",
    "crib": "In cribbage the cards that both lay away, which the dealer counts after their hand.",
    "cut": "To lift off a part of the pack, or to pick a card of it: for the first deal, or for the starter of "
    "cribbage.",
    "deal": "To hand out the cards of a hand; also the number by which the same cards can be dealt again.",
    "default": "What counts where you have said nothing: the value of an option in the first preset, or your own "
    "where you have saved it.",
    "discard": "To lay a card away, in rummy games face up on the discard pile.",
    "dix": "In two-handed pinochle the nine of trumps (the seven with 64 cards), a meld of 10; the first takes "
    "the place of the turn-up.",
    "draw": "To take the top card of the stock.",
    "eldest hand": "The player at the dealer's left, who speaks or leads first.",
    "euchre": "The side that made trump and takes fewer than three tricks is euchred.",
    "face card": "A king, queen or jack.",
    "flush": "In cribbage cards of one suit; in pinochle ace, ten, king, queen and jack of trump.",
    "follow suit": "To play a card of the suit that was led.",
    "game": "As many hands as it takes to reach the goal.",
    "go": "In cribbage: I can play no card without passing 31.",
    "go out": "To get rid of the last card, or to reach the score that ends the game.",
    "goal": "The score that ends the game. In two-handed pinochle it is put up by 250 when both have reached it.",
    "hand": "The cards that you hold; also everything from one deal to the next, which some call a round.",
    "his heels": "In cribbage a jack that is turned up as the starter: two points for the dealer.",
    "his nobs": "In cribbage the jack of the starter's suit in a hand: one point.",
    "in the hole": "Below nothing: said of a score with a minus.",
    "knock": "To end a hand of gin rummy or thirty-one; in two-handed pinochle to end and win the game once your "
    "score has reached the goal.",
    "lead": "To play the first card of a trick.",
    "left bower": "See bower.",
    "level": "How well a computer player plays: carefree, novice, standard, expert, champion, master.",
    "listener": "Whoever plays at a table that somebody else coordinates.",
    "lurch": "To be left in the lurch is to lose a game of cribbage by so much that it counts double; also a skunk.",
    "maker": "Who has made trump in euchre.",
    "march": "All five tricks of a hand of euchre.",
    "meld": "Cards that count together, such as king and queen of a suit; to meld is to lay them open. Melded "
    "cards lie before you and may still be played.",
    "no-trump": "A hand in which no suit is trump.",
    "odd trick": "In whist each trick over the sixth.",
    "open": "To begin, as the bidding; cards lie open when everybody sees them.",
    "opponent": "Who plays against you, a person or the computer.",
    "option": "A rule that can be chosen; 'options GAME' lists those of a game.",
    "order it up": "In euchre the dealer's opponents order the turn-up into the dealer's hand, and so make it trump.",
    "pass": "To bid no more, to end a turn without a card, or to hand cards to another player before a hand of hearts.",
    "peg": "To score in cribbage, where pegs in a board show the scores.",
    "phase": "A part of a hand of two-handed pinochle: the first with a stock and melds, the second without, in "
    "which suit is followed.",
    "pitch": "To lead the card that makes its suit trump in auction pitch.",
    "player": "Who sits at a table, a person or a character.",
    "preset": "Rules under one name, as one of the programs had them that are the models of this one.",
    "prompt": "The line that ends in '>': whose turn it is, and what can be said now.",
    "refusal": "The sentence that says why something cannot be done, and what to try.",
    "right bower": "See bower.",
    "roundhouse": "In two-handed pinochle, as an option, king and queen of all four suits.",
    "sheet": "How a hand was scored, a row for each thing that counted: 'score' shows it.",
    "shoot the moon": "To take all hearts and the queen of spades, which counts against everybody else.",
    "showing": "The counting of the hands and the crib after the play of a hand of cribbage.",
    "skunk": "See lurch.",
    "smudge": "In auction pitch to bid, or to make, all four points.",
    "starter": "In cribbage the card that is cut after the crib is laid away, and counts with every hand.",
    "stock": "The cards that are not dealt, from which players draw.",
    "table": "Where a game is played; the word 'table' tells everything that lies there.",
    "trick": "One card of each player, taken by the highest of the suit led or by the highest trump.",
    "trump": "The suit whose cards beat those of all others.",
    "turn-up": "A card of the stock that lies face up; often its suit is trump.",
}
"""By the term, in small letters and in their order."""
