"""Who is at the other ends of a table's links: known or not, proven or not, and whether a stranger has to give way."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING

import trio

from p2pcards.control.exits import REFUSED, USAGE
from p2pcards.control.starting import Declined
from p2pcards.daemon.acquaintance import greet_stranger, known, meet
from p2pcards.daemon.allowance import Allowance
from p2pcards.daemon.call import NotReached
from p2pcards.daemon.comparing import Comparisons
from p2pcards.daemon.connection import Connection
from p2pcards.session.effects import CommandError
from p2pcards.store.home import Home
from p2pcards.store.peers import PROOFS, address_of, load_peers
from p2pcards.views.commands import Command
from p2pcards.views.happenings import Happening, Notice, WordsToCompare
from p2pcards.views.tableview import TableView
from p2pcards.wire.clean import clean
from p2pcards.wire.header import MAX_SIDES
from p2pcards.wire.keys import fingerprint
from p2pcards.wire.messages import Bye, decode_message
from p2pcards.wire.refused import Refused
from p2pcards.wire.spoken import BadCode, Code, looks_like_code, read_code

if TYPE_CHECKING:
    from p2pcards.daemon.threshold import Threshold

PEERS = 8
"""Links at once: more than a table has peers, as a new link may come while the old one is not known to be lost."""

STRANGERS = 4
"""Of these at the most with people we do not know: they never keep out somebody we do."""

IDLE = 120.0
"""Seconds after which a stranger who has begun no game gives way to another stranger."""

ANSWER = 10.0
"""Seconds that the other side has to answer when words are compared."""


class Introductions:
    """Those of one table. listens: it is a listener's; connections: its links; view: the table as we see it.

    threshold: where people come in, None where nobody does.
    """

    def __init__(
        self,
        home: Home,
        listens: bool,
        connections: Collection[Connection],
        view: Callable[[], TableView],
        tell: Callable[[Happening], None],
        entropy: Callable[[int], bytes],
    ) -> None:
        self.threshold: Threshold | None = None
        self._home = home
        self._listens = listens
        self._connections = connections
        self._view = view
        self._tell = tell
        self._codes: dict[str, Code] = {}  # for calls that are still to be made, by address
        self._allowance = Allowance()
        self._words: dict[Connection, str] = {}
        self._comparisons = Comparisons(entropy, self._found_words, self._broke_off)

    # --- who comes and goes -------------------------------------------------------------------------------------------

    def takes(self, connection: Connection, proof: str) -> bool:
        """Note who this is; whether there is a place for her. proof: "code" if she has just proven one, else ""."""
        peer = known(self._home, connection.link.peer)
        connection.stranger = peer is None and not proof and not connection.address
        connection.proof = max(proof or PROOFS[0], peer.proof if peer else PROOFS[0], key=PROOFS.index)
        connection.proven_now = proof
        connection.since = trio.current_time()
        if connection.stranger and sum(other.stranger for other in self._connections) >= STRANGERS:
            return False
        return len(self._connections) < PEERS

    def give_way(self, newcomer: Connection) -> list[Connection]:
        """The strangers who have to leave for her."""
        strangers = [other for other in self._connections if other.stranger and not other.closing]
        if not strangers:
            return []
        phase = self._view().phase
        if newcomer.stranger:
            idle = trio.current_time() - IDLE
            return [other for other in strangers if self._listens and other.since <= idle and phase == "lobby"]
        if self._listens:
            return strangers
        return strangers[-1:] if phase != "play" and not self.has_room() else []

    def has_room(self) -> bool:
        """Whether somebody may still sit down: a listener has one coordinator, a coordinator three listeners."""
        seated = sum(each.met or bool(each.proven_now) for each in self._connections)
        return seated < (1 if self._listens else MAX_SIDES - 1)

    def gone(self, connection: Connection) -> None:
        self._comparisons.lost(connection)
        if self.threshold:
            self.threshold.changed()

    def meet(self) -> None:
        """See to it that our player hears of whoever is new here, and that the list of known peers has her: at once if
        we called her or she has proven a code; a stranger who came by herself, when we have played with her."""
        new = [each for each in self._connections if not each.met or (each.played and not each.kept)]
        names = self._names() if new else {}
        for connection in new:
            name = names.get(fingerprint(connection.link.peer))
            if name is not None:
                for sentence in self._acquaint(connection, name):
                    self._tell(Notice(text=sentence))

    def _acquaint(self, connection: Connection, name: str) -> list[str]:
        key = connection.link.peer
        if not connection.met and self.threshold:
            self.threshold.changed()
        connection.met = True
        if connection.stranger and not connection.played:
            return greet_stranger(self._home, key, name)
        connection.kept, connection.stranger = True, False
        return meet(self._home, key, name, connection.address, connection.proven_now)

    def _names(self) -> dict[str, str]:
        """Of whoever is here, by fingerprint."""
        return {person.key: person.name for person in self._view().people if person.link == "here"}

    # --- what strangers may make us do --------------------------------------------------------------------------------

    def begins(self) -> None:
        """A game begins. At a coordinator's table it is our player who starts it."""
        if self._listens:
            self._allowance.begin_game(trio.current_time())
        else:
            self.plays()

    def plays(self) -> None:
        """We have moved in a game with whoever is here."""
        for connection in self._connections:
            connection.played = True

    def writes(self, size: int) -> None:
        self._allowance.write(size, trio.current_time())

    def too_much(self, connection: Connection) -> bool:
        """Whether she has had us write more than somebody whose key nobody has made sure of may."""
        if not (self._allowance.spent and self._listens) or connection.proof != PROOFS[0]:
            return False
        peer = known(self._home, connection.link.peer)
        connection.proof = peer.proof if peer else PROOFS[0]
        return connection.proof == PROOFS[0]

    # --- calls --------------------------------------------------------------------------------------------------------

    def invitation(self, command: Command) -> Command:
        """An `invite` without its code, which is kept for the call, and with an address for a name that we know. Raises
        CommandError."""
        words = [word for word in command.arguments[1:] if not looks_like_code(word)]
        codes = [word for word in command.arguments[1:] if looks_like_code(word)]
        if not command.arguments:
            return command
        address = address_of(load_peers(self._home), command.arguments[0])
        try:
            for code in codes:
                self._codes[address] = read_code(code)
        except BadCode as bad:
            raise CommandError(str(bad)) from None
        return Command("invite", (address, *words))

    def code_for(self, address: str) -> Code | None:
        """The code for a call to this address, once."""
        return self._codes.pop(address, None)

    def hear_goodbye(self, connection: Connection, data: bytes) -> NotReached | None:
        """A BYE that came; why a call has failed, if it is the first that came."""
        try:
            bye = decode_message(data)
        except Refused:
            return None
        if not isinstance(bye, Bye):
            return None
        connection.goodbye = bye.code
        if connection.met:
            return None
        text = f" ({clean(bye.text, 200)})" if bye.text else ""
        return NotReached(f"{connection.link.where} {bye.code.sentence}{text}.", REFUSED)

    # --- words --------------------------------------------------------------------------------------------------------

    def show_code(self) -> None:
        """Raises Declined."""
        if self.threshold is None:
            raise Declined("This table waits for nobody, so it has no code.", USAGE)
        self.threshold.show_code()

    def compare(self, name: str = "") -> list[Connection]:
        """Begin to compare words with everybody who has a line to us, or with one of them. Raises Declined."""
        names = self._names()
        found = {each: names.get(fingerprint(each.link.peer), "") for each in self._connections if each.met}
        chosen = [each for each, called in found.items() if name.casefold() in ("", called.casefold())]
        if not chosen and found:
            others = ", ".join(found.values())
            raise Declined(
                f"You have no line to '{clean(name, 24)}'; words go from end to end, here to {others}.", USAGE
            )
        if not chosen:
            raise Declined("Nobody is here whom you could compare words with.", USAGE)
        for connection in chosen:
            self._words.pop(connection, None)
            self._comparisons.begin(connection)
        return chosen

    def hear_words(self, connection: Connection, data: bytes) -> None:
        self._comparisons.heard(connection, data)

    def words_with(self, connections: Iterable[Connection]) -> list[tuple[str, str]]:
        """(name, words) of those with whom words have been found."""
        return [(self._called(each), self._words[each]) for each in connections if each in self._words]

    def say_unanswered(self, connections: Iterable[Connection]) -> None:
        for connection in connections:
            if connection not in self._words and connection in self._connections:
                text = f"{self._called(connection)}'s program does not answer, so there are no words to compare."
                self._tell(Notice(text=text))

    def _found_words(self, connection: Connection, words: str) -> None:
        self._words[connection] = words
        self._tell(WordsToCompare(name=self._called(connection), words=words))

    def _broke_off(self, connection: Connection) -> None:
        name = self._called(connection)
        text = f"{name} began to compare words and did not finish. If it happens again, somebody may sit between you."
        self._tell(Notice(text=text))

    def _called(self, connection: Connection) -> str:
        """What we call somebody: as the list of known peers has it, which `peers trust` takes."""
        peer = known(self._home, connection.link.peer)
        return peer.name if peer else self._names().get(fingerprint(connection.link.peer), "somebody")
