"""The files of protocol/vectors/options: for each game one case for every value of every option, and a few for
values that change one another.

protocol/vectors/README.md says how to read them. A case is looked for: games are played, under the value and under all
others of the option at once, until something is allowed, refused or scored under the value and not under the others.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any

from making.option_cases import ASTRAY, BESIDE, SHOWN_ALONE, Step, action_step, after, fault, values_of, what_then
from p2pcards.cards.card import Card, Suit, parse_card
from p2pcards.cards.eyes import redact, viewer
from p2pcards.games.game import AnyGame, Stage
from p2pcards.games.hearts import rules as hearts
from p2pcards.games.options import OptionError, declared, option_values, options_from, with_values
from p2pcards.games.registry import GAMES
from p2pcards.games.thirty_one import rules as thirty_one
from p2pcards.players.choose import by_lot, choose

TRIES = {1: 100, 2: 60, 4: 60, 12: 60, 40: 40}
"""How many games are tried, by the hands that they may have."""
Until = Callable[[Any, Any], bool]
"""Whether something has come about between two states."""
Barred = Callable[[Any, Any], Sequence[Any]]
"""What somebody may not do in a state in which they take this action."""
SKILL = 0.8
"""How often a novice chooses: to some rules chance alone does not come, to others a novice does not."""


HELD: Mapping[tuple[str, str], str] = {
    ("hearts", "moon"): "AC KC QC AD KD QD AH KH QH JH AS KS QS",
    ("hearts", "moon and jack"): "AC KC QC AD KD JD AH KH QH JH AS KS QS",
    ("auction_pitch", "smudge"): "AS KS QS JS TS 2S",
    ("gin_rummy", "oklahoma_ace_gin"): "2C 3C 4C 7C 7D 7H JD JH JS AC",
    ("gin_rummy", "big_gin"): "2C 3C 4C 5C 7C 7D 7H JD JH JS",
    ("gin_rummy", "big_gin_bonus"): "2C 3C 4C 5C 7C 7D 7H JD JH JS",
    ("pinochle2", "roundhouse"): "KC QC KD QD KH QH KS QS",
    ("pinochle2", "bonus_roundhouse"): "KC QC KD QD KH QH KS QS",
    ("rummy_500", "aces"): "AC 2C 3C QD KD AD",
    ("thirty_one", "blitz"): "AS KS QS",
    ("thirty_one", "dealt"): "AS KS TS",
    ("thirty_one", "taken"): "2C AS KS",
    ("thirty_one", "drawn"): "2C AS KS",
}
"""Hands to which chance hardly ever comes, of the player at the dealer's left."""
NEXT: Mapping[tuple[str, str], tuple[int, str]] = {
    ("gin_rummy", "oklahoma_ace_gin"): (20, "AD"),
    ("gin_rummy", "big_gin"): (20, "6C"),
    ("gin_rummy", "big_gin_bonus"): (20, "6C"),
    ("thirty_one", "taken"): (12, "TS"),
    ("thirty_one", "drawn"): (13, "TS"),
}
"""A card with its place in the pack: the upcard, or the first of the stock."""


def nothing(_state: Any, _action: Any) -> Sequence[Any]:
    return ()


@dataclass(frozen=True)
class Together:
    """Values of several options that change one another. what: in words; told: the options that, turned back to their
    defaults, must be told from these values; until: what must come about in it; held: by which name a hand is stacked;
    strict: whoever plays a card is refused one of those that they may not play; barred: and whoever acts, these."""

    what: str
    values: Mapping[str, Any]
    told: Sequence[str] = ()
    until: Until = lambda _before, _state: True
    held: str = ""
    strict: bool = False
    barred: Barred = nothing


def shared_win(_before: Any, state: Any) -> bool:
    return len(state.winners) > 1


def shared_block(_before: Any, state: Any) -> bool:
    """Crazy eights: two are lowest in a block, and divide something."""
    return bool(state.sheet) and sum(dict(items).get("lowest in the block", 0) > 0 for items in state.sheet.items) > 1


def king_played(_before: Any, state: Any) -> bool:
    return any(slot.card.rank == KING for slot in state.discards[1:])


def all_counted(_before: Any, state: Any) -> bool:
    """Crazy eights: a two, a jack and a king are left in the hands of others."""
    return bool(state.sheet) and any({"twos", "jacks", "kings"} <= set(dict(items)) for items in state.sheet.items)


def two_for_a_short_stock(left: int) -> Until:
    """Crazy eights: a two is played when so few cards are left in the stock, and is not the last card of the hand."""
    return lambda before, state: (
        before.stage is state.stage is Stage.PLAY
        and len(state.discards) > len(before.discards)
        and state.discards[-1].card.rank == 2
        and len(state.stock) == left
    )


