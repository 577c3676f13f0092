"""What Tab makes of a line of the line mode: the words that work now, and what may follow them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from p2pcards.cards.card import Card
from p2pcards.frontend.choosing import normalized_words, without_verb
from p2pcards.frontend.guide_pages import next_page_words
from p2pcards.frontend.manner import BESIDE, other_names_at_table
from p2pcards.frontend.option_pages import GROUPS
from p2pcards.frontend.record_pages import AFRESH, ALL, CHANGES
from p2pcards.frontend.words import ACTIONS, WORDS, NotUnderstood, action_verbs, meant_word, option_keys, option_values
from p2pcards.games.game import AnyGame
from p2pcards.games.registry import GAMES, UnknownGame, find_game
from p2pcards.games.spelling import SUIT_WORDS, is_card_word
from p2pcards.games.telling import load_told
from p2pcards.players.characters import CHARACTERS
from p2pcards.players.levels import LEVELS
from p2pcards.present.cards import ORDERS, tens_as_numbers
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
    """What Tab can make of this line, one word longer each: every result begins with the text (ignoring case) and ends
    in a space or ``=`` if more follows. Empty where nothing fits or anything may follow."""
    head = text[: max(text.rfind(" "), text.rfind("=")) + 1]
    typed, before = text[len(head) :], re.split(r"[\s=]+", head.strip(" ="))
    if text.lstrip()[:1] == "'":
        return ()
    words = _words_after(before, view) if head.strip() else _command_words(view)
    begun = [fitting for word in words if (fitting := _completed_word(typed, word))]
    return tuple(dict.fromkeys([head + word + " " * (not word.endswith("=")) for word in begun]))


def described_completions(text: str, view: TableView) -> list[tuple[str, str]]:
    """(line, description) of each completion of this line; a first word comes with its usage. Cards are offered only
    once a card is begun."""
    first = " " not in text
    lines = [line for line in completions(text, view) if text or not is_card_word(line.strip())]
    return [(line, _describe_word(line.strip(), view) if first else "") for line in lines]


def _describe_word(word: str, view: TableView) -> str:
    told = load_told(view.game).words.get(word, "") if view.game and view.game in GAMES else ""
    if told or word not in WORDS:
        return told
    usage = WORDS[word].usage
    return WORDS[word].meaning if usage == word else f"{WORDS[word].meaning}; type {usage}"


def common_start(texts: Sequence[str]) -> str:
    """The longest start that all texts share, ignoring case, in the spelling of the first."""
    if not texts:
        return ""
    same = [len({char.lower() for char in chars}) == 1 for chars in zip(*texts, strict=False)]
    return texts[0][: (*same, False).index(False)]


# --- the first word ---------------------------------------------------------------------------------------------------


def _command_words(view: TableView) -> Iterator[str]:
    yield from (name for name, word in WORDS.items() if word.works(view))
    if view.phase == "over":
        yield from ("yes", "no")
    for action in map(str.split, view.legal):
        yield action[0]
        yield from filter(is_card_word, action)


def _completed_word(typed: str, word: str) -> str:
    """The word, spelled on from what is typed: a ten as 10S or TS, a card in lower case where typed so; "" if it
    doesn't begin so."""
    for form in (tens_as_numbers(word), word):
        if form[: len(typed)].lower() == typed.lower():
            return form.lower() if is_card_word(word) and typed.islower() else form
    return ""


# --- what follows -----------------------------------------------------------------------------------------------------


def _words_after(before: Sequence[str], view: TableView) -> Iterable[str]:
    """The words that may follow these, of which there is at least one."""
    first = before[0].rstrip(",;.!")
    if is_card_word(first):
        return _remaining_action_words(before, view)
    try:
        name = meant_word(first.lower(), view, alone=False)
    except NotUnderstood:
        return ()
    if name is None or name in ACTIONS or name not in WORDS:
        return _remaining_action_words((name or first, *before[1:]), view)
    return FOLLOWING[name](before[1:], view) if name in FOLLOWING and WORDS[name].works(view) else ()


