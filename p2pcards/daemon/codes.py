"""The codes of a table that waits: one at a time, each good for one use and ten minutes, and not too many."""

from __future__ import annotations

import math
from collections import OrderedDict, deque
from collections.abc import Callable

from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.spoken import NUMBERS, Code, make_code

LIFE = 600.0
HOUR = 3600.0
MOST = 20
"""Codes within an hour."""

PAUSES = (1.0, 5.0, 25.0)
"""Seconds without a code after the first, second and every further wrong guess within an hour."""

REMEMBERED = 40
"""How many past codes are remembered, with what became of them."""


class Codes:
    """No clock: each method is told what time it is, in seconds. entropy(n): n random bytes. code: the one that is good
    now, if there is one; ends: when it expires."""

    def __init__(self, entropy: Callable[[int], bytes]) -> None:
        self.code: Code | None = None
        self.ends = math.inf
        self._entropy = entropy
        self._made: deque[float] = deque(maxlen=MOST)
        self._burnt: deque[float] = deque(maxlen=len(PAUSES))
        self._past: OrderedDict[int, ByeCode] = (
            OrderedDict()
        )  # number -> the code of the BYE that tells what became of it

    def ready_at(self, now: float) -> float:
        """From when on a new code may be made."""
        pause = PAUSES[burnt - 1] if (burnt := self._recent(self._burnt, now)) else 0.0
        after_pause = self._burnt[-1] + pause if pause else -math.inf
        return max(after_pause, self._made[0] + HOUR if self._recent(self._made, now) == MOST else -math.inf)

    def none_left(self, now: float) -> bool:
        """Whether there is no code because an hour's codes are used up."""
        return self.code is None and self._recent(self._made, now) == MOST

    def make(self, now: float) -> Code:
        """A new code in place of the present one."""
        if self.code is not None:
            self._end(self.code, ByeCode.OLD_CODE)
        free = [number for number in NUMBERS if number not in self._past]
        number = free[int.from_bytes(self._entropy(8), "big") % len(free)]
        self.code, self.ends = make_code(number, self._entropy(2)), now + LIFE
        self._made.append(now)
        return self.code

    def expire(self) -> None:
        if self.code is not None:
            self._end(self.code, ByeCode.OLD_CODE)

    def claim(self, number: int, now: float) -> Code | ByeCode:
        """The code for one exchange, which `used` ends or `burn`; until then there is none. Otherwise the code of the
        BYE that says why not."""
        if self.code is not None and now >= self.ends:
            self.expire()
        if number in self._past:
            return self._past[number]
        if self.none_left(now):
            return ByeCode.NO_CODE_LEFT
        code = self.code
        if code is None:
            return ByeCode.WRONG_CODE
        if number != code.number:
            self.burn(code, now)
            return ByeCode.WRONG_CODE
        self._end(code, ByeCode.BURNT_CODE)  # as long as nobody has proven it
        return code

    def burn(self, code: Code, now: float) -> None:
        """It was not proven."""
        self._end(code, ByeCode.BURNT_CODE)
        self._burnt.append(now)

    def used(self, code: Code) -> None:
        self._end(code, ByeCode.USED_CODE)

    def _end(self, code: Code, how: ByeCode) -> None:
        if self.code == code:
            self.code, self.ends = None, math.inf
        self._past[code.number] = how
        while len(self._past) > REMEMBERED:
            self._past.popitem(last=False)

    def _recent(self, times: deque[float], now: float) -> int:
        return sum(time > now - HOUR for time in times)
