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
def spell(action: Action) -> str:
    """The words of an action, such as ``QS``, ``8D h``, ``pass QS KS AS`` or ``draw``; a hidden card is ``--``."""
    kind: type = type(action)
    return " ".join([*_said_verb(kind), *_parts(action)])


def verbs_of(game: AnyGame) -> frozenset[str]:
    """The words that the actions of a game may begin with, but for the play of one card."""
    return frozenset([*[_verb(kind) for kind in game.actions], *game.verbs])


def spelled_verb(game: AnyGame, word: str) -> str:
    """The verb with which an action is spelled that players may also begin with this word."""
    return _verb(game.verbs[word]) if word in game.verbs else word


def third_person(verb: str) -> str:
    """What somebody does by this verb: plays, passes, draws."""
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
    plain = _plainly(typed)
    said += [one for one in legal if plain and (call := game.calls(state, seat, one)) and _plainly(call) == plain]
    if said:
        return said[0]
    verb, parts = _understand(game, state, seat, words)
    now = [action for action in legal if verb in (None, _verb(type(action)))]
    if verb is None and not all(isinstance(action, game.ventures) for action in now):
        now = [action for action in now if not isinstance(action, game.ventures)]
    by_name, by_face = [[action for action in now if _says(action, parts, loosely)] for loosely in (False, True)]
    exact, so_by_face = [
        [action for action in fitting if len(_parts(action)) == len(parts)] for fitting in (by_name, by_face)
    ]
    tries = [exact, so_by_face, *([by_name, by_face] if parts else [])]
    action = next((found for fitting in tries if (found := _choose(fitting, parts)) is not None), None)
    if action is None and by_face:
        raise IllegalAction(f"say which one: {_either([spell(action) for action in by_face])}")
    if action is None:
        action = _build(game, state, seat, verb, parts)
    verify_sent(game, state, seat, action)
    return action


def called(game: AnyGame, state: State, seat: Seat, action: Action) -> str:
    """The words with which an action is offered."""
    return game.calls(state, seat, action) or spell(action)


def in_short(legal: Sequence[str]) -> list[str]:
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
            short += [f"{verb} {numbers}" for numbers in _runs([int(parts[0]) for parts in lists])]
        elif len(lists) > 4 and all(parts and all(map(is_card_word, parts)) for parts in lists):
            sizes = {len(parts) for parts in lists}
            many = "cards" if len(sizes) > 1 else "a card" if sizes == {1} else f"{len(lists[0])} cards"
            short.append(f"{verb} {many}, e.g. {' '.join([verb, *lists[-1]])}")
        else:
            short += [" ".join([verb, *parts]) for parts in lists]
    return short


def in_kinds(legal: Sequence[str]) -> list[str]:
    """Spelled actions in still fewer words: each verb once, with an example."""
    kinds: dict[str, str] = {}
    for words in legal:
        verb = "" if is_card_word(words.split()[0]) else words.split()[0]
        kinds.setdefault(verb, words)
    return [words if verb else f"a card, e.g. {words}" for verb, words in kinds.items()]


def may_play(game: AnyGame, state: State, seat: Seat) -> bool:
    """Whether this seat may play a card now, for all that is known of its hand."""
    kind = next((kind for kind in game.actions if _verb(kind) == "play"), None)
    cards = set(game.pack(state.options)) if kind else ()
    return kind is not None and any(_is_legal(game, state, seat, _fill(kind, [str(card)])) for card in cards)


def cards_in(text: str) -> list[Card]:
    """The cards that a sentence of the game's names, in its order."""
    return [parse_card(word) for word in SPELLED.findall(text)]


def is_card_word(word: str) -> bool:
    """Whether a word is the name of a card, or of a hidden one."""
    return word == str(BACK) or _card(word.translate(SIGNS)) is not None


# --- private ----------------------------------------------------------------------------------------------------------


def _verb(kind: type) -> str:
    return kind.__name__.lower()


@cache
def _said_verb(kind: type) -> tuple[str, ...]:
    """The verb, if `spell` says one."""
    verb, kinds = _verb(kind), [hint for hint, _ in _fields(kind).values()]
    return () if verb == "play" and kinds.count(Card) == 1 else (verb,)


@cache
def _fields(kind: type) -> dict[str, tuple[Any, bool]]:
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


def _parts(action: Action) -> list[str]:
    """The words after the verb."""
    kind: type = type(action)
    words: list[str] = []
    for name in _fields(kind):
        value = getattr(action, name)
        if value is None or value is False:
            continue
        if value is True:
            words.append(name)
        elif isinstance(value, Suit):
            words.append(SUIT_LETTERS[value].lower())
        else:
            words += [_word(part) for part in (value if isinstance(value, tuple) else (value,))]
    return words


def _word(part: Any) -> str:
    return "-".join(map(str, part)) if isinstance(part, tuple) else str(part)


