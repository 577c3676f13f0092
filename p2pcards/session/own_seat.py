"""What the person at one end may do in their own seat, what they are advised and may look at again, and who plays there
in their place; at both kinds of table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import fields, is_dataclass
from hashlib import sha256
from typing import Any

from p2pcards.games.claims import REST, claimable_cards, is_settled, verify_concession
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
    distribute_cards,
    explain_alternatives,
    find_melding_action,
    idle_text,
    make_hint,
    recall_cards,
    review_melds,
    review_tricks,
)
from p2pcards.views.happenings import Happening, Notice
from p2pcards.views.standpoint import Cast
from p2pcards.views.tableview import MeldView
from p2pcards.wire.keys import PrivateKey, RefusedKey
from p2pcards.wire.messages import ShowHand
from p2pcards.wire.records import assist_names
from p2pcards.wire.shown_hand import ShownHand, seal_hand

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
    """The own seat, in which this person may decide an action now. Raises CommandError."""
    seat = position.seat
    if seat is None:
        raise CommandError("You're watching this game.")
    if seat in position.taken_over:
        raise CommandError("Your character is playing for you. Type 'back' to take over.")
    if position.phase is not Phase.PLAY or seat not in position.state.to_act:
        raise CommandError("It's not your turn.")
    return seat


def check_assist(position: Position, name: str) -> None:
    """Raise CommandError unless this one of `ASSISTS` is allowed."""
    if name not in allowed_assists(position):
        them = "them" if name == "hint" else "it"
        raise CommandError(f"{ASSISTS[name]} at this table. The host can turn {them} on between games: allow {name}")


def allowed_assists(position: Position) -> tuple[str, ...]:
    """Those of `ASSISTS` allowed at this table: all for a player alone, with people those in the header."""
    return tuple(ASSISTS) if position.alone else assist_names(position.header.assists)


def read_own(position: Position, seat: Seat, arguments: Sequence[str]) -> Action:
    """The action that a player's words mean. Raises CommandError, in the words of the rules."""
    try:
        action = read_action(position.game, position.view, seat, " ".join(arguments).split())
    except IllegalAction as error:
        raise CommandError(str(error)) from error
    if position.game.picks(position.view, action) and not may_pick(position, seat):
        raise CommandError(NO_PICK)
    return action


def may_be_hinted(position: Position) -> bool:
    """True if this player is to act."""
    owing = position.state.to_act if position.phase is Phase.PLAY else ()
    return position.seat is not None and position.seat in owing and position.seat not in position.taken_over


def hint_for(position: Position) -> Think:
    """A `Think` that asks an expert for a hint. Its seed follows from what the seat sees, so the same position always
    has the same hint. Raises CommandError."""
    if position.seat is None or not may_be_hinted(position):
        raise CommandError("It's not your turn, so there's no hint.")
    seed = hint_seed(position.game, position.own_view, position.seat)
    return Think(position.seat, position.game, position.own_view, HINTS_BY, seed, hint=True, repeatable=False)


HINTS_BY = "expert"
"""The level that gives hints."""


def hint_seed(game: AnyGame, view: Any, seat: Seat) -> int:
    """The random seed of a hint, from the seat's view of the game."""
    seen = f"{game.key} {seat} {_canonical_text(view)}"
    return int.from_bytes(sha256(seen.encode()).digest()[:8], "big")


def _canonical_text(thing: Any) -> str:
    """A text that is the same for equal things in every process, whether kernels are compiled or not."""
    match thing:
        case Value():
            return f"{type(thing).__name__}({_canonical_text(list(thing.attributes_by_name().items()))})"
        case list() | tuple():
            return f"({','.join(map(_canonical_text, thing))})"
        case int():  # as written a kernel keeps a card where the compiled one has its number
            return str(int(thing))
        case _ if is_dataclass(thing):
            return f"{type(thing).__name__}({_canonical_text([getattr(thing, field.name) for field in fields(thing)])})"
        case _:
            return repr(thing)


def kept_seat(position: Position) -> Seat:
    """The own seat, in which a character can stand in. Raises CommandError."""
    if position.seat is None:
        raise CommandError("You're watching, so you have no seat.")
    return position.seat


KEEPS_SEAT = "You keep your seat."


def gives_seat_text(watcher: str) -> str:
    """The sentence for a player who gives their seat to this watcher."""
    return f"{watcher} takes your seat after this hand."


