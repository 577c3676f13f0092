"""How somebody wants to sit at a table: whom they do not want to hear, what stands beside it, their own card backs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from p2pcards.frontend.option_pages import OptionPage, SettingsPage
from p2pcards.frontend.stage import Tempo
from p2pcards.frontend.words import NotUnderstood
from p2pcards.games.nearest import did_you_mean
from p2pcards.present.story import names_text
from p2pcards.present.width import width
from p2pcards.store.files import Home, StoreError, read_whole
from p2pcards.store.settings import ANIMATIONS, PACES, Settings, rung_events
from p2pcards.views.happenings import Gestured, Happening, Said
from p2pcards.views.tableview import TableView
from p2pcards.wire.clean import clean

# --- what stands beside the table on the full screen ------------------------------------------------------------------


BESIDE = {
    "all": "table log and chat",
    "talk": "chat only",
    "rules": "the rules, until someone chats",
    "none": "nothing, until someone chats",
}
"""What may stand there, by the word for it."""

IN_LINES = {
    "beside": "Line mode has no side panel. Everything is printed as it happens.",
    "stagger": "Line mode shows your hand in one row. Type sort ORDER to change its order.",
    "tint": "Line mode colors cards by suit only. Type melds to see your melds.",
}
"""Words of the full screen, and what is said to them where there is none."""


def beside_asked(arguments: Sequence[str]) -> str:
    """One of `BESIDE`, "" for the next. Raises NotUnderstood."""
    wanted = arguments[0].lower() if arguments else ""
    if wanted and wanted not in BESIDE:
        raise NotUnderstood(f"Usage: beside [{'|'.join(BESIDE)}]")
    return wanted


def switched(word: str, arguments: Sequence[str], now: bool) -> bool:
    """What `stagger` and `tint` ask for. now: it is on. Raises NotUnderstood."""
    wanted = arguments[0].lower() if arguments else "off" if now else "on"
    if wanted not in ("on", "off"):
        raise NotUnderstood(f"Usage: {word} [on|off]")
    return wanted == "on"


# --- whom somebody does not want to hear ------------------------------------------------------------------------------


Muted = frozenset[str]


def muted_after(muted: Muted, arguments: Sequence[str], view: TableView) -> tuple[Muted, str]:
    """Who is muted after ``mute NAME``, which takes it back from somebody muted already, and what is said about it.
    Raises NotUnderstood."""
    if not arguments:
        names = names_text(tuple([clean(name, 24) for name in sorted(muted)]))
        return muted, f"Muted: {names}. To unmute: mute NAME" if muted else "No one is muted."
    wanted = " ".join(arguments).lower()
    there = dict.fromkeys(name for name in (*names_here(view), *sorted(muted)))
    name = next((one for one in there if one.lower() == wanted), None)
    if name is None:
        meant = did_you_mean(wanted, there) or f"At the table: {names_text(tuple([clean(one, 24) for one in there]))}."
        raise NotUnderstood(f"There's no {clean(wanted, 24)!r} at this table. {meant}")
    shown = clean(name, 24)
    if name in muted:
        return muted - {name}, f"{shown} is unmuted."
    return muted | {name}, f"{shown} is muted. To unmute: mute {shown}"


def names_here(view: TableView) -> list[str]:
    """The other people, and the characters in the seats."""
    people = [person.name for person in view.people if person.link != "you"]
    return [*people, *[seat.name for seat in view.seats if seat.seat != view.me and seat.name not in people]]


def hears(happening: Happening, muted: Muted) -> bool:
    return not (isinstance(happening, Said | Gestured) and not happening.mine and happening.name in muted)


def heard_lines(lines: Sequence[str], muted: Muted) -> list[str]:
    """What characters say, each line with the name before it. A muted person's character is muted too."""
    return [line for line in lines if muted.isdisjoint(line.partition(": ")[0].split(", playing for "))]


# --- card backs that a player has drawn -------------------------------------------------------------------------------


MOST_ROWS, MOST_COLUMNS = 6, 9
"""Of what is repeated: as much as the largest card has."""


def own_back(home: Home, name: str) -> tuple[str, ...]:
    """The rows of a back, all of one width, each character a column wide. Raises StoreError, which says what is wrong
    with its file."""
    path = home.back(name)
    data = read_whole(path)
    if data is None:
        raise StoreError(f"There's no card back {path}.", "Make a small text file with that name.")
    try:
        rows = [row.rstrip() for row in data.decode().splitlines()]
    except ValueError:
        raise StoreError(f"The card back {path} isn't text.", "Save it as UTF-8.") from None
    while rows and not rows[-1]:
        rows.pop()
    columns = max(map(len, rows), default=0)
    if not (0 < columns <= MOST_COLUMNS and len(rows) <= MOST_ROWS):
        raise StoreError(
            f"The card back {path} must have 1 to {MOST_ROWS} rows of at most {MOST_COLUMNS} characters.",
            "It's repeated to fill the card.",
        )
    for number, row in enumerate(rows, 1):
        if clean(row) != row or any(width(character) != 1 for character in row):
            raise StoreError(
                f"Line {number} of the card back {path} has a character that isn't one column wide.",
                "Use letters, symbols or box-drawing characters.",
            )
    return tuple([row.ljust(columns) for row in rows])


