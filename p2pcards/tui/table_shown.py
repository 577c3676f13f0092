"""How a table stands on the screen: what has come of it, what there is to do, and what the person there has in mind. No
toolkit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from p2pcards.frontend.at_table import Heard, TableSeen
from p2pcards.frontend.looks import Showing
from p2pcards.frontend.manner import BESIDE
from p2pcards.frontend.standing import what_to_do
from p2pcards.frontend.words import arrangement_text
from p2pcards.present.table import clock_text, is_hand_over
from p2pcards.present.tallies import count_moments
from p2pcards.tui.appearance import Sitting
from p2pcards.tui.choices import carry_selection, drop_hint, move_line
from p2pcards.tui.picture.canvas import Box, Picture
from p2pcards.tui.picture.moving import draw_in_motion, find_moves
from p2pcards.tui.picture.scene import (
    HAND,
    InAir,
    LogLine,
    Mind,
    Scene,
    add_log_lines,
    drawn_since,
    new_scene,
    played_since,
    scroll_log,
)
from p2pcards.tui.picture.table import draw_moving_cards, draw_scene
from p2pcards.views.happenings import Hinted, Said
from p2pcards.views.tableview import TableView

# --- what there is to do, and how a table stands on the screen --------------------------------------------------------


PANEL_ROWS = 4
"""Of a window, around what a panel shows."""


def what_to_do_in(scene: Scene) -> str:
    """A sentence what I can do in this scene, or whom the table waits for."""
    how = "Enter, or click beside your hand,"
    return what_to_do(scene.view, scene.actions, scene.look.style, scene.elapsed, len(scene.mind.marked), how)


MORE = "There's more to see. Press any key or click."

AT_ONCE = 3
"""Cards that are dealt together, where they are seen coming."""
MOST_TOLD = 300
"""Lines that can be read again."""


@dataclass(frozen=True, slots=True)
class PanelText:
    """Lines for a panel."""

    title: str
    lines: tuple[str, ...]
    about: str  # address in the guide


@dataclass(frozen=True, slots=True)
class Carried:
    """A card of the hand held by the pointer."""

    card: int  # as a byte
    place: int  # in the hand, from 0 on the left
    drawn: bool = False  # it has just come from a pile
    over: str | None = None  # the zone below it; None while it has not left its place


class TableShown:
    """The state of a table on the screen. clock: monotonic seconds; table: what the player has seen of it."""

    def __init__(self, sitting: Sitting, told: Sequence[str], clock: Callable[[], float]) -> None:
        self.table = TableSeen(lambda: self._sitting.manner, clock)
        self._sitting = sitting
        look, mind = sitting.appearance.look, Mind(told=tuple(map(LogLine, told)))
        self._scene = Scene(self.table.view, look, mind)
        self._lifted: tuple[int, int] | None = None  # where the pointer is that holds a pile's card
        self._carried: Carried | None = None
        self._otherwise: dict[str, bool] = {}  # of the look, as it was wanted at this table alone

    @property
    def scene(self) -> Scene:
        """The scene on view, without the time gone by."""
        return self._scene

    def showing(self) -> Showing:
        """What the words that only show something may look at."""
        table, style, home = self.table, self._scene.look.style, self._sitting.manner.home
        colour = self._sitting.appearance.palette.suits != "none"
        room = max(self._scene.window[1] - PANEL_ROWS, 0)
        return Showing(
            table.view, style, table.arrangement, table.elapsed, lines=room, plain=False, home=home, colour=colour
        )

    def picture(self, columns: int, rows: int) -> Picture:
        """The picture for a window of this size."""
        self._scene = replace(self._scene, window=(columns, rows))
        return draw_scene(self._scene_to_draw(), columns, rows)

    def moving(self, old: Scene, start: Picture, steps: int) -> Iterator[Picture]:
        """The pictures of cards moving to their new places, in so many steps; three cards of a new hand at a time. None
        while the pointer holds a card. old, start: the scene before and its picture."""
        now, (columns, rows) = self._scene_to_draw(), old.window
        if _was_dealt(old.view, now.view):
            for count in range(0, len(now.hand), AT_ONCE):
                later = frozenset([f"{HAND} {place}" for place in range(count, len(now.hand))])
                picture = draw_scene(replace(now, away=later), columns, rows)
                yield from [picture] * max(steps // AT_ONCE, 1)
            return
        if self._lifted is None and self._carried is None and (moved := find_moves(old, now)):
            end = draw_scene(now, columns, rows)
            below = draw_scene(replace(draw_in_motion(now, moved, start, end, 0), air=()), columns, rows)
            for step in range(1, steps):
                yield draw_moving_cards(below, draw_in_motion(now, moved, start, end, step / steps))

    def _scene_to_draw(self) -> Scene:
        """The scene with the time gone by, and what there is to do."""
        now = replace(self._scene, elapsed=self.table.elapsed)
        if (held := self._carried) and held.over is not None and not held.drawn:
            return replace(now, mind=replace(now.mind, status=drop_hint(now, held.place, held.over), wrong=False))
        if self.table.held:
            now = replace(now, mind=replace(now.mind, status=MORE, wrong=False))
        elif now.mind.status and (left := clock_text(now.view, now.elapsed)):
            now = replace(now, mind=replace(now.mind, status=f"{now.mind.status} ({left})"))
        elif not now.mind.status and self._sitting.manner.status_messages:
            now = replace(now, mind=replace(now.mind, status=what_to_do_in(now)))
        return now

    # --- what comes from the table ------------------------------------------------------------------------------------

    def see_view(self, view: TableView, came: float | None = None) -> None:
        """Take in a new view; came: as in `TableSeen.see_view`."""
        before, seen = self._scene, self.table.begun
        self.table.see_view(view, came)
        view = self.table.view
        new = replace(new_scene(view, before.look, self.table.arrangement), mind=before.mind)
        if _has_moved_on(before.view, view):
            new = replace(new, mind=replace(new.mind, status="", wrong=False))
        fresh = self._fresh_zones(before.view, view) if seen else frozenset()
        new = replace(new, counting=self._start_of_count(before, view) if seen else None)
        self._scene = replace(
            new, mind=carry_selection(new, before, jumps=self._sitting.manner.auto_focus), fresh=fresh
        )
        self._scene = replace(self._scene, air=before.air)
        new_cards = list((Counter(new.hand) - Counter(before.hand)).elements())
        if self._lifted and self._carried is None and len(new_cards) == 1:
            self._carried = Carried(int(new_cards[0]), _rightmost_place(new.hand, new_cards[0]), drawn=True)
            self.drag(f"{HAND} {self._carried.place}", *self._lifted)
        self._update_held_card()

    def _start_of_count(self, before: Scene, view: TableView) -> int | None:
        """The index of the count's first item if a new count is to be shown, else None."""
        if not is_hand_over(view) or not view.tallies:
            return None
        if before.view.tallies == view.tallies:
            return before.counting
        return 0 if self._sitting.appearance.pace else None

    def count_next(self, to_the_end: bool = False) -> None:
        """Count the next item, or all that are left."""
        at = self._scene.counting
        if at is not None:
            last = to_the_end or at + 1 >= len(count_moments(self._scene.view))
            self._scene = replace(self._scene, counting=None if last else at + 1)

    def _fresh_zones(self, before: TableView, view: TableView) -> frozenset[str]:
        """The zones of what others have just done, to be highlighted for a moment."""
        marks = self._sitting.appearance.marks if self._sitting.appearance.pace else ()
        played = played_since(before, view) if "plays" in marks else frozenset()
        return played | (drawn_since(before, view) if "stock" in marks else frozenset())

    def show_happening(self, heard: Heard) -> PanelText | None:
        """Take in a happening; returns the text of a panel to open, None for none."""
        happening, earlier = heard.happened.happening, heard.happened.earlier
        talk = isinstance(happening, Said)
        self.told(LogLine(heard.text, "chat" if talk else "log"), *[LogLine(line, "chat") for line in heard.said])
        if earlier:
            return None
        if talk and self._scene.mind.beside in ("rules", "none"):
            self.think(beside="talk")
        if isinstance(happening, Hinted):
            self.think(status=f"{heard.text} Press O to do it.", wrong=False)
        if heard.sheet:
            return PanelText("Hand", (heard.text, "", *heard.sheet), "scoring#the-score-sheet")
        return PanelText("", (heard.text, "", *heard.looked), "playing#advice") if heard.looked else None

    # --- what the person does -----------------------------------------------------------------------------------------

    def wear(self, sitting: Sitting) -> None:
        """Apply changed settings."""
        self._sitting = sitting
        look, wanted = sitting.appearance.look, self._otherwise
        stagger, tint = wanted.get("stagger", look.stagger), wanted.get("tint", look.tint)
        self._scene = replace(self._scene, look=replace(look, stagger=stagger, tint=tint))

    def override_look(self, part: str, on: bool) -> str:
        """Switch "stagger" or "tint" at this table alone, whatever the settings; returns the confirmation."""
        self._otherwise[part] = on
        self.wear(self._sitting)
        what = "Staggered hand" if part == "stagger" else "Tinted melds"
        return f"{what}: {'on' if on else 'off'} at this table."

    def think(self, **changes: object) -> None:
        """Set these fields of `Mind`."""
        self.set_mind(replace(self._scene.mind, **changes))  # type: ignore[arg-type]

    def set_mind(self, mind: Mind) -> None:
        self._scene = replace(self._scene, mind=mind)

    def told(self, *lines: LogLine) -> None:
        """Add these lines to the log beside the table."""
        self.set_mind(add_log_lines(self._scene.mind, lines, MOST_TOLD))

    def scroll(self, by: int, pane: Box) -> None:
        """Scroll the log beside the table up by so many rows."""
        self.set_mind(scroll_log(self._scene.mind, by, pane.columns, pane.rows))

    def to_newest(self) -> None:
        """Scroll the log to its newest line."""
        self.think(back=0, unread=0)

    def unmark(self) -> None:
        """Stop highlighting what others have done."""
        self._scene = replace(self._scene, fresh=frozenset())

    def arranged(self) -> str:
        """Take in the hand's new order; returns the confirmation."""
        before, arrangement = self._scene, self.table.arrangement
        now = new_scene(before.view, before.look, arrangement)
        self._scene = replace(now, mind=_keep_selection(before, now), window=before.window)
        return arrangement_text(arrangement)

    def lift_from_pile(self, column: int, row: int) -> None:
        """Let the pointer hold the card drawn from a pile, shown once it comes."""
        self._lifted, self._carried = (column, row), None

    def take_up(self, place: int) -> None:
        """Let the pointer hold this card of the hand."""
        if place < len(self._scene.hand):
            self._carried = Carried(int(self._scene.hand[place]), place)

    def drag(self, zone: str, column: int, row: int) -> bool:
        """Move the pointer; False if it holds no visible card."""
        self._lifted = (column, row) if self._lifted else None
        held = self._carried
        if held is None or (zone == f"{HAND} {held.place}" and held.over is None and not held.drawn):
            return False
        self._carried = held = replace(held, over=zone)
        air = InAir(held.card, column - 2, row - 1)
        self._scene = replace(self._scene, air=(air,), away=frozenset({f"{HAND} {held.place}"}))
        return True

    def drop(self, zone: str) -> str:
        """Drop the held card. Returns the line that moves a drawn card behind the one it was dropped on, where the hand
        isn't sorted; else ""."""
        held, self._carried, self._lifted = self._carried, None, None
        self._scene = replace(self._scene, air=(), away=frozenset())
        kind, _, number = zone.partition(" ")
        if held is None or not held.drawn or kind != HAND or self.table.arrangement.order != "off":
            return ""
        if int(number) in (held.place, held.place - 1):
            return ""
        return move_line(self._scene, held.place, int(number) + 1)

    def _update_held_card(self) -> None:
        """Update the place of the held card after the hand has changed."""
        held, hand = self._carried, [int(card) for card in self._scene.hand]
        if held is None:
            return
        if held.card not in hand:
            self.drop("")
            return
        there = held.place < len(hand) and hand[held.place] == held.card
        self._carried = held = replace(held, place=held.place if there else _rightmost_place(hand, held.card))
        if self._scene.air or held.drawn:
            self._scene = replace(self._scene, away=frozenset({f"{HAND} {held.place}"}))

    def put_beside(self, wanted: str) -> str:
        """Show this beside the table, "" for the next of `BESIDE`; returns the confirmation."""
        names = list(BESIDE)
        beside = wanted or names[(names.index(self._scene.mind.beside) + 1) % len(names)]
        self.think(beside=beside)
        return f"Beside the table: {BESIDE[beside]}."


def _keep_selection(before: Scene, now: Scene) -> Mind:
    """The selection and marks on the same cards, after the hand was rearranged."""
    left = list(enumerate(now.hand))
    places: dict[int, int] = {}
    for place, card in enumerate(before.hand):
        found = next((one for one in left if one[1] == card), None)
        if found:
            left.remove(found)
            places[place] = found[0]
    mind = before.mind
    at = places.get(mind.at, mind.at) if mind.focus == HAND and mind.marked else mind.at
    return replace(mind, at=at, marked=frozenset([places[place] for place in mind.marked if place in places]))


def _rightmost_place(hand: Sequence[int], card: int) -> int:
    """The index of the rightmost of equal cards: a drawn card is there."""
    return max(place for place, one in enumerate(hand) if one == card)


def _was_dealt(before: TableView, view: TableView) -> bool:
    """Return whether cards were dealt between two views."""
    return view.phase == "play" and (before.game, before.number, before.hand) != (view.game, view.number, view.hand)


def _has_moved_on(before: TableView, view: TableView) -> bool:
    """Return whether the table has changed so that an earlier answer is outdated."""
    return (view.hand, view.last_trick, view.legal, view.phase) != (
        before.hand,
        before.last_trick,
        before.legal,
        before.phase,
    )
