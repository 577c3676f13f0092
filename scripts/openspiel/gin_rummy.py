"""Gin rummy: the preset telecards. Differences that stay, and where then nothing is compared: an equal count is a draw
with them and an undercut with us; only two cards are laid off on one end of a run with them; they knock by the count of
eleven cards, which is too high now and then, so that ours may not knock then either; the hand is over with them after
the fiftieth discard taken. A card just taken may be discarded with them, but not here; and with two cards in the stock
the last discard may not be taken for a knock, as with us. The defender lays off as well as they can, as with us,
though their simple bot never would."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from openspiel.bridge import Bridge
from openspiel.hand import Hand
from p2pcards.cards.card import Card
from p2pcards.games.drawing import Discard, Draw, Take
from p2pcards.games.gin_rummy.deadwood import best_arrangement, lay_offs
from p2pcards.games.gin_rummy.rules import Options
from p2pcards.games.gin_rummy.score import SEATS
from p2pcards.games.melds import is_set
from p2pcards.games.playing import Pass

TAKE, DRAW, PASS, KNOCK, MELDS = 52, 53, 54, 55, 56
ACE = 14
LONGEST = 5
"""Cards of a run that they lay down as one."""


def number(card: Card) -> int:
    """A card as they count it."""
    return (card.suit + 1) % 4 * 13 + (0 if card.rank == ACE else card.rank - 1)


def history(hand: Hand) -> list[int]:
    """The player who did not deal is their first, so that seat 1 has to deal."""
    upcard, *stock = map(number, hand.rest)
    numbers = [*map(number, hand.dealt[0]), *map(number, hand.dealt[1]), upcard]
    for _, action in hand.done:
        match action:
            case Pass():
                numbers.append(PASS)
            case Take():
                numbers.append(TAKE)
            case Draw():
                numbers += [DRAW, stock.pop(0)]
            case Discard(card=card):
                numbers.append(number(card))
            case _:
                numbers += [KNOCK, number(action.card)]
    return numbers


def imagined(hand: Hand, view: Any, world: Any) -> Hand:
    raise NotImplementedError("in gin rummy their bots draw worlds of their own")


def finished(state: Any, theirs: Any) -> bool:
    """Both lay their hands down, and the defender lays off, as well as they can."""
    knocker = state.knocker
    if theirs.is_terminal():
        return knocker is None
    if knocker is None:
        theirs.apply_action(PASS)
        return bool(theirs.is_terminal())
    hand, other = state.hands[knocker].cards, state.hands[1 - knocker].cards
    shown = best_arrangement(hand)
    melds = state.melds or shown.melds
    lay_down(theirs, melds)
    theirs.apply_action(PASS)
    defence = lay_offs(melds if shown.points else (), other)
    complete = lay_off(theirs, list(defence.laid)) if shown.points else True
    lay_down(theirs, defence.own.melds)
    theirs.apply_action(PASS)
    return complete and (not shown.points or shown.points != defence.own.points)


def lay_off(theirs: Any, cards: list[Card]) -> bool:
    """Whether all of the cards went."""
    while fits := [card for card in cards if number(card) in theirs.legal_actions()]:
        theirs.apply_action(number(fits[0]))
        cards.remove(fits[0])
    theirs.apply_action(PASS)
    return not cards


def lay_down(theirs: Any, melds: Iterable[Sequence[Card]]) -> None:
    for meld in melds:
        for part in parts(meld):
            theirs.apply_action(meld_number(theirs, part))


def parts(meld: Sequence[Card]) -> list[Sequence[Card]]:
    """A run that is longer than theirs as two or three of them."""
    if is_set(meld) or len(meld) <= LONGEST:
        return [meld]
    run = sorted(meld, key=number)
    return [run[:3], *parts(run[3:])]


def meld_number(theirs: Any, meld: Sequence[Card]) -> int:
    """The action by which they lay a meld down."""
    wanted = sorted(map(number, meld))
    for action in theirs.legal_actions():
        if action >= MELDS and sorted(cards_in(theirs.action_to_string(action))) == wanted:
            return int(action)
    raise ValueError(f"they lay down no meld of {meld}")


def cards_in(words: str) -> list[int]:
    """The numbers of the cards in what they write as ``Player: 0 Action: As2s3s``."""
    text = words.rsplit(" ", 1)[1]
    pairs = zip(text[::2], text[1::2], strict=True)
    return ["scdh".index(suit) * 13 + "A23456789TJQK".index(rank) for rank, suit in pairs]


BRIDGE = Bridge(
    "gin_rummy",
    Options(winning_score=1000),
    "gin_rummy",
    history,
    imagined,
    returns=lambda points: [float(points[seat] - points[1 - seat]) for seat in range(SEATS)],
    finished=finished,
)
