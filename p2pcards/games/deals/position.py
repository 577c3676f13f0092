"""What a hand of a game is to a search: whose turn it is, what they may do, and what it was worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import Chance, random_place
from p2pcards.games.deals.learned import Sight
from p2pcards.games.deals.race import Race
from p2pcards.games.deals.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from mypy_extensions import i64

OVER = -1
FAR: Final[i64] = 1 << 40
AS_IS: Final = -99
"""A field that `set_stage` leaves as it is."""


class TooLong(Exception):
    """The rest of the hand has more positions than were to be looked at, or the time is up."""


class Deadline:
    """The end of the time that a decision may take, by an injected clock."""

    def __init__(self, now: Callable[[], float], end: float) -> None:
        self._now = now
        self._end = end

    def raise_if_over(self) -> None:
        """Raise TooLong once the time is up."""
        if self._now() >= self._end:
            raise TooLong

    def earlier_deadline(self, parts: int) -> Deadline:
        """A deadline after one of `parts` equal parts of the time that is left."""
        now = self._now()
        return Deadline(self._now, now + (self._end - now) / parts)


class Solver:
    """Plays the ending of one game out exactly, faster than `ending.Ending` does."""

    def __init__(self) -> None:
        self._deadline: Deadline | None = None

    def set_deadline(self, deadline: Deadline | None) -> None:
        """Check this deadline at each position from now on; None for no limit."""
        self._deadline = deadline

    def worth_between(self, position: SearchPosition, low: i64, high: i64, nodes: i64) -> i64:
        """Worth of the rest of the hand to the seat whose turn it is, if it lies between low and high; otherwise a
        bound: at most low, or at least high. nodes: how many positions may be searched. Raises TooLong."""
        raise NotImplementedError

    def nodes_left(self) -> i64:
        """How many of the positions allowed in the last search were not needed."""
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
        """An independent copy of the hand, to be played on."""
        raise NotImplementedError

    def set_turn(self, seat: i64) -> None:
        self.turn = seat

    def copy_turn_and_race(self, other: SearchPosition) -> None:
        """Take over whose turn it is, and the race, from another position."""
        self.turn = other.turn
        self.race = other.race

    def set_race(self, race: Race | None) -> None:
        """Count points by how far they help to win this race, once it is late; for themselves if None or early."""
        self.race = race if race is not None and race.is_late() else None

    def place_card(self, place: i64, card: i64) -> None:
        """Put a card in a place: a seat's hand (0 to 3), or from 4 on a place that the game numbers."""
        raise NotImplementedError

    def add_hands_of(self, world: SearchPosition) -> None:
        """Add to every seat's hand the cards that it holds in this world."""
        raise NotImplementedError

    def before_calls(self, played: list[i64]) -> SearchPosition:
        """The hand as it was before the first call, in games of calls. played: by seat, a mask of the cards it has
        played."""
        raise NotImplementedError

    def legal_moves(self) -> i64:
        """The moves that the rules allow now, as a bit mask; never 0 before the hand is over."""
        raise NotImplementedError

    def make_move(self, move: i64) -> None:
        """Make one of the `legal_moves`, changing this position."""
        raise NotImplementedError

    def rule_of_thumb_move(self, chance: Chance) -> i64:
        """The move that rules of thumb choose from what the seat itself can see."""
        raise NotImplementedError

    def equivalent_move(self, move: i64) -> i64:
        """The move that stands for all those with the same effect as this one."""
        return move

    def fill_sight(self, sight: Sight) -> bool:
        """Fill `sight` with what the seat to act sees, for the learned tables; False if they know no such decision."""
        return False

    def sides_in_ending(self) -> i64:
        """How many sides play the exact ending, once few cards are left and only these decide; 0 before that."""
        return 0

    def is_near_ending(self) -> bool:
        """Return whether the exact ending, not reached yet, comes so soon that choices are weighed by it."""
        return False

    def play_up_to_ending(self, _chance: Chance) -> None:
        """Play on by rules of thumb until the exact ending begins."""

    def merit_of_worth(self, worth: i64, _seat: i64) -> i64:
        """Merit for a seat of a hand that, played out exactly from here, comes to `worth`."""
        return worth

    def is_turn_of_side(self, seat: i64) -> bool:
        """Return whether it is the turn of this seat or its partner."""
        return self.turn == seat

    def transposition_key(self) -> i64:
        """A number by which two places of an ending are recognized as the same but for what is `worth_gained`; 0 for a
        place that is not worth remembering."""
        return 0

    def ending_solver(self, _made: Solver | None) -> Solver | None:
        """The solver of a two-sided ending from here, the one passed in if it can be used again; None to use
        `Ending`."""
        return None

    def worth_gained(self, seat: i64) -> i64:
        """What the hand is worth to a seat already, whatever follows; 0 if `transposition_key` includes it."""
        return 0

    def final_worth(self, seat: i64) -> i64:
        """Worth of a finished hand to a seat, higher being better: its side's score times the number of sides, less the
        scores of all sides; negated where the lowest score wins."""
        raise NotImplementedError

    def final_scores(self) -> list[i64]:
        """Scores of a finished hand, by seat, or by side where partners play; negative where the lowest score wins."""
        raise NotImplementedError

    def mishap_bits(self, _seat: i64) -> i64:
        """What went wrong for a seat in a finished hand: a bit for each of `Told.mishaps`, in their order."""
        return 0

    def final_merit(self, seat: i64) -> i64:
        """What a finished hand did for a seat: its worth in points, or in a race its chance to win the game."""
        race = self.race
        if race is None:
            return self.final_worth(seat)
        scored = self.final_scores()
        return race.race_merit(scored, seat % len(scored))


def finish_by_rules_of_thumb(position: SearchPosition, chance: Chance) -> None:
    """Play the position to the end of the hand by rules of thumb."""
    while position.turn >= 0:
        position.make_move(position.rule_of_thumb_move(chance))


def finish_at_random(position: SearchPosition, chance: Chance) -> None:
    """Play the position to the end of the hand, every legal move equally likely."""
    while position.turn >= 0:
        position.make_move(random_place(position.legal_moves(), chance))