def _understand(game: AnyGame, state: State, seat: Seat, words: Sequence[str]) -> tuple[str | None, list[str]]:
    """The verb, if one is said, and the other words as `spell` writes them."""
    kinds: tuple[type, ...] = game.actions
    verbs = {_verb(kind): _verb(kind) for kind in kinds} | {said: _verb(kind) for said, kind in game.verbs.items()}
    flags = {name for kind in kinds for name, (hint, _) in _fields(kind).items() if hint is bool}
    text = IN_FULL.sub(_short_name, " ".join(words).translate(SIGNS).lower())
    verb, parts = None, []
    for word in re.split(r"[\s,;]+", text.strip(" .,;!")):
        if word in verbs and verb is None:
            verb = verbs[word]
        elif token := _cards(word) or SUIT_WORDS.get(word) or (word if word in flags else _number(word)):
            parts.append(token)
        elif word not in FILLERS:
            raise _not_understood(game, state, seat, words)
    if verb is None and not parts:
        raise _not_understood(game, state, seat, words)
    return verb, parts


def _short_name(match: re.Match[str]) -> str:
    rank = match[1]
    if rank in RANK_WORDS:
        rank = "23456789tjqka"[RANK_WORDS.index(rank)]
    return rank + match[2][0]


def _card(word: str) -> str | None:
    try:
        return str(parse_card(word))
    except ValueError:
        return None


def _cards(word: str) -> str | None:
    """A card, or the cards of a meld in ascending order, joined again."""
    names = [_card(name) for name in word.split("-")]
    known = [parse_card(name) for name in names if name is not None]
    return "-".join(map(str, sorted(known))) if len(known) == len(names) else None


def _runs(numbers: list[int]) -> list[str]:
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


def _number(word: str) -> str | None:
    word = "0" if word == "nil" else word
    return str(int(word)) if word.isascii() and word.isdecimal() and len(word) <= 6 else None


def _is_legal(game: AnyGame, state: State, seat: Seat, action: Action) -> bool:
    try:
        verify_sent(game, state, seat, action)
    except IllegalAction:
        return False
    return True


def _says(action: Action, parts: list[str], loosely: bool) -> bool:
    """Whether an action has all these words; loosely: a card without a mark may also be an open copy."""
    words = Counter(_parts(action))
    if not loosely:
        return Counter(parts) <= words
    marked = Counter([word for word in parts if word.endswith(MARK)])
    left = Counter([word.rstrip(MARK) for word in (words - marked).elements()])
    return marked <= words and Counter(parts) - marked <= left


def _choose(actions: list[Action], parts: list[str]) -> Action | None:
    """The one action meant: written exactly so, or the only one there is."""
    said = " ".join(parts)
    so = [action for action in actions if spell(action) == said or " ".join(_parts(action)) == said] or actions
    shortest = [action for action in so if spell(action) == said] or so
    return shortest[0] if len({spell(action) for action in shortest}) == 1 else None


def _build(game: AnyGame, state: State, seat: Seat, verb: str | None, parts: list[str]) -> Action:
    """The action of these words although it is not legal, so that its rule can say why."""
    kinds = sorted(game.actions, key=lambda kind: _verb(kind) != "play")
    for kind in kinds:
        if verb in (None, _verb(kind)) and (action := _fill(kind, parts)) is not None:
            return action
    raise _not_understood(game, state, seat, [*([verb] if verb else []), *parts])


def _fill(kind: type, parts: list[str]) -> Action | None:
    """An action of this kind that says exactly these words; None if it cannot."""
    cards = sorted([parse_card(word) for word in parts if is_card_word(word)])
    suits = [SUITS[SUIT_LETTERS.index(word.upper())] for word in parts if word in SUIT_WORDS]
    numbers = [int(word) for word in parts if word.isdecimal()]
    sources: dict[type, list[Any]] = {Card: cards, Suit: suits, int: numbers}
    values: dict[str, Any] = {}
    for name, (hint, optional) in _fields(kind).items():
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
    return action if len(_parts(action)) == len(parts) else None


def _plainly(text: str) -> list[str]:
    """The words of what is said, but for those that may be left out."""
    return [word for word in re.split(r"[\s,;]+", text.lower()) if word and word not in FILLERS]


def _not_understood(game: AnyGame, state: State, seat: Seat, words: Sequence[str]) -> IllegalAction:
    short = in_short([called(game, state, seat, action) for action in game.legal(state, seat)])
    now = f"you can type: {', '.join(short)}" if short else "it's not your turn"
    return IllegalAction(f"{' '.join(words)[:40]!r} isn't a move here; {now}")


def _either(words: list[str]) -> str:
    first = words[:4]
    return f"{', '.join(first[:-1])} or {first[-1]}" if len(first) > 1 else first[0]
