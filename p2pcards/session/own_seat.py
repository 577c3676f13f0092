"""What the person at one end may do in their own seat, what they are advised and may look at again, and who plays there
in their place; at both kinds of table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from hashlib import sha256
from typing import Any

from p2pcards.games.claims import REST, claimed, conceded, is_settled
from p2pcards.games.deals.value import Value
from p2pcards.games.game import Action, AnyGame, IllegalAction, Seat
from p2pcards.games.spelling import read_action
from p2pcards.ledger.advance import may_pick
from p2pcards.ledger.payloads import PlayedByComputer, note_payload
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.session.effects import CommandError, Effect, Remember, Tell, Think
from p2pcards.session.lobby import LevelNotes, check_level
from p2pcards.views.advice import (
    RECALLED,
    Rated,
    advice,
    distribution,
    explained,
    idle_words,
    melding,
    melds,
    recall,
    review,
)
from p2pcards.views.happenings import Happening, Notice
from p2pcards.views.standpoint import Cast
from p2pcards.views.tableview import MeldView
from p2pcards.wire.records import assist_names

# --- what the person at one end may do in their own seat, as far as the game alone decides it -------------------------


NO_PICK = (
    "Your program shuffles for this table and could know where each card is, so you can't pick a place. Type 'cut' to "
    "take the next card."
)
ASSISTS = {
    "hint": "Hints are off",
    "recall": "Recall is off",
    "review": "Trick review is off",
    "melds": "Meld review is off",
    "distribution": "Card distribution is off",
}
"""By its name, of each help for one player alone what its coordinator has to have allowed where people play."""


def owed_seat(position: Position) -> Seat:
    """My seat, in which an action is owed now that I may decide on. Raises CommandError."""
    seat = position.seat
    if seat is None:
        raise CommandError("You're watching this game.")
    if seat in position.substituted:
        raise CommandError("Your character is playing for you. Type 'back' to take over.")
    if position.phase is not Phase.PLAY or seat not in position.state.to_act:
        raise CommandError("It's not your turn.")
    return seat


def check_assist(position: Position, name: str) -> None:
    """Raises CommandError where this one of `ASSISTS` is not allowed."""
    if name not in allowed_assists(position):
        them = "them" if name == "hint" else "it"
        raise CommandError(f"{ASSISTS[name]} at this table. The host can turn {them} on between games: allow {name}")


def allowed_assists(position: Position) -> tuple[str, ...]:
    """Those of `ASSISTS` that may be used at this table: alone all, with people those that the header has."""
    return tuple(ASSISTS) if position.alone else assist_names(position.header.assists)


def read_own(position: Position, seat: Seat, arguments: Sequence[str]) -> Action:
    """The action that these words mean. Raises CommandError, in the rule's own words."""
    try:
        action = read_action(position.game, position.view, seat, " ".join(arguments).split())
    except IllegalAction as error:
        raise CommandError(str(error)) from error
    if position.game.picks(position.view, action) and not may_pick(position, seat):
        raise CommandError(NO_PICK)
    return action


def may_be_hinted(position: Position) -> bool:
    """Whether I am to act."""
    owing = position.state.to_act if position.phase is Phase.PLAY else ()
    return position.seat is not None and position.seat in owing and position.seat not in position.substituted


def hint_for(position: Position) -> Think:
    """Ask an expert for a hint. Raises CommandError. The seed of its chances follows from what
    the seat sees: the same position has the same answer, whoever deals it and whatever else the log has, and no chance
    of the game is used up for it."""
    if position.seat is None or not may_be_hinted(position):
        raise CommandError("It's not your turn, so there's no hint.")
    seed = hint_seed(position.game, position.own_view, position.seat)
    return Think(position.seat, position.game, position.own_view, HINTS_BY, seed, hint=True, repeatable=False)


HINTS_BY = "expert"
"""The level that gives hints."""


def hint_seed(game: AnyGame, view: Any, seat: Seat) -> int:
    """The number for the chances of a hint. view: as the seat sees it."""
    seen = f"{game.key} {seat} {_as_text(view)}"
    return int.from_bytes(sha256(seen.encode()).digest()[:8], "big")


def _as_text(thing: Any) -> str:
    """The same for all that is equal, in every process, with kernels compiled or not."""
    match thing:
        case Value():
            return f"{type(thing).__name__}({_as_text(list(thing.parts().items()))})"
        case list() | tuple():
            return f"({','.join(map(_as_text, thing))})"
        case int():  # as written a kernel keeps a card where the compiled one has its number
            return str(int(thing))
        case _ if is_dataclass(thing):
            return f"{type(thing).__name__}({_as_text([getattr(thing, field.name) for field in fields(thing)])})"
        case _:
            return repr(thing)


def kept_seat(position: Position) -> Seat:
    """My seat, in which a character can play for me. Raises CommandError."""
    if position.seat is None:
        raise CommandError("You're watching, so you have no seat.")
    return position.seat


