"""The stage, between what comes from a table and what is shown of it: one thing after another, each with the view that
belongs to it, as fast as eyes can follow. A frozen machine with a table; its clock is an argument."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from p2pcards.control.messages import Happened
from p2pcards.games.wording import join_with_and
from p2pcards.present.cards import count_text
from p2pcards.views import happenings
from p2pcards.views.tableview import TableView

# --- how long eyes need -----------------------------------------------------------------------------------------------


WEIGHTS: Mapping[type[happenings.Happening], int] = {
    happenings.GameStarted: 1,
    happenings.FirstDealerDrawn: 2,
    happenings.HandDealt: 1,
    happenings.Acted: 1,
    happenings.CardsCame: 1,
    happenings.Remarked: 1,
    happenings.TurnedUp: 2,
    happenings.TakenBack: 1,
    happenings.HandGivenUp: 1,
    happenings.HandRestarted: 1,
    happenings.TrickTaken: 1,
    happenings.HandScored: 5,
    happenings.GameWon: 5,
}
"""How many times the pace of an action each thing lies that happens in a game."""

AT_ONCE = (
    happenings.Said
    | happenings.Gestured
    | happenings.TricksReviewed
    | happenings.MeldsReviewed
    | happenings.CardsRecalled
    | happenings.CardsDistributed
    | happenings.AlternativesExplained
    | happenings.HandAnalyzed
    | happenings.Hinted
    | happenings.ActionRefused
    | happenings.ActionOutdated
    | happenings.PlayerJoined
    | happenings.PlayerBack
    | happenings.PlayerLeft
    | happenings.PlayerLost
    | happenings.RedialPlanned
    | happenings.RedialAsked
    | happenings.Unreachable
    | happenings.CallProgress
    | happenings.CodeShown
    | happenings.CodeBurnt
    | happenings.WordsToCompare
)
"""Talk, answers, and who comes and goes: nobody waits for a trick to hear of it."""


@dataclass(frozen=True, slots=True)
class Tempo:
    """How many seconds steps stay in view."""

    pace: float = 0.0  # for an action
    stays: float | None = 0.0  # for a trick that is over; None until a key is pressed
    moving: float = 0.0  # that a card takes to move: an action gets at least this time


AT_ONCE_TEMPO = Tempo()
"""That of who wants no time between."""


class TableStep(NamedTuple):
    """Happenings, and the view of the table after them."""

    told: tuple[Happened, ...]
    view: TableView
    came: float  # when the view came, on the clock of the stage

    @property
    def happenings(self) -> list[happenings.Happening]:
        """The happenings of the game, without sentences of the table."""
        return [one.happening for one in self.told if type(one.happening) in WEIGHTS and not one.earlier]


def step_weight(news: Iterable[happenings.Happening]) -> int:
    """For how many times the pace of one action these are shown together. A remark is heard with its action; each
    counted item takes its own time."""
    found = [WEIGHTS.get(type(one), 0) for one in news if not isinstance(one, happenings.Remarked)]
    said = sum([isinstance(one, happenings.Remarked) for one in news])
    return max(found) if any(found) else said


def seconds_shown(step: TableStep, tempo: Tempo) -> float | None:
    """For how many seconds a step is shown; None: until a key is pressed."""
    news = step.happenings
    seconds = max(step_weight(news) * tempo.pace, tempo.moving * bool(news))
    if not any(isinstance(one, happenings.TrickTaken) for one in news):
        return seconds
    return None if tempo.stays is None else max(tempo.stays, seconds)


def split_step(step: TableStep, before: TableView) -> list[TableStep]:
    """The step in parts that are shown one after the other: the last card of a hand, then its score."""
    place = next(
        (number for number, one in enumerate(step.told) if isinstance(one.happening, happenings.HandScored)), 0
    )
    same = before.game == step.view.game and len(before.seats) == len(step.view.seats)
    if not same or not TableStep(step.told[:place], step.view, step.came).happenings:
        return [step]
    seats = [replace(seat, score=old.score) for seat, old in zip(step.view.seats, before.seats, strict=True)]
    unscored = replace(
        step.view,
        seats=tuple(seats),
        sheet=before.sheet,
        rounds=before.rounds,
        rear=before.rear,
        winners=before.winners,
        pause=None,
    )
    return [TableStep(step.told[:place], unscored, step.came), TableStep(step.told[place:], step.view, step.came)]


# --- the machine ------------------------------------------------------------------------------------------------------


MOST = 40
"""Steps that may wait: of more than that nobody sees one after another."""
SETTLES = 0.2
"""Seconds in which a flood may go on before all of it is passed over."""


class State(StrEnum):
    EMPTY = "no view has arrived yet"
    FREE = "the view on screen has been seen"
    LYING = "the view on screen stays for its time"
    TRICK = "a finished trick stays until a key is pressed"
    SCORED = "a finished hand stays until the player continues"
    BEHIND = "more is waiting than anyone can follow"
    OVER = "the table has closed"


class StageEvent(StrEnum):
    VIEW = "a view arrives, after the news that led to it"
    TIME = "the time is up"
    KEY = "a key or a click"
    GO_ON = "the player is done with the view on screen"
    SAID = "the player says something to the table"
    END = "the table closes"


class Action(StrEnum):
    NOTHING = "nothing"
    BEGIN = "show it, after the news that led to it"
    WAIT = "queue it"
    NEXT = "show the next step"
    NOW = "tell all the queued news, and show the last view"
    PASS = "like NOW, and say how much was skipped"


_SHOWN = (State.FREE, State.LYING, State.TRICK, State.SCORED)

TABLE: Mapping[tuple[State, StageEvent], tuple[Action, State | None]] = {
    (State.EMPTY, StageEvent.VIEW): (Action.BEGIN, State.FREE),
    (State.EMPTY, StageEvent.END): (Action.NOW, State.OVER),
    **{(state, StageEvent.VIEW): (Action.WAIT, None) for state in _SHOWN},
    (State.LYING, StageEvent.TIME): (Action.NEXT, None),
    (State.LYING, StageEvent.KEY): (Action.NOW, None),
    (State.TRICK, StageEvent.KEY): (Action.NEXT, None),
    (State.SCORED, StageEvent.KEY): (Action.NEXT, None),
    (State.LYING, StageEvent.GO_ON): (Action.NEXT, None),
    (State.TRICK, StageEvent.GO_ON): (Action.NEXT, None),
    (State.SCORED, StageEvent.GO_ON): (Action.NEXT, None),
    **{(state, StageEvent.SAID): (Action.NOW, State.FREE) for state in _SHOWN},
    **{(state, StageEvent.END): (Action.NOW, State.OVER) for state in _SHOWN},
    (State.BEHIND, StageEvent.VIEW): (Action.WAIT, State.BEHIND),
    **{(State.BEHIND, event): (Action.PASS, None) for event in (StageEvent.TIME, StageEvent.KEY, StageEvent.GO_ON)},
    (State.BEHIND, StageEvent.SAID): (Action.PASS, State.FREE),
    (State.BEHIND, StageEvent.END): (Action.PASS, State.OVER),
}
"""What is done, and the state after it, None where that depends on what lies there then. Whatever does not stand here
changes nothing."""


class Seen(NamedTuple):
    """A view to show now."""

    view: TableView
    came: float  # when it came
    last: bool  # nothing newer has come


Cue = Happened | Seen
"""What is to be told, or shown, now."""


@dataclass(frozen=True, slots=True)
class Stage:
    state: State = State.EMPTY
    shown: TableView | None = None  # the view on the screen; None before the first
    until: float | None = None  # the end of its time; None if no time is set
    coming: tuple[Happened, ...] = ()  # happenings since the last view came
    waiting: tuple[TableStep, ...] = ()  # steps still to be shown

    @property
    def held(self) -> bool:
        """Steps wait because a hand that is over stays in view until the player wants to continue."""
        return bool(self.waiting) and self.state in (State.TRICK, State.SCORED)

    @property
    def has_shown_all(self) -> bool:
        """All that came has been shown."""
        return self.state in (State.FREE, State.OVER) and not (self.waiting or self.coming)


def add_happening(stage: Stage, happened: Happened) -> tuple[Stage, list[Cue]]:
    """The stage with this happening, and what to show of it now. A happening of the game waits for its view; others are
    shown at once, or with those that wait."""
    if stage.state is State.OVER or (stage.state is not State.EMPTY and isinstance(happened.happening, AT_ONCE)):
        return stage, [happened]
    if stage.state is State.EMPTY or stage.coming or type(happened.happening) in WEIGHTS:
        return replace(stage, coming=(*stage.coming, happened)), []
    if not stage.waiting:
        return stage, [happened]
    *rest, last = stage.waiting
    return replace(stage, waiting=(*rest, last._replace(told=(*last.told, happened)))), []


def advance_stage(
    stage: Stage, event: StageEvent, now: float, tempo: Tempo, view: TableView | None = None
) -> tuple[Stage, list[Cue]]:
    """The stage after an event, and the cues to show now, in order. view: of `StageEvent.VIEW` alone."""
    action, state = TABLE.get((stage.state, event), (Action.NOTHING, None))
    if event is StageEvent.TIME and stage.until is not None and now < stage.until:
        return stage, []
    if event is StageEvent.KEY and not stage.waiting and not _awaits_key(stage):
        return stage, []  # what lies there is now
    if view is not None and action is not Action.NOTHING:
        stage = _add_view(stage, view, now, tempo)
    return _ACTIONS[action](stage, state, now, tempo)


def _awaits_key(stage: Stage) -> bool:
    """Return whether only a key ends the shown step: a hand that is over, while its player has time to look at it."""
    return stage.state is State.TRICK or (
        stage.state is State.SCORED and stage.shown is not None and stage.shown.pause is None
    )


def _add_view(stage: Stage, view: TableView, now: float, tempo: Tempo) -> Stage:
    """The stage with one more step waiting."""
    step = TableStep(stage.coming, view, now)
    before = stage.waiting[-1].view if stage.waiting else stage.shown
    new = [step] if before is None or tempo == AT_ONCE_TEMPO else split_step(step, before)
    return replace(stage, coming=(), waiting=(*stage.waiting, *new))


def _stay_unchanged(stage: Stage, _state: State | None, _now: float, _tempo: Tempo) -> tuple[Stage, list[Cue]]:
    return stage, []


def _show_first_view(stage: Stage, state: State | None, _now: float, _tempo: Tempo) -> tuple[Stage, list[Cue]]:
    """Show the first view, with as much of what happened before as a person needs to understand it."""
    (step,) = stage.waiting
    return Stage(state or State.FREE, step.view), [Seen(step.view, step.came, True), *step.told]


def _queue_view(stage: Stage, state: State | None, now: float, tempo: Tempo) -> tuple[Stage, list[Cue]]:
    if state is not None:
        return replace(stage, state=state), []
    if _others_play_on(stage):
        stage = replace(stage, state=State.FREE)
    stage, cues = _show_due_steps(stage, now, tempo)
    if len(stage.waiting) > MOST:
        stage = replace(stage, state=State.BEHIND, until=now + SETTLES)
    return stage, cues


def _others_play_on(stage: Stage) -> bool:
    """Return whether a hand that is over is in view while others play the next: nobody's clock waits for a reader."""
    view = stage.waiting[-1].view
    return stage.state is State.SCORED and view.pause is None and len(view.people) > 1


