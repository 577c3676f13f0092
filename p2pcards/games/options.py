"""Rule options: declared as the fields of a frozen dataclass, with type, range, default and meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

from p2pcards.games.nearest import did_you_mean

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

PLAYERS = "number of players"
PARTNERSHIPS = "partnership play; if not, everyone plays alone"
HIGHEST_WINS = (
    "The game ends when someone has {winning_score} or more at the end of a hand. The highest score wins; after a tie, "
    "you play another hand."
)
WINS = "score needed to win the game"

Value = bool | int | str
O = TypeVar("O", bound="DataclassInstance")  # noqa: E741 - the options class of one game


class OptionError(ValueError):
    """What is wrong with a rule option, as a sentence."""


@dataclass(frozen=True, slots=True)
class Option:
    """A rule option."""

    key: str
    kind: str  # "number" (low to high), "choice" (one of `choices`) or "flag"
    default: Value
    meaning: str
    # What each value does, in sentences in which ``{key}`` stands for the number of an option; by the value as it is
    # typed, "" for every number.
    effects: Mapping[str, str]
    low: int = 0
    high: int = 0
    follows: str = ""  # the choice that decides the default of a number
    defaults: tuple[int, ...] = ()  # by the values of that choice, in order
    # It is newer than the first logs: it comes after all that are not, and a header leaves it out at its default, so
    # that old signatures hold.
    added: bool = False

    @property
    def range(self) -> str:
        """The values allowed, in words."""
        if self.kind == "number":
            return f"{self.low} to {self.high}"
        return "true or false" if self.kind == "flag" else ", ".join(self.effects)

    @property
    def choices(self) -> tuple[str, ...]:
        """Of a choice; none of a number or a flag."""
        return tuple(self.effects) if self.kind == "choice" else ()

    def effect(self, value: object) -> str:
        """What this value makes of the rules."""
        return self.effects["" if self.kind == "number" else value_text(value)]


@dataclass(frozen=True, slots=True)
class Question:
    """What a preset leaves to the player who begins a game with it."""

    preset: str
    key: str  # of the option
    words: str  # the question
    answers: Mapping[str, tuple[str, str]]  # by the letter that is typed, the value and its meaning

    @property
    def letters(self) -> str:
        return " or ".join(self.answers)

    def text(self) -> str:
        """What is asked, and each answer with its meaning."""
        return f"{self.words} {'; '.join([f'{letter}: {meaning}' for letter, (_, meaning) in self.answers.items()])}."

    def letter_of(self, value: str) -> str:
        return next(letter for letter, (meant, _) in self.answers.items() if meant == value)

    def value(self, typed: str) -> str | None:
        """What is meant by a letter, or by the value itself; None for anything else."""
        word = typed.strip().lower()
        named = {letter.lower(): value for letter, (value, _) in self.answers.items()}
        return named.get(word, word if word in named.values() else None)


def number(
    default: int, low: int, high: int, meaning: str, effect: str, *, follows: str = "", defaults: Sequence[int] = ()
) -> Any:
    metadata = {"kind": "number", "low": low, "high": high, "meaning": meaning, "effects": {"": effect}}
    return field(default=default, metadata=metadata | {"follows": follows, "defaults": tuple(defaults)})


def choice(default: str, meaning: str, effects: Mapping[str, str]) -> Any:
    return field(default=default, metadata={"kind": "choice", "meaning": meaning, "effects": effects})


def flag(default: bool, meaning: str, *, on: str, off: str, added: bool = False) -> Any:
    metadata = {"kind": "flag", "meaning": meaning, "effects": {"true": on, "false": off}, "added": added}
    return field(default=default, metadata=metadata)


def value_text(value: object) -> str:
    """The value of a rule option as a person types it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def in_words(typed: str) -> str:
    """The key of an option, or a value of one, as people read it: ``two of clubs``, ``yes``."""
    return {"true": "yes", "false": "no"}.get(typed) or typed.replace("_", " ")


def declared(kind: type) -> tuple[Option, ...]:
    """The options of an options class, in declared order."""
    return _declared(kind)


@cache
def _declared(kind: type) -> tuple[Option, ...]:
    return tuple(Option(key=f.name, default=cast(Value, f.default), **f.metadata) for f in fields(kind))


