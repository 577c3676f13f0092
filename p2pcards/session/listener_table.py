"""A listener's table: the link to the coordinator, the people there, the games that go on, what happens across them,
and what the person here sees of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Any, NamedTuple

from p2pcards.games.game import AnyGame
from p2pcards.games.names import GAME_NAMES
from p2pcards.games.options import OptionError, options_from_header
from p2pcards.games.registry import GAMES
from p2pcards.ledger.branches import continues_another, kept_at, quorum_of_next, successor_may_begin
from p2pcards.ledger.fair import chain_value
from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.payloads import (
    LEFT,
    RECORD,
    PlaysOn,
    Restored,
    Start,
    Succeeded,
    UntrueTakeover,
    note_payload,
    start_payloads,
)
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.session.bounds import Pulse, Talk
from p2pcards.session.doubt import Beginning, Doubt, HasPlayer, LostGame, OpenGame, OpenGames, any_player
from p2pcards.session.effects import Effect, Inheritance, Me, Neighbor, PeerId, Remember, TakeTable, Tell, UseLog
from p2pcards.session.followed_game import FollowedGame, HeaderParts, LookedOnGame, check_version
from p2pcards.session.lobby import LevelNotes
from p2pcards.session.own_seat import Deputy, HandShown, Hints, allowed_assists, shows_text
from p2pcards.session.presence import ASKED_FOR_NONE, CoordinatorLink, Presence, PresenceStep
from p2pcards.session.succession import (
    Succession,
    SuccessionStep,
    Successor,
    bases_of,
    can_continue,
    grace_of,
    line_behind,
    rank,
    too_few,
)
from p2pcards.views.happenings import (
    AgainAnswered,
    DealsThrownAway,
    GameBrokenOff,
    GameChosen,
    GameWithoutLog,
    Happening,
    LeftOutOfDeal,
    LongWaits,
    Notice,
    PlayerBack,
    PlayerJoined,
    PlayerLeft,
    PlayerLost,
    StrangeStandIn,
    TakenOverUntruly,
)
from p2pcards.views.standpoint import (
    Cast,
    Standpoint,
    character_name,
    show_hand_in_view,
    table_view,
    tell_game_chosen,
    tell_game_started,
    tell_host_changed,
    tell_options_changed,
    tell_seats_changed,
)
from p2pcards.views.tableview import PersonView, ProposalView, TableView
from p2pcards.wire.address import goes_over_serial_line, is_onion, meeting_address_of
from p2pcards.wire.clean import clean
from p2pcards.wire.keys import fingerprint
from p2pcards.wire.messages import (
    Ask,
    Bye,
    Clocks,
    ClockState,
    Door,
    Doors,
    Handover,
    Have,
    HeaderPart,
    Hello,
    LookOn,
    Offer,
    People,
    Proposal,
    RecordMessage,
    Resume,
    ShowHand,
    Stake,
    Watch,
    WatchersNow,
    bye_to_other_version,
)
from p2pcards.wire.names import given_name
from p2pcards.wire.packing import Cause, Refused
from p2pcards.wire.reasons import ByeCode, CloseReason, whose_is_older
from p2pcards.wire.records import (
    NAME,
    VALUE,
    VERSION,
    EntryKind,
    Frame,
    Header,
    Record,
    Staked,
    complete_header,
    decode_header,
)

# --- the people at the table as the coordinator last told a listener --------------------------------------------------


NOBODY = People((), 0, None, ())
NOT_IN_PEOPLE = "The list of people doesn't have this side in it, or has a watcher."


@dataclass(frozen=True, slots=True)
class WatcherHere:
    """A watcher, as shown here."""

    name: str
    key: bytes
    sees: str = ""  # the name of the player whose hand they are shown, "you" for ours; "" for nobody


class PeopleHere:
    """said: the PEOPLE of the coordinator with this key. shown: their names as they are shown at this end."""

    def __init__(self, cast: Cast, shown: Callable[[People], tuple[str, ...]]) -> None:
        self.said = NOBODY
        self.watchers: tuple[WatcherHere, ...] = ()
        self.watched_by = frozenset[bytes]()  # their keys, also once the coordinator is lost
        self.asks = False  # our player waits for the host to let them watch
        self.again: Mapping[str, bool] = {}  # the answers to "play again?", by name
        self._key = b""
        self._cast = cast
        self._shown = shown

    def follow_coordinator(self, key: bytes) -> None:
        """Forget the people of another coordinator; those to come are of the one with this key."""
        self.watchers, self.watched_by, self.asks = (), frozenset(), False
        if key != self._key:
            self.said, self._key = NOBODY, key
            self.forget_answers()

    def wait_for_host(self) -> None:
        """Note that our player watches once the host says yes."""
        self.asks = True

    def take_watchers(self, watchers: tuple[WatcherHere, ...], me: bytes) -> list[Happening]:
        """Take the list of watchers; returns what is new in it. me: the key of our player."""
        self.asks = False
        before, self.watchers = {one.key: one for one in self.watchers}, watchers
        self.watched_by = now = frozenset([one.key for one in watchers])
        told: list[Happening] = [Notice(f"{one.name} is watching.") for one in watchers if one.key not in before]
        told += [Notice(f"{one.name} is no longer watching.") for key, one in before.items() if key not in now]
        for one in watchers:
            saw = before[one.key].sees if one.key in before else ""
            for player, shows in ((saw, False), (one.sees, True)):
                if saw != one.sees and player not in ("", "you"):
                    told.append(Notice(shows_text(player, "you" if one.key == me else one.name, shows=shows)))
        return told

    def called(self, name: str) -> str:
        """The name, as shown here, of the person with this name in PEOPLE, "you" for our player."""
        names = [person.name for person in self.said.people]
        if name not in names:
            return given_name(name)
        place = names.index(name)
        return "you" if place == self.said.you else self.name_of(place)

    def take_people(self, message: People, sides: Collection[str] | None = None) -> list[Happening]:
        """Take a PEOPLE message; returns what is new in it. sides: the names of those who have a side in the game in
        progress, None while there is none. Raises Refused."""
        if (message.you or 0) >= len(message.people) or not message.people:
            raise Refused(Cause.SHAPE, "The list of people isn't valid.")
        happenings: list[Happening] = []
        before = {person.name: person.here for person in self.said.people}
        mine = "" if message.you is None else message.people[message.you].name
        called = dict(zip([person.name for person in self.said.people], self._shown(self.said), strict=True))
        for person, name in zip(message.people[1:], self._shown(message)[1:], strict=True):
            character = self.character(person.character)
            if person.name == mine or before.get(person.name) == person.here:
                continue
            if person.here:
                joined = PlayerJoined(name, character, "", sides is not None and person.name not in sides)
                happenings.append(PlayerBack(name) if person.name in before else joined)
            elif person.name in before:
                happenings.append(PlayerLost(name, "the connection dropped", None, character))
        there = {person.name for person in message.people}
        gone = [name for name, here in before.items() if here and name not in there]
        happenings += [PlayerLost(called[name], "", None) for name in gone]
        happenings += _choice_happenings(self.said, message)
        self.said = message
        self.again = {name: yes for name, yes in self.again.items() if name in there}
        return happenings

    def answer_again(self, place: int, yes: bool) -> AgainAnswered:
        """Note the answer to "play again?" of the person at this place in PEOPLE."""
        if place < len(self.said.people):
            self.again = {**self.again, self.said.people[place].name: yes}
        return AgainAnswered(self.name_of(place), yes)

    def forget_answers(self) -> None:
        """Forget all answers to "play again?"."""
        self.again = {}

    def lose_sight(self) -> None:
        """Show everybody as away until the coordinator is back."""
        self.watchers, self.asks = (), False
        self.said = replace(self.said, people=tuple([replace(person, here=False) for person in self.said.people]))

    def forget(self) -> None:
        self.said, self.watchers, self.watched_by, self.asks = NOBODY, (), frozenset(), False
        self.forget_answers()

    def name_of(self, place: int) -> str:
        """The name of the person at this place in PEOPLE."""
        return self._shown(self.said)[place] if place < len(self.said.people) else "somebody"

    def character(self, key: str) -> str:
        """The name of the character with this key."""
        return character_name(self._cast, clean(key, NAME))


# --- a listener's table -----------------------------------------------------------------------------------------------


LISTENS_TOO = "is listening too, so one of you has to host or connect"


class ListenerTable:
    """levels: at which computers play. game: the one that is on, or was the last, in which I have a side; None while I
    look on. watches: our player asks for no seat, and sees the games from behind the table. doubt: whether the
    coordinator waits for my word. clocks: of each seat, with the time at which its character takes over. open_games:
    those that a coordinator would break off, and those that they have thrown away. expects: the name of the coordinator
    who is to call again, "" for nobody in particular."""

    def __init__(
        self,
        me: Me,
        cast: Cast,
        entropy: Callable[[int], bytes],
        levels: Sequence[str] = (),
        attended: bool = True,
        has_player: HasPlayer = any_player,
        watches: bool = False,
        now: float = 0.0,
    ) -> None:
        self.me = me
        self.watches = watches
        self.levels = levels
        self._has_player = has_player
        self.entropy = entropy
        self.link = CoordinatorLink()
        self.people = PeopleHere(cast, self.shown_people)
        self.talk = Talk()
        self.hints = Hints(cast)
        self.deputy = Deputy(me.auto, LevelNotes(), attended)
        self.game: FollowedGame | None = None
        self.expects = ""
        self.hand_shown = HandShown()
        self.gives = False  # our player gives our seat to a watcher after this hand
        self.cast = cast
        self._games: dict[bytes, LedgerFollower] = {}
        self._header = HeaderParts()
        self._announced: LookOn | None = None  # its header has not come yet
        self._looked_on: LookedOnGame | None = None
        self._looked_on_before: LookedOnGame | None = None  # of another coordinator, and nothing has followed it
        self._watched: tuple[bytes, int, bytes] = b"", 0, b""  # the last game in a log: its id, records and head
        self._staked = b""  # the seed of a chain whose end was given, and with which no game has begun
        self._offered = b""  # the nonce of the offer that was answered with it last
        self.lost_game: LostGame | None = None  # of which nothing is kept yet
        self._awaited: Resume | None = None  # with which the coordinator asked for a game of which no log is here
        self.doubt = Doubt()
        self.open_games = OpenGames()
        self.clocks: tuple[tuple[ClockState, float | None], ...] = ()
        self.successor = Successor(me.key, now)
        self._doors: tuple[Door, ...] = ()
        self._doors_told_by = b""  # the key of that coordinator
        self._left: Inheritance | None = None  # of the coordinator who was lost last
        self._called_first: bytes | None = None  # the key of the first coordinator here, b"" if they called
        self._left_behind: tuple[LedgerFollower | None, tuple[Position, ...]] = (
            None,
            (),
        )  # the game a successor may continue, and its bases

    # --- games that may go on here ------------------------------------------------------------------------------------

    def knows(self, game_id: bytes) -> bool:
        """True if this game was played here or may go on here."""
        return game_id in self._games

    def know(self, game: LedgerFollower) -> None:
        """Add a game that may go on here."""
        self._games[game.position.game_id] = game

    def followed(self, game_id: bytes) -> LedgerFollower | None:
        """The game with this id, if it is the present coordinator's, else None."""
        found = self._games.get(game_id)
        return found if found is not None and found.start.header.sides[0].key == self.link.key else None

    def times_left_out(self) -> int:
        """The number of records in which this coordinator called this side absent though it had signed a check."""
        return sum([one.left_out for one in self._games.values() if one.start.header.sides[0].key == self.link.key])

    def forget(self, game_id: bytes) -> None:
        """Forget a game that goes on elsewhere."""
        self._games.pop(game_id, None)

    def open_with(self, coordinator: bytes) -> OpenGame | None:
        """The unfinished game with this coordinator that another would break off, None if there is none."""
        return self.open_games.open_with(coordinator, self._games.values())

    def attend(self, attended: bool) -> list[Effect]:
        """Our player came to the table or left; a game that waited for them begins."""
        held = self.game is not None and (self.game.holds_check or self.game.asks)
        self.deputy.attend(attended)
        if self.game is None or not held or self.link.presence is not Presence.AT_THE_TABLE:
            return []
        return self.game.do_what_is_due()

    # --- the link -----------------------------------------------------------------------------------------------------

    def open(self, peer: PeerId, key: bytes, where: str, address: str, pulse: Pulse) -> list[Effect]:
        """Take a new link, in place of an older one of the same coordinator."""
        effects = self.link.hang_up(ByeCode.REPLACED)
        self.link.open(peer, key, where, address, pulse)
        if self._called_first is None:
            self._called_first = key if address else b""
        self.people.follow_coordinator(key)
        self._awaited = self.lost_game = None
        self.open_games.forget_logs()
        return [*effects, *self.link.send(Watch(VERSION, self.me.name) if self.watches else self._hello())]

    def _hello(self) -> Hello:
        return Hello(VERSION, False, self.me.name, self.me.character)

    def ask_for_seat(self) -> list[Effect]:
        """Ask for a seat; until the coordinator answers with HELLO, our player watches on."""
        return self.link.send(self._hello())

    def sit_down(self, said: Hello) -> list[Effect]:
        """The coordinator has a seat for our player, who is a listener from now on. Raises Refused."""
        if said.version != VERSION or not said.coordinates:
            raise Refused(Cause.SHAPE, "A seat is given by the HELLO of a coordinator.")
        self.link.step(PresenceStep.HELLO)
        self.watches = False
        self._announced = self._looked_on = self._looked_on_before = None
        self._left_behind = None, ()
        self.people.forget()
        return [Tell(Notice(f"{self.link.name} has a seat for you."))]

    def take_watchers(self, said: WatchersNow) -> list[Happening]:
        """Take the list of watchers."""
        if self.watches and not said.watchers:
            self.people.wait_for_host()
            return [Notice(f"Waiting for {self.link.name} to let you watch.")]
        shown = self.me.shown([(one.key, one.name) for one in said.watchers])
        if self.hand_shown.key not in [one.key for one in said.watchers]:
            self.hand_shown.show_to(b"")
        return self.people.take_watchers(
            tuple(
                [
                    WatcherHere(name, one.key, "" if one.sees is None else self.people.called(one.sees))
                    for name, one in zip(shown, said.watchers, strict=True)
                ]
            ),
            self.me.key,
        )

    def show_hand(self) -> list[Effect]:
        """Show our hand to the watcher our player chose, if it has changed."""
        if self.link.presence is not Presence.AT_THE_TABLE or self.game is None:
            return []
        said = self.hand_shown.due(self.me.identity, self.game.position)
        return self.link.send(said) if said else []

    def take_shown_hand(self, said: ShowHand) -> None:
        """Take the hand that a player shows us, who watch; one that cannot be read is passed over."""
        if self._looked_on is not None:
            self._looked_on.take_shown_hand(self.me.identity, said)

    def take_people(self, said: People) -> list[Effect]:
        """Take the list of people at the table and the chosen game. Raises Refused."""
        if (said.you is None) is not self.watches:
            raise Refused(Cause.SHAPE, NOT_IN_PEOPLE)
        return [Tell(happening) for happening in self.people.take_people(said, self.sides())]

    def greet(self, said: Hello) -> list[Effect]:
        """Take the coordinator's HELLO; ends the link to another version or another listener."""
        if said.version != VERSION or not said.coordinates:
            other = said.version != VERSION
            bye = bye_to_other_version(said.version) if other else Bye(ByeCode.SAME_ROLE)
            why = whose_is_older(said.version, VERSION) if other else LISTENS_TOO
            effects = self.link.hang_up(bye.code, bye.text)
            self.link.drop()
            if not other and self.successor.has_in_line(self.link.key):
                return effects  # they do not host as yet
            return [*effects, Tell(Notice(f"Someone at {self.link.where} {why}."))]
        (name,) = self.me.shown([(self.link.key, said.name or "the host")])
        self.link.greet(name, PresenceStep.WATCH if self.watches else PresenceStep.HELLO)
        if self.doubt.key == self.link.key:
            return self.hang_up_in_doubt()
        if self.game is not None and self.game.follower.start.header.sides[0].key != self.link.key:
            self._left_behind = self._game_to_continue()
            self.game = None  # it waits for its own coordinator
        if self._looked_on is not None and self._looked_on.host != self.link.key:
            self._looked_on_before = self._looked_on
        self._announced = self._looked_on = None
        character = self.people.character(said.character)
        return [Tell(PlayerJoined(self.link.name, character, self.link.where, hosts=True))]

    def expect(self, coordinator: str) -> None:
        """Note the name of the coordinator who is to call again."""
        self.expects = coordinator

    def lose(self, why: str, left: bool = False, gone: bool = False) -> list[Effect]:
        """The link has ended. left: the coordinator has left for good and is not waited for; gone: they may never be
        back, so that somebody else may have to coordinate."""
        greeted = self.link.greeted
        if not gone:
            self.successor.part()
        self.link.drop()
        self.lost_game = None
        self.clocks = ()
        self._header.forget()
        self.people.lose_sight()
        self.hand_shown.show_to(b"")
        if left:
            self.expects = ""
            self.people.forget()
            if self.position is not None and self.position.phase is not Phase.CLOSED:
                self.game = self._looked_on = None
        lost = PlayerLeft if left else PlayerLost
        return [Tell(lost(self.link.name, why))] if greeted else []

    def leave(self) -> list[Effect]:
        """Leave the table for good, and the game in progress."""
        effects: list[Effect] = []
        if self.game is not None and self.game.position.phase is not Phase.CLOSED:
            told = self.link.greeted
            effects += [Remember(LEFT)] * (2 if told else 1)
            self.game.follower.leave(told)
        self.game = self._looked_on = None
        effects += self.link.hang_up(ByeCode.LEAVES)
        self.link.drop(PresenceStep.LEAVES)
        self.successor.part()
        self.people.forget()
        self.clocks = ()
        return effects

    # --- a game begins, or goes on ------------------------------------------------------------------------------------

    def stake(self, said: Offer, now: float) -> list[Effect]:
        """Send the end of a new chain; the same one until a game begins, as a chain takes a while to make."""
        self._staked, self._offered = self._staked or self.entropy(VALUE), said.nonce
        self.people.forget_answers()
        return [*self._ask_for_end(now), *self.link.send(Stake(said.nonce, chain_value(self._staked, 0)))]

    def _ask_for_end(self, now: float) -> list[Effect]:
        """Ask for the end of a game that is unfinished here though another begins: its last records may be lost."""
        one = self.open_with(self.link.key)
        if one is None or not self.knows(one.game_id) or self.link.presence not in ASKED_FOR_NONE:
            return []
        self.game, self._looked_on = self._follow(self._games[one.game_id]), None
        log = UseLog(self.game.position.game.key, one.game_id, new=False)
        return [log, *self.game.ask_for_end(now)]

    def take_header(self, said: HeaderPart, now: float) -> list[Effect]:
        """Take a part of a header; with the last, the game begins. Raises Refused."""
        frame = self._complete_header(self._header.add(said))
        if frame is None or (self.game is not None and self.game.follower.start.frame == frame):
            return []  # more of it follows, or it came twice
        header = decode_header(frame)
        if self._announced is not None:
            return self._begin_looking_on(self._announced, frame, header)
        if self.watches:
            raise Refused(Cause.SHAPE, "A header came for a watcher without LOOK ON.")
        check_version(header)
        side, seed = self._check_header(header)
        succeeds = self._is_successors(header)
        if succeeds and (early := self._find_left_behind(header, now)):
            return early
        before = self._game_succeeded(header, now) if succeeds else self._game_continued(header, side)
        follower_before = self._left_behind[0] if succeeds else None
        left = [game for game in (follower_before, *self._games_from(header.previous)) if game and succeeds]
        follower = LedgerFollower(self.me.identity, Start(side, seed, frame, header), before)
        if follower.position.game_id in self._games:
            raise Refused(Cause.HISTORY, "This game has already begun.")
        game_id = follower.position.game_id
        awaited = self._awaited if self._awaited and self._awaited.game_id == game_id else None
        if not seed and awaited is None:
            raise Refused(Cause.FAIRNESS, "The header gives me a chain that isn't mine.")
        if not seed and awaited is not None and not self.doubt.accepts(game_id):
            return self._look_at_lost(LostGame(follower, awaited.count))
        begins = self.open_games.judge(header, game_id, self._games.values(), self.doubt, now)
        begins = replace(begins, stand_in=self._strange_stand_in(header, side) if seed else "")
        told = self._doubt_beginning(begins)
        if begins.asks:
            return told + self.hang_up_in_doubt()
        self._staked, self._offered, self._awaited, self.gives = b"", b"", None, False
        self._games[game_id] = follower
        self.game, self._looked_on = self._follow(follower, begins=awaited is None), None
        position = follower.position
        effects = [effect for game in left for effect in self._leave_behind(game, game_id)]
        effects.append(UseLog(header.game, game_id, new=True))
        effects += [Remember(payload) for payload in start_payloads(side, seed, frame)]
        effects += [] if seed else [Remember(note_payload(Restored()))]
        if begins.broken_off is not None:
            self.open_games.pass_over(begins, now)
            effects += [Remember(note_payload(begins.broken_off)), *told]
        self._left_behind = None, ()
        if succeeds:
            again = bool(follower_before and before and follower_before.position.dealt > before.opened)
            handed = self._left is not None and self._left.handed
            effects.append(Tell(tell_host_changed(position, before, handed=handed, again=again)))
        elif header.continues is None:
            effects += [*_tell_waits(header, self.link.name), Tell(tell_game_started(position, self.cast, self.me.met))]
        else:
            self.game.start_look(now)
            effects.append(Tell(tell_seats_changed(position, before, self.cast)))
        if awaited is not None:
            return effects + self.game.await_records(awaited.count, now)
        self.link.step(PresenceStep.HEADER)
        return effects + self.game.do_what_is_due()

    def _look_at_lost(self, game: LostGame) -> list[Effect]:
        """Begin to read a game whose log was lost here."""
        self.lost_game, self._looked_on = game, None
        self.link.step(PresenceStep.RESUME)
        return []

    def _complete_header(self, frame: Frame | None) -> Frame | None:
        """The whole header behind an abridged one, with what this side knows filled in. Raises Refused."""
        if frame is None or not self._offered:
            return frame
        return complete_header(frame, Staked(self.link.key, self.me.key, self._offered, chain_value(self._staked, 0)))

    def _check_header(self, header: Header) -> tuple[int, bytes]:
        """(our side, the seed of our chain) in this header; the seed is b"" if it is not known here, as when the log
        was lost. Raises Refused."""
        side = header.side_of(self.me.key)
        if header.sides[0].key != self.link.key or not side:
            raise Refused(Cause.SIGNATURE, "The header isn't from this coordinator, or leaves me out.")
        mine = self._staked and chain_value(self._staked, 0) == header.sides[side].end
        return side, self._staked if mine else b""

    def note_giving(self, gives: bool) -> None:
        """Note whether our player gives our seat away after this hand."""
        self.gives = gives

    def _game_continued(self, header: Header, side: int) -> Position | None:
        """The last position of the game that this header continues, or of an undealt one that continued the same; None
        if it continues none that was played here. Raises Refused unless it begins as that one ended, and this side
        keeps its seat."""
        before = self._position_before(header)
        if before is None or not continues_another(header):
            return None
        same = (before.game.key, before.header.options, len(before.header.seats), kept_at(before))
        if same != (header.game, header.options, len(header.seats), header.continues):
            raise Refused(Cause.RULES, "The continued game has other rules, scores or seats than the one before.")
        closed = before.ended is CloseReason.CONTINUED or before.head != header.previous
        if not closed or before.header.sides[0].key != header.sides[0].key:
            raise Refused(Cause.RULES, "The game before was not closed to be continued by this host.")
        others = [one.position for one in self._games_from(header.previous)]
        if any(one.dealt or one.header.sides[0].key != self.link.key for one in others):
            raise Refused(Cause.RULES, "The game before goes on in another log already.")
        again = before.head != header.previous
        if header.quorum != (before.header.quorum if again else quorum_of_next(before, header.sides)):
            raise Refused(Cause.RULES, "The hands of the continued game count otherwise than before.")
        seat = header.seat_of(side)
        if before.seat is not None and seat != before.seat and not (self.gives and seat is None):
            raise Refused(Cause.RULES, "The continued game takes away my seat, which I did not give.")
        return before

    def _position_before(self, header: Header) -> Position | None:
        """The position here with the head that this header names as previous, or without a card dealt since."""
        games = [game.position for game in self._games.values()]
        for one in games if self.position is None else [self.position, *games]:
            undealt = continues_another(one.header) and not one.dealt
            if header.previous == one.head or (undealt and header.previous == one.header.previous):
                return one
        return None

    def _games_from(self, head: bytes) -> list[LedgerFollower]:
        """The games that continue another from this head. At most one of them has a deal."""
        games = self._games.values()
        return [game for game in games if continues_another(game.start.header) and game.start.header.previous == head]

    def _is_successors(self, header: Header) -> bool:
        """True if this header continues a game of another coordinator."""
        before = self._position_before(header)
        same = before is not None and before.header.sides[0].key == self.link.key
        return header.quorum is not None and not same

    def _leave_behind(self, follower: LedgerFollower, game_id: bytes) -> list[Effect]:
        """Note in the log of a game that it continues in another, with this id: nothing more is signed there."""
        position = follower.position
        if position.phase is Phase.CLOSED or follower.succeeded:
            return []
        note = Succeeded(game_id)
        follower.remember_note(note)
        return [UseLog(position.game.key, position.game_id, new=False), Remember(note_payload(note))]

    def _game_succeeded(self, header: Header, now: float) -> Position | None:
        """The base from which a successor's header continues the game; None if that game was not played here. Raises
        Refused unless the successor may do so, and our player keeps their seat."""
        follower, bases = self._left_behind
        if not bases:
            heads = [one.head for game in self._games.values() for one in (*game.bases, game.position)]
            if header.previous in heads:
                raise Refused(Cause.RULES, "That game can't go on from there without its host.")
            return None
        base = next((one for one in bases if one.head == header.previous), None)
        undealt = follower is not None and not follower.position.dealt
        came_in = undealt and follower is not None and header.previous == follower.start.header.previous
        moved_on = any(game.position.dealt for game in self._games_from(header.previous))
        if (base is None and not came_in) or moved_on or not self.successor.may_take(self.link.key, now):
            raise Refused(Cause.RULES, "That game can't go on from there without its host.")
        if base is None:
            return None  # our player came in with that game
        if not successor_may_begin(base, header):
            raise Refused(Cause.RULES, "The continued game has other rules, scores or people than the one before.")
        mine = base.header.side_of(self.me.key)
        seat = None if mine is None else base.header.seat_of(mine)
        side = header.side_of(self.me.key)
        here = follower is not None or base.ended is CloseReason.CONTINUED
        if here and seat is not None and (side is None or header.seat_of(side) != seat):
            raise Refused(Cause.RULES, "The continued game takes away my seat.")
        return base

    def _strange_stand_in(self, header: Header, side: int) -> str:
        """The player who is to stand in for us that this program doesn't have, so that nobody here could repeat its
        decisions; "" if it has them or our player agreed."""
        seat = next((seat for seat in header.seats if seat.side == side), None)
        if seat is None or self._has_player(header.game, seat.level, seat.edition):
            return ""
        found = f"{clean(seat.level, NAME)} {seat.edition}"
        return "" if self.doubt.takes_stand_in(self.link.key, found) else found

    def _doubt_beginning(self, begins: Beginning) -> list[Effect]:
        """Tell what is doubtful about a game that begins; note it if our player has to agree first."""
        name, told = self.link.name, list[Effect]()
        if begins.broken_off is not None:
            told.append(Tell(GameBrokenOff(name, begins.game, begins.times, begins.unnamed)))
        if begins.thrown:
            told.append(Tell(DealsThrownAway(name, begins.thrown)))
        if begins.stand_in:
            told.append(Tell(StrangeStandIn(name)))
        if begins.asks:
            unnamed = begins.game_id if begins.unnamed else b""
            self.doubt.arise(self.link.key, name, unnamed, begins.thrown, begins.stand_in)
        return told

    def note_end(self, now: float) -> None:
        """After a record: note a game that the coordinator has thrown away."""
        if self.game is not None:
            self.open_games.note_end(self.game.follower, now)

    def hang_up_in_doubt(self) -> list[Effect]:
        """End the link without telling of a loss: the player has just read why."""
        goodbye = self.link.hang_up(ByeCode.ASKS_PLAYER)
        self.lose("")
        return goodbye

    def announce_game(self, said: LookOn) -> None:
        """A game without us is in progress; its header follows."""
        self._announced = said
        self.link.step(PresenceStep.LOOK_ON)

    def _begin_looking_on(self, said: LookOn, frame: Frame, header: Header) -> list[Effect]:
        """Begin to watch the announced game. Raises Refused."""
        if header.sides[0].key != self.link.key or header.side_of(self.me.key) is not None:
            raise Refused(Cause.SIGNATURE, "The header isn't from this coordinator, or gives me a side.")
        kept = self._watched[1:] if self._watched[0] == said.game_id else (0, b"")
        names = self.me.shown_sides(header)
        before, handed = self._looked_on or self._looked_on_before, self._left is not None and self._left.handed
        self._looked_on = LookedOnGame(
            said, frame, header, self.cast, names, kept if self.watches else None, before, handed
        )
        self.game = self._announced = self._looked_on_before = None
        self._left_behind = None, ()
        return [*(self._begin_log(said, frame, header) if self.watches else []), *self._looked_on.receive_header()]

    def _begin_log(self, said: LookOn, frame: Frame, header: Header) -> list[Effect]:
        """Keep the log of a game that our player watches, from its beginning or where it was left."""
        if self._watched[0] == said.game_id:
            return [UseLog(header.game, said.game_id, new=False)]
        self._watched = said.game_id, 0, b""
        start = [Remember(one) for one in start_payloads(len(header.sides), b"", frame)]
        return [UseLog(header.game, said.game_id, new=True), *start]

    def receive_looked_on(self, said: RecordMessage) -> list[Effect]:
        """Take a record of the watched game. Raises Refused."""
        if self._looked_on is None:
            raise Refused(Cause.SHAPE, "A record came before the header.")
        effects = self._looked_on.receive_record(said)
        if self.watches:
            self._watched = self._watched[0], *self._looked_on.kept
        return effects

    def resume(self, said: Resume, now: float) -> list[Effect]:
        """Answer how far our log of a game goes. Raises Refused."""
        follower = self._games.get(said.game_id)
        self.lost_game = None
        if follower is not None and follower.succeeded:
            return [*self.link.hang_up(ByeCode.TAKEN), *self.lose("came back after the game had moved on without them")]
        if follower is None:
            self._awaited = said if said.count else None
            return [*self._ask_for_end(now), *self.link.send(Resume(said.game_id, 0, bytes(32)))]
        if follower.start.header.sides[0].key != self.link.key:
            return self._tell_how_far(follower, now)
        log = UseLog(follower.position.game.key, said.game_id, new=False)
        if follower.left and not follower.told:
            follower.leave(told=True)
            goodbye = [log, Remember(LEFT), *self.link.hang_up(ByeCode.LEAVES)]
            return [*goodbye, *self.lose("was told that you left that game")]
        if self.game is None or self.game.follower is not follower:
            self.game = self._follow(follower)
        return [log, *self.game.resume(said.count, now)]

    def _left_to_successor(self, now: float) -> LedgerFollower:
        """The game that was left behind, whose records a successor may have. Raises Refused for anybody else."""
        follower = self._left_behind[0]
        if follower is None or follower.succeeded or not self.successor.may_take(self.link.key, now):
            raise Refused(Cause.SEAT, "That game has another coordinator.")
        return follower

    def _bases_of(self, game: LedgerFollower) -> tuple[Position, ...]:
        """The positions from which a successor may continue this game, the latest last."""
        return bases_of(game, self._games.values())

    def _find_left_behind(self, header: Header, now: float) -> list[Effect]:
        """After a restart, find the game that this header of a successor continues, if it was played here; ends the
        link to one who comes too early."""
        if self._left_behind[1]:
            return []
        theirs = [game for game in self._games.values() if game.start.header.side_of(self.link.key)]
        games = [game for game in theirs if can_continue(game) and not game.succeeded]
        found = [game for game in games if header.previous in [base.head for base in self._bases_of(game)]]
        return self._believe_successor(found[0], now) if found else []

    def _believe_successor(self, follower: LedgerFollower, now: float) -> list[Effect]:
        """After a restart, let the coordinator continue this game of somebody else, who is gone; ends the link while
        they may still come back."""
        if not self.successor.believe(self.link.key, follower.start.header.grace, now):
            return [
                *self.link.hang_up(ByeCode.TAKEN),
                *self.lose("wants to host before the old host had their time"),
            ]
        self._left_behind = follower, self._bases_of(follower)
        return []

    def _tell_how_far(self, follower: LedgerFollower, now: float) -> list[Effect]:
        """Tell a successor how far our log of the game goes that was left behind. Raises Refused for another game."""
        position, header = follower.position, follower.start.header
        continued = any(base.game_id == position.game_id for base in self._left_behind[1])
        if follower is not self._left_behind[0] and not continued:
            over = not can_continue(follower) or self._left_behind[0] is not None
            if over or header.side_of(self.link.key) is None:
                raise Refused(Cause.SEAT, "That game has another coordinator.")
            if early := self._believe_successor(follower, now):
                return early
        elif not self.successor.may_take(self.link.key, now):
            raise Refused(Cause.SEAT, "That game has another coordinator.")
        return self.link.send(Resume(position.game_id, position.count, position.head))

    def take_left_behind(self, said: RecordMessage, now: float) -> list[Effect]:
        """Take a record that we lack of the game that was left behind, as a successor has it: without
        private cards, so it may not fit. Raises Refused if none is awaited."""
        follower = self._left_to_successor(now)
        position = follower.position
        if said.number != position.count & 255:
            return []
        try:
            received = follower.receive_record(said.record)
        except Refused:
            return []
        self._left_behind = follower, self._bases_of(follower)
        log = UseLog(position.game.key, position.game_id, new=False)
        return [log, Remember(RECORD + bytes(received.record))]

    def give_left_behind(self, said: Ask, now: float) -> list[Effect]:
        """Send a successor the records that their log of the game that was left behind lacks. Raises Refused."""
        follower = self._left_to_successor(now)
        if said.first > follower.position.count:
            raise Refused(Cause.HISTORY, "This side doesn't have those records.")
        records = enumerate(follower.records[said.first :], said.first)
        return [one for number, record in records for one in self.link.send(Have(number, bytes(Record(record.frames))))]

    def _follow(self, follower: LedgerFollower, begins: bool = False) -> FollowedGame:
        """The game of a log, followed from now on."""
        follower.call(self.me.shown_sides(follower.start.header))
        return FollowedGame(follower, self.link, self.cast, self.deputy, self.entropy, self.me.met, begins)

    def set_clocks(self, said: Clocks, now: float) -> None:
        """Take the clocks of all seats."""
        if self.game is not None:
            self.game.note_clocks([state for state, _ in said.clocks])
        self.clocks = tuple([(state, None if left is None else now + left) for state, left in said.clocks])

    # --- succession ---------------------------------------------------------------------------------------------------

    def note_doors(self, said: Doors) -> None:
        """Take the addresses of the others."""
        self._doors, self._doors_told_by = said.doors, self.link.key

    def note_coordinator(self, now: float) -> list[Effect]:
        """Note whether the coordinator is here, or gone."""
        successor = self.successor
        if (
            self.link.peer is not None
            and successor.state is Succession.HOSTED
            and successor.coordinator == self.link.key
        ):
            return []
        seated = self.link.greeted and bool(self.people.said.people)
        if seated and (successor.state, successor.coordinator) != (Succession.HOSTED, self.link.key):
            successor.seated(self.link.key, now)
        elif self.link.peer is None and successor.state is Succession.HOSTED:
            inheritance = self.inheritance()
            grace = grace_of(inheritance)
            self._left = inheritance
            successor.lost(inheritance.line, grace, now, self._calls_again())
            found = not self.watches or any(one.address for one in inheritance.line[1:])
            if found and successor.others_in_line and successor.due() < inf:
                name = inheritance.line[0].name or "the host"
                then = "another player can host, and you keep watching" if self.watches else "another player hosts"
                return [Tell(Notice(f"If {name} isn't back in {grace:.0f} s, {then}."))]
        return []

    def _calls_again(self) -> bool:
        """True if the coordinator, who is lost, doesn't know where to call us. The first one here is called by the
        program that called them before."""
        doors = self._doors if self._doors_told_by == self.link.key else ()
        known = any(door.key == self.me.key and door.address for door in doors)
        return bool(self.link.address) and self.link.key != self._called_first and not known

    def members(self) -> frozenset[bytes]:
        """The keys of the others who are at the table, or were there when its coordinator was lost."""
        follower = self._game_to_continue()[0]
        sides = follower.start.header.sides if follower is not None else ()
        keys = [*[door.key for door in self._doors], *[side.key for side in sides], self.successor.handed_to]
        waits = self._left is not None and self.successor.state in (Succession.WAITING, Succession.EXPECTING)
        watchers = self._left.watchers if self._left is not None and waits else ()
        return frozenset([*keys, *watchers]) - {self.me.key, b""}

    def take_handover(self, said: Handover, now: float) -> list[Effect]:
        """The coordinator hands the table over. Raises Refused unless it is to somebody in line."""
        if self.successor.state is not Succession.HOSTED:
            raise Refused(Cause.SHAPE, "The table is handed over before anybody was told who is here.")
        inheritance = self.inheritance()
        if not rank(inheritance.line, said.key):
            raise Refused(Cause.SEAT, "The table is handed to somebody who isn't here.")
        inheritance = replace(inheritance, handed=True)
        if said.key != self.me.key:
            inheritance = replace(inheritance, line=line_behind(said.key, inheritance.line))
        closed = self.link.hang_up(ByeCode.HANDED_OVER)
        self.link.drop()
        self._left = inheritance
        self._left_behind = inheritance.follower, inheritance.bases
        if said.key == self.me.key:
            self.successor.step(SuccessionStep.HANDED_TO_ME)
            return [*closed, TakeTable(inheritance)]
        self.successor.step(SuccessionStep.HANDED_ON)
        self.successor.expect(said.key, inheritance.line, grace_of(inheritance), now)
        return closed

    def succeed(self, now: float) -> list[Effect]:
        """Do what is due while the coordinator is gone: call somebody in line, or take the table over."""
        effects = self.successor.tick(now)
        return [TakeTable(self.inheritance())] if effects is None else effects

    def was_succeeded(self, key: bytes) -> bool:
        """True if the present game continues one of this coordinator's."""
        games = [one for one in self._games.values() if one.succeeded]
        return any(one.start.header.sides[0].key == key for one in games) and key != self.link.key

    def note_given_up(self, now: float) -> list[Effect]:
        """The coordinator gives up a table that they took over, as too few came; nothing if they have begun a game."""
        if self.successor.state is not Succession.HOSTED or not self._waits_to_continue:
            return []
        self._left = self.inheritance()
        self.successor.give_up(self._left.line, now)
        return [Tell(too_few(self._left.line[0].name, self.successor.tries, self.watches))]

    def inherit(self, inheritance: Inheritance, host: bytes, now: float) -> None:
        """Begin as a listener at the table of another coordinator. host: their key, b"" while there is none."""
        self._left, self._called_first = inheritance, b""
        self._left_behind = inheritance.follower, inheritance.bases
        if inheritance.follower is not None:
            self.know(inheritance.follower)
        if host:
            self.successor.expect(host, inheritance.line, grace_of(inheritance), now)
        else:
            self.successor.try_again(inheritance.line, inheritance.tries, now)
        awaited = host or inheritance.line[0].key
        self.expects = next((one.name for one in inheritance.line if one.key == awaited), "")

    def _game_to_continue(self) -> tuple[LedgerFollower | None, tuple[Position, ...]]:
        """The game that a successor may continue, and its bases; (None, ()) if there is none."""
        game = self.game
        if self.watches:
            watched = self._looked_on or self._looked_on_before
            return None, watched.bases if watched else ()
        if game is None:
            return self._left_behind
        return (game.follower, self._bases_of(game.follower)) if can_continue(game.follower) else (None, ())

    @property
    def _waits_to_continue(self) -> bool:
        """True while a game that has lost its coordinator has not been continued here."""
        return self.game is None and self._looked_on is None and bool(self._game_to_continue()[1])

    def inheritance(self) -> Inheritance:
        """What is left of this table if its coordinator is gone, with the people of the moment in which they were
        lost."""
        follower, bases = self._game_to_continue()
        begun = self.successor.state in (Succession.APART, Succession.HOSTED) and not self._waits_to_continue
        if self._left is not None and not begun:
            return replace(self._left, follower=follower, bases=bases, tries=self.successor.tries)
        said = self.people.said
        doors = self._doors if self._doors_told_by == self.successor.coordinator else ()
        doors = doors or (() if said.you is None else (Door(said.you, self.me.key, ""),))
        known = {one.key: one.address for one in (self._left.line if self._left else ())}
        hidden = is_onion(self.link.address)
        there = [(one.place, one.key, _callable(one, known, hidden)) for one in doors if one.place < len(said.people)]
        if bases:
            there = [one for one in there if bases[-1].header.side_of(one[1]) is not None]
        line: dict[bytes, Neighbor] = {}  # by key, so nobody is in it twice, whatever DOORS says
        for place, key, address in [(0, self.successor.coordinator, self.link.address), *there]:
            person = said.people[place]
            line.setdefault(key, Neighbor(key, given_name(person.name), clean(person.character, NAME), address))
        return Inheritance(
            tuple(line.values()), _chosen_game(said), follower, bases, watchers=self.people.watched_by - line.keys()
        )

    # --- what the person here sees ------------------------------------------------------------------------------------

    def shown_people(self, people: People) -> tuple[str, ...]:
        """The names of the people at the table as they are shown here."""
        return _shown_people(self.me, self.link.key, self.position, people)

    @property
    def position(self) -> Position | None:
        """The position of the game in progress or the last one, played or watched."""
        if self._looked_on is not None:
            return self._looked_on.position
        return self.game.position if self.game else None

    @property
    def looks_on(self) -> bool:
        """True while our player watches a game."""
        position = self.position
        return self._looked_on is not None and (position is None or position.phase is not Phase.CLOSED)

    def shown_hand(self) -> tuple[int, tuple[int, ...]] | None:
        """The seat whose hand we are shown, who watch, and its cards; None without one."""
        return self._looked_on.shown_hand if self._looked_on is not None else None

    def sides(self) -> frozenset[str] | None:
        """The names of those with a side in the game in progress; None without one, or before the coordinator has said
        that it goes on."""
        return _side_names(self.position, self.link.presence)