class HandShown:
    """To which watcher our player shows their hand. key: the watcher's, b"" for nobody."""

    def __init__(self) -> None:
        self.key = b""
        self._sent: tuple[bytes, tuple[int, ...]] | None = None  # the game, and the hand as it was shown last

    def show_to(self, key: bytes) -> None:
        """Show the hand to this watcher from now on, to nobody with b""."""
        self.key, self._sent = key, None

    def due(self, identity: PrivateKey, position: Position | None) -> ShowHand | None:
        """The message with the hand, if it has changed since the last one."""
        if not self.key or position is None or position.seat is None:
            return None
        cards = tuple([int(card) for card in position.own_view.hands[position.seat].cards])
        if self._sent == (position.game_id, cards):
            return None
        self._sent = position.game_id, cards
        try:
            sealed = seal_hand(identity, self.key, position.game_id, ShownHand(position.count, cards))
        except RefusedKey:
            self.show_to(b"")
            return None
        return ShowHand(self.key, sealed)


def shows_text(player: str, watcher: str, *, shows: bool) -> str:
    """The sentence for everybody else at the table."""
    return f"{player} shows {watcher} their hand." if shows else f"{player} no longer shows {watcher} their hand."


def check_shown(watcher: str, sees: str) -> None:
    """Raise CommandError if a watcher is shown the hand of another player. sees: their name, "" or "you"."""
    if sees not in ("", "you"):
        raise CommandError(f"{watcher} already sees {sees}'s hand, and can see only one.")


NOT_SHOWN = "You don't show your hand to anyone now."


def shows_hand_text(watcher: str) -> str:
    """The sentence for a player who shows this watcher their hand."""
    return f"{watcher} sees your hand. To stop: show none"


def find_name(said: Sequence[str], names: Collection[str]) -> str | None:
    """The name among these that the player typed, None if there is none. said: its words."""
    name = " ".join(said).casefold()
    return next((one for one in names if one.casefold() == name), None)


def named_newcomer(
    said: Sequence[str],
    waiting: Collection[str],
    watchers: Collection[str],
    question: str = "Who should take your seat?",
) -> str:
    """The name of the person who gets a seat. waiting: people who wait for one; watchers: people who only watch. Raises
    CommandError."""
    if (found := find_name(said, waiting)) is not None:
        return found
    if (watcher := find_name(said, watchers)) is not None:
        raise CommandError(f"{watcher} is only watching. To get a seat, they first type: sit")
    raise CommandError(f"{question} Waiting for a seat: {', '.join(waiting) or 'nobody'}.")


def named_watcher(said: Sequence[str], watchers: Collection[str]) -> str:
    """The watcher with this name. Raises CommandError."""
    if (found := find_name(said, watchers)) is None:
        raise CommandError(f"Who should see your hand? Watching now: {', '.join(watchers) or 'nobody'}.")
    return found


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
        """Note whether the person is at the table."""
        self._attended = attended

    @property
    def plays(self) -> bool:
        """True if the person, or the computer for them, would play if a game began."""
        return self._attended or self.auto is not None

    @property
    def is_left_alone(self) -> bool:
        """True if the computer plays the seat as asked and the person is not at the table."""
        return self.auto is not None and not self._attended

    def level(self, position: Position) -> str | None:
        """The level that decides in the seat now, as `choose` takes it; None if the person does."""
        playing_rest = self._rest is not None and self._rest == _current_hand(position)
        return " ".join([REST, *self._order]) if playing_rest else self.auto

    def note(self, position: Position) -> list[Effect]:
        """Log, once for a game, that the computer plays the seat: the game counts less."""
        if self.auto is None or self._noted == position.game_id:
            return []
        self._noted = position.game_id
        told = self._notes.new_notes(position.game, [self.auto])
        return [Remember(note_payload(PlayedByComputer(position.count))), *[Tell(Notice(told))] * bool(told)]

    def shown(self, position: Position) -> str:
        """The level that decides in the seat, as the view shows it: a level, `claims.REST`, or ""."""
        return (self.level(position) or "").partition(" ")[0]

    def set(self, arguments: Sequence[str], levels: Sequence[str], game: AnyGame | None) -> list[Effect]:
        """Have the computer play the seat or not, as the person's words ask. levels: those available; game: the one in
        progress or chosen. Raises CommandError."""
        word = " ".join(arguments).lower() or USUAL
        if word == "off" and self.auto is None:
            raise CommandError("You're already playing yourself. Type 'auto' to have the computer play.")
        if word != "off":
            check_level(word, levels)
        self.auto = None if word == "off" else word
        if self.auto is None:
            return [Tell(Notice("You're playing again."))]
        said = f"The computer is playing for you ({word}). Type 'auto off' to take over."
        return [Tell(Notice(f"{said} {self._notes.new_notes(game, [word])}".strip()))]

    def claim(self, position: Position, seat: Seat) -> str:
        """Have the rest of the hand, all of whose tricks are this seat's, played out; returns the sentence for the
        others. Raises CommandError."""
        try:
            order = claimable_cards(position.game, position.own_view, seat)
        except IllegalAction as error:
            raise CommandError(str(error)) from error
        self._rest, self._order = _current_hand(position), tuple(map(str, order))
        if is_settled(position.game, position.own_view, seat):
            return "The rest of the cards don't count, so it makes no difference."
        return f"I claim the rest: {' '.join(self._order)}."

    def concede(self, position: Position, seat: Seat) -> str:
        """Have the rest of the hand, none of whose tricks is this seat's, played out; returns the sentence for the
        others. Raises CommandError."""
        try:
            verify_concession(position.game, position.own_view, seat)
        except IllegalAction as error:
            raise CommandError(str(error)) from error
        self._rest, self._order = _current_hand(position), ()
        return "I concede the rest: I can't take any more tricks."


