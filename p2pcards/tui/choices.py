"""What a person at the screen means by a key or by pointing at something, and what each part of it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from p2pcards.frontend.choosing import asked_count, usable, ventures, verb_of
from p2pcards.frontend.menus import KEY_LINES
from p2pcards.frontend.standing import drawing, meant_by
from p2pcards.frontend.words import actions_of, lines_about
from p2pcards.present.cards import card_text, count_text, usual
from p2pcards.tui.picture.canvas import Box
from p2pcards.tui.picture.scene import BUTTONS, HAND, Mind, Scene
from p2pcards.tui.picture.table import CARD_KEYS, fan, form_of_hand

# --- the keys of a table that say a line ------------------------------------------------------------------------------


KEY_NAMES = {"comma": ",", "full_stop": ".", "question_mark": "?"}
SHOWN_AS = {"Ctrl+Q": "ctrl+c", **{name: key for key, name in KEY_NAMES.items()}}
"""Keys by what the screen calls them, where that is another name."""
BESIDE_KEYS = {"detach": "Ctrl-Q", "say": "Tab", "what is this?": "F12"}
"""Keys of lines that no key says as they are."""


def key_of(line: str) -> str:
    """The keys that say a line, as a person reads them, "" for none."""
    keys = [key for key, said in KEY_LINES.items() if said == line.strip()]
    named = [KEY_NAMES.get(key, key.replace("ctrl+", "Ctrl-").upper().replace("CTRL", "Ctrl")) for key in keys]
    beside = BESIDE_KEYS.get(line.strip(), "")
    return ", ".join([beside, *named] if beside else named)


# --- what each part of the screen is, for who points at it and asks ---------------------------------------------------


PARTS: Mapping[str, str] = {
    "title": "The game, the hand, the trick and the score to reach. Click to see how every hand scored.",
    "facts": "This hand: trump and who made it, contracts, the count, whose crib it is. Click for the rules.",
    "seat": "A player: what they bid, took or hold, and their cards on the table. The arrow marks whose turn it is. "
    "If they drop out, their character fills in. Click to see what you can do.",
    "trick": "The trick, each card in front of its player. The winning card is marked at the end.",
    "pile": "A pile on the table, and how many cards are in it.",
    "piles": "A pile with every card showing, the top one last.",
    "board": "The board. A solid peg shows the score, a hollow one the score before.",
    "scores": "The score, and what the last hand added. Press F3 or click for details.",
    "totals": "Games won and lost. Click for past games.",
    "rules": "This table's rules. Click to hide them; the Options menu brings them back. Press G for all the rules.",
    "log": "The table log and chat, or the rules. Press F11 or click to switch.",
    "status": "What to do now, or what went wrong. Press Esc to clear it.",
    "button": "A move. Click it or press the letter in brackets.",
    "hand": "Your hand. Cards you can play have a key below them. Use the arrows, then Enter to play or Space to "
    "mark, or drag a card to the table. F2 sorts.",
    "rest": "Click here to play the marked cards.",
    "table": "The table. Drag a card here, or click to play the marked cards.",
    "keys": "Keys that always work. F10 opens the menus.",
    "key": "A key and what it does; clicking it works too. Right-click F2 to leave your hand unsorted.",
}
"""By the first word of a zone's name."""

NOTHING = "Nothing here. Click a part of the table."


def about(zone: str) -> str:
    """A sentence or two."""
    return PARTS.get(zone.partition(" ")[0], NOTHING)


# --- what a key does to what is chosen on the screen, and what comes of it --------------------------------------------


NOWHERE = -1
"""The place of the button that is chosen where the player has to choose one first."""
CHOOSE = "Pick a button: arrow keys, the letter in brackets, or a click."


@dataclass(frozen=True, slots=True)
class Deed:
    """The result of a key or click."""

    mind: Mind  # the selection afterwards
    line: str = ""  # to send to the table, as it would be typed; "" for none
    several: tuple[str, ...] = ()  # lines to choose from first
    begins: str = ""  # the beginning of a line, to be completed by typing
    menu: str = ""  # to open
    presses: str = ""  # another key, to be handled in place of this one
    told: str = ""  # the reason if nothing happens
    wrong: bool = False  # `told` is an error


def taken_over(scene: Scene, before: Scene, *, jumps: bool = True) -> Mind:
    """What is chosen when a new view has come: where something else can be done than before, the first of that. jumps:
    False where the player wants to go there alone."""
    mind = scene.mind
    if scene.view.legal != before.view.legal:
        if jumps:
            return _at_first(scene)
        mind = replace(mind, marked=frozenset())
    places = len(scene.hand) if mind.focus == HAND else len(scene.buttons)
    return replace(mind, at=max(min(mind.at, places - 1), 0 if mind.focus == HAND else NOWHERE))


