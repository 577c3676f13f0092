"""What keeps anybody from saying too much or going unnoticed: paces, chat lines counted by author, pings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from math import inf
from typing import NamedTuple

from p2pcards.session.effects import CommandError, Effect, Tell
from p2pcards.views.happenings import Gestured, Notice, Said
from p2pcards.wire.clean import clean
from p2pcards.wire.messages import (
    CHAT_SIZE,
    Again,
    Away,
    Chat,
    Doors,
    Give,
    Hello,
    LookOn,
    Message,
    NoSeat,
    Offer,
    People,
    Proposal,
    Quick,
    RefusedMove,
    Resume,
    ShowHand,
    Vote,
    Watch,
    WatchersNow,
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


class Bound(NamedTuple):
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
    Watch: _COMES,
    Chat: TALK,
    Quick: TALK,
    Away: Bound("AWAY", 6, 5.0),
    Give: Bound("GIVE", 6, 5.0),
    ShowHand: Bound("SHOW", 40, 0.25),
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
    WatchersNow: Bound("WATCHERS", 40, 0.25),
    ShowHand: Bound("SHOW", 40, 0.25),
    NoSeat: Bound("NO SEAT", 12, 5.0, Early.DROPPED),
    Doors: Bound("DOORS", 40, 0.25),
    Proposal: Bound("proposals", 40, 1.0),
    Offer: Bound("OFFER", 20, 2.0),
    LookOn: Bound("LOOK ON", 20, 2.0, Early.DROPPED),
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
        """Take a slot if there is a free one. now: seconds."""
        if now < self.free_at():
            return False
        self._all_free = max(self._all_free, now) + self._each
        return True

    def free_at(self) -> float:
        """The time at which the next slot is free."""
        return self._all_free - (self._at_once - 1) * self._each

    def all_free_at(self) -> float:
        """The time at which all slots are free."""
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
        """True if a message is to be taken now; one that is too early waits or is dropped. Raises Refused for far too
        many."""
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
        """True if no message waits and all slots are free."""
        return self.waiting is None and now >= self._slots.all_free_at()

    def due(self, now: float) -> Message | None:
        """The waiting message, if its time has come; it waits no longer."""
        message = self.waiting
        if message is None or not self._slots.acquire(now):
            return None
        self.waiting = None
        return message

    def dropped(self, now: float) -> int:
        """The number of dropped messages once all is quiet, 0 before; each is reported once."""
        if self.bound.early is not Early.DROPPED or not self.quiet(now):
            return 0
        count, self.early = self.early, 0
        return count

    def forget(self) -> None:
        """Drop the waiting message."""
        self.waiting = None

    def next_time(self) -> float:
        """The time of the next change; infinite if nothing waits."""
        if self.waiting is not None:
            return self._slots.free_at()
        return self._slots.all_free_at() if self.early and self.bound.early is Early.DROPPED else inf


class Pace:
    """What all who speak to one machine say, by their keys. bounds: of the kinds that have one."""

    def __init__(self, bounds: Mapping[type[Message], Bound]) -> None:
        self._bounds = bounds
        self._flows: dict[bytes, dict[str, Flow]] = {}

    def takes(self, key: bytes, message: Message, now: float) -> bool:
        """True if a message from the side with this key is to be taken now; one that waits is returned by `due` later.
        Raises Refused for far too many."""
        bound = self._bounds.get(type(message))
        if bound is None:
            return True
        if key not in self._flows and len(self._flows) >= SIDES:
            self._flows = {one: flows for one, flows in self._flows.items() if not _all_quiet(flows, now)}
        flows = self._flows.setdefault(key, {})
        return flows.setdefault(bound.what, Flow(bound)).takes(message, now)

    def due(self, now: float) -> list[tuple[bytes, Message]]:
        """The waiting messages whose time has come, with the keys of their senders."""
        found = [(key, flow.due(now)) for key, flows in self._flows.items() for flow in flows.values()]
        return [(key, message) for key, message in found if message is not None]

    def dropped(self, now: float) -> list[tuple[bytes, str, int]]:
        """(sender's key, kind of message, count) of dropped messages; each is reported once."""
        found = [(key, what, flow.dropped(now)) for key, flows in self._flows.items() for what, flow in flows.items()]
        return [one for one in found if one[2]]

    def begin_link(self, key: bytes) -> None:
        """Drop what waits from the listener with this key, who has a new link."""
        for flow in self._flows.get(key, {}).values():
            flow.forget()

    def next_time(self) -> float:
        """When to look again; infinite if nothing is due."""
        return min([flow.next_time() for flows in self._flows.values() for flow in flows.values()], default=inf)


def left_out(name: str, what: str, count: int) -> Notice:
    """The notice for the player that messages were dropped. name: of the sender; what: the kind of message."""
    return Notice(f"{count} {what} from {name} skipped: too many at once.")


def _all_quiet(flows: Mapping[str, Flow], now: float) -> bool:
    """True if nothing waits in any of these flows."""
    return all(flow.quiet(now) for flow in flows.values())


# --- chat -------------------------------------------------------------------------------------------------------------


class Talk:
    """What is said at a table, as one side counts it."""

    def __init__(self) -> None:
        self._mine = 0
        self._slots = Slots(TALK.at_once, TALK.each)
        self._counts: dict[bytes, int] = {}  # by the author's key

    def say(self, author: int, arguments: Sequence[str]) -> Chat:
        """A chat line of the person at this end, as a message. author: their place in PEOPLE. Raises CommandError."""
        text = clean(" ".join(arguments), CHAT_SIZE)
        if not text:
            raise CommandError("Say what? For example: say hello")
        self._mine += 1
        return Chat(author, self._mine, text)

    def check_pace(self, now: float) -> None:
        """Count one more line of the person here. Raises CommandError if they say too much."""
        if not self._slots.acquire(now):
            raise CommandError("Slow down: that wasn't sent. Try again in a second.")

    def relay(self, said: Chat | Quick, author: int, key: bytes) -> Chat | Quick:
        """A guest's line as the others are sent it, with its author and number. author: their place in PEOPLE."""
        if isinstance(said, Quick):
            return Quick(author, said.phrase)
        self._counts[key] = self._counts.get(key, 0) + 1
        return Chat(author, self._counts[key], clean(said.text, CHAT_SIZE))

    def forget(self, key: bytes) -> None:
        """Forget the counts of somebody who has left."""
        self._counts.pop(key, None)


def heard(said: Chat | Quick, name: str, mine: bool = False) -> Effect:
    """Tell the person at this end about a chat line or phrase. mine: it is their own."""
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


def time_allowed(seconds: float, pace: float, size: int = ANSWER_SIZE) -> float:
    """Seconds that something may take which takes at most `seconds` on a fast line; on a slow one, four times what
    `size` bytes need is added. pace: seconds per byte."""
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
        """Note that something came over the link."""
        self.heard, self.spoken = now, True

    def ping_due(self, now: float) -> int | None:
        """The number of the ping to send now; None if none is due."""
        if self.pace or now < max(self.heard, self.pinged) + PING_AFTER:
            return None
        self.pinged = now
        self.number += 1
        return self.number

    def lost_at(self) -> float:
        """When the link counts as lost if nothing comes. On a slow line only until its first message: later the line
        itself notices."""
        if not self.pace:
            return self.heard + LOST_AFTER
        return inf if self.spoken else self.heard + time_allowed(FIRST_WORD, self.pace)

    def is_lost(self, now: float) -> bool:
        """True if nothing came for too long."""
        return now >= self.lost_at()

    def next_time(self) -> float:
        """When to look again."""
        return self.lost_at() if self.pace else min(max(self.heard, self.pinged) + PING_AFTER, self.lost_at())
