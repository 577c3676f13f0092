"""The guide: what is worth reading beside the rules of a game and the list of commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from p2pcards.present.glossary import TERMS
from p2pcards.present.story import sentence
from p2pcards.present.width import wrap


@dataclass(frozen=True, slots=True)
class GuidePage:
    """text: paragraphs with an empty line between them; of a list each line begins with "- "."""

    title: str
    text: str


PAGES: Mapping[str, GuidePage] = {
    "start": GuidePage(
        "Getting started",
        """
Say 'p2pcards play pinochle2', or any other game that 'p2pcards games' lists, and a table opens against the
computer. The prompt says whose turn it is and what can be said; what does not go is answered by a sentence that
says why.

If you would rather watch first: 'p2pcards autoplay pinochle2 --level master' plays both hands, at the pace that you
set with 'p2pcards config set speed slow'. Nothing of it is kept, and q stops it. At your own table 'auto' hands
your seat to the computer, and 'auto off' takes it back.

To try a game undisturbed, play against somebody who hardly thinks: 'p2pcards play pinochle2 --with wayne:carefree'.
'open on' shows you the other hand while you learn; the computer still sees nothing of yours. 'hint' suggests a
play, 'hint do' does it, 'explain' lists what else you can do and what comes of it, and 'analyze' tells what is in
your hand. 'undo' takes a meld back, and 'restart' deals the same cards once more.

'rules' tells how the game is played, 'options' what can be played otherwise, 'table' everything that lies there,
'help' every word, and 'help WORD' one of them.
""",
    ),
    "table": GuidePage(
        "What the table tells",
        """
The first line of 'table' has the game and its rules, the hand and the game, the trick that is on, the goal, and
what is trump. Rules that you have changed follow.

Then there is a line for each seat: the name, the cards held, the score, what was bid or melded in this hand, the
level of a computer player, games won at this table, who deals and whose turn it is.

Then what lies there: the trick, the turn-up and the stock, cards taken, melds, and your hand.

'score' is the score sheet: how the last hand was scored, a line for each hand before it, and what has been made in
the hand that is on. 'score all' lists every hand. 'last' shows the last trick, 'melds' all melds by their names.
""",
    ),
    "hand": GuidePage(
        "Arranging your cards",
        """
Your hand is sorted whenever a card comes: in two-handed pinochle by rank, in all other games by suit. 'sort suit',
'sort rank' and 'sort trump' choose; 'sort off' leaves the cards as they came, the newest at the right. 'move QS KS'
puts the queen to the left of the king, 'move QS' at the right end; there they stay until the next card is sorted
in.

'p2pcards config set sort off' holds for every game that you play.
""",
    ),
    "opponents": GuidePage(
        "About the opponents",
        """
Twelve characters play in empty seats, each at a level of their own; 'p2pcards characters' lists them. 'p2pcards
play GAME --with betty,wayne:carefree' chooses who sits there, and 'computer SEAT CHARACTER:LEVEL' does so between
games.

There are six levels: carefree, novice, standard, expert, champion and master. A carefree player plays any card that
it may, by lot; a novice plays by rules of thumb. From standard on they try out what would become of each play, in hands
as they could lie: the higher the level, the more of them, and the longer it thinks. No computer player sees more than
its own hand and the table, whatever you look at.
""",
    ),
    "friends": GuidePage(
        "Playing with friends",
        """
Two to four people sit down at one table. One of them, the coordinator, connects; the others listen. No server and no
account is needed.

Each listener says 'p2pcards listen', the coordinator 'p2pcards connect' with the host that the listener names, or with
several hosts for two or three friends. Over a telephone line it is 'p2pcards dial 555-1234'. The other way round, the
coordinator says 'p2pcards host' and waits, and the friends say 'p2pcards join' with the name of that host.

Whoever waits is shown a code for the first time, and tells it to whoever calls, by voice if that can be: 'p2pcards
connect HOST --code CODE'. A code is good for one friend: every listener has one of their own, and a coordinator who
waits tells each friend another. From then on both know each other by name.

At the table the coordinator says 'game whist', 'set' for its rules and 'start'; everybody can talk with 'say', or a
line that begins with an apostrophe. Computer characters take the empty seats, and play for whoever is cut off until
they are back. 'invite' and 'kick' change who is there.

Nobody can choose the cards, as the programs of all who are there shuffle together: 'p2pcards verify' proves it
afterwards. The coordinator's program deals them and so knows them all while a hand is played. It shows the coordinator
no more than anybody else sees in their place, but somebody who changes their program could look. So let somebody
coordinate whom you trust.
""",
    ),
    "keeping": GuidePage(
        "Games that are kept",
        """
Every game is kept as it is played; nothing has to be saved. 'detach' goes back to the shell and keeps your seat,
'p2pcards attach' brings the table back. After 'p2pcards stop', or when the machine was switched off, 'p2pcards resume'
goes on at the very card.

