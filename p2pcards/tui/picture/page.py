"""A page of the guide: its lines for a width, where the links are, and what of it is seen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from p2pcards.present.guide import Block, Span, anchor_of
from p2pcards.present.width import fit, left, width
from p2pcards.tui.picture.canvas import Box, Canvas, Picture

MARGIN, HEADINGS, WIDEST = 3, 1, 96
"""Columns at the left and right of the text, at the left of headings, and the most that a line has."""
AROUND = 3
"""Rows that are not the text: the title, an empty one below it, and the keys."""
KEYS = " Tab next link  Enter open  Backspace back  / search  I index  Esc close"


@dataclass(frozen=True, slots=True)
class Bit:
    """A run of a line."""

    text: str
    ink: str
    link: int | None = None  # its number in `LaidPage.links`; None for no link


@dataclass(frozen=True, slots=True)
class LaidPage:
    title: str
    lines: tuple[tuple[Bit, ...], ...]
    links: tuple[str, ...]  # addresses
    starts: tuple[int, ...]  # by link, the line on which it begins
    headings: Mapping[str, int]  # lines by anchor


def rows_of_text(rows: int) -> int:
    return max(rows - AROUND, 1)


def laid_out(blocks: Sequence[Block], columns: int) -> LaidPage:
    """The title stands above the text, which begins with what is below it."""
    room = min(columns - 2 * MARGIN, WIDEST)
    lines: list[tuple[Bit, ...]] = []
    links: list[str] = []
    headings: dict[str, int] = {}
    title = blocks[0].text if blocks and blocks[0].level == 1 else ""
    for place, block in enumerate(blocks):
        if block.level == 1:
            headings[anchor_of(block.text)] = 0
            continue
        if lines and not (block.mark and blocks[place - 1].mark) and blocks[place - 1].level < 2:
            lines.append(())
        if block.level:
            headings[anchor_of(block.text)] = len(lines)
        lines += _lines_of(block, len(links), room)
        links += [span.to for span in block.spans if span.to]
    starts: dict[int, int] = {}
    for number, line in enumerate(lines):
        for bit in line:
            if bit.link is not None:
                starts.setdefault(bit.link, number)
    return LaidPage(title, tuple(lines), tuple(links), tuple(starts.values()), headings)


def draw_page(laid: LaidPage, top: int, at: int | None, columns: int, rows: int) -> Picture:
    """top: the first line that is seen; at: the link that is chosen."""
    canvas = Canvas(columns, rows)
    seen = rows_of_text(rows)
    last = max(len(laid.lines) - seen, 0)
    part = "" if not last else "  top" if top == 0 else "  end" if top >= last else f"  {100 * top // last}%"
    head = fit(f" Guide: {laid.title}", columns - len(part) - 1)
    canvas.put(0, 0, left(left(head, columns - len(part) - 1) + part, columns), "title")
    for row, line in enumerate(laid.lines[top : top + seen], AROUND - 1):
        column = HEADINGS if line and line[0].ink == "heading" else MARGIN
        for bit in line:
            chosen = bit.link is not None and bit.link == at
            canvas.put(column, row, bit.text, "button.at" if chosen else bit.ink)
            if bit.link is not None:
                canvas.zone(f"link {bit.link}", Box(column, row, width(bit.text), 1))
            if chosen and laid.starts[at or 0] == top + row - AROUND + 1:
                canvas.cursor(column, row)
            column += width(bit.text)
    canvas.put(0, rows - 1, left(fit(KEYS, columns), columns), "keys")
    return canvas.picture()


# --- private ----------------------------------------------------------------------------------------------------------


def _lines_of(block: Block, first_link: int, room: int) -> Iterator[tuple[Bit, ...]]:
    """A block broken between words."""
    mark = f"{block.mark} " if block.mark else ""
    indent = len(mark)
    runs = list(_runs(block.spans, "heading" if block.level else "", first_link))
    text = "".join([run.text for run in runs])
    for number, (start, end) in enumerate(_broken(text, room - indent)):
        before = mark if number == 0 else " " * indent
        cut = _cut(runs, start, end)
        yield (Bit(before, ""), *cut) if before else tuple(cut)


def _runs(spans: Sequence[Span], ink: str, link: int) -> Iterator[Bit]:
    for span in spans:
        if span.to:
            yield Bit(span.text, "link", link)
            link += 1
        else:
            yield Bit(span.text, "code" if span.code else ink)


def _broken(text: str, room: int) -> Iterator[tuple[int, int]]:
    """Where each line begins and ends; a word longer than a line is broken."""
    start = end = 0
    for word in re.finditer(r"\S+", text):
        if start < end and width(text[start : word.end()]) > room:
            yield start, end
            start = word.start()
        start, end = (word.start(), word.start()) if start == end else (start, end)
        while width(text[start : word.end()]) > room:
            yield start, start + room
            start += room
        end = word.end()
    if start < end:
        yield start, end


def _cut(runs: Sequence[Bit], start: int, end: int) -> Iterator[Bit]:
    """What of the runs lies between these characters of all."""
    at = 0
    for run in runs:
        text = run.text[max(start - at, 0) : max(end - at, 0)]
        at += len(run.text)
        if text:
            yield Bit(text, run.ink, run.link)
