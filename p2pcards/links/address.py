"""Where somebody can be called, as people write it: a host, a telephone number, a device with a cable, a WebSocket, a
code that says by itself where to meet, or the link that a host sends."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from urllib.parse import unquote

from p2pcards.links.modem.hayes import BadNumber, clean_number
from p2pcards.wire.address import (
    CABLE,
    MEETING,
    ONION,
    SECURE_WEBSOCKET,
    TELEPHONE,
    WEBSOCKET,
    invitation_in,
    is_cable,
    is_meeting,
    is_telephone,
    is_web,
)
from p2pcards.wire.clean import as_typed, visible
from p2pcards.wire.invitation import (
    HASH_DIGITS,
    LETTERS,
    BadInvitation,
    Invitation,
    looks_like_invitation,
    read_invitation,
)
from p2pcards.wire.spoken import EXAMPLE, MEETING_EXAMPLE, MEETING_NUMBERS, SECOND, BadCode, read_code

DEFAULT_PORT = 4747
WEB_PORT, SECURE_PORT = 80, 443
TABLE = "/table"
"""The path of the WebSocket, beside the page (protocol/websocket.md)."""
SUBPROTOCOL = "p2pcards.1"
"""What is spoken over it."""
MESSAGE = 65536
"""Bytes of the longest message of it, all its fragments together."""


class BadAddress(ValueError):
    """The text is not an address; the argument is a sentence."""


def canonical(text: str) -> str:
    """The one way to write an address: `host:port`, `tel:5551234`, `cable:/dev/ttyS0`, `ws://host:port`, `meet:48213`,
    `meet:FINGERPRINT` or `meet:INVITATION`. A link becomes the address of its table. Raises BadAddress."""
    text = text_of_link(text)[0]
    if is_telephone(text):
        try:
            return TELEPHONE + clean_number(text.removeprefix(TELEPHONE))
        except BadNumber as bad:
            raise BadAddress(str(bad)) from None
    if is_cable(text):
        device = text.removeprefix(CABLE).strip()
        if not device or not device.isprintable():
            raise BadAddress("Which serial device is the cable on? For example: cable:/dev/ttyS0")
        return CABLE + device
    if is_web(text):
        return str(parse_web(text))
    if is_meeting(text):
        return MEETING + _met_by(text.removeprefix(MEETING).strip().lower())
    if other := OTHER_PROGRAM.match(text):
        raise BadAddress(
            f"'{visible(other[0])}' opens another program. Paste the link your friend's p2pcards shows; "
            f"it looks like {EXAMPLE_LINK}"
        )
    return format_address(*parse_address(text))


def lasting(text: str) -> str:
    """The address to remember a person by; "" for a cable, code or invitation, where somebody else may be next time.
    Raises BadAddress."""
    address = canonical(text)
    return "" if is_cable(address) or meeting_number(address) or invitation_in(address) else address


def meeting_number(address: str) -> int:
    """The number of the code in a `meet:` address, 0 for any other."""
    number = address.removeprefix(MEETING) if is_meeting(address) else ""
    return int(number) if number.isdecimal() else 0


FINGERPRINT = re.compile(r"[a-z2-7]{4}(-[a-z2-7]{4}){3}")


def _met_by(text: str) -> str:
    """What follows `meet:`, in its one spelling: a number, fingerprint or invitation. Raises BadAddress."""
    if FINGERPRINT.fullmatch(text) or (re.fullmatch(r"[1-9][0-9]{4}", text) and int(text) in MEETING_NUMBERS):
        return text
    if looks_like_invitation(text):
        try:
            return str(read_invitation(text))
        except BadInvitation as bad:
            raise BadAddress(str(bad)) from None
    if re.fullmatch(r"[0-9]{1,2}", text):
        raise BadAddress(
            "A code that starts with a short number needs an address too: p2pcards join HOST --code CODE. "
            f"Codes from 'p2pcards host', such as {MEETING_EXAMPLE}, don't."
        )
    raise BadAddress(
        f"'{visible(text)}' isn't the five-digit number of a code or a friend's name (see p2pcards peers list)."
    )


def parse_address(text: str, usual: int = DEFAULT_PORT) -> tuple[str, int]:
    """(host, port) of `host`, `host:port`, `::1`, `[::1]` or `[::1]:port`, with the usual port where it has none.
    Raises BadAddress."""
    text = text.strip()
    if not text:
        raise BadAddress("The address is empty. Give a name or a number, as in 'anna.example.org' or '192.0.2.7:4747'.")
    bracketed = re.fullmatch(r"\[(.*)\](?::(.*))?", text)
    if bracketed:
        host, port = bracketed.groups()
        if not _is_ipv6(host):
            raise BadAddress(f"'{visible(host)}' isn't an IPv6 address. Only those go in brackets, as in '[::1]:4747'.")
    elif _is_ipv6(text):
        host, port = text, None
    elif text.count(":") > 1:
        raise BadAddress(f"'{visible(text)}' has too many colons. Write 'HOST:PORT', or '[IPv6]:PORT'.")
    else:
        host, colon, port = text.partition(":")
        port = port if colon else None
    if not bracketed and not _is_ipv6(host) and not is_hostname(host):
        raise BadAddress(f"'{visible(host)}' isn't a host name or an IP address. Check the spelling.")
    return host, usual if port is None else _port(port, usual)


def format_address(host: str, port: int) -> str:
    """The text that parse_address reads as (host, port)."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_hostname(text: str) -> bool:
    """True for letters, digits, dots, hyphens and underscores without a leading hyphen, which a program could take for
    an option."""
    return bool(re.fullmatch(r"\w[\w.-]{0,252}", text))


