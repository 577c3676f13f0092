"""Pages in real browsers, Chromium and Firefox, whose worker is a friend's daemon: what is said to it and what it says.

Chromium is driven through its developer tools (`rigs/browser`), Firefox through WebDriver BiDi, which it speaks itself.
"""

from __future__ import annotations

import base64
import json
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest
import trio
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, Request, TextMessage

from rigs.browser import CHROMIUM, Browser, memory_of, processor_of
from rigs.giving_up import longest_wait
from rigs.nat import Place

FIREFOX = ("firefox-esr", "firefox")
LOOKING = 0.05


class ShownTab(Protocol):
    def value(self, script: str) -> Any:
        """What the script comes to."""

    def tap(self, x: float, y: float) -> None:
        """At this point of the page, in pixels."""

    def type(self, text: str) -> None:
        """Press the keys, one after the other; arrows by their signs."""

    def reload(self) -> None: ...
    def close(self) -> None: ...
    def limit_storage(self, address: str, size: int) -> None:
        """How many bytes pages of this origin may keep from now on."""

    def keep_for_good(self, address: str) -> None:
        """Pages of this origin may ask for that and get it."""


class RunningBrowser(Protocol):
    def open(self, address: str, width: int = 1100, height: int = 700) -> ShownTab: ...
    def save_into(self, folder: Path) -> None:
        """What a page saves comes into this folder without a question."""

    def allow_notifications(self, allowed: bool) -> None:
        """Of any page."""

    def memory(self) -> int:
        """Bytes of all its processes."""

    def processor(self) -> float:
        """Seconds of processor that all its processes have taken."""

    def end(self) -> None:
        """Killed, as by the system."""


# --- Firefox ----------------------------------------------------------------------------------------------------------


PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.getAddons.cache.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "remote.active-protocols": 1,
    "toolkit.telemetry.enabled": False,
}


