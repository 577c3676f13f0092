"""UPnP's Internet Gateway Device: what is asked to find it and to have it map a TCP port, and what it answers. No I/O.

Only the router's own address is ever asked: what it answers may name any other, and is then no answer.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit
from xml.parsers import expat
from xml.sax.saxutils import escape

from p2pcards.links.pcp import IP

GROUP, SEARCH_PORT = "239.255.255.250", 1900
DEVICE = "urn:schemas-upnp-org:device:InternetGatewayDevice:"
"""Before its version; one of a later version answers to the first."""
SERVICES = tuple(
    f"urn:schemas-upnp-org:service:{name}" for name in ("WANIPConnection:2", "WANIPConnection:1", "WANPPPConnection:1")
)
"""The first of them that a router has is asked."""

LONGEST_FOUND = 2048
"""Bytes of a datagram that tells where a router is described."""
LONGEST = 65536
"""Bytes of an answer over HTTP, its head among them."""
DEEPEST = 32
MOST_ELEMENTS = 4000

CONFLICT = 718
"""Another machine has the external port."""
ONLY_PERMANENT = 725
FAULTS = {501: "it failed", 606: "not allowed", CONFLICT: "another machine has it", 728: "none left"}

SEARCH = (
    f'M-SEARCH * HTTP/1.1\r\nHOST: {GROUP}:{SEARCH_PORT}\r\nMAN: "ssdp:discover"\r\nMX: 1\r\nST: {DEVICE}1\r\n\r\n'
).encode()


@dataclass(frozen=True, slots=True)
class Endpoint:
    """On the router: where HTTP is answered, and what is asked for there."""

    port: int
    target: str


@dataclass(frozen=True, slots=True)
class MappingService:
    endpoint: Endpoint
    kind: str


class BadUpnp(Exception):
    """What came is no answer that can be used."""


def read_found(datagram: bytes, router: IP) -> Endpoint | None:
    """The endpoint at which the router is described, from an answer to SEARCH; None for anything else."""
    lines = datagram.decode("latin-1").split("\r\n")
    if len(datagram) > LONGEST_FOUND or lines[0].split(" ")[:2] not in (["HTTP/1.1", "200"], ["HTTP/1.0", "200"]):
        return None
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    return _endpoint(headers.get("location", ""), router) if headers.get("st", "").startswith(DEVICE) else None


def read_description(xml: bytes, described: Endpoint, router: IP) -> MappingService:
    """The port mapping service in a router's description. Raises BadUpnp."""
    elements = _elements(xml)
    own = f"http://{router}:{described.port}{described.target}"
    base = next((children["URLBase"] for _, children in elements if children.get("URLBase")), own)
    for kind in SERVICES:
        for name, children in elements:
            if name == "service" and children.get("serviceType") == kind:
                endpoint = _endpoint(_joined(base, children.get("controlURL", "")), router)
                if endpoint is not None:
                    return MappingService(endpoint, kind)
    raise BadUpnp("no service that maps ports")


def soap(service: MappingService, action: str, **arguments: object) -> tuple[list[tuple[str, str]], bytes]:
    """(headers, body) of a SOAP request for an action."""
    words = "".join(f"<{name}>{escape(str(value))}</{name}>" for name, value in arguments.items())
    body = (
        '<?xml version="1.0"?>\r\n<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" '
        's:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>'
        f'<u:{action} xmlns:u="{service.kind}">{words}</u:{action}></s:Body></s:Envelope>\r\n'
    ).encode()
    return [("Content-Type", 'text/xml; charset="utf-8"'), ("SOAPAction", f'"{service.kind}#{action}"')], body


def read_address(xml: bytes) -> IP:
    """The router's outside address in an answer, 0.0.0.0 if it has none. Raises BadUpnp."""
    for _, children in _elements(xml):
        if (text := children.get("NewExternalIPAddress")) is not None:
            try:
                return ipaddress.IPv4Address(text or "0.0.0.0")
            except ValueError:
                break
    raise BadUpnp("no address")


def read_fault(xml: bytes) -> int:
    """The number of a fault in an answer. Raises BadUpnp."""
    for _, children in _elements(xml):
        code = children.get("errorCode", "")
        if code.isascii() and code.isdigit() and len(code) <= 4:
            return int(code)
    raise BadUpnp("no fault")


def _joined(base: str, target: str) -> str:
    """The target URL relative to a base, "" if malformed."""
    try:
        return urljoin(base, target)
    except ValueError:
        return ""


def _endpoint(address: str, router: IP) -> Endpoint | None:
    """The endpoint of a URL, None if it isn't on the router."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    printable = target.startswith("/") and all("!" <= letter <= "~" for letter in target)
    if parts.scheme != "http" or host != str(router) or parts.username is not None or port == 0 or not printable:
        return None
    return Endpoint(port or 80, target)


def _elements(xml: bytes) -> list[tuple[str, dict[str, str]]]:
    """(name, {child: text}) of every element, in the order of their ends. Raises BadUpnp."""
    if len(xml) > LONGEST:
        raise BadUpnp("too long")
    found: list[tuple[str, dict[str, str]]] = []
    open_elements: list[tuple[str, dict[str, str], list[str]]] = [("", {}, [])]

    def start(name: str, _attributes: object) -> None:
        """Parser callback: an element starts. Raises BadUpnp for too many."""
        if len(open_elements) > DEEPEST or len(found) > MOST_ELEMENTS:
            raise BadUpnp("too many elements")
        open_elements.append((name.rpartition(":")[2], {}, []))

    def end(_name: str) -> None:
        """Parser callback: an element ends."""
        name, children, texts = open_elements.pop()
        found.append((name, children))
        open_elements[-1][1].setdefault(name, "".join(texts).strip())

    def refuse(*_: object) -> None:
        """Parser callback: raise BadUpnp for a definition of entities."""
        raise BadUpnp("it defines entities")

    def add_text(text: str) -> None:
        """Parser callback: text inside an element."""
        open_elements[-1][2].append(text)

    parser = expat.ParserCreate("iso-8859-1")  # all that we read is ASCII, and any byte may be among the rest
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = add_text
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(xml, True)
    except expat.ExpatError as error:
        raise BadUpnp(str(error)) from None
    return found
