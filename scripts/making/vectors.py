"""The files of protocol/vectors that no other module makes: messages, entries, whole games, and records that must be
refused.

protocol/vectors/README.md says how to read them. All keys, seeds and nonces are fixed, so that the files never change
unless the protocol does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from hashlib import sha256
from ipaddress import ip_address
from random import Random
from typing import Any
from zlib import crc32

import msgpack
from spake2.ed25519_group import Ed25519Group
from spake2.parameters.ed25519 import ParamsEd25519

from p2pcards.cards.card import Card
from p2pcards.cards.pack import shuffle
from p2pcards.games.crazy_eights import rules as crazy_eights
from p2pcards.games.cribbage import rules as cribbage
from p2pcards.games.cutting import Cut
from p2pcards.games.drawing import Draw, Meld
from p2pcards.games.euchre import rules as euchre
from p2pcards.games.game import Stage
from p2pcards.games.hearts import rules as hearts
from p2pcards.games.options import header_values
from p2pcards.games.outcome import Outcome
from p2pcards.games.registry import GAMES
from p2pcards.ledger.advance import advance, offered_actions
from p2pcards.ledger.branches import (
    count_continued,
    count_hand,
    counts,
    is_base,
    kept_at,
    present_players,
    quorum_of_successor,
)
from p2pcards.ledger.fair import chain_value, commitment, computer_seed, derived_salt, hand_secret, numbered_secret
from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.payloads import (
    CHECKED,
    COUNT,
    HEADER,
    LEFT,
    ME,
    PENDING,
    RECORD,
    SEALED,
    LeftOut,
    Numbering,
    PlayedByComputer,
    Start,
    Succeeded,
    UntrueTakeover,
    address_payload,
    note_payload,
    numbered_note,
    start_payloads,
)
from p2pcards.ledger.position import Position, Takeover, begin, first_quorum
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import LedgerWriter, Logged
from p2pcards.links.channel import LABEL as CHANNEL_LABEL
from p2pcards.links.channel import PROLOGUE
from p2pcards.links.meeting import place_of_code, place_of_friend, place_of_link
from p2pcards.links.noise import Handshake
from p2pcards.links.pairing import Exchange
from p2pcards.links.relayed import FRAME, RelayedMachine, Signal, StreamKeys, answer_opening, make_opening
from p2pcards.links.signals import ADDRESSES, SocketAddress, write_addresses
from p2pcards.players.choose import choose
from p2pcards.players.levels import LEVELS, UNTRIED, edition_of
from p2pcards.store.logs import MAGIC, encode_record
from p2pcards.wire import messages
from p2pcards.wire import records as kinds
from p2pcards.wire.crypto import ChaCha20Poly1305, Ed25519PrivateKey, X25519PrivateKey
from p2pcards.wire.invitation import HASH_DIGITS, KEY_HASH, TOKEN, Invitation, make_invitation
from p2pcards.wire.keys import pair_secret, public_bytes
from p2pcards.wire.packing import encode_action, pack
from p2pcards.wire.reasons import ByeCode, CloseReason, RefusalCode, TakeoverReason, Verdict, find_phrase
from p2pcards.wire.records import (
    ENTRY_LABEL,
    FACES_LABEL,
    HEADER_LABEL,
    VERSION,
    YES_LABEL,
    Entry,
    Frame,
    Header,
    Record,
    SeatEntry,
    Side,
    abridge_header,
    decode_header,
    encode_entry,
    encode_faces,
    encode_header,
    encode_opening,
    first_kind,
    next_head,
    read_record,
    sign,
)
from p2pcards.wire.shown_hand import ShownHand, seal_hand
from p2pcards.wire.spoken import FIRST, SECOND, read_code, words_commitment, words_to_compare

Lines = list[tuple[str, str]]
FOLDERS = ("entries", "games", "headers", "logs", "messages", "notes", "quorums", "records", "signed")
"""Beside the files that stand in no folder."""
NAMES = ("Ann", "Bob")
EVERYBODY = (*NAMES, "Cy", "Dan")


def files() -> Mapping[str, Callable[[], str]]:
    return {name: partial(vectors().__getitem__, name) for name in vectors()}


@cache
def vectors() -> dict[str, str]:
    """Every vector by its file name."""
    games = {"crazy_eights": small_hand(), "hearts": broken_off(), "paused": paused(), "fan": fan()}
    games |= {"redealt": redealt(), "alone": alone(), "taken-back": taken_back(), "absent": absent()}
    games |= {"other-level": other_level(), "no-edition": no_edition(), "no-value": no_value()}
    games |= {"reopened": reopened(), "not-opened": not_opened()}
    games |= {"left-out": euchre_of("left-out"), "added": euchre_of("added")}
    games["continued"] = continued()
    games["continuing"] = continuing(games["continued"])
    games["left-behind"] = left_behind()
    games["succeeding"] = succeeding(games["left-behind"])
    found: dict[str, Lines] = {}
    parts = (message_vectors(), spoken_vectors(), chance_vectors(), entry_vectors(games), refused_vectors(games))
    for part in (
        *parts,
        handshake_vectors(),
        websocket_vectors(),
        reach_vectors(),
        shown_hand_vectors(),
        quorum_vectors(games["succeeding"].position),
        link_vectors(),
        header_vectors(games["crazy_eights"], games["redealt"], games["continuing"]),
        quorum_header_vectors(games["crazy_eights"], games["succeeding"]),
        false_hand_vectors(games),
        last_value_vectors(games["reopened"]),
        log_vectors(),
        signed_vectors(games["absent"]),
        seed_vectors(games["taken-back"], games["absent"]),
        note_vectors(games["hearts"]),
    ):
        found.update(part)
    for name, game in games.items():
        found[f"games/{name}"] = game.lines()
        found[f"header-{name}"] = header_of_game(game)
    found["headers/most"] = header_of_bounds(games["crazy_eights"])
    whole = whole_hand()
    found["games/hand"] = whole.lines()
    found["hand"] = hand_lines(whole)
    return {f"{name}.txt": "".join([f"{key}: {value}\n" for key, value in lines]) for name, lines in found.items()}


def fixed(what: str, size: int) -> bytes:
    return sha256(b"p2pcards vector " + what.encode()).digest()[:size]


def notation(value: Any) -> str:
    """A msgpack value in the notation of the protocol's pages: JSON, with nil, and bytes as h'00'."""
    match value:
        case None:
            return "nil"
        case bool():
            return str(value).lower()
        case bytes():
            return f"h'{value.hex()}'"
        case str():
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case list() | tuple():
            return "[" + ", ".join([notation(part) for part in value]) + "]"
        case _:
            return str(value)


# --- games ------------------------------------------------------------------------------------------------------------


class Played:
    """A game between Ann, who coordinates from seat 0, and Bob, who listens in seat 1; computers have the other seats,
    but those where Cy and Dan listen too, in seats 2 and 3. listeners: how many there are; deal: Ann plays alone, this
    numbered deal; level, edition: of the computers; chance: for other moves; before: where the game stands that this
    one continues; succeeds: Bob coordinates it then from his seat, and Ann is gone, whose seat is her character's.

    records: as the coordinator has them; to: as each listener has them; answers: what Bob is sent of moves of his; at:
    the positions of both before each record."""

    def __init__(
        self,
        what: str,
        game: str,
        options: Any,
        first_dealer: int | None,
        name: str = "",
        version: int = 1,
        deal: int | None = None,
        listeners: int = 1,
        level: str = "novice",
        edition: int = 1,
        between_hands: int = 0,
        chance: str = "",
        before: Position | None = None,
        succeeds: bool = False,
    ) -> None:
        self.what = what
        self.name = name or game
        self.game = GAMES[game]
        self.rng = Random(f"p2pcards vector {self.name}{chance}")
        gone = int(succeeds)
        everybody = EVERYBODY[gone:]
        self.keys = [Ed25519PrivateKey.from_private_bytes(fixed(f"key {name}", 32)) for name in everybody]
        self.seeds = [fixed(f"seed {self.name} {person}", 24) for person in everybody[: listeners + 1]]
        ends = [chain_value(seed, 0) for seed in self.seeds]
        characters = ("wayne", "betty", "granny", "papa")
        self.people = (0,) if deal is not None else tuple(range(listeners + 1))
        sides = [Side(public_bytes(self.keys[i]), everybody[i], characters[i + gone], ends[i]) for i in self.people]
        seats = range(self.game.seats(options))
        sitting = [seat - gone if seat - gone in self.people else None for seat in seats]
        chairs = [SeatEntry(sitting[seat], characters[seat], level, edition) for seat in seats]
        nonce = fixed(f"nonce {self.name}", 16)
        self.header = Header(
            game,
            header_values(options),
            tuple(sides),
            tuple(chairs),
            60,
            180,
            b"",
            first_dealer,
            nonce,
            deal=deal,
            between_hands=between_hands,
            version=version,
        )
        if before is not None:
            self.header = replace(self.header, previous=before.head, first_dealer=None, continues=kept_at(before))
        if before is not None and succeeds:
            self.header = replace(self.header, quorum=quorum_of_successor(before))
        self.frame = sign(self.keys[0], HEADER_LABEL, b"", encode_header(self.header))
        self.writer = LedgerWriter(self.keys[0], self.frame, begin(self.frame, self.header, 0, self.seeds[0]))
        self.listeners = {
            side: LedgerFollower(self.keys[side], Start(side, self.seeds[side], self.frame, self.header))
            for side in self.people[1:]
        }
        self.records: list[bytes] = []
        self.to: dict[int, list[bytes]] = {side: [] for side in self.listeners}
        self.answers: list[bytes] = []
        self.at: list[tuple[Position, ...]] = [self._positions()]

    @property
    def position(self) -> Position:
        return self.writer.position

    @property
    def to_bob(self) -> list[bytes]:
        return self.to.get(1, [])

    @property
    def bob(self) -> LedgerFollower:
        return self.listeners[1]

    def _positions(self) -> tuple[Position, ...]:
        return (self.writer.position, *[one.position for one in self.listeners.values()])

    @property
    def is_new(self) -> bool:
        return self.header.version > 1

    def add(self, logged: Logged) -> None:
        self.records.append(bytes(logged.record))
        entry = logged.entries[0]
        bobs = isinstance(entry, kinds.ActionEntry | kinds.CommitEntry) and logged.before.signer(entry.seat) == 1
        self.answers.append(logged.answer_for(1) if bobs else b"")
        for side, listener in self.listeners.items():
            self.to[side].append(bytes(logged.for_side(side)))
            listener.receive_record(self.to[side][-1])
        self.at.append(self._positions())

    def take(self, record: Record) -> None:
        self.add(self.writer.add_sent(*read_record(bytes(record))))

    def check(self, *sides: int) -> None:
        """sides: all where none is named."""
        for side in sides or tuple(self.listeners):
            if self.listeners[side].owes_check():
                self.take(self.listeners[side].check())

    def act(self, seat: int) -> None:
        view = self.position.views[seat]
        if self.name == "hand" and seat > 1:
            action = choose(self.game, view, seat, "novice", Random(self.writer.thinking_seed(seat)))
        else:
            action = self.rng.choice(offered_actions(self.position, seat))
        signer = self.position.signer(seat)
        if signer:
            self.take(self.listeners[signer].move(action, self.rng.randbytes(10)))
        else:
            self.add(self.writer.move(seat, action))

    def step(self) -> None:
        position, writer = self.position, self.writer
        if position.phase is Phase.CHECKS:
            self.check()
            self.add(writer.close(CloseReason.WON) if position.state.stage == Stage.OVER else writer.deal())
        elif position.phase is Phase.DEALING:
            self.add(writer.deal())
        elif position.phase is Phase.OPENING:
            self.add(writer.open_hand())
        elif position.state.stage == Stage.SHOW:
            self.add(writer.show())
        else:
            self.act(position.state.to_act[0])

    def entry(self, number: int) -> Entry:
        return read_record(self.records[number])[1][0]

    def first(self, kind: type, by: int | None = None) -> int:
        """The number of the first record of this kind; by: of a seat."""
        for number in range(len(self.records)):
            entry = self.entry(number)
            if isinstance(entry, kind) and (by is None or getattr(entry, "seat", None) == by):
                return number
        raise ValueError(kind)

    def context(self, number: int, entry: Entry) -> bytes:
        """The head that an entry in this place is signed over."""
        position = self.at[number][0]
        several = isinstance(entry, kinds.ActionEntry | kinds.CommitEntry | kinds.CheckEntry)
        return position.open_head if position.simultaneous and several else position.head

    def signed(self, number: int, entry: Entry, by: int) -> Frame:
        return sign(self.keys[by], ENTRY_LABEL, self.context(number, entry), encode_entry(entry))

    def lines(self) -> Lines:
        lines = [("expect", "ok"), ("what", self.what), ("type", "game")]
        for i in self.people:
            private = self.keys[i].private_bytes_raw()
            lines += [(f"private key {i}", private.hex()), (f"chain seed {i}", self.seeds[i].hex())]
        lines += [("header", bytes(self.frame).hex()), ("head", self.at[0][0].head.hex())]
        for number, record in enumerate(self.records):
            lines.append(("record", record.hex()))
            if self.listeners and self.to_bob[number] != record:
                lines.append(("to side 1", self.to_bob[number].hex()))
            if self.answers[number]:
                lines.append(("taken", self.answers[number].hex()))
            lines.append(("head", self.at[number + 1][0].head.hex()))
        untried = [("decisions not tried", str(self.untried))] if self.untried else []
        return [*lines, *untried, ("scores", notation(list(self.position.state.scores)))]

    @property
    def untried(self) -> int:
        """How many moves were made by players that this program has in no edition."""
        entries = [self.entry(number) for number in range(len(self.records))]
        moves = [one for one in entries if isinstance(one, kinds.ActionEntry | kinds.CommitEntry)]
        theirs = [self.header.seats[one.seat] for one in moves if self.header.seats[one.seat].side is None]
        return sum(seat.level not in LEVELS or seat.edition == UNTRIED for seat in theirs)


def small_hand() -> Played:
    what = "a game of crazy eights that is won with its first hand, the dealer drawn before it"
    options = replace(crazy_eights.PRESETS["telecards"], winning_score=1)
    game = Played(what, "crazy_eights", options, None)
    while game.position.phase is not Phase.CLOSED:
        game.step()
    return game


def paused() -> Played:
    """The first game with entries that version 1 does not have."""
    what = "crazy eights: everybody is away, the table is paused, Bob comes back, Ann ends the game"
    options = replace(crazy_eights.PRESETS["telecards"], winning_score=1)
    game = Played(what, "crazy_eights", options, 0, "paused", version=VERSION)
    while game.position.count < 6:
        game.step()
    for seat, reason in ((0, TakeoverReason.ASKED_FOR), (1, TakeoverReason.CLOCK_RAN_OUT)):
        game.add(game.writer.takeover(seat, reason))
    game.add(game.writer.pause())
    game.add(game.writer.give_back(1))
    game.add(game.writer.resume())
    while game.position.count < 15:
        game.step()
    game.add(game.writer.open_hand())
    game.check()
    game.add(game.writer.close(CloseReason.ENDED))
    return game