def _is_ipv6(text: str) -> bool:
    """True for an IPv6 address, with or without a zone."""
    address, percent, zone = text.partition("%")
    try:
        ipaddress.IPv6Address(address)
    except ValueError:
        return False
    return not percent or is_hostname(zone)


def _port(text: str, usual: int) -> int:
    """The number of a port, from 1 to 65535. usual: named in the error. Raises BadAddress."""
    if not re.fullmatch(r"[0-9]{1,5}", text) or not 1 <= int(text) <= 65535:
        raise BadAddress(f"'{visible(text)}' isn't a port. Ports go from 1 to 65535; the usual one is {usual}.")
    return int(text)


# --- WebSockets, and the links that lead to them ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WebAddress:
    secure: bool  # over TLS
    host: str
    port: int
    path: str  # of the request, from its first slash on

    def __str__(self) -> str:
        scheme = SECURE_WEBSOCKET if self.secure else WEBSOCKET
        return f"{scheme}{format_address(self.host, self.port)}{'' if self.path == TABLE else self.path}"


def parse_web(text: str) -> WebAddress:
    """`ws://HOST[:PORT][/PATH]`, or with `wss://`. Raises BadAddress."""
    text = text.strip()
    secure = text.startswith(SECURE_WEBSOCKET)
    where, slash, path = text.removeprefix(SECURE_WEBSOCKET if secure else WEBSOCKET).partition("/")
    if not re.fullmatch(r"[!$&'()*+,;=:@%~\w./-]{0,200}", path, re.ASCII):
        raise BadAddress(f"'{visible(slash + path)}' isn't a web path. Check the spelling, and leave out '?' and '#'.")
    host, port = parse_address(where, SECURE_PORT if secure else WEB_PORT)
    return WebAddress(secure, host, port, slash + path if path else TABLE)


def _names_port(where: str) -> bool:
    """True if an address says its port."""
    return not _is_ipv6(where) and bool(re.search(r":[0-9]+$", where))


