"""What an idle daemon holds in memory, beside the libraries that it runs on."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.figures import NotMeasured, figure
from benchmarks.homes import Daemons

LIBRARIES = """
import trio, msgpack
import cryptography.hazmat.primitives.asymmetric.ed25519
import cryptography.hazmat.primitives.asymmetric.x25519
import cryptography.hazmat.primitives.ciphers.aead
import cryptography.hazmat.primitives.serialization
print("ready", flush=True)
trio.run(trio.sleep_forever)
"""


def measure() -> dict[str, Any]:
    """The daemon has started and holds no table. PSS counts pages shared with other processes in parts."""
    with Daemons() as daemons:
        daemon = held(daemons.start("ann").pid)
    with subprocess.Popen([sys.executable, "-c", LIBRARIES], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            bare = held(process.pid)
        finally:
            process.kill()
    return {
        kind: figure(daemon[kind], "MiB", libraries=bare[kind], ratio=round(daemon[kind] / bare[kind], 2))
        for kind in ("rss", "pss")
    }


def held(pid: int) -> dict[str, float]:
    """MiB of a process, by kind. Raises NotMeasured."""
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError as error:
        raise NotMeasured(f"This system does not tell what a process holds in memory ({error.strerror}).") from None
    found = re.findall(r"^(Rss|Pss): +(\d+) kB", rollup, re.MULTILINE)
    return {kind.lower(): round(int(size) / 1024, 1) for kind, size in found}
