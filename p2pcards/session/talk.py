"""Chat: what is said is made safe to show, and lines are counted by author."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.session.effects import CommandError, Effect, Tell
from p2pcards.session.pace import TALK, Slots
from p2pcards.views.happenings import Gestured, Said
from p2pcards.wire.clean import clean
from p2pcards.wire.messages import CHAT_SIZE, Chat, Quick
from p2pcards.wire.phrases import PHRASES, find_phrase


class Talk:
    """What is said at a table, as one side counts it."""

    def __init__(self) -> None:
        self._mine = 0
        self._slots = Slots(TALK.at_once, TALK.each)
        self._counts: dict[bytes, int] = {}  # by the author's key

    def say(self, author: int, arguments: Sequence[str]) -> Chat:
        """A line of the person at this end. Raises CommandError."""
        text = clean(" ".join(arguments), CHAT_SIZE)
        if not text:
            raise CommandError("Say what? For example: say hello")
        self._mine += 1
        return Chat(author, self._mine, text)

    def check_pace(self, now: float) -> None:
        """The person at this end says one line more to everybody. Raises CommandError."""
        if not self._slots.take(now):
            raise CommandError("That was too much at once, and was not sent. Say it again in a second.")

    def relay(self, said: Chat | Quick, author: int, key: bytes) -> Chat | Quick:
        """What somebody else said, as the others are sent it."""
        if isinstance(said, Quick):
            return Quick(author, said.phrase)
        self._counts[key] = self._counts.get(key, 0) + 1
        return Chat(author, self._counts[key], clean(said.text, CHAT_SIZE))

    def forget(self, key: bytes) -> None:
        """Somebody has gone."""
        self._counts.pop(key, None)


def heard(said: Chat | Quick, name: str, mine: bool = False) -> Effect:
    """What the person at this end is told of it."""
    if isinstance(said, Chat):
        return Tell(Said(name, clean(said.text, CHAT_SIZE), mine))
    phrase = PHRASES[said.phrase]
    return Tell(Gestured(name, phrase.text, mine) if phrase.gesture else Said(name, phrase.text, mine))


def read_phrase(arguments: Sequence[str]) -> int:
    """The number of the phrase that a person has typed. Raises CommandError, which lists them."""
    number = find_phrase(" ".join(arguments))
    if number is None:
        words = ", ".join([phrase.word for phrase in PHRASES])
        raise CommandError(f"Which phrase? For example: quick thanks. There are: {words}.")
    return number
