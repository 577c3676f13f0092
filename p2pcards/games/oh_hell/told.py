"""Oh Hell: what is told of it beside its rules."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.games.advice.words import BID_TRICKS, FOLLOW
from p2pcards.games.certain import Aim
from p2pcards.games.figures import Figure
from p2pcards.games.game import Action, Seat
from p2pcards.games.oh_hell import rules as oh_hell
from p2pcards.games.telling import Playing, Told, Tricks
from p2pcards.games.tricks import Bid, trick_counts
from p2pcards.games.wording import quantity_text


def aim(_view: oh_hell.State, _seat: Seat, action: Action) -> str:
    if not isinstance(action, Bid):
        return ""
    return f"to take exactly {quantity_text(action.tricks, 'trick')}" if action.tricks else "to take no tricks at all"


def has_made_bid(view: oh_hell.State, seat: Seat) -> bool:
    """Return whether the seat has taken exactly the tricks it bid."""
    bid = view.bids[seat]
    return bid is not None and trick_counts(view.taken)[seat] == bid


def aims(view: oh_hell.State, seat: Seat) -> Sequence[Aim]:
    """Exactly the tricks that its bid lacks."""
    bid, left = view.bids[seat], len(view.hands[seat])
    wanted = -1 if bid is None else bid - view.deal.tricks.won[seat]
    return [Aim(wanted, wanted, vital=True)] if 0 <= wanted <= left else []


TOLD = Told(
    about="Family magazines called it Oh Pshaw, or Blackout. It appeared in the card clubs of New York in the late "
    "1930s, and was said to have come from England. Few games are as relaxing, yet it rewards skill as hearts does.",
    words={"bid": f"{BID_TRICKS}, no more and no fewer.", "play": FOLLOW},
    aim=aim,
    strategy="strategies/tricks",
    mishaps=("bring you more tricks than you bid", "bring you fewer tricks than you bid"),
    short={"end_cards": 4},
    tricks=Tricks(avoids=has_made_bid, kept=", since you have made your bid", bids=lambda view: view.bids, aims=aims),
    figures=(Figure("bids made", "hands in which you took what you bid", "bid"),),
    playing=Playing(editions={"novice": 3, "standard": 4}, merged={"master": "champion"}),
)
