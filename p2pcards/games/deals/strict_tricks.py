"""Rules of thumb for the second part of two-handed pinochle, where all unseen cards are in the other's hand. Worths are
in hundredths of a point; they were found by comparing with what comes of each card when both play exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, bit_count, lowest_place
from p2pcards.games.deals.pinochle_tricks import ACE, SUITS, PinochleTricks

if TYPE_CHECKING:
    from mypy_extensions import i64

# By rank, from the seven on, what it costs to part with a card: to answer with it, and to lead it where it is beaten.
ANSWER_PLAIN: Final[list[i64]] = [0, 300, 600, 900, 2136, 2100, 1800, 2100]
ANSWER_TRUMP: Final[list[i64]] = [2100, 2400, 2700, 2655, 2700, 2880, 3900, 3960]
LEAD_PLAIN: Final[list[i64]] = [3696, 3696, 3696, 2167, 1200, 2748, 2307, 2234]
LEAD_TRUMP: Final[list[i64]] = [1900, 2000, 2100, 1908, 3300, 3000, 3300, 3600]
POT: Final[i64] = 178  # a point that lies in the trick
OWN: Final[i64] = 50  # a point of the card that takes it; none of an ace, which takes another as well
GIVEN: Final[i64] = 130  # a point of a card that does not take it
SURE: Final[i64] = 82  # a point of a card led that cannot be beaten
PULLING: Final[i64] = -1000  # a trump led that cannot be beaten
EACH_TRUMP: Final[i64] = -360  # and for each trump that the other has
DRAWN: Final[i64] = 46  # a point of the cheapest card that the other can answer with
LOST: Final[i64] = 80  # a point of a card led that can be beaten
FORCING: Final[i64] = 1724  # a card led of a suit of which the other has none


def best_answer(tricks: PinochleTricks, can: i64) -> i64:
    """The face to answer a lead with, by rules of thumb: take points with what is not safe anyway, and give none."""
    best: i64 = -1
    most: i64 = -1 << 40
    while can:
        face: i64 = lowest_place(can)
        can &= can - 1
        rank: i64 = face & 7
        worth: i64 = -ANSWER_TRUMP[rank] if BIT[face] & tricks.trump else -ANSWER_PLAIN[rank]
        if not tricks.takes_trick(face):
            worth -= POT * tricks.pot + GIVEN * tricks.values[face]
        else:
            worth += POT * tricks.pot + (0 if rank == ACE else OWN * tricks.values[face])
        if worth > most:
            most = worth
            best = face
    return best


def best_lead(tricks: PinochleTricks, can: i64) -> i64:
    """The face to lead, by rules of thumb: what the other cannot beat, otherwise what is weak or draws a trump."""
    there: i64 = tricks.unseen_faces(tricks.turn, 1)
    best: i64 = -1
    most: i64 = -1 << 40
    while can:
        face: i64 = lowest_place(can)
        can &= can - 1
        suit: i64 = SUITS[face >> 3]
        answers: i64 = there & suit or there & tricks.trump or there
        worth: i64 = tricks.values[face]
        if answers & tricks.faces_beating(face):
            worth = -LOST * worth - (LEAD_TRUMP[face & 7] if suit == tricks.trump else LEAD_PLAIN[face & 7])
            worth += 0 if there & suit else FORCING
        else:
            worth = SURE * worth + DRAWN * cheapest_points(tricks, answers)
            worth += PULLING + EACH_TRUMP * bit_count(there & suit) if suit == tricks.trump else 0
        if worth > most:
            most = worth
            best = face
    return best


def cheapest_points(tricks: PinochleTricks, cards: i64) -> i64:
    """Points of the cheapest of some cards; 0 for none."""
    least: i64 = tricks.values[lowest_place(cards)] if cards else 0
    while cards:
        points: i64 = tricks.values[lowest_place(cards)]
        cards &= cards - 1
        if points < least:
            least = points
    return least