# --- songs of a player's own at the table, and the order in which they are played -------------------------------------


@dataclass(frozen=True, slots=True)
class Playlist:
    """A player's own songs at the table."""

    command: str = ""  # plays one song: the file is its last argument, and it exits when the song ends; "" for no music
    method: str = "off"  # the order of the songs, one of `settings.MUSIC`
    songs: tuple[str, ...] = ()  # files, in order
    of_game: Mapping[str, str] = field(default_factory=dict)  # the song of each game, by its key, for the method "game"

    @property
    def plays(self) -> bool:
        return bool(self.command) and self.method != "off"

    def after(self, last: str | None, game: str, chance: Random) -> str | None:
        """The song that follows; last: None at the beginning. None: no song follows."""
        if self.method == "game":
            return self.of_game.get(game)
        if not self.songs or (self.method == "single" and last is not None):
            return None
        if self.method == "random":
            return chance.choice([song for song in self.songs if song != last] or self.songs)
        return last if self.method == "repeat" and last in self.songs else _next(self.songs, last)

    def instead_of(self, skipped: str | None, game: str, chance: Random) -> str | None:
        """What a player hears who skips a song: another if there is one, also where each game has its song."""
        if self.method == "random":
            return self.after(skipped, game, chance)
        others = self.of_game.values() if self.method == "game" else ()
        return _next([*self.songs, *others], skipped)


def _next(songs: Sequence[str], last: str | None) -> str | None:
    """A song that is listed twice is played where it stands first, or what follows it would never be reached."""
    listed = list(dict.fromkeys(songs))
    if not listed:
        return None
    return listed[(listed.index(last) + 1) % len(listed)] if last in listed else listed[0]


# --- how somebody wants to sit at a table -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Manner:
    """How a person wants to sit at a table. Most fields are named as in the settings."""

    bell: Collection[str] = ()  # the events of `TABLE_EVENTS` at which the bell rings
    rings: bool = False  # the bell rings for a stray click, too
    phrases: bool = False  # show the remarks of the characters
    forced: bool = False  # make the only legal move without asking
    say_go: bool = False  # the same for go only, in cribbage
    show_meld_points: bool = False  # show the melds that the hand could make
    check_meldable: bool = False  # confirm before a card of a meld is played
    asks: bool = False  # a person is at the terminal and can answer questions
    start_reminders: bool = True  # announce the starting player of each hand
    sort: str = ""  # order of a hand; "" for the game's own order
    speech: str = ""  # the command that reads aloud; "" for none
    playlist: Playlist = field(default_factory=Playlist)
    confirm_plays: bool = False  # confirm every action in a game
    show_records: bool = True  # show the players' records when a game ends
    home: Home | None = None  # of the records; None if there are none
    auto_focus: bool = True  # full screen: select the first playable card at my turn
    double_click: bool = False  # full screen: two quick clicks play a card
    error_box: bool = False  # full screen: show refusals in a box
    start_box: bool = False  # full screen: announce the starting player in a box
    status_messages: bool = True  # full screen: show the possible actions in the status line
    pace: float = 0.0  # line mode: seconds to read the action of another player
    options: OptionPage | None = None  # the page that changes all of this; None if the settings have a fault


def manner_of(home: Home, settings: Settings, *, terminal: bool, rings: bool, changeable: bool) -> Manner:
    """terminal: a person sits there; rings: there is a bell; changeable: nothing is wrong with the settings."""
    return Manner(
        bell=rung_events(settings) if rings else (),
        rings=rings and settings.bell,
        phrases=settings.phrases,
        forced=settings.forced,
        say_go=settings.say_go,
        show_meld_points=settings.show_meld_points,
        check_meldable=settings.check_meldable,
        asks=terminal,
        start_reminders=settings.start_reminders,
        sort=settings.sort,
        speech=settings.speech,
        playlist=Playlist(settings.player, settings.music, settings.songs, settings.game_songs),
        confirm_plays=settings.confirm_plays,
        show_records=settings.show_records,
        home=home,
        auto_focus=settings.auto_focus,
        double_click=settings.double_click,
        error_box=settings.error_box,
        start_box=settings.start_box,
        status_messages=settings.status_messages,
        pace=PACES[settings.speed] if terminal else 0.0,
        options=SettingsPage(home) if changeable else None,
    )


def tempo_of(settings: Settings) -> Tempo:
    """How long somebody wants to see each thing where cards are drawn."""
    pace = PACES[settings.speed]
    stays = {"speed": pace, "short": 1.0, "long": 4.0, "key": None}[settings.trick_stays]
    return Tempo(pace, stays, ANIMATIONS[settings.animation])