def absent() -> Played:
    what = (
        "crazy eights with two listeners: Cy gives no part of the second pack in time, "
        "but comes back for the one after the next; Ann ends it"
    )
    options = replace(crazy_eights.PRESETS["telecards"], players=3, winning_score=200)
    game = Played(what, "crazy_eights", options, 0, "absent", version=VERSION, listeners=2)
    played_to_checks(game)
    game.check(1)
    game.add(game.writer.absent(2))
    game.check(1)
    game.add(game.writer.deal())
    while game.position.opened < 3:
        game.step()
    game.check(2)
    while game.position.dealt < 4:
        game.step()
    game.add(game.writer.open_hand())
    game.check()
    game.add(game.writer.close(CloseReason.ENDED))
    return game


def no_value() -> Played:
    what = (
        "crazy eights with two listeners: Cy checks without a value, and later after an ABSENT; "
        "Ann ends it between two hands"
    )
    options = replace(crazy_eights.PRESETS["telecards"], players=3, winning_score=400)
    game = Played(what, "crazy_eights", options, 0, "no-value", version=VERSION, listeners=2)
    played_to_checks(game)
    game.check(1)
    game.take(without_value(game, 2))  # the phase opens anew: Bob checks once more, and Cy owes nothing
    played_to_checks(game)
    game.check()  # Cy is off the roll, and comes onto the next one
    played_to_checks(game)
    game.check(1)
    game.add(game.writer.absent(2))
    game.check(2)  # late: this value goes into no pack
    played_to_checks(game)
    game.add(game.writer.close(CloseReason.ENDED))
    return game


def reopened() -> Played:
    what = (
        "crazy eights with three listeners: phases of checks that open anew, twice for one hand, by an ABSENT and by "
        "CHECKs without a value, of Dan, who is on the roll, or is not; every hand is given up; Ann ends it"
    )
    options = replace(crazy_eights.PRESETS["telecards"], players=4, winning_score=400)
    game = Played(what, "crazy_eights", options, 0, "reopened", version=VERSION, listeners=3)
    give_up(game)
    game.check(1, 2)
    game.take(without_value(game, 3))  # on the roll: the phase opens anew
    game.add(game.writer.absent(2))  # and once more; the value that Cy has given since the OPENING goes into no pack
    game.check(2)  # late
    give_up(game)
    game.take(without_value(game, 3))  # off the roll: nothing opens anew
    game.check(1)
    game.add(game.writer.absent(2))
    game.take(without_value(game, 3))  # so Dan checks in this phase too
    give_up(game)
    give_up(game)  # all have checked, and are on the next roll
    game.check(1)
    for side in (3, 2):
        game.take(without_value(game, side))
    give_up(game)
    game.add(game.writer.close(CloseReason.ENDED))
    return game


def give_up(game: Played) -> None:
    """The next hand is dealt, given up by all, and opened."""
    while game.position.phase is not Phase.PLAY:
        game.step()
    asked = kinds.RedealEntry(game.position.count, 1)
    game.add(game.writer.redeal(1, tuple([one.yes(asked) for one in game.listeners.values()])))
    game.add(game.writer.open_hand())


def played_to_checks(game: Played) -> None:
    """Until the next hand is over and opened."""
    opened = game.position.opened
    while game.position.opened == opened:
        game.step()


def without_value(game: Played, side: int) -> Record:
    """The CHECK of a side that has no value to give."""
    position = game.position
    entry = kinds.CheckEntry(position.open_base, side, position.dealt, Verdict.GOOD, b"")
    return Record((sign(game.keys[side], ENTRY_LABEL, position.open_head, encode_entry(entry)),))


def redealt() -> Played:
    what = "crazy eights: Bob asks for new cards, both agree, the hand is opened and dealt again; Ann ends it"
    options = replace(crazy_eights.PRESETS["telecards"], winning_score=1)
    game = Played(what, "crazy_eights", options, 0, "redealt", version=VERSION)
    while game.position.count < 9:
        game.step()
    yes = game.bob.yes(kinds.RedealEntry(game.position.count, 1))
    game.add(game.writer.redeal(1, (yes,)))
    while game.position.count < 18:
        game.step()
    game.add(game.writer.open_hand())
    game.check()
    game.add(game.writer.close(CloseReason.ENDED))
    return game


def fan() -> Played:
    what = "cribbage: Ann takes the next card for the first deal, Bob picks places, for the deal and for the starter"
    game = Played(what, "cribbage", cribbage.PRESETS["telecards"], None, "fan", version=VERSION, chance=" 1")
    while game.position.opened < 2:
        game.step()
    game.check()
    game.add(game.writer.close(CloseReason.ENDED))
    return game


def alone() -> Played:
    what = (
        "two-handed pinochle alone, deal 1912: a meld is taken back, hands are exchanged and turned up, and once more"
    )
    options = GAMES["pinochle2"].presets["meggiesoft"]
    game = Played(what, "pinochle2", options, None, "alone", version=VERSION, deal=1912, between_hands=20)
    while not (game.position.steps and isinstance(game.position.steps[-1].action, Meld)):
        game.step()
    game.add(game.writer.undo())
    while len(game.position.steps) < 40 or game.position.state.trick:
        game.step()
    game.add(game.writer.turn_hands(True))
    game.add(game.writer.swap(1))
    for _ in range(4):
        game.step()
    game.add(game.writer.restart())
    for _ in range(12):
        game.step()
    game.add(game.writer.open_hand())
    game.add(game.writer.close(CloseReason.ENDED))
    return game


def taken_back() -> Played:
    what = (
        "whist alone, deal 1912: Ann takes back her last card, with what the computers played to it, and the one before"
    )
    options = GAMES["whist"].presets["real-deal"]
    game = Played(what, "whist", options, None, "taken-back", version=VERSION, deal=1912, between_hands=20)
    while not (len(game.position.steps) > 12 and game.position.state.to_act == (0,)):
        game.step()
    game.add(game.writer.undo())
    game.add(game.writer.undo())
    for _ in range(6):
        game.step()
    game.add(game.writer.open_hand())
    game.add(game.writer.close(CloseReason.ENDED))
    return game


def not_opened() -> Played:
    what = (
        "hearts alone, deal 1912: Ann takes back the cards that she passes, passes again, and is dealt the hand anew; "
        "the OPENING has none of what was taken back or is before that"
    )
    game = Played(what, "hearts", hearts.PRESETS["real-deal"], 3, "not-opened", version=VERSION, deal=1912)
    for ends in (game.writer.restart, game.writer.open_hand):
        while game.position.phase is not Phase.PLAY:
            game.add(game.writer.deal())
        game.act(0)
        game.add(game.writer.undo())
        while len(game.position.steps) < 10:
            game.step()
        game.add(ends())
    game.add(game.writer.close(CloseReason.ENDED))
    return game


def euchre_of(name: str) -> Played:
    """left-out: the added options are left out of the header; added: they are all there, as in the preset usual."""
    what = {
        "left-out": "euchre whose header ends before the options that were added: they are false, and Ann may decline",
        "added": "euchre whose header ends with dealer_takes_up, which is true: Ann has to discard",
    }[name]
    options = euchre.PRESETS["real-deal" if name == "left-out" else "usual"]
    game = Played(what, "euchre", options, 0, name, version=VERSION)
    game.step()
    while game.position.phase is not Phase.PLAY:
        game.step()
    game.take(game.bob.move(euchre.Accept(alone=False), bytes(10)))
    if name == "left-out":
        game.add(game.writer.move(0, euchre.Decline()))
    while game.position.count < 12:
        game.step()
    game.add(game.writer.open_hand())
    game.check()
    game.add(game.writer.close(CloseReason.ENDED))
    return game


def continued() -> Played:
    what = "crazy eights: a hand is over and opened, and the game is closed to go on with Cy in a seat"
    options = replace(crazy_eights.PRESETS["telecards"], players=3)
    game = Played(what, "crazy_eights", options, 0, "continued", version=VERSION)
    played_to_checks(game)
    game.add(game.writer.close(CloseReason.CONTINUED))
    return game


def continuing(before: Played) -> Played:
    what = "the same game goes on: Cy has the computer's seat, scores and dealer are as they were; Ann ends it"
    options = before.position.state.options
    name = "continuing"
    game = Played(
        what, "crazy_eights", options, None, name, VERSION, listeners=2, between_hands=20, before=before.position
    )
    played_to_checks(game)
    game.check()
    game.add(game.writer.close(CloseReason.ENDED))
    return game


def left_behind() -> Played:
    what = "crazy eights: Ann is cut off in the second hand, which nobody checks, and ends the game where she is"
    options = replace(crazy_eights.PRESETS["telecards"], players=3)
    game = Played(what, "crazy_eights", options, 0, "left-behind", VERSION, listeners=2)
    played_to_checks(game)
    game.check()
    game.add(game.writer.deal())
    for _ in range(3):
        game.step()
    game.add(game.writer.open_hand())
    game.add(game.writer.close(CloseReason.ENDED))
    return game


def succeeding(before: Played) -> Played:
    """From right after the OPENING, which is the latest base."""
    what = "the same game goes on with Bob, who succeeds Ann; her seat is her character's, and the second hand is void"
    options = before.position.state.options
    base = next(one[0] for one in reversed(before.at) if is_base(one[0]))
    game = Played(what, "crazy_eights", options, None, "succeeding", VERSION, before=base, succeeds=True)
    played_to_checks(game)
    game.check()
    game.add(game.writer.close(CloseReason.ENDED))
    return game


def broken_off() -> Played:
    what = "hearts: cards are passed, Bob's seat is taken over and given back, Ann ends the game in mid-hand"
    game = Played(what, "hearts", hearts.PRESETS["real-deal"], 3)
    while game.position.count < 10:
        game.step()
    game.add(game.writer.takeover(1, TakeoverReason.CLOCK_RAN_OUT))
    while game.position.count < 18:
        game.step()
    game.add(game.writer.give_back(1))
    while game.position.count < 24:
        game.step()
    game.add(game.writer.open_hand())
    game.check()
    game.add(game.writer.close(CloseReason.ENDED))
    return game


def other_level() -> Played:
    what = "crazy eights with a computer player of a level that p2pcards does not have: its decisions are not tried"
    options = replace(crazy_eights.PRESETS["telecards"], players=3, winning_score=1)
    game = Played(what, "crazy_eights", options, 0, "other-level", version=VERSION, level="sage")
    while game.position.phase is not Phase.CLOSED:
        game.step()
    return game


def no_edition() -> Played:
    what = "crazy eights with a novice of edition 65535, which is no player's: their decisions are not tried"
    options = replace(crazy_eights.PRESETS["telecards"], players=3, winning_score=1)
    game = Played(what, "crazy_eights", options, 0, "no-edition", version=VERSION, edition=65535)
    while game.position.phase is not Phase.CLOSED:
        game.step()
    return game


def whole_hand() -> Played:
    what = "hearts: a whole hand in which every byte follows from the secrets, even the computer players' moves"
    edition = edition_of("hearts", "novice")
    game = Played(what, "hearts", hearts.PRESETS["hearts-deluxe"], 2, "hand", version=VERSION, edition=edition)
    while game.position.opened == 0:
        game.step()
    game.check()
    game.add(game.writer.close(CloseReason.ENDED))
    return game


def hand_lines(game: Played) -> Lines:
    values = [chain_value(game.seeds[side], 1) for side in game.people]
    secret = hand_secret(VERSION, game.at[0][0].head, 1, values[0], {1: values[1]})
    packs = [(label, bytes(shuffle(hearts.PACK, secret, label)).hex()) for label in ("pack", "draw")]
    lines = [
        ("expect", "ok"),
        (
            "what",
            "what the whole hand is made from, the computer players' decisions, and the log files that result",
        ),
        ("type", "hand"),
        ("game", "games/hand.txt"),
        *[(f"value of side {side}", value.hex()) for side, value in enumerate(values)],
        ("secret", secret.hex()),
        *packs,
    ]
    for number in range(len(game.records)):
        entry = game.entry(number)
        if isinstance(entry, kinds.ActionEntry | kinds.CommitEntry) and entry.seat > 1:
            seed = computer_seed(values[0], entry.seat, number)
            lines.append(("decision", notation([number, entry.seat, "novice", seed.to_bytes(32, "big")])))
    for side, records in enumerate((game.records, game.to_bob)):
        start = start_payloads(side, game.seeds[side], game.frame)
        data = MAGIC + b"".join([encode_record(payload) for payload in [*start, *[RECORD + one for one in records]]])
        lines.append((f"log of side {side}", notation([len(data), sha256(data).digest()])))
    return lines


def header_of_game(game: Played) -> Lines:
    what = f"the header of the game of {game.game.key}{f', of version {VERSION}' * game.is_new}, signed by side 0"
    return header_lines(game.frame, what)


def header_of_bounds(game: Played) -> Lines:
    """Of this version, with the sides of a game of version 1."""
    values = msgpack.unpackb(game.frame.body)
    seats = [[*seat, 65535] for seat in values[5]]
    most = [
        values[0],
        VERSION,
        *values[2:5],
        seats,
        86400,
        86400,
        values[8],
        len(seats) - 1,
        values[10],
        31,
        None,
        3600,
    ]
    frame = sign(game.keys[0], HEADER_LABEL, b"", msgpack.packb(most))
    return header_lines(frame, "a header in which each number is as high as it may be")


def header_lines(frame: Frame, what: str) -> Lines:
    header, head = decode_header(frame), next_head(b"", frame)
    return [
        ("expect", "ok"),
        ("what", what),
        ("type", "header"),
        ("key", header.sides[0].key.hex()),
        ("value", notation(msgpack.unpackb(frame.body))),
        ("body", frame.body.hex()),
        ("signature", frame.signature.hex()),
        ("frame", bytes(frame).hex()),
        *[
            (f"to side {place}", bytes(abridge_header(frame, side.key)).hex())
            for place, side in enumerate(header.sides[1:], 1)
        ],
        ("head", head.hex()),
        ("game id", head[:16].hex()),
    ]


# --- messages ---------------------------------------------------------------------------------------------------------

