"""The table as a page shows it, as plain data: where everybody sits, what lies where and what can be done now, all in
words and spelled cards. The page lays it out and knows no rule of any game."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from p2pcards.cards.card import Card
from p2pcards.frontend.choosing import Button, LegalAction, actions, asked_count, buttons, melded, usable, with_cards_of
from p2pcards.frontend.guide_pages import SEARCH, page_blocks, page_text
from p2pcards.frontend.menus import menus
from p2pcards.frontend.option_pages import GROUPS
from p2pcards.frontend.standing import (
    drawing,
    groups,
    is_laid_open,
    places,
    plays_tricks,
    shown_trick,
    side_name,
    sides,
    to_do,
)
from p2pcards.frontend.words import WORDS
from p2pcards.games.claims import REST
from p2pcards.games.names import GAME_NAMES
from p2pcards.games.spelling import is_card_word
from p2pcards.players.levels import IN_PAGE
from p2pcards.present.cards import Arrangement, Style, hand_groups, with_cards
from p2pcards.present.guide import anchor_of
from p2pcards.present.qr import qr_rows
from p2pcards.present.score import board_of, item_words, score_names, score_rows, score_title
from p2pcards.present.story import sentence
from p2pcards.present.table import (
    chosen_texts,
    clock_text,
    counters_text,
    dealer_text,
    hand_facts,
    is_over,
    is_partner,
    my_seat,
    offered_text,
    person_text,
    player_text,
    pressing,
    title_text,
    trump_suit,
)
from p2pcards.present.tallies import beside_tallies, counts_of, moments
from p2pcards.present.width import PAINT
from p2pcards.views.happenings import TABLE_EVENTS
from p2pcards.views.tableview import PileView, SeatView, TableView
from p2pcards.wire.clean import clean
from p2pcards.wire.reasons import PHRASES

Plain = dict[str, Any]

# --- what goes to the page is plain, bounded and clean ----------------------------------------------------------------


TEXT = 2000
"""Characters of one text."""
MOST = 1000
"""Items of one list."""
GAPS = re.compile(r"( {2,})")


def tidy(value: Any) -> Any:
    """The same as JSON can have it: each text on one line without anything that moves or hides, at most so long; spaces
    in it that line columns up stay."""
    if isinstance(value, str):
        return "".join([part if part.isspace() else _clean(part) for part in GAPS.split(PAINT.sub("", value[:TEXT]))])
    if isinstance(value, Mapping):
        return {str(key): tidy(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [tidy(one) for one in value[:MOST]]
    return value


def _clean(part: str) -> str:
    """With the space at its ends, which parts a text that is put together."""
    before, after = " " * part.startswith(" "), " " * (part.endswith(" ") and len(part) > 1)
    return f"{before}{clean(part, TEXT)}{after}"


# --- the guide --------------------------------------------------------------------------------------------------------


def page_shown(address: str, view: TableView | None) -> Plain:
    """A page of the guide; what is found where there is none of this name. at: the place of the heading that is meant.
    blocks: (level of a heading, mark of an item of a list, spans of text, whether it is typed so, and to which address
    it leads). view: of the table at which it is read."""
    name, _, anchor = address.partition("#")
    if not page_text(name, view):
        name, anchor = SEARCH + name.removeprefix(SEARCH), ""
    blocks = page_blocks(name, view)
    headings = [place for place, block in enumerate(blocks) if block.level and anchor_of(block.text) == anchor]
    return {
        "is": "page",
        "address": f"{name}#{anchor}" if anchor else name,
        "title": blocks[0].text,
        "at": headings[0] if anchor and headings else 0,
        "blocks": [
            {"level": one.level, "mark": one.mark, "spans": [[span.text, span.code, span.to] for span in one.spans]}
            for one in blocks[1:]
        ],
    }


# --- what can be changed ----------------------------------------------------------------------------------------------


NOT_IN_BROWSERS = {
    *("ask", "ask_profile", "speech", "music", "player", "songs", *[f"game_songs.{game}" for game in GAME_NAMES]),
    *({*GROUPS["Screen"]} - {"tint_melds", "animation", "trick_stays"}),
    *GROUPS["Colors"],
    "device",
}
"""Settings that no page goes by."""
NOT_WITHIN = {"port", "page", "tor", "hook", *[f"events.{event}.hook" for event in TABLE_EVENTS]}
"""And those by which none goes in which everything runs: it runs no command, nobody can call it, and its links open
itself."""


def is_set_here(name: str, *, within: bool = IN_PAGE) -> bool:
    """Whether a setting does something in a page. within: everything runs in it."""
    return name not in NOT_IN_BROWSERS and not (within and name in NOT_WITHIN)


# --- the menus --------------------------------------------------------------------------------------------------------


NOT_HERE = ("beside", "what", "stagger")
"""Words of the terminal's screen that mean nothing where everything has its drawer."""
LABELS = {"detach": "Leave the table (your seat is kept)"}


