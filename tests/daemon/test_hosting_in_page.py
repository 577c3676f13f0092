"""A table that a page hosts, where nothing can listen: its daemon as in the worker of a page, without a browser."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio

from p2pcards.control.client import Client
from p2pcards.control.declined import Declined
from p2pcards.control.messages import OpenHost, OpenPlay, OpenResume, Rules
from p2pcards.daemon.calling import over_web
from p2pcards.daemon.reach import OFF_IN_PAGE, InPage
from p2pcards.links.address import text_of_link
from p2pcards.links.broker import BrokerLost
from p2pcards.links.broker_address import BrokerAddress
from p2pcards.store.files import Home
from p2pcards.store.logs import SYNC
from p2pcards.store.settings import find_setting, set_setting
from p2pcards.views.tableview import Command, TableView
from p2pcards.web.worker.house import daemon_within, open_client
from p2pcards.web.worker.thinking import thinking_here
from p2pcards.wire.address import invitation_in
from p2pcards.wire.invitation import has_invitation
from p2pcards.wire.spoken import MEETING_NUMBERS, read_code
from rigs.homes import MakeHome

PAGE = "https://cards.example/ann/"


async def no_broker(there: BrokerAddress) -> trio.abc.Stream:
    raise BrokerLost(f"{there} is down.")


@asynccontextmanager
async def page(home: Home, address: str = PAGE, page_hash: str = "") -> AsyncIterator[Client]:
    in_page = InPage(no_broker, address, page_hash=page_hash)
    async with (
        daemon_within(home, SYNC, thinking_here, over_web, in_page) as switchboard,
        open_client(switchboard) as client,
    ):
        yield client


async def view_of(client: Client, table: str) -> TableView:
    async for news in (await client.attach(table)).updates():
        if isinstance(news, TableView):
            return news
    raise AssertionError(f"{table} has closed")


async def test_it_has_no_port_and_a_link_that_leads_to_its_meeting(make_home: MakeHome) -> None:
    async with page(make_home("ann")) as client:
        opened = await client.open(OpenHost(4747))
        assert (opened.port, opened.anywhere) == (None, True)
        assert read_code(opened.code).number in MEETING_NUMBERS
        invitation = invitation_in(text_of_link(opened.link)[0])
        assert invitation and opened.link == f"{PAGE}#{invitation}"
        again = await client.open(OpenHost(4747))
        assert (again.table, again.new, again.code, again.link) == (opened.table, False, opened.code, opened.link)


async def test_the_link_names_the_page_that_hosts_also_when_another_build_goes_on(make_home: MakeHome) -> None:
    old, new = ("01" * 32, "23" * 32)
    async with page(make_home("ann"), page_hash=old) as client:
        opened = await client.open(OpenHost())
        assert opened.link.endswith(f".{'01' * 16}") and has_invitation(opened.link)
        await client.attach(opened.table)
    async with page(make_home("ann"), page_hash=new) as client:
        back = await client.open(OpenResume())
        assert back.link == opened.link.replace("01" * 16, "23" * 16)
        assert text_of_link(back.link) == text_of_link(opened.link)


async def test_a_page_that_is_reloaded_before_a_game_goes_back_to_its_table(make_home: MakeHome) -> None:
    """With the link that friends have, and the game that was chosen."""
    async with page(make_home("ann")) as client:
        opened = await client.open(OpenHost())
        table = await client.attach(opened.table)
        await table.command(Command("game", ("hearts",)))
        await table.command(Command("set", ("end_score=50",)))
    async with page(make_home("ann")) as client:
        back = await client.open(OpenResume())
        assert (back.new, back.link) == (True, opened.link) and back.code != opened.code
        view = await view_of(client, back.table)
        assert (view.phase, view.game, dict(view.options)["end_score"]) == ("lobby", "hearts", 50)
        await client.leave(back.table)
    async with page(make_home("ann")) as client:
        with pytest.raises(Declined, match="hosting any unfinished games"):
            await client.open(OpenResume())
        assert (await client.open(OpenHost())).link != opened.link


async def test_a_game_that_goes_on_after_a_reload_has_the_same_link(make_home: MakeHome) -> None:
    async with page(make_home("ann")) as client:
        opened = await client.open(OpenHost(rules=Rules("hearts")))
        await (await client.attach(opened.table)).command(Command("start"))
    async with page(make_home("ann")) as client:
        back = await client.open(OpenResume())
        assert back.link == opened.link and (await view_of(client, back.table)).phase == "play"


async def test_it_goes_on_with_a_game_that_was_begun_after_it(make_home: MakeHome) -> None:
    async with page(make_home("ann")) as client:
        await client.open(OpenHost())
    async with page(make_home("ann")) as client:
        await client.open(OpenPlay(Rules("hearts")))
    async with page(make_home("ann")) as client:
        back = await client.open(OpenResume())
        assert not back.link and (await view_of(client, back.table)).phase == "play"


async def test_a_page_that_came_over_http_has_a_code_alone(make_home: MakeHome) -> None:
    """A link to it would lead to the one who served it."""
    async with page(make_home("ann"), "") as client:
        opened = await client.open(OpenHost())
        assert opened.code and not opened.link


async def test_with_meeting_points_off_nobody_can_be_invited(make_home: MakeHome) -> None:
    home = make_home("ann")
    set_setting(home, find_setting("reach"), "off")
    async with page(home) as client:
        with pytest.raises(Declined) as declined:
            await client.open(OpenHost())
        assert str(declined.value) == OFF_IN_PAGE
        assert not (await client.status()).tables