def _show_next_step(stage: Stage, _state: State | None, now: float, tempo: Tempo) -> tuple[Stage, list[Cue]]:
    return _show_due_steps(replace(stage, state=State.FREE, until=None), now, tempo)


def _show_all_now(stage: Stage, state: State | None, _now: float, tempo: Tempo) -> tuple[Stage, list[Cue]]:
    """Show everything that waits at once. A happening that has no view yet is told last, as its view is on its way."""
    told = [one for step in stage.waiting for one in step.told]
    coming = stage.coming if state is State.OVER else ()
    cues: list[Cue] = [*told]
    shown = stage.shown
    if stage.waiting:
        last = stage.waiting[-1]
        shown = last.view
        cues.append(Seen(last.view, last.came, True))
    lies_there = State.SCORED if tempo.pace and shown is not None and shown.pause is not None else State.FREE
    return Stage(state or lies_there, shown, coming=() if coming else stage.coming), [*cues, *coming]


def _skip_all_with_notice(stage: Stage, state: State | None, now: float, tempo: Tempo) -> tuple[Stage, list[Cue]]:
    """Show everything that waits at once, and a sentence how much was skipped."""
    told = [one for step in stage.waiting for one in step.told]
    stage, cues = _show_all_now(stage, state, now, tempo)
    return stage, [*cues, Happened(happenings.Notice(skipped_text(told)))]