GAME_ID, HEAD = fixed("game id", 16), fixed("head", 32)
NONCE, END = fixed("nonce", 16), fixed("end", 24)
PEOPLE = (
    messages.Person("Ann", "wayne", 0, True),
    messages.Person("Bob", "betty", 1, True),
    messages.Person("Cy", "granny", None, False),
)
PLAYER, WATCHER = (Ed25519PrivateKey.from_private_bytes(fixed(f"key {name}", 32)) for name in ("Bob", "Wim"))
WATCHERS = (
    messages.WatcherNow("Willa", fixed("key of Willa", 32)),
    messages.WatcherNow("Wim", public_bytes(WATCHER), "Bob"),
)
HAND = ShownHand(14, (18, 35, 62))
SHOWN = seal_hand(PLAYER, public_bytes(WATCHER), GAME_ID, HAND)
MESSAGES: dict[str, tuple[str, messages.Message]] = {
    "hello": ("Ann, who coordinates, says who she is", messages.Hello(VERSION, True, "Ann", "wayne")),
    "bye": ("Bob leaves the table for good, and closes the link", messages.Bye(ByeCode.LEAVES, "Good night.")),
    "bye-comes-next": (
        "another's hand is on, and the table is Ann's when it is over",
        messages.Bye(ByeCode.COMES_NEXT),
    ),
    "bye-gave-way": ("somebody known better has the table now, and the game is paused", messages.Bye(ByeCode.GAVE_WAY)),
    "ping": ("the seventh ping of this link", messages.Ping(7)),
    "pong": ("its answer", messages.Pong(7)),
    "chat": ("the third line that person 1 says", messages.Chat(1, 3, "Well played \N{BLACK HEART SUIT}")),
    "people": (
        "the table as Bob is shown it: two people are seated, one watches and is away, crazy eights is chosen",
        messages.People(PEOPLE, 1, "crazy_eights", (100, False, False, False, False, 2)),
    ),
    "offer": ("a game is about to begin: give the end of a new chain", messages.Offer(NONCE)),
    "stake": ("the end of Bob's chain", messages.Stake(NONCE, END)),
    "header": ("the second and last part of a header", messages.HeaderPart(1, 2, fixed("header part", 32))),
    "resume": ("my log of this game has twelve records", messages.Resume(GAME_ID, 12, HEAD)),
    "resume-nothing": ("I have nothing of this game, not even its header", messages.Resume(GAME_ID, 0, bytes(32))),
    "refused": (
        "your move with base 12 came late",
        messages.RefusedMove(12, RefusalCode.LATE, "It came late."),
    ),
    "away": ("my character is to play for me", messages.Away(True)),
    "clocks": (
        "four seats: here, away and taken over in 41 seconds, played by the character, here",
        messages.Clocks(
            (
                (messages.ClockState.HERE, None),
                (messages.ClockState.AWAY, 41),
                (messages.ClockState.CHARACTER, None),
                (messages.ClockState.HERE, None),
            )
        ),
    ),
    "again": ("side 1 would like to play again", messages.Again(1, True)),
    "ask": ("send me your records from number 12 on", messages.Ask(12)),
    "look-on": ("a game is on that has twelve records, and you have no side in it", messages.LookOn(GAME_ID, 12)),
    "give": ("my seat is to go to Cy when the hand is over", messages.Give("Cy")),
    "give-nobody": ("I keep my seat", messages.Give(None)),
    "watch": ("Willa wants to watch", messages.Watch(VERSION, "Willa")),
    "watchers": ("Willa and Wim watch, and Bob shows Wim his hand", messages.WatchersNow(WATCHERS)),
    "watchers-none": ("nobody watches; to a watcher: wait for the host", messages.WatchersNow(())),
    "show": ("here is my hand, for Wim", messages.ShowHand(WATCHERS[1].key, SHOWN)),
    "show-none": ("my hand is shown no longer", messages.ShowHand(WATCHERS[1].key, b"")),
    "people-watcher": ("the table as a watcher is shown it", messages.People(PEOPLE[:1], None, None, ())),
    "no-seat": ("there is no seat for you", messages.NoSeat()),
    "handover": ("Cy coordinates from now on", messages.Handover(fixed("key of Cy", 32))),
    "doors": (
        "Bob and Cy are here; Bob is first in line, and nobody knows where Cy can be called",
        messages.Doors(
            (
                messages.Door(1, fixed("key of Bob", 32), "192.0.2.8:4747"),
                messages.Door(2, fixed("key of Cy", 32), ""),
            )
        ),
    ),
    "doors-none": ("nobody else is here any more", messages.Doors(())),
    "bye-succeeded": ("to the old coordinator: I host this game now", messages.Bye(ByeCode.SUCCEEDED)),
    "bye-handed-over": ("somebody else hosts from now on", messages.Bye(ByeCode.HANDED_OVER)),
    "have": ("record 12, as the listener has it without faces", messages.Have(12, fixed("record", 32))),
}
HOSTILE_MESSAGES: dict[str, tuple[str, str, bytes]] = {
    "empty": ("length", "no bytes at all", b""),
    "ping-long-number": ("encoding", "the number as uint 8 where one byte is enough", bytes.fromhex("9212cc07")),
    "ping-array16": ("encoding", "the array as array 16", bytes.fromhex("dc00021207")),
    "ping-cut": ("encoding", "the array announces two elements and has one", bytes.fromhex("9212")),
    "ping-and-more": ("encoding", "a byte after the array", bytes.fromhex("92120700")),
    "hello-no-utf8": ("encoding", "a name that is not UTF-8", bytes.fromhex("951002c3a2fffea0")),
    "ping-true": ("shape", "true instead of 1", bytes.fromhex("9212c3")),
    "ping-float": ("shape", "7.0 instead of 7", bytes.fromhex("9212cb401c000000000000")),
    "ping-two": ("shape", "one element too many", bytes.fromhex("93120707")),
    "ping-map": ("shape", "a map instead of an array", bytes.fromhex("81a17007")),
    "kind-99": ("shape", "a kind that does not exist", bytes.fromhex("926307")),
    "code-short": ("shape", "a share of 31 bytes", msgpack.packb([32, 7, bytes(31)])),
    "watchers-17": ("shape", "seventeen who watch", msgpack.packb([43, ["x"] * 17])),
    "long-name": ("shape", "a name of 25 characters", msgpack.packb([16, VERSION, False, "x" * 25, "betty"])),
    "deep": ("shape", "arrays nested in arrays", b"\x92\x12" + b"\x91" * 400 + b"\xc0"),
    "quick-32": ("shape", "a QUICK with phrase 32, which there is not", bytes.fromhex("0260")),
    "quick-long": ("shape", "a QUICK of two bytes", bytes.fromhex("021e1e")),
    "quick-short": ("shape", "a QUICK without its byte", bytes.fromhex("02")),
    "record-empty": ("shape", "a RECORD without a record", bytes.fromhex("0005")),
    "taken-short": ("shape", "a TAKEN with three bytes of the head", bytes.fromhex("030c0a0b0c")),
    "kind-4": ("shape", "a first byte below 0x80 that is no kind", bytes.fromhex("0407")),
    "give-number": ("shape", "a seat given to a number in place of a name", bytes.fromhex("922907")),
    "number-33-bits": ("shape", "a number of more than 32 bits", msgpack.packb([18, 2**32])),
    "ping-negative": ("shape", "a number below 0", msgpack.packb([18, -1])),
    "author-4": ("shape", "a line of person 4, of whom there is none", msgpack.packb([20, 4, 1, "Hello"])),
    "proposal-restart": ("shape", "a RESTART proposed", msgpack.packb([38, 14, 9, 1, bytes(64)])),
    "vote-half": ("shape", "a signature of 32 bytes", msgpack.packb([39, 9, 1, bytes(32)])),
    "header-part-16": ("shape", "part 16 of a header", msgpack.packb([24, 16, 16, bytes(4)])),
    "clocks-five": ("shape", "clocks of five seats", msgpack.packb([28, [[0, None]] * 5])),
    "handover-short": ("shape", "a key of 31 bytes", msgpack.packb([44, bytes(31)])),
    "doors-five": ("shape", "five doors", msgpack.packb([45, [[1, bytes(32), ""]] * 5])),
    "doors-place": ("shape", "a door of person 4, of whom there is none", msgpack.packb([45, [[4, bytes(32), ""]]])),
    "doors-key": ("shape", "a key of 33 bytes", msgpack.packb([45, [[1, bytes(33), ""]]])),
    "doors-long": ("shape", "an address of 301 characters", msgpack.packb([45, [[1, bytes(32), "x" * 301]]])),
    "doors-nil": ("shape", "nil for an address", msgpack.packb([45, [[1, bytes(32), None]]])),
}


# --- first contact ----------------------------------------------------------------------------------------------------

CODE = read_code("7-crossword-clockwork")
BINDING = fixed("binding", 32)
OPENER, WAITER = (public_bytes(Ed25519PrivateKey.from_private_bytes(fixed(f"key {name}", 32))) for name in NAMES)
CHANCES = {True: fixed("chance opener 1", 32) + fixed("chance opener 2", 32)}
CHANCES[False] = fixed("chance waiter 1", 32) + fixed("chance waiter 2", 32)
BEGAN, ANSWERED = fixed("words began", 16), fixed("words answered", 16)


def always(chance: bytes) -> Callable[[int], bytes]:
    return lambda _: chance


def exchanged() -> tuple[Exchange, Exchange]:
    """Both sides of the exchange, the opener's first."""
    sides = [
        Exchange(CODE, opens=opens, binding=BINDING, opener=OPENER, waiter=WAITER, entropy=always(chance))
        for opens, chance in CHANCES.items()
    ]
    for side, other in zip(sides, reversed(sides), strict=True):
        side.finish(other.share)
    return sides[0], sides[1]


def spoken_messages() -> dict[str, tuple[str, messages.Message]]:
    opener, waiter = exchanged()
    return {
        "code": ("Ann, who opened the stream, has the code number 7", messages.GiveCode(CODE.number, opener.share)),
        "code-five-digits": ("Ann has the code number 48213", messages.GiveCode(48213, opener.share)),
        "code-answer": ("Bob's share, and his proof", messages.CodeAnswer(waiter.share, waiter.proof)),
        "code-proof": ("Ann's proof", messages.CodeProof(opener.proof)),
        "words-commitment": (
            "let us compare words; I am bound to a nonce",
            messages.WordsCommitment(words_commitment(BINDING, BEGAN)),
        ),
        "words-nonce": ("the nonce of the other side", messages.WordsNonce(ANSWERED)),
        "words-reveal": ("the nonce that I was bound to", messages.WordsReveal(BEGAN)),
        "proposal": (
            "Bob asks for new cards, and has said yes",
            messages.Proposal(kinds.EntryKind.REDEAL, 9, 1, fixed("yes 0", 32) + fixed("yes 1", 32)),
        ),
        "vote-yes": ("Cy says yes to that", messages.Vote(9, 2, fixed("yes 2", 32) + fixed("yes 3", 32))),
        "vote-no": ("Cy says no", messages.Vote(9, 2, b"")),
    }


def spoken_vectors() -> Iterator[tuple[str, Lines]]:
    ok = ("expect", "ok")
    opener, waiter = exchanged()
    sent = {name: messages.encode_message(message) for name, (_, message) in spoken_messages().items()}
    yield (
        "first-contact",
        [
            ok,
            ("what", "Ann opened the stream and proves the code that Bob shows"),
            ("type", "first contact"),
            ("code", str(CODE)),
            ("binding", BINDING.hex()),
            ("key of the opener", OPENER.hex()),
            ("key of the waiter", WAITER.hex()),
            ("chance of the opener", CHANCES[True].hex()),
            ("chance of the waiter", CHANCES[False].hex()),
            ("M", ParamsEd25519.M.to_bytes().hex()),
            ("N", ParamsEd25519.N.to_bytes().hex()),
            ("w", Ed25519Group.password_to_scalar(str(CODE).encode()).to_bytes(32, "big").hex()),
            ("share of the opener", opener.share.hex()),
            ("share of the waiter", waiter.share.hex()),
            ("proof of the opener", opener.proof.hex()),
            ("proof of the waiter", waiter.proof.hex()),
            *[
                (f"message {name.replace('-', ' ')}", sent[name].hex())
                for name in ("code", "code-answer", "code-proof")
            ],
        ],
    )
    yield (
        "words-compared",
        [
            ok,
            ("what", "three words to compare by voice"),
            ("type", "words compared"),
            ("binding", BINDING.hex()),
            ("nonce of who began", BEGAN.hex()),
            ("nonce of the other", ANSWERED.hex()),
            ("commitment", words_commitment(BINDING, BEGAN).hex()),
            ("words", " ".join(words_to_compare(BINDING, BEGAN, ANSWERED))),
        ],
    )
    lists = [("first list", " ".join(FIRST)), ("second list", " ".join(SECOND))]
    yield "words", [ok, ("what", "the words, counted from 0"), ("type", "word lists"), *lists]


def message_vectors() -> Iterator[tuple[str, Lines]]:
    for name, (what, message) in (MESSAGES | spoken_messages()).items():
        data = messages.encode_message(message)
        lines = [("expect", "ok"), ("what", what), ("type", "message")]
        yield f"messages/{name}", [*lines, ("value", notation(msgpack.unpackb(data))), ("bytes", data.hex())]
    short: dict[str, tuple[str, messages.Message]] = {
        "quick": ("Bob claps his hands: author 1, phrase 30", messages.Quick(1, find_phrase("claps") or 0)),
        "taken": ("Bob's move is record 12; nobody is shown anything by it", messages.Taken(12, HEAD[:4], b"")),
    }
    for name, (what, message) in short.items():
        data = messages.encode_message(message)
        yield f"messages/{name}", [("expect", "ok"), ("what", what), ("type", "message"), ("bytes", data.hex())]
    for name, (cause, what, data) in HOSTILE_MESSAGES.items():
        lines = [("expect", f"refused {cause}"), ("what", what), ("type", "message")]
        yield f"messages/refused-{name}", [*lines, ("bytes", data.hex())]


# --- chance -----------------------------------------------------------------------------------------------------------


def chance_vectors() -> Iterator[tuple[str, Lines]]:
    seed, head, value = fixed("chain", 24), fixed("head", 32), fixed("value", 24)
    ok = ("expect", "ok")
    chain = [(f"value {number}", chain_value(seed, number).hex()) for number in (0, 1, 2, 8192, 16383, 16384)]
    yield "chain", [ok, ("what", "a chain of 16384 steps; value 0 is its end"), ("type", "chain"), *chain]
    present = {1: fixed("listener 1", 24), 3: fixed("listener 3", 24)}
    last = {2: fixed("listener 2", 24)}
    given = [(f"value of side {side}", one.hex()) for side, one in present.items()]
    stands_in = [(f"last value of side {side}", one.hex()) for side, one in last.items()]
    for name, version, what, values, listeners in (
        ("secret", VERSION, "whose last value stands in for them", [given[0], *stands_in, given[1]], present | last),
        ("secret-version-1", 1, "who is left out in version 1", given, present),
    ):
        lines = [
            ok,
            ("what", f"the secret of hand 5, sides 1 and 3 present, side 2 absent, {what}"),
            ("type", "secret"),
            ("head", head.hex()),
            ("version", str(version)),
            ("hand", "5"),
            ("value of the coordinator", value.hex()),
        ]
        yield name, [*lines, *values, ("secret", hand_secret(version, head, 5, value, listeners).hex())]
    secret = hand_secret(1, head, 5, value, present)
    header = Header("hearts", (True, 100, "left"), (), (), 0, 0, b"", None, bytes(16), deal=1912)
    yield (
        "numbered-deal",
        [
            ok,
            ("what", "the secret of hand 3 of deal 1912; the game and the values of its options are made up"),
            ("type", "numbered deal"),
            ("value", notation([header.game, header.options, header.deal, 3])),
            ("secret", numbered_secret(header, 3).hex()),
        ],
    )
    # The first two of these secrets that meet the limit so.
    limit, below = fixed("shuffle 10053722", 32), fixed("shuffle 1855", 32)
    for name, what, by, label in (
        ("pack", "a pack of 52 cards, shuffled", secret, "pack"),
        ("draw", "a pack of 52 cards, shuffled", secret, "draw"),
        ("limit", "for place 39 comes its limit, and then a number above it: both are thrown away", limit, "pack"),
        ("below", "for place 46 comes a number one below its limit, and is taken", below, "pack"),
    ):
        lines = [ok, ("what", what), ("type", "shuffle"), ("label", label)]
        lines += [("secret", by.hex()), ("unshuffled", bytes(hearts.PACK).hex())]
        yield f"shuffle-{name}", [*lines, ("shuffled", bytes(shuffle(hearts.PACK, by, label)).hex())]
    salt, cards = fixed("salt", 10), bytes((0x0C, 0x2E, 0x3C))
    yield (
        "commitment",
        [
            ok,
            ("what", "three cards passed in hearts: queen of clubs, ace of hearts, queen of spades"),
            ("type", "commitment"),
            ("salt", salt.hex()),
            ("value", notation([0, cards])),
            ("msgpack", msgpack.packb([0, cards]).hex()),
            ("commitment", commitment(salt, 0, (cards,)).hex()),
        ],
    )
    given = [("value of the coordinator", value.hex()), ("seat", "2")]
    salts = [*given, ("base", "7"), ("salt", derived_salt(value, 2, 7).hex())]
    yield "salt", [ok, ("what", "the coordinator's derived salt"), ("type", "salt"), *salts]
    number = computer_seed(value, 2, 300).to_bytes(32, "big").hex()
    seeds = [*given, ("count", "300"), ("seed", number)]
    yield "computer", [ok, ("what", "the seed of a computer player's decision"), ("type", "computer"), *seeds]


