"""Calling somebody: from a name or an address as a person writes it, to a channel with the identity that is known
there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

import trio

from p2pcards.control.exits import NETWORK, REFUSED, STORAGE, USAGE
from p2pcards.control.messages import Serial
from p2pcards.daemon.lines import LineFailed, Tell, call_line, deadline, setup_of
from p2pcards.daemon.reach import NoReach, Reach, reach_of
from p2pcards.links.address import (
    BadAddress,
    canonical,
    format_address,
    lasting,
    meeting_number,
    parse_address,
    parse_web,
    text_of_link,
)
from p2pcards.links.channel import Channel, ChannelRefused, NotOurs, Ourselves, WrongKey, open_channel
from p2pcards.links.link import Line, LinkLost, Prompt
from p2pcards.links.modem.calls import untold
from p2pcards.links.modem.hayes import from_inside, is_emergency
from p2pcards.links.pairing import CodeRefused, prove_code
from p2pcards.links.tcp import CannotConnect, connect
from p2pcards.links.via import connect_via
from p2pcards.session.effects import CommandError
from p2pcards.store.files import Home, StoreError
from p2pcards.store.identity import KeyChanged, address_of, by_address, by_key, load_peers
from p2pcards.store.settings import usable_settings
from p2pcards.views.tableview import Command
from p2pcards.wire.address import (
    CABLE,
    TELEPHONE,
    WEBSOCKET,
    goes_over_serial_line,
    invitation_in,
    is_cable,
    is_meeting,
    is_onion,
    is_telephone,
    is_web,
    meeting_address_of,
)
from p2pcards.wire.keys import PrivateKey, public_bytes
from p2pcards.wire.spoken import BadCode, Code, looks_like_code, read_code

# --- whom we call -----------------------------------------------------------------------------------------------------


class Invitations:
    """Those of one table."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._codes: dict[str, Code] = {}  # by address

    def invite(self, whom: str, code: str) -> str:
        """The address of `whom`: a name, an address or a link. code: kept for the call; "" for none or that of the
        link. Raises CommandError."""
        address, linked = text_of_link(address_of(load_peers(self._home), whom))
        code = code or linked
        try:
            if code:
                self._codes[address] = read_code(code)
        except BadCode as bad:
            raise CommandError(str(bad)) from None
        return address

    def without_code(self, command: Command) -> Command:
        """An `invite` command with the address of the person named, and without the code, which is kept for the call.
        Raises CommandError."""
        if not command.arguments:
            return command
        whom, *more = command.arguments
        code = next((word for word in more if looks_like_code(word)), "")
        return Command("invite", (self.invite(whom, code), *[word for word in more if not looks_like_code(word)]))

    def code_for(self, address: str) -> Code | None:
        """The code kept for a call to this address, which is forgotten."""
        return self._codes.pop(address, None)


# --- calling somebody -------------------------------------------------------------------------------------------------


EMERGENCY = (
    "{number} is an emergency number, so it isn't dialed. If it really is your friend's, enter it twice with: "
    "p2pcards dial"
)

CallWeb = Callable[[str, float], Awaitable[trio.abc.Stream]]
"""As `over_web`; a page does it in its browser's way."""


async def over_web(address: str, deadline: float) -> trio.abc.Stream:
    """Connect by `connect_websocket`, whose libraries few daemons need and so are imported here."""
    from p2pcards.links.websocket import connect_websocket

    return await connect_websocket(address, deadline)


ANSWERER = "the other side"
"""For people."""

NOT_THE_INVITER = (
    "Someone else answered this link, so your program hung up. Ask your friend whether their table is still open."
)

CONNECT_DEADLINE = 10.0
CHANNEL_DEADLINE = 10.0


class NotReached(Exception):
    """Nobody was reached; the argument is a sentence, code one of `exits`. again: it may be tried again; there: their
    machine is, so they may be back soon."""

    def __init__(self, sentence: str, code: int, again: bool = True, there: bool = False) -> None:
        super().__init__(sentence)
        self.code = code
        self.again = again
        self.there = there


class CodeNotTaken(NotReached):
    """The peer refuses the code. key: the peer's."""

    def __init__(self, sentence: str, key: bytes) -> None:
        super().__init__(sentence, REFUSED)
        self.key = key


