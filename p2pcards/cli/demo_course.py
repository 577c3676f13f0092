"""The course of the demo: three daemons, a whole game, a killed one that comes back, and the logs at the end."""

from __future__ import annotations

import math
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random

import trio

from p2pcards.cli.demo_output import Teller
from p2pcards.cli.demo_participant import Participant, Room
from p2pcards.cli.demo_plan import PEOPLE, Plan
from p2pcards.cli.failing import Failure
from p2pcards.cli.verdict import Known, LogVerdict, comparison, comparison_lines, judge
from p2pcards.control.exits import DAMAGED, UNEXPECTED, USAGE
from p2pcards.control.messages import Host, OpenConnect, OpenListen, OpenResume, Persona, Rules, TimeLimits
from p2pcards.present.cards import cards_text
from p2pcards.present.story import PLAIN, names_text, sentence
from p2pcards.store.files import private_folder
from p2pcards.store.home import find_home
from p2pcards.store.logs import DamagedLog, list_logs, read_log
from p2pcards.views.happenings import Acted, GameWon, Happening, PlayerLost, Said, SeatReturned, SeatTakenOver

GRACE = 3
"""Seconds until the character of a killed listener plays for them."""

PATIENCE = 20.0
"""Seconds that anything may take which the demo waits for; for the end of the game, those without any news."""

DEMO = "demo"


async def perform(plan: Plan, teller: Teller, rules: Rules, keep: Path | None) -> None:
    """Raises Failure, KeyboardInterrupt, or a group with one; whatever happens, no process is left behind, and without
    `keep` no folder either."""
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM, signal.SIGHUP) as signals:
        if keep is not None:
            private_folder(keep)
        folder = Path(tempfile.mkdtemp(prefix="p2pcards-demo-")) if keep is None else keep.absolute()
        course = Course(plan, teller, folder, rules)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_heed, signals)
                await course.run()
                nursery.cancel_scope.cancel()
        finally:
            course.end()
            if keep is None:
                shutil.rmtree(folder)
            teller.wait("")


async def _heed(signals: AsyncIterator[int]) -> None:
    async for _ in signals:
        raise KeyboardInterrupt