# --- entries ----------------------------------------------------------------------------------------------------------


def entry_vectors(games: dict[str, Played]) -> Iterator[tuple[str, Lines]]:
    eights, heart, still = games["crazy_eights"], games["hearts"], games["paused"]
    again, one, on = games["redealt"], games["alone"], games["continued"]
    picks = {
        "action": ("Bob plays a card", eights, eights.first(kinds.ActionEntry, 1)),
        "commit": ("Bob passes three cards", heart, heart.first(kinds.CommitEntry, 1)),
        "outcome": ("the cards that the players have left are turned up", eights, eights.first(kinds.OutcomeEntry)),
        "deal": ("the dealer is drawn", eights, eights.first(kinds.DealEntry)),
        "takeover": ("Bob's turn clock has run out", heart, heart.first(kinds.TakeoverEntry)),
        "return": ("Bob plays again", heart, heart.first(kinds.ReturnEntry)),
        "opening": ("the hand is opened", heart, heart.first(kinds.OpeningEntry)),
        "check": ("Bob agrees to the header, and reveals a first value", eights, eights.first(kinds.CheckEntry)),
        "close": ("the game is won", eights, eights.first(kinds.CloseEntry)),
        "close-continued": ("the game goes on in another log", on, on.first(kinds.CloseEntry)),
        "pause": ("everybody is away, and the table is paused", still, still.first(kinds.PauseEntry)),
        "continue": ("Bob is back, and it goes on", still, still.first(kinds.ContinueEntry)),
        "redeal": ("the hand is given up, as Bob asked and agreed to", again, again.first(kinds.RedealEntry)),
        "undo": ("a meld is taken back", one, one.first(kinds.UndoEntry)),
        "face-up": ("the hands are turned up for Ann", one, one.first(kinds.FaceUpEntry)),
        "swap": ("Ann exchanges hands with seat 1", one, one.first(kinds.SwapEntry)),
        "restart": ("the same cards are dealt again", one, one.first(kinds.RestartEntry)),
        "absent": (
            "Cy has given no part of the shuffle in time",
            games["absent"],
            games["absent"].first(kinds.AbsentEntry),
        ),
    }
    for name, (what, game, number) in picks.items():
        frame = read_record(game.records[number])[0].frames[0]
        entry = game.entry(number)
        by = 1 if name in ("action", "commit", "check") else 0
        after = next_head(game.at[number][0].head, frame)
        yield (
            f"entries/{name}",
            frame_lines(what, "entry", game, number, frame, by, ENTRY_LABEL, game.context(number, entry), after),
        )
    number = eights.first(kinds.DealEntry) + 1
    faces = read_record(eights.to_bob[number])[0].faces
    assert faces is not None
    context = eights.at[number + 1][0].head + b"\1"
    what = "the seven cards that are dealt to seat 1"
    yield "entries/faces", frame_lines(what, "faces", eights, number, faces, 0, FACES_LABEL, context, b"")


def frame_lines(
    what: str, kind: str, game: Played, number: int, frame: Frame, by: int, label: bytes, context: bytes, head: bytes
) -> Lines:
    lines = [
        ("expect", "ok"),
        ("what", what),
        ("type", kind),
        ("game", f"games/{game.name}.txt"),
        ("record", str(number)),
        ("key", game.header.sides[by].key.hex()),
        ("label", label.decode()),
        ("context", context.hex()),
        ("value", notation(msgpack.unpackb(frame.body))),
        ("body", frame.body.hex()),
        ("signature", frame.signature.hex()),
        ("frame", bytes(frame).hex()),
    ]
    return [*lines, ("head", head.hex())] if head else lines


# --- the handshake ----------------------------------------------------------------------------------------------------


def handshake_vectors() -> Iterator[tuple[str, Lines]]:
    identities = [Ed25519PrivateKey.from_private_bytes(fixed(f"key {name}", 32)) for name in NAMES]
    keys = {(name, what): fixed(f"{what} {name}", 32) for name in NAMES for what in ("static", "ephemeral")}
    ann, bob = (
        Handshake(
            initiator=name == "Ann",
            prologue=PROLOGUE,
            static=X25519PrivateKey.from_private_bytes(keys[name, "static"]),
            ephemeral=X25519PrivateKey.from_private_bytes(keys[name, "ephemeral"]),
        )
        for name in NAMES
    )

    def payload(by: int, under: bytes) -> bytes:
        return public_bytes(identities[by]) + identities[by].sign(CHANNEL_LABEL + bytes((by + 1,)) + under)

    first = ann.write(lambda _: b"")
    bob.read(first)
    second = bob.write(lambda under: payload(1, under))
    under_second, _ = ann.read(second)
    third = ann.write(lambda under: payload(0, under))
    under_third, _ = bob.read(third)
    lines = [("expect", "ok"), ("what", "Ann opens a channel to Bob, and each sends PING 7"), ("type", "handshake")]
    for name, identity in zip(NAMES, identities, strict=True):
        lines.append((f"identity of {name}", identity.private_bytes_raw().hex()))
        lines += [(f"{what} of {name}", keys[name, what].hex()) for what in ("static", "ephemeral")]
    lines += [("message 1", first.hex()), ("message 2", second.hex()), ("signed by Bob over", under_second.hex())]
    lines += [("message 3", third.hex()), ("signed by Ann over", under_third.hex()), ("handshake hash", ann.hash.hex())]
    ping = messages.encode_message(messages.Ping(7))
    (seal_ann, _), (seal_bob, _) = ann.split(), bob.split()
    sealed = [
        (f"sealed by {name}", cipher.seal(ping).hex()) for name, cipher in zip(NAMES, (seal_ann, seal_bob), strict=True)
    ]
    yield "handshake", [*lines, ("plain", ping.hex()), *sealed]


# --- the same on a WebSocket ------------------------------------------------------------------------------------------


MASK = bytes.fromhex("37fa213d")
"""Of all frames of Ann's; a browser draws one for each. It is that of RFC 6455, 5.7, as is the key."""
OPENING = {
    "request": "GET /table HTTP/1.1\r\nHost: 192.0.2.7:4747\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Protocol: p2pcards.1\r\nOrigin: http://192.0.2.7:4747\r\n\r\n",
    "answer": "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: p2pcards.1\r\n\r\n",
}
NOT_GRANTED = {
    "HTTP/1.1\r\n": "HTTP/1.0\r\n",
    "p2pcards.1": "p2pcards.2",
    "dGhlIHNhbXBsZSBub25jZQ==": "dGhlIHNhbXBsZSBub25j",
    "Origin: http://192.0.2.7:4747": "Content-Length: 5",
}
"""What stands in the request, and what in its place makes it none that is granted."""
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG, LAST = 0, 1, 2, 8, 9, 10, 0x80


def websocket_vectors() -> Iterator[tuple[str, Lines]]:
    """The messages of the handshake, with what the framing allows and what it forbids."""
    handshake = dict(dict(handshake_vectors())["handshake"])
    first, second, third, ann, bob = [
        len(body).to_bytes(2, "big") + body
        for name in ("message 1", "message 2", "message 3", "sealed by Ann", "sealed by Bob")
        for body in [bytes.fromhex(handshake[name])]
    ]
    frames = {
        "frame of message 1": ws_frame(LAST | BINARY, first, MASK),
        "frame of message 2": ws_frame(BINARY, b"") + ws_frame(LAST | CONTINUATION, second),
        "frame of message 3": ws_frame(LAST | BINARY, third[:100], MASK) + ws_frame(LAST | BINARY, third[100:], MASK),
        "ping of Bob": ws_frame(LAST | PING, b"here?"),
        "pong of Ann": ws_frame(LAST | PONG, b"here?", MASK),
        "frame of Ann's PING": ws_frame(BINARY, ann[:1], MASK) + ws_frame(LAST | CONTINUATION, ann[1:], MASK),
        "frame of Bob's PING": ws_frame(LAST | BINARY, bob),
        "close of Ann": ws_frame(LAST | CLOSE, b"\x03\xe8", MASK),
        "close of Bob": ws_frame(LAST | CLOSE, b"\x03\xe8"),
    }
    forbidden = [
        (1002, ws_frame(LAST | BINARY, b"x")),  # without a mask
        (1002, ws_frame(LAST | 0x40 | BINARY, b"x", MASK)),  # a reserved bit
        (1002, ws_frame(LAST | 3, b"x", MASK)),  # a reserved opcode
        (1002, ws_frame(LAST | CONTINUATION, b"x", MASK)),  # of nothing
        (1002, ws_frame(PING, b"", MASK)),  # in fragments
        (1002, ws_frame(LAST | PING, bytes(126), MASK)),
        (1002, b"\x82\xfe\x00\x01" + MASK),  # a length that could be written shorter
        (1002, ws_frame(LAST | CLOSE, b"\x03\xec", MASK)),  # code 1004
        (1003, ws_frame(LAST | TEXT, b"x", MASK)),
        (1008, 65 * ws_frame(LAST | PONG, b"", MASK)),
    ]
    lines = [("expect", "ok"), ("what", "the channel of handshake.txt on a WebSocket"), ("type", "websocket")]
    lines += [(name, text.encode().hex()) for name, text in OPENING.items()]
    others = [OPENING["request"].replace(right, wrong) for right, wrong in NOT_GRANTED.items()]
    lines += [("not granted", text.encode().hex()) for text in others]
    lines += [(name, frame.hex()) for name, frame in frames.items()]
    lines += [("stream from Ann", (first + third + ann).hex()), ("stream from Bob", (second + bob).hex())]
    lines += [(f"forbidden {code}", frame.hex()) for code, frame in forbidden]
    yield "websocket", lines


def reach_vectors() -> Iterator[tuple[str, Lines]]:
    """Ann calls Bob at the place of a link; both say something, and end."""
    token, connection, day = fixed("token", TOKEN), fixed("connection", 16), 20_784
    ann, bob = (Ed25519PrivateKey.from_private_bytes(fixed(f"key {name}", 32)) for name in NAMES)
    anns, bobs = (X25519PrivateKey.from_private_bytes(fixed(f"share of {name}", 32)) for name in NAMES)
    place, secret = place_of_link(token), pair_secret(ann, public_bytes(bob))
    friends = place_of_friend(secret, public_bytes(bob), day)
    opening = make_opening(connection, anns.public_key().public_bytes_raw(), place.key)
    answered = answer_opening(opening, bobs, place.key)
    assert answered
    answer, keys = answered
    lines = [("expect", "ok"), ("what", "Ann calls Bob with a link, through brokers"), ("type", "reach")]
    lines += [
        ("code", "48213-crossword-clockwork"),
        ("topic of a waiter with the code", place_of_code(48213).host_topic),
        ("token", token.hex()),
        ("topic of Bob", place.host_topic),
        ("topic of Ann", place.guest_topic),
        ("meeting key", place.key.hex()),
        ("seed of Ann", ann.private_bytes_raw().hex()),
        ("seed of Bob", bob.private_bytes_raw().hex()),
        ("secret of the link", str(make_invitation(token, public_bytes(bob)))),
        ("pair secret", secret.hex()),
        ("day", str(day)),
        ("topic of Bob for a friend", friends.host_topic),
        ("meeting key of friends", friends.key.hex()),
        ("private key of Ann", anns.private_bytes_raw().hex()),
        ("private key of Bob", bobs.private_bytes_raw().hex()),
        ("opening", bytes(opening).hex()),
        ("answer", bytes(answer).hex()),
        ("key of the caller", keys.caller.hex()),
        ("key of the waiter", keys.waiter.hex()),
    ]
    for name, payload, plain in relayed_frames(connection, keys):
        what = "" if payload[0] == FRAME else "a signal of "
        sealed = f"frame of {name}" if payload[0] == FRAME else f"signal of {name}"
        lines += [(sealed, payload.hex()), (f"plaintext of {what}{name}", plain.hex())]
    yield "reach", lines


def shown_hand_vectors() -> Iterator[tuple[str, Lines]]:
    """Bob shows Wim, who watches, his hand."""
    yield (
        "shown-hand",
        [
            ("expect", "ok"),
            ("what", "Bob shows a watcher his hand"),
            ("type", "shown hand"),
            ("seed of the player", PLAYER.private_bytes_raw().hex()),
            ("seed of the watcher", WATCHER.private_bytes_raw().hex()),
            ("game id", GAME_ID.hex()),
            ("records", str(HAND.count)),
            ("cards", bytes(HAND.cards).hex()),
            ("pair secret", pair_secret(PLAYER, public_bytes(WATCHER)).hex()),
            ("sealed", SHOWN.hex()),
        ],
    )


@dataclass(frozen=True, slots=True)
class HandsCounted:
    """A game as far as it matters for which of its hands count. seats: the side of each; named: the sides whose keys
    are the *quorum* of the header; hands: the sides that are away at the OPENING, and those whose checks come;
    continued: a CLOSE with reason 2 follows the last of them."""

    what: str
    seats: tuple[int | None, ...]
    hands: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    named: tuple[int, ...] | None = None
    continued: bool = False


HANDS_COUNTED = {
    "majority": HandsCounted(
        "of three two are enough, then both of the two who are left",
        (0, 1, 2),
        (((), ()), ((), (1,)), ((2,), (1,)), ((1, 2), ()), ((1, 2), (1,))),
    ),
    "one-drops": HandsCounted(
        "two of four are away: after each hand that counts one of them drops out of the quorum",
        (0, 1, 2, 3),
        (((2, 3), (1,)), ((2, 3), (1, 2)), ((2, 3), (1,)), ((2, 3), (1,))),
    ),
    "one-comes": HandsCounted(
        "two who are not in the quorum are here: after each hand that counts one of them comes in",
        (0, 1, 2, 3),
        (((), (2, 3)), ((), (1,)), ((), (1,)), ((), (1, 2))),
        named=(0, 1),
    ),
    "nobody": HandsCounted(
        "everybody is away at the OPENING, and checks it later: the quorum stays",
        (0, 1, 2),
        (((0, 1, 2), (1, 2)),),
    ),
    "two": HandsCounted(
        "of two who began a game the coordinator is enough",
        (0, None, 1, None),
        (((), ()), ((1,), ()), ((0,), ()), ((0, 1), (1,))),
    ),
    "two-after-three": HandsCounted(
        "of two who continue a game of three the coordinator is not enough",
        (0, None, 1, None),
        (((), ()), ((), (1,)), ((), (1,)), ((), ())),
        named=(0, 1, 2),
    ),
    "two-guests": HandsCounted(
        "the coordinator has no seat, and both who have one are needed",
        (None, 1, 2, None),
        (((), ()), ((), (1,)), ((), (1, 2))),
    ),
    "continued": HandsCounted(
        "the game is closed to continue: those who played are enough, and the one who is away drops out",
        (0, 1, 2, 3),
        (((3,), ()),),
        continued=True,
    ),
    "continued-by-too-few": HandsCounted(
        "the game is closed to continue, and half of the quorum is away",
        (0, 1, 2, 3),
        (((2, 3), ()),),
        continued=True,
    ),
    "none": HandsCounted("no hand counts where nobody is in the quorum", (0, None, 1, None), (((), (1,)),), named=()),
}