def _callable(door: Door, known: Mapping[bytes, str], hidden: bool) -> str:
    """An address that may be called without asking our player: never a telephone number, which costs money. known: by
    key, where others were found before; the present coordinator may not know it. hidden: we called the coordinator
    through Tor, and so call nobody who would see where we are; "" where that leaves nothing."""
    address = door.address or known.get(door.key, "")
    if hidden:
        return address if is_onion(address) else ""
    return meeting_address_of(door.key) if not address or goes_over_serial_line(address) else address


LONG = 300
"""Seconds for which somebody may keep others waiting without a word about it before the game."""


def _tell_waits(header: Header, coordinator: str) -> list[Effect]:
    """Tell our player if others could keep everybody waiting for long in this game."""
    cut_off, turn, between = [
        seconds if seconds > LONG else 0 for seconds in (header.grace, header.turn_clock, header.between_hands)
    ]
    if not (cut_off or turn or between) and header.turn_clock:
        return []
    return [Tell(LongWaits(coordinator, cut_off, turn if header.turn_clock else None, between))]


def _shown_people(me: Me, coordinator: bytes, position: Position | None, people: People) -> tuple[str, ...]:
    """The names of PEOPLE as shown to me. coordinator: their key; other keys are those of the game's header."""
    keys = {} if position is None else {side.name: side.key for side in position.header.sides}
    known = {0: coordinator} | ({} if people.you is None else {people.you: me.key})
    return me.shown(
        [(known.get(place) or keys.get(one.name, b""), one.name) for place, one in enumerate(people.people)]
    )