@dataclass(frozen=True, slots=True)
class Caller:
    """Makes calls from this home."""

    home: Home
    identity: PrivateKey
    via: str = ""  # command that carries the connections; "" for TCP
    serial: Serial = field(default_factory=Serial)  # the device for telephone numbers
    call_web: CallWeb = over_web  # opens WebSockets
    reach: Reach | None = None  # the meeting points; None if there are none

    async def call(
        self,
        address: str,
        key: bytes | None,
        *,
        nursery: trio.Nursery,
        code: Code | None = None,
        tell: Tell,
        trace: Tell = untold,
    ) -> Channel:
        """A channel to the one at `address`. key: who has to be there; None: the one who was there the last time,
        and anybody if nobody was. nursery: of what carries it. code: what both have to prove, if there is one. tell: is
        told about the progress of a call on a slow line; trace: takes what is said to a modem, and what it says.

        Raises NotReached, and CodeNotTaken where it is the code that is refused.
        """
        try:
            there = canonical(address)
            if is_meeting(there):
                return await self._meet(there, key, code, tell)
            known = None if key else by_address(load_peers(self.home), lasting(there))
            pin = key or (known.key if known else None)
            try:
                stream, line = await self._connect_to(there, nursery, tell, trace)
            except CannotConnect:
                # Whoever calls through Tor shows no broker an address.
                if pin is None or is_onion(there) or not self._may_meet:
                    raise
                tell(f"No answer from {there}. Trying the meeting points ...")
                return await self._meet(meeting_address_of(pin), pin, None, tell)
            patience = deadline(line.rate) if line else CHANNEL_DEADLINE
            channel = await open_channel(
                stream, initiator=True, identity=self.identity, pin=pin, where=there, deadline=patience, line=line
            )
            if code is not None:
                await _prove_code(channel, code, self.identity, patience)
            return channel
        except LineFailed as failed:
            raise NotReached(str(failed), failed.code, failed.again) from None
        except NoReach as why:
            raise NotReached(str(why), USAGE, again=False) from None
        except _WrongAnswer as wrong_one:
            raise wrong_one.why from None
        except WrongKey as wrong:
            raise NotReached(_wrong_key_sentence(self.home, wrong), REFUSED) from None
        except (Ourselves, BadAddress) as mistake:
            raise NotReached(str(mistake), USAGE) from None
        except NotOurs as refused:
            raise NotReached(str(refused), REFUSED) from None
        except (ChannelRefused, CannotConnect) as failed:
            there_is = isinstance(failed, CannotConnect) and failed.there
            raise NotReached(str(failed), NETWORK, there=there_is) from None
        except StoreError as error:
            raise NotReached(error.with_advice, STORAGE) from None

    async def _meet(self, there: str, key: bytes | None, code: Code | None, tell: Tell) -> Channel:
        """A channel at a meeting point. A peer whose key is known is called as a friend."""
        number, invited = meeting_number(there), invitation_in(there)
        if key is None and not number and not invited:
            key = self._key_of(there)
        if key is None and code is None and not invited:
            raise NotReached("That's only the code's number. Enter the whole code: p2pcards join CODE", USAGE, False)
        assert self.reach is not None, "a daemon has it"

        async def attempt(stream: Prompt) -> Channel:
            """Open the channel on a stream to one who answered, and prove identity and code. Raises _WrongAnswer and
            others."""
            channel = await open_channel(
                stream, initiator=True, identity=self.identity, pin=key, where=ANSWERER, deadline=CHANNEL_DEADLINE
            )
            if invited and not invited.comes_from(channel.peer):
                await channel.aclose()
                raise _WrongAnswer(NotReached(NOT_THE_INVITER, REFUSED))
            if code is not None:
                try:
                    await _prove_code(channel, code, self.identity, CHANNEL_DEADLINE)
                except NotReached as why:
                    raise _WrongAnswer(why) from None
            return channel

        async with self.reach.held(tell) as brokers:
            from p2pcards.daemon.rendezvous import place_of_call
            from p2pcards.links.meeting import call_at

            return await call_at(brokers.point, place_of_call(self.identity, key, number, invited), attempt)

    @property
    def _may_meet(self) -> bool:
        """True if meeting points may be used unasked; a page uses them only where its player wants that."""
        if self.reach is None or self.reach.in_page:
            return False
        return reach_of(usable_settings(self.home).settings) == "on"

    def _key_of(self, there: str) -> bytes:
        """The key of the friend at this `meet:` address. Raises NotReached and StoreError."""
        peers = load_peers(self.home)
        found = next((peer.key for peer in peers if meeting_address_of(peer.key) == there), None)
        if found is None:
            raise NotReached(
                f"You don't know anyone at {there}. Meet once with a code: p2pcards join CODE", USAGE, False
            )
        return found

    async def _connect_to(
        self, there: str, nursery: trio.Nursery, tell: Tell, trace: Tell
    ) -> tuple[trio.abc.Stream, Line | None]:
        """A stream to an address, and the slow line that carries it if there is one. Raises what `call` turns into
        sentences."""
        if goes_over_serial_line(there):
            device = there.removeprefix(CABLE) if is_cable(there) else self.serial.device
            number = there.removeprefix(TELEPHONE) if is_telephone(there) else ""
            if is_emergency(number) and not self.serial.emergency:
                raise LineFailed(EMERGENCY.format(number=number), USAGE, again=False)
            setup = setup_of(replace(self.serial, device=device), usable_settings(self.home).settings)
            dialled = from_inside(number, setup.prefix) if number else ""
            if is_emergency(dialled) and not self.serial.emergency:
                raise LineFailed(EMERGENCY.format(number=dialled), USAGE, again=False)
            made = await call_line(there, dialled, setup, nursery=nursery, tell=tell, trace=trace)
            return made.stream, made.line
        if is_web(there):
            return await self._connect_over_web(there, nursery), None
        host, port = parse_address(there)
        if self.via:
            return await connect_via(self.via, host, port, nursery=nursery), None
        if is_onion(there):
            from p2pcards.links.onion import connect_onion, tor_at

            return await connect_onion(host, port, tor_at(usable_settings(self.home).settings.tor)), None
        if self.reach is not None and self.reach.in_page:  # a browser has no TCP
            return await self._connect_over_web(f"{WEBSOCKET}{format_address(host, port)}", nursery), None
        return await connect(host, port, deadline=CONNECT_DEADLINE), None

    async def _connect_over_web(self, there: str, nursery: trio.Nursery) -> trio.abc.Stream:
        """A stream over a WebSocket, through the `--via` command if there is one."""
        if not self.via:
            return await self.call_web(there, CONNECT_DEADLINE)
        web = parse_web(there)
        carried = await connect_via(self.via, web.host, web.port, nursery=nursery)
        from p2pcards.links.websocket import open_websocket

        return await open_websocket(carried, web, deadline=CONNECT_DEADLINE)


