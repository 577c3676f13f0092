"""Pinochle: what is told of it beside its rules."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.cards.card import SUITS
from p2pcards.games.advice.pinochle import melds_by_trump
from p2pcards.games.advice.trick_analysis import trick_findings
from p2pcards.games.advice.words import NAME_TRUMP
from p2pcards.games.bidding import Bid, Name
from p2pcards.games.certain import Aim
from p2pcards.games.figures import SET, Figure
from p2pcards.games.game import Action, AnyGame, Seat
from p2pcards.games.partners import partner_of
from p2pcards.games.pinochle import rules as pinochle
from p2pcards.games.pinochle_cards import counted_card
from p2pcards.games.pinochle_melds import meld_points
from p2pcards.games.playing import Pass
from p2pcards.games.telling import Found, Playing, Told, Tricks, pass_or_lowest_bid

ABOUT = (
    "Pinochle was developed in the United States, probably around the middle of the 19th century. Its cards rank "
    "the German way, so many take it for a German game, but it is American through and through."
)


def aim(view: pinochle.State, seat: Seat, action: Action) -> str:
    held = view.hands[seat].cards
    match action:
        case Bid(points=points):
            melds = max([meld_points(view.options.form.melds(held, suit)) for suit in SUITS])
            return f"to make {points} with melds and tricks (your best melds: {melds})"
        case Pass():
            return "to drop out of the bidding"
        case Name(suit=suit):
            return f"to show {meld_points(view.options.form.melds(held, suit))} in melds"
        case _:
            return ""


def analysis(game: AnyGame, view: pinochle.State, seat: Seat) -> Found:
    """Before trump is named what the hand could meld; afterwards what it is good for in tricks."""
    if view.trump is not None:
        return trick_findings(game, view, seat)
    return melds_by_trump(view.hands[seat].cards, SUITS, view.options.form.melds)


def aims(view: pinochle.State, seat: Seat) -> Sequence[Aim]:
    """How many of the remaining tricks the seat wants, the most important aim first."""
    left = len(view.hands[seat])
    return [Aim(left, left, partner_of(seat))]


TOLD = Told(
    about=ABOUT,
    words={
        "pass": "Drops out of the bidding.",
        "bid": "Bids what your side will make with melds and tricks; it must top the last bid.",
        "name": NAME_TRUMP,
        "play": "Plays a card to the trick: follow suit, trump if you can't, and win the trick if you can.",
    },
    aim=aim,
    analysis=analysis,
    mishaps=("leave your side short of its bid",),
    short={"winning_score": 100},
    tricks=Tricks(counted=counted_card, aims=aims, gives=True),
    figures=(
        SET,
        Figure("melds a hand", "points in your side's melds, when not set", "melds", share=False),
    ),
    strategy="strategies/pinochle",
    apart={"double-pack": "the same with 80 cards."},
    playing=Playing(
        by_lot=pass_or_lowest_bid(Bid),
        editions={"novice": 2, "standard": 4},
        merged={"master": "champion"},
    ),
)
