"""The words of the line mode: what they mean, when they work, and what a typed line asks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from p2pcards.cards.card import parse_card
from p2pcards.games.names import GAME_NAMES
from p2pcards.games.nearest import did_you_mean
from p2pcards.games.options import Option, Value, declared
from p2pcards.games.registry import GAMES
from p2pcards.games.spelling import SIGNS, SUIT_WORDS, is_card_word, spelled_verb, verbs_of
from p2pcards.games.telling import told_of
from p2pcards.players.characters import CHARACTERS
from p2pcards.players.levels import LEVELS
from p2pcards.present.cards import ORDERS, Arrangement, frozen, moved
from p2pcards.present.table import actions_in_short, enter_starts, plays_cards, trump_suit
from p2pcards.present.width import wrap
from p2pcards.views.tableview import Command, SeatView, TableView

if TYPE_CHECKING:
    from p2pcards.games.game import AnyGame


# --- the rule options of a game and their values, as somebody types them who sets one ---------------------------------


MOST = 20
"""Numbers that are all worth naming; of a longer range those that the presets have are."""


def key_words(game: AnyGame) -> list[str]:
    """The keys of all options."""
    return [option.key for option in declared(game.options)]


def value_words(game: AnyGame, key: str) -> list[str]:
    """The values that an option may have, or of a long range some of them; none for a key that there is not."""
    option = next((option for option in declared(game.options) if option.key == key), None)
    if option is None:
        return []
    if option.kind == "number":
        return [str(value) for value in _numbers(game, option)]
    return ["true", "false"] if option.kind == "flag" else list(option.choices)


def _numbers(game: AnyGame, option: Option) -> list[int]:
    if option.high - option.low < MOST:
        return list(range(option.low, option.high + 1))
    usual: list[Value] = [option.default, *[getattr(preset, option.key) for preset in game.presets.values()]]
    return sorted({int(value) for value in (*usual, *option.defaults)})


# --- what can be said about the player in a seat ---------------------------------------------------------------------


def lines_about(view: TableView, seat: SeatView) -> list[str]:
    """The lines, as they would be typed, of the words that work now: first the levels at which a computer player could
    play."""
    levels = level_lines(seat) if seat.plays == "computer" and WORDS["computer"].works(view) else []
    person = next((person for person in view.people if person.seat == seat.seat), None)
    named = ["words"] if person and person.link == "here" else []
    named += ["redial", "kick"] if person and person.link == "away" else []
    words = [*[f"{word} {seat.name}" for word in ("mute", *named) if WORDS[word].works(view)]]
    swaps = [f"swap {seat.seat + 1}"] if WORDS["swap"].works(view) else []
    return [*levels, *words, *swaps, *(["history"] if seat.games_won else [])]


def level_lines(seat: SeatView) -> list[str]:
    """What is typed for each level at which the character in a seat could play."""
    key = next((key for key, one in CHARACTERS.items() if one.name == seat.character), "any")
    return [f"computer {seat.seat + 1} {key}:{level}" for level in LEVELS]


def melds_cards(view: TableView) -> bool:
    """Whether cards are melded in the game of this table."""
    return "meld" in actions_of(view) or (view.game or "").startswith("pinochle")


# --- the words of the line mode ---------------------------------------------------------------------------------------


class NotUnderstood(Exception):
    """Why a line asks for nothing, as a sentence that says what to type instead."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the line mode."""

    usage: str  # an example of a typed line, or the pattern
    meaning: str  # its effect, in words
    works: Callable[[TableView], bool] = lambda _view: True  # it works at the table as it is now
    least: int = 0  # number of arguments at least
    most: int = 0  # and at most
    local: bool = False  # it only shows something and sends nothing to the table


@dataclass(frozen=True, slots=True)
class Local:
    """A word that the front end answers by itself."""

    name: str
    arguments: tuple[str, ...] = ()


def _seated(view: TableView) -> bool:
    return bool(view.seats)


def _playing(view: TableView) -> bool:
    return view.phase == "play" and view.me is not None


def _acting(view: TableView) -> bool:
    return _playing(view) and not view.apart


def _at_table(view: TableView) -> bool:
    return not view.apart


def _allows(assist: str) -> Callable[[TableView], bool]:
    return lambda view: _playing(view) and assist in view.assists


def _hinted(view: TableView) -> bool:
    return bool(view.legal) and "hint" in view.assists


def _tricks(view: TableView) -> bool:
    return bool(view.legal) and all(is_card_word(words) for words in view.legal) and view.leader is not None


