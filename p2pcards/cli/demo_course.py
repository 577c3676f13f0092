"""The course of the demo: what its seed decides, three daemons with somebody at each, a whole game, a killed one
that comes back, and the logs at the end."""

from __future__ import annotations

import math
import os
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import TextIO

import trio

from p2pcards.cli.command import Failure
from p2pcards.control import messages
from p2pcards.control.client import ClientTable, connect
from p2pcards.control.declined import Declined
from p2pcards.control.exits import DAMAGED, UNEXPECTED, USAGE
from p2pcards.frontend.verdict import Known, LogVerdict, compare_logs, comparison_lines, judge_log
from p2pcards.games.wording import join_with_and
from p2pcards.present.cards import cards_text
from p2pcards.present.story import PLAIN, as_sentence, happening_sentence
from p2pcards.present.width import fit_text, pad_right, text_width, wrap_words
from p2pcards.store.files import Home, find_home, private_folder
from p2pcards.store.logs import DamagedLog, list_logs, read_log
from p2pcards.views.happenings import (
    Acted,
    ActionOutdated,
    ActionRefused,
    GameChosen,
    GameStarted,
    GameWon,
    HandDealt,
    HandOpened,
    HandScored,
    Happening,
    Notice,
    OptionSet,
    PlayerLost,
    Said,
    SeatReturned,
    SeatTakenOver,
    TrickTaken,
    TurnedUp,
)
from p2pcards.views.tableview import Command, TableView

# --- what the seed of a demo decides ----------------------------------------------------------------------------------


PEOPLE = 3
# fmt: off
NAMES = (
    "Ann", "Bea", "Cleo", "Dora", "Edna", "Flo", "Gwen", "Hilda", "Ida", "Judy", "Kate", "Lena",
    "Mona", "Nora", "Olga", "Pam", "Rosa", "Sue", "Tess", "Vera", "Willa", "Zoe",
)
# fmt: on
GREETINGS = (
    "Hello! Can you both read me?",
    "Good evening, all.",
    "I'm here. The kettle's on.",
    "Hi! I haven't played this in years.",
    "Nice to see you two again.",
    "Ready when you are.",
    "Hello from the attic. The line is good today.",
    "Good to be here. Who deals?",
)
WORRIES = (
    "Where did everybody go?",
    "Did the lights go out over there?",
    "That line went quiet.",
    "We were all here a moment ago.",
)
SAID_WHILE_WAITING = (
    "Let's wait, it won't be long.",
    "No hurry, I'll hold my next card.",
    "Give them a minute to come back.",
    "I'm in no hurry. Let's wait.",
)
RETURNS = (
    "I'm back. Did I miss much?",
    "Sorry, someone pulled the plug.",
    "Back! What did my character play?",
    "My machine crashed. Thanks for waiting.",
)
FAREWELLS = (
    "Good game!",
    "Thank you, that was fun.",
    "Same time next week?",
    "Well played, both of you.",
    "Good night, all.",
    "That last hand was a close one.",
)


@dataclass(frozen=True, slots=True)
class Plan:
    seed: int  # for how the players play
    names: tuple[str, ...]  # the coordinator's first; characters, greetings and farewells are in the same order
    characters: tuple[str, ...]
    victim: int | None  # index of the player whose program is killed, 0 for the coordinator; None for nobody
    moment: float  # when that happens: moves of the whole table per card dealt to a player (1 to 2)
    greetings: tuple[str, ...]
    worry: str  # said by another player when the victim is away
    patience: str  # said by the coordinator while the victim is away
    back: str  # said by the victim after returning
    farewells: tuple[str, ...]


def make_plan(seed: int, characters: list[str], kill: str) -> Plan:
    """The plan of a demo: all that its seed decides. characters: the keys to choose from; kill: "listener",
    "coordinator" or "none"."""
    rng = Random(seed)
    listener = rng.randrange(1, PEOPLE)
    return Plan(
        seed=seed,
        names=tuple(rng.sample(NAMES, PEOPLE)),
        characters=tuple(rng.sample(characters, PEOPLE)),
        victim={"listener": listener, "coordinator": 0}.get(kill),
        moment=rng.uniform(1.0, 2.0),
        greetings=tuple(rng.sample(GREETINGS, PEOPLE)),
        worry=rng.choice(WORRIES),
        patience=rng.choice(SAID_WHILE_WAITING),
        back=rng.choice(RETURNS),
        farewells=tuple(rng.sample(FAREWELLS, PEOPLE)),
    )


