"""scripts/p2pcards on machines where something is missing. A shell script stands in for the Python found there."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rigs.giving_up import longest_wait
from rigs.served import wait_until

ROOT = Path(__file__).parents[1]

# Makes an environment whose python writes down what it is asked to do, and needs no network for that.
WORKING = f"""#!/bin/sh
calls=$(dirname "$0")/calls
case "$*" in
    *find_spec*) echo 3.11.2; exit 0 ;;
    *"version_info < (3, 12)"*) exit 1 ;;
    "-m venv --without-pip "*) mkdir -p "$4/bin" && cp "$0" "$4/bin/python" && echo "$0" >"$4/bin/base" &&
        echo venv >>"$calls" ;;
    *"import sys, pip"*) ;;
    "-m pip --python "*" install "*) echo pip >>"$calls"; sleep 0.2; echo "Collecting trio" ;;
    "-m pip --python "*" check") ;;
    "-P -m p2pcards "*) echo "ran $* in $PWD" ;;
    *_base_executable*) cat "$(dirname "$0")/base" ;;
    *sysconfig*) echo "3.11.2 of the tests" ;;
    "-m pytest "*) echo "$P2PCARDS_KERNELS $*" >>"$calls" ;;
    *fcntl*) exec {sys.executable} "$@" ;;
esac
"""
INSTALLING = 'echo pip >>"$calls"; sleep 0.2; echo "Collecting trio"'
"""What stands in for the work of pip."""


def make_python(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)  # it may be a link to a program of the system
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of what scripts/p2pcards needs, in a folder with a space in its name."""
    folder = tmp_path / "the root"
    (folder / "scripts").mkdir(parents=True)
    (folder / "locks").mkdir()
    for name in ("scripts/p2pcards", "scripts/environment.sh", "locks/run.txt", "locks/dev.txt", "locks/direct.txt"):
        shutil.copy(ROOT / name, folder / name)
    return folder


def start(root: Path, python: Path, *args: str, cwd: Path | None = None) -> subprocess.Popen[str]:
    """What lies beside the Python is on PATH, and no uv but that."""
    return subprocess.Popen(
        [root / "scripts" / "p2pcards", *args],
        cwd=cwd or root,
        env={**os.environ, "PYTHON": str(python), "PATH": f"{python.parent}:/usr/bin:/bin"},
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(root: Path, python: Path, *args: str, cwd: Path | None = None) -> tuple[int, str, str]:
    with start(root, python, *args, cwd=cwd) as process:
        out, err = process.communicate(timeout=longest_wait())
    return process.returncode, out, err


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("echo 3.11.2; exit 4", "cannot install packages, because its pip is not installed"),
        ("echo 3.9.2; exit 3", "is Python 3.9.2, and 3.11 or newer is needed"),
        ("exit 1", "does not run as Python"),
    ],
)
def test_a_python_that_will_not_do_gets_a_sentence(root: Path, tmp_path: Path, answer: str, sentence: str) -> None:
    python = make_python(tmp_path / "python", f"#!/bin/sh\n{answer}\n")
    code, out, err = run(root, python, "--help")
    assert (code, out) == (69, "")
    assert sentence in err
    assert not (root / ".venv-run").exists()


def test_a_missing_python_gets_a_sentence(root: Path, tmp_path: Path) -> None:
    code, _, err = run(root, tmp_path / "none", "--help")
    assert code == 69
    assert f"PYTHON={tmp_path / 'none'} does not run as Python" in err


def test_the_environment_is_made_once_and_again_when_the_lock_changed(root: Path, tmp_path: Path) -> None:
    python = make_python(tmp_path / "python", WORKING)
    code, out, err = run(root, python, "games", "--json")
    assert (code, out) == (0, f"ran -P -m p2pcards games --json in {root}\n")
    assert "Making the environment in .venv-run" in err
    assert "done in" in err
    assert run(root, python, "games")[2] == ""

    with (root / "locks" / "run.txt").open("a") as lock:
        lock.write("new==1\n")
    assert "Making the environment" in run(root, python, "games")[2]
    assert run(root, python, "games")[2] == run(root, python, "web")[2] == ""
    assert (tmp_path / "calls").read_text().split() == ["venv", "pip"] * 2


