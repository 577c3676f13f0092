"""What the line mode writes on a terminal."""

from __future__ import annotations

import os
import pty
import termios
from io import StringIO

from p2pcards.cli.line import TerminalScreen


def test_a_long_line_among_others_is_folded_by_itself() -> None:
    master, slave = pty.openpty()
    try:
        termios.tcsetwinsize(slave, (24, 40))
        with os.fdopen(os.dup(slave)) as source:
            output = StringIO()
            TerminalScreen(source, output).say(
                "No game picked yet.\nBob: you, character Papa John, key rzll-axbo-gggh\n  end"
            )
    finally:
        os.close(master)
        os.close(slave)
    assert output.getvalue().removeprefix("\r\x1b[K").splitlines()[:4] == [
        "No game picked yet.",
        "Bob: you, character Papa John, key",
        "    rzll-axbo-gggh",
        "  end",
    ]
