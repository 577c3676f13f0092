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
        """The allowed values in words, such as ``1 to 100``."""
        if self.kind == "number":
            return f"{self.low} to {self.high}"
        return "true or false" if self.kind == "flag" else ", ".join(self.effects)

    @property
    def choices(self) -> tuple[str, ...]:
        """The allowed values of a choice; none for a number or a flag."""
        return tuple(self.effects) if self.kind == "choice" else ()

    def effect(self, value: object) -> str:
        """The sentences that tell what this value makes of the rules, as a template."""
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
        """The letters that answer the question, for a prompt."""
        return " or ".join(self.answers)

    def text(self) -> str:
        """The question, and each answer with its meaning."""
        return f"{self.words} {'; '.join([f'{letter}: {meaning}' for letter, (_, meaning) in self.answers.items()])}."

    def letter_of(self, value: str) -> str:
        """The letter that answers with this value."""
        return next(letter for letter, (meant, _) in self.answers.items() if meant == value)

    def value_typed(self, typed: str) -> str | None:
        """The value meant by a letter, or by the value itself; None for anything else."""
        word = typed.strip().lower()
        named = {letter.lower(): value for letter, (value, _) in self.answers.items()}
        return named.get(word, word if word in named.values() else None)


def number_option(
    default: int, low: int, high: int, meaning: str, effect: str, *, follows: str = "", defaults: Sequence[int] = ()
) -> Any:
    """Declare an options field that is a whole number, from low to high. follows: a choice whose value sets the
    default, one of `defaults`."""
    metadata = {"kind": "number", "low": low, "high": high, "meaning": meaning, "effects": {"": effect}}
    return field(default=default, metadata=metadata | {"follows": follows, "defaults": tuple(defaults)})


def choice_option(default: str, meaning: str, effects: Mapping[str, str]) -> Any:
    """Declare an options field with one of several words. effects: by word, what it makes of the rules."""
    return field(default=default, metadata={"kind": "choice", "meaning": meaning, "effects": effects})


def flag_option(default: bool, meaning: str, *, on: str, off: str, added: bool = False) -> Any:
    """Declare an options field that is True or False. on, off: what each makes of the rules; added: later than the
    first version."""
    metadata = {"kind": "flag", "meaning": meaning, "effects": {"true": on, "false": off}, "added": added}
    return field(default=default, metadata=metadata)


def value_text(value: object) -> str:
    """The value of a rule option as a person types it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def readable_key(typed: str) -> str:
    """An option's key or value as people read it, such as ``two of clubs`` or ``yes``."""
    return {"true": "yes", "false": "no"}.get(typed) or typed.replace("_", " ")


def declared_options(kind: type) -> tuple[Option, ...]:
    """The options that an options class declares, in order."""
    return _declared_options(kind)


@cache
def _declared_options(kind: type) -> tuple[Option, ...]:
    return tuple(Option(key=f.name, default=cast(Value, f.default), **f.metadata) for f in fields(kind))


def _checked_options(options: O) -> O:
    """The options unchanged if every value has its type and range. Raises OptionError."""
    for option in declared_options(type(options)):
        _check_value(option, getattr(options, option.key))
    return options


def set_options(options: O, changes: Mapping[str, str]) -> O:
    """The options with some values changed, written as a person types them. A number that follows a choice gets its new
    default with it, if it had the old one. Raises OptionError."""
    return with_values(
        options, {key: _read_value(find_option(type(options), key), text) for key, text in changes.items()}
    )


def with_values(options: O, values: Mapping[str, Value]) -> O:
    """The options with some values changed, by key. Raises OptionError."""
    known = {option.key: option for option in declared_options(type(options))}
    for key, value in values.items():
        _check_value(find_option(type(options), key), value)
    return _checked_options(replace(options, **(_new_defaults(options, known, values) | dict(values))))


def differences(options: O, base: O) -> dict[str, Value]:
    """The values, by key, by which these options differ from the base."""
    changed = {
        option.key
        for option in declared_options(type(base))
        if getattr(options, option.key) != getattr(base, option.key)
    }
    return {
        option.key: getattr(options, option.key)
        for option in declared_options(type(base))
        if option.key in changed or option.follows in changed
    }


def find_option(kind: type, key: str) -> Option:
    """The option of this key in an options class. Raises OptionError."""
    known = {option.key: option for option in declared_options(kind)}
    if key not in known:
        meant = did_you_mean(key, known) or f"The options are {', '.join(known)}."
        raise OptionError(f"There's no option {key!r} here. {meant}")
    return known[key]


def values_by_key(options: object) -> dict[str, Value]:
    """All option values by key, in declared order."""
    return {option.key: getattr(options, option.key) for option in declared_options(type(options))}


def header_values(options: object) -> tuple[Value, ...]:
    """The option values in declared order, as a header holds them: options added later are left out from the last on
    that has its default."""
    known = declared_options(type(options))
    values = [getattr(options, option.key) for option in known]
    while known[len(values) - 1].added and values[-1] == known[len(values) - 1].default:
        values.pop()
    return tuple(values)


def options_from_header(kind: type[O], values: Sequence[object]) -> O:
    """The options of the values in a header. Raises OptionError when number, type or range is wrong, or a value stands
    there that must be left out."""
    known = declared_options(kind)
    least = sum([not option.added for option in known])
    if not least <= len(values) <= len(known):
        number = f"{least} to {len(known)}" if least < len(known) else f"{least}"
        raise OptionError(f"There are {number} options, but {len(values)} values.")
    given = {option.key: value for option, value in zip(known, values, strict=False)}
    options = _checked_options(kind(**given))
    if len(header_values(options)) < len(values):
        raise OptionError(f"{known[len(values) - 1].key} must be left out when it's at its default.")
    return options


def _new_defaults(options: object, known: Mapping[str, Option], values: Mapping[str, Value]) -> dict[str, Value]:
    """New defaults of the numbers that follow a changed choice, except those set by hand."""
    found: dict[str, Value] = {}
    for option in known.values():
        if option.follows not in values or values[option.follows] not in known[option.follows].choices:
            continue
        defaults = dict(zip(known[option.follows].choices, option.defaults, strict=True))
        if getattr(options, option.key) == defaults[getattr(options, option.follows)]:
            found[option.key] = defaults[str(values[option.follows])]
    return found


def _read_value(option: Option, text: str) -> Value:
    """Read a value as a person types it. Raises OptionError."""
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


def _check_value(option: Option, value: object) -> None:
    """Raise OptionError unless the value has the option's type and range."""
    wanted = {"number": int, "flag": bool, "choice": str}[option.kind]
    if type(value) is not wanted:
        raise OptionError(f"{option.key} must be {option.range}, not {value!r}.")
    if type(value) is int and not option.low <= value <= option.high:
        raise OptionError(f"{option.key} must be a number from {option.range}, not {value}.")
    if option.kind == "choice" and value not in option.choices:
        meant = did_you_mean(str(value), option.choices)
        raise OptionError(f"{option.key} must be one of {option.range}, not {value!r}. {meant}".rstrip())
