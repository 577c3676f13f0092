"""Hearts by rules of thumb.

Every card that may be played is given a worth as it is led, follows or is thrown off, and the best one is played; ties
are broken at random. A worth has no unit: only the order within one of the three means something. A novice does not
count cards: it remembers whether the queen of spades has fallen, and the jack of diamonds where it counts, and who took
points.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from p2pcards.cards.card import Card, Suit, cards_of_mask
from p2pcards.cards.eyes import Slot
from p2pcards.games.game import Seat
from p2pcards.games.hearts.rules import JACK, PACK, QUEEN, SEATS, Action, Options, State, legal
from p2pcards.games.passing import Pass
from p2pcards.games.playing import Play

POINT_CARDS = frozenset(card for card in PACK if card.suit == Suit.HEARTS or card == QUEEN)
ALL = frozenset(PACK)


class Outlook(NamedTuple):
    """What a novice makes of a view before it plays."""

    options: Options
    held: tuple[Card, ...]
    unseen: frozenset[Card]  # what the three others may hold, as far as the player remembers
    trick: tuple[Card, ...]
    best: Card | None  # the card that takes the trick as it lies
    taker: Seat  # who played it
    stake: int  # what the trick costs so far
    shooter: Seat | None  # who seems to shoot the moon
    barred: bool  # no point card may fall on this trick


def choose(view: State, seat: Seat, rng: Random) -> Action:
    """The pass or the card of a seat whose turn it is."""
    held = view.hands[seat].cards
    if view.passed:
        order = sorted([(-_passing_worth(view.options, held, card), rng.random(), card) for card in held])
        return Pass(tuple(sorted([card for _, _, card in order[:3]])))
    cards = [action.card for action in legal(view, seat) if isinstance(action, Play)]
    if len(cards) == 1:
        return Play(cards[0])
    outlook = _outlook(view, seat)
    if not outlook.trick:
        worth = _lead_worth
    elif cards[0].suit == outlook.trick[0].suit:
        worth = _follow_worth
    else:
        worth = _discard_worth
    return Play(max([(worth(outlook, card), rng.random(), card) for card in cards])[2])


def _outlook(view: State, seat: Seat) -> Outlook:
    """The trick, the unseen cards and the dangers of the hand, as a novice sees them."""
    held = view.hands[seat].cards
    trick = _cards_in_slots(view.trick)
    piles = [tuple(cards_of_mask(mask)) for mask in view.deal.tricks.taken]
    fallen = [
        card for card in (QUEEN, JACK) if _is_memorable(view.options, card) and any(card in pile for pile in piles)
    ]
    best = max([card for card in trick if card.suit == trick[0].suit], default=None)
    return Outlook(
        options=view.options,
        held=held,
        unseen=ALL.difference(held, trick, fallen),
        trick=trick,
        best=best,
        taker=view.leader if best is None else (view.leader + trick.index(best)) % SEATS,
        stake=sum([_points_of_card(view.options, card) for card in trick]),
        shooter=_likely_moon_shooter(view.options, piles, seat),
        barred=not any(piles) and not view.options.points_on_first_trick,
    )


def _cards_in_slots(slots: tuple[Slot, ...]) -> tuple[Card, ...]:
    return tuple([slot.card for slot in slots])


def _points_of_card(options: Options, card: Card) -> int:
    """What a card costs the player who takes it. A queen without points still costs the bonus for a clean hand."""
    if card == QUEEN:
        return 13 if options.queen_points else 5 * options.no_trick_bonus
    if card == JACK:
        return -10 * options.jack_of_diamonds
    return int(card.suit == Suit.HEARTS)


def _is_memorable(options: Options, card: Card) -> bool:
    """Return whether everybody remembers that this card has fallen: it costs more than a heart, or less than
    nothing."""
    return _points_of_card(options, card) not in (0, 1)


def _likely_moon_shooter(options: Options, piles: list[tuple[Card, ...]], seat: Seat) -> Seat | None:
    """Another seat that alone has taken point cards, and so many that it looks like a moon. It is feared sooner where
    it costs us 26 than where it only helps the shooter."""
    counts = [len(POINT_CARDS.intersection(pile)) for pile in piles]
    alarm = 5 if options.moon == "add" else 7
    most = max(counts)
    if most < alarm or most < sum(counts) or counts[seat]:
        return None
    return counts.index(most)


def _unseen_above_and_below(outlook: Outlook, card: Card) -> tuple[int, int]:
    """How many higher and how many lower cards of its suit the others may hold."""
    suit = card >> 4
    same = [other for other in outlook.unseen if other >> 4 == suit]
    higher = sum([other > card for other in same])
    return higher, len(same) - higher


# --- the pass ---------------------------------------------------------------------------------------------------------


def _passing_worth(options: Options, held: tuple[Card, ...], card: Card) -> float:
    """How gladly a card is passed."""
    suit, rank = card.suit, card.rank
    mates = [other for other in held if other.suit == suit]
    if suit == Suit.SPADES and options.queen_points:
        guards = sum([other < QUEEN for other in mates])
        if rank < 12:
            return -20
        return (95 if card == QUEEN else 80 + rank) if guards < 4 else 5
    if suit == Suit.DIAMONDS and options.jack_of_diamonds and rank >= 11:
        return -30 if rank == 11 else 0  # the high diamonds catch the jack
    if suit == Suit.HEARTS:
        ducks = sum([other.rank <= 6 for other in mates])
        return rank * 4 - 6 * ducks
    return rank * 3 + 9 * max(0, 4 - len(mates))  # a short suit is soon a void


# --- the play ---------------------------------------------------------------------------------------------------------


def _lead_worth(outlook: Outlook, card: Card) -> float:
    """Worth of leading a card: one that probably does not win, or wins nothing; it brings the queen down when it cannot
    hurt."""
    options, suit, rank = outlook.options, card.suit, card.rank
    higher, lower = _unseen_above_and_below(outlook, card)
    length = sum([other.suit == suit for other in outlook.held])
    hunted = options.queen_points and QUEEN in outlook.unseen
    wins = _chance_lead_wins(higher, lower)
    if options.jack_of_diamonds and card == JACK:
        return 60 if not higher else -60
    if outlook.shooter is not None and suit == Suit.HEARTS and not higher:
        return 40
    if suit == Suit.HEARTS:
        stake = 3.0
    elif card == QUEEN:
        stake = _points_of_card(options, QUEEN) + 2.0
    else:  # the fewer are left, the sooner somebody throws points on it
        stake = 0.2 + (1.2 + 4 * hunted) * max(0, 9 - higher - lower) / 9
    worth = rank / 3 + 4 - length
    if suit == Suit.SPADES and options.queen_points:
        if hunted:
            high = any(other.suit == Suit.SPADES and other > QUEEN for other in outlook.held)
            stake += 8 * (card > QUEEN)
            worth += 8 if not high else 0
        elif QUEEN in outlook.held:
            worth -= 10  # its guards stay with it
    if options.jack_of_diamonds and suit == Suit.DIAMONDS:
        stake -= 3 * (rank > 11 and JACK in outlook.unseen)
        worth -= 3 * (JACK in outlook.held)
    return worth - 10 * wins * stake * (0.1 if outlook.barred else 1)


def _chance_lead_wins(higher: int, lower: int) -> float:
    """Chance that a lead wins, if all three others play under it whenever they can."""
    if not higher:
        return 1.0
    each = (higher + lower) / (SEATS - 1)
    return float((1 - (higher / (higher + lower)) ** each) ** (SEATS - 1))


def _follow_worth(outlook: Outlook, card: Card) -> float:
    """Worth of following with a card: the highest under the trick, a harmless trick last with the highest of all, else
    hoping with the lowest."""
    assert outlook.best is not None
    rank, cost = card.rank, _points_of_card(outlook.options, card)
    last = len(outlook.trick) == SEATS - 1
    if card < outlook.best:
        return 100 + rank + 20 * cost
    total = outlook.stake + cost
    top = last or not _unseen_above_and_below(outlook, card)[0]
    if total < 0 and top:
        return 300 - 10 * total + rank
    if outlook.stake < 0:
        return 150 + rank - 30 * cost
    if cost < 0:  # the jack, where somebody may still take it
        return -300
    if outlook.shooter is not None and 0 < total <= 4 and top:
        return 250 + rank
    if (last or outlook.barred) and total == 0:
        return 200 + rank
    if last:
        return 50 + rank - 5 * cost
    return 40 - rank - 5 * cost


def _discard_worth(outlook: Outlook, card: Card) -> float:
    """Worth of throwing off a card: the queen, what it could be caught by, high hearts, high cards of short suits;
    never the jack."""
    options, suit, rank = outlook.options, card.suit, card.rank
    if options.jack_of_diamonds and card == JACK:
        return -300
    if outlook.shooter is not None and card in POINT_CARDS:
        if outlook.taker == outlook.shooter:
            return -200 - rank
        if len(outlook.trick) == SEATS - 1:
            return 250 - rank + 20 * (card == QUEEN)
    if card == QUEEN and _points_of_card(options, QUEEN):
        return 200
    if suit == Suit.SPADES and card > QUEEN and options.queen_points and QUEEN in outlook.unseen:
        return 100 + rank
    if suit == Suit.HEARTS:
        return 25 + 3 * rank
    catches = options.jack_of_diamonds and JACK in outlook.unseen and suit == Suit.DIAMONDS and rank > 11
    length = sum([other.suit == suit for other in outlook.held])
    return 3 * rank + 2 * max(0, 6 - length) - 30 * catches
