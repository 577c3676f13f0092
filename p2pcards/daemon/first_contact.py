"""Who comes in where a table waits: people we know, those who have its code, and others if we like; and words that two
people compare by voice."""

from __future__ import annotations

import math
from collections import Counter, OrderedDict, deque
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from hmac import compare_digest

import trio

from p2pcards.control.declined import Declined
from p2pcards.control.exits import USAGE
from p2pcards.control.messages import Admission
from p2pcards.daemon.acquaintance import find_known_peer, knows_key
from p2pcards.daemon.bell import Bell
from p2pcards.daemon.connection import Connection
from p2pcards.daemon.introductions import Introductions
from p2pcards.links.channel import Channel
from p2pcards.links.pairing import code_is_proven
from p2pcards.session.bounds import Slots, time_allowed
from p2pcards.store.files import Home
from p2pcards.views.happenings import CodeBurnt, CodeShown, Happening, Notice, WordsToCompare
from p2pcards.wire.clean import clean
from p2pcards.wire.messages import (
    Bye,
    GiveCode,
    Message,
    WordsCommitment,
    WordsNonce,
    WordsReveal,
    decode_message,
    encode_message,
)
from p2pcards.wire.packing import Refused
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.spoken import NONCE, NUMBERS, Code, make_code, words_commitment, words_to_compare

# --- the codes of a table that waits ----------------------------------------------------------------------------------


LIFE = 600.0
HOUR = 3600.0
MOST = 20
"""Codes within an hour."""

PAUSES = (1.0, 5.0, 25.0)
"""Seconds without a code after the first, second and every further wrong guess within an hour."""

REMEMBERED = 40
"""How many past codes are remembered, with what became of them."""


class Codes:
    """No clock: each method is told what time it is, in seconds. entropy(n): n random bytes. numbers_of_codes: those
    that a code may have. code: the one that is good now, if there is one; ends: when it expires."""

    def __init__(self, entropy: Callable[[int], bytes], numbers_of_codes: range = NUMBERS) -> None:
        self.code: Code | None = None
        self.ends = math.inf
        self._entropy = entropy
        self._numbers_of_codes = numbers_of_codes
        self._made: deque[float] = deque(maxlen=MOST)
        self._burnt: deque[float] = deque(maxlen=len(PAUSES))
        self._past: OrderedDict[int, ByeCode] = (
            OrderedDict()
        )  # number -> the code of the BYE that tells what became of it

    @property
    def numbers(self) -> list[int]:
        """The numbers of all remembered codes, the present one last."""
        return [*self._past, *([self.code.number] if self.code else [])]

    def ready_at(self, now: float) -> float:
        """When a new code may be made."""
        pause = PAUSES[burnt - 1] if (burnt := self._count_recent(self._burnt, now)) else 0.0
        after_pause = self._burnt[-1] + pause if pause else -math.inf
        return max(after_pause, self._made[0] + HOUR if self._count_recent(self._made, now) == MOST else -math.inf)

    def none_left(self, now: float) -> bool:
        """True if there is no code because an hour's codes are used up."""
        return self.code is None and self._count_recent(self._made, now) == MOST

    def make(self, now: float) -> Code:
        """Make a new code in place of the present one."""
        if self.code is not None:
            self._end(self.code, ByeCode.OLD_CODE)
        free = [number for number in self._numbers_of_codes if number not in self._past]
        number = free[int.from_bytes(self._entropy(8), "big") % len(free)]
        self.code, self.ends = make_code(number, self._entropy(2)), now + LIFE
        self._made.append(now)
        return self.code

    def expire(self) -> None:
        """End the present code, which is too old."""
        if self.code is not None:
            self._end(self.code, ByeCode.OLD_CODE)

    def claim(self, number: int, now: float, *, known: bool = False) -> Code | ByeCode:
        """The code for one exchange, after which `used` or `burn` must follow; meanwhile there is no code. Else the
        code of the BYE that says why not. known: a friend names it, whose old link is no guess."""
        if self.code is not None and now >= self.ends:
            self.expire()
        if number in self._past:
            return self._past[number]
        if self.none_left(now):
            return ByeCode.NO_CODE_LEFT
        code = self.code
        if code is None:
            return ByeCode.OLD_CODE if known else ByeCode.WRONG_CODE
        if number != code.number and known:
            return ByeCode.OLD_CODE
        if number != code.number:
            self.burn(code, now)
            return ByeCode.WRONG_CODE
        self._end(code, ByeCode.BURNT_CODE)  # as long as nobody has proven it
        return code

    def burn(self, code: Code, now: float) -> None:
        """End a code that was claimed but not proven."""
        self._end(code, ByeCode.BURNT_CODE)
        self._burnt.append(now)

    def used(self, code: Code) -> None:
        """End a code that was proven."""
        self._end(code, ByeCode.USED_CODE)

    def _end(self, code: Code, how: ByeCode) -> None:
        """End a code. how: what a later caller with it is told."""
        if self.code == code:
            self.code, self.ends = None, math.inf
        self._past[code.number] = how
        while len(self._past) > REMEMBERED:
            self._past.popitem(last=False)

    def _count_recent(self, times: deque[float], now: float) -> int:
        """How many of these times are within the last hour."""
        return sum(time > now - HOUR for time in times)


