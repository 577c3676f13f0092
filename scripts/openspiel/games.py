"""The games in which the two programs meet."""

from __future__ import annotations

from collections.abc import Mapping

from openspiel import euchre, gin_rummy, hearts, oh_hell
from openspiel.bridge import Bridge

BRIDGES: Mapping[str, Bridge] = {
    one.key: one for one in (gin_rummy.BRIDGE, hearts.BRIDGE, euchre.BRIDGE, oh_hell.BRIDGE)
}
