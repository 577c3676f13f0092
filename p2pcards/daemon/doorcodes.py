"""The code of a table that waits, as its player sees it: there is one while somebody may still sit down."""

from __future__ import annotations

import math
from collections.abc import Callable

import trio

from p2pcards.control.declined import Declined
from p2pcards.control.exits import USAGE
from p2pcards.daemon.bell import Bell
from p2pcards.daemon.codes import LIFE, Codes
from p2pcards.views.happenings import CodeBurnt, CodeShown, Happening
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.spoken import Code


class DoorCodes:
    """Those of one table.

    codes: None where only people we know come in. has_room: whether somebody may still sit down; changed: rings when
    that may have become otherwise. tell: shows it to our player.
    """

    def __init__(
        self,
        codes: Codes | None,
        has_room: Callable[[], bool],
        changed: Bell,
        tell: Callable[[Happening], None],
    ) -> None:
        self._codes = codes
        self._has_room = has_room
        self._changed = changed
        self._tell = tell
        self._coming = 0  # those who have named the code and are not at the table yet
        if codes:
            codes.make(trio.current_time())

    @property
    def code(self) -> str:
        """The code that is good now, or ""."""
        return str(self._codes.code) if self._codes and self._codes.code else ""

    def show(self) -> None:
        """Tell the code, a new one if there is none. Raises Declined."""
        now = trio.current_time()
        if self._codes is None:
            raise Declined("This table takes only people you know, so it has no code.", USAGE)
        if self._codes.code is None and now < self._codes.ready_at(now):
            seconds = math.ceil(self._codes.ready_at(now) - now)
            raise Declined(f"There is no code just now; the next one comes in {seconds} s.", USAGE)
        if self._codes.code is None:
            self._codes.make(now)
            self._changed.ring()
        self._show()

    async def keep(self) -> None:
        """As long as the table has room there is a code, as far as codes may be made."""
        codes = self._codes
        while codes is not None:
            now = trio.current_time()
            if now >= codes.ends:
                codes.expire()
            wanted = codes.code is None and not self._coming and self._has_room()
            if wanted and now >= codes.ready_at(now):
                codes.make(now)
                self._show()
            with trio.move_on_at(codes.ready_at(now) if wanted and codes.code is None else codes.ends):
                await self._changed.wait()

    # --- somebody who names the code ----------------------------------------------------------------------------------

    def claim(self, number: int, where: str) -> Code | ByeCode:
        """The code for one exchange, after which `prove` says how it went; or the code of the BYE that says why not.
        where: the address of whoever names it."""
        if self._codes is None:
            return ByeCode.NO_CODE
        before = self._codes.code
        claimed = self._codes.claim(number, trio.current_time())
        if isinstance(claimed, ByeCode):
            if claimed is ByeCode.WRONG_CODE and before is not None:
                self._show_burnt(self._codes, before, where)
        else:
            self._coming += 1
        return claimed

    def prove(self, code: Code, proven: bool, where: str) -> None:
        """How an exchange went. Whoever has proven the code is awaited until they have `arrived`."""
        assert self._codes is not None
        if proven:
            self._codes.used(code)
        else:
            self._coming -= 1
            self._codes.burn(code, trio.current_time())
            self._show_burnt(self._codes, code, where)

    def arrived(self) -> None:
        """Whoever has proven the code comes to the table now."""
        self._coming -= 1

    def left(self) -> None:
        """Somebody who had come in is gone again, or was not taken at the table."""
        self._changed.ring()

    # --- what our player is told --------------------------------------------------------------------------------------

    def _show(self) -> None:
        self._tell(CodeShown(code=self.code, seconds=LIFE))

    def _show_burnt(self, codes: Codes, code: Code, where: str) -> None:
        now = trio.current_time()
        self._tell(CodeBurnt(code=str(code), where=where, seconds=max(0.0, codes.ready_at(now) - now)))
        self._changed.ring()
