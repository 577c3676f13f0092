"""Telephone numbers: what may be dialled, and what is not dialled by mistake."""

import re

LONGEST = 36
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
_OUTSIDE = r"(?:[*#][0-9]{2,3}#?)?[09]?"
"""A service such as *67 (caller not shown), then the digit that asks a private exchange for an outside line."""
_AN_EMERGENCY = re.compile(f"{_OUTSIDE}(?:{EMERGENCY})")


class BadNumber(ValueError):
    """The text is not a telephone number that may be dialled; the argument is a sentence."""


def clean_number(text: str) -> str:
    """The number as the modem gets it: digits, `*`, `#` and the pauses `,` `W` `!` `@`, 36 characters at most. Raises
    BadNumber. Nothing that comes out can end the dial command or begin another one."""
    text = text.strip(" ").replace("w", "W")
    if text.startswith("+"):
        raise BadNumber(
            "A modem cannot dial '+'. Write what you would dial on a telephone here: 00 or 011, and then the country."
        )
    for character in text:
        if not ALLOWED.fullmatch(character):
            raise BadNumber(
                f"{_name(character)} cannot stand in a telephone number. Allowed are digits, * and #, the pauses , W ! "
                "and @, and spaces, brackets, dots, hyphens and slashes between them."
            )
    number = DECORATION.sub("", text)
    if not re.search("[0-9]", number):
        raise BadNumber("A telephone number needs at least one digit, as in '555-1234'.")
    if len(number) > LONGEST:
        raise BadNumber(f"The number has {len(number)} characters; modems dial {LONGEST} at most.")
    return number


def _name(character: str) -> str:
    if character == ";":
        return "';' (with which a modem would wait for another command)"
    if character.isprintable() and character.isascii():
        return f"'{character}'"
    return f"The character U+{ord(character):04X}"


def from_inside(number: str, prefix: str) -> str:
    """What is dialled for a cleaned number where a prefix goes in front of all that do not begin with it already."""
    return number if number.startswith(prefix) else prefix + number


def is_emergency(number: str) -> bool:
    """Whether dialling this cleaned number calls the police, the fire service or an ambulance somewhere in the world;
    also behind the digit for an outside line (`9,911`, `0112`), and though something follows after a pause."""
    dialled = re.split("[,W!@]", number)
    return any(_AN_EMERGENCY.fullmatch("".join(dialled[:end])) for end in range(1, len(dialled) + 1))
