"""Every file that is made from the program, in parts: what makes it, where it stands, and whether it still holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from making import (
    book,
    commands,
    dialogues,
    frozen,
    guide,
    lookalikes,
    modem_vectors,
    option_vectors,
    pictures,
    playthroughs,
    readme,
    registry,
    transcripts,
    vectors,
)
from p2pcards.games.names import GAME_NAMES
from rigs import editions

ROOT = Path(__file__).resolve().parents[2]
Maker = Callable[[], str]


@dataclass(frozen=True)
class Part:
    """name: for progress; folder: where its files stand; files() -> what makes each, by its name. of_games: a file that
    begins with the key of a game is that game's, all others name every game. owned: patterns of files that nothing else
    makes or writes. fault(name, text) -> what is wrong with a file as it stands, "" for nothing; None where it must be
    what is made today."""

    name: str
    folder: str
    files: Callable[[], Mapping[str, Maker]]
    of_games: bool = True
    owned: tuple[str, ...] = ()
    fault: Callable[[str, str], str] | None = None

    def chosen(self, keys: Sequence[str]) -> dict[str, Maker]:
        """The files to be made, all without keys."""
        if keys and not self.of_games:
            return {}
        return {name: make for name, make in self.files().items() if not keys or owner(name) in ("", *keys)}

    def left_over(self) -> list[str]:
        """Files in its folder that nothing makes any more."""
        folder = ROOT / self.folder
        files = (path for pattern in self.owned for path in folder.glob(pattern) if path.is_file())
        there = {path.relative_to(folder).as_posix() for path in files}
        return sorted(there - self.files().keys())


PARTS: tuple[Part, ...] = (
    Part("readme", ".", readme.files),
    Part("book", "protocol", book.files, owned=("rules/*",)),
    Part("registry", "protocol", registry.files, of_games=False),
    Part("commands", "docs", commands.files, of_games=False),
    Part("guide", "docs/guide", guide.files, owned=("**/*.md",)),
    Part("transcripts", "docs/transcripts", transcripts.files, owned=("*",)),
    Part("pictures", "docs/pictures", pictures.files, owned=("*",)),
    Part("playthroughs", "protocol/vectors/playthroughs", playthroughs.files, owned=("*",)),
    Part("options", "protocol/vectors/options", option_vectors.files, owned=("*",), fault=option_vectors.fault_of),
    Part("editions", "tests/players", lambda: {"editions.json": editions.page}),
    Part(
        "vectors",
        "protocol/vectors",
        vectors.files,
        of_games=False,
        owned=("*.txt", *[f"{folder}/*.txt" for folder in vectors.FOLDERS]),
    ),
    Part("frozen", "protocol/vectors", frozen.files, of_games=False, fault=frozen.fault_of),
    Part("dialogues", "protocol/vectors/dialogues", dialogues.files, of_games=False, owned=("*",)),
    Part("modem", "protocol/vectors/modem", modem_vectors.files, of_games=False, owned=("*",)),
    Part("lookalikes", "p2pcards/wire", lookalikes.files, of_games=False),
)


def owner(name: str) -> str:
    """The key of the game whose file this is, "" for none."""
    stem = name.rpartition("/")[2].partition(".")[0]
    return next((key for key in GAME_NAMES if stem == key or stem.startswith(f"{key}-")), "")


def wrong(part: Part, keys: Sequence[str]) -> Iterator[str]:
    """A sentence for each file of a part that is not what it should be."""
    for name, make in part.chosen(keys).items():
        path = ROOT / part.folder / name
        shown = path.relative_to(ROOT).as_posix()
        if not path.exists():
            yield f"{shown} is missing."
        elif part.fault is not None:
            if fault := part.fault(name, path.read_text()):
                yield f"{shown}: {fault}"
        elif path.read_text() != make():
            yield f"{shown} is not what the program gives now."
    yield from [f"{part.folder}/{name} is made by nothing." for name in left_over(part, keys)]


def write(part: Part, keys: Sequence[str]) -> Iterator[str]:
    """Makes the files of a part anew. The name of each that is written otherwise than it was."""
    for name, make in part.chosen(keys).items():
        path, text = ROOT / part.folder / name, make()
        if not path.exists() or path.read_text() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            yield path.relative_to(ROOT).as_posix()
    for name in left_over(part, keys):
        (ROOT / part.folder / name).unlink()
        yield f"{part.folder}/{name} (removed)"


def left_over(part: Part, keys: Iterable[str]) -> list[str]:
    return [] if keys else part.left_over()
