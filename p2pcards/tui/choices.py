"""What a key does to what is chosen on the screen, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from p2pcards.frontend.choosing import asked_count, refused_line, usable, with_cards_of
from p2pcards.tui.picture.canvas import Box
from p2pcards.tui.picture.hand import KEYS, fan
from p2pcards.tui.picture.scene import BUTTONS, HAND, Mind, Scene
from p2pcards.tui.picture.table import form_of_hand


@dataclass(frozen=True, slots=True)
class Deed:
    """What comes of a key. mind: what is chosen now; line: what is said to the table, as it would be typed; several:
    lines of which one is to be chosen first; begins: a line of which the rest is to be typed; told: why nothing
    comes of it."""

    mind: Mind
    line: str = ""
    several: tuple[str, ...] = ()
    begins: str = ""
    told: str = ""


def taken_over(scene: Scene, before: Scene, *, jumps: bool = True) -> Mind:
    """What is chosen when a new view has come: where something else can be done than before, the first of that. jumps:
    False where whoever plays wants to go there alone."""
    mind = scene.mind
    if scene.view.legal != before.view.legal:
        if jumps:
            return _at_first(scene)
        mind = replace(mind, marked=frozenset())
    places = len(scene.hand) if mind.focus == HAND else len(scene.buttons)
    return replace(mind, at=max(min(mind.at, places - 1), 0))


def pressed(scene: Scene, key: str) -> Deed | None:
    """What comes of a key by its name; None where it means nothing here."""
    if key in _MOVES:
        return Deed(_MOVES[key](scene))
    if key == "space":
        return Deed(marked(scene, scene.mind.at)) if scene.mind.focus == HAND else pushed(scene, scene.mind.at)
    if key == "enter":
        return entered(scene)
    if key in KEYS and KEYS.index(key) < len(scene.hand) and usable(scene.actions):
        return played(scene, KEYS.index(key))
    number = next((number for number, button in enumerate(scene.buttons) if button.key == key.upper()), None)
    return None if number is None else pushed(scene, number)


def marked(scene: Scene, place: int) -> Mind:
    """The card there is marked, or no longer."""
    if not 0 <= place < len(scene.hand):
        return scene.mind
    return replace(scene.mind, focus=HAND, at=place, marked=scene.mind.marked ^ {place})


def played(scene: Scene, place: int) -> Deed:
    """The card there is played, or marked where several go together."""
    mind = replace(scene.mind, focus=HAND, at=place)
    if scene.mind.marked or asked_count(scene.actions) > 1:
        return Deed(marked(replace(scene, mind=mind), place))
    return entered(replace(scene, mind=mind))


def pushed(scene: Scene, number: int) -> Deed:
    """What a button does."""
    if not 0 <= number < len(scene.buttons):
        return Deed(scene.mind)
    button = scene.buttons[number]
    return Deed(replace(scene.mind, focus=BUTTONS, at=number), button.line, button.several, button.begins)


def entered(scene: Scene) -> Deed:
    """What the chosen card, the marked ones or the chosen button do."""
    mind = scene.mind
    if scene.view.pause is not None:
        return Deed(mind, "next")
    if mind.focus == BUTTONS:
        return pushed(scene, mind.at)
    if not scene.hand or not scene.view.legal:
        return Deed(mind)
    places = sorted(mind.marked) or [mind.at]
    cards = [int(scene.hand[place]) for place in places if place < len(scene.hand)]
    found = with_cards_of(scene.actions, cards)
    if len(found) == 1:
        return Deed(mind, found[0].words)
    if found:
        return Deed(mind, several=tuple([action.words for action in found]))
    if not mind.marked and set(cards) <= usable(scene.actions):
        return Deed(marked(scene, mind.at))
    return Deed(mind, refused_line(scene.actions, cards))


# --- moving about -----------------------------------------------------------------------------------------------------


def _at_first(scene: Scene) -> Mind:
    """The first card that something can be done with, else the first button."""
    can = usable(scene.actions)
    place = next((place for place, card in enumerate(scene.hand) if card in can), None)
    focus = BUTTONS if place is None and scene.buttons else HAND
    return replace(scene.mind, focus=focus, at=place or 0, marked=frozenset())


def _beside(step: int) -> Callable[[Scene], Mind]:
    def move(scene: Scene) -> Mind:
        count = len(scene.hand) if scene.mind.focus == HAND else len(scene.buttons)
        return replace(scene.mind, at=(scene.mind.at + step) % count) if count else scene.mind

    return move


def _up(scene: Scene) -> Mind:
    """From the lower row of the hand to the upper one, from there to the buttons."""
    if scene.mind.focus == BUTTONS:
        return scene.mind
    upper = _upper(scene)
    if scene.mind.at >= upper:
        return replace(scene.mind, at=min(scene.mind.at - upper, upper - 1))
    return replace(scene.mind, focus=BUTTONS, at=0) if scene.buttons else scene.mind


def _down(scene: Scene) -> Mind:
    if scene.mind.focus == BUTTONS:
        return replace(scene.mind, focus=HAND, at=0) if scene.hand else scene.mind
    upper = _upper(scene)
    lower = len(scene.hand) - upper
    return (
        replace(scene.mind, at=upper + min(scene.mind.at, lower - 1)) if scene.mind.at < upper and lower else scene.mind
    )


def _upper(scene: Scene) -> int:
    """How many cards lie in the upper row of the hand; all, where there is one row."""
    columns, rows = scene.window
    form = form_of_hand(rows, scene.look.size)
    lies = fan(len(scene.hand), Box(0, 0, columns - 1, form.rows + 1), form)
    return len(scene.hand) if lies.lifts else (len(scene.hand) + 1) // 2


def _end(scene: Scene) -> Mind:
    count = len(scene.hand) if scene.mind.focus == HAND else len(scene.buttons)
    return replace(scene.mind, at=max(count - 1, 0))


_MOVES: Mapping[str, Callable[[Scene], Mind]] = {
    "left": _beside(-1),
    "right": _beside(1),
    "up": _up,
    "down": _down,
    "home": lambda scene: replace(scene.mind, at=0),
    "end": _end,
    "escape": lambda scene: replace(scene.mind, marked=frozenset(), wrong=False, status=""),
}
