"""The picture of a table: its seats, its middle, the hand, what stands beside, and where each of them has room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from p2pcards.cards.card import Card
from p2pcards.frontend.choosing import Button, usable_cards
from p2pcards.frontend.standing import (
    ABOVE,
    BELOW,
    LEFT,
    RIGHT,
    CardGroup,
    Side,
    card_groups,
    is_laid_open,
    plays_tricks,
    scoring_sides,
    seats_by_place,
    shown_trick,
    side_name,
)
from p2pcards.frontend.words import melds_cards
from p2pcards.games.options import declared_options
from p2pcards.games.registry import GAMES
from p2pcards.games.wording import quantity_text
from p2pcards.present.cards import cards_text, draw_cards_in_text
from p2pcards.present.rules import rules_in_force
from p2pcards.present.score import board_lines, item_words
from p2pcards.present.story import capitalize_start
from p2pcards.present.table import (
    Pressing,
    dealer_text,
    fit_title,
    hand_facts,
    is_hand_over,
    is_partner,
    lobby_lines,
    pile_lines,
    player_names,
    player_text,
    table_lines,
    turn_pressure,
)
from p2pcards.present.tallies import items_and_tallies, seat_count_texts
from p2pcards.present.width import fit_text, pad_left, pad_right, text_width, wrap_words
from p2pcards.tui.picture.canvas import Box, Canvas, Picture, Run, overlay_picture
from p2pcards.tui.picture.faces import (
    EXTRA,
    FORMS,
    LARGE,
    LOWER,
    PLAIN,
    REGULAR,
    ROUND,
    SMALL,
    Face,
    Form,
    Look,
    card_picture,
    draw_card,
)
from p2pcards.tui.picture.laid import Laid, Laying, lay_out_groups, layings_for
from p2pcards.tui.picture.scene import BUTTONS, HAND, Scene, counted_now, log_page
from p2pcards.views.tableview import PileView, SeatView, TableView
from p2pcards.wire.clean import clean

# --- who sits where, and what is told beside each seat ----------------------------------------------------------------


Line = tuple[Run, ...]

TURN, TURN_PLAIN = "►", ">"
NAME = 24


def seat_plate(scene: Scene, seat: SeatView, *, wide: bool, counted: bool = False) -> list[Run]:
    """The runs of a seat's plate: its name with turn and deal marks, then each fact by itself. wide: there is room for
    details; counted: include how many cards it holds."""
    view, look = scene.view, scene.look
    turn = f"{TURN_PLAIN if look.ascii else TURN} " if seat.to_act else ""
    remarks = ["you" if seat.seat == view.me else "partner" if is_partner(view, seat.seat) else ""]
    remarks.append(dealer_text(view, seat))
    told = ", ".join(filter(None, remarks))
    name = f"{turn}{fit_text(clean(seat.name, NAME), NAME)}{f' ({told})' if told else ''}"
    status = player_text(seat, scene.elapsed)
    note = draw_cards_in_text(clean(seat.note.split(":")[0]), look.style)
    counts = seat_count_texts(view, seat.seat, scene.counting) if is_hand_over(view) else []
    note = "; ".join(filter(None, [note, *[draw_cards_in_text(count, look.style) for count in counts]]))
    held = [quantity_text(seat.cards, "card")] if counted and seat.seat != view.me else []
    facts = [note, *held, *([status] if status and (wide or seat.plays != "computer") else [])]
    facts += [f"{seat.games_won} won"] if seat.games_won and wide else []
    return [(name, "name.turn" if seat.to_act else "name"), *[(fact, "note") for fact in facts if fact]]


def cards_before(scene: Scene, seat: SeatView, way: Laying, columns: int) -> Laid:
    """The cards before a seat, laid out. columns: of a line at most."""
    return lay_out_groups(card_groups(scene.view, seat, scene.order), way, columns, scene.look, counted_now(scene))


@dataclass(frozen=True, slots=True)
class Corner:
    """A player at the left or right: the plate as a column, and the cards below it."""

    lines: tuple[Run, ...]
    laid: Laid

    @property
    def rows(self) -> int:
        return len(self.lines) + self.laid.rows


def draw_side_player(canvas: Canvas, box: Box, scene: Scene, seat: SeatView) -> int:
    """Draw a player at the left or right, in the first layout that fits; returns the rows used."""
    some = layings_for(scene.look, box.rows)
    for way, tight in [(way, tight) for way in some for tight in (False, True)]:
        corner = _lay_out_corner(scene, seat, box.columns, way, tight=tight)
        if corner.rows <= box.rows and corner.laid.columns <= box.columns:
            break
    if corner.rows > box.rows:
        canvas.note_lack(f"{corner.rows} lines of {seat.name}")
        return 0
    for row, (text, ink) in enumerate(corner.lines):
        canvas.put(box.column, box.row + row, text, ink)
    corner.laid.draw(canvas, box.column, box.row + len(corner.lines))
    canvas.zone(f"seat {seat.seat}", Box(box.column, box.row, box.columns, corner.rows))
    return corner.rows


def side_player_rows(scene: Scene, seat: SeatView, columns: int) -> int:
    """The rows that a player at the left or right needs at least."""
    return _lay_out_corner(scene, seat, columns, layings_for(scene.look, 0)[-1], tight=True).rows


def _lay_out_corner(scene: Scene, seat: SeatView, columns: int, way: Laying, *, tight: bool) -> Corner:
    """tight: without details, and without what is seen elsewhere."""
    (name, ink), *facts = seat_plate(scene, seat, wide=columns > 20 and not tight, counted=way.bare)
    told = ", ".join([text for text, _ in facts[: 1 + way.bare if tight else None]])
    head = [(line, ink) for line in wrap_words(name, columns, " ")]
    notes = [(line, "note") for line in wrap_words(told, columns, " ", " ")]
    return Corner((*head, *notes), cards_before(scene, seat, way, columns))


LEAST_PLATE = 24
"""Columns of a plate that has cards at its right."""


@dataclass(frozen=True, slots=True)
class Across:
    """A player above or below the middle."""

    lines: tuple[Line, ...]  # of the plate
    laid: Laid  # cards before the player
    aside: bool = False  # the cards are to the right of the plate, not nearer the middle

    @property
    def rows(self) -> int:
        return max(len(self.lines), self.laid.rows) if self.aside else len(self.lines) + self.laid.rows

    def draw(self, canvas: Canvas, box: Box, *, below: bool) -> None:
        """below: the middle of the table is above this player."""
        under = 0 if self.aside or below else len(self.lines)
        row = self.laid.rows if below and not self.aside else 0
        row = self.rows - len(self.lines) if below else row
        for number, line in enumerate(self.lines, box.row + row):
            column = box.column
            for text, ink in line:
                canvas.put(column, number, text, ink)
                column += text_width(text)
        across = box.columns - self.laid.columns if self.aside else 0
        self.laid.draw(canvas, box.column + across, box.row + under)


def lay_out_across(scene: Scene, seat: SeatView, columns: int, way: Laying, *, tight: bool) -> Across:
    """The flatter of two layouts of a player above or below. tight: without details."""
    under = Across(
        tuple(_plate_across(scene, seat, columns, way, tight=tight)), cards_before(scene, seat, way, columns)
    )
    (name, _), *_ = seat_plate(scene, seat, wide=False)
    room = max(LEAST_PLATE, text_width(name) + 2)
    beside = cards_before(scene, seat, way, columns - room - 1)
    left_over = columns - beside.columns - 1
    if not beside.rows or left_over < room:
        return under
    aside = Across(tuple(_plate_across(scene, seat, left_over, way, tight=tight)), beside, aside=True)
    return min(aside, under, key=lambda one: one.rows)


def _plate_across(scene: Scene, seat: SeatView, columns: int, way: Laying, *, tight: bool) -> list[Line]:
    (name, ink), *facts = seat_plate(scene, seat, wide=not tight, counted=way.bare)
    mine = (*scene.view.own, *scene.view.indicator[:1]) if seat.seat == scene.view.me else ()
    own = [draw_cards_in_text(clean(fact), scene.look.style) for fact in mine]
    start = fit_text(name, columns)
    told = "; ".join([*[text for text, _ in facts], *own])
    first, *more = wrap_words(told, columns, "  ", f"{start}  ") or [start]
    now = mine[-1] if mine and mine[-1].endswith(MELD_NOW) else ""
    return [((start, ink), *_mark_note(first[len(start) :], now)), *[_mark_note(line, now) for line in more]]


MELD_NOW = " now"
"""The end of what is told of a meld that may be laid at once; it stands out."""


def _mark_note(line: str, now: str) -> Line:
    """The line of notes with the part `now` marked in it; "" marks nothing."""
    before, found, after = line.partition(now) if now else (line, "", "")
    return ((before, "note"), *([(found, "meld.now"), (after, "note")] if found else []))


# --- the board on which the score is pegged ---------------------------------------------------------------------------


PEGS = str.maketrans("ABab.", "●■○□·")
"""As they are drawn where there is more than ASCII: full ones stand in front."""


def board_text(scene: Scene) -> list[str]:
    """The lines of the peg board, the last ones with the owners of the pegs; none in games without one."""
    lines = board_lines(scene.view)
    if not lines:
        return []
    *holes, legend = lines
    if scene.look.ascii:
        return lines
    whose = ". ".join([f"{said[:1].translate(PEGS)}{said[1:]}" for said in legend.split(". ")])
    return [*[line.translate(PEGS) for line in holes], whose]


def draw_board(canvas: Canvas, box: Box, lines: list[str]) -> int:
    """Draw the peg board; returns the rows used."""
    *holes, legend = lines
    shown = [*holes, *wrap_words(legend, box.columns)]
    for row, line in enumerate(shown):
        canvas.put(box.column, box.row + row, line, "board")
    canvas.zone("board", Box(box.column, box.row, box.columns, len(shown)))
    return len(shown)


# --- beside the table -------------------------------------------------------------------------------------------------


CHANGE, TOTAL = 6, 6
"""Columns of what the last hand changed, and of the score."""


def draw_scores(canvas: Canvas, box: Box, scene: Scene) -> int:
    """Draw a line for each side below a heading, and the items of a hand that is over; returns the rows used."""
    view = scene.view
    all_sides = scoring_sides(view)
    last = view.rounds[-1] if view.rounds else ()
    title = f"Hand {view.sheet.hand}" if view.sheet and is_hand_over(view) else "Score"
    name = box.columns - CHANGE - TOTAL
    canvas.put(
        box.column, box.row, pad_right(title, name) + pad_left("last", CHANGE) + pad_left("total", TOTAL), "title"
    )
    row = box.row + 1
    items = _items_by_side(scene, all_sides, box)
    for side in all_sides:
        who = fit_text(side_name(view, side), name - 1)
        changed = f"{last[side[0]]:+d}" if last else ""
        total = str(view.seats[side[0]].score)
        ink = "score.mine" if view.me in side else "score"
        of_hand = bool(view.made) and bool(view.made[side[0]]) and not is_hand_over(view)
        canvas.put(box.column, row, pad_right(who, name) + pad_left(changed, CHANGE), ink)
        canvas.put(box.column + name + CHANGE, row, pad_left(total, TOTAL), "score.so_far" if of_hand else ink)
        row += 1
        for line in items.get(side, ()):
            canvas.put(box.column, row, pad_right(line, box.columns), "score.note")
            row += 1
    for line in [] if is_hand_over(view) else _earlier_hands(view, all_sides, box.columns, box.rows - row + box.row):
        canvas.put(box.column, row, line, "score.note")
        row += 1
    canvas.zone("scores", Box(box.column, box.row, box.columns, row - box.row))
    canvas.zone("totals", Box(box.column + box.columns - TOTAL, box.row, TOTAL, row - box.row))
    return row - box.row


LEAST_TOLD = 12
"""Rows that stay for what is told below the scores."""
NAMED = 10
"""Columns of which hand it is."""


def _earlier_hands(view: TableView, all_sides: Sequence[Side], columns: int, rows: int) -> list[str]:
    """The scores of earlier hands, a column for each side, and their sum; none where there is no room."""
    each = (columns - NAMED) // len(all_sides)
    room = min(rows - LEAST_TOLD, len(view.rounds) + (len(view.rounds) > 1))
    if room < 1 or (len(view.rounds) > 1 and room < 2) or each < CHANGE:
        return []
    listed = room - (len(view.rounds) > 1)
    first = len(view.rounds) - listed
    told = [(f"hand {number}", points) for number, points in enumerate(view.rounds[first:], first + 1)]
    if len(view.rounds) > 1:
        sums = tuple([sum(points) for points in zip(*view.rounds, strict=True)])
        told.append((f"{len(view.rounds)} hands", sums))
    columns_of = [(what, [pad_left(f"{points[side[0]]:+d}", each) for side in all_sides]) for what, points in told]
    return [
        pad_right(pad_right(what, columns - each * len(all_sides)) + "".join(found), columns)
        for what, found in columns_of
    ]


def draw_scores_across(canvas: Canvas, box: Box, scene: Scene) -> None:
    """Draw the scores above the hand, where there is no room beside the table."""
    view, sheet = scene.view, scene.view.sheet
    if sheet is None:
        return
    title = (
        pad_right(f"Hand {sheet.hand}", box.columns - CHANGE - TOTAL)
        + pad_left("last", CHANGE)
        + pad_left("total", TOTAL)
    )
    canvas.put(box.column, box.row, title, "title")
    for row, side in enumerate(scoring_sides(view), box.row + 1):
        words = item_words(items_and_tallies(view, side[0], sheet.items[side[0]]), scene.look.style)
        who, room = side_name(view, side), box.columns - CHANGE - TOTAL - 1
        told = next((text for text in (f"{who}: {', '.join(words)}", who) if words and text_width(text) <= room), who)
        ends = pad_left(f"{sheet.points[side[0]]:+d}", CHANGE) + pad_left(str(sheet.totals[side[0]]), TOTAL)
        canvas.put(
            box.column,
            row,
            pad_right(fit_text(told, room), room + 1) + ends,
            "score.mine" if view.me in side else "score",
        )
    canvas.zone("scores", Box(box.column, box.row, box.columns, len(scoring_sides(view)) + 1))


LEAST_SCORES = 30
"""Columns of the scores right of the few cards of a hand."""


def _items_by_side(scene: Scene, sides: Sequence[Side], box: Box) -> dict[Side, list[str]]:
    """By side, the scored items of a hand that is over: one a line, all in one line where that is too high, or as short
    as in `score`."""
    sheet = scene.view.sheet
    if sheet is None or not is_hand_over(scene.view):
        return {}
    room = box.rows - 1 - len(sides)
    each_of = {side: items_and_tallies(scene.view, side[0], sheet.items[side[0]]) for side in sides}
    words = {side: item_words(items, scene.look.style) for side, items in each_of.items()}
    columns = box.columns
    each = {
        side: [line for word in some for line in wrap_words(word, columns, "   ", " ")] for side, some in words.items()
    }
    close = {side: wrap_words(", ".join(some), columns, " ", " ") if some else [] for side, some in words.items()}
    for lines in (each, close):
        if sum(map(len, lines.values())) <= room:
            return lines
    return {side: [fit_text(f" {len(some)} items (press V)", columns)] for side, some in words.items() if some}


def changed_rules(view: TableView) -> list[str]:
    """The names of the rules that are switched on or off; none between games."""
    game = GAMES.get(view.game or "") if view.seats else None
    values = dict(view.options)
    flags = [option for option in declared_options(game.options) if option.kind == "flag"] if game else []
    return [option.key.replace("_", " ") for option in flags if values.get(option.key, option.default)]


def _draw_rules_frame(canvas: Canvas, box: Box, scene: Scene) -> int:
    """Draw the rules below the log, where that keeps enough room; returns the rows used."""
    rules = [part for rule in changed_rules(scene.view) for part in wrap_words(rule, box.columns - 4, " ")]
    rows = len(rules) + 2
    if not (scene.look.rules and rules) or scene.mind.beside == "rules" or box.rows - rows < LEAST_TOLD:
        return 0
    frame = PLAIN if scene.look.ascii else ROUND
    corners, first = frame.corners, box.row + box.rows - rows
    edge = f"{frame.level} Rules {frame.level * (box.columns - 10)}"
    canvas.put(box.column, first, f"{corners[0]}{edge}{corners[1]}", "score.note")
    for row, rule in enumerate(rules, first + 1):
        canvas.put(box.column, row, f"{frame.upright} {pad_right(rule, box.columns - 4)} {frame.upright}", "score.note")
    last = f"{corners[3]}{frame.level * (box.columns - 2)}{corners[2]}"
    canvas.put(box.column, box.row + box.rows - 1, last, "score.note")
    canvas.zone("rules", Box(box.column, first, box.columns, rows))
    return rows


def draw_rules_or_log(canvas: Canvas, box: Box, scene: Scene) -> None:
    """Draw the rules in force or the log, whichever the player wants beside the table."""
    if scene.mind.beside == "rules":
        _draw_rules(canvas, box, scene.view)
    else:
        for row, (text, ink) in enumerate(log_page(scene.mind, box.rows, box.columns)):
            canvas.put(box.column, box.row + row, text, ink)
    canvas.zone("log", box)


def _draw_rules(canvas: Canvas, box: Box, view: TableView) -> None:
    """Draw as many rules as there is room for, and where to read the others."""
    game = GAMES.get(view.game or "")
    rules = rules_in_force(game, dict(view.options)) if game else ["No game picked yet."]
    lines = [part for line in rules for part in wrap_words(line, box.columns, " ")]
    if len(lines) > box.rows:
        lines = [*lines[: box.rows - 1], fit_text("... G shows all", box.columns)][: box.rows]
    for row, line in enumerate(lines):
        canvas.put(box.column, box.row + row, line, "log")


# --- the hand of the person at the screen, as a fan -------------------------------------------------------------------


CARD_KEYS = "1234567890-=qwertyuiop"
"""What plays the card at each place."""

NARROWEST = 4
"""Columns of a card that have to be seen: its side, and the longest rank with its suit."""


@dataclass(frozen=True, slots=True)
class Fan:
    """The places of a hand's cards."""

    form: Form  # of all cards
    places: tuple[tuple[int, int, int], ...]  # for each card its column, its row and the number of its visible columns
    lifts: bool  # a chosen card is a row higher


