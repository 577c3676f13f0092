"""The hand of the person at the screen, as a fan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2pcards.cards.card import Card
from p2pcards.tui.picture.canvas import Box, Canvas
from p2pcards.tui.picture.faces import SMALL, Face, Form, Look, draw_card

KEYS = "1234567890-=qwertyuiop"
"""What plays the card at each place."""

NARROWEST = 4
"""Columns of a card that have to be seen: its side, and the longest rank with its suit."""


@dataclass(frozen=True, slots=True)
class Fan:
    """Where the cards of a hand lie. places: of each card its column, its row and how many of its columns are seen;
    form: of all; lifts: a chosen card lies a row higher."""

    form: Form
    places: tuple[tuple[int, int, int], ...]
    lifts: bool


def fan(cards: int, box: Box, form: Form) -> Fan:
    """As many cards of this form as lie in one row; smaller ones in two rows where they would hide each other."""
    if cards and (cards == 1 or (box.columns - form.columns) // (cards - 1) >= NARROWEST):
        return Fan(form, tuple(_row(cards, box, form, box.row + box.rows - form.rows)), lifts=True)
    upper = (cards + 1) // 2
    top = _row(upper, box, SMALL, box.row + box.rows - 2 * SMALL.rows)
    bottom = _row(cards - upper, box, SMALL, box.row + box.rows - SMALL.rows)
    return Fan(SMALL, (*top, *bottom), lifts=False)


def rows_of(cards: int, columns: int, form: Form) -> int:
    """How many rows a hand takes, with that of a card which is lifted."""
    found = fan(cards, Box(0, 0, columns, form.rows + 1), form)
    return form.rows + 1 if found.lifts else 2 * SMALL.rows


def draw_hand(
    canvas: Canvas, box: Box, form: Form, look: Look, cards: Sequence[int], moods: Sequence[str], at: int | None
) -> None:
    """moods: of each card, as in `Face`; at: the place of the one that is chosen. Beside the cards is the "rest"."""
    lies = fan(len(cards), box, form)
    higher = _higher(cards) if look.stagger and lies.lifts else ()
    canvas.zone("rest", box)
    for number, (card, mood, (column, row, seen)) in enumerate(zip(cards, moods, lies.places, strict=True)):
        lifted = lies.lifts and (mood in ("chosen", "marked") or number in higher)
        key = KEYS[number] if number < len(KEYS) and mood != "dim" else ""
        below = f"{key}*" if mood == "marked" and not lies.lifts else key
        draw_card(canvas, column, row - lifted, lies.form, Face(card, seen, mood, below), look)
        canvas.zone(f"hand {number}", Box(column, row - lifted, seen, lies.form.rows))
        if number == at:
            canvas.cursor(column + 1, row - lifted + 1)


def _higher(cards: Sequence[int]) -> frozenset[int]:
    """The places of every other suit, as the cards lie."""
    suits = [Card(card).suit for card in cards]
    runs = [place for place, suit in enumerate(suits) if place == 0 or suit != suits[place - 1]]
    return frozenset([place for place in range(len(cards)) if sum([run <= place for run in runs]) % 2 == 0])


def _row(cards: int, box: Box, form: Form, row: int) -> list[tuple[int, int, int]]:
    """Cards beside each other from the left, each on the one before it as far as there is no room."""
    if not cards:
        return []
    step = form.columns if cards == 1 else min(form.columns, (box.columns - form.columns) // (cards - 1))
    return [(box.column + number * step, row, step) for number in range(cards - 1)] + [
        (box.column + (cards - 1) * step, row, form.columns)
    ]
