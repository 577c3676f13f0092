"""A deal that a state keeps: beside what a search needs, who has seen which card, and how many lie where that nobody
here knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, count
from p2pcards.games.deals.position import SearchPosition
from p2pcards.games.deals.tricks import Tricks

if TYPE_CHECKING:
    from mypy_extensions import i64

SEATS: Final[int] = 4
NONE_HIDDEN: Final[list[list[i64]]] = [[0] * places for places in range(16)]
NONE_SEEN: Final[list[i64]] = [0, 0, 0, 0, 0]


class KeptDeal(SearchPosition):
    """hidden: by place, how many cards lie there whose faces are not known here. seen: the cards that everybody has
    seen, then by seat those that it has seen and not everybody.

    A place is a seat, then what the game lays aside, then the tricks. Both lists are shared by copies, and exchanged
    for others when something changes: a search needs neither."""

    def __init__(self, places: i64) -> None:
        super().__init__()
        self.hidden: list[i64] = NONE_HIDDEN[places]
        self.seen: list[i64] = NONE_SEEN

    def table(self) -> Tricks:
        """The hands and the tricks."""
        raise NotImplementedError

    def aside(self) -> list[i64]:
        """The cards that are known to lie in the places between the hands and the tricks."""
        return []

    def lay_aside(self, masks: list[i64]) -> None:
        """These cards lie there now."""

    def copy(self) -> KeptDeal:
        raise NotImplementedError

    def stand_as(self, other: KeptDeal) -> None:
        """It is the turn of the same seat as there, and the same cards are hidden and seen."""
        self.go_on(other)
        self.hidden = other.hidden
        self.seen = other.seen

    def places(self) -> list[i64]:
        """By place, the cards that are known to lie there."""
        table = self.table()
        return [*table.hands, *self.aside(), table.gone | table.trick]

    def lying(self, places: list[i64], hidden: list[i64], seen: list[i64]) -> KeptDeal:
        """The same hand with the cards so."""
        new = self.copy()
        new.lie(places, hidden, seen)
        return new

    def lie(self, places: list[i64], hidden: list[i64], seen: list[i64]) -> None:
        """The cards lie so from here on; those of the tricks stay as they are."""
        self.table().hold(places[:SEATS])
        self.lay_aside(places[SEATS:-1])
        self.hidden = hidden
        self.seen = seen

    def imagined(self) -> KeptDeal:
        """The same hand, where the cards that are hidden will be put."""
        new = self.copy()
        new.hidden = NONE_HIDDEN[len(self.hidden)]
        return new

    def before_play(self, leader: i64) -> KeptDeal:
        """The same before the first card was played, and no card of the hands known."""
        new = self.imagined()
        new.table().clear(leader)
        new.wait_for(leader)
        return new

    def open_play(self, seat: i64) -> None:
        """The play begins, and this seat leads."""
        self.table().begin_trick(seat)
        self.turn = seat

    def turn_up(self, seat: i64, card: i64) -> None:
        """A card of this hand is shown to everybody; who had seen it before is forgotten. Raises ValueError where the
        hand is known not to have it."""
        table = self.table()
        bit: i64 = BIT[card]
        if not table.hands[seat] & bit:
            if not self.hidden[seat]:
                raise ValueError("the hand does not have this card")
            self.hidden = self.hidden[:]
            self.hidden[seat] = self.hidden[seat] - 1
            table.hands[seat] = table.hands[seat] | bit
        self.seen = [mask & ~bit for mask in self.seen]
        self.seen[0] = self.seen[0] | bit

    def exchange(self, first: i64, second: i64) -> None:
        """Two seats exchange their hands, which both have seen then."""
        hands, hidden, seen = self.table().hands, self.hidden[:], self.seen[:]
        hands[first], hands[second] = hands[second], hands[first]
        hidden[first], hidden[second] = hidden[second], hidden[first]
        both: i64 = hands[first] | hands[second]
        seen[first + 1] = seen[first + 1] | both
        seen[second + 1] = seen[second + 1] | both
        self.hidden = hidden
        self.seen = seen

    def length(self, seat: i64) -> i64:
        """How many cards a seat holds."""
        return count(self.table().hands[seat]) + self.hidden[seat]

    def has_none(self, seat: i64) -> bool:
        """Whether a seat holds no card any more."""
        return not self.table().hands[seat] and not self.hidden[seat]

    def may_hold(self, seat: i64, card: i64) -> bool:
        """Whether the seat holds the card, or for all that is known here could."""
        return self.hidden[seat] > 0 or bool(self.table().hands[seat] & BIT[card])