def pressed(scene: Scene, key: str) -> Deed | None:
    """What comes of a key by its name; None where it means nothing here."""
    if key in _MOVES:
        return Deed(_MOVES[key](scene))
    if key == "space":
        return Deed(marked(scene, scene.mind.at)) if scene.mind.focus == HAND else pushed(scene, scene.mind.at)
    if key == "enter":
        return entered(scene)
    if key in CARD_KEYS and CARD_KEYS.index(key) < len(scene.hand) and usable(scene.actions):
        return played(scene, CARD_KEYS.index(key))
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
    if number == NOWHERE and scene.buttons:
        return Deed(scene.mind, told=CHOOSE)
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
    if 0 < len(mind.marked) < asked_count(scene.actions) and mind.at not in mind.marked:
        return Deed(marked(scene, mind.at))
    places = sorted(mind.marked) or [mind.at]
    cards = [int(scene.hand[place]) for place in places if place < len(scene.hand)]
    meant = meant_by(scene.view, scene.actions, cards, marked=bool(mind.marked))
    return Deed(marked(scene, mind.at)) if meant.more else Deed(mind, meant.line, meant.several)


# --- moving about -----------------------------------------------------------------------------------------------------


def _at_first(scene: Scene) -> Mind:
    """The first card that something can be done with, else the first button that takes nothing on: those are chosen by
    the player alone."""
    can = usable(scene.actions)
    place = next((place for place, card in enumerate(scene.hand) if card in can), None)
    if place is not None or not scene.buttons:
        return replace(scene.mind, focus=HAND, at=place or 0, marked=frozenset())
    takes_on = ventures(scene.view)
    free = [n for n, one in enumerate(scene.buttons) if one.line and verb_of(one.line) not in takes_on]
    return replace(scene.mind, focus=BUTTONS, at=free[0] if free else NOWHERE, marked=frozenset())


def _beside(step: int) -> Callable[[Scene], Mind]:
    def move(scene: Scene) -> Mind:
        count = len(scene.hand) if scene.mind.focus == HAND else len(scene.buttons)
        here = count if scene.mind.at == NOWHERE and step < 0 else scene.mind.at
        return replace(scene.mind, at=(here + step) % count) if count else scene.mind

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


# --- what the mouse does ----------------------------------------------------------------------------------------------


ONTO = ("trick", "pile", "piles", "table", "board")
"""Where a click plays what is marked, and a card is dragged to be played."""
THROWN_ON = (*ONTO, "seat")
"""Where a card is dragged to be played."""
DRAWN_FROM = ("pile", "piles")
KNOCK = "knock"

ASKS = {"title": "score all", "facts": "rules", "scores": "score", "totals": "history", "log": "beside"}
"""What a click on a part of the screen says."""
NO_FRAME = "config rules_frame false"
"""What a click on the frame with the rules says."""

SLOW = "Double-click to play a card, or press Enter."
STRAY = "That counted as one click. Click again to play the card."
BESIDE_OTHERS = "{cards} marked, but you can only play one at a time. Press Esc to unmark."


@dataclass(frozen=True, slots=True)
class Click:
    pressed: str  # the zone where the button went down
    zone: str  # the zone where it went up
    right: bool = False  # the right button, which plays at once
    again: bool = False  # soon after a click in the same zone, or without `doubles` on the same character
    doubles: bool = False  # the player wants two quick clicks to play, and slower ones not to


def pointed(scene: Scene, click: Click) -> Deed:
    """A card is chosen by one click and played by another; by the right button, or when it is dragged to the table, at
    once; dragged within the hand it is moved there. Where several cards go together clicks mark them. Marked ones are
    played by a click beside the hand, or on the table."""
    kind, _, rest = click.pressed.partition(" ")
    if kind == HAND:
        return _on_card(scene, int(rest), click)
    if click.zone != click.pressed:
        return Deed(scene.mind)
    if kind == "key":
        return _by_name(scene, rest, right=click.right)
    if kind == "rules":
        return Deed(scene.mind, NO_FRAME)
    if kind in ASKS:
        return Deed(scene.mind, ASKS[kind])
    if kind == "seat":
        return _about_seat(scene, int(rest))
    return Deed(scene.mind) if click.again and not click.doubles else _on_table(scene, kind, rest, click.zone)


def _by_name(scene: Scene, name: str, *, right: bool) -> Deed:
    """What a key says or does that stands in the last row, also where a card or a button has its letter now."""
    key = SHOWN_AS.get(name, name.lower())
    if right and key == "f2":
        return Deed(scene.mind, f"sort {usual(scene.view.game).order}" if scene.order == "off" else "sort off")
    return Deed(scene.mind, KEY_LINES[key]) if key in KEY_LINES else Deed(scene.mind, presses=key)


