"""`p2pcards web`: the table in a browser on this machine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from p2pcards.cli.command import AsJson, Failure, our_home, show
from p2pcards.cli.opening import open_tables
from p2pcards.control.exits import NETWORK, REFUSED, STORAGE, USAGE

TOKEN_BYTES = 32

PORT = typer.Option(min=0, max=65535, metavar="PORT", help="The port of the address; if left out, a free one.")


web = typer.Typer(rich_markup_mode=None, help="Play at a table of drawn cards in a browser on this machine.")


@web.callback(invoke_without_command=True)
def serve_here(context: typer.Context, port: Annotated[int | None, PORT] = None, as_json: AsJson = False) -> None:
    """Play at a table of drawn cards in a browser on this machine."""
    if context.invoked_subcommand is not None:
        return
    import trio

    open_tables(our_home())  # offers here to replace a daemon of another build, as the page cannot
    trio.run(_serve, port or 0, as_json)


FOLDER = typer.Argument(metavar="DIR", help="A folder that is new or empty.")
ADDRESS = typer.Argument(metavar="URL", help="Where the page is, as http://HOST:PORT/ or https://...")


@web.command("build")
def build(folder: Annotated[Path, FOLDER], as_json: AsJson = False) -> None:
    """Write the page as files, for any web space. There it plays alone, without any host, and calls tables that wait at
    wss://, or on the same machine."""
    from p2pcards.page.files import page_files, page_hash
    from p2pcards.web.kept_page import write_page

    try:
        size = write_page(page_files(), folder)
    except FileExistsError:
        raise Failure(f"There is something in {folder} already. Name a folder that is new or empty.", USAGE) from None
    except OSError as error:
        raise Failure(f"The page cannot be written to {folder}: {error.strerror or error}.", STORAGE) from None
    lines = [
        f"The page stands in {folder}: {len(page_files())} files of {size / 1e6:.1f} MB in all, with the hash",
        f"    {page_hash()}",
        "'p2pcards web verify URL' says whether a web space serves it so.",
    ]
    show({"folder": str(folder), "files": [*page_files()], "hash": page_hash()}, lines, as_json)


@web.command("verify")
def verify(address: Annotated[str, ADDRESS], as_json: AsJson = False) -> None:
    """Compare the page that an address serves with the one of this program, file by file."""
    from p2pcards.page.files import page_files, page_hash
    from p2pcards.web.kept_page import differences, is_address

    address = address.partition("#")[0]
    if "." not in address.rpartition("/")[2]:
        address = f"{address.rstrip('/')}/"
    if not is_address(address):
        raise Failure(f"'{address[:60]}' is no address of a page. One begins with http:// or https://", USAGE)
    try:
        found = [*differences(page_files(), address)]
    except OSError as error:
        raise Failure(
            f"No page comes from {address}: {error.strerror or error}. Check the address, and that it is served now.",
            NETWORK,
        ) from None
    same = f"{address} serves the page of this program: {len(page_files())} files, with the hash {page_hash()}."
    other = f"{address} does not serve the page of this program. It may be that of another version; ask its host."
    show({"address": address, "same": not found, "differences": found}, [*found, other] if found else [same], as_json)
    if found:
        raise typer.Exit(REFUSED)


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
    await serve(listener, gate, lambda link: serve_front(link, home))
