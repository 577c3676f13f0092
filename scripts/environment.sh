# Sourced by scripts/p2pcards and scripts/test (bash): makes the folder with Python and the pinned packages.
#
#   make_environment FOLDER LOCK     FOLDER and LOCK are relative to $root, which the caller sets; with a third word, such
#                                    as 3.12, of a Python that is at least so new
#   fits FOLDER LOCK                 true when FOLDER was made from exactly this LOCK, and not moved since
#   kernels_fit FOLDER               true when the kernels are compiled from these sources, whole, for the Python of FOLDER
#   could_not_compile FOLDER         true when compiling them failed within the last day
#   drop_other_kernels FOLDER        removes compiled kernels that do not fit, and says so; forgets older failures
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

games=p2pcards/games # has the kernels, as scripts/build_kernels finds them
failure=$root/$games/failed.stamp

# What the Python of an environment says of itself, asked once: starting it takes longer than all else at a start.
python_of() {
    local told=$root/$1/python.told
    [[ -s $told ]] || "$root/$1/bin/python" -c '
import sys, sysconfig
print(sys.version, sysconfig.get_config_var("EXT_SUFFIX"))' >"$told" || true
    cat "$told" || true
}

# Tells these sources, what compiles them and the Python of $1 from others.
kernels_stamp() {
    {
        (cd "$root" && cksum scripts/build_kernels "$games"/deals/*.py "$games"/*/{deal,worlds}.py) || true
        grep -E '^(librt|mypy|setuptools)==' "$root/locks/compile.txt" || true
        python_of "$1"
        echo "$MACHTYPE"
    } 2>/dev/null | cksum
}