# --- the code of a table that waits, as its player sees it ------------------------------------------------------------


class DoorCodes:
    """Those of one table.

    codes: None where only people we know come in. has_room: whether somebody may still sit down; changed: rings when
    that may have become otherwise. tell: shows it to our player. link_with: the link to the table with a code, "" where
    it has none. moved: rings when there is another code, or somebody has come in who may return
    without one.
    """

    def __init__(
        self,
        codes: Codes | None,
        has_room: Callable[[], bool],
        changed: Bell,
        tell: Callable[[Happening], None],
        link_with: Callable[[str], str] = lambda _: "",
    ) -> None:
        self.moved = Bell()
        self._link_with = link_with
        self._codes = codes
        self._has_room = has_room
        self._changed = changed
        self._tell = tell
        self._coming = 0  # those who have named the code and are not at the table yet
        if codes:
            codes.make(trio.current_time())

    @property
    def code(self) -> str:
        """The code that is good now, "" if there is none."""
        return str(self._codes.code) if self._codes and self._codes.code else ""

    @property
    def link(self) -> str:
        """The link to this table with the present code, or to its meeting; "" if there is none."""
        return self._link_with(self.code)

    def numbers(self, most: int) -> list[int]:
        """The numbers of the last `most` codes."""
        return self._codes.numbers[-most:] if self._codes else []

    def show(self) -> None:
        """Show the code to our player, a new one if there is none. Raises Declined."""
        now = trio.current_time()
        if self._codes is None:
            raise Declined("This table lets in only people you know, so it has no code.", USAGE)
        if self._codes.code is None and now < self._codes.ready_at(now):
            seconds = math.ceil(self._codes.ready_at(now) - now)
            raise Declined(f"There's no code right now. You'll get a new one in {seconds} s.", USAGE)
        if self._codes.code is None:
            self._codes.make(now)
            self._changed.ring()
        self._show()

    async def keep(self) -> None:
        """Keep a code in force while the table has room, as far as codes may be made."""
        codes = self._codes
        while codes is not None:
            now = trio.current_time()
            if now >= codes.ends:
                codes.expire()
            wanted = codes.code is None and not self._coming and self._has_room()
            if wanted and now >= codes.ready_at(now):
                codes.make(now)
                self._show()
            with trio.move_on_at(codes.ready_at(now) if wanted and codes.code is None else codes.ends):
                await self._changed.wait()

    # --- somebody who names the code ----------------------------------------------------------------------------------

    def claim(self, number: int, where: str, *, known: bool) -> Code | ByeCode:
        """The code for one exchange, after which `prove` must follow; else the code of the BYE that says why not.
        where: the caller's address; known: as in `Codes.claim`."""
        if self._codes is None:
            return ByeCode.NO_CODE
        before = self._codes.code
        claimed = self._codes.claim(number, trio.current_time(), known=known)
        if isinstance(claimed, ByeCode):
            if claimed is ByeCode.WRONG_CODE and before is not None:
                self._show_burnt(self._codes, before, where)
        else:
            self._coming += 1
        return claimed

    def prove(self, code: Code, proven: bool, where: str) -> None:
        """Take the result of an exchange. Whoever proved the code is awaited until `arrived`."""
        assert self._codes is not None
        if proven:
            self._codes.used(code)
        else:
            self._coming -= 1
            self._codes.burn(code, trio.current_time())
            self._show_burnt(self._codes, code, where)

    def arrived(self) -> None:
        """Note that a caller who proved the code is at the table now."""
        self._coming -= 1

    def left(self) -> None:
        """Note that a caller who had come in is gone, or was not seated."""
        self._changed.ring()

    # --- what our player is told --------------------------------------------------------------------------------------

    def _show(self) -> None:
        """Show the code to our player and wake those who watch for it."""
        self.moved.ring()
        self._tell(CodeShown(code=self.code, seconds=LIFE, link=self.link if self.code in self.link else ""))

    def _show_burnt(self, codes: Codes, code: Code, where: str) -> None:
        """Tell our player that a caller had the wrong code, and when there is a new one."""
        now = trio.current_time()
        self._tell(CodeBurnt(code=str(code), where=where, seconds=max(0.0, codes.ready_at(now) - now)))
        self._changed.ring()


