"""`p2pcards completion`: what makes Tab complete in bash, zsh and fish, and what may be typed next. Their scripts
ask the program itself, by the same command with the words that are typed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from p2pcards.cli.command import OPTION, current_home, default_home, set_profile, split_profile_option
from p2pcards.cli.opening import GLANCE, run_conversation
from p2pcards.cli.options import fill_web_option

if TYPE_CHECKING:
    from p2pcards.games.game import AnyGame


# --- what may be typed next on a command line of p2pcards, for the completion of shells -------------------------------


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command line up to the word being typed."""

    command: str  # its name, such as ``peers trust``
    params: Sequence[Any]  # the parameters that it takes, as Typer has them
    arguments: tuple[str, ...] = ()  # those already typed
    values: Mapping[str, str] = field(default_factory=dict)  # by the name that the help gives them, such as GAME
    option: Any = None  # the one whose value is being typed; None for an argument
    all_commands: tuple[str, ...] = ()  # of the program


def complete_command_line(program: Any, words: Sequence[str]) -> list[str]:
    """The completions of the last of these words, without file names. program: the Typer commands, in full for those
    among the words; words: without the program's name. Raises Failure and StoreError where an answer is on disk or at
    the daemon."""
    *before, typed = words
    before = fill_web_option(before)
    if before[-1:] == [OPTION]:
        return _matching(typed, _profile_candidates())
    if typed.startswith(f"{OPTION}="):
        return _matching(typed, [f"{OPTION}={profile}" for profile in _profile_candidates()])
    profile, before = split_profile_option(before)
    if profile:
        set_profile(profile[-1].removeprefix(f"{OPTION}="))
    command, name = program, ""
    while hasattr(command, "commands"):
        group, before = _split_group_words(name, command.params, before)
        if not before:
            return _matching(typed, _next_candidates(group, typed) if group.option else _command_names(command, typed))
        inner, *before = before
        if inner not in command.commands:
            return []
        command, name = command.commands[inner], f"{name} {inner}".strip()
    line = replace(_parse_line(name, command.params, before), all_commands=tuple(_command_names(program, "")))
    return _matching(typed, _next_candidates(line, typed))


# --- what stands there ----------------------------------------------------------------------------------------------


def _command_names(group: Any, typed: str) -> Iterable[str]:
    if typed.startswith("-"):
        return _option_names(group.params)
    return [name for name, command in group.commands.items() if not command.hidden]


def _split_group_words(name: str, params: Sequence[Any], words: Sequence[str]) -> tuple[CommandLine, list[str]]:
    """(the line of the group's own options, the words from its command on)."""
    for count, word in enumerate(words):
        group = _parse_line(name, params, words[:count])
        if group.option is None and not word.startswith("-"):
            return group, list(words[count:])
    return _parse_line(name, params, words), []


def _parse_line(name: str, params: Sequence[Any], before: Sequence[str]) -> CommandLine:
    places = [param for param in params if param.param_type_name == "argument"]
    options = {one: param for param in params for one in (*param.opts, *param.secondary_opts) if one.startswith("-")}
    arguments: list[str] = []
    values: dict[str, str] = {}
    option: Any = None
    for word in before:
        if option is not None:
            values[_param_name(option)] = word
            option = None
        elif word.startswith("-"):
            option = None if word not in options or options[word].is_flag else options[word]
        else:
            values |= {_param_name(place): word for place in places[len(arguments) : len(arguments) + 1]}
            arguments.append(word)
    return CommandLine(name, params, tuple(arguments), values, option)


def _next_candidates(line: CommandLine, typed: str) -> Iterable[str]:
    if line.option is not None:
        return _value_candidates(line, line.option, typed)
    if typed.startswith("-"):
        name, equals, value = typed.partition("=")
        if not equals:
            return _option_names(line.params)
        named = [param for param in line.params if name in param.opts]
        return [f"{name}={word}" for param in named for word in _value_candidates(line, param, value)]
    places = [param for param in line.params if param.param_type_name == "argument"]
    place = places[min(len(line.arguments), len(places) - 1)] if places else None
    if place is None or (len(line.arguments) >= len(places) and place.nargs != -1):
        return ()
    return _value_candidates(line, place, typed)


def _option_names(params: Sequence[Any]) -> list[str]:
    """The options of a command."""
    options = [param for param in params if param.param_type_name == "option" and not param.hidden]
    return [*[name for param in options for name in (*param.opts, *param.secondary_opts)], "--help"]


def value_name(metavar: str) -> str:
    """The name of a value in the help, without brackets and alternatives: ``[HOST[:PORT]]...`` is HOST."""
    found = re.search(r"[A-Z]+(=[A-Z]+)?", metavar)
    return found[0] if found else ""


