"""Oh hell, read for a search."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.games.deals.taking import NONE, BiddenWorlds
from p2pcards.games.deals.tricks import SUITS
from p2pcards.games.deals.worlds import Room
from p2pcards.games.game import Seat
from p2pcards.games.oh_hell.deal import STOCK, OhHell
from p2pcards.games.oh_hell.rules import PACK, SEATS, Action, Bid, State, cards_each, legal, trump_of
from p2pcards.games.seen.reading import Reading
from p2pcards.games.seen.tricks import mask_of, replay, tricks_of, unplay

NEAR = 2
"""How far from the bid by rules of thumb another bid is weighed."""


def read(view: State, seat: Seat) -> Reading:
    """A seat's view of a deal in which it owes an action."""
    trump = trump_of(view)
    tricks = tricks_of(view, trump)
    position = _position(view)
    replay(position.tricks, tricks)
    position.stand(turn=seat)
    position.tricks.begin(seat)
    open_stock = {slot.card for slot in view.stock if slot.card}
    known = {card for held in view.hands for card in held.cards}.union(open_stock, *[laid for _, laid in tricks])
    for place, held in enumerate(view.hands):
        for card in held.cards:
            position.hold(place, card)
    rooms = [
        Room(other, len(held) - len(held.cards), position.tricks.void[other]) for other, held in enumerate(view.hands)
    ]
    rooms.append(Room(STOCK, len(view.stock) - len(open_stock)))
    unseen = [int(card) for card in PACK if card not in known]
    choices: Sequence[Action] = legal(view, seat)
    if position.bidden < SEATS:
        likely = int(position.thumb_bid())
        choices = [bid for bid in choices if isinstance(bid, Bid) and abs(bid.tricks - likely) <= NEAR]
    else:
        differ = position.tricks.distinct(position.moves())
        choices = [play for play in choices if differ >> moves(play)[0] & 1]
    start = _position(view)
    start.stand(turn=tricks[0][0])
    start.tricks.begin(tricks[0][0])
    played = unplay(start, tricks)
    return Reading(position, BiddenWorlds(unseen, [room for room in rooms if room.size]), choices, moves, start, played)


def moves(action: Action) -> Sequence[int]:
    """The bid, or the card that is played."""
    return [action.tricks if isinstance(action, Bid) else action.card]


def _position(view: State) -> OhHell:
    assert view.dealer is not None
    options, trump = view.options, trump_of(view)
    each = cards_each(options, view.hand)
    position = OhHell(
        each,
        10 if options.zero_bid == "ten" else 5 + each,
        each if options.made_bid == "cards" else 0,
        options.made_bid == "bid",
        (view.dealer + 1) % SEATS,
        0 if trump is None else SUITS[trump],
        0 if trump is None else mask_of([view.stock[0].card]),
    )
    position.stand(bids=[NONE if bid is None else bid for bid in view.bids])
    return position
