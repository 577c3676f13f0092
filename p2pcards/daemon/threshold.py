"""Who comes in where a table waits: people we know, those who have the code, and others if we like."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from p2pcards.control.messages import Admission
from p2pcards.daemon.acquaintance import knows
from p2pcards.daemon.doorcodes import DoorCodes
from p2pcards.links.channel import Channel
from p2pcards.links.pairing import code_is_proven
from p2pcards.store.home import Home
from p2pcards.wire.messages import Bye, GiveCode, decode_message, encode_message
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.refused import Refused

Serve = Callable[[Channel, str], Awaitable[object]]


class Threshold:
    """The threshold of one table.

    key: our own public key. serve: takes whoever came in to the table, until the link is over, and is told "code" if
    they have just proven one, else "". Whoever is refused is told why in one BYE, and nothing else about us: not even
    a name.
    """

    def __init__(self, home: Home, key: bytes, admission: Admission, codes: DoorCodes, serve: Serve) -> None:
        self._home = home
        self._key = key
        self._admission = admission
        self._codes = codes
        self._serve = serve
        self._proven: set[bytes] = set()  # by a code, at this table
        self._arriving: set[Channel] = set()  # with the code, not at the table yet

    async def admit(self, channel: Channel) -> bool:
        """Whether this one comes in; who does not is told so, and the channel is closed. Raises LinkLost."""
        message = await channel.receive()
        try:
            said = decode_message(message)
        except Refused:
            said = None  # the table refuses it, if it comes so far
        if isinstance(said, GiveCode):
            why = await self._judge(channel, said)
        else:
            why = self._why_not(channel.peer)
            channel.put_back(message)
        if why is None:
            return True
        await channel.send(encode_message(Bye(why)))
        await channel.aclose()
        return False

    async def arrived(self, channel: Channel) -> None:
        """Somebody who was admitted."""
        proven = channel in self._arriving
        if proven:
            self._arriving.discard(channel)
            self._codes.arrived()
        try:
            await self._serve(channel, "code" if proven else "")
        finally:
            self._codes.left()

    def _why_not(self, key: bytes) -> ByeCode | None:
        """The code of the BYE for somebody without a code, None if they may come in."""
        if not (self._admission.require_code or self._admission.known_only):
            return None
        if key in self._proven or knows(self._home, key):
            return None
        return ByeCode.KNOWN_ONLY if self._admission.known_only else ByeCode.NEEDS_CODE

    async def _judge(self, channel: Channel, given: GiveCode) -> ByeCode | None:
        if self._admission.known_only:
            return self._why_not(channel.peer) or ByeCode.NO_CODE
        claimed = self._codes.claim(given.number, channel.where)
        if isinstance(claimed, ByeCode):
            return claimed
        proven = False
        try:
            proven = await code_is_proven(channel, given, claimed, self._key)
        finally:
            # Whoever breaks off has seen as much as a wrong guess shows.
            self._codes.prove(claimed, proven, channel.where)
        if not proven:
            return ByeCode.WRONG_CODE
        self._proven.add(channel.peer)
        self._arriving.add(channel)
        return None
