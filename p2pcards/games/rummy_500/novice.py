"""Rummy 500 by rules of thumb: lays down all it can, takes discards that pay, sheds what goes with nothing."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random

from p2pcards.cards.card import Card
from p2pcards.games.drawing import Discard, Draw, Meld
from p2pcards.games.game import Seat
from p2pcards.games.melds import runs_in, sets_in
from p2pcards.games.rummy_500.rules import (
    PACK,
    Action,
    Lay,
    Options,
    Phase,
    State,
    Take,
    card_points,
    legal,
    ways_to_lay_down,
)
from p2pcards.games.spreads import end_joined
from p2pcards.games.thumb.melding import completing_cards

ALL = frozenset(PACK)
OUT = 3.0  # what an unseen card is worth, in points, that would make a meld of two cards
GIFT = 8.0  # what it costs to discard a card that becomes a meld with one of the discards
HELD = 0.5  # what a card counts that is taken and not laid down at once
FEW = 4  # a hand smaller than this may be gone soon
GAIN = 4.0  # the least by which taking discards must be better than drawing


def choose(view: State, seat: Seat, rng: Random) -> Action:
    """The action of a seat whose turn it is."""
    held = view.hands[seat].cards
    if view.phase == Phase.DRAW:
        return _choose_draw(view, seat, held)
    uses = list(ways_to_lay_down(view, held, view.owed))
    if uses:
        return max(uses, key=lambda use: (_points_of_use(view.options, use), rng.random()))
    return _choose_discard(view, held, rng)


# --- private ----------------------------------------------------------------------------------------------------------


def _points_of_use(options: Options, use: Meld | Lay) -> int:
    cards = use.cards if isinstance(use, Meld) else (use.card,)
    return sum([card_points(options, card) for card in cards])


def _choose_draw(view: State, seat: Seat, held: Sequence[Card]) -> Action:
    """The draw: discards when the cards that can be laid down with them are worth more than what is left in the
    hand."""
    piled = [slot.card for slot in view.discards]
    fitting = {
        card for card in (*held, *piled) if any(end_joined(spread, card, view.options.aces) for spread in view.spreads)
    }
    now = _laid_now(view.options, held, fitting)
    best: tuple[float, Action] = (now + GAIN, Draw())
    for action in legal(view, seat):
        if isinstance(action, Take):
            taken = piled[piled.index(action.card) :]
            burden = HELD * sum([card_points(view.options, card) for card in taken])
            value = (1 + HELD) * _laid_now(view.options, [*held, *taken], fitting) - burden - HELD * now
            best = max(best, (value, action), key=lambda pair: pair[0])
    return best[1]


def _laid_now(options: Options, cards: Sequence[Card], fitting: Collection[Card]) -> int:
    """About how many points of these cards could be laid down at once, the meld that counts most first; fitting: the
    cards that go on melds."""
    left, points = list(cards), 0
    while melds := [*sets_in(left), *runs_in(left, options.aces)]:
        worth, meld = max([(sum([card_points(options, card) for card in meld]), meld) for meld in melds])
        points += worth
        left = [card for card in left if card not in meld]
    return points + sum([card_points(options, card) for card in left if card in fitting])


def _choose_discard(view: State, held: Sequence[Card], rng: Random) -> Action:
    """The discard: what there is least hope for, what helps the others least, and of that what counts most."""
    options = view.options
    piled = [slot.card for slot in view.discards]
    laid = {slot.card for spread in view.spreads for slot in spread.slots}
    unseen = ALL.difference(held, laid, piled)
    dear = 2 if min([len(hand) for hand in view.hands]) < FEW else 1

    def keep(card: Card) -> float:
        hopes = sum([len(makers & unseen) for other in held if (makers := completing_cards(card, other, options.aces))])
        gifts = sum([bool(completing_cards(card, other, options.aces) - laid) for other in piled])
        return OUT * hopes + GIFT * gifts - dear * card_points(options, card)

    return Discard(min(held, key=lambda card: (keep(card), rng.random())))