def skipped_text(told: Iterable[Happened]) -> str:
    """A sentence how much was not shown step by step."""
    news = [one.happening for one in told]
    counts = ((happenings.HandScored, "hand"), (happenings.TrickTaken, "trick"), (object, "line"))
    found = [(sum([isinstance(one, kind) for one in news]), what) for kind, what in counts]
    many = join_with_and([count_text(count, what) for count, what in found if count])
    return f"You missed {many or 'a lot'}. Here's the table now."


_ACTIONS: Mapping[Action, Callable[[Stage, State | None, float, Tempo], tuple[Stage, list[Cue]]]] = {
    Action.NOTHING: _stay_unchanged,
    Action.BEGIN: _show_first_view,
    Action.WAIT: _queue_view,
    Action.NEXT: _show_next_step,
    Action.NOW: _show_all_now,
    Action.PASS: _skip_all_with_notice,
}


def _show_due_steps(stage: Stage, now: float, tempo: Tempo) -> tuple[Stage, list[Cue]]:
    cues: list[Cue] = []
    while stage.waiting and (stage.state is State.FREE or _is_minor(stage.waiting[0], stage)):
        step, *rest = stage.waiting
        cues += [*step.told, Seen(step.view, step.came, not rest)]
        stage = replace(_show_step(stage, step, now, tempo), shown=step.view, waiting=tuple(rest))
    return stage, cues


def _is_minor(step: TableStep, stage: Stage) -> bool:
    """Return whether the step may pass without the player having seen the one before it."""
    return not step.happenings and stage.shown is not None and step.view.hand == stage.shown.hand


def _show_step(stage: Stage, step: TableStep, now: float, tempo: Tempo) -> Stage:
    """The stage with this step in view, for as long as it takes."""
    if tempo.pace and step.view.pause is not None and (stage.shown is None or stage.shown.pause is None):
        return replace(stage, state=State.SCORED, until=None)
    if stage.state is not State.FREE:  # what lay there goes on to lie
        return stage
    seconds = seconds_shown(step, tempo)
    if seconds is None:
        return replace(stage, state=State.TRICK)
    return replace(stage, state=State.LYING, until=now + seconds) if seconds else stage
