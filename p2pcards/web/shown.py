"""The table as a page shows it, as plain data: where everybody sits, what lies where and what can be done now, all in
words and spelled cards. The page lays it out and knows no rule of any game."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from p2pcards.cards.card import Card
from p2pcards.frontend import choosing, standing
from p2pcards.frontend.guide_pages import SEARCH, page_blocks, page_markdown
from p2pcards.frontend.menus import build_menus
from p2pcards.frontend.option_pages import GROUPS
from p2pcards.frontend.words import WORDS
from p2pcards.games.claims import REST
from p2pcards.games.names import GAME_NAMES
from p2pcards.games.spelling import is_card_word
from p2pcards.players.levels import IN_PAGE
from p2pcards.present import table
from p2pcards.present.cards import Arrangement, Style, draw_cards_in_text, hand_groups
from p2pcards.present.guide import heading_anchor
from p2pcards.present.qr import qr_rows
from p2pcards.present.score import board_and_pegs, item_words, score_names, score_rows, score_title
from p2pcards.present.story import as_sentence
from p2pcards.present.tallies import count_moments, items_and_tallies, seat_count_texts
from p2pcards.present.width import PAINT
from p2pcards.views.happenings import TABLE_EVENTS
from p2pcards.views.tableview import PileView, SeatView, TableView
from p2pcards.wire.clean import clean
from p2pcards.wire.invitation import link_for_watching
from p2pcards.wire.reasons import PHRASES

Plain = dict[str, Any]

# --- what goes to the page is plain, bounded and clean ----------------------------------------------------------------


TEXT = 2000
"""Characters of one text."""
MOST = 1000
"""Items of one list."""
GAPS = re.compile(r"( {2,})")


def tidy_texts(value: Any) -> Any:
    """The value for JSON: each text on one line of limited length, without characters that move the cursor or hide;
    aligning spaces stay."""
    if isinstance(value, str):
        return "".join(
            [_clean_part(part) if part.strip(" ") else part for part in GAPS.split(PAINT.sub("", value[:TEXT]))]
        )
    if isinstance(value, Mapping):
        return {str(key): tidy_texts(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [tidy_texts(one) for one in value[:MOST]]
    return value


def _clean_part(part: str) -> str:
    """The text cleaned, keeping a space at either end."""
    before, after = " " * part.startswith(" "), " " * (part.endswith(" ") and len(part) > 1)
    return f"{before}{clean(part, TEXT)}{after}"


# --- the guide --------------------------------------------------------------------------------------------------------


def guide_page_data(address: str, view: TableView | None) -> Plain:
    """A page of the guide, or search results where none has this name. at: index of the heading meant; blocks: (level
    of a heading, mark of a list item, spans of text, typed words, addresses of links). view: of the table at which it
    is read."""
    name, _, anchor = address.partition("#")
    if not page_markdown(name, view):
        name, anchor = SEARCH + name.removeprefix(SEARCH), ""
    blocks = page_blocks(name, view)
    headings = [place for place, block in enumerate(blocks) if block.level and heading_anchor(block.text) == anchor]
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


def matters_in_page(name: str, *, within: bool = IN_PAGE) -> bool:
    """Return whether a setting has an effect in a page. within: the whole program runs in it."""
    return name not in NOT_IN_BROWSERS and not (within and name in NOT_WITHIN)


# --- the menus --------------------------------------------------------------------------------------------------------


NOT_HERE = ("beside", "what", "stagger")
"""Words of the terminal's screen that mean nothing where everything has its drawer."""
LABELS = {"detach": "Leave the table (your seat is kept)"}


def menus_data(view: TableView, on: Collection[str], settings: Mapping[str, str]) -> list[Plain]:
    """The menus, without what only a terminal's screen can do. on, settings: as for `build_menus`."""
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
        for menu in build_menus(view, on, here, songs=False)
    ]
    return [menu for menu in found if menu["items"]]


# --- the table --------------------------------------------------------------------------------------------------------


NEXT = choosing.Button("next hand", "N", "next")
"""While one looks at a hand that is over, for who has no Enter."""
STYLE = Style()
"""Suits as signs, colours left to the page."""


def spell_cards(cards: Sequence[int]) -> list[str]:
    """``QS``, ``QS'`` for an open copy, ``--`` for a back."""
    return [str(Card(card)) for card in cards]


REACTIONS = ("waves", "well", "nice", "thanks", "lucky", "oops", "ouch", "laughs")
"""The quick phrases that the page offers at its player's seat, each with a sign."""
ASSISTS = ("hint", "undo")
"""Words that have a button of their own at my turn."""


