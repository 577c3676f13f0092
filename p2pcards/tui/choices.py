"""What a person at the screen means by a key or by pointing at something, and what each part of it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from p2pcards.frontend.choosing import smallest_card_count, usable_cards, venture_verbs, verb_of_action
from p2pcards.frontend.menus import KEY_LINES
from p2pcards.frontend.standing import drawing_buttons, interpret_cards
from p2pcards.frontend.words import action_verbs, lines_about_seat
from p2pcards.present.cards import card_text, count_text, usual_arrangement
from p2pcards.tui.picture.canvas import Box
from p2pcards.tui.picture.scene import BUTTONS, HAND, Mind, Scene
from p2pcards.tui.picture.table import CARD_KEYS, fan_hand, hand_form

# --- the keys of a table that say a line ------------------------------------------------------------------------------


KEY_NAMES = {"comma": ",", "full_stop": ".", "question_mark": "?"}
SHOWN_AS = {"Ctrl+Q": "ctrl+c", **{name: key for key, name in KEY_NAMES.items()}}
"""Keys by what the screen calls them, where that is another name."""
BESIDE_KEYS = {"detach": "Ctrl-Q", "say": "Tab", "what is this?": "F12"}
"""Keys of lines that no key says as they are."""


def keys_of_line(line: str) -> str:
    """The keys that say this line, as a person reads them, "" for none."""
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


def describe_zone(zone: str) -> str:
    """One or two sentences on what is in this zone of the picture."""
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


def carry_selection(scene: Scene, before: Scene, *, jumps: bool = True) -> Mind:
    """What is selected once a new view has come: if other actions are legal now, the first that can be used. jumps:
    False keeps the selection in place."""
    mind = scene.mind
    if scene.view.legal != before.view.legal:
        if jumps:
            return _select_first(scene)
        mind = replace(mind, marked=frozenset())
    places = len(scene.hand) if mind.focus == HAND else len(scene.buttons)
    return replace(mind, at=max(min(mind.at, places - 1), 0 if mind.focus == HAND else NOWHERE))


def press_key(scene: Scene, key: str) -> Deed | None:
    """The result of a key by its name; None where it means nothing here."""
    if key in _MOVES:
        return Deed(_MOVES[key](scene))
    if key == "space":
        return (
            Deed(toggle_mark(scene, scene.mind.at)) if scene.mind.focus == HAND else push_button(scene, scene.mind.at)
        )
    if key == "enter":
        return press_enter(scene)
    if key in CARD_KEYS and CARD_KEYS.index(key) < len(scene.hand) and usable_cards(scene.actions):
        return play_card(scene, CARD_KEYS.index(key))
    number = next((number for number, button in enumerate(scene.buttons) if button.key == key.upper()), None)
    return None if number is None else push_button(scene, number)


def toggle_mark(scene: Scene, place: int) -> Mind:
    """Mark the card at this place of the hand, or unmark it."""
    if not 0 <= place < len(scene.hand):
        return scene.mind
    return replace(scene.mind, focus=HAND, at=place, marked=scene.mind.marked ^ {place})


def play_card(scene: Scene, place: int) -> Deed:
    """Play the card at this place of the hand, or mark it where several go together."""
    mind = replace(scene.mind, focus=HAND, at=place)
    if scene.mind.marked or smallest_card_count(scene.actions) > 1:
        return Deed(toggle_mark(replace(scene, mind=mind), place))
    return press_enter(replace(scene, mind=mind))


def push_button(scene: Scene, number: int) -> Deed:
    """The result of pushing the button of this number."""
    if number == NOWHERE and scene.buttons:
        return Deed(scene.mind, told=CHOOSE)
    if not 0 <= number < len(scene.buttons):
        return Deed(scene.mind)
    button = scene.buttons[number]
    return Deed(replace(scene.mind, focus=BUTTONS, at=number), button.line, button.several, button.begins)


def press_enter(scene: Scene) -> Deed:
    """The result of Enter: it plays the selected or marked cards, or pushes the selected button."""
    mind = scene.mind
    if scene.view.pause is not None:
        return Deed(mind, "next")
    if mind.focus == BUTTONS:
        return push_button(scene, mind.at)
    if not scene.hand or not scene.view.legal:
        return Deed(mind)
    if 0 < len(mind.marked) < smallest_card_count(scene.actions) and mind.at not in mind.marked:
        return Deed(toggle_mark(scene, mind.at))
    places = sorted(mind.marked) or [mind.at]
    cards = [int(scene.hand[place]) for place in places if place < len(scene.hand)]
    meant = interpret_cards(scene.view, scene.actions, cards, marked=bool(mind.marked))
    return Deed(toggle_mark(scene, mind.at)) if meant.more else Deed(mind, meant.line, meant.several)


# --- moving about -----------------------------------------------------------------------------------------------------


def _select_first(scene: Scene) -> Mind:
    """Select the first card that can be used, else the first button without a risky action: those only the player
    selects."""
    can = usable_cards(scene.actions)
    place = next((place for place, card in enumerate(scene.hand) if card in can), None)
    if place is not None or not scene.buttons:
        return replace(scene.mind, focus=HAND, at=place or 0, marked=frozenset())
    takes_on = venture_verbs(scene.view)
    free = [n for n, one in enumerate(scene.buttons) if one.line and verb_of_action(one.line) not in takes_on]
    return replace(scene.mind, focus=BUTTONS, at=free[0] if free else NOWHERE, marked=frozenset())


def _move_sideways(step: int) -> Callable[[Scene], Mind]:
    def move(scene: Scene) -> Mind:
        count = len(scene.hand) if scene.mind.focus == HAND else len(scene.buttons)
        here = count if scene.mind.at == NOWHERE and step < 0 else scene.mind.at
        return replace(scene.mind, at=(here + step) % count) if count else scene.mind

    return move


def _move_up(scene: Scene) -> Mind:
    """Move from the lower row of the hand to the upper one, or from there to the buttons."""
    if scene.mind.focus == BUTTONS:
        return scene.mind
    upper = _upper_row_length(scene)
    if scene.mind.at >= upper:
        return replace(scene.mind, at=min(scene.mind.at - upper, upper - 1))
    return replace(scene.mind, focus=BUTTONS, at=0) if scene.buttons else scene.mind


def _move_down(scene: Scene) -> Mind:
    if scene.mind.focus == BUTTONS:
        return replace(scene.mind, focus=HAND, at=0) if scene.hand else scene.mind
    upper = _upper_row_length(scene)
    lower = len(scene.hand) - upper
    return (
        replace(scene.mind, at=upper + min(scene.mind.at, lower - 1)) if scene.mind.at < upper and lower else scene.mind
    )


def _upper_row_length(scene: Scene) -> int:
    """The number of cards in the upper row of the hand; all where there is one row."""
    columns, rows = scene.window
    form = hand_form(rows, scene.look.size)
    lies = fan_hand(len(scene.hand), Box(0, 0, columns - 1, form.rows + 1), form)
    return len(scene.hand) if lies.lifts else (len(scene.hand) + 1) // 2


def _select_last(scene: Scene) -> Mind:
    count = len(scene.hand) if scene.mind.focus == HAND else len(scene.buttons)
    return replace(scene.mind, at=max(count - 1, 0))


_MOVES: Mapping[str, Callable[[Scene], Mind]] = {
    "left": _move_sideways(-1),
    "right": _move_sideways(1),
    "up": _move_up,
    "down": _move_down,
    "home": lambda scene: replace(scene.mind, at=0),
    "end": _select_last,
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


def click_at(scene: Scene, click: Click) -> Deed:
    """The result of a click. One click selects a card, another plays it; the right button, or dragging it to the table,
    plays at once; dragging within the hand moves it. Where several cards go together, clicks mark them, and a click
    beside the hand or on the table plays them."""
    kind, _, rest = click.pressed.partition(" ")
    if kind == HAND:
        return _click_card(scene, int(rest), click)
    if click.zone != click.pressed:
        return Deed(scene.mind)
    if kind == "key":
        return _click_key(scene, rest, right=click.right)
    if kind == "rules":
        return Deed(scene.mind, NO_FRAME)
    if kind in ASKS:
        return Deed(scene.mind, ASKS[kind])
    if kind == "seat":
        return _click_seat(scene, int(rest))
    return Deed(scene.mind) if click.again and not click.doubles else _click_table(scene, kind, rest, click.zone)


def _click_key(scene: Scene, name: str, *, right: bool) -> Deed:
    """The result of clicking a key shown in the last row, even if a card or button has its letter now."""
    key = SHOWN_AS.get(name, name.lower())
    if right and key == "f2":
        return Deed(
            scene.mind, f"sort {usual_arrangement(scene.view.game).order}" if scene.order == "off" else "sort off"
        )
    return Deed(scene.mind, KEY_LINES[key]) if key in KEY_LINES else Deed(scene.mind, presses=key)


def _click_table(scene: Scene, kind: str, rest: str, zone: str) -> Deed:
    """The result of a click on the table; a stray one does nothing."""
    if kind == "button":
        return push_button(scene, int(rest))
    if kind in ("rest", *ONTO) and scene.mind.marked:
        return press_enter(scene)
    if kind in DRAWN_FROM and len(numbers := _drawing_buttons(scene, zone)) > 1:
        return Deed(scene.mind, several=tuple([scene.buttons[number].line for number in numbers]))
    knock = next((number for number, button in enumerate(scene.buttons) if button.line == KNOCK), None)
    return push_button(scene, knock) if kind in ("trick", "table") and knock is not None else Deed(scene.mind)


def press_pile(scene: Scene, zone: str) -> Deed | None:
    """The result of pressing a button of the mouse on a pile, which draws from it; None elsewhere, and where there are
    several ways to draw."""
    numbers = _drawing_buttons(scene, zone)
    return push_button(scene, numbers[0]) if len(numbers) == 1 else None


def _drawing_buttons(scene: Scene, zone: str) -> list[int]:
    """The indices of the buttons that draw from the pile in this zone."""
    kind, _, name = zone.partition(" ")
    if kind not in DRAWN_FROM:
        return []
    return drawing_buttons(name, scene.buttons, spread=kind == "piles")


def _click_seat(scene: Scene, seat: int) -> Deed:
    """Offer the lines about the player in this seat; for one's own the menu of players."""
    if seat == scene.view.me:
        return Deed(scene.mind, menu="Players")
    lines = lines_about_seat(scene.view, scene.view.seats[seat])
    return Deed(scene.mind, several=tuple(lines))


