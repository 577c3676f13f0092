"""`p2pcards completion`: what makes Tab complete in bash, zsh and fish. Their scripts ask the program itself, by the
same command with the words that are typed, and take each line of its answer as a word: nothing of it is run."""

from __future__ import annotations

import shlex
from enum import StrEnum
from typing import Annotated

import typer


class Shell(StrEnum):
    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def completion(
    context: typer.Context,
    shell: Annotated[Shell, typer.Argument(metavar="bash|zsh|fish", help="Your shell.")],
    typed: Annotated[
        list[str] | None,
        typer.Argument(metavar="[-- WORD...]", help="A command line: print what its last word may become."),
    ] = None,
) -> None:
    """Print a script that makes Tab complete commands, options, games and names in your shell."""
    if not typed:
        print(SCRIPTS[shell], end="")
        return
    from p2pcards.cli.shell_words import fitting

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
# This is evaluated, or a file in a folder of $fpath, which is run when it is wanted for the first time.
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
