"""The dialogue with a Hayes modem, without I/O and without a clock: bytes and times in, bytes out; telephone
numbers, what a modem says, and who calls."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Literal

# --- telephone numbers ------------------------------------------------------------------------------------------------


LONGEST_NUMBER = 36
"""Characters: Hayes modems take commands of 40 characters, and four of them are ATDT."""

ALLOWED = re.compile(r"[0-9*#,W!@ ().\-/]", re.ASCII)
DECORATION = re.compile(r"[ ().\-/]")

EMERGENCY = (
    # Those that every telephone must know without a SIM card (3GPP TS 22.101, 10.1.1).
    "000|08|110|112|118|119|911|999"
    # National ones of police, fire service and ambulance (national numbering plans, ITU-T E.129).
    "|15|17|18|100|101|102|103|104|105|106|108|111|113|114|115|116|117|120|122|123|133|140|144"
    "|150|155|158|190|191|192|193|194|197|198|994|995|997|998"
)
_OUTSIDE = r"(?:[*#]+[0-9]{2,3})?[*#]*[09]{0,2}"
"""A service such as *67 (caller not shown), then the digits that ask a private exchange for an outside line."""
_AN_EMERGENCY = re.compile(f"{_OUTSIDE}(?:{EMERGENCY})[*#]*")


class BadNumber(ValueError):
    """The text is not a telephone number that may be dialled; the argument is a sentence."""


def clean_number(text: str) -> str:
    """The number as the modem gets it: digits, `*`, `#` and the pauses `,` `W` `!` `@`, 36 characters at most. Raises
    BadNumber. Nothing that comes out can end the dial command or begin another one."""
    text = text.strip(" ").replace("w", "W")
    if text.startswith("+"):
        raise BadNumber("A modem can't dial '+'. Write what you'd dial on a phone: 00 or 011, then the country code.")
    for character in text:
        if not ALLOWED.fullmatch(character):
            raise BadNumber(
                f"A phone number can't contain {_name(character)}. It can have digits, * and #, the pauses , W ! and "
                "@, spaces, parentheses, dots, hyphens and slashes."
            )
    number = DECORATION.sub("", text)
    if not re.search("[0-9]", number):
        raise BadNumber("A phone number needs at least one digit, as in '555-1234'.")
    if len(number) > LONGEST_NUMBER:
        raise BadNumber(f"The number has {len(number)} characters. Modems can dial at most {LONGEST_NUMBER}.")
    return number


def _name(character: str) -> str:
    """A refused character as an error message names it."""
    if character == ";":
        return "';', which would make the modem wait for another command"
    if character.isprintable() and character.isascii():
        return f"'{character}'"
    return f"the character U+{ord(character):04X}"


def from_inside(number: str, prefix: str) -> str:
    """The number to dial where a prefix goes before every number that doesn't begin with it."""
    return number if number.startswith(prefix) else prefix + number


def is_emergency(number: str) -> bool:
    """True if dialling this cleaned number would call an emergency service somewhere; also after an outside line digit
    (`9,911`, `0112`) or with more after a pause."""
    dialled = re.split("[,W!@]", number)
    return any(_AN_EMERGENCY.fullmatch("".join(dialled[:end])) for end in range(1, len(dialled) + 1))


# --- what a modem says ------------------------------------------------------------------------------------------------


SLOWEST = 300
"""Bits a second of the slowest modem."""

BUSY_TRIES, BUSY_PAUSE = 3, 30.0
"""Redials of a busy number and the seconds before each; authorities of many countries allow no more."""

