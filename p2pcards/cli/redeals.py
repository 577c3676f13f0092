"""Who asked for other cards, and how often: counted from the logs of this home."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass

from p2pcards.ledger.payloads import RECORD, read_beginning
from p2pcards.store.errors import StoreError
from p2pcards.store.home import Home
from p2pcards.store.logfile import read_log
from p2pcards.store.logs import list_logs
from p2pcards.wire.entries import RedealEntry
from p2pcards.wire.record import read_record
from p2pcards.wire.refused import Refused


@dataclass(frozen=True, slots=True)
class Redeals:
    """By the key of a player: the games in the logs, and the hands that were dealt again as they asked."""

    games: Counter[bytes]
    asked: Counter[bytes]


def count_redeals(home: Home) -> Redeals:
    """A log that is damaged or false counts for nobody. What the players signed is not checked: `verify` does that."""
    counted = Redeals(Counter(), Counter())
    for log in list_logs(home):
        with suppress(StoreError, Refused):
            payloads = [payload for _, payload in read_log(log.path).records]
            if len(payloads) < 2:
                continue
            keys = [side.key for side in read_beginning(payloads).header.sides]
            entries = [read_record(payload[1:])[1][0] for payload in payloads if payload[:1] == RECORD]
            askers = [entry.side for entry in entries if isinstance(entry, RedealEntry)]
            counted.games.update(keys)
            counted.asked.update([keys[side] for side in askers if side < len(keys)])
    return counted
