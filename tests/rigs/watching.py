"""A table behind which somebody watches."""

from __future__ import annotations

from p2pcards.views.happenings import Notice
from p2pcards.wire.messages import Message
from rigs.net import Net, message_of

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