def fan_hand(cards: int, box: Box, form: Form) -> Fan:
    """Place a hand's cards: in one row of this form, or in two rows of smaller ones where they would hide each
    other."""
    if cards and (cards == 1 or (box.columns - form.columns) // (cards - 1) >= NARROWEST):
        return Fan(form, tuple(_row_of_cards(cards, box, form, box.row + box.rows - form.rows)), lifts=True)
    upper = (cards + 1) // 2
    top = _row_of_cards(upper, box, SMALL, box.row + box.rows - 2 * SMALL.rows)
    bottom = _row_of_cards(cards - upper, box, SMALL, box.row + box.rows - SMALL.rows)
    return Fan(SMALL, (*top, *bottom), lifts=False)


def hand_rows(cards: int, columns: int, form: Form) -> int:
    """The rows that a hand takes, including the row for a lifted card."""
    found = fan_hand(cards, Box(0, 0, columns, form.rows + 1), form)
    return form.rows + 1 if found.lifts else 2 * SMALL.rows


def draw_hand(
    canvas: Canvas, box: Box, form: Form, look: Look, cards: Sequence[int], moods: Sequence[str], at: int | None
) -> None:
    """Draw the hand. moods: of each card, as in `Face`; at: index of the selected card. The zone beside the cards is
    "rest"."""
    lies = fan_hand(len(cards), box, form)
    higher = _staggered_places(cards) if look.stagger and lies.lifts else ()
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


def _staggered_places(cards: Sequence[int]) -> frozenset[int]:
    """The indices of the cards of every other suit, to be raised."""
    suits = [Card(card).suit for card in cards]
    runs = [place for place, suit in enumerate(suits) if place == 0 or suit != suits[place - 1]]
    return frozenset([place for place in range(len(cards)) if sum([run <= place for run in runs]) % 2 == 0])


def _row_of_cards(cards: int, box: Box, form: Form, row: int) -> list[tuple[int, int, int]]:
    """(index, column, width) of cards in a row, overlapping as far as there is no room."""
    if not cards:
        return []
    step = form.columns if cards == 1 else min(form.columns, (box.columns - form.columns) // (cards - 1))
    return [(box.column + number * step, row, step) for number in range(cards - 1)] + [
        (box.column + (cards - 1) * step, row, form.columns)
    ]


# --- what lies in the middle of the table -----------------------------------------------------------------------------


GAP = 2
"""Columns between two piles."""


def draw_trick(canvas: Canvas, box: Box, form: Form, scene: Scene) -> None:
    """Draw every card of the trick before the seat that played it."""
    view = scene.view
    trick, mood = shown_trick(view)
    canvas.zone("trick", box)
    if view.called != "trick" and trick:
        _draw_trick_in_row(canvas, box, form, scene)
        return
    seats = {seat.seat: place for place, seat in seats_by_place(view).items()}
    spots = _trick_spots(box, form, len(view.seats))
    for seat, card in trick:
        column, row = spots[seats[seat]]
        canvas.zone(f"trick {seat}", Box(column, row, form.columns, form.rows))
        took = mood == "won" and seat == view.leader and len(trick) > 1
        how = "won" if took else "dim" if mood else _mood_if_new(scene, f"seat {seat}")
        how = _mood_if_moving(scene, f"trick {seat}") or how
        draw_card(canvas, column, row, form, Face(card, mood=how, below="won" * took), scene.look)


def _draw_trick_in_row(canvas: Canvas, box: Box, form: Form, scene: Scene) -> None:
    """Draw cards played by several seats in one row, in order, overlapping in a narrow box, mine a row lower in a high
    one; their name is below them."""
    trick = scene.view.trick
    step = min(form.columns, (box.columns - form.columns) // max(len(trick) - 1, 1))
    lower = box.rows > form.rows
    for number, (seat, card) in enumerate(trick):
        seen = form.columns if number == len(trick) - 1 else step
        row = box.row + (lower and seat == scene.view.me)
        mood = _mood_if_new(scene, f"seat {seat}") if number == len(trick) - 1 else ""
        if number == len(trick) - 1:
            canvas.zone(f"trick {seat}", Box(box.column + number * step, row, seen, form.rows))
            mood = _mood_if_moving(scene, f"trick {seat}") or mood
        draw_card(canvas, box.column + number * step, row, form, Face(card, seen, mood), scene.look)
    _label_row(canvas, box, (len(trick) - 1) * step + form.columns, form.rows + lower, scene.view.called)


def _label_row(canvas: Canvas, box: Box, columns: int, rows: int, called: str) -> None:
    """Write the name below a row of cards. columns, rows: of the cards."""
    if box.rows > rows:
        canvas.put(box.column, box.row + rows, fit_text(capitalize_start(called), box.columns), "label")
        return
    for number, line in enumerate(wrap_words(capitalize_start(called), box.columns - columns - 1)[: box.rows]):
        canvas.put(box.column + columns + 1, box.row + number, line, "label")


def _mood_if_new(scene: Scene, zone: str) -> str:
    """The mood of a card in this zone, new if it has just come."""
    return "new" if zone in scene.fresh else ""


def _mood_if_moving(scene: Scene, zone: str) -> str:
    """The mood of a card in this zone while it is still moving there."""
    return "away" if zone in scene.away else ""


def trick_rows(form: Form, seats: int) -> int:
    """The rows that a trick takes at least."""
    return form.rows if seats <= 2 else 2 * form.rows


def spread_pile_rows(scene: Scene, columns: int) -> int:
    """The rows taken by piles that show every card."""
    return _spread_piles(scene, layings_for(scene.look, 0)[-1], columns).rows


@dataclass(frozen=True, slots=True)
class PilesLayout:
    """Piles placed from a common upper left corner."""

    cards: tuple[tuple[PileView, int, int], ...]  # each pile with its column and row
    texts: tuple[tuple[str, int, int], ...]  # each text with its column and row
    columns: int  # of the whole
    rows: int  # of the whole


def draw_piles(canvas: Canvas, box: Box, form: Form, scene: Scene, *, centred: bool) -> None:
    """Draw the piles of no seat, with their names and sizes, in the first layout that fits; below them those that show
    every card."""
    named = _pile_layouts(_closed_piles(scene.view), form, box.columns)
    lies = [_spread_piles(scene, way, box.columns) for way in layings_for(scene.look, box.rows)]
    pairs = [(one, spread) for spread in lies for one in named if one.columns <= box.columns]
    laid, spread = next((pair for pair in pairs if pair[0].rows + pair[1].rows <= box.rows), (named[-1], lies[-1]))
    column = box.column + (box.columns - laid.columns) // 2 if centred else box.column
    rows = laid.rows + spread.rows
    row = box.row + max((box.rows - rows) // 2 if centred else box.rows - rows, 0)
    for pile, across, down in laid.cards:
        top = pile.cards[-1]
        mood = counted_now(scene).get(top, "") or _mood_if_new(scene, f"pile {pile.name}")
        if _mood_if_moving(scene, f"pile {pile.name}"):
            top, mood = (pile.cards[-2], "") if len(pile.cards) > 1 else (0, "away")
        draw_card(canvas, column + across, row + down, form, Face(top, mood=mood), scene.look)
        canvas.zone(f"pile {clean(pile.name, 40)}", Box(column + across, row + down, form.columns, form.rows))
    for text, across, down in laid.texts:
        canvas.put(column + across, row + down, text, "label")
    if spread.rows:
        spread.draw(canvas, box.column, row + laid.rows)
        canvas.zone("piles", Box(box.column, row + laid.rows, box.columns, spread.rows))


def _closed_piles(view: TableView) -> list[PileView]:
    """The piles of no seat that show their top card alone."""
    return [pile for pile in view.piles if pile.seat is None and pile.cards and not pile.spread]


def _pile_layouts(piles: Sequence[PileView], form: Form, columns: int) -> list[PilesLayout]:
    """The possible layouts of these piles."""
    return [way(piles, form, columns) for way in (_names_below, _names_in_one_line, _names_beside)]


def _names_below(piles: Sequence[PileView], form: Form, _columns: int) -> PilesLayout:
    """Each pile with its name below it."""
    columns = [max(form.columns, text_width(_pile_label(pile))) for pile in piles]
    at = [sum(columns[:number]) + GAP * number for number in range(len(piles))]
    cards = tuple([(pile, across, 0) for pile, across in zip(piles, at, strict=True)])
    texts = tuple([(_pile_label(pile), across, form.rows) for pile, across in zip(piles, at, strict=True)])
    return PilesLayout(cards, texts, sum(columns) + GAP * (len(piles) - 1), (form.rows + 1) * bool(piles))


def _names_in_one_line(piles: Sequence[PileView], form: Form, columns: int) -> PilesLayout:
    """Piles close together, above one line with all their names."""
    apart = form.columns + 1
    lines = wrap_words(", ".join([_pile_label(pile) for pile in piles]), columns)
    cards = tuple([(pile, number * apart, 0) for number, pile in enumerate(piles)])
    texts = tuple([(line, 0, form.rows + number) for number, line in enumerate(lines)])
    return PilesLayout(cards, texts, max([apart * len(piles) - 1, *map(text_width, lines)]), form.rows + len(lines))


def _names_beside(piles: Sequence[PileView], form: Form, _columns: int) -> PilesLayout:
    """The first pile alone, with all names at its right."""
    texts = [(_pile_label(pile), form.columns + 1, 1 + number) for number, pile in enumerate(piles)]
    widest = max([text_width(text) for text, _, _ in texts], default=0)
    cards = tuple([(pile, 0, 0) for pile in piles[:1]])
    return PilesLayout(cards, tuple(texts), form.columns + 1 + widest, max(form.rows, len(texts) + 1) * bool(piles))


def _trick_spots(box: Box, form: Form, seats: int) -> dict[str, tuple[int, int]]:
    """By place, the upper left corner of the card played from there."""
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


def _pile_label(pile: PileView) -> str:
    count = f" {len(pile.cards)}" if len(pile.cards) > 1 else ""
    return f"{clean(pile.name, 40)}{count}"


def _spread_piles(scene: Scene, way: Laying, columns: int) -> Laid:
    """The piles that show every card, laid out."""
    spread = [pile for pile in scene.view.piles if pile.seat is None and pile.spread]
    named = [CardGroup(clean(pile.name, 40) + " empty" * (not pile.cards), pile.cards) for pile in spread]
    return lay_out_groups(named, way, columns, scene.look, counted_now(scene))


# --- the whole screen of a table --------------------------------------------------------------------------------------


LEAST_COLUMNS, LEAST_ROWS = 60, 20
"""Of a window in which cards are drawn; in a smaller one the table is told in words."""

WIDE, HIGH = 80, 24
"""Of a window in which there is room beside the table; in a smaller one the scores stand above and below it."""

BESIDE_HAND = 46
"""The column right of the few cards of a hand with which a board right across the window is used."""

ROWS_FOR_LARGE, ROWS_FOR_EXTRA = 36, 56
"""Of a window in which the cards of a hand may be so large."""

ROWS_FOR_TOLD = 10
"""Of a small table below which a line is told."""

STATUS = 5
"""Lines of what there is to do, at the most."""
STATUS_INKS = {Pressing.NO: "status", Pressing.HALF: "clock.half", Pressing.LAST: "clock.last"}
FACTS = 3
"""Lines of what holds in the hand, at the most."""
KEYS = "Enter play  Space mark  H hint  Tab chat  F10 menu  ? help  Ctrl+Q leave"
PAUSE_KEYS = "Enter next hand  V score  Tab chat  F10 menu  ? help  Ctrl+Q leave"
LOOKING_KEYS = "Q stop  V score  L last trick  G rules  Ctrl+O options  F10 menu  ? help"
COUNTING_KEYS = "Enter finish count  V score  Tab chat  F10 menu  ? help  Ctrl+Q leave"
MENU_KEY = "F10 menu"
TINT = ". tint"
SORT, UNSORTED = "F2 sort", "F2 unsorted"
MORE_KEYS = (
    "O do it",
    "Z undo",
    SORT,
    "V score",
    "L last trick",
    ", stagger",
    TINT,
    "X explain",
    "F11 beside",
)
"""What stands before that of the menu, as far as there is room, the first of them before the others."""


def draw_scene(scene: Scene, columns: int, rows: int) -> Picture:
    """The picture of the scene, in a window of this size."""
    if columns < LEAST_COLUMNS or rows < LEAST_ROWS:
        return _draw_in_words(scene, columns, rows, needs=(LEAST_COLUMNS, LEAST_ROWS))
    canvas = Canvas(columns, rows)
    top = _draw_head(canvas, scene)
    hand, foot = _draw_foot(canvas, scene)
    area = Box(1, top, columns - 2, foot - top)
    if not scene.view.seats:
        used = _draw_lines(canvas, area, lobby_lines(scene.view))
        draw_rules_or_log(canvas, area.without(used + 1), scene)
    elif _is_small(canvas):
        _draw_without_sides(canvas, area, scene)
    else:
        _draw_game(canvas, area, hand, scene)
    picture = canvas.picture()
    if _is_small(canvas) and picture.faults:
        return _draw_in_words(scene, columns, rows, needs=(WIDE, HIGH))
    return draw_moving_cards(picture, scene)


def draw_moving_cards(picture: Picture, scene: Scene) -> Picture:
    """The picture with the moving cards over it."""
    for card in scene.air:
        picture = overlay_picture(picture, card.column, card.row, card_picture(Face(card.card), SMALL, scene.look))
    return picture


def _is_small(canvas: Canvas) -> bool:
    return canvas.columns < WIDE or canvas.rows < HIGH


def _draw_without_sides(canvas: Canvas, area: Box, scene: Scene) -> None:
    """Draw the table over the whole width, and below it the log's last line where there is a row for it."""
    told = log_page(scene.mind, 1, area.columns) if area.rows >= ROWS_FOR_TOLD else []
    _draw_table(canvas, Box(area.column, area.row, area.columns, area.rows - len(told)), scene)
    for text, ink in told:
        canvas.put(area.column, area.row + area.rows - 1, text, ink)
    if told:
        canvas.zone("log", Box(area.column, area.row + area.rows - 1, area.columns, 1))


def _draw_game(canvas: Canvas, area: Box, hand: Box, scene: Scene) -> None:
    """Draw the table and the side column; a board across the window goes by the hand."""
    side = _columns_of_side(canvas.columns)
    table = Box(area.column, area.row, area.columns - side - 2, area.rows)
    pegged = board_text(scene)
    if _board_goes_across(pegged, canvas.columns):
        _draw_table(canvas, area.without(draw_board(canvas, area, pegged)), scene)
        beside = Box(BESIDE_HAND, hand.row, canvas.columns - BESIDE_HAND - 1, hand.rows)
        used = draw_scores(canvas, beside, scene) if is_hand_over(scene.view) else 0
        draw_rules_or_log(canvas, beside.without(used), scene)
        return
    used = draw_board(canvas, table, pegged) if pegged else 0
    table = table.without(used)
    if plays_tricks(scene.view) and _uses_hand_area(scene, canvas.columns):  # the last trick stays where it was
        table = replace(table, rows=table.rows - hand_rows(0, 0, hand_form(canvas.rows, scene.look.size)))
    _draw_table(canvas, table, scene)
    _draw_side_column(canvas, Box(table.columns + 2, area.row, side + 1, area.rows), scene)


def _columns_of_side(columns: int) -> int:
    return min(max(columns // 3, 27), 48)


def _board_goes_across(pegged: Sequence[str], columns: int) -> bool:
    """Return whether the board is too wide for the side column."""
    return max(map(text_width, pegged[:-1]), default=0) > columns - 4 - _columns_of_side(columns)


def _draw_side_column(canvas: Canvas, box: Box, scene: Scene) -> None:
    """Draw a rule, and behind it the scores and the log or the rules."""
    for row in range(box.rows):
        canvas.put(box.column, box.row + row, "|" if scene.look.ascii else "│", "rule")
    beside = Box(box.column + 2, box.row, box.columns - 2, box.rows)
    told = beside.without(draw_scores(canvas, beside, scene) + 1)
    framed = _draw_rules_frame(canvas, told, scene)
    draw_rules_or_log(canvas, replace(told, rows=told.rows - framed), scene)


def _draw_head(canvas: Canvas, scene: Scene) -> int:
    """Draw the title and the facts of the hand; returns the first row below."""
    help_ = "? help"
    title = fit_title(scene.view, canvas.columns - len(help_) - 4)
    canvas.put(0, 0, pad_right(f" {title}", canvas.columns - len(help_) - 1) + help_ + " ", "title")
    canvas.zone("title", Box(0, 0, canvas.columns, 1))
    canvas.zone("key ?", Box(canvas.columns - len(help_) - 1, 0, len(help_), 1))
    known = [*_scores_in_words(canvas, scene.view), *hand_facts(scene.view, scene.look.style)]
    facts = "; ".join(known) if scene.view.seats else ""
    lines = wrap_words(capitalize_start(facts, player_names(scene.view)), canvas.columns - 2, " ", " ")
    if len(lines) > FACTS:
        canvas.note_lack(facts)
    lines = lines[:FACTS]
    for row, line in enumerate(lines, 1):
        canvas.put(0, row, line, "fact")
    canvas.zone("facts", Box(0, 1, canvas.columns, len(lines)))
    return 1 + max(len(lines), 1)


def _join_fitting(parts: Sequence[str], between: str, columns: int) -> str:
    """The first parts, joined by `between`, that fit in the columns."""
    fitting = [between.join(parts[:number]) for number in range(len(parts), 0, -1)]
    return next((text for text in fitting if text_width(text) <= columns), fit_text(fitting[-1], columns))


def _scores_in_words(canvas: Canvas, view: TableView) -> list[str]:
    """The scores as texts, where they aren't beside the table."""
    if not _is_small(canvas) or is_hand_over(view) or not view.seats:
        return []
    scores = [f"{side_name(view, side)} {view.seats[side[0]].score}" for side in scoring_sides(view)]
    return [f"score: {', '.join(scores)}"] if view.rounds or any(seat.score for seat in view.seats) else []


def _draw_foot(canvas: Canvas, scene: Scene) -> tuple[Box, int]:
    """Draw the hand, above it the status, below it the keys; returns the hand's box, and the first row of all this."""
    mind = scene.mind
    keys = LOOKING_KEYS if scene.view.apart else KEYS if scene.view.pause is None else PAUSE_KEYS
    keys = COUNTING_KEYS if scene.counting is not None else keys
    keys = _join_fitting(
        _with_more_keys(keys, scene.view, scene.order, canvas.columns).split("  "), "  ", canvas.columns - 1
    )
    canvas.put(0, canvas.rows - 1, pad_right(f" {keys}", canvas.columns), "keys")
    canvas.zone("keys", Box(0, canvas.rows - 1, canvas.columns, 1))
    _zone_keys(canvas, keys)
    form = hand_form(canvas.rows, scene.look.size)
    gone = _uses_hand_area(scene, canvas.columns)
    rows = hand_rows(len(scene.hand), canvas.columns - 1, form) if scene.view.seats and not gone else 0
    if _is_small(canvas) and is_hand_over(scene.view):
        rows = max(rows, len(scoring_sides(scene.view)) + 1)
    hand = Box(0, canvas.rows - 1 - rows, canvas.columns - 1, rows)
    can = usable_cards(scene.actions)
    moods = [_hand_card_mood(scene, number, card in can) for number, card in enumerate(scene.hand)]
    if not gone:
        draw_hand(canvas, hand, form, scene.look, scene.hand, moods, mind.at if mind.focus == HAND else None)
    if _is_small(canvas) and is_hand_over(scene.view):
        taken = 1 if gone else len(scene.hand) * form.columns + 2
        if canvas.columns - taken >= LEAST_SCORES:
            draw_scores_across(canvas, Box(taken, hand.row, canvas.columns - taken - 1, hand.rows), scene)
    _draw_buttons(canvas, hand.row - 1, scene)
    status = wrap_status(mind.status, canvas.columns)
    first = hand.row - 1 - len(status)
    for row, line in enumerate(status, first):
        canvas.put(0, row, line, _status_ink(scene))
    canvas.zone("status", Box(0, first, canvas.columns, len(status)))
    return hand, first


def _status_ink(scene: Scene) -> str:
    """The ink of the status line, which changes as my turn clock runs out."""
    return "error" if scene.mind.wrong else STATUS_INKS[turn_pressure(scene.view, scene.elapsed)]


def wrap_status(status: str, columns: int) -> list[str]:
    """The status in up to `STATUS` lines."""
    lines = wrap_words(status, columns - 1, " ", " ") or [""]
    return lines if len(lines) <= STATUS else [*lines[: STATUS - 1], fit_text(" ".join(lines[STATUS - 1 :]), columns)]


def _uses_hand_area(scene: Scene, columns: int) -> bool:
    """Return whether the table may use the hand's area: the hand is over and I hold no cards."""
    if _board_goes_across(board_text(scene), columns):
        return False
    return is_hand_over(scene.view) and (not scene.hand or is_laid_open(scene.view))


def _draw_buttons(canvas: Canvas, row: int, scene: Scene) -> None:
    """Draw the buttons, each with the letter that pushes it."""
    column = 1
    for number, button in enumerate(scene.buttons):
        text = _button_text(button)
        if column + text_width(text) > canvas.columns - 1:
            canvas.note_lack(text)
            break
        at = scene.mind.focus == BUTTONS and scene.mind.at == number
        canvas.put(column, row, text, "button.at" if at else "button")
        canvas.zone(f"button {number}", Box(column, row, text_width(text), 1))
        if at:
            canvas.cursor(column, row)
        column += text_width(text) + 2


def _button_text(button: Button) -> str:
    """``[D]raw``, ``[1] 1``, or the label alone without a free letter."""
    at = button.label.upper().find(button.key) if button.key else -1
    if at < 0:
        return button.label
    return f"{button.label[:at]}[{button.label[at].upper()}]{button.label[at + 1 :]}"


def _with_more_keys(keys: str, view: TableView, order: str, columns: int) -> str:
    """The keys of the last row, and more of them where there is room."""
    shown = keys.split("  ")
    for more in [UNSORTED if more == SORT and order == "off" else more for more in MORE_KEYS]:
        fits = text_width("  ".join([*shown, more])) < columns - 1
        if fits and more not in shown and (more != TINT or melds_cards(view)):
            shown.insert(shown.index(MENU_KEY), more)
    return "  ".join(shown)


def _zone_keys(canvas: Canvas, keys: str) -> None:
    """Make each key in the last row a zone to click."""
    column = 1
    for key in keys.split("  "):
        canvas.zone(f"key {key.split()[0]}", Box(column, canvas.rows - 1, text_width(key), 1))
        column += text_width(key) + 2


def _hand_card_mood(scene: Scene, number: int, can: bool) -> str:
    """The mood in which a card of the hand is drawn. number: its index; can: it can be used now."""
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
    """Draw the seats around, and the trick or piles in the middle, in the first layout that fits."""
    canvas.zone("table", box)
    seats = seats_by_place(scene.view)
    wing = _wing_columns(box, SMALL)
    beside = [side_player_rows(scene, seats[place], wing) for place in (LEFT, RIGHT) if place in seats]
    if beside:
        beside[0] += _pile_corner_rows(scene, wing)
    blocks: dict[str, Across] = {}
    for way, tight in [(way, tight) for way in layings_for(scene.look, box.rows) for tight in (False, True)]:
        needed = max(_middle_rows(scene, way, box.columns), *beside, 0)
        across = {place: seats[place] for place in (ABOVE, BELOW) if place in seats}
        blocks = {place: lay_out_across(scene, seat, box.columns, way, tight=tight) for place, seat in across.items()}
        if needed + sum([one.rows for one in blocks.values()]) <= box.rows:
            break
    top = blocks[ABOVE].rows if ABOVE in blocks else 0
    last = box.row + box.rows - blocks[BELOW].rows
    for place, first in ((ABOVE, box.row), (BELOW, last)):
        if place in blocks:
            whole = Box(box.column, first, box.columns, blocks[place].rows)
            blocks[place].draw(canvas, whole, below=place == BELOW)
            canvas.zone(f"seat {seats[place].seat}", whole)
    _draw_middle(canvas, Box(box.column, box.row + top, box.columns, last - box.row - top), scene, seats)


def _pile_corner_rows(scene: Scene, columns: int) -> int:
    """The rows that the piles take at least in their corner beside tricks."""
    closed = _closed_piles(scene.view)
    if not plays_tricks(scene.view) or not closed:
        return 0
    fitting = [laid.rows for laid in _pile_layouts(closed, SMALL, columns) if laid.columns <= columns]
    return min(fitting, default=SMALL.rows)


def _middle_rows(scene: Scene, way: Laying, columns: int) -> int:
    """The rows that the middle takes at least with this laying around it."""
    more = way.form.rows if way.form is not SMALL else 0
    return trick_rows(way.form, len(scene.view.seats)) + more + spread_pile_rows(scene, columns)


def _draw_middle(canvas: Canvas, box: Box, scene: Scene, seats: Mapping[str, SeatView]) -> None:
    beside = LEFT in seats
    if box.rows < SMALL.rows:
        _draw_lines(canvas, box, [_middle_in_words(scene)])
        return
    form = _trick_form(box, len(scene.view.seats), scene.look.size)
    inner = 3 * form.columns + 2
    wing = _wing_columns(box, form) if beside else 0
    used = {}
    for place, column in ((LEFT, box.column), (RIGHT, box.column + box.columns - wing)):
        if beside:
            rows = box.rows - (_pile_corner_rows(scene, wing) if place == LEFT else 0)
            used[place] = draw_side_player(canvas, Box(column, box.row, wing, rows), scene, seats[place])
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


def _wing_columns(box: Box, form: Form) -> int:
    """The columns beside a trick of four cards."""
    return (box.columns - 3 * form.columns - 2) // 2 - 1


def _middle_in_words(scene: Scene) -> str:
    """The middle in words, where there is no room to draw it."""
    style = scene.look.style
    open_piles = replace(scene.view, piles=tuple([pile for pile in scene.view.piles if pile.seat is None]))
    cards = cards_text([card for _, card in scene.view.trick], style)
    called = clean(scene.view.called)
    played = f"{called[:1].upper()}{called[1:]}: {cards}." if cards else ""
    return " ".join([played, *[line.strip() for line in pile_lines(open_piles, style)]])


def hand_form(rows: int, size: str) -> Form:
    """The form of the hand's cards: the wanted size, or smaller where there is no room. rows: of the window."""
    room = EXTRA if rows >= ROWS_FOR_EXTRA else LARGE if rows >= ROWS_FOR_LARGE else REGULAR if rows >= HIGH else SMALL
    if size == LOWER:
        room = _smaller_form(room)
    wanted = FORMS.get(size, room)
    return min(room, wanted, key=lambda form: form.rows)


def _smaller_form(form: Form) -> Form:
    forms = list(FORMS.values())
    return forms[max(forms.index(form) - 1, 0)]


def _trick_form(box: Box, seats: int, size: str) -> Form:
    """The form of the trick's cards: the wanted size, or smaller where there is no room."""
    for form in (LARGE, REGULAR):
        if form.rows > FORMS.get(size, EXTRA).rows:
            continue
        if box.rows >= trick_rows(form, seats) + form.rows and box.columns >= 3 * form.columns + 2 * 18:
            return _smaller_form(form) if size == LOWER else form
    return SMALL


def _draw_in_words(scene: Scene, columns: int, rows: int, needs: tuple[int, int]) -> Picture:
    """The table in words for a window that is too small. needs: (columns, rows) that this table needs."""
    canvas = Canvas(columns, rows)
    why = f"Your window is {columns}x{rows}. Make it {needs[0]}x{needs[1]} or larger to see cards."
    lines = [why, *table_lines(scene.view, scene.look.style, scene.elapsed)]
    folded = [part for line in lines for part in wrap_words(line, columns)]
    status = wrap_status(scene.mind.status, columns)[:rows]
    room = rows - len(status)
    _draw_lines(canvas, Box(0, 0, columns, room), folded[-room:] if room else [])
    for row, line in enumerate(status, room):
        canvas.put(0, row, fit_text(line, columns), _status_ink(scene))
    return canvas.picture()


def _draw_lines(canvas: Canvas, box: Box, lines: Sequence[str]) -> int:
    """Draw these lines from the top, as many as fit; returns the rows used."""
    folded = [part for line in lines for part in wrap_words(line, box.columns, " ")]
    if len(folded) > box.rows:
        canvas.note_lack(folded[-1])
    for row, line in enumerate(folded[: box.rows]):
        canvas.put(box.column, box.row + row, line, "log")
    return min(len(folded), box.rows)
