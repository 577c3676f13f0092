"""A table without daemon and peers: one person plays real games, the other seats play random legal cards."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from random import Random
from typing import Any

import trio

from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.cards.pack import shuffle
from p2pcards.control.attached import Refusal
from p2pcards.control.messages import Happened
from p2pcards.games.game import AnyGame, IllegalAction, Stage
from p2pcards.games.options import declared_options, set_options
from p2pcards.games.registry import find_game
from p2pcards.games.spelling import read_action, spell_action
from p2pcards.views.happenings import Acted, GameWon, HandDealt, HandScored, Happening, Said, TrickTaken
from p2pcards.views.tableview import Command, PersonView, PileView, SeatView, SheetView, TableView

NAMES = ("Dee", "Bob", "Ada", "Cy")


class TableDouble:
    """An `Attached` table of a game from the registry; my seat is 0. seen: the commands that came."""

    def __init__(self, key: str, seed: int, changes: dict[str, str] | None = None) -> None:
        self.seen: list[Command] = []
        self.detached = False
        self.left = False
        self._shown = TableView("listener", "lobby")
        self._rng = Random(seed)
        self._game: AnyGame = find_game(key)
        self._options = set_options(self._game.options(), changes or {})
        self._state: Any = self._game.start(self._options, 0)
        self._send, self._receive = trio.open_memory_channel[TableView | Happened](10_000)
        self._go_on()
        # One who attaches is shown the table as it is, first of all.
        self._send, self._receive = trio.open_memory_channel[TableView | Happened](10_000)
        self.show()

    # --- as the line mode sees it ---

    async def command(self, command: Command) -> None:
        await trio.lowlevel.checkpoint()
        self.seen.append(command)
        if command.name == "act":
            try:
                action = read_action(self._game, redact(self._state, eyes_of_viewer(0)), 0, command.arguments)
            except IllegalAction as refusal:
                raise Refusal(str(refusal)) from None
            self._act(0, action)
            self._go_on()
        elif command.name == "say":
            self._happen(Said("Dee", command.arguments[0], mine=True))
        elif command.name == "leave":
            self.left = True

    async def updates(self) -> AsyncIterator[TableView | Happened]:
        async for update in self._receive:
            yield update

    def caught_up(self, everything: bool) -> None:
        """Nobody waits for that."""

    async def detach(self) -> None:
        await trio.lowlevel.checkpoint()
        self.detached = True
        self.close()

    # --- as the test sees it ---

    def happen(self, happening: Happening, earlier: bool = False) -> None:
        """And the table is as before."""
        self._happen(happening, earlier)
        self._send.send_nowait(self._shown)

    def _happen(self, happening: Happening, earlier: bool = False) -> None:
        self._send.send_nowait(Happened(happening, earlier))

    def show(self, **changes: Any) -> None:
        """The view as it is now, with some things otherwise."""
        self._shown = replace(self.view(), **changes)
        self._send.send_nowait(self._shown)

    def show_first(self, **changes: Any) -> None:
        """As `show`, in place of what waits for one who attaches."""
        self._receive.receive_nowait()
        self.show(**changes)

    def close(self) -> None:
        self._send.close()

    def view(self) -> TableView:
        game, state = self._game, redact(self._state, eyes_of_viewer(0))
        lies = game.layout(state)
        sheet = state.sheet and SheetView(state.hand, state.sheet.items, state.sheet.hand, state.sheet.totals)
        seats = tuple([self._seat_view(state, seat) for seat in range(game.seats(self._options))])
        return TableView(
            "listener",
            "over" if state.stage == Stage.OVER else "play",
            people=(PersonView("Dee", "granny", "you", "", 0), PersonView("Bob", "wayne", "here", "192.0.2.7:4444", 1)),
            me=0,
            assists=("hint",),
            game=game.key,
            game_name=game.name,
            preset=next(name for name, options in game.presets.items() if options == game.options()),
            options=tuple(
                [(option.key, getattr(self._options, option.key)) for option in declared_options(game.options)]
            ),
            seats=seats,
            hand=state.hand,
            trick=tuple([(seat, int(slot.card)) for seat, slot in lies.trick]),
            last_trick=tuple([(seat, int(slot.card)) for seat, slot in lies.last_trick]),
            piles=tuple(
                [PileView(p.name, p.seat, tuple([int(slot.card) for slot in p.slots]), p.spread) for p in lies.piles]
            ),
            notes=lies.notes,
            sheet=sheet,
            winners=state.winners,
            legal=tuple([spell_action(action) for action in game.legal(state, 0)]),
            waiting=", ".join(NAMES[seat] for seat in state.to_act),
        )

    # --- the game ---

    def _seat_view(self, state: Any, seat: int) -> SeatView:
        return SeatView(
            seat,
            NAMES[seat],
            "granny",
            "novice",
            "you" if seat == 0 else "person" if seat == 1 else "computer",
            state.scores[seat],
            len(state.hands[seat]),
            tuple([int(card) for card in state.hands[seat].cards]),
            state.dealer == seat,
            seat in state.to_act,
            note=(self._game.layout(state).seats or ("",) * len(state.hands))[seat],
        )

    def _go_on(self) -> None:
        """Everything up to my next turn, or the end."""
        while self._state.stage != Stage.OVER and 0 not in self._state.to_act:
            if self._state.stage == Stage.PLAY:
                seat = self._rng.choice(self._state.to_act)
                self._act(seat, self._rng.choice(self._game.legal(self._state, seat)))
            elif self._state.stage == Stage.DEAL:
                pack = shuffle(self._game.pack(self._options), self._rng.randbytes(16), "pack")
                self._play(self._game.deal(self._state, pack, pack))
                self._happen(HandDealt(self._state.hand, NAMES[self._state.dealer], ()))
            else:
                self._play(self._game.show(self._state))
                self._tell_sheet()
            self.show()
        if self._state.stage == Stage.OVER:
            winners = tuple([NAMES[seat] for seat in self._state.winners])
            totals = self._state.scores
            self._happen(GameWon(NAMES[: len(totals)], totals, winners, (), ""))
        self.show()

    def _act(self, seat: int, action: Any) -> None:
        hidden = seat and self._game.private.get(type(action))
        words = spell_action(hidden(self._state) if hidden else action)
        before = self._game.layout(self._state).last_trick
        self._play(self._game.decide(self._state, seat, action))
        self._happen(Acted(NAMES[seat], seat, words, "", mine=seat == 0))
        after = self._game.layout(self._state).last_trick
        if after and after != before:
            self._happen(TrickTaken(NAMES[self._state.leader], mine=self._state.leader == 0))
        self._tell_sheet()

    def _tell_sheet(self) -> None:
        """How the hand was scored, if that was its end."""
        sheet = self._state.sheet
        if sheet is not None:
            view = SheetView(self._state.hand, sheet.items, sheet.hand, sheet.totals)
            self._happen(HandScored(NAMES[: len(sheet.hand)], self._game.sides(self._options), view))

    def _play(self, event: Any) -> None:
        self._state = self._game.play(self._state, event)
