"""The laws of hidden cards, put to a game over random play.

`put_laws` plays a game with random legal actions and checks at every step, for coordinator, each seat and a watcher:

0. what travels (the action, the outcome, one's own faces) is exactly what a view needs to make its event;
1. the view of the next state is the next state of the view;
2. a seat's legal actions are the same on its view;
3. a world imagined behind a view looks like the view, and holds the pack;
4. a viewer notices nothing when two cards are exchanged that they have not seen (twins);
5. an action is legal exactly when it is verified, also one that was legal before; a view never refuses what could be;
6. what lies on the table is, for each viewer, what the truth has there, hidden from them: each card in one place, each
   pile and each trick's card at a seat of the game or at none.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from itertools import combinations, product
from random import Random
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from p2pcards.cards.card import BACK, Card, Suit
from p2pcards.cards.eyes import DEALER, HIDDEN, PUBLIC, TRUTH, eye_of_seat, eyes_of_viewer, redact, slots_of
from p2pcards.cards.pack import shuffle
from p2pcards.games.game import Action, AnyGame, Event, IllegalAction, Seat, Stage
from p2pcards.games.options import OptionError, Value, declared_options
from p2pcards.games.outcome import Outcome, add_faces, add_outcome, private_faces, public_outcome
from p2pcards.games.registry import GAMES
from p2pcards.players.choose import choose
from rigs.worlds import determinize

NOVICE = "novice"
Views = dict[int, Any]  # a state by the eyes that look at it


@dataclass(frozen=True)
class Move:
    """What makes the next event: an action of a seat, or a deal with these packs, or (with neither) a show."""

    seat: Seat | None = None
    action: Action = None
    pack: tuple[Card, ...] = ()
    draw: tuple[Card, ...] = ()


@dataclass(frozen=True)
class Step:
    before: Any
    move: Move
    event: Event
    after: Any
    after_views: Views
    sent: dict[int, tuple[Outcome, Event, tuple[Card, ...]]]  # what each viewer but the coordinator gets of it


@dataclass
class Run:
    """What a run has reached, and how often each law was put. lately: actions that were legal, to whomever."""

    actions: set[type] = field(default_factory=set)
    refused: set[type] = field(default_factory=set)
    events: set[type] = field(default_factory=set)
    stages: set[Stage] = field(default_factory=set)
    checks: Counter[str] = field(default_factory=Counter)
    lately: deque[Action] = field(default_factory=lambda: deque(maxlen=100))


@cache
def law_run(key: str, options: Any, moves: int) -> Run:
    """Put the laws to so many actions of the game of this key; once, however many tests ask."""
    return put_laws(GAMES[key], options, moves)


def put_laws(
    game: AnyGame, options: Any, moves: int, *, at_end: bool = False, chance: int = 1, favourite: type | None = None
) -> Run:
    """Put the laws to so many actions of a game, played again and again. at_end: the first of them are the last of a
    game among novices. favourite: the action of eager players in every hand."""
    run, rng = Run(), Random(chance)
    state = before_end(game, options, moves // 2, rng) if at_end else game.start(options, None)
    hand: list[Step] = []
    eager_for: type | str | None = NOVICE if at_end else favourite
    views = {eyes: redact(state, eyes) for eyes in viewers(game.seats(options))}
    while run.checks["moves"] < moves:
        if state.stage == Stage.OVER:
            state = game.start(options, game.next_first_dealer(state))
            views = {eyes: redact(state, eyes) for eyes in views}
        if state.stage == Stage.DEAL:
            check_twins(game, hand, rng, run)
            hand = []
            # Two hands of three are played by who gets to the end; of the others one by eager drawers, another by none.
            eager_for = favourite or (rng.choice((None, *game.actions)) if state.hand % 3 == 2 else NOVICE)
        move = random_move(game, state, rng, eager_for)
        step = check_step(game, state, views, move, run)
        hand.append(step)
        state, views = step.after, step.after_views
        check_legality(game, state, views, rng, run)
        check_worlds(game, state, views, rng, run)
        check_layout(game, state, views, run)
        run.events.add(type(step.event))
        run.stages.add(state.stage)
        if move.seat is not None:
            run.actions.add(type(move.action))
            run.checks["moves"] += 1
    check_twins(game, hand, rng, run)
    return run


def before_end(game: AnyGame, options: Any, moves: int, rng: Random) -> Any:
    """Where so many actions are left in a game among novices."""
    state = game.start(options, None)
    states = deque([state], maxlen=moves + 1)
    while state.stage != Stage.OVER:
        state = game.play(state, event_of(game, state, random_move(game, state, rng, NOVICE)))
        states.append(state)
    return states[0]


def viewers(seats: int) -> tuple[int, ...]:
    return (TRUTH, *[eyes_of_viewer(seat) for seat in range(seats)], PUBLIC)


def random_move(game: AnyGame, state: Any, rng: Random, favourite: type | str | None = None) -> Move:
    """Actions of the favourite type are taken wherever there are any; with NOVICE a novice chooses."""
    if state.stage == Stage.DEAL:
        secret = rng.randbytes(8)
        pack = game.pack(state.options)
        return Move(pack=shuffle(pack, secret, "pack"), draw=shuffle(pack, secret, "draw"))
    if state.stage == Stage.SHOW:
        return Move()
    seat = rng.choice(state.to_act)
    if favourite == NOVICE:
        return Move(seat, choose(game, redact(state, eyes_of_viewer(seat)), seat, "novice", rng))
    legal = game.legal(state, seat)
    eager = [action for action in legal if type(action) is favourite]
    return Move(seat, rng.choice(eager or legal))


def event_of(game: AnyGame, state: Any, move: Move) -> Event:
    """The event as an onlooker through this state makes it, from nothing but what is sent to everybody."""
    knows_all = bool(state.eyes & DEALER)
    if state.stage == Stage.DEAL:
        backs = (BACK,) * len(move.pack)
        return game.deal(state, *((move.pack, move.draw) if knows_all else (backs, backs)))
    if state.stage == Stage.SHOW:
        return game.show(state)
    assert move.seat is not None
    action = as_seen(game, state, move.seat, move.action)
    game.verify(state, move.seat, action)
    return game.decide(state, move.seat, action)


def as_seen(game: AnyGame, state: Any, seat: Seat, action: Action) -> Action:
    """The action as it reaches an onlooker through this state."""
    hidden = type(action) in game.private and not state.eyes & (DEALER | eye_of_seat(seat))
    return game.private[type(action)](state) if hidden else action


# --- laws 0 and 1 ---------------------------------------------------------------------------------------------------


def check_step(game: AnyGame, state: Any, views: Views, move: Move, run: Run) -> Step:
    event = event_of(game, state, move)
    outcome = public_outcome(event, event_of(game, views[PUBLIC], move))
    after = game.play(state, event)
    after_views: Views = {}
    sent = {}
    for eyes, view in views.items():
        seen = redact(event, eyes)
        if not eyes & DEALER:
            received, faces = receive(game, view, move, event, outcome, eyes)
            sent[eyes] = outcome, received, faces
            assert received == seen, f"law 0, eyes {eyes}: {received} instead of {seen}"
            run.checks["law 0"] += 1
        after_views[eyes] = redact(after, eyes)
        told = game.remarks(view, seen, after_views[eyes])
        assert told == game.remarks(state, event, after), f"law 6, what is said aloud differs for {eyes}"
        drifted = game.play(view, seen)
        assert drifted == after_views[eyes], f"law 1, eyes {eyes}: {drifted} instead of {after_views[eyes]}"
        assert redact(after_views[eyes], eyes) == after_views[eyes]
        run.checks["law 1"] += 1
    return Step(state, move, event, after, after_views, sent)


def receive(
    game: AnyGame, view: Any, move: Move, event: Event, outcome: Outcome, eyes: int
) -> tuple[Event, tuple[Card, ...]]:
    """The event as these eyes make it from their own view, the outcome and their faces; and the faces."""
    mine = add_outcome(event_of(game, view, move), outcome, game.seats(view.options))
    faces = private_faces(event, mine, eyes)
    return add_faces(mine, faces, eyes), faces


# --- laws 2 and 5 ---------------------------------------------------------------------------------------------------


def check_legality(game: AnyGame, state: Any, views: Views, rng: Random, run: Run) -> None:
    lately = some(run.lately, 3, Random(run.checks["moves"]))  # another time they may be illegal
    for seat in range(game.seats(state.options)):
        legal = game.legal(state, seat)
        own = views[eyes_of_viewer(seat)]
        assert game.legal(own, seat) == legal, f"law 2, seat {seat}"
        run.checks["law 2"] += 1
        assert bool(legal) == (seat in state.to_act), "the seat to act has an action, and nobody else"
        assert len(set(legal)) == len(legal), "one spelling each"
        unchanged = hash((state, own))
        for action in (*some(legal, 20, rng), *mutations(game, state, legal, rng), *lately):
            allowed = action in legal
            assert passes(game, state, seat, action) == allowed, f"law 5, seat {seat}, {action}"
            assert passes(game, own, seat, action) == allowed, f"law 5 on its view, seat {seat}, {action}"
            run.checks["law 5, legal" if allowed else "law 5, not legal"] += 1
            if not allowed:
                run.refused.add(type(action))
                continue
            said = {eyes: game.says(view, seat, as_seen(game, view, seat, action)) for eyes, view in views.items()}
            for eyes, view in views.items():
                seen = as_seen(game, view, seat, action)
                knows = eyes & (DEALER | eye_of_seat(seat))
                assert said[eyes] == said[TRUTH if knows else PUBLIC], f"law 6, {said[eyes]!r} for {eyes}"
                assert passes(game, view, seat, seen), f"law 5, {action} of seat {seat} refused on {eyes}"
        assert hash((state, own)) == unchanged, f"law 5, seat {seat}: a refusal has changed the state"
        run.lately.extend(some(legal, 3, Random(run.checks["moves"])))


def check_layout(game: AnyGame, state: Any, views: Views, run: Run) -> None:
    truth = game.layout(state)
    seats = game.seats(state.options)
    places = [pile.seat for pile in truth.piles] + [seat for seat, _ in (*truth.trick, *truth.last_trick)]
    assert {*places, truth.taker} <= {*range(seats), None}, "law 6, a seat that there is not"
    assert len(truth.seats) in (0, seats), "law 6, a fact for each seat or for none"
    lying = [slot.card for pile in truth.piles for slot in pile.slots] + [slot.card for _, slot in truth.trick]
    faces = Counter(card.face for card in lying)
    assert faces <= Counter(game.pack(state.options)), "law 6, a card in two places"
    for eyes, view in views.items():
        assert game.layout(view) == redact(truth, eyes), f"law 6 for {eyes}"
    for seat in range(seats):
        for told in (game.own, game.indicator, game.meldable):
            assert told(views[eyes_of_viewer(seat)], seat) == told(state, seat), f"law 6, the hand of seat {seat}"
    run.checks["law 6"] += 1


def some(things: Sequence[Any], number: int, rng: Random) -> Sequence[Any]:
    return things if len(things) <= number else rng.sample(things, number)


def passes(game: AnyGame, state: Any, seat: Seat, action: Action) -> bool:
    try:
        game.verify(state, seat, action)
    except IllegalAction as refused:
        assert str(refused)
        return False
    return True


def mutations(game: AnyGame, state: Any, legal: Sequence[Action], rng: Random) -> Iterator[Action]:
    """Actions near the legal ones, or of any other type; some may be legal."""
    for kind in game.actions:
        yield any_action(kind, game.pack(state.options), rng)
    for action in some(legal, 3, rng):
        other = any_action(type(action), game.pack(state.options), rng)
        for part in fields(action):
            value = getattr(action, part.name)
            yield replace(action, **{part.name: getattr(other, part.name)})
            if isinstance(value, Card):
                yield replace(action, **{part.name: BACK})
            if isinstance(value, tuple) and value:
                for wrong in (value[::-1], value[:-1], value + value[-1:], (value[0], *value[:-1]), ()):
                    yield replace(action, **{part.name: wrong})


def any_action(kind: type, pack: Sequence[Card], rng: Random) -> Action:
    """An action of this type with fields of the right types and nothing else right."""
    return kind(**{name: any_value(hint, pack, rng) for name, hint in hints(kind).items()})


@cache
def hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def any_value(hint: Any, pack: Sequence[Card], rng: Random) -> Any:
    if isinstance(hint, UnionType):
        return any_value(rng.choice(get_args(hint)), pack, rng)
    if get_origin(hint) is tuple:
        return tuple([any_value(get_args(hint)[0], pack, rng) for _ in range(rng.randrange(5))])
    makers: dict[Any, Callable[[], Any]] = {
        Card: lambda: rng.choice(pack),
        Suit: lambda: rng.choice(tuple(Suit)),
        NoneType: lambda: None,
        bool: lambda: rng.random() < 0.5,
        int: lambda: rng.randrange(-1, 60),
    }
    return makers[hint]()


# --- law 3, and law 5 where a view refuses --------------------------------------------------------------------------


def check_worlds(game: AnyGame, state: Any, views: Views, rng: Random, run: Run) -> None:
    if not state.hand:
        return
    pack = game.pack(state.options)
    cards = sorted(slot.card.face for slot in slots_of(state))
    for eyes, view in views.items():
        if eyes & DEALER:  # one who sees all cards imagines none
            continue
        try:
            world = determinize(view, pack, rng)
        except ValueError as error:
            raise AssertionError(f"law 3, eyes {eyes}: {error}") from error
        assert redact(world, eyes) == view, f"law 3, eyes {eyes}"
        assert sorted(slot.card.face for slot in slots_of(world)) == cards, f"law 3, eyes {eyes}: not the pack"
        run.checks["law 3"] += 1
        for seat in state.to_act:
            legal = game.legal(world, seat)
            for action in (*some(legal, 3, rng), *mutations(game, world, (), rng)):
                if not passes(game, view, seat, as_seen(game, view, seat, action)):
                    assert action not in legal, f"law 5: eyes {eyes} refuse {action} of seat {seat}, which could be"
                    run.checks["law 5, refused on a view"] += 1


# --- law 4 ----------------------------------------------------------------------------------------------------------


def check_twins(game: AnyGame, hand: Sequence[Step], rng: Random, run: Run) -> None:
    """Play the hand again for every viewer, with two cards (and their equals) exchanged that it has not seen yet, or
    not until late."""
    start = next((i for i, step in enumerate(hand) if step.after.hand > step.before.hand), None)
    if start is None:
        return
    for eyes in hand[0].after_views:
        if eyes & DEALER:
            continue
        first_seen = dict.fromkeys(game.pack(hand[0].before.options), len(hand))
        for i in reversed(range(start, len(hand))):
            shown = redact(hand[i].event, eyes)
            for slot in (*slots_of(shown), *slots_of(hand[i].after_views[eyes])):
                if slot.card:
                    first_seen[slot.card.face] = i
        unseen = sorted([card for card in first_seen if first_seen[card] > start], key=lambda card: -first_seen[card])
        for among in (unseen[: max(2, len(unseen) // 4)], unseen, unseen, unseen):
            if len(among) < 2:  # every card of a pack of copies may have an equal that it has seen
                continue
            a, b = rng.sample(among, 2)
            until = min(first_seen[a], first_seen[b])
            run.checks["law 4"] += _replay(game, hand[start:until], eyes, {a: b, b: a})


def _replay(game: AnyGame, steps: Sequence[Step], eyes: int, swap: dict[Card, Card]) -> int:
    """How many of these steps were played with the cards exchanged before an action was no longer legal, or a part of a
    hand that is shown another."""
    twin = steps[0].before if steps else None
    view = redact(twin, eyes)
    for i, step in enumerate(steps):
        move = _swapped(game, step.move, swap)
        if move.seat is not None and not passes(game, twin, move.seat, move.action):
            return i
        event = event_of(game, twin, move)
        outcome = public_outcome(event, event_of(game, redact(twin, PUBLIC), move))
        sent = (outcome, *receive(game, view, move, event, outcome, eyes))
        if sent != step.sent[eyes] and HIDDEN in slots_of(step.event):
            return i  # a part of a hand is shown, which tells of the rest that it is not to be shown
        assert sent == step.sent[eyes], f"law 4, eyes {eyes}: {sent} instead of {step.sent[eyes]}"
        twin = game.play(twin, event)
        view = redact(twin, eyes)
        assert view == step.after_views[eyes], f"law 4, eyes {eyes}, {swap}: step {i}"
    return len(steps)


def _swapped(game: AnyGame, move: Move, swap: dict[Card, Card]) -> Move:
    if move.seat is None:
        return replace(move, pack=tuple([swap.get(card, card) for card in move.pack]))
    if type(move.action) not in game.private:
        return move
    parts: dict[str, Any] = {}
    for part in fields(move.action):
        value = getattr(move.action, part.name)
        if isinstance(value, Card):
            parts[part.name] = swap.get(value, value)
        elif isinstance(value, tuple):
            parts[part.name] = tuple(sorted(swap.get(card, card) for card in value))
    return replace(move, action=replace(move.action, **parts))


# --- which options --------------------------------------------------------------------------------------------------


def option_sets(kind: type, rng: Random, meeting: int) -> list[Any]:
    """Options in which every so many values (1 or 2) of different options meet: every value of flags, choices and small
    numbers, the lowest and the highest of others. Values that contradict each other do not meet."""
    values = {option.key: values_of(option) for option in declared_options(kind)}
    keys = list(values)
    missing = {
        tuple(zip(some_keys, some_values, strict=True))
        for some_keys in combinations(keys, meeting)
        for some_values in product(*[values[key] for key in some_keys])
    }
    sets: list[Any] = []
    while missing:
        wanted = min(missing, key=repr)
        tries = [
            {key: rng.choice(values[key]) for key in keys} | dict(also) for also in ((), wanted) for _ in range(50)
        ]
        possible = [chosen for chosen in tries if agree(kind, chosen)]
        best = max(possible, key=lambda chosen: len(missing & meetings(chosen, meeting)), default={})
        met = missing & meetings(best, meeting)
        missing -= met or {wanted}
        sets += [kind(**best)] if met else []
    return sets


def agree(kind: type, chosen: dict[str, Value]) -> bool:
    try:
        kind(**chosen)
    except OptionError:
        return False
    return True


def meetings(chosen: dict[str, Value], meeting: int) -> set[tuple[tuple[str, Value], ...]]:
    return set(combinations(chosen.items(), meeting))


def values_of(option: Any) -> tuple[Value, ...]:
    if option.kind == "number":
        few = option.high - option.low < 5
        return tuple(range(option.low, option.high + 1)) if few else (option.low, option.high)
    return (False, True) if option.kind == "flag" else option.choices
