"""Tables whose coordinator is gone."""

from __future__ import annotations

from rigs.net import Call, Event, Net


class Divided(Net):
    """part: machines that cannot call the others, nor be called by them. Nobody is at an address that is no number."""

    part: frozenset[int] = frozenset()

    def divide(self, *part: int) -> None:
        """Cut every link between these and the others; with none, all can call each other again."""
        self.part = frozenset(part)
        for (i, peer), (j, _) in list(self.links.items()):
            if self._is_cut(i, j):
                self.cut(i, peer)

    def _is_cut(self, i: int, j: int) -> bool:
        return (i in self.part) != (j in self.part)

    def deliver(self, event: Event) -> None:
        if isinstance(event, Call) and (
            not event.dial.address.isdecimal() or self._is_cut(event.machine, int(event.dial.address))
        ):
            dial, machine = event.dial, self.machines[event.machine]
            self.step(event.machine, lambda: machine.dial_failed(dial.address, "nobody answers", self.now))
        else:
            super().deliver(event)


def playing(listeners: int = 2, game: str = "hearts", option: str = "end_score=60") -> Divided:
    net = Divided(listeners, grace=30)
    net.sit_down(option, game=game)
    return net
