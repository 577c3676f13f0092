"""The words of the person at a coordinator's table: a function for each command, of the table, the command's arguments
and the time. They raise CommandError."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from p2pcards.games.game import Seat
from p2pcards.ledger.advance import events_to_take_back, offered_actions
from p2pcards.ledger.payloads import address_payload
from p2pcards.ledger.position import Position
from p2pcards.ledger.writer import LedgerWriter, Logged
from p2pcards.session.bounds import heard, read_phrase
from p2pcards.session.effects import CommandError, Dial, Effect, Remember, Tell
from p2pcards.session.gallery_words import named_in_gallery, put_out_watcher, watchers
from p2pcards.session.guests import Calling, Guest
from p2pcards.session.live_game import LiveGame
from p2pcards.session.lobby import SEATS, read_opponent, read_seat
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
from p2pcards.session.proposals import FOR_ONE, NO_PROPOSAL
from p2pcards.session.table import Table
from p2pcards.views.happenings import AgainAnswered, GameChosen, Notice
from p2pcards.views.standpoint import character_name, player_name, tell_game_chosen, tell_option_set
from p2pcards.wire.messages import Again, Chat, Proposal, Quick, Vote
from p2pcards.wire.packing import Cause, Refused
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.records import EntryKind

# --- words that change the course of a hand ---------------------------------------------------------------------------


Arguments = Sequence[str]


# --- what everybody has to agree to -----------------------------------------------------------------------------------


def undo(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    """Command: take back the last event; alone, back to the last real decision."""
    effects, game = _ask_everyone(table, EntryKind.UNDO, now), game_on(table)
    while game.position.alone and _was_forced(game.position):
        effects += _ask_everyone(table, EntryKind.UNDO, now)
    return effects


def _was_forced(position: Position) -> bool:
    """True if the own seat has only one thing to do and something to take back before it."""
    seat = position.seat
    if seat is None or len(offered_actions(position, seat)) != 1:
        return False
    try:
        return bool(events_to_take_back(position))
    except Refused:
        return False


def redeal(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    """Command: deal the hand again, if everybody agrees."""
    return _ask_everyone(table, EntryKind.REDEAL, now)


def _ask_everyone(table: Table, what: EntryKind, now: float) -> list[Effect]:
    """Propose an UNDO or REDEAL in the coordinator's name, or do it if nobody else has to agree."""
    game = game_on(table)
    return _refusal_as_error(lambda: propose(game, what, 0, b"", now))


