"""A game that was played, step by step: what happened as sentences, and the table after it as lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from p2pcards.cards.card import spelled
from p2pcards.ledger.verify import Moment
from p2pcards.present.cards import Style
from p2pcards.present.story import story
from p2pcards.present.table import NAME, known_hand, table_lines
from p2pcards.views.cast import Cast
from p2pcards.views.happenings import Acted, Happening
from p2pcards.views.table_view import Standpoint, seat_name, table_view
from p2pcards.views.tableview import TableView
from p2pcards.views.telling import tell
from p2pcards.wire.clean import clean
from p2pcards.wire.entries import DealEntry

SLOWEST, FASTEST = 8.0, 0.125
"""Seconds between two steps that come by themselves."""

HELP = (
    "next (Enter), back, first, last, a number: that step, hand N, play: goes on by itself, stop, faster, slower, quit"
)


@dataclass(frozen=True, slots=True)
class Page:
    """A step. record: its number from 1; hands: the hands that are seen, where cards were just dealt."""

    record: int
    hand: int
    story: tuple[str, ...]
    table: tuple[str, ...]
    hands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reel:
    """Where a replay stands. pause: seconds until the next step, while it plays by itself."""

    pages: tuple[Page, ...]
    place: int = 0
    playing: bool = False
    pause: float = 1.0
    done: bool = False

    @property
    def page(self) -> Page:
        return self.pages[self.place]

    @property
    def title(self) -> str:
        return f"Step {self.place + 1} of {len(self.pages)}, hand {self.page.hand}, record {self.page.record}"


def pages(moments: Iterable[Moment], cast: Cast, style: Style) -> tuple[Page, ...]:
    """Every record of which there is something to tell."""
    found = []
    for moment in moments:
        seat = moment.after.seat
        me = "" if seat is None else seat_name(moment.after, seat, cast)
        told = [story(happening, me, style) for happening in happenings(moment, cast)]
        if told:
            view = table_view("listener", (), cast, game=Standpoint(moment.after))
            hands = tuple(hands_seen(view, style))
            others = [line for line in hands if not line.startswith("Your hand")]
            dealt = isinstance(moment.entry, DealEntry) and bool(hands)
            table = (*table_lines(view, style), *others)
            found.append(Page(moment.record + 1, moment.hand, tuple(told), table, hands if dealt else ()))
    return tuple(found)


def happenings(moment: Moment, cast: Cast) -> list[Happening]:
    """What a record means to whoever sees it so."""
    told = tell(moment.before, moment.after, moment.entry, cast)
    if not moment.drawn:
        return told
    drawn = spelled(moment.drawn)
    return [
        replace(one, cards=drawn, says=one.says and f"{one.says}: {drawn}") if isinstance(one, Acted) else one
        for one in told
    ]


def hands_seen(view: TableView, style: Style) -> list[str]:
    """The hands of which cards are known, as lines."""
    return [
        line
        for seat in view.seats
        if seat.known
        for line in known_hand(seat, "Your hand" if seat.seat == view.me else clean(seat.name, NAME), view.game, style)
    ]


def obey(reel: Reel, said: str) -> tuple[Reel, str]:
    """The replay after a command, and what to say; nothing where the page says it all."""
    verb, _, rest = said.strip().lower().partition(" ")
    last = len(reel.pages) - 1
    places = {"": reel.place + 1, "next": reel.place + 1, "back": reel.place - 1, "first": 0, "last": last}
    verb = {"n": "next", "b": "back", "h": "hand", "q": "quit", "?": "help"}.get(verb, verb)
    if verb in places:
        return _go(reel, places[verb])
    if verb.isdecimal() and not rest:
        return _go(reel, int(verb) - 1, exact=True)
    if verb == "hand":
        return _go_to_hand(reel, rest)
    if verb in ("play", "stop"):
        return replace(reel, playing=verb == "play"), ""
    if verb in ("faster", "slower"):
        pause = reel.pause / 2 if verb == "faster" else reel.pause * 2
        pause = min(max(pause, FASTEST), SLOWEST)
        return replace(reel, pause=pause), f"A step every {pause:g} s."
    if verb == "quit":
        return replace(reel, done=True), ""
    unknown = "" if verb == "help" else f"There is no {verb!r} here. "
    return reel, f"{unknown}You can say: {HELP}."


def go_on(reel: Reel) -> Reel:
    """The next step by itself; it stops at the end."""
    place = min(reel.place + 1, len(reel.pages) - 1)
    return replace(reel, place=place, playing=reel.playing and place < len(reel.pages) - 1)


def _go(reel: Reel, place: int, exact: bool = False) -> tuple[Reel, str]:
    last = len(reel.pages) - 1
    if exact and not 0 <= place <= last:
        return reel, f"There are steps 1 to {last + 1}."
    if place > last:
        return replace(reel, playing=False), "That was the last step."
    if place < 0:
        return reel, "That was the first step."
    return replace(reel, place=place, playing=False), ""


def _go_to_hand(reel: Reel, word: str) -> tuple[Reel, str]:
    hands = {page.hand: place for place, page in reversed(tuple(enumerate(reel.pages)))}
    if not word.isdecimal() or int(word) not in hands:
        return reel, f"Which hand? There are {', '.join(map(str, sorted(hands)))}."
    return _go(reel, hands[int(word)])
