"""What the seed of a demo decides: who plays, what they say, how they play, who is killed and when."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

PEOPLE = 3
# fmt: off
NAMES = (
    "Ann", "Bea", "Cleo", "Dora", "Edna", "Flo", "Gwen", "Hilda", "Ida", "Judy", "Kate", "Lena",
    "Mona", "Nora", "Olga", "Pam", "Rosa", "Sue", "Tess", "Vera", "Willa", "Zoe",
)
# fmt: on
GREETINGS = (
    "Hello! Can you both read me?",
    "Good evening, all.",
    "Here I am. The kettle is on.",
    "Hi! I have not played this in years.",
    "Nice to see you two again.",
    "Ready when you are.",
    "Hello from the attic. The line is good today.",
    "Good to be here. Who deals?",
)
WORRIES = (
    "Where did everybody go?",
    "Did the lights go out over there?",
    "That line has gone quiet.",
    "We were all here a moment ago.",
)
PATIENCE = (
    "Let us wait, it won't be long.",
    "No hurry, I'll wait with my next card.",
    "Give them a minute to come back.",
    "I am in no hurry. Let us wait.",
)
RETURNS = (
    "Here I am again. Did I miss much?",
    "Sorry, somebody pulled my plug.",
    "Back! What has been played for me?",
    "My machine fell over. Thank you for waiting.",
)
FAREWELLS = (
    "Good game!",
    "Thank you, that was fun.",
    "Same time next week?",
    "Well played, both of you.",
    "Good night, all.",
    "That last hand was a close one.",
)


@dataclass(frozen=True, slots=True)
class Plan:
    """seed: of how the people play. The coordinator is the first of the people; victim: the place among them of the
    one who is killed, None for nobody. moment: how far the hand has got then, in moves of the whole table for each card
    that a player was dealt (1 to 2)."""

    seed: int
    names: tuple[str, ...]
    characters: tuple[str, ...]
    victim: int | None
    moment: float
    greetings: tuple[str, ...]
    worry: str
    patience: str
    back: str
    farewells: tuple[str, ...]


def make_plan(seed: int, characters: list[str], kill: str) -> Plan:
    """characters: the keys to choose from; kill: "listener", "coordinator" or "none"."""
    rng = Random(seed)
    listener = rng.randrange(1, PEOPLE)
    return Plan(
        seed=seed,
        names=tuple(rng.sample(NAMES, PEOPLE)),
        characters=tuple(rng.sample(characters, PEOPLE)),
        victim={"listener": listener, "coordinator": 0}.get(kill),
        moment=rng.uniform(1.0, 2.0),
        greetings=tuple(rng.sample(GREETINGS, PEOPLE)),
        worry=rng.choice(WORRIES),
        patience=rng.choice(PATIENCE),
        back=rng.choice(RETURNS),
        farewells=tuple(rng.sample(FAREWELLS, PEOPLE)),
    )
