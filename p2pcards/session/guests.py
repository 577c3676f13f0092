"""Who is at a coordinator's table besides the coordinator: on which link, under which name; who is invited, and who is
called again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import count
from math import inf

from p2pcards.session.bounds import Pulse
from p2pcards.session.doubt import StandingNow, stranger
from p2pcards.session.effects import Close, Dial, Effect, Me, PeerId, Send, Tell
from p2pcards.session.presence import PRESENCE, Presence, PresenceStep, is_here
from p2pcards.views.happenings import RedialAsked, RedialPlanned, Unreachable
from p2pcards.wire.address import is_telephone
from p2pcards.wire.clean import clean
from p2pcards.wire.messages import Bye, Hello, Message, Ping, encode_message
from p2pcards.wire.names import given_name, looks
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.records import MAX_SIDES, NAME

# --- calling again somebody whose link was lost -----------------------------------------------------------------------


FIRST, SEEN, LONGEST = 1.0, 4.0, 30.0
"""Seconds between two calls, the least and the most; and the most where their machine answers, on which nobody listens
as yet: their program may be started at any moment, and a call that is refused at once costs nothing."""
HELD = 10.0
"""Seconds after which a link was one that held."""


class Calling(StrEnum):
    QUIET = "quiet"  # nobody is called: there is a link, no address, or no sense in it
    PAUSING = "pausing"  # a call follows when the pause is over
    ASKING = "asking"  # a telephone, which costs money: the person here has to agree
    CALLING = "calling"


class CallStep(StrEnum):
    LOST = "the link is lost"
    OVER = "the pause is over"
    OVER_ON_TELEPHONE = "the pause is over, and nobody has agreed"
    AGREED = "the person here agrees, or gives a new address"
    FAILED = "the call fails"
    ANSWERED = "somebody answers"
    STOPPED = "it makes no sense any more"


REDIAL: dict[tuple[Calling, CallStep], Calling] = {
    (Calling.QUIET, CallStep.LOST): Calling.PAUSING,
    (Calling.PAUSING, CallStep.OVER): Calling.CALLING,
    (Calling.PAUSING, CallStep.OVER_ON_TELEPHONE): Calling.ASKING,
    **{(calling, CallStep.AGREED): Calling.CALLING for calling in Calling},
    (Calling.CALLING, CallStep.FAILED): Calling.PAUSING,
    **{(calling, CallStep.ANSWERED): Calling.QUIET for calling in Calling},
    **{(calling, CallStep.STOPPED): Calling.QUIET for calling in Calling},
}


class Redial:
    """One address. due: when the pause is over, in seconds; consent: the person here has agreed to calls of this
    telephone in this game. Without an address nobody is ever called."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.calling = Calling.QUIET
        self.due = 0.0
        self.pause = 0.0
        self._consent = False
        self._answered = 0.0
        self._useful = False

    def is_due(self, now: float) -> bool:
        """True if the pause is over."""
        return self.calling is Calling.PAUSING and now >= self.due

    def next_call(self) -> float | None:
        """When the next call is due, None for never."""
        return self.due if self.calling is Calling.PAUSING else None

    def call(self) -> bool:
        """End the pause; True to call now, False if the person here has to agree first."""
        free = self._consent or not is_telephone(self.address)
        self._step(CallStep.OVER if free else CallStep.OVER_ON_TELEPHONE)
        return free

    def restart(self, now: float) -> None:
        """Call as soon as possible, after a restart of this side."""
        if self.address:
            self._step(CallStep.LOST)
            self.due = now

    def lost(self, now: float, behaved: bool = True) -> None:
        """The link is lost: plan a call. behaved: the other side did not break the protocol."""
        if not self.address:
            return
        good = behaved and (self._useful or now - self._answered >= HELD)
        self._step(CallStep.LOST)
        self._wait(now, FIRST if good else self._next_pause())

    def useful(self) -> None:
        """Note that the link has brought the game forward, so that pauses are short again."""
        self._useful = True

    def failed(self, now: float, again: bool = True, there: bool = False) -> None:
        """A call failed: plan the next. again: no new consent is needed; there: their machine was seen."""
        if self.calling is Calling.CALLING:
            self._consent = self._consent and again
            self._step(CallStep.FAILED)
            self._wait(now, min(self._next_pause(), SEEN if there else LONGEST))

    def agree(self) -> None:
        """The person here agrees to further calls of this number."""
        self._consent = True
        self._step(CallStep.AGREED)

    def move(self, address: str) -> None:
        """Call another address from now on."""
        self.address = address
        self._step(CallStep.AGREED)

    def answered(self, now: float, address: str = "") -> None:
        """There is a link again. address: where we called, "" if they called."""
        self.address = address or self.address
        self._answered, self._useful = now, False
        self._step(CallStep.ANSWERED)

    def stop(self) -> None:
        """Never call again."""
        self._step(CallStep.STOPPED)

    def _next_pause(self) -> float:
        """Seconds to pause before the call after the next: twice as long, up to a limit."""
        return min(max(self.pause * 2, FIRST), LONGEST)

    def _wait(self, now: float, pause: float) -> None:
        """Pause for so many seconds before the next call."""
        self.pause, self.due = pause, now + pause

    def _step(self, step: CallStep) -> None:
        """Follow the table `REDIAL`."""
        self.calling = REDIAL[self.calling, step]


