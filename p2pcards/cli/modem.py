"""`p2pcards modem`: what a serial device is, before anybody is called with it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from p2pcards.cli.failing import Failure
from p2pcards.cli.home import our_home
from p2pcards.cli.output import say
from p2pcards.cli.serial_line import Flow, Init, Speed, serial_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from p2pcards.daemon.lines import Setup
    from p2pcards.links.modem.hayes import Examined

modem = typer.Typer(rich_markup_mode=None, no_args_is_help=True, help="Try a modem without calling anybody.")


@modem.callback()
def group() -> None:
    """Makes a group of a single command."""


@modem.command("test")
def test(
    device: Annotated[
        str, typer.Argument(metavar="[DEVICE]", help="The serial device; if left out, that in the settings.")
    ] = "",
    speed: Speed = 0,
    flow: Flow = "",
    init: Init = None,
    trace: Annotated[bool, typer.Option("--trace", help="Print what is said to it, and what it says.")] = False,
) -> None:
    """Tell what a modem is, what its cable shows, and whether it answers each command. Nobody is called."""
    import trio

    from p2pcards.daemon.lines import LineFailed, setup_of
    from p2pcards.store.settings import load_settings

    try:
        setup = setup_of(serial_of(device, speed, flow, init), load_settings(our_home()))
    except LineFailed as failed:
        raise Failure(str(failed), failed.code) from None
    trio.run(_examine, setup, (lambda line: say(line, sys.stderr)) if trace else None)


async def _examine(setup: Setup, trace: Callable[[str], None] | None) -> None:
    """Sentence by sentence. Raises Failure."""
    import trio

    from p2pcards.control.exits import LINE
    from p2pcards.links.modem import calls
    from p2pcards.links.modem.hayes import Progress
    from p2pcards.links.modem.port import CannotOpen, open_port

    def tell(progress: Progress) -> None:
        if progress.kind == "refused":
            say(f"It does not know {progress.text}.")

    try:
        async with await open_port(setup.device, speed=setup.speed, flow=setup.flow) as port:
            say(f"{setup.device} is open at {setup.speed} bits a second, flow control {setup.flow}.")
            say(_cable(port.control_lines()))
            began = trio.current_time()
            found = await calls.examine(port, dialect=setup.dialect, tell=tell, trace=trace or calls.untold)
            say("\n".join(_sentences(found, trio.current_time() - began)))
    except CannotOpen as cannot:
        raise Failure(cannot.sentence, LINE) from None
    except calls.CallFailed as failed:
        raise Failure(failed.sentence, LINE) from None
    if found.answered < found.asked:
        raise Failure(
            "A modem that misses commands will miss calls. Try a lower speed with --speed, another cable, or another "
            "flow control with --flow.",
            LINE,
        )


def _cable(lines: dict[str, bool | None]) -> str:
    """What the control lines show."""
    if None in lines.values():
        return "Its control lines cannot be read: calls end by silence and by NO CARRIER, and are hung up with +++."
    shown = ", ".join([f"{name} {'high' if high else 'low'}" for name, high in lines.items()])
    if lines["DCD"]:
        return f"{shown}. DCD is high without a call, so it does not show the carrier: check &C1 and the cable."
    return f"{shown}."


def _sentences(found: Examined, seconds: float) -> list[str]:
    """What the modem has told."""
    named = ", ".join(found.identity)
    told = [f"It identifies itself as {named}." if named else "It does not identify itself."]
    if found.by_itself:
        rings = "1 ring" if found.by_itself == 1 else f"{found.by_itself} rings"
        told.append(f"It answers calls by itself after {rings}, and cannot be told not to.")
    else:
        told.append("It answers a call when it is told to, never by itself.")
    return [*told, f"It answered {found.answered} of {found.asked} commands. The test took {seconds:.0f} s."]
