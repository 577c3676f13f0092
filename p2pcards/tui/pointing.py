"""What the mouse does."""

from __future__ import annotations

from dataclasses import replace

from p2pcards.tui.choices import Deed, entered, marked, played, pushed
from p2pcards.tui.picture.scene import HAND, Scene

THROWN_ON = ("trick", "pile", "piles", "seat")
"""Where a card is dragged to be played."""


SLOW = "Click twice quickly to play a card, or press Enter."


def pointed(scene: Scene, pressed: str, zone: str, *, right: bool, plays: bool = True) -> Deed:
    """A card is chosen by one click and played by another; by the right button, or when it is dragged to the table, at
    once; dragged within the hand it is moved there. Marked ones are played by a click beside the hand. pressed, zone:
    where the button went down, and up; plays: False where another click on the chosen card came too late to count."""
    kind, _, number = pressed.partition(" ")
    if kind == HAND:
        return _on_card(scene, int(number), pressed, zone, right=right, plays=plays)
    if zone != pressed:
        return Deed(scene.mind)
    if kind == "button":
        return pushed(scene, int(number))
    if kind in ("rest", "trick") and scene.mind.marked:
        return entered(scene)
    if kind == "pile" and len(scene.buttons) == 1:  # the only thing to do besides cards of the hand
        return pushed(scene, 0)
    return Deed(scene.mind)


def _on_card(scene: Scene, place: int, pressed: str, zone: str, *, right: bool, plays: bool) -> Deed:
    if zone != pressed:
        return _dragged(scene, place, zone)
    chosen = scene.mind.focus == HAND and scene.mind.at == place
    if chosen and not right and not plays and not scene.mind.marked:
        return Deed(scene.mind, told=SLOW)
    if right or (chosen and not scene.mind.marked):
        return played(scene, place)
    if scene.mind.marked:
        return Deed(marked(scene, place))
    return Deed(replace(scene.mind, focus=HAND, at=place))


def _dragged(scene: Scene, place: int, zone: str) -> Deed:
    """Played on the table, moved before another card of the hand, or to its right end."""
    kind, _, number = zone.partition(" ")
    if kind in THROWN_ON:
        return played(scene, place)
    if kind not in (HAND, "rest") or scene.hand[place].copy:
        return Deed(scene.mind)
    onto = [str(scene.hand[int(number)])] if kind == HAND else []
    return Deed(scene.mind, " ".join(["move", str(scene.hand[place]), *onto]))