SENTENCES = {
    "BUSY": "The line is busy. Try again in a while.",
    "NO CARRIER": (
        "No modem answered, or the modems couldn't agree on a connection. Check that your friend runs "
        "'p2pcards listen --modem', and try again."
    ),
    "NO DIALTONE": (
        "There's no dial tone. Check that the phone cable is plugged in and nobody is on the line. Behind an office "
        "switchboard, the number may need '9,' or '0,' in front."
    ),
    "NO ANSWER": "Nobody answered. Check that your friend runs 'p2pcards listen --modem', and try again.",
    "VOICE": "A person answered, not a modem. Check the number before you try again.",
    "FAX": "A fax machine answered, not a modem. Check the number before you try again.",
    "DELAYED": "The modem won't dial this number again so soon after failed calls. Try again {later}.",
    "BLACKLISTED": (
        "The modem won't dial this number anymore, after too many failed calls. Try again {later}. Turning the modem "
        "off and on often helps."
    ),
    "ERROR": "The modem doesn't accept the number. Try just digits.",
    "LINE IN USE": "The phone line is in use. Try again when it's free.",
    "REORDER": (
        "The call couldn't be completed (fast busy signal). Check the number, and whether it needs a prefix, or try "
        "again in a while."
    ),
    "CALL REJECTED": "The call was rejected. Check the number before you try again.",
    "DIAL LOCKED": "Dialing is locked in this modem. Its manual shows how to unlock it.",
    "+FCERROR": "The modem is set up for fax. Set it up for data: --init AT+FCLASS=0",
    "unknown": 'The modem said "{words}" and then nothing for {seconds:.0f} s, so p2pcards hung up.',
    "nobody": "Nobody answered within {seconds:.0f} s. Check that your friend runs 'p2pcards listen --modem'.",
    "silent": (
        "No modem answers at this port (no OK to ATE0V1Q0). Check that it's turned on, that device and speed are "
        "right, and that no other program uses it."
    ),
    "strange": (
        "This port answers, but not like a modem (it rejects ATE0V1Q0). It may be another kind of device. Choose the "
        "right one with --device."
    ),
}

_INFORMATION = re.compile(
    r"(RINGING|CARRIER|PROTOCOL|COMPRESSION|ERROR[ -]?CO(NTROL|RRECTION)|\+MCR|\+MRR|\+E[RSC]|\+DR)\b|[A-Z]{4} ?="
)
"""How a call comes about, and who calls; a caller's name could be BUSY."""
_RESULTS = {
    "CONNECT": r"CONNECT(?:ED)?(?![A-Z]).*",
    "RING": r"RING(?: ?[A-Z0-9])?$",
    "OK": r"OK$",
    "NO CARRIER": r"NO ?CARRIER\b.*",
    "NO DIALTONE": r"NO ?DIAL ?TONE\b.*",
    "NO ANSWER": r"NO ?ANSWER\b.*",
    "BUSY": r"BUSY\b.*",
    "VOICE": r"VOICE$",
    "FAX": r"FAX$",
    "DELAYED": r"DELAYED\b.*",
    "BLACKLISTED": r"BLACKLISTED\b.*",
    "LINE IN USE": r"LINE[- ]?IN[- ]?USE\b.*",
    "REORDER": r"REORDER\b.*",
    "CALL REJECTED": r"CALL (?:REJECTED|REFUSED|BARRED)\b.*",
    "DIAL LOCKED": r"DIAL(?:L?ING)? LOCKED\b.*",
    "+FCERROR": r"\+FCERROR\b.*",
    "ERROR": r"ERROR(?:[:,. ].*)?$",
}
"""How each result begins; modems and programs that play one add words of their own."""
_RESULT = re.compile("|".join(f"(?P<r{place}>(?<![A-Z]){words})" for place, words in enumerate(_RESULTS.values())))
_NUMERIC = {
    0: "OK",
    1: "CONNECT",
    2: "RING",
    3: "NO CARRIER",
    4: "ERROR",
    5: "CONNECT 1200",
    6: "NO DIALTONE",
    7: "BUSY",
    8: "NO ANSWER",
    10: "CONNECT 2400",
}
"""The digits on which all makers agree (V0)."""
ENDS = frozenset(_RESULTS) - {"CONNECT", "RING", "OK"}
"""The results that end a call."""

_PROGRESS = re.compile("RING|DIAL|WAIT|CALL|CONNECT|DETECT|TRAIN|NEGOTIAT|MODEM")
"""In lines that tell how far a call has come."""


@dataclass(frozen=True, slots=True)
class ModemLine:
    """A line that the modem sends."""

    word: str  # the result code in its usual spelling; "" if the line is not a result
    text: str

    @property
    def is_known(self) -> bool:
        """True for a result code or information in a usual form."""
        return bool(self.word or _INFORMATION.match(self.text))

    @property
    def may_end(self) -> bool:
        """True for an unknown line in capitals, as result codes are."""
        looks = re.fullmatch("[A-Z]{2,}(?:[ -][A-Z]+)*[.!]?", self.text)
        return bool(looks) and not self.is_known and not _PROGRESS.search(self.text)


