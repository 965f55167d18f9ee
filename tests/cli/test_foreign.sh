#!/usr/bin/env bash
# Trajectories of other programs: orders of atoms, broken molecules, damaged frames, boxes, units.
[ -n "${PYTHON:-}" ] || exit 77
exec "$PYTHON" "${RILL_SOURCE:?}/tests/cli/foreign.py"
