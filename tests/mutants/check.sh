#!/bin/sh
# The table of mutants fits the sources; and what runs it tells killed mutants, survivors and rows in error apart, on
# a program of one line.
set -u
python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 8))' 2>/dev/null || exit 77
run=${RILL_SOURCE:?}/tests/mutants/run
"$python" "$run" --check || exit 1

place=$(mktemp -d) || exit 99
trap 'rm -rf "$place"' EXIT
mkdir -p "$place/tree/src" "$place/tree/tests/mutants"
cd "$place/tree" || exit 99
printf 'echo 42\necho 0\necho 0\n' >src/program.sh
# Its build is a copy, after a look at the syntax.
cat >configure <<'CONFIGURE'
#!/bin/sh
: >config.status
printf 'PYTHON =\nrill: %s/src/program.sh\n\tsh -n $< && cp $< $@ && chmod +x $@\n' "$(dirname "$0")" >Makefile
CONFIGURE
printf '#!/bin/sh\n[ "$(sh "$RILL" | head -n 1)" = 42 ]\n' >tests/sharp.sh
printf '#!/bin/sh\n[ "$(sh "$RILL" | head -n 1)" != 43 ]\n' >tests/blunt.sh
printf '#!/bin/sh\nexit 1\n' >tests/broken.sh
printf '#!/bin/sh\nexit 77\n' >tests/skipped.sh
cp tests/sharp.sh tests/nameless
chmod +x configure tests/*.sh tests/nameless
before=$(cat src/program.sh)
failures=0

# expect STATUS FRAGMENT TESTS OLD NEW: a table of one row
expect() {
  printf '# a comment\n\nsrc/program.sh: %s\n- %s\n+ %s\n' "$3" "$4" "$5" >tests/mutants/table
  output=$("$python" "$run" --source . --work "$place/work" 2>&1)
  status=$?
  case $output in
    *"$2"*) [ $status -eq "$1" ] && return ;;
  esac
  printf 'FAIL: %s -> %s, %s: exit status %d, expected %d and "%s" in:\n' "$4" "$5" "$3" $status "$1" "$2"
  printf '%s\n' "$output"
  failures=$((failures + 1))
}
expect 0 '1 killed, 0 survived' tests/sharp.sh 'echo 42' 'echo 41'
expect 0 '1 killed, 0 survived' tests/nameless 'echo 42' 'echo 41'
expect 0 '1 killed, 0 survived' 'tests/sharp.sh tests/blunt.sh' 'echo 42' 'echo 43'
expect 1 'passed: tests/blunt.sh' 'tests/sharp.sh tests/blunt.sh' 'echo 42' 'echo 41'
expect 0 '1 killed, 0 survived' tests/sharp.sh 'echo 42' ''
expect 2 'does not build' tests/sharp.sh 'echo 42' 'if'
expect 2 'fails without the change: tests/broken.sh' tests/broken.sh 'echo 42' 'echo 41'
expect 2 'fails without the change: tests/skipped.sh' tests/skipped.sh 'echo 42' 'echo 41'
expect 2 'is there 0 times' tests/sharp.sh 'echo 4' 'echo 41'
expect 2 'is there 2 times' tests/sharp.sh 'echo 0' 'echo 41'
expect 2 'changes nothing' tests/sharp.sh 'echo 42' 'echo 42'
expect 2 'no test tests/none.sh' tests/none.sh 'echo 42' 'echo 41'
[ "$(cat src/program.sh)" = "$before" ] || { echo 'FAIL: the sources were changed'; failures=$((failures + 1)); }
exit $((failures > 0))
