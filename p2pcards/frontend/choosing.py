"""What can be done now, for who points at things: cards of the hand, and buttons for everything else; and an action
said in two lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from p2pcards.cards.card import Card, parse_card
from p2pcards.games.names import GAME_NAMES
from p2pcards.games.registry import GAMES
from p2pcards.games.spelling import FILLERS, SIGNS, SUIT_WORDS, is_card_word
from p2pcards.present.cards import Arrangement, Style, hand_groups
from p2pcards.present.table import (
    enter_starts,
    i_watch,
    is_hand_over,
    my_seat,
    offered_text,
    trump_suit,
    would_play_again,
)
from p2pcards.views.tableview import TableView

# --- an action typed in two lines -------------------------------------------------------------------------------------


def is_unfinished(words: Sequence[str], legal: Sequence[str]) -> bool:
    """Return whether these words begin a legal action but aren't a whole one. legal: as in `TableView`."""
    return _is_part_of_action(words, legal) and not is_whole_action(words, legal)


def is_whole_action(words: Sequence[str], legal: Sequence[str]) -> bool:
    """Return whether these words are a legal action, with or without its verb."""
    said = normalized_words(words)
    return any(
        said in (normalized_words(action), normalized_words(without_verb(action))) for action in map(str.split, legal)
    )


def joined_to_unfinished(unfinished: tuple[str, ...], words: tuple[str, ...], legal: Sequence[str]) -> tuple[str, ...]:
    """The typed words, put after the unfinished ones typed before if they go on with them."""
    goes_on = (
        bool(unfinished) and _is_part_of_action((*unfinished, *words), legal) and not is_whole_action(words, legal)
    )
    return (*unfinished, *words) if goes_on else words


def without_verb(action: list[str]) -> list[str]:
    """The words of a legal action but its verb; playing a card has none."""
    return action if is_card_word(action[0]) else action[1:]


def normalized_words(words: Sequence[str]) -> Counter[str]:
    """The words as `games.spelling.spell_action` writes them, in any order: 8♦ becomes 8D, hearts becomes h."""
    kept = [word for word in words if word.lower() not in FILLERS]
    return Counter(
        [_spelled_card(word) if is_card_word(word) else SUIT_WORDS.get(word.lower(), word.lower()) for word in kept]
    )


def _is_part_of_action(words: Sequence[str], legal: Sequence[str]) -> bool:
    said = normalized_words(words)
    return bool(said) and any(said <= normalized_words(action.split()) for action in legal)


def _spelled_card(word: str) -> str:
    try:
        return str(parse_card(word.translate(SIGNS)))
    except ValueError:  # a hidden one
        return word


# --- what can be done now, for who points at things -------------------------------------------------------------------


MOST_NUMBERS, MOST_LINES = 14, 4
"""Buttons of one verb, such as bids; of more one is chosen from a list."""


@dataclass(frozen=True, slots=True)
class LegalAction:
    words: str  # its spelling
    cards: tuple[int, ...] = ()  # of the hand that it names, as bytes


@dataclass(frozen=True, slots=True)
class Button:
    """A choice that isn't made by playing cards, shown as a button."""

    label: str  # as it is shown
    key: str  # the letter that presses it; "" for none
    line: str = ""  # the line to type for it in line mode
    several: tuple[str, ...] = ()  # lines to choose from first
    begins: str = ""  # the beginning of a line, to be completed by typing


def shown_hand(view: TableView, arrangement: Arrangement) -> list[Card]:
    """My cards from left to right: the hand, then those melded cards that can still be played."""
    mine = my_seat(view)
    known = mine.known if mine else ()
    hand = [card for group in hand_groups(arrangement, known, trump_suit(view)) for card in group]
    return [*hand, *playable_melded_cards(view)]


def playable_melded_cards(view: TableView) -> list[Card]:
    """My cards that lie open in melds and can still be played."""
    if is_hand_over(view):
        return []
    piles = [pile for pile in view.piles if pile.spread and pile.seat is not None and pile.seat == view.me]
    return [Card(card) for pile in piles for card in pile.cards if Card(card).copy]


def legal_actions(view: TableView) -> tuple[LegalAction, ...]:
    """My legal actions."""
    mine = my_seat(view)
    held = Counter([*(mine.known if mine else ()), *map(int, playable_melded_cards(view))])
    return tuple([LegalAction(words, _hand_cards_named(words, held)) for words in view.legal])


def verb_of_action(words: str) -> str:
    """The first word of a spelled action; "play" for a bare card."""
    first = words.split(maxsplit=1)[0]
    return "play" if is_card_word(first) else first


def venture_verbs(view: TableView) -> frozenset[str]:
    """The verbs of this game's risky actions (`Game.ventures`), such as knock."""
    game = GAMES[view.game] if view.game in GAME_NAMES else None
    return frozenset([kind.__name__.lower() for kind in game.ventures]) if game else frozenset()


def usable_cards(found: Sequence[LegalAction]) -> frozenset[int]:
    """The cards of the hand that occur in any of these legal actions."""
    return frozenset([card for action in found for card in action.cards])


def actions_with_cards(view: TableView, found: Sequence[LegalAction], cards: Collection[int]) -> list[LegalAction]:
    """The legal actions that use exactly these cards of the hand, but for those shown as a button."""
    wanted, takes_on = sorted(cards), venture_verbs(view)
    fitting = [action for action in found if action.cards and sorted(action.cards) == wanted]
    return [action for action in fitting if verb_of_action(action.words) not in takes_on] or fitting


