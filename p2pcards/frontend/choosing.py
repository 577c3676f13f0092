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
from p2pcards.present.table import enter_starts, is_over, my_seat, offered_text, trump_suit, would_play_again
from p2pcards.views.tableview import TableView

# --- an action typed in two lines -------------------------------------------------------------------------------------


def is_unfinished(words: Sequence[str], legal: Sequence[str]) -> bool:
    """Whether these words are part of a legal action, but not a whole one. legal: as in `TableView`."""
    return _is_part(words, legal) and not is_whole(words, legal)


def is_whole(words: Sequence[str], legal: Sequence[str]) -> bool:
    """Whether these words are a legal action, with its verb or without it."""
    said = spelled(words)
    return any(said in (spelled(action), spelled(without_verb(action))) for action in map(str.split, legal))


def completed(unfinished: tuple[str, ...], words: tuple[str, ...], legal: Sequence[str]) -> tuple[str, ...]:
    """What is typed now, after the unfinished words that were typed before if it goes on with them."""
    goes_on = bool(unfinished) and _is_part((*unfinished, *words), legal) and not is_whole(words, legal)
    return (*unfinished, *words) if goes_on else words


def without_verb(action: list[str]) -> list[str]:
    """The words of a legal action but for its verb; the play of a card has none."""
    return action if is_card_word(action[0]) else action[1:]


def spelled(words: Sequence[str]) -> Counter[str]:
    """The words as `games.spelling.spell` writes them, in any order: 8♦ is 8D, and hearts is h."""
    kept = [word for word in words if word.lower() not in FILLERS]
    return Counter([_card(word) if is_card_word(word) else SUIT_WORDS.get(word.lower(), word.lower()) for word in kept])


def _is_part(words: Sequence[str], legal: Sequence[str]) -> bool:
    said = spelled(words)
    return bool(said) and any(said <= spelled(action.split()) for action in legal)


def _card(word: str) -> str:
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
    """Something to do besides playing cards."""

    label: str  # as it is shown
    key: str  # the letter that presses it; "" for none
    line: str = ""  # the line to type for it in line mode
    several: tuple[str, ...] = ()  # lines to choose from first
    begins: str = ""  # the beginning of a line, to be completed by typing


def shown_hand(view: TableView, arrangement: Arrangement) -> list[Card]:
    """My cards from left to right: the hand, then those of it that lie melded before me."""
    mine = my_seat(view)
    known = mine.known if mine else ()
    hand = [card for group in hand_groups(arrangement, known, trump_suit(view)) for card in group]
    return [*hand, *melded(view)]


def melded(view: TableView) -> list[Card]:
    """My cards that lie open before me and can still be played; those are numbered among their copies."""
    if is_over(view):
        return []
    piles = [pile for pile in view.piles if pile.spread and pile.seat is not None and pile.seat == view.me]
    return [Card(card) for pile in piles for card in pile.cards if Card(card).copy]


def actions(view: TableView) -> tuple[LegalAction, ...]:
    """My legal actions."""
    mine = my_seat(view)
    held = Counter([*(mine.known if mine else ()), *map(int, melded(view))])
    return tuple([LegalAction(words, _of_hand(words, held)) for words in view.legal])


def verb_of(words: str) -> str:
    """The first word of a legal action, "play" for a card."""
    first = words.split(maxsplit=1)[0]
    return "play" if is_card_word(first) else first


def ventures(view: TableView) -> frozenset[str]:
    """The words with which a player of this game takes something on."""
    game = GAMES[view.game] if view.game in GAME_NAMES else None
    return frozenset([kind.__name__.lower() for kind in game.ventures]) if game else frozenset()


def usable(found: Sequence[LegalAction]) -> frozenset[int]:
    """The cards of the hand with which something can be done."""
    return frozenset([card for action in found for card in action.cards])


def with_cards_of(view: TableView, found: Sequence[LegalAction], cards: Collection[int]) -> list[LegalAction]:
    """What is meant by just these cards of the hand: what takes something on is a button."""
    wanted, takes_on = sorted(cards), ventures(view)
    fitting = [action for action in found if action.cards and sorted(action.cards) == wanted]
    return [action for action in fitting if verb_of(action.words) not in takes_on] or fitting