def _current_hand(position: Position) -> tuple[bytes, int] | None:
    """The id of the game and the number of the record that dealt the current hand; a redeal counts as another hand."""
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
        """Ask for a hint, or with "off" cancel it. do: as in `hinted`. Raises CommandError."""
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
        """Explain the choices; when it isn't this player's turn, what they can do meanwhile. Raises CommandError."""
        check_assist(position, "hint")
        if not may_be_hinted(position):
            return [Tell(Notice(idle_text(position, self._cast)))]
        return self._ask(hint_for(position), position, list, to_do=False, to_explain=True)

    def _ask(
        self, think: Think, position: Position, do: Callable[[], list[Effect]], *, to_do: bool, to_explain: bool
    ) -> list[Effect]:
        """Begin to think about a hint, unless it is known. to_do: play it at once; to_explain: explain all choices."""
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
        """Cancel the hint that is being thought about. Raises CommandError."""
        if self._asked is None or not self.awaits(self._asked, position):
            raise CommandError("There's no hint to cancel. Type 'hint' for one.")
        self._asked = None
        return [Tell(Notice("Hint canceled."))]

    def awaits(self, think: Think, position: Position | None) -> bool:
        """True if this is the newest question, and the game is still where it was asked."""
        return think is self._asked and position is not None and position.head == self._head

    def hinted(
        self, think: Think, weighed: Sequence[Rated], position: Position | None, do: Callable[[], list[Effect]]
    ) -> list[Effect]:
        """Show the answer to the newest question. weighed: the choices, best first; do: plays what the hint says, and
        may raise CommandError."""
        if position is None or not self.awaits(think, position):
            return []
        self._asked, self._weighed = None, weighed
        self._given[think.seed] = weighed
        if len(self._given) > KEPT:
            del self._given[next(iter(self._given))]
        return self._answer(think, position, do)

    def _answer(self, think: Think, position: Position, do: Callable[[], list[Effect]]) -> list[Effect]:
        """Show a hint or an explanation; play it if that was asked for."""
        if self._to_explain:
            return [Tell(explain_alternatives(position, think.seat, self._weighed, self._cast))]
        hinted = make_hint(position, think.seat, self._weighed, self._cast)
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
        if (meld := find_melding_action(position, self._then)) is not None:
            return meld
        raise CommandError("There's no hint to play yet. Type 'hint' for one, or 'hint do' to play it right away.")


# --- what the person at this end may look at again of the hand that is on ---------------------------------------------


Look = Callable[[Position, Cast, Sequence[str]], Happening]


def look_at(kind: str, position: Position, arguments: Sequence[str], cast: Cast) -> Happening:
    """Show what a player may look back at in this hand. kind: one of `LOOKS`. Raises CommandError where it is not
    allowed or the arguments make no sense."""
    check_assist(position, "hint" if kind == "analyze" else kind)
    return LOOKS[kind](position, cast, arguments)


def _review(position: Position, cast: Cast, _arguments: Sequence[str]) -> Happening:
    """The happening for `review`: what was played so far."""
    return review_tricks(position, cast)


def _recall(position: Position, cast: Cast, arguments: Sequence[str]) -> Happening:
    """The happening for `recall`: cards seen, unseen or both."""
    what = " ".join(arguments).lower() or "both"
    if what not in RECALLED:
        raise CommandError(f"Type 'recall seen', 'recall unseen' or 'recall both', not {what[:20]!r}.")
    return recall_cards(position, cast, what)


def _melds(position: Position, cast: Cast, _arguments: Sequence[str]) -> Happening:
    """The happening for `melds`."""
    return review_melds(position, cast)


def _distribution(position: Position, cast: Cast, _arguments: Sequence[str]) -> Happening:
    """The happening for `distribution`: how suits may be divided."""
    return distribute_cards(position, cast)


def _analyze(position: Position, cast: Cast, _arguments: Sequence[str]) -> Happening:
    """The happening for `analyze`: what the hand could bring."""
    if position.seat is None:
        raise CommandError("You're watching, so you have no hand to analyze.")
    from p2pcards.views.advice import analyze_hand  # it loads every game, and few ask

    return analyze_hand(position, position.seat, cast)


LOOKS: dict[str, Look] = {
    "review": _review,
    "recall": _recall,
    "melds": _melds,
    "distribution": _distribution,
    "analyze": _analyze,
}
