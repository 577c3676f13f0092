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

from p2pcards.present.width import wrap_words

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
    """A paragraph, heading or list item."""

    spans: tuple[Span, ...]
    level: int = 0  # of a heading, 1 for the title of a page; 0 for no heading
    mark: str = ""  # of an item of a list; "" for none

    @property
    def text(self) -> str:
        """The text of all spans."""
        return "".join([span.text for span in self.spans])


@dataclass(frozen=True, slots=True)
class Part:
    """A heading and what is below it, down to the next heading of its level."""

    anchor: str
    blocks: tuple[Block, ...]

    @property
    def title(self) -> str:
        """The text of the heading."""
        return self.blocks[0].text


def read_markdown(text: str, name: str = "") -> tuple[Block, ...]:
    """Read the blocks of a page. name: of the page, to resolve links to other files: in "rules/hearts", "../games.md"
    is the page "games"."""
    return tuple([_parse_block(one, name) for one in _split_markdown(text)])


def heading_anchor(title: str) -> str:
    """The anchor of a heading in links, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def page_parts(blocks: Sequence[Block]) -> Iterator[Part]:
    """Every heading of a page with its contents; the first part is the whole page."""
    for place, block in enumerate(blocks):
        if block.level:
            after = (one for one in range(place + 1, len(blocks)) if 0 < blocks[one].level <= block.level)
            yield Part(heading_anchor(block.text), tuple(blocks[place : next(after, len(blocks))]))


def plain_lines(blocks: Sequence[Block]) -> list[str]:
    """The page as plain lines: headings at the margin, all else indented, code in quotes, and links with the words to
    type, (guide NAME)."""
    lines: list[str] = []
    for place, block in enumerate(blocks):
        before = blocks[place - 1] if place else None
        if before and not (before.level > 1 or (before.mark and block.mark)):
            lines.append("")
        text = "".join([_span_text(span) for span in block.spans])
        if block.level:
            lines += wrap_words(text, indent=INDENT)
        else:
            mark = f"{block.mark} " if block.mark else ""
            lines += wrap_words(mark + text, indent=INDENT + " " * len(mark), first=INDENT)
    return lines


def typed_address(address: str) -> str:
    """``glossary knock`` for "glossary#knock"."""
    return re.sub(r"[/#]", " ", address)


def _span_text(span: Span) -> str:
    text = f"'{span.text}'" if span.code else span.text
    return f"{text} (guide {typed_address(span.to)})" if span.to else text


def _split_markdown(text: str) -> Iterator[str]:
    """Each heading, item and paragraph as one line."""
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        gathered: list[str] = []
        for line in paragraph.splitlines():
            if gathered and (ITEM.match(line) or gathered[-1].startswith("#")):
                yield " ".join(gathered)
                gathered = []
            gathered.append(line.strip())
        yield " ".join(gathered)


def _parse_block(line: str, name: str) -> Block:
    if line.startswith("#"):
        marks, _, title = line.partition(" ")
        return Block(_parse_spans(title, name), level=len(marks))
    if item := ITEM.match(line):
        return Block(_parse_spans(line[item.end() :], name), mark=item[1])
    return Block(_parse_spans(line, name))


def _parse_spans(text: str, name: str) -> tuple[Span, ...]:
    spans, end = [], 0
    for found in INLINE.finditer(text):
        code, label, target = found.groups()
        spans.append(Span(text[end : found.start()]))
        linked = label and Span(label.strip("`"), label[0] == "`", _resolve_link(target, name))
        spans.append(linked or Span(code, code=True))
        end = found.end()
    return tuple([span for span in (*spans, Span(text[end:])) if span.text])


def _resolve_link(target: str, name: str) -> str:
    """The address of a link's target; one without a file is on this page."""
    file, mark, anchor = target.partition("#")
    page = normpath(join(dirname(name), file.removesuffix(".md"))) if file else name
    return page + mark + anchor


# --- the pages of the guide that are written --------------------------------------------------------------------------


FOLDER = "guide"
CONTENTS, GLOSSARY, INDEX = "contents", "glossary", "index"
"""The pages that others are found by."""


@cache
def written_pages() -> Mapping[str, str]:
    """The guide's Markdown files by page name, in alphabetical order."""
    return dict(sorted(_files_below(files("p2pcards").joinpath(FOLDER), "")))


def _files_below(folder: Traversable, name: str) -> Iterator[tuple[str, str]]:
    for path in folder.iterdir():
        if path.is_dir():
            yield from _files_below(path, f"{name}{path.name}/")
        elif path.name.endswith(".md"):
            yield name + path.name.removesuffix(".md"), path.read_text(encoding="utf-8")
