"""The twelve characters: who plays at a seat for a computer, or for somebody who is away, and what they say.

Names and levels are those of the card table that "The Real Deal" had.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2pcards.games.nearest import unknown_character_text


@dataclass(frozen=True, slots=True)
class Character:
    """level: at which they play where no other is asked for. The others are a line for each occasion; takes_over is
    said on sitting down for somebody who has gone, goodbye when they are back."""

    key: str
    name: str
    level: str
    greeting: str
    good_trick: str
    bad_luck: str
    win: str
    goodbye: str
    takes_over: str


class UnknownCharacter(ValueError):
    """There is no such character; the sentence offers the nearest name."""


_BEGINNER, _INTERMEDIATE, _EXPERT = "novice", "standard", "expert"

_ALL = (
    Character(
        "wayne",
        "Wacky Wayne",
        _BEGINNER,
        greeting="Hey hey! Room on this wave for one more?",
        good_trick="Caught that one just right!",
        bad_luck="Wipeout! The water's nice, though.",
        win="Rode it all the way in! Did anybody get that on video?",
        goodbye="I'm off to catch some rays. Stay loose!",
        takes_over="I've got your board till you paddle back.",
    ),
    Character(
        "betty",
        "Reddy Betty",
        _BEGINNER,
        greeting="Ready when you are. I was ready yesterday.",
        good_trick="Quick hands, quick trick!",
        bad_luck="Maybe I should've looked before I played.",
        win="Ready, set, won!",
        goodbye="Gotta run. I'm late for three things.",
        takes_over="Somebody left? I'll jump right in.",
    ),
    Character(
        "lizzy",
        "Dizzy Lizzy",
        _BEGINNER,
        greeting="Hi, everybody! Which way around are we going?",
        good_trick="Oh! Was that mine? How nice.",
        bad_luck="My head's spinning. Was it even my turn?",
        win="Wait, I won? Somebody hold the room still!",
        goodbye="The door's over there, I think. Bye!",
        takes_over="I'll hold your cards. Right side up, I hope.",
    ),
    Character(
        "chung",
        "Chung Lee",
        _BEGINNER,
        greeting="Nice to meet you. I just learned this on Tuesday.",
        good_trick="That one's going in my notebook.",
        bad_luck="So that's why nobody plays it that way.",
        win="I won? I need to write down how.",
        goodbye="Thanks for the lesson, everyone.",
        takes_over="I'll try not to mess this up for you.",
    ),
    Character(
        "sam",
        "Slick Sam",
        _INTERMEDIATE,
        greeting="Evening. Mind if I polish this table a little?",
        good_trick="Smooth, if I do say so myself.",
        bad_luck="Just a scratch. It'll buff right out.",
        win="And not a hair out of place.",
        goodbye="Don't get up. I'll see myself out.",
        takes_over="Your seat's in good hands. Very good hands.",
    ),
    Character(
        "will",
        "Wild Will",
        _INTERMEDIATE,
        greeting="Deal 'em fast! I hate standing still.",
        good_trick="Yee-haw! Look at that one run!",
        bad_luck="Got thrown again. I'll climb back on.",
        win="Ain't nobody fencing me in today!",
        goodbye="The hills are calling. So long!",
        takes_over="Hand me the reins. I'll keep her moving.",
    ),
    Character(
        "justina",
        "Justina Jones",
        _INTERMEDIATE,
        greeting="Hello. Let's keep it fair. No peeking.",
        good_trick="The evidence was on my side.",
        bad_luck="Objection! All right, overruled.",
        win="The verdict's in, and I like it.",
        goodbye="Court's adjourned. See you next time.",
        takes_over="Let the record show I'm filling in.",
    ),
    Character(
        "granny",
        "Granny Mildred",
        _INTERMEDIATE,
        greeting="Sit up straight, dears. Class is starting.",
        good_trick="I'd say that earns a gold star.",
        bad_luck="Hmm. I'd better do that one over.",
        win="And that, dears, is today's lesson.",
        goodbye="There's the bell. Do your homework!",
        takes_over="I'll watch this desk until you're back, dear.",
    ),
    Character(
        "john",
        "Papa John",
        _EXPERT,
        greeting="Pull up a chair. There's always room for one more.",
        good_trick="Slow and steady, like I always say.",
        bad_luck="Oh, well. Can't win 'em all.",
        win="Good game, everybody. You made me work for it.",
        goodbye="Watch your step going home.",
        takes_over="Leave it to Papa. I'll keep your seat warm.",
    ),
    Character(
        "luan",
        "Luan Lee",
        _EXPERT,
        greeting="Good evening. May the best plan win.",
        good_trick="I've been setting that up for a while.",
        bad_luck="Well played. I hadn't planned for that.",
        win="Right on schedule.",
        goodbye="A pleasure. Until next time.",
        takes_over="I see where this is going. I'll take it from here.",
    ),
    Character(
        "george",
        "Gorged George",
        _EXPERT,
        greeting="Do we start before or after the sandwiches?",
        good_trick="Delicious! I'll have another.",
        bad_luck="Well, that was hard to swallow.",
        win="What a feast! I couldn't take one more trick.",
        goodbye="I smell supper. Good night!",
        takes_over="An empty chair and a full plate? I'm in.",
    ),
    Character(
        "wendell",
        "Wimpy Wendell",
        _EXPERT,
        greeting="Um, hi. I brought a pencil, if anybody needs one.",
        good_trick="Sorry! The odds were in my favor.",
        bad_luck="Oh, gosh. That was a one-in-seventeen shot.",
        win="Really? I'd better check my math.",
        goodbye="I should go. I have a library book due.",
        takes_over="I'll fill in, if nobody minds too much.",
    ),
)
CHARACTERS: dict[str, Character] = {character.key: character for character in _ALL}


def find_character(word: str) -> Character:
    """The character of this key or name, whatever its case. Raises UnknownCharacter."""
    wanted = word.strip().lower()
    for character in _ALL:
        if wanted in (character.key, character.name.lower()):
            return character
    raise UnknownCharacter(unknown_character_text(word, CHARACTERS, f"The characters are {', '.join(CHARACTERS)}."))


def own_character(key: bytes, taken: Sequence[str] = ()) -> Character:
    """A default character for a player who has chosen none, by their public key. taken: keys and names, in any case, of
    characters already at the table."""
    place, others = key[0] % len(_ALL), {word.strip().lower() for word in taken}
    free = [one for one in _ALL[place:] + _ALL[:place] if others.isdisjoint((one.key, one.name.lower()))]
    return free[0] if free else _ALL[place]


def character_rows() -> list[tuple[str, str, str]]:
    """For each character its key, its name and its level in words."""
    return [(character.key, character.name, character.level) for character in _ALL]
