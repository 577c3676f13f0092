"""Spades: partners sit at 0 and 2, and seat 0 acts."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.games.spades.rules import Options, State
from rigs.judged import Judged, at
from rigs.tricked import RUFFED, spades_in_play

REAL = Options()
PLAIN = Options(nil="plain", bag_penalty=True)


def bid(
    reason: str, held: str, others: Sequence[int | None], right: str, eldest: int = 0, options: Options = REAL
) -> Judged:
    """others: what seats 1, 2 and 3 have bid."""
    fields = spades_in_play(options, held, (), eldest, (None, *others))
    return Judged(reason, State(options, hand=1, **fields), 0, tuple(right.split(" or ")))


def passing(reason: str, held: str, bids: Sequence[int], right: str) -> Judged:
    state = State(REAL, hand=1, **spades_in_play(REAL, held, (), 0, bids))
    return Judged(reason, state, 0, tuple(right.split(" or ")))


def play(
    reason: str, held: str, tricks: Sequence[str], leader: int, bids: Sequence[int], right: str, broken: bool = False
) -> Judged:
    options = Options(nil="plain")
    fields = spades_in_play(options, held, tricks, leader, bids)
    fields["deal"].broken = broken
    state = State(options, hand=1, **fields)
    return Judged(reason, state, 0, tuple(right.split(" or ")))


JUDGED: tuple[Judged, ...] = (
    bid(
        "not a card that could take a trick, and low ones in every suit: Nil",
        "2C 3C 6C 8C 2D 4D 5D 9D 2H 3H 7H 2S 3S",
        (None, None, None),
        "bid 0",
    ),
    bid(
        "five spades on top, two aces and a king: six tricks at the least, eight at the most",
        "AS KS QS JS TS AC KC 4C AD 5D 3D 6H 2H",
        (2, 2, 1),
        "bid 6 or bid 7 or bid 8",
        1,
        Options(nil="plain"),
    ),
    bid(
        "without Nil a hand of small cards bids the least that is allowed",
        "3C 6C 8C TC 2D 4D 7D 9D 2H 5H 7H 2S 3S",
        (4, 4, 4),
        "bid 0",
        1,
        Options(nil="none"),
    ),
    bid(
        "ace, king and queen of spades are three tricks, or two with one in hand, and no Nil",
        "AS KS QS 7C 5C 3C 8D 6D 3D 9H 6H 4H 2H",
        (3, 2, 3),
        "bid 2 or bid 3",
        1,
        Options(nil="plain"),
    ),
    passing(
        "I am to take no trick, and give away the three cards that must take one",
        "2C 3C 4C 5C 2D 3D 4D 5D 2H 3H AS KS AH",
        (0, 3, 4, 3),
        "pass AH KS AS",
    ),
    passing(
        "I am to take no trick: high spades go before all other cards",
        "2C 4C 6C 7C 3D 4D 6D 2H 3H 5H QS KS AS",
        (0, 3, 4, 3),
        "pass QS KS AS",
    ),
    play(
        "last, I take the trick as cheaply as I can",
        "2C TC QC AC KD 7D 4D 9H 6H 3H JS 8S 3S",
        ("3C 4C 9C",),
        1,
        (3, 3, 3, 3),
        "TC",
    ),
    play(
        "the trick is my partner's, and I keep my ace",
        "2C AC 8C TD 7D 4D 9H 6H 3H 2H JS 8S 3S",
        ("3C KC 4C",),
        1,
        (3, 3, 3, 3),
        "2C or 8C",
    ),
    play(
        "my partner is to take no trick, but takes this one: my ace saves their Nil",
        "2C AC 8C TD 7D 4D 9H 6H 3H 2H JS 8S 3S",
        ("3C QC 4C",),
        1,
        (4, 3, 0, 3),
        "AC",
    ),
    play(
        "an opponent is to take no trick, but takes this one: I leave it to them",
        "2C AC 8C TD 7D 4D 9H 6H 3H 2H JS 8S 3S",
        ("3C 4C QC",),
        1,
        (3, 3, 3, 0),
        "2C or 8C",
    ),
    play(
        "I am to take no trick, cannot follow, and throw the ace that could take one",
        "AD 2H 3H 4H 5H 6H 7H 8H 9H TH 2S 3S 4S",
        ("TC QC",),
        2,
        (0, 3, 4, 3),
        "AD",
    ),
    play(
        "I am to take no trick and slip under the king with my queen",
        "2C 5C QC 2D 4D 7D 2H 3H 6H 7H 2S 3S 5S",
        ("4C KC",),
        2,
        (0, 3, 4, 3),
        "QC",
    ),
    play(
        "we need this trick, and a small spade takes their ace",
        "KD 7D 4D 9H 8H 6H 3H 2H QH JS 8S 3S TD",
        ("AC 4C 9C",),
        1,
        (3, 3, 3, 3),
        "3S",
    ),
    at(
        (400, 470, 400, 470),
        bid(
            "their six tricks bring them to 530; only a Nil beside my partner's four brings us above that",
            "4C 8C TC 4D 6D 8D TD 5H TH 3S 6S 7S 9S",
            (3, 4, 3),
            "bid 0",
            1,
            PLAIN,
        ),
    ),
    at(
        (499, 460, 499, 460),
        bid(
            "one point wins the game, and they have bid seven: four tricks of us two are enough",
            "6C 9C 4D 7D 8D QD KD 3H 5H QH KH 4S AS",
            (3, 3, 4),
            "bid 1 or bid 2",
            1,
            PLAIN,
        ),
    ),
    at(
        (499, 300, 499, 300),
        bid(
            "one point wins the game, and my partner has bid four: no Nil that could fail",
            "2C 5C 9C 3D 6D 8D 3H 5H TH 2S 4S 5S 7S",
            (4, 3, 3),
            "bid 1 or bid 2",
            1,
            PLAIN,
        ),
    ),
    play(
        "mine is the last spade: it waits for their return, when the knave has driven out the queen",
        "AS JD TD",
        (*RUFFED, "JS 9S TS TC", "KD 5D 6D 7D"),
        1,
        (8, 1, 2, 1),
        "JD or TD",
        broken=True,
    ),
    play(
        "only my partner has another spade: I do not draw it, for our bid needs a trick of each",
        "AS 9H 8D",
        (*RUFFED, "JS 8H TS TC", "KD 5D 6D 7D"),
        1,
        (8, 1, 2, 1),
        "9H or 8D",
        broken=True,
    ),
)
