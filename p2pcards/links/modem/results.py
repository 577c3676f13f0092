"""What a modem says: its lines, what each of its results means, and when a number may be dialled once more."""

import re
from dataclasses import dataclass

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
    "DELAYED": "The modem refuses to dial this number again so soon after failed calls. Try again in some minutes.",
    "BLACKLISTED": (
        "The modem refuses to dial this number any more, after too many failed calls. Its manual says when that ends; "
        "switching it off and on often helps."
    ),
    "ERROR": "The modem does not accept the number. It may not know one of its characters; try digits alone.",
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

_INFORMATION = re.compile(r"(RINGING|CARRIER|PROTOCOL|COMPRESSION|\+MCR|\+MRR|\+ER)\b|[A-Z]{4} ?=")
"""How a call comes about, and who calls; a caller's name could be BUSY."""
_RESULT = re.compile(
    r"(?<![A-Z])(CONNECT(?![A-Z]).*|RING(?: ?[A-Z0-9])?$|OK$|NO ?CARRIER$|ERROR$|NO ?DIAL ?TONE$|BUSY$|NO ?ANSWER$"
    r"|VOICE$|FAX$|DELAYED\b.*|BLACKLISTED\b.*)"
)
_WORDS = ("CONNECT", "RING", "OK", "BUSY", "VOICE", "FAX", "ERROR", "DELAYED", "BLACKLISTED")
ENDS = frozenset(SENTENCES) - {"nobody", "silent", "strange"}
"""The results that end a call."""


@dataclass(frozen=True, slots=True)
class ModemLine:
    """A line that the modem says. word: the result code in its usual spelling, or "" if it is not a result."""

    word: str
    text: str


def read_result(line: bytes) -> ModemLine:
    """What a line means, noise in front of a result left out."""
    text = "".join(chr(byte) for byte in line if 32 <= byte < 127).strip()
    found = None if _INFORMATION.match(text) else _RESULT.search(text)
    if not found:
        return ModemLine("", text)
    text = found[1]
    for word in _WORDS:
        if text.startswith(word):
            return ModemLine(word, text)
    squeezed = text.replace(" ", "")
    return ModemLine({"NODIALTONE": "NO DIALTONE", "NOCARRIER": "NO CARRIER", "NOANSWER": "NO ANSWER"}[squeezed], text)


def redial_after(result: str, redials: int) -> float | None:
    """Seconds until the number may be dialled once more after this `Failed.result`, or None if it may not; redials: how
    often it was done."""
    return BUSY_PAUSE if result == "BUSY" and redials < BUSY_TRIES else None


def number_in(text: str) -> int | None:
    """The rate in a line such as CARRIER 33600/V34, in bits a second."""
    number = re.search(r"\d{3,6}", text)
    return int(number[0]) if number else None
