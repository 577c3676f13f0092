"""All doors, one after the other; `scripts/fuzz` says how it is used."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from rigs import fuzzing

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "tests" / "fuzz"
INPUTS = 10_000_000
MOST_KEPT = 12_000
"""Characters of the inputs of one door that are kept with the tests, the shortest first."""

EXECUTED = re.compile(r"^stat::number_of_executed_units: (\d+)$", re.MULTILINE)


def main() -> int:
    asked = _read(sys.argv[1:])
    names = asked.doors or list(fuzzing.doors())
    faults = 0
    for name, inputs in fuzzing.shared(asked.inputs, names).items():
        if asked.keep:
            print(f"{name}: {_keep(asked.work / name, name)} inputs kept in {KEPT.relative_to(ROOT)}")
            continue
        executed, fault = _run(asked.work, name, inputs)
        found = len(list((asked.work / name).iterdir()))
        what = f"a fault, in {asked.work / name}.log" if fault else "no fault"
        print(f"{name}: {executed} inputs, {found} that reach something of their own, {what}", flush=True)
        faults += fault
    return 1 if faults else 0


def _read(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "scripts/fuzz", description="Puts inputs into every place that reads bytes of others."
    )
    parser.add_argument("doors", nargs="*", metavar="DOOR", help=f"of {', '.join(fuzzing.doors())}; all if left out")
    parser.add_argument("--inputs", type=int, default=INPUTS, help=f"in all doors together, {INPUTS:,} if left out")
    parser.add_argument(
        "--keep", action="store_true", help="keep what earlier runs have found with the tests, run nothing"
    )
    parser.add_argument(
        "--work", type=Path, default=ROOT / ".fuzz", help="where inputs, logs and faults go, .fuzz if left out"
    )
    return parser.parse_args(arguments)


def _run(work: Path, name: str, inputs: int) -> tuple[int, bool]:
    """How many inputs were put in, and whether there was a fault."""
    folder = work / name
    folder.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(fuzzing.read_corpus(KEPT).get(name, ())):
        (folder / f"kept-{number}").write_bytes(data)
    options = [f"-runs={inputs}", f"-max_len={fuzzing.LONGEST}", "-print_final_stats=1", "-rss_limit_mb=4096"]
    command = [
        sys.executable,
        "-P",
        "-m",
        "fuzzing.guided",
        name,
        *options,
        f"-artifact_prefix={folder}.fault-",
        str(folder),
    ]
    with (work / f"{name}.log").open("w") as log:
        code = subprocess.run(command, stdout=log, stderr=log, check=False).returncode
    executed = EXECUTED.search((work / f"{name}.log").read_text(errors="replace"))
    return int(executed[1]) if executed else 0, code != 0


def _keep(folder: Path, name: str) -> int:
    """The shortest of what was kept and found, as far as there is room."""
    found = {data for file in folder.glob("*") if (data := file.read_bytes())}
    kept, size = list[bytes](), 0
    for data in sorted({*found, *fuzzing.read_corpus(KEPT).get(name, ())}, key=lambda data: (len(data), data)):
        size += 2 * len(data) + 1
        if size > MOST_KEPT:
            break
        kept.append(data)
    fuzzing.write_corpus(KEPT, name, kept)
    return len(kept)


if __name__ == "__main__":
    sys.exit(main())
