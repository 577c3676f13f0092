"""Spades: what is told of it beside its rules."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.games.advice.words import BID_TRICKS, FOLLOW
from p2pcards.games.certain import Aim
from p2pcards.games.figures import Figure
from p2pcards.games.game import Action, Seat
from p2pcards.games.partners import partner_of
from p2pcards.games.passing import Pass
from p2pcards.games.spades import rules as spades
from p2pcards.games.telling import Playing, Told, Tricks
from p2pcards.games.tricks import Bid
from p2pcards.games.wording import quantity_text


def aim(view: spades.State, seat: Seat, action: Action) -> str:
    match action:
        case Bid(tricks=tricks) if spades.is_nil(view.options, tricks):
            return "to take no tricks at all"
        case Bid(tricks=tricks) if tricks:
            return f"to take at least {quantity_text(tricks, 'trick')}"
        case Pass() if spades.is_nil(view.options, view.bids[partner_of(seat)]):
            return "to help your partner make nil"
        case Pass():
            return "to get rid of cards that might take a trick"
        case _:
            return ""


def modest_bids(legal: Sequence[spades.Action]) -> Sequence[spades.Action]:
    """For carefree players: bids of one to four, never Nil; other actions unchanged."""
    return [action for action in legal if not isinstance(action, Bid) or 1 <= action.tricks <= 4]


def is_keeping_nil(view: spades.State, seat: Seat) -> bool:
    """Return whether this seat has bid nil and taken no trick yet."""
    return spades.is_nil(view.options, view.bids[seat]) and not view.taken[seat]


def aims(view: spades.State, seat: Seat) -> Sequence[Aim]:
    """To keep a Nil; else what the contract lacks. Tricks of a Nil that has failed are of no use."""
    mate = partner_of(seat) if view.options.team_play else seat
    side = [one for one in dict.fromkeys((seat, mate)) if not spades.is_nil(view.options, view.bids[one])]
    left, won = len(view.hands[seat]), view.deal.tricks.won
    if is_keeping_nil(view, seat):
        return [Aim(0, 0, vital=True)]
    lacking = sum([(view.bids[one] or 0) - won[one] for one in side])
    if seat not in side or not 0 < lacking <= left:
        return []
    return [Aim(lacking, left, mate if len(side) == 2 else None, vital=not is_keeping_nil(view, mate))]


def is_due_to_bid(action: Action, place: int) -> bool:
    """Return whether a mishap is blamed on this action; not a partner's failed nil, which any bid can cover as well."""
    return not (isinstance(action, Bid) and place == PARTNERS_NIL)


PARTNERS_NIL = 1
"""Its place among the mishaps."""

TOLD = Told(
    about="A trick-taking game for partners in which spades are always trump. You bid how many tricks you'll take, "
    "and then have to take at least that many.",
    words={
        "bid": f"{BID_TRICKS}; 0 is nil.",
        "pass": "Passes three cards face down to your partner, when one of you has bid nil.",
        "play": f"{FOLLOW} Spades are trump.",
    },
    aim=aim,
    strategy="strategies/tricks",
    mishaps=(
        "cost you your nil",
        "cost your partner their nil",
        "leave your side short of its bid",
        "cost you ten bags",
    ),
    blamed=is_due_to_bid,
    short={"winning_score": 1},
    tricks=Tricks(
        avoids=is_keeping_nil, nil=is_keeping_nil, kept=" and keep your nil", bids=lambda view: view.bids, aims=aims
    ),
    figures=(
        Figure("contracts made", "hands in which your side made its bid", "contract"),
        Figure("Nils made", "hands in which your side bid nil and made it", "nil"),
        Figure("overtricks a hand", "tricks your side took over its bid", "overtricks", share=False),
    ),
    playing=Playing(by_lot=modest_bids, editions={"novice": 4, "standard": 4}),
)