class _WrongAnswer(ChannelRefused):
    """Who answered at a meeting point is not the one; why: what a call to them alone would have raised."""

    def __init__(self, why: NotReached) -> None:
        super().__init__(str(why))
        self.why = why


async def _prove_code(channel: Channel, code: Code, identity: PrivateKey, patience: float) -> None:
    """Prove the code on a new channel, both ways. Raises NotReached, the channel closed."""
    try:
        with trio.fail_after(patience):
            await prove_code(channel, code, public_bytes(identity))
    except BaseException as failed:
        await channel.aclose()
        if isinstance(failed, CodeRefused) and failed.said is not None:
            raise CodeNotTaken(str(failed), channel.peer) from None
        if isinstance(failed, CodeRefused):
            raise NotReached(str(failed), REFUSED) from None
        if not isinstance(failed, LinkLost | trio.TooSlowError):
            raise
        why = str(failed) if isinstance(failed, LinkLost) else f"{channel.where} didn't confirm the code."
        raise NotReached(f"{why} The code may not work anymore, so ask for the new one.", NETWORK) from None


def _wrong_key_sentence(home: Home, wrong: WrongKey) -> str:
    """The sentence for a peer that answered with another key than the one we know."""
    try:
        known = by_key(load_peers(home), wrong.pin)
    except StoreError:
        known = None
    return KeyChanged(known, wrong.seen).with_advice if known else str(wrong)
