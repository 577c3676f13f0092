"""The words of the person at a listener's table: a function for each command, of the table and the command's arguments.
They raise CommandError."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from p2pcards.games.game import Action
from p2pcards.ledger.advance import check_yes
from p2pcards.ledger.transitions import Phase
from p2pcards.session.bounds import heard, read_phrase
from p2pcards.session.effects import CommandError, Effect, Finished, TakeTable, Tell
from p2pcards.session.followed_game import FollowedGame
from p2pcards.session.listener_table import ListenerTable
from p2pcards.session.own_seat import (
    KEEPS_SEAT,
    LOOKS,
    NOT_SHOWN,
    check_shown,
    gives_seat_text,
    kept_seat,
    look_at,
    named_newcomer,
    named_watcher,
    read_own,
    shows_hand_text,
)
from p2pcards.session.proposals import FOR_ONE, NO_PROPOSAL, wanted
from p2pcards.views.happenings import Notice, Proposed, SaidNo
from p2pcards.wire.messages import Again, Away, Chat, Give, Proposal, Quick, ShowHand, Vote
from p2pcards.wire.packing import Refused
from p2pcards.wire.records import EntryKind, Yes

WATCHERS_ARE_QUIET = "Watchers can't talk or vote. Type 'sit' to ask for a seat."
NOBODY_HEARS = "Nobody else is connected right now."
NOT_CONNECTED = "The host isn't connected. Your seat is kept, and you can play when they're back."

# --- words that change the course of a hand ---------------------------------------------------------------------------


Arguments = Sequence[str]
AWAY = "The host isn't connected, so nobody can agree to that now."


# --- what my player says ----------------------------------------------------------------------------------------------


def undo(table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    """Command: propose to take back the last event."""
    return _propose(table, EntryKind.UNDO)


def redeal(table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    """Command: propose to deal the hand again."""
    return _propose(table, EntryKind.REDEAL)


def _propose(table: ListenerTable, what: EntryKind) -> list[Effect]:
    """Send a proposal that the rules allow now. Raises CommandError."""
    game = game_on(table)
    check_connected(table, AWAY)
    position = game.position
    try:
        entry = wanted(what, position, position.side)
    except Refused as refusal:
        raise CommandError(str(refusal)) from refusal
    yes = game.follower.yes(entry)
    proposal = Proposal(what, entry.base, yes.side, yes.signature)
    game.propose(proposal)
    return [*table.link.send(proposal), Tell(Proposed(table.me.name, what is EntryKind.REDEAL, mine=True))]


def yes(table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    """Command: agree to the open proposal."""
    game = game_on(table)
    proposal = _to_answer(table, game)
    said = game.follower.yes(wanted(proposal.what, game.position, proposal.side))
    game.propose(None)
    return table.link.send(Vote(proposal.base, said.side, said.signature))


def no(table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    """Command: refuse the open proposal."""
    game = game_on(table)
    proposal = _to_answer(table, game)
    game.propose(None)
    vote = Vote(proposal.base, game.position.side, b"")
    return [*table.link.send(vote), Tell(SaidNo(table.me.name, mine=True))]


def _to_answer(table: ListenerTable, game: FollowedGame) -> Proposal:
    """The proposal that waits for this player's answer. Raises CommandError."""
    check_connected(table, AWAY)
    if game.to_answer is None:
        raise CommandError(NO_PROPOSAL)
    return game.to_answer


