"""What the person at a coordinator's table may say: a function for each command, of the table, the command's arguments
and the time. They raise CommandError."""

from __future__ import annotations

from collections.abc import Callable

from p2pcards.ledger.payloads import address_payload
from p2pcards.session.course_commands import Arguments
from p2pcards.session.effects import CommandError, Dial, Effect, Remember, Tell
from p2pcards.session.guest import Guest
from p2pcards.session.live_game import LiveGame
from p2pcards.session.looking import LOOKS, looked
from p2pcards.session.opponents import read_opponent, read_seat
from p2pcards.session.own_seat import read_own
from p2pcards.session.redial import Calling
from p2pcards.session.table import Table
from p2pcards.session.talk import heard, read_phrase
from p2pcards.views.cast import character_name
from p2pcards.views.happenings import AgainAnswered, GameChosen, Notice, OptionSet
from p2pcards.wire.messages import Again, Chat, Quick
from p2pcards.wire.reasons import ByeCode


def game_on(table: Table) -> LiveGame:
    if table.game is None or table.game.over:
        raise CommandError("No game is on. Choose one with 'game NAME', then say 'start'.")
    return table.game


def check_between_games(table: Table) -> None:
    if not table.between_games:
        raise CommandError("A game is on; that is decided between games.")


# --- in a game --------------------------------------------------------------------------------------------------------


def act(table: Table, arguments: Arguments, now: float) -> list[Effect]:
    game = game_on(table)
    seat = game.turn()
    return game.act(seat, read_own(game.position, seat, arguments), now)


def hint(table: Table, arguments: Arguments, _now: float) -> list[Effect]:
    return table.hints.ask(game_on(table).position, arguments)


def explain(table: Table, _arguments: Arguments, _now: float) -> list[Effect]:
    return table.hints.explain(game_on(table).position)


