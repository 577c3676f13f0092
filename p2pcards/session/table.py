"""A coordinator's table: its parts, what happens across them when somebody comes or goes and when a game begins, and
what its person sees of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import NamedTuple

from p2pcards.games.game import AnyGame, Seat
from p2pcards.games.options import header_values
from p2pcards.ledger.branches import continues_another, is_majority
from p2pcards.ledger.fair import chain_value
from p2pcards.ledger.payloads import RECORD, Succeeded, address_payload, note_payload, read_start, start_payloads
from p2pcards.ledger.position import Position, begin
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import LedgerWriter
from p2pcards.session.bounds import Talk, time_allowed
from p2pcards.session.effects import (
    Close,
    CommandError,
    Effect,
    Finished,
    Inheritance,
    Me,
    Neighbor,
    Remember,
    Send,
    Tell,
    UseLog,
    YieldTable,
)
from p2pcards.session.followed_game import PastGames
from p2pcards.session.gallery import Gallery, Watcher
from p2pcards.session.game_clocks import Deadlines
from p2pcards.session.guests import (
    MOST,
    NO_ROOM,
    Attendance,
    Guest,
    GuestIdentity,
    GuestLink,
    UngreetedLink,
    free_name,
)
from p2pcards.session.live_game import LiveGame, reopen
from p2pcards.session.lobby import (
    Choice,
    Company,
    EditionOf,
    LeftOpen,
    LevelNotes,
    Lobby,
    PendingOffer,
    first_edition,
    make_continuing_header,
    make_header,
)
from p2pcards.session.own_seat import Deputy, HandShown, Hints, allowed_assists, shows_text
from p2pcards.session.presence import ASKED_FOR_NONE, Presence, is_here
from p2pcards.session.succession import NO_LOG, Hosting, SuccessionStep, line_behind, rank, too_few
from p2pcards.views.absence import Absence
from p2pcards.views.happenings import HostChanged, Notice, PlayerBack, PlayerJoined, PlayerLeft, PlayerLost, Unfinished
from p2pcards.views.standpoint import (
    Cast,
    Standpoint,
    character_name,
    player_name,
    table_view,
    tell_game_started,
    tell_host_changed,
    tell_seats_changed,
)
from p2pcards.views.tableview import PersonView, ProposalView, TableView
from p2pcards.wire.keys import fingerprint
from p2pcards.wire.messages import (
    ADDRESS_SIZE,
    Again,
    Ask,
    Bye,
    Door,
    Doors,
    Handover,
    Have,
    Hello,
    NoSeat,
    Offer,
    People,
    Person,
    RecordMessage,
    Resume,
    ShowHand,
    Watch,
    WatchersNow,
    encode_message,
)
from p2pcards.wire.names import given_name
from p2pcards.wire.packing import Refused
from p2pcards.wire.reasons import ByeCode, CloseReason, TakeoverReason
from p2pcards.wire.records import HEADER_LABEL, VALUE, VERSION, Header, Record, Side, encode_header, sign

# --- a coordinator's table --------------------------------------------------------------------------------------------


STAKING = 10.0
"""Seconds that a listener has to give the end of a chain when a game is to begin."""
HAS_SEAT = "You have a seat there: join that table instead"
"""Why a player can't watch."""
TRIES = 3
"""Games that begin in the place of one of which somebody has never heard, before a person has to say so."""
GRACE, LINE_GRACE = 60, 180
"""Seconds from a drop to the takeover, unless the coordinator has said otherwise; on telephone lines."""


