"""The replay of a hand with the dealer's eyes, once its pack has been opened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from p2pcards.cards.eyes import TRUTH, redact
from p2pcards.cards.pack import shuffle
from p2pcards.games.game import Action, Event, IllegalAction, verify_sent
from p2pcards.ledger.fair import commitment, derived_salt, secret_of
from p2pcards.ledger.position import Position, Step
from p2pcards.wire.actions import decode_action
from p2pcards.wire.entries import OpeningEntry
from p2pcards.wire.reasons import Verdict
from p2pcards.wire.refused import Refused


@dataclass(frozen=True, slots=True)
class TrueStep:
    """An event of an opened hand as it was. before, after: the states with the dealer's eyes; action: None for the
    dealer's events; event: None where two seats exchanged their hands."""

    record: int
    before: Any
    action: Action
    event: Event
    after: Any


@dataclass(frozen=True, slots=True)
class Replay:
    """steps: what could be replayed, all of the hand if the verdict is GOOD. fault: the
    number of the record that is wrong, None where it is the opening itself, or nothing."""

    verdict: Verdict
    steps: tuple[TrueStep, ...] = ()
    fault: int | None = None


class _Finding(Exception):
    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict)
        self.verdict = verdict


def replay_hand(position: Position, entry: OpeningEntry) -> Replay:
    """The hand whose steps the position holds. The value of the entry is known to fit the coordinator's chain."""
    game = position.game
    pack = game.pack(position.state.options)
    secret = secret_of(position.header, position.first_head, entry.hand, entry.value, dict(position.parts))
    packs = shuffle(pack, secret, "pack"), shuffle(pack, secret, "draw")
    state = redact(position.hand_start, TRUTH)
    try:
        actions = _opened_actions(position, entry)
    except _Finding as finding:
        return Replay(finding.verdict)
    steps: list[TrueStep] = []
    for step in position.steps:
        if step.swapped:
            assert game.swap is not None
            after = game.swap(state, *step.swapped)
            steps.append(TrueStep(step.record, state, None, None, after))
            state = after
            continue
        action = actions[step.record] if step.commitment else step.action
        try:
            event = _true_event(position, state, step, action, packs)
            if redact(event, position.eyes) != step.shown:
                return Replay(Verdict.WRONG_EVENT, tuple(steps), step.record)
            after = game.play(state, event)
        except _Finding as finding:
            return Replay(finding.verdict, tuple(steps), step.record)
        except (ValueError, LookupError):
            return Replay(Verdict.WRONG_EVENT, tuple(steps), step.record)
        steps.append(TrueStep(step.record, state, action, event, after))
        state = after
    return Replay(Verdict.GOOD, tuple(steps))


def _opened_actions(position: Position, entry: OpeningEntry) -> dict[int, Any]:
    """The private actions of the hand by record."""
    commits = [step for step in position.steps if step.commitment]
    if [step.record for step in commits] != [opened.record for opened in entry.openings]:
        raise _Finding(Verdict.WRONG_OPENING)
    actions = {}
    for step, opened in zip(commits, entry.openings, strict=True):
        assert step.seat is not None
        salt = opened.salt or derived_salt(entry.value, step.seat, step.base)
        if commitment(salt, opened.action, opened.fields) != step.commitment:
            raise _Finding(Verdict.WRONG_OPENING)
        try:
            actions[step.record] = decode_action(position.game, opened.action, opened.fields)
        except Refused as error:
            raise _Finding(Verdict.WRONG_OPENING) from error
    return actions


def _true_event(position: Position, state: Any, step: Step, action: Action, packs: tuple[Any, Any]) -> Event:
    game = position.game
    if step.seat is None:
        return game.deal(state, *packs) if state.stage == 0 else game.show(state)
    try:
        verify_sent(game, state, step.seat, action)
    except IllegalAction as error:
        raise _Finding(Verdict.ILLEGAL_ACTION) from error
    return game.decide(state, step.seat, action)
