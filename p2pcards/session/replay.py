"""The replay of a hand with the dealer's eyes, once its pack has been opened."""

from __future__ import annotations

from typing import Any

from p2pcards.cards.eyes import TRUTH, redact
from p2pcards.cards.pack import shuffle
from p2pcards.games.game import IllegalAction
from p2pcards.session.fair import commitment, derived_salt, hand_secret
from p2pcards.session.position import Position, Step
from p2pcards.wire.actions import decode_action
from p2pcards.wire.entries import OpeningEntry
from p2pcards.wire.refused import Refused

GOOD, WRONG_VALUE, WRONG_OPENING, ILLEGAL_ACTION, WRONG_EVENT = range(5)


class _Finding(Exception):
    def __init__(self, verdict: int) -> None:
        super().__init__(verdict)
        self.verdict = verdict


def check_hand(position: Position, entry: OpeningEntry) -> int:
    """The verdict (a place in VERDICTS) on the hand whose steps the position holds. The value of the entry is known
    to fit the coordinator's chain."""
    game = position.game
    pack = game.pack(position.state.options)
    secret = hand_secret(position.first_head, entry.hand, entry.value, dict(position.parts))
    shuffled, draw = shuffle(pack, secret, "pack"), shuffle(pack, secret, "draw")
    state = redact(position.hand_start, TRUTH)
    try:
        actions = _opened_actions(position, entry)
        for step in position.steps:
            event = _true_event(position, state, step, actions.get(step.record), (shuffled, draw))
            if redact(event, position.eyes) != step.shown:
                return WRONG_EVENT
            state = game.play(state, event)
    except _Finding as finding:
        return finding.verdict
    except (ValueError, LookupError):
        return WRONG_EVENT
    return GOOD


def _opened_actions(position: Position, entry: OpeningEntry) -> dict[int, Any]:
    """The private actions of the hand by record."""
    commits = [step for step in position.steps if step.commitment]
    if [step.record for step in commits] != [opened.record for opened in entry.openings]:
        raise _Finding(WRONG_OPENING)
    actions = {}
    for step, opened in zip(commits, entry.openings, strict=True):
        assert step.seat is not None
        salt = opened.salt or derived_salt(entry.value, step.seat, step.base)
        if commitment(salt, opened.action, opened.fields) != step.commitment:
            raise _Finding(WRONG_OPENING)
        try:
            actions[step.record] = decode_action(position.game, opened.action, opened.fields)
        except Refused as error:
            raise _Finding(WRONG_OPENING) from error
    return actions


def _true_event(position: Position, state: Any, step: Step, opened: Any, packs: tuple[Any, Any]) -> Any:
    game = position.game
    if step.seat is None:
        return game.deal(state, *packs) if state.stage == 0 else game.show(state)
    action = opened if step.commitment else step.action
    try:
        game.verify(state, step.seat, action)
    except IllegalAction as error:
        raise _Finding(ILLEGAL_ACTION) from error
    return game.decide(state, step.seat, action)
