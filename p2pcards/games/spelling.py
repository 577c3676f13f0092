"""Actions as people write and read them, for any game: QS, 8D h, pass QS KS AS, draw.

The class of an action is its verb, in lower case, and its fields are the words after it; only the play of one card
leaves the verb out. What is legal is never worked out here: `Game.legal` and `Game.verify` say it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import fields
from functools import cache, lru_cache
from typing import Any, get_args, get_type_hints

from p2pcards.cards.card import BACK, SUIT_LETTERS, SUITS, Card, Suit, parse_card
from p2pcards.games.game import Action, AnyGame, IllegalAction, Seat, State
from p2pcards.games.naming import verify_sent
from p2pcards.games.wording import join_with_or

SIGNS = str.maketrans("♣♦♥♠♧♢♡♤", "cdhscdhs")
SUIT_WORDS = {
    word: letter.lower()
    for suit, letter in zip(SUITS, SUIT_LETTERS, strict=True)
    for word in (letter.lower(), suit.name.lower(), suit.name.lower()[:-1])
}
RANK_WORDS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"]
IN_FULL = re.compile(rf"\b({'|'.join(RANK_WORDS)}|10|[2-9tjqka])\s+of\s+(club|diamond|heart|spade)s?\b")
SPELLED = re.compile(r"\b[2-9TJQKA][CDHS]\b'*")  # a card as `str` writes it
MARK = "'"  # of a card that is numbered among its open copies
FILLERS = ("suit", "and", "the", "on", "off", "naming", "it", "up", "go", "going")
ODD_VERBS = {"have": "has", "are": "is"}
MELDS = tuple[tuple[Card, ...], ...]  # a field of several melds, each spelled as one word: 5H-6H-7H


@lru_cache(4096)
def spell_action(action: Action) -> str:
    """The words of an action, such as ``QS``, ``8D h``, ``pass QS KS AS`` or ``draw``; a hidden card is ``--``."""
    kind: type = type(action)
    return " ".join([*_spoken_verb(kind), *_spelled_fields(action)])


def verbs_of(game: AnyGame) -> frozenset[str]:
    """The verbs with which the actions of a game are spelled, except for the play of one card."""
    return frozenset([*[_verb_of_class(kind) for kind in game.actions], *game.verbs])


def spelled_verb(game: AnyGame, word: str) -> str:
    """The canonical verb for a word that players may also begin an action with."""
    return _verb_of_class(game.verbs[word]) if word in game.verbs else word


def third_person(verb: str) -> str:
    """The third person of a verb: plays, passes, draws."""
    if verb in ODD_VERBS:
        return ODD_VERBS[verb]
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou") else verb + "s"


def read_action(game: AnyGame, state: State, seat: Seat, words: Sequence[str]) -> Action:
    """The action that a person means by these words, verified.

    Case and the order of the words are free; cards are also ``10h``, ``q♠`` or ``queen of spades``, suits ``h`` or
    ``hearts``, with or without the word suit; a verb may be left out where the rest says enough. What a player says
    with an action by `Game.says` is that action too. A card without a mark is also an open copy of it, such as QS',
    where nothing else is legal. Raises IllegalAction: with the rule's own reason, or with what is to be added.
    """
    typed = " ".join(words).lower()
    legal = game.legal(state, seat)
    said = [action for action in legal if typed and game.says(state, seat, action).lower() == typed]
    plain = _without_filler(typed)
    said += [
        one for one in legal if plain and (call := game.calls(state, seat, one)) and _without_filler(call) == plain
    ]
    if said:
        return said[0]
    verb, parts = _split_verb(game, state, seat, words)
    now = [action for action in legal if verb in (None, _verb_of_class(type(action)))]
    if verb is None and not all(isinstance(action, game.ventures) for action in now):
        now = [action for action in now if not isinstance(action, game.ventures)]
    by_name, by_face = [[action for action in now if _action_says(action, parts, loosely)] for loosely in (False, True)]
    exact, so_by_face = [
        [action for action in fitting if len(_spelled_fields(action)) == len(parts)] for fitting in (by_name, by_face)
    ]
    tries = [exact, so_by_face, *([by_name, by_face] if parts else [])]
    action = next((found for fitting in tries if (found := _only_match(fitting, parts)) is not None), None)
    if action is None and by_face:
        raise IllegalAction(f"say which one: {join_with_or([spell_action(action) for action in by_face[:4]])}")
    if action is None:
        action = _build_illegal(game, state, seat, verb, parts)
    verify_sent(game, state, seat, action)
    return action


def offered_words(game: AnyGame, state: State, seat: Seat, action: Action) -> str:
    """The words with which an action is offered to the player."""
    return game.calls(state, seat, action) or spell_action(action)


def shorten_for_prompt(legal: Sequence[str]) -> list[str]:
    """Spelled actions in fewer words, for a prompt: cards one by one, an eight once (``8D SUIT``), a verb with many
    possible cards once, with an example, one with many numbers as ``bid 0 to 13``."""
    variants: dict[str, list[list[str]]] = {}
    for words in legal:
        verb, *parts = words.split() if not is_card_word(words.split()[0]) else ("", *words.split())
        variants.setdefault(verb, []).append(parts)
    short: list[str] = []
    for verb, lists in variants.items():
        if not verb:
            short += dict.fromkeys([parts[0] + " SUIT" * (len(parts) > 1) for parts in lists])
        elif len(lists) > 4 and all(len(parts) == 1 and parts[0].isdecimal() for parts in lists):
            short += [f"{verb} {numbers}" for numbers in _number_ranges([int(parts[0]) for parts in lists])]
        elif len(lists) > 4 and all(parts and all(map(is_card_word, parts)) for parts in lists):
            sizes = {len(parts) for parts in lists}
            many = "cards" if len(sizes) > 1 else "a card" if sizes == {1} else f"{len(lists[0])} cards"
            short.append(f"{verb} {many}, e.g. {' '.join([verb, *lists[-1]])}")
        else:
            short += [" ".join([verb, *parts]) for parts in lists]
    return short


def one_example_per_verb(legal: Sequence[str]) -> list[str]:
    """Spelled actions in the fewest words: each verb once, with an example."""
    kinds: dict[str, str] = {}
    for words in legal:
        verb = "" if is_card_word(words.split()[0]) else words.split()[0]
        kinds.setdefault(verb, words)
    return [words if verb else f"a card, e.g. {words}" for verb, words in kinds.items()]


def may_play_card(game: AnyGame, state: State, seat: Seat) -> bool:
    """Return whether this seat may play a card to the table now, as far as its hand is known."""
    kind = next((kind for kind in game.actions if _verb_of_class(kind) == "play"), None)
    cards = set(game.pack(state.options)) if kind else ()
    return kind is not None and any(
        _is_legal_action(game, state, seat, _build_action(kind, [str(card)])) for card in cards
    )


def cards_in_text(text: str) -> list[Card]:
    """The cards named in a sentence of the game, in order."""
    return [parse_card(word) for word in SPELLED.findall(text)]


def is_card_word(word: str) -> bool:
    """Return whether a word names a card, or a hidden one."""
    return word == str(BACK) or _read_card_word(word.translate(SIGNS)) is not None


# --- private ----------------------------------------------------------------------------------------------------------


def _verb_of_class(kind: type) -> str:
    """The verb of an action class: its name in lower case."""
    return kind.__name__.lower()


@cache
def _spoken_verb(kind: type) -> tuple[str, ...]:
    """The verb as a tuple of one word; () where `spell_action` leaves it out."""
    verb, kinds = _verb_of_class(kind), [hint for hint, _ in _field_types(kind).values()]
    return () if verb == "play" and kinds.count(Card) == 1 else (verb,)


@cache
def _field_types(kind: type) -> dict[str, tuple[Any, bool]]:
    """For each field its type (of ``Suit | None`` Suit, of ``tuple[Card, ...]`` tuple, or `MELDS`) and whether it may
    be None."""
    hints = get_type_hints(kind)
    found = {}
    for field in fields(kind):
        hint = hints[field.name]
        optional = type(None) in get_args(hint)
        if optional:
            hint = next(part for part in get_args(hint) if part is not type(None))
        found[field.name] = (hint if hint == MELDS else getattr(hint, "__origin__", hint), optional)
    return found


def _spelled_fields(action: Action) -> list[str]:
    """The words of an action after its verb."""
    kind: type = type(action)
    words: list[str] = []
    for name in _field_types(kind):
        value = getattr(action, name)
        if value is None or value is False:
            continue
        if value is True:
            words.append(name)
        elif isinstance(value, Suit):
            words.append(SUIT_LETTERS[value].lower())
        else:
            words += [_spelled_value(part) for part in (value if isinstance(value, tuple) else (value,))]
    return words


def _spelled_value(part: Any) -> str:
    """A value of an action's field as a word."""
    return "-".join(map(str, part)) if isinstance(part, tuple) else str(part)