def asked_count(found: Sequence[LegalAction]) -> int:
    """How many cards of the hand the smallest action takes that takes any; 0 where none does."""
    return min([len(action.cards) for action in found if action.cards], default=0)


def refused_line(found: Sequence[LegalAction], cards: Sequence[int]) -> str:
    """What somebody would say who wants to play these cards, whatever the rules answer."""
    verbs = Counter([action.words.split()[0] for action in found if len(action.cards) > 1])
    verb = [verbs.most_common(1)[0][0]] if verbs and max(len(cards), asked_count(found)) > 1 else []
    return " ".join([*verb, *[str(Card(card)) for card in cards]])


def buttons(view: TableView, found: Sequence[LegalAction], style: Style) -> tuple[Button, ...]:
    """What there is to do besides cards of the hand, as it is shown from the left. found: `actions` of the view."""
    of_table = view.apart or view.phase != "play" or view.proposal or view.doubted or view.away
    shown = _of_table(view) if of_table else _of_game(view, found, style)
    taken: set[str] = set()
    keyed = []
    for button in shown:
        key = _key(button.label, taken)
        taken.add(key)
        keyed.append(replace(button, key=key))
    return tuple(keyed)


def _key(label: str, taken: Collection[str]) -> str:
    """The first letter that is free, of a number its only digit; "" where there is none."""
    *_, last = label.split()
    letters = (last if len(last) == 1 else "") if last.isdecimal() else label.upper()
    return next((letter for letter in letters if letter.isalnum() and letter not in taken), "")


def _of_game(view: TableView, found: Sequence[LegalAction], style: Style) -> list[Button]:
    """What goes without cards of the hand, and what is taken on with one."""
    by_verb: dict[str, list[str]] = {}
    takes_on = ventures(view)
    for action in found:
        verb = verb_of(action.words)
        if not action.cards or verb in takes_on:
            by_verb.setdefault(verb, []).append(action.words)
    with_cards = {verb_of(action.words) for action in found if action.cards}
    return [
        button
        for verb, lines in by_verb.items()
        for button in (_taken_on(verb, lines) if verb in with_cards else _of_verb(view, verb, lines, style))
    ]


def _taken_on(verb: str, lines: Sequence[str]) -> list[Button]:
    """A word with which a card of the hand goes, or without."""
    return [Button(verb, "", lines[0]) if len(lines) == 1 else Button(verb, "", several=tuple(lines))]


def _of_verb(view: TableView, verb: str, lines: Sequence[str], style: Style) -> list[Button]:
    """Numbers without the verb, but for the first; what goes farther than another by a word as that word."""
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


def _of_table(view: TableView) -> list[Button]:
    """What is said at the table now, of what people say most."""
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
    if view.phase == "over":
        answer = would_play_again(view)
        words = [] if answer else ["again"]
        words += ["no"] if view.role != "coordinator" and answer is None else []
    elif view.phase == "lobby" and view.role == "coordinator":
        words = ["start"] if view.game else []
    else:
        words = []
    label = {"start": "deal" if enter_starts(view) else "start", "again": "play again"}
    found = [Button(label.get(word, word), "", word) for word in words]
    if view.role == "coordinator" and view.phase in ("lobby", "over"):
        games = tuple([f"game {key}" for key in GAME_NAMES])
        options = [Button("options...", "", "options")] if view.game else []
        return [*found, Button("game...", "", several=games), *options, Button("invite...", "", begins="invite ")]
    return found


def _of_hand(words: str, held: Counter[int]) -> tuple[int, ...]:
    """The cards of the hand that an action names; it may name others, to which they go or which come."""
    left, found = Counter(held), list[int]()
    for word in words.split():
        card = int(parse_card(word)) if is_card_word(word) else 0
        if card and left[card]:
            left[card] -= 1
            found.append(card)
    return tuple(found)
