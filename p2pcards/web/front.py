"""Between a page and its seat: JSON texts over a link, one message each. The page shows what it is told and sends lines
of the line mode; what is legal, what a line means and what a word shows is decided here, as for every front end.

What the page says ("is" names the message):

| is | with | means |
|---|---|---|
| `start` | | what can be begun is asked for; answered by `start` |
| `game` | key | one game is looked at; answered by `game` |
| `open` | request | a table is opened: a request of `control/messages`, as `control.protocol.to_plain` has it |
| `attach` | table, own | sit down at a table that is open, "" for the latest; own true: our latest game goes on again |
| `cancel` | | what is being opened is given up |
| `name` | text | the name at tables from now on; answered by `start` |
| `line` | text, shown | a line of the line mode; shown: it was pointed at, and counts for the table that was seen |
| `cards` | places | these cards of the hand are laid down, by their places from the left |
| `marks` | places | these are marked; answered by `offers` |
| `pressed` | | a key or a click: what still waits to be shown is shown now, and my seat taken back |
| `look on` | | the person is done with what lies there |
| `answer` | number, text | to an `ask`; text null where they do not want to answer |
| `menus` | | answered by `menus` |
| `follow` | line | what may be said with a word; answered by `choose` |
| `complete` | text | what a line that begins so may become; answered by `fits` |
| `options` | page | "settings", "rules" of the table, or "rules/" and a game; answered by `options` |
| `change`, `reset` | page, key, value | one of them is given a value, or the usual one; answered by `options` |
| `nearby` | | who listens on this network; answered by `nearby` |
| `guide` | address, words | a page of the guide is opened, or looked for by words; answered by `page` |

What the page is told:

| is | with | means |
|---|---|---|
| `start` | said, name, games, tables, saves, peers, requests and more | what can be begun; requests: of each kind |
| `game` | as `frontend.start.GameFacts` | of one game |
| `opening` | text | how far the opening has come |
| `waits` | table, port, code, addresses | a table waits for friends there |
| `keys` | keys | the lines that keys say, as the help has them |
| `table` | as `web/shown.table_data` | the table as it stands, whole; with it held, moving (ms), look, on |
| `prompt` | text, clock | what there is to do, where it counts down; clock as in `table` |
| `told` | text, ink, next | "log", "chat", "answer" or "wrong": what happened, was said, or is answered; next: a line |
| | seat, said | what a person in a seat said or did: the seat, and the words without the name |
| `read` | title, lines, about | lines to be read |
| `page` | as `web/shown.guide_page_data` | a page of the guide |
| `ask` | number, question, answers, about | a question; `answered` with its number takes it back |
| `choose` | title, choices | one of these lines is to be chosen, each with how it is shown |
| `offers` | places, offers, prompt | what can be done with the marked cards, each a line and how it is shown |
| `menus` | menus | the menus as they are now |
| `fits` | text, lines | lines, each with what it does |
| `options` | page, title, groups | what can be changed |
| `thinks` | | an expert takes a while; the line `hint off` ends that |
| `nearby` | people | (address, name) of each who listens on this network |
| `ring` | | a bell rings |
| `ended` | result, text | the table is left |
| `refused` | text | why something does not go, where there is no table |

Each message is at most `LIMIT` characters. All text of it is clean (`web/shown.tidy_texts`)."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import replace
from functools import partial
from random import SystemRandom
from typing import Any

import trio

from p2pcards.control import messages
from p2pcards.control.attached import AttachedTable
from p2pcards.control.client import Client, connect
from p2pcards.control.declined import Declined
from p2pcards.control.protocol import BadMessage, from_plain, to_plain
from p2pcards.daemon.crew import beside
from p2pcards.daemon.thinking import Thinking, thinking_apart
from p2pcards.frontend.asked_first import closing_text
from p2pcards.frontend.at_table import Heard, TableSeen, TableTalk
from p2pcards.frontend.autoplay import Autoplay, SessionPlan
from p2pcards.frontend.choosing import legal_actions, shown_hand
from p2pcards.frontend.completions import described_completions
from p2pcards.frontend.guide_pages import address_for_command
from p2pcards.frontend.looks import Showing, title_of_look
from p2pcards.frontend.manner import Manner, Playlist, parse_switch, read_manner, read_tempo
from p2pcards.frontend.menus import KEY_LINES, SKILLS, completed_lines, lines_on
from p2pcards.frontend.option_pages import (
    NotTaken,
    OptionPage,
    SettingsPage,
    TableRulesPage,
    can_change_rules,
    run_config_command,
    switch_values,
)
from p2pcards.frontend.stage import Seen, Tempo
from p2pcards.frontend.standing import interpret_cards, what_to_do
from p2pcards.frontend.start import GameFacts, open_table_line, read_game_facts, unfinished_games
from p2pcards.frontend.watched import TableApart
from p2pcards.frontend.words import WORDS, Local, NotUnderstood, arrangement_text
from p2pcards.games.names import GAME_NAMES
from p2pcards.games.registry import UnknownGame
from p2pcards.links.address import DEFAULT_PORT, BadAddress, canonical, format_address, text_of_link
from p2pcards.links.tcp import own_addresses
from p2pcards.players.characters import character_rows
from p2pcards.players.levels import UnknownLevel
from p2pcards.present.cards import Style
from p2pcards.present.story import as_sentence
from p2pcards.present.table import counts_down
from p2pcards.store.files import Home, StoreError, clean_name, login_name
from p2pcards.store.identity import address_of, load_peers
from p2pcards.store.settings import Settings, usable_settings
from p2pcards.views.happenings import Gestured, Hinted, Said
from p2pcards.views.tableview import TableView
from p2pcards.web.before import find_listeners, guide_address, open_option_page, run_line_without_table
from p2pcards.web.link import PageGone, PageLink
from p2pcards.web.shown import (
    STYLE,
    Plain,
    clock_data,
    guide_page_data,
    matters_in_page,
    menus_data,
    offers_for_cards,
    table_data,
    tidy_texts,
)
from p2pcards.wire.invitation import is_for_watching
from p2pcards.wire.spoken import BadCode, read_code

# --- what a page is told goes out in its order ------------------------------------------------------------------------


LIMIT = 1 << 20
"""Characters of one message to the page."""
SAID_LIMIT = 1 << 16
"""Characters of one message of a page."""
WAITING = 500
"""Messages that wait for a page; one that takes none of so many has gone."""


Connecting = Callable[[], AbstractAsyncContextManager[Client]]
"""A conversation with the daemon."""


async def serve_front(
    link: PageLink, home: Home, connecting: Connecting | None = None, thinking: Thinking = thinking_apart
) -> None:
    """Serve a page until it goes; the seat stays. home: of the settings, peers and saves; connecting: connects to the
    daemon, None for the home's own; thinking: runs the computers of a watched game."""
    await _Page(link, home, connecting or partial(connect, home), thinking).run()


