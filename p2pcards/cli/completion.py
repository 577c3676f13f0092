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

from p2pcards.cli.command import OPTION, default_home, our_home, play_as, profile_apart, web_without_port

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


def fitting(program: Any, words: Sequence[str]) -> list[str]:
    """What the last of these words may be, which is typed as far as it goes. program: the commands as Typer has them,
    those among the words taken apart. words: without the program's name. Files are not named. Raises Failure and
    StoreError where the answer is on disk or at the daemon."""
    *before, typed = words
    before = web_without_port(before)
    if before[-1:] == [OPTION]:
        return _begun(typed, _profiles())
    if typed.startswith(f"{OPTION}="):
        return _begun(typed, [f"{OPTION}={profile}" for profile in _profiles()])
    profile, before = profile_apart(before)
    if profile:
        play_as(profile[-1].removeprefix(f"{OPTION}="))
    command, name = program, ""
    while hasattr(command, "commands"):
        group, before = _own_words(name, command.params, before)
        if not before:
            return _begun(typed, _next_words(group, typed) if group.option else _commands(command, typed))
        inner, *before = before
        if inner not in command.commands:
            return []
        command, name = command.commands[inner], f"{name} {inner}".strip()
    line = replace(_read(name, command.params, before), all_commands=tuple(_commands(program, "")))
    return _begun(typed, _next_words(line, typed))


# --- what stands there ----------------------------------------------------------------------------------------------


def _commands(group: Any, typed: str) -> Iterable[str]:
    if typed.startswith("-"):
        return _option_names(group.params)
    return [name for name, command in group.commands.items() if not command.hidden]


def _own_words(name: str, params: Sequence[Any], words: Sequence[str]) -> tuple[CommandLine, list[str]]:
    """What is given to a group of commands itself, and the words from its command on."""
    for count, word in enumerate(words):
        group = _read(name, params, words[:count])
        if group.option is None and not word.startswith("-"):
            return group, list(words[count:])
    return _read(name, params, words), []


def _read(name: str, params: Sequence[Any], before: Sequence[str]) -> CommandLine:
    places = [param for param in params if param.param_type_name == "argument"]
    options = {one: param for param in params for one in (*param.opts, *param.secondary_opts) if one.startswith("-")}
    arguments: list[str] = []
    values: dict[str, str] = {}
    option: Any = None
    for word in before:
        if option is not None:
            values[_called(option)] = word
            option = None
        elif word.startswith("-"):
            option = None if word not in options or options[word].is_flag else options[word]
        else:
            values |= {_called(place): word for place in places[len(arguments) : len(arguments) + 1]}
            arguments.append(word)
    return CommandLine(name, params, tuple(arguments), values, option)


def _next_words(line: CommandLine, typed: str) -> Iterable[str]:
    if line.option is not None:
        return _values(line, line.option, typed)
    if typed.startswith("-"):
        name, equals, value = typed.partition("=")
        if not equals:
            return _option_names(line.params)
        named = [param for param in line.params if name in param.opts]
        return [f"{name}={word}" for param in named for word in _values(line, param, value)]
    places = [param for param in line.params if param.param_type_name == "argument"]
    place = places[min(len(line.arguments), len(places) - 1)] if places else None
    if place is None or (len(line.arguments) >= len(places) and place.nargs != -1):
        return ()
    return _values(line, place, typed)


def _option_names(params: Sequence[Any]) -> list[str]:
    options = [param for param in params if param.param_type_name == "option" and not param.hidden]
    return [*[name for param in options for name in (*param.opts, *param.secondary_opts)], "--help"]


def value_name(metavar: str) -> str:
    """What the help calls a value, without brackets and what else it may be: ``[HOST[:PORT]]...`` is HOST."""
    found = re.search(r"[A-Z]+(=[A-Z]+)?", metavar)
    return found[0] if found else ""


def _called(param: Any) -> str:
    return value_name(param.metavar or "")


def _values(line: CommandLine, param: Any, typed: str) -> Iterable[str]:
    called = _called(param)
    named = VALUES.get(f"{line.command} {called}", VALUES.get(called))
    return named(line, typed) if named else getattr(param.type, "choices", ())


def _begun(typed: str, words: Iterable[str]) -> list[str]:
    return [word for word in dict.fromkeys(words) if word.startswith(typed)]


# --- what it may be -------------------------------------------------------------------------------------------------


def _games(_line: CommandLine, _typed: str) -> Iterable[str]:
    from p2pcards.games.names import GAME_NAMES

    return GAME_NAMES


def _game(line: CommandLine) -> AnyGame | None:
    from p2pcards.games.registry import UnknownGame, find_game

    try:
        return find_game(line.values.get("GAME", ""))
    except UnknownGame:
        return None


def _settings(_line: CommandLine, _typed: str) -> Iterable[str]:
    from p2pcards.store.settings import list_settings

    return [one.found.name for one in list_settings(our_home())]