def _side_names(position: Position | None, presence: Presence) -> frozenset[str] | None:
    """The names of the sides of the game in progress, None while there is none."""
    if position is None or position.phase is Phase.CLOSED or presence is Presence.GREETED:
        return None
    return frozenset([side.name for side in position.header.sides])


# --- what the person at a listener's table sees of it -----------------------------------------------------------------


class _ListenerMoment(NamedTuple):
    """All that can change in the view of a table: each step keeps this, and few views are ever made."""

    me: Me
    cast: Cast
    now: float
    people: People
    coordinator: bytes
    host: str  # their name, as it is shown here
    where: str
    connected: bool
    presence: Presence
    again: Mapping[str, bool]  # the answers to "play again?", by name
    position: Position | None
    clocks: tuple[tuple[ClockState, float | None], ...]  # by seat
    may_act: bool  # nothing but the game keeps this player from acting
    turn_began: float | None  # None if no action is due, or its beginning was not seen
    proposal: Proposal | None  # the one that this player has to answer; None if there is none
    auto: str  # what plays in this player's seat instead; "" for nothing
    pause: int | None  # seconds left for the hand that is over; 0 for no limit; None without a pause
    doubted: str  # name of the coordinator who waits for the player to accept a doubt; "" for none
    thrown_away: int  # number of deals that the coordinator threw away within a day; 0 unless that is the doubt
    expects: str  # name of the coordinator who is to call again; "" for none
    watchers: tuple[WatcherHere, ...]
    watches: bool  # our player does
    asks: bool  # our player waits for the host to let them
    shown: tuple[int, tuple[int, ...]] | None  # the seat whose hand they are shown, and its cards


