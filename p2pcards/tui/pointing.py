"""What the mouse does."""

from __future__ import annotations

from dataclasses import replace

from p2pcards.frontend.words import lines_about
from p2pcards.tui.choices import Deed, entered, marked, played, pushed
from p2pcards.tui.picture.scene import HAND, Scene

THROWN_ON = ("trick", "pile", "piles", "seat")
"""Where a card is dragged to be played."""
DRAWN_FROM = ("pile", "piles")
DISCARDS = "discard pile"

ASKS = {"title": "score all", "facts": "rules", "scores": "score", "log": "beside"}
"""What a click on a part of the screen says."""

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
    if kind in ASKS:
        return Deed(scene.mind, ASKS[kind])
    if kind == "seat":
        return _about_seat(scene, int(number))
    if kind in DRAWN_FROM and len(numbers := _draws(scene, zone)) > 1:
        return Deed(scene.mind, several=tuple([scene.buttons[number].line for number in numbers]))
    return Deed(scene.mind)


def drawn(scene: Scene, zone: str) -> Deed | None:
    """What comes of pressing the button there: a pile is drawn from at once; None elsewhere, and where there is more
    than one way to do it."""
    numbers = _draws(scene, zone)
    return pushed(scene, numbers[0]) if len(numbers) == 1 else None


def _draws(scene: Scene, zone: str) -> list[int]:
    """The buttons by which a card comes from a pile."""
    kind, _, name = zone.partition(" ")
    if kind not in DRAWN_FROM:
        return []
    word = "draw" if kind == "pile" and name != DISCARDS else "take"
    return [number for number, button in enumerate(scene.buttons) if button.line.partition(" ")[0] == word]


def _about_seat(scene: Scene, seat: int) -> Deed:
    """What can be said about who sits there; of oneself the settings."""
    if seat == scene.view.me:
        return Deed(scene.mind, "config")
    lines = lines_about(scene.view, scene.view.seats[seat])
    return Deed(scene.mind, several=tuple(lines))


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
