"""The table in plain lines, which a screen reader reads well: no drawing, one thing a line; and the prompt that says
what can be done now."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from enum import StrEnum

from p2pcards.cards.card import Card
from p2pcards.games.claims import REST
from p2pcards.games.names import USUAL, name_with_preset
from p2pcards.games.prose import ends_text, preset_and_differences
from p2pcards.games.registry import GAMES
from p2pcards.games.spelling import is_card_word, one_example_per_verb, shorten_for_prompt
from p2pcards.games.wording import join_with_and, quantity_text
from p2pcards.present.cards import (
    Arrangement,
    Style,
    action_text,
    card_text,
    cards_text,
    count_text,
    draw_cards_in_text,
    hand_groups,
    hand_words,
    tens_as_numbers,
    usual_arrangement,
)
from p2pcards.present.rules import own_rules_text
from p2pcards.present.story import LONGEST, as_sentence, countdown_text
from p2pcards.present.width import COLUMNS, fit_text, pad_left, pad_right, text_width, wrap_words
from p2pcards.views.absence import Absence, link_text
from p2pcards.views.tableview import PersonView, PileView, SeatView, TableView, TrumpView
from p2pcards.wire.clean import clean
from p2pcards.wire.invitation import has_invitation

# --- the table in plain lines, which a screen reader reads well -------------------------------------------------------


NAME_COLUMNS = 16  # columns of a name
LOOKING_ON = "You're watching."
LONG = 40  # columns of a fact that is broken where the line ends, and not kept together


def table_lines(
    view: TableView, style: Style, elapsed: float = 0.0, arrangement: Arrangement | None = None
) -> list[str]:
    """The whole table in 16 lines of at most 79 columns, and a few more for slow lines or the players' own rules.
    elapsed: seconds since the view came; arrangement: of my hand, None for the game's usual one."""
    if not view.seats:
        return lobby_lines(view)
    slow = [
        f"line to {clean(person.name, NAME_COLUMNS)}: {clean(person.line, 60)}" for person in view.people if person.line
    ]
    facts = "; ".join([*hand_facts(view, style), *slow])
    lines = wrap_words(
        " ".join(filter(None, [as_sentence(title_text(view)), as_sentence(facts, player_names(view))])), indent="  "
    ) + _own_rules_texts(view)
    lines += [line for seat in view.seats for line in _seat_lines(view, seat, style, elapsed)]
    last = view.pause is not None and bool(view.last_trick)
    lines += trick_lines(view, style, last) + pile_lines(view, style) + open_hand_lines(view, style)
    lines += hand_lines(view, style, arrangement)
    return [*lines, *wrap_words(_next_step_line(view))]


def lobby_lines(view: TableView) -> list[str]:
    """The people at the table between games, and the chosen game."""
    chosen, rules = chosen_texts(view)
    return [*wrap_words(chosen), *wrap_words(rules, indent="  ", first="  "), *people_lines(view)]


def chosen_texts(view: TableView) -> tuple[str, str]:
    """(the chosen game, its rules)."""
    nothing = f"Waiting for {clean(view.waiting)}." if view.waiting else "No game picked yet."
    chosen = f"Next game: {_game_text(view)}." if view.game else nothing
    game = GAMES.get(view.game or "")
    return chosen, clean(preset_and_differences(game, dict(view.options)), LONGEST) if game and view.options else ""


def people_lines(view: TableView) -> list[str]:
    """Everyone at the table, with their link and fingerprint, which tell people apart."""
    lines = [line for person in view.people for line in wrap_words(person_line(person, view), indent="    ")] or [
        "Nobody is here."
    ]
    behind = [line for one in view.watchers for line in wrap_words(watcher_line(one), indent="    ")]
    code = [f"Code for new friends: {clean(view.code, 40)}"] if view.code else []
    return [*lines, *behind, *code, *link_lines(view)]


def link_lines(view: TableView) -> list[str]:
    """How friends find this table."""
    if not view.link:
        return []
    if has_invitation(view.link):
        return ["Link for all your friends, while this table is open:", f"  {clean(view.link, LONGEST)}"]
    about = " (it includes the code)" if view.code else ", for people you know (for a new code, type 'code')"
    return [f"Link to this table{about}:", f"  {clean(view.link, LONGEST)}"]


