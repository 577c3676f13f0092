"""Onion services: a table waits inside Tor's network, and is called there, so neither end learns the other's address.

A tor that runs on this machine does the work. Its control port makes the service (control-spec.txt of the Tor project),
its SOCKS port carries the call (RFC 1928).
"""

from __future__ import annotations

import base64
import hmac
import os
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha512
from pathlib import Path

import trio

from p2pcards.links.address import DEFAULT_PORT, format_address, parse_address
from p2pcards.links.link import StreamFailed
from p2pcards.links.tcp import CannotConnect, CannotListen
from p2pcards.wire.address import ONION
from p2pcards.wire.clean import visible
from p2pcards.wire.keys import PrivateKey

HERE = "127.0.0.1"

Place = Path | tuple[str, int]
"""A Unix socket, or a host and a port."""

DEBIAN_CONTROL = Path("/run/tor/control")
PATIENCE = 10.0
"""Seconds for tor to answer on its control port."""
CALLING = 60.0
"""Seconds for a call: tor fetches a descriptor and builds two circuits."""
AGAIN = 10.0
"""Seconds until tor is looked for again after it has ended."""
LONGEST = 16384
"""Bytes of an answer of tor's; ours have a few lines."""

COOKIE = 32
TOR_PROVES, WE_PROVE = (
    b"Tor safe cookie authentication server-to-controller hash",
    b"Tor safe cookie authentication controller-to-server hash",
)


@dataclass(frozen=True, slots=True)
class Tor:
    """Where a tor may be: the first of each that answers is taken."""

    control: Sequence[Place] = (DEBIAN_CONTROL, (HERE, 9051), (HERE, 9151))
    socks: Sequence[tuple[str, int]] = ((HERE, 9050), (HERE, 9150))


def tor_at(address: str) -> Tor:
    """The places of a tor. address: of its SOCKS port, the control port being the next one; "" for the usual ones of a
    system's tor and Tor Browser. Raises BadAddress."""
    if not address:
        return Tor()
    host, port = parse_address(address)
    return Tor(((host, port + 1),), ((host, port),))


# --- waiting there ----------------------------------------------------------------------------------------------------