def menus_shown(view: TableView, on: Collection[str], settings: Mapping[str, str]) -> list[Plain]:
    """The menus of F10, but for what only a terminal's screen can do. on, settings: as for `menus`."""
    here = {key: value for key, value in settings.items() if key not in GROUPS["Screen"]}
    found = [
        {
            "title": menu.title,
            "items": [
                {**asdict(item), "label": LABELS.get(item.line, item.label)}
                for item in menu.items
                if item.line.split()[0] not in NOT_HERE
            ],
        }
        for menu in menus(view, on, here, songs=False)
    ]
    return [menu for menu in found if menu["items"]]


# --- the table --------------------------------------------------------------------------------------------------------


NEXT = Button("next hand", "N", "next")
"""While one looks at a hand that is over, for who has no Enter."""
STYLE = Style()
"""Suits as signs, colours left to the page."""


def spelled(cards: Sequence[int]) -> list[str]:
    """``QS``, ``QS'`` for a copy that lies open, ``--`` for a back."""
    return [str(Card(card)) for card in cards]


REACTIONS = ("waves", "well", "nice", "thanks", "lucky", "oops", "ouch", "laughs")
"""The quick phrases that the page offers at its player's seat, each with a sign."""
ASSISTS = ("hint", "undo")
"""Words that have a button of their own at my turn."""


def table_shown(view: TableView, arrangement: Arrangement, elapsed: float = 0.0) -> Plain:
    """All that a page draws of a table. arrangement: of my hand; elapsed: seconds since the view came."""
    found = actions(view)
    shown = buttons(view, found, STYLE) or ((NEXT,) if view.pause is not None else ())
    data: Plain = {
        "is": "table",
        "phase": view.phase,
        "role": view.role,
        "game": view.game or "",
        "title": title_text(view),
        "name": GAME_NAMES.get(view.game or "", clean(view.game_name)),
        "counters": counters_text(view),
        "hand_number": [view.number, view.hand],
        "me": view.me,
        "watches": view.apart,
        "over": is_over(view),
        "pause": view.pause,
        "myTurn": bool(view.legal),
        "rest": view.auto == REST,
        "prompt": to_do(view, found, STYLE, elapsed, clock=False),
        "clock": clock_shown(view, elapsed),
        "facts": [sentence(fact).rstrip(".") for fact in hand_facts(view, STYLE)],
        "own": [with_cards(fact, STYLE) for fact in (*view.own, *view.indicator)],
        "trump": _trump(view),
        "lobby": None if view.seats else _lobby(view),
        "buttons": [_button(view, button) for button in shown],
        "takes": asked_count(found),
        "several": any(len(action.cards) > 1 for action in found),
        "assists": [word for word in ASSISTS if view.legal and not view.apart and WORDS[word].works(view)],
    }
    if view.seats:
        data |= {
            "seats": _seats(view, arrangement.order, elapsed),
            "hand": _hand(view, arrangement, found),
            "trick": _trick(view),
            "piles": [_pile(view, pile, shown) for pile in view.piles if pile.seat is None],
            "scores": _scores(view),
            "board": _board(view),
            "counting": _counting(view),
            "sheet": sheet_shown(view),
            "last": [{"seat": seat, "card": card} for (seat, _), card in _spelled_trick(view.last_trick)],
        }
    return data