def hand_lines(view: TableView, style: Style, arrangement: Arrangement | None = None) -> list[str]:
    """My hand in my arrangement; empty for a watcher."""
    mine = my_seat(view)
    if mine is None or not view.hand:
        return []
    if not mine.cards:
        return ["Your hand is empty."]
    words = hand_words(hand_groups(arrangement or usual_arrangement(view.game), mine.known, trump_suit(view)), style)
    hidden = mine.cards - len(mine.known)
    more = [f"and {count_text(hidden)} face down"] if hidden else []
    facts = "; ".join(map(clean, (*view.own, *view.indicator)))
    own = as_sentence(draw_cards_in_text(facts, style), player_names(view)) if facts else ""
    hand = wrap_words([f"Your hand ({mine.cards}):", *words, *more], indent="  ")
    if own and text_width(f"{hand[-1]}. {own}") <= COLUMNS:
        return [*hand[:-1], f"{hand[-1]}. {own}"]
    return hand + wrap_words(own, indent="  ")


def has_open_hands(view: TableView) -> bool:
    """True if I see the hands of others, or of one who shows it to me."""
    return view.face_up or view.shown is not None


def open_hand_lines(view: TableView, style: Style) -> list[str]:
    """The open hands of others: where I play alone and see them, and at the end of a hand."""
    lies_open = has_open_hands(view) or view.pause is not None
    seats = [seat for seat in view.seats if seat.seat != view.me and seat.known] if lies_open else []
    return [line for seat in seats for line in known_hand_line(seat, clean(seat.name, NAME_COLUMNS), view.game, style)]


def known_hand_line(seat: SeatView, whose: str, game: str | None, style: Style) -> list[str]:
    """The known cards of a seat's hand, after `whose`."""
    words = hand_words(hand_groups(usual_arrangement(game), seat.known), style)
    hidden = [f"and {seat.cards - len(seat.known)} more"] if seat.cards > len(seat.known) else []
    return wrap_words([f"{whose}:", *words, *hidden], indent="  ")


def trick_lines(view: TableView, style: Style, last: bool = False) -> list[str]:
    """The trick on the table, or with `last` the one before it, as lines."""
    trick = view.last_trick if last else view.trick
    if not trick:
        return ["No tricks taken yet."] if last else []
    played = [f"{seat_name(view, seat)} {card_text(card, style)}" for seat, card in trick]
    return wrap_words(f"{'Last trick' if last else _capitalize(view.called)}: {', '.join(played)}.", indent="  ")


def pile_lines(view: TableView, style: Style) -> list[str]:
    """The piles on a line or a few: owner, size and top card; of melds and the like every card."""
    seats: dict[str, list[str]] = {}
    table = []
    for pile in view.piles:
        if pile.spread and pile.seat is not None:
            seats.setdefault(pile.name, []).append(f"{seat_name(view, pile.seat)} {cards_text(pile.cards, style)}")
        elif pile.seat is None:
            table.append(f"{_capitalize(pile.name)}: {_pile_text(pile, style)}.")
        else:
            seats.setdefault(pile.name, []).append(f"{seat_name(view, pile.seat)} {len(pile.cards)}")
    taken = [f"{_capitalize(name)}: {', '.join(counts)}." for name, counts in seats.items()]
    return [line for text in ([" ".join(table)] if table else []) + taken for line in wrap_words(text, indent="  ")]


def facts_now(view: TableView, style: Style) -> tuple[list[str], list[str]]:
    """(facts of the hand, trump first; facts of each player, where no cards are on the table, partners' only before
    play)."""
    told = view.trick or (view.sides and can_play_card(view))
    return hand_facts(view, style), [] if told else _notes_by_seat(view, style)


def recap_hand(view: TableView, style: Style) -> list[str]:
    """Sentences for a person who comes back during a hand: who dealt, trump and bid, each player's bid and tricks, and
    the score. Empty between hands."""
    if view.phase != "play" or not view.hand:
        return []
    deals = [_dealer_mark(view, seat) for seat in view.seats if seat.dealer]
    sides = view.sides or tuple([(seat.seat,) for seat in view.seats])
    totals = [(join_with_and([seat_name(view, seat) for seat in side]), view.seats[side[0]].score) for side in sides]
    told = (
        "; ".join([f"so far in hand {view.hand}", *deals, *hand_facts(view, style)]),
        "; ".join(_notes_by_seat(view, style)),
        f"score: {', '.join([f'{names} {total}' for names, total in totals])}",
    )
    return [as_sentence(text, player_names(view)) for text in told if text]


