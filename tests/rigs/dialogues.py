"""Dialogues of messages: real machines in a net, and what passes between the coordinator and one of its listeners,
written down as protocol/vectors/dialogues has it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from at_hand import first_rules
from p2pcards.games.game import Action
from p2pcards.ledger.payloads import read_start
from p2pcards.session.effects import Think
from p2pcards.wire import messages as wire
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.records import ActionEntry, CheckEntry, CommitEntry, Entry, read_record
from rigs.net import NAMES, Answer, Arrival, Event, Loss, Net

ANN, BOB = 0, 1
FROM_ANN, FROM_BOB, WRONG, LINK = "coordinator", "listener", "listener, wrong", "link"
LOST = {FROM_ANN: "coordinator, lost", FROM_BOB: "listener, lost"}
REFUSED = "coordinator, refused"
OPENED, OVER = "opened", "over"
PATIENCE = 60.0  # seconds


def first_action(think: Think) -> Action:
    return think.game.legal(think.view, think.seat)[0]


@dataclass(frozen=True, slots=True)
class Line:
    key: str
    value: str
    why: str


class Dialogue:
    """What passes between Ann and Bob, the first of the listeners, in the order in which Bob gets and sends it."""

    def __init__(self, name: str, listeners: int = 1) -> None:
        self.net = Net(listeners, seed=int.from_bytes(name.encode()), player=first_action)
        self.lines: list[Line] = []
        self._because: dict[type[wire.Message] | str, str] = {}
        self._noted = 0  # of all that the net has sent
        self._at_link: int | None = None
        self._waits = False  # Bob, whom nobody has said HELLO to yet on this link

    def because(self, of: type[wire.Message] | str, why: str) -> None:
        """Why the next message of this kind is sent, or the next link is opened or over."""
        self._because[of] = why

    # --- what happens ---------------------------------------------------------------------------------------------

    def say(self, i: int, name: str, *arguments: str) -> None:
        self.net.say(i, name, *arguments)
        self._note()

    def sit_down(self, game: str, *options: str) -> None:
        """As in `Net`."""
        for i in range(1, len(self.net.machines)):
            self.say(ANN, "invite", str(i))
        self.run()
        self.say(ANN, "game", game, first_rules(game))
        for option in options:
            self.say(ANN, "set", option)
        self.say(ANN, "start")

    def step(self, event: Event | None = None) -> None:
        """The next event, or this one; what Bob's player decides upon it follows at once."""
        queue = self.net.queue
        event = event or queue[0]
        queue.remove(event)
        if isinstance(event, Arrival) and event.machine == BOB:
            self._add(FROM_ANN, event.message)
            self._waits = False
            self._note()
        self.net.deliver(event)
        self._note()
        for decision in [one for one in queue if isinstance(one, Answer) and one.machine == BOB]:
            self.step(decision)

    def until(self, done: Callable[[], bool]) -> None:
        """Time passes where nothing is under way."""
        while not done():
            if self.net.queue:
                self.step()
            else:
                assert self.net.pass_time(self.net.now + PATIENCE), "it never comes to that"
                self._note()

    def run(self) -> None:
        """Until nothing is under way."""
        self.until(lambda: not self.net.queue)

    def cut(self) -> None:
        """The line breaks, and what is on its way is lost."""
        under_way = [one for one in self.net.queue if isinstance(one, Arrival)]
        links = self.net.links
        mine = [one for one in under_way if one.machine == ANN and links[ANN, one.peer][0] == BOB]
        said = [place for place, line in enumerate(self.lines) if line.key == FROM_BOB]
        for place in said[len(said) - len(mine) :]:
            self.lines[place] = replace(self.lines[place], key=LOST[FROM_BOB])
        for one in under_way:
            if one.machine == BOB:
                self._add(LOST[FROM_ANN], one.message)
        self.net.cut_all(BOB)
        self.hear_of_the_end()

    def restart_ann(self) -> None:
        """Their program ends, and begins again with the log that it used last, as it is now."""
        self.net.crash(ANN)
        self.hear_of_the_end()

    def hear_of_the_end(self) -> None:
        """What Bob's end hears of a link that is over."""
        for event in [one for one in self.net.queue if isinstance(one, Loss) and one.machine == BOB]:
            self.step(event)

    def send_instead(self, why: str, wrong: bytes) -> None:
        """Something that a listener may not say arrives in place of the message of Bob's that is under way."""
        peer = next(peer for (i, peer), (other, _) in self.net.links.items() if (i, other) == (ANN, BOB))
        under_way = [one for one in self.net.queue if isinstance(one, Arrival) and one.peer == peer]
        if under_way:
            self.net.queue.remove(under_way[0])
            del self.lines[-1]
        self.lines.append(Line(WRONG, wrong.hex(), why))
        self.net.queue.append(Arrival(ANN, peer, wrong))

    def send_more(self, why: str, wrong: bytes) -> None:
        """The same, where nothing of Bob's is under way."""
        peer = next(peer for (i, peer), (other, _) in self.net.links.items() if (i, other) == (ANN, BOB))
        self.lines.append(Line(WRONG, wrong.hex(), why))
        self.net.queue.append(Arrival(ANN, peer, wrong))

    def forge(self, why: str, *messages: wire.Message, refused: bool = False) -> None:
        """What no honest coordinator says arrives at Bob. refused: they hang up on the last one, as it cannot be."""
        peer = next(peer for (i, peer), (other, _) in self.net.links.items() if (i, other) == (BOB, ANN))
        for message in messages:
            data = wire.encode_message(message)
            self.lines.append(Line(REFUSED if refused and message is messages[-1] else FROM_ANN, data.hex(), why))
            self.net.deliver(Arrival(BOB, peer, data))
            if self.lines[-1].key == FROM_ANN:
                self._note()
        if refused:
            said = wire.decode_message(self.net.sent[-1][2])
            assert isinstance(said, wire.Bye) and said.code is ByeCode.BROKE_PROTOCOL

    # --- what is written down -------------------------------------------------------------------------------------

    def _note(self) -> None:
        """What came of a step."""
        at_link = self.net.listener(BOB).link.peer
        if at_link != self._at_link:
            if self._at_link is not None:
                self._add_link(OVER)
            if at_link is not None:
                self._add_link(OPENED)
            self._at_link, self._waits = at_link, at_link is not None
        if self._waits:
            return
        for sender, _, message in self.net.sent[self._noted :]:
            if sender == BOB:
                self._add(FROM_BOB, message)
        self._noted = len(self.net.sent)

    def _add_link(self, what: str) -> None:
        usual = {OPENED: "Ann opens a stream, and both prove who they are", OVER: "the stream is over"}[what]
        self.lines.append(Line(LINK, what, self._because.pop(what, usual)))

    def _add(self, key: str, data: bytes) -> None:
        message = wire.decode_message(data)
        self.lines.append(Line(key, data.hex(), self._because.pop(type(message), "") or usual_reason(key, message)))

    def passed(self) -> list[wire.Message]:
        """What has arrived at Bob, or was sent by them and has not been lost."""
        return [
            wire.decode_message(bytes.fromhex(line.value)) for line in self.lines if line.key in (FROM_ANN, FROM_BOB)
        ]

    @property
    def chain_seeds(self) -> list[bytes]:
        """Of the games that Bob has begun."""
        return [read_start(log).seed for log in self.net.logs[BOB].values()]


