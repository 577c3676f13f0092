"""What people say to each other: the code of a first meeting, and the words that two sides compare by voice."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256

from p2pcards.games.nearest import did_you_mean
from p2pcards.wire.clean import as_typed, visible
from p2pcards.wire.lookalikes import LOOKALIKES

# --- the words of codes and of comparisons ----------------------------------------------------------------------------


_FIRST = """
acorn airplane alarm almond amber anchor ankle apron arcade arctic armchair artist athlete atlas autumn avenue
badger bagpipe balcony ballad bamboo banana bandage banjo barley basket beaver bedroom bicycle birthday blizzard
blossom blueberry bonfire boulder bracelet breakfast bridge broccoli bronze brother buffalo bundle button cabbage
cactus calendar camera campfire canal captain caramel caravan cardigan carpet castle cedar ceiling cement cereal
champion chapter charcoal cheese chestnut chicken chimney chocolate cinnamon circus clarinet climate clover cobweb
coconut coffee collar compass concert corner cousin cowboy cradle crayon crimson crocodile crossword crystal
cucumber cupboard daisy dancer daughter daylight december delta dentist desert diamond dolphin donkey doorbell
drizzle drummer dungeon eagle earring eclipse elbow elephant elevator emerald engine envelope evening eyebrow fabric
factory family farmer feather february ferry festival fiddle finger fireplace flagpole flamingo flannel flute
football forest fossil fountain freckle freezer friday frog galaxy garden garlic gazelle giraffe glacier goblin
goggles gospel granite grape guitar gymnast habit haircut hamster harvest hazelnut headline hedgehog helicopter
helmet hexagon highway holiday horizon hospital hotel hurricane iceberg igloo indigo insect island ivory jaguar
jasmine jelly jewel jigsaw journal jukebox juniper kangaroo kingdom kitchen lagoon lantern laptop lavender leopard
lettuce lighthouse lilac lobster locket lollipop luggage machine magnet mailbox mammoth marble margarine marmalade
mattress meadow melon merchant mermaid midnight milkshake minute mirror monday moonlight mosaic mushroom musician
mustard napkin nectar nephew newspaper nickel november nugget nutmeg oatmeal obelisk ocean october octopus olive
opera orange orchard ostrich oxygen paintbrush pancake panther paprika parrot passport pasta pavement peacock pebble
pelican pencil pepper piano pillow pineapple pistachio quicksand
"""

_SECOND = """
afternoon alligator alphabet ambulance anaconda apricot aquarium architect asteroid astronaut avalanche avocado
bachelor ballerina barometer battery boomerang boutique bungalow butterfly cafeteria calculator candidate carnation
cathedral celery chandelier chariot chimpanzee citadel clockwork coliseum conductor confetti corridor crescendo
dandelion decimal detective diagram dictionary diploma director document eleven emperor encore enigma entrance
equator espresso fandango firefly fisherman fortune general gondola handshake harmonica helium hibiscus historian
horoscope hovercraft hydrogen iguana impala inventor jamboree javelin jubilee karate kilogram labyrinth lasagna
lemonade limousine marathon mascara matador medallion microphone microscope miracle molecule narrator nomad obstacle
operator orchestra origami paradise paragraph parakeet planet plaster playground plumber poem popcorn porridge
postcard potato powder prairie princess printer prophet pudding pumpkin pyramid python quarter quilt raccoon radish
railway rainbow raspberry ratchet recipe record reindeer rhubarb rosemary rowboat rubber saffron sandwich sapphire
saturday sausage saxophone scaffold scarecrow scholar school scissors scooter scorpion sculptor seaweed secret
seesaw september sequoia sergeant seventeen shallot shampoo shepherd sherbet shoelace sidewalk silver sketch skyline
sleigh slipper snowflake soccer sonnet spaghetti spinach sponge sprinkler squirrel stable stadium stallion starfish
steamer stocking storm strawberry submarine suitcase sunflower sunrise symphony tadpole talisman tambourine
tangerine tavern teacup teapot telescope temple tennis thermostat thimble thunder thursday toothbrush tornado
tortoise tractor trailer trapeze treasure triangle trombone tropic truffle trumpet tugboat tundra turkey turnip
turquoise turtle tweezers twilight typhoon umbrella unicorn universe upstairs vacuum vanilla vehicle veranda
vestibule viaduct videotape village vinegar violet visitor vitamin voyage vulture waffle walnut wardrobe waterfall
wednesday weekend whisker wildcat windmill window windshield wizard wolverine woodpecker workbench workshop
xylophone yacht yardstick yesterday zebra zeppelin zigzag
"""

FIRST = tuple(_FIRST.split())
SECOND = tuple(_SECOND.split())


# --- what people say to each other ------------------------------------------------------------------------------------


NUMBERS = range(1, 100)
"""Of codes that are given with an address."""
MEETING_NUMBERS = range(10_000, 100_000)
"""Of codes that lead to a meeting point by themselves; with an address they are as good."""
FOREIGN = frozenset([char for char in "".join(LOOKALIKES.values()) if not char.isascii()])
"""Look like a letter or a digit of a code, and are none."""
EXAMPLE, MEETING_EXAMPLE = "7-crossword-clockwork", "48213-crossword-clockwork"
WORDS_LABEL = b"p2pcards words 1"
COMMITMENT_LABEL = b"p2pcards words commitment 1"
NONCE = 16  # bytes


class BadCode(ValueError):
    """The text is not a code; the argument is a sentence that says what one looks like."""


@dataclass(frozen=True, slots=True)
class Code:
    """A one-time code."""

    # tells the codes of one maker apart; not secret, unlike the words. One of MEETING_NUMBERS is also a meeting place
    number: int
    first: str
    second: str

    def __str__(self) -> str:
        return f"{self.number}-{self.first}-{self.second}"


def make_code(number: int, entropy: bytes) -> Code:
    """Make a code. entropy: two random bytes, one for each word."""
    return Code(number, FIRST[entropy[0]], SECOND[entropy[1]])


def looks_like_code(text: str) -> bool:
    """True if the text was meant as a code, right or wrong."""
    return bool(re.fullmatch(r"[0-9]+-[a-z]+(-[a-z]*)?", as_typed(text).lower()))


def read_code(text: str) -> Code:
    """The code that a person typed or pasted: capitals do not matter, and blanks do for hyphens. Raises BadCode."""
    typed = as_typed(text)
    parts = re.fullmatch(r"0*([1-9][0-9]?|[1-9][0-9]{4})[\s-]+([a-z]+)[\s-]+([a-z]+)", typed.lower(), re.ASCII)
    if not parts:
        raise BadCode(
            f"'{visible(typed, also=FOREIGN)}' isn't a code. A code is a number and two words, such as {EXAMPLE} or "
            f"{MEETING_EXAMPLE}. Your friend's p2pcards shows it."
        )
    number, first, second = parts.groups()
    return Code(int(number), _check_listed(first, FIRST), _check_listed(second, SECOND))


def words_commitment(binding: bytes, nonce: bytes) -> bytes:
    """The commitment to a nonce that the side which begins to compare words sends first. binding: the handshake hash of
    the channel."""
    return sha256(COMMITMENT_LABEL + binding + nonce).digest()


def words_to_compare(binding: bytes, began: bytes, answered: bytes) -> tuple[str, str, str]:
    """The three words that both sides of a channel read to each other. binding: the handshake hash; began, answered:
    the nonces of the side that began and of the other."""
    chosen = sha256(WORDS_LABEL + binding + began + answered).digest()
    return FIRST[chosen[0]], SECOND[chosen[1]], FIRST[chosen[2]]


def _check_listed(word: str, words: tuple[str, ...]) -> str:
    """Return a word of a code if it is in the list. Raises BadCode, with the nearest word as advice."""
    if word in words:
        return word
    meant = did_you_mean(word, words, 0.7) or "Ask for it again, letter by letter."
    raise BadCode(f"A code can't have the word '{word[:30]}' there. {meant} A code looks like {EXAMPLE}.")
