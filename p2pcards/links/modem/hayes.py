"""The dialogue with a Hayes modem, without I/O and without a clock: bytes and times in, bytes and outcomes out.

Each thing that one does with a modem (`dial`, `answer`, `abort`, `hang_up`) is a script: a generator that says what to
write and how long to wait, and is sent the results that the modem gives. `Dialogue` runs one script.

Results are always asked for in words (V1), as words survive noise that a single digit would not. Bytes above the bare
modem (echo, caller numbers, messages of its maker) are never taken for a result; they are given out for the log.
"""

import re
from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Literal

from p2pcards.links.modem.results import ENDS, SENTENCES, ModemLine, number_in, read_result

CR = b"\r"
FIRST = "ATE0V1Q0"
"""No echo, results in words, results at all. Whatever does not understand this is not a modem."""

COMMANDS = ("ATX4", "AT&C1&D2", "ATS0=0S2=43S12=50S7=60")
"""Dial tone and busy are told; DCD shows the carrier and DTR hangs up; it never answers by itself, escapes by `+` with
a guard of 1 s, and waits 60 s for the other modem. A modem that does not know one of these is taken as it is."""

LAST = "ATE0V1Q0S0=0S2=43"
"""Sent after commands of the user, among which may be ATZ."""

ANSWER = 2.0
"""Seconds in which a modem answers a command; slow ones take one to leave their sleep."""
BREATH = 0.1
"""Seconds between a result and the next command; many modems lose a command that comes earlier."""
GUARD = 1.2
"""Seconds of silence before and after +++: S12=50 is one second."""
S7 = 60.0
SLACK = 10.0
CHECK = 900.0
"""Seconds after which a modem that waits for a call is set up again: it may have been switched off and on."""
LINE_END = 0.25
"""Seconds in which the LF of CONNECT's line comes after its CR."""

LONGEST_LINE = 200
LONGEST_COMMAND = 40


class BadCommand(ValueError):
    """The text is not a command that a modem may be set up with; the argument is a sentence."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between modems. commands: sent after our own, cleaned by `clean_command`."""

    pulse: bool = False
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """What happens, for the screen; `said` is for the log alone. text: the number, the carrier, the words of the
    modem; printable ASCII."""

    kind: Literal["setting up", "refused", "ready", "dialling", "ringing", "answering", "carrier", "missed", "said"]
    text: str = ""


@dataclass(frozen=True, slots=True)
class Connected:
    """text: the modem's line from CONNECT on, advisory. rate: bits a second of the carrier, or else the number in text.
    rest: bytes of the other side that came with it."""

    text: str
    rate: int
    rest: bytes = b""


@dataclass(frozen=True, slots=True)
class Failed:
    """result: the modem's word, or one of ours in small letters. sentence: for the player."""

    result: str
    sentence: str


@dataclass(frozen=True, slots=True)
class HungUp:
    """The modem said so, or nothing at all."""

    confirmed: bool


Outcome = Connected | Failed | HungUp


def clean_command(text: str) -> str:
    """A command from the settings, which can set up a modem, but not dial, answer or go on line; raises BadCommand."""
    command = text.strip(" ")
    if not (command.isascii() and command.isprintable()):
        raise BadCommand("A modem command consists of printable ASCII characters; write each command by itself.")
    if command[:2].upper() != "AT":
        raise BadCommand(f"'{command[:20]}' is not a modem command: it must begin with AT, as in 'ATL0'.")
    if len(command) > LONGEST_COMMAND:
        raise BadCommand(f"The modem command has {len(command)} characters; modems take {LONGEST_COMMAND} at most.")
    # What follows + is an extended command up to its semicolon; other signs change the letter after them.
    plain = re.sub(r"\+[^;]*;?|[^A-Z0-9=? ] *[A-Z]", "", command[2:].upper())
    if found := re.search("[DAO]", plain):
        raise BadCommand(f"'{command}' does more than set up the modem: {found[0]} makes a call.")
    return command


@dataclass(frozen=True, slots=True)
class Wait:
    """Write this and wait for the next line at most so many seconds (None: as long as it takes)."""

    write: bytes = b""
    seconds: float | None = None
    anew: bool = True
    """False: until the end of the wait before."""


MORE = Wait(anew=False)
Step = Wait | Progress
Script = Generator[Step, ModemLine | None, Outcome]
"""Is sent the next line that is a result, or None when none came in time; what it tells is told at once."""


def _ask(command: str, seconds: float = ANSWER) -> Generator[Step, ModemLine | None, str]:
    """OK, ERROR, or "" for silence; then the breath before the next command."""
    heard = yield Wait(command.encode() + CR, seconds)
    while heard is not None and heard.word not in ("OK", "ERROR"):
        heard = yield MORE
    yield from _pause(BREATH)
    return heard.word if heard else ""


def _pause(seconds: float) -> Generator[Step, ModemLine | None, None]:
    heard = yield Wait(seconds=seconds)
    while heard is not None:
        heard = yield MORE


def _escape() -> Generator[Step, ModemLine | None, bool]:
    """Out of a call and on hook, whether or not there is one."""
    yield from _pause(GUARD)
    heard = yield Wait(b"+++", 2 * GUARD)
    while heard is not None and heard.word not in ("OK", "NO CARRIER"):
        heard = yield MORE
    yield from _pause(BREATH)
    return (yield from _ask("ATH0")) == "OK"


