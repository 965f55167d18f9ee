# What the tests of the command line share; sourced by bash.  A scratch folder is the current one; finish ends the test.
set -u
: "${RILL:?the program}" "${RILL_SOURCE:?the source folder}"
data=$RILL_SOURCE/tests/data
inputs=$RILL_SOURCE/inputs
export OMP_NUM_THREADS=2
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 99
failures=0

# One failure is enough where RILL_FIRST_FAILURE is set.
fail() {
  printf 'FAIL: %s\n' "$*"
  failures=$((failures + 1))
  [ -z "${RILL_FIRST_FAILURE:-}" ] || finish
}
finish() {
  [ "$failures" -eq 0 ] || printf '%d failures\n' "$failures"
  exit $((failures > 0))
}

# Every file and folder here but the streams of the last command; of folders not the times, which lock files change.
listing() { find . ! -name .stdout ! -name .stderr ! -name . \( -type d -printf '%p\n' -o -printf '%p %s %T@\n' \) | sort; }

# run_rill ARGUMENT...: streams in .stdout and .stderr, the exit status in $status.
run_rill() {
  "$RILL" "$@" >.stdout 2>.stderr </dev/null
  status=$?
}
says() { # says STREAM FRAGMENT
  grep -q -F -e "$2" ".$1" || fail "after rill $command: no \"$2\" in: $(head -c 600 ".$1")"
}
# succeeds ARGUMENT...
succeeds() {
  command=$*
  run_rill "$@"
  [ $status -eq 0 ] || fail "rill $command: exit status $status, expected 0: $(head -c 600 .stderr)"
}
# refuses FRAGMENT ARGUMENT...: exit status 2, FRAGMENT in one error message, nothing on standard output, nothing written.
refuses() {
  local fragment=$1 before
  shift
  command=$*
  before=$(listing)
  run_rill "$@"
  [ $status -eq 2 ] || fail "rill $command: exit status $status, expected 2: $(head -c 600 .stderr)"
  says stderr "$fragment"
  [ "$(grep -c '^rill: error: ' .stderr)" -eq 1 ] || fail "rill $command: not one message: $(head -c 600 .stderr)"
  [ ! -s .stdout ] || fail "rill $command: refused, but printed: $(head -c 200 .stdout)"
  [ "$(listing)" = "$before" ] || fail "rill $command: refused, but files changed"
}
same_files() { cmp -s "$1" "$2" || fail "$1 and $2 differ"; }
lines_of() { grep -v -c -e '^#' -e '^[a-z]' "$1"; } # rows of a CSV

# The deck that the tests vary: 500 steps, frames every 50.
cp "$inputs/water7.gro" .
cat >base.ini <<'DECK'
[system]
kind = water
structure = water7.gro
[integrator]
method = rattle
step = 2 fs
time = 1 ps
[thermostat]
method = gla
temperature = 10 K
friction = 0.2 /ps
seed = 1
[output]
trajectory = base.h5md
interval = 100 fs
series = base.csv
[rdf]
pair = O-O
DECK
