"""One script of `hayes` carried out: what comes cut into lines, what they mean, when nothing came in time."""

import re
from dataclasses import replace

from p2pcards.links.modem.hayes import Connected, Outcome, Progress, Script, Step
from p2pcards.links.modem.results import ModemLine, rate_in, read_result

LINE_END = 0.25
"""Seconds in which the LF of CONNECT's line comes after its CR."""

LONGEST_LINE = 200


class Dialogue:
    """Runs one script. Call `start` once, `receive` with what comes, `tick` when `next_time` has come; after each,
    write what `take_bytes` gives and tell what `take_progress` gives, until there is an `outcome`.

    Times are seconds of any steady clock. Bytes after the line that connects are in `outcome.rest`.
    """

    def __init__(self, script: Script) -> None:
        self.outcome: Outcome | None = None
        self._script = script
        self._to_write = bytearray()
        self._told: list[Progress] = []
        self._transcript: list[str] = []
        self._line = bytearray()
        self._deadline: float | None = None
        self._carrier: int | None = None
        self._connected: Connected | None = None
        self._command = ""
        self._in_words = False

    def start(self, now: float) -> None:
        """Once, before anything else."""
        self._carry_out(next(self._script), now)

    def next_time(self) -> float | None:
        return None if self.outcome else self._deadline

    def take_bytes(self) -> bytes:
        taken, self._to_write = bytes(self._to_write), bytearray()
        return taken

    def take_progress(self) -> list[Progress]:
        taken, self._told = self._told, []
        return taken

    def take_transcript(self) -> list[str]:
        """What was said since: `> ` and a command of ours, `< ` and a line of the modem; printable ASCII."""
        taken, self._transcript = self._transcript, []
        return taken

    def tick(self, now: float) -> None:
        """Nothing came until now."""
        while self.outcome is None and self._deadline is not None and now >= self._deadline:
            if self._connected:
                self.outcome = self._connected
            else:
                self._send(None, now)

    def receive(self, data: bytes, now: float) -> None:
        """Takes bytes of the modem in any cuts."""
        if not self._connected:
            self.tick(now)
        for position, byte in enumerate(data):
            if self._connected:
                self._end(data[position:])
            if self.outcome:
                return
            if byte & 0x7F not in b"\r\n":  # with a parity bit or without
                self._line.append(byte)
                del self._line[:-LONGEST_LINE]
            elif self._line:
                self._transcript.append(f"< {read_result(bytes(self._line)).text}")
                self._hear(read_result(bytes(self._line), self._command, not self._in_words), now)
                self._line.clear()

    def _end(self, following: bytes) -> None:
        """What follows CONNECT's CR is its LF and then data."""
        assert self._connected
        self.outcome = replace(self._connected, rest=following[1:] if following[0] & 0x7F == 0x0A else following)

    def _hear(self, result: ModemLine, now: float) -> None:
        if result.text.startswith("AT") or not result.text:
            # What starts with AT is the echo of a command, which may hold the number.
            return
        self._in_words |= result.text == "OK"
        if result.text.startswith("RINGING"):
            self._told.append(Progress("ringing"))
        elif result.text.startswith(("CARRIER", "+MRR")):
            self._carrier = rate_in(result.text) or self._carrier
            self._told.append(Progress("carrier", re.sub(r"^[+A-Z]+[: ]*", "", result.text)))
        elif not result.word:
            shown = not result.is_known and re.search("[A-Za-z]{3}", result.text)
            self._told.append(Progress("words" if shown else "said", result.text))
        self._send(result, now)

    def _send(self, result: ModemLine | None, now: float) -> None:
        try:
            self._carry_out(self._script.send(result), now)
        except StopIteration as ended:
            if isinstance(ended.value, Connected):
                self._connected = replace(ended.value, rate=self._carrier or ended.value.rate)
                self._deadline = now + LINE_END
            else:
                self.outcome = ended.value

    def _carry_out(self, step: Step, now: float) -> None:
        while isinstance(step, Progress):
            self._told.append(step)
            step = next(self._script)
        self._to_write += step.write
        if step.write:
            self._command = step.write.decode().rstrip("\r")
            self._transcript.append(f"> {self._command}")
        if step.anew:
            self._deadline = None if step.seconds is None else now + step.seconds