def for_one(_table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    """Command of a game alone; always raises CommandError at a table with people."""
    raise CommandError(FOR_ONE)


# --- what the coordinator says ----------------------------------------------------------------------------------------


def take_proposal(game: FollowedGame, said: Proposal) -> list[Effect]:
    """Take a proposal of another side. One that a record has overtaken is ignored. Raises Refused for a wrong
    signature."""
    position = game.position
    if said.base != position.count or said.side == position.side or said.side >= len(position.header.sides):
        return []
    try:
        entry = wanted(said.what, position, said.side)
    except Refused:
        return []
    if said.side:
        check_yes(position, entry, Yes(said.side, said.signature))
    game.propose(said)
    return [Tell(Proposed(position.names[said.side], said.what is EntryKind.REDEAL))]


def take_vote(game: FollowedGame, said: Vote) -> list[Effect]:
    """Take another side's no, which the coordinator passes on to everybody."""
    position = game.position
    if said.base != position.count or said.signature or said.side >= len(position.header.sides):
        return []
    game.propose(None)
    return [Tell(SaidNo(position.names[said.side]))]


# --- what the person at a listener's table may say --------------------------------------------------------------------


def game_on(table: ListenerTable) -> FollowedGame:
    """The game in progress in which the player has a side. Raises CommandError."""
    if table.looks_on:
        raise CommandError("You can't do that while you're watching.")
    if table.game is None or table.game.position.phase is Phase.CLOSED:
        raise CommandError("No game in progress.")
    return table.game


def check_connected(table: ListenerTable, sentence: str) -> None:
    """Raise CommandError with this sentence unless the coordinator is connected."""
    if table.link.peer is None:
        raise CommandError(sentence)


def act(table: ListenerTable, arguments: Arguments) -> list[Effect]:
    """Command: play an action in the own seat."""
    game = game_on(table)
    return _play(table, game, read_own(game.position, game.turn(), arguments))


def _play(table: ListenerTable, game: FollowedGame, action: Action) -> list[Effect]:
    """Play an action if the coordinator is connected. Raises CommandError."""
    check_connected(table, NOT_CONNECTED)
    return game.play(action)


def say(table: ListenerTable, arguments: Arguments) -> list[Effect]:
    """Command: say a line to everybody."""
    you = place_at_table(table)
    check_connected(table, NOBODY_HEARS)
    return _speak(table, table.talk.say(you, arguments))


def place_at_table(table: ListenerTable) -> int:
    """Our player's place in PEOPLE. Raises CommandError if they watch."""
    if table.watches or table.people.said.you is None:
        raise CommandError(WATCHERS_ARE_QUIET)
    return table.people.said.you


def sit(table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    """Command: ask for a seat at a table that our player watches."""
    if not table.watches:
        raise CommandError("Only the host can seat players. Type 'say' to ask for it.")
    if not table.people.said.people:
        raise CommandError("The host hasn't let you watch yet.")
    check_connected(table, "The host isn't connected, so there's nobody to ask.")
    return table.ask_for_seat()


def quick(table: ListenerTable, arguments: Arguments) -> list[Effect]:
    """Command: say a quick phrase or gesture."""
    said = Quick(place_at_table(table), read_phrase(arguments))
    check_connected(table, NOBODY_HEARS)
    return _speak(table, said)


def _speak(table: ListenerTable, said: Chat | Quick) -> list[Effect]:
    """Send a chat line or phrase, and show it here."""
    return [*table.link.send(said), heard(said, table.me.name, mine=True)]


def hint(table: ListenerTable, arguments: Arguments) -> list[Effect]:
    """Command: ask for a hint."""
    return table.hints.ask(game_on(table).position, arguments, lambda: do_hint(table, ()))


def explain(table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    """Command: explain the choices."""
    return table.hints.explain(game_on(table).position)


def do_hint(table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    """Command: play what the last hint advised."""
    game = game_on(table)
    game.turn()
    return _play(table, game, table.hints.advised(game.position))


def look(kind: str) -> Callable[[ListenerTable, Arguments], list[Effect]]:
    """Make a command that shows something of the current hand: one of `LOOKS`."""
    return lambda table, arguments: [Tell(look_at(kind, game_on(table).position, arguments, table.cast))]


def auto(table: ListenerTable, arguments: Arguments) -> list[Effect]:
    """Command: have the computer play this seat, or stop it."""
    told = table.deputy.set(arguments, table.levels, table.game.position.game if table.game else None)
    on = table.game is not None and table.link.peer is not None
    return [*told, *(table.game.decide_anew() if table.game and on else [])]


def claim(table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    """Command: claim the rest of the hand, which is then played out."""
    game = _connected_game(table)
    return _play_out(table, table.deputy.claim(game.position, game.turn()))


def concede(table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    """Command: concede the rest of the hand, which is then played out."""
    game = _connected_game(table)
    return _play_out(table, table.deputy.concede(game.position, game.turn()))


def _connected_game(table: ListenerTable) -> FollowedGame:
    """The game in progress, with the coordinator connected. Raises CommandError."""
    game = game_on(table)
    check_connected(table, NOT_CONNECTED)
    return game


def _play_out(table: ListenerTable, said: str) -> list[Effect]:
    """Have the rest of the hand played by itself. said: the sentence for the others."""
    return [*say(table, (said,)), *game_on(table).decide_anew()]


def be_away(table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    """Command: have the character play this seat."""
    return _ask_character(table, True)


def be_back(table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    """Command: play this seat again."""
    return _ask_character(table, False)


def _ask_character(table: ListenerTable, away: bool) -> list[Effect]:
    """Ask the coordinator to have the character play this seat, or no longer."""
    kept_seat(game_on(table).position)
    check_connected(table, "The host isn't connected, so there's nobody to tell.")
    if away:
        game_on(table).note_away()
    return table.link.send(Away(away))


def give(table: ListenerTable, arguments: Arguments) -> list[Effect]:
    """Command: give this seat to a watcher after this hand, or to nobody with `none`."""
    kept_seat(game_on(table).position)
    check_connected(table, "The host isn't connected, so there's nobody to tell.")
    if [word.lower() for word in arguments] == ["none"]:
        table.note_giving(False)
        return [*table.link.send(Give(None)), Tell(Notice(KEEPS_SEAT))]
    waiting = [one.name for one in table.people.said.people if one.here and one.seat is None]
    name = named_newcomer(arguments, waiting, [one.name for one in table.people.watchers])
    table.note_giving(True)
    return [*table.link.send(Give(name)), Tell(Notice(gives_seat_text(name)))]


def show(table: ListenerTable, arguments: Arguments) -> list[Effect]:
    """Command: show our hand to a watcher, or to nobody with `none`."""
    kept_seat(game_on(table).position)
    check_connected(table, "The host isn't connected, so nobody is watching.")
    if [word.lower() for word in arguments] == ["none"]:
        shown = table.hand_shown.key
        table.hand_shown.show_to(b"")
        return [*(table.link.send(ShowHand(shown, b"")) if shown else []), Tell(Notice(NOT_SHOWN))]
    watchers = {one.name: one for one in table.people.watchers}
    watcher = watchers[named_watcher(arguments, watchers)]
    check_shown(watcher.name, watcher.sees)
    old = table.hand_shown.key
    table.hand_shown.show_to(watcher.key)
    hidden = table.link.send(ShowHand(old, b"")) if old not in (b"", watcher.key) else []
    return [*hidden, Tell(Notice(shows_hand_text(watcher.name)))]


def next_hand(table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    """Command: go on to the next hand."""
    return game_on(table).next_hand()


def leave(table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    """Command: leave the table for good."""
    return [*table.leave(), Finished()]


def again(table: ListenerTable, arguments: Arguments) -> list[Effect]:
    """Command: answer "play again?"."""
    position = table.position
    if position is None or position.phase is not Phase.CLOSED or table.link.peer is None:
        raise CommandError("There's no finished game to play again.")
    yes = (arguments[0].lower() if arguments else "yes") in ("yes", "y")
    you = place_at_table(table)
    return [*table.link.send(Again(you, yes)), Tell(table.people.answer_again(you, yes))]


def play_on(table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    """Command: play on without a coordinator who is gone."""
    table.successor.take()
    return [TakeTable(table.inheritance(), insists=True)]


def accept(table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    """Command: play on with a coordinator who is in doubt."""
    if table.game is not None and table.game.asks and not table.doubt.key:
        return [Tell(Notice(f"Playing on with {table.link.name}.")), *table.game.agree()]
    return [Tell(Notice(f"You'll play on with {table.doubt.accept()} when they call back."))]


def coordinators_word(_table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    """Command of the host alone; always raises CommandError."""
    raise CommandError("Only the host can do that. Type 'say' to ask for it.")


COMMANDS: dict[str, Callable[[ListenerTable, Arguments], list[Effect]]] = {
    "act": act,
    "say": say,
    "quick": quick,
    "hint": hint,
    "explain": explain,
    "do": do_hint,
    **{kind: look(kind) for kind in LOOKS},
    "auto": auto,
    "claim": claim,
    "concede": concede,
    "away": be_away,
    "back": be_back,
    "give": give,
    "show": show,
    "sit": sit,
    "next": next_hand,
    "leave": leave,
    "again": again,
    "accept": accept,
    "continue": play_on,
    **dict.fromkeys(("invite", "game", "set", "partner", "computer", "allow", "start", "end"), coordinators_word),
    **dict.fromkeys(("reseat", "redial", "kick", "seat", "seats", "handover", "watchers"), coordinators_word),
    "undo": undo,
    "redeal": redeal,
    "yes": yes,
    "no": no,
    **dict.fromkeys(("restart", "swap", "open"), for_one),
}
