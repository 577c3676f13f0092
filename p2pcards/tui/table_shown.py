"""How a table stands on the screen: what has come of it, and what the person there has in mind. No toolkit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from p2pcards.control.messages import Happened
from p2pcards.frontend.looks import Showing
from p2pcards.frontend.manner import BESIDE, Muted, heard_lines, hears, muted_after
from p2pcards.present.advising import looked_lines
from p2pcards.present.cards import Arrangement, taken_up, usual
from p2pcards.present.sayings import Sayings
from p2pcards.present.score import sheet_lines
from p2pcards.present.story import story
from p2pcards.present.table import my_seat
from p2pcards.tui.appearance import Sitting
from p2pcards.tui.choices import taken_over
from p2pcards.tui.doing import to_do
from p2pcards.tui.picture.canvas import Picture
from p2pcards.tui.picture.moving import underway, ways
from p2pcards.tui.picture.scene import HAND, InAir, Mind, Scene, Told, drawn_since, played_since, scene
from p2pcards.tui.picture.table import draw
from p2pcards.views.happenings import HandScored, Hinted, Said, Starts, table_event
from p2pcards.views.tableview import TableView

MOST_TOLD = 300
"""Lines that can be read again."""


@dataclass(frozen=True, slots=True)
class ToRead:
    """Lines for a panel. about: the address of what the guide tells of it."""

    title: str
    lines: tuple[str, ...]
    about: str


@dataclass(frozen=True, slots=True)
class Heard:
    """What comes of something that has happened. lines: what is told of it; panel: what there is to read of it; event:
    one of `TABLE_EVENTS`, or none."""

    lines: tuple[str, ...] = ()
    panel: ToRead | None = None
    event: str = ""


class TableShown:
    """clock: seconds that go on. seen: a view has come."""

    def __init__(self, sitting: Sitting, told: Sequence[str], clock: Callable[[], float]) -> None:
        self.seen = False
        self._sitting = sitting
        self._clock = clock
        self._arrangement = usual(None)
        self._scene = Scene(TableView("listener", "lobby"), sitting.appearance.look, Mind(told=tuple(map(Told, told))))
        self._arrived = clock()
        self._sayings = Sayings()
        self._muted: Muted = frozenset()
        self._lifted: tuple[int, int] | None = None  # where the pointer is that holds a pile's card

    @property
    def scene(self) -> Scene:
        return self._scene

    @property
    def order(self) -> str:
        """How the hand is sorted."""
        return self._arrangement.order

    def showing(self) -> Showing:
        """What there is to look at."""
        style, home = self._scene.look.style, self._sitting.manner.home
        colour = self._sitting.appearance.palette.suits != "none"
        return Showing(
            self._scene.view, style, self._arrangement, self._elapsed(), lines=0, plain=False, home=home, colour=colour
        )

    def picture(self, columns: int, rows: int) -> Picture:
        """For a window of this size."""
        self._scene = replace(self._scene, window=(columns, rows))
        return draw(self._now(), columns, rows)

    def moving(self, old: Scene, start: Picture, steps: int) -> Iterator[Picture]:
        """Cards on their way to where they lie now, in so many steps; none while the pointer holds one. old, start: the
        scene and its picture before."""
        now, (columns, rows) = self._now(), old.window
        if self._lifted is None and (moved := ways(old, now)):
            end = draw(now, columns, rows)
            for step in range(1, steps):
                yield draw(underway(now, moved, start, end, step / steps), columns, rows)

    def _now(self) -> Scene:
        """As it is drawn: with the time that has gone, and what there is to do."""
        now = replace(self._scene, elapsed=self._elapsed())
        if not now.mind.status and self._sitting.manner.status:
            now = replace(now, mind=replace(now.mind, status=to_do(now)))
        return now

    def _elapsed(self) -> float:
        return self._clock() - self._arrived

    # --- what comes from the table ------------------------------------------------------------------------------------

    def take(self, view: TableView) -> None:
        """A view has come."""
        before, manner = self._scene, self._sitting.manner
        view = view if manner.meld_points else replace(view, indicator=())
        self._arrived = self._clock()
        if not self.seen or view.game != before.view.game:
            self._arrangement = usual(view.game, manner.order)
        mine = my_seat(view)
        self._arrangement = taken_up(self._arrangement, mine.known if mine else ())
        new = replace(scene(view, before.look, self._arrangement), mind=before.mind)
        if _goes_on(before.view, view):
            new = replace(new, mind=replace(new.mind, status="", wrong=False))
        fresh = self._fresh(before.view, view) if self.seen else frozenset()
        self._scene = replace(new, mind=taken_over(new, before, jumps=manner.jumps), fresh=fresh)
        self.seen = True
        came = [place for place, card in enumerate(new.hand) if card not in before.hand]
        if self._lifted and len(came) == 1:
            self._scene = replace(self._scene, away=frozenset({f"{HAND} {came[0]}"}))
            self.drag(*self._lifted)

    def _fresh(self, before: TableView, view: TableView) -> frozenset[str]:
        """What others have just done, where it is to stand out for a moment."""
        marks = self._sitting.appearance.marks if self._sitting.appearance.pace else ()
        played = played_since(before, view) if "plays" in marks else frozenset()
        return played | (drawn_since(before, view) if "stock" in marks else frozenset())

    def tell(self, happened: Happened) -> Heard:
        """Something has happened."""
        happening, view, manner = happened.happening, self._scene.view, self._sitting.manner
        if (isinstance(happening, Starts) and not manner.reminders) or not hears(happening, self._muted):
            return Heard()
        mine, style = my_seat(view), self._scene.look.style
        me = next((person.name for person in view.people if person.link == "you"), mine.name if mine else "")
        text = story(happening, me, style)
        talk = isinstance(happening, Said)
        said = self._sayings.heard(happening, view) if manner.phrases and not happened.earlier else []
        said = heard_lines(said, self._muted)
        self.told(Told(text, "chat" if talk else "log"), *[Told(line, "chat") for line in said])
        if happened.earlier:
            return Heard((text, *said))
        if talk and self._scene.mind.beside in ("rules", "none"):
            self.think(beside="talk")
        if isinstance(happening, Hinted):
            self.think(status=f"{text} O does it.", wrong=False)
        panel = None
        if isinstance(happening, HandScored):
            panel = ToRead("Hand", (text, "", *sheet_lines(happening, me, style)), "scoring#the-score-sheet")
        elif lines := looked_lines(happening, style):
            panel = ToRead("", (text, "", *lines), "playing#advice")
        return Heard((text, *said), panel, table_event(happening, view))

    # --- what the person does -----------------------------------------------------------------------------------------

    def wear(self, sitting: Sitting) -> None:
        """The settings are otherwise now."""
        self._sitting = sitting
        self._scene = replace(self._scene, look=sitting.appearance.look)

    def think(self, **changes: object) -> None:
        """Other values of `Mind`."""
        self.mean(replace(self._scene.mind, **changes))  # type: ignore[arg-type]

    def mean(self, mind: Mind) -> None:
        self._scene = replace(self._scene, mind=mind)

    def told(self, *lines: Told) -> None:
        self.think(told=(*self._scene.mind.told, *lines)[-MOST_TOLD:])

    def hold(self, trick: tuple[tuple[int, int], ...]) -> None:
        """A trick that is over lies there until the next view comes."""
        self._scene = replace(self._scene, held=trick)

    def unmark(self) -> None:
        """What others have done stands out no longer."""
        self._scene = replace(self._scene, fresh=frozenset())

    def arrange(self, arrangement: Arrangement) -> str:
        """What is said about it."""
        self._arrangement = arrangement
        mind = replace(self._scene.mind, marked=frozenset())
        self._scene = replace(scene(self._scene.view, self._scene.look, arrangement), mind=mind)
        if arrangement.by_hand:
            return "The card lies there until the next one comes."
        return f"Your hand is sorted {'as it came' if arrangement.order == 'off' else f'by {arrangement.order}'}."

    def mute(self, arguments: Sequence[str]) -> str:
        """What is said about it. Raises NotUnderstood."""
        self._muted, said = muted_after(self._muted, arguments, self._scene.view)
        return said

    def lift(self, column: int, row: int) -> None:
        """The pointer holds the card of a pile, which is seen there when it comes."""
        self._lifted = column, row

    def drag(self, column: int, row: int) -> bool:
        """The pointer goes there; whether it holds a card that is seen."""
        if self._lifted is None:
            return False
        self._lifted = column, row
        held = self._held()
        if held is None:
            return False
        self._scene = replace(self._scene, air=(InAir(int(self._scene.hand[held]), column - 2, row - 1),))
        return True

    def drop(self, zone: str) -> str:
        """The card that the pointer holds lies in the hand, behind the one on which it was dropped where the hand is
        not sorted: then what is to be said."""
        held, self._lifted = self._held(), None
        self._scene = replace(self._scene, air=(), away=frozenset())
        kind, _, number = zone.partition(" ")
        if held is None or kind != HAND or self.order != "off" or int(number) in (held, held - 1):
            return ""
        hand, behind = self._scene.hand, int(number) + 1
        return " ".join(["move", str(hand[held]), *map(str, hand[behind : behind + 1])])

    def _held(self) -> int | None:
        """The place of the card that is not in the hand yet."""
        places = [int(zone.partition(" ")[2]) for zone in self._scene.away]
        return places[0] if self._lifted and places else None

    def put_beside(self, wanted: str) -> str:
        """What stands beside the table from now on, "" for the next of `BESIDE`; what is said about it."""
        names = list(BESIDE)
        beside = wanted or names[(names.index(self._scene.mind.beside) + 1) % len(names)]
        self.think(beside=beside)
        return f"Beside the table: {BESIDE[beside]}."


def _goes_on(before: TableView, view: TableView) -> bool:
    """Whether what was said about the table before is of no use any more."""
    if view.apart and (view.hand, view.last_trick) != (before.hand, before.last_trick):
        return True
    return view.legal != before.legal or view.phase != before.phase