def listener_view(table: ListenerTable, now: float) -> Callable[[], TableView]:
    """A function that makes the view of this moment, also later."""
    link, game, position, doubt = table.link, table.game, table.position, table.doubt
    asks = game is not None and game.asks
    may_act = game is not None and link.peer is not None and game.follower.pending is None and not asks
    moment = _ListenerMoment(
        table.me,
        table.cast,
        now,
        table.people.said,
        link.key,
        link.name,
        link.where,
        link.peer is not None,
        link.presence,
        table.people.again,
        position,
        table.clocks,
        may_act,
        game.turn_began if game and may_act else None,
        game.to_answer if game else None,
        table.deputy.shown(position) if position else "",
        game.pause_left(now) if game and link.peer is not None else None,
        doubt.name or (link.name if asks else ""),
        doubt.thrown,
        table.expects,
        table.people.watchers,
        table.watches,
        table.people.asks,
        table.shown_hand(),
    )
    return partial(_view, moment)


def _view(at: _ListenerMoment) -> TableView:
    """The view of a kept moment."""
    position = at.position
    if position is None or position.ended is CloseReason.ENDED:
        view = table_view("listener", _people_rows(at), at.cast, choice=_chosen_game(at.people))
        if at.expects and not at.connected:
            view = replace(view, waiting=f"{at.expects} to call back")
    else:
        view = table_view("listener", _people_rows(at), at.cast, game=_standpoint(at, position))
    if at.asks:
        view = replace(view, waiting="the host to let you watch")
    if at.shown is not None:
        view = show_hand_in_view(view, *at.shown)
    return replace(view, doubted=at.doubted, thrown_away=at.thrown_away, watchers=_watcher_rows(at))


