"""A table behind which somebody watches."""

from __future__ import annotations

from at_hand import first_rules
from p2pcards.ledger.transitions import Phase
from p2pcards.views.happenings import Notice
from p2pcards.wire.messages import Message
from rigs.net import NAMES, Net, message_of
from rigs.people import until
from rigs.succeeding import Divided

ANN, BOB, CY = range(3)


def begun(
    game: str = "crazy_eights", options: tuple[str, ...] = (), *, auto: str | None = None, policy: str = "on"
) -> Net:
    """Ann and Bob have begun a game, and Cy may watch."""
    net = Net(2, auto=auto, watching=[CY])
    net.say(ANN, "invite", "1")
    net.run()
    net.say(ANN, "watchers", policy)
    net.say(ANN, "game", game)
    for option in options:
        net.say(ANN, "set", option)
    net.say(ANN, "start")
    return net


def come(net: Net, i: int = CY) -> None:
    """Somebody calls the table to watch."""
    net.connect(i, ANN)
    net.run()


def watched(net: Net) -> Net:
    net.run()
    come(net)
    return net


def to_cy(net: Net) -> list[Message]:
    return [message_of(data) for sender, to, data in net.sent if (sender, to) == (ANN, CY)]


def notices(net: Net, i: int) -> list[str]:
    return [one.text for one in net.tales(i, Notice)]


def followed(listeners: int = 2, *, let_in: str = "asked", option: str = "end_score=60", called: str = "0") -> Divided:
    """Ann and the listeners have begun a game, and the last machine watches: Ann was asked, has not answered yet, or
    lets everyone watch. In the second hand all play by hand. called: where the watcher called Ann."""
    watcher = listeners + 1
    net = Divided(watcher, grace=30, watching=(watcher,))
    for i in range(1, watcher):
        net.say(ANN, "invite", str(i))
    net.run()
    net.say(ANN, "watchers", "on" if let_in == "on" else "ask")
    for words in (("game", "hearts", first_rules("hearts")), ("set", option), ("start",)):
        net.say(ANN, *words)
    until(net, lambda: net.position(BOB) is not None and net.at(BOB).dealt == 1)
    net.connect(watcher, ANN, called)
    until(net, lambda: net.listener(watcher).looks_on or net.listener(watcher).people.asks)
    if let_in == "asked":
        net.say(ANN, "watchers", "yes", NAMES[watcher])
    until(net, lambda: all(net.at(i).opened == 1 and net.at(i).phase is Phase.PLAY for i in range(watcher)))
    net.auto = None  # also of machines that take the table over
    for i in range(watcher):
        net.say(i, "auto", "off")
    net.run()
    return net