def clock_shown(view: TableView, elapsed: float) -> list[str]:
    """What is left of my turn, "" where no clock runs, and one of `Pressing`."""
    return [clock_text(view, elapsed), pressing(view, elapsed)]


def _lobby(view: TableView) -> Plain:
    """chosen: which game, and its rules; people: (name, what tells them apart); code, link: for a first meeting; qr:
    the link as rows of 0 and 1."""
    people = [person_text(person, view).partition(": ") for person in view.people]
    return {
        "chosen": [text for text in chosen_texts(view) if text],
        "people": [[name, facts] for name, _, facts in people],
        "code": view.code,
        "link": view.link,
        "qr": ["".join(map(str, row)) for row in qr_rows(view.link)] if view.link else [],
    }


def _trump(view: TableView) -> Plain | None:
    if view.trump is None:
        return None
    made = {"maker": clean(view.trump.maker, 24), "bid": clean(view.trump.bid, 20)}
    return {"suit": view.trump.suit, **made, "card": str(Card(view.trump.card)) if view.trump.card else ""}


def _seats(view: TableView, order: str, elapsed: float) -> list[Plain]:
    """order: of hands that lie open."""
    return [_seat(view, seat, place, order, elapsed) for place, seat in places(view).items()]


def _seat(view: TableView, seat: SeatView, place: str, order: str, elapsed: float) -> Plain:
    note = with_cards(clean(seat.note), STYLE)
    counts = [with_cards(count, STYLE) for count in counts_of(view, seat.seat, None)] if is_over(view) else []
    plays = player_text(seat, elapsed)
    return {
        "seat": seat.seat,
        "place": place,
        "name": clean(seat.name, 24),
        "character": clean(seat.character, 24),
        "you": seat.seat == view.me,
        "partner": is_partner(view, seat.seat),
        "dealer": dealer_text(view, seat),
        "turn": seat.to_act,
        "score": seat.score,
        "cards": seat.cards,
        "note": note,
        "counts": counts,
        "status": plays if seat.plays != "computer" else "",
        "level": clean(seat.level, 20) if seat.plays == "computer" else "",
        "won": seat.games_won,
        "winner": seat.seat in view.winners,
        "lies": [
            {"name": group.name, "kind": group.kind, "cards": spelled(group.cards)}
            for group in groups(view, seat, order)
        ],
        "reactions": _reactions(view) if seat.seat == view.me else [],
    }


def _reactions(view: TableView) -> list[list[str]]:
    """Lines to say, each with its words; none at a table without other people."""
    if view.apart or not view.people[1:]:
        return []
    return [[f"quick {phrase.word}", phrase.text] for word in REACTIONS for phrase in PHRASES if phrase.word == word]


def _hand(view: TableView, arrangement: Arrangement, found: Sequence[LegalAction]) -> list[Plain]:
    """From left to right; nothing once all of it lies open before me. can: something can be done with it; alone: with
    it and no other; gap: a group begins with it; laid: it lies open before me and can be played all the same."""
    if is_laid_open(view):
        return []
    mine = my_seat(view)
    known = mine.known if mine else ()
    sorted_hand = hand_groups(arrangement, known, trump_suit(view))
    begins = {sum(map(len, sorted_hand[:number])) for number in range(1, len(sorted_hand))}
    laid = melded(view)
    hand = [*[card for group in sorted_hand for card in group], *laid]
    can, before = usable(found), len(hand) - len(laid)
    in_meld = {word for meld in view.meldable for word in meld.cards.split()}
    return [
        {
            "card": str(card),
            "can": int(card) in can,
            "alone": bool(with_cards_of(view, found, [int(card)])),
            "gap": place in begins or (place == before and place > 0),
            "laid": place >= before,
            "melds": str(card) in in_meld,
        }
        for place, card in enumerate(hand)
    ]


