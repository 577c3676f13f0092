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
    """Who sits down at this end. name: the one that others see; character: who stands for them, and plays while they
    are away; auto: the level at which the computer plays their seat all the time, None if it does not."""

    name: str = ""
    character: str = ""
    auto: str | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """The game of a table. game: "" where it is chosen at the table; changes: options and their values, as typed."""

    game: str = ""
    preset: str = ""
    changes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Seconds. grace: how long a seat is kept for somebody who is cut off; turn_clock: how long a turn may take, 0 for
    as long as they like; between_hands: how long people look at a hand that is over, 0: not at all,
    None: as the settings say."""

    grace: int | None = None
    turn_clock: int | None = None
    between_hands: int | None = 0


@dataclass(frozen=True, slots=True)
class Admission:
    """Whom a table that waits lets in, besides people we know. require_code: only those who have the code; known_only:
    nobody."""

    require_code: bool = False
    known_only: bool = False


@dataclass(frozen=True, slots=True)
class Host:
    """Somebody to call. address: as a person writes it; partner: they sit opposite the coordinator; code: the one that
    is shown there, for a first meeting."""

    address: str
    partner: bool = False
    code: str = ""


@dataclass(frozen=True, slots=True)
class Serial:
    """A serial line: a modem, or a null-modem cable. speed: bits a second between this machine and the modem; flow:
    "rtscts", "xonxoff" or "none"; init: modem commands, after those of the settings; pulse: dial by pulses; emergency:
    the person has said twice that an emergency number is to be dialled; rate: bits a second of the line, 0 for what the
    modem says; rings: before a call is answered, 0 for the settings'; prefix: what is dialled before numbers, None for
    the settings'."""

    cable: bool = False
    device: str = ""
    speed: int = 0
    flow: str = ""
    init: tuple[str, ...] = ()
    pulse: bool | None = None
    emergency: bool = False
    rate: int = 0
    rings: int = 0
    prefix: str | None = None


# --- requests ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Greet:
    """The first request; answered by `Welcome`. version: of the program that the front end is part of."""

    version: str


@dataclass(frozen=True, slots=True)
class OpenPlay:
    """A game alone, which starts at once. seed: of everything random. opponents: the computer characters from the
    second seat on, each with :LEVEL or without. deal: the number of the deal."""

    rules: Rules
    persona: Persona = Persona()
    limits: TimeLimits = TimeLimits()
    seed: int | None = None
    opponents: tuple[str, ...] = ()
    deal: int | None = None


@dataclass(frozen=True, slots=True)
class OpenConnect:
    """A table of ours to which `hosts` are called; answered when each has sat down or failed. via: the command that
    carries the connections; serial: the line for addresses that are telephone numbers."""

    hosts: tuple[Host, ...]
    rules: Rules = Rules()
    persona: Persona = Persona()
    limits: TimeLimits = TimeLimits()
    via: str = ""
    serial: Serial = Serial()


@dataclass(frozen=True, slots=True)
class OpenListen:
    """Wait on a port for a coordinator; unfinished games of ours go on there. lan: answer probes on the local
    network. bind: the one address of this machine to wait at, "" for all. web: browsers find a page at that port, and
    calls over WebSockets are taken there. reach: wait at meeting points too; None: as the settings say. token: of the
    link to a table that waited before, hex; "" for a new one. onion: wait in Tor's network too."""

    port: int | None = None
    persona: Persona = Persona()
    admission: Admission = Admission()
    lan: bool = False
    bind: str = ""
    web: bool = False
    reach: bool | None = None
    token: str = ""
    onion: bool = False


@dataclass(frozen=True, slots=True)
class OpenLine:
    """The same at a modem or a cable."""

    serial: Serial
    persona: Persona = Persona()
    admission: Admission = Admission()


@dataclass(frozen=True, slots=True)
class OpenHost:
    """A table of ours that waits on a port for listeners; serial: at a modem, in place of a port; bind, web, reach,
    token, onion: as in `OpenListen`."""

    port: int | None = None
    rules: Rules = Rules()
    persona: Persona = Persona()
    limits: TimeLimits = TimeLimits()
    admission: Admission = Admission()
    serial: Serial | None = None
    bind: str = ""
    web: bool = False
    reach: bool | None = None
    token: str = ""
    onion: bool = False