def starting_with(rank: int) -> Until:
    return lambda _before, state: bool(state.discards) and state.discards[0].card.rank == rank


def ending_with(rank: int) -> Until:
    """Crazy eights: somebody goes out with such a card."""
    return lambda _before, state: (
        bool(state.sheet) and min(map(len, state.hands)) == 0 and state.discards[-1].card.rank == rank
    )


def jack_is_missing(_before: Any, state: Any) -> bool:
    """Hearts: the hand goes on, as the jack of diamonds has not fallen, though all other cards that count have."""
    fallen = [slot.card for slots in state.taken for slot in slots]
    all_others = state.stage is Stage.PLAY and not state.trick and sum(map(is_point, fallen)) == 14
    return all_others and hearts.JACK not in fallen


def is_point(card: Card) -> bool:
    return card.suit == Suit.HEARTS or card == hearts.QUEEN


def led_unbroken(_before: Any, state: Any) -> bool:
    """Hearts: they have been led and are not broken; whoever leads now holds some, and other cards too."""
    if state.trick or state.passed or state.broken or state.stage is not Stage.PLAY:
        return False
    led = any(slot.card.suit == Suit.HEARTS for slots in state.taken for slot in slots)
    suits = {card.suit for card in state.hands[state.leader].cards}
    return led and Suit.HEARTS in suits and len(suits) > 1


def blitz_as_dealt(before: Any, state: Any) -> bool:
    return before.blitz is None and state.blitz is not None and not before.drawn and before.turns == 0


def blitz_after(took: bool) -> Until:
    """Thirty-one: a hand has become a blitz with a card from the discards, or from the stock."""
    return lambda before, state: (
        before.blitz is None and state.blitz is not None and before.drawn and (before.taken is not None) == took
    )


def instead_of_blitz(_state: Any, action: Any) -> Sequence[Any]:
    """Thirty-one: what somebody with a blitz may not do instead, and how they may not show it."""
    if not isinstance(action, thirty_one.Blitz):
        return ()
    if action.card is None:
        return thirty_one.Draw(), thirty_one.Take(), thirty_one.Knock()
    return thirty_one.Discard(action.card), thirty_one.Blitz()


KING, JACK = 13, 11
SPECIALS = {"two_draws_two": True, "jack_skips": True, "king_reverses": True}
TOGETHER: Mapping[str, Sequence[Together]] = {
    "hearts": (
        Together(
            "the hand ends when the jack of diamonds has fallen too",
            {"quit_when_points_played": True, "jack_of_diamonds": True},
            ("quit_when_points_played", "jack_of_diamonds"),
            jack_is_missing,
        ),
        Together("a heart that is led does not break hearts", {}, (), led_unbroken, strict=True),
        Together("any heart breaks hearts", {"queen_breaks_hearts": True}, ("queen_breaks_hearts",), strict=True),
        Together("the first trick, led by the eldest hand", {"opening_lead": "eldest"}, (), strict=True),
        Together(
            "the moon where the queen costs nothing", {"queen_points": False, "moon": "add"}, ("moon",), held="moon"
        ),
        Together(
            "the moon, with the jack of diamonds among the tricks",
            {"jack_of_diamonds": True, "moon": "add"},
            ("jack_of_diamonds", "moon"),
            held="moon and jack",
        ),
        Together("level at the lowest: a shared win", {"end_score": 25}, (), shared_win),
        Together(
            "nothing taken, though the queen costs nothing",
            {"no_trick_bonus": True, "queen_points": False},
            ("no_trick_bonus", "queen_points"),
        ),
    ),
    "crazy_eights": (
        Together("a block in which two are lowest", {"players": 3}, (), shared_block),
        Together(
            "two cards for a two where only one may be drawn",
            {"two_draws_two": True, "draw_one_only": True},
            ("two_draws_two", "draw_one_only"),
        ),
        Together("a jack between two players", {"players": 2, "jack_skips": True}, ("jack_skips",)),
        Together(
            "a king between two players does nothing",
            {"players": 2, "king_reverses": True},
            (),
            king_played,
        ),
        Together("twos, jacks and kings that are left count 25", SPECIALS, tuple(SPECIALS), all_counted),
        Together("a two as the starter does nothing", SPECIALS, (), starting_with(2)),
        Together("a jack as the starter does nothing", SPECIALS, (), starting_with(JACK)),
        Together("a king as the starter does nothing", SPECIALS, (), starting_with(KING)),
        Together("a two when one card is left to draw", SPECIALS, (), two_for_a_short_stock(1)),
        Together("a two when no card is left to draw", SPECIALS, (), two_for_a_short_stock(0)),
        Together("a two as the last card", SPECIALS, (), ending_with(2)),
        Together("a jack as the last card", SPECIALS, (), ending_with(JACK)),
    ),
    "thirty_one": (
        Together("a blitz as it was dealt", {}, (), blitz_as_dealt, "dealt", barred=instead_of_blitz),
        Together("a blitz with a card from the stock", {}, (), blitz_after(False), "drawn", barred=instead_of_blitz),
        Together("a blitz with a card from the discards", {}, (), blitz_after(True), "taken", barred=instead_of_blitz),
    ),
}