def _set_up(dialect: Dialect) -> Generator[Step, ModemLine | None, Failed | None]:
    """Make the modem behave as the rest expects; at the third attempt it may be in a call that a dead program left."""
    yield Progress("setting up")
    for attempt in range(3):
        if attempt == 2:
            yield from _escape()
        answer = yield from _ask(FIRST)
        if answer == "OK":
            break
    else:
        reason = "strange" if answer else "silent"
        return Failed(reason, SENTENCES[reason])
    for command in (*COMMANDS, *dialect.commands, *([LAST] if dialect.commands else [])):
        if (yield from _ask(command)) != "OK":
            yield Progress("refused", command)
    return None


def dial(number: str, dialect: Dialect = Dialect()) -> Script:
    """Call a number that `clean_number` made."""
    if failed := (yield from _set_up(dialect)):
        return failed
    command = f"AT{'DP' if dialect.pulse else 'DT'}{number}"
    seconds = patience(number, dialect)
    yield Progress("dialling", number)
    heard = yield Wait(command.encode() + CR, seconds)
    while heard is not None:
        if heard.word == "CONNECT":
            return _connected(heard.text)
        if heard.word in ENDS:
            # The line is free in most cases already; after VOICE and FAX some modems wait.
            yield from _pause(BREATH)
            yield from _ask("ATH0")
            return Failed(heard.word, SENTENCES[heard.word])
        heard = yield MORE
    yield from abort()
    return Failed("nobody", SENTENCES["nobody"].format(seconds=seconds))


def patience(number: str, dialect: Dialect) -> float:
    """Seconds until a modem that has been told to dial must have said how it went. A pulse of 0 lasts 1 s with its
    pause, a comma 2 s (S8), `@` waits for 5 s of silence and `W` for a dial tone."""
    return (
        S7
        + SLACK
        + len(number) * (1.8 if dialect.pulse else 0.2)
        + 2 * number.count(",")
        + 10 * len(re.findall("[W@]", number))
    )


def _connected(text: str) -> Connected:
    # A plain CONNECT means 300 bits a second; the number of an error-correcting modem may be the speed of the port.
    return Connected(text, number_in(text) or 300)


def answer(dialect: Dialect = Dialect()) -> Script:
    """Wait for a call as long as it takes and answer it. Calls that come to nothing are told as missed."""
    while True:
        if failed := (yield from _set_up(dialect)):
            return failed
        yield Progress("ready")
        heard = yield Wait(seconds=CHECK)
        while heard is not None:
            if heard.word == "RING":
                heard = yield from _take_call()
            if heard.word == "CONNECT":
                return _connected(heard.text)
            heard = yield Wait(seconds=CHECK)


def _take_call() -> Generator[Step, ModemLine | None, ModemLine]:
    """How the call went that is ringing: CONNECT, or what the modem says instead."""
    yield Progress("ringing")
    yield from _pause(BREATH)
    yield Progress("answering")
    heard = yield Wait(b"ATA" + CR, S7 + SLACK)
    while heard is not None and heard.word not in ENDS | {"CONNECT"}:
        heard = yield MORE
    if heard is None:
        yield Progress("missed")
        yield from abort()
        return ModemLine("", "")
    if heard.word != "CONNECT":
        yield Progress("missed", heard.text)
        yield from _pause(BREATH)
        yield from _ask("ATH0")
    return heard


def abort() -> Script:
    """Give up a call that is being dialled or answered: any byte ends it. If it came about just now, hang up."""
    heard = yield Wait(CR, ANSWER)
    while heard is not None and heard.word != "CONNECT" and heard.word not in ENDS | {"OK"}:
        heard = yield MORE
    if heard is not None and heard.word == "CONNECT":
        return HungUp((yield from _escape()))
    yield from _pause(BREATH)
    return HungUp((yield from _ask("ATH0")) == "OK")


def hang_up() -> Script:
    """End a call by the escape of the modem, where DTR does not do it."""
    return HungUp((yield from _escape()))


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
        self._line = bytearray()
        self._deadline: float | None = None
        self._carrier: int | None = None
        self._connected: Connected | None = None

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
            if byte not in b"\r\n":
                self._line.append(byte)
                del self._line[:-LONGEST_LINE]
            elif self._line:
                self._hear(read_result(bytes(self._line)), now)
                self._line.clear()

    def _end(self, following: bytes) -> None:
        """What follows CONNECT's CR is its LF and then data."""
        assert self._connected
        self.outcome = replace(self._connected, rest=following.removeprefix(b"\n"))

    def _hear(self, result: ModemLine, now: float) -> None:
        if result.word:
            self._send(result, now)
        elif result.text.startswith("RINGING"):
            self._told.append(Progress("ringing"))
        elif result.text.startswith("CARRIER"):
            self._carrier = number_in(result.text)
            self._told.append(Progress("carrier", result.text[7:].strip()))
        elif result.text and not result.text.startswith("AT"):
            # What starts with AT is the echo of a command, which may hold the number.
            self._told.append(Progress("said", result.text))

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
        if step.anew:
            self._deadline = None if step.seconds is None else now + step.seconds
