"""Puts the compiled kernels into a wheel beside their sources: the build hook that pyproject.toml names to hatchling.

Where they cannot be compiled, or P2PCARDS_COMPILE is never, the wheel has the sources alone, and suits every platform.
Where it is always, there is no wheel without them.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SCRIPTS = Path(__file__).resolve().parent


class KernelsHook(BuildHookInterface[BuilderConfig]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """version: "standard" for a wheel, "editable" for a place that is run from where it lies."""
        if version != "standard" or os.environ.get("P2PCARDS_COMPILE") == "never":
            return
        folder = tempfile.mkdtemp()
        atexit.register(shutil.rmtree, folder)  # the wheel is written after this
        built = subprocess.run(
            [sys.executable, SCRIPTS / "build_kernels", folder], capture_output=True, text=True, check=False
        )
        if built.returncode:
            said = built.stderr.strip().splitlines() or [f"exit {built.returncode}"]
            if os.environ.get("P2PCARDS_COMPILE") == "always":
                raise RuntimeError("\n".join(["The kernels cannot be compiled:", *said]))
            self.app.display_warning(f"The kernels are left uncompiled, so upper levels play weaker: {said[-1]}")
            return
        for module in [file for file in Path(folder).rglob("*") if file.is_file()]:
            build_data["force_include"][str(module)] = str(module.relative_to(folder))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