class Table:
    """grace, turn_clock, between_hands: of the games to come, in seconds; grace None: whatever the lines need. alone: a
    seeded table, to which nobody can be invited. levels: at which computers play; edition_of: see `Company`. deals: the
    numbers of the deals of a player alone, None where their cards are shuffled like those of people. left_open: games
    that the first one here would break off, the newest first."""

    def __init__(
        self,
        me: Me,
        cast: Cast,
        entropy: Callable[[int], bytes],
        *,
        grace: int | None,
        turn_clock: int,
        between_hands: int,
        alone: bool = False,
        levels: Sequence[str] = (),
        edition_of: EditionOf = first_edition,
        deals: Iterator[int] | None = None,
        left_open: Sequence[LeftOpen] = (),
        host: Hosting,
    ) -> None:
        self.me = me
        self.cast = cast
        self.levels = levels
        self._edition_of = edition_of
        self.entropy = entropy
        self.alone = alone
        self.attendance = Attendance()
        self.gallery = Gallery()
        self.lobby = Lobby()
        self.talk = Talk()
        self.hints = Hints(cast)
        self.notes = LevelNotes()
        self.hand_shown = HandShown()
        self.deputy = Deputy(me.auto, self.notes)
        self.game: LiveGame | None = None
        self.past = PastGames()
        self._parting = self._parted = False
        self._heir = b""  # the key of the guest who hosts after this hand
        self._told_of_seats = False  # our player knows how to seat a watcher
        self._begun_anew = 0  # games in a row
        self._replaced: LiveGame | None = None  # ended without a card dealt, for another to begin in its place
        self._grace = grace
        self._turn_clock = turn_clock
        self._between_hands = between_hands
        self._deals = deals
        self._left_open = left_open
        self.host = host
        self._doors: tuple[Door, ...] = ()  # as everybody was told last

    def take_over(self, inheritance: Inheritance, now: float) -> None:
        """Begin at another coordinator's table: call its people."""
        guests = []
        for one in inheritance.others(self.me.key):
            (shown,) = self.me.shown([(one.key, one.name)])
            guest = Guest(GuestIdentity(one.key, one.name, one.character, shown), one.address)
            guest.expect(now)
            guests.append(guest)
        self.attendance.expect(guests)
        self.gallery.expect(inheritance.watchers)
        base = self.host.base
        if base is not None:
            self._grace, self._turn_clock = base.header.grace, base.header.turn_clock
            self._between_hands = base.header.between_hands
            self.lobby.apply_choice(Choice(base.game, base.state.options))
        elif inheritance.choice is not None:
            self.lobby.apply_choice(Choice(*inheritance.choice))

    @property
    def between_games(self) -> bool:
        """True if there is no game in progress, and none that is about to continue in another log."""
        return self.game is None or (self.game.over and not self.is_to_continue)

    @property
    def is_to_continue(self) -> bool:
        """True if the game is closed and is to continue in another log: also in place of one that was to continue it,
        and of which no card could be dealt."""
        game = self.game
        if game is None or not game.over:
            return False
        return game.is_continued or (game is self._replaced and continues_another(game.position.header))

    @property
    def guests(self) -> list[Guest]:
        """The guests in the order in which they came."""
        return self.attendance.guests

    def room(self) -> int:
        """How many more listeners may sit down; the places of those away are kept."""
        return MOST - sum(not self._gives_way(guest) for guest in self.guests)

    def _gives_way(self, guest: Guest) -> bool:
        """True for a stranger who came uninvited, has played no game and is away: keys cost nothing, so their place
        isn't kept."""
        uninvited = not guest.redial.address and guest.standing().since is None
        return not guest.here and self.side_of(guest) is None and uninvited

    def side_of(self, guest: Guest) -> int | None:
        """The guest's side in the game in progress or the last one, None if they have none."""
        return self.game.side_of(guest) if self.game else None

    def seat_of(self, guest: Guest | None) -> Seat | None:
        """The seat of a guest, or of the coordinator for None."""
        return self.game.seat_of(guest) if self.game else None

    # --- who comes and goes -------------------------------------------------------------------------------------------

    def seat(self, link: UngreetedLink, hello: Hello, now: float) -> list[Effect]:
        """Seat a caller who has said HELLO, or turn them away."""
        known = self._known_guest(link.key)
        if not self._has_place_for(link.key):
            return self.attendance.turn_away(link, Bye(ByeCode.FULL), NO_ROOM, now)
        if known not in self.guests and len(self.guests) >= MOST:
            self._remove(next(guest for guest in self.guests if self._gives_way(guest)))
        guest, effects = self.attendance.seat(link, known, hello, self._names_taken(), self.me, now)
        looks_on = self.looks_on(guest)
        joined = PlayerJoined(guest.name, character_name(self.cast, guest.identity.character), link.where, looks_on)
        effects += [Tell(PlayerBack(guest.name) if known else joined), *self.tell_people()]
        if self.gallery.watching:
            effects += guest.send(self._who_watches())
        if not known and self.game is None and any(guest.key in one.listeners for one in self._left_open):
            effects.append(Tell(Unfinished(guest.name)))
        if self.game is not None and self.game.side_of(guest) is not None:
            effects += self.game.ask_how_far(guest)
        elif self.game is not None and looks_on:
            effects += self.game.look_on(guest, now) + self.plan_newcomer(guest, now)
        effects += self._answers_so_far(guest) + self._ask_how_far(guest)
        self.lobby.note_arrival(guest.key)
        if self.lobby.offer:
            return effects + guest.send(Offer(self.lobby.offer.nonce))
        if self._is_to_begin_anew():
            return effects + self._offer_anew(now)
        return effects + self.play_again_if_agreed(now)

    def _names_taken(self) -> set[str]:
        """The names of the coordinator and of all sides of the game in progress, here or not."""
        sides = () if self.game is None or self.between_games else self.game.position.header.sides
        return {self.me.name, *[side.name for side in sides], *[one.name for one in self.gallery.everyone]}

    def _known_guest(self, key: bytes) -> Guest | None:
        """The guest with this key, here or with a side in the game in progress; None if there is none."""
        return self.attendance.guest_with_key(key) or self._find_former_guest(key)

    def _has_place_for(self, key: bytes) -> bool:
        """True if the caller with this key has a place at the table, or there is one more."""
        return self._known_guest(key) in self.guests or self.room() > 0

    # --- who watches --------------------------------------------------------------------------------------------------

    def receive_watcher(self, link: UngreetedLink, said: Watch) -> list[Effect]:
        """Let a caller who has said WATCH in, ask our player about them, or turn them away."""
        gallery, stranger = self.gallery, link.standing().since is None
        self.attendance.forget_link(link.peer)
        code = ByeCode.NO_WATCHING if self._known_guest(link.key) else gallery.refusal(link.key, stranger=stranger)
        if code is not None:
            text = HAS_SEAT if self._known_guest(link.key) else ""
            return [Send(link.peer, encode_message(Bye(code, text))), Close(link.peer)]
        effects: list[Effect] = []
        if (older := gallery.watcher_with_key(link.key)) is not None:
            gallery.remove(older)
            effects += older.hang_up(ByeCode.REPLACED)
        elif (other := gallery.who_gives_way()) is not None:
            effects += other.hang_up(ByeCode.NO_ROOM_TO_WATCH) + self.lose_watcher(other, "made room for a friend")
        name = free_name(given_name(said.name), [*self._names_taken(), *[one.identity.name for one in self.guests]])
        (shown,) = self.me.shown([(link.key, name)])
        place = GuestLink(link.peer, link.where, link.pulse)
        watcher = Watcher(link.key, name, shown, place, link.standing, asks=gallery.has_to_ask(link.key))
        gallery.add(watcher)
        if watcher.asks:
            told = f"{shown} wants to watch. To answer: watchers yes {shown}, or watchers no {shown}"
            return [*effects, *watcher.send(WatchersNow(())), Tell(Notice(told))]
        return [*effects, *self._show_in(watcher)]

    def let_in_watcher(self, watcher: Watcher) -> list[Effect]:
        """Let a watcher in who has asked."""
        return self._show_in(self.gallery.let_in(watcher))

    def _show_in(self, watcher: Watcher) -> list[Effect]:
        """Show a watcher who has been let in what there is to see, and tell everybody."""
        effects = [*self.tell_watchers(), *watcher.send(self._people_message(None))]
        effects += self.gallery.show_doors(watcher) if any(guest.here for guest in self.guests) else []
        return [*effects, *self.gallery.show_game(watcher), Tell(Notice(f"{watcher.shown} is watching."))]

    def lose_watcher(self, watcher: Watcher, why: str) -> list[Effect]:
        """A watcher's link has ended. why: the end of a sentence, after their name."""
        self.gallery.remove(watcher)
        if watcher.asks:
            return []
        return [*self.tell_watchers(), Tell(Notice(f"{watcher.shown} is no longer watching ({watcher.shown} {why})."))]

    def seat_watcher(self, watcher: Watcher, hello: Hello, now: float) -> list[Effect]:
        """A watcher asks for a seat: from now on they are a guest, if there is room."""
        if watcher.asks or not self._has_place_for(watcher.key):
            return watcher.send(NoSeat())
        self.gallery.remove(watcher)
        link = watcher.link
        ungreeted = UngreetedLink(link.peer, watcher.key, link.where, "", link.pulse, watcher.standing)
        self.attendance.add_ungreeted(ungreeted)
        answered = watcher.send(Hello(VERSION, True, self.me.name, self.me.character))
        return [*answered, *self.seat(ungreeted, hello, now), *self.tell_watchers()]

    def tell_watchers(self) -> list[Effect]:
        """Send WATCHERS to everybody."""
        to_guests = [effect for guest in self.guests for effect in guest.send(self._who_watches())]
        return [*to_guests, *[effect for one in self.gallery.watching for effect in one.send(self._who_watches(one))]]

    def _who_watches(self, first: Watcher | None = None) -> WatchersNow:
        """WATCHERS, as it is now. first: the watcher it is sent to."""
        names = {self.me.key: self.me.name} | {guest.key: guest.identity.name for guest in self.guests}
        return self.gallery.who_watches(names, first)

    def pass_on_hand(self, player: bytes, said: ShowHand) -> list[Effect]:
        """Pass a player's hand on to the watcher they show it to. player: the key."""
        watcher = self.gallery.watcher_with_key(said.key)
        if watcher is None or watcher.asks or watcher.sees not in (b"", player):
            return []
        self.gallery.note_for(watcher.key, ShowHand(player, said.sealed))
        sees = player if said.sealed else b""
        if sees == watcher.sees:
            return []
        self.gallery.show_hand(watcher, sees)
        guest = self.attendance.guest_with_key(player)
        if guest is None:
            return self.tell_watchers()
        return [*self.tell_watchers(), Tell(Notice(shows_text(guest.name, watcher.shown, shows=bool(sees))))]

    def show_hand_to(self, watcher: bytes) -> list[Effect]:
        """Show our player's hand to this watcher from now on, and to nobody else. watcher: the key, b"" for nobody."""
        before = self.hand_shown.key
        self.hand_shown.show_to(watcher)
        return self.pass_on_hand(self.me.key, ShowHand(before, b"")) if before not in (b"", watcher) else []

    def name_of(self, key: bytes) -> str:
        """The name of the guest with this key, as our player sees it."""
        guest = self.attendance.guest_with_key(key)
        return guest.name if guest else "somebody"

    def _hide_hand(self, player: bytes) -> list[Effect]:
        """Show the hand of a player who is gone to nobody."""
        shown = [one for one in self.gallery.everyone if one.sees == player]
        return [effect for one in shown for effect in self.pass_on_hand(player, ShowHand(one.key, b""))]

    def _show_own_hand(self) -> list[Effect]:
        """Show our player's hand to the watcher they chose, if it has changed."""
        if self.hand_shown.key and self.gallery.watcher_with_key(self.hand_shown.key) is None:
            self.hand_shown.show_to(b"")
        said = self.hand_shown.due(self.me.identity, self.game.position if self.game else None)
        return self.pass_on_hand(self.me.key, said) if said else []

    def watchers(self) -> dict[str, bytes]:
        """By name, the keys of the people who are here and have no seat in the game in progress, the coordinator
        first."""
        if self.between_games:
            return {}
        mine = {self.me.name: self.me.key} if self.seat_of(None) is None else {}
        return mine | {guest.name: guest.key for guest in self.guests if guest.here and self.seat_of(guest) is None}

    def looks_on(self, guest: Guest) -> bool:
        """True if a game is in progress in which the guest has no side."""
        return not self.between_games and self.side_of(guest) is None

    def _find_former_guest(self, key: bytes) -> Guest | None:
        """The guest with this key who has a side in the game in progress, but has left the table; None if there is
        none."""
        sides = self.game.guests.values() if self.game and not self.game.over else ()
        return next((guest for guest in sides if guest.key == key), None)

    def lose(self, guest: Guest, why: str, now: float, behaved: bool = True) -> list[Effect]:
        """The link of a guest has ended. behaved: they did not break the protocol."""
        guest.lose(now, behaved)
        self.host.forget(guest.key)
        hidden = self._hide_hand(guest.key)
        if (self._begun_anew and not self.is_to_continue) or self.host.gathers:
            self.lobby.end_offer()  # of a game that nobody has asked for: it would begin without them
        if guest.left:
            self._remove(guest)
            gone = [Tell(PlayerLeft(guest.name, why)), *hidden, *self.tell_people()]
            return [*gone, *self.start_if_ready(now), *self.play_again_if_agreed(now)]
        self.lobby.withdraw_stake(guest.key)
        game = self.game
        if game is None or game.over or self.side_of(guest) is None:
            return [Tell(PlayerLost(guest.name, why)), *hidden, *self.tell_people()]
        seat = game.seat_of(guest)
        seconds = None if seat is None else game.clocks.countdown(game.position, now).get(seat)
        character = character_name(self.cast, guest.identity.character)
        lost = [Tell(PlayerLost(guest.name, why, seconds, character)), *hidden, *self.tell_people()]
        return [*lost, *game.proceed(now)]

    def _remove(self, guest: Guest) -> None:
        """Remove a guest and what is remembered of them."""
        self.attendance.remove(guest)
        self.talk.forget(guest.key)
        self.lobby.forget(guest.key)

    def leave(self, guest: Guest, why: str, now: float) -> list[Effect]:
        """A guest has left for good or was removed; their link is closed already."""
        game, side = self.game, self.side_of(guest)
        guest.leave(now)
        if game is None or side is None or game.over:
            return self.lose(guest, why, now)
        hidden = self._hide_hand(guest.key)
        self._remove(guest)
        return [Tell(PlayerLeft(guest.name, why)), *hidden, *self.tell_people(), *game.settle(side, now)]

    def put_out(self, guest: Guest, code: ByeCode, why: str, now: float) -> list[Effect]:
        """Remove a guest from the table. why: the end of a sentence, after their name."""
        return guest.hang_up(code) + self.leave(guest, why, now)

    def part(self, now: float) -> list[Effect]:
        """The coordinator leaves: the others continue the game, or the table ends when the game has."""
        if (heirs := self._heirs()) and self.game is not None:
            sent = self._tell_handover(heirs[0], now)
            goodbyes = [effect for one in self.guests for effect in one.hang_up(ByeCode.LEAVES)]
            goodbyes += [effect for one in self.gallery.everyone for effect in one.hang_up(ByeCode.LEAVES)]
            return [Remember(note_payload(Succeeded(bytes(16)))), *sent, *goodbyes, Finished()]
        self._parting = True
        return self.game.end_game(now) if self.game and not self.game.over else []

    def _heirs(self) -> list[Guest]:
        """The players who can continue the game if the coordinator leaves, the successor first; none if they are too
        few for its hands to count."""
        game = self.game
        if game is None or game.over or game.awaiting_logs:
            return []
        heirs = [guest for guest in game.guests.values() if guest.complete and self.seat_of(guest) is not None]
        enough = is_majority(frozenset([guest.key for guest in heirs]), game.position.quorum)
        return heirs if len(heirs) > 1 and enough else []

    def after_effects(self, now: float) -> list[Effect]:
        """Do what follows once earlier effects are carried out; ends the table if its coordinator is leaving."""
        effects = self.game.after_effects(now) if self.game else []
        if self._heir and self.game is not None and self.game.over and not self._parting:
            effects += self._hand_over(now)
        elif self.is_to_continue and self.lobby.offer is None and not self._parting:
            effects += self.offer_game(now)
        if self.host.gathers and self.lobby.offer is None:
            effects += self._gather(now)
        effects = effects or self._show_own_hand()
        effects = effects or self.gallery.follow(self.game.writer if self.game else None, now)
        if effects or self._parted or not self._parting or not (self.game is None or self.game.over):
            return effects
        self._parted = True
        self.lobby.end_offer()
        goodbyes = [effect for guest in self.guests for effect in guest.hang_up(ByeCode.LEAVES)]
        goodbyes += [effect for watcher in self.gallery.everyone for effect in watcher.hang_up(ByeCode.LEAVES)]
        self.attendance.remove_all()
        self.gallery.remove_all()
        return [*goodbyes, Finished()]

    # --- succession ---------------------------------------------------------------------------------------------------

    def _gather(self, now: float) -> list[Effect]:
        """Continue the game of a table that was taken over, once everyone is here, or enough of them after a while;
        without enough, give the table up."""
        host, here = self.host, frozenset([guest.key for guest in self.guests if guest.here])
        ready = host.is_ready(here, now)
        if ready is None:
            return self._give_up()
        if not ready:
            return []
        if not host.bases:
            host.begin()
            return [Tell(Notice("You host this table now."))]
        behind = [guest for guest in self.guests if guest.here and not host.can_take_part(guest.key)]
        why = "has a log that ends too early"
        gone = [effect for guest in behind for effect in self.put_out(guest, ByeCode.OTHER_HISTORY, why, now)]
        return gone + self.offer_game(now)

    def _give_up(self) -> list[Effect]:
        """Give up a table that was taken over, for a while, as too few are here."""
        left = self.host.inheritance
        assert left is not None
        told = too_few(left.line[0].name, left.tries + 1)
        return [Tell(told), *self.yield_table(SuccessionStep.ALONE, b"")]

    def _ask_how_far(self, guest: Guest) -> list[Effect]:
        """Ask a guest how far their log of the game goes that goes on here."""
        follower = self.host.left_behind
        if follower is None or not self.host.has_log_to_compare(guest.key):
            return []
        position = follower.position
        return guest.send(Resume(position.game_id, position.count, position.head))

    def compare_log(self, guest: Guest, said: Resume) -> list[Effect]:
        """Take a guest's answer how far their log of the game goes that goes on here; send what it lacks, or ask for
        what ours lacks."""
        follower = self.host.left_behind
        asked = self.host.has_log_to_compare(guest.key)
        if follower is None or not asked or said.game_id != follower.position.game_id:
            return []
        lacks = self.host.goes_back and said.head == bytes(32)
        first = self.host.compare(guest.key, NO_LOG if lacks else said.count)
        if first is not None:
            end = self.host.bases[-1].count
            records = enumerate(follower.records[first:end], first)
            sent = [RecordMessage(number, bytes(Record(record.frames))) for number, record in records]
            return [*[effect for one in sent for effect in guest.send(one)], *self._ask_how_far(guest)]
        return guest.send(Ask(follower.position.count)) if said.count > follower.position.count else []

    def take_left_behind(self, said: Have) -> list[Effect]:
        """Take a record that our log lacks of the game that goes on here."""
        follower = self.host.left_behind
        if follower is None or said.number != follower.position.count:
            return []
        try:
            received = follower.receive_record(said.record)
        except Refused:
            return []  # it has a part that only its recipient can read
        position = received.before
        log = UseLog(position.game.key, position.game_id, new=False)
        return [log, Remember(RECORD + bytes(received.record))]

    def _leave_behind(self, game_id: bytes) -> list[Effect]:
        """Note in our log of the game that goes on here that it does, with this id: nothing more is signed there."""
        follower = self.host.left_behind
        if follower is None or follower.position.phase is Phase.CLOSED:
            return []
        note, old = Succeeded(game_id), follower.position
        follower.remember_note(note)
        return [UseLog(old.game.key, old.game_id, new=False), Remember(note_payload(note))]

    def _tell_host_changed(self, position: Position, before: Position) -> HostChanged:
        """The happening of the game that goes on here, from its base."""
        handed = self.host.inheritance is not None and self.host.inheritance.handed
        return tell_host_changed(position, before, handed=handed, again=self.host.hand_was_begun)

    def claims_table(self, key: bytes) -> bool:
        """True if this side coordinates the table rather than somebody else who does, too: its game counts, or it took
        the table over and no other successor comes before it in line."""
        if self.has_majority:
            return True
        line = self._line()
        theirs, mine = rank(line, key) or 0, rank(line, self.me.key) or 0
        return self._took_over and not 0 < theirs < mine

    @property
    def _took_over(self) -> bool:
        """True if another coordinated this table, or its game, before."""
        header = self.game.position.header if self.game else None
        return self.host.inheritance is not None or (header is not None and bool(header.quorum))

    @property
    def has_majority(self) -> bool:
        """True if the hands that are played here count. Before the first deal of a game that continues another there
        may be a side that doesn't know of it."""
        position = self.game.position if self.game else self.host.base
        if self.game is not None and continues_another(self.game.position.header) and not self.game.position.dealt:
            return False
        here = frozenset([self.me.key, *[guest.key for guest in self.guests if guest.here]])
        return position is not None and is_majority(here, position.quorum)

    def _line(self) -> tuple[Neighbor, ...]:
        """Those who may coordinate this table, in order."""
        if self.host.inheritance is not None:
            return self.host.inheritance.line
        return (self._neighbor(None), *[self._neighbor(guest) for guest in self._sides()])

    def _sides(self) -> list[Guest]:
        """The listeners of the game in progress, or all: a coordinator may have continued it alone."""
        sides = list(self.game.guests.values()) if self.game and not self.game.over else []
        return sides or self.guests

    def _neighbor(self, guest: Guest | None) -> Neighbor:
        """A guest, or the coordinator for None, as others at the table know them."""
        if guest is None:
            return Neighbor(self.me.key, self.me.name, self.me.character, "")
        return Neighbor(guest.key, guest.identity.name, guest.identity.character, guest.redial.address)

    def members(self) -> list[bytes]:
        """The keys of the others who may coordinate this table as well: after a restart those too whose game goes on
        here."""
        quorum = self.game.position.header.quorum if self.game else None
        keys = dict.fromkeys([*[one.key for one in self._line()], *(quorum or ())])
        return [key for key in keys if key != self.me.key]

    def yield_table(self, step: SuccessionStep, host: bytes) -> list[Effect]:
        """Leave the table to somebody else in line; b"": to nobody, after it was taken over in vain."""
        inheritance = self.host.inheritance
        self.host.give_up(step)
        if inheritance is not None and not host:
            inheritance = replace(inheritance, tries=inheritance.tries + 1)
        if inheritance is None or self.game is not None:
            bases: tuple[Position, ...] = ()
            if self.game is not None and step is SuccessionStep.HANDED_ON and not self.between_games:
                bases = (self.game.position if self.game.is_continued else self.game.base,)
            chosen = (self.lobby.choice.game, self.lobby.choice.options) if self.lobby.choice else None
            line = (self._neighbor(None), *[self._neighbor(guest) for guest in self._sides()])
            handed = step is SuccessionStep.HANDED_ON
            watchers = frozenset([one.key for one in self.gallery.watching])
            line = line_behind(host, line) if handed else line
            inheritance = Inheritance(line, chosen, None, bases, handed, watchers=watchers)
        goodbyes = [effect for one in self.guests for effect in one.hang_up(ByeCode.HANDED_OVER)]
        goodbyes += [effect for one in self.gallery.everyone for effect in one.hang_up(ByeCode.HANDED_OVER)]
        return [*goodbyes, YieldTable(inheritance, host)]

    def plan_handover(self, heir: Guest, now: float) -> list[Effect]:
        """Hand the table over to a guest after this hand, or at once between games."""
        self._heir = heir.key
        if self.game is None or self.between_games:
            return self._hand_over(now)
        seats = f" {heir.name} can change seats then." if self.game.changes else ""
        return [Tell(Notice(f"{heir.name} hosts after this hand.{seats}")), *self.game.hand_over(now)]

    def _hand_over(self, now: float) -> list[Effect]:
        """Hand the table over to the guest who was chosen, if they are still here."""
        heir = next((guest for guest in self.guests if guest.key == self._heir and guest.here), None)
        self._heir = b""
        if heir is None:
            return [Tell(Notice("You still host: the friend you chose is gone."))]
        return [*self._tell_handover(heir, now), *self.yield_table(SuccessionStep.HANDED_ON, heir.key)]

    def _tell_handover(self, heir: Guest, now: float) -> list[Effect]:
        """Tell everybody who hosts from now on; watchers see the end of the log before."""
        shown = self.gallery.follow(self.game.writer if self.game else None, now)
        everybody: tuple[Guest | Watcher, ...] = (*self.guests, *self.gallery.watching)
        return [*shown, *[effect for one in everybody for effect in one.send(Handover(heir.key))]]

    def tell_doors(self) -> list[Effect]:
        """Tell everybody where the others can be called, if that is news: the table can go on without its
        coordinator."""
        doors = [
            Door(place, guest.key, guest.redial.address)
            for place, guest in enumerate(self.guests, 1)
            if guest.here and len(guest.redial.address) <= ADDRESS_SIZE
        ]
        to_watchers = self.gallery.tell_doors(tuple(doors))
        if tuple(doors) == self._doors or (len(doors) < 2 and not self._doors):
            return to_watchers
        self._doors = tuple(doors)
        return [*[effect for guest in self.guests for effect in guest.send(Doors(self._doors))], *to_watchers]

    def tell_people(self) -> list[Effect]:
        """Send PEOPLE, as the table is now, to everybody."""
        said = self._people_message(None)
        self.gallery.note(said)
        sent = [effect for place, one in enumerate(self.guests, 1) for effect in one.send(replace(said, you=place))]
        return sent + self.tell_doors()

    def _people_message(self, you: int | None) -> People:
        """PEOPLE, as the table is now. you: the place of its recipient, None for a watcher."""
        choice = self.lobby.choice
        game, options = (choice.game.key, header_values(choice.options)) if choice else (None, ())
        people = [Person(self.me.name, self.me.character, self.seat_of(None), True)]
        people += [
            Person(one.identity.name, one.identity.character, self.seat_of(one), one.here) for one in self.guests
        ]
        return People(tuple(people), you, game, options)

    def wants_past(self, key: bytes, game_id: bytes) -> bool:
        """True if the listener with this key may ask for this earlier game now."""
        guest = self.attendance.guest_with_key(key)
        if guest is None or self.past.asked(key):
            return False
        if guest.presence is Presence.CATCHING_UP:
            return self.game is not None and self.game.position.game_id != game_id
        return guest.presence in ASKED_FOR_NONE and self.lobby.offer is not None

    # --- a game begins ------------------------------------------------------------------------------------------------

    def game_chosen(self) -> AnyGame | None:
        """The chosen game, None if there is none."""
        return self.lobby.choice.game if self.lobby.choice else None

    def check_everybody_is_here(self) -> None:
        """Raise CommandError, once, for guests who are away: the game would begin without them."""
        away = [guest for guest in self.guests if not (guest.here or self._gives_way(guest))]
        if self.lobby.note_away([guest.key for guest in away]):
            return
        raise CommandError(f"{_are_cut_off(away)}. Give them a moment, or type 'start' again to play without them.")

    def tell_who_is_missed(self) -> list[Effect]:
        """Name the seated guests who are away, for whom the next game waits."""
        away = [guest for guest in self.guests if not guest.here and self.seat_of(guest) is not None]
        text = f"{_are_cut_off(away)}. The next game waits for them. Type 'start' to play without them."
        return [Tell(Notice(text))] if away else []

    def offer_game(self, now: float) -> list[Effect]:
        """Ask every listener who is here for a stake; the game begins when all have answered."""
        self.past.forget()
        self._begun_anew = 0
        slowest = max([guest.pace for guest in self.guests], default=0.0)
        nonce = self.entropy(16)
        asked_of = [guest.key for guest in self.guests if guest.here]
        self.lobby.make_offer(nonce, now + time_allowed(STAKING, slowest), asked_of)
        asked = [effect for guest in self.guests for effect in guest.send(Offer(nonce))]
        return asked + self.start_if_ready(now)

    def begin_anew(self, now: float) -> list[Effect]:
        """End a game without a card dealt and offer another, if a listener has lost the chain in its header and
        everybody is here. Not again and again."""
        game = self.game
        if game is None or game.over or game.awaiting_logs or not game.next_deal.never_comes():
            return []
        if self._begun_anew >= TRIES:
            return []
        none_dealt, starts_over = "no cards were dealt yet", "it starts over"
        if continues_another(game.position.header):
            none_dealt, starts_over = "no cards of this hand were dealt yet", "the hand starts over"
        text = f"{game.next_deal.names()} lost this game's log, but {none_dealt}, so {starts_over}."
        self._replaced = game
        return [Tell(Notice(text)), *game.end_game(now), *self._offer_anew(now)]

    def _is_to_begin_anew(self) -> bool:
        """True if a listener was lost again before a replacing game began, and all are here now."""
        sides = [guest for guest in self.guests if self.side_of(guest) is not None]
        replaced = self.game is not None and self.game is self._replaced
        return replaced and self._begun_anew < TRIES and all(guest.here for guest in sides)

    def _offer_anew(self, now: float) -> list[Effect]:
        """Offer a game in place of one that could not begin."""
        times = self._begun_anew + 1
        effects = self.offer_game(now)
        self._begun_anew = times
        return effects

    # --- seats that change hands --------------------------------------------------------------------------------------

    def plan_seat(self, name: str, seat: Seat | None, now: float) -> list[Effect]:
        """Plan that a watcher takes a computer player's seat after this hand. name: one of `watchers`; seat: None for
        the first free one. Raises CommandError."""
        assert self.game is not None
        taker = self.watchers()[name]
        changes = {other: key for other, key in self.game.changes.items() if key != taker}
        free = [other for other in self._computer_seats() if other not in changes]
        if (seat is None and not free) or (seat is not None and seat not in free):
            where = "" if seat is None else f" in seat {seat + 1}"
            raise CommandError(f"No computer player{where} can make room for {name}.")
        chosen = free[0] if seat is None else seat
        told = f"{name} takes over from {player_name(self.game.position, chosen, self.cast)} after this hand."
        return self.plan_seats({**changes, chosen: taker}, told, now)

    def plan_newcomer(self, guest: Guest, now: float) -> list[Effect]:
        """What becomes of a guest who looks on: a seat after this hand where seats are open, else, once, a
        hint how."""
        if self.game is None or guest.name not in self.watchers() or guest.key in self.game.changes.values():
            return []
        if (before := self._seat_of_before(guest.key)) is not None:
            return self.plan_seat(guest.name, before, now)
        if self.game.changes.keys() >= set(self._computer_seats()):
            return []
        if self.lobby.seats_open:
            return self.plan_seat(guest.name, None, now)
        told, self._told_of_seats = self._told_of_seats, True
        return [] if told else [Tell(Notice(f"To seat {guest.name} after this hand: seat {guest.name}"))]

    def _seat_of_before(self, key: bytes) -> Seat | None:
        """The seat of somebody who was not here when this side took the table over, if a computer player has it."""
        bases = self.host.inheritance.bases if self.host.inheritance else ()
        side = bases[-1].header.side_of(key) if bases else None
        seat = None if side is None else bases[-1].header.seat_of(side)
        planned = self.game.changes if self.game else {}
        return seat if seat in self._computer_seats() and seat not in planned else None

    def plan_seats(self, changes: Mapping[Seat, bytes], told: str, now: float) -> list[Effect]:
        """Set who takes which seat after this hand, by key. told: a sentence."""
        assert self.game is not None
        if self._heir:  # whose header has the seats of this game
            heir = self.name_of(self._heir)
            return [Tell(Notice(f"{heir} hosts after this hand, and can change seats then."))]
        return [Tell(Notice(told)), *self.game.plan_changes(changes, now)]

    def _computer_seats(self) -> list[Seat]:
        """The seats of the game in progress that have no player, or whose player has left for good."""
        if self.game is None:
            return []
        left = [side for side, guest in self.game.guests.items() if guest.left]
        seats = self.game.position.header.seats
        return [seat for seat, entry in enumerate(seats) if entry.side is None or entry.side in left]

    def start_if_ready(self, now: float) -> list[Effect]:
        """Begin the game once every listener who was asked has staked."""
        offer, choice = self.lobby.offer, self.lobby.choice
        if offer is None or choice is None or not offer.asked_of.issubset(offer.stakes):
            return []
        seed = self.entropy(VALUE)
        takes_part = [guest for guest in self.guests if guest.key in offer.stakes]
        people: list[Me | GuestIdentity] = [self.me, *[guest.identity for guest in takes_part]]
        ends = {**offer.stakes, self.me.key: chain_value(seed, 0)}
        sides = tuple([Side(one.key, one.name, one.character, ends[one.key]) for one in people])
        continued = self.game.position if self.game and self.is_to_continue else self.host.base
        partner = next((side for side, guest in enumerate(takes_part, 1) if guest.identity.partner), None)
        header = self._next_header(choice, offer.nonce, sides, partner, continued)
        self.lobby.end_offer()
        self.past.forget()
        frame = sign(self.me.identity, HEADER_LABEL, b"", encode_header(header))
        position = begin(frame, header, 0, seed, continued).changed(names=self.me.shown_sides(header))
        guests = dict(enumerate(takes_part, 1))
        writer = LedgerWriter(self.me.identity, frame, position)
        look = partial(coordinator_view, self)
        self.game = LiveGame(writer, guests, self.cast, self.deputy, now, look, tell_gallery=self.gallery.note)
        effects = self._leave_behind(position.game_id)
        effects.append(UseLog(choice.game.key, position.game_id, new=True))
        effects += [Remember(payload) for payload in start_payloads(0, seed, frame)]
        called = [(side, guest.redial.address) for side, guest in guests.items() if guest.redial.address]
        effects += [Remember(address_payload(side, address)) for side, address in called]
        effects += self.game.send_header()
        if continued is None:
            effects.append(Tell(tell_game_started(position, self.cast)))
        elif self.host.gathers:
            effects.append(Tell(self._tell_host_changed(position, continued)))
            self.host.begin()
        else:
            effects.append(Tell(tell_seats_changed(position, continued, self.cast)))
        if note := self.notes.new_notes(choice.game, [seat.level for seat in header.seats if seat.side is None]):
            effects.append(Tell(Notice(note)))
        return [*effects, *self.tell_people(), *self.game.proceed(now)]

    def _next_header(
        self, choice: Choice, nonce: bytes, sides: tuple[Side, ...], partner: int | None, continued: Position | None
    ) -> Header:
        """The header of the game that begins. partner: as in `Company`; continued: the last position of the game that
        it continues, None for a new one."""
        keys = [side.key for side in sides]
        sitting = tuple([keys.index(key) for key in self.lobby.sitting if key in keys])
        company = Company(sides, partner, sitting, self.lobby.opponents, self._edition_of)
        if continued is not None:
            return make_continuing_header(
                company,
                self.cast,
                nonce,
                continued,
                self.game.changes if self.game else {},
                turn_clock=self._turn_clock,
                succeeds=self.host.gathers and continued.header.sides[0].key != self.me.key,
            )
        return make_header(
            company,
            choice,
            self.cast,
            nonce,
            grace=self._grace_now(),
            turn_clock=self._turn_clock,
            between_hands=self._between_hands,
            previous=self.game.position if self.game else None,
            before=self._game_before(keys),
            assists=self.lobby.assists,
            deal=next(self._deals) if self._deals and len(sides) == 1 else None,
        )

    def _game_before(self, keys: Collection[bytes]) -> bytes:
        """The head of the game before: at this table, or an unfinished one with somebody here."""
        if self.game is not None:
            return self.game.position.head
        return next((one.head for one in self._left_open if one.listeners.intersection(keys)), b"")

    def _grace_now(self) -> int:
        """Seconds of grace for the next game: as asked for, or more where a line has to be redialled."""
        if self._grace is not None:
            return self._grace
        return LINE_GRACE if any(guest.pace for guest in self.guests) else GRACE

    def _answers_so_far(self, guest: Guest) -> list[Effect]:
        """Send a guest everybody's answers to "play again?", as after a restart they know none."""
        answers = [self.lobby.answered(key) for key in (self.me.key, *[one.key for one in self.guests])]
        given = [Again(place, yes) for place, yes in enumerate(answers) if yes is not None]
        return [effect for answer in given for effect in guest.send(answer)]

    def play_again_if_agreed(self, now: float) -> list[Effect]:
        """Offer the next game if all who had a seat and have not left are here and said yes."""
        if self.game is None or not self.game.over or not self.lobby.answered(self.me.key):
            return []
        seated = [guest for guest in self.guests if self.seat_of(guest) is not None]
        agreed = all(guest.here for guest in seated) and self.lobby.all_agree([guest.key for guest in seated])
        return self.offer_game(now) if agreed else []

    # --- time ---------------------------------------------------------------------------------------------------------

    def tick(self, now: float) -> list[Effect]:
        """Do what is due at this time."""
        effects: list[Effect] = []
        for link in self.attendance.silent_links(now):
            self.attendance.forget_link(link.peer)
            effects += [Close(link.peer), *self.attendance.call_failed(link.address, "didn't answer", now)]
        for guest in self.attendance.silent_guests(now):
            closed: list[Effect] = [Close(guest.link.peer)] if guest.link else []
            effects += closed + self.lose(guest, "stopped answering", now)
        for watcher in self.gallery.silent(now):
            effects += [Close(watcher.link.peer), *self.lose_watcher(watcher, "stopped answering")]
        effects += self.attendance.tick(now) + self.gallery.tick(now)
        if self.lobby.offer is not None and now >= self.lobby.offer.ends:
            effects += self._begin_without_the_rest(self.lobby.offer, now)
        if self.game is not None and not self.game.over:
            effects += self.game.tick(now)
        return effects

    def _begin_without_the_rest(self, offer: PendingOffer, now: float) -> list[Effect]:
        """Begin without guests who were cut off, whose places are kept; those here who do not answer are removed."""
        silent = [guest for guest in self.guests if guest.key in offer.asked_of.difference(offer.stakes)]
        for guest in silent:
            if not guest.here:
                self.lobby.expect_no_stake(guest.key)
        effects = self.start_if_ready(now)
        for guest in silent:
            if guest.here:
                why = "didn't join the game when it began"
                effects += self.put_out(guest, ByeCode.BROKE_PROTOCOL, why, now)
        return effects

    def next_time(self) -> float:
        """When to call `tick`; infinite for not before something happens."""
        gathers = self.host.next_time() if self.lobby.offer is None else inf
        times = [self.attendance.next_time(), self.gallery.next_time(), gathers]
        if self.lobby.offer is not None:
            times.append(self.lobby.offer.ends)
        if self.game is not None and not self.game.over:
            due = self.game.next_time()
            times += [] if due is None else [due]
        return min(times)

    # --- after a restart ----------------------------------------------------------------------------------------------

    def restore(self, log: Sequence[bytes], now: float) -> None:
        """Go on with the game of a log, whose listeners are called at their remembered addresses. Raises Refused."""
        start = read_start(log)
        mine = start.header.sides[0]
        self.me = replace(self.me, name=mine.name, character=mine.character)
        self._grace, self._turn_clock = start.header.grace, start.header.turn_clock
        self._between_hands = start.header.between_hands
        again = reopen(self.me, start, log, now)
        position, guests = again.writer.position, again.guests
        self.attendance.expect(list(guests.values()))
        self.lobby.apply_choice(Choice(position.game, position.state.options))
        self.game = LiveGame(
            again.writer,
            guests,
            self.cast,
            self.deputy,
            now,
            partial(coordinator_view, self),
            tell_gallery=self.gallery.note,
            restored=any(not guest.left for guest in guests.values()),
            wants_substitute=again.substituted,
        )


