"""What the person at a listener's table may say: a function for each command, of the table and the command's arguments.
They raise CommandError."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from p2pcards.ledger.transitions import Phase
from p2pcards.session.effects import CommandError, Effect, Finished
from p2pcards.session.followed_game import FollowedGame
from p2pcards.session.listener_table import ListenerTable
from p2pcards.session.own_seat import ALONE, hint_for, kept_seat, read_own
from p2pcards.session.talk import heard, read_phrase
from p2pcards.wire.messages import Again, Away, Chat, Quick

Arguments = Sequence[str]


def game_on(table: ListenerTable) -> FollowedGame:
    if table.looks_on:
        raise CommandError("You look on at this game. A seat can be had from the next one.")
    if table.game is None or table.game.position.phase is Phase.CLOSED:
        raise CommandError("No game is on.")
    return table.game


def check_connected(table: ListenerTable, sentence: str) -> None:
    if table.link.peer is None:
        raise CommandError(sentence)


def act(table: ListenerTable, arguments: Arguments) -> list[Effect]:
    game = game_on(table)
    action = read_own(game.position, game.turn(), arguments)
    check_connected(table, "The coordinator is not connected. Your seat is kept; play when it is back.")
    return game.play(action)


def say(table: ListenerTable, arguments: Arguments) -> list[Effect]:
    check_connected(table, "Nobody is connected who could hear you.")
    return _speak(table, table.talk.say(table.people.said.you, arguments))


def quick(table: ListenerTable, arguments: Arguments) -> list[Effect]:
    said = Quick(table.people.said.you, read_phrase(arguments))
    check_connected(table, "Nobody is connected who could hear you.")
    return _speak(table, said)


def _speak(table: ListenerTable, said: Chat | Quick) -> list[Effect]:
    return [*table.link.send(said), heard(said, table.me.name, mine=True)]


def hint(table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    return [hint_for(game_on(table).position, int.from_bytes(table.entropy(8), "big"))]


def be_away(table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    return _ask_character(table, True)


def be_back(table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    return _ask_character(table, False)


def _ask_character(table: ListenerTable, away: bool) -> list[Effect]:
    kept_seat(game_on(table).position)
    check_connected(table, "The coordinator is not connected; there is nobody to tell.")
    return table.link.send(Away(away))


def leave(table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    return [*table.leave(), Finished()]


def again(table: ListenerTable, arguments: Arguments) -> list[Effect]:
    position = table.position
    if position is None or position.phase is not Phase.CLOSED or table.link.peer is None:
        raise CommandError("There is no finished game to play again.")
    yes = (arguments[0].lower() if arguments else "yes") in ("yes", "y")
    answer = table.answer_again(yes)
    return [*table.link.send(Again(table.people.said.you, yes)), answer]


def look_back(_table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    raise CommandError(ALONE)


def coordinators_word(_table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    raise CommandError("Only the coordinator decides that. You can 'say' what you would like.")


COMMANDS: dict[str, Callable[[ListenerTable, Arguments], list[Effect]]] = {
    "act": act,
    "say": say,
    "quick": quick,
    "hint": hint,
    "review": look_back,
    "recall": look_back,
    "away": be_away,
    "back": be_back,
    "leave": leave,
    "again": again,
    **dict.fromkeys(
        ("invite", "game", "set", "sit", "computer", "start", "end", "reseat", "redial", "kick"), coordinators_word
    ),
}
