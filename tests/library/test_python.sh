#!/usr/bin/env bash
# The Python module of the build folder.
set -u
[ -n "${PYTHON:-}" ] || exit 77
cd "$(dirname "${RILL:?}")" || exit 99
[ -f python/rill/_path.py ] || exit 77
# Sanitizers have to be there before Python is; it is not built for them.
case ${ASAN_OPTIONS:-} in ?*) exit 77 ;; esac
export PYTHONPATH=$PWD/python PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=Agg
exec "$PYTHON" -W error "${RILL_SOURCE:?}/tests/library/test_rill.py" -v