def _alone(view: TableView) -> bool:
    return _acting(view) and not any(person.link != "you" for person in view.people)


def _pauses(view: TableView) -> bool:
    return view.pause is not None


def _asked(view: TableView) -> bool:
    return view.proposal is not None


def _coordinator(view: TableView) -> bool:
    return view.role == "coordinator" and not view.apart


def _somebody_away(view: TableView) -> bool:
    return _coordinator(view) and any(person.link == "away" for person in view.people)


def _coordinates_game(view: TableView) -> bool:
    return _coordinator(view) and view.phase == "play"


def _between_games(view: TableView) -> bool:
    return _coordinator(view) and view.phase in ("lobby", "over")


def _over(view: TableView) -> bool:
    return view.phase == "over" and not view.apart


def _has_choice(view: TableView) -> bool:
    return _between_games(view) and view.game is not None


def _kept(view: TableView) -> bool:
    return view.phase == "play" and not view.apart and not view.looks_on


def _offers(verb: str) -> Callable[[TableView], bool]:
    return lambda view: any(words.split()[0] == verb for words in view.legal)


def _names_suit(view: TableView) -> bool:
    return any(words.split()[-1] in SUIT_WORDS for words in view.legal)


WORDS = {
    "play": Word("QS", "play a card: rank, then suit (QS, 10h, 2c)", plays_cards, 1, 9),
    "pass": Word("pass QS KS AS", "pass cards, or pass your turn", _offers("pass"), 0, 99),
    "draw": Word("draw", "draw a card", _offers("draw"), 0, 9),
    "suit": Word("suit h", "name the suit for a card that needs one; 8D h does both", _names_suit, 1, 9),
    "say": Word("say TEXT", "talk to the table; 'TEXT is shorter", _at_table, 1, 1),
    "quick": Word("quick WORD", "send a quick phrase or gesture; quick lists them", _at_table, most=1),
    "hint": Word("hint [do|off]", "get advice; hint do plays it, hint off cancels", _hinted, most=1),
    "explain": Word(
        "explain",
        "list your choices, best first, with reasons",
        lambda view: _acting(view) and "hint" in view.assists,
    ),
    "analyze": Word("analyze", "size up your hand: melds, sure winners, cards to spare", _allows("hint")),
    "do": Word("do", "play the last hint", _hinted),
    "review": Word("review", "show the tricks of this hand", _allows("review")),
    "recall": Word(
        "recall [seen|unseen|both]", "show which cards you have seen, and which you haven't", _allows("recall"), most=1
    ),
    "melds": Word("melds", "show everyone's melds in this hand", _allows("melds")),
    "distribution": Word("distribution", "show where each card is, as far as you know", _allows("distribution")),
    "next": Word("next", "continue after a hand; Enter does too", lambda view: view.pause is not None),
    "undo": Word(
        "undo",
        "take back your last play or bid, before you see a new card; with friends, only a meld this turn, if all agree",
        _acting,
    ),
    "redeal": Word("redeal", "throw in this hand and deal again, if everyone agrees", _acting),
    "yes": Word("yes", "agree to a request", _asked),
    "no": Word("no", "turn a request down", _asked),
    "restart": Word("restart", "deal the same cards again (solo only)", _alone),
    "swap": Word("swap [SEAT|NAME]", "trade hands with another player (solo only)", _alone, most=9),
    "open": Word("open [on|off]", "turn everyone's cards face up or down (solo only)", _alone, most=2),
    "hand": Word("hand", "show your cards", _seated, local=True),
    "sort": Word("sort ORDER", f"sort your hand: {', '.join(ORDERS)}", _seated, 1, 1, local=True),
    "move": Word(
        "move QS [KS]",
        "move a card to the left of another, or to the far right; by position: move 11 3",
        _seated,
        1,
        2,
        local=True,
    ),
    "table": Word("table", "show the table", local=True),
    "last": Word("last", "show the last trick", _seated, local=True),
    "score": Word("score [all]", "show the score; all: hand by hand", _seated, most=1, local=True),
    "records": Word(
        "records [GAME|all] [percent|reset|recover]",
        "show wins, losses and ratings; percent sorts by win rate, reset starts a game over, recover undoes a reset",
        most=3,
        local=True,
    ),
    "history": Word("history [GAME|all] [LEVEL]", "show past games; LEVEL: those against it", most=3, local=True),
    "league": Word("league [GAME]", "show everyone you've played with: games and points", most=2, local=True),
    "hall": Word("hall [GAME|all]", "show the hall of fame: best and worst scores", most=2, local=True),
    "scoreboard": Word(
        "scoreboard [new|save|reset|recover]",
        "show your two-handed pinochle games against the computer; new starts a board, save keeps it, reset goes back "
        "to game 1, recover restores the saved board",
        most=1,
        local=True,
    ),
    "who": Word("who", "show who is at the table, and where", local=True),
    "rules": Word("rules [GAME]", "show the rules of this table, or of a game", most=1, local=True),
    "about": Word("about [GAME]", "show where a game comes from", most=1, local=True),
    "options": Word("options [GAME]", "show a game's options and presets", most=1, local=True),
    "guide": Word("guide [PAGE]", "open the guide: first steps, strategy, card terms", most=9, local=True),
    "config": Word("config [KEY VALUE]", "show your settings, or change one for your next table", most=20, local=True),
    "beside": Word(
        "beside [all|talk|rules|none]", "choose what the full screen shows beside the table", most=1, local=True
    ),
    "stagger": Word(
        "stagger [on|off]", "raise every other suit of your hand on the full screen", _playing, most=1, local=True
    ),
    "tint": Word(
        "tint [on|off]",
        "tint the cards of your melds on the full screen",
        lambda view: _playing(view) and melds_cards(view),
        most=1,
        local=True,
    ),
    "player": Word("player [NAME]", "show your profile, or pick one for your next table", _at_table, 0, 9, True),
    "mute": Word("mute [NAME]", "hide or show what a player says; mute lists them", most=9, local=True),
    "song": Word("song [skip|stop]", "show what's playing; skip it, or stop the music", most=1, local=True),
    "games": Word("games", "list the games", local=True),
    "help": Word("help [WORD]", "list the commands, or explain one", most=1, local=True),
    "auto": Word(
        "auto [LEVEL|off]",
        "let the computer play your seat",
        lambda view: _seated(view) and not view.apart,
        most=1,
    ),
    "claim": Word("claim", "claim the rest: every trick is yours, or in hearts no points are left", _tricks),
    "concede": Word("concede", "concede the rest: you can't take another trick", _tricks),
    "away": Word(
        "away",
        "step away: your character plays until you type back; if you're the only player, the table pauses",
        lambda view: _acting(view) and not view.away,
    ),
    "back": Word("back", "take your seat back", lambda view: view.away),
    "accept": Word(
        "accept",
        "play on anyway: after a broken shuffle, or with a host who did something odd",
        lambda view: bool(view.doubted),
    ),
    "words": Word(
        "words [NAME]",
        "show three words to compare by voice; if they match, nobody is listening in",
        lambda view: any(person.link == "here" for person in view.people),
        most=9,
    ),
    "code": Word("code", "show the code a friend needs to join the first time", lambda view: bool(view.code)),
    "link": Word("link", "show the link for a friend, with a QR code", lambda view: bool(view.link), local=True),
    "invite": Word("invite HOST [partner] [CODE]", "call a friend who is listening", _between_games, 1, 3),
    "game": Word("game NAME [PRESET]", "choose the game, and a preset of its rules", _between_games, 0, 2),
    "set": Word("set KEY=VALUE", "change one rule", _between_games, 1, 3),
    "save": Word(
        "save [NAME]",
        "name this game, to resume it later; between games, save the rules as your own",
        lambda view: _kept(view) or _has_choice(view),
        most=9,
    ),
    "sit": Word(
        "sit NAME...", "seat these players in order; the others watch (sit all: everyone)", _between_games, 1, 9
    ),
    "partner": Word("partner NAME|none", "pick your partner", _between_games, 1, 9),
    "computer": Word(
        "computer SEAT CHARACTER[:LEVEL]",
        "pick a computer player for a seat (computer 2 betty:novice; any: whoever is free)",
        _between_games,
        2,
        4,
    ),
    "allow": Word(
        "allow ASSISTANT...",
        "choose the help players can use, such as hint and recall; allow all, allow none",
        _between_games,
        most=9,
    ),
    "start": Word("start", "start the game", _has_choice),
    "again": Word("again [yes|no]", "ask for another game, or answer", _over, 0, 1),
    "end": Word("end", "end the game for everyone; the table stays open", _coordinates_game, most=1),
    "reseat": Word("reseat SEAT HOST", "call an absent player at a new address", _coordinator, 2, 2),
    "redial": Word("redial [NAME]", "call back a player who dropped out", _somebody_away, most=9),
    "kick": Word("kick SEAT|NAME", "remove a player; a computer player takes the seat", _coordinator, 1, 9),
    "detach": Word("detach", "go back to the shell; your seat is kept (also quit, exit, q)", local=True),
    "leave": Word("leave", "leave the table for good", _at_table, most=1),
}
SAME = dict.fromkeys(("quit", "exit", "q"), "detach")
"""What people type who come from other programs, and the word that it stands for."""
ACTIONS = ("play", "pass", "draw", "suit")
NOT_NOW = "You can't {name} right now. See rules."
COORDINATING = (
    "invite",
    "game",
    "set",
    "sit",
    "partner",
    "computer",
    "allow",
    "start",
    "end",
    "reseat",
    "redial",
    "kick",
)


