"""A few things as the full screen draws them, to see what an option makes of them."""

from __future__ import annotations

from p2pcards.cards.card import parse_card
from p2pcards.present.width import fit
from p2pcards.tui.picture.canvas import Canvas, Picture
from p2pcards.tui.picture.faces import REGULAR, Face, Look, draw_card

CARDS = (("AS", ""), ("KH", "chosen"), ("QD", "dim"), ("JC", "marked"))
BELOW = (("10H", "new"), ("9S", "melded"), ("", ""))
LINES = (
    (("title", " A heading"),),
    (("fact", "Trump is spades"), ("meld", "K♣ Q♣")),
    (("name.turn", "> Ann (you)"), ("name", "Bob")),
    (("score.mine", "Ann     12"), ("score", "Bob     10")),
    (("chat", "Bob: Hello!"), ("log", "Bob plays 9♠.")),
    (("status", "Your turn: play a card."),),
    (("error", "You must follow hearts."),),
    (("button", "[D]raw"), ("button.at", "[K]nock")),
)
APART = 17
"""Columns from what stands left to what stands right of it."""


def draw_sample(look: Look, columns: int, rows: int) -> Picture:
    """As much of it as there is room for."""
    canvas = Canvas(columns, rows)
    room = min(columns // REGULAR.columns, len(CARDS))
    for number, (word, mood) in enumerate(CARDS[:room]):
        _draw(canvas, number, 0, word, mood, look)
    for number, (word, mood) in enumerate(BELOW[:room]):
        _draw(canvas, number, REGULAR.rows, word, mood, look)
    for number, line in enumerate(LINES[: max(rows - 2 * REGULAR.rows, 0)]):
        for place, (ink, text) in enumerate(line):
            shown = text.replace("♣", "C").replace("♠", "S") if look.ascii else text
            canvas.put(place * APART, 2 * REGULAR.rows + number, fit(shown, max(columns - place * APART, 0)), ink)
    return canvas.picture()


def _draw(canvas: Canvas, number: int, row: int, word: str, mood: str, look: Look) -> None:
    if row + REGULAR.rows > canvas.rows:
        return
    card = int(parse_card(word)) if word else 0
    shown = "" if mood == "melded" and not look.tint else mood
    draw_card(canvas, number * REGULAR.columns, row, REGULAR, Face(card, mood=shown), look)
