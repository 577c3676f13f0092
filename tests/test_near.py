"""The tests that a change can reach, as `scripts/test --near` chooses and runs them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Collection
from pathlib import Path

import pytest

import near
from rigs.giving_up import longest_wait

ROOT = Path(__file__).parents[1]
TREE = {
    "p2pcards/games/hearts/rules.py": "import p2pcards.cards.card",
    "p2pcards/games/registry.py": "",
    "p2pcards/cards/card.py": "",
    "p2pcards/session/table.py": "from p2pcards.games.hearts import rules",
    "p2pcards/cli/guide.py": "PAGES = 'p2pcards/guide'",
    "p2pcards/tui/felt.py": "",
    "scripts/making/__init__.py": "TABLE = 'tables.bin'",
    "tests/rigs/net.py": "from p2pcards.session.table import Table",
    "tests/cli/test_guide.py": "from p2pcards.cli import guide",
    "tests/cli/test_line.py": "",
    "tests/games/test_laws.py": "from p2pcards.games import registry",
    "tests/games/test_hearts.py": "",
    "tests/games/test_card.py": "from p2pcards.cards.card import Card",
    "tests/session/test_net.py": "from rigs.net import Net",
    "tests/session/test_net_in_part.py": "from rigs import net",
    "tests/test_made.py": "import making",
    "tests/test_patched.py": "patch('p2pcards.tui.felt.Felt')",
    "tests/test_scripts.py": "run(ROOT / 'scripts' / 'made')",
    "tests/test_structure.py": "",
}


def chosen(*changed: str, tree: dict[str, str] = TREE) -> near.Choice:
    return near.choose(changed, {path: near.read_module(text) for path, text in tree.items()}, {"hearts", "whist"})


@pytest.mark.parametrize(
    ("changed", "one_step", "two_steps"),
    [
        ("p2pcards/cards/card.py", {"games/test_card.py"}, set()),
        ("p2pcards/session/table.py", set(), {"session/test_net.py", "session/test_net_in_part.py"}),
        ("p2pcards/tui/felt.py", {"test_patched.py"}, set()),
        ("p2pcards/cli/guide.py", {"cli/test_guide.py"}, {"cli/test_line.py"}),
        ("p2pcards/cli/new.py", set(), {"cli/test_guide.py", "cli/test_line.py"}),
        ("p2pcards/guide/howto.md", set(), {"cli/test_guide.py"}),
        ("p2pcards/games/whist/tables.bin", set(), {"test_made.py", "games/test_laws.py"}),
        ("scripts/made", {"test_scripts.py"}, set()),
        ("tests/rigs/net.py", {"session/test_net.py", "session/test_net_in_part.py"}, set()),
        ("p2pcards/games/hearts/rules.py", {"games/test_hearts.py"}, {"games/test_laws.py"}),
    ],
)
def test_a_test_is_chosen_by_the_imports_between_it_and_the_change(
    changed: str, one_step: Collection[str], two_steps: Collection[str]
) -> None:
    steps = {"tests/test_structure.py": 0}
    steps |= dict.fromkeys([f"tests/{path}" for path in one_step], 1)
    steps |= dict.fromkeys([f"tests/{path}" for path in two_steps], 2)
    choice = chosen(changed)
    assert choice.steps == steps
    tests = {path for path in TREE if near.is_test(path)}
    assert set(choice.left_out) == tests - steps.keys()


def test_the_nearest_come_first_and_the_room_of_the_change_before_others() -> None:
    tree = {
        "p2pcards/session/table.py": "",
        "tests/daemon/test_engine.py": "from p2pcards.session import table",
        "tests/session/test_table.py": "from p2pcards.session import table",
        "tests/session/test_asking.py": "",
        "tests/test_structure.py": "",
    }
    assert list(chosen("p2pcards/session/table.py", tree=tree).steps) == [
        "tests/test_structure.py",
        "tests/session/test_table.py",
        "tests/daemon/test_engine.py",
        "tests/session/test_asking.py",
    ]


def test_a_game_has_its_own_cases_in_the_tests_of_all_games() -> None:
    assert chosen("p2pcards/games/hearts/rules.py").cases == {"tests/games/test_laws.py": "hearts"}
    assert chosen("p2pcards/games/hearts/rules.py", "p2pcards/games/whist/rules.py").cases == {}
    assert chosen("p2pcards/cards/card.py").cases == {}


def test_a_test_that_changed_comes_first_and_files_for_all_tests_are_named() -> None:
    choice = chosen("tests/cli/test_line.py", "pyproject.toml")
    assert choice.steps == {"tests/cli/test_line.py": 0, "tests/test_structure.py": 0}
    said = "\n".join(near.summary(["tests/cli/test_line.py", "pyproject.toml"], choice))
    assert "2 changed files" in said and "pyproject.toml can reach every test" in said


def test_every_room_has_tests_of_its_own() -> None:
    modules = near.modules_here()
    rooms = {near.room_of(path) for path in modules if path.startswith("p2pcards/")} - {""}
    assert len(rooms) > 15
    assert rooms - {near.room_of(path) for path in modules if near.is_test(path)} == {"conform", "page"}
    assert "tests/web/test_front.py" in near.choose(["p2pcards/page/new.css"], modules, set()).steps


TESTS = """
import pytest, time

@pytest.mark.parametrize("game", ["hearts", "whist"])
def test_game(game):
    pass

def test_the_last():
    pass
"""


def run_pytest(folder: Path, *options: str) -> str:
    (folder / "test_some.py").write_text(TESTS)
    plugins = ["-p", "rigs.near_tests", "-p", "no:cacheprovider", "--noconftest", "-c", os.devnull]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "pytest", *plugins, f"--rootdir={folder}", *options, "test_some.py"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT / "tests")},
        capture_output=True,
        text=True,
        timeout=longest_wait(),
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_of_a_file_the_cases_of_a_game_alone_are_run(tmp_path: Path) -> None:
    assert re.search(r"1 passed, 2 deselected", run_pytest(tmp_path, "--cases-of=hearts:test_some.py"))
    assert "3 passed" in run_pytest(tmp_path, "--cases-of=hearts:test_other.py", f"--begin-until={time.time() + 9999}")


def test_what_does_not_begin_in_time_is_left_out_and_named(tmp_path: Path) -> None:
    said = run_pytest(tmp_path, "--begin-until=1")
    assert "left out, as the time was over: 3 tests" in said and "test_some.py (3)" in said
