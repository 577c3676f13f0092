"""Somebody who is no machine of ours."""

from __future__ import annotations

from collections.abc import Callable

from p2pcards.session.doubt import StandingNow, stranger
from p2pcards.session.effects import Close, Effect, Send
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import Bye, Message, encode_message
from rigs.net import Arrival, Net, key_of, message_of


class Stranger:
    """Somebody who says whatever the test wants; they have a link to machine i."""

    def __init__(self, net: Net, i: int, number: int = 99, address: str = "", standing: StandingNow = stranger) -> None:
        self.net = net
        self.i = i
        self.key = key_of(number, net.seed)
        net.peers += 1
        self.peer = net.peers
        self.seen: list[Effect] = []
        key, machine = public_bytes(self.key), net.machines[i]
        self.see(lambda: machine.joined(self.peer, key, "somewhere", net.now, address, standing=standing))

    def see(self, transition: Callable[[], list[Effect]]) -> None:
        """A step of the machine, carried out; what it wants is kept."""
        effects = transition()
        self.seen += effects
        self.net.carry_out(self.i, effects)

    def say(self, message: Message | bytes) -> None:
        data = message if isinstance(message, bytes) else encode_message(message)
        machine, now = self.net.machines[self.i], self.net.now
        self.see(lambda: machine.receive(self.peer, data, now))

    def hang_up(self) -> None:
        machine, now = self.net.machines[self.i], self.net.now
        self.see(lambda: machine.lost(self.peer, "they hung up", now))

    @property
    def heard(self) -> list[Message]:
        return [message_of(one.message) for one in self.seen if isinstance(one, Send) and one.peer == self.peer]

    @property
    def closed(self) -> bool:
        return Close(self.peer) in self.seen


def playing(listeners: int = 2, seed: int = 1, game: str = "crazy_eights", preset: str = "") -> Net:
    net = Net(listeners, auto=None, seed=seed)
    net.sit_down(game=game, preset=preset)
    net.run()
    return net


def raw(net: Net, sender: int, to: int, *messages: Message | bytes) -> None:
    """Messages on a link that stands, which the sender's own program would never send, and does not know of."""
    net.lies = True
    place = next(end for end, other in net.links.items() if (end[0], other[0]) == (to, sender))
    for message in messages:
        data = message if isinstance(message, bytes) else encode_message(message)
        net.queue.append(Arrival(*place, data))
    net.run()


def last_bye(stranger: Stranger) -> int:
    byes = [message for message in stranger.heard if isinstance(message, Bye)]
    return byes[-1].code
