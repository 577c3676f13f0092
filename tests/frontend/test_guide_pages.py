"""The guide: every link leads somewhere, what it says to type can be typed, and every topic is found."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
import typer

from at_hand import TableAtHand
from p2pcards.cli import main
from p2pcards.cli.command import split_profile_option
from p2pcards.frontend.completions import completions
from p2pcards.frontend.guide_pages import (
    ELSEWHERE,
    HERE,
    SEARCH,
    address_for_command,
    all_topics,
    find_address,
    find_part,
    guide_lines,
    list_page_names,
    next_page_words,
    page_blocks,
    page_markdown,
)
from p2pcards.frontend.words import WORDS
from p2pcards.games.options import declared_options
from p2pcards.games.registry import GAMES, UnknownGame
from p2pcards.games.spelling import is_card_word, verbs_of
from p2pcards.games.telling import load_told
from p2pcards.players.characters import CHARACTERS
from p2pcards.present.cards import ORDERS
from p2pcards.present.guide import CONTENTS, GLOSSARY, INDEX, page_parts, plain_lines, written_pages
from p2pcards.present.width import text_width
from p2pcards.store.settings import SETTING_CHOICES, SettingError, declared_settings, find_setting

SECTIONS = [
    "Overview",
    "Getting started",
    "The layout",
    "Using the mouse",
    "Arranging your cards",
    "Playing the game",
    "About the opponents",
    "Scoring",
    "Menus",
    "Shortcuts",
    "Strategies",
    "How to",
    "For the technically curious",
    "Glossary",
    "Index",
    "Troubleshooting",
]
TOPICS = {"games", "changing", "keeping", "records", "settings", "friends", "characters", GLOSSARY}
"""Games, rules, saved games, records, options, several players, who they are, terms."""
TERMS = """
3-dimensional, alone, assist, author, AutoMouse, bid, Black Maria, black lady, bower, count out, crib, cut, deal,
default, discard, draw, eldest hand, error message, euchre, face card, flush, follow suit, game, go, go out, goal, hand,
highlighted, his heels, his nobs, in the hole, is nibs, knock, lead, left bower, lurch, maker, march, meld, melded,
melding, menu option, no-trump, odd trick, open, opponent, option, order it up, pass, peg, phase, pitch, player,
right bower, round, scoreboard, shoot the moon, showing, skill, skunk, smudge, starter, status bar, stock, stock pile,
table, trick, trump, turn-up, wav file
"""
OF_MEGGIESOFT = """
64 Card Deck; About The Opponent; Analyze Player Hand; Arranging Your Cards; Assistant Menu; AssistIcon; AutoKnock;
AutoMouse Cards; AutoMouse Dialogs; AutoPlayer; AutoResume; AutoSave All Options; AutoStart; BonusDisplay; Bonuses;
Card and Font Size; Card Design; CardSortOrder; CardStagger; Carefree Skill Level; Champion Skill Level; Change
Players; Check Meldable Play; Color Control; Color Melded Cards; ColorMelds; Colors; Configuration Menu; Contents;
Context Sensitive Help (F1); Creating A New Meld; Dealing; Default Colors; Designing Custom Card Backs; Display Error
Box; Display Meldable Points; Dix Alone; Double Click Play; Drag and Drop from the Players Hand; Drag and Drop from
the Stock; Drag and Drop; Error Messages; Exit; Expert Skill Level; Explain; F1 Function Key (Help); Game History;
Game Menu; GameCounter; Getting Started Instructions; Getting Started; Gin Rummy; Glossary; GoalPoints; Hall Of Fame;
Help Menu; How To ...; Index; Layout; League Table; LightBulb; Master Skill Level; MeldedCardShading; Melding Cards;
Melding Options and Scores; MenuBar; Menus; Mouse; Music; Must Overplay; New Game Deal Cut; No 3D Effects; No Bell; No
Play Card Highlighting; No Sorting; No Start Reminders; No Status Messages; No Stock Highlighting; Novice Skill Level;
Opponent Menu; Opponent; OpponentGames; OpponentInHand; OpponentMeldedCounter; OpponentMelds; Overview; Player Menu;
PlayerGames; PlayerInHand; PlayerMeldedCounter; PlayerMeldIndicator; Playing A Card; Playing The Game; PlayingArea;
PriorRoundScores; PriorRoundsTotals; Quick Deal; Quick Display; Recall; Red Pinochle; Redeal Game; Reset Scoreboard;
Restart Round; Review Tricks; RoundCounter; Roundhouse; Rules Menu; RulesDisplay; Rummy 500; RunningGameTotal; Save
Configuration; Save Opponent Options; Save Player Options; Save Rules; Save Scoreboard; Saved Information; Scoreboards
Menu; Scoresheet; Scoring; Shortcuts; Show Cards; Show Distribution; Show Opponent Meld Types; Show Player Meld Types;
Show Rules_Bonuses; Simplified Scoring; Skill Level; Sort By Suit; Sound Effects; SpeakTo Me; Stagger Hand; Standard
Skill Level; Status Bar (Shortcuts); StatusDisplay; Stock; StockCounter; Strategies; Suggest; Swap Cards; Table;
Taking The Top Card Of The Stock; Technical Construction; Technical; The Layout; TheScoresheet; Third Party
Components; This Game; This Round; TrickArea; TrickPointsCounters; TricksTaken; Troubleshooting; True Corners;
TurnCounter; Undo; UndoIcon; UpturnedTrump; Using The Mouse; Watching A Game Being Played; Window Size
"""
"""The index of the help of MeggieSoft Pinochle, but for what is about Windows."""
KEYS = {"q", "p", "o", "/", "?", ">", "-", "=", ",", ".", "[D]raw", "0", "1", "9"}


def links(name: str) -> set[str]:
    return {span.to for block in page_blocks(name) for span in block.spans if span.to}


@cache
def commands() -> dict[str, Any]:
    tree: Any = typer.main.get_command(main.build_program())
    return dict(tree.commands)


# --- pages and links --------------------------------------------------------------------------------------------------


def test_the_contents_have_the_sixteen_sections_in_their_order_and_the_eight_topics() -> None:
    numbered = [block.spans[0] for block in page_blocks(CONTENTS) if block.mark not in ("", "-")]
    assert [span.text for span in numbered] == SECTIONS
    for span in numbered:
        assert page_blocks(span.to)[0].text == span.text
    assert links(CONTENTS) >= TOPICS


def test_a_page_has_a_title_and_every_link_of_it_leads_somewhere() -> None:
    leads = cache(lambda to: bool(find_part(*to.partition("#")[::2])))
    for name in list_page_names():
        blocks = page_blocks(name)
        assert [place for place, block in enumerate(blocks) if block.level == 1] == [0], name
        assert {block.level for block in blocks} <= {0, 1, 2}, name
        anchors = [part.anchor for part in page_parts(blocks)]
        assert len(anchors) == len(set(anchors)), name
        assert [to for to in links(name) if not leads(to)] == [], name
        assert max(map(text_width, plain_lines(blocks))) <= 79, name
        assert page_markdown(name).isascii(), name
        assert "](" not in "".join([block.text for block in blocks]), f"a link of {name} that is none"


def test_every_page_is_reached_from_the_contents_without_the_index() -> None:
    found: set[str] = set()
    new = {CONTENTS}
    while new:
        found |= new
        new = {to.partition("#")[0] for name in new - {INDEX} for to in links(name)} - found
    assert found == set(list_page_names())


def test_a_link_that_leads_nowhere_would_be_found() -> None:
    assert find_part("layout", "no-such-heading") is None
    assert find_part("no_such_page", "") is None
    assert page_markdown("rules/haerts") == ""


# --- what is typed ----------------------------------------------------------------------------------------------------


def command_fault(words: list[str]) -> str:
    """What is wrong with a command of the program, "" for nothing."""
    found = commands().get(words[0]) if words else None
    if found is None:
        return "" if not words else f"no command {words[0]}"
    inner = getattr(found, "commands", {}).get(words[1]) if len(words) > 1 else None
    known = {option for one in (found, inner) if one for param in one.params for option in param.opts}
    wrong = [word for word in words if word.startswith("--") and word not in known]
    alone = getattr(found, "invoke_without_command", True) and (len(words) == 1 or words[1].startswith("--"))
    if hasattr(found, "commands") and inner is None and not alone:
        wrong.append(" ".join(words[1:2]))
    if words[0] == "config" and words[1] in ("set", "clear", "get") and words[2].islower():
        find_setting(words[2])
    return ", ".join(wrong)


@cache
def option_keys() -> frozenset[str]:
    return frozenset(option.key for game in GAMES.values() for option in declared_options(game.options))


@cache
def table_verbs() -> frozenset[str]:
    return frozenset(verb for game in GAMES.values() for verb in verbs_of(game))


def typed_fault(typed: str) -> str:
    """What is wrong with what a page says to type, "" for nothing."""
    first, *rest = shlex.split(typed)
    options = option_keys()
    if first == "p2pcards":
        return command_fault(split_profile_option(rest)[1])
    if first.startswith("--"):
        return command_fault(["play", first])
    if first == "sort":
        return "" if set(rest) <= set(ORDERS) else typed
    if first == "guide" and rest:
        return "" if find_address(" ".join(rest)) else typed
    if first == "set" and rest:
        return "" if rest[0].partition("=")[0] in options else typed
    known = first.lstrip("/") in WORDS or first in table_verbs()
    settings = {one.name for one in declared_settings()}
    values = {value for choices in SETTING_CHOICES.values() for value in choices}
    if known or first in KEYS or is_card_word(first) or first in (*options, *values, *settings, *CHARACTERS):
        return ""
    try:
        return "" if find_setting(first).name == first else typed
    except SettingError:
        return typed


def test_what_a_page_says_to_type_is_there() -> None:
    for name in [name for name in list_page_names() if "/" not in name or name in written_pages()]:
        spans = [span.text for block in page_blocks(name) for span in block.spans if span.code]
        if name == "words":  # usages, with what they take
            spans = [text.split()[0] for text in spans if text[0].isalpha() and text.split()[0] != "QS"]
        if name == "settings":  # names with words in capitals, which stand for any
            spans = [text for text in spans if "p2pcards config set" in text and "--" not in text]
            spans = [text for text in spans if not re.search(r"[A-Z]{3}", text)]
        assert [fault for text in spans if (fault := typed_fault(text))] == [], name


def test_what_is_not_there_would_be_found() -> None:
    assert typed_fault("p2pcards plya") == "no command plya"
    assert typed_fault("p2pcards play --nope") == "--nope"
    assert typed_fault("p2pcards config sett x") == "sett"
    assert typed_fault("verify") == "verify"
    assert typed_fault("guide nowhere") and typed_fault("sort sideways") and typed_fault("set end_scor=1")


# --- reading it in lines ----------------------------------------------------------------------------------------------


def test_words_open_pages_headings_terms_and_games() -> None:
    for words, address in (
        ("LAYOUT", "layout"),
        ("rules hearts", "rules/hearts"),
        ("rules/hearts", "rules/hearts"),
        ("Rules gin", "rules/gin_rummy"),
        ("about 31", "about/thirty_one"),
        ("rules double-pack pinochle", "rules/double-pack pinochle"),
        ("howto speed it up", "howto#speed-it-up"),
        ("words hint", "words#hint"),
        ("settings colours.PART", "settings#colourspart"),
        ("Black Lady", "glossary#black-lady"),
        ("whist", "rules/whist"),
        ("euchre", "glossary#euchre"),
        ("autoplay", ""),
        ("rules haerts", ""),
        ("", ""),
    ):
        assert find_address(words) == address, words


def test_a_page_is_read_as_plain_lines_with_the_words_to_type_for_its_links() -> None:
    assert guide_lines("Trick") == [
        "Trick",
        "  One card from each player. The highest trump wins, or else the highest card",
        "  of the suit led.",
    ]
    contents = guide_lines("")
    assert contents[0] == "Contents" and "  3. The layout (guide layout)" in contents
    assert any("'p2pcards autoplay pinochle2 --level master'" in line for line in guide_lines("watch"))
    assert guide_lines("xyzzy") == []


def test_any_other_word_lists_the_topics_that_have_it() -> None:
    assert "I'd rather watch first: guide watch" in guide_lines("autoplay")
    assert "bell, a setting: guide settings bell" in guide_lines("ring the bell")
    found = page_markdown(f"{SEARCH}autoplay")
    assert "[I'd rather watch first](watch.md)" in found
    assert links(f"{SEARCH}autoplay") <= {topic.address for topic in all_topics()}
    assert page_markdown(f"{SEARCH}xyzzy").startswith("# Nothing found")


def test_the_rules_in_force_at_a_table_are_told_there() -> None:
    view = TableAtHand("crazy_eights", "telecards", 1).view()
    told = " ".join(guide_lines("rules crazy eights", view))
    assert "Options at this table   As in TeleCards (preset telecards):" in told
    changed = replace(view, preset="", options=(*view.options, ("winning_score", 123)))
    told = " ".join(guide_lines("rules crazy eights", changed))
    assert "As set for this table:" in told and "'winning_score' = 123" in told
    assert "As most people play it (preset usual):" in " ".join(guide_lines("rules crazy eights"))
    assert "As in TeleCards (preset telecards):" in " ".join(guide_lines("rules telecards crazy eights", changed))


def test_what_helps_at_a_table_begins_with_the_rules_in_force_and_has_every_word_that_works() -> None:
    view = TableAtHand("hearts", "", 1).view()
    blocks = page_blocks(HERE, view)
    to = [span.to for block in blocks for span in block.spans if span.to]
    assert to[0] == "rules/hearts"
    assert [address for address in to if not find_part(*address.partition("#")[::2])] == []
    working = {f"words#{name}" for name, word in WORDS.items() if word.works(view)} - {"words#pass"}
    assert working <= set(to)
    assert "pass: Passes three cards" in "".join([block.text for block in blocks])
    assert page_markdown(HERE) == ""


@pytest.mark.parametrize(
    ("line", "address"),
    [
        ("help", HERE),
        ("help hint", ""),
        ("guide", CONTENTS),
        ("guide trump", "glossary#trump"),
        ("guide xyz zy", f"{SEARCH}xyz zy"),
        ("rules", "rules/hearts"),
        ("rules gin", "rules/gin_rummy"),
        ("rules double-pack-pinochle", "rules/double-pack-pinochle"),
        ("about", "about/hearts"),
        ("options 31", "options/thirty_one"),
        ("score", ""),
    ],
)
def test_words_of_the_table_open_their_pages(line: str, address: str) -> None:
    name, *arguments = line.split()
    assert address_for_command(name, arguments, TableAtHand("hearts", "", 1).view()) == address


def test_a_word_about_no_game_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownGame, match="Did you mean 'hearts'"):
        address_for_command("rules", ["haerts"], TableAtHand("hearts", "", 1).view())


def test_pages_are_completed() -> None:
    view = TableAtHand("hearts", "", 1).view()
    assert "guide layout " in completions("guide la", view)
    assert completions("guide rules he", view) == ("guide rules hearts ",)
    assert {"strategies", "rules", "index"} <= set(next_page_words(()))


# --- topics -----------------------------------------------------------------------------------------------------------


def test_the_index_has_every_topic_once_and_each_is_found_by_its_name() -> None:
    names = [topic.name for topic in all_topics()]
    assert len(names) == len(set(names)) > 140
    entries = [span for block in page_blocks(INDEX) for span in block.spans if span.to]
    assert [span.text for span in entries] == sorted(names, key=str.lower)
    assert [span.to for span in entries] == [topic.address for topic in all_topics()]
    for topic in all_topics():
        assert any(line.startswith(topic.name[:40]) for line in read_guide_for(topic.name)), topic.name


def test_what_other_programs_call_things_stands_in_the_index() -> None:
    for name, address in ELSEWHERE.items():
        page, _, anchor = address.partition("#")
        assert find_part(page, anchor), name
        assert address in links(SEARCH + name.lower())
    assert "hand#sorting" in links(f"{SEARCH}newest off sort"), "each word somewhere will do"


@pytest.mark.parametrize("name", [name.strip() for name in OF_MEGGIESOFT.replace("\n", " ").split(";")])
def test_every_topic_of_the_help_that_was_the_model_is_found_by_its_name(name: str) -> None:
    assert guide_lines(name)
    assert find_address(name) or read_guide_for(name)


def read_guide_for(name: str) -> list[str]:
    """The findings for the name of a topic, whether it opens a page or not."""
    return [block.text for block in page_blocks(SEARCH + name) if block.mark]


def test_every_term_is_told_in_the_order_of_the_alphabet() -> None:
    told = [part.title for part in page_parts(page_blocks(GLOSSARY))][1:]
    assert told == sorted(told, key=str.lower)
    assert {term.lower() for term in " ".join(TERMS.split()).split(", ")} <= {term.lower() for term in told}
    assert guide_lines("Black Maria") == ["Black Maria", "  See black lady (guide glossary black-lady)."]


def test_made_pages_have_everything_there_is() -> None:
    for page, wanted in (
        ("words", [*WORDS]),
        ("settings", [one.name for one in declared_settings()]),
        ("characters", [one.name for one in CHARACTERS.values()]),
    ):
        assert [part.title for part in page_parts(page_blocks(page))][1:] == wanted
    for key, game in GAMES.items():
        parts = [part.title for part in page_parts(page_blocks(f"options/{key}"))]
        assert parts[1:] == [option.key for option in declared_options(game.options)]
        well = load_told(key).strategy
        titles = [part.title.lower() for part in page_parts(page_blocks(well))]
        assert not well or f"{game.name} strategy".lower() in titles or key.startswith("pinochle"), key
    assert links("games") >= {f"{kind}/{key}" for kind in ("rules", "options", "about") for key in GAMES}
