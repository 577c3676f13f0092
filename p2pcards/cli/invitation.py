"""What somebody who listens sends to a friend, and what stands in the way of a call."""

from __future__ import annotations

from collections.abc import Sequence

WAYS_OUT = (
    "  - Be on the same network, or in one VPN (WireGuard, Tailscale and the like).",
    "  - Have the router forward TCP port {port} to this machine; your friend then",
    "    takes the router's public address.",
    "  - A machine that both of you reach by ssh: you run   ssh -R {port}:localhost:{port} you@example.org",
    "    and your friend   p2pcards connect localhost:{port} --via 'ssh -W %h:%p friend@example.org'",
    "  - Or your friend listens and you connect: either side may call.",
)


def invitation(addresses: Sequence[tuple[str, str]], port: int, lan: bool) -> list[str]:
    """addresses: (address, "public", "private" or "loopback"), as `links.tcp.own_addresses` finds them."""
    from p2pcards.links.tcp import format_address

    calls = {kind: [] for kind in ("public", "private", "loopback")}  # type: dict[str, list[str]]
    for address, kind in addresses:
        calls[kind].append(f"    p2pcards connect {format_address(address, port)}")
    lines = [f"Listening on port {port}."]
    if calls["public"]:
        lines += ["Send this line to your friend:", *calls["public"]]
    if calls["private"]:
        among = "For somebody on your own network:" if calls["public"] else "Send this line to your friend:"
        lines += [among, *calls["private"]]
    if not calls["public"] and calls["private"]:
        lines += ["That address is private: it works on your own network only. Ways out:", *_ways(port)]
    if not calls["public"] and not calls["private"]:
        lines += ["This machine is on no network, so only a call from itself arrives:", *calls["loopback"]]
    if lan:
        lines.append("On your own network 'p2pcards connect' without an address finds you.")
    return lines


def _ways(port: int) -> list[str]:
    return [line.format(port=port) for line in WAYS_OUT]
