"""The dialogue with a Hayes modem, without I/O and without a clock: bytes and times in, bytes and outcomes out.

Each thing that one does with a modem (`dial`, `answer`, `abort`, `hang_up`) is a script: a generator that says what to
write and how long to wait, and is sent the results that the modem gives. `dialogue.Dialogue` runs one script.

Results are always asked for in words (V1), as words survive noise that a single digit would not; digits count only
while the modem has given no word. Bytes above the bare modem (echo, caller numbers, messages of its maker) are never
taken for a result. Those that are not known are shown to the player.
"""

import re
from collections.abc import Generator
from dataclasses import dataclass
from typing import Literal

from p2pcards.links.modem.caller import CallerShown, caller_in
from p2pcards.links.modem.results import ENDS, SENTENCES, ModemLine, rate_in, sentence_of

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
WORDS = 20.0
"""Seconds that may follow words which may be the end of a call, before it is given up."""
RINGS_APART = 8.0
"""Seconds from one RING to the next, at most."""
LINES_OF_A_CALLER = 7
"""Before the last one: date, time, number, name, and some that makers add."""

LONGEST_COMMAND = 40


class BadCommand(ValueError):
    """The text is not a command that a modem may be set up with; the argument is a sentence."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between modems. commands: sent after our own, cleaned by `clean_command`. rings: before a call is
    answered."""

    pulse: bool = False
    commands: tuple[str, ...] = ()
    rings: int = 1


@dataclass(frozen=True, slots=True)
class Progress:
    """What happens, for the screen; `said` is for the log alone, `words` are those that are not known. text: the
    number, the carrier, the words of the modem; printable ASCII. caller: who calls."""

    kind: Literal[
        "setting up",
        "refused",
        "by itself",
        "ready",
        "dialling",
        "ringing",
        "caller",
        "answering",
        "carrier",
        "missed",
        "said",
        "words",
    ]
    text: str = ""
    caller: CallerShown | None = None


@dataclass(frozen=True, slots=True)
class Connected:
    """text: the modem's line from CONNECT on, advisory. rate: bits a second of the carrier, or else the number in text,
    or None if the modem does not say it. rest: bytes of the other side that came with it."""

    text: str
    rate: int | None
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


@dataclass(frozen=True, slots=True)
class Examined:
    """A modem that was looked at without a call. identity: its own lines about itself. by_itself: the rings after which
    it answers whatever it is told, or 0. answered: how many of the commands that were `asked` it answered with OK."""

    identity: tuple[str, ...]
    by_itself: int
    asked: int
    answered: int


Outcome = Connected | Failed | HungUp | Examined


def clean_command(text: str) -> str:
    """A command from the settings, which can set up a modem, but not dial, answer or go on line; raises BadCommand."""
    command = text.strip(" ")
    if not (command.isascii() and command.isprintable()):
        raise BadCommand("A modem command consists of printable ASCII characters; write each command by itself.")
    if command[:2].upper() != "AT":
        raise BadCommand(f"'{command[:20]}' is not a modem command: it must begin with AT, as in 'ATL0'.")
    if len(command) > LONGEST_COMMAND:
        raise BadCommand(f"The modem command has {len(command)} characters; modems take {LONGEST_COMMAND} at most.")
    # What follows + is an extended command up to its semicolon, # and - have three letters (#CID=1, -STE=7); other
    # signs change the letter after them.
    plain = re.sub(r"\+[^;]*;?|[#-][A-Z]{3}(?:=[0-9]*|\?)?|[^A-Z0-9=? ] *[A-Z]", "", command[2:].upper())
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
"""Is sent the next line, or None when none came in time; what it tells is told at once."""


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
    words = ""
    heard = yield Wait(command.encode() + CR, seconds)
    while heard is not None:
        if heard.word == "CONNECT":
            return _connected(heard)
        if heard.word in ENDS:
            # The line is free in most cases already; after VOICE and FAX some modems wait.
            yield from _pause(BREATH)
            yield from _ask("ATH0")
            return Failed(heard.word, sentence_of(heard))
        if heard.may_end:
            words = heard.text
            heard = yield Wait(seconds=WORDS)
        else:
            heard = yield Wait(seconds=seconds) if words else MORE
            words = ""
    yield from abort()
    if words:
        return Failed("unknown", SENTENCES["unknown"].format(words=words, seconds=WORDS))
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