def quorum_vectors(position: Position) -> Iterator[tuple[str, Lines]]:
    """position: of any game of this version, whose sides and seats are replaced."""
    sides = [replace(position.header.sides[0], key=fixed(f"side {number}", 32)) for number in range(4)]

    def keys(found: Iterable[bytes]) -> str:
        return " ".join([key.hex() for key in sorted(found)]) or "-"

    def numbers(of: Iterable[int | None]) -> str:
        return " ".join(["-" if one is None else str(one) for one in of]) or "-"

    for name, case in HANDS_COUNTED.items():
        entries = [replace(position.header.seats[0], side=side) for side in case.seats]
        quorum = None if case.named is None else tuple(sorted([sides[side].key for side in case.named]))
        header = replace(position.header, sides=tuple(sides), seats=tuple(entries), quorum=quorum)
        at = replace(position, header=header, quorum=frozenset(first_quorum(header)), opened=0, counted=0)
        lines = [("expect", "ok"), ("what", case.what), ("type", "quorum")]
        lines += [("side", side.key.hex()) for side in sides]
        lines += [("seats", numbers(case.seats)), ("named", "no" if quorum is None else keys(quorum))]
        for hand, (away, checks) in enumerate(case.hands, 1):
            takeovers = {case.seats.index(side): Takeover(TakeoverReason.LINE_LOST, 0, 0) for side in away}
            at = replace(at, opened=hand, taken_over=takeovers, checkers=frozenset(), broken_off=False)
            at = count_hand(replace(at, present=frozenset(present_players(at))))
            for number in range(len(checks)):
                at = count_hand(replace(at, checkers=frozenset(checks[: number + 1])))
            lines += [("away", numbers(away)), ("checks", numbers(checks))]
            if case.continued and hand == len(case.hands):
                at = count_continued(at)
                lines.append(("closed", str(int(CloseReason.CONTINUED))))
            lines += [("counts", "yes" if counts(at) else "no"), ("quorum", keys(at.quorum))]
        yield f"quorums/{name}", lines


ADDRESSES_OF_ANN = (SocketAddress(ip_address("192.0.2.7"), 41000), SocketAddress(ip_address("2001:db8::7"), 41000))


def relayed_frames(connection: bytes, keys: StreamKeys) -> Iterator[tuple[str, bytes, bytes]]:
    """Who sends it, the frame, and what is sealed in it."""
    ends = [RelayedMachine(connection, keys, calls=calls, now=0.0, answer=b"answer") for calls in (True, False)]
    ciphers = [ChaCha20Poly1305(key) for key in (keys.caller, keys.waiter)]

    def exchange(now: float) -> Iterator[tuple[str, bytes, bytes]]:
        for side in (0, 1):
            while (out := ends[side].output(now)) is not None:
                if out.payload != b"answer":
                    nonce = out.payload[17:21].rjust(12, b"\0")
                    yield NAMES[side], out.payload, ciphers[side].decrypt(nonce, out.payload[21:], out.payload[:21])
                    assert ends[1 - side].receive(out.payload, 0, now)

    yield from exchange(0.0)
    ends[0].outgoing.write(b"ping")
    yield from exchange(0.0)
    ends[1].outgoing.write(b"pong")
    yield from exchange(0.0)
    ends[0].signals.send(Signal(1, ADDRESSES, write_addresses(ADDRESSES_OF_ANN)), 0.0)
    yield from exchange(0.0)
    ends[0].close(0.01)
    yield from exchange(0.01)
    ends[1].close(0.01)
    yield from exchange(0.01)


SECRET = str(Invitation(fixed("token", TOKEN), fixed("key hash", KEY_HASH)))
HASH = sha256(b"a page").hexdigest()[:HASH_DIGITS]
LINK = "http://192.0.2.7:4747/#7-crossword-clockwork"
PASTED: dict[str, tuple[str, str]] = {
    **dict.fromkeys(
        (
            LINK,
            f"<{LINK}>",
            f"({LINK}).",
            f"\u201c{LINK}\u201d,",
            f"Sit down here: {LINK}! See you at 8.",
            f"[our table]({LINK})",
            f"{LINK}/",
            f"{LINK}&fbclid=IwAR0_x-1",
            f"{LINK}:~:text=sit%20down",
            f"\ufeff{LINK}\u200b",
            LINK.replace("#", "?fbclid=IwAR0#"),
            LINK.replace("#", "%23"),
            LINK.replace("-", "\u2013"),
            LINK.replace("-", "%E2%80%93"),
            LINK.replace("http://", ""),
            LINK.replace("http://", "HTTP://"),
            LINK.replace("/#", "#"),
            LINK.replace("#", "index.html#"),
            LINK.replace("-", " "),
            "> " + LINK.replace("word-", "word-\n> ") + "\n> See you at 8.",
            LINK.replace("/#", "/\n#") + "\nSee you at 8.",
            LINK.replace("4747", "47\n47"),
            LINK.replace("clockwork", "clock=\r\nwork"),
            f"{LINK}See you at 8.",
            "https://mail.example/?url=http%3A%2F%2F192.0.2.7%3A4747%2F%237-crossword-clockwork&data=05",
            f"https://mail.example/url?q={LINK.replace('#', '%23')}&sa=D",
            f"The rules: https://cards.example/#rules and the table: {LINK}",
        ),
        ("ws://192.0.2.7:4747/table", "7-crossword-clockwork"),
    ),
    "https://cards.example/ann#7-crossword-clockwork": ("wss://cards.example/ann/table", "7-crossword-clockwork"),
    "https://cards.example/ann/#7-crossword-clockwork": ("wss://cards.example/ann/table", "7-crossword-clockwork"),
    "https://cards.example/ann/#48213-crossword-clockwork": ("meet:48213", "48213-crossword-clockwork"),
    "cards.example/ann/#48213-crossword-clockwork": ("meet:48213", "48213-crossword-clockwork"),
    **dict.fromkeys(
        (
            f"https://cards.example/ann/#{SECRET}",
            f"Sit down here: https://cards.example/ann/#{SECRET}, all of you!",
            f"cards.example/ann/#{SECRET.upper()}",
            f"https://cards.example/#{SECRET[:20]}\n> {SECRET[20:]}\n> See you at 8.",
            f"https://cards.example/#{SECRET[:20]}=\r\n{SECRET[20:]}",
            f"https://mail.example/?url=https%3A%2F%2Fcards.example%2F%23{SECRET}&data=05",
            f"https://mail.example/?url=https%253A%252F%252Fcards.example%252F%2523{SECRET}",
            f"https://cards.example/%23{SECRET}?fbclid=IwAR0",
            f"https://cards.example/ann/#{SECRET}.{HASH}",
            f"Sit down here: https://cards.example/ann/#{SECRET}.{HASH}.",
            f"https://cards.example/ann/#{SECRET}.{HASH[:7]}",
            f"https://cards.example/#{SECRET[:20]}\n> {SECRET[20:]}.{HASH[:9]}\n> {HASH[9:]}\n> See you at 8.",
            f"{SECRET}.{HASH}",
            f"\u201cmeet:{SECRET}\u201d",
            f"Come: meet:{SECRET}.",
            f"meet: {SECRET}\u200b",
            SECRET,
        ),
        (f"meet:{SECRET}", ""),
    ),
    "http://192.0.2.7:4747/#48213-crossword-clockwork": ("ws://192.0.2.7:4747/table", "48213-crossword-clockwork"),
    "https://cards.example/ann/index.html": ("wss://cards.example/ann/table", ""),
    "http://[2001:db8::1]:4747/": ("ws://[2001:db8::1]:4747/table", ""),
}
"""Texts with a link in them, by which address and code they lead to."""


def link_vectors() -> Iterator[tuple[str, Lines]]:
    lines = [("expect", "ok"), ("what", "links as people paste them"), ("type", "links")]
    for text, (address, code) in PASTED.items():
        lines += [("pasted", text.encode().hex()), ("address", address), ("code", code or "none")]
    yield "links", lines


def ws_frame(first: int, payload: bytes, mask: bytes = b"") -> bytes:
    """A frame of RFC 6455, 5.2; first: its first byte."""
    size = len(payload)
    short = size if size < 126 else 126 if size < 65536 else 127
    longer = b"" if size < 126 else size.to_bytes(2 if size < 65536 else 8, "big")
    head = bytes([first, short | (0x80 if mask else 0)]) + longer
    masked = bytes([one ^ mask[at % 4] for at, one in enumerate(payload)]) if mask else payload
    return head + mask + masked


# --- headers that must be refused -------------------------------------------------------------------------------------


def header_vectors(game: Played, new: Played, on: Played) -> Iterator[tuple[str, Lines]]:
    """Each is right in all but one thing; the judge is Bob, whose chain's end the header should list. new: a game of
    this version; on: one that continues another."""
    goes_on = msgpack.unpackb(on.frame.body)
    kept = goes_on[14]
    values, newer = msgpack.unpackb(game.frame.body), msgpack.unpackb(new.frame.body)
    sides, seats = values[4], values[5]

    def with_value(place: int, value: Any, values: Sequence[Any] = values) -> bytes:
        changed = msgpack.packb([*values[:place], value, *values[place + 1 :]])
        return bytes(sign(game.keys[0], HEADER_LABEL, b"", changed))

    good = bytes(game.frame)
    small = [[bytes(32), *sides[0][1:]], sides[1]]
    bob = sign(game.keys[1], HEADER_LABEL, b"", game.frame.body)
    at_four = [*newer[5], *[[None, name, "novice", 1] for name in ("granny", "wayne")]]
    cases = {
        "shape-version": ("a header of a later version", with_value(1, VERSION + 1)),
        "shape-name": ("a name of 25 characters", with_value(4, [[sides[0][0], "x" * 25, *sides[0][2:]], sides[1]])),
        "shape-key-twice": ("both sides have Ann's key", with_value(4, [sides[0], [sides[0][0], *sides[1][1:]]])),
        "shape-side-twice": ("Bob sits in both seats", with_value(5, [[1, *seats[0][1:]], seats[1]])),
        "shape-nonce": ("a nonce of 15 bytes", with_value(10, bytes(15))),
        "shape-assists": ("an assistant that there is not", with_value(11, 64, newer)),
        "shape-deal": ("a numbered deal of two sides", with_value(12, 1912, newer)),
        "shape-no-time": (
            "0 seconds between two hands, where the field is left out",
            bytes(sign(game.keys[0], HEADER_LABEL, b"", msgpack.packb([*newer, 0]))),
        ),
        "shape-long-time": (
            "more than an hour between two hands",
            bytes(sign(game.keys[0], HEADER_LABEL, b"", msgpack.packb([*newer, 3601]))),
        ),
        "shape-edition": ("a player of edition 0", with_value(5, [[*seat[:3], 0] for seat in newer[5]], newer)),
        "shape-nil-name": (
            "a nil for Bob's name, which no header leaves out",
            with_value(4, [sides[0], [sides[1][0], None, *sides[1][2:]]]),
        ),
        "shape-nil-key": (
            "the key of side 0 and the nonce as nil, in a header that travels whole",
            with_value(10, None, [*newer[:4], [[None, *newer[4][0][1:]], *newer[4][1:]], *newer[5:]]),
        ),
        "shape-grace": ("a grace of more than a day", with_value(6, 86401)),
        "shape-turn-clock": ("a turn clock of more than a day", with_value(7, 86401)),
        "shape-negative": ("a turn clock of -1", with_value(7, -1)),
        "shape-option": ("an option of 2^31", with_value(3, [2**31, *values[3][1:]])),
        "shape-seat-side": ("a seat of side 4", with_value(5, [[4, *seats[0][1:]], seats[1]])),
        "shape-late-edition": (
            "a player of edition 65536",
            with_value(5, [[*seat[:3], 65536] for seat in newer[5]], newer),
        ),
        "shape-next-assist": ("the assistant after the last", with_value(11, 32, newer)),
        "shape-deal-number": ("deal 2^32", with_value(12, 2**32, newer)),
        "shape-seats": ("a table of one seat", with_value(5, seats[:1])),
        "shape-level": ("a level of 25 characters", with_value(5, [[*seats[0][:2], "x" * 25], seats[1]])),
        "shape-previous": ("a head before of 31 bytes", with_value(8, bytes(31))),
        "shape-dealer-seat": ("seat 2 deals first, at a table of two", with_value(9, 2)),
        "shape-dealer": ("seat 4 deals first", with_value(9, 4)),
        "shape-fields": ("the fields of a later version in a header of version 1", with_value(1, 1, newer)),
        "shape-continues": ("what is kept has a text in it", with_value(14, ["1", *kept[1:]], goes_on)),
        "shape-continues-nil": ("a dealer that is nil", with_value(14, [kept[0], None, *kept[2:]], goes_on)),
        "shape-continues-true": ("a dealer that is true", with_value(14, [kept[0], True, *kept[2:]], goes_on)),
        "shape-continues-much": (
            "a score of more than 2^20",
            with_value(14, [*kept[:2], [0, 0, 2**20 + 1], 0], goes_on),
        ),
        "shape-continues-dealer": ("it continues a game, and names a first dealer", with_value(9, 0, goes_on)),
        "shape-continues-nothing": ("it continues a game, and names none", with_value(8, b"", goes_on)),
        "shape-continues-early": ("it continues a game in version 2", with_value(1, 2, goes_on)),
        "signature-bit": ("the last bit of the signature is wrong", good[:-1] + bytes((good[-1] ^ 1,))),
        "signature-other-key": ("signed by Bob", bytes(bob)),
        "signature-small-order": ("Ann's key is one that anybody can sign for", with_value(4, small)),
        "rules-game": ("a game that does not exist", with_value(2, "snap")),
        "rules-options": ("one option too few", with_value(3, values[3][:-1])),
        "rules-added": (
            "an option of euchre that was added, where it has its default",
            with_value(2, "euchre", [*newer[:3], [5, True, "32", False], newer[4], at_four, *newer[6:]]),
        ),
        "rules-continues-few": ("it keeps one value too few", with_value(14, kept[:-1], goes_on)),
        "rules-continues-scores": ("two scores of three seats", with_value(14, [*kept[:2], [0, 0], 0], goes_on)),
        "rules-continues-hand": ("no hand was played before it", with_value(14, [0, *kept[1:]], goes_on)),
        "rules-continues-seat": ("seat 3 of three deals next", with_value(14, [kept[0], 3, *kept[2:]], goes_on)),
        "rules-seats": ("three seats, but options for two", with_value(5, [*seats, [None, "granny", "novice"]])),
    }
    for name, (what, frame) in cases.items():
        lines = [("expect", f"refused {name.split('-')[0]}"), ("what", what), ("type", "header")]
        yield f"headers/refused-{name}", [*lines, ("frame", frame.hex())]


