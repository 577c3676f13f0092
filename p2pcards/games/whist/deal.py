"""A hand of whist in whole numbers, in partnerships or with no partners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from p2pcards.games.deals.bits import BIT, Chance, lowest_place
from p2pcards.games.deals.held import KeptDeal
from p2pcards.games.deals.learned import Sight
from p2pcards.games.deals.position import OVER
from p2pcards.games.deals.taking import Taking
from p2pcards.games.deals.tricks import NOBODY, Tricks

if TYPE_CHECKING:
    from mypy_extensions import i64

SEATS: Final[int] = 4
PLACES: Final[int] = SEATS + 1
ENDING: Final[int] = 12  # cards held, at the most


class Whist(KeptDeal):
    """teams: whether partners play together; if not, each plays alone. turned: the card that was turned up."""

    def __init__(self, teams: bool, turned: i64, tricks: Taking) -> None:
        super().__init__(PLACES)
        self.teams = teams
        self.turned: i64 = turned
        self.tricks = tricks
        self.turn = tricks.turn

    def constructor_arguments(self) -> tuple[Any, ...]:
        return self.teams, self.turned, self.tricks

    def copy(self) -> Whist:
        new = Whist(self.teams, self.turned, self.tricks.copy())
        new.copy_turn_and_knowledge(self)
        return new

    def current_tricks(self) -> Tricks:
        return self.tricks

    def place_card(self, place: i64, card: i64) -> None:
        """Add a card to the hand of a seat, which is the place."""
        self.tricks.hands[place] = self.tricks.hands[place] | BIT[card]

    def legal_moves(self) -> i64:
        return self.tricks.playable_cards()

    def make_move(self, move: i64) -> None:
        tricks = self.tricks
        done = tricks.play_card(move)
        self.turn = tricks.turn
        if done and not tricks.hands[tricks.turn] and not self.hidden[tricks.turn]:
            self.turn = OVER

    def fill_sight(self, sight: Sight) -> bool:
        tricks = self.tricks
        sight.see_trick(
            tricks,
            tricks.distinct_cards(self.legal_moves()),
            tricks.unseen_cards(),
            self.turn ^ 2 if self.teams else NOBODY,
        )
        sight.see_voids(tricks.voids_after())
        return True

    def equivalent_move(self, move: i64) -> i64:
        return self.tricks.equivalent_card(move)

    def sides_in_ending(self) -> i64:
        if self.tricks.cards_held() > ENDING:
            return 0
        return 2 if self.teams else SEATS

    def is_turn_of_side(self, seat: i64) -> bool:
        return self.turn == seat or (self.teams and self.turn == seat ^ 2)

    def transposition_key(self) -> i64:
        return self.tricks.transposition_key()

    def final_scores(self) -> list[i64]:
        won = self.tricks.won
        if self.teams:
            return [max(won[0] + won[2] - 6, 0), max(won[1] + won[3] - 6, 0)]
        return [max(won[0] - 3, 0), max(won[1] - 3, 0), max(won[2] - 3, 0), max(won[3] - 3, 0)]

    def mishap_bits(self, seat: i64) -> i64:
        won = self.tricks.won
        return 1 if self.teams and won[seat] + won[seat ^ 2] < 7 else 0

    def final_worth(self, seat: i64) -> i64:
        """Points of the seat's side less those of the other; alone, three times its points less those of the others."""
        won = self.tricks.won
        if self.teams:
            ours: i64 = won[seat] + won[seat ^ 2]
            return ours - 6 if ours > 6 else ours - 7
        total: i64 = 0
        other: i64 = 0
        while other < SEATS:
            total += max(won[other] - 3, 0)
            other += 1
        return 4 * max(won[seat] - 3, 0) - total

    def rule_of_thumb_move(self, chance: Chance) -> i64:
        can: i64 = self.legal_moves()
        if not can & (can - 1):
            return lowest_place(can)
        return self.tricks.best_taking_card(can, self.turn ^ 2 if self.teams else NOBODY)