def yes(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    """Command: agree to the open proposal."""
    game = game_on(table)
    _check_proposal(game)
    game.proposals.agree()
    return done_if_agreed(game, now)


def no(table: Table, _arguments: Arguments, _now: float) -> list[Effect]:
    """Command: refuse the open proposal."""
    game = game_on(table)
    return game.proposals.vote(0, _check_proposal(game), b"")


def _check_proposal(game: LiveGame) -> int:
    """The base of the proposal that the coordinator has yet to answer. Raises CommandError."""
    proposal = game.proposals.open
    if proposal is None or 0 in proposal.yeses:
        raise CommandError(NO_PROPOSAL)
    return proposal.entry.base


def propose(game: LiveGame, what: EntryKind, side: int, signature: bytes, now: float) -> list[Effect]:
    """Propose an undo or redeal in the name of a side, or do it if nobody else has to agree. Raises Refused."""
    return game.proposals.propose(what, side, signature) + done_if_agreed(game, now)


def done_if_agreed(game: LiveGame, now: float) -> list[Effect]:
    """Carry out the open proposal if everybody has agreed."""
    return game.change_course(lambda _writer: game.proposals.agreed(), now)


# --- what listeners say of it -----------------------------------------------------------------------------------------


def take_proposal(game: LiveGame, side: int, said: Proposal, now: float) -> list[Effect]:
    """Take a listener's proposal. One that a record has overtaken is ignored. Raises Refused for a wrong signature."""
    passed_over = said.side != side or said.base != game.position.count or game.awaiting_logs
    if passed_over or game.proposals.open is not None:
        return []
    try:
        return propose(game, said.what, side, said.signature, now)
    except Refused as refusal:
        if refusal.cause is Cause.SIGNATURE:
            raise
        return game.guests[side].send(Vote(said.base, 0, b""))


def take_vote(game: LiveGame, side: int, said: Vote, now: float) -> list[Effect]:
    """Take a listener's vote. Raises Refused for a wrong signature."""
    if game.awaiting_logs:
        return []
    return game.proposals.vote(side, said.base, said.signature) + done_if_agreed(game, now)


# --- alone ------------------------------------------------------------------------------------------------------------


def restart(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    """Command, alone: deal the same hand again."""
    return _change_alone(table, LedgerWriter.restart, now)


def swap(table: Table, arguments: Arguments, now: float) -> list[Effect]:
    """Command, alone: swap hands with another seat."""
    seat = _other_seat(_position_alone(table), table, " ".join(arguments).lower())
    return _change_alone(table, lambda writer: writer.swap(seat), now)


def _other_seat(position: Position, table: Table, said: str) -> Seat:
    """The seat named by number (from 1) or player; may be "" where there is only one other. Raises CommandError."""
    others = [seat for seat in range(len(position.header.seats)) if seat != position.seat]
    names = {seat: player_name(position, seat, table.cast) for seat in others}
    meant = [seat for seat, name in names.items() if said in (str(seat + 1), name.lower(), *name.lower().split())]
    found = others if not said else meant
    if len(found) == 1:
        return found[0]
    listed = ", ".join([f"{seat + 1} {name}" for seat, name in names.items()])
    raise CommandError(f"Who do you want to swap hands with? Give a seat or a name: {listed}.")


def face_up(table: Table, arguments: Arguments, now: float) -> list[Effect]:
    """Command, alone: show all hands face up, or no longer."""
    said = " ".join(arguments).lower().removeprefix("cards").strip()
    up = {"on": True, "off": False, "": not _position_alone(table).face_up}.get(said)
    if up is None:
        raise CommandError("Type 'open on' to see everyone's cards, or 'open off'.")
    return _change_alone(table, lambda writer: writer.turn_hands(up), now)


def _position_alone(table: Table) -> Position:
    """The position of the game in progress, which the person here plays alone. Raises CommandError."""
    position = game_on(table).position
    if not position.alone:
        raise CommandError(FOR_ONE)
    return position


def _change_alone(table: Table, change: Callable[[LedgerWriter], Logged], now: float) -> list[Effect]:
    """Change the course of a game that the person here plays alone. Raises CommandError."""
    _position_alone(table)
    return _refusal_as_error(lambda: game_on(table).change_course(change, now))


def _refusal_as_error(step: Callable[[], list[Effect]]) -> list[Effect]:
    """Run a step, with a Refused turned into a CommandError for the player."""
    try:
        return step()
    except Refused as refusal:
        raise CommandError(str(refusal)) from refusal


# --- what the person at a coordinator's table may say -----------------------------------------------------------------


def game_on(table: Table) -> LiveGame:
    """The game in progress. Raises CommandError."""
    if table.game is None or table.game.over:
        raise CommandError("No game in progress. Pick one with 'game NAME', then type 'start'.")
    return table.game


def check_between_games(table: Table) -> None:
    """Raise CommandError during a game."""
    if not table.between_games:
        raise CommandError("You can only change that between games.")


# --- in a game --------------------------------------------------------------------------------------------------------


def act(table: Table, arguments: Arguments, now: float) -> list[Effect]:
    """Command: play an action in the own seat."""
    game = game_on(table)
    seat = game.turn()
    return game.act(seat, read_own(game.position, seat, arguments), now)


def hint(table: Table, arguments: Arguments, now: float) -> list[Effect]:
    """Command: ask for a hint."""
    return table.hints.ask(game_on(table).position, arguments, lambda: do_hint(table, (), now))


def explain(table: Table, _arguments: Arguments, _now: float) -> list[Effect]:
    """Command: explain the choices."""
    return table.hints.explain(game_on(table).position)


def do_hint(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    """Command: play what the last hint advised."""
    game = game_on(table)
    seat = game.turn()
    return game.act(seat, table.hints.advised(game.position), now)


def look(kind: str) -> Callable[[Table, Arguments, float], list[Effect]]:
    """Make a command that shows something of the current hand: one of `LOOKS`."""
    return lambda table, arguments, _now: [Tell(look_at(kind, game_on(table).position, arguments, table.cast))]


def next_hand(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    """Command: go on to the next hand."""
    return game_on(table).next_hand(now)


def auto(table: Table, arguments: Arguments, now: float) -> list[Effect]:
    """Command: have the computer play the coordinator's seat, or stop it."""
    told = table.deputy.set(arguments, table.levels, table.game_chosen())
    return [*told, *(table.game.decide_anew(now) if table.game and not table.game.over else [])]


def claim(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    """Command: claim the rest of the hand, which is then played out."""
    game = game_on(table)
    return _play_out(table, table.deputy.claim(game.position, game.turn()), now)


def concede(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    """Command: concede the rest of the hand, which is then played out."""
    game = game_on(table)
    return _play_out(table, table.deputy.concede(game.position, game.turn()), now)


def _play_out(table: Table, said: str, now: float) -> list[Effect]:
    """Have the rest of the hand played by itself. said: the sentence for the others."""
    return [*_speak(table, table.talk.say(0, (said,))), *game_on(table).decide_anew(now)]


def be_away(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    """Command: have the coordinator's character play."""
    return game_on(table).be_away(True, now)


def be_back(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    """Command: play the coordinator's seat again."""
    return game_on(table).be_away(False, now)


def accept(_table: Table, _arguments: Arguments, _now: float) -> list[Effect]:
    """Command of listeners; always raises CommandError at the host's table."""
    raise CommandError("You're the host, so there's nothing to accept.")


def end(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    """Command: end the game in progress."""
    return game_on(table).end_game(now)


def leave(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    """Command: leave the table, which ends it."""
    return table.part(now)


# --- talk -------------------------------------------------------------------------------------------------------------


def say(table: Table, arguments: Arguments, now: float) -> list[Effect]:
    """Command: say a line to everybody."""
    table.talk.check_pace(now)
    return _speak(table, table.talk.say(0, arguments))


def quick(table: Table, arguments: Arguments, now: float) -> list[Effect]:
    """Command: say a quick phrase or gesture."""
    phrase = read_phrase(arguments)
    table.talk.check_pace(now)
    return _speak(table, Quick(0, phrase))


def _speak(table: Table, said: Chat | Quick) -> list[Effect]:
    """Send a chat line or phrase to everybody, and show it here."""
    table.gallery.note(said)
    sent = [effect for guest in table.guests for effect in guest.send(said)]
    return [*sent, heard(said, table.me.name, mine=True)]


# --- the lobby --------------------------------------------------------------------------------------------------------


def choose(table: Table, arguments: Arguments, _now: float) -> list[Effect]:
    """Command: choose a game, with preset and options."""
    check_between_games(table)
    choice, preset, changed = table.lobby.choose(arguments)
    told = tell_game_chosen(choice.game, choice.options, preset)
    told += [tell_option_set(choice.game, choice.options, key) for key in changed]
    if not table.guests:  # who is alone reads the rules in the lobby, or as the game begins
        told = [replace(one, rules="") if isinstance(one, GameChosen) else one for one in told]
    seated = [one.level for one in table.lobby.opponents.values()]
    if note := table.notes.new_notes(choice.game, [*seated, *filter(None, [table.deputy.auto])]):
        told.append(Notice(note))
    return [*table.tell_people(), *map(Tell, told)]


def set_option(table: Table, arguments: Arguments, _now: float) -> list[Effect]:
    """Command: set a rule option."""
    check_between_games(table)
    choice, key = table.lobby.set_option(arguments)
    return [*table.tell_people(), Tell(tell_option_set(choice.game, choice.options, key))]


def sit(table: Table, arguments: Arguments, _now: float) -> list[Effect]:
    """Command: name who sits, in order of the seats."""
    check_between_games(table)
    people = {table.me.name: table.me.key} | {guest.name: guest.key for guest in table.guests}
    return [Tell(Notice(table.lobby.sit(arguments, people)))]


def partner(table: Table, arguments: Arguments, _now: float) -> list[Effect]:
    """Command: name who sits opposite the coordinator."""
    check_between_games(table)
    said = " ".join(arguments).casefold()
    named = (guest for guest in table.guests if guest.name.casefold() == said)
    chosen = None if said == "none" else next(named, None)
    if chosen is None and said != "none":
        raise CommandError("Who is your partner? Give a name from 'who', or: partner none")
    table.attendance.pair(chosen)
    table.lobby.settle_partner([guest.key for guest in table.guests])
    if chosen is None:
        return [Tell(Notice("Everyone sits in the order they joined."))]
    return [Tell(Notice(f"{chosen.name} sits across from you, as your partner in partnership games."))]


def computer(table: Table, arguments: Arguments, _now: float) -> list[Effect]:
    """Command: set which computer player sits in a seat."""
    check_between_games(table)
    seat, wished = read_seat(arguments[0] if arguments else ""), " ".join(arguments[1:])
    if wished.lower() == "any":
        table.lobby.place(seat, None)
        return [Tell(Notice(f"Any free character plays in seat {seat + 1} if nobody sits there."))]
    opponent = read_opponent(wished, table.cast, table.levels)
    taken = {table.me.character: table.me.name} | {guest.identity.character: guest.name for guest in table.guests}
    if opponent.character in taken:
        raise CommandError(f"{taken[opponent.character]} already has that character.")
    table.lobby.place(seat, opponent)
    name = character_name(table.cast, opponent.character)
    said = f"{name} ({opponent.level}) plays in seat {seat + 1} if nobody sits there."
    return [Tell(Notice(f"{said} {table.notes.new_notes(table.game_chosen(), [opponent.level])}".strip()))]


def allow(table: Table, arguments: Arguments, _now: float) -> list[Effect]:
    """Command: set which assists people may use."""
    check_between_games(table)
    return [Tell(Notice(table.lobby.allow(arguments)))]


def start(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    """Command: offer the chosen game."""
    check_between_games(table)
    table.lobby.check_choice()
    table.check_everybody_is_here()
    return table.offer_game(now)


def again(table: Table, arguments: Arguments, now: float) -> list[Effect]:
    """Command: answer "play again?"."""
    if table.game is None or not table.game.over:
        raise CommandError("The game isn't over yet.")
    yes = (arguments[0].lower() if arguments else "yes") in ("yes", "y")
    table.lobby.answer(table.me.key, yes)
    asked = [effect for guest in table.guests for effect in guest.send(Again(0, yes))]
    told = [Tell(AgainAnswered(table.me.name, yes)), *(table.tell_who_is_missed() if yes else [])]
    return [*asked, *told, *table.play_again_if_agreed(now)]


# --- people -----------------------------------------------------------------------------------------------------------


def invite(table: Table, arguments: Arguments, _now: float) -> list[Effect]:
    """Command: call an address. arguments: the address, and `partner` if they are to be the partner."""
    if table.alone:
        raise CommandError("This table uses --seed, so nobody can join. Start one without it.")
    if not arguments:
        raise CommandError("Who do you want to invite? For example: invite 192.0.2.7, or invite 192.0.2.7 partner")
    partner = tuple(arguments[1:]) == ("partner",)
    if arguments[1:] and not partner:
        raise CommandError("After the address you can only add 'partner' and a code.")
    if table.room() <= len(table.attendance.invited):
        raise CommandError("The table is full (four players).")
    return table.attendance.invite(arguments[0], partner)


def reseat(table: Table, arguments: Arguments, _now: float) -> list[Effect]:
    """Command: call the player of a seat at another address."""
    game = game_on(table)
    if len(arguments) != 2:
        raise CommandError("Give the seat and the new address, for example: reseat 2 192.0.2.9")
    word, address = arguments
    side, guest = named_listener(word, game)
    if guest.here:
        raise CommandError(f"{guest.name} is already here.")
    guest.redial.move(address)
    return [Remember(address_payload(side, address)), Dial(address, guest.key)]


def redial(table: Table, arguments: Arguments, _now: float) -> list[Effect]:
    """Command: agree to call a telephone number again, later in this game without asking."""
    name = " ".join(arguments).casefold()
    away = [guest for guest in table.guests if not (guest.here or guest.left) and guest.redial.address]
    away = [guest for guest in away if guest.redial.calling is not Calling.CALLING]
    chosen = [guest for guest in away if name in ("", guest.name.casefold())]
    if not chosen:
        others = f" You can call: {', '.join([guest.name for guest in away])}." if away else ""
        raise CommandError(f"There's nobody {'by that name ' * bool(name)}to call back.{others}")
    for guest in chosen:
        guest.redial.agree()
    return [Dial(guest.redial.address, guest.key) for guest in chosen]


def seat(table: Table, arguments: Arguments, now: float) -> list[Effect]:
    """Command: seat a watcher in place of a computer player after this hand; `none` drops all such plans."""
    game_on(table)
    if [word.lower() for word in arguments] == ["none"]:
        return table.plan_seats({}, "The seats stay as they are.", now)
    *name, number = arguments if len(arguments) > 1 and arguments[-1] in SEATS else (*arguments, "")
    behind = [one.shown for one in table.gallery.watching]
    newcomer = named_newcomer(name, table.watchers(), behind, "Who should sit down?")
    return table.plan_seat(newcomer, read_seat(number) if number else None, now)


def seats(table: Table, arguments: Arguments, now: float) -> list[Effect]:
    """Command: whether whoever comes during a game takes a computer's seat after the hand, or waits to be seated."""
    said = " ".join(arguments).lower()
    if said not in ("open", "ask"):
        raise CommandError("Type 'seats open' to let newcomers sit down after a hand, or 'seats ask'.")
    table.lobby.open_seats(said == "open")
    if not table.lobby.seats_open:
        return [Tell(Notice("Newcomers watch until you seat them: seat NAME"))]
    told: list[Effect] = [Tell(Notice("Newcomers take a computer's seat after the hand."))]
    return told + [effect for guest in table.guests for effect in table.plan_newcomer(guest, now)]


def give(table: Table, arguments: Arguments, now: float) -> list[Effect]:
    """Command: give the coordinator's seat to a watcher after this hand."""
    game = game_on(table)
    mine = kept_seat(game.position)
    if [word.lower() for word in arguments] == ["none"]:
        return table.plan_seats({seat: key for seat, key in game.changes.items() if seat != mine}, KEEPS_SEAT, now)
    waiting = table.watchers()
    newcomer = named_newcomer(arguments, waiting, [one.shown for one in table.gallery.watching])
    taker = waiting[newcomer]
    changes = {seat: key for seat, key in game.changes.items() if key != taker}
    return table.plan_seats({**changes, mine: taker}, gives_seat_text(newcomer), now)


def show(table: Table, arguments: Arguments, _now: float) -> list[Effect]:
    """Command: show the coordinator's hand to a watcher, or to nobody with `none`."""
    kept_seat(game_on(table).position)
    if [word.lower() for word in arguments] == ["none"]:
        return [*table.show_hand_to(b""), Tell(Notice(NOT_SHOWN))]
    watchers = {one.shown: one for one in table.gallery.watching}
    watcher = watchers[named_watcher(arguments, watchers)]
    check_shown(watcher.shown, "" if watcher.sees in (b"", table.me.key) else table.name_of(watcher.sees))
    return [*table.show_hand_to(watcher.key), Tell(Notice(shows_hand_text(watcher.shown)))]


def handover(table: Table, arguments: Arguments, now: float) -> list[Effect]:
    """Command: have a guest coordinate the table after this hand, or at once between games."""
    said, on = " ".join(arguments).casefold(), not table.between_games
    heirs = [one for one in table.guests if one.here and not (on and table.seat_of(one) is None)]
    heir = next((one for one in heirs if one.name.casefold() == said), None)
    if heir is None:
        names = ", ".join([one.name for one in heirs])
        raise CommandError(f"Who should host? You can choose {names}." if names else "Nobody here could host.")
    return table.plan_handover(heir, now)


def play_on(table: Table, _arguments: Arguments, _now: float) -> list[Effect]:
    """Command: play on with those who are here, at a table that was taken over."""
    if not table.host.gathers:
        raise CommandError("You're already hosting this game.")
    table.host.insist()
    return []


def kick(table: Table, arguments: Arguments, now: float) -> list[Effect]:
    """Command: remove a guest between games, or a watcher."""
    word = " ".join(arguments)
    if (watcher := named_in_gallery(table, word)) is not None:
        return put_out_watcher(table, watcher, ByeCode.PUT_OUT)
    for guest in table.guests:
        plays = not table.between_games and table.side_of(guest) is not None
        if not plays and word.casefold() == guest.name.casefold():
            return table.put_out(guest, ByeCode.PUT_OUT, "was removed from the table", now)
    if table.between_games:
        raise CommandError(f"Nobody here is called {word!r}. Type 'who' for the names.")
    _, guest = named_listener(word, game_on(table))
    if guest.left:
        raise CommandError(f"{guest.name} has already left.")
    return table.put_out(guest, ByeCode.PUT_OUT, "was removed from the table", now)


def named_listener(word: str, game: LiveGame) -> tuple[int, Guest]:
    """(side, guest) of the listener in a seat, named by number (from 1) or name. Raises CommandError."""
    for side, guest in game.guests.items():
        seat = game.seat_of(guest)
        if word.lower() == guest.name.lower() or (seat is not None and word == str(seat + 1)):
            return side, guest
    raise CommandError(f"No friend sits at {word!r}. Type 'who' for the seats.")


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
    "next": next_hand,
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
    "seat": seat,
    "seats": seats,
    "watchers": watchers,
    "give": give,
    "show": show,
    "handover": handover,
    "continue": play_on,
    "undo": undo,
    "redeal": redeal,
    "yes": yes,
    "no": no,
    "restart": restart,
    "swap": swap,
    "open": face_up,
}