def usual_reason(key: str, message: wire.Message) -> str:
    mine = key.startswith(FROM_BOB)
    match message:
        case wire.Hello():
            return "Bob answers with their own HELLO" if mine else "Ann, who opened it, speaks first"
        case wire.People():
            return "who is at the table, and what is to be played"
        case wire.Offer():
            return "a game is to begin: give the end of a new chain"
        case wire.Stake():
            return "the end of Bob's chain"
        case wire.HeaderPart(part, parts):
            return f"part {part + 1} of {parts} of the header"
        case wire.Resume(_, 0) if mine and message.head == bytes(32):
            return "Bob has nothing of this game, not even its header"
        case wire.Resume(_, count):
            return f"{'Bob' if mine else 'Ann'} has {count} records of this game"
        case wire.RecordMessage(number, record):
            return f"record {number}: {named(first_entry(record))}"
        case wire.MoveMessage(record):
            return named(first_entry(record))
        case wire.Taken(number, _, rest):
            return f"Bob's move is record {number}; " + (
                "this stands behind it" if rest else "nothing stands behind it"
            )
        case wire.Clocks():
            return "who is here"
        case wire.Again():
            return f"{'Bob' if mine else 'Ann'} would like to play again"
        case wire.Ask(first):
            return f"Ann lacks what Bob has from record {first} on"
        case wire.Have(number, record):
            return f"record {number}, without faces: {named(first_entry(record))}"
        case wire.RefusedMove(base):
            return f"what builds on {base} was not taken"
        case wire.Doors():
            return "where the listeners find each other, should Ann be gone"
        case wire.Pong() | wire.Vote():
            return "the answer"
        case wire.Bye(code):
            return f"{'Bob' if mine else 'Ann'} hangs up, as {code.sentence}"
        case _:
            raise ValueError(message)


def first_entry(record: bytes) -> Entry:
    return read_record(record)[1][0]


def named(entry: Entry) -> str:
    kind = entry.kind.name
    match entry:
        case ActionEntry(seat=seat) | CommitEntry(seat=seat):
            return f"{kind} of seat {seat}"
        case CheckEntry(side=side):
            return f"{kind} of {NAMES[side]}"
        case _:
            return kind


def file_lines(what: str, dialogue: Dialogue) -> list[tuple[str, str]]:
    """Keys and values of a file of protocol/vectors/dialogues."""
    net = dialogue.net
    head = [
        ("expect", "ok"),
        ("what", what),
        ("type", "dialogue"),
        ("private key", net.keys[BOB].private_bytes_raw().hex()),
        ("key of the coordinator", public_bytes(net.keys[ANN]).hex()),
        *[("chain seed", seed.hex()) for seed in dialogue.chain_seeds],
    ]
    return head + [pair for line in dialogue.lines for pair in (("why", line.why), (line.key, line.value))]
