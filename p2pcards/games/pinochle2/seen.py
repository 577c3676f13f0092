"""Two-handed pinochle, read for a search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from math import sqrt

from p2pcards.cards.card import Card
from p2pcards.games.cutting import Cut
from p2pcards.games.deals.pinochle_melds import (
    CLOSES,
    KINDS,
    MARRIAGES,
    THE_DIX,
    THE_FLUSH,
    THE_PINOCHLE,
    THE_ROUNDHOUSE,
    THE_SETS,
    Patterns,
)
from p2pcards.games.deals.position import SearchPosition
from p2pcards.games.deals.worlds import Room, Worlds
from p2pcards.games.drawing import Draw, Knock, Meld
from p2pcards.games.game import Seat, sum_of_items
from p2pcards.games.pinochle2.deal import (
    DRAW,
    DRAWING,
    FIRST,
    KNOCK,
    MELD,
    SECOND,
    SKEW,
    Pinochle2,
    Pinochle2Rules,
    second_of,
)
from p2pcards.games.pinochle2.melds import Kind, meld_of
from p2pcards.games.pinochle2.rules import (
    BONUS,
    GAME,
    SEATS,
    SIMPLIFIED,
    Action,
    Options,
    Phase,
    State,
    known_melds,
    legal,
)
from p2pcards.games.pinochle2.worlds import STOCK, Kept
from p2pcards.games.pinochle_cards import NINE, ORIGINAL, counted_card
from p2pcards.games.playing import Play
from p2pcards.games.seen.pinochle_cards import face_number, face_values, replay_on_table
from p2pcards.games.seen.reading import Reading

PER_ROOT = 4 * 1000 / SKEW  # so that where the scores are level a point is worth a point
DIX = 10  # points
WAITING, IDLE, OUT = 225, 190, 165  # of 256: found by comparing what could be melded in worlds, and in play
MOST = 40  # melds that are thought about
WEIGHED = 6  # cards that are, in the first part
LATE = 4  # cards to be drawn: from here on every card is
PHASES = {Phase.FIRST: FIRST, Phase.MELD: MELD, Phase.DRAW: DRAWING, Phase.SECOND: SECOND}
RANK_OF_SET = {11: 0, 12: 1, 13: 2, 14: 3}


def read(view: State, seat: Seat) -> Reading:
    """Read a view for a search: the hand as far as the seat knows it, and the choices to weigh. Who may knock does, as
    that wins the game; the cut for the first deal is no part of a round, and made anywhere."""
    if view.phase == Phase.CUT:
        return Reading(SearchPosition(), Worlds([], []), (Cut(None),), lambda _action: ())
    assert view.trump is not None
    position = position_of(view, seat)
    left = Counter(GAME.pack(view.options))
    left.subtract([slot.card for slots in (*view.taken, view.past, view.trick) for slot in slots])
    left.subtract([each.slot.card.face for laid in view.laid for each in laid])
    left.subtract([card for held in view.hands for card in held.cards])
    left.subtract([slot.card for slot in view.stock if slot.card])
    rooms = [Room(other, len(held) - len(held.cards)) for other, held in enumerate(view.hands)]
    rooms.append(Room(STOCK, sum([not slot.card for slot in view.stock])))
    unseen, rooms = [face_number(card) for card in left.elements()], [room for room in rooms if room.size]
    worlds = (
        Kept(unseen, rooms, position, cards_thrown(view), patience(view, 1 - seat))
        if view.stock
        else Worlds(unseen, rooms)
    )
    return Reading(position, worlds, choices_of(view, seat, position), partial(moves, view, seat))


def cards_thrown(view: State) -> int:
    """How many cards each has played in the first part."""
    return sum(map(len, view.taken)) // SEATS


def patience(view: State, seat: Seat) -> int:
    """How likely a seat has not melded yet what it could; hardly, where it won a trick and laid nothing after it."""
    melds = sum([points > DIX for _, points in view.items[seat]])
    if len(view.taken[seat]) // SEATS <= melds:
        return WAITING
    return OUT if view.leader == seat else IDLE


def moves(view: State, seat: Seat, action: Action) -> list[int]:
    """The moves of an action: of a meld first the second copies that it uses, then its number."""
    match action:
        case Draw():
            return [DRAW]
        case Knock():
            return [KNOCK]
        case Play(card=card):
            first = copies_of(view, seat, card.face)[0] == card
            return [face_number(card) if first else second_of(face_number(card))]
        case Meld(cards=named):
            pattern = meld_of(known_melds(view), named)
            assert pattern is not None
            seconds = [card for card in named if copies_of(view, seat, card.face, pattern.kind)[0] != card]
            faces = [card.face for card in named]
            return [*[second_of(face_number(card)) for card in seconds], meld_number(pattern.kind, faces)]
        case _:
            return []


def copies_of(view: State, seat: Seat, face: Card, kind: Kind | None = None) -> list[Card]:
    """The copies of a card that a seat has: in the hand, then open ones by number; of those that may be in a meld of
    this kind, if one is given."""
    held = [face] if face in view.hands[seat].cards else []
    lying = [each for each in view.laid[seat] if each.slot.card.face == face]
    free = [each for each in lying if kind is None or not kinds_closed_by(each.uses) >> kind & 1]
    return held + sorted([each.slot.card for each in free])


def kinds_closed_by(uses: Sequence[Kind]) -> int:
    """A bit for each kind of meld that a card so used may not be in."""
    closed = 0
    for kind in uses:
        closed |= CLOSES[kind]
    return closed


def meld_number(kind: Kind, faces: Sequence[Card]) -> int:
    match kind:
        case Kind.DIX:
            return THE_DIX
        case Kind.PINOCHLE:
            return THE_PINOCHLE
        case Kind.MARRIAGE:
            return MARRIAGES + faces[0].suit
        case Kind.SET:
            return THE_SETS + RANK_OF_SET[faces[0].rank]
        case Kind.FLUSH:
            return THE_FLUSH
        case Kind.ROUNDHOUSE:
            return THE_ROUNDHOUSE


def rules_of(view: State) -> Pinochle2Rules:
    """The options as they hold for the round, and the score that counts towards a knock. In the second part the points
    are divided, and a seat that has more of them is never worse off."""
    options = view.options
    scored = ((), ()) if options.score_by_round else view.items
    before = [score - sum_of_items(items) for score, items in zip(view.scores, scored, strict=True)]
    return Pinochle2Rules(
        lowest_of(options),
        options.red_pinochle,
        (240 if options.bonus_roundhouse else 220) if options.roundhouse else 0,
        options.dix_alone,
        options.must_overplay,
        options.score_by_round,
        options.auto_knock,
        BONUS if options.bonus_last_trick else 0,
        face_values(SIMPLIFIED if options.simplified_scoring else ORIGINAL),
        view.goal,
        before,
        0 if view.phase == Phase.SECOND else round(PER_ROOT * sqrt(2 * view.goal - sum(before))),
    )


def lowest_of(options: Options) -> int:
    """The rank of the dix, as the kernels count ranks."""
    return 0 if options.deck_64 else counted_card(Card.of(NINE, 0)).rank - 7


def position_of(view: State, seat: Seat) -> Pinochle2:
    assert view.trump is not None
    rules = rules_of(view)
    patterns = Patterns(view.trump, rules.lowest, rules.red_pinochle, rules.roundhouse)
    position = Pinochle2(rules, view.trump, patterns)
    tricks = position.tricks
    replay_on_table(tricks, GAME.pack(view.options), [(view.leader, tuple([slot.card for slot in view.trick]))])
    seen = [slot.card for slots in (*view.taken, view.past, view.stock[-1:]) for slot in slots]
    for card in (*seen, *[each.slot.card for laid in view.laid for each in laid]):
        tricks.remove_face(SEATS, face_number(card))
    position.set_stage(phase=PHASES[view.phase], left=len(view.stock), melded=view.melded, leader=view.leader)
    for place, items in enumerate(view.items):
        position.scored[place] = sum_of_items(items)
        tricks.points[place] = sum([rules.values[face_number(slot.card)] for slot in view.taken[place]])
    if view.stock:
        position.set_stage(turned=face_number(view.stock[-1].card))
    for slot in view.stock[:-1]:
        if slot.card:
            position.place_card(STOCK, face_number(slot.card))
    for place, held in enumerate(view.hands):
        for card in held.cards:
            position.place_card(place, face_number(card))
    _open_cards(position, view)
    position.set_stage(turn=seat)
    tricks.begin_trick(seat)
    return position


def choices_of(view: State, seat: Seat, position: Pinochle2) -> Sequence[Action]:
    """The actions to weigh: in the first part the cards that rules of thumb like best: what cards are worth differs
    little, and by luck much. In its last two tricks luck has little left to say: of all cards the best is 6 points a
    hand better than of six. A meld is not put off but where a roundhouse may come of it."""
    actions = legal(view, seat)
    if Knock() in actions:
        return (Knock(),)
    if view.phase == Phase.FIRST:
        numbers = {moves(view, seat, action)[0]: action for action in actions}
        left = sum([1 << number for number in numbers])
        found: list[Action] = []
        while left and (len(found) < WEIGHED or len(view.stock) <= LATE):
            number = position.best_card(left)
            found.append(numbers[number])
            left &= ~(1 << number)
        return found
    if view.phase == Phase.MELD and len(actions) > 1 and not view.options.roundhouse:
        actions = tuple([action for action in actions if action != Draw()])
    return actions if len(actions) <= MOST else _most_valuable_melds(view, actions)


def _most_valuable_melds(view: State, actions: Sequence[Action]) -> Sequence[Action]:
    """The draw, and the melds that count most."""
    known = known_melds(view)

    def points(action: Action) -> int:
        pattern = meld_of(known, action.cards) if isinstance(action, Meld) else None
        return pattern.points if pattern else 1000

    return sorted(actions, key=points, reverse=True)[:MOST]


def _open_cards(position: Pinochle2, view: State) -> None:
    """Put the cards that lie open since they were melded into the position."""
    for seat, laid in enumerate(view.laid):
        for each in laid:
            at, bit = 2 * seat + each.slot.card.copy - 1, 1 << face_number(each.slot.card)
            position.open[at] |= bit
            for kind in range(KINDS):
                if kinds_closed_by(each.uses) >> kind & 1:
                    position.closed[at * KINDS + kind] |= bit
