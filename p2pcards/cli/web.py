"""`p2pcards web`: the table in a browser on this machine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from p2pcards.cli.command import Failure, current_home
from p2pcards.cli.opening import list_open_tables
from p2pcards.cli.options import AsJson
from p2pcards.cli.terminal import print_result
from p2pcards.control.exits import NETWORK, REFUSED, STORAGE, USAGE

TOKEN_BYTES = 32

PORT = typer.Option(min=0, max=65535, metavar="PORT", help="The port; default: any free one.")


ABOUT = "Play in a browser on this machine. Ctrl-C stops the server, but not your games."
web = typer.Typer(rich_markup_mode=None, help=ABOUT)


@web.callback(invoke_without_command=True, help=ABOUT)
def serve_unless_command(
    context: typer.Context, port: Annotated[int | None, PORT] = None, as_json: AsJson = False
) -> None:
    if context.invoked_subcommand is not None:
        return
    import trio

    list_open_tables(current_home())  # offers here to replace a daemon of another build, as the page cannot
    trio.run(_serve_page, port or 0, as_json)


FOLDER = typer.Argument(metavar="DIR", help="A new or empty folder.")
ADDRESS = typer.Argument(metavar="URL", help="The page's address, http://HOST:PORT/ or https://...")


@web.command("build")
def build(folder: Annotated[Path, FOLDER], as_json: AsJson = False) -> None:
    """Write the page to a folder, for any web server. Players there can play solo or join friends' tables."""
    from p2pcards.page.files import page_hash, whole_page_files
    from p2pcards.web.kept_page import write_page

    try:
        size = write_page(whole_page_files(), folder)
    except FileExistsError:
        raise Failure(f"{folder} isn't empty. Name a new or empty folder.", USAGE) from None
    except OSError as error:
        raise Failure(f"Can't write the page to {folder}: {error.strerror or error}.", STORAGE) from None
    lines = [
        f"Wrote the page to {folder}: {len(whole_page_files())} files, {size / 1e6:.1f} MB, hash",
        f"    {page_hash()}",
        "Once it's online, check it: p2pcards web verify URL",
    ]
    print_result({"folder": str(folder), "files": [*whole_page_files()], "hash": page_hash()}, lines, as_json)


@web.command("verify")
def verify(address: Annotated[str, ADDRESS], as_json: AsJson = False) -> None:
    """Check that a website serves this program's page. It compares every file, so a different version fails."""
    from p2pcards.page.files import page_hash, whole_page_files
    from p2pcards.web.kept_page import find_differences, is_address

    address = address.partition("#")[0]
    if "." not in address.rpartition("/")[2]:
        address = f"{address.rstrip('/')}/"
    if not is_address(address):
        raise Failure(f"'{address[:60]}' isn't a page's address. Start it with http:// or https://", USAGE)
    try:
        found = [*find_differences(whole_page_files(), address)]
    except OSError as error:
        raise Failure(
            f"Can't load {address}: {error.strerror or error}. Check the address and that the server is up.",
            NETWORK,
        ) from None
    same = f"{address} serves this program's page: {len(whole_page_files())} files, hash {page_hash()}."
    other = f"{address} doesn't serve this program's page. It may be another version: ask its owner."
    print_result(
        {"address": address, "same": not found, "differences": found}, [*found, other] if found else [same], as_json
    )
    if found:
        raise typer.Exit(REFUSED)


async def _serve_page(port: int, as_json: bool) -> None:
    import secrets

    from p2pcards.links.tcp import CannotListen, listen, port_of
    from p2pcards.web.front import serve_front
    from p2pcards.web.server import HOST, Gate, serve_until_cancelled

    try:
        listener = (await listen(port, HOST))[0]
    except CannotListen as why:
        raise Failure(str(why), NETWORK) from None
    gate = Gate(port_of(listener), secrets.token_urlsafe(TOKEN_BYTES))
    lines = [
        "Open this address in a browser on this machine:",
        f"    {gate.address}",
        "Keep it to yourself: anyone who has it can play as you. Ctrl-C stops the server; you keep your seats.",
    ]
    print_result({"address": gate.address}, lines, as_json)
    sys.stdout.flush()
    home = current_home()
    await serve_until_cancelled(listener, gate, lambda link: serve_front(link, home))