def do_hint(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    game = game_on(table)
    seat = game.turn()
    return game.act(seat, table.hints.advised(game.position), now)


def look(kind: str) -> Callable[[Table, Arguments, float], list[Effect]]:
    """A command that shows the person at this end something of the hand that is on: one of `LOOKS`."""
    return lambda table, arguments, _now: [Tell(looked(kind, game_on(table).position, arguments, table.cast))]


def auto(table: Table, arguments: Arguments, now: float) -> list[Effect]:
    """The computer plays the coordinator's seat, or no more."""
    told = table.deputy.set(arguments, table.levels)
    return [*told, *(table.game.decide_anew(now) if table.game and not table.game.over else [])]


def claim(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    game = game_on(table)
    return _play_out(table, table.deputy.claim(game.position, game.turn()), now)


def concede(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    game = game_on(table)
    return _play_out(table, table.deputy.concede(game.position, game.turn()), now)


def _play_out(table: Table, said: str, now: float) -> list[Effect]:
    """The rest of the hand is played by itself. said: what the others are told."""
    return [*_speak(table, table.talk.say(0, (said,))), *game_on(table).decide_anew(now)]


def be_away(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    return game_on(table).be_away(True, now)


def be_back(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    return game_on(table).be_away(False, now)


def accept(_table: Table, _arguments: Arguments, _now: float) -> list[Effect]:
    raise CommandError("That is for listeners; you coordinate this table.")


def end(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    return game_on(table).end(now)


def leave(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    return table.part(now)


# --- talk -------------------------------------------------------------------------------------------------------------


def say(table: Table, arguments: Arguments, now: float) -> list[Effect]:
    table.talk.check_pace(now)
    return _speak(table, table.talk.say(0, arguments))


def quick(table: Table, arguments: Arguments, now: float) -> list[Effect]:
    phrase = read_phrase(arguments)
    table.talk.check_pace(now)
    return _speak(table, Quick(0, phrase))


def _speak(table: Table, said: Chat | Quick) -> list[Effect]:
    sent = [effect for guest in table.guests for effect in guest.send(said)]
    return [*sent, heard(said, table.me.name, mine=True)]


# --- the lobby --------------------------------------------------------------------------------------------------------


def choose(table: Table, arguments: Arguments, _now: float) -> list[Effect]:
    check_between_games(table)
    game, preset, values = table.lobby.choose(arguments)
    chosen = [Tell(GameChosen(game.name, preset)), *[Tell(OptionSet(key, value)) for key, value in values]]
    return [*table.tell_people(), *chosen]


def set_option(table: Table, arguments: Arguments, _now: float) -> list[Effect]:
    check_between_games(table)
    key, value = table.lobby.set_option(arguments)
    return [*table.tell_people(), Tell(OptionSet(key, value))]


def sit(table: Table, arguments: Arguments, _now: float) -> list[Effect]:
    check_between_games(table)
    people = {table.me.name: table.me.key} | {guest.name: guest.key for guest in table.guests}
    return [Tell(Notice(table.lobby.sit(arguments, people)))]


def partner(table: Table, arguments: Arguments, _now: float) -> list[Effect]:
    """Who sits opposite the coordinator where partners play."""
    check_between_games(table)
    said = " ".join(arguments).casefold()
    named = (guest for guest in table.guests if guest.name.casefold() == said)
    chosen = None if said == "none" else next(named, None)
    if chosen is None and said != "none":
        raise CommandError("Who is your partner? Say a name as 'who' shows it, or: partner none")
    table.attendance.pair(chosen)
    table.lobby.settle_partner([guest.key for guest in table.guests])
    if chosen is None:
        return [Tell(Notice("Everybody sits in the order in which they came."))]
    return [Tell(Notice(f"{chosen.name} sits opposite you, and is your partner where partners play."))]


def computer(table: Table, arguments: Arguments, _now: float) -> list[Effect]:
    """Who plays in a seat where no person sits."""
    check_between_games(table)
    seat, wished = read_seat(arguments[0] if arguments else ""), " ".join(arguments[1:])
    if wished.lower() == "any":
        table.lobby.place(seat, None)
        return [Tell(Notice(f"Any free character plays in seat {seat + 1}, if no person sits there."))]
    opponent = read_opponent(wished, table.cast, table.levels)
    taken = {table.me.character: table.me.name} | {guest.identity.character: guest.name for guest in table.guests}
    if opponent.character in taken:
        raise CommandError(f"That character stands for {taken[opponent.character]} at this table.")
    table.lobby.place(seat, opponent)
    name = character_name(table.cast, opponent.character)
    return [Tell(Notice(f"{name} ({opponent.level}) plays in seat {seat + 1}, if no person sits there."))]


def allow(table: Table, arguments: Arguments, _now: float) -> list[Effect]:
    """What may help people to remember and to decide."""
    check_between_games(table)
    return [Tell(Notice(table.lobby.allow(arguments)))]


def start(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    check_between_games(table)
    table.lobby.check_choice()
    return table.offer_game(now)


def again(table: Table, arguments: Arguments, now: float) -> list[Effect]:
    if table.game is None or not table.game.over:
        raise CommandError("The game is not over yet.")
    yes = (arguments[0].lower() if arguments else "yes") in ("yes", "y")
    table.lobby.answer(table.me.key, yes)
    asked = [effect for guest in table.guests for effect in guest.send(Again(0, yes))]
    return [*asked, Tell(AgainAnswered(table.me.name, yes)), *table.play_again_if_agreed(now)]


# --- people -----------------------------------------------------------------------------------------------------------


def invite(table: Table, arguments: Arguments, _now: float) -> list[Effect]:
    if table.alone:
        raise CommandError("This table plays from a seed: nobody else can sit down at it. Start one without --seed.")
    if not arguments:
        raise CommandError("Invite whom? For example: invite 192.0.2.7, or invite 192.0.2.7 partner")
    partner = tuple(arguments[1:]) == ("partner",)
    if arguments[1:] and not partner:
        raise CommandError("After the address only the word 'partner' and a code may stand.")
    if table.room() <= len(table.attendance.invited):
        raise CommandError("The table is full: a coordinator and three listeners are the most.")
    return table.attendance.invite(arguments[0], partner)


def reseat(table: Table, arguments: Arguments, _now: float) -> list[Effect]:
    game = game_on(table)
    if len(arguments) != 2:
        raise CommandError("Say the seat and the new address, for example: reseat 2 192.0.2.9")
    word, address = arguments
    side, guest = named_listener(word, game)
    if guest.here:
        raise CommandError(f"{guest.name} is here.")
    guest.redial.move(address)
    return [Remember(address_payload(side, address)), Dial(address, guest.key)]


def redial(table: Table, arguments: Arguments, _now: float) -> list[Effect]:
    """The yes to calling a telephone again, in this game also by itself."""
    name = " ".join(arguments).casefold()
    away = [guest for guest in table.guests if not (guest.here or guest.left) and guest.redial.address]
    away = [guest for guest in away if guest.redial.calling is not Calling.CALLING]
    chosen = [guest for guest in away if name in ("", guest.name.casefold())]
    if not chosen:
        others = f" Away are: {', '.join([guest.name for guest in away])}." if away else ""
        raise CommandError(f"Nobody of that name is away who could be called again.{others}")
    for guest in chosen:
        guest.redial.agree()
    return [Dial(guest.redial.address, guest.key) for guest in chosen]


def kick(table: Table, arguments: Arguments, now: float) -> list[Effect]:
    word = " ".join(arguments)
    for guest in table.guests:
        plays = not table.between_games and table.side_of(guest) is not None
        if not plays and word.casefold() == guest.name.casefold():
            return table.put_out(guest, ByeCode.PUT_OUT, "was put out", now)
    if table.between_games:
        raise CommandError(f"Nobody at this table is called {word!r}. 'who' shows the names.")
    _, guest = named_listener(word, game_on(table))
    if guest.left:
        raise CommandError(f"{guest.name} has left already, and is played by a character.")
    return table.put_out(guest, ByeCode.PUT_OUT, "was put out", now)


def named_listener(word: str, game: LiveGame) -> tuple[int, Guest]:
    """The side and the listener in a seat, named by its number (from 1) or by their name."""
    for side, guest in game.guests.items():
        seat = game.seat_of(guest)
        if word.lower() == guest.name.lower() or (seat is not None and word == str(seat + 1)):
            return side, guest
    raise CommandError(f"No listener sits at {word!r}. 'who' shows the seats.")


COMMANDS: dict[str, Callable[[Table, Arguments, float], list[Effect]]] = {
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
    "accept": accept,
    "end": end,
    "leave": leave,
    "invite": invite,
    "game": choose,
    "set": set_option,
    "sit": sit,
    "partner": partner,
    "computer": computer,
    "allow": allow,
    "start": start,
    "again": again,
    "reseat": reseat,
    "redial": redial,
    "kick": kick,
}
