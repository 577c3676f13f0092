"""Worlds that a seat can imagine: where the cards lie that it has not seen, drawn so that every way to place them that
agrees with what it knows is as likely as any other."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, Chance
from p2pcards.games.deals.position import Position

if TYPE_CHECKING:
    from mypy_extensions import i64

PART: Final[int] = 1 << 31


class NoWorld(ValueError):
    """No way to place the cards agrees with what is known."""


class Room:
    """Somewhere unseen cards lie. place: what the game calls it; size: how many of them; barred: a mask of the cards
    that are known not to be here."""

    def __init__(self, place: i64, size: i64, barred: i64 = 0) -> None:
        self.place: i64 = place
        self.size: i64 = size
        self.barred: i64 = barred


class Kind:
    """Cards that may lie in the same rooms."""

    def __init__(self, rooms: list[i64]) -> None:
        self.rooms = rooms
        self.cards: list[i64] = []


class Worlds:
    """Cards that may lie in the same rooms are alike: first it is drawn how many of each kind lie where, weighed by the
    ways there are to complete it, then which."""

    def __init__(self, cards: list[i64], rooms: list[Room], doubtful: bool = False) -> None:
        """cards: the unseen ones. doubtful: there may be `doubts`. Raises NoWorld."""
        self.doubtful = doubtful
        self._rooms = rooms
        self._barred: dict[int, int] = {room.place: room.barred for room in rooms}
        self._kinds: list[Kind] = []
        self._known: dict[tuple[int, ...], int] = {}
        self._drawn: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        for card in cards:
            self._kind_of(card).cards.append(card)
        self._sizes: list[int] = [room.size for room in rooms]
        if len(cards) != sum(self._sizes):
            raise NoWorld(f"{len(cards)} cards are unseen, and the rooms do not hold as many")
        self.number: int = self._ways(0, 0, 0, self._sizes)
        if not self.number:
            raise NoWorld("no way to place the unseen cards agrees with what is known")

    def fill(self, position: Position, chance: Chance) -> None:
        """Draw a world, and put every unseen card where it lies in it; into a room in an order drawn by chance too."""
        sizes = self._sizes[:]
        found: list[list[i64]] = [[] for _ in sizes]
        which: i64 = 0
        for kind in self._kinds:
            cards = kind.cards
            left: i64 = len(cards)
            shuffle(cards, chance)
            step: i64 = 0
            for room in kind.rooms:
                number: i64 = self._how_many(which, step, len(cards) - left, sizes, chance)
                sizes[room] = sizes[room] - number
                step += 1
                while number > 0:
                    left -= 1
                    number -= 1
                    found[room].append(cards[left])
            which += 1
        which = 0
        for room_of in self._rooms:
            if len(self._kinds) > 1:
                shuffle(found[which], chance)
            for card in found[which]:
                position.hold(room_of.place, card)
            which += 1

    def doubts(self, world: Position) -> i64:
        """What speaks against a world, but for the cards played: `likely.STRANGE` is as much as a card that rules of
        thumb would not have played, 0 is nothing."""
        return 0

    def may_swap(self, here: i64, card: i64, there: i64, other: i64) -> bool:
        """Whether a card that lies here, and another that lies there, may change places."""
        to_there: i64 = self._barred[there]
        to_here: i64 = self._barred[here]
        return not to_there & BIT[card] and not to_here & BIT[other]

    def _kind_of(self, card: i64) -> Kind:
        rooms: list[i64] = []
        which: i64 = 0
        for room in self._rooms:
            if not room.barred & BIT[card]:
                rooms.append(which)
            which += 1
        for kind in self._kinds:
            if kind.rooms == rooms:
                return kind
        kind = Kind(rooms)
        self._kinds.append(kind)
        return kind

    def _how_many(self, kind: i64, step: i64, placed: i64, sizes: list[int], chance: Chance) -> i64:
        """How many cards of a kind lie in its room of this step."""
        choices = self._choices(kind, step, placed, sizes)
        if len(choices) == 1:
            return choices[0][0]
        total: int = 0
        for _, ways in choices:
            total += ways
        point = below(total, chance)
        for number, ways in choices:
            point -= ways
            if point < 0:
                return number
        raise AssertionError("the ways add up")

    def _choices(self, kind: i64, step: i64, placed: i64, sizes: list[int]) -> list[tuple[int, int]]:
        """(how many cards of the kind may lie in its room of this step, in how many ways that can be completed)."""
        key = (kind, step, placed, *sizes)
        if key in self._drawn:
            return self._drawn[key]
        room: i64 = self._kinds[kind].rooms[step]
        left: i64 = len(self._kinds[kind].cards) - placed
        found: list[tuple[int, int]] = []
        number: i64 = 0
        while number <= left and number <= sizes[room]:
            rest = sizes[:]
            rest[room] = rest[room] - number
            ways: int = comb(left, number) * self._ways(kind, step + 1, placed + number, rest)
            if ways:
                found.append((number, ways))
            number += 1
        self._drawn[key] = found
        return found

    def _ways(self, kind: i64, step: i64, placed: i64, sizes: list[int]) -> int:
        """The ways to place what is left of a kind in its rooms from this step on, and then the other kinds."""
        if kind == len(self._kinds):
            return 1
        if step == len(self._kinds[kind].rooms):
            return self._ways(kind + 1, 0, 0, sizes) if placed == len(self._kinds[kind].cards) else 0
        key = (kind, step, placed, *sizes)
        if key not in self._known:
            total: int = 0
            for _, ways in self._choices(kind, step, placed, sizes):
                total += ways
            self._known[key] = total
        return self._known[key]


def shuffle(cards: list[i64], chance: Chance) -> None:
    """Every order as likely as the others (Fisher and Yates)."""
    place: i64 = len(cards) - 1
    while place > 0:
        other: i64 = chance.below(place + 1)
        card: i64 = cards[place]
        cards[place] = cards[other]
        cards[other] = card
        place -= 1


def below(number: int, chance: Chance) -> int:
    """0 to number - 1, of whatever size."""
    drawn: int = 0
    size: int = 1
    while size < number << 20:
        part: int = chance.below(PART)  # an int before it is added, or the sum would be an i64
        drawn = drawn * PART + part
        size *= PART
    return drawn % number