REFUSED = (Declined, StoreError, NotTaken, NotUnderstood, BadAddress, BadCode, BadMessage, UnknownGame, UnknownLevel)
"""What is answered by a sentence."""


class _Outbox:
    """Messages to send. A table replaces another one that waits right before it."""

    def __init__(self, link: PageLink) -> None:
        self._link = link
        self._waiting = deque[Plain]()
        self._more = trio.Event()
        self._sent = trio.Event()
        self._sent.set()

    def put(self, message: Plain) -> None:
        """Queue a message for the page."""
        if self._waiting and message["is"] in ("table", "prompt") and self._waiting[-1]["is"] == message["is"]:
            self._waiting.pop()
        self._waiting.append(message)
        if self._sent.is_set():
            self._sent = trio.Event()
        self._more.set()

    async def sent(self) -> None:
        """Wait until the page has taken everything."""
        await self._sent.wait()

    async def run(self) -> None:
        """Send messages until cancelled. Raises PageGone."""
        while True:
            await self._more.wait()
            self._more = trio.Event()
            while self._waiting:
                if len(self._waiting) > WAITING:
                    raise PageGone
                text = json.dumps(tidy_texts(self._waiting.popleft()), ensure_ascii=False, separators=(",", ":"))
                if len(text) <= LIMIT:
                    await self._link.send(text)
            self._sent.set()


# --- a page, before a table and at one --------------------------------------------------------------------------------


TABLE_GONE = "The table you were at is closed. Start another one, or open a friend's link."

