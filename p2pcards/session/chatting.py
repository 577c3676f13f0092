"""Chat: what is said is made safe to show, and nobody can flood a table."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.session.effects import CommandError, Effect, Tell
from p2pcards.session.guests import Guest
from p2pcards.views.happenings import Gestured, Said
from p2pcards.wire.clean import clean
from p2pcards.wire.messages import CHAT_SIZE, Chat, Quick
from p2pcards.wire.phrases import PHRASES, find_phrase

MOST = 20
"""Lines that one person may say in `SECONDS` seconds; further ones are dropped."""
SECONDS = 10.0


def clean_chat(text: str) -> str:
    return clean(text, CHAT_SIZE)


def too_fast(guest: Guest, now: float) -> bool:
    recent = tuple([time for time in guest.said_at if time > now - SECONDS])
    guest.said_at = (*recent, now) if len(recent) < MOST else recent
    return len(recent) >= MOST


def heard(said: Chat | Quick, name: str, mine: bool = False) -> Effect:
    """What the person at this end is told of it. said: already safe to show."""
    if isinstance(said, Chat):
        return Tell(Said(name, said.text, mine))
    phrase = PHRASES[said.phrase]
    return Tell(Gestured(name, phrase.text, mine) if phrase.gesture else Said(name, phrase.text, mine))


def read_phrase(arguments: Sequence[str]) -> int:
    """The number of the phrase that a person has typed. Raises CommandError, which lists them."""
    number = find_phrase(" ".join(arguments))
    if number is None:
        words = ", ".join([phrase.word for phrase in PHRASES])
        raise CommandError(f"Which phrase? For example: quick thanks. There are: {words}.")
    return number