def _split_verb(game: AnyGame, state: State, seat: Seat, words: Sequence[str]) -> tuple[str | None, list[str]]:
    """The verb of what was typed, None without one, and the other words as `spell_action` writes them."""
    kinds: tuple[type, ...] = game.actions
    verbs = {_verb_of_class(kind): _verb_of_class(kind) for kind in kinds} | {
        said: _verb_of_class(kind) for said, kind in game.verbs.items()
    }
    flags = {name for kind in kinds for name, (hint, _) in _field_types(kind).items() if hint is bool}
    text = IN_FULL.sub(_short_card_name, " ".join(words).translate(SIGNS).lower())
    verb, parts = None, []
    for word in re.split(r"[\s,;]+", text.strip(" .,;!")):
        if word in verbs and verb is None:
            verb = verbs[word]
        elif token := _read_cards_word(word) or SUIT_WORDS.get(word) or (word if word in flags else _read_number(word)):
            parts.append(token)
        elif word not in FILLERS:
            raise _not_understood_error(game, state, seat, words)
    if verb is None and not parts:
        raise _not_understood_error(game, state, seat, words)
    return verb, parts


def _short_card_name(match: re.Match[str]) -> str:
    """``QS`` for a match of ``queen of spades``."""
    rank = match[1]
    if rank in RANK_WORDS:
        rank = "23456789tjqka"[RANK_WORDS.index(rank)]
    return rank + match[2][0]


