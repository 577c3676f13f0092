"""Spades, read for a search."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from p2pcards.cards.card import Card, Suit
from p2pcards.games.deals.taking import NONE, BiddenWorlds, Taking
from p2pcards.games.deals.worlds import Room
from p2pcards.games.game import Seat
from p2pcards.games.seen.reading import Reading
from p2pcards.games.seen.tricks import tricks_of
from p2pcards.games.spades.deal import SPADES, Spades, SpadesRules
from p2pcards.games.spades.rules import PACK, SEATS, Action, Bid, Options, Pass, State, legal

WEIGHED = 6
"""Cards of which three to pass are chosen."""
NEAR = 2
"""How far from the bid by rules of thumb another bid is weighed."""


def read(view: State, seat: Seat) -> Reading:
    """A seat's view of a hand in which it owes an action."""
    tricks = tricks_of(view, Suit.SPADES)
    position = _position(view, tricks)
    position.stand(turn=seat)
    position.tricks.begin(seat)
    known = {card for held in (*view.hands, *view.passed) for card in held.cards}.union(*[laid for _, laid in tricks])
    unseen = [int(card) for card in PACK if card not in known]
    rooms = [
        Room(other, len(held) - len(held.cards), position.tricks.void[other]) for other, held in enumerate(view.hands)
    ]
    rooms += [Room(SEATS + other, len(held) - len(held.cards)) for other, held in enumerate(view.passed)]
    choices: Sequence[Action] = legal(view, seat)
    if position.bidden < SEATS:
        likely = int(position.thumb_bid())
        choices = [
            bid for bid in choices if isinstance(bid, Bid) and (bid.tricks == 0 or abs(bid.tricks - likely) <= NEAR)
        ]
    elif view.passed:
        choices = _to_pass(position, view.hands[seat].cards)
    else:
        differ = position.tricks.distinct(position.moves())
        choices = [play for play in choices if differ >> moves(play)[0] & 1]
    return Reading(position, BiddenWorlds(unseen, [room for room in rooms if room.size]), choices, moves)


def moves(action: Action) -> Sequence[int]:
    """The bid, the cards that are passed, or the one that is played."""
    if isinstance(action, Bid):
        return [action.tricks]
    return list(action.cards if isinstance(action, Pass) else (action.card,))


def rules_of(options: Options) -> SpadesRules:
    return SpadesRules(
        options.team_play,
        options.spade_lead_first_trick,
        options.min_bid,
        options.nil != "none",
        options.nil == "passing",
    )


def _position(view: State, tricks: list[tuple[Seat, tuple[Card, ...]]]) -> Spades:
    assert view.dealer is not None
    position = Spades(rules_of(view.options), (view.dealer + 1) % SEATS, Taking(SPADES))
    position.stand(bids=[NONE if bid is None else bid for bid in view.bids])
    if position.bidden == SEATS:
        for leader, laid in tricks:
            position.tricks.begin(leader)
            for card in laid:
                position.do(card)
    if view.passed:
        position.end_bidding()
    for place, held in enumerate((*view.hands, *view.passed)):
        for card in held.cards:
            position.hold(place, card)
    return position


def _to_pass(position: Spades, held: tuple[Card, ...]) -> list[Pass]:
    """Three cards each of those that rules of thumb would be rid of first."""
    hand, gladly = position.tricks.hands[position.turn], []
    for _ in range(min(WEIGHED, len(held))):
        number = position.burden(hand)
        gladly.append(Card(number))
        hand &= ~(1 << number)
    return [Pass(tuple(sorted(three))) for three in combinations(gladly, 3)]
