"""What the program's own rules say about its structure: who may write what, no circles, and modules of one thing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "p2pcards"
LONGEST = 350
"""Lines of a module of the rooms in which everything comes together."""
HELD_TO_IT = ("session", "ledger", "views", "daemon")


@cache
def modules() -> dict[str, ast.Module]:
    """Every module by its dotted name."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return {".".join(path.relative_to(ROOT).with_suffix("").parts): ast.parse(path.read_text()) for path in paths}


# --- a class's attributes are written by that class alone -------------------------------------------------------------


def written_from_outside(tree: ast.AST) -> Iterator[str]:
    """Each assignment to an attribute of something that is not `self` or `cls`."""
    for node in ast.walk(tree):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AugAssign | ast.AnnAssign):
            targets = [node.target]
        for target in targets:
            for part in target.elts if isinstance(target, ast.Tuple | ast.List) else [target]:
                if isinstance(part, ast.Attribute) and not is_own(part.value):
                    yield f"line {part.lineno}: {ast.unparse(part)}"


def is_own(owner: ast.expr) -> bool:
    return isinstance(owner, ast.Name) and owner.id in ("self", "cls")


@pytest.mark.parametrize("name", modules())
def test_no_module_writes_the_attributes_of_another_ones_objects(name: str) -> None:
    assert list(written_from_outside(modules()[name])) == []


def test_the_search_for_written_attributes_bites() -> None:
    source = "self.a = 1\nguest.b = 2\nself.link.c += 3\nx, guest.d = 4, 5\nguest.e: int = 6\n"
    found = [line.split(": ")[1] for line in written_from_outside(ast.parse(source))]
    assert sorted(found) == ["guest.b", "guest.d", "guest.e", "self.link.c"]


# --- no circles of files ----------------------------------------------------------------------------------------------


def imports(name: str) -> set[str]:
    """The modules of the package that a module imports anywhere in it, for type checking too."""
    found: set[str] = set()
    for node in ast.walk(modules()[name]):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *[f"{node.module}.{alias.name}" for alias in node.names]}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return (found & modules().keys()) - {name}


def circle(start: str, graph: dict[str, set[str]]) -> list[str]:
    """A way from a module back to itself, empty if there is none."""
    ways = [[start]]
    seen: set[str] = set()
    while ways:
        way = ways.pop(0)
        for after in sorted(graph[way[-1]]):
            if after == start:
                return [*way, after]
            if after not in seen:
                seen.add(after)
                ways.append([*way, after])
    return []


def test_no_files_import_each_other_in_a_circle() -> None:
    graph = {name: imports(name) for name in modules()}
    assert [found for name in graph if (found := circle(name, graph))] == []
    assert circle("a", {"a": {"b"}, "b": {"c"}, "c": {"b", "a"}}) == ["a", "b", "c", "a"]


# --- one name, one thing ----------------------------------------------------------------------------------------------


def classes(name: str) -> list[str]:
    return [node.name for node in ast.walk(modules()[name]) if isinstance(node, ast.ClassDef)]


def test_every_class_has_a_name_of_its_own() -> None:
    """But for those of a game's or a player's own file, which are the words of its rules."""
    seen: dict[str, str] = {}
    twice = []
    for name in modules():
        if name.split(".")[1] in ("games", "players"):
            continue
        for one in classes(name):
            if one in seen:
                twice.append(f"{one}: {seen[one]} and {name}")
            seen[one] = name
    assert twice == []


@pytest.mark.parametrize("room", HELD_TO_IT)
def test_modules_can_be_held_in_the_head(room: str) -> None:
    lengths = {path.name: len(path.read_text().splitlines()) for path in (PACKAGE / room).glob("*.py")}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}
