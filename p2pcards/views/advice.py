"""What somebody is told who is advised: what to do, and what comes of it."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.games.game import Action, Made, Seat
from p2pcards.games.spelling import is_card_word, spell
from p2pcards.ledger.position import Position
from p2pcards.views.happenings import Hinted
from p2pcards.views.table_view import meld_view
from p2pcards.views.tableview import MeldView
from p2pcards.views.telling import ends_trick


def advice(position: Position, seat: Seat, action: Action) -> Hinted:
    """Nothing is told but what the hand of this seat shows."""
    game, before, words = position.game, position.own_view, spell(action)
    if type(action) in game.private:
        return Hinted(words)
    event = game.decide(before, seat, action)
    after = game.play(before, event)
    lays = _best([meld for meld in game.made(before, event, after) if meld.seat == seat])
    if not is_card_word(words):
        return Hinted(words, lays=lays)
    lies = game.layout(after)
    takes = lies.taker == seat if ends_trick(game.layout(before), lies) else None
    return Hinted(words, takes, lays, None if takes is False else _best(game.meldable(after, seat)))


def _best(melds: Sequence[Made]) -> MeldView | None:
    meld = max(melds, key=lambda meld: meld.points, default=None)
    return None if meld is None else meld_view(meld, "you")