# --- somebody at a coordinator's table besides the coordinator --------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GuestIdentity:
    key: bytes
    name: str  # at the table
    character: str
    shown: str  # the name as the player at this end sees it
    partner: bool = False  # to sit opposite the coordinator


@dataclass(frozen=True, slots=True)
class GuestLink:
    peer: PeerId
    where: str
    pulse: Pulse


@dataclass(frozen=True, slots=True)
class UngreetedLink:
    """A link on which no HELLO has come yet."""

    peer: PeerId
    key: bytes
    where: str
    address: str  # the one that was called; "" if the other end called
    pulse: Pulse
    standing: StandingNow = stranger  # how well the player knows the person at the other end


class Guest:
    """link: None while they are away. where: the other end of it, or of the last one. lost_at: when the last one ended
    on which they had every record, in seconds. standing: how well our player knows them."""

    def __init__(self, identity: GuestIdentity, address: str, presence: Presence = Presence.INVITED) -> None:
        self.identity = identity
        self.presence = presence
        self.link: GuestLink | None = None
        self.redial = Redial(address)
        self.where = address
        self.lost_at = 0.0
        self.standing: StandingNow = stranger

    @property
    def key(self) -> bytes:
        """The public key."""
        return self.identity.key

    @property
    def name(self) -> str:
        """The guest's name as shown here."""
        return self.identity.shown

    @property
    def here(self) -> bool:
        """True if the guest has a greeted link."""
        return is_here(self.presence)

    @property
    def complete(self) -> bool:
        """True if the guest has every record."""
        return self.presence is Presence.AT_THE_TABLE

    @property
    def left(self) -> bool:
        """True if the guest has left for good."""
        return self.presence is Presence.LEFT

    @property
    def looks_on(self) -> bool:
        """True if the guest only watches the game in progress, or the last one."""
        return self.presence is Presence.LOOKING_ON

    @property
    def pace(self) -> float:
        """Seconds per byte on the guest's line; 0 on a fast one."""
        return self.link.pulse.pace if self.link else 0.0

    # --- what changes -------------------------------------------------------------------------------------------------

    def greet(self, link: UngreetedLink, now: float) -> list[Effect]:
        """HELLO came on a link of this guest, which replaces an older one."""
        self._note_lost(now)
        effects = self.hang_up(ByeCode.REPLACED)
        self.link, self.where = GuestLink(link.peer, link.where, link.pulse), link.where
        self.standing = link.standing
        self.redial.answered(now, link.address)
        self.step(PresenceStep.HELLO)
        return effects

    def step(self, step: PresenceStep) -> None:
        """Follow the table `PRESENCE` for HEADER, RESUME, COMPLETE or LOOK_ON."""
        self.presence = PRESENCE[self.presence, step]

    def pair(self, partner: bool) -> None:
        """Set whether the guest partners the coordinator from the next game on."""
        self.identity = replace(self.identity, partner=partner)

    def lose(self, now: float, behaved: bool = True) -> None:
        """The guest's link is lost; they are called again if there is an address. behaved: they did not break the
        protocol."""
        self._note_lost(now)
        self.link = None
        self.step(PresenceStep.LOST)
        if not self.left:
            self.redial.lost(now, behaved)

    def _note_lost(self, now: float) -> None:
        # A guest whose log was never complete on this link was not back.
        if self.complete:
            self.lost_at = now

    def leave(self, now: float) -> None:
        """The guest leaves for good and is not called again."""
        self._note_lost(now)
        self.link = None
        self.redial.stop()
        self.step(PresenceStep.LEAVES)

    def expect(self, now: float) -> None:
        """Call the guest as soon as possible, since this side was restarted."""
        self.lost_at = now
        if not self.left:
            self.redial.restart(now)

    # --- what they are sent -------------------------------------------------------------------------------------------

    def send(self, message: Message) -> list[Effect]:
        """Send the guest a message if they are here."""
        return [Send(self.link.peer, encode_message(message))] if self.link else []

    def hang_up(self, code: ByeCode) -> list[Effect]:
        """Say BYE to the guest and close the link, if there is one."""
        return [*self.send(Bye(code)), Close(self.link.peer)] if self.link else []