def _are_cut_off(guests: Sequence[Guest]) -> str:
    """The end of a sentence about guests who are cut off, names included."""
    names, cut_off = " and ".join([guest.name for guest in guests]), Absence.CUT_OFF
    many = bool(guests[1:])
    return f"{names} are {cut_off} (seats kept)" if many else f"{names} is {cut_off} (seat kept)"


# --- what the person who coordinates a table sees of it ---------------------------------------------------------------


class _GuestNow(NamedTuple):
    """What the row of a guest is made from that may be another in the next moment."""

    guest: Guest
    identity: GuestIdentity
    presence: Presence
    where: str
    again: bool | None
    called_at: float | None


class _CoordinatorMoment(NamedTuple):
    """All that can change in the view of a table: each step keeps this, and few views are ever made."""

    me: Me
    cast: Cast
    now: float
    guests: tuple[_GuestNow, ...]  # those at the table
    position: Position | None
    sides: Mapping[int, Guest]  # the listeners of the game, by side
    absent: frozenset[int]  # sides that are away
    running: bool  # the turn clocks are running
    due: Deadlines
    proposal: ProposalView | None  # the one that this player has to answer; None if there is none
    auto: str  # what plays in this player's seat instead; "" for nothing
    pause: int | None  # seconds left for the hand that is over; 0 for no limit; None without a pause
    again: bool | None  # this player's answer to "play again?"; None before it
    gallery: tuple[Watcher, ...]  # those who watch, or want to


