"""The requests of a front end, and the answers of the daemon: plain frozen data.

Every request gets one answer. After `Attached` the daemon sends `Shown` and `Happened` as they come, between answers.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.control.exits import UNEXPECTED
from p2pcards.views.happenings import Happening
from p2pcards.views.tableview import Command, TableView

# --- what the requests for a table are made of: None, 0 and "" leave a choice to the settings, then to the program ----


@dataclass(frozen=True, slots=True)
class Persona:
    """The player at this end."""

    name: str = ""  # shown to others; "" for the name in the settings, or else the login name
    character: str = ""  # plays while they are away; "" for the settings', or else one chosen by the identity
    auto: str | None = None  # the level at which the computer plays the seat all the time; None if it does not


@dataclass(frozen=True, slots=True)
class Rules:
    """The game of a table."""

    game: str = ""  # its key; "" if it is chosen at the table
    preset: str = ""
    changes: tuple[tuple[str, str], ...] = ()  # rule options and their values, as typed


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Time limits in seconds."""

    grace: int | None = None  # for a player who is cut off, before the character takes over; None for the usual time
    turn_clock: int | None = None  # for a turn; 0 for no limit, None for the usual one
    between_hands: int | None = 0  # to look at a hand that is over; 0 for none, None: as in the settings


@dataclass(frozen=True, slots=True)
class Admission:
    """Callers that a waiting table lets in, besides people we know."""

    require_code: bool = False  # only callers with the code
    known_only: bool = False  # no others at all


@dataclass(frozen=True, slots=True)
class Host:
    """A person to call."""

    address: str  # as a person writes it
    partner: bool = False  # they sit opposite the coordinator
    code: str = ""  # shown at the other end, for a first meeting; "" for none


@dataclass(frozen=True, slots=True)
class Serial:
    """A serial line: a modem, or a null-modem cable. Empty values are those of the settings."""

    cable: bool = False  # a null-modem cable, no modem
    device: str = ""  # the path of the serial port
    speed: int = 0  # bits a second between this machine and the modem; 0 for the settings'
    flow: str = ""  # "rtscts", "xonxoff" or "none"
    init: tuple[str, ...] = ()  # modem commands, after those of the settings
    pulse: bool | None = None  # dial by pulses, not tones; None for the settings'
    emergency: bool = False  # the player has confirmed twice that an emergency number is to be dialed
    rate: int = 0  # bits a second of the line; 0 for the modem's report
    rings: int = 0  # before a call is answered; 0 for the settings'
    prefix: str | None = None  # dialed before numbers; None for the settings'


# --- requests ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Greet:
    """The first request; answered by `Welcome`."""

    version: str  # of the program that the front end is part of


@dataclass(frozen=True, slots=True)
class OpenPlay:
    """A game alone, which starts at once."""

    rules: Rules
    persona: Persona = Persona()
    limits: TimeLimits = TimeLimits()
    seed: int | None = None  # of everything random; None for a random game
    # Computer characters from the second seat on, each with :LEVEL or without; () for those of the settings.
    opponents: tuple[str, ...] = ()
    deal: int | None = None  # the number of the first deal; None for any


@dataclass(frozen=True, slots=True)
class OpenConnect:
    """A table of ours to which `hosts` are called; answered when each has sat down or failed."""

    hosts: tuple[Host, ...]
    rules: Rules = Rules()
    persona: Persona = Persona()
    limits: TimeLimits = TimeLimits()
    via: str = ""  # the command that carries the connections; "" for none
    serial: Serial = Serial()  # the line for addresses that are telephone numbers


@dataclass(frozen=True, slots=True)
class OpenListen:
    """Wait on a port for a coordinator; unfinished games of ours continue there."""

    port: int | None = None  # None for the settings'
    persona: Persona = Persona()
    admission: Admission = Admission()
    lan: bool = False  # answer probes on the local network
    bind: str = ""  # the one address of this machine to wait at; "" for all
    web: bool = False  # serve the page to browsers at that port, and take calls over WebSockets
    reach: bool | None = None  # wait at the brokers, too; None: as in the settings
    token: str = ""  # of the link to a table that waited before, hex; "" for a new one
    onion: bool = False  # wait in Tor's network, too


@dataclass(frozen=True, slots=True)
class OpenLine:
    """The same at a modem or a cable."""

    serial: Serial
    persona: Persona = Persona()
    admission: Admission = Admission()


@dataclass(frozen=True, slots=True)
class OpenHost:
    """A table of ours that waits on a port for listeners."""

    port: int | None = None  # None for the settings'
    rules: Rules = Rules()
    persona: Persona = Persona()
    limits: TimeLimits = TimeLimits()
    admission: Admission = Admission()
    serial: Serial | None = None  # wait at a modem instead of a port

    # As in `OpenListen`.
    bind: str = ""
    web: bool = False
    reach: bool | None = None
    token: str = ""
    onion: bool = False


