"""The tables of a game's page in protocol/games/, held against the game."""

from __future__ import annotations

import re
from dataclasses import fields

from p2pcards.games.game import AnyGame


def page_faults(game: AnyGame, page: str) -> list[str]:
    """What the page does not say of the game's actions and events, as sentences."""
    sections = {part.partition("\n")[0]: part for part in page.split("\n## ")[1:]}
    actions, events = sections.get("Actions", ""), sections.get("Events", "")
    faults = [] if page.startswith(f"# {game.name} (`{game.key}`)\n") else ["its title is not the game's name and key"]
    listed = [(int(number), name, private == "yes") for number, name, private in ACTION.findall(actions)]
    if listed != (there := [(i, kind.__name__, kind in game.private) for i, kind in enumerate(game.actions)]):
        faults.append(f"its actions (number, name, whether private) are {listed}, those of the game {there}")
    if (named := EVENT.findall(events)) != (wanted := [kind.__name__ for kind in game.events]):
        faults.append(f"its events are {named}, those of the game {wanted}")
    for kinds, text in ((game.actions, actions), (game.events, events)):
        missing = {
            f"{kind.__name__}.{field.name}" for kind in kinds for field in fields(kind) if f"`{field.name}`" not in text
        }
        faults += [f"it says nothing of {field}" for field in sorted(missing)]
    return faults


ACTION = re.compile(r"^\| (\d+) \| (\w+) \| .* \| (yes|no)\b[^|]*\|$", re.MULTILINE)
EVENT = re.compile(r"^\| (?!event )(\w+) \|", re.MULTILINE)
