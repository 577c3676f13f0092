"""Our own program as `p2pcards conform` starts it: a daemon in this process and, in a child, whoever opens its table.

Arguments: the folder of the home, `listen` or `connect`, and the port at which to wait, or the address to call.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import trio

from p2pcards.control.client import connect
from p2pcards.control.declined import NoDaemon
from p2pcards.control.messages import Host, OpenConnect, OpenListen, OpenResume, Persona, Rules
from p2pcards.daemon.__main__ import main
from p2pcards.store.files import Home, find_home, make_folders
from p2pcards.store.logs import list_logs
from p2pcards.views.tableview import Command

BOB = Persona("Bob", auto="novice")


async def open_table(home: Home, kind: str, where: str) -> None:
    while True:
        try:
            async with connect(home, start=False) as client:
                if kind == "listen":
                    await client.open(OpenListen(int(where), BOB))
                    await trio.sleep_forever()
                if list_logs(home):
                    await client.open(OpenResume(persona=BOB))
                else:
                    await client.open(OpenConnect((Host(where),), Rules("hearts"), BOB))
                    await (await client.attach()).command(Command("start"))
                await trio.sleep_forever()
        except NoDaemon:
            await trio.sleep(0.01)


def run(folder: str, kind: str, where: str) -> int:
    home = find_home({"P2PCARDS_HOME": folder})
    make_folders(home)
    if os.fork() == 0:
        trio.run(open_table, home, kind, where)
    return main([str(home.state), str(home.config), str(home.socket)])


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir(exist_ok=True)
    sys.exit(run(*sys.argv[1:]))
