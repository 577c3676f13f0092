"""`p2pcards identity` and `p2pcards peers`: who I am, and whom I know."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from p2pcards.cli.command import Failure, current_home
from p2pcards.cli.options import AsJson
from p2pcards.cli.terminal import print_error, print_result, print_text
from p2pcards.control.exits import USAGE
from p2pcards.present.width import align_columns

if TYPE_CHECKING:
    from p2pcards.frontend.verdict import Conduct
    from p2pcards.store.files import Home

PeerName = Annotated[str, typer.Argument(metavar="NAME", help="A player you've met (see `p2pcards peers list`).")]

peers = typer.Typer(rich_markup_mode=None, no_args_is_help=True, help="Manage the players you've met and their keys.")


def identity(as_json: AsJson = False) -> None:
    """Show the key that friends know you by. If you have none yet, it makes one."""
    from p2pcards.store.files import login_name
    from p2pcards.store.identity import load_or_make_key
    from p2pcards.store.settings import load_settings
    from p2pcards.wire.keys import fingerprint

    home = current_home()
    key = load_or_make_key(home)
    name = load_settings(home).name or login_name()
    data = {"name": name, "fingerprint": fingerprint(key), "key": key.hex(), "file": str(home.identity)}
    lines = [
        f"{name}: {fingerprint(key)}",
        "When you first meet a friend, read these letters aloud. If your friend sees the same, nobody is listening in.",
        f"The key itself is in {home.identity}. Back it up, and keep it secret.",
    ]
    print_result(data, lines, as_json)


@peers.command("list")
def list_peers(as_json: AsJson = False) -> None:
    """List the players you've met, and how fair they were. The counts come from the logs you have.

    redeals: hands dealt again because they asked. abandoned: games of yours they left to start another. left out: hands
    they shuffled without your part. took over: times they gave your seat to a character for a false reason. dropped
    out: times someone at their table dropped out of a shuffle. A host with any of the last four is listed even if you
    don't know them.
    """
    from p2pcards.frontend.verdict import count_conduct
    from p2pcards.store.identity import load_peers
    from p2pcards.wire.address import is_meeting

    home = current_home()
    known, counted = load_peers(home), count_conduct(home, print_error)
    strangers = counted.faulty_strangers({peer.key for peer in known})
    data: list[dict[str, Any]] = [
        {
            **_peer_data(peer.name, peer.key, counted),
            "address": peer.address,
            "proof": peer.proof,
            "first_seen": _utc_text(peer.first_seen),
            "last_seen": _utc_text(peer.last_seen),
        }
        for peer in known
    ]
    data += [
        {
            **_peer_data(counted.names[key], key, counted),
            "address": "",
            "proof": None,
            "first_seen": "",
            "last_seen": "",
        }
        for key in strangers[:MOST_STRANGERS]
    ]
    rows = [
        (
            one["name"],
            one["fingerprint"],
            "through brokers" if is_meeting(one["address"]) else one["address"] or "-",
            one["proof"] or "(not known)",
            one["last_seen"][:10] or "-",
            *[str(one[column]) for column in COUNTED],
        )
        for one in data
    ]
    head = ("name", "key", "address", "known by", "last seen", *COUNTED.values())
    lines = align_columns([head, *rows]) if rows else ["You haven't met anyone yet."]
    if (more := len(strangers) - MOST_STRANGERS) > 0:
        lines.append(f"... and {more} more you don't know.")
    print_result(data, lines, as_json)


MOST_STRANGERS = 20
"""Hosts who are not known and are listed for what they did."""

COUNTED = {
    "games": "games",
    "redeals": "redeals",
    "broken_off": "abandoned",
    "left_out": "left out",
    "taken_over": "took over",
    "dropped": "dropped out",
}


def _peer_data(name: str, key: bytes, counted: Conduct) -> dict[str, Any]:
    from p2pcards.wire.keys import fingerprint

    return {
        "name": name,
        "fingerprint": fingerprint(key),
        "key": key.hex(),
        **{column: getattr(counted, column)[key] for column in COUNTED},
    }


@peers.command()
def forget(name: PeerName) -> None:
    """Forget a player's key. Do this only if they told you they have a new key."""
    from p2pcards.store import identity as known
    from p2pcards.wire.keys import fingerprint

    forgotten = known.forget(*_find_peer(name))
    print_text(f"Forgot {forgotten.name} (key {fingerprint(forgotten.key)}).")


@peers.command()
def rename(name: PeerName, new: Annotated[str, typer.Argument(metavar="NEW", help="The new name.")]) -> None:
    """Rename a player you've met. Only you see this name."""
    from p2pcards.store import identity as known
    from p2pcards.store.files import StoreError

    home, found = _find_peer(name)
    try:
        known.check_name(known.load_peers(home), found, new)
    except StoreError as error:
        raise Failure(error.with_advice, USAGE) from None
    renamed = known.rename(home, found, new)
    print_text(f"{found} is now called {renamed.name}.")


@peers.command()
def trust(name: PeerName) -> None:
    """Mark a player's key as verified. First compare `p2pcards words`, or what `p2pcards identity` shows them."""
    from p2pcards.store import identity as known
    from p2pcards.wire.keys import fingerprint

    trusted = known.trust(*_find_peer(name))
    print_text(f"Marked the key {fingerprint(trusted.key)} as {trusted.name}'s.")


def _find_peer(name: str) -> tuple[Home, str]:
    """(home, name as stored) of a peer. Raises Failure for an unknown one."""
    from p2pcards.store import identity as known
    from p2pcards.store.files import StoreError

    home = current_home()
    peers = known.load_peers(home)
    try:
        return home, known.find_peer(peers, name).name
    except StoreError as error:
        raise Failure(error.with_advice, USAGE) from None


def _utc_text(seconds: int) -> str:
    """The time in UTC, as in 2026-11-20T13:30:00Z. seconds: of unix time."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
