#!/usr/bin/env bash
# What rill run leaves is read by h5py and MDAnalysis with the right values, also when it was killed.
[ -n "${PYTHON:-}" ] || exit 77
exec "$PYTHON" "${RILL_SOURCE:?}/tests/cli/trajectory.py"
