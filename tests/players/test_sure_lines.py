"""Sure lines: positions in which a standard player has a card that cannot be wrong, and the cards that it may choose
from there. Each is played in several suits."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import pytest

from p2pcards.cards.card import Card, Suit, mask_of_cards, parse_cards
from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.cards.pack import pack_of
from p2pcards.games.certain import cards_serving_aims
from p2pcards.games.changing import changed
from p2pcards.games.deals.taking import Taking
from p2pcards.games.deals.tricks import SUITS, Tricks
from p2pcards.games.euchre import rules as euchre
from p2pcards.games.game import Stage
from p2pcards.games.hearts import rules as hearts
from p2pcards.games.hearts.deal import Hearts
from p2pcards.games.oh_hell import rules as oh_hell
from p2pcards.games.oh_hell.deal import OhHell
from p2pcards.games.registry import GAMES
from p2pcards.games.spades import rules as spades
from p2pcards.games.spades.deal import SPADES, Spades
from p2pcards.games.spelling import is_card_word, spell_action
from p2pcards.games.telling import Way, load_told
from p2pcards.games.whist import rules as whist
from p2pcards.games.whist.deal import Whist
from p2pcards.players.choose import choose
from p2pcards.players.levels import skill_of
from p2pcards.players.search import READERS
from rigs.endings import TRICK_GAMES, positions
from rigs.tricked import euchre_at, have_bid, kept, oh_hell_at

TURNS = ("CDHS", "DHSC", "HSCD", "SCDH")
"""What the clubs, diamonds, hearts and spades of a position become."""
SIDE = ("CDHS", "DHCS", "HCDS")
"""The same where spades are trump."""
MINOR = ("CDHS", "DCHS")


def turned(words: str, suits: str) -> str:
    return " ".join([word[0] + suits["CDHS".index(word[1])] for word in words.split()])


class Line(NamedTuple):
    """held: the cards of seat 0; table: of the trick, from its leader on; left: all others that are still out, of which
    the others hold as many as they need; wanted: tricks that the bid lacks; good: the cards that are right; why."""

    held: str
    table: str
    good: str
    why: str
    left: str = ""
    wanted: int = 0


# --- oh hell: clubs are trump in the table ------------------------

OH_HELL = [
    Line("AC 2D", "4H 7H 9H", "2D", "the ace takes the last trick, and then no loser is left", wanted=1),
    Line("AC 5S", "4H 7H 9H", "5S", "the same with a higher loser", wanted=1),
    Line("AC 2D", "", "AC", "both are needed: the ace draws trumps first", wanted=2),
    Line("KC 4C", "", "KC", "both are needed: the 4 stands only where the king does", wanted=2),
    Line("KC QC 4C", "", "KC QC", "all three are needed", wanted=3),
    Line("QC 9C 4C", "", "QC", "all three are needed", wanted=3),
    Line("TC AD", "", "TC", "both are needed: a trump that is out must fall under the ten", wanted=2),
    Line("AD 5D", "", "AD", "both are needed, and the 5 stands only where the ace does", wanted=2),
    Line("2D AD", "3D 4D 9D", "AD", "both are needed, and this one is to be taken", wanted=2),
    Line("3C 2D", "4H 7H 9H", "3C", "both are needed, and only a trump takes this one", wanted=2),
    Line("QD 8D", "JD 3D 4D", "8D", "none is wanted, and the 8 does not take it", wanted=0),
    Line("TD 8D", "JD 3D 4D", "TD", "none is wanted: the highest that does not take the trick goes", wanted=0),
    Line("TD 8D 3D", "JD", "TD", "none is wanted, and the jack is above the ten whatever follows", wanted=0),
    Line("KC 9D", "AH 7H QC", "9D", "none is wanted, and the king would take it", wanted=0),
    Line("AC 9C", "", "AC", "both are needed: the 9 stands only where the ace does", wanted=2),
    Line("JC TD 4D", "", "JC", "all three are needed: the trumps that are out must fall first", wanted=3),
    Line("KD 9D 4D", "", "KD", "all three are needed, and lower diamonds stand only where the king does", wanted=3),
    Line("AS QS", "", "AS", "both are needed, and the queen stands only where the ace does", wanted=2),
    Line("AC 3H", "4S 7S 9S", "3H", "the ace takes the last trick, and then no loser is left", wanted=1),
    Line("9C 3H", "AS 7S 9S", "9C", "both are needed, and only a trump takes this one", wanted=2),
    Line("KS 7S", "QS 3S 4S", "7S", "none is wanted, and the seven keeps under the queen", wanted=0),
    Line("JS 7S", "QS 3S 9S", "JS", "none is wanted: the highest that does not take the trick goes", wanted=0),
    Line("TC 9D", "QH 7H 2H", "9D", "none is wanted, and the ten would take it", wanted=0),
    Line("QH 6H", "3H 7H KH", "QH", "none is wanted: the highest that does not take the trick goes", wanted=0),
    Line("KC 7D 3D", "", "KC", "all three are needed: the trumps that are out must fall first", wanted=3),
    Line("JC 8D", "KH 7H 2H", "8D", "none is wanted, and the jack would take it", wanted=0),
]


def oh_hell_end(line: Line, suits: str) -> Any:
    """Every card was dealt in the first trick of a short deal; the rest of the pack is the stock."""
    held, table = parse_cards(turned(line.held, suits)), parse_cards(turned(line.table, suits))
    trump, number, leader = list(Suit)["CDHS".index(suits[0])], len(held), -len(table) % 4
    free = [card for card in pack_of() if card not in (*held, *table)]
    turn_up = next(card for card in free if card.suit == trump and card.rank in (5, 6))
    deal = OhHell(oh_hell.rules_of(oh_hell.Options(), number), leader, Taking(SUITS[trump], mask_of_cards([turn_up])))
    laid = [(leader + place) % 4 for place in range(len(table))]
    hidden = [0, *[number - (seat in laid) for seat in (1, 2, 3)]]
    deal.set_cards(
        [mask_of_cards(held), 0, 0, 0, mask_of_cards([turn_up]), 0],
        [*hidden, 52 - 4 * number - 1, 0],
        [mask_of_cards([turn_up, *table]), mask_of_cards(held), 0, 0, 0],
    )
    have_bid(deal, [line.wanted, 0, 0, 0])
    return oh_hell_at(deal, number, table)


# --- whole packs: nobody has shown a void, as cards are gone in fours of a suit ------------------------


def end_of_play(line: Line, suits: str, deal: Any, piles_of: tuple[int, ...]) -> dict[str, Any]:
    """The fields of a state with few cards left. piles_of: the seats that have taken tricks, in turn."""
    held, table, left = [parse_cards(turned(words, suits)) for words in (line.held, line.table, line.left)]
    leader, hands = -len(table) % 4, [list(held), [], [], []]
    laid = [(leader + place) % 4 for place in range(len(table))]
    for seat in (1, 2, 3):
        number = len(held) - (seat in laid)
        hands[seat], left = list(left[:number]), left[number:]
    out = {card for hand in hands for card in hand} | set(table)
    assert not left
    gone = [card for card in pack_of() if card not in out]
    piles: list[list[Card]] = [[], [], [], []]
    for number in range(0, len(gone), 4):
        assert gone[number].suit == gone[number + 3].suit
        piles[piles_of[number // 4 % len(piles_of)]] += gone[number : number + 4]
    words = [" ".join(map(str, hand)) for hand in hands]
    fields = kept(deal, words, leader, " ".join(map(str, table)), [" ".join(map(str, pile)) for pile in piles])
    return {**fields, "stage": Stage.PLAY, "to_act": (0,), "hand": 1, "dealer": 3}


WHIST = [
    Line(
        "AC AD KD 2D",
        "",
        "AC AD KD",
        "the two comes good under the ace and the king",
        "QD JD 2H 3H 4H 5H 6H 2S 3S 4S 5S 6S",
    ),
    Line("AC AD QD KD", "", "AC AD KD QD", "all four are certain", "JD TD 2H 3H 4H 5H 6H 2S 3S 4S 5S 6S"),
    Line(
        "9C AD KD 3D",
        "",
        "9C AD KD",
        "the last trump, and a three that comes good",
        "QD TD 2H 3H 4H 5H 6H 2S 3S 4S 5S 6S",
    ),
    Line(
        "AC KC QC AD",
        "",
        "AC KC QC",
        "trumps are drawn before the ace can be trumped",
        "3C 2C KD QD JD TD 2S 3S 4S 5S 6S 2H",
    ),
    Line("AC KC QC 7D", "", "AC KC QC", "trumps are drawn before the seven", "3C 2C 6D 5D 4D 3D 2S 3S 4S 5S 6S 2H"),
    Line("AD 2D AC", "KD QD 3D", "AD", "the ace takes it, and the rest is certain", "2H 3H 4H 5H 6H 2S"),
    Line(
        "AD 2D AC",
        "QD TD 3D",
        "AD",
        "the ace takes it from the queen, and the rest is certain",
        "2H 3H 4H 5H 6H 2S",
    ),
    Line("KD 4D 7C", "QD TD 3D", "KD", "the king takes it, and the rest is certain", "2H 3H 4H 5H 6H 2S"),
]


def whist_end(line: Line, suits: str) -> Any:
    trump = list(Suit)["CDHS".index(suits[0])]
    fields = end_of_play(line, suits, Whist(True, 0, Taking(SUITS[trump])), (1, 0))
    return changed(whist.GAME.start(whist.Options(), 3), **fields)


SPADES_LINES = [
    Line("7S AS", "9S JS", "AS", "both are needed, and only the ace takes this one", "KS 2C 2D 2H", 2),
    Line("3S QS", "4S 5S", "QS", "both are needed, and only the queen can take this one", "KS 2C 2D 2H", 2),
    Line("TD 8D", "JD 9D 4D", "TD", "the Nil is rid of its highest card that takes nothing", "2C 2H 2S"),
    Line("QD 8D", "JD 3D 4D", "8D", "the Nil keeps under the jack", "2C 2H 2S"),
    Line("KS 9D", "AH 7H 5H", "9D", "the Nil does not trump", "3H 4H 2C"),
    Line("QS 9D", "AH 7H 5H", "9D", "the Nil does not trump", "3H 4H 2C"),
    Line("9D 7D", "KD 8D", "9D", "the Nil is rid of the nine", "JD 2C 2H 2S"),
    Line("AD 5D", "3D 6D 7D", "AD", "the one that is needed is there to be taken", "2C 2H 2S", 2),
    Line("AS KS 2D", "5H 7H 9H", "AS KS", "all three are needed: this one must be trumped", "3H 4H 2S 3S 4S 2C", 3),
]


def spades_end(line: Line, suits: str) -> Any:
    """The partner has what it bid."""
    options = spades.PRESETS["usual"]
    deal = Spades(spades.rules_of(options), 0, Taking(SPADES))
    fields = end_of_play(line, suits, deal, (1, 3, 1, 3, 1, 3, 1, 3, 1, 2, 1))
    deal = fields["deal"]
    have_bid(deal, [line.wanted, 4, deal.tricks.won[2], 4])
    deal.broken = True
    return changed(spades.GAME.start(options, 3), **fields)


HEARTS = [
    Line("9H 2D 2S", "AC 3C 4C", "9H", "only the heart could take a trick later", "5C 6C 2H 3H 4H 5H"),
    Line("TH 3D 3S", "AC 3C 4C", "TH", "only the heart could take a trick later", "5C 6C 2H 3H 4H 5H"),
    Line("KD 3H 2S", "AC 3C 4C", "KD", "only the diamond could take a trick later", "5C 6C 2D 3D 4D 5D"),
    Line("KD 4H 3S", "QC 3C 4C", "KD", "only the diamond could take a trick later", "5C 6C 2D 3D 4D 5D"),
    Line("9S 3H 2D", "AC 3C 4C", "9S", "only the spade could take a trick later", "5C 6C 2S 3S 4S 5S"),
    Line("TC 2C 3H", "JC 3C 4C", "TC", "it goes where it takes nothing, and the two never will", "2S 3S 4S 5S 6S 2D"),
]


def hearts_end(line: Line, suits: str) -> Any:
    deal = Hearts(hearts.rules_of(hearts.Options(), 4), 3, Tricks(4))
    deal.start_play(0)
    fields = end_of_play(line, suits, deal, (1, 2, 3))
    fields["deal"].broken = True
    return changed(hearts.GAME.start(hearts.Options(), 3), **{**fields, "hand": 4})


# --- euchre: seat 0 plays alone, diamonds are trump, and all above the king have gone ------------------------

COLORS = ("CDHS", "SDHC", "CHDS", "DCSH")
"""Two suits of a color stay together."""
LONE = ("JD 9D TD", "JH QD AD", "AH 9H TH")
"""The tricks that it has taken."""
EUCHRE = [
    Line("KD AC", "", "KD", "both are needed for the march: no trump may be left"),
    Line("KD KS", "", "KD", "both are needed for the march: no trump may be left"),
    Line("KD 9C", "", "KD", "the nine may come good once it is the last"),
    Line("AC 9C", "", "AC", "the nine stands only where the ace does"),
    Line("KC TC", "", "KC", "the ten stands only where the king does"),
    Line("AS QS", "", "AS", "the queen stands only where the ace does"),
    Line("QS TS", "", "QS", "the ten stands only where the queen does"),
]


def euchre_end(line: Line, suits: str) -> Any:
    return euchre_at(
        euchre.PRESETS["usual"],
        (turned(line.held, suits), "", "", ""),
        hidden=(0, 2, 5, 2),
        turned=turned("QH", suits),
        stock=3,
        passes=4,
        trump=list(Suit)["CDHS".index(suits[1])],
        maker=0,
        out=2,
        tricks=[(0, turned(words, suits)) for words in LONE],
    )


TABLES = (
    ("oh_hell", OH_HELL, oh_hell_end, TURNS),
    ("whist", WHIST, whist_end, TURNS),
    ("spades", SPADES_LINES, spades_end, SIDE),
    ("hearts", HEARTS, hearts_end, MINOR),
    ("euchre", EUCHRE, euchre_end, COLORS),
)


@pytest.mark.parametrize(
    ("key", "line", "end", "suits"),
    [(key, line, end, suits) for key, lines, end, turns in TABLES for line in lines for suits in turns],
)
def test_a_standard_player_keeps_to_a_sure_line(key: str, line: Line, end: Callable[..., Any], suits: str) -> None:
    action = choose(GAMES[key], redact(end(line, suits), eyes_of_viewer(0)), 0, "standard", Random(1))
    assert str(action.card) in turned(line.good, suits).split(), line.why


SEARCHED = ("auction_pitch", "pinochle2")
"""Games of tricks in which standard players search."""
RARELY = "pinochle_bid"
"""Where something is certain so seldom that whole hands are looked at."""


@pytest.mark.parametrize("games", [2, pytest.param(60, marks=pytest.mark.slow)])
@pytest.mark.parametrize("key", [key for key in TRICK_GAMES if key not in SEARCHED])
def test_a_standard_player_plays_no_card_but_the_sure_ones(key: str, games: int) -> None:
    game, narrower, aims = GAMES[key], 0, load_told(key).tricks.aims
    for preset in game.presets.values():
        for seed in range(3 * games if key == RARELY else games):
            for state in positions(game, preset, seed, 12 if key == RARELY else 4):
                seat = state.to_act[0]
                view = redact(state, eyes_of_viewer(seat))
                choices = READERS[key](view, seat).choices  # one of several cards that come to the same
                if len(choices) > 1 and all(is_card_word(spell_action(choice)) for choice in choices):
                    cards_open = [choice.card for choice in choices]
                    sure = cards_serving_aims(game, view, seat, cards_open, aims(view, seat))
                    if len(sure) < len(cards_open):
                        narrower += 1
                        assert choose(game, view, seat, "standard", Random(1)).card in sure, view
    assert narrower


@pytest.mark.parametrize("key", SEARCHED)
def test_where_standard_players_search_nothing_else_chooses_for_them(key: str) -> None:
    assert skill_of(key, "standard").way is Way.SEARCH
