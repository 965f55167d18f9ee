#!/bin/sh
# The drawing scripts, on small files made here; skipped without a Python that has what they import.
[ -n "${PYTHON-}" ] || { echo 'no Python with numpy, h5py, matplotlib and MDAnalysis'; exit 77; }
exec "$PYTHON" -B "$RILL_SOURCE/tests/cli/plots.py"
