"""Cards that move: where they lay, and where they lie now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from p2pcards.frontend.standing import shown_trick
from p2pcards.tui.picture.canvas import Picture
from p2pcards.tui.picture.faces import SMALL
from p2pcards.tui.picture.scene import HAND, InAir, Scene
from p2pcards.views.tableview import PileView


@dataclass(frozen=True, slots=True)
class CardMove:
    """The move of a card from one place to another."""

    card: int  # as a byte, 0 for a back
    start: str  # a zone
    end: str  # a zone
    stays: bool = True  # it lies there afterwards; False if it is taken away


def find_moves(old: Scene, new: Scene) -> tuple[CardMove, ...]:
    """The moves of all cards between two scenes; none where a new hand began, or another game."""
    if old.view.game != new.view.game or len(old.view.rounds) != len(new.view.rounds) or not old.view.seats:
        return ()
    return (*_trick_moves(old, new), *_play_moves(old, new), *_draw_and_discard_moves(old, new))


def draw_in_motion(scene: Scene, moved: tuple[CardMove, ...], start: Picture, end: Picture, part: float) -> Scene:
    """The scene with cards part of the way. start, end: the pictures before and after; part: 0 to 1."""
    found = [(way, _card_corner(start, way.start), _card_corner(end, way.end)) for way in moved]
    air = [
        InAir(way.card, round(here[0] + (there[0] - here[0]) * part), round(here[1] + (there[1] - here[1]) * part))
        for way, here, there in found
        if here and there
    ]
    away = {way.end for way, here, there in found if way.stays and here and there}
    return replace(scene, air=tuple(air), away=frozenset(away))


def _trick_moves(old: Scene, new: Scene) -> Iterator[CardMove]:
    """The cards of a trick move to its winner, who leads to the next."""
    before, now = shown_trick(old.view)[0], shown_trick(new.view)[0]
    if before and not set(before) <= set(now) and new.view.leader is not None:
        for seat, card in before:
            yield CardMove(card, f"trick {seat}", f"seat {new.view.leader}", stays=False)


def _play_moves(old: Scene, new: Scene) -> Iterator[CardMove]:
    before, now = shown_trick(old.view)[0], shown_trick(new.view)[0]
    for seat, card in now:
        if (seat, card) not in before:
            yield CardMove(card, _holding_zone(old, seat, card), f"trick {seat}")


def _draw_and_discard_moves(old: Scene, new: Scene) -> Iterator[CardMove]:
    """The moves between a pile and the only player who had a turn, one card each."""
    actors = [seat.seat for seat in old.view.seats if seat.to_act]
    if len(actors) != 1:
        return
    actor, before = actors[0], {pile.name: pile for pile in _open_piles(old)}
    for pile in _open_piles(new):
        was = before.get(pile.name)
        more = len(pile.cards) - len(was.cards) if was else 0
        if was and more == -1:
            mine = [place for place, card in enumerate(new.hand) if card not in old.hand]
            if actor != new.view.me:
                yield CardMove(was.cards[-1], f"pile {pile.name}", f"seat {actor}", stays=False)
            elif len(mine) == 1:
                yield CardMove(int(new.hand[mine[0]]), f"pile {pile.name}", f"{HAND} {mine[0]}")
        elif more == 1:
            yield CardMove(pile.cards[-1], _holding_zone(old, actor, pile.cards[-1]), f"pile {pile.name}")


def _open_piles(scene: Scene) -> list[PileView]:
    """The piles of no seat that have their top card drawn."""
    return [pile for pile in scene.view.piles if pile.seat is None and not pile.spread]


def _holding_zone(scene: Scene, seat: int, card: int) -> str:
    """The zone where a seat holds this card."""
    places = [place for place, one in enumerate(scene.hand) if int(one) == card]
    return f"{HAND} {places[0]}" if seat == scene.view.me and places else f"seat {seat}"


def _card_corner(picture: Picture, zone: str) -> tuple[int, int] | None:
    """The upper left corner of a card in the middle of a zone, None where the zone isn't drawn."""
    boxes = [one.box for one in picture.zones if one.name == zone]
    if not boxes or not picture.rows:
        return None
    box = boxes[-1]
    columns = sum([len(text) for text, _ in picture.rows[0]])
    column = box.column + max(box.columns - SMALL.columns, 0) // 2
    return min(column, columns - SMALL.columns), max(min(box.row, len(picture.rows) - SMALL.rows), 0)
