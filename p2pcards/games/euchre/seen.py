"""Euchre, read for a search."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.cards.card import Suit
from p2pcards.games.deals.likely import CalledWorlds
from p2pcards.games.deals.race import ToGoal
from p2pcards.games.deals.worlds import Room, Worlds
from p2pcards.games.drawing import Discard
from p2pcards.games.euchre.deal import ACCEPT, ACCEPT_ALONE, DECLINE, NAME, NAME_ALONE, PASS, STOCK
from p2pcards.games.euchre.rules import SEATS, Accept, Action, Decline, Name, State, counted, legal
from p2pcards.games.game import Seat
from p2pcards.games.playing import Pass, Play
from p2pcards.games.seen.reading import Reading, side_scores
from p2pcards.games.seen.tricks import played_by_seat, reading_of_kept_deal, void_masks

SKEW = 1400
SKEW_ALONE = 2400


def read(view: State, seat: Seat) -> Reading:
    """A seat's view of a hand in which it owes an action."""
    options = view.options
    skew = SKEW if options.team_play else SKEW_ALONE
    race = ToGoal(side_scores(view.scores, options.team_play), options.winning_score, skew)

    def worlds(unseen: list[int], rooms: list[Room]) -> Worlds:
        return CalledWorlds(unseen, rooms, _calls(view), played_by_seat(view))

    return reading_of_kept_deal(
        view,
        seat,
        legal(view, seat),
        lambda action: moves(action, view.trump),
        void_masks(view),
        worlds,
        race=race,
        pack=view.deal.rules.pack,
        beside=[Room(STOCK, len(view.stock))],
    )


def moves(action: Action, trump: Suit | None) -> Sequence[int]:
    """trump: as it is before the action."""
    match action:
        case Pass():
            return [PASS]
        case Accept(alone=alone):
            return [ACCEPT_ALONE if alone else ACCEPT]
        case Name(suit=suit, alone=alone):
            return [(NAME_ALONE if alone else NAME) + suit]
        case Decline():
            return [DECLINE]
        case Discard(card=card) | Play(card=card):
            return [counted(card, trump)]


def _calls(view: State) -> list[int]:
    """The moves since the deal by which trump was made or not."""
    calls = [PASS] * view.passes
    if view.trump is not None:
        alone = view.out is not None
        calls += moves(Accept(alone) if view.passes < SEATS else Name(view.trump, alone), None)
    return calls
