"""Spades, read for a search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from p2pcards.cards.card import Card
from p2pcards.games.deals.race import ToGoal
from p2pcards.games.deals.taking import BiddenWorlds
from p2pcards.games.game import Seat
from p2pcards.games.passing import Pass
from p2pcards.games.seen.reading import Reading, side_scores
from p2pcards.games.seen.tricks import reading_of_kept_deal
from p2pcards.games.spades.deal import Spades
from p2pcards.games.spades.rules import SEATS, Action, State, legal
from p2pcards.games.tricks import Bid

WEIGHED = 6
"""Cards of which three to pass are chosen."""
NEAR = 2
"""How far from the bid by rules of thumb another bid is weighed."""
LAST_HANDS = 150
"""Points from which a side may win with this hand or the next: then every lower bid is weighed, too."""
SKEW = 300
SKEW_ALONE = 370


def read(view: State, seat: Seat) -> Reading:
    deal = view.deal
    choices: Sequence[Action] = legal(view, seat)
    options = view.options
    scores = side_scores(view.scores, options.team_play)
    race = ToGoal(scores, options.winning_score, SKEW if options.team_play else SKEW_ALONE)
    if deal.bidden < SEATS:
        likely = int(deal.rule_of_thumb_bid())
        least = 0 if race.is_within_of_goal(LAST_HANDS) else likely - NEAR
        choices = [
            bid for bid in choices if isinstance(bid, Bid) and (not bid.tricks or least <= bid.tricks <= likely + NEAR)
        ]
    elif deal.passing:
        choices = _likely_passes(deal, seat)
    else:
        differ = deal.tricks.distinct_cards(deal.legal_moves())
        choices = [play for play in choices if differ >> moves(play)[0] & 1]
    reading = reading_of_kept_deal(view, seat, choices, moves, deal.tricks.void, BiddenWorlds, race=race)
    return replace(reading, recount=recount_with_bid) if deal.bidden < SEATS else reading


def recount_with_bid(hand: Spades, seat: Seat, bid: Bid) -> bool:
    """Count a hand that was played to its end as if the seat had made this bid; False if the play depends on the bid:
    players play for a Nil, and pass cards for it."""
    if hand.rules.nil and 0 in (hand.bids[seat], bid.tricks):
        return False
    hand.bids[seat] = bid.tricks
    return True


def moves(action: Action) -> Sequence[int]:
    """The bid, the cards that are passed, or the one that is played."""
    if isinstance(action, Bid):
        return [action.tricks]
    return list(action.cards if isinstance(action, Pass) else (action.card,))


def _likely_passes(deal: Spades, seat: Seat) -> list[Pass]:
    """Passes of three cards each from those that rules of thumb would be rid of first."""
    deal, hand, gladly = deal.copy(), deal.tricks.hands[seat], list[Card]()
    deal.set_turn(seat)
    while hand and len(gladly) < WEIGHED:
        gladly.append(Card(deal.first_card_to_pass(hand)))
        hand &= ~(1 << gladly[-1])
    return [Pass(tuple(sorted(three))) for three in combinations(gladly, 3)]
