"""The transcripts of docs: they are what the program says today, and a reader of one knows what a player at that
table knows."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from making.transcripts import files
from p2pcards.games.registry import GAMES
from p2pcards.present.cards import SIGNS

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs/transcripts"
NAMES = sorted(path.name for path in FOLDER.glob("*.txt"))
WITH_TRUMP = ("auction_pitch", "euchre", "oh_hell", "pinochle", "spades", "whist")
WITH_TRICKS = (*WITH_TRUMP, "hearts")
CARD = rf"(?:10|[2-9JQKA])[{''.join(SIGNS.values())}CDHS]'*"
TOLD = {
    "cribbage": (
        r"^The starter is ",
        r" pegs? \d+ for ",
        r" counts? \d+ in hand: ",
        r" counts? .* in the crib",
        r"says? go\b",
    ),
    "whist": (r" turns? up .*: \w+ are trump\.$",),
}
"""What is told in a hand of a game, besides what is told in all."""


@cache
def made() -> dict[str, str]:
    return {name: make() for name, make in files().items()}


@cache
def partners() -> tuple[str, ...]:
    """What the names of transcripts begin with whose games have sides."""
    return tuple([f"{key}-" for key, game in GAMES.items() if game.sides(game.options())])


def text_of(name: str) -> str:
    return (FOLDER / name).read_text()


def turns(name: str) -> list[tuple[list[str], str]]:
    """Each of my turns: what was said since the last one, and the prompt."""
    found, said = [], []
    for line in text_of(name).splitlines():
        said.append(line)
        if line.startswith("your turn"):
            found.append((said, line))
            said = []
    return found


def plays_a_card(prompt: str) -> bool:
    return re.search(rf"> {CARD}( \w)?$", prompt) is not None


def test_there_is_a_transcript_of_every_game() -> None:
    assert sorted(made()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_transcript_is_what_the_program_says(name: str) -> None:
    assert text_of(name) == made()[name], "read what changed, then run scripts/made --part transcripts"


@pytest.mark.parametrize("name", NAMES)
def test_every_prompt_says_what_may_be_done_and_takes_it(name: str) -> None:
    prompts = [prompt for _, prompt in turns(name)]
    assert len(prompts) > 1
    for prompt in prompts:
        assert re.fullmatch(r"your turn(, (no trump|trump \w+))?: .+ > .+", prompt)
        assert "..." not in prompt, "every kind of action is named"
    assert "cannot do that" not in text_of(name) and "not understood" not in text_of(name)


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith(WITH_TRUMP)])
def test_trump_is_said_whenever_a_card_is_to_be_played(name: str) -> None:
    prompts = [prompt for _, prompt in turns(name)]
    if name.startswith("auction_pitch"):  # the first card that is led makes trump
        prompts = prompts[next(i for i, prompt in enumerate(prompts) if plays_a_card(prompt)) + 1 :]
    played = [prompt for prompt in prompts if plays_a_card(prompt)]
    assert played and all(prompt.startswith(("your turn, trump ", "your turn, no trump")) for prompt in played)


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith(WITH_TRICKS)])
def test_the_player_to_play_knows_who_led(name: str) -> None:
    for said, prompt in turns(name):
        if plays_a_card(prompt):
            before, _, since = "\n".join(said).replace("\n  ", " ").rpartition(" the trick.")
            leads = "you lead" in since.lower() or before.endswith("take")
            assert leads != (re.search(rf" plays {CARD}", since) is not None or "Trick: " in since)


@pytest.mark.parametrize("name", NAMES)
def test_the_score_is_told_by_side(name: str) -> None:
    text = text_of(name)
    sheet = re.search(
        r"^Hand 1 is over: .+\n(?:.+\n)*?(Hand 1 .+)\n(?:.+\n)*?(this hand .+)\n(total .+)$", text, re.MULTILINE
    )
    assert sheet, "no sheet of the hand"
    assert ("(you), " in sheet[1]) == name.startswith(partners())
    begins = text.splitlines()[0]
    assert (" against " in begins) == name.startswith(partners())


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_said_twice(name: str) -> None:
    lines = text_of(name).splitlines()
    assert not [line for line, after in pairwise(lines) if line == after and "draws" not in line]
    for said, _ in turns(name)[1:]:
        trick = [line for line in said if line.startswith("Trick: ")]
        assert not trick, f"the cards of {trick} were told as they were played"


@pytest.mark.parametrize(
    "name", [name for name in NAMES if name.rpartition("-")[0] in TOLD or name.split("-")[0] in TOLD]
)
def test_what_a_game_tells(name: str) -> None:
    for pattern in TOLD[name.split("-", maxsplit=1)[0]]:
        assert re.search(pattern, text_of(name), re.MULTILINE), f"nothing like {pattern}"
