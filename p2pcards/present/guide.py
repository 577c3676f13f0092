"""The guide's pages: the Markdown files that come with the program, and the little of Markdown that they use, read
and written as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from posixpath import dirname, join, normpath

from p2pcards.present.width import COLUMNS, wrap

# --- the Markdown of the guide ----------------------------------------------------------------------------------------


INLINE = re.compile(r"`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)")
ITEM = re.compile(r"(-|\d+\.) ")
INDENT = "  "


@dataclass(frozen=True, slots=True)
class Span:
    """A run of text."""

    text: str
    code: bool = False  # as it would be typed
    to: str = ""  # the address of a link, such as "glossary#knock"; "" for no link


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading or item of a list."""

    spans: tuple[Span, ...]
    level: int = 0  # of a heading, 1 for the title of a page; 0 for no heading
    mark: str = ""  # of an item of a list; "" for none

    @property
    def text(self) -> str:
        return "".join([span.text for span in self.spans])


@dataclass(frozen=True, slots=True)
class Part:
    """A heading and what stands below it, down to the next one of its level."""

    anchor: str
    blocks: tuple[Block, ...]

    @property
    def title(self) -> str:
        return self.blocks[0].text


def read_markdown(text: str, name: str = "") -> tuple[Block, ...]:
    """The blocks of a page. name: its own, which links that lead to other files are taken from: those of
    "rules/hearts" say "../games.md" for the page "games"."""
    return tuple([_block(one, name) for one in _parted(text)])


def anchor_of(title: str) -> str:
    """How a link names a heading, as forges make it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def parts_of(blocks: Sequence[Block]) -> Iterator[Part]:
    """Every heading with what belongs to it; the first is the whole page."""
    for place, block in enumerate(blocks):
        if block.level:
            after = (one for one in range(place + 1, len(blocks)) if 0 < blocks[one].level <= block.level)
            yield Part(anchor_of(block.text), tuple(blocks[place : next(after, len(blocks))]))


def plain_lines(blocks: Sequence[Block], columns: int = COLUMNS) -> list[str]:
    """Headings at the margin, all else indented; code in quotes; a link with the words to type, (guide NAME)."""
    lines: list[str] = []
    for place, block in enumerate(blocks):
        before = blocks[place - 1] if place else None
        if before and not (before.level > 1 or (before.mark and block.mark)):
            lines.append("")
        text = "".join([_plain(span) for span in block.spans])
        if block.level:
            lines += wrap(text, columns, INDENT)
        else:
            mark = f"{block.mark} " if block.mark else ""
            lines += wrap(mark + text, columns, INDENT + " " * len(mark), INDENT)
    return lines


def typed_address(address: str) -> str:
    """``glossary knock`` for "glossary#knock"."""
    return re.sub(r"[/#]", " ", address)


def _plain(span: Span) -> str:
    text = f"'{span.text}'" if span.code else span.text
    return f"{text} (guide {typed_address(span.to)})" if span.to else text


def _parted(text: str) -> Iterator[str]:
    """Each heading, item and paragraph as one line."""
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        gathered: list[str] = []
        for line in paragraph.splitlines():
            if gathered and (ITEM.match(line) or gathered[-1].startswith("#")):
                yield " ".join(gathered)
                gathered = []
            gathered.append(line.strip())
        yield " ".join(gathered)


def _block(line: str, name: str) -> Block:
    if line.startswith("#"):
        marks, _, title = line.partition(" ")
        return Block(_spans(title, name), level=len(marks))
    if item := ITEM.match(line):
        return Block(_spans(line[item.end() :], name), mark=item[1])
    return Block(_spans(line, name))


def _spans(text: str, name: str) -> tuple[Span, ...]:
    spans, end = [], 0
    for found in INLINE.finditer(text):
        code, label, target = found.groups()
        spans.append(Span(text[end : found.start()]))
        linked = label and Span(label.strip("`"), label[0] == "`", _address(target, name))
        spans.append(linked or Span(code, code=True))
        end = found.end()
    return tuple([span for span in (*spans, Span(text[end:])) if span.text])


def _address(target: str, name: str) -> str:
    """A target without a file is on this page."""
    file, mark, anchor = target.partition("#")
    page = normpath(join(dirname(name), file.removesuffix(".md"))) if file else name
    return page + mark + anchor


# --- the pages of the guide that are written --------------------------------------------------------------------------


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