# --- words that two sides of a link compare by voice ------------------------------------------------------------------


MOST_BROKEN_OFF = 3
"""Comparisons that one identity may begin and not finish at a table: who sits between two people could try until the
words happen to be the same."""

Tell = Callable[[Connection, str], None]


@dataclass(frozen=True, slots=True)
class Begun:
    """A comparison under way."""

    nonce: bytes
    commitment: bytes | None = None  # the peer's; None if this side began


class Comparisons:
    """Those of one table.

    entropy(n): n random bytes; found: told the words, three with blanks between; broken: told when somebody who began
    does not go on as they said.
    """

    def __init__(self, entropy: Callable[[int], bytes], found: Tell, broken: Callable[[Connection], None]) -> None:
        self._entropy = entropy
        self._found = found
        self._broken = broken
        self._begun: dict[Connection, Begun] = {}
        self._unfinished: Counter[bytes] = Counter()

    def begin(self, connection: Connection) -> None:
        """Begin to compare words over a link."""
        nonce = self._entropy(NONCE)
        self._begun[connection] = Begun(nonce)
        self._send(connection, WordsCommitment(words_commitment(connection.link.binding, nonce)))

    def lost(self, connection: Connection) -> None:
        """Forget the comparison on a link that is over."""
        begun = self._begun.pop(connection, None)
        if begun is not None and begun.commitment is not None:
            self._broken(connection)

    def heard(self, connection: Connection, data: bytes) -> None:
        """Take a message about words. One that doesn't fit is ignored, as both may have begun at once."""
        try:
            message = decode_message(data)
        except Refused:
            return
        begun = self._begun.get(connection)
        match message:
            case WordsCommitment(commitment):
                self._answer(connection, commitment, begun)
            case WordsNonce(nonce) if begun is not None and begun.commitment is None:
                del self._begun[connection]
                self._send(connection, WordsReveal(begun.nonce))
                self._found(connection, " ".join(words_to_compare(connection.link.binding, begun.nonce, nonce)))
            case WordsReveal(nonce) if begun is not None and begun.commitment is not None:
                del self._begun[connection]
                if compare_digest(words_commitment(connection.link.binding, nonce), begun.commitment):
                    self._unfinished[connection.link.peer] -= 1
                    self._found(connection, " ".join(words_to_compare(connection.link.binding, nonce, begun.nonce)))
                else:
                    self._broken(connection)

    def _answer(self, connection: Connection, commitment: bytes, begun: Begun | None) -> None:
        """Answer the other side's commitment, unless we began and go first."""
        if begun is not None and begun.commitment is None and connection.address:
            return  # both began: the one who opened the stream goes on
        if begun is not None and begun.commitment is not None:
            self._broken(connection)
        peer = connection.link.peer
        if self._unfinished[peer] >= MOST_BROKEN_OFF:
            self._begun.pop(connection, None)
            return
        self._unfinished[peer] += 1
        nonce = self._entropy(NONCE)
        self._begun[connection] = Begun(nonce, commitment)
        self._send(connection, WordsNonce(nonce))

    def _send(self, connection: Connection, message: Message) -> None:
        """Send a message over a link."""
        connection.send(encode_message(message))