def read_result(line: bytes, command: str = "", digits: bool = False) -> ModemLine:
    """Interpret a line of the modem, without noise and the echo of this command. digits: results may be numbers."""
    clear = _without_echo("".join(chr(byte) for byte in line if 32 <= byte < 127).strip(), command)
    stripped = "".join(chr(byte & 0x7F) for byte in line if 32 <= byte & 0x7F < 127).strip()
    stripped = _without_echo(stripped, command)
    if digits and re.fullmatch("0{0,2}[0-8]|010|10", stripped):
        return ModemLine(re.sub("^CONNECT .*", "CONNECT", _NUMERIC[int(stripped)]), stripped)
    for text in (clear, stripped):
        if found := None if _INFORMATION.match(text) else _RESULT.search(text):
            word = list(_RESULTS)[int(str(found.lastgroup)[1:])]
            return ModemLine(word, found[0])
    return ModemLine("", stripped if _has_parity(line) else clear)


def _has_parity(line: bytes) -> bool:
    """True if all bytes have the same parity, or all have bit 7."""
    return len({byte.bit_count() % 2 for byte in line}) == 1 or all(byte & 0x80 for byte in line)


def _without_echo(text: str, command: str) -> str:
    """The line without the echo of a command, which may be doubled."""
    if not command:
        return text
    twice = "".join(character * 2 for character in command)
    echo = re.match(f"[^A-Za-z0-9]*(?:{re.escape(twice)}|{re.escape(command)})", text, re.IGNORECASE)
    return text[echo.end() :].strip() if echo else text


def sentence_of(result: ModemLine) -> str:
    """The sentence for a result that ends a call, with what to try and the modem's words if they say more."""
    times = re.search(r"(?:(\d{1,2}):)?(\d{1,2}):(\d{2})\b", result.text)
    hours, minutes, seconds = [int(part or 0) for part in times.groups()] if times else (0, 0, 0)
    wait = hours * 60 + minutes + bool(seconds)
    later = f"in {wait} minute{'s' if wait > 1 else ''}" if wait else "in a few minutes"
    sentence = SENTENCES[result.word].format(later=later)
    bare = result.text.isdigit() or re.sub("[ -]", "", result.text) == result.word.replace(" ", "")
    return sentence if bare else f"{sentence} The modem said: {result.text}"


def rate_in(text: str) -> int | None:
    """Bits a second named in a line such as CARRIER 33600/V34, +MRR: 26400,28800 or CONNECT 2400; None if there is
    none."""
    for form in (r"(\d{3,6}):TX", r"V\.?\d{2}\w* (\d{3,6})\b", r"(?<![\w.:])(\d{3,6})(?![\w.:])"):
        if (found := re.search(form, text, re.IGNORECASE)) and int(found[1]) >= SLOWEST:
            return int(found[1])
    return None


def redial_after(result: str, redials: int) -> float | None:
    """Seconds to wait before redialling after this result; None if the number must not be redialled. redials: so
    far."""
    return BUSY_PAUSE if result == "BUSY" and redials < BUSY_TRIES else None


# --- who calls, as a modem tells it between rings ---------------------------------------------------------------------


_FIELD = re.compile(r"(NMBR|DDN_NMBR|NAME|MESG) ?= ?(.*)")
_SINGLE, _MULTIPLE = 0x04, 0x80
_NUMBERS, _NAMES = (0x02, 0x03, 0x04), (0x07, 0x08)
"""Parameters of a multiple data message: a number or why there is none, a name or why there is none."""
_DATE = 8
"""Characters of month, day, hour and minute, with which a single data message begins."""
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class CallerShown:
    number: str = ""  # printable ASCII; "" if unknown
    name: str = ""  # printable ASCII; "" if unknown
    withheld: bool = False  # at the caller's wish


def caller_in(lines: Iterable[str]) -> CallerShown | None:
    """The caller that these lines of a modem name, None if they name none."""
    told: dict[str, str] = {}
    for text in lines:
        if found := _FIELD.match(text):
            told |= _unformatted(found[2]) if found[1] == "MESG" else {found[1].removeprefix("DDN_"): found[2]}
    if not told:
        return None
    number, name = (_shown(told.get(key, "")) for key in ("NMBR", "NAME"))
    withheld = "P" in (number.upper(), name.upper())
    number, name = ("" if one.upper() in ("P", "O") else one for one in (number, name))
    return CallerShown(number, name, withheld)