# --- who plays at this end in place of the person ---------------------------------------------------------------------


USUAL = "novice"


class Deputy:
    """That of the person at one table. auto: the level at which the computer plays my seat, or None; notes: what was
    said there of levels. attended: the person is at the table."""

    def __init__(self, auto: str | None, notes: LevelNotes, attended: bool = True) -> None:
        self.auto = auto
        self._attended = attended
        self._notes = notes
        self._rest: tuple[bytes, int] | None = None  # the hand whose rest is played by itself
        self._order: tuple[str, ...] = ()  # of the cards that I claimed
        self._noted = b""  # the game in whose log it stands that I do not play it myself

    def attend(self, attended: bool) -> None:
        self._attended = attended

    @property
    def plays(self) -> bool:
        """Whether anybody would play my seat if a game began: the person, or the computer that they asked for."""
        return self._attended or self.auto is not None

    @property
    def is_left_alone(self) -> bool:
        """Whether the computer plays my seat, as I asked, and I am not at the table."""
        return self.auto is not None and not self._attended

    def level(self, position: Position) -> str | None:
        """What decides in my seat now, as `choose` takes it; None where I do."""
        playing_rest = self._rest is not None and self._rest == _hand_on(position)
        return " ".join([REST, *self._order]) if playing_rest else self.auto

    def note(self, position: Position) -> list[Effect]:
        """It stands in the log of a game, once, that the computer plays my seat: the game is not as good as mine."""
        if self.auto is None or self._noted == position.game_id:
            return []
        self._noted = position.game_id
        told = self._notes.of(position.game, [self.auto])
        return [Remember(note_payload(PlayedByComputer(position.count))), *[Tell(Notice(told))] * bool(told)]

    def shown(self, position: Position) -> str:
        """The same as a view has it: a level, `claims.REST`, or ""."""
        return (self.level(position) or "").partition(" ")[0]

    def set(self, arguments: Sequence[str], levels: Sequence[str], game: AnyGame | None) -> list[Effect]:
        """Have the computer play the seat, or not, as the person asks. levels: those that there are; game: the one that
        is on, or chosen. Raises CommandError."""
        word = " ".join(arguments).lower() or USUAL
        if word == "off" and self.auto is None:
            raise CommandError("You're already playing yourself. Type 'auto' to have the computer play.")
        if word != "off":
            check_level(word, levels)
        self.auto = None if word == "off" else word
        if self.auto is None:
            return [Tell(Notice("You're playing again."))]
        said = f"The computer is playing for you ({word}). Type 'auto off' to take over."
        return [Tell(Notice(f"{said} {self._notes.of(game, [word])}".strip()))]

    def claim(self, position: Position, seat: Seat) -> str:
        """The rest of the hand, all tricks of which are mine, is played by itself; what is said to the others. Raises
        CommandError, in the rule's own words."""
        try:
            order = claimed(position.game, position.own_view, seat)
        except IllegalAction as error:
            raise CommandError(str(error)) from error
        self._rest, self._order = _hand_on(position), tuple(map(str, order))
        if is_settled(position.game, position.own_view, seat):
            return "The rest of the cards don't count, so it makes no difference."
        return f"I claim the rest: {' '.join(self._order)}."

    def concede(self, position: Position, seat: Seat) -> str:
        """Likewise where none is."""
        try:
            conceded(position.game, position.own_view, seat)
        except IllegalAction as error:
            raise CommandError(str(error)) from error
        self._rest, self._order = _hand_on(position), ()
        return "I concede the rest: I can't take any more tricks."


def _hand_on(position: Position) -> tuple[bytes, int] | None:
    """The game, and the record with which the hand that is on was dealt: one that is dealt again is another."""
    on = position.phase in (Phase.PLAY, Phase.PAUSED)
    return (position.game_id, position.steps[0].record) if on and position.steps else None


# --- what the person at this end was advised, and doing it ------------------------------------------------------------


KEPT = 200
"""Hints of one table, at the most."""