# --- the output of the demo -------------------------------------------------------------------------------------------


ERASE = "\r\x1b[K"
BOLD, NORMAL = "\x1b[1m", "\x1b[0m"


class Teller:
    """Prints what happens. columns: of the terminal, None where the output is none: each sentence is then one line, and
    nothing is painted."""

    def __init__(self, stream: TextIO, columns: int | None) -> None:
        self._stream = stream
        self._columns = columns
        self._waiting = self._status = ""
        self._margin = 0

    def leave_room(self, names: tuple[str, ...]) -> None:
        """Leave room for these names in the margin of the lines."""
        self._margin = max(map(text_width, names))

    def tell(self, name: str, sentence: str) -> None:
        """Print a sentence by the person of this name, "" for none."""
        margin = pad_right(name, self._margin) + " | " if name else ""
        if self._columns is None:
            self._write_text(f"{margin}{sentence}\n")
            return
        indent = " " * text_width(margin)
        text = "\n".join(wrap_words(sentence, self._columns, indent, indent))
        if margin:
            text = f"{BOLD}{margin}{NORMAL}{text.removeprefix(indent).lstrip()}"
        self._write_text(f"{ERASE}{text}\n{self._status}")

    def wait(self, text: str) -> None:
        """Show in the last line of the terminal what is being waited for; "" for nothing."""
        if self._columns is not None and text != self._waiting:
            self._waiting = text
            self._status = fit_text(text, self._columns - 1)
            self._write_text(ERASE + self._status)

    def _write_text(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


# --- one of the people of the demo ------------------------------------------------------------------------------------


PACE = 0.02
"""Seconds that a person takes for a move, so that something can happen in the middle of a hand."""

ENDING = 10.0
"""Seconds in which a daemon that was told to stop has ended."""

BUSY = 90
"""Columns of moves that are told in one line."""

PLAY = (Acted, TurnedUp, TrickTaken)
DEALER_TELLS = (GameChosen, OptionSet, GameStarted, HandDealt, HandScored, HandOpened)

Tell = Callable[[str, str], None]


class Room:
    """State that the people share. held: they hold back their next moves; changed: set, and replaced, whenever any
    table has news."""

    def __init__(self, tell: Tell) -> None:
        self.tell = tell
        self.held = False
        self.changed = trio.Event()

    def change(self) -> None:
        """Wake everyone who waits for news."""
        self.changed.set()
        self.changed = trio.Event()

    def hold(self, held: bool) -> None:
        """Have the people hold back their next moves, or go on."""
        self.held = held
        self.change()


class Participant:
    """One person of the demo with their daemon. pid: of the daemon, 0 while none runs; view: the latest of their table;
    told: its happenings, in order; turn: they owe a move."""

    def __init__(self, room: Room, persona: messages.Persona, home: Home, rng: Random, *, coordinates: bool) -> None:
        self.room = room
        self.name = persona.name
        self.persona = persona
        self.home = home
        self.coordinates = coordinates
        self.pid = 0
        self.port: int | None = None
        self.view = TableView("", "closed")
        self.told: list[Happening] = []
        self.turn = False
        self._quiet = False  # nothing of theirs is told
        self._rng = rng
        self._table: ClientTable | None = None
        self._hand = 0
        self._moves = ""

    # --- the daemon ---------------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Start this person's daemon, and note its process id at once, so that an interrupted demo can end it."""

        def spawned(pid: int) -> None:
            self.pid = pid

        try:
            async with connect(self.home, spawned=spawned) as client:
                self.pid = client.pid
        except Declined as declined:
            self.pid = 0
            raise self._as_failure(declined) from None

    def kill(self) -> None:
        """Kill the daemon with SIGKILL and wait until it is gone."""
        self.hit()
        pid, self.pid = self.pid, 0
        if pid:
            self._table, self.turn = None, False
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)

    def hit(self) -> None:
        """Send SIGKILL to the daemon without waiting."""
        if self.pid:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    async def stop(self) -> None:
        """Stop the daemon as `p2pcards stop` does. Raises Failure if it keeps running."""
        try:
            async with connect(self.home, start=False) as client:
                await client.stop()
        except Declined as declined:
            raise self._as_failure(declined) from None
        with trio.move_on_after(ENDING):
            while not self._has_ended():
                await trio.sleep(PACE)
        if self.pid:
            raise Failure(f"{self.name}'s daemon was told to stop but is still running (pid {self.pid}).", UNEXPECTED)

    def _has_ended(self) -> bool:
        """Return whether the daemon's process is gone."""
        try:
            ended, _ = os.waitpid(self.pid, os.WNOHANG)
        except ChildProcessError:
            ended = self.pid
        if ended:
            self.pid = 0
        return bool(ended)

    # --- the front end ------------------------------------------------------------------------------------------------

    async def sit_down(self, nursery: trio.Nursery, request: messages.Open) -> None:
        """Open a table and sit at it until it ends, as a task in the nursery."""
        await nursery.start(self._attend_table, request)

    async def say(self, text: str) -> None:
        """Send this line of chat to the table."""
        await self._send_command(Command("say", (text,)))

    async def begin(self) -> None:
        """Have the coordinator start the game."""
        await self._send_command(Command("start"))

    def fall_silent(self) -> None:
        """Print nothing more of this table, and let it end: the game is over."""
        self._quiet = True

    def was_told(self, kind: type[Happening], **values: object) -> bool:
        """Return whether a happening of this kind with these field values has come."""
        return any(
            isinstance(one, kind) and all(getattr(one, name) == value for name, value in values.items())
            for one in self.told
        )

    def moves(self) -> int:
        """The number of moves made in this hand, by anyone."""
        kinds = [type(one) for one in reversed(self.told) if isinstance(one, Acted | HandDealt)]
        return kinds.index(HandDealt) if HandDealt in kinds else 0

    async def _attend_table(self, request: messages.Open, task_status: trio.TaskStatus[None]) -> None:
        pid = self.pid
        try:
            async with connect(self.home, start=False) as client:
                opened = await client.open(request)
                self.port = opened.port or self.port
                self._table = await client.attach(opened.table)
                task_status.started()
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._play_turns, self._table)
                    async for update in self._table.updates():
                        self._take_update(update)
                    nursery.cancel_scope.cancel()
        except Declined as declined:
            raise self._as_failure(declined) from None
        if self.pid == pid and not self._quiet:
            why = next((one.text for one in reversed(self.told) if isinstance(one, Notice)), "")
            raise Failure(f"{self.name}'s table closed unexpectedly. {why}", UNEXPECTED)

    async def _play_turns(self, table: ClientTable) -> None:
        """Play one of the offered legal moves at each turn of this person."""
        while True:
            while self.room.held or not self.turn:
                await self.room.changed.wait()
            await trio.sleep(PACE)
            if not self.room.held:
                await self._make_move(table)

    async def _make_move(self, table: ClientTable) -> None:
        if self.turn:
            self.turn = False
            words = self._rng.choice(self.view.legal)
            with suppress(Declined):  # the table has moved on, which its next view shows, or has ended
                await table.command(Command("act", tuple(words.split())))

    async def _send_command(self, command: Command) -> None:
        try:
            if self._table is not None:
                await self._table.command(command)
        except Declined as declined:
            raise self._as_failure(declined) from None

    def _as_failure(self, declined: Declined) -> Failure:
        return Failure(f"At {self.name}'s: {declined}", declined.code)

    # --- what it shows ------------------------------------------------------------------------------------------------

    def _take_update(self, update: TableView | messages.Happened) -> None:
        if isinstance(update, TableView):
            self.view = update
            self.turn = bool(update.legal)
        elif not update.earlier:
            self.told.append(update.happening)
            if isinstance(update.happening, ActionRefused | ActionOutdated):
                self.turn = bool(self.view.legal)
            if not self._quiet:
                self._print_happening(update.happening)
        self.room.change()

    def _print_happening(self, happening: Happening) -> None:
        """Print a happening: the coordinator's table reports the play, the first hand move by move; every table reports
        links, chat and seats."""
        sentence = happening_sentence(happening, self.name)
        if isinstance(happening, HandDealt):
            self._hand = happening.hand
        if isinstance(happening, PLAY):
            if self.coordinates and self._hand == 1:
                self._collect_move(sentence, last=isinstance(happening, TrickTaken))
            return
        if isinstance(happening, DEALER_TELLS) and not self.coordinates:
            return
        self._print_moves()
        self.room.tell(self.name, sentence)

    def _collect_move(self, sentence: str, last: bool) -> None:
        words = sentence.rstrip(".")
        if self._moves:
            words = "; " + ("you" + words[3:] if words.startswith("You ") else words)
        self._moves += words
        if last or len(self._moves) > BUSY:
            self._print_moves()

    def _print_moves(self) -> None:
        if self._moves:
            self.room.tell(self.name, f"{self._moves}.")
            self._moves = ""


