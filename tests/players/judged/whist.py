"""Whist: spades are trump, partners sit at 0 and 2, and seat 0 plays."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.games.whist.rules import Options, State
from rigs.judged import Judged, at, in_all_worlds
from rigs.tricked import RUFFED, whist_in_play


def judged(reason: str, held: str, tricks: Sequence[str], leader: int, right: str, turn_up: str = "TS") -> Judged:
    """turn_up: which the dealer, at the right of the first leader, holds if it has not been played."""
    assert leader != 1 or turn_up in " ".join((held, *tricks))
    state = State(Options(), hand=1, **whist_in_play(held, tricks, leader, turn_up))
    return Judged(reason, state, 0, tuple(right.split(" or ")))


LATE = (
    "AC 2C 3C 4C",
    "KC 5C 6C 7C",
    "QC 8C 9C TC",
    "2H 3H 4H AH",
    "KH 5H 6H 7H",
    "JD 5D 6D 7D",
    "KS 2S 3S 4S",
    "QS 5S 6S 7S",
    "JS 8S 9S JH",
    "AD 2D 3D 4D",
)
NEARLY_LOST = (
    "4C QC KC AC",
    "TC JC 2C 3C",
    "KS 2S JS 3S",
    "7C 7S 5C 2H",
    "QS 5H 4S AS",
    "5S 2D 5D 6S",
    "3H 4H 9H KH",
    "8H 8S 6H 7H",
    "3D TD AD 7D",
    "TH AH 9S QH",
    "4D",
)
"""Six of ten tricks are theirs; the ten of trumps is out, and of diamonds 8, 9, knave and queen."""
THREE_NEEDED = (
    "KS TS 4S 2S",
    "AS 9D 8S 3S",
    "2D JD 5D 3D",
    "2C AC 6S 9S",
    "2H 9H QH KH",
    "QD 4D 3C QS",
    "4C 7S JS 6C",
    "7D 7H 3H 8D",
    "KD TD 7C 5C",
    "6D 5S",
)
"""Five of nine tricks are theirs; the last trump out takes the tenth, unless it is trumped over."""

JUDGED: tuple[Judged, ...] = (
    judged(
        "the king of my partner takes the trick: I keep my ace",
        "AC 2C KD 8D 5D 3D QH 9H 4H JS 7S 6S TS",
        ("3C KC 4C",),
        1,
        "2C",
    ),
    judged(
        "last to play I take the trick as cheaply as I can",
        "AC TC 2C KD 8D 5D QH 9H 4H JS 7S 6S TS",
        ("3C 4C 9C",),
        1,
        "TC",
    ),
    judged(
        "second hand low: my king waits for the ace to be played",
        "KD 4D 3D QC 8C 4C JH 9H 5H 2H QS 8S 3S",
        ("5D",),
        3,
        "4D or 3D",
    ),
    judged(
        "third hand high: my partner has led low, and only my king can win or drive out the ace",
        "KH 8H 2H QC 8C 4C JD 9D 5D 2D QS 8S 3S",
        ("4H 6H",),
        2,
        "KH",
    ),
    judged(
        "third hand high, with either of two equal cards",
        "QH JH 3H QC 8C 4C TD 9D 5D 2D QS 8S 3S",
        ("4H 5H",),
        2,
        "QH or JH",
    ),
    judged(
        "I am void: the smallest trump takes the ace of the others",
        "KD 9D 8D 5D 3D QH 9H 4H KS TS 7S 6S 2S",
        ("AC 4C 9C",),
        1,
        "2S",
    ),
    judged(
        "the trick is my partner's: I throw a worthless card, neither a trump nor a high one",
        "AD KD QD 3D AH KH QH JH KS TS 7S 6S 2S",
        ("3C AC 9C",),
        1,
        "3D",
    ),
    judged(
        "I trump over an opponent, with no more than it takes",
        "KD JD 8D 5D QH 9H 7H 6H 4H 9S 7S 4S",
        ("AC 4C 9C 5C", "KC 6C 2S"),
        1,
        "4S",
        "7S",
    ),
    judged(
        "I cannot win and play my lowest",
        "KC QC 2C KD 8D 5D QH 9H 4H JS 7S 6S TS",
        ("3C 4C AC",),
        1,
        "2C",
    ),
    judged(
        "one trump is out besides mine: I draw it, and my two high diamonds are good",
        "AS KD QD",
        LATE,
        1,
        "AS",
        "JS",
    ),
    judged(
        "from ace and king I lead a high one, which is sure to win and shows me the table",
        "AC KC 4C 9D 6D 3D JH 8H 5H 2H 9S 6S 3S",
        (),
        0,
        "AC or KC",
    ),
    judged(
        "mine is the last trump: it waits for their return, when the knave has driven out the queen",
        "AS JD TD",
        (*RUFFED, "JS 9S TS TC", "KD 5D 6D 7D"),
        1,
        "JD or TD",
        "AS",
    ),
    judged(
        "only my partner has another trump: I do not draw it, for each of the two takes a trick",
        "AS 9H 8D",
        (*RUFFED, "JS 8H TS TC", "KD 5D 6D 7D"),
        1,
        "9H or 8D",
        "AS",
    ),
    in_all_worlds(
        at(
            (6, 5, 6, 5),
            judged(
                "two more tricks are their game: the king takes this one and no other, so my partner has to take it",
                "9C KD 6D",
                NEARLY_LOST,
                0,
                "6D",
                "3S",
            ),
        )
    ),
    at(
        (6, 6, 6, 6),
        judged(
            "we need three tricks of the next four, or they win: only my clubs can be three, so the ace of hearts goes",
            "KC TC 8C AH",
            THREE_NEEDED,
            3,
            "AH",
        ),
    ),
)