def understand(line: str, view: TableView) -> Command | Local | None:
    """What a typed line asks for; None for an empty one that begins nothing. Raises NotUnderstood."""
    line = line.strip()
    if not line:
        return _meant_by_enter(view)
    if line[0] == "'":
        return _ask("say", line[1:].strip())
    first, _, rest = line.partition(" ")
    first = first.rstrip(",;.!") or first  # as copied from a prompt
    if view.phase == "over" and line.lower() in ("y", "n", "yes", "no"):
        return Command("again", ("yes" if line.lower()[0] == "y" else "no",))
    if is_card_word(first):
        return Command("act", (first, *rest.split()))
    word = meant_word(first.lower(), view, alone=not rest.strip())
    if word == "play" and rest == "":
        return _ask("play", "")
    if word is None or word in ACTIONS or word not in WORDS or word in _verbs(view):
        typed = first if word is None else word
        return Command("act", (typed, *rest.split()))
    return _ask(word, rest.strip())


def _meant_by_enter(view: TableView) -> Command | None:
    if enter_starts(view):
        return Command("start")
    return Command("next") if view.pause is not None else None


def help_lines(view: TableView) -> list[str]:
    """The words that work now first, then the rest."""
    now = [name for name, word in WORDS.items() if word.works(view) and name not in ACTIONS]
    later = [name for name, word in WORDS.items() if not word.works(view)]
    actions = actions_in_short(view)
    lines = wrap(f"Your turn. You can: {', '.join(actions)}", indent="  ") if actions else []
    lines += ["Commands that work now (the first letters are enough):"]
    lines += [line for name in now for line in _usage_lines(name)]
    for when, names in (
        ("At other times", [name for name in later if name not in COORDINATING or _coordinator(view)]),
        ("For the host", [name for name in later if name in COORDINATING and not _coordinator(view)]),
    ):
        if names:
            lines += wrap(f"{when}: {', '.join(WORDS[name].usage for name in names)}.", indent="  ")
    return lines