@dataclass(frozen=True)
class Deals:
    """How a game is played for a case. top: cards by their places in the pack; hands: how many it may have at most;
    strict, barred: as in `Together`."""

    top: Mapping[int, Card]
    hands: int
    strict: bool
    barred: Barred
    rng: Random


def files() -> Mapping[str, Callable[[], str]]:
    return {f"{key}.json": partial(page, game) for key, game in GAMES.items()}


def page(game: AnyGame) -> str:
    """All cases of a game, one a line."""
    return "[\n" + ",\n".join([json.dumps(case, separators=(",", ":")) for case in cases(game)]) + "\n]\n"


def fault_of(name: str, text: str) -> str:
    """What is wrong with the cases of a file, "" where they show every value of every option. They are not looked for
    again: any game that shows a value will do."""
    game = GAMES[name.removesuffix(".json")]
    there = json.loads(text)
    for option in declared(game.options):
        shown = [case["value"] for case in there if case.get("option") == option.key]
        if shown != list(values_of(option)):
            return f"the values of {option.key} that it shows are {shown}."
    for case in there:
        options = options_from(game.options, case["options"])
        if told := fault(game, options, case["steps"]):
            return f"the case of {case.get('option', case.get('what'))} cannot be played over. {told}"
    return ""


def cases(game: AnyGame) -> Iterator[dict[str, Any]]:
    for option in declared(game.options):
        base = with_values(game.options(), BESIDE.get((game.key, option.key), {}))
        variants = [(value, with_options(base, {option.key: value})) for value in values_of(option)]
        for value, options in variants:
            rivals = [other for _, other in variants if other not in (options, None)]
            if (game.key, option.key) in SHOWN_ALONE:
                rivals = []
            steps = look_for(game, options, rivals, option.key)
            yield {"option": option.key, "value": value, "options": option_values(options), "steps": steps}
    for one in TOGETHER.get(game.key, ()):
        options = with_values(game.options(), one.values)
        rivals = [replace(options, **{key: getattr(game.options(), key)}) for key in one.told]
        steps = look_for(game, options, rivals, one.held, one.until, one.strict, one.barred)
        yield {"what": one.what, "told": one.told, "options": option_values(options), "steps": steps}
    if game.key == "thirty_one":
        yield tied_on_honor(game)
    if any(option.kind == "flag" for option in declared(game.options)):
        options = all_on(game)
        steps = look_for(game, options, [], "")
        yield {"what": "every flag on", "told": [], "options": option_values(options), "steps": steps}


def tied_on_honor(game: AnyGame) -> dict[str, Any]:
    """Thirty-one: three, of whom each is on their honor, tie for lowest in two hands, and are all that are left."""
    options = with_values(game.options(), {"starting_points": 1})
    low, alike = ("2C 3C 4C", "2D 3D 4D", "2H 3H 4H", "2S 3S 4S"), ("5C 6C 7C", "5D 6D 7D", "5H 6H 7H", "5S 6S 7S")
    steps: list[Step] = [["draw", bytes(game.pack(options)).hex()]]
    state = after(game, game.start(options, None), steps[0])
    for loser in (True, True, False, False):
        order = [seat for seat in range(1, 5) if state.scores[(state.dealer + seat) % 4] >= 0]
        seats = [(state.dealer + seat) % 4 for seat in order]
        hands = [(low if loser and seat == 0 else alike)[seat].split() for seat in seats]
        top = {i + len(seats) * k: parse_card(hands[i][k]) for i in range(len(seats)) for k in range(3)}
        made: list[Step] = [["deal", bytes(shuffled(game.pack(options), top, Random(0))).hex()], [seats[0], 3]]
        made += [[seat, 4] for seat in seats[1:]]
        for step in made:
            state = after(game, state, step)
        steps += [*made, ["scores", list(state.scores)]]
    steps.append(["then", *what_then(state)])
    assert len(state.winners) == 3
    what = "three who are on their honor tie for lowest, and share the game"
    return {"what": what, "told": [], "options": option_values(options), "steps": steps}


