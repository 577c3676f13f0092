"""The page in a real browser with files: what it saves comes into a folder, and files are chosen and dropped as by a
person's hands."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rigs.giving_up import longest_wait
from rigs.pages import LOOKING, RunningBrowser, ShownTab, browsing

SAVES_INTO = {
    "browser.download.folderList": 2,
    "browser.download.always_ask_before_handling_new_types": False,
    "browser.download.alwaysOpenPanel": False,
    "browser.download.start_downloads_in_tmp_dir": False,
}

FILE = "new File([Uint8Array.from(atob({data}), (one) => one.charCodeAt(0)), new Uint8Array({more})], {name})"
CHOSEN = """(() => {{
  const input = [...document.querySelectorAll('button + input[type=file]')]
    .find((one) => one.previousSibling.innerText.startsWith({label}));
  const given = new DataTransfer();
  given.items.add({file});
  input.files = given.files;
  input.dispatchEvent(new Event('change', {{ bubbles: true }}));
}})()"""
DROPPED = """(() => {{
  const given = new DataTransfer();
  given.items.add({file});
  const event = (kind) => new DragEvent(kind, {{ dataTransfer: given, bubbles: true, cancelable: true }});
  return [event('dragover'), event('drop')].map((one) => document.body.dispatchEvent(one));
}})()"""
PUSHED = r"""(() => {{
  const found = [...document.querySelectorAll('button')]
    .filter((one) => (one.getAttribute('aria-label') || one.innerText).replace(/^[♠♥♦♣]\s*/, '').startsWith({label}));
  found.at(-1)?.click();  // what lies above the others
  return found.length > 0;
}})()"""
TOLD = """[...document.querySelectorAll('dialog[open] h2, dialog[open] pre, dialog[open] p')]
  .map((one) => one.textContent)"""
TYPED = """(() => {{
  const input = document.querySelector({where});
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, {text});
  for (const kind of ['input', 'change']) input.dispatchEvent(new Event(kind, {{ bubbles: true }}));
}})()"""


class PageWithFiles:
    """saved: the folder into which the browser saves."""

    def __init__(self, tab: ShownTab, saved: Path) -> None:
        self.tab = tab
        self._saved = saved

    def until(self, words: str) -> str:
        """All text of the page, once it has these words."""
        end = time.monotonic() + longest_wait()
        while words not in (text := str(self.tab.value("document.body?.innerText ?? ''"))):
            assert time.monotonic() < end, f"{words!r} does not come; there is {text}"
            time.sleep(LOOKING)
        return text

    def push(self, label: str) -> None:
        """The button that begins with these words, once it is there."""
        self.once(PUSHED.format(label=json.dumps(label)))

    def once(self, true: str) -> None:
        """Wait until this script comes to something true."""
        end = time.monotonic() + longest_wait()
        while not self.tab.value(true):
            assert time.monotonic() < end, f"{true} does not come about"
            time.sleep(LOOKING)

    def gone(self, what: str) -> None:
        """Once nothing is found by this selector any more."""
        self.once(f"!document.querySelector({json.dumps(what)})")

    def go_to(self, address: str) -> None:
        self.tab.value(f"location.assign({json.dumps(address)})")

    def type(self, where: str, text: str) -> None:
        """Into the field that this selector finds."""
        self.tab.value(TYPED.format(where=json.dumps(where), text=json.dumps(text)))

    def choose(self, label: str, name: str, data: bytes, more: int = 0) -> None:
        """more: zeros behind the data."""
        self.tab.value(CHOSEN.format(label=json.dumps(label), file=_file(name, data, more)))

    def drop(self, name: str, data: bytes) -> None:
        went_on = self.tab.value(DROPPED.format(file=_file(name, data)))
        assert went_on == [False, False], "the browser would open the file in the place of the page"

    def told(self, title: str) -> list[str]:
        """The lines of the drawer with this title, once it is there; it is closed then."""
        end = time.monotonic() + longest_wait()
        while not (lines := self.tab.value(TOLD)) or lines[0] != title:
            assert time.monotonic() < end, f"nothing is told of {title}; there is {lines}"
            time.sleep(LOOKING)
        self.tab.value("document.querySelector('dialog[open] [aria-label=Close]').click()")
        while (now := self.tab.value(TOLD)) and now[0] == title:
            assert time.monotonic() < end, f"what is told of {title} stays"
            time.sleep(LOOKING)
        return list(lines[1:])

    def saved(self) -> Path:
        """The file that the browser has saved, once it is whole."""
        end = time.monotonic() + longest_wait()
        while not (found := self._whole()):
            assert time.monotonic() < end, "nothing is saved"
            time.sleep(LOOKING)
        return found.rename(self._saved.parent / found.name)

    def _whole(self) -> Path | None:
        files = list(self._saved.iterdir())
        unfinished = [one for one in files if one.suffix in (".crdownload", ".part") or one.name.startswith(".")]
        return None if unfinished or not files or not files[0].stat().st_size else files[0]


def _file(name: str, data: bytes, more: int = 0) -> str:
    return FILE.format(name=json.dumps(name), data=json.dumps(base64.b64encode(data).decode()), more=more)


@contextmanager
def saving(
    name: str, folder: Path, preferences: Mapping[str, Any] | None = None
) -> Iterator[tuple[RunningBrowser, Path]]:
    """A browser, "chromium" or "firefox", that saves without a question, and where. preferences: of Firefox."""
    saved = folder / "saved"
    saved.mkdir(parents=True, exist_ok=True)
    preferences = {**SAVES_INTO, "browser.download.dir": str(saved), **(preferences or {})}
    with browsing(name, folder / "profile", preferences) as browser:
        browser.save_into(saved)
        yield browser, saved