class Hints:
    """Those of one table. A position is thought about once: its hint is kept, as an expert whose time is short might
    come to another one."""

    def __init__(self, cast: Cast) -> None:
        self._cast = cast
        self._given: dict[int, Sequence[Rated]] = {}  # the answers by the seed of the question, the oldest first
        self._asked: Think | None = None
        self._to_do = False  # what is asked for is done as soon as it is known
        self._to_explain = False  # all alternatives are asked for
        self._weighed: Sequence[Rated] = ()  # the answer, the best first
        self._then: MeldView | None = None  # what it said may be melded after it
        self._head = b""  # of the log when it was asked for

    def ask(self, position: Position, arguments: Sequence[str], do: Callable[[], list[Effect]]) -> list[Effect]:
        """What to do, or that nothing is wanted any more. do: as in `hinted`. Raises CommandError."""
        check_assist(position, "hint")
        words = " ".join(arguments).lower()
        if words == "off":
            return self._stop(position)
        think = hint_for(position)
        if words not in ("", "do"):
            raise CommandError(
                f"Type 'hint' for a hint, 'hint do' to play it, or 'hint off' to cancel it, not 'hint {words[:20]}'."
            )
        return self._ask(think, position, do, to_do=words == "do", to_explain=False)

    def explain(self, position: Position) -> list[Effect]:
        """What can be done, and what comes of it; where it is not my turn, what can be done meanwhile. Raises
        CommandError."""
        check_assist(position, "hint")
        if not may_be_hinted(position):
            return [Tell(Notice(idle_words(position, self._cast)))]
        return self._ask(hint_for(position), position, list, to_do=False, to_explain=True)

    def _ask(
        self, think: Think, position: Position, do: Callable[[], list[Effect]], *, to_do: bool, to_explain: bool
    ) -> list[Effect]:
        thought_about = self._asked is not None and self.awaits(self._asked, position)
        self._to_do, self._to_explain = to_do or (thought_about and self._to_do), to_explain
        if think.seed in self._given:
            self._asked, self._weighed, self._head = None, self._given[think.seed], position.head
            return self._answer(think, position, do)
        if thought_about:
            return [Tell(Notice("Still thinking ... ('hint off' cancels)"))]
        self._asked, self._weighed, self._head = think, (), position.head
        return [think]

    def _stop(self, position: Position) -> list[Effect]:
        if self._asked is None or not self.awaits(self._asked, position):
            raise CommandError("There's no hint to cancel. Type 'hint' for one.")
        self._asked = None
        return [Tell(Notice("Hint canceled."))]

    def awaits(self, think: Think, position: Position | None) -> bool:
        """Whether this is the newest question, in a game that still stands where it stood."""
        return think is self._asked and position is not None and position.head == self._head

    def hinted(
        self, think: Think, weighed: Sequence[Rated], position: Position | None, do: Callable[[], list[Effect]]
    ) -> list[Effect]:
        """The answer to a question, if it is awaited. weighed: what could be done, the best first; do: does what the
        hint says; may raise CommandError."""
        if position is None or not self.awaits(think, position):
            return []
        self._asked, self._weighed = None, weighed
        self._given[think.seed] = weighed
        if len(self._given) > KEPT:
            del self._given[next(iter(self._given))]
        return self._answer(think, position, do)

    def _answer(self, think: Think, position: Position, do: Callable[[], list[Effect]]) -> list[Effect]:
        if self._to_explain:
            return [Tell(explained(position, think.seat, self._weighed, self._cast))]
        hinted = advice(position, think.seat, self._weighed, self._cast)
        told: list[Effect] = [Tell(hinted)]
        self._then = hinted.then
        try:
            return [*told, *(do() if self._to_do else [])]
        except CommandError as error:
            return [*told, Tell(Notice(str(error)))]

    def advised(self, position: Position) -> Action:
        """The action of the last hint, or once that is done the meld that it was for. Raises CommandError."""
        if self._weighed and position.head == self._head:
            return self._weighed[0].action
        if (meld := melding(position, self._then)) is not None:
            return meld
        raise CommandError("There's no hint to play yet. Type 'hint' for one, or 'hint do' to play it right away.")


# --- what the person at this end may look at again of the hand that is on ---------------------------------------------


Look = Callable[[Position, Cast, Sequence[str]], Happening]


def looked(kind: str, position: Position, arguments: Sequence[str], cast: Cast) -> Happening:
    """kind: one of `LOOKS`. Raises CommandError where it is not allowed, or asked for in other words."""
    check_assist(position, "hint" if kind == "analyze" else kind)
    return LOOKS[kind](position, cast, arguments)


def _review(position: Position, cast: Cast, _arguments: Sequence[str]) -> Happening:
    return review(position, cast)


def _recall(position: Position, cast: Cast, arguments: Sequence[str]) -> Happening:
    what = " ".join(arguments).lower() or "both"
    if what not in RECALLED:
        raise CommandError(f"Type 'recall seen', 'recall unseen' or 'recall both', not {what[:20]!r}.")
    return recall(position, cast, what)


def _melds(position: Position, cast: Cast, _arguments: Sequence[str]) -> Happening:
    return melds(position, cast)


def _distribution(position: Position, cast: Cast, _arguments: Sequence[str]) -> Happening:
    return distribution(position, cast)


def _analyze(position: Position, cast: Cast, _arguments: Sequence[str]) -> Happening:
    if position.seat is None:
        raise CommandError("You're watching, so you have no hand to analyze.")
    from p2pcards.views.advice import analyze  # it loads every game, and few ask

    return analyze(position, position.seat, cast)


LOOKS: dict[str, Look] = {
    "review": _review,
    "recall": _recall,
    "melds": _melds,
    "distribution": _distribution,
    "analyze": _analyze,
}
