"""Auction pitch by rules of thumb: counts the points of its hand under each trump, bids no more, and weighs for every
card what it may win against what it may lose.

A worth is in tenths of a point.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from p2pcards.cards.card import SUITS, Card, Suit
from p2pcards.games.auction_pitch.rules import COUNTS, JACK, PACK, SEATS, SMUDGE, Action, Options, State, legal
from p2pcards.games.bidding import Bid
from p2pcards.games.game import Seat
from p2pcards.games.playing import Pass, Play
from p2pcards.games.thumb.taking import Sight, best_of, look_at_trick, takes_trick
from p2pcards.games.tricks import cards_of_suit

ALL = frozenset(PACK)
HIGH = {14: 1.0, 13: 0.6, 12: 0.3, 11: 0.1}
LOW = {2: 1.0, 3: 0.7, 4: 0.45, 5: 0.25}
SURE = 0.9  # by how much it may be short of what it bids
ALL_FOUR = 3.4  # with so many it bids four, if it holds the jack
COUNT = 0.4  # what a count of one in a trick is worth
GIFTS = 3.0  # what others may have to give to a trick that is led


def choose(view: State, seat: Seat, rng: Random) -> Action:
    """The bid or the card of a seat whose turn it is."""
    actions = legal(view, seat)
    held = view.hands[seat].cards
    if view.pitcher is None:
        return _choose_bid(view, actions, held)
    cards = [action.card for action in actions if isinstance(action, Play)]
    if len(cards) == 1:
        return Play(cards[0])
    trump = view.trump
    if trump is None:
        trump = max(SUITS, key=lambda suit: expected_points(view.options, held, suit))
        cards = cards_of_suit(cards, trump)
    sight = look_at_trick(view, seat, ALL, trump)
    return Play(best_of(cards, lambda card: _card_worth(view, sight, card), rng))


def expected_points(options: Options, held: Sequence[Card], trump: Suit) -> float:
    """How many of the four points a hand should make that chooses this trump; 0 for a suit that it lacks."""
    ranks = sorted([card.rank for card in cards_of_suit(held, trump)])
    if not ranks:
        return 0.0
    length, top = len(ranks), ranks[-1]
    control = length + (14 in ranks) + (13 in ranks)  # how surely it takes what it wants
    points = HIGH.get(top, 0.0)
    points += LOW.get(ranks[0], 0.1) * (1.0 if options.low_point == "dealt" else min(1.0, 0.2 + 0.12 * control))
    if JACK in ranks:
        points += min(0.95, 0.2 + 0.13 * control)
    elif top > JACK:
        points += 0.03 * control
    others = [card.rank for card in held if card.suit != trump]
    return points + min(0.8, 0.08 * control + 0.1 * others.count(14) + 0.1 * ranks.count(10))


# --- private ----------------------------------------------------------------------------------------------------------


def _choose_bid(view: State, actions: Sequence[Action], held: Sequence[Card]) -> Action:
    """The lowest bid that the hand is good for; with less a pass, where there may be one."""
    bids = [action for action in actions if isinstance(action, Bid)]
    points, trump = max([(expected_points(view.options, held, suit), suit) for suit in SUITS])
    if points >= ALL_FOUR and Card.of(JACK, trump) in held:
        return bids[-1]
    good = points + SURE >= bids[0].points < SMUDGE
    return bids[0] if good or Pass() not in actions else Pass()


def _card_worth(view: State, sight: Sight, card: Card) -> float:
    """The stake of the trick if the card takes it, less what it gives away if not and what it may still win if kept."""
    mine = _stake_of_card(view, sight, card)
    stake = mine + sum([_stake_of_card(view, sight, other) for other in sight.trick])
    chance = _chance_to_take(sight, card)
    if not sight.trick:
        stake += GIFTS
    return chance * stake - (1 - chance) * mine - _worth_kept(sight, card)


def _worth_kept(sight: Sight, card: Card) -> float:
    """What the card may still win if it is kept."""
    return 2.0 + card.rank / 5 if card.suit == sight.trump else card.rank / 16


def _stake_of_card(view: State, sight: Sight, card: Card) -> float:
    """Worth of having this card in a trick that is taken."""
    worth = COUNT * COUNTS.get(card.rank, 0)
    if card.suit == sight.trump:
        worth += 10.0 * (card.rank == JACK)
        if view.options.low_point == "won":
            worth += 10 * LOW.get(card.rank, 0.0)
    return worth


def _chance_to_take(sight: Sight, card: Card) -> float:
    """Chance that the card takes the trick: nobody who plays later holds one that beats it, judged by the unseen cards,
    among which are those that were played: a novice does not count."""
    if not takes_trick(sight, card):
        return 0.0
    after = SEATS - 1 - len(sight.trick)
    if not after:
        return 1.0
    trump = sight.trump
    higher = [other for other in sight.unseen if other > card and other.suit == card.suit]
    ruffs = 0 if card.suit == trump else sum([other.suit == trump for other in sight.unseen])
    held = after * len(sight.held) / max(len(sight.unseen), 1)  # the part of the unseen cards that is in those hands
    return float((1 - min(held, 0.9)) ** (len(higher) + 0.5 * ruffs))