def _spelled_trick(trick: Sequence[tuple[int, int]]) -> list[tuple[tuple[int, int], str]]:
    return [(one, str(Card(one[1]))) for one in trick]


def _trick(view: TableView) -> Plain:
    """called: what it is, "trick" or cards that are played in turn; row: these lie beside each other; won: it is over,
    and who took it."""
    trick, mood = shown_trick(view)
    took = view.leader if mood == "won" and len(trick) > 1 else None
    return {
        "called": view.called,
        "row": view.called != "trick",
        "plays": plays_tricks(view),
        "cards": [{"seat": seat, "card": card} for (seat, _), card in _spelled_trick(trick)],
        "won": took,
    }


def _pile(view: TableView, pile: PileView, shown: Sequence[Button]) -> Plain:
    """lines: what is said to draw from it."""
    draws = drawing(pile.name, shown, spread=pile.spread)
    cards = pile.cards if pile.spread else pile.cards[-2:]
    return {
        "name": pile.name,
        "count": len(pile.cards),
        "spread": pile.spread,
        "kind": pile.kind,
        "cards": spelled(cards),
        "lines": [_line(view, shown[number].line) for number in draws],
    }


def _button(view: TableView, button: Button) -> Plain:
    return {
        "label": button.label,
        "key": button.key,
        "line": button.line,
        "several": [_line(view, line) for line in button.several],
        "begins": button.begins,
    }


def _line(view: TableView, line: str) -> list[str]:
    """A line, and how it is offered."""
    from p2pcards.frontend.menus import line_label

    label = line_label(line, view)
    return [line, offered_text(view, line, STYLE) if label == line else label]


def offers(view: TableView, cards: Sequence[int]) -> list[list[str]]:
    """What can be done with just these cards, each a line and how it is offered."""
    return [_line_of_cards(view, one.words) for one in with_cards_of(view, actions(view), cards)]


def _line_of_cards(view: TableView, words: str) -> list[str]:
    line, label = _line(view, words)
    return [line, f"play {label}" if is_card_word(words.split(maxsplit=1)[0]) else label]


def _scores(view: TableView) -> Plain:
    """A row for each side: who, the score, what the last hand changed, and once it is over what it came to."""
    last = view.rounds[-1] if view.rounds else ()
    over = view.sheet if view.sheet and is_over(view) else None
    return {
        "title": f"Hand {over.hand}" if over else "Score",
        "rows": [
            {
                "names": side_name(view, side),
                "mine": view.me in side,
                "score": view.seats[side[0]].score,
                "last": f"{last[side[0]]:+d}" if last else "",
                "items": item_words(beside_tallies(view, side[0], over.items[side[0]]), STYLE) if over else [],
            }
            for side in sides(view)
        ],
    }


def _board(view: TableView) -> Plain | None:
    """rows: a full stop for a hole, A and B for the pegs of the seats, a and b for their rear pegs."""
    found = board_of(view)
    return {"rows": found[0], "whose": found[1]} if found else None


def _counting(view: TableView) -> list[Plain]:
    """The moments of a count, one after the other. seat: whose; what: is counted; said: so far; cards: that count."""
    if not is_over(view):
        return []
    return [
        {
            "seat": moment.tally.seat,
            "what": moment.tally.what,
            "said": [with_cards(item.words, STYLE) for item in moment.items[-1:]] or ["nothing"],
            "cards": spelled(moment.cards),
        }
        for moment in moments(view)
    ]


def sheet_shown(view: TableView) -> Plain:
    """The score sheet: a row for each item and hand, a column for each side."""
    rows = score_rows(view, STYLE, len(view.rounds))
    return {
        "title": score_title(view),
        "names": score_names(view),
        "rows": [{"what": row.what, "points": row.points, "strong": row.what in ("total", "now")} for row in rows],
    }