@dataclass(frozen=True, slots=True)
class OpenJoin:
    """A seat at the table of a host; answered when we have it."""

    host: Host
    persona: Persona = Persona()
    via: str = ""  # as in `OpenConnect`
    serial: Serial = Serial()  # as in `OpenConnect`
    watch: bool = False  # only watch, without a seat


@dataclass(frozen=True, slots=True)
class OpenResume:
    """An unfinished game that we coordinate."""

    log: str = ""  # its name; "" for the newest
    persona: Persona = Persona()
    via: str = ""  # as in `OpenConnect`
    serial: Serial = Serial()  # as in `OpenConnect`; its device replaces the one at which the game was hosted
    hand: int = 0  # begin a new game with this hand of that one, played alone; 0 to continue that game


Open = OpenPlay | OpenConnect | OpenListen | OpenLine | OpenHost | OpenJoin | OpenResume
"""Open a table; answered by `TableOpened`."""


@dataclass(frozen=True, slots=True)
class Status:
    """Asks for the open tables; answered by `DaemonStatus`."""


@dataclass(frozen=True, slots=True)
class Attach:
    """See and command a table from now on; answered by `Attached`."""

    table: str = ""  # "" for the only or the latest one
    pace: float = 0.0  # seconds that computer players take for an action while this front end is attached


@dataclass(frozen=True, slots=True)
class Say:
    """A command at the attached table; answered by `Done`."""

    command: Command


@dataclass(frozen=True, slots=True)
class Detach:
    """Stop seeing the table; the seat stays. What has happened there is still shown, then comes `Done`, and after it
    nothing more of the table."""


@dataclass(frozen=True, slots=True)
class Release:
    """Detach all front ends from a table and keep the seat; answered by `Done`."""

    table: str = ""  # as in `Attach`


@dataclass(frozen=True, slots=True)
class Words:
    """Compare words with everybody who has a link to a table; answered by `Compared`."""

    table: str = ""  # as in `Attach`


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave a table for good; answered by `Done`."""

    table: str = ""  # as in `Attach`


@dataclass(frozen=True, slots=True)
class Stop:
    """End the daemon; answered by `Done` when the tables are closed. Their logs stay and can be resumed."""


# --- answers ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Welcome:
    version: str  # from `build.own_build`; before there were builds, the version alone
    pid: int


@dataclass(frozen=True, slots=True)
class TableOpened:
    table: str  # its name
    port: int | None = None  # None if the table listens on none
    new: bool = True  # False if the table was open already
    code: str = ""  # for a first meeting there; "" for none
    device: str = ""  # the serial device where it waits for calls; "" for none
    link: str = ""  # for friends; "" for none
    anywhere: bool = False  # it waits at the brokers, too


@dataclass(frozen=True, slots=True)
class Someone:
    """A person at a table."""

    name: str
    character: str
    link: str  # as in `PersonView`
    where: str
    line: str = ""  # as in `PersonView`


@dataclass(frozen=True, slots=True)
class TableStatus:
    name: str
    role: str  # as in `TableView`
    phase: str  # as in `TableView`, or "paused" if nobody is here to play
    game: str  # its name
    waiting: str  # as in `TableView`
    people: tuple[Someone, ...]
    port: int | None  # None if the table listens on none
    front_ends: int  # number attached
    unread: int  # number of happenings that no front end has shown
    paused: str = ""  # the reason if the table cannot continue, a sentence, or ""
    log: str = ""  # name of the file that keeps the game
    code: str = ""  # as in `TableOpened`
    device: str = ""  # as in `TableOpened`
    link: str = ""  # as in `TableOpened`
    anywhere: bool = False  # as in `TableOpened`


@dataclass(frozen=True, slots=True)
class DaemonStatus:
    version: str
    pid: int
    tables: tuple[TableStatus, ...]
    restoring: bool = False  # the tables of the previous daemon are about to be reopened


@dataclass(frozen=True, slots=True)
class Compared:
    """(name, three words) of everybody who answered in time."""

    found: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Attached:
    """Up to ten `Happened` that were shown before follow at once, marked as earlier, then what nobody has been shown
    yet, then `Shown`."""

    table: str


@dataclass(frozen=True, slots=True)
class Done:
    """The request is done."""

    text: str = ""  # a sentence about it, or ""


@dataclass(frozen=True, slots=True)
class NotDone:
    """The request failed."""

    sentence: str  # the reason and a remedy
    code: int = UNEXPECTED  # one of `exits`


# --- news between answers ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Underway:
    """Progress of a slow request, before its answer."""

    text: str  # a sentence


@dataclass(frozen=True, slots=True)
class Shown:
    view: TableView


@dataclass(frozen=True, slots=True)
class Happened:
    happening: Happening
    earlier: bool = False  # a front end has shown it before


@dataclass(frozen=True, slots=True)
class Gone:
    """The table is closed, or this front end is no longer attached."""

    why: str  # a sentence


Request = Greet | Open | Status | Attach | Say | Detach | Release | Words | Leave | Stop
Answer = Welcome | TableOpened | DaemonStatus | Attached | Compared | Done | NotDone
News = Shown | Happened | Gone | Underway
Message = Request | Answer | News