def _watcher_rows(at: _ListenerMoment) -> tuple[PersonView, ...]:
    """Those who watch as rows of the view, our player first if they do."""
    rows = [
        PersonView(one.name, "", "you" if one.key == at.me.key else "here", "", key=fingerprint(one.key), sees=one.sees)
        for one in at.watchers
    ]
    return tuple(rows)


def _standpoint(at: _ListenerMoment, position: Position) -> Standpoint:
    """The position with all else that the view of the game is made from."""
    return Standpoint(
        position,
        _absent_sides(at, position),
        {seat: max(0.0, time - at.now) for seat, (_, time) in enumerate(at.clocks) if time is not None},
        may_act=at.may_act,
        turn_seconds=_turn_seconds(at, position),
        waiting="" if at.connected else "the host to reconnect",
        proposal=_proposal_view(at.proposal, position) if at.connected else None,
        auto=at.auto,
        assists=allowed_assists(position),
        pause=at.pause,
    )


def _proposal_view(said: Proposal | None, position: Position) -> ProposalView | None:
    """A proposal as the view shows it, None if there is none."""
    return None if said is None else ProposalView(position.names[said.side], said.what is EntryKind.REDEAL)


def _absent_sides(at: _ListenerMoment, position: Position) -> frozenset[int]:
    """The sides of the game that are not connected."""
    seats = position.header.seats
    away = [seat for seat, (state, _) in enumerate(at.clocks) if state is ClockState.AWAY and seat < len(seats)]
    sides = [seats[seat].side for seat in away] + ([] if at.connected else [0])
    return frozenset([side for side in sides if side is not None])