def quorum_header_vectors(game: Played, on: Played) -> Iterator[tuple[str, Lines]]:
    """Headers with a quorum: of this version, with the sides of a game of version 1. on: a game of a successor."""
    values, goes_on = msgpack.unpackb(game.frame.body), msgpack.unpackb(on.frame.body)
    seats = [[*seat, 1] for seat in values[5]]
    head, kept = fixed("head", 32), [1, 0, [0, 7], 0]
    new = [values[0], VERSION, *values[2:5], seats, *values[6:8], head, None, values[10], 0, None, None]
    keys = sorted(side[0] for side in values[4])
    good = {
        "quorum": ("a successor goes on after a hand; one of the two is gone", [*new, kept, keys]),
        "quorum-before-hands": ("a successor goes on with a game that has had no hand", [*new, None, keys]),
        "quorum-empty": ("the game of a successor goes on whose hands count for nobody", [*new, kept, []]),
    }
    for name, (what, body) in good.items():
        yield f"headers/{name}", header_lines(sign(game.keys[0], HEADER_LABEL, b"", msgpack.packb(body)), what)
    before, quorum = goes_on[:-1], goes_on[-1]
    refused = {
        "twice": ("a key twice in the quorum", [*before, [*quorum[:2], quorum[0]]]),
        "short": ("a key of 31 bytes in the quorum", [*before, [*quorum[:2], bytes(31)]]),
        "much": ("five keys in the quorum", [*before, [fixed(f"key {number}", 32) for number in range(5)]]),
        "nil": ("nil for the quorum", [*before, None]),
        "nothing": ("a quorum, and no head before it", [*before[:8], b"", *before[9:], quorum]),
        "early": ("a quorum in version 2", [before[0], 2, *before[2:], quorum]),
        "more": ("a field after the quorum", [*goes_on, 0]),
    }
    for name, (what, body) in refused.items():
        frame = sign(on.keys[0], HEADER_LABEL, b"", msgpack.packb(body))
        lines = [("expect", "refused shape"), ("what", what), ("type", "header")]
        yield f"headers/refused-shape-quorum-{name}", [*lines, ("frame", bytes(frame).hex())]


# --- hands that are found false ---------------------------------------------------------------------------------------


def false_hand_vectors(games: dict[str, Played]) -> Iterator[tuple[str, Lines]]:
    """What Bob has to accept at first, and finds out when the hand is opened."""
    game = games["crazy_eights"]
    dealt = game.first(kinds.DealEntry) + 1
    record = read_record(game.to_bob[dealt])[0]
    assert record.faces is not None
    cards = encode_faces(tuple([Card(byte) for byte in record.faces.body[-7:]]))
    anns = min(card for card in game.at[dealt + 1][0].state.hands[0].cards)
    swapped = cards[:-7] + bytes((anns,)) + cards[-6:]
    faces = sign(game.keys[0], FACES_LABEL, game.at[dealt + 1][0].head + b"\1", swapped)
    what = "Bob is dealt a card that Ann holds; then Ann opens the hand"
    yield "records/found-shown", false_hand(what, 4, game, dealt, bytes(Record(record.frames, faces)))
    number = next(n for n in range(dealt, len(game.records)) if game.at[n][0].state.to_act == (0,))
    before = game.at[number][1]
    stock = game.at[number][0].state.stock
    eight = next(slot.card for slot in stock if slot.card.rank == 8)
    entry = kinds.ActionEntry(number, 0, 0, (int(eight), 0))
    play = bytes(sign(game.keys[0], ENTRY_LABEL, before.head, encode_entry(entry)))
    what = "Ann plays an eight that lies in the stock; then Ann opens the hand"
    yield "records/found-illegal", false_hand(what, 3, game, number, play)


def false_hand(what: str, verdict: int, game: Played, number: int, record: bytes) -> Lines:
    after = advance(game.at[number][1], *read_record(record))
    entry = kinds.OpeningEntry(after.count, 1, chain_value(game.seeds[0], 1), ())
    opening = bytes(sign(game.keys[0], ENTRY_LABEL, after.head, encode_entry(entry)))
    lines = [
        ("expect", f"verdict {verdict}"),
        ("what", what),
        ("type", "record"),
        ("game", f"games/{game.game.key}.txt"),
    ]
    return [*lines, ("after", str(number)), ("at side", "1"), ("record", record.hex()), ("record", opening.hex())]


def last_value_vectors(game: Played) -> Iterator[tuple[str, Lines]]:
    """An absent side's last value is that of the OPENING, and none that came after it."""
    gone = game.first(kinds.AbsentEntry)
    number = next(n for n in range(gone, len(game.records)) if isinstance(game.entry(n), kinds.DealEntry))
    later = game.at[number][0].changed(last=tuple([value for _, value in game.at[gone][0].known]))
    dealt = LedgerWriter(game.keys[0], game.frame, later).deal().for_side(1)
    what = (
        "Ann deals with the value that Cy gave after the OPENING, for a pack that never came; then she opens the hand"
    )
    after = advance(game.at[number][1], *read_record(bytes(dealt)))
    hand = after.dealt
    entry = kinds.OpeningEntry(after.count, hand, chain_value(game.seeds[0], hand), ())
    opening = sign(game.keys[0], ENTRY_LABEL, after.head, encode_entry(entry))
    lines = [("expect", "verdict 4"), ("what", what), ("type", "record"), ("game", f"games/{game.name}.txt")]
    lines += [("after", str(number)), ("at side", "1"), ("record", bytes(dealt).hex())]
    yield "records/found-last-value", [*lines, ("record", bytes(opening).hex())]


# --- what the owner of a log must have signed ------------------------------------------------------------------------


def made_up() -> Played:
    """A game of version 1 that Ann alone has signed, to its end."""
    options = replace(crazy_eights.PRESETS["telecards"], winning_score=1)
    game = Played("", "crazy_eights", options, 0, "made-up")
    game.add(game.writer.takeover(1, TakeoverReason.LEFT))
    while game.position.phase is not Phase.CLOSED:
        if game.position.phase is not Phase.CHECKS:
            game.step()
        else:
            won = game.position.state.stage == Stage.OVER
            game.add(game.writer.close(CloseReason.WON) if won else game.writer.deal())
    return game


def signed_vectors(game: Played) -> Iterator[tuple[str, Lines]]:
    """Logs of listeners, and what may be done with them. game: one with an absence of Cy's."""
    starts = {side: start_payloads(side, game.seeds[side], game.frame) for side in (1, 2)}
    records = {side: [RECORD + one for one in game.to[side]] for side in (1, 2)}
    checked = [b"C" + records[1][0][1:]]
    alone = made_up()
    cases: dict[str, tuple[str, list[bytes], str]] = {
        "header": (
            "Bob's log of a game that has a header and nothing else, which anybody may have made",
            starts[1],
            "",
        ),
        "others": ("the same, with a takeover, which Ann has signed", starts[1] + [_takeover(game)], ""),
        "check-to-send": ("the same, with a CHECK of Bob's that stands in no record", starts[1] + checked, "take"),
        "check": ("the same, with a CHECK of Bob's as record 0", starts[1] + records[1][:1], "take finish play"),
        "whole": (
            "Bob's log of a game in which they have a part in each hand",
            starts[1] + records[1],
            "take finish count play",
        ),
        "absent": (
            "Cy's log of the same game, in which hands 3 and 4 have no part of theirs",
            starts[2] + records[2],
            "take finish count play",
        ),
        "made-up": (
            "Bob's log of a game of version 1 that Ann alone has signed, to its end",
            start_payloads(1, alone.seeds[1], alone.frame) + [RECORD + one for one in alone.to[1]],
            "play",
        ),
    }
    for name, (what, payloads, may) in cases.items():
        lines = [("expect", "ok"), ("what", what), ("type", "signed"), *[("payload", one.hex()) for one in payloads]]
        lines += [(use, "yes" if use in may.split() else "no") for use in ("play", "finish", "count", "take")]
        yield f"signed/{name}", [*lines, ("proven", notation(_proven(name)))]


def seed_vectors(numbered: Played, shuffled: Played) -> Iterator[tuple[str, Lines]]:
    """Logs with the seed of another chain than the one whose end their header gives."""
    for name, what, side, game in (
        ("numbered", "Ann's log of a numbered deal, whose cards do not follow from the seed", 0, numbered),
        ("listener", "Bob's log", 1, shuffled),
    ):
        start = start_payloads(side, fixed("another seed", 24), game.frame)
        records = game.to_bob if side else game.records
        lines = [
            ("expect", "refused fairness"),
            ("what", f"{what}, with the seed of another chain"),
            ("type", "signed"),
        ]
        payloads = [("payload", one.hex()) for one in [*start, *[RECORD + one for one in records]]]
        yield f"signed/refused-seed-{name}", [*lines, *payloads]


def _proven(name: str) -> list[int]:
    """The hands that are called proven."""
    return {"whole": [1, 3, 4], "absent": [1]}.get(name, [])


def _takeover(game: Played) -> bytes:
    return RECORD + bytes(Record((game.signed(0, kinds.TakeoverEntry(0, 1, TakeoverReason.LEFT), 0),)))


# --- the file of a log ------------------------------------------------------------------------------------------------


def log_vectors() -> Iterator[tuple[str, Lines]]:
    payloads = [b"hello", b""]
    rows = [encode_record(payload) for payload in payloads]
    whole = MAGIC + b"".join(rows)
    long = (1_048_577).to_bytes(4, "big")
    long += crc32(b"p2pcards log record" + long).to_bytes(4, "big")
    cases = {
        "whole": ("ok", "two records, the second empty", whole, payloads),
        "no-records": ("ok", "a log that has just begun", MAGIC, []),
        "torn": ("torn 32", "the second record is cut short", whole[:39], payloads[:1]),
        "torn-first-line": ("torn 0", "the first line is cut short", MAGIC[:9], []),
        "damaged-payload": (
            "damaged 15",
            "a byte of the first payload is changed",
            whole[:25] + b"\x6d" + whole[26:],
            [],
        ),
        "damaged-length": (
            "damaged 15",
            "a length that reaches into the next record",
            whole[:18] + b"\6" + whole[19:],
            [],
        ),
        "damaged-last": ("damaged 32", "the last byte is changed", whole[:-1] + b"\1", []),
        "torn-zeros": (
            "torn 44",
            "zeros after the last record, as a power cut may leave them",
            whole + bytes(12),
            payloads,
        ),
        "damaged-zeros": ("damaged 15", "zeros that begin within a sector", whole[:25] + bytes(7), []),
        "damaged-limit": ("damaged 15", "a length over the limit, whose check fits", MAGIC + long, []),
        "damaged-first-line": ("damaged 0", "another first line", b"p2pcards log 2\n" + whole[15:], []),
    }
    for name, (expect, what, data, found) in cases.items():
        lines = [("expect", expect), ("what", what), ("type", "log"), ("bytes", data.hex())]
        yield f"logs/{name}", [*lines, *[("payload", payload.hex()) for payload in found]]


def note_vectors(closed: Played) -> Iterator[tuple[str, Lines]]:
    """The payloads of a log but for records, of which OPENING and CLOSE alone are there."""
    close = RECORD + next(record for record in closed.records if first_kind(record) == kinds.EntryKind.CLOSE)
    (plain, ours), header = (ME + pack([1, b""]), ME + pack([1, b"", True])), HEADER + bytes(closed.frame)
    notes = [note_payload(PlayedByComputer(0)), note_payload(LeftOut(7, here=True))]
    one, two = [numbered_note(note, number) for number, note in enumerate(notes)]
    none, both = [COUNT + pack([count]) for count in (0, 2)]
    cases = {
        "numbered": ("ok", "two notes, counted before the end", [ours, header, one, two, both, close]),
        "unfinished": ("ok", "a game that is on: nothing counts its notes yet", [ours, header, one, two]),
        "none": ("ok", "a game without notes", [ours, header, none, close]),
        "counted-twice": (
            "ok",
            "the count was written, and the CLOSE only then",
            [ours, header, one, two, both, both, close],
        ),
        "counted-early": (
            "ok",
            "the count was written, but no CLOSE: the game went on",
            [ours, header, none, one, two, both, close],
        ),
        "without-numbers": ("ok", "a log of before, whose notes have no numbers", [plain, header, *notes, close]),
        "untrue-takeover": (
            "ok",
            "record 7 took the seat of this side over for a reason that was not so",
            [ours, header, numbered_note(note_payload(UntrueTakeover(7)), 0), COUNT + pack([1]), close],
        ),
        "succeeded": (
            "ok",
            "a game that goes on with a successor, and that this side has left for it",
            [ours, header, numbered_note(note_payload(Succeeded(fixed("game id", 16))), 0)],
        ),
        "left-out-first": ("refused shape", "note 0 is missing", [ours, header, two, both, close]),
        "left-out-last": ("refused shape", "note 1 is missing", [ours, header, one, both, close]),
        "left-out-all": ("refused shape", "both notes are missing", [ours, header, both, close]),
        "left-out-count": ("refused shape", "notes and count are missing", [ours, header, close]),
        "doubled": ("refused shape", "note 0 stands there twice", [ours, header, one, one, two, both, close]),
        "exchanged": ("refused shape", "note 1 stands before note 0", [ours, header, two, one, both, close]),
        "bare-note": (
            "refused shape",
            "a note without a number among others",
            [ours, header, notes[0], two, both, close],
        ),
        "number-of-none": ("refused shape", "a note with a number in a log of before", [plain, header, one, close]),
        "count-of-none": ("refused shape", "a count in a log of before", [plain, header, *notes, both, close]),
    }
    for name, (expect, what, found) in (cases | sealed_cases(closed)).items():
        lines = [("expect", expect), ("what", what), ("type", "notes")]
        yield f"notes/{name}", [*lines, *[("payload", payload.hex()) for payload in found]]


