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
    behind_the_screen,
    explained,
    is_in,
    note_reader_fault,
    play_as,
    profile_apart,
    report_fault,
    say_error,
    web_without_port,
)
from p2pcards.cli.helping import ALL, EPILOG, SectionedHelp, add_examples, examples
from p2pcards.control.exits import FINE, UNEXPECTED, USAGE

COMMANDS: tuple[Callable[..., None], ...] = (
    tables.play,
    tables.listen,
    tables.connect,
    telephone.dial,
    tables.host,
    tables.join,
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


def program(words: Collection[str] | None = None) -> typer.Typer:
    """The commands. Only those among these words are taken apart, which takes most of the time of a short command; of
    the others the help needs the name and the first sentence. None: all are."""
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
        app.command(name, epilog=examples(name))(command if wanted else _unused(command.__doc__))
    for name, group in GROUPS.items():
        if words is None or name in words:
            add_examples(name, group)
            app.add_typer(group, name=name, epilog=examples(name))
        else:
            app.command(name)(_unused(group.info.help))
    return app


def _unused(about: str | None) -> Callable[[], None]:
    def unused() -> None:
        """Never called."""

    unused.__doc__ = about
    return unused


BEGIN_A_TABLE = ("play", "listen", "connect", "dial", "host", "join", "resume")
"""The commands before which a person may be asked who plays."""

C_LOCALES = ("C", "POSIX")


def main() -> None:
    """Runs the command that the arguments name, and ends the process."""
    sys.excepthook = _silent_at_interrupt
    try:
        if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # not so when we were started to ignore it
            signal.signal(signal.SIGINT, signal.default_int_handler)
        code = run(sys.argv[1:])
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt:  # one more, while the first was dealt with
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        code = INTERRUPTED
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Returns the exit code. Whatever goes wrong has been said by then, in a sentence."""
    from p2pcards.store.guarded import note_fault

    _open_what_is_closed()
    note_fault.set(note_reader_fault)
    profile, arguments = profile_apart(arguments)
    try:
        arguments = web_without_port([*_implied_command(arguments), *arguments])
        code = program(arguments)([*profile, *arguments], prog_name="p2pcards", standalone_mode=False) or FINE
        sys.stdout.flush()
    except BaseException as error:
        code = _code_of(error, arguments)
        _drop_output()
    if code == HUNG_UP:  # the terminal takes nothing more, of this or of what paints there
        _write_nowhere(1, 2)
    return code


def table_meant(arguments: list[str]) -> None:
    """Run a command of the title screen that opens a table. Raises Failure and what else it raises."""
    try:
        program(arguments)(web_without_port(arguments), prog_name="p2pcards", standalone_mode=False)
    except TyperException as wrong:
        raise Failure(wrong.format_message(), USAGE) from None


def _implied_command(arguments: list[str]) -> list[str]:
    """What goes before the arguments: ``play`` if the first is a game, as in ``p2pcards hearts``; else nothing."""
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
    """``--all`` alone is as good as ``--help --all``."""
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
        play_as(profile)
    if context.invoked_subcommand in (None, *BEGIN_A_TABLE) and not behind_the_screen.get():
        profiles.ask_who_plays()
    if context.invoked_subcommand is None:
        if title.has_room():
            title.at_title(run, table_meant)
        else:
            tables.overview()


def _silent_at_interrupt(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """For a Ctrl-C that comes while the process ends."""
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)


def _code_of(error: BaseException, arguments: list[str]) -> int:
    if isinstance(error, TyperException):
        message, context = error.format_message(), getattr(error, "ctx", None)
        say_error(message)
        if context is not None and "\n" not in message:  # else it is the help itself
            say_error(f"Try '{context.command_path} --help'.")
        return error.exit_code
    if is_in(KeyboardInterrupt, error):
        return INTERRUPTED
    # Typer makes an exit of its own out of a broken pipe.
    if is_in(BrokenPipeError, error.__context__ if isinstance(error, SystemExit) and error.__context__ else error):
        return PIPE_CLOSED
    if (failure := explained(error)) is not None:
        say_error(str(failure))
        return failure.code
    report_fault(error, arguments)
    return UNEXPECTED


def _open_what_is_closed() -> None:
    """Standard streams may be closed, or unable to take every letter. Neither is a reason to fail, but where something
    is to be printed on a closed one, which fails as a file does that is open for reading only."""
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: PTH123, SIM115 - for as long as the process lives
    sys.stdout = sys.stdout or open(os.open(os.devnull, os.O_RDONLY), "w")  # noqa: PTH123, SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: PTH123, SIM115
    encoding = "ascii" if _wants_ascii(os.environ) else None
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding=encoding, errors="replace")  # type: ignore[union-attr]


def _wants_ascii(environment: Mapping[str, str]) -> bool:
    """Whether the locale is C, in which Python writes UTF-8 all the same (PEP 538 and 540)."""
    if environment.get("PYTHONIOENCODING") or environment.get("PYTHONUTF8"):
        return False
    if everything := environment.get("LC_ALL"):
        return everything in C_LOCALES
    # Under LANG=C Python itself has set LC_CTYPE, to make the programs that it starts write UTF-8 too.
    return environment.get("LANG") in C_LOCALES and environment.get("LC_CTYPE", "C") in (*C_LOCALES, "C.UTF-8", "UTF-8")


def _drop_output() -> None:
    """What could not be written now cannot be written at the end of the process either, which would complain."""
    try:
        (sys.__stdout__ or sys.stdout).flush()
    except OSError:
        _write_nowhere(1)


def _write_nowhere(*streams: int) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in streams:
        os.dup2(nowhere, stream)
    os.close(nowhere)
