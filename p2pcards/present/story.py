"""What happened, in sentences: one for each `Happening`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from p2pcards.games.spelling import is_card_word, third_person
from p2pcards.present.cards import Style, with_tens, words_text
from p2pcards.session.tableview import Happening
from p2pcards.wire.clean import clean

Values = Mapping[str, Any]
PLAIN = Style(ascii=True)


def story(happening: Happening, me: str = "", style: Style = PLAIN) -> str:
    """The sentence of a happening, with "you" for the player called `me`."""
    tell = TELLERS.get(happening.kind)
    values: dict[str, Any] = {key: _safe(value) for key, value in happening.values.items()}
    if tell is None:
        return sentence(" ".join([happening.kind.replace("_", " "), *[str(part) for part in values.values()]]))
    try:
        return sentence(tell(values, me, style))
    except (KeyError, TypeError, ValueError, IndexError):  # another version of the daemon tells it with other values
        return sentence(f"{happening.kind.replace('_', ' ')} {' '.join(map(str, values.values()))}")


def sentence(text: str) -> str:
    """With a capital at the start and a stop at the end."""
    text = text.strip()
    if not text:
        return text
    return text[0].upper() + text[1:] + ("" if text[-1] in '.!?:"' else ".")


def countdown_text(name: str, character: str, seconds: float) -> str:
    """``Cy: 41 s until granny plays for her``."""
    return f"{name}: {max(0, round(seconds))} s until {character} plays for her"


def names_text(names: tuple[str, ...]) -> str:
    """``Ann, Bob and Cy``."""
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)


# --- private ----------------------------------------------------------------------------------------------------------


def _safe(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value, 500)
    return tuple([_safe(part) for part in value]) if isinstance(value, tuple | list) else value


def _who(values: Values, me: str, third: str, second: str) -> str:
    """``Bob plays`` or ``you play``."""
    name = str(values["name"])
    return f"you {second}" if values.get("mine", name == me) else f"{name} {third}"


def _why(values: Values) -> str:
    why = str(values.get("why") or "").rstrip(".")
    return f": {why[0].lower() if why[1:2].islower() else why[0]}{why[1:]}" if why else ""


def _joined(values: Values, me: str, _style: Style) -> str:
    character = f" as {values['character']}" if values.get("character") else ""
    where = f" ({values['where']})" if values.get("where") else ""
    return f"{_who(values, me, 'sits', 'sit')} down at the table{character}{where}"


def _lost(values: Values, _me: str, _style: Style) -> str:
    seconds = values.get("seconds")
    after = "" if seconds is None else f". {values.get('character') or 'The computer'} plays in {round(seconds)} s"
    return f"{values['name']} is away{_why(values)}{after}"


def _redial(values: Values, _me: str, _style: Style) -> str:
    return f"{values['name']} is called again at {values['address']} in {round(values['seconds'])} s"


def _ask_redial(values: Values, _me: str, _style: Style) -> str:
    return (
        f"{values['name']} was at {values['address']}; to call that number again, in this game also by itself when the "
        f"line is lost once more, say: redial"
    )


def _takeover(values: Values, me: str, _style: Style) -> str:
    if values.get("mine", values["name"] == me):
        return f"{values['character']} plays for you from now on{_why(values)}"
    return f"{values['character']} plays for {values['name']} from now on{_why(values)}"


def _returned(values: Values, me: str, _style: Style) -> str:
    self = "yourself" if values.get("mine", values["name"] == me) else "herself"
    return f"{_who(values, me, 'plays', 'play')} for {self} again"


def _chat(values: Values, _me: str, _style: Style) -> str:
    return f'{"You say" if values.get("mine") else str(values["name"]) + " says"}: "{values["text"]}"'


def _chosen(values: Values, _me: str, _style: Style) -> str:
    return f"the game is {values['game']}" + (f", preset {values['preset']}" if values.get("preset") else "")


def _option(values: Values, _me: str, _style: Style) -> str:
    return f"the option {values['key']} is now {value_text(values['value'])}"


def value_text(value: object) -> str:
    """The value of a rule option as a person types it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _started(values: Values, me: str, _style: Style) -> str:
    seats = tuple(["you" if name == me else str(name) for name in values["seats"]])
    return f"{values['game']} begins: {names_text(seats)}"


def _dealt(values: Values, me: str, _style: Style) -> str:
    dealer = values.get("dealer")
    by = "" if dealer in (None, "") else f" by {'you' if dealer == me else dealer}"
    absent = tuple(values.get("absent") or ())
    verb = "are away and have" if len(absent) > 1 else "is away and has"
    without = f". {names_text(absent)} {verb} no part in the shuffle" if absent else ""
    return f"hand {values['hand']} is dealt{by}{without}"