AS_SET = messages.TimeLimits(between_hands=None)
BLANK: Mapping[str, messages.Open] = {
    "play": messages.OpenPlay(messages.Rules(), limits=AS_SET),
    "host": messages.OpenHost(limits=AS_SET),
    "listen": messages.OpenListen(),
    "connect": messages.OpenConnect((messages.Host(""),), limits=AS_SET),
    "join": messages.OpenJoin(messages.Host("")),
    "resume": messages.OpenResume(),
}
"""What a page can ask for, with everything left open."""


class _Page:
    def __init__(self, link: PageLink, home: Home, connecting: Connecting, thinking: Thinking) -> None:
        self._link = link
        self._home = home
        self._connecting = connecting
        self._thinking = thinking
        self._out = _Outbox(link)
        self._table: AtTable | None = None
        self._sitting: trio.CancelScope | None = None  # what is opened, and the table after it

    async def run(self) -> None:
        """Serve the page until it goes."""
        async with trio.open_nursery() as nursery:

            async def until_gone(deed: Callable[[], Awaitable[None]]) -> None:
                with suppress(PageGone):
                    await deed()
                nursery.cancel_scope.cancel()

            async def listen() -> None:
                while True:
                    deed = self._handler_for(await self._link.receive())
                    if deed is not None:
                        nursery.start_soon(self._run_handler, deed)
                    await trio.lowlevel.checkpoint()  # in the order in which they come

            nursery.start_soon(until_gone, self._out.run)
            nursery.start_soon(until_gone, listen)

    def _handler_for(self, text: str) -> Callable[[], Awaitable[None]] | None:
        """What to run for a message, which may be anything; None for what isn't understood."""
        try:
            said = json.loads(text) if len(text) <= SAID_LIMIT else None
        except (ValueError, RecursionError):
            said = None
        if not isinstance(said, dict) or not isinstance(said.get("is"), str):
            self._put_refusal("This page is out of date. Reload it.")
            return None
        kind = said["is"]
        if self._table is not None and kind in _AT_TABLE:
            return partial(_AT_TABLE[kind], self._table, said)
        return partial(_BEFORE[kind], self, said) if kind in _BEFORE else None

    async def _run_handler(self, deed: Callable[[], Awaitable[None]]) -> None:
        try:
            await deed()
        except REFUSED as fault:
            self._put_refusal(str(fault))

    def _put_refusal(self, text: str) -> None:
        self._out.put({"is": "refused", "text": as_sentence(text)})

    # --- before a table ---

    async def start(self, said: Plain) -> None:  # noqa: ARG002
        """Message "start": show what can be begun."""
        await self._show_start()

    async def _show_start(self, told: str = "") -> None:
        """Show what can be begun, or why nothing can: after a refusal a page would ask again. told: closing sentence of
        the table that was left."""
        try:
            self._out.put(await self._start_message(told))
        except REFUSED as fault:
            self._out.put({"is": "gone", "text": as_sentence(str(fault))})

    async def _start_message(self, told: str) -> Plain:
        async with self._connecting() as client:
            tables = (await client.status()).tables
        settings, faults = usable_settings(self._home)
        open_logs = {table.log for table in tables}
        bad: list[str] = []
        saves = await beside(unfinished_games, self._home, open_logs, bad.append)
        return {
            "is": "start",
            "said": " ".join(filter(None, [told, *faults, *bad])),
            "name": settings.name,
            "login": login_name(),
            "character": settings.character,
            "games": [[key, name] for key, name in GAME_NAMES.items()],
            "tables": [[table.name, open_table_line(table)] for table in tables],
            "saves": [[log, line, ours] for log, line, ours in saves],
            "peers": [[peer.name, peer.address or ""] for peer in load_peers(self._home)],
            "characters": [[key, f"{name}, {level}"] for key, name, level in character_rows()],
            "requests": {kind: to_plain(messages.Open, request) for kind, request in BLANK.items()},
        }

    async def name(self, said: Plain) -> None:
        """Message "name": set the player's name."""
        await beside(SettingsPage(self._home).change, "name", _text_field(said, "text")[:TYPED])
        await self._show_start()

    async def line(self, said: Plain) -> None:
        """Message "line": carry out a line without a table; it may begin a game to watch."""
        plan = await run_line_without_table(self._home, self._out.put, _text_field(said, "text")[:TYPED])
        if plan is not None:
            await self._sit_until_left(plan)

    async def guide(self, said: Plain) -> None:
        """Message "guide": show a page of the guide."""
        address = _text_field(said, "address")[:TYPED] or guide_address(_text_field(said, "words")[:TYPED])
        self._out.put(await beside(guide_page_data, address, self._table.view if self._table else None))

    async def nearby(self, said: Plain) -> None:  # noqa: ARG002
        """Message "nearby": list the listeners on the network."""
        self._out.put({"is": "nearby", "people": await find_listeners(self._home)})

    async def options(self, said: Plain) -> None:
        """Message "options": show a page of options."""
        name = _text_field(said, "page")
        self._out.put({"is": "options", "page": name, **options_message(name, open_option_page(self._home, name))})

    async def change(self, said: Plain) -> None:
        """Message "change": set an option."""
        await self._change_option(said, lambda page, key: page.change(key, _text_field(said, "value")[:TYPED]))

    async def reset(self, said: Plain) -> None:
        """Message "reset": set an option to its default."""
        await self._change_option(said, lambda page, key: page.reset(key))

    async def _change_option(self, said: Plain, change: Callable[[OptionPage, str], None]) -> None:
        page, key = open_option_page(self._home, _text_field(said, "page")), _text_field(said, "key")
        try:
            if has_row(page, key):
                change(page, key)
        finally:
            await self.options(said)
            await self.game({"key": _text_field(said, "page").removeprefix("rules/")})

    async def game(self, said: Plain) -> None:
        """Message "game": send what the player may want to know before this game."""
        key = _text_field(said, "key")
        if key in GAME_NAMES:
            self._out.put({"is": "game", **_game_message(await beside(read_game_facts, self._home, key))})

    async def cancel(self, said: Plain) -> None:  # noqa: ARG002
        """Message "cancel": stop opening a table."""
        if self._sitting is not None and self._table is None:
            self._sitting.cancel()

    async def open(self, said: Plain) -> None:
        """Message "open": open a table and sit down at it."""
        request = _check_request(from_plain(messages.Open, said.get("request")), self._home)
        await self._sit_until_left(request)

    async def attach(self, said: Plain) -> None:
        """Message "attach": sit down at an open table."""
        name, own = _text_field(said, "table"), said.get("own") is True
        if not (name or own or await self._is_any_open()):
            raise NotTaken(TABLE_GONE)
        await self._sit_until_left(messages.OpenResume() if own else name)

    async def _is_any_open(self) -> bool:
        if self._sitting is not None:
            return True
        async with self._connecting() as client:
            while (status := await client.status()).restoring:  # which is answered after a while
                pass
        return bool(status.tables)

    async def _sit_until_left(self, wanted: messages.Open | str | SessionPlan) -> None:
        """Sit at a table until it is left or closed: opened by a request, found by name, or a game played by
        computers."""
        if self._sitting is not None:
            return
        told = ""
        self._sitting = trio.CancelScope()
        with self._sitting:
            try:
                if isinstance(wanted, SessionPlan):
                    await self._watch_session(wanted)
                else:
                    async with self._connecting() as client:
                        told = await self._at_table(client, wanted)
            finally:
                self._table = self._sitting = None
        await self._show_start(told)

    async def _watch_session(self, plan: SessionPlan) -> None:
        name = clean_name(usable_settings(self._home).settings.name or login_name())
        apart = TableApart(Autoplay(plan, None, name, SystemRandom()))

        async def sleep(seconds: float) -> None:
            """At least as long as a slow page takes."""
            await trio.sleep(seconds)
            await self._out.sent()

        async with self._thinking() as decide, trio.open_nursery() as nursery:
            nursery.start_soon(apart.play, decide, lambda: _page_tempo(usable_settings(self._home)[0]).pace, sleep)
            self._out.put({"is": "keys", "keys": KEY_LINES})
            self._table = AtTable(apart, self._home, self._out.put)
            await self._table.run()
            nursery.cancel_scope.cancel()

    async def _at_table(self, client: Client, wanted: messages.Open | str) -> str:
        """Sit at a table; returns the closing sentence."""
        name, waits = wanted, None
        if not isinstance(wanted, str):
            opened = await client.open(wanted, lambda text: self._out.put({"is": "opening", "text": text}))
            name, waits = opened.table, _waiting_message(opened)
        tempo = _page_tempo(usable_settings(self._home)[0])
        table = await client.attach(str(name), tempo.pace)
        if waits:
            self._out.put(waits)
        self._out.put({"is": "keys", "keys": KEY_LINES})
        self._table = AtTable(table, self._home, self._out.put)
        return await self._table.run()