def _remaining_action_words(said: Sequence[str], view: TableView) -> Iterator[str]:
    """For each legal action that contains these words, those of its words that are left, but for the verb."""
    legal = [words.split() for words in view.legal]
    suits_alone = said[-1].lower() == "suit"
    if said[0] == "play":  # a verb of its own only where more than one card is played
        legal = [action for action in legal if action[0] == "play" or is_card_word(action[0])]
        said = said if any(action[0] == "play" for action in legal) else said[1:]
    has = normalized_words(said)
    for action in legal:
        left = normalized_words(action) - has
        words = [word for word in without_verb(action) if normalized_words([word]) <= left]
        if has <= normalized_words(action):
            yield from (SUITS_IN_FULL.get(word, word) for word in words if word in SUITS_IN_FULL or not suits_alone)


def _complete_one_of(*words: str) -> Follows:
    """A completer that offers these words, and nothing after them."""
    return lambda before, _view: () if before else words


def _complete_assists(_before: Sequence[str], _view: TableView) -> Iterable[str]:
    return (*assist_names(ALL_ASSISTS), "all", "none")


def _complete_games(before: Sequence[str], _view: TableView) -> Iterable[str]:
    if before:
        return ()
    return [*GAMES, *[name for game in GAMES.values() for name in game.also if " " not in name]]


def _complete_game_then(*then: str) -> Follows:
    """A completer that offers games and "all", and `then` before or after one."""
    return lambda before, view: [
        *([] if before else [*_complete_games(before, view), ALL]),
        *([] if before[1:] else then),
    ]


def _complete_pages(before: Sequence[str], _view: TableView) -> Iterable[str]:
    return next_page_words(before)


def _complete_games_and_presets(before: Sequence[str], view: TableView) -> Iterable[str]:
    if len(before) != 1:
        return _complete_games(before, view)
    try:
        return find_game(before[0]).presets
    except UnknownGame:
        return ()


def _complete_options(before: Sequence[str], view: TableView) -> Iterable[str]:
    game: AnyGame | None = GAMES.get(view.game or "")
    if game is None or len(before) > 1:
        return ()
    return option_values(game, before[0]) if before else [f"{key}=" for key in option_keys(game)]


def _complete_settings(before: Sequence[str], _view: TableView) -> Iterable[str]:
    if not before:
        return [name for names in GROUPS.values() for name in names]
    return SETTING_CHOICES.get(before[0], ()) if len(before) == 1 else ()


def _complete_mutable_names(before: Sequence[str], view: TableView) -> Iterable[str]:
    return _remaining_name_words(before, [clean(name, 24) for name in other_names_at_table(view)])


def _complete_explainable(before: Sequence[str], view: TableView) -> Iterable[str]:
    return () if before else [*WORDS, *sorted(action_verbs(view))]


def _complete_characters(before: Sequence[str], _view: TableView) -> Iterable[str]:
    return ([str(seat) for seat in range(1, 5)], [*CHARACTERS, "any"], ())[min(len(before), 2)]


def _complete_my_cards(before: Sequence[str], view: TableView) -> Iterable[str]:
    mine = my_seat(view)
    return [str(Card(card)) for card in mine.known] if mine and len(before) < 2 else ()


def _complete_partner_word(before: Sequence[str], _view: TableView) -> Iterable[str]:
    return ("partner",) if len(before) == 1 else ()


# --- names ------------------------------------------------------------------------------------------------------------


def _other_names(view: TableView) -> list[str]:
    return [_completion_name(person) for person in view.people]


def _complete_linked_people(before: Sequence[str], view: TableView) -> Iterable[str]:
    return _remaining_name_words(before, [_completion_name(person) for person in view.people if person.link == "here"])


def _complete_partners(before: Sequence[str], view: TableView) -> Iterable[str]:
    return [*_complete_linked_people(before, view), *([] if before else ["none"])]


def _complete_away_people(before: Sequence[str], view: TableView) -> Iterable[str]:
    return _remaining_name_words(before, [_completion_name(person) for person in view.people if person.link == "away"])


def _complete_watchers(before: Sequence[str], view: TableView) -> Iterable[str]:
    watchers = [one for one in view.people if one.seat is None and one.link != "away"]
    return [*_remaining_name_words(before, map(_completion_name, watchers)), *([] if before else ["none"])]


def _complete_shown(before: Sequence[str], view: TableView) -> Iterable[str]:
    """Complete the name of a watcher to show my hand."""
    watchers = [_completion_name(one) for one in view.watchers if one.link == "here"]
    return [*_remaining_name_words(before, watchers), *([] if before else ["none"])]


