"""Chromium without a window, driven through the pipe of its developer tools: what a page shows, keys, the mouse."""

from __future__ import annotations

import base64
import json
import os
import re
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from rigs.giving_up import longest_wait

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio"),
    *("--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--no-first-run", "--no-default-browser-check", "--disable-extensions", "--remote-debugging-pipe"),
)
KEYS = {
    "\r": ("Enter", 13),
    "\t": ("Tab", 9),
    "\x1b": ("Escape", 27),
    "\b": ("Backspace", 8),
    "←": ("ArrowLeft", 37),
    "↑": ("ArrowUp", 38),
    "→": ("ArrowRight", 39),
    "↓": ("ArrowDown", 40),
}
WAITING = ("installed", "activating")
"""States of a service worker that is to take over from an older one."""
NO_TEXT = "\t\x1b\b←↑→↓"
MOVING = "document.getAnimations().filter(one => one.effect.getTiming().iterations !== Infinity).length"


def memory_of(pid: int) -> int:
    """Bytes of a process and of all that it has begun, what they share counted once."""
    return sum(_memory(one) for one in _family(pid))


def processor_of(pid: int) -> float:
    """Seconds of processor of a process and of all that it has begun, those that have ended included."""
    fields = [_stat(Path(f"/proc/{one}")) for one in _family(pid)]
    return sum(int(ticks) for found in fields for ticks in found[11:15]) / os.sysconf("SC_CLK_TCK")


def _family(pid: int) -> set[int]:
    parents = {int(one.name): _stat(one)[1:2] for one in Path("/proc").iterdir() if one.name.isdecimal()}
    family, more = {pid}, {pid}
    while more := {child for child, parent in parents.items() if parent and int(parent[0]) in more}:
        family |= more
    return family


def _stat(process: Path) -> list[str]:
    """What the kernel tells of a process, from its state on (proc(5)); nothing where it has ended."""
    with suppress(OSError):
        return process.joinpath("stat").read_text().rpartition(")")[2].split()
    return []


def _memory(pid: int) -> int:
    with suppress(OSError):
        found = re.search(r"^Pss: +(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
        return int(found[1]) * 1024 if found else 0
    return 0


NAVIGATED = "Inspected target navigated or closed"


class Navigated(Exception):
    """The page was left for another one before it answered."""


class Browser:
    """One browser with its profile. requested: the address of everything that any page asked for."""

    def __init__(self, program: Sequence[str], profile: Path) -> None:
        self.requested: list[str] = []
        (to_read, self._write), (self._read, to_write) = os.pipe(), os.pipe()
        # The browser reads from 3 and writes to 4.
        shell = f'exec "$0" "$@" 3<&{to_read} 4>&{to_write}'
        command = ["bash", "-c", shell, *program, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
        self._process = subprocess.Popen(
            command,
            pass_fds=(to_read, to_write),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self._said = b""
        self._count = 0
        self._workers: dict[str, dict[str, Any]] = {}  # versions of service workers, by their ids, once watched
        self._watched = False

    def call(self, method: str, session: str = "", /, **parameters: Any) -> dict[str, Any]:
        """What the developer tools answer."""
        self._count += 1
        said = {"id": self._count, "method": method, "params": parameters} | ({"sessionId": session} if session else {})
        os.write(self._write, json.dumps(said).encode() + b"\0")
        while (answer := self._next()).get("id") != self._count:
            self._note(answer)
        if answer.get("error", {}).get("message") == NAVIGATED:
            raise Navigated
        assert "error" not in answer, answer
        return dict(answer["result"])

    def _note(self, event: dict[str, Any]) -> None:
        if event.get("method") == "Network.requestWillBeSent":
            self.requested.append(event["params"]["request"]["url"])
        if event.get("method") == "ServiceWorker.workerVersionUpdated":
            self._workers.update({version["versionId"]: version for version in event["params"]["versions"]})

    def watch_workers(self) -> None:
        """Note from now on what becomes of service workers, which is told to the tab that a browser begins with."""
        if self._watched:
            return
        self._watched = True
        first = next(one for one in self.call("Target.getTargets")["targetInfos"] if one["url"] == "about:blank")
        session = self.call("Target.attachToTarget", targetId=first["targetId"], flatten=True)["sessionId"]
        self.call("ServiceWorker.enable", session)

    def has_let_go(self, target: str) -> bool:
        """Whether a tab is gone, no service worker has it as a client, and none waits for its turn any more that could
        have it."""
        if target in [one["targetId"] for one in self.call("Target.getTargets")["targetInfos"]]:
            return False
        workers = self._workers.values()
        if any(target in one["controlledClients"] for one in workers):
            return False
        held = {one["registrationId"] for one in workers if one["controlledClients"]}
        return held.issuperset([one["registrationId"] for one in workers if one["status"] in WAITING])

    def open(self, address: str, width: int = 1100, height: int = 700) -> ShownPage:
        return ShownPage(self, address, width, height)

    def save_into(self, folder: Path) -> None:
        """What a page saves comes into this folder without a question."""
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))

    def allow_notifications(self, allowed: bool) -> None:
        """Of any page."""
        setting = "granted" if allowed else "denied"
        self.call("Browser.setPermission", permission={"name": "notifications"}, setting=setting)

    def memory(self) -> int:
        return memory_of(self._process.pid)

    def processor(self) -> float:
        return processor_of(self._process.pid)

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._write)
        os.close(self._read)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._said:
            assert select.select([self._read], [], [], longest_wait())[0], "the browser does not answer"
            piece = os.read(self._read, 65536)
            assert piece, "the browser has ended"
            self._said += piece
        message, _, self._said = self._said.partition(b"\0")
        return dict(json.loads(message))