HOST = r"[^\s/?#<>\"()|]"
ENCODED = r"https?%(?:25)*3a%(?:25)*2f"
OWN = rf"(?!https?://|{ENCODED})"
"""A redirection has the link that it leads to inside of its own."""
REST = rf"(?P<path>/(?:{OWN}[^\s?#])*)?(?:\?(?:{OWN}[^\s#])*)?"
SCHEME = re.compile(r"https?://", re.IGNORECASE)
# *+: a link that lacks its host is still a link, so that the refusal can say what is missing.
LINK = re.compile(rf"(?P<scheme>https?)://(?P<host>{HOST}*+){REST}(?:#(?P<code>.*))?", re.IGNORECASE | re.DOTALL)
NO_SCHEME = re.compile(rf"(?P<host>{HOST}++)(?!//){REST}#(?P<code>[0-9]+[\s%-].*)", re.DOTALL)
NO_SCHEME_NO_CODE = re.compile(rf"(?P<host>{HOST}++)(?<!:)(?=/){REST}")
ENCODED_SIGN = re.compile(r"%23(?=[0-9]+(?:[\s%-]|$))")
"""A # that a program has encoded, in front of a code; not the end of `fe80::1%23`."""
SIGN = re.compile(r"#|%(?:25)*23")
ENCODED_LINK = re.compile(ENCODED, re.IGNORECASE)
OTHER_PROGRAM = re.compile(r"(?!https?://|wss?://)(?:[a-z][a-z0-9+.-]*://|mailto:)", re.IGNORECASE)
CODE = re.compile(r"[0-9]+[\s-]+[a-z]+[\s-]+(?P<last>[a-z]++)(?![^\W\d_]|-+[^\W_])", re.IGNORECASE)
NO_CODE = re.compile(r"[\s&:?/.,;]")
"""Ends what stands in the place of a code."""
BREAK = re.compile(r"=?[^\S\r\n]*(?:[\r\n][\s>|]*|>[\s>]*)|=(?=[a-z])|\s+(?=#[0-9])", re.IGNORECASE)
"""A line end with the marks of a quoted message after it, and the = of a mail program before it, which a browser
leaves; a blank before a code."""
LONGEST, LONGEST_CODE = 2000, 200
"""Characters of a pasted text that are read, and of a code in it."""
LINES, BREAKS, LEVELS, READINGS = 40, 3, 3, 300
"""Most lines of it that are joined again, breaks in one link, links around one, and ways in which it is read."""
MEETING_CODE = re.compile(r"[0-9]{1,6}([\s-]+[a-z]+){2}|[0-9]{5}[\s-]+[a-z]+", re.IGNORECASE)
"""What is a code, right or wrong, and no name of a machine that anybody has."""
INVITED = re.compile(
    rf"(?:\b{MEETING}\s*|#|%(?:25)*23|\A(?=\S*\Z)(?!\S*\{ONION}))(?P<secret>[a-z2-7]{{{LETTERS}}})",
    re.IGNORECASE | re.ASCII,
)
EXAMPLE_LINK = f"http://192.0.2.7:{DEFAULT_PORT}/#{EXAMPLE}"


def text_of_link(pasted: str) -> tuple[str, str]:
    """(address, code) from a pasted link or code, the code "" if there is none; any other text is returned as typed.
    Text around a link is ignored (protocol/websocket.md)."""
    if is_cable(pasted.strip()) or is_telephone(pasted.strip()):
        return pasted.strip(), ""
    text = as_typed(pasted[:LONGEST])
    if invited := INVITED.search(text) or INVITED.search("".join(BREAK.split(text))):
        return MEETING + invited["secret"].lower(), ""
    if is_telephone(text) or is_web(text) or is_meeting(text):
        return text, ""
    if MEETING_CODE.fullmatch(text):
        return MEETING + re.split(r"[\s-]", text, maxsplit=1)[0].lstrip("0"), _spelled(text) or text
    found = _with_sound_code(text) or _like_a_link(text)
    if found is None:
        return text, ""
    parts = found.groupdict()
    host = _bare(parts["host"])
    # A host's own link always has a port; one without is that of a web space, which has TLS.
    scheme = parts.get("scheme") or ("http" if _names_port(host) else "https")
    secure = scheme.lower() == "https"
    code = _code_in(parts.get("code") or "")
    if looks_like_invitation(code):
        return MEETING + code, ""
    spelled = _spelled(code)
    number = spelled.partition("-")[0]
    if secure and spelled and int(number) in MEETING_NUMBERS:
        return MEETING + number, spelled
    websocket = SECURE_WEBSOCKET if secure else WEBSOCKET
    return f"{websocket}{host}{_folder(parts['path'] or '')}{TABLE}", spelled or code


def _like_a_link(text: str) -> re.Match[str] | None:
    """The first thing in a text that looks like a link, None if there is none."""
    text = text if "#" in text else ENCODED_SIGN.sub("#", text, count=1)
    return LINK.search(text) or NO_SCHEME.search(text) or NO_SCHEME_NO_CODE.fullmatch(text)


