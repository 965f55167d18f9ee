#!/usr/bin/env bash
# rill energy --boundary periodic against the reference energies, forces and virials of boxes of water.
python=${PYTHON:-python3}
command -v "$python" >/dev/null || exit 77
exec "$python" "${RILL_SOURCE:?}/tests/cli/energy_periodic.py"
