"""`p2pcards reach`: what works between this machine and friends elsewhere, tried in every way and told in a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from p2pcards.cli.command import Failure, current_home
from p2pcards.cli.options import AsJson
from p2pcards.cli.terminal import print_error, print_result, progress_bar
from p2pcards.control.exits import NETWORK, USAGE

if TYPE_CHECKING:
    from p2pcards.links.outside_view import OutsideView
    from p2pcards.links.ways import PortWay, Ways

CODE = "Friends anywhere can join you with a code"
BY_PORT = f"{CODE}, and games run directly: your router opens a port for them."
BY_PORT_IPV6 = f"{CODE}, and games run directly with friends who have IPv6: your router opens a port for them."
BY_ADDRESS = f"{CODE}, and games run directly: this machine has a public address."
BY_UDP = f"{CODE}. Games run directly if both routers allow it, and through a broker otherwise."
SYMMETRIC = f"{CODE}. Your router uses a new port for every address, so two homes like that play through a broker."
NO_LIBRARY = f"{CODE}, and games run through a broker."
NO_UDP = f"{CODE}. This network blocks UDP, so games run through a broker."
NO_CODE = "No broker can be reached, so codes don't work from here."
BY_HOST = f"{NO_CODE} Friends anywhere can still join you by address."
BY_IPV6 = f"{NO_CODE} Friends who have IPv6 can still join you by address."
NO_WAY = "Friends elsewhere can't join you from this network right now; those on the same network can."

HOST_BY_CODE, HOST = "Next: p2pcards host --reach", "Next: p2pcards host"
AGAIN = "Next: try the advice above, then run p2pcards reach again."


def reach(as_json: AsJson = False) -> None:
    """Test how friends elsewhere can reach you. It takes up to ten seconds, and says what to do next.

    Brokers and public STUN servers see your IP address. If your router opens a port, it is closed again.
    """
    import trio

    from p2pcards.daemon.reach import first_use_notice, reach_of, why_off
    from p2pcards.daemon.rendezvous import addresses_of, stun_servers_of
    from p2pcards.links.ways import try_ways
    from p2pcards.store.settings import usable_settings

    home = current_home()
    settings = usable_settings(home).settings
    chosen = reach_of(settings)
    if chosen == "off":
        raise Failure(why_off(settings), USAGE)
    if told := first_use_notice(home):
        print_error(told)
    servers = stun_servers_of(settings.stun)
    ways = trio.run(try_ways, addresses_of(settings.brokers), servers, progress_bar("ways"))
    meaning, then = reach_summary(ways), advise_next_step(ways, codes_always=chosen == "on")
    data = {**reach_data(ways), "friends_anywhere": ways.has_any, "meaning": meaning, "next": then}
    print_result(data, [*reach_table(ways), "", *failure_reasons(ways), meaning, then], as_json)
    if not ways.has_any:
        raise typer.Exit(NETWORK)


# --- for people -------------------------------------------------------------------------------------------------------


def reach_table(ways: Ways) -> list[str]:
    from p2pcards.present.width import align_columns

    brokers = [
        (f"broker {one.address.partition('://')[2]}", one.why_not, one.seconds, "a message came back")
        for one in ways.brokers
    ]
    rows = [
        *brokers,
        ("UDP over IPv4", ways.udp_ipv4.why_not, ways.udp_ipv4.seconds, _outside_text(ways.udp_ipv4)),
        ("UDP over IPv6", ways.udp_ipv6.why_not, ways.udp_ipv6.seconds, _outside_text(ways.udp_ipv6)),
        ("router port", ways.port.why_not, ways.port.seconds, _port_text(ways.port)),
        ("direct connections", ways.direct_why_not, None, "supported here"),
    ]
    words = [
        (
            way,
            "no" if why_not else "yes",
            "" if seconds is None else str(_milliseconds(seconds)),
            "" if why_not else found,
        )
        for way, why_not, seconds, found in rows
    ]
    return align_columns([("way", "works", "ms", "found"), *words], numbers=(2,))


def _outside_text(view: OutsideView) -> str:
    from p2pcards.links.outside_view import MappingKind

    kinds = {
        MappingKind.NO_NAT: "no NAT",
        MappingKind.ENDPOINT_INDEPENDENT: "same port for all",
        MappingKind.ADDRESS_DEPENDENT: "new port for each",
        MappingKind.UNKNOWN: "one answer only",
    }
    return f"{view.address}, {kinds[view.kind]}"


def _port_text(port: PortWay) -> str:
    return f"{port.address} by {port.by}, closed again" if port.by else f"{port.address} is public"


def failure_reasons(ways: Ways) -> list[str]:
    """A sentence for each way that fails, then an empty line; empty where all work."""
    brokers = [one.why_not for one in ways.brokers]
    every = [*brokers, ways.udp_ipv4.why_not, ways.udp_ipv6.why_not, ways.port.why_not, ways.direct_why_not]
    found = list(dict.fromkeys(filter(None, every)))
    return [*found, ""] if found else []


def reach_summary(ways: Ways) -> str:
    """A sentence on who can reach this machine, and how."""
    from p2pcards.links.outside_view import MappingKind

    if not ways.has_broker:
        return BY_HOST if ways.has_any else BY_IPV6 if ways.port.address is not None else NO_WAY
    if ways.port.address is not None:
        return BY_ADDRESS if not ways.port.by else BY_PORT if ways.port.address.version == 4 else BY_PORT_IPV6
    if ways.udp_ipv4.why_not and ways.udp_ipv6.why_not:
        return NO_UDP
    if ways.direct_why_not:
        return NO_LIBRARY
    return SYMMETRIC if ways.udp_ipv4.kind is MappingKind.ADDRESS_DEPENDENT else BY_UDP


def advise_next_step(ways: Ways, *, codes_always: bool) -> str:
    """A sentence on what to do next. codes_always: every table that waits is also at the brokers."""
    if ways.has_broker:
        return HOST if codes_always else HOST_BY_CODE
    return HOST if ways.port.address is not None else AGAIN


# --- for programs -----------------------------------------------------------------------------------------------------


def reach_data(ways: Ways) -> dict[str, Any]:
    return {
        "brokers": [{"broker": one.address, **_outcome_data(one.why_not, one.seconds)} for one in ways.brokers],
        "udp_ipv4": _view_data(ways.udp_ipv4),
        "udp_ipv6": _view_data(ways.udp_ipv6),
        "port": {
            **_outcome_data(ways.port.why_not, ways.port.seconds),
            "address": None if ways.port.address is None else str(ways.port.address),
            "by": ways.port.by,
        },
        "direct": {"works": not ways.direct_why_not, "why_not": ways.direct_why_not},
    }


def _view_data(view: OutsideView) -> dict[str, Any]:
    answers = [
        {
            "server": answer.server,
            "address": str(answer.seen.address),
            "port": answer.seen.port,
            "ms": _milliseconds(answer.seconds),
        }
        for answer in view.answers
    ]
    address = None if view.address is None else str(view.address)
    return {**_outcome_data(view.why_not, view.seconds), "address": address, "mapping": view.kind, "answers": answers}


def _outcome_data(why_not: str, seconds: float | None) -> dict[str, Any]:
    return {"works": not why_not, "ms": None if seconds is None else _milliseconds(seconds), "why_not": why_not}


def _milliseconds(seconds: float) -> int:
    return max(1, round(seconds * 1000))
