"""The sources of the page, and what is built of them and kept: what can be said of both without Node.js."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from making.portraits import portraits
from making.vectors import PASTED
from p2pcards.links.address import text_of_link
from p2pcards.links.webdoor import CONTENT_POLICY
from p2pcards.page.files import table_page_files, whole_page_files
from p2pcards.web.server import POLICY
from rigs.node_programs import program

ROOT = Path(__file__).parents[2]
SOURCE, BUILT = ROOT / "p2pcards/page/source", ROOT / "p2pcards/page/built"


def test_the_cards_are_those_that_the_script_draws_and_stand_in_the_page() -> None:
    subprocess.run([sys.executable, str(ROOT / "scripts/cards"), "--check"], check=True)
    cards = (SOURCE / "cards.svg").read_text().replace("\n", "")
    assert cards in (BUILT / "index.html").read_text()
    assert cards.count('<symbol id="c') == 52


def test_the_portraits_are_those_that_the_script_draws_and_stand_in_the_page() -> None:
    subprocess.run([sys.executable, str(ROOT / "scripts/portraits"), "--check"], check=True)
    page = (BUILT / "page.js").read_text()
    for shapes in portraits().values():
        paths = [attributes["d"] for tag, attributes in shapes if tag == "path"]
        assert len(paths) >= 5 and all(path in page for path in paths)


def test_the_icons_are_those_that_the_script_draws() -> None:
    subprocess.run([sys.executable, str(ROOT / "scripts/icons"), "--check"], check=True)


def test_the_lock_of_the_page_names_versions_and_hashes_and_no_index() -> None:
    lock = json.loads((SOURCE / "package-lock.json").read_text())
    wanted = json.loads((SOURCE / "package.json").read_text())["devDependencies"]
    packages = {name: one for name, one in lock["packages"].items() if name}
    assert all("integrity" in one and "resolved" not in one for one in packages.values())
    assert {name: packages[f"node_modules/{name}"]["version"] for name in wanted} == wanted


def test_no_data_becomes_markup_and_nothing_is_loaded_from_elsewhere() -> None:
    text = "".join([path.read_text() for path in SOURCE.glob("*.ts*")])
    for door in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "dangerouslySet",
        "eval(",
        "new Function",
        "document.write",
    ):
        assert door not in text
    served = table_page_files()["index.html"].content
    assert b"<style" not in served
    assert b" style=" not in served
    assert b"onclick" not in served
    assert b"http://" not in served.replace(b"http://www.w3.org/2000/svg", b"")


def test_a_page_opens_websockets_and_asks_for_nothing_else_elsewhere() -> None:
    """Tables and brokers may be anywhere, so no list of addresses can be in the policy."""
    rules = dict(rule.split(maxsplit=1) for rule in CONTENT_POLICY.split("; "))
    assert rules.pop("connect-src") == "'self' ws: wss:"
    assert rules.pop("img-src") == "'self' data:"
    assert not [value for value in rules.values() if re.search(r"[a-z]+:|\*|\.", value)]
    assert "connect-src 'self';" in POLICY, "the page of a daemon asks that daemon"


ADDRESSES = {
    "/": "",
    "/index.html": "",
    "/cards/": "",
    "/cards/index.html": "",
    "/cards": "/cards/#7-acorn-zebra",
    "/ann/v1.2": "/ann/v1.2/#7-acorn-zebra",
    "/cards?fbclid=x": "/cards/?fbclid=x#7-acorn-zebra",
    "/?colour=%23123": "",
    "/%237-acorn-zebra": "/#7-acorn-zebra",
    "/cards%237%E2%80%93acorn": "/cards/#7%E2%80%93acorn",
    "/cards/%237-acorn-zebra?fbclid=x": "/cards/?fbclid=x#7-acorn-zebra",
    "/?fbclid=x%237-acorn-zebra": "/?fbclid=x#7-acorn-zebra",
}
"""Where the page is sent to by itself, by the address at which it was loaded; "" for nowhere."""


@pytest.mark.node
def test_the_page_finds_its_parts_under_any_path() -> None:
    addresses = [at if "%237" in at else f"{at}#7-acorn-zebra" for at in ADDRESSES]
    assert [went for _, went in opened([f"http://cards.example{at}" for at in addresses])] == [*ADDRESSES.values()]


@pytest.mark.node
def test_a_browser_that_opens_a_link_is_led_to_the_table_that_a_terminal_reads_in_it() -> None:
    links = [
        text for text, (_, code) in PASTED.items() if code and text.startswith(("http://", "https://cards.example"))
    ]
    assert len(links) > 15
    for text, (link, _) in zip(links, opened(links), strict=True):
        assert text_of_link(link) == PASTED[text], text


def opened(addresses: list[str]) -> list[tuple[str, str]]:
    """For each address that a browser opens: the link that its page reads, as `linkHere` of main.tsx, and where the
    page has sent itself before that."""
    (script,) = re.findall(r"<script>(.*?)</script>", whole_page_files()["index.html"].content.decode(), re.DOTALL)
    tried = f"""
        console.log(JSON.stringify({json.dumps(addresses)}.map((at) => {{
            let went = "";
            const load = (url) => {{
                const {{ origin, pathname, search, hash }} = url;
                const location = {{ origin, pathname, search, hash, replace: (to) => (went = to) }};
                {script}
                return location;
            }};
            const first = load(new URL(at));
            const {{ origin, pathname, hash }} = went ? load(new URL(went, first.origin)) : first;
            return [origin + pathname + hash, went];
        }})));
    """
    ran = subprocess.run([program("node"), "-e", tried], capture_output=True, text=True, check=True)
    return [(link, went) for link, went in json.loads(ran.stdout)]
