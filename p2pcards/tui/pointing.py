"""What the mouse does."""

from __future__ import annotations

from dataclasses import replace

from p2pcards.tui.choices import Deed, entered, marked, played, pushed
from p2pcards.tui.picture.scene import HAND, Scene

THROWN_ON = ("trick", "pile", "piles", "seat")
"""Where a card is dragged to be played."""


def pointed(scene: Scene, pressed: str, zone: str, *, right: bool) -> Deed:
    """A card is chosen by one click and played by another; by the right button, or when it is dragged to the table, at
    once. Marked ones are played by a click beside the hand. pressed, zone: where the button went down, and up."""
    kind, _, number = pressed.partition(" ")
    if kind == HAND:
        return _on_card(scene, int(number), pressed, zone, right=right)
    if zone != pressed:
        return Deed(scene.mind)
    if kind == "button":
        return pushed(scene, int(number))
    if kind in ("rest", "trick") and scene.mind.marked:
        return entered(scene)
    if kind == "pile" and len(scene.buttons) == 1:  # the only thing to do besides cards of the hand
        return pushed(scene, 0)
    return Deed(scene.mind)


def _on_card(scene: Scene, place: int, pressed: str, zone: str, *, right: bool) -> Deed:
    if zone != pressed:
        return played(scene, place) if zone.partition(" ")[0] in THROWN_ON else Deed(scene.mind)
    chosen = scene.mind.focus == HAND and scene.mind.at == place
    if right or (chosen and not scene.mind.marked):
        return played(scene, place)
    if scene.mind.marked:
        return Deed(marked(scene, place))
    return Deed(replace(scene.mind, focus=HAND, at=place))
