"""What our player says of the rules at a table, where those that they have saved count."""

from __future__ import annotations

from p2pcards.control.declined import Declined
from p2pcards.control.exits import USAGE
from p2pcards.control.messages import Rules
from p2pcards.daemon.runner import Runner
from p2pcards.games.options import options_from, value_text
from p2pcards.games.registry import GAMES, UnknownGame, find_game
from p2pcards.session.effects import CommandError
from p2pcards.store.home import Home
from p2pcards.store.own_rules import OwnRules, own_rules, save_rules
from p2pcards.store.settings import Settings
from p2pcards.store.usable import usable_settings
from p2pcards.views.commands import Command
from p2pcards.views.happenings import Notice


def choose_game(table: Runner, rules: Rules, settings: Settings) -> None:
    """Choose a game with its rules: those of a preset that is named, else the player's own. Raises CommandError."""
    try:
        game = find_game(rules.game)
    except UnknownGame as error:
        raise CommandError(str(error)) from None
    own = OwnRules(rules.preset, {}) if rules.preset else own_rules(settings, game)
    changes = {key: value_text(value) for key, value in own.values.items()} | dict(rules.changes)
    table.command(Command("game", (game.key, own.preset, *[f"{key}={value}" for key, value in changes.items()])))


def say(table: Runner, command: Command, home: Home) -> None:
    """A command of our player's. Raises CommandError, Declined and StoreError."""
    match command:
        case Command("game", (game,)):
            choose_game(table, Rules(game), usable_settings(home).settings)
        case Command("save"):
            on = table.view().phase == "play"
            table.audience.announce(Notice(_saved(table) if on else _save(table, home)))
        case Command("set"):
            table.command(command)
            if usable_settings(home).settings.save_options:
                _save(table, home)
        case _:
            table.command(command)


def _saved(table: Runner) -> str:
    """A sentence about the game that is on: its log is written before anybody sees a move."""
    if table.log_path is None:
        raise Declined("You look on at this game, and nothing of it is kept here.", USAGE)
    name = table.log_path.stem
    if table.view().role == "coordinator":
        return f"The game is saved as {name}, at every move. It goes on with: p2pcards resume {name}"
    return f"The game is saved as {name}, at every move. When its coordinator resumes it, listen: p2pcards listen"


def _save(table: Runner, home: Home) -> str:
    """Save the rules that are chosen at a table; a sentence about it."""
    view = table.view()
    game = GAMES.get(view.game or "")
    if game is None:
        raise Declined("No game is chosen here whose rules could be saved.", USAGE)
    kept = save_rules(home, game, options_from(game.options, [value for _, value in view.options]))
    values = [f"{key} = {value_text(value)}" for key, value in kept.values.items()]
    return f"Your rules of {game.name} from now on: {', '.join([f'preset {kept.preset}', *values])}."