def turn_lines(
    view: TableView,
    style: Style,
    arrangement: Arrangement | None = None,
    told: Collection[int] = (),
    shown: Collection[int] | None = None,
) -> list[str]:
    """What a player needs at their turn: the cards on the table, and their hand. told: cards of which they know who
    played them, left out; shown: the same for melds and the like, None for `told`."""
    lines: list[str] = []
    if not {Card(card).face for _, card in view.trick} <= set(told):
        lines += trick_lines(view, style)
    known = told if shown is None else shown
    lines += [line for pile in view.piles if pile.seat is None for line in _top_line(pile, style, told, known)]
    spread = [pile for pile in view.piles if pile.spread and pile.seat is not None]
    new = {pile.name for pile in spread if not {Card(card).face for card in pile.cards if card} <= set(known)}
    lines += pile_lines(replace(view, piles=tuple([pile for pile in spread if pile.name in new])), style)
    return lines + open_hand_lines(view, style) + hand_lines(view, style, arrangement)


def i_lead(view: TableView) -> bool:
    return can_play_card(view) and not view.trick and view.leader is not None and view.leader == view.me


def my_seat(view: TableView) -> SeatView | None:
    return None if view.me is None or view.me >= len(view.seats) else view.seats[view.me]


def trump_suit(view: TableView) -> str:
    """``spades``; "" where there is none, or it isn't known yet."""
    return view.trump.suit if view.trump else ""


def can_play_card(view: TableView) -> bool:
    return any(is_card_word(words.split()[0]) for words in view.legal)


def trump_text(trump: TrumpView, style: Style) -> str:
    """``trump: spades (Bob, bid 7)``, ``trump: hearts (A♥ turned up)``, ``no trump``."""
    how = [clean(trump.maker, NAME_COLUMNS), f"bid {clean(trump.bid, 20)}" if trump.bid else ""]
    how.append(f"{card_text(trump.card, style)} turned up" if trump.card else "")
    made = f" ({', '.join(filter(None, how))})" if any(how) else ""
    return (f"trump: {clean(trump.suit, 10)}" if trump.suit else "no trump") + made


def is_partner(view: TableView, seat: int | None) -> bool:
    """Return whether this seat is my partner's."""
    return seat != view.me and any(seat in side and view.me in side for side in view.sides)


def seat_name(view: TableView, seat: int) -> str:
    """The name of the player in a seat, ``you`` for mine."""
    if seat == view.me:
        return "you"
    return clean(view.seats[seat].name, NAME_COLUMNS) if 0 <= seat < len(view.seats) else f"seat {seat}"


def player_names(view: TableView) -> list[str]:
    """The names of the players in the seats, as they are shown."""
    return [clean(seat.name, NAME_COLUMNS) for seat in view.seats]


# --- private ----------------------------------------------------------------------------------------------------------


def title_text(view: TableView) -> str:
    return ", ".join([_game_text(view), *filter(None, [counters_text(view)])])


def fit_title(view: TableView, columns: int) -> str:
    """The title in at most so many columns. The preset and the numbers of deal and game are left out first; the goal
    stays."""
    short = replace(view, preset=USUAL)
    without_deal = replace(short, deal=None)
    without_number = replace(without_deal, number=0)
    titles = [title_text(one) for one in (view, short, without_deal, without_number)]
    least = ", ".join([_game_text(short), *_goal_texts(view)])
    return next((title for title in (*titles, least) if text_width(title) <= columns), fit_text(least, columns))


def counters_text(view: TableView) -> str:
    """How far the game is, and what ends it."""
    deal = [f"deal {view.deal}"] if view.deal is not None else []
    hand = [f"hand {view.hand}" + f" of game {view.number}" * bool(view.number)] if view.hand else []
    counters = [*hand, *([f"trick {view.turn}"] if view.turn else [])]
    face_up = ["all hands face up"] if view.face_up else []
    return ", ".join([*deal, *counters, *_goal_texts(view), *face_up])