def _read_card_word(word: str) -> str | None:
    """The spelling of the card that a word names; None for any other word."""
    try:
        return str(parse_card(word))
    except ValueError:
        return None


def _read_cards_word(word: str) -> str | None:
    """A card, or the cards of a meld joined again in ascending order; None for any other word."""
    names = [_read_card_word(name) for name in word.split("-")]
    known = [parse_card(name) for name in names if name is not None]
    return "-".join(map(str, sorted(known))) if len(known) == len(names) else None


def _number_ranges(numbers: list[int]) -> list[str]:
    """Ascending numbers in few words: ``0``, ``2 to 13``; those with many gaps as ``a number from 250 to 1000``."""
    runs: list[list[int]] = []
    for value in numbers:
        if runs and value == runs[-1][-1] + 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    if len(runs) > 3:
        return [f"a number from {numbers[0]} to {numbers[-1]}"]
    return [f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]


def _read_number(word: str) -> str | None:
    """The canonical spelling of a whole number; None for any other word."""
    word = "0" if word == "nil" else word
    return str(int(word)) if word.isascii() and word.isdecimal() and len(word) <= 6 else None


def _is_legal_action(game: AnyGame, state: State, seat: Seat, action: Action) -> bool:
    try:
        verify_sent(game, state, seat, action)
    except IllegalAction:
        return False
    return True


def _action_says(action: Action, parts: list[str], loosely: bool) -> bool:
    """Return whether an action has all these words; loosely: a card without a mark may also be an open copy."""
    words = Counter(_spelled_fields(action))
    if not loosely:
        return Counter(parts) <= words
    marked = Counter([word for word in parts if word.endswith(MARK)])
    left = Counter([word.rstrip(MARK) for word in (words - marked).elements()])
    return marked <= words and Counter(parts) - marked <= left


def _only_match(actions: list[Action], parts: list[str]) -> Action | None:
    """The one action meant: written exactly so, or the only one there is; None if ambiguous."""
    said = " ".join(parts)
    so = [
        action for action in actions if spell_action(action) == said or " ".join(_spelled_fields(action)) == said
    ] or actions
    shortest = [action for action in so if spell_action(action) == said] or so
    return shortest[0] if len({spell_action(action) for action in shortest}) == 1 else None


def _build_illegal(game: AnyGame, state: State, seat: Seat, verb: str | None, parts: list[str]) -> Action:
    """The action of these words although it is not legal, so that its rule can say why."""
    kinds = sorted(game.actions, key=lambda kind: _verb_of_class(kind) != "play")
    for kind in kinds:
        if verb in (None, _verb_of_class(kind)) and (action := _build_action(kind, parts)) is not None:
            return action
    raise _not_understood_error(game, state, seat, [*([verb] if verb else []), *parts])


def _build_action(kind: type, parts: list[str]) -> Action | None:
    """An action of this class with exactly these words as its fields; None if it has no such."""
    cards = sorted([parse_card(word) for word in parts if is_card_word(word)])
    suits = [SUITS[SUIT_LETTERS.index(word.upper())] for word in parts if word in SUIT_WORDS]
    numbers = [int(word) for word in parts if word.isdecimal()]
    sources: dict[type, list[Any]] = {Card: cards, Suit: suits, int: numbers}
    values: dict[str, Any] = {}
    for name, (hint, optional) in _field_types(kind).items():
        if hint == MELDS:
            melds = [tuple([parse_card(name) for name in word.split("-")]) for word in parts if "-" in word]
            values[name] = None if optional and not melds else tuple(sorted(melds))
        elif hint is tuple:
            values[name] = tuple(cards)
            cards.clear()
        elif hint is bool:
            values[name] = name in parts
        else:
            source = sources[hint]
            if not source and not optional:
                return None
            values[name] = source.pop(0) if source else None
    action = kind(**values)
    return action if len(_spelled_fields(action)) == len(parts) else None


def _without_filler(text: str) -> list[str]:
    """The words of what was said, without those that may be left out."""
    return [word for word in re.split(r"[\s,;]+", text.lower()) if word and word not in FILLERS]


def _not_understood_error(game: AnyGame, state: State, seat: Seat, words: Sequence[str]) -> IllegalAction:
    """The error for words that name no action, with what could be typed instead."""
    short = shorten_for_prompt([offered_words(game, state, seat, action) for action in game.legal(state, seat)])
    now = f"you can type: {', '.join(short)}" if short else "it's not your turn"
    return IllegalAction(f"{' '.join(words)[:40]!r} isn't a move here; {now}")