def _on_table(scene: Scene, kind: str, rest: str, zone: str) -> Deed:
    """Where a stray click would do something that was not meant."""
    if kind == "button":
        return pushed(scene, int(rest))
    if kind in ("rest", *ONTO) and scene.mind.marked:
        return entered(scene)
    if kind in DRAWN_FROM and len(numbers := _draws(scene, zone)) > 1:
        return Deed(scene.mind, several=tuple([scene.buttons[number].line for number in numbers]))
    knock = next((number for number, button in enumerate(scene.buttons) if button.line == KNOCK), None)
    return pushed(scene, knock) if kind in ("trick", "table") and knock is not None else Deed(scene.mind)


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
    return drawing(name, scene.buttons, spread=kind == "piles")


def _about_seat(scene: Scene, seat: int) -> Deed:
    """What can be said about who sits there; of oneself the menu of the players."""
    if seat == scene.view.me:
        return Deed(scene.mind, menu="Players")
    lines = lines_about(scene.view, scene.view.seats[seat])
    return Deed(scene.mind, several=tuple(lines))


def _on_card(scene: Scene, place: int, click: Click) -> Deed:
    if click.zone != click.pressed:
        return _dragged(scene, place, click.zone)
    if click.right:
        return _played_by_right(scene, place, click)
    mind = scene.mind
    marks = bool(mind.marked) or _several_go(scene)
    plays = mind.marked == {place} if marks else mind.focus == HAND and mind.at == place
    if plays and click.doubles and not click.again:
        return Deed(mind, told=SLOW)
    if click.again and not click.doubles:
        return Deed(mind, told=STRAY if plays else "")
    if plays:
        deed = entered(scene) if marks else played(scene, place)
        if not marks or deed.several or deed.line in scene.view.legal:
            return deed
    return Deed(marked(scene, place) if marks else replace(mind, focus=HAND, at=place))


def _several_go(scene: Scene) -> bool:
    """Whether cards of the hand go together now, or are melded in this game by somebody whose turn it is."""
    melds = "meld" in actions_of(scene.view) and bool(scene.view.legal)
    return any(len(action.cards) > 1 for action in scene.actions) or (melds and not usable(scene.actions))


def _played_by_right(scene: Scene, place: int, click: Click) -> Deed:
    """Not while others are marked where a card is played by itself."""
    if click.doubles and not click.again:
        return Deed(replace(scene.mind, focus=HAND, at=place), told=SLOW)
    if click.again and not click.doubles:
        return Deed(scene.mind)
    others = len(scene.mind.marked - {place})
    if others and asked_count(scene.actions) == 1:
        cards = count_text(others)
        told = BESIDE_OTHERS.format(cards=f"{cards[:1].upper()}{cards[1:]} {'is' if others == 1 else 'are'}")
        return Deed(scene.mind, told=told, wrong=True)
    return entered(scene) if scene.mind.marked == {place} and not others else played(scene, place)


def _dragged(scene: Scene, place: int, zone: str) -> Deed:
    """Played on the table, with those that are marked; moved to the left of a card of the hand that it came to from the
    right, to the right of one that it came to from the left, or to the right end."""
    kind, _, number = zone.partition(" ")
    together = scene.mind.marked | {place}
    if kind in THROWN_ON or (kind == "rest" and len(together) > 1):
        if len(together) == 1 or len(together) < asked_count(scene.actions):
            return played(replace(scene, mind=replace(scene.mind, marked=scene.mind.marked - {place})), place)
        return entered(replace(scene, mind=replace(scene.mind, focus=HAND, at=place, marked=together)))
    if kind not in (HAND, "rest") or scene.hand[place].copy:
        return Deed(scene.mind)
    before = int(number) + (int(number) > place) if kind == HAND else len(scene.hand)
    return Deed(scene.mind, move_line(scene, place, before))


def move_line(scene: Scene, place: int, before: int) -> str:
    """What moves a card of the hand to the left of the one at another place; at the right of the hand lie melded cards,
    which do not move."""
    onto = [str(before + 1)] if before < len(scene.hand) and not scene.hand[before].copy else []
    return " ".join(["move", str(place + 1), *onto])


def where_dragged(scene: Scene, place: int, zone: str) -> str:
    """What comes of a card of the hand that is let go there, for who drags it."""
    card = card_text(int(scene.hand[place]), scene.look.style)
    deed = _dragged(scene, place, zone)
    if deed.line.startswith("move "):
        return f"Drop {card} here to move it."
    together = len(scene.mind.marked | {place})
    if deed.line or deed.several or deed.mind != scene.mind:
        return f"Drop {card} here{' with the other marked cards' * (together > 1)}."
    return f"Drop {card} on the table instead."
