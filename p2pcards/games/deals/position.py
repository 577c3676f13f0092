"""What a hand of a game is to a search: whose turn it is, what they may do, and what it was worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import Chance, one_of
from p2pcards.games.deals.learned import Sight
from p2pcards.games.deals.race import Race
from p2pcards.games.deals.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from mypy_extensions import i64

OVER = -1
FAR: Final[i64] = 1 << 40
AS_IS: Final = -99
"""What `stand` leaves as it is."""


class TooLong(Exception):
    """The rest of the hand has more positions than were to be looked at, or the time is up."""


class Deadline:
    """The end of the time that a decision may take, by an injected clock."""

    def __init__(self, now: Callable[[], float], end: float) -> None:
        self._now = now
        self._end = end

    def check(self) -> None:
        """Raises TooLong once the time is up."""
        if self._now() >= self._end:
            raise TooLong

    def part(self, parts: int) -> Deadline:
        """A nearer one, for a step that may take one part in so many of the time that is left."""
        now = self._now()
        return Deadline(self._now, now + (self._end - now) / parts)


class Solver:
    """Plays the ending of one game out exactly, faster than `ending.Ending` does."""

    def __init__(self) -> None:
        self._deadline: Deadline | None = None

    def end_by(self, deadline: Deadline | None) -> None:
        """It is checked at each position from now on."""
        self._deadline = deadline

    def between(self, position: SearchPosition, low: i64, high: i64, nodes: i64) -> i64:
        """What the rest of a hand comes to, for whose turn it is, if that lies between low and high; else not more than
        low, or not less than high. nodes: how many positions may be looked at. Raises TooLong."""
        raise NotImplementedError

    def left(self) -> i64:
        """How many of these were not."""
        raise NotImplementedError


class SearchPosition(Value):
    """One hand, which changes as it is played. turn: the seat that acts, OVER when nobody does any more. race: how the
    game stands, for a search that plays to win it; None where points count for themselves.

    A move is a number from 0 to 62; what it means depends on the stage of the hand: a card, a bid, a suit. An action of
    the rules may be several moves, such as three cards that are passed.
    """

    def __init__(self) -> None:
        self.turn: i64 = OVER
        self.race: Race | None = None

    def copy(self) -> SearchPosition:
        """The same hand, to be played on without a change to this one."""
        raise NotImplementedError

    def wait_for(self, seat: i64) -> None:
        """It is the turn of this seat."""
        self.turn = seat

    def go_on(self, other: SearchPosition) -> None:
        """The turn and the race are as there."""
        self.turn = other.turn
        self.race = other.race

    def enter(self, race: Race | None) -> None:
        """Points count as far as they help to win this race, once it is late; for themselves where there is none."""
        self.race = race if race is not None and race.is_late() else None

    def hold(self, place: i64, card: i64) -> None:
        """A card lies in this place: with the seat of this number, or from 4 on where the game says."""
        raise NotImplementedError

    def add_hands(self, world: SearchPosition) -> None:
        """Every seat holds what it holds in this world too."""
        raise NotImplementedError

    def dealt(self, played: list[i64]) -> SearchPosition:
        """The hand before the first call, in games of calls. played: by seat, the cards that it has played."""
        raise NotImplementedError

    def moves(self) -> i64:
        """The moves that the rules allow now, a bit for each; never none before the hand is over."""
        raise NotImplementedError

    def do(self, move: i64) -> None:
        """A move of `moves` is made."""
        raise NotImplementedError

    def thumb(self, chance: Chance) -> i64:
        """The move by rules of thumb, from what the seat itself can see: its cards, and what lies open."""
        raise NotImplementedError

    def alike(self, move: i64) -> i64:
        """The move that stands for this one, of those that come to the same."""
        return move

    def look(self, sight: Sight) -> bool:
        """Whether tables may know what the seat does now; they see this then."""
        return False

    def sides(self) -> i64:
        """How many sides play out what is left of the hand, when nothing but the cards that are held decides any more
        and they are few; 0 before."""
        return 0

    def is_near(self) -> bool:
        """Whether choices are weighed by the ending that they lead to, which comes so soon; `sides` is 0 yet."""
        return False

    def lead_up(self, _chance: Chance) -> None:
        """Play on to that ending by rules of thumb."""

    def merit_of(self, worth: i64, _seat: i64) -> i64:
        """What a hand does for a seat that is played out exactly from here and comes to `worth`."""
        return worth

    def is_ours(self, seat: i64) -> bool:
        """Whether it is the turn of the side of this seat."""
        return self.turn == seat

    def mark(self) -> i64:
        """A number that is the same, at two places of an ending, where the hand goes on in the same way from both but
        for what is `gained`; 0 for a place that nobody need know again."""
        return 0

    def solver(self, _made: Solver | None) -> Solver | None:
        """Who plays out what is left from here on between two, the one made before if there is; None for `Ending`."""
        return None

    def gained(self, seat: i64) -> i64:
        """What the hand is worth to a seat already, whatever comes; 0 where `mark` tells places apart by it."""
        return 0

    def worth(self, seat: i64) -> i64:
        """What a hand that is over was worth to a seat, the more the better: what its side scored, times the number of
        sides, less what all sides did; the other way round where the lowest score wins."""
        raise NotImplementedError

    def tally(self) -> list[i64]:
        """What a hand that is over has scored, by seat, or by side where partners play; less where the lowest wins."""
        raise NotImplementedError

    def mishaps(self, _seat: i64) -> i64:
        """What went wrong for a seat in a hand that is over, of what the game has words for: a bit for each, in the
        order of `Told.mishaps`."""
        return 0

    def merit(self, seat: i64) -> i64:
        """What a hand that is over did for a seat: what it was worth, or what it did for its chance to win the game."""
        race = self.race
        if race is None:
            return self.worth(seat)
        scored = self.tally()
        return race.merit(scored, seat % len(scored))


def finish(position: SearchPosition, chance: Chance) -> None:
    """Play to the end of the hand by rules of thumb."""
    while position.turn >= 0:
        position.do(position.thumb(chance))


def finish_at_random(position: SearchPosition, chance: Chance) -> None:
    """Play to the end of the hand, every legal move as likely as the others."""
    while position.turn >= 0:
        position.do(one_of(position.moves(), chance))