def _turn_seconds(at: _ListenerMoment, position: Position) -> float | None:
    """Seconds left on this player's turn clock while it runs; the coordinator's clock decides."""
    clock = position.header.turn_clock
    return None if not clock or at.turn_began is None else max(0.0, at.turn_began + clock - at.now)


def _choice_happenings(before: People, now: People) -> list[Happening]:
    """What to tell when the coordinator has chosen another game or other options."""
    choice, earlier = _chosen_game(now), _chosen_game(before)
    if choice is None:
        unknown = now.game in GAME_NAMES and now.game != before.game
        return [GameChosen(GAME_NAMES[now.game or ""])] if unknown else []
    game, options = choice
    same = earlier is not None and earlier[0] is game
    return tell_options_changed(game, options, earlier[1]) if earlier and same else tell_game_chosen(game, options)


def _chosen_game(people: People) -> tuple[AnyGame, Any] | None:
    """The game and options that PEOPLE names; None if they are not known here."""
    game = GAMES.get(people.game or "")
    if game is None:
        return None
    try:
        return game, options_from_header(game.options, people.options)
    except OptionError:
        return None


def _people_rows(at: _ListenerMoment) -> list[PersonView]:
    people, me = at.people, at.me
    mine = fingerprint(me.key)
    if not people.people:
        asked = PersonView(at.host, "", "here", at.where, coordinates=True, key=fingerprint(at.coordinator))
        return [asked] * at.asks + [PersonView(me.name, character_name(at.cast, me.character), "you", "", key=mine)]
    sides, names = _side_names(at.position, at.presence), _shown_people(me, at.coordinator, at.position, people)
    rows = []
    for place, person in enumerate(people.people):
        is_me, host = place == people.you, place == 0
        here = at.connected if host else person.here
        rows.append(
            PersonView(
                names[place],
                character_name(at.cast, clean(person.character, NAME)),
                "you" if is_me else "here" if here else "away",
                at.where if at.connected and host else "",
                person.seat,
                coordinates=host,
                key=mine if is_me else fingerprint(at.coordinator) if at.connected and host else "",
                again=at.again.get(person.name),
                looks_on=here and sides is not None and person.name not in sides,
            )
        )
    return rows


