"""What is drawn: the table as the daemon tells it, and what the person at the screen has in mind."""

from __future__ import annotations

from dataclasses import dataclass, replace

from p2pcards.cards.card import Card
from p2pcards.frontend.choosing import Button, LegalAction, buttons_for, legal_actions, shown_hand
from p2pcards.present.cards import Arrangement
from p2pcards.present.tallies import count_moments
from p2pcards.present.width import fit_text, wrap_words
from p2pcards.tui.picture.faces import Look
from p2pcards.views.tableview import TableView

HAND, BUTTONS = "hand", "buttons"


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log beside the table."""

    text: str
    ink: str = "log"  # "log", "chat" or "error"


@dataclass(frozen=True, slots=True)
class Mind:
    """The player's selection, and the texts on the screen."""

    focus: str = HAND  # `HAND` or `BUTTONS`
    at: int = 0  # number of the selected card or button, from 0; -1 while no button is selected
    marked: frozenset[int] = frozenset()  # numbers of cards
    told: tuple[LogLine, ...] = ()  # the newest last
    beside: str = "all"  # the part of `told` that is shown, one of `frontend.beside.BESIDE`
    back: int = 0  # number of the newest of these lines that are scrolled out of view
    unread: int = 0  # number of those that came after the player scrolled back
    status: str = ""  # the prompt, or the latest answer
    wrong: bool = False  # `status` is a refusal


def log_lines(mind: Mind) -> tuple[LogLine, ...]:
    """The lines of the log beside the table, newest last."""
    if mind.beside == "all":
        return mind.told
    return tuple([one for one in mind.told if one.ink == "chat"]) if mind.beside == "talk" else ()


def add_log_lines(mind: Mind, told: tuple[LogLine, ...], most: int) -> Mind:
    """The state with these lines added to the log, of which the last `most` are kept. Where the player has scrolled
    back, the pane stays in place."""
    new = replace(mind, told=(*mind.told, *told)[-most:])
    if not mind.back:
        return new
    count = len(log_lines(replace(mind, told=told)))
    return replace(new, back=mind.back + count, unread=mind.unread + count)


def scroll_log(mind: Mind, by: int, columns: int, rows: int) -> Mind:
    """The state with the log scrolled up by so many rows, down if negative. columns, rows: of the pane, which stays
    full."""
    told, back = log_lines(mind), mind.back
    over = [len(wrap_words(one.text, columns, " ")) for one in reversed(told)]
    left = abs(by)
    while left > 0 and (sum(over[back:]) > rows - 1 if by > 0 else back > 0):
        left -= over[back if by > 0 else back - 1]
        back += 1 if by > 0 else -1
    return replace(mind, back=back, unread=min(mind.unread, back))


def log_page(mind: Mind, rows: int, columns: int) -> list[tuple[str, str]]:
    """(text, ink) of each row of the log's pane, the newest at the bottom; scrolled back, a last row shows what is
    new."""
    told = log_lines(mind)
    back = min(mind.back, max(len(told) - 1, 0))
    if back:
        rows -= 1
    lines: list[tuple[str, str]] = []
    for one in reversed(told[: len(told) - back]):
        lines[:0] = [(line, one.ink) for line in wrap_words(one.text, columns, " ")]
        if len(lines) >= rows:
            break
    shown = lines[-rows:] if rows > 0 else []
    new = f"{mind.unread} new below" if mind.unread else "more below"
    return [*shown, (fit_text(f"{new} (press End)", columns), "chat")] if back else shown


@dataclass(frozen=True, slots=True)
class InAir:
    """A card in motion above the table."""

    card: int  # as a byte, 0 for a back
    column: int  # of its upper left corner
    row: int  # of its upper left corner


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is drawn of a table."""

    view: TableView
    look: Look
    mind: Mind
    hand: tuple[Card, ...] = ()  # from left to right
    actions: tuple[LegalAction, ...] = ()  # legal ones
    buttons: tuple[Button, ...] = ()  # actions without cards of the hand, and commands between games
    elapsed: float = 0.0  # seconds since the view came
    # Zones of the latest action of another player: a pile, or the seat that played a card.
    fresh: frozenset[str] = frozenset()
    counting: int | None = None  # number of the shown moment of a count; None for none
    air: tuple[InAir, ...] = ()  # moving cards
    away: frozenset[str] = frozenset()  # zones that stay empty until their cards arrive
    window: tuple[int, int] = (80, 24)  # its columns and rows
    order: str = "suit"  # of my hand, one of `present.cards.ORDERS`


def counted_now(scene: Scene) -> dict[int, str]:
    """The cards that are being counted, with the mood in which each is drawn."""
    if scene.counting is None:
        return {}
    return dict.fromkeys(count_moments(scene.view)[scene.counting].cards, "chosen")


def new_scene(view: TableView, look: Look, arrangement: Arrangement) -> Scene:
    """The scene of a view in which the player has selected nothing yet."""
    hand = tuple(shown_hand(view, arrangement))
    found = legal_actions(view)
    order = arrangement.order
    return Scene(
        view, look, Mind(), hand=hand, actions=found, buttons=buttons_for(view, found, look.style), order=order
    )


def played_since(before: TableView, view: TableView) -> frozenset[str]:
    """The zones of other players' cards that were added to the trick between two views."""
    if before.game != view.game or before.last_trick != view.last_trick:
        before = TableView(before.role, before.phase)
    return frozenset(
        [f"seat {seat}" for seat, card in view.trick if seat != view.me and (seat, card) not in before.trick]
    )


def drawn_since(before: TableView, view: TableView) -> frozenset[str]:
    """The zones of piles that have become smaller on another player's turn."""
    if before.game != view.game or not any(seat.to_act and seat.seat != before.me for seat in before.seats):
        return frozenset()
    had = {pile.name: len(pile.cards) for pile in before.piles if pile.seat is None}
    return frozenset(
        [
            f"pile {pile.name}"
            for pile in view.piles
            if pile.seat is None and 0 < len(pile.cards) < had.get(pile.name, 0)
        ]
    )
