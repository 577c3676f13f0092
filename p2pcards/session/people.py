"""The people at the table as the coordinator last told a listener."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from p2pcards.games.names import GAME_NAMES
from p2pcards.views.cast import Cast, character_name
from p2pcards.views.happenings import GameChosen, Happening, PlayerBack, PlayerJoined, PlayerLost
from p2pcards.wire.clean import clean
from p2pcards.wire.header import NAME
from p2pcards.wire.messages import People
from p2pcards.wire.refused import Cause, Refused

NOBODY = People((), 0, None, ())


class PeopleHere:
    """said: the PEOPLE of the coordinator with this key. shown: their names as they are shown at this end."""

    def __init__(self, cast: Cast, shown: Callable[[People], tuple[str, ...]]) -> None:
        self.said = NOBODY
        self._key = b""
        self._cast = cast
        self._shown = shown

    def at(self, key: bytes) -> None:
        """From now on they are those of this coordinator."""
        if key != self._key:
            self.said, self._key = NOBODY, key

    def see(self, message: People, sides: Collection[str] | None = None) -> list[Happening]:
        """What is new. sides: the names of those who have a side in the game that is on, None while none is. Raises
        Refused."""
        if message.you >= len(message.people) or not message.people:
            raise Refused(Cause.SHAPE, "The list of people does not fit.")
        happenings: list[Happening] = []
        before = {person.name: person.here for person in self.said.people}
        mine = message.people[message.you].name
        called = dict(zip([person.name for person in self.said.people], self._shown(self.said), strict=True))
        for person, name in zip(message.people[1:], self._shown(message)[1:], strict=True):
            character = self.character(person.character)
            if person.name == mine or before.get(person.name) == person.here:
                continue
            if person.here:
                joined = PlayerJoined(name, character, "", sides is not None and person.name not in sides)
                happenings.append(PlayerBack(name) if person.name in before else joined)
            elif person.name in before:
                happenings.append(PlayerLost(name, "the line was lost", None, character))
        there = {person.name for person in message.people}
        gone = [name for name, here in before.items() if here and name not in there]
        happenings += [PlayerLost(called[name], "", None) for name in gone]
        if message.game != self.said.game and message.game in GAME_NAMES:
            happenings.append(GameChosen(GAME_NAMES[message.game]))
        self.said = message
        return happenings

    def lose_sight(self) -> None:
        """The link is gone: who is here, the coordinator will say when it is back."""
        self.said = replace(self.said, people=tuple([replace(person, here=False) for person in self.said.people]))

    def forget(self) -> None:
        self.said = NOBODY

    def name_of(self, place: int) -> str:
        return self._shown(self.said)[place] if place < len(self.said.people) else "somebody"

    def character(self, key: str) -> str:
        return character_name(self._cast, clean(key, NAME))
