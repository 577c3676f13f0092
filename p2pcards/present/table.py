"""The table in plain lines, which a screen reader reads well: no drawing, one thing a line; and the prompt that says
what can be done now."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from enum import StrEnum

from p2pcards.cards.card import Card
from p2pcards.games.claims import REST
from p2pcards.games.names import USUAL, named_by_rules
from p2pcards.games.prose import rules_that_hold, what_ends
from p2pcards.games.registry import GAMES
from p2pcards.games.spelling import in_kinds, in_short, is_card_word
from p2pcards.present.cards import (
    Arrangement,
    Style,
    card_text,
    cards_text,
    count_text,
    hand_groups,
    hand_words,
    usual,
    with_cards,
    with_tens,
    words_text,
)
from p2pcards.present.rules import own_rules_text
from p2pcards.present.story import LONGEST, countdown_text, names_text, sentence
from p2pcards.present.width import COLUMNS, fit, left, right, width, wrap
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
    """The whole table, 16 lines of 79 columns or fewer, and a few more where slow lines or rules of one's own are told
    of. elapsed: seconds since the view came; arrangement: of my hand, None for the usual one of the game."""
    if not view.seats:
        return lobby_lines(view)
    slow = [
        f"line to {clean(person.name, NAME_COLUMNS)}: {clean(person.line, 60)}" for person in view.people if person.line
    ]
    facts = "; ".join([*hand_facts(view, style), *slow])
    lines = wrap(
        " ".join(filter(None, [sentence(title_text(view)), sentence(facts, player_names(view))])), indent="  "
    ) + _own_rules(view)
    lines += [line for seat in view.seats for line in _seat_lines(view, seat, style, elapsed)]
    last = view.pause is not None and bool(view.last_trick)
    lines += trick_lines(view, style, last) + pile_lines(view, style) + open_hands(view, style)
    lines += hand_lines(view, style, arrangement)
    return [*lines, *wrap(_state(view))]


def lobby_lines(view: TableView) -> list[str]:
    """Who is at the table before a game, and what is chosen."""
    chosen, rules = chosen_texts(view)
    return [*wrap(chosen), *wrap(rules, indent="  ", first="  "), *people_lines(view)]


def chosen_texts(view: TableView) -> tuple[str, str]:
    """Which game is chosen, and its rules."""
    alone = not any(person.coordinates for person in view.people)
    nothing = f"Waiting for {clean(view.waiting)}." if view.waiting and alone else "No game picked yet."
    chosen = f"Next game: {_game_text(view)}." if view.game else nothing
    game = GAMES.get(view.game or "")
    return chosen, clean(rules_that_hold(game, dict(view.options)), LONGEST) if game and view.options else ""


def people_lines(view: TableView) -> list[str]:
    """Everybody at the table, with what tells people apart: where they are, and their fingerprint."""
    lines = [line for person in view.people for line in wrap(person_text(person, view), indent="    ")] or [
        "Nobody is here."
    ]
    code = [f"Code for new friends: {clean(view.code, 40)}"] if view.code else []
    return [*lines, *code, *link_lines(view)]


def link_lines(view: TableView) -> list[str]:
    """Where a friend finds this table."""
    if not view.link:
        return []
    if has_invitation(view.link):
        return ["Link for all your friends, while this table is open:", f"  {clean(view.link, LONGEST)}"]
    about = "it includes the code" if view.code else "no code right now, so only for people you know"
    return [f"Link to this table ({about}):", f"  {clean(view.link, LONGEST)}"]


def hand_lines(
    view: TableView, style: Style, arrangement: Arrangement | None = None, numbered: bool = False
) -> list[str]:
    """My hand as I have arranged it; nothing for a watcher. numbered: each card with its place, as "1:2♠"."""
    mine = my_seat(view)
    if mine is None or not view.hand:
        return []
    if not mine.cards:
        return ["Your hand is empty."]
    words = hand_words(hand_groups(arrangement or usual(view.game), mine.known, trump_suit(view)), style)
    if numbered:
        words = [f"{place}:{word}" for place, word in enumerate(words, 1)]
    hidden = mine.cards - len(mine.known)
    more = [f"and {count_text(hidden)} face down"] if hidden else []
    facts = "; ".join(map(clean, (*view.own, *view.indicator)))
    own = sentence(with_cards(facts, style), player_names(view)) if facts else ""
    hand = wrap([f"Your hand ({mine.cards}):", *words, *more], indent="  ")
    if own and width(f"{hand[-1]}. {own}") <= COLUMNS:
        return [*hand[:-1], f"{hand[-1]}. {own}"]
    return hand + wrap(own, indent="  ")


def open_hands(view: TableView, style: Style) -> list[str]:
    """The hands of others that lie open: where I play alone and see them, and at the end of a hand."""
    lies_open = view.face_up or view.pause is not None
    seats = [seat for seat in view.seats if seat.seat != view.me and seat.known] if lies_open else []
    return [line for seat in seats for line in known_hand(seat, clean(seat.name, NAME_COLUMNS), view.game, style)]


def known_hand(seat: SeatView, whose: str, game: str | None, style: Style) -> list[str]:
    """The cards of a hand that are known, after whose they are."""
    words = hand_words(hand_groups(usual(game), seat.known), style)
    hidden = [f"and {seat.cards - len(seat.known)} more"] if seat.cards > len(seat.known) else []
    return wrap([f"{whose}:", *words, *hidden], indent="  ")


def trick_lines(view: TableView, style: Style, last: bool = False) -> list[str]:
    """The trick on the table, or the last one."""
    trick = view.last_trick if last else view.trick
    if not trick:
        return ["No tricks taken yet."] if last else []
    played = [f"{seat_name(view, seat)} {card_text(card, style)}" for seat, card in trick]
    return wrap(f"{'Last trick' if last else _capital(view.called)}: {', '.join(played)}.", indent="  ")


def pile_lines(view: TableView, style: Style) -> list[str]:
    """The piles on one line, or a few: whose, how many, and what lies on top; of melds and the like every card."""
    seats: dict[str, list[str]] = {}
    table = []
    for pile in view.piles:
        if pile.spread and pile.seat is not None:
            seats.setdefault(pile.name, []).append(f"{seat_name(view, pile.seat)} {cards_text(pile.cards, style)}")
        elif pile.seat is None:
            table.append(f"{_capital(pile.name)}: {_pile(pile, style)}.")
        else:
            seats.setdefault(pile.name, []).append(f"{seat_name(view, pile.seat)} {len(pile.cards)}")
    taken = [f"{_capital(name)}: {', '.join(counts)}." for name, counts in seats.items()]
    return [line for text in ([" ".join(table)] if table else []) + taken for line in wrap(text, indent="  ")]


def facts_now(view: TableView, style: Style) -> tuple[list[str], list[str]]:
    """What holds in this hand, trump first, and where nothing lies on the table what holds for each player, but of
    partners only before they play."""
    told = view.trick or (view.sides and plays_cards(view))
    return hand_facts(view, style), [] if told else _notes_by_seat(view, style)


def recap(view: TableView, style: Style) -> list[str]:
    """What somebody wants to know who comes back to a hand that is on, as sentences: who dealt, who made trump and at
    which bid, what each has bid and taken, and the score. Nothing between hands."""
    if view.phase != "play" or not view.hand:
        return []
    deals = [_dealt(view, seat) for seat in view.seats if seat.dealer]
    sides = view.sides or tuple([(seat.seat,) for seat in view.seats])
    totals = [
        (names_text(tuple([seat_name(view, seat) for seat in side])), view.seats[side[0]].score) for side in sides
    ]
    told = (
        "; ".join([f"so far in hand {view.hand}", *deals, *hand_facts(view, style)]),
        "; ".join(_notes_by_seat(view, style)),
        f"score: {', '.join([f'{names} {total}' for names, total in totals])}",
    )
    return [sentence(text, player_names(view)) for text in told if text]


def turn_lines(
    view: TableView,
    style: Style,
    arrangement: Arrangement | None = None,
    told: Collection[int] = (),
    shown: Collection[int] | None = None,
) -> list[str]:
    """What a player needs at their turn: what lies there, and their hand. told: the faces of cards that
    they have been told of, with who played them, and that are not told again; shown: the same for melds and the like,
    None for told."""
    lines: list[str] = []
    if not {Card(card).face for _, card in view.trick} <= set(told):
        lines += trick_lines(view, style)
    known = told if shown is None else shown
    lines += [line for pile in view.piles if pile.seat is None for line in _top_line(pile, style, told, known)]
    spread = [pile for pile in view.piles if pile.spread and pile.seat is not None]
    new = {pile.name for pile in spread if not {Card(card).face for card in pile.cards if card} <= set(known)}
    lines += pile_lines(replace(view, piles=tuple([pile for pile in spread if pile.name in new])), style)
    return lines + open_hands(view, style) + hand_lines(view, style, arrangement)


def leads(view: TableView) -> bool:
    return plays_cards(view) and not view.trick and view.leader is not None and view.leader == view.me


def my_seat(view: TableView) -> SeatView | None:
    return None if view.me is None or view.me >= len(view.seats) else view.seats[view.me]


def trump_suit(view: TableView) -> str:
    """``spades``; "" where there is none, or it is not known yet."""
    return view.trump.suit if view.trump else ""


def plays_cards(view: TableView) -> bool:
    """Whether I may play a card now."""
    return any(is_card_word(words.split()[0]) for words in view.legal)


def trump_text(trump: TrumpView, style: Style) -> str:
    """``trump: spades (Bob, bid 7)``, ``trump: hearts (A♥ turned up)``, ``no trump``."""
    how = [clean(trump.maker, NAME_COLUMNS), f"bid {clean(trump.bid, 20)}" if trump.bid else ""]
    how.append(f"{card_text(trump.card, style)} turned up" if trump.card else "")
    made = f" ({', '.join(filter(None, how))})" if any(how) else ""
    return (f"trump: {clean(trump.suit, 10)}" if trump.suit else "no trump") + made


def is_partner(view: TableView, seat: int | None) -> bool:
    """Whether this seat plays with mine."""
    return seat != view.me and any(seat in side and view.me in side for side in view.sides)


def seat_name(view: TableView, seat: int) -> str:
    """``you`` for mine."""
    if seat == view.me:
        return "you"
    return clean(view.seats[seat].name, NAME_COLUMNS) if 0 <= seat < len(view.seats) else f"seat {seat}"


def player_names(view: TableView) -> list[str]:
    """Of those who sit, as they are shown."""
    return [clean(seat.name, NAME_COLUMNS) for seat in view.seats]


# --- private ----------------------------------------------------------------------------------------------------------


def title_text(view: TableView) -> str:
    return ", ".join([_game_text(view), *filter(None, [counters_text(view)])])


def title_in(view: TableView, columns: int) -> str:
    """The title in so many columns. Whose rules these are and the numbers of deal and game go first, which few look
    for; the goal stays."""
    short = replace(view, preset=USUAL)
    without_deal = replace(short, deal=None)
    without_number = replace(without_deal, number=0)
    titles = [title_text(one) for one in (view, short, without_deal, without_number)]
    least = ", ".join([_game_text(short), *_goal(view)])
    return next((title for title in (*titles, least) if width(title) <= columns), fit(least, columns))


def counters_text(view: TableView) -> str:
    """How far the game is, and what ends it."""
    deal = [f"deal {view.deal}"] if view.deal is not None else []
    hand = [f"hand {view.hand}" + f" of game {view.number}" * bool(view.number)] if view.hand else []
    counters = [*hand, *([f"trick {view.turn}"] if view.turn else [])]
    face_up = ["all hands face up"] if view.face_up else []
    return ", ".join([*deal, *counters, *_goal(view), *face_up])


def _game_text(view: TableView) -> str:
    """The game, and by whose rules it is played where these are not the usual ones."""
    game = GAMES.get(view.game or "")
    if game is None:
        return clean(view.game_name) or view.game or "no game"
    return clean(named_by_rules(game.name, view.preset)) if view.preset else game.name


def _goal(view: TableView) -> list[str]:
    """What ends the game: the score as it stands now, where the rules raise it."""
    game = GAMES.get(view.game or "")
    ends = what_ends(game, dict(view.options)) if game else ""
    return [f"goal {view.goal}"] if view.goal else [ends] if ends else []


def _own_rules(view: TableView) -> list[str]:
    """How the rules in force differ from a preset."""
    game = GAMES.get(view.game or "")
    if game is None or view.preset in game.presets:
        return []
    return wrap(clean(own_rules_text(game, dict(view.options)), LONGEST), indent="  ")


def hand_facts(view: TableView, style: Style) -> list[str]:
    """What holds in this hand: trump first."""
    notes = [with_cards(clean(note), style) for note in view.notes]
    return [*([trump_text(view.trump, style)] if view.trump else []), *notes]


def _notes_by_seat(view: TableView, style: Style) -> list[str]:
    notes = [(seat.seat, ", ".join(filter(None, [_count(view, seat), clean(seat.note)]))) for seat in view.seats]
    return [f"{seat_name(view, seat)}: {with_cards(note, style)}" for seat, note in notes if note]


def dealer_text(view: TableView, seat: SeatView) -> str:
    """Whether somebody deals this hand, or when it is over the next one; "" for all others."""
    if not seat.dealer or view.winners:
        return ""
    return "next to deal" if is_over(view) else "dealer"


def is_over(view: TableView) -> bool:
    """Whether the hand has been scored, and its cards still lie there."""
    return view.sheet is not None and view.sheet.hand == view.hand


def _dealt(view: TableView, seat: SeatView) -> str:
    name = seat_name(view, seat.seat)
    return f"{name} {'deal' if name == 'you' else 'deals'} next" if is_over(view) else f"{name} dealt"


def _count(view: TableView, seat: SeatView) -> str:
    """How many cards somebody holds, where that is told; I see my own."""
    told = view.counted and seat.seat != view.me
    return f"{seat.cards} card{'s' * (seat.cards != 1)}" if told else ""


def _seat_lines(view: TableView, seat: SeatView, style: Style, elapsed: float) -> list[str]:
    """One line, or where there is much to say more of them."""
    name = clean(seat.name, 24) + (" (you)" if seat.seat == view.me else "")
    cards = f"{seat.cards:2} card{'s' if seat.cards != 1 else ' '}"
    note = with_cards(clean(seat.note), style)
    remarks = ["your partner" if is_partner(view, seat.seat) else "", note, player_text(seat, elapsed)]
    remarks.append(f"{seat.games_won} game{'s' * (seat.games_won != 1)} won" if seat.games_won else "")
    remarks.append(dealer_text(view, seat))
    remarks.append("led" if view.trick and view.trick[0][0] == seat.seat else "")
    remarks.append("to play" if seat.to_act else "")
    name = left(fit(name, NAME_COLUMNS + 4), NAME_COLUMNS + 4)
    start = f"{seat.seat + 1} {name} {cards}  score {right(str(seat.score), 4)} "
    *others, last = list(filter(None, remarks)) or [""]
    facts = [*[f"{fact}," for fact in others], last]
    words = [word for fact in facts for word in (fact.split() if len(fact) > LONG else [fact])]
    return [line.rstrip() for line in wrap(words, first=start, indent="  ")]


def player_text(seat: SeatView, elapsed: float) -> str:
    """Who plays at the seat, where that is not the person themselves."""
    character = clean(seat.character, NAME_COLUMNS)
    absence = clean(seat.absence, NAME_COLUMNS)
    if seat.plays == "away":
        if seat.countdown is None:
            return absence
        return f"{absence}, {character} takes over in {max(0, round(seat.countdown - elapsed))} s"
    if seat.plays == "character":
        return f"{absence}, {character} plays"
    return f"computer, {clean(seat.level, NAME_COLUMNS)}" if seat.plays == "computer" else ""


def person_text(person: PersonView, view: TableView) -> str:
    """Who it is, and what tells them apart, on one line."""
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


def _pile(pile: PileView, style: Style) -> str:
    count = count_text(len(pile.cards))
    if not pile.cards or not pile.cards[-1]:
        return count
    if pile.spread:
        return cards_text(pile.cards, style)
    top = card_text(pile.cards[-1], style)
    return f"{top}, top of {count}" if len(pile.cards) > 1 else top


def _top_line(pile: PileView, style: Style, told: Collection[int], shown: Collection[int]) -> list[str]:
    """A pile whose top card is seen, unless all that is seen of it is known."""
    seen, known = (pile.cards, shown) if pile.spread else (pile.cards[-1:], told)
    if not pile.cards or not pile.cards[-1] or {Card(card).face for card in seen if card} <= set(known):
        return []
    cards = cards_text(pile.cards, style) if pile.spread else card_text(pile.cards[-1], style)
    return wrap(f"{_capital(pile.name)}: {cards}.", indent="  ")


def _capital(text: str) -> str:
    text = clean(text)
    return text[:1].upper() + text[1:]


def _state(view: TableView) -> str:
    """The last line: what happens next."""
    if view.phase == "over":
        winners = [clean(view.seats[seat].name, NAME_COLUMNS) for seat in view.winners if seat < len(view.seats)]
        return sentence(f"the game is over, won by {' and '.join(winners)}" if winners else "the game is over")
    if view.legal:
        return "Your turn: you lead." if leads(view) else "Your turn."
    if view.pause is not None:
        return "The hand is over. Press Enter for the next one."
    if view.paused:
        return f"{LOOKING_ON} The game is paused." if view.looks_on else sentence(going_on(view, 0.0)[0])
    waiting = sentence(f"waiting for {clean(view.waiting)}") if view.waiting else ""
    return f"{LOOKING_ON} {waiting}".strip() if view.looks_on else waiting


# --- the prompt of the line mode --------------------------------------------------------------------------------------


TYPING = 16  # columns left free for what is typed


def prompt_text(view: TableView, elapsed: float = 0.0, columns: int = COLUMNS) -> str:
    """One line that ends in "> " and leaves room for typing. elapsed: seconds since the view came."""
    room = max(columns - TYPING, 20)
    if view.legal and view.phase == "play" and not view.proposal:
        return _my_turn(view, elapsed, room)
    what, words = going_on(view, elapsed)
    ends = [f" | {words} > ", " | help > ", " > "]
    end = next((end for end in ends if len(end) + min(len(what), 24) <= room), ends[-1])
    return _shorten(what, room - len(end)) + end


def countdowns(view: TableView, elapsed: float) -> list[tuple[int, float, str]]:
    """Everybody whose character is about to play: their seat, the seconds left, and the words for it."""
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


def turn_left(view: TableView, elapsed: float) -> float | None:
    """Seconds on my turn clock, None while it does not run."""
    return None if view.turn_seconds is None else max(0.0, view.turn_seconds - elapsed)


def pressing(view: TableView, elapsed: float) -> Pressing:
    """How pressing it is for me to act: NO while I owe nothing or no clock runs, HALF from half time, LAST in the last
    `LAST_SECONDS`. A turn of twice that or less goes from NO to LAST at half time."""
    left = turn_left(view, elapsed)
    if left is None or not view.legal or left > view.turn_clock / 2:
        return Pressing.NO
    return Pressing.LAST if left <= LAST_SECONDS or view.turn_clock <= 2 * LAST_SECONDS else Pressing.HALF


def time_text(seconds: float) -> str:
    """``41 s``, ``12 min``, ``23 h``."""
    unit, name = next(((unit, name) for unit, name in ((3600, "h"), (60, "min")) if seconds >= 10 * unit), (1, "s"))
    return f"{round(seconds / unit)} {name}"


def clock_text(view: TableView, elapsed: float) -> str:
    """What is left of my turn, "" where no clock runs."""
    left = turn_left(view, elapsed)
    return time_text(left) if left is not None and view.legal else ""


def cut_off(view: TableView, elapsed: float) -> list[str]:
    """Everybody who is, with the seconds until their character plays."""
    lost = countdowns(view, elapsed)
    return [f"{seat_name(view, seat)} {Absence.CUT_OFF} ({round(left)} s)" for seat, left, _ in lost]


def calls(view: TableView, elapsed: float) -> list[str]:
    """Everybody who is called again, and in how many seconds."""
    return [
        f"calling {clean(person.name, 24)}{f' in {round(left)} s' if round(left) > 0 else ''}"
        for person in view.people
        if person.called_in is not None and (left := person.called_in - elapsed) > -1
    ]


def counts_down(view: TableView, elapsed: float) -> bool:
    """Whether what is said of the table changes by the second."""
    return bool(view.turn_seconds is not None or countdowns(view, elapsed) or calls(view, elapsed))


def is_due(view: TableView) -> bool:
    """Whether the table waits for a word of mine."""
    return (
        bool(view.legal or view.proposal or view.doubted)
        or view.pause is not None
        or (view.role == "coordinator" and view.phase == "lobby")
        or view.phase == "over"
    )


def is_another_turn(old: TableView, view: TableView) -> bool:
    """Whether the person is to act, and something lies otherwise than when they last looked."""
    before, now = my_seat(old), my_seat(view)
    gained = before is not None and now is not None and before.known != now.known
    lay, lies = [(one.legal, one.trick, one.piles, one.face_up) for one in (old, view)]
    return bool(view.legal) and (lay != lies or gained)


def enter_starts(view: TableView) -> bool:
    """Whether an empty line begins the game: it is chosen, and nobody else is here or may be on the way."""
    alone = all(person.link == "you" for person in view.people) and not view.open_door
    return view.role == "coordinator" and view.phase == "lobby" and view.game is not None and alone


def actions_in_short(view: TableView) -> list[str]:
    """My legal actions in few words, tens as 10."""
    calls = {words: said for words, said in view.calls if not any(map(is_card_word, words.split()))}
    other = [with_tens(words) for words in in_short([words for words in view.legal if words not in calls])]
    return [*_calls_in_short([with_tens(words) for words in calls.values()]), *other]


def _calls_in_short(calls: Sequence[str]) -> list[str]:
    """Those that differ in their last word together, such as ``make it clubs/hearts``; what another adds to one of them
    in brackets behind, such as ``[alone]``."""
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
    return with_cards(dict(view.calls)[words], style) if words in dict(view.calls) else words_text(words, style)


# --- private ----------------------------------------------------------------------------------------------------------


def going_on(view: TableView, elapsed: float) -> tuple[str, str]:
    """The state of the table, and the words for it."""
    if view.apart:
        return "the computer plays every hand (Q stops it)", "q"
    if view.proposal:
        what = "asks for a new deal" if view.proposal.redeal else "asks to take back a move"
        return f"{clean(view.proposal.name, 24)} {what}", "yes, no, say, table, help"
    if view.doubted:
        thrown = f" ({view.thrown_away} deals abandoned in a day)" if view.thrown_away else ""
        return f"play on with {clean(view.doubted, 24)}?{thrown}", "accept, leave, table, help"
    if view.phase == "lobby":
        return _lobby(view, elapsed)
    if view.phase == "over":
        return _after_game(view)
    if view.phase == "closed":
        return "the table is closed", "detach"
    if view.pause is not None:
        return pause_text(view.pause, elapsed), "Enter: next, score, say, help"
    away = countdowns(view, elapsed)
    if view.paused and view.looks_on:
        return "watching: the game is paused", "say table help"
    if view.paused:
        return "paused", "Enter: take over, say, help" if view.away else "say table help"
    called = calls(view, elapsed)
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


def would_play_again(view: TableView) -> bool | None:
    """My own answer to "play again?", None before I have given one."""
    return next((person.again for person in view.people if person.link == "you"), None)


def _after_game(view: TableView) -> tuple[str, str]:
    """As `going_on`: the answers to "play again?", and those still missing."""
    hosts, mine = view.role == "coordinator", would_play_again(view)
    others = [person for person in view.people if person.link != "you"]
    would_not, would = [[one for one in others if one.again is yes] for yes in (False, True)]
    words = "game NAME, say, score, help" if hosts else "say, score, help"
    if mine and not would_not:
        return _awaited([one for one in others if not one.again]), words if hosts else "no, say, help"
    asked = "" if mine else "again, " if hosts else "yes, no, "
    if would_not:
        verb = "don't" if would_not[1:] else "doesn't"
        said = f"{_named(would_not)} {verb} want to play again"
    elif would:
        said = f"{_named(would)} {'want' if would[1:] else 'wants'} to play again"
    else:
        said = "the game is over" if hosts else "play again?"
    return said, f"{asked}{words}"


def _awaited(silent: Sequence[PersonView]) -> str:
    """What the next game waits for. silent: those who have not answered; watchers are not waited for."""
    players = [one for one in silent if one.seat is not None or one.coordinates]
    if not players:
        return "the next game begins"
    to_start = not players[1:] and players[0].coordinates
    return f"waiting for {_named(players)} to {'start the next game' if to_start else 'play again'}"


def _named(people: Sequence[PersonView]) -> str:
    return names_text(tuple([clean(one.name, 24) for one in people]))


def pause_text(pause: int, elapsed: float) -> str:
    """That the hand is over. pause: as in the view; elapsed: seconds since it came."""
    left = f" ({max(0, round(pause - elapsed))} s)" if pause else ""
    return f"the hand is over{left}"


def _my_turn(view: TableView, elapsed: float, room: int) -> str:
    """Every legal action, or where there is no room for that every kind of them, with an example if that fits."""
    hint = "hint " if "hint" in view.assists else ""
    turn, ends = _turn(view, elapsed), [f" | {hint}say help > ", " | help > ", " > "]
    calls = dict(view.calls)
    kinds = [with_tens(words) for words in in_kinds([calls.get(words, words) for words in view.legal])]
    lists = [actions_in_short(view), kinds, _verbs(view)]
    whats = [f"{turn}: {_listed(actions)}" for actions in lists]
    fitting = next((what + end for what in whats for end in ends if len(what) + len(end) <= room), "")
    return fitting or _shorten(whats[-1], room - len(ends[-1])) + ends[-1]


def _turn(view: TableView, elapsed: float) -> str:
    """That it is my turn, what is trump, and what presses."""
    clock = f" ({left})" if (left := clock_text(view, elapsed)) else ""
    trump = [f"trump {clean(view.trump.suit, 10)}" if view.trump.suit else "no trump"] if view.trump else []
    others = cut_off(view, elapsed)
    melds = [clean(words) for words in view.indicator[:1]]
    return "; ".join([", ".join([f"your turn{clock}", *trump, *melds]), *others, *calls(view, elapsed)])


def _listed(actions: Sequence[str]) -> str:
    return (", " if any(" " in words for words in actions) else " ").join(actions)


def _verbs(view: TableView) -> list[str]:
    """The kinds of my legal actions in a word each."""
    first = [words.split()[0] for words in view.legal]
    return list(dict.fromkeys(["a card" if is_card_word(word) else word for word in first]))


def _lobby(view: TableView, elapsed: float) -> tuple[str, str]:
    if view.role != "coordinator":
        host = next((f"{clean(person.name, 24)} (host)" for person in view.people if person.coordinates), "")
        return f"waiting for {clean(view.waiting, 40) or host or 'the host'}", "say who help"
    here = "; ".join([_attendance(view), *calls(view, elapsed)[:1]])
    someone_lost = any(person.link == "away" for person in view.people)
    if view.game is None:
        return here, "game NAME, who, help" if someone_lost else "invite HOST, game NAME, help"
    if someone_lost:
        return f"{clean(view.game_name) or view.game}, {here}", "start, who, help"
    words = "Enter deals, set K=V, help" if enter_starts(view) else "start, set K=V, invite HOST, help"
    return f"{clean(view.game_name) or view.game}, {here}", words


def _attendance(view: TableView) -> str:
    """How many are here, and who is cut off and not called again."""
    lost = [person for person in view.people if person.link == "away"]
    names = [clean(person.name, 24) for person in lost if person.called_in is None]
    here = len(view.people) - len(lost)
    return ", ".join([f"{here} player{'s' * (here != 1)}", *[f"{name} {Absence.CUT_OFF}" for name in names]])


def _shorten(text: str, columns: int) -> str:
    """Cut between two words rather than within a card."""
    if len(text) <= columns:
        return text
    cut = fit(text, columns).removesuffix("...")
    return cut[: cut.rfind(" ")].rstrip(" ,") + " ..." if " " in cut else cut