# All of the bytes, as a file that was half written may have its whole length.
compiled_stamp() { kernels_stamp "$1" && { cd "$root/$games" && cksum -- *.so */*.so 2>/dev/null || true; }; }

kernels_fit() {
    [[ -e $root/$games/compiled.stamp ]] && cmp -s "$root/$games/compiled.stamp" <(compiled_stamp "$1")
}

# The library first: a program that starts without it takes all kernels as they are written.
drop_compiled() { rm -f "$root/$games"/*.so "$root/$games"/*/*.so "$root/$games/compiled.stamp"; }

# They could not be compiled, and not so long ago that it is tried again.
could_not_compile() {
    [[ -e $failure && $(cat "$failure" 2>/dev/null) == "$(kernels_stamp "$1")" && -z $(find "$failure" -mmin +1440) ]]
}

drop_other_kernels() {
    local found=("$root/$games"/compiled.stamp "$root/$games"/*.so)
    [[ ! -e $failure ]] || could_not_compile "$1" || rm -f "$failure" || true
    ! kernels_fit "$1" || return 0
    # While scripts/compile puts them in place there is no library, and the program takes them as they are written.
    ! kill -0 "$(cat "$root/$games/installing.stamp" 2>/dev/null)" 2>/dev/null || return 0
    if [[ -e ${found[0]} || -e ${found[1]} ]]; then
        drop_compiled
        echo "p2pcards: computer players think more slowly until they are compiled again, as what was compiled is" \
            "damaged, or of another version of p2pcards or Python." >&2
    fi
}

# Prints the version; returns 3 when Python is older than $2, 4 when it has neither pip nor what makes one.
ask_python() {
    "$1" -c '
import sys
print(sys.version.split()[0])
if sys.version_info < tuple(map(int, sys.argv[1].split("."))):
    sys.exit(3)
from importlib.util import find_spec
sys.exit(0 if find_spec("venv") and (find_spec("pip") or find_spec("ensurepip") or sys.argv[2]) else 4)
' "$2" "$(command -v uv)" 2>/dev/null
}

# Sets $python to the first interpreter that will do, or says what is in the way. With a $1, such as 3.12, those of pyenv
# too: PYTHON, and what pyenv puts on PATH, are for the program and may be older.
find_python() {
    local candidate version code old='' bare='' oldest=${1:-3.11}
    local candidates=(python3.13 python3.12 python3.11 python3)
    [[ -z ${PYTHON:-} ]] || candidates=("$PYTHON")
    [[ -z ${1:-} ]] || candidates=("${candidates[@]}" python3.13 python3.12 python3 \
        "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin/python3)
    for candidate in "${candidates[@]}"; do
        version=$(ask_python "$candidate" "$oldest") && python=$candidate && return
        code=$?
        [[ $code -ne 3 ]] || old="$candidate is Python $version"
        [[ $code -ne 4 || -n $bare ]] || bare="$candidate (Python $version)"
    done
    if [[ -n $bare ]]; then
        fail "$bare cannot install packages, because its pip is not installed." \
            "On Debian and Ubuntu: apt install python3-venv. Then start again."
    elif [[ -n $old ]]; then
        fail "$old, and $oldest or newer is needed." \
            "Install a newer Python, or name one: PYTHON=/path/to/python$oldest $0"
    elif [[ -n ${PYTHON:-} ]]; then
        fail "PYTHON=$PYTHON does not run as Python. Correct it or leave it out."
    fi
    fail "Python was not found, and $oldest or newer is needed." \
        "Install it (Debian and Ubuntu: apt install python3 python3-venv), or name one: PYTHON=/path/to/python$oldest $0"
}

first_modules=p2pcards.cli.main,p2pcards.cli.line,p2pcards.cli.opening,p2pcards.daemon.serve

full_disk=28 no_answer=29 # codes of show_progress, where pip or uv said why it fails

# Turns what pip or uv says into a few lines: how many packages there are of how many, a network that does not answer, and
# errors. At a terminal one line counts on. Returns full_disk or no_answer where that was said.
show_progress() {
    local line count=0 retried='' full='' total=$1 moving=''
    [[ ! -t 2 ]] || moving=yes
    while IFS= read -r line; do
        [[ $line != *"No space left on device"* && $line != *"os error 28"* ]] || full=yes
        case $line in
            Collecting\ * | Processing\ *)
                count=$((count + 1))
                if [[ -n $moving ]]; then
                    printf '\r  %s of %s packages ...' "$count" "$total" >&2
                elif [[ $((count % 10)) -eq 0 ]]; then
                    printf '  %s of %s packages ...\n' "$count" "$total" >&2
                fi
                ;;
            Installing\ *) printf "${moving:+\r}  all %s fetched, installing ...\n" "$count" >&2 ;;
            *Retrying*)
                [[ -n $retried ]] || printf "${moving:+\n}  the network does not answer, trying again ...\n" >&2
                retried=yes
                ;;
            ERROR* | error* | *×* | *╰─▶*) printf "${moving:+\n}  %s\n" "$line" >&2 ;;
        esac
    done
    [[ -z $full ]] || return "$full_disk"
    [[ -z $retried ]] || return "$no_answer"
}

# Sets $installer to what puts packages into the environment $1: uv, the pip of the Python found where it can do so for
# another (22.3), or one of the environment's own, which takes seconds to make.
find_installer() {
    if command -v uv >/dev/null; then
        installer=(uv pip)
        into=(--python "$1/bin/python")
    elif "$python" -c 'import sys, pip; sys.exit(tuple(map(int, pip.__version__.split(".")[:2])) < (22, 3))' 2>/dev/null; then
        installer=("$python" -m pip --python "$1/bin/python" --disable-pip-version-check --no-input)
        into=()
    else
        "$1/bin/python" -m ensurepip >/dev/null 2>&1 || fail "$python cannot make an environment: it has no pip." \
            "On Debian and Ubuntu: apt install python3-venv. Otherwise see that the disk is not full."
        installer=("$1/bin/python" -m pip --disable-pip-version-check --no-input)
        into=()
    fi
}

# Exactly what the lock names and nothing else: nothing is resolved, so what is newest in an index changes nothing. Modules
# are compiled when they are first imported, as most never are; those of a first table while the lock is checked.
install_lock() {
    local said codes number installer into options=(--no-deps --require-hashes -r "$root/$2")
    find_installer "$1"
    [[ ${installer[0]} == uv ]] || options+=(--no-compile --progress-bar off)
    number=$(grep '^[a-z0-9._-]*==' "$root/$2" | grep -vc "; sys_platform == 'win32'")
    "${installer[@]}" install "${into[@]}" "${options[@]}" 2>&1 | show_progress "$number"
    codes=("${PIPESTATUS[@]}")
    [[ ${codes[0]} -eq 0 ]] || return "$((codes[1] ? codes[1] : codes[0]))"
    name_root "$1/bin/python" 2>/dev/null || return "$full_disk"
    env -u PYTHONDONTWRITEBYTECODE "$1/bin/python" -P -c "import $first_modules" 2>/dev/null &
    said=$("${installer[@]}" check "${into[@]}" 2>&1) || {
        printf '  %s\n' "$said" >&2
        fail "$2 lacks what its packages need (see above). That is a fault of p2pcards: please report it."
    }
    wait $! || true
}

# WebRTC, which opens a direct way between most homes. Not every machine has a package of it, and none that has less than
# Python 3.12: games with friends go through a broker there more often.
add_direct() {
    local installer into wheel=$1/direct.txt
    "$1/bin/python" -c 'import sys; sys.exit(sys.version_info < (3, 12))' || return 0
    find_installer "$1"
    sed -n '/^libdatachannel-py==/,/[^\\]$/p' "$root/locks/direct.txt" >"$wheel"
    "${installer[@]}" install "${into[@]}" --no-deps --require-hashes --only-binary :all: -r "$wheel" >/dev/null 2>&1 ||
        echo "  without WebRTC, which could not be installed here" >&2
}

# A .pth file instead of an installed copy: the program is run from where it lies.
name_root() {
    "$1" - "$root" <<'PYTHON'
import pathlib, sys, sysconfig
pathlib.Path(sysconfig.get_path("purelib"), "p2pcards.pth").write_text(sys.argv[1] + "\n", encoding="utf-8")
PYTHON
}

# Waits until nobody else is at $1; where there is a $2, gives up instead. The lock belongs to the open file, so it outlives
# the Python that takes it and ends with this script.
take_turn() {
    local lock='import fcntl, sys; fcntl.flock(9, fcntl.LOCK_EX | (fcntl.LOCK_NB if sys.argv[1] == "try" else 0))'
    exec 9>"$root/$1.lock"
    "$python" -c "$lock" try 2>/dev/null && return
    [[ -z ${2:-} ]] || exit 0
    echo "Another start is at it already. Waiting for it ..." >&2
    # Without a turn (some network drives have no locks) it is better to go on than to stop here.
    "$python" -c "$lock" wait 2>/dev/null || true
}

not_installed() {
    case $1 in
        "$full_disk") fail "the packages could not be installed, because the disk is full." "Make room, then start again." ;;
        "$no_answer") fail "the packages could not be installed, because the network does not answer." \
            "See that it works, then start again." ;;
        *) fail "the packages could not be installed (see above)." \
            "See that the network works and the disk is not full, then start again." ;;
    esac
}

make_environment() {
    local folder=$1 lock=$2 oldest=${3:-} started=$SECONDS python='' said
    ! fits "$folder" "$lock" || return 0
    find_python "$oldest"
    [[ -w $root ]] || fail "the environment cannot be made, because $root is not writable." \
        "Copy p2pcards to a folder of your own and start it there."
    take_turn "$folder"
    if ! fits "$folder" "$lock"; then
        echo "Making the environment in $folder (once) ..." >&2
        fresh=$root/$folder
        # Whatever ends this script early, a half-made folder goes with it, or is made anew by the next start.
        trap '[[ -z $fresh ]] || rm -rf "$fresh"' EXIT
        trap 'echo "Stopped. Nothing is left half made." >&2; exit 130' INT
        trap 'exit 143' TERM
        rm -rf "$fresh"
        said=$("$python" -m venv --without-pip "$fresh" 2>&1) || fail "$python could not make an environment in $folder:" \
            "$(grep -E '^[A-Za-z]*Error' <<<"$said" | tail -n 1)" "See that the disk is not full, then start again."
        install_lock "$fresh" "$lock" || not_installed $?
        [[ $lock != locks/run.txt ]] || add_direct "$fresh"
        stamp "$lock" 2>/dev/null >"$fresh/p2pcards.stamp" ||
            fail "$folder could not be finished. See that the disk is not full, then start again."
        fresh=''
        trap - EXIT INT TERM
        echo "  done in $((SECONDS - started)) s" >&2
    fi
    exec 9>&-
}
