"""Chooses the tests that a change can reach, the nearest first, for `scripts/test --near`.

    python scripts/near.py [COMMIT]

Prints arguments for pytest, one a line, and on standard error what was chosen and what was left out. What differs from
COMMIT (HEAD) has changed, also what is not committed and what is new. A test is as far from a changed file as the
imports between them: a test that imports it, or reads it, is one step away. The test files of the same room count as
two steps, since they may run it as a process; so do the cases of a changed game in tests that run all games. More than
two steps are left out.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
FARTHEST = 2
ALWAYS = ("tests/test_repository.py", "tests/test_structure.py")
"""Read every file."""

EVERYWHERE = {"pyproject.toml", "tests/conftest.py", "locks/dev.txt"}
"""Reach every test; `scripts/test` without a selection is for them."""

ALL_GAMES = "p2pcards/games/registry.py"
OF_A_GAME = re.compile(r"p2pcards/games/(\w+)/")
TOP_FOLDERS = {"tests": "tests/", "scripts": "scripts/"}
"""Whose modules are imported without the name of the folder."""


class Module(NamedTuple):
    """What a file of Python refers to, by its text alone."""

    imports: frozenset[str]  # dotted names
    words: frozenset[str]  # the parts of every string that may be a path


class Choice(NamedTuple):
    steps: dict[str, int]  # by test file, those that are near enough
    cases: dict[str, str]  # by test file, the game whose cases alone are near
    left_out: list[str]  # test files


def name_of(path: str) -> str:
    """Of a file of Python, as others import it."""
    for folder in TOP_FOLDERS.values():
        path = path.removeprefix(folder)
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def read_module(text: str) -> Module:
    imports: set[str] = set()
    words: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module:
            imports |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            imports |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 200:
            imports |= set(re.findall(r"\bp2pcards(?:\.\w+)+", node.value))
            words |= set(re.split(r"[/\s]", node.value))
    return Module(frozenset(imports), frozenset(words))


def readers(path: str, modules: Mapping[str, Module]) -> tuple[set[str], set[str]]:
    """The files of Python that name a file which is none; and those that name the nearest folder of it that any do."""
    *folders, name = PurePosixPath(path).parts
    # A name without an ending is a word like any other, but with its folder.
    named = {name} if "." in name else {name, *folders[-1:]}
    found = {reader for reader, module in modules.items() if named <= module.words}
    for folder in reversed(folders):
        if of_folder := {reader for reader, module in modules.items() if folder in module.words}:
            return found, of_folder
    return found, set()


def importers(modules: Mapping[str, Module]) -> dict[str, set[str]]:
    """By file, the files that import it or something of it."""
    paths = {name_of(path): path for path in modules}
    found = defaultdict(set)
    for path, module in modules.items():
        for name in module.imports:
            parts = name.split(".")
            wholes = [".".join(parts[:end]) for end in range(len(parts), 0, -1)]
            if imported := next((whole for whole in wholes if whole in paths), ""):
                found[paths[imported]].add(path)
    return found


def steps_from(changed: Collection[str], modules: Mapping[str, Module]) -> dict[str, int]:
    """By file of Python that is near enough, how far it is from what has changed."""
    imported_by = importers(modules)
    steps = {path: 0 for path in changed if path in modules}
    edge = set(steps)
    after = {1: set[str](), 2: set[str]()}
    for path in changed:
        if not path.endswith(".py"):
            by_name, by_folder = readers(path, modules)
            after[1] |= by_name or by_folder
            after[2] |= by_folder
    for step in range(1, FARTHEST + 1):
        edge = {importer for path in edge for importer in imported_by[path]} | after.get(step, set())
        edge -= steps.keys()
        steps |= dict.fromkeys(edge, step)
    return steps


def room_of(path: str) -> str:
    parts = PurePosixPath(path).parts
    return parts[1] if parts[0] in ("p2pcards", "tests") and len(parts) > 2 else ""


def games_of(changed: Collection[str], games: Collection[str]) -> set[str]:
    return {match[1] for match in map(OF_A_GAME.match, changed) if match and match[1] in games}


def choose(changed: Collection[str], modules: Mapping[str, Module], games: Collection[str]) -> Choice:
    tests = [path for path in modules if is_test(path)]
    steps = steps_from(changed, modules)
    of_games = games_of(changed, games)
    rooms = {room_of(path) for path in changed if path.startswith("p2pcards/")} - {"", "games" if of_games else ""}
    near = dict.fromkeys([path for path in tests if room_of(path) in rooms], FARTHEST)
    near |= {path: steps[path] for path in tests if path in steps}
    about = {*of_games, *[PurePosixPath(path).stem for path in changed if path.startswith("p2pcards/")]} - {"__init__"}
    for path in tests:
        if PurePosixPath(path).stem.removeprefix("test_") in about or any(game in path for game in of_games):
            near[path] = min(near.get(path, 1), 1)
    near |= dict.fromkeys([path for path in ALWAYS if path in tests], 0)
    cases: dict[str, str] = {}
    if len(of_games) == 1:
        all_games = steps_from([ALL_GAMES], modules)
        far = [path for path in tests if path not in near and path in all_games]
        cases = dict.fromkeys(far, min(of_games))
    near |= dict.fromkeys(cases, FARTHEST)
    return Choice(
        {path: near[path] for path in sorted(near, key=lambda path: (near[path], room_of(path) not in rooms, path))},
        cases,
        [path for path in tests if path not in near],
    )


def is_test(path: str) -> bool:
    return path.startswith("tests/") and PurePosixPath(path).name.startswith("test_") and path.endswith(".py")


# --- this repository --------------------------------------------------------------------------------------------------


def changed_since(commit: str) -> list[str]:
    changed = _git("diff", "--name-only", "--no-renames", "-z", commit)
    return sorted({*changed, *_git("ls-files", "--others", "--exclude-standard", "-z")})


def modules_here() -> dict[str, Module]:
    """Of every file of Python that is, or would be, in the repository."""
    found = {}
    for name in _git(
        "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", "p2pcards", "tests", "scripts"
    ):
        path = ROOT / name
        if path.is_file() and (name.endswith(".py") or _is_python_script(path)):
            found[name] = read_module(path.read_text())
    return found


def _is_python_script(path: Path) -> bool:
    with path.open("rb") as file:
        return not path.suffix and re.match(rb"#!.*python", file.readline()) is not None


def _git(*words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in done.stdout.split("\0") if name]


def summary(changed: Collection[str], choice: Choice) -> Iterator[str]:
    counts = [sum(steps == step for steps in choice.steps.values()) for step in range(FARTHEST + 1)]
    yield (
        f"{len(changed)} changed files. Test files: {counts[0]} that changed or always run, {counts[1]} one step away, "
        f"{counts[2]} two steps; {len(choice.left_out)} farther away are left out."
    )
    if choice.cases:
        yield f"Of {len(choice.cases)} of them only the cases of {min(choice.cases.values())}."
    if everywhere := EVERYWHERE & set(changed):
        yield f"{', '.join(sorted(everywhere))} can reach every test: run scripts/test too."


def main() -> None:
    changed = changed_since(sys.argv[1] if sys.argv[1:] else "HEAD")
    games = {path.parent.name for path in (ROOT / "p2pcards/games").glob("*/rules.py")}
    choice = choose(changed, modules_here(), games)
    for line in summary(changed, choice):
        print(line, file=sys.stderr)
    print("\n".join([*choice.steps, *[f"--cases-of={game}:{path}" for path, game in choice.cases.items()]]))


if __name__ == "__main__":
    main()
