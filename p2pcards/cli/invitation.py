"""What to send to a friend whose call one waits for, and what may stand in the way of that call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from p2pcards.control.messages import Admission

WAYS_OUT = (
    "  - Be on the same network, or in one VPN (WireGuard, Tailscale and the like).",
    "  - Have the router forward TCP port {port} to this machine; your friend then",
    "    takes the router's public address.",
    "  - A machine that both of you reach by ssh: you run   ssh -R {port}:localhost:{port} you@example.org",
    "    and your friend   p2pcards {verb} localhost:{port} --via 'ssh -W %h:%p friend@example.org'",
)
OTHER_WAY = {
    "connect": "  - Or your friend hosts and you join: either side may call.",
    "join": "  - Or your friend listens and you connect: either side may call.",
}


def invitation(
    addresses: Sequence[tuple[str, str]],
    port: int,
    lan: bool,
    verb: str,
    admission: Admission,
    code: str = "",
) -> list[str]:
    """addresses: (address, "public", "private" or "loopback"), as `links.tcp.own_addresses` finds them. verb: the
    command of whoever comes. code: for a first meeting, "" where there is none."""
    from p2pcards.links.address import format_address

    calls = {kind: [] for kind in ("public", "private", "loopback")}  # type: dict[str, list[str]]
    for address, kind in addresses:
        calls[kind].append(f"    p2pcards {verb} {format_address(address, port)}")
    lines = [f"Listening on port {port}."]
    if calls["public"]:
        lines += ["Send this line to your friend:", *calls["public"]]
    if calls["private"]:
        among = "For somebody on your own network:" if calls["public"] else "Send this line to your friend:"
        lines += [among, *calls["private"]]
    if not calls["public"] and calls["private"]:
        lines += ["That address is private: it works on your own network only. Ways out:", *_ways(port, verb)]
    if not calls["public"] and not calls["private"]:
        lines += ["This machine is on no network, so only a call from itself arrives:", *calls["loopback"]]
    if lan:
        lines.append("On your own network 'p2pcards connect' without an address finds you.")
    return [*lines, *_who_comes_in(admission, code)]


def line_invitation(cable: bool, admission: Admission, code: str = "", call: str = "dial NUMBER") -> list[str]:
    """The same for somebody who waits at a modem or a null-modem cable. call: the command of whoever calls."""
    if cable:
        waits = ["Waiting at the cable. At its other end:", "    p2pcards connect --cable DEVICE"]
    else:
        waits = ["The modem waits for a call. Tell your friend your telephone number:", f"    p2pcards {call}"]
    return [*waits, *_who_comes_in(admission, code)]


def _who_comes_in(admission: Admission, code: str) -> list[str]:
    if admission.known_only:
        return ["Only people you know come in ('p2pcards peers list')."]
    if not code:
        return []
    others = "Nobody else comes in." if admission.require_code else "Strangers come in without it too, unverified."
    return [
        "First-time guests need this code; tell it to them by voice if you can:",
        f"    --code {code}",
        "It works once, for ten minutes; then there is a new one. People you know don't need one.",
        others,
    ]


def _ways(port: int, verb: str) -> list[str]:
    return [*[line.format(port=port, verb=verb) for line in WAYS_OUT], OTHER_WAY[verb]]
