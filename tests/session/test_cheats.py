"""Every way to cheat that protocol/threats.md names: who finds it, when, and what the log says of it.

Side 0 coordinates; sides 1 and 2 listen. What is found at once is refused by the position of a listener; what is found
at the end of a hand is a verdict; both are named by `p2pcards verify`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from p2pcards.cards.card import Card
from p2pcards.cards.eyes import DEALER
from p2pcards.frontend.verdict import (
    Known,
    LogVerdict,
    compare_logs,
    comparison_lines,
    count_broken_off_hands,
    judge_log,
    verdict_lines,
)
from p2pcards.games.crazy_eights import rules as crazy_eights
from p2pcards.games.drawing import Draw
from p2pcards.games.euchre import rules as euchre
from p2pcards.games.game import Stage
from p2pcards.games.hearts import rules as hearts
from p2pcards.games.outcome import Outcome
from p2pcards.games.playing import Play
from p2pcards.ledger import advance
from p2pcards.ledger.fair import chain_value
from p2pcards.ledger.payloads import PENDING, RECORD
from p2pcards.ledger.position import Position, begin
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import LedgerWriter, Logged
from p2pcards.session import owed
from p2pcards.store.logs import MAGIC, encode_record, parse_log
from p2pcards.views.happenings import GameWon, SeatTakenOver, TablePaused
from p2pcards.views.standpoint import tell_entry
from p2pcards.wire.packing import Cause, Refused, encode_action
from p2pcards.wire.reasons import CloseReason, TakeoverReason, Verdict
from p2pcards.wire.records import (
    ENTRY_LABEL,
    HEADER_LABEL,
    ActionEntry,
    CheckEntry,
    CloseEntry,
    CommitEntry,
    DealEntry,
    Entry,
    OpeningEntry,
    OutcomeEntry,
    PauseEntry,
    Record,
    TakeoverEntry,
    decode_faces,
    decode_header,
    encode_entry,
    encode_header,
    read_record,
    sign,
)
from rigs.net import Net
from rigs.people import by_hand
from rigs.pure import remembered_signatures
from rigs.recorded import (
    OPTIONS,
    SIDES,
    Table,
    after_a_hand,
    break_a_rule_unseen,
    cause_of,
    entry_of,
    go_on,
    new_table,
    played,
)

signatures = remembered_signatures()

NOBODY = Known({}, b"")


def verified(payloads: Sequence[bytes], name: str = "log") -> LogVerdict:
    """What `p2pcards verify` finds in a log of these payloads."""
    return judge_log(name, parse_log(MAGIC + b"".join([encode_record(payload) for payload in payloads])), NOBODY)


def said(payloads: Sequence[bytes]) -> str:
    """What `p2pcards verify` says."""
    return "\n".join(verdict_lines(verified(payloads).data))


def compared(one: Sequence[bytes], other: Sequence[bytes]) -> str:
    return "\n".join(comparison_lines(compare_logs(verified(one, "one.log"), verified(other, "other.log"))))


def send(table: Table, logged: Logged, change: Callable[[int, Record], Record]) -> None:
    """A record of the coordinator's, changed for some of the listeners."""
    table.sent[0].append(bytes(logged.record))
    table.payloads[0].append(RECORD + table.sent[0][-1])
    for side, follower in table.follower.items():
        record = bytes(change(side, logged.for_side(side)))
        table.payloads[side].append(RECORD + bytes(follower.receive_record(record).record))


def faces_of(record: Record) -> list[Card]:
    return list(decode_faces(record.faces.body)) if record.faces else []


