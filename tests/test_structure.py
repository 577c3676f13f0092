"""What the program's own rules say about its structure: who may write what, and no circles."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "p2pcards"
PATHS = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def modules() -> dict[str, ast.Module]:
    """Every module by its dotted name."""
    return {name: ast.parse(path.read_text()) for name, path in PATHS.items()}


# --- a class's attributes are written by that class alone -------------------------------------------------------------


def attributes_of(one: ast.ClassDef) -> set[str]:
    """Those that a class declares in its body, or that its methods set on `self`."""
    declared = {
        node.target.id for node in one.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    return declared | {target.attr for target in targets_in(one) if is_self(target.value)}


def targets_in(tree: ast.AST) -> Iterator[ast.Attribute]:
    """Each attribute that is assigned to, also in loops and with-statements, and each that is deleted."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            yield node


def is_self(owner: ast.expr) -> bool:
    return isinstance(owner, ast.Name) and owner.id == "self"


def written_from_outside(tree: ast.AST, owned: set[str]) -> list[str]:
    """What is written of an object whose class is another one: attributes that a class of the package has (owned),
    outside the classes that have them. A class may complete an object of its own."""
    found: list[str] = []

    def look(node: ast.AST, own: set[str]) -> None:
        if isinstance(node, ast.ClassDef):
            own = own | attributes_of(node)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            mine = is_self(node.value) or (isinstance(node.value, ast.Name) and node.attr in own)
            if node.attr in owned and not mine:
                found.append(f"line {node.lineno}: {ast.unparse(node)}")
        for child in ast.iter_child_nodes(node):
            look(child, own)

    look(tree, set())
    return found


def owned_attributes() -> set[str]:
    classes = [node for tree in modules().values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    return set().union(*[attributes_of(one) for one in classes])


def test_a_class_alone_writes_its_attributes() -> None:
    owned = owned_attributes()
    found = {name: written_from_outside(tree, owned) for name, tree in modules().items()}
    assert {name: written for name, written in found.items() if written} == {}


def test_the_search_for_written_attributes_bites() -> None:
    source = """
class Guest:
    b: int

    @classmethod
    def made(cls) -> "Guest":
        guest = cls()
        guest.b = 1
        return guest

class Room:
    def __init__(self) -> None:
        self.a = 1
        self.guest.b = 2
        self.clock.deadline = 3

def cut(guest, room):
    guest.b += 3
    x, room.a = 4, 5
    guest.b: int = 6
    for room.a in range(3):
        del guest.b
"""
    tree = ast.parse(source)
    owned = set().union(*[attributes_of(node) for node in ast.walk(tree) if isinstance(node, ast.ClassDef)])
    found = [line.split(": ")[1] for line in written_from_outside(tree, owned)]
    assert sorted(found) == ["guest.b", "guest.b", "guest.b", "room.a", "room.a", "self.guest.b"]


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
