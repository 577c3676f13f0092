"""What is asked before somebody leaves a table, ends a game or breaks up a meld: what follows from it."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.cards.card import parse_card
from p2pcards.games.spelling import SIGNS, is_card_word
from p2pcards.present.cards import Style, card_text
from p2pcards.present.table import my_seat
from p2pcards.views.tableview import TableView
from p2pcards.wire.clean import clean

SEAT_KEPT = "Seat kept. Back: p2pcards attach. Give up: p2pcards leave."
TABLE_KEPT = "The table is kept. Back: p2pcards attach. Give up: p2pcards leave."


def last_words(result: str, view: TableView) -> str:
    """What is said when a front end has ended. result: "detached", "left" (for good) or "closed" (by the daemon)."""
    if result == "detached":
        return SEAT_KEPT if my_seat(view) is not None else TABLE_KEPT
    return "You have left the table." if result == "left" else "The table is closed."


def parting_question(word: str, view: TableView) -> str:
    """word: leave or end."""
    others = any(person.link != "you" for person in view.people)
    if word == "end":
        return f"End the game{' for everybody' if others else ''}? The table stays. yes/no"
    mine = my_seat(view)
    watching = "You look on; the game goes on." if view.looks_on else "You only watch; the game goes on."
    plays = f"{clean(mine.character, 24)} will play your seat." if mine else watching
    where = "" if view.phase == "play" else " the table"
    return f"Leave{where} for good? {leaving(view.role, view.phase, others, plays)}yes/no"


def meld_question(words: Sequence[str], view: TableView, style: Style) -> str:
    """What is asked before a card is played that is part of a meld which can still be made; "" where it is of none, or
    where nothing else can be done."""
    card = words[-1].translate(SIGNS) if words else ""
    played = len(words) == 1 or (len(words) == 2 and words[0].lower() == "play")
    if not played or not is_card_word(card) or len(view.legal) < 2:
        return ""
    found = str(parse_card(card))
    melds = [meld for meld in view.meldable if found in meld.cards.split()]
    if found not in view.legal or not melds:
        return ""
    best = max(melds, key=lambda meld: meld.points)
    meld = f"{clean(best.what)} ({best.points})"
    return f"{card_text(parse_card(card), style)} is part of a meld you can still make: {meld}. Play it? yes/no"


def leaving(role: str, phase: str, others: bool, plays: str) -> str:
    """What follows when somebody leaves, a sentence and a space, or nothing. plays: who plays a listener's seat."""
    coordinates = role == "coordinator"
    if coordinates and others:
        ends = "the game ends for everybody ('end' keeps the table)" if phase == "play" else "it closes for everybody"
        return f"You coordinate, so {ends}. "
    if phase != "play":
        return ""
    return "The game ends, as nobody plays your seat. " if coordinates else f"{plays} "


def staying(command: str) -> str:
    """What is said when they did not mean it."""
    return {"end": "The game goes on.", "act": "You keep it."}.get(command, "You stay.")