# --- words that our player compares by voice with those who have a line to the table ----------------------------------


ANSWER = 10.0
"""Seconds that the other side has to answer."""

AT_ONCE, EACH = 12, 2.5
"""Messages about words that are taken from one link right after the other, and the seconds after which one more is:
beginning takes two."""


class VoiceCheck:
    """That of one table. entropy(n): n random bytes; tell: shows it to our player."""

    def __init__(
        self,
        home: Home,
        introductions: Introductions,
        entropy: Callable[[int], bytes],
        tell: Callable[[Happening], None],
    ) -> None:
        self._home = home
        self._introductions = introductions
        self._tell = tell
        self._words: dict[Connection, str] = {}
        self._slots: dict[Connection, Slots] = {}
        self._found = Bell()
        self._comparisons = Comparisons(entropy, self._show_words, self._broke_off)

    def begin_comparing(self, name: str = "") -> list[Connection]:
        """Begin with everybody connected, or one of them by name. Raises Declined."""
        lines = self._links_to_compare()
        names = [self._introductions.name_of(each.link.peer) for each in lines]
        chosen = [each for each, called in zip(lines, names, strict=True) if name.casefold() in ("", called.casefold())]
        if not chosen and lines:
            raise Declined(
                f"You have no connection to '{clean(name, 24)}'. You can compare words with {', '.join(names)}.", USAGE
            )
        if not chosen:
            raise Declined("There's nobody here to compare words with.", USAGE)
        for connection in chosen:
            self._words.pop(connection, None)
            self._comparisons.begin(connection)
        return chosen

    async def finish(self, begun: Sequence[Connection]) -> list[tuple[str, str]]:
        """(name, words) of those who answer in time; our player is told who does not."""
        with trio.move_on_after(time_allowed(ANSWER, max([one.pace for one in begun], default=0.0))):
            while not all(each in self._words for each in begun):
                await self._found.wait()
        for connection in begun:
            if connection not in self._words and connection in self._links_to_compare():
                text = f"{self._known_name(connection)}'s program didn't answer, so there are no words to compare."
                self._tell(Notice(text))
        return [(self._known_name(each), self._words[each]) for each in begun if each in self._words]

    def receive_words(self, connection: Connection, message: bytes) -> None:
        """Take a message about words; ignored from peers that send too many."""
        if self._slots.setdefault(connection, Slots(AT_ONCE, EACH)).acquire(trio.current_time()):
            self._comparisons.heard(connection, message)

    def lost(self, connection: Connection) -> None:
        """Forget the comparison on a link that is over."""
        self._slots.pop(connection, None)
        self._comparisons.lost(connection)

    def _links_to_compare(self) -> list[Connection]:
        """The links of everybody whom our player has heard of."""
        return [who.connection for who in self._introductions.everybody if who.met]

    def _show_words(self, connection: Connection, words: str) -> None:
        """Keep the words of a finished comparison and show them to our player."""
        self._words[connection] = words
        self._tell(WordsToCompare(name=self._known_name(connection), words=words))
        self._found.ring()

    def _broke_off(self, connection: Connection) -> None:
        """Warn our player that a peer began to compare words and did not finish."""
        name = self._known_name(connection)
        text = f"{name} started comparing words but didn't finish. If it happens again, someone may be in between."
        self._tell(Notice(text))

    def _known_name(self, connection: Connection) -> str:
        """The name of a peer in our list of friends, which `peers trust` takes; else the name they go by here."""
        key = connection.link.peer
        peer = find_known_peer(self._home, key)
        return peer.name if peer else self._introductions.name_of(key) or "somebody"


