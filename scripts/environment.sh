# Sourced by scripts/p2pcards and scripts/test (bash): makes the folder with Python and the pinned packages.
#
#   make_environment FOLDER LOCK     FOLDER and LOCK are relative to $root, which the caller sets
#   fits FOLDER LOCK                 true when FOLDER was made from exactly this LOCK, and not moved since
#   kernels_stamp                    what tells these sources of the kernels ($kernels) from others
#   drop_other_kernels               compiled kernels of other sources than these are removed
#
# Everything said goes to stderr. Failures exit with 69 (unavailable) after a sentence that says what to try.

fail() {
    printf 'p2pcards: %s\n' "$@" >&2
    exit 69
}

# The stamp holds the place and the whole lock: scripts inside the folder name the place they were made in.
stamp() { printf '%s\n' "$root" && cat "$root/$1"; }

fits() {
    [[ -x $root/$1/bin/python ]] && cmp -s "$root/$1/p2pcards.stamp" <(stamp "$2")
}

kernels=p2pcards/players/kernels

kernels_stamp() { cat "$root/$kernels"/*.py 2>/dev/null | cksum; }

drop_other_kernels() {
    cmp -s "$root/$kernels/compiled.stamp" <(kernels_stamp) || rm -f "$root/$kernels"/*.so "$root/$kernels/compiled.stamp"
}

# Prints the version; returns 3 when Python is older than 3.11, 4 when it cannot make environments.
ask_python() {
    "$1" -c '
import sys
print(sys.version.split()[0])
if sys.version_info < (3, 11):
    sys.exit(3)
from importlib.util import find_spec
sys.exit(0 if find_spec("venv") and find_spec("ensurepip") else 4)
' 2>/dev/null
}

# Sets $python to the first interpreter that will do, or says what is in the way.
find_python() {
    local candidate version code old='' bare=''
    local candidates=(python3.13 python3.12 python3.11 python3)
    [[ -z ${PYTHON:-} ]] || candidates=("$PYTHON")
    for candidate in "${candidates[@]}"; do
        version=$(ask_python "$candidate") && python=$candidate && return
        code=$?
        [[ $code -ne 3 ]] || old="$candidate is Python $version"
        [[ $code -ne 4 || -n $bare ]] || bare="$candidate (Python $version)"
    done
    if [[ -n $bare ]]; then
        fail "$bare cannot make environments, because a part of it is not installed." \
            "On Debian and Ubuntu: apt install python3-venv. Then start again."
    elif [[ -n $old ]]; then
        fail "$old, and 3.11 or newer is needed." \
            "Install a newer Python, or name one: PYTHON=/path/to/python3.11 $0"
    elif [[ -n ${PYTHON:-} ]]; then
        fail "PYTHON=$PYTHON does not run as Python. Correct it or leave it out."
    fi
    fail "Python was not found, and 3.11 or newer is needed." \
        "Install it (Debian and Ubuntu: apt install python3 python3-venv), or name one: PYTHON=/path/to/python3.11 $0"
}

# Turns what pip says into a few lines: every tenth package, a network that does not answer, and errors.
show_progress() {
    local line count=0 retried=''
    while IFS= read -r line; do
        case $line in
            Collecting\ * | Processing\ *)
                count=$((count + 1))
                [[ $((count % 10)) -ne 0 ]] || printf '  %s of %s packages ...\n' "$count" "$1" >&2
                ;;
            Installing\ *) printf '  all %s fetched, installing ...\n' "$count" >&2 ;;
            *Retrying*)
                [[ -n $retried ]] || printf '  the network does not answer, trying again ...\n' >&2
                retried=yes
                ;;
            ERROR*) printf '  %s\n' "$line" >&2 ;;
        esac
    done
}

install_lock() {
    "$1" -m pip install --disable-pip-version-check --no-input --progress-bar off --no-deps --require-hashes -r "$root/$2" 2>&1 |
        show_progress "$(grep -c '^[a-z0-9._-]*==' "$root/$2")"
}

# A .pth file instead of an installed copy: the program is run from where it lies.
name_root() {
    "$1" - "$root" <<'PYTHON'
import pathlib, sys, sysconfig
pathlib.Path(sysconfig.get_path("purelib"), "p2pcards.pth").write_text(sys.argv[1] + "\n", encoding="utf-8")
PYTHON
}

# The lock belongs to the open file, so it outlives the Python that takes it and ends with this script.
take_turn() {
    local lock='import fcntl, sys; fcntl.flock(9, fcntl.LOCK_EX | (fcntl.LOCK_NB if sys.argv[1] == "try" else 0))'
    exec 9>"$root/$1.lock"
    "$python" -c "$lock" try 2>/dev/null && return
    echo "Another start is making the environment. Waiting for it ..." >&2
    # Without a turn (some network drives have no locks) it is better to go on than to stop here.
    "$python" -c "$lock" wait 2>/dev/null || true
}

make_environment() {
    local folder=$1 lock=$2 started=$SECONDS python='' said
    ! fits "$folder" "$lock" || return 0
    find_python
    [[ -w $root ]] || fail "the environment cannot be made, because $root is not writable." \
        "Copy p2pcards to a folder of your own and start it there."
    take_turn "$folder"
    if ! fits "$folder" "$lock"; then
        echo "Making the environment in $folder (once, about half a minute) ..." >&2
        fresh=''
        rm -f "$root/$folder/p2pcards.stamp"
        if ! "$root/$folder/bin/python" -m pip --version >/dev/null 2>&1; then
            # Whatever ends this script early, a half-made folder goes with it.
            fresh=$root/$folder
            trap '[[ -z $fresh ]] || rm -rf "$fresh"' EXIT
            trap 'echo "Stopped. Nothing is left half made." >&2; exit 130' INT
            trap 'exit 143' TERM
            rm -rf "$fresh"
            said=$("$python" -m venv "$fresh" 2>&1) || fail "$python could not make an environment in $folder:" \
                "$(grep -E '^[A-Za-z]*Error|not created' <<<"$said" | tail -n 1)" \
                "On Debian and Ubuntu: apt install python3-venv. Otherwise see that the disk is not full."
        fi
        install_lock "$root/$folder/bin/python" "$lock" || fail "the packages could not be installed (see above)." \
            "See that the network works and the disk is not full, then start again."
        name_root "$root/$folder/bin/python"
        stamp "$lock" >"$root/$folder/p2pcards.stamp"
        fresh=''
        trap - EXIT INT TERM
        echo "  done in $((SECONDS - started)) s" >&2
    fi
    exec 9>&-
}