def _param_name(param: Any) -> str:
    return value_name(param.metavar or "")


def _value_candidates(line: CommandLine, param: Any, typed: str) -> Iterable[str]:
    called = _param_name(param)
    named = VALUES.get(f"{line.command} {called}", VALUES.get(called))
    return named(line, typed) if named else getattr(param.type, "choices", ())


def _matching(typed: str, words: Iterable[str]) -> list[str]:
    return [word for word in dict.fromkeys(words) if word.startswith(typed)]


# --- what it may be -------------------------------------------------------------------------------------------------


def _game_candidates(_line: CommandLine, _typed: str) -> Iterable[str]:
    from p2pcards.games.names import GAME_NAMES

    return GAME_NAMES


def _game_on_line(line: CommandLine) -> AnyGame | None:
    from p2pcards.games.registry import UnknownGame, find_game

    try:
        return find_game(line.values.get("GAME", ""))
    except UnknownGame:
        return None


def _setting_candidates(_line: CommandLine, _typed: str) -> Iterable[str]:
    from p2pcards.store.settings import list_settings

    return [one.found.name for one in list_settings(current_home())]


def _event_candidates(_line: CommandLine, _typed: str) -> Iterable[str]:
    from p2pcards.views.happenings import TABLE_EVENTS

    return TABLE_EVENTS


def _preset_candidates(line: CommandLine, _typed: str) -> Iterable[str]:
    game = _game_on_line(line)
    return game.presets if game else ()


def _change_candidates(line: CommandLine, typed: str) -> Iterable[str]:
    from p2pcards.frontend.words import option_keys, option_values

    game, (key, equals, _) = _game_on_line(line), typed.partition("=")
    if game is None:
        return ()
    return (
        [f"{key}={value}" for value in option_values(game, key)] if equals else [f"{key}=" for key in option_keys(game)]
    )


def _page_candidates(line: CommandLine, _typed: str) -> Iterable[str]:
    from p2pcards.frontend.guide_pages import next_page_words

    return next_page_words(line.arguments)


def _topic_candidates(line: CommandLine, typed: str) -> Iterable[str]:
    return [*_page_candidates(line, typed), *([] if line.arguments else line.all_commands)]


def _character_candidates(_line: CommandLine, _typed: str) -> Iterable[str]:
    from p2pcards.players.characters import CHARACTERS

    return CHARACTERS


def _level_candidates(_line: CommandLine, _typed: str) -> Iterable[str]:
    from p2pcards.players.levels import LEVELS

    return LEVELS


def _flow_candidates(_line: CommandLine, _typed: str) -> Iterable[str]:
    from p2pcards.store.settings import FLOWS

    return FLOWS


def _speed_candidates(_line: CommandLine, _typed: str) -> Iterable[str]:
    from p2pcards.store.settings import SPEEDS

    return map(str, SPEEDS)


def _table_candidates(_line: CommandLine, _typed: str) -> Iterable[str]:
    return [
        table.name
        for table in run_conversation(
            current_home(), lambda client: client.status(), start=False, deadline=GLANCE
        ).tables
    ]


def _log_candidates(_line: CommandLine, _typed: str) -> Iterable[str]:
    from p2pcards.store.logs import list_logs

    return [entry.stem for entry in list_logs(current_home())]


def _save_candidates(_line: CommandLine, _typed: str) -> Iterable[str]:
    """The games that can be resumed, from the index of the logs, by the player's names for them."""
    from p2pcards.store.logs import UNFINISHED, indexed_logs
    from p2pcards.store.save_names import load_names

    home = current_home()
    kept = load_names(home)
    return [
        kept.names.get(log.stem, log.stem)
        for log, facts in indexed_logs(home)
        if facts.state == UNFINISHED and facts.side == 0 and not kept.is_thrown(log.stem, log.stamp)
    ]


def _peer_candidates(_line: CommandLine, _typed: str) -> Iterable[str]:
    from p2pcards.store.identity import load_peers

    return [peer.name for peer in load_peers(current_home())]


def _host_candidates(_line: CommandLine, _typed: str) -> Iterator[str]:
    """The peers that can be called by name."""
    from p2pcards.store.identity import address_of, load_peers

    peers = load_peers(current_home())
    return (peer.name for peer in peers if address_of(peers, peer.name) != peer.name)


def _profile_candidates(*_typed: object) -> Iterable[str]:
    from p2pcards.store.profiles import list_profiles

    return [home.profile for home in list_profiles(default_home()).homes]


def _phone_book_candidates(_line: CommandLine, _typed: str) -> Iterable[str]:
    """The names in the phone book."""
    from p2pcards.store.directory import load_directory

    return [entry.name for entry in load_directory(current_home())]