def coordinator_view(table: Table, now: float) -> Callable[[], TableView]:
    """A function that makes the view of this moment, also later."""
    choice, game, answered = table.lobby.choice, table.game, table.lobby.answered
    guests = [
        _GuestNow(one, one.identity, one.presence, one.where, answered(one.key), one.redial.next_call())
        for one in table.guests
    ]
    position = game.position if game else None
    running = game is not None and not game.awaiting_logs
    moment = _CoordinatorMoment(
        table.me,
        table.cast,
        now,
        tuple(guests),
        position,
        game.guests if game else {},
        game.absent() if game else frozenset(),
        running,
        game.clocks.deadlines(game.position, running) if game else {},
        game.proposals.to_answer if game else None,
        table.deputy.shown(position) if position else "",
        game.pause_left(now) if game else None,
        answered(table.me.key),
        tuple(table.gallery.everyone),
    )
    chosen = (choice.game, choice.options) if choice else None
    played = (position.game, position.state.options) if position else None
    over = position is None or position.phase is Phase.CLOSED
    if position is None or position.ended is CloseReason.ENDED or (over and chosen not in (None, played)):
        left_open, pairing = table.lobby.left_open(), _possible_partners(table)
        return lambda: replace(
            table_view("coordinator", _people_rows(moment), moment.cast, choice=chosen),
            left_open=left_open,
            pairing=pairing,
            watchers=_watcher_rows(moment),
        )
    return partial(_game_view, moment, position)


