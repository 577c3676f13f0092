"""Calling again somebody whose link was lost: when, and whether the person here has to agree first.

The pauses are 1, 2, 4, 8, 16 and then 30 seconds. They begin with one second again only after a link that held, or that
brought the game on, as on a line that breaks every few seconds; and that the other side did not end by breaking the
protocol: whoever connects and spoils it at once is called less and less often.
"""

from __future__ import annotations

from enum import StrEnum

from p2pcards.wire.address import is_telephone

FIRST, LONGEST = 1.0, 30.0
"""Seconds between two calls, the least and the most."""
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
        return self.calling is Calling.PAUSING and now >= self.due

    def call(self) -> bool:
        """The pause is over: whether to call. If not, the person here has to be asked."""
        free = self._consent or not is_telephone(self.address)
        self._step(CallStep.OVER if free else CallStep.OVER_ON_TELEPHONE)
        return free

    def restart(self, now: float) -> None:
        """Call as soon as possible, as after a restart of this side."""
        if self.address:
            self._step(CallStep.LOST)
            self.due = now

    def lost(self, now: float, behaved: bool = True) -> None:
        """The link is gone. behaved: the other side did not break the protocol."""
        if not self.address:
            return
        good = behaved and (self._useful or now - self._answered >= HELD)
        self._step(CallStep.LOST)
        self._wait(now, FIRST if good else self._longer())

    def useful(self) -> None:
        """The link has brought the game on."""
        self._useful = True

    def failed(self, now: float, again: bool = True) -> None:
        """again: the same person may be called without asking once more."""
        if self.calling is Calling.CALLING:
            self._consent = self._consent and again
            self._step(CallStep.FAILED)
            self._wait(now, self._longer())

    def agree(self) -> None:
        self._consent = True
        self._step(CallStep.AGREED)

    def move(self, address: str) -> None:
        """Call at another address from now on."""
        self.address = address
        self._step(CallStep.AGREED)

    def answered(self, now: float, address: str = "") -> None:
        """There is a link again. address: where we called, "" if they called."""
        self.address = address or self.address
        self._answered, self._useful = now, False
        self._step(CallStep.ANSWERED)

    def stop(self) -> None:
        self._step(CallStep.STOPPED)

    def _longer(self) -> float:
        return min(max(self.pause * 2, FIRST), LONGEST)

    def _wait(self, now: float, pause: float) -> None:
        self.pause, self.due = pause, now + pause

    def _step(self, step: CallStep) -> None:
        self.calling = REDIAL[self.calling, step]
