"""Opening tables: for each kind of request a machine, and then a game, calls, or a place to wait: the sockets of a
port or a serial device."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Protocol

import trio

from p2pcards.control.declined import Declined
from p2pcards.control.exits import NETWORK, USAGE
from p2pcards.control.messages import (
    Admission,
    Host,
    Open,
    OpenConnect,
    OpenHost,
    OpenJoin,
    OpenLine,
    OpenListen,
    OpenPlay,
    OpenResume,
    Rules,
    Serial,
    TableOpened,
    TimeLimits,
)
from p2pcards.daemon.calling import Caller, CallWeb, NotReached, over_web
from p2pcards.daemon.crew import beside
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.daemon.first_contact import Codes, DoorCodes, Threshold
from p2pcards.daemon.introductions import Counterpart
from p2pcards.daemon.lines import LineFailed, Setup, caller_sentence, keep_line, setup_of
from p2pcards.daemon.logs import is_owed_a_seat, left_open, log_to_resume, owed_seats, resume_game, take_up
from p2pcards.daemon.machines import make_coordinator, make_listener, me_of
from p2pcards.daemon.reach import OFF_IN_PAGE, NoReach, Reach, reach_of, waits_anywhere
from p2pcards.daemon.runner import Entrance, Runner
from p2pcards.daemon.tables import Kept, Tables, hosted, kept_listening, kept_lobby
from p2pcards.games.names import preset_in_words
from p2pcards.games.options import value_text
from p2pcards.games.registry import GAMES, UnknownGame, find_game
from p2pcards.links.address import BadAddress, canonical, link_to, link_to_meeting, text_of_link
from p2pcards.links.door import Arrival, Receives, keep_door
from p2pcards.links.lan import answer_probes
from p2pcards.links.link import Link
from p2pcards.links.tcp import CannotListen, listen, own_addresses, port_of, where
from p2pcards.session.coordinator import Coordinator
from p2pcards.session.effects import CommandError
from p2pcards.session.guests import Redial
from p2pcards.session.listener import Listener
from p2pcards.store.files import Home, StoreError
from p2pcards.store.logs import LogFile, Sync
from p2pcards.store.own_rules import OwnRules, own_rules, save_rules
from p2pcards.store.save_names import BadName, give_name, load_names
from p2pcards.store.settings import Settings, event_hooks, find_setting, set_setting, usable_settings
from p2pcards.views.happenings import Notice, RedialPlanned
from p2pcards.views.tableview import Command
from p2pcards.wire.address import goes_over_serial_line, is_meeting, is_onion, is_telephone, meeting_address_of
from p2pcards.wire.invitation import TOKEN, make_invitation
from p2pcards.wire.keys import PrivateKey, public_bytes
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.spoken import MEETING_NUMBERS, NUMBERS

# --- where a table waits ----------------------------------------------------------------------------------------------


def line_setup(serial: Serial, settings: Settings) -> Setup:
    """The setup of a serial line asked for, completed by the settings. Raises Declined."""
    try:
        return setup_of(serial, settings)
    except LineFailed as failed:
        raise Declined(str(failed), failed.code) from None


def _complete_limits(asked: TimeLimits, settings: Settings) -> TimeLimits:
    """The time limits that were asked for, completed by the settings."""
    looked = settings.between_hands if asked.between_hands is None else asked.between_hands
    return replace(asked, between_hands=looked)


async def open_listeners(port: int, request: OpenListen | OpenHost) -> list[trio.SocketListener]:
    """Listen on the port of a request. Raises Declined."""
    try:
        return await listen(port, request.bind or None)
    except CannotListen as cannot:
        sentence = cannot.sentence.replace("--port", "--web") if request.web else cannot.sentence
        raise Declined(sentence, NETWORK) from None


def at_brokers_alone(request: OpenHost) -> OpenHost:
    """The request without port and device, for a table that waits at meeting points only."""
    return replace(request, port=None, serial=None, bind="", web=False, reach=True)


def _link_token(request: OpenListen | OpenHost) -> bytes:
    """The token of the link that friends have already, or a new one."""
    try:
        token = bytes.fromhex(request.token)
    except ValueError:
        token = b""
    return token if len(token) == TOKEN else os.urandom(TOKEN)


def _with_any_code(link: str, _code: str) -> str:
    """The link itself, which needs no code in it: a link to a meeting; "" where a table has none."""
    return link


_no_link = partial(_with_any_code, "")


def _page_door() -> Receives:
    """The door for browsers; its imports are slow, and few daemons need it."""
    from p2pcards.links.webdoor import WebDoor

    return WebDoor.of_page()


def _bare_door() -> Receives:
    """A door for WebSockets, without a page."""
    from p2pcards.links.webdoor import WebDoor

    return WebDoor({})


class DoorForMembers:
    """The door of a table that serves no page. Someone at that table who plays in one calls here over a WebSocket if
    their host is gone (protocol/company.md)."""

    def __init__(self, members: Callable[[], Collection[bytes]]) -> None:
        self._members = members

    async def caller(self, stream: trio.SocketStream) -> Arrival | None:
        """The caller on this connection: over TCP unless somebody may call in the other way."""
        if not self._members():
            return Arrival(stream, where(stream))
        return await (await beside(_bare_door)).caller(stream)


class Doorkeeper:
    """Opens the tables of a home to those who come. What it opened is kept: after a restart, or when the game is
    resumed, the table waits there again."""

    def __init__(self, home: Home, identity: PrivateKey, tables: Tables, reach: Reach) -> None:
        self._home = home
        self._identity = identity
        self._tables = tables
        self._reach = reach

    async def open_door(
        self, table: Runner, request: OpenListen | OpenHost, listeners: list[trio.SocketListener]
    ) -> TableOpened:
        """Let callers in at these listeners, and at meeting points if wanted; in a page only there. Raises Declined;
        then the table is closed."""
        port = port_of(listeners[0]) if listeners else None
        web = await beside(_page_door) if request.web else DoorForMembers(table.members)
        settings = usable_settings(self._home).settings
        anywhere = waits_anywhere(reach_of(settings), request.reach, request.bind)
        token = _link_token(request) if anywhere and not request.admission.known_only else b""
        link_with: Callable[[str], str] = _no_link
        if request.onion and port:
            link_with = partial(_with_any_code, await self._open_onion(table, listeners, settings.tor))
        elif request.web and port:
            link_with = partial(link_to, request.bind or own_addresses()[0][0], port)
        elif token:
            link_with = partial(self._link_to_meeting, token, settings.page)
        numbers = MEETING_NUMBERS if anywhere else NUMBERS
        codes, threshold = self._threshold(table, request.admission, link_with, numbers)
        table.wait_at(Entrance(codes, port, bind=request.bind, web=request.web, anywhere=anywhere, onion=request.onion))
        self._tables.keep(table, replace(request, port=port, token=token.hex()))
        door = partial(keep_door, listeners, identity=self._identity, on_channel=threshold.arrived, fault=table.fault)
        from_page = partial(threshold.admit, only_with_code=True)
        if listeners:
            await table.start(partial(door, admit=threshold.admit, web=web, admit_page=from_page))
        table.task(codes.keep)
        if anywhere:
            table.members_changed(codes.moved.ring)
            table.task(self._keep_anywhere, table, codes, threshold, token)
        return TableOpened(table.name, port, code=codes.code, link=codes.link, anywhere=anywhere)

    async def _open_onion(self, table: Runner, listeners: list[trio.SocketListener], tor: str) -> str:
        """Open an onion service to the table; returns its address. Raises Declined; then the table is closed."""
        from p2pcards.links.onion import keep_onion, tor_at

        def tell(text: str) -> None:
            """Show a sentence at the table."""
            table.attachments.announce(Notice(text))

        try:
            keep = partial(keep_onion, port_of(listeners[0]), self._identity, tor_at(tor), tell)
            onion = await table.start(keep)
        except (CannotListen, BadAddress) as cannot:
            for listener in listeners:
                await listener.aclose()
            await self._tables.drop(table, str(cannot))
            raise Declined(str(cannot), NETWORK) from None
        return str(onion)

    def _link_to_meeting(self, token: bytes, page: str, _code: str) -> str:
        """The link by which friends find the table at meeting points; "" in a page that friends cannot open. page: as
        in `link_to_meeting`."""
        invitation, in_page = make_invitation(token, public_bytes(self._identity)), self._reach.in_page
        if not in_page:
            return link_to_meeting(invitation, page)
        return link_to_meeting(invitation, in_page.address, in_page.page_hash) if in_page.address else ""

    async def _keep_anywhere(
        self, table: Runner, codes: DoorCodes, threshold: Threshold, token: bytes, members_only: bool = False
    ) -> None:
        """Wait for callers at meeting points as long as the table lasts. members_only: as in `AnywhereDoor`."""

        def tell(text: str) -> None:
            """Show a sentence at the table."""
            table.attachments.announce(Notice(text))

        try:
            async with self._reach.held(tell) as brokers:
                from p2pcards.daemon.rendezvous import AnywhereDoor

                door = AnywhereDoor(self._home, self._identity, codes, threshold, token, members_only)
                await door.keep(brokers, table.fault, tell)
        except NoReach as why:
            tell(str(why))

    def open_to_members(self, table: Runner) -> None:
        """Let those at the table in at meeting points, if they have to find each other without its host."""
        codes = DoorCodes(None, table.introductions.has_room, table.introductions.changed, table.attachments.announce)
        threshold = self._threshold_of(table, Admission(known_only=True), codes)
        table.members_changed(codes.moved.ring)
        table.task(partial(self._keep_anywhere, table, codes, threshold, b"", members_only=True))

    async def open_line(self, table: Runner, request: OpenLine | OpenHost, serial: Serial, setup: Setup) -> TableOpened:
        """Let callers in at this serial device. Raises Declined; then the table is closed."""
        codes, threshold = self._threshold(table, request.admission)
        table.wait_at(Entrance(codes, device=setup.device))
        links = table.links
        keep = partial(keep_line, setup, serial.cable, identity=self._identity, fault=table.fault)
        line = partial(keep, tell=links.tell_line, who=partial(caller_sentence, self._home), trace=links.trace_line)
        try:
            await table.start(partial(line, admit=threshold.admit, on_channel=threshold.arrived))
        except BaseException as failed:
            await self._tables.drop(table, "Couldn't open the line.")
            if isinstance(failed, LineFailed):
                raise Declined(str(failed), failed.code) from None
            raise
        table.task(codes.keep)
        self._tables.keep(table, replace(request, serial=replace(serial, device=setup.device)))
        return TableOpened(table.name, code=codes.code, device=setup.device)

    def _threshold(
        self,
        table: Runner,
        admission: Admission,
        link_with: Callable[[str], str] = _no_link,
        numbers: range = NUMBERS,
    ) -> tuple[DoorCodes, Threshold]:
        made = None if admission.known_only else Codes(os.urandom, numbers)
        people = table.introductions
        codes = DoorCodes(made, people.has_room, people.changed, table.attachments.announce, link_with)
        return codes, self._threshold_of(table, admission, codes)

    def _threshold_of(self, table: Runner, admission: Admission, codes: DoorCodes) -> Threshold:
        """The threshold of a table with these codes."""
        serve = partial(_serve_guest, table)
        return Threshold(self._home, public_bytes(self._identity), admission, codes, serve, table.members)


LEFT_ALONE = (
    "You're still listening, so they or another friend can call. Type 'leave' to close the table. To call someone "
    "yourself, run p2pcards connect."
)


async def _serve_guest(table: Runner, link: Link, proven: str = "", address: str = "") -> Counterpart | None:
    """Serve a caller at a table. A listener's player is told what to do once the host has left for good."""
    listens = table.listens
    host = await table.links.serve(link, proven, address)
    if listens and host and host.met and host.goodbye is ByeCode.LEAVES and not table.over:
        table.attachments.announce(Notice(LEFT_ALONE))
    return host


