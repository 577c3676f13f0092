"""Deadlines of the program that a busy machine would miss, put off until a test gives up."""

from __future__ import annotations

from p2pcards.cli import demo_course, opening, tables
from p2pcards.cli.main import main
from p2pcards.control import client, starting
from p2pcards.frontend import at_table
from p2pcards.tui import program
from rigs.giving_up import longest_wait

DEADLINES = (
    (starting, "START_DEADLINE"),
    (client, "DEADLINE"),
    (opening, "GLANCE"),
    (tables, "ENDING"),
    (demo_course, "PATIENCE"),
    (demo_course, "ENDING"),
    (at_table, "PARTING"),
    (program, "ENDING"),
)


def be_patient() -> None:
    """For the rest of this process."""
    for module, name in DEADLINES:
        vars(module)[name] = longest_wait()


def run() -> None:
    """The program."""
    be_patient()
    main()
