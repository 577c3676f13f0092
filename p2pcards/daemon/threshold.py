"""Who comes in at the port of a table that waits: people we know, those who have the code, and others if we like."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

import trio

from p2pcards.control.exits import USAGE
from p2pcards.control.messages import Admission
from p2pcards.control.starting import Declined
from p2pcards.daemon.acquaintance import knows
from p2pcards.daemon.codes import LIFE, Codes
from p2pcards.links.link import Link
from p2pcards.links.pairing import code_is_proven
from p2pcards.store.home import Home
from p2pcards.views.happenings import CodeBurnt, CodeShown, Happening
from p2pcards.wire.messages import Bye, GiveCode, decode_message, encode_message
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.refused import Refused
from p2pcards.wire.spoken import Code

if TYPE_CHECKING:
    from p2pcards.links.channel import Channel


class Waiting(Protocol):
    """The table that waits, as `Runner` is it."""

    def has_room(self) -> bool: ...
    def tell(self, happening: Happening) -> None: ...
    async def serve(self, link: Link, address: str = "", proof: str = "") -> object: ...


class Threshold:
    """The threshold of one table.

    key: our own public key; admission: whom it lets in; where that is people we know alone, there is no code. Whoever
    is refused is told why in one BYE, and nothing else about us: not even a name.
    """

    def __init__(
        self,
        table: Waiting,
        home: Home,
        key: bytes,
        entropy: Callable[[int], bytes],
        admission: Admission,
    ) -> None:
        self._table = table
        self._home = home
        self._key = key
        self._require_code = admission.require_code
        self._codes = None if admission.known_only else Codes(entropy)
        self._proven: set[bytes] = set()  # by a code, at this table
        self._trying = 0
        self._arriving: set[Channel] = set()  # with the code, not at the table yet
        self._changed = trio.Event()
        if self._codes:
            self._codes.make(trio.current_time())

    @property
    def code(self) -> str:
        """The code that is good now, or ""."""
        return str(self._codes.code) if self._codes and self._codes.code else ""

    def show_code(self) -> None:
        """Tell the code, a new one if there is none. Raises Declined."""
        now = trio.current_time()
        if self._codes is None:
            raise Declined("This table takes only people you know, so it has no code.", USAGE)
        if self._codes.code is None and now < self._codes.ready_at(now):
            seconds = math.ceil(self._codes.ready_at(now) - now)
            raise Declined(f"There is no code just now; the next one comes in {seconds} s.", USAGE)
        if self._codes.code is None:
            self._codes.make(now)
            self.changed()
        self._tell_code()

    def changed(self) -> None:
        """Somebody has come to the table or left it."""
        self._changed.set()

    async def keep_codes(self) -> None:
        """As long as the table has room there is a code, as far as codes may be made."""
        codes = self._codes
        while codes is not None:
            self._changed = trio.Event()
            now = trio.current_time()
            if now >= codes.ends:
                codes.expire()
            coming = self._trying or self._arriving
            wanted = codes.code is None and not coming and self._table.has_room()
            if wanted and now >= codes.ready_at(now):
                codes.make(now)
                self._tell_code()
            with trio.move_on_at(codes.ready_at(now) if wanted and codes.code is None else codes.ends):
                await self._changed.wait()

    # --- who comes ----------------------------------------------------------------------------------------------------

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
        self._arriving.discard(channel)
        try:
            await self._table.serve(channel, proof="code" if proven else "")
        finally:
            self.changed()

    def _why_not(self, key: bytes) -> ByeCode | None:
        """The code of the BYE for somebody without a code, None if she may come in."""
        if not self._require_code and self._codes is not None:
            return None
        if key in self._proven or knows(self._home, key):
            return None
        return ByeCode.KNOWN_ONLY if self._codes is None else ByeCode.NEEDS_CODE

    async def _judge(self, channel: Channel, given: GiveCode) -> ByeCode | None:
        if self._codes is None:
            return self._why_not(channel.peer) or ByeCode.NO_CODE
        before = self._codes.code
        claimed = self._codes.claim(given.number, trio.current_time())
        if isinstance(claimed, ByeCode):
            if claimed is ByeCode.WRONG_CODE and before is not None:
                self._tell_burnt(before, channel.where)
            return claimed
        proven = False
        self._trying += 1
        try:
            proven = await code_is_proven(channel, given, claimed, self._key)
        finally:
            # Whoever breaks off has seen as much as a wrong guess shows.
            self._trying -= 1
            if proven:
                self._codes.used(claimed)
                self._proven.add(channel.peer)
                self._arriving.add(channel)
            else:
                self._codes.burn(claimed, trio.current_time())
                self._tell_burnt(claimed, channel.where)
        return None if proven else ByeCode.WRONG_CODE

    # --- what our player is told --------------------------------------------------------------------------------------

    def _tell_code(self) -> None:
        self._table.tell(CodeShown(code=self.code, seconds=LIFE))

    def _tell_burnt(self, code: Code, where: str) -> None:
        assert self._codes is not None
        now = trio.current_time()
        seconds = max(0.0, self._codes.ready_at(now) - now)
        self._table.tell(CodeBurnt(code=str(code), where=where, seconds=seconds))
        self.changed()
