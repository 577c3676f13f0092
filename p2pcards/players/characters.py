"""The twelve characters: who plays at a seat for a computer, or for somebody who is away, and what they say.

Names and levels are those of the card table that "The Real Deal" had.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2pcards.games.nearest import no_character


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
        good_trick="Caught that one right on the crest!",
        bad_luck="Wipeout. The water was warm, though.",
        win="I rode it all the way in! Did anybody film that?",
        goodbye="Off to find some sun. Keep it wobbly!",
        takes_over="I'll stand on this board till you paddle back.",
    ),
    Character(
        "betty",
        "Reddy Betty",
        _BEGINNER,
        greeting="Ready when you are. I was ready yesterday.",
        good_trick="Quick hands, quick trick!",
        bad_luck="Perhaps I should have looked before I played.",
        win="Ready, steady, won!",
        goodbye="I'm off already. You'll hardly see me go.",
        takes_over="Somebody left? I'm in the chair before it is cold.",
    ),
    Character(
        "lizzy",
        "Dizzy Lizzy",
        _BEGINNER,
        greeting="Hello all! Which way round are we going?",
        good_trick="Oh! Was that mine? How lovely.",
        bad_luck="My head spins. Was it my turn at all?",
        win="Wait, I won? Somebody hold the room still!",
        goodbye="The door is over there, I think. Bye!",
        takes_over="I'll hold these cards. The right way up, I hope.",
    ),
    Character(
        "chung",
        "Chung Lee",
        _BEGINNER,
        greeting="Good to meet you. I learned this game on Tuesday.",
        good_trick="That is going into my notebook.",
        bad_luck="So that is why people don't play it like that.",
        win="My first trophy! May I sit down again?",
        goodbye="Thank you for the lesson, everyone.",
        takes_over="I shall try not to spoil this hand for you.",
    ),
    Character(
        "sam",
        "Slick Sam",
        _INTERMEDIATE,
        greeting="Evening. Mind if I polish this table a little?",
        good_trick="Smooth, if I may say so.",
        bad_luck="A scratch. It will buff out.",
        win="And not a hair out of place.",
        goodbye="I'll slide out quietly.",
        takes_over="Your seat is in good hands. Very good hands.",
    ),
    Character(
        "will",
        "Wild Will",
        _INTERMEDIATE,
        greeting="Deal them fast! I hate standing still.",
        good_trick="Yee-haw! Did you see that one bolt?",
        bad_luck="Thrown off again. I'll climb back on.",
        win="Nobody fences me in today!",
        goodbye="I hear the hills calling. So long!",
        takes_over="Hand me the reins, I'll keep her moving.",
    ),
    Character(
        "justina",
        "Justina Jones",
        _INTERMEDIATE,
        greeting="Hello. Fair play and no peeking, agreed?",
        good_trick="The evidence was on my side.",
        bad_luck="I object! Well, overruled.",
        win="The verdict is in, and I like it.",
        goodbye="The court rises. See you next session.",
        takes_over="I'll represent the absent player.",
    ),
    Character(
        "granny",
        "Granny Mildred",
        _INTERMEDIATE,
        greeting="Sit up straight, dears, class is about to begin.",
        good_trick="Full marks for me, I should say.",
        bad_luck="Hm. I shall have to do that one again.",
        win="And that, dears, was today's lesson.",
        goodbye="There's the bell. Do your homework!",
        takes_over="I'll mind this desk until its owner is back.",
    ),
    Character(
        "john",
        "Papa John",
        _EXPERT,
        greeting="Pull up a chair. There is always one more place.",
        good_trick="Slow and steady, as I always say.",
        bad_luck="Ah well. It will taste better next time.",
        win="A good evening's work. Well fought, all of you.",
        goodbye="Mind the step on your way home.",
        takes_over="Leave it to Papa. I'll keep your place warm.",
    ),
    Character(
        "luan",
        "Luan Lee",
        _EXPERT,
        greeting="Good evening. May the best plan win.",
        good_trick="That was four tricks in the making.",
        bad_luck="Well played. I had not counted on that.",
        win="It came out as I had counted it.",
        goodbye="Until the next deal. It was a pleasure.",
        takes_over="I have read the table. I'll play on from here.",
    ),
    Character(
        "george",
        "Gorged George",
        _EXPERT,
        greeting="Do we start before or after the sandwiches?",
        good_trick="Delicious! I'll have another.",
        bad_luck="That one was hard to swallow.",
        win="What a feast! I couldn't take one more trick.",
        goodbye="I smell supper. Good night!",
        takes_over="A free chair and a full plate? I'm staying.",
    ),
    Character(
        "wendell",
        "Wimpy Wendell",
        _EXPERT,
        greeting="Um, hello. I brought a pencil, if anyone needs one.",
        good_trick="Sorry! It was the likeliest card, you see.",
        bad_luck="I made it one chance in seventeen. Oh dear.",
        win="Really? I'd better check the sums again.",
        goodbye="I have to go, there is a book waiting.",
        takes_over="I'll play for you, if nobody minds too much.",
    ),
)
CHARACTERS: dict[str, Character] = {character.key: character for character in _ALL}


def find_character(word: str) -> Character:
    """The character of this key or name, whatever its case. Raises UnknownCharacter."""
    wanted = word.strip().lower()
    for character in _ALL:
        if wanted in (character.key, character.name.lower()):
            return character
    raise UnknownCharacter(no_character(word, CHARACTERS, f"There are {', '.join(CHARACTERS)}."))


def own_character(key: bytes, taken: Sequence[str] = ()) -> Character:
    """The character of a player who has chosen none, by their public key: players seldom have the same. taken: keys and
    names of characters, in any case, who are at the table already."""
    place, others = key[0] % len(_ALL), {word.strip().lower() for word in taken}
    free = [one for one in _ALL[place:] + _ALL[:place] if others.isdisjoint((one.key, one.name.lower()))]
    return free[0] if free else _ALL[place]


def character_rows() -> list[tuple[str, str, str]]:
    """For each character its key, its name and its level as a player is told it."""
    return [(character.key, character.name, character.level) for character in _ALL]
