"""What the logs of this home say of each player: how often they asked for other cards, broke a game off, or left
somebody out of a shuffle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from p2pcards.ledger.payloads import NOTE, RECORD, BrokenOff, LeftOut, read_beginning, read_note
from p2pcards.store.errors import StoreError
from p2pcards.store.home import Home
from p2pcards.store.logfile import read_log
from p2pcards.store.logs import list_logs
from p2pcards.wire.entries import RedealEntry
from p2pcards.wire.record import read_record
from p2pcards.wire.refused import Refused


@dataclass(frozen=True, slots=True)
class Conduct:
    """By the key of a player: the games in the logs, the hands that were dealt again as they asked, the games that they
    broke off as a coordinator to begin another, and the hands that they shuffled without somebody who was here."""

    games: Counter[bytes] = field(default_factory=Counter)
    redeals: Counter[bytes] = field(default_factory=Counter)
    broken_off: Counter[bytes] = field(default_factory=Counter)
    left_out: Counter[bytes] = field(default_factory=Counter)


def count_conduct(home: Home) -> Conduct:
    """A log that is damaged or false counts for nobody. What the players signed is not checked: `verify` does that."""
    counted = Conduct()
    for log in list_logs(home):
        with suppress(StoreError, Refused):
            payloads = read_log(log.path).payloads
            if len(payloads) >= 2:
                _count(counted, payloads)
    return counted


def _count(counted: Conduct, payloads: Sequence[bytes]) -> None:
    """Raises Refused, nothing counted."""
    keys = [side.key for side in read_beginning(payloads).header.sides]
    entries = [read_record(payload[1:])[1][0] for payload in payloads if payload[:1] == RECORD]
    notes = [read_note(payload) for payload in payloads if payload[:1] == NOTE]
    askers = [entry.side for entry in entries if isinstance(entry, RedealEntry)]
    counted.games.update(keys)
    counted.redeals.update([keys[side] for side in askers if side < len(keys)])
    counted.broken_off[keys[0]] += sum(isinstance(note, BrokenOff) for note in notes)
    counted.left_out[keys[0]] += sum(isinstance(note, LeftOut) for note in notes)