def _connected(line: ModemLine) -> Connected:
    # The number of an error-correcting modem may be the speed of the port; a digit instead of words has none.
    text = {"1": "CONNECT", "5": "CONNECT 1200", "10": "CONNECT 2400"}.get(line.text.lstrip("0"), line.text)
    return Connected(text, rate_in(text))


def answer(dialect: Dialect = Dialect()) -> Script:
    """Wait for a call as long as it takes and answer it. Calls that come to nothing are told as missed."""
    while True:
        if failed := (yield from _set_up(dialect)):
            return failed
        by_itself = yield from _value("ATS0?")
        if by_itself:
            yield Progress("by itself", str(by_itself))
        yield Progress("ready")
        heard = yield Wait(seconds=CHECK)
        said: list[str] = []  # in some countries the caller's number comes before the first ring
        while heard is not None:
            if heard.word == "RING":
                heard = yield from _take_call(by_itself, dialect.rings, said)
                said = []
            elif not heard.word:
                said = [*said[-LINES_OF_A_CALLER:], heard.text]
            if heard.word == "CONNECT":
                return _connected(heard)
            heard = yield Wait(seconds=CHECK) if heard.word else MORE


def _value(question: str) -> Generator[Step, ModemLine | None, int]:
    """What a register holds; 0 where the modem does not say."""
    value = 0
    heard = yield Wait(question.encode() + CR, ANSWER)
    while heard is not None and heard.text not in ("OK", "0", "4") and heard.word != "ERROR":
        value = int(heard.text) if re.fullmatch("[0-9]{1,3}", heard.text) else value
        heard = yield MORE
    yield from _pause(BREATH)
    return value


def _take_call(by_itself: int, rings: int, said: list[str]) -> Generator[Step, ModemLine | None, ModemLine]:
    """How the call went that is ringing: CONNECT, or what the modem says instead. by_itself: the rings after which the
    modem answers whatever it is told, or 0; a command would break that off. rings: before we answer; said: what may
    tell who calls."""
    yield Progress("ringing")
    rung = 1
    heard = yield _until_ring(rung, rings)
    while heard is not None and heard.word not in ENDS | {"CONNECT"}:
        rung += heard.word == "RING"
        said = said if heard.word else [*said[-LINES_OF_A_CALLER:], heard.text]
        heard = yield _until_ring(rung, rings) if heard.word == "RING" else MORE
    if (caller := caller_in(said)) is not None:
        yield Progress("caller", caller=caller)
    if heard is not None and heard.word == "CONNECT":
        return heard
    if heard is not None or (rung < rings and not by_itself):
        yield Progress("missed", heard.text if heard else "")
        return ModemLine("", "")
    yield Progress("answering")
    heard = yield Wait(b"" if by_itself else b"ATA" + CR, S7 + SLACK + RINGS_APART * by_itself)
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


def _until_ring(rung: int, rings: int) -> Wait:
    """For the next ring, where it is not the last that we wait for."""
    return Wait(seconds=RINGS_APART if rung < rings else BREATH)


def abort() -> Script:
    """Give up a call that is being dialled or answered: any byte ends it. If it came about just now, hang up."""
    heard = yield Wait(CR, ANSWER)
    while heard is not None and heard.word != "CONNECT" and heard.word not in ENDS | {"OK"}:
        heard = yield MORE
    if heard is not None and heard.word == "CONNECT":
        return HungUp((yield from _escape()))
    yield from _pause(BREATH)
    return HungUp((yield from _ask("ATH0")) == "OK")


def examine(dialect: Dialect = Dialect(), times: int = 20) -> Script:
    """Ask a modem who it is, and whether it answers each of so many commands. No call is made."""
    if failed := (yield from _set_up(dialect)):
        return failed
    identity: list[str] = []
    for question in ("ATI", "ATI3"):
        heard = yield Wait(question.encode() + CR, ANSWER)
        while heard is not None and heard.word not in ("OK", "ERROR"):
            if heard.text and heard.text not in identity:
                identity.append(heard.text)
            heard = yield MORE
        yield from _pause(BREATH)
    by_itself = yield from _value("ATS0?")
    answered = 0
    for _ in range(times):
        answered += (yield from _ask(LAST)) == "OK"
    return Examined(tuple(identity), by_itself, times, answered)


def hang_up() -> Script:
    """End a call by the escape of the modem, where DTR does not do it."""
    return HungUp((yield from _escape()))