# --- the course of the demo -------------------------------------------------------------------------------------------


GRACE = 3
"""Seconds until the character of a killed listener plays for them."""

PATIENCE = 20.0
"""Seconds that anything may take which the demo waits for; for the end of the game, those without any news."""

DEMO = "demo"


async def run_demo(plan: Plan, teller: Teller, rules: messages.Rules, keep: Path | None) -> None:
    """Run the demo. keep: the folder for its homes, None for a temporary one that is removed. No process is left
    behind, whatever happens. Raises Failure, KeyboardInterrupt, or a group with one."""
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM, signal.SIGHUP) as signals:
        if keep is not None:
            private_folder(keep)
        folder = Path(tempfile.mkdtemp(prefix="p2pcards-demo-")) if keep is None else keep.absolute()
        course = Course(plan, teller, folder, rules)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_raise_on_signal, signals)
                await course.run()
                nursery.cancel_scope.cancel()
        finally:
            course.end_all()
            if keep is None:
                shutil.rmtree(folder)
            teller.wait("")


async def _raise_on_signal(signals: AsyncIterator[int]) -> None:
    async for _ in signals:
        raise KeyboardInterrupt


class Course:
    """One run of the demo. folder: where the three homes are made."""

    def __init__(self, plan: Plan, teller: Teller, folder: Path, rules: messages.Rules) -> None:
        self.plan = plan
        self.teller = teller
        self.rules = rules
        self.room = Room(teller.tell)
        self.people = [
            Participant(
                self.room,
                messages.Persona(name, character),
                find_home({"P2PCARDS_HOME": str(folder / name.lower())}),
                Random(f"{plan.seed}/{name}"),
                coordinates=place == 0,
            )
            for place, (name, character) in enumerate(zip(plan.names, plan.characters, strict=True))
        ]
        self.coordinator, *self.listeners = self.people
        teller.leave_room((DEMO, *plan.names))

    async def run(self) -> None:
        """Run the demo from start to end. Raises Failure."""
        await self._start_daemons()
        async with trio.open_nursery() as nursery:
            await self._seat_everyone(nursery)
            await self._exchange_chat(dict(zip(self.people, self.plan.greetings, strict=True)))
            await self.coordinator.begin()
            if self.plan.victim == 0:
                await self._kill_coordinator(nursery)
            elif self.plan.victim is not None:
                await self._kill_listener(self.people[self.plan.victim], nursery)
            await self._finish_game()
            nursery.cancel_scope.cancel()
        self._compare_logs()

    def end_all(self) -> None:
        """Kill all daemons that still run."""
        for one in self.people:
            one.hit()
        for one in self.people:
            one.kill()
            one.home.socket.unlink(missing_ok=True)

    # --- the beginning and the end ------------------------------------------------------------------------------------

    async def _start_daemons(self) -> None:
        """Start the daemons of all three people."""
        for one in self.people:
            self.teller.wait(f"Starting {one.name}'s daemon ...")
            await one.start()
            does = "hosts" if one.coordinates else "waits for the host's call"
            self.teller.tell("", f"{one.name} {does} (own daemon, pid {one.pid}).")

    async def _seat_everyone(self, nursery: trio.Nursery) -> None:
        for one in self.listeners:
            await one.sit_down(nursery, messages.OpenListen(0, one.persona, reach=False))
            self.teller.tell(DEMO, f"{one.name} is waiting on port {one.port} of this machine.")
        self.teller.wait(f"Waiting until {self.coordinator.name} has connected to the others ...")
        hosts = tuple([messages.Host(f"127.0.0.1:{one.port}") for one in self.listeners])
        grace = GRACE if self.plan.victim else None
        request = messages.OpenConnect(hosts, self.rules, self.coordinator.persona, messages.TimeLimits(grace))
        await self.coordinator.sit_down(nursery, request)
        await self.until(self._everyone_present, "everyone is at the table")

    async def _finish_game(self) -> None:
        await self.until(lambda: all(one.was_told(GameWon) for one in self.people), "the game is over", steady=True)
        await self._exchange_chat(dict(zip(self.people, self.plan.farewells, strict=True)))
        for one in self.people:
            one.fall_silent()
        for one in self.people:
            self.teller.wait(f"Stopping {one.name}'s daemon ...")
            await one.stop()
        self.teller.wait("")

    # --- what goes wrong in between -----------------------------------------------------------------------------------

    async def _kill_listener(self, victim: Participant, nursery: trio.Nursery) -> None:
        """Kill the victim's daemon in mid-hand, and wait for its return."""
        other = next(one for one in self.listeners if one is not victim)
        witnesses = (self.coordinator, other)
        await self._wait_for_middle_of_hand()
        self._kill_daemon(victim)
        await self._wait_until_all_told(witnesses, PlayerLost, victim, f"the others notice that {victim.name} is away")
        await self._exchange_chat({other: self.plan.worry})
        await self._wait_until_all_told(witnesses, SeatTakenOver, victim, f"{victim.name}'s character plays for them")
        await self.until(lambda: self._was_played_for(victim), f"{victim.name}'s character has made a move")
        self.room.hold(True)
        await self._exchange_chat({self.coordinator: self.plan.patience})
        await self._restart_daemon(victim)
        await victim.sit_down(nursery, messages.OpenListen(victim.port, victim.persona, reach=False))
        await self._wait_until_all_told(self.people, SeatReturned, victim, f"{victim.name} has their seat back")
        await self._exchange_chat({victim: self.plan.back})
        self.room.hold(False)

    async def _kill_coordinator(self, nursery: trio.Nursery) -> None:
        """Kill the coordinator's daemon in mid-hand, and resume the game."""
        victim = self.coordinator
        await self._wait_for_middle_of_hand()
        self.room.hold(True)
        await self.until(self._is_settled, "the table is idle")
        before, place = victim.view, self._progress_text()
        self.teller.tell(DEMO, place)
        self._kill_daemon(victim)
        await self._wait_until_all_told(
            self.listeners, PlayerLost, victim, f"the other players notice that {victim.name} is away"
        )
        await self._restart_daemon(victim)
        await victim.sit_down(nursery, messages.OpenResume(persona=victim.persona))
        await self.until(
            lambda: self._everyone_present() and self._is_settled() and victim.view.phase == "play",
            "the game resumes with the same players",
        )
        if (victim.view.head, victim.view.trick) != (before.head, before.trick):
            raise Failure(
                f"The game didn't resume where it stopped. Before: {place} After: {self._progress_text()}", UNEXPECTED
            )
        self.teller.tell(DEMO, f"The game is where it stopped. {self._progress_text()}")
        await self._exchange_chat({victim: self.plan.back})
        self.room.hold(False)

    async def _wait_for_middle_of_hand(self) -> None:
        dealer = self.coordinator
        await self.until(lambda: dealer.view.hand > 0 and dealer.view.phase == "play", "the first hand is dealt")
        dealt = max(seat.cards for seat in dealer.view.seats)
        moves = math.ceil(dealt * self.plan.moment)
        await self.until(
            lambda: dealer.moves() >= moves or dealer.was_told(GameWon), f"{moves} moves of a hand have been made"
        )
        if dealer.was_told(GameWon):
            raise Failure(
                "The game ended before a daemon could be killed. Play to a higher score with --points.", USAGE
            )

    def _kill_daemon(self, victim: Participant) -> None:
        self.teller.tell(DEMO, f"kill -9 {victim.pid}: {victim.name}'s daemon dies in the middle of the hand.")
        victim.kill()

    async def _restart_daemon(self, victim: Participant) -> None:
        self.teller.wait(f"Restarting {victim.name}'s daemon ...")
        await victim.start()
        where = "" if victim.coordinates else f", waiting on the same port {victim.port}"
        self.teller.tell(DEMO, f"{victim.name}'s daemon is back, pid {victim.pid}{where}.")

    def _everyone_present(self) -> bool:
        """Everyone sees everyone at the table."""
        tables = [[person.link for person in one.view.people] for one in self.people]
        return all(len(links) == PEOPLE and "away" not in links for links in tables)

    def _is_settled(self) -> bool:
        """All tables show the same, and wait for one of the people."""
        heads = {one.view.head for one in self.people}
        return len(heads) == 1 and any(one.turn for one in self.people)

    def _progress_text(self) -> str:
        """How far the game is, in words."""
        view = self.coordinator.view
        trick = f", {cards_text([card for _, card in view.trick], PLAIN)} in the trick" if view.trick else ""
        turn = join_with_and([one.name for one in self.people if one.turn])
        return f"Hand {view.hand}{trick}. Next to play: {turn}. {view.records} records, head {view.head[:16]}."

    def _was_played_for(self, victim: Participant) -> bool:
        """The victim's character has made a move."""
        told = self.coordinator.told
        taken = [place for place, one in enumerate(told) if isinstance(one, SeatTakenOver) and one.name == victim.name]
        return any(isinstance(one, Acted) and one.name == victim.name for one in told[taken[0] :])

    # --- waiting ------------------------------------------------------------------------------------------------------

    async def until(self, condition: Callable[[], bool], what: str, *, steady: bool = False) -> None:
        """Wait until the condition holds. what: the condition as a clause; steady: keep waiting as long as news comes.
        Raises Failure."""
        self.teller.wait(f"Waiting until {what} ...")
        with trio.move_on_after(PATIENCE) as patience:
            while not condition():
                await self.room.changed.wait()
                if steady:
                    patience.deadline = trio.current_time() + PATIENCE
                    view = self.coordinator.view
                    self.teller.wait(f"Waiting until {what}: hand {view.hand}, {view.records} records ...")
        self.teller.wait("")
        if patience.cancelled_caught:
            why = f"The demo waited {PATIENCE:.0f} seconds until {what}, but that didn't happen."
            raise Failure(why, UNEXPECTED)

    async def _wait_until_all_told(
        self, people: Sequence[Participant], kind: type[Happening], about: Participant, what: str
    ) -> None:
        await self.until(lambda: all(one.was_told(kind, name=about.name) for one in people), what)

    async def _exchange_chat(self, lines: dict[Participant, str]) -> None:
        """Send each person's line, and wait until all who are present have heard it."""
        for speaker, text in lines.items():
            await speaker.say(text)
            await self.until(partial(self._everyone_heard, text), f"everyone has heard {speaker.name}")

    def _everyone_heard(self, text: str) -> bool:
        return all(one.was_told(Said, text=text) for one in self.people if one.pid)

    # --- the logs -----------------------------------------------------------------------------------------------------

    def _compare_logs(self) -> None:
        """Judge and compare the logs of all three."""
        verdicts = [self._print_verdict(one) for one in self.people]
        for other in verdicts[1:]:
            compared = compare_logs(verdicts[0], other)
            if not compared["same_game"] or compared["forked_at"] or len(set(compared["records"])) > 1:
                raise Failure(" ".join(comparison_lines(compared)), DAMAGED)
        names = join_with_and([one.name for one in self.people])
        self.teller.tell("", f"The logs of {names} match, and every hand is proven fair.")

    def _print_verdict(self, person: Participant) -> LogVerdict:
        """The verdict on this person's log, which is also printed."""
        logs = list_logs(person.home)
        if len(logs) != 1:
            raise Failure(f"{person.name} has {len(logs)} logs instead of one.", UNEXPECTED)
        name = f"{person.name}'s log {logs[0].path.stem}"
        try:
            verdict = judge_log(name, read_log(logs[0].path), Known({}, b""))
        except DamagedLog as damaged:
            verdict = judge_log(name, damaged, Known({}, b""))
        data = verdict.data
        if verdict.state != "finished":
            raise Failure(
                as_sentence(f"{name} is {verdict.state}{': ' + data['why'] if 'why' in data else ''}"), DAMAGED
            )
        scores = ", ".join(f"{seat['name']} {seat['score']}" for seat in data["seats"])
        self.teller.tell(
            "", f"{name}: {data['name']}, {data['records']} records, verified. {scores}. Head {data['head']}"
        )
        return verdict
