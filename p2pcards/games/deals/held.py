"""A deal that a state keeps: beside what a search needs, who has seen which card, and how many lie where that nobody
here knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, Four, count
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
    for others when something changes: a search needs neither.

    In a game with bowers the masks of the table number trumps by their order (`number_of`); `seen`, `places`, `lie`,
    `turn_up` and `may_hold` take and give the cards themselves."""

    def __init__(self, places: i64) -> None:
        super().__init__()
        self.hidden: list[i64] = NONE_HIDDEN[places]
        self.seen: list[i64] = NONE_SEEN

    def table(self) -> Tricks:
        """The hands and the tricks."""
        raise NotImplementedError

    def number_of(self, card: i64) -> i64:
        """The number of a card in the masks of the table: its byte, but for trumps of games with bowers."""
        return card

    def known_hands(self) -> Four:
        """By seat, the cards that it is known to hold."""
        return self.table().hands

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

    def turn_up(self, seat: i64, card: i64) -> i64:
        """A card of this hand is shown to everybody; who had seen it before is forgotten. Returns the number of the
        card, and raises ValueError where the hand is known not to have it."""
        table = self.table()
        bit: i64 = BIT[card]
        number: i64 = self.number_of(card)
        numbered: i64 = BIT[number]
        if not table.hands[seat] & numbered:
            if not self.hidden[seat]:
                raise ValueError("the hand does not have this card")
            self.hidden = self.hidden[:]
            self.hidden[seat] = self.hidden[seat] - 1
            table.hands[seat] = table.hands[seat] | numbered
        self.seen = [mask & ~bit for mask in self.seen]
        self.seen[0] = self.seen[0] | bit
        return number

    def exchange(self, first: i64, second: i64) -> None:
        """Two seats exchange their hands, which both have seen then."""
        hands, hidden, seen = self.table().hands, self.hidden[:], self.seen[:]
        known = self.known_hands()
        both: i64 = known[first] | known[second]
        hands[first], hands[second] = hands[second], hands[first]
        hidden[first], hidden[second] = hidden[second], hidden[first]
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