def help_for(typed: str, view: TableView) -> list[str]:
    """What one word does. Raises NotUnderstood."""
    name = "play" if is_card_word(typed) else meant_word(typed.lower(), view, alone=True)
    if name in actions_of(view):
        return _action_lines(name, view)
    if name not in WORDS:
        raise NotUnderstood(f"There's no command {typed[:30]!r}. Type help for a list.")
    return [*_usage_lines(name), *([] if WORDS[name].works(view) else ["  You can't use it right now."])]


def sorted_as(arguments: Sequence[str], arrangement: Arrangement, view: TableView) -> Arrangement:
    """Raises NotUnderstood."""
    order = arguments[0].lower()
    if order not in ORDERS:
        orders = "; ".join([f"{name}: {about}" for name, about in ORDERS.items()])
        raise NotUnderstood(f"Can't sort by {order[:30]!r}. {orders}")
    return frozen(arrangement, trump_suit(view)) if order == "off" else replace(arrangement, order=order, by_hand=False)


def moved_as(arguments: Sequence[str], arrangement: Arrangement, view: TableView) -> Arrangement:
    """Raises NotUnderstood."""
    trump = trump_suit(view)
    cards = frozen(arrangement, trump).cards
    found = {word: place for word in arguments if (place := _place_in(cards, word)) is not None}
    if len(set(found.values())) < len(arguments):
        wrong = [word for word in arguments if word not in found] or arguments
        raise NotUnderstood(f"Name two different cards in your hand, not {' '.join(wrong)[:30]!r}.")
    place, before = (*found.values(), len(cards))[:2]
    return moved(arrangement, place, before, trump)


def said_of(arrangement: Arrangement) -> str:
    """What a player is told once the hand is sorted or a card of it moved."""
    if arrangement.by_hand:
        return "Moved. Your hand sorts itself again when you get a card."
    return "Your hand is unsorted." if arrangement.order == "off" else f"Your hand is sorted by {arrangement.order}."


