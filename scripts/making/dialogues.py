"""The files of protocol/vectors/dialogues: what a coordinator and a listener say to each other, message by message.

Both sides are the machines of the program, with fixed keys and random bytes; protocol/vectors/README.md says how to
read the files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial

from p2pcards.games.crazy_eights import rules as crazy_eights
from p2pcards.games.options import header_values
from p2pcards.games.outcome import NO_OUTCOME
from p2pcards.ledger.fair import chain_value
from p2pcards.ledger.payloads import RECORD
from p2pcards.ledger.transitions import Phase
from p2pcards.wire import messages as wire
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.records import (
    ENTRY_LABEL,
    HEADER_LABEL,
    VERSION,
    AbsentEntry,
    CheckEntry,
    DealEntry,
    Entry,
    EntryKind,
    Frame,
    Header,
    Record,
    SeatEntry,
    Side,
    encode_entry,
    encode_header,
    next_head,
    sign,
)
from rigs.dialogues import ANN, BOB, FROM_BOB, OPENED, OVER, Dialogue, file_lines
from rigs.net import NAMES, Arrival

FOR_TWO = ("players=2", "winning_score=1")
FOR_THREE = ("players=3", "winning_score=1")


def files() -> Mapping[str, Callable[[], str]]:
    return {name: partial(vectors().__getitem__, name) for name in vectors()}


@cache
def vectors() -> dict[str, str]:
    """The text of each file by its name."""
    found = {}
    for play in DIALOGUES:
        name = play.__name__.replace("_", "-")
        dialogue = Dialogue(name, 2 if play in WITH_CY else 1)
        play(dialogue)
        lines = file_lines(play.__doc__ or "", dialogue)
        found[f"{name}.txt"] = "".join([f"{key}: {value}\n" for key, value in lines])
    return found


# --- moments ----------------------------------------------------------------------------------------------------------


def arrivals(dialogue: Dialogue, to: int) -> list[Arrival]:
    """The messages that are on their way to one of the machines."""
    return [event for event in dialogue.net.queue if isinstance(event, Arrival) and event.machine == to]


def under_way(dialogue: Dialogue, kind: type[wire.Message], to: int) -> Callable[[], bool]:
    """Whether a message of this kind is on its way."""
    return lambda: any(isinstance(wire.decode_message(one.message), kind) for one in arrivals(dialogue, to))


def passed(dialogue: Dialogue, kind: type[wire.Message], times: int = 1) -> Callable[[], bool]:
    """Whether so many messages of this kind have passed."""
    return lambda: sum(isinstance(message, kind) for message in dialogue.passed()) >= times


def begin(dialogue: Dialogue, *options: str, game: str = "crazy_eights") -> None:
    """To the moment at which the hand has been dealt to Bob."""
    dialogue.sit_down(game, *options)
    net = dialogue.net
    dialogue.until(lambda: net.position(BOB) is not None and net.at(BOB).phase is Phase.PLAY)


# --- the dialogues ----------------------------------------------------------------------------------------------------


def beginning(dialogue: Dialogue) -> None:
    """crazy eights: a game begins, from HELLO to the header, Bob's CHECK and the deals"""
    dialogue.because(wire.MoveMessage, "CHECK of Bob: they agree to the header, and give a first value")
    dialogue.because(wire.RecordMessage, "record 1: DEAL. Bob's CHECK is record 0, and is not sent back to them")
    begin(dialogue, *FOR_TWO)


def taken(dialogue: Dialogue) -> None:
    """crazy eights: Bob draws and plays, and is sent what stands behind their own entry in each record"""
    begin(dialogue, *FOR_TWO)
    dialogue.until(passed(dialogue, wire.Taken, 4))


def check_in_between(dialogue: Dialogue) -> None:
    """crazy eights with Cy: Bob's CHECK is logged first, so that the next record has a number one higher"""
    dialogue.because(wire.RecordMessage, "record 1: CHECK of Cy. Bob's own is record 0, and they put it in between")
    begin(dialogue, *FOR_THREE)


def check_on_its_way(dialogue: Dialogue) -> None:
    """crazy eights with Cy: the CHECK of Cy is logged before Bob's, which is on its way and comes behind it"""
    net = dialogue.net
    dialogue.sit_down("crazy_eights", *FOR_THREE)
    dialogue.until(under_way(dialogue, wire.MoveMessage, ANN))
    (mine,) = arrivals(dialogue, ANN)
    net.queue.remove(mine)
    dialogue.because(wire.RecordMessage, "record 0: CHECK of Cy, while Bob's is on its way")
    dialogue.until(lambda: net.at(BOB).count == 1)
    net.queue.insert(0, mine)
    dialogue.because(wire.RecordMessage, "record 2: DEAL. Bob's CHECK is record 1, and they put it in between")
    dialogue.until(lambda: net.at(BOB).phase is Phase.PLAY)


