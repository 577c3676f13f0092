"""Positions of euchre with a right answer. Seat 0 is to act; hearts are trump, or turned up, unless it says so."""

from __future__ import annotations

from typing import Any

from p2pcards.cards.card import Suit, parse_cards
from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.euchre.rules import EACH, Options, State
from rigs.judged import Judged, at
from rigs.tricked import euchre_at

STOCK = 11
"""Cards that were not dealt, of a pack of 32."""


def seen_by_0(hand: str, hidden: tuple[int, int, int], dealer: int, turned: str, **fields: Any) -> State:
    """hidden: how many cards the others hold."""
    hands = (hand, "", "", "")
    state = euchre_at(Options(), hands, dealer, hidden=(0, *hidden), turned=turned, stock=STOCK, **fields)
    return redact(state, eyes_of_viewer(0))


def calling(hand: str, turned: str, dealer: int, passes: int) -> State:
    """Seat 0 holds this hand and is to call after so many passes."""
    return seen_by_0(hand, (EACH, EACH, EACH), dealer, turned, passes=passes, turn=0)


def exchanging(hand: str, turned: str, maker: int = 0) -> State:
    """Seat 0 deals, and the turn-up was accepted."""
    passes = 3 if maker == 0 else maker - 1
    made: dict[str, Any] = {"trump": Suit.HEARTS, "maker": maker, "exchanging": True}
    return seen_by_0(hand, (EACH, EACH, EACH), 0, turned, passes=passes, **made)


def playing(hand: str, trick: str, maker: int) -> State:
    """Seat 0 plays the next card to the first trick. Seat 3 dealt and has left the turn-up, the seven of hearts."""
    on_table = len(parse_cards(trick))
    first, second, third = [EACH - (seat >= 4 - on_table) for seat in (1, 2, 3)]
    made: dict[str, Any] = {"trump": Suit.HEARTS, "maker": maker}
    return seen_by_0(hand, (first, second, third), 3, "7H", leader=-on_table % 4, trick=trick, **made)


def drawing(hand: str, *tricks: str) -> State:
    """Seat 0, who made hearts trump, has led to these tricks, has taken them and leads again."""
    left = len(parse_cards(hand))
    made: dict[str, Any] = {"trump": Suit.HEARTS, "maker": 0}
    return seen_by_0(hand, (left, left, left), 3, "7H", tricks=[(0, words) for words in tricks], **made)


JUDGED = (
    Judged("both bowers, ace, king and an ace: go alone", calling("JH JD AH KH AC", "9H", 3, 0), 0, ("accept alone",)),
    Judged(
        "no trick in hand, and it would be a trump for the other side",
        calling("8C 9C TS 8S 8D", "JH", 3, 0),
        0,
        ("pass",),
    ),
    Judged(
        "the right bower, two more trumps and an ace, and the turn-up goes to the partner",
        calling("JH AH 9H AC 8S", "KH", 2, 1),
        0,
        ("accept",),
    ),
    Judged(
        "three sure trumps of the other colour, once hearts are turned down",
        calling("JC JS AC 9D 8H", "KH", 3, 4),
        0,
        ("name c",),
    ),
    Judged("nothing in any suit", calling("9C 8S TD 7D TS", "KH", 3, 4), 0, ("pass",)),
    Judged("lay the small single card away and be void", exchanging("JH AH 9H AC 7S", "KH"), 0, ("discard 7S",)),
    Judged(
        "with four trumps from the top even the seven is a sure trick, and an ace is not",
        exchanging("JH JD AH KH AC", "7H"),
        0,
        ("discard AC",),
    ),
    Judged("do not trump the partner's ace in last seat", playing("JD 9H 8D AS 7S", "8C AC 9C", 1), 0, ("8D", "7S")),
    Judged(
        "last in hand, take it with the queen and keep the ace", playing("AC QC 9H 8D 7S", "9C 8C TC", 1), 0, ("QC",)
    ),
    Judged(
        "last in hand, the nine of trumps does as well as the bower",
        playing("JH 9H 8D 7S KS", "9C 8C AC", 1),
        0,
        ("9H",),
    ),
    Judged("the maker draws trumps from the top", playing("JH JD KH 9H AC", "", 0), 0, ("JH", "JD")),
    Judged("lead a trump to the partner who made it", playing("JH 9S 8C 7D TC", "", 2), 0, ("JH",)),
    Judged("the right bower leads: follow with the small trump", playing("JD 8H AC KS 8D", "JH", 3), 0, ("8H",)),
    at(
        (4, 4, 4, 4),
        Judged(
            "at 4 to 4 a euchre costs no more than their point: I name a black suit before they name theirs",
            calling("QS JC QC TH JD", "9H", 3, 4),
            0,
            ("name c", "name s"),
        ),
    ),
    at(
        (4, 4, 4, 4),
        Judged(
            "at 4 to 4 who makes trump has the better half of it: I take the ace up with the nine",
            calling("QD 9H KD 8C JS", "AH", 0, 3),
            0,
            ("accept",),
        ),
    ),
    at(
        (4, 3, 4, 3),
        Judged(
            "one point wins, and both bowers and the ace are three tricks, whoever holds the rest; at 0 to 0 I would "
            "leave it to the others to make trump and be set",
            calling("JH JD AH 8S 7C", "9H", 3, 0),
            0,
            ("accept", "accept alone"),
        ),
    ),
    Judged(
        "one trump is still out: I draw it, and two clubs from the top are good",
        drawing("AH AC KC", "JH 8H 9H TH", "JD KH 7S 8S"),
        0,
        ("AH",),
    ),
)
