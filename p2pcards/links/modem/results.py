"""What a modem says: its lines, what each of its results means, and when a number may be dialled once more."""

import re
from dataclasses import dataclass

SLOWEST = 300
"""Bits a second of the slowest modem."""

BUSY_TRIES, BUSY_PAUSE = 3, 30.0
"""Redials of a busy number and the seconds before each; authorities of many countries allow no more."""

SENTENCES = {
    "BUSY": "The number is busy. Try again in a while.",
    "NO CARRIER": (
        "No modem answered, or the call was lost before the two modems understood each other. See that the other side "
        "runs 'p2pcards listen --modem', and try again."
    ),
    "NO DIALTONE": (
        "There is no dial tone. See that the telephone cable is plugged in and nobody speaks on the line. Behind a "
        "private exchange the number may need a '9,' or '0,' in front."
    ),
    "NO ANSWER": "Nobody answered. See that the other side runs 'p2pcards listen --modem', and try again.",
    "VOICE": "A person answered, not a modem. Check the number before you try again.",
    "FAX": "A fax machine answered, not a modem. Check the number before you try again.",
    "DELAYED": "The modem refuses to dial this number again so soon after failed calls. Try again {later}.",
    "BLACKLISTED": (
        "The modem refuses to dial this number any more, after too many failed calls. Try again {later}; switching the "
        "modem off and on often helps."
    ),
    "ERROR": "The modem does not accept the number. It may not know one of its characters; try digits alone.",
    "LINE IN USE": "Somebody speaks on this telephone line, or another machine uses it. Try again when it is free.",
    "REORDER": (
        "The exchange cannot put the call through (its fast busy tone). Check the number, and whether it needs a "
        "prefix; else try again in a while."
    ),
    "CALL REJECTED": "The other side or the exchange rejected the call. Check the number before you try again.",
    "DIAL LOCKED": "Dialling is locked in this modem. Its manual says how to unlock it.",
    "+FCERROR": "The modem is set up for fax. Set it up for data: --init AT+FCLASS=0",
    "unknown": 'The modem said "{words}" and then nothing for {seconds:.0f} s, so the call was given up.',
    "nobody": "Nobody answered within {seconds:.0f} seconds. See that the other side runs 'p2pcards listen --modem'.",
    "silent": (
        "What is at this port does not answer as a modem does (no OK to ATE0V1Q0). See that the modem is switched on, "
        "that the device and the speed are right, and that no other program uses it."
    ),
    "strange": (
        "What is at this port answers, but refuses ATE0V1Q0, which every Hayes modem understands. It may be another "
        "kind of device; choose the right one with --device."
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
    """A line that the modem says. word: the result code in its usual spelling, or "" if it is not a result."""

    word: str
    text: str

    @property
    def is_known(self) -> bool:
        """A result, or information of a usual form."""
        return bool(self.word or _INFORMATION.match(self.text))

    @property
    def may_end(self) -> bool:
        """Words in capitals alone, as results are, which are not known."""
        looks = re.fullmatch("[A-Z]{2,}(?:[ -][A-Z]+)*[.!]?", self.text)
        return bool(looks) and not self.is_known and not _PROGRESS.search(self.text)


def read_result(line: bytes, command: str = "", digits: bool = False) -> ModemLine:
    """What a line means, noise and the echo of this command in front left out. digits: the modem may give its results
    as numbers."""
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
    """All bytes have the same parity, or all have bit 7."""
    return len({byte.bit_count() % 2 for byte in line}) == 1 or all(byte & 0x80 for byte in line)


def _without_echo(text: str, command: str) -> str:
    """Some modems echo though they were told not to, some each character twice (as the port does too)."""
    if not command:
        return text
    twice = "".join(character * 2 for character in command)
    echo = re.match(f"[^A-Za-z0-9]*(?:{re.escape(twice)}|{re.escape(command)})", text, re.IGNORECASE)
    return text[echo.end() :].strip() if echo else text


def sentence_of(result: ModemLine) -> str:
    """What a result that ends a call means, and what to try; with the modem's own words where it says more."""
    times = re.search(r"(?:(\d{1,2}):)?(\d{1,2}):(\d{2})\b", result.text)
    hours, minutes, seconds = [int(part or 0) for part in times.groups()] if times else (0, 0, 0)
    wait = hours * 60 + minutes + bool(seconds)
    later = f"in {wait} minute{'s' if wait > 1 else ''}" if wait else "in some minutes"
    sentence = SENTENCES[result.word].format(later=later)
    bare = result.text.isdigit() or re.sub("[ -]", "", result.text) == result.word.replace(" ", "")
    return sentence if bare else f"{sentence} The modem said: {result.text}"


def rate_in(text: str) -> int | None:
    """Bits a second of the line in CARRIER 33600/V34, +MRR: 26400,28800 or CONNECT and what follows it: how fast this
    side sends, where that is told. None: it says nothing."""
    for form in (r"(\d{3,6}):TX", r"V\.?\d{2}\w* (\d{3,6})\b", r"(?<![\w.:])(\d{3,6})(?![\w.:])"):
        if (found := re.search(form, text, re.IGNORECASE)) and int(found[1]) >= SLOWEST:
            return int(found[1])
    return None


def redial_after(result: str, redials: int) -> float | None:
    """Seconds until the number may be dialled once more after this `Failed.result`, or None if it may not; redials: how
    often it was done."""
    return BUSY_PAUSE if result == "BUSY" and redials < BUSY_TRIES else None