def private_move(dialogue: Dialogue) -> None:
    """hearts: three cards are passed, and Bob's MOVE is a COMMIT with its opening, which Ann alone gets"""
    begin(dialogue, "end_score=25", game="hearts")
    dialogue.because(wire.MoveMessage, "COMMIT of seat 1, and behind two zero bytes its opening")
    dialogue.until(passed(dialogue, wire.Taken, 2))


def move_that_came_late(dialogue: Dialogue) -> None:
    """crazy eights: Bob's move crosses with a record and is REFUSED; as they see the same, they sign it again"""
    begin(dialogue, *FOR_TWO)
    dialogue.until(under_way(dialogue, wire.MoveMessage, ANN))
    dialogue.because(wire.RecordMessage, "record 3: TAKEOVER. Ann's character plays for them from here on")
    dialogue.say(ANN, "away")
    dialogue.because(wire.MoveMessage, "the same action, on the base that is due now")
    dialogue.because(wire.RefusedMove, "the first move came late: code 0")
    dialogue.until(passed(dialogue, wire.Taken))


def lost_line(dialogue: Dialogue) -> None:
    """crazy eights: the line is lost with a record on its way to Bob, and once more with a move on its way to Ann"""
    net = dialogue.net
    begin(dialogue, *FOR_TWO)
    dialogue.until(under_way(dialogue, wire.RecordMessage, BOB))
    dialogue.because(OVER, "the line is lost, and a record with it")
    dialogue.cut()
    dialogue.because(OPENED, "Ann calls again")
    dialogue.because(wire.RecordMessage, f"the record that was lost, {net.at(BOB).count}, comes again")
    dialogue.until(under_way(dialogue, wire.MoveMessage, ANN))
    dialogue.because(OVER, "the line is lost, and the move with it")
    dialogue.cut()
    dialogue.because(OPENED, "Ann calls again")
    dialogue.because(wire.MoveMessage, "the move that was lost, the same bytes: its base is still due")
    count = sum(isinstance(message, wire.Taken) for message in dialogue.passed())
    dialogue.until(passed(dialogue, wire.Taken, count + 1))


def lost_header(dialogue: Dialogue) -> None:
    """crazy eights: the line is lost before the header has come, which then travels whole"""
    net = dialogue.net
    dialogue.sit_down("crazy_eights", *FOR_TWO)
    dialogue.until(under_way(dialogue, wire.HeaderPart, BOB))
    dialogue.because(OVER, "the line is lost, and the header with it")
    dialogue.cut()
    dialogue.because(OPENED, "Ann calls again")
    dialogue.because(wire.HeaderPart, "the header, with all that it says of Bob")
    dialogue.until(lambda: net.position(BOB) is not None and net.at(BOB).phase is Phase.PLAY)


def older_log(dialogue: Dialogue) -> None:
    """hearts: Ann was restored from an older log, and asks Bob for the records that it lacks, a COMMIT among them"""
    net = dialogue.net
    begin(dialogue, "end_score=25", game="hearts")
    dialogue.until(lambda: net.at(BOB).count >= 9 and under_way(dialogue, wire.MoveMessage, ANN)())
    log = net.log(ANN)
    places = [place for place, payload in enumerate(log) if payload[:1] == RECORD]
    del log[places[2] :]
    dialogue.because(OVER, "Ann's program ends, with Bob's move unread")
    dialogue.restart_ann()
    dialogue.because(OPENED, "Ann's program is back, with a copy of its log that ends with record 1")
    count = net.at(BOB).count
    dialogue.until(lambda: net.at(BOB).count > count)


def end_that_never_came(dialogue: Dialogue) -> None:
    """crazy eights: a game ends while Bob is away, and another is offered: they get its end first"""
    net = dialogue.net
    begin(dialogue, *FOR_TWO)
    dialogue.because(OVER, "the line is lost")
    dialogue.cut()
    net.deaf.add(BOB)
    dialogue.say(ANN, "end")
    net.deaf.clear()
    net.used[ANN] = None
    dialogue.restart_ann()
    dialogue.because(OPENED, "Ann's program has begun anew, and is asked for another game")
    asked = "records of a game that is not over here, and is asked for none on this link: the rest, please"
    dialogue.because(wire.Resume, f"Bob has {net.at(BOB).count} {asked}")
    game_id = net.at(BOB).game_id
    dialogue.sit_down("crazy_eights", *FOR_TWO)
    dialogue.until(lambda: net.at(BOB).game_id != game_id and net.at(BOB).phase is Phase.PLAY)


