"""Cards as drawings, in SVG: every size and colour from the same few strokes. No toolkit, and no font: each reader of
SVG draws the same."""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.cards.card import Card, Suit

# --- suits and ranks as paths -----------------------------------------------------------------------------------------


SUITS: dict[Suit, str] = {
    Suit.SPADES: (
        "M0-1C.3-.5 1-.15 1 .32C1 .66.74.8.52.8C.32.8.15.68.08.5C.1.75.2.93.36 1H-.36C-.2.93-.1.75-.08.5"
        "C-.15.68-.32.8-.52.8C-.74.8-1 .66-1 .32C-1-.15-.3-.5 0-1Z"
    ),
    Suit.HEARTS: (
        "M0 1C-.3.5-1 .1-1-.4C-1-.76-.74-.95-.48-.95C-.24-.95-.06-.8 0-.55C.06-.8.24-.95.48-.95C.74-.95 1-.76 1-.4"
        "C1 .1.3.5 0 1Z"
    ),
    Suit.DIAMONDS: "M0-1C.2-.62.48-.28.8 0C.48.28.2.62 0 1C-.2.62-.48.28-.8 0C-.48-.28-.2-.62 0-1Z",
    Suit.CLUBS: (
        "M0-1C.28-1 .5-.8.5-.53C.5-.36.41-.22.3-.14C.38-.19.46-.2.54-.2C.82-.2 1 .02 1 .28C1 .56.8.76.54.76"
        "C.32.76.14.64.08.46C.1.72.2.93.36 1H-.36C-.2.93-.1.72-.08.46C-.14.64-.32.76-.54.76C-.8.76-1 .56-1 .28"
        "C-1 .02-.82-.2-.54-.2C-.46-.2-.38-.19-.3-.14C-.41-.22-.5-.36-.5-.53C-.5-.8-.28-1 0-1Z"
    ),
}
"""Two high and at most two wide, around the origin."""

RANKS: dict[str, str] = {
    "2": "M.6 3.8C.6-1.2 9.4-1.2 9.4 3.8C9.4 7 4.8 9.6.6 14H9.8",
    "3": "M.8 0H9L4.6 5.4C7.6 5 9.6 7 9.6 9.6C9.6 15.2 1.6 15.4.4 11.4",
    "4": "M7.4 14V0L.2 10H10",
    "5": "M9 0H2L1.2 6.2C4 3.9 9.6 4.6 9.6 9.4C9.6 15.2 1.6 15.4.4 11.8",
    "6": "M8.4.3C3 1 .5 5 .5 9.4C.5 15.5 9.6 15.5 9.6 9.4C9.6 4.4 2 4 .6 9",
    "7": "M.4 0H9.6C6.5 4.5 4.4 9 4 14",
    "8": "M5 6.6C.6 6 .6 0 5 0C9.4 0 9.4 6 5 6.6C-1.2 7.2-1.2 14 5 14C11.2 14 11.2 7.2 5 6.6Z",
    "9": "M1.6 13.7C7 13 9.5 9 9.5 4.6C9.5-1.5.4-1.5.4 4.6C.4 9.6 8 10 9.4 5",
    "10": "M-1.2 2.8L1.4 0V14M8.4 0C3.8 0 3.8 14 8.4 14C13 14 13 0 8.4 0Z",
    "J": "M7.4 0V10C7.4 15.2.9 15.4.4 10.8M4.2 0H10",
    "Q": "M5 0C-1.4 0-1.4 14 5 14C11.4 14 11.4 0 5 0ZM5.6 9.4L10 14.6",
    "K": "M1 0V14M9.4 0L1 8.6M4 5.6L9.8 14",
    "A": "M0 14L5 0L10 14M2 9.2H8",
}
"""Strokes, 14 high and at most 13 wide."""

CROWNS: dict[str, str] = {
    "K": "M-1 1L-1-.5L-.5.15L-.16-.5V-.7H-.34V-.86H-.16V-1.06H.16V-.86H.34V-.7H.16V-.5L.5.15L1-.5V1Z",
    "Q": "M-1 1L-1.1-.4L-.6.2L-.38-.8L0 .05L.38-.8L.6.2L1.1-.4L1 1Z",
    "J": "M-1 1V.2C-1-.7.2-1 1-1C.6-.7.5-.4.6-.1C.9.1 1 .4 1 1Z",
}
"""What lies on the head of a king, a queen and a jack; two high, around the origin."""


# --- a card -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Paint:
    """Colours as #rrggbb."""

    face: str
    ink: str  # of rank and suit
    edge: str  # of the frame
    thick: bool = False  # a thick frame, for a chosen card
    gold: str = "#d9a21b"  # of the crowns