def _click_card(scene: Scene, place: int, click: Click) -> Deed:
    if click.zone != click.pressed:
        return _drop_card(scene, place, click.zone)
    if click.right:
        return _right_click_card(scene, place, click)
    mind = scene.mind
    marks = bool(mind.marked) or _takes_several(scene)
    plays = mind.marked == {place} if marks else mind.focus == HAND and mind.at == place
    if plays and click.doubles and not click.again:
        return Deed(mind, told=SLOW)
    if click.again and not click.doubles:
        return Deed(mind, told=STRAY if plays else "")
    if plays:
        deed = press_enter(scene) if marks else play_card(scene, place)
        if not marks or deed.several or deed.line in scene.view.legal:
            return deed
    return Deed(toggle_mark(scene, place) if marks else replace(mind, focus=HAND, at=place))


def _takes_several(scene: Scene) -> bool:
    """Return whether several cards can be played together now, or melded by the player whose turn it is."""
    melds = "meld" in action_verbs(scene.view) and bool(scene.view.legal)
    return any(len(action.cards) > 1 for action in scene.actions) or (melds and not usable_cards(scene.actions))


def _right_click_card(scene: Scene, place: int, click: Click) -> Deed:
    """Play the card, unless others are marked where cards are played singly."""
    if click.doubles and not click.again:
        return Deed(replace(scene.mind, focus=HAND, at=place), told=SLOW)
    if click.again and not click.doubles:
        return Deed(scene.mind)
    others = len(scene.mind.marked - {place})
    if others and smallest_card_count(scene.actions) == 1:
        cards = count_text(others)
        told = BESIDE_OTHERS.format(cards=f"{cards[:1].upper()}{cards[1:]} {'is' if others == 1 else 'are'}")
        return Deed(scene.mind, told=told, wrong=True)
    return press_enter(scene) if scene.mind.marked == {place} and not others else play_card(scene, place)


