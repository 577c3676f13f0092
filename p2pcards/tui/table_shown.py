"""How a table stands on the screen: what has come of it, what there is to do, and what the person there has in mind. No
toolkit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from p2pcards.frontend.at_table import Heard, TableSeen
from p2pcards.frontend.looks import Showing
from p2pcards.frontend.manner import BESIDE
from p2pcards.frontend.standing import to_do
from p2pcards.frontend.words import said_of
from p2pcards.present.table import clock_text, is_over
from p2pcards.present.tallies import moments
from p2pcards.tui.appearance import Sitting
from p2pcards.tui.choices import move_line, taken_over, where_dragged
from p2pcards.tui.picture.canvas import Box, Picture
from p2pcards.tui.picture.moving import underway, ways
from p2pcards.tui.picture.scene import (
    HAND,
    InAir,
    Mind,
    Scene,
    Told,
    drawn_since,
    played_since,
    scene,
    scrolled,
    told_more,
)
from p2pcards.tui.picture.table import draw, with_air
from p2pcards.views.happenings import Hinted, Said
from p2pcards.views.tableview import TableView

# --- what there is to do, and how a table stands on the screen --------------------------------------------------------


PANEL_ROWS = 4
"""Of a window, around what a panel shows."""


def to_do_at(scene: Scene) -> str:
    """A sentence: what I can do, or whom the table waits for."""
    how = "Enter, or click beside your hand,"
    return to_do(scene.view, scene.actions, scene.look.style, scene.elapsed, len(scene.mind.marked), how)


MORE = "There's more to see. Press any key or click."

AT_ONCE = 3
"""Cards that are dealt together, where they are seen coming."""
MOST_TOLD = 300
"""Lines that can be read again."""


@dataclass(frozen=True, slots=True)
class ToRead:
    """Lines for a panel."""

    title: str
    lines: tuple[str, ...]
    about: str  # address in the guide


@dataclass(frozen=True, slots=True)
class Carried:
    """A card of the hand that the pointer holds."""

    card: int  # as a byte
    place: int  # in the hand, from 0 on the left
    drawn: bool = False  # it has just come from a pile
    over: str | None = None  # the zone below it; None while it has not left its place


class TableShown:
    """clock: seconds that go on. table: what has come of it."""

    def __init__(self, sitting: Sitting, told: Sequence[str], clock: Callable[[], float]) -> None:
        self.table = TableSeen(lambda: self._sitting.manner, clock)
        self._sitting = sitting
        look, mind = sitting.appearance.look, Mind(told=tuple(map(Told, told)))
        self._scene = Scene(self.table.view, look, mind)
        self._lifted: tuple[int, int] | None = None  # where the pointer is that holds a pile's card
        self._carried: Carried | None = None
        self._otherwise: dict[str, bool] = {}  # of the look, as it was wanted at this table alone

    @property
    def scene(self) -> Scene:
        return self._scene

    def showing(self) -> Showing:
        """What there is to look at."""
        table, style, home = self.table, self._scene.look.style, self._sitting.manner.home
        colour = self._sitting.appearance.palette.suits != "none"
        room = max(self._scene.window[1] - PANEL_ROWS, 0)
        return Showing(
            table.view, style, table.arrangement, table.elapsed, lines=room, plain=False, home=home, colour=colour
        )

    def picture(self, columns: int, rows: int) -> Picture:
        """For a window of this size."""
        self._scene = replace(self._scene, window=(columns, rows))
        return draw(self._now(), columns, rows)

    def moving(self, old: Scene, start: Picture, steps: int) -> Iterator[Picture]:
        """Cards on their way to where they lie now, in so many steps, of a new hand three at a time; none while the
        pointer holds one. old, start: the scene and its picture before."""
        now, (columns, rows) = self._now(), old.window
        if _is_dealt(old.view, now.view):
            for count in range(0, len(now.hand), AT_ONCE):
                later = frozenset([f"{HAND} {place}" for place in range(count, len(now.hand))])
                picture = draw(replace(now, away=later), columns, rows)
                yield from [picture] * max(steps // AT_ONCE, 1)
            return
        if self._lifted is None and self._carried is None and (moved := ways(old, now)):
            end = draw(now, columns, rows)
            below = draw(replace(underway(now, moved, start, end, 0), air=()), columns, rows)
            for step in range(1, steps):
                yield with_air(below, underway(now, moved, start, end, step / steps))

    def _now(self) -> Scene:
        """As it is drawn: with the time that has gone, and what there is to do."""
        now = replace(self._scene, elapsed=self.table.elapsed)
        if (held := self._carried) and held.over is not None and not held.drawn:
            return replace(now, mind=replace(now.mind, status=where_dragged(now, held.place, held.over), wrong=False))
        if self.table.held:
            now = replace(now, mind=replace(now.mind, status=MORE, wrong=False))
        elif now.mind.status and (left := clock_text(now.view, now.elapsed)):
            now = replace(now, mind=replace(now.mind, status=f"{now.mind.status} ({left})"))
        elif not now.mind.status and self._sitting.manner.status_messages:
            now = replace(now, mind=replace(now.mind, status=to_do_at(now)))
        return now

    # --- what comes from the table ------------------------------------------------------------------------------------

    def see_view(self, view: TableView, came: float | None = None) -> None:
        """A view is seen; came: as in `TableSeen.see_view`."""
        before, seen = self._scene, self.table.begun
        self.table.see_view(view, came)
        view = self.table.view
        new = replace(scene(view, before.look, self.table.arrangement), mind=before.mind)
        if _goes_on(before.view, view):
            new = replace(new, mind=replace(new.mind, status="", wrong=False))
        fresh = self._fresh(before.view, view) if seen else frozenset()
        new = replace(new, counting=self._begins_to_count(before, view) if seen else None)
        self._scene = replace(new, mind=taken_over(new, before, jumps=self._sitting.manner.auto_focus), fresh=fresh)
        self._scene = replace(self._scene, air=before.air)
        new_cards = list((Counter(new.hand) - Counter(before.hand)).elements())
        if self._lifted and self._carried is None and len(new_cards) == 1:
            self._carried = Carried(int(new_cards[0]), _last_place(new.hand, new_cards[0]), drawn=True)
            self.drag(f"{HAND} {self._carried.place}", *self._lifted)
        self._carry_on()

    def _begins_to_count(self, before: Scene, view: TableView) -> int | None:
        """The moment of the count that is to be shown: the first one where it is new, and there is time for it."""
        if not is_over(view) or not view.tallies:
            return None
        if before.view.tallies == view.tallies:
            return before.counting
        return 0 if self._sitting.appearance.pace else None

    def count_on(self, to_the_end: bool = False) -> None:
        """The next item is counted, or all that are left."""
        at = self._scene.counting
        if at is not None:
            last = to_the_end or at + 1 >= len(moments(self._scene.view))
            self._scene = replace(self._scene, counting=None if last else at + 1)

    def _fresh(self, before: TableView, view: TableView) -> frozenset[str]:
        """What others have just done, where it is to stand out for a moment."""
        marks = self._sitting.appearance.marks if self._sitting.appearance.pace else ()
        played = played_since(before, view) if "plays" in marks else frozenset()
        return played | (drawn_since(before, view) if "stock" in marks else frozenset())

    def show_happening(self, heard: Heard) -> ToRead | None:
        """Something has happened; what there is to read of it, in a panel."""
        happening, earlier = heard.happened.happening, heard.happened.earlier
        talk = isinstance(happening, Said)
        self.told(Told(heard.text, "chat" if talk else "log"), *[Told(line, "chat") for line in heard.said])
        if earlier:
            return None
        if talk and self._scene.mind.beside in ("rules", "none"):
            self.think(beside="talk")
        if isinstance(happening, Hinted):
            self.think(status=f"{heard.text} Press O to do it.", wrong=False)
        if heard.sheet:
            return ToRead("Hand", (heard.text, "", *heard.sheet), "scoring#the-score-sheet")
        return ToRead("", (heard.text, "", *heard.looked), "playing#advice") if heard.looked else None

    # --- what the person does -----------------------------------------------------------------------------------------

    def wear(self, sitting: Sitting) -> None:
        """The settings are otherwise now."""
        self._sitting = sitting
        look, wanted = sitting.appearance.look, self._otherwise
        stagger, tint = wanted.get("stagger", look.stagger), wanted.get("tint", look.tint)
        self._scene = replace(self._scene, look=replace(look, stagger=stagger, tint=tint))

    def look_otherwise(self, part: str, on: bool) -> str:
        """ "stagger" or "tint" at this table alone, whatever the settings say; what is said about it."""
        self._otherwise[part] = on
        self.wear(self._sitting)
        what = "Staggered hand" if part == "stagger" else "Tinted melds"
        return f"{what}: {'on' if on else 'off'} at this table."

    def think(self, **changes: object) -> None:
        """Other values of `Mind`."""
        self.mean(replace(self._scene.mind, **changes))  # type: ignore[arg-type]

    def mean(self, mind: Mind) -> None:
        self._scene = replace(self._scene, mind=mind)

    def told(self, *lines: Told) -> None:
        self.mean(told_more(self._scene.mind, lines, MOST_TOLD))

    def scroll(self, by: int, pane: Box) -> None:
        """What is told beside the table, by so many rows up."""
        self.mean(scrolled(self._scene.mind, by, pane.columns, pane.rows))

    def to_newest(self) -> None:
        """Of what is told."""
        self.think(back=0, unread=0)

    def unmark(self) -> None:
        """What others have done stands out no longer."""
        self._scene = replace(self._scene, fresh=frozenset())

    def arranged(self) -> str:
        """The hand is arranged otherwise; what is said about it."""
        before, arrangement = self._scene, self.table.arrangement
        now = scene(before.view, before.look, arrangement)
        self._scene = replace(now, mind=_with_same_cards(before, now), window=before.window)
        return said_of(arrangement)

    def lift(self, column: int, row: int) -> None:
        """The pointer holds the card of a pile, which is seen there when it comes."""
        self._lifted, self._carried = (column, row), None

    def take_up(self, place: int) -> None:
        """The pointer holds a card of the hand."""
        if place < len(self._scene.hand):
            self._carried = Carried(int(self._scene.hand[place]), place)

    def drag(self, zone: str, column: int, row: int) -> bool:
        """The pointer goes there; whether it holds a card that is seen."""
        self._lifted = (column, row) if self._lifted else None
        held = self._carried
        if held is None or (zone == f"{HAND} {held.place}" and held.over is None and not held.drawn):
            return False
        self._carried = held = replace(held, over=zone)
        air = InAir(held.card, column - 2, row - 1)
        self._scene = replace(self._scene, air=(air,), away=frozenset({f"{HAND} {held.place}"}))
        return True

    def drop(self, zone: str) -> str:
        """The card that the pointer holds is let go. One that was drawn lies behind the one on which it was dropped
        where the hand is not sorted: then what is to be said."""
        held, self._carried, self._lifted = self._carried, None, None
        self._scene = replace(self._scene, air=(), away=frozenset())
        kind, _, number = zone.partition(" ")
        if held is None or not held.drawn or kind != HAND or self.table.arrangement.order != "off":
            return ""
        if int(number) in (held.place, held.place - 1):
            return ""
        return move_line(self._scene, held.place, int(number) + 1)

    def _carry_on(self) -> None:
        """The hand is another now: the card that is held lies elsewhere in it, or nowhere."""
        held, hand = self._carried, [int(card) for card in self._scene.hand]
        if held is None:
            return
        if held.card not in hand:
            self.drop("")
            return
        there = held.place < len(hand) and hand[held.place] == held.card
        self._carried = held = replace(held, place=held.place if there else _last_place(hand, held.card))
        if self._scene.air or held.drawn:
            self._scene = replace(self._scene, away=frozenset({f"{HAND} {held.place}"}))

    def put_beside(self, wanted: str) -> str:
        """What stands beside the table from now on, "" for the next of `BESIDE`; what is said about it."""
        names = list(BESIDE)
        beside = wanted or names[(names.index(self._scene.mind.beside) + 1) % len(names)]
        self.think(beside=beside)
        return f"Beside the table: {BESIDE[beside]}."


def _with_same_cards(before: Scene, now: Scene) -> Mind:
    """What is chosen and marked where the same hand lies otherwise."""
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


def _last_place(hand: Sequence[int], card: int) -> int:
    """Of cards that are alike the one at the right, where what is drawn lies."""
    return max(place for place, one in enumerate(hand) if one == card)


def _is_dealt(before: TableView, view: TableView) -> bool:
    """Whether cards have been dealt since."""
    return view.phase == "play" and (before.game, before.number, before.hand) != (view.game, view.number, view.hand)


def _goes_on(before: TableView, view: TableView) -> bool:
    """Whether what was said about the table before is of no use any more."""
    if view.apart and (view.hand, view.last_trick) != (before.hand, before.last_trick):
        return True
    return view.legal != before.legal or view.phase != before.phase