def _with_sound_code(text: str) -> re.Match[str] | None:
    """The first link whose code has words from the lists, which tells it from other links and shows where lines were
    broken."""
    if not SIGN.search(text):
        return None
    return next((found for found in islice(_readings(text), READINGS) if _spelled(_code_in(found["code"]))), None)


def _readings(text: str) -> Iterator[re.Match[str]]:
    """Possible links in a text, the likeliest first."""
    forms = list(_unwrapped(text))
    for form, joined in forms:
        for start in SCHEME.finditer(form):
            found = LINK.match(form, start.start())
            # In joined lines a second port is that of another link.
            if found and found["code"] and not (joined and ":" in (found["path"] or "")):
                yield found
    for form, joined in forms:
        found = NO_SCHEME.search(form)
        if found and _is_whole(_bare(found["host"]), joined):
            yield found


def _unwrapped(text: str) -> Iterator[tuple[str, bool]]:
    """Texts that this one may have been before mail or chat programs wrapped it, each with True if lines were joined
    for it."""
    decoded = [text]
    while ENCODED_LINK.search(decoded[-1]) and len(decoded) <= LEVELS:
        decoded.append(unquote(decoded[-1]))
    for form in dict.fromkeys([form for one in decoded for form in (one, ENCODED_SIGN.sub("#", one, count=1))]):
        yield form, False
        for lines in _joined(BREAK.split(form)):
            yield "\n".join(lines), True


def _joined(lines: list[str]) -> Iterator[list[str]]:
    """The lines as they are, then with some of them joined."""
    yield lines
    for breaks in range(1, BREAKS + 1):
        for first in range(len(lines[:LINES]) - breaks):
            end = first + breaks + 1
            yield [*lines[:first], "".join(lines[first:end]), *lines[end:]]


def _spelled(code: str) -> str:
    """The code in its one spelling; "" if it is none."""
    try:
        return str(read_code(code))
    except BadCode:
        return ""


def _is_whole(host: str, joined: bool) -> bool:
    """True if the host does not look cut off at a line's end; in joined lines, if it is no word of a sentence
    either."""
    name, colon, _ = host.partition(":")
    if joined and not colon and "." not in name:
        return False
    return ("[" in host or "]" not in host) and (not re.fullmatch(r"[0-9.]*", name) or name.count(".") == 3)


def _bare(host: str) -> str:
    """The host without unmatched brackets around it."""
    host = as_typed(host)
    return host if "[" in host and "]" in host else host.strip("[]")


def _folder(path: str) -> str:
    """The path of a page's folder, without its last slash."""
    above, _, name = path.rpartition("/")
    return (above if not as_typed(name) or as_typed(name).endswith((".html", ".htm")) else path).rstrip("/")


def _code_in(fragment: str) -> str:
    """The code at the beginning of a fragment, or what is there in its place."""
    text = as_typed(unquote(fragment[:LONGEST_CODE]))
    if not (found := CODE.match(text)):
        return NO_CODE.split(text, 1)[0]
    # A field of one line drops the line ends of what is pasted into it. No word of the list begins another.
    last = next((word for word in SECOND if found["last"].lower().startswith(word)), found["last"])
    return found[0].removesuffix(found["last"]) + found["last"][: len(last)]


def on_one_line(pasted: str) -> str:
    """Pasted lines as one line in which a link can be read."""
    if len(pasted.splitlines()) < 2:
        return pasted
    meant = text_of_link(pasted)
    ways = [" ".join(lines) for lines in _joined(BREAK.split(pasted[:LONGEST]))]
    return next((one for one in ways if text_of_link(one) == meant), ways[0])


def link_to_meeting(invitation: Invitation, page: str = "", page_hash: str = "") -> str:
    """The link for friends when this home cannot be called directly. page: an https page in which they may play, "" for
    programs only; page_hash: of the build that the page must have."""
    if not page:
        return f"{MEETING}{invitation}"
    return f"{page}#{invitation}.{page_hash[:HASH_DIGITS]}" if page_hash else f"{page}#{invitation}"


def link_to(host: str, port: int, code: str) -> str:
    """The link for friends to the page at this host, with the code in it if there is one."""
    return f"http://{format_address(host, port)}/{'#' if code else ''}{code}"
