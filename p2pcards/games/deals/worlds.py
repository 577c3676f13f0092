"""Worlds that a seat can imagine: where the cards lie that it has not seen, drawn so that every way to place them that
agrees with what it knows is as likely as any other."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, Chance
from p2pcards.games.deals.position import SearchPosition

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
    """Cards that may lie in the same rooms. after: by room, how many cards of the kinds after it may lie there."""

    def __init__(self, rooms: list[i64]) -> None:
        self.rooms = rooms
        self.cards: list[i64] = []
        self.after: list[i64] = []

    def come_before(self, after: list[i64]) -> None:
        """Set by room how many cards of the kinds after this one may lie there."""
        self.after = after[:]


class Worlds:
    """Cards that may lie in the same rooms are alike: first it is drawn how many of each kind lie where, weighed by the
    ways there are to complete it, then which.

    Rooms are filled kind after kind, and for each room after room, a step each. What is known of a step is kept by a
    number for the place in this order and for the space that is left in each room."""

    def __init__(self, cards: list[i64], rooms: list[Room], doubtful: bool = False) -> None:
        """cards: the unseen ones. doubtful: there may be `doubts_about`. Raises NoWorld."""
        self.doubtful = doubtful
        self._rooms = rooms
        self._barred: dict[int, int] = {room.place: room.barred for room in rooms}
        self._kinds: list[Kind] = []
        self._ways_from: dict[int, int] = {}
        self._known_numbers: dict[int, list[int]] = {}
        self._sizes: list[i64] = []
        self._units: list[i64] = []
        self._spaces: i64 = 1
        for room in rooms:
            self._sizes.append(room.size)
            self._units.append(self._spaces)
            self._spaces *= room.size + 1
        for card in cards:
            self._kind_of(card).cards.append(card)
        self._count_rooms_after()
        if len(cards) != sum(self._sizes):
            raise NoWorld(f"{len(cards)} cards are unseen, and the rooms do not hold as many")
        self.number: int = self._ways_together(0, 0, self._count_of_kind(0), self._sizes[:], self._spaces - 1)
        if not self.number:
            raise NoWorld("no way to place the unseen cards agrees with what is known")

    def fill_world(self, position: SearchPosition, chance: Chance) -> None:
        """Draw a world at random and put every unseen card of it into the position; a room's cards come in random
        order."""
        sizes = self._sizes[:]
        space: i64 = self._spaces - 1
        found: list[list[i64]] = [[] for _ in sizes]
        which: i64 = 0
        for kind in self._kinds:
            cards = kind.cards
            left: i64 = len(cards)
            shuffle_cards(cards, chance)
            step: i64 = 0
            for room in kind.rooms:
                number: i64 = self._drawn_number(which, step, left, sizes, space, chance)
                sizes[room] = sizes[room] - number
                space -= number * self._units[room]
                step += 1
                while number > 0:
                    left -= 1
                    number -= 1
                    found[room].append(cards[left])
            which += 1
        which = 0
        for room_of in self._rooms:
            if len(self._kinds) > 1:
                shuffle_cards(found[which], chance)
            for card in found[which]:
                position.place_card(room_of.place, card)
            which += 1

    def doubts_about(self, world: SearchPosition) -> i64:
        """How much speaks against a world, beside the cards played: 0 for nothing, `likely.STRANGE` for each action
        that rules of thumb would not have taken."""
        return 0

    def may_swap(self, here: i64, card: i64, there: i64, other: i64) -> bool:
        """Return whether a card in room `here` and another in room `there` may change places."""
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

    def _count_rooms_after(self) -> None:
        """Fill in for each kind how many cards of the kinds after it may lie in each room."""
        after: list[i64] = [0] * len(self._rooms)
        which: i64 = len(self._kinds) - 1
        while which >= 0:
            kind = self._kinds[which]
            kind.come_before(after)
            for room in kind.rooms:
                after[room] = after[room] + len(kind.cards)
            which -= 1

    def _count_of_kind(self, which: i64) -> i64:
        """How many unseen cards are of a kind."""
        return len(self._kinds[which].cards) if which < len(self._kinds) else 0

    def _fewest_in_room(self, kind: Kind, step: i64, left: i64, sizes: list[i64]) -> i64:
        """Least number of the `left` cards of a kind that must lie in its room of this step: as many as find no space
        in its later rooms, and as other kinds do not fill."""
        room: i64 = kind.rooms[step]
        least: i64 = max(sizes[room] - kind.after[room], 0)
        step += 1
        while step < len(kind.rooms):
            left -= sizes[kind.rooms[step]]
            step += 1
        return max(left, least)

    def _drawn_number(self, which: i64, step: i64, left: i64, sizes: list[i64], space: i64, chance: Chance) -> i64:
        """Draw how many of the `left` cards of a kind lie in its room of this step."""
        kind = self._kinds[which]
        number: i64 = self._fewest_in_room(kind, step, left, sizes)
        most: i64 = min(left, sizes[kind.rooms[step]])
        if number == most:
            return number
        key: int = (which * len(sizes) + step) * self._spaces + space
        if key not in self._known_numbers:
            self._known_numbers[key] = self._ways_by_number(kind, which, step, left, sizes, space)
        by_number = self._known_numbers[key]
        total: int = self._ways_together(which, step, left, sizes, space)
        if total in by_number:  # no other number can be completed
            return number + by_number.index(total)
        point = big_number_below(total, chance)
        for ways in by_number:
            point -= ways
            if point < 0:
                return number
            number += 1
        raise AssertionError("the ways add up")

    def _ways_by_number(self, kind: Kind, which: i64, step: i64, left: i64, sizes: list[i64], space: i64) -> list[int]:
        """In how many ways what is left of a kind, and then the other kinds, can be placed from this step on: by the
        number of cards in the first room, from the least."""
        room: i64 = kind.rooms[step]
        size: i64 = sizes[room]
        unit: i64 = self._units[room]
        number: i64 = self._fewest_in_room(kind, step, left, sizes)
        found: list[int] = []
        while number <= left and number <= size:
            sizes[room] = size - number
            rest: int = self._ways_together(which, step + 1, left - number, sizes, space - number * unit)
            found.append(comb(left, number) * rest)
            number += 1
        sizes[room] = size
        return found

    def _ways_together(self, which: i64, step: i64, left: i64, sizes: list[i64], space: i64) -> int:
        """The sum of `_ways_by_number`."""
        if which == len(self._kinds):
            return 1
        kind = self._kinds[which]
        if step == len(kind.rooms):
            return self._ways_together(which + 1, 0, self._count_of_kind(which + 1), sizes, space) if not left else 0
        key: int = (which * len(sizes) + step) * self._spaces + space
        known = self._ways_from.get(key)
        if known is not None:
            return known
        total: int = 0
        for ways in self._ways_by_number(kind, which, step, left, sizes, space):
            total += ways
        self._ways_from[key] = total
        return total


def shuffle_cards(cards: list[i64], chance: Chance) -> None:
    """Put a list in random order, in place (Fisher and Yates)."""
    place: i64 = len(cards) - 1
    while place > 0:
        other: i64 = chance.number_below(place + 1)
        card: i64 = cards[place]
        cards[place] = cards[other]
        cards[other] = card
        place -= 1


def big_number_below(number: int, chance: Chance) -> int:
    """Draw a number from 0 to number - 1, of whatever size."""
    drawn: int = 0
    size: int = 1
    while size < number << 20:
        part: int = chance.number_below(PART)  # an int before it is added, or the sum would be an i64
        drawn = drawn * PART + part
        size *= PART
    return drawn % number