def _acted(values: Values, me: str, style: Style) -> str:
    words = str(values["words"]).split()
    silent = is_card_word(words[0])
    verb = "play" if silent else words[0]
    cards = words if silent else words[1:]
    what = words_text(" ".join(cards or str(values.get("cards", "")).split()), style)
    return f"{_who(values, me, third_person(verb), verb)} {what}".strip()


def _hand_over(values: Values, me: str, _style: Style) -> str:
    scored = [
        f"{'you' if name == me else name} {points:+d}"
        for name, points in zip(values["names"], values["points"], strict=True)
        if points
    ]
    return f"hand {values['hand']} is over: {', '.join(scored) if scored else 'nobody scores'}"


def _opened(values: Values, _me: str, _style: Style) -> str:
    if values["proven"]:
        return f"the pack of hand {values['hand']} was opened and replayed: all was in order"
    return f"hand {values['hand']} stays unproven{_why(values)}"


def _checked(values: Values, me: str, _style: Style) -> str:
    if values["good"]:
        return f"{_who(values, me, 'has', 'have')} checked hand {values['hand']}: it fits"
    return f"{_who(values, me, 'says', 'say')} that hand {values['hand']} does not fit{_why(values)}"


def _game_over(values: Values, me: str, _style: Style) -> str:
    winners = tuple(["you" if name == me else str(name) for name in values["winners"]])
    verb = "win" if "you" in winners or len(winners) > 1 else "wins"
    totals = zip(values["names"], values["totals"], strict=True)
    scores = ", ".join([f"{'you' if name == me else name} {total}" for name, total in totals])
    head = f". Head of the log: {str(values['head'])[:16]}" if values.get("head") else ""
    missing = tuple(values.get("unsigned") or ())
    unsigned = f". {names_text(missing)} did not sign the end" if missing else ""
    return f"the game is over, {names_text(winners)} {verb}: {scores}{unsigned}{head}"


def _again(values: Values, me: str, _style: Style) -> str:
    if values["yes"]:
        return f"{_who(values, me, 'wants', 'want')} to play again"
    return f"{_who(values, me, 'does', 'do')} not want to play again"


def _code(values: Values, _me: str, _style: Style) -> str:
    return (
        f"whoever you meet for the first time adds this code: {values['code']} (it works once, for "
        f"{_span(values['seconds'])})"
    )


def _burnt(values: Values, _me: str, _style: Style) -> str:
    after = f"in {_span(values['seconds'])}"
    return (
        f"somebody gave a wrong code ({values['where']}), so {values['code']} is burnt; a new one comes {after}, "
        "while there is room. A friend who mistyped needs that one"
    )


def _words(values: Values, _me: str, _style: Style) -> str:
    name = values["name"]
    return (
        f"compare with {name} by voice: {values['words']}. If {name} has the same three words, nobody sits between "
        "you, and 'p2pcards peers trust' notes it; if not, leave the table"
    )


def _span(seconds: float) -> str:
    return f"{max(1, round(seconds / 60))} min" if seconds >= 90 else f"{max(0, round(seconds))} s"


TELLERS: dict[str, Callable[[Values, str, Style], str]] = {
    "joined": _joined,
    "left": lambda values, me, _: f"{_who(values, me, 'has', 'have')} left the table for good",
    "lost": _lost,
    "redial": _redial,
    "ask_redial": _ask_redial,
    "unreachable": lambda values, _, __: f"no connection to {values['address']}{_why(values)}",
    "back": lambda values, me, _: f"{_who(values, me, 'is', 'are')} back at the table",
    "takeover": _takeover,
    "returned": _returned,
    "chat": _chat,
    "gesture": lambda values, _, __: f"* {values['name']} {values['text']} *",
    "line": lambda values, _, __: str(values["text"]),
    "chosen": _chosen,
    "option": _option,
    "started": _started,
    "dealt": _dealt,
    "acted": _acted,
    "drawn": lambda values, me, style: (
        f"{words_text(str(values['words']), style)} turned up: {_who(values, me, 'deals', 'deal')} first"
    ),
    "shown": lambda values, _, style: f"turned up: {words_text(str(values['words']), style)}",
    "trick": lambda values, me, _: f"{_who(values, me, 'takes', 'take')} the trick",
    "hand_over": _hand_over,
    "opened": _opened,
    "checked": _checked,
    "game_over": _game_over,
    "again": _again,
    "hint": lambda values, _, style: f"a novice would say: {words_text(str(values['words']), style)}",
    "refused": lambda values, _, __: f"that does not go{with_tens(_why(values))}",
    "ask_again": lambda values, _, style: (
        f"the table changed meanwhile; {words_text(str(values['words']), style)} was not done, "
        "say it again if you still want it"
    ),
    "ended": lambda values, _, __: f"the game ended early{_why(values)}",
    "code": _code,
    "burnt": _burnt,
    "words": _words,
    "notice": lambda values, _, __: str(values["text"]),
}