def end_that_was_lost_again(dialogue: Dialogue) -> None:
    """crazy eights: the end of a game is lost, and again with the header of the next: they get it first"""
    net = dialogue.net
    begin(dialogue, *FOR_TWO)
    dialogue.because(OVER, "the line is lost")
    dialogue.cut()
    net.deaf.add(BOB)
    dialogue.say(ANN, "end")
    net.deaf.clear()
    net.used[ANN] = None
    dialogue.restart_ann()
    dialogue.because(OPENED, "Ann's program has begun anew, and is asked for another game")
    dialogue.sit_down("crazy_eights", *FOR_TWO)
    game_id = net.at(BOB).game_id
    dialogue.until(under_way(dialogue, wire.HeaderPart, BOB))
    dialogue.because(OVER, "the line is lost, and what Bob lacked with it")
    dialogue.cut()
    dialogue.because(OPENED, "Ann calls again")
    dialogue.because(
        wire.Resume, "Ann has begun the next game, of which Bob has no log: they ask for the end of theirs"
    )
    dialogue.until(lambda: net.at(BOB).game_id != game_id and net.at(BOB).phase is Phase.PLAY)


def play_again(dialogue: Dialogue) -> None:
    """crazy eights: the last hand is opened, checked and closed, both play again, and the next game begins"""
    net = dialogue.net
    begin(dialogue, *FOR_TWO)
    dialogue.until(lambda: net.at(BOB).phase is Phase.CLOSED)
    dialogue.run()
    game_id = net.at(BOB).game_id
    dialogue.say(ANN, "again")
    dialogue.run()
    dialogue.say(BOB, "again")
    dialogue.until(lambda: net.at(BOB).game_id != game_id and net.at(BOB).phase is Phase.PLAY)


def wrong_check(dialogue: Dialogue) -> None:
    """crazy eights: a CHECK whose value does not fit is REFUSED, one whose signature is wrong ends the link"""
    net = dialogue.net
    dialogue.sit_down("crazy_eights", *FOR_TWO)
    dialogue.until(under_way(dialogue, wire.MoveMessage, ANN))
    position = net.at(BOB)
    other = CheckEntry(position.open_base, BOB, 0, position.finding, bytes(24))
    body = encode_entry(other)
    frame = bytes(sign(net.keys[BOB], ENTRY_LABEL, position.open_head, body))
    dialogue.send_instead("CHECK of Bob, with a value that is none of their chain", b"\x01" + frame)
    dialogue.because(wire.RefusedMove, "the value does not fit the chain (fairness): code 0, and the link stays")
    dialogue.until(passed(dialogue, wire.RefusedMove))
    by_another = bytes(sign(net.keys[ANN], ENTRY_LABEL, position.open_head, body))
    dialogue.send_instead("the same, signed by somebody else", b"\x01" + by_another)
    dialogue.because(wire.Bye, "the signature is wrong on the base that is due (signature): code 5")
    dialogue.until(passed(dialogue, wire.Bye))
    dialogue.hear_of_the_end()


def wrong_signature_on_an_older_base(dialogue: Dialogue) -> None:
    """crazy eights with Cy: a CHECK whose signature is wrong comes when the log has gone on: it is REFUSED as late"""
    net = dialogue.net
    dialogue.sit_down("crazy_eights", *FOR_THREE)
    dialogue.until(under_way(dialogue, wire.MoveMessage, ANN))
    (mine,) = arrivals(dialogue, ANN)
    net.queue.remove(mine)
    dialogue.because(
        wire.RecordMessage, "record 0: CHECK of Cy, so that the base of all checks is not the end any more"
    )
    dialogue.until(lambda: net.at(BOB).count == 1)
    net.queue.insert(0, mine)
    position = net.at(BOB)
    body = encode_entry(CheckEntry(position.open_base, BOB, 0, position.finding, chain_value(position.seed, 1)))
    by_another = bytes(sign(net.keys[ANN], ENTRY_LABEL, position.open_head, body))
    dialogue.send_instead("CHECK of Bob, signed by somebody else", b"\x01" + by_another)
    dialogue.because(wire.RefusedMove, "it may have crossed with a record (signature): code 0, and the link stays")
    dialogue.until(passed(dialogue, wire.RefusedMove))


def proposal_that_cannot_be_logged(dialogue: Dialogue) -> None:
    """crazy eights: of a proposal on an older base nothing comes, and one on the end that cannot be is answered no"""
    net = dialogue.net
    begin(dialogue, *FOR_TWO)
    dialogue.until(under_way(dialogue, wire.MoveMessage, ANN))
    count = net.at(ANN).count
    behind = wire.encode_message(wire.Proposal(EntryKind.UNDO, count - 1, BOB, bytes(64)))
    dialogue.send_instead("PROPOSAL of an UNDO on the record before: it has crossed with a record", behind)
    dialogue.step()
    dialogue.send_more("PING, which shows that nothing was said to that", wire.encode_message(wire.Ping(7)))
    dialogue.because(wire.Pong, "nothing else comes")
    dialogue.until(passed(dialogue, wire.Pong))
    now = wire.encode_message(wire.Proposal(EntryKind.UNDO, net.at(ANN).count, BOB, bytes(64)))
    dialogue.send_more("PROPOSAL of an UNDO on the end of the log, in a game in which nothing is taken back", now)
    dialogue.because(wire.Vote, "it cannot be logged: a no, of the coordinator's side and without a signature")
    dialogue.until(passed(dialogue, wire.Vote))


