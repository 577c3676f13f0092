"""Oh hell: seat 0 acts; spades are trump but where it says without trump."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from p2pcards.cards.card import Suit, mask_of_cards, parse_cards
from p2pcards.games.deals.taking import Taking
from p2pcards.games.deals.tricks import SUITS
from p2pcards.games.oh_hell.deal import OhHell
from p2pcards.games.oh_hell.rules import Options, State, rules_of
from rigs.judged import Judged, at
from rigs.tricked import have_bid, kept_in_play


def judged(
    reason: str, held: str, bids: Sequence[int | None], right: str, tricks: Sequence[str] = (), leader: int = 0
) -> Judged:
    """bids: of seats 0 to 3. The deal is of as many cards as seat 0 holds and has played; the two of spades is turned
    up."""
    each = len(parse_cards(held)) + sum([len(parse_cards(words)) == 4 for words in tricks])
    deal = OhHell(rules_of(Options(), each), leader, Taking(SUITS[Suit.SPADES], mask_of_cards(parse_cards("2S"))))
    have_bid(deal, bids)
    deal.tricks.begin_trick(leader)
    deal.set_turn(leader if tricks else 0)
    fields = kept_in_play(deal, held, tricks, each, "2S", 51 - 4 * each)
    fields |= {} if tricks else {"dealer": (leader - 1) % 4}
    state = State(Options(), hand=each, **fields)
    return Judged(reason, state, 0, tuple(right.split(" or ")))


def last_deal(scores: Sequence[int], judged: Judged) -> Judged:
    """The same position in the last deal of the game, which stands so."""
    state = judged.state
    return at(scores, replace(judged, state=replace(state, options=replace(state.options, end_cards=state.hand))))


JUDGED: tuple[Judged, ...] = (
    judged("the ace of trumps is my only card: it takes the trick", "AS", (None, 0, 0, 0), "bid 1", (), 1),
    judged(
        "my only card is the lowest of a side suit, and I do not lead: no trick", "2C", (None, 1, 0, 0), "bid 0", (), 1
    ),
    judged("ace, king and queen of trumps are three tricks", "AS KS QS 2C 3D", (None,) * 4, "bid 3"),
    judged("nothing but small cards: no trick", "3C 4C 2D 4D 3H", (None, 2, 2, 1), "bid 0", (), 1),
    judged(
        "I need a trick, and last to play I take this one with my ace",
        "AC 3C 4D",
        (1, 1, 1, 1),
        "AC",
        ("5C 9C TC",),
        1,
    ),
    judged(
        "I have my trick, and stay under the king with my queen",
        "QC 2C 4D",
        (1, 1, 1, 0),
        "QC",
        ("JD 3D 6D TD", "3H 5H 9H 4H", "KC 5C"),
        0,
    ),
    judged(
        "I want no trick and cannot follow: under their ace I am rid of my king of trumps",
        "KS 3D 2H 4H",
        (0, 1, 1, 2),
        "KS",
        ("5C 9S AS",),
        1,
    ),
    judged(
        "I want no trick, and throw the ace that could take one",
        "AD 3H 2H 4H",
        (0, 1, 1, 1),
        "AD",
        ("5C 9C KC",),
        1,
    ),
    judged(
        "I want no trick, must take this one, and no worse is to come of my highest card",
        "QC TC 3D",
        (0, 1, 1, 1),
        "QC",
        ("2C 3C 4C",),
        1,
    ),
    judged("I need both tricks, and draw with the ace of trumps first", "AS AD", (2, 0, 1, 0), "AS"),
    last_deal(
        (30, 42, 20, 20),
        judged(
            "twelve behind, a made bid of none is too little: it takes fifteen",
            "7H TC 3C 4D 3H",
            (None, 0, 1, 0),
            "bid 1",
            (),
            1,
        ),
    ),
    last_deal(
        (30, 42, 20, 20),
        judged(
            "twelve behind with nothing above a ten: bid none and nothing is won by it",
            "9C 8D 6H 5D 3S",
            (None, 2, 2, 1),
            "bid 1",
            (),
            1,
        ),
    ),
)
