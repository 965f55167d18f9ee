#!/bin/sh
# The script that combines the temperatures of an ensemble; skipped without a Python that has what it imports.
[ -n "${PYTHON-}" ] || { echo 'no Python with numpy, h5py, matplotlib and MDAnalysis'; exit 77; }
"$PYTHON" -c 'import pymbar' 2>/dev/null || { echo 'no pymbar'; exit 77; }
exec "$PYTHON" -B "$RILL_SOURCE/tests/cli/ensemble_analysis.py"