def _game_text(view: TableView) -> str:
    """The game, with its preset unless that is the usual one."""
    game = GAMES.get(view.game or "")
    if game is None:
        return clean(view.game_name) or view.game or "no game"
    return clean(name_with_preset(game.name, view.preset)) if view.preset else game.name


def _goal_texts(view: TableView) -> list[str]:
    """What ends the game; a raised limit as it is now."""
    game = GAMES.get(view.game or "")
    ends = ends_text(game, dict(view.options)) if game else ""
    return [f"goal {view.goal}"] if view.goal else [ends] if ends else []


def _own_rules_texts(view: TableView) -> list[str]:
    """How the rules in force differ from the nearest preset."""
    game = GAMES.get(view.game or "")
    if game is None or view.preset in game.presets:
        return []
    return wrap_words(clean(own_rules_text(game, dict(view.options)), LONGEST), indent="  ")


def hand_facts(view: TableView, style: Style) -> list[str]:
    """The facts of this hand, trump first."""
    notes = [draw_cards_in_text(clean(note), style) for note in view.notes]
    return [*([trump_text(view.trump, style)] if view.trump else []), *notes]


def _notes_by_seat(view: TableView, style: Style) -> list[str]:
    notes = [
        (seat.seat, ", ".join(filter(None, [_held_count_text(view, seat), clean(seat.note)]))) for seat in view.seats
    ]
    return [f"{seat_name(view, seat)}: {draw_cards_in_text(note, style)}" for seat, note in notes if note]


def dealer_text(view: TableView, seat: SeatView) -> str:
    """Whether this seat deals the hand, or after it the next one; "" for other seats."""
    if not seat.dealer or view.winners:
        return ""
    return "next to deal" if is_hand_over(view) else "dealer"


def is_hand_over(view: TableView) -> bool:
    """Return whether the hand has been scored and its cards are still on the table."""
    return view.sheet is not None and view.sheet.hand == view.hand


def _dealer_mark(view: TableView, seat: SeatView) -> str:
    name = seat_name(view, seat.seat)
    return f"{name} {'deal' if name == 'you' else 'deals'} next" if is_hand_over(view) else f"{name} dealt"


def _held_count_text(view: TableView, seat: SeatView) -> str:
    """How many cards a seat holds, "" where that isn't known."""
    told = view.counted and seat.seat != view.me
    return quantity_text(seat.cards, "card") if told else ""


def _seat_lines(view: TableView, seat: SeatView, style: Style, elapsed: float) -> list[str]:
    """One line for a seat, or a few where there is much to show."""
    name = clean(seat.name, 24) + (" (you)" if seat.seat == view.me else "")
    cards = f"{seat.cards:2} card{'s' if seat.cards != 1 else ' '}"
    note = draw_cards_in_text(clean(seat.note), style)
    remarks = ["your partner" if is_partner(view, seat.seat) else "", note, player_text(seat, elapsed)]
    remarks.append(f"{quantity_text(seat.games_won, 'game')} won" if seat.games_won else "")
    remarks.append(dealer_text(view, seat))
    remarks.append("led" if view.trick and view.trick[0][0] == seat.seat else "")
    remarks.append("to play" if seat.to_act else "")
    name = pad_right(fit_text(name, NAME_COLUMNS + 4), NAME_COLUMNS + 4)
    start = f"{seat.seat + 1} {name} {cards}  score {pad_left(str(seat.score), 4)} "
    *others, last = list(filter(None, remarks)) or [""]
    facts = [*[f"{fact}," for fact in others], last]
    words = [word for fact in facts for word in (fact.split() if len(fact) > LONG else [fact])]
    return [line.rstrip() for line in wrap_words(words, first=start, indent="  ")]


def player_text(seat: SeatView, elapsed: float) -> str:
    """Who plays for the seat's player, "" if they do themselves."""
    character = clean(seat.character, NAME_COLUMNS)
    absence = clean(seat.absence, NAME_COLUMNS)
    if seat.plays == "away":
        if seat.countdown is None:
            return absence
        return f"{absence}, {character} takes over in {max(0, round(seat.countdown - elapsed))} s"
    if seat.plays == "character":
        return f"{absence}, {character} plays"
    return f"computer, {clean(seat.level, NAME_COLUMNS)}" if seat.plays == "computer" else ""