def table_data(view: TableView, arrangement: Arrangement, elapsed: float = 0.0) -> Plain:
    """All that a page draws of a table. arrangement: of my hand; elapsed: seconds since the view came."""
    found = choosing.legal_actions(view)
    shown = choosing.buttons_for(view, found, STYLE) or ((NEXT,) if view.pause is not None else ())
    data: Plain = {
        "is": "table",
        "phase": view.phase,
        "role": view.role,
        "game": view.game or "",
        "title": table.title_text(view),
        "name": GAME_NAMES.get(view.game or "", clean(view.game_name)),
        "counters": table.counters_text(view),
        "hand_number": [view.number, view.hand],
        "me": view.me,
        "watches": view.apart,
        "over": table.is_hand_over(view),
        "pause": view.pause,
        "myTurn": bool(view.legal),
        "rest": view.auto == REST,
        "prompt": standing.what_to_do(view, found, STYLE, elapsed, clock=False),
        "clock": clock_data(view, elapsed),
        "facts": [as_sentence(fact).rstrip(".") for fact in table.hand_facts(view, STYLE)],
        "own": [draw_cards_in_text(fact, STYLE) for fact in (*view.own, *view.indicator)],
        "trump": _trump_data(view),
        "lobby": None if view.seats else _lobby_data(view),
        "buttons": [_button_data(view, button) for button in shown],
        "takes": choosing.smallest_card_count(found),
        "several": any(len(action.cards) > 1 for action in found),
        "assists": [word for word in ASSISTS if view.legal and not view.apart and WORDS[word].works(view)],
    }
    if view.seats:
        data |= {
            "seats": _seats_data(view, arrangement.order, elapsed),
            "hand": _hand_data(view, arrangement, found),
            "trick": _trick_data(view),
            "piles": [_pile_data(view, pile, shown) for pile in view.piles if pile.seat is None],
            "scores": _scores_data(view),
            "board": _board_data(view),
            "counting": _counting_data(view),
            "sheet": sheet_data(view),
            "last": [{"seat": seat, "card": card} for (seat, _), card in _spelled_trick(view.last_trick)],
        }
    return data


def clock_data(view: TableView, elapsed: float) -> list[str]:
    """[time left of my turn, or ""; one of `Pressing`]."""
    return [table.clock_text(view, elapsed), table.turn_pressure(view, elapsed)]


def _lobby_data(view: TableView) -> Plain:
    """chosen: the game and its rules; people: (name, what tells them apart); code, link: for a first meeting; watching:
    the link for watchers; qr: the link as rows of 0 and 1."""
    lines = [*[table.person_line(one, view) for one in view.people], *map(table.watcher_line, view.watchers)]
    people = [line.partition(": ") for line in lines]
    return {
        "chosen": [text for text in table.chosen_texts(view) if text],
        "people": [[name, facts] for name, _, facts in people],
        "code": view.code,
        "link": view.link,
        "watching": link_for_watching(view.link),
        "qr": ["".join(map(str, row)) for row in qr_rows(view.link)] if view.link else [],
    }


def _trump_data(view: TableView) -> Plain | None:
    if view.trump is None:
        return None
    made = {"maker": clean(view.trump.maker, 24), "bid": clean(view.trump.bid, 20)}
    return {"suit": view.trump.suit, **made, "card": str(Card(view.trump.card)) if view.trump.card else ""}


def _seats_data(view: TableView, order: str, elapsed: float) -> list[Plain]:
    """order: of open hands."""
    return [_seat_data(view, seat, place, order, elapsed) for place, seat in standing.seats_by_place(view).items()]


def _seat_data(view: TableView, seat: SeatView, place: str, order: str, elapsed: float) -> Plain:
    note = draw_cards_in_text(clean(seat.note), STYLE)
    counts = (
        [draw_cards_in_text(count, STYLE) for count in seat_count_texts(view, seat.seat, None)]
        if table.is_hand_over(view)
        else []
    )
    plays = table.player_text(seat, elapsed)
    return {
        "seat": seat.seat,
        "place": place,
        "name": clean(seat.name, 24),
        "character": clean(seat.character, 24),
        "you": seat.seat == view.me,
        "partner": table.is_partner(view, seat.seat),
        "dealer": table.dealer_text(view, seat),
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
            {"name": group.name, "kind": group.kind, "cards": spell_cards(group.cards)}
            for group in standing.card_groups(view, seat, order)
        ],
        "reactions": _quick_phrases(view) if seat.seat == view.me else [],
    }


def _quick_phrases(view: TableView) -> list[list[str]]:
    """[line, words] of quick phrases to send; none at a table without other people."""
    if view.apart or not view.people[1:]:
        return []
    return [[f"quick {phrase.word}", phrase.text] for word in REACTIONS for phrase in PHRASES if phrase.word == word]


