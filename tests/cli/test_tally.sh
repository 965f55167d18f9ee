#!/bin/sh
# tests/tally, which makes the closing line of `./quickstart test`, counts cases as it says.
set -u
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
status=0

# counts EXPECTED: the output of `make check` on standard input
counts() {
  found=$("$RILL_SOURCE/tests/tally" "$scratch")
  [ "$found" = "$1" ] || { echo "tally printed '$found', expected '$1'"; status=1; }
}

mkdir -p "$scratch/tests/unit"
printf 'Running suite(s): a\n100%%: Checks: 5, Failures: 0, Errors: 0\n' >"$scratch/tests/unit/test_a.log"
printf 'Running suite(s): b\n50%%: Checks: 4, Failures: 1, Errors: 1\nb.c:9:F:b:x: wrong\n' >"$scratch/tests/unit/test_b.log"
printf 'nothing\n' >"$scratch/tests/script.sh.log"

counts '0 passed, 0 failed, 0 skipped' </dev/null
counts '5 passed, 0 failed, 0 skipped' <<END
PASS: tests/unit/test_a
# TOTAL: 1
# PASS:  1
END
counts '8 passed, 3 failed, 2 skipped' <<END
PASS: tests/unit/test_a
FAIL: tests/unit/test_b
PASS: tests/script.sh
FAIL: tests/no_log
SKIP: tests/script.sh
SKIP: tests/another
END
# A leak reported at exit: all cases passed and yet the program failed.
counts '5 passed, 1 failed, 0 skipped' <<END
FAIL: tests/unit/test_a
END
counts '1 passed, 2 failed, 0 skipped' <<END
XFAIL: tests/script.sh
XPASS: tests/script.sh
ERROR: tests/script.sh
END
exit $status