# --- what our player says of the rules at a table, where those that they have saved count -----------------------------


def choose_game(table: Runner, rules: Rules, settings: Settings) -> None:
    """Choose a game with its rules, by default the player's own. Raises CommandError."""
    try:
        game = find_game(rules.game)
    except UnknownGame as error:
        raise CommandError(str(error)) from None
    own = OwnRules(rules.preset, {}) if rules.preset else own_rules(settings, game)
    changes = {key: value_text(value) for key, value in own.values.items()} | dict(rules.changes)
    table.command(Command("game", (game.key, own.preset, *[f"{key}={value}" for key, value in changes.items()])))


def say(table: Runner, command: Command, home: Home) -> None:
    """Carry out a command of our player at a table. Raises CommandError, Declined and StoreError."""
    match command:
        case Command("game", (game,)):
            choose_game(table, Rules(game), usable_settings(home).settings)
        case Command("save", words):
            on = table.view().phase == "play"
            if words and not on:
                raise Declined("There's no game in progress to name. 'save' by itself saves the rules.", USAGE)
            table.attachments.announce(
                Notice(_save_game_sentence(table, home, words) if on else _save_rules(table, home))
            )
        case Command("set"):
            table.command(command)
            if usable_settings(home).settings.save_options:
                _save_rules(table, home)
        case Command("computer", (seat, *opponent)):
            table.command(command)
            alone = all(person.link == "you" for person in table.view().people)
            if alone and seat.isdecimal() and int(seat) > 1 and usable_settings(home).settings.save_options:
                _keep_opponent(home, int(seat), " ".join(opponent))
        case _:
            table.command(command)


