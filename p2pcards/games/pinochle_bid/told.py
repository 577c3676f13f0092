"""Bid Pinochle: what is told of it beside its rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from p2pcards.cards.card import Card
from p2pcards.cards.eyes import slots_of
from p2pcards.games.advice.pinochle import MOST, join_words, melds_by_trump
from p2pcards.games.advice.trick_analysis import trick_findings
from p2pcards.games.advice.words import FOLLOW, NAME_TRUMP
from p2pcards.games.bidding import Bid, Name
from p2pcards.games.certain import Aim
from p2pcards.games.figures import SET, Figure
from p2pcards.games.game import Action, AnyGame, Seat, name_in_text
from p2pcards.games.pinochle.told import ABOUT
from p2pcards.games.pinochle2.told import FAMILY
from p2pcards.games.pinochle_bid import rules as pinochle_bid
from p2pcards.games.pinochle_cards import counted_card
from p2pcards.games.pinochle_melds import bid_melds, meld_points
from p2pcards.games.playing import Pass
from p2pcards.games.telling import Found, Playing, Skill, Told, Tricks, Way, pass_or_lowest_bid


def aim(view: pinochle_bid.State, seat: Seat, action: Action) -> str:
    held = view.hands[seat].cards
    match action:
        case Bid(points=points):
            melds = max([meld_points(bid_melds(held, suit)) for suit in pinochle_bid.nameable_suits(held)], default=0)
            return f"to make {points} with melds and cards (your best melds: {melds})"
        case Pass():
            return f"to let {name_in_text(1 - seat)} have the bid"
        case Name(suit=suit):
            return f"to show {meld_points(bid_melds(held, suit))} in melds"
        case pinochle_bid.Concede():
            return "since you can't name any suit"
        case _:
            return ""


def analysis(game: AnyGame, view: pinochle_bid.State, seat: Seat) -> Found:
    """Findings on what a hand is good for, for its player; while cards are selected also what one card more would be
    worth."""
    if view.trump is not None:
        return trick_findings(game, view, seat)
    held = view.hands[seat].cards
    found = melds_by_trump(held, pinochle_bid.nameable_suits(held), bid_melds)
    return [*found, ("one more card", _helping_cards_text(view, held))] if view.selecting else found


def _helping_cards_text(view: pinochle_bid.State, held: Sequence[Card]) -> str:
    """The cards that would add most to the melds of the best trump, as text."""
    seen = Counter([slot.card.face for slot in slots_of(view) if slot.card])
    left = Counter(pinochle_bid.GAME.pack(view.options)) - seen
    now = _best_meld_points(held)
    gains = sorted([(_best_meld_points([*held, card]) - now, card) for card in left], reverse=True)
    return join_words([f"{card} adds {gain} ({left[card]} unseen)" for gain, card in gains[:MOST] if gain > 0])


def _best_meld_points(held: Sequence[Card]) -> int:
    """Points of the melds under the best trump."""
    return max([meld_points(bid_melds(held, suit)) for suit in pinochle_bid.nameable_suits(held)], default=0)


def aims(view: pinochle_bid.State, seat: Seat) -> Sequence[Aim]:
    """How many of the remaining tricks the seat wants, the most important aim first."""
    return [Aim(len(view.hands[seat]), len(view.hands[seat]))]


TOLD = Told(
    about=f"{ABOUT} {FAMILY}",
    words={
        "accept": "Keeps the card offered; the next one is discarded unseen.",
        "reject": "Discards the card offered and keeps the next one.",
        "pass": "Lets your opponent have the bid.",
        "bid": "Bids what you'll make with melds and tricks; it must top your opponent's bid.",
        "name": f"{NAME_TRUMP} You must hold its king and queen, or its nine.",
        "concede": "Gives up the hand when you have no suit to name: you lose the bid.",
        "play": FOLLOW,
    },
    aim=aim,
    analysis=analysis,
    mishaps=("leave you short of your bid",),
    short={"game_limit": 10},
    tricks=Tricks(counted=counted_card, aims=aims),
    figures=(
        SET,
        Figure("melds a hand", "points in your melds, when not set", "melds", share=False),
    ),
    strategy="strategies/pinochle",
    playing=Playing(
        by_lot=pass_or_lowest_bid(Bid),
        levels={"expert": Skill(Way.SEARCH, 1_000)},
        merged=dict.fromkeys(("champion", "master"), "expert"),
        editions={"novice": 2, "standard": 4},
    ),
)