# --- who comes in where a table waits ---------------------------------------------------------------------------------


Serve = Callable[[Channel, str], Awaitable[object]]


def nobody() -> Collection[bytes]:
    """No keys: nobody is at the table."""
    return ()


class Threshold:
    """The threshold of one table.

    key: our own public key. serve: takes the one who came in to the table, until the link is over, and is told "code"
    if they have just proven one, "link" if they came by that of the table, else "". members: the keys of those who are
    at the table, or were just now. One who is refused is told why in one BYE, and nothing else about us: not even a
    name.
    """

    def __init__(
        self,
        home: Home,
        key: bytes,
        admission: Admission,
        codes: DoorCodes,
        serve: Serve,
        members: Callable[[], Collection[bytes]] = nobody,
    ) -> None:
        self.members = members
        self._home = home
        self._key = key
        self._admission = admission
        self._codes = codes
        self._serve = serve
        self.proven: list[bytes] = []  # the keys of those who came with a code or a link, the last of them at the end
        self._arriving: dict[Channel, str] = {}  # with the code or by the link, not at the table yet

    async def admit(self, channel: Channel, *, only_with_code: bool = False, invited: bool = False) -> bool:
        """True if the caller may come in; otherwise they are told why and the channel is closed. only_with_code: no
        stranger without one, as for a page, which any site may have opened. invited: they came by the table's link.
        Raises LinkLost."""
        message = await channel.receive()
        try:
            said = decode_message(message)
        except Refused:
            said = None  # the table refuses it, if it comes so far
        if isinstance(said, GiveCode):
            why = await self._check_code(channel, said)
        else:
            why = None if invited else self._refusal_without_code(channel.peer, only_with_code)
            channel.put_back(message)
            if invited:
                self._let_in(channel, "link")
        if why is None:
            return True
        await channel.send(encode_message(Bye(why)))
        await channel.aclose()
        return False

    async def arrived(self, channel: Channel) -> None:
        """Serve a caller who was admitted."""
        proven = self._arriving.pop(channel, "")
        if proven == "code":
            self._codes.arrived()
        try:
            await self._serve(channel, proven)
        finally:
            self._codes.left()

    def _refusal_without_code(self, key: bytes, only_with_code: bool = False) -> ByeCode | None:
        """The code of the BYE for a caller without a code, None if they may come in."""
        if not (self._admission.require_code or self._admission.known_only or only_with_code):
            return None
        if self._has_met(key):
            return None
        return ByeCode.KNOWN_ONLY if self._admission.known_only else ByeCode.NEEDS_CODE

    def _has_met(self, key: bytes) -> bool:
        """True if this key is known, has proven a code here, or is at the table and takes it over."""
        return key in self.proven or knows_key(self._home, key) or key in self.members()

    async def _check_code(self, channel: Channel, given: GiveCode) -> ByeCode | None:
        """Check the code that a caller gives; returns the code of the BYE for them, None if they may come in."""
        if self._admission.known_only:
            return self._refusal_without_code(channel.peer) or ByeCode.NO_CODE
        claimed = self._codes.claim(given.number, channel.where, known=self._has_met(channel.peer))
        if isinstance(claimed, ByeCode):
            return claimed
        proven = False
        try:
            proven = await code_is_proven(channel, given, claimed, self._key)
        finally:
            # One who breaks off has seen as much as a wrong guess shows.
            self._codes.prove(claimed, proven, channel.where)
        if not proven:
            return ByeCode.WRONG_CODE
        self._let_in(channel, "code")
        return None

    def _let_in(self, channel: Channel, proven: str) -> None:
        """Note an admitted caller, who finds this table as a friend from now on. proven: "code", "link" or ""."""
        self.proven = [*[key for key in self.proven if key != channel.peer], channel.peer][-REMEMBERED:]
        self._codes.moved.ring()
        self._arriving[channel] = proven
