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
| `table` | as `web/shown.table_shown` | the table as it stands, whole; with it held, moving (ms), look, on |
| `prompt` | text, clock | what there is to do, where it counts down; clock as in `table` |
| `told` | text, ink, next | "log", "chat", "answer" or "wrong": what happened, was said, or is answered; next: a line |
| | seat, said | what a person in a seat said or did: the seat, and the words without the name |
| `read` | title, lines, about | lines to be read |
| `page` | as `web/shown.page_shown` | a page of the guide |
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

Each message is at most `LIMIT` characters. All text of it is clean (`web/shown.tidy`)."""

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

from p2pcards.control.attached import AttachedTable
from p2pcards.control.client import Client, connect
from p2pcards.control.declined import Declined
from p2pcards.control.messages import (
    Host,
    Open,
    OpenConnect,
    OpenHost,
    OpenJoin,
    OpenListen,
    OpenPlay,
    OpenResume,
    Rules,
    TableOpened,
    TimeLimits,
)
from p2pcards.control.protocol import BadMessage, from_plain, to_plain
from p2pcards.daemon.crew import beside
from p2pcards.daemon.thinking import Thinking, thinking_apart
from p2pcards.frontend.asked_first import last_words
from p2pcards.frontend.at_table import Heard, TableSeen, TableTalk
from p2pcards.frontend.autoplay import Autoplay, SessionPlan
from p2pcards.frontend.choosing import actions, shown_hand
from p2pcards.frontend.completions import fitting
from p2pcards.frontend.guide_pages import address_asked
from p2pcards.frontend.looks import Showing, title_of
from p2pcards.frontend.manner import Manner, Playlist, manner_of, switched, tempo_of
from p2pcards.frontend.menus import KEY_LINES, SKILLS, followers
from p2pcards.frontend.option_pages import (
    NotTaken,
    OptionPage,
    SettingsPage,
    TableRulesPage,
    can_change_rules,
    option_lines,
    switches,
)
from p2pcards.frontend.stage import Seen, Tempo
from p2pcards.frontend.standing import meant_by, to_do
from p2pcards.frontend.start import GameFacts, game_facts, open_line, saves_here
from p2pcards.frontend.watched import TableApart
from p2pcards.frontend.words import WORDS, Local, NotUnderstood, said_of
from p2pcards.games.names import GAME_NAMES
from p2pcards.games.registry import UnknownGame
from p2pcards.links.address import DEFAULT_PORT, BadAddress, canonical, format_address, text_of_link
from p2pcards.links.tcp import own_addresses
from p2pcards.players.characters import character_rows
from p2pcards.players.levels import UnknownLevel
from p2pcards.present.cards import Style
from p2pcards.present.story import sentence
from p2pcards.present.table import counts_down
from p2pcards.store.files import Home, StoreError, clean_name, login_name
from p2pcards.store.identity import address_of, load_peers
from p2pcards.store.settings import Settings, usable_settings
from p2pcards.views.happenings import Gestured, Hinted, Said
from p2pcards.views.tableview import TableView
from p2pcards.web.before import guide_address, listeners_nearby, look, option_page
from p2pcards.web.link import PageGone, PageLink
from p2pcards.web.shown import (
    STYLE,
    Plain,
    clock_shown,
    is_set_here,
    menus_shown,
    offers,
    page_shown,
    table_shown,
    tidy,
)
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
    """Until the page goes; the seat stays. home: whose settings, peers and saves they are; connecting: None for the
    daemon of the home; thinking: where computers do whose game is watched."""
    await _Page(link, home, connecting or partial(connect, home), thinking).run()


REFUSED = (Declined, StoreError, NotTaken, NotUnderstood, BadAddress, BadCode, BadMessage, UnknownGame, UnknownLevel)
"""What is answered by a sentence."""


class _Outbox:
    """What is to be sent. A table replaces one that waits right before it."""

    def __init__(self, link: PageLink) -> None:
        self._link = link
        self._waiting = deque[Plain]()
        self._more = trio.Event()
        self._sent = trio.Event()
        self._sent.set()

    def put(self, message: Plain) -> None:
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
        """Raises PageGone."""
        while True:
            await self._more.wait()
            self._more = trio.Event()
            while self._waiting:
                if len(self._waiting) > WAITING:
                    raise PageGone
                text = json.dumps(tidy(self._waiting.popleft()), ensure_ascii=False, separators=(",", ":"))
                if len(text) <= LIMIT:
                    await self._link.send(text)
            self._sent.set()


# --- a page, before a table and at one --------------------------------------------------------------------------------


TABLE_GONE = "The table you were at is closed. Start another one, or open a friend's link."

AS_SET = TimeLimits(between_hands=None)
BLANK: Mapping[str, Open] = {
    "play": OpenPlay(Rules(), limits=AS_SET),
    "host": OpenHost(limits=AS_SET),
    "listen": OpenListen(),
    "connect": OpenConnect((Host(""),), limits=AS_SET),
    "join": OpenJoin(Host("")),
    "resume": OpenResume(),
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
        """Until the page goes."""
        async with trio.open_nursery() as nursery:

            async def until_gone(deed: Callable[[], Awaitable[None]]) -> None:
                with suppress(PageGone):
                    await deed()
                nursery.cancel_scope.cancel()

            async def listen() -> None:
                while True:
                    deed = self._meant(await self._link.receive())
                    if deed is not None:
                        nursery.start_soon(self._do, deed)
                    await trio.lowlevel.checkpoint()  # in the order in which they come

            nursery.start_soon(until_gone, self._out.run)
            nursery.start_soon(until_gone, listen)

    def _meant(self, text: str) -> Callable[[], Awaitable[None]] | None:
        """What is to be done about a message; it may be anything."""
        try:
            said = json.loads(text) if len(text) <= SAID_LIMIT else None
        except (ValueError, RecursionError):
            said = None
        if not isinstance(said, dict) or not isinstance(said.get("is"), str):
            self._refuse("This page is out of date. Reload it.")
            return None
        kind = said["is"]
        if self._table is not None and kind in _AT_TABLE:
            return partial(_AT_TABLE[kind], self._table, said)
        return partial(_BEFORE[kind], self, said) if kind in _BEFORE else None

    async def _do(self, deed: Callable[[], Awaitable[None]]) -> None:
        try:
            await deed()
        except REFUSED as fault:
            self._refuse(str(fault))

    def _refuse(self, text: str) -> None:
        self._out.put({"is": "refused", "text": sentence(text)})

    # --- before a table ---

    async def start(self, said: Plain) -> None:  # noqa: ARG002
        await self._show_start()

    async def _show_start(self, told: str = "") -> None:
        """What can be begun, or why nothing can: after a refusal a page would ask for it again. told: the last words
        of the table that was left."""
        try:
            self._out.put(await self._start_plain(told))
        except REFUSED as fault:
            self._out.put({"is": "gone", "text": sentence(str(fault))})

    async def _start_plain(self, told: str) -> Plain:
        async with self._connecting() as client:
            tables = (await client.status()).tables
        settings, faults = usable_settings(self._home)
        open_logs = {table.log for table in tables}
        bad: list[str] = []
        saves = await beside(saves_here, self._home, open_logs, bad.append)
        return {
            "is": "start",
            "said": " ".join(filter(None, [told, *faults, *bad])),
            "name": settings.name,
            "login": login_name(),
            "character": settings.character,
            "games": [[key, name] for key, name in GAME_NAMES.items()],
            "tables": [[table.name, open_line(table)] for table in tables],
            "saves": [[log, line, ours] for log, line, ours in saves],
            "peers": [[peer.name, peer.address or ""] for peer in load_peers(self._home)],
            "characters": [[key, f"{name}, {level}"] for key, name, level in character_rows()],
            "requests": {kind: to_plain(Open, request) for kind, request in BLANK.items()},
        }

    async def name(self, said: Plain) -> None:
        await beside(SettingsPage(self._home).change, "name", _text(said, "text")[:TYPED])
        await self._show_start()

    async def line(self, said: Plain) -> None:
        """A word that looks, or a game that the computer plays."""
        plan = await look(self._home, self._out.put, _text(said, "text")[:TYPED])
        if plan is not None:
            await self._sit(plan)

    async def guide(self, said: Plain) -> None:
        address = _text(said, "address")[:TYPED] or guide_address(_text(said, "words")[:TYPED])
        self._out.put(await beside(page_shown, address, self._table.view if self._table else None))

    async def nearby(self, said: Plain) -> None:  # noqa: ARG002
        self._out.put({"is": "nearby", "people": await listeners_nearby(self._home)})

    async def options(self, said: Plain) -> None:
        name = _text(said, "page")
        self._out.put({"is": "options", "page": name, **options_plain(name, option_page(self._home, name))})

    async def change(self, said: Plain) -> None:
        await self._changed(said, lambda page, key: page.change(key, _text(said, "value")[:TYPED]))

    async def reset(self, said: Plain) -> None:
        await self._changed(said, lambda page, key: page.reset(key))

    async def _changed(self, said: Plain, change: Callable[[OptionPage, str], None]) -> None:
        page, key = option_page(self._home, _text(said, "page")), _text(said, "key")
        try:
            if has_row(page, key):
                change(page, key)
        finally:
            await self.options(said)
            await self.game({"key": _text(said, "page").removeprefix("rules/")})

    async def game(self, said: Plain) -> None:
        key = _text(said, "key")
        if key in GAME_NAMES:
            self._out.put({"is": "game", **_game_plain(await beside(game_facts, self._home, key))})

    async def cancel(self, said: Plain) -> None:  # noqa: ARG002
        if self._sitting is not None and self._table is None:
            self._sitting.cancel()

    async def open(self, said: Plain) -> None:
        request = _checked(from_plain(Open, said.get("request")), self._home)
        await self._sit(request)

    async def attach(self, said: Plain) -> None:
        name, own = _text(said, "table"), said.get("own") is True
        if not (name or own or await self._is_any_open()):
            raise NotTaken(TABLE_GONE)
        await self._sit(OpenResume() if own else name)

    async def _is_any_open(self) -> bool:
        if self._sitting is not None:
            return True
        async with self._connecting() as client:
            while (status := await client.status()).restoring:  # which is answered after a while
                pass
        return bool(status.tables)

    async def _sit(self, wanted: Open | str | SessionPlan) -> None:
        """At a table that is opened first, of this name, or where the computer plays; until it is left or closed."""
        if self._sitting is not None:
            return
        told = ""
        self._sitting = trio.CancelScope()
        with self._sitting:
            try:
                if isinstance(wanted, SessionPlan):
                    await self._watch(wanted)
                else:
                    async with self._connecting() as client:
                        told = await self._at_table(client, wanted)
            finally:
                self._table = self._sitting = None
        await self._show_start(told)

    async def _watch(self, plan: SessionPlan) -> None:
        name = clean_name(usable_settings(self._home).settings.name or login_name())
        apart = TableApart(Autoplay(plan, None, name, SystemRandom()))

        async def sleep(seconds: float) -> None:
            """At least as long as a slow page takes."""
            await trio.sleep(seconds)
            await self._out.sent()

        async with self._thinking() as decide, trio.open_nursery() as nursery:
            nursery.start_soon(apart.play, decide, lambda: _tempo(usable_settings(self._home)[0]).pace, sleep)
            self._out.put({"is": "keys", "keys": KEY_LINES})
            self._table = AtTable(apart, self._home, self._out.put)
            await self._table.run()
            nursery.cancel_scope.cancel()

    async def _at_table(self, client: Client, wanted: Open | str) -> str:
        """What is said at the end of it."""
        name, waits = wanted, None
        if not isinstance(wanted, str):
            opened = await client.open(wanted, lambda text: self._out.put({"is": "opening", "text": text}))
            name, waits = opened.table, _waits(opened)
        tempo = _tempo(usable_settings(self._home)[0])
        table = await client.attach(str(name), tempo.pace)
        if waits:
            self._out.put(waits)
        self._out.put({"is": "keys", "keys": KEY_LINES})
        self._table = AtTable(table, self._home, self._out.put)
        return await self._table.run()


def _game_plain(facts: GameFacts) -> Plain:
    return {
        "key": facts.key,
        "name": facts.name,
        "brief": facts.brief,
        "presets": [list(one) for one in facts.presets],
        "opponents": facts.opponents,
        "question": facts.question,
        "answers": [list(one) for one in facts.answers],
    }


def _waits(opened: TableOpened) -> Plain | None:
    if opened.port is None:
        return None
    addresses = [(format_address(host, opened.port), kind) for host, kind in own_addresses()]
    shown = [address for address, kind in addresses if kind != "loopback"] or [address for address, _ in addresses]
    return {"is": "waits", "table": opened.table, "port": opened.port, "code": opened.code, "addresses": shown}


def _checked(request: Open, home: Home) -> Open:
    """With addresses, ports and codes as the daemon wants them. Raises BadAddress and BadCode."""
    if isinstance(request, OpenHost | OpenListen) and request.port is None:
        return replace(request, port=usable_settings(home).settings.port or DEFAULT_PORT)
    if isinstance(request, OpenConnect):
        return replace(request, hosts=tuple([_host(one, home) for one in request.hosts]))
    return replace(request, host=_host(request.host, home)) if isinstance(request, OpenJoin) else request


def _host(host: Host, home: Home) -> Host:
    """A link has its code with it."""
    given = host.code.strip() or text_of_link(host.address)[1]
    code = str(read_code(given)) if given else ""
    return replace(host, address=canonical(address_of(load_peers(home), host.address.strip())), code=code)


def _text(said: Plain, key: str) -> str:
    found = said.get(key)
    return found if isinstance(found, str) else ""


def _places(said: Plain, cards: int) -> list[int]:
    """Places of the hand, each once."""
    found = said.get("places")
    numbers = [one for one in found if type(one) is int and 0 <= one < cards] if isinstance(found, list) else []
    return sorted(set(numbers))


MOVING = 0.25
"""Seconds that a card is on its way where the settings do not tell: long enough to be followed, short enough not to be
waited for."""


def _tempo(settings: Settings) -> Tempo:
    tempo = tempo_of(settings)
    return replace(tempo, moving=(tempo.moving or MOVING) if tempo.pace else 0.0)


# --- at a table -------------------------------------------------------------------------------------------------------


class AtTable:
    """One table, as `at_table.Front` has it, until it is left or closed."""

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
        """What is said when it has ended."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            nursery.start_soon(self._talk.run)
            nursery.start_soon(self._count_down)
            await self._ended.wait()
            for answered, answer in self._asked.values():
                answer.append(None)
                answered.set()
            nursery.cancel_scope.cancel()
        return " ".join(filter(None, [self._last if self._result == "closed" else "", self._result_words()]))

    def _result_words(self) -> str:
        return last_words(self._result, self._seen.view)

    def _read_settings(self) -> None:
        self._settings, faults = usable_settings(self._home)
        manner = manner_of(self._home, self._settings, terminal=True, rings=True, changeable=not faults)
        # Sound and speech are the browser's own there: what the settings name runs on the machine of the daemon.
        self._manner: Manner = replace(manner, speech="", playlist=Playlist())

    @property
    def view(self) -> TableView:
        return self._seen.view

    # --- as at_table.Front ---

    @property
    def tempo(self) -> Tempo:
        return _tempo(self._settings)

    def showing(self) -> Showing:
        seen = self._seen
        return Showing(seen.view, STYLE, seen.arrangement, seen.elapsed, lines=0, plain=True, home=self._home)

    def take(self, seen: Seen) -> None:
        self._seen.see_view(seen.view, seen.came)

    def recall(self, recap: Sequence[str]) -> None:
        for line in recap:
            self._tell(line, "log")

    def stand(self, before: TableView, first: bool) -> None:
        """All that is shown goes with the next picture."""

    def paint(self) -> None:
        view, arrangement = self._seen.view, self._seen.arrangement
        self._put(
            {
                **table_shown(view, arrangement, self._seen.elapsed),
                "held": self._seen.held,
                "moving": round(1000 * self.tempo.moving),
                "pace": round(1000 * self.tempo.pace),
                "look": self._look,
                "on": sorted(self._on()),
            }
        )

    def hear(self, heard: Heard) -> None:
        happening, earlier = heard.happened.happening, heard.happened.earlier
        self._last = heard.text
        if isinstance(happening, Said | Gestured):
            self._put({**_told(heard.text, "chat", earlier), **self._at_seat(happening)})
        else:
            self._tell(heard.text, "log", earlier)
        for line in heard.said:
            self._tell(line, "chat", earlier)
        if isinstance(happening, Hinted) and not earlier:
            self._put({"is": "told", "text": heard.text, "ink": "answer", "earlier": False, "next": "do"})
        if heard.looked and not earlier:
            self._read("", (heard.text, "", *heard.looked), "playing#advice")

    def ring(self) -> None:
        self._put({"is": "ring"})

    def told(self, text: str, wrong: bool = False) -> None:
        self._tell(text, "wrong" if wrong else "answer")

    def told_aside(self, text: str) -> None:
        self._tell(text, "log")

    def thinks(self) -> None:
        self._put({"is": "thinks"})

    def read(self, word: str, lines: Sequence[str]) -> None:
        self._read(title_of(word), lines, f"words#{word}")

    def read_records(self, lines: Sequence[str]) -> None:
        self._put({"is": "records", "title": "Records", "lines": list(lines), "about": "records"})

    def arranged(self) -> None:
        self.told(said_of(self._seen.arrangement))
        self.paint()

    async def answer(self, word: Local) -> bool:
        """Raises NotUnderstood and NotTaken."""
        if word.name in ("stagger", "tint"):
            self._look[word.name] = switched(word.name, word.arguments, self._look[word.name])
            self.paint()
        elif word.name == "beside":
            self._put({"is": "beside"})
        elif word.name == "config" and not word.arguments:
            self._show_options("settings")
        elif word.name == "config":
            self._read("Options", option_lines(self._manner.options, word.arguments), "settings")
            self._sit_as_set()
        elif word.name == "options" and not word.arguments and can_change_rules(self._seen.view):
            self._show_options("rules")
        elif address := address_asked(word.name, word.arguments, self._seen.view):
            self._put(await beside(page_shown, address, self._seen.view))
        else:
            return False
        return True

    async def ask(self, question: str, answers: Callable[[], Sequence[str]], about: str) -> str | None:
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
        self._put({"is": "ended", "result": result, "text": self._result_words()})
        self._ended.set()

    # --- what the page says ---

    async def line(self, said: Plain) -> None:
        text = _text(said, "text")
        if len(text) <= TYPED and not (said.get("shown") is True and self._talk.pressed()):
            await self._talk.say(text)

    async def cards(self, said: Plain) -> None:
        """Cards are laid down: what is meant is said, or chosen first."""
        view, hand = self._seen.view, shown_hand(self._seen.view, self._seen.arrangement)
        places = _places(said, len(hand))
        if not places or not view.legal or self._talk.pressed():
            return
        chosen = [int(hand[place]) for place in places]
        meant = meant_by(view, actions(view), chosen, marked=len(places) > 1)
        if meant.several:
            self._choose("Which one?", offers(view, chosen))
        elif not meant.more:
            await self._talk.say(meant.line)

    async def marks(self, said: Plain) -> None:
        view, hand = self._seen.view, shown_hand(self._seen.view, self._seen.arrangement)
        places = _places(said, len(hand))
        found = offers(view, [int(hand[place]) for place in places]) if places else []
        prompt = to_do(view, actions(view), STYLE, self._seen.elapsed, len(places))  # the buttons say how to go on
        self._put({"is": "offers", "places": places, "offers": found, "prompt": prompt})

    async def pressed(self, said: Plain) -> None:  # noqa: ARG002
        self._talk.pressed()

    async def look_on(self, said: Plain) -> None:  # noqa: ARG002
        self._talk.go_on()

    async def take_answer(self, said: Plain) -> None:
        number, text = said.get("number"), said.get("text")
        if type(number) is int and number in self._asked and (text is None or isinstance(text, str)):
            answered, answer = self._asked[number]
            answer.append(text[:TYPED] if text else text)
            answered.set()

    async def menus(self, said: Plain) -> None:  # noqa: ARG002
        self._put({"is": "menus", "menus": menus_shown(self._seen.view, self._on(), switches(self._manner.options))})

    async def follow(self, said: Plain) -> None:
        line = _text(said, "line")[:TYPED]
        words = line.split()
        if not words or (words[0] not in WORDS and line not in (SKILLS, "game")):
            return
        found = followers(line, self._seen.view)
        if len(found) == 1 and not found[0][0].endswith(" "):
            await self._talk.say(found[0][0])
        else:
            self._choose("Which one?", [list(one) for one in found] or [[f"{line.strip()} ", line]])

    async def complete(self, said: Plain) -> None:
        text = _text(said, "text")[:TYPED]
        self._put({"is": "fits", "text": text, "lines": [list(one) for one in fitting(text, self._seen.view)]})

    async def options(self, said: Plain) -> None:
        self._show_options(_text(said, "page"))

    async def change(self, said: Plain) -> None:
        await self._changed(said, lambda page, key: page.change(key, _text(said, "value")[:TYPED]))

    async def reset(self, said: Plain) -> None:
        await self._changed(said, lambda page, key: page.reset(key))

    # --- private ---

    async def _changed(self, said: Plain, change: Callable[[OptionPage, str], None]) -> None:
        name = _text(said, "page")
        page, key = self._page_of(name), _text(said, "key")
        try:
            if page is not None and has_row(page, key):
                change(page, key)
        except (NotTaken, StoreError) as fault:
            self.told(str(fault), wrong=True)
        self._sit_as_set()
        self._show_options(name)

    def _page_of(self, name: str) -> OptionPage | None:
        if name != "rules":
            return self._manner.options
        if self._rules is None:
            self._rules = TableRulesPage(lambda: self._seen.view, self.say)
        return self._rules

    def _show_options(self, name: str) -> None:
        page = self._page_of(name)
        if page is None:
            self.told("Your settings aren't available here.", wrong=True)
            return
        self._put({"is": "options", "page": name, **options_plain(name, page)})

    def _sit_as_set(self) -> None:
        """As the settings are now."""
        self._read_settings()
        self.paint()

    def _on(self) -> set[str]:
        """The lines of the menus that are on."""
        view, arrangement = self._seen.view, self._seen.arrangement
        on = {
            f"sort {arrangement.order}": not arrangement.by_hand,
            **self._look,
            "open": view.face_up,
            "auto": bool(view.auto),
            "away": view.away,
        }
        return {line for line, is_on in on.items() if is_on}

    def _tell(self, text: str, ink: str, earlier: bool = False) -> None:
        if text:
            self._put(_told(text, ink, earlier))

    def _at_seat(self, spoken: Said | Gestured) -> Plain:
        """The seat of the speaker and the words alone; nothing for a watcher."""
        view = self._seen.view
        named = next((person.seat for person in view.people if person.name == spoken.name), None)
        seat = view.me if spoken.mine else named
        return {} if seat is None or not view.seats else {"seat": seat, "said": spoken.text}

    def _read(self, title: str, lines: Sequence[str], about: str) -> None:
        self._put({"is": "read", "title": title, "lines": list(lines), "about": about})

    def _choose(self, title: str, choices: Sequence[Sequence[str]]) -> None:
        self._put({"is": "choose", "title": title, "choices": [list(one) for one in choices]})

    async def _count_down(self) -> None:
        """What is said of the table changes by the second where something runs out."""
        while True:
            await trio.sleep(1)
            view = self._seen.view
            runs = (view.pause or 0) > 0 or counts_down(view, self._seen.elapsed)
            if self._seen.begun and runs:
                elapsed = self._seen.elapsed
                to_say = to_do(view, actions(view), STYLE, elapsed, clock=False)
                self._put({"is": "prompt", "text": to_say, "clock": clock_shown(view, elapsed)})


def _told(text: str, ink: str, earlier: bool) -> Plain:
    return {"is": "told", "text": text, "ink": ink, "earlier": earlier}


TYPED = 2000
"""Characters of what is typed."""


def has_row(page: OptionPage, key: str) -> bool:
    return any(row.key == key for _, rows in page.groups() for row in rows)


def options_plain(name: str, page: OptionPage) -> Plain:
    """What can be changed, of the settings those that do something in a page. values: those to go through; typed:
    others can be typed."""
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
        if (rows := [row for row in every if name != "settings" or is_set_here(row.key)])
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
