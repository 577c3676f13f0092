"""A page of the guide: its lines for a width, where the links are, and what of it is seen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from p2pcards.present.guide import Block, Span, heading_anchor
from p2pcards.present.width import fit_text, pad_right, text_width
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
    """The visible rows of text of a page in a window of so many rows."""
    return max(rows - AROUND, 1)


def lay_out_page(blocks: Sequence[Block], columns: int) -> LaidPage:
    """Break a page into lines of so many columns. Its title is shown above, so the lines begin below it."""
    room = min(columns - 2 * MARGIN, WIDEST)
    lines: list[tuple[Bit, ...]] = []
    links: list[str] = []
    headings: dict[str, int] = {}
    title = blocks[0].text if blocks and blocks[0].level == 1 else ""
    for place, block in enumerate(blocks):
        if block.level == 1:
            headings[heading_anchor(block.text)] = 0
            continue
        if lines and not (block.mark and blocks[place - 1].mark) and blocks[place - 1].level < 2:
            lines.append(())
        if block.level:
            headings[heading_anchor(block.text)] = len(lines)
        lines += _break_block(block, len(links), room)
        links += [span.to for span in block.spans if span.to]
    starts: dict[int, int] = {}
    for number, line in enumerate(lines):
        for bit in line:
            if bit.link is not None:
                starts.setdefault(bit.link, number)
    return LaidPage(title, tuple(lines), tuple(links), tuple(starts.values()), headings)


def draw_page(laid: LaidPage, top: int, at: int | None, columns: int, rows: int) -> Picture:
    """The picture of a page. top: the first visible line; at: index of the selected link."""
    canvas = Canvas(columns, rows)
    seen = rows_of_text(rows)
    last = max(len(laid.lines) - seen, 0)
    part = "" if not last else "  top" if top == 0 else "  end" if top >= last else f"  {100 * top // last}%"
    head = fit_text(f" Guide: {laid.title}", columns - len(part) - 1)
    canvas.put(0, 0, pad_right(pad_right(head, columns - len(part) - 1) + part, columns), "title")
    for row, line in enumerate(laid.lines[top : top + seen], AROUND - 1):
        column = HEADINGS if line and line[0].ink == "heading" else MARGIN
        for bit in line:
            chosen = bit.link is not None and bit.link == at
            canvas.put(column, row, bit.text, "button.at" if chosen else bit.ink)
            if bit.link is not None:
                canvas.zone(f"link {bit.link}", Box(column, row, text_width(bit.text), 1))
            if chosen and laid.starts[at or 0] == top + row - AROUND + 1:
                canvas.cursor(column, row)
            column += text_width(bit.text)
    canvas.put(0, rows - 1, pad_right(fit_text(KEYS, columns), columns), "keys")
    return canvas.picture()


# --- private ----------------------------------------------------------------------------------------------------------


def _break_block(block: Block, first_link: int, room: int) -> Iterator[tuple[Bit, ...]]:
    """The lines of a block, broken between words. room: columns."""
    mark = f"{block.mark} " if block.mark else ""
    indent = len(mark)
    runs = list(_span_bits(block.spans, "heading" if block.level else "", first_link))
    text = "".join([run.text for run in runs])
    for number, (start, end) in enumerate(_line_bounds(text, room - indent)):
        before = mark if number == 0 else " " * indent
        cut = _cut_bits(runs, start, end)
        yield (Bit(before, ""), *cut) if before else tuple(cut)


def _span_bits(spans: Sequence[Span], ink: str, link: int) -> Iterator[Bit]:
    for span in spans:
        if span.to:
            yield Bit(span.text, "link", link)
            link += 1
        else:
            yield Bit(span.text, "code" if span.code else ink)


def _line_bounds(text: str, room: int) -> Iterator[tuple[int, int]]:
    """(start, end) of each line; a word longer than a line is broken."""
    start = end = 0
    for word in re.finditer(r"\S+", text):
        if start < end and text_width(text[start : word.end()]) > room:
            yield start, end
            start = word.start()
        start, end = (word.start(), word.start()) if start == end else (start, end)
        while text_width(text[start : word.end()]) > room:
            yield start, start + room
            start += room
        end = word.end()
    if start < end:
        yield start, end


def _cut_bits(runs: Sequence[Bit], start: int, end: int) -> Iterator[Bit]:
    """The part of the runs between these characters of their whole text."""
    at = 0
    for run in runs:
        text = run.text[max(start - at, 0) : max(end - at, 0)]
        at += len(run.text)
        if text:
            yield Bit(text, run.ink, run.link)