def stake_that_outlives_its_link(dialogue: Dialogue) -> None:
    """crazy eights: the line is lost before the header is made; Bob is offered it again, and gives the same end"""
    net = dialogue.net
    dialogue.sit_down("crazy_eights", *FOR_TWO)
    dialogue.until(lambda: any(line.key == FROM_BOB and line.value.startswith("9317") for line in dialogue.lines))
    dialogue.because(OVER, "the line is lost, and the STAKE with it")
    dialogue.cut()
    dialogue.because(OPENED, "Ann calls again")
    dialogue.because(wire.Offer, "Ann has waited for them: the same offer")
    dialogue.because(wire.Stake, "the end of the same chain")
    dialogue.until(lambda: net.position(BOB) is not None and net.at(BOB).phase is Phase.PLAY)


# --- a game that never was --------------------------------------------------------------------------------------------


def never_was(dialogue: Dialogue, version: int = VERSION) -> tuple[Frame, bytes]:
    """Ann goes on with a game of which Bob has no log; its header, and its head."""
    net = dialogue.net
    dialogue.say(ANN, "invite", str(BOB))
    dialogue.run()
    seed = bytes(24)
    ends = [chain_value(seed, 0), chain_value(seed[:-1] + b"\1", 0)]
    sides = tuple([Side(public_bytes(net.keys[i]), NAMES[i], "wayne", ends[i]) for i in (ANN, BOB)])
    seats = tuple([SeatEntry(i, "wayne", "novice") for i in (ANN, BOB)])
    options = header_values(crazy_eights.PRESETS["telecards"])
    header = Header("crazy_eights", options, sides, seats, 60, 180, b"", 0, bytes(16), version=version)
    frame = sign(net.keys[ANN], HEADER_LABEL, b"", encode_header(header))
    head = next_head(b"", frame)
    dialogue.forge("Ann goes on with a game that Bob has never begun", wire.Resume(head[:16], 2, head))
    return frame, head


def parts(frame: Frame) -> list[wire.HeaderPart]:
    data = bytes(frame)
    pieces = [data[start : start + wire.PART_SIZE] for start in range(0, len(data), wire.PART_SIZE)]
    return [wire.HeaderPart(number, len(pieces), piece) for number, piece in enumerate(pieces)]


def tell_of(dialogue: Dialogue, entry: Entry, why: str) -> None:
    frame, head = never_was(dialogue)
    dialogue.forge("the header, with an end of a chain for Bob that is not theirs", *parts(frame))
    record = Record((sign(dialogue.net.keys[ANN], ENTRY_LABEL, head, encode_entry(entry)),))
    dialogue.forge(why, wire.RecordMessage(0, bytes(record)), refused=True)


def never_was_absent(dialogue: Dialogue) -> None:
    """crazy eights: Ann goes on with a game that never was, in which she calls Bob absent"""
    tell_of(dialogue, AbsentEntry(0, BOB), "ABSENT before the first deal (rules): BYE 5")


def never_was_dealt(dialogue: Dialogue) -> None:
    """crazy eights: Ann goes on with a game that never was, and deals without a CHECK of Bob's"""
    tell_of(dialogue, DealEntry(0, 1, (BOB,), NO_OUTCOME), "DEAL to which Bob has not agreed (fairness): BYE 5")


def never_was_of_version_1(dialogue: Dialogue) -> None:
    """crazy eights: Ann goes on with a game of version 1, of which Bob has no log"""
    frame, _ = never_was(dialogue, version=1)
    dialogue.forge("a header of version 1 without a log (rules): BYE 5", *parts(frame), refused=True)


DIALOGUES: tuple[Callable[[Dialogue], None], ...] = (
    beginning,
    taken,
    check_in_between,
    check_on_its_way,
    private_move,
    move_that_came_late,
    lost_line,
    lost_header,
    older_log,
    end_that_never_came,
    end_that_was_lost_again,
    play_again,
    wrong_check,
    wrong_signature_on_an_older_base,
    proposal_that_cannot_be_logged,
    stake_that_outlives_its_link,
    never_was_absent,
    never_was_dealt,
    never_was_of_version_1,
)
WITH_CY = (check_in_between, check_on_its_way, wrong_signature_on_an_older_base)
