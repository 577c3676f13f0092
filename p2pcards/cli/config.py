"""`p2pcards config`: the settings, without an editor or with one."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from p2pcards.cli.command import Failure, check_player, current_home, parse_rules
from p2pcards.cli.options import AsJson
from p2pcards.cli.terminal import print_result, print_text, ring_terminal_bell
from p2pcards.control.exits import UNEXPECTED, USAGE
from p2pcards.present.width import align_columns

if TYPE_CHECKING:
    from p2pcards.store.settings import Setting, Stated, Value

Key = Annotated[str, typer.Argument(metavar="KEY", help="A setting (see `p2pcards config list`).")]

config = typer.Typer(rich_markup_mode=None, no_args_is_help=True, help="Show and change your settings.")


@config.command("list")
def list_all(as_json: AsJson = False) -> None:
    """List all settings. It shows each value and where it comes from."""
    from p2pcards.store.settings import list_settings

    home = current_home()
    stated = list_settings(home)
    rows = [(one.found.name, _file_text(one.value), one.source) for one in stated]
    print_result([_setting_data(one) for one in stated], align_columns([("key", "value", "from"), *rows]), as_json)


@config.command()
def get(key: Key, as_json: AsJson = False) -> None:
    """Show a setting."""
    from p2pcards.store.settings import state_setting

    one = state_setting(current_home(), _find_setting(key))
    print_result(_setting_data(one), [_typed_text(one.value)], as_json)


@config.command("set", context_settings={"ignore_unknown_options": True})  # a value may begin with a dash
def set_one(
    key: Key,
    value: Annotated[list[str], typer.Argument(metavar="VALUE...", help="Its value; a list takes several.")],
) -> None:
    """Change a setting. It keeps your comments in the file."""
    from p2pcards.store.settings import read_value, set_setting

    found = _find_setting(key)
    new = read_value(found, value)
    _check_name(found, new)
    set_setting(current_home(), found, new)
    print_text(f"{found.name} = {_file_text(new)}")
    for told in _level_notes(found, new):
        print_text(told)


@config.command()
def clear(
    key: Annotated[str, typer.Argument(metavar="KEY|EVENT", help="A setting, or an event such as knock.")],
) -> None:
    """Reset a setting to its default. For an event, it resets the bell and the command."""
    from p2pcards.store.settings import clear_setting, state_setting
    from p2pcards.views.happenings import TABLE_EVENTS

    names = [f"events.{key}.bell", f"events.{key}.hook"] if key in TABLE_EVENTS else [key]
    home = current_home()
    for found in map(_find_setting, names):
        clear_setting(home, found)
        print_text(f"{found.name} = {_file_text(state_setting(home, found).value)}")


@config.command()
def test(
    what: Annotated[str, typer.Argument(metavar="EVENT|speech", help="Such as turn, game_won, or speech.")],
) -> None:
    """Try the bell and command of an event, or the speech command."""
    from p2pcards.store.settings import event_hooks, load_settings, rung_events

    settings = load_settings(current_home())
    if what == "speech":
        if not settings.speech:
            raise Failure("No speech command is set. To set one: p2pcards config set speech espeak", USAGE)
        _try_command(settings.speech, "This is p2pcards.\n")
        print_text(f"speech: {settings.speech!r} worked.")
        return
    _find_setting(f"events.{what}.hook")
    command = event_hooks(settings).get(what, "")
    if command:
        _try_command(command, environment={"P2PCARDS_EVENT": what, "P2PCARDS_TABLE": ""})
        print_text(f"{what}: {command!r} worked.")
    if what in rung_events(settings):
        ring_terminal_bell()
        print_text(f"{what}: rang the bell.")
    elif not command:
        print_text(f"{what}: no bell or command is set. To set a bell: p2pcards config set events.{what}.bell true")


@config.command()
def edit() -> None:
    """Edit the settings in your editor, then check them. It uses $VISUAL, $EDITOR or vi."""
    from p2pcards.store.settings import load_settings, make_file

    home = current_home()
    make_file(home)
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    try:
        code = subprocess.run([*shlex.split(editor), str(home.settings)], check=False).returncode
    except (OSError, ValueError):
        raise Failure(
            f"Can't start the editor {editor!r}. Set EDITOR to another one, or edit {home.settings} yourself.",
            USAGE,
        ) from None
    load_settings(home)
    if code:
        raise Failure(f"The editor {editor!r} exited with code {code}. The settings are fine.", UNEXPECTED)


@config.command()
def path(as_json: AsJson = False) -> None:
    """Show where the settings file is."""
    file = current_home().settings
    print_result({"file": str(file), "exists": file.exists()}, [str(file)], as_json)


def _try_command(command: str, text: str = "", environment: Mapping[str, str] | None = None) -> None:
    import trio

    from p2pcards.control.own_command import OwnCommandFailed, run_own_command

    async def run() -> None:
        await run_own_command(command, text, environment)

    try:
        trio.run(run)
    except OwnCommandFailed as failed:
        raise Failure(f"The command {command!r} {failed}.", UNEXPECTED) from None


def _find_setting(key: str) -> Setting:
    from p2pcards.store.settings import find_setting

    return find_setting(key)


def _level_notes(found: Setting, value: Value) -> list[str]:
    """Notes on a setting that was changed: in which games its level plays as a lower one."""
    from p2pcards.games.registry import GAMES
    from p2pcards.games.telling import level_texts

    if found.name != "opponents":
        return []
    return level_texts(GAMES.values(), [one.partition(":")[2].strip().lower() for one in str(value).split(",")])


def _check_name(found: Setting, value: Value) -> None:
    """Refuse a name of a character, game or preset that doesn't exist. Raises Failure."""
    from p2pcards.games.registry import find_game

    if found.name == "character":
        check_player(str(value), "")
    if found.path[0] in ("presets", "game_songs"):
        head, name = found.path
        game = parse_rules(name, str(value), ())[0] if head == "presets" else find_game(name)
        if game.key != name:
            raise Failure(f"Use the game's key, {game.key}: p2pcards config set {head}.{game.key} {value}", USAGE)


def _setting_data(one: Stated) -> dict[str, Any]:
    told = one.found.declared
    return {
        "key": one.found.name,
        "value": one.value,
        "from": one.source,
        "default": told.default,
        "takes": told.takes,
        "meaning": told.meaning,
    }


def _file_text(value: Value) -> str:
    """The value as it is written in the file."""
    return json.dumps(value, ensure_ascii=False)


def _typed_text(value: Value) -> str:
    if isinstance(value, tuple):
        return shlex.join(value)
    return value if isinstance(value, str) else _file_text(value)
