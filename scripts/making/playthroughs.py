"""The files of protocol/vectors/playthroughs: of each game and preset one whole hand with everybody's view after every
event.

People read them to find a card that is shown to somebody who should not see it, which no test of the laws can find. c
is the coordinator, 0 to 3 are seats, w is a watcher; -- is a card face down, 5-- are five of them. After each event
come the parts of the table that it changed for somebody, one line for each group of viewers that see the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import partial
from itertools import groupby
from random import Random
from typing import Any

from p2pcards.cards.card import BACK, Card
from p2pcards.cards.eyes import DEALER, PUBLIC, TRUTH, Bag, Slot, eye_of_seat, eyes_of_viewer, redact
from p2pcards.cards.pack import shuffle
from p2pcards.games.game import AnyGame, Stage
from p2pcards.games.names import USUAL
from p2pcards.games.options import header_values
from p2pcards.games.outcome import add_outcome, private_faces, public_outcome
from p2pcards.games.registry import GAMES
from p2pcards.players.choose import choose
from rigs.shown import shown_of

UNSHOWN = ("options", "eyes", "measured")
"""Of a state. What is measured is for records: a program plays without it."""


def files() -> Mapping[str, Callable[[], str]]:
    """What makes every playthrough, by its file name."""
    return {
        f"{game.key}-{preset}.txt": partial(page, game, preset)
        for game in GAMES.values()
        for preset in own_presets(game)
    }


def own_presets(game: AnyGame) -> list[str]:
    """Those whose rules are their own: the usual ones are often those of another preset too."""
    return [
        name
        for name, options in game.presets.items()
        if name != USUAL or list(game.presets.values()).count(options) == 1
    ]


def page(game: AnyGame, preset: str) -> str:
    return "\n".join(playthrough(game, preset)) + "\n"


def playthrough(game: AnyGame, preset: str) -> Iterator[str]:
    options, shown = game.presets[preset], shown_of(game.key)
    secret = shown.secrets.get(preset, "playthrough")
    rng = Random(secret)
    state = game.start(options, None)
    yield f"{game.name}, preset {preset}"
    chosen = "by novices" if shown.by_novices else "by chance"
    yield f"secret of hand k: {secret!r} and k as one byte; actions: chosen {chosen}"
    values = zip(fields(options), header_values(options), strict=False)  # as a header has them
    yield f"options: {', '.join([f'{part.name}={value}' for part, value in values])}"
    number = 0
    while state.hand < 2 and state.stage != Stage.OVER:
        number += 1
        title, make = next_event(game, state, secret, rng)
        event = make(state)
        after = game.play(state, event)
        yield ""
        yield f"{number}. {title}"
        yield from grouped("event", {who: show(redact(event, eyes)) for who, eyes in viewers(game, state)})
        outcome = public_outcome(event, make(redact(state, PUBLIC)))
        if outcome:
            turned = [f"slot {place} is {card}" for place, card in outcome.cards]
            named = [f"{fields(event)[place].name} is {seat}" for place, seat in outcome.values]
            yield f"    outcome      {', '.join(turned + named)}"
        for seat in range(game.seats(options)):
            mine = add_outcome(make(redact(state, eyes_of_viewer(seat))), outcome, game.seats(options))
            if faces := private_faces(event, mine, eyes_of_viewer(seat)):
                yield f"    faces        to {seat}: {show(faces)}"
        yield from changes(game, state, after)
        state = after


def next_event(game: AnyGame, state: Any, secret: str, rng: Random) -> tuple[str, Callable[[Any], Any]]:
    """What happens, in words, and the function that makes its event from the truth or from a view."""
    if state.stage == Stage.DEAL:
        pack = game.pack(state.options)
        seed = secret.encode() + bytes([state.hand + 1])
        packs = shuffle(pack, seed, "pack"), shuffle(pack, seed, "draw")
        backs = ((BACK,) * len(pack),) * 2
        return "the dealer deals", lambda view: game.deal(view, *(packs if view.eyes & DEALER else backs))
    if state.stage == Stage.SHOW:
        return "the dealer shows", game.show
    seat = rng.choice(state.to_act)
    legal = game.legal(state, seat)
    if shown_of(game.key).by_novices:
        action = choose(game, redact(state, eyes_of_viewer(seat)), seat, "novice", rng)
    else:
        action = rng.choice(legal)
    hidden = game.private[type(action)](state) if type(action) in game.private else action
    listed = ", ".join(show(each) for each in legal[:6]) + (f" and {len(legal) - 6} more" if len(legal) > 6 else "")
    secretly = f", which others see as {show(hidden)}" if hidden != action else ""
    title = f"seat {seat} may {listed}; does {show(action)}{secretly}"
    return title, lambda view: game.decide(view, seat, action if view.eyes & (DEALER | eye_of_seat(seat)) else hidden)


def viewers(game: AnyGame, state: Any) -> list[tuple[str, int]]:
    seats = range(game.seats(state.options))
    return [("c", TRUTH), *[(str(seat), eyes_of_viewer(seat)) for seat in seats], ("w", PUBLIC)]


def changes(game: AnyGame, before: Any, after: Any) -> Iterator[str]:
    """The parts of the table that are not as they were, for some viewer."""
    for field in parts_of(after):
        pair = getattr(before, field), getattr(after, field)
        if is_by_seat(pair[1]) and len(pair[0]) == len(pair[1]):
            parts = [(f"{field} {seat}", *each) for seat, each in enumerate(zip(*pair, strict=True))]
        else:
            parts = [(field, *pair)]
        for name, old, new in parts:
            seen = {who: show(redact(new, eyes)) for who, eyes in viewers(game, after)}
            if seen != {who: show(redact(old, eyes)) for who, eyes in viewers(game, before)}:
                yield from grouped(name, seen)


def parts_of(state: Any) -> Iterator[str]:
    """The names of its parts; in place of a deal that is kept in masks what is read from it."""
    in_deal: tuple[str, ...] = getattr(state, "IN_DEAL", ())
    kept = ("deal", "played", "leads") if in_deal else ()
    for name in [field.name for field in fields(state)]:
        if name == "deal" and in_deal:
            yield from in_deal
        elif name not in (*UNSHOWN, *kept, *in_deal):
            yield name


def is_by_seat(thing: object) -> bool:
    """Whether this is a tuple of bags or piles, each of which gets lines of its own."""
    return isinstance(thing, tuple) and bool(thing) and all(type(part) in (Bag, tuple) for part in thing)


def grouped(name: str, texts: dict[str, str]) -> Iterator[str]:
    """One line for each group of viewers that see the same."""
    by_text: dict[str, list[str]] = {}
    for who, text in texts.items():
        by_text.setdefault(text, []).append(who)
    for i, (text, group) in enumerate(by_text.items()):
        to_whom = "all" if len(by_text) == 1 else "".join(group)
        yield f"    {'' if i else name:12}{to_whom:>5}: {text}"


def show(thing: Any) -> str:
    """Anything of a state or an event in few letters."""
    if isinstance(thing, Slot):
        return str(thing.card)
    if isinstance(thing, Card):
        return str(thing)
    if isinstance(thing, Bag):
        return f"[{show(thing.slots) if thing.slots else ''}]"
    if isinstance(thing, tuple):
        if thing and all(isinstance(part, Slot | Card) for part in thing):
            runs = [(word, len(list(run))) for word, run in groupby(show(part) for part in thing)]
            return " ".join(f"{count}{word}" if count > 1 else word for word, count in runs)
        return f"({' | '.join(show(part) for part in thing)})"
    if hasattr(thing, "__dataclass_fields__"):
        parts = [getattr(thing, part.name) for part in fields(thing)]
        return " ".join([type(thing).__name__, *[show(part) for part in parts if part is not None]])
    return thing.name.lower() if hasattr(thing, "name") else str(thing)