def note_takeover(table: ListenerTable, now: float) -> list[Effect]:
    """After a record: log it if it takes our seat over for an untrue reason."""
    reason = table.game.taken_over_untruly(now) if table.game else None
    if reason is None or table.game is None:
        return []
    note = UntrueTakeover(table.game.position.count - 1)
    return [Remember(note_payload(note)), Tell(TakenOverUntruly(table.link.name, reason.sentence))]


# --- what a listener asks its player before it plays on ---------------------------------------------------------------


def doubt_absence(table: ListenerTable) -> list[Effect]:
    """After a record: ask the player if it calls us absent though our check is signed."""
    note = table.game.left_out() if table.game else None
    if note is None or table.game is None:
        return []
    return [Remember(note_payload(note)), *_ask_about_absence(table, table.game.follower, note.here)]


def resume(table: ListenerTable, said: Resume, now: float) -> list[Effect]:
    """Go on with a game, after a restart only once the player agrees. Raises Refused."""
    follower = table.followed(said.game_id)
    if follower is None or follower.unanswered is None or follower.position.phase is Phase.CLOSED:
        return table.resume(said, now)
    if not table.doubt.spend(said.game_id):
        return _ask_about_absence(table, follower, here=False)
    note = PlaysOn(follower.unanswered)
    follower.remember_note(note)
    log = UseLog(follower.position.game.key, said.game_id, new=False)
    return [log, Remember(note_payload(note)), *table.resume(said, now)]


def take_of_lost(table: ListenerTable, game: LostGame, said: RecordMessage) -> list[Effect]:
    """Take a record of a game whose log was lost; ask the player once it shows that this side had begun it. Raises
    Refused."""
    if not game.receive_record(said):
        return []
    table.doubt.arise(table.link.key, table.link.name, game.game_id)
    return [Tell(GameWithoutLog(table.link.name, game.name)), *table.hang_up_in_doubt()]


def _ask_about_absence(table: ListenerTable, follower: LedgerFollower, here: bool) -> list[Effect]:
    """Ask the player whether to play on. here: this side was connected all the time; otherwise its check may be
    lost."""
    table.doubt.spend(follower.position.game_id)
    table.doubt.arise(table.link.key, table.link.name, follower.position.game_id)
    told = LeftOutOfDeal(table.link.name, here, table.times_left_out())
    return [Tell(told), *table.hang_up_in_doubt()]
