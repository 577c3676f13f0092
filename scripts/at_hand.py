"""A coordinator's table without a daemon: the real machine and the real computer players, without a socket and a
clock, so that nothing depends on time."""

from __future__ import annotations

from collections import deque
from random import Random

from p2pcards.control.messages import Happened
from p2pcards.daemon.machines import CAST
from p2pcards.games.registry import find_game
from p2pcards.games.spelling import spell_action
from p2pcards.ledger.position import Position
from p2pcards.players.choose import choose, rate
from p2pcards.present.cards import tens_as_numbers
from p2pcards.session.coordinator import Coordinator
from p2pcards.session.effects import Effect, Me, Tell, Think
from p2pcards.session.lobby import deal_numbers
from p2pcards.views.tableview import Command, TableView
from p2pcards.wire.crypto import Ed25519PrivateKey


def first_rules(key: str) -> str:
    """The preset that has the defaults of the options, which no later one changes: hands that were laid out under it
    stay as they are."""
    game = find_game(key)
    return next((name for name, options in game.presets.items() if options == game.options()), next(iter(game.presets)))


class TableAtHand:
    """preset: "" for `first_rules`; slowly: also what came before the first action is shown view by view. looks: a hand
    that is over stays until somebody says next. deal: the number of the first deal. suggestion: what a novice would do
    now."""

    def __init__(
        self, key: str, preset: str, seed: int, *, slowly: bool = False, looks: bool = False, deal: int | None = None
    ) -> None:
        self._rng = Random(seed)
        identity = Ed25519PrivateKey.from_private_bytes(self._rng.randbytes(32))
        me = Me(identity, "Ann", "betty")
        deals = None if deal is None else deal_numbers(deal, self._rng.randbytes)
        self._machine = Coordinator(
            me,
            entropy=self._rng.randbytes,
            now=0.0,
            cast=CAST,
            turn_clock=0,
            between_hands=int(looks),
            alone=True,
            deals=deals,
        )
        self._news = deque[TableView | Happened]()
        self._shown: TableView | None = None
        for command in (Command("game", (key, preset or first_rules(key))), Command("start")):
            self._do(self._machine.command(command, 0.0))
        if not slowly:  # who attaches is told what has happened, and shown the table as it is
            self._news, self._shown = deque([one for one in self._news if isinstance(one, Happened)]), None
        self.show()

    def position(self) -> Position:
        game = self._machine.table.game
        assert game is not None
        return game.position

    def suggestion(self) -> str:
        position = self.position()
        assert position.seat is not None
        return tens_as_numbers(spell_action(choose(position.game, position.view, position.seat, "novice", self._rng)))

    def say(self, command: Command) -> None:
        """Raises CommandError."""
        self._do(self._machine.command(command, 0.0))
        self.show()

    def show(self) -> None:
        """The table comes as it is."""
        self._put(self._machine.view(0.0))

    def sit_down(self) -> None:
        """Somebody new is shown the table as it is, and nothing of what has happened."""
        self._news.clear()
        self._shown = None
        self.show()

    def _put(self, view: TableView) -> None:
        """One like the view before it is left out, as the daemon does."""
        if view != self._shown:
            self._shown = view
            self._news.append(view)

    def view(self) -> TableView:
        return self._machine.view(0.0)

    def news(self) -> list[TableView | Happened]:
        """What has come since the last look, in order."""
        found = list(self._news)
        self._news.clear()
        return found

    def _do(self, effects: list[Effect]) -> None:
        """Carries out what the machine asks for, and all that follows from it."""
        while effects := [*effects, *([] if effects else self._machine.after_effects(0.0))]:
            effect, *effects = effects
            if isinstance(effect, Tell):
                self._news.append(Happened(effect.happening))
                if effect.look is not None:
                    self._put(effect.look())
            elif isinstance(effect, Think):
                asked = (effect.game, effect.view, effect.seat, effect.level, Random(effect.seed))
                if effect.hint:
                    effects += self._machine.hinted(effect, rate(*asked), 0.0)
                else:
                    self.show()
                    effects += self._machine.thought(effect, choose(*asked), 0.0)
