"""The sentences of a hand run together for line mode, so that a trick is read in a line or two."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from p2pcards.games.spelling import third_person
from p2pcards.games.wording import join_with_and
from p2pcards.present.cards import number_text
from p2pcards.present.story import as_sentence
from p2pcards.present.width import COLUMNS, PAINT, text_width
from p2pcards.views.happenings import (
    Acted,
    CardsCame,
    FirstDealerDrawn,
    HandDealt,
    Happening,
    Remarked,
    Starts,
    TrickTaken,
    TurnedUp,
)

GATHERED = Acted | CardsCame | FirstDealerDrawn | HandDealt | Remarked | Starts | TrickTaken | TurnedUp
"""What happens in a hand, a sentence each."""


class Clause(NamedTuple):
    who: str  # "you" for the player at this end
    what: str  # "plays 5♣"


class Gathering:
    """The line being filled: whole sentences, then one that can still grow."""

    def __init__(self) -> None:
        self._line = ""
        self._open: tuple[Clause, ...] = ()
        self._starts = ""  # who begins, unsaid while their first action may follow
        self._starter = ""
        self._trick_over = False  # the next play begins a line

    @property
    def waits(self) -> bool:
        """Return whether `take` has lines to return."""
        return bool(self._line or self._open or self._starts)

    def add(self, happening: Happening, text: str) -> list[str]:
        """Add a happening; returns the lines that are full. text: its sentence."""
        full: list[str] = []
        if isinstance(happening, Starts):
            self._starts, self._starter = text, happening.name
            return full
        acted = isinstance(happening, Acted)
        self._tell_start(full, unless=happening.name if isinstance(happening, Acted) else "")
        if acted and self._trick_over:
            full += self.take()
        self._trick_over = isinstance(happening, TrickTaken) or (self._trick_over and not acted)
        clause = _make_clause(happening, text) if isinstance(happening, Acted | Remarked | TrickTaken) else None
        if clause is None or not (acted or _is_same_player_next(self._open, clause)):
            self._close_sentence()
            self._append_sentence(full, text)
            return full
        grown = (*self._open, clause)
        if not _can_grow(self._open, clause) or text_width(_join_clauses(grown)) > COLUMNS:
            self._close_sentence()
            grown = (clause,)
        self._open = grown
        if self._line and text_width(f"{self._line} {_join_clauses(grown)}") > COLUMNS:
            full.append(self._line)
            self._line = ""
        return full

    def take(self) -> list[str]:
        """Return the lines not returned yet."""
        full: list[str] = []
        self._tell_start(full)
        self._close_sentence()
        full += [self._line] if self._line else []
        self._line, self._trick_over = "", False
        return full

    def _tell_start(self, full: list[str], unless: str = "") -> None:
        """Name the player who begins, unless their first action names them already."""
        text, self._starts = self._starts, ""
        if text and self._starter != unless:
            self._close_sentence()
            self._append_sentence(full, text)

    def _close_sentence(self) -> None:
        if self._open:
            self._line = f"{self._line} {_join_clauses(self._open)}".strip()
            self._open = ()

    def _append_sentence(self, full: list[str], text: str) -> None:
        if self._line and text_width(f"{self._line} {text}") > COLUMNS:
            full.append(self._line)
            self._line = ""
        self._line = f"{self._line} {text}".strip()


def _make_clause(happening: Acted | Remarked | TrickTaken, text: str) -> Clause | None:
    """The sentence as a clause, None where it cannot be part of a longer sentence."""
    begins = "You " if happening.mine else f"{happening.name} "
    if not text.startswith(begins):
        return None
    return Clause("you" if happening.mine else happening.name, text[len(begins) :].rstrip("."))


def _can_grow(said: tuple[Clause, ...], clause: Clause) -> bool:
    """Return whether this clause fits on the sentence: the same player's next move, or the next player's in a word or
    two."""
    if not said or _is_same_player_next(said, clause):
        return bool(said)
    players = [one.who for one in said]
    return (
        clause.who not in players
        and len(players) == len(set(players))
        and all(len(one.what.split()) <= 2 and not _has_several_parts(one.what) for one in (*said, clause))
        and (
            _clause_verb(clause) == _clause_verb(said[-1]) or {_clause_verb(clause), _clause_verb(said[-1])} <= BIDDING
        )
    )


BIDDING = {"bids", "passes"}


def _is_same_player_next(said: tuple[Clause, ...], clause: Clause) -> bool:
    """Return whether the clause is what the only player of the sentence does next."""
    return bool(said) and {one.who for one in said} == {clause.who} and not _has_several_parts(said[-1].what)


def _clause_verb(clause: Clause) -> str:
    verb = clause.what.partition(" ")[0]
    return third_person(verb) if clause.who == "you" else verb


def _has_several_parts(what: str) -> bool:
    return any(mark in PAINT.sub("", what) for mark in ",:;.")


def _join_clauses(said: tuple[Clause, ...]) -> str:
    """``Bob plays 5♣, Cy 9♣.``, ``Bob draws from the stock three times and discards 5♣.``"""
    who = said[0].who
    if said[-1].who == who:
        done = join_with_and(
            [_repeat_text(what, len(list(same))) for what, same in groupby([one.what for one in said])]
        )
        return as_sentence(f"{who} {done}", (who,) if who != "you" else ())
    told, before = [], ""
    for one in said:
        what = one.what.partition(" ")[2]
        told.append(f"{one.who} {what if what and before == _clause_verb(one) else one.what}")
        before = _clause_verb(one)
    return as_sentence(", ".join(told), (who,) if who != "you" else ())


def _repeat_text(what: str, count: int) -> str:
    if count == 1:
        return what
    return f"{what} twice" if count == 2 else f"{what} {number_text(count)} times"