class Course:
    """One run. folder: where the three homes are made."""

    def __init__(self, plan: Plan, teller: Teller, folder: Path, rules: Rules) -> None:
        self.plan = plan
        self.teller = teller
        self.rules = rules
        self.room = Room(teller.tell)
        self.people = [
            Participant(
                self.room,
                Persona(name, character),
                find_home({"P2PCARDS_HOME": str(folder / name.lower())}),
                Random(f"{plan.seed}/{name}"),
                coordinates=place == 0,
            )
            for place, (name, character) in enumerate(zip(plan.names, plan.characters, strict=True))
        ]
        self.coordinator, *self.listeners = self.people
        teller.leave_room((DEMO, *plan.names))

    async def run(self) -> None:
        """Raises Failure."""
        await self._start_daemons()
        async with trio.open_nursery() as nursery:
            await self._gather(nursery)
            await self._chat(dict(zip(self.people, self.plan.greetings, strict=True)))
            await self.coordinator.begin()
            if self.plan.victim == 0:
                await self._kill_coordinator(nursery)
            elif self.plan.victim is not None:
                await self._kill_listener(self.people[self.plan.victim], nursery)
            await self._finish()
            nursery.cancel_scope.cancel()
        self._compare_logs()

    def end(self) -> None:
        """Ends what still runs, at once."""
        for one in self.people:
            one.kill()
            one.home.socket.unlink(missing_ok=True)

    # --- the beginning and the end ------------------------------------------------------------------------------------

    async def _start_daemons(self) -> None:
        for one in self.people:
            self.teller.wait(f"Starting the daemon of {one.name} ...")
            await one.start()
            does = "coordinates" if one.coordinates else "listens"
            self.teller.tell("", f"{one.name} {does}: a daemon of their own, pid {one.pid}.")

    async def _gather(self, nursery: trio.Nursery) -> None:
        for one in self.listeners:
            await one.sit_down(nursery, OpenListen(0, one.persona))
            self.teller.tell(DEMO, f"{one.name} listens on port {one.port} of this machine.")
        self.teller.wait(f"Waiting until {self.coordinator.name} has reached the others ...")
        hosts = tuple([Host(f"127.0.0.1:{one.port}") for one in self.listeners])
        grace = GRACE if self.plan.victim else None
        request = OpenConnect(hosts, self.rules, self.coordinator.persona, TimeLimits(grace))
        await self.coordinator.sit_down(nursery, request)
        await self.until(self._all_here, "everybody sees everybody at the table")

    async def _finish(self) -> None:
        await self.until(lambda: all(one.was_told(GameWon) for one in self.people), "the game is over", steady=True)
        await self._chat(dict(zip(self.people, self.plan.farewells, strict=True)))
        for one in self.people:
            one.fall_silent()
        for one in self.people:
            self.teller.wait(f"Stopping the daemon of {one.name} ...")
            await one.stop()
        self.teller.wait("")

    # --- what goes wrong in between -----------------------------------------------------------------------------------

    async def _kill_listener(self, victim: Participant, nursery: trio.Nursery) -> None:
        other = next(one for one in self.listeners if one is not victim)
        witnesses = (self.coordinator, other)
        await self._middle_of_hand()
        self._kill(victim)
        await self._all_told(witnesses, PlayerLost, victim, f"the others notice that {victim.name} is away")
        await self._chat({other: self.plan.worry})
        await self._all_told(witnesses, SeatTakenOver, victim, f"the character of {victim.name} plays for them")
        await self.until(lambda: self._was_played_for(victim), f"the character of {victim.name} has made a move")
        self.room.hold(True)
        await self._chat({self.coordinator: self.plan.patience})
        await self._start_again(victim)
        await victim.sit_down(nursery, OpenListen(victim.port, victim.persona))
        await self._all_told(self.people, SeatReturned, victim, f"{victim.name} has the seat again")
        await self._chat({victim: self.plan.back})
        self.room.hold(False)

    async def _kill_coordinator(self, nursery: trio.Nursery) -> None:
        victim = self.coordinator
        await self._middle_of_hand()
        self.room.hold(True)
        await self.until(self._still, "nothing moves at the table")
        before, place = victim.view, self._place()
        self.teller.tell(DEMO, place)
        self._kill(victim)
        await self._all_told(self.listeners, PlayerLost, victim, f"the listeners notice that {victim.name} is away")
        await self._start_again(victim)
        await victim.sit_down(nursery, OpenResume(persona=victim.persona))
        await self.until(
            lambda: self._all_here() and self._still() and victim.view.phase == "play",
            "the game goes on with the same listeners",
        )
        if (victim.view.head, victim.view.trick) != (before.head, before.trick):
            raise Failure(f"The game did not go on where it was. Before: {place} After: {self._place()}", UNEXPECTED)
        self.teller.tell(DEMO, f"All is as before. {self._place()}")
        await self._chat({victim: self.plan.back})
        self.room.hold(False)

    async def _middle_of_hand(self) -> None:
        dealer = self.coordinator
        await self.until(lambda: dealer.view.hand > 0 and dealer.view.phase == "play", "the first hand is dealt")
        dealt = max(seat.cards for seat in dealer.view.seats)
        moves = math.ceil(dealt * self.plan.moment)
        await self.until(
            lambda: dealer.moves() >= moves or dealer.was_told(GameWon), f"{moves} moves of a hand are made"
        )
        if dealer.was_told(GameWon):
            raise Failure(
                "The game was over before anybody could be killed in it. Let it go on longer: --points", USAGE
            )

    def _kill(self, victim: Participant) -> None:
        self.teller.tell(DEMO, f"kill -9 {victim.pid}: the daemon of {victim.name} dies in the middle of the hand.")
        victim.kill()

    async def _start_again(self, victim: Participant) -> None:
        self.teller.wait(f"Starting the daemon of {victim.name} again ...")
        await victim.start()
        where = "" if victim.coordinates else f", and listens on the same port {victim.port}"
        self.teller.tell(DEMO, f"The daemon of {victim.name} is started again, pid {victim.pid}{where}.")

    def _all_here(self) -> bool:
        """Everybody sees everybody at the table."""
        tables = [[person.link for person in one.view.people] for one in self.people]
        return all(len(links) == PEOPLE and "away" not in links for links in tables)

    def _still(self) -> bool:
        """Everybody has seen the same, and the table waits for one of the people."""
        heads = {one.view.head for one in self.people}
        return len(heads) == 1 and any(one.turn for one in self.people)

    def _place(self) -> str:
        """How far the game is."""
        view = self.coordinator.view
        trick = f", {cards_text([card for _, card in view.trick], PLAIN)} in the trick" if view.trick else ""
        turn = names_text(tuple([one.name for one in self.people if one.turn]))
        return f"Hand {view.hand}{trick}; it is the turn of {turn}. {view.records} records, head {view.head[:16]}."

    def _was_played_for(self, victim: Participant) -> bool:
        """Whether their character has made a move."""
        told = self.coordinator.told
        taken = [place for place, one in enumerate(told) if isinstance(one, SeatTakenOver) and one.name == victim.name]
        return any(isinstance(one, Acted) and one.name == victim.name for one in told[taken[0] :])

    # --- waiting ------------------------------------------------------------------------------------------------------

    async def until(self, condition: Callable[[], bool], what: str, *, steady: bool = False) -> None:
        """Wait until the condition holds; what: the same as a clause. steady: as long as news comes, more may come.
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
            why = f"The demo waited {PATIENCE:.0f} seconds until {what}, and that did not happen."
            raise Failure(why, UNEXPECTED)

    async def _all_told(
        self, people: Sequence[Participant], kind: type[Happening], about: Participant, what: str
    ) -> None:
        await self.until(lambda: all(one.was_told(kind, name=about.name) for one in people), what)

    async def _chat(self, lines: dict[Participant, str]) -> None:
        """Each says their line, and all who are there hear it."""
        for speaker, text in lines.items():
            await speaker.say(text)
            await self.until(partial(self._all_heard, text), f"everybody has heard {speaker.name}")

    def _all_heard(self, text: str) -> bool:
        return all(one.was_told(Said, text=text) for one in self.people if one.pid)

    # --- the logs -----------------------------------------------------------------------------------------------------

    def _compare_logs(self) -> None:
        verdicts = [self._verdict(one) for one in self.people]
        for other in verdicts[1:]:
            compared = comparison(verdicts[0], other)
            if not compared["same_game"] or compared["forked_at"] or len(set(compared["records"])) > 1:
                raise Failure(" ".join(comparison_lines(compared)), DAMAGED)
        names = names_text(tuple([one.name for one in self.people]))
        self.teller.tell("", f"The heads are equal: the logs of {names} tell the same game, and every hand is proven.")

    def _verdict(self, person: Participant) -> LogVerdict:
        """What their log proves, which is told."""
        logs = list_logs(person.home)
        if len(logs) != 1:
            raise Failure(f"{person.name} has {len(logs)} logs instead of one.", UNEXPECTED)
        name = f"{person.name}'s log {logs[0].path.stem}"
        try:
            verdict = judge(name, read_log(logs[0].path), Known({}, b""))
        except DamagedLog as damaged:
            verdict = judge(name, damaged, Known({}, b""))
        data = verdict.data
        if verdict.state != "finished":
            raise Failure(sentence(f"{name} is {verdict.state}{': ' + data['why'] if 'why' in data else ''}"), DAMAGED)
        scores = ", ".join(f"{seat['name']} {seat['score']}" for seat in data["seats"])
        self.teller.tell(
            "", f"{name}: {data['name']}, {data['records']} records, verified. {scores}. Head {data['head']}"
        )
        return verdict
