#!/usr/bin/env bash
# rill energy against the reference energies and forces, and the verdict on every structure file of tests/data/variants.
python=${PYTHON:-python3}
command -v "$python" >/dev/null || exit 77
exec "$python" "${RILL_SOURCE:?}/tests/cli/energy.py"
