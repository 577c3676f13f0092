"""Who is at a coordinator's table, on which link, under which name; who is invited, and who is called again."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import inf

from p2pcards.session.effects import Close, Dial, Effect, PeerId, Send, Tell
from p2pcards.session.guest import Guest, GuestIdentity, GuestLink
from p2pcards.session.liveness import Pulse
from p2pcards.session.me import Me
from p2pcards.session.redial import Calling
from p2pcards.views.happenings import RedialAsked, RedialPlanned, Unreachable
from p2pcards.wire.clean import clean
from p2pcards.wire.header import MAX_SIDES, NAME
from p2pcards.wire.messages import Bye, Hello, Ping, encode_message
from p2pcards.wire.names import given_name, looks
from p2pcards.wire.reasons import ByeCode

MOST = MAX_SIDES - 1
"""Listeners at a table."""

TURNED_AWAY = {
    ByeCode.OTHER_VERSION: "speaks another version of the protocol; both need the same version of p2pcards",
    ByeCode.SAME_ROLE: "coordinates too; one of the two must listen",
    ByeCode.FULL: "cannot sit down: a coordinator and three listeners are the most",
}


@dataclass(frozen=True, slots=True)
class UngreetedLink:
    """A link on which HELLO was not said yet. address: where we called, "" if they called."""

    peer: PeerId
    key: bytes
    where: str
    address: str
    pulse: Pulse


class Attendance:
    """guests: in the order in which they came. invited: addresses that are being called, and whether a partner answers
    there."""

    def __init__(self) -> None:
        self.guests: list[Guest] = []
        self.invited: dict[str, bool] = {}
        self._ungreeted: dict[PeerId, UngreetedLink] = {}

    def ungreeted(self, peer: PeerId) -> UngreetedLink | None:
        return self._ungreeted.get(peer)

    def at(self, peer: PeerId) -> Guest | None:
        """The guest on this link."""
        return next((guest for guest in self.guests if guest.link and guest.link.peer == peer), None)

    def place(self, guest: Guest) -> int:
        """Their place in PEOPLE."""
        return 1 + self.guests.index(guest)

    def others(self, guest: Guest) -> list[Guest]:
        return [other for other in self.guests if other is not guest]

    def room(self, replace_absent: bool) -> int:
        """How many listeners may still sit down. replace_absent: whoever is away gives way."""
        return MOST - sum(guest.here or not replace_absent for guest in self.guests)

    # --- links --------------------------------------------------------------------------------------------------------

    def open(self, link: UngreetedLink) -> None:
        self._ungreeted[link.peer] = link

    def forget_link(self, peer: PeerId) -> UngreetedLink | None:
        """An ungreeted link has ended or was ended."""
        return self._ungreeted.pop(peer, None)

    def hear(self, peer: PeerId, now: float) -> None:
        """Something came over a link."""
        guest, ungreeted = self.at(peer), self.ungreeted(peer)
        if ungreeted:
            ungreeted.pulse.hear(now)
        elif guest and guest.link:
            guest.link.pulse.hear(now)

    # --- coming and going ---------------------------------------------------------------------------------------------

    def expect(self, guests: list[Guest]) -> None:
        """Those who were at the table before this side was started again."""
        self.guests = [guest for guest in guests if not guest.left]

    def known(self, key: bytes) -> Guest | None:
        return next((guest for guest in self.guests if guest.key == key), None)

    def seat(
        self, link: UngreetedLink, guest: Guest | None, hello: Hello, taken: Collection[str], me: Me, now: float
    ) -> tuple[Guest, list[Effect]]:
        """Somebody for whom there is room sits down, or comes back as the guest that they were. taken: names that
        nobody new is given, besides those of the guests. Whoever is away gives their place to somebody new where there
        is no other."""
        del self._ungreeted[link.peer]
        partner = self.invited.pop(link.address, False)
        if guest is None:
            name = self._free_name(given_name(hello.name), taken)
            (shown,) = me.shown([(link.key, name)])
            identity = GuestIdentity(link.key, name, clean(hello.character, NAME), shown, partner)
            guest = Guest(identity, link.address)
        if guest not in self.guests:
            if len(self.guests) >= MOST:
                self.guests.remove(next(other for other in self.guests if not other.here))
            self.guests.append(guest)
        return guest, guest.greet(GuestLink(link.peer, link.where, link.pulse), link.address, now)

    def _free_name(self, name: str, others: Collection[str]) -> str:
        """None that looks like another."""
        given = (*others, *[guest.identity.name for guest in self.guests])
        taken = frozenset[str]().union(*map(looks, given))
        name = name or "stranger"
        free = (f"{name[: NAME - 2]} {number}" for number in range(2, 9))
        return name if not looks(name) & taken else next(other for other in free if not looks(other) & taken)

    def turn_away(self, link: UngreetedLink, code: ByeCode, now: float) -> list[Effect]:
        """Somebody who cannot sit down here."""
        del self._ungreeted[link.peer]
        self.invited.pop(link.address, None)
        why = f"{link.where} {TURNED_AWAY[code]}"
        goodbye: list[Effect] = [Send(link.peer, encode_message(Bye(code))), Close(link.peer)]
        return [*goodbye, Tell(Unreachable(link.address or link.where, why)), *self._call_later(link.address, why, now)]

    def pair(self, partner: Guest | None) -> None:
        """This guest sits opposite the coordinator, and no other; None: nobody is to."""
        for guest in self.guests:
            guest.pair(guest is partner)

    def remove(self, guest: Guest) -> None:
        self.guests.remove(guest)

    def remove_absent(self) -> None:
        self.guests = [guest for guest in self.guests if guest.here]

    def clear(self) -> None:
        self.guests.clear()

    # --- calls --------------------------------------------------------------------------------------------------------

    def invite(self, address: str, partner: bool) -> list[Effect]:
        self.invited[address] = partner
        return [Dial(address)]

    def call_failed(self, address: str, why: str, now: float, again: bool = True) -> list[Effect]:
        effects = self._call_later(address, why, now, again)
        if self.invited.pop(address, None) is not None:
            effects.append(Tell(Unreachable(address, why)))
        return effects

    def _call_later(self, address: str, why: str, now: float, again: bool = True) -> list[Effect]:
        effects: list[Effect] = []
        for guest in self.guests:
            if guest.redial.address == address and guest.redial.calling is Calling.CALLING:
                guest.redial.failed(now, again)
                effects.append(Tell(RedialPlanned(guest.name, address, guest.redial.pause, why)))
        return effects

    # --- time ---------------------------------------------------------------------------------------------------------

    def silent_links(self, now: float) -> list[UngreetedLink]:
        """Those on which nothing was said for too long."""
        return [link for link in self._ungreeted.values() if link.pulse.is_lost(now)]

    def silent_guests(self, now: float) -> list[Guest]:
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
        return min(self._times(), default=inf)

    def _times(self) -> Iterator[float]:
        yield from (link.pulse.lost_at() for link in self._ungreeted.values())
        for guest in self.guests:
            if guest.link:
                yield guest.link.pulse.next_time()
            if guest.redial.calling is Calling.PAUSING:
                yield guest.redial.due