def _complete_watching(before: Sequence[str], view: TableView) -> Iterable[str]:
    """Complete a policy, or the name of a watcher who asks."""
    if before[:1] in (["yes"], ["no"]):
        asking = [_completion_name(person) for person in view.watchers if person.link == "asks"]
        return _remaining_name_words(before[1:], asking)
    asked = ["yes", "no"] if any(person.link == "asks" for person in view.watchers) else []
    return () if before else [*asked, "off", "ask", "on", "delay"]


def _complete_seated_names(before: Sequence[str], view: TableView) -> Iterable[str]:
    """Complete a begun name of a person at the table, else offer those not named yet."""
    named = f" {' '.join(before)} ".lower()
    names = [name for name in _other_names(view) if f" {name} ".lower() not in named]
    begun = [found for start in range(len(before)) if (found := _remaining_name_words(before[start:], names))]
    return begun[0] if begun else [*names, *([] if before else ["all"])]


def _complete_others(before: Sequence[str], view: TableView) -> Iterable[str]:
    """Complete other people in one word each: by seat number where a name has several words."""
    others = [person for person in view.people if person.link != "you"]
    words = [
        _seat_number_text(person) if " " in _completion_name(person) else _completion_name(person) for person in others
    ]
    return () if before else filter(None, words)


def _complete_away_seats(before: Sequence[str], view: TableView) -> Iterable[str]:
    return (
        () if before else filter(None, [_seat_number_text(person) for person in view.people if person.link == "away"])
    )


def _remaining_name_words(begun: Sequence[str], names: Iterable[str]) -> list[str]:
    """For each name that begins with these words, the words of it that are left."""
    said = [word.lower() for word in begun]
    parts = [name.split() for name in names]
    fitting = [name for name in parts if [word.lower() for word in name[: len(said)]] == said]
    return [" ".join(name[len(said) :]) for name in fitting if len(name) > len(said)]


def _completion_name(person: PersonView) -> str:
    return clean(person.name, 24)


def _seat_number_text(person: PersonView) -> str:
    return "" if person.seat is None else str(person.seat + 1)


def _complete_other_players(before: Sequence[str], view: TableView) -> Iterable[str]:
    return () if before else [seat.name for seat in view.seats if seat.seat != view.me]


FOLLOWING: dict[str, Follows] = {
    "quick": _complete_one_of(*[phrase.word for phrase in PHRASES]),
    "guide": _complete_pages,
    "rules": _complete_games,
    "records": _complete_game_then("percent", *AFRESH),
    "history": _complete_game_then(*LEVELS),
    "league": _complete_game_then(),
    "hall": _complete_game_then(),
    "options": _complete_games,
    "about": _complete_games,
    "help": _complete_explainable,
    "words": _complete_linked_people,
    "invite": _complete_partner_word,
    "game": _complete_games_and_presets,
    "set": _complete_options,
    "score": _complete_one_of("all"),
    "scoreboard": _complete_one_of(*CHANGES),
    "sort": _complete_one_of(*ORDERS),
    "move": _complete_my_cards,
    "sit": _complete_seated_names,
    "partner": _complete_partners,
    "computer": _complete_characters,
    "hint": _complete_one_of("do", "off"),
    "song": _complete_one_of("skip"),
    "config": _complete_settings,
    "mute": _complete_mutable_names,
    "beside": _complete_one_of(*BESIDE),
    "stagger": _complete_one_of("on", "off"),
    "tint": _complete_one_of("on", "off"),
    "auto": _complete_one_of(*LEVELS, "off"),
    "recall": _complete_one_of(*RECALLED),
    "again": _complete_one_of("yes", "no"),
    "allow": _complete_assists,
    "swap": _complete_other_players,
    "open": _complete_one_of("on", "off"),
    "reseat": _complete_away_seats,
    "redial": _complete_away_people,
    "kick": _complete_others,
    "seat": _complete_watchers,
    "seats": _complete_one_of("open", "ask"),
    "watchers": _complete_watching,
    "give": _complete_watchers,
    "show": _complete_shown,
    "handover": _complete_linked_people,
}
"""By a word of the line mode what may stand after it and these words."""