def _drop_card(scene: Scene, place: int, zone: str) -> Deed:
    """The result of dropping a dragged card: on the table it is played, with the marked ones; in the hand it goes to
    the near side of the card it was dropped on, or to the right end."""
    kind, _, number = zone.partition(" ")
    together = scene.mind.marked | {place}
    if kind in THROWN_ON or (kind == "rest" and len(together) > 1):
        if len(together) == 1 or len(together) < smallest_card_count(scene.actions):
            return play_card(replace(scene, mind=replace(scene.mind, marked=scene.mind.marked - {place})), place)
        return press_enter(replace(scene, mind=replace(scene.mind, focus=HAND, at=place, marked=together)))
    if kind not in (HAND, "rest") or scene.hand[place].copy:
        return Deed(scene.mind)
    before = int(number) + (int(number) > place) if kind == HAND else len(scene.hand)
    return Deed(scene.mind, move_line(scene, place, before))


def move_line(scene: Scene, place: int, before: int) -> str:
    """The line that moves a card of the hand before the one at another place; melded cards at the right don't move."""
    onto = [str(before + 1)] if before < len(scene.hand) and not scene.hand[before].copy else []
    return " ".join(["move", str(place + 1), *onto])


def drop_hint(scene: Scene, place: int, zone: str) -> str:
    """A sentence what dropping the card of the hand in this zone would do."""
    card = card_text(int(scene.hand[place]), scene.look.style)
    deed = _drop_card(scene, place, zone)
    if deed.line.startswith("move "):
        return f"Drop {card} here to move it."
    together = len(scene.mind.marked | {place})
    if deed.line or deed.several or deed.mind != scene.mind:
        return f"Drop {card} here{' with the other marked cards' * (together > 1)}."
    return f"Drop {card} on the table instead."