def smallest_card_count(found: Sequence[LegalAction]) -> int:
    """The fewest cards of the hand that any of these actions takes, of those that take some; 0 where none does."""
    return min([len(action.cards) for action in found if action.cards], default=0)


def line_to_refuse(found: Sequence[LegalAction], cards: Sequence[int]) -> str:
    """The line to send for cards that no legal action takes, so that the rules say why."""
    verbs = Counter([action.words.split()[0] for action in found if len(action.cards) > 1])
    verb = [verbs.most_common(1)[0][0]] if verbs and max(len(cards), smallest_card_count(found)) > 1 else []
    return " ".join([*verb, *[str(Card(card)) for card in cards]])


def buttons_for(view: TableView, found: Sequence[LegalAction], style: Style) -> tuple[Button, ...]:
    """The buttons for what can be done besides playing cards, from the left. found: `legal_actions` of the view."""
    of_table = view.apart or view.phase != "play" or view.proposal or view.doubted or view.away
    shown = _table_buttons(view) if of_table else _game_buttons(view, found, style)
    taken: set[str] = set()
    keyed = []
    for button in shown:
        key = _free_key(button.label, taken)
        taken.add(key)
        keyed.append(replace(button, key=key))
    return tuple(keyed)


def _free_key(label: str, taken: Collection[str]) -> str:
    """The first letter of the label that isn't taken, or its only digit; "" where there is none."""
    *_, last = label.split()
    letters = (last if len(last) == 1 else "") if last.isdecimal() else label.upper()
    return next((letter for letter in letters if letter.isalnum() and letter not in taken), "")


def _game_buttons(view: TableView, found: Sequence[LegalAction], style: Style) -> list[Button]:
    """Buttons for actions of the game without cards of the hand, and for verbs such as knock."""
    by_verb: dict[str, list[str]] = {}
    takes_on = venture_verbs(view)
    for action in found:
        verb = verb_of_action(action.words)
        if not action.cards or verb in takes_on:
            by_verb.setdefault(verb, []).append(action.words)
    with_cards = {verb_of_action(action.words) for action in found if action.cards}
    return [
        button
        for verb, lines in by_verb.items()
        for button in (_verb_buttons(verb, lines) if verb in with_cards else _choice_buttons(view, verb, lines, style))
    ]


def _verb_buttons(verb: str, lines: Sequence[str]) -> list[Button]:
    """A button for a verb that goes with or without a card of the hand."""
    return [Button(verb, "", lines[0]) if len(lines) == 1 else Button(verb, "", several=tuple(lines))]


def _choice_buttons(view: TableView, verb: str, lines: Sequence[str], style: Style) -> list[Button]:
    """A button for each action of one verb: numbers without the verb but the first, and longer variants by their added
    word."""
    numbers = [line.split()[-1] for line in lines]
    if 2 < len(lines) <= MOST_NUMBERS and all(number.isdecimal() for number in numbers):
        labels = [offered_text(view, lines[0], style), *numbers[1:]]
        return [Button(label, "", line) for label, line in zip(labels, lines, strict=True)]
    farther = {line: line.rsplit(" ", 1)[-1] for line in lines if line.rpartition(" ")[0] in lines}
    plain = [line for line in lines if line not in farther]
    if len(plain) > MOST_LINES:
        return [Button(f"{verb}...", "", several=tuple(lines))]
    shown = [Button(offered_text(view, line, style), "", line) for line in plain]
    for word in dict.fromkeys(farther.values()):
        alike = tuple([line for line in lines if farther.get(line) == word])
        shown.append(Button(word, "", alike[0]) if len(alike) == 1 else Button(f"{word}...", "", several=alike))
    return shown


def _table_buttons(view: TableView) -> list[Button]:
    """Buttons for the commands of the table that are most used at this moment."""
    if view.apart:
        return [Button("Q stops", "", "detach")]
    if view.proposal:
        return [Button("yes", "", "yes"), Button("no", "", "no")]
    if view.doubted:
        return [Button("accept", "", "accept"), Button("leave", "", "leave")]
    if view.pause is not None:
        return [Button("next hand", "", "next")]
    if view.away:
        return [Button("take your seat back", "", "back")]
    if view.phase == "over" and i_watch(view):
        words = ["sit"]
    elif view.phase == "over":
        answer = would_play_again(view)
        words = [] if answer else ["again"]
        words += ["no"] if view.role != "coordinator" and answer is None else []
    elif view.phase == "lobby" and view.role == "coordinator":
        words = ["start"] if view.game else []
    else:
        words = []
    label = {"start": "deal" if enter_starts(view) else "start", "again": "play again", "sit": "ask for a seat"}
    found = [Button(label.get(word, word), "", word) for word in words]
    if view.role == "coordinator" and view.phase in ("lobby", "over"):
        games = tuple([f"game {key}" for key in GAME_NAMES])
        options = [Button("options...", "", "options")] if view.game else []
        return [*found, Button("game...", "", several=games), *options, Button("invite...", "", begins="invite ")]
    return found


def _hand_cards_named(words: str, held: Counter[int]) -> tuple[int, ...]:
    """The cards of the hand that a spelled action names; other cards in it are left out."""
    left, found = Counter(held), list[int]()
    for word in words.split():
        card = int(parse_card(word)) if is_card_word(word) else 0
        if card and left[card]:
            left[card] -= 1
            found.append(card)
    return tuple(found)
