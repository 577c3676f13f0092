"""A table as the person at one end of it sees it: plain frozen data, for front ends and the control socket."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Value = str | int | bool | float | None | tuple["Value", ...]


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened. kind: one of `HAPPENINGS`; values: what it is about, by name, plain values only."""

    kind: str
    values: Mapping[str, Value] = field(default_factory=dict)


HAPPENINGS = {
    "joined": "name, character, where: somebody is at the table",
    "left": "name: somebody left the table for good",
    "lost": "name, why, seconds, character: a link ended; the character plays after so many seconds (None: no seat)",
    "ask_redial": "name, address: her telephone is called again only if the person here says 'redial'",
    "redial": "name, address, seconds: the coordinator calls again after so many seconds",
    "unreachable": "address, why: a call did not succeed",
    "back": "name: a lost person is at the table again",
    "takeover": "name, character, why: the character plays for her from now on",
    "returned": "name, character: she plays for herself again",
    "chat": "name, text, mine: somebody said something (text is already safe to show)",
    "gesture": "name, text, mine: somebody did something, a few words that follow the name",
    "line": "text: how far a call has come, a sentence",
    "chosen": "game, preset: the coordinator chose a game",
    "option": "key, value: the coordinator set a rule option",
    "started": "game, seats: a game begins; seats are the names in order",
    "drawn": "words, name: cards that were turned up to see who deals first, and who does",
    "dealt": "hand, dealer, absent: a hand is dealt; absent: names whose part of the shuffle is missing",
    "acted": "name, words, mine, verb: a player acted; words: the action as this end sees it (QS; draw; pass -- -- --)",
    "shown": "words: cards turned up by the dealer, piece by piece",
    "trick": "name: who took the trick",
    "hand_over": "hand, names, points, totals: a hand was scored, by seat",
    "opened": "hand, proven, why: the pack was opened and replayed",
    "checked": "name, hand, good, why: somebody checked a hand, or claims that it does not fit",
    "game_over": "names, totals, winners, head, unsigned: the game is won; head: the last head of the log, hex; "
    "unsigned: who did not sign the end of the last hand",
    "again": "name, yes: an answer to 'play again?'",
    "hint": "words: what a novice would do in my place",
    "refused": "why: my action was refused",
    "ask_again": "words: my action must be given again, because the table changed meanwhile",
    "ended": "why: the game ended before its end",
    "code": "code, seconds: the code for a first meeting, and how long it lives",
    "burnt": "code, where, seconds: somebody gave a wrong code, so this one is good no more; a new one comes then",
    "words": "name, words: three words to compare by voice with her",
    "notice": "text: anything else, a sentence",
}


@dataclass(frozen=True, slots=True)
class PersonView:
    """Somebody at the table. link: "here", "away" or "you"; seat None: not in a game, or a watcher."""

    name: str
    character: str
    link: str
    where: str
    seat: int | None = None
    partner: bool = False
    coordinates: bool = False
    key: str = ""  # fingerprint
    again: bool | None = None
    line: str = ""  # of a slow line that carries her link, how well it does


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat of the game. plays: "you", "person", "away" (her character plays after `countdown` seconds), "character"
    (it plays for her) or "computer". cards: how many she holds; known: those of them that this end knows, as bytes.
    note: what the game says of her, such as "bid 4, has 2", or ""."""

    seat: int
    name: str
    character: str
    level: str
    plays: str
    score: int
    cards: int
    known: tuple[int, ...] = ()
    dealer: bool = False
    to_act: bool = False
    countdown: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class PileView:
    """Cards on the table in order, the top one last, a hidden one as 0. seat: whose, None for the table's own. spread:
    every card is to be read, such as those of a meld, not only the top one."""

    name: str
    seat: int | None
    cards: tuple[int, ...]
    spread: bool = False


@dataclass(frozen=True, slots=True)
class SheetView:
    """How the last hand was scored, by seat: items (name, points), the change, the totals after it."""

    items: tuple[tuple[tuple[str, int], ...], ...]
    hand: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TableView:
    """phase: "lobby" (no game on), "play", "over" (won; play again?) or "closed". legal: my legal actions, spelled as I
    would type them, empty when it is not my turn."""

    role: str  # "coordinator" or "listener"
    phase: str
    people: tuple[PersonView, ...] = ()
    me: int | None = None  # my seat; None: a watcher, or no game
    game: str | None = None
    game_name: str = ""
    preset: str = ""
    options: tuple[tuple[str, Value], ...] = ()
    seats: tuple[SeatView, ...] = ()
    hand: int = 0
    trick: tuple[tuple[int, int], ...] = ()  # (seat, card)
    last_trick: tuple[tuple[int, int], ...] = ()
    piles: tuple[PileView, ...] = ()
    notes: tuple[str, ...] = ()
    sheet: SheetView | None = None
    winners: tuple[int, ...] = ()
    legal: tuple[str, ...] = ()
    waiting: str = ""  # a few words: whom or what the table waits for
    records: int = 0
    head: str = ""
    turn_seconds: float | None = None  # left on my turn clock
    away: bool = False  # I asked my character to play for me
    code: str = ""  # for a first meeting at this table, while there is one


@dataclass(frozen=True, slots=True)
class Command:
    """What a person says. name and arguments are those of `COMMANDS`."""

    name: str
    arguments: tuple[str, ...] = ()


COMMANDS = {
    "act": "WORDS...: an action as it is spelled (QS, pass QS KS AS, draw, 8D h)",
    "say": "TEXT: chat",
    "quick": "WORD: a phrase or a gesture, one byte on a slow line",
    "hint": "asks the novice what it would do",
    "away": "my character plays for me until 'back'",
    "back": "I play again myself",
    "leave": "leaves the game for good",
    "invite": "HOST [partner] [CODE]: connects to a listener (coordinator)",
    "game": "NAME [PRESET]: chooses a game (coordinator)",
    "set": "KEY VALUE: a rule option, between games (coordinator)",
    "sit": "NAME...: who sits, from the first seat; the others watch; 'all' undoes it (coordinator)",
    "start": "starts the chosen game (coordinator)",
    "again": "[yes|no]: play again; the coordinator asks, everybody answers",
    "reseat": "SEAT HOST: calls an absent player at a new address (coordinator)",
    "redial": "[NAME]: calls somebody whose line was lost, in this game also by itself (coordinator)",
    "kick": "SEAT: her character takes the seat for good; before a game she has to go (coordinator)",
    "code": "the code for a first meeting, a new one if there is none (where the table waits)",
    "words": "[NAME]: three words to compare by voice, with one or with everybody who has a line to this end",
}