def _events(_line: CommandLine, _typed: str) -> Iterable[str]:
    from p2pcards.views.happenings import TABLE_EVENTS

    return TABLE_EVENTS


def _presets(line: CommandLine, _typed: str) -> Iterable[str]:
    game = _game(line)
    return game.presets if game else ()


def _changes(line: CommandLine, typed: str) -> Iterable[str]:
    from p2pcards.frontend.words import key_words, value_words

    game, (key, equals, _) = _game(line), typed.partition("=")
    if game is None:
        return ()
    return [f"{key}={value}" for value in value_words(game, key)] if equals else [f"{key}=" for key in key_words(game)]


def _pages(line: CommandLine, _typed: str) -> Iterable[str]:
    from p2pcards.frontend.guide_pages import following_words

    return following_words(line.arguments)


def _topics(line: CommandLine, typed: str) -> Iterable[str]:
    return [*_pages(line, typed), *([] if line.arguments else line.all_commands)]


def _characters(_line: CommandLine, _typed: str) -> Iterable[str]:
    from p2pcards.players.characters import CHARACTERS

    return CHARACTERS


def _levels(_line: CommandLine, _typed: str) -> Iterable[str]:
    from p2pcards.players.levels import LEVELS

    return LEVELS


def _flows(_line: CommandLine, _typed: str) -> Iterable[str]:
    from p2pcards.store.settings import FLOWS

    return FLOWS


def _speeds(_line: CommandLine, _typed: str) -> Iterable[str]:
    from p2pcards.store.settings import SPEEDS

    return map(str, SPEEDS)


def _tables(_line: CommandLine, _typed: str) -> Iterable[str]:
    from p2pcards.cli.opening import GLANCE, ask

    return [
        table.name for table in ask(our_home(), lambda client: client.status(), start=False, deadline=GLANCE).tables
    ]


def _logs(_line: CommandLine, _typed: str) -> Iterable[str]:
    from p2pcards.store.logs import list_logs

    return [entry.stem for entry in list_logs(our_home())]


def _saves(_line: CommandLine, _typed: str) -> Iterable[str]:
    """What can be resumed, as the index of the logs has it, by our names where they have one."""
    from p2pcards.store.logs import UNFINISHED, indexed_logs
    from p2pcards.store.save_names import load_names

    home = our_home()
    kept = load_names(home)
    return [
        kept.names.get(log.stem, log.stem)
        for log, facts in indexed_logs(home)
        if facts.state == UNFINISHED and facts.side == 0 and not kept.is_thrown(log.stem, log.stamp)
    ]


def _peers(_line: CommandLine, _typed: str) -> Iterable[str]:
    from p2pcards.store.identity import load_peers

    return [peer.name for peer in load_peers(our_home())]


def _hosts(_line: CommandLine, _typed: str) -> Iterator[str]:
    """The peers that can be called by their name."""
    from p2pcards.store.identity import address_of, load_peers

    peers = load_peers(our_home())
    return (peer.name for peer in peers if address_of(peers, peer.name) != peer.name)


def _profiles(*_typed: object) -> Iterable[str]:
    from p2pcards.store.profiles import list_profiles

    return [home.profile for home in list_profiles(default_home()).homes]


def _entries(_line: CommandLine, _typed: str) -> Iterable[str]:
    """Of the dialling directory."""
    from p2pcards.store.directory import load_directory

    return [entry.name for entry in load_directory(our_home())]


VALUES: dict[str, Callable[[CommandLine, str], Iterable[str]]] = {
    "GAME": _games,
    "PRESET": _presets,
    "PAGE": _pages,
    "TOPIC": _topics,
    "KEY=VALUE": _changes,
    "CHARACTER": _characters,
    "LEVEL": _levels,
    "WAY": _flows,
    "BPS": _speeds,
    "TABLE": _tables,
    "LOG": _logs,
    "KEY": _settings,
    "EVENT": _events,
    "resume NAME": _saves,
    "SAVE": _saves,
    "saves export NAME": _logs,
    "HOST": _hosts,
    "dial NUMBER": _entries,
    "PROFILE": _profiles,
    "peers forget NAME": _peers,
    "peers rename NAME": _peers,
    "peers trust NAME": _peers,
    "directory edit NAME": _entries,
    "directory remove NAME": _entries,
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

    words = _unbroken(typed) if shell is Shell.BASH else typed
    for word in fitting(context.find_root().command, words[1:] or [""]):
        print(word)


BREAKS = ("=", ":")
"""Where bash breaks words, by the COMP_WORDBREAKS that it comes with; what it does at quotes does not matter here."""


def _unbroken(words: list[str]) -> list[str]:
    """The words of bash as the program would get them: together what was broken at = and :, and without quotes."""
    whole: list[str] = []
    joins = False
    for word in words:
        breaks = bool(word) and not word.strip("".join(BREAKS))
        if whole and (breaks or joins):
            whole[-1] += word
        else:
            whole.append(word)
        joins = breaks
    return [_unquoted(word) for word in whole]


def _unquoted(word: str) -> str:
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
