"""`p2pcards identity` and `p2pcards peers`: who I am, and whom I know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from p2pcards.cli.command import AsJson, Failure, columns, our_home, say, say_error, show

if TYPE_CHECKING:
    from p2pcards.frontend.verdict import Conduct
    from p2pcards.store.files import Home

PeerName = Annotated[str, typer.Argument(metavar="NAME", help="As `p2pcards peers list` shows it.")]

peers = typer.Typer(rich_markup_mode=None, no_args_is_help=True, help="Whom this home knows, and by which key.")


def identity(as_json: AsJson = False) -> None:
    """Print the key that others know you by. It is made when there is none."""
    from p2pcards.store.files import login_name
    from p2pcards.store.identity import load_or_make_identity
    from p2pcards.store.settings import load_settings
    from p2pcards.wire.keys import fingerprint, public_bytes

    home = our_home()
    key = public_bytes(load_or_make_identity(home))
    name = load_settings(home).name or login_name()
    data = {"name": name, "fingerprint": fingerprint(key), "key": key.hex(), "file": str(home.identity)}
    lines = [
        f"{name}: {fingerprint(key)}",
        "Read these letters aloud to a friend who meets you for the first time; if they are what p2pcards shows there,",
        "nobody sits between you.",
        f"The key itself is in {home.identity}. Keep a copy; show it to nobody.",
    ]
    show(data, lines, as_json)


@peers.command("list")
def list_peers(as_json: AsJson = False) -> None:
    """List the peers that were met. Games are those whose logs are here; redeals, hands dealt again at their asking.

    Broke off: games that they left to begin another. Left out: hands that they shuffled without your part, though you
    had signed it. Took over: times that they had your seat taken over for a reason that was not so. Dropped out: times
    that somebody else at their table dropped out of a shuffle. Hosts with any of these are listed even if you don't
    know them.
    """
    from p2pcards.frontend.verdict import count_conduct
    from p2pcards.store.identity import load_peers
    from p2pcards.wire.address import is_meeting

    home = our_home()
    known, counted = load_peers(home), count_conduct(home, say_error)
    strangers = counted.strangers({peer.key for peer in known})
    data: list[dict[str, Any]] = [
        {
            **_person(peer.name, peer.key, counted),
            "address": peer.address,
            "proof": peer.proof,
            "first_seen": _when(peer.first_seen),
            "last_seen": _when(peer.last_seen),
        }
        for peer in known
    ]
    data += [
        {**_person(counted.names[key], key, counted), "address": "", "proof": None, "first_seen": "", "last_seen": ""}
        for key in strangers[:MOST_STRANGERS]
    ]
    rows = [
        (
            one["name"],
            one["fingerprint"],
            "a meeting point" if is_meeting(one["address"]) else one["address"] or "-",
            one["proof"] or "(not known)",
            one["last_seen"][:10] or "-",
            *[str(one[column]) for column in COUNTED],
        )
        for one in data
    ]
    head = ("name", "key", "address", "known by", "last seen", *COUNTED.values())
    lines = columns([head, *rows]) if rows else ["Nobody was met yet."]
    if (more := len(strangers) - MOST_STRANGERS) > 0:
        lines.append(f"... and {more} more that you don't know.")
    show(data, lines, as_json)


MOST_STRANGERS = 20
"""Hosts who are not known and are listed for what they did."""

COUNTED = {
    "games": "games",
    "redeals": "redeals",
    "broken_off": "broke off",
    "left_out": "left out",
    "taken_over": "took over",
    "dropped": "dropped out",
}


def _person(name: str, key: bytes, counted: Conduct) -> dict[str, Any]:
    from p2pcards.wire.keys import fingerprint

    return {
        "name": name,
        "fingerprint": fingerprint(key),
        "key": key.hex(),
        **{column: getattr(counted, column)[key] for column in COUNTED},
    }


@peers.command()
def forget(name: PeerName) -> None:
    """Forget a peer's key; the next one who comes by that name is met for the first time."""
    from p2pcards.store import identity as known
    from p2pcards.wire.keys import fingerprint

    forgotten = known.forget(*_found(name))
    say(f"{forgotten.name} with the key {fingerprint(forgotten.key)} is forgotten.")


@peers.command()
def rename(name: PeerName, new: Annotated[str, typer.Argument(metavar="NEW", help="The name from now on.")]) -> None:
    """Know a peer by another name. Others do not see it."""
    from p2pcards.control.exits import USAGE
    from p2pcards.store import identity as known
    from p2pcards.store.files import StoreError

    home, found = _found(name)
    try:
        known.check_name(known.load_peers(home), found, new)
    except StoreError as error:
        raise Failure(error.with_advice, USAGE) from None
    renamed = known.rename(home, found, new)
    say(f"{found} is known as {renamed.name} from now on.")


@peers.command()
def trust(name: PeerName) -> None:
    """Note that you have made sure of a peer's key: by the words, or by what `p2pcards identity` prints there."""
    from p2pcards.store import identity as known
    from p2pcards.wire.keys import fingerprint

    trusted = known.trust(*_found(name))
    say(f"You have made sure that the key {fingerprint(trusted.key)} is {trusted.name}'s.")


def _found(name: str) -> tuple[Home, str]:
    """The home, and the name of the peer as it stands there. Raises Failure when nobody is called so."""
    from p2pcards.control.exits import USAGE
    from p2pcards.store import identity as known
    from p2pcards.store.files import StoreError

    home = our_home()
    peers = known.load_peers(home)
    try:
        return home, known.find_peer(peers, name).name
    except StoreError as error:
        raise Failure(error.with_advice, USAGE) from None


def _when(seconds: int) -> str:
    """UTC, as in 2026-11-20T13:30:00Z."""
    import time

    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