def _game_view(at: _CoordinatorMoment, position: Position) -> TableView:
    """The view of the game of a kept moment."""
    seat, lost, ran_out = position.seat, TakeoverReason.LINE_LOST, TakeoverReason.CLOCK_RAN_OUT
    left = {seat: (max(0.0, time - at.now), why) for seat, (time, why) in at.due.items()}
    stand = Standpoint(
        position,
        at.absent,
        {seat: seconds for seat, (seconds, why) in left.items() if why is lost},
        at.running,
        next((seconds for of, (seconds, why) in left.items() if of == seat and why is ran_out), None),
        proposal=at.proposal,
        auto=at.auto,
        assists=allowed_assists(position),
        pause=at.pause,
    )
    view = table_view("coordinator", _people_rows(at), at.cast, game=stand)
    return replace(view, watchers=_watcher_rows(at)) if at.gallery else view


def _watcher_rows(at: _CoordinatorMoment) -> tuple[PersonView, ...]:
    """Those who watch, or want to, as rows of the view."""
    names = {at.me.key: "you"} | {one.identity.key: one.identity.shown for one in at.guests}
    return tuple(
        [
            PersonView(
                one.shown,
                "",
                "asks" if one.asks else "here",
                one.link.where,
                key=fingerprint(one.key),
                sees=names.get(one.sees, ""),
            )
            for one in at.gallery
        ]
    )


