"""What the line mode shows unasked: what happens, what a player would look up when the table changes, and time that
runs out."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.control.messages import Happened
from p2pcards.frontend.manner import Manner, Muted, heard_lines, hears, muted_after
from p2pcards.games.spelling import cards_in
from p2pcards.present.cards import Style
from p2pcards.present.hand import Arrangement
from p2pcards.present.memory import looked_lines
from p2pcards.present.prompt import countdowns, is_another_turn
from p2pcards.present.sayings import Sayings
from p2pcards.present.score import sheet_lines
from p2pcards.present.story import sentence, story
from p2pcards.present.table import fact_lines, hand_lines, leads, my_seat, open_hands, table_lines, turn_lines
from p2pcards.views.happenings import (
    Acted,
    ActionOutdated,
    ActionRefused,
    AlternativesExplained,
    CardsDistributed,
    CardsRecalled,
    HandAnalyzed,
    HandScored,
    Happening,
    Hinted,
    MeldsReviewed,
    Said,
    Starts,
    TricksReviewed,
)
from p2pcards.views.tableview import TableView

SPOKEN = (60, 30, 10)
"""Seconds before a takeover at which plain output says so."""

Looked = TricksReviewed | MeldsReviewed | CardsRecalled | CardsDistributed | AlternativesExplained | HandAnalyzed


class LineNews:
    """Remembers what the person has been told, so that it is not told twice."""

    def __init__(self, manner: Manner, style: Style, plain: bool) -> None:
        self._manner = manner
        self._style = style
        self._plain = plain
        self._sayings = Sayings() if manner.phrases else None
        self._muted: Muted = frozenset()
        self._told: set[int] = set()  # cards that sentences have named since the last look at the table
        self._facts: list[str] = []  # what was said to hold
        self._spoken: dict[int, float] = {}  # by seat, the seconds when a countdown was last told

    def mute(self, arguments: Sequence[str], view: TableView) -> str:
        """What is said about it. Raises NotUnderstood."""
        self._muted, said = muted_after(self._muted, arguments, view)
        return said

    def of_happening(self, happened: Happened, view: TableView) -> list[str]:
        happening = happened.happening
        if isinstance(happening, Starts) and not self._manner.reminders:
            return []
        if not hears(happening, self._muted):
            return []
        if isinstance(happening, Acted):
            self._told |= {int(card.face) for card in cards_in(f"{happening.words} {happening.says}")}
        mine = my_seat(view)
        you = next((person.name for person in view.people if person.link == "you"), mine.name if mine else "")
        said = self._sayings.heard(happening, view) if self._sayings and not happened.earlier else []
        return [story(happening, you, self._style), *heard_lines(said, self._muted), *self._with_it(happening, you)]

    def _with_it(self, happening: Happening, you: str) -> list[str]:
        if isinstance(happening, HandScored):
            return sheet_lines(happening, you, self._style)
        return looked_lines(happening, self._style) if isinstance(happening, Looked) else []

    def of_change(self, old: TableView, view: TableView, arrangement: Arrangement) -> list[str]:
        """The table that they have come to, new cards, and at their turn what is on the table."""
        chosen = view.phase == "lobby" and (old.phase != "lobby" or old.game != view.game)
        come = chosen or (view.looks_on and not old.looks_on)
        lines = table_lines(view, self._style) if come else []
        dealt = view.hand != old.hand or view.game != old.game or view.phase != old.phase
        if is_another_turn(old, view):
            told, self._told = self._told if self._plain else set(), set()
            return [*lines, *self._new_facts(view), *turn_lines(view, self._style, arrangement, told)]
        if view.face_up and not old.face_up:
            return [*lines, *open_hands(view, self._style)]
        return [*lines, *(hand_lines(view, self._style, arrangement) if view.phase == "play" and dealt else [])]

    def _new_facts(self, view: TableView) -> Sequence[str]:
        """What holds in this hand, unless it was said at the last turn; that I lead at every turn."""
        before, self._facts = self._facts, fact_lines(view, self._style)
        if self._facts != before:
            return self._facts
        return ["You lead."] if leads(view) else []

    def of_time(self, view: TableView, elapsed: float) -> list[str]:
        """Plain output has no prompt that counts down, so a few of the seconds are said."""
        before, counting = self._spoken, countdowns(view, elapsed) if self._plain else []
        self._spoken = {seat: left for seat, left, _ in counting}
        return [
            sentence(text)
            for seat, left, text in counting
            if any(left <= seconds < before.get(seat, left + 1.5) for seconds in SPOKEN)
        ]


def is_answer(happening: Happening) -> bool:
    """Whether it is what the person has just asked for, or comes of what they said."""
    answers = isinstance(happening, Looked | Hinted | ActionRefused | ActionOutdated)
    return answers or (isinstance(happening, Said) and happening.mine)
