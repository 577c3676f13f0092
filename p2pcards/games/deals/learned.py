"""Tables learned from many hands: what a card is worth where it lies so. A number of each of eight tables, found by
what a player sees of the card, the trick and the hand, is added up (n-tuple networks: Bledsoe and Browning, 1959)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, bit_count, highest_place, lowest_place
from p2pcards.games.deals.tricks import SUIT_OF, WIDTH, Tricks

if TYPE_CHECKING:
    from mypy_extensions import i64

LEAD: Final[i64] = 0
FOLLOW: Final[i64] = 1
RUFF: Final[i64] = 2
DISCARD: Final[i64] = 3

SEVERAL: Final[list[i64]] = [0, 1, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5]
"""How many cards of a suit others may hold: 0, 1, 2, 3 or 4, 5 to 7, more."""
LEFT: Final[list[i64]] = [0, 0, 1, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5]
"""How many cards are held: 1, 2, 3, 4 or 5, 6 to 8, more."""

EDITION: Final[int] = 1
"""Of how numbers are found: tables of another are of no use."""
AIMS: Final[int] = 16
STAKES: Final[int] = 6
PRIZES: Final[int] = 4
TABLES: Final[int] = 8
FACES: Final[int] = 8
SIZES: Final[list[int]] = [
    AIMS * 4 * 4 * 5 * PRIZES,
    AIMS * 4 * 3 * 2 * 5 * 6 * 2,
    4 * 6 * 4 * 4 * 2 * 6 * 4,
    16 * 2 * 4 * AIMS * 2,
    4 * 8 * 5 * 2 * 3 * 4 * 4,
    STAKES * PRIZES * 4 * 2 * 3 * AIMS,
    6 * 4 * 5 * 6 * 4 * 2,
    AIMS * 4 * 6 * 4 * 4 * PRIZES,
]
FIRSTS: Final[list[int]] = [sum(SIZES[:table]) for table in range(TABLES)]
NUMBERS: Final[int] = sum(SIZES)


class Sight:
    """What a player sees who has to play a card. can: what may be played; winning: the cards that take the trick as it
    lies, or when led have none above them; unseen: what others may hold. friend: 1 where the trick lies with the
    partner, 2 where nobody has a higher card of its suit either, else 0. voids: the suits that the next players have
    shown not to hold, in the order of play. aim: what the player is after, below AIMS; stake: what lies in the trick,
    below STAKES; prizes: masks of the cards that cost or count, by kind. apart: by how many numbers suits are."""

    def __init__(self) -> None:
        self.hand: i64 = 0
        self.can: i64 = 0
        self.unseen: i64 = 0
        self.trump: i64 = 0
        self.laid: i64 = 0
        self.led: i64 = 0
        self.winning: i64 = 0
        self.friend: i64 = 0
        self.apart: i64 = WIDTH
        self.voids: list[i64] = [0, 0, 0]
        self.aim: i64 = 0
        self.stake: i64 = 0
        self.prizes: list[i64] = [0, 0, 0]

    def see_trick(self, tricks: Tricks, can: i64, unseen: i64, friend: i64) -> None:
        """Take in the trick, the legal cards and the unseen ones; friend: the seat of the partner, or NOBODY."""
        seat: i64 = tricks.turn
        self.hand = tricks.hands[seat]
        self.can = can
        self.unseen = unseen
        self.trump = tricks.trump
        self.laid = tricks.laid
        self.led = tricks.led if tricks.laid else 0
        self.friend = 0
        if not tricks.laid:
            self.winning = self.unbeaten_cards()
            return
        self.winning = tricks.cards_taking_trick(can)
        if tricks.taker == friend:
            best: i64 = tricks.best
            self.friend = 1 if unseen & SUIT_OF[best] & ~(BIT[best] | BIT[best] - 1) else 2

    def see_voids(self, shown: list[i64]) -> None:
        """Take in the suits that the next players have shown not to hold, in the order of play."""
        self.voids = shown

    def see_pinochle_trick(
        self, hand: i64, can: i64, unseen: i64, trump: i64, laid: i64, led: i64, winning: i64, friend: i64
    ) -> None:
        """Take in a trick of pinochle, whose suits have eight numbers each; winning: 0 where nothing is led yet."""
        self.apart = FACES
        self.hand = hand
        self.can = can
        self.unseen = unseen
        self.trump = trump
        self.laid = laid
        self.led = led
        self.winning = winning if laid else self.unbeaten_cards()
        self.friend = friend

    def set_aim(self, aim: i64, stake: i64 = 0, low: i64 = 0, middle: i64 = 0, high: i64 = 0) -> None:
        """Set what the seat plays for. low, middle, high: masks of the cards that cost or count, by degree."""
        self.aim = aim
        self.stake = stake
        self.prizes[0] = low
        self.prizes[1] = middle
        self.prizes[2] = high

    def unbeaten_cards(self) -> i64:
        """The cards of the hand above which no unseen card of their suit is left."""
        found: i64 = 0
        suit: i64 = 0
        while suit < 4:
            whole: i64 = self.suit_mask(suit)
            rest: i64 = self.unseen & whole
            own: i64 = self.hand & whole
            found |= own & ~(BIT[highest_place(rest)] - 1) if rest else own
            suit += 1
        return found

    def suit_mask(self, suit: i64) -> i64:
        """Mask of all cards of a suit; of a suit as wide as the number its last bit, the sign, is left out."""
        whole: i64 = 0x7FFF if self.apart == WIDTH else 0xFF
        return whole << self.apart * suit

    def write_table_places(self, card: i64, found: list[i64]) -> None:
        """Write into `found`, for each table, the index of the number that this card has in it."""
        bit: i64 = BIT[card]
        suit: i64 = self.suit_mask(card // self.apart)
        below: i64 = bit - 1
        others: i64 = self.unseen & suit
        high: i64 = min(bit_count(others & ~below), 4)
        low: i64 = min(bit_count(others & below), 3)
        own: i64 = min(bit_count(self.hand & suit) - 1, 5)
        several: i64 = SEVERAL[bit_count(others)]
        trump: i64 = 1 if bit & self.trump else 0
        laid: i64 = self.laid
        wins: i64 = 1 if bit & self.winning else 0
        kind: i64 = LEAD
        if laid:
            kind = FOLLOW if bit & self.led else RUFF if trump else DISCARD
        alike: i64 = self.can & (self.winning if wins else ~self.winning)
        place: i64 = (0 if wins else 2) + (1 if alike & suit & below else 0)
        theirs: i64 = min(bit_count(self.unseen & self.trump), 3)
        ours: i64 = min(bit_count(self.hand & self.trump), 3)
        left: i64 = LEFT[bit_count(self.hand)]
        sure: i64 = min(bit_count(self.winning), 3)
        prize: i64 = 0
        number: i64 = 0
        while number < 3:
            if bit & self.prizes[number]:
                prize = number + 1
            number += 1
        void: i64 = (1 if suit & self.voids[0] else 0) | (2 if suit & self.voids[1] else 0)
        void |= 4 if suit & self.voids[2] else 0
        aim: i64 = self.aim
        friend: i64 = self.friend
        found[0] = (((aim * 4 + laid) * 4 + place) * 5 + high) * 4 + prize
        found[1] = (((((aim * 4 + kind) * 3 + friend) * 2 + wins) * 5 + high) * 6 + several) * 2 + trump
        found[2] = (((((kind * 6 + own) * 4 + ours) * 4 + theirs) * 2 + trump) * 6 + left) * 4 + place
        found[3] = ((((card & (self.apart - 1)) * 2 + trump) * 4 + laid) * 16 + aim) * 2 + wins
        found[4] = (((((laid * 8 + void) * 5 + high) * 2 + trump) * 3 + friend) * 4 + place) * 4 + theirs
        found[5] = ((((self.stake * 4 + prize) * 4 + laid) * 2 + wins) * 3 + friend) * 16 + aim
        found[6] = ((((own * 4 + low) * 5 + high) * 6 + left) * 4 + laid) * 2 + trump
        found[7] = ((((aim * 4 + sure) * 6 + left) * 4 + place) * 4 + kind) * 4 + prize
        number = 0
        while number < TABLES:
            first: i64 = FIRSTS[number]
            found[number] = found[number] + first
            number += 1


class Learned:
    """numbers: of all tables, one after the other."""

    def __init__(self, numbers: list[i64]) -> None:
        self._numbers = numbers
        self._found: list[i64] = [0] * TABLES

    def best_card(self, sight: Sight, among: i64) -> i64:
        """The card of `among` that is worth most by the tables; of several the lowest."""
        best: i64 = -1
        most: i64 = 0
        can: i64 = sight.can & among
        while can:
            card: i64 = lowest_place(can)
            can &= can - 1
            worth: i64 = self._card_worth(sight, card)
            if best < 0 or worth > most:
                best = card
                most = worth
        return best

    def _card_worth(self, sight: Sight, card: i64) -> i64:
        """The sum of the card's numbers in all tables."""
        found = self._found
        sight.write_table_places(card, found)
        worth: i64 = 0
        for place in found:
            worth += self._numbers[place]
        return worth
