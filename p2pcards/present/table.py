"""The table in plain lines, which a screen reader reads well: no drawing, one thing a line."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from p2pcards.cards.card import Card
from p2pcards.games.options import value_text
from p2pcards.games.registry import GAMES
from p2pcards.games.spelling import is_card_word
from p2pcards.present.cards import Style, card_text, cards_text, count_text, with_cards
from p2pcards.present.hand import Arrangement, groups, hand_words, usual
from p2pcards.present.rules import own_rules_text
from p2pcards.present.story import LONGEST, sentence
from p2pcards.present.width import fit, left, right, wrap
from p2pcards.views.tableview import PersonView, PileView, SeatView, TableView, TrumpView
from p2pcards.wire.clean import clean

NAME = 16  # columns of a name
LOOKING_ON = "You look on; a seat can be had from the next game."
LONG = 40  # columns of a fact that is broken where the line ends, and not kept together


def table_lines(
    view: TableView, style: Style, elapsed: float = 0.0, arrangement: Arrangement | None = None
) -> list[str]:
    """The whole table, 16 lines of 79 columns or fewer, and a few more where slow lines or rules of one's own are told
    of. elapsed: seconds since the view came; arrangement: of my hand, None for the usual one of the game."""
    if not view.seats:
        return lobby_lines(view)
    slow = [f"line to {clean(person.name, NAME)}: {clean(person.line, 60)}" for person in view.people if person.line]
    facts = "; ".join([*hand_facts(view, style), *slow])
    lines = wrap(" ".join(filter(None, [sentence(title_text(view)), sentence(facts)])), indent="  ") + _own_rules(view)
    lines += [line for seat in view.seats for line in _seat_lines(view, seat, style, elapsed)]
    lines += trick_lines(view, style) + pile_lines(view, style) + open_hands(view, style)
    lines += hand_lines(view, style, arrangement)
    return [*lines, *wrap(_state(view))]


def lobby_lines(view: TableView) -> list[str]:
    """Who is at the table before a game, and what is chosen."""
    chosen = f"Chosen: {title_text(view)}." if view.game else "No game is chosen yet."
    options = ", ".join([f"{key} = {value_text(value)}" for key, value in view.options]) if view.game else ""
    return [
        *wrap(chosen),
        *(wrap(f"Options: {clean(options, 2000)}.", indent="  ") if options else []),
        *people_lines(view),
    ]


def people_lines(view: TableView) -> list[str]:
    """Everybody at the table, with what tells people apart: where they are, and their fingerprint."""
    lines = [line for person in view.people for line in wrap(_person(person, view), indent="    ")] or [
        "Nobody is here."
    ]
    return [*lines, f"The code for a first meeting is {clean(view.code, 40)}."] if view.code else lines


def hand_lines(
    view: TableView, style: Style, arrangement: Arrangement | None = None, numbered: bool = False
) -> list[str]:
    """My hand as I have arranged it; nothing for a watcher. numbered: each card with its place, as "1:2♠"."""
    mine = my_seat(view)
    if mine is None or not view.hand:
        return []
    if not mine.cards:
        return ["Your hand is empty."]
    words = hand_words(groups(arrangement or usual(view.game), mine.known, trump_suit(view)), style)
    if numbered:
        words = [f"{place}:{word}" for place, word in enumerate(words, 1)]
    hidden = mine.cards - len(mine.known)
    more = [f"and {count_text(hidden)} face down"] if hidden else []
    facts = "; ".join(map(clean, (*view.own, *view.indicator)))
    own = wrap(sentence(with_cards(facts, style)), indent="  ") if facts else []
    return wrap([f"Your hand ({mine.cards}):", *words, *more], indent="  ") + own


def open_hands(view: TableView, style: Style) -> list[str]:
    """The hands of others, where I play alone and see them."""
    seats = [seat for seat in view.seats if seat.seat != view.me and seat.known] if view.face_up else []
    return [line for seat in seats for line in known_hand(seat, clean(seat.name, NAME), view.game, style)]


def known_hand(seat: SeatView, whose: str, game: str | None, style: Style) -> list[str]:
    """The cards of a hand that are known, after whose they are."""
    words = hand_words(groups(usual(game), seat.known), style)
    hidden = [f"and {seat.cards - len(seat.known)} more"] if seat.cards > len(seat.known) else []
    return wrap([f"{whose}:", *words, *hidden], indent="  ")


def trick_lines(view: TableView, style: Style, last: bool = False) -> list[str]:
    """The trick on the table, or the last one."""
    trick = view.last_trick if last else view.trick
    if not trick:
        return ["There is no last trick."] if last else []
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


def fact_lines(view: TableView, style: Style) -> list[str]:
    """What holds in this hand now, trump first; where nothing lies on the table what holds for each player, too, but of
    partners only before they play."""
    told = view.trick or (view.sides and plays_cards(view))
    by_seat = [] if told else _notes_by_seat(view, style)
    facts = [*hand_facts(view, style), *by_seat, *(["you lead"] if leads(view) else [])]
    return wrap(sentence("; ".join(facts)), indent="  ") if facts else []


def turn_lines(
    view: TableView, style: Style, arrangement: Arrangement | None = None, told: Collection[int] = ()
) -> list[str]:
    """What a player needs at their turn: what lies there, and their hand. told: the faces of cards that
    they have been told of a moment ago, with who played them, and that are not told again."""
    lines: list[str] = []
    if not {Card(card).face for _, card in view.trick} <= set(told):
        lines += trick_lines(view, style)
    lines += [line for pile in view.piles if pile.seat is None for line in _top_line(pile, style, told)]
    spread = tuple([pile for pile in view.piles if pile.spread and pile.seat is not None])
    lines += pile_lines(replace(view, piles=spread), style) + open_hands(view, style)
    return lines + hand_lines(view, style, arrangement)


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
    how = [clean(trump.maker, NAME), f"bid {clean(trump.bid, 20)}" if trump.bid else ""]
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
    return clean(view.seats[seat].name, NAME) if 0 <= seat < len(view.seats) else f"seat {seat}"


# --- private ----------------------------------------------------------------------------------------------------------


def title_text(view: TableView) -> str:
    preset = f" ({clean(view.preset)})" if view.preset else ""
    deal = [f"deal {view.deal}"] if view.deal is not None else []
    hand = [f"hand {view.hand}" + f" of game {view.number}" * bool(view.number)] if view.hand else []
    counters = [*hand, *([f"trick {view.turn}"] if view.turn else []), *([f"goal {view.goal}"] if view.goal else [])]
    face_up = ["all hands face up"] if view.face_up else []
    return ", ".join([f"{clean(view.game_name) or view.game or 'no game'}{preset}", *deal, *counters, *face_up])


def _own_rules(view: TableView) -> list[str]:
    """What is otherwise in the rules that are played than in a preset."""
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
    remarks.append("dealer" if seat.dealer else "")
    remarks.append("led" if view.trick and view.trick[0][0] == seat.seat else "")
    remarks.append("to play" if seat.to_act else "")
    start = f"{seat.seat + 1} {left(fit(name, NAME + 4), NAME + 4)} {cards}  score {right(str(seat.score), 4)} "
    *others, last = list(filter(None, remarks)) or [""]
    facts = [*[f"{fact}," for fact in others], last]
    words = [word for fact in facts for word in (fact.split() if len(fact) > LONG else [fact])]
    return [line.rstrip() for line in wrap(words, first=start, indent="  ")]


def player_text(seat: SeatView, elapsed: float) -> str:
    """Who plays at the seat, where that is not the person themselves."""
    character = clean(seat.character, NAME)
    if seat.plays == "away":
        if seat.countdown is None:
            return "away"
        return f"away, {character} plays in {max(0, round(seat.countdown - elapsed))} s"
    if seat.plays == "character":
        return f"{character} plays for them"
    return f"computer, {clean(seat.level, NAME)}" if seat.plays == "computer" else ""


def _person(person: PersonView, view: TableView) -> str:
    facts = [
        "you" if person.link == "you" else person.link,
        "coordinator" if person.coordinates else "",
        "looks on" if person.looks_on else "",
        "partner" if person.partner and person.seat is None else "",
        "" if person.seat is None else f"seat {person.seat + 1}",
        "your partner" if is_partner(view, person.seat) else "",
        f"character {clean(person.character, NAME)}" if person.character else "",
        f"at {clean(person.where, 60)}" if person.where else "",
        clean(person.line, 60),
        f"key {clean(person.key, 60)}" if person.key else "",
        "" if person.again is None else f"{'plays' if person.again else 'does not play'} again",
    ]
    return f"{clean(person.name, 24)}: {', '.join(filter(None, facts))}"


def _pile(pile: PileView, style: Style) -> str:
    count = count_text(len(pile.cards))
    if not pile.cards or not pile.cards[-1]:
        return count
    if pile.spread:
        return cards_text(pile.cards, style)
    top = card_text(pile.cards[-1], style)
    return f"{top}, the top of {count}" if len(pile.cards) > 1 else top


def _top_line(pile: PileView, style: Style, told: Collection[int]) -> list[str]:
    """A pile whose top card is seen."""
    if not pile.cards or not pile.cards[-1] or (Card(pile.cards[-1]).face in told and not pile.spread):
        return []
    shown = cards_text(pile.cards, style) if pile.spread else card_text(pile.cards[-1], style)
    return wrap(f"{_capital(pile.name)}: {shown}.", indent="  ")


def _capital(text: str) -> str:
    text = clean(text)
    return text[:1].upper() + text[1:]


def _state(view: TableView) -> str:
    """The last line: what happens next."""
    if view.phase == "over":
        winners = [clean(view.seats[seat].name, NAME) for seat in view.winners if seat < len(view.seats)]
        return sentence(f"the game is over, won by {' and '.join(winners)}" if winners else "the game is over")
    if view.legal:
        return "Your turn: you lead." if leads(view) else "Your turn."
    if view.paused:
        return f"{LOOKING_ON} The game is paused." if view.looks_on else "Paused: nobody is here."
    waiting = sentence(f"waiting for {clean(view.waiting)}") if view.waiting else ""
    return f"{LOOKING_ON} {waiting}".strip() if view.looks_on else waiting
