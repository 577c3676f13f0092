"""What somebody is told who is advised: what to do, what for, and what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from p2pcards.games.cutting import Cut
from p2pcards.games.game import Action, AnyGame, Made, Seat
from p2pcards.games.spelling import is_card_word, spell
from p2pcards.ledger.picking import offered
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.views.cast import Cast
from p2pcards.views.happenings import Hinted
from p2pcards.views.in_game import Alternative, AlternativesExplained
from p2pcards.views.rated import Rated
from p2pcards.views.table_view import meld_view, seat_name, with_names
from p2pcards.views.tableview import MeldView
from p2pcards.views.telling import ends_trick

if TYPE_CHECKING:
    from p2pcards.games.advice.trick_aims import Leads

MOST = 6
"""How many alternatives are told."""


def advice(position: Position, seat: Seat, action: Action, cast: Cast) -> Hinted:
    """Nothing is told but what the hand of this seat shows."""
    game, before, words = position.game, position.own_view, spell(action)
    purpose = with_names(_aim(game, before, seat, action, leads_of(position)), position, cast)
    if not _is_foreseen(game, action):
        return Hinted(words, aim=purpose)
    event = game.decide(before, seat, action)
    after = game.play(before, event)
    lays = _best([meld for meld in game.made(before, event, after) if meld.seat == seat])
    if not is_card_word(words):
        return Hinted(words, lays=lays, aim="" if lays else purpose)
    lies = game.layout(after)
    takes = lies.taker == seat if ends_trick(game.layout(before), lies) else None
    return Hinted(words, takes, lays, None if takes is False else _best(game.meldable(after, seat)), purpose)


def explained(position: Position, seat: Seat, weighed: Sequence[Rated], cast: Cast) -> AlternativesExplained:
    """What this seat can do now. weighed: what an expert makes of it, the best first."""
    game, view, leads = position.game, position.own_view, leads_of(position)
    legal = offered(position, seat)
    apart = len(game.sides(view.options)) or len(position.header.seats)
    told = []
    for one in weighed[:MOST]:
        purpose = with_names(_purpose(game, view, seat, one.action, leads), position, cast)
        told.append(Alternative(spell(one.action), purpose, one.worth / (apart - 1), one.error / (apart - 1)))
    others = [action for action in legal if all(action != one.action for one in weighed)]
    if not weighed[0].hands and not isinstance(weighed[0].action, Cut):  # the others stand as the rules have them
        told += [
            Alternative(spell(action), with_names(_purpose(game, view, seat, action, leads), position, cast))
            for action in others[: MOST - len(told)]
        ]
    return AlternativesExplained(
        tuple(told), len(legal), weighed[0].hands, len(weighed), game.low_wins, bool(game.sides(view.options)), apart
    )


def idle_words(position: Position, cast: Cast) -> str:
    """What somebody can do who is not to act now, as a sentence."""
    if position.seat is None:
        return "You are watching this game. 'table' shows what lies on the table, 'score' how it stands."
    if position.seat in position.substituted:
        return (
            "Your character plays for you. 'back' lets you play again yourself, 'table' shows what lies on the table."
        )
    owing = [seat for seat in position.state.to_act if position.phase is Phase.PLAY]
    if not owing:
        return (
            "Nobody is to act now: the cards are being dealt, or opened and checked. "
            "'score' tells how the last hand went."
        )
    names = " and ".join([seat_name(position, seat, cast) for seat in owing])
    other = "It is not your turn" if len(owing) > 1 else f"It is the turn of {names}"
    waiting = f": {names} are to act" if len(owing) > 1 else ""
    return f"{other}{waiting}. Meanwhile 'analyze' tells what is in your hand, and 'table' and 'last' what was played."


def leads_of(position: Position) -> Leads:
    """Who has led which suit in the tricks of this hand, in order."""
    found = []
    for step in position.steps:
        lies, ranking = position.game.layout(step.before), position.game.ranking(step.before)
        leads = lies.leader is not None and lies.called == "trick" and not lies.trick
        if step.seat is not None and leads and type(step.action).__name__ == "Play":
            card = step.action.card.face
            found.append((step.seat, (ranking.counted(card) if ranking else card).suit))
    return tuple(found)


def _purpose(game: AnyGame, view: object, seat: Seat, action: Action, leads: Leads) -> str:
    """The aim of an action, or what it scores at once."""
    purpose = _aim(game, view, seat, action, leads)
    if purpose or not _is_foreseen(game, action):
        return purpose
    event = game.decide(view, seat, action)
    meld = _best([one for one in game.made(view, event, game.play(view, event)) if one.seat == seat])
    return f"to score {meld.points} for {meld.what}" if meld and meld.points else ""


def _aim(game: AnyGame, view: object, seat: Seat, action: Action, leads: Leads) -> str:
    from p2pcards.views.aims import aim  # it loads every game, and few ask

    return aim(game, view, seat, action, leads)


def _is_foreseen(game: AnyGame, action: Action) -> bool:
    """Whether its seat knows all that comes of it at once."""
    return type(action) not in game.private and not isinstance(action, Cut)


def _best(melds: Sequence[Made]) -> MeldView | None:
    meld = max(melds, key=lambda meld: meld.points, default=None)
    return None if meld is None else meld_view(meld, "you")
