"""What a browser itself makes of the address of `p2pcards web`: an old one, and one that another site knows."""

from __future__ import annotations

import pytest

from rigs.browser import Browser
from rigs.program import MakeProgram, Program
from rigs.served import Served, wait_until

pytestmark = pytest.mark.browser


def test_an_old_address_says_where_the_new_one_is(browser: Browser, program: Program) -> None:
    with Served(program) as served:
        address = served.address[:-3] + "xx/"
        page = browser.open(address)
        said = "document.body?.innerText"
        wait_until(lambda: "no table at this address" in str(page.value(said)), "the page says so")
        page.close()


def test_a_page_of_another_site_gets_no_seat_though_it_knows_the_address(
    browser: Browser, make_program: MakeProgram
) -> None:
    with Served(make_program("ann")) as served:
        page = browser.open("about:blank")
        address = served.address.replace("http:", "ws:") + "front"
        page.value(
            f"window.came = ''; const socket = new WebSocket('{address}');"
            "socket.onopen = () => { came = 'let in'; }; socket.onerror = () => { came = 'refused'; }; 0"
        )
        wait_until(lambda: page.value("window.came") != "", "the server answers")
        assert page.value("window.came") == "refused"
        page.close()
