"""Hearts by the rules of the first preset: seat 0 is to pass or to play."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from p2pcards.cards.card import parse_cards
from p2pcards.cards.eyes import eyes_of_viewer
from p2pcards.games.deals.tricks import Tricks
from p2pcards.games.game import Stage
from p2pcards.games.hearts.deal import Hearts
from p2pcards.games.hearts.rules import Options, State, rules_of
from p2pcards.games.passing import Pass
from p2pcards.games.spelling import spell_action
from rigs.judged import Judged, at, in_all_worlds
from rigs.tricked import hearts_in_play, kept


def passing(reason: str, hand: str, go: str) -> Judged:
    """go: the cards that are to be among the three."""
    held, wanted = parse_cards(hand), set(parse_cards(go))
    deal = Hearts(rules_of(Options(), 1), 3, Tricks(4))
    fields = kept(deal, (hand, "", "", ""), hidden=(0, 13, 13, 13))
    deal.begin_hand(True)
    state = State(Options(), eyes=eyes_of_viewer(0), stage=Stage.PLAY, to_act=(0, 1, 2, 3), hand=1, dealer=3, **fields)
    right = [spell_action(Pass(tuple(sorted(three)))) for three in combinations(held, 3) if wanted <= set(three)]
    return Judged(reason, state, 0, tuple(right))


def playing(reason: str, hand: str, tricks: Sequence[str], leader: int, right: str) -> Judged:
    state = State(Options(), hand=1, **hearts_in_play(hand, tricks, leader))
    return Judged(reason, state, 0, tuple(right.split(" or ")))


TWO_ABOVE = (
    "2C 9C AC KS",
    "3S 9S 8S 6S",
    "7S AS 5S JS",
    "6D 5D QD KD",
    "4D QS 3D 2D",
    "7D 6H AD KH",
    "2S QH AH TS",
    "5C 8C KC 9H",
    "3H 2H 4S TH",
    "4C QC 7H TC",
)
QUEEN_IN_HAND = (
    "2C KC 8C QC",
    "6D 5D TD JD",
    "2D KS 8D 9D",
    "7D TH KH 3D",
    "4H 2H AH 6H",
    "3C AS JC AC",
    "9H 8H 5H QH",
    "4C 6C 9C 7S",
    "5C 3H",
)

JUDGED: tuple[Judged, ...] = (
    passing(
        "the queen and the king of spades without guards have to go",
        "QS KS 5H 3H 2H 9C 6C 4C 3C TD 7D 5D 2D",
        "QS KS",
    ),
    playing(
        "nobody may throw points on the first trick: the ace of clubs goes now",
        "AC 4C QD 9D 5D 3D KH 8H 4H 2H 9S 6S 3S",
        ("2C 7C TC",),
        1,
        "AC",
    ),
    playing(
        "the queen of spades goes under the ace",
        "QS 4S TD 8D 5D JH 9H 6H 3H 8C 5C",
        ("2C KC AC 9C", "3D 7D JD KD", "2S AS"),
        1,
        "QS",
    ),
    playing(
        "out of diamonds, the queen of spades goes to the player who takes them",
        "QS 8S 3S JH 9H 6H 3H 8C 5C TC JC",
        ("2C KC AC 9C", "4D 7D 2D KD", "9D AD"),
        1,
        "QS",
    ),
    playing(
        "a trick with the queen of spades in it is not to be taken",
        "AD 4D 9H 7H 5H 9S 5S QC 8C 5C",
        ("2C KC AC 9C", "3D 7D JD TD", "AS 7S KS 2S", "TC QS JC"),
        1,
        "8C or 5C",
    ),
    playing(
        "with the queen still out and spades above it, spades are not led",
        "AS KS 8H 4H 6C 3C",
        ("2C KC AC 9C", "3D 7D JD 2D", "TC 8C 7C JC", "TD 9D 6D 4D", "KD 5D 8D AD", "QD JH 4C 5C", "TH AH 9H 2H"),
        1,
        "6C or 3C or 8H or 4H",
    ),
    in_all_worlds(
        at(
            (40, 95, 60, 35),
            playing(
                "this hand ends the game, and the leader is two points below me: hearts have to go to them",
                "JH 5H 3C",
                TWO_ABOVE,
                2,
                "5H",
            ),
        )
    ),
    at(
        (60, 88, 50, 70),
        playing(
            "the queen would go to the player at 88 and end the game, which another leads: I keep her",
            "QS 9S 6S 5S 4S",
            QUEEN_IN_HAND,
            1,
            "9S or 6S or 5S or 4S",
        ),
    ),
)
