"""Positions of bid pinochle. Seat 0 is to act."""

from __future__ import annotations

from p2pcards.cards.card import SUIT_LETTERS, SUITS, parse_card, parse_cards
from p2pcards.cards.eyes import HIDDEN, Bag, Slot, eye_of_seat, eyes_of_viewer, make_bag
from p2pcards.games.bidding import Bid, Name
from p2pcards.games.game import Seat, Stage
from p2pcards.games.pinochle_bid.rules import EACH, GAME, Action, Options, State
from p2pcards.games.playing import Pass, Play
from rigs.dealt import reached
from rigs.judged import Judged, at

RUN = "AH TH KH QH JH AC AD TD KS QS 9S JC"
POOR = "9C JC 9D QD TD 9H QH 9S JS QS KC JC"


def parse(word: str) -> Action:
    """A bid, a pass, a trump suit by its letter, or a card."""
    if word.isdigit():
        return Bid(int(word))
    if word in SUIT_LETTERS:
        return Name(SUITS[SUIT_LETTERS.index(word)])
    return Pass() if word == "pass" else Play(parse_card(word))


def judged(reason: str, hand: str, done: str, right: str, first: Seat = 0, other: str = "") -> Judged:
    """hand, other: what seat 0 was dealt, and some cards of seat 1; done: what has happened since seat `first` was to
    bid; right: answers, with commas between them."""
    state = State(Options(), stage=Stage.PLAY, to_act=(first,), hand=1, dealer=1 - first)
    view = reached(GAME, state, EACH, {0: hand, 1: other}, done.split(), parse)
    return Judged(reason, view, 0, tuple(right.split(", ")))


def offered(reason: str, hand: str, card: str, right: str) -> Judged:
    """A card of the stock is offered to seat 0, who has these already; seat 1 has as many."""
    mine = make_bag(0, [Slot(each, eye_of_seat(0)) for each in parse_cards(hand)])
    state = State(
        Options(deal="selection"),
        eyes=eyes_of_viewer(0),
        stage=Stage.PLAY,
        to_act=(0,),
        hand=1,
        dealer=1,
        hands=(mine, Bag(1, (HIDDEN,) * len(mine))),
        stock=(Slot(parse_card(card), eye_of_seat(0)), *[HIDDEN] * (47 - 4 * len(mine))),
        laid=(HIDDEN,) * (2 * len(mine)),
    )
    return Judged(reason, state, 0, (right,))


BIDS = ", ".join([f"bid {points}" for points in range(12, 22)])

JUDGED: tuple[Judged, ...] = (
    judged("a run and a marriage are 17 before a card is played: bid", RUN, "", BIDS),
    judged("nothing to meld and nothing to win: leave them the bid", POOR, "18", "pass", first=1),
    judged("the run counts only in trumps", RUN, "15 pass", "name h"),
    offered("an ace counts and takes others", "KC JD 9H", "AS", "accept"),
    offered("a jack makes nothing with these: any other card is likely to be better", "KC AD TH TS", "JC", "reject"),
    offered("the jack makes the pinochle with the queen of spades", "KC QS 9H TS", "JD", "accept"),
    judged(
        "take the king with the ace",
        "AC 9C JD QD 9D KS JS 9S 9H QH TS JH",
        "12 pass H KC",
        "AC",
        first=1,
        other="KC KH QH",
    ),
    judged(
        "take the queen with the king: it counts one, and the ace takes another",
        "AC KC 9C JD QD 9D JS 9S 9H QH TS JH",
        "12 pass H QC",
        "KC",
        first=1,
        other="QC KH QH",
    ),
    judged(
        "the ace of the same suit takes your king: give it the nine",
        "KC 9C JD QD 9D TD JS 9S 9H QH TS JH",
        "12 pass H AC",
        "9C",
        first=1,
        other="AC KH QH",
    ),
    judged(
        "void: the nine of trumps takes the ace",
        "9H 9D TD JD QD 9D JS QS 9S TS AS AS",
        "12 pass H AC",
        "9H",
        first=1,
        other="AC KH QH",
    ),
    judged(
        "void, and the trick is worth nothing: keep trumps, tens and aces",
        "9S 9D JD JS AD TD AS TS AH TH KH KH",
        "12 pass H 9C",
        "9S, 9D, JD, JS",
        first=1,
        other="9C 9H",
    ),
    at(
        (92, 92),
        judged(
            "nine points win for both: with the bid the trump is mine, and the game",
            "QC QC AC KC 9C 9D AD KH QH TH AS AS",
            "",
            "bid 12",
        ),
    ),
    at(
        (92, 92),
        judged(
            "they would come to nine with trumps of theirs: one over their bid",
            "KC QC AC JC QD 9D 9H KH QH TH AH KS",
            "12",
            "bid 13",
            first=1,
        ),
    ),
)
