"""What a front end asks of the daemon, and what the daemon answers: plain frozen data.

Every request gets one answer. After `Attached` the daemon sends `Shown` and `Happened` as they come, between answers.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.control.exits import UNEXPECTED
from p2pcards.views.commands import Command
from p2pcards.views.happenings import Happening
from p2pcards.views.tableview import TableView


@dataclass(frozen=True, slots=True)
class Greet:
    """The first request; answered by `Welcome`. version: of the program that the front end is part of."""

    version: str


@dataclass(frozen=True, slots=True)
class Host:
    """A listener to invite. address: as a person writes it; partner: she sits opposite the coordinator; code: the one
    that she shows, for a first meeting."""

    address: str
    partner: bool = False
    code: str = ""


@dataclass(frozen=True, slots=True)
class Serial:
    """The serial line of a table: a modem, or a null-modem cable. None, 0 and "" leave a choice to the settings, then
    to the program. speed: bits a second between this machine and the modem; flow: "rtscts", "xonxoff" or "none"; init:
    modem commands, after those of the settings; pulse: dial by pulses; emergency: the person has said twice that an
    emergency number is to be dialled."""

    cable: bool = False
    device: str = ""
    speed: int = 0
    flow: str = ""
    init: tuple[str, ...] = ()
    pulse: bool | None = None
    emergency: bool = False


@dataclass(frozen=True, slots=True)
class Open:
    """Open a table; answered by `TableOpened`. None and "" leave a choice to the settings, then to the program.

    kind: "play" (alone, the game starts at once), "connect" (call `hosts`; answered when each has sat down or failed),
    "listen" (wait on `port`; unfinished games of ours go on there), "host" (wait on `port` as the coordinator), "join"
    (call `hosts`, one, who hosts; answered when we sit there), or "resume" (the unfinished game of the log that is
    named so, "" the newest).
    game, preset, changes: the game and its options, changes as (key, value).
    via: the command that carries the connections. auto: the level that plays my seat. grace, turn_clock: seconds.
    seed: of everything random; for "play" only. lan: answer probes on the local network. require_code: whoever we do
    not know must have the code; known_only: she does not come in at all. serial: where a table listens instead of on a
    port, and the device of calls whose address is a telephone number ("tel:5551234").
    """

    kind: str
    game: str = ""
    preset: str = ""
    changes: tuple[tuple[str, str], ...] = ()
    hosts: tuple[Host, ...] = ()
    via: str = ""
    log: str = ""
    port: int | None = None
    name: str = ""
    character: str = ""
    auto: str | None = None
    grace: int | None = None
    turn_clock: int | None = None
    seed: int | None = None
    lan: bool = False
    require_code: bool = False
    known_only: bool = False
    serial: Serial | None = None


@dataclass(frozen=True, slots=True)
class Status:
    """What is going on; answered by `DaemonStatus`."""


@dataclass(frozen=True, slots=True)
class Attach:
    """See and command a table from now on; answered by `Attached`. table: "" is the only or the latest one."""

    table: str = ""


@dataclass(frozen=True, slots=True)
class Say:
    """A command at the attached table; answered by `Done`."""

    command: Command


@dataclass(frozen=True, slots=True)
class Detach:
    """See the table no longer; the seat stays. Answered by `Done`, after which nothing more of the table comes."""


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


@dataclass(frozen=True, slots=True)
class Welcome:
    version: str
    pid: int


@dataclass(frozen=True, slots=True)
class TableOpened:
    """port: what the table listens on, None when it does not. new: False when the table was there already. code: for a
    first meeting there, "" when there is none."""

    table: str
    port: int | None = None
    new: bool = True
    code: str = ""


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
    """role, phase, waiting: as in `TableView`. unread: happenings that no front end has been shown. paused: why the
    table stands still, a sentence, or "". log: the name of the file that keeps the game. code: as in `TableOpened`.
    device: the serial device that the table waits at, or ""."""

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


@dataclass(frozen=True, slots=True)
class DaemonStatus:
    version: str
    pid: int
    tables: tuple[TableStatus, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """(name, three words) of everybody who answered in time."""

    found: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Attached:
    """`Shown` follows at once, then up to ten `Happened` that were shown before, marked as earlier, then what nobody
    has been shown yet."""

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


@dataclass(frozen=True, slots=True)
class Underway:
    """How far a request has come that takes its time, before its answer; text: a sentence."""

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
    """The table is no more, or this front end is attached no longer; why: a sentence."""

    why: str


Request = Greet | Open | Status | Attach | Say | Detach | Release | Words | Leave | Stop
Answer = Welcome | TableOpened | DaemonStatus | Attached | Compared | Done | NotDone
News = Shown | Happened | Gone | Underway
Message = Request | Answer | News
