#!/usr/bin/env bash
# --json: one document on standard output, with the numbers of the text, of the CSV or of the file; nothing after an error.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
[ -n "${PYTHON-}" ] || { echo 'no Python'; exit 77; }

"$PYTHON" "$RILL_SOURCE/tests/cli/documents.py" || fail 'documents of --json'
# A document that cannot be printed is a failure.
for arguments in 'info water7.gro --json' 'run base.ini -o full --json'; do
  # shellcheck disable=SC2086
  "$RILL" $arguments >/dev/full 2>.stderr </dev/null
  [ $? -eq 1 ] || fail "rill $arguments >/dev/full: not exit status 1"
  says stderr 'standard output could not be written'
done
finish
