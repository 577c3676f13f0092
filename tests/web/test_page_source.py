"""The sources of the page, and what is built of them and kept: what can be said of both without Node.js."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from p2pcards.page.files import page_files, table_files
from rigs.node_programs import program

ROOT = Path(__file__).parents[2]
SOURCE, BUILT = ROOT / "p2pcards/page/source", ROOT / "p2pcards/page/built"


def test_the_cards_are_those_that_the_script_draws_and_stand_in_the_page() -> None:
    subprocess.run([sys.executable, str(ROOT / "scripts/cards"), "--check"], check=True)
    cards = (SOURCE / "cards.svg").read_text().replace("\n", "")
    assert cards in (BUILT / "index.html").read_text()
    assert cards.count('<symbol id="c') == 52


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
    served = table_files()["index.html"].content
    assert b"<style" not in served
    assert b" style=" not in served
    assert b"onclick" not in served
    assert b"http://" not in served.replace(b"http://www.w3.org/2000/svg", b"")


ADDRESSES = {
    "/": "",
    "/index.html": "",
    "/cards/": "",
    "/cards/index.html": "",
    "/cards": "/cards/#7-acorn-zebra",
    "/ann/v1.2": "/ann/v1.2/#7-acorn-zebra",
    "/cards?fbclid=x": "/cards/?fbclid=x#7-acorn-zebra",
    "/%237-acorn-zebra": "/#7-acorn-zebra",
    "/cards%237%E2%80%93acorn": "/cards/#7%E2%80%93acorn",
    "/cards/%237-acorn-zebra?fbclid=x": "/cards/?fbclid=x#7-acorn-zebra",
}
"""Where the page is sent to by itself, by the address at which it was loaded; "" for nowhere."""


@pytest.mark.node
def test_the_page_finds_its_parts_under_any_path() -> None:
    (script,) = re.findall(r"<script>(.*?)</script>", page_files()["index.html"].content.decode(), re.DOTALL)
    tried = f"""
        const went = {json.dumps([*ADDRESSES])}.map((at) => {{
            let to = "";
            const {{ pathname, search }} = new URL(at, "http://cards.example");
            const hash = at.includes("%23") ? "" : "#7-acorn-zebra";
            const location = {{ pathname, search, hash, replace: (address) => (to = address) }};
            {script}
            return to;
        }});
        console.log(JSON.stringify(went));
    """
    ran = subprocess.run([program("node"), "-e", tried], capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) == [*ADDRESSES.values()]
