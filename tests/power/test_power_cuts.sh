#!/bin/sh
# Power cuts, some of them; arguments as of cuts.py.
: "${RILL:?}" "${RILL_SOURCE:?}"
[ -n "${PYTHON-}" ] || exit 77
RILL_RECORDER=$(pwd)/tests/power/recorder
export RILL_RECORDER
exec "$PYTHON" "$RILL_SOURCE/tests/power/cuts.py" "${@:---cuts=15}"
