"""Whom `p2pcards connect` calls: the hosts that were named, or a choice of those who listen nearby."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from p2pcards.cli.failing import Failure
from p2pcards.cli.output import at_terminal, columns, question, say, show
from p2pcards.control.exits import NETWORK, USAGE
from p2pcards.control.messages import Host

if TYPE_CHECKING:
    from p2pcards.links.lan import Found
    from p2pcards.store.home import Home

LISTENERS = 3
PATIENCE = 1.0
"""Seconds in which somebody nearby answers."""


def hosts_to_call(home: Home, named: Sequence[str], partner: str = "", codes: Sequence[str] = ()) -> tuple[Host, ...]:
    """The hosts, each once, a known peer by their name or by an address; partner: one of them, or one more; codes: one
    for each, in their order, or none. Raises Failure."""
    from p2pcards.links.address import BadAddress, canonical
    from p2pcards.store.peers import address_of, load_peers

    peers = load_peers(home)
    try:
        addresses = dict.fromkeys(canonical(address_of(peers, text)) for text in named)
        opposite = canonical(address_of(peers, partner)) if partner else ""
    except BadAddress as bad:
        raise Failure(str(bad), USAGE) from None
    if opposite:
        addresses[opposite] = None
    if len(addresses) > LISTENERS:
        raise Failure(
            f"{len(addresses)} hosts are too many: a coordinator and three listeners are the most at a table.", USAGE
        )
    given = [code_text(code) for code in codes]
    if given and len(given) != len(addresses):
        raise Failure(
            f"{_count(len(given), 'code')} for {_count(len(addresses), 'host')}: give one for each, in their order. "
            "People you know don't need one; call the others from the table: invite HOST CODE",
            USAGE,
        )
    given = given or [""] * len(addresses)
    return tuple([Host(one, one == opposite, code) for one, code in zip(addresses, given, strict=True)])


def code_text(typed: str) -> str:
    """A code as it is spelled; "" for none. Raises Failure."""
    from p2pcards.wire.spoken import BadCode, read_code

    try:
        return str(read_code(typed)) if typed else ""
    except BadCode as bad:
        raise Failure(str(bad), USAGE) from None


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def nearby(home: Home, as_json: bool, codes: Sequence[str] | None = None) -> tuple[Host, ...]:
    """Those whom a person at a terminal chooses among the listeners that are found on the network. Elsewhere they are
    printed, and nobody is called. Raises Failure."""
    import trio

    from p2pcards.links.lan import probe

    found = trio.run(probe, PATIENCE)
    if not found and not as_json:
        raise Failure(
            "Nobody on this network is listening. Ask your friend to run 'p2pcards listen --lan', or give "
            "the address: p2pcards connect HOST",
            NETWORK,
        )
    data = [facts(home, one) for one in found]
    rows = [(str(number), *one.values()) for number, one in enumerate(data, 1)]
    show(data, columns([("", "name", "address", "key", "known as"), *rows]), as_json)
    if as_json or not at_terminal():
        return ()
    return hosts_to_call(home, [data[number - 1]["address"] for number in _choice(len(data))], "", codes or ())


def facts(home: Home, found: Found) -> dict[str, str]:
    """Who listens there."""
    from p2pcards.links.address import format_address
    from p2pcards.store.peers import by_key, load_peers
    from p2pcards.wire.keys import fingerprint
    from p2pcards.wire.names import given_name

    known = by_key(load_peers(home), found.key)
    return {
        "name": given_name(found.name) or "stranger",
        "address": format_address(found.host, found.port),
        "fingerprint": fingerprint(found.key),
        "known_as": known.name if known else "",
    }


def _choice(count: int) -> list[int]:
    """The numbers that a person chooses, of 1 to count; none for an empty answer."""
    while True:
        answer = question("Whom do you want to call? One number or several, or nothing to cancel: ")
        words = answer.replace(",", " ").split()
        if all(word.isdecimal() and 1 <= int(word) <= count for word in words):
            return [int(word) for word in words]
        say(f"Numbers from 1 to {count}, please.")