def _checked(options: O) -> O:
    """The options themselves when every value has its type and range. Raises OptionError."""
    for option in declared(type(options)):
        _check(option, getattr(options, option.key))
    return options


def set_options(options: O, changes: Mapping[str, str]) -> O:
    """The options with some values changed, written as a person writes them. A number that follows a choice gets its
    new default with it, if it had the old one. Raises OptionError."""
    return with_values(options, {key: _read(find_option(type(options), key), text) for key, text in changes.items()})


def with_values(options: O, values: Mapping[str, Value]) -> O:
    """The same with the values themselves. Raises OptionError."""
    known = {option.key: option for option in declared(type(options))}
    for key, value in values.items():
        _check(find_option(type(options), key), value)
    return _checked(replace(options, **(_followers(options, known, values) | dict(values))))


def differences(options: O, base: O) -> dict[str, Value]:
    """The values that make these options out of those of the base."""
    changed = {
        option.key for option in declared(type(base)) if getattr(options, option.key) != getattr(base, option.key)
    }
    return {
        option.key: getattr(options, option.key)
        for option in declared(type(base))
        if option.key in changed or option.follows in changed
    }


def find_option(kind: type, key: str) -> Option:
    """The option of this key in an options class. Raises OptionError."""
    known = {option.key: option for option in declared(kind)}
    if key not in known:
        meant = did_you_mean(key, known) or f"The options are {', '.join(known)}."
        raise OptionError(f"There's no option {key!r} here. {meant}")
    return known[key]


def values_by_key(options: object) -> dict[str, Value]:
    """All values, in declared order."""
    return {option.key: getattr(options, option.key) for option in declared(type(options))}


def option_values(options: object) -> tuple[Value, ...]:
    """The values in declared order, as a header holds them: of the options that were added later none behind the last
    that is not as it was before."""
    known = declared(type(options))
    values = [getattr(options, option.key) for option in known]
    while known[len(values) - 1].added and values[-1] == known[len(values) - 1].default:
        values.pop()
    return tuple(values)


def options_from(kind: type[O], values: Sequence[object]) -> O:
    """The options whose values a header holds. Raises OptionError when number, type or range is wrong, or a value
    stands there that is to be left out."""
    known = declared(kind)
    least = sum([not option.added for option in known])
    if not least <= len(values) <= len(known):
        number = f"{least} to {len(known)}" if least < len(known) else f"{least}"
        raise OptionError(f"There are {number} options, but {len(values)} values.")
    given = {option.key: value for option, value in zip(known, values, strict=False)}
    options = _checked(kind(**given))
    if len(option_values(options)) < len(values):
        raise OptionError(f"{known[len(values) - 1].key} must be left out when it's at its default.")
    return options


def _followers(options: object, known: Mapping[str, Option], values: Mapping[str, Value]) -> dict[str, Value]:
    """The new defaults of the numbers that follow a choice which is changed, those set by hand left out."""
    found: dict[str, Value] = {}
    for option in known.values():
        if option.follows not in values or values[option.follows] not in known[option.follows].choices:
            continue
        defaults = dict(zip(known[option.follows].choices, option.defaults, strict=True))
        if getattr(options, option.key) == defaults[getattr(options, option.follows)]:
            found[option.key] = defaults[str(values[option.follows])]
    return found


def _read(option: Option, text: str) -> Value:
    word = text.strip().lower()
    if option.kind == "flag":
        if word in ("true", "yes", "on", "1", "false", "no", "off", "0"):
            return word in ("true", "yes", "on", "1")
        raise OptionError(f"{option.key} must be true or false, not {text!r}.")
    if option.kind == "number":
        if not word.removeprefix("-").isdecimal() or not word.isascii() or len(word) > 9:
            raise OptionError(f"{option.key} must be a number from {option.range}, not {text!r}.")
        return int(word)
    return word


def _check(option: Option, value: object) -> None:
    wanted = {"number": int, "flag": bool, "choice": str}[option.kind]
    if type(value) is not wanted:
        raise OptionError(f"{option.key} must be {option.range}, not {value!r}.")
    if type(value) is int and not option.low <= value <= option.high:
        raise OptionError(f"{option.key} must be a number from {option.range}, not {value}.")
    if option.kind == "choice" and value not in option.choices:
        meant = did_you_mean(str(value), option.choices)
        raise OptionError(f"{option.key} must be one of {option.range}, not {value!r}. {meant}".rstrip())
