"""The picture of a table: its seats, its middle, the hand, what stands beside, and where each of them has room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from p2pcards.cards.card import Card
from p2pcards.frontend.choosing import Button, melded, usable
from p2pcards.frontend.words import melds_cards
from p2pcards.games.registry import GAMES
from p2pcards.present.cards import cards_text, with_cards
from p2pcards.present.rules import rules_in_force
from p2pcards.present.score import board_lines
from p2pcards.present.story import capital
from p2pcards.present.table import (
    hand_facts,
    is_partner,
    lobby_lines,
    pile_lines,
    player_names,
    player_text,
    seat_name,
    table_lines,
    title_text,
)
from p2pcards.present.width import fit, left, right, width, wrap
from p2pcards.tui.picture.canvas import Box, Canvas, Picture, Run, overlaid
from p2pcards.tui.picture.faces import (
    EXTRA,
    FORMS,
    LARGE,
    LOWER,
    REGULAR,
    SMALL,
    Face,
    Form,
    Look,
    card_picture,
    draw_card,
)
from p2pcards.tui.picture.scene import BUTTONS, HAND, Scene, told_page
from p2pcards.views.tableview import PileView, SeatView, TableView
from p2pcards.wire.clean import clean

# --- who sits where, and what is told beside each seat ----------------------------------------------------------------


BELOW, LEFT, ABOVE, RIGHT = "below", "left", "above", "right"
PLACES: Mapping[int, Sequence[str]] = {
    1: (BELOW,),
    2: (BELOW, ABOVE),
    3: (BELOW, LEFT, RIGHT),
    4: (BELOW, LEFT, ABOVE, RIGHT),
}
"""By the number of seats where they are, mine first, then to the left of it, as turns go round."""

Line = tuple[Run, ...]

TURN, TURN_PLAIN = "►", ">"
NAME = 24


def places(view: TableView) -> dict[str, SeatView]:
    """By place who sits there; a watcher sits behind the first seat."""
    me = view.me or 0
    around = [*view.seats[me:], *view.seats[:me]]
    return dict(zip(PLACES[len(around)], around, strict=True))


def plate(scene: Scene, seat: SeatView, *, wide: bool) -> list[Run]:
    """What is told of a seat: its name with whose turn it is and who deals, then each fact by itself. wide: there is
    room for what is seldom looked at, too."""
    view, look = scene.view, scene.look
    turn = f"{TURN_PLAIN if look.ascii else TURN} " if seat.to_act else ""
    remarks = ["you" if seat.seat == view.me else "partner" if is_partner(view, seat.seat) else ""]
    remarks.append("dealer" if seat.dealer else "")
    told = ", ".join(filter(None, remarks))
    name = f"{turn}{fit(clean(seat.name, NAME), NAME)}{f' ({told})' if told else ''}"
    status = player_text(seat, scene.elapsed)
    note = with_cards(clean(seat.note.split(":")[0]), look.style)
    facts = [note, *([] if seat.seat == view.me else [f"{seat.cards} card{'s' * (seat.cards != 1)}"])]
    facts += [status] if status and (wide or seat.plays != "computer") else []
    facts += [f"{seat.games_won} won"] if seat.games_won and wide else []
    return [(name, "name.turn" if seat.to_act else "name"), *[(fact, "note") for fact in facts if fact]]


def spread_lines(scene: Scene, seat: int, columns: int, *, named: bool = True) -> list[str]:
    """The cards that lie open before a seat, such as melds, in few words; mine that can still be played are in my hand.
    At the end of a hand that of another seat, as far as it was shown; always where all hands lie face up. named: with
    what they are."""
    view = scene.view
    mine = [int(card) for card in melded(view)] if seat == view.me else []
    piles = [pile for pile in view.piles if pile.spread and pile.seat == seat and set(pile.cards) - set(mine)]
    open_to_me = (view.pause is not None or view.face_up) and seat != view.me
    known = view.seats[seat].known if open_to_me else ()
    shown = any(pile.name == "hand" for pile in piles)
    piles += [PileView("hand", seat, known, spread=True)] if known and not shown else []
    return [
        line
        for pile in piles
        for line in wrap(
            [*([f"{clean(pile.name, 20)}:"] if named else []), *cards_text(pile.cards, scene.look.style).split()],
            columns,
        )
    ]


def draw_beside(canvas: Canvas, box: Box, scene: Scene, seat: SeatView) -> int:
    """A plate as a column; how many rows it took."""
    lines = _column(scene, seat, box.columns, tight=False)
    if len(lines) > box.rows:
        lines = _column(scene, seat, box.columns, tight=True)
    for row, (text, ink_of_line) in enumerate(lines[: box.rows]):
        canvas.put(box.column, box.row + row, text, ink_of_line)
    if len(lines) > box.rows:
        canvas.lack(f"{len(lines)} lines of {seat.name}")
    taken = min(len(lines), box.rows)
    canvas.zone(f"seat {seat.seat}", Box(box.column, box.row, box.columns, taken))
    return taken


def rows_beside(scene: Scene, seat: SeatView, columns: int) -> int:
    """How many rows a plate takes as a column, at the least."""
    return len(_column(scene, seat, columns, tight=True))


def _column(scene: Scene, seat: SeatView, columns: int, *, tight: bool) -> list[Run]:
    """tight: without what can be seen elsewhere or is seldom looked at."""
    (name, ink), *facts = plate(scene, seat, wide=columns > 20 and not tight)
    told = ", ".join([text for text, _ in facts[: 1 if tight else None]])
    spread = spread_lines(scene, seat.seat, columns, named=not tight)
    head = [(line, ink) for line in wrap(name, columns, " ")]
    return [*head, *[(line, "note") for line in wrap(told, columns, " ", " ")], *[(line, "meld") for line in spread]]


def lines_across(scene: Scene, seat: SeatView, columns: int, *, tight: bool) -> tuple[list[Line], list[Line]]:
    """A plate as lines across the table, and what lies open before the seat; tight: without what is seldom looked at,
    and all of it in the lines of the plate."""
    (name, ink), *facts = plate(scene, seat, wide=not tight)
    mine = (*scene.view.own, *scene.view.indicator[:1]) if seat.seat == scene.view.me else ()
    own = [with_cards(clean(fact), scene.look.style) for fact in mine]
    spread = spread_lines(scene, seat.seat, 1000)
    told = [*[text for text, _ in facts], *own, *(spread if tight else [])]
    start = fit(name, columns)
    first, *more = wrap("; ".join(told), columns, "  ", f"{start}  ") or [start]
    now = mine[-1] if mine and mine[-1].endswith(MELD_NOW) else ""
    lines: list[Line] = [((start, ink), *_marked(first[len(start) :], now)), *[_marked(line, now) for line in more]]
    below = [] if tight else [line for text in spread for line in wrap(text, columns, "  ")]
    return lines, [((line, "meld"),) for line in below]


MELD_NOW = " now"
"""The end of what is told of a meld that may be laid at once; it stands out."""


def _marked(line: str, now: str) -> Line:
    """A line of notes, with this in it marked; "" for nothing."""
    before, found, after = line.partition(now) if now else (line, "", "")
    return ((before, "note"), *([(found, "meld.now"), (after, "note")] if found else []))


# --- the board on which the score is pegged ---------------------------------------------------------------------------


PEGS = str.maketrans("ABab.", "●■○□·")
"""As they are drawn where there is more than ASCII: full ones stand in front."""


def board(scene: Scene) -> list[str]:
    """The lines of the board, the last ones with whose pegs are where; none in other games."""
    lines = board_lines(scene.view)
    if not lines:
        return []
    *holes, legend = lines
    if scene.look.ascii:
        return lines
    whose = ". ".join([f"{said[:1].translate(PEGS)}{said[1:]}" for said in legend.split(". ")])
    return [*[line.translate(PEGS) for line in holes], whose]


def draw_board(canvas: Canvas, box: Box, lines: list[str]) -> int:
    """How many rows it took."""
    *holes, legend = lines
    shown = [*holes, *wrap(legend, box.columns)]
    for row, line in enumerate(shown):
        canvas.put(box.column, box.row + row, line, "board")
    canvas.zone("board", Box(box.column, box.row, box.columns, len(shown)))
    return len(shown)


# --- beside the table -------------------------------------------------------------------------------------------------


CHANGE, TOTAL = 6, 6
"""Columns of what the last hand changed, and of the score."""


def draw_scores(canvas: Canvas, box: Box, view: TableView) -> int:
    """A line for each side, under what it says; how many rows it took."""
    sides = view.sides or tuple([(seat.seat,) for seat in view.seats])
    last = view.rounds[-1] if view.rounds else ()
    name = box.columns - CHANGE - TOTAL
    canvas.put(box.column, box.row, left("Score", name) + right("last", CHANGE) + right("total", TOTAL), "title")
    for row, side in enumerate(sides, 1):
        who = fit(_names(view, side), name - 1)
        changed = f"{last[side[0]]:+d}" if last else ""
        total = str(view.seats[side[0]].score)
        ink = "score.mine" if view.me in side else "score"
        canvas.put(box.column, box.row + row, left(who, name) + right(changed, CHANGE) + right(total, TOTAL), ink)
    canvas.zone("scores", Box(box.column, box.row, box.columns, len(sides) + 1))
    canvas.zone("totals", Box(box.column + box.columns - TOTAL, box.row, TOTAL, len(sides) + 1))
    return len(sides) + 1


def draw_beside_table(canvas: Canvas, box: Box, scene: Scene) -> None:
    """What is wanted there."""
    if scene.mind.beside == "rules":
        _draw_rules(canvas, box, scene.view)
    else:
        for row, (text, ink) in enumerate(told_page(scene.mind, box.rows, box.columns)):
            canvas.put(box.column, box.row + row, text, ink)
    canvas.zone("log", box)


def _draw_rules(canvas: Canvas, box: Box, view: TableView) -> None:
    """As many of them as there is room for, and where the others can be read."""
    game = GAMES.get(view.game or "")
    rules = rules_in_force(game, dict(view.options)) if game else ["No game is chosen."]
    lines = [part for line in rules for part in wrap(line, box.columns, " ")]
    if len(lines) > box.rows:
        lines = [*lines[: box.rows - 1], fit("... G shows all", box.columns)][: box.rows]
    for row, line in enumerate(lines):
        canvas.put(box.column, box.row + row, line, "log")


def _names(view: TableView, side: tuple[int, ...]) -> str:
    """Of partners the first word of each name."""
    names = [seat_name(view, seat) for seat in side]
    said = " + ".join([name.split()[0] if len(side) > 1 and name.split() else name for name in names])
    return capital(said, [name for name in said.split(" + ") if name != "you"])


# --- the hand of the person at the screen, as a fan -------------------------------------------------------------------


CARD_KEYS = "1234567890-=qwertyuiop"
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
        key = CARD_KEYS[number] if number < len(CARD_KEYS) and mood != "dim" else ""
        below = f"{key}*" if mood == "marked" and not lies.lifts else key
        face = Face(card, seen, mood, below, at=number == at and mood == "marked")
        draw_card(canvas, column, row - lifted, lies.form, face, look)
        canvas.zone(f"hand {number}", Box(column, row - lifted, seen, lies.form.rows))
        if number == at:
            canvas.cursor(column + 1, row - lifted + (lies.form.rows - 1 if look.pictures else 1))


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


# --- what lies in the middle of the table -----------------------------------------------------------------------------


GAP = 2
"""Columns between two piles."""


def shown_trick(scene: Scene) -> tuple[tuple[tuple[int, int], ...], str]:
    """The cards of the trick that lies there, and their mood: one that is over lies there until the next begins."""
    view = scene.view
    if view.trick:
        return view.trick, ""
    return (view.last_trick, "won") if view.phase == "play" else ((), "")


def plays_tricks(view: TableView) -> bool:
    """Whether tricks are played in this hand, or have been."""
    return bool(view.trick or view.last_trick or view.leader is not None)


def draw_trick(canvas: Canvas, box: Box, form: Form, scene: Scene) -> None:
    """Every card before the seat that played it."""
    view = scene.view
    trick, mood = shown_trick(scene)
    canvas.zone("trick", box)
    if view.called != "trick" and trick:
        _draw_row(canvas, box, form, scene)
        return
    seats = {seat.seat: place for place, seat in places(view).items()}
    spots = _spots(box, form, len(view.seats))
    for seat, card in trick:
        column, row = spots[seats[seat]]
        canvas.zone(f"trick {seat}", Box(column, row, form.columns, form.rows))
        took = mood == "won" and seat == view.leader and len(trick) > 1
        how = "won" if took else "dim" if mood else _new(scene, f"seat {seat}")
        how = _away(scene, f"trick {seat}") or how
        draw_card(canvas, column, row, form, Face(card, mood=how, below="won" * took), scene.look)


def _draw_row(canvas: Canvas, box: Box, form: Form, scene: Scene) -> None:
    """Cards that several seats have played in turn, in that order, mine a row lower where there is room; with them what
    they are."""
    trick = scene.view.trick
    step = min(form.columns, (box.columns - form.columns) // max(len(trick) - 1, 1))
    lower = box.rows > form.rows
    for number, (seat, card) in enumerate(trick):
        seen = form.columns if number == len(trick) - 1 else step
        row = box.row + (lower and seat == scene.view.me)
        mood = _new(scene, f"seat {seat}") if number == len(trick) - 1 else ""
        if number == len(trick) - 1:
            canvas.zone(f"trick {seat}", Box(box.column + number * step, row, seen, form.rows))
            mood = _away(scene, f"trick {seat}") or mood
        draw_card(canvas, box.column + number * step, row, form, Face(card, seen, mood), scene.look)
    _label_row(canvas, box, (len(trick) - 1) * step + form.columns, form.rows + lower, scene.view.called)


def _label_row(canvas: Canvas, box: Box, columns: int, rows: int, called: str) -> None:
    """columns, rows: of the cards."""
    if box.rows > rows:
        canvas.put(box.column, box.row + rows, fit(capital(called), box.columns), "label")
        return
    for number, line in enumerate(wrap(capital(called), box.columns - columns - 1)[: box.rows]):
        canvas.put(box.column + columns + 1, box.row + number, line, "label")


def _new(scene: Scene, zone: str) -> str:
    """The mood of what lies there."""
    return "new" if zone in scene.fresh else ""


def _away(scene: Scene, zone: str) -> str:
    """The mood of a card that does not lie there yet."""
    return "away" if zone in scene.away else ""


def rows_of_trick(form: Form, seats: int) -> int:
    """How many rows a trick takes, at the least."""
    return form.rows if seats <= 2 else 2 * form.rows


def rows_of_spread(scene: Scene, columns: int) -> int:
    """How many rows the piles take of which every card counts."""
    spread = [pile for pile in scene.view.piles if pile.seat is None and pile.spread]
    return sum([len(_spread(pile, scene.look, columns)) for pile in spread])


@dataclass(frozen=True, slots=True)
class Laid:
    """Piles as they lie, from the upper left corner of all. cards, texts: what, its column and its row."""

    cards: tuple[tuple[PileView, int, int], ...]
    texts: tuple[tuple[str, int, int], ...]
    columns: int
    rows: int


def draw_piles(canvas: Canvas, box: Box, form: Form, scene: Scene, *, centred: bool) -> None:
    """The piles that belong to nobody, with their names and how many cards they have, in the first way for which there
    is room; of spread ones every card, below the others."""
    piles = [pile for pile in scene.view.piles if pile.seat is None and (pile.cards or pile.spread)]
    spread = [line for pile in piles if pile.spread for line in _spread(pile, scene.look, box.columns)]
    closed = [pile for pile in piles if not pile.spread]
    ways = [way(closed, form, box.columns) for way in (_named_below, _named_together, _named_beside)]
    fitting = [one for one in ways if one.columns <= box.columns and one.rows + len(spread) <= box.rows]
    laid = fitting[0] if fitting else ways[-1]
    column = box.column + (box.columns - laid.columns) // 2 if centred else box.column
    rows = laid.rows + len(spread)
    row = box.row + max((box.rows - rows) // 2 if centred else box.rows - rows, 0)
    for pile, across, down in laid.cards:
        mood = _new(scene, f"pile {pile.name}")
        top = pile.cards[-1]
        if _away(scene, f"pile {pile.name}"):
            top, mood = (pile.cards[-2], "") if len(pile.cards) > 1 else (0, "away")
        draw_card(canvas, column + across, row + down, form, Face(top, mood=mood), scene.look)
        canvas.zone(f"pile {clean(pile.name, 40)}", Box(column + across, row + down, form.columns, form.rows))
    for text, across, down in laid.texts:
        canvas.put(column + across, row + down, text, "label")
    for number, text in enumerate(spread):
        canvas.put(box.column, row + laid.rows + number, text, "label")
    if spread:
        canvas.zone("piles", Box(box.column, row + laid.rows, box.columns, len(spread)))


def _named_below(piles: Sequence[PileView], form: Form, _columns: int) -> Laid:
    """Each with its name below it."""
    columns = [max(form.columns, width(_label(pile))) for pile in piles]
    at = [sum(columns[:number]) + GAP * number for number in range(len(piles))]
    cards = tuple([(pile, across, 0) for pile, across in zip(piles, at, strict=True)])
    texts = tuple([(_label(pile), across, form.rows) for pile, across in zip(piles, at, strict=True)])
    return Laid(cards, texts, sum(columns) + GAP * (len(piles) - 1), (form.rows + 1) * bool(piles))


def _named_together(piles: Sequence[PileView], form: Form, columns: int) -> Laid:
    """Close to each other, below them all names in their order."""
    apart = form.columns + 1
    lines = wrap(", ".join([_label(pile) for pile in piles]), columns)
    cards = tuple([(pile, number * apart, 0) for number, pile in enumerate(piles)])
    texts = tuple([(line, 0, form.rows + number) for number, line in enumerate(lines)])
    return Laid(cards, texts, max([apart * len(piles) - 1, *map(width, lines)]), form.rows + len(lines))


def _named_beside(piles: Sequence[PileView], form: Form, _columns: int) -> Laid:
    """The first alone, the names at its right."""
    texts = [(_label(pile), form.columns + 1, 1 + number) for number, pile in enumerate(piles)]
    widest = max([width(text) for text, _, _ in texts], default=0)
    cards = tuple([(pile, 0, 0) for pile in piles[:1]])
    return Laid(cards, tuple(texts), form.columns + 1 + widest, max(form.rows, len(texts) + 1) * bool(piles))


def _spots(box: Box, form: Form, seats: int) -> dict[str, tuple[int, int]]:
    """By place the upper left corner of the card that is played there."""
    centre = box.column + (box.columns - form.columns) // 2
    apart = form.columns + 1
    if seats == 2:
        lower = box.rows > form.rows
        top = box.row + max((box.rows - form.rows - lower) // 2, 0)
        return {ABOVE: (centre - apart // 2, top), BELOW: (centre - apart // 2 + apart, top + lower)}
    used = 3 * form.rows if box.rows >= 3 * form.rows else min(box.rows, 2 * form.rows + 1)
    top = box.row + (box.rows - used) // 2
    middle = top + (used - form.rows) // 2
    return {
        ABOVE: (centre, top),
        LEFT: (centre - apart, middle),
        RIGHT: (centre + apart, middle),
        BELOW: (centre, top + used - form.rows),
    }


def _label(pile: PileView) -> str:
    count = f" {len(pile.cards)}" if len(pile.cards) > 1 else ""
    return f"{clean(pile.name, 40)}{count}"


def _spread(pile: PileView, look: Look, columns: int) -> list[str]:
    words: Sequence[str] = cards_text(pile.cards, look.style).split() or ["empty"]
    return wrap([f"{clean(pile.name, 40)}:", *words], columns)


# --- the whole screen of a table --------------------------------------------------------------------------------------


LEAST_COLUMNS, LEAST_ROWS = 80, 24
"""Of a window in which cards are drawn; in a smaller one the table is told in words."""

BESIDE_HAND = 46
"""The column right of the few cards of a hand with which a board right across the window is used."""

ROWS_FOR_LARGE, ROWS_FOR_EXTRA = 36, 56
"""Of a window in which the cards of a hand may be so large."""

STATUS = 3
"""Lines of what there is to do, at the most."""
FACTS = 3
"""Lines of what holds in the hand, at the most."""
KEYS = "Enter plays  Space marks  H hint  Tab talk  F10 menu  ? help  Ctrl+Q leaves"
PAUSE_KEYS = "Enter deals the next hand  V score  Tab talk  F10 menu  ? help  Ctrl+Q leaves"
LOOKING_KEYS = "Q stops  V score  L last trick  G rules  Ctrl+O options  F10 menu  ? help"
MENU_KEY = "F10 menu"
TINT = ". tint"
MORE_KEYS = (
    "O does it",
    "Z undo",
    "F2 sort",
    "V score",
    "L last trick",
    ", stagger",
    TINT,
    "X explain",
    "F11 beside",
)
"""What stands before that of the menu, as far as there is room, the first of them before the others."""


def draw(scene: Scene, columns: int, rows: int) -> Picture:
    """The picture for a window of this size."""
    if columns < LEAST_COLUMNS or rows < LEAST_ROWS:
        return _in_words(scene, columns, rows)
    canvas = Canvas(columns, rows)
    top = _draw_head(canvas, scene)
    hand, foot = _draw_foot(canvas, scene)
    area = Box(1, top, columns - 2, foot - top)
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
    canvas.zone("key ?", Box(canvas.columns - len(help_) - 1, 0, len(help_), 1))
    facts = "; ".join(hand_facts(scene.view, scene.look.style)) if scene.view.seats else ""
    lines = wrap(capital(facts, player_names(scene.view)), canvas.columns - 2, " ", " ")
    if len(lines) > FACTS:
        canvas.lack(facts)
    lines = lines[:FACTS]
    for row, line in enumerate(lines, 1):
        canvas.put(0, row, line, "fact")
    canvas.zone("facts", Box(0, 1, canvas.columns, len(lines)))
    return 1 + max(len(lines), 1)


def _draw_foot(canvas: Canvas, scene: Scene) -> tuple[Box, int]:
    """The hand, above it what there is to do, below it the keys; where the hand is, and the first row of all this."""
    mind = scene.mind
    keys = LOOKING_KEYS if scene.view.apart else KEYS if scene.view.pause is None else PAUSE_KEYS
    keys = _with_more_keys(keys, scene.view, canvas.columns)
    canvas.put(0, canvas.rows - 1, left(fit(f" {keys}", canvas.columns), canvas.columns), "keys")
    canvas.zone("keys", Box(0, canvas.rows - 1, canvas.columns, 1))
    _zone_keys(canvas, keys)
    form = form_of_hand(canvas.rows, scene.look.size)
    rows = rows_of(len(scene.hand), canvas.columns - 1, form) if scene.view.seats else 0
    hand = Box(0, canvas.rows - 1 - rows, canvas.columns - 1, rows)
    can = usable(scene.actions)
    moods = [_mood(scene, number, card in can) for number, card in enumerate(scene.hand)]
    draw_hand(canvas, hand, form, scene.look, scene.hand, moods, mind.at if mind.focus == HAND else None)
    _draw_buttons(canvas, hand.row - 1, scene)
    status = status_lines(mind.status, canvas.columns)
    first = hand.row - 1 - len(status)
    for row, line in enumerate(status, first):
        canvas.put(0, row, line, "error" if mind.wrong else "status")
    canvas.zone("status", Box(0, first, canvas.columns, len(status)))
    return hand, first


def status_lines(status: str, columns: int) -> list[str]:
    """What there is to do, or what was answered, in as many lines as it takes up to `STATUS`."""
    lines = wrap(status, columns - 1, " ", " ") or [""]
    return lines if len(lines) <= STATUS else [*lines[: STATUS - 1], fit(" ".join(lines[STATUS - 1 :]), columns)]


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


def _with_more_keys(keys: str, view: TableView, columns: int) -> str:
    """The keys of the last row, with more where there is room for them."""
    shown = keys.split("  ")
    for more in MORE_KEYS:
        fits = width("  ".join([*shown, more])) < columns - 1
        if fits and more not in shown and (more != TINT or melds_cards(view)):
            shown.insert(shown.index(MENU_KEY), more)
    return "  ".join(shown)


def _zone_keys(canvas: Canvas, keys: str) -> None:
    """A click on one does the same."""
    column = 1
    for key in keys.split("  "):
        canvas.zone(f"key {key.split()[0]}", Box(column, canvas.rows - 1, width(key), 1))
        column += width(key) + 2


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
    canvas.zone("table", box)
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
    """The lines of the player above, and of the player below; what lies open before them is nearer the middle."""
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
    status = status_lines(scene.mind.status, columns)[:rows]
    room = rows - len(status)
    _draw_lines(canvas, Box(0, 0, columns, room), folded[-room:] if room else [])
    for row, line in enumerate(status, room):
        canvas.put(0, row, fit(line, columns), "error" if scene.mind.wrong else "status")
    return canvas.picture()


def _draw_lines(canvas: Canvas, box: Box, lines: Sequence[str]) -> int:
    """How many rows they took."""
    folded = [part for line in lines for part in wrap(line, box.columns, " ")]
    if len(folded) > box.rows:
        canvas.lack(folded[-1])
    for row, line in enumerate(folded[: box.rows]):
        canvas.put(box.column, box.row + row, line, "log")
    return min(len(folded), box.rows)
