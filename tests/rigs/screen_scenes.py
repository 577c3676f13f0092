"""Scenes for the screen, of hands that were really dealt."""

from __future__ import annotations

from at_hand import TableAtHand
from p2pcards.present.cards import usual_arrangement
from p2pcards.tui.picture.faces import Look
from p2pcards.tui.picture.scene import Scene, new_scene
from p2pcards.views.tableview import Command


def scene_of(key: str, preset: str = "", seed: int = 1, until: str = "") -> Scene:
    """A hand that was dealt, played like a novice until something that begins so is legal."""
    table = TableAtHand(key, preset, seed)
    while not any(words.startswith(until) for words in table.view().legal):
        table.say(Command("act", tuple(table.suggestion().split())))
    return new_scene(table.view(), Look(), usual_arrangement(key))
