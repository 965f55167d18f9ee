#!/bin/sh
# What rill writes is read by h5py and MDAnalysis as it was meant.  Cases E09, E11, F01, F03, F04, F06, I06.
test -n "$PYTHON" || exit 77
directory=$(mktemp -d ./read_back_XXXXXX) || exit 1
trap 'rm -rf "$directory"' EXIT
./tests/output/write_sample "$directory" || exit 1
"$PYTHON" "${RILL_SOURCE:-.}/tests/output/read_back.py" "$directory"
