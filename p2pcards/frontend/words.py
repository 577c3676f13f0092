"""The words of the line mode: what they mean, when they work, and what a typed line asks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from p2pcards.cards.card import parse_card
from p2pcards.frontend.choosing import verb_of_action
from p2pcards.games.names import GAME_NAMES
from p2pcards.games.nearest import did_you_mean
from p2pcards.games.options import Option, Value, declared_options
from p2pcards.games.registry import GAMES
from p2pcards.games.spelling import SIGNS, SUIT_WORDS, is_card_word, spelled_verb, verbs_of
from p2pcards.games.telling import load_told
from p2pcards.players.characters import CHARACTERS
from p2pcards.players.levels import LEVELS
from p2pcards.present.cards import ORDERS, Arrangement, freeze_arrangement, move_in_arrangement
from p2pcards.present.table import actions_in_short, can_play_card, enter_starts, i_watch, trump_suit
from p2pcards.present.width import wrap_words
from p2pcards.views.tableview import Command, SeatView, TableView

if TYPE_CHECKING:
    from p2pcards.games.game import AnyGame


# --- the rule options of a game and their values, as somebody types them who sets one ---------------------------------


MOST = 20
"""Numbers that are all worth naming; of a longer range those that the presets have are."""


def option_keys(game: AnyGame) -> list[str]:
    return [option.key for option in declared_options(game.options)]


def option_values(game: AnyGame, key: str) -> list[str]:
    """The values that an option may have, a selection from a long range; empty for an unknown key."""
    option = next((option for option in declared_options(game.options) if option.key == key), None)
    if option is None:
        return []
    if option.kind == "number":
        return [str(value) for value in _suggested_numbers(game, option)]
    return ["true", "false"] if option.kind == "flag" else list(option.choices)


def _suggested_numbers(game: AnyGame, option: Option) -> list[int]:
    if option.high - option.low < MOST:
        return list(range(option.low, option.high + 1))
    usual: list[Value] = [option.default, *[getattr(preset, option.key) for preset in game.presets.values()]]
    return sorted({int(value) for value in (*usual, *option.defaults)})


# --- what can be said about the player in a seat ---------------------------------------------------------------------


def lines_about_seat(view: TableView, seat: SeatView) -> list[str]:
    """The lines that can be typed about the player in a seat now; first the levels that a computer player could
    have."""
    levels = level_lines(seat) if seat.plays == "computer" and WORDS["computer"].works(view) else []
    person = next((person for person in view.people if person.seat == seat.seat), None)
    named = ["words"] if person and person.link == "here" else []
    named += ["redial", "kick"] if person and person.link == "away" else []
    words = [*[f"{word} {seat.name}" for word in ("mute", *named) if WORDS[word].works(view)]]
    swaps = [f"swap {seat.seat + 1}"] if WORDS["swap"].works(view) else []
    return [*levels, *words, *swaps, *(["history"] if seat.games_won else [])]


def level_lines(seat: SeatView) -> list[str]:
    """The line to type for each level that the character in a seat could have."""
    key = next((key for key, one in CHARACTERS.items() if one.name == seat.character), "any")
    return [f"computer {seat.seat + 1} {key}:{level}" for level in LEVELS]


def melds_cards(view: TableView) -> bool:
    """Return whether the game at this table has melds."""
    return "meld" in action_verbs(view) or (view.game or "").startswith("pinochle")


# --- the words of the line mode ---------------------------------------------------------------------------------------


class NotUnderstood(Exception):
    """Why a typed line makes no command, as a sentence that says what to type instead."""


@dataclass(frozen=True, slots=True)
class Word:
    """A command of the table."""

    usage: str  # an example of a typed line, or the pattern
    meaning: str  # its effect, in words
    works: Callable[[TableView], bool] = lambda _view: True  # it works at the table as it is now
    least: int = 0  # number of arguments at least
    most: int = 0  # and at most
    local: bool = False  # it only shows something and sends nothing to the table


@dataclass(frozen=True, slots=True)
class Local:
    """A command that the front end answers itself."""

    name: str
    arguments: tuple[str, ...] = ()


def _has_seats(view: TableView) -> bool:
    return bool(view.seats)


def _i_play(view: TableView) -> bool:
    return view.phase == "play" and view.me is not None


def _i_play_at_table(view: TableView) -> bool:
    return _i_play(view) and not view.apart


def _is_shared_table(view: TableView) -> bool:
    return not view.apart


def _allows_assist(assist: str) -> Callable[[TableView], bool]:
    return lambda view: _i_play(view) and assist in view.assists


def _can_hint(view: TableView) -> bool:
    return bool(view.legal) and "hint" in view.assists


def _plays_trick_card(view: TableView) -> bool:
    return bool(view.legal) and all(is_card_word(words) for words in view.legal) and view.leader is not None


def _plays_alone(view: TableView) -> bool:
    return _i_play_at_table(view) and not any(person.link != "you" for person in view.people)


def _has_proposal(view: TableView) -> bool:
    return view.proposal is not None


def _i_coordinate(view: TableView) -> bool:
    return view.role == "coordinator" and not view.apart


def _i_coordinate_absent(view: TableView) -> bool:
    return _i_coordinate(view) and any(person.link == "away" for person in view.people)


def _i_coordinate_game(view: TableView) -> bool:
    return _i_coordinate(view) and view.phase == "play"


def _has_watchers(view: TableView) -> bool:
    return any(person.seat is None and person.link != "away" for person in view.people)


def _i_coordinate_watchers(view: TableView) -> bool:
    return _i_coordinate_game(view) and _has_watchers(view)


def _may_give_seat(view: TableView) -> bool:
    return _i_play_at_table(view) and _has_watchers(view)


def _may_show_hand(view: TableView) -> bool:
    return _i_play_at_table(view) and any(person.link == "here" for person in view.watchers)


def _may_hand_over(view: TableView) -> bool:
    return _i_coordinate(view) and any(person.link == "here" for person in view.people)


def _may_play_on(view: TableView) -> bool:
    return view.role == "listener" and view.phase == "play" and all(one.link != "here" for one in view.people)


def _i_coordinate_between_games(view: TableView) -> bool:
    return _i_coordinate(view) and view.phase in ("lobby", "over")


def _is_game_over(view: TableView) -> bool:
    return view.phase == "over" and not view.apart


def _has_chosen_game(view: TableView) -> bool:
    return _i_coordinate_between_games(view) and view.game is not None


def _is_log_kept(view: TableView) -> bool:
    return view.phase == "play" and not view.apart and not view.looks_on


def _offers_verb(verb: str) -> Callable[[TableView], bool]:
    return lambda view: any(words.split()[0] == verb for words in view.legal)


def _offers_suit(view: TableView) -> bool:
    return any(words.split()[-1] in SUIT_WORDS for words in view.legal)


WORDS = {
    "play": Word("QS", "play a card: rank, then suit (QS, 10h, 2c)", can_play_card, 1, 9),
    "pass": Word("pass QS KS AS", "pass cards, or pass your turn", _offers_verb("pass"), 0, 99),
    "draw": Word("draw", "draw a card", _offers_verb("draw"), 0, 9),
    "suit": Word("suit h", "name the suit for a card that needs one; 8D h does both", _offers_suit, 1, 9),
    "say": Word("say TEXT", "talk to the table; 'TEXT is shorter", _is_shared_table, 1, 1),
    "quick": Word("quick WORD", "send a quick phrase or gesture; quick lists them", _is_shared_table, most=1),
    "hint": Word("hint [do|off]", "get advice; hint do plays it, hint off cancels", _can_hint, most=1),
    "explain": Word(
        "explain",
        "list your choices, best first, with reasons",
        lambda view: _i_play_at_table(view) and "hint" in view.assists,
    ),
    "analyze": Word("analyze", "size up your hand: melds, sure winners, cards to spare", _allows_assist("hint")),
    "do": Word("do", "play the last hint", _can_hint),
    "review": Word("review", "show the tricks of this hand", _allows_assist("review")),
    "recall": Word(
        "recall [seen|unseen|both]",
        "show which cards you have seen, and which you haven't",
        _allows_assist("recall"),
        most=1,
    ),
    "melds": Word("melds", "show everyone's melds in this hand", _allows_assist("melds")),
    "distribution": Word("distribution", "show where each card is, as far as you know", _allows_assist("distribution")),
    "next": Word("next", "continue after a hand; Enter does too", lambda view: view.pause is not None),
    "undo": Word(
        "undo",
        "take back your last play or bid, before you see a new card; with friends, only a meld this turn, if all agree",
        _i_play_at_table,
    ),
    "redeal": Word("redeal", "throw in this hand and deal again, if everyone agrees", _i_play_at_table),
    "yes": Word("yes", "agree to a request", _has_proposal),
    "no": Word("no", "turn a request down", _has_proposal),
    "restart": Word("restart", "deal the same cards again (solo only)", _plays_alone),
    "swap": Word("swap [SEAT|NAME]", "trade hands with another player (solo only)", _plays_alone, most=9),
    "open": Word("open [on|off]", "turn everyone's cards face up or down (solo only)", _plays_alone, most=2),
    "hand": Word("hand", "show your cards", _has_seats, local=True),
    "sort": Word("sort ORDER", f"sort your hand: {', '.join(ORDERS)}", _has_seats, 1, 1, local=True),
    "move": Word(
        "move QS [KS]",
        "move a card to the left of another, or to the far right; by position: move 11 3",
        _has_seats,
        1,
        2,
        local=True,
    ),
    "table": Word("table", "show the table", local=True),
    "last": Word("last", "show the last trick", _has_seats, local=True),
    "score": Word("score [all]", "show the score; all: hand by hand", _has_seats, most=1, local=True),
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
        "stagger [on|off]", "raise every other suit of your hand on the full screen", _i_play, most=1, local=True
    ),
    "tint": Word(
        "tint [on|off]",
        "tint the cards of your melds on the full screen",
        lambda view: _i_play(view) and melds_cards(view),
        most=1,
        local=True,
    ),
    "player": Word("player [NAME]", "show your profile, or pick one for your next table", _is_shared_table, 0, 9, True),
    "mute": Word("mute [NAME]", "hide or show what a player says; mute lists them", most=9, local=True),
    "song": Word("song [skip|stop]", "show what's playing; skip it, or stop the music", most=1, local=True),
    "games": Word("games", "list the games", local=True),
    "help": Word("help [WORD]", "list the commands, or explain one", most=1, local=True),
    "auto": Word(
        "auto [LEVEL|off]",
        "let the computer play your seat",
        lambda view: _has_seats(view) and not view.apart,
        most=1,
    ),
    "claim": Word("claim", "claim the rest: every trick is yours, or in hearts no points are left", _plays_trick_card),
    "concede": Word("concede", "concede the rest: you can't take another trick", _plays_trick_card),
    "away": Word(
        "away",
        "step away: your character plays until you type back; if you're the only player, the table pauses",
        lambda view: _i_play_at_table(view) and not view.away,
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
    "invite": Word("invite HOST [partner] [CODE]", "call a friend who is listening", _i_coordinate_between_games, 1, 3),
    "game": Word("game NAME [PRESET]", "choose the game, and a preset of its rules", _i_coordinate_between_games, 0, 2),
    "set": Word("set KEY=VALUE", "change one rule", _i_coordinate_between_games, 1, 3),
    "save": Word(
        "save [NAME]",
        "name this game, to resume it later; between games, save the rules as your own",
        lambda view: _is_log_kept(view) or _has_chosen_game(view),
        most=9,
    ),
    "sit": Word(
        "sit [NAME...]",
        "seat these players in order; the others watch (sit all: everyone); as a watcher, ask for a seat",
        lambda view: _i_coordinate_between_games(view) or i_watch(view),
        most=9,
    ),
    "partner": Word("partner NAME|none", "pick your partner", _i_coordinate_between_games, 1, 9),
    "computer": Word(
        "computer SEAT CHARACTER[:LEVEL]",
        "pick a computer player for a seat (computer 2 betty:novice; any: whoever is free)",
        _i_coordinate_between_games,
        2,
        4,
    ),
    "allow": Word(
        "allow ASSISTANT...",
        "choose the help players can use, such as hint and recall; allow all, allow none",
        _i_coordinate_between_games,
        most=9,
    ),
    "start": Word("start", "start the game", _has_chosen_game),
    "again": Word("again [yes|no]", "ask for another game, or answer", _is_game_over, 0, 1),
    "end": Word("end", "end the game for everyone; the table stays open", _i_coordinate_game, most=1),
    "reseat": Word("reseat SEAT HOST", "call an absent player at a new address", _i_coordinate, 2, 2),
    "redial": Word("redial [NAME]", "call back a player who dropped out", _i_coordinate_absent, most=9),
    "kick": Word("kick SEAT|NAME", "remove a player; a computer player takes the seat", _i_coordinate, 1, 9),
    "seat": Word(
        "seat NAME [SEAT]|none",
        "let a watcher take over from a computer player after this hand; none drops that plan",
        _i_coordinate_watchers,
        1,
        9,
    ),
    "seats": Word(
        "seats open|ask",
        "let newcomers take over from computer players after a hand, or ask you first",
        _i_coordinate_game,
        1,
        1,
    ),
    "watchers": Word(
        "watchers [off|ask|on]",
        "choose who can watch; watchers yes NAME or no NAME to answer; watchers delay 60 shows them all later",
        _i_coordinate,
        most=9,
    ),
    "handover": Word("handover NAME", "have a friend host from the next hand on", _may_hand_over, 1, 9),
    "continue": Word("continue", "play on without a host who is gone", _may_play_on),
    "give": Word("give NAME|none", "give your seat to a watcher after this hand; none keeps it", _may_give_seat, 1, 9),
    "show": Word("show NAME|none", "let a watcher see your hand; none stops that", _may_show_hand, 1, 9),
    "detach": Word("detach", "go back to the shell; your seat is kept (also quit, exit, q)", local=True),
    "leave": Word("leave", "leave the table for good", _is_shared_table, most=1),
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
    "seat",
    "seats",
)


def parse_line(line: str, view: TableView) -> Command | Local | None:
    """Parse a typed line: a command, a local one, or None for an empty line that does nothing. Raises NotUnderstood."""
    line = line.strip()
    if not line:
        return _command_of_enter(view)
    if line[0] == "'":
        return _make_command("say", line[1:].strip())
    first, _, rest = line.partition(" ")
    first = first.rstrip(",;.!") or first  # as copied from a prompt
    if view.phase == "over" and line.lower() in ("y", "n", "yes", "no"):
        return Command("again", ("yes" if line.lower()[0] == "y" else "no",))
    if is_card_word(first):
        return Command("act", (first, *rest.split()))
    word = meant_word(first.lower(), view, alone=not rest.strip())
    if word == "play" and rest == "":
        return _make_command("play", "")
    if word is None or word in ACTIONS or word not in WORDS or word in _legal_verbs(view):
        typed = first if word is None else word
        return Command("act", (typed, *rest.split()))
    return _make_command(word, rest.strip())


def _command_of_enter(view: TableView) -> Command | None:
    if enter_starts(view):
        return Command("start")
    return Command("next") if view.pause is not None else None


def help_lines(view: TableView) -> list[str]:
    """Help on every command, those that work now first."""
    now = [name for name, word in WORDS.items() if word.works(view) and name not in ACTIONS]
    later = [name for name, word in WORDS.items() if not word.works(view)]
    actions = actions_in_short(view)
    lines = wrap_words(f"Your turn. You can: {', '.join(actions)}", indent="  ") if actions else []
    lines += ["Commands that work now (the first letters are enough):"]
    lines += [line for name in now for line in _usage_help(name)]
    for when, names in (
        ("At other times", [name for name in later if name not in COORDINATING or _i_coordinate(view)]),
        ("For the host", [name for name in later if name in COORDINATING and not _i_coordinate(view)]),
    ):
        if names:
            lines += wrap_words(f"{when}: {', '.join(WORDS[name].usage for name in names)}.", indent="  ")
    return lines


def help_on_word(typed: str, view: TableView) -> list[str]:
    """Help on one command. Raises NotUnderstood."""
    name = "play" if is_card_word(typed) else meant_word(typed.lower(), view, alone=True)
    if name in action_verbs(view):
        return _action_help(name, view)
    if name not in WORDS:
        raise NotUnderstood(f"There's no command {typed[:30]!r}. Type help for a list.")
    return [*_usage_help(name), *([] if WORDS[name].works(view) else ["  You can't use it right now."])]


def sort_hand(arguments: Sequence[str], arrangement: Arrangement, view: TableView) -> Arrangement:
    """The arrangement after `sort`. arguments: the order, one of `ORDERS`, or "off". Raises NotUnderstood."""
    order = arguments[0].lower()
    if order not in ORDERS:
        orders = "; ".join([f"{name}: {about}" for name, about in ORDERS.items()])
        raise NotUnderstood(f"Can't sort by {order[:30]!r}. {orders}")
    return (
        freeze_arrangement(arrangement, trump_suit(view))
        if order == "off"
        else replace(arrangement, order=order, by_hand=False)
    )


def move_card(arguments: Sequence[str], arrangement: Arrangement, view: TableView) -> Arrangement:
    """The arrangement after `move`. arguments: the card to move, and the card or place to move it to. Raises
    NotUnderstood."""
    trump = trump_suit(view)
    cards = freeze_arrangement(arrangement, trump).cards
    found = {word: place for word in arguments if (place := _find_card_place(cards, word)) is not None}
    if len(set(found.values())) < len(arguments):
        wrong = [word for word in arguments if word not in found] or arguments
        raise NotUnderstood(f"Name two different cards in your hand, not {' '.join(wrong)[:30]!r}.")
    place, before = (*found.values(), len(cards))[:2]
    return move_in_arrangement(arrangement, place, before, trump)


def arrangement_text(arrangement: Arrangement) -> str:
    """The confirmation after the hand was sorted or a card moved."""
    if arrangement.by_hand:
        return "Moved. Your hand sorts itself again when you get a card."
    return "Your hand is unsorted." if arrangement.order == "off" else f"Your hand is sorted by {arrangement.order}."


def _find_card_place(cards: Sequence[int], word: str) -> int | None:
    """The index of a named card, or of one numbered from the left, which one of two equal cards has to be; None where
    it isn't held."""
    if word.isdecimal():
        return int(word) - 1 if 0 < int(word) <= len(cards) else None
    card = int(parse_card(word.translate(SIGNS))) if is_card_word(word) else 0
    return cards.index(card) if card in cards else None