def _save_game_sentence(table: Runner, home: Home, words: Sequence[str]) -> str:
    """Name the game in progress if asked to, and return a sentence about how to go on with it later. words: its new
    name, then a yes if another game may lose that name."""
    if table.log_path is None:
        raise Declined("You're watching, so this game isn't saved here.", USAGE)
    log = table.log_path.stem
    *firsts, last = words or ("",)
    sure = bool(firsts) and last.lower() == "yes"
    if words:
        _give_name(home, log, " ".join(firsts if sure else words), sure)
    name = load_names(home).names.get(log) or log
    name = f"'{name}'" if " " in name else name
    if table.view().role == "coordinator":
        return f"Saved as {name} after every move. To resume: p2pcards resume {name}"
    return f"Saved as {name} after every move. To come back: p2pcards attach"


def _give_name(home: Home, log: str, name: str, sure: bool) -> None:
    """Give the game of this log a name. sure: even if another game loses it. Raises Declined and StoreError."""
    other = load_names(home).called(name)
    if other not in ("", log) and not sure:
        raise Declined(f"{name} is already the name of {other}. Type 'save {name} yes' to use it for this game.", USAGE)
    try:
        give_name(home, log, name)
    except BadName as bad:
        raise Declined(str(bad), USAGE) from None


def _keep_opponent(home: Home, seat: int, opponent: str) -> None:
    """Save in the settings who plays in a seat against us. seat: from 1."""
    found = find_setting("opponents")
    kept = [one.strip() for one in usable_settings(home).settings.opponents.split(",") if one.strip()]
    kept += ["any"] * (seat - 1 - len(kept))
    kept[seat - 2] = opponent
    set_setting(home, found, ",".join(kept))