@dataclass(frozen=True, slots=True)
class OpenJoin:
    """A seat at the table of somebody who hosts; answered when we sit there. via, serial: as in `OpenConnect`."""

    host: Host
    persona: Persona = Persona()
    via: str = ""
    serial: Serial = Serial()


@dataclass(frozen=True, slots=True)
class OpenResume:
    """The unfinished game of the log that is named so, "" the newest, which we coordinate. via, serial: as in
    `OpenConnect`; a device counts before the one at which the game was hosted. hand: in place of it a new game that
    begins with this hand of that game, which we play or played alone; 0: none."""

    log: str = ""
    persona: Persona = Persona()
    via: str = ""
    serial: Serial = Serial()
    hand: int = 0


Open = OpenPlay | OpenConnect | OpenListen | OpenLine | OpenHost | OpenJoin | OpenResume
"""Open a table; answered by `TableOpened`."""


@dataclass(frozen=True, slots=True)
class Status:
    """Asks for the open tables; answered by `DaemonStatus`."""


@dataclass(frozen=True, slots=True)
class Attach:
    """See and command a table from now on; answered by `Attached`. table: "" is the only or the latest one. pace:
    seconds that computer players take for an action while this front end looks on."""

    table: str = ""
    pace: float = 0.0


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
    """Let every front end go from a table; the seat stays. Answered by `Done`. table: as in `Attach`."""

    table: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """Compare words with everybody who has a line to a table; answered by `Compared`. table: as in `Attach`."""

    table: str = ""


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave a table for good; answered by `Done`. table: as in `Attach`."""

    table: str = ""


@dataclass(frozen=True, slots=True)
class Stop:
    """End the daemon; answered by `Done` when the tables are closed. Their logs stay and can be resumed."""


# --- answers ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Welcome:
    """version: what `build.own_build` tells; before there were builds it was the version alone."""

    version: str
    pid: int


@dataclass(frozen=True, slots=True)
class TableOpened:
    """port: what the table listens on, None when it does not. new: False when the table was there already. code: for a
    first meeting there, "" when there is none. device: at which it waits for calls, "" when it does not. link: for
    a friend, "" where it has none. anywhere: it waits at meeting points, too.
    """

    table: str
    port: int | None = None
    new: bool = True
    code: str = ""
    device: str = ""
    link: str = ""
    anywhere: bool = False


@dataclass(frozen=True, slots=True)
class Someone:
    """Somebody at a table. link, line: as in `PersonView`."""

    name: str
    character: str
    link: str
    where: str
    line: str = ""


@dataclass(frozen=True, slots=True)
class TableStatus:
    """role, phase, waiting: as in `TableView`, but that the phase is "paused" where no person is here to play. unread:
    happenings that no front end has been shown. paused: why the table stands still, a sentence, or "". log: the name of
    the file that keeps the game. code, link, anywhere: as in `TableOpened`. device: the serial device that it waits
    at, or "".
    """

    name: str
    role: str
    phase: str
    game: str
    waiting: str
    people: tuple[Someone, ...]
    port: int | None
    front_ends: int
    unread: int
    paused: str = ""
    log: str = ""
    code: str = ""
    device: str = ""
    link: str = ""
    anywhere: bool = False


@dataclass(frozen=True, slots=True)
class DaemonStatus:
    """restoring: the tables of the daemon before this one are about to be opened again."""

    version: str
    pid: int
    tables: tuple[TableStatus, ...]
    restoring: bool = False


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
    """It is done. text: a sentence about it, or ""."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class NotDone:
    """It is not done; sentence: why and what to try. code: one of `exits`."""

    sentence: str
    code: int = UNEXPECTED


# --- news between answers ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Underway:
    """How far a request that takes its time has come, before its answer; text: a sentence."""

    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    view: TableView


@dataclass(frozen=True, slots=True)
class Happened:
    """earlier: a front end has been shown it before."""

    happening: Happening
    earlier: bool = False


@dataclass(frozen=True, slots=True)
class Gone:
    """The table is closed, or this front end is no longer attached; why: a sentence."""

    why: str


Request = Greet | Open | Status | Attach | Say | Detach | Release | Words | Leave | Stop
Answer = Welcome | TableOpened | DaemonStatus | Attached | Compared | Done | NotDone
News = Shown | Happened | Gone | Underway
Message = Request | Answer | News
