"""`p2pcards web`: the table in a browser on this machine."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from p2pcards.cli.command import AsJson, Failure, our_home, show
from p2pcards.control.exits import NETWORK, USAGE

TOKEN_BYTES = 32

PORT = typer.Option(min=0, max=65535, metavar="PORT", help="The port of the address; if left out, a free one.")


def web(port: Annotated[int | None, PORT] = None, as_json: AsJson = False) -> None:
    """Play at a table of drawn cards in a browser on this machine."""
    import trio

    from p2pcards.store.settings import usable_settings

    _check_system()
    if not usable_settings(our_home()).settings.screen:
        raise Failure(
            "Your settings say that tables are shown in lines, and a browser shows the full screen. "
            "Change that with 'p2pcards config set screen true'.",
            USAGE,
        )
    trio.run(_serve, port or 0, as_json)


def _check_system() -> None:
    if sys.platform == "win32":
        raise Failure("'p2pcards web' needs terminals of the system's own, which Windows does not have.", USAGE)


async def _serve(port: int, as_json: bool) -> None:
    import secrets

    from p2pcards.links.tcp import CannotListen, listen, port_of
    from p2pcards.web.front import serve_front
    from p2pcards.web.server import HOST, Gate, serve

    try:
        listener = (await listen(port, HOST))[0]
    except CannotListen as why:
        raise Failure(str(why), NETWORK) from None
    gate = Gate(port_of(listener), secrets.token_urlsafe(TOKEN_BYTES))
    lines = [
        "Open this address in a browser on this machine:",
        f"    {gate.address}",
        "Keep it to yourself: anyone who has it can play in your place. Ctrl-C ends this; your seats are kept.",
    ]
    show({"address": gate.address}, lines, as_json)
    sys.stdout.flush()
    home = our_home()
    await serve(listener, gate, [sys.executable, "-P", "-m", "p2pcards"], lambda link: serve_front(link, home))
