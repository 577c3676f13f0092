"""A listener: she waits for a coordinator, follows the games that are chosen, plays her seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from p2pcards.games.game import Action
from p2pcards.games.registry import GAMES
from p2pcards.games.spelling import spell
from p2pcards.ledger.fair import chain_value
from p2pcards.ledger.follower import LedgerFollower, Received
from p2pcards.ledger.payloads import PENDING, RECORD, Start, start_payloads
from p2pcards.session.chatting import clean_chat, heard
from p2pcards.session.effects import (
    Close,
    CommandError,
    Effect,
    Peer,
    Proceed,
    Remember,
    Send,
    Tell,
    Think,
    UseLog,
    WakeAt,
)
from p2pcards.session.listener_commands import COMMANDS
from p2pcards.session.listener_view import listeners_view
from p2pcards.session.liveness import Pulse
from p2pcards.session.me import Me
from p2pcards.views.cast import Cast, character_name
from p2pcards.views.commands import Command
from p2pcards.views.game_view import seat_name
from p2pcards.views.happenings import (
    ActionOutdated,
    ActionRefused,
    AgainAnswered,
    GameChosen,
    GameStarted,
    Hinted,
    Notice,
    PlayerBack,
    PlayerJoined,
    PlayerLost,
)
from p2pcards.views.tableview import TableView
from p2pcards.views.telling import tell
from p2pcards.wire.clean import clean
from p2pcards.wire.entries import SALT, VALUE, CheckEntry
from p2pcards.wire.frame import MAX_FRAME, split_frame
from p2pcards.wire.header import NAME, VERSION, Header, decode_header
from p2pcards.wire.messages import (
    Again,
    Ask,
    Bye,
    Chat,
    Clocks,
    Have,
    HeaderPart,
    Hello,
    Message,
    MoveMessage,
    Offer,
    People,
    Ping,
    Pong,
    Quick,
    RecordMessage,
    RefusedMove,
    Resume,
    Stake,
    decode_message,
    encode_message,
)
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.record import Record
from p2pcards.wire.refused import Cause, Refused


@dataclass
class Coordinating:
    """The link to the coordinator. greeted: she has said hello."""

    peer: Peer
    key: bytes
    where: str
    pulse: Pulse
    greeted: bool = False
    name: str = ""


class Listener:
    """One place to wait at, through any number of games and coordinators, one of them at a time."""

    def __init__(
        self,
        me: Me,
        *,
        entropy: Callable[[int], bytes],
        now: float,
        cast: Cast,
        logs: Sequence[Sequence[bytes]] = (),
    ) -> None:
        self.me = me
        self.entropy = entropy
        self.cast = cast
        self.link: Coordinating | None = None
        restored = [LedgerFollower.restored(me.identity, log) for log in logs]
        self.games = {one.position.game_id: one for one in restored}
        self.game: LedgerFollower | None = None
        self.stakes: dict[bytes, bytes] = {}  # the nonce of an offer -> the seed of the chain that was staked
        self.header = b""  # the parts of a header that have come so far
        self.header_parts = 0
        self.people = People((), 0, None, ())
        self.people_of = b""  # the key of the coordinator who told them
        self.target = 0  # records that the coordinator had when this link began
        self.syncing = False  # they are still coming
        self.clocks: tuple[tuple[int, float | None], ...] = ()
        self.turn_began: float | None = None
        self.thinking: Think | None = None  # what my computer player was asked, and has not answered
        self.fresh: list[Received] = []  # records that are kept, of which nothing has been told yet
        self.chats = 0
        self.agreed: bool | None = None

    # --- links --------------------------------------------------------------------------------------------------------

    def joined(
        self, peer: Peer, key: bytes, where: str, now: float, address: str = "", pace: float = 0.0
    ) -> list[Effect]:
        effects: list[Effect] = []
        if self.link is not None:
            if self.link.key != key:
                return [Send(peer, encode_message(Bye(ByeCode.TAKEN))), Close(peer)]
            effects = [Send(self.link.peer, encode_message(Bye(ByeCode.REPLACED))), Close(self.link.peer)]
        self.link, self.target = Coordinating(peer, key, where, Pulse(now, pace)), 0
        if key != self.people_of:
            self.people, self.people_of = People((), 0, None, ()), key
        hello = Hello(VERSION, False, self.me.name, self.me.character)
        return [*effects, Send(peer, encode_message(hello)), *self._wake(now)]

    def receive(self, peer: Peer, message: bytes, now: float) -> list[Effect]:
        link = self.link
        if link is None or link.peer != peer:
            return []
        link.pulse.hear(now)
        try:
            effects = self._receive(link, decode_message(message), now)
        except Refused as refusal:
            goodbye = Send(peer, encode_message(Bye(ByeCode.BROKE_PROTOCOL, str(refusal)[:200])))
            effects = [goodbye, Close(peer), *self._lose(f"sent something that cannot be: {refusal}")]
        return effects if effects and isinstance(effects[-1], Proceed) else effects + self._wake(now)

    def lost(self, peer: Peer, why: str, now: float) -> list[Effect]:
        if self.link is None or self.link.peer != peer:
            return []
        return self._lose(why)

    def dial_failed(self, address: str, why: str, now: float, again: bool = True) -> list[Effect]:
        return []

    def _lose(self, why: str) -> list[Effect]:
        link = self.link
        self.link, self.clocks = None, ()
        self.header, self.header_parts = b"", 0
        gone = tuple([replace(person, here=False) for person in self.people.people])
        self.people = replace(self.people, people=gone)  # who is here, the coordinator will say when she is back
        if link is None or not link.greeted:
            return []
        return [Tell(PlayerLost(name=link.name, why=why, seconds=None, character=""))]

    def send(self, message: Message) -> list[Effect]:
        return [Send(self.link.peer, encode_message(message))] if self.link is not None else []

    def stopping(self) -> list[Effect]:
        """The program ends; my seat waits for me."""
        return self.send(Bye(ByeCode.STOPPED))

    # --- messages -----------------------------------------------------------------------------------------------------

    def _receive(self, link: Coordinating, message: Message, now: float) -> list[Effect]:
        if not link.greeted and not isinstance(message, Hello | Bye):
            raise Refused(Cause.SHAPE, "A link begins with HELLO.")
        match message:
            case Hello():
                return self._hello(link, message)
            case Bye(code, text):
                why = code.sentence + (f" ({clean(text, 200)})" if text else "")
                return [Close(link.peer), *self._lose(why)]
            case Ping(number):
                return self.send(Pong(number))
            case Pong(number):
                link.pulse.pong(number, now)
                return []
            case Chat(author, number, text):
                return [heard(Chat(author, number, clean_chat(text)), self._name_of(author))]
            case Quick(author):
                return [heard(message, self._name_of(author))]
            case People():
                return self._see_people(message)
            case Offer(nonce):
                seed = self.stakes.get(nonce) or self.entropy(VALUE)
                self.stakes = {nonce: seed}
                self.agreed = None
                return self.send(Stake(nonce, chain_value(seed, 0)))
            case Again(side, yes):
                return [Tell(AgainAnswered(name=self._name_of(side), yes=yes))]
            case _:
                return self._game_message(link, message, now)

    def _game_message(self, link: Coordinating, message: Message, now: float) -> list[Effect]:
        match message:
            case HeaderPart(part, parts, data):
                return self._header_part(link, part, parts, data)
            case Resume(game_id, count):
                return self._resume(link, game_id, count)
            case RecordMessage(number, record):
                return self._record(number, record, now)
            case RefusedMove(base, code, text):
                return self._refused(base, code, clean(text, 200))
            case Clocks(clocks):
                self.clocks = tuple([(state, None if left is None else now + left) for state, left in clocks])
                return []
            case Ask(first):
                return self._give_records(first)
            case _:
                raise Refused(Cause.SHAPE, "A coordinator does not send this.")

    def _hello(self, link: Coordinating, message: Hello) -> list[Effect]:
        if message.version != VERSION or not message.coordinates:
            code = ByeCode.OTHER_VERSION if message.version != VERSION else ByeCode.SAME_ROLE
            self.link = None
            ours = {
                ByeCode.OTHER_VERSION: "spoke another version of the protocol; both need the same version of p2pcards",
                ByeCode.SAME_ROLE: "listens too; one of the two must connect",
            }
            text = f"Somebody at {link.where} {ours[code]}."
            return [Send(link.peer, encode_message(Bye(code))), Close(link.peer), Tell(Notice(text=text))]
        if link.greeted:
            raise Refused(Cause.SHAPE, "HELLO is said once.")
        link.greeted = True
        if self.game is not None and self.game.start.header.sides[0].key != link.key:
            self.game = None  # it waits for its own coordinator
        link.name = clean(message.name, NAME) or "the coordinator"
        return [Tell(PlayerJoined(name=link.name, character=self.character(message.character), where=link.where))]

    def _name_of(self, place: int) -> str:
        people = self.people.people
        return clean(people[place].name, NAME) if place < len(people) else "somebody"

    def character(self, key: str) -> str:
        return character_name(self.cast, clean(key, NAME))

    def _see_people(self, message: People) -> list[Effect]:
        if message.you >= len(message.people) or not message.people:
            raise Refused(Cause.SHAPE, "The list of people does not fit.")
        effects: list[Effect] = []
        before = {person.name: person.here for person in self.people.people}
        mine = message.people[message.you].name
        for person in message.people[1:]:
            name = clean(person.name, NAME)
            if person.name == mine or before.get(person.name) == person.here:
                continue
            if person.here:
                character = self.character(person.character)
                back = person.name in before
                effects.append(Tell(PlayerBack(name) if back else PlayerJoined(name, character, "")))
            elif person.name in before:
                character = self.character(person.character)
                effects.append(Tell(PlayerLost(name=name, why="the line was lost", seconds=None, character=character)))
        if message.game != self.people.game and message.game in GAMES:
            effects.append(Tell(GameChosen(game=GAMES[message.game].name, preset="")))
        self.people = message
        return effects

    # --- a game begins, or goes on ------------------------------------------------------------------------------------

    def _header_part(self, link: Coordinating, part: int, parts: int, data: bytes) -> list[Effect]:
        if part == 0:
            self.header, self.header_parts = b"", 0
        if part != self.header_parts or part >= parts or len(self.header) + len(data) > MAX_FRAME + 2:
            raise Refused(Cause.SHAPE, "The parts of a header came out of order.")
        self.header += data
        self.header_parts += 1
        if self.header_parts < parts:
            return []
        frame, rest = split_frame(self.header)
        if rest:
            raise Refused(Cause.LENGTH, "Something follows the header.")
        if self.game is not None and self.game.start.frame == frame:
            return []  # it came twice
        header = decode_header(frame)
        side, seed = self._check_header(link, header)
        follower = LedgerFollower(self.me.identity, Start(side, seed, frame, header))
        position = follower.position
        if position.game_id in self.games:
            raise Refused(Cause.HISTORY, "This game has begun already.")
        self.games[position.game_id] = follower
        self.game, self.syncing = follower, self.target > 0
        self.thinking = None
        effects: list[Effect] = [UseLog(header.game, position.game_id)]
        effects += [Remember(payload) for payload in start_payloads(side, seed, frame)]
        names = tuple([seat_name(position, seat, self.cast) for seat in range(len(header.seats))])
        effects.append(Tell(GameStarted(game=position.game.name, seats=names)))
        return effects if self.syncing else effects + self._what_is_due(follower)

    def _check_header(self, link: Coordinating, header: Header) -> tuple[int, bytes]:
        """My side, and the seed of my chain (empty when this game's log was lost here). Raises Refused."""
        side = header.side_of(self.me.key)
        if header.sides[0].key != link.key or not side:
            raise Refused(Cause.SIGNATURE, "The header is not this coordinator's, or leaves me out.")
        seeds = [seed for seed in self.stakes.values() if chain_value(seed, 0) == header.sides[side].end]
        if not seeds and self.target == 0:
            raise Refused(Cause.FAIRNESS, "The header gives me another chain than mine.")
        self.stakes = {}
        return side, seeds[0] if seeds else b""

    def _resume(self, link: Coordinating, game_id: bytes, count: int) -> list[Effect]:
        self.target = count
        follower = self.games.get(game_id)
        if follower is None:
            return self.send(Resume(game_id, 0, bytes(32)))
        if follower.start.header.sides[0].key != link.key:
            raise Refused(Cause.SEAT, "That game has another coordinator.")
        if follower.left:
            return [
                *self.send(Bye(ByeCode.LEAVES)),
                Close(link.peer),
                *self._lose("was told that you have left that game"),
            ]
        self.game = follower
        self.thinking = None
        position = follower.position
        effects: list[Effect] = [UseLog(position.game.key, game_id)]
        effects += self.send(Resume(game_id, position.count, position.head))
        self.syncing = position.count < count
        return effects if self.syncing else effects + self._synced(follower)

    def _give_records(self, first: int) -> list[Effect]:
        if self.game is None or first > self.game.position.count:
            raise Refused(Cause.HISTORY, "Those records are not here.")
        records = self.game.records[first:]
        return [
            effect
            for number, record in enumerate(records, first)
            for effect in self.send(Have(number, bytes(Record(record.frames, None, record.opening))))
        ]

    # --- records ------------------------------------------------------------------------------------------------------

    def _record(self, number: int, data: bytes, now: float) -> list[Effect]:
        follower = self.game
        if follower is None:
            raise Refused(Cause.HISTORY, "A record came before its header.")
        position = follower.position
        ahead = (number - position.count) & 255
        if ahead == 0:
            self.fresh = [follower.take(data)]
        elif ahead == 1 and follower.owes_check():  # mine stands before it, and is not sent back to me
            self.fresh = follower.take_after_check(data)
        elif ahead > 128:
            return []  # a repeated record
        else:
            return self.send(Resume(position.game_id, position.count, position.head))
        return [*[Remember(RECORD + bytes(received.record)) for received in self.fresh], Proceed()]

    def proceed(self, now: float) -> list[Effect]:
        fresh, follower, self.fresh = self.fresh, self.game, []
        if not fresh or follower is None:
            return []
        stories = [tell(received.before, received.after, received.entries[0], self.cast) for received in fresh]
        effects: list[Effect] = [Tell(happening) for story in stories for happening in story]
        effects += self._after_record(follower, fresh[-1], now)
        follower.position.precompute()
        return effects + self._wake(now)

    def _after_record(self, follower: LedgerFollower, received: Received, now: float) -> list[Effect]:
        """What a new record asks of this side."""
        choosing = received.after.simultaneous and self.turn_began is not None
        if not follower.owes_move():
            self.turn_began = None
        elif not choosing:
            self.turn_began = now
        self.thinking = None
        if self.syncing and received.after.count >= self.target:
            return self._synced(follower)
        checked = isinstance(received.entries[0], CheckEntry)
        return [] if self.syncing or checked else self._what_is_due(follower)

    def _synced(self, follower: LedgerFollower) -> list[Effect]:
        """Every record is here again: a move that was signed but is not among them goes out once more."""
        self.syncing, self.target = False, 0
        pending = follower.pending
        if pending is not None and follower.is_current():
            return self.send(MoveMessage(bytes(pending.record)))
        return self._what_is_due(follower)

    def _what_is_due(self, follower: LedgerFollower) -> list[Effect]:
        """What this side owes now: its check, or its computer's move."""
        if follower.owes_check():
            return self.send(MoveMessage(bytes(follower.check())))
        pending = follower.pending
        if pending is None or follower.is_current() or not follower.owes_move():
            return self._think()
        if follower.still_meant():  # a move on an old base is never taken, so this one cannot come twice
            return self.play(follower, pending.action)
        follower.pending = None
        return [Tell(ActionOutdated(words=spell(pending.action))), *self._think()]

    def _think(self) -> list[Effect]:
        follower = self.game
        if self.me.auto is None or follower is None or follower.pending or not follower.owes_move():
            return []
        position = follower.position
        if self.thinking is not None or position.seat is None:
            return []
        seed = int.from_bytes(self.entropy(8), "big")
        self.thinking = Think(position.seat, position.game, position.state, self.me.auto, seed)
        return [self.thinking]

    def _refused(self, base: int, code: int, text: str) -> list[Effect]:
        """My move was not taken: sent again by itself only if it answers the very decision that is still open."""
        follower = self.game
        pending = follower.pending if follower else None
        if follower is None or pending is None or pending.entry.base != base:
            return []
        if code == 0 and not follower.is_current():
            return self._what_is_due(follower)
        follower.pending = None
        if code:
            return [Tell(ActionRefused(why=text))]
        if not follower.owes_move():
            return []
        return [Tell(ActionOutdated(words=spell(pending.action))), *self._think()]

    def play(self, follower: LedgerFollower, action: Action) -> list[Effect]:
        """Sign an action of my seat, remember it, send it."""
        record = bytes(follower.move(action, self.entropy(SALT)))
        return [Remember(PENDING + record), *self.send(MoveMessage(record))]

    # --- the person at this end ---------------------------------------------------------------------------------------

    def command(self, command: Command, now: float) -> list[Effect]:
        if command.name not in COMMANDS:
            raise CommandError(f"There is no command {command.name!r} here.")
        return COMMANDS[command.name](self, command.arguments) + self._wake(now)

    def thought(self, think: Think, action: Action, now: float) -> list[Effect]:
        if self.game is None or think is not self.thinking:
            return []
        self.thinking = None
        return [] if self.game.pending else self.play(self.game, action)

    def hinted(self, think: Think, action: Action, now: float) -> list[Effect]:
        return [Tell(Hinted(words=spell(action)))]

    # --- time ---------------------------------------------------------------------------------------------------------

    def tick(self, now: float) -> list[Effect]:
        link = self.link
        if link is None:
            return []
        if link.pulse.is_lost(now):
            return [Close(link.peer), *self._lose("did not answer any more")]
        number = link.pulse.ping_due(now)
        return [*([] if number is None else self.send(Ping(number))), *self._wake(now)]

    def _wake(self, now: float) -> list[Effect]:
        return [] if self.link is None else [WakeAt(max(self.link.pulse.next_time(), now))]

    def view(self, now: float) -> TableView:
        return listeners_view(self, now)
