"""Positions of two-handed pinochle. Seat 0 is to act, and hearts are trump."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from p2pcards.cards.card import Card, Suit, parse_cards
from p2pcards.cards.eyes import HIDDEN, PUBLIC, Bag, Slot, eye_of_seat, eyes_of_viewer, make_bag
from p2pcards.games.game import Stage
from p2pcards.games.pinochle2.rules import GAME, Options, Phase, State, start
from rigs.judged import Judged

LEFT = 24  # cards in the stock at first, with the turn-up


def slots(held: tuple[Card, ...], eyes: int = PUBLIC) -> tuple[Slot, ...]:
    return tuple([Slot(card, eyes) for card in held])


def view(phase: Phase, hand: str, turned: str = "9H", left: int = LEFT, led: str = "", **changes: Any) -> State:
    """What seat 0 sees. left: cards in the stock; led: a card of the other player. What must have been played is taken
    from the low end of the pack."""
    mine = parse_cards(hand)
    other = 12 - bool(led) if phase in (Phase.FIRST, Phase.SECOND) else 11
    if phase == Phase.SECOND:
        other = len(mine) - bool(led)
    unseen = Counter(GAME.pack(Options()))
    unseen.subtract((*mine, *parse_cards(led), *(parse_cards(turned) if left else ())))
    assert min(unseen.values()) >= 0
    rest = sorted(unseen.elements(), key=lambda card: (card.rank, card.suit))
    gone = rest[: len(rest) - other - max(left - 1, 0)]
    state = replace(
        start(Options(), 1),
        eyes=eyes_of_viewer(0),
        stage=Stage.PLAY,
        to_act=(0,),
        hand=1,
        hands=(make_bag(0, slots(mine, eye_of_seat(0))), Bag(1, (HIDDEN,) * other)),
        stock=((HIDDEN,) * (left - 1) + slots(parse_cards(turned))) if left else (),
        trump=Suit.HEARTS,
        phase=phase,
        leader=1 if led else 0,
        trick=slots(parse_cards(led)),
    )
    if phase == Phase.SECOND:
        return replace(state, past=slots(tuple(gone)), **changes)
    return replace(state, taken=(slots(tuple(gone)), ()), **changes)


def endgame(mine: str, other: str, led: str = "") -> State:
    """The last tricks, where everybody knows all cards."""
    state = view(Phase.SECOND, mine, left=0, led=led)
    unseen = Counter(GAME.pack(Options()))
    unseen.subtract((*parse_cards(mine), *parse_cards(other), *parse_cards(led)))
    return replace(
        state,
        hands=(state.hands[0], Bag(1, (HIDDEN,) * len(parse_cards(other)))),
        past=slots(tuple(unseen.elements())),
    )


JUDGED: tuple[Judged, ...] = (
    Judged(
        "knock when your score is there: it wins the game, and no meld can do better",
        view(Phase.MELD, "AC AD AH AS 9C JC QD KD TC JS KS", scores=(1010, 900)),
        0,
        ("knock",),
    ),
    Judged(
        "a hundred aces are the most you can lay, and the most that is likely to be broken up: lay them at once",
        view(Phase.MELD, "AC AD AH AS KC QC 9C JC TD JS 9S"),
        0,
        ("meld AC AD AH AS",),
    ),
    Judged(
        "with many tricks to come meld the royal marriage first and the flush with it later: both count",
        view(Phase.MELD, "JH QH KH TH AH AH AS AC 9C 9D JS", turned="9H", left=22),
        0,
        ("meld QH KH",),
    ),
    Judged(
        "this is the last trick with a stock: lay the flush, as there is no time for the marriage before it",
        view(Phase.MELD, "JH QH KH TH AH AS AC 9C 9D JS 9S", turned="9H", left=2),
        0,
        ("meld TH JH QH KH AH",),
    ),
    Judged(
        "the dix is free, counts 10, and brings the ace of trumps for the nine",
        view(Phase.MELD, "9H KC QC JC TC 9C JD KS TS QD 9S", turned="AH"),
        0,
        ("meld 9H",),
    ),
    Judged(
        "with eighty kings in hand take the trick: a player who does not win it cannot lay them",
        view(Phase.FIRST, "KC KD KH KS TC 9D QC JS 9S 9S JD TD", led="KC", left=22),
        0,
        ("TC",),
    ),
    Judged(
        "you cannot beat the ace but by a trump that you need: throw the nine, and keep what becomes a meld",
        view(Phase.FIRST, "9C KS QS KD QD JD AD AH AS KH QH TH", led="AC", turned="9H"),
        0,
        ("9C",),
    ),
    Judged(
        "the trick counts nothing, and you have nothing to meld: do not spend an ace of your three on it",
        view(Phase.FIRST, "AC AD AS KC 9D 9S JC TS TD JS KH JH", led="JC", turned="9H"),
        0,
        ("9D", "9S"),
    ),
    Judged(
        "lead the ten to lay your kings: it is in no meld but the flush, and what beats it the other would rather keep",
        view(Phase.FIRST, "TC KC KD KH KS QC 9D 9S JD JS QD JC", left=20),
        0,
        ("TC",),
    ),
    Judged(
        "the last trick with a stock: take it, if with an ace, and lay your kings, as nothing can be laid after it",
        view(Phase.FIRST, "KC KD KH KS AC 9D JD QC TD JS 9S 9C", led="TC", left=2),
        0,
        ("AC",),
    ),
    Judged(
        "the ace first: it draws the ten, and then the king is high",
        endgame("AC KC", "TC 9D"),
        0,
        ("AC",),
    ),
    Judged(
        "take the jack with the ten: the ace would take it later",
        endgame("TC 9C", "AC", led="JC"),
        0,
        ("TC",),
    ),
    Judged(
        "lead the ace of trumps and draw their last trump: then both your tens are high",
        endgame("AH TC TD", "9H 9S JS"),
        0,
        ("AH",),
    ),
    Judged(
        "the last trump waits: the queen drives out their ten, the ace takes a club, and the king the last trick",
        endgame("QS KS AH", "TS AC KC"),
        0,
        ("QS",),
        counted=True,
    ),
    Judged(
        "the last trump waits: a club drives out their ten, it takes the king of diamonds, and the other club is high",
        endgame("KC QC AH", "TC KD 9C"),
        0,
        ("KC", "QC"),
        counted=True,
    ),
)