class ShownPage:
    """A tab of the browser."""

    def __init__(self, browser: Browser, address: str, width: int, height: int) -> None:
        self._browser = browser
        self._target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = browser.call("Target.attachToTarget", targetId=self._target, flatten=True)["sessionId"]
        self._call("Network.enable")
        self._call("Page.enable")
        self._call("Security.setIgnoreCertificateErrors", ignore=True)
        self.resize(width, height)
        self._call("Page.navigate", url=address)

    def resize(self, width: int, height: int) -> None:
        """In pixels."""
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def type(self, text: str) -> None:
        """Press the keys, one after the other."""
        self._call("Page.bringToFront")
        for letter in text:
            key, number = KEYS.get(letter, (letter, ord(letter.upper())))
            told = {"key": key, "windowsVirtualKeyCode": number} | ({} if letter in NO_TEXT else {"text": letter})
            self._call("Input.dispatchKeyEvent", type="keyDown", **told)
            self._call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def tap(self, x: float, y: float) -> None:
        """At this point of the page, in pixels."""
        self._call("Page.bringToFront")
        for kind in ("mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def reload(self) -> None:
        self._call("Page.reload")

    def sleep(self) -> None:
        """As where a telephone is put away: nothing of the page runs any more, and its events are the browser's own."""
        self._call("Page.setWebLifecycleState", state="frozen")

    def wake(self) -> None:
        self._call("Page.setWebLifecycleState", state="active")

    def picture(self) -> bytes:
        """As PNG."""
        return base64.b64decode(self._call("Page.captureScreenshot", format="png")["data"])

    def small_picture(self) -> bytes:
        """As WebP, a tenth of the size."""
        return base64.b64decode(self._call("Page.captureScreenshot", format="webp", quality=55)["data"])

    def settle(self) -> None:
        """Until nothing moves any more, but for what calls."""
        self._until(lambda: str(self.value(MOVING)), "^0$")

    def tree(self) -> list[dict[str, Any]]:
        """What a screen reader has of the page: the nodes of its tree, those marked as ignored that it passes over."""
        return list(self._call("Accessibility.getFullAXTree")["nodes"])

    def activate(self, node: dict[str, Any]) -> None:
        """As a screen reader does what a button is for."""
        found = self._call("DOM.resolveNode", backendNodeId=node["backendDOMNodeId"])["object"]["objectId"]
        self._call("Runtime.callFunctionOn", objectId=found, functionDeclaration="function () { this.click(); }")

    def close(self) -> None:
        """Until the browser has let go of the tab: so long it keeps a newer service worker from its turn."""
        self._browser.watch_workers()
        self._browser.call("Target.closeTarget", targetId=self._target)
        self._until(lambda: str(self._browser.has_let_go(self._target)), "True")

    def manifest(self) -> dict[str, Any]:
        """What the browser makes of the page's manifest, with its errors."""
        return self._call("Page.getAppManifest")

    def why_not_installed(self) -> list[Any]:
        """Why the browser would put the page on no home screen."""
        return list(self._call("Page.getInstallabilityErrors")["installabilityErrors"])

    def limit_storage(self, address: str, size: int) -> None:
        """How many bytes pages of this origin may keep from now on."""
        self._call("Storage.overrideQuotaForOrigin", origin=address.rstrip("/"), quotaSize=size)

    def keep_for_good(self, address: str) -> None:
        """Pages of this origin may ask for that and get it."""
        origin = "{0.scheme}://{0.netloc}".format(urlsplit(address))
        self._browser.call("Browser.grantPermissions", origin=origin, permissions=["durableStorage"])

    def value(self, script: str) -> Any:
        """What the script comes to; None where the page is left for another meanwhile."""
        try:
            return self._call("Runtime.evaluate", expression=script, returnByValue=True)["result"].get("value")
        except Navigated:
            return None

    def _until(self, look: Callable[[], str], words: str) -> re.Match[str]:
        end = time.monotonic() + longest_wait()
        while not (found := re.search(words, look())):
            assert time.monotonic() < end, f"{words!r} does not come; there is {look()}"
            time.sleep(0.05)
        return found

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self._browser.call(method, self._session, **parameters)


def chromium() -> str:
    """Where it is."""
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    assert program, "there is no Chromium here; scripts/test --browser installs it"
    return program


@contextmanager
def browser_here() -> Iterator[Browser]:
    program = chromium()
    profile = Path(tempfile.mkdtemp(prefix="p2p"))
    browser = Browser([program], profile)
    try:
        yield browser
    finally:
        browser.end()
        shutil.rmtree(profile, ignore_errors=True)  # its processes may still be writing there


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with browser_here() as here:
        yield here