def sealed_cases(closed: Played) -> dict[str, tuple[str, str, list[bytes]]]:
    """The same of a log whose counts are digests, with a payload of each letter."""
    opening, close = [
        RECORD + next(record for record in closed.records if first_kind(record) == kind)
        for kind in (kinds.EntryKind.OPENING, kinds.EntryKind.CLOSE)
    ]
    start = [ME + pack([1, b"", SEALED]), HEADER + bytes(closed.frame)]
    check = CHECKED + closed.records[closed.first(kinds.CheckEntry)]
    move = PENDING + closed.to_bob[closed.first(kinds.CommitEntry, 1)]
    address = address_payload(1, "192.0.2.7:4747")
    note = numbered_note(note_payload(PlayedByComputer(0)), 0)

    def counted(*found: bytes) -> list[bytes]:
        """With the count of what stands before them in front of the last."""
        before = Numbering.of(found[:-1])
        return [*found[:-1], *before.prepare_payload(found[-1])]

    asides = (check, note, move, address)
    whole = counted(*counted(*start, *asides, opening), close)
    first, last = [place for place, payload in enumerate(whole) if payload[:1] == COUNT]
    behind = counted(*counted(*whole, LEFT), LEFT)
    cases = {
        "sealed": ("ok", "a payload of each letter, and the digest of all before it before OPENING and CLOSE", whole),
        "sealed-counted-twice": (
            "ok",
            "the digest was written, and the CLOSE only then, after another",
            [*whole[:-1], *counted(*whole[:-1], close)[-2:]],
        ),
        "sealed-behind": ("ok", "what stands behind the CLOSE has a digest before it too", behind),
        "sealed-behind-bare": ("refused shape", "a payload behind the CLOSE without a digest", [*behind, LEFT]),
        "sealed-bare-opening": (
            "refused shape",
            "an OPENING without a digest before it",
            counted(*whole[:first], opening, close),
        ),
        "sealed-bare-close": ("refused shape", "a CLOSE without a digest before it", [*whole[:last], close]),
        "sealed-exchanged": (
            "refused shape",
            "the CHECK stands where the move should, and the move where the CHECK should",
            [*whole[:2], move, note, check, *whole[5:]],
        ),
        "sealed-counted-notes": (
            "refused shape",
            "the number of the notes in place of a digest",
            [*whole[:first], COUNT + pack([1]), *whole[first + 1 :]],
        ),
    }
    for place, name in ((2, "check"), (4, "move"), (5, "address"), (first, "digest")):
        less, more = [*whole[:place], *whole[place + 1 :]], [*whole[: place + 1], *whole[place:]]
        if name != "digest":
            cases[f"sealed-left-out-{name}"] = ("refused shape", f"the {name} is missing", less)
        cases[f"sealed-doubled-{name}"] = ("refused shape", f"the {name} stands there twice", more)
    return cases


# --- records that must be refused -------------------------------------------------------------------------------------


def refused_vectors(games: dict[str, Played]) -> Iterator[tuple[str, Lines]]:
    """Each is right in all but one thing."""
    cases = (*listener_cases(games["crazy_eights"]), *coordinator_cases(games["crazy_eights"]))
    cases += (
        *private_cases(games["hearts"]),
        *paused_cases(games["paused"], games["crazy_eights"]),
        *absent_cases(games["absent"], games["crazy_eights"]),
    )
    cases += (*agreed_cases(games["redealt"], games["crazy_eights"]), *learning_cases(games["redealt"], games["alone"]))
    cases += (*fan_cases(games["fan"]), *no_value_cases(games["no-value"], games["crazy_eights"]))
    cases += (*not_opened_cases(games["not-opened"]), *added_cases(games["added"]))
    cases += (*continued_cases(games["continued"], games["continuing"], games["other-level"]),)
    cases += (*reopened_cases(games["reopened"]), *last_check_cases(games["paused"], games["other-level"]))
    for expect, name, what, game, side, number, record in cases:
        prefix = "found-" if expect.startswith("verdict") else f"{expect.replace(' ', '-')}-" if expect != "ok" else ""
        yield (
            f"records/{prefix}{name}",
            [
                ("expect", expect),
                ("what", what),
                ("type", "record"),
                ("game", f"games/{game.name}.txt"),
                ("after", str(number)),
                ("at side", str(side)),
                ("record", record.hex()),
            ],
        )


Case = tuple[str, str, str, Played, int, int, bytes]


def reframed(body: bytes, game: Played, number: int, by: int) -> bytes:
    """A frame around any bytes, well signed."""
    return bytes(sign(game.keys[by], ENTRY_LABEL, game.at[number][0].head, body))


def listener_cases(game: Played) -> Iterator[Case]:
    """What Bob sends; the coordinator judges."""
    number = game.first(kinds.ActionEntry, 1)
    entry = game.entry(number)
    assert isinstance(entry, kinds.ActionEntry)
    good, body = bytes(game.signed(number, entry, 1)), encode_entry(entry)
    values = msgpack.unpackb(body)
    head = game.at[number][0].head

    def case(expect: str, name: str, what: str, record: bytes) -> Case:
        return f"refused {expect}", name, what, game, 0, number, record

    def of(values: Sequence[Any]) -> bytes:
        return reframed(msgpack.packb(values), game, number, 1)

    def with_entry(**changes: Any) -> bytes:
        return bytes(game.signed(number, replace(entry, **changes), 1))

    yield case("length", "cut", "the last byte is missing", good[:-1])
    yield case("length", "no-body", "a frame that is a signature only", (64).to_bytes(2, "big") + good[-64:])
    yield case("length", "behind", "a byte after the frame", good + b"\1")
    long_kind = body[:1] + b"\xcc\x00" + body[2:]
    yield case("encoding", "long-zero", "the kind as uint 8", reframed(long_kind, game, number, 1))
    yield case("encoding", "reserved", "0xc1 at the end", reframed(body[:-1] + b"\xc1", game, number, 1))
    yield case("shape", "kind", "an entry of kind 12", of([12, *values[1:]]))
    yield case("shape", "false", "false instead of 0", of([False, *values[1:]]))
    yield case("shape", "fields", "one field too many", of([*values, None]))
    yield case("shape", "seat-4", "no table has a seat 4", of([0, values[1], 4, *values[3:]]))
    yield case(
        "shape", "not-signed-either", "one field too many, and not signed", of([*values, None])[:-64] + bytes(64)
    )
    yield case("shape", "two", "two moves in one record", good + good)
    yield case("base", "behind", "a base one lower than the one that is due", with_entry(base=entry.base - 1))
    yield case("base", "ahead", "a base one higher than the one that is due", with_entry(base=entry.base + 1))
    yield case("seat", "none", "the table has seats 0 and 1 only", with_entry(seat=2))
    yield case("signature", "bit", "the last bit of the signature is wrong", good[:-1] + bytes((good[-1] ^ 1,)))
    other = sign(game.keys[0], ENTRY_LABEL, head, body)
    yield case("signature", "other-key", "signed by the coordinator", bytes(other))
    other = sign(game.keys[1], ENTRY_LABEL, game.at[number - 1][0].head, body)
    yield case("signature", "other-head", "signed over the head before the last record", bytes(other))
    other = sign(game.keys[1], FACES_LABEL, head, body)
    yield case("signature", "other-label", "signed with the label of faces", bytes(other))
    yield case("signature", "other-seat", "Bob moves for Ann's seat", with_entry(seat=0))
    held = game.at[number][0].state.hands
    strange = next(card for card in crazy_eights.PACK if card.rank == 8 and card not in held[1].cards)
    yield case("rules", "not-held", "an eight that Bob does not hold", with_entry(action=0, fields=(int(strange), 0)))
    numbered = 64 | next(card for card in held[1].cards if card.rank != 8)
    what = "a card of Bob's with the number of an open copy, which no card has in this game"
    yield case("rules", "numbered", what, with_entry(action=0, fields=(numbered, None)))
    early = game.first(kinds.CheckEntry)
    check = game.entry(early)
    assert isinstance(check, kinds.CheckEntry)
    wrong = replace(check, value=chain_value(game.seeds[1], 2))
    unfit = bytes(game.signed(early, wrong, 1))
    what = "a value that hashes to the end in two steps where one is due"
    yield "refused fairness", "check-value", what, game, 0, early, unfit
    unseen = bytes(game.signed(early, replace(check, side=2), 1))
    yield "refused seat", "side", "there is no side 2", game, 0, early, unseen


def coordinator_cases(game: Played) -> Iterator[Case]:
    """What Ann sends; Bob judges."""

    def case(expect: str, name: str, what: str, number: int, record: bytes) -> Case:
        return expect, name, what, game, 1, number, record

    drawn = game.first(kinds.DealEntry)
    dealt = drawn + 1
    deal = game.entry(drawn)
    assert isinstance(deal, kinds.DealEntry)
    absent = bytes(game.signed(drawn, replace(deal, absent=(1,)), 0))
    yield case("refused fairness", "absent", "Bob gave a value, but is named as absent", drawn, absent)
    hand = bytes(game.signed(drawn, replace(deal, hand=2), 0))
    yield case("refused rules", "hand", "the first hand is numbered as the second", drawn, hand)
    bare = bytes(game.signed(drawn, replace(deal, outcome=Outcome()), 0))
    yield case("refused faces", "no-outcome", "the card that names the dealer is not shown", drawn, bare)
    record = read_record(game.to_bob[dealt])[0]
    assert record.faces is not None
    yield case("refused faces", "none", "Bob's cards are missing", dealt, bytes(Record(record.frames)))
    cards = tuple([Card(byte) for byte in record.faces.body[-7:]])
    after = game.at[dealt + 1][0].head

    def with_faces(faces: tuple[Card, ...], recipient: int) -> bytes:
        frame = sign(game.keys[0], FACES_LABEL, after + bytes((recipient,)), encode_faces(faces))
        return bytes(Record(record.frames, frame))

    yield case("refused faces", "six", "six cards instead of seven", dealt, with_faces(cards[:-1], 1))
    yield case("refused signature", "recipient", "faces signed for seat 0", dealt, with_faces(cards, 0))
    numbered = (Card(64 | cards[0]), *cards[1:])
    yield case(
        "refused faces", "numbered-face", "a card with the number of an open copy", dealt, with_faces(numbered, 1)
    )
    yield case("refused faces", "twice", "one card dealt to Bob twice", dealt, with_faces((cards[1], *cards[1:]), 1))
    place, shown = deal.outcome.cards[0]
    renamed = bytes(game.signed(drawn, replace(deal, outcome=Outcome(((place, Card(64 | shown)),))), 0))
    yield case("refused faces", "numbered-outcome", "the card that names the dealer has such a number", drawn, renamed)
    move = game.first(kinds.ActionEntry, 1)
    again = game.to_bob[move]
    yield case("refused base", "repeated", "a record that Bob has already", move + 1, again)
    takeover = bytes(game.signed(move, kinds.TakeoverEntry(move, 2, TakeoverReason.LINE_LOST), 0))
    yield case("refused seat", "takeover", "there is no seat 2", move, takeover)
    back = bytes(game.signed(move, kinds.ReturnEntry(move, 1), 0))
    yield case("refused rules", "return", "seat 1 was never taken over", move, back)
    close = bytes(game.signed(move, kinds.CloseEntry(move, CloseReason.ENDED), 0))
    yield case("refused rules", "close", "a game cannot be closed before its hand is opened", move, close)
    faces = bytes(game.signed(move, kinds.TakeoverEntry(move, 1, TakeoverReason.LINE_LOST), 0)) + bytes(record.faces)
    yield case("refused shape", "faces", "a takeover with faces", move, faces)
    number = game.first(kinds.OpeningEntry)
    opening = game.entry(number)
    assert isinstance(opening, kinds.OpeningEntry)
    other = bytes(game.signed(number, replace(opening, value=fixed("other", 24)), 0))
    yield case("verdict 1", "value", "an opening with a value that does not fit the chain", number, other)


def private_cases(game: Played) -> Iterator[Case]:
    number = game.first(kinds.CommitEntry, 1)
    record = read_record(game.to_bob[number])[0]
    salt, action, cards = msgpack.unpackb(record.opening)

    def case(name: str, what: str, side: int, opening: bytes) -> Case:
        return "refused faces", name, what, game, side, number, bytes(Record(record.frames, None, opening))

    yield case("no-opening", "a private action without its opening", 0, b"")
    yield case("salt", "an opening with another salt", 0, encode_opening(bytes(10), action, (cards,)))
    yield case("cards", "an opening with other cards", 1, encode_opening(salt, action, (cards[::-1],)))
    nothing = bytes(Record(record.frames, None, msgpack.packb(None)))
    yield "refused shape", "opening-nil", "an opening that is not an array", game, 0, number, nothing
    computers = game.first(kinds.CommitEntry, 2)
    theirs = read_record(game.records[computers])[0]
    what = "the opening of another seat's action"
    yield "refused faces", "not-mine", what, game, 1, computers, bytes(theirs)
    entry = game.entry(number)
    assert isinstance(entry, kinds.CommitEntry)
    open_pass = kinds.ActionEntry(entry.base, 1, action, (cards,))
    openly = bytes(game.signed(number, open_pass, 1))
    yield "refused rules", "openly", "a private action sent openly", game, 0, number, openly
    late = game.first(kinds.OpeningEntry)
    opening = game.entry(late)
    assert isinstance(opening, kinds.OpeningEntry)
    first, *rest = opening.openings
    missing = bytes(game.signed(late, replace(opening, openings=tuple(rest)), 0))
    yield "verdict 2", "missing", "an opening is missing", game, 1, late, missing
    wrong = replace(opening, openings=(replace(first, salt=bytes(10)), *rest))
    yield "verdict 2", "salt", "an opening with another salt", game, 1, late, bytes(game.signed(late, wrong, 0))


def not_opened_cases(game: Played) -> Iterator[Case]:
    """An OPENING that has more than the COMMITs of its hand; Ann judges."""
    late = game.first(kinds.OpeningEntry)
    opening = game.entry(late)
    assert isinstance(opening, kinds.OpeningEntry)
    commits = [number for number in range(late) if isinstance(game.entry(number), kinds.CommitEntry)]
    undone = max(number for number in range(late) if isinstance(game.entry(number), kinds.UndoEntry))
    for name, end in (("taken-back", undone), ("restarted", game.first(kinds.RestartEntry))):
        number = max(commit for commit in commits if commit < end)
        _, action, *fields = msgpack.unpackb(read_record(game.records[number])[0].opening)
        more = sorted((*opening.openings, kinds.Opened(number, b"", action, tuple(fields))), key=lambda one: one.record)
        record = bytes(game.signed(late, replace(opening, openings=tuple(more)), 0))
        what = f"an opening of a COMMIT that was {name.replace('-', ' ')}"
        yield "verdict 2", name, what, game, 0, late, record


def added_cases(game: Played) -> Iterator[Case]:
    """What dealer_takes_up forbids; Bob judges."""
    number = game.first(kinds.CommitEntry, 0)
    entry = kinds.ActionEntry(number, 0, *encode_action(game.game, euchre.Decline()))
    what = "Ann leaves the turn-up, which she has to take"
    yield "refused rules", "decline", what, game, 1, number, bytes(game.signed(number, entry, 0))


def paused_cases(game: Played, old: Played) -> Iterator[Case]:
    """What Ann sends while the table is paused, and where it cannot be; Bob judges. old: a game of version 1."""
    number = game.first(kinds.ContinueEntry)
    away = game.first(kinds.PauseEntry) + 1

    def case(expect: str, name: str, what: str, number: int, entry: Entry) -> Case:
        return f"refused {expect}", name, what, game, 1, number, bytes(game.signed(number, entry, 0))

    clock = kinds.TakeoverEntry(number, 1, TakeoverReason.CLOCK_RAN_OUT)
    yield case("rules", "paused-clock", "a clock runs out while the table is paused", number, clock)
    yield case("rules", "paused-twice", "a PAUSE while the table is paused", away, kinds.PauseEntry(away))
    draw = next(
        kinds.ActionEntry(away, seat, *encode_action(game.game, action))
        for seat in game.at[away][0].state.to_act
        for action in game.game.legal(game.at[away][0].views[seat], seat)
    )
    yield case("rules", "paused-action", "a character acts while the table is paused", away, draw)
    played = game.first(kinds.DealEntry) + 1
    yield case("rules", "continue", "a CONTINUE where nothing was paused", played, kinds.ContinueEntry(played))
    move = old.first(kinds.ActionEntry, 1)
    pause = bytes(old.signed(move, kinds.PauseEntry(move), 0))
    yield "refused shape", "pause-version-1", "a PAUSE in a game of version 1", old, 1, move, pause


