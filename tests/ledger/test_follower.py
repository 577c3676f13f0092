"""The follower on logs that stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2pcards.ledger.follower import LedgerFollower
from p2pcards.store.logs import read_log
from p2pcards.wire.keys import PrivateKey
from p2pcards.wire.records import SALT

LOG = Path(__file__).with_name("version-0.1.0") / "hearts-rosa.log"


def before_a_pass() -> LedgerFollower:
    """Hearts as a listener follows it, at the first cards that this side passes."""
    follower = LedgerFollower.restored(PrivateKey.generate(), [p for _, p in read_log(LOG).records][:2])
    for _, payload in read_log(LOG).records[2:]:
        if follower.owes_move():
            return follower
        follower.receive_record(payload[1:])
    raise AssertionError("nothing to pass")


@pytest.mark.parametrize("size", [0, SALT - 1, SALT + 1])
def test_an_action_is_hidden_behind_a_salt_of_its_size_alone(size: int) -> None:
    follower = before_a_pass()
    state = follower.position.state
    assert follower.position.seat is not None
    action = follower.position.game.legal(state, follower.position.seat)[0]
    with pytest.raises(AssertionError):
        follower.move(action, bytes(size))
    assert follower.pending is None
    follower.move(action, bytes(SALT))
    assert follower.pending is not None
