"""Independent programs that speak with modems, as Debian has them."""

from __future__ import annotations

import os
import shutil


def program(name: str) -> str:
    """Where it stands."""
    found = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    assert found, f"There is no {name} here; 'scripts/test --modem' installs what this test needs."
    return found
