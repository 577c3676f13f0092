"""What keeps anybody from saying too much or going unnoticed: paces, chat lines counted by author, pings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from math import inf

from p2pcards.session.effects import CommandError, Effect, Tell
from p2pcards.views.happenings import Gestured, Notice, Said
from p2pcards.wire.clean import clean
from p2pcards.wire.messages import (
    CHAT_SIZE,
    Again,
    Away,
    Chat,
    Hello,
    Message,
    Offer,
    People,
    Proposal,
    Quick,
    RefusedMove,
    Resume,
    Vote,
)
from p2pcards.wire.packing import Cause, Refused
from p2pcards.wire.reasons import PHRASES, find_phrase

# --- how fast a side may say what makes a record, a line on a screen or a message to the others -----------------------


MOST_EARLY = 1000
"""Messages of one kind that may come too soon, one after the other, before their sender is hung up on."""

SIDES = 32
"""Sides of which is known what they said, before those are forgotten who have been quiet since."""


class Early(Enum):
    """What becomes of a message that comes too soon."""

    WAITS = auto()  # the last one counts, and is taken when its time comes
    DROPPED = auto()  # it is only a line on a screen
    ENDS = auto()  # the link


@dataclass(frozen=True, slots=True)
class Bound:
    """For all messages of one kind, or of a few kinds together."""

    what: str  # their name in a sentence
    at_once: int  # number that may come one right after the other
    each: float  # seconds until one more may come
    early: Early = Early.WAITS


TALK = Bound("chat messages", 20, 0.5, Early.DROPPED)
_COMES = Bound("connections", 12, 5.0, Early.ENDS)
_HEARD = Bound("chat messages", 100, 0.125, Early.DROPPED)
_ANSWERS = Bound("answers", 40, 1.0, Early.DROPPED)

FROM_A_LISTENER: Mapping[type[Message], Bound] = {
    Hello: _COMES,
    Chat: TALK,
    Quick: TALK,
    Away: Bound("AWAY", 6, 5.0),
    Again: Bound("AGAIN", 6, 5.0),
    Proposal: Bound("proposals", 6, 5.0),
    Resume: Bound("RESUME", 20, 2.0),
}
"""What a listener may say to a coordinator. Anything else makes nothing more than once."""

FROM_A_COORDINATOR: Mapping[type[Message], Bound] = {
    Hello: _COMES,
    Chat: _HEARD,
    Quick: _HEARD,
    Again: _ANSWERS,
    Vote: _ANSWERS,
    People: Bound("PEOPLE", 40, 0.25),
    Proposal: Bound("proposals", 40, 1.0),
    Offer: Bound("OFFER", 20, 2.0),
    RefusedMove: Bound("REFUSED", 20, 1.0),
}
"""What a coordinator may say to a listener: more than comes of all that three listeners may say."""


class Slots:
    """So many at once, then one after so many seconds: each takes a slot, and a slot is free again when the one before
    it is, and `each` seconds more have passed. No clock: each method is told what time it is, in seconds."""

    def __init__(self, at_once: int, each: float) -> None:
        self._at_once = at_once
        self._each = each
        self._all_free = -inf

    def acquire(self, now: float) -> bool:
        """Whether there is a slot, which is taken."""
        if now < self.free_at():
            return False
        self._all_free = max(self._all_free, now) + self._each
        return True

    def free_at(self) -> float:
        """When there is a slot."""
        return self._all_free - (self._at_once - 1) * self._each

    def all_free_at(self) -> float:
        return self._all_free


class Flow:
    """What one side says of one kind. waiting: the last message that came too soon, if it is to be taken yet. early:
    how many came too soon since all slots were free."""

    def __init__(self, bound: Bound) -> None:
        self.bound = bound
        self.waiting: Message | None = None
        self.early = 0
        self._slots = Slots(bound.at_once, bound.each)

    def takes(self, message: Message, now: float) -> bool:
        """Whether it is to be taken now. Raises Refused for too much."""
        if self.quiet(now):
            self.early = 0
        if self.waiting is None and self._slots.acquire(now):
            return True
        self.early += 1
        if self.early > MOST_EARLY:
            raise Refused(Cause.SHAPE, f"Too many {self.bound.what}.")
        match self.bound.early:
            case Early.WAITS:
                self.waiting = message
            case Early.ENDS:
                seconds = round(self._slots.free_at() - now) + 1
                raise Refused(Cause.SHAPE, f"You're reconnecting too often. Try again in {seconds} s.")
        return False

    def quiet(self, now: float) -> bool:
        return self.waiting is None and now >= self._slots.all_free_at()

    def due(self, now: float) -> Message | None:
        """The waiting message, if its time has come."""
        message = self.waiting
        if message is None or not self._slots.acquire(now):
            return None
        self.waiting = None
        return message

    def dropped(self, now: float) -> int:
        """How many were dropped, once it is quiet; they are told once."""
        if self.bound.early is not Early.DROPPED or not self.quiet(now):
            return 0
        count, self.early = self.early, 0
        return count

    def forget(self) -> None:
        """What waits is not meant any more."""
        self.waiting = None

    def next_time(self) -> float:
        """When to look again; infinite if nothing is due."""
        if self.waiting is not None:
            return self._slots.free_at()
        return self._slots.all_free_at() if self.early and self.bound.early is Early.DROPPED else inf


class Pace:
    """What all who speak to one machine say, by their keys. bounds: of the kinds that have one."""

    def __init__(self, bounds: Mapping[type[Message], Bound]) -> None:
        self._bounds = bounds
        self._flows: dict[bytes, dict[str, Flow]] = {}

    def takes(self, key: bytes, message: Message, now: float) -> bool:
        """Whether a message is to be taken now; what waits is `due` later. Raises Refused for too much."""
        bound = self._bounds.get(type(message))
        if bound is None:
            return True
        if key not in self._flows and len(self._flows) >= SIDES:
            self._flows = {one: flows for one, flows in self._flows.items() if not _all_quiet(flows, now)}
        flows = self._flows.setdefault(key, {})
        return flows.setdefault(bound.what, Flow(bound)).takes(message, now)

    def due(self, now: float) -> list[tuple[bytes, Message]]:
        """The waiting messages to take now."""
        found = [(key, flow.due(now)) for key, flows in self._flows.items() for flow in flows.values()]
        return [(key, message) for key, message in found if message is not None]

    def dropped(self, now: float) -> list[tuple[bytes, str, int]]:
        """Who has said too much, of what, and how many were dropped; each is told once."""
        found = [(key, what, flow.dropped(now)) for key, flows in self._flows.items() for what, flow in flows.items()]
        return [one for one in found if one[2]]

    def begin_link(self, key: bytes) -> None:
        """A new link of the listener with this key: what waits was meant for an older one."""
        for flow in self._flows.get(key, {}).values():
            flow.forget()

    def next_time(self) -> float:
        """When to look again; infinite if nothing is due."""
        return min([flow.next_time() for flows in self._flows.values() for flow in flows.values()], default=inf)


def left_out(name: str, what: str, count: int) -> Notice:
    """The sentence for a player about dropped messages."""
    return Notice(f"{count} {what} from {name} skipped: too many at once.")


def _all_quiet(flows: Mapping[str, Flow], now: float) -> bool:
    return all(flow.quiet(now) for flow in flows.values())


# --- chat -------------------------------------------------------------------------------------------------------------


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
        if not self._slots.acquire(now):
            raise CommandError("Slow down: that wasn't sent. Try again in a second.")

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
    """The sentence about it for the person at this end."""
    if isinstance(said, Chat):
        return Tell(Said(name, clean(said.text, CHAT_SIZE), mine))
    phrase = PHRASES[said.phrase]
    return Tell(Gestured(name, phrase.text, mine) if phrase.gesture else Said(name, phrase.text, mine))


def read_phrase(arguments: Sequence[str]) -> int:
    """The number of the phrase that a person has typed. Raises CommandError, which lists them."""
    number = find_phrase(" ".join(arguments))
    if number is None:
        words = ", ".join([phrase.word for phrase in PHRASES])
        raise CommandError(f"Which phrase? For example: quick thanks. Phrases: {words}.")
    return number


# --- whether the other side of a link is still there ------------------------------------------------------------------


PING_AFTER = 5.0
"""Seconds of silence after which a ping is sent."""
LOST_AFTER = 15.0
"""Seconds of silence after which the link is given up: three pings."""
FIRST_WORD = 45.0
"""Seconds for the first word on a slow line, where modems may train anew meanwhile."""
ANSWER_SIZE = 1024
"""Bytes that may pass on a line, both ways together, before an answer is there."""


def allowed(seconds: float, pace: float, size: int = ANSWER_SIZE) -> float:
    """The time for what takes at most so many seconds where nothing waits: on a slow line four times as long as its
    bytes need is added. pace: seconds that a byte takes."""
    return seconds + 4 * size * pace


@dataclass
class Pulse:
    """One link."""

    heard: float  # when the last message came; before the first one, when the link began
    pace: float = 0.0  # seconds for each byte on a slow line; 0 on others
    spoken: bool = False  # a message has come
    pinged: float = float("-inf")  # when the last ping was sent
    number: int = 0  # of that ping

    def note_heard(self, now: float) -> None:
        self.heard, self.spoken = now, True

    def ping_due(self, now: float) -> int | None:
        """The number of a ping to be sent now, if one is due."""
        if self.pace or now < max(self.heard, self.pinged) + PING_AFTER:
            return None
        self.pinged = now
        self.number += 1
        return self.number

    def lost_at(self) -> float:
        """On a slow line only for the first word: later the line says by itself whether somebody is there."""
        if not self.pace:
            return self.heard + LOST_AFTER
        return inf if self.spoken else self.heard + allowed(FIRST_WORD, self.pace)

    def is_lost(self, now: float) -> bool:
        return now >= self.lost_at()

    def next_time(self) -> float:
        """When to look again."""
        return self.lost_at() if self.pace else min(max(self.heard, self.pinged) + PING_AFTER, self.lost_at())