PIPS: dict[str, tuple[tuple[float, float], ...]] = {
    "A": ((0, 0),),
    "2": ((0, -1), (0, 1)),
    "3": ((0, -1), (0, 0), (0, 1)),
    "4": ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    "5": ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    "6": ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
    "7": ((-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (-1, 1), (1, 1)),
    "8": ((-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (0, 0.5), (-1, 1), (1, 1)),
    "9": ((-1, -1), (1, -1), (-1, -0.34), (1, -0.34), (0, 0), (-1, 0.34), (1, 0.34), (-1, 1), (1, 1)),
    "10": (
        (-1, -1), (1, -1), (0, -0.67), (-1, -0.34), (1, -0.34), (-1, 0.34), (1, 0.34), (0, 0.67), (-1, 1), (1, 1)
    ),
}  # fmt: skip
"""Where the pips of each rank stand, from the middle of a card; those below it stand on their heads."""


def card_svg(card: int, width: int, height: int, paint: Paint) -> str:
    """The face of a card as SVG; width and height in pixels. Numbered copies have strokes beside their rank."""
    drawn = Card(card)
    rank, suit = list(RANKS)[drawn.rank - 2], SUITS[drawn.suit]
    if width < PIPS_FROM:
        tall = min(height * 0.27, width * 0.34)
        drawing = _corner_index_svg(rank, suit, tall, drawn.copy) + _large_suit_svg(rank, suit, width, height, paint)
    else:
        index = _corner_index_svg(rank, suit, min(height * 0.15, width * 0.21), drawn.copy)
        turned = f'<g transform="rotate(180 {width / 2:g} {height / 2:g})">{index}</g>'
        drawing = index + turned + _pips_svg(rank, suit, width, height, paint)
    return _card_shape_svg(width, height, paint, f'<g fill="{paint.ink}" stroke="none">{drawing}</g>')


def _corner_index_svg(rank: str, suit: str, tall: float, copy: int) -> str:
    """The rank over its suit, for the upper left corner. tall: its height; copy: number of the copy."""
    left, size = tall * 0.22, tall * 0.062
    second = "".join([f'<path d="M{15 + 3 * number} 0V4" {STROKE}/>' for number in range(copy)])
    return (
        f'<g transform="translate({left + size:.2f} {tall * 0.3:.2f}) scale({size:.3f} {size * 0.9:.3f})">'
        f'<path d="{RANKS[rank]}" {STROKE}/>{second}</g>'
        f'<path transform="translate({left + tall * 0.36:.2f} {tall * 1.72:.2f}) scale({tall * 0.33:.2f})" d="{suit}"/>'
    )


STROKE = 'fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"'


def _large_suit_svg(rank: str, suit: str, width: float, height: float, paint: Paint, right: float = 0.64) -> str:
    """One large suit, with a crown on a face card."""
    across, down, size = width * right, height * 0.68, min(width * 0.28, height * 0.25)
    if rank not in CROWNS:
        return f'<path transform="translate({across:.2f} {down:.2f}) scale({size:.2f})" d="{suit}"/>'
    return (
        f'<path transform="translate({across:.2f} {down - size * 0.66:.2f}) scale({size * 0.86:.2f} {size * 0.6:.2f})"'
        f' d="{CROWNS[rank]}" fill="{paint.gold}"/>'
        f'<path transform="translate({across:.2f} {down + size * 0.62:.2f}) scale({size * 0.7:.2f})" d="{suit}"/>'
    )


def _pips_svg(rank: str, suit: str, width: float, height: float, paint: Paint) -> str:
    """As many suit signs as the rank has, a larger one for the ace, and a crown for a face card."""
    if rank not in PIPS:
        large = _large_suit_svg(rank, suit, width, height, paint, 0.5)
        return f'<g transform="translate(0 {-height * 0.17:.2f})">{large}</g>'
    size = width * 0.22 if rank == "A" else min(width * 0.105, height * 0.075)
    drawn = []
    for column, row in PIPS[rank]:
        across, down = width / 2 + column * width * 0.19, height / 2 + row * height * 0.33
        turned = -size if row > 0 else size
        drawn.append(
            f'<path transform="translate({across:.2f} {down:.2f}) scale({size:.2f} {turned:.2f})" d="{suit}"/>'
        )
    return "".join(drawn)


PIPS_FROM = 140
"""Pixels across; on a narrower card pips are too small to be counted at a glance."""


def back_svg(width: int, height: int, paint: Paint) -> str:
    """The back of a card as SVG: a lattice in a border. width and height in pixels."""
    edge, step = min(width, height) * 0.07, min(width, height) * 0.16
    lines = []
    count = round((width + height) / step)
    for number in range(count + 1):
        place = number * step
        lines.append(f"M{place:.1f} 0L{place - height:.1f} {height}M{place - height:.1f} 0L{place:.1f} {height}")
    inside = (
        f'<clipPath id="inside"><rect x="{edge:.1f}" y="{edge:.1f}" width="{width - 2 * edge:.1f}"'
        f' height="{height - 2 * edge:.1f}" rx="{edge * 0.6:.1f}"/></clipPath>'
        f'<g clip-path="url(#inside)"><rect width="{width}" height="{height}" fill="{paint.ink}" opacity="0.35"/>'
        f'<path d="{"".join(lines)}" stroke="{paint.ink}" stroke-width="{step * 0.17:.2f}" fill="none"/></g>'
    )
    return _card_shape_svg(width, height, paint, inside)


def _card_shape_svg(width: int, height: int, paint: Paint, inside: str) -> str:
    """The drawing on a card with round corners."""
    line = max(1.0, width / 60) * (2.5 if paint.thick else 1)
    round_by = min(width, height) * 0.09
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f'<rect x="{line / 2:g}" y="{line / 2:g}" width="{width - line:g}" height="{height - line:g}"'
        f' rx="{round_by:.1f}" fill="{paint.face}" stroke="{paint.edge}" stroke-width="{line:g}"/>'
        f'<g color="{paint.ink}">{inside}</g></svg>'
    )