# --- who is at a coordinator's table, on which link, under which name -------------------------------------------------


MOST = MAX_SIDES - 1
"""Listeners at a table."""

NO_ROOM = "can't join: the table is full (four players)"


def free_name(name: str, given: Collection[str]) -> str:
    """This name, with a number if it looks like one of those given already."""
    taken = frozenset[str]().union(*map(looks, given))
    name = name or "stranger"
    free = (f"{name[: NAME - 1 - len(str(number))]} {number}" for number in count(2))
    return name if not looks(name) & taken else next(other for other in free if not looks(other) & taken)


class Attendance:
    """guests: in the order in which they came. invited: addresses that are being called, and whether a partner answers
    there."""

    def __init__(self) -> None:
        self.guests: list[Guest] = []
        self.invited: dict[str, bool] = {}
        self._ungreeted: dict[PeerId, UngreetedLink] = {}

    def ungreeted(self, peer: PeerId) -> UngreetedLink | None:
        """The link of this peer if no HELLO has come on it, else None."""
        return self._ungreeted.get(peer)

    def guest_at(self, peer: PeerId) -> Guest | None:
        """The guest on this link, None if there is none."""
        for guest in self.guests:
            if guest.link and guest.link.peer == peer:
                return guest
        return None

    def place(self, guest: Guest) -> int:
        """The guest's place in the PEOPLE message."""
        return 1 + self.guests.index(guest)

    def others(self, guest: Guest) -> list[Guest]:
        """All guests but this one."""
        return [other for other in self.guests if other is not guest]

    # --- links --------------------------------------------------------------------------------------------------------

    def add_ungreeted(self, link: UngreetedLink) -> None:
        """Keep a new link on which HELLO is still to come."""
        self._ungreeted[link.peer] = link

    def forget_link(self, peer: PeerId) -> UngreetedLink | None:
        """Forget an ungreeted link that has ended; returns it."""
        return self._ungreeted.pop(peer, None)

    # --- coming and going ---------------------------------------------------------------------------------------------

    def expect(self, guests: list[Guest]) -> None:
        """Add the guests of a game that is resumed after a restart."""
        self.guests = [guest for guest in guests if not guest.left]

    def guest_with_key(self, key: bytes) -> Guest | None:
        """The guest with this public key, None if there is none."""
        return next((guest for guest in self.guests if guest.key == key), None)

    def seat(
        self, link: UngreetedLink, guest: Guest | None, hello: Hello, taken: Collection[str], me: Me, now: float
    ) -> tuple[Guest, list[Effect]]:
        """Seat a newcomer, or an old guest again; returns the guest and the effects. taken: names not to be given to
        newcomers, besides the guests' own."""
        del self._ungreeted[link.peer]
        partner = self.invited.pop(link.address, False)
        if guest is None:
            name = free_name(given_name(hello.name), (*taken, *[one.identity.name for one in self.guests]))
            (shown,) = me.shown([(link.key, name)])
            identity = GuestIdentity(link.key, name, clean(hello.character, NAME), shown, partner)
            guest = Guest(identity, link.address)
        if guest not in self.guests:
            self.guests.append(guest)
        return guest, guest.greet(link, now)

    def turn_away(self, link: UngreetedLink, bye: Bye, why: str, now: float) -> list[Effect]:
        """Send a caller away who cannot sit down here. why: the end of a sentence for our player."""
        del self._ungreeted[link.peer]
        self.invited.pop(link.address, None)
        why = f"{link.where} {why}"
        goodbye: list[Effect] = [Send(link.peer, encode_message(bye)), Close(link.peer)]
        return [*goodbye, Tell(Unreachable(link.address or link.where, why)), *self._call_later(link.address, why, now)]

    def pair(self, partner: Guest | None) -> None:
        """Make this guest the coordinator's only partner; None: no guest is."""
        for guest in self.guests:
            guest.pair(guest is partner)

    def remove(self, guest: Guest) -> None:
        self.guests.remove(guest)

    def remove_all(self) -> None:
        self.guests.clear()

    # --- calls --------------------------------------------------------------------------------------------------------

    def invite(self, address: str, partner: bool) -> list[Effect]:
        """Call an address. partner: who answers is to be the coordinator's partner."""
        self.invited[address] = partner
        return [Dial(address)]

    def call_failed(self, address: str, why: str, now: float, again: bool = True, there: bool = False) -> list[Effect]:
        """A call failed: plan another for a guest who was lost, and tell our player of a failed invitation."""
        effects = self._call_later(address, why, now, again, there)
        if self.invited.pop(address, None) is not None:
            effects.append(Tell(Unreachable(address, why)))
        return effects

    def _call_later(self, address: str, why: str, now: float, again: bool = True, there: bool = False) -> list[Effect]:
        """Plan another call for the guests that were called at this address."""
        effects: list[Effect] = []
        for guest in self.guests:
            if guest.redial.address == address and guest.redial.calling is Calling.CALLING:
                guest.redial.failed(now, again, there)
                effects.append(Tell(RedialPlanned(guest.name, address, guest.redial.pause, why)))
        return effects

    # --- time ---------------------------------------------------------------------------------------------------------

    def silent_links(self, now: float) -> list[UngreetedLink]:
        """The ungreeted links on which nothing came for too long."""
        return [link for link in self._ungreeted.values() if link.pulse.is_lost(now)]

    def silent_guests(self, now: float) -> list[Guest]:
        """The guests from whom nothing came for too long."""
        return [guest for guest in self.guests if guest.link and guest.link.pulse.is_lost(now)]

    def tick(self, now: float) -> list[Effect]:
        """Pings, and calls of those who were lost."""
        effects: list[Effect] = []
        for guest in self.guests:
            number = guest.link.pulse.ping_due(now) if guest.link else None
            effects += [] if number is None else guest.send(Ping(number))
            if guest.redial.is_due(now):
                address = guest.redial.address
                called = guest.redial.call()
                effects.append(Dial(address, guest.key) if called else Tell(RedialAsked(guest.name, address)))
        return effects

    def next_time(self) -> float:
        """When to look again."""
        times = [link.pulse.lost_at() for link in self._ungreeted.values()]
        for guest in self.guests:
            if guest.link:
                times.append(guest.link.pulse.next_time())
            if guest.redial.calling is Calling.PAUSING:
                times.append(guest.redial.due)
        return min(times, default=inf)
