"""Cribbage, read for a search."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.cards.card import Card
from p2pcards.games.cribbage.deal import (
    COUNTS,
    CRIB,
    CUT,
    FIRST_DEAL,
    FITS,
    GO,
    HANDS,
    LAID,
    LAY_AWAY,
    PLAY,
    STOCK,
    THIRTY_ONE,
    Cribbage,
    CribbageRules,
)
from p2pcards.games.cribbage.rules import PACK, SEATS, Action, Count, Discard, Go, Phase, State, legal
from p2pcards.games.cribbage.score import card_place
from p2pcards.games.cribbage.worlds import KeptWorlds
from p2pcards.games.cutting import Cut
from p2pcards.games.deals.bits import BIT
from p2pcards.games.deals.race import ToGoal
from p2pcards.games.deals.worlds import Room, Worlds
from p2pcards.games.game import Seat, sum_of_items
from p2pcards.games.playing import Play
from p2pcards.games.seen.reading import Reading

FAR = 1000
"""Points to win that nobody scores in a hand."""
SKEW = 970
STAGES = {
    Phase.FIRST_DEAL: FIRST_DEAL,
    Phase.DISCARD: LAY_AWAY,
    Phase.CUT: CUT,
    Phase.PLAY: PLAY,
    Phase.HANDS: HANDS,
    Phase.CRIB: CRIB,
}


def read(view: State, seat: Seat) -> Reading:
    options = view.options
    rules = CribbageRules(options.counting == "manual", options.first_dealer == "low_draw", view.picked)
    position = Cribbage(rules, view.dealer or 0, STAGES[view.phase])
    barred, moved = _replay_play(position, view)
    position.set_stage(turn=seat)
    for other in range(SEATS):
        position.points[other] = sum_of_items(view.items[other])
        position.need[other] = int(options.winning_score) - view.scores[other]
    before = [view.scores[other] - position.points[other] for other in range(SEATS)]
    position.set_race(ToGoal(before, int(options.winning_score), SKEW))
    places = [(other, held.cards, len(held)) for other, held in enumerate(view.hands)]
    places += [(LAID + other, held.cards, len(held)) for other, held in enumerate(view.laid)]
    places += [(LAID, tuple([slot.card for slot in view.crib]), len(view.crib))]
    stock = view.fan if view.phase is Phase.FIRST_DEAL else view.stock
    places += [(STOCK, tuple([slot.card for slot in stock if slot.card]), len(stock))]
    for place, cards, _ in places:
        for card in cards:
            position.place_card(place, number_of(card))
    known = {card for _, cards, _ in places for card in cards} | _open_cards(view)
    rooms = [Room(place, size - len(cards), barred[place] if place < SEATS else 0) for place, cards, size in places]
    rooms = [room for room in rooms if room.size]
    unseen = [number_of(card) for card in PACK if card not in known]
    other = 1 - seat
    worlds = (
        KeptWorlds(unseen, rooms, _starting_position(rules, view), moved, other)
        if len(view.laid[other]) == 2 and view.phase in (Phase.DISCARD, Phase.PLAY)
        else Worlds(unseen, rooms)
    )
    return Reading(position, worlds, _choices_to_weigh(position, view, seat), moves)


def moves(action: Action) -> list[int]:
    """The cards, or the number that is named."""
    match action:
        case Discard(cards=cards):
            return [number_of(card) for card in cards]
        case Play(card=card):
            return [number_of(card)]
        case Go():
            return [GO]
        case Count(points=points):
            return [points]
        case Cut(place=place):
            return [place or 0]


def number_of(card: Card) -> int:
    """A card as the kernel counts it."""
    return 4 * (card_place(card) - 1) + card.suit


def _open_cards(view: State) -> set[Card]:
    """The cards that lie open, those of the crib aside."""
    return {slot.card for slot in (*view.starter, *view.drawn, *[slot for _, slot in view.played])}


def _replay_play(position: Cribbage, view: State) -> tuple[list[int], list[int]]:
    """Play what has been played, and say every go that was said: both, one after another; and by seat the cards that it
    has shown it does not hold: those that it could have played when it said go."""
    barred, moved = [0, 0], list[int]()
    if view.drawn:
        position.set_stage(first_cut=number_of(view.drawn[-1].card))
    if view.phase in (Phase.DISCARD, Phase.CUT):
        position.set_stage(left=[len(held) for held in view.hands])
    if not view.starter:
        return barred, moved
    position.set_stage(starter=number_of(view.starter[0].card))
    if view.phase is not Phase.PLAY:
        for seat, slot in view.played:
            position.played[seat] |= BIT[number_of(slot.card)]
        return barred, moved
    position.set_stage(turn=1 - position.dealer)

    def go() -> None:
        barred[position.turn] |= FITS[THIRTY_ONE - position.count]
        position.say_go()
        moved.append(GO)

    for seat, slot in view.played:
        card = number_of(slot.card)
        while position.turn != seat or position.count + COUNTS[card >> 2] > THIRTY_ONE:
            go()
        position.make_move(card)
        moved.append(card)
    while (position.turn, len(view.played) - len(position.series)) != (view.to_act[0], view.series):
        go()
    return barred, moved


def _starting_position(rules: CribbageRules, view: State) -> Cribbage:
    """The hand before its first card was played, or as it stands, with the cards that are known; a game that nobody
    wins in it."""
    position = Cribbage(rules, view.dealer or 0, PLAY if view.starter else STAGES[view.phase])
    position.need[:] = [FAR, FAR]
    position.set_stage(turn=1 - position.dealer)
    if view.starter:
        position.set_stage(starter=number_of(view.starter[0].card))
    for seat in range(SEATS):
        for card in view.hands[seat].cards:
            position.place_card(seat, number_of(card))
        for card in view.laid[seat].cards:
            position.place_card(LAID + seat, number_of(card))
    for seat, slot in view.played:
        position.place_card(seat, number_of(slot.card))
    return position


def _choices_to_weigh(position: Cribbage, view: State, seat: Seat) -> Sequence[Action]:
    """The choices to weigh: of cards to play one of each rank; the true count; no place is picked in a fan."""
    match view.phase:
        case Phase.HANDS | Phase.CRIB:
            return [Count(position.true_count())]
        case Phase.CUT | Phase.FIRST_DEAL:
            return legal(view, seat)[:1]
        case Phase.PLAY:
            plays = [action for action in legal(view, seat) if isinstance(action, Play)]
            differ = [play for play in plays if position.equivalent_move(number_of(play.card)) == number_of(play.card)]
            return differ or [Go()]
        case Phase.DISCARD:
            return legal(view, seat)
