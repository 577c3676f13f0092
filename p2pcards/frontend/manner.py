"""How somebody wants to sit at a table: whom they do not want to hear, what stands beside it, their own card backs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from p2pcards.frontend.option_pages import OptionPage, SettingsPage
from p2pcards.frontend.stage import Tempo
from p2pcards.frontend.words import NotUnderstood
from p2pcards.games.nearest import did_you_mean
from p2pcards.games.wording import join_with_and
from p2pcards.present.width import text_width
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


def parse_beside(arguments: Sequence[str]) -> str:
    """What to show beside the table, one of `BESIDE`, or "" for the next of them. Raises NotUnderstood."""
    wanted = arguments[0].lower() if arguments else ""
    if wanted and wanted not in BESIDE:
        raise NotUnderstood(f"Usage: beside [{'|'.join(BESIDE)}]")
    return wanted


def parse_switch(word: str, arguments: Sequence[str], now: bool) -> bool:
    """The new state of a switch such as `stagger`: on, off, or toggled with no argument. now: its present state. Raises
    NotUnderstood."""
    wanted = arguments[0].lower() if arguments else "off" if now else "on"
    if wanted not in ("on", "off"):
        raise NotUnderstood(f"Usage: {word} [on|off]")
    return wanted == "on"


# --- whom somebody does not want to hear ------------------------------------------------------------------------------


Muted = frozenset[str]


def toggle_muted(muted: Muted, arguments: Sequence[str], view: TableView) -> tuple[Muted, str]:
    """The muted people after ``mute NAME``, which unmutes one who is muted already, and the confirmation. Raises
    NotUnderstood."""
    if not arguments:
        names = join_with_and([clean(name, 24) for name in sorted(muted)])
        return muted, f"Muted: {names}. To unmute: mute NAME" if muted else "No one is muted."
    wanted = " ".join(arguments).lower()
    there = dict.fromkeys(name for name in (*other_names_at_table(view), *sorted(muted)))
    name = next((one for one in there if one.lower() == wanted), None)
    if name is None:
        meant = did_you_mean(wanted, there) or f"At the table: {join_with_and([clean(one, 24) for one in there])}."
        raise NotUnderstood(f"There's no {clean(wanted, 24)!r} at this table. {meant}")
    shown = clean(name, 24)
    if name in muted:
        return muted - {name}, f"{shown} is unmuted."
    return muted | {name}, f"{shown} is muted. To unmute: mute {shown}"


def other_names_at_table(view: TableView) -> list[str]:
    """The names of the other people, and of the characters in seats."""
    people = [person.name for person in view.people if person.link != "you"]
    return [*people, *[seat.name for seat in view.seats if seat.seat != view.me and seat.name not in people]]


def is_heard(happening: Happening, muted: Muted) -> bool:
    """Return whether the happening comes from nobody who is muted."""
    return not (isinstance(happening, Said | Gestured) and not happening.mine and happening.name in muted)


def unmuted_lines(lines: Sequence[str], muted: Muted) -> list[str]:
    """The characters' lines, each with a name before it, but for muted ones. A muted person's character is muted,
    too."""
    return [line for line in lines if muted.isdisjoint(line.partition(": ")[0].split(", playing for "))]


# --- card backs that a player has drawn -------------------------------------------------------------------------------


MOST_ROWS, MOST_COLUMNS = 6, 9
"""Of what is repeated: as much as the largest card has."""


def read_own_back(home: Home, name: str) -> tuple[str, ...]:
    """Read the player's own card back: its rows, all of one width, each character a column wide. Raises StoreError if
    its file is wrong."""
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
        if clean(row) != row or any(text_width(character) != 1 for character in row):
            raise StoreError(
                f"Line {number} of the card back {path} has a character that isn't one column wide.",
                "Use letters, symbols or box-drawing characters.",
            )
    return tuple([row.ljust(columns) for row in rows])


# --- songs of a player's own at the table, and the order in which they are played -------------------------------------


@dataclass(frozen=True, slots=True)
class Playlist:
    """A player's own songs for the table."""

    command: str = ""  # plays one song: the file is its last argument, and it exits when the song ends; "" for no music
    method: str = "off"  # the order of the songs, one of `settings.MUSIC`
    songs: tuple[str, ...] = ()  # files, in order
    of_game: Mapping[str, str] = field(default_factory=dict)  # the song of each game, by its key, for the method "game"

    @property
    def plays(self) -> bool:
        """Return whether any song is to be played."""
        return bool(self.command) and self.method != "off"

    def after(self, last: str | None, game: str, chance: Random) -> str | None:
        """The song after `last`, which is None at the beginning; None for silence. game: its key."""
        if self.method == "game":
            return self.of_game.get(game)
        if not self.songs or (self.method == "single" and last is not None):
            return None
        if self.method == "random":
            return chance.choice([song for song in self.songs if song != last] or self.songs)
        return last if self.method == "repeat" and last in self.songs else _next_in_order(self.songs, last)

    def song_after_skipping(self, skipped: str | None, game: str, chance: Random) -> str | None:
        """The song played when the player skips one: another if there is one, also where each game has its song."""
        if self.method == "random":
            return self.after(skipped, game, chance)
        others = self.of_game.values() if self.method == "game" else ()
        return _next_in_order([*self.songs, *others], skipped)


def _next_in_order(songs: Sequence[str], last: str | None) -> str | None:
    """The next song in order. A song that is listed twice counts where it comes first, or the songs after it would
    never be reached."""
    listed = list(dict.fromkeys(songs))
    if not listed:
        return None
    return listed[(listed.index(last) + 1) % len(listed)] if last in listed else listed[0]


# --- how somebody wants to sit at a table -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Manner:
    """The settings by which a person sits at a table. Most fields are named as in the settings."""

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


def read_manner(home: Home, settings: Settings, *, terminal: bool, rings: bool, changeable: bool) -> Manner:
    """Read a person's manner from their settings. terminal: they sit at one; rings: there is a bell; changeable: the
    settings file has no fault."""
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


def read_tempo(settings: Settings) -> Tempo:
    """For how long the person wants to see each step, where cards are drawn."""
    pace = PACES[settings.speed]
    stays = {"speed": pace, "short": 1.0, "long": 4.0, "key": None}[settings.trick_stays]
    return Tempo(pace, stays, ANIMATIONS[settings.animation])
