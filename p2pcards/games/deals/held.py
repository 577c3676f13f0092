"""A deal that a state keeps: beside what a search needs, who has seen which card, and how many lie where that nobody
here knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, Four, bit_count
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
    `turn_up_card` and `may_hold` take and give the cards themselves."""

    def __init__(self, places: i64) -> None:
        super().__init__()
        self.hidden: list[i64] = NONE_HIDDEN[places]
        self.seen: list[i64] = NONE_SEEN

    def current_tricks(self) -> Tricks:
        """The hands and the tricks of this deal."""
        raise NotImplementedError

    def number_of(self, card: i64) -> i64:
        """The number of a card in the masks of the table: its byte, but for trumps of games with bowers."""
        return card

    def known_hands(self) -> Four:
        """By seat, the cards that it is known to hold."""
        return self.current_tricks().hands

    def cards_aside(self) -> list[i64]:
        """Masks of the cards known to lie in each place between the hands and the tricks."""
        return []

    def set_cards_aside(self, masks: list[i64]) -> None:
        """Set the masks of the places between the hands and the tricks."""

    def copy(self) -> KeptDeal:
        raise NotImplementedError

    def copy_turn_and_knowledge(self, other: KeptDeal) -> None:
        """Take over from another deal whose turn it is, and which cards are hidden and seen."""
        self.copy_turn_and_race(other)
        self.hidden = other.hidden
        self.seen = other.seen

    def add_hands_of(self, world: SearchPosition) -> None:
        assert isinstance(world, KeptDeal)
        self.current_tricks().add_hands_of(world.current_tricks())

    def known_cards_by_place(self) -> list[i64]:
        """By place (seats, places aside, tricks), a mask of the cards known to lie there."""
        table = self.current_tricks()
        return [*table.hands, *self.cards_aside(), table.gone | table.trick]

    def with_cards(self, places: list[i64], hidden: list[i64], seen: list[i64]) -> KeptDeal:
        """A copy of the deal with these cards in its places, hidden counts and seen masks."""
        new = self.copy()
        new.set_cards(places, hidden, seen)
        return new

    def set_cards(self, places: list[i64], hidden: list[i64], seen: list[i64]) -> None:
        """Set the cards known in each place, how many are hidden there, and who has seen which; tricks stay."""
        self.current_tricks().set_hands(places[:SEATS])
        self.set_cards_aside(places[SEATS:-1])
        self.hidden = hidden
        self.seen = seen

    def copy_without_hidden(self) -> KeptDeal:
        """A copy of the deal that counts no card as hidden, for a search to put them in."""
        new = self.copy()
        new.hidden = NONE_HIDDEN[len(self.hidden)]
        return new

    def copy_before_play(self, leader: i64) -> KeptDeal:
        """A copy of the deal before the first card was played, with empty hands; leader: who leads."""
        new = self.copy_without_hidden()
        new.current_tricks().reset_tricks(leader)
        new.set_turn(leader)
        return new

    def start_play(self, seat: i64) -> None:
        """Begin the play of tricks, this seat leading."""
        self.current_tricks().begin_trick(seat)
        self.turn = seat

    def turn_up_card(self, seat: i64, card: i64) -> i64:
        """Show a card of a seat's hand to everybody; who had seen it before is forgotten. Returns its number in the
        hand. Raises ValueError where the hand is known not to have it."""
        table = self.current_tricks()
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

    def exchange_hands(self, first: i64, second: i64) -> None:
        """Let two seats exchange their hands; both have seen both hands then."""
        hands, hidden, seen = self.current_tricks().hands, self.hidden[:], self.seen[:]
        known = self.known_hands()
        both: i64 = known[first] | known[second]
        hands[first], hands[second] = hands[second], hands[first]
        hidden[first], hidden[second] = hidden[second], hidden[first]
        seen[first + 1] = seen[first + 1] | both
        seen[second + 1] = seen[second + 1] | both
        self.hidden = hidden
        self.seen = seen

    def hand_length(self, seat: i64) -> i64:
        """How many cards a seat holds, hidden ones included."""
        return bit_count(self.current_tricks().hands[seat]) + self.hidden[seat]

    def is_hand_empty(self, seat: i64) -> bool:
        """Return whether a seat holds no card any more."""
        return not self.current_tricks().hands[seat] and not self.hidden[seat]

    def may_hold(self, seat: i64, card: i64) -> bool:
        """Return whether the seat holds the card, or could for all that is known here."""
        return self.hidden[seat] > 0 or bool(self.current_tricks().hands[seat] & BIT[card])
