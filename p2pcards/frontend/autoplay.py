"""A session apart, in which the computer plays every hand: its table, what happens there, and its score board. The
front end says where the computer players decide."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain, repeat
from random import Random
from typing import Any

from p2pcards.games.game import Action
from p2pcards.players.characters import CHARACTERS, own_character
from p2pcards.session.coordinator import Coordinator
from p2pcards.session.effects import CommandError, Effect, Me, Tell, Think
from p2pcards.session.own_seat import LOOKS
from p2pcards.views.happenings import GameWon, Happening
from p2pcards.views.standpoint import CastMember
from p2pcards.views.tableview import Command, TableView
from p2pcards.wire.keys import PrivateKey, public_bytes

ONLY_LOOKS = "The computer is playing your hand too. Press Q to stop."


@dataclass(frozen=True, slots=True)
class SessionPlan:
    key: str  # of the game
    preset: str
    changed: Mapping[str, str]  # rule options that differ from the preset
    level: str  # for the watcher's hand
    others: str  # the level for all other hands


class AutoplayBoard:
    """The score board of an autoplay session: the final scores of each game by seat, and who won."""

    def __init__(self, plan: SessionPlan) -> None:
        self._plan = plan
        self._names: tuple[str, ...] = ()
        self._scores: list[tuple[int, ...]] = []
        self._winners: list[tuple[str, ...]] = []

    def note(self, happening: Happening) -> None:
        """Count a happening: the scores of a game that has ended."""
        if isinstance(happening, GameWon):
            self._names = happening.names
            self._scores.append(happening.totals)
            self._winners.append(happening.winners)

    def data(self) -> dict[str, Any]:
        """The board, ready for JSON."""
        seats = [
            {
                "name": name,
                "won": sum([name in winners for winners in self._winners]),
                "scores": [scores[seat] for scores in self._scores],
            }
            for seat, name in enumerate(self._names)
        ]
        return {
            "game": self._plan.key,
            "preset": self._plan.preset,
            "level": self._plan.level,
            "others": self._plan.others,
            "finished": len(self._scores),
            "seats": seats,
        }


class Autoplay:
    """A table in this process alone, without a log, at which computers play every hand. name: of the watcher; board: of
    the games so far."""

    def __init__(
        self, plan: SessionPlan, games: int | None, name: str, chance: Random, repeatable: bool = False
    ) -> None:
        """games: how many to play, None for no end; repeatable: the same `chance` plays the same games."""
        self.name = name
        self._repeatable = repeatable
        self.board = AutoplayBoard(plan)
        self._machine = _lone_table(plan, name, chance)
        first = (
            Command("game", (plan.key, plan.preset)),
            *[Command("set", pair) for pair in plan.changed.items()],
            Command("start"),
        )
        again = Command("again", ("yes",))
        self._commands = chain(first, repeat(again) if games is None else repeat(again, games - 1))
        self._todo = deque[Effect]()
        self._thinks: Think | None = None

    def go_on(self, action: Action = None) -> Happening | Think | None:
        """Advance the session: the next happening, or the decision that a computer player owes, whose action is passed
        to the next call. None when all games are over."""
        if self._thinks is not None:
            self._todo.extend(self._machine.thought(self._thinks, action, 0.0))
            self._thinks = None
        while self._todo or self._run_pending():
            effect = self._todo.popleft()
            if isinstance(effect, Tell):
                self.board.note(effect.happening)
                return effect.happening
            if isinstance(effect, Think):
                self._thinks = effect
                return replace(effect, repeatable=self._repeatable)
        return None

    def _run_pending(self) -> bool:
        """Carry out what the table does by itself, or else the next command; False when nothing is left."""
        while not self._todo:
            self._todo.extend(self._machine.after_effects(0.0))
            if not self._todo:
                if (command := next(self._commands, None)) is None:
                    return False
                self._todo.extend(self._machine.command(command, 0.0))
        return True

    def view(self) -> TableView:
        """The table as the watcher sees it."""
        return replace(self._machine.view(0.0), apart=True)

    def looked(self, command: Command) -> list[Happening]:
        """The happenings that answer a command which changes nothing, such as `review`. Raises CommandError."""
        if command.name not in LOOKS:
            raise CommandError(ONLY_LOOKS)
        return [effect.happening for effect in self._machine.command(command, 0.0) if isinstance(effect, Tell)]


def _lone_table(plan: SessionPlan, name: str, chance: Random) -> Coordinator:
    identity = PrivateKey.from_private_bytes(chance.randbytes(32))
    me = Me(identity, name, own_character(public_bytes(identity)).key, plan.level)
    cast = tuple([CastMember(one.key, one.name, plan.others) for one in CHARACTERS.values()])
    return Coordinator(me, entropy=chance.randbytes, now=0.0, cast=cast, turn_clock=0, alone=True)