class Firefox:
    """One Firefox with its profile. preferences: besides the usual ones; line: a socket of its network."""

    def __init__(
        self,
        program: Sequence[str],
        profile: Path,
        preferences: Mapping[str, Any] | None = None,
        line: socket.socket | None = None,
    ) -> None:
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
            for name, value in (PREFERENCES | dict(preferences or {})).items()
        ]
        (profile / "user.js").write_text("".join(lines))
        command = [*program, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
        where = profile / "WebDriverBiDiServer.json"
        where.unlink(missing_ok=True)
        null = subprocess.DEVNULL
        self._process = subprocess.Popen(command, stdin=null, stdout=null, stderr=null)
        end = time.monotonic() + longest_wait()
        while not (where.exists() and where.read_text().endswith("}")):
            assert self._process.poll() is None and time.monotonic() < end, "Firefox does not come up"
            time.sleep(LOOKING)
        port = json.loads(where.read_text())["ws_port"]
        self._count = 0
        self._socket = line or socket.socket()
        self._socket.settimeout(longest_wait())
        self._socket.connect(("127.0.0.1", port))
        self._frames = WSConnection(ConnectionType.CLIENT)
        self._socket.sendall(self._frames.send(Request(host=f"127.0.0.1:{port}", target="/session")))
        self._texts = self._come()
        next(self._texts)
        self.call("session.new", capabilities={"alwaysMatch": {"acceptInsecureCerts": True}})

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._count += 1
        said = {"id": self._count, "method": method, "params": parameters}
        self._socket.sendall(self._frames.send(TextMessage(json.dumps(said))))
        answer = next(one for one in self._texts if one.get("id") == self._count)
        assert answer["type"] == "success", answer
        return dict(answer["result"])

    def _come(self) -> Iterator[dict[str, Any]]:
        text = ""
        while True:
            data = self._socket.recv(65536)
            assert data, "the browser has ended"
            self._frames.receive_data(data)
            for event in self._frames.events():
                assert isinstance(event, AcceptConnection | TextMessage), event
                text += "{}" if isinstance(event, AcceptConnection) else event.data
                if isinstance(event, AcceptConnection) or event.message_finished:
                    whole, text = text, ""
                    yield json.loads(whole)

    def open(self, address: str, width: int = 1100, height: int = 700) -> FirefoxTab:
        context = self.call("browsingContext.create", type="tab")["context"]
        self.call("browsingContext.setViewport", context=context, viewport={"width": width, "height": height})
        self.call("browsingContext.navigate", context=context, url=address, wait="complete")
        return FirefoxTab(self, context)

    def save_into(self, folder: Path) -> None:
        """By its preferences."""

    def allow_notifications(self, allowed: bool) -> None:
        """By its preferences."""

    def memory(self) -> int:
        return memory_of(self._process.pid)

    def processor(self) -> float:
        return processor_of(self._process.pid)

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        self._socket.close()


KEYS = {"\t": "\ue004", "\r": "\ue007", "\x1b": "\ue00c", "←": "\ue012", "↑": "\ue013", "→": "\ue014", "↓": "\ue015"}
"""Of WebDriver, by the letters that stand for them in `rigs/browser`."""


class FirefoxTab:
    def __init__(self, browser: Firefox, context: str) -> None:
        self._browser = browser
        self._context = context

    def value(self, script: str) -> Any:
        found = self._browser.call(
            "script.evaluate",
            expression=f"JSON.stringify(({script}) ?? null)",
            target={"context": self._context},
            awaitPromise=False,
        )
        assert found["type"] == "success", found
        return json.loads(found["result"]["value"])

    def tap(self, x: float, y: float) -> None:
        """At this point of the page, in pixels."""
        there = {"type": "pointerMove", "x": round(x), "y": round(y)}
        deeds = [there, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self._perform({"type": "pointer", "id": "finger", "actions": deeds})

    def type(self, text: str) -> None:
        """Press the keys, one after the other."""
        keys = [KEYS.get(letter, letter) for letter in text]
        deeds = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._perform({"type": "key", "id": "keys", "actions": deeds})

    def _perform(self, source: Mapping[str, Any]) -> None:
        self._browser.call("input.performActions", context=self._context, actions=[source])

    def reload(self) -> None:
        self._browser.call("browsingContext.reload", context=self._context, wait="complete")

    def close(self) -> None:
        """Until the browser has let go of the tab: so long it is a client of its service worker."""
        self._browser.call("browsingContext.close", context=self._context)
        end = time.monotonic() + longest_wait()
        while self._context in [tab["context"] for tab in self._browser.call("browsingContext.getTree")["contexts"]]:
            assert time.monotonic() < end, "the tab stays"
            time.sleep(LOOKING)

    def limit_storage(self, address: str, size: int) -> None:
        raise NotImplementedError(address, size)

    def keep_for_good(self, address: str) -> None:
        """By its preferences."""


# --- either of them ---------------------------------------------------------------------------------------------------


def start_browser(
    name: str, profile: Path, preferences: Mapping[str, Any] | None = None, place: Place | None = None
) -> RunningBrowser:
    """name: "chromium" or "firefox"; place: a network of the NAT laboratory. Skips the test where the browser is not
    installed."""
    programs = CHROMIUM if name == "chromium" else FIREFOX
    program = next(filter(None, map(shutil.which, programs)), None)
    if program is None:
        pytest.skip(f"There is no {name} here; scripts/test --browser installs it where it can.")
    profile.mkdir(exist_ok=True)
    command = [*(place.entry if place else []), program]
    if name == "chromium":
        return Browser(command, profile)
    return Firefox(command, profile, preferences, place.socket(kind=socket.SOCK_STREAM) if place else None)


@contextmanager
def browsing(
    name: str, profile: Path, preferences: Mapping[str, Any] | None = None, place: Place | None = None
) -> Iterator[RunningBrowser]:
    browser = start_browser(name, profile, preferences, place)
    try:
        yield browser
    finally:
        browser.end()


@pytest.fixture
def running(name: str, tmp_path: Path) -> Iterator[RunningBrowser]:
    """A browser that has kept nothing yet. name: the test's own parameter."""
    with browsing(name, tmp_path / "profile") as browser:
        yield browser


WORKER = """
(() => {
  const entry = new XMLHttpRequest();
  entry.open("GET", "./", false);
  entry.send();
  const name = /worker-\\w+\\.js/.exec(entry.responseText)[0];
  window.heard = [];
  window.files = [];
  window.worker = new Worker(name, { type: "module" });
  worker.onmessage = ({ data }) => {
    if (typeof data === "string") return heard.push(data === "ready" ? { is: "ready" } : JSON.parse(data));
    let text = "";
    for (const byte of new Uint8Array(data.bytes)) text += String.fromCharCode(byte);
    files.push([data.name, btoa(text)]);
  };
  worker.onerror = (event) => heard.push({ is: "broken", text: event.message });
  return true;
})()
"""
"""The script of a page whose worker is looked at alone; the entry names it."""
GIVE = """
worker.postMessage({{
  is: {kind}, name: {name}, bytes: Uint8Array.from(atob({data}), (one) => one.charCodeAt(0)).buffer
}})
"""

Message = dict[str, Any]


class Friend:
    """A page of this origin with the worker and nothing else in it."""

    def __init__(self, tab: ShownTab) -> None:
        self.tab = tab
        self.heard: list[Message] = []
        self._taken = 0
        tab.value(WORKER)

    @classmethod
    def at(cls, browser: RunningBrowser, address: str, room: int | None = None) -> Friend:
        """address: of the page; room: bytes that it may keep. The document is a text, which runs nothing."""
        tab = browser.open(f"{address}hash.txt")
        end = time.monotonic() + longest_wait()
        while tab.value("document.readyState === 'complete' && location.protocol") != "http:":
            assert time.monotonic() < end, "the page does not come"
            time.sleep(LOOKING)
        if room is not None:
            tab.limit_storage(address, room)
        return cls(tab)

    def reload(self) -> None:
        self.tab.reload()
        end = time.monotonic() + longest_wait()
        while self.tab.value("document.readyState === 'complete' && typeof window.heard") != "undefined":
            assert time.monotonic() < end, "the page does not come again"
            time.sleep(LOOKING)
        self.heard, self._taken = [], 0
        self.tab.value(WORKER)

    def say(self, kind: str, **more: Any) -> None:
        text = json.dumps(json.dumps({"is": kind, **more}))
        self.tab.value(f"worker.postMessage({text})")

    def give(self, kind: str, name: str, data: bytes) -> None:
        """A file."""
        encoded = json.dumps(base64.b64encode(data).decode())
        self.tab.value(GIVE.format(kind=json.dumps(kind), name=json.dumps(name), data=encoded))

    async def until(self, wanted: Callable[[Message], bool]) -> Message:
        """The next message that is as wanted; those before it are passed over."""
        end = time.monotonic() + longest_wait()
        while True:
            for message in self._come():
                if wanted(message):
                    return message
                assert message["is"] not in ("gone", "broken"), message
            assert time.monotonic() < end, f"it does not come; there is {str(self.heard[-5:])[:2000]}"
            await trio.sleep(LOOKING)

    async def hear(self, kind: str, words: str = "") -> Message:
        """The next message of this kind with these words in it."""
        return await self.until(lambda message: message["is"] == kind and words in json.dumps(message))

    async def file(self) -> tuple[str, bytes]:
        """The next file that is to be saved."""
        end = time.monotonic() + longest_wait()
        while not (found := self.tab.value("window.files.shift() ?? null")):
            assert time.monotonic() < end, "no file comes"
            await trio.sleep(LOOKING)
        return found[0], base64.b64decode(found[1])

    def _come(self) -> Iterator[Message]:
        if self._taken == len(self.heard):
            self.heard += self.tab.value(f"window.heard.slice({len(self.heard)})")
        while self._taken < len(self.heard):
            self._taken += 1
            yield self.heard[self._taken - 1]
