"""What the person at the coordinator's table may say; each command is a function of the table, its arguments and the
time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from p2pcards.games.game import IllegalAction, Seat
from p2pcards.games.options import OptionError, set_options
from p2pcards.games.registry import UnknownGame, find_game
from p2pcards.games.spelling import read_action
from p2pcards.ledger.payloads import address_payload
from p2pcards.session.arrivals import room
from p2pcards.session.chatting import clean_chat, heard, read_phrase
from p2pcards.session.effects import Close, CommandError, Dial, Effect, Finished, Remember, Tell, Think
from p2pcards.session.guests import Guest, send
from p2pcards.session.me import Me
from p2pcards.session.running import WAITS, Running
from p2pcards.session.starting import offer_game, play_again_if_agreed
from p2pcards.views.happenings import AgainAnswered, GameChosen, Notice, OptionSet, PlayerLeft
from p2pcards.wire.messages import Again, Bye, Chat, Quick
from p2pcards.wire.reasons import ByeCode, TakeoverReason

if TYPE_CHECKING:
    from p2pcards.session.coordinator import Coordinator


def game_on(table: Coordinator) -> Running:
    if table.running is None or table.running.over:
        raise CommandError("No game is on. Choose one with 'game NAME', then say 'start'.")
    return table.running


def act(table: Coordinator, arguments: Sequence[str], now: float) -> list[Effect]:
    running = game_on(table)
    position, seat = running.position, running.own_turn()
    try:
        action = read_action(position.game, position.view, seat, " ".join(arguments).split())
    except IllegalAction as error:
        raise CommandError(str(error)) from error
    return running.act(seat, action, now)


def say(table: Coordinator, arguments: Sequence[str], _now: float) -> list[Effect]:
    text = clean_chat(" ".join(arguments))
    if not text:
        raise CommandError("Say what? For example: say hello")
    table.chats += 1
    return _talk(table, Chat(0, table.chats, text))


def quick(table: Coordinator, arguments: Sequence[str], _now: float) -> list[Effect]:
    return _talk(table, Quick(0, read_phrase(arguments)))


def _talk(table: Coordinator, said: Chat | Quick) -> list[Effect]:
    sent = [effect for guest in table.guests for effect in send(guest, said)]
    return [*sent, heard(said, table.me.name, mine=True)]


def hint(table: Coordinator, _arguments: Sequence[str], _now: float) -> list[Effect]:
    position = game_on(table).position
    seat = position.seat
    if seat is None or seat not in position.state.to_act or seat in position.substituted:
        raise CommandError("It is not your turn; there is nothing to hint at.")
    seed = int.from_bytes(table.entropy(8), "big")
    return [Think(seat, position.game, position.view, "novice", seed, hint=True)]


def be_away(table: Coordinator, _arguments: Sequence[str], now: float) -> list[Effect]:
    running = game_on(table)
    return running.takeover(own_seat(running), TakeoverReason.ASKED_FOR, now)


def be_back(table: Coordinator, _arguments: Sequence[str], now: float) -> list[Effect]:
    running = game_on(table)
    return running.give_back(own_seat(running), now)


def own_seat(running: Running) -> Seat:
    seat = running.position.seat
    if seat is None:
        raise CommandError("You are watching; nobody plays for you.")
    if running.held:
        raise CommandError(WAITS)
    return seat


def leave(table: Coordinator, _arguments: Sequence[str], now: float) -> list[Effect]:
    effects: list[Effect] = []
    if table.running is not None and not table.running.over and not table.running.held:
        effects += table.running.end(now)
    for guest in table.guests:
        if guest.peer is not None:
            effects += [*send(guest, Bye(ByeCode.LEAVES)), Close(guest.peer)]
    table.guests.clear()
    return [*effects, Finished()]


def invite(table: Coordinator, arguments: Sequence[str], _now: float) -> list[Effect]:
    if table.alone:
        raise CommandError("This table plays from a seed: nobody else can sit down at it. Start one without --seed.")
    if not arguments:
        raise CommandError("Invite whom? For example: invite 192.0.2.7, or invite 192.0.2.7 partner")
    address, partner = arguments[0], tuple(arguments[1:]) == ("partner",)
    if arguments[1:] and not partner:
        raise CommandError("After the address only the word 'partner' and a code may stand.")
    if room(table) <= len(table.invited):
        raise CommandError("The table is full: a coordinator and three listeners are the most.")
    table.invited[address] = partner
    return [Dial(address)]


def choose(table: Coordinator, arguments: Sequence[str], _now: float) -> list[Effect]:
    between_games(table)
    if not arguments:
        raise CommandError("Which game? 'games' lists them.")
    try:
        game = find_game(arguments[0])
    except UnknownGame as error:
        raise CommandError(str(error)) from error
    preset = arguments[1] if len(arguments) > 1 else next(iter(game.presets))
    if preset not in game.presets:
        raise CommandError(f"{game.name} has no preset {preset!r}. There are {', '.join(game.presets)}.")
    table.chosen = (game, game.presets[preset])
    return [*table.tell_people(), Tell(GameChosen(game=game.name, preset=preset))]


def set_option(table: Coordinator, arguments: Sequence[str], _now: float) -> list[Effect]:
    between_games(table)
    if table.chosen is None:
        raise CommandError("Choose a game first: game NAME")
    key, _, value = "=".join(arguments).replace(" ", "").partition("=")
    if not value:
        raise CommandError("An option is set like this: set end_score=50")
    game, options = table.chosen
    try:
        table.chosen = (game, set_options(options, {key: value}))
    except OptionError as error:
        raise CommandError(str(error)) from error
    return [*table.tell_people(), Tell(OptionSet(key=key, value=getattr(table.chosen[1], key)))]


def sit(table: Coordinator, arguments: Sequence[str], _now: float) -> list[Effect]:
    """Name who sits, from the first seat on; the others watch."""
    between_games(table)
    said = " ".join(arguments).lower()
    if said == "all":
        table.sitting = ()
        return [Tell(Notice(text="Everybody sits, as far as there are seats."))]
    everybody: list[Me | Guest] = [table.me, *table.guests]
    people = {person.name.lower(): person for person in everybody}
    seated = [people[name] for name in read_names(said, people)]
    table.sitting = tuple([person.key for person in seated])
    watching = [person.name for person in everybody if person not in seated]
    others = f" {', '.join(watching)} {'watches' if len(watching) == 1 else 'watch'}." if watching else ""
    return [Tell(Notice(text=f"Seats from the first: {', '.join([person.name for person in seated])}.{others}"))]


def read_names(said: str, known: Collection[str]) -> list[str]:
    """The names of a line such as "bob cy", which may have spaces in them. Raises CommandError."""
    names: list[str] = []
    rest = said.replace(",", " ").strip()
    while rest:
        name = max([name for name in known if f"{rest} ".startswith(f"{name} ")], key=len, default="")
        if not name or name in names:
            wrong = f"{name} is named twice" if name else f"nobody here is called {rest.split()[0]!r}"
            raise CommandError(f"Who is to sit? {wrong}. Here are {', '.join(known)}; 'sit all' lets everybody sit.")
        names.append(name)
        rest = rest[len(name) :].strip()
    if not names:
        raise CommandError(f"Who is to sit? Here are {', '.join(known)}; 'sit all' lets everybody sit.")
    return names


def between_games(table: Coordinator) -> None:
    if table.running is not None and not table.running.over:
        raise CommandError("A game is on; that is decided between games.")


def reseat(table: Coordinator, arguments: Sequence[str], _now: float) -> list[Effect]:
    running = game_on(table)
    if len(arguments) != 2:
        raise CommandError("Say the seat and the new address, for example: reseat 2 192.0.2.9")
    guest = guest_in(arguments[0], running)
    if guest.here:
        raise CommandError(f"{guest.name} is here.")
    side = next(side for side, other in running.guests.items() if other is guest)
    guest.address = arguments[1]
    guest.redialled()
    return [Remember(address_payload(side, guest.address)), Dial(guest.address, guest.key)]


def redial(table: Coordinator, arguments: Sequence[str], _now: float) -> list[Effect]:
    """The yes to calling a telephone again, in this game also by itself."""
    name = " ".join(arguments).casefold()
    away = [one for one in table.guests if not (one.here or one.gone or one.dialling) and one.address]
    chosen = [guest for guest in away if name in ("", guest.name.casefold())]
    if not chosen:
        others = f" Away are: {', '.join([guest.name for guest in away])}." if away else ""
        raise CommandError(f"Nobody of that name is away who could be called again.{others}")
    for guest in chosen:
        guest.consent = True
        guest.redialled()
    return [Dial(guest.address, guest.key) for guest in chosen]


def kick(table: Coordinator, arguments: Sequence[str], now: float) -> list[Effect]:
    word = arguments[0] if arguments else ""
    between = table.running is None or table.running.over
    for guest in table.guests:
        if (between or table.side_of(guest) is None) and word.casefold() == guest.name.casefold():
            return table.put_out(guest, ByeCode.PUT_OUT, "was put out", now)
    if between:
        raise CommandError(f"Nobody at this table is called {word!r}. 'who' shows the names.")
    running = game_on(table)
    guest = guest_in(word, running)
    guest.gone = True
    effects: list[Effect] = []
    if guest.peer is not None:
        effects += [*send(guest, Bye(ByeCode.PUT_OUT)), Close(guest.peer)]
    guest.lose(now)
    guest.redial_at = None
    side = next(side for side, other in running.guests.items() if other is guest)
    effects += [Tell(PlayerLeft(name=guest.name, why="was put out")), *table.tell_people()]
    return effects + running.settle(side, now)


def guest_in(word: str, running: Running) -> Guest:
    """The listener in a seat, named by its number (from 1) or by her name."""
    for side, guest in running.guests.items():
        seat = running.position.header.seat_of(side)
        if word.lower() == guest.name.lower() or (seat is not None and word == str(seat + 1)):
            return guest
    raise CommandError(f"No listener sits at {word!r}. 'who' shows the seats.")


def again(table: Coordinator, arguments: Sequence[str], now: float) -> list[Effect]:
    if table.running is None or not table.running.over:
        raise CommandError("The game is not over yet.")
    yes = (arguments[0].lower() if arguments else "yes") in ("yes", "y")
    table.my_again = yes
    asked = [effect for guest in table.guests for effect in send(guest, Again(0, yes))]
    answer = Tell(AgainAnswered(name=table.me.name, yes=yes))
    return [*asked, answer, *play_again_if_agreed(table, now)]


def start(table: Coordinator, _arguments: Sequence[str], now: float) -> list[Effect]:
    between_games(table)
    if table.chosen is None:
        raise CommandError("Choose a game first: game NAME")
    game, options = table.chosen
    seats = game.seats(options)
    if len(table.sitting) > seats:
        raise CommandError(f"{game.name} has {seats} seats here, and {len(table.sitting)} are to sit: say 'sit' again.")
    return offer_game(table, now)


COMMANDS: dict[str, Callable[[Coordinator, Sequence[str], float], list[Effect]]] = {
    "act": act,
    "say": say,
    "quick": quick,
    "hint": hint,
    "away": be_away,
    "back": be_back,
    "leave": leave,
    "invite": invite,
    "game": choose,
    "set": set_option,
    "sit": sit,
    "start": start,
    "again": again,
    "reseat": reseat,
    "redial": redial,
    "kick": kick,
}
