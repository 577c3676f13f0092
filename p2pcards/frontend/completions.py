"""What Tab makes of a line of the line mode: the words that work now, and what may follow them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from p2pcards.cards.card import Card
from p2pcards.frontend.choosing import spelled, without_verb
from p2pcards.frontend.guide_pages import following_words
from p2pcards.frontend.manner import BESIDE, names_here
from p2pcards.frontend.option_pages import GROUPS
from p2pcards.frontend.record_pages import AFRESH, ALL, CHANGES
from p2pcards.frontend.words import ACTIONS, WORDS, NotUnderstood, actions_of, key_words, meant_word, value_words
from p2pcards.games.game import AnyGame
from p2pcards.games.registry import GAMES, UnknownGame, find_game
from p2pcards.games.spelling import SUIT_WORDS, is_card_word
from p2pcards.games.telling import told_of
from p2pcards.players.characters import CHARACTERS
from p2pcards.players.levels import LEVELS
from p2pcards.present.cards import ORDERS, with_tens
from p2pcards.present.table import my_seat
from p2pcards.store.settings import SETTING_CHOICES
from p2pcards.views.advice import RECALLED
from p2pcards.views.tableview import PersonView, TableView
from p2pcards.wire.clean import clean
from p2pcards.wire.reasons import PHRASES
from p2pcards.wire.records import ALL_ASSISTS, assist_names

Follows = Callable[[Sequence[str], TableView], Iterable[str]]
"""(the words between the first and here, the view) -> the words that may stand here."""

SUITS_IN_FULL = {word[0]: word for word in SUIT_WORDS if len(word) > 1 and word.endswith("s")}


def completions(text: str, view: TableView) -> tuple[str, ...]:
    """What a line that begins so may become, one word longer: each begins with the text, capitals aside, and ends in
    what comes next, a space or ``=``. None where nothing fits, or anything may stand there."""
    head = text[: max(text.rfind(" "), text.rfind("=")) + 1]
    typed, before = text[len(head) :], re.split(r"[\s=]+", head.strip(" ="))
    if text.lstrip()[:1] == "'":
        return ()
    words = _following(before, view) if head.strip() else _first_words(view)
    begun = [fitting for word in words if (fitting := _begun(typed, word))]
    return tuple(dict.fromkeys([head + word + " " * (not word.endswith("=")) for word in begun]))


def fitting(text: str, view: TableView) -> list[tuple[str, str]]:
    """(line, what it does) of what a line that begins so may become; a first word with how it is used. Cards are left
    out until they are begun."""
    first = " " not in text
    lines = [line for line in completions(text, view) if text or not is_card_word(line.strip())]
    return [(line, _meaning(line.strip(), view) if first else "") for line in lines]


def _meaning(word: str, view: TableView) -> str:
    told = told_of(view.game).words.get(word, "") if view.game and view.game in GAMES else ""
    if told or word not in WORDS:
        return told
    usage = WORDS[word].usage
    return WORDS[word].meaning if usage == word else f"{WORDS[word].meaning}; type {usage}"


def common_start(texts: Sequence[str]) -> str:
    """What all begin with, capitals aside, as the first of them has it."""
    if not texts:
        return ""
    same = [len({char.lower() for char in chars}) == 1 for chars in zip(*texts, strict=False)]
    return texts[0][: (*same, False).index(False)]


# --- the first word ---------------------------------------------------------------------------------------------------


def _first_words(view: TableView) -> Iterator[str]:
    yield from (name for name, word in WORDS.items() if word.works(view))
    if view.phase == "over":
        yield from ("yes", "no")
    for action in map(str.split, view.legal):
        yield action[0]
        yield from filter(is_card_word, action)


def _begun(typed: str, word: str) -> str:
    """The word as it may be written from here on, "" if it does not begin so: a ten as 10S or TS, a card in small
    letters where they are typed."""
    for form in (with_tens(word), word):
        if form[: len(typed)].lower() == typed.lower():
            return form.lower() if is_card_word(word) and typed.islower() else form
    return ""


# --- what follows -----------------------------------------------------------------------------------------------------


def _following(before: Sequence[str], view: TableView) -> Iterable[str]:
    """The words that may stand after these, of which there is one at least."""
    first = before[0].rstrip(",;.!")
    if is_card_word(first):
        return _rest_of_actions(before, view)
    try:
        name = meant_word(first.lower(), view, alone=False)
    except NotUnderstood:
        return ()
    if name is None or name in ACTIONS or name not in WORDS:
        return _rest_of_actions((name or first, *before[1:]), view)
    return FOLLOWING[name](before[1:], view) if name in FOLLOWING and WORDS[name].works(view) else ()


def _rest_of_actions(said: Sequence[str], view: TableView) -> Iterator[str]:
    """What is left of each legal action that has these words, but for its verb."""
    legal = [words.split() for words in view.legal]
    suits_alone = said[-1].lower() == "suit"
    if said[0] == "play":  # a verb of its own only where more than one card is played
        legal = [action for action in legal if action[0] == "play" or is_card_word(action[0])]
        said = said if any(action[0] == "play" for action in legal) else said[1:]
    has = spelled(said)
    for action in legal:
        left = spelled(action) - has
        words = [word for word in without_verb(action) if spelled([word]) <= left]
        if has <= spelled(action):
            yield from (SUITS_IN_FULL.get(word, word) for word in words if word in SUITS_IN_FULL or not suits_alone)


def _one_of(*words: str) -> Follows:
    """One of these, and nothing after it."""
    return lambda before, _view: () if before else words


def _assists(_before: Sequence[str], _view: TableView) -> Iterable[str]:
    return (*assist_names(ALL_ASSISTS), "all", "none")


def _games(before: Sequence[str], _view: TableView) -> Iterable[str]:
    if before:
        return ()
    return [*GAMES, *[name for game in GAMES.values() for name in game.also if " " not in name]]


def _of_games(*then: str) -> Follows:
    """A game or all, or one of these, which may follow it, too."""
    return lambda before, view: [*([] if before else [*_games(before, view), ALL]), *([] if before[1:] else then)]


def _pages(before: Sequence[str], _view: TableView) -> Iterable[str]:
    return following_words(before)


def _games_and_presets(before: Sequence[str], view: TableView) -> Iterable[str]:
    if len(before) != 1:
        return _games(before, view)
    try:
        return find_game(before[0]).presets
    except UnknownGame:
        return ()


def _options(before: Sequence[str], view: TableView) -> Iterable[str]:
    game: AnyGame | None = GAMES.get(view.game or "")
    if game is None or len(before) > 1:
        return ()
    return value_words(game, before[0]) if before else [f"{key}=" for key in key_words(game)]


def _settings(before: Sequence[str], _view: TableView) -> Iterable[str]:
    if not before:
        return [name for names in GROUPS.values() for name in names]
    return SETTING_CHOICES.get(before[0], ()) if len(before) == 1 else ()


def _heard(before: Sequence[str], view: TableView) -> Iterable[str]:
    return _rest_of_names(before, [clean(name, 24) for name in names_here(view)])


def _explained(before: Sequence[str], view: TableView) -> Iterable[str]:
    return () if before else [*WORDS, *sorted(actions_of(view))]


def _characters(before: Sequence[str], _view: TableView) -> Iterable[str]:
    return ([str(seat) for seat in range(1, 5)], [*CHARACTERS, "any"], ())[min(len(before), 2)]


def _my_cards(before: Sequence[str], view: TableView) -> Iterable[str]:
    mine = my_seat(view)
    return [str(Card(card)) for card in mine.known] if mine and len(before) < 2 else ()


def _partner(before: Sequence[str], _view: TableView) -> Iterable[str]:
    return ("partner",) if len(before) == 1 else ()


# --- names ------------------------------------------------------------------------------------------------------------


def _anybody(view: TableView) -> list[str]:
    return [_name(person) for person in view.people]


def _linked(before: Sequence[str], view: TableView) -> Iterable[str]:
    return _rest_of_names(before, [_name(person) for person in view.people if person.link == "here"])


def _partners(before: Sequence[str], view: TableView) -> Iterable[str]:
    return [*_linked(before, view), *([] if before else ["none"])]


def _away(before: Sequence[str], view: TableView) -> Iterable[str]:
    return _rest_of_names(before, [_name(person) for person in view.people if person.link == "away"])


def _sitting(before: Sequence[str], view: TableView) -> Iterable[str]:
    """The rest of a name that was begun, else those not named yet."""
    named = f" {' '.join(before)} ".lower()
    names = [name for name in _anybody(view) if f" {name} ".lower() not in named]
    begun = [found for start in range(len(before)) if (found := _rest_of_names(before[start:], names))]
    return begun[0] if begun else [*names, *([] if before else ["all"])]


def _others(before: Sequence[str], view: TableView) -> Iterable[str]:
    """The others in one word each: by the number of their seat where the name is of several."""
    others = [person for person in view.people if person.link != "you"]
    words = [_seat(person) if " " in _name(person) else _name(person) for person in others]
    return () if before else filter(None, words)


def _away_seats(before: Sequence[str], view: TableView) -> Iterable[str]:
    return () if before else filter(None, [_seat(person) for person in view.people if person.link == "away"])


def _rest_of_names(begun: Sequence[str], names: Iterable[str]) -> list[str]:
    """What is left of each name that begins with these words."""
    said = [word.lower() for word in begun]
    parts = [name.split() for name in names]
    fitting = [name for name in parts if [word.lower() for word in name[: len(said)]] == said]
    return [" ".join(name[len(said) :]) for name in fitting if len(name) > len(said)]


def _name(person: PersonView) -> str:
    return clean(person.name, 24)


def _seat(person: PersonView) -> str:
    return "" if person.seat is None else str(person.seat + 1)


def _other_players(before: Sequence[str], view: TableView) -> Iterable[str]:
    return () if before else [seat.name for seat in view.seats if seat.seat != view.me]


FOLLOWING: dict[str, Follows] = {
    "quick": _one_of(*[phrase.word for phrase in PHRASES]),
    "guide": _pages,
    "rules": _games,
    "records": _of_games("percent", *AFRESH),
    "history": _of_games(*LEVELS),
    "league": _of_games(),
    "hall": _of_games(),
    "options": _games,
    "about": _games,
    "help": _explained,
    "words": _linked,
    "invite": _partner,
    "game": _games_and_presets,
    "set": _options,
    "score": _one_of("all"),
    "scoreboard": _one_of(*CHANGES),
    "sort": _one_of(*ORDERS),
    "move": _my_cards,
    "sit": _sitting,
    "partner": _partners,
    "computer": _characters,
    "hint": _one_of("do", "off"),
    "song": _one_of("skip"),
    "config": _settings,
    "mute": _heard,
    "beside": _one_of(*BESIDE),
    "stagger": _one_of("on", "off"),
    "tint": _one_of("on", "off"),
    "auto": _one_of(*LEVELS, "off"),
    "recall": _one_of(*RECALLED),
    "again": _one_of("yes", "no"),
    "allow": _assists,
    "swap": _other_players,
    "open": _one_of("on", "off"),
    "reseat": _away_seats,
    "redial": _away,
    "kick": _others,
}
"""By a word of the line mode what may stand after it and these words."""
