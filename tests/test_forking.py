"""What tests/rigs/forking.py forks ends with the tests, however they end."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import tempfile

import pytest

from p2pcards.store.files import find_home
from rigs.giving_up import longest_wait
from rigs.homes import daemon_pid

TESTER = """
import pathlib, sys
from rigs.program import Program
Program(pathlib.Path(sys.argv[1])).out("listen", "--port", "0")
print(flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is forked")
def test_a_killed_tester_leaves_no_daemon() -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with (
        tempfile.TemporaryDirectory(prefix="p2p") as home,  # pytest's own can be too long for a socket
        subprocess.Popen(
            [sys.executable, "-c", TESTER, home], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as tester,
    ):
        assert tester.stdout
        assert tester.stdout.readline()
        daemon = os.pidfd_open(daemon_pid(find_home({"P2PCARDS_HOME": home})))
        assert not select.select([daemon], [], [], 0.0)[0]
        tester.kill()
        assert select.select([daemon], [], [], longest_wait())[0], "the daemon goes on"
        os.close(daemon)