def action_verbs(view: TableView) -> frozenset[str]:
    """The first words of every action in this game, legal now or not."""
    return verbs_of(GAMES[view.game]) if view.game in GAME_NAMES else frozenset()


def meant_word(typed: str, view: TableView, alone: bool) -> str | None:
    """The command or action verb meant by what is typed: an exact one, a verb of this game, or the only one that begins
    so, first among those that work now; None where it may be part of an action. alone: nothing follows it. Raises
    NotUnderstood naming the nearest word."""
    verbs = _legal_verbs(view)
    actions = action_verbs(view)
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


def _action_help(name: str, view: TableView) -> list[str]:
    """What an action of the game does, and the ways to type it now."""
    game = GAMES[view.game or ""]
    meaning = load_told(game.key).words.get(name, f"a play in {game.name}")
    usual = _usage_help(name) if name in WORDS else []
    now = [words for words in actions_in_short(view) if verb_of_action(words) == spelled_verb(game, name)]
    spelled = f"Now: {', '.join(now)}" if now else NOT_NOW.format(name=name)
    return [*usual, *wrap_words(f"{name}: {meaning}", indent="  "), *wrap_words(spelled, indent="  ", first="  ")]


def _usage_help(name: str) -> list[str]:
    word = WORDS[name]
    return wrap_words([word.usage.ljust(22), *word.meaning.split()], indent="    ", first="  ")


