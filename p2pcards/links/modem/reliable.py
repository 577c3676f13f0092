"""A byte stream that loses nothing, over a serial line that does."""

from __future__ import annotations

from collections.abc import Callable

import trio

from p2pcards.links.link import StreamFailed
from p2pcards.links.machine_stream import MachineStream
from p2pcards.links.modem.retransmission import GREETING_PATIENCE, NONCE_SIZE, Quality, Retransmission

LAST_WORD = 1.0
"""Seconds that the last frame may take to be written, where the line takes nothing any more."""

HANG_UP = 10.0
"""Seconds that closing the stream below may take: a modem hangs up."""


class ReliableStream(MachineStream):
    """The two directions of one call. Its maker starts `run` in their own nursery; until then nothing happens.

    Everything raises StreamFailed with a sentence once the line is dead, and in bounded time: nothing waits for ever.
    It owns the stream below and closes it when the call is over.
    """

    def __init__(
        self,
        stream: trio.abc.Stream,
        *,
        rate: int | None,
        calls: bool,
        entropy: Callable[[int], bytes],
        patience: float = GREETING_PATIENCE,
        carrier: Callable[[], bool] = lambda: False,
    ) -> None:
        """rate: bits a second of the line itself, a byte takes ten; None: measured. calls: this side called, the other
        one answered. patience: seconds for the greeting, which begin to count at once. carrier: whether DCD shows one
        at this moment. Made inside of Trio."""
        self._stream = stream
        nonce = entropy(NONCE_SIZE)
        now = trio.current_time()
        self._line = Retransmission(rate=rate, calls=calls, nonce=nonce, now=now, patience=patience, carrier=carrier)
        super().__init__(self._line)
        self._life = trio.CancelScope()
        self._is_running = False
        self._ended = trio.Event()

    # --- the task ---

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Carry the bytes until the call is over. Never raises for what happens on the line: the stream does."""
        task_status.started()
        if self._ended.is_set():
            return
        self._is_running = True
        try:
            with self._life:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._listen)
                    await self._speak()
                    nursery.cancel_scope.cancel()
        finally:
            self._line.fail(_STOPPED)
            with trio.move_on_after(HANG_UP, shield=True):
                await self._stream.aclose()
            self._ended.set()
            self._news.unpark_all()

    async def _speak(self) -> None:
        """Send what the protocol machine has to send."""
        try:
            await self._drive_machine(self._put_on_line)
        except trio.TooSlowError:
            self._line.fail(_STUCK.format(seconds=self._line.stall))
        except (trio.BrokenResourceError, trio.ClosedResourceError) as broken:
            self._line.fail(_sentence(broken))

    async def _put_on_line(self, wire: bytes) -> None:
        """Put bytes on the line. Raises TooSlowError."""
        with trio.fail_after(self._line.stall):
            await self._stream.send_all(wire)

    async def _listen(self) -> None:
        """Give the protocol machine what comes."""
        try:
            while data := await self._stream.receive_some():
                self._line.receive(bytes(data), trio.current_time())
                self._tell()
            self._line.fail(_HUNG_UP)
        except (trio.BrokenResourceError, trio.ClosedResourceError) as broken:
            self._line.fail(_sentence(broken))
        self._tell()

    # --- the stream ---

    async def greeted(self) -> None:
        """Wait until both sides have greeted. Raises StreamFailed if that takes too long."""
        await trio.lowlevel.checkpoint()
        while not self._line.is_agreed:
            self._check()
            await self._news.park()

    async def aclose(self) -> None:
        """Close; what was sent before is still brought over, for a bounded time. Cancelled, only a last frame is
        sent."""
        if not self._line.is_closed:
            self._line.close(trio.current_time())
            self._life.deadline = self._line.linger_until + LAST_WORD
            self._tell()
        try:
            if not self._is_running:
                self._ended.set()
                await self._stream.aclose()
            await self._ended.wait()
            await trio.lowlevel.checkpoint()
        except trio.Cancelled:
            self._line.abandon(trio.current_time())
            self._life.deadline = trio.current_time() + LAST_WORD
            self._tell()
            raise

    @property
    def rate(self) -> int:
        """Bits a second of the line; certain once `greeted` has returned."""
        return self._line.rate

    def quality(self) -> Quality:
        """The quality of the line now."""
        return self._line.quality(trio.current_time())


def _sentence(broken: Exception) -> str:
    """The sentence for a broken stream: its own, or the system's."""
    if isinstance(broken, StreamFailed):
        return str(broken)
    cause = broken.__cause__
    return f"The line broke: {cause.strerror}." if isinstance(cause, OSError) else _HUNG_UP


_HUNG_UP = "The line was hung up."
_STUCK = "Nothing could be sent over the line for {seconds:.0f} s. Check the cable and flow control, then call again."
_STOPPED = "This side has stopped using the line."
