"""The words of codes and of comparisons: two lists of 256, in the order that a byte counts them.

Each word has 4 to 10 letters. Within both lists together any two differ by three letters, and by two sounds when vowels
count as one, so that they are told apart by voice. The order is part of the protocol: protocol/vectors/words.txt.
"""

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