@pytest.mark.parametrize("has_package", [True, False])
def test_webrtc_is_added_where_there_is_a_package(root: Path, tmp_path: Path, has_package: bool) -> None:
    asked = f'*direct.txt) cp "{root}/.venv-run/direct.txt" {tmp_path}/wanted; exit {0 if has_package else 1} ;;'
    newer = WORKING.replace("exit 1 ;;", "exit 0 ;;").replace('    "-m pip', f'    {asked}\n    "-m pip', 1)
    code, out, err = run(root, make_python(tmp_path / "python", newer), "games")
    assert (code, out) == (0, f"ran -P -m p2pcards games in {root}\n")
    assert ("without WebRTC, which could not be installed here" in err) != has_package
    lines = (tmp_path / "wanted").read_text().splitlines()
    assert lines[0].startswith("libdatachannel-py==")
    assert all(line.startswith("    --hash=sha256:") for line in lines[1:]) and len(lines) > 10


def test_any_working_directory_and_a_symlink(root: Path, tmp_path: Path) -> None:
    python = make_python(tmp_path / "python", WORKING)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link = elsewhere / "cards"
    link.symlink_to(root / "scripts" / "p2pcards")
    command: list[str | Path] = [link, "who is", "there"]
    environment = {**os.environ, "PYTHON": str(python), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, cwd=elsewhere, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == f"ran -P -m p2pcards who is there in {elsewhere}\n"
    assert (root / ".venv-run").is_dir()
    assert list(elsewhere.iterdir()) == [link]


def test_two_started_at_once_make_one_environment(root: Path, tmp_path: Path) -> None:
    python = make_python(tmp_path / "python", WORKING)
    both = [start(root, python, str(number)) for number in (1, 2)]
    said = [process.communicate(timeout=longest_wait()) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert [out.split(" in ")[0] for out, _ in said] == ["ran -P -m p2pcards 1", "ran -P -m p2pcards 2"]
    assert (tmp_path / "calls").read_text().split() == ["venv", "pip"]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("ERROR: no wheel", "the packages could not be installed (see above)"),
        ("ERROR: [Errno 28] No space left on device", "the packages could not be installed, because the disk is full"),
        ("Retrying (Retry(total=4)) after connection broken", "because the network does not answer"),
    ],
)
def test_a_failed_install_leaves_nothing_and_shows_the_cause(root: Path, tmp_path: Path, said: str, told: str) -> None:
    broken = WORKING.replace(INSTALLING, f'echo "{said}"; exit 1')
    code, out, err = run(root, make_python(tmp_path / "python", broken), "games")
    assert (code, out) == (69, "")
    assert said in err or "trying again" in err
    assert told in err
    assert not (root / ".venv-run").exists()


def test_a_lock_that_lacks_something_is_a_fault_that_is_shown(root: Path, tmp_path: Path) -> None:
    lacking = WORKING.replace('check") ;;', 'check") echo "trio needs attrs, which is not installed."; exit 1 ;;')
    code, out, err = run(root, make_python(tmp_path / "python", lacking), "games")
    assert (code, out) == (69, "")
    assert "trio needs attrs" in err
    assert "locks/run.txt lacks what its packages need" in err
    assert not (root / ".venv-run").exists()


def test_uv_is_taken_where_it_is_on_the_path(root: Path, tmp_path: Path) -> None:
    make_python(tmp_path / "uv", f'#!/bin/sh\necho "$*" >>"{tmp_path}/uv.calls"\n')
    code, out, _ = run(root, make_python(tmp_path / "python", WORKING), "games")
    assert (code, out) == (0, f"ran -P -m p2pcards games in {root}\n")
    place = f"--python {root}/.venv-run/bin/python"
    assert (tmp_path / "uv.calls").read_text().splitlines() == [
        f"pip install {place} --no-deps --require-hashes -r {root}/locks/run.txt",
        f"pip check {place}",
    ]
    assert (tmp_path / "calls").read_text().split() == ["venv"]


