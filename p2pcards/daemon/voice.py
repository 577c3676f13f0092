"""Words that our player compares by voice with those who have a line to the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import trio

from p2pcards.control.declined import Declined
from p2pcards.control.exits import USAGE
from p2pcards.daemon.acquaintance import known
from p2pcards.daemon.bell import Bell
from p2pcards.daemon.comparing import Comparisons
from p2pcards.daemon.connection import Connection
from p2pcards.daemon.introductions import Introductions
from p2pcards.session.bounds import Slots, allowed
from p2pcards.store.home import Home
from p2pcards.views.happenings import Happening, Notice, WordsToCompare
from p2pcards.wire.clean import clean

ANSWER = 10.0
"""Seconds that the other side has to answer."""

AT_ONCE, EACH = 12, 2.5
"""Messages about words that are taken from one link right after the other, and the seconds after which one more is:
beginning takes two."""


class VoiceCheck:
    """That of one table. entropy(n): n random bytes; tell: shows it to our player."""

    def __init__(
        self,
        home: Home,
        introductions: Introductions,
        entropy: Callable[[int], bytes],
        tell: Callable[[Happening], None],
    ) -> None:
        self._home = home
        self._introductions = introductions
        self._tell = tell
        self._words: dict[Connection, str] = {}
        self._slots: dict[Connection, Slots] = {}
        self._found = Bell()
        self._comparisons = Comparisons(entropy, self._find, self._broke_off)

    def begin(self, name: str = "") -> list[Connection]:
        """Begin with everybody who has a line to us, or with one of them. Raises Declined."""
        lines = self._lines()
        names = [self._introductions.name_of(each.link.peer) for each in lines]
        chosen = [each for each, called in zip(lines, names, strict=True) if name.casefold() in ("", called.casefold())]
        if not chosen and lines:
            raise Declined(
                f"You have no line to '{clean(name, 24)}'; words go from end to end, here to {', '.join(names)}.", USAGE
            )
        if not chosen:
            raise Declined("Nobody is here whom you could compare words with.", USAGE)
        for connection in chosen:
            self._words.pop(connection, None)
            self._comparisons.begin(connection)
        return chosen

    async def finish(self, begun: Sequence[Connection]) -> list[tuple[str, str]]:
        """(name, words) of those who answer in time; our player is told who does not."""
        with trio.move_on_after(allowed(ANSWER, max([one.pace for one in begun], default=0.0))):
            while not all(each in self._words for each in begun):
                await self._found.wait()
        for connection in begun:
            if connection not in self._words and connection in self._lines():
                text = f"{self._called(connection)}'s program does not answer, so there are no words to compare."
                self._tell(Notice(text))
        return [(self._called(each), self._words[each]) for each in begun if each in self._words]

    def hear(self, connection: Connection, message: bytes) -> None:
        """A message about words; those of somebody who sends more than anybody compares are passed over."""
        if self._slots.setdefault(connection, Slots(AT_ONCE, EACH)).take(trio.current_time()):
            self._comparisons.heard(connection, message)

    def lost(self, connection: Connection) -> None:
        """The link is over."""
        self._slots.pop(connection, None)
        self._comparisons.lost(connection)

    def _lines(self) -> list[Connection]:
        return [who.connection for who in self._introductions.everybody if who.met]

    def _find(self, connection: Connection, words: str) -> None:
        self._words[connection] = words
        self._tell(WordsToCompare(name=self._called(connection), words=words))
        self._found.ring()

    def _broke_off(self, connection: Connection) -> None:
        name = self._called(connection)
        text = f"{name} began to compare words and did not finish. If it happens again, somebody may sit between you."
        self._tell(Notice(text))

    def _called(self, connection: Connection) -> str:
        """What we call somebody: as the list of known peers has it, which `peers trust` takes."""
        key = connection.link.peer
        peer = known(self._home, key)
        return peer.name if peer else self._introductions.name_of(key) or "somebody"