def person_line(person: PersonView, view: TableView) -> str:
    """A person's name, and what tells them apart, on one line."""
    facts = [
        link_text(person.link),
        "host" if person.coordinates else "",
        "watching" if person.looks_on else "",
        "partner" if person.partner and person.seat is None else "",
        "" if person.seat is None else f"seat {person.seat + 1}",
        "your partner" if is_partner(view, person.seat) else "",
        f"character {clean(person.character, NAME_COLUMNS)}" if person.character else "",
        f"at {clean(person.where, 60)}" if person.where else "",
        clean(person.line, 60),
        f"key {clean(person.key, 60)}" if person.key else "",
        "" if person.again is None else ("will" if person.again else "won't") + " play again",
    ]
    return f"{clean(person.name, 24)}: {', '.join(filter(None, facts))}"


WATCHES = {"here": "watching", "asks": "wants to watch", "you": "you, watching"}


def watcher_line(person: PersonView) -> str:
    """A watcher's name, address and key on one line."""
    facts = [
        WATCHES.get(person.link, ""),
        f"at {clean(person.where, 60)}" if person.where else "",
        f"key {clean(person.key, 60)}" if person.key else "",
        f"sees {whose_hand(person.sees)}" if person.sees else "",
    ]
    return f"{clean(person.name, 24)}: {', '.join(filter(None, facts))}"


def whose_hand(player: str) -> str:
    """This player's hand in words. player: the name, or "you"."""
    return "your hand" if player == "you" else f"{clean(player, 24)}'s hand"


def _pile_text(pile: PileView, style: Style) -> str:
    count = count_text(len(pile.cards))
    if not pile.cards or not pile.cards[-1]:
        return count
    if pile.spread:
        return cards_text(pile.cards, style)
    top = card_text(pile.cards[-1], style)
    return f"{top}, top of {count}" if len(pile.cards) > 1 else top


def _top_line(pile: PileView, style: Style, told: Collection[int], shown: Collection[int]) -> list[str]:
    """A line for a pile with a visible top card, unless all that is visible is known to the player."""
    seen, known = (pile.cards, shown) if pile.spread else (pile.cards[-1:], told)
    if not pile.cards or not pile.cards[-1] or {Card(card).face for card in seen if card} <= set(known):
        return []
    cards = cards_text(pile.cards, style) if pile.spread else card_text(pile.cards[-1], style)
    return wrap_words(f"{_capitalize(pile.name)}: {cards}.", indent="  ")


def _capitalize(text: str) -> str:
    """The text with a capital at the start; the rest stays."""
    text = clean(text)
    return text[:1].upper() + text[1:]


def _next_step_line(view: TableView) -> str:
    """The table's last line: whose turn it is, or what happens next."""
    if view.phase == "over":
        winners = [clean(view.seats[seat].name, NAME_COLUMNS) for seat in view.winners if seat < len(view.seats)]
        return as_sentence(f"the game is over, won by {' and '.join(winners)}" if winners else "the game is over")
    if view.legal:
        return "Your turn: you lead." if i_lead(view) else "Your turn."
    if view.pause is not None:
        return "The hand is over. Press Enter for the next one."
    if view.paused:
        return f"{LOOKING_ON} The game is paused." if view.looks_on else as_sentence(state_and_text(view, 0.0)[0])
    waiting = as_sentence(f"waiting for {clean(view.waiting)}") if view.waiting else ""
    return f"{LOOKING_ON} {waiting}".strip() if view.looks_on else waiting


# --- the prompt of the line mode --------------------------------------------------------------------------------------


TYPING = 16  # columns left free for what is typed


def prompt_text(view: TableView, elapsed: float = 0.0, columns: int = COLUMNS) -> str:
    """A prompt on one line that ends in "> " and leaves room for typing. elapsed: seconds since the view came."""
    room = max(columns - TYPING, 20)
    if view.legal and view.phase == "play" and not view.proposal:
        return _my_actions_text(view, elapsed, room)
    what, words = state_and_text(view, elapsed)
    ends = [f" | {words} > ", " | help > ", " > "]
    end = next((end for end in ends if len(end) + min(len(what), 24) <= room), ends[-1])
    return _shorten_text(what, room - len(end)) + end


