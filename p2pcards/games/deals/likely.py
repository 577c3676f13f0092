"""Worlds in which the others would have called and played much as they did: a chain of them (Metropolis and others,
1953), in which two hidden cards change places, or do not, by how likely the world is before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import Chance
from p2pcards.games.deals.position import Deadline, SearchPosition
from p2pcards.games.deals.worlds import Room, Worlds

if TYPE_CHECKING:
    from mypy_extensions import i64

SEATS: Final[int] = 4
STRANGE: Final[i64] = 8
"""Doubts about a hand for a card that rules of thumb would not have played from it."""
ONE: Final[i64] = 1 << 20
ODDS: Final[list[i64]] = [int((1 << 20) * 0.2 ** (doubts / 8)) for doubts in range(80)]
"""Of ONE, by how many more doubts there are about a world: one strange card makes it a fifth as likely. Odds of 0.1 to
0.3 play as well; sharper ones guess more cards right, and play no better."""
FIRST: Final[int] = 40
NEXT: Final[int] = 4
"""Exchanges that are tried before the first world, and between two."""


class Drawn(SearchPosition):
    """What was drawn: which card for which place."""

    def __init__(self) -> None:
        super().__init__()
        self.places: list[i64] = []
        self.cards: list[i64] = []

    def place_card(self, place: i64, card: i64) -> None:
        self.places.append(place)
        self.cards.append(card)

    def put_cards_into(self, position: SearchPosition) -> None:
        """Put every drawn card into a position."""
        number: i64 = 0
        while number < len(self.cards):
            position.place_card(self.places[number], self.cards[number])
            number += 1

    def put_hands_into(self, position: SearchPosition) -> None:
        """Put the drawn cards of the seats, not those of other places, into a position."""
        number: i64 = 0
        while number < len(self.cards):
            if self.places[number] < SEATS:
                position.place_card(self.places[number], self.cards[number])
            number += 1


class CalledWorlds(Worlds):
    """Worlds that are the likelier the more of their calls the others would have made by rules of thumb."""

    def __init__(self, cards: list[i64], rooms: list[Room], calls: list[i64], played: list[i64]) -> None:
        """calls: the moves since the deal by which trump was made or not; played: by seat, the cards that it has
        played."""
        super().__init__(cards, rooms, len(calls) > 0)
        self.calls = calls
        self.played = played

    def doubts_about(self, world: SearchPosition) -> i64:
        """How much the calls speak against a world: `STRANGE` for each that rules of thumb would not have made
        there."""
        before, chance = world.before_calls(self.played), Chance(1)  # by which no rule of thumb calls
        doubts: i64 = 0
        for call in self.calls:
            if before.turn != world.turn and before.rule_of_thumb_move(chance) != call:
                doubts += STRANGE
            before.make_move(call)
        return doubts


class Chain:
    """start, played: in games of tricks the hand before the first of these cards was played, with no card of the hands
    known, and None where there is none. deadline: for `next_world`."""

    def __init__(
        self,
        position: SearchPosition,
        worlds: Worlds,
        start: SearchPosition | None,
        played: list[i64],
        deadline: Deadline | None = None,
    ) -> None:
        self._deadline = deadline
        self._position = position
        self._worlds = worlds
        self._before = start
        if start is not None:
            self._before = start.copy()
            self._before.add_hands_of(position)
        self._played = played
        self._seat: i64 = position.turn
        self._steps: i64 = FIRST
        self._drawn = Drawn()
        self._doubts: i64 = 0
        self._goes_on = False
        self._weighs = worlds.number > 1 and (worlds.doubtful or (start is not None and len(played) > 0))

    def next_world(self, chance: Chance) -> SearchPosition:
        """Walk on, and return a world that the caller may change. Raises TooLong."""
        if not self._weighs:
            world = self._position.copy()
            self._worlds.fill_world(world, chance)
            return world
        if not self._goes_on:
            self._goes_on = True
            self._worlds.fill_world(self._drawn, chance)
            self._doubts = self._current_doubts(chance)
        deadline = self._deadline
        steps: i64 = self._steps
        self._steps = NEXT
        while steps > 0:
            if deadline is not None:
                deadline.raise_if_over()
            self._try_exchange(chance)
            steps -= 1
        return self._current_world()

    def _current_world(self) -> SearchPosition:
        """A new position with the cards as the chain has them now."""
        world = self._position.copy()
        self._drawn.put_cards_into(world)
        return world

    def _try_exchange(self, chance: Chance) -> None:
        """Let two cards change places if both may lie there; undo it, by chance, if the world becomes less likely."""
        places, cards = self._drawn.places, self._drawn.cards
        number: i64 = len(cards)
        one: i64 = chance.number_below(number)
        other: i64 = chance.number_below(number)
        here: i64 = cards[one]
        there: i64 = cards[other]
        if places[one] != places[other] and not self._worlds.may_swap(places[one], here, places[other], there):
            return
        cards[one] = there
        cards[other] = here
        if places[one] == places[other]:
            return  # in another order, which is all the same to what has been
        doubts: i64 = self._current_doubts(chance)
        more: i64 = doubts - self._doubts
        if more > 0 and (more >= len(ODDS) or chance.number_below(ONE) >= ODDS[more]):
            cards[one] = here
            cards[other] = there
        else:
            self._doubts = doubts

    def _current_doubts(self, chance: Chance) -> i64:
        """How much the calls, and the cards played, speak against the current world."""
        doubts: i64 = self._worlds.doubts_about(self._current_world()) if self._worlds.doubtful else 0
        start = self._before
        if start is None:
            return doubts
        before = start.copy()
        self._drawn.put_hands_into(before)
        for card in self._played:
            if before.turn != self._seat:
                expected: i64 = before.rule_of_thumb_move(chance)
                if expected != card and before.equivalent_move(expected) != before.equivalent_move(card):
                    doubts += STRANGE
            before.make_move(card)
        return doubts
