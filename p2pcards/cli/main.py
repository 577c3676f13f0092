"""The `p2pcards` command: its groups put together, and what becomes of every error."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Collection, Mapping
from types import TracebackType
from typing import Annotated

import typer
from typer.exceptions import TyperException

from p2pcards import __version__
from p2pcards.cli import (
    autoplay,
    completion,
    config,
    conform,
    demo,
    guide,
    logs,
    people,
    profiles,
    reach,
    results,
    simulate,
    tables,
    telephone,
    title,
    web,
)
from p2pcards.cli.command import (
    HUNG_UP,
    INTERRUPTED,
    PIPE_CLOSED,
    Failure,
    as_failure,
    contains_error,
    note_reader_fault,
    report_fault,
    set_profile,
    split_profile_option,
)
from p2pcards.cli.helping import ALL, EPILOG, SectionedHelp, add_group_examples, examples_epilog
from p2pcards.cli.options import fill_web_option, spread_options
from p2pcards.cli.terminal import behind_the_screen, print_error
from p2pcards.control.exits import FINE, UNEXPECTED, USAGE

COMMANDS: tuple[Callable[..., None], ...] = (
    tables.play,
    tables.listen,
    tables.connect,
    telephone.dial,
    tables.host,
    tables.join,
    tables.watch,
    tables.resume,
    tables.attach,
    tables.detach,
    tables.status,
    tables.leave,
    tables.stop,
    guide.games,
    guide.options,
    guide.rules,
    guide.about,
    guide.characters,
    guide.guide,
    guide.help,
    logs.verify,
    results.records,
    results.history,
    results.league,
    results.hall,
    results.board,
    results.scoreboard,
    logs.replay,
    logs.export,
    tables.words,
    people.identity,
    reach.reach,
    simulate.simulate,
    autoplay.autoplay,
    demo.demo,
    guide.credits,
    completion.completion,
)
GROUPS = {
    "profiles": profiles.profiles,
    "saves": logs.saves,
    "logs": logs.logs,
    "config": config.config,
    "peers": people.peers,
    "directory": telephone.directory,
    "modem": telephone.modem,
    "web": web.web,
    "conform": conform.conform,
}


def build_program(words: Collection[str] | None = None) -> typer.Typer:
    """The Typer program. words: only commands among these are built in full, which saves most of a short command's
    time; the others have their name and first sentence. None: all are."""
    app = typer.Typer(
        name="p2pcards",
        cls=SectionedHelp,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        epilog=EPILOG,
    )
    app.callback(invoke_without_command=True)(begin)
    for command in COMMANDS:
        name = command.__name__
        wanted = words is None or name in words
        built = spread_options(command) if wanted else _stub_command(command.__doc__)
        app.command(name, epilog=examples_epilog(name))(built)
    for name, group in GROUPS.items():
        if words is None or name in words:
            add_group_examples(name, group)
            app.add_typer(group, name=name, epilog=examples_epilog(name))
        else:
            app.command(name)(_stub_command(group.info.help))
    return app


def _stub_command(about: str | None) -> Callable[[], None]:
    def unused() -> None:
        """Never called."""

    unused.__doc__ = about
    return unused


BEGIN_A_TABLE = ("play", "listen", "connect", "dial", "host", "join", "watch", "resume")
"""The commands before which a person may be asked who plays."""

C_LOCALES = ("C", "POSIX")


def main() -> None:
    """Run the command named by the arguments, and end the process."""
    sys.excepthook = _silent_at_interrupt
    try:
        if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # not so when we were started to ignore it
            signal.signal(signal.SIGINT, signal.default_int_handler)
        code = run_command(sys.argv[1:])
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt:  # one more, while the first was dealt with
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        code = INTERRUPTED
    sys.exit(code)


def run_command(arguments: list[str]) -> int:
    """Run a command and return its exit code. Errors have been reported by then."""
    from p2pcards.store.guarded import note_fault

    _repair_streams()
    note_fault.set(note_reader_fault)
    profile, arguments = split_profile_option(arguments)
    try:
        arguments = fill_web_option([*_implied_command(arguments), *arguments])
        code = build_program(arguments)([*profile, *arguments], prog_name="p2pcards", standalone_mode=False) or FINE
        sys.stdout.flush()
    except BaseException as error:
        code = _report_error(error, arguments)
        _discard_output()
    if code == HUNG_UP:  # the terminal takes nothing more, of this or of what paints there
        _redirect_to_null(1, 2)
    return code


def run_table_command(arguments: list[str]) -> None:
    """Run a command of the title screen that opens a table. Raises Failure and what else the command raises."""
    try:
        build_program(arguments)(fill_web_option(arguments), prog_name="p2pcards", standalone_mode=False)
    except TyperException as wrong:
        raise Failure(wrong.format_message(), USAGE) from None


def _implied_command(arguments: list[str]) -> list[str]:
    """The words to put before the arguments: ``play`` if the first is a game, as in ``p2pcards hearts``, else none."""
    first = "".join(arguments[:1])
    if not first or first.startswith("-") or first in GROUPS or first in [one.__name__ for one in COMMANDS]:
        return []
    from p2pcards.games.registry import UnknownGame, find_variant

    try:
        find_variant(first)
    except UnknownGame:
        return []
    return ["play"]


def _show_all(context: typer.Context, every: bool) -> None:
    """Print the help with all commands: ``--all`` alone is as good as ``--help --all``."""
    if every and not context.resilient_parsing:
        print(context.get_help())
        raise typer.Exit


def begin(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
    every: Annotated[  # noqa: ARG001 - its callback has shown it
        bool, typer.Option(ALL, is_eager=True, callback=_show_all, help="With --help, list every command.")
    ] = False,
    profile: Annotated[
        str | None,
        typer.Option(
            metavar="PROFILE",
            help="Play as this profile (see `p2pcards profiles`); works after the command, too.",
        ),
    ] = None,
) -> None:
    """Play classic card games with friends or the computer. Peer to peer: no server, and nobody can stack the deck."""
    if version:
        print(f"p2pcards {__version__}, by the p2pcards developers. MIT license (see 'p2pcards credits').")
        raise typer.Exit
    if profile == "":
        raise Failure("--profile needs the name of a profile. 'p2pcards profiles' lists them.", USAGE)
    if profile:
        set_profile(profile)
    if context.invoked_subcommand in (None, *BEGIN_A_TABLE) and not behind_the_screen.get():
        profiles.ask_profile()
    if context.invoked_subcommand is None:
        if title.has_room():
            title.run_title_screen(run_command, run_table_command)
        else:
            tables.print_overview()


def _silent_at_interrupt(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """An exception hook that ignores Ctrl-C while the process ends."""
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)


def _report_error(error: BaseException, arguments: list[str]) -> int:
    """Report an error, and return its exit code."""
    if isinstance(error, TyperException):
        message, context = error.format_message(), getattr(error, "ctx", None)
        print_error(message)
        if context is not None and "\n" not in message:  # else it is the help itself
            print_error(f"Try '{context.command_path} --help'.")
        return error.exit_code
    if contains_error(KeyboardInterrupt, error):
        return INTERRUPTED
    # Typer makes an exit of its own out of a broken pipe.
    if contains_error(
        BrokenPipeError, error.__context__ if isinstance(error, SystemExit) and error.__context__ else error
    ):
        return PIPE_CLOSED
    if (failure := as_failure(error)) is not None:
        print_error(str(failure))
        return failure.code
    report_fault(error, arguments)
    return UNEXPECTED


def _repair_streams() -> None:
    """Make standard streams usable: closed ones are opened on nothing, and letters that the encoding lacks are
    replaced. Printing to a closed standard output still fails."""
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: PTH123, SIM115 - for as long as the process lives
    sys.stdout = sys.stdout or open(os.open(os.devnull, os.O_RDONLY), "w")  # noqa: PTH123, SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: PTH123, SIM115
    encoding = "ascii" if _is_c_locale(os.environ) else None
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding=encoding, errors="replace")  # type: ignore[union-attr]


def _is_c_locale(environment: Mapping[str, str]) -> bool:
    """Return whether the locale is C, where Python writes UTF-8 all the same (PEP 538 and 540)."""
    if environment.get("PYTHONIOENCODING") or environment.get("PYTHONUTF8"):
        return False
    if everything := environment.get("LC_ALL"):
        return everything in C_LOCALES
    # Under LANG=C Python itself has set LC_CTYPE, to make the programs that it starts write UTF-8 too.
    return environment.get("LANG") in C_LOCALES and environment.get("LC_CTYPE", "C") in (*C_LOCALES, "C.UTF-8", "UTF-8")


def _discard_output() -> None:
    """Discard output that could not be written, so that it doesn't fail once more as the process ends."""
    try:
        (sys.__stdout__ or sys.stdout).flush()
    except OSError:
        _redirect_to_null(1)


def _redirect_to_null(*streams: int) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in streams:
        os.dup2(nowhere, stream)
    os.close(nowhere)
