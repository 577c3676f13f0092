"""Two-handed pinochle by rules of thumb: melds what is worth most, keeps what may still become a meld, plays low where
nothing is gained, and knocks as soon as it may. It remembers no card that was played.

A worth is in points of the game, roughly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from random import Random

from p2pcards.cards.card import Card
from p2pcards.cards.eyes import PUBLIC, Slot
from p2pcards.games.cutting import Cut
from p2pcards.games.drawing import Draw, Knock, Meld
from p2pcards.games.game import Seat
from p2pcards.games.pinochle2.melds import BARS, Kind, cards_after_meld, meld_of, open_melds
from p2pcards.games.pinochle2.rules import (
    GAME,
    Action,
    Phase,
    State,
    known_melds,
    legal,
    melds_open_now,
    playable_in_second_part,
    trick_points,
)
from p2pcards.games.pinochle_cards import ACE, COUNTED, TEN
from p2pcards.games.playing import Play

WIN = 0.55  # how likely a trick of the first part is its own
DENIED = 6.0  # what it is worth that the other does not win one, and meld
PRESSING = 0.5  # what part of the melds that it could make is lost, at least, with every trick not won
SPARE = 0.1  # what a card counts in a meld for which its equal is held too
UNBEATEN = 0.3  # how often the other does not beat a card, but could
HIGH = {ACE: 9.0, TEN: 6.0}  # what a card is worth for the second part
TRUMP = 7.0
LEAST = 0.5  # a hope smaller than this is none
RULING = 15  # how many ranks higher a trump counts in the second part, where a rank is worth a point


def choose(view: State, seat: Seat, rng: Random) -> Action:
    """The action of a seat whose turn it is."""
    if view.phase == Phase.CUT:
        return Cut(None)
    actions = legal(view, seat)
    if Knock() in actions:
        return Knock()
    if len(actions) == 1:
        return actions[0]
    if view.phase == Phase.MELD:
        return _best_meld(view, seat, actions)
    if view.phase == Phase.FIRST:
        worth = _worth_in_first_part(view, seat)
    else:
        worth = _answer_worth(view) if view.trick else _lead_worth(view, seat)
    plays = [action for action in actions if isinstance(action, Play)]
    return max([(worth(action.card), rng.random(), action) for action in plays], key=lambda way: way[:2])[2]


# --- private ----------------------------------------------------------------------------------------------------------


def _best_meld(view: State, seat: Seat, actions: Iterable[Action]) -> Action:
    """The meld that is worth most with those that it leaves open for later; a free dix first."""
    known, held, laid = known_melds(view), view.hands[seat].cards, view.laid[seat]
    tricks = len(view.stock) // 2 - 1
    best: tuple[float, Action] = (0.0, Draw())
    for action in actions:
        if not isinstance(action, Meld):
            continue
        pattern = meld_of(known, action.cards)
        assert pattern is not None
        if pattern.kind == Kind.DIX and not view.options.dix_alone:
            return action
        rest = list((Counter(held) - Counter(action.cards)).elements())
        left = {other for other, _ in open_melds(known, rest, cards_after_meld(laid, pattern.kind, action.cards))}
        later = sorted([other.points for other in left], reverse=True)
        worth = pattern.points + sum([_chance_of_a_trick(tricks // n) * points for n, points in enumerate(later, 2)])
        if worth > best[0]:
            best = worth, action
    return best[1]


def _chance_of_a_trick(tricks: int) -> float:
    """How likely it is to win one of so many tricks."""
    return 1 - (1 - WIN) ** max(tricks, 0)


def _unseen_cards(view: State, seat: Seat) -> Counter[Card]:
    """The cards that are neither held nor lie open; a novice remembers none that was played."""
    seen = [*view.hands[seat].cards, *[slot.card for slot in view.trick]]
    seen += [each.slot.card.face for laid in view.laid for each in laid]
    seen += [slot.card for slot in view.stock[-1:]]
    return Counter(GAME.pack(view.options)) - Counter(seen)


def _worth_in_first_part(view: State, seat: Seat) -> Callable[[Card], float]:
    """What it is worth to play a card while there is a stock: the trick, less what the card is worth to keep."""
    unseen = _unseen_cards(view, seat)
    keep = _keeping_worths(view, seat, unseen)
    tricks = len(view.stock) // 2
    ready = sum({pattern.points for pattern, _ in melds_open_now(view, seat)})
    prize = DENIED + ready * max(PRESSING, 1 - _chance_of_a_trick(tricks - 1))
    if view.trick:
        return lambda card: prize * _would_beat(view, view.trick[0].card, card) - keep[card]
    open_there = [each.slot.card for each in view.laid[1 - seat]]
    strangers = len(view.hands[1 - seat]) / max(unseen.total(), 1)  # of the unseen cards the part that the other holds

    def lead(card: Card) -> float:
        beating = sum([number for other, number in unseen.items() if _would_beat(view, card, other)])
        threat = any(_would_beat(view, card, other) for other in open_there)
        unbeaten = 0.0 if threat else (1 - min(strangers, 1)) ** beating
        return prize * (UNBEATEN + (1 - UNBEATEN) * unbeaten) - keep[card]

    return lead


def _would_beat(view: State, led: Card, card: Card) -> bool:
    """Return whether a card takes a trick to which the other card was led."""
    if card.suit == led.suit:
        return COUNTED[card.rank] > COUNTED[led.rank]
    return card.suit == view.trump


def _keeping_worths(view: State, seat: Seat, unseen: Counter[Card]) -> dict[Card, float]:
    """What each card that may be played is worth to keep: for the melds that it may still become part of, and for the
    second part."""
    held = Counter(view.hands[seat].cards)
    laid = view.laid[seat]
    worth = {
        card: HIGH.get(card.rank, 0.0) + TRUMP * (card.suit == view.trump)
        for card in (*held, *[each.slot.card for each in laid])
    }
    comes = len(view.stock) / 2 / max(unseen.total(), 1)  # how likely a card is to be drawn
    luck = _chance_of_a_trick(len(view.stock) // 2)
    there: dict[Card, list[tuple[Card, tuple[Kind, ...]]]] = {face: [(face, ())] * held[face] for face in held}
    for each in laid:
        there.setdefault(each.slot.card.face, []).append((each.slot.card, each.uses))
    for pattern in known_melds(view).values():
        barred = BARS[pattern.kind]
        hope = pattern.points * luck
        ways = []
        for face in pattern.cards:
            ways.append([card for card, uses in there.get(face, ()) if barred.isdisjoint(uses)])
            hope *= 1.0 if ways[-1] else 1 - (1 - min(comes, 1)) ** unseen[face]
            if hope < LEAST:
                break
        else:
            for way in ways:
                for card in way:
                    worth[card] += hope if len(way) == 1 else hope * SPARE
    return worth


def _strength(view: State, card: Card) -> float:
    return COUNTED[card.rank] + RULING * (card.suit == view.trump)


def _answer_worth(view: State) -> Callable[[Card], float]:
    """What it is worth to answer with a card when the stock is gone."""
    led = view.trick[0].card

    def answer(card: Card) -> float:
        points = trick_points(view.options, (led, card))
        if not _would_beat(view, led, card):
            return -points - _strength(view, card)
        safe = trick_points(view.options, (card,)) if card.rank == ACE else 0  # another trick brings it home as well
        return points - safe - _strength(view, card)

    return answer


def _lead_worth(view: State, seat: Seat) -> Callable[[Card], float]:
    """What it is worth to lead a card when the stock is gone, and every card that is unseen may be the other's."""
    there = list(_unseen_cards(view, seat))

    def lead(card: Card) -> float:
        led = (Slot(card, PUBLIC),)
        answers, _ = playable_in_second_part(view, there, led)
        beaten = any(_would_beat(view, card, other) for other in answers)
        points = trick_points(view.options, (card,))
        return -points - _strength(view, card) if beaten else points + 1.0

    return lead
