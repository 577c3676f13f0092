"""Euchre, read for a search."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from p2pcards.cards.card import BACK, Card, Suit, mask_of
from p2pcards.games.deals.likely import CalledWorlds
from p2pcards.games.deals.race import ToGoal
from p2pcards.games.deals.tricks import NOBODY, SUITS
from p2pcards.games.deals.worlds import Room, Worlds
from p2pcards.games.euchre.deal import (
    ACCEPT,
    ACCEPT_ALONE,
    DECLINE,
    LAID,
    NAME,
    NAME_ALONE,
    PASS,
    STOCK,
    Euchre,
    EuchreRules,
)
from p2pcards.games.euchre.rules import (
    PACKS,
    SEATS,
    Accept,
    Action,
    Decline,
    Discard,
    Name,
    Options,
    Pass,
    State,
    counted,
    legal,
)
from p2pcards.games.game import Seat
from p2pcards.games.playing import Play
from p2pcards.games.seen.reading import Reading, side_scores
from p2pcards.games.seen.tricks import replay, tricks_of, unplay, voids

SKEW = 1400
SKEW_ALONE = 2400

Tricks = list[tuple[Seat, tuple[Card, ...]]]
Counted = Callable[[Card], Card]


def read(view: State, seat: Seat) -> Reading:
    """A seat's view of a hand in which it owes an action."""

    def as_trump(card: Card) -> Card:
        return counted(card, view.trump)

    tricks = tricks_of(view, view.trump, view.out, as_trump)
    position = _position(view, tricks, as_trump)
    position.stand(turn=seat)
    options = view.options
    skew = SKEW if options.team_play else SKEW_ALONE
    position.enter(ToGoal(side_scores(view.scores, options.team_play), options.winning_score, skew))
    worlds = _worlds(view, tricks, as_trump)
    start = _position(view, [], as_trump)
    start.stand(turn=tricks[0][0])
    start.tricks.begin_trick(tricks[0][0])
    played = unplay(start, tricks, view.out)
    return Reading(position, worlds, legal(view, seat), lambda action: moves(action, view.trump), start, played)


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


def rules_of(options: Options) -> EuchreRules:
    return EuchreRules(
        options.team_play, PACKS[options.deck_size][0], options.stick_the_dealer, options.dealer_takes_up
    )


def _position(view: State, tricks: Tricks, as_trump: Counted) -> Euchre:
    assert view.dealer is not None
    position = Euchre(rules_of(view.options), view.dealer)
    position.stand(passes=view.passes, exchanging=view.exchanging)
    if view.turn_up:
        position.stand(
            turned=mask_of([as_trump(slot.card) for slot in view.turn_up]), turned_suit=view.turn_up[0].card.suit
        )
    if view.trump is not None:
        assert view.maker is not None
        position.stand(maker=view.maker)
        position.trump(view.trump, NOBODY if view.out is None else view.out)
    replay(position.tricks, tricks)
    for place, held in enumerate((*view.hands, view.laid)):
        for card in held.cards:
            position.hold(place, as_trump(card))
    return position


def _worlds(view: State, tricks: Tricks, as_trump: Counted) -> Worlds:
    open_cards = [slot.card for slot in (*view.turn_up, *view.stock)]
    known = [as_trump(card) for card in open_cards + [card for held in (*view.hands, view.laid) for card in held.cards]]
    fallen = [card for _, cards in tricks for card in cards]
    pack = [as_trump(card) for card in PACKS[view.options.deck_size]]
    unseen = [int(card) for card in pack if card not in known and card not in fallen]
    shown = voids(tricks, SEATS, view.out)
    rooms = [
        Room(other, len(held) - len(held.cards), sum([SUITS[suit] for suit in shown[other]]))
        for other, held in enumerate(view.hands)
    ]
    rooms.append(Room(LAID, len(view.laid) - len(view.laid.cards)))
    rooms.append(Room(STOCK, [slot.card for slot in view.stock].count(BACK)))
    return CalledWorlds(unseen, [room for room in rooms if room.size], _calls(view), _played(view, tricks))


def _calls(view: State) -> list[int]:
    """The moves since the deal by which trump was made or not."""
    calls = [PASS] * view.passes
    if view.trump is not None:
        alone = view.out is not None
        calls += moves(Accept(alone) if view.passes < SEATS else Name(view.trump, alone), None)
    return calls


def _played(view: State, tricks: Tricks) -> list[int]:
    """By seat the cards that it has played."""
    order = [seat for seat in range(SEATS) if seat != view.out]
    played = [0] * SEATS
    for leader, cards in tricks:
        for place, card in enumerate(cards):
            played[order[(order.index(leader) + place) % len(order)]] |= mask_of([card])
    return played
