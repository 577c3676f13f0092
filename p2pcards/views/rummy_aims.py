"""What an action is for where cards are collected: gin rummy, rummy 500, thirty-one and cribbage."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from p2pcards.cards.card import Card, spelled
from p2pcards.cards.eyes import slots_of
from p2pcards.cards.pack import pack_of
from p2pcards.games.cribbage import rules as cribbage
from p2pcards.games.cribbage.score import card_count, combination_points, pegging_items, show_points
from p2pcards.games.game import Action, Seat, points_of, whose
from p2pcards.games.gin_rummy import rules as gin_rummy
from p2pcards.games.gin_rummy.deadwood import best_arrangement, deadwood
from p2pcards.games.rummy_500 import rules as rummy_500
from p2pcards.games.thirty_one import rules as thirty_one

NEAR = 2
"""Steps between two cards of a suit that a third may join to a run."""
PACK = pack_of()


def fitting(card: Card, held: Iterable[Card]) -> list[Card]:
    """Those of the cards with which a third may make a set or a run."""

    def low(one: Card) -> int:
        return 1 if one.rank == 14 else one.rank

    return [
        other
        for other in held
        if other != card
        and (
            other.rank == card.rank
            or (other.suit == card.suit and min(abs(low(other) - low(card)), abs(other.rank - card.rank)) <= NEAR)
        )
    ]


def without(held: Iterable[Card], gone: Sequence[Card]) -> list[Card]:
    return [card for card in held if card not in gone]


# --- gin rummy --------------------------------------------------------------------------------------------------------


def gin_aim(view: gin_rummy.State, seat: Seat, action: Action) -> str:
    held = list(view.hands[seat].cards)
    match action:
        case gin_rummy.Take():
            return _taking(held, view.discards[-1].card)
        case gin_rummy.Draw() | gin_rummy.Pass():
            if not view.discards or not view.discards[-1].card:
                return ""
            top = view.discards[-1].card
            return f"as the {top} is in no meld of yours" if not _meld_with(held, top) else ""
        case gin_rummy.Discard(card=card):
            useless = f", as the {card} fits nothing" if not fitting(card, held) else ""
            return f"to be left with {deadwood(without(held, [card]))} points of deadwood{useless}"
        case gin_rummy.Knock(card=card):
            return f"to end the hand with {deadwood(without(held, [card]))} points of deadwood"
        case gin_rummy.Gin():
            return "to end the hand with no deadwood at all"
        case _:
            return ""


def _taking(held: list[Card], card: Card) -> str:
    if meld := _meld_with(held, card):
        return f"to make {spelled(meld)}"
    least = min([deadwood(without([*held, card], [other])) for other in held])
    before = deadwood(held)
    return f"to bring your deadwood from {before} to {least}" if least < before else ""


def _meld_with(held: list[Card], card: Card) -> tuple[Card, ...]:
    """The meld that this card would be in, in the best arrangement of the hand with it."""
    return next((meld for meld in best_arrangement([*held, card]).melds if card in meld), ())


# --- rummy 500 --------------------------------------------------------------------------------------------------------


def rummy_500_aim(view: rummy_500.State, seat: Seat, action: Action) -> str:
    held = list(view.hands[seat].cards)
    match action:
        case rummy_500.Take(card=card):
            place = [slot.card for slot in view.discards].index(card)
            taken = [slot.card for slot in view.discards[place:]]
            uses = list(rummy_500.laid_down(view, [*held, *taken], card))
            melds = [(len(use.cards), use.cards) for use in uses if isinstance(use, rummy_500.Meld)]
            if melds:
                return f"to meld {spelled(max(melds)[1])}"
            return f"to lay the {card} off" if uses else ""
        case rummy_500.Draw():
            top = view.discards[-1].card if view.discards else None
            useless = top and not any(rummy_500.laid_down(view, [*held, top], top))
            return f"as the {top} can be neither melded nor laid off" if useless else ""
        case rummy_500.Meld() | rummy_500.Lay():
            event = rummy_500.decide(view, seat, action)
            points = sum([one.points for one in rummy_500.made(view, event, rummy_500.play(view, event))])
            return f"to score {points}"
        case rummy_500.Discard(card=card):
            return f"as the {card} fits nothing that you hold" if not fitting(card, held) else ""
        case _:
            return ""


# --- thirty-one -------------------------------------------------------------------------------------------------------


def thirty_one_aim(view: thirty_one.State, seat: Seat, action: Action) -> str:
    held = list(view.hands[seat].cards)
    value = thirty_one.hand_value(held)
    match action:
        case thirty_one.Take():
            top = view.discards[-1].card
            best = max([thirty_one.hand_value(without([*held, top], [other])) for other in held])
            return f"to improve your {value} to {best}" if best > value else ""
        case thirty_one.Draw() if view.discards:
            top = view.discards[-1].card
            best = max([thirty_one.hand_value(without([*held, top], [other])) for other in held])
            return f"as the {top} does not improve your {value}" if best <= value else ""
        case thirty_one.Discard(card=card):
            return f"to keep {thirty_one.hand_value(without(held, [card]))}"
        case thirty_one.Knock():
            return f"to end the hand with {value}"
        case thirty_one.Stand():
            return f"to keep your {value}"
        case thirty_one.Blitz():
            return "to win the hand at once"
        case _:
            return ""


# --- cribbage ---------------------------------------------------------------------------------------------------------


def cribbage_aim(view: cribbage.State, seat: Seat, action: Action) -> str:
    held = list(view.hands[seat].cards)
    match action:
        case cribbage.Discard(cards=laid):
            return f"to keep {kept_words(without(held, laid), laid, view)}"
        case cribbage.Play(card=card):
            return _pegging([slot.card for _, slot in view.played[view.series :]], card)
        case cribbage.Go():
            return "as no card of yours fits under 31"
        case _:
            return ""


def kept_words(kept: Sequence[Card], laid: Sequence[Card], view: cribbage.State) -> str:
    """What four cards are worth, and what is laid away to the crib for that: ``8 points, 10.6 with an average
    starter``."""
    points = combination_points(kept)
    starter = f"{points} point{'s' * (points != 1)}, {with_starter(kept, view):.1f} with an average starter"
    crib = combination_points(laid)
    return starter + (f", and lay {crib} in {whose(view.dealer or 0)} crib" if crib and view.dealer is not None else "")


def with_starter(kept: Sequence[Card], view: cribbage.State) -> float:
    """The points of a hand over all starters that may come. Exact."""
    seen = {slot.card for slot in slots_of(view)}
    starters = [card for card in PACK if card not in seen]
    return sum([show_points(kept, starter) for starter in starters]) / len(starters)


def _pegging(series: list[Card], card: Card) -> str:
    now = [*series, card]
    if items := pegging_items(now):
        return f"to peg {points_of(items)} for {' and '.join([what for what, _ in items])}"
    count = sum(map(card_count, now))
    if count < 5:
        return f"to leave {count}, from which nobody makes fifteen"
    return f"to leave {count}, from which nobody makes fifteen or 31" if 15 < count < 21 else ""