def _save_rules(table: Runner, home: Home) -> str:
    """Save the rules chosen at a table as the player's own; returns a sentence."""
    view = table.view()
    game = GAMES.get(view.game or "")
    if game is None:
        raise Declined("No game picked yet, so there are no rules to save.", USAGE)
    kept = save_rules(home, game, game.options(**dict(view.options)))
    values = [f"{key} = {value_text(value)}" for key, value in kept.values.items()]
    but = f", but {', '.join(values)}" if values else ""
    return f"Your rules for {game.name} from now on: {preset_in_words(kept.preset)}{but}."


# --- the caller -------------------------------------------------------------------------------------------------------


SEATING = 30.0
"""Seconds in which somebody who was called has sat down, or has not; on a slow line they take as long as they need."""


class Serve(Protocol):
    """As `TableLinks.serve`."""

    async def __call__(self, link: Link, proven: str = "", address: str = "") -> Counterpart | None: ...


COMES_BACK = (ByeCode.STOPPED, ByeCode.FAILED, ByeCode.CROWDED, ByeCode.SUCCEEDED, ByeCode.HANDED_OVER)
"""Goodbyes of a host who is called again."""

HOSTS_NO_MORE = (*COMES_BACK, ByeCode.TAKEN)
"""The same for a watcher: the host has handed the table over, plays there, and may host again."""

CALLS_AGAIN = "The table is closed. To call again: p2pcards {} {}"

WITHOUT_GAME = 3600.0
"""Seconds to keep calling a host after a restart, if no unfinished game waits for us there."""


async def keep_calling(
    table: Runner,
    address: str,
    serve: Serve,
    *,
    patient: bool = False,
    gives_up: float = math.inf,
    verb: str = "join",
) -> None:
    """Call a host until the table is over or they say not to call again. patient: go on when the first call fails, as
    after a restart. gives_up: when to end the table if no host has seated us by then. verb: the command that calls."""
    key: bytes | None = None
    redial = Redial(address)
    redial.agree()  # a player who joins a table wants to be there
    if patient and is_telephone(address):
        await _wait_for_call_wish(table, address)
    while not table.over:
        why = ""
        while table.listens and table.here():  # somebody else hosts meanwhile
            await table.stepped()
        try:
            link, proven = await table.dial(address, key)
        except NotReached as failed:
            table.links.not_reached(address, failed)
            why = str(failed)
            if key is None and not patient:
                return
            redial.failed(trio.current_time(), there=failed.there)
        else:
            redial.answered(trio.current_time())
            records = table.view().records
            host = await serve(link, proven, address)
            if host and host.met:
                key = link.peer
                address = meeting_address_of(key) if is_meeting(address) else address
            stays = HOSTS_NO_MORE if verb == "watch" else COMES_BACK
            goodbye = host.goodbye if host else None
            for_good = goodbye not in stays if table.listens else goodbye is ByeCode.LEAVES  # of a guest, where we host
            if host and goodbye is not None and for_good:
                if table.listens and (host.met or patient):
                    table.end(f"The host {goodbye.sentence}. {CALLS_AGAIN.format(verb, address)}")
                return
            if host and host.goodbye is ByeCode.CROWDED:
                why = f"The host {host.goodbye.sentence}."
            if key is None and not patient:
                why = f"{address} hung up right away."
                table.links.not_reached(address, NotReached(why, NETWORK))
                return
            # A host who comes back to a table that our player hosts by now gives way, and then waits for a call.
            gave_way = not table.listens and goodbye is None
            if gave_way or table.view().records > records:
                redial.useful()
            redial.lost(trio.current_time())
        if key is None and trio.current_time() >= gives_up:
            table.end(f"{why} {CALLS_AGAIN.format(verb, address)}".strip())
            return
        if is_telephone(address):
            await _wait_for_call_wish(table, address, why)
        else:
            planned = RedialPlanned(name="the host", address=address, seconds=redial.pause, why=why)
            if table.listens:
                table.attachments.announce(planned)
            with trio.move_on_at(redial.due):
                await table.call_now.wait()
        redial.call()