def _place_in(cards: Sequence[int], word: str) -> int | None:
    """Where a card lies that is named, or numbered from the left, as one of two that are alike has to be."""
    if word.isdecimal():
        return int(word) - 1 if 0 < int(word) <= len(cards) else None
    card = int(parse_card(word.translate(SIGNS))) if is_card_word(word) else 0
    return cards.index(card) if card in cards else None


def actions_of(view: TableView) -> frozenset[str]:
    """The words that the actions of this game begin with, whether they may be said now or not."""
    return verbs_of(GAMES[view.game]) if view.game in GAME_NAMES else frozenset()


def meant_word(typed: str, view: TableView, alone: bool) -> str | None:
    """The word meant: itself, one that an action of this game begins with, or the only one that begins so (of those
    that work now, then of all); None where it may be part of an action. alone: nothing follows it. Raises NotUnderstood
    with the nearest word."""
    verbs = _verbs(view)
    actions = actions_of(view)
    if typed in WORDS or typed in actions:
        return typed
    if typed in SAME:
        return SAME[typed]
    if typed in SUIT_WORDS and view.legal and len(typed) > 1:
        return None
    now = [name for name, word in WORDS.items() if word.works(view)]
    for names in ([*now, *verbs], [*WORDS]):
        fitting = list(dict.fromkeys(name for name in names if name.startswith(typed)))
        if not alone:  # what takes nothing more is not meant where more follows
            fitting = [name for name in fitting if name not in WORDS or WORDS[name].most] or fitting
        shortest = min(fitting, key=len, default="")
        if fitting and all(name.startswith(shortest) for name in fitting):  # as melds begins with meld
            return shortest
        if fitting:
            raise NotUnderstood(f"{typed!r} could be {', '.join(fitting[:6])}. Type one more letter.")
    meant = did_you_mean(typed, [*WORDS, *SAME, *actions], 0.6)
    if view.legal and not (meant and alone):
        return None
    meant = meant or "Type help for a list, or say TEXT to chat."
    raise NotUnderstood(f"Unknown command '{typed[:30]}'. {meant}")


# --- private ---


def _action_lines(name: str, view: TableView) -> list[str]:
    """What a word of the game does, and how it can be said now."""
    game = GAMES[view.game or ""]
    meaning = told_of(game.key).words.get(name, f"a play in {game.name}")
    usual = _usage_lines(name) if name in WORDS else []
    now = [words for words in actions_in_short(view) if _verb(words) == spelled_verb(game, name)]
    spelled = f"Now: {', '.join(now)}" if now else NOT_NOW.format(name=name)
    return [*usual, *wrap(f"{name}: {meaning}", indent="  "), *wrap(spelled, indent="  ", first="  ")]


def _verb(words: str) -> str:
    """That of an action as it is spelled."""
    first = words.split(maxsplit=1)[0]
    return "play" if is_card_word(first) else first


def _usage_lines(name: str) -> list[str]:
    word = WORDS[name]
    return wrap([word.usage.ljust(22), *word.meaning.split()], indent="    ", first="  ")


def for_table(command: Command) -> Command:
    """What the table is told of a command: the yes that may follow end is for us alone."""
    return Command("end") if command.name == "end" else command


def _verbs(view: TableView) -> set[str]:
    return {first for words in view.legal if not is_card_word(first := words.split()[0])}


def _ask(name: str, rest: str) -> Command | Local:
    """The command of a word, its arguments counted. Raises NotUnderstood."""
    word = WORDS[name]
    arguments = (rest,) if name == "say" and rest else tuple(rest.split())
    if name == "set":
        arguments = _key_and_value(rest)
    if name == "invite":
        arguments = _invited(rest) or arguments
    if name == "game" and not arguments:
        return Local("games")
    if not word.least <= len(arguments) <= word.most:
        raise NotUnderstood(f"Usage: {word.usage}")
    return Local(name, arguments) if word.local else Command(name, arguments)


def _invited(rest: str) -> tuple[str, ...]:
    """The address and the code of a link that was pasted with whatever stood around it; none of anything else."""
    from p2pcards.links.address import text_of_link  # words are read before the first card, and few invite
    from p2pcards.wire.spoken import looks_like_code

    address, code = text_of_link(rest)
    return (address, *["partner"] * rest.lower().endswith(" partner"), code) if looks_like_code(code) else ()


def _key_and_value(rest: str) -> tuple[str, ...]:
    """``K=V``, ``K = V`` and ``K V`` are one."""
    parts = tuple(rest.replace("=", " ", 1).split())
    if len(parts) != 2:
        raise NotUnderstood("Usage: set KEY=VALUE. Type options for the keys and their values.")
    return parts
