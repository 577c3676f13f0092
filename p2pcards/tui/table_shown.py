"""How a table stands on the screen: what has come of it, what there is to do, and what the person there has in mind. No
toolkit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from p2pcards.frontend.at_table import Heard, TableSeen
from p2pcards.frontend.choosing import LegalAction, asked_count
from p2pcards.frontend.looks import Showing
from p2pcards.frontend.manner import BESIDE
from p2pcards.games.spelling import is_card_word
from p2pcards.present.cards import count_text
from p2pcards.present.story import sentence
from p2pcards.present.table import HURRY, countdowns, going_on, leads, seat_name
from p2pcards.present.tallies import moments
from p2pcards.tui.appearance import Sitting
from p2pcards.tui.choices import taken_over
from p2pcards.tui.picture.canvas import Picture
from p2pcards.tui.picture.laid import is_over
from p2pcards.tui.picture.moving import underway, ways
from p2pcards.tui.picture.scene import HAND, InAir, Mind, Scene, Told, drawn_since, played_since, scene
from p2pcards.tui.picture.table import draw
from p2pcards.views.happenings import Hinted, Said
from p2pcards.views.tableview import TableView

# --- what there is to do, as the line that the screen shows while nothing else is to be said --------------------------


MOST_VERBS = 4


def to_do(scene: Scene) -> str:
    """A sentence: what I can do, or whom the table waits for."""
    view = scene.view
    if not view.legal or view.phase != "play" or view.proposal:
        return sentence(going_on(view, scene.elapsed)[0])
    if marked := len(scene.mind.marked):
        cards = count_text(marked)
        return (
            f"{cards[:1].upper()}{cards[1:]} marked; Enter, or a click beside the hand, goes on with {_them(marked)}."
        )
    left = None if view.turn_seconds is None else view.turn_seconds - scene.elapsed
    hurry = f" ({max(0, round(left))} s)" if left is not None and left <= HURRY else ""
    away = [f"{seat_name(view, seat)} away {round(rest)} s" for seat, rest, _ in countdowns(view, scene.elapsed)]
    lead = "you lead; " if leads(view) else ""
    return "; ".join([f"Your turn{hurry}: {lead}{_either(_ways(scene)[:MOST_VERBS])}", *away]) + "."


def _ways(scene: Scene) -> list[str]:
    """The kinds of what I can do, each in a few words."""
    by_verb: dict[str, list[LegalAction]] = {}
    for action in scene.actions:
        by_verb.setdefault(action.words.split()[0], []).append(action)
    ways = {}
    for verb, alike in by_verb.items():
        if is_card_word(verb):
            ways["play"] = "play a card"
        elif number := asked_count(alike):
            many = "cards" if any(len(one.cards) != number for one in alike) else count_text(number).replace("one", "a")
            ways[verb] = f"{verb} {many}"
        else:
            ways[verb] = verb
    return list(ways.values())


def _either(ways: list[str]) -> str:
    """``draw, take or knock``."""
    return f"{', '.join(ways[:-1])} or {ways[-1]}" if len(ways) > 1 else "".join(ways)


def _them(count: int) -> str:
    return "it" if count == 1 else "them"


# --- how a table stands on the screen ---------------------------------------------------------------------------------


MOST_TOLD = 300
"""Lines that can be read again."""


@dataclass(frozen=True, slots=True)
class ToRead:
    """Lines for a panel. about: the address of what the guide tells of it."""

    title: str
    lines: tuple[str, ...]
    about: str


class TableShown:
    """clock: seconds that go on. table: what has come of it."""

    def __init__(self, sitting: Sitting, told: Sequence[str], clock: Callable[[], float]) -> None:
        self.table = TableSeen(lambda: self._sitting.manner, clock)
        self._sitting = sitting
        look, mind = sitting.appearance.look, Mind(told=tuple(map(Told, told)))
        self._scene = Scene(self.table.view, look, mind)
        self._lifted: tuple[int, int] | None = None  # where the pointer is that holds a pile's card

    @property
    def scene(self) -> Scene:
        return self._scene

    def showing(self) -> Showing:
        """What there is to look at."""
        table, style, home = self.table, self._scene.look.style, self._sitting.manner.home
        colour = self._sitting.appearance.palette.suits != "none"
        return Showing(
            table.view, style, table.arrangement, table.elapsed, lines=0, plain=False, home=home, colour=colour
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
        now = replace(self._scene, elapsed=self.table.elapsed)
        if not now.mind.status and self._sitting.manner.status_messages:
            now = replace(now, mind=replace(now.mind, status=to_do(now)))
        return now

    # --- what comes from the table ------------------------------------------------------------------------------------

    def take(self, view: TableView) -> None:
        """A view has come."""
        before, seen = self._scene, self.table.begun
        self.table.take(view)
        view = self.table.view
        new = replace(scene(view, before.look, self.table.arrangement), mind=before.mind)
        if _goes_on(before.view, view):
            new = replace(new, mind=replace(new.mind, status="", wrong=False))
        fresh = self._fresh(before.view, view) if seen else frozenset()
        new = replace(new, counting=self._begins_to_count(before, view) if seen else None)
        self._scene = replace(new, mind=taken_over(new, before, jumps=self._sitting.manner.auto_focus), fresh=fresh)
        came = [place for place, card in enumerate(new.hand) if card not in before.hand]
        if self._lifted and len(came) == 1:
            self._scene = replace(self._scene, away=frozenset({f"{HAND} {came[0]}"}))
            self.drag(*self._lifted)

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

    def hear(self, heard: Heard) -> ToRead | None:
        """Something has happened; what there is to read of it, in a panel."""
        happening, earlier = heard.happened.happening, heard.happened.earlier
        talk = isinstance(happening, Said)
        self.told(Told(heard.text, "chat" if talk else "log"), *[Told(line, "chat") for line in heard.said])
        if earlier:
            return None
        if talk and self._scene.mind.beside in ("rules", "none"):
            self.think(beside="talk")
        if isinstance(happening, Hinted):
            self.think(status=f"{heard.text} O does it.", wrong=False)
        if heard.sheet:
            return ToRead("Hand", (heard.text, "", *heard.sheet), "scoring#the-score-sheet")
        return ToRead("", (heard.text, "", *heard.looked), "playing#advice") if heard.looked else None

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

    def arranged(self) -> str:
        """The hand is arranged otherwise; what is said about it."""
        arrangement, mind = self.table.arrangement, replace(self._scene.mind, marked=frozenset())
        self._scene = replace(scene(self._scene.view, self._scene.look, arrangement), mind=mind)
        if arrangement.by_hand:
            return "The card lies there until the next one comes."
        return f"Your hand is sorted {'as it came' if arrangement.order == 'off' else f'by {arrangement.order}'}."

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
        if held is None or kind != HAND or self.table.arrangement.order != "off" or int(number) in (held, held - 1):
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
