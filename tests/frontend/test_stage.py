"""The stage between what comes from a table and what is shown of it, with a clock of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.control.messages import Happened
from p2pcards.frontend.stage import (
    MOST,
    SETTLES,
    TABLE,
    Action,
    Cue,
    Seen,
    Stage,
    StageEvent,
    State,
    TableStep,
    Tempo,
    add_happening,
    advance_stage,
    seconds_shown,
    skipped_text,
    split_step,
)
from p2pcards.views.happenings import (
    Acted,
    HandDealt,
    HandOpened,
    HandScored,
    Happening,
    Notice,
    PlayerJoined,
    Remarked,
    Said,
    TrickTaken,
)
from p2pcards.views.tableview import PersonView, SeatView, SheetView, TableView

PACE, STAYS = 1.0, 3.0
TEMPO = Tempo(PACE, STAYS)
SHEET = SheetView(1, ((), ()), (3, 0), (3, 0))
SCORED = HandScored(("Ann", "Bob"), (), SHEET)
TAKEN = TrickTaken("Bob", False)


def view(number: int, **changes: object) -> TableView:
    seats = tuple([SeatView(seat, name, "", "", "person", 0, 5) for seat, name in enumerate(("Ann", "Bob"))])
    return replace(TableView("listener", "play", me=0, game="whist", seats=seats, records=number), **changes)  # type: ignore[arg-type]


def card(number: int) -> Acted:
    return Acted("Bob", 1, f"card{number}", "", False)


@dataclass
class Theatre:
    """A stage, its clock, and what was told and shown: a sentence or a number of records each, in order."""

    tempo: Tempo = TEMPO
    now: float = 0.0
    stage: Stage = field(default_factory=Stage)
    cues: list[Cue] = field(default_factory=list)

    def take(self, result: tuple[Stage, list[Cue]]) -> None:
        self.stage, cues = result
        self.cues += cues

    def on(self, event: StageEvent, seen: TableView | None = None) -> None:
        self.take(advance_stage(self.stage, event, self.now, self.tempo, seen))

    def comes(self, number: int, *told: Happening, **changes: object) -> None:
        """A step."""
        for one in told:
            self.take(add_happening(self.stage, Happened(one)))
        self.on(StageEvent.VIEW, view(number, **changes))

    def wait(self, seconds: float) -> None:
        """Time goes on, and what is due is done at its time."""
        end = self.now + seconds
        while self.stage.until is not None and self.stage.until <= end:
            self.now = self.stage.until
            self.on(StageEvent.TIME)
        self.now = end

    @property
    def shown(self) -> list[int]:
        return [cue.view.records for cue in self.cues if isinstance(cue, Seen)]

    @property
    def told(self) -> list[Happening]:
        return [cue.happening for cue in self.cues if isinstance(cue, Happened)]


def at(state: State) -> Theatre:
    """A stage in this state, with a step that waits where one can."""
    theatre = Theatre(replace(TEMPO, stays=None) if state is State.TRICK else TEMPO)
    if state is State.EMPTY:
        return theatre
    theatre.comes(0)
    match state:
        case State.LYING:
            theatre.comes(1, card(1))
        case State.TRICK:
            theatre.comes(1, card(1), TAKEN)
        case State.SCORED:
            theatre.comes(1, HandOpened(1, True, ""), pause=0)
        case State.BEHIND:
            for number in range(1, MOST + 3):
                theatre.comes(number, card(number))
        case State.OVER:
            theatre.on(StageEvent.END)
    if state in (State.LYING, State.TRICK, State.SCORED):
        theatre.comes(2, HandDealt(2, "Ann", ()), hand=2)
    assert theatre.stage.state is state
    theatre.cues.clear()
    return theatre


# --- the table --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("state", "event"), [*product(State, StageEvent)], ids=str)
def test_every_row_of_the_table(state: State, event: StageEvent) -> None:
    theatre = at(state)
    before, waiting = theatre.stage, len(theatre.stage.waiting)
    theatre.now = theatre.stage.until or 0.0
    theatre.on(event, view(100, hand=2) if event is StageEvent.VIEW else None)
    action, follows = TABLE.get((state, event), (Action.NOTHING, None))
    if action is Action.NOTHING:
        assert theatre.stage == before and not theatre.cues
        return
    assert follows is None or theatre.stage.state is follows
    last = [one.view.records for one in before.waiting][-1:]
    match action:
        case Action.BEGIN:
            assert theatre.shown == [100]
        case Action.WAIT if state is State.FREE:
            assert theatre.shown == [100] and theatre.stage.state is State.FREE, "nothing has happened that lies"
        case Action.WAIT:
            assert not theatre.cues and len(theatre.stage.waiting) == waiting + 1
        case Action.NEXT:
            assert theatre.shown == [2] and theatre.stage.state is State.LYING
        case Action.NOW | Action.PASS:
            assert theatre.shown == last and not theatre.stage.waiting
            said = [isinstance(one, Notice) for one in theatre.told]
            assert sum(said) == (action is Action.PASS)


def test_a_key_for_what_is_seen_changes_nothing() -> None:
    """Nothing waits, so it is the key of a move."""
    for state in (State.FREE, State.LYING, State.SCORED):
        theatre = at(state)
        theatre.stage = replace(theatre.stage, waiting=())
        before = theatre.stage
        theatre.on(StageEvent.KEY)
        assert theatre.stage == before


# --- one thing after another ------------------------------------------------------------------------------------------


def test_cards_that_come_at_once_are_seen_one_after_another() -> None:
    theatre = Theatre()
    for number in range(4):
        theatre.comes(number, card(number))
    assert theatre.shown == [0, 1], "the first view is as it is"
    theatre.wait(PACE - 0.01)
    assert theatre.shown == [0, 1]
    theatre.wait(0.02)
    assert theatre.shown == [0, 1, 2]
    theatre.wait(10 * PACE)
    assert theatre.shown == [0, 1, 2, 3] and theatre.stage.has_shown_all


def test_where_others_have_thought_nothing_is_added() -> None:
    theatre = Theatre()
    theatre.comes(0)
    for number in range(1, 5):
        theatre.wait(PACE)
        theatre.comes(number, card(number))
        assert theatre.shown[-1] == number


def test_with_speed_off_nothing_waits() -> None:
    theatre = Theatre(Tempo())
    theatre.comes(0)
    theatre.comes(1, card(1), TAKEN, SCORED)
    theatre.comes(2, HandOpened(1, True, ""), pause=0)
    theatre.comes(3, HandDealt(2, "Ann", ()), hand=2)
    assert theatre.shown == [0, 1, 2, 3] and theatre.stage == Stage(State.FREE, view(3, hand=2))


def test_a_trick_stays_and_the_score_of_the_hand_comes_after_it() -> None:
    theatre = Theatre()
    theatre.comes(0)
    scored = tuple([replace(seat, score=3) for seat in view(1).seats])
    theatre.comes(1, card(1), TAKEN, SCORED, seats=scored, sheet=SHEET, rounds=((3, 0),))
    theatre.comes(2, HandOpened(1, True, ""), seats=scored, sheet=SHEET, rounds=((3, 0),), pause=20)
    assert [*map(type, theatre.told)] == [Acted, TrickTaken]
    lies_there = theatre.stage.shown
    assert lies_there is not None and [seat.score for seat in lies_there.seats] == [0, 0] and lies_there.sheet is None
    theatre.wait(STAYS)
    assert [*map(type, theatre.told)] == [Acted, TrickTaken, HandScored, HandOpened]
    assert theatre.shown == [0, 1, 1, 2] and theatre.stage.state is State.SCORED
    theatre.comes(3, HandDealt(2, "Ann", ()), hand=2)
    theatre.wait(86_400)
    assert theatre.shown[-1] == 2 and theatre.stage.held, "who looks away for longer loses nothing"
    theatre.on(StageEvent.GO_ON)
    assert theatre.shown[-1] == 3 and not theatre.stage.held


def test_when_the_time_to_look_is_over_a_key_is_enough() -> None:
    theatre = at(State.SCORED)
    theatre.stage = replace(theatre.stage, waiting=())
    theatre.on(StageEvent.KEY)
    assert theatre.stage.state is State.SCORED, "it may be one to look around with"
    theatre.comes(2)
    theatre.on(StageEvent.KEY)
    theatre.comes(3, HandDealt(2, "Ann", ()), hand=2)
    assert theatre.shown == [2, 3]


def test_talk_and_answers_wait_for_nothing() -> None:
    theatre = at(State.SCORED)
    said = Said("Bob", "are you there?")
    theatre.take(add_happening(theatre.stage, Happened(said)))
    assert theatre.told == [said]
    theatre.comes(3, PlayerJoined("Eve", "", ""), hand=2)
    assert len(theatre.told) == 2 and not theatre.shown, "their row comes in its turn"


def test_what_belongs_to_what_lies_there_is_seen_with_it() -> None:
    """The row of somebody who has come, or that others still look at the hand."""
    theatre = Theatre()
    theatre.comes(0)
    theatre.comes(1, card(1))
    theatre.comes(2)
    assert theatre.shown == [0, 1, 2] and theatre.stage.state is State.LYING


def test_a_sentence_without_a_view_is_told_in_its_place() -> None:
    theatre = Theatre()
    theatre.comes(0)
    theatre.take(add_happening(theatre.stage, Happened(Notice("one"))))
    assert theatre.told == [Notice("one")]
    theatre.comes(1, card(1))
    theatre.comes(2, card(2))
    theatre.take(add_happening(theatre.stage, Happened(Notice("two"))))
    theatre.wait(PACE)
    assert theatre.told == [Notice("one"), card(1), card(2), Notice("two")]


def test_how_long_each_thing_lies() -> None:
    def seconds(*told: Happening, tempo: Tempo = TEMPO) -> float | None:
        return seconds_shown(TableStep(tuple(map(Happened, told)), view(1), 0.0), tempo)

    count = Remarked("Ann", "count 2 for fifteen")
    assert seconds(card(1)) == PACE == seconds(HandDealt(1, "Ann", ()))
    assert seconds(card(1), count, count) == PACE, "what is said of an action is heard with it"
    assert seconds(count, count, count) == 3 * PACE, "a count is heard item by item"
    assert seconds(card(1), TAKEN) == STAYS and seconds(card(1), TAKEN, tempo=Tempo(PACE, None)) is None
    assert seconds(SCORED) == 5 * PACE
    assert seconds(Notice("")) == 0 == seconds(Notice(""), tempo=Tempo(moving=9))
    assert seconds(card(1), tempo=Tempo(moving=0.3)) == 0.3, "a card has time to get there"
    assert seconds_shown(TableStep((Happened(card(1), earlier=True),), view(1), 0.0), TEMPO) == 0


def test_a_score_that_is_seen_alone_is_one_step() -> None:
    step = TableStep((Happened(SCORED), Happened(card(1))), view(1), 0.0)
    assert split_step(step, view(0)) == [step] and split_step(step, view(0, seats=())) == [step]


# --- skipped, behind, left --------------------------------------------------------------------------------------------


def test_a_key_brings_all_that_waits_and_nothing_twice() -> None:
    theatre = Theatre()
    for number in range(6):
        theatre.comes(number, card(number))
    theatre.on(StageEvent.KEY)
    assert theatre.told == [card(number) for number in range(6)] and theatre.shown == [0, 1, 5]
    theatre.comes(6, card(6))
    assert theatre.shown[-1] == 6, "what follows waits for nothing"


def test_my_own_card_is_seen_at_once() -> None:
    theatre = at(State.LYING)
    theatre.on(StageEvent.SAID)
    theatre.comes(3, replace(card(3), mine=True), hand=2)
    assert theatre.shown == [2, 3]


def test_a_flood_is_passed_over_with_a_line() -> None:
    theatre = Theatre()
    theatre.comes(0)
    many = 5 * MOST
    for number in range(1, many + 1):
        theatre.comes(number, card(number), *((TAKEN,) if number % 4 == 0 else ()))
    assert theatre.shown == [0, 1] and theatre.stage.state is State.BEHIND
    theatre.wait(SETTLES)
    assert theatre.shown == [0, 1, many] and theatre.stage.has_shown_all
    assert sum([isinstance(one, Acted) for one in theatre.told]) == many
    line = theatre.told[-1]
    assert isinstance(line, Notice)
    assert line.text.startswith("You missed 50 tricks and 249 lines.")


def test_a_day_away_ends_with_a_line() -> None:
    """The game goes on behind a hand that was never looked at."""
    theatre = at(State.SCORED)
    ended: list[Happening] = [TAKEN, SCORED]
    for number in range(3, 3 + MOST):
        theatre.wait(1800)
        theatre.comes(number, card(number), *(ended if number == 9 else []), hand=2)
    theatre.wait(86_400)
    assert theatre.shown[-1] == 2 + MOST and theatre.stage.has_shown_all
    lines = [one for one in theatre.told if isinstance(one, Notice)]
    told = [Happened(one) for one in theatre.told[: theatre.told.index(lines[0])]]
    assert lines == [Notice(skipped_text(told))] and "one hand, one trick and 42 lines" in lines[0].text


def test_who_leaves_in_the_middle_has_been_told_all() -> None:
    for state in (State.FREE, State.LYING, State.TRICK, State.SCORED, State.BEHIND):
        theatre = at(state)
        theatre.take(add_happening(theatre.stage, Happened(Notice("The table is closed."))))
        theatre.take(add_happening(theatre.stage, Happened(card(99))))
        theatre.on(StageEvent.END)
        assert theatre.told[-2 if state is State.BEHIND else -1] == card(99) or card(99) in theatre.told
        assert Notice("The table is closed.") in theatre.told and theatre.stage.state is State.OVER
        assert not (theatre.stage.waiting or theatre.stage.coming) and theatre.stage.until is None


# --- whatever the order -----------------------------------------------------------------------------------------------


KINDS = ("card", "trick", "end", "pause", "deal", "quiet", "talk", "notice")
WORDS = st.lists(
    st.one_of(
        st.sampled_from(KINDS),
        st.sampled_from([StageEvent.KEY, StageEvent.GO_ON, StageEvent.SAID]),
        st.floats(0.01, 20),
        st.just(MOST + 2),
    ),
    max_size=60,
)
TEMPI = st.sampled_from([TEMPO, Tempo(), Tempo(PACE, None), Tempo(0.0, None), Tempo(0.0, 2.0, 0.3)])


class Sent(list[Happening]):
    """All that has happened, in order, each with a number of its own."""

    def new(self, kind: str) -> tuple[list[Happening], dict[str, object]]:
        number = len(self)
        name = f"{kind}{number}"
        acted = Acted(name, 1, "QS", "", False)
        found: dict[str, tuple[list[Happening], dict[str, object]]] = {
            "card": ([acted], {}),
            "trick": ([acted, TrickTaken(name, False)], {}),
            "end": ([acted, TrickTaken(name, False), HandScored((name,), (), SHEET)], {}),
            "pause": ([HandOpened(number, True, name)], {"pause": 0}),
            "deal": ([HandDealt(number, name, ())], {"hand": number}),
            "quiet": ([], {}),
            "talk": ([Said(name, "hello")], {}),
            "notice": ([Notice(name)], {}),
        }
        told, changes = found[kind]
        self.extend(told)
        return told, changes


def of_the_table(happenings: Iterable[Happening]) -> list[Happening]:
    """Without talk, which waits for nothing, and without the line of what was passed over."""
    passed = "You missed"
    return [
        one
        for one in happenings
        if not isinstance(one, Said) and not (isinstance(one, Notice) and one.text.startswith(passed))
    ]


@given(WORDS, TEMPI)
@settings(max_examples=150, deadline=None)
def test_whatever_the_order_all_is_told_once_and_in_order_and_the_last_view_shown(
    words: list[str | StageEvent | float | int], tempo: Tempo
) -> None:
    theatre, sent, number = Theatre(tempo), Sent(), 0
    for word in words:
        if isinstance(word, StageEvent):
            theatre.on(word)
        elif isinstance(word, float):
            theatre.wait(word)
        else:
            for kind in [word] if isinstance(word, str) else ["card"] * word:
                told, changes = sent.new(kind)
                number += 1
                theatre.comes(number, *told, **changes)
    theatre.comes(number + 1)
    theatre.on(StageEvent.END)
    assert of_the_table(theatre.told) == of_the_table(sent)
    talk = [one for one in sent if isinstance(one, Said)]
    assert [one for one in theatre.told if isinstance(one, Said)] == talk
    assert theatre.shown[-1] == number + 1 and theatre.shown == sorted(theatre.shown)


@given(WORDS)
@settings(max_examples=50, deadline=None)
def test_a_key_never_leaves_anything_to_wait(words: list[str | StageEvent | float | int]) -> None:
    """What was said to the table is answered by the table of now."""
    theatre, sent = Theatre(), Sent()
    theatre.comes(0)
    for number, word in enumerate([word for word in words if word in KINDS], 1):
        told, changes = sent.new(str(word))
        theatre.comes(number, *told, **changes)
        theatre.on(StageEvent.SAID)
        assert theatre.shown[-1] == number and theatre.stage.state is State.FREE


def test_where_others_play_on_a_new_hand_does_not_wait_for_a_reader() -> None:
    people = (PersonView("Ann", "granny", "you", ""), PersonView("Bob", "betty", "here", ""))
    theatre = Theatre()
    theatre.comes(0, people=people)
    theatre.comes(1, SCORED, pause=20.0, people=people)
    theatre.comes(2, pause=12.0, people=people)
    assert theatre.stage.held or theatre.stage.state is State.SCORED, "there is still time to look"
    theatre.comes(3, HandDealt(2, "Ann", ()), hand=2, people=people)
    assert theatre.shown[-1] == 3 and not theatre.stage.held
    alone = at(State.SCORED)
    alone.comes(9, HandDealt(3, "Ann", ()), hand=3)
    assert alone.stage.held, "a computer waits"
