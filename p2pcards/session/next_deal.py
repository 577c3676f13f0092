"""What keeps a coordinator's game from its next deal: a listener for whom it waits beyond the time of the checks, or
one who has lost their chain before any card was dealt."""

from __future__ import annotations

from collections.abc import Mapping

from p2pcards.ledger.position import Position
from p2pcards.ledger.roll import awaited
from p2pcards.session.effects import Effect, Tell
from p2pcards.session.guest import Guest
from p2pcards.views.happenings import Notice


class NextDeal:
    """guests: the listeners of the game by side. without_chain: of them those who have lost the chain that the header
    names, before the first deal."""

    def __init__(self, guests: Mapping[int, Guest]) -> None:
        self.without_chain: set[int] = set()
        self._guests = guests
        self._unheard: set[int] = set()  # the sides that had no header when they were asked, before the first deal
        self._told = -1  # where the phase of checks began of which it was told for whom it waits

    def is_out_of_reach(self, position: Position, side: int) -> bool:
        """This side has no log of the game; whether the header would be refused again."""
        if position.dealt == 0:
            self._unheard.add(side)
        return side in self.without_chain

    def refuses_header(self, position: Position, side: int | None) -> None:
        """They have hung up as something cannot be: where they had no log, the chain that the header gives them is not
        theirs any more."""
        if side is not None and side in self._unheard and position.dealt == 0:
            self.without_chain.add(side)

    def never_comes(self) -> bool:
        """Whether somebody has no chain for the first deal, and everybody is here for another game."""
        here = all(guest.here or guest.left for guest in self._guests.values())
        return bool(self.without_chain) and here

    def names(self) -> str:
        """Of those without a chain."""
        return " and ".join([self._guests[side].name for side in sorted(self.without_chain)])

    def waits(self, position: Position) -> bool:
        """Whether it was told for whom this deal waits: then no time is over any more."""
        return self._told == position.open_base

    def tell(self, position: Position) -> list[Effect]:
        """The time of the checks is over. For whom the next deal waits all the same: without them nobody but this side
        would have made its pack."""
        waits = [self._guests[side].name for side in sorted(awaited(position))]
        if not waits or self.waits(position):
            return []
        self._told = position.open_base
        text = f"The next hand is not dealt without {' and '.join(waits)}, who must have a part in the shuffle."
        return [Tell(Notice(f"{text} The game waits; 'end' ends it."))]
