"""One door, in a process that libFuzzer ends: python -m fuzzing.guided DOOR, and what libFuzzer is given."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["p2pcards"]):
    from rigs import fuzzing


def main() -> None:
    name = sys.argv[1]
    door = fuzzing.doors()[name]
    atheris.Setup([sys.argv[0], *sys.argv[2:]], lambda data: fuzzing.put_in(name, door, data))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
