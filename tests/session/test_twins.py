"""Law 4 of hidden cards, on bytes: exchange two cards that somebody has not seen, play the same actions, and everything
that is sent to it is the same but for salts, commitments, openings and signatures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from p2pcards.cards.card import Card
from p2pcards.cards.eyes import eyes_of_viewer, slots_of
from p2pcards.games.game import Action, IllegalAction
from p2pcards.ledger import advance
from p2pcards.session.effects import Think
from p2pcards.wire.messages import HeaderPart, RecordMessage, Taken
from p2pcards.wire.records import ActionEntry, CommitEntry, Frame, OpeningEntry, read_record, split_frame
from rigs.net import Net, message_of
from rigs.pure import remembered_signatures

signatures = remembered_signatures()

# Long random runs are several times as slow when measured, and the rooms are covered without them.
pytestmark = pytest.mark.no_cover

Order = Callable[[tuple[Card, ...]], tuple[Card, ...]]
packs = advance.shuffled_packs


def stack(monkeypatch: pytest.MonkeyPatch, exchange: Order) -> None:
    """The coordinator deals a pack in which cards are exchanged."""

    def stacked(position: Any) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        pack, draw = packs(position)
        return exchange(pack), draw

    monkeypatch.setattr(advance, "shuffled_packs", stacked)


def seen_by(net: Net, i: int) -> list[object]:
    """What was sent to a machine, signatures and commitments left out, up to the opening of the pack."""
    seen: list[object] = []
    for _, to, data in net.sent:
        message = message_of(data)
        if to != i or isinstance(message, HeaderPart):
            continue
        if isinstance(message, Taken):
            seen.append((message.number, [frame.body for frame in frames_in(message.rest)]))
            continue
        if not isinstance(message, RecordMessage):
            seen.append(message)
            continue
        record, entries = read_record(message.record)
        if isinstance(entries[0], OpeningEntry):
            break
        sizes = [len(bytes(frame)) for frame in record.frames]
        bodies = [
            (entry.base, entry.seat, entry.action) if isinstance(entry, CommitEntry) else entry for entry in entries
        ]
        seen.append((message.number, sizes, bodies, record.faces.body if record.faces else b"", len(record.opening)))
    return seen


def frames_in(data: bytes) -> list[Frame]:
    found: list[Frame] = []
    while data:
        frame, data = split_frame(data)
        found.append(frame)
    return found


def recorded(log: list[tuple[int, Action]], stop: int) -> Callable[[Think], Action]:
    def choose(think: Think) -> Action:
        legal = think.game.legal(think.view, think.seat)
        action = legal[(7 * len(log) + 3 * think.seat) % len(legal)]
        log.append((think.seat, action))
        if len(log) > stop:
            raise StopIteration
        return action

    return choose


def replayed(log: list[tuple[int, Action]]) -> Callable[[Think], Action]:
    """The same actions; IllegalAction where one is not open any more."""
    left = list(log)

    def choose(think: Think) -> Action:
        seat, action = left.pop(0)
        if seat != think.seat or not left:
            raise StopIteration
        think.game.verify(think.view, think.seat, action)
        return action

    return choose


def run(game: str, option: str, player: Callable[[Think], Action]) -> Net:
    net = Net(2, seed=5, player=player)
    try:
        net.sit_down(option, game=game)
        net.run()
    except StopIteration:
        pass
    return net


GAMES = [("crazy_eights", "winning_score=1", 14), ("hearts", "end_score=25", 24)]


@pytest.mark.parametrize("every", [35, pytest.param(7, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("game", "option", "moves"), GAMES)
@pytest.mark.parametrize("viewer_seat", [1, 2])
def test_cards_that_they_have_not_seen_leave_no_trace_in_what_is_sent_to_them(
    monkeypatch: pytest.MonkeyPatch, game: str, option: str, moves: int, viewer_seat: int, every: int
) -> None:
    log: list[tuple[int, Action]] = []
    net = run(game, option, recorded(log, moves))
    view = net.at(viewer_seat)
    known = {slot.card for slot in slots_of(view.state) if slot.card}
    played = {card for _, action in log for card in cards_of(action)}
    pack = next(step.shown for step in net.at(0).steps if len(slots_of(step.shown)) == 52)
    unseen = [
        slot.card
        for slot in slots_of(pack)
        if not slot.eyes & eyes_of_viewer(viewer_seat) and slot.card not in known and slot.card not in played
    ]
    assert len(unseen) > 5
    tried = 0
    for one, other in [(a, b) for k, a in enumerate(unseen) for b in unseen[k + 1 :]][::every]:
        swap = {one: other, other: one}
        with monkeypatch.context() as patch:
            stack(patch, lambda cards, swap=swap: tuple([swap.get(card, card) for card in cards]))  # type: ignore[misc]
            try:
                twin = run(game, option, replayed(log))
            except IllegalAction:
                continue  # with the other card this could not have been played
        if len(twin.at(0).steps) < len(net.at(0).steps) - 1 or twin.at(0).state == net.at(0).state:
            continue  # broken off, or both cards in one hand
        shorter = min(len(seen_by(net, viewer_seat)), len(seen_by(twin, viewer_seat)))
        assert shorter > 15 and seen_by(twin, viewer_seat)[:shorter] == seen_by(net, viewer_seat)[:shorter]
        tried += 1
    assert tried >= 3


def cards_of(action: Action) -> list[Card]:
    cards = [getattr(action, "card", None), *getattr(action, "cards", ())]
    return [card for card in cards if card is not None]


def test_the_comparison_bites(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two cards one of which it holds the trace is found."""
    log: list[tuple[int, Action]] = []
    net = run("crazy_eights", "winning_score=1", recorded(log, 2))
    mine = net.at(1).state.hands[1].cards[0]
    other = net.at(0).state.stock[-1].card
    swap = {mine: other, other: mine}
    stack(monkeypatch, lambda cards: tuple([swap.get(card, card) for card in cards]))
    twin = run("crazy_eights", "winning_score=1", recorded([], 2))
    assert seen_by(twin, 1) != seen_by(net, 1) and seen_by(twin, 2)[:8] == seen_by(net, 2)[:8]
    assert any(isinstance(entry, ActionEntry) for entry in (read_record(one[1:])[1][0] for one in net.log(0)[4:]))
