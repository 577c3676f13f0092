"""How the program is counted."""

from __future__ import annotations

import runpy
from pathlib import Path

SIZE = runpy.run_path(str(Path(__file__).resolve().parents[1] / "scripts" / "size"))

SOURCE = '''"""A module."""

import os
from os import (
    path,
)

# A comment.
LIMIT = 3
"""Where it comes from."""


def shout(text: str) -> str:  # a comment beside code
    """One
    docstring."""

    return """
    two

    """ + text


class Sea:
    async def run(self) -> None: ...
'''


def test_each_line_is_counted_for_what_it_is() -> None:
    module = SIZE["module_of"]("sea.py", SOURCE)
    assert (module.lines, module.imports, module.docstrings, module.comments) == (24, 4, 4, 2)
    assert module.code == 8
    assert module.functions == (("shout", True, 8), ("run", False, 1))


def test_rooms_are_folders_and_tests_are_left_out(tmp_path: Path) -> None:
    for name in ("top.py", "ledger/log.py", "ledger/deep/one.py", "tests/test_log.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("NUMBER = 1\n")
    rooms = SIZE["rooms_of"](tuple(SIZE["modules_in"](tmp_path)))
    assert {name: room.code for name, room in rooms.items()} == {".": 1, "ledger": 2, "all": 3}
    assert list(SIZE["sizes"](rooms, {"ledger": rooms["ledger"], "gone": rooms["."]}))[-1].startswith("gone")
