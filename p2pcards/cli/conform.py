"""`p2pcards conform`: judges another program by playing the other side of every dialogue with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from p2pcards.cli.command import Failure
from p2pcards.cli.options import AsJson
from p2pcards.cli.terminal import print_result, print_text
from p2pcards.control.exits import NETWORK, STORAGE, UNEXPECTED, USAGE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2pcards.conform.bench import Bench, KitCase, Numbered
    from p2pcards.conform.runner import Judged

C = TypeVar("C", bound="Numbered")

conform = typer.Typer(rich_markup_mode=None, no_args_is_help=True, help="Test another program against the protocol.")

Run = Annotated[
    str,
    typer.Option(
        "--run",
        metavar="COMMAND",
        help="Start the program with this for each case, and stop it afterwards; {home} becomes an empty folder.",
    ),
]
Cases = Annotated[
    list[int] | None,
    typer.Option("--case", min=1, max=999, metavar="NUMBER", help="Only this case; repeatable."),
]
Patience = Annotated[
    float, typer.Option("--patience", min=0.1, max=86400, metavar="SECONDS", help="Time to wait for each answer.")
]


@conform.command("listen")
def judge_listener(
    host: Annotated[str, typer.Argument(metavar="HOST", help="The listener's address, HOST:PORT or ws://HOST:PORT.")],
    run: Run = "",
    case: Cases = None,
    patience: Patience = 10,
    as_json: AsJson = False,
) -> None:
    """Test a listener that plays by itself. It plays every dialogue with it, and reports each case."""
    from random import SystemRandom

    from p2pcards.conform.bench import Bench
    from p2pcards.conform.cases import LISTENER
    from p2pcards.links.address import BadAddress, canonical
    from p2pcards.wire.address import is_cable, is_meeting, is_telephone

    try:
        address = canonical(host)
    except BadAddress as bad:
        raise Failure(str(bad), USAGE) from None
    if is_cable(address) or is_meeting(address) or is_telephone(address):
        raise Failure(f"Can't test {host}. Use HOST:PORT or ws://HOST:PORT.", USAGE)
    _run_cases(_cases_numbered(LISTENER, case), Bench(address, patience, SystemRandom(), run), as_json)


@conform.command("connect")
def judge_coordinator(
    port: Annotated[
        int, typer.Option("--port", min=1, max=65535, metavar="N", help="The port to wait on for its calls.")
    ],
    run: Run = "",
    case: Cases = None,
    patience: Patience = 10,
    as_json: AsJson = False,
) -> None:
    """Test a coordinator that calls this machine. It may use TCP or a WebSocket."""
    from random import SystemRandom

    from p2pcards.conform.bench import Bench
    from p2pcards.conform.cases import COORDINATOR

    _run_cases(_cases_numbered(COORDINATOR, case), Bench(port, patience, SystemRandom(), run), as_json)


@conform.command("logs")
def judge_reader(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="A new or empty folder for the logs.")],
    run: Annotated[
        str,
        typer.Option(
            "--run",
            metavar="COMMAND",
            help="Read each log with this; {log} becomes its path, and the exit code is the verdict.",
        ),
    ] = "",
    answers: Annotated[
        str,
        typer.Option(
            "--answers",
            metavar="FILE",
            help="Check a JSON object of verdicts, {log: finding}, on logs already in FOLDER.",
        ),
    ] = "",
    case: Cases = None,
    patience: Patience = 60,
    as_json: AsJson = False,
) -> None:
    """Write good and bad logs, to test a program that reads them."""
    from random import SystemRandom

    from p2pcards.conform.bench import CannotStart
    from p2pcards.conform.logs import EXPECTED, LOGS, judge_answer, judge_command, write_logs

    cases, there = _cases_numbered(LOGS, case), Path(folder)
    try:
        if answers:
            found = _read_answers(Path(answers))
            _print_judged([judge_answer(one, found) for one in cases], as_json)
            return
        if there.exists() and any(there.iterdir()):
            raise Failure(f"{folder} isn't empty. Name another folder, or add --answers.", USAGE)
        write_logs(there, cases, SystemRandom())
        if run:
            _print_judged([judge_command(one, there, run, patience) for one in cases], as_json)
        else:
            written = {"folder": folder, "logs": len(cases)}
            print_result(written, [f"Wrote {len(cases)} logs to {folder}. {EXPECTED} has the right verdicts."], as_json)
    except CannotStart as error:
        raise Failure(str(error), USAGE) from None
    except OSError as error:
        raise Failure(f"{error.filename or folder}: {error.strerror or error}.", STORAGE) from None


def _read_answers(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_bytes())
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise Failure(f'{file} isn\'t a JSON object such as {{"201.log": "finished"}}.', USAGE)
    return found


def _print_judged(judged: Sequence[Judged], as_json: bool) -> None:
    """Print the results; raises Exit unless the program passes."""
    from p2pcards.conform import runner

    lines: list[str] = []
    for page, of_page in runner.group_by_page(judged):
        lines += [page, *[line for one in of_page for line in runner.result_lines(one)]]
    print_result(runner.results_data(judged), [*lines, runner.summary_line(judged)], as_json)
    _exit_by_result(judged)


def _exit_by_result(judged: Sequence[Judged]) -> None:
    if any(one.result == "failed" for one in judged):
        raise typer.Exit(UNEXPECTED)


def _cases_numbered(cases: Sequence[C], numbers: Sequence[int] | None) -> list[C]:
    known = {case.number: case for case in cases}
    if unknown := [number for number in numbers or [] if number not in known]:
        raise Failure(f"There's no case {unknown[0]} here. Cases go from {min(known)} to {max(known)}.", USAGE)
    return [case for case in cases if not numbers or case.number in numbers]


def _run_cases(cases: Sequence[KitCase], bench: Bench, as_json: bool) -> None:
    """Judge the program by these cases and print the results; raises Exit unless it passes."""
    import trio

    from p2pcards.conform import runner
    from p2pcards.conform.bench import CannotStart
    from p2pcards.links.tcp import CannotConnect, CannotListen

    judged: list[Judged] = []

    async def all_of_them() -> None:
        page = ""
        for case in cases:
            judged.append(await runner.judge_case(case, bench))
            if not as_json:
                new, page = judged[-1].page != page, judged[-1].page
                print_text("\n".join([*[page] * new, *runner.result_lines(judged[-1])]))

    try:
        trio.run(all_of_them)
    except (CannotConnect, CannotListen) as error:
        raise Failure(error.sentence, NETWORK) from None
    except CannotStart as error:
        raise Failure(str(error), USAGE) from None
    print_result(runner.results_data(judged), [runner.summary_line(judged)], as_json)
    _exit_by_result(judged)
