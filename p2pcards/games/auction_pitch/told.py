"""Auction Pitch: what is told of it beside its rules."""

from __future__ import annotations

from p2pcards.cards.card import Card
from p2pcards.games.advice.trick_aims import TrickSight, suit_in_words
from p2pcards.games.auction_pitch import rules as auction_pitch
from p2pcards.games.bidding import Bid
from p2pcards.games.figures import POINTS_A_HAND, Figure
from p2pcards.games.game import Action, Seat
from p2pcards.games.playing import Pass
from p2pcards.games.telling import Playing, Skill, Told, Tricks, Way, pass_or_lowest_bid


def aim(_view: auction_pitch.State, _seat: Seat, action: Action) -> str:
    match action:
        case Pass():
            return "to let someone else have the bid"
        case Bid(points=points) if points == 4:
            return "to make all four: high, low, jack and game"
        case Bid(points=points):
            return f"to make {points} of high, low, jack and game with your own trump suit"
        case _:
            return ""


def leading(sight: TrickSight, card: Card) -> str | None:
    """The first card that is led makes trump."""
    if sight.out.trump is not None:
        return None
    suit = sight.out.suit_in_tricks(card)
    number = sum([other.suit == suit for other in sight.held])
    return f"to make {suit_in_words(suit)} trump (you hold {number})"


TOLD = Told(
    about="It comes from All Fours, an old English game that nearly every card player in America once knew. "
    "All Fours lives on mostly as auction pitch, still one of the most popular games in the United States. It is "
    "played in many ways, but high, low, jack and game always score.",
    words={
        "bid": "Bids how many points you'll make, higher than anyone before you; four is a smudge.",
        "pass": "Passes. You get only one turn to bid.",
        "play": "Plays a card to the trick. The first card of the hand makes trump; you may always play a trump.",
    },
    aim=aim,
    strategy="strategies/tricks",
    mishaps=("leave you short of your bid",),
    short={"winning_score": 5},
    tricks=Tricks(leading=leading, gives=True),
    figures=(
        Figure("set back", "hands in which you bid and were set back", "set"),
        POINTS_A_HAND,
    ),
    playing=Playing(
        by_lot=pass_or_lowest_bid(Bid),
        levels={"standard": Skill(Way.SEARCH, 300), "expert": Skill(Way.SEARCH, 3_000, 15_000)},
        merged=dict.fromkeys(("champion", "master"), "expert"),
        editions={"novice": 3, "standard": 4},
    ),
)