def _game_message(facts: GameFacts) -> Plain:
    return {
        "key": facts.key,
        "name": facts.name,
        "brief": facts.brief,
        "presets": [list(one) for one in facts.presets],
        "opponents": facts.opponents,
        "question": facts.question,
        "answers": [list(one) for one in facts.answers],
    }


def _waiting_message(opened: messages.TableOpened) -> Plain | None:
    if opened.port is None:
        return None
    addresses = [(format_address(host, opened.port), kind) for host, kind in own_addresses()]
    shown = [address for address, kind in addresses if kind != "loopback"] or [address for address, _ in addresses]
    return {"is": "waits", "table": opened.table, "port": opened.port, "code": opened.code, "addresses": shown}


def _check_request(request: messages.Open, home: Home) -> messages.Open:
    """The request with addresses, ports and codes as the daemon wants them. Raises BadAddress and BadCode."""
    if isinstance(request, messages.OpenHost | messages.OpenListen) and request.port is None:
        return replace(request, port=usable_settings(home).settings.port or DEFAULT_PORT)
    if isinstance(request, messages.OpenConnect):
        return replace(request, hosts=tuple([_parse_host(one, home) for one in request.hosts]))
    if isinstance(request, messages.OpenJoin):
        watch = request.watch or is_for_watching(request.host.address)
        return replace(request, host=_parse_host(request.host, home), watch=watch)
    return request