def all_on(game: AnyGame) -> Any:
    """Every flag on that goes with those before it."""
    options = game.options()
    for option in declared(game.options):
        if option.kind == "flag":
            options = with_options(options, {option.key: True}) or options
    return options


def with_options(options: Any, values: Mapping[str, Any]) -> Any:
    """The options with these values; None where they do not go together."""
    try:
        return with_values(options, values)
    except OptionError:
        return None


def look_for(
    game: AnyGame,
    options: Any,
    rivals: Sequence[Any],
    held: str,
    until: Until = lambda _before, _state: True,
    strict: bool = False,
    barred: Barred = nothing,
) -> list[Step]:
    """The steps of a game that can be taken with these options alone, of few hands if there is one."""
    for hands, tries in TRIES.items():
        for number in range(tries):
            deals = Deals(stacked(game, options, held), hands, strict, barred, Random(f"{game.key} {number}"))
            steps = played(game, options, rivals, until, deals)
            if steps and all(fault(game, other, steps) for other in rivals):
                return steps
    raise SystemExit(f"{game.key}: nothing tells {options} from {rivals}.")


def played(game: AnyGame, options: Any, rivals: Sequence[Any], until: Until, deals: Deals) -> list[Step]:
    """The steps up to the end of the hand in which all rivals have been left behind, and what is waited for has come;
    none if that takes too many hands."""
    state, due = game.start(options, None), False
    steps: list[Step] = []
    alike = [game.start(other, None) for other in rivals]
    while True:
        if state.stage is Stage.OVER or (state.stage is Stage.DEAL and state.hand and due and not alike):
            return [*steps, ["then", *what_then(state)]] if due else []
        if state.stage is Stage.DEAL and state.hand == deals.hands:
            return []
        made = steps_from(game, state, alike, deals)
        before = state
        for step in made:
            state = after(game, state, step)
        if state.scores != before.scores:
            made.append(["scores", list(state.scores)])
        due = due or until(before, state)
        alike = [follower for other in alike if (follower := following(game, other, made)) is not None]
        steps += made


def steps_from(game: AnyGame, state: Any, alike: Sequence[Any], deals: Deals) -> list[Step]:
    """A deal; or an action, before it what is refused though others would allow it."""
    rng = deals.rng
    if state.stage is Stage.DEAL:
        order = shuffled(game.pack(state.options), deals.top if state.dealer is not None else {}, rng)
        return [["draw" if state.dealer is None else "deal", bytes(order).hex()]]
    seat = rng.choice(state.to_act)
    legal = game.legal(state, seat)
    theirs = [dict.fromkeys(game.legal(other, seat)) for other in alike if seat in other.to_act]
    allowed = set(legal)
    barred = [action for others in theirs for action in others if action not in allowed][:1]
    own = [action for others in theirs for action in legal if action not in others]
    action = rng.choice(own) if own else usual(game, state, seat, legal, rng)
    if deals.strict and "card" in action.__dataclass_fields__:
        barred += [one for card in state.hands[seat].cards if (one := replace(action, card=card)) not in allowed][:1]
    barred += deals.barred(state, action)
    return [*[["refused", *action_step(game, seat, one)] for one in barred], action_step(game, seat, action)]


def usual(game: AnyGame, state: Any, seat: int, legal: Sequence[Any], rng: Random) -> Any:
    if rng.random() < SKILL:
        return choose(game, redact(state, viewer(seat)), seat, "novice", rng)
    return by_lot(game, legal, rng)


def following(game: AnyGame, state: Any, steps: Sequence[Step]) -> Any:
    """The state of another game after these steps, None where one of them cannot be taken."""
    try:
        for step in steps:
            state = after(game, state, step)
    except ASTRAY:
        return None
    return state


def shuffled(pack: Sequence[Card], top: Mapping[int, Card], rng: Random) -> list[Card]:
    """The pack in some order, with these cards in their places."""
    rest = list(pack)
    for card in top.values():
        rest.remove(card)
    rng.shuffle(rest)
    for place in sorted(top):
        rest.insert(place, top[place])
    return rest


def stacked(game: AnyGame, options: Any, held: str) -> dict[int, Card]:
    """Cards by their places in the pack, where a hand that is hard to come by is wanted."""
    hand = HELD.get((game.key, held), "").split()
    every = 3 if game.key == "pinochle2" else 1
    seats = game.seats(options)
    places = [i for i in range(len(hand) * seats) if i // every % seats == 0]
    top = {place: parse_card(word) for place, word in zip(places, hand, strict=False)}
    if (game.key, held) in NEXT:
        place, word = NEXT[game.key, held]
        top[place] = parse_card(word)
    return top