async def _wait_for_call_wish(table: Runner, address: str, why: str = "") -> None:
    """Wait until our player wants the telephone call to be made again: it costs money. why: why the last call
    failed."""
    text = f"To call the host again: p2pcards join {address}"
    table.attachments.announce(Notice(f"{why} {text}".strip()))
    await table.call_now.wait()


async def wait_for_hosts(table: Runner, hosts: Sequence[Host]) -> None:
    """Wait until each host who was called is here or could not be reached."""
    slow = any(goes_over_serial_line(host.address) for host in hosts)
    with trio.move_on_after(math.inf if slow else SEATING):
        while not table.over and table.here() + len(table.links.failures) < len(hosts):
            await table.stepped()


def nobody_answered(table: Runner) -> Declined:
    """The Declined for a table to which none of those called has come."""
    failures = table.links.failures.values()
    sentences = " ".join([str(failure) for failure in failures]) or "Nobody you called joined in time."
    return Declined(sentences, next((failure.code for failure in failures), NETWORK))


# --- opening tables ---------------------------------------------------------------------------------------------------


MOST_OWED = 3
"""Games of which a listener is told that they go on."""


class Opener:
    """Opens tables for one home. sync: puts what was written to a log on disk. restored: those of the daemon before
    this one are open again. call_web: as in `Caller`."""

    def __init__(
        self,
        home: Home,
        identity: PrivateKey,
        tables: Tables,
        diagnostics: Diagnostics,
        sync: Sync,
        reach: Reach,
        call_web: CallWeb = over_web,
    ) -> None:
        self._home = home
        self._identity = identity
        self._key = public_bytes(identity)
        self._tables = tables
        self._diagnostics = diagnostics
        self._sync = sync
        self._reach = reach
        self._call_web = call_web
        self._doors = Doorkeeper(home, identity, tables, reach)
        self._joining: dict[tuple[str, str], trio.Event] = {}  # by the host's address and the way to it
        self.restored = trio.Event()

    async def restore(self) -> None:
        """Reopen what the daemon before this one had open: tables joined, and places to listen at if we are owed a
        seat."""
        try:
            kept = kept_listening(self._home)
            if kept:
                owed = await beside(is_owed_a_seat, self._home, self._key)
                gives_up = math.inf if owed else trio.current_time() + WITHOUT_GAME
                await self._open_again([one for one in kept if owed or isinstance(one, OpenJoin)], gives_up)
        except StoreError as error:
            self._diagnostics.note(f"nothing opened again: {error}")
        finally:
            self.restored.set()

    async def _open_again(self, requests: Sequence[Kept], gives_up: float) -> None:
        """Reopen tables from these requests. gives_up: as in `keep_calling`."""
        for request in requests:
            try:
                if isinstance(request, OpenJoin):
                    await self._join(request, usable_settings(self._home).settings, patient=True, gives_up=gives_up)
                else:
                    await self.open(request)
            except (Declined, StoreError) as error:
                self._diagnostics.note(f"not opened again: {type(request).__name__}: {error}")

    async def open(self, request: Open, report: Callable[[str], None] | None = None) -> TableOpened:
        """Open a table as a front end requests. report: gets the progress of a call on a slow line. Raises Declined,
        CommandError and StoreError; then no table was opened."""
        settings = usable_settings(self._home).settings
        match request:
            case OpenPlay():
                return await self._play(request, settings)
            case OpenConnect():
                return await self._connect(request, settings, report)
            case OpenListen():
                return await self._listen(request, settings)
            case OpenLine():
                return await self._listen_on_line(request, settings)
            case OpenHost():
                return await self._host(request, settings)
            case OpenJoin():
                return await self._join(request, settings)
            case OpenResume():
                return await self._resume(request, settings)

    # --- as the coordinator -------------------------------------------------------------------------------------------

    async def _play(self, request: OpenPlay, settings: Settings) -> TableOpened:
        """Open a game alone."""
        limits = _complete_limits(request.limits, settings)
        limits = replace(limits, turn_clock=limits.turn_clock or 0)  # nobody waits for us
        entropy = os.urandom if request.seed is None else Random(request.seed).randbytes
        wished = request.opponents or tuple(filter(None, map(str.strip, settings.opponents.split(","))))
        me = me_of(self._home, self._identity, request.persona, settings, wished)
        machine = make_coordinator(me, limits, entropy, alone=request.seed is not None, deal=request.deal)
        table = await self._begin(machine, settings)
        try:
            choose_game(table, request.rules, settings)
            for seat, opponent in enumerate(wished, 2):
                table.command(Command("computer", (str(seat), opponent)))
            if settings.auto_start:
                table.command(Command("start"))
        except BaseException:
            await self._tables.drop(table, "Couldn't start the game.")
            raise
        return TableOpened(table.name)

    async def _connect(
        self, request: OpenConnect, settings: Settings, report: Callable[[str], None] | None
    ) -> TableOpened:
        """Open a table and call the hosts of the request to it."""
        machine = await self._coordinator(request, settings)
        caller = self._caller(request.via, request.serial)
        table = await self._begin(machine, settings, caller)
        try:
            with table.links.reporting_to(report):
                if request.rules.game:
                    choose_game(table, request.rules, settings)
                # One after the other, so that the seats are in the order in which the hosts are named.
                for number, host in enumerate(request.hosts, 1):
                    words = (host.address, "partner" if host.partner else "", host.code)
                    table.command(Command("invite", tuple(filter(None, words))))
                    await wait_for_hosts(table, request.hosts[:number])
                if request.hosts and not table.here():
                    raise nobody_answered(table)
        except BaseException:
            await self._tables.drop(table, "Couldn't reach anyone.")
            raise
        return TableOpened(table.name)

    async def _host(self, request: OpenHost, settings: Settings) -> TableOpened:
        """Open a table that waits for listeners."""
        if request.serial is not None:
            return await self._host_on_line(request, request.serial, settings)
        if self._reach.in_page:
            return await self._host_in_page(request, settings)
        port = settings.port if request.port is None else request.port
        if (there := self._find_waiting(port, request, listens=False)) is not None:
            return _opened_before(there, port)
        machine = await self._coordinator(request, settings)
        listeners = await open_listeners(port, request)
        table = await self._begin(machine, settings)
        opened = await self._doors.open_door(table, request, listeners)
        await self._choose_game(table, request, settings)
        return opened

    async def _host_in_page(self, request: OpenHost, settings: Settings) -> TableOpened:
        """Open a table in a page, which waits at meeting points."""
        if reach_of(settings) == "off":
            raise Declined(OFF_IN_PAGE, USAGE)
        if (there := self._tables.waiting_at_brokers()) is not None:
            return TableOpened(there.name, new=False, code=there.code, link=there.view().link, anywhere=True)
        kept = kept_lobby(self._home)  # friends have its link
        request = at_brokers_alone(replace(request, token=kept.token) if kept else request)
        table = await self._begin(await self._coordinator(request, settings), settings)
        opened = await self._doors.open_door(table, request, [])
        await self._choose_game(table, request, settings)
        return opened

    async def _host_on_line(self, request: OpenHost, serial: Serial, settings: Settings) -> TableOpened:
        """Open a table that waits for listeners at a serial device."""
        setup = line_setup(serial, settings)
        if (there := self._tables.waiting_at(device=setup.device)) is not None:
            return TableOpened(there.name, new=False, code=there.code)
        table = await self._begin(await self._coordinator(request, settings), settings)
        opened = await self._doors.open_line(table, request, serial, setup)
        await self._choose_game(table, request, settings)
        return opened

    async def _choose_game(self, table: Runner, request: OpenHost, settings: Settings) -> None:
        """Choose the game that the request names, if it names one."""
        if request.rules.game:
            try:
                choose_game(table, request.rules, settings)
            except BaseException:
                await self._tables.drop(table, "Couldn't pick the game.")
                raise

    async def _resume(self, request: OpenResume, settings: Settings) -> TableOpened:
        """Go on with an unfinished game, or begin with one of its hands."""
        lobby = kept_lobby(self._home) if self._reach.in_page and not (request.log or request.hand) else None
        if lobby:
            return await self._host_in_page(lobby, settings)
        if request.hand:
            log = await beside(take_up, self._home, self._identity, request.log, request.hand)
        else:
            log = await beside(log_to_resume, self._home, self._key, self._tables.at_work(), request.log)
        me = me_of(self._home, self._identity, request.persona, settings)
        at = _how_hosted_before(hosted(self._home, log.stem), request.serial)
        if at and self._reach.in_page:
            at = at_brokers_alone(at)
        serial = at.serial if at else None
        setup = line_setup(serial, settings) if serial else None
        if at and (there := self._tables.waiting_at(at.port, setup.device if setup else "")) is not None:
            where = f"at {setup.device}" if setup else f"on port {at.port}"
            raise Declined(
                f"Table {there.name} is already open {where}, where that game was hosted. Leave it first: "
                f"p2pcards leave {there.name}",
                USAGE,
            )
        file = LogFile.open(log, self._sync)
        try:  # nobody else writes it while it is read
            machine = await beside(resume_game, me, os.urandom, log, trio.current_time())
            listeners = await open_listeners(at.port or 0, at) if at and not (serial or self._reach.in_page) else []
        except BaseException:
            file.close()
            raise
        caller = self._caller(request.via, request.serial)
        table = await self._begin(machine, settings, caller, file)
        if request.hand:
            table.attachments.announce(Notice(_taken_up_sentence(request)))
        if at and serial and setup:
            return await self._doors.open_line(table, at, serial, setup)
        return await self._doors.open_door(table, at, listeners) if at else TableOpened(table.name)

    # --- as a listener ------------------------------------------------------------------------------------------------

    async def _listen(self, request: OpenListen, settings: Settings) -> TableOpened:
        """Open a table that waits for a coordinator."""
        port = settings.port if request.port is None else request.port
        if (there := self._find_waiting(port, request, listens=True)) is not None:
            return _opened_before(there, port)
        me = me_of(self._home, self._identity, request.persona, settings)
        machine = make_listener(me, os.urandom)
        listeners = await open_listeners(port, request)
        table = await self._begin(machine, settings)
        await self._note_owed_games(machine, table)
        opened = await self._doors.open_door(table, request, listeners)
        if request.lan:
            try:
                port = port_of(listeners[0])
                interfaces = (request.bind,) if request.bind else ()
                await table.start(partial(answer_probes, name=me.name, port=port, key=self._key, interfaces=interfaces))
            except CannotListen as cannot:
                await self._tables.drop(table, cannot.sentence)
                raise Declined(cannot.sentence, NETWORK) from None
        return opened

    async def _listen_on_line(self, request: OpenLine, settings: Settings) -> TableOpened:
        """Open a table that waits for a coordinator at a serial device."""
        setup = line_setup(request.serial, settings)
        if (there := self._tables.waiting_at(device=setup.device)) is not None:
            return TableOpened(there.name, new=False, code=there.code)
        machine = make_listener(me_of(self._home, self._identity, request.persona, settings), os.urandom)
        table = await self._begin(machine, settings)
        await self._note_owed_games(machine, table)
        return await self._doors.open_line(table, request, request.serial, setup)

    async def _note_owed_games(self, machine: Listener, table: Runner) -> None:
        """Read from the logs which games can go on here, and tell our player at once."""
        owed = await beside(owed_seats, self._home, self._key, {*self._tables.at_work()})
        for name, game in [*owed.items()][:MOST_OWED]:
            table.attachments.announce(Notice(f"Your game of {game} with {name} is waiting for {name} to call back."))
        if owed:
            machine.expect(next(iter(owed)))

    async def _join(
        self, request: OpenJoin, settings: Settings, patient: bool = False, gives_up: float = math.inf
    ) -> TableOpened:
        """Join the table of a host. patient: call until somebody answers; gives_up: as in `keep_calling`. A second call
        of the same host waits for the first."""
        at = text_of_link(request.host.address)[0], request.via
        while (first := self._joining.get(at)) is not None:
            await first.wait()
        if (there := self._tables.joined(*at)) is not None:
            there.invite(request.host.address, request.host.code)
            there.call_now.ring()
            return TableOpened(there.name, new=False)
        self._joining[at] = trio.Event()
        try:
            return await self._join_anew(request, settings, patient, gives_up)
        finally:
            self._joining.pop(at).set()

    async def _join_anew(self, request: OpenJoin, settings: Settings, patient: bool, gives_up: float) -> TableOpened:
        """Call a host whose table we have not joined yet."""
        me = me_of(self._home, self._identity, request.persona, settings)
        machine = make_listener(me, os.urandom, watches=request.watch)
        caller = self._caller(request.via, request.serial)
        table = await self._begin(machine, settings, caller)
        try:
            address = table.invite(request.host.address, request.host.code)
            self._tables.keep(table, replace(request, host=Host(address)))  # before a code is used up
            serve = self._serve_patiently(table) if patient else table.links.serve
            if not (request.watch or request.via or is_meeting(address)):
                serve = self._serve_until_gone(table, serve)
            verb = "watch" if request.watch else "join"
            table.task(partial(keep_calling, table, address, serve, patient=patient, gives_up=gives_up, verb=verb))
            if not patient:
                await wait_for_hosts(table, (request.host,))
                if not table.here():
                    raise nobody_answered(table)
                host = next((who.key for who in table.introductions.everybody if who.met), None)
                if is_meeting(address) and not request.watch:
                    self._doors.open_to_members(table)
                if is_meeting(address) and host:  # after a restart nobody is found by a code that was used
                    self._tables.keep(table, replace(request, host=Host(meeting_address_of(host))))
        except BaseException:
            await self._tables.drop(table, "Couldn't reach anyone.")
            raise
        return TableOpened(table.name)

    async def _coordinator(self, request: OpenConnect | OpenHost, settings: Settings) -> Coordinator:
        """A coordinator for the player of this request."""
        me = me_of(self._home, self._identity, request.persona, settings)
        open_games = await beside(left_open, self._home, self._key)
        return make_coordinator(me, _complete_limits(request.limits, settings), os.urandom, left_open=open_games)

    def _serve_patiently(self, table: Runner) -> Serve:
        """A `Serve` for a host that is called after a restart; it ends the table if our player is with that host at
        another."""

        async def serve(link: Link, proven: str = "", address: str = "") -> Counterpart | None:
            """Serve the host, unless our player is with them at another table; then this one ends."""
            if (there := self._tables.with_peer(link.peer, table)) is not None:
                table.end(f"The host is at table {there.name}: p2pcards attach {there.name}")
            return await table.links.serve(link, proven, address)

        return serve

    def _serve_until_gone(self, table: Runner, serve: Serve) -> Serve:
        """A `Serve` for a host that was called directly. Once they are gone, others at the table find our player at
        meeting points, as nobody can call here."""
        opened = False

        async def until_gone(link: Link, proven: str = "", address: str = "") -> Counterpart | None:
            """Serve the host, then wait for the others."""
            nonlocal opened
            host = await serve(link, proven, address)
            on = reach_of(usable_settings(self._home).settings) == "on"
            # Whoever calls through Tor shows no broker an address.
            wanted = on and not is_onion(canonical(address))
            if wanted and not opened and not table.over and {*table.members()} - {link.peer}:
                opened = True
                self._doors.open_to_members(table)
            return host

        return until_gone

    # --- both ---------------------------------------------------------------------------------------------------------

    async def _begin(
        self,
        machine: Coordinator | Listener,
        settings: Settings,
        caller: Caller | None = None,
        log: LogFile | None = None,
    ) -> Runner:
        """Open a table for this machine."""
        caller = caller or self._caller()
        return await self._tables.open_table(machine, caller, hooks=event_hooks(settings), log=log)

    def _caller(self, via: str = "", serial: Serial | None = None) -> Caller:
        """A caller for this transport: `via` command or serial line."""
        return Caller(self._home, self._identity, via, serial or Serial(), self._call_web, self._reach)

    def _find_waiting(self, port: int, request: OpenListen | OpenHost, listens: bool) -> Runner | None:
        """The table that waits on this port already in the same way. Raises Declined if one waits there in another
        way."""
        there = self._tables.waiting_at(port)
        if there is None or there.entrance is None:
            return there
        if (there.listens, there.entrance.bind) != (listens, request.bind):
            raise Declined(f"Table {there.name} is already using port {port}. Choose another: --port", USAGE)
        chosen = reach_of(usable_settings(self._home).settings)
        if waits_anywhere(chosen, request.reach, request.bind) and not there.entrance.anywhere:
            raise Declined(
                f"Table {there.name} is already using port {port}, without meeting points. Leave it first (p2pcards "
                f"leave {there.name}), or choose another port: --port",
                USAGE,
            )
        if request.onion and not there.entrance.onion:
            raise Declined(
                f"Table {there.name} is already using port {port}, without Tor. Leave it first (p2pcards "
                f"leave {there.name}), or choose another port: --port",
                USAGE,
            )
        if request.web and not there.entrance.web:
            raise Declined(
                f"Table {there.name} is already using port {port}, for terminals only. Leave it first (p2pcards leave "
                f"{there.name}), or choose another port: --web PORT",
                USAGE,
            )
        return there


def _opened_before(there: Runner, port: int) -> TableOpened:
    """The answer for a table that was open already."""
    anywhere = there.entrance is not None and there.entrance.anywhere
    return TableOpened(there.name, port, new=False, code=there.code, link=there.view().link, anywhere=anywhere)


def _taken_up_sentence(request: OpenResume) -> str:
    """The sentence about a new game that begins with a hand of an old one."""
    return (
        f"This new game starts with hand {request.hand} of {request.log}, with the same scores and cards. Since you "
        "may know them, it doesn't count for ratings. The old game stays as it is."
    )


def _how_hosted_before(at: OpenHost | None, serial: Serial) -> OpenHost | None:
    """The request by which a resumed game waits for callers again, None if it was not hosted. serial: the device asked
    for now, which takes precedence."""
    if at is None or at.serial is None or not serial.device:
        return at
    return replace(at, serial=replace(serial, cable=at.serial.cable, rings=at.serial.rings))