def _parse_host(host: messages.Host, home: Home) -> messages.Host:
    """The host to call; a link brings its code."""
    given = host.code.strip() or text_of_link(host.address)[1]
    code = str(read_code(given)) if given else ""
    return replace(host, address=canonical(address_of(load_peers(home), host.address.strip())), code=code)


def _text_field(said: Plain, key: str) -> str:
    found = said.get(key)
    return found if isinstance(found, str) else ""


def _hand_places(said: Plain, cards: int) -> list[int]:
    """The places of the hand named in a message, each once. cards: the number of cards."""
    found = said.get("places")
    numbers = [one for one in found if type(one) is int and 0 <= one < cards] if isinstance(found, list) else []
    return sorted(set(numbers))


MOVING = 0.25
"""Seconds that a card is on its way where the settings do not tell: long enough to be followed, short enough not to be
waited for."""


def _page_tempo(settings: Settings) -> Tempo:
    tempo = read_tempo(settings)
    return replace(tempo, moving=(tempo.moving or MOVING) if tempo.pace else 0.0)


# --- at a table -------------------------------------------------------------------------------------------------------


class AtTable:
    """One table in a page, an `at_table.Front`, until it is left or closed."""

    style: Style = STYLE

    def __init__(self, table: AttachedTable, home: Home, put: Callable[[Plain], None]) -> None:
        self._home = home
        self._put = put
        self._read_settings()
        self._seen = TableSeen(lambda: self._manner, trio.current_time)
        self._talk = TableTalk(table, self._seen, self, lambda: self._manner)
        self._ended = trio.Event()
        self._last = ""
        self._result = ""
        self._asked = dict[int, tuple[trio.Event, list[str | None]]]()
        self._count = 0
        self._look = {"stagger": self._settings.stagger, "tint": self._settings.tint_melds}
        self._rules: TableRulesPage | None = None
        self._nursery: trio.Nursery | None = None

    async def run(self) -> str:
        """Run until the table is left or closed; returns the closing sentence."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            nursery.start_soon(self._talk.run)
            nursery.start_soon(self._update_countdowns)
            await self._ended.wait()
            for answered, answer in self._asked.values():
                answer.append(None)
                answered.set()
            nursery.cancel_scope.cancel()
        return " ".join(filter(None, [self._last if self._result == "closed" else "", self._closing_text()]))

    def _closing_text(self) -> str:
        return closing_text(self._result, self._seen.view)

    def _read_settings(self) -> None:
        self._settings, faults = usable_settings(self._home)
        manner = read_manner(self._home, self._settings, terminal=True, rings=True, changeable=not faults)
        # Sound and speech are the browser's own there: what the settings name runs on the machine of the daemon.
        self._manner: Manner = replace(manner, speech="", playlist=Playlist())

    @property
    def view(self) -> TableView:
        """The view on the page."""
        return self._seen.view

    # --- as at_table.Front ---

    @property
    def tempo(self) -> Tempo:
        return _page_tempo(self._settings)

    def showing(self) -> Showing:
        seen = self._seen
        return Showing(seen.view, STYLE, seen.arrangement, seen.elapsed, lines=0, plain=True, home=self._home)

    def take(self, seen: Seen) -> None:
        self._seen.see_view(seen.view, seen.came)

    def recall(self, recap: Sequence[str]) -> None:
        for line in recap:
            self._put_log_line(line, "log")

    def stand(self, before: TableView, first: bool) -> None:
        """React to a new view; the next picture shows it all."""

    def paint(self) -> None:
        view, arrangement = self._seen.view, self._seen.arrangement
        self._put(
            {
                **table_data(view, arrangement, self._seen.elapsed),
                "held": self._seen.held,
                "moving": round(1000 * self.tempo.moving),
                "pace": round(1000 * self.tempo.pace),
                "look": self._look,
                "on": sorted(self._lines_on()),
            }
        )

    def hear(self, heard: Heard) -> None:
        happening, earlier = heard.happened.happening, heard.happened.earlier
        self._last = heard.text
        if isinstance(happening, Said | Gestured):
            self._put({**_log_line_message(heard.text, "chat", earlier), **self._speech_bubble(happening)})
        else:
            self._put_log_line(heard.text, "log", earlier)
        for line in heard.said:
            self._put_log_line(line, "chat", earlier)
        if isinstance(happening, Hinted) and not earlier:
            self._put({"is": "told", "text": heard.text, "ink": "answer", "earlier": False, "next": "do"})
        if heard.looked and not earlier:
            self._put_lines("", (heard.text, "", *heard.looked), "playing#advice")

    def ring(self) -> None:
        self._put({"is": "ring"})

    def told(self, text: str, wrong: bool = False) -> None:
        self._put_log_line(text, "wrong" if wrong else "answer")

    def told_aside(self, text: str) -> None:
        self._put_log_line(text, "log")

    def thinks(self) -> None:
        self._put({"is": "thinks"})

    def read(self, word: str, lines: Sequence[str]) -> None:
        self._put_lines(title_of_look(word), lines, f"words#{word}")

    def read_records(self, lines: Sequence[str]) -> None:
        self._put({"is": "records", "title": "Records", "lines": list(lines), "about": "records"})

    def arranged(self) -> None:
        self.told(arrangement_text(self._seen.arrangement))
        self.paint()

    async def answer(self, word: Local) -> bool:
        if word.name in ("stagger", "tint"):
            self._look[word.name] = parse_switch(word.name, word.arguments, self._look[word.name])
            self.paint()
        elif word.name == "beside":
            self._put({"is": "beside"})
        elif word.name == "config" and not word.arguments:
            self._put_options("settings")
        elif word.name == "config":
            self._put_lines("Options", run_config_command(self._manner.options, word.arguments), "settings")
            self._apply_settings()
        elif word.name == "options" and not word.arguments and can_change_rules(self._seen.view):
            self._put_options("rules")
        elif address := address_for_command(word.name, word.arguments, self._seen.view):
            self._put(await beside(guide_page_data, address, self._seen.view))
        else:
            return False
        return True

    async def ask(self, question: str, answers: Callable[[], Sequence[str]], about: str) -> str | None:
        """Ask the page; None if the person cancels. about: address of the guide's page on it."""
        self._count += 1
        number, answered, answer = self._count, trio.Event(), list[str | None]()
        self._asked[number] = answered, answer
        shown = question.removesuffix(" yes/no")
        self._put({"is": "ask", "number": number, "question": shown, "answers": list(answers()), "about": about})
        try:
            await answered.wait()
        finally:
            del self._asked[number]
            self._put({"is": "answered", "number": number})
        return answer[0] or None

    def say(self, line: str) -> None:
        if self._nursery is not None:
            self._nursery.start_soon(self._talk.say, line)

    def end(self, result: str) -> None:
        self._result = result
        self._put({"is": "ended", "result": result, "text": self._closing_text()})
        self._ended.set()

    # --- what the page says ---

    async def line(self, said: Plain) -> None:
        """Message "line": handle a typed line."""
        text = _text_field(said, "text")
        if len(text) <= TYPED and not (said.get("shown") is True and self._talk.pressed()):
            await self._talk.say(text)

    async def cards(self, said: Plain) -> None:
        """Message "cards": play these cards, or offer the actions that they could mean."""
        view, hand = self._seen.view, shown_hand(self._seen.view, self._seen.arrangement)
        places = _hand_places(said, len(hand))
        if not places or not view.legal or self._talk.pressed():
            return
        chosen = [int(hand[place]) for place in places]
        meant = interpret_cards(view, legal_actions(view), chosen, marked=len(places) > 1)
        if meant.several:
            self._choose("Which one?", offers_for_cards(view, chosen))
        elif not meant.more:
            await self._talk.say(meant.line)

    async def marks(self, said: Plain) -> None:
        """Message "marks": show what the marked cards can do."""
        view, hand = self._seen.view, shown_hand(self._seen.view, self._seen.arrangement)
        places = _hand_places(said, len(hand))
        found = offers_for_cards(view, [int(hand[place]) for place in places]) if places else []
        prompt = what_to_do(view, legal_actions(view), STYLE, self._seen.elapsed, len(places))  # buttons say the rest
        self._put({"is": "offers", "places": places, "offers": found, "prompt": prompt})

    async def pressed(self, said: Plain) -> None:  # noqa: ARG002
        """Message "pressed": the player is there."""
        self._talk.pressed()

    async def look_on(self, said: Plain) -> None:  # noqa: ARG002
        """Message "look_on": show the next step."""
        self._talk.go_on()

    async def take_answer(self, said: Plain) -> None:
        """Message "answer": pass the answer on to the question."""
        number, text = said.get("number"), said.get("text")
        if type(number) is int and number in self._asked and (text is None or isinstance(text, str)):
            answered, answer = self._asked[number]
            answer.append(text[:TYPED] if text else text)
            answered.set()

    async def menus(self, said: Plain) -> None:  # noqa: ARG002
        """Message "menus": send the menus."""
        self._put(
            {"is": "menus", "menus": menus_data(self._seen.view, self._lines_on(), switch_values(self._manner.options))}
        )

    async def follow(self, said: Plain) -> None:
        """Message "follow": offer the lines that continue a word."""
        line = _text_field(said, "line")[:TYPED]
        words = line.split()
        if not words or (words[0] not in WORDS and line not in (SKILLS, "game")):
            return
        found = completed_lines(line, self._seen.view)
        if len(found) == 1 and not found[0][0].endswith(" "):
            await self._talk.say(found[0][0])
        else:
            self._choose("Which one?", [list(one) for one in found] or [[f"{line.strip()} ", line]])

    async def complete(self, said: Plain) -> None:
        """Message "complete": send completions of the typed line."""
        text = _text_field(said, "text")[:TYPED]
        self._put(
            {"is": "fits", "text": text, "lines": [list(one) for one in described_completions(text, self._seen.view)]}
        )

    async def options(self, said: Plain) -> None:
        """Message "options": send a page of options."""
        self._put_options(_text_field(said, "page"))

    async def change(self, said: Plain) -> None:
        """Message "change": set an option."""
        await self._change_option(said, lambda page, key: page.change(key, _text_field(said, "value")[:TYPED]))

    async def reset(self, said: Plain) -> None:
        """Message "reset": set an option to its default."""
        await self._change_option(said, lambda page, key: page.reset(key))

    # --- private ---

    async def _change_option(self, said: Plain, change: Callable[[OptionPage, str], None]) -> None:
        name = _text_field(said, "page")
        page, key = self._option_page_named(name), _text_field(said, "key")
        try:
            if page is not None and has_row(page, key):
                change(page, key)
        except (NotTaken, StoreError) as fault:
            self.told(str(fault), wrong=True)
        self._apply_settings()
        self._put_options(name)

    def _option_page_named(self, name: str) -> OptionPage | None:
        if name != "rules":
            return self._manner.options
        if self._rules is None:
            self._rules = TableRulesPage(lambda: self._seen.view, self.say)
        return self._rules

    def _put_options(self, name: str) -> None:
        page = self._option_page_named(name)
        if page is None:
            self.told("Your settings aren't available here.", wrong=True)
            return
        self._put({"is": "options", "page": name, **options_message(name, page)})

    def _apply_settings(self) -> None:
        """Apply the settings as they are now."""
        self._read_settings()
        self.paint()

    def _lines_on(self) -> set[str]:
        return lines_on(self._seen.view, self._seen.arrangement, self._look)

    def _put_log_line(self, text: str, ink: str, earlier: bool = False) -> None:
        if text:
            self._put(_log_line_message(text, ink, earlier))

    def _speech_bubble(self, spoken: Said | Gestured) -> Plain:
        """The speaker's seat and the words alone; empty for a watcher."""
        view = self._seen.view
        named = next((person.seat for person in view.people if person.name == spoken.name), None)
        seat = view.me if spoken.mine else named
        return {} if seat is None or not view.seats else {"seat": seat, "said": spoken.text}

    def _put_lines(self, title: str, lines: Sequence[str], about: str) -> None:
        self._put({"is": "read", "title": title, "lines": list(lines), "about": about})

    def _choose(self, title: str, choices: Sequence[Sequence[str]]) -> None:
        """Offer lines to choose from, each with its label."""
        self._put({"is": "choose", "title": title, "choices": [list(one) for one in choices]})

    async def _update_countdowns(self) -> None:
        """Send changed texts each second while anything counts down."""
        while True:
            await trio.sleep(1)
            view = self._seen.view
            runs = (view.pause or 0) > 0 or counts_down(view, self._seen.elapsed)
            if self._seen.begun and runs:
                elapsed = self._seen.elapsed
                to_say = what_to_do(view, legal_actions(view), STYLE, elapsed, clock=False)
                self._put({"is": "prompt", "text": to_say, "clock": clock_data(view, elapsed)})


