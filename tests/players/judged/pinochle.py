"""Positions of pinochle for four. Seat 0 is to act; its partner is seat 2."""

from __future__ import annotations

from collections.abc import Mapping

from p2pcards.cards.card import SUIT_LETTERS, SUITS, parse_card
from p2pcards.games.bidding import Bid, Name
from p2pcards.games.game import Seat, Stage
from p2pcards.games.pinochle.rules import GAME, PRESETS, Action, Options, State
from p2pcards.games.playing import Pass, Play
from rigs.dealt import reached
from rigs.judged import Judged, at

REAL, DOUBLE = PRESETS["real-deal"], PRESETS["double-pack"]
FLUSH = "AH TH KH QH JH AC AD TD KS QS 9S JC"
POOR = "9C JC 9D QD TD 9H QH 9S JS QS KC JC"


def parse(word: str) -> Action:
    """A bid, a pass, a trump suit by its letter, or a card."""
    if word.isdigit():
        return Bid(int(word))
    if word in SUIT_LETTERS:
        return Name(SUITS[SUIT_LETTERS.index(word)])
    return Pass() if word == "pass" else Play(parse_card(word))


def judged(
    reason: str,
    hand: str,
    done: str,
    right: str,
    first: Seat = 0,
    others: Mapping[Seat, str] | None = None,
    options: Options = REAL,
) -> Judged:
    """hand: of seat 0; done: what has happened since seat `first` was to bid; others: what other seats were dealt;
    right: answers, with commas between them."""
    state = State(options, stage=Stage.PLAY, to_act=(first,), hand=1, dealer=(first - 1) % 4)
    view = reached(GAME, state, options.form.each, {0: hand, **(others or {})}, done.split(), parse)
    return Judged(reason, view, 0, tuple(right.split(", ")))


BIDS = ", ".join([f"bid {points}" for points in range(150, 260, 10)])
WON = "150 pass pass pass H"  # by the first bidder

JUDGED: tuple[Judged, ...] = (
    judged("a flush and a marriage are 170 before a card is played: bid", FLUSH, "", BIDS),
    judged("nothing to meld and nothing to win: pass", POOR, "250", "pass", first=3),
    judged("your partner has the bid, and you can only make it dearer", POOR, "200 pass", "pass", first=2),
    judged("the flush is in hearts, and counts only as trumps", FLUSH, "150 pass pass pass", "name h"),
    judged(
        "two aces and length in spades, but a flush in diamonds: 150 is more than any length",
        "AD TD KD QD JD AS AS TS KS QS 9S 9C",
        "150 pass pass pass",
        "name d, name s",
    ),
    judged(
        "partner's ace takes it and you play last: give it the ten, which the other ace would catch",
        "TC 9C JD QD 9D KD JS QS 9S JH QH KD",
        f"{WON} JC AC 9C",
        "TC",
        first=1,
        others={1: "JC AH AH TH TH", 2: "AC", 3: "9C"},
    ),
    judged(
        "their ace takes it: give it the nine, not the ten",
        "TC 9C JD QD 9D KD JS QS 9S JH QH KD",
        f"{WON} AC JC JC",
        "9C",
        first=1,
        others={1: "AC AH AH TH TH", 2: "JC", 3: "JC"},
    ),
    judged(
        "last to play: the ten takes the king, and the ace will take another trick",
        "TC AC JD QD 9D KD JS QS 9S JH QH KD",
        f"{WON} JC QC KC",
        "TC",
        first=1,
        others={1: "JC AH AH TH TH", 2: "QC", 3: "KC"},
    ),
    judged(
        "void, without a trump, and partner's ace takes it: give it the ten, and not the ace",
        "AD TD JD QD 9D KD JS QS 9S 9S QD JS",
        f"{WON} 9C AC JC",
        "TD",
        first=1,
        others={1: "9C AH AH TH TH", 2: "AC", 3: "JC"},
    ),
    judged(
        "void, without a trump, and they take it: throw a card that counts nothing, and keep diamonds",
        "AD TD JD QD 9D KD JS QS 9S 9S QD JS",
        f"{WON} AC QC JC",
        "9S, 9D",
        first=1,
        others={1: "AC AH AH TH TH", 2: "QC", 3: "JC"},
    ),
    judged(
        "double pack: your partner takes it with an ace, and you play last: the ten counts and would not win again",
        "TC JC JC JD QD QD KD KD JS QS QS KS KS JD JS QC QC KC QD QS",
        "500 pass pass pass H QC AC JC",
        "TC, KC",
        first=1,
        others={1: "QC AH AH TH TH AH AH", 2: "AC", 3: "JC"},
        options=DOUBLE,
    ),
    at(
        (960, 960, 960, 960),
        judged(
            "forty points win, and the bidder's side counts first: over their 200, though the bid is hard to make",
            "QC TC TC JD KD QD 9H AH KS TS KS QS",
            "pass 200",
            "bid 210",
            first=2,
        ),
    ),
    at(
        (960, 960, 960, 960),
        judged(
            "both sides are one hand from the goal: whose trump it is wins the game",
            "9C JC KH QH AH AH 9H TS KS JS 9S 9S",
            "pass 200",
            "bid 210",
            first=2,
        ),
    ),
)