def without_local_yes(command: Command) -> Command:
    """The command as it is sent to the table: without the "yes" that only confirms `end` here."""
    return Command("end") if command.name == "end" else command


def _legal_verbs(view: TableView) -> set[str]:
    return {first for words in view.legal if not is_card_word(first := words.split()[0])}


def _make_command(name: str, rest: str) -> Command | Local:
    """The command of a word with its arguments. Raises NotUnderstood where their number is wrong."""
    word = WORDS[name]
    arguments = (rest,) if name == "say" and rest else tuple(rest.split())
    if name == "set":
        arguments = _split_key_value(rest)
    if name == "invite":
        arguments = _parse_invite(rest) or arguments
    if name == "game" and not arguments:
        return Local("games")
    if not word.least <= len(arguments) <= word.most:
        raise NotUnderstood(f"Usage: {word.usage}")
    return Local(name, arguments) if word.local else Command(name, arguments)


def _parse_invite(rest: str) -> tuple[str, ...]:
    """The address and the code in a pasted link, whatever stands around it; empty for anything else."""
    from p2pcards.links.address import text_of_link  # words are read before the first card, and few invite
    from p2pcards.wire.spoken import looks_like_code

    address, code = text_of_link(rest)
    return (address, *["partner"] * rest.lower().endswith(" partner"), code) if looks_like_code(code) else ()


def _split_key_value(rest: str) -> tuple[str, ...]:
    """(key, value) of ``K=V``, ``K = V`` or ``K V``."""
    parts = tuple(rest.replace("=", " ", 1).split())
    if len(parts) != 2:
        raise NotUnderstood("Usage: set KEY=VALUE. Type options for the keys and their values.")
    return parts