'p2pcards logs' lists all games, 'p2pcards logs --game whist' those of one, and 'p2pcards resume NAME' goes on with one
of them. 'leave' gives a game up for good.

A game that is over can be looked at again: 'p2pcards replay NAME' shows it card by card, and 'p2pcards export NAME'
writes it down.
""",
    ),
    "strategy": GuidePage(
        "Two-handed pinochle played well",
        """
The first part, with a stock. Tricks score nothing here, so win one only to meld, to lead, or to keep the other from
melding: a player who takes no trick lays nothing down. Throw what is in no meld that you can still make ('analyze'
lists it), nines and lone jacks first; keep aces and tens for the second part, and trumps above all. When you see what
the other needs, hold the card they wait for.

Melding. Lay the meld first that counts most, as the stock may be gone before the next. Meld in an order that uses
cards again: the royal marriage first and then the flush with the same king and queen scores both, the flush first
only once. The jack of diamonds of forty jacks and a new queen of spades are a pinochle, the kings of marriages with
one new king eighty kings. A dix goes along with any meld, and the first one brings you the turn-up.

The second part. Aces and tens count most now, in your tricks and in theirs: lead an ace while the other can still
follow, and your tens behind it. Draw trumps when you hold more of them, so that your high cards stand; hold them
back when you hold fewer. A player who has counted what is gone ('recall unseen') knows the other hand now.
""",
    ),
    "howto": GuidePage(
        "How to",
        """
- Change what you start with: 'p2pcards config set options.pinochle2.roundhouse true', or 'set roundhouse true' at a
table before a game and then 'save'. 'p2pcards config set save_options true' saves whatever you set at a table.
- See the rules before the cards are dealt: 'p2pcards config set auto_start false'.
- Keep your own choices: everything that 'p2pcards config list' shows is yours, in the file that 'p2pcards config
path' names. 'p2pcards config clear KEY' takes one back.
- Have another player on the same machine: P2PCARDS_HOME names another folder, and two homes are two players.
- Speed it up: 'p2pcards config set speed off' has computer players act at once, and 'forced true' plays what is the
only thing that can be played.
- Make it quiet, or speak: 'bell false', 'phrases false' and 'start_reminders false'; 'speech espeak' reads all of
it aloud.
- Play the same cards again: 'restart' at the table, or 'p2pcards play GAME --deal NUMBER' with the number that was
told.
""",
    ),
    "trouble": GuidePage(
        "When something is wrong",
        """
- A game stopped in the middle, or the machine did: 'p2pcards resume' goes on at the very card.
- A table is open but not in sight: 'p2pcards attach' brings it back. One that hangs is let go with 'p2pcards
detach'.
- A log is damaged: 'p2pcards logs' says so, and 'p2pcards verify LOG' names the place. Hands before it can still be
read.
- The settings cannot be read: a sentence says where. Mend it with 'p2pcards config edit', which checks it.
- The directory of telephone numbers or the list of peers cannot be read: it is left as it is, and named.
- Suits look wrong: '--ascii' writes them as letters. Colours or painting do: '--plain' leaves them out.
- Nothing answers: 'p2pcards status' tells which tables are open, 'p2pcards stop' ends the background program. Your
games are kept.
""",
    ),
    "glossary": GuidePage("Glossary", ""),
}
"""By the word that opens them."""

INDEX = "index"
"""The word for all topics."""

ELSEWHERE = {
    "rules GAME": "how a game is played, and how it is scored",
    "options GAME": "what can be played otherwise",
    "about GAME": "where it comes from",
    "characters": "the opponents",
    "config list": "all settings",
    "credits": "whose work this is",
}
"""Commands that tell what no page does."""


def contents_lines() -> list[str]:
    """What there is to read."""
    lines = ["After 'guide' a page or a term opens it, and any other word is looked for. The pages:"]
    lines += [f"  {key:<12} {page.title}" for key, page in PAGES.items()]
    lines.append(f"  {INDEX:<12} Every topic, and what is typed to read of it")
    lines += ["Elsewhere:"]
    return lines + [f"  {f'p2pcards {words}':<22} {what}" for words, what in ELSEWHERE.items()]


def page_lines(key: str) -> list[str]:
    """A page in paragraphs."""
    page = PAGES[key]
    if key == "glossary":
        return [page.title, "", *[line for term in TERMS for line in term_lines(term)]]
    lines = [page.title]
    for paragraph in page.text.strip().split("\n\n"):
        parts = paragraph.removeprefix("- ").split("\n- ")
        listed = paragraph.startswith("- ")
        lines += ["", *[line for part in parts for line in wrap("- " * listed + part, indent="  " * listed)]]
    return lines


def term_lines(term: str) -> list[str]:
    return wrap(sentence(f"{term}: {TERMS[term]}"), indent="  ")
