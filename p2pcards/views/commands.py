"""What a person says to their table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """name and arguments are those of `COMMANDS`."""

    name: str
    arguments: tuple[str, ...] = ()


COMMANDS = {
    "act": "WORDS...: an action as it is spelled (QS, pass QS KS AS, draw, 8D h)",
    "say": "TEXT: chat",
    "quick": "WORD: a phrase or a gesture, one byte on a slow line",
    "hint": "[do]: asks what an expert would do; 'do' does it as well",
    "explain": "what could be done now, with what an expert expects of each",
    "analyze": "what is in my hand: what can be melded, what is sure, what can be let go",
    "do": "does what the last hint said",
    "review": "the tricks of this hand",
    "recall": "[seen|unseen|both]: which cards of the pack I have seen and which not",
    "melds": "what each player has melded in this hand",
    "distribution": "where each card of the pack is, as far as I know",
    "auto": "[LEVEL|off]: the computer plays my seat from now on, at the level of a novice where none is named",
    "claim": "the rest of the hand, where all tricks are certainly mine, is played by itself",
    "concede": "the rest of the hand, where none is mine any more, is played by itself",
    "away": "my character plays for me until 'back'",
    "back": "I play again myself",
    "accept": "I play on with a coordinator who left out my part of a shuffle, or broke a game off",
    "undo": "takes back what I did last, if everybody agrees",
    "redeal": "gives the hand up and has it dealt again, if everybody agrees",
    "yes": "I agree to what somebody asks for",
    "no": "I do not agree",
    "restart": "the same cards again, where I play alone",
    "swap": "[SEAT]: exchanges my hand for that of another seat, where I play alone",
    "open": "[on|off]: shows me everybody's cards, where I play alone",
    "leave": "leaves the table for good; the coordinator's game ends for everybody",
    "end": "ends the game that is on, and keeps the table (coordinator)",
    "invite": "HOST [partner] [CODE]: connects to a listener (coordinator)",
    "game": "NAME [PRESET]: chooses a game (coordinator)",
    "set": "KEY VALUE: a rule option, between games (coordinator)",
    "sit": "NAME...: who sits, from the first seat; the others watch; 'all' undoes it (coordinator)",
    "partner": "NAME: who sits opposite the coordinator; 'none' undoes it (coordinator)",
    "computer": "SEAT CHARACTER[:LEVEL]: who plays in a seat where no person sits; 'any' undoes it (coordinator)",
    "allow": "[ASSISTANT...]: what may help people in the games to come; 'all', 'none' (coordinator)",
    "start": "starts the chosen game (coordinator)",
    "again": "[yes|no]: play again; the coordinator asks, everybody answers",
    "reseat": "SEAT HOST: calls an absent player at a new address (coordinator)",
    "redial": "[NAME]: calls somebody whose line was lost, in this game also by itself (coordinator)",
    "kick": "SEAT: their character takes the seat for good; before a game they have to go (coordinator)",
    "code": "the code for a first meeting, a new one if there is none (where the table waits)",
    "words": "[NAME]: three words to compare by voice, with one or with everybody who has a line to this end",
}
