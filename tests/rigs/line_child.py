"""Plays at a `TableDouble` on the terminal that is its standard input and output: for tests in a process of its own."""

from __future__ import annotations

import sys

import trio

from p2pcards.cli.line import run_line_mode
from p2pcards.frontend.manner import Manner
from p2pcards.present.cards import Style
from rigs.table_double import TableDouble


async def main() -> None:
    table = TableDouble("hearts", seed=1)
    await run_line_mode(table, Manner(), Style(ascii=True), input=sys.stdin, output=sys.stdout, interactive=True)


if __name__ == "__main__":
    trio.run(main)
