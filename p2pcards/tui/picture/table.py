"""The whole screen of a table: who sits where, what lies there, the hand, and what there is to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from p2pcards.frontend.choosing import Button, usable
from p2pcards.present.cards import cards_text
from p2pcards.present.table import hand_facts, lobby_lines, pile_lines, table_lines, title_text
from p2pcards.present.width import fit, left, width, wrap
from p2pcards.tui.picture.canvas import Box, Canvas, Picture, overlaid
from p2pcards.tui.picture.faces import EXTRA, FORMS, LARGE, LOWER, REGULAR, SMALL, Face, Form, card_picture
from p2pcards.tui.picture.hand import draw_hand, rows_of
from p2pcards.tui.picture.middle import draw_piles, draw_trick, plays_tricks, rows_of_spread, rows_of_trick
from p2pcards.tui.picture.pegs import board, draw_board
from p2pcards.tui.picture.scene import BUTTONS, HAND, Scene
from p2pcards.tui.picture.seats import ABOVE, BELOW, LEFT, RIGHT, Line, draw_beside, lines_across, places, rows_beside
from p2pcards.tui.picture.side import draw_beside_table, draw_scores
from p2pcards.views.tableview import SeatView
from p2pcards.wire.clean import clean

LEAST_COLUMNS, LEAST_ROWS = 80, 24
"""Of a window in which cards are drawn; in a smaller one the table is told in words."""

BESIDE_HAND = 46
"""The column right of the few cards of a hand with which a board right across the window is used."""

ROWS_FOR_LARGE, ROWS_FOR_EXTRA = 36, 56
"""Of a window in which the cards of a hand may be so large."""

FACTS = 3
"""Lines of what holds in the hand, at the most."""
KEYS = "Enter plays  Space marks  H hint  Tab talk  F10 menu  ? help  Ctrl+Q leaves"
LOOKING_KEYS = "Q stops  V score  L last trick  G rules  Ctrl+O options  F10 menu  ? help"


def draw(scene: Scene, columns: int, rows: int) -> Picture:
    """The picture for a window of this size."""
    if columns < LEAST_COLUMNS or rows < LEAST_ROWS:
        return _in_words(scene, columns, rows)
    canvas = Canvas(columns, rows)
    top = _draw_head(canvas, scene)
    hand = _draw_foot(canvas, scene)
    area = Box(1, top, columns - 2, hand.row - 2 - top)
    if scene.view.seats:
        _draw_game(canvas, area, hand, scene)
    else:
        used = _draw_lines(canvas, area, lobby_lines(scene.view))
        draw_beside_table(canvas, area.without(used + 1), scene)
    picture = canvas.picture()
    for card in scene.air:
        picture = overlaid(picture, card.column, card.row, card_picture(Face(card.card), SMALL, scene.look))
    return picture


def _draw_game(canvas: Canvas, area: Box, hand: Box, scene: Scene) -> None:
    """The table, and beside it what can be read; a board right across the window leaves room for that by the hand."""
    side = min(max(canvas.columns // 3, 27), 48)
    table = Box(area.column, area.row, area.columns - side - 2, area.rows)
    pegged = board(scene)
    if max(map(width, pegged[:-1]), default=0) > table.columns:
        _draw_table(canvas, area.without(draw_board(canvas, area, pegged)), scene)
        beside = Box(BESIDE_HAND, hand.row, canvas.columns - BESIDE_HAND - 1, hand.rows)
        draw_beside_table(canvas, beside, scene)
        return
    used = draw_board(canvas, table, pegged) if pegged else 0
    _draw_table(canvas, table.without(used), scene)
    _draw_side(canvas, Box(table.columns + 2, area.row, side + 1, area.rows), scene)


def _draw_side(canvas: Canvas, box: Box, scene: Scene) -> None:
    """Behind a rule the scores, and what was said and done last."""
    for row in range(box.rows):
        canvas.put(box.column, box.row + row, "|" if scene.look.ascii else "│", "rule")
    beside = Box(box.column + 2, box.row, box.columns - 2, box.rows)
    used = draw_scores(canvas, beside, scene.view)
    draw_beside_table(canvas, beside.without(used + 1), scene)


def _draw_head(canvas: Canvas, scene: Scene) -> int:
    """What is played and what holds now; the first row below it."""
    help_ = "? help"
    title = fit(title_text(scene.view), canvas.columns - len(help_) - 4)
    canvas.put(0, 0, left(f" {title}", canvas.columns - len(help_) - 1) + help_ + " ", "title")
    canvas.zone("title", Box(0, 0, canvas.columns, 1))
    facts = "; ".join(hand_facts(scene.view, scene.look.style)) if scene.view.seats else ""
    lines = wrap(facts[:1].upper() + facts[1:], canvas.columns - 2, " ", " ")
    if len(lines) > FACTS:
        canvas.lack(facts)
    lines = lines[:FACTS]
    for row, line in enumerate(lines, 1):
        canvas.put(0, row, line, "fact")
    canvas.zone("facts", Box(0, 1, canvas.columns, len(lines)))
    return 1 + max(len(lines), 1)


def _draw_foot(canvas: Canvas, scene: Scene) -> Box:
    """The hand, above it in two rows what there is to do, below it the keys; where the hand is."""
    mind = scene.mind
    keys = LOOKING_KEYS if scene.view.apart else KEYS
    canvas.put(0, canvas.rows - 1, left(fit(f" {keys}", canvas.columns), canvas.columns), "keys")
    canvas.zone("keys", Box(0, canvas.rows - 1, canvas.columns, 1))
    form = form_of_hand(canvas.rows, scene.look.size)
    rows = rows_of(len(scene.hand), canvas.columns - 1, form) if scene.view.seats else 0
    hand = Box(0, canvas.rows - 1 - rows, canvas.columns - 1, rows)
    can = usable(scene.actions)
    moods = [_mood(scene, number, card in can) for number, card in enumerate(scene.hand)]
    draw_hand(canvas, hand, form, scene.look, scene.hand, moods, mind.at if mind.focus == HAND else None)
    row = hand.row - 2
    ink = "error" if mind.wrong else "status"
    canvas.put(0, row, fit(f" {mind.status}", canvas.columns), ink)
    canvas.zone("status", Box(0, row, canvas.columns, 1))
    _draw_buttons(canvas, row + 1, scene)
    return hand


def _draw_buttons(canvas: Canvas, row: int, scene: Scene) -> None:
    """What there is to do besides cards of the hand, each with the letter that does it."""
    column = 1
    for number, button in enumerate(scene.buttons):
        text = _button_text(button)
        if column + width(text) > canvas.columns - 1:
            canvas.lack(text)
            break
        at = scene.mind.focus == BUTTONS and scene.mind.at == number
        canvas.put(column, row, text, "button.at" if at else "button")
        canvas.zone(f"button {number}", Box(column, row, width(text), 1))
        if at:
            canvas.cursor(column, row)
        column += width(text) + 2


def _button_text(button: Button) -> str:
    """``[D]raw``, ``[1] 1``, or the label alone where no letter is left."""
    at = button.label.upper().find(button.key) if button.key else -1
    if at < 0:
        return button.label
    return f"{button.label[:at]}[{button.label[at].upper()}]{button.label[at + 1 :]}"


def _mood(scene: Scene, number: int, can: bool) -> str:
    """How a card of the hand is drawn."""
    if f"{HAND} {number}" in scene.away:
        return "away"
    if number in scene.mind.marked:
        return "marked"
    if scene.mind.focus == HAND and scene.mind.at == number and scene.view.legal:
        return "chosen"
    if scene.view.legal and not can:
        return "dim"
    return "melded" if scene.look.tint and scene.hand[number].copy else ""


def _draw_table(canvas: Canvas, box: Box, scene: Scene) -> None:
    """Seats around, in the middle the trick or the piles."""
    seats = places(scene.view)
    beside = [rows_beside(scene, seats[place], _wing(box, SMALL)) for place in (LEFT, RIGHT) if place in seats]
    needed = max(rows_of_trick(SMALL, len(seats)) + rows_of_spread(scene, box.columns), *beside, 0)
    above, below = _blocks(scene, seats, box.columns, tight=False)
    if box.rows - len(above) - len(below) < needed:
        above, below = _blocks(scene, seats, box.columns, tight=True)
    last = box.row + box.rows - len(below)
    for place, first, lines in ((ABOVE, box.row, above), (BELOW, last, below)):
        for row, line in enumerate(lines):
            column = box.column
            for text, ink in line:
                canvas.put(column, first + row, text, ink)
                column += width(text)
        if place in seats:
            canvas.zone(f"seat {seats[place].seat}", Box(box.column, first, box.columns, len(lines)))
    middle = Box(box.column, box.row + len(above), box.columns, last - box.row - len(above))
    _draw_middle(canvas, middle, scene, seats)


def _blocks(scene: Scene, seats: Mapping[str, SeatView], columns: int, *, tight: bool) -> tuple[list[Line], list[Line]]:
    """The lines of whoever sits above, and of whoever sits below; what lies open before them is nearer the middle."""
    above, above_open = lines_across(scene, seats[ABOVE], columns, tight=tight) if ABOVE in seats else ([], [])
    below, below_open = lines_across(scene, seats[BELOW], columns, tight=tight)
    return [*above, *above_open], [*below_open, *below]


def _draw_middle(canvas: Canvas, box: Box, scene: Scene, seats: Mapping[str, SeatView]) -> None:
    beside = LEFT in seats
    if box.rows < SMALL.rows:
        _draw_lines(canvas, box, [_middle_in_words(scene)])
        return
    form = _form_of_trick(box, len(scene.view.seats), scene.look.size)
    inner = 3 * form.columns + 2
    wing = _wing(box, form) if beside else 0
    used = {}
    for place, column in ((LEFT, box.column), (RIGHT, box.column + box.columns - wing)):
        if beside:
            used[place] = draw_beside(canvas, Box(column, box.row, wing, box.rows), scene, seats[place])
    if not plays_tricks(scene.view):
        between = wing + 1 if beside else 0
        centre = Box(box.column + between, box.row, box.columns - 2 * between, box.rows)
        draw_piles(canvas, centre, form, scene, centred=True)
        return
    if beside:
        centre = Box(box.column + wing + 1, box.row, inner, box.rows)
        corner = Box(box.column, box.row + used[LEFT], wing, box.rows - used[LEFT])
    else:
        corner = Box(box.column, box.row, box.columns // 3, box.rows)
        centre = Box(box.column + corner.columns + 1, box.row, box.columns - corner.columns - 1, box.rows)
    draw_trick(canvas, centre, form, scene)
    draw_piles(canvas, corner, SMALL, scene, centred=False)


def _wing(box: Box, form: Form) -> int:
    """The columns beside a trick of four."""
    return (box.columns - 3 * form.columns - 2) // 2 - 1


def _middle_in_words(scene: Scene) -> str:
    """What lies in the middle, where there is no room to draw it."""
    style = scene.look.style
    open_piles = replace(scene.view, piles=tuple([pile for pile in scene.view.piles if pile.seat is None]))
    cards = cards_text([card for _, card in scene.view.trick], style)
    called = clean(scene.view.called)
    played = f"{called[:1].upper()}{called[1:]}: {cards}." if cards else ""
    return " ".join([played, *[line.strip() for line in pile_lines(open_piles, style)]])


def form_of_hand(rows: int, size: str) -> Form:
    """As large as it is wanted, where there is room for it."""
    room = EXTRA if rows >= ROWS_FOR_EXTRA else LARGE if rows >= ROWS_FOR_LARGE else REGULAR
    if size == LOWER:
        room = _smaller(room)
    wanted = FORMS.get(size, room)
    return min(room, wanted, key=lambda form: form.rows)


def _smaller(form: Form) -> Form:
    forms = list(FORMS.values())
    return forms[max(forms.index(form) - 1, 0)]


def _form_of_trick(box: Box, seats: int, size: str) -> Form:
    """The same."""
    for form in (LARGE, REGULAR):
        if form.rows > FORMS.get(size, EXTRA).rows:
            continue
        if box.rows >= rows_of_trick(form, seats) + form.rows and box.columns >= 3 * form.columns + 2 * 18:
            return _smaller(form) if size == LOWER else form
    return SMALL


def _in_words(scene: Scene, columns: int, rows: int) -> Picture:
    """For a window that is too small: the table in words, as much of it as there is room for."""
    canvas = Canvas(columns, rows)
    lines = table_lines(scene.view, scene.look.style, scene.elapsed)
    folded = [part for line in lines for part in wrap(line, columns)]
    _draw_lines(canvas, Box(0, 0, columns, max(rows - 1, 0)), folded[-(rows - 1) :] if rows > 1 else [])
    if rows:
        canvas.put(0, rows - 1, fit(scene.mind.status, columns), "error" if scene.mind.wrong else "status")
    return canvas.picture()


def _draw_lines(canvas: Canvas, box: Box, lines: Sequence[str]) -> int:
    """How many rows they took."""
    folded = [part for line in lines for part in wrap(line, box.columns, " ")]
    if len(folded) > box.rows:
        canvas.lack(folded[-1])
    for row, line in enumerate(folded[: box.rows]):
        canvas.put(box.column, box.row + row, line, "log")
    return min(len(folded), box.rows)