def _unformatted(text: str) -> dict[str, str]:
    """Caller fields from the hexadecimal bytes of an unformatted caller ID message."""
    try:
        data = bytes.fromhex(text)
    except ValueError:
        return {}
    kind, body = data[:1], data[2 : 2 + data[1]] if len(data) > 1 else b""
    if kind == bytes([_SINGLE]):
        return {"NMBR": body[_DATE:].decode("latin-1")}
    found: dict[str, str] = {}
    while kind == bytes([_MULTIPLE]) and len(body) > 2:
        what, value, body = body[0], body[2 : 2 + body[1]].decode("latin-1"), body[2 + body[1] :]
        if what in _NUMBERS or what in _NAMES:
            found["NMBR" if what in _NUMBERS else "NAME"] = value
    return found


def _shown(text: str) -> str:
    """Text from the line, safe to show."""
    visible = "".join(letter for letter in text if letter.isascii() and letter.isprintable())
    return " ".join(visible.split())[:LONGEST_NAME]


# --- the dialogue with a Hayes modem, without I/O and without a clock -------------------------------------------------


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
ASKED = 20
"""Commands that a modem is tried with when it is examined."""


class BadCommand(ValueError):
    """The text is not a command that a modem may be set up with; the argument is a sentence."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between modems."""

    pulse: bool = False  # dial with pulses instead of tones
    commands: tuple[str, ...] = ()  # sent after those of the program; cleaned by `clean_command`
    rings: int = 1  # number of rings before a call is answered


@dataclass(frozen=True, slots=True)
class Progress:
    """What happens during a call, for the screen."""

    # "words" are unknown words of the modem; its other lines are "said", which is only for the log
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
    text: str = ""  # the number, the carrier or the words of the modem; printable ASCII
    caller: CallerShown | None = None


@dataclass(frozen=True, slots=True)
class Connected:
    text: str  # the modem's line from CONNECT on; advisory
    rate: int | None  # bits per second of the carrier, or else the number in text; None if the modem tells neither
    rest: bytes = b""  # bytes of the other side that came with the line


@dataclass(frozen=True, slots=True)
class Failed:
    result: str  # the modem's word, or one of the program's in small letters
    sentence: str  # for the player


@dataclass(frozen=True, slots=True)
class HungUp:
    """The modem said so, or nothing at all."""

    confirmed: bool


@dataclass(frozen=True, slots=True)
class Examined:
    """A modem that was examined without a call."""

    identity: tuple[str, ...]  # its own lines about itself
    by_itself: int  # number of rings after which it answers on its own, despite its commands; 0 if it does not
    asked: int  # number of commands tried
    answered: int  # number of those that it answered with OK


Outcome = Connected | Failed | HungUp | Examined


EXTENDED = (
    # Of V.250 and its supplement 1: modulation, error control, compression, the port, identification.
    "MS|MR|MA|MSC|ES|EB|ESR|EFCS|ER|ETBM|EWIND|EFRAM|DS|DR|DS44|ICF|IFC|IPR|ILRR"
    "|GMI|GMM|GMR|GSN|GOI|GCAP|A8E|PIG|PSS|PQC|PCW"
    # V.253: whether the number of a caller is told.
    "|VCID|VDR"
)
A_SETTING = re.compile(
    # Basic commands (V.250, 6.1 to 6.3, and the command sets of Hayes, Rockwell and U.S. Robotics); registers but S0.
    r" *(?:[BCEFILMNPQTVWXYZ] *[0-9]*|S *(?!0* *=)[0-9]+ *(?:= *[0-9]+|\?)|S *0+ *= *0+(?![0-9])"
    r"|& *[ABCDFGHIJKMNPQRSUVWXY] *[0-9]*|% *[CE] *[0-9]*|\\ *[AGJKLNQVX] *[0-9]*"
    r"|(?:# *CID|- *(?:STE|SSE|SEC)) *(?:= *[0-9]*|=? *\?)? *;?"
    rf"|\+ *(?:(?:{EXTENDED}) *(?:=[ 0-9A-Z,]*|=? *\?)?|FCLASS *= *0+) *(?:;|$))",
    re.IGNORECASE,
)
"""A command that only sets up a modem: none that dials, answers, goes on line, sends keys or stores a number."""
ANSWERS = re.compile(r" *S *0+ *= *[0-9]+", re.IGNORECASE)


