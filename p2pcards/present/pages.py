"""The pages of the guide that are written: the Markdown files of the folder `guide`, which come with the program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

FOLDER = "guide"
CONTENTS, GLOSSARY, INDEX = "contents", "glossary", "index"
"""The pages that others are found by."""


@cache
def written_pages() -> Mapping[str, str]:
    """Each by its name, in the order of the alphabet."""
    return dict(sorted(_below(files("p2pcards").joinpath(FOLDER), "")))


def _below(folder: Traversable, name: str) -> Iterator[tuple[str, str]]:
    for path in folder.iterdir():
        if path.is_dir():
            yield from _below(path, f"{name}{path.name}/")
        elif path.name.endswith(".md"):
            yield name + path.name.removesuffix(".md"), path.read_text(encoding="utf-8")