def _possible_partners(table: Table) -> tuple[str, ...]:
    """The names of the guests of whom one may be the coordinator's partner; empty if that is settled or doesn't
    matter."""
    if any(guest.identity.partner for guest in table.guests):
        return ()
    here = [guest for guest in table.guests if guest.here]
    return tuple([guest.name for guest in here]) if table.lobby.wants_partner([guest.key for guest in here]) else ()


def _people_rows(at: _CoordinatorMoment) -> list[PersonView]:
    """The people at the table as rows of the view, the coordinator first."""
    me, seat = at.me, None if at.position is None else at.position.header.seat_of(0)
    mine = PersonView(
        me.name,
        character_name(at.cast, me.character),
        "you",
        "",
        seat,
        coordinates=True,
        key=fingerprint(me.key),
        again=at.again,
    )
    return [mine, *[_guest_row(at, one) for one in at.guests]]


def _guest_row(at: _CoordinatorMoment, one: _GuestNow) -> PersonView:
    side = next((side for side, guest in at.sides.items() if guest is one.guest), None)
    return PersonView(
        one.identity.shown,
        character_name(at.cast, one.identity.character),
        "here" if is_here(one.presence) else "away",
        one.where,
        None if at.position is None or side is None else at.position.header.seat_of(side),
        partner=one.identity.partner,
        key=fingerprint(one.identity.key),
        again=one.again,
        looks_on=side is None and at.position is not None and at.position.phase is not Phase.CLOSED,
        called_in=None if one.called_at is None else max(0.0, one.called_at - at.now),
    )
