"""UPnP without a network: what a router answers, and what hostile ones do."""

from __future__ import annotations

import re
from contextlib import suppress
from ipaddress import IPv4Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.links import upnp
from p2pcards.links.upnp import BadUpnp, Endpoint, MappingService

ROUTER = IPv4Address("192.168.2.1")
DESCRIBED = Endpoint(45789, "/rootDesc.xml")
KIND = "urn:schemas-upnp-org:service:WANIPConnection:1"


def found(location: str = "http://192.168.2.1:45789/rootDesc.xml", device: str = f"{upnp.DEVICE}1") -> bytes:
    lines = ["HTTP/1.1 200 OK", "CACHE-CONTROL: max-age=120", f"ST: {device}", "EXT:", f"Location: {location}", "", ""]
    return "\r\n".join(lines).encode()


def description(control: str = "/ctl/IPConn", kind: str = KIND, more: str = "") -> bytes:
    return (
        '<?xml version="1.0"?>\n<root xmlns="urn:schemas-upnp-org:device-1-0">' + more + "<device><serviceList>"
        "<service><serviceType>urn:schemas-upnp-org:service:Layer3Forwarding:1</serviceType>"
        "<controlURL>/ctl/L3F</controlURL></service></serviceList><deviceList><device><serviceList><service>"
        f"<serviceType> {kind} </serviceType><controlURL>{control}</controlURL></service></serviceList></device>"
        "</deviceList></device></root>"
    ).encode()


def answer(inner: str) -> bytes:
    return (
        '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>' + inner + "</s:Body></s:Envelope>"
    ).encode()


def test_a_router_is_found() -> None:
    assert upnp.read_found(found(), ROUTER) == DESCRIBED
    assert upnp.read_found(found(device=f"{upnp.DEVICE}2"), ROUTER) == DESCRIBED
    assert upnp.read_found(found("http://192.168.2.1/a?b=c"), ROUTER) == Endpoint(80, "/a?b=c")


@pytest.mark.parametrize(
    "location",
    [
        "http://192.0.1.3:80/rootDesc.xml",  # somebody else
        "http://192.168.2.1.example.org/rootDesc.xml",
        "http://192.168.2.1@192.0.1.3/rootDesc.xml",
        "http://ann@192.168.2.1/rootDesc.xml",
        "http://3232236033/rootDesc.xml",  # the same number, but not as it is written
        "https://192.168.2.1/rootDesc.xml",
        "ftp://192.168.2.1/rootDesc.xml",
        "http://192.168.2.1:0/",
        "http://192.168.2.1:65536/",
        "http://192.168.2.1:4x/",
        "http://[::1/",
        "http://192.168.2.1/a b",
        "//192.168.2.1/",
        "",
    ],
)
def test_nobody_but_the_router_is_asked(location: str) -> None:
    assert upnp.read_found(found(location), ROUTER) is None
    if location.startswith("http") and " " not in location:  # else it is taken for a path on the router
        with pytest.raises(BadUpnp):
            upnp.read_description(description(location), DESCRIBED, ROUTER)


def test_an_answer_for_another_device_or_none_is_passed_over() -> None:
    assert upnp.read_found(found(device="urn:schemas-upnp-org:device:MediaServer:1"), ROUTER) is None
    assert upnp.read_found(found().replace(b"200 OK", b"404 Not Found"), ROUTER) is None
    assert upnp.read_found(found().replace(b"HTTP/1.1 200", b"NOTIFY *"), ROUTER) is None
    assert upnp.read_found(found() + bytes(2048), ROUTER) is None


@pytest.mark.parametrize("kind", upnp.SERVICES)
def test_a_description_leads_to_the_service(kind: str) -> None:
    expected = MappingService(Endpoint(45789, "/ctl/IPConn"), kind)
    assert upnp.read_description(description(kind=kind), DESCRIBED, ROUTER) == expected
    absolute = description("http://192.168.2.1:5000/ctl?a=1&amp;b=2", kind)
    assert upnp.read_description(absolute, DESCRIBED, ROUTER).endpoint == Endpoint(5000, "/ctl?a=1&b=2")
    based = description("ctl", kind, "<URLBase>http://192.168.2.1:5000/x/</URLBase>")
    assert upnp.read_description(based, DESCRIBED, ROUTER).endpoint == Endpoint(5000, "/x/ctl")


@pytest.mark.parametrize(
    "xml",
    [
        b"",
        b"<root>",
        description(kind="urn:schemas-upnp-org:service:WANCommonInterfaceConfig:1"),
        description(more="<URLBase>http://192.0.1.3/</URLBase>"),
        b'<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><root>&b;</root>',
        b'<!DOCTYPE r SYSTEM "http://192.0.1.3/r.dtd"><root/>',
        b"<a>" * 5000,
        b"<r>" + b"<a/>" * 5000 + b"</r>",
        description(more="<x>" + "y" * 65536 + "</x>"),
    ],
    ids=["empty", "cut", "no service", "other base", "entities", "outside", "deep", "many", "64 kB"],
)
def test_a_bad_description_is_refused(xml: bytes) -> None:
    with pytest.raises(BadUpnp):
        upnp.read_description(xml, DESCRIBED, ROUTER)


def test_arguments_of_a_request_are_quoted() -> None:
    headers, body = upnp.soap(MappingService(DESCRIBED, KIND), "AddPortMapping", NewPortMappingDescription="a<b&c")
    assert ("SOAPAction", f'"{KIND}#AddPortMapping"') in headers
    assert b"<NewPortMappingDescription>a&lt;b&amp;c</NewPortMappingDescription>" in body
    assert f'<u:AddPortMapping xmlns:u="{KIND}">'.encode() in body


@pytest.mark.parametrize(
    ("text", "address"), [("192.0.1.12", "192.0.1.12"), (" 10.0.0.1\n", "10.0.0.1"), ("", "0.0.0.0")]
)
def test_a_router_tells_its_address(text: str, address: str) -> None:
    told = answer(f"<u:R xmlns:u='x'><NewExternalIPAddress>{text}</NewExternalIPAddress></u:R>")
    assert upnp.read_address(told) == IPv4Address(address)


@pytest.mark.parametrize("inner", ["", "<NewExternalIPAddress>my.router</NewExternalIPAddress>"])
def test_what_is_no_address_is_refused(inner: str) -> None:
    with pytest.raises(BadUpnp):
        upnp.read_address(answer(inner))


def test_a_fault_has_a_number() -> None:
    fault = "<s:Fault><detail><UPnPError xmlns='u'><errorCode>{}</errorCode></UPnPError></detail></s:Fault>"
    assert upnp.read_fault(answer(fault.format(718))) == upnp.CONFLICT
    for bad in ("", "-1", "99999", "²", "0x1"):
        with pytest.raises(BadUpnp):
            upnp.read_fault(answer(fault.format(bad)))


@given(st.binary(max_size=200), st.integers(0, len(description())), st.integers(0, 40))
def test_whatever_a_router_answers_only_a_path_of_its_own_is_asked_for(some: bytes, at: int, cut: int) -> None:
    xml, datagram = (text[:at] + some + text[at + cut :] for text in (description(), found()))
    asked = [upnp.read_found(datagram, ROUTER)]
    with suppress(BadUpnp):
        asked.append(upnp.read_description(xml, DESCRIBED, ROUTER).endpoint)
    for read in (upnp.read_fault, upnp.read_address):
        with suppress(BadUpnp):
            read(xml)
    for endpoint in asked:
        assert endpoint is None or (0 < endpoint.port < 65536 and re.fullmatch("/[!-~]*", endpoint.target))
