"""Words that two sides of a link compare by voice: commit, then reveal, so that nobody between them can choose them.

protocol/first-contact.md has the messages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from hmac import compare_digest

from p2pcards.daemon.connection import Connection
from p2pcards.wire.messages import (
    Message,
    WordsCommitment,
    WordsNonce,
    WordsReveal,
    decode_message,
    encode_message,
)
from p2pcards.wire.refused import Refused
from p2pcards.wire.spoken import NONCE, words_commitment, words_of

MOST_BROKEN_OFF = 3
"""Comparisons that one identity may begin and not finish at a table: who sits between two people could try until the
words happen to be the same."""

Tell = Callable[[Connection, str], None]


@dataclass(frozen=True, slots=True)
class Begun:
    """A comparison under way. commitment: of whoever began it, None if we did."""

    nonce: bytes
    commitment: bytes | None = None


class Comparisons:
    """Those of one table.

    entropy(n): n random bytes; found: told the words, three with blanks between; broken: told when somebody who began
    does not go on as they said.
    """

    def __init__(self, entropy: Callable[[int], bytes], found: Tell, broken: Callable[[Connection], None]) -> None:
        self._entropy = entropy
        self._found = found
        self._broken = broken
        self._begun: dict[Connection, Begun] = {}
        self._unfinished: Counter[bytes] = Counter()

    def begin(self, connection: Connection) -> None:
        nonce = self._entropy(NONCE)
        self._begun[connection] = Begun(nonce)
        self._send(connection, WordsCommitment(words_commitment(connection.link.binding, nonce)))

    def lost(self, connection: Connection) -> None:
        """The link is over."""
        begun = self._begun.pop(connection, None)
        if begun is not None and begun.commitment is not None:
            self._broken(connection)

    def heard(self, connection: Connection, data: bytes) -> None:
        """A message about words. One that fits to nothing is ignored: both may have begun at once."""
        try:
            message = decode_message(data)
        except Refused:
            return
        begun = self._begun.get(connection)
        match message:
            case WordsCommitment(commitment):
                self._answer(connection, commitment, begun)
            case WordsNonce(nonce) if begun is not None and begun.commitment is None:
                del self._begun[connection]
                self._send(connection, WordsReveal(begun.nonce))
                self._found(connection, " ".join(words_of(connection.link.binding, begun.nonce, nonce)))
            case WordsReveal(nonce) if begun is not None and begun.commitment is not None:
                del self._begun[connection]
                if compare_digest(words_commitment(connection.link.binding, nonce), begun.commitment):
                    self._unfinished[connection.link.peer] -= 1
                    self._found(connection, " ".join(words_of(connection.link.binding, nonce, begun.nonce)))
                else:
                    self._broken(connection)

    def _answer(self, connection: Connection, commitment: bytes, begun: Begun | None) -> None:
        if begun is not None and begun.commitment is None and connection.address:
            return  # both began: whoever opened the stream goes on
        if begun is not None and begun.commitment is not None:
            self._broken(connection)
        peer = connection.link.peer
        if self._unfinished[peer] >= MOST_BROKEN_OFF:
            self._begun.pop(connection, None)
            return
        self._unfinished[peer] += 1
        nonce = self._entropy(NONCE)
        self._begun[connection] = Begun(nonce, commitment)
        self._send(connection, WordsNonce(nonce))

    def _send(self, connection: Connection, message: Message) -> None:
        connection.send(encode_message(message))