async def keep_onion(
    port: int,
    identity: PrivateKey,
    tor: Tor,
    tell: Callable[[str], None],
    *,
    task_status: trio.TaskStatus[str] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Have tor lead calls of this identity's onion address to a port of this machine, until cancelled, which ends the
    service. It has started with the address; tell: is told when tor goes and comes back. Raises CannotListen."""
    key, address, told = _service_key(identity), "", ""
    while True:
        try:
            async with _controlled(tor) as control:
                name = await control.add_onion(key, port)
                if not address:
                    address = name
                    task_status.started(address)
                if told:
                    tell("Tor is back, so friends can join through it again.")
                told = ""
                await control.wait_for_its_end()
                why = "Tor has stopped, so nobody can join through it."
        except CannotListen as cannot:
            if not address:
                raise
            why = cannot.sentence
        if not told:
            tell(f"{why} Checking again every {AGAIN:g} s.")
        told = why
        await trio.sleep(AGAIN)


def _service_key(identity: PrivateKey) -> str:
    """The key of the onion service in tor's expanded form (RFC 8032, 5.1.5): always the same for an identity, so that
    friends find it again."""
    seed = hmac.digest(identity.private_bytes_raw(), b"p2pcards onion 1", "sha256")
    expanded = bytearray(sha512(seed).digest())
    expanded[0] &= 248
    expanded[31] = expanded[31] & 127 | 64
    return base64.b64encode(expanded).decode()


class _Control:
    """A conversation with a tor that has let us in."""

    def __init__(self, stream: trio.abc.Stream, where: str) -> None:
        self._stream = stream
        self._where = where
        self._unread = b""

    async def ask(self, command: str) -> list[str]:
        """Send a command; returns the lines of the answer without codes. Raises CannotListen, _Refused among it."""
        try:
            with trio.fail_after(PATIENCE):
                await self._stream.send_all(f"{command}\r\n".encode())
                lines = [await self._line()]
                while lines[-1][3:4] != " ":
                    lines.append(await self._line())
        except (trio.BrokenResourceError, trio.ClosedResourceError, EOFError, trio.TooSlowError):
            raise CannotListen(f"{self._where} answers, but it isn't Tor's control port.") from None
        if not lines[-1].startswith("250"):
            raise _Refused(lines[-1][4:])
        return [line[4:] for line in lines]

    async def _line(self) -> str:
        """The next line from tor."""
        while b"\r\n" not in self._unread:
            if len(self._unread) > LONGEST:
                raise EOFError
            more = await self._stream.receive_some()
            if not more:
                raise EOFError
            self._unread += more
        line, self._unread = self._unread.split(b"\r\n", 1)
        return line.decode("ascii", "replace")

    async def let_us_in(self) -> None:
        """Authenticate, by nothing or by the cookie, which is never sent. Raises CannotListen."""
        said = "\n".join(await self.ask("PROTOCOLINFO 1"))
        methods = re.search(r"^AUTH METHODS=([A-Z,]+)", said, re.MULTILINE)
        allowed = methods[1].split(",") if methods else []
        if "NULL" in allowed:
            await self.ask("AUTHENTICATE")
        elif "SAFECOOKIE" in allowed and (named := re.search(r'COOKIEFILE="([^"\n]+)"', said)):
            await self._show_cookie(_cookie(Path(named[1])))
        else:
            raise CannotListen(
                "Your tor asks for a password. Add the line 'CookieAuthentication 1' to its torrc, and restart it."
            )

    async def _show_cookie(self, cookie: bytes) -> None:
        """Prove knowledge of the cookie, after tor has. Raises CannotListen."""
        ours = os.urandom(COOKIE)
        (said,) = await self.ask(f"AUTHCHALLENGE SAFECOOKIE {ours.hex()}")
        answer = re.fullmatch(r"AUTHCHALLENGE SERVERHASH=([0-9A-F]{64}) SERVERNONCE=([0-9A-F]{64})", said)
        theirs = bytes.fromhex(answer[2]) if answer else b""
        proof = hmac.digest(TOR_PROVES, cookie + ours + theirs, "sha256")
        if answer is None or not hmac.compare_digest(proof, bytes.fromhex(answer[1])):
            raise CannotListen(f"{self._where} answers, but it doesn't accept your tor's cookie.")
        await self.ask(f"AUTHENTICATE {hmac.digest(WE_PROVE, cookie + ours + theirs, 'sha256').hex()}")

    async def add_onion(self, key: str, port: int) -> str:
        """Create the onion service for this port; returns its address. It ends with this connection. Raises
        CannotListen."""
        try:
            said = await self.ask(f"ADD_ONION ED25519-V3:{key} Port={DEFAULT_PORT},{HERE}:{port}")
        except _Refused as refused:
            if "collision" in refused.why:
                raise CannotListen("Another table of yours already uses your onion address.") from None
            raise
        name = re.fullmatch(r"ServiceID=([a-z2-7]{56})", said[0])
        if name is None:
            raise _Refused(said[0])
        return name[1] + ONION

    async def wait_for_its_end(self) -> None:
        """Wait until tor closes the connection."""
        try:
            while await self._stream.receive_some():
                pass
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass


class _Refused(CannotListen):
    def __init__(self, why: str) -> None:
        super().__init__(f"Tor refuses: {visible(why[:200])}.")
        self.why = why


@asynccontextmanager
async def _controlled(tor: Tor) -> AsyncIterator[_Control]:
    """An authenticated control connection, closed at the end. Raises CannotListen."""
    stream, where = await _first(tor.control)
    async with stream:
        control = _Control(stream, where)
        await control.let_us_in()
        yield control


async def _first(places: Sequence[Place]) -> tuple[trio.abc.Stream, str]:
    """A stream to the first of these places that answers, with its name. Raises CannotListen."""
    for place in places:
        try:
            with trio.fail_after(PATIENCE):
                if isinstance(place, Path):
                    return await trio.open_unix_socket(str(place)), str(place)
                return await trio.open_tcp_stream(*place), format_address(*place)
        except PermissionError:
            raise CannotListen(
                f"You don't have permission to control the tor at {place}. Join its group, and log in again: "
                "sudo adduser $USER debian-tor"
            ) from None
        except (OSError, trio.TooSlowError):
            continue
    tried = ", ".join(str(place) if isinstance(place, Path) else format_address(*place) for place in places)
    raise CannotListen(
        f"No tor with a control port is running here ({tried}). Install tor, and add the lines 'ControlPort 9051' and "
        "'CookieAuthentication 1' to its torrc."
    )


def _cookie(file: Path) -> bytes:
    """The cookie in this file. Raises CannotListen unless it looks like one, since tor names the file."""
    try:
        with file.open("rb") as opened:
            found = opened.read(COOKIE + 1)
    except OSError as error:
        raise CannotListen(
            f"Can't read your tor's cookie ({visible(str(file))}: {error.strerror}). Join tor's group, "
            "and log in again: sudo adduser $USER debian-tor"
        ) from None
    if len(found) != COOKIE:
        raise CannotListen(f"Your tor's cookie file isn't a cookie: {visible(str(file))}.")
    return found


# --- calling somebody there -------------------------------------------------------------------------------------------


NO_NAME = "'{host}' isn't an onion address. Those have 56 letters and digits before '.onion'."
NO_TOR = "An onion address needs tor, which isn't running here ({tried}). Install and start tor, then call again."
NOBODY = "Tor found nobody at {there}. Ask your friend whether their table is still open, and for its address."
NOT_READY = "Tor can't reach its network. Check that this machine is online, and give tor a minute to start."

SOCKS_REPLIES = {1: NOBODY, 3: NOT_READY, 4: NOBODY, 5: NOBODY, 6: NOT_READY}
"""By the reply of a SOCKS server (RFC 1928, 6)."""


async def connect_onion(host: str, port: int, tor: Tor) -> trio.abc.Stream:
    """A stream to this port of an onion service, through tor. Raises CannotConnect."""
    name = host.lower().rstrip(".")
    there = format_address(name, port)
    if not re.fullmatch(r"([a-z2-7-]+\.)*[a-z2-7]{56}\.onion", name) or len(name) > 255:
        raise CannotConnect(NO_NAME.format(host=visible(host)))
    for place in tor.socks:
        try:
            stream = await trio.open_tcp_stream(*place)
        except OSError:
            continue
        try:
            with trio.fail_after(CALLING):
                await _ask_socks(stream, name, port, there)
        except BaseException as failed:
            await trio.aclose_forcefully(stream)
            if isinstance(failed, trio.TooSlowError):
                raise CannotConnect(NOT_READY) from None
            if isinstance(failed, trio.BrokenResourceError | StreamFailed | EOFError):
                raise CannotConnect(f"{format_address(*place)} answers, but it isn't Tor's SOCKS port.") from None
            raise
        return stream
    raise CannotConnect(NO_TOR.format(tried=", ".join([format_address(*place) for place in tor.socks])))


async def _ask_socks(stream: trio.abc.Stream, name: str, port: int, there: str) -> None:
    """Ask a SOCKS 5 proxy for a connection. Raises CannotConnect, or EOFError if it speaks another protocol."""
    await stream.send_all(b"\x05\x01\x00")
    if await _exactly(stream, 2) != b"\x05\x00":
        raise EOFError
    await stream.send_all(b"\x05\x01\x00\x03" + bytes([len(name)]) + name.encode() + port.to_bytes(2, "big"))
    version, reply, _, kind = await _exactly(stream, 4)
    if version != 5:
        raise EOFError
    if reply:
        raise CannotConnect(SOCKS_REPLIES.get(reply, NOBODY).format(there=there))
    rest = {1: 4, 4: 16}.get(kind) or (await _exactly(stream, 1))[0]
    await _exactly(stream, rest + 2)


async def _exactly(stream: trio.abc.Stream, size: int) -> bytes:
    """Read exactly so many bytes. Raises EOFError."""
    read = b""
    while len(read) < size:
        more = await stream.receive_some(size - len(read))
        if not more:
            raise EOFError
        read += more
    return read
