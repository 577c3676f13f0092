"""What the person at a listener's table may say; each command is a function of the table and its arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from p2pcards.games.game import IllegalAction
from p2pcards.games.spelling import read_action
from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.payloads import LEFT
from p2pcards.ledger.transitions import Phase
from p2pcards.session.chatting import clean_chat, heard, read_phrase
from p2pcards.session.effects import Close, CommandError, Effect, Remember, Tell, Think
from p2pcards.views.happenings import AgainAnswered
from p2pcards.wire.messages import Again, Away, Bye, Chat, People, Quick
from p2pcards.wire.reasons import ByeCode

if TYPE_CHECKING:
    from p2pcards.session.listener import Listener


def game_on(table: Listener) -> LedgerFollower:
    if table.game is None or table.game.position.phase is Phase.CLOSED:
        raise CommandError("No game is on.")
    return table.game


def act(table: Listener, arguments: Sequence[str]) -> list[Effect]:
    follower = game_on(table)
    position = follower.position
    if position.seat is None:
        raise CommandError("You are watching this game.")
    if position.seat in position.substituted:
        raise CommandError("Your character plays for you. Say 'back' to play again yourself.")
    if not follower.owes_move():
        raise CommandError("It is not your turn.")
    if follower.pending is not None:
        raise CommandError("You have played already; the coordinator has not answered yet.")
    try:
        action = read_action(position.game, position.state, position.seat, " ".join(arguments).split())
    except IllegalAction as error:
        raise CommandError(str(error)) from error
    if table.link is None:
        raise CommandError("The coordinator is not connected. Your seat is kept; play when she is back.")
    return table.play(follower, action)


def say(table: Listener, arguments: Sequence[str]) -> list[Effect]:
    text = clean_chat(" ".join(arguments))
    if not text:
        raise CommandError("Say what? For example: say hello")
    if table.link is None:
        raise CommandError("Nobody is connected who could hear you.")
    table.chats += 1
    said = Chat(table.people.you, table.chats, text)
    return [*table.send(said), heard(said, table.me.name, mine=True)]


def quick(table: Listener, arguments: Sequence[str]) -> list[Effect]:
    said = Quick(table.people.you, read_phrase(arguments))
    if table.link is None:
        raise CommandError("Nobody is connected who could hear you.")
    return [*table.send(said), heard(said, table.me.name, mine=True)]


def hint(table: Listener, _arguments: Sequence[str]) -> list[Effect]:
    follower = game_on(table)
    position = follower.position
    if not follower.owes_move() or position.seat is None:
        raise CommandError("It is not your turn; there is nothing to hint at.")
    seed = int.from_bytes(table.entropy(8), "big")
    return [Think(position.seat, position.game, position.state, "novice", seed, hint=True)]


def be_away(table: Listener, _arguments: Sequence[str]) -> list[Effect]:
    return _ask_character(table, True)


def be_back(table: Listener, _arguments: Sequence[str]) -> list[Effect]:
    return _ask_character(table, False)


def _ask_character(table: Listener, away: bool) -> list[Effect]:
    if game_on(table).position.seat is None:
        raise CommandError("You are watching; nobody plays for you.")
    if table.link is None:
        raise CommandError("The coordinator is not connected; there is nobody to tell.")
    return table.send(Away(away))


def leave(table: Listener, _arguments: Sequence[str]) -> list[Effect]:
    effects: list[Effect] = []
    if table.game is not None and table.game.position.phase is not Phase.CLOSED:
        effects.append(Remember(LEFT))
        table.game.left = True
    table.game = None
    if table.link is not None:
        effects += [*table.send(Bye(ByeCode.LEAVES)), Close(table.link.peer)]
    table.link, table.people, table.clocks = None, People((), 0, None, ()), ()
    return effects


def again(table: Listener, arguments: Sequence[str]) -> list[Effect]:
    if table.game is None or table.game.position.phase is not Phase.CLOSED or table.link is None:
        raise CommandError("There is no finished game to play again.")
    table.agreed = (arguments[0].lower() if arguments else "yes") in ("yes", "y")
    answer = Tell(AgainAnswered(name=table.me.name, yes=table.agreed))
    return [*table.send(Again(table.game.position.side, table.agreed)), answer]


def coordinators_word(_table: Listener, _arguments: Sequence[str]) -> list[Effect]:
    raise CommandError("Only the coordinator decides that. You can 'say' what you would like.")


COMMANDS: dict[str, Callable[[Listener, Sequence[str]], list[Effect]]] = {
    "act": act,
    "say": say,
    "quick": quick,
    "hint": hint,
    "away": be_away,
    "back": be_back,
    "leave": leave,
    "again": again,
    **dict.fromkeys(("invite", "game", "set", "sit", "start", "reseat", "redial", "kick"), coordinators_word),
}