def _hand_data(view: TableView, arrangement: Arrangement, found: Sequence[choosing.LegalAction]) -> list[Plain]:
    """The hand from the left; empty once all of it is open before me. can: the card can be used; alone: by itself; gap:
    a group begins with it; laid: it is open before me and can still be played."""
    if standing.is_laid_open(view):
        return []
    mine = table.my_seat(view)
    known = mine.known if mine else ()
    sorted_hand = hand_groups(arrangement, known, table.trump_suit(view))
    begins = {sum(map(len, sorted_hand[:number])) for number in range(1, len(sorted_hand))}
    laid = choosing.playable_melded_cards(view)
    hand = [*[card for group in sorted_hand for card in group], *laid]
    can, before = choosing.usable_cards(found), len(hand) - len(laid)
    in_meld = {word for meld in view.meldable for word in meld.cards.split()}
    return [
        {
            "card": str(card),
            "can": int(card) in can,
            "alone": bool(choosing.actions_with_cards(view, found, [int(card)])),
            "gap": place in begins or (place == before and place > 0),
            "laid": place >= before,
            "melds": str(card) in in_meld,
        }
        for place, card in enumerate(hand)
    ]


def _spelled_trick(trick: Sequence[tuple[int, int]]) -> list[tuple[tuple[int, int], str]]:
    return [(one, str(Card(one[1]))) for one in trick]


def _trick_data(view: TableView) -> Plain:
    """called: "trick", or cards played in turn; row: they are side by side; won: it is over, and who took it."""
    trick, mood = standing.shown_trick(view)
    took = view.leader if mood == "won" and len(trick) > 1 else None
    return {
        "called": view.called,
        "row": view.called != "trick",
        "plays": standing.plays_tricks(view),
        "cards": [{"seat": seat, "card": card} for (seat, _), card in _spelled_trick(trick)],
        "won": took,
    }


def _pile_data(view: TableView, pile: PileView, shown: Sequence[choosing.Button]) -> Plain:
    """lines: those that draw from the pile."""
    draws = standing.drawing_buttons(pile.name, shown, spread=pile.spread)
    cards = pile.cards if pile.spread else pile.cards[-2:]
    return {
        "name": pile.name,
        "count": len(pile.cards),
        "spread": pile.spread,
        "kind": pile.kind,
        "cards": spell_cards(cards),
        "lines": [_offered_line(view, shown[number].line) for number in draws],
    }


def _button_data(view: TableView, button: choosing.Button) -> Plain:
    return {
        "label": button.label,
        "key": button.key,
        "line": button.line,
        "several": [_offered_line(view, line) for line in button.several],
        "begins": button.begins,
    }


def _offered_line(view: TableView, line: str) -> list[str]:
    """[line, its label]."""
    from p2pcards.frontend.menus import short_line_label

    label = short_line_label(line, view)
    return [line, table.offered_text(view, line, STYLE) if label == line else label]


def offers_for_cards(view: TableView, cards: Sequence[int]) -> list[list[str]]:
    """[line, label] of each action that uses exactly these cards."""
    return [
        _action_line(view, one.words) for one in choosing.actions_with_cards(view, choosing.legal_actions(view), cards)
    ]


def _action_line(view: TableView, words: str) -> list[str]:
    line, label = _offered_line(view, words)
    return [line, f"play {label}" if is_card_word(words.split(maxsplit=1)[0]) else label]


def _scores_data(view: TableView) -> Plain:
    """A row for each side: names, score, change by the last hand, and after a hand its items."""
    last = view.rounds[-1] if view.rounds else ()
    over = view.sheet if view.sheet and table.is_hand_over(view) else None
    return {
        "title": f"Hand {over.hand}" if over else "Score",
        "rows": [
            {
                "names": standing.side_name(view, side),
                "mine": view.me in side,
                "score": view.seats[side[0]].score,
                "last": f"{last[side[0]]:+d}" if last else "",
                "items": item_words(items_and_tallies(view, side[0], over.items[side[0]]), STYLE) if over else [],
            }
            for side in standing.scoring_sides(view)
        ],
    }


def _board_data(view: TableView) -> Plain | None:
    """rows: "." for a hole, A and B for the seats' pegs, a and b for their rear pegs."""
    found = board_and_pegs(view)
    return {"rows": found[0], "whose": found[1]} if found else None


def _counting_data(view: TableView) -> list[Plain]:
    """The moments of a count, in order. seat: whose; what: is counted; said: so far; cards: that count."""
    if not table.is_hand_over(view):
        return []
    return [
        {
            "seat": moment.tally.seat,
            "what": moment.tally.what,
            "said": [draw_cards_in_text(item.words, STYLE) for item in moment.items[-1:]] or ["nothing"],
            "cards": spell_cards(moment.cards),
        }
        for moment in count_moments(view)
    ]


def sheet_data(view: TableView) -> Plain:
    """The score sheet: a row for each item and hand, a column for each side."""
    rows = score_rows(view, STYLE, len(view.rounds))
    return {
        "title": score_title(view),
        "names": score_names(view),
        "rows": [{"what": row.what, "points": row.points, "strong": row.what in ("total", "now")} for row in rows],
    }
