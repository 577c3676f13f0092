"""The home of whoever runs the command."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from p2pcards.store.home import Home


def our_home() -> Home:
    """The one that the environment names. Raises StoreError."""
    from p2pcards.store.home import find_home

    return find_home(os.environ)