def countdowns(view: TableView, elapsed: float) -> list[tuple[int, float, str]]:
    """(seat, seconds left, text) of everyone whose character is about to play for them."""
    return [
        (seat.seat, left, countdown_text(seat_name(view, seat.seat), clean(seat.character, 16), left))
        for seat in view.seats
        if seat.countdown is not None and (left := seat.countdown - elapsed) > 0
    ]


LAST_SECONDS = 10.0
"""Left of a turn when a player is warned, after a first warning at half time."""


class Pressing(StrEnum):
    """How far my turn clock has run."""

    NO = ""
    HALF = "half"
    LAST = "last"


def turn_seconds_left(view: TableView, elapsed: float) -> float | None:
    """Seconds left on my turn clock, None while it doesn't run."""
    return None if view.turn_seconds is None else max(0.0, view.turn_seconds - elapsed)


def turn_pressure(view: TableView, elapsed: float) -> Pressing:
    """How urgent my action is: NO while I owe none or no clock runs, HALF from half time on, LAST in the last
    `LAST_SECONDS`. A turn of twice that or less goes from NO to LAST at half time."""
    left = turn_seconds_left(view, elapsed)
    if left is None or not view.legal or left > view.turn_clock / 2:
        return Pressing.NO
    return Pressing.LAST if left <= LAST_SECONDS or view.turn_clock <= 2 * LAST_SECONDS else Pressing.HALF


def time_text(seconds: float) -> str:
    """``41 s``, ``12 min``, ``23 h``."""
    unit, name = next(((unit, name) for unit, name in ((3600, "h"), (60, "min")) if seconds >= 10 * unit), (1, "s"))
    return f"{round(seconds / unit)} {name}"


def clock_text(view: TableView, elapsed: float) -> str:
    """The time left of my turn, "" where no clock runs."""
    left = turn_seconds_left(view, elapsed)
    return time_text(left) if left is not None and view.legal else ""


def cut_off_texts(view: TableView, elapsed: float) -> list[str]:
    """Everyone whose link was lost, with the seconds until their character plays."""
    lost = countdowns(view, elapsed)
    return [f"{seat_name(view, seat)} {Absence.CUT_OFF} ({round(left)} s)" for seat, left, _ in lost]


def call_texts(view: TableView, elapsed: float) -> list[str]:
    """Everyone who is being called again, with the seconds until then."""
    return [
        f"calling {clean(person.name, 24)}{f' in {round(left)} s' if round(left) > 0 else ''}"
        for person in view.people
        if person.called_in is not None and (left := person.called_in - elapsed) > -1
    ]


def counts_down(view: TableView, elapsed: float) -> bool:
    """Return whether a text about the table changes every second."""
    return bool(view.turn_seconds is not None or countdowns(view, elapsed) or call_texts(view, elapsed))


def waits_for_me(view: TableView) -> bool:
    """Return whether the table waits for an action or answer of mine."""
    return (
        bool(view.legal or view.proposal or view.doubted)
        or view.pause is not None
        or (view.role == "coordinator" and view.phase == "lobby")
        or view.phase == "over"
    )


def is_another_turn(old: TableView, view: TableView) -> bool:
    """Return whether I am to act, and the table has changed since the old view."""
    before, now = my_seat(old), my_seat(view)
    gained = before is not None and now is not None and before.known != now.known
    lay, lies = [(one.legal, one.trick, one.piles, one.face_up) for one in (old, view)]
    return bool(view.legal) and (lay != lies or gained)


def enter_starts(view: TableView) -> bool:
    """Return whether Enter alone starts the game: one is chosen, and no other person is here or may still come."""
    alone = all(person.link == "you" for person in view.people) and not view.open_door
    return view.role == "coordinator" and view.phase == "lobby" and view.game is not None and alone


def actions_in_short(view: TableView) -> list[str]:
    """My legal actions in few words, tens as 10."""
    calls = {words: said for words, said in view.calls if not any(map(is_card_word, words.split()))}
    other = shorten_for_prompt([words for words in view.legal if words not in calls])
    return [*_calls_in_short([tens_as_numbers(words) for words in calls.values()]), *map(tens_as_numbers, other)]