VALUES: dict[str, Callable[[CommandLine, str], Iterable[str]]] = {
    "GAME": _game_candidates,
    "PRESET": _preset_candidates,
    "PAGE": _page_candidates,
    "TOPIC": _topic_candidates,
    "KEY=VALUE": _change_candidates,
    "CHARACTER": _character_candidates,
    "LEVEL": _level_candidates,
    "WAY": _flow_candidates,
    "BPS": _speed_candidates,
    "TABLE": _table_candidates,
    "LOG": _log_candidates,
    "KEY": _setting_candidates,
    "EVENT": _event_candidates,
    "resume NAME": _save_candidates,
    "SAVE": _save_candidates,
    "saves export NAME": _log_candidates,
    "HOST": _host_candidates,
    "dial NUMBER": _phone_book_candidates,
    "PROFILE": _profile_candidates,
    "peers forget NAME": _peer_candidates,
    "peers rename NAME": _peer_candidates,
    "peers trust NAME": _peer_candidates,
    "directory edit NAME": _phone_book_candidates,
    "directory remove NAME": _phone_book_candidates,
}
"""By what the help calls a value, after the command where it says too little."""


# --- `p2pcards completion` --------------------------------------------------------------------------------------------


class Shell(StrEnum):
    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def completion(
    context: typer.Context,
    shell: Annotated[Shell, typer.Argument(metavar="bash|zsh|fish", help="Your shell.")],
    typed: Annotated[
        list[str] | None,
        typer.Argument(metavar="[-- WORD...]", help="A command line; prints the completions of its last word."),
    ] = None,
) -> None:
    """Print a script for Tab completion in your shell. For bash: eval "$(p2pcards completion bash)"."""
    if not typed:
        print(SCRIPTS[shell], end="")
        return

    words = _rejoin_words(typed) if shell is Shell.BASH else typed
    for word in complete_command_line(context.find_root().command, words[1:] or [""]):
        print(word)


BREAKS = ("=", ":")
"""Where bash breaks words, by the COMP_WORDBREAKS that it comes with; what it does at quotes does not matter here."""


def _rejoin_words(words: list[str]) -> list[str]:
    """The words as the program would get them: bash splits them at = and :, and leaves quotes in."""
    whole: list[str] = []
    joins = False
    for word in words:
        breaks = bool(word) and not word.strip("".join(BREAKS))
        if whole and (breaks or joins):
            whole[-1] += word
        else:
            whole.append(word)
        joins = breaks
    return [_strip_quotes(word) for word in whole]


def _strip_quotes(word: str) -> str:
    """The word without its quotes, one of which may not be closed yet."""
    for end in ("", "'", '"'):
        try:
            return "".join(shlex.split(word + end))
        except ValueError:
            continue
    return word


SCRIPTS = {
    Shell.BASH: r"""# Tab completion of p2pcards for bash
_p2pcards() {
    local word kept= line=${COMP_LINE:0:COMP_POINT} breaks=${COMP_WORDBREAKS//[^=:]/}
    # The part of a word up to = or : is not bash's to complete.
    if [[ $breaks ]]; then
        kept=${line##*[[:space:]]}
        kept=${kept%"${kept##*[$breaks]}"}
    fi
    COMPREPLY=()
    while IFS= read -r word; do
        if [[ $word == *= ]]; then compopt -o nospace 2>/dev/null; fi
        word=${word#"$kept"}
        if [[ ${COMP_WORDS[COMP_CWORD]} != [\'\"]* ]]; then printf -v word %q "$word"; fi
        COMPREPLY+=("$word")
    done < <("$1" completion bash -- "${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null)
}
complete -o default -F _p2pcards p2pcards
""",
    Shell.ZSH: r"""#compdef p2pcards
# Tab completion of p2pcards for zsh
_p2pcards() {
    local -a found
    found=("${(@f)$(${~words[1]} completion zsh -- "${(@Q)words[1,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    if [[ -z "$found" ]]; then
        _files
        return
    fi
    compadd -S '' -- "${(@M)found:#*=}"
    compadd -- "${(@)found:#*=}"
    (( compstate[nmatches] ))
}
# Evaluated directly, or loaded from a folder of $fpath on first use.
if [[ "${funcstack[1]}" == _p2pcards ]]; then
    _p2pcards "$@"
else
    compdef _p2pcards p2pcards
fi
""",
    Shell.FISH: r"""# Tab completion of p2pcards for fish
function __p2pcards
    set -l words (commandline -opc)
    set -l typed (commandline -ct | string unescape)
    set -l found ($words[1] completion fish -- $words "$typed" 2>/dev/null)
    if set -q found[1]
        printf '%s\n' $found
    else
        __fish_complete_path "$typed"
    end
end
complete --command p2pcards --no-files --arguments '(__p2pcards)'
""",
}
