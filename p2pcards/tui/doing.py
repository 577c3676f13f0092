"""What there is to do, as the line that the screen shows while nothing else is to be said."""

from __future__ import annotations

from p2pcards.frontend.choosing import LegalAction, asked_count
from p2pcards.games.spelling import is_card_word
from p2pcards.present.cards import count_text
from p2pcards.present.story import sentence
from p2pcards.present.table import HURRY, countdowns, going_on, leads, seat_name
from p2pcards.tui.picture.scene import Scene

MOST_VERBS = 4


def to_do(scene: Scene) -> str:
    """A sentence: what I can do, or whom the table waits for."""
    view = scene.view
    if not view.legal or view.phase != "play" or view.proposal:
        return sentence(going_on(view, scene.elapsed)[0])
    if marked := len(scene.mind.marked):
        cards = count_text(marked)
        return (
            f"{cards[:1].upper()}{cards[1:]} marked; Enter, or a click beside the hand, goes on with {_them(marked)}."
        )
    left = None if view.turn_seconds is None else view.turn_seconds - scene.elapsed
    hurry = f" ({max(0, round(left))} s)" if left is not None and left <= HURRY else ""
    away = [f"{seat_name(view, seat)} away {round(rest)} s" for seat, rest, _ in countdowns(view, scene.elapsed)]
    lead = "you lead; " if leads(view) else ""
    return "; ".join([f"Your turn{hurry}: {lead}{_either(_ways(scene)[:MOST_VERBS])}", *away]) + "."


def _ways(scene: Scene) -> list[str]:
    """The kinds of what I can do, each in a few words."""
    by_verb: dict[str, list[LegalAction]] = {}
    for action in scene.actions:
        by_verb.setdefault(action.words.split()[0], []).append(action)
    ways = {}
    for verb, alike in by_verb.items():
        if is_card_word(verb):
            ways["play"] = "play a card"
        elif number := asked_count(alike):
            many = "cards" if any(len(one.cards) != number for one in alike) else count_text(number).replace("one", "a")
            ways[verb] = f"{verb} {many}"
        else:
            ways[verb] = verb
    return list(ways.values())


def _either(ways: list[str]) -> str:
    """``draw, take or knock``."""
    return f"{', '.join(ways[:-1])} or {ways[-1]}" if len(ways) > 1 else "".join(ways)


def _them(count: int) -> str:
    return "it" if count == 1 else "them"