def absent_cases(game: Played, old: Played) -> Iterator[Case]:
    """Who has a part in a pack, and who has none; Bob judges. old: a game of version 1."""
    gone = game.first(kinds.AbsentEntry)
    check, deal = gone + 1, gone + 2
    dealt = game.entry(deal)
    assert isinstance(dealt, kinds.DealEntry)

    def case(cause: str, name: str, what: str, number: int, entry: Entry, by: int = 0, at: int = 1) -> Case:
        return f"refused {cause}", name, what, game, at, number, bytes(game.signed(number, entry, by))

    def no_value(number: int, hand: int, side: int) -> Entry:
        return kinds.CheckEntry(game.at[number][0].open_base, side, hand, Verdict.GOOD, b"")

    early = replace(dealt, base=gone, hand=2, absent=(2,))
    yield case("fairness", "deal-awaited", "a DEAL while Cy, who is on the roll, has not checked", gone, early)
    unasked = replace(dealt, base=0, hand=1, absent=(1, 2))
    yield case("fairness", "deal-unasked", "the first DEAL, of a game that no listener has agreed to", 0, unasked)
    part = replace(dealt, absent=())
    yield case("fairness", "deal-off-roll", "a DEAL that names nobody absent, though Cy is", deal, part)
    alone = replace(dealt, base=check, absent=(1, 2))
    yield case("fairness", "deal-alone", "a DEAL in which no listener has a part", check, alone)
    again = kinds.AbsentEntry(check, 2)
    yield case("rules", "absent-twice", "an ABSENT for a side that is off the roll", check, again)
    yield case("rules", "absent-nobody", "an ABSENT for a side that there is not", gone, kinds.AbsentEntry(gone, 3))
    yield case("rules", "absent-coordinator", "an ABSENT for side 0", gone, kinds.AbsentEntry(gone, 0))
    for name, what, number, side in (
        ("absent-first", "an ABSENT before the first deal", 0, 2),
        ("absent-first-checked", "an ABSENT before the first deal, when the others have checked", 1, 2),
        ("absent-last", "an ABSENT for the last listener on the roll", check, 1),
    ):
        yield case("rules", name, what, number, kinds.AbsentEntry(number, side))
    for name, what, number, hand, side in (
        ("check-first-without", "a CHECK without a value before the first deal", 0, 0, 1),
        ("check-last-without", "a CHECK without a value of the last listener on the roll", check, 2, 1),
    ):
        yield case("fairness", name, what, number, no_value(number, hand, side), by=side, at=0)
    old_check = kinds.CheckEntry(check, 1, 1, Verdict.GOOD, chain_value(game.seeds[1], 2))
    yield case("rules", "check-recalled", "a CHECK with the number from before ABSENT", check, old_check, 1)
    late = kinds.AbsentEntry(gone, 1)
    yield case("rules", "absent-checked", "an ABSENT for a side that has checked", gone, late)
    start = old.first(kinds.DealEntry)
    of_version_1 = bytes(old.signed(start, kinds.AbsentEntry(start, 1), 0))
    yield "refused shape", "absent-version-1", "an ABSENT in a game of version 1", old, 1, start, of_version_1


def no_value_cases(game: Played, old: Played) -> Iterator[Case]:
    """What may not follow a CHECK without a value, and a late one; Bob judges. old: a game of version 1."""
    checks = [number for number in range(len(game.records)) if isinstance(game.entry(number), kinds.CheckEntry)]
    empty = next(number for number in checks if not value_in(game.entry(number)))
    after = empty + 1
    deal = next(number for number in range(after, len(game.records)) if isinstance(game.entry(number), kinds.DealEntry))
    gone = game.first(kinds.AbsentEntry)
    late = gone + 1
    late_deal = next(n for n in range(late, len(game.records)) if isinstance(game.entry(n), kinds.DealEntry))
    dealt, dealt_late = game.entry(deal), game.entry(late_deal)
    assert isinstance(dealt, kinds.DealEntry) and isinstance(dealt_late, kinds.DealEntry)

    def case(cause: str, name: str, what: str, number: int, entry: Entry, by: int = 0) -> Case:
        return f"refused {cause}", name, what, game, 1, number, bytes(game.signed(number, entry, by))

    def check(number: int, side: int, hand: int, value: bytes) -> Entry:
        return kinds.CheckEntry(game.at[number][0].open_base, side, hand, Verdict.GOOD, value)

    hand, late_hand = game.at[after][0].dealt, game.at[late][0].dealt
    yield case("rules", "check-none-twice", "a second CHECK without a value", after, check(after, 2, hand, b""), 2)
    value = chain_value(game.seeds[2], hand + 1)
    what = "a CHECK with a value, of a side that has just checked without one"
    yield case("rules", "check-after-none", what, after, check(after, 2, hand, value), 2)
    what = "an ABSENT for a side that has checked without a value"
    yield case("rules", "absent-after-none", what, after, kinds.AbsentEntry(after, 2))
    what = "a DEAL before Bob, who checked before Cy gave nothing, has checked once more"
    yield case("fairness", "deal-once", what, after, replace(dealt, base=after))
    what = "a CHECK of Bob's with the number from before Cy gave nothing"
    old_check = check(after, 1, hand - 1, chain_value(game.seeds[1], hand))
    yield case("rules", "check-recalled-by-none", what, after, old_check, 1)
    what = "a DEAL that names nobody absent, though Cy gave nothing"
    yield case("fairness", "deal-none", what, deal, replace(dealt, absent=()))
    what = "a DEAL of the number from before Cy gave nothing"
    yield case("rules", "deal-number", what, deal, replace(dealt, hand=dealt.hand - 1))
    twice = check(late + 1, 2, late_hand, chain_value(game.seeds[2], late_hand + 1))
    yield case("rules", "check-late-twice", "a second CHECK after an ABSENT", late + 1, twice, 2)
    what = "a DEAL that counts a value in which came after ABSENT"
    yield case("fairness", "deal-late", what, late_deal, replace(dealt_late, absent=()))
    end = len(game.records) - 1
    yield case(
        "rules",
        "close-won-between",
        "a CLOSE with reason 0 between two hands",
        end,
        kinds.CloseEntry(end, CloseReason.WON),
    )
    nobody = check(after, 0, hand, value)
    yield case("seat", "check-coordinator", "a CHECK of the coordinator's", after, nobody, 0)
    taken = game.first(kinds.DealEntry) + 1
    yield case("seat", "return", "a RETURN of a seat that there is not", taken, kinds.ReturnEntry(taken, 3))
    first = old.first(kinds.CheckEntry)
    without = kinds.CheckEntry(0, 1, 0, Verdict.GOOD, b"")
    record = bytes(old.signed(first, without, 1))
    yield "refused fairness", "check-none-version-1", "a CHECK without a value in version 1", old, 0, first, record


def reopened_cases(game: Played) -> Iterator[Case]:
    """What may not follow a CHECK without a value once the phase has opened anew after it; Bob judges."""
    gone = game.first(kinds.AbsentEntry) + 1
    last = len(game.records) - 1
    empty = next(number for number in reversed(range(last)) if not value_in(game.entry(number))) + 1

    def case(name: str, what: str, number: int, side: int, value: bytes) -> Case:
        position = game.at[number][0]
        entry = kinds.CheckEntry(position.open_base, side, position.dealt, Verdict.GOOD, value)
        return "refused rules", name, what, game, 1, number, bytes(game.signed(number, entry, side))

    def value(number: int, side: int) -> bytes:
        return chain_value(game.seeds[side], game.at[number][0].dealt + 1)

    what = "a CHECK {} a value, of a side that dropped out by one without, after {}"
    absent, none = "an ABSENT for another", "another such CHECK"
    yield case("check-none-absent", what.format("with", absent), gone, 3, value(gone, 3))
    yield case("check-none-absent-none", what.format("without", absent), gone, 3, b"")
    yield case("check-none-none", what.format("with", none), empty, 3, value(empty, 3))
    yield case("check-none-none-none", what.format("without", none), empty, 3, b"")


def last_check_cases(broken_off: Played, won: Played) -> Iterator[Case]:
    """What the only listener may send when no DEAL can follow; Bob judges."""
    for name, what, game in (
        ("check-none-broken-off", "was broken off", broken_off),
        ("check-none-won", "is won", won),
    ):
        number = len(game.records) - 2
        good = game.entry(number)
        assert isinstance(good, kinds.CheckEntry)
        record = bytes(game.signed(number, replace(good, value=b""), 1))
        yield "ok", name, f"a CHECK without a value of the only listener, when the game {what}", game, 1, number, record


def continued_cases(game: Played, checked: Played, won: Played) -> Iterator[Case]:
    """Where a game may not be closed to go on in another log; Bob judges. checked: a game in which a hand was checked;
    won: one that is won."""

    def case(name: str, what: str, played: Played, number: int) -> Case:
        entry = kinds.CloseEntry(number, CloseReason.CONTINUED)
        return "refused rules", name, what, played, 1, number, bytes(Record((played.signed(number, entry, 0),)))

    yield case("continued-before", "a CLOSE with reason 2 before a hand is dealt", game, 0)
    last = len(checked.records) - 1
    yield case("continued-checked", "a CLOSE with reason 2 once a side has checked the hand", checked, last)
    yield case("continued-won", "a CLOSE with reason 2 of a game that is won", won, len(won.records) - 2)


def value_in(entry: Entry) -> bytes:
    return entry.value if isinstance(entry, kinds.CheckEntry) else b"x"


def agreed_cases(game: Played, old: Played) -> Iterator[Case]:
    """A hand that Ann would like to deal again, or a move to take back; Bob judges. old: a game of version 1."""
    number = game.first(kinds.RedealEntry)
    good = game.entry(number)
    assert isinstance(good, kinds.RedealEntry)

    def case(cause: str, name: str, what: str, entry: Entry) -> Case:
        return f"refused {cause}", name, what, game, 1, number, bytes(game.signed(number, entry, 0))

    def yes(by: int, entry: kinds.Agreed, head: bytes) -> kinds.Yes:
        return kinds.Yes(1, sign(game.keys[by], YES_LABEL, head, kinds.agreed_body(entry)).signature)

    here, before = game.at[number][0].head, game.at[number - 1][0].head
    yield case("signature", "redeal-unasked", "a REDEAL to which Bob has not said yes", replace(good, yeses=()))
    forged = replace(good, yeses=(yes(0, good, here),))
    yield case("signature", "redeal-forged", "a REDEAL with a yes that Ann signed for Bob", forged)
    older = replace(good, yeses=(yes(1, good, before),))
    yield case("signature", "redeal-older", "a REDEAL with Bob's yes to the record before", older)
    other = replace(good, side=0)
    yield case("signature", "redeal-other", "a REDEAL with Bob's yes to that of somebody else", other)
    nobody = kinds.RedealEntry(number, 3)
    nobody = replace(nobody, yeses=(yes(1, nobody, here),))
    yield case("seat", "redeal-side", "a REDEAL that a side asks for which there is not", nobody)
    twice = replace(good, yeses=good.yeses * 2)
    yield case("shape", "redeal-twice", "a REDEAL to which Bob says yes twice", twice)
    undo = kinds.UndoEntry(number)
    undo = replace(undo, yeses=(yes(1, undo, here),))
    yield case("rules", "undo", "an UNDO in a game in which nothing is taken back", undo)
    move = old.first(kinds.ActionEntry, 1)
    redeal = bytes(old.signed(move, kinds.RedealEntry(move, 0), 0))
    yield "refused shape", "redeal-version-1", "a REDEAL in a game of version 1", old, 1, move, redeal


def learning_cases(game: Played, alone: Played) -> Iterator[Case]:
    """Entries for a player who is alone, with Bob at the table; and where it cannot be."""
    number = game.first(kinds.RedealEntry)
    for name, entry in (
        ("restart", kinds.RestartEntry(number)),
        ("swap", kinds.SwapEntry(number, 1)),
        ("face-up", kinds.FaceUpEntry(number, True)),
    ):
        signed = bytes(game.signed(number, entry, 0))
        yield "refused rules", f"{name}-with-people", f"a {name.upper()} with people", game, 1, number, signed
    swap, turned = alone.first(kinds.SwapEntry), alone.first(kinds.FaceUpEntry)
    own = bytes(alone.signed(swap, kinds.SwapEntry(swap, 0), 0))
    yield "refused seat", "swap-own", "a SWAP with one's own seat", alone, 0, swap, own
    down = bytes(alone.signed(turned, kinds.FaceUpEntry(turned, False), 0))
    yield "refused rules", "face-down", "hands that are not face up are turned down", alone, 0, turned, down
    place = next(n for n in range(len(alone.records)) if _has_drawn(alone, n)) + 1
    undo = bytes(alone.signed(place, kinds.UndoEntry(place), 0))
    yield "refused rules", "undo-card", "an UNDO of a card that was drawn", alone, 0, place, undo
    dealt = alone.first(kinds.ActionEntry, 0)
    undo = bytes(alone.signed(dealt, kinds.UndoEntry(dealt), 0))
    yield "refused rules", "undo-nothing", "an UNDO before Ann has done anything in this hand", alone, 0, dealt, undo


def _has_drawn(game: Played, number: int) -> bool:
    """Whether this record is a card that Ann draws."""
    entry = game.entry(number)
    drawn = isinstance(entry, kinds.ActionEntry) and entry.seat == 0
    return drawn and isinstance(game.at[number + 1][0].steps[-1].action, Draw)


def fan_cases(game: Played) -> Iterator[Case]:
    """Places that are picked by a side that could know the cards; Bob judges."""

    def case(name: str, what: str, number: int, seat: int) -> Case:
        position = game.at[number][0]
        action = Cut(5)
        entry = kinds.ActionEntry(number, seat, *encode_action(game.game, action))
        frame = game.signed(number, entry, 0)
        card = game.game.decide(position.state, seat, action).card.card
        outcome = encode_entry(kinds.OutcomeEntry(Outcome(((0, card),))))
        shown = sign(game.keys[0], ENTRY_LABEL, next_head(position.head, frame), outcome)
        return "refused rules", name, what, game, 1, number, bytes(Record((frame, shown)))

    first = game.first(kinds.ActionEntry, 0)
    yield case("pick", "Ann, who shuffles, picks a place to cut for the first deal", first, 0)
    far = bytes(game.signed(first, kinds.ActionEntry(first, 0, *encode_action(game.game, Cut(2**16))), 0))
    yield "refused shape", "number", "a number in an action that is over 65535", game, 1, first, far
    laid = [number for number in range(len(game.records)) if isinstance(game.entry(number), kinds.CommitEntry)]
    cut = laid[1] + 1  # Bob has laid away last, and owes the Cut for the starter
    made = game.entry(cut)
    assert isinstance(made, kinds.ActionEntry) and made.seat == 1
    opened = game.at[laid[0]][0]
    early = encode_entry(replace(made, base=opened.count))
    frame = bytes(sign(game.keys[1], ENTRY_LABEL, opened.head, early))
    what = "a Cut by the seat that laid away last, based on the phase in which both laid away"
    yield "refused base", "cut-in-phase", what, game, 0, cut, frame