# --- the pack ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OPTIONS)
def test_a_stacked_pack_is_found_by_everybody_at_the_end_of_the_hand(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, true_packs = new_table(name), advance.shuffled_packs

    def stacked(position: Position) -> Any:
        pack, draw = true_packs(position)
        return (pack[::-1], draw) if position.eyes & DEALER else (pack, draw)

    with monkeypatch.context() as patched:
        patched.setattr(advance, "shuffled_packs", stacked)
        table.until(Phase.CHECKS, 1)
        table.check(1, 2)
    assert {table.position_of(side).finding for side in SIDES} == {Verdict.WRONG_EVENT}
    deal = table.find(DealEntry) + 1
    for side in (1, 2):
        text = said(table.payloads[side])
        assert "false. Someone didn't play what was signed" in text
        assert f"Hand 1: void: an event wasn't shown as it happened (record {deal})." in text
        for other in (1, 2):
            assert f"side {other} claims that an event wasn't shown as it happened, which is true." in text


def test_a_changed_nonce_of_the_header_is_refused_at_once_and_undoes_what_was_agreed() -> None:
    table = new_table("hearts")
    changed = replace(table.header, nonce=bytes(16))
    with pytest.raises(Refused) as refused:
        decode_header(replace(table.frame, body=encode_header(changed)))
    assert refused.value.cause is Cause.SIGNATURE
    again = sign(table.keys[0], HEADER_LABEL, b"", encode_header(changed))
    other = begin(again, changed, 2, table.seeds[2])
    check = bytes(table.follower[1].check())
    assert cause_of(other, check) is Cause.SIGNATURE, "what side 1 agreed to is another game"
    assert cause_of(table.at[2][0], check) is None


def test_a_changed_value_of_a_listener_is_refused_at_once() -> None:
    """A part of the shuffle is its side's alone: signed by it, and a link of the chain that the header fixes."""
    table = new_table("hearts")
    entry = read_record(bytes(table.follower[1].check()))[1][0]
    assert isinstance(entry, CheckEntry)
    forged = replace(entry, value=bytes(24))
    assert cause_of(table.at[2][0], table.signed(0, forged, 0)) is Cause.SIGNATURE
    assert cause_of(table.at[2][0], table.signed(0, forged, 1)) is Cause.FAIRNESS


@pytest.mark.parametrize("name", OPTIONS)
def test_a_secret_that_does_not_open_is_found_by_everybody_at_the_opening(name: str) -> None:
    table = new_table(name)
    table.until(Phase.OPENING, 1)
    value = chain_value(table.seeds[0], 2)
    position = table.position
    openings = read_record(bytes(table.writer.open_hand().record))[1][0]
    assert isinstance(openings, OpeningEntry)
    forged = table.signed(position.count, replace(openings, value=value), 0)
    for side in (1, 2):
        assert go_on(table.position_of(side), forged).finding == Verdict.WRONG_VALUE
        text = said([*table.payloads[side], RECORD + forged])
        assert "Hand 1: void: the host's value doesn't match its chain." in text


def test_a_deal_aborted_three_times_gives_the_same_pack_three_times() -> None:
    """A coordinator that fails before the deal is sent, as often as it likes: the values were fixed before."""
    table = new_table("hearts")
    table.check(1, 2)
    deals = []
    for _ in range(3):
        writer = LedgerWriter(table.keys[0], table.frame, begin(table.frame, table.header, 0, table.seeds[0]))
        for record in table.sent[0]:
            writer.restore(record)
        deals.append(bytes(writer.deal().record))
    assert len(set(deals)) == 1


def test_a_deal_aborted_three_times_by_ending_the_game_is_counted() -> None:
    """Each game names the head of the one before, so that none can be left out."""
    tables: list[Table] = []
    for seed in range(3):
        table = Table(*OPTIONS["hearts"], seed, tables[-1].position.head if tables else b"")
        table.until(Phase.PLAY, 1)
        table.spread(table.writer.open_hand())
        table.check(1, 2)
        table.spread(table.writer.close(CloseReason.ENDED))
        tables.append(table)
    verdicts = [verified(table.payloads[1], f"{number}.log") for number, table in enumerate(tables)]
    for verdict in verdicts:
        assert verdict.state == "unfinished"
        assert "Hand 1: side 0 ended the game before the hand was over." in "\n".join(verdict_lines(verdict.data))
    assert count_broken_off_hands([*verdicts, verified(tables[0].payloads[2])]) == 3
    assert comparison_lines(compare_logs(verdicts[1], verdicts[0])) == ["1.log is the next game after 0.log."]
    assert "different games" in comparison_lines(compare_logs(verdicts[0], verdicts[2]))[0]


def test_a_deal_that_leaves_somebody_out_says_so() -> None:
    """The log shows who was absent, and verify names them."""
    table = after_a_hand()
    table.spread(table.writer.absent(2))
    table.check(1)
    table.spread(table.writer.deal())
    table.until(Phase.CHECKS, 2)
    for side in SIDES:
        assert "Hand 3: side 2 took no part in the shuffle." in said(table.payloads[side])


# --- cards that are shown ---------------------------------------------------------------------------------------------


def until_draw(table: Table, seat: int) -> Logged:
    """Play until this seat draws a card; the record is not spread."""
    table.until(Phase.PLAY, 1)
    while table.position.phase is Phase.PLAY:
        position = table.position
        if position.state.stage == Stage.PLAY and seat in position.state.to_act:
            draws = [a for a in table.game.legal(position.views[seat], seat) if isinstance(a, Draw)]
            if draws:
                record = bytes(table.follower[seat].move(draws[0], bytes(10)))
                return table.writer.add_sent(*read_record(record))
        table.step()
    raise AssertionError("nobody had to draw")


def test_a_swapped_card_in_a_draw_is_found_by_the_player_who_drew_it_and_proved_by_their_log() -> None:
    table = new_table("crazy_eights")
    logged = until_draw(table, 1)
    true = faces_of(logged.for_side(1))
    known = [slot.card for slot in table.follower[1].position.state.hands[1].slots]
    other = next(card for card in logged.after.state.hands[2].cards if card not in known and card not in true)

    def swap(side: int, record: Record) -> Record:
        return table.with_faces(logged.number, side, record, [other]) if side == 1 else record

    send(table, logged, swap)
    table.spread_quietly(table.writer.open_hand())
    assert [table.position_of(side).finding for side in (1, 2)] == [Verdict.WRONG_EVENT, 0]
    table.check_quietly(1, 2)
    own, others = table.payloads[1], table.payloads[2]
    assert f"Hand 1: void: an event wasn't shown as it happened (record {logged.number + 1})." in said(own)
    claim = "Hand 1: side 1 claims that an event wasn't shown as it happened"
    assert f"{claim}, which only their own log can prove." in said(others)
    assert verified(others).state == "unfinished", "without its log it is a claim"
    assert "Hand 1: side 1 proved that an event wasn't shown as it happened." in compared(others, own)


def test_a_passed_card_exchanged_for_another_is_found_by_everybody() -> None:
    """The seat committed to three cards; the coordinator opens three others."""
    table = played("hearts")
    number = table.find(OpeningEntry)
    entry = entry_of(table.sent[0][number])
    assert isinstance(entry, OpeningEntry)
    mine = next(opened for opened in entry.openings if opened.salt)
    others = tuple([replace(one, fields=(b"\2\3\4",)) if one is mine else one for one in entry.openings])
    forged = table.signed(number, replace(entry, openings=others), 0)
    for side in SIDES:
        assert go_on(table.at[side][number], forged).finding == Verdict.WRONG_OPENING
        before = [*table.payloads[side][: place_of(table, side, number)], RECORD + forged]
        if side:
            assert "Hand 1: void: an opening doesn't match its commitment." in said(before)


def place_of(table: Table, side: int, number: int) -> int:
    """The place of a record among the payloads of a side."""
    places = [place for place, payload in enumerate(table.payloads[side]) if payload[:1] == RECORD]
    return places[number]


def exchange() -> tuple[Table, Logged]:
    """A table where everybody has passed their cards, and the record that gives them, which nobody has yet."""
    table = new_table("hearts")
    table.until(Phase.PLAY, 1)
    while table.position.state.stage == Stage.PLAY:
        table.act()
    return table, table.writer.show()


def test_a_passed_card_exchanged_on_its_way_is_found_by_its_receiver() -> None:
    table, logged = exchange()
    known = table.follower[1].position.state
    held = {*known.hands[1].cards, *known.passed[1].cards}
    true = faces_of(logged.for_side(1))
    other = next(card for card in hearts.PACK if card not in held and card not in true and card != hearts.TWO)

    def swap(side: int, record: Record) -> Record:
        faces = [other, *faces_of(record)[1:]]
        return table.with_faces(logged.number, side, record, faces) if side == 1 else record

    send(table, logged, swap)
    table.spread_quietly(table.writer.open_hand())
    assert [table.position_of(side).finding for side in (1, 2)] == [Verdict.WRONG_EVENT, 0]
    assert f"an event wasn't shown as it happened (record {logged.number + 1})" in said(table.payloads[1])


def test_one_card_in_two_places_is_refused_at_once() -> None:
    """Twice the same among three passed cards; one whose owner sees it in its hand."""
    table, logged = exchange()
    true, position = faces_of(logged.for_side(1)), table.follower[1].position
    assert position.seen.isdisjoint(true)
    for faces in ([true[0], *true[:2]], [position.state.hands[1].cards[0], *true[1:]]):
        forged = bytes(table.with_faces(logged.number, 1, logged.for_side(1), faces))
        assert cause_of(position, forged) is Cause.FACES
    assert cause_of(position, bytes(logged.for_side(1))) is None


def test_a_card_that_the_pack_does_not_have_is_refused_at_once() -> None:
    table = Table("euchre", euchre.PRESETS["real-deal"], 5)
    table.until(Phase.PLAY, 1)
    while not (may_play(table, 0) and Play in map(type, table.game.legal(table.position.state, 0))):
        table.step()
    action, fields = encode_action(table.game, Play(Card.of(2, table.position.state.trump)))
    forged = table.signed(table.position.count, ActionEntry(table.position.count, 0, action, fields), 0)
    assert cause_of(table.follower[1].position, forged) is Cause.RULES


def test_a_card_that_is_elsewhere_is_refused_at_once_by_a_player_who_knows_where() -> None:
    """Its own cards cannot be played by another, nor those that have been played already."""
    table = new_table("hearts", 2)
    table.until(Phase.PLAY, 1)
    while len(table.position.state.taken[0]) + len(table.position.state.taken[2]) < 8 or not may_play(table, 0):
        table.step()
    position, number = table.position, table.position.count
    mine = next(card for card in position.state.hands[1].cards if suits_agree(position, card))
    forged = table.signed(number, played_card(table, 0, mine), 0)
    assert cause_of(table.follower[1].position, forged) is Cause.RULES
    assert cause_of(table.follower[2].position, forged) is None, "side 2 cannot know better before the opening"
    gone = next(slot.card for taken in position.state.taken for slot in taken if suits_agree(position, slot.card))
    for side in (1, 2):
        forged = table.signed(number, played_card(table, 0, gone), 0)
        assert cause_of(table.follower[side].position, forged) is Cause.RULES
        assert f"{gone} can't come from there" in said([*table.payloads[side], RECORD + forged])


def may_play(table: Table, seat: int) -> bool:
    state = table.position.state
    return table.position.phase is Phase.PLAY and not table.position.simultaneous and state.to_act == (seat,)


def suits_agree(position: Position, card: Card) -> bool:
    """Whether nobody who does not know the hand can say that this card may not be played."""
    trick = position.state.trick
    return card.suit == trick[0].card.suit if trick else card.suit not in (2, 3)


def played_card(table: Table, seat: int, card: Card) -> ActionEntry:
    action, fields = encode_action(table.game, Play(card))
    return ActionEntry(table.position.count, seat, action, fields)


def test_a_revoke_hidden_from_others_is_found_by_everybody_at_the_end_of_the_hand() -> None:
    table = new_table("hearts")
    table.until(Phase.PLAY, 1)
    break_a_rule_unseen(table)
    number = table.position.count
    table.spread(table.writer.open_hand())
    assert [table.position_of(side).finding for side in (1, 2)] == [Verdict.ILLEGAL_ACTION] * 2
    for side in (1, 2):
        assert f"Hand 1: void: an illegal move was made (record {number})." in said(table.payloads[side])


def test_a_listeners_revoke_is_refused_at_once_by_the_coordinator() -> None:
    table = new_table("hearts")
    table.until(Phase.PLAY, 1)
    while not may_play(table, 1) or len(table.game.legal(table.position.state, 1)) == len(
        table.position.state.hands[1]
    ):
        table.step()
    legal = [action.card for action in table.game.legal(table.position.state, 1)]
    revoked = next(card for card in table.position.state.hands[1].cards if card not in legal)
    forged = table.signed(table.position.count, played_card(table, 1, revoked), 1)
    with pytest.raises(Refused) as refused:
        table.writer.add_sent(*read_record(forged))
    assert refused.value.cause is Cause.RULES


# --- the story --------------------------------------------------------------------------------------------------------


def two_histories() -> tuple[Table, list[bytes], list[bytes]]:
    """The coordinator plays one card for side 1 and another for side 2."""
    table = new_table("hearts")
    table.until(Phase.PLAY, 1)
    while not may_play(table, 0) or len(table.game.legal(table.position.state, 0)) < 2:
        table.step()
    legal = table.game.legal(table.position.state, 0)
    common = [list(payloads) for payloads in table.payloads]
    stories: list[list[bytes]] = []
    for side, action in zip((1, 2), legal, strict=False):
        logged = table.writer.move(0, action)
        stories.append([*common[side], RECORD + bytes(logged.for_side(side))])
        table.follower[side].receive_record(bytes(logged.for_side(side)))
        table.writer.log.pop()
    return table, stories[0], stories[1]


def test_two_histories_for_two_listeners_part_for_good_and_are_proved_by_their_logs() -> None:
    table, one, other = two_histories()
    place = table.position.count + 1
    assert verified(one).state == verified(other).state == "unfinished", "each alone is a true story"
    assert f"differ from record {place} on: side 0 signed both versions." in compared(one, other)
    check = replace(sample_check(table), base=place, side=1)
    frame = table.follower[1]._sign(check)
    assert cause_of(table.follower[2].position, bytes(Record((frame,)))) is not None
    if 1 in table.follower[1].position.state.to_act:
        move = table.follower[1].move(table.game.legal(table.follower[1].position.state, 1)[0], bytes(10))
        assert cause_of(table.follower[2].position, bytes(Record(move.frames))) is Cause.SIGNATURE


def sample_check(table: Table) -> CheckEntry:
    entry = entry_of(table.sent[0][table.find(CheckEntry)])
    assert isinstance(entry, CheckEntry)
    return entry


def test_a_dropped_move_is_missed_at_once_by_the_listener_who_did_not_get_it() -> None:
    table = new_table("hearts")
    table.until(Phase.PLAY, 1)
    while not may_play(table, 2):
        table.step()
    before = len(table.payloads[1])
    table.act(2)
    table.act()
    dropped = [*table.payloads[1][:before], *table.payloads[1][before + 1 :]]
    number = table.position.count - 1
    assert cause_of(table.at[1][number - 1], table.sent[1][number]) is Cause.BASE
    assert f"Record {number}, at offset " in said(dropped)


def test_a_listeners_move_that_the_coordinator_drops_stays_in_its_own_log() -> None:
    """It was signed for the very place where the log says that somebody else took its seat."""
    table = new_table("hearts")
    table.until(Phase.PLAY, 1)
    while not may_play(table, 1):
        table.step()
    move = table.follower[1].move(table.game.legal(table.follower[1].position.state, 1)[0], bytes(10))
    table.payloads[1].append(PENDING + bytes(move))
    table.spread(table.writer.takeover(1, TakeoverReason.CLOCK_RAN_OUT))
    text = said(table.payloads[1])
    assert f"At record {table.position.count} side 1's character took over: the turn clock ran out." in text
    forged = [*table.payloads[1], PENDING + bytes(move)]
    assert verified(forged).state == "false", "a move that was signed later would not stand there"


def test_a_move_signed_again_by_somebody_else_is_refused_at_once_by_everybody() -> None:
    table = new_table("hearts")
    table.until(Phase.PLAY, 1)
    while not may_play(table, 1):
        table.step()
    number = table.position.count
    action, fields = encode_action(table.game, table.game.legal(table.position.state, 1)[0])
    for by in (0, 2):
        forged = table.signed(number, ActionEntry(number, 1, action, fields), by)
        for side in SIDES:
            assert cause_of(table.position_of(side), forged) is Cause.SIGNATURE
        assert f"Record {number + 1}, at offset " in said([*table.payloads[2], RECORD + forged])


def test_scores_altered_are_refused_at_once_by_everybody() -> None:
    """Nobody sends a score: everybody counts. A game is closed as won only where it is; its rules are in the header."""
    table = played("crazy_eights")
    number = table.find(CloseEntry)
    won = table.signed(number, replace(close_of(table), reason=CloseReason.WON), 0)
    for side in SIDES:
        assert cause_of(table.at[side][number], won) is Cause.RULES
    assert f"Record {number + 1}, at offset " in said([*table.payloads[1][: place_of(table, 1, number)], RECORD + won])
    lower = replace(table.header, options=(1, *table.header.options[1:]))
    with pytest.raises(Refused) as refused:
        decode_header(replace(table.frame, body=encode_header(lower)))
    assert refused.value.cause is Cause.SIGNATURE


def close_of(table: Table) -> CloseEntry:
    entry = entry_of(table.sent[0][table.find(CloseEntry)])
    assert isinstance(entry, CloseEntry)
    return entry


def test_scores_altered_by_showing_other_cards_are_found_at_the_end_of_the_hand_at_the_latest() -> None:
    """What the others have left counts: the coordinator turns up cards as its own that a computer player holds."""
    table, number = next(
        (table, number)
        for table in (played("crazy_eights", seed) for seed in range(2, 30))
        if all(table.at[0][number := table.find(OutcomeEntry)].state.hands[seat].cards for seat in (0, 3))
    )
    shown = entry_of(table.sent[0][number])
    assert isinstance(shown, OutcomeEntry)
    state = table.at[0][number].state
    cards = dict(shown.outcome.cards)
    mine, other = [next(place for place, card in cards.items() if card in state.hands[seat].cards) for seat in (0, 3)]
    exchanged = cards | {mine: cards[other], other: cards[mine]}
    forged = table.signed(number, OutcomeEntry(Outcome(tuple(exchanged.items()))), 0)
    opening = table.writer.log[number + 1].entries[0]
    for side in (1, 2):
        after = go_on(table.at[side][number], forged)
        assert after.state != table.at[side][number + 1].state
        frame = sign(table.keys[0], ENTRY_LABEL, after.head, encode_entry(opening))
        assert go_on(after, bytes(Record((frame,)))).finding == Verdict.WRONG_EVENT
    gone = next(card for card in crazy_eights.PACK if card not in cards.values())
    forged = table.signed(number, OutcomeEntry(Outcome(tuple((cards | {mine: gone}).items()))), 0)
    assert {cause_of(table.at[side][number], forged) for side in (1, 2)} == {Cause.FACES}, "it was played before"


# --- claims, silence, seats -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verdict", [1, 2, 3, 4])
def test_a_false_mismatch_claimed_by_a_listener_is_logged_and_changes_nothing(verdict: int) -> None:
    table = new_table("hearts")
    table.until(Phase.CHECKS, 1)
    good = read_record(bytes(table.follower[1].check()))[1][0]
    assert isinstance(good, CheckEntry) and good.verdict == 0
    table.check(2)
    number = table.position.count
    table.spread(table.writer.add_sent(*read_record(table.signed(number, replace(good, verdict=Verdict(verdict)), 1))))
    table.spread(table.writer.deal())
    assert table.position.phase is Phase.PLAY, "the game goes on"
    for side in (0, 2):
        assert verified(table.payloads[side]).state == "unfinished"
        doubt = "which isn't true" if verdict < 4 else "which only their own log can prove"
        assert f"Hand 1: side 1 claims that {claim(verdict)}, {doubt}." in said(table.payloads[side])
    assert f"side 1 claims that {claim(verdict)}, which isn't true." in said(table.payloads[1])
    assert "proved" not in compared(table.payloads[0], table.payloads[1])


def claim(verdict: int) -> str:
    return (
        "the host's value doesn't match its chain",
        "an opening doesn't match its commitment",
        "an illegal move was made",
        "an event wasn't shown as it happened",
    )[verdict - 1]


def test_a_secret_withheld_leaves_the_hand_unproven_against_the_coordinator() -> None:
    table = new_table("crazy_eights")
    table.until(Phase.OPENING, 1)
    number = table.position.count
    for entry in (
        DealEntry(number, 2, (), Outcome()),
        CloseEntry(number, CloseReason.WON),
        CloseEntry(number, CloseReason.ENDED),
    ):
        for side in (1, 2):
            assert cause_of(table.position_of(side), table.signed(number, entry, 0)) is Cause.RULES
    for side in (1, 2):
        text = said(table.payloads[side])
        assert verified(table.payloads[side]).state == "unfinished"
        assert "Hand 1 is over but was never opened, so it's unproven. That counts against side 0" in text


def test_a_check_withheld_is_named_and_costs_its_side_the_part_in_the_shuffle() -> None:
    table = new_table("hearts")
    table.until(Phase.CHECKS, 1)
    table.spread(table.writer.absent(2))
    table.check(1)
    table.spread(table.writer.deal())
    table.until(Phase.CHECKS, 2)
    text = said(table.payloads[1])
    assert "Hand 1: side 2 didn't sign the result." in text
    assert "Hand 3: side 2 took no part in the shuffle." in text


def test_the_result_lists_who_did_not_sign_it() -> None:
    table = Table("crazy_eights", replace(OPTIONS["telecards"][1], winning_score=1), 35)
    table.until(Phase.OPENING, 1)
    table.spread(table.writer.open_hand())
    table.check(1)
    table.spread(table.writer.close(CloseReason.WON))
    for side in SIDES:
        before, after = table.at[side][-2:]
        (told,) = tell_entry(before, after, close_of(table), ())
        assert isinstance(told, GameWon) and told.unsigned == ("side 2",)
        assert "Hand 1: side 2 didn't sign the result." in said(table.payloads[side])


def test_a_false_takeover_stands_in_every_log_with_its_reason_and_their_table_says_so_at_once() -> None:
    net = by_hand(2, preset="telecards")
    place = net.at(0).count + 1
    game = net.table.game
    assert game is not None
    net.lies = True
    net.step(0, lambda: game._take_over(1, TakeoverReason.CLOCK_RAN_OUT, net.now))  # no clock has run out
    net.run()
    (told,) = net.tales(1, SeatTakenOver)
    assert (told.mine, told.why) == (True, "the turn clock ran out")
    for i, also in zip(SIDES, ("", ", which wasn't true, as this log notes", ""), strict=True):
        assert f"At record {place} Bob's character took over: the turn clock ran out{also}." in said(net.log(i))
    assert isinstance(entry_of(net.log(2)[-1][1:]), TakeoverEntry | ActionEntry | CommitEntry)


def test_a_redeal_behind_false_takeovers_stands_in_every_log() -> None:
    net = by_hand(2, preset="telecards")
    game = net.table.game
    assert game is not None
    net.lies = True
    net.step(0, lambda: game._take_over(1, TakeoverReason.CLOCK_RAN_OUT, net.now))  # no clock has run out
    net.step(0, lambda: game.change_course(lambda writer: writer.redeal(0), net.now))
    net.run()
    (told,) = net.tales(1, SeatTakenOver)
    assert (told.mine, told.why) == (True, "the turn clock ran out")
    for i in SIDES:
        assert "Hand 1 was redealt: Ann asked, no one else had to agree." in said(net.log(i))
        assert "Bob's character took over: the turn clock ran out" in said(net.log(i))


def test_a_takeover_of_a_seat_that_nobody_left_by_another_than_the_coordinator_is_refused() -> None:
    table = new_table("hearts")
    table.until(Phase.PLAY, 1)
    number = table.position.count
    for by in (1, 2):
        forged = table.signed(number, TakeoverEntry(number, 3 - by, TakeoverReason.LINE_LOST), by)
        assert {cause_of(table.position_of(side), forged) for side in SIDES} == {Cause.SIGNATURE}


def paused_for_side_1() -> Table:
    """Side 1 has asked their character to play, side 2 is cut off, the coordinator is away: the table is paused."""
    table = new_table("hearts")
    table.until(Phase.PLAY, 1)
    for seat in (0, 1):
        table.spread(table.writer.takeover(seat, TakeoverReason.ASKED_FOR))
    table.spread(table.writer.pause())
    return table


def test_a_player_who_is_away_is_not_played_on_with_while_the_table_is_paused() -> None:
    table = paused_for_side_1()
    number, position = table.position.count, table.position
    action = table.game.legal(position.views[1], 1)[0]
    kind, _ = encode_action(table.game, action)
    clocks: list[Entry] = [
        TakeoverEntry(number, 2, reason) for reason in (TakeoverReason.LINE_LOST, TakeoverReason.CLOCK_RAN_OUT)
    ]
    committed = CommitEntry(position.open_base, 1, kind, bytes(20))
    for entry in (*clocks, committed, PauseEntry(number), DealEntry(number, 2, (), Outcome())):
        data = table.signed(number, entry, 0)
        assert {cause_of(table.position_of(side), data) for side in (1, 2)} == {Cause.RULES}


def test_a_pause_without_cause_stands_in_every_log_and_moves_no_card() -> None:
    net = by_hand(2, preset="telecards")
    place, before = net.at(0).count + 1, net.at(0).state
    game = net.table.game
    assert game is not None
    net.step(0, lambda: game._publish(game._writer.pause(), net.now))  # everybody is here
    net.run()
    assert len(net.tales(1, TablePaused)) == len(net.tales(2, TablePaused)) == 1, "those who are here are told"
    assert net.at(0).state == before
    for i in SIDES:
        assert f"At record {place} the table paused: everyone was away." in said(net.log(i))


def test_pauses_that_draw_another_chance_for_a_computer_player_are_counted() -> None:
    table = new_table("hearts")
    table.until(Phase.PLAY, 1)
    seeds = set()
    for _ in range(3):
        seeds.add(table.writer.thinking_seed(3))
        table.spread(table.writer.pause())
        table.spread(table.writer.resume())
    assert len(seeds) == 3
    for side in SIDES:
        data = verified(table.payloads[side]).data
        assert len(data["pauses"]) == 3
        assert [one["until"] for one in data["pauses"]] == [one["record"] + 1 for one in data["pauses"]]


def test_a_pause_that_is_not_made_leaves_takeovers_of_every_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    net = by_hand(1, options=("winning_score=1",))
    monkeypatch.setattr(owed, "stands_still", lambda *_: False)
    for i in (0, 1):
        net.say(i, "away")
    net.run()
    for i in (0, 1):
        data = verified(net.log(i)).data
        assert {one["name"] for one in data["takeovers"]} == {"Ann", "Bob"}
        assert data["pauses"] == [] and data["state"] == "finished"


def test_a_game_without_cheats_has_nothing_to_be_said_of_it() -> None:
    net = Net(2, seed=4)
    net.sit_down("winning_score=1", game="crazy_eights")
    net.run()
    for i in SIDES:
        text = said(net.log(i))
        assert "finished, and everything matches what was signed." in text
        for word in ("void", "claims", "counts against", "took over", "no part", "did not sign", "not what"):
            assert word not in text


def test_a_computer_player_that_decides_otherwise_than_its_seed_says_is_named() -> None:
    """Such as one that was let look at hidden cards. At these tables all seats play by chance."""
    table = played("hearts")
    for side in SIDES:
        data = verified(table.payloads[side]).data
        (strange, *_) = data["hands"][0]["not_repeated"]
        text = said(table.payloads[side])
        sentence = f"record {strange['record']} isn't the move this version's novice player makes for"
        assert f"Hand 1: {sentence} {strange['name']}." in text
        assert data["state"] == "unfinished", "another version may decide otherwise"