def _log_line_message(text: str, ink: str, earlier: bool) -> Plain:
    return {"is": "told", "text": text, "ink": ink, "earlier": earlier}


TYPED = 2000
"""Characters of what is typed."""


def has_row(page: OptionPage, key: str) -> bool:
    return any(row.key == key for _, rows in page.groups() for row in rows)


def options_message(name: str, page: OptionPage) -> Plain:
    """A page of options for the page; of the settings only those that matter in a browser. values: to step through;
    typed: others can be typed."""
    groups = [
        {
            "title": title,
            "rows": [
                {
                    "key": row.key,
                    "label": row.label or row.key,
                    "value": row.value,
                    "shown": row.shown,
                    "meaning": row.meaning,
                    "takes": row.takes,
                    "effect": row.effect,
                    "values": list(row.values),
                    "typed": row.typed,
                    "usual": row.usual,
                }
                for row in rows
            ],
        }
        for title, every in page.groups()
        if (rows := [row for row in every if name != "settings" or matters_in_page(row.key)])
    ]
    return {"title": page.title, "groups": groups}


Deed = Callable[[Any, Plain], Awaitable[None]]

_BEFORE: Mapping[str, Deed] = {
    "start": _Page.start,
    "game": _Page.game,
    "name": _Page.name,
    "line": _Page.line,
    "guide": _Page.guide,
    "nearby": _Page.nearby,
    "options": _Page.options,
    "change": _Page.change,
    "reset": _Page.reset,
    "open": _Page.open,
    "attach": _Page.attach,
    "cancel": _Page.cancel,
}
_AT_TABLE: Mapping[str, Deed] = {
    "line": AtTable.line,
    "cards": AtTable.cards,
    "marks": AtTable.marks,
    "pressed": AtTable.pressed,
    "look on": AtTable.look_on,
    "answer": AtTable.take_answer,
    "menus": AtTable.menus,
    "follow": AtTable.follow,
    "complete": AtTable.complete,
    "options": AtTable.options,
    "change": AtTable.change,
    "reset": AtTable.reset,
}
"""What is done about each message."""
