#!/bin/sh
# The commands, programs and decks in the documentation run, and print what stands there; no phrase of docs/phrases.txt is left in
# sources, scripts, help and documentation.
set -u
[ -n "${PYTHON:-}" ] || { echo 'no Python'; exit 77; }
cd "${RILL_SOURCE:?}" || exit 99
"$PYTHON" tests/docs/documents.py --self-test || exit 1
"$PYTHON" tests/docs/phrases.py --self-test || exit 1
"$PYTHON" tests/docs/phrases.py || exit 1
# shellcheck disable=SC2046
"$PYTHON" tests/docs/documents.py README.md CONTRIBUTING.md ARCHITECTURE.md docs/*.md
