"""A listener's table: the link to the coordinator, the people there, the games that go on, and what happens across them
when a link begins or ends and when a game does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from p2pcards.games.game import AnyGame
from p2pcards.games.options import OptionError, options_from
from p2pcards.games.registry import GAMES
from p2pcards.ledger.fair import chain_value
from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.payloads import LEFT, Start, start_payloads
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.session.coordinator_link import CoordinatorLink
from p2pcards.session.deputy import Deputy
from p2pcards.session.effects import Effect, PeerId, Remember, Tell, UseLog
from p2pcards.session.followed_game import FollowedGame
from p2pcards.session.header_parts import HeaderParts
from p2pcards.session.hints import Hints
from p2pcards.session.liveness import Pulse
from p2pcards.session.looked_on import LookedOnGame
from p2pcards.session.me import Me
from p2pcards.session.own_seat import allowed_assists
from p2pcards.session.people import PeopleHere
from p2pcards.session.presence import Presence, PresenceStep
from p2pcards.session.talk import Talk
from p2pcards.views.cast import Cast, character_name
from p2pcards.views.happenings import AgainAnswered, Notice, PlayerJoined, PlayerLeft, PlayerLost
from p2pcards.views.table_view import Standpoint, table_view
from p2pcards.views.tableview import PersonView, ProposalView, TableView
from p2pcards.views.telling import tell_start
from p2pcards.wire.clean import clean
from p2pcards.wire.entries import VALUE, EntryKind
from p2pcards.wire.frame import Frame
from p2pcards.wire.header import NAME, VERSION, Header, decode_header
from p2pcards.wire.keys import fingerprint
from p2pcards.wire.messages import Clocks, ClockState, HeaderPart, Hello, LookOn, Offer, RecordMessage, Resume, Stake
from p2pcards.wire.reasons import ByeCode, CloseReason
from p2pcards.wire.refused import Cause, Refused

NOT_OURS = {
    ByeCode.OTHER_VERSION: "spoke another version of the protocol; both need the same version of p2pcards",
    ByeCode.SAME_ROLE: "listens too; one of the two must connect",
}


class ListenerTable:
    """levels: at which computers play. game: the one that is on, or was the last, in which I have a side; None while I
    look on. agreed: whether I want to play again, None before I have said so."""

    def __init__(
        self,
        me: Me,
        cast: Cast,
        entropy: Callable[[int], bytes],
        levels: Sequence[str] = (),
    ) -> None:
        self.me = me
        self.levels = levels
        self.entropy = entropy
        self.link = CoordinatorLink()
        self.people = PeopleHere(cast)
        self.talk = Talk()
        self.hints = Hints(cast)
        self.deputy = Deputy(me.auto)
        self.game: FollowedGame | None = None
        self.agreed: bool | None = None
        self.cast = cast
        self._games: dict[bytes, LedgerFollower] = {}
        self._header = HeaderParts()
        self._announced: LookOn | None = None  # its header has not come yet
        self._looked_on: LookedOnGame | None = None
        self._stakes: dict[bytes, bytes] = {}  # the nonce of an offer -> the seed of the chain that was staked
        self._awaited: Resume | None = None  # with which the coordinator asked for a game of which no log is here
        self._clocks: tuple[tuple[ClockState, float | None], ...] = ()  # with the times at which characters take over

    # --- games that may go on here ------------------------------------------------------------------------------------

    def knows(self, game_id: bytes) -> bool:
        return game_id in self._games

    def know(self, game: LedgerFollower) -> None:
        self._games[game.position.game_id] = game

    def forget(self, game_id: bytes) -> None:
        self._games.pop(game_id, None)

    # --- the link -----------------------------------------------------------------------------------------------------

    def open(self, peer: PeerId, key: bytes, where: str, pulse: Pulse) -> list[Effect]:
        """A link, in place of an older one of the same coordinator."""
        effects = self.link.hang_up(ByeCode.REPLACED)
        self.link.open(peer, key, where, pulse)
        self.people.at(key)
        self._awaited = None
        return [*effects, *self.link.send(Hello(VERSION, False, self.me.name, self.me.character))]

    def greet(self, said: Hello) -> list[Effect]:
        if said.version != VERSION or not said.coordinates:
            code = ByeCode.OTHER_VERSION if said.version != VERSION else ByeCode.SAME_ROLE
            effects = self.link.hang_up(code)
            self.link.end()
            return [*effects, Tell(Notice(f"Somebody at {self.link.where} {NOT_OURS[code]}."))]
        self.link.greet(clean(said.name, NAME) or "the coordinator")
        if self.game is not None and self.game.follower.start.header.sides[0].key != self.link.key:
            self.game = None  # it waits for its own coordinator
        self._announced = self._looked_on = None
        character = self.people.character(said.character)
        return [Tell(PlayerJoined(self.link.name, character, self.link.where))]

    def lose(self, why: str, left: bool = False) -> list[Effect]:
        """The link is over. left: the coordinator has left for good, and nobody waits for them."""
        greeted = self.link.greeted
        self.link.end()
        self._clocks = ()
        self._header.forget()
        self.people.lose_sight()
        if left and self.position is not None and self.position.phase is not Phase.CLOSED:
            self.game = self._looked_on = None
        lost = PlayerLeft if left else PlayerLost
        return [Tell(lost(self.link.name, why))] if greeted else []

    def leave(self) -> list[Effect]:
        """For good, also the game that is on."""
        effects: list[Effect] = []
        if self.game is not None and self.game.position.phase is not Phase.CLOSED:
            told = self.link.greeted
            effects += [Remember(LEFT)] * (2 if told else 1)
            self.game.follower.leave(told)
        self.game = self._looked_on = None
        effects += self.link.hang_up(ByeCode.LEAVES)
        self.link.end(PresenceStep.LEAVES)
        self.people.forget()
        self._clocks = ()
        return effects

    # --- a game begins, or goes on ------------------------------------------------------------------------------------

    def stake(self, said: Offer) -> list[Effect]:
        """The end of a new chain, the same for the same offer."""
        seed = self._stakes.get(said.nonce) or self.entropy(VALUE)
        self._stakes = {said.nonce: seed}
        self.agreed = None
        return self.link.send(Stake(said.nonce, chain_value(seed, 0)))

    def take_header(self, said: HeaderPart, now: float) -> list[Effect]:
        """Raises Refused."""
        frame = self._header.add(said)
        if frame is None or (self.game is not None and self.game.follower.start.frame == frame):
            return []  # more of it follows, or it came twice
        header = decode_header(frame)
        if self._announced is not None:
            return self._begin_looking_on(self._announced, frame, header)
        side, seed = self._check_header(header)
        follower = LedgerFollower(self.me.identity, Start(side, seed, frame, header))
        position = follower.position
        if position.game_id in self._games:
            raise Refused(Cause.HISTORY, "This game has begun already.")
        awaited = self._awaited if self._awaited and self._awaited.game_id == position.game_id else None
        if not seed and awaited is None:
            raise Refused(Cause.FAIRNESS, "The header gives me another chain than mine.")
        self._stakes, self._awaited = {}, None
        self._games[position.game_id] = follower
        self.game, self._looked_on = self._follow(follower), None
        effects: list[Effect] = [UseLog(header.game, position.game_id, new=True)]
        effects += [Remember(payload) for payload in start_payloads(side, seed, frame)]
        effects.append(Tell(tell_start(position, self.cast)))
        if awaited is not None:
            return effects + self.game.await_records(awaited.count, now)
        self.link.step(PresenceStep.HEADER)
        return effects + self.game.what_is_due()

    def _check_header(self, header: Header) -> tuple[int, bytes]:
        """My side, and the seed of my chain (empty where it is not one of mine, as when this game's log was lost here).
        Raises Refused."""
        side = header.side_of(self.me.key)
        if header.sides[0].key != self.link.key or not side:
            raise Refused(Cause.SIGNATURE, "The header is not this coordinator's, or leaves me out.")
        seeds = [seed for seed in self._stakes.values() if chain_value(seed, 0) == header.sides[side].end]
        return side, seeds[0] if seeds else b""

    def announce_game(self, said: LookOn) -> None:
        """A game is on in which I have no side; its header follows."""
        self._announced = said
        self.link.step(PresenceStep.LOOK_ON)

    def _begin_looking_on(self, said: LookOn, frame: Frame, header: Header) -> list[Effect]:
        """Raises Refused."""
        if header.sides[0].key != self.link.key or header.side_of(self.me.key) is not None:
            raise Refused(Cause.SIGNATURE, "The header is not this coordinator's, or gives me a side.")
        self._looked_on = LookedOnGame(said, frame, header, self.cast)
        self.game = self._announced = None
        return self._looked_on.begin()

    def look(self, said: RecordMessage) -> list[Effect]:
        """A record of the game that I look on at. Raises Refused."""
        if self._looked_on is None:
            raise Refused(Cause.SHAPE, "A record came before the header.")
        return self._looked_on.take(said)

    def resume(self, said: Resume, now: float) -> list[Effect]:
        """The coordinator asks how far my log of a game goes. Raises Refused."""
        follower = self._games.get(said.game_id)
        if follower is None:
            self._awaited = said if said.count else None
            return self.link.send(Resume(said.game_id, 0, bytes(32)))
        if follower.start.header.sides[0].key != self.link.key:
            raise Refused(Cause.SEAT, "That game has another coordinator.")
        log = UseLog(follower.position.game.key, said.game_id, new=False)
        if follower.left and not follower.told:
            follower.leave(told=True)
            goodbye = [log, Remember(LEFT), *self.link.hang_up(ByeCode.LEAVES)]
            return [*goodbye, *self.lose("was told that you have left that game")]
        if self.game is None or self.game.follower is not follower:
            self.game = self._follow(follower)
        return [log, *self.game.resume(said.count, now)]

    def _follow(self, follower: LedgerFollower) -> FollowedGame:
        return FollowedGame(follower, self.link, self.cast, self.deputy, self.entropy)

    def answer_again(self, yes: bool) -> Effect:
        """Whether I want to play again."""
        self.agreed = yes
        return Tell(AgainAnswered(self.me.name, yes))

    def set_clocks(self, said: Clocks, now: float) -> None:
        self._clocks = tuple([(state, None if left is None else now + left) for state, left in said.clocks])

    # --- what the person here sees ------------------------------------------------------------------------------------

    @property
    def position(self) -> Position | None:
        """Of the game that is on or was the last, whether I have a side in it or look on."""
        if self._looked_on is not None:
            return self._looked_on.position
        return self.game.position if self.game else None

    @property
    def looks_on(self) -> bool:
        """Whether a game is on at which I look on."""
        position = self.position
        return self._looked_on is not None and (position is None or position.phase is not Phase.CLOSED)

    def sides(self) -> frozenset[str] | None:
        """The names of those who have a side in the game that is on; None while none is, or before the coordinator has
        said that it goes on."""
        position = self.position
        if position is None or position.phase is Phase.CLOSED or self.link.presence is Presence.GREETED:
            return None
        return frozenset([side.name for side in position.header.sides])

    def view(self, now: float) -> TableView:
        position = self.position
        if position is None or position.ended is CloseReason.ENDED:
            return table_view("listener", self._rows(), self.cast, choice=self._choice())
        connected = self.link.peer is not None
        stand = Standpoint(
            position,
            self._absent(position),
            {seat: max(0.0, time - now) for seat, (_, time) in enumerate(self._clocks) if time is not None},
            may_act=self.game is not None and self.game.follower.pending is None and connected,
            turn_seconds=self._turn_seconds(self.game, now) if self.game else None,
            waiting="" if connected else "the coordinator to connect again",
            proposal=self._proposal(self.game) if self.game and connected else None,
            auto=self.deputy.shown(position),
            assists=allowed_assists(position),
        )
        return table_view("listener", self._rows(), self.cast, game=stand)

    def _proposal(self, game: FollowedGame) -> ProposalView | None:
        said = game.to_answer
        if said is None:
            return None
        return ProposalView(game.position.header.sides[said.side].name, said.what is EntryKind.REDEAL)

    def _absent(self, position: Position) -> frozenset[int]:
        """The sides that are not connected."""
        seats = position.header.seats
        away = [seat for seat, (state, _) in enumerate(self._clocks) if state is ClockState.AWAY and seat < len(seats)]
        sides = [seats[seat].side for seat in away] + ([0] if self.link.peer is None else [])
        return frozenset([side for side in sides if side is not None])

    def _turn_seconds(self, game: FollowedGame, now: float) -> float | None:
        """What is left on my turn clock, while it runs; the coordinator's clock decides."""
        clock = game.position.header.turn_clock
        if not clock or game.turn_began is None or self.link.peer is None or game.follower.pending is not None:
            return None
        return max(0.0, game.turn_began + clock - now)

    def _choice(self) -> tuple[AnyGame, Any] | None:
        game = GAMES.get(self.people.said.game or "")
        if game is None:
            return None
        try:
            return game, options_from(game.options, self.people.said.options)
        except OptionError:
            return None

    def _rows(self) -> list[PersonView]:
        people, mine = self.people.said, fingerprint(self.me.key)
        if not people.people:
            return [PersonView(self.me.name, character_name(self.cast, self.me.character), "you", "", key=mine)]
        connected, sides = self.link.peer is not None, self.sides()
        rows = []
        for place, person in enumerate(people.people):
            me, host = place == people.you, place == 0
            here = connected if host else person.here
            rows.append(
                PersonView(
                    clean(person.name, NAME),
                    self.people.character(person.character),
                    "you" if me else "here" if here else "away",
                    self.link.where if connected and host else "",
                    person.seat,
                    coordinates=host,
                    key=mine if me else fingerprint(self.link.key) if connected and host else "",
                    again=self.agreed if me else None,
                    looks_on=here and sides is not None and person.name not in sides,
                )
            )
        return rows