def clean_command(text: str) -> str:
    """A modem command from the settings that can set up but not dial, answer or go on line. Raises BadCommand."""
    command = text.strip(" ")
    if not (command.isascii() and command.isprintable()):
        raise BadCommand("A modem command can only have printable ASCII characters. Enter each command separately.")
    if command[:2].upper() != "AT":
        raise BadCommand(f"'{command[:20]}' is not a modem command: it must begin with AT, as in 'ATL0'.")
    if len(command) > LONGEST_COMMAND:
        raise BadCommand(f"The modem command has {len(command)} characters. Modems take at most {LONGEST_COMMAND}.")
    unread = command[2:]
    while found := A_SETTING.match(unread):
        unread = unread[found.end() :]
    if found := ANSWERS.match(unread):
        raise BadCommand(f"'{found[0].strip()}' makes the modem answer by itself. Leave it out: p2pcards answers.")
    if unread.strip():
        shown = unread.strip()[:20]
        raise BadCommand(
            f"p2pcards doesn't send '{shown}', because it could do more than set up the modem. Leave it out."
        )
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
    """Script: send a command; returns OK, ERROR, or "" for silence, after a pause."""
    heard = yield Wait(command.encode() + CR, seconds)
    while heard is not None and heard.word not in ("OK", "ERROR"):
        heard = yield MORE
    yield from _pause(BREATH)
    return heard.word if heard else ""


def _pause(seconds: float) -> Generator[Step, ModemLine | None, None]:
    """Script: wait so many seconds."""
    heard = yield Wait(seconds=seconds)
    while heard is not None:
        heard = yield MORE


def _escape() -> Generator[Step, ModemLine | None, bool]:
    """Script: get out of a call, if there is one, and hang up; True if the modem obeys."""
    yield from _pause(GUARD)
    heard = yield Wait(b"+++", 2 * GUARD)
    while heard is not None and heard.word not in ("OK", "NO CARRIER"):
        heard = yield MORE
    yield from _pause(BREATH)
    return (yield from _ask("ATH0")) == "OK"


def _set_up(dialect: Dialect) -> Generator[Step, ModemLine | None, Failed | None]:
    """Script: set the modem up as expected; on the third try it may be in a call that a dead program left."""
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
    """Script: call a number from `clean_number`."""
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
    """Seconds in which a modem must report after dialling: a pulse of 0 takes 1 s, a comma 2 s (S8), `@` 5 s of
    silence, `W` a dial tone."""
    return (
        S7
        + SLACK
        + len(number) * (1.8 if dialect.pulse else 0.2)
        + 2 * number.count(",")
        + 10 * len(re.findall("[W@]", number))
    )


def _connected(line: ModemLine) -> Connected:
    """The outcome for a CONNECT line."""
    # The number of an error-correcting modem may be the speed of the port; a digit instead of words has none.
    text = {"1": "CONNECT", "5": "CONNECT 1200", "10": "CONNECT 2400"}.get(line.text.lstrip("0"), line.text)
    return Connected(text, rate_in(text))


def answer(dialect: Dialect = Dialect()) -> Script:
    """Script: wait for a call and answer it. Calls that fail are told as missed."""
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
    """Script: the value of a register, 0 if the modem doesn't say."""
    value = 0
    heard = yield Wait(question.encode() + CR, ANSWER)
    while heard is not None and heard.text not in ("OK", "0", "4") and heard.word != "ERROR":
        value = int(heard.text) if re.fullmatch("[0-9]{1,3}", heard.text) else value
        heard = yield MORE
    yield from _pause(BREATH)
    return value


def _take_call(by_itself: int, rings: int, said: list[str]) -> Generator[Step, ModemLine | None, ModemLine]:
    """Script: answer the ringing call; returns CONNECT or the other result. by_itself: rings after which the modem
    answers on its own, 0 for never; rings: before we answer; said: lines that may name the caller."""
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
    """Wait for the next ring, unless enough have rung."""
    return Wait(seconds=RINGS_APART if rung < rings else BREATH)


def abort() -> Script:
    """Script: give up a call being dialled or answered: any byte ends it. A connection made just now is hung up."""
    heard = yield Wait(CR, ANSWER)
    while heard is not None and heard.word != "CONNECT" and heard.word not in ENDS | {"OK"}:
        heard = yield MORE
    if heard is not None and heard.word == "CONNECT":
        return HungUp((yield from _escape()))
    yield from _pause(BREATH)
    return HungUp((yield from _ask("ATH0")) == "OK")


def examine(dialect: Dialect = Dialect()) -> Script:
    """Script: ask the modem who it is, and how many of ASKED commands it answers."""
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
    for _ in range(ASKED):
        answered += (yield from _ask(LAST)) == "OK"
    return Examined(tuple(identity), by_itself, ASKED, answered)


def hang_up() -> Script:
    """Script: end a call by the escape sequence, where DTR fails."""
    return HungUp((yield from _escape()))