def _calls_in_short(calls: Sequence[str]) -> list[str]:
    """The actions with those joined that differ in their last word, as in ``make it clubs/hearts``; an optional further
    word is in brackets, as in ``[alone]``."""
    farther = [call for call in calls if any(call != other and call.startswith(other) for other in calls)]
    alike: dict[str, list[str]] = {}
    for call in calls:
        if call not in farther:
            before, _, last = call.rpartition(" ")
            alike.setdefault(before, []).append(last)
    adds = {call.rpartition(" ")[2] for call in farther}
    more = "".join([f" [{word}]" for word in sorted(adds)])
    return [f"{before} {'/'.join(ends)}{more}" for before, ends in alike.items()]


def offered_text(view: TableView, words: str, style: Style) -> str:
    """A legal action as it is offered, with its cards drawn."""
    return (
        draw_cards_in_text(dict(view.calls)[words], style) if words in dict(view.calls) else action_text(words, style)
    )


# --- private ----------------------------------------------------------------------------------------------------------


def state_and_text(view: TableView, elapsed: float) -> tuple[str, str]:
    """(the state of the table in a word, the sentence on it)."""
    if view.apart:
        about = "a finished game" if view.role == "listener" else "the computer plays every hand"
        return f"{about} (Q stops it)", "q"
    if view.proposal:
        what = "asks for a new deal" if view.proposal.redeal else "asks to take back a move"
        return f"{clean(view.proposal.name, 24)} {what}", "yes, no, say, table, help"
    if view.doubted:
        thrown = f" ({view.thrown_away} deals abandoned in a day)" if view.thrown_away else ""
        return f"play on with {clean(view.doubted, 24)}?{thrown}", "accept, leave, table, help"
    if view.phase == "lobby":
        return _lobby_state(view, elapsed)
    if view.phase == "over":
        return _after_game_state(view)
    if view.phase == "closed":
        return "the table is closed", "detach"
    if view.pause is not None:
        return pause_text(view.pause, elapsed), "Enter: next, score, say, help"
    away = countdowns(view, elapsed)
    if view.paused and view.looks_on:
        return "watching: the game is paused", "say table help"
    if view.paused:
        return "paused", "Enter: take over, say, help" if view.away else "say table help"
    called = call_texts(view, elapsed)
    if away or called:
        told = "; ".join([*called[:1], *(text for _, _, text in away[:1])])
        return told, "redial say table help" if view.role == "coordinator" else "say table help"
    mine = my_seat(view)
    if view.auto == REST:
        return "playing out the hand", "say table help"
    if view.auto:
        return f"the computer is playing for you ({clean(view.auto, 10)})", "auto off, say, table, help"
    if view.away:
        player = clean(mine.character, 16) if mine else "the computer"
        return f"{player} is playing for you", "Enter: take over, say, help"
    waiting = clean(view.waiting, 40) or ", ".join(seat_name(view, seat.seat) for seat in view.seats if seat.to_act)
    doing = f"waiting for {waiting}" if waiting else "please wait"
    return f"watching: {doing}" if view.looks_on else doing, "say table help"


def i_watch(view: TableView) -> bool:
    """True if I watch from behind the table, with no seat in the next game either."""
    return any(one.link == "you" for one in view.watchers)


def would_play_again(view: TableView) -> bool | None:
    """My own answer to "play again?", None before I have answered."""
    return next((person.again for person in view.people if person.link == "you"), None)


def _after_game_state(view: TableView) -> tuple[str, str]:
    """(state, sentence) after a game: the answers to "play again?", and those still missing."""
    if i_watch(view):
        return "watching: waiting for the next game", "sit, table, help"
    hosts, mine = view.role == "coordinator", would_play_again(view)
    others = [person for person in view.people if person.link != "you"]
    would_not, would = [[one for one in others if one.again is yes] for yes in (False, True)]
    words = "game NAME, say, score, help" if hosts else "say, score, help"
    if mine and not would_not:
        return _awaited_text([one for one in others if not one.again]), words if hosts else "no, say, help"
    asked = "" if mine else "again, " if hosts else "yes, no, "
    if would_not:
        verb = "don't" if would_not[1:] else "doesn't"
        said = f"{_people_text(would_not)} {verb} want to play again"
    elif would:
        said = f"{_people_text(would)} {'want' if would[1:] else 'wants'} to play again"
    else:
        said = "the game is over" if hosts else "play again?"
    return said, f"{asked}{words}"