def test_a_python_without_pip_makes_one_in_the_environment(root: Path, tmp_path: Path) -> None:
    bare = WORKING.replace('pip"*) ;;', 'pip"*) exit 1 ;;\n    "-m ensurepip") echo ensurepip >>"$calls" ;;')
    bare = bare.replace('"-m pip --python "*" install "*)', '"-m pip "*" install "*)')
    code, out, _ = run(root, make_python(tmp_path / "python", bare), "games")
    assert (code, out) == (0, f"ran -P -m p2pcards games in {root}\n")
    assert (tmp_path / "calls").read_text().split() == ["venv"]
    assert (root / ".venv-run/bin/calls").read_text().split() == ["ensurepip", "pip"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_what_an_interrupted_start_has_left_is_made_anew(root: Path, tmp_path: Path, number: signal.Signals) -> None:
    waiting = WORKING.replace(INSTALLING, 'touch "$(dirname "$0")/begun"; exec sleep 60')
    with start(root, make_python(tmp_path / "python", waiting), "games") as process:
        wait_until((tmp_path / "begun").exists, "pip begins")
        os.killpg(process.pid, number)
        _, err = process.communicate(timeout=longest_wait())
    assert process.returncode in (-number, 128 + number)
    assert ("Stopped. Nothing is left half made." in err) == (number == signal.SIGINT)
    assert (root / ".venv-run").exists() == (number == signal.SIGKILL)
    code, out, err = run(root, make_python(tmp_path / "python", WORKING), "games")
    assert (code, out) == (0, f"ran -P -m p2pcards games in {root}\n")
    assert "Making the environment" in err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_clone_that_cannot_be_written_gets_a_sentence(root: Path, tmp_path: Path) -> None:
    root.chmod(0o500)
    code, out, err = run(root, make_python(tmp_path / "python", WORKING), "games")
    assert (code, out) == (69, "")
    assert "is not writable" in err and "Copy p2pcards to a folder of your own" in err


# --- compiled kernels -------------------------------------------------------------------------------------------------


MADE = "$2/p2pcards/games/hearts"
BUILDING = f'*build_kernels*) echo build >>"$calls"; mkdir -p "{MADE}"; echo library >"{MADE}/deal.so" ;;'
FAILING = '*build_kernels*) echo build >>"$calls"; exit 1 ;;'


@pytest.fixture
def kernels(root: Path) -> Path:
    folder = root / "p2pcards/games"
    (folder / "hearts").mkdir(parents=True)
    (folder / "hearts/deal.py").write_text("x = 1\n")
    for name in ("scripts/compile", "locks/compile.txt"):
        shutil.copy(ROOT / name, root / name)
    return folder


def compile_kernels(root: Path, folder: Path, how: str, building: str = BUILDING, working: str = WORKING) -> int:
    """The exit code. folder: of the Python; its copy in the environment that it makes notes each build."""
    python = make_python(folder / "python", working.replace("*fcntl*)", f"{building}\n    *fcntl*)"))
    make_python(folder / "cc", "#!/bin/sh\n")
    environment = {**os.environ, "PYTHON": str(python), "PATH": f"{folder}:/usr/bin:/bin"}
    environment["XDG_CACHE_HOME"] = str(folder / "cache")
    command = [str(root / "scripts/compile"), how]
    return subprocess.run(command, env=environment, capture_output=True, check=False, timeout=longest_wait()).returncode


def builds(root: Path) -> int:
    return len((root / ".venv-compile/bin/calls").read_text().split())


def test_kernels_are_compiled_in_the_background(root: Path, kernels: Path, tmp_path: Path) -> None:
    assert compile_kernels(root, tmp_path, "--quietly") == 0
    wait_until((kernels / "compiled.stamp").exists, "the kernels are compiled")
    assert (kernels / "hearts/deal.so").exists()


def test_kernels_are_compiled_once_for_the_same_sources(root: Path, kernels: Path, tmp_path: Path) -> None:
    for number, source in enumerate(("x = 1\n", "x = 2\n"), start=1):
        (kernels / "hearts/deal.py").write_text(source)
        for _ in range(2):
            assert compile_kernels(root, tmp_path, "--in-background") == 0
            assert builds(root) == number


def test_kernels_that_could_not_be_compiled_are_not_tried_again_until_they_change(
    root: Path, kernels: Path, tmp_path: Path
) -> None:
    assert compile_kernels(root, tmp_path, "--in-background", FAILING) == 69
    assert compile_kernels(root, tmp_path, "--in-background", FAILING) == 0
    assert builds(root) == 1
    (kernels / "hearts/deal.py").write_text("x = 2\n")
    assert compile_kernels(root, tmp_path, "--in-background", FAILING) == 69
    assert builds(root) == 2


def test_kernels_are_compiled_by_one_process_at_a_time(root: Path, kernels: Path, tmp_path: Path) -> None:
    assert compile_kernels(root, tmp_path, "--in-background") == 0
    (kernels / "hearts/deal.py").write_text("x = 2\n")
    with (kernels / "compiling.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert compile_kernels(root, tmp_path, "--in-background") == 0
    assert builds(root) == 1


SLOWER = "computer players think more slowly until they are compiled again"


@pytest.mark.parametrize("wrong", ["half written", "another commit", "another Python"])
def test_kernels_that_do_not_fit_are_dropped_with_a_line_and_compiled_again(
    root: Path, kernels: Path, tmp_path: Path, wrong: str
) -> None:
    python, working = make_python(tmp_path / "python", WORKING), WORKING
    assert run(root, python, "games")[0] == 0
    assert compile_kernels(root, tmp_path, "--in-background") == 0
    assert run(root, python, "games")[2] == ""
    if wrong == "half written":
        (kernels / "hearts/deal.so").write_bytes(b"librar\0")
    elif wrong == "another commit":
        (kernels / "hearts/deal.py").write_text("x = 2\n")
    else:
        shutil.rmtree(root / ".venv-run")
        working = WORKING.replace("3.11.2 of", "3.13.5 of")
        python = make_python(tmp_path / "newer/python", working)
    code, _, err = run(root, python, "games")
    assert code == 0 and SLOWER in err
    assert not (kernels / "hearts/deal.so").exists()
    assert SLOWER not in run(root, python, "games")[2]
    assert compile_kernels(root, python.parent, "--in-background", working=working) == 0
    assert (kernels / "hearts/deal.so").read_text() == "library\n"
    assert run(root, python, "games")[2] == ""


def test_kernels_that_are_put_in_place_at_this_moment_are_left_alone(root: Path, kernels: Path, tmp_path: Path) -> None:
    """The program is not told to keep them off, which its daemon would do for as long as it runs: without the library
    it takes them as they are written, and those that start later do not."""
    (kernels / "installing.stamp").write_text(str(os.getpid()))
    (kernels / "hearts/deal.so").write_text("library\n")
    says = WORKING.replace('echo "ran', 'echo "kernels ${P2PCARDS_KERNELS:-as they are}, ran')
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("P2PCARDS_KERNELS", raising=False)
        code, out, err = run(root, make_python(tmp_path / "python", says), "games")
    assert code == 0 and out.startswith("kernels as they are, ran") and SLOWER not in err
    assert (kernels / "hearts/deal.so").exists()


def test_no_library_is_there_while_others_are_put_in_place(root: Path, kernels: Path, tmp_path: Path) -> None:
    """Or a program that starts then would take some that fit and some that do not."""
    (kernels / "compiled.so").write_text("library\n")
    noted = tmp_path / "noted"
    rm = f'[ ! -e "{kernels}/installing.stamp" ] || case "$*" in *compiled.so*) touch "{noted}" ;; esac'
    make_python(tmp_path / "rm", f'#!/bin/sh\n{rm}\nexec /bin/rm "$@"\n')
    assert compile_kernels(root, tmp_path, "--in-background") == 0
    assert not (kernels / "compiled.so").exists() and not noted.exists()


def test_a_failed_compilation_is_forgotten_when_the_sources_change_or_a_day_later(
    root: Path, kernels: Path, tmp_path: Path
) -> None:
    """So the first table does not say that what was never tried could not be built."""
    python, failed = make_python(tmp_path / "python", WORKING), kernels / "failed.stamp"
    assert run(root, python, "games")[0] == 0
    assert compile_kernels(root, tmp_path, "--in-background", FAILING) == 69
    assert run(root, python, "games")[0] == 0 and failed.exists()
    (kernels / "hearts/deal.py").write_text("x = 2\n")
    assert run(root, python, "games")[0] == 0 and not failed.exists()
    assert compile_kernels(root, tmp_path, "--in-background", FAILING) == 69
    os.utime(failed, (0, 0))
    assert run(root, python, "games")[0] == 0 and not failed.exists()


@pytest.mark.parametrize("damaged", [False, True])
def test_another_clone_takes_what_was_compiled_if_it_is_whole(
    root: Path, kernels: Path, tmp_path: Path, damaged: bool
) -> None:
    other = tmp_path / "other"
    shutil.copytree(root, other)
    assert compile_kernels(root, tmp_path, "--in-background") == 0
    if damaged:
        (kept,) = (tmp_path / "cache/p2pcards/kernels").glob("*/p2pcards/games/hearts/deal.so")
        kept.write_bytes(b"librar\0")
    assert compile_kernels(other, tmp_path, "--in-background") == 0
    assert (other / "p2pcards/games/hearts/deal.so").read_text() == "library\n"
    calls = other / ".venv-compile/bin/calls"
    assert calls.exists() == damaged


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """What is on PATH, without a C compiler and uv."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for tool in (*Path("/bin").iterdir(), *Path("/usr/bin").iterdir()):
        if tool.name not in ("cc", "uv") and not (folder / tool.name).exists():
            (folder / tool.name).symlink_to(tool)
    return folder


@pytest.mark.parametrize(
    ("building", "words", "told", "ran"),
    [
        (BUILDING, "", "with the kernels compiled.", ["compiled", "written"]),
        (FAILING, "", "as they are written, as they could not be compiled.", ["written"]),
        ("", "", "as they are written, as there is no C compiler (cc) here.", ["written"]),
        (BUILDING, "-k hearts", "scripts/test without a selection, or scripts/compile, compiles them.", ["written"]),
    ],
)
def test_the_last_line_of_the_tests_says_how_the_kernels_were(
    root: Path, kernels: Path, tmp_path: Path, tools: Path, building: str, words: str, told: str, ran: list[str]
) -> None:
    """A next run mends it."""
    shutil.copy(ROOT / "scripts/test", root / "scripts/test")
    working = WORKING.replace("*fcntl*)", f"{building}\n    *fcntl*)")
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith(("P2PCARDS", "CI"))},
        "PYTHON": str(make_python(tmp_path / "python", working)),
        "PATH": str(tools),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    if building:
        make_python(tools / "cc", "#!/bin/sh\n")

    def test(*words: str) -> tuple[str, list[str]]:
        """The last line, and how the kernels were each time that pytest ran."""
        calls = root / ".venv/bin/calls"
        calls.write_text("") if calls.exists() else None
        command = [str(root / "scripts/test"), *words]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, timeout=longest_wait()
        )
        assert done.returncode == 0, done.stdout + done.stderr
        noted = [line.partition(" ")[0] for line in calls.read_text().splitlines() if " -m pytest" in line]
        return done.stdout.splitlines()[-1], noted

    last, noted = test(*words.split())
    assert last.startswith("All passed in ") and last.endswith(told)
    assert noted == ran
    make_python(tools / "cc", "#!/bin/sh\n")
    make_python(root / ".venv/bin/python", WORKING.replace("*fcntl*)", f"{BUILDING}\n    *fcntl*)"))
    last, noted = test()
    assert last.endswith("with the kernels compiled.") and noted == ["compiled", "written"]
    assert test(*words.split())[1] == ["compiled", "written"], "they stay compiled"


def test_in_ci_kernels_that_cannot_be_compiled_are_a_fault(root: Path, kernels: Path, tmp_path: Path) -> None:
    shutil.copy(ROOT / "scripts/test", root / "scripts/test")
    python = make_python(tmp_path / "python", WORKING.replace("*fcntl*)", f"{FAILING}\n    *fcntl*)"))
    make_python(tmp_path / "cc", "#!/bin/sh\n")
    environment = {**os.environ, "PYTHON": str(python), "PATH": f"{tmp_path}:/usr/bin:/bin", "CI": "true"}
    environment |= {"XDG_CACHE_HOME": str(tmp_path / "cache"), "P2PCARDS_COMPILE": ""}
    command = [root / "scripts/test"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=longest_wait())
    assert done.returncode == 1 and "FAILED: kernels\n" in done.stdout


@pytest.mark.parametrize("newer", [True, False])
def test_direct_connections_are_tested_where_there_is_a_newer_python(
    root: Path, tmp_path: Path, tools: Path, newer: bool
) -> None:
    """One of pyenv's, where the one on PATH and $PYTHON are older."""
    for name in ("scripts/test", "locks/direct.txt"):
        shutil.copy(ROOT / name, root / name)
    for python in tools.glob("python*"):
        python.unlink()
    for program in ("mosquitto", "cc", "ip", "nft", "miniupnpd", "turnserver"):
        make_python(tools / program, WORKING)
    old = WORKING.replace("echo 3.11.2; exit 0", 'echo 3.11.2; [ "$3" = 3.11 ] || exit 3; exit 0')
    if newer:
        make_python(tmp_path / ".pyenv/versions/3.12.9/bin/python3", WORKING)
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith(("P2PCARDS", "CI", "PYENV"))},
        "PYTHON": str(make_python(tmp_path / "python", old)),
        "PATH": str(tools),
        "HOME": str(tmp_path),
    }

    def test(**more: str) -> subprocess.CompletedProcess[str]:
        command = [str(root / "scripts/test"), "-k", "hearts", "--reach"]
        return subprocess.run(
            command,
            env=environment | more,
            capture_output=True,
            text=True,
            check=False,
            timeout=longest_wait(),
        )

    done = test()
    assert done.returncode == 0, done.stdout + done.stderr
    calls = root / ".venv-direct/bin/calls"
    if newer:
        assert "written -m pytest -q -k hearts --direct -m direct" in calls.read_text()
        assert (root / ".venv-direct/bin/base").read_text() == f"{tmp_path}/.pyenv/versions/3.12.9/bin/python3\n"
    else:
        assert not calls.exists()
        assert "skipped: tests of direct connections: they need Python 3.12 or newer, and there is none" in done.stdout
        assert test(CI="true").returncode == 69