def _awaited_text(silent: Sequence[PersonView]) -> str:
    """What the next game waits for. silent: those who haven't answered, without watchers."""
    players = [one for one in silent if one.seat is not None or one.coordinates]
    if not players:
        return "the next game begins"
    to_start = not players[1:] and players[0].coordinates
    return f"waiting for {_people_text(players)} to {'start the next game' if to_start else 'play again'}"


def _people_text(people: Sequence[PersonView]) -> str:
    return join_with_and([clean(one.name, 24) for one in people])


def pause_text(pause: int, elapsed: float) -> str:
    """That the hand is over. pause: seconds, as in the view; elapsed: since the view came."""
    left = f" ({max(0, round(pause - elapsed))} s)" if pause else ""
    return f"the hand is over{left}"


def _my_actions_text(view: TableView, elapsed: float, room: int) -> str:
    """Every legal action, or every kind of them where there is no room, with an example if that fits. room: columns."""
    hint = "hint " if "hint" in view.assists else ""
    turn, ends = _my_turn_text(view, elapsed), [f" | {hint}say help > ", " | help > ", " > "]
    calls = dict(view.calls)
    examples = one_example_per_verb([calls.get(words, words) for words in view.legal])
    kinds = [tens_as_numbers(words) for words in examples]
    lists = [actions_in_short(view), kinds, _action_kinds(view)]
    whats = [f"{turn}: {_list_actions(actions)}" for actions in lists]
    fitting = next((what + end for what in whats for end in ends if len(what) + len(end) <= room), "")
    return fitting or _shorten_text(whats[-1], room - len(ends[-1])) + ends[-1]


def _my_turn_text(view: TableView, elapsed: float) -> str:
    """That it is my turn, trump, and the time left."""
    clock = f" ({left})" if (left := clock_text(view, elapsed)) else ""
    trump = [f"trump {clean(view.trump.suit, 10)}" if view.trump.suit else "no trump"] if view.trump else []
    others = cut_off_texts(view, elapsed)
    melds = [clean(words) for words in view.indicator[:1]]
    return "; ".join([", ".join([f"your turn{clock}", *trump, *melds]), *others, *call_texts(view, elapsed)])


def _list_actions(actions: Sequence[str]) -> str:
    return (", " if any(" " in words for words in actions) else " ").join(actions)


def _action_kinds(view: TableView) -> list[str]:
    """The kinds of my legal actions in a word each."""
    first = [words.split()[0] for words in view.legal]
    return list(dict.fromkeys(["a card" if is_card_word(word) else word for word in first]))


def _lobby_state(view: TableView, elapsed: float) -> tuple[str, str]:
    if view.role != "coordinator":
        host = next((f"{clean(person.name, 24)} (host)" for person in view.people if person.coordinates), "")
        return f"waiting for {clean(view.waiting, 40) or host or 'the host'}", "say who help"
    here = "; ".join([_attendance_text(view), *call_texts(view, elapsed)[:1]])
    someone_lost = any(person.link == "away" for person in view.people)
    if view.game is None:
        return here, "game NAME, who, help" if someone_lost else "invite HOST, game NAME, help"
    if someone_lost:
        return f"{clean(view.game_name) or view.game}, {here}", "start, who, help"
    words = "Enter deals, set K=V, help" if enter_starts(view) else "start, set K=V, invite HOST, help"
    return f"{clean(view.game_name) or view.game}, {here}", words


def _attendance_text(view: TableView) -> str:
    """How many people are here, and who was lost and isn't called again."""
    lost = [person for person in view.people if person.link == "away"]
    names = [clean(person.name, 24) for person in lost if person.called_in is None]
    here = len(view.people) - len(lost)
    return ", ".join([quantity_text(here, "player"), *[f"{name} {Absence.CUT_OFF}" for name in names]])


def _shorten_text(text: str, columns: int) -> str:
    """The text cut between words, never within a card."""
    if len(text) <= columns:
        return text
    cut = fit_text(text, columns).removesuffix("...")
    return cut[: cut.rfind(" ")].rstrip(" ,") + " ..." if " " in cut else cut
